#include "dynamics/newton_parts.h"

#include "dynamics/closure.h"
#include "dynamics/tie_front.h"

static bool laws_are_explicit(const dt_system *s)
{
    if (s->closure) {
        return false; /* what loops transmit is solved for together with accelerations */
    }
    bool ok = true;
    for (int l = 0; l < s->law_count && ok; l++) {
        const dt_law *law = s->law[l];
        ok = !dt_law_is(law, DT_LAW_IS_ANSWER) || !dt_program_reads(law->program, DT_OF_FORCES);
    }
    return ok;
}

static bool create_tree(dt_arena *arena, const dt_system *s, dt_newton_level highest, dt_newton *n)
{
    return dt_linear_laws_create(arena, s, &n->laws) &&
           dt_tree_newton_create(arena, s, &n->laws, highest, &n->tree) &&
           (!s->closure || !s->closure->local || dt_tie_front_create(arena, s, &n->tree.front)) &&
           dt_coupling_create(arena, s, &n->laws, n->tree.front != NULL, &n->coupling);
}

dt_newton *dt_newton_create(dt_arena *arena, const dt_system *s, detent_linear_solver solver)
{
    return dt_newton_create_up_to(arena, s, solver, DT_NEWTON_STEP);
}

dt_newton *dt_newton_create_up_to(dt_arena *arena, const dt_system *s, detent_linear_solver solver,
                                  dt_newton_level highest)
{
    const size_t nv = (size_t)s->tree->nv, ns = (size_t)s->mechanism->stiction_count;
    dt_newton *n = dt_arena_alloc(arena, 1, sizeof *n);
    if (!n) {
        return NULL;
    }
    n->solver = solver;
    n->r_v = dt_arena_alloc(arena, nv, sizeof *n->r_v);
    n->d_v = dt_arena_alloc(arena, nv, sizeof *n->d_v);
    n->r_f = dt_arena_alloc(arena, ns, sizeof *n->r_f);
    n->d_f = dt_arena_alloc(arena, ns, sizeof *n->d_f);
    n->held = dt_arena_alloc(arena, (size_t)s->tree->node_count, sizeof *n->held);
    n->tau = dt_arena_alloc(arena, nv, sizeof *n->tau);
    n->explicit_laws = laws_are_explicit(s);
    n->r_m = dt_arena_alloc(arena, (size_t)dt_tie_rows(s->mechanism), sizeof *n->r_m);
    n->d_m = dt_arena_alloc(arena, (size_t)dt_tie_rows(s->mechanism), sizeof *n->d_m);
    if (!n->explicit_laws && (!(n->from_v = dt_arena_alloc(arena, nv, sizeof *n->from_v)) ||
                              !(n->from_f = dt_arena_alloc(arena, ns, sizeof *n->from_f)) ||
                              !(n->from_m = dt_arena_alloc(arena, (size_t)dt_tie_rows(s->mechanism),
                                                           sizeof *n->from_m)))) {
        return NULL;
    }
    if (!n->r_v || !n->d_v || !n->r_f || !n->d_f || !n->r_m || !n->d_m || !n->held || !n->tau ||
        !dt_aba_create(arena, s->tree, &n->aba) || !dt_newton_stress_create(arena, s, &n->stress) ||
        !dt_force_size_create(arena, s->tree, &n->size)) {
        return NULL;
    }
    if (solver == DETENT_LINEAR_SOLVER_DENSE) {
        return dt_dense_newton_create(arena, s, &n->dense) ? n : NULL;
    }
    if (n->explicit_laws && highest == DT_NEWTON_ACCELERATION) {
        return n;
    }
    return create_tree(arena, s, highest, n) ? n : NULL;
}

detent_status dt_newton_factor(dt_newton *n, dt_system *s, dt_newton_level level, double c,
                               detent_error *error)
{
    const detent_status status = dt_newton_factor_plain(n, s, level, c, error);
    n->singular = status != DETENT_OK;
    if (!status && n->stress && !dt_newton_stress_factor(n, s, level, c)) {
        n->singular = true;
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the laws that follow what loops carry leave the motion "
                       "undetermined",
                       s->time);
    }
    return status;
}

bool dt_newton_is_singular(const dt_newton *n)
{
    return n->singular;
}

/* Of the eliminated frictions, the pivots along the tree, and the laws that read other nodes. */
static int tree_sign(const dt_newton *n, const dt_system *s)
{
    int sign = dt_coupling_sign(&n->coupling, &n->tree, &n->laws);
    sign *= n->tree.front ? n->tree.front->sign : 1;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; n->tree.freedom[i] == DT_FREEDOM_FREE && j < node->v + node->type->nv;
             j++) {
            sign = n->tree.D[j] < 0 ? -sign : sign;
        }
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const double K_f = n->laws.friction ? n->laws.friction[k].f : 0;
        const bool negative =
            s->mode[k] == DETENT_LOCKED ? n->laws.one_plus_Qf[k] < 0 : 1 + K_f < 0;
        sign = negative ? -sign : sign;
    }
    return sign;
}

int dt_newton_sign(const dt_newton *n, const dt_system *s)
{
    const int sign =
        n->solver == DETENT_LINEAR_SOLVER_DENSE ? dt_dense_newton_sign(&n->dense) : tree_sign(n, s);
    return n->stress ? sign * dt_newton_stress_sign(n->stress) : sign;
}

void dt_newton_solve(dt_newton *n, dt_system *s, const dt_unknowns *r, const dt_unknowns *d)
{
    dt_newton_solve_plain(n, s, r, d);
    if (n->stress) {
        dt_newton_stress_correct(n->stress, s, d);
    }
}

/* ---- accelerations without polishing ---- */

bool dt_newton_is_explicit(const dt_newton *n)
{
    return n->explicit_laws;
}

dt_aba *dt_newton_aba(dt_newton *n)
{
    return &n->aba;
}

dt_force_size *dt_newton_size(dt_newton *n)
{
    return &n->size;
}
