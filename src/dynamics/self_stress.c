#include "dynamics/self_stress.h"
#include "dynamics/arm.h"

#include "dynamics/closure_parts.h"
#include "dynamics/rnea.h"
#include "dynamics/slope.h"
#include "dynamics/split_parts.h"
#include "model/multiplier.h"

#include <float.h>
#include <math.h>

/* A sum of reactions that is smaller than that, beside them, is rounding. */
static const double rounding = 16 * DBL_EPSILON;

/* What elimination leaves of a multiplier that is none, beside the others (split.c). */
static const double nothing = 1e-9;

/* ---- Z ---- */

/* Adds the unit multiplier, times y, of row `at` of those left out, balanced by active rows, to a column of Z. */
static void add_row(const dt_closure *c, const dt_split_part *part, int at, double y,
                    double *column)
{
    const size_t n = (size_t)part->active_count;
    const double m = c->row_unit[part->implied[at]] * y;
    column[part->implied[at]] += m;
    for (size_t r = 0; r < n; r++) {
        column[part->active[r]] -= part->share[(size_t)at * n + r] * m;
    }
}

/* Of the rows left out those combinations that leave the friction of locked joints as it is. */
static void find_columns(dt_system *s, bool all)
{
    const dt_closure *c = s->closure;
    dt_self_stress *stress = c->stress;
    dt_split_part *part = stress->split->part;
    dt_split_mark(s, stress->split);
    dt_split_list(s, NULL, stress->split, part);
    dt_split_shares(c, stress->split, part);
    const int count = part->left, n = all ? 0 : part->count;
    part->count = n;
    stress->left = count;
    const int rank = n > 0 ? dt_split_rank(s, stress->split, part, dt_closure_reach(s)) : 0;
    stress->count = count - rank;
    memset(stress->Z, 0, (size_t)c->rows * (size_t)stress->count * sizeof *stress->Z);
    for (int k = 0; k < stress->count; k++) {
        double *column = stress->Z + (size_t)k * (size_t)c->rows, *x = stress->z;
        add_row(c, part, n > 0 ? part->pivots[rank + k] - 1 : k, 1, column);
        for (int i = rank - 1; i >= 0; i--) { /* R x = its column of R */
            x[i] = part->U[(size_t)(rank + k) * (size_t)n + (size_t)i];
            for (int j = i + 1; j < rank; j++) {
                x[i] -= part->U[(size_t)j * (size_t)n + (size_t)i] * x[j];
            }
            x[i] /= part->U[(size_t)i * (size_t)n + (size_t)i];
            add_row(c, part, part->pivots[i] - 1, -x[i], column);
        }
    }
}

/* ---- A ---- */

/* What joint n transmits of a spatial wrench about the origin, at its frame, torques by the length. */
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

/* How multipliers change what nodes transmit. */
static void push_nodes(const dt_system *s, const double *m)
{
    double(*push)[6] = s->closure->stress->push;
    memset(push, 0, (size_t)s->tree->node_count * sizeof *push);
    for (int row = 0; row < s->closure->rows; row++) {
        int node[2];
        if (m[row] == 0 || !dt_closure_ends(s, row, &node[0], &node[1])) {
            continue;
        }
        for (int e = 0; e < 2; e++) {
            if (node[e] >= 0) {
                dt_axpy6(push[node[e]], e ? -m[row] : m[row], s->closure->wrench[row]);
            }
        }
    }
    for (int i = s->tree->node_count - 1; i >= 0; i--) {
        if (s->tree->nodes[i].parent >= 0) {
            dt_add6(push[s->tree->nodes[i].parent], push[i]);
        }
    }
}

/* What couplings, rods and slots do by these multipliers, behind what joints transmit. */
static void at_others(const dt_system *s, const double *m, double *R)
{
    const dt_self_stress *stress = s->closure->stress;
    for (int n = 0; n < stress->itself_count; n++) {
        R[6 * stress->joint_count + n] = stress->direct[n] * m[stress->itself[n]];
    }
}

