/*
 * The source of the stictions of the core: limits, and velocities that come back to zero.
 *
 *   locked         FSr - Ftest + o              Ftest - FSf + o
 *   wait(s)        s v + e                      vth - |v|
 *   unlocked(s)    s v, or s v - vth (band)     1 (parked)
 *
 * o is a hair beyond the limit, above the noise of the force: a joint exactly at its limit starts
 * with a positive root. e is a hair below zero: a joint released at rest is not stopped by its own
 * start.
 *
 * Fired: a limit reached releases the joint by decree ("at the limit and on the way out"); a velocity back
 * at zero, or at its band, stops it; a threshold passed changes its mode, and no equation.
 */
#include "dynamics/split.h"
#include "integrator/graze.h"
#include "integrator/source.h"
#include "integrator/stop.h"
#include "integrator/weights.h"

#include <limits.h>

/*
 * The hair of a limit: of the width of the box; four times the noise of the force (force_size.h), within
 * which a joint is held beyond its limit; and what is nothing beside the nominal force, for forces may be
 * zero at first.
 */
static const double hair_of_width = 1e-12, held_noises = 4, nothing = 1e-15;

/* ---- limits ---- */

double dt_roots_hair(const dt_simulation *sim, int k, const double limits[2])
{
    return hair_of_width * dt_limits_width(limits) + sim->roots.noise[k];
}

double dt_roots_no_force(const dt_simulation *sim, int k)
{
    const int node = sim->mechanism->stictions[k].primitive;
    return nothing * sim->scale.force[sim->system.tree->nodes[node].v];
}

void dt_roots_set_noise(dt_simulation *sim, int k, double noise)
{
    sim->roots.noise[k] = fmax(dt_roots_no_force(sim, k), held_noises * noise);
}

void dt_roots_begin(dt_simulation *sim)
{
    for (int k = 0; k < sim->ns; k++) {
        sim->roots.noise[k] = dt_roots_no_force(sim, k);
    }
}

double dt_roots_widening(double g, double hair)
{
    return g < hair ? hair - 2 * fmin(g, 0) : 0;
}

/* The stiction of the whole that k of the system, or of the core, is. */
static int whole_of(const dt_simulation *sim, const dt_system *s, int k)
{
    return s == sim->core ? dt_whole_stiction(sim, k) : k;
}

void dt_roots_of_locked(dt_simulation *sim, dt_system *s, int k, double g[2])
{
    double limits[2], test = dt_system_test(s, k);
    dt_system_limits(s, k, limits);
    const double hair = dt_roots_hair(sim, whole_of(sim, s, k), limits);
    g[0] = isinf(limits[1]) ? 1 : limits[1] - test + hair; /* a stop holds on that side */
    g[1] = isinf(limits[0]) ? 1 : test - limits[0] + hair;
}

void dt_roots_of_locked_watched(dt_simulation *sim, int k, double g[2])
{
    const double *widening = sim->roots.widening[dt_whole_stiction(sim, k)];
    dt_roots_of_locked(sim, sim->core, k, g);
    g[0] += widening[0];
    g[1] += widening[1];
}

/* ---- root functions ---- */

static int most(const dt_simulation *sim)
{
    return 2 * sim->ns;
}

static int place(dt_simulation *sim)
{
    return 2 * sim->core->mechanism->stiction_count;
}

/* The noise of the forces of all joints that are at rest, as they are now. */
static void measure_noise(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    double *noise = sim->roots.measured;
    dt_newton_noises(sim->core_newton, s, noise);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        dt_roots_set_noise(sim, dt_whole_stiction(sim, k), noise[k]);
    }
}

/*
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

/* By how much velocities may be beyond zero unseen. */
static void find_slack(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    for (int i = 0; i < s->tree->node_count && s->closure; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double slack = dt_moves(s, i) ? dt_wait_hair(sim, dt_whole_node(sim, i)) : 0;
        for (int k = node->v; k < node->v + node->type->nv; k++) {
            sim->roots.slack[k] = slack;
        }
    }
}

static void restart(dt_simulation *sim)
{
    measure_noise(sim);
    find_slack(sim);
    widen_limits(sim);
}

static bool waits_in_loop(const dt_system *s, int k)
{
    return s->mode[k] == DETENT_WAIT && !s->closure->open &&
           s->closure->dependent[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
}

/*
 * What is left open of the velocities of joints that wait in loops. One that others move by much while it moves by little, as near a dead
 * centre, stops with them.
 */
static void find_open(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    bool any = false;
    if (!s->closure) {
        return;
    }
    memset(sim->roots.waits, 0, (size_t)s->tree->nv * sizeof *sim->roots.waits);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int v = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        sim->roots.waits[v] = waits_in_loop(s, k);
        any = any || sim->roots.waits[v];
    }
    if (any) {
        dt_closure_slack(s, sim->roots.slack, sim->roots.waits, sim->roots.open);
    }
}

