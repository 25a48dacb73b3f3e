/*
 * What the steppers integrate (solver/problem.h): the unknowns y of the core (blocks.h).
 *
 *   implicit   the residual (residual.c), with Newton's steps along the tree (newton.h)
 *   explicit   q' = N(q) v,   v' = a(t, q, v),   w' = power
 *
 * with a from the accelerations of the present modes. There friction is not part of the state: its
 * components of y stay as they are. Locked joints have v' = 0 exactly.
 *
 * Friction that follows its own reaction may have several solutions. The explicit stepper solves the
 * accelerations from a guess, so that a run stays on its own: of accelerations, frictions and multipliers, for the reaction, and the
 * direction that it has, follows from all of them.
 */
#include "integrator/problem.h"
#include "dynamics/closure.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/fold.h"
#include "integrator/residual.h"
#include "integrator/roots.h"
#include "integrator/source.h"
#include "integrator/weights.h"

#include <float.h>
#include <math.h>

/* ---- implicit ---- */

/* dt_problem.correct */
static bool correct(void *simulation, double *r, bool anew, double c)
{
    dt_simulation *sim = simulation;
    dt_system *s = sim->core;
    const dt_unknowns all = {.q = dt_q_in(sim, r),
                             .v = dt_v_in(sim, r),
                             .f = dt_f_in(sim, r),
                             .m = dt_block_in(sim, DT_BLOCK_MULTIPLIERS, r),
                             .z = dt_block_in(sim, DT_BLOCK_STATES, r)};
    if (anew &&
        dt_newton_factor(sim->core_newton, s, DT_NEWTON_STEP, c, &sim->step.trial) != DETENT_OK) {
        return false;
    }
    dt_newton_solve(sim->core_newton, s, &all, &all);
    for (int b = 0; b < DT_BLOCKS; b++) {
        if (dt_block_rows[b]->follow) {
            dt_block_rows[b]->follow(sim, r, c);
        }
    }
    return true;
}

/* dt_problem.rounding: q' = c q + ... carries c times the rounding of q, and v takes it over. */
static double rounding(void *simulation, const double *weights, double c)
{
    const dt_simulation *sim = simulation;
    const dt_system *s = sim->core;
    const double *wq = dt_q_of(sim, weights), *wv = dt_v_of(sim, weights);
    double sum = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double q = 0;
        if (!dt_moves(s, i)) {
            continue;
        }
        for (int k = node->q; k < node->q + node->type->nq; k++) {
            q = fmax(q, fabs(s->q[k]));
            sum += wq[k] * wq[k] * s->q[k] * s->q[k];
        }
        for (int k = node->v; k < node->v + node->type->nv; k++) {
            const double v = wv[k] * (fabs(s->v[k]) + c * q);
            sum += v * v;
        }
    }
    const double *wz = dt_block_of(sim, DT_BLOCK_STATES, weights);
    for (int k = 0; k < s->mechanism->state_count; k++) {
        sum += wz[k] * wz[k] * s->z[k] * s->z[k];
    }
    return DBL_EPSILON * sqrt(sum / dt_length(sim));
}

/* ---- explicit ---- */

/* A solution of the accelerations, or a guess of one. */
typedef struct dt_answer {
    double *a, *f, *m;
} dt_answer;

static void copy_answer(const dt_simulation *sim, const dt_answer *to, const dt_answer *from)
{
    const dt_system *s = sim->core;
    memcpy(to->a, from->a, (size_t)s->tree->nv * sizeof *from->a);
    memcpy(to->f, from->f, (size_t)s->mechanism->stiction_count * sizeof *from->f);
    memcpy(to->m, from->m, (size_t)dt_tie_rows(s->mechanism) * sizeof *from->m);
}

static dt_answer answer_of(const dt_system *s)
{
    return (dt_answer){s->a, s->f, s->multiplier};
}

static dt_answer found_last(const dt_simulation *sim)
{
    return (dt_answer){sim->guess.a, sim->guess.f, sim->guess.m};
}

