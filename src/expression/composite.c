#include "expression/composite.h"

int dt_composite_greater(dt_graph *graph, const int *arguments, size_t place)
{
    return dt_graph_apply(graph, DT_OP_LESS, (int[]){arguments[1], arguments[0], 0}, place);
}

int dt_composite_greater_equal(dt_graph *graph, const int *arguments, size_t place)
{
    return dt_graph_apply(graph, DT_OP_LESS_EQUAL, (int[]){arguments[1], arguments[0], 0}, place);
}

int dt_composite_ceil(dt_graph *graph, const int *arguments, size_t place)
{
    int minus = dt_graph_apply(graph, DT_OP_NEGATE, arguments, place);
    int floor = dt_graph_apply(graph, DT_OP_FLOOR, (int[]){minus, 0, 0}, place);
    return dt_graph_apply(graph, DT_OP_NEGATE, (int[]){floor, 0, 0}, place);
}

int dt_composite_round(dt_graph *graph, const int *arguments, size_t place)
{
    int half = dt_graph_constant(graph, 0.5, place);
    int sum = dt_graph_apply(graph, DT_OP_ADD, (int[]){arguments[0], half, 0}, place);
    return dt_graph_apply(graph, DT_OP_FLOOR, (int[]){sum, 0, 0}, place);
}

int dt_composite_mod(dt_graph *graph, const int *arguments, size_t place)
{
    int quotient = dt_graph_apply(graph, DT_OP_DIVIDE, arguments, place);
    int floor = dt_graph_apply(graph, DT_OP_FLOOR, (int[]){quotient, 0, 0}, place);
    int whole = dt_graph_apply(graph, DT_OP_MULTIPLY, (int[]){arguments[1], floor, 0}, place);
    return dt_graph_apply(graph, DT_OP_SUBTRACT, (int[]){arguments[0], whole, 0}, place);
}

int dt_composite_clamp(dt_graph *graph, const int *arguments, size_t place)
{
    int raised = dt_graph_apply(graph, DT_OP_MAX, (int[]){arguments[0], arguments[1], 0}, place);
    return dt_graph_apply(graph, DT_OP_MIN, (int[]){raised, arguments[2], 0}, place);
}
