/**
 * @file solution.h
 * Reading the integrator's solution: what readers see.
 */
#ifndef DT_INTEGRATOR_SOLUTION_H
#define DT_INTEGRATOR_SOLUTION_H

#include "integrator/simulation.h"

/** What readers see. */
typedef struct dt_shown {
    double time;    /**< s: at which readings of the system are up to date, or NAN, */
    dt_level level; /**< and which ones */
    bool past;      /**< modes, directions, branches, inputs are swapped with those of `past` */
} dt_shown;

/**
 * State of the solution at `t` (in the last step, or where it was restarted) into the system, with
 * its modes, up to a level; beyond DT_LEVEL_STATE the core loses its readings.
 */
detent_status dt_state_at(dt_simulation *simulation, double t, dt_level level, detent_error *error);
/**
 * Where everybody is and how fast at `t`, into the system with its poses, though accelerations there may not be found; false where nothing is known of it. For
 * energies: nothing else of its readings is that of `t`.
 */
bool dt_motion_at(dt_simulation *simulation, double t);
/** The same at DT_LEVEL_STATE; the core has all its readings. */
detent_status dt_core_at(dt_simulation *simulation, double t, detent_error *error);
/**
 * Readings of the system at its time, q, v, a and f, where it is not the core itself, which loses
 * its own; the friction of joints that are not in the core follows.
 */
void dt_bring_up(dt_simulation *simulation, dt_level level);

/** Works up to the state that is shown, J. */
void dt_solution_account(const dt_simulation *simulation, double account[DT_ACCOUNTS]);

/** Whether all unknowns of a vector of the core are finite. */
bool dt_solution_is_finite(const dt_simulation *simulation, const double *value);
/** DETENT_ERROR_NUMERIC: they are not. */
detent_status dt_solution_refuse(double t, detent_error *error);

#endif
