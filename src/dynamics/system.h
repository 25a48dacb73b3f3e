/**
 * @file system.h
 * A mechanism at one instant: state, modes, readings, force laws. Mutable; all memory taken by
 * dt_system_create().
 *
 * Equation of motion, per freedom (S'F is what the joint transmits, Q what acts on it without
 * friction, f friction):
 *
 *   S_i . F_i(t, q, v, a) = Q_i(t, readings) + f_i
 *
 * The order of evaluation is that of the calls: state (z, which is set as it is; t, q, v), then
 * acceleration and friction (a, f), which gives the external wrenches, A and F, then the laws Q,
 * FK, FSf, FSr, Ftest, which may read all of these.
 */
#ifndef DT_DYNAMICS_SYSTEM_H
#define DT_DYNAMICS_SYSTEM_H

#include "dynamics/element_table.h"
#include "dynamics/motion.h"
#include "model/mechanism.h"

enum {
    DT_LAW_OWNERS = 1 << 24, /**< more than there are */
    DT_ITEM_LAWS = 8         /**< no item has more */
};

/** A law in use: a program, the place of its recorded branches, and what it is to the system. */
typedef struct dt_law {
    const dt_program *program; /**< NULL: no such law, its value is 0 */
    int branch;                /**< the first of switch_count recorded ones in dt_system.branches */
    unsigned role : 5;         /**< dt_law_role */
    unsigned component : 3;    /**< its number among those of its item */
    unsigned owner : 24;       /**< the item that it belongs to, of the element of its role */
} dt_law;

/** A role: a row of the table of element_table.h. */
typedef struct dt_law_kind {
    const struct dt_element_kind *element; /**< whose law it is (element.h) */
    int number;                            /**< of that: DT_ELEMENT_x */
    unsigned traits;
} dt_law_kind;

extern const dt_law_kind dt_law_kinds[DT_LAW_ROLES];
extern const dt_law dt_no_law; /**< has no program */

/** The laws of a stiction, by their number there (element_friction.c). */
enum {
    DT_STICTION_KINETIC,
    DT_STICTION_MAGNITUDE,
    DT_STICTION_FORWARD,
    DT_STICTION_REVERSE,
    DT_STICTION_TEST
};

/** The limit of its box that the friction of a joint is at which begins to move in a round of the search. */
typedef struct dt_friction_bound {
    bool of_rest; /**< the static one, not the kinetic friction */
    double share; /**< of it, from 0 to 1 */
    double less;  /**< N or N m by which it is smaller still */
} dt_friction_bound;

/** Whose readings are in memory that two systems share, and for which coordinates. */
typedef struct dt_posed {
    /** Poses, and what follows from them, are this one's; or NULL. */
    const struct dt_system *system;
    double *q; /**< nq: they belong to these */
    size_t
        changes; /**< how often a state or accelerations have been set: who has left readings there knows whether they are his still */
} dt_posed;

typedef struct dt_load_loop dt_load_loop;
typedef struct dt_closure dt_closure;

/** Sizes of the terms that wrenches are summed from (force_size.h). */
typedef struct dt_told {
    const double (*wrench)[6]; /**< node_count, N m and N */
    bool met;                  /**< a norm that is nothing but rounding has been */
    double moment,
        force; /**< of the largest of all, where elimination leaves their rounding anywhere */
} dt_told;

