/**
 * @file detent.h
 * detent: mechanisms whose joints really stick.
 *
 * A mechanism (bodies, joints, stiction, loads) is loaded from a file or built from definition
 * structs; it is immutable afterwards and may be shared by threads. A simulation is created from
 * it and advanced in time; it belongs to one thread at a time. The library never prints, never
 * exits and keeps no globals.
 *
 * Conventions
 * - Units are SI: m, kg, s, rad, N, N m. Angles of revolute primitives are in rad.
 * - A *primitive* is one scalar freedom of a joint, revolute or prismatic, or a spherical one
 *   (three freedoms, four coordinates: a unit quaternion w, x, y, z that turns follower
 *   components into base components; its velocity is the angular velocity in the follower frame).
 *   Position, velocity and acceleration are those of the follower relative to the base.
 * - The reaction is the wrench that a primitive transmits from base to follower: everything
 *   that the joint does to its follower, friction and actuation included.
 * - Errors are negative, outcomes of a run are zero or positive: see ::detent_status.
 * - Every pointer handed in is only read during the call, unless the function says otherwise.
 */
#ifndef DETENT_DETENT_H
#define DETENT_DETENT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define DETENT_API __attribute__((visibility("default")))
#else
#define DETENT_API
#endif

#define DETENT_VERSION "0.1.0"

/* ---------------------------------------------------------------------------------------------
 * Status, errors, memory
 * ------------------------------------------------------------------------------------------- */

/** What a call came to. Negative: an error. Zero and positive: an outcome. */
typedef enum detent_status {
    DETENT_OK = 0,                  /**< done; `advance` reached the time asked for */
    DETENT_EVENT = 1,               /**< `advance` stopped just after an event */
    DETENT_NO_CONSISTENT_STATE = 2, /**< no set of modes satisfies every joint; see the error */
    DETENT_EVENT_STORM = 3,         /**< more events per unit of time than the bound */
    DETENT_INTERRUPTED = 4,         /**< the caller's ::detent_interrupt asked for it */
    DETENT_ERROR_ARGUMENT = -1,     /**< a call was used wrongly */
    DETENT_ERROR_MEMORY = -2,       /**< an allocation failed */
    DETENT_ERROR_IO = -3,           /**< a file could not be read or written */
    DETENT_ERROR_SYNTAX = -4,       /**< not YAML, or not an expression */
    DETENT_ERROR_MODEL =
        -5, /**< well-formed, but not a mechanism: bad key, value, unit, name, topology */
    DETENT_ERROR_NUMERIC = -6, /**< a number became non-finite, or a matrix singular */
    DETENT_ERROR_SOLVER = -7   /**< the integrator could not proceed */
} detent_status;

/** An error or an outcome in words. All strings are NUL-terminated, cut if too long. */
typedef struct detent_error {
    detent_status status;
    char
        message[512]; /**< one sentence: what is wrong, what was expected, the nearest known name */
    char detail[512]; /**< may be empty: the source line and a caret below the place */
    char file[256];   /**< empty where no file is concerned */
    int line;         /**< from 1; 0 where unknown */
    int column;       /**< from 1; 0 where unknown */
} detent_error;

/** Where memory comes from. `allocate` returns NULL when there is none. */
typedef struct detent_allocator {
    void *(*allocate)(size_t size, void *context);
    void (*release)(void *memory, void *context);
    void *context;
} detent_allocator;

typedef struct detent_mechanism detent_mechanism;
typedef struct detent_simulation detent_simulation;

/* ---------------------------------------------------------------------------------------------
 * Definitions: plain structs, filled by detent_default_*() and then changed by the caller.
 * Texts called "expression" follow docs/mechanism-file.md; a plain number is one too.
 * ------------------------------------------------------------------------------------------- */

/** A rigid body. Its frame is arbitrary; every vector below is in that frame. */
typedef struct detent_body_def {
    const char *name;         /**< required, unique; "ground" is taken */
    double mass;              /**< kg, >= 0 */
    double center_of_mass[3]; /**< m */
    double inertia[6];        /**< kg m^2 about the centre of mass: xx yy zz xy xz yz */
} detent_body_def;

