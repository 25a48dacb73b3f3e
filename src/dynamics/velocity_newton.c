/*
 * J d = -r with J the derivative of the residuals r of newton.h at a step's start, y' = 0, where every change obeys dv' = dv/h: so y + d is the end of
 * a step of the implicit Euler method, but for what is of second order in the step.
 *
 * Friction is given wherever it acts, f = pinned, and modes are put aside: everybody is free. Who is held has the damper d besides,
 *
 *   f = hold - d (v+ - given),    d = stiffness * inertia / h
 *
 * and is left with the share 1 / stiffness of the velocity that its force would give it in the step, if its inertia is that of all that moves with it. Whether it is
 * is asked by a second solution with the same factors, `hold` being the force of the first: that leaves the square of this share, so where forces change by more than
 * a thousandth what is coupled is far heavier than the joint itself, a brake on a light shaft. Then the inertia that hangs on it is weighed: its answer to a unit force
 * with nobody held. (The second solution is M. J. D. Powell's method of multipliers; Optimization, ed. R. Fletcher, 1969. It is no better one to go on with: who is
 * held by others alone would move by rounding, either way.)
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
    return TAKE(d, ns) && TAKE(hold, ns) && TAKE(weighed, ns) && TAKE(inertia, nv) &&
           TAKE(carried, nv) && TAKE(composite, (size_t)s->tree->node_count) && TAKE(drag, nv) &&
           TAKE(pinned, ns) && TAKE(open, nv) && TAKE(m, rows) && TAKE(z, states) &&
           TAKE(r_q, nq) && TAKE(r_v, nv) && TAKE(r_f, ns) && TAKE(r_m, rows) &&
           TAKE(r_z, states) && TAKE(rate_q, nq) && TAKE(rate_z, states) && TAKE(tie, rows) &&
           TAKE(mode, ns) && TAKE(direction, ns) && TAKE(turn, nq) && TAKE(better, nv) &&
           TAKE(firm, nv) && TAKE(kept_drag, nv) && TAKE(kept_spring, nv) &&
           (w->bristles.count == 0 || TAKE(spring, nv));
#undef TAKE
}

void dt_velocity_newton_put_modes_aside(dt_velocity_step *w, bool back)
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

void dt_velocity_newton_drive(const dt_velocity_step *w)
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

/* The inertia of a joint; of a slack that of the heaviest it couples: others may hang on the light ones. */
static double heaviest(const dt_velocity_step *w, int node)
{
    const dt_system *s = w->system;
    const dt_transmission *of = dt_slack_of(s->mechanism, node);
    double most = w->inertia[s->tree->nodes[node].v];
    for (int n = 0; of && n < of->count; n++) {
        if (of->joint[n] != node && of->factor[n] != 0) {
            const double own = w->inertia[s->tree->nodes[of->joint[n]].v];
            most = fmax(most, own / (of->factor[n] * of->factor[n]));
        }
    }
    return most;
}

void dt_velocity_newton_begin(dt_velocity_step *w)
{
    dt_system *s = w->system;
    measure(w);
    dt_velocity_newton_drive(w);
    dt_velocity_newton_put_modes_aside(w, false);
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
        w->conditions = s->closure->count;
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        w->d[k] = stiffness / w->h * heaviest(w, s->mechanism->stictions[k].primitive);
        w->weighed[k] = false;
    }
    dt_velocity_newton_put_modes_aside(w, true);
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
        w->r_q[c] = w->shift[c] / w->h - w->rate_q[c];
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
        w->pinned[k] = w->held[i] ? w->hold[k] - w->d[k] * (s->v[j] - w->v[j]) : w->f[k];
        w->r_v[j] -= w->pinned[k];
    }
}

/* Friction, dampers and springs beside what there is, for a matrix and solutions with it. */
static void set_dampers(dt_velocity_step *w, bool on)
{
    w->system->pinned = on ? w->pinned : NULL;
    w->newton->drag = on ? w->drag : NULL;
    w->newton->spring = on ? w->spring : NULL;
}

