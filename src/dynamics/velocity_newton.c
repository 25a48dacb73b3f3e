/*
 * J d = -r with J the derivative of the residuals r of newton.h at a step's start, y' = 0, where every change obeys dv' = dv/h: so y + d is the end of
 * a step of the implicit Euler method, but for what is of second order in the step.
 *
 * Friction is given wherever it acts, f = pinned, and modes are put aside: everybody is free. Who is held has the damper d besides,
 *
 *   f = -d (v+ - given),    d = stiffness * inertia / h
 *
 * and is left with the share 1 / stiffness of the velocity that its force would give it in the step.
 */
#include "dynamics/velocity_newton.h"

#include "dynamics/closure.h"
#include "dynamics/crba.h"
#include "dynamics/force_size.h"
#include "dynamics/newton_parts.h"

#include <string.h>

/* Of a damper that holds: its square root is left of the digits of a force, and as many are lost where a joint stops. */
static const double stiffness = 1e7;

bool dt_velocity_step_is_coupled(const dt_system *s, const dt_newton *n)
{
    bool any = s->closure != NULL || n->laws.remote_count > n->laws.law_count;
    for (int k = 0; k < n->laws.law_count; k++) {
        const dt_law *law = n->laws.remote[k].law;
        any = any || (dt_law_is_drive(law) && !dt_law_is_apart(s, law));
    }
    for (int l = 0; l < s->law_count; l++) {
        const dt_law *law = s->law[l];
        any = any || (dt_law_is(law, DT_LAW_IS_ANSWER) && !dt_law_is_apart(s, law) &&
                      dt_program_reads(law->program, DT_OF_STATES));
    }
    return any;
}

bool dt_velocity_newton_create(dt_arena *arena, dt_velocity_step *w)
{
    const dt_system *s = w->system;
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv,
                 ns = (size_t)s->mechanism->stiction_count,
                 rows = (size_t)dt_tie_rows(s->mechanism),
                 states = (size_t)s->mechanism->state_count;
#define TAKE(member, count) \
    ((w->member = dt_arena_alloc(arena, (count), sizeof *w->member)) != NULL)
    return TAKE(d, ns) && TAKE(inertia, nv) && TAKE(carried, nv) &&
           TAKE(composite, (size_t)s->tree->node_count) && TAKE(drag, nv) && TAKE(pinned, ns) &&
           TAKE(open, nv) && TAKE(m, rows) && TAKE(z, states) && TAKE(r_q, nq) && TAKE(r_v, nv) &&
           TAKE(r_f, ns) && TAKE(r_m, rows) && TAKE(r_z, states) && TAKE(rate_q, nq) &&
           TAKE(rate_z, states) && TAKE(tie, rows) && TAKE(mode, ns) && TAKE(direction, ns) &&
           TAKE(turn, nq) && TAKE(better, nv) && TAKE(kept_drag, nv) && TAKE(kept_spring, nv) &&
           (w->bristles.count == 0 || TAKE(spring, nv));
#undef TAKE
}

/* Modes of the system are put aside, or come back. */
static void put_modes_aside(dt_velocity_step *w, bool back)
{
    dt_system *s = w->system;
    const size_t size = (size_t)s->mechanism->stiction_count;
    if (back) {
        memcpy(s->mode, w->mode, size);
        memcpy(s->direction, w->direction, size);
        return;
    }
    memcpy(w->mode, s->mode, size);
    memcpy(w->direction, s->direction, size);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        s->mode[k] = DETENT_UNLOCKED;
        s->direction[k] = s->direction[k] == 0 ? 1 : s->direction[k];
    }
}

/* The inertia that the slack of a coupling has for what is coupled: 1/m = sum of c^2/m_j. */
static double inertia_of_slack(const dt_velocity_step *w, const dt_tie_row *of)
{
    const dt_system *s = w->system;
    double mobility = 0;
    dt_tie_term by;
    for (int k = 0; (by = dt_tie_term_of(s->mechanism, of, k)).joint >= 0; k++) {
        if (!dt_slack_of(s->mechanism, by.joint) && !w->held[by.joint]) {
            mobility += by.factor * by.factor / w->inertia[s->tree->nodes[by.joint].v];
        }
    }
    return mobility > 0 ? 1 / mobility : 1;
}

