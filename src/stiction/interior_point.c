#include "stiction/interior_point.h"

#include <float.h>

enum {
    most_iterations = 80,
    /* Of sides from one iteration to the next, and one in 2000: worth trying to finish. */
    few_changes = 4,
    most_trials = 6, /* of mu at the start */
    most_slow = 2    /* iterations in a row that do not halve mu, before it is raised */
};

/* Of the active set: from sides that have hardly changed, and when the iterations are used up. */
static const dt_effort finishing = {.tries = 4, .setbacks = 0, .few = 4};
static const dt_effort persevering = {.tries = 40, .setbacks = 8, .few = 100};

static bool has_stops(const detent_mechanism *m)
{
    bool any = false;
    for (int k = 0; k < m->stiction_count && !any; k++) {
        any = m->stictions[k].stops != NULL;
    }
    return any;
}

bool dt_interior_point_create(dt_arena *arena, const dt_friction_box *box, dt_interior_point *ip)
{
    const size_t count = (size_t)box->count, nv = (size_t)box->system->tree->nv;
    *ip = (dt_interior_point){.member = dt_arena_alloc(arena, count, sizeof *ip->member),
                              .side = dt_arena_alloc(arena, count, sizeof *ip->side)};
    double **per_joint[] = {&ip->x, &ip->y, &ip->p, &ip->n, &ip->df, &ip->dp, &ip->dn};
    double **per_freedom[] = {&ip->added, &ip->tau, &ip->a};
    bool complete = ip->member && ip->side;
    if (has_stops(box->system->mechanism)) {
        ip->limits = dt_arena_alloc(arena, count, sizeof *ip->limits);
        complete = complete && ip->limits;
    }
    for (size_t k = 0; k < sizeof per_joint / sizeof *per_joint; k++) {
        complete = (*per_joint[k] = dt_arena_alloc(arena, count, sizeof(double))) && complete;
    }
    for (size_t k = 0; k < sizeof per_freedom / sizeof *per_freedom; k++) {
        complete = (*per_freedom[k] = dt_arena_alloc(arena, nv, sizeof(double))) && complete;
    }
    return complete;
}

/* The sides are all that is taken from here: where a stop's box ends is of no account, if it is beyond what forces come to. */
static void take_limits(dt_interior_point *ip, dt_friction_box *box, int m)
{
    static const double far = 100;
    const int k = ip->member[m];
    memcpy(ip->limits[m], box->limits[k], sizeof ip->limits[m]);
    for (int side = 0; side < 2; side++) {
        if (isinf(box->limits[k][side])) {
            const double size = dt_limits_width(box->limits[k]) +
                                dt_friction_box_size(box, box->node[k], 0) + DBL_MIN;
            ip->limits[m][side] = side == 0 ? -far * size : far * size;
        }
    }
}

static void collect_members(dt_interior_point *ip, dt_friction_box *box)
{
    memset(ip->added, 0, (size_t)box->system->tree->nv * sizeof *ip->added);
    ip->count = 0;
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_BOXED && box->limits[k][0] < box->limits[k][1]) {
            ip->member[ip->count] = k;
            if (ip->limits) {
                take_limits(ip, box, ip->count);
            }
            ip->count++;
        }
    }
}

static int freedom(const dt_interior_point *ip, const dt_friction_box *box, int m)
{
    return box->freedom[ip->member[m]];
}

/* The box of member m. */
static const double *limits_of(const dt_interior_point *ip, const dt_friction_box *box, int m)
{
    return ip->limits ? ip->limits[m] : box->limits[ip->member[m]];
}

/* Half the width of the box of member m. */
static double half_width(const dt_interior_point *ip, const dt_friction_box *box, int m)
{
    const double *limits = limits_of(ip, box, m);
    return 0.5 * (limits[1] - limits[0]);
}

/* The present force of member m, from the nearer limit: exact to the last bit where it matters. */
static double force(const dt_interior_point *ip, const dt_friction_box *box, int m)
{
    const double *limits = limits_of(ip, box, m);
    return ip->x[m] < ip->y[m] ? limits[0] + ip->x[m] : limits[1] - ip->y[m];
}

/* tau = Q + the forces that are known; what the members add comes on top. */
static void known_forces(const dt_interior_point *ip, const dt_friction_box *box)
{
    dt_friction_box_drive(box, ip->tau);
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_GIVEN) {
            ip->tau[box->freedom[k]] += box->f[k];
        }
    }
}

