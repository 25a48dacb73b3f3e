#include "record_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STORY_BLOCK = 256 << 10, EVENT_CHUNK = 1024 };

/* What is written of an event. */
enum event_column {
    EVENT_TIME,
    EVENT_ROW,
    EVENT_INSTANT,
    EVENT_STICTION,
    EVENT_STATE,
    EVENT_FROM,
    EVENT_FROM_DIRECTION,
    EVENT_TO,
    EVENT_TO_DIRECTION,
    EVENT_CAUSE,
    EVENT_MARGIN
};

enum instant_column { INSTANT_TIME, INSTANT_ROW, INSTANT_BEGIN, INSTANT_END };

typedef struct log_column {
    const char *name;
    store_type type;
    const char *unit, *flags, *title;
} log_column;

static const log_column event_columns[RECORD_EVENT_COLUMNS] = {
    [EVENT_TIME] = {"event_time", STORE_DOUBLE, "s", NULL, "when it was"},
    [EVENT_ROW] = {"event_row", STORE_INT64, NULL, NULL, "index of the first row after it"},
    [EVENT_INSTANT] = {"event_instant", STORE_INT64, NULL, NULL, "index of its instant"},
    [EVENT_STICTION] = {"event_stiction", STORE_INT, NULL, NULL,
                        "index of the joint that changed its mode; -1: none"},
    [EVENT_STATE] = {"event_state", STORE_INT, NULL, NULL,
                     "index of the state that came to a stop, or left it; -1: none"},
    [EVENT_FROM] = {"event_from", STORE_BYTE, NULL, record_modes, "mode before"},
    [EVENT_FROM_DIRECTION] = {"event_from_direction", STORE_BYTE, NULL, NULL,
                              "direction before; of a state its stop: -1 the lower, 1 the upper"},
    [EVENT_TO] = {"event_to", STORE_BYTE, NULL, record_modes, "mode after"},
    [EVENT_TO_DIRECTION] = {"event_to_direction", STORE_BYTE, NULL, NULL,
                            "direction after; of a state its stop: -1 the lower, 1 the upper"},
    [EVENT_CAUSE] = {"event_cause", STORE_BYTE, NULL, record_causes, "why"},
    [EVENT_MARGIN] = {"event_margin", STORE_DOUBLE, NULL, NULL, "margin of the joint after it"},
};

static const log_column instant_columns[RECORD_INSTANT_COLUMNS] = {
    [INSTANT_TIME] = {"instant_time", STORE_DOUBLE, "s", NULL, "when something happened"},
    [INSTANT_ROW] = {"instant_row", STORE_INT64, NULL, NULL, "index of the first row after it"},
    [INSTANT_BEGIN] = {"instant_story_begin", STORE_INT64, NULL, NULL,
                       "where the story of its searches begins in `story`"},
    [INSTANT_END] = {"instant_story_end", STORE_INT64, NULL, NULL, "where it ends there"},
};

/* ---- definitions ---- */

/* Not packed: a chunk that is not full yet is written again, and stays where it is. */
static void add_columns(store *s, int dimension, const log_column *columns, int count, int *id)
{
    const store_shape shape = {STORE_DOUBLE, 1, {dimension}, {EVENT_CHUNK}, false};
    for (int k = 0; k < count; k++) {
        store_shape own = shape;
        own.type = columns[k].type;
        id[k] = store_variable(s, columns[k].name, &own);
        store_text(s, id[k], "long_name", columns[k].title);
        if (columns[k].unit) {
            store_text(s, id[k], "units", columns[k].unit);
        }
        if (columns[k].flags) {
            record_flags(s, id[k], columns[k].flags);
        }
    }
}

bool record_log_create(record_log *log, store *file, const int dimension[RECORD_DIMENSIONS])
{
    const store_shape story = {STORE_CHAR, 1, {dimension[RECORD_STORY]}, {STORY_BLOCK}, true};
    *log = (record_log){.file = file, .text = malloc(STORY_BLOCK)};
    add_columns(file, dimension[RECORD_EVENT], event_columns, RECORD_EVENT_COLUMNS, log->event);
    add_columns(file, dimension[RECORD_INSTANT], instant_columns, RECORD_INSTANT_COLUMNS,
                log->instant);
    log->story = store_variable(file, "story", &story);
    store_text(file, log->story, "long_name", "the stories of all searches for modes");
    return log->text != NULL;
}

