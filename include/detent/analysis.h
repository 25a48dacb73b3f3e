/**
 * @file analysis.h
 * Analyses of a mechanism beside its simulation. docs/analyses.md tells what each of them is for; `detent help` lists the
 * commands that print them.
 *
 * Units are SI, angles rad. Matrices are row-major. Whatever is created here is the caller's to destroy and keeps nothing of
 * what it was made from but the mechanism, which must outlive it. Errors: `error` may be NULL; where a function fails, its
 * result is NULL or unchanged.
 */
#ifndef DETENT_ANALYSIS_H
#define DETENT_ANALYSIS_H

#include "detent/detent.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------
 * Linear model: modes held
 * ------------------------------------------------------------------------------------------- */

/** What one component of a state vector is. */
typedef enum detent_state_kind {
    DETENT_STATE_POSITION, /**< m or rad; of a spherical primitive the rotation vector from where it would be without the
                                disturbance, rad, components in the follower's joint frame */
    DETENT_STATE_VELOCITY, /**< m/s or rad/s */
    DETENT_STATE_OWN       /**< a state of the mechanism (detent_state_def), in its unit */
} detent_state_kind;

/** One component of the state vector of a linear model. */
typedef struct detent_linear_state {
    size_t size; /**< DETENT_INIT */
    detent_state_kind kind;
    size_t primitive; /**< or, of an own state, its index */
    /** 0, or of a spherical primitive 0 .. 2: x, y, z in the follower's joint frame */
    size_t component;
    double value; /**< where the model holds; a rotation vector counts from 0 */
    double rate;  /**< its time derivative there: 0 at a position of rest */
} detent_linear_state;

/** An eigenvalue of A, 1/s: exp(lambda t) is how its mode shape moves. */
typedef struct detent_eigenvalue {
    size_t size; /**< DETENT_INIT */
    double real, imaginary;
    double frequency; /**< |lambda|, rad/s: the natural frequency */
    double damping;   /**< -real / |lambda|: the damping ratio; NaN where lambda is 0 */
} detent_eigenvalue;

/**
 * dx' = A dx + B du, dy = C dx + D du about a state of a run, every joint keeping its mode (locked joints stay where they are)
 * and every law its branch; t does not move. x are minimal coordinates and their velocities: those of joints that are neither
 * locked nor prescribed, of loops the independent ones; then the states of the mechanism. u are the inputs, y outputs of the mechanism.
 */
typedef struct detent_linearization detent_linearization;

/** What a linear model is made of. The arrays are its own. */
typedef struct detent_linear_info {
    size_t size;                    /**< DETENT_INIT */
    double time;                    /**< s */
    size_t states, inputs, outputs; /**< lengths of x, u, y; x begins with positions */
    const size_t *output;           /**< outputs: which of the mechanism's each is */
    const double *A;                /**< states x states */
    const double *B;                /**< states x inputs */
    const double *C;                /**< outputs x states */
    const double *D;                /**< outputs x inputs */
    const double *output_value;     /**< outputs: y where the model holds */
    /**
     * states x states x 2: of every eigenvalue a row, the mode shape: real and imaginary part for each state; the position that moves
     * most, by its nominal size, is 1
     */
    const double *shape;
} detent_linear_info;

/** What to linearize. Zero-initialised: all outputs, malloc. */
typedef struct detent_linearize_options {
    size_t size;           /**< DETENT_INIT */
    const size_t *outputs; /**< indices of outputs; NULL: all of the mechanism's */
    size_t output_count;
    const detent_allocator *allocator;
} detent_linearize_options;

/**
 * The linear model at the present time of a simulation, which is left as it is. Derivatives are exact: by the chain rule
 * through equations of motion, friction, loops and laws (no differences); eigenvalues by LAPACK (dgeev).
 * `options` may be NULL. `*linearization` is the caller's.
 * DETENT_ERROR_ARGUMENT: no such output; too large a mechanism (the matrices are dense). DETENT_ERROR_NUMERIC: a law slides
 * between two branches, or a loop is at a singular position.
 */
DETENT_API detent_status detent_linearize(detent_simulation *,
                                          const detent_linearize_options *options,
                                          detent_linearization **linearization,
                                          detent_error *error);
/** NULL is allowed. */
DETENT_API void detent_linearization_destroy(detent_linearization *);
/** Errors: DETENT_ERROR_ARGUMENT. */
DETENT_API detent_status detent_linearization_get_info(const detent_linearization *,
                                                       detent_linear_info *);
