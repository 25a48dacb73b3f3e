/**
 * @file simulation.h
 * Simulations: created, advanced, read, saved.
 */
#ifndef DETENT_SIMULATION_H
#define DETENT_SIMULATION_H

#include "detent/mechanism.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a joint with stiction does: held, let go and not yet past its threshold, in motion. */
typedef enum detent_mode { DETENT_LOCKED = 0, DETENT_WAIT = 1, DETENT_UNLOCKED = 2 } detent_mode;

/** Why a mode has changed. */
typedef enum detent_cause {
    DETENT_CAUSE_INITIAL,   /**< the first search */
    DETENT_CAUSE_LIMIT,     /**< static test friction reached its limit */
    DETENT_CAUSE_STOP,      /**< velocity reached zero, or the band */
    DETENT_CAUSE_THRESHOLD, /**< velocity passed the threshold */
    DETENT_CAUSE_SEARCH,    /**< changed by the search after somebody else's event */
    DETENT_CAUSE_SWITCH,    /**< a discontinuity of an expression */
    DETENT_CAUSE_INPUT,     /**< an input was set from outside */
    DETENT_CAUSE_JAM, /**< the mesh of a coupling, or a bearing, has no motion that goes on: it stopped at once */
    DETENT_CAUSE_IMPACT, /**< the joint, or another one, came to its stop */
    DETENT_CAUSE_SAMPLE  /**< a sampled value changed */
} detent_cause;

/** One mode change of one stiction joint. */
typedef struct detent_mode_change {
    size_t size;     /**< DETENT_INIT */
    double time;     /**< s */
    size_t stiction; /**< index */
    detent_mode from, to;
    int from_direction, to_direction; /**< -1, 0, +1 */
    detent_cause cause;
    double margin;
    /**< after the change: distance of the test friction to the nearer limit where locked, N
             or N m; the acceleration along the direction otherwise */
} detent_mode_change;

/** A state that came to one of its stops, or left it: -1 the lower stop, 1 the upper one, 0 none. */
typedef struct detent_state_change {
    size_t size;  /**< DETENT_INIT */
    double time;  /**< s */
    size_t state; /**< index */
    int from, to; /**< in the first event, of those at their stops, from 0 */
    /** DETENT_CAUSE_INITIAL; of what made the event; DETENT_CAUSE_SWITCH: its own coming or leaving */
    detent_cause cause;
} detent_state_change;

