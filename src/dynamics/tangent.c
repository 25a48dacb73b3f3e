#include "dynamics/tangent.h"
#include "dynamics/arm.h"
#include "dynamics/bearing.h"
#include "dynamics/force_size.h"

#include "dynamics/element.h"
#include "dynamics/loads.h"
#include "dynamics/rod.h"
#include "dynamics/sight.h"
#include "math/rotation.h"
#include "model/multiplier.h"

static const double zero6[6];

bool dt_tangent_create(dt_arena *arena, const dt_system *s, dt_tangent *t)
{
    const size_t n = (size_t)s->tree->node_count, nv = (size_t)s->tree->nv;
    size_t slots = 1;
    for (int k = 0; k < s->law_count; k++) {
        if ((size_t)s->law[k]->program->variable_count > slots) {
            slots = (size_t)s->law[k]->program->variable_count;
        }
    }
#define TAKE(member, count) \
    ((t->member = dt_arena_alloc(arena, (count), sizeof *t->member)) != NULL)
    return TAKE(dphi, nv) && TAKE(dv, nv) && TAKE(da, nv) &&
           TAKE(df, (size_t)s->mechanism->stiction_count) &&
           TAKE(dm, (size_t)dt_tie_rows(s->mechanism)) &&
           TAKE(dz, (size_t)s->mechanism->state_count) &&
           TAKE(di, (size_t)dt_given_count(s->mechanism)) && TAKE(x, n) && TAKE(dV, n) &&
           TAKE(dA, n) && TAKE(dF, n) && TAKE(dtau, nv) && TAKE(apart, nv) &&
           TAKE(gradient, slots) && (!s->drag || TAKE(drag, nv));
#undef TAKE
}

/* out = d(I a) = x x* I a - I (x x a) + I da. */
static void inertia_change(const dt_inertia *I, const double x[6], const double a[6],
                           const double da[6], double out[6])
{
    double Ia[6], xa[6], change[6];
    dt_inertia_apply(Ia, I, a);
    dt_cross_force(out, x, Ia);
    dt_cross_motion(xa, x, a);
    for (int k = 0; k < 6; k++) {
        xa[k] = da[k] - xa[k];
    }
    dt_inertia_apply(change, I, xa);
    dt_add6(out, change);
}

static void outward(dt_tangent *t, const dt_system *s, int i)
{
    const dt_node *node = &s->tree->nodes[i];
    const dt_motion *m = &s->motion[i];
    const int p = node->parent;
    const double *Vp = p < 0 ? zero6 : s->motion[p].V, *dVp = p < 0 ? zero6 : t->dV[p];
    double dSv[6] = {0}, Sa[6] = {0}, turned[6], part[6], momentum[6], dmomentum[6];
    dt_copy6(t->x[i], p < 0 ? zero6 : t->x[p]);
    dt_copy6(t->dV[i], dVp);
    dt_copy6(t->dA[i], p < 0 ? zero6 : t->dA[p]);
    for (int k = 0; k < 3 && p < 0; k++) {
        t->dA[i][3 + k] -= t->dgravity[k]; /* of the ground: A = -gravity */
    }
    for (int j = 0; j < node->type->nv; j++) {
        dt_axpy6(t->x[i], t->dphi[node->v + j], m->S[j]);
    }

    /* d(S v) = x x S v + S dv, and the same of S a */
    dt_cross_motion(dSv, t->x[i], m->Sv);
    for (int j = 0; j < node->type->nv; j++) {
        dt_axpy6(dSv, t->dv[node->v + j], m->S[j]);
        dt_axpy6(Sa, s->a[node->v + j], m->S[j]);
        dt_axpy6(t->dA[i], t->da[node->v + j], m->S[j]);
    }
    dt_add6(t->dV[i], dSv);
    dt_cross_motion(turned, t->x[i], Sa);
    dt_add6(t->dA[i], turned);
    dt_cross_motion(part, dVp, m->Sv);
    dt_add6(t->dA[i], part);
    dt_cross_motion(part, Vp, dSv);
    dt_add6(t->dA[i], part);

    /* own wrench */
    dt_inertia_apply(momentum, &m->I, m->V);
    inertia_change(&m->I, t->x[i], s->A[i], t->dA[i], t->dF[i]);
    inertia_change(&m->I, t->x[i], m->V, t->dV[i], dmomentum);
    dt_cross_force(part, t->dV[i], momentum);
    dt_add6(t->dF[i], part);
    dt_cross_force(part, m->V, dmomentum);
    dt_add6(t->dF[i], part);
}

