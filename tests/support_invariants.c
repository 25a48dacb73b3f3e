/*
 * Tolerances. Exact by construction, hence without any: the chain of modes, coordinates, velocities and accelerations of
 * locked joints, the sign of friction against its mode. The others follow from what the numbers are made of:
 *
 *   rounding    of a friction: the sum of the forces that it is the rest of (`load`) times eps, and the instant of an
 *               event, which is known to some hundred eps of the time: many_eps for both together
 *   tolerance   of a velocity: many_tol (rtol max |v| + atol); of an energy: the same relative error of what has been
 *               turned over, and atol times the momenta and forces that it stands beside
 *
 * No number is compared with one of another unit: each coordinate and velocity has an absolute tolerance of its own, and
 * speeds of different joints are compared in units of their nominal ones.
 */
#include "support_invariants.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The rounding of a friction that is summed from some dozen terms, articulated inertias included. */
static const double many_eps = 16384 * DBL_EPSILON;
/** A root is found to 100 eps of time and step on either side (IDA), and what is nearer than four times that is one. */
static const double instant_eps = 400 * DBL_EPSILON;
/** A joint that waits is stopped ten tolerances beyond zero at the latest. */
static const double many_tol = 16;
/** The error of a run is about its tolerance; energies have the errors of two factors, and those of long runs add up. */
static const double many_energies = 100;
/** The roots of locked joints lie this far beyond their limits (roots.c), of the nominal force. */
static const double hair_of_roots = 2e-13;
/** A stretch between two restarts has an error test of its own: works are tested with ten times 0.003 tolerances. */
static const double energies_of_a_restart = 0.03;
/** Where nobody gives a tolerance, of rtol at the nominal size. */
static const double usual_atol = 1e-2;

typedef struct lock {
    bool holds;  /**< locked, without an event that released it, since `q` was taken */
    double q;    /**< the coordinate ever since */
    double fast; /**< the greatest speed seen */
    double load; /**< the size of forces when they were last known */
    double margin, margin_time, rate; /**< the last margin, and how fast it changed, 1/s */
    bool own_test;
} lock;

struct invariants {
    const detent_mechanism *mechanism;
    detent_mechanism_info info;
    detent_settings settings;
    detent_primitive_info *primitive; /**< of each stiction */
    bool *free_value; /**< coordinates that an event may touch: rotations, prescribed */
    lock *lock;
    double *nominal_force; /**< of each stiction, N or N m */
    bool atol_is_derived;
    double *nothing_q, *nothing_v; /**< the absolute tolerance of each coordinate and velocity */
    double *nominal_v, *inertia;   /**< of each freedom */
    double nothing_energy;         /**< J */
    int *mode, *direction;         /**< after the last event */
    double time;
    double mass;        /**< of all bodies, where it is known */
    double least_work;  /**< of friction */
    double lost;        /**< at impulses of a band, J */
    double turned_over; /**< the greatest of all parts of the energy so far */
    double slack;       /**< atol times the greatest forces and momenta so far, J */
    double closest[INVARIANTS_KINDS];
    invariants_row row[2];
    char breach[640];
    invariants_kind kind;
};

/* ---- Rows ---- */

static bool make_row(const detent_mechanism_info *info, invariants_row *row)
{
    const size_t nq = info->coordinates + 1, nv = info->freedoms + 1, ns = info->stictions + 1;
    row->q = calloc(nq, sizeof *row->q);
    row->v = calloc(nv, sizeof *row->v);
    row->a = calloc(nv, sizeof *row->a);
    row->force = calloc(nv, sizeof *row->force);
    row->f = calloc(ns, sizeof *row->f);
    row->margin = calloc(ns, sizeof *row->margin);
    row->load = calloc(ns, sizeof *row->load);
    row->mode = calloc(ns, sizeof *row->mode);
    row->direction = calloc(ns, sizeof *row->direction);
    return row->q && row->v && row->a && row->force && row->f && row->margin && row->load &&
           row->mode && row->direction;
}

static void drop_row(invariants_row *row)
{
    free(row->q);
    free(row->v);
    free(row->a);
    free(row->force);
    free(row->f);
    free(row->margin);
    free(row->load);
    free(row->mode);
    free(row->direction);
}

