/*
 * The weights of switches that slide: rate(w) = 0, the rate being d', or d'' where d reads positions only, the accelerations following from the search with these
 * weights, or in given modes, by Newton's method on differences. (Laws are linear in w but for products
 * of two weights, so one step is the rule.)
 */
#include "dynamics/scale.h"
#include "integrator/core.h"
#include "integrator/event_search.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/trial.h"
#include "math/lapack.h"

#include <math.h>

static const int old_matrix = 4;  /* steps that may be made with the matrix of the restart */
static const int most_steps = 20; /* of Newton's method */
static const double largest_difference = 0x1p-6, least_difference = 0x1p-30; /* of a weight */
static const double balanced = 1e-10; /* of a weight: d' = 0 to this */

/* ---- branches ---- */

/** The branch of one switch on its side, or with its weight held. */
static void set_one(dt_simulation *sim, const dt_slide *slide)
{
    dt_branch *branch = &dt_law_branches(sim->sliding.system, slide->law)[slide->index];
    if (slide->side == 0) {
        *branch =
            (dt_branch){.side = DT_BRANCH_SLIDING, .border = slide->border, .base = slide->weight};
    } else if (dt_program_is_integer(slide->law->program, slide->index)) {
        *branch = (dt_branch){.side = slide->border - (slide->side < 0),
                              .base = dt_sliding_slack(sim, slide)};
    } else {
        *branch = (dt_branch){.side = slide->side, .base = dt_sliding_slack(sim, slide)};
    }
}

/** The same of number i, and of its twins. */
static void set_branch(dt_simulation *sim, int i)
{
    const dt_sliding *sl = &sim->sliding;
    set_one(sim, &sl->of[i]);
    for (int k = 0; k < sl->twins; k++) {
        if (sl->twin[k].of == i) {
            const dt_slide slide = dt_sliding_twin(sl, k);
            set_one(sim, &slide);
        }
    }
}

void dt_sliding_set_branches(dt_simulation *sim)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        set_branch(sim, i);
    }
}

void dt_sliding_put_back(const dt_simulation *sim, const dt_slide *slide)
{
    dt_law_branches(sim->sliding.system, slide->law)[slide->index] = slide->plain;
}

/** The state before the search, with the present weights; who was dropped does not turn again. */
static void begin_search(dt_simulation *sim)
{
    const dt_sliding *sl = &sim->sliding;
    dt_trial_restore(sim, &sim->before_trial);
    dt_sliding_set_branches(sim);
    for (int i = 0; i < sl->count; i++) {
        if (sl->of[i].dropped) {
            dt_fired_switch(sim, sl->of[i].law, sl->of[i].index)[0] = 1;
        }
    }
    for (int k = 0; k < sl->twins; k++) { /* they turn with it alone */
        dt_fired_switch(sim, sl->twin[k].slide.law, sl->twin[k].slide.index)[0] = 1;
    }
}

/* ---- Newton's method ---- */

/** The accelerations with the present weights, and where they lead. */
static detent_status try(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    detent_error ignored = {.status = DETENT_OK};
    detent_status status;
    if (sl->way == DT_SLIDING_RULE) {
        begin_search(sim);
        status = dt_event_search_all(sim, NULL, &ignored);
    } else {
        dt_sliding_set_branches(sim);
        status = dt_solve_accelerations(sl->newton, sl->system, NULL, NULL);
    }
    if (status == DETENT_OK) {
        dt_sliding_measure_all(sim);
    }
    return status;
}

/** Whether the rate of a switch is to be made 0 by its weight. */
static bool follows(const dt_slide *slide)
{
    return slide->side == 0 && !slide->held;
}

bool dt_sliding_try(dt_simulation *sim)
{
    const dt_sliding_way way = sim->sliding.way;
    sim->sliding.way = DT_SLIDING_COUPLED;
    const bool solved = try(sim) == DETENT_OK;
    sim->sliding.way = way;
    return solved;
}

