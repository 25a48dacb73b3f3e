/*
 * The end of a step where joints are tied: velocities that the others follow from, G v = 0, at the start's pose, then the pose that these lead to,
 * closed; once each. Who rests stays as he is: what a locked joint holds by loops stands still exactly (closure_still.h).
 */
#include "integrator/core.h"
#include "integrator/time_step.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"

/* Whether somebody is kept who is no longer locked: others could not follow from him where he turns round while they go on. */
static bool keeps_moving_ones(const dt_simulation *sim)
{
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        any = sim->system.mode[k] != DETENT_LOCKED &&
              sim->system.closure->kept[sim->time_stepping.box.freedom[k]];
    }
    return any;
}

static void set_after(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_time_stepping *x = &sim->time_stepping;
    memcpy(s->mode, x->mode_after, (size_t)sim->ns);
    memcpy(s->direction, x->direction_after, (size_t)sim->ns);
    if (keeps_moving_ones(sim)) {
        dt_closure_keep_none(s);
    }
    for (int k = 0; k < sim->ns; k++) {
        if (s->mode[k] == DETENT_LOCKED || dt_time_step_reaches(sim, k) != 0) {
            dt_closure_keep(s, sim->time_stepping.box.freedom[k]);
        }
    }
    dt_closure_refresh(s);
}

/* The velocities of the step, those of motions at its end among them, closed at its start. */
static void close_them(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    memcpy(s->v, sim->time_stepping.step.v, (size_t)sim->nv * sizeof *s->v);
    dt_closure_positions(s); /* finds who follows how */
    dt_closure_velocities(s);
    dt_motion_velocity(s->tree, s->v, s->motion);
}

/* The system's velocities are those of the step, closed with the modes of its end, until they are put back. */
static void enter_velocities(dt_simulation *sim, bool back)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    const size_t size = (size_t)sim->ns, bytes = (size_t)sim->nv * sizeof *s->v;
    memcpy(back ? s->mode : x->mode, back ? x->mode : s->mode, size);
    memcpy(back ? s->direction : x->direction, back ? x->direction : s->direction, size);
    memcpy(back ? s->v : x->v, back ? x->v : s->v, bytes);
    x->step.left = true;
    if (!back) {
        set_after(sim);
        close_them(sim);
    }
}

/* Whose ratio to the others is zero at this pose, though they move and he is not at rest at the end of the step: he turns round there, and is not locked. */
static bool turns_round(const dt_simulation *sim, int k, double found)
{
    const dt_time_stepping *x = &sim->time_stepping;
    return found != 0 && sim->system.v[x->box.freedom[k]] == 0 &&
           !dt_still_holds(sim->system.closure->still, x->box.node[k]);
}

/* Whether joint k is at rest at the end of the step. */
static bool rests(const dt_simulation *sim, int k)
{
    const dt_time_stepping *x = &sim->time_stepping;
    return x->step.v[x->box.freedom[k]] == 0 && x->mode_after[k] == DETENT_LOCKED;
}

/* Whether somebody is, while others move. */
static bool any_rests(const dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    bool any = false, moves = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        any = rests(sim, k);
    }
    for (int j = 0; j < sim->nv && any && !moves; j++) {
        moves = x->step.v[j] != 0;
    }
    return any && moves;
}

/* Those at rest are free to follow, if others leave them no choice; returns whether there is one. */
static bool let_go(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_time_stepping *x = &sim->time_stepping;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (rests(sim, k) && !dt_still_holds(s->closure->still, x->box.node[k])) {
            dt_set_mode(s, k, DETENT_WAIT, 1);
            dt_closure_keep(s, x->box.freedom[k]);
            any = true;
        }
    }
    if (any) {
        dt_closure_refresh(s);
        close_them(sim);
    }
    return any;
}

/*
 * Who leaves a stop in the step by less than what is of second order in it may seem to go on into the stop, once closed: others follow from him then.
 */
static void keep_inside(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    dt_system *s = &sim->system;
    bool any = false;
    for (int k = 0; k < sim->ns && sim->impact.exists; k++) {
        const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
        const int j = x->box.freedom[k];
        const double q = x->q_start[s->tree->nodes[x->box.node[k]].q];
        const int side = !stops ? 0 : q == stops->at[1] ? 1 : q == stops->at[0] ? -1 : 0;
        if (side * x->step.v[j] < 0 && side * s->v[j] > 0) {
            dt_closure_keep(s, j);
            any = true;
        }
    }
    if (any) {
        dt_closure_refresh(s);
        close_them(sim);
    }
}

/*
 * Who has no velocity in the step's solution, since his ratio to the others is zero where it starts, is not locked while they go on: what they do takes him along at
 * second order. He has the velocity of that at the end.
 */
