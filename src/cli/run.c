#include "run.h"

#include "csv.h"
#include "event_log.h"
#include "help.h"
#include "interrupt.h"
#include "load.h"
#include "message.h"
#include "progress.h"
#include "results.h"
#include "summary.h"

#include <math.h>
#include <string.h>
#include <time.h>

typedef struct run_state {
    const cli_options *options;
    detent_mechanism *mechanism;
    detent_settings settings;
    detent_simulation *simulation;
    result_files results;
    csv_table table;
    progress_line progress;
    detent_error error;
    bool not_written; /* a result could not be written: no use to go on */
    bool finished;    /* the end was reached */
    double slice;     /* of simulated time that takes a moment of the clock, s */
    double begun_wall;
    clock_t begun_cpu;
} run_state;

/* ---- set-up ---- */

static void choose_settings(run_state *run)
{
    const cli_options *options = run->options;
    detent_mechanism_info info;
    detent_mechanism_get_info(run->mechanism, &info);
    run->settings = info.settings;
    const struct {
        double given, *place;
    } changes[] = {{options->end, &run->settings.end},
                   {options->interval, &run->settings.interval},
                   {options->rtol, &run->settings.rtol},
                   {options->atol, &run->settings.atol},
                   {options->max_step, &run->settings.max_step}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (!isnan(changes[i].given)) {
            *changes[i].place = changes[i].given;
        }
    }
    if (options->integrator >= 0) {
        run->settings.integrator = (detent_integrator)options->integrator;
    }
    if (options->linear_solver >= 0) {
        run->settings.linear_solver = (detent_linear_solver)options->linear_solver;
    }
}

static void write_trace(void *user, const char *line)
{
    FILE *stream = user;
    write_plain(stream, line);
    fputc('\n', stream);
}

/* Returns an exit code, after saying what is wrong. */
static int open_run(run_state *run)
{
    if (!isnan(run->options->end) && run->options->end <= run->settings.start) {
        print_error("option --end: the run starts at %g s only", run->settings.start);
        return EXIT_USAGE;
    }
    int code = results_open(&run->results, run->options);
    if (code) {
        return code;
    }
    detent_simulation_options options = {
        .settings = &run->settings,
        .trace = run->results.search_stream ? write_trace : NULL,
        .trace_user = run->results.search_stream,
    };
    detent_status status =
        detent_simulation_create(run->mechanism, &options, &run->simulation, &run->error);
    if (status) {
        print_library_error(&run->error);
        return exit_code_of(status);
    }
    if (!table_create(&run->table, run->mechanism, run->results.table_stream)) {
        print_error("out of memory");
        return EXIT_MEMORY;
    }
    return EXIT_DONE;
}

/* ---- the run ---- */

static void log_event(run_state *run)
{
    if (run->results.event_stream) {
        event_log_write(run->results.event_stream, run->options->events_format != 0, run->mechanism,
                        run->simulation);
    }
}

static detent_status write_row(run_state *run, int side)
{
    detent_status status = table_write_row(&run->table, run->simulation, side, &run->error);
    run->not_written = results_failed(&run->results);
    if (progress_tick(&run->progress, run->mechanism, run->simulation)) {
        results_flush(&run->results);
    }
    return status;
}

static bool must_stop(const run_state *run)
{
    return run->not_written || interrupt_signal() != 0;
}

/* Advances towards time `t`, by not much more than some hundredth of a second of the clock, so that signals are
 * answered and the progress is seen. Where a simulation stops makes no difference to where it goes. */
static detent_status advance_slice(run_state *run, double t)
{
    static const double shortest = 0.01, longest = 0.05; /* s */
    double now = detent_time(run->simulation), begun = wall_clock();
    double target = t - now > run->slice ? now + run->slice : t;
    detent_status status = detent_advance(run->simulation, target, true, &run->error);
    double taken = wall_clock() - begun;
    if (taken > longest) {
        run->slice /= 2;
    } else if (taken < shortest && status == DETENT_OK && target < t) {
        run->slice *= 2;
    }
    return status;
}

/* Advances to time `t`, with two rows for every event on the way. */
static detent_status advance(run_state *run, double t)
{
    for (;;) {
        detent_status status = advance_slice(run, t);
        bool on_the_way = status == DETENT_OK && detent_time(run->simulation) < t;
        if (on_the_way && !must_stop(run)) {
            progress_tick(&run->progress, run->mechanism, run->simulation);
            continue;
        }
        if (status != DETENT_EVENT) {
            return status;
        }
        log_event(run);
        status = write_row(run, -1);
        if (!status) {
            status = write_row(run, 1);
        }
        if (status || must_stop(run)) {
            return status;
        }
    }
}

