/* Spreads of what welded joints transmit, from those of the welded system: see group_spread.h. */
#include "reduce/group_spread.h"
#include "dynamics/arm.h"

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* A wrench about an origin, in world axes, to the frame of the group of node c. */
static void to_group(const dt_welding *w, const double *origin, int c, const double F[6],
                     double out[6])
{
    const dt_system *s = &w->system;
    const double *p = c < 0 ? w->ground : s->motion[c].p, *R = c < 0 ? identity : s->motion[c].R;
    double r[3], moment[3] = {F[0], F[1], F[2]};
    for (int k = 0; k < 3; k++) {
        r[k] = p[k] - origin[k];
    }
    dt_spread_add_cross(moment, r, F + 3);
    dt_spread_turn(out, R, true, moment);
    dt_spread_turn(out + 3, R, true, F + 3);
}

static void flow(const dt_welding *w, double (*bundle)[6], int b)
{
    const int into = dt_welding_bundle(w, b)->into;
    if (into >= 0) {
        dt_add6(bundle[into], bundle[b]);
    }
}

static void fill_from_load(const dt_welding *w, const dt_spread *spread, int l, double (*bundle)[6])
{
    const dt_system *s = &w->system;
    const int own = w->load_place[l], b = w->whole->tree->node_count + l;
    const dt_load *load = &w->loads[own];
    double wrench[6];
    if (own < w->mechanism.load_count) {
        dt_spread_load(s, spread, own, wrench);
        to_group(w, s->reference[load->part].origin, load->node, wrench, bundle[b]);
    } else { /* on a body that is welded to the ground */
        double r[3];
        for (int k = 0; k < 3; k++) {
            r[k] = load->point[k] - w->ground[k];
        }
        dt_spread_place_load(load, identity, r, spread->load[own], bundle[b]);
    }
    flow(w, bundle, b);
}

static void clear_sums(const dt_welding *w, int c, double (*bundle)[6])
{
    for (int b = dt_welding_group(w, c)->sums; b >= 0; b = dt_welding_bundle(w, b)->next) {
        memset(bundle[b], 0, sizeof bundle[b]);
    }
}

void dt_spread_bundles(const dt_welding *w, const dt_spread *spread, double (*bundle)[6])
{
    const int nodes = w->mechanism.tree.node_count;
    for (int c = -1; c < nodes; c++) {
        clear_sums(w, c, bundle);
    }
    for (int l = 0; l < w->whole->mechanism->load_count; l++) {
        fill_from_load(w, spread, l, bundle);
    }
    for (int c = nodes - 1; c >= 0; c--) {
        const int i = w->node[c];
        if (w->whole->tree->nodes[i].parent >= 0) {
            to_group(w, dt_origin_of(&w->system, c), w->nodes[c].parent, spread->F[c], bundle[i]);
            flow(w, bundle, i);
        }
    }
    for (int c = -1; c < nodes; c++) {
        for (int b = dt_welding_group(w, c)->sums; b >= 0; b = dt_welding_bundle(w, b)->next) {
            flow(w, bundle, b);
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
    dt_arm(s, c, r);
    dt_spread_add_cross(a, r, A);
    dt_spread_turn(motion, s->motion[c].R, true, a);
    dt_spread_turn(motion + 3, s->motion[c].R, true, A);
}
