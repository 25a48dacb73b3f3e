#include "stiction/friction_box.h"

#include "dynamics/scale.h"

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
    box->way = dt_arena_alloc(arena, count, sizeof *box->way);
    box->beyond = dt_arena_alloc(arena, system->closure ? count : 0, sizeof *box->beyond);
    box->f = dt_arena_alloc(arena, count, sizeof *box->f);
    box->a = dt_arena_alloc(arena, nv, sizeof *box->a);
    box->held = dt_arena_alloc(arena, n, sizeof *box->held);
    box->tau = dt_arena_alloc(arena, nv, sizeof *box->tau);
    box->transmitted = dt_arena_alloc(arena, nv, sizeof *box->transmitted);
    if (!box->node || !box->freedom || !box->kind || !box->limits || !box->side || !box->way ||
        !box->beyond || !box->f || !box->a || !box->held || !box->tau || !box->transmitted) {
        return false;
    }
    dt_friction_box_bind(box, system, NULL, NULL);
    return true;
}

void dt_friction_box_bind(dt_friction_box *box, const dt_system *system, dt_aba *aba,
                          dt_force_size *size)
{
    const detent_mechanism *m = system->mechanism;
    box->system = system;
    box->aba = aba;
    box->size = size;
    box->sized = false;
    box->count = m->stiction_count;
    for (int k = 0; k < box->count; k++) {
        box->node[k] = m->stictions[k].primitive;
        box->freedom[k] = system->tree->nodes[box->node[k]].v;
        box->kind[k] = DT_FRICTION_RIGID;
        box->way[k] = 0;
    }
}

void dt_friction_box_hold(dt_friction_box *box, bool all_boxed_free)
{
    const dt_system *s = box->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        box->held[i] = dt_is_prescribed(s, i);
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
                        .held_a = box->impulsive ? NULL : s->prescribed,
                        .bias = !box->impulsive,
                        .external = (const double(*)[6])s->external};
    memcpy(load.gravity, s->gravity, sizeof load.gravity);
    dt_aba_solve(s->tree, s->motion, &load, box->aba, a, box->transmitted);
    box->solves++;
    box->sized = false;
}

void dt_friction_box_drive(const dt_friction_box *box, double *tau)
{
    const size_t bytes = (size_t)box->system->tree->nv * sizeof *tau;
    if (box->impulsive) {
        memset(tau, 0, bytes);
    } else {
        memcpy(tau, box->system->Q, bytes);
    }
}

int dt_friction_box_factor(dt_friction_box *box)
{
    const dt_system *s = box->system;
    dt_friction_box_hold(box, false);
    return dt_aba_factor(s->tree, s->motion, box->held, NULL, box->aba);
}

int dt_friction_box_solve(dt_friction_box *box)
{
    const dt_system *s = box->system;
    if (box->solver && !box->impulsive) {
        return box->solver(box->solver_context, box);
    }
    memset(box->way, 0, (size_t)box->count);
    dt_friction_box_hold(box, false);
    dt_friction_box_drive(box, box->tau);
    for (int k = 0; k < box->count; k++) {
        if (box->kind[k] == DT_FRICTION_BOXED && box->side[k] != 0) {
            box->f[k] = box->limits[k][box->side[k] < 0];
        }
        if (!box->held[box->node[k]]) {
            box->tau[box->freedom[k]] += box->f[k];
        }
    }
    const int singular = dt_friction_box_factor(box);
    if (singular >= 0) {
        return singular;
    }
    dt_friction_box_transmit(box, box->tau, box->a);
    for (int k = 0; k < box->count; k++) {
        if (box->held[box->node[k]]) {
            box->f[k] =
                box->transmitted[box->freedom[k]] - (box->impulsive ? 0 : s->Q[box->freedom[k]]);
        }
    }
    return -1;
}

void dt_friction_box_measure(dt_friction_box *box)
{
    if (!box->sized) {
        box->size->impulsive = box->impulsive;
        dt_force_size_update(box->system, box->aba->node[0].A,
                             sizeof *box->aba->node / sizeof(double), box->held, box->size);
        box->sized = true;
    }
}

