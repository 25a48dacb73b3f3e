/*
 * Steps of second order of what is coupled. The step that has been found is one of the implicit Euler method, y+ = y + d, J d = -r with J = E/h - F'
 * the derivative of the residuals E y' - F(y) at the start. What it leaves of the implicit midpoint rule is solved for with the same J, twice:
 *
 *   r' = E d/h - F(y + d/2),    J e = -r',    J g = E e/h,    y+ = y + d + g
 *
 * so a mode y' = -l y has, with z = h l, the factor (1 + 2 z + z^2/2)/(1 + z)^3: second order, as stable as the implicit Euler method, never negative, and
 * nothing of what is stiff is left. Without the second solution, y + d + e, it would be -1/2 there, and ring.
 *
 * Places are those of the Euler step; where somebody leaves his by it something happens in the step, which then is the Euler step.
 */
#include "integrator/core.h"
#include "integrator/time_step.h"

#include "dynamics/closure.h"
#include "dynamics/closure_still.h"
#include "dynamics/velocity_newton.h"

/* Coordinates of the middle of the solution, and what they change by in it. */
static void find_turn(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    dt_velocity_step *step = &x->step;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const double *q = x->q_start + node->q;
        double *turn = step->turn + node->q, *middle = x->q_middle + node->q;
        if (node->type->nq > 0) {
            node->type->rate(q, step->v + node->v, turn);
        }
        for (int c = 0; c < node->type->nq; c++) {
            turn[c] *= step->h;
            middle[c] = q[c] + 0.5 * turn[c];
        }
        if (node->type->nq > 1) {
            node->type->normalize(middle);
        }
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            x->v_middle[j] = 0.5 * (step->start[j] + step->v[j]);
            step->a[j] = (step->v[j] - step->start[j]) / step->h;
        }
    }
}

/*
 * To still->fastest, by clusters: the energy of the middle's velocities less a share of what dampers that hold joints take in the step. It is below 0 where
 * nothing moves but as the dampers give way.
 */
static void find_balance(const dt_simulation *sim, dt_still *still)
{
    static const double share = 0.1;
    const dt_time_stepping *x = &sim->time_stepping;
    const dt_velocity_step *step = &x->step;
    for (int n = 0; n < still->tied_count; n++) {
        still->fastest[still->cluster[still->tied[n]]] = 0;
    }
    for (int n = 0; n < still->tied_count; n++) {
        const dt_node *node = &sim->system.tree->nodes[still->tied[n]];
        double *balance = &still->fastest[still->cluster[still->tied[n]]];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            const double v = x->v_middle[j];
            *balance += dt_is_prescribed(&sim->system, still->tied[n]) && v != 0
                            ? INFINITY
                            : 0.5 * step->inertia[j] * v * v;
        }
    }
    for (int k = 0; k < sim->ns; k++) {
        if (dt_corner_of(&x->box.stair[k]) >= 0 && dt_still_reads(still, x->box.node[k])) {
            still->fastest[still->cluster[x->box.node[k]]] -=
                share * step->h * step->f[k] * step->f[k] / step->d[k];
        }
    }
}

void dt_time_step_find_idle(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_still *still = sim->system.closure ? sim->system.closure->still : NULL;
    memset(x->idle, 0, (size_t)sim->system.tree->node_count * sizeof *x->idle);
    if (!still) {
        return;
    }
    find_turn(sim);
    find_balance(sim, still);
    for (int n = 0; n < still->tied_count; n++) {
        const dt_node *node = &sim->system.tree->nodes[still->tied[n]];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            double *balance = &still->fastest[still->cluster[still->tied[n]]];
            *balance = x->step.start[j] != 0 ? INFINITY : *balance;
        }
    }
    for (int n = 0; n < still->tied_count; n++) {
        x->idle[still->tied[n]] = still->fastest[still->cluster[still->tied[n]]] < 0;
    }
}

/* What only creeps, since dampers hold it, is at rest in the middle. */
static void rest_who_creeps(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_still *still = sim->system.closure ? sim->system.closure->still : NULL;
    if (!still) {
        return;
    }
    find_balance(sim, still);
    for (int n = 0; n < still->tied_count; n++) {
        const dt_node *node = &sim->system.tree->nodes[still->tied[n]];
        if (still->fastest[still->cluster[still->tied[n]]] < 0) {
            memcpy(x->q_middle + node->q, x->q_start + node->q,
                   (size_t)node->type->nq * sizeof *x->q_middle);
            memset(x->v_middle + node->v, 0, (size_t)node->type->nv * sizeof *x->v_middle);
        }
    }
}

/* Whether who is locked at the start, and is taken along at second order, has stopped the others in the middle; what follows from what was chosen there. */
static bool is_stopped(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    const bool is = s->closure && dt_closure_departs(s, sim->time_stepping.v_middle);
    if (is) {
        dt_closure_forget(s->closure);
    }
    return is;
}

