#include "dynamics/loads.h"

#include "dynamics/element.h"
#include "dynamics/place.h"
#include "math/lapack.h"

#include <float.h>

/* ---- set-up ---- */

/* Lists the components that read wrenches; with `loop` NULL only counts them. */
static int list_components(const dt_system *s, dt_load_loop *loop, int *longest)
{
    int count = 0;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        if (!dt_law_is(law, DT_LAW_IS_BODILY) || !dt_law_reads_wrenches(law)) {
            continue;
        }
        const int load = (int)law->owner, component = (int)law->component;
        if (loop) {
            loop->item[count] = (dt_load_component){.load = load, .component = component};
            loop->closes[6 * load + component] = 1;
        }
        *longest =
            law->program->variable_count > *longest ? law->program->variable_count : *longest;
        count++;
    }
    return count;
}

bool dt_loads_create(dt_arena *arena, dt_system *s)
{
    int longest = 1;
    const int found = list_components(s, NULL, &longest);
    const size_t count = (size_t)found;
    s->loop = NULL;
    if (count == 0) {
        return true;
    }
    dt_load_loop *loop = dt_arena_alloc(arena, 1, sizeof *loop);
    s->loop = loop;
#define TAKE(member, size) \
    ((loop->member = dt_arena_alloc(arena, (size), sizeof *loop->member)) != NULL)
    const bool ok = loop && TAKE(item, count) &&
                    TAKE(closes, 6 * (size_t)s->mechanism->load_count) && TAKE(wrench, count) &&
                    TAKE(u, count) && TAKE(residual, count) && TAKE(matrix, count * count) &&
                    TAKE(pivots, count) && TAKE(gradient, (size_t)longest) && TAKE(change, count) &&
                    dt_force_size_create(arena, s->tree, &loop->size);
#undef TAKE
    if (ok) {
        loop->count = list_components(s, loop, &longest);
    }
    return ok;
}

/* ---- components that read wrenches ---- */

/* Component m takes `change` more: F and tau of the joints that carry it. */
static void change_load(dt_system *s, int m, double change)
{
    const dt_load_component *item = &s->loop->item[m];
    const double *w = s->loop->wrench[m];
    const int node = s->mechanism->loads[item->load].node;
    dt_axpy6(s->load_wrench[item->load], change, w);
    dt_axpy6(s->external[node], change, w);
    for (int i = node; i >= 0; i = s->tree->nodes[i].parent) {
        dt_axpy6(s->F[i], -change, w);
        for (int j = 0; j < s->tree->nodes[i].type->nv; j++) {
            s->tau[s->tree->nodes[i].v + j] -= change * dt_dot6(s->motion[i].S[j], w);
        }
    }
}

/* u - law(F); returns the largest one relative to its terms, infinite if it is not a number. */
static double residuals(dt_system *s)
{
    dt_load_loop *loop = s->loop;
    double worst = 0;
    for (int l = 0; l < loop->count; l++) {
        const dt_load_component *item = &loop->item[l];
        const double value = dt_law_value(s, dt_load_law(s, item->load, item->component), 0);
        const double r = loop->u[l] - value, size = fabs(loop->u[l]) + fabs(value);
        loop->residual[l] = r;
        worst = isfinite(r) ? fmax(worst, r == 0 ? 0 : fabs(r) / size) : INFINITY;
    }
    return worst;
}

/*
 * Whether the residuals, which no longer fall, are nothing but rounding of the terms that the reactions which
 * are read were summed from: they may cancel.
 */
static bool is_rounding(dt_system *s)
{
    dt_load_loop *loop = s->loop;
    const double rounding = dt_force_rounding(s->tree);
    bool ok = true;
    dt_force_size_update(s, s->A[0], 6, NULL, &loop->size);
    for (int l = 0; l < loop->count && ok; l++) {
        const dt_load_component *item = &loop->item[l];
        const dt_law *law = dt_load_law(s, item->load, item->component);
        const double read = dt_law_size(&loop->size, s, law, 0, loop->gradient);
        ok = fabs(loop->residual[l]) <= rounding * (fabs(loop->u[l]) + read);
    }
    return ok;
}

static bool carries(const dt_system *s, int joint, int node)
{
    while (node > joint) {
        node = s->tree->nodes[node].parent;
    }
    return node == joint;
}

