/**
 * @file velocity_step.h
 * The velocities at the end of a step of length h, in linear time, given who is held and what friction is along the others:
 *
 *   (M + s h D + s^2 h^2 K) (v+ - v) = h (Q - D (v - v') - K (q + s h v - q') - bias + S f)
 *
 * M, the bias and the forces Q are those of where the system is: q', v', in the middle of the step, or at its start. D = -dQ/dv and K = -dQ/dq are how
 * forces along a joint answer to its own motion where that is against it (dampers, springs, laws of their own joint: exact slopes); they follow
 * v + s (v+ - v) and q + s h (v + s (v+ - v)). The share s of the end,
 *
 *   s = 1/(1 - exp(-z)) - 1/z = 1/2 + z/12 - ...,    z = (h D + h^2 K) / inertia
 *
 * is half where a step resolves the joint, so that the step has order two, and 1 where that is too stiff for it, as in the implicit Euler method: so
 * nothing rings, for of one damper the step is exp(-z), exactly. A slope that drives is left explicit. v+ of those that are held is given, and f found.
 *
 * With a = (v+ - v)/h these are the equations of articulated bodies (aba.h) with s h D + s^2 h^2 K beside the inertia of each joint.
 *
 * Where joints are tied, or forces read other joints, or states, that is not enough: `coupled`. There a step of Newton's method (newton.h, c = 1/h)
 * from the state at the start with a = 0 has all slopes, of conditions and states, too: an implicit Euler step, linearised. Joints that are
 * held have dampers in place of a mode, so stiff that they move by next to nothing, f = -d (v+ - given): so who is held along with others round a loop
 * shares what they carry, and conditions stay the same whoever is held (velocity_newton.c).
 *
 * Friction laws with springs are curves of v+ (bristles.h), solved for with the rest in a few more solves: they couple nothing, and their slopes stand beside D.
 */
#ifndef DT_DYNAMICS_VELOCITY_STEP_H
#define DT_DYNAMICS_VELOCITY_STEP_H

#include "dynamics/bristles.h"
#include "dynamics/newton.h"

typedef struct dt_velocity_step {
    dt_system *system;
    dt_newton *newton;
    double h;
    bool has_slopes;      /**< some force along a joint answers to its motion */
    bool coupled;         /**< a step of Newton's method is needed */
    bool keeps_reactions; /**< some law reads what the step transmits */
    const double *start;  /**< nv: v, given */
    double *moved;        /**< nv: q' - q, given */
    bool inert; /**< where it is coupled: slopes are of what acts on bodies, not of their inertia */
    bool ahead; /**< and q' is given, nothing has to close there */
    double *shift;     /**< nq: q' - q then, given */
    bool *whole;       /**< nv: s is 1, given */
    double *share;     /**< nv: s */
    double *reference; /**< nv: inertia that z is measured by, kg or kg m^2 */
    double *stiff,
        *resolved; /**< nv: h D + h^2 K that the last share was found for, and that: mostly the next one, too */
    double *D, *K;     /**< nv */
    double *added;     /**< nv: s h D + s^2 h^2 K */
    double *all_added; /**< nv: with slopes of curves beside; NULL: there are none */
    double *drive;     /**< nv: Q, and what D and K add that is known */
    bool
        keeps_factor; /**< the next solution has the matrix of the last one, if the same joints are held */
    unsigned char *held; /**< node_count */
    double *v;           /**< nv: v+ of those that are held, given; of the others found */
    double *a;           /**< nv: (v+ - v)/h */
    double *f;           /**< stiction_count: of those that are held found, of the others given */
    double *force;       /**< nv: what joints transmit, and what is given along them */
    size_t solves;       /**< so far, of given curves */
    size_t curve_solves; /**< more of them, until curves were as they are at the solution */
    bool off_curve;      /**< and some were not, in the last of the solutions */
    dt_bristles bristles;

    /* where it is coupled */
    double *d;         /**< stiction_count: of the dampers that hold joints, N s/m or N m s/rad */
    double *hold;      /**< stiction_count: forces beside those of dampers */
    bool *weighed;     /**< stiction_count: d is by the inertia of all that moves with it now */
    unsigned touching; /**< with these slacks held */
    double *inertia;   /**< nv: with nobody held */
    dt_inertia *composite; /**< node_count: work space */
    double *carried;       /**< nv: inertia of all that moves with it */
    double liveliest; /**< kg^1/2 m/s: how fast anything may be, times the root of its inertia */
    double *drag;     /**< nv: d of those that are held, else 0 */
    double *spring;   /**< nv: slopes of curves by the way; NULL: there are none */
    double *pinned;   /**< stiction_count: friction at v */
    double *open;     /**< nv: S'F - Q at the start, a = 0 */
    bool left; /**< the system no longer is as at the start: its forces, or who follows from whom */
    double *m,
        *z; /**< dt_tie_rows(), state_count: multipliers, and changes of states, of the last solution */
    double *r_q, *r_v, *r_f, *r_m, *r_z; /**< residuals, then changes */
    double *rate_q, *rate_z, *tie;       /**< what they are at the start */
    int conditions;                      /**< of loops and couplings, at the start: their count */
    double *turn;   /**< nq: changes of coordinates in the step, once it is refined */
    double *better; /**< nv: v+, refined */
    double *
        firm; /**< nv: v+ with those that are held by the forces of the last solution, dampers giving way no more */
    double *kept_drag, *kept_spring; /**< nv: of the matrix whose factors there are */
    unsigned choice;                 /**< and who follows from whom there */
    signed char *mode, *direction;   /**< stiction_count: put aside meanwhile */
} dt_velocity_step;