/* The components of loads that read what they act on, all together. */
static void close_loads(dt_tangent *t, dt_system *s)
{
    const dt_load_loop *loop = s->loop;
    for (int m = 0; m < loop->count; m++) {
        const dt_load_component *item = &loop->item[m];
        loop->change[m] = dt_tangent_law(t, s, dt_load_law(s, item->load, item->component), 0);
    }
    dt_loads_close_change(s, loop->change);
    for (int m = 0; m < loop->count; m++) {
        const double *w = loop->wrench[m];
        for (int i = s->mechanism->loads[loop->item[m].load].node; i >= 0;
             i = s->tree->nodes[i].parent) {
            dt_axpy6(t->dF[i], -loop->change[m], w);
            for (int j = 0; j < s->tree->nodes[i].type->nv; j++) {
                t->dtau[s->tree->nodes[i].v + j] -= loop->change[m] * dt_dot6(s->motion[i].S[j], w);
            }
        }
    }
}

void dt_tangent_inverse(dt_tangent *t, dt_system *s)
{
    for (int axis = 0; axis < 3; axis++) {
        t->dgravity[axis] = dt_tangent_law(t, s, dt_gravity_law(s, axis), 0);
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        outward(t, s, i);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_wrench_changes) {
            dt_elements[k]->add_wrench_changes(t, s);
        }
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = 0; j < node->type->nv; j++) {
            double dS[6];
            dt_cross_motion(dS, t->x[i], s->motion[i].S[j]);
            t->dtau[node->v + j] = dt_dot6(dS, s->F[i]) + dt_dot6(s->motion[i].S[j], t->dF[i]) +
                                   node->armature * t->da[node->v + j];
        }
        if (node->parent >= 0) {
            dt_add6(t->dF[node->parent], t->dF[i]);
        }
    }
    if (s->loop) {
        close_loads(t, s);
    }
}

/* ---- changes of readings: of node i ---- */

typedef double (*change_of)(const dt_tangent *t, const dt_system *s, int i, int part);

static double change_position(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)part;
    return t->dphi[s->tree->nodes[i].v];
}

static double change_velocity(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)part;
    return t->dv[s->tree->nodes[i].v];
}

static double change_acceleration(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)part;
    return t->da[s->tree->nodes[i].v];
}

static double change_drag(const dt_tangent *t, const dt_system *s, int i)
{
    return s->drag ? t->drag[s->tree->nodes[i].v] : 0;
}

static double change_friction(const dt_tangent *t, const dt_system *s, int i, int part)
{
    const int k = s->mechanism->primitives[i].stiction;
    const double drag = part == 0 ? change_drag(t, s, i) : 0;
    return (k >= 0 && dt_system_stop_presses(s, k) == (part == 1) ? t->df[k] : 0) + drag;
}

static double change_force(const dt_tangent *t, const dt_system *s, int i, int part)
{
    const int k = s->mechanism->primitives[i].stiction;
    (void)part;
    return dt_system_has_force(s, i)
               ? t->dtau[s->tree->nodes[i].v] - (k < 0 ? 0 : t->df[k]) - change_drag(t, s, i)
               : 0;
}

