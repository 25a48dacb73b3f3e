/**
 * @file write.h
 * A sketch as the text of a mechanism file: what the sections of kinds are written with.
 */
#ifndef SOAK_WRITE_H
#define SOAK_WRITE_H

#include "chance.h"
#include "sketch.h"

typedef struct writer {
    char *text;
    size_t length, capacity;
    chance chance;
    double size; /**< of the changes */
    const sketch *s;
} writer;

__attribute__((format(printf, 2, 3))) void write_text(writer *, const char *format, ...);
/** What to multiply with: one, or nearly. */
double write_factor(writer *);
void write_vector(writer *, const char *key, const double v[3], double unit);
bool write_is_zero(const double v[3]);
/** A law that gives `unit`s, changed by the factor `by`. */
void write_formula(writer *, const char *law, double unit, double by);
/** The same with a key, a comma before it; nothing where there is no law. */
void write_law(writer *, const char *key, const char *law, double unit, double by);
/** The first key after a brace has no comma before it: what was written from `start` on. */
void write_drop_comma(writer *, size_t start);

#endif
