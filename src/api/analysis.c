/* A mechanism at a state of the caller's choice. */

#include "analysis/inverse.h"
#include "api/analysis_handle.h"
#include "dynamics/failed_call.h"

#include <math.h>

detent_status detent_analysis_create(const detent_mechanism *mechanism,
                                     const detent_allocator *allocator, detent_analysis **place,
                                     detent_error *error)
{
    detent_status status = dt_require(place, "the place for the analysis", error);
    if (status) {
        return status;
    }
    *place = NULL;
    status = dt_require_finished(mechanism, error);
    status = status ? status : dt_require_allocator(allocator, error);
    if (status) {
        return status;
    }
    dt_arena arena;
    dt_arena_init(&arena, allocator);
    detent_analysis *analysis = dt_arena_alloc(&arena, 1, sizeof *analysis);
    if (!analysis) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
    }
    analysis->arena = arena; /* from here on the analysis holds itself */
    analysis->mechanism = mechanism;
    analysis->a = dt_arena_alloc(&analysis->arena, (size_t)mechanism->tree.nv, sizeof *analysis->a);
    status = analysis->a
                 ? dt_analysis_create(&analysis->arena, mechanism, &analysis->core, error)
                 : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an analysis");
    if (analysis->core.system.failed) {
        status = dt_tell_failed_call(&analysis->core.system, status, error);
    }
    if (status) {
        detent_analysis_destroy(analysis);
        return status;
    }
    *place = analysis;
    return DETENT_OK;
}

void detent_analysis_destroy(detent_analysis *analysis)
{
    if (analysis) {
        dt_arena arena = analysis->arena; /* the analysis itself lives in there */
        dt_arena_free(&arena);
    }
}

detent_status detent_analysis_set_input(detent_analysis *analysis, size_t input, double value,
                                        detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    status =
        status ? status
               : dt_require_index(input, (size_t)analysis->mechanism->input_count, "input", error);
    if (!status && !isfinite(value)) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "input '%s': the value is not finite",
                         analysis->mechanism->inputs[input].name);
    }
    if (!status) {
        dt_system *s = &analysis->core.system;
        s->inputs[input] = value;
        dt_system_set_state(s, s->time, s->q, s->v); /* gravity may read it */
    }
    return status;
}

/* ---- states ---- */

/* Positions of a primitive are numbers, and no quaternion is zero. */
static detent_status check_position(const detent_mechanism *m, int i, const double *q,
                                    detent_error *error)
{
    const dt_node *node = &m->tree.nodes[i];
    double sum = 0;
    for (int k = 0; k < node->type->nq; k++) {
        sum += q[node->q + k] * q[node->q + k];
    }
    if (isfinite(sum) && (sum > 0 || node->type->nq == node->type->nv)) {
        return DETENT_OK;
    }
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the position of '%s' is %s",
                   m->primitives[i].name, isfinite(sum) ? "a quaternion of zeros" : "not finite");
}

static detent_status check_freedoms(const detent_mechanism *m, const double *values,
                                    const char *what, detent_error *error)
{
    for (int i = 0; i < m->tree.node_count && values; i++) {
        const dt_node *node = &m->tree.nodes[i];
        for (int j = 0; j < node->type->nv; j++) {
            if (!isfinite(values[node->v + j])) {
                return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the %s of '%s' is not finite",
                               what, m->primitives[i].name);
            }
        }
    }
    return DETENT_OK;
}

detent_status detent_analysis_set_state(detent_analysis *analysis, double t,
                                        const double *positions, const double *velocities,
                                        const bool *given, detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    if (!status && !isfinite(t)) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the time is not finite");
    }
    if (!status && analysis->mechanism->tree.nq > 0) {
        status = dt_require(positions, "the positions", error);
    }
    for (int i = 0; !status && i < analysis->mechanism->tree.node_count; i++) {
        status = check_position(analysis->mechanism, i, positions, error);
    }
    if (!status) {
        status = check_freedoms(analysis->mechanism, velocities, "velocity", error);
    }
    return status ? status
                  : dt_analysis_set_state(&analysis->core, t, positions, velocities, given, error);
}

detent_status detent_analysis_get_state(const detent_analysis *analysis, double *t,
                                        double *positions, double *velocities, detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    if (status) {
        return status;
    }
    const dt_system *s = &analysis->core.system;
    if (t) {
        *t = s->time;
    }
    if (positions) {
        memcpy(positions, s->q, (size_t)s->tree->nq * sizeof *positions);
    }
    if (velocities) {
        memcpy(velocities, s->v, (size_t)s->tree->nv * sizeof *velocities);
    }
    return DETENT_OK;
}

/* ---- inverse dynamics ---- */

detent_status detent_inverse(detent_analysis *analysis, const double *accelerations,
                             const bool *driven, double *low, double *high, detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    if (!status && analysis->mechanism->tree.nv > 0) {
        status = dt_require(accelerations, "the accelerations", error);
        status = status ? status : dt_require(low, "the place for the lower forces", error);
        status = status ? status : dt_require(high, "the place for the upper forces", error);
        status = status ? status
                        : check_freedoms(analysis->mechanism, accelerations, "acceleration", error);
    }
    if (status) {
        return status;
    }
    memcpy(analysis->a, accelerations, (size_t)analysis->mechanism->tree.nv * sizeof *analysis->a);
    dt_forget_failed_call(&analysis->core.system);
    status = dt_inverse(&analysis->core, analysis->a, driven, low, high, error);
    return dt_tell_any_failed_call(&analysis->core.system, status, error);
}
