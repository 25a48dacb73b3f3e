/*
 * Whether stability bounds the steps of the explicit stepper, and not accuracy. Stages 6 and 7 of a step of Dormand and Prince's method are both at its
 * end, at two estimates g and y1 of the state, so that
 *
 *   h |f(g) - f(y1)| / |g - y1|
 *
 * is about h times the largest rate of the problem, or less. Where steps are as long as stability lets them it is near 3.3, the end of the
 * region of stability, or down to half of that, for ARKODE leaves a step as it is that could not grow by half; where the error test bounds them it is well below. (E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section IV.2.)
 */
#include "solver/erk.h"

#include <math.h>

enum {
    ENOUGH = 15,
    FORGETS = 6
}; /* steps that tell stiffness, and in a row those that tell there is none */
static const double near_border = 1.5;

bool dt_erk_is_stiff(dt_solver *solver)
{
    static const double a6[5] = {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176,
                                 -5103.0 / 18656};
    dt_erk *e = dt_erk_of(solver);
    const dt_dense_output *d = &e->dense;
    const double h = d->t1 - d->t0;
    if (!(h > 0) || d->noted < DT_DENSE_STAGES) {
        return false;
    }
    const double *k[6] = {d->k1};
    for (int n = 2; n <= 6; n++) {
        k[n - 1] = dt_dense_stage(d, n);
    }
    const double *last = dt_dense_last(d);
    double *weight = e->inside, rates = 0, ways = 0;
    solver->problem.weights(solver->problem.user, d->y1, weight);
    for (int j = 0; j < solver->length; j++) {
        double g = d->y0[j];
        for (int n = 0; n < 5; n++) {
            g += h * a6[n] * k[n][j];
        }
        const double rate = weight[j] * (last[j] - k[5][j]), way = weight[j] * (d->y1[j] - g);
        rates += rate * rate;
        ways += way * way;
    }
    if (h * sqrt(rates) > near_border * sqrt(ways) && ways > 0) {
        e->stiff++;
        e->loose = 0;
    } else if (++e->loose >= FORGETS) {
        e->stiff = 0;
    }
    return e->stiff >= ENOUGH;
}
