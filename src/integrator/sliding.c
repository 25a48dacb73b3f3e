/*
 * Sliding on a discontinuity of a law.
 *
 * `if(velocity(a) < c, 3, 0)`, `sign(velocity(a))`, a relay: where both branches drive the state towards
 * the border d = 0 between them, it stays there, and the law takes the value between its two that keeps it
 * there: (1 - w) low + w high with w from d' = 0 (Filippov; branch.h). Events without end are the
 * alternative.
 *
 * At the search of an event the weights are unknowns: d'(w) = 0, the accelerations following from the
 * search with these weights, by Newton's method on differences. (Laws are linear in w but for products of
 * two weights, so one step is the rule.) A weight that leaves [0, 1] takes its switch off the border,
 * one that the forces push back to it returns. Between events the weight is w0 + d / width, the width
 * being what the error test allows d: so steep that the implicit integrator, which alone can take such
 * a slope, holds d' = 0 by itself. Where w reaches 0 or 1 the switch leaves, by a root as any other.
 *
 * Only where d follows from t, inputs, positions, velocities and states. Where it reads none of the latter two, d' does not
 * depend on forces, and what holds the border is d'' = 0; how it comes to rest there is told in sliding_swings.c.
 *
 * Switches with one border are one switch: sliding_twins.c.
 */
#include "integrator/sliding.h"
#include "integrator/branches.h"
#include "integrator/core.h"
#include "integrator/source.h"
#include "integrator/weights.h"

#include <float.h>
#include <math.h>

enum { most_at_once = 200 }; /* their matrix is dense */

static const double least_width = 1e4; /* in roundings of d */

/* ---- which switches ---- */

bool dt_sliding_may(const dt_law *law, int j)
{
    return dt_program_jumps(law->program, j) && !dt_program_is_timed(law->program, j);
}

static int count_possible(const dt_system *s)
{
    int count = 0;
    for (int l = 0; l < s->law_count && count < most_at_once; l++) {
        for (int j = 0; j < s->law[l]->program->switch_count; j++) {
            count += dt_sliding_may(s->law[l], j);
        }
    }
    return count < most_at_once ? count : most_at_once;
}

bool dt_sliding_is_possible(const dt_system *s)
{
    return count_possible(s) > 0;
}

/** Of the laws that may slide, the most variables and operations. */
static void find_longest(const dt_system *s, size_t *variables, size_t *operations)
{
    *variables = *operations = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_program *p = s->law[l]->program;
        const size_t v = (size_t)p->variable_count, o = (size_t)p->operation_count;
        *variables = v > *variables ? v : *variables;
        *operations = p->switch_count > 0 && o > *operations ? o : *operations;
    }
}

bool dt_sliding_create(dt_arena *arena, dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    const size_t most = (size_t)(sl->most = count_possible(&sim->system));
    size_t variables, operations;
    find_longest(&sim->system, &variables, &operations);
#define TAKE(member, count) \
    ((sl->member = dt_arena_alloc(arena, (count), sizeof *sl->member)) != NULL)
    return most == 0 ||
           (TAKE(of, most) && TAKE(gradient, variables) && TAKE(other, variables) &&
            TAKE(twin, most) && TAKE(late, most) && TAKE(slots, variables) &&
            TAKE(registers, operations) && TAKE(impulse, (size_t)sim->nv) &&
            dt_trial_create(arena, sim, &sl->before) && TAKE(now.factors, most * most) &&
            TAKE(now.pivots, most) && TAKE(now.unit, most) && TAKE(kept.unit, most) &&
            TAKE(kept.factors, most * most) && TAKE(kept.pivots, most) && TAKE(move, most) &&
            TAKE(soft_v, (size_t)sim->nv) && TAKE(soft_z, (size_t)sim->mechanism->state_count));
#undef TAKE
}

bool dt_sliding_now(const dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    bool any = false;
    for (int j = 0; j < s->branch_count && sim->sliding.most > 0 && !any; j++) {
        any = s->branches[j].side == DT_BRANCH_SLIDING;
    }
    return any;
}

/* ---- where they are and where they go ---- */

/** Whether the joint of a velocity rests, or moves as prescribed: no weight changes that as long as it stays locked. */
static bool is_at_rest(const dt_simulation *sim, int node)
{
    const dt_system *s = sim->sliding.system;
    const int stiction = s->mechanism->primitives[node].stiction;
    if (dt_is_prescribed(s, node)) {
        return true;
    }
    return stiction >= 0 &&
           (sim->sliding.way == DT_SLIDING_RULE ? s->v[s->tree->nodes[node].v] == 0
                                                : s->mode[stiction] == DETENT_LOCKED);
}

