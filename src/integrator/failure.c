/*
 * What to say where the run cannot go on: where, what fails, whose motion changes fastest there and by
 * which law, and what could be changed. The numbers by which the integrators tell it stay inside.
 */
#include "integrator/failure.h"
#include "dynamics/bad_law.h"
#include "dynamics/closure.h"
#include "dynamics/failed_call.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/ending.h"
#include "integrator/leap.h"
#include "integrator/solution.h"
#include "integrator/weights.h"

#include <math.h>

/* Who is to blame. */
typedef struct suspect {
    const char *joint; /**< NULL: nobody moves */
    const dt_law *law; /**< NULL: none of its own */
} suspect;

static bool varies(const dt_law *law)
{
    return law->program && !law->program->is_constant;
}

/* The law of node i of the core that decides its motion; the one that reads most, if several do. */
static const dt_law *law_of(const dt_system *s, int i)
{
    const dt_law *found = NULL;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        if (varies(law) && dt_law_node(s, law) == i &&
            (!found || law->program->variable_count > found->program->variable_count)) {
            found = law;
        }
    }
    return found;
}

/* The node whose acceleration changes most within a step of length h from y, yp; -1 if none moves. */
static int fastest_change(dt_simulation *sim, double h)
{
    dt_system *s = sim->core;
    const double *a = dt_v_of(sim, sim->yp);
    double most = -1;
    int fastest = -1;
    double *weights = dt_solver_scratch(sim->solver);
    dt_weights(sim, sim->y, weights);
    const double *weight = dt_v_of(sim, weights);
    dt_ending_move_on(sim, h);
    dt_solve_accelerations(sim->core_newton, s, NULL, NULL);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; dt_moves(s, i) && j < node->v + node->type->nv; j++) {
            const double change = fabs(s->a[j] - a[j]) * weight[j];
            if (!(change <= most)) { /* what is not a number, too */
                most = isnan(change) ? INFINITY : change;
                fastest = i;
            }
        }
    }
    return fastest;
}

static suspect find_suspect(dt_simulation *sim)
{
    detent_error ignored = {.status = DETENT_OK};
    suspect found = {NULL, NULL};
    if (dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored) != DETENT_OK) {
        return found;
    }
    const double last = dt_solver_last_step(sim->solver);
    const double h = last > 0 ? last : isfinite(sim->step.next) ? sim->step.next : 0;
    const int i = fastest_change(sim, h);
    sim->shown.time = NAN;
    if (i >= 0) {
        found.joint = sim->core->mechanism->primitives[i].name;
        found.law = law_of(sim->core, i);
    }
    return found;
}

/* The moving joint with the most friction whose law follows forces; else whose motion changes fastest. */
static suspect find_follower(dt_simulation *sim)
{
    dt_system *s = sim->core;
    suspect found = {NULL, NULL};
    double most = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        const dt_law *law = dt_stiction_law(s, k, DT_STICTION_KINETIC);
        if (s->mode[k] != DETENT_LOCKED && dt_law_follows_forces(law) && fabs(s->f[k]) >= most) {
            most = fabs(s->f[k]);
            found = (suspect){s->mechanism->primitives[i].name, law};
        }
    }
    return found.joint ? found : find_suspect(sim);
}

static detent_status report_no_state(dt_simulation *sim, dt_ending ending, detent_error *error)
{
    detent_error ignored = {.status = DETENT_OK};
    dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored);
    sim->shown.time = NAN;
    const suspect who = find_follower(sim);
    const char *law = who.law ? who.law->program->text : "";
    return dt_fail(
        error, DETENT_NO_CONSISTENT_STATE, NULL,
        "no consistent state after t = %.9g s: %s%s%s%s%s%.*s%s; let "
        "friction, actuation and loads follow less strongly the very forces that they change",
        sim->reached,
        ending == DT_ENDING_UNBOUND ? "friction grows without bound"
                                    : "no accelerations satisfy all laws",
        who.joint ? ", that of '" : "", who.joint ? who.joint : "", who.joint ? "'" : "",
        who.law ? " among them, '" : "", DT_LONGEST_LAW, law, who.law ? "'" : "");
}

detent_status dt_report_ending(dt_simulation *sim, detent_status status, detent_error *error)
{
    const dt_ending ending = sim->bad.law ? DT_ENDING_NONE : dt_ending_after(sim);
    const bool ends = ending == DT_ENDING_FOLD || ending == DT_ENDING_UNBOUND;
    return ends ? report_no_state(sim, ending, error) : status;
}

static detent_status report_meeting(const dt_simulation *sim, int primitive, detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                   "after t = %.9g s branches of the motion meet, or come nearer than the "
                   "tolerance can tell: nothing decides any more how '%s' moves with the others; "
                   "keep the mechanism away from that position, or choose another tolerance",
                   sim->reached, sim->mechanism->primitives[primitive].name);
}

detent_status dt_report_blurred(const dt_simulation *sim, detent_error *error)
{
    int meeting = 0;
    return dt_leap_is_blurred(sim, &meeting) ? report_meeting(sim, meeting, error) : DETENT_OK;
}

static const char *reason_of(dt_failure why)
{
    switch (why) {
    case DT_FAILURE_FORCE:
        return "a force cannot be evaluated";
    case DT_FAILURE_ROOT:
        return "a limit, test or switch cannot be evaluated";
    case DT_FAILURE_ERROR_TEST:
        return "its error stays above the tolerance";
    case DT_FAILURE_NEWTON:
        return "Newton's iteration does not converge";
    default:
        return "it hardly gets on";
    }
}

