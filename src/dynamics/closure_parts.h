/**
 * @file closure_parts.h
 * What closure.c (closing), closure_choose.c (what follows from what), closure_length.c (by what turns are measured),
 * closure_close.c (closing from anywhere), closure_assemble.c (the start), closure_priority.c (who gives
 * way there), closure_far.c (who ends far from there) and closure_refuse.c (what is said where nothing helps) share.
 */
#ifndef DT_DYNAMICS_CLOSURE_PARTS_H
#define DT_DYNAMICS_CLOSURE_PARTS_H

#include "dynamics/closure.h"
#include "dynamics/force_size.h"
#include "math/lapack.h"
#include "math/spatial.h"

#include <math.h>

/** Rows and freedoms whose pivot is smaller than that, relative to the largest one, say nothing new. */
static const double dt_closure_nothing = 1e-9;

/** The least pivot that says something, where the largest is `largest`: in the units of rows and freedoms, in which one that leaves no more than some digits of a velocity is none. */
static inline double dt_closure_least_pivot(double largest)
{
    static const double some_digits = 1e-12;
    return fmax(dt_closure_nothing * largest, some_digits);
}

/**
 * What a wrench does along a motion. What is rounding of the terms that it is the sum of is nothing: a point turns about an axis that it lies on by
 * nothing, and no pivot is made of that where all else is held.
 */
static inline double dt_closure_along(const dt_system *s, const double *wrench, const double *S)
{
    const double sum = dt_dot6(wrench, S);
    double size = 0;
    for (int k = 0; k < 6; k++) {
        size += fabs(wrench[k] * S[k]);
    }
    return fabs(sum) > dt_force_rounding(s->tree) * size ? sum : 0;
}

/** How far a step towards closed loops goes, rad or lengths of the mechanism: as far as sines are their arguments, more or less. */
static const double dt_closure_long_stride = 0.3;

/** The length that turns are measured by: how far what is tied reaches, but not less than what bodies measure. */
double dt_closure_reach(const dt_system *system);
/** At the start, when positions are closed. */
void dt_closure_note_first_reach(dt_system *system);

/**
 * That by which freedoms are chosen. In a step it is what it was before: a trial may be anywhere, and its length would stay for ever.
 */
double dt_closure_measure(const dt_system *system);

/**
 * The length that turns are measured by where changes of all freedoms compare: how far joints are from their middle. Where loops are closed
 * it is the same wherever they are cut, as the reach is not.
 */
double dt_closure_spread(const dt_system *system);

/**
 * The freedoms of a node and of those that carry it move rows `row` .. `row + rows - 1` of G by their wrenches (closure.h), with
 * this sign.
 */
void dt_closure_add_path(dt_system *system, int node, int row, int rows, double sign);

/** The weight of a freedom: turns are measured by a length. */
double dt_closure_weight(const dt_node *node, double length);

/** The weight of a row: turns are measured by a length. */
double dt_closure_row_weight(const dt_system *system, int row, double length);

/** How exactly loops can be closed by coordinates that are as large as they are: what has turned often is known to fewer places. */
double dt_closure_grain(const dt_system *system, double length);

/** The nodes of a loop's weld or a rod, from which its ways begin (-1: the ground); false where the row is of neither. */
bool dt_closure_ends(const dt_system *system, int row, int *one, int *other);

/** By how much a row is open, in its own unit. */
double dt_closure_open(const dt_system *system, int row);

/** Freedom j of node i takes a small step. */
void dt_closure_move(dt_system *system, int i, int j, double step);

/** closure_close.c: from s->q on by Gauss and Newton, `most` steps; true where that closes all loops. Else it is where that ended, or came nearest. */
bool dt_closure_close(dt_system *system, int most);
/** closure_nearest.c: from closed positions to the nearest ones to c->start, by weights; those that are held stay. */
void dt_closure_come_near(dt_system *system);
/** closure_far.c: from there to closed positions nearer to those that are given, where these are far and such are found. */
void dt_closure_come_nearer(dt_system *system);
/** The least change of velocities that closes all loops, at the present choice. */
void dt_closure_close_velocities(dt_system *system);