static bool look_up_primitives(invariants *check)
{
    const size_t count = check->info.primitives;
    for (size_t i = 0; i < count; i++) {
        detent_primitive_info p;
        if (detent_get_primitive(check->mechanism, i, &p) != DETENT_OK) {
            return false;
        }
        for (size_t k = 0; k < p.coordinates; k++) {
            check->free_value[p.first_coordinate + k] = p.prescribed || p.coordinates > 1;
        }
        if (p.stiction >= 0) {
            check->primitive[p.stiction] = p;
        }
    }
    return true;
}

/** SI numbers of ordinary size. */
static void assume_sizes(invariants *check)
{
    const double atol = check->settings.atol;
    for (size_t k = 0; k < check->info.coordinates; k++) {
        check->nothing_q[k] = atol;
    }
    for (size_t j = 0; j < check->info.freedoms; j++) {
        check->nothing_v[j] = atol;
        check->nominal_v[j] = check->inertia[j] = 1;
    }
    check->nothing_energy = atol;
}

invariants *invariants_create(const detent_mechanism *mechanism, const detent_settings *settings)
{
    invariants *check = calloc(1, sizeof *check);
    if (!check) {
        return NULL;
    }
    check->mechanism = mechanism;
    detent_mechanism_get_info(mechanism, &check->info);
    check->settings = *settings;
    if (!(check->settings.atol > 0)) {
        check->settings.atol = usual_atol * check->settings.rtol;
        check->atol_is_derived = true;
    }
    const size_t ns = check->info.stictions + 1;
    check->primitive = calloc(ns, sizeof *check->primitive);
    check->lock = calloc(ns, sizeof *check->lock);
    check->nominal_force = calloc(ns, sizeof *check->nominal_force);
    check->mode = calloc(ns, sizeof *check->mode);
    check->direction = calloc(ns, sizeof *check->direction);
    check->free_value = calloc(check->info.coordinates + 1, sizeof *check->free_value);
    check->nothing_q = calloc(check->info.coordinates + 1, sizeof *check->nothing_q);
    check->nothing_v = calloc(check->info.freedoms + 1, sizeof *check->nothing_v);
    check->nominal_v = calloc(check->info.freedoms + 1, sizeof *check->nominal_v);
    check->inertia = calloc(check->info.freedoms + 1, sizeof *check->inertia);
    for (size_t k = 0; check->nominal_force && k < ns; k++) {
        check->nominal_force[k] = 1;
    }
    if (!check->primitive || !check->lock || !check->nominal_force || !check->mode ||
        !check->direction || !check->free_value || !check->nothing_q || !check->nothing_v ||
        !check->nominal_v || !check->inertia || !make_row(&check->info, &check->row[0]) ||
        !make_row(&check->info, &check->row[1]) || !look_up_primitives(check)) {
        invariants_destroy(check);
        return NULL;
    }
    assume_sizes(check);
    return check;
}

void invariants_destroy(invariants *check)
{
    if (check) {
        drop_row(&check->row[0]);
        drop_row(&check->row[1]);
        free(check->primitive);
        free(check->lock);
        free(check->nominal_force);
        free(check->mode);
        free(check->direction);
        free(check->free_value);
        free(check->nothing_q);
        free(check->nothing_v);
        free(check->nominal_v);
        free(check->inertia);
        free(check);
    }
}

void invariants_own_test(invariants *check, size_t stiction)
{
    check->lock[stiction].own_test = true;
}

void invariants_mass(invariants *check, double mass)
{
    check->mass = mass;
}

invariants_row *invariants_rows(invariants *check, int which)
{
    return &check->row[which];
}

/* ---- Reading ---- */

/** The greatest distance of two bodies' origins: the arm with which forces make torques. */
static double reach(const invariants *check, detent_simulation *simulation)
{
    double low[3] = {0}, high[3] = {0}, origin[3], rotation[4], square = 0;
    for (size_t b = 0; b < check->info.bodies; b++) {
        if (detent_get_pose(simulation, b, origin, rotation, NULL) != DETENT_OK) {
            return 0;
        }
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], origin[k]);
            high[k] = fmax(high[k], origin[k]);
        }
    }
    for (int k = 0; k < 3; k++) {
        square += (high[k] - low[k]) * (high[k] - low[k]);
    }
    return sqrt(square);
}

/** The sum of all accelerations of joints, as far as they move an end of the mechanism, m/s^2. */
static double accelerations(const invariants *check, const invariants_row *row, double arm)
{
    double sum = 0;
    for (size_t i = 0; i < check->info.primitives; i++) {
        detent_primitive_info p;
        detent_get_primitive(check->mechanism, i, &p);
        for (size_t k = 0; k < p.freedoms; k++) {
            sum += fabs(row->a[p.first_freedom + k]) * (strcmp(p.type, "prismatic") == 0 ? 1 : arm);
        }
    }
    return sum;
}

