/* Loading a mechanism, and what can be asked of a finished one as a whole. Of an unfinished one every question is answered as
 * if the mechanism were empty. */

#include "model/mechanism.h"
#include "api/check.h"
#include "dynamics/element.h"
#include "format/reader.h"
#include "model/builder.h"

#include <math.h>
#include <string.h>

static detent_status check_law(const detent_law_choice *choice, detent_error *error)
{
    detent_status status = dt_require(choice->primitive, "the joint of a friction law", error);
    status = status ? status : dt_require(choice->law, "the name of a friction law", error);
    if (!status && choice->key_count > 0) {
        status = dt_require(choice->keys, "the keys of a friction law", error);
    }
    for (size_t k = 0; k < choice->key_count && !status; k++) {
        status = dt_require(choice->keys[k].name, "the name of a key", error);
        status = status ? status : dt_require(choice->keys[k].value, "the value of a key", error);
    }
    return status || (choice->velocity >= 0 && choice->stretch >= 0 && isfinite(choice->velocity) &&
                      isfinite(choice->stretch))
               ? status
               : dt_fail(
                     error, DETENT_ERROR_ARGUMENT, NULL,
                     "friction law of '%s': 'velocity' and 'stretch' are finite and not negative",
                     choice->primitive);
}

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
    if (!status && options->tunable_count > 0) {
        status = dt_require(options->tunable, "the list of tunable parameters", error);
    }
    if (!status && options->law_count > 0) {
        status = dt_require(options->laws, "the list of friction laws", error);
    }
    for (size_t i = 0; i < options->law_count && !status; i++) {
        status = check_law(&options->laws[i], error);
    }
    return status ? status : dt_require_allocator(options->allocator, error);
}

detent_status detent_mechanism_load(const char *path, const detent_load_options *options,
                                    detent_mechanism **mechanism, detent_error *error)
{
    detent_status status = check_load(path, "the path", options, mechanism, error);
    return status ? status
                  : dt_read_mechanism_file(path, &dt_element_items, options, mechanism, error);
}

detent_status detent_mechanism_parse(const char *text, size_t length, const char *name,
                                     const detent_load_options *options,
                                     detent_mechanism **mechanism, detent_error *error)
{
    detent_status status = check_load(text, "the text", options, mechanism, error);
    return status ? status
                  : dt_read_mechanism(text, length, name ? name : "", &dt_element_items, options,
                                      mechanism, error);
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
        .springs = detent_count(m, DETENT_SPRING),
        .couplings = (size_t)m->coupling_count,
        .meshes = (size_t)m->mesh_count,
        .ties = (size_t)dt_tie_rows(m),
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
        .interval_is_given = m->interval_is_given,
    };
}

detent_status detent_get_primitive(const detent_mechanism *m, size_t index,
                                   detent_primitive_info *info)
{
    if (!info || index >= detent_count(m, DETENT_PRIMITIVE)) {
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
        .locking = stiction ? stiction->friction->locking : DETENT_LOCKING_CROSSING,
        .velocity_threshold = stiction ? stiction->friction->velocity_threshold : 0.0,
        .armature = node->armature,
        .nominal_position = dt_nominal_position(m, (int)index),
        .nominal_velocity = dt_nominal_velocity(m, (int)index),
        .position_priority = priority ? priority->position : DETENT_PRIORITY_FREE,
        .velocity_priority = priority ? priority->velocity : DETENT_PRIORITY_FREE,
        .stop = {stiction && stiction->stops ? stiction->stops->at[0] : -INFINITY,
                 stiction && stiction->stops ? stiction->stops->at[1] : INFINITY},
    };
    memcpy(info->position, m->position + node->q, (size_t)node->type->nq * sizeof *info->position);
    memcpy(info->velocity, m->velocity + node->v, (size_t)node->type->nv * sizeof *info->velocity);
    return DETENT_OK;
}
