/**
 * @file shrink.h
 * Cuts a mechanism down as long as the verdict stays the same.
 */
#ifndef SOAK_SHRINK_H
#define SOAK_SHRINK_H

#include "judge.h"
#include "sketch.h"

/**
 * Judges a sketch in a child. What finished must satisfy equations of motion, too, that share nothing with the library's
 * (prove.h).
 */
void shrink_judge(const sketch *, unsigned salt, double seconds, verdict *);
/** `s` and its verdict; takes about `budget` seconds. */
void shrink(sketch *s, unsigned salt, double seconds, double budget, verdict *v);

#endif
