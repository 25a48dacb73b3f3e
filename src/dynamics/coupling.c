#include "dynamics/coupling.h"
#include "base/joined.h"

#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/tie_front.h"
#include "model/multiplier.h"

#include <stdlib.h>

/* The node whose tree a reading is of; -1: of none. */
static int node_of(const dt_system *s, dt_variable variable)
{
    return dt_variable_is(variable, DT_OF_COUPLINGS) ? dt_multiplier_of(s->mechanism, variable).node
           : dt_variable_is(variable, DT_OF_JOINT)   ? variable.index
                                                     : -1;
}

/* ---- which answers have to do with each other ---- */

/* Whether an answer is solved for here, and has to do with anything now. */
static bool takes(const dt_coupling *cp, const dt_remote *remote)
{
    return remote->node >= 0 && !(cp->without_ties && dt_remote_ties(remote));
}

/* Numbers the trees that hang on the ground; returns how many. */
static int number_trees(const dt_tree *tree, int *component)
{
    int count = 0;
    for (int i = 0; i < tree->node_count; i++) {
        component[i] = tree->nodes[i].parent < 0 ? count++ : component[tree->nodes[i].parent];
    }
    return count;
}

static void join(dt_coupling *cp, int a, int b)
{
    const int one = dt_first_of(cp->joined, cp->component[a]),
              other = dt_first_of(cp->joined, cp->component[b]);
    cp->joined[one < other ? other : one] = one < other ? one : other;
}

/* Trees that an answer acts on together are one component. */
static void join_trees(const dt_linear_laws *laws, const dt_system *s, int trees, dt_coupling *cp)
{
    const dt_tree *tree = s->tree;
    for (int t = 0; t < trees; t++) {
        cp->joined[t] = t;
    }
    for (int e = laws->law_count; e < laws->remote_count; e++) {
        const dt_remote *remote = &laws->remote[e];
        if (remote->node >= 0) {
            join(cp, remote->node, remote->other);
        }
        for (int k = 2; remote->node >= 0 && remote->element->answer_joins; k++) {
            const int more = remote->element->answer_joins(s->mechanism, remote, k);
            if (more < 0) {
                break;
            }
            join(cp, remote->node, more);
        }
    }
    for (int i = 0; i < tree->node_count; i++) {
        cp->component[i] = dt_first_of(cp->joined, cp->component[i]);
    }
}

/* Sorts the answers by component (counting sort, stable): the laws of each, then the others. */
static void list_members(const dt_linear_laws *laws, int components, dt_coupling *cp)
{
    memset(cp->first, 0, ((size_t)components + 1) * sizeof *cp->first);
    cp->most_first = cp->most = 0;
    for (int e = 0; e < laws->remote_count; e++) {
        if (takes(cp, &laws->remote[e])) {
            const int count = ++cp->first[cp->component[laws->remote[e].node] + 1];
            int *most = e < laws->acceleration_count ? &cp->most_first : &cp->most;
            *most = count > *most ? count : *most;
        }
    }
    cp->most = cp->most > cp->most_first ? cp->most : cp->most_first;
    for (int t = 0; t < components; t++) {
        cp->first[t + 1] += cp->first[t];
    }
    const int all = cp->first[components];
    for (int e = laws->remote_count - 1; e >= 0; e--) {
        if (takes(cp, &laws->remote[e])) {
            cp->member[--cp->first[cp->component[laws->remote[e].node] + 1]] = e;
        }
    }
    /* first[t + 1] now is the start of t: shift back */
    for (int t = 0; t < components; t++) {
        cp->first[t] = cp->first[t + 1];
    }
    cp->first[components] = all;
}

static void form_components(dt_coupling *cp, const dt_system *s, const dt_linear_laws *laws)
{
    const int trees = number_trees(s->tree, cp->component);
    join_trees(laws, s, trees, cp);
    list_members(laws, trees, cp);
}

/* ---- set-up ---- */

