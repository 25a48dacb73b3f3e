/*
 * Starting and restarting IDA from a consistent state of our own (never through IDACalcIC), and
 * reading its solution.
 *
 * First step: at order one the error test is h^2 |y''| / 2 <= 1 in the weighted norm; y'' = (a, a')
 * with a' by one more solution of the accelerations, a moment later along the motion.
 */
#include "integrator/restart.h"

#include "dynamics/closure.h"
#include "integrator/blocks.h"
#include "integrator/choice.h"
#include "integrator/core.h"
#include "integrator/fold.h"
#include "integrator/graze.h"
#include "integrator/horizon.h"
#include "integrator/problem.h"
#include "integrator/residual.h"
#include "integrator/sliding.h"
#include "integrator/source.h"
#include "integrator/swing.h"
#include "integrator/turning.h"
#include "integrator/weights.h"

#include <float.h>
#include <math.h>

/** Adds the square of a weighted second derivative, from the values of the first one at two times. */
static void add_square(double tolerance, double now, double later, double delta, double *sum)
{
    const double second = (later - now) / delta / tolerance;
    *sum += second * second;
}

/**
 * Weighted norm of y'' over the unknowns that move; the system holds the state and accelerations
 * `delta` seconds after y, yp.
 */
static double second_derivative_norm(dt_simulation *sim, double delta)
{
    dt_system *s = sim->core;
    const double *q = dt_q_of(sim, sim->y), *qp = dt_q_of(sim, sim->yp), *v = dt_v_of(sim, sim->y),
                 *a = dt_v_of(sim, sim->yp);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double rate[4];
        if (!dt_moves(s, i) || node->type->nv == 0) {
            continue;
        }
        node->type->rate(s->q + node->q, s->v + node->v, rate);
        const int whole = dt_whole_node(sim, i);
        for (int k = 0; k < node->type->nq; k++) {
            add_square(dt_position_tolerance(sim, whole, q[node->q + k]), qp[node->q + k], rate[k],
                       delta, &sum);
        }
        for (int k = 0; k < node->type->nv; k++) {
            const int j = node->v + k;
            add_square(dt_velocity_tolerance(sim, whole, v[j]), a[j], s->a[j], delta, &sum);
        }
        count += node->type->nq + node->type->nv;
    }
    for (int k = 0; k < s->mechanism->state_count; k++, count++) {
        add_square(dt_state_tolerance(sim, k, s->z[k]),
                   dt_block_of(sim, DT_BLOCK_STATES, sim->yp)[k],
                   dt_law_value(s, dt_rate_law(s, k), 0), delta, &sum);
    }
    return count > 0 ? sqrt(sum / count) : 0;
}

/** The first step at the state in y, yp. Leaves the system somewhere else. */
static double first_step(dt_simulation *sim, double t)
{
    dt_system *s = sim->core;
    const double remaining = fmax(sim->settings.end - t, 1e-3 * dt_horizon(sim));
    const double last = sim->step.last;
    double h, most = 0.1 * remaining;
    if (sim->settings.max_step > 0) {
        most = fmin(most, sim->settings.max_step);
    }
    const double delta = fmax(1e-3 * (last > 0 ? fmin(last, most) : 1e-3 * most), 1e-9 * fabs(t));
    dt_blocks_move_on(sim, t + delta, delta);
    if (dt_solve_accelerations(sim->core_newton, s, NULL, NULL) != DETENT_OK) {
        return 1e-6 * most;
    }
    double norm = second_derivative_norm(sim, delta);
    h = norm > 0 ? fmin(most, 1 / sqrt(norm)) : most;
    return fmax(h, 1e3 * DBL_EPSILON * fabs(t));
}

void dt_form_core(dt_simulation *sim)
{
    bool *apart = sim->reduction.apart;
    for (int k = 0; apart && k < sim->ns; k++) { /* the others are held by their static limits */
        apart[k] = sim->system.yielded[k];
    }
    sim->reduction.way->form(sim);
    dt_blocks_place(sim);
}

static bool is_finite(const dt_simulation *sim, const double *value)
{
    double sum = 0;
    for (int k = 0; k < dt_length(sim); k++) {
        sum += 0 * value[k];
    }
    return sum == 0;
}

static detent_status not_finite(double t, detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL, "at t = %.9g s the state is not finite", t);
}

