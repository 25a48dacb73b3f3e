#include "analysis/surplus.h"

#include "base/error.h"
#include "dynamics/closure_parts.h"

/* Tables are printed with fewer digits than numbers have. */
static const double digits = 1e-6;

void dt_surplus_drop(dt_analysis *n)
{
    const dt_system *s = &n->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        bool follows = false;
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            follows = follows || s->closure->dependent[v];
        }
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            n->given[v] = n->given[v] && !follows;
        }
    }
}

void dt_surplus_way(const dt_node *node, const double *a, const double *b, double *way)
{
    if (node->type->nv == 1) {
        way[0] = b[0] - a[0];
    } else if (node->type->nv == 3) {
        const double sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -2 : 2;
        way[0] = sign * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]);
        way[1] = sign * (a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]);
        way[2] = sign * (a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]);
    }
}

/* A turn, or a way or velocity measured by the mechanism's length. */
static double own_size(const dt_analysis *n, const dt_node *node, double x)
{
    return node->type->rotational ? fabs(x) : fabs(x) / dt_closure_reach(&n->system);
}

/* The largest velocity, of all that is known. */
static double fastest(const dt_analysis *n)
{
    const dt_system *s = &n->system;
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            most = fmax(most, own_size(n, node, s->v[v]));
        }
    }
    return most;
}

static detent_status refuse(const dt_analysis *n, int i, const char *what, double off,
                            const char *unit, detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "at t = %.9g s more is given than the loops leave free, and does not agree: the "
                   "%s of '%s' is off by %.3g %s from what follows from the others",
                   n->system.time, what, n->system.mechanism->primitives[i].name, off, unit);
}

detent_status dt_surplus_check(const dt_analysis *n, const bool *given, detent_error *error)
{
    const dt_system *s = &n->system;
    const double fast = fastest(n);
    detent_status status = DETENT_OK;
    for (int i = 0; i < s->tree->node_count && !status; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double way[3];
        dt_surplus_way(node, n->q_given + node->q, s->q + node->q, way);
        for (int j = 0; j < node->type->nv && !status; j++) {
            const int v = node->v + j;
            const double off = s->v[v] - n->v_given[v];
            if (!given[v] || n->given[v] || dt_is_prescribed(s, i)) {
                continue;
            }
            status =
                own_size(n, node, way[j]) > digits
                    ? refuse(n, i, "position", way[j], node->type->rotational ? "rad" : "m", error)
                : own_size(n, node, off) > digits * fast
                    ? refuse(n, i, "velocity", off, node->type->rotational ? "rad/s" : "m/s", error)
                    : DETENT_OK;
        }
    }
    return status;
}
