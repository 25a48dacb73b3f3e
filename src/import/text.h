/**
 * @file text.h
 * A text that grows while a mechanism file is written.
 */
#ifndef DT_IMPORT_TEXT_H
#define DT_IMPORT_TEXT_H

#include "base/arena.h"

typedef struct dt_growing_text {
    dt_arena *arena;
    char *text; /**< NUL-terminated; NULL as long as nothing is in it */
    size_t length, room;
    bool failed; /**< memory is out: nothing more is added */
} dt_growing_text;

/**
 * The bytes of the character of UTF-8 at `text`, which is not at its end; 0 where it is none, or one that a line of YAML may not have, or
 * that ends the line: who copies a text writes a blank for that byte.
 */
size_t dt_plain_character(const char *text);

void dt_put_bytes(dt_growing_text *out, const char *bytes, size_t length);
void dt_put(dt_growing_text *out, const char *text);
/** Texts, up to NULL. */
void dt_put_all(dt_growing_text *out, const char *first, ...);
/** The shortest digits that are read as that number. */
void dt_put_number(dt_growing_text *out, double value);
/** [a, b, ...] */
void dt_put_row(dt_growing_text *out, const double *values, int count);
/** Text of the source in a comment: on its line. */
void dt_put_remark(dt_growing_text *out, const char *text);
/** Text of the source between quotes. */
void dt_put_quoted(dt_growing_text *out, const char *text);

#endif
