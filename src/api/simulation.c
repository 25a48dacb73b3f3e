/* A simulation from creation to destruction. */

#include "api/handle.h"
#include "api/sized.h"
#include "model/builder.h"
#ifdef DETENT_REDUCTION
#include "reduce/reduce.h"
#endif

#include <math.h>

const dt_reduction_way *dt_reduction_of_build(void)
{
#ifdef DETENT_REDUCTION
    return &dt_reduction_welding;
#else
    return NULL;
#endif
}

/* Settings that the caller gave, with defaults filled in; those of the mechanism need no check. What
 * would be a bad mechanism in a file is a bad argument here. */
static detent_status complete_settings(const detent_mechanism *mechanism,
                                       const detent_simulation_options *options,
                                       detent_settings *settings, detent_error *error)
{
    if (!options->settings) {
        *settings = mechanism->settings;
        return DETENT_OK;
    }
    detent_status status = DT_TAKE(settings, options->settings, "the settings", error);
    status = status ? status : dt_settings_complete(settings, NULL, NULL, error);
    if (!status) {
        status = dt_settings_check_thresholds(settings, mechanism, error);
    }
    if (status == DETENT_ERROR_MODEL) {
        status = DETENT_ERROR_ARGUMENT;
        if (error) {
            error->status = status;
        }
    }
    return status;
}

/* Registers and slots for the longest output. */
static bool create_workspace(detent_simulation *simulation)
{
    size_t registers = 0, slots = 0;
    for (int i = 0; i < simulation->mechanism->output_count; i++) {
        const dt_program *program = simulation->mechanism->outputs[i].program;
        size_t need = DT_PROGRAM_REGISTERS(program);
        registers = need > registers ? need : registers;
        slots = (size_t)program->variable_count > slots ? (size_t)program->variable_count : slots;
    }
    simulation->registers = dt_arena_alloc(&simulation->arena, registers, sizeof(double));
    simulation->slots = dt_arena_alloc(&simulation->arena, slots, sizeof(double));
    return simulation->registers && simulation->slots;
}

static detent_simulation *create_handle(const detent_mechanism *mechanism,
                                        const detent_allocator *allocator)
{
    dt_arena arena;
    dt_arena_init(&arena, allocator);
    detent_simulation *simulation = dt_arena_alloc(&arena, 1, sizeof *simulation);
    if (!simulation) {
        return NULL;
    }
    simulation->arena = arena; /* from here on the simulation holds itself */
    simulation->mechanism = mechanism;
    dt_arena_init(&simulation->core_arena[0], allocator);
    if (!create_workspace(simulation)) {
        detent_simulation_destroy(simulation);
        return NULL;
    }
    return simulation;
}

detent_status detent_simulation_create(const detent_mechanism *mechanism,
                                       const detent_simulation_options *options,
                                       detent_simulation **place, detent_error *error)
{
    detent_status status = dt_require(place, "the place for the simulation", error);
    if (status) {
        return status;
    }
    *place = NULL;
    detent_simulation_options asked = DETENT_INIT(detent_simulation_options);
    detent_settings settings;
    status = dt_require_finished(mechanism, error);
    if (!status && options) {
        status = DT_TAKE(&asked, options, "the options of the simulation", error);
    }
    if (!status) {
        status = dt_require_allocator(asked.allocator, error);
    }
    if (!status) {
        status = complete_settings(mechanism, &asked, &settings, error);
    }
    if (status) {
        return status;
    }
    asked.settings = &settings;
    detent_simulation *simulation = create_handle(mechanism, asked.allocator);
    if (!simulation) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for a simulation");
    }
    status = dt_simulation_create(&simulation->core_arena[0], mechanism, &asked,
                                  dt_reduction_of_build(), &simulation->core, error);
    if (status) {
        detent_simulation_destroy(simulation);
        return status;
    }
    *place = simulation;
    return DETENT_OK;
}

void detent_simulation_destroy(detent_simulation *simulation)
{
    if (simulation) {
        dt_simulation_destroy(simulation->core);
        dt_arena_free(&simulation->core_arena[simulation->home]);
        dt_arena arena = simulation->arena; /* the simulation itself lives in there */
        dt_arena_free(&arena);
    }
}

