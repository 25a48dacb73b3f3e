/*
 * Error weights: 1 / tolerance, scaled so that the integrator's root mean square is taken over the
 * unknowns that move. A mechanism of a thousand locked joints and three moving ones is integrated as
 * accurately as the three alone; what is locked or prescribed has no weight. What the error test
 * allows an unknown is told by its block (block_*.c). atol where the user gives none: rtol / 100 of the
 * nominal position or velocity (scale.h).
 */
#include "integrator/weights.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/sliding.h"

#include <math.h>

static const double least_rtol = 1e-14; /* what the arithmetic can give */

bool dt_moves(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    return !dt_is_prescribed(s, i) && !(k >= 0 && s->mode[k] == DETENT_LOCKED);
}

double dt_position_tolerance(const dt_simulation *sim, int node, double value)
{
    const double n = dt_scale_position(&sim->scale, sim->mechanism, node), size = fabs(value),
                 atol = sim->atol > 0 ? sim->atol : dt_weights_nothing * sim->rtol * n;
    /* far out the rounding of the coordinate itself is more than that */
    return fmax(sim->rtol * fmin(size, n) + atol, least_rtol * size);
}

double dt_position_told(const dt_simulation *sim, int node)
{
    return fmax(sim->settings.rtol * dt_scale_position(&sim->scale, sim->mechanism, node),
                sim->settings.atol);
}

double dt_velocity_nothing(const dt_simulation *sim, double nominal)
{
    return sim->atol > 0 ? sim->atol : dt_weights_nothing * sim->rtol * nominal;
}

double dt_state_nothing(const dt_simulation *sim, int k)
{
    const double size = sim->rtol * sim->scale.state[k];
    return sim->atol > 0 ? fmin(sim->atol, size) : dt_weights_nothing * size;
}

double dt_state_tolerance(const dt_simulation *sim, int k, double value)
{
    return sim->rtol * fabs(value) + dt_state_nothing(sim, k);
}

double dt_velocity_hair(const dt_simulation *sim, int node)
{
    return dt_velocity_nothing(sim, dt_scale_velocity(&sim->scale, sim->mechanism, node));
}

/* A joint that turns round while it waits has to be seen before it passes its threshold on the other side. */
double dt_wait_hair(const dt_simulation *sim, int node)
{
    const double hair = 10 * dt_velocity_hair(sim, node);
    const int k = sim->mechanism->primitives[node].stiction;
    return k >= 0 ? fmin(hair, dt_threshold(sim, k) / 2) : hair;
}

double dt_velocity_tolerance(const dt_simulation *sim, int node, double value)
{
    return sim->rtol * fabs(value) + dt_velocity_hair(sim, node);
}

double dt_tolerance(const dt_simulation *sim, dt_variable variable, double value)
{
    return dt_variable_is(variable, DT_OF_POSITIONS)
               ? dt_position_tolerance(sim, variable.index, value)
           : dt_variable_is(variable, DT_OF_VELOCITIES)
               ? dt_velocity_tolerance(sim, variable.index, value)
           : dt_variable_is(variable, DT_OF_STATES) ? dt_state_tolerance(sim, variable.index, value)
                                                    : 0;
}

double dt_threshold(const dt_simulation *sim, int k)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    return stiction->friction->velocity_threshold > 0
               ? stiction->friction->velocity_threshold
               : DT_SCALE_SLOW *
                     dt_scale_velocity(&sim->scale, sim->mechanism, stiction->primitive);
}

/*
 * The error test allows the velocities and states of which a border of the order 1 is made as much as that is wide, and it holds
 * them within: where the order of the formula changes d moves by a part of the width, and such steps would all be refused.
 */
static void soften(const dt_simulation *sim, double *weights)
{
    const dt_system *s = sim->core;
    const dt_sliding *sl = &sim->sliding;
    if (!dt_sliding_now(sim)) {
        return;
    }
    for (int v = 0; v < s->tree->nv; v++) {
        dt_v_in(sim, weights)[v] /= sl->soft_v[v] ? dt_sliding_softness : 1;
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        dt_block_in(sim, DT_BLOCK_STATES, weights)[k] /= sl->soft_z[k] ? dt_sliding_softness : 1;
    }
}

void dt_weights(void *simulation, const double *y, double *weights)
{
    const dt_simulation *sim = simulation;
    int tested = 0;
    for (int b = 0; b < DT_BLOCKS; b++) {
        tested += dt_block_rows[b]->tested ? dt_block_rows[b]->tested(sim) : 0;
    }
    const double scale = sqrt((double)dt_length(sim) / (tested > 0 ? tested : 1));
    for (int b = 0; b < DT_BLOCKS; b++) {
        dt_block_rows[b]->weigh(sim, scale, y, weights);
    }
    soften(sim, weights);
}

void dt_usual_weights(void *simulation, const double *y, double *weights)
{
    const dt_simulation *sim = simulation;
    dt_weights(simulation, y, weights);
    for (int i = 0; i < sim->core->tree->node_count; i++) {
        const dt_node *node = &sim->core->tree->nodes[i];
        const int whole = dt_whole_node(sim, i);
        const double q = sim->rtol * dt_scale_position(&sim->scale, sim->mechanism, whole),
                     v = sim->rtol * dt_scale_velocity(&sim->scale, sim->mechanism, whole);
        for (int k = node->q; k < node->q + node->type->nq; k++) {
            dt_q_in(sim, weights)[k] = fmin(dt_q_in(sim, weights)[k], 1 / q);
        }
        for (int k = node->v; k < node->v + node->type->nv; k++) {
            dt_v_in(sim, weights)[k] = fmin(dt_v_in(sim, weights)[k], 1 / v);
        }
    }
}

void dt_identify(void *simulation, double *id)
{
    const dt_simulation *sim = simulation;
    for (int b = 0; b < DT_BLOCKS; b++) {
        const dt_block_row *row = dt_block_rows[b];
        for (int k = sim->blocks.offset[b]; k < sim->blocks.offset[b + 1]; k++) {
            id[k] = row->algebraic ? 0 : 1;
        }
        if (row->identify) {
            row->identify(sim, id);
        }
    }
}
