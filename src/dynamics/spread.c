#include "dynamics/spread.h"

#include <math.h>

bool dt_spread_create(dt_arena *arena, const dt_system *whole, const dt_welding *welding,
                      dt_spread *spread)
{
    const size_t n = (size_t)whole->tree->node_count, loads = (size_t)whole->mechanism->load_count,
                 bundles = welding ? (size_t)welding->bundle_count : 0;
    *spread = (dt_spread){.motion = dt_arena_alloc(arena, n, sizeof *spread->motion),
                          .load = dt_arena_alloc(arena, loads, sizeof *spread->load),
                          .A = dt_arena_alloc(arena, n, sizeof *spread->A),
                          .F = dt_arena_alloc(arena, n, sizeof *spread->F),
                          .bundle = dt_arena_alloc(arena, bundles, sizeof *spread->bundle)};
    return spread->motion && spread->load && spread->A && spread->F && spread->bundle;
}

void dt_spread_clear(const dt_system *s, dt_spread *spread)
{
    memset(spread->gravity, 0, sizeof spread->gravity);
    memset(spread->motion, 0, (size_t)s->tree->node_count * sizeof *spread->motion);
}

/* ---- absolute values ---- */

/** out += |a| x |b|, all terms with a plus. */
static void add_cross(double out[3], const double a[3], const double b[3])
{
    out[0] += fabs(a[1]) * b[2] + fabs(a[2]) * b[1];
    out[1] += fabs(a[2]) * b[0] + fabs(a[0]) * b[2];
    out[2] += fabs(a[0]) * b[1] + fabs(a[1]) * b[0];
}

/** out = |R| b, or |R'| b. */
static void turn(double out[3], const double R[9], bool back, const double b[3])
{
    for (int r = 0; r < 3; r++) {
        out[r] = 0;
        for (int c = 0; c < 3; c++) {
            out[r] += fabs(R[back ? 3 * c + r : 3 * r + c]) * b[c];
        }
    }
}

/** out += |I| a */
static void add_inertial(double out[6], const dt_inertia *I, const double a[6])
{
    const double *J = I->J;
    out[0] += fabs(J[0]) * a[0] + fabs(J[3]) * a[1] + fabs(J[4]) * a[2];
    out[1] += fabs(J[3]) * a[0] + fabs(J[1]) * a[1] + fabs(J[5]) * a[2];
    out[2] += fabs(J[4]) * a[0] + fabs(J[5]) * a[1] + fabs(J[2]) * a[2];
    add_cross(out, I->h, a + 3);
    add_cross(out + 3, I->h, a);
    for (int k = 3; k < 6; k++) {
        out[k] += I->m * a[k];
    }
}

/** A wrench of components in axes R, at r from where it is wanted about. */
static void place_load(const dt_load *load, const double R[9], const double r[3],
                       const double components[6], double out[6])
{
    double force[3], torque[3], own[3];
    memcpy(force, components, sizeof force);
    memcpy(torque, components + 3, sizeof torque);
    if (load->frame == DETENT_FRAME_BODY) {
        turn(own, load->R, false, components);
        turn(force, R, false, own);
        turn(own, load->R, false, components + 3);
        turn(torque, R, false, own);
    }
    memcpy(out, torque, sizeof torque);
    memcpy(out + 3, force, sizeof force);
    add_cross(out, r, force);
}

/* ---- the sweeps ---- */

/** About the system's origin. */
static void load_wrench(const dt_system *s, const dt_spread *spread, int l, double out[6])
{
    const dt_load *load = &s->mechanism->loads[l];
    const dt_motion *m = &s->motion[load->node];
    double r[3];
    dt_motion_point(m, load->point, r);
    for (int k = 0; k < 3; k++) {
        r[k] -= s->origin[k];
    }
    place_load(load, m->R, r, spread->load[l], out);
}

void dt_spread_sweep(const dt_system *s, dt_spread *spread)
{
    const dt_tree *tree = s->tree;
    const double ground[6] = {0, 0, 0, spread->gravity[0], spread->gravity[1], spread->gravity[2]};
    for (int i = 0; i < tree->node_count; i++) {
        const dt_node *node = &tree->nodes[i];
        dt_copy6(spread->A[i], node->parent < 0 ? ground : spread->A[node->parent]);
        for (int k = 0; k < 6 && spread->motion[i] > 0; k++) {
            spread->A[i][k] += fabs(s->motion[i].S[0][k]) * spread->motion[i];
        }
        memset(spread->F[i], 0, sizeof spread->F[i]);
        add_inertial(spread->F[i], &s->motion[i].I, spread->A[i]);
    }
    for (int l = 0; l < s->mechanism->load_count; l++) {
        double wrench[6];
        load_wrench(s, spread, l, wrench);
        dt_add6(spread->F[s->mechanism->loads[l].node], wrench);
    }
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (tree->nodes[i].parent >= 0) {
            dt_add6(spread->F[tree->nodes[i].parent], spread->F[i]);
        }
    }
}

