#include "stiction/dense_box.h"

#include "stiction/coupled.h"

#include <math.h>

/* Stictions whose matrix is still worth its memory. */
static const int most_joints = 400;

bool dt_dense_box_create(dt_arena *arena, const dt_system *system, dt_dense_box *dense)
{
    const int count = system->mechanism->stiction_count;
    *dense = (dt_dense_box){.most = 0};
    if (!system->mechanism->ties_stictions || count > most_joints) {
        return true;
    }
    const size_t n = (size_t)count;
    dense->most = count;
    dense->W = dt_arena_alloc(arena, n * n, sizeof *dense->W);
    dense->c = dt_arena_alloc(arena, n, sizeof *dense->c);
    dense->f = dt_arena_alloc(arena, n, sizeof *dense->f);
    dense->joint = dt_arena_alloc(arena, n, sizeof *dense->joint);
    dense->size = dt_arena_alloc(arena, n, sizeof *dense->size);
    return dense->W && dense->c && dense->f && dense->joint && dense->size;
}

static int list_joints(dt_dense_box *dense, const dt_friction_box *box)
{
    int count = 0;
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_BOXED) {
            dense->joint[count++] = k;
        }
    }
    return count;
}

/* The accelerations of the joints where all of them move, with a friction of `size` of the one numbered `which`. */
static bool accelerations(const dt_dense_box *dense, dt_search *search, int count, int which,
                          double size, double *a)
{
    dt_couple_impose(search);
    for (int k = 0; k < count; k++) {
        dt_couple_free(search, dense->joint[k], k == which ? size : 0);
    }
    if (!dt_couple_solve(search)) {
        return false;
    }
    for (int k = 0; k < count; k++) {
        a[k] = search->system->a[search->box.freedom[dense->joint[k]]];
    }
    return true;
}

/* Half the width of each box; where there is none, what the force of its joint is summed from. */
static void measure(dt_dense_box *dense, dt_friction_box *box, int count)
{
    for (int k = 0; k < count; k++) {
        const int joint = dense->joint[k];
        double size = 0.5 * dt_limits_width(box->limits[joint]);
        size = size > 0 ? size : dt_friction_box_size(box, box->node[joint], 0);
        dense->size[k] = size > 0 ? size : 1;
    }
}

/* W and c, frictions in their measures. */
static bool form(dt_dense_box *dense, dt_search *search, int count)
{
    if (!accelerations(dense, search, count, -1, 0, dense->c)) {
        return false;
    }
    for (int j = 0; j < count; j++) {
        double *column = dense->W + (size_t)j * (size_t)count;
        if (!accelerations(dense, search, count, j, dense->size[j], column)) {
            return false;
        }
        for (int k = 0; k < count; k++) {
            column[k] -= dense->c[k];
        }
    }
    return true;
}

/* Accelerations beside the terms that they are summed from: what is less is a joint that a loop holds, at its limit. */
static const double rest = 1e-9;

/* The side that friction f, in its measure, and acceleration a stand for. */
static signed char side_of(double f, double a, double low, double high)
{
    return f <= low && a > 0 ? 1 : f >= high && a < 0 ? -1 : 0;
}

/* One sweep over all joints; returns the largest change of a friction, in its measure. */
static double sweep(const dt_dense_box *dense, dt_friction_box *box, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++) {
        const int joint = dense->joint[k];
        const double size = dense->size[k], own = dense->W[(size_t)k * (size_t)count + (size_t)k];
        const double low = box->limits[joint][0] / size, high = box->limits[joint][1] / size;
        double a = dense->c[k], terms = fabs(a);
        for (int j = 0; j < count; j++) {
            const double term = dense->W[(size_t)j * (size_t)count + (size_t)k] * dense->f[j];
            a += term;
            terms += fabs(term);
        }
        if (own > 0) {
            const double f = fmin(fmax(dense->f[k] - a / own, low), high);
            most = fmax(most, fabs(f - dense->f[k]));
            dense->f[k] = f;
        }
        const signed char side =
            own > 0 && fabs(a) > rest * terms ? side_of(dense->f[k], a, low, high) : 0;
        box->side[joint] = side;
    }
    return most;
}

bool dt_dense_box_run(dt_dense_box *dense, dt_search *search)
{
    enum { MOST = 50000 };
    static const double enough = 1e-11;
    if (dense->most == 0) {
        return false;
    }
    const int count = list_joints(dense, &search->box);
    measure(dense, &search->box, count);
    if (count == 0 || !form(dense, search, count)) {
        return false;
    }
    memset(dense->f, 0, (size_t)count * sizeof *dense->f);
    for (int round = 0; round < MOST && sweep(dense, &search->box, count) > enough; round++) {
    }
    return true;
}
