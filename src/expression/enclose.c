/*
 * Forward mode with intervals: every register carries its series (series.h). On its recorded branch
 * a switch is linear in its operands. A decision that is not recorded and does not come out the same
 * for all t leaves nothing known but that the result is one of two. A switch that slides (branch.h) is between its branches by a
 * weight that follows the state, and like all of that is held: any constant from 0 to 1.
 */
#include "expression/operation.h"
#include "expression/series.h"

#include <math.h>

/* One of two, and any derivative. */
static void either(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    dt_series_unknown(order, y);
    y->c[0] = dt_interval_hull(a->c[0], b->c[0]);
}

/* On a branch: value, or the operands with their slopes. */
static void on_branch(const dt_function *function, int branch, const dt_series *a,
                      const dt_series *b, int order, dt_series *y)
{
    double first[2];
    function->branch_slope(branch, first);
    if (first[0] == 0 && first[1] == 0) {
        dt_series_constant(function->on_branch(branch, a->c[0].lo, b->c[0].lo), order, y);
        return;
    }
    const dt_series *chosen = first[0] != 0 ? a : b;
    for (int k = 0; k <= order; k++) {
        y->c[k] = dt_interval_scale(first[0] != 0 ? first[0] : first[1], chosen->c[k]);
    }
}

/* Between two, by a weight that is held. */
static void blend(const dt_series *a, const dt_series *b, int order, dt_series *y)
{
    for (int k = 0; k <= order; k++) {
        y->c[k] = dt_interval_hull(a->c[k], b->c[k]);
    }
}

/* Whether a condition is a weight that is held, or made of such. */
static bool is_weight(const dt_series *a, int order)
{
    bool held = a->c[0].lo >= 0 && a->c[0].hi <= 1;
    for (int k = 1; k <= order && held; k++) {
        held = a->c[k].lo == 0 && a->c[k].hi == 0;
    }
    return held;
}

/* A switch that slides. */
static void between(const dt_function *function, const dt_branch *branch, const dt_series *a,
                    const dt_series *b, int order, dt_series *y)
{
    const bool integer = function->kind == DT_FUNCTION_INTEGER;
    dt_series below, above;
    on_branch(function, integer ? branch->border - 1 : -1, a, b, order, &below);
    on_branch(function, integer ? branch->border : 1, a, b, order, &above);
    blend(&below, &above, order, y);
}

static bool is_recorded(const dt_operation *o, const dt_branch *state)
{
    return dt_functions[o->code].branch && state && o->index >= 0 &&
           state[o->index].side != DT_BRANCH_LIVE;
}

/* A switch that is not recorded: by what its operands may be, corner by corner. */
static void live_switch(const dt_operation *o, const dt_series *a, const dt_series *b, int order,
                        dt_series *y)
{
    const dt_function *function = &dt_functions[o->code];
    const bool in_table = o->code == DT_OP_SEGMENT;
    const int first = in_table ? dt_curve_group(dt_operation_axis(o), a->c[0].lo)
                               : function->branch(a->c[0].lo, b->c[0].hi);
    const int last = in_table ? dt_curve_group(dt_operation_axis(o), a->c[0].hi)
                              : function->branch(a->c[0].hi, b->c[0].lo);
    dt_series one, other;
    if (first == last && first != DT_BRANCH_LIVE) {
        on_branch(function, first, a, b, order, y);
        return;
    }
    if (function->kind == DT_FUNCTION_INTEGER) {
        dt_series_unknown(order, y);
        y->c[0] = in_table ? (dt_interval){first, last}
                           : (dt_interval){floor(a->c[0].lo), floor(a->c[0].hi)};
        return;
    }
    on_branch(function, first, a, b, order, &one);
    on_branch(function, last, a, b, order, &other);
    either(&one, &other, order, y);
}

/* Logic and equality: known where the operands are. */
static void logic(const dt_function *function, const dt_series *a, const dt_series *b, int order,
                  dt_series *y)
{
    if (dt_interval_is_point(a->c[0]) && dt_interval_is_point(b->c[0])) {
        dt_series_constant(function->value(a->c[0].lo, b->c[0].lo), order, y);
        return;
    }
    if (is_weight(a, order) && is_weight(b, order)) {
        dt_series_constant(0, order, y);
    } else {
        dt_series_unknown(order, y);
    }
    y->c[0] = (dt_interval){0, 1};
}