static dt_answer kept(const dt_simulation *sim)
{
    return (dt_answer){sim->guess.kept_a, sim->guess.kept_f, sim->guess.kept_m};
}

static detent_status solve(dt_simulation *sim, detent_error *error)
{
    return dt_forward_dynamics(sim->core_newton, sim->core, error);
}

/* The rates of states are the only ones that nobody has looked at. */
static bool states_have_rates(const dt_simulation *sim, const double *yp)
{
    const double *zp = dt_block_of(sim, DT_BLOCK_STATES, yp);
    double sum = 0;
    for (int k = 0; k < sim->core->mechanism->state_count; k++) {
        sum += 0 * zp[k];
    }
    return sum == 0;
}

/* dt_problem.rate; leaves the core there, with its accelerations and friction. */
static bool rate(void *simulation, double t, const double *y, double *yp)
{
    dt_simulation *sim = simulation;
    dt_system *s = sim->core;
    const dt_answer here = answer_of(s), guess = found_last(sim);
    sim->residuals++;
    dt_blocks_step(sim, t, y);
    /* from a guess that no reader has touched: a run does not depend on being looked at */
    copy_answer(sim, &here, &guess);
    dt_closure_put_off(s);
    if (dt_fold_crosses(sim) && !dt_fold_leads_across(sim)) {
        copy_answer(sim, &here, &guess);
    }
    const detent_status status = sim->fixed.exists
                                     ? dt_fixed_accelerations(sim, solve, &sim->step.trial)
                                     : solve(sim, &sim->step.trial);
    if (status == DETENT_ERROR_SOLVER && sim->fixed.exists) {
        dt_fixed_note_ending(sim, t, y);
    }
    if (status != DETENT_OK || !dt_laws_are_finite(sim)) {
        return false;
    }
    if (!dt_system_is_finite(s)) {
        dt_note_bad_law(sim, t);
        return false;
    }
    copy_answer(sim, &guess, &here);
    if (sim->fixed.forces_decide) {
        dt_fixed_keep_switches(sim);
    }
    dt_blocks_rate(sim, yp);
    if (!states_have_rates(sim, yp)) {
        dt_note_bad_law(sim, t);
        return false;
    }
    sim->guess.changes = s->posed->changes;
    return true;
}

static void keep(void *simulation)
{
    dt_simulation *sim = simulation;
    const dt_answer to = kept(sim), from = found_last(sim);
    copy_answer(sim, &to, &from);
    dt_fold_note_end(sim, true);
}

static void recall(void *simulation)
{
    const dt_simulation *sim = simulation;
    const dt_answer to = found_last(sim), from = kept(sim);
    copy_answer(sim, &to, &from);
}

static void suggest(void *simulation, const double *yp)
{
    const dt_simulation *sim = simulation;
    memcpy(sim->guess.a, dt_v_of(sim, yp), (size_t)sim->core->tree->nv * sizeof *yp);
}

/* dt_problem.hold: locked joints are where they were, exactly. */
static void hold(void *simulation, double *y)
{
    const dt_simulation *sim = simulation;
    const dt_system *s = sim->core;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            const dt_node *node = &s->tree->nodes[s->mechanism->stictions[k].primitive];
            dt_q_in(sim, y)[node->q] = sim->guess.held_q[k];
            dt_v_in(sim, y)[node->v] = 0;
        }
    }
}

/* ---- both ---- */

static bool roots(void *simulation, double t, const double *y, const double *yp, double *g)
{
    return dt_roots_evaluate(t, y, yp, g, simulation) == 0;
}

/* dt_problem.root_unknown */
static int root_unknown(void *simulation, int root)
{
    const dt_simulation *sim = simulation;
    const dt_root of = dt_source_root(sim, root);
    const dt_source_row *row = sim->source[of.source];
    return row->unknown ? row->unknown(sim, of) : -1;
}