static int factor(const dt_interior_point *ip, dt_friction_box *box)
{
    const dt_system *s = box->system;
    dt_friction_box_hold(box, true);
    return dt_aba_factor(s->tree, s->motion, box->held, ip->added, box->aba);
}

/* ---- The start ---- */

/*
 * A joint alone, pushed by half the width w of its box, would need the power rate w^2 / M_kk; the
 * start has about their geometric mean in every joint: it does not care about units, nor about a
 * few tiny or huge bodies. `loose_scale` is the same with the inertia of the follower alone, for
 * mechanisms in which neighbours move against each other. Returns -1, or the node without inertia.
 */
static int power_scale(dt_interior_point *ip, dt_friction_box *box, double *scale)
{
    const dt_system *s = box->system;
    double logarithms = 0, loose = 0;
    int own = 0; /* followers that have an inertia about their joint */
    for (int i = 0; i < s->tree->node_count; i++) {
        box->held[i] = s->tree->nodes[i].type->nv == 1;
    }
    const int singular = dt_aba_factor(s->tree, s->motion, box->held, NULL, box->aba);
    if (singular >= 0) {
        return singular;
    }
    for (int m = 0; m < ip->count; m++) {
        const int node = box->node[ip->member[m]];
        const double w = half_width(ip, box, m), *S = s->motion[node].S[0];
        const double armature = s->tree->nodes[node].armature;
        double U[6];
        dt_symmetric6_apply(U, box->aba->node[node].Ia, S);
        const double all = dt_dot6(S, U) + armature;
        logarithms += log(w * w / fmax(all, DBL_MIN));
        dt_inertia_apply(U, &s->motion[node].I, S);
        const double alone = dt_dot6(S, U) + armature;
        if (alone > 1e-18 * all) {
            loose += log(w * w / alone);
            own++;
        }
    }
    *scale = exp(logarithms / ip->count);
    ip->loose_scale = own > 0 ? exp(loose / own) : 0;
    return -1;
}

/*
 * Solves for the accelerations of the mechanism whose joints are damped, f = middle - w^2 / (2 mu)
 * a.
 */
static int solve_damped(dt_interior_point *ip, dt_friction_box *box, double mu)
{
    known_forces(ip, box);
    for (int m = 0; m < ip->count; m++) {
        const double *limits = limits_of(ip, box, m), w = half_width(ip, box, m);
        const int v = freedom(ip, box, m);
        ip->added[v] = w * w / (2 * mu);
        ip->tau[v] += 0.5 * (limits[0] + limits[1]);
    }
    const int singular = factor(ip, box);
    if (singular < 0) {
        dt_friction_box_transmit(box, ip->tau, ip->a);
    }
    return singular;
}

/*
 * The largest k = a w / mu of the damped mechanism: below 2 where every force is inside its box.
 */
static double largest_excursion(const dt_interior_point *ip, const dt_friction_box *box, double mu)
{
    double largest = 0;
    for (int m = 0; m < ip->count; m++) {
        largest = fmax(largest, fabs(ip->a[freedom(ip, box, m)]) * half_width(ip, box, m) / mu);
    }
    return largest;
}

/* Puts x p = y n = mu at the present forces, moved away from their limits. */
static void center(dt_interior_point *ip, double mu)
{
    static const double margin = 0.02;
    for (int m = 0; m < ip->count; m++) {
        const double width = ip->x[m] + ip->y[m];
        ip->x[m] = fmin(fmax(ip->x[m], margin * width), (1 - margin) * width);
        ip->y[m] = width - ip->x[m];
        ip->p[m] = mu / ip->x[m];
        ip->n[m] = mu / ip->y[m];
    }
}

/*
 * A centred start, which nearly satisfies the equations of motion: for large mu the central path is
 * the damped mechanism. mu is raised until no force is far outside its box. Then x p = y n = mu
 * exactly: with f = middle + w z,
 *   mu / (1 + z) - mu / (1 - z) = a w,   so   z = -k / (1 + sqrt(1 + k^2)),  k = a w / mu.
 * Returns -1, or the node without inertia.
 */
