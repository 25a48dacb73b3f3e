/*
 * Works of friction, damping and actuation: w' = power. They follow without feeding back.
 *
 *   weight   1 / (ten times rtol (|w| + E) + rtol / 100 of the nominal energy): they are results, with a
 *            tenth of the accuracy
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/sliding.h"
#include "integrator/weights.h"

static int length(const dt_system *s)
{
    (void)s;
    return DT_WORKS;
}

static void weigh(const dt_simulation *sim, double scale, const double *y, double *weights)
{
    const double energy =
        fabs(sim->statistics.initial_energy) + dt_weights_nothing * sim->scale.energy;
    for (int k = 0; k < DT_WORKS; k++) {
        const double work = fabs(dt_w_of(sim, y)[k]);
        dt_w_in(sim, weights)[k] = scale / (10 * sim->rtol * (work + energy));
    }
}

static void state(const dt_simulation *sim, double *y)
{
    memcpy(dt_w_in(sim, y), sim->work, sizeof sim->work);
}

static void rate(dt_simulation *sim, double *yp)
{
    dt_powers(sim->core, dt_w_in(sim, yp));
}

/*
 * Powers; where a law slides (sliding.c) that of actuation is what the motion needs, by the residual of the
 * dynamics: at a predictor the law itself may be far from where Newton's step takes it, and its
 * rounding is magnified.
 */
static void powers_needed(dt_simulation *sim, const double *r_v, double power[DT_WORKS])
{
    dt_system *s = sim->core;
    dt_powers(s, power);
    if (!dt_sliding_now(sim)) {
        return;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !dt_is_prescribed(s, i); j++) {
            power[DT_WORK_ACTUATION] += r_v[j] * s->v[j];
        }
    }
}

static bool residual(dt_simulation *sim, const double *y, const double *yp, double *r)
{
    double power[DT_WORKS];
    (void)y;
    powers_needed(sim, dt_v_of(sim, r), power);
    for (int k = 0; k < DT_WORKS; k++) {
        dt_w_in(sim, r)[k] = dt_w_of(sim, yp)[k] - power[k];
    }
    return true;
}

/* The powers of friction are followed exactly enough for its work. */
static void follow(const dt_simulation *sim, double *r, double c)
{
    const dt_system *s = sim->core;
    const double *d_v = dt_v_of(sim, r), *d_f = dt_f_of(sim, r);
    double *d_w = dt_w_in(sim, r), friction = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        friction += d_f[k] * s->v[j] + s->f[k] * d_v[j];
    }
    for (int k = 0; k < DT_WORKS; k++) {
        d_w[k] = (-d_w[k] + (k == DT_WORK_FRICTION ? friction : 0)) / c;
    }
}

static void read(dt_simulation *sim, const double *y)
{
    memcpy(sim->work, dt_w_of(sim, y), sizeof sim->work);
}

static double *saved(dt_simulation *sim)
{
    return sim->work;
}

const dt_block_row dt_block_works = {.name = "works",
                                     .length = length,
                                     .weigh = weigh,
                                     .state = state,
                                     .rate = rate,
                                     .residual = residual,
                                     .follow = follow,
                                     .read = read,
                                     .saved = saved};