void record_log_release(record_log *log)
{
    free(log->text);
}

/* ---- stories ---- */

static void write_story(record_log *log)
{
    if (log->text_held > 0) {
        store_put_text(log->file, log->story, &log->text_written, &log->text_held, log->text);
    }
    log->text_written += log->text_held;
    log->text_held = 0;
}

static void tell(record_log *log, const char *text, size_t length)
{
    while (length > 0) {
        const size_t room = STORY_BLOCK - log->text_held, part = length < room ? length : room;
        memcpy(log->text + log->text_held, text, part);
        log->text_held += part;
        text += part;
        length -= part;
        if (log->text_held == STORY_BLOCK) {
            write_story(log);
        }
    }
}

void record_log_line(record_log *log, const char *line)
{
    tell(log, line, strlen(line));
    tell(log, "\n", 1);
}

/* ---- events ---- */

static void put_row(store *s, const int *id, int count, size_t index, const double *values)
{
    const size_t one = 1;
    for (int k = 0; k < count; k++) {
        store_put(s, id[k], &index, &one, values + k);
    }
}

static void put_instant(record_log *log, double time, size_t row)
{
    const size_t end = log->text_written + log->text_held;
    const double values[RECORD_INSTANT_COLUMNS] = {[INSTANT_TIME] = time,
                                                   [INSTANT_ROW] = (double)row,
                                                   [INSTANT_BEGIN] = (double)log->text_told,
                                                   [INSTANT_END] = (double)end};
    put_row(log->file, log->instant, RECORD_INSTANT_COLUMNS, log->instants++, values);
    log->text_told = end;
}

static void put_mode_change(record_log *log, size_t row, const detent_mode_change *change)
{
    const double values[RECORD_EVENT_COLUMNS] = {[EVENT_TIME] = change->time,
                                                 [EVENT_ROW] = (double)row,
                                                 [EVENT_INSTANT] = (double)log->instants - 1,
                                                 [EVENT_STICTION] = (double)change->stiction,
                                                 [EVENT_STATE] = -1,
                                                 [EVENT_FROM] = change->from,
                                                 [EVENT_FROM_DIRECTION] = change->from_direction,
                                                 [EVENT_TO] = change->to,
                                                 [EVENT_TO_DIRECTION] = change->to_direction,
                                                 [EVENT_CAUSE] = change->cause,
                                                 [EVENT_MARGIN] = change->margin};
    put_row(log->file, log->event, RECORD_EVENT_COLUMNS, log->events++, values);
}

static void put_state_change(record_log *log, size_t row, const detent_state_change *change)
{
    const double values[RECORD_EVENT_COLUMNS] = {[EVENT_TIME] = change->time,
                                                 [EVENT_ROW] = (double)row,
                                                 [EVENT_INSTANT] = (double)log->instants - 1,
                                                 [EVENT_STICTION] = -1,
                                                 [EVENT_STATE] = (double)change->state,
                                                 [EVENT_FROM_DIRECTION] = change->from,
                                                 [EVENT_TO_DIRECTION] = change->to,
                                                 [EVENT_CAUSE] = change->cause,
                                                 [EVENT_MARGIN] = NAN};
    put_row(log->file, log->event, RECORD_EVENT_COLUMNS, log->events++, values);
}

void record_log_event(record_log *log, const detent_simulation *simulation, size_t row)
{
    put_instant(log, detent_time(simulation), row);
    detent_mode_change change = DETENT_INIT(detent_mode_change);
    for (size_t i = 0; detent_get_mode_change(simulation, i, &change) == DETENT_OK; i++) {
        put_mode_change(log, row, &change);
    }
    detent_state_change state = DETENT_INIT(detent_state_change);
    for (size_t i = 0; detent_get_state_change(simulation, i, &state) == DETENT_OK; i++) {
        put_state_change(log, row, &state);
    }
}

void record_log_finish(record_log *log, double time, size_t row)
{
    if (log->text_written + log->text_held > log->text_told) {
        put_instant(log, time, row);
    }
    write_story(log);
}
