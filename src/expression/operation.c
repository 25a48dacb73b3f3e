#include "expression/operation.h"

#include <math.h>
#include <string.h>

int dt_operation_branch(const dt_operation *operation, const double *registers,
                        const dt_branch *state)
{
    if (state && operation->index >= 0) {
        return state[operation->index].side;
    }
    if (operation->code == DT_OP_SEGMENT) {
        const double x = registers[operation->operand[0]];
        return isnan(x) ? DT_BRANCH_LIVE : dt_curve_group(dt_operation_axis(operation), x);
    }
    return dt_functions[operation->code].branch(registers[operation->operand[0]],
                                                registers[operation->operand[1]]);
}

void dt_operation_borders(const dt_operation *operation, int branch, double borders[2])
{
    if (operation->code == DT_OP_SEGMENT) {
        dt_curve_ends(dt_operation_axis(operation), branch, borders);
    } else {
        borders[0] = branch;
        borders[1] = branch + 1.0;
    }
}

/* ---- sliding switches (branch.h) ---- */

/* The recorded branch, if the operation is a switch that slides; else NULL. */
static const dt_branch *sliding(const dt_operation *operation, const dt_branch *state)
{
    const dt_branch *branch = state && operation->index >= 0 && operation->code != DT_OP_VARIABLE
                                  ? &state[operation->index]
                                  : NULL;
    return branch && branch->side == DT_BRANCH_SLIDING ? branch : NULL;
}

double dt_operation_distance(const dt_operation *operation, const double *registers)
{
    const dt_function *function = &dt_functions[operation->code];
    const double b = function->kind == DT_FUNCTION_TWO_WAY && function->max_arguments > 1
                         ? registers[operation->operand[1]]
                         : 0;
    return registers[operation->operand[0]] - b;
}

double dt_operation_weight(const dt_operation *operation, const dt_branch *branch,
                           const double *registers)
{
    return branch->base +
           branch->slope * (dt_operation_distance(operation, registers) - branch->border);
}

/* The branch below the border, or that above. */
static int side_of(const dt_function *function, const dt_branch *branch, bool above)
{
    return function->kind == DT_FUNCTION_INTEGER ? branch->border - !above : above ? 1 : -1;
}

/* Values of both branches: below, above. */
static void sides(const dt_operation *operation, const dt_branch *branch, const double *registers,
                  double value[2])
{
    const dt_function *function = &dt_functions[operation->code];
    const double a = registers[operation->operand[0]], b = registers[operation->operand[1]];
    for (int above = 0; above < 2; above++) {
        value[above] = function->on_branch(side_of(function, branch, above), a, b);
    }
}

static double sliding_value(const dt_operation *operation, const dt_branch *branch,
                            const double *registers)
{
    const double w = dt_operation_weight(operation, branch, registers);
    double value[2];
    sides(operation, branch, registers, value);
    return (1 - w) * value[0] + w * value[1];
}

static void sliding_slope(const dt_operation *operation, const dt_branch *branch,
                          const double *registers, double first[2])
{
    const dt_function *function = &dt_functions[operation->code];
    const double w = dt_operation_weight(operation, branch, registers);
    double value[2], below[2], above[2];
    sides(operation, branch, registers, value);
    function->branch_slope(side_of(function, branch, false), below);
    function->branch_slope(side_of(function, branch, true), above);
    const double steep = branch->slope * (value[1] - value[0]);
    first[0] = (1 - w) * below[0] + w * above[0] + steep;
    first[1] = (1 - w) * below[1] + w * above[1];
    if (function->kind == DT_FUNCTION_TWO_WAY && function->max_arguments > 1) {
        first[1] -= steep;
    }
}

/* ---- any operation ---- */

/* A condition is 0 or 1, or the weight of a switch that slides. */
static double select(double condition, double yes, double no)
{
    return condition == 0 ? no : condition == 1 ? yes : condition * yes + (1 - condition) * no;
}

double dt_operation_value(const dt_operation *operation, const double *registers,
                          const double *slots, const dt_branch *state)
{
    const int *operand = operation->operand;
    switch (operation->code) {
    case DT_OP_CONSTANT:
        return operation->constant;
    case DT_OP_VARIABLE:
        return slots[operation->index];
    case DT_OP_SELECT:
        return select(registers[operand[0]], registers[operand[1]], registers[operand[2]]);
    case DT_OP_CALL:
        return dt_call_value(operation->call, registers, NULL);
    case DT_OP_TABLE:
        return dt_curve_value(operation->curve, registers[operand[0]], 0, registers[operand[1]],
                              NULL, NULL);
    case DT_OP_TABLE2:
        return dt_curve_value(operation->curve, registers[operand[0]], registers[operand[1]],
                              registers[operand[2]], NULL, NULL);
    default:
        break;
    }
    const dt_function *function = &dt_functions[operation->code];
    double a = registers[operand[0]];
    double b = registers[operand[1]];
    if (function->value) {
        return function->value(a, b);
    }
    const dt_branch *between = sliding(operation, state);
    return between ? sliding_value(operation, between, registers)
                   : function->on_branch(dt_operation_branch(operation, registers, state), a, b);
}

