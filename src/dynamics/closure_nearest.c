/* Of all positions that close the loops the nearest ones to what was asked for: Gauss and Newton's method ends near these, and where it ends
 * depends on which joint is cut. From closed positions x towards x0, at a distance d = x0 - x, goes the part of d that no row forbids,
 *     p = d - W G' (G W G')^-1 G d,
 * and the loops are closed again from there, until p is nothing; W: weights of freedoms. Steps that bring nothing nearer are made shorter
 * (projected gradients; Luenberger, The gradient projection method along geodesics, Management Science 18 (1972) 620).
 */
#include "dynamics/closure_parts.h"

enum { MOST_STEPS = 200, MOST_ROUNDS = 40 };

/* The way of node i to where it was asked to be; a turn as a vector in the follower's frame. */
static void way_back(const dt_system *s, int i, double *way)
{
    const dt_node *node = &s->tree->nodes[i];
    const double *a = s->q + node->q, *b = s->closure->start + node->q;
    if (node->type->nq == node->type->nv) {
        for (int j = 0; j < node->type->nv; j++) {
            way[j] = b[j] - a[j];
        }
        return;
    }
    /* conjugate of a, times b */
    const double w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3],
                 x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2],
                 y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1],
                 z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0],
                 sine = sqrt(x * x + y * y + z * z), sign = w < 0 ? -1 : 1,
                 part = sine > 0 ? sign * 2 * atan2(sine, fabs(w)) / sine : 2;
    way[0] = part * x;
    way[1] = part * y;
    way[2] = part * z;
}

/* The ways of all that may move, into s->v; returns their size, squared: what is to be least. */
static double ways_back(dt_system *s, double length)
{
    const dt_closure *c = s->closure;
    double sum = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double weight = c->ease[i] * dt_closure_weight(node, length);
        double *way = s->v + node->v;
        way_back(s, i, way);
        for (int j = 0; j < node->type->nv; j++) {
            way[j] = c->held[i] ? 0 : way[j];
            sum += way[j] * way[j] / (weight * weight);
        }
    }
    return sum / (length * length);
}

/* The largest of the steps in s->v, rad or lengths, where what follows by couplings counts as what it follows. */
static double largest(const dt_system *s, double length)
{
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double own = dt_closure_weight(node, length) * length * s->closure->lever[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            most = fmax(most, fabs(s->v[v]) / own);
        }
    }
    return most;
}

/* From c->near a part of the steps in s->v, loops closed there; returns the distance, squared, or infinity. */
static double try_step(dt_system *s, double part, double length)
{
    dt_closure *c = s->closure;
    memcpy(s->q, c->near, (size_t)s->tree->nq * sizeof *s->q);
    for (int i = 0; i < s->tree->node_count; i++) {
        for (int j = 0; j < s->tree->nodes[i].type->nv && !c->held[i]; j++) {
            dt_closure_move(s, i, j, part * s->v[s->tree->nodes[i].v + j]);
        }
    }
    dt_system_pose(s);
    memcpy(c->step, s->v, (size_t)s->tree->nv * sizeof *s->v);
    const bool closes = dt_closure_close(s, MOST_ROUNDS);
    const double distance = closes ? ways_back(s, length) : INFINITY;
    memcpy(s->v, c->step, (size_t)s->tree->nv * sizeof *s->v);
    return distance;
}

void dt_closure_come_near(dt_system *s)
{
    static const double least = 1e-11, longest = 0.3, shortest = 1e-3,
                        rounding = 1e-13; /* of a squared distance */
    dt_closure *c = s->closure;
    double part = 1, last = INFINITY;
    memcpy(c->near, s->q, (size_t)s->tree->nq * sizeof *s->q);
    for (int k = 0; k < MOST_STEPS && part > shortest; k++) {
        dt_closure_choose(s);
        const double length = dt_closure_spread(s); /* as dt_closure_close_velocities() has it */
        const double before = ways_back(s, length);
        dt_closure_close_velocities(s);
        const double size = largest(s, length);
        if (size <= least || (size < 1e-7 && size >= last)) {
            break;
        }
        last = size;
        part = fmin(1, fmin(2 * part, longest / size));
        while (part > shortest && !(try_step(s, part, length) <= before * (1 + rounding))) {
            part *= 0.5;
        }
        if (part > shortest) {
            memcpy(c->near, s->q, (size_t)s->tree->nq * sizeof *s->q);
            c->rounds++;
        }
    }
    memcpy(s->q, c->near, (size_t)s->tree->nq * sizeof *s->q);
    memcpy(s->v, s->mechanism->velocity, (size_t)s->tree->nv * sizeof *s->v);
    dt_system_prescribe(s);
    dt_system_pose(s);
}
