/* Impacts at an event. Who pushes is found by exchanging one stop at a time, the one that is most wrong. */
#include "integrator/impact.h"

#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/leap.h"
#include "integrator/setting_out.h"
#include "integrator/source.h"
#include "integrator/weights.h"

#include <float.h>

/** Of what it is summed from: an impulse or a velocity that is as small is none. */
static const double rounding = 1e-12;

bool dt_impact_exists(const detent_mechanism *m)
{
    bool any = false;
    for (int k = 0; k < m->stiction_count && !any; k++) {
        any = m->stictions[k].stops != NULL;
    }
    return any;
}

bool dt_impact_create(dt_arena *arena, dt_simulation *sim)
{
    dt_impact *impact = &sim->impact;
    const size_t nv = (size_t)sim->nv, ns = (size_t)sim->ns,
                 rows = (size_t)dt_tie_rows(sim->mechanism);
    impact->exists = dt_impact_exists(sim->mechanism);
    impact->time = -INFINITY;
#define TAKE(member, count) \
    ((impact->member = dt_arena_alloc(arena, (count), sizeof *impact->member)) != NULL)
    return !impact->exists ||
           (dt_trial_create(arena, sim, &impact->before) &&
            dt_trial_create(arena, sim, &impact->first) && TAKE(stop, ns) && TAKE(rests, ns) &&
            TAKE(active, ns) && TAKE(e, ns) && TAKE(r_v, nv) && TAKE(r_f, ns) && TAKE(r_m, rows) &&
            TAKE(d_v, nv) && TAKE(d_f, ns) && TAKE(d_m, rows));
#undef TAKE
}

void dt_impact_arrive(dt_simulation *sim, int k, detent_side side)
{
    dt_system *s = &sim->system;
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    s->q[s->tree->nodes[stiction->primitive].q] = stiction->stops->at[side];
    if (s->closure) { /* others follow from that */
        dt_closure_keep(s, s->tree->nodes[stiction->primitive].v);
    }
}

double dt_impact_hair(const dt_simulation *sim, int k, int side)
{
    const double at = fabs(sim->mechanism->stictions[k].stops->at[side]);
    return DBL_EPSILON * (sim->system.closure ? 20 * (at + sim->scale.length) : 4 * at);
}

/* ---- who takes part ---- */

/** How fast joint k moves away from the stop on that side. */
static double away(const dt_simulation *sim, const double *v, int k, int side)
{
    const int j = sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
    return side * v[j] == 0 ? 0 : -side * v[j];
}

/** Others that come to their stop within the instant stand there, too. */
static void gather(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    const double moment = dt_moment(sim);
    for (int k = 0; k < sim->ns; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const double q = s->q[s->tree->nodes[stiction->primitive].q];
        for (int side = 0; side < 2 && stiction->stops; side++) {
            const double left = side == DETENT_LOWER ? q - stiction->stops->at[0]
                                                     : stiction->stops->at[1] - q,
                         fast = -away(sim, s->v, k, side == DETENT_LOWER ? -1 : 1);
            if (left > 0 && fast > 0 && left <= fast * moment) {
                dt_impact_arrive(sim, k, (detent_side)side);
            }
        }
    }
}

static bool is_due(const dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    bool any = false;
    for (int k = 0; k < sim->ns && !any && sim->impact.exists; k++) {
        const int side = dt_system_stop_side(s, k);
        any = side != 0 && away(sim, s->v, k, side) < 0;
    }
    return any;
}

/**
 * A joint falls that much farther, and comes back that much faster, by what its position is not known: who comes as slowly as that stays at
 * the stop, be it forces or other stops that bring it there.
 */
static bool is_slow(const dt_simulation *sim, int k, int side, double v)
{
    const int j = sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
    return v * v <= 32 * dt_impact_hair(sim, k, side > 0) * fabs(sim->impact.first.a[j]);
}

/** `last`: nobody is thrown back. */
static void list(dt_simulation *sim, bool last)
{
    dt_impact *impact = &sim->impact;
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const int side = dt_system_stop_side(s, k);
        const double v = side ? away(sim, s->v, k, side) : 0;
        impact->stop[k] = (signed char)(v <= 0 ? side : 0);
        impact->active[k] = impact->stop[k] != 0;
        if (impact->stop[k] != 0) {
            const double e = sim->mechanism->stictions[k].stops->restitution[side > 0];
            impact->e[k] = last || impact->rests[k] || is_slow(sim, k, side, v) ? 0 : e;
        }
    }
}

