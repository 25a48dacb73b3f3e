#include "expression/operation.h"

#include <math.h>

int dt_operation_branch(const dt_operation *operation, const double *registers, const int *state)
{
    if (state && operation->index >= 0) {
        return state[operation->index];
    }
    return dt_functions[operation->code].branch(registers[operation->operand[0]],
                                                registers[operation->operand[1]]);
}

double dt_operation_value(const dt_operation *operation, const double *registers,
                          const double *slots, const int *state)
{
    const int *operand = operation->operand;
    switch (operation->code) {
    case DT_OP_CONSTANT:
        return operation->constant;
    case DT_OP_VARIABLE:
        return slots[operation->index];
    case DT_OP_SELECT:
        return registers[registers[operand[0]] != 0 ? operand[1] : operand[2]];
    default:
        break;
    }
    const dt_function *function = &dt_functions[operation->code];
    double a = registers[operand[0]];
    double b = registers[operand[1]];
    if (function->value) {
        return function->value(a, b);
    }
    return function->on_branch(dt_operation_branch(operation, registers, state), a, b);
}

void dt_operation_slope(const dt_operation *operation, const double *registers, double value,
                        const int *state, double first[2])
{
    const dt_function *function = &dt_functions[operation->code];
    first[0] = first[1] = 0;
    if (function->slope) {
        function->slope(registers[operation->operand[0]], registers[operation->operand[1]], value,
                        first);
    } else if (function->branch_slope) {
        function->branch_slope(dt_operation_branch(operation, registers, state), first);
    }
    for (int i = 0; i < 2; i++) {
        if (!isfinite(first[i]) && isfinite(value)) {
            first[i] = 0;
        }
    }
}

void dt_program_evaluate(const dt_program *program, const double *slots, const int *state,
                         double *registers)
{
    for (int i = 0; i < program->operation_count; i++) {
        registers[i] = dt_operation_value(&program->operations[i], registers, slots, state);
    }
}
