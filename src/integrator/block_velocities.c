/*
 * Velocities of joints: S'F(t, q, v, v') = Q + f. A prescribed one is algebraic, v = m'(t).
 *
 *   weight   1 / (rtol |v| + atol); none for what is locked or prescribed
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/weights.h"

static int length(const dt_system *s)
{
    return s->tree->nv;
}

static int tested(const dt_simulation *sim)
{
    const dt_system *s = sim->core;
    int count = 0;
    for (int c = 0; c < s->tree->node_count; c++) {
        count += dt_moves(s, c) ? s->tree->nodes[c].type->nv : 0;
    }
    return count;
}

static void weigh(const dt_simulation *sim, double scale, const double *y, double *weights)
{
    for (int c = 0; c < sim->core->tree->node_count; c++) {
        const dt_node *node = &sim->core->tree->nodes[c];
        const int whole = dt_whole_node(sim, c);
        const bool moves = dt_moves(sim->core, c);
        const double *v = dt_v_of(sim, y) + node->v;
        double *w = dt_v_in(sim, weights) + node->v;
        for (int k = 0; k < node->type->nv; k++) {
            w[k] = moves ? scale / dt_velocity_tolerance(sim, whole, v[k]) : 0;
        }
    }
}

static void identify(const dt_simulation *sim, double *id)
{
    const dt_system *s = sim->core;
    for (int i = 0; i < s->tree->node_count; i++) {
        if (dt_is_prescribed(s, i)) {
            dt_v_in(sim, id)[s->tree->nodes[i].v] = 0;
        }
    }
}

static void ahead(dt_simulation *sim, const double *y, const double *yp, double h)
{
    const double *v = dt_block_of(sim, DT_BLOCK_VELOCITIES, y),
                 *rate = dt_block_of(sim, DT_BLOCK_VELOCITIES, yp);
    for (int k = 0; k < sim->core->tree->nv; k++) {
        sim->core->v[k] = v[k] + h * rate[k];
    }
}

static void state(const dt_simulation *sim, double *y)
{
    memcpy(dt_v_in(sim, y), sim->core->v, (size_t)sim->core->tree->nv * sizeof *y);
}

static void rate(dt_simulation *sim, double *yp)
{
    memcpy(dt_v_in(sim, yp), sim->core->a, (size_t)sim->core->tree->nv * sizeof *yp);
}

static bool residual(dt_simulation *sim, const double *y, const double *yp, double *r)
{
    const dt_system *s = sim->core;
    const double *v = dt_v_of(sim, y);
    double *r_v = dt_v_in(sim, r);
    (void)yp; /* v' is in the forces */
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            r_v[j] = dt_is_prescribed(s, i) ? v[j] - s->v[j] : s->tau[j] - s->Q[j];
        }
        if (k >= 0) {
            r_v[node->v] -= s->f[k];
        }
    }
    return true;
}

static double *saved(dt_simulation *sim)
{
    return sim->system.v;
}

const dt_block_row dt_block_velocities = {.name = "velocities",
                                          .length = length,
                                          .tested = tested,
                                          .weigh = weigh,
                                          .identify = identify,
                                          .ahead = ahead,
                                          .state = state,
                                          .rate = rate,
                                          .residual = residual,
                                          .saved = saved};
