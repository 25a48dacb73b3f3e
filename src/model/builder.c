/* A mechanism from its beginning to its end, and what is no item of a kind: settings, gravity, parameters, inputs, signals. Records
 * of one kind of items stand in one growing list (item_add.c). */

#include "model/builder.h"

#include "model/record.h"

#include <string.h>

detent_status dt_mechanism_new(const char *name, const dt_item_source *source,
                               const detent_allocator *allocator, detent_mechanism **mechanism,
                               detent_error *error)
{
    dt_arena arena;
    dt_arena_init(&arena, allocator);
    const size_t brought = source ? (size_t)source->count : 0, kinds = DT_ITEM_KINDS + brought;
    detent_mechanism *m = dt_arena_alloc(&arena, 1, sizeof *m);
    dt_builder *builder = m ? dt_arena_alloc(&arena, 1, sizeof *builder) : NULL;
    dt_item_list *added = builder ? dt_arena_alloc(&arena, brought, sizeof *added) : NULL;
    const char *copy =
        added ? dt_arena_copy(&arena, name ? name : "", name ? strlen(name) : 0) : NULL;
    dt_unit_system *units = copy ? dt_unit_system_create(allocator) : NULL;
    if (!units) {
        dt_arena_free(&arena);
        return dt_out_of_memory(error);
    }
    m->arena = arena; /* from here on the mechanism holds itself */
    m->name = copy;
    m->source = source;
    m->added = source ? added : NULL;
    m->builder = builder;
    builder->units = units;
    dt_arena_init(&builder->arena, allocator);
    dt_name_map_init(&m->body_names, &builder->arena);
    dt_name_map_init(&m->joint_names, &builder->arena);
    dt_name_map_init(&m->input_names, &m->arena);
    dt_name_map_init(&m->state_names, &builder->arena);
    dt_name_map_init(&m->sampled_names, &builder->arena);
    dt_name_map_init(&builder->global_names, &builder->arena);
    builder->items = dt_arena_alloc(&builder->arena, kinds, sizeof *builder->items);
    for (size_t k = 0; k < kinds && builder->items; k++) {
        dt_name_map_init(&builder->items[k].names, &builder->arena);
    }
    dt_name_map_init(&builder->constant_texts, &builder->arena);
    dt_name_map_init(&builder->law_texts, &builder->arena);
    dt_name_map_init(&builder->view_keys, &builder->arena);
    dt_name_map_init(&builder->delay_keys, &builder->arena);
    dt_name_map_init(&builder->dead_time_keys, &builder->arena);
    dt_name_map_init(&builder->script_texts, &builder->arena);
    if (!builder->items) {
        dt_mechanism_delete(m);
        return dt_out_of_memory(error);
    }
    *mechanism = m;
    return DETENT_OK;
}

static void drop_builder(detent_mechanism *m)
{
    if (m->builder) {
        dt_unit_system_destroy(m->builder->units);
        dt_arena_free(&m->builder->arena);
        m->builder = NULL;
    }
}

void dt_mechanism_delete(detent_mechanism *m)
{
    if (m) {
        drop_builder(m);
        dt_arena arena = m->arena; /* the mechanism itself lives in there */
        dt_arena_free(&arena);
    }
}

void dt_builder_set_locator(detent_mechanism *m, const dt_locator *locator)
{
    m->builder->locator = *locator;
}

detent_status dt_builder_set_name(detent_mechanism *m, const char *name, detent_error *error)
{
    return dt_copy_text(&m->arena, name, &m->name) ? DETENT_OK : dt_out_of_memory(error);
}

detent_status dt_builder_set_description(detent_mechanism *m, const char *text, detent_error *error)
{
    return dt_copy_text(&m->builder->arena, text, &m->builder->description)
               ? DETENT_OK
               : dt_out_of_memory(error);
}

detent_status dt_builder_set_gravity(detent_mechanism *m, const char *const gravity[3],
                                     const dt_origin *origin, detent_error *error)
{
    m->builder->gravity_origin = dt_origin_or_none(origin);
    for (int k = 0; k < 3; k++) {
        if (!dt_copy_text(&m->builder->arena, gravity[k], &m->builder->gravity[k])) {
            return dt_out_of_memory(error);
        }
    }
    return DETENT_OK;
}