double dt_sliding_rate_at(dt_simulation *sim, int i, double weight)
{
    sim->sliding.of[i].weight = weight;
    return dt_sliding_try(sim) ? sim->sliding.of[i].rate : NAN;
}

/** How all rates follow the weight of switch i, by a difference from those in `move`. */
static bool fill_column(dt_simulation *sim, int i, double *column)
{
    dt_sliding *sl = &sim->sliding;
    dt_slide *slide = &sl->of[i];
    /* as far as the last step went: a friction that follows a norm of reactions turns sharply */
    const double far = fmax(fmin(fabs(slide->moved), largest_difference), least_difference);
    const double weight = slide->weight, by = weight < 0.5 ? far : -far;
    slide->weight += by;
    set_branch(sim, i);
    const bool solved = dt_solve_accelerations(sl->newton, sl->system, NULL, NULL) == DETENT_OK;
    slide->weight = weight;
    set_branch(sim, i);
    dt_sliding_measure_all(sim);
    for (int k = 0; k < sl->count; k++) {
        const double slope = (sl->of[k].rate - sl->move[k]) / by;
        column[k] = follows(&sl->of[k]) ? slope : (k == i);
    }
    return solved;
}

/** Takes a switch off its border for good, to where it is driven. */
static void drop(dt_slide *slide)
{
    const bool up = slide->rate != 0 ? slide->rate > 0 : slide->weight >= 0.5;
    slide->dropped = true;
    slide->side = up ? 1 : -1;
}

static void note_rates(dt_sliding *sl)
{
    for (int k = 0; k < sl->count; k++) {
        sl->move[k] = sl->of[k].rate;
    }
}

/** Rates have units of their own: a row is measured by its largest entry, so that pivots compare. */
static void put_in_units(dt_sliding_matrix *matrix, int n)
{
    for (int k = 0; k < n; k++) {
        double most = 0;
        for (int i = 0; i < n; i++) {
            most = fmax(most, fabs(matrix->factors[i * n + k]));
        }
        matrix->unit[k] = 1 / dt_power_below(most);
        for (int i = 0; i < n; i++) {
            matrix->factors[i * n + k] *= matrix->unit[k];
        }
    }
}

/** The step that makes the changes in `move` of the rates, in their place. */
static int solve(dt_sliding *sl, const dt_sliding_matrix *matrix)
{
    const int n = sl->count, one = 1;
    int info = 0;
    for (int k = 0; k < n; k++) {
        sl->move[k] *= matrix->unit[k];
    }
    dgetrs_("N", &n, &one, matrix->factors, &n, matrix->pivots, sl->move, &n, &info);
    return info;
}

/**
 * The matrix of Newton's step, at the rates in `move`; `*flat`: the first switch whose own rate does not
 * fall with its weight, where others do not bring it back, or -1. Not 0 where there is no such matrix.
 */
static int factor(dt_simulation *sim, dt_sliding_matrix *matrix, int *flat)
{
    dt_sliding *sl = &sim->sliding;
    const int n = sl->count;
    int info = 0;
    matrix->order = 0;
    *flat = -1;
    for (int i = 0; i < n; i++) {
        double *column = matrix->factors + (size_t)i * (size_t)n;
        if (!follows(&sl->of[i])) {
            memset(column, 0, (size_t)n * sizeof *column);
            column[i] = 1;
        } else if (!fill_column(sim, i, column)) {
            *flat = i;
            return -1;
        } else if (!(column[i] < 0) && *flat < 0) {
            *flat = i;
        }
    }
    if (*flat >= 0 && !dt_sliding_holds_together(sl, matrix)) {
        return -1;
    }
    *flat = -1;
    put_in_units(matrix, n);
    dgetrf_(&n, &n, matrix->factors, &n, matrix->pivots, &info);
    matrix->order = info == 0 ? n : 0;
    return info;
}