/* The guesses of the explicit stepper. */
static bool create_guess(dt_arena *arena, dt_simulation *sim)
{
    const size_t nv = (size_t)sim->nv, ns = (size_t)sim->ns,
                 rows = (size_t)dt_tie_rows(sim->mechanism);
    dt_guess *guess = &sim->guess;
    guess->held_q = dt_arena_alloc(arena, ns, sizeof *guess->held_q);
    guess->a = dt_arena_alloc(arena, nv, sizeof *guess->a);
    guess->f = dt_arena_alloc(arena, ns, sizeof *guess->f);
    guess->kept_a = dt_arena_alloc(arena, nv, sizeof *guess->kept_a);
    guess->kept_f = dt_arena_alloc(arena, ns, sizeof *guess->kept_f);
    guess->m = dt_arena_alloc(arena, rows, sizeof *guess->m);
    guess->kept_m = dt_arena_alloc(arena, rows, sizeof *guess->kept_m);
    return guess->held_q && guess->a && guess->f && guess->m && guess->kept_a && guess->kept_f &&
           guess->kept_m;
}

/* Steps of a length that is given are made by one stepper alone. */
static void plan_fixed(const dt_simulation *sim, dt_solver_plan *plan)
{
    for (int k = 0; k < DT_STEPPERS; k++) {
        plan->steppers[k] = k == DT_STEPPER_FIXED;
    }
    plan->step = sim->settings.step;
    plan->stages = sim->time_stepping.exists                             ? 0
                   : sim->settings.integrator == DETENT_INTEGRATOR_EULER ? 1
                                                                         : 4;
}

/* The solver, with the stepper that the settings ask for, or both, to begin with IDA, which helps out in any case (choice.c). */
static dt_solver_plan plan_solver(const dt_simulation *sim)
{
    dt_solver_plan plan = {
        .most_unknowns = dt_blocks_length(&sim->system),
        .most_roots = (size_t)dt_sources_most(sim),
        .steppers = {[DT_STEPPER_IDA] = true,
                     [DT_STEPPER_ERK] = sim->settings.integrator != DETENT_INTEGRATOR_IDA,
                     [DT_STEPPER_LEAP] =
                         sim->system.closure != NULL || dt_impact_exists(sim->mechanism)},
        .start = sim->settings.start,
        .end = sim->settings.end,
    };
    if (sim->fixed.exists) {
        plan_fixed(sim, &plan);
    }
    return plan;
}

bool dt_problem_create(dt_arena *arena, dt_simulation *sim)
{
    const dt_solver_plan plan = plan_solver(sim);
    const dt_problem problem = {.user = sim,
                                .residual = dt_residual,
                                .correct = correct,
                                .rounding = rounding,
                                .differential = dt_identify,
                                .rate = rate,
                                .keep = keep,
                                .recall = recall,
                                .suggest = suggest,
                                .hold = hold,
                                .project = dt_fixed_project,
                                .advance = dt_time_step_make,
                                .weights = dt_weights,
                                .usual_weights = dt_usual_weights,
                                .through_hole = dt_leap_through_hole,
                                .roots = roots,
                                .root_unknown = root_unknown};
    const bool explicit_ones = plan.steppers[DT_STEPPER_ERK] || plan.steppers[DT_STEPPER_LEAP] ||
                               plan.steppers[DT_STEPPER_FIXED];
    if (explicit_ones && !create_guess(arena, sim)) {
        return false;
    }
    sim->solver = dt_solver_create(arena, &problem, &plan);
    if (!sim->solver) {
        return false;
    }
    sim->y = dt_solver_y(sim->solver);
    sim->yp = dt_solver_yp(sim->solver);
    return true;
}

void dt_problem_restart(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    if (dt_solver_kind(sim->solver) == DT_STEPPER_IDA) {
        return;
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        sim->guess.held_q[k] = s->q[s->tree->nodes[s->mechanism->stictions[k].primitive].q];
    }
    const dt_answer to = found_last(sim), from = answer_of(s);
    copy_answer(sim, &to, &from);
    if (sim->fixed.exists) {
        dt_fixed_keep_switches(sim);
    }
    if (sim->time_stepping.exists) {
        dt_time_stepping_restart(sim);
    }
    keep(sim);
}
