/* Loads, springs, couplings and outputs to the records of a mechanism that is being built. */

#include "model/builder.h"

#include "model/record.h"

detent_status dt_builder_add_load(detent_mechanism *m, const detent_load_def *def,
                                  const dt_origin *origin, detent_error *error)
{
    dt_builder *b = m->builder;
    dt_load_record record = {*def, dt_origin_or_none(origin)};
    dt_location where = dt_locate(b, &record.origin, NULL, "at", -1);
    detent_status status = dt_enter_name(m, &m->arena, "load", def->name, &b->load_names,
                                         b->loads.count, &record.origin, &record.def.name, error);
    if (!status) {
        status = dt_check_finite(def->point, 3, def->name, "point", &where, error);
    }
    if (!status && def->frame != DETENT_FRAME_WORLD && def->frame != DETENT_FRAME_BODY) {
        where = dt_locate(b, &record.origin, NULL, "frame", -1);
        status = dt_fail(error, DETENT_ERROR_MODEL, &where, "load '%s': there is no frame %d",
                         def->name, (int)def->frame);
    }
    if (status) {
        return status;
    }
    dt_load_record *place = dt_list_add(&b->arena, &b->loads, sizeof record);
    bool copied = place && dt_copy_text(&b->arena, def->body, &record.def.body);
    for (int k = 0; k < 3; k++) {
        copied = copied && dt_copy_text(&b->arena, def->force[k], &record.def.force[k]) &&
                 dt_copy_text(&b->arena, def->torque[k], &record.def.torque[k]);
    }
    if (!copied) {
        b->loads.count -= place != NULL;
        return dt_out_of_memory(error);
    }
    *place = record;
    m->load_count = b->loads.count;
    return DETENT_OK;
}

detent_status dt_builder_add_spring(detent_mechanism *m, const detent_spring_def *def,
                                    const dt_origin *origin, detent_error *error)
{
    dt_builder *b = m->builder;
    dt_spring_record record = {*def, dt_origin_or_none(origin)};
    detent_status status = dt_enter_name(m, &m->arena, "spring", def->name, &b->spring_names,
                                         b->springs.count, &record.origin, &record.def.name, error);
    if (!status) {
        status = dt_check_spring(b, &record, error);
    }
    if (status) {
        return status;
    }
    dt_spring_record *place = dt_list_add(&b->arena, &b->springs, sizeof record);
    if (!place || !dt_copy_text(&b->arena, def->body[0], &record.def.body[0]) ||
        !dt_copy_text(&b->arena, def->body[1], &record.def.body[1])) {
        b->springs.count -= place != NULL;
        return dt_out_of_memory(error);
    }
    *place = record;
    m->strut_count = b->springs.count;
    return DETENT_OK;
}

detent_status dt_builder_add_coupling(detent_mechanism *m, const detent_coupling_def *def,
                                      const dt_origin *origin, detent_error *error)
{
    dt_builder *b = m->builder;
    dt_coupling_record record = {*def, dt_origin_or_none(origin)};
    detent_status status =
        dt_enter_name(m, &m->arena, "coupling", def->name, &b->coupling_names, b->couplings.count,
                      &record.origin, &record.def.name, error);
    if (!status) {
        status = dt_check_coupling(b, &record, error);
    }
    if (status) {
        return status;
    }
    dt_coupling_record *place = dt_list_add(&b->arena, &b->couplings, sizeof record);
    bool copied = place != NULL;
    for (size_t k = 0; k < def->count; k++) {
        copied = copied && dt_copy_text(&b->arena, def->primitive[k], &record.def.primitive[k]);
    }
    if (!copied) {
        b->couplings.count -= place != NULL;
        return dt_out_of_memory(error);
    }
    *place = record;
    m->transmission_count = b->couplings.count;
    return DETENT_OK;
}

/* What expressions call by its name alone has one name among all of these. */
static detent_status check_alone(const dt_builder *b, const char *name, const dt_origin *origin,
                                 detent_error *error)
{
    const dt_location where = dt_locate(b, origin, NULL, NULL, -1);
    const int before = dt_name_map_get(&b->global_names, name);
    if (dt_name_is_reserved(name)) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where, "state '%s': the name is reserved", name);
    }
    return before < 0 ? DETENT_OK
                      : dt_fail(error, DETENT_ERROR_MODEL, &where,
                                "state '%s': the name is already that of a %s", name,
                                dt_global_kind_text(DT_AT(b->globals, dt_global, before)->kind));
}

detent_status dt_builder_add_state(detent_mechanism *m, const detent_state_def *def,
                                   const dt_dimension *dimension, const dt_origin *origin,
                                   detent_error *error)
{
    dt_builder *b = m->builder;
    dt_state_record record = {*def, dimension ? *dimension : dt_dimension_unknown,
                              dt_origin_or_none(origin)};
    const dt_location initial = dt_locate(b, &record.origin, NULL, "initial", -1);
    const dt_location nominal = dt_locate(b, &record.origin, NULL, "nominal", -1);
    detent_status status = def->name ? check_alone(b, def->name, &record.origin, error) : DETENT_OK;
    if (!status) {
        status = dt_check_finite(&def->initial, 1, def->name, "initial value", &initial, error);
    }
    if (!status) {
        status = dt_check_finite(&def->nominal, 1, def->name, "nominal value", &nominal, error);
    }
    if (!status && def->nominal < 0.0) {
        status = dt_fail(error, DETENT_ERROR_MODEL, &nominal,
                         "state '%s': the nominal value must not be negative", def->name);
    }
    if (!status) {
        status = dt_enter_name(m, &m->arena, "state", def->name, &m->state_names, b->states.count,
                               &record.origin, &record.def.name, error);
    }
    if (status) {
        return status;
    }
    dt_state_record *place = dt_list_add(&b->arena, &b->states, sizeof record);
    if (!place || !dt_copy_text(&b->arena, def->derivative, &record.def.derivative)) {
        b->states.count -= place != NULL;
        return dt_out_of_memory(error);
    }
    *place = record;
    m->state_count = b->states.count;
    return DETENT_OK;
}

detent_status dt_builder_add_output(detent_mechanism *m, const char *expression, const char *label,
                                    const dt_origin *origin, detent_error *error)
{
    dt_builder *b = m->builder;
    dt_output_record *record = dt_list_add(&b->arena, &b->outputs, sizeof *record);
    if (!record || !dt_copy_text(&b->arena, expression, &record->expression) ||
        !dt_copy_text(&m->arena, label ? label : expression, &record->label)) {
        b->outputs.count -= record != NULL;
        return dt_out_of_memory(error);
    }
    record->origin = dt_origin_or_none(origin);
    m->output_count = b->outputs.count;
    return DETENT_OK;
}
