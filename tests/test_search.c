/* The mode search against an oracle that shares nothing with it: dense matrices from CRBA and
 * RNEA, every set of modes tried, the rule of docs/mode-search.md written a second time with one
 * enumeration a round. */

#include "support_trees.h"

#include "dynamics/crba.h"
#include "dynamics/rnea.h"
#include "stiction/mode_search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { max_nv = 20, max_joints = 8 };

/* ---- A mechanism at one instant, ready to search ---- */

typedef struct bench {
    dt_arena arena;
    detent_mechanism *mechanism;
    dt_system system, probe; /* the probe serves the oracle's own evaluation of laws */
    dt_newton *newton;
    dt_search *search;
    double q[64], v[64];
    signed char mode[max_joints], direction[max_joints]; /* of joints that move at the start */
} bench;

/** Some joints move, with probability `moving`; the others are at rest. */
static void open_bench(bench *b, detent_mechanism *mechanism, support_random *random, double moving)
{
    memset(b, 0, sizeof *b);
    b->mechanism = mechanism;
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, mechanism, &b->system, NULL), DETENT_OK);
    assert_int_equal(dt_system_create(&b->arena, mechanism, &b->probe, NULL), DETENT_OK);
    b->newton = dt_newton_create(&b->arena, &b->system, DETENT_LINEAR_SOLVER_TREE);
    b->search = dt_search_create(&b->arena, &b->system);
    assert_non_null(b->newton);
    assert_non_null(b->search);
    assert_true(mechanism->tree.nv <= max_nv && mechanism->stiction_count <= max_joints);
    support_random_pose(&mechanism->tree, random, b->q);
    for (int i = 0; i < mechanism->primitive_count; i++) {
        const dt_node *node = &mechanism->tree.nodes[i];
        const int k = mechanism->primitives[i].stiction;
        for (int j = 0; j < node->type->nv; j++) {
            const bool moves = k < 0 || support_chance(random, moving);
            b->v[node->v + j] = moves ? support_uniform(random, -2, 2) : 0;
        }
        if (k >= 0) {
            const double v = b->v[node->v];
            b->mode[k] = v == 0 ? DETENT_LOCKED : DETENT_UNLOCKED;
            b->direction[k] = (signed char)((v > 0) - (v < 0));
        }
    }
}

static void close_bench(bench *b)
{
    dt_arena_free(&b->arena);
    support_free(b->mechanism);
}

/**
 * Sets the state, and modes to start from: random ones for joints at rest, if `random` is given.
 */
static void set_instant(bench *b, support_random *random)
{
    for (int k = 0; k < b->mechanism->stiction_count; k++) {
        b->system.mode[k] = b->mode[k];
        b->system.direction[k] = b->direction[k];
        if (random && b->mode[k] == DETENT_LOCKED) {
            b->system.direction[k] = (signed char)(support_below(random, 3) - 1);
            b->system.mode[k] = b->system.direction[k] ? DETENT_WAIT : DETENT_LOCKED;
        }
    }
    dt_system_set_state(&b->system, 0, b->q, b->v);
}

static detent_status run(bench *b, const signed char *decree, dt_search_result *result,
                         detent_error *error)
{
    const dt_search_request request = {.decree = decree};
    return dt_search_run(b->search, &b->system, b->newton, &request, result, error);
}

/* ---- The oracle ---- */

/** M a + h = Q + f, and what is known of each freedom. */
typedef struct oracle {
    dt_system *s;
    int nv, count;
    double M[max_nv * max_nv], h[max_nv];
    bool prescribed[max_nv];
    int freedom[max_joints]; /* of each stiction */
    bool candidate[max_joints];
    bool loads_matter;
    /* a set of modes and its solution */
    int side[max_joints];
    double a[max_nv], f[max_joints];
} oracle;

