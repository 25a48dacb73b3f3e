/*
 * Rigid stops. What an impact is known to: velocities follow from its impulses to a thousand roundings, and those of loops from joints that
 * have been put where their stops are.
 */
#include "support_invariants_parts.h"

#include "model/mechanism.h"

#include <float.h>
#include <math.h>

/** Between steps a position is interpolated, as well as its tolerance tells. */
static const double many_tol = 16;
/** Of the kinetic energy: what mass and velocities are summed from, and what loops are closed to. */
static const double many_eps = 16384 * DBL_EPSILON;

static bool judge_place(invariants *check, const invariants_row *row, size_t k,
                        const dt_rigid_stops *stops, const char *when)
{
    const size_t place = check->primitive[k].first_coordinate;
    const double q = row->q[place];
    const size_t freedom = check->primitive[k].first_freedom;
    /* steps of a given length see it up to a step late, and Euler's method has the velocity of the one before */
    const double step = check->settings.step,
                 late = 2 * step * (fabs(row->v[freedom]) + step * fabs(row->a[freedom]));
    const double beyond = fmax(stops->at[0] - q, q - stops->at[1]),
                 allowed =
                     many_tol * (check->settings.rtol * fabs(q) + check->no_way[place]) + late;
    return invariants_within(check, INVARIANTS_STOPS, beyond, allowed) ||
           invariants_breached(check, INVARIANTS_STOPS,
                               "t = %.17g, %s: '%s' is at %.17g, %g beyond its stop", row->time,
                               when, check->primitive[k].name, q, beyond);
}

/** A stop that a joint without friction rests at pushes; it does not pull. */
static bool judge_push(invariants *check, const invariants_row *row, size_t k,
                       const dt_rigid_stops *stops, const char *when)
{
    const double q = row->q[check->primitive[k].first_coordinate], f = row->f[k],
                 noise = invariants_rounding(check, row, k);
    const bool pulls = (q == stops->at[0] && f < 0) || (q == stops->at[1] && f > 0);
    return !stops->bare || !pulls || row->mode[k] != DETENT_LOCKED ||
           invariants_within(check, INVARIANTS_STOPS, fabs(f), noise) ||
           invariants_breached(check, INVARIANTS_STOPS,
                               "t = %.17g, %s: the stop of '%s' at %.17g pulls with %g", row->time,
                               when, check->primitive[k].name, q, f);
}

/** A freewheel lets nobody go back, and pushes that way alone; between steps a velocity is interpolated, as well as its tolerance tells. */
static bool judge_freewheel(invariants *check, const invariants_row *row, size_t k,
                            const dt_rigid_stops *stops, const char *when)
{
    const size_t freedom = check->primitive[k].first_freedom;
    const double step = check->settings.step, late = 2 * step * fabs(row->a[freedom]);
    const double back = -stops->way * row->v[freedom],
                 pulls = row->mode[k] == DETENT_LOCKED ? -stops->way * row->f[k] : 0;
    const measure *m = &check->measure[freedom];
    const bool rubs = check->mechanism->stictions[k].friction->magnitude == NULL ||
                      !check->mechanism->stictions[k].friction->magnitude->is_constant ||
                      check->mechanism->stictions[k].friction->magnitude->constant != 0;
    return (invariants_within(check, INVARIANTS_STOPS, back,
                              many_tol * (check->settings.rtol * m->velocity + m->nothing) +
                                  late) &&
            (rubs || invariants_within(check, INVARIANTS_STOPS, pulls,
                                       invariants_rounding(check, row, k)))) ||
           invariants_breached(check, INVARIANTS_STOPS,
                               "t = %.17g, %s: the freewheel of '%s' goes back with %g, or pulls "
                               "with %g",
                               row->time, when, check->primitive[k].name, back, pulls);
}

static const dt_rigid_stops *stops_of(const invariants *check, size_t k)
{
    return check->mechanism->stictions[k].stops;
}

bool invariants_judge_places(invariants *check, const invariants_row *row, const char *when)
{
    bool well = true;
    for (size_t k = 0; k < check->info.stictions && well; k++) {
        well = !stops_of(check, k) || judge_place(check, row, k, stops_of(check, k), when);
    }
    return well;
}

