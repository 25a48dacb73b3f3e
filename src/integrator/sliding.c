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
 * Only where d follows from t, inputs, positions and velocities; and to first order: a relay on a
 * position alone does not slide, for d' does not depend on forces.
 */
#include "integrator/core.h"
#include "math/lapack.h"

#include <float.h>
#include <math.h>

enum { most_at_once = 200 }; /* their matrix is dense */

static const int old_matrix = 4;  /* steps that may be made with the matrix of the restart */
static const int most_steps = 20; /* of Newton's method */
static const double largest_difference = 0x1p-6, least_difference = 0x1p-30; /* of a weight */
static const double balanced = 1e-10;   /* of a weight: d' = 0 to this */
static const double hardly_more = 1e-9; /* a weight this little beyond 0 or 1 is there */
static const double at_the_end = 1e-6;  /* a weight this near to 0 or 1 has arrived there */
static const double doubtful = 0.05;    /* what a slope may make of the error of a step */
static const double least_width = 1e4;  /* in roundings of d */

/* ---- which switches ---- */

static bool may_slide(const dt_law *law, int j)
{
    return dt_program_jumps(law->program, j) && !dt_program_is_timed(law->program, j);
}

static int count_possible(const dt_system *s)
{
    int count = 0;
    for (int l = 0; l < s->law_count && count < most_at_once; l++) {
        for (int j = 0; j < s->law[l]->program->switch_count; j++) {
            count += may_slide(s->law[l], j);
        }
    }
    return count < most_at_once ? count : most_at_once;
}

bool dt_sliding_is_possible(const dt_system *s)
{
    return count_possible(s) > 0;
}

static size_t longest_gradient(const dt_system *s)
{
    size_t longest = 0;
    for (int l = 0; l < s->law_count; l++) {
        const size_t count = (size_t)s->law[l]->program->variable_count;
        longest = count > longest ? count : longest;
    }
    return longest;
}

bool dt_sliding_create(dt_arena *arena, dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    const size_t most = (size_t)(sl->most = count_possible(&sim->system));
#define TAKE(member, count) \
    ((sl->member = dt_arena_alloc(arena, (count), sizeof *sl->member)) != NULL)
    return most == 0 ||
           (TAKE(of, most) && TAKE(gradient, longest_gradient(&sim->system)) &&
            TAKE(now.factors, most * most) && TAKE(now.pivots, most) &&
            TAKE(kept.factors, most * most) && TAKE(kept.pivots, most) && TAKE(move, most));
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
        slide->rate += gradient;
        return true;
    case DT_VARIABLE_POSITION:
        slide->rate += gradient * s->v[node->v];
        slide->tolerance +=
            fabs(gradient) * dt_position_tolerance(sim, variable.index, s->q[node->q]);
        return true;
    case DT_VARIABLE_VELOCITY:
        slide->rate += gradient * s->a[node->v];
        slide->tolerance +=
            fabs(gradient) * dt_velocity_tolerance(sim, variable.index, s->v[node->v]);
        return true;
    default:
        return variable.kind == DT_VARIABLE_INPUT || variable.kind == DT_VARIABLE_DIRECTION ||
               variable.kind == DT_VARIABLE_MODE;
    }
}

/** d, d' and its tolerance at the system's state and accelerations. */
static bool measure(dt_simulation *sim, dt_slide *slide)
{
    const dt_program *p = slide->law->program;
    double *gradient = sim->sliding.gradient;
    bool known = true;
    slide->distance =
        dt_law_switch_gradient(sim->sliding.system, slide->law, slide->index, gradient) -
        slide->border;
    slide->rate = 0;
    slide->tolerance = least_width * DBL_EPSILON * fabs(slide->distance + slide->border);
    for (int k = 0; k < p->variable_count && known; k++) {
        known = add_variable(sim, p->variables[k], gradient[k], slide);
    }
    return known && isfinite(slide->rate);
}

static void measure_all(dt_simulation *sim)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        measure(sim, &sim->sliding.of[i]);
    }
}

/* ---- candidates ---- */

