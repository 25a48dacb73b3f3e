/*
 * The search goes forward by intervals of t. Over [a, b] the roots g of all timed switches
 * (program.h) are enclosed, with their slopes. By induction no root is negative just after a, so that
 *
 *   g > 0, or g' >= 0         nothing changes: on to the next interval, twice as long
 *   g' <= 0                   at most one change, which the value at b tells, and bisection finds
 *
 * and where neither can be told the interval is halved. What cannot be told over a few ulps of t,
 * because g touches zero or is all rounding, is decided by its ends, and over twice as much next
 * time, so that the search always ends.
 */
#include "expression/instant.h"
#include "expression/operation.h"

#include <float.h>
#include <math.h>

enum { most_intervals = 400 };

typedef enum root_verdict { CLEAR, FALLS, UNKNOWN } root_verdict;

static int time_slot(const dt_program *p)
{
    for (int k = 0; k < p->variable_count; k++) {
        if (dt_variable_is(p->variables[k], DT_OF_TIME)) {
            return k;
        }
    }
    return -1;
}

/* ---- plain values ---- */

/* Values of all timed operations at t, on the recorded branches. */
static void evaluate(const dt_instant_question *ask, double t)
{
    const dt_program *p = ask->program;
    ask->slots[time_slot(p)] = t;
    for (int i = 0; i < p->operation_count; i++) {
        if (!(p->reads[i] & DT_READS_STATE)) {
            ask->values[i] =
                dt_operation_value(&p->operations[i], ask->values, ask->slots, ask->state);
        }
    }
}

/* Whether switch k would be on another branch, as of evaluate(). */
static bool differs(const dt_instant_question *ask, int k)
{
    const dt_operation *o = &ask->program->operations[ask->program->switches[k]];
    return dt_operation_branch(o, ask->values, NULL) != ask->state[k].side;
}

static bool any_differs(const dt_instant_question *ask, double t)
{
    bool any = false;
    evaluate(ask, t);
    for (int k = 0; k < ask->program->switch_count && !any; k++) {
        any = dt_program_is_timed(ask->program, k) && differs(ask, k);
    }
    return any;
}

/* What switch k compares: zero at `border`, where it changes. */
static double difference(const dt_instant_question *ask, int k, double border, double t)
{
    const dt_operation *o = &ask->program->operations[ask->program->switches[k]];
    const bool two = dt_functions[o->code].max_arguments > 1;
    evaluate(ask, t);
    return ask->values[o->operand[0]] - (two ? ask->values[o->operand[1]] : border);
}

/* The border that lies between the recorded branch and the values at b. */
static double border_towards(const dt_instant_question *ask, int k, double b)
{
    const dt_operation *o = &ask->program->operations[ask->program->switches[k]];
    if (dt_functions[o->code].kind != DT_FUNCTION_INTEGER) {
        return 0;
    }
    double borders[2];
    dt_operation_borders(o, ask->state[k].side, borders);
    evaluate(ask, b);
    return borders[ask->values[o->operand[0]] >= borders[0]];
}

/* ---- bisection ---- */

/* Moves an end to t, which is on one side or the other. */
static void divide(const dt_instant_question *ask, int k, double t, double *a, double *b)
{
    if (!(t > *a && t < *b)) {
        return;
    }
    if (k < 0 ? any_differs(ask, t) : (evaluate(ask, t), differs(ask, k))) {
        *b = t;
    } else {
        *a = t;
    }
}

/* The first double in (a, b] at which switch k (-1: any) is on another branch, as it is at b. */
static double first_change(const dt_instant_question *ask, int k, double a, double b)
{
    const double border = k < 0 ? 0 : border_towards(ask, k, b);
    for (;;) {
        if (k >= 0) { /* close in by the secant, a little to both of its sides */
            const double ga = difference(ask, k, border, a), gb = difference(ask, k, border, b);
            const double t = a + (b - a) * (ga / (ga - gb)), room = 4 * DBL_EPSILON * fabs(t);
            divide(ask, k, t - room, &a, &b);
            divide(ask, k, t + room, &a, &b);
        }
        const double middle = a + 0.5 * (b - a);
        if (!(middle > a && middle < b)) {
            return b;
        }
        divide(ask, k, middle, &a, &b);
    }
}

/* ---- intervals ---- */

static void enclose(const dt_instant_question *ask, double a, double b)
{
    const dt_program *p = ask->program;
    for (int k = 0; k < p->variable_count; k++) {
        dt_series_constant(ask->slots[k], 1, &ask->inputs[k]);
    }
    ask->inputs[time_slot(p)].c[0] = (dt_interval){a, b};
    ask->inputs[time_slot(p)].c[1] = dt_interval_point(1);
    dt_program_enclose(p, ask->inputs, ask->state, 1, true, ask->series);
}

