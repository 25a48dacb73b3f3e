/*
 * Roots that come and go within one step.
 *
 * IDA sees a root function change its sign between the ends of a step. A load that passes its limit and
 * returns, or a velocity that dips below zero, between two ends would be missed: a joint that should
 * have slipped has not. So each velocity is followed by its cubic Hermite interpolant over the step, with the
 * accelerations that the solution holds. A force or a switch has no slopes (IDA does not control the
 * derivative of an algebraic unknown, and a norm of reactions turns sharply): where it is nearer to zero than
 * it moves in a step, or than the slopes of its last three values take it, it is also evaluated in the
 * middle of the step. Where this interpolant, or the parabola through the three points, comes near zero
 * inside, the root function is evaluated there, friction solved anew, and its least value sought by
 * parabolas; if that is negative, the first crossing is closed in on by the Illinois rule.
 *
 * No parabola follows the limit of a joint whose reaction passes nearly through zero: |r(t)| is a V. It is
 * convex, though, and a convex function is nowhere below its chords, prolonged. Where these meet below zero or
 * little above it, the function is evaluated at that place, until they meet above or a negative value is found. Of the
 * last half of a step only the chord on the left is known: where that gets below zero, a value inside tells the other.
 *
 * A step in which a root has been found is looked through as well: another one may have come and gone before.
 */
#include "integrator/graze.h"
#include "integrator/core.h"
#include "integrator/interpolant.h"
#include "integrator/roots.h"
#include "integrator/source.h"

#include <float.h>
#include <math.h>

/* As of the last evaluation, which left the core's roots in g. */
static double value_of(const dt_simulation *sim, dt_root w, const double *g)
{
    const dt_source_row *row = sim->source[w.source];
    return row->value ? row->value(sim, w, DT_VALUE_NOW) : dt_root_value(sim, w, g);
}

/* All root functions at a time inside the last step, into `g`. */
static bool roots_inside(dt_simulation *sim, double t, double *g)
{
    return dt_solver_interpolate(sim->solver, t, 0) && dt_solver_interpolate(sim->solver, t, 1) &&
           dt_roots_evaluate(t, sim->y, sim->yp, g, sim) == 0;
}

/* Closes in on the sign change of a root between a (positive) and b (negative). */
static double close_in(dt_simulation *sim, dt_root w, double a, double ga, double b, double gb)
{
    double *g = dt_root_values(sim);
    const double enough = 100 * DBL_EPSILON * (fabs(b) + (b - a));
    int side = 0;
    for (int round = 0; round < 100 && b - a > enough; round++) {
        double t = a + (b - a) * ga / (ga - gb);
        if (!(t > a && t < b)) {
            t = 0.5 * (a + b);
        }
        if (!roots_inside(sim, t, g)) {
            break;
        }
        const double now = value_of(sim, w, g);
        if (now > 0) {
            a = t, ga = now;
            if (side > 0) {
                gb *= 0.5;
            }
            side = 1;
        } else {
            b = t, gb = now;
            if (side < 0) {
                ga *= 0.5;
            }
            side = -1;
        }
    }
    return b;
}

/* The first crossing of a root whose interpolant is least at x; INFINITY if there is none. */
static double crossing(dt_simulation *sim, dt_root w, const dt_hermite *c, double x)
{
    static const int refinements = 6;
    const double end = sim->graze.time[2], start = end - c->h;
    double t[3] = {start, start + x * c->h, end}, g[3] = {c->g0, 0, c->g1};
    for (int round = 0; round < refinements; round++) {
        if (!roots_inside(sim, t[1], dt_root_values(sim))) {
            return INFINITY;
        }
        g[1] = value_of(sim, w, dt_root_values(sim));
        if (g[1] < 0) {
            return close_in(sim, w, start, c->g0, t[1], g[1]);
        }
        const double next = dt_parabola_minimum(t, g);
        if (!(next > t[0] && next < t[2]) || fabs(next - t[1]) < 1e-9 * c->h) {
            return INFINITY;
        }
        /* keep the two points that enclose the next one */
        const int given_up = next > t[1] ? 0 : 2;
        t[given_up] = t[1];
        g[given_up] = g[1];
        t[1] = next;
    }
    return INFINITY;
}