/** One that slides already. */
static void add_sliding(dt_simulation *sim, dt_slide slide)
{
    dt_law_roots(sim->sliding.system, slide.law, sim->root_values);
    slide.weight = fmin(fmax(sim->root_values[2 * slide.index], 0), 1);
    slide.border = slide.plain.border;
    if (measure(sim, &slide)) {
        sim->sliding.of[sim->sliding.count++] = slide;
    }
}

/** By how much a switch may be on the wrong side of its border when it leaves it, and a hair more. */
static double slack(const dt_slide *slide)
{
    return fmax(0, -slide->side * slide->distance) + 1e-3 * slide->tolerance;
}

/** One that has just fired: a candidate if it is driven back where it came from; else it has left. */
static void add_fired(dt_simulation *sim, bool downwards, dt_slide slide)
{
    if (dt_program_is_integer(slide.law->program, slide.index)) {
        slide.border = slide.plain.side + downwards;
    }
    slide.weight = downwards ? 0 : 1;
    if (!measure(sim, &slide)) {
        return;
    }
    if (downwards ? slide.rate > 0 : slide.rate < 0) {
        sim->sliding.of[sim->sliding.count++] = slide;
    } else if (slide.leaves) {
        slide.side = downwards ? -1 : 1;
        dt_law_branches(sim->sliding.system, slide.law)[slide.index].base = slack(&slide);
    }
}

/** Those that slide, and (`events`) those that may begin to, their switch having fired. */
static void collect(dt_simulation *sim, dt_system *s, dt_newton *newton, bool events)
{
    dt_sliding *sl = &sim->sliding;
    sl->system = s;
    sl->newton = newton;
    sl->searches = events;
    sl->settled = NAN;
    sl->count = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        const int *fired = sim->roots.fired + dt_roots_place(sim, law);
        for (int j = 0; j < law->program->switch_count && sl->count < sl->most; j++) {
            const dt_branch branch = dt_law_branches(s, law)[j];
            const bool integer = dt_program_is_integer(law->program, j);
            dt_slide slide = {.law = law, .index = j, .plain = branch, .moved = 1};
            slide.leaves = sim->past.branches[law->branch + j].side == DT_BRANCH_SLIDING;
            if (branch.side == DT_BRANCH_SLIDING) {
                add_sliding(sim, slide);
            } else if (events && may_slide(law, j) && branch.side != DT_BRANCH_LIVE &&
                       branch.side != 0 && (fired[2 * j] || fired[2 * j + 1])) {
                add_fired(sim, integer ? fired[2 * j] != 0 : branch.side < 0, slide);
            }
        }
    }
}

/* ---- weights ---- */

/** The branch of a switch on its side, or with its weight held. */
static void set_branch(dt_simulation *sim, const dt_slide *slide)
{
    dt_branch *branch = &dt_law_branches(sim->sliding.system, slide->law)[slide->index];
    if (slide->side == 0) {
        *branch =
            (dt_branch){.side = DT_BRANCH_SLIDING, .border = slide->border, .base = slide->weight};
    } else if (dt_program_is_integer(slide->law->program, slide->index)) {
        *branch = (dt_branch){.side = slide->border - (slide->side < 0), .base = slack(slide)};
    } else {
        *branch = (dt_branch){.side = slide->side, .base = slack(slide)};
    }
}

static void set_branches(dt_simulation *sim)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        set_branch(sim, &sim->sliding.of[i]);
    }
}

/** The search, or in given modes the accelerations, with the present weights, and where it leads. */
static detent_status try(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    detent_error ignored;
    if (sl->searches) {
        dt_trial_restore(sim);
    }
    set_branches(sim);
    const detent_status status = sl->searches
                                     ? dt_event_search_all(sim, &ignored)
                                     : dt_solve_accelerations(sl->newton, sl->system, NULL, NULL);
    if (status == DETENT_OK) {
        measure_all(sim);
    }
    return status;
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
    set_branch(sim, slide);
    const bool solved = dt_solve_accelerations(sl->newton, sl->system, NULL, NULL) == DETENT_OK;
    slide->weight = weight;
    set_branch(sim, slide);
    measure_all(sim);
    for (int k = 0; k < sl->count; k++) {
        const double slope = (sl->of[k].rate - sl->move[k]) / by;
        column[k] = sl->of[k].side == 0 ? slope : (k == i);
    }
    return solved;
}

