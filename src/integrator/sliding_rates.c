/*
 * Where switches that slide are driven with given weights, the accelerations following from the search with these, or in given modes;
 * and how that follows the weights, by differences.
 */
#include "dynamics/scale.h"
#include "integrator/core.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/trial.h"
#include "integrator/whole_search.h"
#include "math/lapack.h"

#include <math.h>

static const double largest_difference = 0x1p-6, least_difference = 0x1p-30; /* of a weight */

/* ---- branches ---- */

/* The branch of one switch on its side, or with its weight held. */
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

/* The same of number i, and of its twins. */
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

/* ---- accelerations ---- */

void dt_sliding_begin_search(dt_simulation *sim)
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

detent_status dt_sliding_accelerate(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    detent_error ignored = {.status = DETENT_OK};
    detent_status status;
    if (sl->way == DT_SLIDING_RULE) {
        dt_sliding_begin_search(sim);
        status = dt_search_whole(sim, NULL, &ignored);
    } else {
        dt_sliding_set_branches(sim);
        status = dt_solve_accelerations(sl->newton, sl->system, NULL, NULL);
    }
    if (status == DETENT_OK) {
        dt_sliding_measure_all(sim);
    }
    return status;
}

bool dt_sliding_try(dt_simulation *sim)
{
    const dt_sliding_way way = sim->sliding.way;
    sim->sliding.way = DT_SLIDING_COUPLED;
    const bool solved = dt_sliding_accelerate(sim) == DETENT_OK;
    sim->sliding.way = way;
    return solved;
}

double dt_sliding_rate_at(dt_simulation *sim, int i, double weight)
{
    sim->sliding.of[i].weight = weight;
    return dt_sliding_try(sim) ? sim->sliding.of[i].rate : NAN;
}

double dt_sliding_rule_rate(dt_simulation *sim, int i, double weight)
{
    sim->sliding.of[i].weight = weight;
    return dt_sliding_accelerate(sim) == DETENT_OK ? sim->sliding.of[i].rate : NAN;
}

/* ---- slopes ---- */

void dt_sliding_note_rates(dt_sliding *sl)
{
    for (int k = 0; k < sl->count; k++) {
        sl->move[k] = sl->of[k].rate;
    }
}

bool dt_sliding_fill_column(dt_simulation *sim, int i, double *column)
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
        column[k] = dt_sliding_follows(&sl->of[k]) ? slope : (k == i);
    }
    return solved;
}

/* Rates have units of their own: a row is measured by its largest entry, so that pivots compare. */
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

bool dt_sliding_solve(dt_sliding *sl, const dt_sliding_matrix *matrix)
{
    const int n = sl->count, one = 1;
    int info = 0;
    for (int k = 0; k < n; k++) {
        sl->move[k] *= matrix->unit[k];
    }
    dgetrs_("N", &n, &one, matrix->factors, &n, matrix->pivots, sl->move, &n, &info);
    return info == 0;
}

int dt_sliding_factor(dt_simulation *sim, dt_sliding_matrix *matrix, int *flat)
{
    dt_sliding *sl = &sim->sliding;
    const int n = sl->count;
    int info = 0;
    matrix->order = 0;
    *flat = -1;
    for (int i = 0; i < n; i++) {
        double *column = matrix->factors + (size_t)i * (size_t)n;
        if (!dt_sliding_follows(&sl->of[i])) {
            memset(column, 0, (size_t)n * sizeof *column);
            column[i] = 1;
        } else if (!dt_sliding_fill_column(sim, i, column)) {
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

bool dt_sliding_make_matrix(dt_simulation *sim)
{
    int flat;
    const bool accelerations = dt_sliding_try(sim);
    dt_sliding_note_rates(&sim->sliding);
    return accelerations && dt_sliding_factor(sim, &sim->sliding.now, &flat) == 0;
}

void dt_sliding_keep_matrix(dt_simulation *sim)
{
    int flat;
    dt_sliding_measure_all(sim);
    dt_sliding_note_rates(&sim->sliding);
    dt_sliding_factor(sim, &sim->sliding.kept, &flat);
}
