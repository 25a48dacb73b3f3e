/* Impacts at an event. Who pushes is found by exchanging one stop at a time, the one that is most wrong. */
#include "integrator/impact.h"

#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/impact_after.h"
#include "integrator/impact_check.h"
#include "integrator/impact_flights.h"
#include "integrator/impact_ties.h"
#include "integrator/leap.h"
#include "integrator/setting_out.h"
#include "integrator/source.h"
#include "integrator/switches.h"
#include "integrator/weights.h"

bool dt_impact_exists(const detent_mechanism *m)
{
    bool any = false;
    for (int k = 0; k < m->stiction_count && !any; k++) {
        any = m->stictions[k].stops != NULL;
    }
    return any;
}

void dt_impact_forget(dt_simulation *sim)
{
    dt_impact *impact = &sim->impact;
    impact->time = -INFINITY;
    for (int k = 0; k < sim->ns && impact->exists; k++) {
        impact->low[k] = 0;
        impact->flights[k] = -1;
        impact->left[k] = INFINITY;
        impact->since[k] = 0;
        impact->beyond[k] = false;
    }
}

bool dt_impact_create(dt_arena *arena, dt_simulation *sim)
{
    dt_impact *impact = &sim->impact;
    const size_t nv = (size_t)sim->nv, ns = (size_t)sim->ns,
                 rows = (size_t)dt_tie_rows(sim->mechanism);
    impact->exists = dt_impact_exists(sim->mechanism);
    impact->is_of_slack = dt_flights_are_of_slack(sim->mechanism);
#define TAKE(member, count) \
    ((impact->member = dt_arena_alloc(arena, (count), sizeof *impact->member)) != NULL)
    const bool ok =
        !impact->exists ||
        (dt_trial_create(arena, sim, &impact->before) &&
         dt_trial_create(arena, sim, &impact->first) && TAKE(stop, ns) && TAKE(rests, ns) &&
         TAKE(beyond, ns) && TAKE(struck, ns) && TAKE(low, ns) && TAKE(flights, ns) &&
         TAKE(pace, ns) && TAKE(left, ns) && TAKE(since, ns) && TAKE(active, ns) &&
         TAKE(kept, ns) && TAKE(e, ns) && TAKE(r_v, nv) && TAKE(r_f, ns) && TAKE(r_m, rows) &&
         TAKE(d_v, nv) && TAKE(d_f, ns) && TAKE(d_m, rows) && TAKE(mobility, ns) &&
         TAKE(sum_v, nv) && TAKE(sum_f, ns) && TAKE(held, ns) &&
         dt_newton_impulse_create(arena, &sim->system, &impact->work));
#undef TAKE
    if (ok) {
        dt_impact_forget(sim);
    }
    return ok;
}

/* What is at rest is not to follow from what comes to a tooth, as long as something else can. */
static void keep_resting(dt_system *s)
{
    for (int v = 0; v < s->tree->nv; v++) {
        if (s->v[v] == 0) {
            dt_closure_keep(s, v);
        }
    }
}

void dt_impact_arrive(dt_simulation *sim, int k, detent_side side)
{
    dt_system *s = &sim->system;
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    s->q[s->tree->nodes[stiction->primitive].q] = stiction->stops->at[side];
    if (s->closure) { /* others follow from that */
        dt_closure_keep(s, s->tree->nodes[stiction->primitive].v);
    }
    if (dt_slack_of(sim->mechanism, stiction->primitive)) {
        keep_resting(s);
    }
}

/* ---- who takes part ---- */

/*
 * Others that come to their stop within the instant stand there, too; and who is beyond, by what an error test allows. True where somebody has been
 * put there.
 */
static bool gather(dt_simulation *sim)
{
    bool any = false;
    const dt_system *s = &sim->system;
    const double moment = dt_moment(sim);
    for (int k = 0; k < sim->ns; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const double q = s->q[s->tree->nodes[stiction->primitive].q];
        for (int side = 0; side < 2 && stiction->stops; side++) {
            const double left = side == DETENT_LOWER ? q - stiction->stops->at[0]
                                                     : stiction->stops->at[1] - q,
                         fast = -dt_impact_away(sim, s->v, k, side == DETENT_LOWER ? -1 : 1);
            const bool arrives = left > 0 && fast > 0 && left <= fast * moment;
            sim->impact.beyond[k] = sim->impact.beyond[k] || left < 0;
            if (left < 0 || arrives) {
                dt_impact_arrive(sim, k, (detent_side)side);
                any = true;
            }
        }
    }
    return any;
}

static bool is_due(const dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    bool any = false;
    for (int k = 0; k < sim->ns && !any && sim->impact.exists; k++) {
        const int side = dt_system_stop_side(s, k);
        any = side != 0 && dt_impact_away(sim, s->v, k, side) < 0;
    }
    return any;
}

/*
 * `last`: nobody is thrown back, and those who move away are there, too. Then velocities go to the nearest that no stop forbids, in the metric
 * of the mass: that takes energy, and leaves nobody who approaches.
 */
