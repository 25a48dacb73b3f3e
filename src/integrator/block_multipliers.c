/*
 * Multipliers of what ties joints (tie.h), algebraic: its rows of accelerations hold.
 *
 * Of rows that others imply they are nothing here.
 *
 *   weight   1 / (rtol |m| + rtol / 100 of the largest force there is, or of its moment by the reach), rtol as the user gave
 *            it: a step's error in a force is not summed over steps as those of motion are
 */
#include "dynamics/closure.h"
#include "dynamics/self_stress.h"
#include "dynamics/tie.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/weights.h"

static int length(const dt_system *s)
{
    return dt_tie_rows(s->mechanism);
}

/* The largest force there is, of torques that by the nominal length, N. */
static double largest_force(const dt_simulation *sim)
{
    const dt_tree *tree = sim->system.tree;
    double force = 0;
    for (int i = 0; i < tree->node_count; i++) {
        const double length = tree->nodes[i].type->rotational ? sim->scale.length : 1;
        for (int j = tree->nodes[i].v; j < tree->nodes[i].v + tree->nodes[i].type->nv; j++) {
            force = fmax(force, sim->scale.force[j] / length);
        }
    }
    return force;
}

static void weigh(const dt_simulation *sim, double scale, const double *y, double *weights)
{
    const double *m = dt_block_of(sim, DT_BLOCK_MULTIPLIERS, y);
    const dt_closure *closure = sim->core->closure;
    const double force = length(sim->core) > 0 ? largest_force(sim) : 0;
    for (int k = 0; k < length(sim->core); k++) {
        dt_block_in(sim, DT_BLOCK_MULTIPLIERS, weights)[k] =
            scale /
            (sim->settings.rtol * (fabs(m[k]) + dt_weights_nothing * force * closure->row_unit[k]));
    }
}

static void enter(dt_simulation *sim, const double *y)
{
    memcpy(sim->core->multiplier, dt_block_of(sim, DT_BLOCK_MULTIPLIERS, y),
           (size_t)length(sim->core) * sizeof *y);
}

/* What redundant rows carry is found anew wherever accelerations are set: there it is left out. */
static void state(const dt_simulation *sim, double *y)
{
    double *m = dt_block_in(sim, DT_BLOCK_MULTIPLIERS, y);
    memcpy(m, sim->core->multiplier, (size_t)length(sim->core) * sizeof *y);
    dt_self_stress_remove(sim->core, m);
}

/* Rows that others imply: nothing follows from their multipliers, which go back to nothing. */
static void follow(const dt_simulation *sim, double *r, double c)
{
    const dt_closure *closure = sim->core->closure;
    (void)c;
    for (int k = 0; k < length(sim->core); k++) {
        if (!closure->active[k]) {
            dt_block_in(sim, DT_BLOCK_MULTIPLIERS, r)[k] = -closure->put_off[k];
        }
    }
}

static void rate(dt_simulation *sim, double *yp)
{
    memset(dt_block_in(sim, DT_BLOCK_MULTIPLIERS, yp), 0, (size_t)length(sim->core) * sizeof *yp);
}

static bool residual(dt_simulation *sim, const double *y, const double *yp, double *r)
{
    (void)y;  /* multipliers are the system's, */
    (void)yp; /* and so are accelerations */
    dt_tie_residuals(sim->core, dt_block_in(sim, DT_BLOCK_MULTIPLIERS, r));
    return true;
}

static double *saved(dt_simulation *sim)
{
    return sim->system.multiplier;
}

const dt_block_row dt_block_multipliers = {.name = "multipliers",
                                           .length = length,
                                           .weigh = weigh,
                                           .algebraic = true,
                                           .enter = enter,
                                           .state = state,
                                           .rate = rate,
                                           .residual = residual,
                                           .follow = follow,
                                           .saved = saved};
