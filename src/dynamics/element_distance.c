/*
 * Distances: massless rods between points a and b of two bodies, one of which may be the ground.
 *
 *   r = b - a,  l = |r|,  n = r / l,  u = r',  L the length of the rod
 *   g = l - L = 0          G v = n . u          row  n . r'' + (u . u - (n . u)^2) / l = 0
 *   multiplier m           force at b: m n, at a: -m n;  tension -m
 *   their changes          dn = (dr - n (n . dr)) / l,  dF = dm n + m dn
 *
 * Point accelerations from the spatial ones A, less gravity: p'' = A_v + A_w x p + w x p'; the ground has A_v = -gravity.
 *
 * In Newton's step along the tree a rod between two bodies that move is four answers: the multiplier, which makes the row
 * hold, and the components of m dn, which read how the points move. With one end alone on what moves the latter are a block of that
 * node. Positions and velocities are those of closure.h.
 */
#include "dynamics/closure_parts.h"
#include "dynamics/element.h"
#include "dynamics/place.h"

#include <stdio.h>

enum { END_A, END_B, ENDS };

typedef struct distance_def {
    const char *name;
    dt_ends ends;
    double length; /**< m, > 0 */
    int type;      /**< that of a coupling: there is one word */
} distance_def;

static const char *const words[] = {"distance", NULL};

static const dt_key keys[] = {
    {"type", DT_VALUE_CHOICE, true, offsetof(distance_def, type), NULL, words},
    {"between", DT_VALUE_ENDS, true, offsetof(distance_def, ends), NULL, "end of a distance"},
    {"length", DT_VALUE_POSITIVE, true, offsetof(distance_def, length), &dt_dimension_length, NULL},
    DT_KEYS_END,
};

static const dt_item_kind distances = {.what = "distance",
                                       .plural = "distances",
                                       .coupling = "distance",
                                       .ties = true,
                                       .keys = keys,
                                       .size = sizeof(distance_def)};

static const dt_item_list *items(const detent_mechanism *m)
{
    return dt_added_items(m, DT_ELEMENT_distance);
}

static bool acts(const detent_mechanism *m)
{
    return m->rods != NULL;
}

static const dt_load *end_of(const detent_mechanism *m, int item, int e)
{
    return &m->loads[dt_item_place(items(m), item) + e];
}

/** The node of its end at b; where that is the ground, at a. */
static int node(const detent_mechanism *m, int item)
{
    return end_of(m, item, end_of(m, item, END_B)->node >= 0 ? END_B : END_A)->node;
}

static double sign_of(int e)
{
    return e == END_B ? 1 : -1;
}

/* ---- geometry ---- */

/** A rod at the present pose. */
typedef struct rod {
    int first, row; /**< place of its first end; its row */
    const dt_load *end[ENDS];
    double arm[ENDS][3], velocity[ENDS][3]; /**< the points, from the system's origin */
    double n[3], u[3];
    double length, rate; /**< n . u */
} rod;

static void measure_rod(const dt_system *s, int item, rod *of)
{
    double r[3];
    of->first = dt_item_place(items(s->mechanism), item);
    of->row = dt_rod_row(s->mechanism, item);
    for (int e = 0; e < ENDS; e++) {
        of->end[e] = &s->mechanism->loads[of->first + e];
        dt_place_motion(s, of->end[e], of->arm[e], of->velocity[e]);
    }
    for (int k = 0; k < 3; k++) {
        r[k] = of->arm[END_B][k] - of->arm[END_A][k];
        of->u[k] = of->velocity[END_B][k] - of->velocity[END_A][k];
    }
    of->length = dt_norm3(r);
    for (int k = 0; k < 3; k++) {
        of->n[k] = of->length > 0 ? r[k] / of->length : NAN;
    }
    of->rate = dt_dot3(of->n, of->u);
}

static void change_of_direction(const rod *of, const double dr[3], double dn[3])
{
    const double along = dt_dot3(of->n, dr);
    for (int k = 0; k < 3; k++) {
        dn[k] = (dr[k] - of->n[k] * along) / of->length;
    }
}

/** Of a unit multiplier on the second end. */
static void unit_wrench(const rod *of, double wrench[6])
{
    memset(wrench, 0, 6 * sizeof *wrench);
    dt_place_add_force(of->arm[END_B], of->n, wrench);
}

static double span(const detent_mechanism *m, int item)
{
    return ((const distance_def *)dt_item_definition(items(m), item))->length;
}

static double how_open(const dt_system *s, int item, int component)
{
    (void)component;
    const distance_def *def = dt_item_definition(items(s->mechanism), item);
    rod of;
    measure_rod(s, item, &of);
    return of.length - def->length;
}

