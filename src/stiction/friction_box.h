/**
 * @file friction_box.h
 * One round of the search: every friction force at rest in a box, who moves?
 *
 *   M a + bias = Q + S f,   l_k <= f_k <= u_k,
 *   a_k > 0 only where f_k = l_k,   a_k < 0 only where f_k = u_k                    (k at rest)
 *
 * which are the conditions of the minimum of 1/2 a'Ma - (Q - bias)'a + sum_k max(-l_k a_k, -u_k
 * a_k): strictly convex, so a is unique. A *side* says on which branch a joint is: 0 held (a = 0, f
 * unknown), +1 and -1 moving (f = l or u, a unknown). Given the sides, one hybrid articulated-body
 * solve gives all a and f in linear time (aba.h).
 *
 * Arithmetic. Joint k's force is known within delta_k, the rounding of the terms that it was summed
 * from (force_size.h). What is smaller is zero: a moving joint must accelerate by
 * more than delta_k / D_k, D_k its articulated inertia, and a held joint may be 4 delta_k beyond
 * its limit. So a tie can be held: let go, the joint would accelerate by what is beyond, over an
 * inertia of at most D_k. Only where many hang together whose loads, limits and all, are rounding
 * (the far end of a chain in free fall) not all of them can, and some are let go (`ties_may_move`): as
 * the true solution, computed with errors of up to 2.6 delta, must not be refused, D_k a_k may then be
 * 4 delta on the wrong side of zero, as much as a held joint may be beyond its limit.
 *
 * Pfeiffer and Glocker, Multibody Dynamics with Unilateral Contacts, 1996; Featherstone 2008, ch.
 * 9.
 */
#ifndef DT_STICTION_FRICTION_BOX_H
#define DT_STICTION_FRICTION_BOX_H

#include "dynamics/aba.h"
#include "dynamics/force_size.h"

/** What is known of the friction of a joint. */
typedef enum dt_friction_kind {
    DT_FRICTION_GIVEN, /**< the force: the joint moves already */
    DT_FRICTION_RIGID, /**< that the joint rests, by whatever force */
    DT_FRICTION_BOXED  /**< the limits of the force */
} dt_friction_kind;

struct dt_friction_box;

/** Finds a and f at the present sides in its own way: as dt_friction_box_solve(). */
typedef int (*dt_side_solver)(void *context, struct dt_friction_box *box);

typedef struct dt_friction_box {
    const dt_system *system; /**< motion, Q, gravity, external wrenches, prescribed accelerations */
    int count;               /**< stictions */
    int *node, *freedom;     /**< count: where they are in the tree */
    unsigned char *kind;     /**< count: dt_friction_kind */
    double (*limits)[2];     /**< count: l, u of those in a box */
    signed char *side;       /**< count: direction of motion of those in a box, 0 held */
    /** count: of a held one that gives way together with others, where it goes; else 0 */
    signed char *way;
    double *beyond; /**< count, where there are loops: by which share of limits those are beyond */
    double *f;      /**< count: read where GIVEN, else found */
    double *a;      /**< nv: found */
    dt_side_solver solver; /**< NULL: articulated bodies, with Q as it is */
    void *solver_context;
    bool impulsive; /**< what is asked for are impulses and changes of velocity: no Q, no bias */
    bool ties_may_move; /**< a moving joint may have no acceleration beyond the noise */
    size_t solves;      /**< linear-time solves so far */

    /* work space of the linear-time solver, shared with the interior point */
    dt_aba *aba;               /**< the caller's: nobody else may use it during a round */
    unsigned char *held;       /**< node_count */
    double *tau, *transmitted; /**< nv */
    dt_force_size *size;       /**< the caller's, as well; of the last solve where `sized` */
    bool sized;
    bool (*stopped)(void *user); /**< whether the search is to be given up; NULL: never */
    void *stopped_user;
} dt_friction_box;

/** False when memory is out. Every joint is RIGID at first. */
bool dt_friction_box_create(dt_arena *arena, const dt_system *system, dt_friction_box *box);

/**
 * Takes over the stictions of a system, no larger than the one that the box was created for, and
 * articulated bodies and sizes for its tree. To be called before anything is solved.
 */
void dt_friction_box_bind(dt_friction_box *box, const dt_system *system, dt_aba *aba,
                          dt_force_size *size);

/** The forces along the freedoms (nv) that are there without friction: Q, or nothing. */
void dt_friction_box_drive(const dt_friction_box *box, double *tau);

/** Whether somebody asks for the search to be given up. */
static inline bool dt_friction_box_is_stopped(const dt_friction_box *box)
{
    return box->stopped && box->stopped(box->stopped_user);
}

/** Holds what is held at the present sides, or, for the interior point, `all_boxed_free`. */
void dt_friction_box_hold(dt_friction_box *box, bool all_boxed_free);

/** Solves with the forces `tau` along the freedoms and the last factorisation: a and S'F. */
void dt_friction_box_transmit(dt_friction_box *box, const double *tau, double *a);

/**
 * Finds a and f at the present sides. Returns -1, or the node whose freedom has no inertia, or
 * DT_NO_SOLUTION of a `solver` where there is none at these sides.
 */
int dt_friction_box_solve(dt_friction_box *box);
enum { DT_NO_SOLUTION = -2 };

/** Factors the articulated bodies at the present sides: for inertias. As dt_friction_box_solve(). */
int dt_friction_box_factor(dt_friction_box *box);

/**
 * The size z of what the force along freedom `column` of a node was summed from in the last solve,
 * N or N m.
 */
double dt_friction_box_size(dt_friction_box *box, int node, int column);

/** Sizes and noises from now on are those of the last solve, whoever uses the articulated bodies. */
void dt_friction_box_measure(dt_friction_box *box);

/**
 * By how much a joint may be beyond what its side asks for, in units of delta: a held one beyond its limit, and by its
 * inertia force D a, which is made of the same terms, one that moves.
 */
#define DT_TOLERATED_NOISES 4

/** What the rounding of n nodes makes of a force of one N or N m: 8 sqrt(n + 16) eps. */
double dt_friction_box_rounding(const dt_friction_box *box);

/** delta_k of the last solve, N or N m; where the scale is known never less than the rounding of a rounding. */
double dt_friction_box_noise(dt_friction_box *box, int k);

/** Articulated inertia of a moving joint in the last solve, kg or kg m^2. */
double dt_friction_box_inertia(const dt_friction_box *box, int k);

/**
 * How far joint k contradicts its side in the last solve, N or N m: what the force of a held joint
 * lies beyond its limit, or the inertia force of a joint that accelerates against its direction. 0
 * where there is no contradiction. A moving joint must accelerate, by more than the noise: at rest
 * it is to be held.
 */
double dt_friction_box_contradiction(dt_friction_box *box, int k);

/** The same in widths of its box; infinite where it has none. Those that give way together have the same. */
double dt_friction_box_share(dt_friction_box *box, int k);

/** The side on the other end of a contradiction. */
signed char dt_friction_box_opposite(const dt_friction_box *box, int k);

#endif
