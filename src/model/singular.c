/* Every freedom must move some mass, or its acceleration is infinite.
 *
 * At the initial configuration, from the leaves to the ground, with I_i the inertia of node i:
 *
 *     A_i = I_i + sum over children k of X_k' B_k X_k     what the freedoms of node i have to move
 *     D_i = S_i' A_i S_i + J_i                            must be positive definite; J the armature
 *     B_i = A_i - A_i S_i D_i^-1 S_i' A_i                 what remains for the parent;
 *                                                         A_i where a motion is prescribed
 *
 * D_i is held against the same with the children's A_k instead of their B_k: where a neighbour takes
 * all of the inertia away, as a second hinge on the same axis does, D_i is nothing but rounding. A
 * revolute one is also held against the trace of the rotational inertia, for a point mass on the
 * axis.
 *
 * Far from the ground that is easy to tell. Near the ground of a chain of 100,000 links the inertias
 * *across* the axes have grown by the cube of the number of links, and no scale would be right. There
 * it helps that the sum above can only grow by what is left out: if D_i is positive with the nearest
 * bodies alone (the node's own; where it has no mass those of its children), it is. So two lumps are
 * kept for each node, the near and the far one, and only where both fail does the freedom move nothing.
 * (Where an armature is negative a B_k is no inertia, what is left out may take some away, and only the far lump
 * counts.)
 * Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 7.
 *
 * What takes up the slack of a coupling (one_sided.c) moves nothing by itself. It is left out, and then given an armature so small that
 * nothing that it is coupled to can tell: 2^-90 of the least inertia, seen from there, that these have along them. Smaller is no worse, since all
 * that is ever done with it is to divide by it, and to multiply again.
 *
 * What moves nothing in the tree may be held by a loop. Then the copies of its body lend each other inertia (lend.c), and all
 * is looked at once more. */

#include "math/inertia.h"
#include "math/vec3.h"
#include "model/lend.h"
#include "model/stock.h"

#include <string.h>

#define NOTHING 1e-12

typedef struct dt_lump {
    double rest[36];  /* I plus the children's B: A, and B once the freedoms are taken out */
    double whole[36]; /* I plus the children's A, and A at last */
} dt_lump;

typedef struct dt_lumps {
    dt_lump near, far;
    int next_free;
} dt_lumps;

/* A node has lumps from its first child's turn to its own: a handful are in use at a time. */
typedef struct dt_pool {
    dt_arena *arena;
    dt_list lumps;
    int first_free;  /* -1: none */
    bool near_tells; /* no armature is negative */
    int *of_node;    /* index of its lumps + 1; 0: none yet */
    bool *slack;     /* of each node: it takes up the slack of a coupling; NULL: none does */
    /* Of each node: what its one freedom moves, with those beyond it free; where there is slack. */
    double *along;
    bool *stuck; /* of each node, found here: it moves nothing; NULL: that is an error */
    bool any_stuck;
    /* Of each node: measures what is received there; NULL: nothing is lent. */
    const dt_inertia *given;
} dt_pool;

/* The lumps of a node, empty at first; -1 when memory is out. */
static int take_lumps(dt_pool *pool, int node)
{
    if (pool->of_node[node] > 0) {
        return pool->of_node[node] - 1;
    }
    int index = pool->first_free;
    if (index >= 0) {
        dt_lumps *lumps = DT_AT(pool->lumps, dt_lumps, index);
        pool->first_free = lumps->next_free;
        memset(lumps, 0, sizeof *lumps);
    } else if (dt_list_add(pool->arena, &pool->lumps, sizeof(dt_lumps))) {
        index = pool->lumps.count - 1;
    }
    pool->of_node[node] = index + 1;
    return index;
}

static void give_lumps(dt_pool *pool, int index)
{
    DT_AT(pool->lumps, dt_lumps, index)->next_free = pool->first_free;
    pool->first_free = index;
}

