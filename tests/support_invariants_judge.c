/*
 * Tolerances. Exact by construction, hence without any: the chain of modes, coordinates, velocities and accelerations of
 * locked joints, the sign of friction against its mode. The others follow from what the numbers are made of:
 *
 *   rounding    of a friction: the sum of the forces that it is the rest of (`load`) times eps, and the instant of an
 *               event, which is known to some hundred eps of the time: many_eps for both together
 *   tolerance   of a velocity: many_tol (rtol max |v| + atol); of an energy: the same relative error of what has been
 *               turned over, and atol times the momenta and forces that it stands beside
 *
 * What is nothing, where there is no atol, follows from the scales of the mechanism: a change of units changes no verdict.
 */
#include "support_invariants_parts.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/** The rounding of a friction that is summed from some dozen terms, articulated inertias included. */
static const double many_eps = 16384 * DBL_EPSILON;
/** A root is found to 100 eps of time and step on either side (IDA), and what is nearer than four times that is one. */
static const double instant_eps = 400 * DBL_EPSILON;
/** Loops are closed to that. */
static const double closing_eps = 100 * DBL_EPSILON;
/** A joint that waits is stopped ten tolerances beyond zero at the latest. */
static const double many_tol = 16;
/** The error of a run is about its tolerance; energies have the errors of two factors, and those of long runs add up. */
static const double many_energies = 100;
/** The roots of locked joints lie half of this beyond their limits (roots.c), of the nominal force. */
static const double hair_of_roots = 2e-15;
/** A stretch between two restarts has an error test of its own: works are tested with ten times 0.003 tolerances. */
static const double energies_of_a_restart = 0.03;
/** Every step may leave a whole tolerance; where hundreds of thousands follow an oscillation, a thousandth adds up. */
static const double energies_of_a_step = 0.002;

/* ---- What is wrong ---- */

bool invariants_breached(invariants *check, invariants_kind kind, const char *format, ...)
{
    if (!check->breach[0]) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(check->breach, sizeof check->breach, format, arguments);
        va_end(arguments);
        check->kind = kind;
    }
    return false;
}

bool invariants_within(invariants *check, invariants_kind kind, double value, double allowed)
{
    const double share = value <= 0 ? 0 : allowed > 0 ? value / allowed : INFINITY;
    check->closest[kind] = fmax(check->closest[kind], share);
    return value <= allowed;
}

/** Steps have a given length: there is no error test, and what is between their ends is a guess. */
static bool is_fixed(const invariants *check)
{
    return check->settings.step > 0;
}

/** The instant of an event, s: its time is not known better. */
static double instant_of(const invariants *check, const invariants_row *row)
{
    return instant_eps * (fabs(row->time) + fabs(check->settings.end - check->settings.start));
}

static const char *name_of(const invariants *check, size_t k)
{
    return check->primitive[k].name;
}

/* The first of `count` numbers that is none; count where all are. */
static size_t first_not_finite(const double *x, size_t count)
{
    size_t k = 0;
    while (k < count && isfinite(x[k])) {
        k++;
    }
    return k;
}

static bool check_finite(invariants *check, const invariants_row *row)
{
    const detent_statistics *s = &row->statistics;
    const double whole[] = {row->time,        s->kinetic_energy, s->potential_energy,
                            s->friction_work, s->damping_work,   s->actuation_work,
                            s->impact_loss};
    const struct {
        const char *what;
        const double *x;
        size_t count;
    } parts[] = {{"energy or work", whole, sizeof whole / sizeof *whole},
                 {"position", row->q, check->info.coordinates},
                 {"velocity", row->v, check->info.freedoms},
                 {"acceleration", row->a, check->info.freedoms},
                 {"force", row->force, check->info.freedoms},
                 {"friction", row->f, check->info.stictions},
                 {"margin", row->margin, check->info.stictions}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        const size_t at = first_not_finite(parts[k].x, parts[k].count);
        if (at < parts[k].count) {
            return invariants_breached(check, INVARIANTS_FINITE, "t = %.17g: %s %zu is not finite",
                                       row->time, parts[k].what, at);
        }
    }
    return true;
}

