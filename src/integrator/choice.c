/*
 * Which stepper (`integrator: auto`), decided by what they cost on this very mechanism.
 *
 * Counted are sweeps of the core, so that a run is the same on every machine: an evaluation of IDA's
 * residual with its share of Newton's iteration costs about four evaluations of the explicit right
 * side. The cost per simulated second of each stepper is averaged over the intervals between
 * restarts, older ones fading.
 *
 * A run begins with the explicit one, which restarts at full order, where its evaluations are sweeps: nothing closes, and no law reads what it
 * determines. Else one costs as much as a step of IDA, which begins. The other stepper is tried for some steps, at an event or within an interval, as soon as all
 * trials together come to no more than a twentieth of the run; and at once where the explicit one finds that stability bounds its steps (erk_stiff.c). IDA begins a trial at
 * order one: what it costs is measured from the middle on. Its steps are made tighter there, so that what is compared are costs of the same error, and a
 * trial leaves none that stays: at the error that a run has, the bench's loose chain took 2.5 times what the better one takes, and takes 1.0. A trial that is a multiple of what it should be ends early. The
 * cheaper one of the two goes on.
 *
 * Where the explicit one has been asked for it makes all steps that it can. Where it cannot get on, for its steps would have to be as short as
 * the time constant of next to no inertia, or switches of laws end step after step, as they do where laws follow velocities that are noise to explicit
 * steps, the implicit one helps out for some.
 */
#include "integrator/choice.h"
#include "integrator/core.h"
#include "integrator/leap.h"
#include "integrator/sliding.h"
#include "integrator/source.h"

#include <math.h>

static const double fading = 0.8; /* of the sums, an interval */
static const double share = 0.05; /* of a run: trials */
static const double hopeless = 3; /* times what the other one costs */
static const size_t trial_steps[DT_STEPPERS] = {[DT_STEPPER_IDA] = 60, [DT_STEPPER_ERK] = 12};
static const double evaluations[DT_STEPPERS] = {
    [DT_STEPPER_IDA] = 1.25, [DT_STEPPER_ERK] = 6}; /* a step */
static const double sharpness = 10; /* of IDA: by that much its errors at a tolerance are larger */
static const double least_rtol = 1e-13; /* that such steps can be made with */
static const int failures = 10;         /* in a row, until IDA helps out */
static const double too_short = 1e-8;   /* a step, of all that is to come */
static const int creeping =
    50; /* such steps in a row, or ended by switches, with which it does not get on either */
static const size_t few = 3;      /* steps, until a switch of a law ends them */
static const size_t helping = 20; /* steps, at first */
static const double implicit = 4; /* sweeps: a residual, and its share of Newton's iteration */
static const double iterated = 4; /* sweeps: accelerations where laws read what they determine */

static bool leaves_choice(const dt_simulation *sim)
{
    return sim->settings.integrator == DETENT_INTEGRATOR_AUTO;
}

static dt_stepper_kind other(dt_stepper_kind kind)
{
    return kind == DT_STEPPER_IDA ? DT_STEPPER_ERK : DT_STEPPER_IDA;
}

/* Sweeps that an evaluation stands for. */
static double weight_of(const dt_simulation *sim, dt_stepper_kind kind)
{
    return kind == DT_STEPPER_IDA                    ? implicit
           : dt_newton_is_explicit(sim->core_newton) ? 1
                                                     : iterated;
}

/* The one that a run begins with. */
static dt_stepper_kind likely(const dt_simulation *sim)
{
    return dt_newton_is_explicit(sim->core_newton) && !sim->system.closure ? DT_STEPPER_ERK
                                                                           : DT_STEPPER_IDA;
}

double dt_choice_sharpness(const dt_simulation *sim)
{
    const bool sharp = leaves_choice(sim) && likely(sim) == DT_STEPPER_ERK &&
                       dt_solver_kind(sim->solver) == DT_STEPPER_IDA;
    return sharp ? fmax(1, fmin(sharpness, sim->rtol / least_rtol)) : 1;
}

