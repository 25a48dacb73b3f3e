/* Loading a mechanism, and what can be asked of a finished one as a whole. Of an unfinished one every question is answered as
 * if the mechanism were empty. */

#include "model/mechanism.h"
#include "api/check.h"
#include "api/function.h"
#include "api/sized.h"
#include "dynamics/element.h"
#include "format/reader.h"
#include "math/rotation.h"
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

/* The friction laws that are chosen, into `arena`. */
static detent_status take_laws(dt_arena *arena, detent_load_options *options, detent_error *error)
{
    const size_t count = options->law_count;
    if (count == 0) {
        return DETENT_OK;
    }
    detent_status status = dt_require(options->laws, "the list of friction laws", error);
    detent_law_choice *law = dt_arena_alloc(arena, count, sizeof *law);
    const detent_law_choice **list = dt_arena_alloc(arena, count, sizeof *list);
    if (!status && (!law || !list)) {
        status = dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for friction laws");
    }
    for (size_t i = 0; i < count && !status; i++) {
        status = DT_TAKE(&law[i], options->laws[i], "the choice of a friction law", error);
        status = status ? status : check_law(&law[i], error);
        if (!status) {
            list[i] = &law[i];
        }
    }
    options->laws = list;
    return status;
}

/* The functions of the program, into `arena`. */
static detent_status take_functions(dt_arena *arena, detent_load_options *options,
                                    detent_error *error)
{
    const size_t count = options->function_count;
    if (count == 0) {
        return DETENT_OK;
    }
    detent_status status = dt_require(options->functions, "the list of functions", error);
    detent_function_def *own = dt_arena_alloc(arena, count, sizeof *own);
    const detent_function_def **list = dt_arena_alloc(arena, count, sizeof *list);
    if (!status && (!own || !list)) {
        status = dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for functions");
    }
    for (size_t i = 0; i < count && !status; i++) {
        status = dt_take_function(&own[i], options->functions[i], error);
        list[i] = &own[i];
    }
    options->functions = list;
    return status;
}

static detent_status check_parameters(const detent_load_options *options, detent_error *error)
{
    detent_status status = DETENT_OK;
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
    return status;
}

/* What is to be read, and how: before anything is read. */
typedef struct loading {
    detent_load_options options;
    dt_arena arena; /* of what the options list */
} loading;

/* The places to write to and the options. `l` is to be freed, whatever comes out. */
static detent_status begin_loading(loading *l, const void *source, const char *what,
                                   const detent_load_options *given, detent_mechanism **mechanism,
                                   detent_error *error)
{
    *l = (loading){.options.size = sizeof l->options};
    dt_arena_init(&l->arena, NULL);
    detent_status status = dt_require(mechanism, "the place for the mechanism", error);
    if (status) {
        return status;
    }
    *mechanism = NULL;
    status = dt_require(source, what, error);
    if (status || !given) {
        return status;
    }
    status = DT_TAKE(&l->options, given, "the options of loading", error);
    status = status ? status : dt_require_allocator(l->options.allocator, error);
    status = status ? status : check_parameters(&l->options, error);
    if (!status) {
        dt_arena_init(&l->arena, l->options.allocator);
        status = take_laws(&l->arena, &l->options, error);
        status = status ? status : take_functions(&l->arena, &l->options, error);
    }
    return status;
}

detent_status detent_mechanism_load(const char *path, const detent_load_options *options,
                                    detent_mechanism **mechanism, detent_error *error)
{
    loading l;
    detent_status status = begin_loading(&l, path, "the path", options, mechanism, error);
    if (!status) {
        status = dt_read_mechanism_file(path, &dt_element_items, &l.options, mechanism, error);
    }
    dt_arena_free(&l.arena);
    return status;
}

detent_status detent_mechanism_parse(const char *text, size_t length, const char *name,
                                     const detent_load_options *options,
                                     detent_mechanism **mechanism, detent_error *error)
{
    loading l;
    detent_status status = begin_loading(&l, text, "the text", options, mechanism, error);
    if (!status) {
        status = dt_read_mechanism(text, length, name ? name : "", &dt_element_items, &l.options,
                                   mechanism, error);
    }
    dt_arena_free(&l.arena);
    return status;
}

void detent_mechanism_destroy(detent_mechanism *mechanism)
{
    dt_mechanism_delete(mechanism);
}

detent_status detent_mechanism_get_info(const detent_mechanism *m, detent_mechanism_info *info)
{
    const detent_mechanism_info none = {.name = ""};
    if (!m || !m->finished) {
        return DT_GIVE(info, &none, "the place for the description", NULL);
    }
    const detent_mechanism_info all = {
        .name = m->name,
        .bodies = (size_t)m->body_count,
        .shapes = (size_t)m->shape_count,
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
        .interval_is_given = m->interval_is_given,
        .fingerprint = (unsigned long long)m->fingerprint,
    };
    return DT_GIVE(info, &all, "the place for the description", NULL);
}

detent_status detent_mechanism_get_settings(const detent_mechanism *m, detent_settings *settings)
{
    const detent_status status = dt_require_finished(m, NULL);
    return status ? status : DT_GIVE(settings, &m->settings, "the place for the settings", NULL);
}

detent_status detent_get_primitive(const detent_mechanism *m, size_t index,
                                   detent_primitive_info *info)
{
    if (index >= detent_count(m, DETENT_PRIMITIVE)) {
        return DETENT_ERROR_ARGUMENT;
    }
    const dt_primitive *primitive = &m->primitives[index];
    const dt_joint *joint = &m->joints[primitive->joint];
    const dt_node *node = &m->tree.nodes[index];
    const dt_stiction *stiction =
        primitive->stiction < 0 ? NULL : &m->stictions[primitive->stiction];
    const dt_priority *priority = dt_priority_of(m, (int)index);
    detent_primitive_info all = {
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
    memcpy(all.position, m->position + node->q, (size_t)node->type->nq * sizeof *all.position);
    memcpy(all.velocity, m->velocity + node->v, (size_t)node->type->nv * sizeof *all.velocity);
    return DT_GIVE(info, &all, "the place for the primitive", NULL);
}

/* What its copies have, too, where loops are cut at it. */
static double mass_of(const detent_mechanism *m, int body)
{
    double mass = m->tree.nodes[m->bodies[body].node].body->mass;
    for (int i = 0; i < m->loop_count; i++) {
        mass += m->loops[i].body == body ? m->tree.nodes[m->loops[i].node[1]].body->mass : 0;
    }
    return mass;
}

detent_status detent_get_body(const detent_mechanism *m, size_t index, detent_body_info *info)
{
    if (index >= detent_count(m, DETENT_BODY)) {
        return DETENT_ERROR_ARGUMENT;
    }
    const dt_body *body = &m->bodies[index];
    const double *com = m->tree.nodes[body->node].body->com;
    double from_origin[3];
    for (int k = 0; k < 3; k++) {
        from_origin[k] = com[k] - body->pose->p[k];
    }
    detent_body_info all = {.name = body->name, .mass = mass_of(m, (int)index)};
    dt_rotate_back(all.center_of_mass, body->pose->R, from_origin);
    return DT_GIVE(info, &all, "the place for the body", NULL);
}