static void solve_by_factors(dt_velocity_step *w)
{
    const dt_unknowns all = {.q = w->r_q, .v = w->r_v, .f = w->r_f, .m = w->r_m, .z = w->r_z};
    set_dampers(w, true);
    dt_newton_solve(w->newton, w->system, &all, &all);
    set_dampers(w, false);
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
    set_dampers(w, true);
    const detent_status status = dt_velocity_newton_factor(w, error);
    set_dampers(w, false);
    return status;
}

/* With the forces `hold` of those that are held: changes to r_q ... r_z, and their friction to f. */
static detent_status solve_with(dt_velocity_step *w, detent_error *error)
{
    const dt_system *s = w->system;
    set_residuals(w);
    const detent_status status = factor(w, error);
    if (!status) {
        solve_by_factors(w);
    }
    for (int k = 0; k < s->mechanism->stiction_count && !status; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        w->f[k] = w->pinned[k] - w->drag[j] * w->r_v[j];
    }
    return status;
}

/*
 * A unit force on a joint to the residuals; of a slack, which has no inertia, on what it couples. Or, once that is solved for, what it changes the velocity by.
 */
static double unit_force(dt_velocity_step *w, int node, bool solved)
{
    const dt_system *s = w->system;
    const dt_transmission *of = dt_slack_of(s->mechanism, node);
    const double one = 1;
    const int count = of ? of->count : 1, *joint = of ? of->joint : &node;
    const double *factor = of ? of->factor : &one;
    double answer = 0;
    for (int n = 0; n < count; n++) {
        double *change = &w->r_v[s->tree->nodes[joint[n]].v];
        if (of && joint[n] == node) {
            continue;
        }
        if (!solved) {
            *change = -factor[n];
        }
        answer += factor[n] * *change;
    }
    return answer;
}

/* What has been weighed was so with the teeth that touched then. */
static void forget_weights(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    unsigned touching = 2166136261u; /* FNV */
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        touching = (touching ^ (w->held[i] && dt_slack_of(s->mechanism, i))) * 16777619u;
    }
    if (touching != w->touching) {
        memset(w->weighed, 0, (size_t)s->mechanism->stiction_count * sizeof *w->weighed);
    }
    w->touching = touching;
}

/* The dampers of slacks that are held, but of one node. */
static void hold_slacks(dt_velocity_step *w, int but)
{
    const dt_system *s = w->system;
    memset(w->drag, 0, (size_t)s->tree->nv * sizeof *w->drag);
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        if (i != but && w->held[i] && dt_slack_of(s->mechanism, i)) {
            w->drag[s->tree->nodes[i].v] = w->d[k];
        }
    }
}

/*
 * d of stiction k becomes that for all that moves with it: h/m is what a unit force changes its velocity by with nobody held but teeth that touch. False where that
 * is known already; else the last solution is gone.
 */
static bool weigh(dt_velocity_step *w, int k)
{
    static const double nothing = 1e-12; /* a motion is in its way, and the rest is rounding */
    const dt_system *s = w->system;
    const int i = s->mechanism->stictions[k].primitive;
    const size_t solves = w->solves;
    if (w->weighed[k]) {
        return false;
    }
    w->weighed[k] = true;
    hold_slacks(w, i);
    memset(w->r_q, 0, (size_t)s->tree->nq * sizeof *w->r_q);
    memset(w->r_v, 0, (size_t)s->tree->nv * sizeof *w->r_v);
    memset(w->r_f, 0, (size_t)s->mechanism->stiction_count * sizeof *w->r_f);
    memset(w->r_m, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *w->r_m);
    memset(w->r_z, 0, (size_t)s->mechanism->state_count * sizeof *w->r_z);
    unit_force(w, i, false);
    w->keeps_factor = true; /* if it is that with nobody held already */
    if (factor(w, NULL) == DETENT_OK) {
        solve_by_factors(w);
        const double answer = unit_force(w, i, true),
                     alone = stiffness / w->d[k]; /* what it would be if nothing else moved */
        w->d[k] = answer > nothing * alone ? fmax(w->d[k], stiffness / answer) : w->d[k];
    }
    w->solves = solves; /* it was none for the step */
    return true;
}

