#include "dopri.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STAGES = 7 };

/* Dormand and Prince, A family of embedded Runge-Kutta formulae, 1980. */
static const double node[STAGES] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
static const double weight[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
static const double error_weight[STAGES] = {
    71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

typedef struct memory {
    double *stage[STAGES], *next, *trial;
} memory;

static double step(const problem *p, memory *m, double t, const double *y, double h, double *next)
{
    double largest = 0;
    for (int s = 0; s < STAGES; s++) {
        for (size_t i = 0; i < p->size; i++) {
            double sum = 0;
            for (int r = 0; r < s; r++) {
                sum += weight[s][r] * m->stage[r][i];
            }
            next[i] = y[i] + h * sum;
        }
        p->derivative(p->data, t + node[s] * h, next, m->stage[s]);
    }
    for (size_t i = 0; i < p->size; i++) { /* the last stage stands at the end of the step */
        double sum = 0;
        for (int s = 0; s < STAGES; s++) {
            sum += error_weight[s] * m->stage[s][i];
        }
        largest = fmax(largest, fabs(h * sum));
    }
    return largest;
}

/* The longest part of a step of h that does not pass the event, to the last bits of the time: regula
 * falsi, the end that stays counts half (Illinois), and halving where that is slow. */
static double locate(const problem *p, memory *m, double t, const double *y, double h, double past)
{
    const double precision = 1e-15 + 4e-16 * t;
    double before = 0, behind = h, short_of = fmin(p->excess(p->data, t, y), -1e-300);
    double width = h;
    int kept = 0;
    for (int pass = 1; behind - before > precision; pass++) {
        double part = short_of / (short_of - past);
        if (pass % 3 == 0) {
            part = behind - before > 0.5 * width ? 0.5 : part;
            width = behind - before;
        }
        double trial = before + part * (behind - before);
        trial = fmin(fmax(trial, before + 0.5 * precision), behind - 0.5 * precision);
        if (trial <= before || trial >= behind) {
            break;
        }
        step(p, m, t, y, trial, m->trial);
        const double value = p->excess(p->data, t + trial, m->trial);
        if (value > 0) {
            behind = trial;
            past = value;
            short_of *= kept > 0 ? 0.5 : 1;
            kept = 1;
        } else {
            before = trial;
            short_of = fmin(value, -1e-300);
            past *= kept < 0 ? 0.5 : 1;
            kept = -1;
        }
    }
    return behind; /* just past it: the event is there to be seen */
}

static bool run(const problem *p, memory *m, double *y, double end, double tolerance,
                double longest, dopri_work *tally)
{
    double t = 0, h = 1e-4 * longest;
    if (!p->settle(p->data, t, y)) {
        return false;
    }
    while (t < end) {
        const bool last = t + h >= end;
        double taken = last ? end - t : h;
        const double error = step(p, m, t, y, taken, m->next);
        const double factor = 0.9 * pow(tolerance / fmax(error, 1e-300), 0.2);
        if (!(error <= tolerance)) {
            h = taken * fmax(0.2, isfinite(factor) ? factor : 0.2);
            continue;
        }
        const double excess = p->excess(p->data, t + taken, m->next);
        const bool past = excess > 0;
        if (past) {
            taken = locate(p, m, t, y, taken, excess);
            step(p, m, t, y, taken, m->next);
        }
        memcpy(y, m->next, p->size * sizeof *y);
        t = last && !past ? end : t + taken;
        tally->steps++;
        h = past ? 0.01 * longest : fmin(longest, taken * fmin(4, factor));
        if (past) {
            tally->events++;
            if (!p->settle(p->data, t, y)) {
                fprintf(stderr, "reference: no consistent state at %.17g\n", t);
                return false;
            }
        }
    }
    return true;
}

bool integrate(const problem *p, double *y, double end, double tolerance, double longest,
               dopri_work *tally)
{
    memory m;
    double *all = calloc((STAGES + 2) * p->size, sizeof *all);
    *tally = (dopri_work){0};
    if (!all) {
        return false;
    }
    for (int s = 0; s < STAGES; s++) {
        m.stage[s] = all + (size_t)s * p->size;
    }
    m.next = all + STAGES * p->size;
    m.trial = m.next + p->size;
    const bool good = run(p, &m, y, end, tolerance, longest, tally);
    free(all);
    return good;
}
