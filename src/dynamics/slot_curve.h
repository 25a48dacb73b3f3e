/**
 * @file slot_curve.h
 * A curve in the plane as two programs of its parameter, c(u) = (x(u), y(u)), from <= u <= to; closed, or open and straight on beyond its ends.
 * Its foot for a point P is the nearest point of it,
 *
 *   (P - c) . c' = 0
 *
 * which is unique near the curve, for it does not cross itself: a function of P alone, from whatever point it was looked for last.
 */
#ifndef DT_DYNAMICS_SLOT_CURVE_H
#define DT_DYNAMICS_SLOT_CURVE_H

#include "base/arena.h"
#include "expression/program.h"

typedef struct dt_slot_curve {
    const dt_program *of[2]; /**< x, y */
    double from, to;
    bool closed;
    int count;       /**< pieces of equal u, between each of whose ends it turns but little */
    double (*at)[2]; /**< count + 1: the ends of these */
    double size;     /**< m: how far it is from the origin at most */
} dt_slot_curve;

/** A foot. */
typedef struct dt_slot_foot {
    double u;
    double point[2];  /**< c, beyond an end straight on from there */
    double first[2];  /**< c' */
    double second[2]; /**< c'', beyond an end 0 */
    double beyond;    /**< m: how far it is beyond an end, else 0 */
    double distance;  /**< m: of P, positive on the left of the direction in which u grows */
} dt_slot_foot;

/** The last foot, for whoever asks for the same again: it depends on P alone. All zero at first. */
typedef struct dt_slot_memo {
    bool known, knows_third;
    double P[2], third[2];
    dt_slot_foot foot;
} dt_slot_memo;

/** From the programs; NULL: `*fault` says why not, in `arena`'s memory or for good; or, NULL, memory is out. */
dt_slot_curve *dt_slot_curve_make(dt_arena *arena, const dt_program *const of[2], double from,
                                  double to, bool closed, const char **fault);

/** The foot for P, left in the memo. `registers`: DT_PROGRAM_REGISTERS of either program. */
void dt_slot_curve_foot(const dt_slot_curve *curve, const double P[2], double *registers,
                        dt_slot_memo *memo);

/** c''' at the last foot. `series`: operation_count of either program. */
void dt_slot_curve_third(const dt_slot_curve *curve, dt_series *series, dt_slot_memo *memo);

#endif