/* A reaction of node i and its change: the force, or the torque about the node's origin. */
static void reaction_change(const dt_tangent *t, const dt_system *s, int i, bool is_torque,
                            double value[3], double change[3])
{
    const double *x = t->x[i], *dF = t->dF[i];
    double force[3], torque[3], r[3], dr[3], df[3], dn[3], first[3], second[3];
    dt_system_reaction(s, i, force, torque);
    dt_arm(s, i, r);
    /* torque = n - r x f, r moves with the node */
    dt_cross3(dr, x, r);
    for (int k = 0; k < 3; k++) {
        dr[k] += x[3 + k];
        df[k] = dF[3 + k];
    }
    dt_cross3(first, dr, force);
    dt_cross3(second, r, df);
    for (int k = 0; k < 3; k++) {
        dn[k] = dF[k] - first[k] - second[k];
    }
    memcpy(value, is_torque ? torque : force, sizeof torque);
    memcpy(change, is_torque ? dn : df, sizeof dn);
}

/* That of the force or moment of node i. */
static double norm_change(const dt_system *s, int i, bool moment, const double value[3],
                          const double change[3])
{
    const double norm = dt_norm3(value);
    return norm > 0 && !dt_norm_is_nothing(s, i, moment, norm) ? dt_dot3(value, change) / norm : 0;
}

static double change_reaction_norm(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double value[3], change[3];
    reaction_change(t, s, i, part == 1, value, change);
    return norm_change(s, i, part == 1, value, change);
}

static double change_reaction_part(const dt_tangent *t, const dt_system *s, int i, int part)
{
    const double *R = s->motion[i].R;
    const int c = part % 3;
    double value[3], change[3], turned[3];
    reaction_change(t, s, i, part >= 3, value, change);
    dt_cross3(turned, t->x[i], value);
    return R[c] * (change[0] - turned[0]) + R[3 + c] * (change[1] - turned[1]) +
           R[6 + c] * (change[2] - turned[2]);
}

static double change_normal_force(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double value[3], change[3], axis[3], daxis[3];
    (void)part;
    reaction_change(t, s, i, false, value, change);
    dt_rotate(axis, s->motion[i].R, s->tree->nodes[i].frame->axis);
    dt_cross3(daxis, t->x[i], axis);
    const double along = dt_dot3(axis, value),
                 dalong = dt_dot3(daxis, value) + dt_dot3(axis, change);
    for (int k = 0; k < 3; k++) {
        value[k] -= along * axis[k];
        change[k] -= dalong * axis[k] + along * daxis[k];
    }
    return norm_change(s, i, false, value, change);
}

static double change_bearing(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double force[3], torque[3], dforce[3], dtorque[3];
    reaction_change(t, s, i, false, force, dforce);
    reaction_change(t, s, i, true, torque, dtorque);
    return dt_bearing_change(t, s, i, part, force, torque, dforce, dtorque);
}

static double change_state(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)s, (void)part;
    return t->dz[i];
}

static double change_tension(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)s, (void)part;
    return -t->dm[i];
}

static double change_multiplier(const dt_tangent *t, const dt_system *s, int i, int part)
{
    const dt_variable variable = {.kind = DT_VARIABLE_COUPLING_FORCE, .index = i};
    (void)part;
    return dt_multiplier_of(s->mechanism, variable).factor * t->dm[i];
}

static double change_input(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)s, (void)part;
    return t->di[i];
}

/* Of view i. */
static double change_point(const dt_tangent *t, const dt_system *s, int i, int part)
{
    return dt_sight_component_change(t, s, i, (dt_sight)(part / 3), part % 3);
}

static double change_rotation(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double dR[9];
    dt_sight_rotation_change(t, s, i, dR);
    return dR[part];
}

/* Of atan2(y, x); zero where that has no slope. */
static double angle_change(double y, double x, double dy, double dx)
{
    const double square = x * x + y * y;
    return square > 0 ? (x * dy - y * dx) / square : 0;
}

