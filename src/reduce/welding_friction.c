/*
 * The friction of welded joints (welding.h): coefficients, formed with the groups, and their use.
 *
 * With the inertia beyond the joint about the group's origin, m, h, J, and the joint's screw S =
 * (s, r x s + ...) = (Sw, Sv) there,
 *
 *   force   f = m a + alpha x h + w x (w x h)
 *   moment  n = h x a + J alpha + w x J w              S'F = Sw . n + Sv . f
 *
 * so the coefficients are m Sv + Sw x h of a, J Sw + h x Sv of alpha, and, of w w', the symmetric
 * part of Sv h' - (Sv . h) 1 - [Sw x] J.
 */
#include "dynamics/arm.h"
#include "dynamics/element.h"
#include "math/inertia.h"
#include "reduce/welding.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* ---- coefficients ---- */

static void coefficients(const dt_inertia *I, const double S[6], double k[12])
{
    const double *Sw = S, *Sv = S + 3, *h = I->h, *J = I->J;
    const double M[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
    double cross[3], Q[9];
    dt_cross3(cross, Sw, h);
    for (int j = 0; j < 3; j++) {
        k[j] = I->m * Sv[j] + cross[j];
    }
    dt_cross3(cross, h, Sv);
    dt_rotate(k + 3, M, Sw);
    for (int j = 0; j < 3; j++) {
        k[3 + j] += cross[j];
    }
    for (int c = 0; c < 3; c++) {
        const double column[3] = {M[c], M[3 + c], M[6 + c]};
        dt_cross3(cross, Sw, column);
        for (int r = 0; r < 3; r++) {
            Q[3 * r + c] = Sv[r] * h[c] - (r == c ? dt_dot3(Sv, h) : 0) - cross[r];
        }
    }
    for (int j = 0; j < 3; j++) {
        k[6 + j] = Q[4 * j];
    }
    k[9] = Q[1] + Q[3];
    k[10] = Q[2] + Q[6];
    k[11] = Q[5] + Q[7];
}

/* Force along a joint at rest, without friction. */
static double constant_force(const dt_system *whole, int i)
{
    double sum = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        sum += dt_elements[k]->held ? dt_elements[k]->held(whole, i) : 0;
    }
    return sum;
}

static double constant_of(const dt_law *law)
{
    return law->program->constant;
}

void dt_welding_add_joint(dt_welding *w, int i, int last)
{
    const dt_system *whole = w->whole;
    const dt_node *node = &whole->tree->nodes[i];
    const int k = whole->mechanism->primitives[i].stiction;
    const dt_law *magnitude = dt_stiction_law(whole, k, DT_STICTION_MAGNITUDE);
    dt_welded_joint *joint = &w->part[i + 1].joint;
    double local[3][6], r[3];
    joint->carrier = w->carrier[i];
    joint->next = -1;
    joint->Q = constant_force(whole, i);
    if (magnitude->program) {
        joint->limits[1] = constant_of(magnitude);
        joint->limits[0] = -joint->limits[1];
    } else {
        joint->limits[0] = constant_of(dt_stiction_law(whole, k, DT_STICTION_FORWARD));
        joint->limits[1] = constant_of(dt_stiction_law(whole, k, DT_STICTION_REVERSE));
    }
    node->type->subspace(node->frame->axis, local);
    for (int j = 0; j < 3; j++) {
        r[j] = joint->p[j] - (joint->carrier < 0 ? w->ground[j] : 0);
    }
    dt_motion_subspace(local[0], joint->R, r, joint->S);
    dt_inertia I = joint->beyond;
    if (w->lent) {
        dt_inertia_add(&I, 1, &w->lent_beyond[i]);
    }
    coefficients(&I, joint->S, joint->k);
    *(last < 0 ? &dt_welding_group_of(w, joint)->joints : &dt_welding_joint(w, last)->next) = k;
}

/* ---- use ---- */

/* (a, alpha, ww') of the group of node c; of the ground where c < 0. */
static void group_motion(const dt_system *s, int c, double out[12])
{
    if (c < 0) {
        memset(out, 0, 12 * sizeof *out);
        for (int k = 0; k < 3; k++) {
            out[k] = -s->gravity[k];
        }
        return;
    }
    const dt_motion *m = &s->motion[c];
    const double *A = s->A[c], *V = m->V;
    double r[3], v[3], turn[3], centripetal[3], a[3], w[3];
    dt_arm(s, c, r);
    dt_cross3(v, V, r);
    for (int k = 0; k < 3; k++) {
        v[k] += V[3 + k];
    }
    dt_cross3(turn, A, r);
    dt_cross3(centripetal, V, v);
    for (int k = 0; k < 3; k++) {
        a[k] = A[3 + k] + turn[k] + centripetal[k];
    }
    dt_rotate_back(out, m->R, a);
    dt_rotate_back(out + 3, m->R, A);
    dt_rotate_back(w, m->R, V);
    for (int k = 0; k < 3; k++) {
        out[6 + k] = w[k] * w[k];
    }
    out[9] = w[0] * w[1];
    out[10] = w[0] * w[2];
    out[11] = w[1] * w[2];
}

