#include "analysis/equilibrium_step.h"
#include "analysis/equilibrium_stops.h"

#include "dynamics/closure_parts.h"
#include "math/lapack.h"
#include "math/rotation.h"

#include "base/error.h"

#include <float.h>

/* ---- set-up ---- */

detent_status dt_equilibrium_create(dt_arena *arena, dt_analysis *analysis, dt_equilibrium_work *n,
                                    detent_error *error)
{
    const dt_system *s = &analysis->system;
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv,
                 own = (size_t)s->mechanism->state_count, most = nv + own,
                 ns = (size_t)s->mechanism->stiction_count;
    *n = (dt_equilibrium_work){.arena = arena, .analysis = analysis};
    const detent_status status = dt_rest_create(arena, analysis, &n->rest, error);
    if (status) {
        return status;
    }
#define TAKE(member, size) ((n->member = dt_arena_alloc(arena, (size), sizeof *n->member)) != NULL)
    const bool good =
        TAKE(g, most) && TAKE(g_before, most) && TAKE(weight, most) && TAKE(J, most * most) &&
        TAKE(T, nv * most) && TAKE(F, most) && TAKE(noise, most) && TAKE(rate_noise, own) &&
        TAKE(size, most) && TAKE(unknown, most) && TAKE(value, most) && TAKE(matrix, most * most) &&
        TAKE(x, most) && TAKE(y, most) && TAKE(pivots, most) && TAKE(way, nv) && TAKE(q, nq) &&
        TAKE(q_before, nq) && TAKE(z_before, own) && TAKE(q_kept, nq) && TAKE(z_kept, own) &&
        TAKE(held_before, ns) && TAKE(held_kept, ns);
#undef TAKE
    return good ? DETENT_OK
                : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
}

/* ---- where it is ---- */

static int row_count(const dt_equilibrium_work *n)
{
    return n->rest.system->tree->nv + n->rest.own;
}

static void weigh(dt_equilibrium_work *n)
{
    const dt_system *s = n->rest.system;
    const double time = s->scale->time;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            n->weight[j] = time * time / dt_scale_position(s->scale, s->mechanism, i);
        }
    }
    for (int k = 0; k < n->rest.own; k++) {
        n->weight[s->tree->nv + k] = time / s->scale->state[k];
    }
}

detent_status dt_equilibrium_look(dt_equilibrium_work *n, detent_error *error)
{
    dt_system *s = n->rest.system;
    const detent_status status = dt_rest_solve(&n->rest, error);
    if (status) {
        return status;
    }
    n->count = n->rest.positions + n->rest.own;
    weigh(n);
    memcpy(n->g, n->rest.a, (size_t)s->tree->nv * sizeof *n->g);
    for (int k = 0; k < n->rest.own; k++) {
        n->g[s->tree->nv + k] = dt_law_value(s, dt_rate_law(s, k), 0);
    }
    n->norm = 0;
    for (int r = 0; r < row_count(n); r++) {
        n->norm = fmax(n->norm, n->weight[r] * fabs(n->g[r]));
        if (!isfinite(n->g[r])) {
            return dt_fail(error, DETENT_ERROR_NUMERIC, NULL,
                           "at t = %.9g s a state has no rate, or a joint no acceleration",
                           s->time);
        }
    }
    return DETENT_OK;
}

/* ---- the linear model ---- */

static void fill_column(dt_equilibrium_work *n, int k)
{
    dt_system *s = n->rest.system;
    dt_variation *variation = &n->rest.variation;
    const dt_linear_state *own = n->rest.list + 2 * n->rest.positions, *unknown = &n->unknown[k];
    const size_t nv = (size_t)s->tree->nv;
    double *column = n->J + (size_t)k * (size_t)row_count(n);
    n->value[k] = dt_state_value(unknown, s);
    n->size[k] = dt_state_size(unknown, s);
    dt_state_vary(unknown, variation);
    n->F[k] = dt_rest_force(&n->rest, &n->noise[k]);
    memcpy(n->T + (size_t)k * nv, variation->newton.tangent.dphi, nv * sizeof *n->T);
    dt_variation_solve(variation);
    memcpy(column, variation->newton.tangent.da, nv * sizeof *column);
    for (int r = 0; r < n->rest.own; r++) {
        column[nv + (size_t)r] = dt_state_rate_change(&own[r], variation);
    }
}

