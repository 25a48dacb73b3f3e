#include "dynamics/force_size.h"

#include "dynamics/arm.h"
#include "dynamics/element.h"

#include <float.h>

bool dt_force_size_create(dt_arena *arena, const dt_tree *tree, dt_force_size *size)
{
    const size_t n = (size_t)tree->node_count;
    size->wrench = dt_arena_alloc(arena, n, sizeof *size->wrench);
    size->reach = dt_arena_alloc(arena, n, sizeof *size->reach);
    return size->wrench && size->reach;
}

/* fmax(), which is a call: the larger one, and of a number and none the number. */
static double larger(double a, double b)
{
    return a > b || isnan(b) ? a : b;
}

/* out += |I| |A| entry by entry, A without signs already. */
static void add_inertia_size(double out[6], const dt_inertia *I, const double a[6])
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3], a4 = a[4], a5 = a[5], m = fabs(I->m);
    const double h0 = fabs(I->h[0]), h1 = fabs(I->h[1]), h2 = fabs(I->h[2]);
    const double J0 = fabs(I->J[0]), J1 = fabs(I->J[1]), J2 = fabs(I->J[2]), J3 = fabs(I->J[3]),
                 J4 = fabs(I->J[4]), J5 = fabs(I->J[5]);
    out[0] += J0 * a0 + J3 * a1 + J4 * a2 + h1 * a5 + h2 * a4;
    out[1] += J3 * a0 + J1 * a1 + J5 * a2 + h2 * a3 + h0 * a5;
    out[2] += J4 * a0 + J5 * a1 + J2 * a2 + h0 * a4 + h1 * a3;
    out[3] += m * a3 + h1 * a2 + h2 * a1;
    out[4] += m * a4 + h2 * a0 + h0 * a2;
    out[5] += m * a5 + h0 * a1 + h1 * a0;
}

/* out = |J| |w| for the moments about the origin alone. */
static void moments_size(double out[3], const double J[6], const double w[3])
{
    const double x = w[0], y = w[1], z = w[2];
    out[0] = fabs(J[0]) * x + fabs(J[3]) * y + fabs(J[4]) * z;
    out[1] = fabs(J[3]) * x + fabs(J[1]) * y + fabs(J[5]) * z;
    out[2] = fabs(J[4]) * x + fabs(J[5]) * y + fabs(J[2]) * z;
}

/* out += |a| x |b| with sums for differences. */
static void add_cross_size(double out[3], const double a[3], const double b[3])
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], b0 = b[0], b1 = b[1], b2 = b[2];
    out[0] += fabs(a1 * b2) + fabs(a2 * b1);
    out[1] += fabs(a2 * b0) + fabs(a0 * b2);
    out[2] += fabs(a0 * b1) + fabs(a1 * b0);
}

/* out += V x* I V entry by entry, as dt_motion_gyroscopic() sums it. */
static void add_gyroscopic_size(double out[6], const dt_inertia *I, const double V[6])
{
    double momentum[3], u[3] = {0}, wh[3] = {0};
    moments_size(momentum, I->J, V);
    add_cross_size(out, V, momentum);
    add_cross_size(u, V, V + 3);
    add_cross_size(out, I->h, u);
    add_cross_size(wh, V, I->h);
    add_cross_size(out + 3, V, wh);
    const double m = fabs(I->m);
    out[3] += m * u[0], out[4] += m * u[1], out[5] += m * u[2];
}

/*
 * The largest terms, entry by entry, from which velocity and acceleration of each node were summed.
 * They may be large where the sums are small: a body that a joint leaves behind, and what is held to
 * it. A joint that moves takes the errors before it into its own acceleration.
 */
static void reach_outward(const dt_system *s, const double *A, size_t stride,
                          const unsigned char *held, bool impulsive, double (*all)[12])
{
    const double gravity = impulsive ? 0 : dt_norm3(s->gravity);
    for (int i = 0; i < s->tree->node_count; i++) {
        const int parent = s->tree->nodes[i].parent;
        const dt_motion *m = &s->motion[i];
        const double *Ai = A + (size_t)i * stride;
        const double *Ap = parent >= 0 ? A + (size_t)parent * stride : NULL;
        double *reach = all[i];
        for (int k = 0; k < 6; k++) {
            const double before = Ap ? Ap[k] : 0;
            const bool inherits = Ap && (!held || held[i]);
            const double before_V = inherits ? all[parent][k] : 0;
            /* the field is in A, and A is nothing in free fall: so the field counts too */
            const double before_A = inherits ? all[parent][6 + k] : k < 3 ? 0 : gravity;
            reach[k] = larger(before_V, larger(fabs(m->Sv[k]), fabs(m->V[k])));
            reach[6 + k] = larger(before_A, larger(fabs(Ai[k] - before), fabs(Ai[k])));
        }
    }
}

