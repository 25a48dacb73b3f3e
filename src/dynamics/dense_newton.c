#include "dynamics/dense_newton.h"

#include "dynamics/closure.h"
#include "dynamics/scale.h"
#include "dynamics/tangent_rows.h"
#include "math/lapack.h"

#include <math.h>

bool dt_dense_newton_create(dt_arena *arena, const dt_system *s, dt_dense_newton *dn)
{
    const size_t order = (size_t)s->tree->nq + (size_t)s->tree->nv +
                         (size_t)s->mechanism->stiction_count + (size_t)dt_tie_rows(s->mechanism) +
                         (size_t)s->mechanism->state_count;
    memset(dn, 0, sizeof *dn);
    if (order > DT_DENSE_LARGEST) {
        return false;
    }
    dn->matrix = dt_arena_alloc(arena, order * order, sizeof *dn->matrix);
    dn->x = dt_arena_alloc(arena, order, sizeof *dn->x);
    dn->row = dt_arena_alloc(arena, order, sizeof *dn->row);
    dn->column = dt_arena_alloc(arena, order, sizeof *dn->column);
    dn->pivots = dt_arena_alloc(arena, order, sizeof *dn->pivots);
    return dn->matrix && dn->x && dn->row && dn->column && dn->pivots &&
           dt_tangent_create(arena, s, &dn->tangent);
}

/* Rows of the dynamics, of friction, multipliers and states for the direction set in the tangent. */
static void derivative_rows(dt_dense_newton *dn, dt_system *s, double *r_v, double *r_f)
{
    dt_tangent_rows(&dn->tangent, s, r_v, r_f);
    if (dn->level == DT_NEWTON_STEP) {
        dt_tangent_states(&dn->tangent, s, dn->c,
                          r_f + s->mechanism->stiction_count + dt_tie_rows(s->mechanism));
    }
}

/* Columns of the change dq of coordinate `c` of node i, whose kinematic row is c dq - N(dq) v. */
static void coordinate_column(dt_dense_newton *dn, dt_system *s, int i, int c, double *column)
{
    const dt_node *node = &s->tree->nodes[i];
    const int nq = node->type->nq;
    double dq[4] = {0}, rate[4];
    dq[c] = 1;
    dt_tangent_clear(&dn->tangent, s);
    if (dt_is_prescribed(s, i) && !dt_is_driven_by_speed(s, i)) {
        column[node->q] = 1;
        return;
    }
    if (nq == 1) {
        dn->tangent.dphi[node->v] = 1;
        column[node->q] = dn->c;
    } else {
        dt_tangent_turn(&dn->tangent, s, i, dq);
        node->type->rate(dq, s->v + node->v, rate);
        for (int j = 0; j < nq; j++) {
            column[node->q + j] = (j == c ? dn->c : 0) - rate[j];
        }
    }
    derivative_rows(dn, s, column + s->tree->nq, column + s->tree->nq + s->tree->nv);
}

/*
 * Column of dv (STEP) or da (ACCELERATION) of freedom j of node i; `rows` starts at the dynamics.
 */
static void velocity_column(dt_dense_newton *dn, dt_system *s, int i, int j, double *column,
                            double *rows)
{
    const dt_node *node = &s->tree->nodes[i];
    dt_tangent_clear(&dn->tangent, s);
    if (dt_is_prescribed(s, i)) {
        rows[node->v + j] = 1;
        return;
    }
    if (dn->level == DT_NEWTON_STEP) {
        double unit[3] = {0}, rate[4];
        unit[j] = 1;
        node->type->rate(s->q + node->q, unit, rate);
        for (int r = 0; r < node->type->nq; r++) {
            column[node->q + r] = -rate[r];
        }
        dn->tangent.dv[node->v + j] = 1;
        dn->tangent.da[node->v + j] = dn->c;
    } else {
        dn->tangent.da[node->v + j] = 1;
    }
    derivative_rows(dn, s, rows, rows + s->tree->nv);
}

