/*
 * Slopes of massless rods for Newton's step along the tree (rod.h). A rod between two bodies that move is four answers: the
 * multiplier, which makes the row hold, and the components of m dn, which read how the points move. With one end alone on what moves
 * the latter are a block of that node.
 */
#include "dynamics/closure.h"
#include "dynamics/place.h"
#include "dynamics/rod.h"

/* The force m n at the one end that moves turns with its own node alone: -d~E for each unit of dx. */
static void own_block(const dt_system *s, const dt_rod *of, int e, double *P, int nz)
{
    const int i = of->end[e]->node;
    const double *E = s->load_wrench[of->first + e];
    for (int column = 0; column < 6; column++) {
        double x[6] = {0}, dV[6] = {0}, dr[3], du[3], dn[3], own[3], change[6] = {0}, moment[3],
               turned[6];
        x[column] = 1;
        dt_cross_motion(dV, x, s->motion[i].V);
        dt_place_change(s, of->end[e], of->arm[e], x, dV, dr, du);
        dt_cross_force(turned, x, E);
        dt_cross3(moment, dr, E + 3);
        dt_rod_direction_change(of, dr, dn); /* with the sign of the end twice */
        for (int k = 0; k < 3; k++) {
            own[k] = s->multiplier[of->row] * dn[k];
        }
        dt_place_add_force(of->arm[e], own, change);
        for (int r = 0; r < 6; r++) {
            P[r * nz + 12 + column] -= change[r] + (r < 3 ? moment[r] : 0) - turned[r];
        }
    }
}

void dt_rod_add_blocks(const dt_tree_newton *tn, const dt_system *s)
{
    for (int item = 0; item < dt_rod_items(s->mechanism)->count; item++) {
        dt_rod of;
        dt_rod_measure(s, item, &of);
        for (int e = 0; e < DT_ROD_ENDS; e++) {
            const int i = of.end[e]->node;
            if (i < 0) {
                continue;
            }
            double *P = dt_tree_newton_block(tn, i);
            if (dt_place_is_between(of.end[DT_ROD_A], of.end[DT_ROD_B])) {
                dt_place_fixed_block(s, of.first + e, P, tn->nz);
            } else {
                own_block(s, &of, e, P, tn->nz);
            }
        }
    }
}

/* The first answer; the others are the components of m dn. */
static bool is_multiplier(const dt_remote *remote)
{
    return remote->component == 0;
}

void dt_rod_answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    const dt_load *a = dt_rod_end(m, remote->item, DT_ROD_A),
                  *b = dt_rod_end(m, remote->item, DT_ROD_B);
    const bool between = dt_place_is_between(a, b);
    remote->row = dt_rod_row(m, remote->item);
    remote->node = is_multiplier(remote) ? dt_rod_node(m, remote->item) : between ? b->node : -1;
    remote->other = between ? a->node : remote->node;
}

bool dt_rod_prepare(dt_system *s, dt_remote *remote)
{
    dt_rod of;
    double unit[3] = {0};
    dt_rod_measure(s, remote->item, &of);
    dt_rod_answer_nodes(s->mechanism, remote);
    if (is_multiplier(remote) && !s->closure->active[of.row]) {
        remote->node = remote->other = -1;
    }
    if (remote->node < 0) {
        return false;
    }
    if (is_multiplier(remote)) {
        memcpy(unit, of.n, sizeof unit);
    } else {
        unit[remote->component - 1] = 1;
    }
    memset(remote->wrench, 0, sizeof remote->wrench);
    memset(remote->back, 0, sizeof remote->back);
    dt_place_add_force(of.arm[DT_ROD_B], unit, remote->wrench);
    dt_place_add_force(of.arm[DT_ROD_A], unit, remote->back);
    return true;
}

/* How ends change in the solution; at the level of accelerations these alone do. */
double dt_rod_feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    dt_rod of;
    double dr[3] = {0}, du[3] = {0}, da[3] = {0}, dn[3];
    const bool step = tn->level == DT_NEWTON_STEP;
    dt_rod_measure(s, remote->item, &of);
    for (int e = 0; e < DT_ROD_ENDS; e++) {
        const int i = of.end[e]->node;
        const double *z = dt_tree_newton_z(tn, i < 0 ? 0 : i);
        double dV[6] = {0}, dA[6] = {0}, dp[3] = {0}, dv[3] = {0};
        if (i < 0) {
            continue;
        }
        if (step) { /* dV = d~V + x x V, dA = d~A + x x A */
            dt_cross_motion(dV, z + 12, s->motion[i].V);
            dt_cross_motion(dA, z + 12, s->A[i]);
            dt_add6(dV, z);
            dt_place_change(s, of.end[e], of.arm[e], z + 12, dV, dp, dv);
        }
        dt_add6(dA, step ? z + 6 : z);
        for (int k = 0; k < 3; k++) {
            dr[k] += dt_rod_sign(e) * dp[k];
            du[k] += dt_rod_sign(e) * dv[k];
        }
        dt_rod_add_acceleration_change(s, &of, e, dp, dv, dV, dA, da);
    }
    if (is_multiplier(remote)) {
        return dt_rod_row_change(s, &of, dr, du, da);
    }
    dt_rod_direction_change(&of, dr, dn);
    return s->multiplier[of.row] * dn[remote->component - 1];
}

void dt_rod_inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    const int a = dt_rod_end(changes->mechanism, remote->item, DT_ROD_A)->node,
              b = dt_rod_end(changes->mechanism, remote->item, DT_ROD_B)->node;
    if (remote->node >= 0 && b >= 0) {
        dt_axpy6(changes->E[b], u, remote->wrench);
    }
    if (remote->node >= 0 && a >= 0) {
        dt_axpy6(changes->E[a], -u, remote->back);
    }
}
