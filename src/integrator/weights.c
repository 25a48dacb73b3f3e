/*
 * Error weights: 1 / tolerance, scaled so that the integrator's root mean square is taken over the
 * unknowns that move. A mechanism of a thousand locked joints and three moving ones is integrated as
 * accurately as the three alone; what is locked or prescribed has no weight.
 *
 *   position   rtol min(|q|, n) + atol    n the nominal position: what turns for ever is known as well as at first
 *   velocity   rtol |v| + atol
 *   friction   rtol |f| + rtol / 100 of the nominal force
 *   work       ten times rtol (|w| + E) + rtol / 100 of the nominal energy
 *
 * atol where the user gives none: rtol / 100 of the nominal position or velocity (scale.h).
 */
#include "integrator/weights.h"
#include "integrator/blocks.h"
#include "integrator/core.h"

#include <math.h>

static const double least_rtol = 1e-14; /* what the arithmetic can give */

bool dt_moves(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    return !s->motion_law[i].program && !(k >= 0 && s->mode[k] == DETENT_LOCKED);
}

static const double nothing = 1e-2; /* of rtol at the nominal size */

double dt_position_tolerance(const dt_simulation *sim, int node, double value)
{
    const double n = dt_scale_position(&sim->scale, sim->mechanism, node), size = fabs(value),
                 atol = sim->atol > 0 ? sim->atol : nothing * sim->rtol * n;
    /* far out the rounding of the coordinate itself is more than that */
    return fmax(sim->rtol * fmin(size, n) + atol, least_rtol * size);
}

double dt_velocity_nothing(const dt_simulation *sim, double nominal)
{
    return sim->atol > 0 ? sim->atol : nothing * sim->rtol * nominal;
}

double dt_velocity_hair(const dt_simulation *sim, int node)
{
    return dt_velocity_nothing(sim, dt_scale_velocity(&sim->scale, sim->mechanism, node));
}

double dt_velocity_tolerance(const dt_simulation *sim, int node, double value)
{
    return sim->rtol * fabs(value) + dt_velocity_hair(sim, node);
}

double dt_threshold(const dt_simulation *sim, int k)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    return stiction->velocity_threshold > 0
               ? stiction->velocity_threshold
               : DT_SCALE_SLOW *
                     dt_scale_velocity(&sim->scale, sim->mechanism, stiction->primitive);
}

/** Weights of the coordinates and freedoms of core node c. */
static void weigh_node(const dt_simulation *sim, int c, double scale, const double *y,
                       double *weights)
{
    const dt_node *own = &sim->core->tree->nodes[c];
    const int i = dt_whole_node(sim, c);
    const bool moves = dt_moves(sim->core, c);
    const double *q = dt_q_of(sim, y) + own->q, *v = dt_v_of(sim, y) + own->v;
    double *wq = dt_q_in(sim, weights) + own->q, *wv = dt_v_in(sim, weights) + own->v;
    for (int k = 0; k < own->type->nq; k++) {
        wq[k] = moves ? scale / dt_position_tolerance(sim, i, q[k]) : 0;
    }
    for (int k = 0; k < own->type->nv; k++) {
        wv[k] = moves ? scale / dt_velocity_tolerance(sim, i, v[k]) : 0;
    }
}

void dt_weights(void *simulation, const double *y, double *weights)
{
    const dt_simulation *sim = simulation;
    const dt_system *s = sim->core;
    int moving = 0;
    for (int c = 0; c < s->tree->node_count; c++) {
        moving += dt_moves(s, c) ? s->tree->nodes[c].type->nq + s->tree->nodes[c].type->nv : 0;
    }
    const double scale = sqrt((double)sim->order / (moving > 0 ? moving : 1));
    for (int c = 0; c < s->tree->node_count; c++) {
        weigh_node(sim, c, scale, y, weights);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int c = s->mechanism->stictions[k].primitive;
        const double size = sim->scale.force[sim->system.tree->nodes[dt_whole_node(sim, c)].v];
        dt_f_in(sim, weights)[k] =
            scale / (sim->rtol * (fabs(dt_f_of(sim, y)[k]) + nothing * size));
    }
    /* works feed back into nothing, but are results: they get a tenth of the accuracy */
    const double energy = fabs(sim->statistics.initial_energy) + nothing * sim->scale.energy;
    for (int k = 0; k < DT_WORKS; k++) {
        const double work = fabs(dt_w_of(sim, y)[k]);
        dt_w_in(sim, weights)[k] = scale / (10 * sim->rtol * (work + energy));
    }
}

void dt_identify(void *simulation, double *id)
{
    const dt_simulation *sim = simulation;
    const dt_system *s = sim->core;
    for (int k = 0; k < sim->order; k++) {
        id[k] = 1;
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        dt_f_in(sim, id)[k] = 0;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        if (s->motion_law[i].program) {
            dt_q_in(sim, id)[s->tree->nodes[i].q] = 0;
            dt_v_in(sim, id)[s->tree->nodes[i].v] = 0;
        }
    }
}
