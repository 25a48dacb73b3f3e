#include "dynamics/self_stress.h"
#include "base/joined.h"
#include "dynamics/arm.h"

#include "dynamics/closure_parts.h"
#include "dynamics/rnea.h"
#include "dynamics/slope.h"
#include "dynamics/split_parts.h"

#include <float.h>
#include <math.h>

/** A sum of reactions that is smaller than that, beside them, is rounding. */
static const double rounding = 16 * DBL_EPSILON;

/** What elimination leaves of a multiplier that is none, beside the others (split.c). */
static const double nothing = 1e-9;

/** Rows of mechanisms in which it is shown though no law reads it: Z has the square of that. */
enum { MOST_SHOWN = 120 };

/* ---- set-up ---- */

/** Nodes on the way round a loop are one cluster, and so are those of loops that share one. -1: on no way. */
static void find_clusters(const detent_mechanism *m, int *joined)
{
    for (int i = 0; i < m->tree.node_count; i++) {
        joined[i] = -1;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int l = 0; l < m->loop_count; l++) {
            int at[2] = {m->loops[l].node[0], m->loops[l].node[1]};
            const int one = at[1] > at[0] ? at[1] : at[0];
            while (at[0] != at[1]) { /* parents come before their children */
                int *higher = &at[at[1] > at[0]];
                if (pass == 0) {
                    joined[*higher] = *higher;
                } else {
                    joined[dt_first_of(joined, *higher)] = dt_first_of(joined, one);
                }
                *higher = m->tree.nodes[*higher].parent;
            }
        }
    }
}

/** The point of a node's own joint on its body, in the frame of the node that stands for the body. */
static int own_point(const detent_mechanism *m, int i, double p[3])
{
    memset(p, 0, 3 * sizeof *p);
    for (int l = 0; l < m->loop_count; l++) {
        const dt_load *end = &m->loads[m->loops[l].end];
        if (m->loops[l].node[1] == i) {
            double own[3];
            dt_rotate_back(own, end[1].R, end[1].point);
            dt_rotate(p, end[0].R, own);
            for (int k = 0; k < 3; k++) {
                p[k] = end[0].point[k] - p[k];
            }
            return end[0].node;
        }
    }
    return i;
}

/** The largest distance of node i's joint from another one of its cluster on one of its two bodies. */
static double reach_of(const detent_mechanism *m, int *joined, int i)
{
    double own[3], p[3], most = 0;
    const int body = own_point(m, i, own), parent = m->tree.nodes[i].parent;
    for (int j = 0; j < m->tree.node_count; j++) {
        if (j == i || joined[j] < 0 || dt_first_of(joined, j) != dt_first_of(joined, i)) {
            continue;
        }
        const int other = own_point(m, j, p);
        for (int end = 0; end < 4; end++) {
            const double *a = end % 2 ? m->tree.nodes[i].p_tree : own,
                         *b = end / 2 ? m->tree.nodes[j].p_tree : p;
            const bool same =
                (end % 2 ? parent : body) == (end / 2 ? m->tree.nodes[j].parent : other);
            most = same ? fmax(most, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2])) : most;
        }
    }
    return most;
}

/** Lists the joints of loops. */
static void list_joints(const dt_system *s, int *joined, dt_self_stress *stress)
{
    const detent_mechanism *m = s->mechanism;
    find_clusters(m, joined);
    for (int j = 0; j < m->joint_count; j++) {
        const int last = m->joints[j].first_primitive + m->joints[j].primitive_count - 1;
        if (joined[last] >= 0) {
            stress->node[stress->joint_count++] = last;
        }
    }
    for (int n = 0; n < stress->joint_count; n++) {
        double most = 0;
        for (int i = 0; i < m->tree.node_count; i++) {
            const bool same =
                joined[i] >= 0 && dt_first_of(joined, i) == dt_first_of(joined, stress->node[n]);
            most = same ? fmax(most, reach_of(m, joined, i)) : most;
        }
        stress->length[n] = most > 0 ? most : s->closure->size;
    }
}

static size_t most_variables(const dt_system *s)
{
    size_t most = 1;
    for (int l = 0; l < s->law_count; l++) {
        const size_t own = (size_t)s->law[l]->program->variable_count;
        most = own > most ? own : most;
    }
    return most;
}

