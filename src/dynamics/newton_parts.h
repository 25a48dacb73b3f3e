/**
 * @file newton_parts.h
 * What newton.c (steps), newton_plain.c and newton_stress.c (without and with what loops carry besides), accelerations.c and
 * forward_dynamics.c (accelerations of given modes) share.
 */
#ifndef DT_DYNAMICS_NEWTON_PARTS_H
#define DT_DYNAMICS_NEWTON_PARTS_H

#include "dynamics/coupling.h"
#include "dynamics/dense_newton.h"
#include "dynamics/newton.h"
#include "dynamics/newton_stress.h"

struct dt_newton {
    detent_linear_solver solver;
    dt_linear_laws laws;
    dt_tree_newton tree;
    dt_coupling coupling;
    dt_dense_newton dense;
    dt_newton_stress *stress; /**< NULL, or how what loops carry besides follows */
    /* work space of dt_solve_accelerations() */
    double *r_v, *r_f, *r_m, *d_v, *d_f, *d_m;
    double *from_v, *from_f, *from_m; /**< where its last step began; NULL of explicit laws */
    const double *
        drag; /**< NULL, or nv: of a damper along each freedom, beside what there is (velocity_newton.c) */
    const double
        *spring;   /**< NULL, or nv: of a spring along each freedom of one coordinate, likewise */
    bool corrects; /**< the last changes of multipliers were more than rounding */
    bool singular; /**< the motion was undetermined the last time */
    dt_force_size size;
    /* of dt_forward_dynamics() */
    bool explicit_laws; /**< no law of motion reads what the accelerations determine */
    dt_aba aba;
    unsigned char *held; /**< node_count */
    double *tau;         /**< nv */
};

/** dt_newton_factor() with what redundant conditions carry as it is. */
detent_status dt_newton_factor_plain(dt_newton *newton, dt_system *system, dt_newton_level level,
                                     double c, detent_error *error);

/** dt_newton_solve() with what redundant conditions carry as it is. */
void dt_newton_solve_plain(dt_newton *newton, dt_system *system, const dt_unknowns *r,
                           const dt_unknowns *d);

/** Reports that the motion of a node is undetermined: DETENT_ERROR_NUMERIC. */
detent_status dt_newton_singular(const dt_system *system, int node, detent_error *error);

#endif
