#include "integrator/impact_ties.h"

#include "dynamics/closure.h"
#include "integrator/core.h"
#include "integrator/impact_flights.h"
#include "stiction/friction_box.h"

#include <math.h>

/*
 * What rounding makes of a velocity, of the largest one that the energy allows it, sqrt(2 T) times the root of its mobility: so much it may be of
 * each of those it is summed from, and dependent velocities follow from others by a pivot. Where that is so small that nothing is known half the
 * digits are taken for known.
 */
static double nothing(const dt_simulation *sim)
{
    const double pivot = sim->system.closure->pivot;
    const double sums = DT_TOLERATED_NOISES * dt_force_rounding(sim->system.tree);
    return fmin(pivot > 0 ? sums / pivot : sums, sqrt(DBL_EPSILON));
}

/*
 * An impulse on the slack of a coupling is one on all that it couples, e = sum c q: by itself what has no inertia would go off at a speed in which
 * that of the others drowns.
 */
static void push_coupled(dt_simulation *sim, int k)
{
    const dt_transmission *of =
        &sim->mechanism->transmissions[sim->mechanism->stictions[k].stops->transmission];
    for (int n = 0; n < of->count; n++) {
        if (of->joint[n] != of->slack) {
            const int j = sim->system.tree->nodes[of->joint[n]].v;
            sim->impact.r_v[j] += of->factor[n] * sim->impact.stop[k];
        }
    }
}

/* The response to a unit impulse of stop k into d_v and d_f, whose factors are there. */
static void respond(dt_simulation *sim, int k)
{
    dt_impact *i = &sim->impact;
    memset(i->r_v, 0, (size_t)sim->nv * sizeof *i->r_v);
    memset(i->r_f, 0, (size_t)sim->ns * sizeof *i->r_f);
    memset(i->r_m, 0, (size_t)dt_tie_rows(sim->mechanism) * sizeof *i->r_m);
    const bool is_slack = sim->mechanism->stictions[k].stops->transmission >= 0;
    if (is_slack) {
        push_coupled(sim, k);
    } else {
        i->r_f[k] = i->stop[k]; /* residuals are what is to vanish */
    }
    const dt_unknowns r = {.v = i->r_v, .f = i->r_f, .m = i->r_m},
                      d = {.v = i->d_v, .f = i->d_f, .m = i->d_m};
    dt_newton_impulse_solve(sim->newton, &sim->system, &i->work, &r, &d);
    if (is_slack) {
        i->d_f[k] = -i->stop[k];
    }
}

/* Factors with the joints of the set locked. */
static bool factor(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        dt_set_mode(s, k, sim->impact.active[k] ? DETENT_LOCKED : DETENT_WAIT, 0);
    }
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_system_set_acceleration(s, s->a, s->f);
    dt_closure_refresh(s);
    s->impulsive = true;
    const detent_status status = dt_newton_factor(sim->newton, s, DT_NEWTON_ACCELERATION, 0, NULL);
    s->impulsive = false;
    return status == DETENT_OK;
}

/*
 * What rounding makes of the mobility of a joint that prescribed motions hold: it is a square, J M^-1 J', of what makes nothing of velocities, and
 * compares with the velocity that a nominal force makes in the nominal time.
 */
static double no_mobility(const dt_simulation *sim, int k)
{
    const int node = sim->mechanism->stictions[k].primitive;
    const double of_velocities = nothing(sim);
    return of_velocities * of_velocities * dt_scale_velocity(&sim->scale, sim->mechanism, node) /
           (sim->scale.force[sim->system.tree->nodes[node].v] * sim->scale.time);
}

/* How fast a unit impulse makes each stop that takes part, nothing else being closed but whom friction keeps at rest. */
static bool find_mobilities(dt_simulation *sim)
{
    dt_impact *i = &sim->impact;
    memcpy(i->active, i->kept, (size_t)sim->ns * sizeof *i->active);
    if (!factor(sim)) {
        return false;
    }
    for (int k = 0; k < sim->ns; k++) {
        if (i->stop[k] != 0) {
            respond(sim, k);
            const double mobility = dt_impact_away(sim, i->d_v, k, i->stop[k]);
            i->mobility[k] = mobility > no_mobility(sim, k) ? mobility : 0;
        }
    }
    return true;
}

/* By how much stop k is wrong so far: a velocity that it misses, of those that rest of either sign. */
static double missing(const dt_simulation *sim, int k)
{
    const dt_impact *i = &sim->impact;
    const double before = dt_impact_away(sim, i->before.v, k, i->stop[k]),
                 after = before + dt_impact_away(sim, i->sum_v, k, i->stop[k]);
    return -(after + i->e[k] * before);
}

