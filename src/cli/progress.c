#include "progress.h"

#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double period = 0.1; /* s */

double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress_line *progress, double start, double end, bool quiet)
{
    const char *terminal = getenv("TERM");
    bool can_erase = terminal && strcmp(terminal, "dumb") != 0;
    double now = wall_clock();
    *progress = (progress_line){.shown = !quiet && can_erase && isatty(STDERR_FILENO),
                                .start = start,
                                .end = end,
                                .begun = now,
                                .last = now};
}

static void count_modes(const detent_mechanism *mechanism, const detent_simulation *simulation,
                        size_t counts[3])
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    for (size_t i = 0; i < info.stictions; i++) {
        counts[detent_get_mode(simulation, i, NULL)]++;
    }
}

/* "1:05", "2:00:03"; "?" where nobody knows. */
static void format_duration(char *text, size_t size, double seconds)
{
    if (!(seconds < 360000)) {
        snprintf(text, size, "?");
        return;
    }
    int s = (int)(seconds + 0.5);
    if (s >= 3600) {
        snprintf(text, size, "%d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
    } else {
        snprintf(text, size, "%d:%02d", s / 60, s % 60);
    }
}

static void show(progress_line *progress, const detent_mechanism *mechanism,
                 detent_simulation *simulation, double now)
{
    size_t modes[3] = {0};
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(simulation, &statistics);
    count_modes(mechanism, simulation, modes);

    double rate = (double)(statistics.events - progress->last_events) / (now - progress->last);
    progress->event_rate += 0.3 * (rate - progress->event_rate);
    progress->last_events = statistics.events;

    double time = detent_time(simulation);
    double part = (time - progress->start) / (progress->end - progress->start);
    char left[32];
    format_duration(left, sizeof left, (now - progress->begun) * (1 - part) / part);
    fprintf(stderr,
            "\r%.6g s  %3.0f%%  %zu locked, %zu wait, %zu unlocked  %.0f events/s  ETA %s\033[K",
            time, 100 * part, modes[DETENT_LOCKED], modes[DETENT_WAIT], modes[DETENT_UNLOCKED],
            progress->event_rate, left);
    progress->on_screen = true;
}

double progress_due(const progress_line *progress)
{
    return progress->last + period;
}

bool progress_tick(progress_line *progress, const detent_mechanism *mechanism,
                   detent_simulation *simulation)
{
    double now = wall_clock();
    if (now - progress->last < period) {
        return false;
    }
    if (progress->shown) {
        show(progress, mechanism, simulation, now);
    }
    progress->last = now;
    return true;
}

void progress_end(progress_line *progress)
{
    if (progress->on_screen) {
        fputs("\r\033[K", stderr);
        progress->on_screen = false;
    }
}