bool dt_impact_concerns(dt_simulation *sim)
{
    if (!sim->impact.exists) {
        return false;
    }
    gather(sim);
    bool any = is_due(sim);
    for (int k = 0; k < sim->ns && !any; k++) {
        any = dt_has_fired(dt_fired(sim, DT_SOURCE_STOP, k));
    }
    return any;
}

detent_status dt_impact_check_start(const dt_simulation *sim, detent_error *error)
{
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const double q = s->q[s->tree->nodes[stiction->primitive].q];
        if (stiction->stops && (q < stiction->stops->at[0] - dt_impact_hair(sim, k, 0) ||
                                q > stiction->stops->at[1] + dt_impact_hair(sim, k, 1))) {
            return dt_fail(
                error, DETENT_ERROR_MODEL, NULL,
                "the joint '%s' starts at %.9g, beyond its stop, when the loops are assembled",
                sim->mechanism->primitives[stiction->primitive].name, q);
        }
    }
    return DETENT_OK;
}

/* ---- impulses ---- */

static void set_state(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
}

/** Impulses of those that are active, and changes of all velocities. */
static bool solve(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_impact *i = &sim->impact;
    memset(i->r_v, 0, (size_t)sim->nv * sizeof *i->r_v);
    memset(i->r_f, 0, (size_t)sim->ns * sizeof *i->r_f);
    memset(i->r_m, 0, (size_t)dt_tie_rows(sim->mechanism) * sizeof *i->r_m);
    for (int k = 0; k < sim->ns; k++) {
        dt_set_mode(s, k, i->active[k] ? DETENT_LOCKED : DETENT_WAIT, 0);
        i->r_f[k] = i->active[k] ? (1 + i->e[k]) * *dt_velocity_of(sim, k) : 0;
    }
    set_state(sim);
    if (s->closure) {
        dt_closure_refresh(s);
    }
    if (dt_newton_factor(sim->newton, s, DT_NEWTON_ACCELERATION, 0, NULL) != DETENT_OK) {
        return false;
    }
    const dt_unknowns r = {.v = i->r_v, .f = i->r_f, .m = i->r_m},
                      d = {.v = i->d_v, .f = i->d_f, .m = i->d_m};
    dt_newton_solve(sim->newton, s, &r, &d);
    double sum = 0;
    for (int j = 0; j < sim->nv; j++) {
        sum += 0 * i->d_v[j];
    }
    return sum == 0;
}

/** The one that is most wrong: it pulls, or gets beyond; -1: none is. */
static int find_wrong(const dt_simulation *sim)
{
    const dt_impact *i = &sim->impact;
    const dt_system *s = &sim->system;
    double most = 0, largest = 0, fastest = 0;
    int worst = -1;
    for (int k = 0; k < sim->ns; k++) {
        if (i->stop[k] != 0) {
            const int j = s->tree->nodes[sim->mechanism->stictions[k].primitive].v;
            largest = i->active[k] ? fmax(largest, fabs(i->d_f[k])) : largest;
            fastest = fmax(fastest, fmax(fabs(i->before.v[j]), fabs(i->d_v[j])));
        }
    }
    for (int k = 0; k < sim->ns; k++) {
        const int j = s->tree->nodes[sim->mechanism->stictions[k].primitive].v;
        double wrong = 0;
        if (i->rests[k]) {
            continue; /* what is missing is no more than positions are known */
        }
        if (i->stop[k] != 0 && i->active[k]) {
            wrong = largest > 0 ? i->stop[k] * i->d_f[k] / largest : 0;
        } else if (i->stop[k] != 0) {
            const double after = i->before.v[j] + i->d_v[j] + i->e[k] * i->before.v[j];
            wrong = fastest > 0 ? i->stop[k] * after / fastest : 0;
        }
        if (wrong > fmax(most, rounding)) {
            most = wrong;
            worst = k;
        }
    }
    return worst;
}

