/**
 * @file core.h
 * The inside of a simulation, shared by the files of this layer.
 *
 * What is integrated is the *core*: the system whose locked joints are welded (welding.h), or the
 * system itself. The vector is y = [q | v | f | w] of the core: coordinates, velocities, friction forces,
 * and the works of
 * friction, damping and actuation, which follow without feeding back. Rows (see newton.h): r_q,
 * r_v, r_f, w' - power.
 * f is algebraic and out of the error test; w has no weight at all.
 *
 * Invariant: between calls the system's modes, directions, branches and inputs are the simulation's
 * own; its t, q, v, a, f are work space, but for the coordinates of welded joints. The core has the
 * modes and inputs of the system. Both have their readings in the same memory, in turn: whoever
 * steps or searches sets the state of the one that he needs first.
 */
#ifndef DT_INTEGRATOR_CORE_H
#define DT_INTEGRATOR_CORE_H

#include "dynamics/scale.h"
#include "dynamics/welding.h"
#include "expression/instant.h"
#include "integrator/horizon.h"
#include "integrator/simulation.h"
#include "solver/solver.h"
#include "stiction/impulse.h"

#include <math.h>
#include <string.h>

/** What the explicit stepper's accelerations are solved from (problem.c); only where it is in use. */
typedef struct dt_guess {
    double *a, *f;           /**< nv and stictions of the core: what was found last */
    double *kept_a, *kept_f; /**< the same where the last step has ended */
    double *held_q;          /**< stictions of the core: where a locked one is */
} dt_guess;

/**
 * What can fire (roots.c). `fired` is in the order of the system: two for each stiction, two for
 * each switch. The integrator watches those of the core, in the same order, and one more for all
 * welded joints together.
 */
typedef struct dt_root_table {
    int count;             /**< of the system */
    int own;               /**< of the core, stictions and switches */
    int watched;           /**< own, and where there is welding the one of the welded joints */
    bool laws_vary;        /**< a limit, a test law or a switch reads something */
    int *fired;            /**< count */
    int *place;            /**< switches of the core: where in `fired` */
    double (*widening)[2]; /**< stiction_count: by how much the limits of a locked one count as
                              wider, up and down */
    double *
        noise; /**< stictions of the system: of their force, N or N m, as of the last restart at which
                        it was measured; never below what is nothing by the scale */
    size_t evaluations;
} dt_root_table;

/** Where a block is: the motion of its group, the wrench of its bundle. */
typedef struct dt_welded_place {
    double motion[12], wrench[6];
} dt_welded_place;

/**
 * What bounds the friction of a block's joints from the motion of its group (welded_roots.c); relative to
 * the widths of their boxes.
 */
typedef struct dt_welded_bounds {
    double most_k[12], most_S[6]; /**< largest coefficients, absolute */
    double most_offset;           /**< largest offset of a limit */
    dt_welded_place reference;    /**< where all were evaluated */
    double margin;                /**< least root there */
    dt_welded_place end[2];       /**< where it was at the ends of the last steps, oldest first */
    double moved[3];              /**< by how much at most a friction there, and at the last
                                       evaluation, is another one than at the reference */
    size_t restart;               /**< the last one at which they were in use */
} dt_welded_bounds;

/** Welded joints of one group with the same bundle, some in a row. */
typedef struct dt_welded_block {
    int first, count; /**< joints, linked by `next` */
    int next;         /**< first joint of the group's next block, or -1 */
    int bounds;       /**< where they are, or -1: too few joints to be worth it */
    bool passed;      /**< over, at the last evaluation */
    bool skipped;     /**< passed over at the end of the last step */
} dt_welded_block;

typedef struct dt_welded_roots {
    dt_welded_block *block;   /**< by first joint */
    int *list, block_count;   /**< the first joints of all blocks */
    dt_welded_bounds *bounds; /**< those that `restart` tells are in use */
    int next_bounds;          /**< all before have been looked at, at this restart */
    size_t restarts;
    size_t *formed;   /**< groups, by carrier + 1: those that the blocks belong to */
    double *friction; /**< welded joints: at the last evaluation */
    double (
        *offset)[2];   /**< welded joints: the widening of roots, which have those of the others */
    double *before[3]; /**< friction at the ends of the last steps, oldest first; of blocks that
                            are skipped, before that */
    int *near, near_count; /**< joints near their limit, at the last look */
} dt_welded_roots;