detent_status dt_builder_set_settings(detent_mechanism *m, const detent_settings *settings,
                                      const dt_origin *origin, detent_error *error)
{
    m->settings = m->builder->settings = *settings;
    m->interval_is_given = settings->interval != 0;
    m->builder->settings_origin = dt_origin_or_none(origin);
    return dt_settings_complete(&m->settings, &m->builder->locator, origin, error);
}

/* Parameters, inputs and signals share their names, since an expression calls each by its name alone. */
static detent_status add_global(detent_mechanism *m, const dt_global *global, detent_error *error)
{
    dt_builder *b = m->builder;
    const char *kind = dt_global_kind_text(global->kind);
    dt_location where = dt_locate(b, &global->origin, NULL, NULL, -1);
    detent_status status = dt_check_name(kind, global->name, &where, error);
    if (status) {
        return status;
    }
    if (dt_name_is_reserved(global->name) || strchr(global->name, '[')) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': the name is reserved", kind,
                       global->name);
    }
    int before = dt_name_map_get(&b->global_names, global->name);
    const bool is_state = dt_name_map_get(&m->state_names, global->name) >= 0,
               is_sampled = dt_name_map_get(&m->sampled_names, global->name) >= 0;
    if (before >= 0 || is_state || is_sampled) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "%s '%s': the name is already that of a %s", kind, global->name,
                       is_state ? "state"
                       : is_sampled
                           ? "sampled value"
                           : dt_global_kind_text(DT_AT(b->globals, dt_global, before)->kind));
    }
    dt_global *record = dt_list_add(&b->arena, &b->globals, sizeof *record);
    if (!record) {
        return dt_out_of_memory(error);
    }
    *record = *global;
    if (!dt_copy_text(&m->arena, global->name, &record->name) ||
        !dt_copy_text(&b->arena, global->text, &record->text) ||
        dt_name_map_put(&b->global_names, record->name, b->globals.count - 1)) {
        b->globals.count--;
        return dt_out_of_memory(error);
    }
    return DETENT_OK;
}

static detent_status add_value(detent_mechanism *m, dt_global global, const char *value,
                               const dt_dimension *expected, detent_error *error)
{
    dt_location where = dt_locate(m->builder, &global.origin, NULL, "", -1);
    dt_constant constant;
    detent_status status = dt_builder_constant(m, value, &where, expected, NULL, &constant, error);
    if (status) {
        return status;
    }
    if (expected) { /* which may have given it its unit: then the text alone would have none */
        dt_constant own;
        status = dt_builder_constant(m, value, &where, NULL, NULL, &own, error);
        const bool same =
            own.dimension.known == constant.dimension.known &&
            own.dimension.angle == constant.dimension.angle &&
            (!own.dimension.known || dt_dimension_agrees(&own.dimension, &constant.dimension));
        global.text = same ? value : NULL;
    } else {
        global.text = value;
    }
    if (status) {
        return status;
    }
    global.value = constant.value;
    global.dimension = constant.dimension;
    return add_global(m, &global, error);
}

detent_status dt_builder_add_parameter(detent_mechanism *m, const char *name, const char *value,
                                       const dt_dimension *expected, const dt_origin *origin,
                                       detent_error *error)
{
    const dt_global global = {
        .kind = DT_GLOBAL_PARAMETER, .name = name, .origin = dt_origin_or_none(origin)};
    return add_value(m, global, value, expected, error);
}

detent_status dt_builder_add_tunable(detent_mechanism *m, const char *name, const char *value,
                                     const dt_dimension *expected, const dt_origin *origin,
                                     detent_error *error)
{
    const dt_global global = {.kind = DT_GLOBAL_INPUT,
                              .name = name,
                              .input = m->input_count,
                              .is_tunable = true,
                              .origin = dt_origin_or_none(origin)};
    detent_status status = add_value(m, global, value, expected, error);
    m->input_count += status == DETENT_OK;
    return status;
}

detent_status dt_builder_add_input(detent_mechanism *m, const char *name, double initial,
                                   const dt_dimension *dimension, const dt_origin *origin,
                                   detent_error *error)
{
    dt_global global = {.kind = DT_GLOBAL_INPUT,
                        .name = name,
                        .value = initial,
                        .dimension = dimension ? *dimension : dt_dimension_unknown,
                        .input = m->input_count,
                        .origin = dt_origin_or_none(origin)};
    dt_location where = dt_locate(m->builder, &global.origin, NULL, "", -1);
    detent_status status = dt_check_finite(&initial, 1, name, "initial value", &where, error);
    if (!status) {
        status = add_global(m, &global, error);
    }
    m->input_count += status == DETENT_OK;
    return status;
}

