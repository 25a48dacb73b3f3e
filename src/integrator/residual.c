/*
 * The residual that IDA drives to zero:
 *   r_q = q' - N(q) v           (prescribed: q - m(t))
 *   r_v = S'F(t,q,v,v') - Q - f (prescribed: v - m'(t))
 *   r_f = v'_j (locked),  f + s FK (wait, unlocked)
 *   r_w = w' - power
 */
#include "integrator/residual.h"
#include "dynamics/bad_law.h"
#include "integrator/blocks.h"
#include "integrator/core.h"
#include "integrator/sliding.h"

#include <math.h>

void dt_powers(dt_system *s, double power[DT_WORKS])
{
    const detent_mechanism *m = s->mechanism;
    power[DT_WORK_FRICTION] = power[DT_WORK_DAMPING] = power[DT_WORK_ACTUATION] = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_primitive *p = &m->primitives[i];
        const dt_node *node = &s->tree->nodes[i];
        if (s->motion_law[i].program) {
            power[DT_WORK_ACTUATION] += s->tau[node->v] * s->v[node->v];
            continue;
        }
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            const double v = s->v[j], damper = -p->damping * v;
            const double spring =
                node->type->nv == 1 ? -p->stiffness * (s->q[node->q] - p->rest) : 0;
            power[DT_WORK_DAMPING] += damper * v;
            power[DT_WORK_ACTUATION] += (s->Q[j] - damper - spring) * v;
        }
        if (p->stiction >= 0) {
            power[DT_WORK_FRICTION] += s->f[p->stiction] * s->v[node->v];
        }
    }
    for (int l = 0; l < m->load_count; l++) {
        power[DT_WORK_ACTUATION] += dt_dot6(s->load_wrench[l], s->motion[m->loads[l].node].V);
    }
    if (m->gravity[0]->is_constant && m->gravity[1]->is_constant && m->gravity[2]->is_constant) {
        return;
    }
    /* gravity that changes has no potential: its power counts as actuation */
    for (int i = 0; i < s->tree->node_count; i++) {
        const double fall[6] = {0, 0, 0, s->gravity[0], s->gravity[1], s->gravity[2]};
        double weight[6];
        dt_inertia_apply(weight, &s->motion[i].I, fall);
        power[DT_WORK_ACTUATION] += dt_dot6(weight, s->motion[i].V);
    }
}

static void kinematic_rows(const dt_simulation *sim, const double *y, const double *yp, double *r_q)
{
    const dt_system *s = sim->core;
    const double *q = dt_q_of(sim, y), *qp = dt_q_of(sim, yp);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double rate[4];
        if (s->motion_law[i].program) {
            r_q[node->q] = q[node->q] - s->q[node->q];
            continue;
        }
        if (node->type->nq == 0) {
            continue;
        }
        node->type->rate(s->q + node->q, s->v + node->v, rate);
        for (int k = 0; k < node->type->nq; k++) {
            r_q[node->q + k] = qp[node->q + k] - rate[k];
        }
    }
}

static void dynamic_rows(dt_simulation *sim, const double *y, double *r_v, double *r_f)
{
    dt_system *s = sim->core;
    const double *v = dt_v_of(sim, y);
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        const int k = s->mechanism->primitives[i].stiction;
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            r_v[j] = s->motion_law[i].program ? v[j] - s->v[j] : s->tau[j] - s->Q[j];
        }
        if (k < 0) {
            continue;
        }
        r_v[node->v] -= s->f[k];
        if (s->mode[k] == DETENT_LOCKED) {
            r_f[k] = s->a[node->v];
        } else {
            r_f[k] = s->f[k] - dt_system_moving_friction(s, k);
        }
    }
}

/** Remembers the first law of s that is not a finite number at t; false if all are. */
static bool note_bad_law(dt_simulation *sim, dt_system *s, double t)
{
    const double now = s->time;
    s->time = t;
    const dt_law *bad = dt_bad_law(s);
    s->time = now;
    if (bad) {
        sim->bad.law = bad;
        sim->bad.owner = dt_law_owner(s, bad);
        sim->bad.time = t;
    }
    return bad;
}

void dt_note_bad_law(dt_simulation *sim, double t)
{
    if (!note_bad_law(sim, sim->core, t) && sim->welding) {
        note_bad_law(sim, &sim->system, t); /* of a joint that is welded */
    }
}

bool dt_laws_are_finite(dt_simulation *sim)
{
    const dt_system *s = sim->core;
    double sum = 0;
    for (int j = 0; j < s->tree->nv; j++) {
        sum += 0 * s->Q[j] + 0 * s->tau[j];
    }
    if (sum != 0) {
        dt_note_bad_law(sim, s->time);
    }
    return sum == 0;
}

/** Laws of friction are read by the rows of the friction alone. */
static bool frictions_are_finite(dt_simulation *sim, const double *r_f)
{
    double sum = 0;
    for (int k = 0; k < sim->core->mechanism->stiction_count; k++) {
        sum += 0 * r_f[k];
    }
    if (sum != 0) {
        dt_note_bad_law(sim, sim->core->time);
    }
    return sum == 0;
}

/**
 * Powers; where a law slides (sliding.c) that of actuation is what the motion needs, by the residual of the
 * dynamics: at a predictor the law itself may be far from where Newton's step takes it, and its
 * rounding is magnified.
 */
static void powers(dt_simulation *sim, const double *r_v, double power[DT_WORKS])
{
    dt_system *s = sim->core;
    dt_powers(s, power);
    if (!dt_sliding_now(sim)) {
        return;
    }
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        for (int j = node->v; j < node->v + node->type->nv && !s->motion_law[i].program; j++) {
            power[DT_WORK_ACTUATION] += r_v[j] * s->v[j];
        }
    }
}

bool dt_residual(void *simulation, double t, const double *y, const double *yp, double *r)
{
    dt_simulation *sim = simulation;
    dt_system *s = sim->core;
    double power[DT_WORKS];
    sim->residuals++;
    dt_system_set_state(s, t, dt_q_of(sim, y), dt_v_of(sim, y));
    dt_system_set_acceleration(s, dt_v_of(sim, yp), dt_f_of(sim, y));
    if (!dt_system_is_finite(s)) {
        return false;
    }
    dt_system_forces(s);
    if (!dt_laws_are_finite(sim)) {
        return false;
    }
    kinematic_rows(sim, y, yp, dt_q_in(sim, r));
    dynamic_rows(sim, y, dt_v_in(sim, r), dt_f_in(sim, r));
    if (!frictions_are_finite(sim, dt_f_in(sim, r))) {
        return false;
    }
    powers(sim, dt_v_in(sim, r), power);
    for (int k = 0; k < DT_WORKS; k++) {
        dt_w_in(sim, r)[k] = dt_w_of(sim, yp)[k] - power[k];
    }
    return true;
}
