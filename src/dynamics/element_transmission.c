/*
 * Transmissions: gears, racks, screws, differentials. A linear condition on coordinates of joints,
 *
 *   sum c_j q_j = offset            its multiplier m acts with c_j m along joint j
 *
 * and does no work. Positions and velocities are those of closure.h; in acceleration it is a row, sum c_j a_j = 0, and an
 * answer in Newton's step.
 */
#include "dynamics/closure_parts.h"
#include "dynamics/element.h"
#include "dynamics/self_stress.h"

#include <float.h>

static int count(const detent_mechanism *m)
{
    return m->transmission_count;
}

static bool acts(const detent_mechanism *m)
{
    return m->transmission_count > 0;
}

static int node(const detent_mechanism *m, int item)
{
    return m->transmissions[item].joint[0];
}

static double multiplier(const dt_system *s, int item)
{
    return s->multiplier[dt_transmission_row(s->mechanism, item)];
}

static void add_forces(dt_system *s)
{
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        for (int k = 0; k < of->count; k++) {
            if (!dt_is_prescribed(s, of->joint[k])) {
                s->Q[s->tree->nodes[of->joint[k]].v] += of->factor[k] * multiplier(s, item);
            }
        }
    }
}

static void add_changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        const double change = t->dm[dt_transmission_row(s->mechanism, item)];
        for (int k = 0; k < of->count; k++) {
            if (!dt_is_prescribed(s, of->joint[k])) {
                rows[s->tree->nodes[of->joint[k]].v] -= of->factor[k] * change;
            }
        }
    }
}

/* What transmissions do along a joint; with `sizes` the sum of their sizes. */
static double force_along(const dt_system *s, int i, bool sizes)
{
    double sum = 0;
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        for (int k = 0; k < of->count; k++) {
            const double force = of->joint[k] == i ? of->factor[k] * multiplier(s, item) : 0;
            sum += sizes ? fabs(force) : force;
        }
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

static void take_powers(dt_system *s, dt_joint_powers *joints)
{
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        for (int k = 0; k < of->count; k++) {
            const int i = of->joint[k];
            if (i >= joints->first && i < joints->end) { /* of all its joints together: no power */
                joints->force[s->tree->nodes[i].v - joints->start] -=
                    of->factor[k] * multiplier(s, item);
            }
        }
    }
}

/* ---- rows ---- */

static void answer_nodes(const detent_mechanism *m, dt_remote *remote)
{
    remote->node = m->transmissions[remote->item].joint[0];
    remote->other = m->transmissions[remote->item].joint[1];
    remote->row = dt_transmission_row(m, remote->item);
}

static bool prepare(dt_system *s, dt_remote *remote)
{
    answer_nodes(s->mechanism, remote);
    if (!s->closure->active[remote->row]) {
        remote->node = remote->other = -1;
        return false;
    }
    return true;
}

static int answer_joins(const detent_mechanism *m, const dt_remote *remote, int k)
{
    const dt_transmission *of = &m->transmissions[remote->item];
    return k < of->count ? of->joint[k] : -1;
}

static double feel(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s)
{
    const dt_transmission *of = &s->mechanism->transmissions[remote->item];
    double sum = 0;
    for (int k = 0; k < of->count; k++) {
        sum += of->factor[k] * dt_tree_newton_da(tn, s->tree->nodes[of->joint[k]].v);
    }
    return sum;
}

static void inject(const dt_remote *remote, double u, const dt_law_changes *changes)
{
    const dt_transmission *of = &changes->mechanism->transmissions[remote->item];
    for (int k = 0; k < of->count && remote->node >= 0; k++) {
        changes->Q[of->joint[k]] += of->factor[k] * u;
    }
}

static void residuals(dt_system *s, double *r)
{
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        const int row = dt_transmission_row(s->mechanism, item);
        r[row] = s->closure->active[row] ? 0 : dt_closure_left_out(s, row);
        for (int k = 0; k < of->count && s->closure->active[row]; k++) {
            r[row] += of->factor[k] * s->a[s->tree->nodes[of->joint[k]].v];
        }
    }
}

static void changes(dt_tangent *t, dt_system *s, double *rows)
{
    for (int item = 0; item < s->mechanism->transmission_count; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        const int row = dt_transmission_row(s->mechanism, item);
        rows[row] = s->closure->active[row] ? 0 : t->dm[row];
        for (int k = 0; k < of->count && s->closure->active[row]; k++) {
            rows[row] += of->factor[k] * t->da[s->tree->nodes[of->joint[k]].v];
        }
    }
}