/** Removes a switch from the list: at an event it leaves its border, to where it is driven. */
static void drop(dt_simulation *sim, int i)
{
    dt_sliding *sl = &sim->sliding;
    dt_slide *slide = &sl->of[i];
    if (sl->searches) {
        const int place = slide->law->branch + slide->index;
        const bool up = slide->rate != 0 ? slide->rate > 0 : slide->weight >= 0.5;
        slide->side = up ? 1 : -1;
        set_branch(sim, slide);
        sim->before_trial.branches[place] = sim->system.branches[place];
        sim->before_trial.fired[dt_roots_place(sim, slide->law) + 2 * slide->index] = 1;
    } else {
        dt_law_branches(sl->system, slide->law)[slide->index] = slide->plain;
    }
    sl->of[i] = sl->of[--sl->count];
}

static void note_rates(dt_sliding *sl)
{
    for (int k = 0; k < sl->count; k++) {
        sl->move[k] = sl->of[k].rate;
    }
}

/**
 * The matrix of Newton's step, at the rates in `move`; `*flat`: the first switch whose own rate does not
 * fall with its weight, or -1. Not 0 where there is no such matrix.
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
        if (sl->of[i].side != 0) {
            memset(column, 0, (size_t)n * sizeof *column);
            column[i] = 1;
        } else if (!fill_column(sim, i, column) || !(column[i] < 0)) {
            *flat = i;
            return -1;
        }
    }
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
    const int n = sl->count, one = 1;
    note_rates(sl);
    int info = keeps ? 0 : factor(sim, matrix, flat);
    if (info == 0) {
        for (int k = 0; k < n; k++) {
            sl->move[k] = sl->of[k].side == 0 ? -sl->move[k] : 0;
        }
        dgetrs_("N", &n, &one, matrix->factors, &n, matrix->pivots, sl->move, &n, &info);
    }
    return info;
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

/** Weights with d' = 0, and the search with them. False where there are none. */
static bool balance(dt_simulation *sim)
{
    dt_sliding *sl = &sim->sliding;
    for (int round = 0; round < most_steps; round++) {
        int flat = -1;
        if (try(sim) != DETENT_OK) {
            return false;
        }
        if (sl->count == 0) {
            return true;
        }
        if (step(sim, sl->searches || round >= old_matrix, &flat) == 0) {
            if (move_weights(sl) <= balanced) {
                return try(sim) == DETENT_OK;
            }
        } else if (flat < 0 || sl->strict) {
            return false;
        } else if (!sl->searches || !seek_slope(sim, flat)) {
            drop(sim, flat);
        }
    }
    return false;
}

/**
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
        const double room = slide->leaves ? at_the_end : -hardly_more;
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
        if (slide->side * slide->rate < 0 && !slide->leaves) {
            slide->side = 0;
            slide->weight = slide->weight > 0.5 ? 1 : 0;
            return true;
        }
    }
    return false;
}

/** Which of them slide, and with what weights. False where no answer is found. */
static bool solve(dt_simulation *sim)
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

/** Whether the weights that slide are between 0 and 1, and the others driven away from their borders. */
static bool is_consistent(const dt_sliding *sl)
{
    bool all = true;
    for (int i = 0; i < sl->count && all; i++) {
        const dt_slide *slide = &sl->of[i];
        all = slide->side == 0 ? fabs(slide->weight - 0.5) <= 0.5 + hardly_more
                               : slide->side * slide->rate >= 0;
    }
    return all;
}

/**
 * Every set of those that slide and of sides of the others: two borders that meet, on the same velocity,
 * have rates that no two weights can bring to zero at once, and one of the switches has to leave.
 */
static bool enumerate(dt_simulation *sim)
{
    enum { most = 4, sets = 81 }; /* 3 to the power of most */
    dt_sliding *sl = &sim->sliding;
    const int count = sl->count;
    dt_slide first[most];
    bool found = false;
    if (count > most) {
        return false;
    }
    memcpy(first, sl->of, (size_t)count * sizeof *first);
    sl->strict = true;
    for (int set = 0; set < sets && !found; set++) {
        memcpy(sl->of, first, (size_t)count * sizeof *first);
        sl->count = count;
        int rest = set;
        for (int i = 0; i < count; i++, rest /= 3) {
            sl->of[i].side = rest % 3 == 2 ? -1 : rest % 3;
            sl->of[i].weight = 0.5;
        }
        found = rest == 0 && balance(sim) && is_consistent(sl);
    }
    sl->strict = false;
    return found;
}

