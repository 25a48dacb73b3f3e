#include "model/reach.h"

#include "math/vec3.h"

#include <float.h>
#include <string.h>

static bool is_across(const double a[3], const double b[3])
{
    const double along = dt_dot3(a, b);
    return along * along <= DBL_EPSILON * dt_dot3(a, a) * dt_dot3(b, b);
}

bool dt_is_parallel(const double a[3], const double b[3])
{
    double across[3];
    dt_cross3(across, a, b);
    return dt_dot3(across, across) <= DBL_EPSILON * dt_dot3(a, a) * dt_dot3(b, b);
}

static bool is_zero(const double a[3])
{
    return a[0] == 0.0 && a[1] == 0.0 && a[2] == 0.0;
}

/* The group in the frame of the child. */
static void see_from(dt_reach *reach, const double R[9], const double p[3])
{
    const dt_reach there = *reach;
    double from[3];
    dt_rotate_back(reach->axis, R, there.axis);
    for (int k = 0; k < 3; k++) {
        dt_rotate_back(reach->slide[k], R, there.slide[k]);
        from[k] = there.centre[k] - p[k];
    }
    dt_rotate_back(reach->centre, R, from);
}

static void make_all(dt_reach *reach)
{
    reach->turns = reach->slides = 3;
}

/* Turns about `axis` through the node's origin. */
static void add_turn(dt_reach *reach, const double axis[3])
{
    if (reach->turns == 0) {
        bool planar = true;
        for (int k = 0; k < reach->slides; k++) {
            planar = planar && is_across(axis, reach->slide[k]);
        }
        reach->turns = 1;
        reach->slides = reach->slides == 0 ? 0 : planar ? 2 : 3;
        memcpy(reach->axis, axis, sizeof reach->axis);
        memset(reach->centre, 0, sizeof reach->centre);
    } else if (reach->turns == 1 && dt_is_parallel(axis, reach->axis)) {
        if (reach->slides == 0 && !is_zero(reach->centre) && !dt_is_parallel(axis, reach->centre)) {
            reach->slides = 2;
        }
    } else if (reach->slides == 0 && is_zero(reach->centre)) {
        reach->turns = 3;
    } else {
        make_all(reach);
    }
}

static void add_turns(dt_reach *reach)
{
    const bool centred = dt_reach_is_fixed(reach) ||
                         (reach->turns > 0 && reach->slides == 0 && is_zero(reach->centre));
    make_all(reach);
    if (centred) {
        reach->slides = 0;
        memset(reach->centre, 0, sizeof reach->centre);
    }
}

static void add_slide(dt_reach *reach, const double along[3])
{
    if (reach->turns == 0) {
        double rest[3] = {along[0], along[1], along[2]};
        for (int k = 0; k < reach->slides; k++) {
            const double part = dt_dot3(rest, reach->slide[k]);
            for (int j = 0; j < 3; j++) {
                rest[j] -= part * reach->slide[k][j];
            }
        }
        const double length = dt_norm3(rest);
        for (int j = 0; j < 3 && length * length > DBL_EPSILON; j++) {
            reach->slide[reach->slides][j] = rest[j] / length;
        }
        reach->slides += length * length > DBL_EPSILON;
    } else if (reach->turns == 1 && reach->slides < 3 && is_across(along, reach->axis)) {
        reach->slides = 2;
    } else {
        reach->slides = 3;
    }
}

/* A motion turns or moves what carries the node against what follows. */
static void loosen(dt_reach *reach, const dt_node *node)
{
    if (dt_reach_is_fixed(reach)) {
        return;
    }
    if (reach->turns == 0) {
        reach->slides = node->type->rotational ? 3 : reach->slides;
        for (int k = 0; k < 9 && node->type->rotational; k++) {
            reach->slide[k / 3][k % 3] = k % 4 == 0 ? 1.0 : 0.0;
        }
    } else if (reach->turns == 1 &&
               (!node->type->rotational || dt_is_parallel(node->frame->axis, reach->axis))) {
        reach->slides = reach->slides == 0 ? 2 : reach->slides;
    } else {
        make_all(reach);
    }
}

void dt_reach_extend(dt_reach *reach, const dt_reach *parent, const dt_node *node,
                     bool is_prescribed, const double R[9], const double p[3])
{
    if (parent) {
        *reach = *parent;
        see_from(reach, R, p);
    } else {
        memset(reach, 0, sizeof *reach);
    }
    if (node->type->nv == 0) {
        return;
    }
    if (is_prescribed) {
        loosen(reach, node);
    } else if (node->type->nv > 1) {
        add_turns(reach);
    } else if (node->type->rotational) {
        add_turn(reach, node->frame->axis);
    } else {
        add_slide(reach, node->frame->axis);
    }
}
