/*
 * The impulse that stops joints inside the velocity band: M dv = S lambda, dv_j = -v_j on the
 * joints that stop, dv = 0 on those
 * that are locked or prescribed, no impulse on the others.
 */
#include "integrator/core.h"

double dt_impulse(dt_simulation *sim, const unsigned char *stop)
{
    dt_system *s = &sim->system;
    const double before = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    const dt_aba_load load = {.tau = sim->tau_work, .held_a = sim->tau_work};
    for (int j = 0; j < sim->nv; j++) {
        sim->tau_work[j] = 0;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const int k = s->mechanism->primitives[i].stiction, j = s->tree->nodes[i].v;
        const bool stops = k >= 0 && stop[k];
        sim->held[i] = s->motion_law[i].program || stops || (k >= 0 && s->mode[k] == DETENT_LOCKED);
        if (stops) {
            sim->tau_work[j] = -s->v[j];
        }
    }
    if (dt_aba_factor(s->tree, s->motion, sim->held, NULL, dt_newton_aba(sim->newton)) >= 0) {
        return -1;
    }
    dt_aba_solve(s->tree, s->motion, &load, dt_newton_aba(sim->newton), sim->v_work, NULL);
    for (int j = 0; j < sim->nv; j++) {
        s->v[j] += sim->v_work[j];
    }
    for (int k = 0; k < sim->ns; k++) {
        if (stop[k]) {
            s->v[s->tree->nodes[s->mechanism->stictions[k].primitive].v] = 0;
        }
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    return before - dt_motion_kinetic_energy(s->tree, s->motion, s->v);
}