/** The impulses that belong together; false where none are found. */
static bool settle(dt_simulation *sim)
{
    dt_impact *i = &sim->impact;
    for (int round = 0; round < 20 + 4 * sim->ns; round++) {
        if (!solve(sim)) {
            return false;
        }
        const int wrong = find_wrong(sim);
        if (wrong < 0) {
            return true;
        }
        i->active[wrong] = !i->active[wrong];
    }
    return false;
}

/* ---- what follows ---- */

/** The velocity of freedom j; what is left of it by rounding is none. */
static double velocity_after(const dt_impact *i, int j)
{
    const double before = i->before.v[j], change = i->d_v[j];
    return fabs(before + change) <= rounding * fabs(change) ? 0 : before + change;
}

static void take_velocities(dt_simulation *sim)
{
    dt_impact *i = &sim->impact;
    dt_system *s = &sim->system;
    for (int j = 0; j < sim->nv; j++) {
        s->v[j] = velocity_after(i, j);
    }
    for (int k = 0; k < sim->ns; k++) {
        double *v = dt_velocity_of(sim, k);
        if (i->stop[k] != 0 && i->active[k]) {
            const double before = i->before.v[v - s->v];
            *v = before == 0 || i->e[k] == 0 ? 0 : -i->e[k] * before;
        }
    }
}

/** Modes after the impact, of joints whose velocity has turned, ended or begun. */
static void derive_modes(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_impact *i = &sim->impact;
    for (int k = 0; k < sim->ns; k++) {
        const double v = *dt_velocity_of(sim, k), old = i->before.v[dt_velocity_of(sim, k) - s->v];
        if (v == 0 && old != 0) {
            dt_set_mode(s, k, DETENT_LOCKED, 0);
        } else if (v != 0 && v * old <= 0) {
            dt_set_mode(s, k, fabs(v) > dt_threshold(sim, k) ? DETENT_UNLOCKED : DETENT_WAIT,
                        v > 0 ? 1 : -1);
        } else {
            continue;
        }
        if (sim->event.cause[k] == DETENT_CAUSE_INITIAL) {
            sim->event.cause[k] = DETENT_CAUSE_IMPACT;
        }
    }
}

static void account(dt_simulation *sim, double before)
{
    const dt_system *s = &sim->system;
    const dt_impact *i = &sim->impact;
    const double after = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    double loss = 0;
    for (int k = 0; k < sim->ns; k++) {
        const double v = *dt_velocity_of(sim, k), old = i->before.v[dt_velocity_of(sim, k) - s->v];
        loss -= i->stop[k] != 0 && i->active[k] ? 0.5 * i->d_f[k] * (v + old) : 0;
    }
    sim->impact.loss += loss;
    sim->impact.drive += after - before + loss;
}

static bool strike(dt_simulation *sim, bool last)
{
    dt_system *s = &sim->system;
    dt_impact *i = &sim->impact;
    set_state(sim);
    const double energy = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    dt_trial_keep(sim, &i->before);
    list(sim, last);
    if (!settle(sim)) {
        return false;
    }
    dt_trial_restore(sim, &i->before);
    take_velocities(sim);
    derive_modes(sim);
    if (s->closure) {
        dt_closure_refresh(s);
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_sources_jump(sim);
    set_state(sim); /* what a branch of time decides */
    account(sim, energy);
    return true;
}

/** All impacts of the instant. */
static detent_status run(dt_simulation *sim, detent_error *error)
{
    sim->impact.loss = sim->impact.drive = 0;
    for (int n = 0; n <= sim->ns + 1 && is_due(sim); n++) {
        if (!strike(sim, n >= sim->ns)) {
            return dt_fail(error, DETENT_NO_CONSISTENT_STATE, NULL,
                           "at t = %.9g s the impulses of stops have no consistent solution",
                           sim->system.time);
        }
    }
    return DETENT_OK;
}

/* ---- flights ---- */

/**
 * Steps of fixed length h see an arrival up to a step late, and Euler's method moves with the velocity of the step before: who flies off with
 * m h times what drives him back comes back with up to (m + 2) h times that. So bounces of m = 2 e / (1 - e) keep themselves up; there the
 * joint rests.
 */
static bool is_kept_up(const dt_simulation *sim, int k, int side, double v, double back)
{
    const double e = sim->mechanism->stictions[k].stops->restitution[side > 0];
    return (1 - e) * v <= 2 * e * back * sim->settings.step && e < 1;
}

/** Whether a flight that begins with v and is driven back cannot be told from rest. */
static bool is_nothing(const dt_simulation *sim, int k, double v, double back)
{
    const int side = dt_system_stop_side(&sim->system, k);
    if (sim->fixed.exists && is_kept_up(sim, k, side, v, back)) {
        return true;
    }
    return 2 * v <= 8 * dt_moment(sim) * back ||
           v * v <= 32 * dt_impact_hair(sim, k, side > 0) * back;
}

/** Whether joint k leaves its stop and is driven back to it: how fast, and by what acceleration. */
static bool flies(const dt_simulation *sim, int k, double *v, double *back)
{
    const int side = dt_system_stop_side(&sim->system, k);
    *v = side ? away(sim, sim->system.v, k, side) : 0;
    *back = side ? -away(sim, sim->system.a, k, side) : 0;
    return *v > 0 && *back > 0;
}

/**
 * A flight that is over within the rounding of time, or does not leave the rounding of the position, is none: ever shorter ones end in
 * contact.
 */
static bool find_rest(dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        double v, back;
        const bool short_one = flies(sim, k, &v, &back) && sim->impact.stop[k] != 0 &&
                               !sim->impact.rests[k] && is_nothing(sim, k, v, back);
        sim->impact.rests[k] = sim->impact.rests[k] || short_one;
        any = any || short_one;
    }
    return any;
}