/** What is the same for every kind of primitive. */
typedef struct detent_primitive_def {
    double axis[3];     /**< in the joint frame of the base, of any length; zero: the type's own */
    double position[4]; /**< initial; m or rad in [0]; a quaternion w x y z, zero: the identity */
    double velocity[3]; /**< initial; m/s or rad/s in [0], or an angular velocity */
    double stiffness;   /**< N/m or N m/rad, >= 0 */
    double rest;        /**< rest position of the spring */
    double damping;     /**< N s/m or N m s/rad, >= 0 */
    double armature; /**< kg or kg m^2: inertia of a rotor and gear that turn with this primitive,
                             referred to it; scalar primitives only */
    double nominal_position; /**< m or rad, > 0: the scale at which tolerances are taken, ... */
    double nominal_velocity; /**< ... and m/s or rad/s; 0: the program's own guess. A spherical
                                  primitive has the latter only */
    const char *force;       /**< expression: actuation, N or N m; NULL for none */
    const char *motion; /**< expression of t and parameters: prescribed position; NULL for none */
} detent_primitive_def;

#define DETENT_MAX_PRIMITIVES 6

/**
 * A joint. `type` is one of: revolute, prismatic, weld, universal, cylindrical, planar, gimbal,
 * bushing, six-dof, spherical, free, custom. A custom joint lists its primitives in `row`, one
 * letter each from base to follower: p prismatic, r revolute, s spherical.
 * Primitives are called NAME (where there is one) or NAME.p1, NAME.r1, NAME.r2, NAME.s1, ...
 */
typedef struct detent_joint_def {
    const char *name;
    const char *type;
    const char *base;     /**< body name or "ground" */
    const char *follower; /**< body name */
    int closes;           /**< 1: a loop is cut here; 0: where the program finds that it must be */
    const char *row;      /**< custom only, e.g. "prr" */
    double base_point[3]; /**< origin of the joint frame in the base body, m */
    double base_rotation[4]; /**< quaternion w x y z: joint frame to base body frame */
    double follower_point[3];
    double follower_rotation[4];
    detent_primitive_def primitive[DETENT_MAX_PRIMITIVES]; /**< in the order of the row */
} detent_joint_def;

/** What a friction or actuation callback is told; every value is the primitive's own. */
typedef struct detent_callback_arguments {
    double time;           /**< s */
    double position;       /**< m or rad */
    double velocity;       /**< m/s or rad/s */
    double direction;      /**< +1, -1: the direction of the friction's mode; 0 for actuation */
    double reaction_force; /**< norm of the reaction force, N */
} detent_callback_arguments;

/**
 * A force law written in C. Returns the value (N or N m); for friction the magnitude, >= 0.
 * `gradient` receives the partial derivatives with respect to position, velocity and reaction
 * force, in this order. Must be a smooth, pure function of its arguments.
 */
typedef double (*detent_callback)(void *user, const detent_callback_arguments *arguments,
                                  double gradient[3]);

typedef enum detent_locking { DETENT_LOCKING_CROSSING = 0, DETENT_LOCKING_BAND = 1 } detent_locking;

/** Stiction on a revolute or prismatic primitive. Limits: forward < 0 < reverse. */
typedef struct detent_stiction_def {
    const char *primitive;     /**< name of the primitive; unique */
    double velocity_threshold; /**< m/s or rad/s, > 0; 0: from the scale of the mechanism, unless
                                    it is the width of a band */
    const char *external;      /**< expression: external actuation; NULL for none */
    const char *kinetic;       /**< expression: magnitude of the kinetic friction */
    const char *static_limit;  /**< expression: magnitude of both static limits, or */
    const char *forward;       /**< expression < 0: the limit that holds against forward motion */
    const char *reverse;       /**< expression > 0: the limit that holds against reverse motion */
    const char
        *test; /**< expression: static test friction; NULL or "computed": the friction itself */
    detent_locking locking;
    detent_callback kinetic_callback;  /**< instead of `kinetic` */
    detent_callback external_callback; /**< instead of `external` */
    void *user;                        /**< handed to both callbacks */
} detent_stiction_def;

typedef enum detent_frame { DETENT_FRAME_WORLD = 0, DETENT_FRAME_BODY = 1 } detent_frame;

