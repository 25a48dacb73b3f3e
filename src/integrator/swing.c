/*
 * How long steps may be for laws that go with the motion: a cam's push `cos(8*position(shaft))`, a limit that
 * changes along a slide.
 *
 * What such a law does to what moves is in the error test. What it does to a joint that is stuck is not: a shaft at
 * constant speed is followed without an error in steps over many bumps. So steps are to follow the laws themselves.
 * From one end of a step to the other a law changes by
 *
 *   L1 - L0 = h (L0' + L1') / 2 + O(h^3 L''')
 *
 * and what is left of that, beside the largest value that the law has had, tells whether it is resolved. Of a
 * sinusoid half a percent is left at 0.4 radians. A step is not made again for that; the next one is shorter, and steps grow
 * slowly where there are such laws, so that they do not run into a bump at full length.
 */
#include "integrator/swing.h"
#include "dynamics/course.h"
#include "dynamics/element.h"
#include "integrator/blocks.h"
#include "integrator/core.h"

#include <math.h>

static const double unresolved = 0.005; /* of the largest value */
static const double remembered = 0.5;   /* of what was left before: it passes zero now and then */
static const double first_part = 1e-3;  /* of the run, for the first step */
static const double most_growth = 2, most_unresolved = 0.2;
static const double little = 1e-3; /* of the nominal force */

/* Whether a law is linear in what it reads: then there is nothing to follow. */
static bool is_linear(dt_swing *sw, const dt_program *p)
{
    for (int k = 0; k < p->variable_count; k++) {
        const bool goes = dt_variable_is(p->variables[k], DT_OF_TIME | DT_OF_PLACE | DT_OF_STATES);
        sw->variables[k] = goes ? DT_PACE_STEADY : DT_PACE_CONSTANT;
    }
    return dt_program_pace(p, sw->variables, sw->operations) != DT_PACE_ANY;
}

/*
 * Whether a law goes with positions, velocities or states, and reads nothing that has to be solved for. What kinetic
 * friction does, or the derivative of a state, is in the error test.
 */
static bool goes_with_motion(dt_swing *sw, const dt_law *law)
{
    bool any = false;
    for (int k = 0; k < law->program->variable_count; k++) {
        const dt_variable variable = law->program->variables[k];
        if (dt_variable_is(variable, DT_OF_FORCES | DT_OF_POSES)) {
            return false;
        }
        any = any || dt_variable_is(variable, DT_OF_PLACE | DT_OF_STATES);
    }
    return any && !dt_law_is(law, DT_LAW_IS_KINETIC | DT_LAW_IS_RATE) &&
           !is_linear(sw, law->program);
}

bool dt_swing_create(dt_arena *arena, dt_simulation *sim)
{
    dt_swing *sw = &sim->swing;
    const dt_system *s = &sim->system;
    size_t count = 0, variables = 0, operations = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_program *p = s->law[l]->program;
        variables = (size_t)p->variable_count > variables ? (size_t)p->variable_count : variables;
        operations =
            (size_t)p->operation_count > operations ? (size_t)p->operation_count : operations;
    }
    sw->bound = INFINITY;
    sw->gradient = dt_arena_alloc(arena, variables, sizeof *sw->gradient);
    sw->variables = dt_arena_alloc(arena, variables, sizeof *sw->variables);
    sw->operations = dt_arena_alloc(arena, operations, sizeof *sw->operations);
    if (!sw->gradient || !sw->variables || !sw->operations) {
        return false;
    }
    for (int l = 0; l < s->law_count; l++) {
        count += goes_with_motion(sw, s->law[l]);
    }
    sw->most = (int)count;
    sw->of = dt_arena_alloc(arena, count, sizeof *sw->of);
    return sw->of != NULL;
}

/* Whether one of a law's switches slides: it is then where the motion wants it. */
static bool slides(const dt_system *s, const dt_law *law)
{
    bool any = false;
    for (int j = 0; j < law->program->switch_count; j++) {
        any = any || dt_law_branches(s, law)[j].side == DT_BRANCH_SLIDING;
    }
    return any;
}