/**
 * The root functions at the ends of the last two steps (graze.c), oldest first.
 */
typedef struct dt_graze {
    double *value[3];     /**< roots.own */
    double time[3];       /**< NAN before a restart */
    double *acceleration; /**< stictions of the core, at `acceleration_time` */
    double acceleration_time;
    bool found; /**< the pending event was found here: `fired` is ours, not the integrator's */
} dt_graze;

/** The next instant at which switches of a law change that depend on t and inputs alone. */
typedef struct dt_law_instant {
    const dt_law *law;
    bool known;    /**< time and after are; else the search goes on at `from` */
    double time;   /**< s; INFINITY: none before `from` */
    double after;  /**< s: the branches are others for certain */
    double from;   /**< s: where to look on */
    double stride; /**< s: how far at once */
    bool fires;    /**< at the event that is being handled */
    double resume; /**< s: where to look on after it */
} dt_law_instant;

/** Instants known in advance (instants.c). */
typedef struct dt_instants {
    dt_law_instant *of; /**< count: laws of the whole system that have such switches */
    int count;
    double next;               /**< s: the first of them, or INFINITY */
    dt_series *series, *slots; /**< work space */
} dt_instants;

/** The instant just before the last event, for its readers. */
typedef struct dt_past {
    bool valid;
    double time;
    double *q, *v, *a, *f, *inputs;
    signed char *mode, *direction;
    unsigned char *yielded;
    dt_branch *branches;
    bool solved; /**< a and f balance; those of joints that were welded are not in f */
} dt_past;

/** What was before a trial (trial.c): as in the system, and as decree and roots.fired. */
typedef struct dt_trial {
    double *v, *a, *f;
    signed char *mode, *direction, *decree;
    unsigned char *yielded;
    dt_branch *branches;
    int *fired;
} dt_trial;

/** Joints inside a velocity band (velocity_band.c). All but `exists` only where there are such joints. */
typedef struct dt_velocity_band {
    bool exists; /**< a stiction locks inside a band */
    dt_impulse impulse;
    unsigned char *stop;    /**< stiction_count: to be stopped by this trial */
    unsigned char *refused; /**< stiction_count: a trial to stop it has failed */
} dt_velocity_band;

/** The events of a window of time (storm.c). */
typedef struct dt_storm {
    double since; /**< s: when it began */
    size_t events;
    unsigned char *joint; /**< stiction_count: how many of them changed its mode */
    unsigned char *law;   /**< the system's law_count: at how many its switches fired */
} dt_storm;

/** A switch that slides, or may (sliding.c). */
typedef struct dt_slide {
    const dt_law *law;
    int index;        /**< of the switch */
    int side;         /**< 0: slides; -1, 1: has left the border, downwards or upwards */
    bool leaves;      /**< it slid before the event */
    bool dropped;     /**< d' does not follow the weight: it stays on its side */
    int border;       /**< an integer switch: the upper integer */
    dt_branch plain;  /**< what it is where it does not slide */
    double weight;    /**< of the upper branch */
    double moved;     /**< by the last step of Newton's method */
    double distance;  /**< d, as in branch.h */
    double rate;      /**< d', per s */
    double tolerance; /**< what the error test allows d */
} dt_slide;

/** d(rate) / d(weight), factored. */
typedef struct dt_sliding_matrix {
    double *factors; /**< most * most */
    int *pivots;     /**< most */
    int order;       /**< 0: none */
} dt_sliding_matrix;

/** How accelerations follow from weights. */
typedef enum dt_sliding_way {
    DT_SLIDING_BETWEEN, /**< events: modes are known, and the matrix of the last restart is good */
    DT_SLIDING_RULE,    /**< by a search of modes with these weights */
    DT_SLIDING_COUPLED  /**< inside a search of modes: in those that it asks about */
} dt_sliding_way;

