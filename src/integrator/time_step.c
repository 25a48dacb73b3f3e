/*
 * One step of time stepping.
 *
 * Joints at rest may be held by static friction, and so may those that would turn round: they come through v = 0. Whoever leaves this limit in the
 * solution is released: it has kinetic friction then, and the step is solved again, until nobody is released any more, as in a search
 * (docs/mode-search.md). Who goes on as he moved has kinetic friction.
 *
 * Invariant: after a step a joint is locked where its velocity is zero, to the last bit, and moves otherwise; so places to start the next one from
 * follow from the state alone.
 */
#include "integrator/time_step.h"

#include "dynamics/failed_call.h"
#include "integrator/core.h"
#include "integrator/residual.h"
#include "integrator/weights.h"

static void update_limits(void *simulation);

bool dt_time_stepping_create(dt_arena *arena, dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    const dt_system *s = &sim->system;
    const size_t ns = (size_t)sim->ns, nv = (size_t)sim->nv;
    if (!x->exists) {
        return true;
    }
    if (!(x->limit_follows = dt_arena_alloc(arena, ns, sizeof *x->limit_follows))) {
        return false;
    }
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        const bool follows = dt_law_follows_forces(law);
        x->follows = x->follows || follows;
        if (follows && dt_law_is(law, DT_LAW_IS_RUBBING)) {
            x->limit_follows[law->owner] = true;
            x->box.update = update_limits;
            x->box.user = sim;
        }
    }
#define TAKE(member, count) \
    ((x->member = dt_arena_alloc(arena, (count), sizeof *x->member)) != NULL)
    return TAKE(mode_before, ns) && TAKE(direction_before, ns) && TAKE(mode_after, ns) &&
           TAKE(direction_after, ns) && TAKE(v_before, nv) && TAKE(mode, ns) &&
           TAKE(direction, ns) && TAKE(m, (size_t)dt_tie_rows(sim->mechanism)) &&
           TAKE(a_before, nv) && TAKE(moves, ns) && TAKE(released, ns) && TAKE(still, ns) &&
           TAKE(stick, ns) && TAKE(side, ns) && TAKE(f_kept, ns) &&
           TAKE(m_kept, (size_t)dt_tie_rows(sim->mechanism)) &&
           TAKE(z_kept, (size_t)sim->mechanism->state_count) && TAKE(a, nv) && TAKE(f, ns) &&
           TAKE(v, nv) && TAKE(rate, (size_t)sim->mechanism->state_count) &&
           dt_velocity_step_create(arena, &sim->system, sim->newton, &x->step) &&
           dt_velocity_box_create(arena, &x->step, &x->box) &&
           dt_time_step_create_middle(arena, sim);
#undef TAKE
}