/* The largest distance |e - e'| between an answer and those of a component that it reads. */
static int distance(const dt_coupling *cp, int e, int component)
{
    int width = 0;
    for (int k = cp->first[component]; k < cp->first[component + 1]; k++) {
        width = abs(cp->member[k] - e) > width ? abs(cp->member[k] - e) : width;
    }
    return width;
}

static int band_width(const dt_system *s, const dt_linear_laws *laws, const dt_coupling *cp)
{
    int width = 0, own = 0;
    for (int e = 0; e < laws->law_count; e++) {
        const dt_remote *remote = &laws->remote[e];
        for (int j = 0; j < remote->read_count; j++) {
            const int node = node_of(s, remote->reads[j]);
            if (node >= 0) {
                own = distance(cp, e, cp->component[node]);
                width = own > width ? own : width;
            }
        }
    }
    for (int e = laws->law_count; e < laws->remote_count; e++) {
        own =
            !takes(cp, &laws->remote[e]) ? 0 : distance(cp, e, cp->component[laws->remote[e].node]);
        width = own > width ? own : width;
    }
    return width;
}

bool dt_coupling_create(dt_arena *arena, const dt_system *s, const dt_linear_laws *laws,
                        bool without_ties, dt_coupling *cp)
{
    const size_t n = (size_t)s->tree->node_count;
    memset(cp, 0, sizeof *cp);
    cp->without_ties = without_ties;
    cp->count = laws->remote_count;
    if (cp->count == 0 && laws->reader_count == 0) {
        return true;
    }
#define TAKE(member, count) \
    ((cp->member = dt_arena_alloc(arena, (count), sizeof *cp->member)) != NULL)
    if (!TAKE(u_Q, n) || !TAKE(u_K, (size_t)s->mechanism->stiction_count) || !TAKE(u_E, n) ||
        !TAKE(u_m, (size_t)dt_tie_rows(s->mechanism))) {
        return false;
    }
    if (cp->count == 0) {
        return true;
    }
    if (!TAKE(component, n) || !TAKE(joined, n) || !TAKE(first, n + 1) ||
        !TAKE(member, (size_t)cp->count) || !TAKE(u, (size_t)cp->count)) {
        return false;
    }
#undef TAKE
    form_components(cp, s, laws);
    if (without_ties && cp->most == 0) {
        cp->count = 0;
        return true;
    }
    return dt_band_create(arena, cp->count, band_width(s, laws, cp), &cp->matrix);
}

/* ---- use ---- */

double dt_coupling_reading(const dt_tree_newton *tn, const dt_system *s, dt_variable variable)
{
    if (dt_variable_is(variable, DT_OF_COUPLINGS)) {
        const dt_multiplier of = dt_multiplier_of(s->mechanism, variable);
        return of.factor * tn->m[of.row];
    }
    const int i = dt_system_place(s, variable.index), j = s->tree->nodes[i].v,
              k = s->mechanism->primitives[i].stiction;
    dt_slope slope = {0};
    dt_slope_add(s, variable, 1, &slope);
    double change = dt_tree_newton_wrench(tn, i, slope.F);
    if (s->tree->nodes[i].type->nv == 1) {
        change += slope.v * tn->dv[j] + slope.a * dt_tree_newton_da(tn, j);
        if (tn->level == DT_NEWTON_STEP) {
            change += slope.q * tn->delta[j];
        }
    }
    return k < 0 ? change : change + slope.f * tn->df[k];
}

/* Puts the change u of an answer into the load. */
static void inject(dt_coupling *cp, const dt_system *s, const dt_remote *remote, double u)
{
    const dt_law_changes changes = {
        .mechanism = s->mechanism, .Q = cp->u_Q, .K = cp->u_K, .E = cp->u_E};
    remote->element->inject(remote, u, &changes);
    if (dt_remote_ties(remote)) {
        cp->u_m[remote->row] = u;
    }
}

/* How many answers take part at a level: those that read accelerations come first. */
static int active(const dt_linear_laws *laws, const dt_tree_newton *tn)
{
    return tn->level == DT_NEWTON_STEP ? laws->remote_count : laws->acceleration_count;
}

