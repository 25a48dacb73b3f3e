/**
 * @file formula.h
 * The value of a law of a sketch, read from its text: a second reader of expressions, which shares nothing with the
 * library's.
 */
#ifndef SOAK_FORMULA_H
#define SOAK_FORMULA_H

/** The value of `reading`(`item`) or, where `item` is empty, of a name: t, dir, u. */
typedef double (*formula_lookup)(void *user, const char *reading, const char *item);

/** The value of a function that the formula does not know itself: a table; NAN: there is none. */
typedef double (*formula_call)(void *user, const char *name, const double *x, int count);

/** NAN where the text is no formula. An empty text is 0. */
double formula_value(const char *text, formula_lookup lookup, formula_call call, void *user);

#endif
