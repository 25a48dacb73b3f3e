/*
 * One value of an input: margins of static friction with everything held, their slopes, and whether all of it holds there. Where it
 * does not, who moves: the joint whose margin is exceeded most, or, of what has no stiction, the one that is farthest from rest
 * beside rounding, or the first one that the search of modes lets go.
 */
#include "analysis/hold_parts.h"

#include "base/error.h"
#include "dynamics/closure.h"
#include "dynamics/split.h"

detent_status dt_hold_evaluate(hold *h, double p, detent_error *error)
{
    dt_system *s = h->system;
    if (h->input >= 0) {
        s->inputs[h->input] = p;
    }
    const detent_status status = dt_equilibrium_look(&h->work, error);
    if (status) {
        return status;
    }
    if (s->closure && s->closure->split && s->closure->split->unsettled) {
        return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                       "at t = %.9g s limits that follow how locked joints share what holds them "
                       "agree with no share",
                       s->time);
    }
    dt_newton_noises(h->work.rest.newton, s, h->noise);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        double limits[2];
        dt_system_static_limits(s, k, limits);
        const double test = dt_system_static_test(s, k);
        h->margin[2 * k] = limits[1] - test;
        h->margin[2 * k + 1] = test - limits[0];
        const int stop = dt_system_stop_side(s, k); /* which holds whatever presses there */
        if (!(isfinite(limits[0]) || stop > 0) || !(isfinite(limits[1]) || stop < 0) ||
            isnan(limits[0] + limits[1]) || !isfinite(test)) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s the friction of '%s' or one of its limits is not a "
                           "finite number",
                           s->time,
                           s->mechanism->primitives[s->mechanism->stictions[k].primitive].name);
        }
    }
    return DETENT_OK;
}

detent_status dt_hold_take_slopes(hold *h, detent_error *error)
{
    dt_system *s = h->system;
    dt_variation *variation = &h->work.rest.variation;
    dt_tangent *t = &variation->newton.tangent;
    const detent_status status = dt_variation_factor(variation, error);
    if (status) {
        return status;
    }
    dt_variation_clear(variation);
    t->di[h->input] = 1;
    dt_variation_solve(variation);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const dt_law *both = dt_stiction_law(s, k, DT_STICTION_MAGNITUDE),
                     *own = dt_stiction_law(s, k, DT_STICTION_TEST);
        const double magnitude = dt_tangent_law(t, s, both, 0),
                     forward = dt_tangent_law(t, s, dt_stiction_law(s, k, DT_STICTION_FORWARD), 0),
                     reverse = dt_tangent_law(t, s, dt_stiction_law(s, k, DT_STICTION_REVERSE), 0),
                     test = own->program ? dt_tangent_law(t, s, own, 0) : t->df[k];
        h->slope[2 * k] = (both->program ? magnitude : reverse) - test;
        h->slope[2 * k + 1] = test - (both->program ? -magnitude : forward);
        for (int i = 2 * k; i < 2 * k + 2; i++) { /* no stop gives way */
            h->slope[i] = isinf(h->margin[i]) ? 0 : h->slope[i];
        }
    }
    dt_variation_clear(variation);
    return DETENT_OK;
}

int dt_hold_exceeded(const hold *h)
{
    int worst = -1;
    for (int i = 0; i < h->count; i++) {
        if (h->margin[i] < -dt_hold_ripple(h, i) &&
            (worst < 0 || h->margin[i] < h->margin[worst])) {
            worst = i;
        }
    }
    return worst;
}

void dt_hold_blame(hold *h, int margin)
{
    h->culprit = margin < 0 ? -1 : h->system->mechanism->stictions[margin / 2].primitive;
    h->way = margin < 0 ? 0 : margin % 2 ? 1 : -1;
}

/* Whether everything without stiction stays where it is. */
static bool others_rest(hold *h)
{
    dt_equilibrium_work *n = &h->work;
    double worst = 0;
    if (n->count == 0) {
        return true;
    }
    if (dt_equilibrium_linearize(n, NULL)) {
        return false;
    }
    /* not undamped: some motions may need no force */
    if (dt_equilibrium_is_found(n,
                                dt_equilibrium_damped(n, DT_LONG_STEP * h->system->scale->time))) {
        return true;
    }
    for (int k = 0; k < n->count; k++) {
        if (fabs(n->F[k]) > worst * n->noise[k]) {
            worst = fabs(n->F[k]) / n->noise[k];
            h->culprit = n->unknown[k].node;
            h->way = n->F[k] > 0 ? 1 : -1;
        }
    }
    return false;
}

bool dt_hold_search_agrees(hold *h)
{
    dt_system *s = h->system;
    const dt_search_request request = {.follow = dt_rest_follow, .follow_user = s};
    dt_search_result result = {0};
    s->pinned = NULL;
    detent_status status =
        dt_search_run(h->search, s, h->work.rest.newton, &request, &result, NULL);
    for (int k = 0; k < s->mechanism->stiction_count && !status; k++) {
        if (s->mode[k] != DETENT_LOCKED) {
            h->culprit = s->mechanism->stictions[k].primitive;
            h->way = s->direction[k];
            status = DETENT_EVENT;
        }
    }
    return !status;
}

bool dt_hold_holds(hold *h, double p)
{
    h->culprit = -1;
    h->way = 0;
    if (dt_hold_evaluate(h, p, NULL)) {
        return false;
    }
    const int worst = dt_hold_exceeded(h);
    if (worst >= 0) {
        dt_hold_blame(h, worst);
        return false;
    }
    return others_rest(h) && dt_hold_search_agrees(h);
}