static void update(dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        rod of;
        measure_rod(s, item, &of);
        unit_wrench(&of, s->closure->wrench[of.row]);
        dt_closure_add_path(s, of.end[END_B]->node, of.row, 1, 1);
        dt_closure_add_path(s, of.end[END_A]->node, of.row, 1, -1);
    }
}

int dt_distance_find_meeting(const dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        rod of;
        measure_rod(s, item, &of);
        if (!(of.length > 0)) {
            return item;
        }
    }
    return -1;
}

bool dt_distance_tell_meeting(const dt_system *s, char *text, size_t size)
{
    const int item = dt_distance_find_meeting(s);
    if (item >= 0) {
        snprintf(text, size, "the ends of the distance '%.80s' meet, where it has no direction",
                 dt_rod_name(s->mechanism, item));
    }
    return item >= 0;
}

/* ---- wrenches ---- */

static void add_wrenches(dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        rod of;
        measure_rod(s, item, &of);
        for (int e = 0; e < ENDS; e++) {
            double F[3], *wrench = s->load_wrench[of.first + e];
            for (int k = 0; k < 3; k++) {
                F[k] = sign_of(e) * s->multiplier[of.row] * of.n[k];
            }
            memset(wrench, 0, 6 * sizeof *wrench);
            dt_place_add_force(of.arm[e], F, wrench);
            if (of.end[e]->node >= 0) {
                dt_add6(s->external[of.end[e]->node], wrench);
            }
        }
    }
}

/** How ends and their velocities change in the direction of the tangent. */
static void end_changes(const dt_tangent *t, const dt_system *s, const rod *of, double dp[ENDS][3],
                        double dv[ENDS][3], double dr[3], double du[3])
{
    memset(dp, 0, ENDS * sizeof *dp);
    memset(dv, 0, ENDS * sizeof *dv);
    for (int e = 0; e < ENDS; e++) {
        const int i = of->end[e]->node;
        if (i >= 0) {
            dt_place_change(s, of->end[e], of->arm[e], t->x[i], t->dV[i], dp[e], dv[e]);
        }
    }
    for (int k = 0; k < 3; k++) {
        dr[k] = dp[END_B][k] - dp[END_A][k];
        du[k] = dv[END_B][k] - dv[END_A][k];
    }
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        rod of;
        double dp[ENDS][3], dv[ENDS][3], dr[3], du[3], dn[3];
        measure_rod(s, item, &of);
        end_changes(t, s, &of, dp, dv, dr, du);
        change_of_direction(&of, dr, dn);
        for (int e = 0; e < ENDS; e++) {
            const int i = of.end[e]->node;
            double change[6] = {0}, moment[3], own[3];
            if (i < 0) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                own[k] = sign_of(e) * (t->dm[of.row] * of.n[k] + s->multiplier[of.row] * dn[k]);
            }
            dt_place_add_force(of.arm[e], own, change);
            dt_cross3(moment, dp[e], s->load_wrench[of.first + e] + 3);
            for (int k = 0; k < 6; k++) {
                t->dF[i][k] -= change[k] + (k < 3 ? moment[k] : 0);
            }
        }
    }
}

/* ---- rows ---- */

/** Acceleration of the point at an end. */
static void point_acceleration(const dt_system *s, const rod *of, int e, double a[3])
{
    const int i = of->end[e]->node;
    double part[2][3];
    for (int k = 0; k < 3; k++) {
        a[k] = i < 0 ? -s->gravity[k] : s->A[i][3 + k];
    }
    if (i < 0) {
        return;
    }
    dt_cross3(part[0], s->A[i], of->arm[e]);
    dt_cross3(part[1], s->motion[i].V, of->velocity[e]);
    for (int k = 0; k < 3; k++) {
        a[k] += part[0][k] + part[1][k];
    }
}

/** r'' */
static void acceleration_between(const dt_system *s, const rod *of, double between[3])
{
    double a[ENDS][3];
    for (int e = 0; e < ENDS; e++) {
        point_acceleration(s, of, e, a[e]);
    }
    for (int k = 0; k < 3; k++) {
        between[k] = a[END_B][k] - a[END_A][k];
    }
}

/** How the acceleration at an end changes, where its point changes by dp, its velocity by dv, V and A of its node by dV, dA. */
static void add_acceleration_change(const dt_system *s, const rod *of, int e, const double dp[3],
                                    const double dv[3], const double dV[6], const double dA[6],
                                    double da[3])
{
    const int i = of->end[e]->node;
    double part[4][3];
    dt_cross3(part[0], dA, of->arm[e]);
    dt_cross3(part[1], s->A[i], dp);
    dt_cross3(part[2], dV, of->velocity[e]);
    dt_cross3(part[3], s->motion[i].V, dv);
    for (int k = 0; k < 3; k++) {
        da[k] += sign_of(e) * (dA[3 + k] + part[0][k] + part[1][k] + part[2][k] + part[3][k]);
    }
}

