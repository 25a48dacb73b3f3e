/* Loading a mechanism, and what can be asked of a finished one. Of an unfinished one every question is answered as
 * if the mechanism were empty. */

#include "model/mechanism.h"
#include "api/check.h"
#include "format/reader.h"
#include "model/builder.h"

#include <string.h>

/* The places to write to and the options, before anything is read. */
static detent_status check_load(const void *source, const char *what,
                                const detent_load_options *options, detent_mechanism **mechanism,
                                detent_error *error)
{
    detent_status status = dt_require(mechanism, "the place for the mechanism", error);
    if (status) {
        return status;
    }
    *mechanism = NULL;
    status = dt_require(source, what, error);
    if (status || !options) {
        return status;
    }
    if (options->parameter_count > 0) {
        status = dt_require(options->parameters, "the list of parameters", error);
    }
    for (size_t i = 0; i < options->parameter_count && !status; i++) {
        status = dt_require(options->parameters[i].name, "a parameter's name", error);
        if (!status) {
            status = dt_require(options->parameters[i].value, "a parameter's value", error);
        }
    }
    return status ? status : dt_require_allocator(options->allocator, error);
}

detent_status detent_mechanism_load(const char *path, const detent_load_options *options,
                                    detent_mechanism **mechanism, detent_error *error)
{
    detent_status status = check_load(path, "the path", options, mechanism, error);
    return status ? status : dt_read_mechanism_file(path, options, mechanism, error);
}

detent_status detent_mechanism_parse(const char *text, size_t length, const char *name,
                                     const detent_load_options *options,
                                     detent_mechanism **mechanism, detent_error *error)
{
    detent_status status = check_load(text, "the text", options, mechanism, error);
    return status ? status
                  : dt_read_mechanism(text, length, name ? name : "", options, mechanism, error);
}

void detent_mechanism_destroy(detent_mechanism *mechanism)
{
    dt_mechanism_delete(mechanism);
}

void detent_mechanism_get_info(const detent_mechanism *mechanism, detent_mechanism_info *info)
{
    if (!info) {
        return;
    }
    *info = (detent_mechanism_info){.name = ""};
    if (!mechanism || !mechanism->finished) {
        return;
    }
    const detent_mechanism *m = mechanism;
    *info = (detent_mechanism_info){
        .name = m->name,
        .bodies = (size_t)m->body_count,
        .joints = (size_t)m->joint_count,
        .primitives = (size_t)m->primitive_count,
        .stictions = (size_t)m->stiction_count,
        .loads = (size_t)m->load_count,
        .springs = (size_t)m->strut_count,
        .couplings = (size_t)m->transmission_count,
        .loops = (size_t)m->loop_count,
        .states = (size_t)m->state_count,
        .signals = (size_t)m->signal_count,
        .inputs = (size_t)m->input_count,
        .outputs = (size_t)m->output_count,
        .coordinates = (size_t)m->tree.nq,
        .freedoms = (size_t)m->tree.nv,
        .warnings = (size_t)m->warning_count,
        .memory = dt_arena_bytes(&m->arena),
        .settings = m->settings,
    };
}

/* How many items of a kind there are. */
static size_t item_count(const detent_mechanism *m, detent_item item)
{
    if (!m || !m->finished) {
        return 0;
    }
    switch (item) {
    case DETENT_BODY:
        return (size_t)m->body_count;
    case DETENT_JOINT:
        return (size_t)m->joint_count;
    case DETENT_PRIMITIVE:
        return (size_t)m->primitive_count;
    case DETENT_STICTION:
        return (size_t)m->stiction_count;
    case DETENT_LOAD:
        return (size_t)m->load_count;
    case DETENT_SPRING:
        return (size_t)m->strut_count;
    case DETENT_COUPLING:
        return (size_t)m->transmission_count;
    case DETENT_LOOP:
        return (size_t)m->loop_count;
    case DETENT_STATE:
        return (size_t)m->state_count;
    case DETENT_INPUT:
        return (size_t)m->input_count;
    case DETENT_OUTPUT:
        return (size_t)m->output_count;
    case DETENT_WARNING:
        return (size_t)m->warning_count;
    }
    return 0;
}