void dt_time_stepping_restart(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    memcpy(x->a, sim->system.a, (size_t)sim->nv * sizeof *x->a);
    memcpy(x->f, sim->system.f, (size_t)sim->ns * sizeof *x->f);
    memcpy(x->m, sim->system.multiplier, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
}

void dt_time_stepping_show(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    dt_system *s = &sim->system;
    memcpy(s->multiplier, x->m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
    dt_system_set_acceleration(s, x->a, x->f);
    dt_system_forces(s);
}

/* ---- staircases ---- */

/* What static friction can do at v = 0. */
static void find_static(dt_simulation *sim, int k, double limits[2])
{
    dt_system *s = &sim->system;
    dt_system_static_limits(s, k, limits);
    if (dt_stiction_law(s, k, DT_STICTION_TEST)->program) {
        const double test = dt_system_static_test(s, k);
        s->yielded[k] = !(test >= limits[0] && test <= limits[1]);
        limits[0] = -INFINITY;
        limits[1] = INFINITY;
        if (s->yielded[k]) {
            dt_system_kinetic_limits(s, k, limits);
        }
    }
}

/* The forces along a joint behind and before v = 0; `moves`: its direction at the start, on whose side friction is kinetic; 0: it rests. */
static void find_limits(dt_simulation *sim, int k, int moves, bool released, double limits[2])
{
    dt_system *s = &sim->system;
    double kinetic[2];
    s->yielded[k] = 0;
    dt_system_kinetic_limits(s, k, kinetic);
    if ((moves > 0 && kinetic[0] > 0) || (moves < 0 && kinetic[1] < 0)) {
        sim->bad.friction = k; /* unless it is nothing but rounding */
        sim->time_stepping.driving = fmax(kinetic[0], -kinetic[1]);
    }
    memcpy(limits, kinetic, sizeof kinetic);
    if (!released) {
        find_static(sim, k, limits);
        limits[0] = moves > 0 ? kinetic[0] : limits[0];
        limits[1] = moves < 0 ? kinetic[1] : limits[1];
    }
    limits[0] = limits[0] > 0
                    ? 0
                    : limits[0]; /* what would drive is none; not fmin(): no number stays none */
    limits[1] = limits[1] < 0 ? 0 : limits[1];
}

/* One more corner, above those that there are, and the force beyond it. */
static void add_corner(dt_staircase *stair, double at, double force)
{
    stair->hold[stair->corners][0] = force;
    stair->hold[stair->corners][1] = stair->force[stair->corners];
    stair->at[stair->corners++] = at;
    stair->force[stair->corners] = force;
}

/* The velocity at the end with which joint k goes that far in the step. */
static double velocity_for(const dt_simulation *sim, int k, double way, double h)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    const int j = sim->time_stepping.box.freedom[k];
    const double share = step->share[j];
    return (way / h - (1 - share) * step->start[j]) / share;
}

/* Of joint k with these limits of its friction; the place is still to come. */
static void build(dt_simulation *sim, int k, const double limits[2], double h)
{
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    dt_staircase *stair = &sim->time_stepping.box.stair[k];
    const double q = sim->time_stepping
                         .q_start[sim->system.tree->nodes[sim->time_stepping.box.node[k]].q],
                 below = stops ? q - stops->at[0] : INFINITY,
                 above = stops ? stops->at[1] - q : INFINITY;
    stair->corners = 0;
    stair->force[0] = limits[1];
    sim->time_stepping.stick[k] = -1;
    if (isfinite(below) && below > 0) {
        stair->force[0] = INFINITY;
        add_corner(stair, velocity_for(sim, k, -below, h), limits[1]);
    }
    if (limits[0] != limits[1]) {
        sim->time_stepping.stick[k] = (signed char)stair->corners;
        add_corner(stair, 0, limits[0]);
    }
    if (isfinite(above) && above > 0) {
        add_corner(stair, velocity_for(sim, k, above, h), -INFINITY);
    }
}

/*
 * The segment on which it moves in a direction; without friction there is one for both. Towards a stop where it stands already (an impact elsewhere
 * may drive it there) it moves nowhere: the corner.
 */
static int segment(const dt_simulation *sim, int k, int direction)
{
    const int stick = sim->time_stepping.stick[k];
    const dt_staircase *stair = &sim->time_stepping.box.stair[k];
    if (stick < 0) {
        return stair->corners > 0 && stair->at[0] < 0 ? 2 : 0;
    }
    const int side = direction > 0 ? stick + 1 : stick;
    return isinf(stair->force[side]) ? 2 * stick + 1 : 2 * side; /* no number goes on */
}

static void prepare(dt_simulation *sim, double h)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    for (int k = 0; k < sim->ns; k++) {
        const double v = x->step.start[x->box.freedom[k]];
        const bool rests = v == 0 && s->mode[k] == DETENT_LOCKED;
        double limits[2];
        x->moves[k] = v > 0 ? 1 : v < 0 ? -1 : rests ? 0 : s->direction[k];
        x->released[k] = false;
        find_limits(sim, k, x->moves[k], false, limits);
        build(sim, k, limits, h);
        x->box.stair[k].place = x->moves[k] == 0 && x->stick[k] >= 0 ? 2 * x->stick[k] + 1
                                                                     : segment(sim, k, x->moves[k]);
    }
}

/* Whether static friction has not held a joint, which has not been released yet: how many places it is beyond v = 0, or 0. */
static int place_beyond(const dt_simulation *sim, int k)
{
    const dt_time_stepping *x = &sim->time_stepping;
    const int stick = x->stick[k], beyond = x->box.stair[k].place - 2 * stick - 1;
    return x->released[k] || stick < 0 || beyond * x->moves[k] > 0 ? 0 : beyond;
}

/* Notes who is beyond his limit, and is held by others to whom he is tied all the same. */
static void find_still(dt_simulation *sim)
{
    bool any = false;
    memset(sim->time_stepping.still, 0, (size_t)sim->ns * sizeof *sim->time_stepping.still);
    for (int k = 0; k < sim->ns && sim->system.closure && !any; k++) {
        any = place_beyond(sim, k) != 0;
    }
    if (any) {
        dt_time_step_find_still(sim);
    }
}

/* Joints that static friction has not held have kinetic friction from now on; whether that changes anything. */
static bool release(dt_simulation *sim, double h)
{
    dt_time_stepping *x = &sim->time_stepping;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        const int stick = x->stick[k], place = stair->place, beyond = place_beyond(sim, k);
        if (beyond == 0 || x->still[k]) {
            continue;
        }
        const double before[2] = {stair->force[stick + 1], stair->force[stick]};
        double limits[2];
        x->released[k] = true;
        find_limits(sim, k, x->moves[k], true, limits);
        if (limits[0] != before[0] || limits[1] != before[1]) {
            build(sim, k, limits, h);
            x->box.stair[k].place = x->stick[k] == stick ? place : segment(sim, k, beyond);
            any = true;
        }
    }
    return any;
}

