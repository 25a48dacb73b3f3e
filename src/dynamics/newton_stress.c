#include "dynamics/newton_stress.h"

#include "dynamics/closure.h"
#include "dynamics/newton_parts.h"
#include "dynamics/self_stress.h"
#include "dynamics/tangent_rows.h"
#include "dynamics/tie.h"
#include "math/lapack.h"

bool dt_newton_stress_create(dt_arena *arena, const dt_system *s, dt_newton_stress **out)
{
    *out = NULL;
    if (!s->closure || !s->closure->stress) {
        return true;
    }
    const size_t rows = (size_t)dt_tie_rows(s->mechanism);
    dt_newton_stress *stress = *out = dt_arena_alloc(arena, 1, sizeof *stress);
    if (!stress) {
        return false;
    }
    stress->length = (size_t)s->tree->nq + (size_t)s->tree->nv +
                     (size_t)s->mechanism->stiction_count + rows +
                     (size_t)s->mechanism->state_count;
#define TAKE(member, size) \
    ((stress->member = dt_arena_alloc(arena, (size), sizeof *stress->member)) != NULL)
    return TAKE(column, rows) && TAKE(pivots, rows) && TAKE(X, rows * stress->length) &&
           TAKE(C, stress->length) && TAKE(S, rows * rows) && TAKE(z, rows) && TAKE(w, rows) &&
           dt_tangent_create(arena, s, &stress->tangent);
#undef TAKE
}

/* The parts of a vector of all unknowns. */
static dt_unknowns parts(const dt_system *s, double *x)
{
    double *v = x + s->tree->nq, *f = v + s->tree->nv, *m = f + s->mechanism->stiction_count;
    return (dt_unknowns){.q = x, .v = v, .f = f, .m = m, .z = m + dt_tie_rows(s->mechanism)};
}

/* The tangent along a change of the unknowns. */
static void go_along(dt_newton_stress *stress, dt_system *s, const dt_unknowns *d)
{
    const bool step = stress->level == DT_NEWTON_STEP;
    dt_tangent *t = &stress->tangent;
    dt_tangent_clear(t, s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (dt_is_prescribed(s, i)) {
            continue;
        }
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            t->dv[j] = step ? d->v[j] : 0;
            t->da[j] = step ? stress->c * d->v[j] : d->v[j];
        }
        if (step && node->type->nq == 1) {
            t->dphi[node->v] = d->q[node->q];
        } else if (step && node->type->nq == 4) {
            dt_tangent_turn(t, s, i, d->q + node->q);
        }
    }
    memcpy(t->df, d->f, (size_t)s->mechanism->stiction_count * sizeof *t->df);
    memcpy(t->dm, d->m, (size_t)dt_tie_rows(s->mechanism) * sizeof *t->dm);
    if (step) {
        memcpy(t->dz, d->z, (size_t)s->mechanism->state_count * sizeof *t->dz);
    }
}

/* D x of the columns that something follows. */
static void follow(dt_newton_stress *stress, dt_system *s, const dt_unknowns *x, double *change)
{
    go_along(stress, s, x);
    dt_tangent_inverse(&stress->tangent, s);
    dt_self_stress_change(s, &stress->tangent, stress->z);
    for (int k = 0; k < stress->count; k++) {
        change[k] = stress->z[stress->column[k]];
    }
}

/* Column k of C, and X of it. */
static void find_column(dt_newton *n, dt_system *s, int k)
{
    dt_newton_stress *stress = n->stress;
    const dt_unknowns r = parts(s, stress->C), d = parts(s, stress->X + (size_t)k * stress->length);
    const size_t rows = (size_t)dt_tie_rows(s->mechanism);
    memset(stress->C, 0, stress->length * sizeof *stress->C);
    dt_tangent_clear(&stress->tangent, s);
    memcpy(stress->tangent.dm, dt_self_stress_column(s, stress->column[k]),
           rows * sizeof *stress->tangent.dm);
    dt_tangent_rows(&stress->tangent, s, r.v, r.f);
    memset(r.m, 0, rows * sizeof *r.m); /* multipliers are no accelerations */
    if (stress->level == DT_NEWTON_STEP) {
        dt_tangent_states(&stress->tangent, s, stress->c, r.z);
    }
    for (size_t j = 0; j < stress->length; j++) {
        stress->C[j] = -stress->C[j];
    }
    dt_newton_solve_plain(n, s, &r, &d);
}

bool dt_newton_stress_factor(dt_newton *n, dt_system *s, dt_newton_level level, double c)
{
    dt_newton_stress *stress = n->stress;
    int info = 0;
    stress->level = level;
    stress->c = c;
    stress->count = dt_self_stress_list(s, stress->column);
    for (int k = 0; k < stress->count; k++) {
        find_column(n, s, k);
    }
    for (int k = 0; k < stress->count; k++) {
        double *column = stress->S + (size_t)k * (size_t)stress->count;
        const dt_unknowns x = parts(s, stress->X + (size_t)k * stress->length);
        follow(stress, s, &x, column);
        column[k] += 1;
    }
    if (stress->count > 0) {
        dgetrf_(&stress->count, &stress->count, stress->S, &stress->count, stress->pivots, &info);
    }
    return info == 0;
}

static void subtract(double w, const double *x, double *d, int count)
{
    for (int k = 0; k < count; k++) {
        d[k] -= w * x[k];
    }
}

void dt_newton_stress_correct(dt_newton_stress *stress, dt_system *s, const dt_unknowns *d)
{
    const int one = 1;
    int info = 0;
    if (stress->count == 0) {
        return;
    }
    follow(stress, s, d, stress->w);
    dgetrs_("N", &stress->count, &one, stress->S, &stress->count, stress->pivots, stress->w,
            &stress->count, &info);
    for (int k = 0; k < stress->count; k++) {
        const dt_unknowns x = parts(s, stress->X + (size_t)k * stress->length);
        if (stress->level == DT_NEWTON_STEP) {
            subtract(stress->w[k], x.q, d->q, s->tree->nq);
            subtract(stress->w[k], x.z, d->z, s->mechanism->state_count);
        }
        subtract(stress->w[k], x.v, d->v, s->tree->nv);
        subtract(stress->w[k], x.f, d->f, s->mechanism->stiction_count);
        subtract(stress->w[k], x.m, d->m, dt_tie_rows(s->mechanism));
    }
}

int dt_newton_stress_sign(const dt_newton_stress *stress)
{
    return dt_lu_sign(stress->S, stress->pivots, stress->count);
}
