/*
 * A value of the input that holds, from one that may be outside:
 *
 *   - the middle of the values that all margins allow by their slopes, again and again (one step where margins are linear);
 *   - where joints share what holds them no margin of one of them tells: down the valley of the share of their limits that they
 *     have to use, until it is below 1.
 */
#include "analysis/hold_parts.h"

#include "base/error.h"
#include "dynamics/closure.h"
#include "dynamics/split.h"

#include <float.h>

/* How often a linear model is followed, and how far the valley of a share. */
enum { MOST_STARTS = 30, MOST_SHARES = 120 };

/* The middle of the values that the linear model at p allows; false where there are none. */
static bool best_guess(const hold *h, double *p)
{
    static const double rounding = 64 * DBL_EPSILON;
    double low = -INFINITY, high = INFINITY;
    for (int i = 0; i < h->count; i++) {
        const double at = *p - h->margin[i] / h->slope[i];
        if (h->slope[i] > 0) {
            low = fmax(low, at);
        } else if (h->slope[i] < 0) {
            high = fmin(high, at);
        } else if (h->margin[i] < -dt_hold_ripple(h, i)) {
            return false;
        }
    }
    if (low > high && low - high <= rounding * fmax(fabs(low), fabs(high))) {
        low = high = high + 0.5 * (low - high); /* one value, as where loads balance */
    }
    if (!(low <= high)) {
        return false;
    }
    *p = isfinite(low) && isfinite(high) ? low + 0.5 * (high - low)
         : isfinite(low)                 ? low + fabs(low - *p)
         : isfinite(high)                ? high - fabs(high - *p)
                                         : *p;
    return true;
}

static detent_status fail_start(hold *h, double p, detent_error *error)
{
    const dt_system *s = h->system;
    const char *input = s->mechanism->inputs[h->input].name;
    const detent_status status = h->culprit < 0 ? dt_hold_evaluate(h, p, error) : DETENT_OK;
    if (status == DETENT_ERROR_SOLVER) {
        /* limits follow what they make: who starts is told by the search */
        dt_hold_search_agrees(h);
    }
    if (h->culprit < 0) {
        return status ? status
                      : dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                                "nothing holds the mechanism at '%s' = %.9g", input, p);
    }
    const dt_primitive *at = &s->mechanism->primitives[h->culprit];
    return at->stiction >= 0
               ? dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                         "at '%s' = %.9g static friction does not hold '%s', which starts %s, and "
                         "no value near it was found with which everything rests",
                         input, p, at->name, h->way > 0 ? "forward" : "in reverse")
               : dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                         "at '%s' = %.9g nothing holds '%s', which has no stiction and is not at a "
                         "position of rest",
                         input, p, at->name);
}

/* The largest share of limits that joints which share have to use at p: it holds below 1. */
static double share_at(hold *h, double p)
{
    const dt_closure *c = h->system->closure;
    if (dt_hold_evaluate(h, p, NULL) || !c || !c->split || isnan(c->split->used)) {
        return INFINITY;
    }
    return c->split->used;
}

/*
 * Where joints share, that share tells how far a value is from holding: with fixed limits it has one valley. The way down is gone in
 * steps that double, then the valley is closed in on by golden sections.
 */
static bool find_shared_start(hold *h, double *p)
{
    static const double golden = 0.6180339887498949;
    double at = *p, here = share_at(h, at), step = h->usual / 16;
    int side = 0;
    for (int k = 0; k < MOST_SHARES && side == 0 && step > DBL_EPSILON * h->usual; k++) {
        side = share_at(h, at - step) < here ? -1 : share_at(h, at + step) < here ? 1 : 0;
        step = side == 0 ? step / 2 : step;
    }
    if (side == 0) {
        return false;
    }
    double before = at, next = at + side * step;
    for (int k = 0; k < MOST_SHARES; k++, step *= 2) {
        if (dt_hold_holds(h, next)) {
            *p = next;
            return true;
        }
        const double there = share_at(h, next);
        if (!(there < here)) {
            break;
        }
        before = at;
        at = next;
        here = there;
        next = at + side * 2 * step;
    }
    double low = fmin(before, next), high = fmax(before, next);
    double left = high - golden * (high - low), right = low + golden * (high - low),
           share[2] = {share_at(h, left), share_at(h, right)};
    for (int k = 0; k < MOST_SHARES && right > left; k++) {
        const bool lower = share[0] < share[1];
        *p = lower ? left : right;
        if (fmin(share[0], share[1]) < 1 && dt_hold_holds(h, *p)) {
            return true;
        }
        low = lower ? low : left;
        high = lower ? right : high;
        left = high - golden * (high - low);
        right = low + golden * (high - low);
        share[0] = share_at(h, left);
        share[1] = share_at(h, right);
    }
    return false;
}

detent_status dt_hold_find_start(hold *h, double *p, detent_error *error)
{
    const double given = *p;
    if (h->system->mechanism->ties_stictions) {
        if (dt_hold_holds(h, *p) || find_shared_start(h, p)) {
            return DETENT_OK;
        }
        *p = 0; /* limits that follow what they hold may leave that value alone */
        if (dt_hold_holds(h, *p)) {
            return DETENT_OK;
        }
    }
    *p = given;
    for (int k = 0; k < MOST_STARTS; k++) {
        if (dt_hold_holds(h, *p)) {
            return DETENT_OK;
        }
        if (dt_hold_evaluate(h, *p, NULL) || dt_hold_take_slopes(h, NULL) || !best_guess(h, p)) {
            break;
        }
    }
    dt_hold_holds(h, given);
    return fail_start(h, given, error);
}