/* M := M + X' B X, where X takes motion from the parent to the child: child frame = (R, p) in the parent. */
static void add_moved(double M[36], const double B[36], const double R[9], const double p[3])
{
    double X[36] = {0}, half[36];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            /* w_child = R' w;  v_child = R' (v + w x p) */
            X[6 * r + c] = X[6 * (r + 3) + c + 3] = R[3 * c + r];
        }
        const double column[3] = {R[r], R[3 + r], R[6 + r]};
        double turned[3];
        dt_cross3(turned, p, column); /* column . (w x p) = w . (p x column) */
        memcpy(&X[6 * (r + 3)], turned, sizeof turned);
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++) {
                sum += B[6 * r + k] * X[6 * k + c];
            }
            half[6 * r + c] = sum;
        }
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            for (int k = 0; k < 6; k++) {
                M[6 * r + c] += X[6 * k + r] * half[6 * k + c];
            }
        }
    }
}

/* Removes one freedom from A. False if it has nothing to move: less than NOTHING of `scale`. */
static bool eliminate(double A[36], const double s[6], double armature, double scale)
{
    double U[6];
    dt_mul66(U, A, s);
    double D = dt_dot6(s, U) + armature;
    if (!(D > NOTHING * scale)) {
        return false;
    }
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            A[6 * r + c] -= U[r] * U[c] / D;
        }
    }
    return true;
}

/* The size that the inertia along `s` is measured by. */
static double inertia_scale(const double whole[36], const double s[6], bool rotational)
{
    double U[6];
    dt_mul66(U, whole, s);
    double scale = dt_dot6(s, U);
    return rotational ? fmax(scale, whole[0] + whole[7] + whole[14]) : scale;
}

/* An armature that is negative: that of the node itself, or one beyond it. */
static detent_status fail_armature(const detent_mechanism *m, int index,
                                   const dt_joint_record *joint, detent_error *error)
{
    const dt_node *node = &m->tree.nodes[index];
    const dt_primitive *p = &m->primitives[index];
    const int k = index - m->joints[p->joint].first_primitive;
    const dt_primitive_record *row =
        DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, joint->first_primitive);
    const char *suffix = joint->primitive_count > 1 ? row[k].suffix : NULL;
    if (node->armature < 0.0) {
        dt_location where = dt_locate(m->builder, &joint->origin, suffix, "armature", -1);
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "'%s' is singular: its armature (%.6g %s) leaves no positive inertia along "
                       "it at the initial position",
                       p->name, node->armature, node->type->rotational ? "kg m^2" : "kg");
    }
    dt_location where = dt_locate(m->builder, &joint->origin, NULL, NULL, -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   "'%s' is singular: a negative armature beyond it leaves no positive inertia "
                   "along it at the initial position",
                   p->name);
}

static detent_status fail(const detent_mechanism *m, const dt_pool *pool, int index,
                          detent_error *error)
{
    const dt_primitive *p = &m->primitives[index];
    const dt_joint_record *joint = DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, p->joint);
    if (!pool->near_tells) {
        return fail_armature(m, index, joint, error);
    }
    dt_location where = dt_locate(m->builder, &joint->origin, NULL, NULL, -1);
    const char *follower =
        DT_AT(DT_RECORDS(m->builder, body), dt_body_record, joint->follower)->def.name;
    bool massless =
        DT_AT(DT_RECORDS(m->builder, body), dt_body_record, joint->follower)->def.mass == 0.0;
    return dt_fail(
        error, DETENT_ERROR_MODEL, &where,
        massless
            ? "'%s' moves nothing: there is no inertia along it at the initial position, and its "
              "follower '%s' has no mass"
            : "'%s' moves nothing: there is no inertia along it at the initial position (its "
              "follower is '%s')",
        p->name, follower);
}

static detent_status check_finite(const detent_mechanism *m, int index, const dt_lump *lump,
                                  detent_error *error)
{
    const dt_primitive *p = &m->primitives[index];
    const dt_joint_record *joint = DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, p->joint);
    for (int k = 0; k < 36; k++) {
        if (!isfinite(lump->rest[k]) || !isfinite(lump->whole[k])) {
            dt_location where = dt_locate(m->builder, &joint->origin, NULL, NULL, -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "the inertia that '%s' moves is too large to compute with", p->name);
        }
    }
    return DETENT_OK;
}

