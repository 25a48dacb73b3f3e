/*
 * Newton's iteration as a SUNNonlinearSolver, with an exact matrix at every step.
 *
 * With the exact matrix at the predictor one iteration leaves an error of second order,
 * e <= kappa |d|^2 (Kantorovich). kappa is measured whenever a second iteration is made:
 * kappa = |d_2| / |d_1|^2. A step is taken after one iteration where kappa |d_1|^2 is well below what
 * IDA asks for; kappa is measured anew from time to time, so one residual evaluation a step is the
 * rule. No linear solver of SUNDIALS is involved.
 *
 * In a loop the velocities that follow from others are those of the loop, not the extrapolated ones. What these are off by goes into the
 * accelerations with the first correction, and a steep force makes much of it, which the second one finds and takes back:
 * that may be larger than the first, without any divergence.
 */
#include "solver/newton_iteration.h"

#include <ida/ida.h>

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
    ((dt_newton_iteration *)solver->content)->residual = residual;
    return 0;
}

/* One linear solve: d = -J^-1 r in place of r. */
static bool correct(dt_newton_iteration *it, N_Vector r, bool anew, double c)
{
    const dt_problem *problem = &it->solver->problem;
    it->counts.factorizations += anew;
    if (!problem->correct(problem->user, dt_numbers(r), anew, c)) {
        return false;
    }
    it->counts.solves++;
    return true;
}

static double rounding(const dt_newton_iteration *it, N_Vector weights, double c)
{
    const dt_problem *problem = &it->solver->problem;
    return problem->rounding(problem->user, dt_numbers(weights), c);
}

/* Whether the iteration may stop after correction number m of size `norm`. */
static bool converged(dt_newton_iteration *it, int m, double norm, double before, double noise,
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
    /* A second correction that is rounding shows no curvature. But the bound of rounding may be far above what there is:
       what is more than the tolerance allows counts as curvature, and is corrected once more. */
    const bool nothing = norm <= 4 * noise && norm <= margin * tolerance;
    const double measured = !nothing && before > 0 ? norm / (before * before) : 0;
    const double known = isfinite(it->curvature) ? it->curvature : 0;
    it->curvature = fmax(measured, m == 1 ? 0.3 * known : known);
    it->since_measured = 0;
    return norm * fmin(1, norm / before) <= margin * tolerance || (m > 1 && norm <= 4 * noise);
}

static int newton_solve(SUNNonlinearSolver solver, N_Vector y0, N_Vector correction,
                        N_Vector weights, double tolerance, dt_sunbool setup, void *ida)
{
    dt_newton_iteration *it = solver->content;
    N_Vector r = it->solver->scratch;
    double before = 0, c = 0;
    bool anew = true;
    (void)y0, (void)setup;
    IDAGetCurrentCj(it->ida, &c);
    N_VConst(0, correction);
    for (int m = 0; m < most_iterations; m++) {
        int flag = it->residual(correction, r, ida);
        if (flag != 0) {
            return flag < 0 ? flag : SUN_NLS_CONV_RECVR;
        }
        if (!correct(it, r, anew, c)) {
            break;
        }
        N_VLinearSum(1, correction, 1, r, correction);
        double norm = N_VWrmsNorm(r, weights);
        if (!isfinite(norm)) {
            break;
        }
        const double noise = m > 0 ? rounding(it, weights, c) : 0;
        if (converged(it, m, norm, before, noise, tolerance)) {
            return 0;
        }
        if (m > 1 && norm > 2 * before && norm > 4 * noise) {
            break;
        }
        anew = m == 0 || norm > refactor_rate * before;
        before = norm;
    }
    it->counts.failures++;
    it->curvature = INFINITY;
    return SUN_NLS_CONV_RECVR;
}

static int newton_free(SUNNonlinearSolver solver)
{
    if (solver) {
        SUNNonlinSolFreeEmpty(solver);
    }
    return 0;
}

SUNNonlinearSolver dt_newton_iteration_create(dt_solver *solver, void *ida, dt_newton_iteration *it)
{
    SUNNonlinearSolver nonlinear = SUNNonlinSolNewEmpty(solver->context);
    if (!nonlinear) {
        return NULL;
    }
    nonlinear->ops->gettype = newton_type;
    nonlinear->ops->setsysfn = set_residual;
    nonlinear->ops->solve = newton_solve;
    nonlinear->ops->free = newton_free;
    nonlinear->content = it;
    *it = (dt_newton_iteration){.solver = solver, .ida = ida, .curvature = INFINITY};
    return nonlinear;
}

void dt_newton_iteration_forget(dt_newton_iteration *it)
{
    it->curvature = INFINITY;
    it->since_measured = 0;
}