/** All candidates again, after those that were dropped. */
static bool collect_again(dt_simulation *sim)
{
    dt_trial_restore(sim);
    collect(sim, &sim->system, sim->newton, true);
    return sim->sliding.count > 0;
}

/** From here on the weights hold d' = 0 by themselves. */
static void give_slopes(dt_simulation *sim)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        const dt_slide *slide = &sim->sliding.of[i];
        dt_branch *branch = &dt_law_branches(sim->sliding.system, slide->law)[slide->index];
        if (slide->side == 0) {
            const double weight = fmin(fmax(slide->weight, hardly_more), 1 - hardly_more);
            branch->slope = 1 / slide->tolerance;
            branch->base = weight - slide->distance * branch->slope;
        }
    }
}

/** Nobody begins to slide: all is as the first search has left it. */
static void give_up(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    sim->sliding.count = 0;
    dt_trial_restore(sim);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_system_forces(s);
}

void dt_sliding_search(dt_simulation *sim)
{
    if (sim->sliding.most == 0) {
        return;
    }
    collect(sim, &sim->system, sim->newton, true);
    if (sim->sliding.count == 0) {
        return;
    }
    if (sim->core_is_searched) {
        dt_bring_up(sim, DT_LEVEL_FORCES);
        sim->core_is_searched = false;
    }
    sim->shown = NAN;
    dt_trial_keep(sim);
    if (solve(sim) || (collect_again(sim) && enumerate(sim))) {
        give_slopes(sim);
    } else {
        give_up(sim);
    }
}

/* ---- between events ---- */

static void put_back(dt_simulation *sim)
{
    for (int i = 0; i < sim->sliding.count; i++) {
        const dt_slide *slide = &sim->sliding.of[i];
        dt_law_branches(sim->sliding.system, slide->law)[slide->index] = slide->plain;
    }
}

void dt_sliding_restart(dt_simulation *sim)
{
    dt_system *s = sim->core;
    if (!dt_sliding_now(sim)) {
        return;
    }
    collect(sim, s, sim->core_newton, false);
    measure_all(sim);
    note_rates(&sim->sliding);
    int flat;
    factor(sim, &sim->sliding.kept, &flat);
    put_back(sim);
    dt_system_set_acceleration(s, dt_v_of(sim, sim->yp), dt_f_of(sim, sim->y));
    dt_system_forces(s);
}

/** Whether a weight, by its slope, is near where its switch leaves. */
static bool near_the_end(const dt_simulation *sim)
{
    bool near = false;
    for (int i = 0; i < sim->sliding.count && !near; i++) {
        const double w = sim->sliding.of[i].weight;
        near = !(w > doubtful && w < 1 - doubtful);
    }
    return near;
}

void dt_sliding_settle(dt_simulation *sim, bool always)
{
    if (!dt_sliding_now(sim)) {
        return;
    }
    collect(sim, sim->core, sim->core_newton, false);
    if (!always && !near_the_end(sim)) {
        return;
    }
    if (balance(sim)) {
        sim->sliding.settled = sim->core->time;
    }
    put_back(sim);
    if (isnan(sim->sliding.settled)) { /* by their slopes, then */
        dt_solve_accelerations(sim->core_newton, sim->core, NULL, NULL);
    }
}

void dt_sliding_forces(dt_simulation *sim, dt_system *s)
{
    const bool settled = sim->sliding.settled == s->time && dt_sliding_now(sim);
    if (settled) {
        set_branches(sim);
    }
    dt_system_forces(s);
    if (settled) {
        put_back(sim);
    }
}

void dt_sliding_roots(const dt_simulation *sim, const dt_law *law, double *g)
{
    for (int i = 0; i < sim->sliding.count && !isnan(sim->sliding.settled); i++) {
        const dt_slide *slide = &sim->sliding.of[i];
        if (slide->law == law) {
            g[2 * slide->index] = slide->weight;
            g[2 * slide->index + 1] = 1 - slide->weight;
        }
    }
}
