/*
 * The weights of switches that slide: rate(w) = 0, the rate being d', or d'' where d reads positions only, the accelerations following from the search with these
 * weights, or in given modes, by Newton's method on differences. (Laws are linear in w but for products
 * of two weights, so one step is the rule.)
 */
#include "integrator/core.h"
#include "integrator/sliding.h"
#include "integrator/whole_search.h"

#include <math.h>

static const int old_matrix = 4;      /* steps that may be made with the matrix of the restart */
static const int most_steps = 20;     /* of Newton's method */
static const double balanced = 1e-10; /* of a weight: d' = 0 to this */

/* Takes a switch off its border for good, to where it is driven. */
static void drop(dt_slide *slide)
{
    const bool up = slide->rate != 0 ? slide->rate > 0 : slide->weight >= 0.5;
    slide->dropped = true;
    slide->side = up ? 1 : -1;
}

/*
 * Newton's step of the weights; with the matrix of the restart, unless it has to be made `anew`. Not 0 where
 * there is none, and `*flat` as in dt_sliding_factor().
 */
static int step(dt_simulation *sim, bool anew, int *flat)
{
    dt_sliding *sl = &sim->sliding;
    const bool keeps = !anew && sl->kept.order == sl->count;
    dt_sliding_matrix *matrix = keeps ? &sl->kept : &sl->now;
    const int n = sl->count;
    dt_sliding_note_rates(sl);
    int info = keeps ? 0 : dt_sliding_factor(sim, matrix, flat);
    if (info == 0) {
        for (int k = 0; k < n; k++) {
            sl->move[k] = dt_sliding_follows(&sl->of[k]) ? -sl->move[k] : 0;
        }
        info = dt_sliding_solve(sl, matrix) ? 0 : -1;
    }
    return info;
}

/*
 * Where d' does not follow the weight of switch i, for a joint between holds: whether it does so elsewhere
 * between the two branches, the other weights being as they are; then that is where it is put.
 */
static bool seek_slope(dt_simulation *sim, int i)
{
    static const int halvings = 50;
    dt_sliding *sl = &sim->sliding;
    double *column = sl->now.factors;
    double w[2] = {0, 1};
    for (int end = 0; end < 2; end++) {
        sl->of[i].weight = end;
        if (dt_sliding_accelerate(sim) != DETENT_OK ||
            !(end == 0 ? sl->of[i].rate > 0 : sl->of[i].rate < 0)) {
            return false;
        }
    }
    for (int round = 0; round < halvings; round++) {
        sl->of[i].weight = 0.5 * (w[0] + w[1]);
        if (dt_sliding_accelerate(sim) != DETENT_OK) {
            return false;
        }
        w[sl->of[i].rate > 0 ? 0 : 1] = sl->of[i].weight;
        dt_sliding_note_rates(sl);
        if (dt_sliding_fill_column(sim, i, column) && column[i] < 0) {
            return true;
        }
    }
    return false;
}

/* Adds the step to the weights; returns its size. */
static double move_weights(dt_sliding *sl)
{
    double most = 0;
    for (int i = 0; i < sl->count; i++) {
        most = fmax(most, fabs(sl->move[i]));
        sl->of[i].weight += sl->move[i];
        sl->of[i].moved = sl->move[i];
    }
    return most;
}

static bool any_slides(const dt_sliding *sl)
{
    bool any = false;
    for (int i = 0; i < sl->count && !any; i++) {
        any = dt_sliding_follows(&sl->of[i]);
    }
    return any;
}

bool dt_sliding_balance(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    const bool may_drop = sl->way == DT_SLIDING_RULE && !sl->strict;
    dt_sliding_find_held(sim);
    for (int round = 0; round < most_steps; round++) {
        const bool anew = sl->way != DT_SLIDING_BETWEEN || round >= old_matrix;
        int flat = -1;
        if (dt_sliding_accelerate(sim) != DETENT_OK) {
            return false;
        }
        if (!any_slides(sl)) {
            return dt_sliding_still_held(sl);
        }
        if (step(sim, anew, &flat) == 0) {
            if (move_weights(sl) <= balanced) {
                return dt_sliding_accelerate(sim) == DETENT_OK && dt_sliding_still_held(sl);
            }
        } else if (flat < 0 || !may_drop) {
            return false;
        } else if (!seek_slope(sim, flat)) {
            drop(&sl->of[flat]);
        }
    }
    return false;
}

/*
 * Weights that other modes have left outside [0, 1] say nothing about these, and where friction follows reactions Newton's
 * method does not come back from there.
 */
static void start_between(dt_sliding *sl)
{
    for (int i = 0; i < sl->count; i++) {
        dt_slide *slide = &sl->of[i];
        if (dt_sliding_follows(slide) && !(fabs(slide->weight - 0.5) <= 0.5)) {
            slide->weight = 0.5;
            slide->moved = 1;
        }
    }
}

/* What a search of modes asks for (mode_search.h): the accelerations at the system's modes. */
static detent_status balance_modes(void *simulation)
{
    dt_simulation *sim = simulation;
    start_between(&sim->sliding);
    return dt_sliding_balance(sim) ? DETENT_OK : DETENT_ERROR_SOLVER;
}

bool dt_sliding_balance_coupled(dt_simulation *sim)
{
    detent_error ignored = {.status = DETENT_OK};
    dt_sliding_begin_search(sim);
    sim->sliding.way = DT_SLIDING_COUPLED;
    const detent_status status = dt_search_whole(sim, balance_modes, &ignored);
    sim->sliding.way = DT_SLIDING_RULE;
    return status == DETENT_OK;
}
