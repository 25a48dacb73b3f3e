#include "analysis/curve.h"

#include "base/error.h"
#include "dynamics/closure_parts.h"

bool dt_pose_curve_point_create(dt_arena *arena, const dt_analysis *n, dt_pose_curve_point *point)
{
    const dt_tree *tree = n->system.tree;
    point->q = dt_arena_alloc(arena, (size_t)tree->nq, sizeof *point->q);
    const size_t rows = (size_t)dt_tie_rows(n->system.mechanism);
    point->t = dt_arena_alloc(arena, (size_t)tree->nv, sizeof *point->t);
    point->row = dt_arena_alloc(arena, rows, sizeof *point->row);
    point->freedom = dt_arena_alloc(arena, rows, sizeof *point->freedom);
    point->sine = dt_arena_alloc(arena, (size_t)tree->node_count, sizeof *point->sine);
    return point->q && point->t && point->sine && point->row && point->freedom;
}

void dt_pose_curve_copy(const dt_pose_curve *curve, dt_pose_curve_point *to,
                        const dt_pose_curve_point *from)
{
    const dt_tree *tree = curve->analysis->system.tree;
    const size_t rank = (size_t)curve->rank;
    memcpy(to->sine, from->sine, (size_t)tree->node_count * sizeof *to->sine);
    memcpy(to->q, from->q, (size_t)tree->nq * sizeof *to->q);
    memcpy(to->t, from->t, (size_t)tree->nv * sizeof *to->t);
    memcpy(to->row, from->row, rank * sizeof *to->row);
    memcpy(to->freedom, from->freedom, rank * sizeof *to->freedom);
    to->independent = from->independent;
    to->side = from->side;
    to->pivot = from->pivot;
}

/* What a component of a tangent counts: turns in rad, slides in lengths of the mechanism. */
static double measure(const dt_pose_curve *curve, const dt_node *node)
{
    return node->type->rotational ? 1 : 1 / curve->length;
}

double dt_pose_curve_cosine(const dt_pose_curve *curve, const double *a, const double *b)
{
    const dt_system *s = &curve->analysis->system;
    double sum = 0, aa = 0, bb = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double m = measure(curve, node) * measure(curve, node);
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            sum += m * a[v] * b[v];
            aa += m * a[v] * a[v];
            bb += m * b[v] * b[v];
        }
    }
    return aa > 0 && bb > 0 ? sum / sqrt(aa * bb) : 0;
}

static void scale(const dt_pose_curve *curve, double *t)
{
    const dt_system *s = &curve->analysis->system;
    double sum = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            sum += pow(measure(curve, node) * t[v], 2);
        }
    }
    for (int v = 0; v < s->tree->nv && sum > 0; v++) {
        t[v] /= sqrt(sum);
    }
}

/* The tangent at the present pose, of length 1; false where loops leave more than one freedom. */
static bool find_tangent(const dt_pose_curve *curve, dt_pose_curve_point *point)
{
    double *t = point->t;
    dt_analysis *n = curve->analysis;
    dt_system *s = &n->system;
    const dt_closure *c = s->closure;
    int independent = -1;
    dt_closure_choose(s);
    if (c->count != curve->rank || !dt_loop_solver_factor(&n->loops, s, NULL)) {
        return false;
    }
    memset(t, 0, (size_t)s->tree->nv * sizeof *t);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv && !c->held[i]; v++) {
            independent = c->dependent[v] ? independent : v;
        }
    }
    memcpy(point->row, c->row, (size_t)c->count * sizeof *c->row);
    memcpy(point->freedom, c->freedom, (size_t)c->count * sizeof *c->freedom);
    point->independent = independent;
    point->side = dt_loop_solver_side(&n->loops);
    point->pivot = n->loops.pivot;
    dt_loop_solver_column(&n->loops, s, independent);
    dt_loop_solver_velocities(&n->loops);
    t[independent] = 1;
    for (int k = 0; k < n->loops.count; k++) {
        t[n->loops.freedom[k]] = -n->loops.x[k];
    }
    scale(curve, t);
    return true;
}

