#include "analysis/transmission.h"

#include "dynamics/arm.h"
#include "dynamics/closure_parts.h"
#include "dynamics/rod.h"
#include "dynamics/slot.h"
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

/* Loops first, then rods and slots: the place of its first end, its rows. */
static void contact(const detent_mechanism *m, int k, int *place, int *row, int *rows)
{
    const dt_item_list *rods = dt_rod_items(m), *slots = dt_slot_items(m);
    const int rod = k - m->loop_count, slot = rod - rods->count;
    const dt_item_list *list = slot < 0 ? rods : slots;
    const int item = slot < 0 ? rod : slot;
    *place = rod < 0 ? m->loops[k].end : dt_item_place(list, item);
    *row = rod < 0 ? 6 * k : dt_item_row(list, item);
    *rows = rod < 0 ? 6 : 1;
}

static int contact_count(const detent_mechanism *m)
{
    return m->loop_count + dt_rod_items(m)->count + dt_slot_items(m)->count;
}

/* What loop, rod or slot k does to its end e. */
static void wrench_of(const dt_transmissions *w, int k, int e, double wrench[6])
{
    const dt_system *s = &w->analysis->system;
    int place, row, rows;
    contact(s->mechanism, k, &place, &row, &rows);
    memset(wrench, 0, 6 * sizeof *wrench);
    const bool is_slot = k >= s->mechanism->loop_count + dt_rod_items(s->mechanism)->count;
    const int positive = is_slot ? DT_SLOT_A : 1; /* whom a multiplier pushes by its wrench */
    for (int r = row; r < row + rows; r++) {
        dt_axpy6(wrench, (e == positive ? 1 : -1) * w->multiplier[r], s->closure->wrench[r]);
    }
}

static void spread(dt_transmissions *w)
{
    const dt_system *s = &w->analysis->system;
    const dt_tree *tree = s->tree;
    memset(w->own, 0, (size_t)tree->node_count * sizeof *w->own);
    for (int k = 0; k < contact_count(s->mechanism); k++) {
        int place, row, rows;
        contact(s->mechanism, k, &place, &row, &rows);
        for (int e = 0; e < 2; e++) {
            double wrench[6];
            const int node = s->mechanism->loads[place + e].node;
            if (node >= 0) {
                wrench_of(w, k, e, wrench);
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
    if (follower < 0) {
        return NAN;
    }
    for (int k = follower + 1; k < s->tree->node_count; k++) {
        if (s->tree->nodes[k].parent == follower) {
            dt_arm(s, k, point);
            add_power(&p, w->carried[k], 1, point);
        }
    }
    for (int k = 0; k < contact_count(m); k++) {
        int place, row, rows;
        contact(m, k, &place, &row, &rows);
        for (int e = 0; e < 2; e++) {
            const dt_load *end = &m->loads[place + e];
            if (end->node == follower && k != cut) {
                wrench_of(w, k, e, wrench);
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
