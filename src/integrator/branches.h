/**
 * @file branches.h
 * Branches of laws that forces decide, at an event (branches.c).
 */
#ifndef DT_INTEGRATOR_BRANCHES_H
#define DT_INTEGRATOR_BRANCHES_H

#include "integrator/trial.h"

/** Work space. */
typedef struct dt_branches {
    dt_branch *kept;     /**< of all laws: during a search */
    double (*before)[2]; /**< of all switches: roots with old inputs, or before velocities jump */
    bool follow;         /**< a continuous law has a switch that reads forces: */
    dt_trial before_search; /**< what a search that knows only the old branches began with */
} dt_branches;

/** False when memory is out. */
bool dt_branches_create(dt_arena *arena, dt_simulation *simulation);
/** Keeps the branches of all laws, or puts them back. */
void dt_branches_keep(dt_simulation *simulation);
void dt_branches_restore(dt_simulation *simulation);
/**
 * Flips a branch that its roots call wrong; false where none does, where it slides, or is known in advance. `which`:
 * the root.
 */
bool dt_branches_flip(const dt_law *law, int index, const double roots[2], dt_branch *branch,
                      int *which);
/**
 * dt_search_request.follow of the whole: switches of continuous laws that read forces go where the system's readings
 * are, so that no limit is read on the wrong branch. One that fires at this event only returns where it is beyond
 * its border by more than the tolerance of the integrator.
 */
bool dt_branches_follow(void *simulation);
/** Takes the inputs that have been set, at t, and with them the branches of what they have made jump. */
void dt_branches_take_inputs(dt_simulation *simulation, const double *inputs, double t);
/** Whether one of those that a search has flipped at this event is wrong again at the system's forces. */
bool dt_branches_are_wrong(dt_simulation *simulation, dt_system *system);
/** dt_search_request.accelerations: of the whole, at its modes, with the branches that its forces call for. */
detent_status dt_branches_accelerations(void *simulation);

#endif
