#include "stiction/impulse.h"

#include "stiction/search.h"

#include <float.h>
#include <math.h>

/* Impulses this close to their limit, against it, are at it. */
static const double at_limit = 64 * DBL_EPSILON;

/* So many widths of its box a joint is free to go at first, and so many times as far where that does not do. */
static const double as_good_as_free = 1e9;

bool dt_impulse_create(dt_arena *arena, const dt_system *s, dt_impulse *impulse)
{
    const size_t ns = (size_t)s->mechanism->stiction_count;
    impulse->v = dt_arena_alloc(arena, (size_t)s->tree->nv, sizeof *impulse->v);
    impulse->L = dt_arena_alloc(arena, ns, sizeof *impulse->L);
    impulse->noise = dt_arena_alloc(arena, ns, sizeof *impulse->noise);
    impulse->limits = dt_arena_alloc(arena, ns, sizeof *impulse->limits);
    impulse->far = dt_arena_alloc(arena, ns, sizeof *impulse->far);
    impulse->moves = dt_arena_alloc(arena, ns, sizeof *impulse->moves);
    impulse->tied = dt_arena_alloc(arena, ns, sizeof *impulse->tied);
    impulse->begins = dt_arena_alloc(arena, ns, sizeof *impulse->begins);
    return impulse->begins && impulse->v && impulse->L && impulse->noise && impulse->limits &&
           impulse->far && impulse->moves && impulse->tied;
}

/* Friction that has the wrong sign by rounding is none. */
static void read_limits(dt_system *s, int k, double limits[2])
{
    if (s->mode[k] != DETENT_LOCKED) {
        limits[0] = -dt_system_kinetic(s, k, 1);
        limits[1] = dt_system_kinetic(s, k, -1);
    } else if (dt_stiction_law(s, k, DT_STICTION_TEST)->program) {
        limits[0] = -INFINITY;
        limits[1] = INFINITY;
    } else {
        dt_system_limits(s, k, limits);
    }
    limits[0] = fmin(limits[0], 0);
    limits[1] = fmax(limits[1], 0);
}

void dt_impulse_begin(dt_system *s, dt_impulse *impulse)
{
    memcpy(impulse->v, s->v, (size_t)s->tree->nv * sizeof *s->v);
    impulse->duration = impulse->drive_work = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const double v = s->v[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
        impulse->L[k] = 0;
        impulse->noise[k] = DBL_EPSILON * fabs(v);
        impulse->moves[k] = (signed char)((v > 0) - (v < 0));
        impulse->tied[k] = 0;
        read_limits(s, k, impulse->limits[k]);
        impulse->far[k] = as_good_as_free * (impulse->limits[k][1] - impulse->limits[k][0]);
    }
}

bool dt_impulse_can_stop(const dt_impulse *impulse, int k)
{
    return impulse->moves[k] != 0 && impulse->limits[k][impulse->moves[k] < 0] != 0;
}

/* ---- rates ---- */

/* What is known of dL/dD of joint k. */
static void box_rate(const dt_impulse *impulse, int k, dt_friction_box *box)
{
    const double *limits = impulse->limits[k], width = limits[1] - limits[0];
    const int moves = impulse->moves[k], tied = impulse->tied[k];
    box->side[k] = 0;
    if (moves != 0 || width == 0) {
        box->kind[k] = DT_FRICTION_GIVEN;
        box->f[k] = limits[moves < 0];
    } else if (!isfinite(width) || (tied == 0 && impulse->duration > 0)) {
        box->kind[k] = DT_FRICTION_RIGID;
    } else {
        box->kind[k] = DT_FRICTION_BOXED;
        box->limits[k][0] = tied < 0 ? limits[0] - impulse->far[k] : limits[0];
        box->limits[k][1] = tied > 0 ? limits[1] + impulse->far[k] : limits[1];
    }
}

/* Whether a joint has come to an end of its box that is not there: the end of what was as good as free. */
static bool goes_farther(const dt_friction_box *box, dt_impulse *impulse)
{
    bool any = false;
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_BOXED && box->side[k] * impulse->tied[k] < 0 &&
            isfinite(impulse->far[k])) {
            impulse->far[k] *= as_good_as_free;
            any = true;
        }
    }
    return any;
}

/* Sides and forces of the rates; friction may be tiny beside what acts on its joint. */
static detent_status settle(dt_search *search, dt_impulse *impulse)
{
    dt_friction_box *box = &search->box;
    detent_status status;
    do {
        for (int k = 0; k < box->count; k++) {
            box_rate(impulse, k, box);
        }
        status = dt_round_settle_boxes(search);
    } while (status == DETENT_OK && goes_farther(box, impulse));
    return status;
}

/* dv/dD in box.a, dL/dD in box.f; joints that start to move are marked. */
static detent_status find_rates(dt_search *search, dt_impulse *impulse)
{
    dt_friction_box *box = &search->box;
    const detent_status status = settle(search, impulse);
    for (int k = 0; k < box->count && status == DETENT_OK; k++) {
        const double rate = box->a[box->freedom[k]];
        if (box->kind[k] == DT_FRICTION_BOXED && box->side[k] != 0) {
            impulse->moves[k] = box->side[k];
            impulse->tied[k] = 0;
        } else if (box->kind[k] == DT_FRICTION_GIVEN && impulse->moves[k] == 0 &&
                   fabs(rate) * dt_friction_box_inertia(box, k) > dt_friction_box_noise(box, k)) {
            impulse->moves[k] = rate > 0 ? 1 : -1; /* nothing holds it */
        }
    }
    return status;
}

/* ---- corners ---- */