static void open_oracle(oracle *o, bench *b, bool loads_matter)
{
    const detent_mechanism *m = b->mechanism;
    const dt_tree *tree = &m->tree;
    dt_inertia composite[64];
    double A[64][6], F[64][6], none[max_nv] = {0};
    memset(o, 0, sizeof *o);
    o->s = &b->probe;
    o->nv = tree->nv;
    o->count = m->stiction_count;
    o->loads_matter = loads_matter;
    memcpy(o->s->mode, b->mode, sizeof b->mode[0] * (size_t)o->count);
    memcpy(o->s->direction, b->direction, sizeof b->direction[0] * (size_t)o->count);
    dt_system_set_state(o->s, 0, b->q, b->v);
    dt_crba(tree, o->s->motion, composite, o->M);
    dt_rnea(tree, o->s->motion, o->s->gravity, none, NULL, A, F, o->h);
    for (int i = 0; i < m->primitive_count; i++) {
        o->prescribed[tree->nodes[i].v] = tree->nodes[i].type->nv == 1 && m->primitives[i].motion;
    }
    for (int k = 0; k < o->count; k++) {
        o->freedom[k] = tree->nodes[m->stictions[k].primitive].v;
        o->candidate[k] = b->mode[k] == DETENT_LOCKED;
    }
}

/** x = A^-1 x, Gauss with partial pivoting. */
static bool solve_dense(int n, double *A, double *x)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++) {
            pivot = fabs(A[r * n + c]) > fabs(A[pivot * n + c]) ? r : pivot;
        }
        if (A[pivot * n + c] == 0) {
            return false;
        }
        for (int k = 0; k < n && pivot != c; k++) {
            const double t = A[c * n + k];
            A[c * n + k] = A[pivot * n + k];
            A[pivot * n + k] = t;
        }
        const double t = x[c];
        x[c] = x[pivot];
        x[pivot] = t;
        for (int r = c + 1; r < n; r++) {
            const double factor = A[r * n + c] / A[c * n + c];
            for (int k = c; k < n; k++) {
                A[r * n + k] -= factor * A[c * n + k];
            }
            x[r] -= factor * x[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) {
            x[r] -= A[r * n + k] * x[k];
        }
        x[r] /= A[r * n + r];
    }
    return true;
}

/** Solves for a, and f of the joints held, given the sides of candidates and f of all others. */
static bool solve_sides(oracle *o)
{
    double right[max_nv], A[max_nv * max_nv], x[max_nv];
    int unknown[max_nv], n = 0;
    bool held[max_nv] = {false};
    for (int j = 0; j < o->nv; j++) {
        right[j] = o->s->Q[j] - o->h[j];
        held[j] = o->prescribed[j];
        o->a[j] = o->s->prescribed[j];
    }
    for (int k = 0; k < o->count; k++) {
        held[o->freedom[k]] = o->candidate[k] && o->side[k] == 0;
        right[o->freedom[k]] += held[o->freedom[k]] ? 0 : o->f[k];
    }
    for (int j = 0; j < o->nv; j++) {
        if (!held[j]) {
            unknown[n++] = j;
        }
    }
    for (int r = 0; r < n; r++) {
        x[r] = right[unknown[r]];
        for (int j = 0; j < o->nv; j++) {
            x[r] -= held[j] ? o->M[unknown[r] * o->nv + j] * o->a[j] : 0;
        }
        for (int c = 0; c < n; c++) {
            A[r * n + c] = o->M[unknown[r] * o->nv + unknown[c]];
        }
    }
    if (!solve_dense(n, A, x)) {
        return false;
    }
    for (int r = 0; r < n; r++) {
        o->a[unknown[r]] = x[r];
    }
    for (int k = 0; k < o->count; k++) {
        const int v = o->freedom[k];
        if (held[v]) {
            o->f[k] = o->h[v] - o->s->Q[v];
            for (int j = 0; j < o->nv; j++) {
                o->f[k] += o->M[v * o->nv + j] * o->a[j];
            }
        }
    }
    return true;
}