/* A search along chords. */
typedef struct chord_search {
    dt_root root;
    double start, value; /**< where the root is positive */
    int evaluations;     /**< that are left */
} chord_search;

/*
 * The first crossing in between; INFINITY if there is none. Two chords are an estimate, one is but a bound: the part that
 * has two is searched first, of equals the one that may be lower.
 */
static double crossing_of_chords(dt_simulation *sim, chord_search *search, const dt_chords *c)
{
    double t, least[2], other;
    if (!dt_chords_near(c, &t, least) || search->evaluations == 0 ||
        !roots_inside(sim, t, dt_root_values(sim))) {
        return INFINITY;
    }
    search->evaluations--;
    const double now = value_of(sim, search->root, dt_root_values(sim));
    if (now < 0) {
        return close_in(sim, search->root, search->start, search->value, t, now);
    }
    const dt_chords part[2] = {dt_chords_part(c, t, now, false), dt_chords_part(c, t, now, true)};
    const bool near[2] = {dt_chords_near(&part[0], &other, &least[0]),
                          dt_chords_near(&part[1], &other, &least[1])};
    const bool open[2] = {isnan(c->g[0]), isnan(c->g[3])};
    const int first = open[0] == open[1] ? near[1] && !(near[0] && least[0] <= least[1]) : open[0];
    const double found = crossing_of_chords(sim, search, &part[first]);
    return isfinite(found) ? found : crossing_of_chords(sim, search, &part[1 - first]);
}

/* The root over the last step, its slopes still to be found; false where one end is not inside. */
static bool take_ends(const dt_simulation *sim, dt_root w, dt_hermite *c)
{
    *c = (dt_hermite){.g0 = dt_graze_value(sim, w, 1),
                      .g1 = dt_graze_value(sim, w, 2),
                      .h = sim->graze.time[2] - sim->graze.time[1]};
    return c->g0 > 0 && c->g1 > 0;
}

/* Slopes of a velocity at both ends of the step; false where they are not known. */
static bool accelerations(const dt_simulation *sim, dt_root w, dt_hermite *c)
{
    const dt_graze *graze = &sim->graze;
    const dt_system *s = sim->core;
    const int k = w.item, j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
    c->d0 = s->direction[k] * graze->acceleration[k];
    c->d1 = s->direction[k] * dt_v_of(sim, sim->yp)[j];
    return w.which == 0 && graze->acceleration_time == graze->time[1];
}

/* What the value of a root may fall by within a step, by its last three values or by two. */
static double movement(const dt_simulation *sim, dt_root w, const dt_hermite *c)
{
    const dt_graze *graze = &sim->graze;
    const double now = c->g1 - c->g0, h0 = graze->time[1] - graze->time[0];
    const double before = (c->g0 - dt_graze_value(sim, w, 0)) * (c->h / h0);
    return isfinite(before) ? fmax(fabs(now), fabs(before)) + fabs(now - before) : 2 * fabs(now);
}

/* What is no movement but noise. */
static double noise_of(const dt_simulation *sim, dt_root w)
{
    const dt_source_row *row = sim->source[w.source];
    return row->noise ? row->noise(sim, w.item) : 0;
}

void dt_graze_make_event(dt_simulation *sim, double t)
{
    sim->graze.found = true;
    sim->pending = true;
    sim->reached = t;
}

/* Marks the roots of a source that stood at zero, or below, at the start of the step, and are below at its end. */
static bool mark_below(dt_simulation *sim, dt_source source)
{
    double(*before)[2] = dt_source_values(sim, source, sim->graze.value[1]),
    (*after)[2] = dt_source_values(sim, source, sim->graze.value[2]);
    bool any = false;
    for (int k = 0; k < dt_source_items(sim, source); k++) {
        for (int which = 0; which < 2; which++) {
            if (before[k][which] <= 0 && after[k][which] < 0) {
                sim->source[source]->fired(sim, k)[which] = -1;
                any = true;
            }
        }
    }
    return any;
}

