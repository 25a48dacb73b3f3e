#include "dynamics/velocity_step.h"

#include "dynamics/element.h"
#include "dynamics/newton_parts.h"
#include "dynamics/velocity_newton.h"

bool dt_velocity_step_create(dt_arena *arena, dt_system *s, dt_newton *newton, dt_velocity_step *w)
{
    const size_t nv = (size_t)s->tree->nv, n = (size_t)s->tree->node_count,
                 ns = (size_t)s->mechanism->stiction_count;
    w->system = s;
    w->newton = newton;
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        w->has_slopes = w->has_slopes || dt_law_is_drive(law);
        w->keeps_reactions =
            w->keeps_reactions || dt_program_reads(law->program, DT_OF_FORCES | DT_OF_WRENCH);
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_primitive *p = &s->mechanism->primitives[i];
        w->has_slopes = w->has_slopes || p->damping != 0 || p->stiffness != 0;
    }
#define TAKE(member, count) \
    ((w->member = dt_arena_alloc(arena, (count), sizeof *w->member)) != NULL)
    if (!dt_bristles_create(arena, s, &w->bristles)) {
        return false;
    }
    dt_velocity_step_set_apart(w, true);
    w->coupled = dt_velocity_step_is_coupled(s, newton);
    dt_velocity_step_set_apart(w, false);
    if (w->coupled && !dt_velocity_newton_create(arena, w)) {
        return false;
    }
    return TAKE(added, nv) && TAKE(shift, (size_t)w->system->tree->nq) && TAKE(drive, nv) &&
           TAKE(held, n) && TAKE(v, nv) && TAKE(a, nv) && TAKE(f, ns) && TAKE(force, nv) &&
           TAKE(moved, nv) && TAKE(whole, nv) && TAKE(share, nv) && TAKE(reference, nv) &&
           TAKE(stiff, nv) && TAKE(resolved, nv) && TAKE(D, nv) && TAKE(K, nv) &&
           (w->bristles.count == 0 || TAKE(all_added, nv));
#undef TAKE
}

void dt_velocity_step_set_apart(dt_velocity_step *w, bool apart)
{
    dt_bristles *b = &w->bristles;
    b->start = w->start;
    b->share = w->share;
    b->held = w->held;
    dt_bristles_set_apart(b, &w->newton->laws.states, apart);
}

/* The share of the end: 1/(1 - exp(-z)) - 1/z; without an inertia everything is stiff. */
static double share_of(double stiff, double inertia)
{
    static const double little = 1e-3;
    const double z = stiff > 0 ? stiff / inertia : 0;
    return z < little ? 0.5 + z / 12 : -1 / expm1(-z) - 1 / z;
}

void dt_velocity_step_measure(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    dt_aba *aba = &w->newton->aba;
    for (int i = 0; i < s->tree->node_count; i++) {
        w->held[i] = dt_is_prescribed(s, i);
    }
    const bool known = dt_aba_factor(s->tree, s->motion, w->held, NULL, aba) < 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->reference[j] = !known || w->held[i] ? 0 : 1 / aba->freedom[j].D;
            w->stiff[j] = 0;
            w->resolved[j] = share_of(0, w->reference[j]);
        }
    }
}

/* ---- what acts ---- */

/* Of freedom j, with h D + h^2 K. */
static double find_share(dt_velocity_step *w, int j, double stiff)
{
    if (stiff != w->stiff[j]) {
        w->stiff[j] = stiff;
        w->resolved[j] = share_of(stiff, w->reference[j]);
    }
    return w->resolved[j];
}

/* Of D and K, and of how stiff curves are, which count for shares alone. */
static void find_shares(dt_velocity_step *w)
{
    const double h = w->h;
    double *D = w->drive, *K = w->added; /* work space */
    memcpy(D, w->D, (size_t)w->system->tree->nv * sizeof *D);
    memcpy(K, w->K, (size_t)w->system->tree->nv * sizeof *K);
    dt_bristles_add_stiffness(&w->bristles, D, K);
    for (int j = 0; j < w->system->tree->nv; j++) {
        const double share =
            w->coupled || w->whole[j] ? 1 : find_share(w, j, h * (D[j] + h * K[j]));
        w->share[j] = share;
        w->added[j] = share * h * (w->D[j] + share * h * w->K[j]);
    }
}