/** Counters since the creation of the simulation, and balances. */
typedef struct detent_statistics {
    size_t size; /**< DETENT_INIT */
    size_t events, mode_changes, searches, search_solves, search_interior_point;
    size_t steps, residuals, factorizations, solves, error_test_failures, convergence_failures;
    size_t root_evaluations, restarts;
    size_t leaps;             /**< over positions where branches of the motion meet */
    size_t impacts;           /**< events at which joints came to stops */
    size_t helped;            /**< steps of IDA where `erk` was asked for, and could not get on */
    size_t max_search_solves; /**< the most that one search took */
    double kinetic_energy,
        potential_energy;  /**< J, now; gravity and springs (gravity: 0 where it varies with t) */
    double initial_energy; /**< J */
    double friction_work, damping_work, actuation_work; /**< J, done on the mechanism so far */
    double impact_loss; /**< J, kinetic energy removed by locking inside the velocity band */
    size_t memory;      /**< bytes held by the simulation */
    size_t samples;     /**< sampled values that were evaluated; events only where modes changed */
    size_t
        unsettled; /**< steps of `fixed` that took max_solves, and have less friction than there is */
    size_t
        endless; /**< times that a joint came to rest from bounces of restitution 1, which have no
                         end of their own: lower than what rtol tells of its position */
    size_t
        unresolved; /**< steps of `fixed` in which a loop passes by where branches of its motion meet, so fast
                         that it loses energy by it: the step is too long */
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
    size_t size;                     /**< DETENT_INIT */
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
/** Gives back all of its memory; NULL is nothing to do. Its mechanism stays. */
DETENT_API void detent_simulation_destroy(detent_simulation *);

/**
 * Advances to time `t` (>= now). With `stop_at_events` it returns DETENT_EVENT just after the first
 * event instead: every reading is then that after the event, and the state just before it can be
 * read through detent_read_before(). An event may have changed no mode, see detent_mode_change_count().
 * After an error or a positive outcome other than DETENT_EVENT the readings are those of the last
 * good time. After DETENT_INTERRUPTED the next call goes on from there; a search that was given up
 * is made again.
 */
DETENT_API detent_status detent_advance(detent_simulation *, double t, bool stop_at_events,
                                        detent_error *error);

/**
 * One step of `integrator: fixed`: to the next multiple of its length after the start, or to a sample or a switch of a law of time before that; from
 * within a step to its end. Its cost is bounded (detent_settings.max_solves). What it changes in modes is told by
 * detent_mode_change_count(). DETENT_ERROR_ARGUMENT: the integrator is another one; else as of detent_advance().
 */
DETENT_API detent_status detent_step(detent_simulation *, detent_error *error);

/**
 * Begins anew as it was created: time, initial values, inputs, the first search, counters. What
 * follows is what a new simulation with its settings comes to, to the last bit. It creates one, and gives back the old one's memory
 * afterwards: where that takes too long, detent_save_state() the beginning once and restore it.
 * Errors as of detent_simulation_create(); the simulation is as it was then.
 */
DETENT_API detent_status detent_reset(detent_simulation *, detent_error *error);

/**
 * Begins anew with a state that is given: t (s, may go back), `positions` (length `coordinates`: m, rad, quaternions), `velocities`
 * (length `freedoms`), `states` (length `states`); each may be NULL: what is now. Inputs and sampled values stay, and what previous() reads is
 * their present values. Prescribed joints take their state from t. In loops `given` (length `freedoms`; NULL: none in particular) tells
 * what is exact, as for detent_analysis_set_state(). A first search finds the modes, and detent_mode_change_count() tells them; works are
 * counted from 0, and other counters go on. A state that is the present one to the last bit changes nothing at all. It creates another simulation for a while.
 *
 * DETENT_ERROR_ARGUMENT: a value is not finite, or loops cannot be closed there; else as of detent_simulation_create(). The
 * simulation is as it was then.
 */
DETENT_API detent_status detent_set_state(detent_simulation *, double t, const double *positions,
                                          const double *velocities, const bool *given,
                                          const double *states, detent_error *error);

/**
 * A moment of a run as detent_read() has told of it: detent_recall(). Pointers are to what the quantity of that name has, and only read during the call;
 * `energies` from DETENT_ENERGY_FRICTION_WORK on counts. Those of a length of 0 may be NULL.
 */
typedef struct detent_moment {
    size_t size; /**< DETENT_INIT */
    double time; /**< s */
    const double *positions, *velocities, *states, *inputs, *held;
    const double *modes, *directions;
    /** Where the solution for accelerations begins; NULL: where the last one ended. */
    const double *accelerations, *frictions;
    const double
        *energies; /**< DETENT_ENERGY_IMPACT_LOSS + 1 of them; NULL: works stay as they are */
    /** Laws stay on the branches that they have, as at the moment before: for the two ends of a stretch of a run without events, which may lie on borders. */
    bool keep_branches;
} detent_moment;

/**
 * Puts back a moment of a run of this mechanism, as it was: without a search, in the modes that it had; accelerations and forces follow from it, and all can
 * be read. Laws are on the branches that their values call for, but see detent_moment.keep_branches. It goes on from there as after detent_restore_state(). Where
 * loops close the positions have to close them already.
 *
 * DETENT_ERROR_ARGUMENT, and the simulation is as it was: a value is missing, not finite, or no mode; the mechanism has dead times, whose past no
 * moment has, or the simulation fixed steps. DETENT_ERROR_NUMERIC, _SOLVER: there are no accelerations; then only another moment, detent_reset() and detent_restore_state() make sense.
 */
DETENT_API detent_status detent_recall(detent_simulation *, const detent_moment *, detent_error *);

/**
 * Another simulation at the present state, with the same settings, allocator, trace, interrupt and user pointer; it goes on as
 * this one would after detent_restore_state() of its present state, to the last bit. `*clone` is the caller's.
 * Errors as of detent_simulation_create().
 */
DETENT_API detent_status detent_clone(detent_simulation *, detent_simulation **clone,
                                      detent_error *error);

/** A pointer of the caller's that the library does not look at; NULL at first. */
DETENT_API void detent_set_user(detent_simulation *, void *user);
/** What detent_set_user() was given. */
DETENT_API void *detent_user(const detent_simulation *);

/** Now, s. */
DETENT_API double detent_time(const detent_simulation *);

/**
 * How many modes the last event changed that the last call of advance came to; before the first call
 * those of the first search: every stiction joint. 0 where there was no event, and where it
 * changed no mode: at a discontinuity of a law, at a new value of an input, where a joint came to
 * rest and moves on as before. Accelerations and forces may have jumped all the same.
 */
DETENT_API size_t detent_mode_change_count(const detent_simulation *);
/** One of them. DETENT_ERROR_ARGUMENT: `index` is out of range. */
DETENT_API detent_status detent_get_mode_change(const detent_simulation *, size_t index,
                                                detent_mode_change *change);

/**
 * How many states came to their stops or left them at that event, in the same way; at the start those that are at one, to stay. None with fixed
 * steps, which put states on their stops without an event.
 */
DETENT_API size_t detent_state_change_count(const detent_simulation *);
/** One of them. DETENT_ERROR_ARGUMENT: `index` is out of range. */
DETENT_API detent_status detent_get_state_change(const detent_simulation *, size_t index,
                                                 detent_state_change *change);

/** What detent_read() reads as a whole vector. */
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
    DETENT_STATES,        /**< of controllers and elements; length `states` */
    /** The static limits of each stiction's friction, the lower and the upper one side by side; length 2 x `stictions`. */
    DETENT_LIMITS,
    DETENT_DIRECTIONS, /**< which way each stiction moves: -1, 0, +1; length `stictions` */
    /** Of each body its origin (m) and its rotation (quaternion w x y z, body to world); length 7 x `bodies`. */
    DETENT_POSES,
    /** Of each primitive what detent_get_reaction() tells of the follower in world axes; length 6 x `primitives`. */
    DETENT_REACTIONS,
    DETENT_PLACES,  /**< of each primitive the origin of the follower's joint frame in the world, m;
                         length 3 x `primitives` */
    DETENT_AXES,    /**< of each primitive its axis in the world, of length 1; 0 of a spherical or a
                         weld one; length 3 x `primitives` */
    DETENT_INPUTS,  /**< as they act now; length `inputs` */
    DETENT_GRAVITY, /**< m/s^2, world axes; length 3 */
    DETENT_ENERGIES, /**< J; by ::detent_energy. Fewer may be asked for than there are */
    /**
     * What laws are given beside inputs: sampled values, as they are held; what each was before its last instant; of each joint whose
     * rest_time() is read the instant since which it rests, s; what sampled values were longer ago, for previous(S, n). Length:
     * detent_quantity_length()
     */
    DETENT_HELD
} detent_quantity;

