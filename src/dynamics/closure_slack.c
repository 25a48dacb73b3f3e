/*
 * What is left open of a dependent velocity where the independent ones are known to their slacks only:
 *
 *   v_dep = -G_dep^-1 G_ind v_ind,      slack_d = sum over k of |e_d' G_dep^-1 G_ind|_k slack_k
 *
 * Near a dead centre that is next to nothing, for others move by much while d moves by little.
 */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"
#include "math/lapack.h"

#include <math.h>

/* x := x', the solution of the transposed system, for a right-hand side by dependent freedom. */
static void solve_transposed(const dt_closure *c, double *x)
{
    const int one = 1;
    int info = 0;
    for (int k = 0; k < c->count; k++) {
        x[k] *= c->freedom_unit[c->freedom[k]];
    }
    if (c->local) {
        dt_closure_local_solve_transposed(c->local, x);
    } else {
        dgetrs_("T", &c->count, &one, c->matrix, &c->count, c->pivots, x, &c->count, &info);
    }
    for (int k = 0; k < c->count; k++) {
        x[k] *= c->row_unit[c->row[k]];
    }
}

static double entry_of(const dt_closure *c, const double *x, int freedom)
{
    double sum = 0;
    for (int k = 0; k < c->count; k++) {
        sum += x[k] * dt_closure_entry(c, c->row[k], freedom);
    }
    return sum;
}

double dt_closure_slack(const dt_system *s, int freedom, const double *slack)
{
    const dt_closure *c = s->closure;
    double sum = 0;
    if (!c->dependent[freedom]) {
        return slack[freedom];
    }
    for (int k = 0; k < c->count; k++) {
        c->x[k] = c->freedom[k] == freedom ? 1 : 0;
    }
    solve_transposed(c, c->x);
    if (c->local) {
        dt_closure_local_back(s, c->x, c->weight);
    }
    for (int k = 0; k < s->tree->nv; k++) {
        if (!c->dependent[k] && slack[k] > 0) {
            sum += fabs(c->local ? c->weight[k] : entry_of(c, c->x, k)) * slack[k];
        }
    }
    return sum;
}