void dt_velocity_step_find_slopes(dt_velocity_step *w, double h)
{
    dt_system *s = w->system;
    const bool own = w->has_slopes && !w->coupled;
    dt_linear_laws *laws = &w->newton->laws;
    w->h = h;
    dt_bristles_begin(&w->bristles, h);
    dt_bristles_measure(&w->bristles);
    if (own) {
        memset(laws->row, 0, (size_t)s->tree->nv * sizeof *laws->row);
    }
    for (int k = 0; k < DT_ELEMENT_KINDS && own; k++) {
        if (dt_elements[k]->add_rows && dt_element_acts(s, k)) {
            dt_elements[k]->add_rows(laws, s);
        }
    }
    for (int j = 0; j < s->tree->nv; j++) {
        w->D[j] = own ? fmax(laws->row[j].v, 0) : 0;
        w->K[j] = own ? fmax(laws->row[j].q, 0) : 0;
    }
    find_shares(w);
}

/* The forces at the readings of the system, and what is known of how they change from there. */
static void find_drive(dt_velocity_step *w)
{
    dt_system *s = w->system;
    dt_system_wrenches(s);
    dt_system_forces(s);
    memcpy(w->drive, s->Q, (size_t)s->tree->nv * sizeof *w->drive);
    for (int j = 0; j < s->tree->nv && w->has_slopes && !w->coupled; j++) {
        w->drive[j] -= w->D[j] * (w->start[j] - s->v[j]) +
                       w->K[j] * (w->share[j] * w->h * w->start[j] - w->moved[j]);
    }
}

void dt_velocity_step_begin(dt_velocity_step *w, double end)
{
    dt_system *s = w->system;
    w->solves = w->curve_solves = 0;
    w->keeps_factor = false;
    find_drive(w);
    memcpy(w->v, w->start, (size_t)s->tree->nv * sizeof *w->v);
    for (int i = 0; i < s->tree->node_count; i++) {
        w->held[i] = dt_is_prescribed(s, i);
        if (w->held[i]) {
            double jet[3];
            dt_motion_jet(s, i, end, jet);
            w->v[s->tree->nodes[i].v] = jet[1];
        }
    }
    if (w->coupled) {
        dt_velocity_newton_begin(w);
    }
}

void dt_velocity_step_correct(dt_velocity_step *w)
{
    dt_bristles_measure(&w->bristles);
    find_drive(w);
    w->keeps_factor = w->bristles.count == 0;
}

/* ---- solutions ---- */

static detent_status factor(dt_velocity_step *w, const double *added, detent_error *error)
{
    const dt_system *s = w->system;
    const bool same =
        w->keeps_factor && memcmp(w->held, w->newton->aba.held, (size_t)s->tree->node_count) == 0;
    w->keeps_factor = false;
    if (same) {
        return DETENT_OK;
    }
    const int node = dt_aba_factor(s->tree, s->motion, w->held, added, &w->newton->aba);
    w->solves++;
    return node < 0 ? DETENT_OK : dt_newton_singular(s, node, error);
}

/* What stands beside inertias, and what is given along joints. */
static const double *find_known(dt_velocity_step *w)
{
    const size_t nv = (size_t)w->system->tree->nv;
    memcpy(w->force, w->drive, nv * sizeof *w->force);
    if (w->bristles.count == 0) {
        return w->has_slopes ? w->added : NULL;
    }
    for (size_t j = 0; j < nv; j++) {
        w->force[j] += w->bristles.force[j];
        w->all_added[j] = w->added[j] + w->h * w->bristles.slope[j];
    }
    return w->all_added;
}

/* With the slopes and forces of curves that there are. */
static detent_status solve_along_tree(dt_velocity_step *w, detent_error *error)
{
    dt_system *s = w->system;
    const detent_status status = factor(w, find_known(w), error);
    if (status) {
        return status;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        if (w->held[i]) {
            w->a[node->v] = (w->v[node->v] - w->start[node->v]) / w->h;
        } else if (k >= 0) {
            w->force[node->v] += w->f[k];
        }
    }
    dt_aba_load load = {.tau = w->force,
                        .held_a = w->a,
                        .bias = true,
                        .external = (const double(*)[6])s->external,
                        .of_held = !w->keeps_reactions};
    memcpy(load.gravity, s->gravity, sizeof load.gravity);
    dt_aba_solve(s->tree, s->motion, &load, &w->newton->aba, w->a, w->force);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv && !w->held[i]; j++) {
            w->v[j] = w->start[j] + w->h * w->a[j];
        }
        if (k >= 0 && w->held[i]) {
            const double more = w->has_slopes ? w->added[node->v] * w->a[node->v] : 0,
                         curve = w->bristles.count > 0 ? w->bristles.force[node->v] : 0;
            w->f[k] = w->force[node->v] + more - w->drive[node->v] - curve;
        }
    }
    return DETENT_OK;
}

