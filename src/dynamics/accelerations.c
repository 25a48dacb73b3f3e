/*
 * Accelerations and friction of given modes: Newton's method on the residuals of dynamics and friction, until
 * nothing but rounding is left of them; steps that lead no nearer are halved. What counts as rounding is measured by the terms that are summed.
 */
#include "dynamics/bad_law.h"
#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/element.h"
#include "dynamics/newton_parts.h"
#include "dynamics/scale.h"
#include "dynamics/self_stress.h"
#include "dynamics/split.h"

#include <float.h>

/* Held are the nodes with a prescribed motion and the locked ones. */
static bool is_held(const dt_system *s, int i)
{
    const int k = s->mechanism->primitives[i].stiction;
    return dt_is_prescribed(s, i) || (k >= 0 && s->mode[k] == DETENT_LOCKED);
}

/*
 * Sizes of the forces at the system's readings; with `carried` also where the rounding of what
 * carries a moving body would be taken back by its own acceleration, if only nothing changed.
 */
static void measure(dt_newton *n, const dt_system *s, bool carried)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        n->held[i] = is_held(s, i);
    }
    n->size.impulsive = false;
    dt_force_size_update(s, s->A[0], 6, carried ? NULL : n->held, &n->size);
}

static double noise_of(const dt_newton *n, const dt_system *s, int node)
{
    return dt_force_noise(s, s->tree->nodes[node].v, dt_force_size_of(&n->size, s, s->a, node, 0));
}

double dt_newton_noise(dt_newton *n, const dt_system *s, int node)
{
    measure(n, s, false);
    return noise_of(n, s, node);
}

void dt_newton_noises(dt_newton *n, const dt_system *s, double *noise)
{
    measure(n, s, false);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        noise[k] = noise_of(n, s, s->mechanism->stictions[k].primitive);
    }
}

/*
 * A residual of freedom j of node i against the size of its terms, friction among them; but where a matrix mixes rows not of less than a force that
 * counts: what elimination with pivots leaves where nothing acts is as large as its terms, however exact all others have become.
 */
static double relative(const dt_newton *n, const dt_system *s, int i, int j, double residual,
                       double friction)
{
    const bool mixed = n->solver == DETENT_LINEAR_SOLVER_DENSE;
    const double least = mixed ? dt_force_least(s, s->tree->nodes[i].v + j) : 0;
    return residual == 0 ? 0
           : !isfinite(residual)
               ? INFINITY /* fmax() would drop it */
               : fabs(residual) /
                     (fmax(dt_force_size_of(&n->size, s, s->a, i, j) + friction, least) + DBL_MIN);
}

/* Residuals of dynamics and friction at the current a, f. */
static void residuals(dt_newton *n, dt_system *s)
{
    dt_system_forces(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction, v = node->v;
        const double f = k < 0 ? 0 : s->f[k];
        const double friction =
            k < 0 || s->mode[k] == DETENT_LOCKED ? f : dt_system_moving_friction(s, k);
        for (int j = 0; j < node->type->nv; j++) {
            n->r_v[v + j] = dt_is_prescribed(s, i) ? 0 : s->tau[v + j] - s->Q[v + j] - f;
        }
        if (k >= 0) {
            n->r_f[k] = s->mode[k] == DETENT_LOCKED ? s->a[v] : f - friction;
        }
    }
    dt_tie_residuals(s, n->r_m);
}

/*
 * What is known no better than the rounding of what laws read: sizes of the rows of freedoms and frictions. Loads, the
 * last kind, come first: others read what they act on.
 */
static void measure_laws(dt_newton *n, dt_system *s)
{
    const bool dense = n->solver == DETENT_LINEAR_SOLVER_DENSE;
    const dt_law_sizes sizes = {&n->size, dense ? n->dense.tangent.gradient : n->laws.gradient,
                                n->d_v, n->d_f};
    for (int k = DT_ELEMENT_KINDS - 1; k >= 0; k--) {
        for (int l = 0; l < s->law_count && dt_elements[k]->measure; l++) {
            if (dt_law_kinds[s->law[l]->role].element == dt_elements[k]) {
                dt_elements[k]->measure(&sizes, s, s->law[l]);
            }
        }
    }
}

/*
 * The largest multiplier, N: of rows that are not active, and now and then have been, one is to be nothing beside it; or, where a matrix mixes rows,
 * beside an ordinary force where none carries anything.
 */