/** Adds what a variable has to do with d; false where it is none that d may follow from. */
static bool add_variable(const dt_simulation *sim, dt_variable variable, double gradient,
                         dt_slide *slide)
{
    const dt_system *s = sim->sliding.system;
    const dt_node *node =
        variable.kind == DT_VARIABLE_POSITION || variable.kind == DT_VARIABLE_VELOCITY
            ? &s->tree->nodes[dt_system_place(s, variable.index)]
            : NULL;
    if (gradient == 0) {
        return true;
    }
    switch (variable.kind) {
    case DT_VARIABLE_TIME:
        slide->speed += gradient;
        return true;
    case DT_VARIABLE_POSITION:
        slide->speed += gradient * s->v[node->v];
        slide->tolerance +=
            fabs(gradient) * dt_position_tolerance(sim, variable.index, s->q[node->q]);
        slide->told += fabs(gradient) * dt_position_told(sim, variable.index);
        return true;
    case DT_VARIABLE_VELOCITY:
        slide->order = 1;
        slide->rests = slide->rests && is_at_rest(sim, dt_system_place(s, variable.index));
        slide->speed += gradient * s->a[node->v];
        slide->tolerance +=
            fabs(gradient) * dt_velocity_tolerance(sim, variable.index, s->v[node->v]);
        return true;
    case DT_VARIABLE_STATE:
        slide->order = 1;
        slide->rests = false;
        slide->speed +=
            gradient * dt_law_value(sim->sliding.system, dt_rate_law(s, variable.index), 0);
        slide->tolerance +=
            fabs(gradient) * dt_state_tolerance(sim, variable.index, s->z[variable.index]);
        return true;
    default:
        return variable.kind == DT_VARIABLE_INPUT || variable.kind == DT_VARIABLE_DIRECTION ||
               variable.kind == DT_VARIABLE_MODE;
    }
}

/** A variable along the motion, with two derivatives. */
static void fill_slot(const dt_simulation *sim, const dt_slide *slide, dt_variable variable,
                      dt_series *slot)
{
    dt_system *s = sim->sliding.system;
    dt_series_constant(dt_system_variable(s, variable, dt_law_stiction(s, slide->law)), 2, slot);
    if (variable.kind == DT_VARIABLE_TIME) {
        slot->c[1] = (dt_interval){1, 1};
    } else if (variable.kind == DT_VARIABLE_POSITION) {
        const int v = s->tree->nodes[dt_system_place(s, variable.index)].v;
        slot->c[1] = (dt_interval){s->v[v], s->v[v]};
        slot->c[2] = (dt_interval){0.5 * s->a[v], 0.5 * s->a[v]};
    }
}

/** d'' of a switch that reads positions, t and inputs: its Taylor series (series.h), of the order 2. */
static double second_rate(dt_simulation *sim, const dt_slide *slide)
{
    const dt_sliding *sl = &sim->sliding;
    const dt_program *p = slide->law->program;
    const int upper = dt_program_is_integer(p, slide->index) ? slide->border : 1;
    dt_series roots[2];
    for (int k = 0; k < p->variable_count; k++) {
        fill_slot(sim, slide, p->variables[k], &sl->slots[k]);
    }
    dt_program_enclose(p, sl->slots, dt_law_branches(sl->system, slide->law), 2, false,
                       sl->registers);
    dt_program_enclose_roots(p, slide->index, upper, 2, sl->registers, roots);
    return roots[0].c[2].lo + roots[0].c[2].hi; /* 2 c2 in the middle */
}

/** The part of d' that positions make, and the part of d that velocities make, m or whatever d is. */
static double speed_of_positions(const dt_simulation *sim, const dt_slide *slide,
                                 double *by_velocities)
{
    const dt_program *p = slide->law->program;
    const dt_system *s = sim->sliding.system;
    const double *gradient = sim->sliding.gradient;
    double speed = 0;
    *by_velocities = 0;
    for (int k = 0; k < p->variable_count; k++) {
        const dt_variable of = p->variables[k];
        if (gradient[k] == 0) {
            continue;
        }
        if (of.kind == DT_VARIABLE_POSITION) {
            speed += gradient[k] * s->v[s->tree->nodes[dt_system_place(s, of.index)].v];
        } else if (of.kind == DT_VARIABLE_VELOCITY) {
            *by_velocities += fabs(gradient[k] * dt_system_variable(s, of, -1));
        } else if (of.kind == DT_VARIABLE_TIME || of.kind == DT_VARIABLE_STATE) {
            *by_velocities = INFINITY;
        }
    }
    return speed;
}

/**
 * d = x + v |v| / (2 a), the switching curve of a time-optimal relay: near its end velocities have no more part in d than
 * can be told, and no force decides d'. What is left is a swing about a border of positions, of the order 2, if it is small.
 */
static void forget_velocities(dt_simulation *sim, dt_slide *slide)
{
    double by_velocities;
    const double speed = speed_of_positions(sim, slide, &by_velocities),
                 rate = second_rate(sim, slide);
    const double most = 2 * fabs(rate) * slide->told;
    slide->ends = slide->told > 0 && by_velocities <= slide->told && speed * speed <= most &&
                  slide->speed * slide->speed <= most;
    if (slide->ends) {
        slide->order = 2;
        slide->speed = speed;
    }
}