/* The last solution becomes what the step says. */
static void take_solution(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            w->a[j] = w->r_v[j] / w->h;
            w->v[j] = w->held[i] ? w->v[j] : s->v[j] + w->r_v[j];
            w->force[j] = w->drive[j];
        }
    }
    memcpy(w->m, w->r_m, (size_t)dt_tie_rows(s->mechanism) * sizeof *w->m);
    memcpy(w->z, w->r_z, (size_t)s->mechanism->state_count * sizeof *w->z);
}

/*
 * Whether dampers hold some by less than they would have to, so that these have been weighed: with the forces of the solution beside them they would hold by more.
 * The solution stays what it is; `firm` becomes what velocities are there.
 */
static bool holds_too_little(dt_velocity_step *w)
{
    static const double much = 1e-3;
    const dt_system *s = w->system;
    bool any = false;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        w->hold[k] = w->held[s->mechanism->stictions[k].primitive] ? w->f[k] : 0;
        any = any || w->hold[k] != 0;
    }
    memcpy(w->firm, w->v, (size_t)s->tree->nv * sizeof *w->firm);
    if (!any) {
        return false;
    }
    w->keeps_factor = true;
    any = false;
    if (solve_with(w, NULL) == DETENT_OK) {
        for (int j = 0; j < s->tree->nv; j++) {
            w->firm[j] = s->v[j] + w->r_v[j];
        }
        for (int k = 0; k < s->mechanism->stiction_count; k++) {
            const double more = fabs(w->f[k] - w->hold[k]);
            if (w->held[s->mechanism->stictions[k].primitive] && more > much * fabs(w->hold[k]) &&
                more > dt_velocity_newton_noise(w, k)) {
                any = weigh(w, k) || any;
            }
        }
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const bool held = w->held[s->mechanism->stictions[k].primitive];
        w->f[k] = held ? w->hold[k] : w->f[k];
        w->hold[k] = 0;
    }
    return any;
}

detent_status dt_velocity_newton_solve(dt_velocity_step *w, detent_error *error)
{
    dt_velocity_newton_put_modes_aside(w, false);
    if (w->left) {
        stand_unloaded(w);
    }
    forget_weights(w);
    detent_status status;
    bool again;
    do { /* who has been weighed is so once, so that this ends */
        status = solve_with(w, error);
        again = false;
        if (!status) {
            take_solution(w);
            again = holds_too_little(w);
        }
    } while (again);
    dt_velocity_newton_put_modes_aside(w, true);
    return status;
}

/* By which a force moves the damper that holds stiction k, for all that moves with it. */
static double creep(dt_velocity_step *w, int k, double force)
{
    if (!w->weighed[k]) {
        dt_velocity_newton_put_modes_aside(w, false);
        if (w->left) {
            stand_unloaded(w);
        }
        weigh(w, k);
        set_residuals(w); /* the factors of the last solution, again */
        w->keeps_factor = true;
        factor(w, NULL);
        dt_velocity_newton_put_modes_aside(w, true);
    }
    return fabs(force) / w->d[k];
}

/* It is off by what its own damper would give way by, or by what those do that hold it: with their forces as they are it is not. */
bool dt_velocity_newton_creeps(dt_velocity_step *w, int k, double force, double at)
{
    static const double share = 0.1;
    const int j = w->system->tree->nodes[w->system->mechanism->stictions[k].primitive].v;
    const double off = fabs(w->v[j] - at);
    return fabs(w->firm[j] - at) <= share * off ||
           (off <= fabs(force) / w->d[k] && off <= creep(w, k, force));
}

/*
 * By how much the damper misses what it holds by, and what rounding makes of the change of its velocity, of the largest one that there may be: who carries
 * no load, at a stop that he touches or in a freewheel, would else leave it by what is left of the motion of others.
 */
double dt_velocity_newton_noise(const dt_velocity_step *w, int k)
{
    const dt_system *s = w->system;
    const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
    const double missed = fabs(w->f[k]) + fabs(w->drive[j]) + w->d[k] / stiffness * fabs(s->v[j]),
                 rounding = sqrt(w->carried[j]) * w->liveliest / w->h;
    return missed / stiffness + dt_force_rounding(s->tree) * rounding;
}