/** A component of x. DETENT_ERROR_ARGUMENT: `index` is out of range. */
DETENT_API detent_status detent_linearization_get_state(const detent_linearization *, size_t index,
                                                        detent_linear_state *state);
/**
 * One of as many eigenvalues as there are states, by growing frequency; of a pair the positive imaginary part first.
 * DETENT_ERROR_ARGUMENT: `index` is out of range.
 */
DETENT_API detent_status detent_linearization_get_eigenvalue(const detent_linearization *,
                                                             size_t index,
                                                             detent_eigenvalue *eigenvalue);

/* ---------------------------------------------------------------------------------------------
 * A mechanism at a state of the caller's choice
 * ------------------------------------------------------------------------------------------- */

/**
 * A mechanism at one instant, beside any simulation: state and inputs are set at will, what follows is asked for. For one
 * thread at a time.
 */
typedef struct detent_analysis detent_analysis;

/**
 * At the initial state of the mechanism, its loops assembled, inputs at their initial values. `allocator`: NULL: malloc.
 * `*analysis` is the caller's. DETENT_ERROR_MODEL: a loop cannot be assembled.
 */
DETENT_API detent_status detent_analysis_create(const detent_mechanism *,
                                                const detent_allocator *allocator,
                                                detent_analysis **analysis, detent_error *error);
/** NULL is allowed. */
DETENT_API void detent_analysis_destroy(detent_analysis *);

/** Sets an input. */
DETENT_API detent_status detent_analysis_set_input(detent_analysis *, size_t input, double value,
                                                   detent_error *);

/**
 * Sets the state: t (s), `positions` (length `coordinates`: m, rad, quaternions), `velocities` (length `freedoms`; NULL: at
 * rest). Prescribed joints take theirs from t. In loops, `given` (length `freedoms`; NULL: none in particular) tells which
 * freedoms are where the caller says; positions of all others are first guesses, and follow: from where they were, in
 * small steps if that is far, so that the assembly stays on its branch. Velocities of the others follow from those given.
 * Where more is given than loops leave free, what is too much has to agree with what follows, within 1e-6 (the digits of a
 * table). DETENT_ERROR_ARGUMENT: not finite, a quaternion that is zero; the loops cannot be closed there, or what is given
 * does not agree (the state is what it was).
 */
DETENT_API detent_status detent_analysis_set_state(detent_analysis *, double t,
                                                   const double *positions,
                                                   const double *velocities, const bool *given,
                                                   detent_error *);
/** Reads the state, loops closed: each may be NULL. */
DETENT_API detent_status detent_analysis_get_state(const detent_analysis *, double *t,
                                                   double *positions, double *velocities,
                                                   detent_error *);

/**
 * Inverse dynamics (recursive Newton-Euler): the forces of drives, N or N m along each freedom, with which the mechanism at
 * its state has the `accelerations` (length `freedoms`; those that follow from loops or are prescribed are not read). They
 * take the place of the joints' own actuation (`force`, `external`); springs, dampers, loads, friction and gravity act as they
 * are.
 *
 * A joint with v = 0 and a = 0 is at rest, and its friction anything between its static limits: then `low` and `high` (length
 * `freedoms`) are the ends of the interval in which it stays there; where it moves, or starts to, they are equal, and friction
 * is the kinetic one.
 *
 * In a tree every freedom has its drive. In loops `driven` (length `freedoms`) tells which have one, as many as the loops leave
 * free; all others have 0. Prescribed joints have theirs in any case. `driven` NULL: all in a tree, in loops an error.
 * In loops an interval is that of one drive while friction of all joints at rest is where it helps most.
 *
 * At a rigid stop an interval has no end on its side.
 *
 * DETENT_ERROR_ARGUMENT: too few or too many are driven; a joint at rest has a test friction of its own; one is beyond its stop, or to go there. DETENT_ERROR_NUMERIC:
 * a law has no value, or the driven joints do not decide how the loops move. DETENT_ERROR_SOLVER: friction and the reactions
 * that it follows have no common solution.
 */
DETENT_API detent_status detent_inverse(detent_analysis *, const double *accelerations,
                                        const bool *driven, double *low, double *high,
                                        detent_error *);

/** Takes time, positions, velocities, inputs, sampled values and states of a simulation of the same mechanism, as they are now. */
DETENT_API detent_status detent_analysis_take_state(detent_analysis *, detent_simulation *,
                                                    detent_error *);

