/**
 * @file sliding.h
 * Laws that slide on a discontinuity: sliding_measure.c (d and its derivatives), sliding_rates.c (how these follow weights),
 * sliding_weights.c (d' = 0), sliding_swings.c (those of positions), sliding_rest.c and sliding_hold.c (joints at rest), sliding.c
 * (who), sliding_search.c (at events), sliding_steps.c (between them).
 */
#ifndef DT_INTEGRATOR_SLIDING_H
#define DT_INTEGRATOR_SLIDING_H

#include "expression/series.h"
#include "integrator/simulation.h"
#include "integrator/trial.h"

/** A switch that slides, or may (sliding.c). */
typedef struct dt_slide {
    const dt_law *law;
    int index;    /**< of the switch */
    int side;     /**< 0: slides; -1, 1: has left the border, downwards or upwards */
    bool leaves;  /**< it slid before the event */
    bool dropped; /**< the rate does not follow the weight: it stays on its side */
    int order; /**< of the derivative of d that forces decide: 1, or 2 where d reads positions only */
    bool ends;    /**< order 2 since what velocities have to do with d is too little to be told */
    bool swings;  /**< order 2, and has just passed its border at a speed that is not 0 */
    bool returns; /**< order 2, and has fired by rounding, within which it is on its old side */
    bool rests;   /**< order 1, and all velocities that d reads are those of joints at rest */
    bool held; /**< joints that rest hold it: any weight near this one will do (sliding_hold.c) */
    double still;     /**< of one that is held: the rate that is none */
    int border;       /**< an integer switch: the upper integer */
    dt_branch plain;  /**< what it is where it does not slide */
    double weight;    /**< of the upper branch */
    double moved;     /**< by the last step of Newton's method */
    double distance;  /**< d, as in branch.h */
    double speed;     /**< d', per s */
    double rate;      /**< the derivative that forces decide: d' or d'' */
    double tolerance; /**< what the error test allows d */
    double told;      /**< what swings of d have to be larger than */
    double terms;     /**< what d is summed of, without signs */
} dt_slide;

/** Another switch on the border of one that slides: its d is `ratio` times that one's, and they have one weight. */
typedef struct dt_twin {
    dt_slide slide;
    int of; /**< its number in the list */
    double ratio;
} dt_twin;

/** d(rate) / d(weight), factored. */
typedef struct dt_sliding_matrix {
    double *factors; /**< most * most */
    double *unit;    /**< most: what its rows have been multiplied by */
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
    int most;      /**< as many as may slide at once; 0: no law has such a switch */
    dt_slide *of;  /**< most */
    int count;     /**< of the last search, or solution */
    dt_twin *twin; /**< most */
    int twins;
    dt_slide *late; /**< most: who is to be in the list for what the others do */
    int late_count;
    dt_system *system; /**< where it was made */
    dt_newton *newton;
    dt_sliding_way way;
    bool strict;                  /**< sides are given: nobody is dropped */
    double settled;               /**< s: where weights were solved for last, or NAN */
    double *gradient, *other;     /**< as long as the variables of any law */
    dt_series *slots, *registers; /**< of laws whose switches read positions only */
    double *impulse;              /**< nv: velocities without swings, work space */
    dt_trial before;              /**< what was before swings were stopped */
    bool stopped;                 /**< they have been, at this event */
    double lost;                  /**< J: by that */
    dt_sliding_matrix now;
    dt_sliding_matrix kept; /**< of the last restart: who reads changes nothing */
    double *move;           /**< most */
    bool *soft_v, *soft_z;  /**< nv, states of the core: whom a border of the order 1 holds */
    /** at the last restart: the part of their width that borders of the order 1 are known to */
    double blur;
} dt_sliding;

/* ---- for the rest of the layer ---- */

/* sliding.c */
/** Whether a law has a switch that may slide: then IDA has to be there. */
bool dt_sliding_is_possible(const dt_system *system);
/**
 * A weight goes from 0 to 1 within so many tolerances of d. What Newton's iteration leaves of d, a part of its tolerance,
 * is noise of the weight, and of all accelerations: with 1 steps cannot grow, where others read reactions.
 */
