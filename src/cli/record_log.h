/**
 * @file record_log.h
 * Events of a record, and the stories of the searches. An *instant* is what detent_advance() stopped at: some searches, some changes.
 */
#ifndef CLI_RECORD_LOG_H
#define CLI_RECORD_LOG_H

#include "record_layout.h"

enum { RECORD_EVENT_COLUMNS = 11, RECORD_INSTANT_COLUMNS = 4 };

typedef struct record_log {
    store *file;
    int event[RECORD_EVENT_COLUMNS], instant[RECORD_INSTANT_COLUMNS], story; /**< variables */
    size_t events, instants;
    char *text; /**< of stories, what is not written yet */
    size_t text_held, text_written;
    size_t text_told; /**< up to the last instant */
} record_log;

/** False when memory is out. */
bool record_log_create(record_log *, store *, const int dimension[RECORD_DIMENSIONS]);
void record_log_line(record_log *, const char *line);
/** The last event of a simulation; `row`: the first one after it. */
void record_log_event(record_log *, const detent_simulation *, size_t row);
/** What was told since the last instant is one, too; writes what is left. */
void record_log_finish(record_log *, double time, size_t row);
void record_log_release(record_log *);

#endif