static double largest_multiplier(const dt_newton *n, const dt_system *s)
{
    const bool mixed = n->solver == DETENT_LINEAR_SOLVER_DENSE;
    double most = mixed && s->scale ? DBL_EPSILON * s->scale->energy / s->scale->length : 0;
    for (int row = 0; row < dt_tie_rows(s->mechanism); row++) {
        most = fmax(most, fabs(s->multiplier[row]) / s->closure->row_unit[row]);
    }
    return most;
}

/* The largest residual, relative to the sizes measured last; with `laws` also to what laws read, in d_v and d_f. */
static double largest_residual(const dt_newton *n, const dt_system *s, bool laws)
{
    double worst = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction, v = node->v;
        const bool moves = k >= 0 && s->mode[k] != DETENT_LOCKED;
        /* of |f| and |FK| together */
        const double friction = k < 0 ? 0 : 2 * fabs(s->f[k]) + (moves ? fabs(n->r_f[k]) : 0);
        for (int j = 0; j < node->type->nv; j++) {
            const double read = laws ? n->d_v[v + j] : 0;
            worst = fmax(worst, relative(n, s, i, j, n->r_v[v + j], friction + read));
        }
        if (moves) {
            const double read = laws ? n->d_f[k] : 0;
            worst = fmax(worst, relative(n, s, i, 0, n->r_f[k], friction + read));
        }
    }
    const double most = largest_multiplier(n, s);
    for (int row = 0; row < dt_tie_rows(s->mechanism); row++) {
        const double r = fabs(n->r_m[row]);
        if (!isfinite(r)) {
            return INFINITY;
        }
        if (r > 0 && n->corrects) {
            const double size =
                s->closure->active[row] ? dt_tie_size(s, row) : most * s->closure->row_unit[row];
            worst = fmax(worst, fmin(r / (size + DBL_MIN), 1 / DBL_EPSILON));
        }
    }
    return worst;
}

/* What the rows of a freedom compare by with those of others, as in the matrix: forces beside torques would tell nothing. */
static double unit(const dt_system *s, int freedom)
{
    return s->scale ? dt_power_below(s->scale->force[freedom]) : 1;
}

/*
 * Whether the residuals, which have stalled, are nothing but rounding: of their own terms, or where they
 * are `mixed` by a matrix, of the largest terms that there are (elimination with pivots makes rounding of
 * the largest rows in all others, be they zero).
 */
static bool is_rounding(dt_newton *n, dt_system *s, bool mixed)
{
    const double rounding = dt_force_rounding(s->tree);
    double residual = 0, size = 0;
    measure(n, s, true);
    memset(n->d_v, 0, (size_t)s->tree->nv * sizeof *n->d_v);
    memset(n->d_f, 0, (size_t)s->mechanism->stiction_count * sizeof *n->d_f);
    if (!n->explicit_laws) {
        measure_laws(n, s);
    }
    if (largest_residual(n, s, true) <= rounding) {
        return true;
    }
    for (int i = 0; i < s->tree->node_count && mixed; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        /* what a motion asks for is no row, nor has the mechanism a scale for it */
        for (int j = 0; j < node->type->nv && !dt_is_prescribed(s, i); j++) {
            const double own = unit(s, node->v + j), friction = k < 0 ? 0 : fabs(s->f[k]);
            residual = fmax(residual, fabs(n->r_v[node->v + j]) / own);
            size = fmax(size, (dt_force_size_of(&n->size, s, s->a, i, j) + friction) / own);
        }
        if (k >= 0 && s->mode[k] != DETENT_LOCKED) {
            residual = fmax(residual, fabs(n->r_f[k]) / unit(s, node->v));
        }
    }
    return residual > 0 && residual <= rounding * size;
}

/*
 * d_v and d_f of explicit laws by articulated bodies: what is not held takes the forces -r_v - r_f;
 * the friction of a locked joint changes by r_v and what then is transmitted.
 */
static detent_status explicit_changes(dt_newton *n, dt_system *s, detent_error *error)
{
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        n->held[i] = is_held(s, i);
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            n->tau[j] = -n->r_v[j] - (k < 0 ? 0 : n->r_f[k]);
            n->d_v[j] = n->held[i] && k >= 0 ? -n->r_f[k] : 0;
        }
    }
    const int singular_node = dt_aba_factor(s->tree, s->motion, n->held, NULL, &n->aba);
    n->singular = singular_node >= 0;
    if (n->singular) {
        return dt_newton_singular(s, singular_node, error);
    }
    const dt_aba_load load = {.tau = n->tau, .held_a = n->d_v};
    dt_aba_solve(s->tree, s->motion, &load, &n->aba, n->d_v, n->tau);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int v = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        n->d_f[k] = s->mode[k] == DETENT_LOCKED ? n->tau[v] + n->r_v[v] : -n->r_f[k];
    }
    return DETENT_OK;
}

