/*
 * The events of a run in its page, with the stories of the searches. All of them where they take no more than a part of what the page may
 * take; of more events some, evenly, and none whose row is not shown; of more stories those that come first.
 */
#include "report_parts.h"

#include "event_log.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { EVENT_BYTES = 220 }; /* about so many one takes */

#define NONE ((size_t)-1)

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
enum { INSTANT, STICTION, STATE, FROM, FROM_WAY, TO, TO_WAY, CAUSE, MARGIN, LISTS };
static const char *const lists[LISTS] = {
    "event_instant", "event_stiction",     "event_state", "event_from",  "event_from_direction",
    "event_to",      "event_to_direction", "event_cause", "event_margin"};

static double at(const report_run *run, const double *all, int list, size_t event)
{
    return all[(size_t)list * run->file.events + event];
}

/* A small whole number of a list; -1 where the record has none. */
static int whole_at(const report_run *run, const double *all, int list, size_t event)
{
    const double value = at(run, all, list, event);
    return value >= INT8_MIN && value <= INT8_MAX ? (int)value : -1;
}

/* The name of an item that a list has the index of. The caller's to free; NULL: there is none, or memory is out. */
static char *name_at(const report_run *run, const double *all, int list, size_t event,
                     const char *names)
{
    const double index = at(run, all, list, event);
    return index >= 0 ? record_file_text(&run->file, names, (size_t)index) : NULL;
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

/* ---- instants and their stories ---- */

typedef struct instants {
    const report_run *run;
    const double *events; /* all lists of them */
    double *time, *row, *begin, *end;
    double left; /* bytes that stories may still take */
    double last; /* the instant whose story was told last */
    size_t stories, told;
} instants;

static double *read_list(const record_file *file, const char *name)
{
    double *list = malloc((file->instants + 1) * sizeof *list);
    if (list) {
        record_file_list(file, name, file->instants, list);
    }
    return list;
}

/* False when memory is out. */
static bool find_instants(instants *s)
{
    const record_file *file = &s->run->file;
    s->time = read_list(file, "instant_time");
    s->row = read_list(file, "instant_row");
    s->begin = read_list(file, "instant_story_begin");
    s->end = read_list(file, "instant_story_end");
    const bool good = s->time && s->row && s->begin && s->end;
    for (size_t i = 0; i < file->instants && good; i++) {
        s->end[i] = fmin(s->end[i], (double)file->story); /* of a run that was killed */
        s->stories += s->end[i] > s->begin[i];
    }
    return good;
}

static void forget_instants(instants *s)
{
    free(s->time);
    free(s->row);
    free(s->begin);
    free(s->end);
}

/* With the first event of an instant, and for all of them. */
static void write_story(json_writer *json, instants *s, size_t instant)
{
    const record_file *file = &s->run->file;
    const double begin = s->begin[instant], end = s->end[instant];
    if ((double)instant == s->last || !(end > begin) || end - begin > s->left) {
        return;
    }
    s->last = (double)instant;
    const size_t start = (size_t)begin, length = (size_t)(end - begin);
    char *text = malloc(length + 1);
    const int id = store_find(file->store, "story");
    if (text && id >= 0 && store_get_text(file->store, id, &start, &length, text)) {
        text[length] = '\0';
        json_text(json, "story", text);
        s->left -= (double)length;
        s->told++;
    }
    if (!text) {
        store_lack_memory(file->store);
    }
    free(text);
}

/* ---- events ---- */

static void write_mode_change(json_writer *json, const report_run *run, const double *all,
                              size_t event, const char *cause)
{
    char text[MODE_TEXT_SIZE];
    const detent_mode from = (detent_mode)whole_at(run, all, FROM, event),
                      to = (detent_mode)whole_at(run, all, TO, event);
    const int from_way = whole_at(run, all, FROM_WAY, event),
              to_way = whole_at(run, all, TO_WAY, event);
    char *joint = name_at(run, all, STICTION, event, "stiction");
    json_text(json, "joint", joint ? joint : "");
    json_text(json, "kind", kind_of(from, from_way, to, to_way, cause));
    json_text(json, "from", mode_text(text, from, from_way));
    json_text(json, "to", mode_text(text, to, to_way));
    free(joint);
}

static void write_state_change(json_writer *json, const report_run *run, const double *all,
                               size_t event)
{
    char *state = name_at(run, all, STATE, event, "state");
    const size_t room = (state ? strlen(state) : 0) + sizeof "state()";
    char *name = malloc(room);
    if (name) {
        snprintf(name, room, "state(%s)", state ? state : "");
    } else {
        store_lack_memory(run->file.store);
    }
    json_text(json, "joint", name ? name : "");
    json_text(json, "kind", "state");
    json_text(json, "from", side_of(at(run, all, FROM_WAY, event)));
    json_text(json, "to", side_of(at(run, all, TO_WAY, event)));
    free(state);
    free(name);
}

static void write_change(json_writer *json, const report_run *run, const double *all, size_t event)
{
    char cause[24];
    const double margin = at(run, all, MARGIN, event);
    word_of(record_causes, at(run, all, CAUSE, event), cause, sizeof cause);
    if (at(run, all, STICTION, event) >= 0) {
        write_mode_change(json, run, all, event, cause);
    } else {
        write_state_change(json, run, all, event);
    }
    json_text(json, "cause", cause);
    if (!isnan(margin)) {
        json_number(json, "margin", margin);
    }
}

/* `event`: a change at that instant; NONE: there was none. */
static void write_event(json_writer *json, instants *s, size_t instant, size_t event)
{
    json_object(json, NULL);
    json_number(json, "t", s->time[instant]);
    json_count(json, "row", report_row(s->run, (size_t)s->row[instant]));
    if (event == NONE) {
        json_text(json, "joint", "");
        json_text(json, "kind", "unchanged");
    } else {
        write_change(json, s->run, s->events, event);
    }
    write_story(json, s, instant);
    json_close(json);
}

/* With its row. Of a run that was killed some may not be there. */
static bool is_shown(const instants *s, size_t instant)
{
    const double row = s->row[instant];
    return !isnan(s->time[instant]) && row >= 0 &&
           s->run->row[report_row(s->run, (size_t)row)] == (size_t)row;
}

/* Of the events whose rows are shown (`shown` of them) `places`, spread evenly, or without `json` none: returns how many are shown. */
static size_t walk(json_writer *json, instants *s, size_t shown, size_t places)
{
    const record_file *file = &s->run->file;
    size_t seen = 0, event = 0;
    for (size_t i = 0; i < file->instants; i++) {
        const size_t first = event;
        while (event < file->events && at(s->run, s->events, INSTANT, event) == (double)i) {
            event++;
        }
        for (size_t e = first; is_shown(s, i) && (e < event || e == first); e++) {
            if (json && seen * places % shown < places) {
                write_event(json, s, i, e < event ? e : NONE);
            }
            seen++;
        }
    }
    return seen;
}

/* Changes, and instants without one. */
static size_t count_events(const instants *s)
{
    const record_file *file = &s->run->file;
    size_t count = file->events + file->instants;
    double last = -1;
    for (size_t e = 0; e < file->events; e++) {
        const double instant = at(s->run, s->events, INSTANT, e);
        count -= instant != last;
        last = instant;
    }
    return count;
}

bool report_write_events(json_writer *json, const report_run *run, double most,
                         report_thinned *thinned)
{
    const size_t count = run->file.events, limit = (size_t)(events_share * most / EVENT_BYTES);
    double *all = malloc((LISTS * count + 1) * sizeof *all);
    instants s = {.run = run, .events = all, .left = stories_share * most, .last = -1};
    const bool good = find_instants(&s) && all;
    for (int k = 0; k < LISTS && good; k++) {
        record_file_list(&run->file, lists[k], count, all + (size_t)k * count);
    }
    json_array(json, "events");
    if (good) {
        const size_t shown = walk(NULL, &s, 0, 0);
        thinned->events_kept = shown < limit ? shown : limit;
        walk(json, &s, shown, thinned->events_kept);
        thinned->events = count_events(&s);
    }
    json_close(json);
    thinned->stories = s.stories;
    thinned->stories_kept = s.told;
    forget_instants(&s);
    free(all);
    return good;
}
