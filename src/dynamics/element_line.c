/*
 * Forces along the line between points a and b of two bodies, of all kinds that are such (line_force.h).
 *
 *   r = b - a,  l = |r|,  n = r / l,  l' = n . r'
 *   force at b: -T(l, l') n, at a: T n
 *   its change           -dT n - T dn,   dT = T_l dl + T_l' dl',   dl = n . dr,   dn = (dr - n dl) / l,   dl' = dn . r' + n . dr'
 *
 * Where the points meet there is no direction: no number, unless T_l r is all there is.
 *
 * In Newton's step along the tree a line between two bodies that move against each other is three answers: the
 * components of its force, which read how the points move. With one end alone on what moves it is a block of that node.
 *
 * Lines are numbered kind by kind, in the order of the table.
 */
#include "dynamics/element.h"
#include "dynamics/place.h"

#include <math.h>
#include <stdio.h>

enum { END_A, END_B, ENDS };

/* A line at the present pose. */
typedef struct line {
    int element, item; /**< its kind, and its number among those of it */
    const void *definition;
    int first; /**< place of its first end */
    const dt_load *end[ENDS];
    double arm[ENDS][3]; /**< the points, from the system's origin */
    double n[3], w[3];   /**< direction; velocity of b against a */
    double length, rate;
    dt_pull pull;
} line;

static const line before_all = {.element = -1};

static const dt_item_list *items(const detent_mechanism *m, int element)
{
    return element >= 0 && dt_elements[element]->line ? dt_added_items(m, element) : &dt_no_items;
}

static int count(const detent_mechanism *m)
{
    int sum = 0;
    for (int k = 0; k < DT_ELEMENT_KINDS; k++) {
        sum += items(m, k)->count;
    }
    return sum;
}

static bool acts(const detent_mechanism *m)
{
    return count(m) > 0;
}

/* The first place of a line. */
static int place_of(const detent_mechanism *m, int number)
{
    int k = 0;
    while (number >= items(m, k)->count) {
        number -= items(m, k++)->count;
    }
    return dt_item_place(items(m, k), number);
}

/* ---- geometry ---- */

static void measure_line(const dt_system *s, line *of)
{
    const dt_item_list *list = items(s->mechanism, of->element);
    const dt_line_force *kind = dt_elements[of->element]->line;
    double r[3], velocity[ENDS][3];
    of->definition = dt_item_definition(list, of->item);
    of->first = dt_item_place(list, of->item);
    for (int e = 0; e < ENDS; e++) {
        of->end[e] = &s->mechanism->loads[of->first + e];
        dt_place_motion(s, of->end[e], of->arm[e], velocity[e]);
    }
    for (int k = 0; k < 3; k++) {
        r[k] = of->arm[END_B][k] - of->arm[END_A][k];
        of->w[k] = velocity[END_B][k] - velocity[END_A][k];
    }
    of->length = dt_norm3(r);
    const bool needs_line = kind->needs_direction && kind->needs_direction(of->definition);
    for (int k = 0; k < 3; k++) {
        of->n[k] = of->length > 0 ? r[k] / of->length : needs_line ? NAN : 0;
    }
    of->rate = dt_dot3(of->n, of->w);
    kind->pull(of->definition, of->length, of->rate, &of->pull);
}

/* The line of a number. */
static void measure_number(const dt_system *s, int number, line *of)
{
    *of = (line){.element = 0, .item = number};
    while (of->item >= items(s->mechanism, of->element)->count) {
        of->item -= items(s->mechanism, of->element++)->count;
    }
    measure_line(s, of);
}

/* Measures the one behind; false where there is none. */
static bool next_line(const dt_system *s, line *of)
{
    of->item++;
    while (of->item >= items(s->mechanism, of->element)->count) {
        if (++of->element == DT_ELEMENT_KINDS) {
            return false;
        }
        of->item = 0;
    }
    measure_line(s, of);
    return true;
}

/* dn, where there is a direction; returns dl. */
static double direction_change(const line *of, const double dr[3], double dn[3])
{
    const double dl = dt_dot3(of->n, dr);
    for (int k = 0; k < 3; k++) {
        dn[k] = (dr[k] - of->n[k] * dl) / of->length;
    }
    return dl;
}

/* How the force at b changes where r changes by dr and r' by dw. */
static void force_change(const line *of, const double dr[3], const double dw[3], double dF[3])
{
    if (of->length == 0) { /* n is nothing, and by_length r is all there is */
        for (int k = 0; k < 3; k++) {
            dF[k] = -of->pull.by_length * dr[k] + 0 * of->pull.tension;
        }
        return;
    }
    double dn[3];
    const double dl = direction_change(of, dr, dn);
    const double dT =
        of->pull.by_length * dl + of->pull.by_rate * (dt_dot3(dn, of->w) + dt_dot3(of->n, dw));
    for (int k = 0; k < 3; k++) {
        dF[k] = -dT * of->n[k] - of->pull.tension * dn[k];
    }
}

static double sign_of(int e)
{
    return e == END_B ? 1 : -1;
}