static root_verdict judge_root(const dt_series *g)
{
    if (g->c[0].lo > 0 || g->c[1].lo >= 0) {
        return CLEAR;
    }
    return g->c[1].hi <= 0 ? FALLS : UNKNOWN;
}

/* The worst of both roots of switch k over the interval enclosed last. */
static root_verdict judge(const dt_instant_question *ask, int k)
{
    dt_series g[2];
    dt_program_enclose_roots(ask->program, k, ask->state[k].side, 1, ask->series, g);
    const root_verdict one = judge_root(&g[0]), other = judge_root(&g[1]);
    return one > other ? one : other;
}

/*
 * Whether the interval [a, b] is understood; then `*change` is the first change in it, or INFINITY,
 * of switch `*which`.
 */
static bool understand(const dt_instant_question *ask, double a, double b, double *change,
                       int *which)
{
    const dt_program *p = ask->program;
    *change = INFINITY;
    enclose(ask, a, b);
    for (int k = 0; k < p->switch_count; k++) {
        const root_verdict v = dt_program_is_timed(p, k) ? judge(ask, k) : CLEAR;
        if (v == UNKNOWN || (v == FALLS && isinf(b))) {
            return false;
        }
        if (v == CLEAR) {
            continue;
        }
        evaluate(ask, b);
        const double t = differs(ask, k) ? first_change(ask, k, a, b) : INFINITY;
        if (t < *change) {
            *change = t;
            *which = k;
        }
    }
    return true;
}

/* A moment after the change at t when switch k has left its border for certain; at most b. */
static double certain_after(const dt_instant_question *ask, int k, double t, double b)
{
    double step = DBL_EPSILON * fabs(t) + DBL_MIN, after = t;
    for (int round = 0; round < 40 && after < b; round++, step *= 2) {
        dt_series g[2];
        enclose(ask, after, after);
        dt_program_enclose_roots(ask->program, k, ask->state[k].side, 0, ask->series, g);
        if (g[0].c[0].hi < 0 || g[1].c[0].hi < 0) {
            break;
        }
        after = fmin(t + step, b);
    }
    return fmax(after, t);
}

/*
 * The last intervals may be far longer than the run, where nothing changes any more. The next search begins with none that is: from one question
 * to the next it would grow until it overflows.
 */
static dt_instant found(const dt_instant_question *ask, double time, double after, double length)
{
    return (dt_instant){
        .time = time, .after = after, .clear = time, .stride = fmin(2 * length, ask->span)};
}

/* A length of time that is lost in the rounding of t, or in the run as a whole. */
static double lost(const dt_instant_question *ask, double t)
{
    return 16 * DBL_EPSILON * (fabs(t) + ask->span);
}

dt_instant dt_program_next_instant(const dt_instant_question *ask)
{
    double a = ask->from, h = INFINITY, least = lost(ask, a), change;
    int which = -1;
    for (int n = 0; n < most_intervals; n++) {
        const double b = a + h;
        if (understand(ask, a, b, &change, &which)) {
            if (change < INFINITY) {
                return found(ask, change, certain_after(ask, which, change, b), h);
            }
            if (isinf(b)) {
                return found(ask, INFINITY, INFINITY, ask->stride);
            }
            a = b;
            least = lost(ask, a);
            h *= 2;
        } else if (isinf(h)) {
            h = ask->stride;
        } else if (h > least) {
            h = fmax(0.5 * h, least);
        } else { /* decided by its end */
            if (any_differs(ask, b)) {
                return found(ask, first_change(ask, -1, a, b), b, h);
            }
            a = b;
            least *= 2;
            h = least;
        }
    }
    return (dt_instant){
        .time = INFINITY, .after = INFINITY, .clear = a, .stride = fmin(h, ask->span)};
}

bool dt_program_settle_timed(const dt_program *p, double *slots, double t, dt_branch *state,
                             double *values)
{
    bool changed = false;
    slots[time_slot(p)] = t;
    for (int i = 0; i < p->operation_count; i++) {
        const dt_operation *o = &p->operations[i];
        if (p->reads[i] & DT_READS_STATE) {
            continue;
        }
        if (dt_functions[o->code].branch && o->index >= 0 && dt_program_is_timed(p, o->index)) {
            const int branch = dt_operation_branch(o, values, NULL);
            changed = changed || branch != state[o->index].side;
            state[o->index] = (dt_branch){.side = branch};
        }
        values[i] = dt_operation_value(o, values, slots, state);
    }
    return changed;
}