static int start(dt_interior_point *ip, dt_friction_box *box, double *mu)
{
    static const double excursion = 10, growth = 10;
    int singular = power_scale(ip, box, mu);
    *mu = ip->level > 0 ? ip->level : *mu;
    for (int trial = 1; singular < 0; trial++) {
        singular = solve_damped(ip, box, *mu);
        const double largest = singular < 0 ? largest_excursion(ip, box, *mu) : 0;
        if (largest <= excursion || trial == most_trials) {
            break;
        }
        *mu *= growth * largest;
    }
    for (int m = 0; m < ip->count && singular < 0; m++) {
        const double w = half_width(ip, box, m), k = w * ip->a[freedom(ip, box, m)] / *mu;
        const double root = 1 + sqrt(1 + k * k);
        const double near = w * (root - fabs(k)) / root, far = w * (root + fabs(k)) / root;
        ip->x[m] = k > 0 ? near : far;
        ip->y[m] = k > 0 ? far : near;
        ip->p[m] = *mu / ip->x[m];
        ip->n[m] = *mu / ip->y[m];
    }
    return singular;
}

/* ---- Steps ---- */

/* The mean of x p and y n after a step. */
static double complementarity(const dt_interior_point *ip, double step)
{
    double sum = 0;
    for (int m = 0; m < ip->count; m++) {
        sum += (ip->x[m] + step * ip->df[m]) * (ip->p[m] + step * ip->dp[m]) +
               (ip->y[m] - step * ip->df[m]) * (ip->n[m] + step * ip->dn[m]);
    }
    return sum / (2 * ip->count);
}

/* The longest step at which nothing has become negative; may be more than 1. */
static double longest_step(const dt_interior_point *ip)
{
    double shrink = 0; /* the largest relative decrease */
    for (int m = 0; m < ip->count; m++) {
        shrink = fmax(shrink, -ip->df[m] / ip->x[m]);
        shrink = fmax(shrink, ip->df[m] / ip->y[m]);
        shrink = fmax(shrink, -ip->dp[m] / ip->p[m]);
        shrink = fmax(shrink, -ip->dn[m] / ip->n[m]);
    }
    return shrink > 0 ? 1 / shrink : INFINITY;
}

/*
 * Solves for the target x p = target - dx dp with the second-order terms of the step in df, dp, dn
 * (all zero for the predictor), and puts the step there in their place. Needs the factorisation of
 * the present d.
 */
static void aim(dt_interior_point *ip, dt_friction_box *box, double target)
{
    known_forces(ip, box);
    for (int m = 0; m < ip->count; m++) {
        const double below = target - ip->df[m] * ip->dp[m], above = target + ip->df[m] * ip->dn[m];
        const int v = freedom(ip, box, m);
        ip->tau[v] += force(ip, box, m) + ip->added[v] * (below / ip->x[m] - above / ip->y[m]);
    }
    dt_friction_box_transmit(box, ip->tau, ip->a);
    for (int m = 0; m < ip->count; m++) {
        const double below = target - ip->df[m] * ip->dp[m], above = target + ip->df[m] * ip->dn[m];
        const int v = freedom(ip, box, m);
        const double df = ip->added[v] * (below / ip->x[m] - above / ip->y[m] - ip->a[v]);
        ip->df[m] = df;
        ip->dp[m] = (below - ip->p[m] * df) / ip->x[m] - ip->p[m];
        ip->dn[m] = (above + ip->n[m] * df) / ip->y[m] - ip->n[m];
    }
}

static int factor_iteration(dt_interior_point *ip, dt_friction_box *box)
{
    for (int m = 0; m < ip->count; m++) {
        ip->added[freedom(ip, box, m)] = 1 / (ip->p[m] / ip->x[m] + ip->n[m] / ip->y[m]);
    }
    return factor(ip, box);
}

static void predict(dt_interior_point *ip, dt_friction_box *box)
{
    const size_t bytes = (size_t)ip->count * sizeof *ip->df;
    memset(ip->df, 0, bytes);
    memset(ip->dp, 0, bytes);
    memset(ip->dn, 0, bytes);
    aim(ip, box, 0);
}