bool dt_self_stress_create(dt_arena *arena, dt_system *s)
{
    if (!s->closure || (!s->mechanism->follows_loops && s->closure->rows > MOST_SHOWN)) {
        return true;
    }
    const size_t joints = (size_t)s->mechanism->joint_count, rows = (size_t)s->closure->rows,
                 nodes = (size_t)s->tree->node_count;
    dt_self_stress *stress = dt_arena_alloc(arena, 1, sizeof *stress);
    int *joined = dt_arena_alloc(arena, nodes, sizeof *joined);
    if (!stress || !joined) {
        return false;
    }
#define TAKE(member, size) \
    ((stress->member = dt_arena_alloc(arena, (size), sizeof *stress->member)) != NULL)
    if (!TAKE(node, joints) || !TAKE(length, joints) || !TAKE(split, 1) || !TAKE(Z, rows * rows) ||
        !TAKE(A, 6 * joints * rows) || !TAKE(N, rows * rows) || !TAKE(R, 6 * joints) ||
        !TAKE(z, rows) || !TAKE(push, nodes) || !TAKE(pivots, rows) ||
        !TAKE(q, (size_t)s->tree->nq) || !TAKE(mode, (size_t)s->mechanism->stiction_count) ||
        !TAKE(gradient, most_variables(s)) || !dt_split_take(arena, s, stress->split)) {
        return false;
    }
#undef TAKE
    list_joints(s, joined, stress);
    *(s->mechanism->follows_loops ? &s->closure->stress : &s->closure->shown) = stress;
    return true;
}

/* ---- Z ---- */

/** Adds the unit multiplier, times y, of row `at` of those left out, balanced by active rows, to a column of Z. */
static void add_row(const dt_closure *c, const dt_split *split, int at, double y, double *column)
{
    const double m = c->row_unit[split->row[at]] * y;
    column[split->row[at]] += m;
    for (int r = 0; r < c->count; r++) {
        column[c->row[r]] -= split->share[(size_t)at * (size_t)c->count + (size_t)r] * m;
    }
}

/** Of the rows left out those combinations that leave the friction of locked joints as it is. */
static void find_columns(dt_system *s, bool all)
{
    const dt_closure *c = s->closure;
    dt_self_stress *stress = c->stress;
    dt_split *split = stress->split;
    dt_split_list(s, NULL, split);
    const int count = dt_split_shares(c, split), n = all ? 0 : split->count;
    split->count = n;
    stress->left = count;
    const int rank = n > 0 ? dt_split_rank(s, count, split) : 0;
    stress->count = count - rank;
    memset(stress->Z, 0, (size_t)c->rows * (size_t)stress->count * sizeof *stress->Z);
    for (int k = 0; k < stress->count; k++) {
        double *column = stress->Z + (size_t)k * (size_t)c->rows, *x = stress->z;
        add_row(c, split, n > 0 ? split->pivots[rank + k] - 1 : k, 1, column);
        for (int i = rank - 1; i >= 0; i--) { /* R x = its column of R */
            x[i] = split->U[(size_t)(rank + k) * (size_t)n + (size_t)i];
            for (int j = i + 1; j < rank; j++) {
                x[i] -= split->U[(size_t)j * (size_t)n + (size_t)i] * x[j];
            }
            x[i] /= split->U[(size_t)i * (size_t)n + (size_t)i];
            add_row(c, split, split->pivots[i] - 1, -x[i], column);
        }
    }
}

/* ---- A ---- */

/** What joint n transmits of a spatial wrench about the origin, at its frame, torques by the length. */
static void at_joint(const dt_system *s, int n, const double F[6], double R[6])
{
    const dt_self_stress *stress = s->closure->stress;
    double r[3], moment[3];
    for (int k = 0; k < 3; k++) {
        R[k] = F[3 + k];
    }
    dt_arm(s, stress->node[n], r);
    dt_cross3(moment, r, R);
    for (int k = 0; k < 3; k++) {
        R[3 + k] = (F[k] - moment[k]) / stress->length[n];
    }
}

/** How multipliers change what nodes transmit. */
static void push_nodes(const dt_system *s, const double *m)
{
    double(*push)[6] = s->closure->stress->push;
    memset(push, 0, (size_t)s->tree->node_count * sizeof *push);
    for (int row = 0; row < 6 * s->mechanism->loop_count; row++) {
        const dt_loop *loop = &s->mechanism->loops[row / 6];
        if (m[row] != 0) {
            dt_axpy6(push[loop->node[1]], -m[row], s->closure->wrench[row]);
            if (loop->node[0] >= 0) {
                dt_axpy6(push[loop->node[0]], m[row], s->closure->wrench[row]);
            }
        }
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        if (s->tree->nodes[i].parent >= 0) {
            dt_add6(push[s->tree->nodes[i].parent], push[i]);
        }
    }
}