static const double dt_sliding_softness = 10;

/** False when memory is out. */
bool dt_sliding_create(dt_arena *arena, dt_simulation *simulation);

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
 * slopes would magnify the error of a step, and more that of an interpolant.
 */
void dt_sliding_settle(dt_simulation *simulation);
/** The core is at a consistent state, as in y and yp, and about to be integrated. */
void dt_sliding_restart(dt_simulation *simulation);
/** dt_system_forces(), with the weights of dt_sliding_settle() at the same instant. */
void dt_sliding_forces(dt_simulation *simulation, dt_system *system);
/** Of d, within which the weight of a switch goes from 0 to 1. */
static inline double dt_sliding_width(const dt_slide *slide)
{
    return slide->order == 2 ? slide->told : dt_sliding_softness * slide->tolerance;
}
/**
 * The part of a force to which forces are known while laws slide: d is known to the rounding of its terms, and over its width the weight, and with
 * that a force, goes from one branch to the other. 0 where none slides.
 */
double dt_sliding_blur(const dt_simulation *simulation);
/** Roots of the switches of a law that slide, after dt_sliding_settle(). */
void dt_sliding_roots(const dt_simulation *simulation, const dt_law *law, double (*g)[2]);

/* ---- among themselves; each calls those before it ---- */

/** A weight this little beyond 0 or 1 is there. */
static const double dt_sliding_hardly_more = 1e-9;

/* sliding_measure.c */
/** Whether the value of a switch jumps, at an instant that is not known in advance. */
bool dt_sliding_may(const dt_law *law, int index);
/** The branch of a switch as it is where it does not slide. */
void dt_sliding_put_back(const dt_simulation *simulation, const dt_slide *slide);
/** d, its derivatives and its tolerance; false where they are not known. */
bool dt_sliding_measure(dt_simulation *simulation, dt_slide *slide);
/** d and its derivatives of all in the list, at the state and accelerations of their system. */
void dt_sliding_measure_all(dt_simulation *simulation);
/** By how much a switch may be on the wrong side of its border when it leaves it, and a hair more. */
double dt_sliding_slack(const dt_simulation *simulation, const dt_slide *slide);

/* sliding_twins.c */
/** Whether a switch is in the list, or a twin. */
bool dt_sliding_is_listed(const dt_sliding *sliding, const dt_law *law, int index);
/** Adds one that has been measured to the list, or to the twins of one that is there. */
void dt_sliding_add(dt_simulation *simulation, const dt_slide *slide);
/** Adds twins whose roots have not fired, since rounding keeps them an ulp inside. */
void dt_sliding_add_quiet_twins(dt_simulation *simulation);
/** The side and weight that a twin has by now; its distances are those of the last measurement. */
dt_slide dt_sliding_twin(const dt_sliding *sliding, int twin);
/** Takes number i, and its twins, out of the list. */
void dt_sliding_remove(dt_simulation *simulation, int i);

/* sliding_rates.c */
/** The branches of the list: on their sides, or with their weights held. */
void dt_sliding_set_branches(dt_simulation *simulation);
/** The state before the search, with the present weights; who was dropped does not turn again. */
void dt_sliding_begin_search(dt_simulation *simulation);
/** The accelerations with the present weights, by a search where the way is the rule, and where they lead. */
detent_status dt_sliding_accelerate(dt_simulation *simulation);
/** The same in the present modes; whether there are any. */
bool dt_sliding_try(dt_simulation *simulation);
/** The rate of switch i with another weight, which it has from then on; NAN where there is none. */
double dt_sliding_rule_rate(dt_simulation *simulation, int i, double weight);
/** The same in the present modes. */
double dt_sliding_rate_at(dt_simulation *simulation, int i, double weight);
/** Whether the rate of a switch is to be made 0 by its weight. */
static inline bool dt_sliding_follows(const dt_slide *slide)
{
    return slide->side == 0 && !slide->held;
}
/** All rates, to `move`. */
void dt_sliding_note_rates(dt_sliding *sliding);
/** How all rates follow the weight of switch i, by a difference from those in `move`. */
bool dt_sliding_fill_column(dt_simulation *simulation, int i, double *column);
/**
 * The matrix of Newton's step, at the rates in `move`; `*flat`: the first switch whose own rate does not
 * fall with its weight, where others do not bring it back, or -1. Not 0 where there is no such matrix.
 */