static bool check_modes(invariants *check, const invariants_row *row, const char *when)
{
    for (size_t k = 0; k < check->info.stictions; k++) {
        if (row->mode[k] != check->mode[k] || row->direction[k] != check->direction[k]) {
            return invariants_breached(
                check, INVARIANTS_CHAIN,
                "t = %.17g, %s: '%s' is in mode %d(%+d), the last change led to %d(%+d)", row->time,
                when, name_of(check, k), row->mode[k], row->direction[k], check->mode[k],
                check->direction[k]);
        }
        if ((row->mode[k] == DETENT_LOCKED) != (row->direction[k] == 0)) {
            return invariants_breached(check, INVARIANTS_CHAIN,
                                       "t = %.17g, %s: '%s' has mode %d(%+d)", row->time, when,
                                       name_of(check, k), row->mode[k], row->direction[k]);
        }
    }
    return true;
}

/**
 * Of a friction. Just before an event only the joint's own forces are read: what the others were a moment ago
 * counts as well.
 */
double invariants_rounding(const invariants *check, const invariants_row *row, size_t k)
{
    double load = fmax(row->load[k], check->lock[k].load);
    for (size_t j = 0;
         j < check->info.stictions && check->settings.linear_solver == DETENT_LINEAR_SOLVER_DENSE;
         j++) {
        load = fmax(load, row->load[j]); /* elimination with pivots mixes all rows */
    }
    return many_eps * load + DBL_MIN; /* what is smaller has no relative rounding */
}

/**
 * How far beyond its limit a locked joint may be: by rounding, and by what its friction changes while an event is closed
 * in on. The rate is that of the margin since the row before; where that is too short ago to tell for good (an event
 * that is followed by another one), for this once.
 */
static double limit_slack(invariants *check, const invariants_row *row, size_t k)
{
    lock *l = &check->lock[k];
    const double instant = instant_of(check, row), since = row->time - l->margin_time;
    /* Of a run of which not every event is seen: that of the last time it held. */
    double rate = l->rate;
    if (l->holds && since > 0) {
        rate = fmax(since > 1000 * instant ? 0 : rate, fabs(row->margin[k] - l->margin) / since);
    }
    if (l->holds && since > 1000 * instant) {
        l->rate = rate;
    }
    l->margin = row->margin[k];
    l->margin_time = row->time;
    return invariants_rounding(check, row, k) + 2 * rate * instant +
           hair_of_roots * check->nominal_force[k];
}

static bool check_locked(invariants *check, const invariants_row *row, size_t k, const char *when)
{
    const detent_primitive_info *p = &check->primitive[k];
    lock *l = &check->lock[k];
    const double q = row->q[p->first_coordinate], v = row->v[p->first_freedom],
                 a = row->a[p->first_freedom], f = row->f[k];
    if (v != 0 || a != 0) {
        return invariants_breached(check, INVARIANTS_LOCKED,
                                   "t = %.17g, %s: locked '%s' has v = %g, a = %g", row->time, when,
                                   p->name, v, a);
    }
    const double allowed = limit_slack(check, row, k);
    if (!l->holds) {
        l->holds = true;
        l->q = q;
        l->fast = 0;
    } else if (memcmp(&q, &l->q, sizeof q) != 0) {
        return invariants_breached(check, INVARIANTS_LOCKED,
                                   "t = %.17g, %s: locked '%s' moved by %g", row->time, when,
                                   p->name, q - l->q);
    }
    if (!l->own_test && !is_fixed(check) &&
        !invariants_within(check, INVARIANTS_LIMITS, -row->margin[k], allowed)) {
        return invariants_breached(
            check, INVARIANTS_LIMITS,
            "t = %.17g, %s: friction %g of locked '%s' is beyond its limit by %g, rounding is %g",
            row->time, when, f, p->name, -row->margin[k], allowed);
    }
    return true;
}

/**
 * `since` the row before it has been as fast as it is slowed down now, whether that was seen or not. Within the instant of
 * an event it may be slowed down beyond zero.
 */