void dt_force_size_update(const dt_system *s, const double *A, size_t stride,
                          const unsigned char *held, dt_force_size *size)
{
    reach_outward(s, A, stride, held, size->impulsive, size->reach);
    memset(size->wrench, 0, (size_t)s->tree->node_count * sizeof *size->wrench);
    for (int l = 0; l < s->mechanism->place_count && !size->impulsive; l++) {
        const int i = s->mechanism->loads[l].node;
        for (int k = 0; k < 6 && i >= 0; k++) {
            size->wrench[i][k] += fabs(s->load_wrench[l][k]);
        }
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const int parent = s->tree->nodes[i].parent;
        add_inertia_size(size->wrench[i], &s->motion[i].I, size->reach[i] + 6);
        if (!size->impulsive) {
            add_gyroscopic_size(size->wrench[i], &s->motion[i].I, size->reach[i]);
        }
        if (parent >= 0) {
            dt_add6(size->wrench[parent], size->wrench[i]);
        }
    }
}

/* The sizes of the elements along a joint, of which Q is the sum; what is left of it is actuation. */
static double size_of_Q(const dt_system *s, int node, int column)
{
    double sum = 0, rest = s->Q[s->tree->nodes[node].v + column];
    for (int k = DT_ELEMENT_KINDS - 1; k >= 0; k--) { /* taken out from the last to the first */
        if (dt_elements[k]->size && dt_element_acts(s, k)) {
            sum += dt_elements[k]->size(s, node, column, &rest);
        }
    }
    return sum + fabs(rest);
}

static double own_size(const dt_force_size *size, const dt_system *s, const double *a, int node,
                       int column)
{
    const dt_node *n = &s->tree->nodes[node];
    const double *S = s->motion[node].S[column];
    double sum =
        (size->impulsive ? 0 : size_of_Q(s, node, column)) + fabs(n->armature * a[n->v + column]);
    for (int k = 0; k < 6; k++) {
        sum += fabs(S[k]) * size->wrench[node][k];
    }
    return sum;
}

double dt_force_size_of(const dt_force_size *size, const dt_system *s, const double *a, int node,
                        int column)
{
    const dt_transmission *of = dt_slack_of(s->mechanism, node);
    double sum = own_size(size, s, a, node, column);
    for (int k = 0; of && k < of->count; k++) {
        const int i = of->joint[k];
        if (i != node) { /* what acts there is a mean of what acts on those that it couples */
            sum = fmax(sum, own_size(size, s, a, i, 0) / fabs(of->factor[k]));
        }
    }
    return sum;
}

double dt_force_rounding(const dt_tree *tree)
{
    return 8 * DBL_EPSILON * sqrt(tree->node_count + 16.0);
}

double dt_force_least(const dt_system *s, int j)
{
    return s->scale ? DBL_EPSILON * s->scale->force[j] : 0;
}

double dt_force_noise(const dt_system *s, int j, double z)
{
    return dt_force_rounding(s->tree) * fmax(dt_force_least(s, j), z);
}

bool dt_norm_is_nothing(const dt_system *s, int i, bool moment, double norm)
{
    return dt_sum_is_nothing(s, i, moment ? 0 : 1, moment ? 1 : 0, norm);
}

bool dt_sum_is_nothing(const dt_system *s, int i, double share, double lever, double norm)
{
    static const double noises = 4;
    if (!s->told) {
        return false;
    }
    const double *w = s->told->wrench[i], force = w[3] + w[4] + w[5];
    double r[3];
    dt_arm(s, i, r);
    const double arm = fabs(r[0]) + fabs(r[1]) + fabs(r[2]);
    const double size =
        (lever > 0 ? lever * fmax(w[0] + w[1] + w[2] + arm * force, s->told->moment) : 0) +
        (share > 0 ? share * fmax(force, s->told->force) : 0);
    const bool is_nothing = norm <= noises * dt_force_rounding(s->tree) * size;
    s->told->met = s->told->met || is_nothing;
    return is_nothing;
}