/** Switches that slide: work space, but for what stands in the branches themselves. */
typedef struct dt_sliding {
    int most;          /**< as many as may slide at once; 0: no law has such a switch */
    dt_slide *of;      /**< most */
    int count;         /**< of the last search, or solution */
    dt_system *system; /**< where it was made */
    dt_newton *newton;
    dt_sliding_way way;
    bool strict;      /**< sides are given: nobody is dropped */
    double settled;   /**< s: where weights were solved for last, or NAN */
    double *gradient; /**< as long as the variables of any law */
    dt_sliding_matrix now;
    dt_sliding_matrix kept; /**< of the last restart: who reads changes nothing */
    double *move;           /**< most */
} dt_sliding;

/** A law that goes with the motion, at the end of the last step. */
typedef struct dt_swinging {
    const dt_law *law; /**< of the core */
    double value, rate;
    double most; /**< the largest value since the restart, absolute */
    double left; /**< of the last steps: what they have not resolved, of the largest value */
} dt_swinging;

/** Laws that steps have to follow (swing.c). */
typedef struct dt_swing {
    int most;        /**< as many as there may be */
    int count;       /**< of the present core */
    dt_swinging *of; /**< most */
    double time;     /**< s: where their values are from */
    double bound;    /**< s: of the next step */
    /* work space, as long as the variables and operations of any law */
    double *gradient;
    dt_pace *variables, *operations;
} dt_swing;

/** What each stepper has cost (choice.c). */
typedef struct dt_choice {
    double cost[DT_STEPPERS], time[DT_STEPPERS]; /**< sums over intervals, older ones fading */
    double last_rate[DT_STEPPERS];               /**< of the last interval */
    size_t count;                                /**< evaluations when the present interval began */
    double begin;                                /**< s */
    size_t steps;                                /**< in the present interval */
    size_t events;                               /**< restarts by events so far */
    size_t patience; /**< steps before the other stepper is tried within an interval */
    bool trial;      /**< it is being tried */
    bool expired;    /**< the interval ends because it was long */
    bool anew;       /**< a restored run begins */
    bool rejected;   /**< the interval ends because a step failed */
} dt_choice;

struct dt_simulation {
    const detent_mechanism *mechanism;
    detent_settings settings;
    detent_trace trace;
    void *trace_user;
    detent_interrupt interrupt; /**< or NULL */
    void *interrupt_user;
    detent_request request; /**< the strongest one in the present call */

    dt_system system;
    dt_newton *newton;
    dt_search *search;

    /* what is integrated: the system itself, or the same with its locked joints welded */
    dt_welding *welding; /**< NULL: nothing is ever welded */
    dt_system *core;
    dt_newton *core_newton;

    int nq, nv, ns;       /**< of the system */
    int order;            /**< length of y: of the core */
    dt_scale scale;       /**< of the system: what is large, what is small */
    double rtol, atol;    /**< of the integrator's error test; atol 0: it follows from the scale */
    bool depends_on_time; /**< a law reads t */
    bool loose;           /**< a freedom can move at all */

    dt_solver *solver; /**< integrates the core */
    dt_guess guess;
    dt_choice choice;
    double *y, *yp; /**< the solver's: what it starts from, and the solution after a step */
    dt_root_table roots;
    dt_welded_roots welded;
    dt_graze graze;
    dt_instants instants;
    dt_horizon_state horizon;
    double stop; /**< s: the next step ends there at the latest, or INFINITY */

