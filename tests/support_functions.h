/**
 * @file support_functions.h
 * A mechanism whose laws are functions of the program, or the same as formulas; and a function that fails at will.
 */
#ifndef SUPPORT_FUNCTIONS_H
#define SUPPORT_FUNCTIONS_H

#include "support_variants.h"

enum { FUNCTIONS = 8, FUNCTION_OUTPUTS = 7 };

/** How trip(t) fails: 0, with a slope of 0, up to some time. */
typedef struct trip {
    double after;  /**< s */
    int returned;  /**< then */
    double value;  /**< and with that value */
    size_t failed; /**< how often it did */
} trip;
/** Of all mechanisms made here. */
extern trip function_trip;

/** The text of the mechanism, where the last output may be what was before. It stays until the next call. */
const char *functions_text(bool as_functions, bool remembers);
/** The same by functions, with `more` added to the law `place`: one of functions_places, ended by NULL. */
const char *functions_text_with(const char *place, const char *more, bool remembers);
extern const char *const functions_places[];

/** Loads a text whose laws may call the functions. */
detent_status functions_try(const char *text, detent_mechanism **mechanism, detent_error *error);
detent_status functions_try_in(const char *text, const detent_allocator *allocator,
                               detent_mechanism **mechanism, detent_error *error);
detent_mechanism *functions_parse(const char *text);

#endif
