#include "ties.h"

#include "model/mechanism.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Of the mechanism's length, and of its speed: what a loop may be open. */
static const double position_bound = 1e-12, velocity_bound = 1e-11;

void ties_create(ties *t, const detent_mechanism *m)
{
    memset(t, 0, sizeof *t);
    t->mechanism = m;
    dt_arena_init(&t->arena, NULL);
    t->motion = dt_motion_create(&t->arena, &m->tree);
    t->part = dt_arena_alloc(&t->arena, (size_t)m->tree.part_count, sizeof *t->part);
    t->position = dt_arena_alloc(&t->arena, (size_t)m->tree.nv + 1, sizeof *t->position);
    t->velocity = dt_arena_alloc(&t->arena, (size_t)m->tree.nv + 1, sizeof *t->velocity);
    if (!t->motion || !t->part || !t->position || !t->velocity) {
        abort();
    }
}

void ties_measure(ties *t, const detent_simulation *simulation)
{
    for (int i = 0; i < t->mechanism->primitive_count; i++) {
        const dt_node *node = &t->mechanism->tree.nodes[i];
        detent_scale scale = DETENT_INIT(detent_scale);
        detent_get_scale(simulation, (size_t)i, &scale, NULL);
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            t->position[j] = scale.position;
            t->velocity[j] = scale.velocity;
        }
    }
}

void ties_destroy(ties *t)
{
    dt_arena_free(&t->arena);
}

/* How large the part of a loop is now: its places of joints, and the loop itself; and how fast. What else there is does not loosen it. */
static void measure(const ties *t, const dt_loop *loop, double *length, double *speed)
{
    const dt_tree *tree = &t->mechanism->tree;
    const int part = tree->nodes[loop->node[0]].part;
    *length = dt_norm3(t->mechanism->loads[loop->end].point);
    *speed = 0;
    for (int i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].part != part) {
            continue;
        }
        const dt_motion *m = &t->motion[i];
        double r[3], u[3];
        for (int k = 0; k < 3; k++) {
            r[k] = m->p[k] - t->part[part].origin[k];
        }
        dt_cross3(u, m->V, r);
        for (int k = 0; k < 3; k++) {
            u[k] += m->V[3 + k];
        }
        *length = fmax(*length, dt_norm3(m->p));
        *speed = fmax(*speed, dt_norm3(u));
    }
}

/* How far ghost and original are apart: translation, m, and rotation, rad; and velocities. */
static void measure_loop(const ties *t, const dt_loop *loop, double gap[2], double rate[2])
{
    double p[2][3], R[2][9], w[2][3], u[2][3], d[3], spin[3], sum = 0;
    for (int e = 0; e < 2; e++) {
        const dt_load *place = &t->mechanism->loads[loop->end + e];
        const dt_motion *m = &t->motion[place->node];
        double r[3];
        dt_motion_point(m, place->point, p[e]);
        dt_mul33(R[e], m->R, place->R);
        for (int k = 0; k < 3; k++) {
            r[k] = p[e][k] - t->part[place->part].origin[k];
            w[e][k] = m->V[k];
        }
        dt_cross3(u[e], m->V, r);
        for (int k = 0; k < 3; k++) {
            u[e][k] += m->V[3 + k];
        }
    }
    for (int k = 0; k < 9; k++) {
        sum += (R[1][k] - R[0][k]) * (R[1][k] - R[0][k]);
    }
    for (int k = 0; k < 3; k++) {
        d[k] = p[1][k] - p[0][k];
        spin[k] = w[1][k] - w[0][k];
        u[0][k] = u[1][k] - u[0][k];
    }
    gap[0] = dt_norm3(d), gap[1] = sqrt(sum / 2);
    rate[0] = dt_norm3(u[0]), rate[1] = dt_norm3(spin);
}

static double fastest_turn(const ties *t)
{
    double most = 0;
    for (int i = 0; i < t->mechanism->tree.node_count; i++) {
        const dt_node *node = &t->mechanism->tree.nodes[i];
        most = fmax(most, dt_norm3(t->motion[i].V));
        if (node->type->rotational && node->type->nv > 0) {
            most = fmax(most, t->velocity[node->v]);
        }
    }
    return most;
}

/* The sum of a coupling, over the sum of its terms, or of what they ordinarily are. */
static void measure_coupling(const ties *t, const dt_transmission *of, const double *q,
                             const double *v, double *gap, double *rate)
{
    const dt_tree *tree = &t->mechanism->tree;
    double sum = -of->offset, size = fabs(of->offset), speed = 0, fast = 0;
    for (int k = 0; k < of->count; k++) {
        const dt_node *node = &tree->nodes[of->joint[k]];
        sum += of->factor[k] * q[node->q];
        size += fabs(of->factor[k]) * (fabs(q[node->q]) + t->position[node->v]);
        speed += of->factor[k] * v[node->v];
        fast += fabs(of->factor[k]) * (fabs(v[node->v]) + t->velocity[node->v]);
    }
    *gap = fabs(sum) / size;
    *rate = fabs(speed) / fast;
}

/* What has turned often, on the ways from the ground to where a loop is cut, is known to fewer places. */
static double grain(const ties *t, const dt_loop *loop, const double *q)
{
    const dt_tree *tree = &t->mechanism->tree;
    double most = 0;
    for (int e = 0; e < 2; e++) {
        for (int i = loop->node[e]; i >= 0; i = tree->nodes[i].parent) {
            const dt_node *node = &tree->nodes[i];
            const bool turns = node->type->rotational && node->type->nq == 1;
            most = turns ? fmax(most, fabs(q[node->q])) : most;
        }
    }
    return 4 * DBL_EPSILON * most;
}

static bool judge(ties *t, const char *name, double gap, double rate, char *words, size_t capacity)
{
    t->worst[0] = fmax(t->worst[0], gap / position_bound);
    t->worst[1] = fmax(t->worst[1], rate / velocity_bound);
    if (gap <= position_bound && rate <= velocity_bound) {
        return true;
    }
    snprintf(words, capacity, "ties: '%s' is open by %g of its size, its velocities by %g", name,
             gap, rate);
    return false;
}

bool ties_hold(ties *t, const double *q, const double *v, char *words, size_t capacity)
{
    const detent_mechanism *m = t->mechanism;
    bool ok = true;
    if (m->loop_count > 0) {
        dt_motion_pose(&m->tree, q, t->motion, t->part);
        dt_motion_velocity(&m->tree, v, t->motion);
    }
    for (int l = 0; l < m->loop_count && ok; l++) {
        double gap[2], rate[2], length, speed;
        measure(t, &m->loops[l], &length, &speed);
        measure_loop(t, &m->loops[l], gap, rate);
        const double turn = fmax(fastest_turn(t), speed / length);
        const double far = fmax(0, fmax(gap[0] / length, gap[1]) - grain(t, &m->loops[l], q));
        const double fast = turn > 0 ? fmax(rate[0] / (length * turn), rate[1] / turn) : 0;
        ok = judge(t, m->joints[m->loops[l].joint].name, far, fast, words, capacity);
    }
    for (int k = 0; k < m->transmission_count && ok; k++) {
        double gap, rate;
        measure_coupling(t, &m->transmissions[k], q, v, &gap, &rate);
        ok = judge(t, m->transmissions[k].name, gap, rate, words, capacity);
    }
    return ok;
}
