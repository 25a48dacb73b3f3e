/*
 * Joints that nothing can hold though their velocity is zero: a rocker at its extreme, the slider of a crank at its dead
 * centre. While others of the loop move, the loop's conditions give it an acceleration whatever the forces are:
 *
 *   G v = 0,  G a + G' v = 0       G' v: velocity terms of the rows, prescribed accelerations among them
 *
 * A freedom d whose column is needed for the rank of G, all others free to move, depends on no acceleration of others where
 * its velocity is zero in every motion, and a_d is its row of -G_dep^-1 G' v: the solution with all independent accelerations
 * zero. Where that is nothing but rounding the others are at rest, or d has nowhere to go, and it may be held.
 */
#include "dynamics/closure_parts.h"
#include "dynamics/closure_still.h"
#include "dynamics/force_size.h"
#include "dynamics/tie.h"

#include <math.h>

/* Accelerations that are less, beside the velocity terms of the rows, are none. */
static const double nothing = 1e-9;

/* What velocities that are nothing but rounding make in loops that turn as a whole, beside what these are made of, is no acceleration. */
static const double rounding = 1e-12;

/* By as much at most of their size rows that say nothing new are off: a row is left out where its pivot is below 1e-9. */
static const double left_over = 1e-7;

/* The size of the terms of a row, by its weight. */
static double size_of(const dt_system *s, int row, double length)
{
    return dt_closure_row_weight(s, row, length) * dt_tie_size(s, row);
}

/* Whether a row is of what is tied with a node, directly or not; of all, where that is -1. */
static bool concerns(const dt_system *s, int row, int node)
{
    const dt_still *still = s->closure->still;
    return node < 0 || still->cluster_of_row[row] == still->cluster[node];
}

/*
 * Velocity terms of the active rows into c->x, with their signs changed; returns the largest size of one of those that concern a node,
 * by its weight.
 */
static double velocity_terms(dt_system *s, double length, int node)
{
    dt_closure *c = s->closure;
    double largest = 0;
    dt_tie_residuals(s, s->closure->terms);
    for (int k = 0; k < c->count; k++) {
        largest =
            concerns(s, c->row[k], node) ? fmax(largest, size_of(s, c->row[k], length)) : largest;
        c->x[k] = -c->terms[c->row[k]];
    }
    return largest;
}

/*
 * Brings the system to the accelerations that the velocities alone cause: of dependent freedoms, where all others have none.
 * They go to c->x, by dependent freedom; those of before to c->a. Returns the largest size of a row that concerns a node.
 */
static double take_along(dt_system *s, double length, int node)
{
    dt_closure *c = s->closure;
    const size_t nv = (size_t)s->tree->nv * sizeof *s->a;
    memcpy(c->a, s->a, nv);
    memcpy(c->gravity, s->gravity, sizeof s->gravity);
    memset(s->a, 0, nv);
    memset(s->gravity, 0, sizeof s->gravity); /* whose part in all accelerations is the same */
    dt_system_set_acceleration(s, s->a, s->f);
    const double size = velocity_terms(s, length, node);
    dt_closure_solve(c, c->x, false);
    return size;
}

static void restore(dt_system *s)
{
    memcpy(s->gravity, s->closure->gravity, sizeof s->gravity);
    dt_system_set_acceleration(s, s->closure->a, s->f);
}

/* Terms of this size cancel in the acceleration of a body that turns and is carried along, whatever carries it, m/s^2. */
static double carried(const dt_system *s, int node, double length)
{
    const double *V = s->motion[node].V, turn = dt_norm3(V);
    return turn * (turn * length + dt_norm3(V + 3));
}

/*
 * The largest of these on the way from one end of what a row ties to the other: also where both ends are at rest, as where a coupler between two balls
 * spins about its own line, and one turns about itself. 0 of what acts along joints.
 */
static double carried_round(const dt_system *s, int row, double length)
{
    int i, j;
    double most = 0;
    if (!dt_closure_ends(s, row, &i, &j)) {
        return 0;
    }
    while (i != j) {
        int *later = i > j ? &i : &j; /* the base has a lower number */
        most = fmax(most, carried(s, *later, length));
        *later = s->tree->nodes[*later].parent;
    }
    return most;
}

/* What rounding makes of velocities in the rows of what is tied with a node, m/s^2. */
static double noise_of(const dt_system *s, int node, double length)
{
    const dt_still *still = s->closure->still;
    double most = 0;
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(s->closure->tie, r)) {
        if (still->cluster_of_row[r] == still->cluster[node]) {
            most = fmax(most, carried_round(s, r, length));
        }
    }
    return rounding * most;
}

