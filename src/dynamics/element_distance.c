/*
 * Distances: massless rods (rod.h). What files say of them; their rows, and what is open; their wrenches. Positions and velocities
 * are those of closure.h.
 */
#include "dynamics/closure_parts.h"
#include "dynamics/place.h"
#include "dynamics/rod.h"

#include <stdio.h>

typedef struct distance_def {
    size_t size; /* dt_item_head */
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
                                       .ties = 1,
                                       .readings = {DT_VARIABLE_TENSION, DT_VARIABLE_TENSION},
                                       .keys = keys,
                                       .size = sizeof(distance_def)};

static bool acts(const detent_mechanism *m)
{
    return dt_rod_items(m)->count > 0;
}

/* ---- positions ---- */

/* Of a unit multiplier on the second end. */
static void unit_wrench(const dt_rod *of, double wrench[6])
{
    memset(wrench, 0, 6 * sizeof *wrench);
    dt_place_add_force(of->arm[DT_ROD_B], of->n, wrench);
}

static double span(const detent_mechanism *m, int item)
{
    return ((const distance_def *)dt_item_definition(dt_rod_items(m), item))->length;
}

static double how_open(const dt_system *s, int item, int component)
{
    (void)component;
    const distance_def *def = dt_item_definition(dt_rod_items(s->mechanism), item);
    dt_rod of;
    dt_rod_measure(s, item, &of);
    return of.length - def->length;
}

static void update(dt_system *s)
{
    for (int item = 0; item < dt_rod_items(s->mechanism)->count; item++) {
        dt_rod of;
        dt_rod_measure(s, item, &of);
        unit_wrench(&of, s->closure->wrench[of.row]);
        dt_closure_add_path(s, of.end[DT_ROD_B]->node, of.row, 1, 1);
        dt_closure_add_path(s, of.end[DT_ROD_A]->node, of.row, 1, -1);
    }
}

static bool tell_stuck(const dt_system *s, int item, char *text, size_t size)
{
    dt_rod of;
    dt_rod_measure(s, item, &of);
    const bool meets = !(of.length > 0);
    if (meets) {
        snprintf(text, size, "the ends of the distance '%.80s' meet, where it has no direction",
                 dt_item_own_name(dt_rod_items(s->mechanism), item));
    }
    return meets;
}

static bool tell_undefined(const dt_system *s, char *text, size_t size)
{
    bool any = false;
    for (int item = 0; item < dt_rod_items(s->mechanism)->count && !any; item++) {
        any = tell_stuck(s, item, text, size);
    }
    return any;
}

/* ---- wrenches ---- */