double dt_spread_force(const dt_system *s, const dt_spread *spread, int node)
{
    double sum = 0;
    for (int k = 0; k < 6; k++) {
        sum += fabs(s->motion[node].S[0][k]) * spread->F[node][k];
    }
    return sum;
}

void dt_spread_reaction(const dt_system *s, const dt_spread *spread, int node, double *force,
                        double *torque)
{
    const double *F = spread->F[node];
    double r[3], moment[3] = {F[0], F[1], F[2]};
    for (int k = 0; k < 3; k++) {
        r[k] = s->motion[node].p[k] - s->origin[k];
    }
    add_cross(moment, r, F + 3);
    *force = dt_norm3(F + 3);
    *torque = dt_norm3(moment);
}

/* ---- welded groups ---- */

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/** A wrench about the system's origin, in world axes, to the frame of the group of node c. */
static void to_group(const dt_welding *w, int c, const double F[6], double out[6])
{
    const dt_system *s = &w->system;
    const double *p = c < 0 ? w->ground : s->motion[c].p, *R = c < 0 ? identity : s->motion[c].R;
    double r[3], moment[3] = {F[0], F[1], F[2]};
    for (int k = 0; k < 3; k++) {
        r[k] = p[k] - s->origin[k];
    }
    add_cross(moment, r, F + 3);
    turn(out, R, true, moment);
    turn(out + 3, R, true, F + 3);
}

static void flow(const dt_welding *w, dt_spread *spread, int b)
{
    if (w->bundle[b].into >= 0) {
        dt_add6(spread->bundle[w->bundle[b].into], spread->bundle[b]);
    }
}

static void fill_from_load(const dt_welding *w, dt_spread *spread, int l)
{
    const dt_system *s = &w->system;
    const int own = w->load_place[l], b = w->whole->tree->node_count + l;
    const dt_load *load = &w->loads[own];
    double wrench[6];
    if (own < w->mechanism.load_count) {
        load_wrench(s, spread, own, wrench);
        to_group(w, load->node, wrench, spread->bundle[b]);
    } else { /* on a body that is welded to the ground */
        double r[3];
        for (int k = 0; k < 3; k++) {
            r[k] = load->point[k] - w->ground[k];
        }
        place_load(load, identity, r, spread->load[own], spread->bundle[b]);
    }
    flow(w, spread, b);
}

static void clear_sums(const dt_welding *w, dt_spread *spread, int c)
{
    for (int b = dt_welding_group(w, c)->sums; b >= 0; b = w->bundle[b].next) {
        memset(spread->bundle[b], 0, sizeof spread->bundle[b]);
    }
}

void dt_spread_bundles(const dt_welding *w, dt_spread *spread)
{
    const int nodes = w->mechanism.tree.node_count;
    for (int c = -1; c < nodes; c++) {
        clear_sums(w, spread, c);
    }
    for (int l = 0; l < w->whole->mechanism->load_count; l++) {
        fill_from_load(w, spread, l);
    }
    for (int c = nodes - 1; c >= 0; c--) {
        const int i = w->node[c];
        if (w->whole->tree->nodes[i].parent >= 0) {
            to_group(w, w->nodes[c].parent, spread->F[c], spread->bundle[i]);
            flow(w, spread, i);
        }
    }
    for (int c = -1; c < nodes; c++) {
        for (int b = dt_welding_group(w, c)->sums; b >= 0; b = w->bundle[b].next) {
            flow(w, spread, b);
        }
    }
}

void dt_spread_group(const dt_welding *w, const dt_spread *spread, int c, double motion[6])
{
    const dt_system *s = &w->system;
    if (c < 0) {
        memcpy(motion, spread->gravity, 3 * sizeof *motion);
        memset(motion + 3, 0, 3 * sizeof *motion);
        return;
    }
    const double *A = spread->A[c];
    double a[3] = {A[3], A[4], A[5]}, r[3];
    for (int k = 0; k < 3; k++) {
        r[k] = s->motion[c].p[k] - s->origin[k];
    }
    add_cross(a, r, A);
    turn(motion, s->motion[c].R, true, a);
    turn(motion + 3, s->motion[c].R, true, A);
}
