/*
 * Welds: what ties the ghost of a body, which the joint that closes a loop moves, to its original (closure.h).
 *
 *   wrench on the ghost      sum of m_k w_k, on the original its reverse;  w_k: a unit force or torque, world axes, at the body
 *   row k                    w_k . (A of the ghost - A of the original) = 0, or m_k = 0 where the row is not active
 *
 * In Newton's step along the tree every active row is an answer, that of the multiplier which makes it hold.
 */
#include "dynamics/arm.h"
#include "dynamics/closure_parts.h"
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

/* The wrench about the origin of a force and a torque in world axes at a place. */
static void wrench_at(const dt_system *s, const dt_load *place, const double m[6], double wrench[6])
{
    double p[3], moment[3];
    dt_arm_of_point(s, place->node, place->point, p);
    dt_cross3(moment, p, m);
    for (int k = 0; k < 3; k++) {
        wrench[k] = moment[k] + m[3 + k];
        wrench[3 + k] = m[k];
    }
}

/* The wrench of a unit multiplier of a row on the ghost. */
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
            dt_arm_of_point(s, i, place->point, p);
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

/* How the row changes. */
static double feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    const int node[2] = {remote->other, remote->node};
    double sum = 0;
    for (int e = 0; e < 2; e++) {
        const double *z = dt_tree_newton_z(tn, node[e]);
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

static void residuals(dt_system *s, double *r)
{
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        const dt_loop *loop = &s->mechanism->loops[l];
        for (int k = 0; k < 6; k++) {
            double wrench[6];
            const int row = 6 * l + k;
            if (!s->closure->active[row]) {
                r[row] = dt_closure_left_out(s, row);
                continue;
            }
            unit_wrench(s, row, wrench);
            r[row] = dt_dot6(wrench, s->A[loop->node[1]]) - dt_dot6(wrench, s->A[loop->node[0]]);
        }
    }
}

static void changes(dt_tangent *t, dt_system *s, double *rows)
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

static double row_size(const dt_system *s, int item, int component)
{
    const dt_loop *loop = &s->mechanism->loops[item];
    double wrench[6], size = 0;
    unit_wrench(s, 6 * item + component, wrench);
    dt_tie_add_way(s, loop->node[0], loop->node[1], wrench, &size);
    return size;
}

/* ---- the loop, and how far it is open ---- */

static const char *name(const detent_mechanism *m, int item)
{
    return m->joints[m->loops[item].joint].name;
}

static void update(dt_system *s)
{
    dt_closure *c = s->closure;
    for (int l = 0; l < s->mechanism->loop_count; l++) {
        const dt_loop *loop = &s->mechanism->loops[l];
        const dt_load *ghost = &s->mechanism->loads[loop->end + 1];
        double p[3];
        dt_arm_of_point(s, ghost->node, ghost->point, p);
        for (int k = 0; k < 3; k++) {
            double *force = c->wrench[6 * l + k], *torque = c->wrench[6 * l + 3 + k];
            memset(torque, 0, 6 * sizeof *torque);
            memset(force, 0, 6 * sizeof *force);
            torque[k] = force[3 + k] = 1;
        }
        for (int k = 0; k < 3; k++) {
            dt_cross3(c->wrench[6 * l + k], p, c->wrench[6 * l + k] + 3);
        }
        if (c->G) {
            dt_closure_add_path(s, loop->node[1], 6 * l, 6, 1);
            dt_closure_add_path(s, loop->node[0], 6 * l, 6, -1);
        }
    }
}

/* How the ghost has moved from the original: the way of its point, and the turn as a vector, both in the world. */
static void find_part(const dt_system *s, int l, double g[6])
{
    double p[2][3], R[2][9], between[9];
    for (int e = 0; e < 2; e++) {
        const dt_load *end = &s->mechanism->loads[s->mechanism->loops[l].end + e];
        dt_motion_point(&s->motion[end->node], end->point, p[e]);
        dt_mul33(R[e], s->motion[end->node].R, end->R);
    }
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 3; k++) {
            between[3 * r + k] = dt_dot3(R[1] + 3 * r, R[0] + 3 * k); /* R1 R0' */
        }
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        g[k] = p[1][k] - p[0][k];
        g[3 + k] = 0.5 * (between[3 * j + i] - between[3 * i + j]);
    }
    const double sine = dt_norm3(g + 3), cosine = 0.5 * (between[0] + between[4] + between[8] - 1);
    const double angle = atan2(sine, cosine);
    for (int k = 0; k < 3 && sine > 0; k++) {
        g[3 + k] *= angle / sine;
    }
    if (sine == 0 && cosine < 0) {
        g[3] = angle; /* half a turn: any axis */
    }
}

static double how_open(const dt_system *s, int item, int component)
{
    double g[6];
    find_part(s, item, g);
    return g[component];
}

static double error(const dt_system *s, int item, double length)
{
    double g[6];
    find_part(s, item, g);
    return fmax(dt_norm3(g), length * dt_norm3(g + 3));
}

static double weight(const dt_system *s, int item, int component, double length)
{
    (void)s;
    (void)item;
    return component < 3 ? 1 : length;
}

static const char *apart(const dt_system *s, int item, double *way, double *turn)
{
    double g[6];
    find_part(s, item, g);
    *way = dt_norm3(g);
    *turn = dt_norm3(g + 3);
    return s->mechanism->bodies[s->mechanism->loops[item].body].name;
}

static void ends(const detent_mechanism *m, int item, int place[2])
{
    place[0] = m->loops[item].end;
    place[1] = m->loops[item].end + 1;
}

/* Whether a node moves one end and not the other. */
static bool includes(const dt_system *s, int item, int i)
{
    bool moves[2] = {false, false};
    for (int e = 0; e < 2; e++) {
        for (int k = s->mechanism->loops[item].node[e]; k >= i; k = s->tree->nodes[k].parent) {
            moves[e] = moves[e] || k == i;
        }
    }
    return moves[0] != moves[1];
}

static const dt_location *place(const detent_mechanism *m, int item)
{
    return &m->loops[item].where;
}

/* Ghost and original have the same V. */
static double turned(const dt_tangent *t, const dt_system *s, int item, int component)
{
    const dt_loop *loop = &s->mechanism->loops[item];
    const double *w = s->closure->wrench[6 * item + component];
    return dt_dot6(w, t->dV[loop->node[1]]) - dt_dot6(w, t->dV[loop->node[0]]);
}

static const dt_tie_kind ties = {.rows = 6,
                                 .forces = 3,
                                 .torques = 3,
                                 .is_local = true,
                                 .what = "loop that joint",
                                 .does = " closes",
                                 .fails = "comes apart",
                                 .name = name,
                                 .place = place,
                                 .ends = ends,
                                 .includes = includes,
                                 .residuals = residuals,
                                 .changes = changes,
                                 .update = update,
                                 .size = row_size,
                                 .open = how_open,
                                 .apart = apart,
                                 .error = error,
                                 .weight = weight,
                                 .turned = turned};

const dt_element_kind dt_weld_element = {.count = count,
                                         .acts = acts,
                                         .node = node,
                                         .add_wrenches = add_wrenches,
                                         .add_wrench_changes = add_wrench_changes,
                                         .follows_poses = acts,
                                         .add_blocks = add_blocks,
                                         .answer_count = 6,
                                         .answer_reads = 1,
                                         .tie = &ties,
                                         .answer_nodes = answer_nodes,
                                         .prepare = prepare,
                                         .feel = feel,
                                         .inject = inject};
