/*
 * How far bodies may turn within a step while something is watched.
 *
 * What turns takes forces with it: the reaction of a rotor swings once a turn. A motion that the integrator's
 * formula follows exactly (constant speed, constant torque) has no error, however long the step, and would
 * carry a limit that is passed and comes back, or several, over it. So within a step no joint turns so far that
 * a sinusoid of its angle is not told by the ends of the steps, between which graze.c looks.
 */
#include "integrator/turning.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/source.h"

#include <math.h>

static const double widest = 0.5; /* rad */
static const double most_growth = 3;

/* When a speed v with acceleration a has gone through an angle: v h + a h^2 / 2. */
static double time_to_turn(double v, double a, double angle)
{
    return 2 * angle / (fabs(v) + sqrt(v * v + 2 * fabs(a) * angle));
}

void dt_turning_note(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    const double *v = dt_v_of(sim, sim->y), *a = dt_v_of(sim, sim->yp);
    sim->step.turning = INFINITY;
    if (dt_watched(sim) == 0) {
        return;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; node->type->rotational && j < node->v + node->type->nv; j++) {
            if (v[j] != 0 || a[j] != 0) {
                sim->step.turning = fmin(sim->step.turning, time_to_turn(v[j], a[j], widest));
            }
        }
    }
}

/*
 * From rest under a force like t^n it turns by v h / (n + 2): the bound at the start tells for n = 0, and what grows as fast as t is
 * not yet too far.
 */
bool dt_turning_is_too_far(const dt_simulation *sim, double h)
{
    const dt_system *s = sim->core;
    const double *v = dt_v_of(sim, sim->y);
    double fastest = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; node->type->rotational && j < node->v + node->type->nv; j++) {
            fastest = fmax(fastest, fabs(v[j]));
        }
    }
    return fastest * h > most_growth * widest && dt_watched(sim) > 0;
}