/* ---------------------------------------------------------------------------------------------
 * Equation of motion: matrices
 * ------------------------------------------------------------------------------------------- */

/*
 * M a + h = tau, of the tree with its loops cut and no motion prescribed, at the analysis' state: a the accelerations, tau the forces along the
 * freedoms (both in the order of detent_read(), length `freedoms` = n). Nothing acts but gravity; springs, friction, loads and couplings are in
 * detent_inverse(). Armatures are in M. Places are the caller's. DETENT_ERROR_ARGUMENT: something is NULL; DETENT_ERROR_MEMORY.
 */

/** M, n x n: kg, kg m, kg m^2. Composite-rigid-body algorithm (Featherstone, Rigid Body Dynamics Algorithms, 2008, ch. 6). */
DETENT_API detent_status detent_mass_matrix(detent_analysis *, double *M, detent_error *);
/** h, length n: what gravity, Coriolis and centrifugal forces take (recursive Newton-Euler). */
DETENT_API detent_status detent_bias_forces(detent_analysis *, double *forces, detent_error *);
/** h as if all velocities were zero: what holds the mechanism against gravity. */
DETENT_API detent_status detent_gravity_forces(detent_analysis *, double *forces, detent_error *);
/** tau = M a + h in linear time. */
DETENT_API detent_status detent_inverse_dynamics(detent_analysis *, const double *accelerations,
                                                 double *forces, detent_error *);

/**
 * J, 6 x n: the velocity of a point of a body, by J v. `point`: m, in the body's frame. Rows: linear x y z, angular x y z, in world axes.
 * The velocity of a spherical primitive is the angular one in the follower's joint frame. A force F and torque T (world axes) at the
 * point are J'(F, T) along the freedoms. DETENT_ERROR_ARGUMENT: no such body.
 */
DETENT_API detent_status detent_body_jacobian(detent_analysis *, size_t body, const double point[3],
                                              double *J, detent_error *);
/** (dJ/dt) v: the acceleration that the point has where those of all freedoms are zero. Rows as of J. */
DETENT_API detent_status detent_body_jacobian_rate(detent_analysis *, size_t body,
                                                   const double point[3], double rate[6],
                                                   detent_error *);

/* ---------------------------------------------------------------------------------------------
 * Rest
 * ------------------------------------------------------------------------------------------- */

/** Sets the states of controllers and elements (length `states`; those of a new analysis are initial). */
DETENT_API detent_status detent_analysis_set_states(detent_analysis *, const double *values,
                                                    detent_error *);
/** Reads them. */
DETENT_API detent_status detent_analysis_get_states(const detent_analysis *, double *values,
                                                    detent_error *);

/** What becomes of a small push at a position of rest: by the linear model with joints that are held, others without friction. */
typedef enum detent_stability {
    DETENT_STABLE, /**< it stays small: no eigenvalue has a real part above zero but for rounding */
    DETENT_INDIFFERENT,      /**< as well, and some motion needs no force: an eigenvalue is zero */
    DETENT_UNSTABLE,         /**< it grows */
    DETENT_STABILITY_UNKNOWN /**< not looked at: more than 400 states */
} detent_stability;

/** How to look for a position of rest. Zero-initialised: without friction. */
typedef struct detent_equilibrium_options {
    size_t size; /**< DETENT_INIT */
    /** joints that static friction holds at the start stay where they are, as long as it can hold them */
    bool stiction;
    size_t most_iterations; /**< 0: 500 */
} detent_equilibrium_options;

/** A position of rest. */
typedef struct detent_rest {
    size_t size; /**< DETENT_INIT */
    size_t iterations;
    size_t held; /**< joints with stiction that were held where they were */
    /** the force, N or N m, that is left over along the coordinate where it is the most, measured by its rounding */
    double residual;
    double rounding;           /**< what the rounding of its terms makes of such a force */
    size_t residual_primitive; /**< whose coordinate that is; 0 where nothing can move */
    detent_stability stability;
    double growth;    /**< the largest real part of an eigenvalue, 1/s; NaN without any */
    double frequency; /**< the lowest |eigenvalue| above zero, rad/s; NaN where there is none */
} detent_rest;