static void list(dt_simulation *sim, bool last)
{
    dt_impact *impact = &sim->impact;
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const int side = dt_system_stop_side(s, k);
        const double v = side ? dt_impact_away(sim, s->v, k, side) : 0;
        impact->kept[k] = false;
        impact->stop[k] = (signed char)(v <= 0 || last ? side : 0);
        impact->active[k] = impact->stop[k] != 0 && v <= 0;
        impact->struck[k] = impact->struck[k] || impact->active[k];
        if (impact->stop[k] != 0) {
            const double e = sim->mechanism->stictions[k].stops->restitution[side > 0];
            const bool stays = last || impact->rests[k] || dt_flights_are_weary(sim, k, e) ||
                               dt_impact_is_slow(sim, k, side, v);
            impact->e[k] = stays                     ? 0
                           : impact->flights[k] >= 0 ? dt_flights_evened(sim, k, e, v)
                                                     : e;
        }
    }
}

bool dt_impact_concerns(dt_simulation *sim)
{
    if (!sim->impact.exists) {
        return false;
    }
    bool any = gather(sim);
    any = any || is_due(sim);
    for (int k = 0; k < sim->ns && !any; k++) {
        any = dt_has_fired(dt_fired(sim, DT_SOURCE_STOP, k));
    }
    return any;
}

/* ---- impulses ---- */

static void set_state(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
}

/* Impulses of those that are active, and changes of all velocities. */
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
    s->impulsive = true;
    const detent_status status = dt_newton_factor(sim->newton, s, DT_NEWTON_ACCELERATION, 0, NULL);
    s->impulsive = false;
    if (status == DETENT_OK) {
        const dt_unknowns r = {.v = i->r_v, .f = i->r_f, .m = i->r_m},
                          d = {.v = i->d_v, .f = i->d_f, .m = i->d_m};
        dt_newton_impulse_solve(sim->newton, s, &i->work, &r, &d);
    }
    if (status != DETENT_OK) {
        return false;
    }
    double sum = 0;
    for (int j = 0; j < sim->nv; j++) {
        sum += 0 * i->d_v[j];
    }
    return sum == 0;
}

/* The one that is most wrong: it pulls, or gets beyond; -1: none is. */
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
        if (wrong > fmax(most, dt_impact_rounding)) {
            most = wrong;
            worst = k;
        }
    }
    return worst;
}

/* Of what is tied stops may be redundant. */
bool dt_impact_settle(dt_simulation *sim)
{
    dt_impact *i = &sim->impact;
    if (sim->system.closure) {
        const bool found = dt_impact_choose(sim) && solve(sim);
        if (found) {
            dt_impact_round_off(sim);
        }
        return found;
    }
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

static bool any_motion_moves(const dt_system *s)
{
    bool any = false;
    for (int i = 0; i < s->tree->node_count && !any; i++) {
        any = dt_is_prescribed(s, i) && s->v[s->tree->nodes[i].v] != 0;
    }
    return any;
}

/*
 * Impulses of stops that nearly depend on each other may be large and cancel: where the terms are more than all the energy that there is, and no
 * motion moves, the energy itself tells.
 */
void dt_impact_account(dt_simulation *sim, double before)
{
    const dt_system *s = &sim->system;
    const dt_impact *i = &sim->impact;
    const double after = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    double loss = 0, size = 0;
    for (int k = 0; k < sim->ns; k++) {
        const double v = *dt_velocity_of(sim, k), old = i->before.v[dt_velocity_of(sim, k) - s->v];
        const double term = i->stop[k] != 0 && i->active[k] ? -0.5 * i->d_f[k] * (v + old) : 0;
        loss += term;
        size += fabs(term);
    }
    loss = size > before && !any_motion_moves(s) ? before - after : loss;
    sim->impact.loss += loss;
    sim->impact.drive += after - before + loss;
}

/* Those that stay at their stops stop there, before anybody is thrown back: whatever their stops do later does no work. */
static void list_resting(dt_simulation *sim)
{
    dt_impact *impact = &sim->impact;
    for (int k = 0; k < sim->ns; k++) {
        impact->stop[k] =
            (signed char)(impact->rests[k] ? dt_system_stop_side(&sim->system, k) : 0);
        impact->active[k] = impact->stop[k] != 0;
        impact->kept[k] = false;
        impact->struck[k] = impact->struck[k] || impact->active[k];
        impact->e[k] = 0;
    }
}

static bool any_rests(dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        any = sim->impact.rests[k] && dt_system_stop_side(&sim->system, k) != 0 &&
              *dt_velocity_of(sim, k) != 0;
    }
    return any;
}

/*
 * Who stands at a stop from now on is there exactly. While it came there it may have followed from a joint that was locked until the impact; then it is
 * beyond by rounding, and would be put back, locked, at the next one.
 */
