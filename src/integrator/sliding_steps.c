/*
 * Sliding between events: slopes hold d' = 0 by themselves. Where a weight leaves [0, 1] its switch leaves the border: it is solved
 * for at every end of a step, since the error that a step may make of d, and all of it may be that of this one unknown, is a large
 * part of the width.
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/sliding.h"

#include <math.h>

static void put_back(dt_simulation *sim)
{
    const dt_sliding *sl = &sim->sliding;
    for (int i = 0; i < sl->count; i++) {
        dt_sliding_put_back(sim, &sl->of[i]);
    }
    for (int k = 0; k < sl->twins; k++) {
        dt_sliding_put_back(sim, &sl->twin[k].slide);
    }
}

static bool slides(const dt_system *s, const dt_law *law, int index)
{
    return dt_law_branches(s, law)[index].side == DT_BRANCH_SLIDING;
}

static void soften(const dt_simulation *sim, const dt_program *program, double *weights)
{
    const dt_system *s = sim->core;
    for (int k = 0; k < program->variable_count; k++) {
        const dt_variable variable = program->variables[k];
        if (variable.kind == DT_VARIABLE_VELOCITY) {
            const int v = s->tree->nodes[dt_system_place(s, variable.index)].v;
            dt_v_in(sim, weights)[v] /= dt_sliding_softness;
        } else if (variable.kind == DT_VARIABLE_STATE) {
            dt_block_in(sim, DT_BLOCK_STATES, weights)[variable.index] /= dt_sliding_softness;
        }
    }
}

void dt_sliding_soften(const dt_simulation *sim, double *weights)
{
    const dt_system *s = sim->core;
    for (int l = 0; l < s->law_count && dt_sliding_now(sim); l++) {
        bool any = false;
        for (int k = 0; k < s->law[l]->program->switch_count; k++) {
            any = any || slides(s, s->law[l], k);
        }
        if (any) {
            soften(sim, s->law[l]->program, weights);
        }
    }
}

void dt_sliding_restart(dt_simulation *sim)
{
    dt_system *s = sim->core;
    if (!dt_sliding_now(sim)) {
        return;
    }
    dt_sliding_collect(sim, s, sim->core_newton, DT_SLIDING_BETWEEN);
    dt_sliding_keep_matrix(sim);
    put_back(sim);
    dt_system_set_acceleration(sim->core, dt_v_of(sim, sim->yp), dt_f_of(sim, sim->y));
    dt_system_forces(s);
}

void dt_sliding_settle(dt_simulation *sim)
{
    if (!dt_sliding_now(sim)) {
        return;
    }
    dt_sliding_collect(sim, sim->core, sim->core_newton, DT_SLIDING_BETWEEN);
    if (dt_sliding_balance(sim)) {
        sim->sliding.settled = sim->core->time;
    }
    put_back(sim);
    if (isnan(sim->sliding.settled)) { /* by their slopes, then */
        dt_solve_accelerations(sim->core_newton, sim->core, NULL, NULL);
    }
}

void dt_sliding_forces(dt_simulation *sim, dt_system *s)
{
    const bool settled = sim->sliding.settled == s->time && dt_sliding_now(sim);
    if (settled) {
        dt_sliding_set_branches(sim);
    }
    dt_system_forces(s);
    if (settled) {
        put_back(sim);
    }
}

static void weight_roots(const dt_slide *slide, const dt_law *law, double (*g)[2])
{
    if (slide->law == law) {
        g[slide->index][0] = slide->weight;
        g[slide->index][1] = 1 - slide->weight;
    }
}

void dt_sliding_roots(const dt_simulation *sim, const dt_law *law, double (*g)[2])
{
    const dt_sliding *sl = &sim->sliding;
    for (int i = 0; i < sl->count && !isnan(sl->settled); i++) {
        weight_roots(&sl->of[i], law, g);
    }
    for (int k = 0; k < sl->twins && !isnan(sl->settled); k++) {
        const dt_slide slide = dt_sliding_twin(sl, k);
        weight_roots(&slide, law, g);
    }
}