/* By what both have cost; 0: it has not been tried. */
static dt_stepper_kind cheaper(const dt_simulation *sim, const double rate[DT_STEPPERS])
{
    const double erk = rate[DT_STEPPER_ERK], ida = rate[DT_STEPPER_IDA];
    return erk > 0 && ida > 0 ? (erk < ida ? DT_STEPPER_ERK : DT_STEPPER_IDA)
           : erk > 0          ? DT_STEPPER_ERK
           : ida > 0          ? DT_STEPPER_IDA
                              : likely(sim);
}

/* What has been evaluated since it was noted last goes to the bill. */
static void note_spent(dt_simulation *sim)
{
    dt_choice *c = &sim->choice;
    const double cost =
        weight_of(sim, dt_solver_kind(sim->solver)) * (double)(sim->residuals - c->noted);
    c->spent += cost;
    c->tried += c->trial ? cost : 0;
    c->noted = sim->residuals;
}

/* What is measured of the present interval begins here. */
static void begin_measure(dt_simulation *sim, double now)
{
    sim->choice.count = sim->residuals;
    sim->choice.begin = now;
}

/* What has been measured since, in sweeps a second; 0: nothing. */
static double measured_rate(const dt_simulation *sim, double now)
{
    const dt_choice *c = &sim->choice;
    const double cost =
        weight_of(sim, dt_solver_kind(sim->solver)) * (double)(sim->residuals - c->count);
    return now > c->begin ? cost / (now - c->begin) : 0;
}

/* Notes the interval that ends; one without a step tells nothing. */
static void note_interval(dt_simulation *sim, double now)
{
    dt_choice *c = &sim->choice;
    const dt_stepper_kind kind = dt_solver_kind(sim->solver);
    const double rate = c->steps > 0 ? measured_rate(sim, now) : 0;
    note_spent(sim);
    if (rate > 0) {
        c->cost[kind] = fading * c->cost[kind] + rate * (now - c->begin);
        c->time[kind] = fading * c->time[kind] + (now - c->begin);
        c->last_rate[kind] = rate;
    }
    begin_measure(sim, now);
    c->steps = 0;
}

/* Sweeps that a trial takes. */
static double trial_cost(const dt_simulation *sim, dt_stepper_kind kind)
{
    return (double)trial_steps[kind] * evaluations[kind] * weight_of(sim, kind);
}

/* Whether a trial of that stepper would leave all of them within their share; with what it costs to begin anew with the other one. */
static bool may_try(const dt_simulation *sim, dt_stepper_kind kind)
{
    const dt_choice *c = &sim->choice;
    const double back = kind == DT_STEPPER_ERK ? trial_cost(sim, DT_STEPPER_IDA) / 2 : 0;
    return c->tried + trial_cost(sim, kind) + back <= share * c->spent;
}

/* In the middle of an interval: a trial begins, or ends with a decision. */
static dt_stepper_kind go_on(dt_simulation *sim)
{
    dt_choice *c = &sim->choice;
    const dt_stepper_kind present = dt_solver_kind(sim->solver);
    c->trial = !c->trial;
    if (c->trial) {
        return other(present);
    }
    const dt_stepper_kind best = cheaper(sim, c->last_rate);
    if (c->alarmed) { /* one that was false is not believed again so soon */
        c->next_alarm = best == present ? 0 : 2 * c->spent;
        c->alarmed = false;
    }
    c->tried += best == DT_STEPPER_IDA && present != best ? trial_cost(sim, best) / 2 : 0;
    return best;
}

/* After an event. */
static dt_stepper_kind start_again(dt_simulation *sim)
{
    dt_choice *c = &sim->choice;
    double rate[DT_STEPPERS];
    for (int k = 0; k < DT_STEPPERS; k++) {
        rate[k] = c->time[k] > 0 ? c->cost[k] / c->time[k] : 0;
    }
    const dt_stepper_kind best = cheaper(sim, rate);
    c->alarmed = false;
    c->trial = may_try(sim, other(best));
    return c->trial ? other(best) : best;
}