/* How far D can grow until joint k comes to rest, or to a limit. */
static double reach(const dt_search *search, const dt_impulse *impulse, int k)
{
    const dt_friction_box *box = &search->box;
    const double *limits = impulse->limits[k], D = impulse->duration, L = impulse->L[k];
    if (impulse->moves[k] != 0) {
        const double v = impulse->v[box->freedom[k]], rate = box->a[box->freedom[k]];
        return v != 0 && impulse->moves[k] * rate < 0 ? -v / rate : INFINITY;
    }
    if (!isfinite(limits[1] - limits[0])) {
        return INFINITY;
    }
    double least = INFINITY;
    const double above = limits[1] * D - L, rise = box->f[k] - limits[1];
    const double below = L - limits[0] * D, fall = limits[0] - box->f[k];
    if (rise > 0 && above > 0) {
        least = above / rise;
    }
    if (fall > 0 && below > 0) {
        least = fmin(least, below / fall);
    }
    return least;
}

/* Joint k, whose corner is the next one: at rest, or at a limit. */
static void turn(dt_search *search, dt_impulse *impulse, int k)
{
    const double *limits = impulse->limits[k], D = impulse->duration;
    const int moves = impulse->moves[k];
    if (moves != 0) {
        impulse->v[search->box.freedom[k]] = 0;
        impulse->L[k] = limits[moves < 0] * D;
        impulse->moves[k] = 0;
        impulse->tied[k] = (signed char)moves;
    } else {
        impulse->tied[k] = 2 * impulse->L[k] > (limits[0] + limits[1]) * D ? -1 : 1;
        impulse->L[k] = limits[impulse->tied[k] < 0] * D;
    }
}

/* Whether a joint at rest has left the limit that it was at. */
static bool is_free(const dt_impulse *impulse, int k)
{
    const double limit = impulse->limits[k][impulse->tied[k] < 0] * impulse->duration;
    return fabs(impulse->L[k] - limit) > at_limit * fabs(limit);
}

/*
 * A velocity that is nothing but rounding is none: bodies without friction between them, one of which
 * the impulse stops and the other it does not concern.
 */
static void stop_noise(dt_search *search, double step, dt_impulse *impulse, int k)
{
    dt_friction_box *box = &search->box;
    double *v = &impulse->v[box->freedom[k]];
    if (impulse->moves[k] == 0) {
        *v = 0;
        return;
    }
    impulse->noise[k] += step * dt_friction_box_noise(box, k) / dt_friction_box_inertia(box, k) +
                         DBL_EPSILON * fabs(*v);
    if (fabs(*v) <= impulse->noise[k] && impulse->moves[k] * box->a[box->freedom[k]] < 0) {
        turn(search, impulse, k);
    }
}

/* To the next corner, `step` seconds on. */
static void move_on(dt_search *search, const dt_system *s, double step, dt_impulse *impulse)
{
    dt_friction_box *box = &search->box;
    for (int i = 0; i < s->tree->node_count; i++) {
        const int v = s->tree->nodes[i].v;
        if (dt_is_prescribed(s, i)) {
            impulse->drive_work += step * box->transmitted[v] * s->v[v];
        }
    }
    for (int k = 0; k < box->count; k++) {
        const double corner = reach(search, impulse, k);
        impulse->begins[k] = corner <= step * (1 + at_limit);
    }
    impulse->duration += step;
    for (int j = 0; j < s->tree->nv; j++) {
        impulse->v[j] += step * box->a[j];
    }
    for (int k = 0; k < box->count; k++) {
        impulse->L[k] += step * box->f[k];
        if (impulse->begins[k]) {
            turn(search, impulse, k);
        } else {
            stop_noise(search, step, impulse, k);
        }
        if (!impulse->begins[k] && impulse->moves[k] == 0 && impulse->tied[k] != 0 &&
            is_free(impulse, k)) {
            impulse->tied[k] = 0;
        }
    }
}

static bool all_rest(const dt_impulse *impulse, const unsigned char *stop, int count)
{
    bool rest = true;
    for (int k = 0; k < count; k++) {
        rest = rest && (!stop[k] || impulse->moves[k] == 0);
    }
    return rest;
}

static detent_status follow(dt_search *search, const dt_system *s, const unsigned char *stop,
                            dt_impulse *impulse)
{
    const int most_corners = 20 + 10 * search->box.count;
    for (int corner = 0; corner < most_corners; corner++) {
        double step = INFINITY;
        if (all_rest(impulse, stop, search->box.count)) {
            return DETENT_OK;
        }
        const detent_status status = find_rates(search, impulse);
        if (status != DETENT_OK) {
            return DETENT_NO_CONSISTENT_STATE;
        }
        for (int k = 0; k < search->box.count; k++) {
            step = fmin(step, reach(search, impulse, k));
        }
        if (!isfinite(step)) {
            return DETENT_NO_CONSISTENT_STATE;
        }
        move_on(search, s, step, impulse);
    }
    return DETENT_NO_CONSISTENT_STATE;
}

detent_status dt_impulse_run(dt_search *search, dt_system *s, dt_newton *newton,
                             const unsigned char *stop, dt_impulse *impulse)
{
    dt_search_result result = {0};
    detent_error error;
    dt_search_bind(search, s, newton, &result, &error);
    search->box.impulsive = true;
    const detent_status status = follow(search, s, stop, impulse);
    search->box.impulsive = false;
    return status;
}

double dt_impulse_friction_work(const dt_system *s, const double *before, const dt_impulse *impulse)
{
    double work = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int v = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        work += 0.5 * impulse->L[k] * (before[v] + impulse->v[v]);
    }
    return work;
}
