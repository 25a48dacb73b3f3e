/*
 * Starting and restarting IDA from a consistent state of our own (never through IDACalcIC).
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
#include "integrator/solution.h"
#include "integrator/source.h"
#include "integrator/state_stops.h"
#include "integrator/swing.h"
#include "integrator/turning.h"
#include "integrator/weights.h"

#include <float.h>
#include <math.h>

/* Adds the square of a weighted second derivative, from the values of the first one at two times. */
static void add_square(double tolerance, double now, double later, double delta, double *sum)
{
    const double second = (later - now) / delta / tolerance;
    *sum += second * second;
}

/*
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

/* The first step at the state in y, yp. Leaves the system somewhere else. */
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

void dt_count_steps(const dt_simulation *sim, detent_statistics *statistics)
{
    const dt_step_counts counts = dt_solver_steps(sim->solver);
    statistics->steps += counts.steps;
    statistics->error_test_failures += counts.error_test_failures;
}

detent_status dt_restart(dt_simulation *sim, detent_error *error)
{
    const double t = sim->system.time;
    if (!dt_system_is_finite(sim->core)) {
        return dt_solution_refuse(t, error);
    }
    dt_form_core(sim);
    dt_dead_times_restart(sim, t);
    if (sim->system.closure) {
        dt_closure_keep_none(&sim->system);
        dt_closure_pause_none(&sim->system);
        /* the choice is made here, where a reader would have it made, and not inside the first step */
        dt_closure_refresh(&sim->system);
    }
    dt_state_stops_settle(sim);
    dt_fold_restart(sim);
    if (sim->reduction.way->is_smaller) {
        dt_solver_set_length(sim->solver, dt_length(sim));
    }
    dt_blocks_start(sim, sim->y, sim->yp);
    if (!dt_solution_is_finite(sim, sim->y) ||
        !dt_solution_is_finite(sim, sim->yp)) { /* a law has turned bad since */
        return dt_solution_refuse(t, error);
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
    sim->step.beyond = 0;
    sim->step.failed = DETENT_OK;
    sim->fresh = true;
    sim->step.choice = sim->core->closure ? sim->core->closure->choice : 0;
    dt_turning_note(sim);
    dt_swing_restart(sim);
    dt_leap_restart(sim);
    sim->shown.time = NAN; /* first_step() has moved the core */
    return DETENT_OK;
}
