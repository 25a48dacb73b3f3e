/* Positions of rest, and what static friction holds there. */

#include "analysis/equilibrium.h"
#include "api/analysis_handle.h"

#include <math.h>

detent_status detent_analysis_set_states(detent_analysis *analysis, const double *values,
                                         detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    if (!status && analysis->mechanism->state_count > 0) {
        status = dt_require(values, "the states", error);
    }
    for (int k = 0; !status && k < analysis->mechanism->state_count; k++) {
        if (!isfinite(values[k])) {
            status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the state '%s' is not finite",
                             analysis->mechanism->states[k].name);
        }
    }
    if (!status && values) {
        memcpy(analysis->core.system.z, values,
               (size_t)analysis->mechanism->state_count * sizeof *values);
    }
    return status;
}

detent_status detent_analysis_get_states(const detent_analysis *analysis, double *values,
                                         detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    if (!status && analysis->mechanism->state_count > 0) {
        status = dt_require(values, "the place for the states", error);
    }
    if (!status && values) {
        memcpy(values, analysis->core.system.z,
               (size_t)analysis->mechanism->state_count * sizeof *values);
    }
    return status;
}

detent_status detent_equilibrium(detent_analysis *analysis,
                                 const detent_equilibrium_options *options, detent_rest *rest,
                                 detent_error *error)
{
    const detent_equilibrium_options asked = options ? *options : (detent_equilibrium_options){0};
    detent_rest found;
    dt_arena arena;
    detent_status status = dt_require(analysis, "the analysis", error);
    if (status) {
        return status;
    }
    dt_arena_init(&arena, &analysis->arena.allocator);
    status = dt_equilibrium(&arena, &analysis->core, &asked, &found, error);
    dt_arena_free(&arena);
    if (rest) {
        *rest = found;
    }
    return status;
}