static void choose(const dt_series *condition, const dt_series *a, const dt_series *b, int order,
                   dt_series *y)
{
    const dt_interval c = condition->c[0];
    if (!dt_interval_holds(c, 0)) {
        *y = *a;
    } else if (c.lo == 0 && c.hi == 0) {
        *y = *b;
    } else if (is_weight(condition, order)) {
        blend(a, b, order, y);
    } else {
        either(a, b, order, y);
    }
}

/* Of a function nothing is known but its value where nothing goes. */
static void enclose_call(const dt_call *call, const dt_series *registers, int order, dt_series *y)
{
    double arguments[DETENT_MAX_ARGUMENTS];
    int place[DETENT_MAX_ARGUMENTS];
    bool constant = true;
    for (int k = 0; k < call->callback->argument_count && constant; k++) {
        constant = dt_series_is_constant(&registers[call->operand[k]], order);
        arguments[k] = registers[call->operand[k]].c[0].lo;
        place[k] = k;
    }
    const double value =
        constant ? dt_call_value(&(dt_call){call->callback, place, 0}, arguments, NULL) : NAN;
    if (isfinite(value)) {
        dt_series_constant(value, order, y);
    } else {
        dt_series_unknown(order, y);
    }
}

static void enclose(const dt_operation *o, const dt_series *slots, const dt_branch *state,
                    int order, const dt_series *registers, dt_series *y)
{
    const dt_function *function = &dt_functions[o->code];
    const dt_series *a = &registers[o->operand[0]],
                    *b = function->max_arguments > 1 ? &registers[o->operand[1]] : a;
    if (o->code == DT_OP_CONSTANT) {
        dt_series_constant(o->constant, order, y);
    } else if (o->code == DT_OP_VARIABLE) {
        *y = slots[o->index];
    } else if (o->code == DT_OP_SELECT) {
        choose(a, b, &registers[o->operand[2]], order, y);
    } else if (o->code == DT_OP_CALL) {
        enclose_call(o->call, registers, order, y);
    } else if (o->code == DT_OP_TABLE) {
        dt_curve_enclose(o->curve, a, NULL, b, order, y);
    } else if (o->code == DT_OP_TABLE2) {
        dt_curve_enclose(o->curve, a, b, &registers[o->operand[2]], order, y);
    } else if (is_recorded(o, state) && state[o->index].side == DT_BRANCH_SLIDING) {
        between(function, &state[o->index], a, b, order, y);
    } else if (is_recorded(o, state)) {
        on_branch(function, state[o->index].side, a, b, order, y);
    } else if (function->branch) {
        live_switch(o, a, b, order, y);
    } else if (!function->series) {
        logic(function, a, b, order, y);
    } else if (dt_series_is_constant(a, order) && dt_series_is_constant(b, order)) {
        dt_series_constant(function->value(a->c[0].lo, b->c[0].lo), order, y);
    } else {
        function->series(a, b, order, y);
    }
}

void dt_program_enclose(const dt_program *program, const dt_series *slots, const dt_branch *state,
                        int order, bool timed, dt_series *registers)
{
    for (int i = 0; i < program->operation_count; i++) {
        if (!timed || !(program->reads[i] & DT_READS_STATE)) {
            enclose(&program->operations[i], slots, state, order, registers, &registers[i]);
        }
    }
}

static dt_pace faster(dt_pace a, dt_pace b)
{
    return a > b ? a : b;
}

static dt_pace pace_of_call(const dt_call *call, const dt_pace *operations)
{
    dt_pace pace = DT_PACE_CONSTANT;
    for (int k = 0; k < call->callback->argument_count; k++) {
        pace = operations[call->operand[k]] == DT_PACE_CONSTANT ? pace : DT_PACE_ANY;
    }
    return pace;
}

