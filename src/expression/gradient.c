/* Reverse mode. With w_i = d(value) / d(register i), from the last operation to the first:
 *
 *     w_last = 1,     w_operand += w_i * d(operation i) / d(operand)
 *
 * An operation whose w is zero is not looked at: it cannot matter, and in a branch that is not
 * selected it may have no derivative at all. A. Griewank, A. Walther, "Evaluating Derivatives",
 * SIAM 2008, chapter 3. */

#include "expression/operation.h"

double dt_program_gradient(const dt_program *program, const double *slots, const int *state,
                           double *registers, double *gradient)
{
    if (program->callback) {
        return dt_program_call(program, slots, gradient);
    }
    for (int i = 0; i < program->variable_count; i++) {
        gradient[i] = 0;
    }
    if (program->is_constant) {
        return program->constant;
    }

    int count = program->operation_count;
    double *weights = registers + count;
    dt_program_evaluate(program, slots, state, registers);
    for (int i = 0; i < count; i++) {
        weights[i] = 0;
    }
    weights[count - 1] = 1;

    for (int i = count - 1; i >= 0; i--) {
        const dt_operation *operation = &program->operations[i];
        const int *operand = operation->operand;
        if (weights[i] == 0 || operation->code == DT_OP_CONSTANT) {
            continue;
        }
        if (operation->code == DT_OP_VARIABLE) {
            gradient[operation->index] += weights[i];
        } else if (operation->code == DT_OP_SELECT) {
            weights[registers[operand[0]] != 0 ? operand[1] : operand[2]] += weights[i];
        } else {
            double first[2];
            dt_operation_slope(operation, registers, registers[i], state, first);
            weights[operand[0]] += weights[i] * first[0];
            if (first[1] != 0) {
                weights[operand[1]] += weights[i] * first[1];
            }
        }
    }
    return registers[count - 1];
}