    double work[DT_WORKS]; /**< at `shown`, and where the integrator was restarted */
    double now;            /**< what readers see */
    double reached;        /**< the solution is known up to here */
    int fold_sign;         /**< where the interval began; 0: not known (fold.c) */
    double last_step; /**< s: what IDA took before the present instant; 0 where nothing is known */
    int stalled;      /**< steps in a row that did not get on */
    int rejections;   /**< how often the step after `reached` has failed */
    double next_step; /**< s: bound of the first one after a restart */
    double turning;   /**< s: bound of the next one, by what turns (turning.c) */
    dt_swing swing;
    detent_error trial;   /**< what could not be evaluated in this step, if anything */
    detent_status failed; /**< how the last step failed, or DETENT_OK: it is not tried again */
    detent_error failure;
    const dt_law *
        bad_law; /**< the law that was not a finite number since the run has got on last, or NULL */
    const char *bad_owner; /**< whose it is */
    double bad_time;       /**< when */
    int bad_friction;      /**< the stiction whose kinetic friction drives it, or -1 */
    bool pending;          /**< an event waits at `reached` */
    double shown;          /**< the time at which readings of the system are up to date, or NAN, */
    dt_level level;        /**< and which ones */
    bool fresh;            /**< y, yp hold the state at `now` itself: just restarted */
    bool input_changed;
    dt_past past;
    bool showing_past;
    /**< the system's modes, directions, branches, inputs are swapped with those of `past` */
    dt_velocity_band band;
    dt_trial before_trial;
    bool *keep;               /**< as many switches as the longest law has */
    double *root_values;      /**< as many as the longest law has */
    dt_branch *kept_branches; /**< of all laws: work space of a search */
    double *pending_inputs;   /**< input_count: to be set at the next event */
    signed char *decree;      /**< stiction_count */
    signed char *core_decree; /**< the same for the stictions of the core */
    bool searches_core;    /**< searches after the first one leave out what is far from its limit */
    bool core_is_searched; /**< at this event: the core has what was found, margins are there */
    unsigned char *cause;  /**< stiction_count: detent_cause */
    double decree_time;    /**< when a joint was last released by decree */
    signed char
        *decree_kept; /**< stiction_count: in which direction, at that instant or just before */

    detent_mode_change *changes; /**< stiction_count */
    size_t change_count;
    dt_storm storm;
    dt_sliding sliding;
    detent_statistics statistics; /**< what IDA's own counters do not hold */
    size_t residuals;             /**< evaluations */
};

/* Parts of y, to be written. */
static inline double *dt_q_in(const dt_simulation *s, double *y)
{
    (void)s;
    return y;
}
static inline double *dt_v_in(const dt_simulation *s, double *y)
{
    return y + s->core->tree->nq;
}
static inline double *dt_f_in(const dt_simulation *s, double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv;
}
static inline double *dt_w_in(const dt_simulation *s, double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv + s->core->mechanism->stiction_count;
}

/* The same, to be read. */
static inline const double *dt_q_of(const dt_simulation *s, const double *y)
{
    (void)s;
    return y;
}
static inline const double *dt_v_of(const dt_simulation *s, const double *y)
{
    return y + s->core->tree->nq;
}
static inline const double *dt_f_of(const dt_simulation *s, const double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv;
}
static inline const double *dt_w_of(const dt_simulation *s, const double *y)
{
    return y + s->core->tree->nq + s->core->tree->nv + s->core->mechanism->stiction_count;
}

/** Velocity of a stiction's joint. */
static inline double *dt_velocity_of(dt_simulation *s, int stiction)
{
    return &s->system.v[s->system.tree->nodes[s->mechanism->stictions[stiction].primitive].v];
}

/** What is simulated, s; its end may have been passed. */
static inline double dt_horizon(const dt_simulation *s)
{
    return fmax(s->settings.end - s->settings.start, s->reached - s->settings.start);
}

/** True: the friction in y is the solution's; false: it follows from q and v. */
static inline bool dt_carries_friction(const dt_simulation *s)
{
    return dt_solver_carries_algebraic(s->solver);
}

/* turning.c */
/**
 * Notes how long a step from y, yp may be so that no joint turns too far for what is watched. At a restart, and
 * at the end of a step: who reads changes y.
 */
void dt_turning_note(dt_simulation *simulation);

/* swing.c */
/** False when memory is out. */
bool dt_swing_create(dt_arena *arena, dt_simulation *simulation);
/** The core is at a consistent state, in y and yp, and about to be integrated. */
void dt_swing_restart(dt_simulation *simulation);
/** A restored run is about to be restarted. */
void dt_swing_forget(dt_simulation *simulation);
/** At the end of a step, in y and yp: how long the next one may be. The core loses its readings. */
void dt_swing_note(dt_simulation *simulation);

static inline void dt_set_mode(dt_system *s, int stiction, detent_mode mode, int direction)
{
    s->mode[stiction] = (signed char)mode;
    s->direction[stiction] = (signed char)direction;
    s->yielded[stiction] = 0;
}

