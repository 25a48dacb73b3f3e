/* How to simulate: defaults and checks. */

#include "model/builder.h"
#include "model/record.h"

#include <float.h>
#include <math.h>

static detent_status refuse(const dt_locator *locator, const dt_origin *origin, const char *key,
                            detent_error *error, const char *reason)
{
    dt_location where = {NULL, 0, 0};
    if (locator && locator->locate && origin && origin->item) {
        const dt_part part = {.key = key, .component = -1};
        where = locator->locate(locator->context, origin->item, &part);
    }
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s: %s", key, reason);
}

/* Where runs are shorter, one over the square of a step, which Newton's matrix holds, is no double: a step may be as
 * short as the rounding error of the run. The square root of the least normal double, 2^-1022, over its epsilon. */
static const double shortest = 0x1p-511 / DBL_EPSILON;

/* Whether the time does not change by a step of this length. */
static bool is_lost(const detent_settings *s, double step)
{
    return s->start + step == s->start || s->end + step == s->end;
}

bool dt_settings_are_fixed(const detent_settings *s)
{
    return s->integrator == DETENT_INTEGRATOR_EULER || s->integrator == DETENT_INTEGRATOR_RK4 ||
           s->integrator == DETENT_INTEGRATOR_FIXED;
}

/* Steps of fixed length are counted: beyond that a double does not tell a whole number from its neighbours. */
static const double most_steps = 0x1p52;

/* How often a step of DETENT_INTEGRATOR_FIXED may solve. */
static const int usual_solves = 20;

static detent_status check_solves(detent_settings *s, const dt_locator *locator,
                                  const dt_origin *origin, detent_error *error)
{
    if (s->max_solves < 0) {
        return refuse(locator, origin, "max_solves", error, "must be positive");
    }
    if (s->integrator == DETENT_INTEGRATOR_FIXED) {
        s->max_solves = s->max_solves == 0 ? usual_solves : s->max_solves;
        return DETENT_OK;
    }
    return s->max_solves == 0 ? DETENT_OK
                              : refuse(locator, origin, "integrator", error,
                                       "max_solves is for fixed, which finds modes in each step");
}

/* Who steps, and by how much where that is given. */
static detent_status check_integrator(detent_settings *s, const dt_locator *locator,
                                      const dt_origin *origin, detent_error *error)
{
    if (s->integrator < DETENT_INTEGRATOR_IDA || s->integrator > DETENT_INTEGRATOR_FIXED) {
        return refuse(locator, origin, "integrator", error,
                      "must be ida, erk, auto, euler, rk4 or fixed");
    }
    const detent_status solves = check_solves(s, locator, origin, error);
    if (solves) {
        return solves;
    }
    if (!dt_settings_are_fixed(s)) {
        return s->step == 0.0
                   ? DETENT_OK
                   : refuse(
                         locator, origin, "integrator", error,
                         "a step is for euler, rk4 and fixed; ida, erk and auto choose their own");
    }
    if (s->step == 0.0) {
        return refuse(locator, origin, "integrator", error,
                      "euler, rk4 and fixed need the length of their steps, as in "
                      "'integrator: {type: euler, step: 10 us}'");
    }
    if (s->max_step > 0.0 && s->max_step < s->step) {
        return refuse(
            locator, origin, "max_step", error,
            "shorter than the steps of the integrator, which have a length that is given");
    }
    return s->step * most_steps <= s->end - s->start || is_lost(s, s->step)
               ? refuse(locator, origin, "integrator", error,
                        "the step is too short: doubles as large as the time do not tell it from "
                        "nothing")
               : DETENT_OK;
}

detent_status dt_settings_complete(detent_settings *s, const dt_locator *locator,
                                   const dt_origin *origin, detent_error *error)
{
    const struct {
        const char *key;
        double value;
    } all[] = {{"start", s->start},       {"end", s->end},
               {"interval", s->interval}, {"rtol", s->rtol},
               {"atol", s->atol},         {"max_step", s->max_step},
               {"step", s->step},         {"max_event_rate", s->max_event_rate}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!isfinite(all[i].value)) {
            return refuse(locator, origin, all[i].key, error, "not a finite number");
        }
        if (i > 1 && all[i].value < 0.0) {
            return refuse(locator, origin, all[i].key, error, "must be positive");
        }
    }
    s->end = s->end == 0.0 ? s->start + 10.0 : s->end;
    if (s->end <= s->start) {
        return refuse(locator, origin, "end", error, "must be after the start");
    }
    if (s->end - s->start < shortest) {
        return refuse(locator, origin, "end", error,
                      "too near to the start: doubles do not resolve times as short as that");
    }
    s->interval = s->interval == 0.0 ? (s->end - s->start) / 1000.0 : s->interval;
    const char *lost = is_lost(s, s->interval)                      ? "interval"
                       : s->max_step > 0 && is_lost(s, s->max_step) ? "max_step"
                                                                    : NULL;
    if (lost) {
        return refuse(locator, origin, lost, error,
                      "too short: doubles as large as the time do not tell it from nothing");
    }
    s->rtol = s->rtol == 0.0 ? 1e-7 : s->rtol;
    if (s->rtol < 1e-14 || s->rtol >= 1.0) {
        return refuse(locator, origin, "rtol", error, "must be at least 1e-14 and less than 1");
    }
    const detent_status stepping = check_integrator(s, locator, origin, error);
    if (stepping) {
        return stepping;
    }
    if (s->linear_solver != DETENT_LINEAR_SOLVER_TREE &&
        s->linear_solver != DETENT_LINEAR_SOLVER_DENSE) {
        return refuse(locator, origin, "linear_solver", error, "must be tree or dense");
    }
    if (s->locked_joints != DETENT_LOCKED_JOINTS_WELD &&
        s->locked_joints != DETENT_LOCKED_JOINTS_CONSTRAIN) {
        return refuse(locator, origin, "locked_joints", error, "must be weld or constrain");
    }
    return DETENT_OK;
}

detent_status dt_settings_check_thresholds(const detent_settings *settings,
                                           const detent_mechanism *m, detent_error *error)
{
    for (int i = 0; i < m->stiction_count; i++) {
        const dt_stiction *stiction = &m->stictions[i];
        if (stiction->friction->velocity_threshold > 0.0 &&
            stiction->friction->velocity_threshold <= settings->atol) {
            return dt_fail(error, DETENT_ERROR_MODEL, NULL,
                           "stiction '%s': the velocity threshold (%g) must exceed the absolute "
                           "tolerance of its joint "
                           "(%g)",
                           m->primitives[stiction->primitive].name,
                           stiction->friction->velocity_threshold, settings->atol);
        }
    }
    return DETENT_OK;
}