/* Takes the freedoms of a node out of its lump. False: one of them moves nothing. */
static bool reduce(const dt_node *node, const dt_primitive *primitive, dt_lump *lump)
{
    double S[3][6], scale[3], A[36];
    memcpy(A, lump->rest, sizeof A);
    if (!primitive->motion) {
        node->type->subspace(node->frame->axis, S);
        for (int k = 0; k < node->type->nv; k++) {
            scale[k] = inertia_scale(lump->whole, S[k], node->type->rotational);
        }
        for (int k = 0; k < node->type->nv; k++) {
            if (!eliminate(lump->rest, S[k], node->armature, scale[k])) {
                return false;
            }
        }
    }
    memcpy(lump->whole, A, sizeof A);
    return true;
}

/* Of a node that moves nothing: takes out what freedoms do, A being its inertia with all of them. */
static void pass_by(const dt_node *node, const double A[36], dt_lump *lump)
{
    double S[3][6];
    node->type->subspace(node->frame->axis, S);
    for (int k = 0; k < node->type->nv; k++) {
        eliminate(lump->rest, S[k], node->armature,
                  inertia_scale(lump->whole, S[k], node->type->rotational));
    }
    memcpy(lump->whole, A, sizeof lump->whole);
}

static void hand_down(dt_lump *parent, const dt_lump *lump, const double R[9], const double p[3])
{
    add_moved(parent->rest, lump->rest, R, p);
    add_moved(parent->whole, lump->whole, R, p);
}

/* Adds the node's own inertia. The near lump of a node with mass is that alone. */
static void add_body(const dt_node *node, const dt_inertia *received, const dt_inertia *given,
                     dt_lump *near, dt_lump *far)
{
    dt_inertia I;
    dt_node_inertia(node, &I);
    if (received) {
        dt_inertia_add(&I, 1, received);
    }
    if (I.m > 0.0) {
        memset(near, 0, sizeof *near);
    }
    dt_inertia_add_to(near->rest, &I);
    dt_inertia_add_to(near->whole, &I);
    dt_inertia_add_to(far->rest, &I);
    dt_inertia_add_to(far->whole, &I);
    if (given) { /* not positive */
        I = (dt_inertia){0};
        dt_inertia_add(&I, -1, given);
        dt_inertia_add_to(near->whole, &I);
        dt_inertia_add_to(far->whole, &I);
    }
}

static const dt_inertia *received_by(const detent_mechanism *m, int node)
{
    return m->tree.lent ? &m->tree.lent[node] : NULL;
}

/* Whether the near lump of a node is its own body alone. */
static bool has_mass(const detent_mechanism *m, int node)
{
    const dt_inertia *received = received_by(m, node);
    return m->tree.nodes[node].body->mass > 0.0 || (received && received->m > 0.0);
}

/* What the one freedom of a node moves. */
static double inertia_along(const dt_node *node, const double A[36])
{
    double S[3][6], U[6];
    node->type->subspace(node->frame->axis, S);
    dt_mul66(U, A, S[0]);
    return dt_dot6(S[0], U) + node->armature;
}

/* Looks at one node and hands its lumps down to its parent. */
static detent_status check_node(detent_mechanism *m, dt_pool *pool, int index, detent_error *error)
{
    const dt_node *node = &m->tree.nodes[index];
    if (pool->slack && pool->slack[index]) {
        return DETENT_OK; /* on the ground, and carries nothing */
    }
    const dt_primitive *primitive = &m->primitives[index];
    int own = take_lumps(pool, index);
    int below = own >= 0 && node->parent >= 0 ? take_lumps(pool, node->parent) : own;
    if (own < 0 || below < 0) {
        return dt_out_of_memory(error);
    }
    dt_lumps *lumps = DT_AT(pool->lumps, dt_lumps, own);
    double A[36];
    add_body(node, received_by(m, index), pool->given ? &pool->given[index] : NULL, &lumps->near,
             &lumps->far);
    memcpy(A, lumps->far.rest, sizeof A);
    if (pool->along && node->type->nv == 1) {
        pool->along[index] = inertia_along(node, A);
    }
    bool near_moves = reduce(node, primitive, &lumps->near) && pool->near_tells;
    bool far_moves = reduce(node, primitive, &lumps->far);
    detent_status status = check_finite(m, index, &lumps->far, error);
    if (status) {
        return status;
    }
    if (!far_moves && !near_moves) {
        if (!pool->stuck) {
            return fail(m, pool, index, error);
        }
        pool->stuck[index] = pool->any_stuck = true;
        pass_by(node, A, &lumps->far);
    }
    if (node->parent >= 0) {
        double R[9], p[3];
        dt_lumps *parent = DT_AT(pool->lumps, dt_lumps, below);
        dt_initial_pose(m, node, R, p);
        hand_down(&parent->far, &lumps->far, R, p);
        if (near_moves && !has_mass(m, node->parent)) {
            hand_down(&parent->near, &lumps->near, R, p);
        }
    }
    give_lumps(pool, own);
    return DETENT_OK;
}