/** The size of the forces whose sum is the friction of each joint: those of its own, and all that joints transmit. */
static void read_loads(const invariants *check, detent_simulation *simulation, invariants_row *row)
{
    double force = 0, torque = 0, wrench[6];
    for (size_t i = 0; i < check->info.primitives; i++) {
        if (detent_get_reaction(simulation, i, DETENT_REACTION_WORLD, false, wrench, NULL) ==
            DETENT_OK) {
            force = fmax(force, hypot(hypot(wrench[0], wrench[1]), wrench[2]));
            torque = fmax(torque, hypot(hypot(wrench[3], wrench[4]), wrench[5]));
        }
    }
    const double arm = reach(check, simulation);
    force += check->mass * accelerations(check, row, arm);
    torque += force * arm;
    for (size_t k = 0; k < check->info.stictions; k++) {
        const bool turns = strcmp(check->primitive[k].type, "revolute") == 0;
        row->load[k] = fabs(row->force[check->primitive[k].first_freedom]) + fabs(row->f[k]) +
                       (turns ? torque : force);
    }
}

detent_status invariants_read(const invariants *check, detent_simulation *simulation, bool before,
                              invariants_row *row, detent_error *error)
{
    detent_status (*const read)(detent_simulation *, detent_quantity, double *, size_t,
                                detent_error *) = before ? detent_read_before : detent_read;
    const size_t nv = check->info.freedoms, ns = check->info.stictions;
    detent_status status =
        read(simulation, DETENT_POSITIONS, row->q, check->info.coordinates, error);
    status = status ? status : read(simulation, DETENT_VELOCITIES, row->v, nv, error);
    status = status ? status : read(simulation, DETENT_ACCELERATIONS, row->a, nv, error);
    status = status ? status : read(simulation, DETENT_FORCES, row->force, nv, error);
    status = status ? status : read(simulation, DETENT_FRICTIONS, row->f, ns, error);
    status = status ? status : read(simulation, DETENT_MODES, row->load, ns, error);
    for (size_t k = 0; k < ns && status == DETENT_OK; k++) {
        row->mode[k] = (int)row->load[k];
    }
    status = status ? status : read(simulation, DETENT_MARGINS, row->margin, ns, error);
    if (status != DETENT_OK) {
        return status;
    }
    row->time = detent_time(simulation);
    for (size_t k = 0; k < ns; k++) {
        int direction = 0;
        detent_get_mode(simulation, k, &direction);
        row->direction[k] = before ? check->direction[k] : direction;
        row->load[k] = fabs(row->force[check->primitive[k].first_freedom]) + fabs(row->f[k]);
    }
    if (!before) {
        read_loads(check, simulation, row);
        detent_get_statistics(simulation, &row->statistics);
    }
    return DETENT_OK;
}

void invariants_measure(invariants *check, const detent_simulation *simulation)
{
    const double usual = usual_atol * check->settings.rtol;
    for (size_t i = 0; i < check->info.primitives; i++) {
        detent_scale scale;
        detent_primitive_info p;
        if (detent_get_primitive(check->mechanism, i, &p) != DETENT_OK ||
            detent_get_scale(simulation, i, &scale, NULL) != DETENT_OK) {
            continue;
        }
        for (size_t k = p.first_coordinate; k < p.first_coordinate + p.coordinates; k++) {
            check->nothing_q[k] =
                check->atol_is_derived ? usual * scale.position : check->settings.atol;
        }
        for (size_t j = p.first_freedom; j < p.first_freedom + p.freedoms; j++) {
            check->nominal_v[j] = scale.velocity;
            check->inertia[j] = scale.force * scale.time * scale.time / scale.position;
            check->nothing_v[j] =
                check->atol_is_derived ? usual * scale.velocity : check->settings.atol;
        }
        if (p.stiction >= 0) {
            check->nominal_force[p.stiction] = scale.force;
        }
        check->nothing_energy = usual * scale.energy;
    }
}

/* ---- What is wrong ---- */

__attribute__((format(printf, 3, 4))) static bool breach(invariants *check, invariants_kind kind,
                                                         const char *format, ...)
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

