/* What graze.c looks at: the root functions at the ends of the last steps, and the accelerations at the start of the last one. */
#include "integrator/graze.h"

#include "integrator/core.h"
#include "integrator/source.h"

#include <math.h>

static void forget(dt_simulation *sim)
{
    dt_graze *graze = &sim->graze;
    for (int k = 0; k < 3; k++) {
        graze->time[k] = NAN;
    }
    graze->acceleration_time = NAN;
    graze->found = false;
}

bool dt_graze_create(dt_arena *arena, dt_simulation *sim)
{
    dt_graze *graze = &sim->graze;
    for (int k = 0; k < 3; k++) {
        graze->value[k] = dt_arena_alloc(arena, (size_t)dt_sources_most(sim), sizeof(double));
        if (!graze->value[k]) {
            return false;
        }
    }
    graze->acceleration = dt_arena_alloc(arena, (size_t)sim->ns, sizeof(double));
    forget(sim);
    return graze->acceleration != NULL;
}

void dt_graze_keep_accelerations(dt_simulation *sim, double t)
{
    const dt_system *s = sim->core;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        sim->graze.acceleration[k] =
            dt_v_of(sim, sim->yp)[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
    }
    sim->graze.acceleration_time = t;
}

void dt_graze_restart(dt_simulation *sim, double t)
{
    forget(sim);
    dt_graze_keep_accelerations(sim, t);
}

/* The oldest of three arrays becomes the newest. */
static void turn(double *value[3])
{
    double *oldest = value[0];
    value[0] = value[1];
    value[1] = value[2];
    value[2] = oldest;
}

void dt_graze_note(dt_simulation *sim, double t, const double *g)
{
    dt_graze *graze = &sim->graze;
    const bool new_step = t != graze->time[2];
    if (new_step) {
        turn(graze->value);
        graze->time[0] = graze->time[1];
        graze->time[1] = graze->time[2];
        graze->time[2] = t;
    }
    memcpy(graze->value[2], g, (size_t)dt_watched(sim) * sizeof *g);
    dt_sources_note(sim, new_step);
}

double dt_graze_value(const dt_simulation *sim, dt_root w, int step)
{
    const dt_source_row *row = sim->source[w.source];
    return row->value ? row->value(sim, w, step) : dt_root_value(sim, w, sim->graze.value[step]);
}

double dt_graze_before(const dt_simulation *sim, int k, int which)
{
    const dt_root w = dt_root_of_stiction(sim, k, which);
    const double last = dt_graze_value(sim, w, 1);
    return isnan(sim->graze.time[0]) ? last : fmax(dt_graze_value(sim, w, 0), last);
}
