/*
 * Impacts at the start of a step: of joints that come to a stop within it, as they move now, at once, all together.
 *
 *   M (v' - v) = S L,    v'_k = -e_k v_k  of those that strike or stand at their stops, as long as these push: L_k towards the inside
 *
 * So the kinetic energy changes by 1/2 sum L (1 - e) v <= 0 (impact.h). Who is thrown against a stop that is closed makes another impact at once, as at an event:
 * at most as many as there are joints with stiction or stops, the last one without restitution. Who arrives without one, or still approaches, is stopped by the
 * step itself, exactly at the stop. A joint is up to a step early. Where joints are tied stops may be redundant, and impulses are those of an event
 * (impact_ties.h); where these have no solution the step stops everybody.
 */
#include "integrator/core.h"
#include "integrator/impact_after.h"
#include "integrator/time_step.h"

#include "dynamics/closure.h"

/*
 * The side of the stop that joint k strikes in the step, or stands at; else 0. A freewheel is a stop wherever its joint is: who is held by it takes
 * part where others strike, and who comes against it alone is caught by the step itself.
 */
static int closed_side(const dt_simulation *sim, int k, double h, const double *y, bool *strikes)
{
    const dt_system *s = &sim->system;
    const double *q = dt_q_of(sim, y), *velocity = dt_v_of(sim, y);
    const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
    const dt_node *node = &s->tree->nodes[sim->mechanism->stictions[k].primitive];
    *strikes = false;
    if (stops && stops->way != 0) {
        return -stops->way;
    }
    int closed = 0;
    for (int side = 0; stops && side < 2 && !*strikes; side++) {
        const double inward = side == 0 ? 1 : -1, left = inward * (q[node->q] - stops->at[side]),
                     v = inward * velocity[node->v];
        *strikes = isfinite(left) && v < 0 && left + h * v <= 0 &&
                   (left <= 0 || stops->restitution[side] > 0);
        closed = *strikes || left <= 0 ? -(int)inward : closed;
    }
    return closed;
}

/* Lets go who would have to be pulled; whether there is anybody. */
static bool let_go(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        if (x->side[k] != 0 && x->side[k] * x->step.f[k] > 0) {
            x->side[k] = 0;
            any = true;
        }
    }
    return any;
}

static detent_status solve(dt_simulation *sim, detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    const dt_system *s = &sim->system;
    for (int i = 0; i < s->tree->node_count; i++) {
        x->step.held[i] = dt_is_prescribed(s, i);
        if (x->step.held[i]) {
            x->step.v[s->tree->nodes[i].v] = 0;
        }
    }
    for (int k = 0; k < sim->ns; k++) {
        if (x->side[k] != 0) {
            const int j = x->box.freedom[k];
            x->step.held[x->box.node[k]] = true;
            x->step.v[j] = -(1 + sim->impact.e[k]) * s->v[j];
        }
    }
    return dt_velocity_step_strike(&x->step, error);
}

static double kinetic_energy(const dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    return dt_motion_kinetic_energy(s->tree, s->motion, s->v);
}

/* Who is at rest is held by static friction at most. */
static void rest(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        if (*dt_velocity_of(sim, k) == 0) {
            s->mode[k] = DETENT_LOCKED;
            s->direction[k] = 0;
        }
    }
}

/* Those of the closed stops whose joints do not move away; `last`: nobody is thrown back. */
static void list(dt_simulation *sim, bool last)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_impact *impact = &sim->impact;
    for (int k = 0; k < sim->ns; k++) {
        const int closed = x->closed[k], side = closed * *dt_velocity_of(sim, k) >= 0 ? closed : 0;
        x->side[k] = impact->stop[k] = (signed char)side;
        impact->active[k] = side != 0;
        impact->rests[k] = impact->kept[k] = false;
        impact->e[k] =
            side != 0 && !last ? sim->mechanism->stictions[k].stops->restitution[side > 0] : 0;
    }
}

/* ---- where nothing is tied ---- */

/* Velocities after it; those that are held have theirs exactly. */
static void take(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const dt_time_stepping *x = &sim->time_stepping;
    for (int j = 0; j < sim->nv; j++) {
        x->v[j] = s->v[j] + x->step.a[j];
    }
    for (int k = 0; k < sim->ns; k++) {
        const int j = x->box.freedom[k];
        if (x->side[k] != 0) {
            const double e = sim->impact.e[k];
            x->v[j] = e * s->v[j] == 0 ? 0 : -e * s->v[j];
        }
    }
    dt_system_set_state(s, s->time, s->q, x->v);
    rest(sim);
}

