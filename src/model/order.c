/* Bodies and joints as a graph; the joints in depth-first order from the ground.
 *
 * A forest is kept of the joints looked at so far (union-find with path halving): a joint whose bodies are
 * in one tree already closes a loop. When none does, a walk from the ground meets every body once, unless it
 * is not connected. Vertices are body + 1; the ground is vertex 0. All is linear in time, near enough. */

#include "model/record.h"

#include <stdio.h>
#include <string.h>

typedef struct dt_graph {
    int vertex_count, edge_count;
    const dt_joint_record *edges;
    int *first,
        *incident;     /* joints at vertex v: incident[first[v]] .. incident[first[v + 1] - 1] */
    int *stack, *from; /* of the walk: joints; from[v]: the joint that led to v, -1: none yet */
} dt_graph;

static int other_end(const dt_joint_record *edge, int vertex)
{
    return edge->base + 1 == vertex ? edge->follower + 1 : edge->base + 1;
}

static const char *vertex_name(const dt_builder *b, int vertex)
{
    return vertex == 0 ? "ground" : DT_AT(b->bodies, dt_body_record, vertex - 1)->name;
}

static detent_status resolve_body(detent_mechanism *m, const dt_joint_record *joint,
                                  const char *name, const char *key, int *body, detent_error *error)
{
    dt_builder *b = m->builder;
    *body = dt_name_map_get(&m->body_names, name);
    if (*body >= 0 || strcmp(name, "ground") == 0) {
        return DETENT_OK;
    }
    dt_location where = dt_locate(b, &joint->origin, NULL, key, -1);
    if (joint->origin.index_name && strstr(name, "[0]")) {
        return dt_fail(
            error, DETENT_ERROR_MODEL, &where,
            "joint '%s': there is no '%s', copies count from 1; give this copy a %s of its "
            "own under 'first'",
            joint->name, name, key);
    }
    const char *nearest = dt_nearest_record(b, &b->bodies, sizeof(dt_body_record), name, "ground");
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   nearest ? "joint '%s': unknown body '%s'; did you mean '%s'?"
                           : "joint '%s': unknown body '%s'",
                   joint->name, name, nearest);
}

static detent_status resolve(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    for (int j = 0; j < b->joints.count; j++) {
        dt_joint_record *joint = DT_AT(b->joints, dt_joint_record, j);
        detent_status status =
            resolve_body(m, joint, joint->base_name, "base", &joint->base, error);
        if (!status) {
            status =
                resolve_body(m, joint, joint->follower_name, "follower", &joint->follower, error);
        }
        if (status) {
            return status;
        }
        dt_location where = dt_locate(b, &joint->origin, NULL, "follower", -1);
        if (joint->follower < 0) {
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "joint '%s': the ground cannot be the follower; swap base and follower "
                           "(and the signs of "
                           "its positions)",
                           joint->name);
        }
        if (joint->base == joint->follower) {
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "joint '%s' joins the body '%s' to itself", joint->name,
                           joint->base_name);
        }
    }
    return DETENT_OK;
}

static bool allocate_graph(dt_builder *b, dt_graph *graph)
{
    graph->vertex_count = b->bodies.count + 1;
    graph->edge_count = b->joints.count;
    graph->edges = b->joints.items;
    size_t vertices = (size_t)graph->vertex_count, edges = (size_t)graph->edge_count;
    graph->first = dt_arena_alloc(&b->arena, vertices + 1, sizeof *graph->first);
    graph->incident = dt_arena_alloc(&b->arena, 2 * edges + 1, sizeof *graph->incident);
    graph->stack = dt_arena_alloc(&b->arena, 2 * edges + 1, sizeof *graph->stack);
    graph->from = dt_arena_alloc(&b->arena, vertices, sizeof *graph->from);
    return graph->first && graph->incident && graph->stack && graph->from;
}

/* Sorts the first `count` joints by their vertices, keeping their order at each. */
static void fill_graph(dt_graph *graph, int count)
{
    memset(graph->first, 0, ((size_t)graph->vertex_count + 1) * sizeof *graph->first);
    for (int j = 0; j < count; j++) {
        graph->first[graph->edges[j].base + 1]++;
        graph->first[graph->edges[j].follower + 1]++;
    }
    for (int v = 0, sum = 0; v <= graph->vertex_count; v++) {
        sum += graph->first[v];
        graph->first[v] = sum;
    }
    for (int j = count - 1; j >= 0; j--) {
        graph->incident[--graph->first[graph->edges[j].base + 1]] = j;
        graph->incident[--graph->first[graph->edges[j].follower + 1]] = j;
    }
}

/* Walks from `root`; the joints go to `order` in the order in which they are met, the joints of a
 * vertex in the order of the file. Returns how many there are. */
