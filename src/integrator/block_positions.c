/*
 * Coordinates of joints: q' = N(q) v. A prescribed one is algebraic, q = m(t), unless it is its speed that is prescribed.
 *
 *   weight   1 / (rtol min(|q|, n) + atol), n the nominal position: what turns for ever is known as well
 *            as at first; none for what is locked or prescribed
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/weights.h"

static int length(const dt_system *s)
{
    return s->tree->nq;
}

/* Whether a coordinate is integrated and not at rest. */
static bool is_integrated(const dt_system *s, int i)
{
    return dt_moves(s, i) || dt_is_driven_by_speed(s, i);
}

static int tested(const dt_simulation *sim)
{
    const dt_system *s = sim->core;
    int count = 0;
    for (int c = 0; c < s->tree->node_count; c++) {
        count += is_integrated(s, c) ? s->tree->nodes[c].type->nq : 0;
    }
    return count;
}

static void weigh(const dt_simulation *sim, double scale, const double *y, double *weights)
{
    for (int c = 0; c < sim->core->tree->node_count; c++) {
        const dt_node *node = &sim->core->tree->nodes[c];
        const int whole = dt_whole_node(sim, c);
        const bool moves = is_integrated(sim->core, c);
        const double *q = dt_q_of(sim, y) + node->q;
        double *w = dt_q_in(sim, weights) + node->q;
        for (int k = 0; k < node->type->nq; k++) {
            w[k] = moves ? scale / dt_position_tolerance(sim, whole, q[k]) : 0;
        }
    }
}

static void identify(const dt_simulation *sim, double *id)
{
    const dt_system *s = sim->core;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_is_prescribed(s, i) && !dt_is_driven_by_speed(s, i)) {
            dt_q_in(sim, id)[s->tree->nodes[i].q] = 0;
        }
    }
}

static void ahead(dt_simulation *sim, const double *y, const double *yp, double h)
{
    const double *q = dt_block_of(sim, DT_BLOCK_POSITIONS, y),
                 *rate = dt_block_of(sim, DT_BLOCK_POSITIONS, yp);
    for (int k = 0; k < sim->core->tree->nq; k++) {
        sim->core->q[k] = q[k] + h * rate[k];
    }
}

static void state(const dt_simulation *sim, double *y)
{
    memcpy(dt_q_in(sim, y), sim->core->q, (size_t)sim->core->tree->nq * sizeof *y);
}

static void rate(dt_simulation *sim, double *yp)
{
    const dt_system *s = sim->core;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nq > 0) {
            node->type->rate(s->q + node->q, s->v + node->v, dt_q_in(sim, yp) + node->q);
        }
    }
}

static bool residual(dt_simulation *sim, const double *y, const double *yp, double *r)
{
    const dt_system *s = sim->core;
    const double *q = dt_q_of(sim, y), *qp = dt_q_of(sim, yp);
    double *r_q = dt_q_in(sim, r);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double rates[4];
        if (dt_is_prescribed(s, i) && !dt_is_driven_by_speed(s, i)) {
            r_q[node->q] = q[node->q] - s->q[node->q];
            continue;
        }
        if (node->type->nq == 0) {
            continue;
        }
        node->type->rate(s->q + node->q, s->v + node->v, rates);
        for (int k = 0; k < node->type->nq; k++) {
            r_q[node->q + k] = qp[node->q + k] - rates[k];
        }
    }
    return true;
}

static double *saved(dt_simulation *sim)
{
    return sim->system.q;
}

const dt_block_row dt_block_positions = {.name = "positions",
                                         .length = length,
                                         .tested = tested,
                                         .weigh = weigh,
                                         .identify = identify,
                                         .ahead = ahead,
                                         .state = state,
                                         .rate = rate,
                                         .residual = residual,
                                         .saved = saved};
