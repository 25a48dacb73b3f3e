/**
 * @file impulse.h
 * The impulse of friction that stops joints inside their velocity band.
 *
 * As if friction alone acted for D seconds at a frozen pose: the velocities v+ after it minimise
 *
 *   1/2 |v+ - v|^2_M + D sum_k max(-l_k v+_k, -u_k v+_k)
 *
 * with l_k = -FK(+1) and u_k = FK(-1) of joints that move, the static limits of joints that are
 * locked; D is the least one that stops the joints in question. The conditions of the minimum are
 *
 *   M (v+ - v) = S L,    D l_k <= L_k <= D u_k,    v+_k > 0 only where L_k = D l_k,
 *                                                  v+_k < 0 only where L_k = D u_k,
 *
 * those of a round of the search (friction_box.h) with impulses in place of forces. So the kinetic
 * energy never rises, and a joint that the impulse brings to rest stays there or goes on with
 * friction against it: none is thrown through zero. v+ and L are continuous and piecewise linear in
 * D; the path is followed from D = 0, between its corners by the rates dv/dD and dL/dD, each of
 * which is such a round.
 *
 * Osborne, Presnell, Turlach, A new approach to variable selection in least squares problems, IMA J.
 * Numer. Anal. 20, 2000, for following the solution of such a problem along D.
 */
#ifndef DT_STICTION_IMPULSE_H
#define DT_STICTION_IMPULSE_H

#include "stiction/mode_search.h"

typedef struct dt_impulse {
    double *v;           /**< nv: velocities so far */
    double *L;           /**< stiction_count: impulses so far, N s or N m s */
    double (*limits)[2]; /**< stiction_count: l, u; infinite where a joint is held by any force */
    double *far;         /**< stiction_count: how far a tied joint is free to go, as a force */
    double *noise;       /**< stiction_count: rounding of the velocity so far */
    signed char *moves;  /**< stiction_count: direction, 0 at rest */
    signed char *tied;   /**< stiction_count: at rest at its limit, and free to go this way */
    bool *begins;        /**< stiction_count: to move, by the step that is made */
    double duration;     /**< D, s */
    double drive_work;   /**< of prescribed motions so far, J */
} dt_impulse;

/** False when memory is out. */
bool dt_impulse_create(dt_arena *arena, const dt_system *system, dt_impulse *impulse);

/** Takes the velocities and limits of the system's present readings and modes; D = 0. */
void dt_impulse_begin(dt_system *system, dt_impulse *impulse);

/** Whether friction can stop joint k, which moves: whether there is any. */
bool dt_impulse_can_stop(const dt_impulse *impulse, int k);

/**
 * Lets D grow until every joint marked in `stop` (stiction_count) is at rest. The system is that of
 * dt_impulse_begin(), unchanged; the box of `search` is solved by `newton`. DETENT_OK, or
 * DETENT_NO_CONSISTENT_STATE where the path cannot be followed.
 */
detent_status dt_impulse_run(dt_search *search, dt_system *system, dt_newton *newton,
                             const unsigned char *stop, dt_impulse *impulse);

/** The work of friction of the impulse, J, at most 0, from the velocities `before` (nv). */
double dt_impulse_friction_work(const dt_system *system, const double *before,
                                const dt_impulse *impulse);

#endif
