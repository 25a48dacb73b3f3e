/*
 * Cams (cam.h): what files say of them; forces along both joints, their slopes; their rows. Positions and velocities are those of
 * closure.h.
 */
#include "dynamics/cam.h"
#include "dynamics/closure_parts.h"
#include "dynamics/self_stress.h"

#include <float.h>
#include <stdio.h>

typedef struct cam_def {
    size_t size; /* dt_item_head */
    const char *name, *follower, *cam, *law;
    int type; /**< that of a coupling: there is one word */
} cam_def;

static const char *const words[] = {"cam", NULL};
static const dt_key keys[] = {
    {"type", DT_VALUE_CHOICE, true, offsetof(cam_def, type), NULL, words},
    {"follower", DT_VALUE_JOINT, true, offsetof(cam_def, follower), NULL, NULL},
    {"cam", DT_VALUE_JOINT, true, offsetof(cam_def, cam), NULL, NULL},
    {"law", DT_VALUE_EXPRESSION, true, offsetof(cam_def, law), DT_OF_ITS_JOINT(POSITION), NULL},
    DT_KEYS_END,
};

static const dt_item_law laws[] = {{"law", DT_USE_FORCE, DT_OF_ITS_JOINT(POSITION)}};

static const char *law_fault(const dt_program *law, const int *joints)
{
    if (joints[DT_CAM_FOLLOWER] == joints[DT_CAM_CAM]) {
        return "a joint cannot follow itself";
    }
    for (int k = 0; k < law->variable_count; k++) {
        if (!dt_variable_is(law->variables[k], DT_OF_POSITIONS) ||
            law->variables[k].index != joints[DT_CAM_CAM]) {
            return "the law of a cam reads the position of the joint 'cam', and nothing else but "
                   "constants";
        }
    }
    if (law->has_calls) {
        return "the law of a cam calls no function of the program, which has no second derivative";
    }
    return law->switch_count > 0
               ? "the law of a cam must be smooth: without 'if', 'abs', 'mod' and the like, with "
                 "tables of 'interpolation: spline' or 'monotone' that go on beyond their ends"
               : NULL;
}

static const dt_item_kind cams = {
    .what = "cam",
    .plural = "cams",
    .coupling = "cam",
    .ties = 1,
    .readings = {DT_VARIABLE_CONTACT_FORCE, DT_VARIABLE_CONTACT_FORCE},
    .keys = keys,
    .size = sizeof(cam_def),
    .laws = laws,
    .law_count = 1,
    .law_fault = law_fault};

static bool acts(const detent_mechanism *m)
{
    return dt_cam_items(m)->count > 0;
}

/* ---- forces ---- */

static void add_forces(dt_system *s)
{
    for (int item = 0; item < dt_cam_items(s->mechanism)->count; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        for (int k = 0; k < DT_CAM_JOINTS; k++) {
            if (!dt_is_prescribed(s, of.node[k])) {
                s->Q[of.v[k]] += of.factor[k] * s->multiplier[of.row];
            }
        }
    }
}

/* The force on the cam follows its own position: -Q_q. */
static void add_rows(dt_linear_laws *linear, dt_system *s)
{
    for (int item = 0; item < dt_cam_items(s->mechanism)->count; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        linear->row[of.v[DT_CAM_CAM]].q += of.bend * s->multiplier[of.row];
    }
}

static void add_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int item = 0; item < dt_cam_items(s->mechanism)->count; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        for (int k = 0; k < DT_CAM_JOINTS; k++) {
            const double turned =
                k == DT_CAM_CAM ? of.bend * s->multiplier[of.row] * t->dphi[of.v[k]] : 0;
            if (!dt_is_prescribed(s, of.node[k])) {
                rows[of.v[k]] += turned - of.factor[k] * t->dm[of.row];
            }
        }
    }
}

/* What cams do along a joint; with `sizes` the sum of their sizes. */
static double force_along(const dt_system *s, int i, bool sizes)
{
    const dt_item_list *list = dt_cam_items(s->mechanism);
    double sum = 0;
    for (int e = dt_item_next_at(list, i, -1); e >= 0; e = dt_item_next_at(list, i, e)) {
        dt_cam of;
        dt_cam_measure(s, e / DT_CAM_JOINTS, &of);
        const double force = of.factor[e % DT_CAM_JOINTS] * s->multiplier[of.row];
        sum += sizes ? fabs(force) : force;
    }
    return sum;
}