/*
 * Switches that stood exactly at their border when the integrator was started, and left it to the
 * wrong side: `if(t > 0, ...)` at t = 0, the sign of a velocity at a breakaway. IDA ignores a root that
 * starts at zero. The event is at the start, so the step is taken again on the right branch.
 */
static bool left_the_border(dt_simulation *sim)
{
    const dt_graze *graze = &sim->graze;
    bool any = false;
    if (!isnan(graze->time[0]) || isnan(graze->time[1])) {
        return false; /* not the first step */
    }
    dt_sources_clear(sim);
    for (int k = 0; k < DT_SOURCES; k++) {
        any = (sim->source[k]->has_borders && mark_below(sim, (dt_source)k)) || any;
    }
    if (any) {
        dt_graze_make_event(sim, graze->time[1]);
    }
    return any;
}

/* In a loop, who moves away from its stop may be told to be beyond it. */
static bool is_left_behind(const dt_simulation *sim, dt_root root)
{
    return sim->core->closure && sim->source[root.source]->is_noise(sim, root);
}

/*
 * Joints that have got beyond their stop unseen: an event at the end of the step; or at its start, where one stood at its stop, and has left
 * it to the wrong side, or come back long before the end.
 */
static bool is_outside(dt_simulation *sim)
{
    bool any = false, stood = false;
    for (int k = 0; k < DT_SOURCES && !sim->pending; k++) {
        const dt_source source = (dt_source)k;
        double(*now)[2] = dt_source_values(sim, source, sim->graze.value[2]),
        (*before)[2] = dt_source_values(sim, source, sim->graze.value[1]);
        for (int n = 0; sim->source[k]->keeps_inside && n < dt_source_items(sim, source); n++) {
            for (int which = 0; which < 2; which++) {
                const dt_root root = {source, n, which};
                if (now[n][which] < 0 && !is_left_behind(sim, root)) {
                    dt_sources_clear(sim);
                    sim->source[k]->fired(sim, n)[which] = -1;
                    any = true;
                    stood = stood || (before[n][which] <= 0 && isnan(sim->graze.time[0]));
                }
            }
        }
    }
    if (any) {
        dt_graze_make_event(sim, sim->graze.time[stood ? 1 : 2]);
    }
    return any;
}

/* When a velocity came and went within the step, INFINITY if it did not. */
static double visit_velocity(dt_simulation *sim, dt_root w)
{
    dt_hermite c;
    double x;
    if (!take_ends(sim, w, &c) || !accelerations(sim, w, &c) || !dt_hermite_minimum(&c, &x) ||
        !dt_comes_near(dt_hermite_value(&c, x), fmin(c.g0, c.g1))) {
        return INFINITY;
    }
    const double t = crossing(sim, w, &c, x);
    dt_solver_interpolate(sim->solver, sim->graze.time[2], 1);
    return t;
}

/* The middle of the last step. */
typedef struct middle {
    double time;
    bool asked; /**< somebody has been there: yp is no longer that of the end */
    bool known; /**< the last evaluation was there, and its roots are in dt_root_values() */
} middle;

/* Brings the evaluation back to the middle; false where there is none. */
static bool go_to_middle(dt_simulation *sim, middle *m)
{
    m->asked = true;
    m->time = 0.5 * (sim->graze.time[1] + sim->graze.time[2]);
    m->known = m->known || roots_inside(sim, m->time, dt_root_values(sim));
    return m->known;
}

/*
 * When a V came and went, in the first half of the step or in the second. What is beyond is not known, and one side of a V
 * may be as steep as it likes.
 */
static double visit_norm(dt_simulation *sim, dt_root w, double half, middle *m)
{
    static const int most_evaluations = 8;
    const double *time = sim->graze.time;
    const double before = dt_graze_value(sim, w, 0), g0 = dt_graze_value(sim, w, 1),
                 g1 = dt_graze_value(sim, w, 2);
    const double known = isnan(time[0]) || !isfinite(before) ? NAN : before;
    const dt_chords side[2] = {{{time[0], time[1], m->time, time[2]}, {known, g0, half, g1}},
                               {{time[1], m->time, time[2], NAN}, {g0, half, g1, NAN}}};
    double t = INFINITY, place, least;
    for (int k = 0; k < 2 && !isfinite(t); k++) {
        chord_search search = {w, side[k].t[1], side[k].g[1], most_evaluations};
        if (dt_chords_near(&side[k], &place, &least)) {
            m->known = false;
            t = crossing_of_chords(sim, &search, &side[k]);
        }
    }
    return t;
}