void dt_dense_newton_assemble(dt_dense_newton *dn, dt_system *s, dt_newton_level level, double c)
{
    const bool step = level == DT_NEWTON_STEP;
    const int nq = step ? s->tree->nq : 0, nv = s->tree->nv, ns = s->mechanism->stiction_count,
              nm = dt_tie_rows(s->mechanism), nz = step ? s->mechanism->state_count : 0;
    dn->level = level;
    dn->c = c;
    dn->order = nq + nv + ns + nm + nz;
    const size_t order = (size_t)dn->order;
    memset(dn->matrix, 0, order * order * sizeof *dn->matrix);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int k = 0; k < node->type->nq && nq > 0; k++) {
            coordinate_column(dn, s, i, k, dn->matrix + (size_t)(node->q + k) * order);
        }
        for (int j = 0; j < node->type->nv; j++) {
            double *column = dn->matrix + (size_t)(nq + node->v + j) * order;
            velocity_column(dn, s, i, j, column, column + nq);
        }
    }
    for (int k = 0; k < ns; k++) {
        double *column = dn->matrix + (size_t)(nq + nv + k) * order;
        dt_tangent_clear(&dn->tangent, s);
        dn->tangent.df[k] = 1;
        derivative_rows(dn, s, column + nq, column + nq + nv);
    }
    for (int k = 0; k < nm; k++) {
        double *column = dn->matrix + (size_t)(nq + nv + ns + k) * order;
        dt_tangent_clear(&dn->tangent, s);
        dn->tangent.dm[k] = 1;
        derivative_rows(dn, s, column + nq, column + nq + nv);
    }
    for (int k = 0; k < nz; k++) {
        double *column = dn->matrix + (size_t)(nq + nv + ns + nm + k) * order;
        dt_tangent_clear(&dn->tangent, s);
        dn->tangent.dz[k] = 1;
        derivative_rows(dn, s, column + nq, column + nq + nv);
    }
}

/* ---- units ---- */

/* Rows and columns of the freedoms and coordinates of node i; `first` is the row of its first freedom. */
static void measure_node(dt_dense_newton *dn, const dt_system *s, int i, int first)
{
    const dt_node *node = &s->tree->nodes[i];
    const double n = dt_scale_position(s->scale, s->mechanism, i),
                 v = dt_scale_velocity(s->scale, s->mechanism, i), a = v / s->scale->time;
    const bool step = dn->level == DT_NEWTON_STEP, prescribed = dt_is_prescribed(s, i);
    for (int k = node->q; step && k < node->q + node->type->nq; k++) {
        dn->column[k] = dt_power_below(n);
        dn->row[k] = 1 / dt_power_below(prescribed && !dt_is_driven_by_speed(s, i) ? n : v);
    }
    for (int j = 0; j < node->type->nv; j++) {
        const double own = step ? v : a;
        dn->column[first + j] = dt_power_below(own);
        dn->row[first + j] = 1 / dt_power_below(prescribed ? own : s->scale->force[node->v + j]);
    }
}

/* Row and column of a multiplier, at `at`: its row is an acceleration, times it a length is energy, each in the unit of the row. */
static void measure_multiplier(dt_dense_newton *dn, const dt_system *s, int k, int at)
{
    const dt_scale *scale = s->scale;
    const double unit = s->closure->row_unit[k],
                 a = scale->length / (scale->time * scale->time) / unit,
                 own = scale->energy / scale->length * unit;
    dn->column[at] = dt_power_below(own);
    dn->row[at] = 1 / dt_power_below(s->closure->active[k] ? a : own);
}

/* What rows and columns are measured by. */
static void measure(dt_dense_newton *dn, const dt_system *s)
{
    const int nq = dn->level == DT_NEWTON_STEP ? s->tree->nq : 0, nv = s->tree->nv;
    for (int k = 0; k < dn->order; k++) {
        dn->row[k] = dn->column[k] = 1;
    }
    for (int i = 0; i < s->tree->node_count && s->scale; i++) {
        measure_node(dn, s, i, nq + s->tree->nodes[i].v);
    }
    for (int k = 0; k < s->mechanism->stiction_count && s->scale; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        const double f = s->scale->force[s->tree->nodes[i].v],
                     a = dt_scale_velocity(s->scale, s->mechanism, i) / s->scale->time;
        dn->column[nq + nv + k] = dt_power_below(f);
        dn->row[nq + nv + k] = 1 / dt_power_below(s->mode[k] == DETENT_LOCKED ? a : f);
    }
    for (int k = 0; k < dt_tie_rows(s->mechanism) && s->scale; k++) {
        measure_multiplier(dn, s, k, nq + nv + s->mechanism->stiction_count + k);
    }
    const int states = dn->level == DT_NEWTON_STEP && s->scale ? s->mechanism->state_count : 0;
    for (int k = 0; k < states; k++) {
        const double size = dt_power_below(s->scale->state[k]);
        dn->column[dn->order - states + k] = size;
        dn->row[dn->order - states + k] = 1 / dt_power_below(size * dn->c);
    }
}