/**
 * Brings an analysis to a position of rest, v = 0 and a = 0, from its positions, at its time, inputs and states. All joints are
 * free of friction, but for those that `options` (may be NULL) has held. States of the mechanism come to rest as well (z' = 0).
 *
 * Newton's method with exact derivatives, damped as if every step took a time h in which the mechanism goes where forces pull
 * it, (1/h^2 - da/dq) dq = a: h grows as long as the linear model tells what happens, and shrinks where a step would go against
 * the forces. So it goes downhill to a stable position where there is one near. If that does not converge, plain Newton with a line
 * search (Kelley, Keyes: SIAM J. Numer. Anal. 35 (1998) 508; Deuflhard: Newton Methods, 2004).
 *
 * `*rest`, which may be NULL, is filled also where nothing was found, as far as it is known. DETENT_ERROR_ARGUMENT: a
 * prescribed motion moves; the matrices, which are dense, would be too large. DETENT_ERROR_SOLVER: no position of rest was
 * found, with what is left over and where; the analysis is where that was. DETENT_ERROR_NUMERIC: a law has no value.
 */
DETENT_API detent_status detent_equilibrium(detent_analysis *,
                                            const detent_equilibrium_options *options,
                                            detent_rest *rest, detent_error *error);

/**
 * Whether a mechanism stays at rest at an analysis' positions, with every joint that has stiction stuck (`*holds`): no static friction
 * is beyond its limits, and nothing else accelerates. `friction`, `margin` (length `stictions`, each may be NULL): the friction that
 * this takes, N or N m, and its distance from the nearer limit (of a test friction of its own: that of the test), below zero where
 * it cannot hold. Joints that share what holds them in loops and couplings have frictions that use the same part of their limits, the least
 * that there is. Where limits that follow frictions agree with none, frictions are those with which it starts to move, and margins NAN. States of the mechanism stay what they are. Errors as of detent_equilibrium().
 */
DETENT_API detent_status detent_hold(detent_analysis *, bool *holds, double *friction,
                                     double *margin, detent_error *error);

/** Values of an input with which a mechanism stays at rest. */
typedef struct detent_hold_interval {
    size_t size;      /**< DETENT_INIT */
    double low, high; /**< its ends; -INFINITY, INFINITY where there are none */
    /** what gives way there; -1: nothing, or laws have no value beyond */
    ptrdiff_t low_primitive, high_primitive;
    int low_direction, high_direction; /**< which way it starts, -1 or +1; 0: not known */
} detent_hold_interval;

/**
 * The interval of an input around its present value in which a mechanism stays at rest at an analysis' positions. Where it does not
 * hold with that value, an interval is looked for near it. Parameters that laws read are inputs where they are loaded as such
 * (detent_load_options.tunable).
 *
 * Without simulation: with all joints held, friction and limits are functions of the input whose exact slopes tell where the first limit
 * is reached; that is final where laws are linear in the input, and safeguarded Newton's method finds the end where they are not, as
 * of limits that follow a reaction. The search of modes is asked whether it agrees just inside of each end; where it does not, it
 * decides, by bisection. Ends are exact to the rounding of forces: about 1e-13 of the forces at play.
 *
 * DETENT_ERROR_SOLVER: nothing holds the mechanism near that value, with what moves. Else as detent_equilibrium().
 */
DETENT_API detent_status detent_find_hold_interval(detent_analysis *, size_t input,
                                                   detent_hold_interval *interval,
                                                   detent_error *error);

/* ---------------------------------------------------------------------------------------------
 * Kinematics: where motions decide everything
 * ------------------------------------------------------------------------------------------- */

/** How initial positions have been made consistent. */
typedef struct detent_assembly {
    size_t size;       /**< DETENT_INIT */
    size_t iterations; /**< steps of Gauss and Newton */
    ptrdiff_t loop;    /**< that is open most, -1 where there is none ... */
    double gap, turn;  /**< ... by this much: m, rad */
    /** The primitive that moved farthest, turns measured by the size of the mechanism; -1: none did. */
    ptrdiff_t moved;
    double change; /**< how far: rad or m */
    /** The first primitive that has come to stand beyond a rigid stop, so that no run starts there; -1: none has. */
    ptrdiff_t beyond;
    int side; /**< which of its stops: -1 the lower one, 1 the upper one; 0: none */
} detent_assembly;

/**
 * The state at the start of every run and analysis: initial positions and velocities, loops closed. Gauss and Newton on all that is
 * not prescribed; priorities (detent_primitive_def) say who stays: exact values are not changed, preferred ones only where free
 * ones alone do not close the loops; then they end where none of them alone could be nearer to its value without the free ones failing to
 * follow. Velocities likewise, in one linear step.
 * `positions` (length `coordinates`: m, rad, quaternions), `velocities` (length `freedoms`), `assembly`, `allocator` (malloc): each
 * may be NULL. DETENT_ERROR_MODEL: the loop that does not close, what it is open by, who moved most; or which exact values contradict
 * each other, with the place of the first. DETENT_ERROR_NUMERIC: branches of the motion meet at these positions, and the velocities, which
 * are the nearest ones that close the loops to first order, are those of none. `*assembly` is filled then, too: where the search ended.
 */