/** Places in DETENT_ENERGIES: as in ::detent_statistics. */
typedef enum detent_energy {
    DETENT_ENERGY_KINETIC,
    DETENT_ENERGY_POTENTIAL,
    DETENT_ENERGY_FRICTION_WORK,
    DETENT_ENERGY_DAMPING_WORK,
    DETENT_ENERGY_ACTUATION_WORK,
    DETENT_ENERGY_IMPACT_LOSS
} detent_energy;

/** How many numbers a quantity has; 0 of one that there is not. */
DETENT_API size_t detent_quantity_length(const detent_mechanism *, detent_quantity quantity);

/**
 * Whether an output reads what follows from forces (accelerations, friction, reactions), and not only how bodies move and what the run has counted. False of one that
 * there is not.
 */
DETENT_API bool detent_output_follows_forces(const detent_simulation *, size_t output);

/** Reads a whole vector, now. `count` must be its length. */
DETENT_API detent_status detent_read(detent_simulation *, detent_quantity, double *values,
                                     size_t count, detent_error *);
/** The same just before the last event; only valid directly after advance returned DETENT_EVENT. */
DETENT_API detent_status detent_read_before(detent_simulation *, detent_quantity, double *values,
                                            size_t count, detent_error *);

/** Mode and direction (-1, 0, +1; may be NULL) of a stiction. */
DETENT_API detent_mode detent_get_mode(const detent_simulation *, size_t stiction, int *direction);