static void clear_injection(dt_coupling *cp, const dt_system *s)
{
    const size_t n = (size_t)s->tree->node_count;
    memset(cp->u_Q, 0, n * sizeof *cp->u_Q);
    memset(cp->u_K, 0, (size_t)s->mechanism->stiction_count * sizeof *cp->u_K);
    memset(cp->u_E, 0, n * sizeof *cp->u_E);
    memset(cp->u_m, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *cp->u_m);
}

/* Whether an answer is a torque, not a force. */
static bool is_torque(const dt_system *s, const dt_remote *remote)
{
    const dt_law *law = remote->law;
    return law && (dt_law_is(law, DT_LAW_IS_ALONG) ? s->tree->nodes[remote->node].type->rotational
                                                   : law->component >= 3);
}

/*
 * What an answer is measured by, so that rows and columns compare as forces: torques by a length, multipliers of conditions by
 * the units of these.
 */
static double unit_of(const dt_coupling *cp, const dt_system *s, const dt_remote *remote)
{
    if (dt_remote_ties(remote)) {
        return takes(cp, remote) ? s->closure->row_unit[remote->row] : 1;
    }
    return is_torque(s, remote) ? s->length : 1;
}

/* What its row is multiplied by: accelerations, of a condition, compare with the forces of laws. */
static double row_unit_of(const dt_coupling *cp, const dt_system *s, const dt_remote *remote)
{
    const double unit = unit_of(cp, s, remote);
    return !dt_remote_ties(remote) ? 1 / unit
           : takes(cp, remote)     ? s->closure->mass_unit * unit
                                   : 1;
}

/* Subtracts slope times change of a reading in component t from row e, where t has a member of this round. */
static void take_column(dt_coupling *cp, const dt_system *s, const dt_linear_laws *laws, int e,
                        int t, int round, double change)
{
    const int at = cp->first[t] + round;
    if (at < cp->first[t + 1]) {
        const int member = cp->member[at];
        *dt_band_entry(&cp->matrix, e, member) -=
            row_unit_of(cp, s, &laws->remote[e]) * unit_of(cp, s, &laws->remote[member]) * change;
    }
}

/* One column of each component, that of its member number `round`: the answers to a unit change. */
static void take_columns(dt_coupling *cp, const dt_tree_newton *tn, const dt_system *s,
                         const dt_linear_laws *laws, int round)
{
    for (int e = 0; e < laws->law_count; e++) {
        const dt_remote *remote = &laws->remote[e];
        for (int j = 0; j < remote->read_count; j++) {
            if (remote->gradient[j] != 0) {
                take_column(cp, s, laws, e, cp->component[node_of(s, remote->reads[j])], round,
                            remote->gradient[j] * dt_coupling_reading(tn, s, remote->reads[j]));
            }
        }
    }
    for (int e = laws->law_count; e < active(laws, tn); e++) {
        const dt_remote *remote = &laws->remote[e];
        if (takes(cp, remote)) {
            take_column(cp, s, laws, e, cp->component[remote->node], round,
                        remote->element->feel(remote, tn, s));
        }
    }
}

bool dt_coupling_factor(dt_coupling *cp, dt_tree_newton *tn, const dt_system *s,
                        const dt_linear_laws *laws)
{
    const dt_tree_load load = {.u_Q = cp->u_Q, .u_K = cp->u_K, .u_E = (const double(*)[6])cp->u_E};
    const int count = cp->count > 0 ? active(laws, tn) : 0;
    tn->m = tn->front ? tn->front->u : cp->u_m;
    if (count == 0) {
        return true;
    }
    if (laws->remote_count > laws->law_count) {
        form_components(cp, s, laws); /* what moves together may have changed */
    }
    dt_band_identity(&cp->matrix);
    for (int e = laws->law_count; e < count; e++) {
        if (dt_remote_ties(&laws->remote[e]) && takes(cp, &laws->remote[e])) {
            *dt_band_entry(&cp->matrix, e, e) = 0;
        }
    }
    const int rounds = count > laws->acceleration_count ? cp->most : cp->most_first;
    for (int round = 0; round < rounds; round++) {
        clear_injection(cp, s);
        for (int e = 0; e < count; e++) {
            const int node = laws->remote[e].node, t = node < 0 ? -1 : cp->component[node];
            if (t >= 0 && cp->first[t] + round < cp->first[t + 1] &&
                cp->member[cp->first[t] + round] == e) {
                inject(cp, s, &laws->remote[e], 1);
            }
        }
        dt_tree_newton_solve(tn, s, laws, &load);
        take_columns(cp, tn, s, laws, round);
    }
    return dt_band_factor(&cp->matrix);
}

