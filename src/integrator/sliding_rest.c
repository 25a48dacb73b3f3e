/*
 * Joints that rest on the border of a law.
 *
 * `-F*sign(velocity(x))` beside the stiction of x: once x is locked, v = 0 exactly, and so is d. At d = 0
 *
 *   1. the law has the value that its expression has there: sign(0) = 0, `velocity(x) > 0` does not hold;
 *   2. where a joint would leave with that, and the branch beyond brings it back, the law has a value between its two with
 *      which the joint stays: d' = 0 for all weights from w1 to w2, since the joint and its friction take the rest. As long as
 *      the present weight is one of these it stays; else it is the one in their middle, so that the law takes as much
 *      as it can. (w1 and w2 are counted beyond 0 and 1, too, as if the law were stronger.)
 *
 * So a joint is held up to the sum of both, as the sum of two sets of Coulomb's law (Filippov's convex set of the law, and the
 * box of static friction) says: no share of either follows from the motion.
 *
 * A switch that stands at d = 0 has fired by no root that need have been found: it is looked at where a joint that it reads
 * has just stopped, or leaves to the side where its branch is not. If the branch there drives it on, its root fires a moment later,
 * as any other.
 */
#include "integrator/core.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/trial.h"
#include "integrator/whole_search.h"

/* Whether it is exactly on its border, with joints that rest, and has not been between its branches before. */
static bool stands(const dt_slide *slide)
{
    return slide->rests && slide->distance == 0 && !slide->leaves && slide->side == 0;
}

/* The branch that the actual values call for, all others being as they are. */
static dt_branch value_branch(dt_simulation *sim, const dt_slide *slide)
{
    dt_system *s = sim->sliding.system;
    dt_branch *branch = &dt_law_branches(s, slide->law)[slide->index];
    const dt_branch recorded = *branch;
    bool *keep = sim->roots.keep;
    for (int j = 0; j < slide->law->program->switch_count; j++) {
        keep[j] = j != slide->index;
    }
    dt_law_settle(s, slide->law, keep);
    const dt_branch actual = *branch;
    *branch = recorded;
    return actual;
}

/* Whether a joint whose velocity a switch reads has been stopped by this event. */
static bool has_stopped(const dt_simulation *sim, const dt_law *law)
{
    const dt_system *s = sim->sliding.system;
    bool any = false;
    for (int k = 0; k < law->program->variable_count && !any; k++) {
        const dt_variable of = law->program->variables[k];
        if (dt_variable_is(of, DT_OF_VELOCITIES)) {
            const int stiction = s->mechanism->primitives[dt_system_place(s, of.index)].stiction;
            any = stiction >= 0 && sim->event.cause[stiction] == DETENT_CAUSE_STOP;
        }
    }
    return any;
}

/* The weight that a branch is: -1, or of an integer switch the lower integer, is 0. */
static double weight_of(const dt_slide *slide, bool integer)
{
    const int side = integer ? 2 * (slide->plain.side - slide->border) + 1 : slide->plain.side;
    return 0.5 * (1 + side);
}

/* Whether a switch that does not slide stands on its border with joints at rest; with its border and weight then. */
static bool is_on_border(dt_simulation *sim, dt_slide *slide)
{
    const bool integer = dt_program_is_integer(slide->law->program, slide->index);
    slide->border = integer ? slide->plain.side : 0;
    if (!dt_sliding_measure(sim, slide) || !slide->rests) {
        return false;
    }
    if (integer && slide->distance == 1) { /* at the upper end of the integer */
        slide->border++;
        slide->distance = 0;
    }
    slide->weight = weight_of(slide, integer);
    return slide->distance == 0;
}

/* Whether it is driven off its border to where its branch is not. */
static bool is_driven_off(const dt_slide *slide)
{
    return (slide->weight < 1 && slide->rate > 0) || (slide->weight > 0 && slide->rate < 0);
}

bool dt_sliding_add_resting(dt_simulation *sim, const dt_slide *of)
{
    dt_slide slide = *of;
    if (!is_on_border(sim, &slide)) {
        return false;
    }
    const bool came =
        has_stopped(sim, slide.law) || dt_has_fired(dt_fired_switch(sim, slide.law, slide.index));
    if (is_driven_off(&slide) ||
        (came && slide.rate == 0 && value_branch(sim, &slide).side != slide.plain.side)) {
        dt_sliding_add(sim, &slide);
        return true;
    }
    return false;
}

