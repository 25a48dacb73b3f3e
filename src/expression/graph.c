/* Invariants: the operands of a node are nodes before it; no two nodes that are not bad are equal;
 * a node whose operands are all constants is a constant or bad. */

#include "expression/graph.h"
#include "expression/demand.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_NODES = 16 };

void dt_graph_init(dt_graph *graph, dt_arena *arena, int limit)
{
    *graph = (dt_graph){.arena = arena, .limit = limit};
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

/* 0 and -0 are two constants. */
static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t hash_operation(const dt_operation *o)
{
    uint64_t hash = mix((uint64_t)o->code, bits_of(o->constant));
    if (o->code == DT_OP_CALL) {
        hash = mix(hash, (uint64_t)(uintptr_t)o->call->callback);
        for (int k = 0; k < o->call->callback->argument_count; k++) {
            hash = mix(hash, (uint64_t)o->call->operand[k]);
        }
        return hash;
    }
    hash = mix(hash, (uint64_t)(uintptr_t)o->curve);
    for (int i = 0; i < 3; i++) {
        hash = mix(hash, (uint64_t)o->operand[i]);
    }
    return hash;
}

static bool is_same(const dt_operation *a, const dt_operation *b)
{
    if (a->code == DT_OP_CALL && b->code == DT_OP_CALL) {
        return a->call->callback == b->call->callback &&
               memcmp(a->call->operand, b->call->operand,
                      (size_t)a->call->callback->argument_count * sizeof(int)) == 0;
    }
    return a->code == b->code && memcmp(a->operand, b->operand, sizeof a->operand) == 0 &&
           bits_of(a->constant) == bits_of(b->constant) && a->curve == b->curve;
}

/* The entry of the table that holds the operation, or the free one where it belongs. */
static int *find(const dt_graph *graph, const dt_operation *operation)
{
    size_t i = hash_operation(operation) & (graph->table_size - 1);
    while (graph->table[i] && !is_same(&graph->nodes[graph->table[i] - 1].operation, operation)) {
        i = (i + 1) & (graph->table_size - 1);
    }
    return &graph->table[i];
}

static int fail(dt_graph *graph, detent_status status)
{
    graph->status = status;
    return -1;
}

/* Room for one more node. */
static bool reserve(dt_graph *graph)
{
    if (graph->count == graph->limit) {
        return fail(graph, DETENT_ERROR_MODEL) >= 0;
    }
    if (graph->count < graph->capacity) {
        return true;
    }
    int capacity = graph->capacity ? 2 * graph->capacity : FIRST_NODES;
    size_t table_size = 2 * (size_t)capacity;
    dt_graph_node *nodes = dt_arena_grow(graph->arena, graph->nodes, (size_t)graph->capacity,
                                         (size_t)capacity, sizeof *nodes);
    int *table = nodes ? dt_arena_alloc(graph->arena, table_size, sizeof *table) : NULL;
    if (!table) {
        return fail(graph, DETENT_ERROR_MEMORY) >= 0;
    }
    graph->nodes = nodes;
    graph->capacity = capacity;
    graph->table = table;
    graph->table_size = table_size;
    for (int i = 0; i < graph->count; i++) {
        if (!nodes[i].is_bad) {
            *find(graph, &nodes[i].operation) = i + 1;
        }
    }
    return true;
}

static int add(dt_graph *graph, const dt_graph_node *node)
{
    if (graph->status) {
        return -1;
    }
    if (!node->is_bad && graph->count > 0) {
        int found = *find(graph, &node->operation);
        if (found) {
            return found - 1;
        }
    }
    if (!reserve(graph)) {
        return -1;
    }
    if (!node->is_bad) {
        *find(graph, &node->operation) = graph->count + 1;
    }
    graph->nodes[graph->count] = *node;
    return graph->count++;
}

int dt_graph_constant(dt_graph *graph, double value, size_t place)
{
    dt_operation operation = {.code = DT_OP_CONSTANT, .constant = value};
    return add(graph, &(dt_graph_node){.operation = operation, .place = place, .is_steady = true});
}

int dt_graph_variable(dt_graph *graph, dt_variable variable, size_t place)
{
    dt_operation operation = {.code = DT_OP_VARIABLE,
                              .operand = {(int)variable.kind, variable.index}};
    bool is_steady = dt_variable_is(variable, DT_OF_EVENTS);
    return add(graph,
               &(dt_graph_node){.operation = operation, .place = place, .is_steady = is_steady});
}

bool dt_graph_is_constant(const dt_graph *graph, int node, double *value)
{
    const dt_operation *operation = &graph->nodes[node].operation;
    if (operation->code == DT_OP_CONSTANT) {
        *value = operation->constant;
        return true;
    }
    return false;
}

/* A node as a condition, 0 or 1: a comparison or a logical operation is one, x stands for x != 0.
 */
static int truth(dt_graph *graph, int node, size_t place)
{
    dt_opcode code = graph->nodes[node].operation.code;
    if (code >= DT_OP_LESS && code <= DT_OP_NOT) {
        return node;
    }
    int zero = dt_graph_constant(graph, 0, place);
    return dt_graph_apply(graph, DT_OP_NOT_EQUAL, (int[]){node, zero, 0}, place);
}

static bool takes_truth(dt_opcode code, int operand)
{
    return code == DT_OP_AND || code == DT_OP_OR || code == DT_OP_NOT ||
           (code == DT_OP_SELECT && operand == 0);
}

/* Where all operands are constants: the value takes the place of the operation, or the node is bad.
 */
static int fold(dt_graph *graph, dt_graph_node *node, int arity)
{
    double values[3] = {0};
    if (node->operation.code == DT_OP_DIVIDE &&
        dt_graph_is_constant(graph, node->operation.operand[1], &values[1]) && values[1] == 0) {
        node->is_bad = node->is_tainted = true;
        return -1;
    }
    for (int i = 0; i < arity; i++) {
        if (!dt_graph_is_constant(graph, node->operation.operand[i], &values[i])) {
            return -1;
        }
    }
    dt_operation operation = node->operation;
    for (int i = 0; i < 3; i++) {
        operation.operand[i] = i < arity ? i : 0;
    }
    operation.index = -1;
    double value = dt_operation_value(&operation, values, NULL, NULL);
    if (isfinite(value)) {
        return dt_graph_constant(graph, value, node->place);
    }
    node->is_bad = node->is_tainted = true;
    return -1;
}

/* Between events nothing changes that is a number, a comparison, a sign, an integer part, or made
 * of such. */
static bool is_steady(const dt_graph *graph, const dt_operation *operation, int arity)
{
    const dt_function *function = &dt_functions[operation->code];
    if (function->kind == DT_FUNCTION_LOGIC || function->kind == DT_FUNCTION_INTEGER ||
        operation->code == DT_OP_LESS || operation->code == DT_OP_LESS_EQUAL ||
        operation->code == DT_OP_SIGN) {
        return true;
    }
    for (int i = 0; i < arity; i++) {
        if (!graph->nodes[operation->operand[i]].is_steady) {
            return false;
        }
    }
    return true;
}

/* A switch whose operands change only at events need not be watched in between. */
static bool has_root(const dt_graph *graph, const dt_operation *operation, int arity)
{
    bool varies = false;
    for (int i = 0; i < arity; i++) {
        varies |= !graph->nodes[operation->operand[i]].is_steady;
    }
    return varies && dt_functions[operation->code].branch;
}

/* An operation without its operands, on these. */
static int apply(dt_graph *graph, const dt_operation *operation, const int *arguments, size_t place)
{
    const dt_opcode code = operation->code;
    const int arity = dt_operand_count(code);
    dt_graph_node node = {.operation = *operation, .place = place};
    int *operand = node.operation.operand;

    for (int i = 0; i < arity; i++) {
        operand[i] = arguments[i];
        if (operand[i] >= 0 && takes_truth(code, i)) {
            operand[i] = truth(graph, operand[i], place);
        }
        if (operand[i] < 0) {
            return -1;
        }
        node.is_tainted |= graph->nodes[operand[i]].is_tainted;
    }

    int simpler = fold(graph, &node, arity);
    if (simpler < 0 && !node.is_bad) {
        simpler = dt_graph_simplify(graph, code, operand, place);
    }
    if (simpler >= 0 || graph->status) {
        return simpler;
    }
    /* a + b and b + a are the same to the last bit. */
    if ((code == DT_OP_ADD || code == DT_OP_MULTIPLY) && operand[0] > operand[1]) {
        int first = operand[0];
        operand[0] = operand[1];
        operand[1] = first;
    }
    node.is_steady = is_steady(graph, &node.operation, arity);
    node.operation.index = has_root(graph, &node.operation, arity) ? 0 : -1;
    return add(graph, &node);
}

static bool is_refused(const dt_graph *graph, dt_opcode code, const int *arguments)
{
    double values[DT_DEMAND_ARGUMENTS] = {NAN, NAN, NAN};
    const char *wanted;
    for (int k = 0; k < dt_functions[code].max_arguments; k++) {
        if (arguments[k] < 0) {
            return false;
        }
        dt_graph_is_constant(graph, arguments[k], &values[k]);
    }
    return dt_demand_broken(code, values, &wanted) >= 0;
}

/* The composite itself, which no program can contain. */
static int refuse(dt_graph *graph, dt_opcode code, const int *arguments, size_t place)
{
    dt_graph_node node = {.operation = {.code = code, .index = -1},
                          .place = place,
                          .is_bad = true,
                          .is_tainted = true};
    memcpy(node.operation.operand, arguments, sizeof node.operation.operand);
    return add(graph, &node);
}

int dt_graph_apply(dt_graph *graph, dt_opcode code, const int *arguments, size_t place)
{
    const dt_function *function = &dt_functions[code];
    const dt_operation operation = {.code = code};
    if (function->kind != DT_FUNCTION_COMPOSITE) {
        return apply(graph, &operation, arguments, place);
    }
    return is_refused(graph, code, arguments) ? refuse(graph, code, arguments, place)
                                              : function->build(graph, arguments, place);
}

/* The group of an argument; 0 where there is but one. */
static int group_of(dt_graph *graph, const dt_curve *curve, int axis, int argument, size_t place)
{
    const dt_operation segment = {.code = DT_OP_SEGMENT, .constant = axis, .curve = curve};
    return curve->axis[axis].border_count == 0
               ? dt_graph_constant(graph, 0, place)
               : apply(graph, &segment, (int[]){argument, 0, 0}, place);
}

int dt_graph_table(dt_graph *graph, const dt_curve *curve, const int *arguments, size_t place)
{
    const bool two = curve->axes > 1;
    const dt_operation table = {.code = two ? DT_OP_TABLE2 : DT_OP_TABLE, .curve = curve};
    int group = group_of(graph, curve, 0, arguments[0], place);
    if (two) {
        const int rows = dt_graph_constant(graph, curve->axis[0].border_count + 1.0, place),
                  other = group_of(graph, curve, 1, arguments[1], place),
                  above = dt_graph_apply(graph, DT_OP_MULTIPLY, (int[]){rows, other, 0}, place);
        group = dt_graph_apply(graph, DT_OP_ADD, (int[]){group, above, 0}, place);
    }
    return apply(graph, &table, (int[]){arguments[0], two ? arguments[1] : group, two ? group : 0},
                 place);
}

/* What a call of constants comes to: the function is asked here, once. False: some are none. */
static bool fold_call(const dt_graph *graph, const dt_callback *callback, const int *arguments,
                      double *value)
{
    double values[DETENT_MAX_ARGUMENTS];
    int place[DETENT_MAX_ARGUMENTS];
    for (int k = 0; k < callback->argument_count; k++) {
        place[k] = k;
        if (!dt_graph_is_constant(graph, arguments[k], &values[k])) {
            return false;
        }
    }
    *value = dt_call_value(&(dt_call){callback, place, 0}, values, NULL);
    return true;
}

int dt_graph_call(dt_graph *graph, const dt_callback *callback, const int *arguments, size_t place)
{
    const size_t count = (size_t)callback->argument_count;
    double value = 0;
    for (size_t k = 0; k < count; k++) {
        if (arguments[k] < 0) {
            return -1;
        }
    }
    const bool folded = fold_call(graph, callback, arguments, &value);
    if (folded && isfinite(value)) {
        return dt_graph_constant(graph, value, place);
    }
    dt_call *call = dt_arena_alloc(graph->arena, 1, sizeof *call);
    int *operand = dt_arena_alloc(graph->arena, count, sizeof *operand);
    if (!call || !operand) {
        return fail(graph, DETENT_ERROR_MEMORY);
    }
    memcpy(operand, arguments, count * sizeof *operand);
    *call = (dt_call){callback, operand, 0};
    dt_graph_node node = {
        .operation = {.code = DT_OP_CALL, .index = -1, .constant = value, .call = call},
        .place = place,
        .is_steady = true,
        .is_bad = folded,
        .is_tainted = folded};
    for (size_t k = 0; k < count; k++) {
        node.is_steady = node.is_steady && graph->nodes[operand[k]].is_steady;
        node.is_tainted = node.is_tainted || graph->nodes[operand[k]].is_tainted;
    }
    return add(graph, &node);
}
