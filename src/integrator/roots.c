/*
 * Root functions, two a stiction joint and two a switch of a law; a root fires when it falls
 * through zero.
 *
 *   locked         FSr - Ftest + o              Ftest - FSf + o
 *   wait(s)        s v + e                      vth - |v|
 *   unlocked(s)    s v, or s v - vth (band)     1 (parked)
 *   switch         as program.h says
 *
 * o is a hair beyond the limit, above the noise of the force: a joint exactly at its limit starts
 * with a positive root. e is a hair
 * below zero: a joint released at rest is not stopped by its own start.
 *
 * At the end of a step the friction is the one that Newton found. Inside a step, while IDA closes
 * in on a root, the friction
 * is solved anew from the interpolated q and v: it is then as accurate as the states.
 */
#include "integrator/core.h"

#include <math.h>

static bool reads_something(const dt_law *law)
{
    return law->program && !law->program->is_constant;
}

static bool laws_vary(const dt_system *s)
{
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const dt_stiction_laws *laws = &s->stiction_law[k];
        if (reads_something(&laws->magnitude) || reads_something(&laws->forward) ||
            reads_something(&laws->reverse) || laws->test.program) {
            return true;
        }
    }
    return s->branch_count > 0;
}

bool dt_roots_create(dt_arena *arena, dt_simulation *sim)
{
    dt_root_table *r = &sim->roots;
    r->stictions = sim->ns;
    r->count = 2 * sim->ns + 2 * sim->system.branch_count;
    r->laws_vary = laws_vary(&sim->system);
    r->fired = dt_arena_alloc(arena, (size_t)r->count, sizeof *r->fired);
    r->direction = dt_arena_alloc(arena, (size_t)r->count, sizeof *r->direction);
    if (!r->fired || !r->direction) {
        return false;
    }
    for (int k = 0; k < r->count; k++) {
        r->direction[k] = -1;
    }
    return true;
}

void dt_roots_locked(dt_simulation *sim, int k, double g[2])
{
    dt_system *s = &sim->system;
    double limits[2], test = dt_system_test(s, k);
    dt_system_limits(s, k, limits);
    const double offset = 1e-12 * (limits[1] - limits[0]) + 1e-13;
    g[0] = limits[1] - test + offset;
    g[1] = test - limits[0] + offset;
}

static void moving_roots(const dt_simulation *sim, int k, double v, double *g)
{
    const dt_stiction *stiction = &sim->mechanism->stictions[k];
    const double sv = sim->system.direction[k] * v, vth = stiction->velocity_threshold;
    if (sim->system.mode[k] == DETENT_WAIT) {
        g[0] = sv + 10 * sim->atol;
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
static int take_readings(dt_simulation *sim, double t, N_Vector y, N_Vector yp, bool inside)
{
    dt_system *s = &sim->system;
    if (sim->stepper->carries_friction && !inside && !sim->roots.laws_vary) {
        memcpy(s->f, dt_f_of(sim, y), (size_t)sim->ns * sizeof *s->f);
        return 0;
    }
    if (!sim->stepper->carries_friction) {
        dt_system_set_state(s, t, dt_q_of(sim, y), dt_v_of(sim, y));
        return dt_forward_dynamics(sim->newton, s, NULL) == DETENT_OK ? 0 : -1;
    }
    dt_system_set_state(s, t, dt_q_of(sim, y), dt_v_of(sim, y));
    dt_system_set_acceleration(s, dt_v_of(sim, yp), dt_f_of(sim, y));
    if (!inside) {
        return 0;
    }
    return dt_solve_accelerations(sim->newton, s, NULL, NULL) == DETENT_OK ? 0 : -1;
}

/** Kinetic friction that has turned negative, and drives its joint, is no friction. */
static void note_bad_friction(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        if (reads_something(&s->stiction_law[k].kinetic) && s->mode[k] != DETENT_LOCKED &&
            s->direction[k] * s->f[k] > 1e-9) {
            sim->bad_friction = k;
        }
    }
}

int dt_roots_evaluate(double t, N_Vector y, N_Vector yp, double *g, void *simulation)
{
    dt_simulation *sim = simulation;
    dt_system *s = &sim->system;
    const double end = sim->stepper->end(sim);
    sim->roots.evaluations++;
    if (take_readings(sim, t, y, yp, t != end) != 0) {
        return -1;
    }
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            dt_roots_locked(sim, k, g + 2 * k);
        } else {
            moving_roots(sim, k,
                         dt_v_of(sim, y)[s->tree->nodes[sim->mechanism->stictions[k].primitive].v],
                         g + 2 * k);
        }
    }
    double *next = g + 2 * sim->ns;
    for (int l = 0; l < s->law_count; l++) {
        const int switches = s->law[l]->program->switch_count;
        if (switches == 0) {
            continue;
        }
        dt_law_roots(s, s->law[l], next);
        next += 2 * switches;
    }
    for (int k = 0; k < sim->roots.count; k++) {
        if (!isfinite(g[k])) {
            return -1;
        }
    }
    if (t == end) {
        note_bad_friction(sim);
        dt_graze_note(sim, t, g);
    }
    return 0;
}
