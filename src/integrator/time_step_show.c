/* What a step has to show. */
#include "integrator/core.h"
#include "integrator/time_step.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"

/* Accelerations of the step; none of who is at rest from its end on, though he came to it in the step. */
static void take_accelerations(dt_simulation *sim, double *a)
{
    const dt_system *s = &sim->system;
    memcpy(a, sim->time_stepping.a, (size_t)sim->nv * sizeof *a);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = sim->mechanism->primitives[i].stiction;
        const bool rests = (k >= 0 && s->mode[k] == DETENT_LOCKED) ||
                           (s->closure && dt_still_holds(s->closure->still, i));
        for (int j = node->v; j < node->v + node->type->nv && rests; j++) {
            a[j] = 0;
        }
    }
}

/* Friction of the step; of who has turned round at its end what rubs from now on. */
static void take_friction(dt_simulation *sim, double *f)
{
    const dt_time_stepping *x = &sim->time_stepping;
    memcpy(f, x->f, (size_t)sim->ns * sizeof *f);
    for (int k = 0; k < sim->ns; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        const int stick = x->stick[k], direction = sim->system.direction[k];
        if (f[k] * direction > 0) {
            const double rubs =
                stick >= 0 && stick < stair->corners ? stair->force[stick + (direction > 0)] : 0;
            f[k] = isfinite(rubs) && rubs * direction < 0 ? rubs : 0;
        }
    }
}

void dt_time_stepping_show(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_system *s = &sim->system;
    take_accelerations(sim, x->v);
    take_friction(sim, x->f_kept);
    memcpy(s->multiplier, x->m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
    dt_system_set_acceleration(s, x->v, x->f_kept);
    dt_system_forces(s);
}