static double row_size(const dt_system *s, int item, int component)
{
    (void)component;
    const dt_transmission *of = &s->mechanism->transmissions[item];
    double sum = 0;
    for (int k = 0; k < of->count; k++) {
        sum += fabs(of->factor[k] * s->a[s->tree->nodes[of->joint[k]].v]);
    }
    return sum;
}

/* ---- positions ---- */

static const char *name(const detent_mechanism *m, int item)
{
    return m->transmissions[item].name;
}

static void update(dt_system *s)
{
    dt_closure *c = s->closure;
    for (int item = 0; item < s->mechanism->transmission_count && c->G; item++) {
        const dt_transmission *of = &s->mechanism->transmissions[item];
        for (int k = 0; k < of->count; k++) {
            const int v = s->tree->nodes[of->joint[k]].v;
            c->G[(size_t)v * (size_t)c->rows + (size_t)dt_transmission_row(s->mechanism, item)] +=
                of->factor[k];
        }
    }
}

/* How far teeth may go from the middle; 0: a freewheel has none. */
static double gap(const detent_mechanism *m, const dt_transmission *of)
{
    const dt_rigid_stops *stops = m->stictions[m->primitives[of->slack].stiction].stops;
    return stops->way == 0 ? stops->at[1] : 0;
}

/* By how much it is off, and by how much of the rounding of its terms. */
static double slip(const dt_system *s, int item, double *rounding)
{
    const dt_transmission *of = &s->mechanism->transmissions[item];
    double sum = -of->offset, size = fabs(of->offset);
    for (int k = 0; k < of->count; k++) {
        const double term = of->factor[k] * s->q[s->tree->nodes[of->joint[k]].q];
        sum += term;
        size += fabs(term);
    }
    if (of->slack >= 0) { /* of teeth that meet what they are apart is in the sum */
        size = fmax(size, gap(s->mechanism, of));
    }
    *rounding = 4 * DBL_EPSILON * size;
    return sum;
}

static double how_open(const dt_system *s, int item, int component)
{
    double rounding;
    (void)component;
    return slip(s, item, &rounding);
}

/* The largest factor, by the weights of its freedoms. */
static double largest(const dt_system *s, int item)
{
    const dt_transmission *of = &s->mechanism->transmissions[item];
    const double length = dt_closure_reach(s);
    double most = 0;
    for (int k = 0; k < of->count; k++) {
        const double own = dt_closure_weight(&s->tree->nodes[of->joint[k]], length);
        most = fmax(most, own * fabs(of->factor[k]));
    }
    return most;
}

static double error(const dt_system *s, int item, double length)
{
    double rounding;
    const double off = fabs(slip(s, item, &rounding));
    (void)length;
    return off > rounding ? off / largest(s, item) : 0;
}

/* A slack is as exact as a position is, or teeth that part would seem to close. */
static bool is_sharp(const detent_mechanism *m, int item)
{
    const dt_transmission *of = &m->transmissions[item];
    return of->slack >= 0 && gap(m, of) > 0;
}

static double weight(const dt_system *s, int item, int component, double length)
{
    (void)component;
    (void)length; /* its own is that of the reach */
    return 1 / largest(s, item);
}

static const dt_location *place(const detent_mechanism *m, int item)
{
    return &m->transmissions[item].where;
}

static dt_tie_term term(const detent_mechanism *m, int item, int k)
{
    const dt_transmission *of = &m->transmissions[item];
    return k < of->count ? (dt_tie_term){of->joint[k], of->factor[k]} : (dt_tie_term){-1, 0};
}

static int slack(const detent_mechanism *m, int item)
{
    return m->transmissions[item].slack;
}

/* The norm of what a unit multiplier does along its joints. */
static double itself(const dt_system *s, const dt_self_stress *stress, int item)
{
    const dt_transmission *of = &s->mechanism->transmissions[item];
    double sum = 0;
    for (int k = 0; k < of->count; k++) {
        const bool turns = s->tree->nodes[of->joint[k]].type->rotational;
        const double unit = turns ? dt_self_stress_length(s, stress, of->joint[k]) : 1.0;
        sum += of->factor[k] / unit * (of->factor[k] / unit);
    }
    return sqrt(sum);
}

static const dt_tie_kind ties = {.rows = 1,
                                 .is_local = true,
                                 .term = term,
                                 .slack = slack,
                                 .itself = itself,
                                 .name = name,
                                 .place = place,
                                 .residuals = residuals,
                                 .changes = changes,
                                 .update = update,
                                 .size = row_size,
                                 .open = how_open,
                                 .error = error,
                                 .is_sharp = is_sharp,
                                 .weight = weight};

const dt_element_kind dt_transmission_element = {.count = count,
                                                 .acts = acts,
                                                 .node = node,
                                                 .add_forces = add_forces,
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
                                                 .inject = inject};
