/*
 * Newton's iteration as a SUNNonlinearSolver, with an exact matrix at every step.
 *
 * With the exact matrix at the predictor one iteration leaves an error of second order, e <= kappa
 * |d|^2 (Kantorovich).
 * kappa is measured whenever a second iteration is made: kappa = |d_2| / |d_1|^2. A step is taken
 * after one iteration
 * where kappa |d_1|^2 is well below what IDA asks for; kappa is measured anew from time to time, so
 * one residual
 * evaluation a step is the rule. No linear solver of SUNDIALS is involved.
 */
#include "integrator/core.h"

#include <ida/ida.h>

#include <float.h>
#include <math.h>

static const int most_iterations = 5;
static const int measure_every = 25; /* steps */
static const double margin = 0.1;    /* of the tolerance that IDA asks for */
static const double refactor_rate = 0.01;

static SUNNonlinearSolver_Type newton_type(SUNNonlinearSolver solver)
{
    (void)solver;
    return SUNNONLINEARSOLVER_ROOTFIND;
}

static int set_residual(SUNNonlinearSolver solver, SUNNonlinSolSysFn residual)
{
    ((dt_simulation *)solver->content)->iteration.residual = residual;
    return 0;
}

/**
 * One linear solve: d = -J^-1 r, with the powers of friction followed exactly enough for its work.
 */
static bool newton_step(dt_simulation *sim, N_Vector r, bool factor, double c)
{
    dt_system *s = sim->core;
    double *d = N_VGetArrayPointer(r), *d_w = dt_w_of(sim, r);
    if (factor) {
        sim->iteration.factorizations++;
        if (dt_newton_factor(sim->core_newton, s, DT_NEWTON_STEP, c, &sim->trial) != DETENT_OK) {
            return false;
        }
    }
    sim->iteration.solves++;
    dt_newton_solve(sim->core_newton, s, d, dt_v_of(sim, r), dt_f_of(sim, r), d, dt_v_of(sim, r),
                    dt_f_of(sim, r));
    double friction = 0;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int j = s->tree->nodes[s->mechanism->stictions[k].primitive].v;
        friction += dt_f_of(sim, r)[k] * s->v[j] + s->f[k] * dt_v_of(sim, r)[j];
    }
    for (int k = 0; k < DT_WORKS; k++) {
        d_w[k] = (-d_w[k] + (k == DT_WORK_FRICTION ? friction : 0)) / c;
    }
    return true;
}

/**
 * Weighted norm of what rounding does to a correction: q' = c q + ... carries c times the rounding of q,
 * and v takes it over.
 */
static double rounding(const dt_simulation *sim, N_Vector weights, double c)
{
    const dt_system *s = sim->core;
    const double *wq = dt_q_of(sim, weights), *wv = dt_v_of(sim, weights);
    double sum = 0;
    for (int i = 0; i < s->tree->node_count; i++) {
        const dt_node *node = &s->tree->nodes[i];
        double q = 0;
        if (!dt_moves(s, i)) {
            continue;
        }
        for (int k = node->q; k < node->q + node->type->nq; k++) {
            q = fmax(q, fabs(s->q[k]));
            sum += wq[k] * wq[k] * s->q[k] * s->q[k];
        }
        for (int k = node->v; k < node->v + node->type->nv; k++) {
            const double v = wv[k] * (fabs(s->v[k]) + c * q);
            sum += v * v;
        }
    }
    return DBL_EPSILON * sqrt(sum / sim->order);
}

/** Whether the iteration may stop after correction number m of size `norm`. */
static bool converged(dt_iteration *it, int m, double norm, double before, double noise,
                      double tolerance)
{
    if (m == 0) {
        it->since_measured++;
        if (norm < 1e-3 * margin * tolerance) {
            return true;
        }
        return it->since_measured < measure_every &&
               it->curvature * norm * norm <= margin * tolerance;
    }
    /* a second correction at the level of rounding shows no curvature */
    const double measured = norm > 4 * noise && before > 0 ? norm / (before * before) : 0;
    const double known = isfinite(it->curvature) ? it->curvature : 0;
    it->curvature = fmax(measured, m == 1 ? 0.3 * known : known);
    it->since_measured = 0;
    return norm * fmin(1, norm / before) <= margin * tolerance || norm <= 4 * noise;
}

static int newton_solve(SUNNonlinearSolver solver, N_Vector y0, N_Vector correction,
                        N_Vector weights, double tolerance, dt_sunbool setup, void *ida)
{
    dt_simulation *sim = solver->content;
    N_Vector r = sim->scratch;
    double before = 0, c = 0;
    bool factor = true;
    (void)y0, (void)setup;
    IDAGetCurrentCj(sim->memory[DT_STEPPER_IDA], &c);
    N_VConst(0, correction);
    for (int m = 0; m < most_iterations; m++) {
        int flag = sim->iteration.residual(correction, r, ida);
        if (flag != 0) {
            return flag < 0 ? flag : SUN_NLS_CONV_RECVR;
        }
        if (!newton_step(sim, r, factor, c)) {
            break;
        }
        N_VLinearSum(1, correction, 1, r, correction);
        double norm = N_VWrmsNorm(r, weights);
        if (!isfinite(norm)) {
            break;
        }
        if (converged(&sim->iteration, m, norm, before, m > 0 ? rounding(sim, weights, c) : 0,
                      tolerance)) {
            return 0;
        }
        if (m > 0 && norm > 2 * before) {
            break;
        }
        factor = m == 0 || norm > refactor_rate * before;
        before = norm;
    }
    sim->iteration.failures++;
    sim->iteration.curvature = INFINITY;
    return SUN_NLS_CONV_RECVR;
}

static int newton_free(SUNNonlinearSolver solver)
{
    if (solver) {
        SUNNonlinSolFreeEmpty(solver);
    }
    return 0;
}

SUNNonlinearSolver dt_newton_iteration_create(dt_simulation *sim)
{
    SUNNonlinearSolver solver = SUNNonlinSolNewEmpty(sim->context);
    if (!solver) {
        return NULL;
    }
    solver->ops->gettype = newton_type;
    solver->ops->setsysfn = set_residual;
    solver->ops->solve = newton_solve;
    solver->ops->free = newton_free;
    solver->content = sim;
    sim->iteration.curvature = INFINITY;
    return solver;
}
