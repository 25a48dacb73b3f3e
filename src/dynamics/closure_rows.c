/* The conditions of whatever ties (tie.h), g(q) = 0, and their rows G: how far each is open, and how freedoms move it. */
#include "dynamics/closure_local.h"
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"
#include "dynamics/element.h"

#include <float.h>

void dt_closure_add_path(dt_system *s, int node, int row, int rows, double sign)
{
    dt_closure *c = s->closure;
    for (int i = node; i >= 0; i = s->tree->nodes[i].parent) {
        const dt_node *n = &s->tree->nodes[i];
        for (int j = 0; j < n->type->nv; j++) {
            double *column = c->G + (size_t)(n->v + j) * (size_t)c->rows + row;
            for (int k = 0; k < rows; k++) {
                column[k] += sign * dt_closure_along(s, c->wrench[row + k], s->motion[i].S[j]);
            }
        }
    }
}

void dt_closure_update(dt_system *s)
{
    dt_closure *c = s->closure;
    if (c->G) {
        memset(c->G, 0, (size_t)c->rows * (size_t)s->tree->nv * sizeof *c->G);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->tie) {
            dt_elements[k]->tie->update(s);
        }
    }
    if (c->local) {
        dt_closure_local_update(s);
    }
}

double dt_closure_entry(const dt_closure *c, int row, int freedom)
{
    return c->G ? c->G[(size_t)freedom * (size_t)c->rows + (size_t)row]
                : dt_closure_local_entry(c->local, row, freedom);
}

double dt_closure_open(const dt_system *s, int row)
{
    const dt_tie_row *at = &s->closure->tie[row];
    return at->kind->open(s, at->item, at->component);
}

double dt_closure_row_error(const dt_system *s, int row, double length)
{
    const dt_tie_row *at = &s->closure->tie[row];
    return at->kind->error ? at->kind->error(s, at->item, length) : fabs(dt_closure_open(s, row));
}

double dt_closure_grain(const dt_system *s, double length)
{
    const dt_still *still = s->closure->still;
    double most = 0;
    for (int n = 0; n < still->tied_count; n++) {
        const dt_node *node = &s->tree->nodes[still->tied[n]];
        const double q = node->type->nq == 1 ? fabs(s->q[node->q]) : 0;
        most = fmax(most, node->type->rotational ? length * q : q);
    }
    return 4 * DBL_EPSILON * most;
}

double dt_closure_error(const dt_system *s)
{
    const double length = dt_closure_reach(s);
    double worst = 0;
    for (int r = 0; r < s->closure->rows; r++) {
        if (s->closure->tie[r].component == 0) {
            const double own = dt_closure_row_error(s, r, length);
            if (isnan(own)) { /* fmax() would hide it */
                return own;
            }
            worst = fmax(worst, own);
        }
    }
    return worst;
}

bool dt_closure_ends(const dt_system *s, int row, int *one, int *other)
{
    const dt_tie_row *at = &s->closure->tie[row];
    int place[2];
    if (!at->kind->ends) {
        return false;
    }
    at->kind->ends(s->mechanism, at->item, place);
    *one = s->mechanism->loads[place[0]].node;
    *other = s->mechanism->loads[place[1]].node;
    return true;
}

int dt_closure_violated_row(const dt_system *s)
{
    static const double rounding = 1e-9;
    const dt_closure *c = s->closure;
    const double length = dt_closure_reach(s);
    double most = 0, scale = 0;
    int worst = -1;
    for (int r = 0; r < c->rows; r++) {
        double sum = 0, size = 0;
        for (int v = 0; v < s->tree->nv; v++) {
            const double term = dt_closure_entry(c, r, v) * s->v[v];
            sum += term;
            size += fabs(term);
        }
        const double weight = dt_closure_row_weight(s, r, length);
        scale = fmax(scale, weight * size);
        if (weight * fabs(sum) > most) {
            most = weight * fabs(sum);
            worst = r;
        }
    }
    return most > rounding * scale ? worst : -1;
}

bool dt_closure_moves_locked(const dt_system *s)
{
    return s->closure->count < s->closure->rows && dt_closure_violated_row(s) >= 0;
}