/* The value of a law and its rate at the state in y, yp. */
static void look(dt_simulation *sim, dt_swinging *of)
{
    dt_system *s = sim->core;
    const dt_program *p = of->law->program;
    const int k = dt_law_stiction(s, of->law);
    double *gradient = sim->swing.gradient;
    of->value = dt_law_gradient(s, of->law, k < 0 ? 0 : s->direction[k], gradient);
    of->rate = 0;
    for (int j = 0; j < p->variable_count; j++) {
        const double rate = dt_course_rate(s, p->variables[j], dt_v_of(sim, sim->yp),
                                           dt_block_of(sim, DT_BLOCK_STATES, sim->yp));
        of->rate += rate != 0 ? gradient[j] * rate : 0;
    }
    of->most = fmax(of->most, fabs(of->value));
}

/* What is little for a law: a joint that stands still but for rounding makes no law worth following. */
static double little_of(const dt_simulation *sim, const dt_law *law)
{
    const dt_scale *scale = &sim->scale;
    if (dt_law_is(law, DT_LAW_IS_BODILY)) {
        dt_law_effect effect;
        dt_law_effect_of(sim->core, law, &effect);
        return little * scale->energy / (effect.of == DT_EFFECT_LINEAR ? scale->length : 1);
    }
    const int node = dt_whole_node(sim, dt_law_node(sim->core, law));
    return little * scale->force[sim->system.tree->nodes[node].v];
}

/* How much of the change of a law a step of length h has not resolved, of its largest value; 0 where unknown. */
static double unresolved_part(const dt_swinging *before, const dt_swinging *now, double h)
{
    const double left = fabs(now->value - before->value - h * (before->rate + now->rate) / 2);
    return isfinite(left) && now->most > 0 ? fmin(left / now->most, most_unresolved) : 0;
}

/* By what a step may be longer, or has to be shorter, where this part was left. */
static double growth_after(double left)
{
    return left > 0 ? fmin(cbrt(unresolved / left), most_growth) : most_growth;
}

/* The state in y to the core, without its readings, which these laws do not need. */
static void stand(dt_simulation *sim)
{
    dt_system *s = sim->core;
    s->time = sim->reached;
    memcpy(s->q, dt_q_of(sim, sim->y), (size_t)s->tree->nq * sizeof *s->q);
    memcpy(s->v, dt_v_of(sim, sim->y), (size_t)s->tree->nv * sizeof *s->v);
    memcpy(s->z, dt_block_of(sim, DT_BLOCK_STATES, sim->y),
           (size_t)s->mechanism->state_count * sizeof *s->z);
    sim->swing.time = sim->reached;
}

void dt_swing_restart(dt_simulation *sim)
{
    dt_swing *sw = &sim->swing;
    const dt_system *s = sim->core;
    sw->count = 0;
    if (isinf(sw->bound)) {
        sw->bound = first_part * dt_horizon(sim);
    }
    for (int l = 0; l < s->law_count && sw->most > 0; l++) {
        if (goes_with_motion(sw, s->law[l]) && !slides(s, s->law[l])) {
            sw->of[sw->count++] =
                (dt_swinging){.law = s->law[l], .most = little_of(sim, s->law[l])};
        }
    }
    if (sw->count > 0) {
        stand(sim);
    }
    for (int k = 0; k < sw->count; k++) {
        look(sim, &sw->of[k]);
    }
}

void dt_swing_forget(dt_simulation *sim)
{
    sim->swing.bound = INFINITY;
}

void dt_swing_note(dt_simulation *sim)
{
    dt_swing *sw = &sim->swing;
    const double h = sim->reached - sw->time;
    double growth = most_growth, own = most_growth;
    if (sw->count == 0 || !(h > 0)) {
        return;
    }
    stand(sim);
    for (int k = 0; k < sw->count; k++) {
        const dt_swinging before = sw->of[k];
        dt_swinging *now = &sw->of[k];
        look(sim, now);
        const double left = unresolved_part(&before, now, h);
        now->left = fmax(left, remembered * before.left);
        own = fmin(own, growth_after(left));
        growth = fmin(growth, growth_after(now->left));
    }
    if (own < 1) {
        sw->bound = fmin(sw->bound, own * h);
    } else if (growth > 1) { /* a step that was cut short tells of no shorter ones */
        sw->bound = fmax(sw->bound, growth * h);
    }
}