/* What z' is summed from, coordinates and states of nominal size at least. */
static void measure_rates(dt_equilibrium_work *n)
{
    const int nv = n->rest.system->tree->nv;
    for (int r = 0; r < n->rest.own; r++) {
        double sum = 0;
        for (int k = 0; k < n->count; k++) {
            const double slope = n->J[(size_t)k * (size_t)row_count(n) + (size_t)(nv + r)];
            sum += fabs(slope) * (fabs(n->value[k]) + n->size[k]);
        }
        n->rate_noise[r] = 8 * DBL_EPSILON * sum;
    }
}

detent_status dt_equilibrium_linearize(dt_equilibrium_work *n, detent_error *error)
{
    const detent_status status = dt_variation_factor(&n->rest.variation, error);
    if (status) {
        return status;
    }
    for (int k = 0; k < n->count; k++) { /* coordinates come first in the list, states last */
        n->unknown[k] = n->rest.list[k < n->rest.positions ? k : n->rest.positions + k];
        fill_column(n, k);
    }
    dt_variation_clear(&n->rest.variation);
    measure_rates(n);
    return DETENT_OK;
}

bool dt_equilibrium_is_found(const dt_equilibrium_work *n, bool stepped)
{
    static const double noises = 16;
    const int nv = n->rest.system->tree->nv;
    for (int k = 0; k < n->count; k++) {
        const bool is_position = k < n->rest.positions;
        const double left = fabs(is_position ? n->F[k] : n->g[nv + n->unknown[k].node]),
                     noise = is_position ? n->noise[k] : n->rate_noise[n->unknown[k].node],
                     last = DBL_EPSILON * (fabs(n->value[k]) + n->size[k]);
        if (!(left <= noises * noise) && !(stepped && fabs(n->x[k]) <= noises * last)) {
            return false;
        }
    }
    return true;
}

/* ---- a step ---- */

/* The row of g that belongs to unknown k. */
static int row_of(const dt_equilibrium_work *n, int k)
{
    return k < n->rest.positions ? n->unknown[k].freedom
                                 : n->rest.system->tree->nv + n->unknown[k].node;
}

bool dt_equilibrium_damped(dt_equilibrium_work *n, double h)
{
    const int one = 1, rows = row_count(n);
    int info = 0;
    if (n->count == 0) {
        return false;
    }
    for (int k = 0; k < n->count; k++) {
        const double damping = isinf(h) ? 0 : k < n->rest.positions ? 1 / (h * h) : 1 / h;
        for (int r = 0; r < n->count; r++) {
            const double slope = n->J[(size_t)k * (size_t)rows + (size_t)row_of(n, r)];
            n->matrix[(size_t)k * (size_t)n->count + (size_t)r] =
                ((r == k ? damping : 0) - slope) * (n->size[k] / n->size[r]);
        }
        n->x[k] = n->g[row_of(n, k)] / n->size[k];
    }
    dgetrf_(&n->count, &n->count, n->matrix, &n->count, n->pivots, &info);
    if (info != 0) {
        return false;
    }
    dgetrs_("N", &n->count, &one, n->matrix, &n->count, n->pivots, n->x, &n->count, &info);
    bool good = true;
    for (int k = 0; k < n->count; k++) {
        n->x[k] *= n->size[k];
        good = good && isfinite(n->x[k]);
    }
    dt_equilibrium_follow(n);
    return good;
}

void dt_equilibrium_follow(dt_equilibrium_work *n)
{
    const size_t nv = (size_t)n->rest.system->tree->nv;
    memset(n->way, 0, nv * sizeof *n->way);
    for (int k = 0; k < n->count; k++) {
        for (size_t j = 0; j < nv; j++) {
            n->way[j] += n->x[k] * n->T[(size_t)k * nv + j];
        }
    }
}

bool dt_equilibrium_is_short(const dt_equilibrium_work *n)
{
    return dt_lu_sign(n->matrix, n->pivots, n->count) > 0;
}

double dt_equilibrium_work_of_step(const dt_equilibrium_work *n)
{
    double sum = 0;
    for (int k = 0; k < n->rest.positions; k++) {
        sum += n->x[k] * n->F[k];
    }
    return sum;
}

double dt_equilibrium_turn(const dt_equilibrium_work *n)
{
    const dt_system *s = n->rest.system;
    double most = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && node->type->rotational; j++) {
            most = fmax(most, fabs(n->way[j]));
        }
    }
    return most;
}

/* q := q exp(way), components in the follower's joint frame. */
static void turn(double q[4], const double way[3])
{
    const double angle = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    double by[4];
    if (angle == 0) {
        return;
    }
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    dt_quaternion_from_axis(by, way, angle);
    q[0] = w * by[0] - x * by[1] - y * by[2] - z * by[3];
    q[1] = w * by[1] + x * by[0] + y * by[3] - z * by[2];
    q[2] = w * by[2] - x * by[3] + y * by[0] + z * by[1];
    q[3] = w * by[3] + x * by[2] - y * by[1] + z * by[0];
}