bool invariants_judge_pushes(invariants *check, const invariants_row *row, const char *when)
{
    bool well = true;
    for (size_t k = 0; k < check->info.stictions && well; k++) {
        const dt_rigid_stops *stops = stops_of(check, k);
        well = !stops || (stops->way != 0 ? judge_freewheel(check, row, k, stops, when)
                                          : judge_push(check, row, k, stops, when));
    }
    return well;
}

bool invariants_comes_back(const invariants *check, const invariants_row *before,
                           const invariants_row *after, size_t coordinate)
{
    bool any = false;
    for (size_t k = 0; k < check->info.stictions && !any; k++) {
        const dt_rigid_stops *stops = stops_of(check, k);
        const double was = before->q[coordinate], is = after->q[coordinate];
        any = stops && check->primitive[k].first_coordinate == coordinate &&
              ((was < stops->at[0] && is == stops->at[0]) ||
               (was > stops->at[1] && is == stops->at[1]));
    }
    return any;
}

double invariants_taken_along(const invariants *check, const invariants_row *before,
                              const invariants_row *after, size_t coordinate)
{
    const double v = before->v[check->freedom[coordinate]];
    double sum = 0;
    for (size_t k = 0; k < check->info.stictions && check->info.ties > 0; k++) {
        const dt_rigid_stops *stops = stops_of(check, k);
        const size_t own = check->primitive[k].first_coordinate;
        const double was = before->q[own], is = after->q[own],
                     fast = before->v[check->primitive[k].first_freedom];
        if (stops && was != is && fast != 0 && (is == stops->at[0] || is == stops->at[1])) {
            sum += 2 * fabs((is - was) * v / fast);
        }
    }
    return sum;
}

/** By what part the kinetic energy may change as joints are put where their stops are, and mass with them. */
static double moved(const invariants *check, const invariants_row *before,
                    const invariants_row *after)
{
    double sum = many_eps;
    for (size_t k = 0; k < check->info.coordinates; k++) {
        sum += 4 * fabs(after->q[k] - before->q[k]) / check->measure[check->freedom[k]].position;
    }
    return sum;
}

/**
 * What joints have of velocity that come to rest at the same event, J: what an instant makes, and where it is no more than a joint that waits
 * may have when it is stopped (support_invariants_judge.c) all of it, be it thrown off then or not. |p_j|^2 <= 2 T M_jj, as of Cauchy and Schwarz in the metric of the mass
 * matrix.
 */
static double stopped(const invariants *check, const invariants_row *before,
                      const invariants_row *after)
{
    const double instant = 400 * DBL_EPSILON * (before->time + check->settings.end);
    double sum = 0;
    for (size_t j = 0; j < check->info.freedoms; j++) {
        const measure *m = &check->measure[j];
        const double v = fabs(before->v[j]),
                     slow = many_tol * (check->settings.rtol * m->velocity + m->nothing);
        sum +=
            sqrt(2 * before->kinetic_energy * m->inertia) *
            (instant * fabs(before->a[j]) + (before->v[j] * after->v[j] <= 0 && v <= slow ? v : 0));
    }
    return sum;
}

bool invariants_judge_impact(invariants *check, const invariants_row *before,
                             const invariants_row *after)
{
    const double grown = after->kinetic_energy - before->kinetic_energy,
                 given = check->lost - after->statistics.impact_loss;
    if (after->statistics.impacts == check->impacts) {
        return true;
    }
    if (!invariants_within(check, INVARIANTS_STOPS, given,
                           many_eps * before->kinetic_energy +
                               4 * DBL_EPSILON * fabs(check->lost))) {
        return invariants_breached(check, INVARIANTS_STOPS,
                                   "t = %.17g: stops give %g J by an impact at %g J", before->time,
                                   given, before->kinetic_energy);
    }
    return check->driven ||
           invariants_within(check, INVARIANTS_STOPS, grown,
                             moved(check, before, after) * before->kinetic_energy +
                                 stopped(check, before, after)) ||
           invariants_breached(check, INVARIANTS_STOPS, "t = %.17g: an impact makes %g J of %g J",
                               before->time, grown, before->kinetic_energy);
}