/** Friction of joints that move already, at the probe's readings. */
static void set_moving_friction(oracle *o)
{
    dt_system_forces(o->s);
    for (int k = 0; k < o->count; k++) {
        if (!o->candidate[k]) {
            const int s = o->s->direction[k];
            o->f[k] = -s * dt_system_kinetic(o->s, k, s);
        }
    }
}

static void kinetic_box(oracle *o, int k, double box[2])
{
    box[0] = -dt_system_kinetic(o->s, k, 1);
    box[1] = dt_system_kinetic(o->s, k, -1);
}

/** The distance by which the solved sides satisfy boxes: negative where they are contradicted. */
static double margin_in_boxes(const oracle *o, double box[][2])
{
    double margin = INFINITY;
    for (int k = 0; k < o->count; k++) {
        if (!o->candidate[k]) {
            continue;
        }
        const double own = o->side[k] == 0 ? fmin(box[k][1] - o->f[k], o->f[k] - box[k][0])
                                           : o->side[k] * o->a[o->freedom[k]];
        margin = fmin(margin, own);
    }
    return margin;
}

/** The next set of sides of the candidates, counting in base three; false after the last. */
static bool next_sides(oracle *o)
{
    for (int k = 0; k < o->count; k++) {
        if (!o->candidate[k]) {
            continue;
        }
        if (++o->side[k] <= 1) {
            return true;
        }
        o->side[k] = -1;
    }
    return false;
}

static void first_sides(oracle *o)
{
    for (int k = 0; k < o->count; k++) {
        o->side[k] = o->candidate[k] ? -1 : 0;
    }
}

/** The best of all sets of sides in fixed boxes. Its margin is positive unless two sets touch. */
static double best_in_boxes(oracle *o, double box[][2])
{
    oracle best = *o;
    double margin = -INFINITY;
    first_sides(o);
    do {
        for (int k = 0; k < o->count; k++) {
            if (o->candidate[k] && o->side[k]) {
                o->f[k] = box[k][o->side[k] < 0];
            }
        }
        if (solve_sides(o) && margin_in_boxes(o, box) > margin) {
            margin = margin_in_boxes(o, box);
            best = *o;
        }
    } while (next_sides(o));
    *o = best;
    return margin;
}

/** Boxes at the present readings. */
static void read_boxes(oracle *o, const bool *released, double box[][2])
{
    for (int k = 0; k < o->count; k++) {
        if (!o->candidate[k]) {
            continue;
        }
        if (released[k]) {
            kinetic_box(o, k, box[k]);
        } else {
            o->s->direction[k] = 0;
            dt_system_limits(o->s, k, box[k]);
        }
    }
}

/**
 * One round: the best sides, swept until the loads agree with them. The smallest margin met, or
 * NaN.
 */
static double settle_round(oracle *o, const bool *released)
{
    double box[max_joints][2], before[max_nv], margin = NAN;
    for (int sweep = 0; sweep < (o->loads_matter ? 400 : 1); sweep++) {
        memcpy(before, o->a, sizeof before);
        double f_before[max_joints], change = 0;
        memcpy(f_before, o->f, sizeof f_before);
        set_moving_friction(o);
        read_boxes(o, released, box);
        margin = best_in_boxes(o, box);
        dt_system_set_acceleration(o->s, o->a, o->f);
        for (int j = 0; j < o->nv; j++) {
            change = fmax(change, fabs(o->a[j] - before[j]) / (1 + fabs(o->a[j])));
        }
        for (int k = 0; k < o->count; k++) {
            change = fmax(change, fabs(o->f[k] - f_before[k]) / (1 + fabs(o->f[k])));
        }
        if (!o->loads_matter || change < 1e-14) {
            return margin;
        }
    }
    return NAN;
}

/**
 * The readings that the first round starts from: everything locked that may be. False if they
 * diverge.
 */
