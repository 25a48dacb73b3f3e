/*
 * The second order of what is coupled: what the middle of a step leaves of the implicit midpoint rule is solved for with the matrix of the step's last solution
 * (integrator/time_step_coupled.c).
 */
#include "dynamics/velocity_newton.h"

#include "dynamics/closure.h"
#include "dynamics/newton_parts.h"

#include <string.h>

/* Forces, conditions and states at accelerations a and friction f, beside what the rates of coordinates and states come to in the step. */
static void residuals_at(dt_velocity_step *w, const double *a, const double *f)
{
    dt_system *s = w->system;
    dt_velocity_newton_put_modes_aside(w, false);
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
    dt_velocity_newton_put_modes_aside(w, true);
}

/* How far the middle of the solution is beside where the system is instead: slopes of the matrix tell what forces are there. */
static double beside(const dt_velocity_step *w, int coordinate)
{
    return w->ahead ? 0.5 * w->turn[coordinate] - w->shift[coordinate] : 0;
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
            const double way = w->turn[node->q + c] - beside(w, node->q + c);
            w->r_q[node->q + c] = dt_is_prescribed(s, i) ? 0 : way / w->h - rate[c];
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
    dt_velocity_newton_put_modes_aside(w, false);
    s->pinned = w->pinned;
    w->newton->drag = w->drag;
    dt_newton_solve(w->newton, s, &all, &all);
    w->newton->drag = NULL;
    s->pinned = NULL;
    dt_velocity_newton_put_modes_aside(w, true);
}

/* What a solution changes multipliers by, and the friction of those that are held. */
static void add_forces(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    for (int k = 0; k < dt_tie_rows(s->mechanism); k++) {
        w->m[k] += w->r_m[k];
    }
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        w->f[k] -= w->drag[j] * w->r_v[j];
    }
}

/* And velocities and states: a solution of the same places, so that who is held stays. */
static void add_change(dt_velocity_step *w)
{
    const dt_system *s = w->system;
    add_forces(w);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !w->held[i]; j++) {
            w->v[j] += w->r_v[j];
        }
    }
    for (int k = 0; k < s->mechanism->state_count; k++) {
        w->z[k] += w->r_z[k];
    }
}

/* Forces and rates of states at some time, where the system is, with what is known of accelerations and friction. */
static void residuals_of_time(dt_velocity_step *w, double time)
{
    dt_system *s = w->system;
    s->time = time;
    residuals_at(w, w->a, w->f);
    for (int k = 0; k < s->mechanism->state_count; k++) {
        w->r_z[k] = -dt_law_value(s, dt_rate_law(s, k), 0);
    }
}

/* Whether what answers to the forces `by` with r_v is more than inertia: c'E c / h, of which there is no more, is well below c'F. Leaves the motion as it is. */
static bool is_stiff(const dt_velocity_step *w, const double *by)
{
    static const double well = 0.8;
    const dt_system *s = w->system;
    double done = 0;
    for (int j = 0; j < s->tree->nv; j++) {
        done += w->r_v[j] * by[j];
    }
    dt_motion_velocity(s->tree, w->r_v, s->motion);
    const double inert = 2 * dt_motion_kinetic_energy(s->tree, s->motion, w->r_v) / w->h;
    dt_motion_velocity(s->tree, s->v, s->motion);
    return inert < well * done;
}

/*
 * The step has had forces and rates as they are at its start, as far as they go with t. What they change by until its end changes the solution by c, J c = F(t + h) - F(t):
 * with that the step has none of that to correct, which is not corrected where it is stiff. Elsewhere it is, as well with c as without.
 */
void dt_velocity_newton_pass_time(dt_velocity_step *w)
{
    dt_system *s = w->system;
    const double time = s->time;
    const size_t states = (size_t)s->mechanism->state_count;
    residuals_of_time(w, time);
    memcpy(w->better, w->r_v, (size_t)s->tree->nv * sizeof *w->better);
    memcpy(w->rate_z, w->r_z, states * sizeof *w->rate_z);
    residuals_of_time(w, time + w->h);
    s->time = time;
    for (int j = 0; j < s->tree->nv; j++) {
        w->r_v[j] -= w->better[j];
        w->better[j] = -w->r_v[j];
    }
    for (size_t k = 0; k < states; k++) {
        w->r_z[k] -= w->rate_z[k];
    }
    memset(w->r_q, 0, (size_t)s->tree->nq * sizeof *w->r_q);
    memset(w->r_m, 0, (size_t)dt_tie_rows(s->mechanism) * sizeof *w->r_m);
    solve_again(w);
    if (is_stiff(w, w->better)) {
        add_change(w);
    }
}

/* The first solution e: multipliers and friction of those that are held are those of the midpoint rule. */
static void take_midpoint(dt_velocity_step *w)
{
    add_forces(w);
    memset(w->pinned, 0, (size_t)w->system->mechanism->stiction_count * sizeof *w->pinned);
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
    dt_velocity_newton_drive(w);
    solve_again(w);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int c = node->q; c < node->q + node->type->nq; c++) {
            w->r_q[c] -= dt_is_prescribed(s, i) ? 0 : beside(w, c);
        }
    }
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
