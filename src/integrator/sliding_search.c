/*
 * Which switches slide after an event: a weight that leaves [0, 1] takes its switch off the border, one
 * that the forces push back to it returns.
 *
 * With every set of weights the rule of the search picks a state of its own. Where it releases a joint
 * for some weights and holds it for others, d'(w) may jump over zero, and no weights balance; then
 * modes and weights are searched at once, and any that are consistent will do (coupled.h).
 */
#include "integrator/core.h"
#include "integrator/sliding.h"
#include "integrator/solution.h"
#include "integrator/trial.h"

#include <math.h>

static const double at_the_end = 1e-6; /* a weight this near to 0 or 1 has arrived there */

/*
 * Takes the switch off the border whose weight is furthest outside [0, 1], or puts one back that the
 * forces drive there. False where all are right.
 */
static bool change_side(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    double worst = 0;
    int which = -1;
    for (int i = 0; i < sl->count; i++) {
        const dt_slide *slide = &sl->of[i];
        const double room = slide->leaves ? at_the_end : -dt_sliding_hardly_more;
        const double beyond = fmax(slide->weight - (1 - room), room - slide->weight);
        if (slide->side == 0 && beyond > worst) {
            worst = beyond;
            which = i;
        }
    }
    if (which >= 0) {
        sl->of[which].side = sl->of[which].weight > 0.5 ? 1 : -1;
        return true;
    }
    for (int i = 0; i < sl->count; i++) {
        dt_slide *slide = &sl->of[i];
        if (slide->side * slide->rate < 0 && !slide->leaves && !slide->dropped) {
            slide->side = 0;
            slide->weight = slide->weight > 0.5 ? 1 : 0;
            return true;
        }
    }
    return false;
}

typedef bool (*balancing)(dt_simulation *);

/* Which of them slide, and with what weights. False where no answer is found. */
static bool solve(dt_simulation *sim, balancing balance)
{
    for (int round = 3 * sim->sliding.count + 10; round > 0; round--) {
        if (!balance(sim)) {
            return false;
        }
        if (!change_side(sim)) {
            return true;
        }
    }
    return false;
}

/* Whether the weights that slide are between 0 and 1, and the others driven away from their borders. */
static bool is_consistent(const dt_sliding *sl)
{
    bool all = true;
    for (int i = 0; i < sl->count && all; i++) {
        const dt_slide *slide = &sl->of[i];
        all = slide->side == 0 ? fabs(slide->weight - 0.5) <= 0.5 + dt_sliding_hardly_more
                               : slide->side * slide->rate >= 0;
    }
    return all;
}

/*
 * Every set of those that slide and of sides of the others: two borders that meet, on the same velocity,
 * have rates that no two weights can bring to zero at once, and one of the switches has to leave.
 */
static bool enumerate(dt_simulation *sim, balancing balance)
{
    enum { most = 4, sets = 81 }; /* 3 to the power of most */
    dt_sliding *sl = &sim->sliding;
    bool found = false;
    if (sl->count > most) {
        return false;
    }
    sl->strict = true;
    for (int set = 0; set < sets && !found; set++) {
        int rest = set;
        for (int i = 0; i < sl->count; i++, rest /= 3) {
            sl->of[i].side = rest % 3 == 2 ? -1 : rest % 3;
            sl->of[i].weight = 0.5;
            sl->of[i].dropped = false;
            sl->of[i].held = false;
        }
        found = rest == 0 && balance(sim) && is_consistent(sl);
    }
    sl->strict = false;
    return found;
}

/* Everything from the start: all of them slide, with weights in between. */
static void start_over(dt_sliding *sl)
{
    for (int i = 0; i < sl->count; i++) {
        sl->of[i].side = 0;
        sl->of[i].weight = 0.5;
        sl->of[i].moved = 1;
        sl->of[i].dropped = false;
        sl->of[i].held = false;
    }
}

