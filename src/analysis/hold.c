#include "analysis/hold.h"

#include "analysis/equilibrium_step.h"
#include "base/error.h"
#include "dynamics/closure.h"
#include "dynamics/split.h"
#include "stiction/mode_search.h"

#include <float.h>

/** How often a linear model is followed, and how often a bracket is halved or an end without limit doubled. */
enum {
    MOST_STARTS = 30,
    MOST_CROSSINGS = 200,
    MOST_DOUBLINGS = 60,
    MOST_HALVINGS = 80,
    SAMPLES = 64,
    MOST_TOUCHES = 32,
    MOST_SHARES = 120
};

/** A mechanism that is held, at one value of an input. */
typedef struct hold {
    dt_equilibrium_work work;
    dt_search *search;
    dt_system *system;
    int input, count; /**< the input, or -1; margins */
    double *margin;   /**< count: of stiction k FSr - Ftest at 2 k, Ftest - FSf at 2 k + 1 */
    double *slope;    /**< count: by the input */
    double *noise;    /**< stictions: rounding of the friction */
    double usual;     /**< how large the input is: the value that is asked about, or 1 */
    int culprit; /**< the primitive that moved at the last value that did not hold; -1: none in particular */
    int way; /**< and in which direction; 0: not known */
} hold;

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

/* ---- one value ---- */

/** Frictions and margins at p, which are finite. */
static detent_status evaluate(hold *h, double p, detent_error *error)
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
        if (!isfinite(limits[0]) || !isfinite(limits[1]) || !isfinite(test)) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s the friction of '%s' or one of its limits is not a "
                           "finite number",
                           s->time,
                           s->mechanism->primitives[s->mechanism->stictions[k].primitive].name);
        }
    }
    return DETENT_OK;
}

/** What rounding leaves of margin i at its zero. */
static double ripple(const hold *h, int i)
{
    return 4 * h->noise[i / 2];
}

/** Exact slopes of the margins, at the value that was evaluated last. */
static detent_status take_slopes(hold *h, detent_error *error)
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
        const dt_stiction_laws *laws = dt_friction_laws(s, k);
        const double magnitude = dt_tangent_law(t, s, &laws->magnitude, 0),
                     forward = dt_tangent_law(t, s, &laws->forward, 0),
                     reverse = dt_tangent_law(t, s, &laws->reverse, 0),
                     test = laws->test.program ? dt_tangent_law(t, s, &laws->test, 0) : t->df[k];
        h->slope[2 * k] = (laws->magnitude.program ? magnitude : reverse) - test;
        h->slope[2 * k + 1] = test - (laws->magnitude.program ? -magnitude : forward);
    }
    dt_variation_clear(variation);
    return DETENT_OK;
}

/** The margin that is exceeded most, or -1. */
static int exceeded(const hold *h)
{
    int worst = -1;
    for (int i = 0; i < h->count; i++) {
        if (h->margin[i] < -ripple(h, i) && (worst < 0 || h->margin[i] < h->margin[worst])) {
            worst = i;
        }
    }
    return worst;
}

static void blame(hold *h, int margin)
{
    h->culprit = margin < 0 ? -1 : h->system->mechanism->stictions[margin / 2].primitive;
    h->way = margin < 0 ? 0 : margin % 2 ? 1 : -1;
}

/** Whether everything without stiction stays where it is. */
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

/** Whether the search of modes, asked afresh, leaves every joint locked. */
static bool search_agrees(hold *h)
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

/** All that is asked for, at p. */
static bool holds(hold *h, double p)
{
    h->culprit = -1;
    h->way = 0;
    if (evaluate(h, p, NULL)) {
        return false;
    }
    const int worst = exceeded(h);
    if (worst >= 0) {
        blame(h, worst);
        return false;
    }
    return others_rest(h) && search_agrees(h);
}

/* ---- a value that holds ---- */

/** The middle of the values that the linear model at p allows; false where there are none. */
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
        } else if (h->margin[i] < -ripple(h, i)) {
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
    const detent_status status = h->culprit < 0 ? evaluate(h, p, error) : DETENT_OK;
    if (status == DETENT_ERROR_SOLVER) {
        search_agrees(h); /* limits follow what they make: who starts is told by the search */
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

/** The largest share of limits that joints which share have to use at p: it holds below 1. */
static double share_at(hold *h, double p)
{
    const dt_closure *c = h->system->closure;
    if (evaluate(h, p, NULL) || !c || !c->split || isnan(c->split->used)) {
        return INFINITY;
    }
    return c->split->used;
}

/**
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
        if (holds(h, next)) {
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
        if (fmin(share[0], share[1]) < 1 && holds(h, *p)) {
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

static detent_status find_start(hold *h, double *p, detent_error *error)
{
    const double given = *p;
    if (h->system->mechanism->ties_stictions) {
        if (holds(h, *p) || find_shared_start(h, p)) {
            return DETENT_OK;
        }
        *p = 0; /* limits that follow what they hold may leave that value alone */
        if (holds(h, *p)) {
            return DETENT_OK;
        }
    }
    *p = given;
    for (int k = 0; k < MOST_STARTS; k++) {
        if (holds(h, *p)) {
            return DETENT_OK;
        }
        if (evaluate(h, *p, NULL) || take_slopes(h, NULL) || !best_guess(h, p)) {
            break;
        }
    }
    holds(h, given);
    return fail_start(h, given, error);
}

