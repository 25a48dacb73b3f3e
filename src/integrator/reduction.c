/* The trivial reduction: the whole mechanism is the core. */
#include "integrator/reduction.h"
#include "integrator/core.h"
#include "integrator/source.h"

static bool is_possible(const dt_system *whole)
{
    (void)whole;
    return true;
}

static bool create(dt_arena *arena, dt_simulation *sim)
{
    (void)arena;
    sim->core = &sim->system;
    return true;
}

static bool create_watch(dt_arena *arena, dt_simulation *sim)
{
    (void)arena;
    (void)sim;
    return true;
}

static void nothing(dt_simulation *sim)
{
    (void)sim;
}

static int left_out(const dt_simulation *sim)
{
    (void)sim;
    return 0;
}

static bool holds(dt_simulation *sim)
{
    (void)sim;
    return true;
}

static bool passes(dt_simulation *sim, dt_horizon_trial *step)
{
    (void)sim;
    (void)step;
    return true;
}

static const dt_source_row no_source = {0};

const dt_reduction_way dt_reduction_none = {.is_smaller = false,
                                            .is_possible = is_possible,
                                            .create = create,
                                            .create_watch = create_watch,
                                            .form = nothing,
                                            .forget = nothing,
                                            .copy_modes = nothing,
                                            .expand = nothing,
                                            .read_friction = nothing,
                                            .left_out = left_out,
                                            .update = nothing,
                                            .set_near_apart = nothing,
                                            .holds = holds,
                                            .source = &no_source,
                                            .spread = nothing,
                                            .passes = passes};