static bool check_moving(invariants *check, const invariants_row *row, size_t k, double since,
                         const char *when)
{
    const detent_primitive_info *p = &check->primitive[k];
    lock *l = &check->lock[k];
    const double v = row->v[p->first_freedom], f = row->f[k];
    l->holds = false;
    l->fast = fmax(l->fast, fmax(fabs(v), fabs(row->a[p->first_freedom]) * since));
    const double noise = invariants_rounding(check, row, k),
                 slow = many_tol * (check->settings.rtol * l->fast +
                                    check->measure[p->first_freedom].nothing) +
                        fabs(row->a[p->first_freedom]) * instant_of(check, row);
    if (!invariants_within(check, INVARIANTS_POWER, f * row->direction[k], noise)) {
        return invariants_breached(
            check, INVARIANTS_POWER,
            "t = %.17g, %s: friction %g of '%s' acts in the direction of its mode, %+d", row->time,
            when, f, p->name, row->direction[k]);
    }
    if (!is_fixed(check) &&
        !invariants_within(check, INVARIANTS_POWER, f * v, noise * fabs(v) + fabs(f) * slow)) {
        return invariants_breached(
            check, INVARIANTS_POWER,
            "t = %.17g, %s: friction %g drives '%s', which moves at %g; mode %d(%+d)", row->time,
            when, f, p->name, v, row->mode[k], row->direction[k]);
    }
    return true;
}

static void note_accelerations(invariants *check, const invariants_row *row, bool another_instant)
{
    for (size_t j = 0; j < check->info.freedoms; j++) {
        measure *m = &check->measure[j];
        m->came = another_instant ? m->comes : m->came;
        m->comes = fmax(another_instant ? 0 : m->comes, fabs(row->a[j]));
    }
}

bool invariants_judge_row(invariants *check, const invariants_row *row, const char *when)
{
    if (!(row->time >= check->time)) {
        return invariants_breached(check, INVARIANTS_TIME, "%s: time %.17g comes after %.17g", when,
                                   row->time, check->time);
    }
    const double since = row->time - check->time;
    check->time = row->time;
    note_accelerations(check, row, since > 0);
    bool well = check_finite(check, row) && check_modes(check, row, when);
    for (size_t k = 0; k < check->info.stictions && well; k++) {
        well = row->mode[k] == DETENT_LOCKED ? check_locked(check, row, k, when)
                                             : check_moving(check, row, k, since, when);
        check->lock[k].load = row->load[k];
    }
    return well && invariants_judge_places(check, row, when);
}

/* ---- Balances ---- */

/** The error of an energy for that of the places and velocities that it is of, where these are nothing, J. */
static double energy_of_nothing(const invariants *check, const invariants_row *row)
{
    double slack = check->no_energy;
    for (size_t j = 0; j < check->info.freedoms; j++) {
        const measure *m = &check->measure[j];
        /* |p_j|^2 <= 2 T M_jj: Cauchy and Schwarz in the metric of the mass matrix */
        const double momentum = sqrt(2 * fabs(row->statistics.kinetic_energy) * m->inertia);
        slack += fabs(row->force[j]) * m->no_place + momentum * m->nothing;
    }
    for (size_t k = 0; k < check->info.stictions; k++) {
        slack += fabs(row->f[k]) * check->measure[check->primitive[k].first_freedom].no_place;
    }
    return slack;
}

static bool check_work(invariants *check, const invariants_row *row)
{
    const detent_statistics *s = &row->statistics;
    const double work = s->friction_work;
    const double allowed =
        many_tol *
        (check->settings.rtol * (fabs(work) + fabs(s->initial_energy)) + check->no_energy);
    if (!check->drives &&
        !invariants_within(check, INVARIANTS_WORK, work - check->least_work, allowed)) {
        return invariants_breached(
            check, INVARIANTS_WORK,
            "t = %.17g: the work of friction has grown from %.9g to %.9g J, allowed: %g", row->time,
            check->least_work, work, allowed);
    }
    check->least_work = fmin(check->least_work, work);
    return true;
}

