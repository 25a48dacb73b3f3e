/**
 * @file units.h
 * Units of measurement through udunits2, the only place that knows it. Angles are without
 * dimension.
 */
#ifndef DT_EXPRESSION_UNITS_H
#define DT_EXPRESSION_UNITS_H

#include "base/error.h"
#include "detent/detent.h"
#include <stdbool.h>

/**
 * Exponents of m, kg, s, A, K, mol, cd. `known` is false for a value without a declared unit: it
 * fits anything.
 */
typedef struct dt_dimension {
    bool known;
    signed char exponent[7];
    /** Of a unit as it is written, sign of the exponent of rad, which is no dimension. */
    signed char angle;
    bool no_angle; /**< of what is expected somewhere: no unit with an angle in it fits */
} dt_dimension;

extern const dt_dimension dt_dimension_unknown;
extern const dt_dimension dt_dimension_none;   /**< known to be a pure number (or an angle) */
extern const dt_dimension dt_dimension_number; /**< expected: a pure number and no angle */
extern const dt_dimension dt_dimension_span;   /**< expected: a length, and not one per angle */
extern const dt_dimension dt_dimension_length, dt_dimension_mass, dt_dimension_density,
    dt_dimension_time, dt_dimension_velocity, dt_dimension_acceleration,
    dt_dimension_angular_velocity, dt_dimension_angular_acceleration, dt_dimension_force,
    dt_dimension_torque, dt_dimension_inertia, dt_dimension_stiffness,
    dt_dimension_rotational_stiffness, dt_dimension_damping, dt_dimension_rotational_damping;

bool dt_dimension_agrees(const dt_dimension *a, const dt_dimension *b);

/** Whether what was found may stand where `expected` is. */
bool dt_dimension_fits(const dt_dimension *expected, const dt_dimension *found);

/**
 * Opened lazily at the first unit; one a reader. Units that were parsed once are remembered.
 * udunits2 is not safe in two threads and keeps a process-wide message handler: a lock inside
 * guards both, and the handler is restored after every call.
 */
typedef struct dt_unit_system dt_unit_system;
/** NULL when memory is out. */
dt_unit_system *dt_unit_system_create(const detent_allocator *allocator);
void dt_unit_system_destroy(dt_unit_system *);

/**
 * Whether a text can be a unit by its letters: names, integer exponents (m2, s-2, m^2, s^-2),
 * products (* . or a blank), quotients, parentheses, and 1/ in front. It may still be none.
 */
bool dt_unit_is_plausible(const char *unit, size_t length);

/**
 * SI value of one of `unit` (a text such as "lbf*ft", "deg", "mm", "1/s"), its offset (value_si =
 * factor * value + offset) and dimension. DETENT_ERROR_MODEL with `where` if there is no such unit
 * or it has no SI equivalent; DETENT_ERROR_IO if the database of units cannot be read;
 * DETENT_ERROR_MEMORY.
 */
detent_status dt_unit_parse(dt_unit_system *, const char *unit, size_t length,
                            const dt_location *where, double *factor, double *offset,
                            dt_dimension *dimension, detent_error *error);

/**
 * Writes a dimension as a unit, e.g. "N m" or "kg m2 s-3", for messages; "1" for none, "" if it is
 * not known.
 */
void dt_dimension_print(const dt_dimension *, char *text, size_t size);

#endif