/* The corrector step from the predictor in df, dp, dn; returns the new mu. */
static double correct(dt_interior_point *ip, dt_friction_box *box, double mu)
{
    const double ratio = complementarity(ip, fmin(1, longest_step(ip))) / mu;
    aim(ip, box, ratio * ratio * ratio * mu);
    const double longest = longest_step(ip),
                 step = fmin(1, (longest < 0.9 ? 0.95 : 0.99) * longest);
    for (int m = 0; m < ip->count; m++) {
        ip->x[m] += step * ip->df[m];
        ip->y[m] -= step * ip->df[m];
        ip->p[m] += step * ip->dp[m];
        ip->n[m] += step * ip->dn[m];
    }
    return complementarity(ip, 0);
}

/* ---- Reading off ---- */

/* Reads the sides off the predictor; returns how many changed. */
static int read_sides(dt_interior_point *ip)
{
    int changed = 0;
    for (int m = 0; m < ip->count; m++) {
        const signed char side = ip->df[m] < -0.5 * ip->x[m]  ? 1
                                 : ip->df[m] > 0.5 * ip->y[m] ? -1
                                                              : 0;
        changed += side != ip->side[m];
        ip->side[m] = side;
    }
    return changed;
}

static dt_settlement finish(const dt_interior_point *ip, dt_active_set *set, dt_friction_box *box,
                            dt_effort effort, int *singular)
{
    for (int m = 0; m < ip->count; m++) {
        box->side[ip->member[m]] = ip->side[m];
    }
    return dt_active_set_run(set, box, effort, singular);
}

/* ---- The iteration ---- */

/* How mu has come down. */
typedef struct descent {
    double mu;
    double before; /**< an iteration ago */
    double raise;  /**< the factor by which it is raised next */
    double gate;   /**< mu below which it is worth trying to finish */
    int slow;      /**< iterations in a row that did not halve it */
    bool decided;  /**< hardly a side has changed in the last one */
} descent;

static bool many_move(const dt_interior_point *ip)
{
    int moving = 0;
    for (int m = 0; m < ip->count; m++) {
        moving += ip->side[m] != 0;
    }
    return moving > ip->count / 10;
}

/*
 * Where mu is too small for forces that do not satisfy the equations of motion yet, steps are tiny:
 * then it is raised, more each time, and the forces start from where they are.
 */
static void raise_mu(dt_interior_point *ip, descent *d)
{
    d->mu *= d->raise;
    if (many_move(ip)) {
        d->mu = fmax(d->mu, ip->loose_scale);
    }
    d->raise *= 10;
    d->before = ip->level = d->mu;
    d->slow = 0;
    center(ip, d->mu);
}

/* Whether mu does not come down; counts from now on again. */
static bool is_stuck(descent *d)
{
    d->slow = d->mu > 0.5 * d->before ? d->slow + 1 : 0;
    d->before = d->mu;
    return d->slow >= most_slow;
}

dt_settlement dt_interior_point_run(dt_interior_point *ip, dt_active_set *set, dt_friction_box *box,
                                    int *singular)
{
    descent d = {.raise = 100, .gate = INFINITY};
    collect_members(ip, box);
    if (ip->count == 0) {
        return DT_UNSETTLED;
    }
    if ((*singular = start(ip, box, &d.mu)) >= 0) {
        return DT_SINGULAR;
    }
    d.before = d.mu;
    memset(ip->side, 2, (size_t)ip->count); /* as yet unread */
    for (int iteration = 0; iteration < most_iterations; iteration++) {
        if (dt_friction_box_is_stopped(box)) {
            return DT_STOPPED;
        }
        if ((*singular = factor_iteration(ip, box)) >= 0) {
            return DT_SINGULAR;
        }
        predict(ip, box);
        d.decided = read_sides(ip) <= few_changes + ip->count / 2000;
        if (d.decided && d.mu < d.gate) {
            const dt_settlement end = finish(ip, set, box, finishing, singular);
            if (end != DT_UNSETTLED) {
                return end;
            }
            d.gate = d.mu / 30;
            if ((*singular = factor(ip, box)) >= 0) {
                return DT_SINGULAR;
            }
        }
        d.mu = correct(ip, box, d.mu);
        if (is_stuck(&d)) {
            const dt_settlement end =
                d.decided ? finish(ip, set, box, persevering, singular) : DT_UNSETTLED;
            if (end != DT_UNSETTLED) {
                return end;
            }
            raise_mu(ip, &d);
        }
    }
    return finish(ip, set, box, persevering, singular);
}