/**
 * How far the slack of a coupling goes in the assembly, where others go by 1: positions of the others make its teeth mesh, and velocities are theirs. The squares
 * are the weights, so what others make of it, and of theirs it makes, is rounding.
 */
static const double dt_closure_slack_stays = 1e-8, dt_closure_slack_follows = 1e8;

/** What a priority is of: a joint may have one for each. */
typedef enum dt_start_quantity { DT_START_POSITION, DT_START_VELOCITY } dt_start_quantity;

static inline detent_priority dt_closure_priority_of(const dt_system *s, int i,
                                                     dt_start_quantity what)
{
    const dt_priority *own = dt_priority_of(s->mechanism, i);
    return !own ? DETENT_PRIORITY_FREE : what == DT_START_POSITION ? own->position : own->velocity;
}

/** closure_priority.c: the positions, and the velocities there, where some have priority. */
detent_status dt_closure_assemble_positions(dt_system *system, detent_error *error);
detent_status dt_closure_assemble_velocities(dt_system *system, detent_error *error);

/**
 * closure_meet.c: whether loops that stay open from c->start close from a little beside: it is singular, and the least change does not
 * know to which side.
 */
bool dt_closure_closes_beside(dt_system *system);

/** closure_priority.c: the row that is violated most by velocities, where that is more than rounding; -1: none is. */
int dt_closure_violated_row(const dt_system *system);

/** closure_refuse.c: how far node i is from where it was asked to be: rad or m. */
double dt_closure_way_of(const dt_system *system, int i);
/** What stays open most, in words, and who moved most. */
void dt_closure_tell_open(const dt_system *system, const dt_gap *gap, char *text, size_t size);
/** closure_axes.c: whose axis is askew, in words, where the loop would be plane but for one or two; else nothing. */
void dt_closure_tell_axes(const dt_system *system, const dt_tie_row *loop, char *text, size_t size);
/** The error of loops that stay open, of which `gap` is the worst. */
detent_status dt_closure_refuse_open(dt_system *system, const dt_gap *gap, detent_error *error);
/** The error of what stays open, at a row (-1: anywhere), because values are exact: which they are. `left`: what is open, in words. */
detent_status dt_closure_refuse_exact(dt_system *system, dt_start_quantity what, int row,
                                      const char *left, detent_error *error);

/**
 * closure_turning.c: the row, of those that are not active, that holds least at the accelerations that velocities and motions
 * cause, where that is more than rounding; -1: none. The active ones are factored.
 */
int dt_closure_broken_row(dt_system *system);

/**
 * Whether a choice has worn, by its smallest pivot now and when it was made. A small one is renewed sooner: whether it is the choice or the
 * pose, where branches of the motion meet, is not told otherwise. Where nothing is left of it, it is the pose: another choice would leave
 * out the row.
 */
static inline bool dt_closure_is_worn(double now, double best)
{
    static const double none = 1e-7; /* well above dt_closure_nothing */
    return now > none && (now < 0.1 * best || (now < 0.15 && now < 0.7 * best));
}

/**
 * Of rows or freedoms that say as much the first is chosen, and not one that rounding prefers: a parallelogram has such, and the choice is
 * to be the same whenever it is made anew at one pose.
 */
static inline double dt_closure_preference(int index)
{
    return 1 - 1e-9 * index;
}

/** Factors the columns of the dependent freedoms, of G as it was updated last; false where they do not decide the rows. */
bool dt_closure_factor(dt_system *system);
/** x := inverse x, of the matrix that was factored last; `normal`: that of rows by rows. */
void dt_closure_solve(dt_closure *closure, double *x, bool normal);

#endif
