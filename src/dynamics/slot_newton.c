/*
 * Slopes of points on curves for Newton's step along the tree (slot.h). One is seven answers: the multiplier, which makes the row hold, and the
 * components of m dw, which read how both bodies move; wrenches stay in the world otherwise.
 */
#include "dynamics/closure.h"
#include "dynamics/slot.h"

static const dt_load *ends_of(const detent_mechanism *m, int item)
{
    return &m->loads[dt_item_place(dt_slot_items(m), item)];
}

/* A wrench that stays in the world: -d~E = dx x* E. */
void dt_slot_add_blocks(const dt_tree_newton *tn, const dt_system *s)
{
    for (int item = 0; item < dt_slot_items(s->mechanism)->count; item++) {
        dt_slot of;
        dt_slot_measure(s, item, &of);
        for (int e = 0; e < DT_SLOT_ENDS && !dt_slot_is_idle(&of); e++) {
            double *P = of.node[e] < 0 ? NULL : dt_tree_newton_block(tn, of.node[e]);
            for (int k = 0; k < 6 && P; k++) {
                double x[6] = {0}, turned[6];
                x[k] = 1;
                dt_cross_force(turned, x, s->load_wrench[of.first + e]);
                for (int r = 0; r < 6; r++) {
                    P[r * tn->nz + 12 + k] += turned[r];
                }
            }
        }
    }
}

static bool is_multiplier(const dt_remote *remote)
{
    return remote->component == 0;
}

void dt_slot_answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    const dt_load *end = ends_of(m, remote->item);
    const int a = end[DT_SLOT_A].node, b = end[DT_SLOT_B].node;
    remote->row = dt_item_row(dt_slot_items(m), remote->item);
    remote->node = a == b ? -1 : a >= 0 ? a : b;
    remote->other = a == b ? -1 : b >= 0 ? b : a;
}

bool dt_slot_prepare(dt_system *s, dt_remote *remote)
{
    dt_slot of;
    dt_slot_answer_nodes(s->mechanism, remote);
    if (is_multiplier(remote) && !s->closure->active[remote->row]) {
        remote->node = remote->other = -1;
    }
    if (remote->node < 0) {
        return false;
    }
    memset(remote->wrench, 0, sizeof remote->wrench);
    if (is_multiplier(remote)) {
        dt_slot_measure(s, remote->item, &of);
        memcpy(remote->wrench, of.w, sizeof of.w);
    } else { /* torques are taken over a length: answers compare as forces */
        remote->wrench[remote->component - 1] = remote->component <= 3 ? s->length : 1;
    }
    return true;
}

/* The solution as changes of both ends; at the level of accelerations these alone change. */
static void take_change(const dt_tree_newton *tn, const dt_system *s, const dt_slot *of,
                        dt_slot_change *by)
{
    const bool step = tn->level == DT_NEWTON_STEP;
    memset(by, 0, sizeof *by);
    for (int e = 0; e < DT_SLOT_ENDS; e++) {
        const int i = of->node[e];
        const double *z = i < 0 ? NULL : dt_tree_newton_z(tn, i);
        if (z && step) { /* dV = d~V + x x V, dA = d~A + x x A */
            memcpy(by->x[e], z + 12, sizeof by->x[e]);
            dt_cross_motion(by->dV[e], z + 12, s->motion[i].V);
            dt_cross_motion(by->dA[e], z + 12, s->A[i]);
            dt_add6(by->dV[e], z);
        }
        if (z) {
            dt_add6(by->dA[e], step ? z + 6 : z);
        }
    }
}

double dt_slot_feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    dt_slot of;
    dt_slot_change by;
    double dw[6];
    dt_slot_measure(s, remote->item, &of);
    take_change(tn, s, &of, &by);
    if (is_multiplier(remote)) {
        return dt_slot_row_change(s, &of, &by);
    }
    const int component = remote->component - 1;
    dt_slot_wrench_change(&of, &by, dw);
    return s->multiplier[of.row] * dw[component] / remote->wrench[component];
}

void dt_slot_inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    const dt_load *end = ends_of(changes->mechanism, remote->item);
    for (int e = 0; e < DT_SLOT_ENDS && remote->node >= 0; e++) {
        if (end[e].node >= 0) {
            dt_axpy6(changes->E[end[e].node], e == DT_SLOT_A ? u : -u, remote->wrench);
        }
    }
}
