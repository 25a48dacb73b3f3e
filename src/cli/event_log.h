/**
 * @file event_log.h
 * Every change of mode, one a line: as CSV, or as one JSON object a line.
 */
#ifndef CLI_EVENT_LOG_H
#define CLI_EVENT_LOG_H

#include "detent/detent.h"

#include <stdio.h>

enum { MODE_TEXT_SIZE = 16 };

/** "locked", "wait+", "wait-", "unlocked+", "unlocked-". */
const char *mode_text(char text[MODE_TEXT_SIZE], detent_mode mode, int direction);

void event_log_head(FILE *stream, bool jsonl);

/** Writes the changes of the simulation's last event. */
void event_log_write(FILE *stream, bool jsonl, const detent_mechanism *, const detent_simulation *);

#endif
