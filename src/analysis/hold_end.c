/*
 * An end of the values that hold, from one that does:
 *
 *   1. the first zero of a margin on the way, by Newton's method inside a bracket; on from there where it only touches zero;
 *   2. samples between the start and that end, since a margin may be exceeded there and not at it;
 *   3. what no margin tells, positions of rest and the search of modes, is asked a hair inside of it; where that does not hold, by
 *      halves back to the start.
 *
 * Where joints share what holds a loop no margin of one of them tells: twice the way again and again, then by halves.
 */
#include "analysis/hold_parts.h"

#include <float.h>

/* How often a linear model is followed, and how often a bracket is halved or an end without limit doubled. */
enum {
    MOST_CROSSINGS = 200,
    MOST_DOUBLINGS = 60,
    MOST_HALVINGS = 80,
    SAMPLES = 64,
    MOST_TOUCHES = 32
};

/* One end: the last value known to hold, and the first known not to, or NAN. */
typedef struct bracket {
    double inside, outside;
    int side; /**< -1 lower end, +1 upper */
    int last; /**< the margin that ends it, or -1 */
} bracket;

/* Where the linear model at p has the first zero of a margin on the way to the end; infinite if it has none. */
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

/* Notes what a value has shown; true where it is the end to rounding. */
static bool narrow(hold *h, bracket *b, double p, bool has_value)
{
    if (!has_value || dt_hold_exceeded(h) >= 0) {
        b->outside = p;
        return is_narrow(b);
    }
    b->inside = p;
    return b->last >= 0 && h->margin[b->last] <= dt_hold_ripple(h, b->last);
}

/* Doubles the way from the start until a margin is exceeded; false where none ever is. */
static bool look_far(hold *h, bracket *b)
{
    const double start = b->inside;
    double way = start != 0 ? fabs(start) : 1;
    for (int k = 0; k < MOST_DOUBLINGS; k++, way *= 2) {
        const double p = start + b->side * way;
        const bool has_value = !dt_hold_evaluate(h, p, NULL);
        narrow(h, b, p, has_value);
        if (!isnan(b->outside)) {
            return true;
        }
    }
    return false;
}

/* By Newton's method on the first margin, kept inside of the bracket; every third value halves it. */
static void find_crossing(hold *h, bracket *b)
{
    double p = b->inside;
    bool has_value = !dt_hold_evaluate(h, p, NULL);
    for (int k = 0; k < MOST_CROSSINGS; k++) {
        double next = INFINITY;
        if (has_value && !dt_hold_take_slopes(h, NULL)) {
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
        has_value = !dt_hold_evaluate(h, p, NULL);
        if (narrow(h, b, p, has_value)) {
            return;
        }
    }
}

/*
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
        if (dt_hold_evaluate(h, p, NULL) || dt_hold_exceeded(h) >= 0) {
            return false;
        }
    }
    *b = (bracket){.inside = p, .outside = NAN, .side = b->side, .last = -1};
    return true;
}

/* Whether a margin is exceeded between the start and the end that was found: then the first such value is outside. */
static bool look_between(hold *h, double start, bracket *b)
{
    const double end = b->inside;
    double before = start;
    for (int k = 1; k < SAMPLES; k++) {
        const double p = start + (end - start) * k / SAMPLES;
        if (dt_hold_evaluate(h, p, NULL) || dt_hold_exceeded(h) >= 0) {
            b->inside = before;
            b->outside = p;
            return true;
        }
        before = p;
    }
    return false;
}

/* Where what the margins do not tell ends it before: by halves between `start`, which holds, and b->inside. */
static void find_before(hold *h, double start, bracket *b)
{
    double good = start, bad = b->inside;
    for (int k = 0; k < MOST_HALVINGS && !(fabs(bad - good) <= 1e-15 * fabs(good)); k++) {
        const double middle = good + 0.5 * (bad - good);
        if (middle == good || middle == bad) {
            break;
        }
        if (dt_hold_holds(h, middle)) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    dt_hold_holds(h, bad); /* who moves */
    /* what answers to the least change has rounding for an interval */
    b->inside = fabs(good - start) <= 1e-9 * fabs(b->inside - start) ? start : good;
}

/* The margin `last`, or -1 where it is not at its zero: beyond, no law has a value. */
static int reached(const hold *h, int last)
{
    static const double nothing = 1e-6;
    const int k = last < 0 ? 0 : last / 2;
    const dt_system *s = h->system;
    const double width = last >= 0 ? h->margin[2 * k] + h->margin[2 * k + 1] : 0,
                 force = s->scale->force[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
    const bool is_there =
        last >= 0 && h->margin[last] <= nothing * (isfinite(width) ? width : force);
    return is_there ? last : -1;
}

/*
 * Where joints share what holds a loop no margin of one of them tells: the search alone, at twice the way again and again,
 * then by halves.
 */
static void find_shared_end(hold *h, double start, bracket *b)
{
    double good = start, step = h->usual;
    for (int k = 0; k < MOST_HALVINGS; k++, step *= 2) {
        const double far = start + b->side * step;
        if (!isfinite(far) || !dt_hold_holds(h, far)) {
            b->inside = far;
            break;
        }
        good = far;
        b->inside = b->side * (double)INFINITY;
    }
    if (isfinite(b->inside)) {
        find_before(h, good, b);
        /* who moves is clear a little beyond */
        dt_hold_holds(h, b->inside + 1e-6 * (b->inside - start));
    }
}

void dt_hold_find_end(hold *h, double start, int side, double *end, ptrdiff_t *who, int *way)
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
    const int last = endless || dt_hold_evaluate(h, b.inside, NULL) ? -1 : reached(h, b.last);
    double far = b.inside - hair * (b.inside - start);
    if (endless) {
        far = start + side * ldexp(start != 0 ? fabs(start) : 1, 20);
    }
    const bool whole = far == start || dt_hold_holds(h, far);
    if (!whole) {
        b.inside = far;
        find_before(h, start, &b);
    } else {
        dt_hold_blame(h, last);
    }
    *end = b.inside;
    *who = h->culprit;
    *way = h->way;
}