/* The same places, with the limits of where the system is now. */
static void renew_limits(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    const double h = x->step.h;
    for (int k = 0; k < sim->ns; k++) {
        const int stick = x->stick[k], place = x->box.stair[k].place;
        double limits[2];
        find_limits(sim, k, x->moves[k], x->released[k], limits);
        build(sim, k, limits, h);
        x->box.stair[k].place = x->stick[k] == stick ? place : segment(sim, k, x->moves[k]);
    }
}

/*
 * Limits that follow forces: what a joint that is held can hold follows from how it is held, in the last solution. Who moves keeps the friction that
 * he began the step with: while modes are sought, forces may be those of an impulse that stops all at once, and no friction of who goes on.
 */
static void update_limits(void *simulation)
{
    dt_simulation *sim = simulation;
    dt_time_stepping *x = &sim->time_stepping;
    dt_velocity_step_take(&x->step);
    for (int k = 0; k < sim->ns; k++) {
        dt_staircase *stair = &x->box.stair[k];
        const int stick = x->stick[k];
        double limits[2];
        if (x->limit_follows[k] && stick >= 0 && dt_corner_of(stair) == stick) {
            find_limits(sim, k, x->moves[k], x->released[k], limits);
            memcpy(stair->hold[stick], limits, sizeof limits);
        }
    }
}

static detent_status solve(dt_simulation *sim, double h, detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    const size_t most = (size_t)sim->settings.max_solves;
    bool settled = true;
    detent_status status;
    do {
        status = dt_velocity_box_run(&x->box, most, &settled, error);
        if (!status && settled) {
            find_still(sim);
        }
    } while (!status && settled && release(sim, h));
    if (!status && !settled) {
        sim->statistics.unsettled++;
        status = dt_velocity_box_yield(&x->box, most, error);
    }
    return status;
}

static void count_solves(dt_simulation *sim)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    const size_t solves = step->solves + step->curve_solves;
    sim->statistics.unsettled += step->off_curve;
    sim->statistics.searches++;
    sim->statistics.search_solves += solves;
    if (solves > sim->statistics.max_search_solves) {
        sim->statistics.max_search_solves = solves;
    }
}

/* Whether everybody is where he was to be by the modes of the start, at once: then forces of the middle make it a step of second order. */
static bool is_smooth(const dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    bool smooth = !x->strikes && x->step.solves == 1;
    for (int k = 0; k < sim->ns && smooth; k++) {
        const bool creeps = dt_corner_of(&x->box.stair[k]) < 0 && x->step.v[x->box.freedom[k]] == 0;
        smooth = !x->released[k] && x->box.came[k] == 0 && !creeps;
    }
    return smooth;
}

/* Second order of what is coupled; not of who may come to a stop in the step, which he does with the velocity of its end. */
static bool refine(dt_simulation *sim, double t, const double *y)
{
    if (dt_time_step_nears_stop(sim)) {
        return false;
    }
    if (!dt_time_step_enter_coupled_middle(sim)) {
        dt_blocks_enter(sim, t, y);
        return false;
    }
    renew_limits(sim);
    return dt_time_step_refine(sim, t, y);
}

/* Modes and velocities of the end. What limits follow is as good as the solution before, so they need another one. */
static detent_status find_end(dt_simulation *sim, double t, const double *y, double h,
                              detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    const int times = x->follows ? 2 : 1;
    prepare(sim, h);
    dt_velocity_step_begin(&x->step, x->end);
    detent_status status = solve(sim, h, error);
    x->corrected = !status && x->step.coupled && is_smooth(sim) && refine(sim, t, y);
    for (int n = x->step.coupled ? times : 0;
         n < times && !status && is_smooth(sim) && dt_time_step_correct_middle(sim); n++) {
        dt_velocity_step_correct(&x->step);
        renew_limits(sim);
        status = solve(sim, h, error);
        x->corrected = true;
    }
    count_solves(sim);
    return status;
}

/* Whether kinetic friction that drives its joint is rounding. */
static void check_friction(dt_simulation *sim)
{
    const int k = sim->bad.friction;
    if (k >= 0 &&
        sim->time_stepping.driving <= 4 * dt_velocity_step_noise(&sim->time_stepping.step, k)) {
        sim->bad.friction = -1;
    }
}

/* Whether limits are known of all who are held. Where a function has failed, it is to blame. */
static bool are_limits_known(dt_simulation *sim)
{
    const bool known = dt_velocity_box_has_limits(&sim->time_stepping.box);
    if (!known && !sim->system.failed->call.callback) {
        dt_note_bad_law(sim, sim->system.time);
    }
    return known;
}

/* ---- the end of the step ---- */

