/*
 * Loads: a force and a torque on a body, a law a component, which may read anything. Components that read what joints
 * transmit are known only together: loads.h.
 */
#include "dynamics/arm.h"
#include "dynamics/element.h"
#include "dynamics/loads.h"
#include "dynamics/place.h"

static const dt_law_role role[] = {DT_LAW_LOAD, DT_LAW_LOAD, DT_LAW_LOAD,
                                   DT_LAW_LOAD, DT_LAW_LOAD, DT_LAW_LOAD};

static const dt_program *program(const detent_mechanism *m, int l, int component)
{
    return component < 3 ? m->loads[l].force[component] : m->loads[l].torque[component - 3];
}

static int node(const detent_mechanism *m, int l)
{
    return m->loads[l].node;
}

/* ---- wrenches ---- */

/* Value of a component; of those that read what they act on later. */
static double known_value(dt_system *s, int load, int component)
{
    return s->loop && s->loop->closes[6 * load + component]
               ? 0
               : dt_law_value(s, dt_load_law(s, load, component), 0);
}

/* Force and torque of a load, from its own axes to the world's. */
static void turn_to_world(const dt_load *load, const dt_motion *m, double components[2][3],
                          double world[2][3])
{
    for (int part = 0; part < 2; part++) {
        double local[3];
        memcpy(world[part], components[part], sizeof world[part]);
        if (load->frame == DETENT_FRAME_BODY) {
            dt_rotate(local, load->R, components[part]);
            dt_rotate(world[part], m->R, local);
        }
    }
}

/* Adds the wrench of load k about the origin to its body. */
static void apply_load(dt_system *s, int k)
{
    const dt_load *load = &s->mechanism->loads[k];
    const dt_motion *m = &s->motion[load->node];
    double components[2][3], world[2][3], point[3], moment[3];
    for (int j = 0; j < 3; j++) {
        components[0][j] = known_value(s, k, j);
        components[1][j] = known_value(s, k, 3 + j);
    }
    turn_to_world(load, m, components, world);
    dt_arm_of_point(s, load->node, load->point, point);
    dt_cross3(moment, point, world[0]);
    for (int j = 0; j < 3; j++) {
        s->load_wrench[k][j] = world[1][j] + moment[j];
        s->load_wrench[k][3 + j] = world[0][j];
    }
    dt_add6(s->external[load->node], s->load_wrench[k]);
}

static void add_wrenches(dt_system *s)
{
    for (int k = 0; k < s->mechanism->load_count; k++) {
        apply_load(s, k);
    }
}

/* ---- their changes ---- */

/* How the law of a component changes; those that read what they act on come later. */
static double component_change(dt_tangent *t, dt_system *s, int l, int component)
{
    return s->loop && s->loop->closes[6 * l + component]
               ? 0
               : dt_tangent_law(t, s, dt_load_law(s, l, component), 0);
}

/* dF of the loaded node takes -dE. */
static void load_change(dt_tangent *t, dt_system *s, int l)
{
    const dt_load *load = &s->mechanism->loads[l];
    const dt_motion *m = &s->motion[load->node];
    const double *x = t->x[load->node], *E = s->load_wrench[l];
    double components[2][3], world[2][3], point[3], moved[3], moment[3], change[6];
    for (int j = 0; j < 3; j++) {
        components[0][j] = component_change(t, s, l, j);
        components[1][j] = component_change(t, s, l, 3 + j);
    }
    turn_to_world(load, m, components, world);
    dt_arm_of_point(s, load->node, load->point, point);
    if (load->frame == DETENT_FRAME_BODY) {
        dt_cross_force(change, x, E); /* turns with the body */
    } else {
        memset(change, 0, sizeof change);
        dt_cross3(moved, x, point);
        for (int k = 0; k < 3; k++) {
            moved[k] += x[3 + k];
        }
        dt_cross3(change, moved, E + 3); /* only its point moves */
    }
    dt_cross3(moment, point, world[0]);
    for (int k = 0; k < 3; k++) {
        t->dF[load->node][k] -= change[k] + world[1][k] + moment[k];
        t->dF[load->node][3 + k] -= change[3 + k] + world[0][k];
    }
}

