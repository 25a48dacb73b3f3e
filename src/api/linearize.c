/* Linear models of a simulation. */

#include "analysis/linearize.h"
#include "api/handle.h"
#include "api/sized.h"
#include "dynamics/failed_call.h"

/* Lives in its own arena, together with its arrays. */
typedef struct linear_model {
    detent_linearization model; /* first: what the caller holds is a pointer to it */
    dt_arena arena;
} linear_model;

void detent_linearization_destroy(detent_linearization *linearization)
{
    if (linearization) {
        dt_arena arena = ((linear_model *)(void *)linearization)->arena;
        dt_arena_free(&arena);
    }
}

/* The outputs that are asked for; NULL without an error where memory is out. */
static detent_status choose_outputs(dt_arena *arena, const detent_mechanism *m,
                                    const detent_linearize_options *options, size_t **output,
                                    detent_error *error)
{
    const size_t all = (size_t)m->output_count;
    detent_status status = DETENT_OK;
    for (size_t k = 0; k < options->output_count && options->outputs && !status; k++) {
        status = dt_require_index(options->outputs[k], all, "output", error);
    }
    const size_t count = options->outputs ? options->output_count : all;
    *output = dt_arena_alloc(arena, count, sizeof **output);
    if (!status && !*output) {
        status = dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a linear model");
    }
    for (size_t k = 0; k < count && !status; k++) {
        (*output)[k] = options->outputs ? options->outputs[k] : k;
    }
    return status;
}

detent_status detent_linearize(detent_simulation *simulation,
                               const detent_linearize_options *options,
                               detent_linearization **place, detent_error *error)
{
    detent_linearize_options asked = DETENT_INIT(detent_linearize_options);
    dt_system *system = NULL;
    size_t *output = NULL;
    dt_arena arena;
    detent_status status = dt_require(place, "the place for the linear model", error);
    if (status) {
        return status;
    }
    *place = NULL;
    status = dt_require(simulation, "the simulation", error);
    if (!status && options) {
        status = DT_TAKE(&asked, options, "the options of the linear model", error);
    }
    status = status ? status : dt_require_allocator(asked.allocator, error);
    status =
        status ? status : dt_handle_system(simulation, false, DT_LEVEL_REACTIONS, &system, error);
    if (status) {
        return status;
    }
    dt_arena_init(&arena, asked.allocator);
    linear_model *model = dt_arena_alloc(&arena, 1, sizeof *model);
    status = model ? choose_outputs(&arena, simulation->mechanism, &asked, &output, error)
                   : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a linear model");
    if (!status) {
        const size_t count =
            asked.outputs ? asked.output_count : (size_t)simulation->mechanism->output_count;
        status = dt_linearize(&arena, system, output, count, &model->model, error);
        status = dt_tell_any_failed_call(system, status, error);
    }
    if (status) {
        dt_arena_free(&arena);
        return status;
    }
    model->arena = arena;
    *place = &model->model;
    return DETENT_OK;
}

detent_status detent_linearization_get_info(const detent_linearization *n, detent_linear_info *info)
{
    if (!n) {
        return DETENT_ERROR_ARGUMENT;
    }
    const detent_linear_info all = {
        .time = n->time,
        .states = n->states,
        .inputs = n->inputs,
        .outputs = n->outputs,
        .output = n->output,
        .A = n->A,
        .B = n->B,
        .C = n->C,
        .D = n->D,
        .output_value = n->output_value,
        .shape = n->shape,
    };
    return DT_GIVE(info, &all, "the place for the description", NULL);
}

detent_status detent_linearization_get_state(const detent_linearization *n, size_t index,
                                             detent_linear_state *state)
{
    return n && index < n->states
               ? DT_GIVE(state, &n->state[index], "the place for the state", NULL)
               : DETENT_ERROR_ARGUMENT;
}

detent_status detent_linearization_get_eigenvalue(const detent_linearization *n, size_t index,
                                                  detent_eigenvalue *eigenvalue)
{
    return n && index < n->states
               ? DT_GIVE(eigenvalue, &n->eigenvalue[index], "the place for the eigenvalue", NULL)
               : DETENT_ERROR_ARGUMENT;
}