static void find_turns(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    if (!any_rests(sim)) {
        return;
    }
    enter_velocities(sim, false);
    if (dt_closure_is_driven(s) && !dt_closure_agrees(s) && let_go(sim)) {
        for (int k = 0; k < sim->ns; k++) {
            const double a = rests(sim, k) ? dt_closure_turning(s, x->box.node[k]) : 0;
            if (a != 0) {
                x->step.v[x->box.freedom[k]] = a * x->step.h;
                x->mode_after[k] = DETENT_WAIT;
                x->direction_after[k] = (signed char)(a > 0 ? 1 : -1);
            }
        }
        dt_closure_keep_none(s);
    }
    enter_velocities(sim, true);
}

/* Whether a stop is come to in what is tied together so. */
static bool comes_to_a_stop(const dt_simulation *sim, int cluster)
{
    const dt_still *still = sim->system.closure->still;
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        any = still->cluster[sim->time_stepping.box.node[k]] == cluster &&
              dt_time_step_reaches(sim, k) != 0;
    }
    return any;
}

/*
 * Whether joint k, who rests, stops others that he is tied with and the step's solution goes on with: it then has not felt him, since his ratio to them is next
 * to nothing.
 */
static bool stops_who_goes_on(const dt_simulation *sim, int k)
{
    static const double goes_on = 1e-3;
    const dt_system *s = &sim->system;
    const dt_time_stepping *x = &sim->time_stepping;
    const int cluster = s->closure->still->cluster[x->box.node[k]];
    bool any = false;
    for (int i = 0; i < s->tree->node_count && rests(sim, k); i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            const double v = x->step.v[j], before = x->step.start[j];
            any = any || (s->closure->still->cluster[i] == cluster && v * before > 0 &&
                          fabs(v) > goes_on * fabs(before) && fabs(s->v[j]) < goes_on * fabs(v));
        }
    }
    return any && !comes_to_a_stop(sim, cluster);
}

/* Those at rest who follow (DETENT_WAIT) get the velocities that the others leave them, at the end of the step, unless friction would drive them so. */
static void take_along(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    dt_closure_keep_none(s);
    dt_closure_refresh(s);
    close_them(sim);
    for (int k = 0; k < sim->ns; k++) {
        const double v = s->v[x->box.freedom[k]];
        const bool drives = x->step.f[k] * v > 0;
        if (rests(sim, k) && s->mode[k] == DETENT_WAIT && v != 0 && !drives) {
            x->step.v[x->box.freedom[k]] = v;
            x->mode_after[k] = DETENT_WAIT;
            x->direction_after[k] = (signed char)(v > 0 ? 1 : -1);
        }
    }
}

/*
 * Whether joint k, who was at rest, has left his limit, and only seems to be held there: what he was found to move by is less than a damper that holds gives way by,
 * but none of those that rest holds him.
 */
static bool creeps_on(const dt_simulation *sim, int k)
{
    const dt_time_stepping *x = &sim->time_stepping;
    return rests(sim, k) && x->step.start[x->box.freedom[k]] == 0 &&
           dt_corner_of(&x->box.stair[k]) < 0 && !x->yields;
}

/* So near to where his ratio to the others is zero nobody is stopped by friction: who seems to rest there follows them. */
static void follow_who_goes_on(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    if (!any_rests(sim)) {
        return;
    }
    enter_velocities(sim, false);
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (stops_who_goes_on(sim, k) || creeps_on(sim, k)) {
            dt_set_mode(s, k, DETENT_WAIT, 1);
            any = true;
        }
    }
    if (any) {
        take_along(sim);
    }
    enter_velocities(sim, true);
}

/* Whether closing at the start changes velocities of the end by so little that the step resolves how ratios change. */
static bool is_resolved(const dt_simulation *sim)
{
    static const double little = 0.03;
    const dt_velocity_step *step = &sim->time_stepping.step;
    double change = 0, all = 0;
    for (int j = 0; j < sim->nv; j++) {
        const double closed = sim->system.v[j], by = closed - step->v[j];
        change += step->inertia[j] * by * by;
        all += by != 0 ? step->inertia[j] * closed * closed : 0;
    }
    return change <= little * little * all;
}

/*
 * The velocities as closed; of a step of second order, which are those of its end, only who rests: closed at its start they are off by the first order, and it would stay
 * so where others follow from them at its end.
 */
static void take_closed(dt_simulation *sim)
{
    double *v = sim->time_stepping.step.v;
    const bool are_of_end = sim->time_stepping.corrected && is_resolved(sim);
    for (int j = 0; j < sim->nv; j++) {
        const double closed = sim->system.v[j];
        v[j] = are_of_end && closed != 0 && v[j] != 0 ? v[j] : closed;
    }
}

