#include "stiction/friction_box.h"

#include <float.h>

bool dt_friction_box_create(dt_arena *arena, const dt_system *system, dt_friction_box *box)
{
    const detent_mechanism *m = system->mechanism;
    const size_t n = (size_t)system->tree->node_count, nv = (size_t)system->tree->nv;
    const size_t count = (size_t)m->stiction_count;
    *box = (dt_friction_box){.system = system, .count = m->stiction_count};
    box->node = dt_arena_alloc(arena, count, sizeof *box->node);
    box->freedom = dt_arena_alloc(arena, count, sizeof *box->freedom);
    box->kind = dt_arena_alloc(arena, count, sizeof *box->kind);
    box->limits = dt_arena_alloc(arena, count, sizeof *box->limits);
    box->side = dt_arena_alloc(arena, count, sizeof *box->side);
    box->f = dt_arena_alloc(arena, count, sizeof *box->f);
    box->a = dt_arena_alloc(arena, nv, sizeof *box->a);
    box->held = dt_arena_alloc(arena, n, sizeof *box->held);
    box->tau = dt_arena_alloc(arena, nv, sizeof *box->tau);
    box->transmitted = dt_arena_alloc(arena, nv, sizeof *box->transmitted);
    box->size = dt_arena_alloc(arena, n, sizeof *box->size);
    box->reach = dt_arena_alloc(arena, n, sizeof *box->reach);
    if (!box->node || !box->freedom || !box->kind || !box->limits || !box->side || !box->f ||
        !box->a || !box->held || !box->tau || !box->transmitted || !box->size || !box->reach) {
        return false;
    }
    dt_friction_box_bind(box, system, NULL);
    return true;
}

void dt_friction_box_bind(dt_friction_box *box, const dt_system *system, dt_aba *aba)
{
    const detent_mechanism *m = system->mechanism;
    box->system = system;
    box->aba = aba;
    box->sized = false;
    box->count = m->stiction_count;
    for (int k = 0; k < box->count; k++) {
        box->node[k] = m->stictions[k].primitive;
        box->freedom[k] = system->tree->nodes[box->node[k]].v;
        box->kind[k] = DT_FRICTION_RIGID;
    }
}

void dt_friction_box_hold(dt_friction_box *box, bool all_boxed_free)
{
    const dt_system *s = box->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        box->held[i] = s->motion_law[i].program != NULL;
    }
    for (int k = 0; k < box->count; k++) {
        box->held[box->node[k]] =
            box->kind[k] == DT_FRICTION_RIGID ||
            (box->kind[k] == DT_FRICTION_BOXED && box->side[k] == 0 && !all_boxed_free);
    }
}

void dt_friction_box_transmit(dt_friction_box *box, const double *tau, double *a)
{
    const dt_system *s = box->system;
    dt_aba_load load = {.tau = tau,
                        .held_a = s->prescribed,
                        .bias = true,
                        .external = (const double(*)[6])s->external};
    memcpy(load.gravity, s->gravity, sizeof load.gravity);
    dt_aba_solve(s->tree, s->motion, &load, box->aba, a, box->transmitted);
    box->solves++;
    box->sized = false;
}

int dt_friction_box_solve(dt_friction_box *box)
{
    const dt_system *s = box->system;
    dt_friction_box_hold(box, false);
    memcpy(box->tau, s->Q, (size_t)s->tree->nv * sizeof *box->tau);
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_BOXED && box->side[k] != 0) {
            box->f[k] = box->limits[k][box->side[k] < 0];
        }
        if (!box->held[box->node[k]]) {
            box->tau[box->freedom[k]] += box->f[k];
        }
    }
    const int singular = dt_aba_factor(s->tree, s->motion, box->held, NULL, box->aba);
    if (singular >= 0) {
        return singular;
    }
    dt_friction_box_transmit(box, box->tau, box->a);
    for (int k = 0; k < box->count; k++) {
        if (box->held[box->node[k]]) {
            box->f[k] = box->transmitted[box->freedom[k]] - s->Q[box->freedom[k]];
        }
    }
    return -1;
}

/** out += |I| |A| entry by entry. */
static void add_inertia_size(double out[6], const dt_inertia *I, const double A[6])
{
    double a[6], h[3], J[6];
    for (int k = 0; k < 6; k++) {
        a[k] = fabs(A[k]);
        J[k] = fabs(I->J[k]);
    }
    for (int k = 0; k < 3; k++) {
        h[k] = fabs(I->h[k]);
    }
    out[0] += J[0] * a[0] + J[3] * a[1] + J[4] * a[2] + h[1] * a[5] + h[2] * a[4];
    out[1] += J[3] * a[0] + J[1] * a[1] + J[5] * a[2] + h[2] * a[3] + h[0] * a[5];
    out[2] += J[4] * a[0] + J[5] * a[1] + J[2] * a[2] + h[0] * a[4] + h[1] * a[3];
    out[3] += I->m * a[3] + h[1] * a[2] + h[2] * a[1];
    out[4] += I->m * a[4] + h[2] * a[0] + h[0] * a[2];
    out[5] += I->m * a[5] + h[0] * a[1] + h[1] * a[0];
}