static void add_blocks(const dt_tree_newton *tn, const dt_system *s)
{
    for (int l = 0; l < s->mechanism->load_count; l++) {
        const dt_load *load = &s->mechanism->loads[l];
        if (load->frame == DETENT_FRAME_WORLD) {
            dt_place_fixed_block(s, l, dt_tree_newton_block(tn, load->node), tn->nz);
        }
    }
}

static bool follows_poses(const detent_mechanism *m)
{
    bool any = false;
    for (int l = 0; l < m->load_count && !any; l++) {
        any = m->loads[l].frame == DETENT_FRAME_WORLD;
    }
    return any;
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (int l = 0; l < s->mechanism->load_count; l++) {
        load_change(t, s, l);
    }
}

/* ---- laws that read other nodes ---- */

static bool prepare(dt_system *s, dt_remote *remote)
{
    const dt_law *law = remote->law;
    remote->factor = 1;
    dt_place_unit_wrench(s, &s->mechanism->loads[law->owner], (int)law->component, remote->wrench);
    return true;
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    dt_axpy6(changes->E[remote->node], u, remote->wrench);
}

/* A load hands the rounding of what it reads on to all that carries its body. */
static void measure(const dt_law_sizes *sizes, dt_system *s, const dt_law *law)
{
    const dt_load *load = &s->mechanism->loads[law->owner];
    const double size = dt_law_size(sizes->forces, s, law, 0, sizes->gradient);
    double wrench[6];
    dt_place_unit_wrench(s, load, (int)law->component, wrench);
    for (int i = load->node; i >= 0 && size > 0; i = s->tree->nodes[i].parent) {
        for (int c = 0; c < 6; c++) {
            sizes->forces->wrench[i][c] += size * fabs(wrench[c]);
        }
    }
}

/* In a welded system loads may be on what does not move: they only load joints that are not in it. */
static void effect(dt_system *s, const dt_law *law, dt_law_effect *effect)
{
    const int i = s->mechanism->loads[law->owner].node;
    const bool linear = law->component < 3;
    *effect = (dt_law_effect){.of = linear ? DT_EFFECT_LINEAR : DT_EFFECT_ANGULAR};
    if (i >= 0) {
        const double *F = s->F[i], *W = s->load_wrench[law->owner],
                     *J = s->tree->nodes[i].body->inertia;
        effect->size = linear ? dt_norm3(F + 3) + dt_norm3(W + 3) : dt_norm3(F) + dt_norm3(W);
        effect->inertia = linear ? s->tree->nodes[i].body->mass : fmin(fmin(J[0], J[1]), J[2]);
    }
}

static double *spread(dt_spread *of, const dt_law *law)
{
    return &of->load[law->owner][law->component];
}

static void add_powers(const dt_system *s, double power[DT_WORKS])
{
    for (int l = 0; l < s->mechanism->load_count; l++) {
        power[DT_WORK_ACTUATION] +=
            dt_dot6(s->load_wrench[l], s->motion[s->mechanism->loads[l].node].V);
    }
}

static void add_wrench_rates(dt_system *s, const dt_scale *scale)
{
    for (int l = 0; l < s->mechanism->load_count; l++) {
        const int i = s->mechanism->loads[l].node;
        for (int k = 0; k < 3; k++) {
            scale->F[i][0] += dt_law_time_slope(s, dt_load_law(s, l, k), 0, scale->gradient);
            scale->F[i][1] += dt_law_time_slope(s, dt_load_law(s, l, 3 + k), 0, scale->gradient);
            scale->F[i][2] += dt_law_later(s, scale, dt_load_law(s, l, k));
            scale->F[i][3] += dt_law_later(s, scale, dt_load_law(s, l, 3 + k));
        }
    }
}

const dt_element_kind dt_load_element = {.items = DT_ITEMS_LOADS,
                                         .law_count = sizeof role / sizeof *role,
                                         .role = role,
                                         .program = program,
                                         .node = node,
                                         .add_wrenches = add_wrenches,
                                         .add_wrench_changes = add_wrench_changes,
                                         .follows_poses = follows_poses,
                                         .add_blocks = add_blocks,
                                         .prepare = prepare,
                                         .inject = inject,
                                         .measure = measure,
                                         .add_powers = add_powers,
                                         .add_wrench_rates = add_wrench_rates,
                                         .effect = effect,
                                         .spread = spread};