/*
 * Stands somewhere with who is locked as the step was solved with: free, where two of a loop that rests leave conditions that say nothing any more. What
 * the matrix has of these would be taken for others.
 */
static void stand(dt_simulation *sim, double t, const double *y)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    if (x->frees) {
        dt_velocity_newton_put_modes_aside(&x->step, false);
    }
    if (y) {
        dt_blocks_enter(sim, t, y);
        dt_time_step_stand_ahead(sim, t, y);
    } else {
        dt_system_set_state(s, t, x->step.ahead ? x->q_ahead : x->q_middle, x->v_middle);
    }
    if (x->frees) {
        dt_velocity_newton_put_modes_aside(&x->step, true);
    }
}

/* In the middle. */
static void stand_in_middle(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    const dt_closure *c = sim->system.closure;
    const double middle = x->start + 0.5 * x->step.h;
    x->frees = false;
    stand(sim, middle, NULL);
    x->frees = c && c->count != x->step.conditions;
    if (x->frees) {
        stand(sim, middle, NULL);
    }
}

void dt_time_step_keep_solution(dt_simulation *sim, bool back)
{
    dt_time_stepping *x = &sim->time_stepping;
    double *now[] = {x->step.v, x->step.f, x->step.m, x->step.z},
           *kept[] = {x->v_kept, x->f_kept, x->m_kept, x->z_kept};
    const int count[] = {sim->nv, sim->ns, dt_tie_rows(sim->mechanism),
                         sim->mechanism->state_count};
    for (size_t n = 0; n < sizeof count / sizeof *count; n++) {
        memcpy(back ? now[n] : kept[n], back ? kept[n] : now[n], (size_t)count[n] * sizeof(double));
    }
    for (int j = 0; j < sim->nv && back; j++) {
        x->step.a[j] = (x->step.v[j] - x->step.start[j]) / x->step.h;
    }
}

bool dt_time_step_enter_coupled_middle(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    bool moves = false;
    for (int j = 0; j < sim->nv; j++) {
        moves = moves || x->step.v[j] != 0 || x->step.start[j] != 0;
    }
    if (!moves && sim->mechanism->state_count == 0) {
        return false;
    }
    find_turn(sim);
    rest_who_creeps(sim);
    for (int k = 0; k < sim->mechanism->state_count; k++) {
        sim->system.z[k] = x->z_start[k] + 0.5 * x->step.z[k];
    }
    stand_in_middle(sim);
    if (x->follows) {
        memcpy(sim->system.multiplier, x->step.m,
               (size_t)dt_tie_rows(sim->mechanism) * sizeof(double));
        dt_system_set_acceleration(&sim->system, x->step.a, x->step.f);
        dt_system_forces(&sim->system);
    }
    return isfinite(sim->system.q[0]) && !is_stopped(sim);
}

/* Whether everybody is at his place with refined velocities, too, by the limits there are now. */
static bool is_settled(const dt_simulation *sim)
{
    const dt_time_stepping *x = &sim->time_stepping;
    bool settled = true;
    for (int k = 0; k < sim->ns && settled; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        const int corner = dt_corner_of(stair), segment = stair->place / 2;
        const double v = x->step.better[x->box.freedom[k]], f = x->step.f[k];
        settled = corner >= 0 ? f <= stair->hold[corner][1] && f >= stair->hold[corner][0]
                              : x->idle[x->box.node[k]] ||
                                    ((segment == stair->corners || v < stair->at[segment]) &&
                                     (segment == 0 || v > stair->at[segment - 1]));
    }
    return settled;
}

/* Who rests has what has been found for him. */
static void rest_who_is_idle(dt_simulation *sim)
{
    const dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && x->idle[i]; j++) {
            x->step.better[j] = x->v_kept[j];
        }
        for (int c = node->q; c < node->q + node->type->nq && x->idle[i]; c++) {
            x->step.turn[c] = 0;
        }
    }
    for (int k = 0; k < sim->ns; k++) {
        x->step.f[k] = x->idle[x->box.node[k]] ? x->f_kept[k] : x->step.f[k];
    }
}

bool dt_time_step_refine(dt_simulation *sim, double t, const double *y)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_velocity_step *step = &x->step;
    for (int k = 0; k < sim->ns; k++) {
        const dt_staircase *stair = &x->box.stair[k];
        step->f[k] = dt_corner_of(stair) < 0 ? stair->force[stair->place / 2] : step->f[k];
    }
    dt_velocity_newton_miss(step, step->f);
    dt_time_step_powers(sim, x->power);
    stand(sim, t, y);
    dt_velocity_newton_refine(step);
    rest_who_is_idle(sim);
    if (!is_settled(sim)) {
        dt_bristles_keep_middle(&step->bristles, NULL);
        return false;
    }
    dt_bristles_keep_middle(&step->bristles, step->turn);
    for (int j = 0; j < sim->nv; j++) {
        step->v[j] = step->better[j];
        step->a[j] = (step->v[j] - step->start[j]) / step->h;
    }
    return true;
}