static double row_change(const dt_system *s, const rod *of, const double dr[3], const double du[3],
                         const double da[3])
{
    double a[3], dn[3];
    acceleration_between(s, of, a);
    change_of_direction(of, dr, dn);
    const double square = dt_dot3(of->u, of->u) - of->rate * of->rate;
    const double dsquare =
        2 * dt_dot3(of->u, du) - 2 * of->rate * (dt_dot3(dn, of->u) + dt_dot3(of->n, du));
    return dt_dot3(dn, a) + dt_dot3(of->n, da) + dsquare / of->length -
           square / (of->length * of->length) * dt_dot3(of->n, dr);
}

static void residuals(dt_system *s, double *r)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        rod of;
        double a[3];
        measure_rod(s, item, &of);
        if (!s->closure->active[of.row]) {
            r[of.row] = s->multiplier[of.row];
            continue;
        }
        acceleration_between(s, &of, a);
        r[of.row] = dt_dot3(of.n, a) + (dt_dot3(of.u, of.u) - of.rate * of.rate) / of.length;
    }
}

static void changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        rod of;
        double dp[ENDS][3], dv[ENDS][3], dr[3], du[3], da[3] = {0};
        measure_rod(s, item, &of);
        if (!s->closure->active[of.row]) {
            rows[of.row] = t->dm[of.row];
            continue;
        }
        end_changes(t, s, &of, dp, dv, dr, du);
        for (int e = 0; e < ENDS; e++) {
            const int i = of.end[e]->node;
            if (i >= 0) {
                add_acceleration_change(s, &of, e, dp[e], dv[e], t->dV[i], t->dA[i], da);
            }
            for (int k = 0; k < 3 && i < 0; k++) {
                da[k] -= sign_of(e) * t->dgravity[k];
            }
        }
        rows[of.row] = row_change(s, &of, dr, du, da);
    }
}

static double turned(const dt_tangent *t, const dt_system *s, int item, int component)
{
    rod of;
    double dp[ENDS][3], dv[ENDS][3], dr[3], du[3], dn[3];
    (void)component;
    measure_rod(s, item, &of);
    end_changes(t, s, &of, dp, dv, dr, du);
    change_of_direction(&of, dr, dn);
    return dt_dot3(dn, of.u) + dt_dot3(of.n, du);
}

static double row_size(const dt_system *s, int item, int component)
{
    rod of;
    double w[6];
    (void)component;
    measure_rod(s, item, &of);
    unit_wrench(&of, w);
    double sum = dt_dot3(of.u, of.u) / of.length;
    for (int e = 0; e < ENDS; e++) {
        const int i = of.end[e]->node;
        sum += i < 0 ? dt_norm3(s->gravity) : dt_norm3(s->motion[i].V) * dt_norm3(of.velocity[e]);
    }
    dt_tie_add_way(s, of.end[END_A]->node, of.end[END_B]->node, w, &sum);
    return sum;
}

static const dt_location *place(const detent_mechanism *m, int item)
{
    return &items(m)->where[item];
}

static const dt_tie_kind ties = {.rows = 1,
                                 .forces = 1,
                                 .name = dt_rod_name,
                                 .place = place,
                                 .residuals = residuals,
                                 .changes = changes,
                                 .update = update,
                                 .size = row_size,
                                 .open = how_open,
                                 .span = span,
                                 .turned = turned};

/* ---- slopes for Newton's step along the tree ---- */

/** The force m n at the one end that moves turns with its own node alone: -d~E for each unit of dx. */
static void own_block(const dt_system *s, const rod *of, int e, double *P, int nz)
{
    const int i = of->end[e]->node;
    const double *E = s->load_wrench[of->first + e];
    for (int column = 0; column < 6; column++) {
        double x[6] = {0}, dV[6] = {0}, dr[3], du[3], dn[3], own[3], change[6] = {0}, moment[3],
               turned[6];
        x[column] = 1;
        dt_cross_motion(dV, x, s->motion[i].V);
        dt_place_change(s, of->end[e], of->arm[e], x, dV, dr, du);
        dt_cross_force(turned, x, E);
        dt_cross3(moment, dr, E + 3);
        change_of_direction(of, dr, dn); /* with the sign of the end twice */
        for (int k = 0; k < 3; k++) {
            own[k] = s->multiplier[of->row] * dn[k];
        }
        dt_place_add_force(of->arm[e], own, change);
        for (int r = 0; r < 6; r++) {
            P[r * nz + 12 + column] -= change[r] + (r < 3 ? moment[r] : 0) - turned[r];
        }
    }
}

