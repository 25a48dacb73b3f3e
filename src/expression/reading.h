/**
 * @file reading.h
 * Readings by name (variable_table.h), for errors that tell an unknown function from an unknown item. A scope may offer
 * more.
 */
#ifndef DT_EXPRESSION_READING_H
#define DT_EXPRESSION_READING_H

#include <stdbool.h>

bool dt_reading_is_known(const char *name);

/** Whether it may be read of nothing in particular: kinetic_energy(). */
bool dt_reading_is_of_whole(const char *name);

/** Whether a number may stand behind its item, instead of a component: previous(x, 3). */
bool dt_reading_counts(const char *name);

/** Whether what it is read of is an expression: delay(x, T). */
bool dt_reading_is_delay(const char *name);

/** The reading with the nearest name, or NULL. */
const char *dt_reading_nearest(const char *name);

#endif
