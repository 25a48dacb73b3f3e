/**
 * @file closure.h
 * Loops: a joint that closes one moves a ghost of its follower, and both are one body, in pose, velocity and
 * acceleration.
 *
 * A row for each component in which ghost and original may come apart: three of the point, three of the turn. Of these a
 * set is *active* that is independent for the joints that may move now (a planar loop of joints in space has three rows
 * too many by nature); as many freedoms are *dependent*, and follow from the others:
 *
 *   g(q) = 0      by Newton's method on the dependent coordinates, from where they are, to rounding
 *   G v = 0       solved for the dependent velocities; exactly 0 where all others are
 *
 * Rows and freedoms are chosen by QR with pivots (LAPACK: dgeqp3), where the joints that may move are others than before,
 * or where the choice has worn. Coordinate partitioning: Wehage and Haug, J. Mech. Design 104 (1982) 247.
 */
#ifndef DT_DYNAMICS_CLOSURE_H
#define DT_DYNAMICS_CLOSURE_H

#include "dynamics/tie.h"

typedef struct dt_closure {
    int rows;         /**< dt_tie_rows() */
    dt_tie_row *tie;  /**< rows: whose they are */
    bool *active;     /**< rows */
    bool *dependent;  /**< nv */
    bool *kept;       /**< nv: not to be dependent, for its velocity is known: dt_closure_keep() */
    bool has_motions; /**< some joint of the mechanism has one */
    int count;        /**< of active rows, and of dependent freedoms */
    int *row, *freedom; /**< count: which they are */
    double best;        /**< the smallest pivot when they were chosen, relative; 0: not known yet */
    double pivot; /**< the smallest one where a step closed last, relative: 0 where branches meet */
    int weakest;  /**< freedom: whose it is */
    int side; /**< with it: the sign of the determinant of the dependent freedoms in their rows */
    bool chosen;          /**< there is a choice, for these: */
    unsigned char *held;  /**< node_count: it does not move */
    int initial_count;    /**< active rows when no joint is stuck, at the initial positions */
    bool initial_meeting; /**< branches of the motion meet there */
    bool is_stepping;     /**< only steps may exchange what has worn: a reader changes no run */
    /** Positions are no closed ones: what moves is to be closed as exactly as can be. */
    bool is_guess;
    bool assembles; /**< at the start: what is locked may still move */
    bool open;      /**< the last closing came to no end */
    bool *pinned;   /**< node_count: in the assembly they stay as they are */
    double *ease;   /**< node_count: in the assembly how far they go, where others go by 1 */
    /** node_count: 1; of what only follows a loop by couplings, by how much more it moves */
    double *lever;
    double *start; /**< nq: initial positions before the assembly */
    double *
        before; /**< nq: positions before the last step of a closing; of one from anywhere, where it came nearest */
    double *near;  /**< nq: work space of closure_nearest.c and closure_priority.c */
    double *base;  /**< nq: of closure_priority.c and closure_meet.c */
    double *step;  /**< nv: of closure_nearest.c */
    bool at_limit; /**< preferred positions had to give way */
    int rounds;    /**< that the assembly took */
    /** In the assembly: how far a step of a closing goes at most, rad or lengths of the mechanism */
    double stride;
    double (*wrench)[6]; /**< rows: of a unit multiplier on the ghost, about the origin */
    /** Where there are many loops: theirs instead of G, matrix (closure_local.h). */
    struct dt_closure_local *local;
    /** rows x nv, by columns; NULL with `local`: wrench . (V of the ghost - V of the original) by v */
    double *G;
    double *matrix, *x; /**< of the dependent freedoms, factored; right-hand side */
    double left_open;   /**< m: by how much rows were open that the present choice has left out */
    double size;        /**< m: that of bodies and rods, for joints may all be in one place */
    /** m: where nothing has a size, how far it was at the start, for it may pass the origin; -1: it was there, and what is far is what the scale of the mechanism says */
    double first;
    /** m, that turns were measured by at the last choice outside a step; 0: there was none */
    double length;
    double mass_unit; /**< kg, of forces beside accelerations: that of all bodies, a power of two */
    double *row_unit,
        *freedom_unit; /**< rows, nv: what makes rows and freedoms compare, as powers of two */
    int *pivots;
    /** What does not move, for all that could move it is locked (closure_still.h). */
    struct dt_still *still;
    /** The number of the present choice, for whoever keeps what follows from it. */
    unsigned choice;
    unsigned choices; /**< the last number that has been given */
    bool spares;      /**< in this closing that stays as it is, to the last bit: it is closed */
    /** How joints at rest share what holds a loop (split.h); NULL: no two of them. */
    struct dt_split *split;
    struct dt_self_stress *stress; /**< what redundant rows carry, where a law reads it; or NULL */
    struct dt_self_stress *shown;  /**< the same for readers, where no law reads it; or NULL */
    /** nv: the velocity of a freedom that turns round at this event; 0: it does not */
    double *turning;
    /** nv: a motion that stands at this event, with no acceleration but rounding: dt_closure_pause() */
    bool *paused;
    double *terms, *a; /**< rows, nv: work space of closure_turning.c */
    double gravity[3];
    bool *left_out;  /**< rows: the same */
    double *put_off; /**< rows: multipliers that were taken out, dt_closure_put_off() */
    double *weight;  /**< nv with `local`: work space */
    double *norm, *qr, *tau, *work; /**< work space */
    int work_length;
} dt_closure;