detent_status dt_restart(dt_simulation *sim, detent_error *error)
{
    const double t = sim->system.time;
    if (!dt_system_is_finite(sim->core)) {
        return not_finite(t, error);
    }
    dt_form_core(sim);
    if (sim->system.closure) {
        dt_closure_keep_none(&sim->system);
        dt_closure_pause_none(&sim->system);
        /* the choice is made here, where a reader would have it made, and not inside the first step */
        dt_closure_refresh(&sim->system);
    }
    dt_fold_restart(sim);
    if (sim->reduction.way->is_smaller) {
        dt_solver_set_length(sim->solver, dt_length(sim));
    }
    dt_blocks_start(sim, sim->y, sim->yp);
    if (!is_finite(sim, sim->y) || !is_finite(sim, sim->yp)) { /* a law has turned bad since */
        return not_finite(t, error);
    }
    dt_sources_restart(sim);
    dt_sliding_restart(sim);
    dt_count_steps(sim, &sim->statistics);
    dt_choice_restart(sim);
    double h = dt_solver_wants_first_step(sim->solver) ? first_step(sim, t) : 0;
    if (sim->leap.span > 0) {
        h = sim->leap.span;
    } else if (isfinite(sim->step.next)) {
        h = h > 0 ? fmin(h, sim->step.next) : sim->step.next;
    }
    dt_problem_restart(sim);
    if (!dt_solver_restart(sim->solver, t, h, dt_watched(sim))) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                       "at t = %.9g s the integrator cannot be restarted", t);
    }
    dt_graze_restart(sim, t);
    dt_horizon_restart(sim);
    sim->statistics.restarts++;
    sim->reached = sim->now = t;
    sim->pending = false;
    sim->step.failed = DETENT_OK;
    sim->fresh = true;
    dt_turning_note(sim);
    dt_swing_restart(sim);
    dt_leap_restart(sim);
    sim->shown.time = NAN; /* first_step() has moved the core */
    return DETENT_OK;
}

/** The readings where accelerations have come to an end: those of the step, which balance to its tolerance. */
static void show_as_integrated(dt_simulation *sim)
{
    dt_system *s = sim->core;
    dt_system_set_acceleration(sim->core, dt_v_of(sim, sim->yp), dt_f_of(sim, sim->y));
    dt_system_forces(s);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (s->mode[k] != DETENT_LOCKED) {
            s->f[k] = dt_system_moving_friction(s, k);
        }
    }
}

/** The core at t with all its readings, and q, v, a, f of the system. */
static detent_status core_at(dt_simulation *sim, double t, detent_error *error)
{
    dt_system *s = sim->core;
    const double *a, *f;
    if (!(sim->fresh && t == sim->now) &&
        (!dt_solver_interpolate(sim->solver, t, 0) || !dt_solver_interpolate(sim->solver, t, 1))) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL, "the solution is not known at t = %.17g s",
                       t);
    }
    sim->shown.time = NAN;
    if (!is_finite(sim, sim->y) || !is_finite(sim, sim->yp)) {
        return not_finite(t, error);
    }
    dt_blocks_read(sim, sim->y);
    dt_blocks_enter(sim, t, sim->y);
    dt_fold_guess(sim, t, &a, &f);
    dt_system_set_acceleration(sim->core, a, f);
    detent_status status = dt_solve_accelerations(sim->core_newton, s, NULL, error);
    if (status == DETENT_OK) {
        dt_sliding_settle(sim);
    } else if (status == DETENT_ERROR_SOLVER && sim->step.failed == DETENT_NO_CONSISTENT_STATE) {
        show_as_integrated(sim);
        status = DETENT_OK;
    }
    if (status == DETENT_OK) {
        sim->system.time = t;
        sim->reduction.way->expand(sim);
    }
    return status;
}

void dt_bring_up(dt_simulation *sim, dt_level level)
{
    dt_system *s = &sim->system;
    if (!sim->reduction.way->is_smaller || level == DT_LEVEL_STATE) {
        return; /* the core has all its readings */
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    if (level == DT_LEVEL_FORCES) {
        dt_system_set_acceleration(s, s->a, s->f);
        dt_sliding_forces(sim, s);
        sim->reduction.way->read_friction(sim);
    }
}

/** The core's readings where its state is, if the system has taken their memory meanwhile. */
static void bring_up_core(dt_simulation *sim)
{
    dt_system *s = sim->core;
    if (!dt_system_has_readings(s)) {
        dt_system_set_state(s, s->time, s->q, s->v);
        dt_system_set_acceleration(s, s->a, s->f);
        dt_sliding_forces(sim, s);
        sim->shown.level = DT_LEVEL_STATE;
    }
}

detent_status dt_core_at(dt_simulation *sim, double t, detent_error *error)
{
    const detent_status status = dt_state_at(sim, t, DT_LEVEL_STATE, error);
    if (status == DETENT_OK) {
        bring_up_core(sim);
    }
    return status;
}

detent_status dt_state_at(dt_simulation *sim, double t, dt_level level, detent_error *error)
{
    if (sim->shown.time != t) {
        const detent_status status = core_at(sim, t, error);
        if (status != DETENT_OK) {
            return status;
        }
        sim->shown.time = t;
        sim->shown.level = DT_LEVEL_STATE;
    }
    if (sim->shown.level < level) {
        dt_bring_up(sim, level);
        sim->shown.level = level;
    }
    return DETENT_OK;
}
