/**
 * @file time_step.h
 * Time stepping, `integrator: fixed`: the modes and velocities of the end of a step of given length are found together
 * (stiction/velocity_box.h), and positions follow from these velocities:
 *
 *   (M + s h D + s^2 h^2 K) (v+ - v) = h (Q - bias - s h K v + S f),    q+ = q + h (v + s (v+ - v))
 *
 * with M and forces of the middle (velocity_step.h). Nothing is located, and nothing is searched at accelerations. docs/theory.md, "Time stepping".
 */
#ifndef DT_INTEGRATOR_TIME_STEP_H
#define DT_INTEGRATOR_TIME_STEP_H

#include "dynamics/newton_impulse.h"
#include "integrator/simulation.h"
#include "stiction/velocity_box.h"

/** Friction that follows forces (time_step_follow.c). All arrays are of stiction_count where nothing else is said. */
typedef struct dt_followers {
    int count;     /**< in this step */
    int *who;      /**< count */
    int *place;    /**< count: where they are */
    double *x, *r; /**< count: frictions, and by how much they are not those of their forces */
    double *more_x, *more_r; /**< count: work space */
    double *weight;          /**< count: 1 over the size of a friction */
    double *way,
        *answer; /**< DT_FOLLOWED x count: directions that were tried, and what these do to r */
    int depth;   /**< of them */
} dt_followers;

enum { DT_FOLLOWED = 6 };

/** Loops that pass by where branches meet (time_step_passage.c). */
typedef struct dt_passage {
    dt_newton_impulse work;
    double *found;                 /**< nv: the solution of the step, before it is closed */
    double *solution;              /**< nv: the same, kept */
    double *change, *all, *before; /**< node_count, by clusters: work space */
    bool *passes;                  /**< node_count, by clusters */
    double *r_v, *r_f, *r_m;       /**< nv, stiction_count, dt_tie_rows(): what is to vanish */
    double *d_v, *d_f, *d_m;       /**< the same: changes of velocity, and impulses */
} dt_passage;

/** Limits of the friction of a joint without stops whose laws are constant: the same in every step. */
typedef struct dt_steady_limits {
    bool known;
    double kinetic[2], rest[2]; /**< as of dt_system_kinetic_limits(), dt_system_static_limits() */
} dt_steady_limits;

typedef struct dt_time_stepping {
    bool exists;
    bool passes_time; /**< laws go with t of themselves */
    bool follows;     /**< laws read accelerations, forces or friction: those of the step before */
    dt_velocity_step step;
    dt_velocity_box box;
    /* modes: the system has those of the last step, from its start on; readers come to the others with its end */
    signed char *mode_before, *direction_before; /**< stiction_count: before its start */
    signed char *mode_after, *direction_after;   /**< stiction_count: from its end on */
    double start;                                /**< s: of the last step */
    bool starts;      /**< some have changed at its start, and readers have not been told */
    bool ends;        /**< they have not come to its end */
    bool yields;      /**< its modes have not been found: joints have given way */
    bool strikes;     /**< somebody came to a stop at its start */
    double *v_before; /**< nv: velocities before that */
    double *a_before; /**< nv: accelerations of the step before */
    bool *
        limit_follows; /**< stiction_count: friction, or its limit, reads accelerations or forces */
    dt_steady_limits *steady; /**< stiction_count */
    dt_followers followers;
    dt_passage passage;
    signed char *moves; /**< stiction_count: direction at the start of the step, 0 at rest */
    bool *still;        /**< stiction_count: others hold it */
    bool *
        jams; /**< stiction_count: an impulse of its own friction has stopped it in the last step */
    bool *released;     /**< stiction_count: static friction has not held it in this step */
    signed char *stick; /**< stiction_count: corner at which it sticks, or -1 */
    double *lead[4];    /**< stiction_count: what gave way before; how forces change it; at first */
    signed char
        *closed; /**< stiction_count: side of the stop that it strikes in the step, or stands at */
    signed char
        *side; /**< stiction_count: the same of those that take part in an impact, -1, 1, or 0 */
    double driving; /**< N or N m: by how much the friction of `bad` drives its joint */
    double *a, *f;  /**< nv, stiction_count: of the last step */
    double *m;      /**< dt_tie_rows(): of the last step */
    double *read_a, *read_f, *read_m; /**< what laws read: of the last step that was no blow */
    signed char *mode, *direction;    /**< stiction_count: put aside meanwhile */
    double *v;                        /**< nv: work space */
    double *rate;           /**< state_count: work space, or changes of states in the step */
    bool corrected;         /**< the last step has forces and states of its middle */
    bool *idle;             /**< node_count: of a loop that rests before and after the step */
    bool frees;             /**< who is locked counts as free in the middle of what is coupled */
    double end;             /**< s: of the last step */
    double power[DT_WORKS]; /**< W: in the middle of what is coupled and corrected */
    bool closes;     /**< what is tied stays closed as it moves on, there are given ratios alone */
    bool lost;       /**< conditions have moved loops in the first solution of the step */
    double *q_ahead; /**< nq: coordinates where what is coupled is linearised */
    const double *q_start;       /**< nq: of the step */
    double *q_middle, *v_middle; /**< nq, nv */
    double *z_start;             /**< state_count */
    double *v_kept, *f_kept, *m_kept,
        *z_kept; /**< nv, stiction_count, dt_tie_rows(), state_count: of the solution that is refined */
} dt_time_stepping;

