/* Invariant: while every recorded branch is the actual one, no root is negative, and the value with
 * the recorded branches is the value without. A root that is not a number is parked at 1, one that
 * is infinite keeps its sign. */

#include "expression/operation.h"

#include <math.h>

/* Large enough to be far, small enough to be multiplied. */
#define ROOT_MAX 1e300

void dt_program_update_switches(const dt_program *program, const double *slots, dt_branch *state,
                                double *registers)
{
    dt_program_settle_switches(program, slots, NULL, state, registers);
}

void dt_program_settle_switches(const dt_program *program, const double *slots, const bool *keep,
                                dt_branch *state, double *registers)
{
    for (int i = 0; i < program->operation_count; i++) {
        const dt_operation *operation = &program->operations[i];
        if (dt_functions[operation->code].branch && operation->index >= 0 &&
            !(keep && keep[operation->index])) {
            state[operation->index] =
                (dt_branch){.side = dt_operation_branch(operation, registers, NULL)};
        }
        registers[i] = dt_program_operation(program, i, registers, slots, state, NULL);
    }
}

static double parked(double root)
{
    return isnan(root) ? 1 : fmin(fmax(root, -ROOT_MAX), ROOT_MAX);
}

static void two_way_roots(int branch, double difference, double roots[2])
{
    /* On the branch 0 of sign both sides are foreign. */
    roots[0] = branch == 0 ? difference : branch * difference;
    roots[1] = branch == 0 ? -difference : 1;
}

/* Free: what is left to the stop. Held: as long as the rate points outward. */
static void stop_roots(int branch, double rate, double left, double roots[2])
{
    roots[0] = branch < 0 ? -rate : left;
    roots[1] = 1;
}

static void integer_roots(const dt_operation *operation, int branch, double value, double roots[2])
{
    double borders[2];
    dt_operation_borders(operation, branch, borders);
    roots[0] = value - borders[0];
    roots[1] = borders[1] - value;
}

void dt_program_roots(const dt_program *program, const double *slots, const dt_branch *state,
                      double *registers, double *roots)
{
    if (program->switch_count == 0) {
        return;
    }
    dt_program_evaluate(program, slots, state, registers);
    for (int k = 0; k < program->switch_count; k++) {
        const dt_operation *operation = &program->operations[program->switches[k]];
        const dt_function *function = &dt_functions[operation->code];
        double a = registers[operation->operand[0]];
        double b = function->max_arguments > 1 ? registers[operation->operand[1]] : 0;
        double *pair = roots + 2 * (size_t)k;
        if (state[k].side == DT_BRANCH_LIVE) {
            pair[0] = pair[1] = 1;
        } else if (state[k].side == DT_BRANCH_SLIDING) {
            pair[0] = dt_operation_weight(operation, &state[k], registers);
            pair[1] = 1 - pair[0];
        } else if (function->kind == DT_FUNCTION_TWO_WAY) {
            two_way_roots(state[k].side, a - b, pair);
        } else if (function->kind == DT_FUNCTION_STOP) {
            stop_roots(state[k].side, a, b, pair);
        } else {
            integer_roots(operation, state[k].side, a, pair);
        }
        if (state[k].side != DT_BRANCH_SLIDING) {
            pair[0] += state[k].base;
            pair[1] += state[k].base;
        }
        pair[0] = parked(pair[0]);
        pair[1] = parked(pair[1]);
    }
}

static int flipped_side(bool integer, int which, dt_branch branch)
{
    const int towards = which == 0 ? -1 : 1, side = branch.side;
    if (side == DT_BRANCH_SLIDING) {
        return integer ? branch.border - (which == 0) : towards;
    }
    if (integer) {
        return side + towards;
    }
    return side != 0 ? -side : towards;
}

dt_branch dt_program_flipped(const dt_program *program, int index, int which, dt_branch branch)
{
    const dt_operation *operation = &program->operations[program->switches[index]];
    const bool integer = dt_functions[operation->code].kind == DT_FUNCTION_INTEGER;
    if (branch.side == DT_BRANCH_LIVE) {
        return branch;
    }
    return (dt_branch){.side = flipped_side(integer, which, branch)};
}

bool dt_program_jumps(const dt_program *program, int index)
{
    return dt_functions[program->operations[program->switches[index]].code].jumps;
}

int dt_program_stop(const dt_program *program, int n)
{
    int found = -1;
    for (int k = 0; k < program->switch_count && n >= 0; k++) {
        const dt_operation *operation = &program->operations[program->switches[k]];
        found = dt_functions[operation->code].kind == DT_FUNCTION_STOP && n-- == 0 ? k : found;
    }
    return found;
}

bool dt_program_is_integer(const dt_program *program, int index)
{
    const dt_operation *operation = &program->operations[program->switches[index]];
    return dt_functions[operation->code].kind == DT_FUNCTION_INTEGER;
}
