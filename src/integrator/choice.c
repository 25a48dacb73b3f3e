/*
 * Which stepper (`integrator: auto`), decided by what they cost on this very mechanism.
 *
 * Counted are sweeps of the core, so that a run is the same on every machine: an evaluation of IDA's
 * residual with its share of Newton's iteration costs about four evaluations of the explicit right
 * side. The cost per simulated second of each stepper is averaged over the intervals between
 * restarts, older ones fading. An event's restart takes the cheaper one, and the other now and then,
 * to know it. Where events are dense the explicit method wins, for it restarts at full order; where
 * the mechanism is stiff its steps stay short, and IDA wins. If an interval goes on and on, the
 * other stepper is tried within it for a while, at doubling distances, and the cheaper one of the
 * two goes on.
 *
 * Where the explicit one has been asked for it makes all steps that it can. Where it cannot get on, for its steps would have to be as short as
 * the time constant of next to no inertia, the implicit one helps out for some.
 */
#include "integrator/choice.h"
#include "integrator/core.h"
#include "integrator/leap.h"
#include "integrator/sliding.h"

#include <math.h>

static const double fading = 0.8;      /* of the sums, an interval */
static const size_t try_every = 25;    /* events */
static const size_t first_trial = 100; /* steps before the first trial within an interval */
static const size_t trial_steps = 100;
static const int failures = 10;       /* in a row, until IDA helps out */
static const double too_short = 1e-8; /* a step, of all that is to come */
static const size_t helping = 20;     /* steps */
static const double implicit = 4;     /* sweeps: a residual, and its share of Newton's iteration */
static const double iterated = 4; /* sweeps: accelerations where laws read what they determine */

static bool leaves_choice(const dt_simulation *sim)
{
    return sim->settings.integrator == DETENT_INTEGRATOR_AUTO;
}

static dt_stepper_kind other(dt_stepper_kind kind)
{
    return kind == DT_STEPPER_IDA ? DT_STEPPER_ERK : DT_STEPPER_IDA;
}

static dt_stepper_kind cheaper(const double rate[DT_STEPPERS])
{
    return rate[DT_STEPPER_ERK] < rate[DT_STEPPER_IDA] ? DT_STEPPER_ERK : DT_STEPPER_IDA;
}

/* What the interval that ends has cost, in sweeps. */
static double interval_cost(const dt_simulation *sim)
{
    const double weight = dt_solver_kind(sim->solver) == DT_STEPPER_IDA ? implicit
                          : dt_newton_is_explicit(sim->core_newton)     ? 1
                                                                        : iterated;
    return weight * (double)(sim->residuals - sim->choice.count);
}

/* Notes the interval that ends; one without a step tells nothing. */
static void note_interval(dt_simulation *sim, double now)
{
    dt_choice *c = &sim->choice;
    const dt_stepper_kind kind = dt_solver_kind(sim->solver);
    if (c->steps > 0 && now > c->begin) {
        const double cost = interval_cost(sim), time = now - c->begin;
        c->cost[kind] = fading * c->cost[kind] + cost;
        c->time[kind] = fading * c->time[kind] + time;
        c->last_rate[kind] = cost / time;
    }
    c->count = sim->residuals;
    c->begin = now;
    c->steps = 0;
}

/* In the middle of an interval: a trial begins, or ends with a decision. */
static dt_stepper_kind go_on(dt_choice *c, dt_stepper_kind present)
{
    c->trial = !c->trial;
    if (c->trial) {
        return other(present);
    }
    c->patience *= 2;
    return cheaper(c->last_rate);
}

/* After an event. */
static dt_stepper_kind start_again(dt_choice *c)
{
    double rate[DT_STEPPERS];
    for (int k = 0; k < DT_STEPPERS; k++) {
        rate[k] = c->time[k] > 0 ? c->cost[k] / c->time[k] : 0; /* what is unknown is tried */
    }
    c->trial = false;
    c->patience = first_trial;
    const dt_stepper_kind best = cheaper(rate);
    return ++c->events % try_every == 0 ? other(best) : best;
}

void dt_choice_forget(dt_simulation *sim)
{
    sim->choice = (dt_choice){.anew = true};
}

/* The one that was asked for; or where steps of the explicit one have failed IDA, which takes turns with it until one gets on. */
static void choose_as_asked(dt_simulation *sim, bool slides)
{
    dt_choice *c = &sim->choice;
    const bool ida = slides || sim->settings.integrator == DETENT_INTEGRATOR_IDA;
    c->helps = !ida && c->rejected && !c->helps;
    c->rejected = false;
    c->steps = 0;
    dt_solver_choose(sim->solver, ida || c->helps ? DT_STEPPER_IDA : DT_STEPPER_ERK);
}

void dt_choice_restart(dt_simulation *sim)
{
    dt_choice *c = &sim->choice;
    const bool slides = dt_sliding_now(sim);
    if (sim->fixed.exists) {
        dt_solver_choose(sim->solver, DT_STEPPER_FIXED);
        return;
    }
    if (dt_leap_chooses(sim)) {
        c->rejected = c->expired = false;
        return;
    }
    if (!leaves_choice(sim)) {
        choose_as_asked(sim, slides);
        return;
    }
    if (c->anew) {
        c->steps = 0; /* what ran before tells nothing */
    }
    note_interval(sim, sim->system.time);
    const dt_stepper_kind kind = c->rejected  ? other(dt_solver_kind(sim->solver))
                                 : c->expired ? go_on(c, dt_solver_kind(sim->solver))
                                              : start_again(c);
    c->anew = c->rejected = false;
    dt_solver_choose(sim->solver, slides ? DT_STEPPER_IDA : kind);
    c->expired = false;
}

void dt_choice_reject(dt_simulation *sim)
{
    sim->choice.rejected = leaves_choice(sim) || sim->step.rejections >= failures ||
                           sim->step.next < too_short * dt_horizon(sim);
}

bool dt_choice_wants_restart(dt_simulation *sim)
{
    dt_choice *c = &sim->choice;
    if (!leaves_choice(sim)) {
        return c->helps && c->steps >= helping;
    }
    if (dt_sliding_now(sim) || c->steps < (c->trial ? trial_steps : c->patience)) {
        return false;
    }
    c->expired = true;
    return true;
}