DETENT_API detent_status detent_assemble(const detent_mechanism *,
                                         const detent_allocator *allocator, double *positions,
                                         double *velocities, detent_assembly *assembly,
                                         detent_error *error);

/** What a search of assemblies has come to. */
typedef struct detent_branches {
    size_t size;     /**< DETENT_INIT */
    size_t count;    /**< assemblies found; the first one is that of the analysis */
    size_t starts;   /**< random ones */
    size_t closed;   /**< of these that led to an assembly */
    size_t last_new; /**< the last of them that led to a new one */
    size_t rarest;   /**< how many of them led to the assembly that was found least often */
    bool is_full;    /**< there are more than the caller has room for: the search ended there */
} detent_branches;

/**
 * The different assemblies that a mechanism has where some of its joints stay where the analysis has them: those with a motion or an exact initial
 * position, and where `kept` (length `freedoms`; NULL: none) says so for a freedom. Loops are closed from random positions of all others, until a
 * hundred starts in a row, and thirty more for each assembly, have found no new one (10,000 at most). That is a search, and no proof: `rarest` tells how
 * sure it is; one to which a share p of the starts leads is missed with a probability of about exp(-130 p) or less. The starts are the same every time.
 * `positions` (`most` x `coordinates`): an assembly a row, turns between -pi and pi where no coupling counts them. The analysis is left as it
 * is. DETENT_ERROR_ARGUMENT: what is kept leaves a joint free, which is named.
 */
DETENT_API detent_status detent_find_branches(detent_analysis *, const bool *kept, size_t most,
                                              double *positions, detent_branches *result,
                                              detent_error *error);

/**
 * Where in the text of a mechanism file initial values are written that take the place of all others: its section `initial`, bytes
 * [`*begin`, `*end`), or where one can be put, both the same. It lists primitives by name, a line each:
 *
 *     initial:
 *       NAME: {position: NUMBER, velocity: NUMBER}
 *
 * and of a spherical one {position: {quaternion: [w, x, y, z]}, velocity: [x, y, z]}. `name` stands for the file in messages;
 * `allocator` may be NULL. DETENT_ERROR_SYNTAX, DETENT_ERROR_MODEL: it is no mechanism file, or one whose sections do not begin in
 * the first column.
 */
DETENT_API detent_status detent_find_initial_section(const char *text, size_t length,
                                                     const char *name,
                                                     const detent_allocator *allocator,
                                                     size_t *begin, size_t *end,
                                                     detent_error *error);

/** How a joint that has no motion of its own is driven: a revolute or prismatic primitive. */
typedef struct detent_drive {
    size_t size; /**< DETENT_INIT */
    size_t primitive;
    double position, velocity, acceleration; /**< rad or m, by s */
} detent_drive;

/**
 * Brings an analysis to time t (s), where prescribed motions and `drive` (NULL: none) decide how all joints move; loops are closed from
 * where they were, in steps in which nothing moves far, so that the assembly stays on its branch. No forces are known: friction, springs
 * and masses do not matter. Inverse dynamics, detent_inverse(), has those that it takes.
 * `positions` (length `coordinates`), `velocities`, `accelerations` (length `freedoms`): m, rad, quaternions; each may be NULL.
 * DETENT_ERROR_ARGUMENT: a joint is left free, which is named; the driven one is prescribed, spherical, or its position out of reach; or a joint
 * would be beyond a rigid stop, which is named. The analysis is where it was, or on its way.
 */
DETENT_API detent_status detent_kinematics(detent_analysis *, double t, const detent_drive *drive,
                                           double *positions, double *velocities,
                                           double *accelerations, detent_error *error);

/**
 * The value of an output there, after detent_kinematics(). DETENT_ERROR_ARGUMENT: no such output, or it reads what positions, velocities
 * and accelerations do not tell: forces, friction, modes, states.
 */
DETENT_API detent_status detent_kinematics_output(detent_analysis *, size_t output, double *value,
                                                  detent_error *error);

/* ---------------------------------------------------------------------------------------------
 * How far joints move
 * ------------------------------------------------------------------------------------------- */

