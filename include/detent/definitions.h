/**
 * @file definitions.h
 * Definitions of items: plain structs, DETENT_INIT at first and then changed by the caller. Texts called
 * "expression" follow docs/mechanism-file.md; a plain number is one too.
 */
#ifndef DETENT_DEFINITIONS_H
#define DETENT_DEFINITIONS_H

#include "detent/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A rigid body. Its frame is arbitrary; every vector below is in that frame. */
typedef struct detent_body_def {
    size_t size;              /**< DETENT_INIT */
    const char *name;         /**< required, unique; "ground" is taken */
    double mass;              /**< kg, >= 0 */
    double center_of_mass[3]; /**< m */
    double inertia[6];        /**< kg m^2 about the centre of mass: xx yy zz xy xz yz */
    double density; /**< kg/m^3, > 0, instead of these three: they are those of its shapes that
                         have a volume, each filled with this, overlaps twice. 0: it is not given */
} detent_body_def;

/** What a shape is. `extent` and the others say how large, about the origin of its frame. */
typedef enum detent_shape_type {
    DETENT_SHAPE_BOX = 0,       /**< edges along x, y, z */
    DETENT_SHAPE_SPHERE = 1,    /**< radius */
    DETENT_SHAPE_CYLINDER = 2,  /**< radius and length, along z */
    DETENT_SHAPE_CAPSULE = 3,   /**< the same of the cylinder between two half balls */
    DETENT_SHAPE_ELLIPSOID = 4, /**< semi-axes along x, y, z */
    DETENT_SHAPE_LINE = 5,      /**< from point to point: no volume */
    DETENT_SHAPE_MESH = 6 /**< a file of whoever shows it, which is never read here: no volume */
} detent_shape_type;

/**
 * A shape of a body, for looking at only: it acts on nothing, and bodies do not touch. But where its body has a `density` it says what that weighs.
 */
typedef struct detent_shape_def {
    size_t size;          /**< DETENT_INIT */
    const char *body;     /**< NULL or "ground": the ground */
    int type;             /**< detent_shape_type */
    double extent[3];     /**< m, > 0: as many as the type has */
    const double *points; /**< of a line: point_count x 3, m; NULL for other types */
    size_t point_count;   /**< of a line: at least 2 */
    const char *mesh;     /**< of a mesh: the name of its file; NULL for other types */
    double point[3];      /**< origin of its frame in that of the body, m */
    double rotation[4];   /**< quaternion w x y z: its frame to that of the body; zero: none */
    const char *color;    /**< "#rrggbb" or one of the 17 colour words of CSS, "red"; NULL: any */
    const char *name;     /**< any text; NULL: none. It need not be the only one of that name */
} detent_shape_def;

/** How firmly an initial value stands where loops or couplings do not allow all of them. */
typedef enum detent_priority {
    DETENT_PRIORITY_FREE = 0,      /**< a guess: it is changed as little as possible */
    DETENT_PRIORITY_PREFERRED = 1, /**< changed only as far as free ones alone cannot do it */
    DETENT_PRIORITY_EXACT = 2      /**< not changed; where exact ones contradict, an error */
} detent_priority;

/** Which way something goes. */
typedef enum detent_way {
    DETENT_BOTH_WAYS = 0,
    DETENT_FORWARD = 1, /**< a position that grows */
    DETENT_BACKWARD = 2 /**< one that falls */
} detent_way;

/** What is the same for every kind of primitive. */
typedef struct detent_primitive_def {
    size_t size;        /**< DETENT_INIT */
    double axis[3];     /**< in the joint frame of the base, of any length; zero: the type's own */
    double position[4]; /**< initial; m or rad in [0]; a quaternion w x y z, zero: the identity */
    double velocity[3]; /**< initial; m/s or rad/s in [0], or an angular velocity */
    detent_priority position_priority, velocity_priority; /**< of these two, in the assembly */
    double stiffness;                                     /**< N/m or N m/rad, >= 0 */
    double rest;                                          /**< rest position of the spring */
    double damping;                                       /**< N s/m or N m s/rad, >= 0 */
    double armature; /**< kg or kg m^2: inertia of a rotor and gear that turn with this primitive,
                             referred to it; scalar primitives only */
    double nominal_position; /**< m or rad, > 0: the scale at which tolerances are taken, ... */
    double nominal_velocity; /**< ... and m/s or rad/s; 0: the program's own guess. A spherical
                                  primitive has the latter only */
    const char *force;       /**< expression: actuation, N or N m; NULL for none */
    const char *motion; /**< expression of t and parameters: prescribed position; NULL for none */
    const char
        *speed; /**< the same: prescribed velocity, from the initial position on; NULL for none */
    int moves;  /**< detent_way: a freewheel lets it move that way alone; scalar primitives only */
    double constant_force; /**< in place of `force`, N or N m */
    /**
     * 1: `position` is where the primitive is meant to be, also where it is zero. 0: it is if it is not zero; a zero stands for a position that
     * nobody knows. In loops the former are what the assembly is to be near.
     */
    int position_is_given;
} detent_primitive_def;

