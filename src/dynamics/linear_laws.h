/**
 * @file linear_laws.h
 * The force laws of a system, linearised: what each freedom's own equation needs, and which laws
 * read something else.
 *
 * With r_v = S'F - Q - f and r_f = f + s FK (moving) or a (locked), a change obeys, f eliminated,
 *   moving:  (S - Q_F + w K_F) . dF + (w K_q - Q_q) dq + (...)_v dv + (...)_a da = -r_v - w r_f +
 *   u_Q - w u_K
 *            df = (-r_f - K_F . dF - K_q dq - K_v dv - K_a da - u_K) / (1 + K_f)
 *   locked:  df = ((S - Q_F) . dF - Q_q dq - Q_v dv - Q_a da - u_Q + r_v) / (1 + Q_f)
 * where K = s FK, w = (1 + Q_f) / (1 + K_f), and u_Q, u_K are the parts of dQ, dK that come from
 * readings of other nodes ("remote"). At the STEP level a law reads, in place of states, what their
 * derivatives read (state_slopes.h).
 */
#ifndef DT_DYNAMICS_LINEAR_LAWS_H
#define DT_DYNAMICS_LINEAR_LAWS_H

#include "dynamics/newton.h"
#include "dynamics/slope.h"
#include "dynamics/state_slopes.h"

/** The equation of one freedom: sigma . d~F + q dq + v dv + a da = right-hand side; sigma apart. */
typedef struct dt_row {
    double q, v, a;
} dt_row;

/** Slopes of s FK of one stiction, own readings; that of the wrench apart. */
typedef struct dt_friction_slope {
    double q, v, a, f;
} dt_friction_slope;

/**
 * A law that reads other nodes (a load's law always counts as one): actuation, kinetic friction, or a component
 * of a load. Its value changes by u = sum gradient dw.
 */
typedef struct dt_remote {
    const dt_law *law;                     /**< or NULL: another answer of the element */
    const struct dt_element_kind *element; /**< whose it is */
    int item, component;                   /**< of an answer that is no law */
    int row;                               /**< of one that ties: its multiplier */
    int node;                              /**< along or on which it acts; -1: not now */
    int other;                /**< another one on which it acts back, of an answer that is no law */
    const dt_variable *reads; /**< of a law: the program's variables, then those of the states */
    int read_count;
    double *gradient; /**< of these, 0 for own readings; or as the element has them */
    double factor;    /**< of its value where it acts: s of kinetic friction */
    double wrench[6]; /**< that of a unit value, about the origin */
    double back[6];   /**< the reverse of that on the other node */
} dt_remote;

/** Whether it is a multiplier. */
bool dt_remote_ties(const dt_remote *remote);

/** A law of the equation of motion that reads states: what is left of them where nothing changes but they. */
typedef struct dt_state_reader {
    dt_remote at; /**< where the law acts */
    int count;
    int *state; /**< count */
    double *y;  /**< count: the law changes by -y . r_z */
} dt_state_reader;

typedef struct dt_linear_laws {
    dt_row *row; /**< nv */
    /** nv: S - Q_F + w K_F; NULL where no law reads a wrench: S of the factorisation, dt_tree_newton_sigma() */
    double (*sigma)[6];
    double *one_plus_Qf;         /**< stiction_count */
    double *w;                   /**< stiction_count: (1 + Q_f) / (1 + K_f); 0 where locked */
    dt_friction_slope *friction; /**< stiction_count; NULL where friction reads nothing: 0 */
    double (*K_F)[6];            /**< stiction_count: slope of s FK by the wrench; NULL as sigma */
    dt_remote *remote;           /**< remote_count: laws, law_count, then other answers */
    int remote_count, law_count;
    int acceleration_count; /**< those that take part at the ACCELERATION level: laws and welds */
    dt_state_slopes states;
    /** reader_count: of the last update; before the first, as many as there can be */
    dt_state_reader *reader;
    int reader_count;
    int *reader_state; /**< theirs, one after the other */
    double *reader_y;
    unsigned char *needs_wrench; /**< node_count: its d~F is read by a law */
    bool needs_poses;            /**< wrenches follow poses (element.h: follows_poses) */
    double *gradient;            /**< work space, as long as the longest program's slots */
} dt_linear_laws;

/** False when memory is out. */
bool dt_linear_laws_create(dt_arena *arena, const dt_system *system, dt_linear_laws *laws);

/**
 * Linearises at the system's current readings and modes. False where the states alone are singular.
 */
bool dt_linear_laws_update(dt_linear_laws *laws, dt_system *system, dt_newton_level level,
                           double c);

/** Adds the slopes of a force along a joint of one freedom to its row, and to what its friction answers to. */
void dt_linear_laws_add_force(dt_linear_laws *laws, const dt_system *system, int node,
                              const dt_slope *force);

/** Slope of a law with respect to the readings of `node`, its own. */
void dt_linear_laws_slope(dt_linear_laws *laws, dt_system *system, const dt_law *law, int node,
                          int direction, dt_slope *slope);

#endif
