/*
 * The values of root functions; a root fires when it falls through zero. What they are is told by the
 * sources (source.h).
 *
 * At the end of a step the friction is the one that Newton found. Inside a step, while IDA closes in
 * on a root, it is solved anew from the interpolated q and v, and as accurate as the states. So it is at the end, too, where switches of laws follow
 * forces: Newton's accelerations are as accurate as velocities have to be, which for a law that grows a million times as fast as they do is nothing.
 */
#include "integrator/roots.h"
#include "dynamics/closure.h"
#include "dynamics/split.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/fold.h"
#include "integrator/graze.h"
#include "integrator/residual.h"
#include "integrator/sliding.h"
#include "integrator/source.h"

static bool reads_something(const dt_law *law)
{
    return law->program && !law->program->is_constant;
}

/* Frictions and multipliers to start from, where y has none that belong to it. */
static void take_known(dt_simulation *sim)
{
    dt_system *s = sim->core;
    memcpy(s->f, dt_known_friction(sim), (size_t)s->mechanism->stiction_count * sizeof *s->f);
    memcpy(s->multiplier, dt_known_multipliers(sim),
           (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
    dt_closure_put_off(s);
}

/*
 * Whether the core still has the accelerations, and all readings, that the explicit stepper has just had it find there, as it has at the end of a step;
 * by laws that need no guess.
 */
static bool has_rate(const dt_simulation *sim, double t, const double *y)
{
    const dt_system *s = sim->core;
    return dt_newton_is_explicit(sim->core_newton) && !s->closure && dt_system_has_readings(s) &&
           s->posed->changes == sim->guess.changes && s->time == t &&
           memcmp(s->q, dt_q_of(sim, y), (size_t)s->tree->nq * sizeof *y) == 0 &&
           memcmp(s->v, dt_v_of(sim, y), (size_t)s->tree->nv * sizeof *y) == 0 &&
           memcmp(s->z, dt_block_of(sim, DT_BLOCK_STATES, y),
                  (size_t)s->mechanism->state_count * sizeof *y) == 0;
}

static void enter_step(dt_simulation *sim, double t, const double *y, const double *yp)
{
    dt_blocks_enter(sim, t, y);
    dt_system_set_acceleration(sim->core, dt_v_of(sim, yp), dt_f_of(sim, y));
}

/*
 * Brings the system to the readings of (t, y, yp): as Newton left them at the end of a step, or solved
 * anew inside; always solved where the stepper does not carry friction.
 */
static int take_readings(dt_simulation *sim, double t, const double *y, const double *yp,
                         bool inside)
{
    dt_system *s = sim->core;
    const bool reduced = sim->reduction.way->left_out(sim) > 0;
    if (sim->fixed.exists) {
        return 0; /* they are those of the rate that the stepper has just asked for */
    }
    const bool follows = s->closure != NULL; /* velocities that y has only a guess of */
    if (dt_carries_friction(sim) && !inside && !sim->roots.laws_vary && !reduced && !follows) {
        memcpy(s->f, dt_f_of(sim, y), (size_t)s->mechanism->stiction_count * sizeof *s->f);
        return 0;
    }
    if (!dt_carries_friction(sim) && has_rate(sim, t, y)) {
        return 0;
    }
    if (!dt_carries_friction(sim) || (reduced && !inside)) {
        dt_blocks_enter(sim, t, y);
        /* friction may have several solutions: that of the step is meant */
        memcpy(s->a, dt_v_of(sim, yp), (size_t)s->tree->nv * sizeof *s->a);
        if (!dt_carries_friction(sim)) {
            take_known(sim);
        }
        return dt_forward_dynamics(sim->core_newton, s, &sim->step.trial) == DETENT_OK ? 0 : -1;
    }
    enter_step(sim, t, y, yp);
    if (!inside && !sim->branches.follow) {
        dt_split_update(s);
        return 0;
    }
    const bool solved =
        dt_solve_accelerations(sim->core_newton, s, NULL, &sim->step.trial) == DETENT_OK;
    if (!solved && !inside) { /* those of the step then */
        enter_step(sim, t, y, yp);
        dt_split_update(s);
    }
    return solved || !inside ? 0 : -1;
}

/* Brings the readings to the end of a step where take_readings() has left them aside. */
static void complete_readings(dt_simulation *sim, double t, const double *y, const double *yp)
{
    if (dt_carries_friction(sim)) {
        enter_step(sim, t, y, yp);
        dt_system_forces(sim->core);
        if (sim->core->closure &&
            sim->core->closure->stress) { /* limits are those of what is shared */
            dt_split_update(sim->core);
        }
    }
}

/*
 * Kinetic friction that has turned negative, beyond the rounding of the joint's forces, and drives
 * its joint is no friction.
 */
static void note_bad_friction(dt_simulation *sim, double t, const double *y, const double *yp)
{
    dt_system *s = sim->core;
    bool complete = false;
    sim->bad.friction = -1;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (s->mode[k] == DETENT_LOCKED ||
            !reads_something(dt_stiction_law(s, k, DT_STICTION_KINETIC)) ||
            s->direction[k] * s->f[k] < 0) {
            continue;
        }
        if (!complete) {
            complete_readings(sim, t, y, yp);
            complete = true;
        }
        const double noise =
            dt_newton_noise(sim->core_newton, s, s->mechanism->stictions[k].primitive);
        if (dt_system_kinetic(s, k, s->direction[k]) < -noise) {
            sim->bad.friction = dt_whole_stiction(sim, k);
        }
    }
}

int dt_roots_evaluate(double t, const double *y, const double *yp, double *g, void *simulation)
{
    dt_simulation *sim = simulation;
    const double end = dt_solver_end(sim->solver);
    sim->roots.evaluations++;
    if (take_readings(sim, t, y, yp, t != end) != 0) {
        return -1;
    }
    dt_sliding_settle(sim);
    if (!dt_sources_evaluate(sim, y, g)) {
        dt_note_bad_law(sim, t);
        return -1;
    }
    if (t == end) {
        if (dt_carries_friction(sim)) {
            dt_fold_note_end(sim, false);
        }
        note_bad_friction(sim, t, y, yp);
        dt_graze_note(sim, t, g);
    }
    return 0;
}
