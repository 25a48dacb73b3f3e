/*
 * Points on curves (slot.h): what files say of them; their rows, and what is open; their wrenches. Positions and velocities are those of
 * closure.h.
 */
#include "dynamics/closure_parts.h"
#include "dynamics/place.h"
#include "dynamics/slot.h"

#include <stdio.h>

typedef struct slot_def {
    size_t size; /* dt_item_head */
    const char *name;
    dt_end_frames between; /**< the point, and the frame of the curve */
    const char *x, *y;
    double from, to;
    int type; /**< that of a coupling: there is one word */
    int closed;
} slot_def;

static const char *const words[] = {"slot", NULL};
static const dt_key keys[] = {
    {"type", DT_VALUE_CHOICE, true, offsetof(slot_def, type), NULL, words},
    {"between", DT_VALUE_END_FRAMES, true, offsetof(slot_def, between), NULL, "end of a slot"},
    {"x", DT_VALUE_EXPRESSION, true, offsetof(slot_def, x), &dt_dimension_length, NULL},
    {"y", DT_VALUE_EXPRESSION, true, offsetof(slot_def, y), &dt_dimension_length, NULL},
    {"from", DT_VALUE_NUMBER, true, offsetof(slot_def, from), NULL, NULL},
    {"to", DT_VALUE_NUMBER, true, offsetof(slot_def, to), NULL, NULL},
    {"closed", DT_VALUE_TRUTH, false, offsetof(slot_def, closed), NULL, NULL},
    DT_KEYS_END,
};

static const dt_item_law laws[] = {{"x", DT_USE_CURVE, &dt_dimension_length},
                                   {"y", DT_USE_CURVE, &dt_dimension_length}};
enum { LAWS = sizeof laws / sizeof *laws };

static const char *law_fault(const dt_program *law, const int *joints)
{
    (void)joints;
    return law->switch_count > 0
               ? "a curve must be smooth: without 'if', 'abs', 'mod' and the like, with tables of "
                 "'interpolation: spline' that repeat or extend"
               : NULL;
}

static const char *fault(const void *definition, bool rotational, const char **key)
{
    const slot_def *def = definition;
    (void)rotational;
    *key = "to";
    return def->to > def->from ? NULL
                               : "the curve ends where it begins, or before: 'to' is above 'from'";
}

static const void *make(dt_arena *arena, const void *definition, const dt_program *const *program,
                        const char **key, const char **why)
{
    const slot_def *def = definition;
    *key = "x";
    return dt_slot_curve_make(arena, program, def->from, def->to, def->closed, why);
}

static const dt_item_kind slots = {
    .what = "slot",
    .plural = "slots",
    .coupling = "slot",
    .ties = 1,
    .readings = {DT_VARIABLE_CONTACT_FORCE, DT_VARIABLE_CONTACT_FORCE},
    .keys = keys,
    .size = sizeof(slot_def),
    .fault = fault,
    .laws = laws,
    .law_count = LAWS,
    .law_fault = law_fault,
    .make = make};

static bool acts(const detent_mechanism *m)
{
    return dt_slot_items(m)->count > 0;
}

static bool create(dt_arena *arena, dt_system *s)
{
    s->feet = dt_arena_alloc(arena, (size_t)dt_slot_items(s->mechanism)->count, sizeof *s->feet);
    return s->feet != NULL;
}

/* ---- positions ---- */

/* Where its point is; how long the curve goes on beyond that has nothing to do with how exactly it is closed. */
static double reach(const dt_system *s, int item)
{
    const int first = dt_item_place(dt_slot_items(s->mechanism), item);
    double p[3], velocity[3];
    dt_place_motion(s, &s->mechanism->loads[first + DT_SLOT_A], p, velocity);
    return dt_norm3(p);
}

static double how_open(const dt_system *s, int item, int component)
{
    dt_slot of;
    (void)component;
    dt_slot_measure(s, item, &of);
    return dt_slot_is_out(s, &of) ? (double)NAN : of.foot.distance;
}

