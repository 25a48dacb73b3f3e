/**
 * @file line.h
 * A line of text of bounded length, put together piece by piece; what does not fit is dropped.
 */
#ifndef DT_STICTION_LINE_H
#define DT_STICTION_LINE_H

#include "base/attributes.h"

#include <stdbool.h>
#include <stddef.h>

#define DT_LINE_SIZE 480

/** How many joints a line names before it only counts them. */
#define DT_LINE_NAMES 6

typedef struct dt_line {
    char text[DT_LINE_SIZE];
    size_t length;
    size_t names; /**< named or counted so far in this list */
} dt_line;

void dt_line_add(dt_line *line, const char *format, ...) DT_PRINTF_LIKE(2, 3);

/** Starts the next item of a list; false where it is only counted. */
bool dt_line_next(dt_line *line);

/** Ends the list: "and 987 others" where some were only counted. */
void dt_line_close(dt_line *line);

#endif