static double change_rpy(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double R[9], dR[9];
    dt_sight_rotation(s, i, R);
    dt_sight_rotation_change(t, s, i, dR);
    const double level = hypot(R[0], R[3]),
                 dlevel = level > 0 ? (R[0] * dR[0] + R[3] * dR[3]) / level : 0;
    return part == 0   ? angle_change(R[7], R[8], dR[7], dR[8])
           : part == 1 ? angle_change(-R[6], level, -dR[6], dlevel)
                       : angle_change(R[3], R[0], dR[3], dR[0]);
}

/* dq = 1/2 (0, x) q, where dR R' = x cross. */
static double change_quaternion(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double R[9], dR[9], q[4], x[3], moved[3];
    dt_sight_rotation(s, i, R);
    dt_sight_rotation_change(t, s, i, dR);
    dt_quaternion_from_rotation(q, R);
    x[0] = dt_dot3(dR + 6, R + 3);
    x[1] = dt_dot3(dR, R + 6);
    x[2] = dt_dot3(dR + 3, R);
    dt_cross3(moved, x, q + 1);
    return part == 0 ? -0.5 * dt_dot3(x, q + 1) : 0.5 * (q[0] * x[part - 1] + moved[part - 1]);
}

static double change_kinetic(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double change = 0;
    (void)i, (void)part;
    for (int k = 0; k < s->tree->node_count; k++) {
        const dt_node *node = &s->tree->nodes[k];
        double momentum[6], moved[6];
        dt_inertia_apply(momentum, &s->motion[k].I, s->motion[k].V);
        dt_cross_motion(moved, t->x[k], s->motion[k].V);
        change += dt_dot6(momentum, t->dV[k]) - dt_dot6(momentum, moved);
        if (node->armature != 0) {
            change += node->armature * s->v[node->v] * t->dv[node->v];
        }
    }
    return change;
}

static double change_potential(const dt_tangent *t, const dt_system *s, int i, int part)
{
    double change = 0;
    (void)i, (void)part;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        if (dt_elements[k]->add_potential_change) {
            dt_elements[k]->add_potential_change(t, s, &change);
        }
    }
    return change;
}

static double change_body_kinetic(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)part;
    return dt_weight_kinetic_change(t, s, &s->mechanism->weights[i]);
}

static double change_body_potential(const dt_tangent *t, const dt_system *s, int i, int part)
{
    (void)part;
    return dt_weight_potential_change(t, s, &s->mechanism->weights[i]);
}

/* the element's */
#define change_item NULL

/* what goes with nothing that changes here; loops stay closed */
#define change_account   NULL
#define change_open      NULL
#define change_tie_open  NULL
#define change_time      NULL
#define change_direction NULL
#define change_rest_time NULL
#define change_mode      NULL
#define change_delayed   NULL

static const struct {
    change_of change;
    int part;
} changes[DT_VARIABLE_KINDS] = {
#define CHANGE(kind, function, component, measure, subject, traits, family, part) \
    [DT_VARIABLE_##kind] = {change_##family, part},
    DT_VARIABLE_TABLE(CHANGE)
#undef CHANGE
};

double dt_tangent_variable(const dt_tangent *t, const dt_system *s, dt_variable variable)
{
    const change_of change = changes[variable.kind].change;
    const int part = changes[variable.kind].part;
    return change                                  ? change(t, s, variable.index, part)
           : dt_variable_is(variable, DT_OF_ITEMS) ? dt_element_reading_change(t, s, variable, part)
                                                   : 0;
}

double dt_tangent_law(dt_tangent *t, dt_system *s, const dt_law *law, int direction)
{
    double change = 0;
    if (!law->program || law->program->variable_count == 0) {
        return 0;
    }
    dt_law_gradient(s, law, direction, t->gradient);
    for (int j = 0; j < law->program->variable_count; j++) {
        if (t->gradient[j] != 0) {
            change += t->gradient[j] * dt_tangent_variable(t, s, law->program->variables[j]);
        }
    }
    return change;
}