/* A, and N, factored; nothing is changed where that is singular. */
static void find_reactions(dt_system *s)
{
    dt_self_stress *stress = s->closure->stress;
    const size_t height = (size_t)stress->height;
    int info = 0;
    for (int k = 0; k < stress->count; k++) {
        push_nodes(s, stress->Z + (size_t)k * (size_t)s->closure->rows);
        at_others(s, stress->Z + (size_t)k * (size_t)s->closure->rows,
                  stress->A + (size_t)k * height);
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

/* Z, A and N at the present pose and modes. */
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

/* N z = -A'R */
static void least_sum(dt_self_stress *stress)
{
    const size_t height = (size_t)stress->height;
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

/* The largest of the present reactions, into stress->R; z as the step of the multipliers. */
static double find_step(dt_system *s)
{
    dt_self_stress *stress = s->closure->stress;
    double most = 0;
    for (int n = 0; n < stress->joint_count; n++) {
        at_joint(s, n, s->F[stress->node[n]], stress->R + 6 * (size_t)n);
    }
    at_others(s, s->multiplier, stress->R);
    for (size_t i = 0; i < (size_t)stress->height; i++) {
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
    const dt_split_part *part = c->stress->split->part;
    for (int at = 0; at < c->stress->left; at++) {
        const int row = part->implied[at];
        add_row(c, part, at, -m[row] / c->row_unit[row], m);
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

/* Whether column j of U of a part changes what is transmitted at node `at`, or with `coupling` the multiplier of row `at`. */
static bool changes(const dt_system *s, const dt_split_part *part, int j, bool coupling, int at)
{
    const dt_closure *c = s->closure;
    double most = 0;
    bool any = false;
    memset(c->stress->z, 0, (size_t)c->rows * sizeof *c->stress->z);
    add_row(c, part, part->pivots[j] - 1, 1, c->stress->z);
    push_nodes(s, c->stress->z);
    for (int r = 0; r < c->rows; r++) {
        most = fmax(most, fabs(c->stress->z[r]) / (coupling ? c->row_unit[r] : 1));
    }
    for (int k = 0; k < 6 && !coupling; k++) {
        any = any || fabs(c->stress->push[at][k]) > nothing * most;
    }
    return any || (coupling && fabs(c->stress->z[at]) > nothing * most * c->row_unit[at]);
}

bool dt_self_stress_is_shared(const dt_system *s, dt_variable variable)
{
    const bool coupling = dt_variable_is(variable, DT_OF_COUPLINGS);
    const int at = coupling ? dt_multiplier_of(s->mechanism, variable).row
                            : dt_system_place(s, variable.index);
    const dt_closure *c = s->closure;
    const dt_split *split = c && c->stress ? c->split : NULL;
    bool any = false;
    for (int p = 0; split && p < split->part_count; p++) {
        for (int j = 0; j < split->part[p].columns && !any; j++) {
            any = changes(s, &split->part[p], j, coupling, at);
        }
    }
    return any;
}

/* Whether a program with that gradient changes with a column of Z, m, whose reactions are in stress->push. */
static bool reads_push(const dt_system *s, const dt_program *program, const double *m,
                       const double *gradient)
{
    const dt_self_stress *stress = s->closure->stress;
    double sum = 0, size = 0, most = 0;
    for (int r = 0; r < s->closure->rows; r++) {
        most = fmax(most, fabs(m[r]) / s->closure->row_unit[r]);
    }
    for (int i = 0; i < program->variable_count; i++) {
        const dt_variable variable = program->variables[i];
        dt_slope slope = {0};
        if (dt_variable_is(variable, DT_OF_COUPLINGS)) {
            const dt_multiplier of = dt_multiplier_of(s->mechanism, variable);
            sum += gradient[i] * of.factor * m[of.row];
            size += fabs(gradient[i] * of.factor) * s->closure->row_unit[of.row] * most;
        }
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

/* Whether it changes with the friction of locked joints, which that column changes. */
static bool reads_shares(const dt_system *s, const dt_program *program, const double *m,
                         const double *gradient)
{
    const dt_closure *c = s->closure;
    double sum = 0, size = 0;
    for (int i = 0; i < program->variable_count; i++) {
        const dt_variable variable = program->variables[i];
        const int k = dt_variable_is(variable, DT_OF_FRICTION)
                          ? s->mechanism->primitives[variable.index].stiction
                          : -1;
        for (int r = 0; r < c->rows && k >= 0 && s->mode[k] == DETENT_LOCKED; r++) {
            const double term = gradient[i] * dt_closure_entry(c, r, dt_split_freedom(s, k)) * m[r];
            sum += term;
            size += fabs(term);
        }
    }
    return fabs(sum) > nothing * size;
}

bool dt_self_stress_is_told(dt_system *s, const dt_program *program, const double *gradient)
{
    dt_closure *c = s->closure;
    dt_self_stress *own = c ? c->stress : NULL;
    bool any = false;
    if (!c || !(own || c->shown) || !c->chosen || c->open) {
        return false;
    }
    c->stress = own ? own : c->shown;
    update(s, true);
    for (int k = 0; k < c->stress->count && !any; k++) {
        const double *m = c->stress->Z + (size_t)k * (size_t)c->rows;
        push_nodes(s, m);
        any = reads_push(s, program, m, gradient) || reads_shares(s, program, m, gradient);
    }
    c->stress = own;
    return any;
}

/* A law of the equation of motion that changes with column k of Z, or NULL. */
static const dt_law *reader_of(dt_system *s, int k)
{
    dt_self_stress *stress = s->closure->stress;
    const double *m = stress->Z + (size_t)k * (size_t)s->closure->rows;
    push_nodes(s, m);
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        const int of = dt_law_stiction(s, law);
        const bool acts = dt_law_is(law, DT_LAW_IS_ANSWER | DT_LAW_IS_RATE) &&
                          (!dt_law_is(law, DT_LAW_IS_RUBBING) || s->mode[of] != DETENT_LOCKED);
        if (acts) {
            dt_law_gradient(s, law, of < 0 ? 0 : s->direction[of], stress->gradient);
        }
        if (acts && reads_push(s, law->program, m, stress->gradient)) {
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
    at_others(s, t->dm, stress->R);
    least_sum(stress);
    memcpy(dz, stress->z, (size_t)stress->count * sizeof *dz);
}