/* Whether switch j of a law is driven off a border that it is not in the list for. */
static bool is_left_out(dt_simulation *sim, const dt_law *law, int j)
{
    const dt_branch branch = dt_law_branches(sim->sliding.system, law)[j];
    dt_slide slide = {.law = law, .index = j, .plain = branch, .moved = 1};
    return branch.side != DT_BRANCH_SLIDING && branch.side != DT_BRANCH_LIVE &&
           dt_sliding_may(law, j) && !dt_sliding_is_listed(&sim->sliding, law, j) &&
           is_on_border(sim, &slide) && is_driven_off(&slide);
}

bool dt_sliding_any_left_out(dt_simulation *sim)
{
    const dt_system *s = sim->sliding.system;
    bool any = false;
    for (int l = 0; l < s->law_count && !any; l++) {
        for (int j = 0; j < s->law[l]->program->switch_count && !any; j++) {
            any = is_left_out(sim, s->law[l], j);
        }
    }
    return any;
}

bool dt_sliding_pass_borders(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    bool all = sl->count > 0;
    for (int i = 0; i < sl->count; i++) {
        sl->move[i] = sl->of[i].rate;
    }
    for (int i = 0; i < sl->count; i++) {
        dt_slide *slide = &sl->of[i];
        const double rate = sl->move[i], weight = slide->weight;
        bool passes = false;
        if (stands(slide) && rate != 0) {
            const double beyond = dt_sliding_rule_rate(sim, i, rate > 0 ? 1 : 0);
            passes = rate > 0 ? beyond > 0 : beyond < 0;
        }
        slide->side = !passes ? slide->side : rate > 0 ? 1 : -1;
        slide->weight = passes ? slide->weight : weight;
        all = all && passes;
    }
    dt_trial_restore(sim, &sim->before_trial);
    return all;
}

/* The branches that the border calls for, of a switch and its twins. */
static void take_value(dt_simulation *sim, int i)
{
    dt_sliding *sl = &sim->sliding;
    sl->of[i].plain = value_branch(sim, &sl->of[i]);
    dt_sliding_put_back(sim, &sl->of[i]);
    for (int k = 0; k < sl->twins; k++) {
        dt_slide *twin = &sl->twin[k].slide;
        if (sl->twin[k].of == i) {
            twin->plain = value_branch(sim, twin);
            dt_sliding_put_back(sim, twin);
        }
    }
}

/* Takes the values of all that stand on their borders; false where none does. */
static bool take_values(dt_simulation *sim)
{
    bool any = false;
    for (int i = 0; i < sim->sliding.count; i++) {
        if (stands(&sim->sliding.of[i])) {
            take_value(sim, i);
            any = true;
        }
    }
    return any;
}

static bool all_stay(dt_simulation *sim)
{
    bool all = true;
    dt_sliding_measure_all(sim);
    for (int i = 0; i < sim->sliding.count && all; i++) {
        all = !stands(&sim->sliding.of[i]) || sim->sliding.of[i].rate == 0;
    }
    return all;
}

bool dt_sliding_rest_is_wrong(const dt_simulation *sim)
{
    bool any = false;
    for (int i = 0; i < sim->sliding.count && !any; i++) {
        any = stands(&sim->sliding.of[i]) && sim->sliding.of[i].rate != 0;
    }
    return any;
}

bool dt_sliding_try_values(dt_simulation *sim)
{
    detent_error ignored = {.status = DETENT_OK};
    if (!take_values(sim)) {
        return false;
    }
    if (dt_search_whole(sim, NULL, &ignored) != DETENT_OK || !all_stay(sim)) {
        dt_trial_restore(sim, &sim->before_trial);
        return false;
    }
    for (int i = sim->sliding.count - 1; i >= 0; i--) {
        if (stands(&sim->sliding.of[i])) {
            dt_sliding_remove(sim, i);
        }
    }
    dt_trial_keep(sim, &sim->before_trial);
    return true;
}
