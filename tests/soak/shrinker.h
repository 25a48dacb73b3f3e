/**
 * @file shrinker.h
 * What kinds of items have to cut a sketch down with: every function tries something, and keeps it where the verdict stays
 * the same. Places are those of `s` itself.
 */
#ifndef SOAK_SHRINKER_H
#define SOAK_SHRINKER_H

#include "judge.h"
#include "sketch.h"

typedef struct shrinker {
    sketch *s;
    verdict *v;
    unsigned salt;
    double seconds, until;
    bool shorter; /**< something was kept in this pass */
} shrinker;

/** Keeps `t` if it tells the same. */
bool shrinker_attempt(shrinker *, const sketch *t);
/** A law: nothing (`may_go`), zero, one, fewer digits. */
void shrinker_law(shrinker *, char *law, bool may_go);
/** All of `count` numbers become `value`. */
void shrinker_numbers(shrinker *, double *place, int count, double value);
/** A number with one digit. */
void shrinker_round(shrinker *, double *place);

#endif