static void walk(dt_equilibrium_work *n, double part)
{
    const dt_system *s = n->rest.system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nq == node->type->nv) {
            for (int c = 0; c < node->type->nq; c++) {
                n->q[node->q + c] += part * n->way[node->v + c];
            }
        } else {
            const double *own = n->way + node->v,
                         scaled[3] = {part * own[0], part * own[1], part * own[2]};
            turn(n->q + node->q, scaled);
            node->type->normalize(n->q + node->q);
        }
    }
}

bool dt_equilibrium_go(dt_equilibrium_work *n, double part)
{
    dt_system *s = n->rest.system;
    memcpy(n->q_before, s->q, (size_t)s->tree->nq * sizeof *s->q);
    memcpy(n->q, s->q, (size_t)s->tree->nq * sizeof *s->q);
    memcpy(n->z_before, s->z, (size_t)n->rest.own * sizeof *s->z);
    memcpy(n->g_before, n->g, (size_t)row_count(n) * sizeof *n->g);
    memcpy(n->held_before, n->rest.held,
           (size_t)s->mechanism->stiction_count * sizeof *n->held_before);
    n->norm_before = n->norm;
    n->count_before = n->count;
    part = dt_equilibrium_way_to_stop(n, part);
    walk(n, part);
    for (int k = 0; k < n->rest.own; k++) {
        s->z[k] += part * n->x[n->rest.positions + k];
    }
    if (!dt_analysis_set_state(n->analysis, s->time, n->q, NULL, NULL, NULL)) {
        dt_equilibrium_take_stops(n);
        if (!dt_equilibrium_look(n, NULL)) {
            n->others = n->hits || n->count != n->count_before;
            return true;
        }
    }
    dt_equilibrium_return(n);
    return false;
}

double dt_equilibrium_surprise(dt_equilibrium_work *n)
{
    static const double nothing = 64 * DBL_EPSILON;
    const int one = 1, rows = row_count(n);
    double step = 0, more = 0;
    int info = 0;
    for (int r = 0; r < n->count; r++) {
        const int row = row_of(n, r);
        double foretold = n->g_before[row];
        for (int k = 0; k < n->count; k++) {
            foretold += n->x[k] * n->J[(size_t)k * (size_t)rows + (size_t)row];
        }
        n->y[r] = (n->g[row] - foretold) / n->size[r];
        step = fmax(step, fabs(n->x[r]) / n->size[r]);
    }
    dgetrs_("N", &n->count, &one, n->matrix, &n->count, n->pivots, n->y, &n->count, &info);
    for (int r = 0; r < n->count; r++) {
        more = fmax(more, fabs(n->y[r]));
    }
    return step > nothing ? more / step : 0;
}

void dt_equilibrium_return(dt_equilibrium_work *n)
{
    dt_system *s = n->rest.system;
    memcpy(s->z, n->z_before, (size_t)n->rest.own * sizeof *s->z);
    dt_analysis_set_state(n->analysis, s->time, n->q_before, NULL, NULL, NULL);
    memcpy(n->g, n->g_before, (size_t)row_count(n) * sizeof *n->g);
    memcpy(n->rest.held, n->held_before,
           (size_t)s->mechanism->stiction_count * sizeof *n->held_before);
    n->norm = n->norm_before;
    n->count = n->count_before;
    n->rest.positions = n->count - n->rest.own;
}

void dt_equilibrium_remember(dt_equilibrium_work *n)
{
    memcpy(n->q_kept, n->q_before, (size_t)n->rest.system->tree->nq * sizeof *n->q);
    memcpy(n->z_kept, n->z_before, (size_t)n->rest.own * sizeof *n->z_kept);
    memcpy(n->held_kept, n->held_before,
           (size_t)n->rest.system->mechanism->stiction_count * sizeof *n->held_kept);
}

void dt_equilibrium_recall(dt_equilibrium_work *n)
{
    dt_system *s = n->rest.system;
    memcpy(s->z, n->z_kept, (size_t)n->rest.own * sizeof *s->z);
    memcpy(n->rest.held, n->held_kept, (size_t)s->mechanism->stiction_count * sizeof *n->held_kept);
    dt_analysis_set_state(n->analysis, s->time, n->q_kept, NULL, NULL, NULL);
}