/** A force and a torque on a body. */
typedef struct detent_load_def {
    const char *name;
    const char *body;
    double point[3];       /**< point of attack in the body frame, m */
    const char *force[3];  /**< expressions, N; NULL: zero */
    const char *torque[3]; /**< expressions, N m; NULL: zero */
    detent_frame frame;    /**< of the components */
} detent_load_def;

/** A spring and a damper side by side on the line between points of two bodies, one of which may be the ground. */
typedef struct detent_spring_def {
    const char *name;
    const char *body[2]; /**< "ground", or a body */
    double point[2][3];  /**< in the body's frame, of the ground in the world, m */
    double stiffness;    /**< N/m, >= 0 */
    double rest;         /**< length without force of the spring, m, >= 0 */
    double damping;      /**< N s/m, >= 0 */
} detent_spring_def;

enum { DETENT_MAX_COUPLED = 6 };

/**
 * A gear, a rack, a screw, a differential: the sum of factor * position of some primitives stays what it is at the initial
 * positions. A gear of ratio r between a and b (a turns r times as far): factors 1, -r; a screw of pitch p: -p / (2 pi)
 * of the turn, 1 of the slide.
 */
typedef struct detent_coupling_def {
    const char *name;
    const char *primitive[DETENT_MAX_COUPLED]; /**< revolute or prismatic ones, all different */
    double factor[DETENT_MAX_COUPLED]; /**< not zero; of one unit together with the positions */
    size_t count;                      /**< two to six */
} detent_coupling_def;

/**
 * A state of a controller, a filter, an actuator, a friction law: dz/dt = derivative. Laws and outputs read it by its
 * name, or as state(NAME).
 */
typedef struct detent_state_def {
    const char *name;
    const char
        *derivative; /**< may read t, inputs, states, and whatever the force of an actuator may */
    double initial;
    double
        nominal; /**< how large it ordinarily is: the absolute tolerance follows; 0: from the mechanism */
} detent_state_def;

/** Which linear solver serves the Newton iteration. */
typedef enum detent_linear_solver {
    DETENT_LINEAR_SOLVER_TREE = 0, /**< exact elimination along the tree, linear time */
    DETENT_LINEAR_SOLVER_DENSE = 1 /**< full Jacobian, LAPACK */
} detent_linear_solver;

/** Which integrator steps from event to event. */
typedef enum detent_integrator {
    DETENT_INTEGRATOR_IDA = 0, /**< IDA: implicit, variable order, stiff mechanisms too */
    DETENT_INTEGRATOR_ERK = 1,
    /**< ERKStep: explicit Runge-Kutta; cheap restarts, not for stiff ones */
    DETENT_INTEGRATOR_AUTO = 2 /**< the cheaper one of the two, as measured while the run goes on */
} detent_integrator;

/** What becomes of a joint while it is locked. */
typedef enum detent_locked_joints {
    DETENT_LOCKED_JOINTS_WELD = 0,
    /**< groups of bodies behind locked joints move as one body: the cost of a step follows the
         number of moving joints */
    DETENT_LOCKED_JOINTS_CONSTRAIN = 1 /**< each is a constraint of its own */
} detent_locked_joints;

/** How to simulate. Zero means "the default" where a default is named. */
typedef struct detent_settings {
    double start;    /**< s */
    double end;      /**< s; default 10 */
    double interval; /**< s between output rows; default (end - start) / 1000; changes no result */
    double rtol;     /**< relative tolerance; default 1e-7 */
    double atol;     /**< absolute tolerance, SI; default: from the scale of the mechanism */
    double max_step;
    /**< s; default: so that no law of time is passed over; where a law is written in C, and not known
         between two calls, (end - start) / 1000 */
    double max_event_rate;
    /**< events per second and stiction joint before it is a storm; default: 1e4 in the time that
         is the mechanism's own (detent_scale) */
    detent_linear_solver linear_solver;
    detent_integrator integrator;
    detent_locked_joints locked_joints; /**< welded only where that changes nothing but the cost */
} detent_settings;

/** No mass, no name. */
DETENT_API detent_body_def detent_default_body(void);
/**
 * A revolute joint on the ground, joint frames at the bodies' origins; an all-zero axis is that of
 * the type (z).
 */
