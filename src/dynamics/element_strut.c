/*
 * Struts: a spring and a damper side by side on the line between points a and b of two bodies.
 *
 *   r = b - a,  l = |r|,  n = r / l,  l' = n . r'
 *   tension   T = k (l - l0) + d l'                  force at b: -T n, at a: T n
 *   its change           -dT n - T dn,   dT = k dl + d dl',   dl = n . dr,   dn = (dr - n dl) / l,   dl' = dn . r' + n . dr'
 *
 * Where the points meet there is no direction: no force where k r is all there is (l0 = 0, d = 0), otherwise no number.
 *
 * In Newton's step along the tree a strut between two bodies that move against each other is three answers: the
 * components of its force, which read how the points move. With one end alone on what moves it is a block of that node.
 */
#include "dynamics/element.h"
#include "dynamics/place.h"

#include <math.h>
#include <stdio.h>

enum { END_A, END_B, ENDS };

/* ---- what is given ---- */

_Static_assert(offsetof(detent_spring_def, point) - offsetof(detent_spring_def, body) ==
                   offsetof(dt_ends, point),
               "bodies and points are ends");

#define FIELD(name) offsetof(detent_spring_def, name)
static const dt_key keys[] = {
    {"between", DT_VALUE_ENDS, true, FIELD(body), NULL, "end of a spring"},
    {"stiffness", DT_VALUE_SIZE, false, FIELD(stiffness), &dt_dimension_stiffness, NULL},
    {"rest", DT_VALUE_SIZE, false, FIELD(rest), &dt_dimension_length, NULL},
    {"damping", DT_VALUE_SIZE, false, FIELD(damping), &dt_dimension_damping, NULL},
    DT_KEYS_END,
};
#undef FIELD

static const dt_item_kind springs = {.what = "spring",
                                     .plural = "springs",
                                     .named = 1 + DETENT_SPRING,
                                     .is_section = true,
                                     .keys = keys,
                                     .size = sizeof(detent_spring_def)};

static const dt_item_list *items(const detent_mechanism *m)
{
    return dt_added_items(m, DT_ELEMENT_strut);
}

/** A strut at the present pose. */
typedef struct line {
    const detent_spring_def *strut;
    int first; /**< place of its first end */
    const dt_load *end[ENDS];
    double arm[ENDS][3]; /**< the points, from the system's origin */
    double n[3], w[3];   /**< direction; velocity of b against a */
    double length, rate, tension;
} line;

static int count(const detent_mechanism *m)
{
    return items(m)->count;
}

static bool acts(const detent_mechanism *m)
{
    return items(m)->count > 0;
}

static int node(const detent_mechanism *m, int item)
{
    return m->loads[dt_item_place(items(m), item)].node;
}

/* ---- geometry ---- */

static void measure_line(const dt_system *s, int item, line *of)
{
    const dt_item_list *list = items(s->mechanism);
    const detent_spring_def *strut = dt_item_definition(list, item);
    double r[3], velocity[ENDS][3];
    of->strut = strut;
    of->first = dt_item_place(list, item);
    for (int e = 0; e < ENDS; e++) {
        of->end[e] = &s->mechanism->loads[of->first + e];
        dt_place_motion(s, of->end[e], of->arm[e], velocity[e]);
    }
    for (int k = 0; k < 3; k++) {
        r[k] = of->arm[END_B][k] - of->arm[END_A][k];
        of->w[k] = velocity[END_B][k] - velocity[END_A][k];
    }
    of->length = dt_norm3(r);
    const bool needs_line = strut->rest != 0 || strut->damping != 0;
    for (int k = 0; k < 3; k++) {
        of->n[k] = of->length > 0 ? r[k] / of->length : needs_line ? NAN : 0;
    }
    of->rate = dt_dot3(of->n, of->w);
    of->tension = strut->stiffness * (of->length - strut->rest) + strut->damping * of->rate;
}

