#include "analysis/loop_solver.h"

#include "dynamics/closure_parts.h"
#include "math/lapack.h"

#include <float.h>

bool dt_loop_solver_create(dt_arena *arena, const dt_system *s, dt_loop_solver *l)
{
    const size_t rows = (size_t)dt_tie_rows(s->mechanism);
    *l = (dt_loop_solver){0};
#define TAKE(member, size) ((l->member = dt_arena_alloc(arena, (size), sizeof *l->member)) != NULL)
    return TAKE(freedom, rows) && TAKE(matrix, rows * rows) && TAKE(row, rows) &&
           TAKE(column, rows) && TAKE(pivots, rows) && TAKE(x, rows);
#undef TAKE
}

/* The largest entry of the rows of the same loop or coupling, for whatever freedom, in lengths. */
static double size_of(const dt_system *s, int row, double length)
{
    const dt_closure *c = s->closure;
    const dt_tie_row *of = &c->tie[row];
    const int first = row - of->component;
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            for (int r = first; r < first + of->kind->rows; r++) {
                most = fmax(most, fabs(dt_closure_entry(c, r, v)) *
                                      dt_closure_row_weight(s, r, length) *
                                      dt_closure_weight(node, length));
            }
        }
    }
    return most;
}

/* Whether a freedom is in couplings alone, whose rows are the same in every pose: by how much it moves in one tells no singular position. */
static bool is_only_coupled(const dt_closure *c, int freedom)
{
    bool only = true;
    for (int r = 0; r < c->rows && only; r++) {
        only = !c->tie[r].kind->turned || dt_closure_entry(c, r, freedom) == 0;
    }
    return only;
}

/* Those freedoms by their largest entry: a spindle turns a thousand times as far as it lifts. */
static void scale_coupled(dt_loop_solver *l, const dt_closure *c)
{
    for (int k = 0; k < l->count; k++) {
        double *column = l->matrix + (size_t)k * (size_t)l->count, most = 0;
        for (int r = 0; r < l->count; r++) {
            most = fmax(most, fabs(column[r]));
        }
        if (most > 0 && is_only_coupled(c, l->freedom[k])) {
            l->column[k] /= most;
            for (int r = 0; r < l->count; r++) {
                column[r] /= most;
            }
        }
    }
}

/*
 * Rows and freedoms in lengths, rows by the largest entry of their loop: what is singular does not depend on units, and a row that reads
 * none of the freedoms in question, or nothing at all in this pose, stays as small as it is.
 */
static void scale(dt_loop_solver *l, const dt_system *s)
{
    const double length = dt_closure_reach(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int k = 0; k < l->count; k++) {
            if (l->freedom[k] >= node->v && l->freedom[k] < node->v + node->type->nv) {
                l->column[k] = dt_closure_weight(node, length);
            }
        }
    }
    double size = 0;
    for (int r = 0; r < l->count; r++) {
        const int row = s->closure->row[r];
        const dt_tie_row *now = &s->closure->tie[row],
                         *before = r > 0 ? &s->closure->tie[s->closure->row[r - 1]] : NULL;
        const bool same = before && before->kind == now->kind && before->item == now->item;
        size = same ? size : size_of(s, row, length);
        l->row[r] = size > 0 ? dt_closure_row_weight(s, row, length) / size : 1;
    }
    for (int r = 0; r < l->count; r++) {
        for (int k = 0; k < l->count; k++) {
            l->matrix[(size_t)k * (size_t)l->count + (size_t)r] *= l->row[r] * l->column[k];
        }
    }
}

/* The smallest pivot beside the largest one. */
static double least_pivot(const dt_loop_solver *l)
{
    double least = INFINITY, most = 0;
    for (int k = 0; k < l->count; k++) {
        const double pivot = fabs(l->matrix[(size_t)k * (size_t)l->count + (size_t)k]);
        least = fmin(least, pivot);
        most = fmax(most, pivot);
    }
    return l->count == 0 ? 1 : most > 0 ? least / most : 0;
}

bool dt_loop_solver_factor(dt_loop_solver *l, dt_system *s, const int *freedom)
{
    static const double nothing_new = 1e-9; /* as in closure.c */
    dt_closure *c = s->closure;
    int info = 0;
    l->count = c ? c->count : 0;
    l->pivot = 1;
    if (l->count == 0) {
        return true;
    }
    dt_closure_update(s);
    memcpy(l->freedom, freedom ? freedom : c->freedom, (size_t)l->count * sizeof *l->freedom);
    for (int k = 0; k < l->count; k++) {
        for (int r = 0; r < l->count; r++) {
            l->matrix[(size_t)k * (size_t)l->count + (size_t)r] =
                dt_closure_entry(c, c->row[r], l->freedom[k]);
        }
    }
    scale(l, s);
    scale_coupled(l, c);
    dgetrf_(&l->count, &l->count, l->matrix, &l->count, l->pivots, &info);
    l->pivot = least_pivot(l);
    return info == 0 && l->pivot > nothing_new;
}

bool dt_loop_solver_is_exact(const dt_loop_solver *l)
{
    static const double most = 1e-4;
    return DBL_EPSILON < most * l->pivot * l->pivot;
}

int dt_loop_solver_side(const dt_loop_solver *l)
{
    return dt_lu_sign(l->matrix, l->pivots, l->count);
}

void dt_loop_solver_column(dt_loop_solver *l, const dt_system *s, int freedom)
{
    const dt_closure *c = s->closure;
    for (int k = 0; k < l->count; k++) {
        l->x[k] = dt_closure_entry(c, c->row[k], freedom);
    }
}

static void solve(dt_loop_solver *l, const char *how, const double *before, const double *after)
{
    const int one = 1;
    int info = 0;
    for (int k = 0; k < l->count; k++) {
        l->x[k] *= before[k];
    }
    if (l->count > 0) {
        dgetrs_(how, &l->count, &one, l->matrix, &l->count, l->pivots, l->x, &l->count, &info);
    }
    for (int k = 0; k < l->count; k++) {
        l->x[k] *= after[k];
    }
}

void dt_loop_solver_velocities(dt_loop_solver *l)
{
    solve(l, "N", l->row, l->column);
}

void dt_loop_solver_multipliers(dt_loop_solver *l)
{
    solve(l, "T", l->column, l->row);
}