/** A, and N, factored; nothing is changed where that is singular. */
static void find_reactions(dt_system *s)
{
    dt_self_stress *stress = s->closure->stress;
    const size_t height = 6 * (size_t)stress->joint_count;
    int info = 0;
    for (int k = 0; k < stress->count; k++) {
        push_nodes(s, stress->Z + (size_t)k * (size_t)s->closure->rows);
        for (int n = 0; n < stress->joint_count; n++) {
            at_joint(s, n, stress->push[stress->node[n]],
                     stress->A + (size_t)k * height + 6 * (size_t)n);
        }
        for (int j = 0; j <= k; j++) {
            double sum = 0;
            for (size_t i = 0; i < height; i++) {
                sum += stress->A[(size_t)j * height + i] * stress->A[(size_t)k * height + i];
            }
            stress->N[k * stress->count + j] = stress->N[j * stress->count + k] = sum;
        }
    }
    if (stress->count > 0) {
        dgetrf_(&stress->count, &stress->count, stress->N, &stress->count, stress->pivots, &info);
    }
    stress->count = info == 0 ? stress->count : 0;
}

/** Z, A and N at the present pose and modes. */
static void update(dt_system *s, bool all)
{
    const dt_closure *c = s->closure;
    dt_self_stress *stress = c->stress;
    const size_t nq = (size_t)s->tree->nq * sizeof *s->q,
                 ns = (size_t)s->mechanism->stiction_count * sizeof *s->mode;
    if (stress->fresh && !all && memcmp(stress->q, s->q, nq) == 0 &&
        memcmp(stress->mode, s->mode, ns) == 0 && stress->choice == c->choice) {
        return;
    }
    memcpy(stress->q, s->q, nq);
    memcpy(stress->mode, s->mode, ns);
    stress->choice = c->choice;
    find_columns(s, all);
    find_reactions(s);
    stress->fresh = !all;
}

/* ---- use ---- */

/** N z = -A'R */
static void least_sum(dt_self_stress *stress)
{
    const size_t height = 6 * (size_t)stress->joint_count;
    const int one = 1;
    int info = 0;
    for (int k = 0; k < stress->count; k++) {
        stress->z[k] = 0;
        for (size_t i = 0; i < height; i++) {
            stress->z[k] -= stress->A[(size_t)k * height + i] * stress->R[i];
        }
    }
    dgetrs_("N", &stress->count, &one, stress->N, &stress->count, stress->pivots, stress->z,
            &stress->count, &info);
}

/** The largest of the present reactions, into stress->R; z as the step of the multipliers. */
static double find_step(dt_system *s)
{
    dt_self_stress *stress = s->closure->stress;
    double most = 0;
    for (int n = 0; n < stress->joint_count; n++) {
        at_joint(s, n, s->F[stress->node[n]], stress->R + 6 * (size_t)n);
    }
    for (size_t i = 0; i < 6 * (size_t)stress->joint_count; i++) {
        most = fmax(most, fabs(stress->R[i]));
    }
    least_sum(stress);
    return most;
}

static void relax(dt_system *s)
{
    const dt_closure *c = s->closure;
    const dt_self_stress *stress = c->stress;
    for (int round = 0; round < 3 && stress->count > 0; round++) {
        double most = find_step(s), step = 0;
        for (int k = 0; k < stress->count; k++) {
            step = fmax(step, fabs(stress->z[k]));
        }
        if (!(step > rounding * most)) {
            return;
        }
        for (int k = 0; k < stress->count; k++) {
            for (int r = 0; r < c->rows; r++) {
                s->multiplier[r] +=
                    stress->z[k] * stress->Z[(size_t)k * (size_t)c->rows + (size_t)r];
            }
        }
        dt_system_wrenches(s);
        dt_rnea(s->tree, s->motion, s->gravity, s->a, (const double(*)[6])s->external, s->A, s->F,
                s->tau);
    }
}

void dt_self_stress_relax(dt_system *s)
{
    if (s->closure && s->closure->stress && s->closure->chosen && !s->closure->open) {
        update(s, false);
        relax(s);
    }
}

bool dt_self_stress_show(dt_system *s)
{
    dt_closure *c = s->closure;
    if (!c || !c->shown || !c->chosen || c->open) {
        return false;
    }
    c->stress = c->shown;
    dt_self_stress_relax(s);
    c->stress = NULL;
    return c->shown->count > 0;
}

void dt_self_stress_relax_all(dt_system *s)
{
    update(s, true);
    relax(s);
}

