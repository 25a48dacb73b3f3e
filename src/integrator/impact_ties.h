/**
 * @file impact_ties.h
 * Impulses of an impact where stops may be redundant: in loops and couplings more of them may be closed than joints are free to move, with
 * restitutions that contradict each other, and nobody can have all of them push. The dual method (D. Goldfarb, A. Idnani, Math. Programming 27
 * (1983) 1) needs no more than sets that are not redundant. It starts with the motion that no stop hinders, and brings in one stop after the
 * other, the one that is most wrong: its impulse grows by t, those of the set S follow so that their velocities stay,
 *
 *   z, r = response of velocities and impulses to a unit impulse of k, joints of S locked
 *   t    = min( what k is wrong by / z_k,  L_i / -r_i of those of S that fall )
 *
 * and whose impulse gets to zero leaves S. Where z_k = 0 stop k depends on S, and takes the place of one of these. Every step is one
 * factorisation and one solve.
 */
#ifndef DT_INTEGRATOR_IMPACT_TIES_H
#define DT_INTEGRATOR_IMPACT_TIES_H

#include "integrator/simulation.h"

/**
 * Chooses those that push, dt_impact.active, by stop, e, rests and the velocities before, none of them redundant; those that rest have v+ = 0,
 * whatever their impulses are. False where none are found.
 */
bool dt_impact_choose(dt_simulation *simulation);
/**
 * Velocities of stops that take part and, by dt_impact.d_v, are nothing beside the energy, are none: so it is told who is there at the next
 * impact.
 */
void dt_impact_round_off(dt_simulation *simulation);

#endif