DETENT_API detent_joint_def detent_default_joint(void);
/** Locking where the velocity crosses zero. */
DETENT_API detent_stiction_def detent_default_stiction(void);
DETENT_API detent_load_def detent_default_load(void);
/** Both ends on the ground. */
DETENT_API detent_spring_def detent_default_spring(void);
DETENT_API detent_settings detent_default_settings(void);

/* ---------------------------------------------------------------------------------------------
 * Mechanism
 * ------------------------------------------------------------------------------------------- */

/** `--set`: replaces the value of a parameter of the file. */
typedef struct detent_parameter {
    const char *name;
    const char *value; /**< constant expression, may carry a unit */
} detent_parameter;

/** How to load. Zero-initialised: no overrides, malloc. */
typedef struct detent_load_options {
    const detent_parameter *parameters;
    size_t parameter_count;
    const detent_allocator
        *allocator; /**< NULL: malloc; used by the mechanism until it is destroyed */
    double atol;    /**< `--atol`: replaces that of the file, which its thresholds are held against;
                         0: the file's */
    const char *const *tunable;
    /**< names of parameters of the file that belong to each simulation instead of the mechanism: they are inputs of
         it, whose initial values are those of the parameters, and are set by detent_set_input(). Only laws may read
         them, no number that mass, place or count of anything follows from: that is an error with the place */
    size_t tunable_count;
} detent_load_options;

/**
 * Loads a mechanism file. On success `*mechanism` is the caller's to destroy. `options`, `error`
 * may be NULL. DETENT_ERROR_SYNTAX, DETENT_ERROR_MODEL: the file is wrong, or needs a tunable parameter where a
 * constant is meant; DETENT_ERROR_ARGUMENT: a parameter of `options` is not one of the file's, or its value is none
 * for it.
 */
DETENT_API detent_status detent_mechanism_load(const char *path, const detent_load_options *options,
                                               detent_mechanism **mechanism, detent_error *error);

/** The same from memory; `name` stands for the file name in messages. */
DETENT_API detent_status detent_mechanism_parse(const char *text, size_t length, const char *name,
                                                const detent_load_options *options,
                                                detent_mechanism **mechanism, detent_error *error);

/** An empty mechanism, to be filled with detent_add_*() and closed by detent_mechanism_finish(). */
DETENT_API detent_status detent_mechanism_create(const char *name,
                                                 const detent_allocator *allocator,
                                                 detent_mechanism **mechanism, detent_error *error);

DETENT_API detent_status detent_set_gravity(detent_mechanism *, const char *const gravity[3],
                                            detent_error *);
/** A constant for use in expressions: `value` is a constant expression. */
DETENT_API detent_status detent_add_parameter(detent_mechanism *, const char *name,
                                              const char *value, detent_error *);
/** A named external signal, set between steps by detent_set_input(). */
DETENT_API detent_status detent_add_input(detent_mechanism *, const char *name, double initial,
                                          detent_error *);
/** A named expression for use in other expressions. */
DETENT_API detent_status detent_add_signal(detent_mechanism *, const char *name,
                                           const char *expression, detent_error *);
DETENT_API detent_status detent_add_body(detent_mechanism *, const detent_body_def *,
                                         detent_error *);
DETENT_API detent_status detent_add_joint(detent_mechanism *, const detent_joint_def *,
                                          detent_error *);
DETENT_API detent_status detent_add_stiction(detent_mechanism *, const detent_stiction_def *,
                                             detent_error *);
DETENT_API detent_status detent_add_load(detent_mechanism *, const detent_load_def *,
                                         detent_error *);
DETENT_API detent_status detent_add_spring(detent_mechanism *, const detent_spring_def *,
                                           detent_error *);
DETENT_API detent_status detent_add_coupling(detent_mechanism *, const detent_coupling_def *,
                                             detent_error *);
DETENT_API detent_status detent_add_state(detent_mechanism *, const detent_state_def *,
                                          detent_error *);
/** An output column: any expression. */
DETENT_API detent_status detent_add_output(detent_mechanism *, const char *expression,
                                           detent_error *);