/* Where a run breaks off, the last good state is worth a row. */
static void write_last_row(run_state *run, double last_time)
{
    detent_error ignored;
    if (detent_time(run->simulation) > last_time) {
        table_write_row(&run->table, run->simulation, 0, &ignored);
    }
}

static detent_status simulate(run_state *run)
{
    const detent_settings *s = &run->settings;
    double rows = ceil((s->end - s->start) / s->interval * (1 - 1e-12));
    double time = s->start;
    run->slice = (s->end - s->start) / 1000;
    table_write_head(&run->table);
    if (run->results.event_stream) {
        event_log_head(run->results.event_stream, run->options->events_format != 0);
    }
    log_event(run);
    detent_status status = write_row(run, 0);
    for (double i = 1; i <= rows && !status && !must_stop(run); i++) {
        status = advance(run, i < rows ? s->start + i * s->interval : s->end);
        if (!status && !must_stop(run)) {
            status = write_row(run, 0);
            time = detent_time(run->simulation);
        }
    }
    if (status) {
        write_last_row(run, time);
    }
    run->finished = time >= s->end;
    return status;
}

/* ---- the end ---- */

/* Writes the summary to `file` or, where that is NULL, for people to read: to standard output, or to standard error
 * where the table is there. */
static void write_summary(const run_state *run, run_end end, FILE *file)
{
    const run_summary summary = {
        .options = run->options,
        .mechanism = run->mechanism,
        .simulation = run->simulation,
        .table = &run->table,
        .results = &run->results,
        .settings = run->settings,
        .end = end,
        .error = &run->error,
        .cpu_time = (double)(clock() - run->begun_cpu) / CLOCKS_PER_SEC,
        .wall_time = wall_clock() - run->begun_wall,
    };
    FILE *stream = run->results.on_stdout ? stderr : stdout;
    if (file) {
        summary_write_json(file, &summary);
    } else if (run->options->json) {
        summary_write_json(stream, &summary);
    } else if (!run->options->quiet) {
        summary_write_text(stream, &summary);
    }
}

/* Says how the simulation ended. Returns the exit code. */
static int tell_end(run_state *run, detent_status status, run_end *end)
{
    int number = interrupt_signal();
    progress_end(&run->progress);
    *end = RUN_FINISHED;
    if (status) {
        *end = RUN_FAILED;
        print_library_error(&run->error);
        return exit_code_of(status);
    }
    if (!run->finished && number) {
        *end = RUN_INTERRUPTED;
        print_error("interrupted at t = %.9g s", detent_time(run->simulation));
        return EXIT_SIGNAL + number;
    }
    return EXIT_DONE;
}

/* Closes the files and gives them their names. False after saying what went wrong. */
static bool conclude_files(run_state *run, run_end *end)
{
    bool good = results_close(&run->results);
    if (!good && *end != RUN_FAILED) {
        *end = RUN_FAILED;
        run->error =
            (detent_error){.status = DETENT_ERROR_IO, .message = "a result could not be written"};
    }
    if (run->results.summary.stream) {
        write_summary(run, *end, run->results.summary.stream);
        good = results_close_summary(&run->results) && good;
    }
    if (good && *end == RUN_FINISHED) {
        good = results_publish(&run->results);
    } else {
        results_keep(&run->results);
    }
    if (run->results.table.partial && (!good || *end != RUN_FINISHED)) {
        print_note("what was computed until t = %.9g s is kept in %s", detent_time(run->simulation),
                   run->results.table.partial);
    }
    return good;
}

static int conclude(run_state *run, detent_status status)
{
    run_end end;
    int code = tell_end(run, status, &end);
    if (!conclude_files(run, &end)) {
        return code ? code : EXIT_IO;
    }
    write_summary(run, end, NULL);
    return run->results.on_stdout ? code : finish_stdout(code);
}

static int run_mechanism(run_state *run)
{
    choose_settings(run);
    interrupt_install(); /* before there are files to leave behind */
    int code = open_run(run);
    if (code) {
        results_discard(&run->results);
    } else {
        progress_begin(&run->progress, run->settings.start, run->settings.end, run->options->quiet);
        code = conclude(run, simulate(run));
    }
    table_destroy(&run->table);
    detent_simulation_destroy(run->simulation);
    results_release(&run->results);
    return code;
}

int run_command(const cli_options *options)
{
    run_state run = {.options = options, .begun_wall = wall_clock(), .begun_cpu = clock()};
    if (options->json && options->output && strcmp(options->output, "-") == 0) {
        print_error("--json and --output - both ask for standard output");
        return EXIT_USAGE;
    }
    detent_status status = load_mechanism(options, &run.mechanism, &run.error);
    if (status) {
        print_library_error(&run.error);
        return exit_code_of(status);
    }
    if (!options->quiet) {
        print_warnings(options, run.mechanism);
    }
    int code = run_mechanism(&run);
    detent_mechanism_destroy(run.mechanism);
    return code;
}