/* How r changes, and r', and where the ends are, dp. */
static void take_change(const dt_tangent *t, const dt_system *s, const line *of, double dp[ENDS][3],
                        double dr[3], double dw[3])
{
    double dv[ENDS][3] = {{0}};
    memset(dp, 0, ENDS * sizeof *dp);
    for (int e = 0; e < ENDS; e++) {
        const int i = of->end[e]->node;
        if (i >= 0) {
            dt_place_change(s, of->end[e], of->arm[e], t->x[i], t->dV[i], dp[e], dv[e]);
        }
    }
    for (int k = 0; k < 3; k++) {
        dr[k] = dp[END_B][k] - dp[END_A][k];
        dw[k] = dv[END_B][k] - dv[END_A][k];
    }
}

/* ---- wrenches ---- */

static void add_wrenches(dt_system *s)
{
    for (line of = before_all; next_line(s, &of);) {
        for (int e = 0; e < ENDS; e++) {
            double F[3], *wrench = s->load_wrench[of.first + e];
            for (int k = 0; k < 3; k++) {
                F[k] = -sign_of(e) * of.pull.tension * of.n[k];
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
    for (line of = before_all; next_line(s, &of);) {
        if (of.length == 0 && isnan(of.n[0])) {
            snprintf(words, size,
                     "the ends of the %s '%.80s' meet, where its force has no direction",
                     dt_elements[of.element]->item->what, dt_definition_name(of.definition));
            return true;
        }
    }
    return false;
}

static void add_wrench_changes(dt_tangent *t, dt_system *s)
{
    for (line of = before_all; next_line(s, &of);) {
        double dp[ENDS][3], dr[3], dw[3], dF[3];
        take_change(t, s, &of, dp, dr, dw);
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

/* The force at the one end that moves changes with its own node alone: -d~E for each unit of d~V and dx. */
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
    for (line of = before_all; next_line(s, &of);) {
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
    const dt_load *end = &m->loads[place_of(m, remote->item)];
    const bool between = dt_place_is_between(&end[END_A], &end[END_B]);
    remote->node = between ? end[END_B].node : -1;
    remote->other = between ? end[END_A].node : -1;
}

/* Component `remote->component` of the force at b; what is read are changes of r (3) and r' (3). */
static bool prepare(dt_system *s, dt_remote *remote)
{
    line of;
    double unit[3] = {0};
    measure_number(s, remote->item, &of);
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
    measure_number(s, remote->item, &of);
    for (int e = 0; e < ENDS; e++) {
        const int i = of.end[e]->node;
        const double *z = dt_tree_newton_z(tn, i), *x = z + 12;
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

/* ---- what outputs read ---- */

double dt_line_reading(const dt_system *s, int element, int item, int part)
{
    line of = {.element = element, .item = item};
    double slope[2];
    measure_line(s, &of);
    return dt_elements[element]->line->reading(of.definition, of.length, of.rate, part, slope);
}

double dt_line_reading_change(const dt_tangent *t, const dt_system *s, int element, int item,
                              int part)
{
    line of = {.element = element, .item = item};
    double slope[2], dp[ENDS][3], dr[3], dw[3], dn[3];
    measure_line(s, &of);
    take_change(t, s, &of, dp, dr, dw);
    dt_elements[element]->line->reading(of.definition, of.length, of.rate, part, slope);
    const double dl = direction_change(&of, dr, dn);
    return slope[0] * dl + (slope[1] != 0 ? slope[1] * (dt_dot3(dn, of.w) + dt_dot3(of.n, dw)) : 0);
}

/* ---- energy ---- */

static void add_potential(const dt_system *s, double *energy)
{
    for (line of = before_all; next_line(s, &of);) {
        const dt_line_force *kind = dt_elements[of.element]->line;
        *energy += kind->potential ? kind->potential(of.definition, of.length) : 0;
    }
}

static void add_potential_change(const dt_tangent *t, const dt_system *s, double *change)
{
    for (line of = before_all; next_line(s, &of);) {
        const dt_line_force *kind = dt_elements[of.element]->line;
        dt_pull still;
        double stretched = 0;
        for (int e = 0; e < ENDS; e++) {
            double dp[3], dv[3];
            if (of.end[e]->node >= 0) {
                const int i = of.end[e]->node;
                dt_place_change(s, of.end[e], of.arm[e], t->x[i], t->dV[i], dp, dv);
                stretched += sign_of(e) * dt_dot3(of.n, dp);
            }
        }
        kind->pull(of.definition, of.length, 0, &still);
        *change += kind->potential ? still.tension * stretched : 0;
    }
}

static void add_powers(const dt_system *s, double power[DT_WORKS])
{
    for (line of = before_all; next_line(s, &of);) {
        const dt_line_force *kind = dt_elements[of.element]->line;
        power[DT_WORK_DAMPING] -= kind->loss ? kind->loss(of.definition, of.length, of.rate) : 0;
    }
}

const dt_element_kind dt_line_element = {.count = count,
                                         .acts = acts,
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
                                         .add_potential_change = add_potential_change,
                                         .add_powers = add_powers};
