#include "dynamics/coupling.h"

#include "dynamics/element.h"

#include <stdlib.h>

/* ---- set-up ---- */

/** Numbers the trees that hang on the ground; returns how many. */
static int number_components(const dt_tree *tree, int *component)
{
    int count = 0;
    for (int i = 0; i < tree->node_count; i++) {
        component[i] = tree->nodes[i].parent < 0 ? count++ : component[tree->nodes[i].parent];
    }
    return count;
}

/**
 * Sorts the remote laws by tree (counting sort, stable); the longest list is the number of rounds.
 */
static void list_members(const dt_linear_laws *laws, int components, dt_coupling *cp)
{
    for (int e = 0; e < laws->remote_count; e++) {
        cp->first[cp->component[laws->remote[e].node] + 1]++;
    }
    for (int t = 0; t < components; t++) {
        if (cp->first[t + 1] > cp->rounds) {
            cp->rounds = cp->first[t + 1];
        }
        cp->first[t + 1] += cp->first[t];
    }
    for (int e = laws->remote_count - 1; e >= 0; e--) {
        int t = cp->component[laws->remote[e].node];
        cp->member[--cp->first[t + 1]] = e;
    }
    /* first[t + 1] now is the start of t: shift back */
    for (int t = 0; t < components; t++) {
        cp->first[t] = cp->first[t + 1];
    }
    cp->first[components] = laws->remote_count;
}

/** The largest distance |e - e'| between a law and those that its readings answer to. */
static int band_width(const dt_linear_laws *laws, const dt_coupling *cp)
{
    int width = 0;
    for (int e = 0; e < laws->remote_count; e++) {
        const dt_program *p = laws->remote[e].law->program;
        for (int j = 0; j < p->variable_count; j++) {
            if (!dt_variable_is(p->variables[j], DT_OF_JOINT)) {
                continue;
            }
            int t = cp->component[p->variables[j].index];
            for (int k = cp->first[t]; k < cp->first[t + 1]; k++) {
                if (abs(cp->member[k] - e) > width) {
                    width = abs(cp->member[k] - e);
                }
            }
        }
    }
    return width;
}

bool dt_coupling_create(dt_arena *arena, const dt_system *s, const dt_linear_laws *laws,
                        dt_coupling *cp)
{
    const size_t n = (size_t)s->tree->node_count;
    memset(cp, 0, sizeof *cp);
    cp->count = laws->remote_count;
    if (cp->count == 0) {
        return true;
    }
    cp->component = dt_arena_alloc(arena, n, sizeof *cp->component);
    if (!cp->component) {
        return false;
    }
    int components = number_components(s->tree, cp->component);
    cp->first = dt_arena_alloc(arena, (size_t)components + 1, sizeof *cp->first);
    cp->member = dt_arena_alloc(arena, (size_t)cp->count, sizeof *cp->member);
    cp->u = dt_arena_alloc(arena, (size_t)cp->count, sizeof *cp->u);
    cp->u_Q = dt_arena_alloc(arena, n, sizeof *cp->u_Q);
    cp->u_K = dt_arena_alloc(arena, (size_t)s->mechanism->stiction_count, sizeof *cp->u_K);
    cp->u_E = dt_arena_alloc(arena, n, sizeof *cp->u_E);
    if (!cp->first || !cp->member || !cp->u || !cp->u_Q || !cp->u_K || !cp->u_E) {
        return false;
    }
    list_members(laws, components, cp);
    return dt_band_create(arena, cp->count, band_width(laws, cp), &cp->matrix);
}

/* ---- use ---- */

/** Change of a reading in the solution that `tn` holds. */
static double reading_change(const dt_tree_newton *tn, const dt_system *s, dt_variable variable)
{
    const int i = variable.index, j = s->tree->nodes[i].v, k = s->mechanism->primitives[i].stiction;
    dt_slope slope = {0};
    dt_slope_add(s, variable, 1, &slope);
    double change = dt_tree_newton_wrench(tn, i, slope.F);
    if (s->tree->nodes[i].type->nv == 1) {
        change += slope.v * tn->dv[j] + slope.a * tn->da[j];
        if (tn->level == DT_NEWTON_STEP) {
            change += slope.q * tn->delta[j];
        }
    }
    return k < 0 ? change : change + slope.f * tn->df[k];
}