/** Checks the whole, compiles expressions and tree; the mechanism is immutable afterwards. */
DETENT_API detent_status detent_mechanism_finish(detent_mechanism *, detent_error *);
/** NULL is allowed. No simulation of the mechanism may be alive. */
DETENT_API void detent_mechanism_destroy(detent_mechanism *);

/** What was understood. Strings belong to the mechanism. */
typedef struct detent_mechanism_info {
    const char *name;
    size_t bodies, joints, primitives, stictions, loads, springs, couplings, loops, states, signals,
        inputs, outputs;
    size_t coordinates; /**< length of the position vector */
    size_t freedoms;    /**< length of the velocity vector */
    size_t warnings;
    size_t memory;            /**< bytes held by the mechanism */
    detent_settings settings; /**< from the file, defaults filled in */
} detent_mechanism_info;
DETENT_API void detent_mechanism_get_info(const detent_mechanism *, detent_mechanism_info *info);

typedef enum detent_item {
    DETENT_BODY,
    DETENT_JOINT,
    DETENT_PRIMITIVE,
    DETENT_STICTION,
    DETENT_LOAD,
    DETENT_SPRING,
    DETENT_COUPLING,
    DETENT_LOOP, /**< its name is that of the joint where it is cut */
    DETENT_INPUT,
    DETENT_OUTPUT,
    DETENT_WARNING,
    DETENT_STATE
} detent_item;
/**
 * The name of an item (an output's label or expression, a warning's text); NULL if out of range. A
 * stiction's name is its primitive's.
 */
DETENT_API const char *detent_name(const detent_mechanism *, detent_item item, size_t index);
/**
 * The unit of an output's or a state's value, a primitive's position, a stiction's friction ("rad", "m", "N",
 * ...; "" if none or unknown).
 */
DETENT_API const char *detent_unit(const detent_mechanism *, detent_item item, size_t index);
/** The index of a named item, or -1. */
DETENT_API ptrdiff_t detent_find(const detent_mechanism *, detent_item item, const char *name);

/** A primitive and its place in the vectors. Strings belong to the mechanism. */
typedef struct detent_primitive_info {
    const char *name;
    const char *type;                     /**< "revolute", "prismatic", "spherical" or "weld" */
    size_t joint;                         /**< the joint that it is part of */
    ptrdiff_t base, follower;             /**< the bodies that the joint connects; -1: the ground */
    ptrdiff_t stiction;                   /**< index, or -1 */
    bool prescribed;                      /**< its motion is given */
    size_t first_coordinate, coordinates; /**< its part of the position vector */
    size_t first_freedom, freedoms;       /**< its part of the velocity vector */
    detent_locking locking;               /**< of its stiction */
    double velocity_threshold;            /**< of its stiction; 0: from the mechanism */
    double armature, nominal_position, nominal_velocity; /**< as in its definition */
} detent_primitive_info;
/** DETENT_ERROR_ARGUMENT if out of range. */
DETENT_API detent_status detent_get_primitive(const detent_mechanism *, size_t primitive,
                                              detent_primitive_info *info);

/* ---------------------------------------------------------------------------------------------
 * Simulation
 * ------------------------------------------------------------------------------------------- */

typedef enum detent_mode { DETENT_LOCKED = 0, DETENT_WAIT = 1, DETENT_UNLOCKED = 2 } detent_mode;

typedef enum detent_cause {
    DETENT_CAUSE_INITIAL,   /**< the first search */
    DETENT_CAUSE_LIMIT,     /**< static test friction reached its limit */
    DETENT_CAUSE_STOP,      /**< velocity reached zero, or the band */
    DETENT_CAUSE_THRESHOLD, /**< velocity passed the threshold */
    DETENT_CAUSE_SEARCH,    /**< changed by the search after somebody else's event */
    DETENT_CAUSE_SWITCH,    /**< a discontinuity of an expression */
    DETENT_CAUSE_INPUT      /**< an input was set from outside */
} detent_cause;

/** One mode change of one stiction joint. */
typedef struct detent_mode_change {
    double time;     /**< s */
    size_t stiction; /**< index */
    detent_mode from, to;
    int from_direction, to_direction; /**< -1, 0, +1 */
    detent_cause cause;
    double margin;
    /**< after the change: distance of the test friction to the nearer limit where locked, N
             or N m; the acceleration along the direction otherwise */
} detent_mode_change;

