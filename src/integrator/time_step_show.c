/* What a step has to show. */
#include "integrator/core.h"
#include "integrator/time_step.h"

void dt_time_stepping_show(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    dt_system *s = &sim->system;
    memcpy(s->multiplier, x->m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
    dt_system_set_acceleration(s, x->a, x->f);
    dt_system_forces(s);
}