/* Inertias of all freedoms, with what they carry along the tree. */
static void measure(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    dt_aba *aba = &w->newton->aba;
    const bool known = dt_aba_factor(s->tree, s->motion, w->held, NULL, aba) < 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->inertia[j] = !known || w->held[i] ? 1 : 1 / aba->freedom[j].D;
        }
    }
    for (int r = 0; s->closure && r < s->closure->rows; r = dt_tie_next(s->closure->tie, r)) {
        const int slack = dt_tie_slack(s->mechanism, &s->closure->tie[r]);
        if (slack >= 0) {
            w->inertia[s->tree->nodes[slack].v] = inertia_of_slack(w, &s->closure->tie[r]);
        }
    }
}

/* Where slopes are taken: with nobody locked, at a = 0, with no multipliers and no friction. */
static void stand_unloaded(dt_velocity_step *w)
{
    dt_system *s = w->system;
    if (s->closure) {
        dt_closure_keep_none(s); /* who turns round is none to follow */
        dt_closure_refresh(s);
    }
    memset(s->multiplier, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
    memset(s->a, 0, (size_t)s->tree->nv * sizeof *s->a);
    memset(w->pinned, 0, (size_t)s->mechanism->stiction_count * sizeof *w->pinned);
    dt_system_set_acceleration(s, s->a, w->pinned);
    dt_system_forces(s);
    w->left = false;
}

/*
 * What is coupled with a motion follows its acceleration: that which leads to its velocity at the end of the step, be it 0 at the start, so that others do
 * not seem to rest while it sets out.
 */
static void drive_to_the_end(const dt_velocity_step *w)
{
    dt_system *s = w->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const int j = s->tree->nodes[i].v;
        if (dt_is_prescribed(s, i)) {
            s->prescribed[j] = (w->v[j] - s->v[j]) / w->h;
        }
    }
}

/*
 * How fast anything may be in the step, times the root of its inertia: by the kinetic energy at its start, as at impacts (impact_ties.c), and by the forces that
 * act in it.
 */
static void find_liveliest(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    double sum = 2 * dt_motion_kinetic_energy(s->tree, s->motion, s->v);
    dt_crba_diagonal(s->tree, s->motion, w->composite, w->carried);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !dt_is_prescribed(s, i); j++) {
            w->carried[j] = fmax(w->carried[j], w->inertia[j]); /* slack carries nothing */
            sum += w->h * w->h * w->open[j] * w->open[j] / w->carried[j];
        }
    }
    w->liveliest = sqrt(sum);
}

void dt_velocity_newton_begin(dt_velocity_step *w)
{
    dt_system *s = w->system;
    measure(w);
    drive_to_the_end(w);
    put_modes_aside(w, false);
    stand_unloaded(w);
    memcpy(w->drive, s->Q, (size_t)s->tree->nv * sizeof *w->drive);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (node->type->nq > 0) {
            node->type->rate(s->q + node->q, s->v + node->v, w->rate_q + node->q);
        }
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->open[j] = dt_is_prescribed(s, i) ? s->v[j] - w->v[j] : s->tau[j] - s->Q[j];
        }
    }
    find_liveliest(w);
    for (int k = 0; k < s->mechanism->state_count; k++) {
        const bool given = w->bristles.count > 0 && w->bristles.is_state[k];
        w->rate_z[k] = given ? 0 : dt_law_value(s, dt_rate_law(s, k), 0);
    }
    if (s->closure) {
        dt_tie_residuals(s, w->tie);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        w->d[k] =
            stiffness / w->h * w->inertia[s->tree->nodes[s->mechanism->stictions[k].primitive].v];
    }
    put_modes_aside(w, true);
}

