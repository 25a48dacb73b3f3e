/* Forward mode in t, to second order. Every register carries (x, x', x''); for f(a, b)
 *
 *     f'  = f_a a' + f_b b'
 *     f'' = f_a a'' + f_b b'' + f_aa a'^2 + 2 f_ab a' b' + f_bb b'^2
 *
 * and for f(a) the same without b. */

#include "expression/operation.h"

#include <math.h>

/* A factor of zero wins over a rate that is not finite: it stands for an operand without influence.
 */
static double times(double factor, double rate)
{
    return factor == 0 ? 0 : factor * rate;
}

/* The derivatives of one operation from those of its operands: rates[2 i] = x_i', rates[2 i + 1] =
 * x_i''. */
static void differentiate(const dt_operation *operation, const double *values,
                          const dt_branch *state, size_t i, double *rates)
{
    const double *a = rates + 2 * (size_t)operation->operand[0];
    const double *b = rates + 2 * (size_t)operation->operand[1];
    const dt_function *function = &dt_functions[operation->code];
    double first[2], second[3] = {0};

    dt_operation_slope(operation, values, values[i], state, first);
    if (dt_operation_curve(operation)) {
        const int *operand = operation->operand;
        const bool two = operation->code == DT_OP_TABLE2;
        if (operation->code != DT_OP_SEGMENT) {
            double slope[2];
            dt_curve_value(operation->curve, values[operand[0]], two ? values[operand[1]] : 0,
                           values[operand[1 + two]], slope, second);
        }
    } else if (function->curvature) {
        function->curvature(values[operation->operand[0]], values[operation->operand[1]], values[i],
                            second);
        for (int k = 0; k < 3; k++) {
            if (!isfinite(second[k]) && isfinite(values[i])) {
                second[k] = 0;
            }
        }
    }
    rates[2 * i] = times(first[0], a[0]) + times(first[1], b[0]);
    rates[2 * i + 1] = times(first[0], a[1]) + times(first[1], b[1]) +
                       times(second[0], a[0] * a[0]) + times(2 * second[1], a[0] * b[0]) +
                       times(second[2], b[0] * b[0]);
}

void dt_program_time_jet(const dt_program *program, double time, const dt_branch *state,
                         double *registers, double jet[3])
{
    jet[0] = program->constant;
    jet[1] = jet[2] = 0;
    if (program->is_constant) {
        return;
    }
    size_t count = (size_t)program->operation_count;
    double *rates = registers + count;
    dt_program_evaluate(program, &time, state, registers);
    for (size_t i = 0; i < count; i++) {
        const dt_operation *operation = &program->operations[i];
        if (operation->code == DT_OP_CONSTANT || operation->code == DT_OP_VARIABLE) {
            rates[2 * i] = operation->code == DT_OP_VARIABLE;
            rates[2 * i + 1] = 0;
        } else if (operation->code == DT_OP_SELECT) {
            size_t chosen =
                (size_t)operation->operand[registers[operation->operand[0]] != 0 ? 1 : 2];
            rates[2 * i] = rates[2 * chosen];
            rates[2 * i + 1] = rates[2 * chosen + 1];
        } else {
            differentiate(operation, registers, state, i, rates);
        }
    }
    jet[0] = registers[count - 1];
    jet[1] = rates[2 * count - 2];
    jet[2] = rates[2 * count - 1];
}