typedef struct dt_system {
    const detent_mechanism *mechanism;
    const dt_tree *tree;
    const struct dt_scale *scale; /**< what is large for it, or NULL */
    double length; /**< m, a power of two: torques compare with forces by it, in whatever units; 1
                        until there is a scale */
    const double *state_size; /**< NULL, or state_count: what states ordinarily are */
    unsigned acting;          /**< kinds of elements that do anything: a bit each (element.h) */
    const int *place; /**< NULL, or the node here of a primitive that laws read by its number in
                           the mechanism as a whole (welding.h) */

    /* state */
    double time;
    double *q, *v; /**< nq, nv */
    double *a;     /**< nv */
    double *f;     /**< stiction_count: friction force on the primitive */
    /** 6 a loop: force (world axes, N) and torque (N m) of the original on the ghost */
    double *multiplier;
    double *z;      /**< state_count: states of controllers and elements */
    double *inputs; /**< dt_given_count(): and sampled values, as they are held */
    /** NULL, or of a run: what values were earlier (history.h) */
    const struct dt_history *history;
    const double *account;  /**< NULL, or DT_ACCOUNTS: works up to now, J, of a run that is read */
    signed char *mode;      /**< stiction_count: detent_mode */
    signed char *direction; /**< stiction_count: -1, 0, +1 */
    /** stiction_count: of a locked joint: beyond its static limits, and held by its kinetic friction */
    unsigned char *yielded;
    /** NULL, or node_count: what force() of a joint reads beside what acts there (inverse.c) */
    const double *beside;
    const double *pinned; /**< NULL, or stiction_count: friction of moving joints that is given,
                                 whatever their law says; NAN where it is not */
    dt_told *told; /**< NULL, or norms that are nothing but rounding of these have no slope */
    const dt_friction_bound *bound; /**< NULL, or stiction_count: what the friction of moving joints
                                         is at in a round of the search (dt_friction_bound) */
    dt_branch *branches;            /**< of all laws, one after the other */
    int branch_count;
    bool (*follow)(
        void *user); /**< NULL, or in a search: branches of continuous laws go where the readings
                                     are; true if some did */
    void *follow_user;

    /* derived: by dt_system_set_state() */
    double gravity[3];
    dt_reference *reference; /**< of the tree: where spatial vectors are taken about */
    dt_motion *motion;       /**< node_count */
    dt_posed *posed;         /**< what `motion` belongs to */
    double *prescribed;      /**< nv: acceleration of freedoms with a prescribed motion, else 0 */

    /* derived: by dt_system_set_acceleration() */
    double (*load_wrench)[6]; /**< place_count, about the origin */
    double (*external)[6]; /**< node_count: the sum of these on each; NULL where there are none */
    double (*A)[6],
        (*F)[6]; /**< node_count; F is the reaction, from base to follower, about the origin */
    double *tau; /**< nv: S'F */

    /* derived: by dt_system_forces() */
    double *Q; /**< nv: actuation, springs, damping, laws of friction; 0 for prescribed freedoms */
    /** nv: of that, laws of friction (element_friction_law.c); NULL: there are none */
    double *drag;
    /** NULL, or of items of friction laws, whether somebody else acts for them: they are in `drag` with `apart_force`, and in no sum (bristles.h). */
    const bool *apart;
    const double *apart_force;

    /* laws */
    /** Of all items of a kind of element, those of an item side by side; NULL where none has any: dt_law_of(). */
    dt_law *laws[DT_ELEMENT_KINDS];
    int items[DT_ELEMENT_KINDS]; /**< how many items of a kind have laws here */
    /** How many laws each of these has: of the numbers that any item of the mechanism has a law of. */
    int item_laws[DT_ELEMENT_KINDS];
    signed char law_at[DT_ELEMENT_KINDS][DT_ITEM_LAWS]; /**< which of those laws it is, -1: none */
    dt_load_loop *loop;  /**< NULL, or loads that read reactions (loads.h) */
    dt_closure *closure; /**< NULL, or how loops close (closure.h) */
    double (*turned)
        [3]; /**< turned_count: bushings, rotation vectors on their side of half a turn (bushing.h), or 0 */
    int turned_count;
    struct dt_slot_memo *feet; /**< a slot: the last foot (slot_curve.h) */
    struct dt_series
        *series;  /**< work space: registers of laws of conditions, or NULL (element_cam.c) */
    dt_law **law; /**< all of those that are not constant, law_count */
    int law_count;
    const dt_law *
        *push; /**< those of forces along joints (push.h), constant ones too, push_count */
    int push_count;
    double *registers, *slots;     /**< work space of programs */
    struct dt_failed_call *failed; /**< the call of a function of the program that failed last */
    bool impulsive; /**< what is solved for are impulses: laws are finite, and answer to nothing */
} dt_system;

/** What a law belongs to; fewer than DT_LAW_OWNERS. */
static inline void dt_law_set_owner(dt_law *law, int owner)
{
    law->owner = (unsigned)owner & (DT_LAW_OWNERS - 1);
}