/* Residuals at the start, with friction and dampers as they are asked for. */
static void set_residuals(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    const size_t nv = (size_t)s->tree->nv;
    memset(w->drag, 0, nv * sizeof *w->drag);
    memcpy(w->r_v, w->open, nv * sizeof *w->r_v);
    memset(w->r_f, 0, (size_t)s->mechanism->stiction_count * sizeof *w->r_f);
    memcpy(w->r_m, w->tie, (size_t)dt_tie_rows(s->mechanism) * sizeof *w->r_m);
    for (int c = 0; c < s->tree->nq; c++) {
        w->r_q[c] = -w->rate_q[c];
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        w->r_z[k] = -w->rate_z[k];
    }
    for (int n = 0; n < w->bristles.count; n++) { /* of the way, h v+ */
        const int j = w->bristles.of[n].freedom;
        w->spring[j] = w->bristles.slope[j] / w->h;
        w->r_v[j] = w->open[j] - (w->bristles.force[j] + w->bristles.slope[j] * s->v[j]);
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive, j = s->tree->nodes[i].v;
        w->drag[j] = w->held[i] ? w->d[k] : 0;
        w->pinned[k] = w->held[i] ? -w->d[k] * (s->v[j] - w->v[j]) : w->f[k];
        w->r_v[j] -= w->pinned[k];
    }
}

/* The factors of the matrix, where those that there are belong to another one. */
static detent_status factor(dt_velocity_step *w, detent_error *error)
{
    dt_system *s = w->system;
    const size_t bytes = (size_t)s->tree->nv * sizeof *w->drag;
    const unsigned choice = s->closure ? s->closure->choice : 0;
    const bool same = w->keeps_factor && choice == w->choice &&
                      memcmp(w->drag, w->kept_drag, bytes) == 0 &&
                      (!w->spring || memcmp(w->spring, w->kept_spring, bytes) == 0);
    w->keeps_factor = false;
    if (same) {
        return DETENT_OK;
    }
    memcpy(w->kept_drag, w->drag, bytes);
    if (w->spring) {
        memcpy(w->kept_spring, w->spring, bytes);
    }
    w->choice = choice;
    w->solves++;
    return dt_newton_factor(w->newton, s, DT_NEWTON_STEP, 1 / w->h, error);
}

detent_status dt_velocity_newton_solve(dt_velocity_step *w, detent_error *error)
{
    dt_system *s = w->system;
    dt_newton *n = w->newton;
    const dt_unknowns all = {.q = w->r_q, .v = w->r_v, .f = w->r_f, .m = w->r_m, .z = w->r_z};
    put_modes_aside(w, false);
    if (w->left) {
        stand_unloaded(w);
    }
    set_residuals(w);
    s->pinned = w->pinned;
    n->drag = w->drag;
    n->spring = w->spring;
    const detent_status status = factor(w, error);
    if (!status) {
        dt_newton_solve(n, s, &all, &all);
    }
    n->drag = n->spring = NULL;
    s->pinned = NULL;
    put_modes_aside(w, true);
    for (int i = 0; i < s->tree->node_count && !status; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->a[j] = w->r_v[j] / w->h;
            w->v[j] = w->held[i] ? w->v[j] : s->v[j] + w->r_v[j];
            w->force[j] = w->drive[j];
        }
        if (k >= 0) {
            w->f[k] = w->pinned[k] - w->drag[node->v] * w->r_v[node->v];
        }
    }
    memcpy(w->m, w->r_m, (size_t)dt_tie_rows(s->mechanism) * sizeof *w->m);
    memcpy(w->z, w->r_z, (size_t)s->mechanism->state_count * sizeof *w->z);
    return status;
}

/* ---- second order ---- */

/* Forces, conditions and states at accelerations a and friction f, beside what the rates of coordinates and states come to in the step. */
static void residuals_at(dt_velocity_step *w, const double *a, const double *f)
{
    dt_system *s = w->system;
    put_modes_aside(w, false);
    dt_system_set_acceleration(s, a, f);
    dt_system_forces(s);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->r_v[j] = dt_is_prescribed(s, i) ? 0 : s->tau[j] - s->Q[j] - (k >= 0 ? f[k] : 0);
        }
    }
    if (s->closure) {
        dt_tie_residuals(s, w->r_m);
    }
    put_modes_aside(w, true);
}

