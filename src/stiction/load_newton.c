/*
 * Loads that agree with the boxes of a round, r = G(r) (loads_map.c), by Newton's method on the whole.
 *
 * On the sides of the boxes at r the equations of motion are smooth, with joints that begin to move at the limits of
 * their boxes, which follow the loads: one linear-time solve (tree_newton.h) gives the change d of accelerations and
 * frictions that would solve them if sides and slopes stayed. e(r) = G(r) - r is piecewise smooth, and d makes e
 * shorter at the rate -e: so r += w d, with w halved until |e| falls. Where the last sides are those of the solution
 * it converges in the second order, whatever the gain of friction by the reactions that it causes.
 */
#include "stiction/loads_map.h"

#include "dynamics/closure.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { most_steps = 200, most_halvings = 7, most_setbacks = 12 };

/* Setbacks after which e is taken for rounding that is made larger on its way, and how many roundings that may be. */
enum { few_setbacks = 4 };
static const double near = 100;

/* Steps where |e| falls nowhere: of so many lengths, 1 and shorter. */
enum { lengths = 5 };
static const double shorter = 0.15;

/* Of friction, at first and at least. */
static const double first_share = 1.0 / 8, least_share = 1.0 / 256;

/* Of |e|, that a step of weight 1 must at least bring. */
static const double least_gain = 0.1;

/*
 * Linear solves that a search may take here, in all of its rounds and attempts, and more for every joint: a state that has
 * no solution is to be refused in good time. Some three (200 joints) to ten times what those take that are found.
 */
enum { solves_at_least = 4000, solves_per_joint = 1000 };

/* How far e is from zero. */
typedef struct misfit {
    double largest, length;
    double free; /* the largest of nodes that no motion prescribes */
} misfit;

bool dt_load_newton_create(dt_arena *arena, const dt_system *s, dt_load_newton *work)
{
    const size_t count = (size_t)s->mechanism->stiction_count, nv = (size_t)s->tree->nv;
    work->a_first = dt_arena_alloc(arena, nv, sizeof *work->a_first);
    work->f_first = dt_arena_alloc(arena, count, sizeof *work->f_first);
    work->a = dt_arena_alloc(arena, nv, sizeof *work->a);
    work->f = dt_arena_alloc(arena, count, sizeof *work->f);
    work->da = dt_arena_alloc(arena, nv, sizeof *work->da);
    work->df = dt_arena_alloc(arena, count, sizeof *work->df);
    work->bound = dt_arena_alloc(arena, count, sizeof *work->bound);
    if (s->closure && s->closure->stress) {
        const size_t rows = (size_t)s->closure->rows;
        work->m_first = dt_arena_alloc(arena, rows, sizeof *work->m_first);
        work->m = dt_arena_alloc(arena, rows, sizeof *work->m);
        work->dm = dt_arena_alloc(arena, rows, sizeof *work->dm);
        if (!work->m_first || !work->m || !work->dm) {
            return false;
        }
    }
    return work->a_first && work->f_first && work->a && work->f && work->da && work->df &&
           work->bound;
}

static void keep(const dt_system *s, double *a, double *f, double *m)
{
    memcpy(a, s->a, (size_t)s->tree->nv * sizeof *a);
    memcpy(f, s->f, (size_t)s->mechanism->stiction_count * sizeof *f);
    if (m) {
        memcpy(m, s->multiplier, (size_t)s->closure->rows * sizeof *m);
    }
}

/* The readings that the round starts from. */
static void keep_first(dt_search *search)
{
    dt_load_newton *work = &search->load_newton;
    keep(search->system, work->a_first, work->f_first, work->m_first);
}

static void return_to_first(dt_search *search)
{
    const dt_load_newton *work = &search->load_newton;
    dt_system *s = search->system;
    if (work->m_first) {
        memcpy(s->multiplier, work->m_first, (size_t)s->closure->rows * sizeof *s->multiplier);
    }
    dt_system_set_acceleration(s, work->a_first, work->f_first);
}

void dt_load_newton_begin(dt_search *search)
{
    search->load_newton.budget =
        solves_at_least + solves_per_joint * (double)search->system->mechanism->stiction_count;
}

void dt_load_newton_keep(dt_search *search)
{
    keep_first(search);
}

/* e of the system's readings; infinite where they have no boxes, or none that settle. */
static detent_status evaluate(dt_search *search, misfit *e)
{
    double product, square;
    *e = (misfit){INFINITY, INFINITY, INFINITY};
    if (search->load_newton.budget <= 0) {
        return DETENT_OK;
    }
    if (dt_friction_box_is_stopped(&search->box)) {
        return dt_fail(search->error, DETENT_INTERRUPTED, NULL,
                       "interrupted in the search at t = %.9g s", search->system->time);
    }
    const size_t before = search->box.solves;
    const detent_status status = dt_loads_map(search);
    search->load_newton.budget -= (double)(search->box.solves - before);
    if (status != DETENT_OK) {
        return status == DETENT_INTERRUPTED ? status : DETENT_OK;
    }
    e->largest = dt_loads_compare(search, &product, &square);
    e->length = e->free = 0;
    for (int i = 0; i < search->system->tree->node_count; i++) {
        const bool compared = search->system->tree->nodes[i].type->nv == 1;
        e->length += compared ? search->mismatch[i] * search->mismatch[i] : 0;
        if (compared && !dt_is_prescribed(search->system, i)) {
            e->free = fmax(e->free, fabs(search->mismatch[i]));
        }
    }
    e->length = isfinite(e->length) ? sqrt(e->length) : INFINITY;
    return DETENT_OK;
}

