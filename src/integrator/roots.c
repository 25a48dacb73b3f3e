/*
 * Root functions, two a stiction joint and two a switch of a law; a root fires when it falls
 * through zero. Welded joints have one together, the least of theirs: which of them has reached its
 * limit is asked only when it fires.
 *
 *   locked         FSr - Ftest + o              Ftest - FSf + o
 *   wait(s)        s v + e                      vth - |v|
 *   unlocked(s)    s v, or s v - vth (band)     1 (parked)
 *   switch         as program.h says
 *
 * The least of welded joints is relative to the widths of their boxes: forces and torques do not compare.
 *
 * o is a hair beyond the limit, above the noise of the force: a joint exactly at its limit starts
 * with a positive root. e is a hair below zero: a joint released at rest is not stopped by its own
 * start.
 *
 * At the end of a step the friction is the one that Newton found. Inside a step, while IDA closes in
 * on a root, it is solved anew from the interpolated q and v, and as accurate as the states.
 */
#include "integrator/roots.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/graze.h"
#include "integrator/instants.h"
#include "integrator/residual.h"
#include "integrator/sliding.h"
#include "integrator/weights.h"
#include "integrator/welded_roots.h"

#include <float.h>
#include <math.h>

/*
 * The hair of a limit: of the width of the box; four times the noise of the force (force_size.h), within
 * which a joint is held beyond its limit; and what is nothing beside the nominal force, for forces may be
 * zero at first.
 */
static const double hair_of_width = 1e-12, held_noises = 4, nothing = 1e-15;

static bool reads_something(const dt_law *law)
{
    return law->program && !law->program->is_constant;
}

bool dt_roots_has(const dt_law *law)
{
    bool any = false;
    for (int j = 0; j < law->program->switch_count && !any; j++) {
        any = !dt_instants_is_known(law, j);
    }
    return any;
}

static bool laws_vary(const dt_system *s)
{
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count && !any; k++) {
        any = s->stiction_law[k].test.program != NULL;
    }
    for (int l = 0; l < s->law_count && !any; l++) {
        any = dt_law_is_limit(s->law[l]) || dt_roots_has(s->law[l]);
    }
    return any;
}

size_t dt_roots_most(const dt_simulation *sim)
{
    return (size_t)(sim->roots.count + 1);
}

bool dt_roots_create(dt_arena *arena, dt_simulation *sim)
{
    dt_root_table *r = &sim->roots;
    r->count = r->own = r->watched = 2 * sim->ns + 2 * sim->system.branch_count;
    r->laws_vary = laws_vary(&sim->system);
    r->fired = dt_arena_alloc(arena, (size_t)r->count, sizeof *r->fired);
    const int switches = 2 * sim->system.branch_count;
    r->place = dt_arena_alloc(arena, (size_t)switches, sizeof *r->place);
    r->widening = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *r->widening);
    r->noise = dt_arena_alloc(arena, (size_t)sim->ns, sizeof *r->noise);
    if (!r->fired || !r->place || !r->widening || !r->noise) {
        return false;
    }
    for (int k = 0; k < switches; k++) {
        r->place[k] = 2 * sim->ns + k;
    }
    return true;
}

int dt_roots_place_of(const dt_simulation *sim, int root)
{
    const int stictions = sim->core->mechanism->stiction_count;
    return root < 2 * stictions ? 2 * dt_whole_stiction(sim, root / 2) + root % 2
                                : sim->roots.place[root - 2 * stictions];
}

double dt_roots_hair(const dt_simulation *sim, int k, const double limits[2])
{
    return hair_of_width * (limits[1] - limits[0]) + sim->roots.noise[k];
}

double dt_roots_no_force(const dt_simulation *sim, int k)
{
    const int node = sim->mechanism->stictions[k].primitive;
    return nothing * sim->scale.force[sim->system.tree->nodes[node].v];
}

/** The noise of the forces of all joints that are at rest, as they are now. */
static void measure_noise(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    double *noise = dt_root_values(sim); /* nobody else works now */
    dt_newton_noises(sim->core_newton, s, noise);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int whole = dt_whole_stiction(sim, k);
        sim->roots.noise[whole] = fmax(dt_roots_no_force(sim, whole), held_noises * noise[k]);
    }
}

void dt_roots_welded_noise(dt_simulation *sim, int k)
{
    const double size = dt_welding_friction_size(sim->welding, k);
    sim->roots.noise[k] =
        fmax(dt_roots_no_force(sim, k), held_noises * dt_force_rounding(sim->system.tree) * size);
}

int dt_roots_place(const dt_simulation *sim, const dt_law *law)
{
    return 2 * sim->ns + 2 * law->branch;
}

/** Roots of the core, and where they are in `fired`. */
static void place_roots(dt_simulation *sim)
{
    dt_root_table *r = &sim->roots;
    const dt_system *core = sim->core;
    const int stictions = 2 * core->mechanism->stiction_count;
    int own = stictions;
    for (int l = 0; l < core->law_count; l++) {
        const dt_law *law = core->law[l];
        const int first = dt_roots_place(sim, law);
        for (int j = 0; j < 2 * law->program->switch_count; j++) {
            r->place[own++ - stictions] = first + j;
        }
    }
    r->own = own;
    r->watched = own + 1;
}

