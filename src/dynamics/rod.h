/**
 * @file rod.h
 * Massless rods between points a and b of two bodies, one of which may be the ground.
 *
 *   r = b - a,  l = |r|,  n = r / l,  u = r',  L the length of the rod
 *   g = l - L = 0          G v = n . u          row  n . r'' + (u . u - (n . u)^2) / l = 0
 *   multiplier m           force at b: m n, at a: -m n;  tension -m
 *   their changes          dn = (dr - n (n . dr)) / l,  dF = dm n + m dn
 *
 * Point accelerations from the spatial ones A, less gravity: p'' = A_v + A_w x p + w x p'; the ground has A_v = -gravity.
 *
 * element_distance.c has what files say of them, their rows and wrenches, rod_newton.c their part of Newton's step along the tree.
 */
#ifndef DT_DYNAMICS_ROD_H
#define DT_DYNAMICS_ROD_H

#include "dynamics/element.h"

enum { DT_ROD_A, DT_ROD_B, DT_ROD_ENDS };

/** What is known of one at a pose and velocities. */
typedef struct dt_rod {
    int first, row; /**< place of its first end; its row */
    const dt_load *end[DT_ROD_ENDS];
    double arm[DT_ROD_ENDS][3]; /**< the points, from the system's origin */
    double velocity[DT_ROD_ENDS][3];
    double n[3], u[3];
    double length, rate; /**< n . u */
} dt_rod;

static inline const dt_item_list *dt_rod_items(const detent_mechanism *m)
{
    return dt_added_items(m, DT_ELEMENT_distance);
}

static inline int dt_rod_row(const detent_mechanism *m, int item)
{
    return dt_item_row(dt_rod_items(m), item);
}

static inline const dt_load *dt_rod_end(const detent_mechanism *m, int item, int e)
{
    return &m->loads[dt_item_place(dt_rod_items(m), item) + e];
}

/** The node of its end at b; where that is the ground, at a. */
static inline int dt_rod_node(const detent_mechanism *m, int item)
{
    return dt_rod_end(m, item, dt_rod_end(m, item, DT_ROD_B)->node >= 0 ? DT_ROD_B : DT_ROD_A)
        ->node;
}

/** Of what a multiplier does at an end. */
static inline double dt_rod_sign(int e)
{
    return e == DT_ROD_B ? 1 : -1;
}

/* ---- rod.c ---- */

/** A rod at the present pose and velocities. */
void dt_rod_measure(const dt_system *system, int item, dt_rod *of);

/** dn of a change dr. */
void dt_rod_direction_change(const dt_rod *of, const double dr[3], double dn[3]);

/** How ends and their velocities change in the direction of the tangent. */
void dt_rod_end_changes(const dt_tangent *t, const dt_system *system, const dt_rod *of,
                        double dp[DT_ROD_ENDS][3], double dv[DT_ROD_ENDS][3], double dr[3],
                        double du[3]);

/** r''. */
void dt_rod_acceleration(const dt_system *system, const dt_rod *of, double between[3]);

/** Adds to the change of r'' that of an end on a node: where its point changes by dp, its velocity by dv, V and A by dV and dA. */
void dt_rod_add_acceleration_change(const dt_system *system, const dt_rod *of, int e,
                                    const double dp[3], const double dv[3], const double dV[6],
                                    const double dA[6], double da[3]);

/** The change of the row of accelerations by those of r, u and r''. */
double dt_rod_row_change(const dt_system *system, const dt_rod *of, const double dr[3],
                         const double du[3], const double da[3]);

/* ---- rod_newton.c: rows of dt_element_kind ---- */

void dt_rod_add_blocks(const dt_tree_newton *tn, const dt_system *system);
void dt_rod_answer_nodes(const detent_mechanism *m, dt_remote *remote);
bool dt_rod_prepare(dt_system *system, dt_remote *remote);
double dt_rod_feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *system);
void dt_rod_inject(const dt_remote *remote, double u, const dt_law_changes *changes);

#endif