/* The limits at which joints are that begin to move. */
static void set_bounds(dt_search *search)
{
    const dt_friction_box *box = &search->box;
    dt_couple_impose(search);
    /* joints that move on have their kinetic friction, and so have those that start as decreed */
    for (int k = 0; k < box->count; k++) {
        const bool boxed = box->kind[k] == DT_FRICTION_BOXED && box->side[k] != 0;
        const bool hair = boxed && dt_search_decree(search, k) == box->side[k];
        search->load_newton.bound[k] = (dt_friction_bound){.of_rest = boxed && !search->released[k],
                                                           .less = hair ? search->hair[k] : 0,
                                                           .share = search->share};
    }
}

/* The step from the system's readings at the sides of the box. */
static detent_status find_step(dt_search *search)
{
    dt_system *s = search->system;
    dt_load_newton *work = &search->load_newton;
    const double *da, *df, *dm;
    keep(s, work->a, work->f, work->m);
    set_bounds(search);
    s->bound = work->bound;
    const detent_status status = dt_acceleration_step(search->newton, s, &da, &df, &dm, NULL);
    s->bound = NULL;
    search->box.solves++;
    if (status == DETENT_OK) {
        memcpy(work->da, da, (size_t)s->tree->nv * sizeof *da);
        memcpy(work->df, df, (size_t)search->box.count * sizeof *df);
        if (work->dm) {
            memcpy(work->dm, dm, (size_t)s->closure->rows * sizeof *dm);
        }
    }
    return status;
}

/* r += weight d */
static void move(dt_search *search, double weight)
{
    dt_system *s = search->system;
    const dt_load_newton *work = &search->load_newton;
    for (int j = 0; j < s->tree->nv; j++) {
        s->a[j] = work->a[j] + weight * work->da[j];
    }
    for (int k = 0; k < search->box.count; k++) {
        s->f[k] = work->f[k] + weight * work->df[k];
    }
    for (int r = 0; work->m && r < s->closure->rows; r++) {
        s->multiplier[r] = work->m[r] + weight * work->dm[r];
    }
    dt_system_set_acceleration(s, s->a, s->f);
}

/*
 * Moves along the step as far as |e| falls. Where it falls nowhere sides turn over that the step knows nothing of: then a
 * long step is made all the same, a shorter one after every setback, so that no round of sides is gone through twice.
 */
static detent_status search_line(dt_search *search, int setbacks, misfit *e)
{
    const double before = e->length;
    double weight = 1;
    for (int k = 0; k < most_halvings; k++, weight /= 2) {
        move(search, weight);
        const detent_status status = evaluate(search, e);
        if (status != DETENT_OK || e->length < before * (1 - least_gain * weight)) {
            return status;
        }
    }
    move(search, 1 - shorter * (setbacks % lengths));
    return evaluate(search, e);
}

/* Newton's method from the system's readings. */
static detent_status iterate(dt_search *search, bool *settled)
{
    const double rounding = dt_friction_box_rounding(&search->box);
    double least = INFINITY;
    misfit e;
    int setbacks = 0;
    detent_status status = evaluate(search, &e);
    for (int k = 0; k < most_steps && status == DETENT_OK && setbacks <= most_setbacks; k++) {
        /* Far out on a chain that falls freely friction is rounding; and what a motion takes in a loop that is held is known less exactly
           than what joints do: e comes no nearer, and verification judges. */
        *settled = e.largest <= rounding || (setbacks > few_setbacks && e.free <= near * rounding);
        if (*settled || !isfinite(e.length) || find_step(search) != DETENT_OK) {
            break;
        }
        setbacks = e.length < 0.9 * least ? 0 : setbacks + 1;
        least = fmin(least, e.length);
        status = search_line(search, setbacks, &e);
    }
    if (*settled) {
        dt_loads_move(search, 1);
    }
    return status;
}

/*
 * Friction of `share` of what laws ask for, from little friction on: with little of it there is one solution, and where
 * the share grows the solution goes with it. Steps are halved where it does not follow.
 */
static detent_status grow_friction(dt_search *search, bool *settled)
{
    const dt_load_newton *work = &search->load_newton;
    double share = 0, step = first_share;
    detent_status status = DETENT_OK;
    while (share < 1 && step >= least_share && work->budget > 0 && status == DETENT_OK) {
        bool follows = false;
        return_to_first(search);
        search->share = fmin(share + step, 1);
        status = iterate(search, &follows);
        if (follows) {
            share = search->share;
            step *= 2;
            keep_first(search);
        } else {
            step /= 2;
        }
    }
    search->share = 1;
    *settled = share >= 1;
    return status;
}

detent_status dt_load_newton_run(dt_search *search, bool *settled)
{
    return_to_first(search);
    const detent_status status = iterate(search, settled);
    return status == DETENT_OK && !*settled ? grow_friction(search, settled) : status;
}
