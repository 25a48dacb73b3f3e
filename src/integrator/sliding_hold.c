/* Weights with which joints at rest hold a switch on its border: sliding_rest.c, 2. */
#include "integrator/sliding.h"

#include "integrator/core.h"

#include <math.h>

static const double nothing = 1e-12; /* of the rates at either side */
static const int halvings = 20;      /* of weights */

/* Whether joints at rest may hold switch i where it is. */
static bool may_be_held(const dt_simulation *sim, const dt_slide *slide)
{
    return slide->side == 0 && (slide->order == 2 ? dt_sliding_sticks(sim, slide) : slide->rests);
}

/*
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

/* A weight of switch i with which the rate is 0, from the present one on; and those between which it was sought. */
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

/*
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

/* The weight between 0 and 1 that is best to take of those that hold: `there` is one of them. */
static double best_hold(dt_simulation *sim, int i, double there, const double drives[2])
{
    const double below = edge_beyond(sim, i, drives[0], there, 1),
                 above = edge_beyond(sim, i, drives[1], there, -1);
    return fmin(fmax(0.5 * (below + above), 0), 1);
}

/* The same of the second order: those just inside of 0 and 1 will do, so that the switch goes on to slide. */
static double middle_of_hold(dt_simulation *sim, int i, double there, const double drives[2])
{
    const double below = edge_of_hold(sim, i, drives[0], there, 1),
                 above = edge_of_hold(sim, i, drives[1], there, -1);
    return 0.5 * (below + above);
}

/*
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
    slide->still = least;
    return slide->held;
}

/* One round; true where the weight of a joint at rest had to be sought. */
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
            slide->still = 0;
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

bool dt_sliding_still_held(const dt_sliding *sl)
{
    bool all = true;
    for (int i = 0; i < sl->count && all && sl->way != DT_SLIDING_BETWEEN; i++) {
        all = !sl->of[i].held || fabs(sl->of[i].rate) <= sl->of[i].still;
    }
    return all;
}
