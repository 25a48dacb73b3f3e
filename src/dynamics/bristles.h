/**
 * @file bristles.h
 * Friction laws with springs within a step of time stepping (velocity_step.h). In a step of length h the joint goes the way x = h u with
 * u = v + s (v+ - v), and springs are curves of it (spring_step.h), so that the law is a force which falls with v+,
 *
 *   F(v+) = -L (sum k z(s x) + d (z(x) - z)/h) - f u
 *
 * with the load L and, of LuGre, g of where the system is. It is never beyond what the law can do, however long the step: the springs' states follow
 * from x at its end. F is solved for by Newton's method, F_i - D_i (v+ - v_i), D = -dF/dv+ >= 0, each time as a damper along the joint; where that
 * overshoots, it goes back to the least of the convex function whose derivative the equation of motion is, on the line between two solutions: what
 * the rest of the mechanism asks of the joint is linear there.
 *
 * Meanwhile those laws are *apart* (dt_system.apart): no forces of the system, no slopes, and their states are given to others.
 */
#ifndef DT_DYNAMICS_BRISTLES_H
#define DT_DYNAMICS_BRISTLES_H

#include "dynamics/friction_law.h"
#include "dynamics/state_slopes.h"

typedef struct dt_bristle {
    const dt_friction_law *law;
    int item, node, freedom;
    int state, count;             /**< of its springs: the first, how many */
    double load;                  /**< L */
    double most[DT_MOST_SIZES];   /**< m or rad: where springs slip */
    double begin[DT_MOST_SIZES];  /**< z at the start of the step */
    double from[DT_MOST_SIZES];   /**< the same, where the curves of its end begin */
    double middle[DT_MOST_SIZES]; /**< and those of where it takes its forces, s x */
    double at, force, slope;      /**< v_i, F_i, D_i */
    int coordinate;
    double way;      /**< m or rad: x, where it is given */
    double v, given; /**< velocity and force of the solution that lines are searched from */
    double v_next, given_next; /**< of the one that they lead to */
} dt_bristle;

typedef struct dt_bristles {
    dt_system *system;
    int count;     /**< 0: no law has springs */
    bool has_ways; /**< the ways of the step are given: not h u */
    dt_bristle *of;
    double h;
    const double *start, *share; /**< nv: v and s, given */
    const unsigned char *held;   /**< node_count: who has his velocity given */
    double *slope;               /**< nv: D_i */
    double *force;               /**< nv: F_i - D_i (v - v_i): what acts at v+ = v */
    bool *is_state;              /**< state_count: that of a spring */
    bool *apart;                 /**< items: whether they have springs */
    double *apart_force;         /**< items: of the last solution */
} dt_bristles;

/** Lists them; false when memory is out. */
bool dt_bristles_create(dt_arena *arena, dt_system *system, dt_bristles *bristles);

/** They are apart, and so are their states, or are like others again. */
void dt_bristles_set_apart(dt_bristles *bristles, dt_state_slopes *slopes, bool apart);

/** A step of length h begins: springs are where the states are. */
void dt_bristles_begin(dt_bristles *bristles, double h);

/** Loads and where springs slip become those of the readings of the system. */
void dt_bristles_measure(dt_bristles *bristles);

/** How stiffly they answer at most: adds to D and K of freedoms (nv each). */
void dt_bristles_add_stiffness(const dt_bristles *bristles, double *D, double *K);

/** Slopes and forces at velocities v, from which solutions are sought; those of joints that are held are given there. */
void dt_bristles_seek(dt_bristles *bristles, const double *v);

/** Of a solution v: whether it is one with the laws as they are. Else slopes and forces are those to seek the next one with. `first`: since dt_bristles_seek(). */
bool dt_bristles_settle(dt_bristles *bristles, const double *v, bool first);

/** With the system in the middle of a step of these changes of coordinates (nq): the laws there, in `given`. */
void dt_bristles_take_middle(dt_bristles *bristles, const double *turn);
/** These forces, and the ways `turn`, are those of the step; or, NULL, they are not, with the system at the start again. */
void dt_bristles_keep_middle(dt_bristles *bristles, const double *turn);

/** Mean rates in the step of the states that are springs, with velocities v at its end, in `rate` (state_count). */
void dt_bristles_give_rates(const dt_bristles *bristles, const double *v, double *rate);

/** States of springs at the end of the step, in `z` (state_count). */
void dt_bristles_take_states(const dt_bristles *bristles, const double *v, double *z);

/** Works of the step: what friction does, and, where a normal force presses on springs, what that does, J. */
void dt_bristles_works(const dt_bristles *bristles, const double *v, double *friction,
                       double *actuation);

#endif
