/**
 * @file simulation.h
 * The event-driven simulation: integrate to a root, search, restart. The public API is a thin layer
 * over this.
 */
#ifndef DT_INTEGRATOR_SIMULATION_H
#define DT_INTEGRATOR_SIMULATION_H

#include "dynamics/newton.h"
#include "stiction/mode_search.h"

/** The part of a simulation that its readers see. */
typedef struct dt_simulation dt_simulation;
/** How a mechanism is reduced (reduction.h). */
typedef struct dt_reduction_way dt_reduction_way;

/**
 * As detent_simulation_create(); `arena` is the simulation's own and lives as long as it. `reduction` is used where
 * settings and mechanism allow it; NULL: there is none.
 */
detent_status dt_simulation_create(dt_arena *arena, const detent_mechanism *mechanism,
                                   const detent_simulation_options *options,
                                   const dt_reduction_way *reduction, dt_simulation **simulation,
                                   detent_error *error);
/**
 * Gives back what SUNDIALS holds; NULL is allowed. The arena is the caller's to free, afterwards.
 */
void dt_simulation_destroy(dt_simulation *simulation);

/** How it was created: settings, which are its own, with defaults filled in, and what serves its caller. */
void dt_simulation_options(const dt_simulation *simulation, detent_simulation_options *options);
/** Inputs as they were set last, though no advance may have taken them yet. */
const double *dt_simulation_inputs(const dt_simulation *simulation);
/** The changes of the last event are those of another simulation of the same mechanism. */
void dt_simulation_tell_as(dt_simulation *simulation, const dt_simulation *other);

/** As detent_advance(). */
detent_status dt_simulation_advance(dt_simulation *simulation, double t, bool stop_at_events,
                                    detent_error *error);

/** As detent_step(). */
detent_status dt_simulation_step(dt_simulation *simulation, detent_error *error);

double dt_simulation_time(const dt_simulation *simulation);

/**
 * The system with the readings of a level up to date at the present time (or, `before`, just before
 * the last event). Belongs to the simulation; valid until the next call. DETENT_ERROR_NUMERIC where
 * the accelerations cannot be solved.
 */
detent_status dt_simulation_read(dt_simulation *simulation, bool before, dt_level level,
                                 dt_system **system, detent_error *error);

/** Mode and direction (-1, 0, +1) of stiction k now. */
detent_mode dt_simulation_mode(const dt_simulation *simulation, size_t k, int *direction);

/** How many joints the last event has changed, and one of these changes. */
size_t dt_simulation_mode_changes(const dt_simulation *simulation);
detent_mode_change dt_simulation_mode_change(const dt_simulation *simulation, size_t index);
/** The same of states that came to their stops or left them. */
const detent_state_change *dt_simulation_last_states(const dt_simulation *simulation,
                                                     size_t *count);

void dt_simulation_statistics(dt_simulation *simulation, detent_statistics *statistics);

/** As detent_simulation_warning(). */
const char *dt_simulation_warning(const dt_simulation *simulation, size_t index);
/** As detent_get_mobility(). */
void dt_simulation_mobility(const dt_simulation *simulation, detent_mobility *mobility);
/** As detent_get_mesh(). */
void dt_simulation_mesh(const dt_simulation *simulation, size_t index, detent_mesh *mesh);
/** As detent_get_scale(). */
void dt_simulation_scale(const dt_simulation *simulation, size_t primitive, detent_scale *scale);

/** Sets an input from now on; the next advance starts with a search, if it is another value. */
void dt_simulation_set_input(dt_simulation *simulation, size_t input, double value);

/** Bytes that a saved state takes. */
size_t dt_simulation_state_size(const dt_simulation *simulation);
/**
 * Saves time, q, v, works, modes, branches, inputs. DETENT_ERROR_NUMERIC where the present
 * accelerations cannot be solved.
 */
detent_status dt_simulation_save(dt_simulation *simulation, void *bytes, detent_error *error);
/**
 * Restores them and restarts the integrator; DETENT_ERROR_ARGUMENT where the bytes are of another
 * mechanism.
 */
detent_status dt_simulation_restore(dt_simulation *simulation, const void *bytes,
                                    detent_error *error);

#endif
