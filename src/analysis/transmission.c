#include "analysis/transmission.h"

#include "dynamics/arm.h"
#include "dynamics/closure_parts.h"
#include "math/lapack.h"

/* More conditions than that are not looked at: matrices are dense, and factored at every position. */
enum { MOST_ROWS = 120 };

bool dt_transmissions_create(dt_arena *arena, dt_analysis *n, dt_transmissions *w)
{
    const int ties = dt_tie_rows(n->system.mechanism);
    const size_t rows = ties > MOST_ROWS ? 0 : (size_t)ties,
                 nodes = (size_t)n->system.tree->node_count;
    *w = (dt_transmissions){.analysis = n, .rows = (int)rows};
#define TAKE(member, size) ((w->member = dt_arena_alloc(arena, (size), sizeof *w->member)) != NULL)
    return TAKE(G, rows * rows) && TAKE(normal, rows * rows) && TAKE(pivots, rows) &&
           TAKE(load, rows) && TAKE(multiplier, rows) && TAKE(own, nodes) && TAKE(carried, nodes);
#undef TAKE
}

/* ---- multipliers ---- */

/* Whose freedom that is. */
static int owner(const dt_system *s, int freedom)
{
    int i = 0;
    while (i + 1 < s->tree->node_count && s->tree->nodes[i + 1].v <= freedom) {
        i++;
    }
    return i;
}

/* G of all rows and the dependent freedoms, and the factors of G'G. False where it is singular. */
static bool factor(dt_transmissions *w)
{
    const dt_system *s = &w->analysis->system;
    const dt_closure *c = s->closure;
    const double length = dt_closure_reach(s);
    const size_t rows = (size_t)w->rows, count = (size_t)c->count;
    int info = 0;
    w->count = c->count;
    for (size_t k = 0; k < count; k++) {
        const double weight = dt_closure_weight(&s->tree->nodes[owner(s, c->freedom[k])], length);
        for (size_t r = 0; r < rows; r++) {
            w->G[k * rows + r] = weight * dt_closure_row_weight(s, (int)r, length) *
                                 dt_closure_entry(c, (int)r, c->freedom[k]);
        }
    }
    for (size_t a = 0; a < count; a++) {
        for (size_t b = 0; b < count; b++) {
            double sum = 0;
            for (size_t r = 0; r < rows; r++) {
                sum += w->G[a * rows + r] * w->G[b * rows + r];
            }
            w->normal[b * count + a] = sum;
        }
    }
    if (w->count > 0) {
        dgetrf_(&w->count, &w->count, w->normal, &w->count, w->pivots, &info);
    }
    return info == 0;
}

/* The multipliers that balance a force of 1 along freedom v and the drive's. */
static void balance(dt_transmissions *w, int v, const double *t, int driven)
{
    const dt_system *s = &w->analysis->system;
    const dt_closure *c = s->closure;
    const double length = dt_closure_reach(s);
    const int one = 1, d = s->tree->nodes[driven].v;
    int info = 0;
    for (int k = 0; k < w->count; k++) {
        const int of = c->freedom[k];
        const double force = (of == v ? 1 : 0) - (of == d ? t[v] / t[d] : 0);
        w->load[k] = -force * dt_closure_weight(&s->tree->nodes[owner(s, of)], length);
    }
    if (w->count > 0) {
        dgetrs_("N", &w->count, &one, w->normal, &w->count, w->pivots, w->load, &w->count, &info);
    }
    for (int r = 0; r < w->rows; r++) {
        double sum = 0;
        for (int k = 0; k < w->count; k++) {
            sum += w->G[(size_t)k * (size_t)w->rows + (size_t)r] * w->load[k];
        }
        w->multiplier[r] = dt_closure_row_weight(s, r, length) * sum;
    }
}

/* ---- wrenches ---- */

/* What a tie, by its first row, does to its end e, the second of which a multiplier pushes by its wrench. */
static void wrench_of(const dt_transmissions *w, int first, int e, double wrench[6])
{
    const dt_closure *c = w->analysis->system.closure;
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int r = first; r < dt_tie_next(c->tie, first); r++) {
        dt_axpy6(wrench, (e ? 1 : -1) * w->multiplier[r], c->wrench[r]);
    }
}

