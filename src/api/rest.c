/* Positions of rest, and what static friction holds there. */

#include "analysis/equilibrium.h"
#include "analysis/hold.h"
#include "api/analysis_handle.h"
#include "api/sized.h"
#include "dynamics/failed_call.h"

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
    detent_equilibrium_options asked = DETENT_INIT(detent_equilibrium_options);
    detent_rest found;
    dt_arena arena;
    detent_status status = dt_require(analysis, "the analysis", error);
    if (!status && options) {
        status = DT_TAKE(&asked, options, "the options of the equilibrium", error);
    }
    if (!status && rest) {
        status = dt_require_sized(rest, "the place for the rest", error);
    }
    if (status) {
        return status;
    }
    dt_arena_init(&arena, &analysis->arena.allocator);
    dt_forget_failed_call(&analysis->core.system);
    status = dt_equilibrium(&arena, &analysis->core, &asked, &found, error);
    status = dt_tell_failed_call(&analysis->core.system, status, error);
    dt_arena_free(&arena);
    if (rest) {
        DT_GIVE(rest, &found, "the place for the rest", NULL);
    }
    return status;
}

detent_status detent_hold(detent_analysis *analysis, bool *holds, double *friction, double *margin,
                          detent_error *error)
{
    dt_arena arena;
    detent_status status = dt_require(analysis, "the analysis", error);
    status = status ? status : dt_require(holds, "the place for the answer", error);
    if (status) {
        return status;
    }
    dt_arena_init(&arena, &analysis->arena.allocator);
    dt_forget_failed_call(&analysis->core.system);
    status = dt_hold(&arena, &analysis->core, holds, friction, margin, error);
    status = dt_tell_any_failed_call(&analysis->core.system, status, error);
    dt_arena_free(&arena);
    return status;
}

detent_status detent_find_hold_interval(detent_analysis *analysis, size_t input,
                                        detent_hold_interval *interval, detent_error *error)
{
    dt_arena arena;
    detent_hold_interval all = {0};
    detent_status status = dt_require(analysis, "the analysis", error);
    status = status ? status : dt_require_sized(interval, "the place for the interval", error);
    status =
        status ? status
               : dt_require_index(input, (size_t)analysis->mechanism->input_count, "input", error);
    if (status) {
        return status;
    }
    dt_arena_init(&arena, &analysis->arena.allocator);
    dt_forget_failed_call(&analysis->core.system);
    status = dt_hold_interval(&arena, &analysis->core, (int)input, &all, error);
    status = dt_tell_any_failed_call(&analysis->core.system, status, error);
    dt_arena_free(&arena);
    return status ? status : DT_GIVE(interval, &all, "the place for the interval", error);
}