const char *detent_name(const detent_mechanism *m, detent_item item, size_t index)
{
    if (index >= item_count(m, item)) {
        return NULL;
    }
    switch (item) {
    case DETENT_BODY:
        return m->bodies[index].name;
    case DETENT_JOINT:
        return m->joints[index].name;
    case DETENT_PRIMITIVE:
        return m->primitives[index].name;
    case DETENT_STICTION:
        return m->primitives[m->stictions[index].primitive].name;
    case DETENT_LOAD:
        return m->loads[index].name;
    case DETENT_SPRING:
        return m->struts[index].name;
    case DETENT_COUPLING:
        return m->transmissions[index].name;
    case DETENT_LOOP:
        return m->joints[m->loops[index].joint].name;
    case DETENT_STATE:
        return m->states[index].name;
    case DETENT_INPUT:
        return m->inputs[index].name;
    case DETENT_OUTPUT:
        return m->outputs[index].text;
    case DETENT_WARNING:
        return m->warnings[index];
    }
    return NULL;
}

const char *detent_unit(const detent_mechanism *m, detent_item item, size_t index)
{
    if (index >= item_count(m, item)) {
        return NULL;
    }
    if (item == DETENT_OUTPUT) {
        return m->outputs[index].unit ? m->outputs[index].unit : "";
    }
    if (item == DETENT_STATE) {
        return m->states[index].unit;
    }
    if (item == DETENT_PRIMITIVE) {
        const dt_primitive_type *type = m->tree.nodes[index].type;
        return type->nv == 0 ? "" : type->rotational ? "rad" : "m";
    }
    if (item == DETENT_STICTION) {
        return m->tree.nodes[m->stictions[index].primitive].type->rotational ? "N m" : "N";
    }
    return "";
}

ptrdiff_t detent_find(const detent_mechanism *m, detent_item item, const char *name)
{
    size_t count = item_count(m, item);
    if (!name || count == 0) {
        return -1;
    }
    int primitive;
    switch (item) {
    case DETENT_BODY:
        return dt_name_map_get(&m->body_names, name);
    case DETENT_JOINT:
        return dt_name_map_get(&m->joint_names, name);
    case DETENT_PRIMITIVE:
        return dt_find_primitive(m, name);
    case DETENT_STICTION:
        primitive = dt_find_primitive(m, name);
        return primitive < 0 ? -1 : m->primitives[primitive].stiction;
    case DETENT_STATE:
        return dt_name_map_get(&m->state_names, name);
    case DETENT_INPUT:
        return dt_name_map_get(&m->input_names, name);
    default:
        break; /* few, or rarely looked for */
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(detent_name(m, item, i), name) == 0) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

detent_status detent_get_primitive(const detent_mechanism *m, size_t index,
                                   detent_primitive_info *info)
{
    if (!info || index >= item_count(m, DETENT_PRIMITIVE)) {
        return DETENT_ERROR_ARGUMENT;
    }
    const dt_primitive *primitive = &m->primitives[index];
    const dt_joint *joint = &m->joints[primitive->joint];
    const dt_node *node = &m->tree.nodes[index];
    const dt_stiction *stiction =
        primitive->stiction < 0 ? NULL : &m->stictions[primitive->stiction];
    const dt_priority *priority = dt_priority_of(m, (int)index);
    *info = (detent_primitive_info){
        .name = primitive->name,
        .type = node->type->name,
        .joint = (size_t)primitive->joint,
        .base = joint->base,
        .follower = joint->follower,
        .stiction = primitive->stiction,
        .prescribed = primitive->motion != NULL,
        .first_coordinate = (size_t)node->q,
        .coordinates = (size_t)node->type->nq,
        .first_freedom = (size_t)node->v,
        .freedoms = (size_t)node->type->nv,
        .locking = stiction ? stiction->locking : DETENT_LOCKING_CROSSING,
        .velocity_threshold = stiction ? stiction->velocity_threshold : 0.0,
        .armature = node->armature,
        .nominal_position = dt_nominal_position(m, (int)index),
        .nominal_velocity = dt_nominal_velocity(m, (int)index),
        .position_priority = priority ? priority->position : DETENT_PRIORITY_FREE,
        .velocity_priority = priority ? priority->velocity : DETENT_PRIORITY_FREE,
    };
    memcpy(info->position, m->position + node->q, (size_t)node->type->nq * sizeof *info->position);
    memcpy(info->velocity, m->velocity + node->v, (size_t)node->type->nv * sizeof *info->velocity);
    return DETENT_OK;
}
