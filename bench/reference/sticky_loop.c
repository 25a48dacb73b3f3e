/* All pins turn at their ratio r_j(q) times the speed of the crank, so that together they hold up to
 *   F(q) = sum of limit_j |r_j|
 * and brake by as much. Where a pin turns round F has a kink: an event, like a stop and a breakaway. */

#include "sticky_loop.h"

#include "loops.h"

#include <math.h>

static const double limit_main = 1.5, limit_pin = 0.8, limit_foot = 1.2, damping = 1;

static double friction(const sticky_loop *l, const four_bar_terms *at)
{
    return limit_main + limit_pin * l->sides[0] * at->pin + limit_foot * l->sides[1] * at->foot;
}

static double load(const four_bar_terms *at, double t)
{
    return 8 * sin(2 * t) - at->weight;
}

static void derivative(void *data, double t, const double *y, double *dy)
{
    const sticky_loop *l = data;
    const four_bar_terms at = four_bar_at(y[0]);
    const double v = y[1];
    const double force =
        load(&at, t) - l->mode * friction(l, &at) - damping * v - at.half_slope * v * v;
    dy[0] = l->mode ? v : 0;
    dy[1] = l->mode ? force / at.mass : 0;
}

static double excess(void *data, double t, const double *y)
{
    const sticky_loop *l = data;
    const double noise = 1e-18; /* rad/s: just behind a breakaway */
    const four_bar_terms at = four_bar_at(y[0]);
    if (!l->mode) {
        return fabs(load(&at, t)) - friction(l, &at);
    }
    return fmax(-l->mode * y[1] - noise, fmax(-l->sides[0] * at.pin, -l->sides[1] * at.foot));
}

static bool settle(void *data, double t, double *y)
{
    sticky_loop *l = data;
    const four_bar_terms at = four_bar_at(y[0]);
    l->sides[0] = at.pin < 0 ? -1 : 1;
    l->sides[1] = at.foot < 0 ? -1 : 1;
    if (l->mode * y[1] <= 0) {
        y[1] = 0;
        l->mode = 0;
    }
    if (!l->mode && fabs(load(&at, t)) >= friction(l, &at)) {
        l->mode = load(&at, t) > 0 ? 1 : -1;
    }
    return true;
}

problem sticky_loop_problem(sticky_loop *l)
{
    return (problem){
        .size = 2, .data = l, .derivative = derivative, .excess = excess, .settle = settle};
}
