#include "dynamics/newton_impulse.h"

#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/rnea.h"

bool dt_newton_impulse_create(dt_arena *arena, const dt_system *s, dt_newton_impulse *w)
{
    const size_t nv = (size_t)s->tree->nv, nodes = (size_t)s->tree->node_count,
                 ns = (size_t)s->mechanism->stiction_count,
                 rows = (size_t)dt_tie_rows(s->mechanism),
                 places = (size_t)s->mechanism->place_count;
#define TAKE(member, count) \
    ((w->member = dt_arena_alloc(arena, (count), sizeof *w->member)) != NULL)
    return !s->closure ||
           (TAKE(v, nv) && TAKE(Q, nv) && TAKE(tau, nv) && TAKE(A, nodes) && TAKE(F, nodes) &&
            TAKE(external, nodes) && TAKE(load_wrench, places) && TAKE(r_v, nv) && TAKE(r_f, ns) &&
            TAKE(r_m, rows) && TAKE(d_v, nv) && TAKE(d_f, ns) && TAKE(d_m, rows));
#undef TAKE
}

/* What conditions do, and what they ask for, with bodies at rest and nothing else acting: the system's own is put aside meanwhile. */
static void form(dt_system *s, dt_newton_impulse *w, const dt_unknowns *d)
{
    static const double none[3];
    const dt_system kept = *s;
    const size_t nodes = (size_t)s->tree->node_count;
    memset(w->Q, 0, (size_t)s->tree->nv * sizeof *w->Q);
    memset(w->v, 0, (size_t)s->tree->nv * sizeof *w->v);
    memset(w->external, 0, nodes * sizeof *w->external);
    memset(w->load_wrench, 0, (size_t)s->mechanism->place_count * sizeof *w->load_wrench);
    s->v = w->v;
    s->a = d->v;
    s->multiplier = d->m;
    s->Q = w->Q;
    s->A = w->A;
    s->external = w->external;
    s->load_wrench = w->load_wrench;
    memset(s->gravity, 0, sizeof s->gravity);
    dt_motion_velocity(s->tree, s->v, s->motion);
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        const dt_element_kind *kind = dt_elements[k];
        if (kind->tie && kind->add_wrenches) {
            kind->add_wrenches(s);
        }
        if (kind->tie && kind->add_forces) {
            kind->add_forces(s);
        }
    }
    dt_rnea(s->tree, s->motion, none, d->v, (const double(*)[6])w->external, w->A, w->F, w->tau);
    dt_tie_residuals(s, w->r_m);
    *s = kept;
    dt_motion_velocity(s->tree, s->v, s->motion);
}

/* What is left of the residuals r with the solution d. */
static void find_rest(dt_system *s, dt_newton_impulse *w, const dt_unknowns *r,
                      const dt_unknowns *d)
{
    form(s, w, d);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->r_v[j] =
                dt_is_prescribed(s, i) ? 0 : r->v[j] + w->tau[j] - w->Q[j] - (k < 0 ? 0 : d->f[k]);
        }
        if (k >= 0) {
            w->r_f[k] = r->f[k] + (s->mode[k] == DETENT_LOCKED ? d->v[node->v] : d->f[k]);
        }
    }
    for (int row = 0; row < dt_tie_rows(s->mechanism); row++) {
        w->r_m[row] = s->closure->active[row] ? r->m[row] + w->r_m[row] : 0;
    }
}

void dt_newton_impulse_open(dt_system *s, dt_newton_impulse *w, const double *v, double *open)
{
    memset(w->d_f, 0, (size_t)s->mechanism->stiction_count * sizeof *w->d_f);
    memset(w->d_m, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *w->d_m);
    memcpy(w->d_v, v, (size_t)s->tree->nv * sizeof *w->d_v);
    const dt_unknowns d = {.v = w->d_v, .f = w->d_f, .m = w->d_m};
    s->impulsive = true;
    form(s, w, &d);
    s->impulsive = false;
    for (int row = 0; row < dt_tie_rows(s->mechanism); row++) {
        open[row] = s->closure->active[row] ? w->r_m[row] : 0;
    }
}

static void add(double *x, const double *y, int count)
{
    for (int k = 0; k < count; k++) {
        x[k] += y[k];
    }
}

void dt_newton_impulse_solve(dt_newton *n, dt_system *s, dt_newton_impulse *w, const dt_unknowns *r,
                             const dt_unknowns *d)
{
    s->impulsive = true;
    dt_newton_solve(n, s, r, d);
    if (s->closure) {
        const dt_unknowns rest = {.v = w->r_v, .f = w->r_f, .m = w->r_m},
                          more = {.v = w->d_v, .f = w->d_f, .m = w->d_m};
        find_rest(s, w, r, d);
        dt_newton_solve(n, s, &rest, &more);
        add(d->v, more.v, s->tree->nv);
        add(d->f, more.f, s->mechanism->stiction_count);
        add(d->m, more.m, dt_tie_rows(s->mechanism));
    }
    s->impulsive = false;
}