/** How the force at b changes where r changes by dr and r' by dw. */
static void force_change(const line *of, const double dr[3], const double dw[3], double dF[3])
{
    const detent_spring_def *strut = of->strut;
    if (of->length == 0) { /* n is nothing, and k r is all there is */
        for (int k = 0; k < 3; k++) {
            dF[k] = -strut->stiffness * dr[k] + 0 * of->tension;
        }
        return;
    }
    const double dl = dt_dot3(of->n, dr);
    double dn[3];
    for (int k = 0; k < 3; k++) {
        dn[k] = (dr[k] - of->n[k] * dl) / of->length;
    }
    const double dT =
        strut->stiffness * dl + strut->damping * (dt_dot3(dn, of->w) + dt_dot3(of->n, dw));
    for (int k = 0; k < 3; k++) {
        dF[k] = -dT * of->n[k] - of->tension * dn[k];
    }
}

static double sign_of(int e)
{
    return e == END_B ? 1 : -1;
}

/* ---- wrenches ---- */

static void add_wrenches(dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        line of;
        measure_line(s, item, &of);
        for (int e = 0; e < ENDS; e++) {
            double F[3], *wrench = s->load_wrench[of.first + e];
            for (int k = 0; k < 3; k++) {
                F[k] = -sign_of(e) * of.tension * of.n[k];
            }
            memset(wrench, 0, 6 * sizeof *wrench);
            dt_place_add_force(of.arm[e], F, wrench);
            if (of.end[e]->node >= 0) {
                dt_add6(s->external[of.end[e]->node], wrench);
            }
        }
    }
}

static bool tell_undefined(const dt_system *s, char *words, size_t size)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        line of;
        measure_line(s, item, &of);
        if (of.length == 0 && isnan(of.tension)) {
            snprintf(words, size,
                     "the ends of the spring '%.80s' meet, where its force has no direction",
                     of.strut->name);
            return true;
        }
    }
    return false;
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        line of;
        double dp[ENDS][3] = {{0}}, dv[ENDS][3] = {{0}}, dr[3], dw[3], dF[3];
        measure_line(s, item, &of);
        for (int e = 0; e < ENDS; e++) {
            const int i = of.end[e]->node;
            if (i >= 0) {
                dt_place_change(s, of.end[e], of.arm[e], t->x[i], t->dV[i], dp[e], dv[e]);
            }
        }
        for (int k = 0; k < 3; k++) {
            dr[k] = dp[END_B][k] - dp[END_A][k];
            dw[k] = dv[END_B][k] - dv[END_A][k];
        }
        force_change(&of, dr, dw, dF);
        for (int e = 0; e < ENDS; e++) {
            const int i = of.end[e]->node;
            double change[6] = {0}, moment[3], own[3];
            if (i < 0) {
                continue;
            }
            for (int k = 0; k < 3; k++) {
                own[k] = sign_of(e) * dF[k];
            }
            dt_place_add_force(of.arm[e], own, change);
            dt_cross3(moment, dp[e], s->load_wrench[of.first + e] + 3);
            for (int k = 0; k < 6; k++) {
                t->dF[i][k] -= change[k] + (k < 3 ? moment[k] : 0);
            }
        }
    }
}

/* ---- slopes for Newton's step along the tree ---- */

/** The force at the one end that moves changes with its own node alone: -d~E for each unit of d~V and dx. */
static void own_block(const dt_system *s, const line *of, int e, double *P, int nz)
{
    const int i = of->end[e]->node;
    const double *E = s->load_wrench[of->first + e], sign = sign_of(e);
    for (int column = 0; column < 12; column++) {
        const bool moves = column >= 6; /* dx, and dV = dx x V with it; or d~V */
        double x[6] = {0}, dV[6] = {0}, dr[3], dw[3], dF[3], own[3], change[6] = {0}, moment[3];
        double turned[6];
        (moves ? x : dV)[column % 6] = 1;
        if (moves) {
            dt_cross_motion(dV, x, s->motion[i].V);
        }
        dt_place_change(s, of->end[e], of->arm[e], x, dV, dr, dw);
        dt_cross_force(turned, x, E);
        dt_cross3(moment, dr, E + 3);
        for (int k = 0; k < 3; k++) {
            dr[k] *= sign;
            dw[k] *= sign;
        }
        force_change(of, dr, dw, dF);
        for (int k = 0; k < 3; k++) {
            own[k] = sign * dF[k];
        }
        dt_place_add_force(of->arm[e], own, change);
        for (int r = 0; r < 6; r++) {
            P[r * nz + (moves ? 6 : 0) + column] -= change[r] + (r < 3 ? moment[r] : 0) - turned[r];
        }
    }
}

