/*
 * Sliding between events: slopes hold d' = 0 by themselves. Where a weight leaves [0, 1] its switch leaves the border: it is solved
 * for at every end of a step, since the error that a step may make of d, and all of it may be that of this one unknown, is a large
 * part of the width.
 */
#include "integrator/core.h"
#include "integrator/sliding.h"

#include <math.h>
#include <string.h>

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

/* Notes the velocities and states that the borders of the order 1 in the list are made of, and how exactly these are known. */
static void mark_soft(dt_simulation *sim)
{
    const dt_sliding *sl = &sim->sliding;
    const dt_system *s = sl->system;
    memset(sl->soft_v, 0, (size_t)s->tree->nv * sizeof *sl->soft_v);
    memset(sl->soft_z, 0, (size_t)s->mechanism->state_count * sizeof *sl->soft_z);
    sim->sliding.blur = 0;
    for (int i = 0; i < sl->count; i++) {
        const dt_slide *slide = &sl->of[i];
        const double known = dt_force_rounding(s->tree) * slide->terms;
        sim->sliding.blur += slide->order == 1 ? known / dt_sliding_width(slide) : 0;
        const dt_program *program = slide->law->program;
        dt_law_switch_gradient(sl->system, slide->law, slide->index, sl->gradient);
        for (int k = 0; k < program->variable_count && slide->order == 1; k++) {
            const dt_variable of = program->variables[k];
            if (sl->gradient[k] != 0 && dt_variable_is(of, DT_OF_VELOCITIES)) {
                sl->soft_v[s->tree->nodes[dt_system_place(s, of.index)].v] = true;
            } else if (sl->gradient[k] != 0 && dt_variable_is(of, DT_OF_STATES)) {
                sl->soft_z[of.index] = true;
            }
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
    mark_soft(sim);
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

double dt_sliding_blur(const dt_simulation *sim)
{
    return dt_sliding_now(sim) ? sim->sliding.blur : 0;
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
