/*
 * The middle of a step, where it takes its forces:
 *
 *   q' = q + h/2 v,    v' = v,    and again, where nothing happens in the step,    v' = (v + v+)/2,    z' = (z + z+)/2
 *
 * so that M, forces and friction are known to second order. Where joints are coupled the step is linearised at its start. A joint that may come to a
 * stop in the step has its forces of the start and moves with its velocity of the end: it comes to the stop exactly, and loses energy.
 */
#include "integrator/core.h"
#include "integrator/time_step.h"

#include "dynamics/closure.h"
#include "dynamics/element.h"
#include "dynamics/newton_parts.h"

/* Whether what is tied stays so as it moves on: there are couplings of given ratios alone. */
static bool closes_by_itself(const dt_system *s)
{
    const int rows = s->closure ? s->closure->rows : 0;
    bool does = true;
    for (int r = 0; r < rows && does; r = dt_tie_next(s->closure->tie, r)) {
        does = dt_tie_term_of(s->mechanism, &s->closure->tie[r], 0).joint >= 0;
    }
    return does;
}

bool dt_time_step_create_middle(dt_arena *arena, dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    dt_system *s = &sim->system;
#define TAKE(member, count) \
    ((x->member = dt_arena_alloc(arena, (count), sizeof *x->member)) != NULL)
    if (!TAKE(q_middle, (size_t)sim->nq) || !TAKE(q_ahead, (size_t)sim->nq) ||
        !TAKE(v_middle, (size_t)sim->nv) || !TAKE(z_start, (size_t)sim->mechanism->state_count)) {
        return false;
    }
#undef TAKE
    dt_system_set_state(s, s->time, s->q, s->v);
    dt_velocity_step_measure(&x->step);
    x->closes = x->step.coupled && closes_by_itself(s);
    return true;
}

/* ---- coordinates ---- */

static void rotate(const dt_node *node, const double *at, const double *v, double h,
                   const double *from, double *q)
{
    double rate[4];
    memcpy(q, from, (size_t)node->type->nq * sizeof *q);
    if (v[0] == 0 && v[1] == 0 && v[2] == 0) {
        return;
    }
    node->type->rate(at, v, rate);
    for (int c = 0; c < node->type->nq; c++) {
        q[c] += h * rate[c];
    }
    node->type->normalize(q);
}

/* Whether a joint may come to one of its stops in the step. */
static bool is_near(const dt_simulation *sim, int node, double q, double v, double h)
{
    const int k = sim->mechanism->primitives[node].stiction;
    const dt_rigid_stops *stops = k >= 0 ? sim->mechanism->stictions[k].stops : NULL;
    return stops && fmin(q - stops->at[0], stops->at[1] - q) <= 2 * h * fabs(v);
}

bool dt_time_step_nears_stop(const dt_simulation *sim)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    bool any = false;
    for (int k = 0; k < sim->ns && !any && sim->impact.exists; k++) {
        const int node = sim->time_stepping.box.node[k], j = sim->time_stepping.box.freedom[k];
        const double q = sim->time_stepping.q_start[sim->system.tree->nodes[node].q],
                     v = fmax(fabs(step->start[j]), fabs(step->v[j]));
        any = v > 0 && is_near(sim, node, q, v, step->h);
    }
    return any;
}

/* Coordinates of the middle, and how far they are from those of the start. */
static void find_middle(dt_simulation *sim, double h, const double *q, const double *v)
{
    const dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            x->step.whole[j] = is_near(sim, i, q[node->q], v[j], h);
            x->step.moved[j] = x->step.whole[j] ? 0 : 0.5 * h * v[j];
        }
        if (node->type->nq == 1) {
            x->q_middle[node->q] = q[node->q] + x->step.moved[node->v];
        } else if (node->type->nq > 0) {
            rotate(node, q + node->q, v + node->v, 0.5 * h, q + node->q, x->q_middle + node->q);
        }
    }
}

/* Whether bodies turn by so little in a step of length h that what their inertia does needs no slopes to be stable. The system is at the start. */
static bool turns_little(const dt_system *s, double h)
{
    static const double little = 0.3; /* rad */
    bool does = true;
    for (int i = 0; i < s->tree->node_count && does; i++) {
        does = h * dt_norm3(s->motion[i].V) < little;
    }
    return does;
}

/* From the start to where what is coupled is linearised. Motions are of the start. */
static void go_ahead(dt_simulation *sim, double t, double h, const double *y)
{
    dt_time_stepping *x = &sim->time_stepping;
    const dt_system *s = &sim->system;
    const double *q = dt_q_of(sim, y), *v = dt_v_of(sim, y);
    x->step.ahead = x->closes && turns_little(s, h);
    if (!x->step.ahead) {
        memset(x->step.shift, 0, (size_t)sim->nq * sizeof *x->step.shift);
        return;
    }
    x->step.inert = true;
    find_middle(sim, h, q, v);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const bool given = dt_is_prescribed(s, i);
        for (int c = node->q; c < node->q + node->type->nq; c++) {
            x->q_ahead[c] = given ? q[c] : x->q_middle[c];
            x->step.shift[c] = x->q_ahead[c] - q[c];
        }
    }
    dt_time_step_stand_ahead(sim, t, y);
}

