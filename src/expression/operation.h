/**
 * @file operation.h
 * One operation of a program, and how each of its parts is computed. Operation i writes register i;
 * its operands are registers below i, so that one pass from the front evaluates a program and one
 * from the back differentiates it.
 */
#ifndef DT_EXPRESSION_OPERATION_H
#define DT_EXPRESSION_OPERATION_H

#include "expression/callback.h"
#include "expression/curve.h"
#include "expression/function.h"
#include "expression/program.h"

typedef struct dt_operation {
    dt_opcode code;
    int operand[3];  /**< registers; 0 where there is no operand; not of CALL */
    int index;       /**< VARIABLE: slot; a switch: its number, or -1 where it is not recorded */
    double constant; /**< CONSTANT; SEGMENT: the number of the axis */
    union {
        const dt_curve *curve; /**< SEGMENT, TABLE, TABLE2 */
        const dt_call *call;   /**< CALL */
        const void *none;      /**< else: NULL */
    };
} dt_operation;

/** How many operands an operation of any code but CALL has. */
int dt_operand_count(dt_opcode code);

/** How many operands an operation has, and which. */
static inline int dt_operation_operands(const dt_operation *operation, const int **operands)
{
    const bool calls = operation->code == DT_OP_CALL;
    *operands = calls ? operation->call->operand : operation->operand;
    return calls ? operation->call->callback->argument_count : dt_operand_count(operation->code);
}

/** The curve of an operation of a table, else NULL. */
static inline const dt_curve *dt_operation_curve(const dt_operation *operation)
{
    return operation->code == DT_OP_CALL ? NULL : operation->curve;
}

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
 * First partial derivatives of an operation (not CONSTANT, VARIABLE, SELECT, CALL) with respect to its
 * first two operands. A derivative that is not finite where the value is counts as zero: sqrt(x),
 * x^0.5 at x = 0 or hypot(x, y) at the origin then have the slope of the symmetric difference
 * instead of one that turns into 0 * infinity further on.
 */
void dt_operation_slope(const dt_operation *operation, const double *registers, double value,
                        const dt_branch *state, double first[2]);

/**
 * dt_operation_value() of operation i of a program; where a call has failed that it depends on, the value of that (callback.h). `slopes`: NULL, or
 * the derivatives of calls, slope_count.
 */
double dt_program_operation(const dt_program *program, int i, const double *registers,
                            const double *slots, const dt_branch *state, double *slopes);

/** All registers of a program, in order. */
void dt_program_evaluate(const dt_program *program, const double *slots, const dt_branch *state,
                         double *registers);

#endif