static detent_status check_nodes(detent_mechanism *m, dt_pool *pool, detent_error *error)
{
    detent_status status = DETENT_OK;
    pool->first_free = -1;
    pool->lumps = (dt_list){0}; /* new memory is zero */
    memset(pool->of_node, 0, (size_t)m->tree.node_count * sizeof *pool->of_node);
    for (int i = m->tree.node_count - 1; i >= 0 && !status; i--) {
        status = check_node(m, pool, i, error);
    }
    return status;
}

/* Once more, with what copies of bodies receive; then what they give is taken from them. */
static detent_status check_lent(detent_mechanism *m, dt_pool *pool, detent_error *error)
{
    dt_loan loan;
    detent_status status = dt_lend_inertia(m, pool->stuck, &loan, error);
    pool->stuck = NULL;
    pool->given = loan.given;
    m->tree.lent = loan.received;
    status = status ? status : check_nodes(m, pool, error);
    for (int i = 0; i < m->tree.node_count && loan.received && !status; i++) {
        dt_inertia_add(&loan.received[i], 1, &loan.given[i]);
    }
    return status;
}

/* Which nodes take up slack. False when memory is out. */
static bool list_slack(detent_mechanism *m, dt_pool *pool)
{
    const size_t n = (size_t)m->tree.node_count;
    bool any = false;
    for (int k = 0; k < m->transmission_count && !any; k++) {
        any = m->transmissions[k].slack >= 0;
    }
    if (!any) {
        return true;
    }
    pool->slack = dt_arena_alloc(pool->arena, n, sizeof *pool->slack);
    pool->along = dt_arena_alloc(pool->arena, n, sizeof *pool->along);
    for (int k = 0; k < m->transmission_count && pool->slack; k++) {
        if (m->transmissions[k].slack >= 0) {
            pool->slack[m->transmissions[k].slack] = true;
        }
    }
    return pool->slack && pool->along;
}

static void give_armatures(detent_mechanism *m, const dt_pool *pool)
{
    for (int t = 0; t < m->transmission_count && pool->slack; t++) {
        const dt_transmission *of = &m->transmissions[t];
        double least = INFINITY;
        for (int k = 0; k < of->count; k++) {
            const double own = pool->along[of->joint[k]] / (of->factor[k] * of->factor[k]);
            least = own > 0 ? fmin(least, own) : least; /* none: slack of another one */
        }
        if (of->slack >= 0) {
            m->builder->nodes[of->slack].armature = isfinite(least) ? ldexp(least, -90) : 1;
        }
    }
}

detent_status dt_check_inertia(detent_mechanism *m, detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    const size_t n = (size_t)m->tree.node_count;
    dt_pool pool = {.arena = arena};
    if (!list_slack(m, &pool)) {
        return dt_out_of_memory(error);
    }
    pool.of_node = dt_arena_alloc(arena, n, sizeof *pool.of_node);
    pool.near_tells = true;
    for (int i = 0; i < m->tree.node_count; i++) {
        pool.near_tells = pool.near_tells && m->tree.nodes[i].armature >= 0.0;
    }
    const bool may_lend = m->loop_count > 0 && pool.near_tells;
    pool.stuck = may_lend ? dt_arena_alloc(arena, n, sizeof *pool.stuck) : NULL;
    if (!pool.of_node || (may_lend && !pool.stuck)) {
        return dt_out_of_memory(error);
    }
    detent_status status = check_nodes(m, &pool, error);
    if (status == DETENT_OK && pool.any_stuck) {
        status = check_lent(m, &pool, error);
    }
    if (status == DETENT_OK) {
        give_armatures(m, &pool);
    }
    return status;
}