/* Of an operation, from those of its operands. */
static dt_pace pace(const dt_operation *o, const dt_pace *operations)
{
    const dt_function *function = &dt_functions[o->code];
    const dt_pace a = operations[o->operand[0]],
                  b = function->max_arguments > 1 ? operations[o->operand[1]] : DT_PACE_CONSTANT;
    double first[2] = {1, 1};
    if (o->code == DT_OP_SELECT && a == DT_PACE_CONSTANT) {
        return faster(b, operations[o->operand[2]]);
    }
    if (function->branch && o->index >= 0) { /* recorded: linear, or one value */
        function->branch_slope(1, first);
        return first[0] == 0 && first[1] == 0 ? DT_PACE_CONSTANT : faster(a, b);
    }
    switch (o->code) {
    case DT_OP_NEGATE:
    case DT_OP_ADD:
    case DT_OP_SUBTRACT:
        return faster(a, b);
    case DT_OP_MULTIPLY:
        return a == DT_PACE_CONSTANT ? b : b == DT_PACE_CONSTANT ? a : DT_PACE_ANY;
    case DT_OP_DIVIDE:
        return b == DT_PACE_CONSTANT ? a : DT_PACE_ANY;
    default:
        return faster(a, b) == DT_PACE_CONSTANT ? DT_PACE_CONSTANT : DT_PACE_ANY;
    }
}

dt_pace dt_program_pace(const dt_program *p, const dt_pace *variables, dt_pace *operations)
{
    for (int i = 0; i < p->operation_count; i++) {
        const dt_operation *o = &p->operations[i];
        if (o->code == DT_OP_CONSTANT) {
            operations[i] = DT_PACE_CONSTANT;
        } else if (o->code == DT_OP_VARIABLE) {
            operations[i] = variables[o->index];
        } else if (o->code == DT_OP_CALL) {
            operations[i] = pace_of_call(o->call, operations);
        } else {
            operations[i] = pace(o, operations);
        }
    }
    return operations[p->operation_count - 1];
}

bool dt_program_calls_go(const dt_program *p, const dt_pace *operations)
{
    bool any = false;
    for (int i = 0; p->has_calls && i < p->operation_count && !any; i++) {
        any = p->operations[i].code == DT_OP_CALL && operations[i] != DT_PACE_CONSTANT;
    }
    return any;
}

bool dt_program_is_timed(const dt_program *program, int index)
{
    const int operation = program->switches[index];
    return program->reads[operation] == DT_READS_TIME;
}

void dt_program_enclose_roots(const dt_program *program, int index, int branch, int order,
                              const dt_series *registers, dt_series roots[2])
{
    const dt_operation *o = &program->operations[program->switches[index]];
    const dt_function *function = &dt_functions[o->code];
    const dt_series *a = &registers[o->operand[0]];
    dt_series zero, border;
    dt_series_constant(0, order, &zero);
    dt_series_constant(1, order, &roots[1]);
    if (branch == DT_BRANCH_LIVE || branch == DT_BRANCH_SLIDING) {
        roots[0] = roots[1];
    } else if (function->kind == DT_FUNCTION_INTEGER) {
        double borders[2];
        dt_operation_borders(o, branch, borders);
        dt_series_constant(borders[0], order, &border);
        dt_series_subtract(a, &border, order, &roots[0]);
        dt_series_constant(borders[1], order, &border);
        dt_series_subtract(&border, a, order, &roots[1]);
        for (int k = 0; k < 2;
             k++) { /* no border: nothing gets there, whatever the argument becomes */
            if (isinf(borders[k])) {
                dt_series_constant(DBL_MAX, order, &roots[k]);
            }
        }
    } else if (function->kind == DT_FUNCTION_STOP) {
        if (branch < 0) {
            dt_series_negate(a, &zero, order, &roots[0]);
        } else {
            roots[0] = registers[o->operand[1]];
        }
    } else {
        const dt_series *b = function->max_arguments > 1 ? &registers[o->operand[1]] : &zero;
        dt_series_subtract(branch < 0 ? b : a, branch < 0 ? a : b, order, &roots[0]);
        if (branch == 0) {
            dt_series_negate(&roots[0], &zero, order, &roots[1]);
        }
    }
}