static void add_blocks(const dt_tree_newton *tn, const dt_system *s)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        line of;
        measure_line(s, item, &of);
        for (int e = 0; e < ENDS; e++) {
            const int i = of.end[e]->node, other = of.end[1 - e]->node;
            if (i < 0 || i == other) {
                continue; /* of one body they balance, and turn with it */
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

static void answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    const dt_load *end = &m->loads[dt_item_place(items(m), remote->item)];
    const bool between = dt_place_is_between(&end[END_A], &end[END_B]);
    remote->node = between ? end[END_B].node : -1;
    remote->other = between ? end[END_A].node : -1;
}

/** Component `remote->component` of the force at b; what is read are changes of r (3) and r' (3). */
static bool prepare(dt_system *s, dt_remote *remote)
{
    line of;
    double unit[3] = {0};
    measure_line(s, remote->item, &of);
    answer_nodes(s->mechanism, remote);
    if (remote->node < 0) {
        return false;
    }
    for (int column = 0; column < 6; column++) {
        double change[6] = {0}, dF[3];
        change[column] = 1;
        force_change(&of, change, change + 3, dF);
        remote->gradient[column] = dF[remote->component];
    }
    unit[remote->component] = 1;
    memset(remote->wrench, 0, sizeof remote->wrench);
    memset(remote->back, 0, sizeof remote->back);
    dt_place_add_force(of.arm[END_B], unit, remote->wrench);
    dt_place_add_force(of.arm[END_A], unit, remote->back);
    return true;
}

static double feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    line of;
    double sum = 0;
    measure_line(s, remote->item, &of);
    for (int e = 0; e < ENDS; e++) {
        const int i = of.end[e]->node;
        const double *z = tn->z + (size_t)i * (size_t)tn->nz, *x = z + 12;
        double dV[6], dp[3], dw[3];
        dt_cross_motion(dV, x, s->motion[i].V);
        dt_add6(dV, z);
        dt_place_change(s, of.end[e], of.arm[e], x, dV, dp, dw);
        sum += sign_of(e) * (dt_dot3(remote->gradient, dp) + dt_dot3(remote->gradient + 3, dw));
    }
    return sum;
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    if (remote->node >= 0) {
        dt_axpy6(changes->E[remote->node], u, remote->wrench);
        dt_axpy6(changes->E[remote->other], -u, remote->back);
    }
}

/* ---- energy ---- */

static void add_potential(const dt_system *s, double *energy)
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        line of;
        measure_line(s, item, &of);
        const double stretch = of.length - of.strut->rest;
        *energy += 0.5 * of.strut->stiffness * stretch * stretch;
    }
}

static void add_powers(const dt_system *s, double power[DT_WORKS])
{
    for (int item = 0; item < items(s->mechanism)->count; item++) {
        line of;
        measure_line(s, item, &of);
        if (of.strut->damping != 0) {
            power[DT_WORK_DAMPING] -= of.strut->damping * of.rate * of.rate;
        }
    }
}

const dt_element_kind dt_strut_element = {.item = &springs,
                                          .count = count,
                                          .acts = acts,
                                          .node = node,
                                          .add_wrenches = add_wrenches,
                                          .add_wrench_changes = add_wrench_changes,
                                          .follows_poses = acts,
                                          .add_blocks = add_blocks,
                                          .answer_count = 3,
                                          .answer_reads = 6,
                                          .answer_nodes = answer_nodes,
                                          .prepare = prepare,
                                          .feel = feel,
                                          .inject = inject,
                                          .tell_undefined = tell_undefined,
                                          .add_potential = add_potential,
                                          .add_powers = add_powers};