/*
 * Whether the changes d_m of multipliers are more than rounding of the forces that there are: where everything rests no
 * acceleration tells how exactly ghosts and originals can have the same one.
 */
static bool corrects(const dt_newton *n, const dt_system *s)
{
    const double rounding = dt_force_rounding(s->tree);
    double force = 0, torque = 0, change[2] = {0};
    for (int l = 0; l < s->mechanism->place_count; l++) {
        force = fmax(force, dt_norm3(s->load_wrench[l] + 3));
        torque = fmax(torque, dt_norm3(s->load_wrench[l])); /* about the origin: arms are in it */
    }
    bool more = false;
    for (int k = 0; k < s->closure->rows; k++) {
        const dt_tie_row *row = &s->closure->tie[k];
        const bool is_torque = row->component >= row->kind->forces;
        if (row->component < row->kind->forces + row->kind->torques) {
            change[is_torque] = fmax(change[is_torque], fabs(n->d_m[k]));
        } else {
            more = more || fabs(n->d_m[k]) > rounding * fabs(s->multiplier[k]);
        }
    }
    return more || change[0] > rounding * force || change[1] > rounding * torque;
}

/* d_v and d_f of the residuals r_v and r_f. */
static detent_status changes(dt_newton *n, dt_system *s, detent_error *error)
{
    if (n->explicit_laws && n->solver == DETENT_LINEAR_SOLVER_TREE) {
        return explicit_changes(n, s, error);
    }
    const detent_status status = dt_newton_factor(n, s, DT_NEWTON_ACCELERATION, 0, error);
    if (status == DETENT_OK) {
        dt_newton_solve(n, s, &(dt_unknowns){.v = n->r_v, .f = n->r_f, .m = n->r_m},
                        &(dt_unknowns){.v = n->d_v, .f = n->d_f, .m = n->d_m});
    }
    return status;
}

/* What norms are told by, at the system's readings. */
static dt_told tell(dt_newton *n, const dt_system *s)
{
    dt_told told = {.wrench = (const double(*)[6])n->size.wrench};
    measure(n, s, false);
    for (int i = 0; i < s->tree->node_count && n->solver == DETENT_LINEAR_SOLVER_DENSE; i++) {
        const double *w = told.wrench[i];
        told.moment = fmax(told.moment, w[0] + w[1] + w[2]);
        told.force = fmax(told.force, w[3] + w[4] + w[5]);
    }
    return told;
}

int dt_newton_sign_now(dt_newton *n, dt_system *s, bool *met)
{
    dt_told told = tell(n, s);
    s->told = &told;
    const detent_status status = dt_newton_factor(n, s, DT_NEWTON_ACCELERATION, 0, NULL);
    s->told = NULL;
    if (met) {
        *met = told.met;
    }
    return status == DETENT_OK ? dt_newton_sign(n, s) : 0;
}

detent_status dt_acceleration_step(dt_newton *n, dt_system *s, const double **d_a,
                                   const double **d_f, const double **d_m, detent_error *error)
{
    residuals(n, s);
    *d_a = n->d_v;
    *d_f = n->d_f;
    *d_m = n->d_m;
    return changes(n, s, error);
}

/*
 * The friction of locked joints balances their own rows, as the accelerations now are, and that of others is what their laws say: what
 * elimination with pivots leaves in them is rounding of forces that may be far away, which is no load and no friction of theirs.
 */
static void balance_frictions(const dt_newton *n, dt_system *s)
{
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int v = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        s->f[k] += s->mode[k] == DETENT_LOCKED ? n->r_v[v] : -n->r_f[k];
    }
    dt_system_set_acceleration(s, s->a, s->f);
}

/* The largest residual of dynamics and friction in units that stay, for steps to be compared by: far out terms grow as their residuals do. */
static double find_miss(const dt_newton *n, const dt_system *s)
{
    double most = 0;
    for (int j = 0; j < s->tree->nv; j++) {
        most = isfinite(n->r_v[j]) ? fmax(most, fabs(n->r_v[j]) / unit(s, j)) : INFINITY;
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        if (s->mode[k] != DETENT_LOCKED) {
            most = isfinite(n->r_f[k]) ? fmax(most, fabs(n->r_f[k]) / unit(s, j)) : INFINITY;
        }
    }
    return most;
}