/* A wrench about an origin, in world axes, to the frame of the group of node c. */
static void to_group(const dt_welding *w, const double *origin, int c, const double F[6],
                     double sign, double out[6])
{
    const dt_system *s = &w->system;
    const double *p = c < 0 ? w->ground : s->motion[c].p;
    double n[3], force[3] = {sign * F[3], sign * F[4], sign * F[5]}, shift[3], r[3];
    for (int k = 0; k < 3; k++) {
        r[k] = p[k] - origin[k];
    }
    dt_cross3(shift, r, force);
    for (int k = 0; k < 3; k++) {
        n[k] = sign * F[k] - shift[k];
    }
    dt_rotate_back(out, c < 0 ? identity : s->motion[c].R, n);
    dt_rotate_back(out + 3, c < 0 ? identity : s->motion[c].R, force);
}

/* The wrench of a load on a body that is welded to the ground, its sign reversed. */
static void fixed_load(dt_welding *w, int l, double out[6])
{
    dt_system *s = &w->system;
    const dt_load *load = &w->loads[l];
    double components[2][3], world[2][3], moment[3], r[3];
    for (int j = 0; j < 3; j++) {
        r[j] = load->point[j] - w->ground[j];
        components[0][j] = -dt_law_value(s, dt_load_law(s, l, j), 0);
        components[1][j] = -dt_law_value(s, dt_load_law(s, l, 3 + j), 0);
    }
    for (int part = 0; part < 2; part++) {
        dt_rotate(world[part], load->frame == DETENT_FRAME_BODY ? load->R : identity,
                  components[part]);
    }
    dt_cross3(moment, r, world[0]);
    for (int j = 0; j < 3; j++) {
        out[j] = world[1][j] + moment[j];
        out[3 + j] = world[0][j];
    }
}

/* Flows into the sum that it belongs to, if any. */
static void flow(dt_welding *w, const dt_bundle *b)
{
    if (b->into >= 0) {
        dt_add6(dt_welding_bundle(w, b->into)->wrench, b->wrench);
    }
}

/* What node c of the welded system hands to the group that it moves against. */
static void fill_from_node(dt_welding *w, int c)
{
    dt_bundle *b = &dt_welding_group(w, c)->bundle;
    to_group(w, dt_origin_of(&w->system, c), w->nodes[c].parent, w->system.F[c], 1, b->wrench);
    flow(w, b);
}

static void fill_from_load(dt_welding *w, int l)
{
    dt_bundle *b = &w->bundle[l];
    const int own = w->load_place[l];
    const bool is_load = l < w->whole->mechanism->load_count;
    if (own < w->mechanism.load_count || !is_load) {
        to_group(w, w->system.reference[w->loads[own].part].origin, w->loads[own].node,
                 w->system.load_wrench[own], -1, b->wrench);
    } else {
        fixed_load(w, own, b->wrench);
    }
    flow(w, b);
}

static void clear_sums(dt_welding *w, const dt_group *group)
{
    for (int b = group->sums; b >= 0; b = dt_welding_bundle(w, b)->next) {
        dt_bundle *sum = dt_welding_bundle(w, b);
        memset(sum->wrench, 0, sizeof sum->wrench);
    }
}

static void fill_bundles(dt_welding *w)
{
    const dt_system *s = &w->system;
    for (int c = -1; c < s->tree->node_count; c++) {
        clear_sums(w, dt_welding_group(w, c));
    }
    for (int l = 0; l < w->whole->mechanism->place_count; l++) {
        if (w->whole->mechanism->loads[l].node >= 0) {
            fill_from_load(w, l);
        }
    }
    for (int c = s->tree->node_count - 1; c >= 0; c--) {
        if (w->whole->tree->nodes[w->node[c]].parent >= 0) {
            fill_from_node(w, c);
        }
    }
    for (int c = -1; c < s->tree->node_count; c++) {
        for (int b = dt_welding_group(w, c)->sums; b >= 0; b = dt_welding_bundle(w, b)->next) {
            flow(w, dt_welding_bundle(w, b));
        }
    }
}

void dt_welding_update(dt_welding *w)
{
    for (int c = -1; c < w->system.tree->node_count; c++) {
        dt_group *group = dt_welding_group(w, c);
        if (group->joints >= 0) {
            group_motion(&w->system, c, group->motion);
        }
    }
    fill_bundles(w);
}

double dt_welding_friction_at(const dt_welded_joint *joint, const double motion[12],
                              const double wrench[6])
{
    double sum = -joint->Q;
    for (int k = 0; k < 12; k++) {
        sum += joint->k[k] * motion[k];
    }
    return joint->bundle >= 0 ? sum + dt_dot6(joint->S, wrench) : sum;
}

double dt_welding_friction(const dt_welding *w, int k)
{
    const dt_welded_joint *joint = dt_welding_joint(w, k);
    return dt_welding_friction_at(joint, dt_welding_group_of(w, joint)->motion,
                                  dt_welding_wrench(w, joint));
}

double dt_welding_friction_size(const dt_welding *w, int k)
{
    const dt_welded_joint *joint = dt_welding_joint(w, k);
    const double *motion = dt_welding_group_of(w, joint)->motion;
    double sum = fabs(joint->Q);
    for (int i = 0; i < 12; i++) {
        sum += fabs(joint->k[i] * motion[i]);
    }
    if (joint->bundle >= 0) {
        /* a component may be nothing but what rounding, in accelerations too, has left of the others */
        const double *wrench = dt_welding_wrench(w, joint);
        sum +=
            dt_norm3(joint->S) * dt_norm3(wrench) + dt_norm3(joint->S + 3) * dt_norm3(wrench + 3);
    }
    return sum;
}