/* The hair of a joint that waits. */
static double wait_hair(const dt_simulation *sim, int k)
{
    const dt_system *s = sim->core;
    const int i = s->mechanism->stictions[k].primitive, v = s->tree->nodes[i].v;
    const double own = dt_wait_hair(sim, dt_whole_node(sim, i));
    /* 0: it follows motions alone, or nobody: nothing stops with it */
    return s->closure && sim->roots.waits[v] && sim->roots.open[v] > 0
               ? fmin(own, sim->roots.open[v])
               : own;
}

static void moving_roots(const dt_simulation *sim, int k, double v, double g[2])
{
    const dt_system *s = sim->core;
    const dt_stiction *stiction = &s->mechanism->stictions[k];
    if (stiction->stops && stiction->stops->bare) {
        g[0] = g[1] = 1; /* nothing holds it, whichever way it moves */
        return;
    }
    const int way =
        stiction->stops && stiction->stops->way != 0 ? stiction->stops->way : s->direction[k];
    const double sv = way * v, vth = dt_threshold(sim, dt_whole_stiction(sim, k));
    if (dt_fixed_band(stiction) > 0) {
        g[0] = sv - dt_fixed_band(stiction);
        g[1] = s->mode[k] == DETENT_WAIT ? vth - fabs(v) : 1;
    } else if (s->mode[k] == DETENT_WAIT) {
        g[0] = sv + wait_hair(sim, k);
        g[1] = vth - fabs(v);
    } else {
        g[0] = stiction->friction->locking == DETENT_LOCKING_BAND ? sv - vth * (1 - 1e-9) : sv;
        g[1] = 1;
    }
}

static bool evaluate(dt_simulation *sim, const double *y, double *values)
{
    const dt_system *s = sim->core;
    double(*g)[2] = dt_source_values(sim, DT_SOURCE_STICTION, values);
    find_open(sim);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        if (s->mode[k] == DETENT_LOCKED) {
            dt_roots_of_locked_watched(sim, k, g[k]);
        } else {
            const int node = s->mechanism->stictions[k].primitive;
            /* in loops the velocity is that of the closed state */
            const double *v = s->closure ? s->v : dt_v_of(sim, y);
            moving_roots(sim, k, v[s->tree->nodes[node].v], g[k]);
        }
    }
    return true;
}

/* Roots of a joint that moves are velocities but for sign and offset. */
static int unknown(const dt_simulation *sim, dt_root root)
{
    const dt_system *s = sim->core;
    return s->mode[root.item] == DETENT_LOCKED || s->closure
               ? -1
               : sim->blocks.offset[DT_BLOCK_VELOCITIES] +
                     s->tree->nodes[s->mechanism->stictions[root.item].primitive].v;
}

static void each(dt_simulation *sim, bool velocities, dt_visit *visit, void *user)
{
    for (int k = 0; k < sim->core->mechanism->stiction_count; k++) {
        if ((sim->core->mode[k] != DETENT_LOCKED) == velocities) {
            visit(sim, DT_SOURCE_STICTION, k, user);
        }
    }
}

static double noise(const dt_simulation *sim, int item)
{
    return sim->roots.noise[dt_whole_stiction(sim, item)];
}

/* ---- events ---- */

static int pairs(const dt_system *whole)
{
    return whole->mechanism->stiction_count;
}

static int *fired_pair(const dt_simulation *sim, int item)
{
    return dt_fired(sim, DT_SOURCE_STICTION, dt_whole_stiction(sim, item));
}

static bool report(dt_simulation *sim, const int *watched)
{
    for (int k = 0; k < dt_source_items(sim, DT_SOURCE_STICTION); k++, watched += 2) {
        memcpy(fired_pair(sim, k), watched, 2 * sizeof *watched);
    }
    return true;
}

static void fire(dt_simulation *sim, int k, const int *fired, dt_occasion *what)
{
    dt_system *s = &sim->system;
    const bool band = sim->mechanism->stictions[k].friction->locking == DETENT_LOCKING_BAND;
    if (!dt_has_fired(fired)) {
        return;
    }
    if (s->mode[k] == DETENT_LOCKED) {
        sim->event.decree[k] = fired[0] ? -1 : 1; /* at FSr it gives way in reverse */
        sim->event.cause[k] = DETENT_CAUSE_LIMIT;
        what->search = true;
        what->others = DETENT_CAUSE_SEARCH;
    } else if (fired[0]) {
        if (!(band && s->mode[k] == DETENT_UNLOCKED) && !sim->fixed.exists) {
            dt_stop(sim, k);
        }
        sim->event.cause[k] = DETENT_CAUSE_STOP;
        what->search = true;
        what->others = DETENT_CAUSE_SEARCH;
    } else {
        dt_set_mode(s, k, DETENT_UNLOCKED, s->direction[k]);
        sim->event.cause[k] = DETENT_CAUSE_THRESHOLD;
    }
}

static void follow(dt_simulation *sim, dt_occasion *what)
{
    for (int k = 0; k < sim->ns; k++) {
        fire(sim, k, dt_fired(sim, DT_SOURCE_STICTION, k), what);
    }
}