/* A step of Newton's method: from where the system is by d_v, d_f, d_m. */
static void go(dt_newton *n, dt_system *s)
{
    if (n->from_v) {
        memcpy(n->from_v, s->a, (size_t)s->tree->nv * sizeof *n->from_v);
        memcpy(n->from_f, s->f, (size_t)s->mechanism->stiction_count * sizeof *n->from_f);
        memcpy(n->from_m, s->multiplier, (size_t)dt_tie_rows(s->mechanism) * sizeof *n->from_m);
    }
    for (int j = 0; j < s->tree->nv; j++) {
        n->d_v[j] += s->a[j];
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        n->d_f[k] += s->f[k];
    }
    for (int k = 0; k < dt_tie_rows(s->mechanism); k++) {
        s->multiplier[k] += n->d_m[k];
    }
    n->corrects = s->closure && corrects(n, s);
    dt_system_set_acceleration(s, n->d_v, n->d_f);
}

/* Half of the last step is taken back. */
static void halve(dt_newton *n, dt_system *s)
{
    for (int j = 0; j < s->tree->nv; j++) {
        n->d_v[j] = 0.5 * (s->a[j] + n->from_v[j]);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        n->d_f[k] = 0.5 * (s->f[k] + n->from_f[k]);
    }
    for (int k = 0; k < dt_tie_rows(s->mechanism); k++) {
        s->multiplier[k] = 0.5 * (s->multiplier[k] + n->from_m[k]);
    }
    dt_system_set_acceleration(s, n->d_v, n->d_f);
    residuals(n, s);
}

/* Kinks of laws, as norms have, and such as flatten may send it to and fro for ever: a step is halved until it gets nearer. Returns how near. */
static double shorten(dt_newton *n, dt_system *s, double before)
{
    static const int most = 8;
    static const double nearer = 0.99;
    double now = find_miss(n, s);
    for (int k = 0; k < most && n->from_v && now > nearer * before; k++) {
        halve(n, s);
        now = find_miss(n, s);
    }
    return now;
}

detent_status dt_solve_accelerations(dt_newton *n, dt_system *s, size_t *iterations,
                                     detent_error *error)
{
    static const int most = 40, patience = 3;
    static const double apart =
        1e-9; /* by less it goes to and fro where two solutions all but meet */
    const double enough = 4 * DBL_EPSILON;
    double before = INFINITY, miss = INFINITY;
    int stalls = 0;
    n->corrects = true;
    n->singular = false;
    /* a locked joint has a = 0 exactly; the others start from the current readings */
    for (int i = 0; i < s->tree->node_count; i++) {
        const int k = s->mechanism->primitives[i].stiction;
        if (k >= 0 && s->mode[k] == DETENT_LOCKED) {
            s->a[s->tree->nodes[i].v] = 0;
        }
    }
    if (s->closure) {
        dt_closure_refresh(s);
        dt_still_clear(s, NULL, s->a); /* and so has what locked joints hold */
        dt_self_stress_clear(s);
    }
    dt_system_set_acceleration(s, s->a, s->f);
    for (int round = 0; round < most; round++) {
        residuals(n, s);
        if (stalls >= patience && before > apart) {
            miss = shorten(n, s, miss);
        }
        measure(n, s, false);
        const double now = largest_residual(n, s, false);
        if (!isfinite(now)) {
            return dt_fail_forces(s, error);
        }
        /* done when the residual is rounding: small enough, or no longer falling */
        const bool falls = now <= 0.1 * before;
        stalls += now > 0.5 * before; /* near a double solution every round leaves a quarter */
        const bool mixed = n->solver == DETENT_LINEAR_SOLVER_DENSE || (s->closure && stalls > 2);
        if (now <= enough || (!falls && is_rounding(n, s, mixed)) || (now < 1e-12 && stalls > 2)) {
            if (now > 0 && (n->solver == DETENT_LINEAR_SOLVER_DENSE || s->closure)) {
                balance_frictions(n, s);
            }
            dt_split_update(s);
            return DETENT_OK;
        }
        before = now;
        const detent_status status = changes(n, s, error);
        if (status != DETENT_OK) {
            return status;
        }
        if (iterations) {
            ++*iterations;
        }
        go(n, s);
    }
    return dt_fail(error, DETENT_ERROR_SOLVER, NULL,
                   "at t = %.9g s the accelerations do not converge: friction, actuation or a load "
                   "that follows "
                   "the very forces it changes too strongly",
                   s->time);
}