/* ---- an end ---- */

/** One end: the last value known to hold, and the first known not to, or NAN. */
typedef struct bracket {
    double inside, outside;
    int side; /**< -1 lower end, +1 upper */
    int last; /**< the margin that ends it, or -1 */
} bracket;

/** Where the linear model at p has the first zero of a margin on the way to the end; infinite if it has none. */
static double crossing(hold *h, double p, bracket *b)
{
    double first = INFINITY;
    for (int i = 0; i < h->count; i++) {
        const double slope = b->side * h->slope[i];
        const double ahead = -h->margin[i] / slope; /* of p, towards the end */
        if (slope < 0 && ahead < first) {
            first = ahead;
            b->last = i;
        }
    }
    return p + b->side * first;
}

static bool is_narrow(const bracket *b)
{
    const double size = fmax(fabs(b->inside), fabs(b->outside));
    return fabs(b->outside - b->inside) <= 2 * DBL_EPSILON * size;
}

/** Notes what a value has shown; true where it is the end to rounding. */
static bool narrow(hold *h, bracket *b, double p, bool has_value)
{
    if (!has_value || exceeded(h) >= 0) {
        b->outside = p;
        return is_narrow(b);
    }
    b->inside = p;
    return b->last >= 0 && h->margin[b->last] <= ripple(h, b->last);
}

/** Doubles the way from the start until a margin is exceeded; false where none ever is. */
static bool look_far(hold *h, bracket *b)
{
    const double start = b->inside;
    double way = start != 0 ? fabs(start) : 1;
    for (int k = 0; k < MOST_DOUBLINGS; k++, way *= 2) {
        const double p = start + b->side * way;
        const bool has_value = !evaluate(h, p, NULL);
        narrow(h, b, p, has_value);
        if (!isnan(b->outside)) {
            return true;
        }
    }
    return false;
}

/** By Newton's method on the first margin, kept inside of the bracket; every third value halves it. */
static void find_crossing(hold *h, bracket *b)
{
    double p = b->inside;
    bool has_value = !evaluate(h, p, NULL);
    for (int k = 0; k < MOST_CROSSINGS; k++) {
        double next = INFINITY;
        if (has_value && !take_slopes(h, NULL)) {
            next = crossing(h, p, b);
        }
        if (isnan(b->outside) && !isfinite(next)) {
            if (!look_far(h, b)) {
                b->inside = b->side * (double)INFINITY;
                return;
            }
        }
        const bool between = b->side * (next - b->inside) > 0 &&
                             (isnan(b->outside) || b->side * (b->outside - next) > 0);
        if (next == b->inside) {
            return;
        }
        if (!between || (k % 3 == 2 && !isnan(b->outside))) {
            next = isnan(b->outside) ? b->inside : b->inside + 0.5 * (b->outside - b->inside);
        }
        p = next;
        has_value = !evaluate(h, p, NULL);
        if (narrow(h, b, p, has_value)) {
            return;
        }
    }
}

/**
 * Whether the end that was found is none: a margin only touches zero there, as that of a mesh that locks itself does where it
 * transmits nothing. Then the last value that was looked at beyond is inside.
 */
static bool is_touched(hold *h, double start, bracket *b)
{
    static const double near = 1e-9, far = 1e-2, grow = 10;
    const double end = b->inside,
                 size = fmax(fmax(fabs(end), fabs(end - start)), fabs(end) > 0 ? 0 : h->usual);
    double p = end;
    for (double way = near; way < far * grow; way *= grow) {
        p = end + b->side * way * size;
        if (evaluate(h, p, NULL) || exceeded(h) >= 0) {
            return false;
        }
    }
    *b = (bracket){.inside = p, .outside = NAN, .side = b->side, .last = -1};
    return true;
}

