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
#include "dynamics/velocity_newton.h"

#include "dynamics/failed_call.h"
#include "integrator/core.h"
#include "integrator/residual.h"
#include "integrator/weights.h"

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
        x->passes_time = x->passes_time || dt_program_reads(law->program, DT_OF_TIME) ||
                         dt_program_reads(law->program, DT_OF_PAST);
        if (follows && dt_law_is(law, DT_LAW_IS_RUBBING)) {
            x->limit_follows[law->owner] = true;
            x->box.update = dt_time_step_update_limits;
            x->box.user = sim;
        }
    }
#define TAKE(member, count) \
    ((x->member = dt_arena_alloc(arena, (count), sizeof *x->member)) != NULL)
    if (!TAKE(steady, ns)) {
        return false;
    }
    dt_time_step_find_steady(sim);
    return TAKE(mode_before, ns) && TAKE(direction_before, ns) && TAKE(mode_after, ns) &&
           TAKE(direction_after, ns) && TAKE(v_before, nv) && TAKE(mode, ns) &&
           TAKE(direction, ns) && TAKE(m, (size_t)dt_tie_rows(sim->mechanism)) &&
           (!x->follows || (TAKE(read_a, nv) && TAKE(read_f, ns) &&
                            TAKE(read_m, (size_t)dt_tie_rows(sim->mechanism)))) &&
           TAKE(a_before, nv) && TAKE(moves, ns) && TAKE(jams, ns) && TAKE(released, ns) &&
           TAKE(still, ns) && TAKE(idle, (size_t)sim->system.tree->node_count) && TAKE(stick, ns) &&
           TAKE(lead[0], ns) && TAKE(lead[1], ns) && TAKE(lead[2], ns) && TAKE(lead[3], ns) &&
           TAKE(side, ns) && TAKE(closed, ns) && TAKE(v_kept, nv) && TAKE(f_kept, ns) &&
           TAKE(m_kept, (size_t)dt_tie_rows(sim->mechanism)) &&
           TAKE(z_kept, (size_t)sim->mechanism->state_count) && TAKE(a, nv) && TAKE(f, ns) &&
           TAKE(v, nv) && TAKE(rate, (size_t)sim->mechanism->state_count) &&
           dt_velocity_step_create(arena, &sim->system, sim->newton, &x->step) &&
           dt_velocity_box_create(arena, &x->step, &x->box) &&
           dt_time_step_create_middle(arena, sim) && dt_time_step_create_follow(arena, sim) &&
           dt_time_step_create_passage(arena, sim);
#undef TAKE
}

void dt_time_stepping_restart(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    memcpy(x->a, sim->system.a, (size_t)sim->nv * sizeof *x->a);
    memcpy(x->f, sim->system.f, (size_t)sim->ns * sizeof *x->f);
    memcpy(x->m, sim->system.multiplier, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
    if (x->follows) {
        dt_time_step_keep_forces(sim);
    }
}

/* ---- who is released ---- */

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
        dt_time_step_find_limits(sim, k, x->moves[k], true, limits);
        if (limits[0] != before[0] || limits[1] != before[1]) {
            dt_time_step_build(sim, k, limits, h);
            x->box.stair[k].place =
                x->stick[k] == stick ? place : dt_time_step_segment(sim, k, beyond);
            any = true;
        }
    }
    return any;
}

/* Who has given way may have lost his corner at v = 0, and stops others. */
static void find_sticks(dt_time_stepping *x)
{
    for (int k = 0; k < x->box.count; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        x->stick[k] = -1;
        for (int c = 0; c < stair->corners; c++) {
            x->stick[k] = stair->at[c] == 0 ? (signed char)c : x->stick[k];
        }
    }
}