static detent_status strike_tree(dt_simulation *sim, detent_error *error)
{
    detent_status status;
    do {
        status = solve(sim, error);
    } while (!status && let_go(sim));
    if (!status) {
        for (int k = 0; k < sim->ns; k++) {
            sim->impact.active[k] = sim->time_stepping.side[k] != 0;
        }
        memcpy(sim->impact.d_f, sim->time_stepping.step.f, (size_t)sim->ns * sizeof(double));
        take(sim);
    }
    return status;
}

/* ---- where joints are tied ---- */

static void strike_tied(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const bool found = dt_impact_settle(sim);
    dt_trial_restore(sim, &sim->impact.before);
    memset(sim->impact.active, 0, found ? 0 : (size_t)sim->ns * sizeof *sim->impact.active);
    if (found) {
        dt_impact_take_velocities(sim);
        rest(sim);
        for (int k = 0; k < sim->ns; k++) { /* others follow from who rests */
            if (s->mode[k] == DETENT_LOCKED) {
                dt_closure_keep(s, sim->time_stepping.box.freedom[k]);
            }
        }
    }
    dt_closure_refresh(s);
    dt_system_set_state(s, s->time, s->q, s->v);
}

/* ---- all ---- */

/* An impact of those that do not move away from closed stops. */
static detent_status strike(dt_simulation *sim, bool last, detent_error *error)
{
    detent_status status = DETENT_OK;
    const double before = kinetic_energy(sim);
    dt_trial_keep(sim, &sim->impact.before);
    list(sim, last);
    if (sim->system.closure) {
        strike_tied(sim);
    } else {
        status = strike_tree(sim, error);
    }
    if (!status) {
        dt_impact_account(sim, before);
    }
    return status;
}

/* Whether somebody approaches a stop that is closed since the last impact, by more than rounding makes of that. */
static bool is_due(dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    bool any = false;
    for (int k = 0; k < sim->ns && !any; k++) {
        const double v = *dt_velocity_of(sim, k),
                     change = v - sim->impact.before.v[x->box.freedom[k]];
        any = x->closed[k] * v > dt_impact_rounding * fabs(change);
    }
    return any;
}

/* Whether somebody strikes in a step of length h from y; notes whose stops are closed. */
static bool find_closed(dt_simulation *sim, double h, const double *y)
{
    dt_time_stepping *x = &sim->time_stepping;
    bool any = false;
    for (int k = 0; k < sim->ns; k++) {
        bool strikes;
        x->closed[k] = (signed char)closed_side(sim, k, h, y, &strikes);
        any = any || strikes;
    }
    return any;
}

detent_status dt_time_step_strike(dt_simulation *sim, double t, double h, double *y,
                                  detent_error *error)
{
    dt_time_stepping *x = &sim->time_stepping;
    x->strikes = find_closed(sim, h, y);
    if (!x->strikes) {
        return DETENT_OK;
    }
    sim->statistics.impacts++;
    dt_blocks_enter(sim, t, y);
    sim->impact.loss = sim->impact.drive = 0;
    detent_status status = strike(sim, false, error);
    for (int n = 1; n <= sim->ns && !status && is_due(sim); n++) {
        status = strike(sim, n == sim->ns, error);
    }
    if (!status) {
        sim->statistics.impact_loss += sim->impact.loss;
        dt_w_in(sim, y)[DT_WORK_ACTUATION] += sim->impact.drive;
        memcpy(dt_v_in(sim, y), sim->system.v, (size_t)sim->nv * sizeof *y);
    }
    return status;
}

int dt_time_step_reaches(const dt_simulation *sim, int k)
{
    const dt_staircase *stair = &sim->time_stepping.box.stair[k];
    const int corner = dt_corner_of(stair);
    return corner < 0 || corner == sim->time_stepping.stick[k] ? 0 : stair->at[corner] > 0 ? 1 : -1;
}

void dt_time_step_arrive(dt_simulation *sim, double *q)
{
    const dt_system *s = &sim->system;
    for (int k = 0; k < sim->ns; k++) {
        const dt_rigid_stops *stops = sim->mechanism->stictions[k].stops;
        if (stops) {
            double *own = &q[s->tree->nodes[sim->time_stepping.box.node[k]].q];
            const int side = dt_time_step_reaches(sim, k);
            *own = side != 0 ? stops->at[side > 0] : *own;
            *own = fmin(fmax(*own, stops->at[0]), stops->at[1]);
        }
    }
}
