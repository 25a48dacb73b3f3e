/*
 * The solution inside the last step of the explicit stepper, from the stages of that step
 * (dense_output.h), and the root functions on it.
 */
#include "solver/erk.h"

#include <float.h>
#include <math.h>

double dt_erk_tolerance(const dt_dense_output *dense)
{
    return 100 * DBL_EPSILON * (fabs(dense->t1) + dense->t1 - dense->t0);
}

bool dt_erk_inside(dt_solver *solver, double t, int derivative, double *out)
{
    const dt_problem *problem = &solver->problem;
    dt_dense_output *dense = &dt_erk_of(solver)->dense;
    const double fuzz = dt_erk_tolerance(dense);
    if (!(t >= dense->t0 - fuzz && t <= dense->t1 + fuzz)) {
        return false;
    }
    dt_dense_evaluate(dense, t, derivative, out);
    if (derivative == 0 && problem->hold) {
        problem->hold(problem->user, out);
    }
    return true;
}

/* To order 5, where the state is to be restarted from; stays at 4 where that cannot be done. */
static void raise_order(dt_solver *solver)
{
    const dt_problem *problem = &solver->problem;
    dt_erk *e = dt_erk_of(solver);
    double *const slope[2] = {e->slope, dt_numbers(solver->scratch)};
    double t[2];
    dt_dense_raise_times(&e->dense, t);
    for (int k = 0; k < 2; k++) {
        if (!dt_erk_inside(solver, t[k], 1, slope[k]) ||
            !dt_erk_inside(solver, t[k], 0, e->inside)) {
            return;
        }
        /* near the solution of this step, not that of the last stage or of another try */
        if (problem->suggest) {
            problem->suggest(problem->user, slope[k]);
        }
        if (!dt_erk_rate(solver, t[k], e->inside, slope[k])) {
            return;
        }
    }
    dt_dense_raise(&e->dense, slope[0], slope[1]);
}

/* ---- roots ---- */

bool dt_erk_roots(void *context, double t, double *g)
{
    dt_solver *solver = context;
    dt_erk *e = dt_erk_of(solver);
    if (t != e->dense.t1 && e->dense.order < 5) {
        raise_order(solver);
    }
    return dt_erk_inside(solver, t, 1, e->slope) && dt_erk_inside(solver, t, 0, e->inside) &&
           dt_roots_at(solver, t, e->inside, e->slope, g);
}

double dt_erk_guess(void *context, const dt_root_bracket *bracket)
{
    dt_solver *solver = context;
    const dt_problem *problem = &solver->problem;
    dt_dense_output *dense = &dt_erk_of(solver)->dense;
    const int j = problem->root_unknown ? problem->root_unknown(problem->user, bracket->index) : -1;
    if (j < 0) {
        return NAN;
    }
    if (dense->order < 5) {
        raise_order(solver); /* as it will be where the guess is tried */
    }
    double a = bracket->t[0], b = bracket->t[1];
    const double va = dt_dense_component(dense, a, 0, j), vb = dt_dense_component(dense, b, 0, j);
    const double wanted = va + (vb - va) * (bracket->g[0] / (bracket->g[0] - bracket->g[1]));
    double t = 0.5 * (a + b);
    for (int round = 0; round < 50; round++) {
        const double miss = dt_dense_component(dense, t, 0, j) - wanted;
        const double move = miss / dt_dense_component(dense, t, 1, j);
        if ((miss > 0) == (va > wanted)) {
            a = t;
        } else {
            b = t;
        }
        const double next = t - move;
        if (fabs(move) < 0.1 * dt_erk_tolerance(dense)) {
            return next;
        }
        t = next > a && next < b ? next : 0.5 * (a + b);
    }
    return t;
}
