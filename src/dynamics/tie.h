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

/** A kind of them. Rows are given to arrays of all rows. */
typedef struct dt_tie_kind {
    int rows; /**< of an item; as many answers, its first ones, are their multipliers */
    int forces,
        torques;   /**< of these rows the first ones, whose multipliers are forces, and the next;
                              the others are measured by themselves */
    bool is_local; /**< it has a place in the linear-time path (closure_local.h, tie_front.h) */
    /** What one is called where it cannot be assembled, what of it is open then, and by what; NULL: "coupling", nothing. */
    const char *what, *stays, *off;
    const char *(*name)(const detent_mechanism *, int item);
    /** Where the file says so; no file: unknown. */
    const dt_location *(*place)(const detent_mechanism *, int item);
    /** The nodes from which its ways begin (-1: the ground); a unit multiplier acts with its wrench on the second, and against it on the first. NULL: it acts along joints. */
    void (*ends)(const detent_mechanism *, int item, int node[2]);

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
    /** By how much an item is open, beyond rounding: m, or rad times the length of the mechanism. NULL: |g|, of one row. */
    double (*error)(const dt_system *, int item, double length);
    /** Whether an item is to be closed to the rounding of its own sum: a stop is about what it leaves open. NULL: none is. */
    bool (*is_sharp)(const detent_mechanism *, int item);
    /** What the row is to be multiplied by, turns being measured by a length. NULL: 1. */
    double (*weight)(const dt_system *, int item, int component, double length);
    /** How far apart it holds what it ties, m: bodies may measure nothing, a bob and a rod. NULL: bodies tell. */
    double (*span)(const detent_mechanism *, int item);
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
