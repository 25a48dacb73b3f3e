/**
 * @file self_stress.h
 * What redundant conditions of loops carry where laws read it. A planar loop of joints in space has three conditions too many:
 * joints may press against each other out of the plane, and no motion tells by how much. Of all multipliers that make the
 * same motion, and the same friction of locked joints,
 *
 *   m + Z z,      Z: of rows that others imply, balanced by the active ones (split.h: their shares), no effect on locked joints
 *
 * those are taken that joints as elastic as each other would have:
 *
 *   sum over the joints of |R|^2 + |T|^2 / l^2  least        R, T: force and torque of a joint at its frame; l: of its loops,
 *                                                            the largest distance of two of their joints on one body
 *
 * The sum is that of all joints, so that it does not matter which of them closes the loop. What couplings do along their joints, and
 * what rods and slots carry, is in it, too, so that two of them side by side have as much of a load each. N z = -A'(R, T / l), A the reactions of Z,
 * N = A'A, wherever accelerations are set. Newton's steps know how z follows (newton_stress.h).
 */
#ifndef DT_DYNAMICS_SELF_STRESS_H
#define DT_DYNAMICS_SELF_STRESS_H

#include "dynamics/split.h"
#include "dynamics/tangent.h"

typedef struct dt_self_stress {
    int joint_count; /**< on the way round loops */
    int *node;       /**< joint_count: the last node of each */
    double *length;  /**< joint_count: of the loops that it belongs to, m */
    int height;      /**< of A: six a joint, one a row that does something itself */
    int itself_count;
    int *itself;    /**< itself_count: these rows */
    double *direct; /**< itself_count: what their unit multipliers do (dt_tie_kind.itself) */

    dt_split *split;   /**< shares, and effects on locked joints */
    int left;          /**< rows that others imply, whose shares are known */
    int count;         /**< columns of Z */
    double *Z;         /**< rows x count */
    double *A;         /**< height x count */
    double *N;         /**< count x count, factored */
    double *R;         /**< height */
    double *z;         /**< count */
    double (*push)[6]; /**< node_count: work space */
    int *pivots;       /**< rows */
    double *gradient;  /**< of a law: work space */
    bool fresh;        /**< all that belongs to these: */
    double *q;         /**< nq */
    signed char *mode; /**< stiction_count */
    unsigned choice;   /**< of dependent freedoms and active rows (closure.h) */
} dt_self_stress;

/**
 * Into closure->stress where a law reads reactions of a loop, into closure->shown where none does and there are few rows; the others are NULL.
 * False when memory is out.
 */
bool dt_self_stress_create(dt_arena *arena, dt_system *system);

/** What torques of a joint are divided by, m; while it is created. */
double dt_self_stress_length(const dt_system *system, const dt_self_stress *stress, int node);

/** Brings multipliers and reactions there; part of dt_system_set_acceleration(). */
void dt_self_stress_relax(dt_system *system);

/**
 * Reactions for a reader, where no law reads them; in small mechanisms, for it takes dense matrices. Whether they have changed: nobody is to go on
 * from there.
 */
bool dt_self_stress_show(dt_system *system);

/** The same, locked joints being elastic as well: a split of their friction to start from, whichever joint closes the loop. */
void dt_self_stress_relax_all(dt_system *system);

/** Takes what redundant rows carry out of these multipliers (rows), those of the system: rows that are left out have none then. */
void dt_self_stress_remove(dt_system *system, double *m);

/** Multipliers of rows that are left out are nothing: so accelerations start wherever they are solved for. */
void dt_self_stress_clear(dt_system *system);

/**
 * Whether the value of an output, with this gradient by its variables, changes in the first order with what redundant conditions carry,
 * or with how locked joints share what holds them; reactions being those of dt_self_stress_show().
 */
bool dt_self_stress_is_told(dt_system *system, const dt_program *program, const double *gradient);

/**
 * A law of the equation of motion whose value changes with what redundant conditions carry, in the first order; NULL: none does, as
 * where a planar loop is loaded in its plane.
 */
const dt_law *dt_self_stress_reader(dt_system *system);

/** Lists the columns of Z that such a law changes with; returns how many. */
int dt_self_stress_list(dt_system *system, int *column);

/** Column k of Z as that function has left it, rows multipliers. */
const double *dt_self_stress_column(const dt_system *system, int k);

/** By how much each z changes with the reactions of a tangent, after dt_tangent_inverse(); as many as Z has columns. */
void dt_self_stress_change(dt_system *system, const dt_tangent *tangent, double *dz);

/** Whether what locked joints share changes a reaction, or what a coupling does. */
bool dt_self_stress_is_shared(const dt_system *system, dt_variable variable);

#endif
