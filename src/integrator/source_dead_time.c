/*
 * The source of dead times: instants at which what is read of before jumps. It has no root functions: when something jumped is known (dead_times.c). The value of
 * before the jump holds up to the last double before the instant.
 */
#include "integrator/core.h"
#include "integrator/source.h"

#include <math.h>

static double next(dt_simulation *sim, double *stop)
{
    const double jump = dt_dead_times_break(sim, true);
    *stop = fmin(*stop, fmin(nextafter(jump, -INFINITY), dt_dead_times_break(sim, false)));
    return jump;
}

static bool due(dt_simulation *sim, double t)
{
    return dt_dead_times_break(sim, true) <= t + dt_moment(sim);
}

/* A restored run begins. */
static void forget(dt_simulation *sim, double t)
{
    sim->dead.passed = t + dt_moment(sim);
    dt_dead_times_find_breaks(sim);
}

const dt_source_row dt_source_dead_time = {.next = next, .forget = forget, .due = due};