/* The next one to be brought in, those that rest first; -1: none is wrong. */
static int find_next(const dt_simulation *sim)
{
    const dt_impact *i = &sim->impact;
    double most = 0;
    int who = -1;
    for (int k = 0; k < sim->ns; k++) {
        if (i->stop[k] == 0 || i->active[k] || i->held[k] || i->mobility[k] == 0) {
            continue;
        }
        const double off = missing(sim, k) / sqrt(i->mobility[k]);
        if (i->rests[k]) {
            return k;
        }
        if (off > fmax(most, nothing(sim) * i->speed)) {
            most = off;
            who = k;
        }
    }
    return who;
}

/* How far the impulse of stop k can grow until one of the set gets to zero, and which; infinite where none does. */
static double shortest(const dt_simulation *sim, double sign, int *who)
{
    const dt_impact *i = &sim->impact;
    double t = INFINITY;
    *who = -1;
    for (int k = 0; k < sim->ns; k++) {
        const double falls = sign * i->stop[k] * i->d_f[k]; /* impulses push away from the stop */
        if (i->active[k] && !i->rests[k] && falls > 0) {
            const double to = fmax(0, -i->stop[k] * i->sum_f[k]) / falls;
            if (to < t) {
                t = to;
                *who = k;
            }
        }
    }
    return t;
}

static void add(dt_simulation *sim, double t)
{
    dt_impact *i = &sim->impact;
    for (int j = 0; j < sim->nv; j++) {
        i->sum_v[j] += t * i->d_v[j];
    }
    for (int k = 0; k < sim->ns; k++) {
        i->sum_f[k] += t * i->d_f[k];
    }
}

/*
 * How fast stop k may be, by energy, through all that its velocity follows from, after respond(): where the set S holds it, v_k = -sum of r_j v_j
 * (Maxwell and Betti), so rounding of any v_j is in it r_j times; and z_k is the mobility of k less as many terms.
 */
static double reach(const dt_simulation *sim, int k)
{
    const dt_impact *i = &sim->impact;
    double sum = sqrt(i->mobility[k]);
    for (int j = 0; j < sim->ns; j++) {
        sum += i->active[j] ? fabs(i->d_f[j]) * sqrt(i->mobility[j]) : 0;
    }
    return sum;
}

/*
 * Stop k becomes one of the set, others may leave it; false where `left` steps are not enough, or there is none. Where the set holds it, and it
 * is wrong by rounding alone, it stays outside as long as nobody leaves.
 */
static bool bring_in(dt_simulation *sim, int k, int *left)
{
    dt_impact *i = &sim->impact;
    while ((*left)-- > 0 && factor(sim)) {
        respond(sim, k);
        const double off = missing(sim, k), sign = off < 0 ? -1 : 1,
                     z = dt_impact_away(sim, i->d_v, k, i->stop[k]);
        int who;
        const double unknown = nothing(sim) * reach(sim, k),
                     whole = z > unknown * sqrt(i->mobility[k]) ? fabs(off) / z : INFINITY,
                     part = shortest(sim, sign, &who);
        if (isinf(whole) && (i->rests[k] || off <= unknown * i->speed)) {
            i->held[k] = true;
            return true;
        }
        if (isinf(whole) && isinf(part)) {
            return false;
        }
        add(sim, sign * fmin(whole, part));
        if (whole <= part) {
            i->active[k] = true;
            return true;
        }
        i->active[who] = false;
        i->sum_f[who] = 0;
        memset(i->held, 0, (size_t)sim->ns * sizeof *i->held);
    }
    return false;
}

bool dt_impact_choose(dt_simulation *sim)
{
    dt_impact *i = &sim->impact;
    const dt_system *s = &sim->system;
    int left = 50 + 10 * sim->ns;
    i->speed = sqrt(2 * dt_motion_kinetic_energy(s->tree, s->motion, s->v));
    memset(i->sum_v, 0, (size_t)sim->nv * sizeof *i->sum_v);
    memset(i->sum_f, 0, (size_t)sim->ns * sizeof *i->sum_f);
    memset(i->held, 0, (size_t)sim->ns * sizeof *i->held);
    bool found = find_mobilities(sim);
    for (int k = 0; found && (k = find_next(sim)) >= 0;) {
        found = bring_in(sim, k, &left);
    }
    return found;
}

void dt_impact_round_off(dt_simulation *sim)
{
    dt_impact *i = &sim->impact;
    for (int k = 0; k < sim->ns; k++) {
        const int j = sim->system.tree->nodes[sim->mechanism->stictions[k].primitive].v;
        if (i->stop[k] != 0 &&
            fabs(i->before.v[j] + i->d_v[j]) <= nothing(sim) * i->speed * sqrt(i->mobility[k])) {
            i->d_v[j] = -i->before.v[j];
        }
    }
}