detent_status detent_advance(detent_simulation *simulation, double t, bool stop_at_events,
                             detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (status) {
        return status;
    }
    double now = dt_simulation_time(simulation->core);
    if (!isfinite(t) || t < now) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "cannot advance to t = %.17g s: the time is %.17g s", t, now);
    }
    status = dt_simulation_advance(simulation->core, t, stop_at_events, error);
    simulation->after_event = status == DETENT_EVENT;
    return status;
}

detent_status detent_step(detent_simulation *simulation, detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (status) {
        return status;
    }
    simulation->after_event = false;
    return dt_simulation_step(simulation->core, error);
}

double detent_time(const detent_simulation *simulation)
{
    return simulation ? dt_simulation_time(simulation->core) : (double)NAN;
}

size_t detent_mode_change_count(const detent_simulation *simulation)
{
    return simulation ? dt_simulation_mode_changes(simulation->core) : 0;
}

detent_status detent_get_mode_change(const detent_simulation *simulation, size_t index,
                                     detent_mode_change *change)
{
    if (index >= detent_mode_change_count(simulation)) {
        return DETENT_ERROR_ARGUMENT;
    }
    const detent_mode_change found = dt_simulation_mode_change(simulation->core, index);
    return DT_GIVE(change, &found, "the place for the change", NULL);
}

size_t detent_state_change_count(const detent_simulation *simulation)
{
    size_t count = 0;
    if (simulation) {
        dt_simulation_last_states(simulation->core, &count);
    }
    return count;
}

detent_status detent_get_state_change(const detent_simulation *simulation, size_t index,
                                      detent_state_change *change)
{
    size_t count = 0;
    const detent_state_change *all =
        simulation ? dt_simulation_last_states(simulation->core, &count) : NULL;
    return index < count ? DT_GIVE(change, &all[index], "the place for the change", NULL)
                         : DETENT_ERROR_ARGUMENT;
}

detent_status detent_get_statistics(detent_simulation *simulation, detent_statistics *statistics)
{
    detent_status status = dt_require(simulation, "the simulation", NULL);
    status = status ? status : dt_require_sized(statistics, "the place for the statistics", NULL);
    if (status) {
        return status;
    }
    detent_statistics all = {0};
    dt_simulation_statistics(simulation->core, &all);
    all.memory = dt_arena_bytes(&simulation->arena) +
                 dt_arena_bytes(&simulation->core_arena[simulation->home]);
    return DT_GIVE(statistics, &all, "the place for the statistics", NULL);
}

const char *detent_simulation_warning(const detent_simulation *simulation, size_t index)
{
    return simulation ? dt_simulation_warning(simulation->core, index) : NULL;
}

detent_status detent_get_mobility(const detent_simulation *simulation, detent_mobility *mobility,
                                  detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    status = status ? status : dt_require_sized(mobility, "the place for the mobility", error);
    if (status) {
        return status;
    }
    detent_mobility all = {0};
    dt_simulation_mobility(simulation->core, &all);
    return DT_GIVE(mobility, &all, "the place for the mobility", error);
}

detent_status detent_get_mesh(const detent_simulation *simulation, size_t index, detent_mesh *mesh,
                              detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    status = status ? status : dt_require_sized(mesh, "the place for the mesh", error);
    if (!status) {
        status = dt_require_index(index, (size_t)simulation->mechanism->mesh_count, "mesh", error);
    }
    if (status) {
        return status;
    }
    detent_mesh all = {0};
    dt_simulation_mesh(simulation->core, index, &all);
    return DT_GIVE(mesh, &all, "the place for the mesh", error);
}

detent_status detent_get_scale(const detent_simulation *simulation, size_t primitive,
                               detent_scale *scale, detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    status = status ? status : dt_require_sized(scale, "the place for the scale", error);
    if (!status) {
        status = dt_require_index(primitive, (size_t)simulation->mechanism->primitive_count,
                                  "primitive", error);
    }
    if (status) {
        return status;
    }
    detent_scale all = {0};
    dt_simulation_scale(simulation->core, primitive, &all);
    return DT_GIVE(scale, &all, "the place for the scale", error);
}

detent_status detent_set_input(detent_simulation *simulation, size_t input, double value,
                               detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (!status) {
        status =
            dt_require_index(input, (size_t)simulation->mechanism->input_count, "input", error);
    }
    if (status) {
        return status;
    }
    if (!isfinite(value)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "input '%s': the value is not finite",
                       simulation->mechanism->inputs[input].name);
    }
    dt_simulation_set_input(simulation->core, input, value);
    simulation->after_event = false;
    return DETENT_OK;
}