/* problem.c */
/** The solver of what is integrated. False when memory is out. */
bool dt_problem_create(dt_arena *arena, dt_simulation *simulation, const dt_solver_plan *plan);
/** The core is at a consistent state, and about to be integrated by the stepper chosen. */
void dt_problem_restart(dt_simulation *simulation);

/* residual.c */
/** dt_problem.residual */
bool dt_residual(void *simulation, double t, const double *y, const double *yp, double *r);
/** False where a force is not a finite number; remembers the law (`bad_law`). */
bool dt_laws_are_finite(dt_simulation *simulation);
/** Remembers the first law that is not a finite number at t, s, where there is one. */
void dt_note_bad_law(dt_simulation *simulation, double t);
/* weights.c */
/** True where node i follows equations of motion: neither locked nor prescribed. */
bool dt_moves(const dt_system *system, int i);

/** What the error test allows a coordinate or velocity of a node of the system at that value. */
double dt_position_tolerance(const dt_simulation *simulation, int node, double value);
double dt_velocity_tolerance(const dt_simulation *simulation, int node, double value);
/** An error which is nothing of a velocity that is nominally this large. */
double dt_velocity_nothing(const dt_simulation *simulation, double nominal);
/** An error of a velocity of the node which is nothing. */
double dt_velocity_hair(const dt_simulation *simulation, int node);
/** Node of the system that node c of the core is. */
static inline int dt_whole_node(const dt_simulation *s, int c)
{
    return s->welding ? s->welding->node[c] : c;
}
/** Stiction of the system that stiction k of the core is. */
static inline int dt_whole_stiction(const dt_simulation *s, int k)
{
    return s->welding ? s->welding->stiction[k] : k;
}

/** The velocity threshold of stiction k of the system, or what stands in for one that nobody gave. */
double dt_threshold(const dt_simulation *simulation, int k);
/** dt_problem.weights */
void dt_weights(void *simulation, const double *y, double *weights);
/** dt_problem.differential */
void dt_identify(void *simulation, double *id);

/** What has fired, as the solver tells: roots.watched. */
static inline const int *dt_watched_fired(const dt_simulation *s)
{
    return dt_solver_fired(s->solver);
}

/** Work space for roots.watched values, while no root is being searched. */
static inline double *dt_root_values(dt_simulation *s)
{
    return dt_solver_root_values(s->solver);
}

/* roots.c */
bool dt_roots_create(dt_arena *arena, dt_simulation *simulation);
/** As many as may ever be watched. */
size_t dt_roots_most(const dt_simulation *simulation);
/** All watched roots at t, y, yp; 0, or -1 where they cannot be evaluated. */
int dt_roots_evaluate(double t, const double *y, const double *yp, double *g, void *simulation);
/** What is no force at all for stiction k of the system, N or N m. */
double dt_roots_no_force(const dt_simulation *simulation, int k);
/** At the very start, when the scale is known. */
void dt_roots_begin(dt_simulation *simulation);
/** Measures the noise of welded joint k; after dt_welding_update(). */
void dt_roots_welded_noise(dt_simulation *simulation, int k);
/** Which roots there are from now on: the core, at a consistent state, is about to be integrated. */
void dt_roots_restart(dt_simulation *simulation);
/** By how much more they do where the root g would start below a hair, so that it starts there. */
double dt_roots_widening(double g, double hair);
/** By how much the limits of stiction k of the system count as wider: more than the noise of its force. */
double dt_roots_hair(const dt_simulation *simulation, int k, const double limits[2]);
/** Whether a switch of a law has to be watched: one that is not known in advance. */
bool dt_roots_has(const dt_law *law);
/** The roots of a law's switches at the system's readings; of those known in advance 1. */
void dt_roots_of_law(dt_system *system, const dt_law *law, double *g);
/** Where in `fired` a root of the core is. */
int dt_roots_place_of(const dt_simulation *simulation, int root);
/** Where in `fired` the first switch of a law of the core is. */
int dt_roots_place(const dt_simulation *simulation, const dt_law *law);
/** What the integrator reported to `fired`; after dt_core_at() at the event. */
bool dt_roots_fired(dt_simulation *simulation);
/**
 * The two roots of a locked stiction at the readings of the system or the core: at the reverse limit,
 * at the forward limit.
 */
