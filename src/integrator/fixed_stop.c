/*
 * Joints with stiction that come to rest at the end of a step of fixed length.
 *
 *   s v <= 0         it has turned round within the step: it stops (L. Borello, M. Dalla Vedova 2014; all stictions but Karnopp's)
 *   |v| <= band      Karnopp's; beyond the band it has turned round
 *
 * What is left of the velocities of those that stop goes by an impulse of their friction on the whole mechanism, locked joints staying
 * locked:
 *
 *   M (v+ - v-) = S L + G'm,     v+ = 0 of those that stop or are locked
 *
 * the projection in the metric of M, so that the kinetic energy never grows; for a single joint it is v := 0. Whom it sends through zero
 * stops as well. The search of the event then tells who holds.
 */
#include "integrator/core.h"
#include "integrator/fixed_step.h"
#include "integrator/source.h"
#include "integrator/stop.h"

#include "dynamics/closure.h"

#include <math.h>

static bool turns(const dt_simulation *sim, int k, double v)
{
    return sim->system.direction[k] * v < 0;
}

/** Whether joint k is to stop at the velocity v. */
static bool stops_at(const dt_simulation *sim, int k, double v)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    if (sim->system.mode[k] == DETENT_LOCKED || v == 0 ||
        (stiction->stops && stiction->stops->bare)) {
        return false;
    }
    const double band = dt_fixed_band(stiction);
    return band > 0 ? fabs(v) <= band : turns(sim, k, v);
}

bool dt_fixed_stops_are_due(dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        const double v = *dt_velocity_of(sim, k);
        any = stops_at(sim, k, v) || (sim->system.mode[k] != DETENT_LOCKED && turns(sim, k, v));
    }
    return any;
}

/** Marks who stops at these velocities; whether it is anybody that did not before. */
static bool mark(dt_simulation *sim, const double *v)
{
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        const int j = sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
        if (sim->system.mode[k] != DETENT_LOCKED && stops_at(sim, k, v[j])) {
            dt_set_mode(&sim->system, k, DETENT_LOCKED, 0);
            sim->event.cause[k] = DETENT_CAUSE_STOP;
            any = true;
        }
    }
    return any;
}

/** The velocities after the impulse that stops those that are locked by now, from those before; false where there is none. */
static bool push(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_fixed_steps *x = &sim->fixed;
    memset(x->r_v, 0, (size_t)sim->nv * sizeof *x->r_v);
    memset(x->r_m, 0, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->r_m);
    for (int k = 0; k < sim->ns; k++) {
        x->r_f[k] = s->mode[k] == DETENT_LOCKED ? *dt_velocity_of(sim, k) : 0;
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    if (s->closure) {
        dt_closure_refresh(s);
    }
    if (dt_newton_factor(sim->newton, s, DT_NEWTON_ACCELERATION, 0, NULL) != DETENT_OK) {
        return false;
    }
    const dt_unknowns r = {.v = x->r_v, .f = x->r_f, .m = x->r_m},
                      d = {.v = x->d_v, .f = x->d_f, .m = x->d_m};
    dt_newton_solve(sim->newton, s, &r, &d);
    double sum = 0;
    for (int j = 0; j < sim->nv; j++) {
        x->v[j] = s->v[j] + x->d_v[j];
        sum += 0 * x->v[j];
    }
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            x->v[dt_velocity_of(sim, k) - s->v] = 0;
        }
    }
    return sum == 0;
}

/** Modes as they were before: velocities tell who rests. */
static void return_modes(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_fixed_steps *x = &sim->fixed;
    memcpy(s->mode, x->mode, (size_t)sim->ns);
    memcpy(s->direction, x->direction, (size_t)sim->ns);
    memcpy(s->yielded, x->yielded, (size_t)sim->ns);
}

static void keep_modes(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    dt_fixed_steps *x = &sim->fixed;
    memcpy(x->mode, s->mode, (size_t)sim->ns);
    memcpy(x->direction, s->direction, (size_t)sim->ns);
    memcpy(x->yielded, s->yielded, (size_t)sim->ns);
}

/** The new velocities, and what follows from them. */
static void take_velocities(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const double before = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    memcpy(s->v, sim->fixed.v, (size_t)sim->nv * sizeof *s->v);
    dt_system_set_state(s, s->time, s->q, s->v);
    sim->statistics.impact_loss += before - dt_motion_kinetic_energy(s->tree, s->motion, s->v);
}

void dt_fixed_stop_all(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (!dt_fixed_stops_are_due(sim)) {
        return;
    }
    keep_modes(sim);
    memcpy(sim->fixed.v, s->v, (size_t)sim->nv * sizeof *s->v);
    bool pushed = true, any = false;
    while (pushed && mark(sim, sim->fixed.v)) {
        pushed = push(sim);
        any = true;
    }
    return_modes(sim);
    if (!pushed) { /* nothing tells how others take part */
        dt_stop_all(sim);
        return;
    }
    if (any) {
        take_velocities(sim);
    }
    dt_sources_jump(sim);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    if (s->closure) {
        for (int k = 0; k < sim->ns; k++) {
            if (*dt_velocity_of(sim, k) == 0) {
                dt_closure_keep(s, (int)(dt_velocity_of(sim, k) - s->v));
            }
        }
    }
}
