/*
 * Trials at an event: an impulse that may not hold (velocity_band.c), weights of switches that slide
 * (sliding.c). What a search changes is kept before, and can be put back whole.
 */
#include "integrator/trial.h"
#include "integrator/core.h"

bool dt_trial_create(dt_arena *arena, const dt_simulation *sim, dt_trial *t)
{
    const size_t nv = (size_t)sim->nv, ns = (size_t)sim->ns;
#define TAKE(member, count) \
    ((t->member = dt_arena_alloc(arena, (count), sizeof *t->member)) != NULL)
    return TAKE(v, nv) && TAKE(a, nv) && TAKE(f, ns) && TAKE(mode, ns) && TAKE(direction, ns) &&
           TAKE(yielded, ns) && TAKE(decree, ns) &&
           TAKE(branches, (size_t)sim->system.branch_count) &&
           TAKE(fired, (size_t)sim->roots.pair[DT_SOURCES]);
#undef TAKE
}

/* Copies to what is kept, or back. */
static void copy(void *kept, void *live, size_t bytes, bool back)
{
    if (back) {
        memcpy(live, kept, bytes);
    } else {
        memcpy(kept, live, bytes);
    }
}

static void copy_all(dt_simulation *sim, const dt_trial *t, bool back)
{
    dt_system *s = &sim->system;
    const size_t ns = (size_t)sim->ns, nv = (size_t)sim->nv * sizeof(double);
    copy(t->v, s->v, nv, back);
    copy(t->a, s->a, nv, back);
    copy(t->f, s->f, ns * sizeof(double), back);
    copy(t->mode, s->mode, ns, back);
    copy(t->direction, s->direction, ns, back);
    copy(t->yielded, s->yielded, ns, back);
    copy(t->decree, sim->event.decree, ns, back);
    copy(t->branches, s->branches, (size_t)s->branch_count * sizeof *t->branches, back);
    copy(t->fired, sim->roots.fired, (size_t)sim->roots.pair[DT_SOURCES] * sizeof *t->fired, back);
}

void dt_trial_keep(dt_simulation *sim, dt_trial *trial)
{
    copy_all(sim, trial, false);
}

void dt_trial_restore(dt_simulation *sim, const dt_trial *trial)
{
    copy_all(sim, trial, true);
}