void dt_roots_of_locked(dt_simulation *simulation, dt_system *system, int stiction, double g[2]);

/* welded_roots.c */
/** False when memory is out. */
bool dt_welded_create(dt_arena *arena, dt_simulation *simulation);
/** Which joints are welded from now on; the core is at a consistent state. */
void dt_welded_restart(dt_simulation *simulation);
/**
 * The least root of all welded joints that are near their limit, at most 1, at the core's readings.
 * False where a force is not finite.
 */
bool dt_welded_evaluate(dt_simulation *simulation, double *least);
/** Notes the last evaluation as that at the end of a step, of a new one or the same. */
void dt_welded_note(dt_simulation *simulation, bool new_step);
/** The width of the box of welded joint k, by which distances from its limits are measured; > 0. */
double dt_welded_width(const dt_simulation *simulation, int k);
/** How far a friction of the block can be from what it was when all were evaluated last. */
double dt_welded_movement(const dt_simulation *simulation, const dt_welded_block *block);
/** The root of welded joint k with friction f; `which` as in dt_roots_of_locked(). */
double dt_welded_root(const dt_simulation *simulation, int k, int which, double f);
/**
 * Lists in `near` the joints that are nearer to their limit than this part of its width (INFINITY:
 * all) or the noise of their force, and evaluates their friction; after dt_welding_update().
 */
void dt_welded_look(dt_simulation *simulation, double part);
/**
 * Whether all welded joints are inside their limits at the core's readings, where the groups may be
 * others than at the restart; those that are not are set apart.
 */
bool dt_welded_hold(dt_simulation *simulation);

/* steps.c */
/** Steps below this are lost in the rounding of the time, or one over their square is no double. */
double dt_shortest_step(const dt_simulation *simulation);
/** One step of the integrator, with another stepper where that seems cheaper, or what went wrong. */
detent_status dt_step_once(dt_simulation *simulation, detent_error *error);

/* fold.c */
/** The core is at a consistent state, with its readings, and about to be integrated. */
void dt_fold_restart(dt_simulation *simulation);
/** Whether the core, whose readings are those of `reached`, has come to another branch of solutions since. */
bool dt_fold_is_passed(dt_simulation *simulation);

/* failure.c */
/** Says why the run cannot go on after `reached`. */
detent_status dt_report_failure(dt_simulation *simulation, dt_failure why, detent_error *error);

/* trial.c */
/** False when memory is out. After dt_velocity_band_create() and dt_sliding_create(). */
bool dt_trial_create(dt_arena *arena, dt_simulation *simulation);
/** Keeps what a search of the whole may change. */
void dt_trial_keep(dt_simulation *simulation);
/** Puts it back; readings are then those of somewhere else. */
void dt_trial_restore(dt_simulation *simulation);

/* sliding.c */
/** Whether a law has a switch that may slide: then IDA has to be there. */
bool dt_sliding_is_possible(const dt_system *system);
/** False when memory is out. */
bool dt_sliding_create(dt_arena *arena, dt_simulation *simulation);
/** Whether a switch slides. */
bool dt_sliding_now(const dt_simulation *simulation);
/* sliding_search.c */
/**
 * After the search of an event: switches that stay on their border from now on, those that slide
 * already and those that have just fired, and the search with them. `core`: what was searched is
 * the core.
 */
void dt_sliding_search(dt_simulation *simulation);

/* sliding_steps.c */
/**
 * Between events: the accelerations of the core at its state, with weights that follow from d' = 0. The
 * slopes give nearly the same at the end of a step, which is enough where no weight is near 0 or 1
 * (unless `always`); inside, they would magnify the error of an interpolant.
 */
void dt_sliding_settle(dt_simulation *simulation, bool always);
/** The core is at a consistent state, as in y and yp, and about to be integrated. */
void dt_sliding_restart(dt_simulation *simulation);
/** dt_system_forces(), with the weights of dt_sliding_settle() at the same instant. */
void dt_sliding_forces(dt_simulation *simulation, dt_system *system);
/** Roots of the switches of a law that slide, after dt_sliding_settle(). */
void dt_sliding_roots(const dt_simulation *simulation, const dt_law *law, double *g);