/* The places at which a tie acts; false where it acts along joints. */
static bool find_places(const dt_system *s, int first, int place[2])
{
    const dt_tie_row *tie = &s->closure->tie[first];
    if (tie->kind->ends) {
        tie->kind->ends(s->mechanism, tie->item, place);
    }
    return tie->kind->ends != NULL;
}

static void spread(dt_transmissions *w)
{
    const dt_system *s = &w->analysis->system;
    const dt_tree *tree = s->tree;
    int place[2];
    memset(w->own, 0, (size_t)tree->node_count * sizeof *w->own);
    for (int r = 0; r < w->rows; r = dt_tie_next(s->closure->tie, r)) {
        for (int e = 0; e < 2 && find_places(s, r, place); e++) {
            double wrench[6];
            const int node = s->mechanism->loads[place[e]].node;
            if (node >= 0) {
                wrench_of(w, r, e, wrench);
                dt_axpy6(w->own[node], 1, wrench);
            }
        }
    }
    memcpy(w->carried, w->own, (size_t)tree->node_count * sizeof *w->own);
    for (int i = tree->node_count - 1; i >= 0; i--) {
        if (tree->nodes[i].parent >= 0) {
            dt_axpy6(w->carried[tree->nodes[i].parent], 1, w->carried[i]);
        }
    }
}

/* ---- powers ---- */

typedef struct powers {
    const double *twist;
    double is, could_be;
} powers;

/* A wrench about the origin that acts at a point, by `sign`. */
static void add_power(powers *p, const double wrench[6], double sign, const double point[3])
{
    const double *w = p->twist, *F = wrench + 3;
    double v[3], moment[3];
    dt_cross3(v, w, point);
    dt_cross3(moment, point, F);
    for (int k = 0; k < 3; k++) {
        v[k] += w[3 + k];
        moment[k] = wrench[k] - moment[k];
    }
    p->is += sign * dt_dot6(wrench, p->twist);
    p->could_be += dt_norm3(F) * dt_norm3(v) + dt_norm3(moment) * dt_norm3(w);
}

/* The loop that the joint of a primitive closes, or -1. */
static int closed_by(const detent_mechanism *m, int primitive)
{
    for (int l = 0; l < m->loop_count; l++) {
        const dt_joint *joint = &m->joints[m->loops[l].joint];
        if (primitive >= joint->first_primitive &&
            primitive < joint->first_primitive + joint->primitive_count) {
            return l;
        }
    }
    return -1;
}

/* Power beside that of the load, which is 1: where couplings alone move the joint there is none but rounding. */
static const double nothing = 1e-9;

static double sine_of(const dt_transmissions *w, int i)
{
    const dt_system *s = &w->analysis->system;
    const detent_mechanism *m = s->mechanism;
    const int cut = closed_by(m, i), follower = cut < 0 ? i : m->loops[cut].node[0];
    powers p = {.twist = s->motion[i].S[0]};
    double point[3], wrench[6];
    int place[2];
    if (follower < 0) {
        return NAN;
    }
    for (int k = follower + 1; k < s->tree->node_count; k++) {
        if (s->tree->nodes[k].parent == follower) {
            dt_arm(s, k, point);
            add_power(&p, w->carried[k], 1, point);
        }
    }
    for (int r = 0; r < w->rows; r = dt_tie_next(s->closure->tie, r)) {
        for (int e = 0; e < 2 && find_places(s, r, place); e++) {
            const dt_load *end = &m->loads[place[e]];
            if (end->node == follower && (cut < 0 || place[0] != m->loops[cut].end)) {
                wrench_of(w, r, e, wrench);
                dt_arm_of_point(s, follower, end->point, point);
                add_power(&p, wrench, 1, point);
            }
        }
    }
    if (cut >= 0) { /* its other joint carries it in the tree */
        dt_arm(s, follower, point);
        add_power(&p, w->carried[follower], -1, point);
    }
    return p.could_be > nothing ? fmin(fabs(p.is) / p.could_be, 1) : NAN;
}

void dt_transmissions_find(dt_transmissions *w, const double *t, int driven, double *sine)
{
    const dt_system *s = &w->analysis->system;
    const bool good = w->rows > 0 && t[s->tree->nodes[driven].v] != 0 && factor(w);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        sine[i] = NAN;
        if (good && i != driven && node->type->nv == 1 && !s->closure->held[i]) {
            balance(w, node->v, t, driven);
            spread(w);
            sine[i] = sine_of(w, i);
        }
    }
}
