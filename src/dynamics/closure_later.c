/*
 * Where a joint of a loop goes whose velocity and acceleration are zero while others move: a toggle that a crank straightens at its own
 * dead centre moves as the fourth power of what is left. Its direction is that of the first derivative that is not zero, and it is asked for
 * where the loop is a little farther on: there the velocity that follows from the others is far above its rounding, or there is none, and
 * nothing moves the joint.
 */
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"

static const double little = 1e-2; /* of the size of the loop, or rad */

/* In that, velocities of joints that do not move are known beside the fastest. */
static const double rounding = 1e-10;

/* All that is tied with a node goes on with its velocities. */
static void go_on(dt_system *s, int node, double time)
{
    const dt_still *still = s->closure->still;
    for (int n = 0; n < still->tied_count; n++) {
        const int i = still->tied[n];
        const dt_node *own = &s->tree->nodes[i];
        for (int j = 0; j < own->type->nv && still->cluster[i] == still->cluster[node]; j++) {
            if (s->v[own->v + j] != 0) {
                dt_closure_move(s, i, j, time * s->v[own->v + j]);
            }
        }
    }
}

double dt_closure_later(dt_system *s, int node)
{
    dt_closure *c = s->closure;
    const size_t nq = (size_t)s->tree->nq * sizeof *s->q, nv = (size_t)s->tree->nv * sizeof *s->v;
    const int v = s->tree->nodes[node].v;
    if (c->open || !c->dependent[v] || !c->kept[v] || s->v[v] != 0) {
        return 0; /* first, for most are asked in vain */
    }
    const double fastest = dt_closure_fastest(s, s->v, node);
    if (!(fastest > 0)) {
        return 0;
    }
    const double time = little * dt_closure_reach(s) / fastest;
    memcpy(c->base, s->q, nq);
    memcpy(c->step, s->v, nv);
    go_on(s, node, time);
    dt_system_set_state(s, s->time, s->q, s->v);
    const double there = c->open ? 0 : s->v[v];
    const bool moves = fabs(there) > rounding * fastest * c->freedom_unit[v];
    memcpy(s->v, c->step, nv);
    dt_system_set_state(s, s->time, c->base, s->v);
    return moves ? there / time : 0;
}
