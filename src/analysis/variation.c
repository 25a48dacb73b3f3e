#include "analysis/variation.h"

#include "dynamics/bad_law.h"
#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/tangent_rows.h"

/* ---- set-up ---- */

static int tie_count(const dt_system *s)
{
    return s->mechanism->stiction_count + dt_tie_rows(s->mechanism);
}

detent_status dt_refuse_dead_times(const dt_system *s, const char *what, detent_error *error)
{
    return s->mechanism->dead_time_count == 0
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MODEL, NULL,
                         "%s of a mechanism with delay(%s, ...) is not supported: what was before "
                         "is known in a run alone; a chain of filters in its place has one",
                         what, s->mechanism->dead_times[0].value->text);
}

detent_status dt_variation_create(dt_arena *arena, dt_system *s, dt_variation *n,
                                  detent_error *error)
{
    const size_t nv = (size_t)s->tree->nv, ties = (size_t)tie_count(s),
                 rows = (size_t)dt_tie_rows(s->mechanism), order = (size_t)s->tree->nq + nv + ties;
    if (order > DT_DENSE_LARGEST) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "this analysis takes up to %d unknowns, and the mechanism has %zu",
                       DT_DENSE_LARGEST, order);
    }
    *n = (dt_variation){.system = s};
    const detent_status status = dt_refuse_dead_times(s, "a linear model, or rest,", error);
    if (status) {
        return status;
    }
#define TAKE(member, count) \
    ((n->member = dt_arena_alloc(arena, (count), sizeof *n->member)) != NULL)
    const bool good = dt_dense_newton_create(arena, s, &n->newton) &&
                      dt_loop_solver_create(arena, s, &n->loops) && TAKE(r_v, nv) &&
                      TAKE(r_f, ties) && TAKE(d_v, nv) && TAKE(d_f, ties) && TAKE(d_m, rows);
#undef TAKE
    return good ? DETENT_OK
                : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
}

/* The law that follows no branch but slides between two, or NULL. */
static const dt_law *sliding_law(const dt_system *s)
{
    for (int l = 0; l < s->law_count; l++) {
        const dt_branch *branch = dt_law_branches(s, s->law[l]);
        for (int k = 0; k < s->law[l]->program->switch_count; k++) {
            if (branch[k].side == DT_BRANCH_SLIDING) {
                return s->law[l];
            }
        }
    }
    return NULL;
}

detent_status dt_variation_factor(dt_variation *n, detent_error *error)
{
    dt_system *s = n->system;
    const dt_law *law = sliding_law(s);
    if (law) {
        return dt_fail(
            error, DETENT_ERROR_NUMERIC, NULL,
            "at t = %.9g s the law '%.*s' of '%s' slides along the border between two of "
            "its branches: nothing linear holds there",
            s->time, DT_LONGEST_LAW, law->program->text ? law->program->text : "",
            dt_law_owner(s, law));
    }
    if (s->closure) {
        dt_closure_refresh(s);
    }
    if (!dt_loop_solver_factor(&n->loops, s, NULL)) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the loops are at a singular position: which joints follow "
                       "from which is not decided",
                       s->time);
    }
    if (dt_dense_newton_factor(&n->newton, s, DT_NEWTON_ACCELERATION, 0) >= 0) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "at t = %.9g s the equations of motion are singular", s->time);
    }
    return DETENT_OK;
}

/* ---- changes ---- */

void dt_variation_clear(dt_variation *n)
{
    dt_tangent_clear(&n->newton.tangent, n->system);
}

/* Adds to `along` what the dependent freedoms have to do so that the active rows change by -x. */
static void follow(dt_variation *n, double *along)
{
    dt_loop_solver *l = &n->loops;
    dt_loop_solver_velocities(l);
    for (int k = 0; k < l->count; k++) {
        along[l->freedom[k]] -= l->x[k];
    }
}

/* x = dG v, the change of the rows of velocity with the pose alone. */
static void take_turned_rows(dt_variation *n)
{
    for (int k = 0; k < n->loops.count; k++) {
        n->loops.x[k] = dt_tie_turned(&n->newton.tangent, n->system, n->system->closure->row[k]);
    }
}

void dt_variation_move(dt_variation *n, int freedom)
{
    dt_tangent *t = &n->newton.tangent;
    dt_variation_clear(n);
    t->dphi[freedom] = 1;
    dt_loop_solver_column(&n->loops, n->system, freedom);
    follow(n, t->dphi);
    if (n->loops.count > 0) {
        dt_tangent_inverse(t, n->system);
        take_turned_rows(n);
        follow(n, t->dv);
    }
}

void dt_variation_accelerate(dt_variation *n, int freedom)
{
    dt_tangent *t = &n->newton.tangent;
    dt_variation_clear(n);
    t->dv[freedom] = 1;
    dt_loop_solver_column(&n->loops, n->system, freedom);
    follow(n, t->dv);
}

void dt_variation_solve(dt_variation *n)
{
    dt_system *s = n->system;
    dt_tangent *t = &n->newton.tangent;
    const size_t ns = (size_t)s->mechanism->stiction_count;
    memset(n->r_v, 0, (size_t)s->tree->nv * sizeof *n->r_v);
    dt_tangent_rows(t, s, n->r_v, n->r_f);
    dt_dense_newton_solve(&n->newton, s, &(dt_unknowns){.v = n->r_v, .f = n->r_f, .m = n->r_f + ns},
                          &(dt_unknowns){.v = n->d_v, .f = n->d_f, .m = n->d_m});
    memcpy(t->da, n->d_v, (size_t)s->tree->nv * sizeof *t->da);
    memcpy(t->df, n->d_f, ns * sizeof *t->df);
    memcpy(t->dm, n->d_m, (size_t)dt_tie_rows(s->mechanism) * sizeof *t->dm);
    dt_tangent_inverse(t, s);
    if (s->drag) {
        dt_drag_changes(t, s);
    }
}

double dt_variation_program(const dt_variation *n, const dt_program *program, double *slots,
                            double *registers, double *gradient)
{
    double change = 0;
    if (program->variable_count == 0) {
        return 0;
    }
    for (int k = 0; k < program->variable_count; k++) {
        slots[k] = dt_system_variable(n->system, program->variables[k], -1);
    }
    dt_program_gradient(program, slots, NULL, registers, gradient);
    for (int k = 0; k < program->variable_count; k++) {
        if (gradient[k] != 0) {
            change += gradient[k] *
                      dt_tangent_variable(&n->newton.tangent, n->system, program->variables[k]);
        }
    }
    return change;
}