/** Whose axes detent_get_reaction() is along: those of the world, or of a joint frame. */
typedef enum detent_reaction_frame {
    DETENT_REACTION_WORLD = 0,
    DETENT_REACTION_BASE = 1,
    DETENT_REACTION_FOLLOWER = 2
} detent_reaction_frame;
/**
 * The wrench that primitive `primitive` transmits from base to follower (`on_base`: from follower
 * to base), about the origin of the follower's joint frame: force (N) in [0..2], torque (N m) in
 * [3..5], components in the frame asked for: world, base body's joint frame, follower body's joint
 * frame.
 */
DETENT_API detent_status detent_get_reaction(detent_simulation *, size_t primitive,
                                             detent_reaction_frame frame, bool on_base,
                                             double wrench[6], detent_error *);
/** Pose of a body now: origin (m) and rotation (quaternion w x y z, body to world). */
DETENT_API detent_status detent_get_pose(detent_simulation *, size_t body, double origin[3],
                                         double rotation[4], detent_error *);

/** Errors: DETENT_ERROR_ARGUMENT. */
DETENT_API detent_status detent_get_statistics(detent_simulation *, detent_statistics *);

/** The sizes that the numbers of a primitive are measured by (docs/theory.md): no units are in them. */
typedef struct detent_scale {
    size_t size;     /**< DETENT_INIT */
    double position; /**< m or rad: as given, or from the mechanism at its start; spherical: 1 */
    double velocity; /**< m/s or rad/s: likewise */
    double force;    /**< N or N m: what moves the primitive in that way */
    double energy;   /**< J: of the mechanism as a whole, when it moves in that way */
    double time;     /**< s: of the mechanism as a whole */
} detent_scale;
/** DETENT_ERROR_ARGUMENT if out of range. All is zero for a weld, but energy and time. */
DETENT_API detent_status detent_get_scale(const detent_simulation *, size_t primitive,
                                          detent_scale *scale, detent_error *);

/**
 * What is to be looked at in how the simulation begins, in words, as the warnings of a mechanism (DETENT_WARNING) are, with file, line and
 * column where they are known: a given initial position that the assembly of loops had to move by more than half a radian, or of what the
 * mechanism measures (of its nominal position where it has one). NULL: `index` is not below how many there are. They last as
 * long as the simulation, or until it begins anew.
 */
DETENT_API const char *detent_simulation_warning(const detent_simulation *, size_t index);

/** How a mechanism can move. */
typedef struct detent_mobility {
    size_t size; /**< DETENT_INIT */
    size_t
        mobility; /**< freedoms that are left when all loops are closed and motions prescribed, no joint being stuck */
    size_t
        redundant; /**< conditions of the loops that others imply: what loops transmit is not unique by as much */
    /**
     * Branches of the motion meet: the conditions of the loops say less here than at any position beside it, so that `mobility` counts directions
     * that lie between branches, and no motion takes.
     */
    bool branches_meet;
} detent_mobility;
/** At the initial positions, loops closed. */
DETENT_API detent_status detent_get_mobility(const detent_simulation *, detent_mobility *mobility,
                                             detent_error *);

/** The mesh of a coupling that rubs. */
typedef struct detent_mesh {
    size_t size;          /**< DETENT_INIT */
    const char *coupling; /**< its name; of the mechanism */
    /**
     * A - |B|, with the friction f of the mesh and what the coupling does along the first joint, L = L0 + n f: A = 1 + n (driven - driving) / 2,
     * B = n (driven + driving) / 2 of its losses. Above 0 there is one motion at any load. Else there are two for some loads, of
     * which that is taken that an elastic mesh would come to, and none for others: then a mesh that moves jams. NAN: not
     * known, as where more than a hundred rub. At the initial state, with everything free to move.
     */
    double margin;
} detent_mesh;
/** `index`: below detent_mechanism_info.meshes, else DETENT_ERROR_ARGUMENT. */
DETENT_API detent_status detent_get_mesh(const detent_simulation *, size_t index, detent_mesh *mesh,
                                         detent_error *);

/** Sets an input from now on; the next advance starts with a search, unless the input has that value already, to the last bit. */
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

#ifdef __cplusplus
}
#endif
#endif