/** The next step is not to pass over a flight that is shorter; one that is low is for a step that has no tolerance. */
static void bound_step(dt_simulation *sim)
{
    static const double low = 1e8 /* of the height that the error test allows */,
                        long_enough = 1.25;
    for (int k = 0; k < sim->ns; k++) {
        const int node = sim->mechanism->stictions[k].primitive;
        double v, back;
        if (!flies(sim, k, &v, &back)) {
            continue;
        }
        sim->step.next = fmin(sim->step.next, v / back);
        if (v * v < low * dt_position_tolerance(sim, node, 0) * back) {
            dt_leap_hop(sim, long_enough * 2 * v / back);
        }
    }
}

/** Who leaves a stop more slowly than the error test tells, and has been sent back by that, leaves it in one step without tolerance. */
static void help_away(dt_simulation *sim)
{
    static const double enough = 1e3; /* of what the error test allows */
    for (int k = 0; k < sim->ns; k++) {
        const int side = dt_system_stop_side(&sim->system, k),
                  node = sim->mechanism->stictions[k].primitive;
        if (side == 0 || !dt_has_fired(dt_fired(sim, DT_SOURCE_STOP, k)) ||
            sim->system.mode[k] == DETENT_LOCKED) {
            continue;
        }
        const double way = enough * dt_position_tolerance(sim, node, 0),
                     v = away(sim, sim->system.v, k, side), a = away(sim, sim->system.a, k, side),
                     span = fmin(v > 0 ? way / v : INFINITY, a > 0 ? sqrt(2 * way / a) : INFINITY);
        if (isfinite(span)) {
            dt_leap_hop(sim, span);
        }
    }
}

detent_status dt_impact_search(dt_simulation *sim, bool core, detent_error *error)
{
    dt_impact *i = &sim->impact;
    if (!i->exists) {
        return dt_setting_out_search(sim, core, error);
    }
    const bool concerned = dt_impact_concerns(sim);
    detent_status status;
    if (!is_due(sim)) {
        status = dt_setting_out_search(sim, core, error);
        if (status == DETENT_OK && concerned) {
            bound_step(sim);
            help_away(sim);
        }
        return status;
    }
    bool again;
    /* impacts of one instant: stops that send joints to each other, ever faster, end there */
    memset(i->rests, sim->system.time - i->time <= dt_moment(sim),
           (size_t)sim->ns * sizeof *i->rests);
    dt_trial_keep(sim, &i->first);
    do {
        status = run(sim, error);
        status = status ? status : dt_setting_out_search(sim, false, error);
        again = status == DETENT_OK && find_rest(sim);
        if (again) {
            dt_trial_restore(sim, &i->first);
            set_state(sim);
        }
    } while (again);
    if (status == DETENT_OK) {
        sim->statistics.impact_loss += i->loss;
        sim->work[DT_WORK_ACTUATION] += i->drive;
        i->time = sim->system.time;
        sim->statistics.impacts++;
        bound_step(sim);
    }
    return status;
}
