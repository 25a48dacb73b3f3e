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
 *
 * In a loop a joint may turn round, or pass through its band, while all others move on: where its ratio to them does. To stop it would stop
 * the loop. So where joints are tied those stop that take, in energy,
 *
 *   v-' M v- - v+' M v+  <=  sum over those that stop of  h (FD + FS) |v| + I v^2
 *
 * what friction may have done wrong or failed to do in a step of length h, or what the joint would have without the loop, I the inertia that
 * it carries. All at once, else each of them by itself; the others turn round.
 */
#include "integrator/core.h"
#include "integrator/fixed_step.h"
#include "integrator/source.h"
#include "integrator/stop.h"

#include "dynamics/closure.h"

#include <math.h>

static int freedom(const dt_simulation *sim, int k)
{
    return sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
}

static bool turns(const dt_simulation *sim, int k, double v)
{
    return sim->system.direction[k] * v < 0;
}

/** Whether a velocity is one of rest, of a joint that has moved in that direction. */
static bool is_rest(const dt_stiction *stiction, int direction, double v)
{
    const double band = dt_fixed_band(stiction);
    return band > 0 ? fabs(v) <= band : direction * v < 0;
}

/** Whether joint k is to stop at the velocity v. */
static bool stops_at(const dt_simulation *sim, int k, double v)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    if (sim->system.mode[k] == DETENT_LOCKED || v == 0 ||
        (stiction->stops && stiction->stops->bare)) {
        return false;
    }
    return is_rest(stiction, sim->system.direction[k], v);
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

/** Locks who stops at these velocities, as far as it may; whether it is anybody that did not before. */
static bool mark(dt_simulation *sim, const double *v)
{
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (sim->fixed.may_stop[k] && stops_at(sim, k, v[freedom(sim, k)])) {
            dt_set_mode(&sim->system, k, DETENT_LOCKED, 0);
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
        x->r_f[k] = s->mode[k] == DETENT_LOCKED ? x->v_before[freedom(sim, k)] : 0;
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
        x->v[j] = x->v_before[j] + x->d_v[j];
        sum += 0 * x->v[j];
    }
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            x->v[freedom(sim, k)] = 0;
        }
    }
    return sum == 0;
}

/** Modes, kept meanwhile, or as they were. */
static void keep_modes(dt_simulation *sim, bool back)
{
    dt_system *s = &sim->system;
    const dt_fixed_steps *x = &sim->fixed;
    const size_t bytes = (size_t)sim->ns;
    memcpy(back ? s->mode : x->mode, back ? x->mode : s->mode, bytes);
    memcpy(back ? s->direction : x->direction, back ? x->direction : s->direction, bytes);
    memcpy(back ? s->yielded : x->yielded, back ? x->yielded : s->yielded, bytes);
}

/* ---- who may stop ---- */

/** Leaves the bodies with velocities of others than the system's. */
static double kinetic_energy(dt_simulation *sim, const double *v)
{
    const dt_system *s = &sim->system;
    dt_motion_velocity(s->tree, v, s->motion);
    return dt_motion_kinetic_energy(s->tree, s->motion, v);
}

/** What friction may have had too little time for in a step, twice an energy: of joint k, at the readings. */
static double friction_budget(dt_simulation *sim, int k)
{
    dt_system *s = &sim->system;
    double limits[2];
    const double v = sim->fixed.v_before[freedom(sim, k)];
    const int direction = v > 0 ? 1 : -1;
    dt_system_limits(s, k, limits);
    const double limit = fmax(0, direction > 0 ? -limits[0] : limits[1]),
                 kinetic = fmax(0, dt_system_kinetic(s, k, direction));
    return sim->settings.step * (kinetic + (isfinite(limit) ? limit : 0)) * fabs(v);
}