void dt_velocity_newton_miss(dt_velocity_step *w, const double *f)
{
    dt_system *s = w->system;
    memcpy(s->multiplier, w->m, (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
    residuals_at(w, w->a, f);
    dt_bristles_take_middle(&w->bristles, w->turn);
    for (int n = 0; n < w->bristles.count; n++) {
        w->r_v[w->bristles.of[n].freedom] -= w->bristles.of[n].given;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double rate[4];
        if (node->type->nq > 0) {
            node->type->rate(s->q + node->q, s->v + node->v, rate);
        }
        for (int c = 0; c < node->type->nq; c++) {
            w->r_q[node->q + c] =
                dt_is_prescribed(s, i) ? 0 : w->turn[node->q + c] / w->h - rate[c];
        }
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        w->r_z[k] = w->z[k] / w->h - dt_law_value(s, dt_rate_law(s, k), 0);
    }
}

/* Changes for residuals where they are, by the matrix of the last solution. */
static void solve_again(dt_velocity_step *w)
{
    dt_system *s = w->system;
    const dt_unknowns all = {.q = w->r_q, .v = w->r_v, .f = w->r_f, .m = w->r_m, .z = w->r_z};
    memset(w->r_f, 0, (size_t)s->mechanism->stiction_count * sizeof *w->r_f);
    put_modes_aside(w, false);
    s->pinned = w->pinned;
    w->newton->drag = w->drag;
    dt_newton_solve(w->newton, s, &all, &all);
    w->newton->drag = NULL;
    s->pinned = NULL;
    put_modes_aside(w, true);
}

/* The first solution e: multipliers and friction of those that are held are those of the midpoint rule. */
static void take_midpoint(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    for (int k = 0; k < dt_tie_rows(s->mechanism); k++) {
        w->m[k] += w->r_m[k];
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        w->f[k] -= w->drag[j] * w->r_v[j];
        w->pinned[k] = 0;
    }
}

/* -E e/h in place of e: what accelerations e/h make of forces and conditions at the start. */
static void apply_inertia(dt_velocity_step *w)
{
    dt_system *s = w->system;
    for (int j = 0; j < s->tree->nv; j++) {
        w->better[j] = w->r_v[j] / w->h;
    }
    memset(s->multiplier, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *s->multiplier);
    residuals_at(w, w->better, w->pinned);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->r_v[j] = dt_is_prescribed(s, i) ? 0 : w->open[j] - w->r_v[j];
        }
    }
    for (int k = 0; k < dt_tie_rows(s->mechanism); k++) {
        w->r_m[k] = w->tie[k] - w->r_m[k];
    }
    for (int c = 0; c < s->tree->nq; c++) {
        w->r_q[c] /= -w->h;
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        w->r_z[k] /= -w->h;
    }
}

void dt_velocity_newton_refine(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    drive_to_the_end(w);
    solve_again(w);
    take_midpoint(w);
    apply_inertia(w);
    solve_again(w);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->better[j] = w->held[i] ? w->v[j] : w->v[j] + w->r_v[j];
        }
        for (int c = node->q; c < node->q + node->type->nq; c++) {
            w->turn[c] += w->held[i] ? 0 : w->r_q[c];
        }
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        w->z[k] += w->r_z[k];
    }
}

/*
 * By how much the damper misses what it holds by, and what rounding makes of the change of its velocity, of the largest one that there may be: who carries
 * no load, at a stop that he touches or in a freewheel, would else leave it by what is left of the motion of others.
 */
double dt_velocity_newton_noise(const dt_velocity_step *w, int k)
{
    const dt_system *s = w->system;
    const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
    const double missed = fabs(w->f[k]) + fabs(w->drive[j]) + w->inertia[j] * fabs(s->v[j]) / w->h,
                 rounding = sqrt(w->carried[j]) * w->liveliest / w->h;
    return missed / stiffness + dt_force_rounding(s->tree) * rounding;
}
