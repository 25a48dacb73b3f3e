/**
 * @file graph.h
 * The hash-consed graph that a program is made from: equal subexpressions are one node, so that a
 * chain of signals that each use the last one twice stays short. Constants are folded as nodes are
 * added, and what cannot matter (0 * x, the branch of a constant condition) is dropped.
 *
 * An operation without a finite value (sqrt(-1), x / 0) is kept as it is and marked `bad`: it is an
 * error only if the finished program still contains it, so that if(n > 0, 1 / n, 0) is right for
 * n = 0.
 */
#ifndef DT_EXPRESSION_GRAPH_H
#define DT_EXPRESSION_GRAPH_H

#include "base/arena.h"
#include "expression/operation.h"
#include "expression/variable.h"

typedef struct dt_graph_node {
    dt_operation operation; /**< operands are earlier nodes; VARIABLE: its kind, its index */
    size_t place;           /**< where the operation stands in the sources, for errors */
    bool is_steady;         /**< changes only at events, never between them */
    bool is_bad;            /**< can have no finite value, see above */
    bool is_tainted;        /**< is bad, or has an operand that is tainted */
} dt_graph_node;

typedef struct dt_graph {
    dt_arena *arena;
    dt_graph_node *nodes;
    int count, capacity;
    int *table;           /**< open addressing: node + 1, or 0 */
    size_t table_size;    /**< 0 or a power of two, at least twice the count */
    int limit;            /**< most nodes */
    detent_status status; /**< why -1 came: DETENT_ERROR_MEMORY, or _MODEL: the limit */
} dt_graph;

/** Empty; memory comes from `arena`, a scratch one. */
void dt_graph_init(dt_graph *graph, dt_arena *arena, int limit);

/* Each of the following returns a node, or -1 with the reason in graph->status. */

int dt_graph_constant(dt_graph *graph, double value, size_t place);
int dt_graph_variable(dt_graph *graph, dt_variable variable, size_t place);

/** Any operation but CONSTANT and VARIABLE on existing nodes. An argument of -1 gives -1. */
int dt_graph_apply(dt_graph *graph, dt_opcode code, const int *arguments, size_t place);

/** A table on as many arguments as it has. */
int dt_graph_table(dt_graph *graph, const dt_curve *curve, const int *arguments, size_t place);

/** A call of as many arguments as its function has. */
int dt_graph_call(dt_graph *graph, const dt_callback *callback, const int *arguments, size_t place);

/** Whether the node is a number, and which. */
bool dt_graph_is_constant(const dt_graph *graph, int node, double *value);

/**
 * The node that `code` on `operand` is equal to by a rule of simplify.c, -1 if none (or if the
 * graph failed).
 */
int dt_graph_simplify(dt_graph *graph, dt_opcode code, const int operand[3], size_t place);

#endif