static double size(const dt_system *s, int i, int column, double *rest)
{
    (void)column;
    if (s->tree->nodes[i].type->nv != 1 || dt_is_prescribed(s, i)) {
        return 0;
    }
    *rest -= force_along(s, i, false);
    return force_along(s, i, true);
}

/* Of both joints together: none. */
static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    for (int item = 0; item < dt_cam_items(s->mechanism)->count; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        for (int k = 0; k < DT_CAM_JOINTS; k++) {
            if (of.node[k] >= joints->first && of.node[k] < joints->end) {
                joints->force[of.v[k] - joints->start] -= of.factor[k] * s->multiplier[of.row];
            }
        }
    }
}

/* ---- rows ---- */

static void answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    const dt_item_list *list = dt_cam_items(m);
    remote->node = list->joint[DT_CAM_JOINTS * remote->item + DT_CAM_FOLLOWER];
    remote->other = list->joint[DT_CAM_JOINTS * remote->item + DT_CAM_CAM];
    remote->row = dt_item_row(list, remote->item);
}

static int answer_joins(const detent_mechanism *m, const dt_remote *remote, int k)
{
    return k < DT_CAM_JOINTS ? dt_cam_items(m)->joint[DT_CAM_JOINTS * remote->item + k] : -1;
}

static bool prepare(dt_system *s, dt_remote *remote)
{
    dt_cam of;
    answer_nodes(s->mechanism, remote);
    if (!s->closure->active[remote->row]) {
        remote->node = remote->other = -1;
        return false;
    }
    dt_cam_measure(s, remote->item, &of);
    remote->factor = of.factor[DT_CAM_CAM];
    return true;
}

static double feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    dt_cam of;
    double sum = 0;
    dt_cam_measure(s, remote->item, &of);
    for (int k = 0; k < DT_CAM_JOINTS; k++) {
        sum += of.factor[k] * dt_tree_newton_da(tn, of.v[k]);
    }
    if (tn->level == DT_NEWTON_STEP) {
        const int v = of.v[DT_CAM_CAM];
        sum += dt_cam_row_change(s, remote->item, &of, tn->delta[v], tn->dv[v]);
    }
    return sum;
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    if (remote->node >= 0) {
        changes->Q[remote->node] += u;
        changes->Q[remote->other] += remote->factor * u;
    }
}

static void residuals(dt_system *s, double *r)
{
    for (int item = 0; item < dt_cam_items(s->mechanism)->count; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        if (!s->closure->active[of.row]) {
            r[of.row] = dt_closure_left_out(s, of.row);
            continue;
        }
        r[of.row] = -of.bend * of.speed * of.speed;
        for (int k = 0; k < DT_CAM_JOINTS; k++) {
            r[of.row] += of.factor[k] * s->a[of.v[k]];
        }
    }
}

static void changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int item = 0; item < dt_cam_items(s->mechanism)->count; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        const int v = of.v[DT_CAM_CAM];
        if (!s->closure->active[of.row]) {
            rows[of.row] = t->dm[of.row];
            continue;
        }
        rows[of.row] = dt_cam_row_change(s, item, &of, t->dphi[v], t->dv[v]);
        for (int k = 0; k < DT_CAM_JOINTS; k++) {
            rows[of.row] += of.factor[k] * t->da[of.v[k]];
        }
    }
}

static double row_size(const dt_system *s, int item, int component)
{
    dt_cam of;
    (void)component;
    dt_cam_measure(s, item, &of);
    double sum = fabs(of.bend) * of.speed * of.speed;
    for (int k = 0; k < DT_CAM_JOINTS; k++) {
        sum += fabs(of.factor[k] * s->a[of.v[k]]);
    }
    return sum;
}

/* ---- positions ---- */

static const char *name(const detent_mechanism *m, int item)
{
    return dt_item_own_name(dt_cam_items(m), item);
}

static const dt_location *place(const detent_mechanism *m, int item)
{
    return &dt_cam_items(m)->where[item];
}

