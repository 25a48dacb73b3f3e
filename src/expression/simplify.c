/* What an operation is equal to whatever its variables are:
 *
 *     x + 0 = x - 0 = 1 x = x / 1 = x^1 = x     0 - x = -x     0 x = 0     x^0 = 1     x^2 = x x
 *     if(1, a, b) = if(0, b, a) = if(c, a, a) = a
 *     a and 0 = 0     a and 1 = a     a or 1 = 1     a or 0 = a
 *     min(a, a) = max(a, a) = a     (a < a) = 0     (a <= a) = 1
 *
 * 0 x = 0 switches off a term by a parameter, with all its discontinuities; it does not hide an
 * error in x. */

#include "expression/graph.h"

/* The node if it is the constant `value`. */
static bool is_number(const dt_graph *graph, int node, double value)
{
    double constant;
    return dt_graph_is_constant(graph, node, &constant) && constant == value;
}

static int simplify_sum(dt_graph *graph, int a, int b)
{
    return is_number(graph, a, 0) ? b : is_number(graph, b, 0) ? a : -1;
}

static int simplify_difference(dt_graph *graph, int a, int b, size_t place)
{
    if (is_number(graph, b, 0)) {
        return a;
    }
    return is_number(graph, a, 0) ? dt_graph_apply(graph, DT_OP_NEGATE, &b, place) : -1;
}

static int simplify_product(dt_graph *graph, int a, int b)
{
    for (int i = 0; i < 2; i++) {
        int factor = i ? b : a;
        int other = i ? a : b;
        if (is_number(graph, factor, 1)) {
            return other;
        }
        if (is_number(graph, factor, 0) && !graph->nodes[other].is_tainted) {
            return factor;
        }
    }
    return -1;
}

static int simplify_power(dt_graph *graph, int a, int b, size_t place)
{
    if (is_number(graph, b, 1)) {
        return a;
    }
    if (is_number(graph, b, 2)) {
        return dt_graph_apply(graph, DT_OP_MULTIPLY, (int[]){a, a, 0}, place);
    }
    return is_number(graph, b, 0) && !graph->nodes[a].is_tainted
               ? dt_graph_constant(graph, 1, place)
               : -1;
}

/* `decides`: the value that settles an and (0) or an or (1) on its own; conditions are 0 or 1. */
static int simplify_logic(dt_graph *graph, int a, int b, double decides)
{
    double value;
    if (dt_graph_is_constant(graph, a, &value)) {
        return value == decides ? a : b;
    }
    if (dt_graph_is_constant(graph, b, &value)) {
        return value == decides ? b : a;
    }
    return a == b ? a : -1;
}

static int simplify_select(dt_graph *graph, const int operand[3])
{
    double value;
    if (dt_graph_is_constant(graph, operand[0], &value)) {
        return value != 0 ? operand[1] : operand[2];
    }
    return operand[1] == operand[2] ? operand[1] : -1;
}

int dt_graph_simplify(dt_graph *graph, dt_opcode code, const int operand[3], size_t place)
{
    int a = operand[0];
    int b = operand[1];
    switch (code) {
    case DT_OP_ADD:
        return simplify_sum(graph, a, b);
    case DT_OP_SUBTRACT:
        return simplify_difference(graph, a, b, place);
    case DT_OP_MULTIPLY:
        return simplify_product(graph, a, b);
    case DT_OP_DIVIDE:
        return is_number(graph, b, 1) ? a : -1;
    case DT_OP_POWER:
        return simplify_power(graph, a, b, place);
    case DT_OP_AND:
        return simplify_logic(graph, a, b, 0);
    case DT_OP_OR:
        return simplify_logic(graph, a, b, 1);
    case DT_OP_SELECT:
        return simplify_select(graph, operand);
    case DT_OP_MIN:
    case DT_OP_MAX:
        return a == b ? a : -1;
    case DT_OP_LESS:
    case DT_OP_LESS_EQUAL:
        return a == b && !graph->nodes[a].is_tainted
                   ? dt_graph_constant(graph, code == DT_OP_LESS_EQUAL, place)
                   : -1;
    default:
        return -1;
    }
}