/** Why a driven joint goes no farther. */
typedef enum detent_range_end {
    DETENT_RANGE_INTERVAL,    /**< that was the interval */
    DETENT_RANGE_DEAD_CENTRE, /**< the loops let it go no farther: there others move and it stands */
    DETENT_RANGE_SINGULAR, /**< it was not clear how to go on: loops with more than one way, or no way */
    DETENT_RANGE_UNENDED, /**< it was not followed any farther: 1000 turns, or 50,000 steps */
    DETENT_RANGE_STOP     /**< it, or a joint that moves with it, came to a rigid stop */
} detent_range_end;

/** How far a driven joint moves: rad or m. */
typedef struct detent_range {
    size_t size;      /**< DETENT_INIT */
    double start;     /**< where it was */
    double low, high; /**< how far it came */
    detent_range_end low_end, high_end;
    /** It can go all the way round: from `low`, which is `start` then, to `high`, where all joints are where they were, but for whole turns. */
    bool turns;
    size_t points; /**< positions that were looked at on the way, but for those between two */
    ptrdiff_t low_stop,
        high_stop;           /**< DETENT_RANGE_STOP: the primitive whose stop that was; else -1 */
    int low_side, high_side; /**< which of its stops: -1 the lower one, 1 the upper one; else 0 */
} detent_range;

/**
 * How a joint moves meanwhile; NaN of a spherical or weld primitive. `..._at`: where the driven joint is then. A ratio is
 * dq/dq_driven: how much faster it is, and by virtual work the force along the driven joint that balances one along this joint.
 * -INFINITY, INFINITY: it grows without bound at a dead centre of the driven one.
 *
 * Mechanical advantage is the force along this joint by that along the driven one that balances it, without friction and weight, |dq_driven/dq|:
 * 0 at a dead centre of the driven joint, INFINITY at an end of this one.
 *
 * The transmission angle, 0 to pi/2 rad, tells how much of what the follower of the joint is pushed with moves it: its sine is the power of the
 * forces that other joints, rods and loops transmit to the follower, moved by this joint relative to its base, beside what it would be if all of
 * them pulled the way that their points go (moments: if they turned about its axis). Where one pin moves a rocker that is the angle between coupler and rocker,
 * or what it lacks of 180 degrees; where it moves a slider, that between rod and the normal of the slider's way. 0 at a dead centre of
 * the driven joint. NaN: nothing but couplings moves it; or more than 120 conditions of loops (detent_mechanism_info).
 */
typedef struct detent_joint_range {
    size_t size;                                               /**< DETENT_INIT */
    double low, low_at, high, high_at;                         /**< rad or m */
    double ratio_low, ratio_low_at, ratio_high, ratio_high_at; /**< rad or m by rad or m */
    double advantage_low, advantage_low_at, advantage_high, advantage_high_at; /**< the inverse */
    double transmission_low, transmission_low_at, transmission_high,
        transmission_high_at; /**< rad */
} detent_joint_range;

/**
 * How far each joint moves when one, revolute or prismatic and without a motion of its own, is driven from `from` to `to` (rad or m;
 * NaN: turn after turn until all positions have come back, or each way to its end, at most 1000 turns; or ten times the size of the
 * mechanism each way), through the analysis' position at its time, with the
 * loops assembled as they are there; an analysis outside of the interval is driven to its nearer end first. Joints that no loop or
 * coupling ties stay where they are. The curve of positions is followed in its own length, in steps of 0.05 (rad, or lengths of the
 * mechanism) or less; dead centres and ends of joints are roots along it, to rounding; extreme ratios are found to 1e-8 in their place.
 * What comes and goes within one step is not seen.
 *
 * The analysis is left where it is; detent_get_joint_range() has what became of each joint. DETENT_ERROR_ARGUMENT: the joint cannot be
 * driven; others would not follow from it (one is named); the interval is empty or out of reach, or a joint stands beyond a rigid stop, which is named. DETENT_ERROR_NUMERIC: it
 * stands at a dead centre or a singular position.
 */
DETENT_API detent_status detent_find_range(detent_analysis *, size_t primitive, double from,
                                           double to, detent_range *range, detent_error *error);
/** Of the last detent_find_range(). DETENT_ERROR_ARGUMENT: there was none that succeeded, or no such primitive. */
DETENT_API detent_status detent_get_joint_range(const detent_analysis *, size_t primitive,
                                                detent_joint_range *range);

#ifdef __cplusplus
}
#endif
#endif