static void update(dt_system *s)
{
    dt_closure *c = s->closure;
    for (int item = 0; item < dt_cam_items(s->mechanism)->count && c->G; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        for (int k = 0; k < DT_CAM_JOINTS; k++) {
            c->G[(size_t)of.v[k] * (size_t)c->rows + (size_t)of.row] += of.factor[k];
        }
    }
}

static double follower_position(const dt_system *s, const dt_cam *of)
{
    return s->q[s->tree->nodes[of->node[DT_CAM_FOLLOWER]].q];
}

static double how_open(const dt_system *s, int item, int component)
{
    dt_cam of;
    (void)component;
    dt_cam_measure(s, item, &of);
    return follower_position(s, &of) - of.h;
}

/* The largest factor, by the weights of its freedoms. */
static double largest(const dt_system *s, const dt_cam *of)
{
    const double length = dt_closure_reach(s);
    double most = 0;
    for (int k = 0; k < DT_CAM_JOINTS; k++) {
        const double own = dt_closure_weight(&s->tree->nodes[of->node[k]], length);
        most = fmax(most, own * fabs(of->factor[k]));
    }
    return most;
}

/* Beyond the rounding of the positions: of a cam that has turned often, times the slope. */
static double error(const dt_system *s, int item, double length)
{
    dt_cam of;
    (void)length;
    dt_cam_measure(s, item, &of);
    const double turned = s->q[s->tree->nodes[of.node[DT_CAM_CAM]].q],
                 off = fabs(follower_position(s, &of) - of.h),
                 rounding = 4 * DBL_EPSILON * (fabs(of.h) + fabs(of.factor[DT_CAM_CAM] * turned));
    return off > rounding ? off / largest(s, &of) : 0;
}

static double weight(const dt_system *s, int item, int component, double length)
{
    dt_cam of;
    (void)component;
    (void)length; /* its own is that of the reach */
    dt_cam_measure(s, item, &of);
    return 1 / largest(s, &of);
}

static double turned(const dt_tangent *t, const dt_system *s, int item, int component)
{
    dt_cam of;
    (void)component;
    dt_cam_measure(s, item, &of);
    return -of.bend * of.speed * t->dphi[of.v[DT_CAM_CAM]];
}

static bool tell_undefined(const dt_system *s, char *text, size_t size)
{
    bool any = false;
    for (int item = 0; item < dt_cam_items(s->mechanism)->count && !any; item++) {
        dt_cam of;
        dt_cam_measure(s, item, &of);
        any = !isfinite(of.h) || !isfinite(of.factor[DT_CAM_CAM]) || !isfinite(of.bend);
        if (any) {
            snprintf(text, size, "the law of the cam '%.80s' has no value at %.9g",
                     name(s->mechanism, item), s->q[s->tree->nodes[of.node[DT_CAM_CAM]].q]);
        }
    }
    return any;
}

/* What it does to its follower. */
static double itself(const dt_system *s, const dt_self_stress *stress, int item)
{
    const int i = dt_cam_items(s->mechanism)->joint[DT_CAM_JOINTS * item + DT_CAM_FOLLOWER];
    return s->tree->nodes[i].type->rotational ? 1 / dt_self_stress_length(s, stress, i) : 1;
}

static const dt_tie_kind ties = {.rows = 1,
                                 .what = "cam",
                                 .stays = "its follower stays",
                                 .off = "off the law",
                                 .name = name,
                                 .place = place,
                                 .residuals = residuals,
                                 .changes = changes,
                                 .update = update,
                                 .size = row_size,
                                 .open = how_open,
                                 .itself = itself,
                                 .error = error,
                                 .weight = weight,
                                 .turned = turned};

const dt_element_kind dt_cam_element = {.item = &cams,
                                        .acts = acts,
                                        .add_forces = add_forces,
                                        .add_rows = add_rows,
                                        .add_changes = add_changes,
                                        .size = size,
                                        .take_powers = take_powers,
                                        .answer_count = 1,
                                        .answer_reads = 1,
                                        .tie = &ties,
                                        .answer_nodes = answer_nodes,
                                        .answer_joins = answer_joins,
                                        .prepare = prepare,
                                        .feel = feel,
                                        .inject = inject,
                                        .tell_undefined = tell_undefined};
