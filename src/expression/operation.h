/**
 * @file operation.h
 * One operation of a program, and how each of its parts is computed. Operation i writes register i;
 * its operands are registers below i, so that one pass from the front evaluates a program and one
 * from the back differentiates it.
 */
#ifndef DT_EXPRESSION_OPERATION_H
#define DT_EXPRESSION_OPERATION_H

#include "expression/curve.h"
#include "expression/function.h"
#include "expression/program.h"

typedef struct dt_operation {
    dt_opcode code;
    int operand[3];  /**< registers; 0 where there is no operand */
    int index;       /**< VARIABLE: slot; a switch: its number, or -1 where it is not recorded */
    double constant; /**< CONSTANT; SEGMENT: the number of the axis */
    const dt_curve *curve; /**< SEGMENT, TABLE, TABLE2; else NULL */
} dt_operation;

/** The axis of a SEGMENT. */
static inline const dt_axis *dt_operation_axis(const dt_operation *operation)
{
    return &operation->curve->axis[operation->constant != 0];
}

/** The borders of an integer switch on a branch: to the one below, to the one above. */
void dt_operation_borders(const dt_operation *operation, int branch, double borders[2]);

/**
 * The branch that a switch operation is on: the recorded one, or (`state` NULL or none recorded)
 * the actual one.
 */
int dt_operation_branch(const dt_operation *operation, const double *registers,
                        const dt_branch *state);

/** How far the operands of a switch are above its border; of an integer switch, above 0. */
double dt_operation_distance(const dt_operation *operation, const double *registers);

/** The weight of the upper branch of a switch that slides. */
double dt_operation_weight(const dt_operation *operation, const dt_branch *branch,
                           const double *registers);

/** The value of an operation whose operands are in `registers`. */
double dt_operation_value(const dt_operation *operation, const double *registers,
                          const double *slots, const dt_branch *state);

/**
 * First partial derivatives of an operation (not CONSTANT, VARIABLE, SELECT) with respect to its
 * first two operands. A derivative that is not finite where the value is counts as zero: sqrt(x),
 * x^0.5 at x = 0 or hypot(x, y) at the origin then have the slope of the symmetric difference
 * instead of one that turns into 0 * infinity further on.
 */
void dt_operation_slope(const dt_operation *operation, const double *registers, double value,
                        const dt_branch *state, double first[2]);

/** All registers of a program, in order. */
void dt_program_evaluate(const dt_program *program, const double *slots, const dt_branch *state,
                         double *registers);

/** The value of a callback's program, and its derivative with respect to every slot. */
double dt_program_call(const dt_program *program, const double *slots, double *slope);

#endif
