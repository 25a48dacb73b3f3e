/*
 * What is left open of dependent velocities where the independent ones are known to their slacks only:
 *
 *   v_dep = -G_dep^-1 G_ind v_ind,      slack_d = sum over k of |G_dep^-1 G_ind|_dk slack_k
 *
 * Near a dead centre that is next to nothing, for others move by much while d moves by little. A column at a time, cluster by
 * cluster: there are no more independent freedoms than joints that others could move.
 */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"

#include <math.h>

/* What rounding leaves of a velocity, by the largest of those that it is tied with. */
static const double rounding = 1e-12;

/* By a column of an independent freedom; the factors are of the whole. */
static void add_column(const dt_system *s, int freedom, double slack, double *open)
{
    dt_closure *c = s->closure;
    for (int k = 0; k < c->count; k++) {
        c->x[k] = dt_closure_entry(c, c->row[k], freedom);
    }
    dt_closure_solve(c, c->x, false);
    for (int k = 0; k < c->count; k++) {
        open[c->freedom[k]] += fabs(c->x[k]) * slack;
    }
}

/* The same where there are many loops: nothing outside the cluster of a freedom moves by it. */
static void add_column_of_cluster(const dt_system *s, const dt_cluster *cluster, int freedom,
                                  double slack, double *open)
{
    const dt_closure *c = s->closure;
    const dt_closure_local *local = c->local;
    const int *row = local->pivot_row + cluster->start,
              *dependent = local->pivot_freedom + cluster->start;
    double *x = local->x + cluster->start;
    for (int p = 0; p < cluster->count; p++) {
        x[p] = c->row_unit[row[p]] * dt_closure_local_entry(local, row[p], freedom);
    }
    dt_band_solve(&cluster->band, x);
    for (int p = 0; p < cluster->count; p++) {
        open[dependent[p]] += fabs(x[p]) * c->freedom_unit[dependent[p]] * slack;
    }
}

static void add_cluster(const dt_system *s, const dt_cluster *cluster, const double *slack,
                        double *open)
{
    const dt_closure *c = s->closure;
    const int *freedom = c->local->column_freedom + cluster->column;
    for (int k = 0; k < cluster->columns && cluster->band.n > 0; k++) {
        if (!c->dependent[freedom[k]] && slack[freedom[k]] > 0) {
            add_column_of_cluster(s, cluster, freedom[k], slack[freedom[k]], open);
        }
    }
}

/* Whether something is asked for of what a cluster, or the whole (NULL), reads. */
static bool is_asked(const dt_system *s, const dt_cluster *cluster, const bool *asked)
{
    const dt_closure *c = s->closure;
    const int count = cluster ? cluster->columns : s->tree->nv;
    bool any = false;
    for (int k = 0; k < count && !any; k++) {
        const int v = cluster ? c->local->column_freedom[cluster->column + k] : k;
        any = asked[v] && c->dependent[v];
    }
    return any;
}

/* That of each set of joints that are tied with each other, in still->fastest. */
static void find_fastest(const dt_system *s)
{
    const dt_still *still = s->closure->still;
    for (int n = 0; n < still->tied_count; n++) {
        still->fastest[still->cluster[still->tied[n]]] = 0;
    }
    for (int n = 0; n < still->tied_count; n++) {
        const dt_node *node = &s->tree->nodes[still->tied[n]];
        double *most = &still->fastest[still->cluster[still->tied[n]]];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            *most = fmax(*most, fabs(s->v[v]) / s->closure->freedom_unit[v]);
        }
    }
}

void dt_closure_slack(const dt_system *s, const double *slack, const bool *asked, double *open)
{
    const dt_closure *c = s->closure;
    memset(open, 0, (size_t)s->tree->nv * sizeof *open);
    for (int l = 0; c->local && l < c->local->cluster_count; l++) {
        if (is_asked(s, &c->local->cluster[l], asked)) {
            add_cluster(s, &c->local->cluster[l], slack, open);
        }
    }
    const bool whole = !c->local && is_asked(s, NULL, asked);
    for (int k = 0; k < s->tree->nv && whole; k++) {
        if (!c->dependent[k] && slack[k] > 0) {
            add_column(s, k, slack[k], open);
        }
    }
    find_fastest(s);
    for (int v = 0; v < s->tree->nv; v++) {
        if (open[v] > 0) {
            open[v] += rounding * c->freedom_unit[v] *
                       c->still->fastest[c->still->cluster[c->still->node_of[v]]];
        }
    }
}