/** A law of an item of a kind of elements, by its number there; without a program where no item of the mechanism has such a one. */
static inline const dt_law *dt_law_of(const dt_system *system, int kind, int item, int number)
{
    const int at = system->law_at[kind][number];
    return at < 0 ? &dt_no_law : &system->laws[kind][item * system->item_laws[kind] + at];
}

/* The laws that algorithms know by name. */

static inline const dt_law *dt_gravity_law(const dt_system *system, int axis)
{
    return dt_law_of(system, DT_ELEMENT_gravity, axis, 0);
}

/** Of a primitive with a prescribed motion. */
static inline const dt_law *dt_motion_law(const dt_system *system, int primitive)
{
    return dt_law_of(system, DT_ELEMENT_motion, primitive, 0);
}

/** Whether its velocity is prescribed, and its position is integrated. */
static inline bool dt_is_driven_by_speed(const dt_system *system, int primitive)
{
    return system->mechanism->primitives[primitive].by_speed;
}

/** Position, velocity and acceleration of a prescribed motion at a time; where it is the speed that is prescribed the position is the present one. */
void dt_motion_jet(dt_system *system, int primitive, double time, double jet[3]);

/** Whether a primitive has a prescribed motion. */
static inline bool dt_is_prescribed(const dt_system *system, int primitive)
{
    return system->mechanism->primitives[primitive].motion != NULL;
}

/** Of a primitive; without a program where there is none. */
static inline const dt_law *dt_force_law(const dt_system *system, int primitive)
{
    return dt_law_of(system, DT_ELEMENT_actuation, primitive, 0);
}

/** Of a stiction: DT_STICTION_KINETIC ...; without a program where there is none. */
static inline const dt_law *dt_stiction_law(const dt_system *system, int stiction, int number)
{
    return dt_law_of(system, DT_ELEMENT_friction, stiction, number);
}

/** Of a component of a load: force 0 .. 2, torque 3 .. 5. */
static inline const dt_law *dt_load_law(const dt_system *system, int load, int component)
{
    return dt_law_of(system, DT_ELEMENT_load, load, component);
}

static inline const dt_law *dt_rate_law(const dt_system *system, int state)
{
    return dt_law_of(system, DT_ELEMENT_state, state, 0);
}

/** Whether a law has one of the traits. */
static inline bool dt_law_is(const dt_law *law, unsigned traits)
{
    return (dt_law_kinds[law->role].traits & traits) != 0;
}

/** Whether there is no such law, or its value is always the same. */
static inline bool dt_law_is_constant(const dt_law *law)
{
    return !law->program || law->program->is_constant;
}

/** The stiction whose direction `dir` reads in a law, or -1. */
static inline int dt_law_stiction(const dt_system *system, const dt_law *law)
{
    const unsigned traits = dt_law_kinds[law->role].traits;
    return traits & DT_LAW_IS_RUBBING    ? (int)law->owner
           : traits & DT_LAW_IS_DIRECTED ? system->mechanism->primitives[law->owner].stiction
                                         : -1;
}

/** The node along or on which a law acts; -1 of gravity. */
int dt_law_node(const dt_system *system, const dt_law *law);

/** The node whose readings are a law's own: that along which it acts, or -1. */
static inline int dt_law_own_node(const dt_system *system, const dt_law *law)
{
    return dt_law_is(law, DT_LAW_IS_ALONG) ? dt_law_node(system, law) : -1;
}

/** Whether somebody else acts for a law: dt_system.apart. */
static inline bool dt_law_is_apart(const dt_system *system, const dt_law *law)
{
    return system->apart && dt_law_is(law, DT_LAW_IS_DRAG) && system->apart[law->owner];
}

/** Whether a law is a limit of static friction. */
static inline bool dt_law_is_limit(const dt_law *law)
{
    return dt_law_is(law, DT_LAW_IS_LIMIT);
}

/** Whether a law of the equation of motion is no friction: a search solves those that read forces with these (search_create.c). */
static inline bool dt_law_is_drive(const dt_law *law)
{
    return dt_law_is(law, DT_LAW_IS_ANSWER) && !dt_law_is(law, DT_LAW_IS_RUBBING);
}

/**
 * Whether a law may read what the equation of motion decides: because it is solved with that, or is asked only when that is
 * known. Another one would be taken as it was, and is refused when a system is created.
 */