/** Counters since the creation of the simulation, and balances. */
typedef struct detent_statistics {
    size_t events, mode_changes, searches, search_solves, search_interior_point;
    size_t steps, residuals, factorizations, solves, error_test_failures, convergence_failures;
    size_t root_evaluations, restarts;
    size_t max_search_solves; /**< the most that one search took */
    double kinetic_energy,
        potential_energy;  /**< J, now; gravity and springs (gravity: 0 where it varies with t) */
    double initial_energy; /**< J */
    double friction_work, damping_work, actuation_work; /**< J, done on the mechanism so far */
    double impact_loss; /**< J, kinetic energy removed by locking inside the velocity band */
    size_t memory;      /**< bytes held by the simulation */
} detent_statistics;

/** Told the story of each search, one line of text a call. */
typedef void (*detent_trace)(void *user, const char *line);

/** What a ::detent_interrupt asks for. */
typedef enum detent_request {
    DETENT_GO_ON = 0,
    DETENT_PAUSE = 1, /**< to stop after the step or event at hand */
    DETENT_STOP = 2   /**< to stop at once, within a search too, however long that is */
} detent_request;
/**
 * Asked before every step and in every search, from within detent_simulation_create() and
 * detent_advance(); must not use the simulation. A call that is asked to stop returns
 * DETENT_INTERRUPTED.
 */
typedef detent_request (*detent_interrupt)(void *user);

/** How to create a simulation. Zero-initialised: the mechanism's settings, malloc, no trace. */
typedef struct detent_simulation_options {
    const detent_settings *settings; /**< NULL: those of the mechanism */
    const detent_allocator *allocator;
    detent_trace trace;
    void *trace_user;
    detent_interrupt interrupt; /**< NULL: nothing interrupts a call */
    void *interrupt_user;
} detent_simulation_options;

/**
 * Takes all memory, sets the initial state and runs the first search. The mechanism must outlive
 * the simulation. May return DETENT_NO_CONSISTENT_STATE or DETENT_INTERRUPTED (`*simulation` is NULL
 * then).
 * DETENT_ERROR_ARGUMENT: settings of `options` are out of their range.
 */
DETENT_API detent_status detent_simulation_create(const detent_mechanism *,
                                                  const detent_simulation_options *,
                                                  detent_simulation **simulation,
                                                  detent_error *error);
DETENT_API void detent_simulation_destroy(detent_simulation *);

/**
 * Advances to time `t` (>= now). With `stop_at_events` it returns DETENT_EVENT just after the first
 * event instead: every reading is then that after the event, and the state just before it can be
 * read through detent_read_before(). An event may have changed no mode, see detent_last_event().
 * After an error or a positive outcome other than DETENT_EVENT the readings are those of the last
 * good time. After DETENT_INTERRUPTED the next call goes on from there; a search that was given up
 * is made again.
 */
DETENT_API detent_status detent_advance(detent_simulation *, double t, bool stop_at_events,
                                        detent_error *error);

/** Now, s. */
DETENT_API double detent_time(const detent_simulation *);

/**
 * The mode changes of the last event that the last call of advance came to; before the first call
 * those of the first search: every stiction joint. The array belongs to the simulation until the
 * next call of advance; `count` may be NULL. `*count` is 0 where there was no event, and where it
 * changed no mode: at a discontinuity of a law, at a new value of an input, where a joint came to
 * rest and moves on as before. Accelerations and forces may have jumped all the same.
 */
DETENT_API const detent_mode_change *detent_last_event(const detent_simulation *, size_t *count);

typedef enum detent_quantity {
    DETENT_POSITIONS,     /**< coordinates: m, rad, quaternions; length `coordinates` */
    DETENT_VELOCITIES,    /**< length `freedoms` */
    DETENT_ACCELERATIONS, /**< length `freedoms` */
    DETENT_FORCES,        /**< nonfrictional force along each freedom, what accelerates an
                              armature included; length `freedoms` */
    DETENT_FRICTIONS,     /**< friction force of each stiction; length `stictions` */
    DETENT_MARGINS,       /**< see detent_mode_change.margin; length `stictions` */
    DETENT_OUTPUTS,       /**< output expressions; length `outputs` */
    DETENT_MODES,         /**< detent_mode of each stiction as a number; length `stictions` */
    DETENT_STATES         /**< of controllers and elements; length `states` */
} detent_quantity;