static bool lock_all(oracle *o)
{
    memset(o->side, 0, sizeof o->side);
    for (int sweep = 0; sweep < 400; sweep++) {
        double before[max_nv], change = 0;
        memcpy(before, o->a, sizeof before);
        set_moving_friction(o);
        if (!solve_sides(o)) {
            return false;
        }
        dt_system_set_acceleration(o->s, o->a, o->f);
        for (int j = 0; j < o->nv; j++) {
            change = fmax(change, fabs(o->a[j] - before[j]) / (1 + fabs(o->a[j])));
        }
        if (sweep > 0 && change < 1e-14) {
            return true;
        }
    }
    return false;
}

/** The rule. The smallest margin of all rounds, or NaN where the loads do not converge. */
static double apply_rule(oracle *o)
{
    bool released[max_joints] = {false};
    double smallest = INFINITY;
    if (o->loads_matter && !lock_all(o)) {
        return NAN;
    }
    for (;;) {
        bool any = false;
        smallest = fmin(smallest, settle_round(o, released));
        if (isnan(smallest)) {
            return NAN;
        }
        for (int k = 0; k < o->count; k++) {
            if (o->candidate[k] && o->side[k] && !released[k]) {
                released[k] = any = true;
            }
        }
        if (!any) {
            return smallest;
        }
    }
}

/**
 * Whether the present sides make a consistent state: locked within static limits, moving with
 * kinetic friction. Loads are swept from those at which everything is locked.
 */
static bool is_consistent(oracle *o)
{
    double box[max_joints][2];
    bool released[max_joints] = {false};
    const oracle sides = *o;
    if (o->loads_matter && !lock_all(o)) {
        return false;
    }
    memcpy(o->side, sides.side, sizeof o->side);
    for (int sweep = 0; sweep < (o->loads_matter ? 400 : 1); sweep++) {
        double before[max_nv], change = 0;
        memcpy(before, o->a, sizeof before);
        set_moving_friction(o);
        for (int k = 0; k < o->count; k++) {
            if (o->candidate[k] && o->side[k]) {
                o->f[k] = -o->side[k] * dt_system_kinetic(o->s, k, o->side[k]);
            }
        }
        if (!solve_sides(o)) {
            return false;
        }
        dt_system_set_acceleration(o->s, o->a, o->f);
        for (int j = 0; j < o->nv; j++) {
            change = fmax(change, fabs(o->a[j] - before[j]) / (1 + fabs(o->a[j])));
        }
        if (sweep > 0 && change < 1e-13) {
            break;
        }
        if (sweep == 399) {
            return false;
        }
    }
    read_boxes(o, released, box);
    return margin_in_boxes(o, box) >= -1e-9;
}

/** Whether a, f and the sides that the search left satisfy every equation and inequality. */
static bool satisfies_all(oracle *o, const dt_system *s)
{
    double box[max_joints][2];
    bool released[max_joints] = {false};
    memcpy(o->a, s->a, (size_t)o->nv * sizeof *s->a);
    memcpy(o->f, s->f, (size_t)o->count * sizeof *s->f);
    for (int k = 0; k < o->count; k++) {
        o->side[k] = o->candidate[k] ? s->direction[k] : 0;
    }
    dt_system_set_acceleration(o->s, o->a, o->f);
    dt_system_forces(o->s);
    for (int j = 0; j < o->nv; j++) {
        double residual = o->h[j] - o->s->Q[j], size = fabs(o->h[j]) + fabs(o->s->Q[j]);
        for (int c = 0; c < o->nv; c++) {
            residual += o->M[j * o->nv + c] * o->a[c];
            size += fabs(o->M[j * o->nv + c] * o->a[c]);
        }
        for (int k = 0; k < o->count; k++) {
            residual -= o->freedom[k] == j ? o->f[k] : 0;
        }
        if (!o->prescribed[j] && fabs(residual) > 1e-11 * size) {
            return false;
        }
    }
    read_boxes(o, released, box);
    for (int k = 0; k < o->count; k++) {
        const int side = o->candidate[k] ? o->side[k] : s->direction[k];
        const double friction = -side * dt_system_kinetic(o->s, k, side);
        if (side != 0 && fabs(o->f[k] - friction) > 1e-11 * (1 + fabs(friction))) {
            return false;
        }
    }
    return margin_in_boxes(o, box) >= -1e-9;
}

