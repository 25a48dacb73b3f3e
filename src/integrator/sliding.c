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
#include "integrator/core.h"
#include "integrator/source.h"

#include <math.h>

enum { most_at_once = 200 }; /* their matrix is dense */

/* ---- which switches ---- */

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

/* Of the laws that may slide, the most variables and operations. */
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
    /* steps of fixed length take laws as they are written */
    sl->most = sim->fixed.exists ? 0 : count_possible(&sim->system);
    const size_t most = (size_t)sl->most;
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

/* ---- candidates ---- */

/* One that slides already. */
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

bool dt_sliding_has_fallen(const dt_simulation *sim, dt_slide *slide)
{
    const bool integer = dt_program_is_integer(slide->law->program, slide->index);
    const bool downwards =
        integer ? dt_fired_switch(sim, slide->law, slide->index)[0] != 0 : slide->plain.side < 0;
    slide->border = integer ? slide->plain.side + downwards : slide->border;
    slide->weight = downwards ? 0 : 1;
    return downwards;
}

/*
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