/** Memory, where it is asked for. False when that is out. After dt_sources_create() and the Newton steps. */
bool dt_time_stepping_create(dt_arena *arena, dt_simulation *simulation);

/** time_step_check.c: DETENT_ERROR_ARGUMENT, with name and place, where the mechanism has what time stepping does not cover. */
detent_status dt_time_stepping_check(const dt_simulation *simulation, detent_error *error);

/** The same of forces that follow others; after dt_time_stepping_create(), which finds what is coupled. */
detent_status dt_time_stepping_check_laws(const dt_simulation *simulation, detent_error *error);

/** Where the run begins, and where it begins again: the step before is what the system has. */
void dt_time_stepping_restart(dt_simulation *simulation);
/**
 * Accelerations and forces of the last step, where the system is: what there is to show where a moment has none of its own, as within a step in which a mesh
 * jams.
 */
void dt_time_stepping_show(dt_simulation *simulation);
/** dt_problem.advance: a step from y at t, where velocities may jump, to `end`. False where there is no solution. */
bool dt_time_step_make(void *simulation, double t, double end, double *y, double *out);

/* time_step_project.c, where joints are tied; modes of the system stay those of the step */
/** The velocities of the step to such as belong together, with the modes of its end; the system is at its start. */
void dt_time_step_close_velocities(dt_simulation *simulation);
/** Who rests by the solution of the step, as others hold him: `still`. */
void dt_time_step_find_still(dt_simulation *simulation);
/** Positions and velocities in y at its end, alike; the system is there, afterwards. */
void dt_time_step_close(dt_simulation *simulation, double end, double *y);

/* time_step_passage.c */
/** As dt_time_step_close(), once, with the modes that there are; nothing is asked of stops. */
void dt_time_step_close_once(dt_simulation *simulation, double end, double *y);
bool dt_time_step_create_passage(dt_arena *arena, dt_simulation *simulation);
/**
 * After a solution: whether conditions of a loop have done work, though they allow mean velocities and do none where they turn little in the step. The system is at
 * its start.
 */
bool dt_time_step_is_lost(dt_simulation *simulation);
/** Keeps the velocities that the step has found. */
void dt_time_step_note_found(dt_simulation *simulation);
/**
 * Where closing has made of the velocities of a loop quite others, they become what impulses of its conditions make of those that were found. The system is at the
 * end of the step, with its modes, and so is y, closed.
 */
void dt_time_step_pass(dt_simulation *simulation, double end, double *y);
/** Where the step leads to no pose that closes: the same way to it, in pieces. The system has the modes of the end. */
void dt_time_step_pass_in_pieces(dt_simulation *simulation, double end, double *y);

/**
 * time_step_blow.c: whether somebody comes to a stop in the step, or is caught by a freewheel: its forces are those of a blow then, of which no friction has
 * a part, as at an impact, and which no law reads.
 */
bool dt_time_step_is_blow(const dt_simulation *simulation);
/** The system has the forces that laws may read: of the solution, or of the last step that was no blow. */
void dt_time_step_take_forces(dt_simulation *simulation);
/** The system has forces that laws read in the next step, of the last one that was no blow. */
void dt_time_step_read_forces(dt_simulation *simulation);
/** The forces of the last step are read from now on. */
void dt_time_step_keep_forces(dt_simulation *simulation);

/** time_step_impact.c: impacts of those that would pass their stops in a step of length h from y at t, whose velocities are then those after it. */
detent_status dt_time_step_strike(dt_simulation *simulation, double t, double h, double *y,
                                  detent_error *error);