/* choice.c */
/** A step has failed: the other stepper is to try, where the settings leave the choice. */
void dt_choice_reject(dt_simulation *simulation);
/** Forgets what was measured: a restored run is about to be restarted. */
void dt_choice_forget(dt_simulation *simulation);
/** Before a restart: the stepper for the next interval, where the settings leave the choice. */
void dt_choice_restart(dt_simulation *simulation);
/** Before a step: whether to restart here, with the other stepper. */
bool dt_choice_wants_restart(dt_simulation *simulation);

/* graze.c */
/** False when memory is out. After dt_roots_create(). */
bool dt_graze_create(dt_arena *arena, dt_simulation *simulation);
/** Forgets what was before a restart. */
void dt_graze_restart(dt_simulation *simulation);
/**
 * The larger one of the values that a root of a locked stiction had at the ends of the last steps.
 */
double dt_graze_before(const dt_simulation *simulation, int stiction, int which);
/** Notes the values of the root functions at the end of a step, at t. */
void dt_graze_note(dt_simulation *simulation, double t, const double *g);
/**
 * After a step: finds a root that came and went within it, or a switch that left its border to the
 * wrong side at its start, and makes that the pending event.
 */
void dt_graze_check(dt_simulation *simulation);
/** Makes an event at t of the roots marked in roots.fired. */
void dt_graze_make_event(dt_simulation *simulation, double t);

/* instants.c */
/** False when memory is out. */
bool dt_instants_create(dt_arena *arena, dt_simulation *simulation);
/** Whether a switch of a law changes at instants known in advance, so that it has no root. */
bool dt_instants_is_known(const dt_law *law, int index);
/**
 * Where the next step has to end at the latest: just before an instant, with the old branches, or
 * where none is known yet.
 */
double dt_instants_next(dt_simulation *simulation);
/** Up to when the old branches hold if there is an event at t: to just before, if it is an instant. */
double dt_instants_before(const dt_simulation *simulation, double t);
/** Whether the last step has ended just before an instant. */
bool dt_instants_reached(const dt_simulation *simulation);
/**
 * At an event at t: sets the branches of the laws whose instant this is, and marks them in
 * roots.fired. Returns whether there are any. Can be repeated until dt_instants_pass().
 */
bool dt_instants_fire(dt_simulation *simulation, double t);
/** The event has been handled. */
void dt_instants_pass(dt_simulation *simulation);
/** Looks ahead anew from t, where the recorded branches are right: a restored run begins. */
void dt_instants_forget(dt_simulation *simulation, double t);
/** Sets the branches anew at t: of laws that read inputs, or of `all`. */
void dt_instants_renew(dt_simulation *simulation, double t, bool all);

/* simulation.c */
/** Adds the steps since the last restart. */
void dt_count_steps(const dt_simulation *simulation, detent_statistics *statistics);
/** Asks the user, unless he has already asked to stop; `simulation` is a dt_simulation. */
bool dt_is_stopped(void *simulation);

/* horizon.c */
/** False when memory is out. After dt_roots_create(). */
bool dt_horizon_create(dt_arena *arena, dt_simulation *simulation);
/** The core is at a consistent state, and about to be integrated. */
void dt_horizon_restart(dt_simulation *simulation);
/** Forgets how far it could be shown: a restored run is about to be restarted. */
void dt_horizon_forget(dt_simulation *simulation);
/** Until when a step from `reached` passes over nothing that time does, s. */
double dt_horizon_bound(dt_simulation *simulation);

/* horizon_list.c */
/** The laws of the core that can change while its state does not, and whether something moves. */
void dt_horizon_list(dt_simulation *simulation);
/** The law of a prescribed motion in the list, or NULL. */
const dt_horizon_law *dt_horizon_motion_of(const dt_horizon_state *horizon, int node);
/** Whether a variable is known as a function of time. */
bool dt_horizon_reads_motion(const dt_system *system, dt_variable variable);
/** Whether forces change it. */
bool dt_horizon_reads_force(dt_variable variable);

/* horizon_laws.c */
/**
 * What they and the forces do from t to t + h, the core being at t. False where one that acts on what
 * moves is not understood by the integrator's formulas.
 */