/** Whether the value is within what is allowed; remembers how near it came. */
static bool within(invariants *check, invariants_kind kind, double value, double allowed)
{
    const double share = value <= 0 ? 0 : allowed > 0 ? value / allowed : INFINITY;
    check->closest[kind] = fmax(check->closest[kind], share);
    return value <= allowed;
}

static const char *name_of(const invariants *check, size_t k)
{
    return check->primitive[k].name;
}

static bool check_finite(invariants *check, const invariants_row *row)
{
    const detent_statistics *s = &row->statistics;
    double sum = row->time + s->kinetic_energy + s->potential_energy + s->friction_work +
                 s->damping_work + s->actuation_work + s->impact_loss;
    for (size_t k = 0; k < check->info.coordinates; k++) {
        sum += 0 * row->q[k];
    }
    for (size_t k = 0; k < check->info.freedoms; k++) {
        sum += 0 * (row->v[k] + row->a[k] + row->force[k]);
    }
    for (size_t k = 0; k < check->info.stictions; k++) {
        sum += 0 * (row->f[k] + row->margin[k]);
    }
    return isfinite(sum) ||
           breach(check, INVARIANTS_FINITE, "t = %.17g: a number is not finite", row->time);
}

static bool check_modes(invariants *check, const invariants_row *row, const char *when)
{
    for (size_t k = 0; k < check->info.stictions; k++) {
        if (row->mode[k] != check->mode[k] || row->direction[k] != check->direction[k]) {
            return breach(check, INVARIANTS_CHAIN,
                          "t = %.17g, %s: '%s' is in mode %d(%+d), the last change led to %d(%+d)",
                          row->time, when, name_of(check, k), row->mode[k], row->direction[k],
                          check->mode[k], check->direction[k]);
        }
        if ((row->mode[k] == DETENT_LOCKED) != (row->direction[k] == 0)) {
            return breach(check, INVARIANTS_CHAIN, "t = %.17g, %s: '%s' has mode %d(%+d)",
                          row->time, when, name_of(check, k), row->mode[k], row->direction[k]);
        }
    }
    return true;
}

/**
 * Of a friction. Just before an event only the joint's own forces are read: what the others were a moment ago
 * counts as well.
 */
static double rounding(const invariants *check, const invariants_row *row, size_t k)
{
    return many_eps * fmax(row->load[k], check->lock[k].load);
}

/**
 * How far beyond its limit a locked joint may be: by rounding, and by what its friction changes while an event is closed * in on. The rate is that of the margin since the row before; where that is too short ago to tell for good (an event
 * that is followed by another one), for this once.
 */
static double limit_slack(invariants *check, const invariants_row *row, size_t k)
{
    lock *l = &check->lock[k];
    const double span = check->settings.end - check->settings.start;
    const double instant = instant_eps * (fabs(row->time) + fabs(span));
    const double since = row->time - l->margin_time;
    double rate = l->holds ? l->rate : 0;
    if (l->holds && since > 0) {
        rate = fmax(since > 1000 * instant ? 0 : rate, fabs(row->margin[k] - l->margin) / since);
    }
    if (!l->holds || since > 1000 * instant) {
        l->rate = rate;
    }
    l->margin = row->margin[k];
    l->margin_time = row->time;
    return rounding(check, row, k) + 2 * rate * instant + hair_of_roots * check->nominal_force[k];
}

static bool check_locked(invariants *check, const invariants_row *row, size_t k, const char *when)
{
    const detent_primitive_info *p = &check->primitive[k];
    lock *l = &check->lock[k];
    const double q = row->q[p->first_coordinate], v = row->v[p->first_freedom],
                 a = row->a[p->first_freedom], f = row->f[k];
    if (v != 0 || a != 0) {
        return breach(check, INVARIANTS_LOCKED, "t = %.17g, %s: locked '%s' has v = %g, a = %g",
                      row->time, when, p->name, v, a);
    }
    const double allowed = limit_slack(check, row, k);
    if (!l->holds) {
        l->holds = true;
        l->q = q;
        l->fast = 0;
    } else if (memcmp(&q, &l->q, sizeof q) != 0) {
        return breach(check, INVARIANTS_LOCKED, "t = %.17g, %s: locked '%s' moved by %g", row->time,
                      when, p->name, q - l->q);
    }
    if (!l->own_test && !within(check, INVARIANTS_LIMITS, -row->margin[k], allowed)) {
        return breach(
            check, INVARIANTS_LIMITS,
            "t = %.17g, %s: friction %g of locked '%s' is beyond its limit by %g, rounding is %g",
            row->time, when, f, p->name, -row->margin[k], allowed);
    }
    return true;
}