/* The same of a force or a switch. */
static double visit_force(dt_simulation *sim, dt_root w, middle *m)
{
    dt_hermite c;
    if (!take_ends(sim, w, &c)) {
        return INFINITY;
    }
    const double end = fmin(c.g0, c.g1), most = movement(sim, w, &c);
    if (end > most || !(most > 4 * noise_of(sim, w)) || !go_to_middle(sim, m)) {
        return INFINITY;
    }
    const double half = value_of(sim, w, dt_root_values(sim));
    if (half < 0) {
        m->known = false;
        return close_in(sim, w, sim->graze.time[1], c.g0, m->time, half);
    }
    /* the parabola through the three: half + x slope + x^2 bend / 2, x from -1 to 1 */
    const double slope = 0.5 * (c.g1 - c.g0), bend = c.g0 - 2 * half + c.g1;
    double t = INFINITY;
    if (bend > fabs(slope) && dt_comes_near(half - 0.5 * slope * slope / bend, fmin(end, half))) {
        m->known = false;
        t = crossing(sim, w, &c, 0.5 * (1 - slope / bend));
    }
    return isfinite(t) ? t : visit_norm(sim, w, half, m);
}

/* What a visit to all roots of a step has come to. */
typedef struct tour {
    bool velocities; /**< velocities first: their slopes are in yp, which the others move */
    double first;    /**< the earliest time at which one has come and gone, */
    int *mark;       /**< and where it is marked, or NULL */
    middle middle;
} tour;

/*
 * Whether a root that has come and gone is of a joint that moves away from its stop: in a loop, where it may follow from others, its place is
 * known worse inside a step than at its ends. Who has come to its stop comes to it there.
 */
static bool is_dip(dt_simulation *sim, dt_root w, double t, middle *m)
{
    if (!isfinite(t) || !sim->core->closure || !sim->source[w.source]->is_noise) {
        return false;
    }
    m->asked = true;
    m->known = false;
    return roots_inside(sim, t, dt_root_values(sim)) && is_left_behind(sim, w);
}

/* Visits both roots of an item. What was before an event that the same step goes on from has been looked at then, in the modes of then. */
static void visit(dt_simulation *sim, dt_source source, int item, void *user)
{
    tour *t = user;
    for (int which = 0; which < 2; which++) {
        const dt_root w = {.source = source, .item = item, .which = which};
        const double time =
            t->velocities ? visit_velocity(sim, w) : visit_force(sim, w, &t->middle);
        if (time >= sim->now && time < t->first && !is_dip(sim, w, time, &t->middle)) {
            t->first = time;
            t->mark = &sim->source[source]->fired(sim, item)[which];
        }
    }
}

static void visit_all(dt_simulation *sim, tour *t)
{
    if (sim->pending) {
        dt_solver_interpolate(sim->solver, sim->graze.time[2], 1);
    }
    t->velocities = true;
    dt_sources_visit(sim, true, visit, t);
    t->velocities = false;
    dt_sources_visit(sim, false, visit, t);
    if (sim->pending || t->middle.asked) {
        dt_solver_interpolate(sim->solver, sim->reached, 1);
    }
}

void dt_graze_check(dt_simulation *sim)
{
    tour t = {.first = INFINITY};
    if (left_the_border(sim) || is_outside(sim)) {
        return;
    }
    visit_all(sim, &t);
    if (!sim->pending) {
        dt_graze_keep_accelerations(sim, sim->graze.time[2]);
    }
    if (!t.mark || (sim->pending && t.first >= sim->reached)) {
        return;
    }
    dt_sources_clear(sim);
    *t.mark = -1;
    dt_graze_make_event(sim, t.first);
}
