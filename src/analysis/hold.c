/* The two questions about what static friction holds (hold.h): whether it does now, and between which values of an input. */
#include "analysis/hold_parts.h"

#include "base/error.h"
#include "dynamics/split.h"

/* ---- set-up ---- */

static detent_status create(dt_arena *arena, dt_analysis *analysis, hold *h, detent_error *error)
{
    dt_system *s = &analysis->system;
    const size_t ns = (size_t)s->mechanism->stiction_count;
    *h = (hold){.system = s, .count = 2 * (int)ns, .input = -1, .culprit = -1};
    const detent_status status = dt_equilibrium_create(arena, analysis, &h->work, error);
    if (status) {
        return status;
    }
    h->work.rest.frozen = true;
    dt_rest_hold(&h->work.rest, true);
    h->search = dt_search_create(arena, s, false);
    h->margin = dt_arena_alloc(arena, 2 * ns, sizeof *h->margin);
    h->slope = dt_arena_alloc(arena, 2 * ns, sizeof *h->slope);
    h->noise = dt_arena_alloc(arena, ns, sizeof *h->noise);
    return h->search && h->margin && h->slope && h->noise
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
}

/* ---- the two questions ---- */

/*
 * Where limits that follow frictions agree with none, all being locked, as in a train behind which nothing holds: whether somebody
 * starts to move then. Frictions are those of that moment, and margins are not known.
 */
static bool starts_moving(hold *h, double *friction, double *margin)
{
    if (dt_hold_search_agrees(h) || h->culprit < 0) {
        return false;
    }
    for (int k = 0; k < h->count / 2; k++) {
        if (friction) {
            friction[k] = h->system->f[k];
        }
        if (margin) {
            margin[k] = NAN;
        }
    }
    return true;
}

detent_status dt_hold(dt_arena *arena, dt_analysis *analysis, bool *does_hold, double *friction,
                      double *margin, detent_error *error)
{
    hold h;
    detent_status status = create(arena, analysis, &h, error);
    if (status) {
        return status;
    }
    status = dt_hold_evaluate(&h, 0, error);
    if (status == DETENT_ERROR_SOLVER && starts_moving(&h, friction, margin)) {
        *does_hold = false;
        status = DETENT_OK;
    } else if (!status) {
        for (int k = 0; k < h.count / 2; k++) {
            if (friction) {
                friction[k] = dt_split_friction(h.system, k);
            }
            if (margin) {
                margin[k] = fmin(h.margin[2 * k], h.margin[2 * k + 1]);
            }
        }
        *does_hold = dt_hold_holds(&h, 0);
    }
    dt_rest_end(&h.work.rest);
    return status;
}

detent_status dt_hold_interval(dt_arena *arena, dt_analysis *analysis, int input,
                               detent_hold_interval *interval, detent_error *error)
{
    hold h;
    detent_status status = create(arena, analysis, &h, error);
    if (status) {
        return status;
    }
    dt_system *s = h.system;
    const double given = s->inputs[input];
    double start = given;
    h.input = input;
    h.usual = given != 0 ? fabs(given) : 1;
    status = dt_hold_find_start(&h, &start, error);
    if (!status) {
        dt_hold_find_end(&h, start, -1, &interval->low, &interval->low_primitive,
                         &interval->low_direction);
        dt_hold_find_end(&h, start, 1, &interval->high, &interval->high_primitive,
                         &interval->high_direction);
    }
    s->inputs[input] = given;
    dt_rest_end(&h.work.rest);
    dt_system_set_state(s, s->time, s->q, s->v);
    return status;
}
