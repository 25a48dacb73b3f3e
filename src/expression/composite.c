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

/* Operations on two nodes, in short. */
static int on(dt_graph *graph, dt_opcode code, int a, int b, size_t place)
{
    return dt_graph_apply(graph, code, (int[]){a, b, 0}, place);
}

int dt_composite_deadband(dt_graph *graph, const int *arguments, size_t place)
{
    const int clamped = dt_composite_clamp(graph, arguments, place);
    return on(graph, DT_OP_SUBTRACT, arguments[0], clamped, place);
}

int dt_composite_ramp(dt_graph *graph, const int *arguments, size_t place)
{
    const int way = on(graph, DT_OP_SUBTRACT, arguments[0], arguments[1], place),
              all = on(graph, DT_OP_SUBTRACT, arguments[2], arguments[1], place),
              part = on(graph, DT_OP_DIVIDE, way, all, place),
              zero = dt_graph_constant(graph, 0, place), one = dt_graph_constant(graph, 1, place);
    return dt_composite_clamp(graph, (int[]){part, zero, one}, place);
}

int dt_composite_pulse(dt_graph *graph, const int *arguments, size_t place)
{
    const int since = dt_composite_mod(graph, arguments, place);
    return on(graph, DT_OP_LESS, since, arguments[2], place);
}

int dt_composite_chirp(dt_graph *graph, const int *arguments, size_t place)
{
    static const double pi = 3.14159265358979323846;
    const int half = dt_graph_constant(graph, 0.5, place),
              turn = dt_graph_constant(graph, 2 * pi, place),
              rate = on(graph, DT_OP_MULTIPLY, half, arguments[2], place),
              more = on(graph, DT_OP_MULTIPLY, rate, arguments[0], place),
              mean = on(graph, DT_OP_ADD, arguments[1], more, place),
              turns = on(graph, DT_OP_MULTIPLY, arguments[0], mean, place),
              angle = on(graph, DT_OP_MULTIPLY, turn, turns, place);
    return dt_graph_apply(graph, DT_OP_SIN, (int[]){angle, 0, 0}, place);
}

int dt_composite_noise(dt_graph *graph, const int *arguments, size_t place)
{
    const int one = dt_graph_constant(graph, 1, place), two = dt_graph_constant(graph, 2, place),
              seed = dt_graph_apply(graph, DT_OP_FLOOR, (int[]){arguments[2], 0, 0}, place),
              x = on(graph, DT_OP_DIVIDE, arguments[0], arguments[1], place),
              k = dt_graph_apply(graph, DT_OP_FLOOR, (int[]){x, 0, 0}, place),
              next = on(graph, DT_OP_ADD, k, one, place), a = on(graph, DT_OP_HASH, k, seed, place),
              b = on(graph, DT_OP_HASH, next, seed, place),
              rise = on(graph, DT_OP_SUBTRACT, b, a, place),
              part = on(graph, DT_OP_SUBTRACT, x, k, place),
              way = on(graph, DT_OP_MULTIPLY, part, rise, place),
              sum = on(graph, DT_OP_ADD, a, way, place),
              both = on(graph, DT_OP_MULTIPLY, two, sum, place);
    return on(graph, DT_OP_SUBTRACT, both, one, place);
}