static detent_status solve_once(dt_velocity_step *w, detent_error *error)
{
    return w->coupled ? dt_velocity_newton_solve(w, error) : solve_along_tree(w, error);
}

detent_status dt_velocity_step_solve(dt_velocity_step *w, detent_error *error)
{
    static const int most = 40; /* what converges needs three to ten */
    const size_t before = w->solves;
    if (w->bristles.count == 0) {
        return solve_once(w, error);
    }
    dt_bristles_seek(&w->bristles, w->v);
    w->off_curve = true;
    detent_status status = DETENT_OK;
    for (int n = 0; n < most && w->off_curve && !status; n++) {
        status = solve_once(w, error);
        w->off_curve = !status && !dt_bristles_settle(&w->bristles, w->v, n == 0);
    }
    w->curve_solves += w->solves - before - 1;
    w->solves = before + 1;
    return status;
}

detent_status dt_velocity_step_strike(dt_velocity_step *w, detent_error *error)
{
    const dt_system *s = w->system;
    const detent_status status = factor(w, NULL, error);
    if (status) {
        return status;
    }
    memset(w->force, 0, (size_t)s->tree->nv * sizeof *w->force);
    memcpy(w->a, w->v, (size_t)s->tree->nv * sizeof *w->a);
    const dt_aba_load load = {.tau = w->force, .held_a = w->a};
    dt_aba_solve(s->tree, s->motion, &load, &w->newton->aba, w->a, w->force);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        w->f[k] = w->held[i] ? w->force[s->tree->nodes[i].v] : 0;
    }
    return DETENT_OK;
}

/* ---- what else is known of the last solution ---- */

void dt_velocity_step_take(dt_velocity_step *w)
{
    dt_system *s = w->system;
    const size_t nv = (size_t)s->tree->nv;
    if (w->coupled) {
        memcpy(s->multiplier, w->m, (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
        dt_system_set_acceleration(s, w->a, w->f);
        w->left = true;
        return;
    }
    memcpy(s->f, w->f, (size_t)s->mechanism->stiction_count * sizeof *s->f);
    memcpy(s->a, w->a, nv * sizeof *s->a);
    memcpy(s->tau, w->force, nv * sizeof *s->tau);
    for (int i = 0; i < s->tree->node_count && w->keeps_reactions; i++) {
        dt_copy6(s->A[i], w->newton->aba.node[i].A);
        dt_copy6(s->F[i], w->newton->aba.node[i].F);
    }
}

bool dt_velocity_step_states(dt_velocity_step *w, double c, double *change)
{
    dt_system *s = w->system;
    if (w->coupled) {
        memcpy(change, w->z, (size_t)s->mechanism->state_count * sizeof *change);
        return true;
    }
    dt_state_slopes *slopes = &w->newton->laws.states;
    if (!dt_state_slopes_factor(slopes, s, c)) {
        return false;
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        change[k] = dt_law_value(s, dt_rate_law(s, k), 0);
    }
    dt_bristles_give_rates(&w->bristles, w->v, change);
    dt_state_slopes_solve(slopes, change);
    return true;
}

bool dt_velocity_step_states_of_middle(dt_velocity_step *w, double *change)
{
    dt_system *s = w->system;
    dt_state_slopes *slopes = &w->newton->laws.states;
    if (!dt_state_slopes_factor(slopes, s, 2 / w->h)) {
        return false;
    }
    const double share = share_of(w->h * dt_state_slopes_fastest(slopes, s), 1);
    const bool ok = dt_velocity_step_states(w, 1 / (share * w->h), change);
    for (int k = 0; k < s->mechanism->state_count; k++) {
        change[k] /= share;
    }
    return ok;
}

double dt_velocity_step_inertia(const dt_velocity_step *w, int freedom)
{
    return w->coupled ? w->inertia[freedom] : 1 / w->newton->aba.freedom[freedom].D;
}

bool dt_velocity_step_creeps(dt_velocity_step *w, int k, double force, double at)
{
    return w->coupled && dt_velocity_newton_creeps(w, k, force, at);
}

double dt_velocity_step_noise(const dt_velocity_step *w, int k)
{
    const dt_system *s = w->system;
    const int i = s->mechanism->stictions[k].primitive, j = s->tree->nodes[i].v;
    if (w->coupled) {
        return dt_velocity_newton_noise(w, k);
    }
    const double *S = s->motion[i].S[0];
    double F[6];
    dt_aba_wrench(&w->newton->aba, i, F);
    double size = fabs(w->drive[j]) + fabs(s->tree->nodes[i].armature * w->a[j]);
    for (int r = 0; r < 6; r++) {
        size += fabs(S[r] * F[r]);
    }
    return dt_force_rounding(s->tree) * size;
}
