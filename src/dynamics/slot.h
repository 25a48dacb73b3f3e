/**
 * @file slot.h
 * A point p of a body A on a curve that is fixed on a body B, of which one may be the ground: a pin in a slot, a roller on a track. The curve is in
 * the plane of x and y of a frame on B; along z the point is free.
 *
 *   n, t    the curve's normal (on the left) and tangent at the foot of p, along the world's axes; k its curvature
 *   w       = (p x n, n), the wrench of a unit force along n at p, about the origin
 *   U       = V_A - V_B;  u = U_w x p + U_v, the velocity of p as B sees it
 *   g       = n . (p - foot) = 0            G v = w . U
 *   row     w . (A_A - A_B - V_B x U) + U_w . (u x n) - k (t . u)^2 = 0
 *   multiplier m                            acts with m w on A, with -m w on B; no work
 *
 * As B sees it p moves by dp = x_w x p + x_v where the poses change by x = x_A - x_B, n by -k (t . dp) t, t by k (t . dp) n, k by
 * dk/ds (t . dp); in the world all turn with B besides. slot_curve.h has the curve.
 */
#ifndef DT_DYNAMICS_SLOT_H
#define DT_DYNAMICS_SLOT_H

#include "dynamics/element.h"
#include "dynamics/slot_curve.h"

enum { DT_SLOT_A, DT_SLOT_B, DT_SLOT_ENDS };

/** One at a pose and velocities. */
typedef struct dt_slot {
    const dt_slot_curve *curve;
    dt_slot_memo *memo; /**< of the system: its foot is that of the last point that was asked for */
    dt_slot_foot foot;
    int row, first; /**< its row; the place of its first end */
    int node[DT_SLOT_ENDS];
    double p[3], n[3], t[3];
    double bend; /**< k */
    double w[6], V[DT_SLOT_ENDS][6], U[6], u[3];
} dt_slot;

/** How ends change: poses, velocities, accelerations. */
typedef struct dt_slot_change {
    double x[DT_SLOT_ENDS][6], dV[DT_SLOT_ENDS][6], dA[DT_SLOT_ENDS][6];
} dt_slot_change;

static inline const dt_item_list *dt_slot_items(const detent_mechanism *m)
{
    return dt_added_items(m, DT_ELEMENT_slot);
}

/** Whether its ends are on one body, or on bodies that move as one. */
static inline bool dt_slot_is_idle(const dt_slot *of)
{
    return of->node[DT_SLOT_A] == of->node[DT_SLOT_B];
}

/** Whether its point is beyond the ends of its curve, where it can be while it is sought, and not stay: there n is not a number. */
bool dt_slot_is_out(const dt_system *system, const dt_slot *of);
void dt_slot_measure(const dt_system *system, int item, dt_slot *of);
/** Its row, of accelerations. */
double dt_slot_row(const dt_system *system, const dt_slot *of);
/** How that changes. */
double dt_slot_row_change(const dt_system *system, const dt_slot *of, const dt_slot_change *by);
/** How w changes, in the world; NULL: how G v changes is wanted alone, and returned in any case. */
double dt_slot_wrench_change(const dt_slot *of, const dt_slot_change *by, double dw[6]);

/* ---- slot_newton.c: rows of dt_element_kind ---- */

enum { DT_SLOT_ANSWERS = 7 }; /**< the multiplier; components of m dw */

void dt_slot_add_blocks(const dt_tree_newton *tn, const dt_system *system);
void dt_slot_answer_nodes(const detent_mechanism *m, dt_remote *remote);
bool dt_slot_prepare(dt_system *system, dt_remote *remote);
double dt_slot_feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *system);
void dt_slot_inject(const dt_remote *remote, double u, const dt_law_changes *changes);

#endif