/** Puts the change u of remote law e into the load. */
static void inject(dt_coupling *cp, const dt_remote *remote, double u)
{
    const dt_law_changes changes = {.Q = cp->u_Q, .K = cp->u_K, .E = cp->u_E};
    dt_law_kinds[remote->law->role].element->inject(remote, u, &changes);
}

static void clear_injection(dt_coupling *cp, const dt_system *s)
{
    const size_t n = (size_t)s->tree->node_count;
    memset(cp->u_Q, 0, n * sizeof *cp->u_Q);
    memset(cp->u_K, 0, (size_t)s->mechanism->stiction_count * sizeof *cp->u_K);
    memset(cp->u_E, 0, n * sizeof *cp->u_E);
}

/**
 * Subtracts one column per tree, that of its member number `round`: the answers to a unit change.
 */
static void take_columns(dt_coupling *cp, const dt_tree_newton *tn, const dt_system *s,
                         const dt_linear_laws *laws, int round)
{
    for (int e = 0; e < cp->count; e++) {
        const dt_remote *remote = &laws->remote[e];
        const dt_program *p = remote->law->program;
        for (int j = 0; j < p->variable_count; j++) {
            if (remote->gradient[j] == 0) {
                continue;
            }
            int t = cp->component[p->variables[j].index], at = cp->first[t] + round;
            if (at < cp->first[t + 1]) {
                *dt_band_entry(&cp->matrix, e, cp->member[at]) -=
                    remote->gradient[j] * reading_change(tn, s, p->variables[j]);
            }
        }
    }
}

bool dt_coupling_factor(dt_coupling *cp, dt_tree_newton *tn, const dt_system *s,
                        const dt_linear_laws *laws)
{
    const dt_tree_load load = {.u_Q = cp->u_Q, .u_K = cp->u_K, .u_E = (const double(*)[6])cp->u_E};
    if (cp->count == 0) {
        return true;
    }
    dt_band_identity(&cp->matrix);
    for (int round = 0; round < cp->rounds; round++) {
        clear_injection(cp, s);
        for (int e = 0; e < cp->count; e++) {
            int t = cp->component[laws->remote[e].node];
            if (cp->first[t] + round < cp->first[t + 1] && cp->member[cp->first[t] + round] == e) {
                inject(cp, &laws->remote[e], 1);
            }
        }
        dt_tree_newton_solve(tn, s, laws, &load);
        take_columns(cp, tn, s, laws, round);
    }
    return dt_band_factor(&cp->matrix);
}

void dt_coupling_solve(dt_coupling *cp, dt_tree_newton *tn, const dt_system *s,
                       const dt_linear_laws *laws, const dt_tree_load *load)
{
    dt_tree_load coupled = *load;
    dt_tree_newton_solve(tn, s, laws, load);
    if (cp->count == 0) {
        return;
    }
    for (int e = 0; e < cp->count; e++) {
        const dt_remote *remote = &laws->remote[e];
        cp->u[e] = 0;
        for (int j = 0; j < remote->law->program->variable_count; j++) {
            if (remote->gradient[j] != 0) {
                cp->u[e] +=
                    remote->gradient[j] * reading_change(tn, s, remote->law->program->variables[j]);
            }
        }
    }
    dt_band_solve(&cp->matrix, cp->u);
    clear_injection(cp, s);
    for (int e = 0; e < cp->count; e++) {
        inject(cp, &laws->remote[e], cp->u[e]);
    }
    coupled.u_Q = cp->u_Q;
    coupled.u_K = cp->u_K;
    coupled.u_E = (const double(*)[6])cp->u_E;
    dt_tree_newton_solve(tn, s, laws, &coupled);
}
