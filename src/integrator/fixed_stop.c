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
#include "integrator/switches.h"

#include "dynamics/closure.h"

#include <math.h>

static int freedom(const dt_simulation *sim, int k)
{
    return sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
}

/* Whether joint k, which has moved in that direction, has turned round by v. */
static bool turns(const dt_simulation *sim, int k, double v)
{
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    return !(stops && stops->bare) && sim->system.direction[k] * v < 0;
}

/* Whether it is to stop there. */
static bool is_rest(const dt_simulation *sim, int k, double v)
{
    const double band = dt_fixed_band(&sim->mechanism->stictions[k]);
    return band > 0 ? v != 0 && fabs(v) <= band : turns(sim, k, v);
}

bool dt_fixed_stops_are_due(dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        const double v = *dt_velocity_of(sim, k);
        any = sim->system.mode[k] != DETENT_LOCKED && (is_rest(sim, k, v) || turns(sim, k, v));
    }
    return any;
}

/* ---- the impulse ---- */

/* Modes and directions, kept meanwhile, or as they were. */
static void keep_modes(dt_simulation *sim, bool back)
{
    dt_system *s = &sim->system;
    const dt_fixed_steps *x = &sim->fixed;
    const size_t bytes = (size_t)sim->ns;
    memcpy(back ? s->mode : x->mode, back ? x->mode : s->mode, bytes);
    memcpy(back ? s->direction : x->direction, back ? x->direction : s->direction, bytes);
    memcpy(back ? s->yielded : x->yielded, back ? x->yielded : s->yielded, bytes);
}

/* Who stops is locked, and has to lose its velocity; who moves has no friction: a finite force has no impulse. */
static void set_out(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_fixed_steps *x = &sim->fixed;
    memset(x->r_v, 0, (size_t)sim->nv * sizeof *x->r_v);
    memset(x->r_m, 0, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->r_m);
    for (int k = 0; k < sim->ns; k++) {
        const bool rests = x->mode[k] == DETENT_LOCKED || x->stops[k];
        dt_set_mode(s, k, rests ? DETENT_LOCKED : DETENT_WAIT, 0);
        x->r_f[k] = x->stops[k] ? x->v_before[freedom(sim, k)] : 0;
    }
    memcpy(s->v, x->v_before, (size_t)sim->nv * sizeof *s->v);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    if (s->closure) {
        dt_closure_refresh(s);
    }
}

/* The velocities after the impulse that stops those marked; false where there is none. Modes are as before. */
static bool push(dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    set_out(sim);
    if (dt_newton_factor(sim->newton, &sim->system, DT_NEWTON_ACCELERATION, 0, NULL) != DETENT_OK) {
        keep_modes(sim, true);
        return false;
    }
    const dt_unknowns r = {.v = x->r_v, .f = x->r_f, .m = x->r_m},
                      d = {.v = x->d_v, .f = x->d_f, .m = x->d_m};
    dt_newton_solve(sim->newton, &sim->system, &r, &d);
    keep_modes(sim, true);
    double sum = 0;
    for (int j = 0; j < sim->nv; j++) {
        x->v[j] = x->v_before[j] + x->d_v[j];
        sum += 0 * x->v[j];
    }
    for (int k = 0; k < sim->ns; k++) {
        if (x->mode[k] == DETENT_LOCKED || x->stops[k]) {
            x->v[freedom(sim, k)] = 0;
        }
    }
    return sum == 0;
}

/* ---- who may stop ---- */

/* Leaves the bodies with velocities of others than the system's. */
static double kinetic_energy(dt_simulation *sim, const double *v)
{
    const dt_system *s = &sim->system;
    dt_motion_velocity(s->tree, v, s->motion);
    return dt_motion_kinetic_energy(s->tree, s->motion, v);
}

/* What friction may have had too little time for in a step, twice an energy: of joint k, at the readings. */
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

/* What joint k and all that it carries have by its velocity, twice an energy. */
static double inertia_budget(dt_simulation *sim, int k)
{
    double *alone = sim->fixed.r_v;
    const int j = freedom(sim, k);
    memset(alone, 0, (size_t)sim->nv * sizeof *alone);
    alone[j] = sim->fixed.v_before[j];
    return 2 * kinetic_energy(sim, alone);
}

/* Whether a joint that stops has to, not only as others do. */
static bool is_first(const dt_simulation *sim, int k)
{
    return sim->fixed.stops[k] && is_rest(sim, k, sim->fixed.v_before[freedom(sim, k)]);
}

/* Whether what stops take is what they may. */
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

/* Marks who is to rest at the velocities that there are by now, as far as it may; whether it is anybody that was not marked. */
static bool mark(dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        const bool rests = x->mode[k] != DETENT_LOCKED && !x->stops[k] && x->may_stop[k] &&
                           is_rest(sim, k, x->v[freedom(sim, k)]);
        x->stops[k] = x->stops[k] || rests;
        any = any || rests;
    }
    return any;
}

/* Stops who may and has to, and whom that sends through zero; whether that is as it should be. */
static bool attempt(dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    bool pushed = true;
    memset(x->stops, 0, (size_t)sim->ns * sizeof *x->stops);
    memcpy(x->v, x->v_before, (size_t)sim->nv * sizeof *x->v);
    while (pushed && mark(sim)) {
        pushed = push(sim);
    }
    return pushed && is_believable(sim);
}

/* Those that may stop by themselves. */
static bool attempt_each(dt_simulation *sim)
{
    dt_fixed_steps *x = &sim->fixed;
    for (int k = 0; k < sim->ns; k++) {
        x->alone[k] = false;
        if (x->mode[k] != DETENT_LOCKED && is_rest(sim, k, x->v_before[freedom(sim, k)])) {
            memset(x->may_stop, 0, (size_t)sim->ns * sizeof *x->may_stop);
            x->may_stop[k] = true;
            x->alone[k] = attempt(sim);
        }
    }
    memcpy(x->may_stop, x->alone, (size_t)sim->ns * sizeof *x->alone);
    return attempt(sim);
}

/* ---- all ---- */

/* Others follow from who rests: as one who follows he would have a velocity that is rounding, and go on by it. */
static void keep_resting(dt_simulation *sim)
{
    for (int k = 0; k < sim->ns; k++) {
        if (*dt_velocity_of(sim, k) == 0) {
            dt_closure_keep(&sim->system, freedom(sim, k));
        }
    }
}

/* The velocities that there are from now on, and what follows from them. */
static void take_velocities(dt_simulation *sim, const double *v)
{
    dt_system *s = &sim->system;
    const double before = kinetic_energy(sim, sim->fixed.v_before);
    dt_switches_note(sim);
    memcpy(s->v, v, (size_t)sim->nv * sizeof *s->v);
    if (s->closure) { /* what follows from what is that of an attempt */
        keep_resting(sim);
        dt_closure_refresh(s);
    }
    memcpy(s->v, v, (size_t)sim->nv * sizeof *s->v);
    dt_system_set_state(s, s->time, s->q, s->v);
    sim->statistics.impact_loss += before - dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    dt_sources_jump(sim);
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
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
        if (x->stops[k]) {
            sim->event.cause[k] = DETENT_CAUSE_STOP;
        }
    }
    take_velocities(sim, good ? x->v : x->v_before);
    if (s->closure) {
        keep_resting(sim);
    }
}