detent_status dt_builder_add_signal(detent_mechanism *m, const char *name, const char *expression,
                                    const dt_origin *origin, detent_error *error)
{
    dt_global global = {.kind = DT_GLOBAL_SIGNAL,
                        .name = name,
                        .text = expression,
                        .origin = dt_origin_or_none(origin)};
    detent_status status = add_global(m, &global, error);
    m->signal_count += status == DETENT_OK;
    return status;
}

detent_status dt_builder_expect(detent_mechanism *m, int number, size_t count, detent_error *error)
{
    dt_builder *b = m->builder;
    const dt_item_kind *kind = dt_item_kind_of(m->source, number);
    bool ok = dt_list_reserve(&b->arena, &b->items[number].list, count, dt_record_size(kind));
    if (number == DT_ITEM_joint) { /* most have one */
        ok = ok && dt_list_reserve(&b->arena, &DT_RECORDS(b, primitive), count,
                                   sizeof(dt_primitive_record));
    }
    return ok ? DETENT_OK : dt_out_of_memory(error);
}

/* Inputs as the finished mechanism lists them. */
static detent_status compile_inputs(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    dt_input *inputs = dt_arena_alloc(&m->arena, (size_t)m->input_count, sizeof *inputs);
    if (!inputs) {
        return dt_out_of_memory(error);
    }
    m->inputs = inputs;
    for (int i = 0; i < b->globals.count; i++) {
        const dt_global *global = DT_AT(b->globals, dt_global, i);
        if (global->kind == DT_GLOBAL_INPUT) {
            inputs[global->input] = (dt_input){global->name, global->value};
            if (dt_name_map_put(&m->input_names, global->name, global->input)) {
                return dt_out_of_memory(error);
            }
        }
    }
    return DETENT_OK;
}

static detent_status compile(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    detent_status status = dt_compile_shapes(m, error);
    status = status ? status : dt_add_slack(m, error);
    if (status) {
        return status;
    }
    int *order = dt_arena_alloc(&b->arena, (size_t)DT_RECORDS(b, joint).count + 1, sizeof *order);
    int tree_joints = 0;
    if (!order) {
        return dt_out_of_memory(error);
    }
    status = dt_settings_complete(&m->settings, &b->locator, &b->settings_origin, error);
    if (!status) {
        status = compile_inputs(m, error);
    }
    if (!status) {
        status = dt_order_joints(m, order, &tree_joints, error);
    }
    if (!status) {
        status = dt_compile_tree(m, order, tree_joints, error);
    }
    if (!status) {
        status = dt_compile_laws(m, error);
    }
    if (!status) {
        status = dt_keep_dead_times(m, error);
    }
    if (!status) {
        status = dt_compile_couplings(m, error);
    }
    if (!status) {
        status = dt_check_slack(m, error);
    }
    if (!status) {
        status = dt_check_loops(m, error);
    }
    if (!status) {
        status = dt_keep_given(m, error);
    }
    return status ? status : dt_check_inertia(m, error);
}

detent_status dt_builder_finish(detent_mechanism *m, detent_error *error)
{
    detent_status status = compile(m, error);
    if (!status &&
        (!dt_name_map_pack(&m->body_names, &m->arena, m->bodies, sizeof *m->bodies) ||
         !dt_name_map_pack(&m->joint_names, &m->arena, m->joints, sizeof *m->joints) ||
         !dt_name_map_pack(&m->state_names, &m->arena, m->states, sizeof *m->states) ||
         !dt_name_map_pack(&m->sampled_names, &m->arena, m->sampled, sizeof *m->sampled))) {
        status = dt_out_of_memory(error);
    }
    if (status) {
        return status;
    }
    if (!dt_script_finish(m)) {
        return dt_out_of_memory(error);
    }
    m->warnings = m->builder->warnings.items;
    m->warning_count = m->builder->warnings.count;
    m->fingerprint = dt_mechanism_fingerprint(m);
    drop_builder(m);
    m->finished = true;
    return DETENT_OK;
}