bool dt_horizon_drift(dt_simulation *simulation, double t, double h);
/** Evaluates the registers of a law over [a, b]. */
void dt_horizon_registers(dt_simulation *simulation, const dt_horizon_law *law, double a, double b);
/** Of a function whose value is `now` (NAN: not known) at the start of a step of length h. */
dt_drift dt_horizon_drift_of(const dt_series *series, double now, double h);

/* event.c */
/** Times closer than this are one instant, s. */
double dt_event_moment(const dt_simulation *simulation);
/**
 * The readings of a level at the instant before the last event; the system has its modes and inputs.
 */
void dt_show_past(dt_simulation *simulation, dt_level level);
/** The first search, at the start: modes, consistent accelerations, integrator started. */
detent_status dt_event_initial(dt_simulation *simulation, detent_error *error);
/** Handles the pending event at `reached`. */
detent_status dt_event_handle(dt_simulation *simulation, detent_error *error);
/** Handles changed inputs at `now`. */
detent_status dt_event_input(dt_simulation *simulation, detent_error *error);

/* storm.c */
/** False when memory is out. */
bool dt_storm_create(dt_arena *arena, dt_simulation *simulation);
/** A new window begins. */
void dt_storm_restart(dt_simulation *simulation, double t);
/** Counts the event just handled; DETENT_EVENT_STORM, with who takes part, where there are too many. */
detent_status dt_storm_guard(dt_simulation *simulation, detent_error *error);

/* branches.c */
/** False when memory is out. */
bool dt_branches_create(dt_arena *arena, dt_simulation *simulation);
/** Keeps the branches of all laws, or puts them back. */
void dt_branches_keep(dt_simulation *simulation);
void dt_branches_restore(dt_simulation *simulation);
/** Flips branches that the system's forces have made wrong, each once at an event: marks them in `fired`. */
bool dt_branches_repair(dt_simulation *simulation, dt_system *system);
/** Whether one of them is wrong again at the system's forces. */
bool dt_branches_are_wrong(dt_simulation *simulation, dt_system *system);
/** dt_search_request.accelerations: of the whole, at its modes, with the branches that its forces call for. */
detent_status dt_branches_accelerations(void *simulation);

/* event_search.c */
/**
 * Modes for the event, of the system and with a of the whole. `core`: the search may leave out what
 * is far from its limit. The errors of dt_search_run().
 */
detent_status dt_event_search(dt_simulation *simulation, bool core, detent_error *error);
/** The same at the present velocities: searches of the whole until nothing joins the event. */
detent_status dt_event_search_all(dt_simulation *simulation,
                                  detent_status (*accelerations)(void *simulation),
                                  detent_error *error);
/** Margin of a stiction that the search has changed (dt_stiction_margin()). */
double dt_event_margin(dt_simulation *simulation, int stiction);

/* velocity_band.c */
/** Whether a stiction locks inside a velocity band. */
bool dt_velocity_band_exists(const detent_mechanism *mechanism);
/** False when memory is out. After dt_roots_create(). */
bool dt_velocity_band_create(dt_arena *arena, dt_simulation *simulation);
/** Modes of the system, with joints inside their band stopped. The errors of dt_search_run(). */
detent_status dt_velocity_band_search(dt_simulation *simulation, detent_error *error);

/* restart.c */
/**
 * (Re)starts the integrator at the system's t, q, v, a, f (consistent); the works are those in y.
 */
detent_status dt_restart(dt_simulation *simulation, detent_error *error);
/** The core at the system's state: joints that are locked now are welded. */
void dt_form_core(dt_simulation *simulation);
/**
 * State of the solution at `t` (in the last step, or where it was restarted) into the system, with
 * its modes, up to a level; beyond DT_LEVEL_STATE the core loses its readings.
 */
detent_status dt_state_at(dt_simulation *simulation, double t, dt_level level, detent_error *error);
/** The same at DT_LEVEL_STATE; the core has all its readings. */
detent_status dt_core_at(dt_simulation *simulation, double t, detent_error *error);
/**
 * Readings of the system at its time, q, v, a and f, where it is not the core itself, which loses
 * its own; the friction of welded joints follows.
 */
void dt_bring_up(dt_simulation *simulation, dt_level level);

#endif