static bool check_moving(invariants *check, const invariants_row *row, size_t k, const char *when)
{
    const detent_primitive_info *p = &check->primitive[k];
    lock *l = &check->lock[k];
    const double v = row->v[p->first_freedom], f = row->f[k];
    l->holds = false;
    l->fast = fmax(l->fast, fabs(v));
    const double noise = rounding(check, row, k),
                 slow = many_tol *
                        (check->settings.rtol * l->fast + check->nothing_v[p->first_freedom]);
    if (!within(check, INVARIANTS_POWER, f * row->direction[k], noise)) {
        return breach(check, INVARIANTS_POWER,
                      "t = %.17g, %s: friction %g of '%s' acts in the direction of its mode, %+d",
                      row->time, when, f, p->name, row->direction[k]);
    }
    if (!within(check, INVARIANTS_POWER, f * v, noise * fabs(v) + fabs(f) * slow)) {
        return breach(check, INVARIANTS_POWER,
                      "t = %.17g, %s: friction %g drives '%s', which moves at %g; mode %d(%+d)",
                      row->time, when, f, p->name, v, row->mode[k], row->direction[k]);
    }
    return true;
}

/* ---- Balances ---- */

static bool check_work(invariants *check, const invariants_row *row)
{
    const detent_statistics *s = &row->statistics;
    const double work = s->friction_work;
    const double allowed =
        many_tol *
        (check->settings.rtol * (fabs(work) + fabs(s->initial_energy)) + check->nothing_energy);
    if (!within(check, INVARIANTS_WORK, work - check->least_work, allowed)) {
        return breach(check, INVARIANTS_WORK,
                      "t = %.17g: the work of friction has grown from %.9g to %.9g J, allowed: %g",
                      row->time, check->least_work, work, allowed);
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
    double slack = check->nothing_energy;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        check->turned_over = fmax(check->turned_over, fabs(parts[k]));
    }
    for (size_t i = 0; i < check->info.primitives; i++) {
        detent_primitive_info p;
        detent_get_primitive(check->mechanism, i, &p);
        for (size_t k = 0; k < p.freedoms; k++) {
            const size_t j = p.first_freedom + k;
            const double friction = p.stiction >= 0 ? fabs(row->f[p.stiction]) : 0,
                         momentum = sqrt(2 * fabs(s->kinetic_energy) * check->inertia[j]);
            slack += (fabs(row->force[j]) + friction) * check->nothing_q[p.first_coordinate] +
                     momentum * check->nothing_v[j];
        }
    }
    check->slack = fmax(check->slack, slack);
    const double allowed = (many_energies + energies_of_a_restart * (double)s->restarts) *
                           (check->settings.rtol * check->turned_over + check->slack);
    return within(check, INVARIANTS_ENERGY, fabs(gap), allowed) ||
           breach(check, INVARIANTS_ENERGY,
                  "t = %.17g: %g J of %g J are not accounted for, allowed: %g", row->time, gap,
                  check->turned_over, allowed);
}

/* ---- Rows in turn ---- */

static bool check_row(invariants *check, const invariants_row *row, const char *when)
{
    if (!(row->time >= check->time)) {
        return breach(check, INVARIANTS_TIME, "%s: time %.17g comes after %.17g", when, row->time,
                      check->time);
    }
    check->time = row->time;
    bool well = check_finite(check, row) && check_modes(check, row, when);
    for (size_t k = 0; k < check->info.stictions && well; k++) {
        well = row->mode[k] == DETENT_LOCKED ? check_locked(check, row, k, when)
                                             : check_moving(check, row, k, when);
        check->lock[k].load = row->load[k];
    }
    return well;
}

bool invariants_start(invariants *check, const invariants_row *row)
{
    const size_t ns = check->info.stictions;
    memcpy(check->mode, row->mode, ns * sizeof *check->mode);
    memcpy(check->direction, row->direction, ns * sizeof *check->direction);
    for (size_t k = 0; k < ns; k++) {
        check->lock[k].holds = false;
        check->lock[k].fast = 0;
    }
    check->time = row->time;
    check->least_work = row->statistics.friction_work;
    check->lost = row->statistics.impact_loss;
    return !check->breach[0] && check_row(check, row, "start");
}

bool invariants_sample(invariants *check, const invariants_row *row)
{
    return !check->breach[0] && check_row(check, row, "between events") && check_work(check, row) &&
           check_energy(check, row);
}

