/*
 * Friction forces, algebraic: a = 0 (locked), f + s FK = 0 (wait, unlocked).
 *
 *   weight   1 / (rtol |f| + rtol / 100 of the nominal force); no better than forces are known while laws slide
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/residual.h"
#include "integrator/sliding.h"
#include "integrator/weights.h"

#include <math.h>

static int length(const dt_system *s)
{
    return s->mechanism->stiction_count;
}

static void weigh(const dt_simulation *sim, double scale, const double *y, double *weights)
{
    const dt_system *s = sim->core;
    const double blur = dt_sliding_blur(sim);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int c = s->mechanism->stictions[k].primitive;
        const double size = sim->scale.force[sim->system.tree->nodes[dt_whole_node(sim, c)].v];
        const double f = fabs(dt_f_of(sim, y)[k]);
        dt_f_in(sim, weights)[k] =
            scale / fmax(sim->rtol * (f + dt_weights_nothing * size), blur * (f + size));
    }
}

static void state(const dt_simulation *sim, double *y)
{
    memcpy(dt_f_in(sim, y), sim->core->f, (size_t)sim->core->mechanism->stiction_count * sizeof *y);
}

static void rate(dt_simulation *sim, double *yp)
{
    memset(dt_f_in(sim, yp), 0, (size_t)sim->core->mechanism->stiction_count * sizeof *yp);
}

static bool residual(dt_simulation *sim, const double *y, const double *yp, double *r)
{
    dt_system *s = sim->core;
    double *r_f = dt_f_in(sim, r), sum = 0;
    (void)y;  /* f is the system's, */
    (void)yp; /* and so is a */
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        r_f[k] = s->mode[k] == DETENT_LOCKED
                     ? s->a[s->tree->nodes[s->mechanism->stictions[k].primitive].v]
                     : s->f[k] - dt_system_moving_friction(s, k);
        sum += 0 * r_f[k];
    }
    if (sum != 0) { /* nobody else reads the laws of friction */
        dt_note_bad_law(sim, s->time);
    }
    return sum == 0;
}

static double *saved(dt_simulation *sim)
{
    return sim->system.f;
}

const dt_block_row dt_block_friction = {.name = "friction",
                                        .length = length,
                                        .weigh = weigh,
                                        .algebraic = true,
                                        .state = state,
                                        .rate = rate,
                                        .residual = residual,
                                        .saved = saved};