/** Whether a margin is exceeded between the start and the end that was found: then the first such value is outside. */
static bool look_between(hold *h, double start, bracket *b)
{
    const double end = b->inside;
    double before = start;
    for (int k = 1; k < SAMPLES; k++) {
        const double p = start + (end - start) * k / SAMPLES;
        if (evaluate(h, p, NULL) || exceeded(h) >= 0) {
            b->inside = before;
            b->outside = p;
            return true;
        }
        before = p;
    }
    return false;
}

/** Where what the margins do not tell ends it before: by halves between `start`, which holds, and b->inside. */
static void find_before(hold *h, double start, bracket *b)
{
    double good = start, bad = b->inside;
    for (int k = 0; k < MOST_HALVINGS && !(fabs(bad - good) <= 1e-15 * fabs(good)); k++) {
        const double middle = good + 0.5 * (bad - good);
        if (middle == good || middle == bad) {
            break;
        }
        if (holds(h, middle)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    holds(h, bad); /* who moves */
    /* what answers to the least change has rounding for an interval */
    b->inside = fabs(good - start) <= 1e-9 * fabs(b->inside - start) ? start : good;
}

/** The margin `last`, or -1 where it is not at its zero: beyond, no law has a value. */
static int reached(const hold *h, int last)
{
    static const double nothing = 1e-6;
    const int k = last / 2;
    const bool is_there =
        last >= 0 && h->margin[last] <= nothing * (h->margin[2 * k] + h->margin[2 * k + 1]);
    return is_there ? last : -1;
}

/**
 * Where joints share what holds a loop no margin of one of them tells: the search alone, at twice the way again and again,
 * then by halves.
 */
static void find_shared_end(hold *h, double start, bracket *b)
{
    double good = start, step = h->usual;
    for (int k = 0; k < MOST_HALVINGS; k++, step *= 2) {
        const double far = start + b->side * step;
        if (!isfinite(far) || !holds(h, far)) {
            b->inside = far;
            break;
        }
        good = far;
        b->inside = b->side * (double)INFINITY;
    }
    if (isfinite(b->inside)) {
        find_before(h, good, b);
        holds(h, b->inside + 1e-6 * (b->inside - start)); /* who moves is clear a little beyond */
    }
}

static void find_end(hold *h, double start, int side, double *end, ptrdiff_t *who, int *way)
{
    static const double hair = 1e-11;
    bracket b = {.inside = start, .outside = NAN, .side = side, .last = -1};
    if (h->system->mechanism->ties_stictions) {
        find_shared_end(h, start, &b);
        *end = b.inside;
        *who = isinf(b.inside) ? -1 : h->culprit;
        *way = isinf(b.inside) ? 0 : h->way;
        return;
    }
    find_crossing(h, &b);
    for (int k = 0; k < MOST_TOUCHES && isfinite(b.inside) && is_touched(h, start, &b); k++) {
        find_crossing(h, &b);
    }
    const bool endless = isinf(b.inside);
    if (!endless && look_between(h, start, &b)) {
        find_crossing(h, &b);
    }
    const int last = endless || evaluate(h, b.inside, NULL) ? -1 : reached(h, b.last);
    double far = b.inside - hair * (b.inside - start);
    if (endless) {
        far = start + side * ldexp(start != 0 ? fabs(start) : 1, 20);
    }
    const bool whole = far == start || holds(h, far);
    if (!whole) {
        b.inside = far;
        find_before(h, start, &b);
    } else {
        blame(h, last);
    }
    *end = b.inside;
    *who = h->culprit;
    *way = h->way;
}

/* ---- the two questions ---- */

/**
 * Where limits that follow frictions agree with none, all being locked, as in a train behind which nothing holds: whether somebody
 * starts to move then. Frictions are those of that moment, and margins are not known.
 */
static bool starts_moving(hold *h, double *friction, double *margin)
{
    if (search_agrees(h) || h->culprit < 0) {
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
    status = evaluate(&h, 0, error);
    if (status == DETENT_ERROR_SOLVER && starts_moving(&h, friction, margin)) {
        *does_hold = false;
        status = DETENT_OK;
    } else if (!status) {
        for (int k = 0; k < h.count / 2; k++) {
            if (friction) {
                friction[k] = h.system->f[k];
            }
            if (margin) {
                margin[k] = fmin(h.margin[2 * k], h.margin[2 * k + 1]);
            }
        }
        *does_hold = holds(&h, 0);
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
    status = find_start(&h, &start, error);
    if (!status) {
        find_end(&h, start, -1, &interval->low, &interval->low_primitive, &interval->low_direction);
        find_end(&h, start, 1, &interval->high, &interval->high_primitive,
                 &interval->high_direction);
    }
    s->inputs[input] = given;
    dt_rest_end(&h.work.rest);
    dt_system_set_state(s, s->time, s->q, s->v);
    return status;
}