/** d, its derivatives and its tolerance at the system's state and accelerations. */
bool dt_sliding_measure(dt_simulation *sim, dt_slide *slide)
{
    const dt_program *p = slide->law->program;
    double *gradient = sim->sliding.gradient;
    bool known = true;
    slide->distance =
        dt_law_switch_gradient(sim->sliding.system, slide->law, slide->index, gradient) -
        slide->border;
    slide->speed = slide->told = 0;
    slide->order = 2;
    slide->rests = true;
    slide->tolerance = least_width * DBL_EPSILON * fabs(slide->distance + slide->border);
    for (int k = 0; k < p->variable_count && known; k++) {
        known = add_variable(sim, p->variables[k], gradient[k], slide);
    }
    if (known && slide->order == 1 && slide->told > 0) {
        forget_velocities(sim, slide);
    }
    slide->rests = slide->rests && slide->order == 1;
    slide->rate =
        slide->order == 1 || slide->returns || !known ? slide->speed : second_rate(sim, slide);
    return known && isfinite(slide->rate);
}

void dt_sliding_measure_all(dt_simulation *sim)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        dt_sliding_measure(sim, &sim->sliding.of[i]);
    }
}

/* ---- candidates ---- */

/** One that slides already. */
static void add_sliding(dt_simulation *sim, dt_slide slide)
{
    dt_law_roots(sim->sliding.system, slide.law, &sim->roots.values[0][0]);
    slide.weight = fmin(fmax(sim->roots.values[slide.index][0], 0), 1);
    slide.border = slide.plain.border;
    if (dt_sliding_measure(sim, &slide)) {
        slide.swings = slide.ends && slide.speed != 0;
        slide.held = slide.rests && sim->sliding.way == DT_SLIDING_BETWEEN;
        dt_sliding_add(sim, &slide);
    }
}

/*
 * Where a border is itself a solution of one branch, as the switching curve of a time-optimal relay is, d' is nothing but
 * the error of the integrator there, and the switch comes back over and over: each time a bit later, up to the tolerance.
 */
double dt_sliding_slack(const dt_simulation *sim, const dt_slide *slide)
{
    static const int often = 10;
    const int more = dt_switch_times_fired(sim, slide->law) - often;
    return fmax(0, -slide->side * slide->distance) +
           fmin(ldexp(1e-3 * slide->tolerance, more > 0 ? more : 0), slide->tolerance);
}

bool dt_sliding_has_fallen(const dt_simulation *sim, dt_slide *slide)
{
    const bool integer = dt_program_is_integer(slide->law->program, slide->index);
    const bool downwards =
        integer ? dt_fired_switch(sim, slide->law, slide->index)[0] != 0 : slide->plain.side < 0;
    slide->border = integer ? slide->plain.side + downwards : slide->border;
    slide->weight = downwards ? 0 : 1;
    return downwards;
}

/**
 * One that has just fired: a candidate if it is driven back where it came from, or will be, having swung across (order 2);
 * else it has left.
 */
static void add_fired(dt_simulation *sim, dt_slide slide)
{
    const bool downwards = dt_sliding_has_fallen(sim, &slide);
    if (!dt_sliding_measure(sim, &slide)) {
        return;
    }
    if (slide.order == 2 && (!slide.leaves || slide.ends) && slide.speed != 0) {
        slide.returns = downwards ? slide.speed > 0 : slide.speed < 0;
        slide.swings = !slide.returns;
        slide.rate = slide.returns ? slide.speed : slide.rate;
    }
    if (downwards ? slide.rate > 0 : slide.rate < 0) {
        dt_sliding_add(sim, &slide);
    } else if (slide.leaves) {
        slide.side = downwards ? -1 : 1;
        dt_law_branches(sim->sliding.system, slide.law)[slide.index].base =
            dt_sliding_slack(sim, &slide);
    }
}

void dt_sliding_collect(dt_simulation *sim, dt_system *s, dt_newton *newton, dt_sliding_way way)
{
    dt_sliding *sl = &sim->sliding;
    sl->system = s;
    sl->newton = newton;
    sl->way = way;
    sl->strict = false;
    sl->settled = NAN;
    sl->count = sl->twins = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        for (int j = 0; j < law->program->switch_count && sl->count + sl->twins < sl->most; j++) {
            const dt_branch branch = dt_law_branches(s, law)[j];
            const int *fired = dt_fired_switch(sim, law, j);
            dt_slide slide = {.law = law, .index = j, .plain = branch, .moved = 1};
            slide.leaves = sim->past.branches[law->branch + j].side == DT_BRANCH_SLIDING;
            if (branch.side == DT_BRANCH_SLIDING) {
                add_sliding(sim, slide);
            } else if (way != DT_SLIDING_BETWEEN && dt_sliding_may(law, j) &&
                       branch.side != DT_BRANCH_LIVE && !dt_sliding_add_resting(sim, &slide) &&
                       (branch.side != 0 || dt_program_is_integer(law->program, j)) &&
                       dt_has_fired(fired)) {
                add_fired(sim, slide);
            }
        }
    }
    if (sl->count > 0 && way != DT_SLIDING_BETWEEN) {
        dt_sliding_add_quiet_twins(sim);
    }
}