static void add_blocks(const dt_tree_newton *tn, const dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        rod of;
        measure_rod(s, item, &of);
        for (int e = 0; e < ENDS; e++) {
            const int i = of.end[e]->node;
            if (i < 0) {
                continue;
            }
            double *P = dt_tree_newton_block(tn, i);
            if (dt_place_is_between(of.end[END_A], of.end[END_B])) {
                dt_place_fixed_block(s, of.first + e, P, tn->nz);
            } else {
                own_block(s, &of, e, P, tn->nz);
            }
        }
    }
}

/** The first answer; the others are the components of m dn. */
static bool is_multiplier(const dt_remote *remote)
{
    return remote->component == 0;
}

static void answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    const dt_load *a = end_of(m, remote->item, END_A), *b = end_of(m, remote->item, END_B);
    const bool between = dt_place_is_between(a, b);
    remote->row = dt_rod_row(m, remote->item);
    remote->node = is_multiplier(remote) ? node(m, remote->item) : between ? b->node : -1;
    remote->other = between ? a->node : remote->node;
}

static bool prepare(dt_system *s, dt_remote *remote)
{
    rod of;
    double unit[3] = {0};
    measure_rod(s, remote->item, &of);
    answer_nodes(s->mechanism, remote);
    if (is_multiplier(remote) && !s->closure->active[of.row]) {
        remote->node = remote->other = -1;
    }
    if (remote->node < 0) {
        return false;
    }
    if (is_multiplier(remote)) {
        memcpy(unit, of.n, sizeof unit);
    } else {
        unit[remote->component - 1] = 1;
    }
    memset(remote->wrench, 0, sizeof remote->wrench);
    memset(remote->back, 0, sizeof remote->back);
    dt_place_add_force(of.arm[END_B], unit, remote->wrench);
    dt_place_add_force(of.arm[END_A], unit, remote->back);
    return true;
}

/** How ends change in the solution; at the level of accelerations these alone do. */
static double feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    rod of;
    double dr[3] = {0}, du[3] = {0}, da[3] = {0}, dn[3];
    const bool step = tn->level == DT_NEWTON_STEP;
    measure_rod(s, remote->item, &of);
    for (int e = 0; e < ENDS; e++) {
        const int i = of.end[e]->node;
        const double *z = tn->z + (size_t)(i < 0 ? 0 : i) * (size_t)tn->nz;
        double dV[6] = {0}, dA[6] = {0}, dp[3] = {0}, dv[3] = {0};
        if (i < 0) {
            continue;
        }
        if (step) { /* dV = d~V + x x V, dA = d~A + x x A */
            dt_cross_motion(dV, z + 12, s->motion[i].V);
            dt_cross_motion(dA, z + 12, s->A[i]);
            dt_add6(dV, z);
            dt_place_change(s, of.end[e], of.arm[e], z + 12, dV, dp, dv);
        }
        dt_add6(dA, step ? z + 6 : z);
        for (int k = 0; k < 3; k++) {
            dr[k] += sign_of(e) * dp[k];
            du[k] += sign_of(e) * dv[k];
        }
        add_acceleration_change(s, &of, e, dp, dv, dV, dA, da);
    }
    if (is_multiplier(remote)) {
        return row_change(s, &of, dr, du, da);
    }
    change_of_direction(&of, dr, dn);
    return s->multiplier[of.row] * dn[remote->component - 1];
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    const int a = end_of(changes->mechanism, remote->item, END_A)->node,
              b = end_of(changes->mechanism, remote->item, END_B)->node;
    if (remote->node >= 0 && b >= 0) {
        dt_axpy6(changes->E[b], u, remote->wrench);
    }
    if (remote->node >= 0 && a >= 0) {
        dt_axpy6(changes->E[a], -u, remote->back);
    }
}

const dt_element_kind dt_distance_element = {.item = &distances,
                                             .count = dt_rod_count,
                                             .acts = acts,
                                             .node = node,
                                             .add_wrenches = add_wrenches,
                                             .add_wrench_changes = add_wrench_changes,
                                             .follows_poses = acts,
                                             .add_blocks = add_blocks,
                                             .answer_count = 4,
                                             .answer_reads = 1,
                                             .tie = &ties,
                                             .answer_nodes = answer_nodes,
                                             .prepare = prepare,
                                             .feel = feel,
                                             .inject = inject,
                                             .tell_undefined = dt_distance_tell_meeting};
