/**
 * @file branches.h
 * Branches of laws that forces decide, at an event (branches.c).
 */
#ifndef DT_INTEGRATOR_BRANCHES_H
#define DT_INTEGRATOR_BRANCHES_H

#include "integrator/simulation.h"

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
/** Whether one of those that a search has flipped at this event is wrong again at the system's forces. */
bool dt_branches_are_wrong(dt_simulation *simulation, dt_system *system);
/** dt_search_request.accelerations: of the whole, at its modes, with the branches that its forces call for. */
detent_status dt_branches_accelerations(void *simulation);

#endif