/* d law_l / dF of a reading, applied to all w_m: row l of the matrix 1 - d law / du. */
static void add_reading(dt_system *s, int l, dt_variable variable, double gradient)
{
    dt_load_loop *loop = s->loop;
    const int node = dt_system_place(s, variable.index);
    dt_slope slope = {.F = {0}};
    dt_slope_add(s, variable, gradient, &slope);
    for (int m = 0; m < loop->count; m++) {
        if (carries(s, node, s->mechanism->loads[loop->item[m].load].node)) {
            loop->matrix[(size_t)m * (size_t)loop->count + (size_t)l] +=
                dt_dot6(slope.F, loop->wrench[m]);
        }
    }
}

static void fill_matrix(dt_system *s)
{
    dt_load_loop *loop = s->loop;
    const size_t count = (size_t)loop->count;
    memset(loop->matrix, 0, count * count * sizeof *loop->matrix);
    for (int l = 0; l < loop->count; l++) {
        const dt_load_component *item = &loop->item[l];
        const dt_law *law = dt_load_law(s, item->load, item->component);
        loop->matrix[(size_t)l * count + (size_t)l] = 1;
        dt_law_gradient(s, law, 0, loop->gradient);
        for (int k = 0; k < law->program->variable_count; k++) {
            const dt_variable variable = law->program->variables[k];
            if (dt_variable_is(variable, DT_OF_WRENCH)) {
                add_reading(s, l, variable, loop->gradient[k]);
            }
        }
    }
}

/* What component m is measured by, so that rows and columns compare: torques by a length. */
static double unit_of(const dt_system *s, int m)
{
    return s->loop->item[m].component >= 3 ? s->length : 1;
}

/* Solves with the matrix 1 - d law / du; false where there is no solution. */
static bool solve_loop(dt_system *s, double *right)
{
    dt_load_loop *loop = s->loop;
    const int one = 1, n = loop->count;
    int info = 0;
    fill_matrix(s);
    for (int l = 0; l < n; l++) {
        const double unit = unit_of(s, l);
        for (int m = 0; m < n; m++) {
            loop->matrix[m * n + l] /= unit;
            loop->matrix[l * n + m] *= unit;
        }
        right[l] /= unit;
    }
    dgetrf_(&n, &n, loop->matrix, &n, loop->pivots, &info);
    if (info == 0) {
        dgetrs_("N", &n, &one, loop->matrix, &n, loop->pivots, right, &n, &info);
    }
    for (int m = 0; m < n; m++) {
        right[m] *= unit_of(s, m);
    }
    return info == 0;
}

void dt_loads_close_change(dt_system *s, double *change)
{
    const bool solved = solve_loop(s, change);
    for (int m = 0; m < s->loop->count && !solved; m++) {
        change[m] = NAN;
    }
}

/* Newton's step; false where it is undetermined. */
static bool step(dt_system *s)
{
    dt_load_loop *loop = s->loop;
    if (!solve_loop(s, loop->residual)) {
        return false;
    }
    for (int m = 0; m < loop->count; m++) {
        loop->u[m] -= loop->residual[m];
        change_load(s, m, -loop->residual[m]);
    }
    return true;
}

void dt_loads_close(dt_system *s)
{
    static const int most = 30;
    const double enough = 4 * DBL_EPSILON;
    dt_load_loop *loop = s->loop;
    double before = INFINITY;
    for (int m = 0; loop && m < loop->count; m++) {
        const dt_load_component *item = &loop->item[m];
        loop->u[m] = 0;
        dt_place_unit_wrench(s, &s->mechanism->loads[item->load], item->component, loop->wrench[m]);
    }
    for (int round = 0; loop && round < most; round++) {
        const double now = residuals(s);
        /* done when the residual is rounding: small enough, or no longer falling */
        const bool falls = now <= 0.1 * before;
        if (now <= enough || (now < 1e-9 && !falls)) {
            return;
        }
        if (isfinite(now) && !falls && is_rounding(s)) {
            return;
        }
        before = now;
        if (!isfinite(now) || !step(s)) {
            break;
        }
    }
    if (loop) {
        change_load(s, 0, NAN);
    }
}