/**
 * Newton's step of the weights; with the matrix of the restart, unless it has to be made `anew`. Not 0 where
 * there is none, and `*flat` as in factor().
 */
static int step(dt_simulation *sim, bool anew, int *flat)
{
    dt_sliding *sl = &sim->sliding;
    const bool keeps = !anew && sl->kept.order == sl->count;
    dt_sliding_matrix *matrix = keeps ? &sl->kept : &sl->now;
    const int n = sl->count;
    note_rates(sl);
    int info = keeps ? 0 : factor(sim, matrix, flat);
    if (info == 0) {
        for (int k = 0; k < n; k++) {
            sl->move[k] = follows(&sl->of[k]) ? -sl->move[k] : 0;
        }
        info = solve(sl, matrix);
    }
    return info;
}

bool dt_sliding_make_matrix(dt_simulation *sim)
{
    int flat;
    const bool accelerations = dt_sliding_try(sim);
    note_rates(&sim->sliding);
    return accelerations && factor(sim, &sim->sliding.now, &flat) == 0;
}

bool dt_sliding_solve(dt_simulation *sim)
{
    return solve(&sim->sliding, &sim->sliding.now) == 0;
}

/**
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
        if (try(sim) != DETENT_OK || !(end == 0 ? sl->of[i].rate > 0 : sl->of[i].rate < 0)) {
            return false;
        }
    }
    for (int round = 0; round < halvings; round++) {
        sl->of[i].weight = 0.5 * (w[0] + w[1]);
        if (try(sim) != DETENT_OK) {
            return false;
        }
        w[sl->of[i].rate > 0 ? 0 : 1] = sl->of[i].weight;
        note_rates(sl);
        if (fill_column(sim, i, column) && column[i] < 0) {
            return true;
        }
    }
    return false;
}

double dt_sliding_rule_rate(dt_simulation *sim, int i, double weight)
{
    sim->sliding.of[i].weight = weight;
    return try(sim) == DETENT_OK ? sim->sliding.of[i].rate : NAN;
}

/** Adds the step to the weights; returns its size. */
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
        any = follows(&sl->of[i]);
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
        if (try(sim) != DETENT_OK) {
            return false;
        }
        if (!any_slides(sl)) {
            return true;
        }
        if (step(sim, anew, &flat) == 0) {
            if (move_weights(sl) <= balanced) {
                return try(sim) == DETENT_OK;
            }
        } else if (flat < 0 || !may_drop) {
            return false;
        } else if (!seek_slope(sim, flat)) {
            drop(&sl->of[flat]);
        }
    }
    return false;
}

/**
 * Weights that other modes have left outside [0, 1] say nothing about these, and where friction follows reactions Newton's
 * method does not come back from there.
 */
static void start_between(dt_sliding *sl)
{
    for (int i = 0; i < sl->count; i++) {
        dt_slide *slide = &sl->of[i];
        if (follows(slide) && !(fabs(slide->weight - 0.5) <= 0.5)) {
            slide->weight = 0.5;
            slide->moved = 1;
        }
    }
}

/** What a search of modes asks for (mode_search.h): the accelerations at the system's modes. */
static detent_status balance_modes(void *simulation)
{
    dt_simulation *sim = simulation;
    start_between(&sim->sliding);
    return dt_sliding_balance(sim) ? DETENT_OK : DETENT_ERROR_SOLVER;
}

bool dt_sliding_balance_coupled(dt_simulation *sim)
{
    detent_error ignored = {.status = DETENT_OK};
    begin_search(sim);
    sim->sliding.way = DT_SLIDING_COUPLED;
    const detent_status status = dt_event_search_all(sim, balance_modes, &ignored);
    sim->sliding.way = DT_SLIDING_RULE;
    return status == DETENT_OK;
}

void dt_sliding_keep_matrix(dt_simulation *sim)
{
    int flat;
    dt_sliding_measure_all(sim);
    note_rates(&sim->sliding);
    factor(sim, &sim->sliding.kept, &flat);
}
