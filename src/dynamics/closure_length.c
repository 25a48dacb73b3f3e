/* The lengths that turns are measured by where loops close, so that rows and freedoms compare. */
#include "dynamics/arm.h"
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"
#include "dynamics/tie.h"

/* Of what is tied: how far the farthest is from the origin, and no less than it has a size by itself. */
static double farthest(const dt_system *s)
{
    const dt_closure *c = s->closure;
    double most = c ? c->size : 0;
    for (int n = 0; c && n < c->still->tied_count; n++) {
        double r[3];
        dt_arm(s, c->still->tied[n], r);
        most = fmax(most, dt_norm3(r));
    }
    for (int k = 0; c && k < c->rows; k++) {
        const dt_tie_row *tie = &c->tie[k];
        if (tie->component == 0 && tie->kind->reach) {
            most = fmax(most, tie->kind->reach(s, tie->item));
        }
    }
    return most;
}

double dt_closure_reach(const dt_system *s)
{
    const dt_closure *c = s->closure;
    const double most = c ? farthest(s) : 0, first = c ? c->first : 0;
    return first < 0               ? fmax(most, s->length)
           : fmax(most, first) > 0 ? fmax(most, first)
                                   : s->length;
}

void dt_closure_note_first_reach(dt_system *s)
{
    dt_closure *c = s->closure;
    const double most = farthest(s);
    c->first = c->size > 0 ? 0 : most > 0 ? most : -1;
}

double dt_closure_weight(const dt_node *node, double length)
{
    return node->type->rotational ? 1 / length : 1;
}

double dt_closure_row_weight(const dt_system *s, int row, double length)
{
    const dt_tie_row *at = &s->closure->tie[row];
    return at->kind->weight ? at->kind->weight(s, at->item, at->component, length) : 1;
}

double dt_closure_spread(const dt_system *s)
{
    const int nodes = s->tree->node_count;
    double mean[3] = {0}, most = 0;
    for (int i = 0; i < nodes; i++) {
        double r[3];
        dt_arm(s, i, r);
        for (int k = 0; k < 3; k++) {
            mean[k] += r[k] / nodes;
        }
    }
    for (int i = 0; i < nodes; i++) {
        double r[3];
        dt_arm(s, i, r);
        const double d[3] = {r[0] - mean[0], r[1] - mean[1], r[2] - mean[2]};
        most = fmax(most, dt_norm3(d));
    }
    return most > 1e-6 * dt_closure_reach(s) ? most : dt_closure_reach(s);
}