void dt_operation_slope(const dt_operation *operation, const double *registers, double value,
                        const dt_branch *state, double first[2])
{
    const dt_function *function = &dt_functions[operation->code];
    first[0] = first[1] = 0;
    if (operation->code == DT_OP_TABLE || operation->code == DT_OP_TABLE2) {
        const int *operand = operation->operand;
        const bool two = operation->code == DT_OP_TABLE2;
        dt_curve_value(operation->curve, registers[operand[0]], two ? registers[operand[1]] : 0,
                       registers[operand[1 + two]], first, NULL);
    } else if (function->slope) {
        function->slope(registers[operation->operand[0]], registers[operation->operand[1]], value,
                        first);
    } else if (sliding(operation, state)) {
        sliding_slope(operation, sliding(operation, state), registers, first);
    } else if (function->branch_slope) {
        function->branch_slope(dt_operation_branch(operation, registers, state), first);
    }
    for (int i = 0; i < 2; i++) {
        if (!isfinite(first[i]) && isfinite(value)) {
            first[i] = 0;
        }
    }
}

int dt_operand_count(dt_opcode code)
{
    const int most = dt_functions[code].max_arguments;
    return code == DT_OP_CONSTANT || code == DT_OP_VARIABLE ? 0
           : most < 3                                       ? most
           : code == DT_OP_SELECT || code == DT_OP_TABLE2   ? 3
                                                            : 2;
}

/* ---- calls that failed ---- */

/* Whether operand k counts: of a choice, the condition and what it selects. */
static bool has_influence(const dt_operation *operation, int k, const double *registers)
{
    if (operation->code != DT_OP_SELECT || k == 0) {
        return true;
    }
    const double condition = registers[operation->operand[0]];
    return condition == 0 ? k == 2 : condition == 1 ? k == 1 : true;
}

/* The first operand with an influence that is a call that failed, or is made of one; NULL: none is. */
static const double *failed_operand(const dt_operation *operation, const double *registers)
{
    dt_call_failure ignored;
    const int *operands, count = dt_operation_operands(operation, &operands);
    for (int k = 0; k < count; k++) {
        const double *value = &registers[operands[k]];
        if (isnan(*value) && dt_call_is_failed(*value, &ignored) &&
            has_influence(operation, k, registers)) {
            return value;
        }
    }
    return NULL;
}

double dt_program_operation(const dt_program *program, int i, const double *registers,
                            const double *slots, const dt_branch *state, double *slopes)
{
    const dt_operation *operation = &program->operations[i];
    const double *failed = program->has_calls ? failed_operand(operation, registers) : NULL;
    return failed ? *failed
           : operation->code == DT_OP_CALL
               ? dt_call_value(operation->call, registers,
                               slopes ? slopes + operation->call->slope : NULL)
               : dt_operation_value(operation, registers, slots, state);
}

bool dt_program_failed_call(const dt_program *program, const double *registers, double value,
                            dt_call_failure *failure)
{
    failure->callback = NULL;
    if (!program->has_calls || !isnan(value) || !dt_call_is_failed(value, failure)) {
        return false;
    }
    for (int i = 0; i < program->operation_count && !failure->callback; i++) {
        const dt_operation *operation = &program->operations[i];
        if (operation->code == DT_OP_CALL && memcmp(&registers[i], &value, sizeof value) == 0 &&
            !failed_operand(operation, registers)) {
            failure->callback = operation->call->callback;
        }
    }
    return failure->callback != NULL;
}

/* ---- programs ---- */

void dt_program_evaluate(const dt_program *program, const double *slots, const dt_branch *state,
                         double *registers)
{
    if (program->has_calls) {
        for (int i = 0; i < program->operation_count; i++) {
            registers[i] = dt_program_operation(program, i, registers, slots, state, NULL);
        }
        return;
    }
    for (int i = 0; i < program->operation_count; i++) {
        registers[i] = dt_operation_value(&program->operations[i], registers, slots, state);
    }
}