/** What is to be zero of the multiplier of a row that others imply: itself, unless it is what loops carry besides (self_stress.h). */
static inline double dt_closure_left_out(const dt_system *system, int row)
{
    return system->closure->stress ? 0 : system->multiplier[row];
}

/**
 * Multipliers of rows that others imply are nothing, whatever they are in the unknowns of a step: rows may have been exchanged since,
 * and extrapolated as nobody's they would grow without bound. What they were is kept in `put_off`.
 */
void dt_closure_put_off(dt_system *system);

/** NULL into system->closure where there are no loops. False when memory is out. */
bool dt_closure_create(dt_arena *arena, dt_system *system);

/**
 * Initial positions and velocities that close all loops: the least change of all freedoms that are not prescribed; of those
 * with priorities as closure_priority.c says. DETENT_ERROR_MODEL, with the joint that does not close, what is left open, and who
 * moved most; or with the place of an exact value that others contradict. The positions are those of the last try then.
 */
detent_status dt_closure_assemble(dt_system *system, detent_error *error);

/** By how much coordinates that are tied may be off each other and count as closed, m; of a turn, rad: what has turned often is known to fewer places. */
double dt_closure_known(const dt_system *system, bool turn);

/** The node that the assembly moved farthest, turns being measured by the reach, and by how much, rad or m; -1: nobody. */
int dt_closure_moved(const dt_system *system, double *change);

/**
 * closure_far.c: whose given positions (dt_given) the assembly has moved far: by more than half a radian, or of what the mechanism
 * measures; where the joint has a nominal position, of that. Of what only follows by couplings, by so much more as it moves more.
 * Into `nodes`, NULL: nowhere; returns how many.
 */
int dt_closure_find_far(const dt_system *system, int *nodes);
/** That in words, for whoever is far. */
void dt_closure_tell_far(const dt_system *system, int node, char *text, size_t size);

/** What bodies that are held in pose are apart by: m, rad. */
typedef struct dt_gap {
    int row; /**< the first one of what holds them, a loop; -1: there is none */
    double apart, turn;
} dt_gap;
/** The loop that is open most. */
dt_gap dt_closure_worst(const dt_system *system);

/** Chooses anew where other joints may move than at the last choice; at the present pose. */
void dt_closure_refresh(dt_system *system);
/**
 * The velocity of freedom v has been set, at an event: from the next choice on, which is due now, others follow from it, as
 * long as they can.
 */
void dt_closure_keep(dt_system *system, int v);
/** It may be dependent after all, from the next choice on. */
void dt_closure_keep_not(dt_system *system, int v);
/**
 * The acceleration of a joint at velocity zero that the other velocities give it, whatever the forces are: it turns round, and
 * nothing can hold it. 0 where it may be held, and where its freedom is not dependent, though it was to be kept. At the closed
 * state; the readings stay.
 */
double dt_closure_turning(dt_system *system, int node);
/**
 * How fast a dependent freedom moves where another one moves by 1, all else being still: where that is not 0, and nobody else follows,
 * either may be held and the other one go. Of scalar joints, at the closed state; 0 of one that is not dependent, or with itself.
 */
double dt_closure_exchange(dt_system *system, int node, int other);
/** Such a joint has this velocity until the event is over: that of a moment later, which tells its direction. */
void dt_closure_turn(dt_system *system, int node, double velocity);
/**
 * The acceleration, on the average, with which a joint that has neither velocity nor acceleration is taken along where others of its loop move, as
 * at the fourth power of a double dead centre; 0: it stays. The system is posed, and is so again.
 */
double dt_closure_later(dt_system *system, int node);
/**
 * The closed state at velocities that it has not: that of another moment, in s->v, motions among them. Others follow; and accelerations of
 * motions are none, so that what follows follows from the velocities alone. Until the next dt_system_set_state().
 */
void dt_closure_look_ahead(dt_system *system);
/** Whether a motion has an acceleration: at an event it may take along what rested until then. */
bool dt_closure_is_accelerated(const dt_system *system);
/** Whether the rows that are not active do not hold at these velocities, at the choice and pose of the last closing. */
bool dt_closure_moves_locked(const dt_system *system);
/**
 * The largest of velocities (nv), in the units of freedoms, of all that is tied; or of what is tied with a node, directly or not, where that
 * is not -1.
 */