/** How many primitives a joint has at most. */
#define DETENT_MAX_PRIMITIVES 6

/**
 * A joint. `type` is one of: revolute, prismatic, weld, universal, cylindrical, planar, gimbal,
 * bushing, six-dof, spherical, free, custom. A custom joint lists its primitives in `row`, one
 * letter each from base to follower: p prismatic, r revolute, s spherical.
 * Primitives are called NAME (where there is one) or NAME.p1, NAME.r1, NAME.r2, NAME.s1, ...
 */
typedef struct detent_joint_def {
    size_t size; /**< DETENT_INIT */
    const char *name;
    const char *type;     /**< NULL: revolute */
    const char *base;     /**< body name; NULL or "ground": the ground */
    const char *follower; /**< body name */
    int closes;           /**< 1: a loop is cut here; 0: where the program finds that it must be */
    const char *row;      /**< custom only, e.g. "prr" */
    double base_point[3]; /**< origin of the joint frame in the base body, m */
    double base_rotation[4]; /**< quaternion w x y z: joint frame to base body frame; zero: none */
    double follower_point[3];
    double follower_rotation[4];
    /** in the order of the row; NULL: all of it default */
    const detent_primitive_def *primitive[DETENT_MAX_PRIMITIVES];
} detent_joint_def;

/** The most arguments of a function of the program. */
#define DETENT_MAX_ARGUMENTS 16

/**
 * A function of the program's own, f(x, y, ...), which expressions call by its name. `arguments`: argument_count finite numbers in SI units,
 * what the expressions in the parentheses come to. Writes `*value`, and to `derivatives` (argument_count) the partial derivatives, which have
 * to be exact: Newton's iteration relies on them. Both are NAN at the call, and have to be finite at its end.
 *
 * Returns 0, or why it has no value: positive, it has none at these arguments. A step that tried them is made shorter; where no step
 * is short enough, or a search at an event asks for it, that is the end. Negative: the run ends at once, and the function is not called again in it.
 * Either way the call of the library returns DETENT_ERROR_FUNCTION, with the name, the law and the time. A value or a derivative that is not finite
 * is as a positive one.
 *
 * It must be a pure function: the same arguments give the same value, whatever was asked before, since steps are tried and given up, and a
 * run may be repeated. What it needs of t, dir or a state is an argument; what the program changes is an input. It has to be smooth, but
 * where an expression around it switches. It is called by the thread that the library is called by: of two simulations in two threads by both at once.
 */
typedef int (*detent_function)(void *user, const double *arguments, double *value,
                               double *derivatives);

/** Such a function. A name is that of no function, reading or table of expressions. */
typedef struct detent_function_def {
    size_t size; /**< DETENT_INIT */
    const char *name;
    size_t argument_count; /**< 1 to DETENT_MAX_ARGUMENTS */
    detent_function function;
    void *user; /**< handed to the function: kept as it is, for as long as the mechanism lives */
} detent_function_def;

/** When a joint in motion becomes a candidate for locking: as its velocity crosses zero, or as its speed falls to the threshold. */
typedef enum detent_locking { DETENT_LOCKING_CROSSING = 0, DETENT_LOCKING_BAND = 1 } detent_locking;

/** What a bearing is fixed to. */
typedef enum detent_fixed_to {
    DETENT_FIXED_TO_FOLLOWER = 0,
    DETENT_FIXED_TO_BASE = 1
} detent_fixed_to;

/**
 * The bearing of a joint: a guide of some length in which it slides, a journal of some radius on which it turns. It carries what the joint
 * transmits across its axis by forces at its two ends, and rubs there. docs/theory.md has its equations.
 */
