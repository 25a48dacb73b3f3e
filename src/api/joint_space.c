/* Matrices of the equation of motion, at the state of an analysis. */

#include "analysis/joint_space.h"
#include "api/analysis_handle.h"
#include "api/handle.h"

#include <string.h>

static detent_status require(const detent_analysis *analysis, const void *place,
                             detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    return status ? status : dt_require(place, "the place for the values", error);
}

static detent_status answer(bool done, dt_arena *arena, detent_error *error)
{
    dt_arena_free(arena);
    return done ? DETENT_OK
                : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for matrices");
}

detent_status detent_mass_matrix(detent_analysis *analysis, double *M, detent_error *error)
{
    const detent_status status = require(analysis, M, error);
    if (status) {
        return status;
    }
    dt_arena arena;
    dt_arena_init(&arena, &analysis->arena.allocator);
    return answer(dt_joint_space_mass(&arena, &analysis->core.system, M), &arena, error);
}

static detent_status inverse(detent_analysis *analysis, const double *a, bool moving, double *tau,
                             detent_error *error)
{
    const detent_status status = require(analysis, tau, error);
    if (status) {
        return status;
    }
    dt_arena arena;
    dt_arena_init(&arena, &analysis->arena.allocator);
    return answer(dt_joint_space_inverse(&arena, &analysis->core.system, a, moving, tau), &arena,
                  error);
}

detent_status detent_bias_forces(detent_analysis *analysis, double *forces, detent_error *error)
{
    return inverse(analysis, NULL, true, forces, error);
}

detent_status detent_gravity_forces(detent_analysis *analysis, double *forces, detent_error *error)
{
    return inverse(analysis, NULL, false, forces, error);
}

detent_status detent_inverse_dynamics(detent_analysis *analysis, const double *accelerations,
                                      double *forces, detent_error *error)
{
    const detent_status status = dt_require(accelerations, "the accelerations", error);
    return status ? status : inverse(analysis, accelerations, true, forces, error);
}

static detent_status require_body(const detent_analysis *analysis, size_t body, const double *point,
                                  const void *place, detent_error *error)
{
    detent_status status = require(analysis, place, error);
    status = status ? status : dt_require(point, "the point", error);
    return status ? status
                  : dt_require_index(body, (size_t)analysis->mechanism->body_count, "body", error);
}

detent_status detent_body_jacobian(detent_analysis *analysis, size_t body, const double point[3],
                                   double *J, detent_error *error)
{
    const detent_status status = require_body(analysis, body, point, J, error);
    if (!status) {
        dt_joint_space_jacobian(&analysis->core.system, (int)body, point, J);
    }
    return status;
}

detent_status detent_body_jacobian_rate(detent_analysis *analysis, size_t body,
                                        const double point[3], double rate[6], detent_error *error)
{
    const detent_status status = require_body(analysis, body, point, rate, error);
    if (!status) {
        dt_joint_space_jacobian_rate(&analysis->core.system, (int)body, point, rate);
    }
    return status;
}

detent_status detent_analysis_take_state(detent_analysis *analysis, detent_simulation *simulation,
                                         detent_error *error)
{
    dt_system *now = NULL;
    detent_status status = dt_require(analysis, "the analysis", error);
    status = status ? status : dt_require(simulation, "the simulation", error);
    if (!status && simulation->mechanism != analysis->mechanism) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "the simulation and the analysis are of different mechanisms");
    }
    status = status ? status : dt_handle_system(simulation, false, DT_LEVEL_STATE, &now, error);
    if (status) {
        return status;
    }
    dt_system *s = &analysis->core.system;
    const detent_mechanism *m = analysis->mechanism;
    memcpy(s->inputs, now->inputs, (size_t)dt_given_count(m) * sizeof *s->inputs);
    memcpy(s->z, now->z, (size_t)m->state_count * sizeof *s->z);
    return dt_analysis_set_state(&analysis->core, now->time, now->q, now->v, NULL, error);
}