double dt_closure_fastest(const dt_system *system, const double *v, int node);
/**
 * Whether closing has made of velocities v (nv) others: by more than half of the fastest of what is tied with them. So it is where who is locked, and stands
 * at first order alone while v goes on, has stopped the others.
 */
bool dt_closure_departs(const dt_system *system, const double *v);
/**
 * What is left open (nv) of the velocities of freedoms that depend on others, where these are known to `slack` (nv): next to nothing, near a
 * dead centre, but no less than rounding; 0 where nobody that has a slack moves it, and where nothing that it is tied with is `asked` for (nv).
 * At the closed state.
 */
void dt_closure_slack(const dt_system *system, const double *slack, const bool *asked,
                      double *open);
/** Whether something has a velocity, or a motion an acceleration: then loops may take along what is at rest. */
bool dt_closure_is_driven(const dt_system *system);
/**
 * Whether the rows that are not active hold at the accelerations that the velocities cause: not where a joint is said to be
 * locked that turns round, which nothing can hold.
 */
bool dt_closure_agrees(dt_system *system);
/**
 * How many ways something has to move, at first order, that moves at these velocities and cannot: no acceleration keeps its conditions along
 * them. 0: nothing does. 1: a structure that happens to stand in a dead centre. More: branches meet, and these velocities are along none of
 * them; said only of what had none before, of which `v` are all. No finite force holds it. Where joints in it are locked nothing is said.
 * `tie` and `freedom`: of whom, when it is so; the names are the mechanism's.
 */
int dt_closure_blocked_ways(dt_system *system, const double *v, bool beside_locks, const char **tie,
                            const char **freedom);
/** closure_meet.c: whether branches of the motion meet where the system is. What follows from what is chosen anew. */
bool dt_closure_branches_meet(dt_system *system);
/** That in words. */
extern const char dt_closure_meeting[];
/**
 * Whether they meet close by, but not here, so close that conditions lose digits, and with them reactions, and friction that shares them: a
 * primitive of what is tied, -1 where they do not. `nearness`: about how far that is, beside the length of the mechanism.
 */
int dt_closure_find_near_meeting(dt_system *system, double *nearness);

/**
 * Whether motions contradict each other in what is tied: velocities or accelerations that nobody else can follow. At a state with
 * its velocities, `text` says which. The first of them goes to `first`, a primitive.
 */
bool dt_closure_tells_conflict(dt_system *system, char *text, size_t size, int *first);
/** The same where the run does not get on; or whether the motions lead to a dead centre. */
bool dt_closure_tells_dead_end(dt_system *system, char *text, size_t size, int *first);
/**
 * The motion of freedom v stands at this event: neither velocity nor acceleration, whatever rounding its law makes of them, until the
 * event is over.
 */
void dt_closure_pause(dt_system *system, int v);
/** The event is over: no motion is paused. */
void dt_closure_pause_none(dt_system *system);
/** The event is over: nobody turns, and nothing is kept: where something was the next choice is due. */
void dt_closure_keep_none(dt_system *system);
/** The next choice is due, and follows from modes and pose alone: another run begins. */
void dt_closure_forget(dt_closure *closure);
/** Chooses anew. */
void dt_closure_choose(dt_system *system);

/** A choice, and what is known of it: kept while the system is somewhere else. */
typedef struct dt_closure_mark {
    bool chosen;
    unsigned choice;
    int count;
    double best, left_open, pivot, length, mass_unit;
    int weakest, side;
    unsigned char *lists; /**< all that is listed of it, one after the other */
} dt_closure_mark;

/** False when memory is out. */
bool dt_closure_create_mark(dt_arena *arena, const dt_system *system, dt_closure_mark *mark);
void dt_closure_keep_mark(const dt_system *system, dt_closure_mark *mark);
/** The modes are those of then, and so is the choice: nobody need know that it was another one meanwhile. The pose may be set afterwards. */
void dt_closure_return_to_mark(dt_system *system, const dt_closure_mark *mark);

/** The wrenches of unit multipliers, and G, at the present pose. */
void dt_closure_update(dt_system *system);
/** closure->pivot, side at the present pose, at the present choice; side 0 where the determinant is zero. */
void dt_closure_look(dt_system *system);
/** An entry of G. */
double dt_closure_entry(const dt_closure *closure, int row, int freedom);

/**
 * Dependent coordinates from the others; the system is posed at them. NAN where that comes to no end. Chooses anew where the
 * choice has worn.
 */
void dt_closure_positions(dt_system *system);
/** Dependent velocities from the others, at the pose of the last closing. */
void dt_closure_velocities(dt_system *system);
/** The same, of whoever turns round, too. */
void dt_closure_follow(dt_system *system);

/** The largest error of a row: m, or rad times the length of the mechanism. */
double dt_closure_error(const dt_system *system);
/** That of the item whose first row it is. */
double dt_closure_row_error(const dt_system *system, int row, double length);

#endif