static bool check_energy(invariants *check, const invariants_row *row)
{
    const detent_statistics *s = &row->statistics;
    const double gap = s->kinetic_energy + s->potential_energy - s->initial_energy -
                       s->friction_work - s->damping_work - s->actuation_work + s->impact_loss;
    const double parts[] = {s->kinetic_energy, s->potential_energy, s->initial_energy,
                            s->friction_work,  s->damping_work,     s->actuation_work,
                            s->impact_loss};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        check->turned_over = fmax(check->turned_over, fabs(parts[k]));
    }
    check->slack = fmax(check->slack, energy_of_nothing(check, row));
    const double allowed = (many_energies + energies_of_a_restart * (double)s->restarts +
                            energies_of_a_step * (double)s->steps) *
                           (check->settings.rtol * check->turned_over + check->slack);
    return invariants_within(check, INVARIANTS_ENERGY, fabs(gap), allowed) ||
           invariants_breached(check, INVARIANTS_ENERGY,
                               "t = %.17g: %g J of %g J are not accounted for, allowed: %g",
                               row->time, gap, check->turned_over, allowed);
}

bool invariants_judge_balances(invariants *check, const invariants_row *row)
{
    return is_fixed(check) || (check_work(check, row) && check_energy(check, row));
}

/* ---- Events ---- */

/** The largest velocity in nominal ones: those of rails and hinges do not compare. */
static double fastest_of(const invariants *check, const invariants_row *row)
{
    double fastest = 0;
    for (size_t j = 0; j < check->info.freedoms; j++) {
        fastest = fmax(fastest, fabs(row->v[j]) / check->measure[j].velocity);
    }
    return fastest;
}

/** The same of angles and ways in nominal ones, 1/s. */
static double quickest_of(const invariants *check, const invariants_row *row)
{
    double quickest = 0;
    for (size_t j = 0; j < check->info.freedoms; j++) {
        quickest = fmax(quickest, fabs(row->v[j]) / check->measure[j].position);
    }
    return quickest;
}

/**
 * By how much a velocity may be off at the end of a step of time stepping in which its joint turns round, and is told of as at rest just before: by what accelerations
 * make of it since the step began, and, in a loop, by what its ratio to the others has changed by, which is all there is beside a dead centre: the slide of a crank has
 * r w^2 (1 + r/l) there, with a rod l that is no shorter than the crank r no more than twice r w^2.
 */
static double late_by(const invariants *check, const invariants_row *before,
                      const invariants_row *after, size_t j)
{
    const measure *m = &check->measure[j];
    const bool turns = before->v[j] == 0 && after->v[j] != 0 && check->info.loops > 0;
    const double ratio =
        turns ? 2 * quickest_of(check, after) * fastest_of(check, after) * m->velocity : 0;
    return check->settings.integrator == DETENT_INTEGRATOR_FIXED
               ? check->settings.step * (fmax(m->came, m->comes) + ratio)
               : 0;
}

/** Whether the event is an impact, which puts joints exactly where their stops are, and throws others off. */
static bool comes_to_stop(const invariants *check, const invariants_row *after)
{
    return after->statistics.impacts != check->impacts;
}

/**
 * Velocities do not jump, but for what locking takes away: the trace of a root's tolerance, or in a band all that it
 * holds, by an impulse on everybody. Such an impulse shows as kinetic energy that is lost.
 */
static bool check_jump(invariants *check, const invariants_row *before, const invariants_row *after)
{
    const double lost = after->statistics.impact_loss;
    const bool impulse = lost != check->lost || comes_to_stop(check, after);
    check->lost = lost;
    const double fastest = fastest_of(check, before);
    double hardest = 0;
    for (size_t j = 0; j < check->info.freedoms; j++) {
        hardest = fmax(hardest, fabs(before->a[j]) / check->measure[j].velocity);
    }
    const double instant = instant_of(check, before);
    for (size_t j = 0; j < check->info.freedoms && !impulse; j++) {
        const measure *m = &check->measure[j];
        const double jump = fabs(after->v[j] - before->v[j]);
        const double allowed =
            many_tol * (check->settings.rtol * fastest * m->velocity + m->nothing) +
            instant * hardest * m->velocity + late_by(check, before, after, j);
        if (!invariants_within(check, INVARIANTS_PAIR, jump, allowed)) {
            return invariants_breached(
                check, INVARIANTS_PAIR,
                "t = %.17g: an event changes velocity %zu by %g, allowed: %g", before->time, j,
                jump, allowed);
        }
    }
    return true;
}

