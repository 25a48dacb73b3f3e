/* The length and the time of a mechanism: scale_sums.h has the formulas. */
#include "dynamics/scale_sums.h"

#include <math.h>

static const double part = 0.1; /* of what is simulated, where nothing else tells */
static const double many = 100; /* as absolute tolerances are that part of what is large */

/* ---- late ---- */

/* Leaves out what is nothing beside what is to come. Where something brings it back, or moves it already, only what comes meanwhile counts. */
static dt_scale_sums look_ahead(const dt_scale_sums *all, double own_time)
{
    dt_scale_sums sum = *all;
    const double now = sum.drive + sum.friction,
                 comes = sum.rate > 0 ? fmin(sum.later, sum.rate * own_time) : sum.later;
    if (now > 0 && comes > many * now) {
        sum.drive = sum.friction = 0;
    }
    return sum;
}

/* In which springs, or where there are none what drives, bring the mechanism as far as the sums have it. */
static double own_time(const dt_scale_sums *sum)
{
    return sqrt(sum->inertia / (sum->stiffness > 0 ? sum->stiffness : sum->drive + sum->friction));
}

/*
 * How long laws of time go on as they begin: where they are all that drives as long as they grow, and else until they turn round, which takes those that
 * swing half a period.
 */
static double turn(const dt_scale_sums *sum)
{
    static const double half_period = 3.14; /* of a sine, of its size by its steepest slope */
    const double now = sum->drive + sum->friction;
    return (now > 0 ? half_period * (now + sum->later) : sum->later) / sum->rate;
}

/* ---- length ---- */

/* How fast a force makes rails in T: with inertia, or with damping. */
static double speed(const dt_scale_sums *rails, double force, double T)
{
    return force * T / (rails->inertia + rails->damping * T);
}

double dt_scale_travel(const dt_scale_sums *rails, double duration)
{
    const double springs = rails->stiffness > 0 ? own_time(rails) : INFINITY;
    const dt_scale_sums sum = look_ahead(rails, springs);
    const double F = sum.drive + sum.friction, D = sum.inertia, k = sum.stiffness;
    const double most = (sqrt(sum.motion / D) + speed(rails, F + sum.later, duration)) * duration;
    if (k > 0) {
        return fmin(fmax(fmax(F / k, sqrt(sum.stretch / D)), sum.rate / k * springs), most);
    }
    return F > 0 ? fmin(sum.motion / F, most) : 0;
}

/* A time in which rails go as far as counts. Where nothing but damping ends that, it is some of the times in which they settle to a speed. */
static double going(const dt_scale_sums *rails, double duration)
{
    static const double least = 1e-3; /* what settles at once goes on for the whole run */
    const double T = part * duration, c = rails->damping;
    if (rails->rate > 0) {
        return fmin(T, turn(rails));
    }
    return c > 0 ? fmin(T, fmax(many * rails->inertia / c, least * T)) : T;
}

double dt_scale_travel_within(const dt_scale_sums *rails, double v, double duration)
{
    const dt_scale_sums sum = look_ahead(rails, INFINITY);
    const double T = going(&sum, duration), F = sum.drive + sum.friction;
    if (F > 0) {
        return fmin(speed(&sum, F, T), v) * T;
    }
    if (sum.motion > 0) {
        return sqrt(sum.motion / sum.inertia) * T;
    }
    if (sum.rate > 0) {
        return fmin(speed(&sum, sum.rate * T, T), v) * T;
    }
    return isfinite(v) ? v * T : sqrt(sum.place / sum.inertia);
}

/* ---- time ---- */

/* s; INFINITY where nothing tells. */
static double free_time(const dt_scale_sums *all)
{
    const dt_scale_sums sum = look_ahead(all, own_time(all));
    double energy = sum.drive + sum.motion;
    if (many * energy < sum.friction) {
        energy = sum.friction;
    }
    if (many * energy < sum.stiffness) {
        energy = sum.stiffness;
    }
    if (energy > 0) {
        return fmax(sqrt(sum.inertia / energy), sum.damping / energy);
    }
    return INFINITY;
}

double dt_scale_time(const dt_scale_sums *all, double duration)
{
    const double longest = part * duration, free = free_time(all);
    if (isfinite(free)) {
        return fmin(free, fmax(longest, part * free));
    }
    return all->rate > 0
               ? fmin(fmax(cbrt(all->inertia / all->rate), sqrt(all->damping / all->rate)), longest)
               : longest;
}