static void add_wrenches(dt_system *s)
{
    for (int item = 0; item < dt_rod_items(s->mechanism)->count; item++) {
        dt_rod of;
        dt_rod_measure(s, item, &of);
        for (int e = 0; e < DT_ROD_ENDS; e++) {
            double F[3], *wrench = s->load_wrench[of.first + e];
            for (int k = 0; k < 3; k++) {
                F[k] = dt_rod_sign(e) * s->multiplier[of.row] * of.n[k];
            }
            memset(wrench, 0, 6 * sizeof *wrench);
            dt_place_add_force(of.arm[e], F, wrench);
            if (of.end[e]->node >= 0) {
                dt_add6(s->external[of.end[e]->node], wrench);
            }
        }
    }
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (int item = 0; item < dt_rod_items(s->mechanism)->count; item++) {
        dt_rod of;
        double dp[DT_ROD_ENDS][3], dv[DT_ROD_ENDS][3], dr[3], du[3], dn[3];
        dt_rod_measure(s, item, &of);
        dt_rod_end_changes(t, s, &of, dp, dv, dr, du);
        dt_rod_direction_change(&of, dr, dn);
        for (int e = 0; e < DT_ROD_ENDS; e++) {
            const int i = of.end[e]->node;
            double change[6] = {0}, moment[3], own[3];
            if (i < 0) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                own[k] = dt_rod_sign(e) * (t->dm[of.row] * of.n[k] + s->multiplier[of.row] * dn[k]);
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

static void residuals(dt_system *s, double *r)
{
    for (int item = 0; item < dt_rod_items(s->mechanism)->count; item++) {
        dt_rod of;
        double a[3];
        dt_rod_measure(s, item, &of);
        if (!s->closure->active[of.row]) {
            r[of.row] = dt_closure_left_out(s, of.row);
            continue;
        }
        dt_rod_acceleration(s, &of, a);
        r[of.row] = dt_dot3(of.n, a) + (dt_dot3(of.u, of.u) - of.rate * of.rate) / of.length;
    }
}

static void changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int item = 0; item < dt_rod_items(s->mechanism)->count; item++) {
        dt_rod of;
        double dp[DT_ROD_ENDS][3], dv[DT_ROD_ENDS][3], dr[3], du[3], da[3] = {0};
        dt_rod_measure(s, item, &of);
        if (!s->closure->active[of.row]) {
            rows[of.row] = t->dm[of.row];
            continue;
        }
        dt_rod_end_changes(t, s, &of, dp, dv, dr, du);
        for (int e = 0; e < DT_ROD_ENDS; e++) {
            const int i = of.end[e]->node;
            if (i >= 0) {
                dt_rod_add_acceleration_change(s, &of, e, dp[e], dv[e], t->dV[i], t->dA[i], da);
            }
            for (int k = 0; k < 3 && i < 0; k++) {
                da[k] -= dt_rod_sign(e) * t->dgravity[k];
            }
        }
        rows[of.row] = dt_rod_row_change(s, &of, dr, du, da);
    }
}

static double turned(const dt_tangent *t, const dt_system *s, int item, int component)
{
    dt_rod of;
    double dp[DT_ROD_ENDS][3], dv[DT_ROD_ENDS][3], dr[3], du[3], dn[3];
    (void)component;
    dt_rod_measure(s, item, &of);
    dt_rod_end_changes(t, s, &of, dp, dv, dr, du);
    dt_rod_direction_change(&of, dr, dn);
    return dt_dot3(dn, of.u) + dt_dot3(of.n, du);
}

static double row_size(const dt_system *s, int item, int component)
{
    dt_rod of;
    double w[6];
    (void)component;
    dt_rod_measure(s, item, &of);
    unit_wrench(&of, w);
    double sum = dt_dot3(of.u, of.u) / of.length;
    for (int e = 0; e < DT_ROD_ENDS; e++) {
        const int i = of.end[e]->node;
        sum += i < 0 ? dt_norm3(s->gravity) : dt_norm3(s->motion[i].V) * dt_norm3(of.velocity[e]);
    }
    dt_tie_add_way(s, of.end[DT_ROD_A]->node, of.end[DT_ROD_B]->node, w, &sum);
    return sum;
}

static const dt_location *place(const detent_mechanism *m, int item)
{
    return &dt_rod_items(m)->where[item];
}

static const char *name(const detent_mechanism *m, int item)
{
    return dt_item_own_name(dt_rod_items(m), item);
}

static void ends(const detent_mechanism *m, int item, int at[2])
{
    at[0] = dt_item_place(dt_rod_items(m), item) + DT_ROD_A;
    at[1] = dt_item_place(dt_rod_items(m), item) + DT_ROD_B;
}

static const dt_tie_kind ties = {.rows = 1,
                                 .forces = 1,
                                 .what = "distance",
                                 .stays = "its ends stay",
                                 .off = "m off its length",
                                 .name = name,
                                 .ends = ends,
                                 .place = place,
                                 .residuals = residuals,
                                 .changes = changes,
                                 .update = update,
                                 .size = row_size,
                                 .open = how_open,
                                 .tell_stuck = tell_stuck,
                                 .itself = dt_tie_force,
                                 .span = span,
                                 .turned = turned};

const dt_element_kind dt_distance_element = {.item = &distances,
                                             .acts = acts,
                                             .node = dt_rod_node,
                                             .add_wrenches = add_wrenches,
                                             .add_wrench_changes = add_wrench_changes,
                                             .follows_poses = acts,
                                             .add_blocks = dt_rod_add_blocks,
                                             .answer_count = 4,
                                             .answer_reads = 1,
                                             .tie = &ties,
                                             .answer_nodes = dt_rod_answer_nodes,
                                             .prepare = dt_rod_prepare,
                                             .feel = dt_rod_feel,
                                             .inject = dt_rod_inject,
                                             .tell_undefined = tell_undefined};