static void equilibrate(dt_dense_newton *dn, const dt_system *s)
{
    const int order = dn->order;
    measure(dn, s);
    for (int c = 0; c < order; c++) {
        double *column = dn->matrix + (size_t)c * (size_t)order;
        for (int r = 0; r < order; r++) {
            column[r] *= dn->row[r] * dn->column[c];
        }
    }
}

int dt_dense_newton_factor(dt_dense_newton *dn, dt_system *s, dt_newton_level level, double c)
{
    int info = 0;
    double sum = 0;
    dt_dense_newton_assemble(dn, s, level, c);
    for (size_t k = 0; k < (size_t)dn->order * (size_t)dn->order; k++) {
        sum += 0 * dn->matrix[k];
    }
    if (sum != 0) {
        return 0;
    }
    equilibrate(dn, s);
    if (dn->order > 0) {
        dgetrf_(&dn->order, &dn->order, dn->matrix, &dn->order, dn->pivots, &info);
    }
    return info == 0 ? -1 : info - 1;
}

int dt_dense_newton_sign(const dt_dense_newton *dn)
{
    return dt_lu_sign(dn->matrix, dn->pivots, dn->order);
}

/*
 * The rows of a locked joint hold nothing else: solved by themselves, without the rounding of the
 * LU, so that it stays at rest.
 */
static void solve_locked(dt_dense_newton *dn, const dt_system *s, int k, const double *r_q,
                         const double *r_f)
{
    const dt_node *node = &s->tree->nodes[s->mechanism->stictions[k].primitive];
    const int nq = dn->level == DT_NEWTON_STEP ? s->tree->nq : 0;
    if (s->mode[k] != DETENT_LOCKED) {
        return;
    }
    dn->x[nq + node->v] = dn->level == DT_NEWTON_STEP ? -r_f[k] / dn->c : -r_f[k];
    if (nq > 0) {
        dn->x[node->q] = (dn->x[nq + node->v] - r_q[node->q]) / dn->c;
    }
}

/* Copies a part of x to or from the unknowns, with a sign; returns where the next part is. */
static double *part(double *x, double *unknowns, int count, bool is_right)
{
    for (int k = 0; k < count; k++) {
        if (is_right) {
            x[k] = -unknowns[k];
        } else {
            unknowns[k] = x[k];
        }
    }
    return x + count;
}

/* All parts, in the order of the unknowns. */
static void parts(const dt_dense_newton *dn, const dt_system *s, const dt_unknowns *u,
                  bool is_right)
{
    const bool step = dn->level == DT_NEWTON_STEP;
    double *x = part(dn->x, u->q, step ? s->tree->nq : 0, is_right);
    x = part(x, u->v, s->tree->nv, is_right);
    x = part(x, u->f, s->mechanism->stiction_count, is_right);
    x = part(x, u->m, dt_tie_rows(s->mechanism), is_right);
    part(x, u->z, step ? s->mechanism->state_count : 0, is_right);
}

void dt_dense_newton_solve(dt_dense_newton *dn, const dt_system *s, const dt_unknowns *r,
                           const dt_unknowns *d)
{
    const int ns = s->mechanism->stiction_count;
    int info = 0, one = 1;
    parts(dn, s, r, true);
    for (int k = 0; k < dn->order; k++) {
        dn->x[k] *= dn->row[k];
    }
    if (dn->order > 0) {
        dgetrs_("N", &dn->order, &one, dn->matrix, &dn->order, dn->pivots, dn->x, &dn->order,
                &info);
    }
    for (int k = 0; k < dn->order; k++) {
        dn->x[k] *= dn->column[k];
    }
    for (int k = 0; k < ns; k++) {
        solve_locked(dn, s, k, r->q, r->f);
    }
    parts(dn, s, d, false);
}