/** The side of the stop that joint k comes to in the step, -1 or 1; else 0. */
int dt_time_step_reaches(const dt_simulation *simulation, int k);
/** At the end of a step, in coordinates `q`: who has just reached a stop stands exactly there; nobody is beyond one. */
void dt_time_step_arrive(dt_simulation *simulation, double *q);

/* time_step_account.c */
/** Works of the step, with what stops have taken apart from friction. */
void dt_time_step_account(dt_simulation *simulation, const double *before, double *work);

/* time_step_stairs.c */

/** Notes whose limits are the same in every step. */
void dt_time_step_find_steady(dt_simulation *simulation);
/** The forces along joint k behind and before v = 0; `moves`: its direction at the start, on whose side friction is kinetic; 0: it rests. */
void dt_time_step_find_limits(dt_simulation *simulation, int k, int moves, bool released,
                              double limits[2]);
/** Its staircase with these limits of its friction; the place is still to come. */
void dt_time_step_build(dt_simulation *simulation, int k, const double limits[2], double h);
/** The place of who moves in a direction. */
int dt_time_step_segment(const dt_simulation *simulation, int k, int direction);
/** Staircases, and where a step of length h begins to look, by the modes of its start. */
void dt_time_step_prepare(dt_simulation *simulation, double h);
/** The same places, with the limits of where the system is now; after dt_time_step_prepare(), where nobody has given way since. */
void dt_time_step_renew_limits(dt_simulation *simulation);
/** dt_velocity_box.update: of those whose limits follow forces, and that are held, or give way from rest. */
bool dt_time_step_update_limits(void *simulation, int n);

/* time_step_follow.c */
bool dt_time_step_create_follow(dt_arena *arena, dt_simulation *simulation);
/**
 * After a solution: kinetic friction of who moves that follows forces becomes that of the forces of the step itself. `solve` finds places and forces for
 * the staircases that there are.
 */
detent_status dt_time_step_follow(dt_simulation *simulation,
                                  detent_status (*solve)(dt_simulation *, detent_error *),
                                  detent_error *error);

/* time_step_coupled.c */
/** The solution is kept, or put back. */
void dt_time_step_keep_solution(dt_simulation *simulation, bool back);
/** The system comes to the middle of the solution; false where nobody moves, or what is tied does not close there. */
bool dt_time_step_enter_coupled_middle(dt_simulation *simulation);
/**
 * From there, with the limits that there are: velocities and states of second order for the solution of a step from y at t, where everybody stays at
 * his place by them; else, false, those that there are. The system is at the start of the step again.
 */
bool dt_time_step_refine(dt_simulation *simulation, double t, const double *y);

/* time_step_middle.c */
bool dt_time_step_create_middle(dt_arena *arena, dt_simulation *simulation);
/** The system comes to where a step from y at t to `end` takes its forces: its middle, by the velocities of y, or its start where joints are coupled. */
void dt_time_step_enter_middle(dt_simulation *simulation, double t, double end, const double *y);
/** From the start again to where what is coupled is linearised; where that is the start the system stays. */
void dt_time_step_stand_ahead(dt_simulation *simulation, double t, const double *y);
/** Whether somebody who moves in the last solution may come to a stop within two such steps. */
bool dt_time_step_nears_stop(const dt_simulation *simulation);
/** It has the velocities of the middle of the solution, and states likewise; false where nobody moves, or states have no solution. */
bool dt_time_step_correct_middle(dt_simulation *simulation);
/** What acts where the system is, without friction that sticks: friction is that of laws alone. */
void dt_time_step_powers(dt_simulation *simulation, double power[DT_WORKS]);
/** The mean velocity of freedom j in the step. */
/** `idle`: whose loop dampers in place of modes hold, as the step leaves it, and rested before. */
void dt_time_step_find_idle(dt_simulation *simulation);
double dt_time_step_mean(const dt_simulation *simulation, int freedom);
/** Coordinates at the end of the step, from those at its start. */
void dt_time_step_move_on(dt_simulation *simulation, const double *from, double *q);

/** time_step_states.c: the system's states of the end, where joints are at q and move with v; false where they have no solution. */
bool dt_time_step_follow_states(dt_simulation *simulation, double end, const double *q,
                                const double *v);

/* time_step_run.c */

/** As dt_simulation_advance(). */
detent_status dt_time_stepping_advance(dt_simulation *simulation, double t, bool stop_at_events,
                                       detent_error *error);
/** One step, or the rest of the one that `now` is in. */
detent_status dt_time_stepping_step(dt_simulation *simulation, detent_error *error);

#endif