double dt_closure_turning(dt_system *s, int node)
{
    dt_closure *c = s->closure;
    const int v = s->tree->nodes[node].v;
    const double length = dt_closure_reach(s);
    double a = 0;
    if (!c->dependent[v] || c->open ||
        (dt_closure_fastest(s, s->v, node) == 0 && !dt_closure_is_accelerated(s))) {
        return 0; /* where all that it is tied with stands nobody takes it along */
    }
    const double size = take_along(s, length, node);
    for (int k = 0; k < c->count; k++) {
        a = c->freedom[k] == v ? c->x[k] : a;
    }
    restore(s);
    const double none = fmax(nothing * size, noise_of(s, node, length));
    const bool turns = fabs(a) > none * dt_closure_weight(&s->tree->nodes[node], length);
    return turns ? a : 0;
}

double dt_closure_exchange(dt_system *s, int node, int other)
{
    dt_closure *c = s->closure;
    const int v = s->tree->nodes[node].v, with = s->tree->nodes[other].v;
    double most = 0, own = 0;
    if (!c->dependent[v] || c->dependent[with] || c->open) {
        return 0;
    }
    for (int k = 0; k < c->count; k++) {
        c->x[k] = -dt_closure_entry(c, c->row[k], with);
    }
    dt_closure_solve(c, c->x, false);
    for (int k = 0; k < c->count; k++) {
        most = fmax(most, fabs(c->x[k]) / c->freedom_unit[c->freedom[k]]);
        own = c->freedom[k] == v ? c->x[k] : own;
    }
    return fabs(own) / c->freedom_unit[v] > nothing * most ? own : 0;
}

void dt_closure_look_ahead(dt_system *s)
{
    dt_closure_follow(s);
    memset(s->prescribed, 0, (size_t)s->tree->nv * sizeof *s->prescribed);
    dt_motion_velocity(s->tree, s->v, s->motion);
}

void dt_closure_turn(dt_system *s, int node, double velocity)
{
    s->closure->turning[s->tree->nodes[node].v] = velocity;
    s->v[s->tree->nodes[node].v] = velocity;
}

/* What a size has to be for `left_over` of it to be what rounding makes of velocities in the rows. */
static void add_noise(dt_system *s, double length)
{
    const dt_still *still = s->closure->still;
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(s->closure->tie, r)) {
        const int cluster = still->cluster_of_row[r];
        if (cluster >= 0) {
            still->fastest[cluster] =
                fmax(still->fastest[cluster], rounding * carried_round(s, r, length) / left_over);
        }
    }
}

/*
 * The residuals of all rows, those that are not active, too; and the largest size of one, to still->fastest, by clusters, or what rounding
 * makes it.
 */
static void find_terms(dt_system *s, double length)
{
    dt_closure *c = s->closure;
    double *size = c->still->fastest;
    for (int r = 0; r < c->rows; r++) {
        c->left_out[r] = !c->active[r];
        c->active[r] = true;
    }
    dt_tie_residuals(s, c->terms);
    for (int n = 0; n < c->still->tied_count; n++) {
        size[c->still->tied[n]] = 0;
    }
    for (int r = 0; r < c->rows; r++) {
        const int cluster = c->still->cluster_of_row[r];
        if (cluster >= 0) { /* else nothing that moves is in it */
            size[cluster] = fmax(size[cluster], size_of(s, r, length));
        }
        c->active[r] = !c->left_out[r];
    }
    add_noise(s, length);
}

/* Which of the rows that are not active is off most, beside what it may be; -1: none. `least`: what any may be. */
static int find_off(const dt_system *s, double length, double least)
{
    const dt_closure *c = s->closure;
    double most = 1;
    int worst = -1;
    for (int r = 0; r < c->rows; r++) {
        const int cluster = c->still->cluster_of_row[r];
        /* where nothing that moves is in it all of it is the rounding of what passes by, or a contradiction */
        const double size = cluster >= 0 ? c->still->fastest[cluster] : size_of(s, r, length),
                     may = fmax(left_over * size, least),
                     is = dt_closure_row_weight(s, r, length) * fabs(c->terms[r]);
        if (c->left_out[r] && !(is <= most * may)) {
            most = is / may;
            worst = r;
        }
    }
    return worst;
}

