/*
 * The events of a run in its page, with the stories of the searches. All of them where they take no more than a part of what the page may
 * take; of more events some, evenly; of more stories those that come first.
 */
#include "report_parts.h"

#include "event_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EVENT_BYTES = 220 }; /* about so many one takes */

static const double events_share = 0.25, stories_share = 0.2; /* of all */

size_t report_row(const report_run *run, size_t row)
{
    size_t low = 0, high = run->kept;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (run->row[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < run->kept ? low : run->kept - 1;
}

/* The lists that events are made of. */
enum { TIME, ROW, INSTANT, STICTION, STATE, FROM, FROM_WAY, TO, TO_WAY, CAUSE, MARGIN, LISTS };
static const char *const lists[LISTS] = {
    "event_time",         "event_row",   "event_instant",        "event_stiction",
    "event_state",        "event_from",  "event_from_direction", "event_to",
    "event_to_direction", "event_cause", "event_margin"};

static double at(const report_run *run, const double *all, int list, size_t event)
{
    return all[(size_t)list * run->file.events + event];
}

/* ---- words ---- */

static const char *kind_of(detent_mode from, int from_way, detent_mode to, int to_way,
                           const char *cause)
{
    return strcmp(cause, "initial") == 0                  ? "start"
           : to == DETENT_LOCKED && from == DETENT_LOCKED ? "stays"
           : to == DETENT_LOCKED                          ? "stop"
           : from == DETENT_LOCKED                        ? "breakaway"
           : from_way != to_way                           ? "reversal"
           : from == DETENT_WAIT && to == DETENT_UNLOCKED ? "unlock"
                                                          : "change";
}

static const char *side_of(double side)
{
    return side < 0 ? "lower" : side > 0 ? "upper" : "free";
}

/* Word `index` of a list with blanks between. */
static void word_of(const char *list, double index, char *word, size_t size)
{
    for (; index >= 1 && list; index--) {
        list = strchr(list, ' ');
        list = list ? list + 1 : NULL;
    }
    snprintf(word, size, "%.*s", list ? (int)strcspn(list, " ") : 0, list ? list : "");
}

/* ---- stories ---- */

typedef struct stories {
    const report_run *run;
    double left;    /* bytes that they may take */
    double instant; /* of the last one */
    size_t told;
} stories;

static void write_story(json_writer *json, stories *s, double instant)
{
    const record_file *file = &s->run->file;
    if (instant == s->instant || !(instant >= 0)) {
        return; /* told with the first event of that instant */
    }
    s->instant = instant;
    const double begin = record_file_number(file, "instant_story_begin", (size_t)instant, 0),
                 end = fmin(record_file_number(file, "instant_story_end", (size_t)instant, 0),
                            (double)file->story);
    if (!(end > begin) || end - begin > s->left) {
        return;
    }
    const size_t start = (size_t)begin, length = (size_t)(end - begin);
    char *text = malloc(length + 1);
    const int id = store_find(file->store, "story");
    if (text && id >= 0 && store_get_text(file->store, id, &start, &length, text)) {
        text[length] = '\0';
        json_text(json, "story", text);
        s->left -= (double)length;
        s->told++;
    }
    free(text);
}

/* ---- events ---- */

static void write_mode_change(json_writer *json, const report_run *run, const double *all,
                              size_t event, const char *cause)
{
    char text[MODE_TEXT_SIZE];
    const detent_mode from = (detent_mode)at(run, all, FROM, event),
                      to = (detent_mode)at(run, all, TO, event);
    const int from_way = (int)at(run, all, FROM_WAY, event),
              to_way = (int)at(run, all, TO_WAY, event);
    char *joint = record_file_text(&run->file, "stiction", (size_t)at(run, all, STICTION, event));
    json_text(json, "joint", joint ? joint : "");
    json_text(json, "kind", kind_of(from, from_way, to, to_way, cause));
    json_text(json, "from", mode_text(text, from, from_way));
    json_text(json, "to", mode_text(text, to, to_way));
    free(joint);
}

static void write_state_change(json_writer *json, const report_run *run, const double *all,
                               size_t event)
{
    char *state = record_file_text(&run->file, "state", (size_t)at(run, all, STATE, event));
    const size_t room = (state ? strlen(state) : 0) + sizeof "state()";
    char *name = malloc(room);
    if (name) {
        snprintf(name, room, "state(%s)", state ? state : "");
    }
    json_text(json, "joint", name ? name : "");
    json_text(json, "kind", "state");
    json_text(json, "from", side_of(at(run, all, FROM_WAY, event)));
    json_text(json, "to", side_of(at(run, all, TO_WAY, event)));
    free(state);
    free(name);
}

static void write_event(json_writer *json, const report_run *run, const double *all, size_t event,
                        stories *s)
{
    char cause[24];
    const double margin = at(run, all, MARGIN, event);
    word_of(record_causes, at(run, all, CAUSE, event), cause, sizeof cause);
    json_object(json, NULL);
    json_number(json, "t", at(run, all, TIME, event));
    json_count(json, "row", report_row(run, (size_t)at(run, all, ROW, event)));
    if (at(run, all, STICTION, event) >= 0) {
        write_mode_change(json, run, all, event, cause);
    } else {
        write_state_change(json, run, all, event);
    }
    json_text(json, "cause", cause);
    if (!isnan(margin)) {
        json_number(json, "margin", margin);
    }
    write_story(json, s, at(run, all, INSTANT, event));
    json_close(json);
}

bool report_write_events(json_writer *json, const report_run *run, double most,
                         report_thinned *thinned)
{
    const size_t count = run->file.events, limit = (size_t)(events_share * most / EVENT_BYTES),
                 places = count < limit ? count : limit;
    stories s = {.run = run, .left = stories_share * most, .instant = -1};
    double *all = malloc((LISTS * count + 1) * sizeof *all);
    for (int k = 0; k < LISTS && all; k++) {
        record_file_list(&run->file, lists[k], count, all + (size_t)k * count);
    }
    json_array(json, "events");
    for (size_t i = 0; i < count && all; i++) {
        const bool is_there =
            !isnan(at(run, all, TIME, i)); /* of a run that was killed some may be not */
        if (is_there && i * places % count < places) {
            write_event(json, run, all, i, &s);
            thinned->events++;
        }
    }
    json_close(json);
    thinned->stories = s.told;
    const bool good = all != NULL;
    free(all);
    return good;
}
