/* Velocities of what is tied: how those of dependent freedoms follow from the others, and how fast what hangs together is. See closure.h. */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"

#include <float.h>

double dt_closure_fastest(const dt_system *s, const double *v, int node)
{
    const dt_still *still = s->closure->still;
    double most = 0;
    for (int n = 0; n < still->tied_count; n++) {
        const int i = still->tied[n];
        const dt_node *own = &s->tree->nodes[i];
        const bool counts = node < 0 || still->cluster[i] == still->cluster[node];
        for (int k = own->v; k < own->v + own->type->nv && counts; k++) {
            most = fmax(most, fabs(v[k]) / s->closure->freedom_unit[k]);
        }
    }
    return most;
}

/* That of each cluster, by velocities v, to still->fastest; of those that depend on others, too, if `all`. */
static void find_fastest(const dt_system *s, const double *v, bool all)
{
    const dt_closure *c = s->closure;
    const dt_still *still = c->still;
    for (int n = 0; n < still->tied_count; n++) {
        still->fastest[still->tied[n]] = 0;
    }
    for (int n = 0; n < still->tied_count; n++) {
        const dt_node *node = &s->tree->nodes[still->tied[n]];
        double *most = &still->fastest[still->cluster[still->tied[n]]];
        for (int k = node->v; k < node->v + node->type->nv; k++) {
            *most = fmax(*most, !all && c->dependent[k] ? 0 : fabs(v[k]) / c->freedom_unit[k]);
        }
    }
}

bool dt_closure_departs(const dt_system *s, const double *v)
{
    static const double much = 0.5;
    const dt_still *still = s->closure->still;
    bool any = false;
    find_fastest(s, v, true);
    for (int n = 0; n < still->tied_count && !any; n++) {
        const dt_node *node = &s->tree->nodes[still->tied[n]];
        const double most = still->fastest[still->cluster[still->tied[n]]];
        for (int k = node->v; k < node->v + node->type->nv; k++) {
            any = any || fabs(s->v[k] - v[k]) / s->closure->freedom_unit[k] > much * most;
        }
    }
    return any;
}

/* The velocities of those that depend on others, in c->x, count. */
static void add_dependent(const dt_closure *c)
{
    const dt_still *still = c->still;
    for (int k = 0; k < c->count; k++) {
        const int v = c->freedom[k];
        double *most = &still->fastest[still->cluster[still->node_of[v]]];
        *most = fmax(*most, fabs(c->x[k]) / c->freedom_unit[v]);
    }
}

/*
 * What the elimination of all velocities leaves of a freedom that does not move is their rounding, with any sign: zero. A joint
 * that is geared to another one stops together with it, at the same event, and not a moment later, or never.
 */
static void clear_rounding(dt_system *s)
{
    dt_closure *c = s->closure;
    const dt_still *still = c->still;
    find_fastest(s, s->v, false);
    add_dependent(c);
    for (int k = 0; k < c->count; k++) {
        const int v = c->freedom[k];
        const double rounding = 8 * DBL_EPSILON * still->fastest[still->cluster[still->node_of[v]]];
        if (fabs(c->x[k]) / c->freedom_unit[v] <= rounding) {
            c->x[k] = 0;
        }
    }
}

void dt_closure_follow(dt_system *s)
{
    dt_closure *c = s->closure;
    if (c->local) {
        dt_closure_local_product(s, s->v, false, c->x);
    }
    for (int k = 0; k < c->count; k++) {
        double sum = 0;
        for (int v = 0; v < s->tree->nv && c->G; v++) {
            sum -= c->dependent[v]
                       ? 0
                       : c->G[(size_t)v * (size_t)c->rows + (size_t)c->row[k]] * s->v[v];
        }
        c->x[k] = c->G ? sum : -c->x[k];
    }
    dt_closure_solve(c, c->x, false);
    clear_rounding(s);
    for (int k = 0; k < c->count; k++) {
        s->v[c->freedom[k]] = c->x[k];
    }
    dt_still_clear(s, NULL, s->v);
}

/*
 * On the way out of a place where branches meet what has been left out there says something of velocities long before positions are
 * open beyond rounding: is taken up where it does.
 */
static void take_up_rows(dt_system *s)
{
    dt_closure *c = s->closure;
    if (c->initial_meeting && c->is_stepping && !c->open && dt_closure_moves_locked(s)) {
        dt_closure_choose(s);
        dt_closure_positions(s);
        dt_closure_follow(s);
    }
}

void dt_closure_velocities(dt_system *s)
{
    dt_closure *c = s->closure;
    dt_closure_follow(s);
    take_up_rows(s);
    for (int k = 0; k < c->count; k++) {
        const double turning = c->turning[c->freedom[k]];
        s->v[c->freedom[k]] = turning != 0 ? turning : s->v[c->freedom[k]];
    }
}