/**
 * Velocities do not jump, but for what locking takes away: the trace of a root's tolerance, or in a band all that it
 * holds, by an impulse on everybody. Such an impulse shows as kinetic energy that is lost.
 */
static bool check_jump(invariants *check, const invariants_row *before, const invariants_row *after)
{
    const double lost = after->statistics.impact_loss;
    const bool impulse = lost != check->lost;
    check->lost = lost;
    double fastest = 0, hardest = 0; /* in nominal speeds */
    for (size_t j = 0; j < check->info.freedoms; j++) {
        hardest = fmax(hardest, fabs(before->a[j]) / check->nominal_v[j]);
        fastest = fmax(fastest, fabs(before->v[j]) / check->nominal_v[j]);
    }
    const double instant =
        instant_eps * (fabs(before->time) + fabs(check->settings.end - check->settings.start));
    for (size_t j = 0; j < check->info.freedoms && !impulse; j++) {
        const double nominal = check->nominal_v[j], jump = fabs(after->v[j] - before->v[j]);
        const double allowed =
            many_tol * (check->settings.rtol * fastest * nominal + check->nothing_v[j]) +
            instant * hardest * nominal;
        if (!within(check, INVARIANTS_PAIR, jump, allowed)) {
            return breach(check, INVARIANTS_PAIR,
                          "t = %.17g: an event changes velocity %zu by %g, allowed: %g",
                          before->time, j, jump, allowed);
        }
    }
    return true;
}

static bool check_pair(invariants *check, const invariants_row *before, const invariants_row *after)
{
    if (before->time != after->time) {
        return breach(check, INVARIANTS_TIME, "rows of one event are of %.17g and %.17g",
                      before->time, after->time);
    }
    for (size_t k = 0; k < check->info.coordinates; k++) {
        const double step = fabs(after->q[k] - before->q[k]);
        const double allowed =
            check->free_value[k]
                ? many_tol * (check->settings.rtol * fabs(before->q[k]) + check->nothing_q[k])
                : 0;
        if (!within(check, INVARIANTS_PAIR, step, allowed)) {
            return breach(check, INVARIANTS_PAIR, "t = %.17g: an event moves coordinate %zu by %g",
                          before->time, k, step);
        }
    }
    return check_jump(check, before, after);
}

static bool take_change(invariants *check, const detent_mode_change *c, double time)
{
    const size_t k = c->stiction;
    if (k >= check->info.stictions || c->time != time) {
        return breach(check, INVARIANTS_CHAIN, "t = %.17g: a change of joint %zu at %.17g", time, k,
                      c->time);
    }
    if ((int)c->from != check->mode[k] || c->from_direction != check->direction[k]) {
        return breach(check, INVARIANTS_CHAIN,
                      "t = %.17g: '%s' changes from %d(%+d), the last change led to %d(%+d)", time,
                      name_of(check, k), c->from, c->from_direction, check->mode[k],
                      check->direction[k]);
    }
    check->mode[k] = (int)c->to;
    check->direction[k] = c->to_direction;
    check->lock[k].holds = check->lock[k].holds && c->to == DETENT_LOCKED;
    return true;
}

bool invariants_event(invariants *check, const invariants_row *before, const invariants_row *after,
                      const detent_mode_change *changes, size_t count)
{
    bool well = !check->breach[0] && check_row(check, before, "just before an event") &&
                check_pair(check, before, after);
    for (size_t c = 0; c < count && well; c++) {
        well = take_change(check, &changes[c], after->time);
    }
    return well && check_row(check, after, "just after an event") && check_work(check, after) &&
           check_energy(check, after);
}

bool invariants_follow(invariants *check, double time, const detent_mode_change *changes,
                       size_t count)
{
    bool well = !check->breach[0];
    for (size_t c = 0; c < count && well; c++) {
        well = take_change(check, &changes[c], time);
    }
    return well;
}

/* ---- Verdict ---- */

const char *invariants_breach(const invariants *check)
{
    return check->breach[0] ? check->breach : NULL;
}

invariants_kind invariants_breach_kind(const invariants *check)
{
    return check->kind;
}

const char *invariants_kind_name(invariants_kind kind)
{
    static const char *const names[INVARIANTS_KINDS] = {
        "time", "finite", "chain", "pair", "locked", "limits", "power", "work", "energy"};
    return names[kind];
}

double invariants_closest(const invariants *check, invariants_kind kind)
{
    return check->closest[kind];
}