static void update(dt_system *s)
{
    for (int item = 0; item < dt_slot_items(s->mechanism)->count; item++) {
        dt_slot of;
        dt_slot_measure(s, item, &of);
        memcpy(s->closure->wrench[of.row], of.w, sizeof of.w);
        dt_closure_add_path(s, of.node[DT_SLOT_A], of.row, 1, 1);
        dt_closure_add_path(s, of.node[DT_SLOT_B], of.row, 1, -1);
    }
}

/* ---- wrenches ---- */

static void add_wrenches(dt_system *s)
{
    for (int item = 0; item < dt_slot_items(s->mechanism)->count; item++) {
        dt_slot of;
        dt_slot_measure(s, item, &of);
        for (int e = 0; e < DT_SLOT_ENDS; e++) {
            double *wrench = s->load_wrench[of.first + e];
            const double m = e == DT_SLOT_A ? s->multiplier[of.row] : -s->multiplier[of.row];
            for (int k = 0; k < 6; k++) {
                wrench[k] = m * of.w[k];
            }
            if (of.node[e] >= 0) {
                dt_add6(s->external[of.node[e]], wrench);
            }
        }
    }
}

/* Those of the tangent; the ground has the acceleration of gravity. */
static void take_change(const dt_tangent *t, const dt_slot *of, bool accelerations,
                        dt_slot_change *by)
{
    memset(by, 0, sizeof *by);
    for (int e = 0; e < DT_SLOT_ENDS; e++) {
        const int i = of->node[e];
        for (int k = 0; k < 6; k++) {
            by->x[e][k] = i < 0 ? 0 : t->x[i][k];
            by->dV[e][k] = i < 0 ? 0 : t->dV[i][k];
            by->dA[e][k] = !accelerations ? 0
                           : i >= 0       ? t->dA[i][k]
                           : k < 3        ? 0
                                          : -t->dgravity[k - 3];
        }
    }
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (int item = 0; item < dt_slot_items(s->mechanism)->count; item++) {
        dt_slot of;
        dt_slot_change by;
        double dw[6];
        dt_slot_measure(s, item, &of);
        take_change(t, &of, false, &by);
        dt_slot_wrench_change(&of, &by, dw);
        for (int k = 0; k < 6; k++) {
            dw[k] = s->multiplier[of.row] * dw[k] + t->dm[of.row] * of.w[k];
        }
        for (int e = 0; e < DT_SLOT_ENDS; e++) {
            if (of.node[e] >= 0) {
                dt_axpy6(t->dF[of.node[e]], e == DT_SLOT_A ? -1 : 1, dw);
            }
        }
    }
}

/* ---- rows ---- */

static void residuals(dt_system *s, double *r)
{
    for (int item = 0; item < dt_slot_items(s->mechanism)->count; item++) {
        dt_slot of;
        dt_slot_measure(s, item, &of);
        r[of.row] =
            s->closure->active[of.row] ? dt_slot_row(s, &of) : dt_closure_left_out(s, of.row);
    }
}

static void changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int item = 0; item < dt_slot_items(s->mechanism)->count; item++) {
        dt_slot of;
        dt_slot_change by;
        dt_slot_measure(s, item, &of);
        take_change(t, &of, true, &by);
        rows[of.row] = s->closure->active[of.row] ? dt_slot_row_change(s, &of, &by) : t->dm[of.row];
    }
}

static double turned(const dt_tangent *t, const dt_system *s, int item, int component)
{
    dt_slot of;
    dt_slot_change by;
    (void)component;
    dt_slot_measure(s, item, &of);
    take_change(t, &of, false, &by);
    return dt_slot_wrench_change(&of, &by, NULL);
}

static double row_size(const dt_system *s, int item, int component)
{
    dt_slot of;
    (void)component;
    dt_slot_measure(s, item, &of);
    const double speed = dt_norm3(of.u);
    double sum = fabs(of.bend) * speed * speed + dt_norm3(of.U) * speed;
    for (int e = 0; e < DT_SLOT_ENDS; e++) {
        double velocity[3];
        dt_cross3(velocity, of.V[e], of.p);
        for (int k = 0; k < 3; k++) {
            velocity[k] += of.V[e][3 + k];
        }
        sum += of.node[e] < 0 ? dt_norm3(s->gravity) : dt_norm3(of.V[e]) * dt_norm3(velocity);
    }
    dt_tie_add_way(s, of.node[DT_SLOT_A], of.node[DT_SLOT_B], of.w, &sum);
    return sum;
}

