/**
 * @file source.h
 * A text that is being parsed and the place where it stands, for errors that point into it.
 */
#ifndef DT_EXPRESSION_SOURCE_H
#define DT_EXPRESSION_SOURCE_H

#include "base/attributes.h"
#include "base/error.h"

typedef struct dt_source_text {
    const char *text;
    size_t length;
    dt_location where; /**< of the first character */
    size_t place;      /**< number of its first character among all sources of one program */
    const struct dt_source_text *next; /**< the source before this one in the list of all */
} dt_source_text;

/** Line and column of a byte; columns count characters. */
dt_location dt_source_locate(const dt_source_text *source, size_t offset);

/** dt_fail() at a byte of the source, with the line and a caret as its detail. */
detent_status dt_source_fail(const dt_source_text *source, size_t offset, detent_error *error,
                             detent_status status, const char *format, ...) DT_PRINTF_LIKE(5, 6);

#endif
