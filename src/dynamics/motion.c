#include "dynamics/motion.h"

#include "math/inertia.h"

#include <stddef.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double zero3[3];

/* row J, a row of R J. */
static void apply_moments(double out[3], const double J[6], const double row[3])
{
    const double x = row[0], y = row[1], z = row[2];
    out[0] = x * J[0] + y * J[3] + z * J[4];
    out[1] = x * J[3] + y * J[1] + z * J[5];
    out[2] = x * J[4] + y * J[5] + z * J[2];
}

void dt_motion_inertia(const dt_node *node, const double R[9], const double c[3], dt_inertia *I)
{
    const double *J = node->body->inertia;
    double X[3], Y[3], Z[3];
    const double m = node->body->mass, cc = dt_dot3(c, c);
    apply_moments(X, J, R);
    apply_moments(Y, J, R + 3);
    apply_moments(Z, J, R + 6);
    I->m = m;
    I->h[0] = m * c[0], I->h[1] = m * c[1], I->h[2] = m * c[2];
    I->J[0] = dt_dot3(X, R) + m * (cc - c[0] * c[0]);
    I->J[1] = dt_dot3(Y, R + 3) + m * (cc - c[1] * c[1]);
    I->J[2] = dt_dot3(Z, R + 6) + m * (cc - c[2] * c[2]);
    I->J[3] = dt_dot3(X, R + 3) - m * c[0] * c[1];
    I->J[4] = dt_dot3(X, R + 6) - m * c[0] * c[2];
    I->J[5] = dt_dot3(Y, R + 6) - m * c[1] * c[2];
}

void dt_motion_subspace(const double local[6], const double R[9], const double r[3],
                        double world[6])
{
    double v[3], rw[3];
    dt_rotate(world, R, local);
    dt_rotate(v, R, local + 3);
    dt_cross3(rw, r, world);
    dt_sum3(world + 3, v, rw);
}

void dt_motion_base(const dt_node *node, const double Rp[9], const double pp[3], double R[9],
                    double p[3])
{
    double shift[3];
    if (node->parallel) {
        memcpy(R, Rp, 9 * sizeof *R);
    } else {
        dt_mul33(R, Rp, node->frame->R);
    }
    dt_rotate(shift, Rp, node->frame->p);
    dt_sum3(p, pp, shift);
}

void dt_motion_follower(const dt_node *node, const double *q, const double R_base[9],
                        const double p_base[3], double R[9], double p[3])
{
    double R_joint[9], p_joint[3], shift[3] = {0};
    if (node->type->nq > 0) {
        node->type->pose(node->frame->axis, q + node->q, R_joint, p_joint);
    }
    if (node->type->rotational) {
        dt_mul33(R, R_base, R_joint);
    } else {
        memcpy(R, R_base, 9 * sizeof *R);
    }
    if (dt_primitive_slides(node->type)) {
        dt_rotate(shift, R_base, p_joint);
    }
    dt_sum3(p, p_base, shift);
}

static void node_pose(const dt_node *node, const dt_motion *parent, const double *q, dt_motion *m)
{
    double R_base[9], p_base[3];
    dt_motion_base(node, parent ? parent->R : identity, parent ? parent->p : zero3, R_base, p_base);
    dt_motion_follower(node, q, R_base, p_base, m->R, m->p);
}

/* Motion subspace of a node at r. Of one freedom it is its axis, and how that moves the origin. */
static void node_subspace(const dt_node *node, const double r[3], dt_motion *m)
{
    double *S = m->S[0], local[3][6];
    if (node->type->nv == 1 && node->type->rotational) {
        dt_rotate(S, m->R, node->frame->axis);
        dt_cross3(S + 3, r, S);
        return;
    }
    if (node->type->nv == 1) {
        memset(S, 0, 3 * sizeof *S);
        dt_rotate(S + 3, m->R, node->frame->axis);
        return;
    }
    node->type->subspace(node->frame->axis, local);
    for (int j = 0; j < node->type->nv; j++) {
        dt_motion_subspace(local[j], m->R, r, m->S[j]);
    }
}

