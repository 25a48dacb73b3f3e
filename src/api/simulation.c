/* A simulation from creation to destruction, and its state as bytes.
 *
 * Saved bytes are a head that says which build and what mechanism they are from, and the integrator's own bytes. A
 * check sum stands guard over the latter: they are believed afterwards. */

#include "api/handle.h"
#include "model/builder.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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
    *settings = *options->settings;
    detent_status status = dt_settings_complete(settings, NULL, NULL, error);
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
    detent_simulation_options asked = options ? *options : (detent_simulation_options){0};
    detent_settings settings;
    status = dt_require_finished(mechanism, error);
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
    status = dt_simulation_create(&simulation->arena, mechanism, &asked, &simulation->core, error);
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

double detent_time(const detent_simulation *simulation)
{
    return simulation ? dt_simulation_time(simulation->core) : (double)NAN;
}

const detent_mode_change *detent_last_event(const detent_simulation *simulation, size_t *count)
{
    size_t ignored;
    size_t *place = count ? count : &ignored;
    *place = 0;
    return simulation ? dt_simulation_last_event(simulation->core, place) : NULL;
}

void detent_get_statistics(detent_simulation *simulation, detent_statistics *statistics)
{
    if (!statistics) {
        return;
    }
    *statistics = (detent_statistics){0};
    if (simulation) {
        dt_simulation_statistics(simulation->core, statistics);
        statistics->memory = dt_arena_bytes(&simulation->arena);
    }
}

detent_status detent_get_scale(const detent_simulation *simulation, size_t primitive,
                               detent_scale *scale, detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (!status) {
        status = dt_require(scale, "the place of the scale", error);
    }
    if (!status) {
        status = dt_require_index(primitive, (size_t)simulation->mechanism->primitive_count,
                                  "primitive", error);
    }
    if (!status) {
        dt_simulation_scale(simulation->core, primitive, scale);
    }
    return status;
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

/* ---- the state as bytes ---- */

typedef struct state_head {
    char magic[8];
    uint64_t size; /* of the whole */
    uint64_t coordinates, freedoms, stictions, inputs;
    uint64_t sum; /* of the bytes behind the head */
} state_head;

static const char state_magic[8] = "detent1";

/* FNV-1a. */
static uint64_t check_sum(const unsigned char *bytes, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * 1099511628211u;
    }
    return sum;
}

static state_head expected_head(const detent_simulation *simulation)
{
    const detent_mechanism *m = simulation->mechanism;
    state_head head = {
        .size = detent_state_size(simulation),
        .coordinates = (uint64_t)m->tree.nq,
        .freedoms = (uint64_t)m->tree.nv,
        .stictions = (uint64_t)m->stiction_count,
        .inputs = (uint64_t)m->input_count,
    };
    memcpy(head.magic, state_magic, sizeof head.magic);
    return head;
}

size_t detent_state_size(const detent_simulation *simulation)
{
    return simulation ? sizeof(state_head) + dt_simulation_state_size(simulation->core) : 0;
}

static detent_status require_bytes(const detent_simulation *simulation, const void *bytes,
                                   size_t size, detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (!status) {
        status = dt_require(bytes, "the place of the bytes", error);
    }
    return status ? status : dt_require_count(size, detent_state_size(simulation), "bytes", error);
}

detent_status detent_save_state(detent_simulation *simulation, void *bytes, size_t size,
                                detent_error *error)
{
    detent_status status = require_bytes(simulation, bytes, size, error);
    if (status) {
        return status;
    }
    state_head head = expected_head(simulation);
    unsigned char *body = (unsigned char *)bytes + sizeof head;
    status = dt_simulation_save(simulation->core, body, error);
    if (status) {
        return status;
    }
    head.sum = check_sum(body, size - sizeof head);
    memcpy(bytes, &head, sizeof head);
    return DETENT_OK;
}

detent_status detent_restore_state(detent_simulation *simulation, const void *bytes, size_t size,
                                   detent_error *error)
{
    detent_status status = require_bytes(simulation, bytes, size, error);
    if (status) {
        return status;
    }
    const unsigned char *body = (const unsigned char *)bytes + sizeof(state_head);
    state_head head = expected_head(simulation), given;
    memcpy(&given, bytes, sizeof given);
    head.sum = check_sum(body, size - sizeof head);
    if (memcmp(&given, &head, sizeof head) != 0) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "the bytes are not a state that was saved from this mechanism");
    }
    simulation->after_event = false;
    return dt_simulation_restore(simulation->core, body, error);
}