/* Holds what no row reads. */
static void hold_untied(dt_system *s, int driven)
{
    dt_closure *c = s->closure;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        bool tied = i == driven;
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            for (int r = 0; r < c->rows; r++) {
                tied = tied || dt_closure_entry(c, r, v) != 0;
            }
        }
        c->pinned[i] = !tied;
    }
}

/* Somebody who is free beside the driven joint, or -1. */
static int find_free(const dt_system *s, int driven)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            if (i != driven && !s->closure->held[i] && !s->closure->dependent[v]) {
                return i;
            }
        }
    }
    return -1;
}

detent_status dt_pose_curve_begin(dt_pose_curve *curve, dt_analysis *n, int driven,
                                  dt_pose_curve_point *start, detent_error *error)
{
    dt_system *s = &n->system;
    dt_closure *c = s->closure;
    const char *name = s->mechanism->primitives[driven].name;
    int freedoms = 0;
    *curve = (dt_pose_curve){.analysis = n, .length = dt_closure_reach(s)};
    dt_closure_keep_none(s);
    dt_closure_update(s);
    hold_untied(s, driven);
    c->kept[s->tree->nodes[driven].v] = true;
    dt_closure_choose(s);
    dt_closure_keep_none(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        freedoms += c->held[i] ? 0 : s->tree->nodes[i].type->nv;
    }
    curve->rank = c->count;
    const int other = find_free(s, driven);
    if (freedoms == c->count) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "'%s' cannot be driven: its loops do not let it move", name);
    }
    if (freedoms > c->count + 1) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "'%s' does not decide how '%s' moves: loops and couplings leave %d freedoms",
                       name, s->mechanism->primitives[other < 0 ? driven : other].name,
                       freedoms - c->count);
    }
    memcpy(start->q, s->q, (size_t)s->tree->nq * sizeof *s->q);
    return find_tangent(curve, start)
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_NUMERIC, NULL, "the loops are at a singular position");
}

/* The sign at the present pose of the determinant that another point was solved by. */
static int side_of(const dt_pose_curve *curve, const dt_pose_curve_point *point)
{
    dt_analysis *n = curve->analysis;
    dt_closure *c = n->system.closure;
    memcpy(c->row, point->row, (size_t)curve->rank * sizeof *c->row);
    c->count = curve->rank;
    dt_loop_solver_factor(&n->loops, &n->system, point->freedom);
    return dt_loop_solver_side(&n->loops);
}

bool dt_pose_curve_step(const dt_pose_curve *curve, const dt_pose_curve_point *from, double h,
                        dt_pose_curve_point *to)
{
    static const double bent = 0.95;
    enum { MOST_ROUNDS = 12 };
    dt_system *s = &curve->analysis->system;
    memcpy(s->q, from->q, (size_t)s->tree->nq * sizeof *s->q);
    for (int i = 0; i < s->tree->node_count; i++) {
        for (int j = 0; j < s->tree->nodes[i].type->nv && !s->closure->held[i]; j++) {
            dt_closure_move(s, i, j, h * from->t[s->tree->nodes[i].v + j]);
        }
    }
    dt_system_pose(s);
    if (!dt_closure_close(s, MOST_ROUNDS)) {
        return false;
    }
    memcpy(to->q, s->q, (size_t)s->tree->nq * sizeof *s->q);
    const int side = side_of(curve, from);
    if (!find_tangent(curve, to)) {
        return false;
    }
    const double cosine = dt_pose_curve_cosine(curve, from->t, to->t);
    const bool turned = cosine < 0;
    for (int v = 0; v < s->tree->nv && turned; v++) {
        to->t[v] = -to->t[v];
    }
    const int k = from->independent;
    const bool crosses = from->side * (from->t[k] < 0 ? -1 : 1) != side * (to->t[k] < 0 ? -1 : 1);
    return fabs(cosine) > bent && !(crosses && fabs(h) > dt_pose_curve_crossing);
}

void dt_pose_curve_end(dt_pose_curve *curve)
{
    dt_system *s = &curve->analysis->system;
    memset(s->closure->pinned, 0, (size_t)s->tree->node_count * sizeof *s->closure->pinned);
    dt_closure_keep_none(s);
    s->closure->chosen = false;
}
