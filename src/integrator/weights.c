/*
 * Error weights: 1 / (rtol |y| + atol), scaled so that IDA's root mean square is taken over the
 * unknowns that move. A
 * mechanism of a thousand locked joints and three moving ones is integrated as accurately as the
 * three alone.
 */
#include "integrator/core.h"

#include <math.h>

bool dt_moves(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    return !s->motion_law[i].program && !(k >= 0 && s->mode[k] == DETENT_LOCKED);
}

int dt_weights(N_Vector y, N_Vector weights, void *simulation)
{
    const dt_simulation *sim = simulation;
    const dt_system *s = sim->core;
    const double *value = N_VGetArrayPointer(y);
    double *w = N_VGetArrayPointer(weights);
    int moving = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_moves(s, i)) {
            moving += s->tree->nodes[i].type->nq + s->tree->nodes[i].type->nv;
        }
    }
    const double scale = sqrt((double)sim->order / (moving > 0 ? moving : 1));
    for (int k = 0; k < sim->order; k++) {
        w[k] = scale / (sim->rtol * fabs(value[k]) + sim->atol);
    }
    /* works feed back into nothing, but are results: they get a tenth of the accuracy */
    const double energy = fabs(sim->statistics.initial_energy);
    for (int k = 0; k < DT_WORKS; k++) {
        const double work = fabs(dt_w_of(sim, y)[k]);
        dt_w_of(sim, weights)[k] = scale / (10 * (sim->rtol * (work + energy) + sim->atol));
    }
    return 0;
}

N_Vector dt_identify(dt_simulation *sim)
{
    N_Vector id = sim->scratch; /* IDA copies it */
    const dt_system *s = sim->core;
    N_VConst(1, id);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        dt_f_of(sim, id)[k] = 0;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        if (s->motion_law[i].program) {
            dt_q_of(sim, id)[s->tree->nodes[i].q] = 0;
            dt_v_of(sim, id)[s->tree->nodes[i].v] = 0;
        }
    }
    return id;
}