static int walk(dt_graph *graph, int root, int *order)
{
    int found = 0, depth = 0;
    for (int v = 0; v < graph->vertex_count; v++) {
        graph->from[v] = -1;
    }
    graph->from[root] = -2;
    int vertex = root;
    for (;;) {
        for (int k = graph->first[vertex + 1] - 1; k >= graph->first[vertex]; k--) {
            if (graph->incident[k] != graph->from[vertex]) {
                graph->stack[depth++] = graph->incident[k];
            }
        }
        if (depth == 0) {
            return found;
        }
        int joint = graph->stack[--depth];
        const dt_joint_record *edge = &graph->edges[joint];
        vertex = graph->from[edge->base + 1] == -1 ? edge->base + 1 : edge->follower + 1;
        graph->from[vertex] = joint;
        order[found++] = joint;
    }
}

static int find_root(int *parent, int vertex)
{
    while (parent[vertex] != vertex) {
        parent[vertex] = parent[parent[vertex]];
        vertex = parent[vertex];
    }
    return vertex;
}

/* Names the bodies of the loop that joint `closing` makes with the joints before it. */
static detent_status fail_loop(dt_builder *b, dt_graph *graph, int closing, int *order,
                               detent_error *error)
{
    const dt_joint_record *joint = &graph->edges[closing];
    char bodies[300];
    int length = 0;
    fill_graph(graph, closing);
    walk(graph, joint->base + 1, order);
    for (int v = joint->follower + 1, named = 0; v != joint->base + 1 && length < 240;) {
        length += snprintf(bodies + length, sizeof bodies - (size_t)length, "%.40s - ",
                           ++named > 5 ? "..." : vertex_name(b, v));
        if (named > 5) {
            break;
        }
        v = other_end(&graph->edges[graph->from[v]], v);
    }
    snprintf(bodies + length, sizeof bodies - (size_t)length, "%.40s",
             vertex_name(b, joint->base + 1));
    dt_location where = dt_locate(b, &joint->origin, NULL, NULL, -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   "joint '%s' closes a loop of the bodies %s; closed loops are not supported yet",
                   joint->name, bodies);
}

static detent_status refuse_loops(dt_builder *b, dt_graph *graph, int *order, detent_error *error)
{
    int *parent = graph->from;
    for (int v = 0; v < graph->vertex_count; v++) {
        parent[v] = v;
    }
    for (int j = 0; j < graph->edge_count; j++) {
        int base = find_root(parent, graph->edges[j].base + 1),
            follower = find_root(parent, graph->edges[j].follower + 1);
        if (base == follower) {
            return fail_loop(b, graph, j, order, error);
        }
        parent[follower] = base;
    }
    return DETENT_OK;
}

static detent_status fail_disconnected(const dt_builder *b, const dt_graph *graph,
                                       detent_error *error)
{
    for (int v = 1; v < graph->vertex_count; v++) {
        if (graph->from[v] == -1) {
            const dt_body_record *body = DT_AT(b->bodies, dt_body_record, v - 1);
            dt_location where = dt_locate(b, &body->origin, NULL, NULL, -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "body '%s' is not connected to the ground; a joint of type 'free' lets "
                           "a body float",
                           body->name);
        }
    }
    return DETENT_OK;
}

static detent_status refuse_reversed(const dt_builder *b, const dt_graph *graph,
                                     detent_error *error)
{
    for (int j = 0; j < graph->edge_count; j++) {
        const dt_joint_record *joint = &graph->edges[j];
        if (graph->from[joint->follower + 1] != j) {
            dt_location where = dt_locate(b, &joint->origin, NULL, "follower", -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "joint '%s': its follower '%s' is nearer to the ground than its base "
                           "'%s'; swap base and "
                           "follower (and the signs of its positions)",
                           joint->name, joint->follower_name, joint->base_name);
        }
    }
    return DETENT_OK;
}

detent_status dt_order_joints(detent_mechanism *m, int *order, detent_error *error)
{
    dt_builder *b = m->builder;
    dt_graph graph;
    detent_status status = resolve(m, error);
    if (status) {
        return status;
    }
    if (b->bodies.count == 0) {
        return dt_fail(error, DETENT_ERROR_MODEL, NULL, "the mechanism has no body");
    }
    if (!allocate_graph(b, &graph)) {
        return dt_out_of_memory(error);
    }
    status = refuse_loops(b, &graph, order, error);
    if (status) {
        return status;
    }
    fill_graph(&graph, graph.edge_count);
    int found = walk(&graph, 0, order);
    status = found < b->bodies.count ? fail_disconnected(b, &graph, error) : DETENT_OK;
    return status ? status : refuse_reversed(b, &graph, error);
}