void dt_choice_forget(dt_simulation *sim)
{
    sim->choice = (dt_choice){.anew = true};
}

/* Whether a switch of a law has made the event that the run restarts from. */
static bool law_has_fired(const dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->system.branch_count && !any; k++) {
        any = dt_has_fired(dt_fired(sim, DT_SOURCE_SWITCH, k));
    }
    return any;
}

/* The one that was asked for; or where steps of the explicit one have failed IDA, which takes turns with it until one gets on. */
static void choose_as_asked(dt_simulation *sim, bool slides)
{
    dt_choice *c = &sim->choice;
    const bool ida = slides || sim->settings.integrator == DETENT_INTEGRATOR_IDA;
    if (dt_solver_kind(sim->solver) == DT_STEPPER_ERK) {
        c->brief = c->steps <= few && law_has_fired(sim) ? c->brief + 1 : 0;
    }
    c->helps = !ida && (c->rejected || c->brief >= creeping) && !c->helps;
    c->help = c->helps ? (c->help > 0 ? 2 * c->help : helping) : c->help;
    c->rejected = false;
    c->steps = 0;
    c->creeps = 0;
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
        c->noted = sim->residuals;
    }
    note_interval(sim, sim->system.time);
    const dt_stepper_kind kind = c->rejected  ? other(dt_solver_kind(sim->solver))
                                 : c->expired ? go_on(sim)
                                              : start_again(sim);
    c->trial = c->trial && !c->rejected;
    c->anew = c->rejected = false;
    dt_solver_choose(sim->solver, slides ? DT_STEPPER_IDA : kind);
    c->expired = false;
}

void dt_choice_reject(dt_simulation *sim)
{
    sim->choice.rejected = leaves_choice(sim) || sim->step.rejections >= failures ||
                           sim->step.next < too_short * dt_horizon(sim);
}

void dt_choice_note(dt_simulation *sim, double h)
{
    dt_choice *c = &sim->choice;
    c->steps++;
    c->creeps = h < too_short * dt_horizon(sim) ? c->creeps + 1 : 0;
    c->help = c->creeps == 0 && c->brief == 0 && !c->helps ? 0 : c->help;
}

/* A trial has told what there is to tell. */
static bool trial_is_over(dt_simulation *sim)
{
    const dt_choice *c = &sim->choice;
    const dt_stepper_kind kind = dt_solver_kind(sim->solver);
    if (c->steps == trial_steps[kind] / 2) {
        note_spent(sim);
        begin_measure(sim, sim->reached);
    }
    const double best = c->last_rate[other(kind)];
    return c->steps >= trial_steps[kind] || (c->steps > trial_steps[kind] / 2 + 4 && best > 0 &&
                                             measured_rate(sim, sim->reached) > hopeless * best);
}

/* The other one is to be tried within an interval: where that is cheap, or steps are bounded by stability. */
static bool wants_trial(dt_simulation *sim)
{
    dt_choice *c = &sim->choice;
    const dt_stepper_kind kind = dt_solver_kind(sim->solver);
    note_spent(sim);
    if (kind == DT_STEPPER_ERK && dt_solver_is_stiff(sim->solver) && c->spent >= c->next_alarm) {
        c->alarmed = true;
        return true;
    }
    return c->steps >= trial_steps[kind] && may_try(sim, other(kind));
}

bool dt_choice_wants_restart(dt_simulation *sim)
{
    dt_choice *c = &sim->choice;
    if (dt_solver_kind(sim->solver) == DT_STEPPER_LEAP) {
        return false; /* its one step is there for a reason, and no trial of any */
    }
    if (!leaves_choice(sim)) {
        c->rejected =
            !c->helps && c->creeps >= creeping && dt_solver_kind(sim->solver) == DT_STEPPER_ERK;
        return c->rejected || (c->helps && c->steps >= c->help);
    }
    const bool expires =
        !dt_sliding_now(sim) && c->steps > 0 && (c->trial ? trial_is_over(sim) : wants_trial(sim));
    c->expired = expires;
    return expires;
}
