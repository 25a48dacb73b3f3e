/*
 * Which axes of a loop are askew. A loop that would move in a plane but for one axis does not close at all, or is stuck; that the body
 * which closes it stays open does not tell whose axis it is. The axes of two joints that follow each other round the loop stand on one
 * body, whatever the pose: in a plane loop those of hinges are parallel, and a slide is across a hinge. Where most pairs are so, the
 * others are told.
 */
#include "dynamics/closure_parts.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* Sine of the least angle that is told: what files make of right angles is rounding, and closes. */
static const double least_sine = 1e6 * DBL_EPSILON;

enum { MOST_ASKEW = 2 };

/* On the way round: the last joint with an axis, and what is known of the pairs so far. */
typedef struct axes_round {
    const dt_system *s;
    const dt_tie_row *loop;
    int first, last;      /* nodes; -1: none yet */
    double axis[3];       /* of the last, in the frame that the way has come to */
    double first_axis[3]; /* in the frame where the way began */
    double begun[9];      /* from the frame before the first one to that */
    bool spatial;         /* there is a joint without an axis */
    int plane, askew;     /* pairs */
    int pair[MOST_ASKEW][2];
    double off; /* the largest angle, rad */
} axes_round;

/* The next joint's axis and that of the last one, both in the frame of the body between them. */
static void compare(axes_round *r, int next, const double axis[3])
{
    const bool slides = dt_primitive_slides(r->s->tree->nodes[next].type);
    const bool slid = dt_primitive_slides(r->s->tree->nodes[r->last].type);
    if (slides && slid) {
        return; /* any two slides are in a plane */
    }
    double across[3];
    dt_cross3(across, r->axis, axis);
    const double sine = slides != slid ? fabs(dt_dot3(r->axis, axis)) : dt_norm3(across);
    if (sine <= least_sine) {
        r->plane++;
        return;
    }
    if (r->askew < MOST_ASKEW) {
        r->pair[r->askew][0] = r->last;
        r->pair[r->askew][1] = next;
    }
    r->askew++;
    r->off = fmax(r->off, asin(fmin(1, sine)));
}

/* The way comes to node i, whose axis is known in the frame before it and is the same in the one behind it. */
static void meet(axes_round *r, int i, const double before[3], const double behind[3])
{
    if (r->last >= 0) {
        compare(r, i, before);
    } else {
        r->first = i;
        dt_rotate(r->first_axis, r->begun, before);
    }
    r->last = i;
    memcpy(r->axis, behind, sizeof r->axis);
}

/* From the base of node i, on the way to the loop's ghost, to its own frame. */
static void descend(axes_round *r, int i)
{
    const dt_node *node = &r->s->tree->nodes[i];
    double axis[3], turned[9];
    if (node->type->nv == 1) {
        dt_rotate(axis, node->frame->R, node->frame->axis);
        meet(r, i, axis, node->frame->axis);
        return;
    }
    r->spatial = r->spatial || node->type->nv > 1;
    dt_rotate_back(axis, node->frame->R, r->axis);
    memcpy(r->axis, axis, sizeof axis);
    if (r->first < 0) {
        dt_mul33(turned, r->begun, node->frame->R);
        memcpy(r->begun, turned, sizeof turned);
    }
}

/* From the frame of node i to its base. */
static void ascend(axes_round *r, int i)
{
    const dt_node *node = &r->s->tree->nodes[i];
    double axis[3];
    if (node->type->nv == 1) {
        meet(r, i, node->frame->axis, node->frame->axis);
    }
    r->spatial = r->spatial || node->type->nv > 1;
    dt_rotate(axis, node->frame->R, r->axis);
    memcpy(r->axis, axis, sizeof axis);
}

static bool is_on_way(const axes_round *r, int i)
{
    return i >= 0 && r->loop->kind->includes(r->s, r->loop->item, i);
}

static void descend_to(axes_round *r, int i)
{
    if (is_on_way(r, i)) {
        descend_to(r, r->s->tree->nodes[i].parent);
        descend(r, i);
    }
}

/* From where both ways part down to the ghost, over to the original, and up again. */
static void go_round(axes_round *r)
{
    const dt_loop *loop = &r->s->mechanism->loops[r->loop->item];
    double body[3];
    descend_to(r, loop->node[1]);
    dt_rotate_back(body, loop->pose[1]->R, r->axis);
    dt_rotate(r->axis, loop->pose[0]->R, body);
    for (int i = loop->node[0]; is_on_way(r, i); i = r->s->tree->nodes[i].parent) {
        ascend(r, i);
    }
    if (r->first >= 0 && r->first != r->last) {
        compare(r, r->first, r->first_axis);
    }
}

void dt_closure_tell_axes(const dt_system *s, const dt_tie_row *loop, char *text, size_t size)
{
    text[0] = '\0';
    if (!loop->kind->apart || !loop->kind->includes) {
        return;
    }
    axes_round r = {
        .s = s, .loop = loop, .first = -1, .last = -1, .begun = {[0] = 1, [4] = 1, [8] = 1}};
    go_round(&r);
    if (r.spatial || r.askew == 0 || r.askew > MOST_ASKEW || r.plane < r.askew) {
        return;
    }
    const dt_primitive *p = s->mechanism->primitives;
    const double degrees = r.off * 180 / acos(-1.0);
    const int *one = r.pair[0], *other = r.pair[1];
    if (r.askew == 2 && (one[1] == other[0] || one[0] == other[1])) {
        snprintf(text, size,
                 "; the loop would be plane but for the axis of '%.100s', which is %.3g deg askew",
                 p[one[1] == other[0] ? one[1] : one[0]].name, degrees);
    } else if (r.askew == 2) {
        snprintf(text, size,
                 "; the loop would be plane but for the axes of '%.60s' and '%.60s', '%.60s' and "
                 "'%.60s', which are up to %.3g deg askew to each other",
                 p[one[0]].name, p[one[1]].name, p[other[0]].name, p[other[1]].name, degrees);
    } else {
        snprintf(
            text, size,
            "; the loop would be plane but for the axes of '%.60s' and '%.60s', which are %.3g "
            "deg askew to each other",
            p[one[0]].name, p[one[1]].name, degrees);
    }
}