/** What joint k and all that it carries have by its velocity, twice an energy. */
static double inertia_budget(dt_simulation *sim, int k)
{
    double *alone = sim->fixed.r_v;
    const int j = freedom(sim, k);
    memset(alone, 0, (size_t)sim->nv * sizeof *alone);
    alone[j] = sim->fixed.v_before[j];
    return 2 * kinetic_energy(sim, alone);
}

/** Whether joint k stops as things are. */
static bool stops(const dt_simulation *sim, int k)
{
    return sim->system.mode[k] == DETENT_LOCKED && sim->fixed.mode[k] != DETENT_LOCKED;
}

/** Whether it has to, not only as others do. */
static bool is_first(const dt_simulation *sim, int k)
{
    return stops(sim, k) && is_rest(&sim->mechanism->stictions[k], sim->fixed.direction[k],
                                    sim->fixed.v_before[freedom(sim, k)]);
}

/** Whether what stops are to take is what they may. */
static bool is_believable(dt_simulation *sim)
{
    double most = 0;
    if (!sim->system.closure) {
        return true;
    }
    for (int k = 0; k < sim->ns; k++) {
        most += is_first(sim, k) ? friction_budget(sim, k) : 0;
    }
    for (int k = 0; k < sim->ns; k++) {
        most += is_first(sim, k) ? inertia_budget(sim, k) : 0;
    }
    const double before = kinetic_energy(sim, sim->fixed.v_before);
    return 2 * (before - kinetic_energy(sim, sim->fixed.v)) <= most;
}

/** Stops who may and has to, and whom that sends through zero; whether that is as it should be. */
static bool attempt(dt_simulation *sim)
{
    bool pushed = true;
    keep_modes(sim, true);
    memcpy(sim->fixed.v, sim->fixed.v_before, (size_t)sim->nv * sizeof *sim->fixed.v);
    while (pushed && mark(sim, sim->fixed.v)) {
        pushed = push(sim);
    }
    return pushed && is_believable(sim);
}

/** Those that may stop by themselves. */
static bool attempt_each(dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    for (int k = 0; k < sim->ns; k++) {
        keep_modes(sim, true);
        x->stops[k] = false;
        if (stops_at(sim, k, x->v_before[freedom(sim, k)])) {
            memset(x->may_stop, 0, (size_t)sim->ns * sizeof *x->may_stop);
            x->may_stop[k] = true;
            x->stops[k] = attempt(sim);
        }
    }
    memcpy(x->may_stop, x->stops, (size_t)sim->ns * sizeof *x->stops);
    return attempt(sim);
}

/* ---- all ---- */

/** The velocities that there are from now on, and what follows from them. */
static void take_velocities(dt_simulation *sim, const double *v)
{
    dt_system *s = &sim->system;
    const double before = kinetic_energy(sim, sim->fixed.v_before);
    memcpy(s->v, v, (size_t)sim->nv * sizeof *s->v);
    dt_system_set_state(s, s->time, s->q, s->v);
    sim->statistics.impact_loss += before - dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    dt_sources_jump(sim);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
}

/** Joints that rest are where they are; others follow from that. */
static void keep_closed(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns && s->closure; k++) {
        if (*dt_velocity_of(sim, k) == 0) {
            dt_closure_keep(s, freedom(sim, k));
        }
    }
}

void dt_fixed_stop_all(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_fixed_steps *x = &sim->fixed;
    if (!dt_fixed_stops_are_due(sim)) {
        return;
    }
    keep_modes(sim, false);
    memcpy(x->v_before, s->v, (size_t)sim->nv * sizeof *s->v);
    for (int k = 0; k < sim->ns; k++) {
        x->may_stop[k] = true;
    }
    const bool good = attempt(sim) || attempt_each(sim);
    for (int k = 0; k < sim->ns && good; k++) {
        if (stops(sim, k)) {
            sim->event.cause[k] = DETENT_CAUSE_STOP;
        }
    }
    keep_modes(sim, true);
    take_velocities(sim, good ? x->v : x->v_before);
    keep_closed(sim);
}