double dt_friction_box_size(dt_friction_box *box, int node, int column)
{
    dt_friction_box_measure(box);
    return dt_force_size_of(box->size, box->system, box->a, node, column);
}

double dt_friction_box_rounding(const dt_friction_box *box)
{
    return dt_force_rounding(box->system->tree);
}

double dt_friction_box_noise(dt_friction_box *box, int k)
{
    const double size = dt_friction_box_size(box, box->node[k], 0);
    return box->impulsive ? dt_friction_box_rounding(box) * size
                          : dt_force_noise(box->system, box->freedom[k], size);
}

/* The slack of a coupling has the inertia of those that it couples and that move, seen from there: by itself it has next to none. */
static double mobility_of_coupled(const dt_friction_box *box, const dt_transmission *of)
{
    double inverse = 0;
    for (int n = 0; n < of->count; n++) {
        const int i = of->joint[n];
        if (i != of->slack && !dt_is_prescribed(box->system, i) && !box->held[i]) {
            inverse +=
                of->factor[n] * of->factor[n] * box->aba->freedom[box->system->tree->nodes[i].v].D;
        }
    }
    return inverse;
}

double dt_friction_box_inertia(const dt_friction_box *box, int k)
{
    const dt_transmission *of = dt_slack_of(box->system->mechanism, box->node[k]);
    const double mobility = of ? mobility_of_coupled(box, of) : 0;
    return 1 / (mobility > 0 ? mobility : box->aba->freedom[box->freedom[k]].D);
}

/* A box without width: the joint may move either way with the same force. */
static bool is_frictionless(const dt_friction_box *box, int k)
{
    return box->limits[k][0] == box->limits[k][1];
}

/* By how much joint k contradicts its side, which may be 0, N or N m; negative where it does not. */
static double beyond(dt_friction_box *box, int k)
{
    if (box->kind[k] != DT_FRICTION_BOXED) {
        return -1;
    }
    if (box->side[k] == 0) {
        const double off = fmax(box->f[k] - box->limits[k][1], box->limits[k][0] - box->f[k]);
        return off > 0 && off > DT_TOLERATED_NOISES * dt_friction_box_noise(box, k) ? off : -1;
    }
    const double along = box->side[k] * box->a[box->freedom[k]] * dt_friction_box_inertia(box, k);
    const double noise = dt_friction_box_noise(box, k);
    if (along > (box->ties_may_move ? -DT_TOLERATED_NOISES * noise : noise) ||
        (is_frictionless(box, k) && along < -noise)) {
        return -1;
    }
    return fmax(-along, 0);
}

/* Whether joint k gives way together with others, as a solution says. */
static bool goes_along(const dt_friction_box *box, int k)
{
    return box->kind[k] == DT_FRICTION_BOXED && box->side[k] == 0 && box->way[k] != 0;
}

double dt_friction_box_contradiction(dt_friction_box *box, int k)
{
    if (goes_along(box, k)) {
        const double width = dt_limits_width(box->limits[k]);
        return fmin(fmax(box->beyond[k] * width, DBL_MIN), DBL_MAX);
    }
    const double size = beyond(box, k);
    return size < 0 ? 0 : fmax(size, DBL_MIN);
}

double dt_friction_box_share(dt_friction_box *box, int k)
{
    if (goes_along(box, k)) {
        return box->beyond[k];
    }
    /* in widths first: what is nothing, and still counts, is the same whatever forces are measured in */
    const double size = beyond(box, k), width = dt_limits_width(box->limits[k]);
    return size < 0 ? 0 : width > 0 ? fmax(size / width, DBL_MIN) : INFINITY;
}

signed char dt_friction_box_opposite(const dt_friction_box *box, int k)
{
    if (box->side[k] != 0 || box->way[k] != 0) {
        return box->side[k] != 0 ? 0 : box->way[k];
    }
    return box->f[k] > box->limits[k][1] ? -1 : 1;
}