/** Whether the joint of a coordinate is locked. */
static bool is_locked(const invariants *check, const invariants_row *row, size_t coordinate)
{
    bool locked = false;
    for (size_t k = 0; k < check->info.stictions; k++) {
        locked = locked || (check->primitive[k].first_coordinate == coordinate &&
                            row->mode[k] == DETENT_LOCKED);
    }
    return locked;
}

static bool releases(const invariants *check, const invariants_row *row,
                     const invariants_row *after)
{
    bool any = false;
    for (size_t k = 0; k < check->info.stictions; k++) {
        any = any || (row->mode[k] == DETENT_LOCKED && after->mode[k] != DETENT_LOCKED);
    }
    return any;
}

/**
 * In a loop what moves may move on within the instant, and be closed anew, to rounding; what a motion moves stays, and others make up
 * for it, as far as the fastest of them goes; where one is put exactly at its stop, others follow by the ratios of the loop, be it by rounding, also one that
 * stands still while they move. What is locked, and is neither released nor sent off, stays where it is, to the last bit; and so does everybody in a tree. Where
 * an event releases something, who is not locked may follow from others from now on: these have it where they close the loop.
 */
static double way_of_an_instant(const invariants *check, const invariants_row *row,
                                const invariants_row *after, size_t k, bool impact)
{
    const size_t j = check->freedom[k];
    const bool freed = releases(check, row, after) && !is_locked(check, after, k),
               moves = row->v[j] != 0 || (check->info.ties > 0 && freed) ||
                       (impact && check->info.ties > 0 &&
                        (after->v[j] != 0 || !is_locked(check, row, k)));
    return (impact || check->info.ties > 0) && moves
               ? instant_of(check, row) * fastest_of(check, row) * check->measure[j].velocity +
                     (impact ? 10 : 1) * closing_eps *
                         (fabs(row->q[k]) + check->measure[j].position)
               : 0;
}

bool invariants_judge_pair(invariants *check, const invariants_row *before,
                           const invariants_row *after)
{
    if (before->time != after->time) {
        return invariants_breached(check, INVARIANTS_TIME,
                                   "rows of one event are of %.17g and %.17g", before->time,
                                   after->time);
    }
    for (size_t k = 0; k < check->info.coordinates; k++) {
        const double step = fabs(after->q[k] - before->q[k]);
        const double allowed =
            check->free_value[k] || invariants_comes_back(check, before, after, k)
                ? many_tol * (check->settings.rtol * fabs(before->q[k]) + check->no_way[k])
                : way_of_an_instant(check, before, after, k, comes_to_stop(check, after)) +
                      invariants_taken_along(check, before, after, k);
        const bool put_back = is_fixed(check) && comes_to_stop(check, after);
        if (!put_back && !invariants_within(check, INVARIANTS_PAIR, step, allowed)) {
            return invariants_breached(check, INVARIANTS_PAIR,
                                       "t = %.17g: an event moves coordinate %zu by %g",
                                       before->time, k, step);
        }
    }
    const bool well =
        invariants_judge_impact(check, before, after) && check_jump(check, before, after);
    check->impacts = after->statistics.impacts;
    return well;
}

bool invariants_judge_change(invariants *check, const detent_mode_change *c, double time)
{
    const size_t k = c->stiction;
    if (k >= check->info.stictions || c->time != time) {
        return invariants_breached(check, INVARIANTS_CHAIN,
                                   "t = %.17g: a change of joint %zu at %.17g", time, k, c->time);
    }
    if ((int)c->from != check->mode[k] || c->from_direction != check->direction[k]) {
        return invariants_breached(
            check, INVARIANTS_CHAIN,
            "t = %.17g: '%s' changes from %d(%+d), the last change led to %d(%+d)", time,
            name_of(check, k), c->from, c->from_direction, check->mode[k], check->direction[k]);
    }
    check->mode[k] = (int)c->to;
    check->direction[k] = c->to_direction;
    check->lock[k].holds = check->lock[k].holds && c->to == DETENT_LOCKED;
    return true;
}
