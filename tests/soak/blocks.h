/**
 * @file blocks.h
 * States, sampled values and named formulas of a sketch, for kinds of items that have some of their own: numbers without unit. Their names are written
 * to `name`; there is an end to them, and NULL or false then.
 */
#ifndef SOAK_BLOCKS_H
#define SOAK_BLOCKS_H

#include "sketch.h"

enum { BLOCK_NAME = 8 };

/** kind_states.c: its derivative is to be written. */
sketch_state *states_add(sketch *, char name[BLOCK_NAME]);
/** kind_sampled.c: where its law is to be written. */
char *sampled_add(sketch *, double every, double initial, char name[BLOCK_NAME]);
/** kind_named.c: a signal; `late` seconds late, 0: as it is. */
bool named_add(sketch *, const char *law, double late, char name[BLOCK_NAME]);

#endif
