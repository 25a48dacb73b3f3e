/*
 * Starting and restarting IDA from a consistent state of our own (never through IDACalcIC), and
 * reading its solution.
 *
 * First step: at order one the error test is h^2 |y''| / 2 <= 1 in the weighted norm; y'' = (a, a')
 * with a' by one more
 * solution of the accelerations, a moment later along the motion.
 */
#include "integrator/core.h"

#include <float.h>
#include <math.h>

/** Adds the square of a weighted second derivative, from the values of the first one at two times. */
static void add_square(const dt_simulation *sim, double y, double now, double later, double delta,
                       double *sum)
{
    const double second = (later - now) / delta / (sim->rtol * fabs(y) + sim->atol);
    *sum += second * second;
}

/**
 * Weighted norm of y'' over the unknowns that move; the system holds the state and accelerations
 * `delta` seconds after y, yp.
 */
static double second_derivative_norm(const dt_simulation *sim, double delta)
{
    const dt_system *s = &sim->system;
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
        for (int k = 0; k < node->type->nq; k++) {
            add_square(sim, q[node->q + k], qp[node->q + k], rate[k], delta, &sum);
        }
        for (int k = node->v; k < node->v + node->type->nv; k++) {
            add_square(sim, v[k], a[k], s->a[k], delta, &sum);
        }
        count += node->type->nq + node->type->nv;
    }
    return count > 0 ? sqrt(sum / count) : 0;
}

/** The first step at the state in y, yp. Leaves the system somewhere else. */
static double first_step(dt_simulation *sim, double t)
{
    dt_system *s = &sim->system;
    const double *q = dt_q_of(sim, sim->y), *qp = dt_q_of(sim, sim->yp), *v = dt_v_of(sim, sim->y),
                 *a = dt_v_of(sim, sim->yp);
    const double remaining = fmax(sim->settings.end - t, 1e-3 * fmax(1, fabs(t)));
    const double last = sim->last_step;
    double h, most = 0.1 * remaining;
    if (sim->settings.max_step > 0) {
        most = fmin(most, sim->settings.max_step);
    }
    const double delta =
        fmax(1e-3 * (last > 0 ? fmin(last, most) : 1e-3 * most), 1e-9 * fmax(fabs(t), 1e-3));
    for (int k = 0; k < sim->nq; k++) {
        s->q[k] = q[k] + delta * qp[k];
    }
    for (int j = 0; j < sim->nv; j++) {
        s->v[j] = v[j] + delta * a[j];
    }
    dt_system_set_state(s, t + delta, s->q, s->v);
    if (dt_solve_accelerations(sim->newton, s, NULL, NULL) != DETENT_OK) {
        return fmin(most, 1e-6);
    }
    double norm = second_derivative_norm(sim, delta);
    h = norm > 0 ? fmin(most, 1 / sqrt(norm)) : most;
    return fmax(h, 1e3 * DBL_EPSILON * fabs(t));
}

detent_status dt_restart(dt_simulation *sim, detent_error *error)
{
    dt_system *s = &sim->system;
    double *q = dt_q_of(sim, sim->y), *qp = dt_q_of(sim, sim->yp);
    const double t = s->time;
    if (!dt_system_is_finite(s)) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL, "at t = %.9g s the state is not finite",
                       t);
    }
    memcpy(q, s->q, (size_t)sim->nq * sizeof *q);
    memcpy(dt_v_of(sim, sim->y), s->v, (size_t)sim->nv * sizeof *q);
    memcpy(dt_f_of(sim, sim->y), s->f, (size_t)sim->ns * sizeof *q);
    memcpy(dt_v_of(sim, sim->yp), s->a, (size_t)sim->nv * sizeof *q);
    memset(dt_f_of(sim, sim->yp), 0, (size_t)sim->ns * sizeof *q);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nq > 0) {
            node->type->rate(s->q + node->q, s->v + node->v, qp + node->q);
        }
    }
    dt_powers(s, dt_w_of(sim, sim->yp));
    sim->stepper->collect(sim, &sim->statistics);
    const double h = first_step(sim, t);
    if (!sim->stepper->restart(sim, t, h)) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                       "at t = %.9g s the integrator cannot be restarted", t);
    }
    dt_graze_restart(sim);
    sim->statistics.restarts++;
    sim->reached = sim->now = t;
    sim->pending = false;
    sim->fresh = true;
    return DETENT_OK;
}

detent_status dt_state_at(dt_simulation *sim, double t, detent_error *error)
{
    dt_system *s = &sim->system;
    if (!(sim->fresh && t == sim->now) && (!sim->stepper->interpolate(sim, t, 0, sim->y) ||
                                           !sim->stepper->interpolate(sim, t, 1, sim->yp))) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL, "the solution is not known at t = %.17g s",
                       t);
    }
    dt_system_set_state(s, t, dt_q_of(sim, sim->y), dt_v_of(sim, sim->y));
    dt_system_set_acceleration(s, dt_v_of(sim, sim->yp), dt_f_of(sim, sim->y));
    return dt_solve_accelerations(sim->newton, s, NULL, error);
}