void dt_self_stress_remove(dt_system *s, double *m)
{
    const dt_closure *c = s->closure;
    if (!c || !c->stress || !c->chosen || c->open) {
        return;
    }
    update(s, false);
    const dt_split *split = c->stress->split;
    for (int at = 0; at < c->stress->left; at++) {
        const int row = split->row[at];
        add_row(c, split, at, -m[row] / c->row_unit[row], m);
        m[row] = 0;
    }
}

void dt_self_stress_clear(dt_system *s)
{
    const dt_closure *c = s->closure;
    for (int r = 0; c->stress && r < c->rows; r++) {
        s->multiplier[r] = c->active[r] ? s->multiplier[r] : 0;
    }
}

bool dt_self_stress_is_shared(const dt_system *s, int node)
{
    const dt_closure *c = s->closure;
    const dt_split *split = c ? c->split : NULL;
    bool any = false;
    for (int j = 0; c && c->stress && j < split->columns && !any; j++) {
        double most = 0;
        memset(c->stress->z, 0, (size_t)c->rows * sizeof *c->stress->z);
        add_row(c, split, split->pivots[j] - 1, 1, c->stress->z);
        push_nodes(s, c->stress->z);
        for (int r = 0; r < c->rows; r++) {
            most = fmax(most, fabs(c->stress->z[r]));
        }
        for (int k = 0; k < 6; k++) {
            any = any || fabs(c->stress->push[node][k]) > nothing * most;
        }
    }
    return any;
}

/** Whether a law changes with a column of Z, whose reactions are in stress->push. */
static bool reads_push(dt_system *s, const dt_law *law, double *gradient)
{
    const dt_self_stress *stress = s->closure->stress;
    const int k = dt_law_stiction(s, law);
    double sum = 0, size = 0;
    dt_law_gradient(s, law, k < 0 ? 0 : s->direction[k], gradient);
    for (int i = 0; i < law->program->variable_count; i++) {
        const dt_variable variable = law->program->variables[i];
        dt_slope slope = {0};
        if (!dt_variable_is(variable, DT_OF_WRENCH)) {
            continue;
        }
        const double *push = stress->push[dt_system_place(s, variable.index)];
        dt_slope_add(s, variable, gradient[i], &slope);
        sum += dt_dot6(slope.F, push);
        for (int c = 0; c < 6; c++) {
            size += fabs(slope.F[c] * push[c]);
        }
    }
    return fabs(sum) > nothing * size;
}

/** A law of the equation of motion that changes with column k of Z, or NULL. */
static const dt_law *reader_of(dt_system *s, int k)
{
    dt_self_stress *stress = s->closure->stress;
    push_nodes(s, stress->Z + (size_t)k * (size_t)s->closure->rows);
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        const int of = dt_law_stiction(s, law);
        const bool acts = dt_law_is(law, DT_LAW_IS_ANSWER | DT_LAW_IS_RATE) &&
                          (!dt_law_is(law, DT_LAW_IS_RUBBING) || s->mode[of] != DETENT_LOCKED);
        if (acts && reads_push(s, law, stress->gradient)) {
            return law;
        }
    }
    return NULL;
}

const dt_law *dt_self_stress_reader(dt_system *s)
{
    const dt_law *law = NULL;
    if (s->closure && s->closure->stress) {
        update(s, false);
        for (int k = 0; k < s->closure->stress->count && !law; k++) {
            law = reader_of(s, k);
        }
    }
    return law;
}

int dt_self_stress_list(dt_system *s, int *column)
{
    int count = 0;
    update(s, false);
    for (int k = 0; k < s->closure->stress->count; k++) {
        if (reader_of(s, k)) {
            column[count++] = k;
        }
    }
    return count;
}

const double *dt_self_stress_column(const dt_system *s, int k)
{
    return s->closure->stress->Z + (size_t)k * (size_t)s->closure->rows;
}

void dt_self_stress_change(dt_system *s, const dt_tangent *t, double *dz)
{
    dt_self_stress *stress = s->closure->stress;
    for (int n = 0; n < stress->joint_count; n++) {
        const int i = stress->node[n];
        double change[6];
        dt_cross_force(change, t->x[i], s->F[i]);
        for (int k = 0; k < 6; k++) {
            change[k] = t->dF[i][k] - change[k];
        }
        at_joint(s, n, change, stress->R + 6 * (size_t)n);
    }
    least_sum(stress);
    memcpy(dz, stress->z, (size_t)stress->count * sizeof *dz);
}