static size_t count_consistent(const oracle *start, const int *chosen, bool *among)
{
    oracle o = *start;
    size_t count = 0;
    *among = false;
    first_sides(&o);
    do {
        oracle trial = o;
        if (!is_consistent(&trial)) {
            continue;
        }
        bool same = true;
        for (int k = 0; k < o.count; k++) {
            same = same && (!o.candidate[k] || o.side[k] == chosen[k]);
        }
        *among = *among || same;
        count++;
    } while (next_sides(&o));
    return count;
}

/* ---- Tests ---- */

typedef struct tally {
    size_t mechanisms, touching, diverging, several, none, solves, rounds, interior_points;
} tally;

/** Largest difference of two accelerations or forces, relative to their size. */
static double difference(const double *x, const double *y, int count)
{
    double size = 1, largest = 0;
    for (int k = 0; k < count; k++) {
        size = fmax(size, fabs(y[k]));
        largest = fmax(largest, fabs(x[k] - y[k]));
    }
    return largest / size;
}

static void compare(bench *b, support_random *random, bool loads_matter, tally *t)
{
    oracle o;
    dt_search_result result;
    detent_error error = {0};
    int chosen[max_joints];
    bool among;
    open_oracle(&o, b, loads_matter);
    const double margin = apply_rule(&o);
    t->mechanisms++;
    if (isnan(margin)) {
        t->diverging++;
        return;
    }
    set_instant(b, random);
    if (margin < 1e-8) { /* two sets of modes touch: both are right */
        t->touching++;
        return;
    }
    const detent_status status = run(b, NULL, &result, &error);
    if (status != DETENT_OK) {
        print_message("%s\n", error.message);
    }
    assert_int_equal(status, DETENT_OK);
    t->solves += result.solves;
    t->rounds += result.rounds;
    t->interior_points += result.interior_points;
    for (int k = 0; k < o.count; k++) {
        chosen[k] = o.candidate[k] ? b->system.direction[k] : 0;
        if (o.candidate[k]) {
            assert_int_equal(b->system.mode[k], o.side[k] ? DETENT_WAIT : DETENT_LOCKED);
            assert_int_equal(b->system.direction[k], o.side[k]);
        }
    }
    assert_true(difference(b->system.a, o.a, o.nv) < 1e-9);
    assert_true(difference(b->system.f, o.f, o.count) < 1e-9);
    const size_t count = count_consistent(&o, chosen, &among);
    assert_true(among);
    assert_true(satisfies_all(&o, &b->system));
    t->several += count > 1;
}

static void report(const char *what, const tally *t)
{
    print_message(
        "%s: %zu mechanisms, %zu with several consistent states, %zu where two sets of modes "
        "touch, "
        "%zu whose loads diverge; %.2f solves and %.2f rounds a search, %zu interior points\n",
        what, t->mechanisms, t->several, t->touching, t->diverging,
        (double)t->solves / (double)t->mechanisms, (double)t->rounds / (double)t->mechanisms,
        t->interior_points);
    assert_true(t->touching < t->mechanisms / 50);
}

static void compare_many(const char *what, support_tree_def def, int mechanisms, double moving,
                         uint64_t seed)
{
    support_random random = {seed};
    tally t = {0};
    const bool loads_matter = def.load_dependent > 0;
    const int most = def.nodes;
    for (int k = 0; k < mechanisms; k++) {
        bench b;
        def.nodes = 1 + support_below(&random, most);
        open_bench(&b, support_random_tree(&def, &random), &random, moving);
        compare(&b, &random, loads_matter, &t);
        close_bench(&b);
    }
    report(what, &t);
    assert_true(t.diverging < t.mechanisms / 20);
}

