/* Loads: a force and a torque on a body. */

#include "model/record.h"

static const char *const frame_words[] = {"world", "body", NULL};

#define FIELD(name) offsetof(detent_load_def, name)
static const dt_key keys[] = {
    {"body", DT_VALUE_REFERENCE, true, FIELD(body), NULL, NULL},
    {"at", DT_VALUE_VECTOR, false, FIELD(point), &dt_dimension_length, "point"},
    {"force", DT_VALUE_EXPRESSIONS, false, FIELD(force), NULL, NULL},
    {"torque", DT_VALUE_EXPRESSIONS, false, FIELD(torque), NULL, NULL},
    {"frame", DT_VALUE_CHOICE, false, FIELD(frame), NULL, frame_words},
    DT_KEYS_END,
};
#undef FIELD

/* Three components; NULL where nothing acts. */
static detent_status compile_vector(detent_mechanism *m, const dt_load_record *record,
                                    const char *key, const char *const texts[3],
                                    const dt_dimension *dimension, const dt_program *programs[3],
                                    detent_error *error)
{
    for (int k = 0; k < 3; k++) {
        dt_program *program = NULL;
        if (!texts[k]) {
            continue;
        }
        const dt_law_record law = {.text = texts[k],
                                   .use = DT_USE_FORCE,
                                   .primitive = -1,
                                   .expected = dimension,
                                   .where = dt_locate(m->builder, &record->origin, NULL, key, k),
                                   .origin = &record->origin};
        detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
        if (status) {
            return status;
        }
        programs[k] = program->is_constant && program->constant == 0.0 ? NULL : program;
    }
    return DETENT_OK;
}

static detent_status compile(detent_mechanism *m, const dt_load_record *record, dt_load *load,
                             detent_error *error)
{
    const detent_load_def *def = &record->def;
    const dt_location where = dt_locate(m->builder, &record->origin, NULL, "body", -1);
    int index = -1;
    detent_status status = dt_find_body(m, def->body, &where, &index, error);
    if (status) {
        return status;
    }
    if (index < 0) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "load '%s': a load on the ground moves nothing", def->name);
    }
    *load = dt_place_on_body(m, index, def->point);
    load->name = def->name;
    load->frame = def->frame;
    status =
        compile_vector(m, record, "force", def->force, &dt_dimension_force, load->force, error);
    return status ? status
                  : compile_vector(m, record, "torque", def->torque, &dt_dimension_torque,
                                   load->torque, error);
}

detent_status dt_compile_loads(detent_mechanism *m, dt_load *places, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int i = 0; i < m->load_count && !status; i++) {
        status =
            compile(m, DT_AT(DT_RECORDS(m->builder, load), dt_load_record, i), &places[i], error);
    }
    return status;
}

static const char *name(const detent_mechanism *m, int index)
{
    return m->loads[index].name;
}

const dt_item_kind dt_load_item = {.what = "load",
                                   .plural = "loads",
                                   .named = 1 + DETENT_LOAD,
                                   .is_section = true,
                                   .keys = keys,
                                   .size = sizeof(detent_load_def),
                                   .counter = offsetof(detent_mechanism, load_count),
                                   .name = name};