/** Whether a system needs steps of Newton's method. */
bool dt_velocity_step_is_coupled(const dt_system *system, const dt_newton *newton);

/** For a system and its Newton steps, up to that level; false when memory is out. */
bool dt_velocity_step_create(dt_arena *arena, dt_system *system, dt_newton *newton,
                             dt_velocity_step *step);

/** From the beginning of a step to its end friction laws with springs are apart (bristles.h). After `start` is known. */
void dt_velocity_step_set_apart(dt_velocity_step *step, bool apart);

/** The inertias that stiffness is measured by become those of where the system is, with nobody held. */
void dt_velocity_step_measure(dt_velocity_step *step);

/** A step of length h: D, K and shares by the readings of the system, where nothing is coupled; else shares are 1. */
void dt_velocity_step_find_slopes(dt_velocity_step *step, double h);

/**
 * After dt_velocity_step_find_slopes(). The step takes what is where the system is, whose poses and velocities are up to date; forces that read
 * accelerations, forces or friction take those that the system has. Prescribed joints get their velocity of the time `end`; nobody else is held.
 */
void dt_velocity_step_begin(dt_velocity_step *step, double end);

/** The same step again with other velocities of the system: D, K and M stay. Where nothing is coupled. */
void dt_velocity_step_correct(dt_velocity_step *step);

/**
 * v+, a and f, with those in `held` held. DETENT_ERROR_NUMERIC: a freedom has no inertia.
 */
detent_status dt_velocity_step_solve(dt_velocity_step *step, detent_error *error);

/**
 * The changes of velocity that impulses of those that are held make, given theirs in `v` as changes, to `a` as changes and to `f` as impulses; no
 * other force has one, and friction that is finite has none. After dt_velocity_step_begin().
 */
detent_status dt_velocity_step_strike(dt_velocity_step *step, detent_error *error);

/** Accelerations and what joints transmit become those of the last solution, for laws and readers; friction does in any case. */
void dt_velocity_step_take(dt_velocity_step *step);

/**
 * Changes of states in a step to the readings of the system, d z = (c - dg/dz)^-1 g with g their derivatives there, to `change` (state_count). False
 * where that is singular.
 */
bool dt_velocity_step_states(dt_velocity_step *step, double c, double *change);

/**
 * The same where nothing is coupled, with the system in the middle of a step: changes of states, to second order, from the start of the step, which
 * the system has.
 */
bool dt_velocity_step_states_of_middle(dt_velocity_step *step, double *change);

/** The inertia of freedom j that was not held in the last solution, with what its joint carries, kg or kg m^2. */
double dt_velocity_step_inertia(const dt_velocity_step *step, int freedom);

/** The rounding of f of stiction k, which is held, N or N m; or by how much a damper in place of a mode misses it. */
double dt_velocity_step_noise(const dt_velocity_step *step, int k);

/** Whether stiction k, which slides with that force, has another velocity than `at` only as far as dampers give way, so that others hold it there. */
bool dt_velocity_step_creeps(dt_velocity_step *step, int k, double force, double at);

#endif