void dt_roots_join_locked(dt_simulation *sim, int k, const double g[2], const double limits[2])
{
    const double hair = 10 * dt_roots_hair(sim, k, limits);
    for (int which = 0; which < 2 && !sim->event.decree[k]; which++) {
        if (g[which] <= hair && dt_graze_before(sim, k, which) > 100 * hair) {
            sim->event.decree[k] = which == 0 ? -1 : 1;
            sim->event.cause[k] = DETENT_CAUSE_LIMIT;
        }
    }
}

/* Whether the motion that begins in a part of the split has a joint that has reached its limit. */
static bool begins(const dt_simulation *sim, const dt_split *split, const dt_split_part *part)
{
    bool any = false;
    for (int i = part->first; i < part->first + part->count && !any; i++) {
        const int c = split->member[i], k = dt_whole_stiction(sim, c);
        any = sim->core->mode[c] == DETENT_LOCKED && sim->event.cause[k] == DETENT_CAUSE_LIMIT &&
              sim->event.decree[k] != 0 && sim->event.decree[k] == split->way[i];
    }
    return any;
}

/* Where a loop gives way all joints of its motion do, the narrow ones too that noise keeps inside their limits. */
static void join_motion(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    const dt_split *split = s->closure ? s->closure->split : NULL;
    for (int p = 0; split && p < split->part_count; p++) {
        const dt_split_part *part = &split->part[p];
        if (part->columns == 0 || !begins(sim, split, part)) {
            continue;
        }
        for (int i = part->first; i < part->first + part->count; i++) {
            const int c = split->member[i], k = dt_whole_stiction(sim, c);
            if (s->mode[c] == DETENT_LOCKED && sim->event.decree[k] == 0 && split->way[i] != 0) {
                sim->event.decree[k] = split->way[i];
                sim->event.cause[k] = DETENT_CAUSE_LIMIT;
            }
        }
    }
}

/*
 * Locked joints that reach their limit at this very instant fire too, though IDA named another one.
 * One that merely stands at its limit, and does not come from inside, does not.
 */
static void join(dt_simulation *sim)
{
    for (int c = 0; c < sim->core->mechanism->stiction_count; c++) {
        double g[2], limits[2];
        if (sim->core->mode[c] == DETENT_LOCKED) {
            dt_roots_of_locked(sim, sim->core, c, g);
            dt_system_limits(sim->core, c, limits);
            dt_roots_join_locked(sim, dt_whole_stiction(sim, c), g, limits);
        }
    }
    join_motion(sim);
}

/* Locked joints beyond their limit join the event. */
static bool repair(dt_simulation *sim, dt_system *s)
{
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        signed char *decree = &sim->event.decree[whole_of(sim, s, k)];
        double g[2];
        if (s->mode[k] != DETENT_LOCKED || *decree) {
            continue;
        }
        dt_roots_of_locked(sim, s, k, g);
        if (g[0] > 0 && g[1] > 0) {
            continue;
        }
        *decree = g[0] <= 0 ? -1 : 1;
        any = true;
    }
    return any;
}

/* Modes and directions follow from the velocities; joints at rest are candidates. */
static void jump(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const double v = *dt_velocity_of(sim, k);
        const int direction = (v > 0) - (v < 0);
        const bool slow = fabs(v) <= dt_threshold(sim, k);
        const bool turned = direction != s->direction[k] || s->mode[k] == DETENT_LOCKED;
        const bool band = sim->mechanism->stictions[k].friction->locking == DETENT_LOCKING_BAND;
        if (direction == 0) {
            dt_set_mode(s, k, DETENT_LOCKED, 0);
        } else if (turned || (slow && band)) {
            dt_set_mode(s, k, slow ? DETENT_WAIT : DETENT_UNLOCKED, direction);
        }
    }
}

/* ---- storms ---- */

static int participants(const dt_simulation *sim)
{
    return sim->ns;
}

static const char *name(const dt_simulation *sim, int k)
{
    const detent_mechanism *m = sim->mechanism;
    return m->primitives[m->stictions[k].primitive].name;
}

/* Joints that the event has changed, or was about. */
static void count(const dt_simulation *sim, unsigned char *times)
{
    for (int k = 0; k < sim->ns; k++) {
        const bool fired = dt_has_fired(dt_fired(sim, DT_SOURCE_STICTION, k));
        times[k] = (unsigned char)(times[k] + fired);
    }
    for (size_t j = 0; j < sim->event.change_count; j++) {
        const int k = sim->event.changes[j].stiction;
        const bool fired = dt_has_fired(dt_fired(sim, DT_SOURCE_STICTION, k));
        times[k] = (unsigned char)(times[k] + !fired);
    }
}

const dt_source_row dt_source_stiction = {.most = most,
                                          .place = place,
                                          .restart = restart,
                                          .evaluate = evaluate,
                                          .unknown = unknown,
                                          .each = each,
                                          .noise = noise,
                                          .pairs = pairs,
                                          .fired = fired_pair,
                                          .report = report,
                                          .follow = follow,
                                          .join = join,
                                          .repair = repair,
                                          .jump = jump,
                                          .noun = "joint",
                                          .longest_name = INT_MAX,
                                          .participants = participants,
                                          .name = name,
                                          .count = count};