static inline bool dt_law_may_read_forces(const dt_law *law)
{
    return dt_law_is(law, DT_LAW_IS_ANSWER | DT_LAW_IS_RUBBING | DT_LAW_IS_RATE);
}

/** Lists the laws of all `items` anew, those that are not constant and those of forces along joints: what belongs to them has changed. */
void dt_system_list_laws(dt_system *system);

/** The node of a primitive that a law reads. */
static inline int dt_system_place(const dt_system *system, int primitive)
{
    return system->place ? system->place[primitive] : primitive;
}

/** Takes memory from `arena`, sets initial q, v, inputs; a, f = 0; all joints locked. */
detent_status dt_system_create(dt_arena *arena, const detent_mechanism *mechanism,
                               dt_system *system, detent_error *error);

/**
 * The same, with the readings (poses and velocities, loads, A, F, tau, Q) in the memory of `other`:
 * each has them until the state of the other one is set.
 */
detent_status dt_system_create_beside(dt_arena *arena, const dt_system *other, dt_system *system,
                                      detent_error *error);

/** Whether the readings are not those of another system. */
static inline bool dt_system_has_readings(const dt_system *system)
{
    return system->posed->system == system;
}

/**
 * Copies t, q (nq), v (nv); prescribed freedoms take their own q, v (also in the copies), and so do those that follow
 * from loops (closure.h). Updates gravity, motion, prescribed.
 */
void dt_system_set_state(dt_system *system, double t, const double *q, const double *v);

/** Poses at q, unless they are there already; part of dt_system_set_state(). */
void dt_system_pose(dt_system *system);

/** Prescribed freedoms take q = m(t), v = m'(t), a = m''(t); part of dt_system_set_state(). */
void dt_system_prescribe(dt_system *system);

/**
 * Copies a (nv; prescribed freedoms take their own) and f (stiction_count); updates external
 * wrenches, A, F, tau.
 */
void dt_system_set_acceleration(dt_system *system, const double *a, const double *f);

/** External wrenches at the current readings, but for components that read what they act on (loads.h). */
void dt_system_wrenches(dt_system *system);

/** Q at the current readings. */
void dt_system_forces(dt_system *system);

/**
 * Magnitude of the kinetic friction of stiction k moving in direction s (-1, +1), at the current
 * readings.
 */
double dt_system_kinetic(dt_system *system, int k, int s);

/** Whether the friction of stiction k, which moves, is given in place of its law. */
static inline bool dt_system_is_pinned(const dt_system *system, int k)
{
    return system->pinned && !isnan(system->pinned[k]);
}

/**
 * The friction of stiction k, which moves, at the current readings: -s FK(s), or as it is pinned.
 * Never in the direction of motion: a law that is negative, by rounding or beyond a switch that is
 * still to be reached, is none.
 */
double dt_system_moving_friction(dt_system *system, int k);

/** The law that the friction of stiction k, which moves, follows, with its direction and factor: f = -factor value. */
const dt_law *dt_system_moving_law(const dt_system *system, int k, int *direction, double *factor);

/** Whether that friction does not follow its law: it is pinned, or the law is negative. */
bool dt_system_is_given(dt_system *system, int k);

/** The stop that stiction k stands at: -1 the lower one, 1 the upper one, 0 none; a freewheel is one wherever the joint is. */
static inline int dt_system_stop_side(const dt_system *s, int k)
{
    const dt_stiction *stiction = &s->mechanism->stictions[k];
    if (!stiction->stops) {
        return 0;
    }
    if (stiction->stops->way != 0) {
        return -stiction->stops->way;
    }
    const double q = s->q[s->tree->nodes[stiction->primitive].q];
    return q <= stiction->stops->at[0] ? -1 : q >= stiction->stops->at[1] ? 1 : 0;
}

/**
 * Whether the force of stiction k is that of the stop which the joint stands at: on one that presses, friction is nothing, and of one that
 * does not friction is all.
 */
static inline bool dt_system_stop_presses(const dt_system *s, int k)
{
    return s->mode[k] == DETENT_LOCKED && dt_system_stop_side(s, k) * s->f[k] < 0;
}

