/*
 * States of controllers and elements: z' = derivative (element_state.c).
 *
 *   weight   1 / (rtol |z| + rtol / 100 of what the state ordinarily is)
 *
 * The user's atol, which is meant for positions and velocities, takes the place of the second term where it is not more
 * than rtol of what the state ordinarily is, and that where it is.
 */
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/residual.h"
#include "integrator/weights.h"

static int length(const dt_system *s)
{
    return s->mechanism->state_count;
}

static int tested(const dt_simulation *sim)
{
    return length(sim->core);
}

static void weigh(const dt_simulation *sim, double scale, const double *y, double *weights)
{
    const double *z = dt_block_of(sim, DT_BLOCK_STATES, y);
    double *w = dt_block_in(sim, DT_BLOCK_STATES, weights);
    for (int k = 0; k < length(sim->core); k++) {
        w[k] = scale / dt_state_tolerance(sim, k, z[k]);
    }
}

static void enter(dt_simulation *sim, const double *y)
{
    memcpy(sim->core->z, dt_block_of(sim, DT_BLOCK_STATES, y),
           (size_t)length(sim->core) * sizeof *y);
}

static void ahead(dt_simulation *sim, const double *y, const double *yp, double h)
{
    const double *z = dt_block_of(sim, DT_BLOCK_STATES, y),
                 *rate = dt_block_of(sim, DT_BLOCK_STATES, yp);
    for (int k = 0; k < length(sim->core); k++) {
        sim->core->z[k] = z[k] + h * rate[k];
    }
}

static void state(const dt_simulation *sim, double *y)
{
    memcpy(dt_block_in(sim, DT_BLOCK_STATES, y), sim->core->z,
           (size_t)length(sim->core) * sizeof *y);
}

static void rate(dt_simulation *sim, double *yp)
{
    for (int k = 0; k < length(sim->core); k++) {
        dt_block_in(sim, DT_BLOCK_STATES, yp)[k] =
            dt_law_value(sim->core, dt_rate_law(sim->core, k), 0);
    }
}

static bool residual(dt_simulation *sim, const double *y, const double *yp, double *r)
{
    const double *zp = dt_block_of(sim, DT_BLOCK_STATES, yp);
    double *r_z = dt_block_in(sim, DT_BLOCK_STATES, r), sum = 0;
    (void)y; /* z is the system's */
    for (int k = 0; k < length(sim->core); k++) {
        r_z[k] = zp[k] - dt_law_value(sim->core, dt_rate_law(sim->core, k), 0);
        sum += 0 * r_z[k];
    }
    if (sum != 0) {
        dt_note_bad_law(sim, sim->core->time);
    }
    return sum == 0;
}

static double *saved(dt_simulation *sim)
{
    return sim->system.z;
}

const dt_block_row dt_block_states = {.name = "states",
                                      .length = length,
                                      .tested = tested,
                                      .weigh = weigh,
                                      .enter = enter,
                                      .ahead = ahead,
                                      .state = state,
                                      .rate = rate,
                                      .residual = residual,
                                      .saved = saved};
