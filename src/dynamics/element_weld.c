/*
 * Welds: what ties the ghost of a body, which the joint that closes a loop moves, to its original (closure.h).
 *
 *   wrench on the ghost      sum of m_k w_k, on the original its reverse;  w_k: a unit force or torque, world axes, at the body
 *   row k                    w_k . (A of the ghost - A of the original) = 0, or m_k = 0 where the row is not active
 *
 * In Newton's step along the tree every active row is an answer, that of the multiplier which makes it hold.
 */
#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/place.h"

static int count(const detent_mechanism *m)
{
    return m->loop_count;
}

static bool acts(const detent_mechanism *m)
{
    return m->loop_count > 0;
}

static int node(const detent_mechanism *m, int item)
{
    return m->loops[item].node[1];
}

/** The wrench about the origin of a force and a torque in world axes at a place. */
static void wrench_at(const dt_system *s, const dt_load *place, const double m[6], double wrench[6])
{
    double p[3], moment[3];
    dt_motion_point(&s->motion[place->node], place->point, p);
    for (int k = 0; k < 3; k++) {
        p[k] -= s->origin[k];
    }
    dt_cross3(moment, p, m);
    for (int k = 0; k < 3; k++) {
        wrench[k] = moment[k] + m[3 + k];
        wrench[3 + k] = m[k];
    }
}

/** The wrench of a unit multiplier of a row on the ghost. */
static void unit_wrench(const dt_system *s, int row, double wrench[6])
{
    double unit[6] = {0};
    unit[row % 6] = 1;
    wrench_at(s, &s->mechanism->loads[s->mechanism->loops[row / 6].end + 1], unit, wrench);
}

static void add_wrenches(dt_system *s)
{
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        for (int e = 0; e < 2; e++) {
            const int place = s->mechanism->loops[l].end + e;
            double m[6];
            for (int k = 0; k < 6; k++) {
                m[k] = (e ? 1 : -1) * s->multiplier[6 * l + k];
            }
            wrench_at(s, &s->mechanism->loads[place], m, s->load_wrench[place]);
            dt_add6(s->external[s->mechanism->loads[place].node], s->load_wrench[place]);
        }
    }
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        for (int e = 0; e < 2; e++) {
            const dt_load *place = &s->mechanism->loads[s->mechanism->loops[l].end + e];
            const int i = place->node;
            const double *E = s->load_wrench[s->mechanism->loops[l].end + e];
            double m[6], change[6], p[3], moved[3], moment[3];
            for (int k = 0; k < 6; k++) {
                m[k] = (e ? 1 : -1) * t->dm[6 * l + k];
            }
            wrench_at(s, place, m, change);
            dt_motion_point(&s->motion[i], place->point, p);
            for (int k = 0; k < 3; k++) {
                p[k] -= s->origin[k];
            }
            dt_cross3(moved, t->x[i], p);
            for (int k = 0; k < 3; k++) {
                moved[k] += t->x[i][3 + k];
            }
            dt_cross3(moment, moved, E + 3);
            for (int k = 0; k < 6; k++) {
                t->dF[i][k] -= change[k] + (k < 3 ? moment[k] : 0);
            }
        }
    }
}

static void add_blocks(const dt_tree_newton *tn, const dt_system *s)
{
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        for (int e = 0; e < 2; e++) {
            const int place = s->mechanism->loops[l].end + e;
            dt_place_fixed_block(s, place,
                                 dt_tree_newton_block(tn, s->mechanism->loads[place].node), tn->nz);
        }
    }
}

/* ---- rows ---- */

static void answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    remote->node = m->loops[remote->item].node[1];
    remote->other = m->loops[remote->item].node[0];
    remote->row = 6 * remote->item + remote->component;
}

static bool prepare(dt_system *s, dt_remote *remote)
{
    answer_nodes(s->mechanism, remote);
    if (!s->closure->active[remote->row]) {
        remote->node = remote->other = -1;
        return false;
    }
    unit_wrench(s, remote->row, remote->wrench);
    dt_copy6(remote->back, remote->wrench); /* where the loop is closed they are one */
    return true;
}

/** How the row changes. */
static double feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    const int node[2] = {remote->other, remote->node};
    double sum = 0;
    for (int e = 0; e < 2; e++) {
        const double *z = tn->z + (size_t)node[e] * (size_t)tn->nz;
        double dA[6] = {0};
        if (tn->level == DT_NEWTON_STEP) { /* dA = d~A + x x A */
            dt_cross_motion(dA, z + 12, s->A[node[e]]);
            z += 6;
        }
        dt_add6(dA, z);
        sum += (e ? 1 : -1) * dt_dot6(remote->wrench, dA);
    }
    return sum;
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    if (remote->node >= 0) {
        dt_axpy6(changes->E[remote->node], u, remote->wrench);
        dt_axpy6(changes->E[remote->other], -u, remote->back);
    }
}

void dt_weld_rows(dt_system *s, double *r)
{
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        const dt_loop *loop = &s->mechanism->loops[l];
        for (int k = 0; k < 6; k++) {
            double wrench[6];
            const int row = 6 * l + k;
            if (!s->closure->active[row]) {
                r[row] = s->multiplier[row];
                continue;
            }
            unit_wrench(s, row, wrench);
            r[row] = dt_dot6(wrench, s->A[loop->node[1]]) - dt_dot6(wrench, s->A[loop->node[0]]);
        }
    }
}

void dt_weld_row_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        const dt_loop *loop = &s->mechanism->loops[l];
        for (int k = 0; k < 6; k++) {
            double wrench[6];
            const int row = 6 * l + k;
            if (!s->closure->active[row]) {
                rows[row] = t->dm[row];
                continue;
            }
            unit_wrench(s, row, wrench);
            rows[row] =
                dt_dot6(wrench, t->dA[loop->node[1]]) - dt_dot6(wrench, t->dA[loop->node[0]]);
        }
    }
}

double dt_weld_row_size(const dt_system *s, int row)
{
    const dt_loop *loop = &s->mechanism->loops[row / 6];
    double wrench[6], sum = 0;
    unit_wrench(s, row, wrench);
    /* what the acceleration of either is summed from, along its way from the node that carries both */
    int at[2] = {loop->node[0], loop->node[1]};
    while (at[0] != at[1]) {
        int *far = &at[at[1] > at[0]];
        const int i = *far, p = s->tree->nodes[i].parent;
        for (int k = 0; k < 6; k++) {
            sum +=
                fabs(wrench[k]) * (fabs(s->A[i][k] - (p < 0 ? 0 : s->A[p][k])) + fabs(s->A[i][k]));
        }
        *far = p;
    }
    return sum;
}

const dt_element_kind dt_weld_element = {.count = count,
                                         .acts = acts,
                                         .node = node,
                                         .add_wrenches = add_wrenches,
                                         .add_wrench_changes = add_wrench_changes,
                                         .follows_poses = acts,
                                         .add_blocks = add_blocks,
                                         .answer_count = 6,
                                         .answer_reads = 1,
                                         .answer_ties = 6,
                                         .answer_nodes = answer_nodes,
                                         .prepare = prepare,
                                         .feel = feel,
                                         .inject = inject};