/** out += |V| x* |I| |V| entry by entry. */
static void add_gyroscopic_size(double out[6], const dt_inertia *I, const double V[6])
{
    double h[6] = {0};
    add_inertia_size(h, I, V);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] += V[i] * h[j] + V[j] * h[i] + V[3 + i] * h[3 + j] + V[3 + j] * h[3 + i];
        out[3 + k] += V[i] * h[3 + j] + V[j] * h[3 + i];
    }
}

/**
 * The largest terms, entry by entry, from which velocity and acceleration of each node were summed.
 * They may be large where the sums are small: a body that a joint leaves behind, and what is held to
 * it. A joint that moves takes the errors before it into its own acceleration.
 */
static void reach_outward(dt_friction_box *box)
{
    const dt_system *s = box->system;
    const double gravity = dt_norm3(s->gravity);
    for (int i = 0; i < s->tree->node_count; i++) {
        const int parent = s->tree->nodes[i].parent;
        const dt_motion *m = &s->motion[i];
        const double *A = box->aba->node[i].A;
        double *reach = box->reach[i];
        for (int k = 0; k < 6; k++) {
            const double Ap = parent >= 0 ? box->aba->node[parent].A[k] : 0;
            const bool inherits = parent >= 0 && box->held[i];
            const double before_V = inherits ? box->reach[parent][k] : 0;
            /* the field is in A, and A is nothing in free fall: so the field counts too */
            const double before_A = inherits ? box->reach[parent][6 + k] : k < 3 ? 0 : gravity;
            reach[k] = fmax(before_V, fmax(fabs(m->Sv[k]), fabs(m->V[k])));
            reach[6 + k] = fmax(before_A, fmax(fabs(A[k] - Ap), fabs(A[k])));
        }
    }
}

static void sum_sizes(dt_friction_box *box)
{
    const dt_system *s = box->system;
    reach_outward(box);
    memset(box->size, 0, (size_t)s->tree->node_count * sizeof *box->size);
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const int parent = s->tree->nodes[i].parent;
        for (int k = 0; k < 6 && s->external; k++) {
            box->size[i][k] += fabs(s->external[i][k]);
        }
        add_inertia_size(box->size[i], &s->motion[i].I, box->reach[i] + 6);
        add_gyroscopic_size(box->size[i], &s->motion[i].I, box->reach[i]);
        if (parent >= 0) {
            dt_add6(box->size[parent], box->size[i]);
        }
    }
    box->sized = true;
}

void dt_friction_box_measure(dt_friction_box *box)
{
    if (!box->sized) {
        sum_sizes(box);
    }
}

double dt_friction_box_size(dt_friction_box *box, int node, int column)
{
    const dt_system *s = box->system;
    const double *S = s->motion[node].S[column];
    const int v = s->tree->nodes[node].v + column;
    dt_friction_box_measure(box);
    double size = fabs(s->Q[v]) + fabs(s->tree->nodes[node].armature * box->a[v]);
    for (int k = 0; k < 6; k++) {
        size += fabs(S[k]) * box->size[node][k];
    }
    return size;
}

double dt_friction_box_rounding(const dt_friction_box *box)
{
    return 8 * DBL_EPSILON * sqrt(box->system->tree->node_count + 16.0);
}

double dt_friction_box_noise(dt_friction_box *box, int k)
{
    return dt_friction_box_rounding(box) * dt_friction_box_size(box, box->node[k], 0);
}

double dt_friction_box_inertia(const dt_friction_box *box, int k)
{
    return 1 / box->aba->freedom[box->freedom[k]].D;
}

/** A box without width: the joint may move either way with the same force. */
static bool is_frictionless(const dt_friction_box *box, int k)
{
    return box->limits[k][0] == box->limits[k][1];
}

double dt_friction_box_contradiction(dt_friction_box *box, int k)
{
    if (box->kind[k] != DT_FRICTION_BOXED) {
        return 0;
    }
    if (box->side[k] == 0) {
        const double beyond = fmax(box->f[k] - box->limits[k][1], box->limits[k][0] - box->f[k]);
        return beyond > 0 && beyond > DT_HELD_NOISES * dt_friction_box_noise(box, k) ? beyond : 0;
    }
    const double along = box->side[k] * box->a[box->freedom[k]] * dt_friction_box_inertia(box, k);
    const double noise = dt_friction_box_noise(box, k);
    if (along > (box->ties_may_move ? -noise : noise) ||
        (is_frictionless(box, k) && along < -noise)) {
        return 0;
    }
    return fmax(-along, DBL_MIN);
}

signed char dt_friction_box_opposite(const dt_friction_box *box, int k)
{
    if (box->side[k] != 0) {
        return 0;
    }
    return box->f[k] > box->limits[k][1] ? -1 : 1;
}