static const char *advice_of(dt_failure why)
{
    switch (why) {
    case DT_FAILURE_FORCE:
    case DT_FAILURE_ROOT:
        return DT_KEEP_LAWS_INSIDE;
    case DT_FAILURE_NEWTON:
        return "make the law less abrupt, or try 'integrator: erk'";
    default:
        return "make the law less abrupt, or choose larger tolerances";
    }
}

#define TAKE_SHORTER \
    "take steps shorter than %.9g s, or 'integrator: ida', which is for stiff mechanisms"

static detent_status report_bad_law(const dt_simulation *sim, detent_error *error)
{
    if (sim->fixed.exists) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "after t = %.9g s the run cannot go on: '%.*s', a law of '%s', is not a "
                       "finite number at t = %.9g s, the end of a step or inside it: " TAKE_SHORTER
                       "; or %s",
                       sim->reached, DT_LONGEST_LAW, sim->bad.law->program->text, sim->bad.owner,
                       sim->bad.time, sim->settings.step, DT_KEEP_LAWS_INSIDE);
    }
    return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                   "after t = %.9g s the run cannot go on: '%.*s', a law of '%s', is not a finite "
                   "number at t = %.9g s; %s",
                   sim->reached, DT_LONGEST_LAW, sim->bad.law->program->text, sim->bad.owner,
                   sim->bad.time, DT_KEEP_LAWS_INSIDE);
}

/* Whether motions contradict each other where the last step ended, or lead nowhere. */
static bool tells_dead_end(dt_simulation *sim, char *text, size_t size)
{
    detent_error ignored = {.status = DETENT_OK};
    int first;
    const bool known = dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored) == DETENT_OK;
    sim->shown.time = NAN;
    return known && dt_closure_tells_dead_end(&sim->system, text, size, &first);
}

/*
 * As far as an end may be from the last good state for whose sake steps cannot be longer: over a million of the shortest, as time goes and as the whole of the run
 * tells; a step of fixed length.
 */
static double moment_of_end(const dt_simulation *sim)
{
    return sim->fixed.exists ? sim->settings.step
                             : 1e6 * fmax(dt_shortest_step(sim), dt_moment(sim));
}

bool dt_comes_to_end(dt_simulation *sim, double tried)
{
    const dt_location *where = NULL;
    detent_error ignored = {.status = DETENT_OK};
    char words[300];
    const double moment = moment_of_end(sim);
    if (sim->fixed.exists || tried > moment || !dt_may_end(sim->mechanism)) {
        return false;
    }
    dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored);
    sim->shown.time = NAN;
    return dt_tell_end(&sim->system, moment, &where, words, sizeof words);
}

/* Whether something comes to where it ends, and the run fails for that. Where there is no state any more, it is just beyond. */
static detent_status report_end(dt_simulation *sim, detent_error *error)
{
    detent_error ignored = {.status = DETENT_OK};
    const dt_location *where = NULL;
    char words[300];
    if (!dt_may_end(sim->mechanism)) {
        return DETENT_OK;
    }
    dt_state_at(sim, sim->reached, DT_LEVEL_STATE, &ignored);
    sim->shown.time = NAN;
    return dt_tell_end(&sim->system, moment_of_end(sim), &where, words, sizeof words)
               ? dt_fail(error, DETENT_ERROR_NUMERIC, where, "after t = %.9g s %s", sim->reached,
                         words)
               : DETENT_OK;
}

detent_status dt_report_failure(dt_simulation *sim, dt_failure why, detent_error *error)
{
    if (why == DT_FAILURE_MEMORY) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for the integrator");
    }
    if (why == DT_FAILURE_ACCURACY) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                       "after t = %.9g s the tolerance is below what the arithmetic can give: "
                       "choose larger ones than rtol = %g, atol = %g",
                       sim->reached, sim->settings.rtol, sim->settings.atol);
    }
    if (dt_calls_are_over(&sim->system)) { /* steps.c tells */
        return DETENT_ERROR_NUMERIC;
    }
    if (sim->bad.law) {
        return report_bad_law(sim, error);
    }
    char dead_end[512];
    int meeting = 0;
    if (dt_report_ending(sim, DETENT_OK, error)) {
        return DETENT_NO_CONSISTENT_STATE;
    }
    if (tells_dead_end(sim, dead_end, sizeof dead_end)) {
        return dt_fail(error, DETENT_NO_CONSISTENT_STATE, NULL, "after t = %.9g s %s", sim->reached,
                       dead_end);
    }
    const detent_status ended = report_end(sim, error);
    if (ended != DETENT_OK) {
        return ended;
    }
    if (sim->step.trial.status != DETENT_OK) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL, "after t = %.9g s %s fails%s: %s",
                       sim->reached, sim->fixed.exists ? "the step" : "every step",
                       sim->fixed.exists ? "" : ", however short", sim->step.trial.message);
    }
    if (dt_leap_tells_meeting(sim, &meeting)) {
        return report_meeting(sim, meeting, error);
    }
    if (sim->fixed.exists) {
        return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                       "after t = %.9g s a step leads to no finite state: " TAKE_SHORTER,
                       sim->reached, sim->settings.step);
    }
    const suspect who = find_suspect(sim);
    const char *law = who.law ? who.law->program->text : "";
    return dt_fail(
        error, DETENT_ERROR_SOLVER, NULL,
        "after t = %.9g s the steps shrink to nothing: %s%s%s%s%s%.*s%s; %s", sim->reached,
        reason_of(why), who.joint ? "; fastest of all changes the motion of '" : "",
        who.joint ? who.joint : "", who.joint ? "'" : "", who.law ? ", by its law '" : "",
        DT_LONGEST_LAW, law, who.law ? "'" : "", advice_of(why));
}