int dt_sliding_factor(dt_simulation *simulation, dt_sliding_matrix *matrix, int *flat);
/** How rates follow weights in the present modes, factored into `now`; false where one of them does not. */
bool dt_sliding_make_matrix(dt_simulation *simulation);
/** The matrix of Newton's step, kept for the steps that follow. */
void dt_sliding_keep_matrix(dt_simulation *simulation);
/** The step that makes the changes in `move` of the rates, in their place; whether there is one. */
bool dt_sliding_solve(dt_sliding *sliding, const dt_sliding_matrix *matrix);

/* sliding_stable.c */
/** Whether those on side 0 come to their borders with each other's help; `matrix`: not factored yet. */
bool dt_sliding_holds_together(const dt_sliding *sliding, const dt_sliding_matrix *matrix);

/* sliding_swings.c */
/** Whether joints with stiction that rest may hold a switch of the second order on its border. */
bool dt_sliding_sticks(const dt_simulation *simulation, const dt_slide *slide);
/** Takes swings out of the list that go on, as they are on the side where they are now: that costs nothing. */
void dt_sliding_pass_swings(dt_simulation *simulation);
/**
 * Stops the swings in the list that cannot be told from rest, and takes the others out of it. What was before is in
 * dt_sliding.before where any have been stopped.
 */
void dt_sliding_stop_swings(dt_simulation *simulation);

/* sliding_hold.c */
/** Sets `held`, and weights of those that are. */
void dt_sliding_find_held(dt_simulation *simulation);
/** At events, whether those that are held stay with what the others have come to by now. Between them a motion may take one off its border. */
bool dt_sliding_still_held(const dt_sliding *sliding);

/* sliding_weights.c */
/**
 * Weights of those on side 0 with rates of 0, and accelerations, modes and rates with them. At an event
 * (but `strict`) a switch whose rate does not follow its weight is dropped. False where there are none.
 */
bool dt_sliding_balance(dt_simulation *simulation);
/** Modes and weights at once: any that are consistent. False where there are none. */
bool dt_sliding_balance_coupled(dt_simulation *simulation);

/* sliding_rest.c */
/** Adds a switch that stands on its border with joints at rest, if it has to be looked at; whether it has been added. */
bool dt_sliding_add_resting(dt_simulation *sim, const dt_slide *slide);
/** Whether one that is not in the list stands on its border with joints at rest, and is driven off it by what those in the list do. */
bool dt_sliding_any_left_out(dt_simulation *simulation);
/** Puts those on their side that both branches drive there; whether that is all of the list, so that nothing slides. */
bool dt_sliding_pass_borders(dt_simulation *simulation);
/**
 * Gives switches in the list on whose border joints rest the values that their laws have there, and takes them out of it, if all
 * these joints stay with that; whether it has.
 */
bool dt_sliding_try_values(dt_simulation *simulation);
/** Whether one in the list stands on its border with joints at rest, and is driven off it. */
bool dt_sliding_rest_is_wrong(const dt_simulation *simulation);

/* sliding.c */
/**
 * Lists those that slide in a system, and, unless between events, those whose switch has fired and
 * that may begin to.
 */
void dt_sliding_collect(dt_simulation *simulation, dt_system *system, dt_newton *newton,
                        dt_sliding_way way);
/** Whether one that has just fired did so downwards; gives it its border, and its weight as it is by now. */
bool dt_sliding_has_fallen(const dt_simulation *simulation, dt_slide *slide);

/* sliding_late.c */
/**
 * Finds who has fired at this event, is not in the list, and is driven back to its border by what those in the list do now; whether
 * there is anybody. Of the order 1.
 */
bool dt_sliding_find_late(dt_simulation *simulation);
/** Adds those that have fired often and stand on their borders, where there are several. Of the order 1. */
void dt_sliding_add_tired(dt_simulation *simulation);

#endif