typedef struct detent_bearing {
    size_t size;        /**< DETENT_INIT */
    double coefficient; /**< of friction, >= 0; 0: it rubs by the laws of its stiction alone */
    double static_coefficient; /**< at rest, >= `coefficient`; 0: the same */
    /** From one end to the other, m, > 0; 0, where the joint turns: it carries no moment. */
    double length;
    double radius; /**< of the journal, m, > 0; 0 where the joint slides */
    double collar; /**< mean radius of the face that takes the thrust, m, > 0; 0: `radius` */
    /** Of its middle, along the axis from the joint frame of what it is fixed to, m. */
    double center;
    int fixed_to; /**< detent_fixed_to; of one that slides */
} detent_bearing;

/** Stiction on a revolute or prismatic primitive. Limits: forward < 0 < reverse. */
typedef struct detent_stiction_def {
    size_t size;               /**< DETENT_INIT */
    const char *primitive;     /**< name of the primitive; unique */
    double velocity_threshold; /**< m/s or rad/s, > 0; 0: from the scale of the mechanism, unless
                                    it is the width of a band */
    const char *external;      /**< expression: external actuation; NULL for none */
    const char *kinetic;       /**< expression: magnitude of the kinetic friction */
    const char *static_limit;  /**< expression: magnitude of both static limits, or */
    const char *forward;       /**< expression < 0: the limit that holds against forward motion */
    const char *reverse;       /**< expression > 0: the limit that holds against reverse motion */
    /** expression: static test friction; NULL or "computed": the friction itself */
    const char *test;
    detent_locking locking;
    const detent_bearing *bearing; /**< adds its friction; NULL: none. It is copied */
    double constant_kinetic;       /**< in place of `kinetic`, N or N m */
    double constant_static;        /**< in place of `static_limit` */
    double constant_external;      /**< in place of `external` */
} detent_stiction_def;

/** Whose axes components are along. */
typedef enum detent_frame { DETENT_FRAME_WORLD = 0, DETENT_FRAME_BODY = 1 } detent_frame;

/** A force and a torque on a body. */
typedef struct detent_load_def {
    size_t size; /**< DETENT_INIT */
    const char *name;
    const char *body;
    double point[3];           /**< point of attack in the body frame, m */
    const char *force[3];      /**< expressions, N; NULL: zero */
    const char *torque[3];     /**< expressions, N m; NULL: zero */
    detent_frame frame;        /**< of the components */
    double constant_force[3];  /**< in place of `force`, component by component, N */
    double constant_torque[3]; /**< in place of `torque`, N m */
} detent_load_def;

/** A spring and a damper side by side on the line between points of two bodies, one of which may be the ground. */
typedef struct detent_spring_def {
    size_t size; /**< DETENT_INIT */
    const char *name;
    const char *body[2]; /**< a body; NULL or "ground": the ground */
    double point[2][3];  /**< in the body's frame, of the ground in the world, m */
    double stiffness;    /**< N/m, >= 0 */
    double rest;         /**< length without force of the spring, m, >= 0 */
    double damping;      /**< N s/m, >= 0 */
} detent_spring_def;

/** An end of the way of a joint. */
typedef enum detent_side { DETENT_LOWER, DETENT_UPPER } detent_side;

/**
 * A stop: where the way of a primitive of one freedom ends. Rigid: an impact with a restitution, and a contact that may push and not pull. With
 * a stiffness compliant: max(0, k e + d e') against what has gone e beyond it.
 */
typedef struct detent_stop_def {
    size_t size; /**< DETENT_INIT */
    const char *name;
    const char *joint;  /**< name of the primitive */
    int side;           /**< detent_side: below it nothing is, or above it */
    double at;          /**< m or rad */
    double restitution; /**< 0 ... 1: of the velocity, after an impact; rigid ones only */
    double stiffness;   /**< N/m or N m/rad, > 0; 0: it is rigid */
    double damping;     /**< N s/m or N m s/rad; of compliant ones */
} detent_stop_def;

enum { DETENT_MAX_COUPLED = 6 };

/**
 * A gear, a rack, a screw, a differential: the sum of factor * position of some primitives stays what it is at the initial
 * positions. A gear of ratio r between a and b (a turns r times as far): factors 1, -r; a screw of pitch p: -p / (2 pi)
 * of the turn, 1 of the slide.
 */