void dt_time_step_close_velocities(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    find_turns(sim);
    follow_who_goes_on(sim);
    enter_velocities(sim, false);
    keep_inside(sim);
    for (int k = 0; k < sim->ns; k++) {
        double *v = &sim->system.v[x->box.freedom[k]];
        const double found = x->step.v[x->box.freedom[k]];
        *v = turns_round(sim, k, found) ? found : *v;
    }
    take_closed(sim);
    enter_velocities(sim, true);
}

void dt_time_step_find_still(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    for (int k = 0; k < sim->ns; k++) {
        const double v = x->step.v[x->box.freedom[k]];
        x->mode_after[k] = v == 0 ? DETENT_LOCKED : DETENT_UNLOCKED;
        x->direction_after[k] = (signed char)((v > 0) - (v < 0));
    }
    enter_velocities(sim, false);
    for (int k = 0; k < sim->ns; k++) {
        x->still[k] = *dt_velocity_of(sim, k) == 0;
    }
    enter_velocities(sim, true);
    dt_motion_velocity(sim->system.tree, sim->system.v, sim->system.motion);
}

/* Closing moves velocities by what is of second order in a step: who is that slow may move the other way by it, and rubs as he moves. */
static void redirect(dt_simulation *sim, double *y)
{
    dt_time_stepping *x = &sim->time_stepping;
    for (int k = 0; k < sim->ns; k++) {
        const double v = dt_v_in(sim, y)[x->box.freedom[k]];
        const dt_staircase *stair = &x->box.stair[k];
        double *f = &dt_f_in(sim, y)[k];
        const int direction = (v > 0) - (v < 0);
        if (direction == x->direction_after[k]) {
            continue;
        }
        x->direction_after[k] = (signed char)direction;
        x->mode_after[k] = direction == 0                      ? DETENT_LOCKED
                           : x->mode_after[k] == DETENT_LOCKED ? DETENT_WAIT
                                                               : x->mode_after[k];
        const double rubs = x->stick[k] >= 0 && x->stick[k] < stair->corners
                                ? stair->force[x->stick[k] + (v > 0)]
                                : INFINITY;
        if (*f * v > 0 && isfinite(rubs)) { /* else a stop is there */
            *f = x->f[k] = rubs;
        }
    }
}

/* Whom closing has taken beyond his stop, or off the one that he comes to in the step, is put there, and others follow from him; whether there is any. */
static bool put_back(dt_simulation *sim, double *y)
{
    double *q = dt_q_in(sim, y);
    bool any = false;
    for (int k = 0; k < sim->ns && sim->impact.exists; k++) {
        const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
        double *own = &q[sim->system.tree->nodes[sim->time_stepping.box.node[k]].q];
        const double reached = *own;
        if (stops) {
            const int side = dt_time_step_reaches(sim, k);
            *own = side != 0 ? stops->at[side > 0] : fmin(fmax(*own, stops->at[0]), stops->at[1]);
        }
        if (*own != reached) {
            dt_closure_keep(&sim->system, sim->time_stepping.box.freedom[k]);
            any = true;
        }
    }
    return any;
}

/*
 * Motions decide where somebody is who has come to rest in the step with them: he cannot stay where the step's velocities take him to, and follows. What
 * has come of closing with him kept is put away.
 */
static void let_arrive(dt_simulation *sim, double *y)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    for (int k = 0; k < sim->ns; k++) {
        const int j = x->box.freedom[k];
        if (s->mode[k] == DETENT_LOCKED && x->step.start[j] != 0) {
            dt_set_mode(s, k, DETENT_WAIT, x->step.start[j] > 0 ? 1 : -1);
        }
    }
    dt_closure_keep_none(s);
    dt_closure_refresh(s);
    dt_time_step_move_on(sim, x->q_start, dt_q_in(sim, y));
    memcpy(dt_v_in(sim, y), x->step.v, (size_t)sim->nv * sizeof *x->step.v);
}

void dt_time_step_close(dt_simulation *sim, double end, double *y)
{
    static const int rounds = 3; /* each of which leaves the square of what was open */
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    memcpy(x->mode, s->mode, (size_t)sim->ns);
    memcpy(x->direction, s->direction, (size_t)sim->ns);
    set_after(sim);
    dt_time_step_close_once(sim, end, y);
    if (!dt_solution_is_finite(sim, y)) {
        let_arrive(sim, y);
        dt_time_step_close_once(sim, end, y);
    }
    if (!dt_solution_is_finite(sim, y)) {
        dt_time_step_pass_in_pieces(sim, end, y);
    }
    for (int n = 0; n < rounds && put_back(sim, y); n++) {
        dt_closure_refresh(s);
        dt_time_step_close_once(sim, end, y);
    }
    dt_time_step_pass(sim, end, y);
    redirect(sim, y);
    memcpy(s->mode, x->mode, (size_t)sim->ns);
    memcpy(s->direction, x->direction, (size_t)sim->ns);
}