/** How wide limits are; where a stop holds on one side twice what the other side is. */
static inline double dt_limits_width(const double limits[2])
{
    return isinf(limits[1])   ? -2 * limits[0]
           : isinf(limits[0]) ? 2 * limits[1]
                              : limits[1] - limits[0];
}

/** Static limits at the current readings: limits[0] = FSf < 0 < limits[1] = FSr; none on the side of a stop that is closed. */
void dt_system_static_limits(dt_system *system, int k, double limits[2]);

/** The static test friction: the user's law, or the friction itself. */
double dt_system_static_test(dt_system *system, int k);

/** Where kinetic friction can hold the joint: limits[0] = -FK(+1), limits[1] = FK(-1). */
void dt_system_kinetic_limits(dt_system *system, int k, double limits[2]);

/** What a joint at rest is held by: the static limits, the kinetic ones where it has yielded. */
void dt_system_limits(dt_system *system, int k, double limits[2]);

/** What is compared with them: the test friction, the friction itself where it has yielded. */
double dt_system_test(dt_system *system, int k);

/** What a reader needs of a system: each level holds those before it. */
typedef enum dt_level {
    DT_LEVEL_MOTION,   /**< time, q, v, z, inputs, modes */
    DT_LEVEL_STATE,    /**< a, too */
    DT_LEVEL_POSES,    /**< motion: dt_system_set_state() */
    DT_LEVEL_FORCES,   /**< everything: dt_system_set_acceleration(), dt_system_forces() */
    DT_LEVEL_REACTIONS /**< and what redundant conditions carry, for readers: dt_self_stress_show() */
} dt_level;

/** The level that a variable is read from. */
dt_level dt_system_level_of(dt_variable variable);

/**
 * Whether anything but friction ever acts along node i; where nothing does, force() of it is 0, and not what rounding
 * leaves of that.
 */
bool dt_system_has_force(const dt_system *system, int i);

/** The value of a variable; `stiction` is the one whose direction `dir` reads. */
double dt_system_variable(const dt_system *system, dt_variable variable, int stiction);

/** The recorded branches of a law. */
static inline dt_branch *dt_law_branches(const dt_system *system, const dt_law *law)
{
    return system->branches + law->branch;
}

/** Value of a law now; `direction` stands for `dir`. */
double dt_law_value(dt_system *system, const dt_law *law, int direction);

/** Value and gradient with respect to the program's slots. */
double dt_law_gradient(dt_system *system, const dt_law *law, int direction, double *gradient);

/**
 * Root functions of a law's switches at the current readings: 2 * switch_count values, positive
 * while the recorded branch is right.
 */
void dt_law_roots(dt_system *system, const dt_law *law, double *roots);

/**
 * How far a switch of a law is above its border at the current readings, and the gradient of that with
 * respect to the program's slots (dt_program_switch_gradient()).
 */
double dt_law_switch_gradient(dt_system *system, const dt_law *law, int index, double *gradient);

/**
 * Sets the branches of a law without `keep` (switch_count) to what the current readings and the kept
 * branches call for.
 */
void dt_law_settle(dt_system *system, const dt_law *law, const bool *keep);

/** The reaction of a node about the origin of its frame: force and torque in world axes. */
void dt_system_reaction(const dt_system *system, int node, double force[3], double torque[3]);

/**
 * Sets the recorded branches of every law to what the current readings call for. Returns whether
 * one changed.
 */
bool dt_system_update_branches(dt_system *system);
/** The same for one law. */
bool dt_law_update_branches(dt_system *system, const dt_law *law);

/** Mechanical energy: kinetic, and potential of gravity (if it is constant) and springs, J. */
void dt_system_energy(const dt_system *system, double *kinetic, double *potential);
double dt_system_potential(const dt_system *system);

/** Works that are accounted for. */
enum {
    DT_WORK_FRICTION,
    DT_WORK_DAMPING,
    DT_WORK_ACTUATION,
    DT_WORKS,
    DT_IMPACT_LOSS = DT_WORKS, /**< in an account: what impulses take, as they are counted */
    DT_ACCOUNTS
};

/** Powers of friction, damping, actuation at the system's readings and Q, W. */
void dt_powers(dt_system *system, double power[DT_WORKS]);

/** True when every number of q, v, a, f is finite. */
bool dt_system_is_finite(const dt_system *system);

#endif