void dt_time_step_stand_ahead(dt_simulation *sim, double t, const double *y)
{
    if (sim->time_stepping.step.ahead) {
        dt_system_set_state(&sim->system, t, sim->time_stepping.q_ahead, dt_v_of(sim, y));
    }
}

void dt_time_step_enter_middle(dt_simulation *sim, double t, double end, const double *y)
{
    dt_time_stepping *x = &sim->time_stepping;
    const double *q = dt_q_of(sim, y), *v = dt_v_of(sim, y), h = end - t;
    x->step.start = v;
    x->q_start = q;
    memcpy(x->z_start, dt_block_of(sim, DT_BLOCK_STATES, y),
           (size_t)sim->mechanism->state_count * sizeof *x->z_start);
    if (x->step.coupled) {
        x->step.inert = x->lost;
        dt_blocks_enter(sim, t, y);
        go_ahead(sim, t, h, y);
        return;
    }
    find_middle(sim, h, q, v);
    dt_blocks_take(sim, y);
    dt_system_set_state(&sim->system, t + 0.5 * h, x->q_middle, v);
}

double dt_time_step_mean(const dt_simulation *sim, int j)
{
    const dt_velocity_step *step = &sim->time_stepping.step;
    return step->start[j] + step->share[j] * (step->v[j] - step->start[j]);
}

/* Whether others hold what has one freedom: what dampers in place of modes have left of its way is none. */
static bool stands(const dt_time_stepping *x, const dt_node *node)
{
    return node->type->nv == 1 && x->step.start[node->v] == 0 && x->step.v[node->v] == 0;
}

void dt_time_step_move_on(dt_simulation *sim, const double *from, double *q)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    const double h = x->step.h;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        if (x->corrected && x->step.coupled) {
            for (int c = 0; c < node->type->nq; c++) {
                q[node->q + c] =
                    from[node->q + c] + (stands(x, node) ? 0 : x->step.turn[node->q + c]);
            }
            if (node->type->nq > 1) {
                node->type->normalize(q + node->q);
            }
        } else if (node->type->nq == 1) {
            q[node->q] = from[node->q] + h * dt_time_step_mean(sim, node->v);
        } else if (node->type->nq > 0) {
            double mean[3];
            for (int c = 0; c < 3; c++) {
                mean[c] = dt_time_step_mean(sim, node->v + c);
            }
            rotate(node, s->q + node->q, mean, h, from + node->q, q + node->q);
        }
        if (dt_is_prescribed(s, i) && dt_is_driven_by_speed(s, i)) { /* whatever others do */
            q[node->q] = from[node->q] + 0.5 * h * (x->step.start[node->v] + x->step.v[node->v]);
        } else if (dt_is_prescribed(s, i)) {
            double jet[3];
            dt_motion_jet(s, i, x->end, jet);
            q[node->q] = jet[0];
        }
    }
}

/* ---- velocities and states ---- */

/* Changes of states in the step, and the system in the middle of them. */
static bool follow_states(dt_simulation *sim)
{
    dt_time_stepping *x = &sim->time_stepping;
    if (!dt_velocity_step_states_of_middle(&x->step, x->rate)) {
        return false;
    }
    for (int k = 0; k < sim->mechanism->state_count; k++) {
        sim->system.z[k] = x->z_start[k] + 0.5 * x->rate[k];
    }
    return true;
}

bool dt_time_step_correct_middle(dt_simulation *sim)
{
    dt_system *s = &sim->system;
    dt_time_stepping *x = &sim->time_stepping;
    bool moves = false;
    for (int j = 0; j < sim->nv; j++) {
        x->v_middle[j] = 0.5 * (x->step.start[j] + x->step.v[j]);
        moves = moves || x->v_middle[j] != s->v[j];
    }
    if (!moves && sim->mechanism->state_count == 0) {
        return false;
    }
    dt_system_set_state(s, s->time, s->q, x->v_middle);
    if (x->follows) {
        dt_system_set_acceleration(s, x->step.a, x->step.f);
        dt_system_forces(s);
    }
    return sim->mechanism->state_count == 0 || follow_states(sim);
}

/* ---- powers ---- */

void dt_time_step_powers(dt_simulation *sim, double power[DT_WORKS])
{
    dt_system *s = &sim->system;
    dt_powers(s, power);
    for (int k = 0; k < sim->ns; k++) {
        const int i = sim->time_stepping.box.node[k];
        power[DT_WORK_FRICTION] -=
            dt_is_prescribed(s, i) ? 0 : s->f[k] * s->v[sim->time_stepping.box.freedom[k]];
    }
}
