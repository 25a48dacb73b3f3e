#include "support_oracle.h"

#include "dynamics/crba.h"
#include "dynamics/rnea.h"

#include <math.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* ---- A mechanism at one instant ---- */

void support_bench_open(support_bench *b, detent_mechanism *mechanism, support_random *random,
                        double moving)
{
    memset(b, 0, sizeof *b);
    b->mechanism = mechanism;
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, mechanism, &b->system, NULL), DETENT_OK);
    assert_int_equal(dt_system_create(&b->arena, mechanism, &b->probe, NULL), DETENT_OK);
    b->newton = dt_newton_create(&b->arena, &b->system, DETENT_LINEAR_SOLVER_TREE);
    b->search = dt_search_create(&b->arena, &b->system, false);
    assert_non_null(b->newton);
    assert_non_null(b->search);
    assert_true(mechanism->tree.nv <= SUPPORT_MAX_NV &&
                mechanism->stiction_count <= SUPPORT_MAX_JOINTS);
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

void support_bench_close(support_bench *b)
{
    dt_arena_free(&b->arena);
    support_free(b->mechanism);
}

void support_bench_set(support_bench *b, support_random *random)
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

detent_status support_bench_search(support_bench *b, dt_search_result *result, detent_error *error)
{
    const dt_search_request request = {.decree = NULL};
    return dt_search_run(b->search, &b->system, b->newton, &request, result, error);
}

/* ---- Equations ---- */

void support_oracle_open(support_oracle *o, support_bench *b, bool loads_matter)
{
    const detent_mechanism *m = b->mechanism;
    const dt_tree *tree = &m->tree;
    dt_inertia composite[64];
    double A[64][6], F[64][6], none[SUPPORT_MAX_NV] = {0};
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
static bool solve_sides(support_oracle *o)
{
    double right[SUPPORT_MAX_NV], A[SUPPORT_MAX_NV * SUPPORT_MAX_NV], x[SUPPORT_MAX_NV];
    int unknown[SUPPORT_MAX_NV], n = 0;
    bool held[SUPPORT_MAX_NV] = {false};
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

/* ---- The rule ---- */

/** Friction of joints that move already, at the probe's readings. */
static void set_moving_friction(support_oracle *o)
{
    dt_system_forces(o->s);
    for (int k = 0; k < o->count; k++) {
        if (!o->candidate[k]) {
            const int s = o->s->direction[k];
            o->f[k] = -s * dt_system_kinetic(o->s, k, s);
        }
    }
}

static void kinetic_box(support_oracle *o, int k, double box[2])
{
    box[0] = -dt_system_kinetic(o->s, k, 1);
    box[1] = dt_system_kinetic(o->s, k, -1);
}

/** The distance by which the solved sides satisfy boxes: negative where they are contradicted. */
static double margin_in_boxes(const support_oracle *o, double box[][2])
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
static bool next_sides(support_oracle *o)
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

static void first_sides(support_oracle *o)
{
    for (int k = 0; k < o->count; k++) {
        o->side[k] = o->candidate[k] ? -1 : 0;
    }
}

/** The best of all sets of sides in fixed boxes. Its margin is positive unless two sets touch. */
static double best_in_boxes(support_oracle *o, double box[][2])
{
    support_oracle best = *o;
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
static void read_boxes(support_oracle *o, const bool *released, double box[][2])
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
static double settle_round(support_oracle *o, const bool *released)
{
    double box[SUPPORT_MAX_JOINTS][2], before[SUPPORT_MAX_NV], margin = NAN;
    for (int sweep = 0; sweep < (o->loads_matter ? 400 : 1); sweep++) {
        memcpy(before, o->a, sizeof before);
        double f_before[SUPPORT_MAX_JOINTS], change = 0;
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
static bool lock_all(support_oracle *o)
{
    memset(o->side, 0, sizeof o->side);
    for (int sweep = 0; sweep < 400; sweep++) {
        double before[SUPPORT_MAX_NV], change = 0;
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

double support_oracle_rule(support_oracle *o)
{
    bool released[SUPPORT_MAX_JOINTS] = {false};
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

/* ---- Consistent states ---- */

/**
 * Whether the present sides make a consistent state: locked within static limits, moving with
 * kinetic friction. Loads are swept from those at which everything is locked.
 */
static bool is_consistent(support_oracle *o)
{
    double box[SUPPORT_MAX_JOINTS][2];
    bool released[SUPPORT_MAX_JOINTS] = {false};
    const support_oracle sides = *o;
    if (o->loads_matter && !lock_all(o)) {
        return false;
    }
    memcpy(o->side, sides.side, sizeof o->side);
    for (int sweep = 0; sweep < (o->loads_matter ? 400 : 1); sweep++) {
        double before[SUPPORT_MAX_NV], change = 0;
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

bool support_oracle_agrees(support_oracle *o, const dt_system *s)
{
    double box[SUPPORT_MAX_JOINTS][2];
    bool released[SUPPORT_MAX_JOINTS] = {false};
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

size_t support_oracle_count(const support_oracle *start, const int *chosen, bool *among)
{
    support_oracle o = *start;
    size_t count = 0;
    *among = false;
    first_sides(&o);
    do {
        support_oracle trial = o;
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
