/**
 * @file interior_point.h
 * Settles the sides of a box problem (friction_box.h) from afar, whatever its size and condition.
 *
 * With the distances to the limits x = f - l, y = u - f, and the acceleration split as a = p - n,
 * p, n >= 0, the solution has x p = 0 and y n = 0. The method follows x p = y n = mu -> 0. A Newton
 * step to the target x p = t - dx dp, y n = t - dy dn (the second-order terms are those of the
 * predictor) is
 *
 *   d = 1 / (p / x + n / y)
 *   (M + diag(d)) a+ = Q - bias + f + d ((t - dx dp) / x - (t - dy dn) / y)
 *   df = d ((t - dx dp) / x - (t - dy dn) / y - a+)
 *
 * so that each target satisfies the equations of motion by itself and costs one articulated-body
 * sweep with extra inertia d on the joints at rest: two targets an iteration (predictor with t = 0,
 * then corrector with t = sigma mu), one factorisation. d goes to infinity for a joint that is held
 * and to zero for one that moves, and df is small by its factor d, not by a difference: near a
 * limit it is as accurate as x itself.
 *
 * Sides are read off the predictor: x + dx and p + dp of the predictor sum to one in units of x and
 * p, so a joint is on its way to move forward where the force goes more than half the way to l,
 * backward for u, else to be held (the indicators of Tapia). When hardly a side changes any more
 * the active set tries to finish from there.
 *
 * Mehrotra, On the implementation of a primal-dual interior point method, SIAM J. Optim. 2, 1992;
 * El-Bakry, Tapia and Zhang, A study of indicators for identifying zero variables in interior-point
 * methods, SIAM Review 36, 1994.
 */
#ifndef DT_STICTION_INTERIOR_POINT_H
#define DT_STICTION_INTERIOR_POINT_H

#include "stiction/active_set.h"

typedef struct dt_interior_point {
    /** mu from which the last run came through, to start the next of the same search; 0: unknown */
    double level;
    double loose_scale; /**< of mu, where bodies move on their own */

    /* work space */
    int count;   /**< joints in a box of finite width */
    int *member; /**< count: which; all of the following are in this order */
    /** Where there are stops: those of the box, infinite ones far beyond the forces; or NULL. */
    double (*limits)[2];
    double *x, *y;        /**< distances of the force to the lower and upper limit */
    double *p, *n;        /**< a = p - n */
    double *df, *dp, *dn; /**< the step, dx = df, dy = -df */
    signed char *side;    /**< as read off the last predictor */
    double *added;        /**< nv: d */
    double *tau, *a;      /**< nv */
} dt_interior_point;

/** False when memory is out. */
bool dt_interior_point_create(dt_arena *arena, const dt_friction_box *box, dt_interior_point *ip);

/**
 * Settles the box from a start of its own, with the active set to finish. `singular` receives the
 * node where DT_SINGULAR.
 */
dt_settlement dt_interior_point_run(dt_interior_point *ip, dt_active_set *set, dt_friction_box *box,
                                    int *singular);

#endif