static bool search(dt_simulation *sim)
{
    const bool solved = solve(sim, dt_sliding_balance), alone = sim->sliding.count == 1;
    if ((solved && (alone || is_consistent(&sim->sliding))) || enumerate(sim, dt_sliding_balance)) {
        return true;
    }
    start_over(&sim->sliding);
    if (solved && solve(sim, dt_sliding_balance)) {
        return true; /* some side is not where its switch is driven: that will fire */
    }
    start_over(&sim->sliding);
    return (solve(sim, dt_sliding_balance_coupled) && is_consistent(&sim->sliding)) ||
           enumerate(sim, dt_sliding_balance_coupled);
}

/* A switch that slides gets a slope by which its weight holds the border from here on. */
static void give_slope(const dt_simulation *sim, const dt_slide *slide)
{
    dt_branch *branch = &dt_law_branches(sim->sliding.system, slide->law)[slide->index];
    if (slide->side == 0) {
        const double weight =
            fmin(fmax(slide->weight, dt_sliding_hardly_more), 1 - dt_sliding_hardly_more);
        branch->slope = 1 / dt_sliding_width(slide);
        branch->base = weight - slide->distance * branch->slope;
    }
}

static void give_slopes(dt_simulation *sim)
{
    const dt_sliding *sl = &sim->sliding;
    for (int i = 0; i < sl->count; i++) {
        give_slope(sim, &sl->of[i]);
    }
    for (int k = 0; k < sl->twins; k++) {
        const dt_slide slide = dt_sliding_twin(sl, k);
        give_slope(sim, &slide);
    }
}

/* All is as the first search has left it. */
static void take_back(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_trial_restore(sim, &sim->before_trial);
    if (sim->sliding.stopped) {
        dt_trial_restore(sim, &sim->sliding.before);
        dt_system_set_state(s, s->time, s->q, s->v);
    }
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

/* Nobody begins to slide. */
static void give_up(dt_simulation *sim)
{
    sim->sliding.count = sim->sliding.twins = 0;
    take_back(sim);
}

/* Lists who may slide; false where nobody does, or (`again`) nothing has become wrong. */
static bool list(dt_simulation *sim, bool again)
{
    dt_sliding_collect(sim, &sim->system, sim->newton, DT_SLIDING_RULE);
    dt_sliding_pass_swings(sim);
    dt_sliding_add_tired(sim);
    return sim->sliding.count > 0 && (!again || dt_sliding_rest_is_wrong(sim));
}

/* For those in the list; returns whether some of them have got values that the others may have made wrong, or others are driven off their borders. */
static bool settle(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    dt_sliding_stop_swings(sim);
    dt_trial_keep(sim, &sim->before_trial);
    if (dt_sliding_pass_borders(sim)) {
        give_up(sim);
        return false;
    }
    const bool values = dt_sliding_try_values(sim);
    if (sl->count == 0) {
        return values;
    }
    if (!search(sim)) {
        give_up(sim);
        return false;
    }
    sim->statistics.impact_loss += sl->stopped ? sl->lost : 0;
    const bool others = dt_sliding_any_left_out(sim);
    give_slopes(sim);
    return values || others;
}

/*
 * Of two switches that fire together one may be driven back by what the other one does there alone: then both are settled, from the
 * start. Where that finds nothing it is as it was.
 */
static bool settle_all(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    const bool changed = settle(sim);
    if (sl->count == 0 || sl->stopped || !dt_sliding_find_late(sim)) {
        return changed;
    }
    take_back(sim);
    list(sim, false);
    for (int k = 0; k < sl->late_count; k++) {
        dt_sliding_add(sim, &sl->late[k]);
    }
    const bool more = settle(sim);
    if (sl->count > 0) {
        return more;
    }
    list(sim, false);
    return settle(sim);
}

void dt_sliding_search(dt_simulation *sim)
{
    static const int most_rounds = 4;
    if (sim->sliding.most == 0 || !list(sim, false)) {
        return;
    }
    if (sim->event.core_is_searched) {
        dt_bring_up(sim, DT_LEVEL_FORCES);
        sim->event.core_is_searched = false;
    }
    sim->shown.time = NAN;
    for (int round = 0; round < most_rounds && settle_all(sim) && list(sim, true); round++) {
    }
}
