/**
 * @file nearest.h
 * "did you mean ...?" for commands and options.
 */
#ifndef CLI_NEAREST_H
#define CLI_NEAREST_H

#include <stddef.h>

/** How many characters must be added, dropped, replaced or swapped with a neighbour to turn one into the other. */
size_t edit_distance(const char *a, const char *b);

/** Whether one is so near the other that it may have been meant. */
int is_near(const char *name, const char *candidate);

#endif