static const char *name(const detent_mechanism *m, int item)
{
    return dt_item_own_name(dt_slot_items(m), item);
}

static const dt_location *place(const detent_mechanism *m, int item)
{
    return &dt_slot_items(m)->where[item];
}

static void ends(const detent_mechanism *m, int item, int at[2])
{
    at[0] = dt_item_place(dt_slot_items(m), item) + DT_SLOT_B;
    at[1] = dt_item_place(dt_slot_items(m), item) + DT_SLOT_A;
}

static int node_of(const detent_mechanism *m, int item)
{
    int at[2];
    ends(m, item, at);
    return m->loads[at[m->loads[at[0]].node >= 0 ? 0 : 1]].node;
}

static bool tell_undefined(const dt_system *s, char *text, size_t size)
{
    bool any = false;
    for (int item = 0; item < dt_slot_items(s->mechanism)->count && !any; item++) {
        dt_slot of;
        dt_slot_measure(s, item, &of);
        any = dt_slot_is_out(s, &of);
        if (any) {
            snprintf(text, size, "the point of the slot '%.80s' leaves its curve at u = %.9g",
                     name(s->mechanism, item), of.foot.u);
        }
    }
    return any;
}

/* Whether the point is beyond an end of its curve, or comes there within a moment, and to which u. */
static bool comes_to_end(const dt_slot *of, double moment, double *end)
{
    static const double near = 1e-9; /* of the curve's size: as what is beyond is told (slot.c) */
    const dt_slot_curve *curve = of->curve;
    const double speed = hypot(of->foot.first[0], of->foot.first[1]), along = dt_dot3(of->t, of->u);
    for (int side = 0; side < 2 && !curve->closed; side++) {
        const double sign = side ? 1 : -1;
        *end = side ? curve->to : curve->from;
        const double left = sign * (*end - of->foot.u) * speed, hair = near * curve->size;
        if (of->foot.beyond > hair
                ? of->foot.u == *end
                : sign * along >= 0 && left <= fmax(sign * along * moment, hair)) {
            return true;
        }
    }
    return false;
}

static bool tell_end(const dt_system *s, double moment, const dt_location **where, char *text,
                     size_t size)
{
    bool any = false;
    for (int item = 0; item < dt_slot_items(s->mechanism)->count && !any; item++) {
        dt_slot of;
        double end;
        dt_slot_measure(s, item, &of);
        any = !dt_slot_is_idle(&of) && comes_to_end(&of, moment, &end);
        if (any) {
            *where = place(s->mechanism, item);
            snprintf(
                text, size,
                "the point of the slot '%.80s' leaves its curve, which ends at u = %.9g: a stop "
                "of a joint may end its way before",
                name(s->mechanism, item), end);
        }
    }
    return any;
}

static const dt_tie_kind ties = {.rows = 1,
                                 .forces = 1,
                                 .what = "slot",
                                 .stays = "its point stays",
                                 .off = "m off its curve",
                                 .name = name,
                                 .place = place,
                                 .ends = ends,
                                 .residuals = residuals,
                                 .changes = changes,
                                 .update = update,
                                 .size = row_size,
                                 .open = how_open,
                                 .itself = dt_tie_force,
                                 .reach = reach,
                                 .turned = turned};

const dt_element_kind dt_slot_element = {.item = &slots,
                                         .acts = acts,
                                         .create = create,
                                         .node = node_of,
                                         .add_wrenches = add_wrenches,
                                         .add_wrench_changes = add_wrench_changes,
                                         .follows_poses = acts,
                                         .add_blocks = dt_slot_add_blocks,
                                         .answer_count = DT_SLOT_ANSWERS,
                                         .answer_reads = 1,
                                         .tie = &ties,
                                         .answer_nodes = dt_slot_answer_nodes,
                                         .prepare = dt_slot_prepare,
                                         .feel = dt_slot_feel,
                                         .inject = dt_slot_inject,
                                         .tell_undefined = tell_undefined,
                                         .tell_end = tell_end};