bool dt_closure_is_accelerated(const dt_system *s)
{
    bool any = false;
    for (int i = 0; i < s->tree->node_count && s->closure->has_motions && !any; i++) {
        any = dt_is_prescribed(s, i) && s->prescribed[s->tree->nodes[i].v] != 0;
    }
    return any;
}

bool dt_closure_is_driven(const dt_system *s)
{
    bool any = false;
    for (int v = 0; v < s->tree->nv && !any; v++) {
        any = s->v[v] != 0;
    }
    return any || dt_closure_is_accelerated(s);
}

/* How fast the fastest body turns of those that are tied at places, rad/s; and is carried along, m/s. */
static double fastest_turn(const dt_system *s, double *speed)
{
    double most = 0;
    *speed = 0;
    for (int r = 0; r < s->closure->rows; r = dt_tie_next(s->closure->tie, r)) {
        int end[2];
        const bool has_ends = dt_closure_ends(s, r, &end[0], &end[1]);
        for (int e = 0; e < 2 && has_ends; e++) {
            const double *V = end[e] < 0 ? NULL : s->motion[end[e]].V;
            most = fmax(most, V ? dt_norm3(V) : 0);
            *speed = fmax(*speed, V ? dt_norm3(V + 3) : 0);
        }
    }
    return most;
}

/* The fastest of the velocities that only tell directions (dt_closure_turn()), m/s: the rows are not closed at them. */
static double fastest_told(const dt_system *s, double length)
{
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int v = node->v; v < node->v + node->type->nv; v++) {
            most = fmax(most, fabs(s->closure->turning[v]) / dt_closure_weight(node, length));
        }
    }
    return most;
}

int dt_closure_broken_row(dt_system *s)
{
    dt_closure *c = s->closure;
    const double length = dt_closure_reach(s);
    take_along(s, length, -1);
    for (int k = 0; k < c->count; k++) {
        s->a[c->freedom[k]] = c->x[k];
    }
    dt_system_set_acceleration(s, s->a, s->f);
    find_terms(s, length);
    restore(s);
    double speed;
    const double turn = fastest_turn(s, &speed), told = fastest_told(s, length);
    /* rows that are not closed are off by what carries them, too: it goes round with one end, and not with the other */
    const double carried_along = turn + speed / length;
    return find_off(s, length, rounding * turn * length * carried_along + 4 * told * carried_along);
}

bool dt_closure_agrees(dt_system *s)
{
    const dt_closure *c = s->closure;
    if (!c || c->count == c->rows || !dt_closure_is_driven(s)) {
        return true;
    }
    dt_closure_update(s);
    return dt_closure_factor(s) && dt_closure_broken_row(s) < 0;
}

/*
 * How many freedoms of a cluster no other one decides, and the first of them; 0 where one of its nodes is locked, where they are several and
 * something of it has a velocity, since it comes along one of its branches, and where the only one has a motion. `beside_locks`: locked ones count as what does
 * not move.
 */
static int count_ways(const dt_system *s, const double *v, int cluster, bool beside_locks,
                      int *first)
{
    const dt_closure *c = s->closure;
    int ways = 0;
    bool held = false, driven = false, moves = false;
    for (int n = 0; n < c->still->tied_count; n++) {
        const int i = c->still->tied[n];
        const dt_node *node = &s->tree->nodes[i];
        for (int k = node->v; k < node->v + node->type->nv && c->still->cluster[i] == cluster;
             k++) {
            driven = driven || dt_is_prescribed(s, i);
            held = held || (c->held[i] && !dt_is_prescribed(s, i));
            moves = moves || v[k] != 0;
            const bool decided = c->dependent[k] || (c->held[i] && !dt_is_prescribed(s, i));
            *first = ways == 0 && !decided ? i : *first;
            ways += !decided;
        }
    }
    return (held && !beside_locks) || (ways > 1 ? moves : driven) ? 0 : ways;
}

int dt_closure_blocked_ways(dt_system *s, const double *v, bool beside_locks, const char **tie,
                            const char **freedom)
{
    dt_closure *c = s->closure;
    dt_closure_update(s);
    const int row = dt_closure_factor(s) ? dt_closure_broken_row(s) : -1,
              cluster = row >= 0 ? c->still->cluster_of_row[row] : -1;
    int first = -1;
    const int ways = cluster >= 0 ? count_ways(s, v, cluster, beside_locks, &first) : 0;
    if (ways > 0) {
        *tie = c->tie[row].kind->name(s->mechanism, c->tie[row].item);
        *freedom = s->mechanism->primitives[first].name;
    }
    return ways;
}
