/* Reading the solution: the state of the core where the last step has it, and what the system makes of it. */
#include "integrator/solution.h"

#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/fold.h"
#include "integrator/leap.h"
#include "integrator/sliding.h"

bool dt_solution_is_finite(const dt_simulation *sim, const double *value)
{
    double sum = 0;
    for (int k = 0; k < dt_length(sim); k++) {
        sum += 0 * value[k];
    }
    return sum == 0;
}

detent_status dt_solution_refuse(double t, detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL, "at t = %.9g s the state is not finite", t);
}

/* The readings where accelerations have come to an end: those of the step, which balance to its tolerance. */
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

static detent_status solve(dt_simulation *sim, detent_error *error)
{
    return dt_solve_accelerations(sim->core_newton, sim->core, NULL, error);
}

/* Where modes end at `reached`, and others take over a moment, or with fixed steps up to a step, later, in between all is what it was there. */
static double known_at(const dt_simulation *sim, double t)
{
    return sim->step.beyond > 0 ? fmin(t, sim->reached) : t;
}

/* The solution at t, and its first `derivatives`. */
static detent_status interpolate(dt_simulation *sim, double t, int derivatives, detent_error *error)
{
    const double known = known_at(sim, t);
    bool done = true;
    for (int k = 0; k <= derivatives && !(sim->fresh && known == sim->reached); k++) {
        done = done && dt_solver_interpolate(sim->solver, known, k);
    }
    return done ? DETENT_OK
                : dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                          "the solution is not known at t = %.17g s", t);
}

/* The core where y has it at t. */
static detent_status enter(dt_simulation *sim, double t, detent_error *error)
{
    const detent_status known = interpolate(sim, t, 1, error);
    if (known != DETENT_OK) {
        return known;
    }
    sim->shown.time = NAN;
    if (sim->fixed.exists) {
        dt_fixed_normalize(sim, sim->y);
    }
    if (!dt_solution_is_finite(sim, sim->y) || !dt_solution_is_finite(sim, sim->yp)) {
        return dt_solution_refuse(t, error);
    }
    dt_blocks_read(sim, sim->y);
    dt_blocks_enter(sim, known_at(sim, t), sim->y);
    return DETENT_OK;
}

/* Accelerations and friction there. */
static detent_status settle(dt_simulation *sim, double t, detent_error *error)
{
    dt_fold_start(sim, t);
    return sim->fixed.exists ? dt_fixed_accelerations(sim, solve, error) : solve(sim, error);
}

/*
 * So near a position where branches meet that velocities, with their errors, have no accelerations that friction could follow: these
 * and forces are those of the nearest moment that has some.
 */
static detent_status settle_beside(dt_simulation *sim, double t, double clear, detent_error *error)
{
    dt_system *s = sim->core;
    const size_t bytes = (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier;
    double *m = dt_block_in(sim, DT_BLOCK_MULTIPLIERS, dt_solver_scratch(sim->solver));
    detent_status status = enter(sim, clear, error);
    status = status == DETENT_OK ? settle(sim, clear, error) : status;
    memcpy(m, s->multiplier, bytes);
    status = status == DETENT_OK ? enter(sim, t, error) : status;
    if (status == DETENT_OK) {
        memcpy(s->multiplier, m, bytes);
        dt_system_set_acceleration(s, s->a, s->f);
    }
    return status;
}

/* The core at t with all its readings, and q, v, a, f of the system. */
static detent_status core_at(dt_simulation *sim, double t, detent_error *error)
{
    const double clear = dt_fold_crosses(sim) ? dt_leap_clear(sim, t) : t;
    detent_status status = enter(sim, t, error);
    if (status != DETENT_OK) {
        return status;
    }
    if (sim->time_stepping.follows) {
        dt_time_stepping_show(sim); /* of several solutions that of the step */
    }
    status = clear == t ? settle(sim, t, error) : settle_beside(sim, t, clear, error);
    if (status == DETENT_ERROR_SOLVER && sim->time_stepping.follows) {
        dt_time_stepping_show(sim);
        status = dt_laws_are_finite(sim) ? DETENT_OK : status;
    } else if (status == DETENT_OK) {
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
    if (!sim->reduction.way->is_smaller || level <= DT_LEVEL_STATE) {
        return; /* the core has all its readings */
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    if (level == DT_LEVEL_FORCES) {
        dt_system_set_acceleration(s, s->a, s->f);
        dt_sliding_forces(sim, s);
        sim->reduction.way->read_friction(sim);
    }
}

/* The core's readings where its state is, if the system has taken their memory meanwhile. */
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

/* The core where y has it, as far as it is read of how joints move; the rest of its readings is that of another state. */
static void enter_motion(dt_simulation *sim, double t)
{
    dt_system *s = sim->core;
    for (int b = 0; b < DT_BLOCKS; b++) {
        if (dt_block_rows[b]->enter) {
            dt_block_rows[b]->enter(sim, sim->y);
        }
    }
    s->time = t;
    s->posed->changes++;
    memcpy(s->q, dt_q_of(sim, sim->y), (size_t)s->tree->nq * sizeof *s->q);
    memcpy(s->v, dt_v_of(sim, sim->y), (size_t)s->tree->nv * sizeof *s->v);
    dt_system_prescribe(s);
    sim->system.time = t;
    sim->reduction.way->expand(sim);
}

/* How joints move, without accelerations: no step of time stepping has to find them for its end, and where nothing closes nobody else who does not read
 * them. */
static bool can_tell_motion(const dt_simulation *sim)
{
    return sim->time_stepping.exists ||
           (!sim->fixed.exists && !sim->system.closure && sim->sliding.most == 0);
}

static detent_status motion_at(dt_simulation *sim, double t, detent_error *error)
{
    const detent_status known = interpolate(sim, t, 0, error);
    if (known != DETENT_OK) {
        return known;
    }
    sim->shown.time = NAN;
    if (sim->fixed.exists) {
        dt_fixed_normalize(sim, sim->y);
    }
    if (!dt_solution_is_finite(sim, sim->y)) {
        return dt_solution_refuse(t, error);
    }
    dt_blocks_read(sim, sim->y);
    if (sim->core->closure) { /* it may solve for those who depend on others */
        dt_blocks_enter(sim, t, sim->y);
    } else {
        enter_motion(sim, t);
    }
    sim->shown.time = t;
    sim->shown.level = DT_LEVEL_MOTION;
    return DETENT_OK;
}

bool dt_motion_at(dt_simulation *sim, double t)
{
    const bool known = motion_at(sim, t, NULL) == DETENT_OK;
    if (known) {
        dt_system_set_state(&sim->system, t, sim->system.q, sim->system.v);
    }
    sim->shown.time = NAN;
    return known;
}

detent_status dt_state_at(dt_simulation *sim, double t, dt_level level, detent_error *error)
{
    const bool solves = sim->shown.level == DT_LEVEL_MOTION && level > DT_LEVEL_MOTION;
    if (level == DT_LEVEL_MOTION && can_tell_motion(sim)) {
        return sim->shown.time == t ? DETENT_OK : motion_at(sim, t, error);
    }
    if (sim->shown.time != t || solves) {
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

void dt_solution_account(const dt_simulation *sim, double account[DT_ACCOUNTS])
{
    memcpy(account, sim->work, DT_WORKS * sizeof *account);
    account[DT_IMPACT_LOSS] = sim->statistics.impact_loss;
}