static void stand(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns && s->closure; k++) {
        const dt_stiction *stiction = &sim->mechanism->stictions[k];
        const int side = sim->impact.stop[k];
        if (side != 0 && sim->impact.active[k] && stiction->stops->way == 0 &&
            s->mode[k] == DETENT_LOCKED &&
            s->q[s->tree->nodes[stiction->primitive].q] != stiction->stops->at[side > 0]) {
            dt_impact_arrive(sim, k, side < 0 ? DETENT_LOWER : DETENT_UPPER);
        }
    }
}

typedef enum occasion { STAY, THROW_BACK, LAST } occasion;

static bool strike(dt_simulation *sim, occasion what)
{
    dt_system *s = &sim->system;
    dt_impact *i = &sim->impact;
    set_state(sim);
    dt_switches_note(sim);
    const double energy = dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    dt_trial_keep(sim, &i->before);
    if (what == STAY) {
        list_resting(sim);
    } else {
        list(sim, what == LAST);
    }
    bool found = dt_impact_settle(sim);
    for (int n = 0; n < sim->ns && found && dt_impact_hold_left(sim, what == STAY); n++) {
        found = dt_impact_settle(sim);
    }
    if (!found) {
        return false;
    }
    dt_trial_restore(sim, &i->before);
    dt_impact_take_velocities(sim);
    dt_impact_derive_modes(sim, what == STAY);
    stand(sim);
    if (s->closure) {
        dt_closure_refresh(s);
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_sources_jump(sim);
    set_state(sim); /* what a branch of time decides */
    dt_impact_account(sim, energy);
    return true;
}

/* All impacts of the instant. */
static detent_status run(dt_simulation *sim, detent_error *error)
{
    sim->impact.loss = sim->impact.drive = 0;
    sim->impact.spared = false;
    memset(sim->impact.struck, 0, (size_t)sim->ns * sizeof *sim->impact.struck);
    bool found = !any_rests(sim) || strike(sim, STAY);
    for (int n = 0; n <= sim->ns && found && is_due(sim); n++) {
        found = strike(sim, n >= sim->ns ? LAST : THROW_BACK);
    }
    if (!found) {
        return dt_fail(error, DETENT_NO_CONSISTENT_STATE, NULL,
                       "at t = %.9g s the impulses of stops have no consistent solution",
                       sim->system.time);
    }
    return dt_impact_check_driven(sim, error);
}

/* Impacts, until nobody is to rest after all, and what follows. */
static detent_status strike_all(dt_simulation *sim, detent_error *error)
{
    dt_impact *i = &sim->impact;
    detent_status status;
    bool again;
    do {
        status = run(sim, error);
        status = status ? status : dt_setting_out_search(sim, false, error);
        again = status == DETENT_OK && dt_flights_find_rest(sim);
        if (again) {
            dt_trial_restore(sim, &i->first);
            set_state(sim);
        }
    } while (again);
    if (status == DETENT_OK) {
        sim->statistics.impact_loss += i->loss;
        sim->work[DT_WORK_ACTUATION] += i->drive;
        i->time = sim->system.time;
        dt_flights_note(sim);
        sim->statistics.impacts++;
    }
    return status;
}

/* The search where nobody comes to a stop; who leaves one, and does not get away, stays there. */
static detent_status search_alone(dt_simulation *sim, bool core, detent_error *error)
{
    const bool begun = dt_flights_have_begun(sim);
    if (begun) {
        dt_trial_keep(sim, &sim->impact.first);
    }
    const detent_status status = dt_setting_out_search(sim, core, error);
    if (status == DETENT_OK && begun && dt_flights_find_none(sim)) {
        dt_trial_restore(sim, &sim->impact.first);
        for (int k = 0; k < sim->ns; k++) {
            if (sim->impact.rests[k]) {
                dt_impact_arrive(sim, k, dt_flights_side(sim, k) < 0 ? DETENT_LOWER : DETENT_UPPER);
            }
        }
        set_state(sim);
        return strike_all(sim, error);
    }
    return status;
}

detent_status dt_impact_search(dt_simulation *sim, bool core, detent_error *error)
{
    dt_impact *i = &sim->impact;
    if (!i->exists) {
        return dt_setting_out_search(sim, core, error);
    }
    const bool concerned = dt_impact_concerns(sim), due = is_due(sim);
    detent_status status;
    if (due) {
        /* impacts of one instant: stops that send joints to each other, ever faster, end there */
        memset(i->rests, sim->system.time - i->time <= dt_moment(sim),
               (size_t)sim->ns * sizeof *i->rests);
        dt_flights_count(sim);
        dt_trial_keep(sim, &i->first);
        status = strike_all(sim, error);
    } else {
        if (concerned && !core) {
            set_state(sim); /* others follow from who has been put to its stop */
        }
        status = search_alone(sim, core, error);
    }
    if (status == DETENT_OK) {
        dt_flights_bound_step(sim);
        if (due || concerned) {
            dt_flights_help_away(sim);
        }
    }
    return status;
}