/* The mode of joint k with velocity v, which is not zero, where it has had another one. */
static detent_mode moving_mode(const dt_simulation *sim, int k, detent_mode before, int direction,
                               double v)
{
    const bool goes_on = before == DETENT_UNLOCKED && direction * v > 0;
    return goes_on || fabs(v) > dt_threshold(sim, k) ? DETENT_UNLOCKED : DETENT_WAIT;
}

static int sign_of(double v)
{
    return (v > 0) - (v < 0);
}

/* Modes from the start of the step on, of the system, and from its end on. */
static void set_modes(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    x->starts = false;
    for (int k = 0; k < sim->ns; k++) {
        const double v0 = x->step.start[x->box.freedom[k]], v1 = x->step.v[x->box.freedom[k]];
        const int direction = sign_of(v0 != 0 ? v0 : v1);
        const detent_mode before = (detent_mode)x->mode_before[k],
                          mode = direction == 0 ? DETENT_LOCKED
                                 : v0 != 0 ? moving_mode(sim, k, before, x->direction_before[k], v0)
                                           : DETENT_WAIT;
        const bool yielded = s->yielded[k];
        dt_set_mode(s, k, mode, direction);
        x->direction_after[k] = (signed char)sign_of(v1);
        x->mode_after[k] =
            (signed char)(v1 == 0 ? DETENT_LOCKED : moving_mode(sim, k, mode, direction, v1));
        x->starts = x->starts || mode != before || direction != x->direction_before[k];
        s->yielded[k] = v1 == 0 && yielded;
    }
    x->ends = true;
}

/* ---- a step ---- */

static void begin(dt_simulation *sim, double t, double end, const double *y)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    dt_time_step_enter_middle(sim, t, end, y);
    dt_velocity_step_set_apart(&x->step, true);
    if (x->follows) {
        memcpy(s->multiplier, x->m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
        dt_system_set_acceleration(s, x->a, x->f);
        dt_system_forces(s);
    }
    dt_fixed_take_switches(sim);
    dt_velocity_step_find_slopes(&x->step, end - t);
}

static bool make(dt_simulation *sim, double t, double end, double *y, double *out)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    const double h = end - t;
    sim->residuals++;
    x->start = t;
    x->end = end;
    x->strikes = false;
    memcpy(x->mode_before, s->mode, (size_t)sim->ns);
    memcpy(x->direction_before, s->direction, (size_t)sim->ns);
    memcpy(x->v_before, dt_v_of(sim, y), (size_t)sim->nv * sizeof *x->v_before);
    if (sim->impact.exists && dt_time_step_strike(sim, t, h, y, &sim->step.trial) != DETENT_OK) {
        return false;
    }
    begin(sim, t, end, y);
    if (find_end(sim, t, y, h, &sim->step.trial) != DETENT_OK || !are_limits_known(sim)) {
        return false;
    }
    check_friction(sim);
    dt_velocity_step_take(&x->step);
    memcpy(x->a_before, x->a, (size_t)sim->nv * sizeof *x->a);
    memcpy(x->a, x->step.a, (size_t)sim->nv * sizeof *x->a);
    memcpy(x->f, x->step.f, (size_t)sim->ns * sizeof *x->f);
    memcpy(out, y, (size_t)dt_length(sim) * sizeof *out);
    dt_time_step_account(sim, dt_w_of(sim, y), dt_w_in(sim, out));
    set_modes(sim);
    if (s->closure) {
        memcpy(x->m, x->step.m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
        memcpy(dt_block_in(sim, DT_BLOCK_MULTIPLIERS, out), x->m,
               (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
        dt_time_step_close_velocities(sim);
        set_modes(sim);
    }
    memcpy(dt_v_in(sim, out), x->step.v, (size_t)sim->nv * sizeof *out);
    memcpy(dt_f_in(sim, out), x->step.f, (size_t)sim->ns * sizeof *out);
    dt_time_step_move_on(sim, dt_q_of(sim, y), dt_q_in(sim, out));
    if (sim->impact.exists) {
        dt_time_step_arrive(sim, dt_q_in(sim, out));
    }
    if (s->closure) {
        dt_time_step_close(sim, end, out);
    }
    if (!dt_time_step_follow_states(sim, end, dt_q_in(sim, out), dt_v_in(sim, out))) {
        return false;
    }
    memcpy(dt_block_in(sim, DT_BLOCK_STATES, out), s->z,
           (size_t)sim->mechanism->state_count * sizeof *out);
    return !dt_calls_are_over(s) && dt_solution_is_finite(sim, out);
}

bool dt_time_step_make(void *simulation, double t, double end, double *y, double *out)
{
    dt_simulation *sim = simulation;
    const bool made = make(sim, t, end, y, out);
    dt_velocity_step_set_apart(&sim->time_stepping.step, false);
    return made;
}
