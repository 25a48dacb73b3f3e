#include "stiction/coupled.h"

#include "dynamics/closure.h"
#include "dynamics/split.h"

#include <math.h>

/* ---- solving ---- */

/* Modes and directions of the candidates as their sides are; friction of the box where it moves. */
static void impose_sides(dt_search *search, const dt_friction_box *box)
{
    dt_system *s = search->system;
    for (int k = 0; k < box->count; k++) {
        search->pin[k] = search->aside[k] ? 0 : NAN;
        if (!search->candidate[k]) {
            continue;
        }
        const int side = box->kind[k] == DT_FRICTION_RIGID ? 0 : box->side[k];
        s->direction[k] = (signed char)side;
        s->mode[k] = side == 0 ? DETENT_LOCKED : DETENT_WAIT;
        s->yielded[k] = 0;
        if (box->kind[k] == DT_FRICTION_BOXED && side != 0 && search->boxes == DT_BOXES_GIVEN) {
            search->pin[k] = box->limits[k][side < 0];
        }
    }
}

void dt_couple_impose(dt_search *search)
{
    impose_sides(search, &search->box);
}

/* The limits of joints at rest at the system's readings, on their own side those that move. */
static void follow_limits(dt_search *search, dt_friction_box *box)
{
    dt_system *s = search->system;
    for (int k = 0; k < box->count; k++) {
        if (search->candidate[k] && box->kind[k] == DT_FRICTION_BOXED) {
            if (box->side[k] == 0) {
                dt_system_static_limits(s, k, box->limits[k]);
            } else {
                dt_system_kinetic_limits(s, k, box->limits[k]);
            }
        }
    }
}

/* Whether a part of the split moves by more than rounding. */
static bool begins(const dt_search *search, dt_friction_box *box, const dt_split_part *part)
{
    const dt_split *split = search->system->closure->split;
    bool any = false;
    for (int i = part->first; i < part->first + part->count && !any; i++) {
        const int k = split->member[i], way = split->way[i];
        const double limit = fabs(box->limits[k][way < 0]);
        const double beyond = limit > 0 ? (1 - 1 / part->used) * fabs(box->f[k]) : fabs(box->f[k]);
        any = way != 0 && beyond > DT_TOLERATED_NOISES * dt_friction_box_noise(box, k);
    }
    return any;
}

/*
 * Who gives way together where no split holds: all joints of the motion that begins, those among them that are so narrow, or so
 * without any width, that they are beyond their limits by nothing but rounding. It does not begin where that is so of all.
 */
static void find_ways(const dt_search *search, dt_friction_box *box)
{
    const dt_split *split = search->system->closure->split;
    memset(box->way, 0, (size_t)box->count);
    for (int p = 0; p < split->part_count; p++) {
        const dt_split_part *part = &split->part[p];
        if (part->columns == 0 || !(part->used > 1) || !begins(search, box, part)) {
            continue;
        }
        for (int i = part->first; i < part->first + part->count; i++) {
            box->way[split->member[i]] = split->way[i];
            box->beyond[split->member[i]] = part->used - 1;
        }
    }
}

/* Joints at rest in a loop share what holds it, within their boxes if there is a way. */
static void share(dt_search *search, dt_friction_box *box)
{
    const dt_closure *closure = search->system->closure;
    if (!closure || !closure->split) {
        return;
    }
    for (int k = 0; k < box->count; k++) {
        search->shares[k] = box->kind[k] == DT_FRICTION_BOXED && box->side[k] == 0;
    }
    dt_split_within(search->system, box->limits, search->shares);
    if (closure->stress) { /* laws follow what is shared */
        dt_split_show_within(search->system);
        memcpy(box->transmitted, search->system->tau,
               (size_t)search->system->tree->nv * sizeof *box->transmitted);
    }
    for (int k = 0; k < box->count; k++) {
        box->f[k] = dt_split_friction(search->system, k);
    }
    find_ways(search, box);
}

static void take_solution(dt_search *search, dt_friction_box *box)
{
    const dt_system *s = search->system;
    const size_t nv = (size_t)s->tree->nv * sizeof(double);
    memcpy(box->a, s->a, nv);
    memcpy(box->transmitted, s->tau, nv);
    memcpy(box->f, s->f, (size_t)box->count * sizeof *box->f);
    box->sized = true; /* by Newton's method */
    share(search, box);
    if (search->boxes == DT_BOXES_FOLLOW) {
        follow_limits(search, box);
    }
}

bool dt_couple_solve(dt_search *search)
{
    dt_system *s = search->system;
    s->pinned = search->pin;
    const detent_status status = dt_search_accelerations(search, NULL);
    s->pinned = NULL;
    return status == DETENT_OK && dt_system_is_finite(s) && dt_closure_agrees(s);
}

/* dt_side_solver */
static int solve(void *context, dt_friction_box *box)
{
    dt_search *search = context;
    impose_sides(search, box);
    if (!dt_couple_solve(search)) {
        return DT_NO_SOLUTION;
    }
    take_solution(search, box);
    return dt_friction_box_factor(box);
}

void dt_couple(dt_search *search, dt_boxes boxes)
{
    search->boxes = boxes;
    search->box.solver = boxes == DT_BOXES_APART ? NULL : solve;
    search->box.solver_context = search;
}

void dt_couple_free(dt_search *search, int k, double friction)
{
    search->system->mode[k] = DETENT_WAIT;
    search->system->direction[k] = 1;
    search->pin[k] = friction;
}

detent_status dt_couple_start(dt_search *search)
{
    dt_system *s = search->system;
    memset(s->a, 0, (size_t)s->tree->nv * sizeof *s->a);
    memset(s->f, 0, (size_t)search->box.count * sizeof *s->f);
    for (int k = 0; k < search->box.count; k++) {
        search->pin[k] = search->candidate[k] ? NAN : 0;
    }
    return dt_couple_solve(search) ? DETENT_OK : DETENT_NO_CONSISTENT_STATE;
}

void dt_couple_open(dt_search *search)
{
    dt_friction_box *box = &search->box;
    for (int k = 0; k < box->count; k++) {
        const bool test = dt_stiction_law(search->system, k, DT_STICTION_TEST)->program;
        box->kind[k] = !search->candidate[k]          ? DT_FRICTION_GIVEN
                       : test && !search->released[k] ? DT_FRICTION_RIGID
                                                      : DT_FRICTION_BOXED;
        box->side[k] = search->candidate[k] ? box->side[k] : 0;
    }
}