double dt_roots_widening(double g, double hair)
{
    return g < hair ? hair - 2 * fmin(g, 0) : 0;
}

/**
 * Locked joints start inside their limits, also those that are held by the rounding of their force
 * beyond: a root that starts below zero would never fire.
 */
static void widen_limits(dt_simulation *sim)
{
    dt_system *s = sim->core;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        double g[2], limits[2];
        if (s->mode[k] != DETENT_LOCKED) {
            continue;
        }
        dt_roots_of_locked(sim, s, k, g);
        dt_system_limits(s, k, limits);
        const double hair = dt_roots_hair(sim, dt_whole_stiction(sim, k), limits);
        for (int which = 0; which < 2; which++) {
            sim->roots.widening[dt_whole_stiction(sim, k)][which] =
                dt_roots_widening(g[which], hair);
        }
    }
}

void dt_roots_begin(dt_simulation *sim)
{
    for (int k = 0; k < sim->ns; k++) {
        sim->roots.noise[k] = dt_roots_no_force(sim, k);
    }
}

void dt_roots_restart(dt_simulation *sim)
{
    measure_noise(sim);
    if (sim->welding) {
        place_roots(sim);
        dt_welded_restart(sim);
    }
    widen_limits(sim);
}

/** The root of a welded joint, in `fired`, that is nearest to zero. */
static int nearest_welded(dt_simulation *sim)
{
    const dt_welded_roots *r = &sim->welded;
    double least = INFINITY;
    int nearest = -1;
    for (int j = 0; j < r->near_count; j++) {
        for (int which = 0; which < 2; which++) {
            const int k = r->near[j];
            const double g =
                dt_welded_root(sim, k, which, r->friction[k]) / dt_welded_width(sim, k);
            if (g < least) {
                least = g;
                nearest = 2 * k + which;
            }
        }
    }
    return nearest;
}

/**
 * Fires it. Where none is near, for the forces that the root was found with are others than those here
 * by more than their noise, it is the nearest of all.
 */
static bool fire_welded(dt_simulation *sim)
{
    int nearest = nearest_welded(sim);
    if (nearest < 0) {
        dt_welded_look(sim, INFINITY);
        nearest = nearest_welded(sim);
    }
    if (nearest >= 0) {
        sim->roots.fired[nearest] = -1;
    }
    return nearest >= 0;
}

bool dt_roots_fired(dt_simulation *sim)
{
    dt_root_table *r = &sim->roots;
    const int *fired = dt_watched_fired(sim);
    for (int k = 0; k < r->own; k++) {
        r->fired[dt_roots_place_of(sim, k)] = fired[k];
    }
    return !(sim->welding && fired[r->own]) || fire_welded(sim);
}

void dt_roots_of_locked(dt_simulation *sim, dt_system *s, int k, double g[2])
{
    double limits[2], test = dt_system_test(s, k);
    dt_system_limits(s, k, limits);
    const double hair = dt_roots_hair(sim, s == sim->core ? dt_whole_stiction(sim, k) : k, limits);
    g[0] = limits[1] - test + hair;
    g[1] = test - limits[0] + hair;
}

static void moving_roots(const dt_simulation *sim, int k, double v, double *g)
{
    const dt_system *s = sim->core;
    const dt_stiction *stiction = &s->mechanism->stictions[k];
    const double sv = s->direction[k] * v, vth = dt_threshold(sim, dt_whole_stiction(sim, k));
    if (s->mode[k] == DETENT_WAIT) {
        const int node = dt_whole_node(sim, stiction->primitive);
        g[0] = sv + 10 * dt_velocity_hair(sim, node);
        g[1] = vth - fabs(v);
    } else {
        g[0] = stiction->locking == DETENT_LOCKING_BAND ? sv - vth * (1 - 1e-9) : sv;
        g[1] = 1;
    }
}

/**
 * Brings the system to the readings of (t, y, yp): as Newton left them at the end of a step, or solved
 * anew inside; always solved where the stepper does not carry friction.
 */
static int take_readings(dt_simulation *sim, double t, const double *y, const double *yp,
                         bool inside)
{
    dt_system *s = sim->core;
    const bool welded = sim->welding && sim->welding->joint_count > 0;
    if (dt_carries_friction(sim) && !inside && !sim->roots.laws_vary && !welded) {
        memcpy(s->f, dt_f_of(sim, y), (size_t)s->mechanism->stiction_count * sizeof *s->f);
        return 0;
    }
    if (!dt_carries_friction(sim) || (welded && !inside)) {
        dt_system_set_state(s, t, dt_q_of(sim, y), dt_v_of(sim, y));
        /* friction may have several solutions: that of the step is meant */
        memcpy(s->a, dt_v_of(sim, yp), (size_t)s->tree->nv * sizeof *s->a);
        return dt_forward_dynamics(sim->core_newton, s, &sim->step.trial) == DETENT_OK ? 0 : -1;
    }
    dt_system_set_state(s, t, dt_q_of(sim, y), dt_v_of(sim, y));
    dt_system_set_acceleration(s, dt_v_of(sim, yp), dt_f_of(sim, y));
    if (!inside) {
        return 0;
    }
    return dt_solve_accelerations(sim->core_newton, s, NULL, &sim->step.trial) == DETENT_OK ? 0
                                                                                            : -1;
}

