/**
 * @file tie.h
 * Conditions that tie what moves: welds of loops, transmissions, rods. An element whose items are such conditions says so
 * (dt_element_kind.tie); whoever closes them, solves with them or tells of them walks rows, and does not know whose they are.
 *
 *   g(q) = 0,  G v = 0,  row r: G a + G' v = 0 where it is active, else m = 0;  the multipliers m act as G^T m
 *
 * Rows follow the table of elements kind by kind, those of an item side by side.
 */
#ifndef DT_DYNAMICS_TIE_H
#define DT_DYNAMICS_TIE_H

#include "dynamics/system.h"

struct dt_tangent;
struct dt_self_stress;

/** A joint that a linear condition is about, and its coefficient there. */
typedef struct dt_tie_term {
    int joint; /**< -1: there is no such term */
    double factor;
} dt_tie_term;

/** A kind of them. Rows are given to arrays of all rows. */
typedef struct dt_tie_kind {
    int rows; /**< of an item; as many answers, its first ones, are their multipliers */
    int forces,
        torques;   /**< of these rows the first ones, whose multipliers are forces, and the next;
                              the others are measured by themselves */
    bool is_local; /**< it has a place in the linear-time path (closure_local.h, tie_front.h) */
    /** What one is called where it cannot be assembled, what of it is open then, and by what; NULL: "coupling", nothing. */
    const char *what, *stays, *off;
    const char *does;  /**< said behind its name: what it does; NULL: nothing */
    const char *fails; /**< said where velocities contradict it; NULL: "does not hold" */
    const char *(*name)(const detent_mechanism *, int item);
    /** Where the file says so; no file: unknown. */
    const dt_location *(*place)(const detent_mechanism *, int item);
    /**
     * The places from whose nodes its ways begin; a unit multiplier acts with its wrench on the second, and against it on the first.
     * NULL: it acts along joints.
     */
    void (*ends)(const detent_mechanism *, int item, int place[2]);
    /** Whether a node has a part in it. NULL: who has a coefficient in its row. */
    bool (*includes)(const dt_system *, int item, int node);
    /** Term k of a linear condition on coordinates of joints. NULL: it is not linear, or on no coordinates. */
    dt_tie_term (*term)(const detent_mechanism *, int item, int k);
    /** Of a linear one the joint that takes up what it does not hold, with the factor -1; or -1. NULL: it holds. */
    int (*slack)(const detent_mechanism *, int item);

    /* accelerations, of all items */
    void (*residuals)(dt_system *, double *r);
    /** In the direction of the tangent. */
    void (*changes)(struct dt_tangent *, dt_system *, double *rows);

    /* positions and velocities */
    void (*update)(
        dt_system *); /**< of all items: wrenches of unit multipliers, and G where there is one */

    /* one row, or one item */
    /** The size of the terms of the row of accelerations. */
    double (*size)(const dt_system *, int item, int component);
    double (*open)(const dt_system *, int item, int component); /**< g, in its own unit */
    /**
     * How far what it holds in pose is apart: a way, m, and a turn, rad; whose body that is. NULL: its rows say each how open they
     * are.
     */
    const char *(*apart)(const dt_system *, int item, double *way, double *turn);
    /** Writes why no step leads from these positions to where it holds; false: one does. NULL: one does from anywhere. */
    bool (*tell_stuck)(const dt_system *, int item, char *words, size_t size);
    /** By how much an item is open, beyond rounding: m, or rad times the length of the mechanism. NULL: |g|, of one row. */
    double (*error)(const dt_system *, int item, double length);
    /** Whether an item is to be closed to the rounding of its own sum: a stop is about what it leaves open. NULL: none is. */
    bool (*is_sharp)(const detent_mechanism *, int item);
    /** What the row is to be multiplied by, turns being measured by a length. NULL: 1. */
    double (*weight)(const dt_system *, int item, int component, double length);
    /**
     * How large what a unit multiplier does itself is, in the sum of self_stress.h: torques are divided by lengths of their joints
     * (dt_self_stress_length()). NULL: joints transmit it all.
     */
    double (*itself)(const dt_system *, const struct dt_self_stress *, int item);
    /** How far apart it holds what it ties, m: bodies may measure nothing, a bob and a rod. NULL: bodies tell. */
    double (*span)(const detent_mechanism *, int item);
    /** How far from the origin it ties, m, at the pose. NULL: the nodes that it ties tell. */
    double (*reach)(const dt_system *, int item);
    /** How G v changes with the pose alone, in the direction of the tangent. NULL: it does not. */
    double (*turned)(const struct dt_tangent *, const dt_system *, int item, int component);
} dt_tie_kind;

/** Whose a row is. */
typedef struct dt_tie_row {
    const dt_tie_kind *kind;
    int item, component;
} dt_tie_row;

/** Lists the rows of a mechanism, dt_tie_rows(). */
void dt_tie_list(const detent_mechanism *mechanism, dt_tie_row *rows);
/** Whether some condition has no place in the linear-time path. */
bool dt_tie_is_dense(const detent_mechanism *mechanism);

/** What messages call whose row it is: "slot", "coupling". */
static inline const char *dt_tie_word(const dt_tie_row *row)
{
    return row->kind->what ? row->kind->what : "coupling";
}

/** Whose a row is, in words, the name cut off at `longest` letters: "the coupling 'g'". */
void dt_tie_tell(const dt_system *system, int row, int longest, char *text, size_t size);

/** Of a tie that is a force at places: 1. dt_tie_kind.itself. */
double dt_tie_force(const dt_system *system, const struct dt_self_stress *stress, int item);

/** The first row behind those of the item that has a row: rows 0, dt_tie_next(0) ... are the first ones of all items. */
static inline int dt_tie_next(const dt_tie_row *tie, int row)
{
    return row - tie[row].component + tie[row].kind->rows;
}

/** A term of the item of a row, whose joint is -1 behind the last one, and where it is not linear. */
static inline dt_tie_term dt_tie_term_of(const detent_mechanism *mechanism, const dt_tie_row *row,
                                         int k)
{
    return row->kind->term ? row->kind->term(mechanism, row->item, k) : (dt_tie_term){-1, 0};
}

/** The joint that takes up what the item of a row does not hold, or -1. */
static inline int dt_tie_slack(const detent_mechanism *mechanism, const dt_tie_row *row)
{
    return row->kind->slack ? row->kind->slack(mechanism, row->item) : -1;
}

/** The residuals of all rows at the present accelerations. */
void dt_tie_residuals(dt_system *system, double *r);
/** Their changes in the direction of the tangent. */
void dt_tie_changes(struct dt_tangent *tangent, dt_system *system, double *rows);
/**
 * The size of the terms of a row, and of what is nothing beside the accelerations that there ordinarily are: in a loop that is
 * held they are the rounding of a rounding.
 */
double dt_tie_size(const dt_system *system, int row);
/** How a row of velocities changes with the pose alone, in the direction of the tangent (dt_tangent_inverse()). */
double dt_tie_turned(const struct dt_tangent *tangent, const dt_system *system, int row);

/**
 * Adds the size of what the accelerations of two nodes, or of the ground (-1), are summed from, along a wrench and their ways
 * from the node that carries both.
 */
void dt_tie_add_way(const dt_system *system, int one, int other, const double wrench[6],
                    double *size);

#endif