static detent_status solve(dt_simulation *sim, detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    const double h = x->step.h;
    const size_t most = (size_t)sim->settings.max_solves;
    bool settled = true;
    detent_status status;
    do {
        status = dt_velocity_box_run(&x->box, most, &settled, error);
        if (!status && settled) {
            find_still(sim);
        }
    } while (!status && settled && release(sim, h));
    x->yields = !settled;
    if (!status && !settled) {
        sim->statistics.unsettled++;
        status = dt_velocity_box_yield(&x->box, most, error);
        find_sticks(x);
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

/*
 * Whether everybody is where he was to be by the modes of the start, at once: then forces of the middle make it a step of second order. In a loop that rests
 * before and after nothing has happened, though somebody may be beyond what he holds, and be held by others.
 */
static bool is_smooth(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    bool smooth = !x->strikes && !x->yields && !x->box.renewed;
    if (smooth && x->step.coupled) {
        dt_time_step_find_idle(sim);
    }
    for (int k = 0; k < sim->ns && smooth; k++) {
        const bool creeps = x->stick[k] >= 0 && dt_corner_of(&x->box.stair[k]) < 0 &&
                            x->step.v[x->box.freedom[k]] == 0;
        smooth = x->idle[x->box.node[k]] || (!x->released[k] && !x->box.turned[k] && !creeps);
    }
    return smooth;
}

/* Second order of what is coupled; not of who may come to a stop in the step, which he does with the velocity of its end. */
static bool refine(dt_simulation *sim, double t, const double *y)
{
    if (dt_time_step_nears_stop(sim)) {
        return false;
    }
    dt_time_step_keep_solution(sim, false);
    if (sim->time_stepping.passes_time && !sim->time_stepping.box.update) {
        dt_velocity_newton_pass_time(&sim->time_stepping.step);
    }
    const bool enters = dt_time_step_enter_coupled_middle(sim);
    if (enters) {
        dt_time_step_renew_limits(sim);
    } else {
        dt_blocks_enter(sim, t, y);
    }
    const bool refined = enters && dt_time_step_refine(sim, t, y);
    if (!refined) {
        dt_time_step_keep_solution(sim, true);
    }
    return refined;
}

static detent_status solve_and_follow(dt_simulation *sim, detent_error *error)
{
    const detent_status status = solve(sim, error);
    return status || sim->time_stepping.yields ? status : dt_time_step_follow(sim, solve, error);
}

/* Modes and velocities of the end. */
static detent_status find_end(dt_simulation *sim, double t, const double *y, double h,
                              detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_time_step_prepare(sim, h);
    memset(x->box.turned, 0, (size_t)sim->ns * sizeof *x->box.turned);
    x->box.renewed = false;
    dt_velocity_step_begin(&x->step, x->end);
    detent_status status = solve_and_follow(sim, error);
    x->corrected = !status && x->step.coupled && is_smooth(sim) && refine(sim, t, y);
    if (!status && !x->step.coupled && is_smooth(sim) && dt_time_step_correct_middle(sim)) {
        dt_velocity_step_correct(&x->step);
        dt_time_step_renew_limits(sim);
        status = solve_and_follow(sim, error);
        x->corrected = true;
    }
    if (x->step.ahead) {
        dt_blocks_enter(sim, t, y);
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
    dt_time_stepping *x = &sim->time_stepping;
    dt_time_step_enter_middle(sim, t, end, y);
    dt_velocity_step_set_apart(&x->step, true);
    if (x->follows) {
        dt_time_step_read_forces(sim);
    }
    dt_fixed_take_switches(sim);
    dt_velocity_step_find_slopes(&x->step, end - t);
}

/* Where slopes of the inertia of bodies lead loops astray the step is solved without them. */
static detent_status solve_step(dt_simulation *sim, double t, double end, const double *y)
{
    dt_time_stepping *x = &sim->time_stepping;
    detent_status status;
    x->lost = false;
    begin(sim, t, end, y);
    status = find_end(sim, t, y, end - t, &sim->step.trial);
    x->lost = !status && sim->system.closure && dt_time_step_is_lost(sim);
    if (x->lost) {
        begin(sim, t, end, y);
        status = find_end(sim, t, y, end - t, &sim->step.trial);
    }
    return status;
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
    if (solve_step(sim, t, end, y) != DETENT_OK || !are_limits_known(sim)) {
        return false;
    }
    check_friction(sim);
    dt_velocity_step_take(&x->step);
    memcpy(x->a_before, x->a, (size_t)sim->nv * sizeof *x->a);
    memcpy(x->a, x->step.a, (size_t)sim->nv * sizeof *x->a);
    memcpy(out, y, (size_t)dt_length(sim) * sizeof *out);
    dt_time_step_account(sim, dt_w_of(sim, y), dt_w_in(sim, out));
    memcpy(x->f, x->step.f, (size_t)sim->ns * sizeof *x->f);
    set_modes(sim);
    if (s->closure) {
        memcpy(x->m, x->step.m, (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
        memcpy(dt_block_in(sim, DT_BLOCK_MULTIPLIERS, out), x->m,
               (size_t)dt_tie_rows(sim->mechanism) * sizeof *x->m);
        dt_time_step_note_found(sim);
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
    if (x->follows && !dt_time_step_is_blow(sim) && !memchr(x->jams, true, (size_t)sim->ns)) {
        dt_time_step_keep_forces(sim);
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