/** Reads a whole vector, now. `count` must be its length. */
DETENT_API detent_status detent_read(detent_simulation *, detent_quantity, double *values,
                                     size_t count, detent_error *);
/** The same just before the last event; only valid directly after advance returned DETENT_EVENT. */
DETENT_API detent_status detent_read_before(detent_simulation *, detent_quantity, double *values,
                                            size_t count, detent_error *);

/** Mode and direction (-1, 0, +1; may be NULL) of a stiction. */
DETENT_API detent_mode detent_get_mode(const detent_simulation *, size_t stiction, int *direction);

typedef enum detent_reaction_frame {
    DETENT_REACTION_WORLD = 0,
    DETENT_REACTION_BASE = 1,
    DETENT_REACTION_FOLLOWER = 2
} detent_reaction_frame;
/**
 * The wrench that primitive `primitive` transmits from base to follower (`on_base`: from follower
 * to
 * base), about the origin of the follower's joint frame: force (N) in [0..2], torque (N m) in
 * [3..5],
 * components in the frame asked for: world, base body's joint frame, follower body's joint frame.
 */
DETENT_API detent_status detent_get_reaction(detent_simulation *, size_t primitive,
                                             detent_reaction_frame frame, bool on_base,
                                             double wrench[6], detent_error *);
/** Pose of a body now: origin (m) and rotation (quaternion w x y z, body to world). */
DETENT_API detent_status detent_get_pose(detent_simulation *, size_t body, double origin[3],
                                         double rotation[4], detent_error *);

DETENT_API void detent_get_statistics(detent_simulation *, detent_statistics *);

/** The sizes that the numbers of a primitive are measured by (docs/theory.md): no units are in them. */
typedef struct detent_scale {
    double position; /**< m or rad: as given, or from the mechanism at its start; spherical: 1 */
    double velocity; /**< m/s or rad/s: likewise */
    double force;    /**< N or N m: what moves the primitive in that way */
    double energy;   /**< J: of the mechanism as a whole, when it moves in that way */
    double time;     /**< s: of the mechanism as a whole */
} detent_scale;
/** DETENT_ERROR_ARGUMENT if out of range. All is zero for a weld, but energy and time. */
DETENT_API detent_status detent_get_scale(const detent_simulation *, size_t primitive,
                                          detent_scale *scale, detent_error *);

/** How a mechanism can move. */
typedef struct detent_mobility {
    size_t
        mobility; /**< freedoms that are left when all loops are closed and motions prescribed, no joint being stuck */
    size_t
        redundant; /**< conditions of the loops that others imply: what loops transmit is not unique by as much */
} detent_mobility;
/** At the initial positions, loops closed. */
DETENT_API detent_status detent_get_mobility(const detent_simulation *, detent_mobility *mobility,
                                             detent_error *);

/** Sets an input from now on; the next advance starts with a search. */
DETENT_API detent_status detent_set_input(detent_simulation *, size_t input, double value,
                                          detent_error *);

/** Bytes that detent_save_state() needs. */
DETENT_API size_t detent_state_size(const detent_simulation *);
/**
 * Saves time, state, modes, inputs and work counters; `size` is detent_state_size(). The bytes are
 * of this build of the library and of this mechanism only.
 */
DETENT_API detent_status detent_save_state(detent_simulation *, void *bytes, size_t size,
                                           detent_error *);
/**
 * Restores them and restarts the integrator there. DETENT_ERROR_ARGUMENT, and the simulation stays
 * as it is, where the bytes are damaged or of another version, build or mechanism: one in which a
 * number, a law, a name or the order of items differs. Outputs, settings and what a law in C
 * computes may differ.
 */
DETENT_API detent_status detent_restore_state(detent_simulation *, const void *bytes, size_t size,
                                              detent_error *);

/** A status in a few words. */
DETENT_API const char *detent_status_text(detent_status);
DETENT_API const char *detent_version(void);

#ifdef __cplusplus
}
#endif
#endif
