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
#include "integrator/event_search.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/trial.h"

#include <math.h>

static const double nothing = 1e-12; /* of the rates at either side */
static const int halvings = 20;      /* of weights */

/* ---- the value on the border ---- */

/** Whether it is exactly on its border, with joints that rest, and has not been between its branches before. */
static bool stands(const dt_slide *slide)
{
    return slide->rests && slide->distance == 0 && !slide->leaves && slide->side == 0;
}

/** The branch that the actual values call for, all others being as they are. */
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

/** Whether a joint whose velocity a switch reads has been stopped by this event. */
static bool has_stopped(const dt_simulation *sim, const dt_law *law)
{
    const dt_system *s = sim->sliding.system;
    bool any = false;
    for (int k = 0; k < law->program->variable_count && !any; k++) {
        const dt_variable of = law->program->variables[k];
        if (of.kind == DT_VARIABLE_VELOCITY) {
            const int stiction = s->mechanism->primitives[dt_system_place(s, of.index)].stiction;
            any = stiction >= 0 && sim->event.cause[stiction] == DETENT_CAUSE_STOP;
        }
    }
    return any;
}

/** The weight that a branch is: -1, or of an integer switch the lower integer, is 0. */
static double weight_of(const dt_slide *slide, bool integer)
{
    const int side = integer ? 2 * (slide->plain.side - slide->border) + 1 : slide->plain.side;
    return 0.5 * (1 + side);
}

bool dt_sliding_add_resting(dt_simulation *sim, const dt_slide *of)
{
    dt_slide slide = *of;
    const bool integer = dt_program_is_integer(slide.law->program, slide.index);
    slide.border = integer ? slide.plain.side : 0;
    if (!dt_sliding_measure(sim, &slide) || !slide.rests) {
        return false;
    }
    if (integer && slide.distance == 1) { /* at the upper end of the integer */
        slide.border++;
        slide.distance = 0;
    }
    if (slide.distance != 0) {
        return false;
    }
    slide.weight = weight_of(&slide, integer);
    const bool wrong = (slide.weight < 1 && slide.rate > 0) || (slide.weight > 0 && slide.rate < 0);
    const bool came =
        has_stopped(sim, slide.law) || dt_has_fired(dt_fired_switch(sim, slide.law, slide.index));
    if (wrong || (came && slide.rate == 0 && value_branch(sim, &slide).side != slide.plain.side)) {
        dt_sliding_add(sim, &slide);
        return true;
    }
    return false;
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

/** The branches that the border calls for, of a switch and its twins. */
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

/** Takes the values of all that stand on their borders; false where none does. */
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
    if (dt_event_search_all(sim, NULL, &ignored) != DETENT_OK || !all_stay(sim)) {
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

/* ---- values between ---- */

/** Whether joints at rest may hold switch i where it is. */
static bool may_be_held(const dt_simulation *sim, const dt_slide *slide)
{
    return slide->side == 0 && (slide->order == 2 ? dt_sliding_sticks(sim, slide) : slide->rests);
}

/**
 * Where the rate begins (`sign` 1) or ceases (-1) to be 0 between two weights, of which the first drives the state
 * back to the border.
 */
static double edge_of_hold(dt_simulation *sim, int i, double drives, double holds, int sign)
{
    for (int round = 0; round < halvings; round++) {
        const double middle = 0.5 * (drives + holds);
        *(sign * dt_sliding_rule_rate(sim, i, middle) > 0 ? &drives : &holds) = middle;
    }
    return holds;
}

/** A weight of switch i with which the rate is 0, from the present one on; and those between which it was sought. */
static double seek_hold(dt_simulation *sim, int i, double least, double drives[2], double *now)
{
    const dt_slide *slide = &sim->sliding.of[i];
    *now = dt_sliding_rule_rate(sim, i, slide->weight);
    for (int round = 0; round < halvings && fabs(*now) > least; round++) {
        drives[*now > 0 ? 0 : 1] = slide->weight;
        *now = dt_sliding_rule_rate(sim, i, 0.5 * (drives[0] + drives[1]));
    }
    return slide->weight;
}

/**
 * The lowest (`sign` 1) or highest (-1) weight that holds, below or above one that does, as far as twice the law's jump: with
 * more than all of the law, too, to know how much of that is to spare.
 */
static double edge_beyond(dt_simulation *sim, int i, double drives, double holds, int sign)
{
    if (sign * dt_sliding_rule_rate(sim, i, drives) > 0) {
        return edge_of_hold(sim, i, drives, holds, sign);
    }
    const double end = drives - sign;
    return sign * dt_sliding_rule_rate(sim, i, end) > 0 ? edge_of_hold(sim, i, end, drives, sign)
                                                        : end;
}

/** The weight between 0 and 1 that is best to take of those that hold: `there` is one of them. */
static double best_hold(dt_simulation *sim, int i, double there, const double drives[2])
{
    const double below = edge_beyond(sim, i, drives[0], there, 1),
                 above = edge_beyond(sim, i, drives[1], there, -1);
    return fmin(fmax(0.5 * (below + above), 0), 1);
}

/** The same of the second order: those just inside of 0 and 1 will do, so that the switch goes on to slide. */
static double middle_of_hold(dt_simulation *sim, int i, double there, const double drives[2])
{
    const double below = edge_of_hold(sim, i, drives[0], there, 1),
                 above = edge_of_hold(sim, i, drives[1], there, -1);
    return 0.5 * (below + above);
}

/**
 * Whether a joint that rests holds switch i on its border, by its stiction and the law together: then neither share follows from
 * the motion. As long as the present weight will do it stays; else it is that in the middle of those that will.
 */
static bool hold(dt_simulation *sim, int i)
{
    dt_slide *slide = &sim->sliding.of[i];
    const bool second = slide->order == 2;
    const double weight = slide->weight, low = dt_sliding_rule_rate(sim, i, 0),
                 high = dt_sliding_rule_rate(sim, i, 1), least = nothing * (fabs(low) + fabs(high));
    double drives[2] = {0, 1}, now;
    slide->weight = weight;
    if (second ? !(low > 0 && high < 0) : !(low >= 0 && high <= 0)) {
        return false;
    }
    const double there = seek_hold(sim, i, least, drives, &now);
    if (!(fabs(now) <= least)) {
        slide->weight = weight;
        return false;
    }
    if (!slide->leaves || drives[0] > 0 || drives[1] < 1) {
        now = dt_sliding_rule_rate(sim, i,
                                   second ? middle_of_hold(sim, i, there, drives)
                                          : best_hold(sim, i, there, drives));
    }
    slide->held = fabs(now) <= least;
    return slide->held;
}

/** One round; true where the weight of a joint at rest had to be sought. */
static bool hold_all(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    bool any = false;
    for (int i = 0; i < sl->count; i++) {
        dt_slide *slide = &sl->of[i];
        const bool had = slide->held && slide->order == 1;
        slide->held = false;
        if (!may_be_held(sim, slide)) {
            continue;
        }
        if ((had || (slide->leaves && slide->order == 1)) &&
            dt_sliding_rule_rate(sim, i, slide->weight) == 0) {
            slide->held = true;
        } else {
            any = (hold(sim, i) && slide->order == 1) || any;
        }
    }
    return any;
}

void dt_sliding_find_held(dt_simulation *sim)
{
    const dt_sliding *sl = &sim->sliding;
    /* what one of them takes is missing to another one: again, until the weights of all will do */
    for (int round = 0; round <= sl->count && sl->way == DT_SLIDING_RULE && hold_all(sim);
         round++) {
    }
}