/* Motion subspace and inertia about the origin; `lent` is NULL, or what the body has beyond its share. */
static void node_spatial(const dt_node *node, const dt_inertia *lent, const double origin[3],
                         dt_motion *m)
{
    double r[3], c[3];
    dt_subtract3(r, m->p, origin);
    node_subspace(node, r, m);
    dt_rotate(c, m->R, node->body->com);
    dt_add3(c, r);
    dt_motion_inertia(node, m->R, c, &m->I);
    if (lent) {
        dt_inertia more;
        dt_inertia_move(&more, lent, m->R, r);
        dt_inertia_add(&m->I, 1, &more);
    }
}

dt_motion *dt_motion_create(dt_arena *arena, const dt_tree *tree)
{
    dt_motion *motion = dt_arena_alloc(arena, (size_t)tree->node_count, sizeof *motion);
    double(*S)[6] = dt_arena_alloc(arena, (size_t)tree->nv, sizeof *S);
    if (!motion || !S) {
        return NULL;
    }
    for (int i = 0; i < tree->node_count; i++) {
        motion[i].S = S + tree->nodes[i].v;
    }
    return motion;
}

void dt_motion_pose(const dt_tree *tree, const double *q, dt_motion *motion,
                    dt_reference *reference)
{
    memset(reference, 0, (size_t)tree->part_count * sizeof *reference);
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        dt_reference *own = &reference[node->part];
        node_pose(node, node->parent < 0 ? NULL : &motion[node->parent], q, &motion[i]);
        own->node_count++;
        dt_add3(own->origin, motion[i].p);
    }
    for (int i = 0; i < tree->part_count; i++) {
        for (int k = 0; k < 3 && reference[i].node_count > 0; k++) {
            reference[i].origin[k] /= reference[i].node_count;
        }
    }
    for (int i = 0; i < tree->node_count; i++) {
        motion[i].S = motion[0].S + tree->nodes[i].v; /* the tree may have changed */
        node_spatial(&tree->nodes[i], tree->lent ? &tree->lent[i] : NULL,
                     reference[tree->nodes[i].part].origin, &motion[i]);
    }
}

void dt_motion_velocity(const dt_tree *tree, const double *v, dt_motion *motion)
{
    static const double ground[6];
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        dt_motion *m = &motion[i];
        const double *Vp = node->parent < 0 ? ground : motion[node->parent].V;
        memset(m->Sv, 0, sizeof m->Sv);
        for (int j = 0; j < node->type->nv; j++) {
            dt_axpy6(m->Sv, v[node->v + j], m->S[j]);
        }
        dt_sum6(m->V, Vp, m->Sv);
    }
}

void dt_motion_point(const dt_motion *motion, const double local[3], double world[3])
{
    dt_rotate(world, motion->R, local);
    dt_add3(world, motion->p);
}

void dt_motion_gyroscopic(const dt_motion *motion, double wrench[6])
{
    const dt_inertia *I = &motion->I;
    const double *w = motion->V, *J = I->J;
    const double Jw[3] = {J[0] * w[0] + J[3] * w[1] + J[4] * w[2],
                          J[3] * w[0] + J[1] * w[1] + J[5] * w[2],
                          J[4] * w[0] + J[5] * w[1] + J[2] * w[2]};
    double u[3], wh[3], hu[3];
    dt_cross3(u, w, motion->V + 3);
    dt_cross3(wh, w, I->h);
    dt_cross3(hu, I->h, u);
    dt_cross3(wrench, w, Jw);
    dt_cross3(wrench + 3, w, wh);
    dt_add3(wrench, hu);
    wrench[3] += I->m * u[0], wrench[4] += I->m * u[1], wrench[5] += I->m * u[2];
}

double dt_motion_kinetic_energy(const dt_tree *tree, const dt_motion *motion, const double *v)
{
    double energy = 0, momentum[6];
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        dt_inertia_apply(momentum, &motion[i].I, motion[i].V);
        energy += 0.5 * dt_dot6(momentum, motion[i].V);
        if (node->armature != 0) {
            energy += 0.5 * node->armature * v[node->v] * v[node->v];
        }
    }
    return energy;
}

double dt_motion_gravity_energy(const dt_tree *tree, const dt_motion *motion,
                                const dt_reference *reference, const double gravity[3])
{
    double energy = 0;
    for (int i = 0; i < tree->node_count; i++) {
        const dt_inertia *I = &motion[i].I;
        energy -=
            dt_dot3(gravity, I->h) + I->m * dt_dot3(gravity, reference[tree->nodes[i].part].origin);
    }
    return energy;
}