typedef struct detent_coupling_def {
    size_t size; /**< DETENT_INIT */
    const char *name;
    const char *primitive[DETENT_MAX_COUPLED]; /**< revolute or prismatic ones, all different */
    double factor[DETENT_MAX_COUPLED]; /**< not zero; of one unit together with the positions */
    size_t count;                      /**< two to six */
    /**
     * Friction of the mesh, which rubs where the first joint moves, as shares of the force that the coupling transmits along it:
     * where the first joint drives, 1/e - 1 at an efficiency e; where it is driven, 1 - e. A share of 1 and more locks
     * itself. A thread or worm with lead angle g, friction coefficient mu, T = tan g: mu (1 + T^2) / (T (1 - mu T)), and the same
     * with + mu T. To that `no_load` is added. All 0: none.
     */
    double loss_driving, loss_driven;
    double static_loss_driving, static_loss_driven; /**< at rest, not below; 0: the same */
    double no_load; /**< friction of the mesh without any load, along the first joint, N or N m */
    /**
     * With a stiffness it is no condition but elastic: the sum e of factor * position, 0 at the initial positions, is driven back
     * by k e + d e'; with a backlash b by k (|e| - b / 2) + d |e|' where |e| > b / 2, never as a pull, and not at all in between. Along a joint
     * it does -factor times that. N/m, N s/m, m where e is a length; N m/rad, N m s/rad, rad where it is an angle. All 0: rigid.
     */
    double stiffness, damping, backlash;
    /**
     * With a backlash and no stiffness teeth are rigid: e stays within b / 2 on either side of 0, and impacts at its ends throw back with the
     * restitution, 0 ... 1. With `drives` (detent_way) it is a freewheel: the first joint takes the others along when it goes that way, and
     * they may overrun it. Either way no more than five joints, and the mechanism has one joint more, of the name of the coupling, behind all that
     * were added: its position is e (of a freewheel: what has been overrun), in rad where all joints turn, else in m.
     */
    double restitution;
    int drives;
} detent_coupling_def;

/**
 * A state of a controller, a filter, an actuator, a friction law: dz/dt = derivative. Laws and outputs read it by its
 * name, or as state(NAME).
 */
typedef struct detent_state_def {
    size_t size; /**< DETENT_INIT */
    const char *name;
    /** May read t, inputs, states, and whatever the force of an actuator may. */
    const char *derivative;
    double initial;
    /** How large it ordinarily is: the absolute tolerance follows; 0: from the mechanism. */
    double nominal;
    /** Stops, constant expressions: there its rate is 0 as long as the derivative points outward. NULL: none. */
    const char *min, *max;
} detent_state_def;

/** Which linear solver serves the Newton iteration. */
typedef enum detent_linear_solver {
    DETENT_LINEAR_SOLVER_TREE = 0, /**< exact elimination along the tree, linear time */
    DETENT_LINEAR_SOLVER_DENSE = 1 /**< full Jacobian, LAPACK */
} detent_linear_solver;

/**
 * Which integrator steps: from event to event, with steps of its own choice and events where they are; or with steps of
 * a length that is given, which decide at their ends what has happened.
 */
typedef enum detent_integrator {
    DETENT_INTEGRATOR_IDA = 0, /**< IDA: implicit, variable order, stiff mechanisms too */
    DETENT_INTEGRATOR_ERK = 1,
    /**< ERKStep: explicit Runge-Kutta; cheap restarts, not for stiff ones */
    /** The cheaper one of the two, as measured while the run goes on; the default. */
    DETENT_INTEGRATOR_AUTO = 2,
    DETENT_INTEGRATOR_EULER = 3, /**< explicit Euler method of fixed step, first order */
    DETENT_INTEGRATOR_RK4 = 4, /**< the classical Runge-Kutta method of fixed step, fourth order */
    /**
     * Time stepping: modes and velocities of the end of each step are found together, so that joints stick exactly and a step
     * has a bounded cost; second order, and first over events; what is stiff is implicit. For control loops and long runs.
     */
    DETENT_INTEGRATOR_FIXED = 5
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
    size_t size;     /**< DETENT_INIT */
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
    double step; /**< s: of an integrator of fixed step, which needs one; 0 with the others */
    /**
     * Linear-time solves that a step of DETENT_INTEGRATOR_FIXED may take to find its modes; default 20. A step that comes to the bound
     * is made with less friction than there is (detent_statistics.unsettled). 0 with the others
     */
    int max_solves;
} detent_settings;

/**
 * The default settings, into a struct of `size` bytes, sizeof the caller's. DETENT_ERROR_ARGUMENT: `settings` is NULL, or
 * `size` is none of it.
 */
DETENT_API detent_status detent_init_settings(detent_settings *settings, size_t size);

#ifdef __cplusplus
}
#endif
#endif
