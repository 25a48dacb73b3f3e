/* Bodies and joints as a graph; the joints in depth-first order from the ground.
 *
 * A walk from the ground, from base to follower, meets every body once, unless it is not connected. A joint whose
 * follower has been met already, or that is marked, closes a loop and comes behind the tree. Vertices are body + 1; the
 * ground is vertex 0. All is linear in time. */

#include "model/record.h"

#include <string.h>

typedef struct body_graph {
    int vertex_count, edge_count;
    const dt_joint_record *edges;
    int *first,
        *incident;     /* joints at vertex v: incident[first[v]] .. incident[first[v + 1] - 1] */
    int *stack, *from; /* of the walk: joints; from[v]: the joint that led to v, -1: none yet */
} body_graph;

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
    const char *nearest = dt_nearest_record(b, &DT_RECORDS(b, body), sizeof(dt_body_record),
                                            offsetof(dt_item_head, name), name, "ground");
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   nearest ? "joint '%s': unknown body '%s'; did you mean '%s'?"
                           : "joint '%s': unknown body '%s'",
                   joint->name, name, nearest);
}

static detent_status resolve(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    for (int j = 0; j < DT_RECORDS(b, joint).count; j++) {
        dt_joint_record *joint = DT_AT(DT_RECORDS(b, joint), dt_joint_record, j);
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

static bool allocate_graph(dt_builder *b, body_graph *graph)
{
    graph->vertex_count = DT_RECORDS(b, body).count + 1;
    graph->edge_count = DT_RECORDS(b, joint).count;
    graph->edges = DT_RECORDS(b, joint).items;
    size_t vertices = (size_t)graph->vertex_count, edges = (size_t)graph->edge_count;
    graph->first = dt_arena_alloc(&b->arena, vertices + 1, sizeof *graph->first);
    graph->incident = dt_arena_alloc(&b->arena, 2 * edges + 1, sizeof *graph->incident);
    graph->stack = dt_arena_alloc(&b->arena, 2 * edges + 1, sizeof *graph->stack);
    graph->from = dt_arena_alloc(&b->arena, vertices, sizeof *graph->from);
    return graph->first && graph->incident && graph->stack && graph->from;
}

/* Sorts the first `count` joints by their vertices, keeping their order at each. */
static void fill_graph(body_graph *graph, int count)
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

/* The joints that lead outward from a vertex, the first one on top of the stack. */
static int push_outward(body_graph *graph, int vertex, int depth)
{
    for (int k = graph->first[vertex + 1] - 1; k >= graph->first[vertex]; k--) {
        const int joint = graph->incident[k];
        if (graph->edges[joint].base + 1 == vertex && !graph->edges[joint].is_cut) {
            graph->stack[depth++] = joint;
        }
    }
    return depth;
}

/* Walks from the ground, from base to follower; the joints go to `order` in the order in which they are met, the joints
 * of a vertex in the order of the file. What is met again is cut there. Returns how many joints are in the tree. */
static int walk(body_graph *graph, int *order)
{
    int found = 0, depth = 0;
    for (int v = 0; v < graph->vertex_count; v++) {
        graph->from[v] = -1;
    }
    graph->from[0] = -2;
    depth = push_outward(graph, 0, depth);
    while (depth > 0) {
        const int joint = graph->stack[--depth], vertex = graph->edges[joint].follower + 1;
        if (graph->from[vertex] == -1) {
            graph->from[vertex] = joint;
            order[found++] = joint;
            depth = push_outward(graph, vertex, depth);
        }
    }
    return found;
}

/* The joints that close loops, behind those of the tree, in the order of the file; which base is not reached, is no
 * loop. */
static void add_cuts(body_graph *graph, int *order, int found)
{
    for (int j = 0; j < graph->edge_count; j++) {
        const dt_joint_record *edge = &graph->edges[j];
        if (graph->from[edge->follower + 1] != j && graph->from[edge->base + 1] != -1 &&
            graph->from[edge->follower + 1] != -1) {
            order[found++] = j;
        }
    }
}

static detent_status fail_reversed(const dt_builder *b, const dt_joint_record *joint,
                                   detent_error *error)
{
    dt_location where = dt_locate(b, &joint->origin, NULL, "follower", -1);
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   "joint '%s': its follower '%s' is nearer to the ground than its base "
                   "'%s'; swap base and "
                   "follower (and the signs of its positions)",
                   joint->name, joint->follower_name, joint->base_name);
}

/*
 * A joint that is to close a loop, though without it its follower is reached from the other side alone: by joints that lead inward.
 * These are named; where there are none nothing else connects it.
 */
static detent_status fail_cut(dt_builder *b, const body_graph *graph, int cut, detent_error *error)
{
    const dt_joint_record *edge = &graph->edges[cut];
    const dt_location where = dt_locate(b, &edge->origin, NULL, "closes", -1);
    const char *names = "";
    int *toward = dt_arena_alloc(&b->arena, (size_t)graph->vertex_count, sizeof *toward);
    int count = 0, depth = 0, *queue = graph->stack; /* every vertex comes into it once */
    if (!toward) {
        return dt_out_of_memory(error);
    }
    for (int v = 0; v < graph->vertex_count; v++) {
        toward[v] = -1; /* the joint by which it is reached, either way */
        if (graph->from[v] != -1) {
            toward[v] = -2;
            queue[depth++] = v;
        }
    }
    for (int at = 0; at < depth; at++) {
        for (int k = graph->first[queue[at]]; k < graph->first[queue[at] + 1]; k++) {
            const dt_joint_record *by = &graph->edges[graph->incident[k]];
            const int other = by->base + 1 == queue[at] ? by->follower + 1 : by->base + 1;
            if (!by->is_cut && toward[other] == -1) {
                toward[other] = graph->incident[k];
                queue[depth++] = other;
            }
        }
    }
    for (int v = edge->follower + 1; toward[v] >= 0;) {
        const dt_joint_record *by = &graph->edges[toward[v]];
        if (by->base + 1 == v) {
            names = dt_arena_printf(&b->arena, "%s%s'%s'", names, count ? ", " : "", by->name);
            count++;
        }
        if (!names) {
            return dt_out_of_memory(error);
        }
        v = by->base + 1 == v ? by->follower + 1 : by->base + 1;
    }
    return count == 0 ? dt_fail(error, DETENT_ERROR_MODEL, &where,
                                "joint '%s' closes no loop: without it '%s' is not connected to "
                                "the ground",
                                edge->name, edge->follower_name)
                      : dt_fail(error, DETENT_ERROR_MODEL, &where,
                                "joint '%s' can close a loop only if '%s' is reached from the "
                                "ground without it: swap base and follower (and the signs of the "
                                "positions) of %s, which lead%s the other way",
                                edge->name, edge->follower_name, names, count > 1 ? "" : "s");
}

/* A body that is not reached: by a joint from the wrong side, or not at all. */
static detent_status fail_disconnected(dt_builder *b, const body_graph *graph, detent_error *error)
{
    for (int j = 0; j < graph->edge_count; j++) {
        const dt_joint_record *edge = &graph->edges[j];
        if (edge->is_cut && graph->from[edge->base + 1] != -1 &&
            graph->from[edge->follower + 1] == -1) {
            return fail_cut(b, graph, j, error);
        }
    }
    for (int j = 0; j < graph->edge_count; j++) {
        const dt_joint_record *edge = &graph->edges[j];
        if (graph->from[edge->base + 1] == -1 && graph->from[edge->follower + 1] != -1) {
            return fail_reversed(b, edge, error);
        }
    }
    for (int v = 1; v < graph->vertex_count; v++) {
        if (graph->from[v] == -1) {
            const dt_body_record *body = DT_AT(DT_RECORDS(b, body), dt_body_record, v - 1);
            dt_location where = dt_locate(b, &body->origin, NULL, NULL, -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "body '%s' is not connected to the ground; a joint of type 'free' lets "
                           "a body float",
                           body->def.name);
        }
    }
    return DETENT_OK;
}

detent_status dt_order_joints(detent_mechanism *m, int *order, int *tree_joints,
                              detent_error *error)
{
    dt_builder *b = m->builder;
    body_graph graph;
    detent_status status = resolve(m, error);
    if (status) {
        return status;
    }
    if (DT_RECORDS(b, body).count == 0) {
        return dt_fail(error, DETENT_ERROR_MODEL, NULL, "the mechanism has no body");
    }
    if (!allocate_graph(b, &graph)) {
        return dt_out_of_memory(error);
    }
    fill_graph(&graph, graph.edge_count);
    *tree_joints = walk(&graph, order);
    if (*tree_joints < DT_RECORDS(b, body).count) {
        return fail_disconnected(b, &graph, error);
    }
    add_cuts(&graph, order, *tree_joints);
    return DETENT_OK;
}