static void static_equals_kinetic(void **state)
{
    (void)state;
    support_tree_def def = support_default_tree(6);
    def.weld = 0.1;
    compare_many("static = kinetic", def, 1500, 0, 11);
    def.spherical = 0.15;
    def.stiction = 0.8;
    def.spring = 5;
    def.damper = 2;
    compare_many("static = kinetic, some moving", def, 1500, 0.3, 12);
}

static void static_exceeds_kinetic(void **state)
{
    (void)state;
    support_tree_def def = support_default_tree(6);
    def.ratio[1] = 2;
    compare_many("static > kinetic", def, 1500, 0, 21);
    def.asymmetric = 0.6;
    def.stiction = 0.8;
    def.prescribed = 0.5;
    compare_many("static > kinetic, asymmetric, some moving or prescribed", def, 1500, 0.3, 22);
    def.ratio[0] = 2;
    def.ratio[1] = 6;
    def.friction[0] = 2;
    def.friction[1] = 4;
    compare_many("static >> kinetic", def, 1000, 0.1, 23);
}

static void load_dependent_friction(void **state)
{
    (void)state;
    support_tree_def def = support_default_tree(4);
    def.load_dependent = 0.6;
    def.mu[0] = 0.01;
    def.mu[1] = 0.1;
    compare_many("mu times reaction", def, 800, 0, 31);
    def.ratio[0] = 1;
    def.ratio[1] = 2;
    compare_many("mu times reaction, static > kinetic, some moving", def, 800, 0.3, 32);
}

typedef struct verdicts {
    size_t found, refused, most_solves;
} verdicts;

/** What the search finds satisfies everything; what it refuses it names. */
static verdicts search_loaded(double least_mu, double largest_mu, int mechanisms, uint64_t seed)
{
    support_random random = {seed};
    support_tree_def def = support_default_tree(3);
    verdicts v = {0};
    def.load_dependent = 1;
    def.mu[0] = least_mu;
    def.mu[1] = largest_mu;
    def.massless = 0;
    for (int k = 0; k < mechanisms; k++) {
        bench b;
        oracle o;
        dt_search_result result;
        detent_error error = {0};
        def.nodes = 1 + support_below(&random, 3);
        open_bench(&b, support_random_tree(&def, &random), &random, 0);
        open_oracle(&o, &b, true);
        set_instant(&b, NULL);
        if (run(&b, NULL, &result, &error) == DETENT_OK) {
            assert_true(satisfies_all(&o, &b.system));
            v.found++;
        } else {
            assert_int_equal(error.status, DETENT_NO_CONSISTENT_STATE);
            assert_non_null(strstr(error.message, "no consistent state at t = 0 s"));
            assert_non_null(strstr(error.message, "'joint"));
            assert_non_null(strstr(error.message, "margin"));
            v.refused++;
        }
        v.most_solves = result.solves > v.most_solves ? result.solves : v.most_solves;
        close_bench(&b);
    }
    print_message("mu up to %g: %zu found, %zu refused, at most %zu solves\n", largest_mu, v.found,
                  v.refused, v.most_solves);
    return v;
}

/**
 * Friction that changes the reaction it depends on a great deal: mu in m for revolute joints
 * between bodies of half a metre.
 */
static void strong_friction(void **state)
{
    (void)state;
    assert_int_equal(search_loaded(0.1, 0.4, 1500, 41).refused, 0);
    assert_true(search_loaded(0.4, 1, 1500, 42).refused < 15);
    search_loaded(1, 10, 1500, 43);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_equals_kinetic),
        cmocka_unit_test(static_exceeds_kinetic),
        cmocka_unit_test(load_dependent_friction),
        cmocka_unit_test(strong_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