/** Brings the readings to the end of a step where take_readings() has left them aside. */
static void complete_readings(dt_simulation *sim, double t, const double *y, const double *yp)
{
    if (dt_carries_friction(sim)) {
        dt_system_set_state(sim->core, t, dt_q_of(sim, y), dt_v_of(sim, y));
        dt_system_set_acceleration(sim->core, dt_v_of(sim, yp), dt_f_of(sim, y));
        dt_system_forces(sim->core);
    }
}

/**
 * Kinetic friction that has turned negative, beyond the rounding of the joint's forces, and drives
 * its joint is no friction.
 */
static void note_bad_friction(dt_simulation *sim, double t, const double *y, const double *yp)
{
    dt_system *s = sim->core;
    bool complete = false;
    sim->bad.friction = -1;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (s->mode[k] == DETENT_LOCKED || !reads_something(&s->stiction_law[k].kinetic) ||
            s->direction[k] * s->f[k] < 0) {
            continue;
        }
        if (!complete) {
            complete_readings(sim, t, y, yp);
            complete = true;
        }
        const double noise =
            dt_newton_noise(sim->core_newton, s, s->mechanism->stictions[k].primitive);
        if (dt_system_kinetic(s, k, s->direction[k]) < -noise) {
            sim->bad.friction = dt_whole_stiction(sim, k);
        }
    }
}

/** The root of the welded joints. False where a force is not finite. */
static bool welded_root(dt_simulation *sim, double *g)
{
    return dt_welded_evaluate(sim, g);
}

/** More than nothing, and so that its product with another root does not vanish, from which IDA tells signs. */
static const double hardly_anything = 0x1p-500;

/**
 * A switch that stands at its border is a hair inside, but at the very start, where graze.c looks
 * after it. The integrator would leave alone a root that is zero at the start until it has moved:
 * by number, also when after a restart that number is another root's. It looks at the sign of the
 * product of two values, which must not underflow.
 */
static void step_off_borders(const dt_simulation *sim, double *g)
{
    const bool at_start = isnan(sim->graze.time[2]);
    for (int k = 2 * sim->core->mechanism->stiction_count; k < sim->roots.own && !at_start; k++) {
        g[k] = g[k] == 0 ? hardly_anything : g[k];
    }
}

void dt_roots_of_law(dt_system *s, const dt_law *law, double *g)
{
    const int switches = law->program->switch_count;
    if (dt_roots_has(law)) {
        dt_law_roots(s, law, g);
    }
    for (int j = 0; j < switches; j++) {
        if (dt_instants_is_known(law, j)) {
            g[2 * j] = g[2 * j + 1] = 1;
        }
    }
}

int dt_roots_evaluate(double t, const double *y, const double *yp, double *g, void *simulation)
{
    dt_simulation *sim = simulation;
    dt_system *s = sim->core;
    const double end = dt_solver_end(sim->solver);
    sim->roots.evaluations++;
    if (take_readings(sim, t, y, yp, t != end) != 0) {
        return -1;
    }
    const bool slides = dt_sliding_now(sim);
    if (slides) {
        dt_sliding_settle(sim, t != end);
    }
    const int stictions = s->mechanism->stiction_count;
    for (int k = 0; k < stictions; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            dt_roots_of_locked(sim, s, k, g + 2 * k);
            g[2 * k] += sim->roots.widening[dt_whole_stiction(sim, k)][0];
            g[2 * k + 1] += sim->roots.widening[dt_whole_stiction(sim, k)][1];
        } else {
            moving_roots(sim, k,
                         dt_v_of(sim, y)[s->tree->nodes[s->mechanism->stictions[k].primitive].v],
                         g + 2 * k);
        }
    }
    double *next = g + 2 * stictions;
    for (int l = 0; l < s->law_count; l++) {
        const int switches = s->law[l]->program->switch_count;
        if (switches == 0) {
            continue;
        }
        dt_roots_of_law(s, s->law[l], next);
        if (slides) {
            dt_sliding_roots(sim, s->law[l], next);
        }
        next += 2 * switches;
    }
    step_off_borders(sim, g);
    for (int k = 0; k < sim->roots.own; k++) {
        if (!isfinite(g[k])) {
            dt_note_bad_law(sim, t);
            return -1;
        }
    }
    if (sim->welding && !welded_root(sim, g + sim->roots.own)) {
        dt_note_bad_law(sim, t);
        return -1;
    }
    if (t == end) {
        note_bad_friction(sim, t, y, yp);
        dt_graze_note(sim, t, g);
    }
    return 0;
}
