/* Reverse mode. With w_i = d(value) / d(register i), from the last operation to the first:
 *
 *     w_last = 1,     w_operand += w_i * d(operation i) / d(operand)
 *
 * An operation whose w is zero is not looked at: it cannot matter, and in a branch that is not
 * selected it may have no derivative at all. A. Griewank, A. Walther, "Evaluating Derivatives",
 * SIAM 2008, chapter 3. */

#include "expression/operation.h"

#include <math.h>
#include <string.h>

/* Adds what a condition, its two sides and their weight have to do with the value. */
static void select_backwards(const dt_operation *operation, const double *registers, double weight,
                             double *weights)
{
    const int *operand = operation->operand;
    const double c = registers[operand[0]];
    if (c == 0 || c == 1) {
        weights[operand[c == 1 ? 1 : 2]] += weight;
        return;
    }
    weights[operand[1]] += c * weight;
    weights[operand[2]] += (1 - c) * weight;
    weights[operand[0]] += weight * (registers[operand[1]] - registers[operand[2]]);
}

/* `slopes`: of the calls of the program. */
static void call_backwards(const dt_call *call, const double *slopes, double weight,
                           double *weights)
{
    for (int k = 0; k < call->callback->argument_count; k++) {
        const double slope = slopes[call->slope + k];
        weights[call->operand[k]] += slope != 0 ? weight * slope : 0;
    }
}

/* Where the derivatives of calls are. */
static double *slopes_in(const dt_program *program, double *registers)
{
    return registers + 3 * (size_t)program->operation_count;
}

/* All registers, and the derivatives of calls. */
static void evaluate(const dt_program *program, const double *slots, const dt_branch *state,
                     double *registers)
{
    if (!program->has_calls) {
        dt_program_evaluate(program, slots, state, registers);
        return;
    }
    for (int k = 0; k < program->slope_count; k++) {
        slopes_in(program, registers)[k] = NAN; /* where a call is not made */
    }
    for (int i = 0; i < program->operation_count; i++) {
        registers[i] = dt_program_operation(program, i, registers, slots, state,
                                            slopes_in(program, registers));
    }
}

/* From the operation `last` back to the slots; what seeds the weights is set. */
static void backwards(const dt_program *program, const dt_branch *state, int last,
                      double *registers, double *weights, double *gradient)
{
    const double *slopes = slopes_in(program, registers);
    for (int i = last; i >= 0; i--) {
        const dt_operation *operation = &program->operations[i];
        const int *operand = operation->operand;
        if (weights[i] == 0 || operation->code == DT_OP_CONSTANT) {
            continue;
        }
        if (operation->code == DT_OP_VARIABLE) {
            gradient[operation->index] += weights[i];
        } else if (operation->code == DT_OP_SELECT) {
            select_backwards(operation, registers, weights[i], weights);
        } else if (operation->code == DT_OP_CALL) {
            call_backwards(operation->call, slopes, weights[i], weights);
        } else {
            double first[2];
            dt_operation_slope(operation, registers, registers[i], state, first);
            weights[operand[0]] += weights[i] * first[0];
            if (first[1] != 0) {
                weights[operand[1]] += weights[i] * first[1];
            }
        }
    }
}

double dt_program_switch_gradient(const dt_program *program, int index, const double *slots,
                                  const dt_branch *state, double *registers, double *gradient)
{
    const int last = program->switches[index];
    const dt_operation *operation = &program->operations[last];
    const dt_function *function = &dt_functions[operation->code];
    double *weights = registers + program->operation_count;
    evaluate(program, slots, state, registers);
    memset(gradient, 0, (size_t)program->variable_count * sizeof *gradient);
    memset(weights, 0, (size_t)program->operation_count * sizeof *weights);
    const bool is_left = function->kind == DT_FUNCTION_STOP && state && state[index].side >= 0;
    weights[operation->operand[is_left]] += 1;
    if (function->kind == DT_FUNCTION_TWO_WAY && function->max_arguments > 1) {
        weights[operation->operand[1]] -= 1;
    }
    backwards(program, state, last - 1, registers, weights, gradient);
    return dt_operation_distance(operation, registers);
}

double dt_program_gradient(const dt_program *program, const double *slots, const dt_branch *state,
                           double *registers, double *gradient)
{
    for (int i = 0; i < program->variable_count; i++) {
        gradient[i] = 0;
    }
    if (program->is_constant) {
        return program->constant;
    }

    int count = program->operation_count;
    double *weights = registers + count;
    evaluate(program, slots, state, registers);
    for (int i = 0; i < count; i++) {
        weights[i] = 0;
    }
    weights[count - 1] = 1;
    backwards(program, state, count - 1, registers, weights, gradient);
    return registers[count - 1];
}