int dt_coupling_sign(const dt_coupling *cp, const dt_tree_newton *tn, const dt_linear_laws *laws)
{
    return cp->count > 0 && active(laws, tn) > 0 ? dt_band_sign(&cp->matrix) : 1;
}

/* How an answer changes with what it reads in the solution; of a weld with its own residual, from `r_m`. */
static double answer_change(const dt_remote *remote, const dt_tree_newton *tn, const dt_system *s,
                            const double *r_m)
{
    double sum = 0;
    if (dt_remote_ties(remote)) {
        const double r = r_m ? r_m[remote->row] : 0;
        return remote->node < 0 ? -r : remote->element->feel(remote, tn, s) + r;
    }
    if (!remote->law) {
        return remote->node < 0 ? 0 : remote->element->feel(remote, tn, s);
    }
    for (int j = 0; j < remote->read_count; j++) {
        if (remote->gradient[j] != 0) {
            sum += remote->gradient[j] * dt_coupling_reading(tn, s, remote->reads[j]);
        }
    }
    return sum;
}

/* What the residuals of states make of the laws that read them, to the load. */
static void add_states(dt_coupling *cp, const dt_system *s, const dt_linear_laws *laws,
                       const double *r_z, dt_tree_load *load)
{
    clear_injection(cp, s);
    for (int e = 0; e < laws->reader_count; e++) {
        const dt_state_reader *reader = &laws->reader[e];
        double u = 0;
        for (int k = 0; k < reader->count; k++) {
            u -= reader->y[k] * r_z[reader->state[k]];
        }
        if (u != 0) {
            inject(cp, s, &reader->at, u);
        }
    }
    load->u_Q = cp->u_Q;
    load->u_K = cp->u_K;
    load->u_E = (const double(*)[6])cp->u_E;
}

void dt_coupling_solve(dt_coupling *cp, dt_tree_newton *tn, const dt_system *s,
                       const dt_linear_laws *laws, const dt_tree_load *load)
{
    dt_tree_load coupled = *load;
    const int count = cp->count > 0 ? active(laws, tn) : 0;
    const bool by_states = laws->states.active && laws->reader_count > 0 && load->r_z;
    if (by_states) {
        add_states(cp, s, laws, load->r_z, &coupled);
    } else if (count > 0) {
        clear_injection(cp, s);
    }
    dt_tree_newton_solve(tn, s, laws, &coupled);
    if (count == 0) {
        return;
    }
    for (int e = 0; e < cp->count; e++) {
        const dt_remote *remote = &laws->remote[e];
        const bool here = !cp->without_ties || !dt_remote_ties(remote);
        cp->u[e] = e < count && here
                       ? row_unit_of(cp, s, remote) * answer_change(remote, tn, s, load->r_m)
                       : 0;
    }
    dt_band_solve(&cp->matrix, cp->u);
    for (int e = 0; e < count; e++) {
        cp->u[e] *= unit_of(cp, s, &laws->remote[e]);
    }
    clear_injection(cp, s);
    if (by_states) {
        add_states(cp, s, laws, load->r_z, &coupled);
    }
    for (int e = 0; e < count; e++) {
        inject(cp, s, &laws->remote[e], cp->u[e]);
    }
    coupled.u_Q = cp->u_Q;
    coupled.u_K = cp->u_K;
    coupled.u_E = (const double(*)[6])cp->u_E;
    dt_tree_newton_solve(tn, s, laws, &coupled);
}
