/* Outputs: their programs and units. */

#include "model/measure.h"
#include "model/record.h"

#include <string.h>

const char *dt_unit_text(detent_mechanism *m, const dt_dimension *dimension)
{
    if (!dimension->known) {
        return "";
    }
    static const struct {
        const dt_dimension *dimension;
        const char *unit;
    } usual[] = {{&dt_dimension_none, ""},        {&dt_dimension_length, "m"},
                 {&dt_dimension_force, "N"},      {&dt_dimension_torque, "N m"},
                 {&dt_dimension_velocity, "m/s"}, {&dt_dimension_acceleration, "m/s2"},
                 {&dt_dimension_time, "s"},       {&dt_dimension_mass, "kg"}};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (memcmp(usual[i].dimension->exponent, dimension->exponent, sizeof dimension->exponent) ==
            0) {
            return usual[i].unit;
        }
    }
    char text[64];
    dt_dimension_print(dimension, text, sizeof text);
    return dt_arena_copy(&m->arena, text, strlen(text));
}

/* The unit of an output: that of the reading where it is nothing but one, else what its dimension spells. */
static const char *output_unit(detent_mechanism *m, const dt_program *program)
{
    const dt_variable *variable = dt_program_reading(program);
    const dt_measure *measure = variable ? dt_measures[variable->kind] : NULL;
    const bool turns = variable && dt_variable_is(*variable, DT_OF_JOINT) &&
                       m->tree.nodes[variable->index].type->rotational;
    return measure && measure->unit[turns] ? measure->unit[turns]
                                           : dt_unit_text(m, &program->dimension);
}

/* Outputs from `first` on in the same copy of a chain, or in none: names mean the same in them. */
static int count_alike(const dt_builder *b, int first)
{
    const dt_origin *one = &DT_AT(DT_RECORDS(b, output), dt_output_record, first)->origin;
    int count = 1;
    for (; first + count < DT_RECORDS(b, output).count; count++) {
        const dt_origin *other =
            &DT_AT(DT_RECORDS(b, output), dt_output_record, first + count)->origin;
        if (other->index_name != one->index_name || other->index != one->index) {
            break;
        }
    }
    return count;
}

/* Compiles outputs that are alike; returns an error, or how many there are in `*count`. */
static detent_status compile_alike(detent_mechanism *m, int first, dt_output *outputs, int *count,
                                   detent_error *error)
{
    dt_builder *b = m->builder;
    const dt_law_record law = {.use = DT_USE_OUTPUT,
                               .primitive = -1,
                               .origin =
                                   &DT_AT(DT_RECORDS(b, output), dt_output_record, first)->origin};
    *count = count_alike(b, first);
    dt_text *texts = dt_arena_alloc(&b->arena, (size_t)*count, sizeof *texts);
    dt_program *programs = dt_arena_alloc(&m->arena, (size_t)*count, sizeof *programs);
    if (!texts || !programs) {
        return dt_out_of_memory(error);
    }
    for (int i = 0; i < *count; i++) {
        const dt_output_record *record = DT_AT(DT_RECORDS(b, output), dt_output_record, first + i);
        texts[i] = (dt_text){record->expression, dt_locate(b, &record->origin, NULL, "", -1)};
    }
    detent_status status =
        dt_parse_laws(m, &m->arena, &law, texts, (size_t)*count, programs, error);
    for (int i = 0; i < *count && !status; i++) {
        const dt_output_record *record = DT_AT(DT_RECORDS(b, output), dt_output_record, first + i);
        outputs[first + i] = (dt_output){record->label, output_unit(m, &programs[i]), &programs[i]};
        status = outputs[first + i].unit ? DETENT_OK : dt_out_of_memory(error);
    }
    return status;
}

detent_status dt_compile_outputs(detent_mechanism *m, detent_error *error)
{
    dt_output *outputs = dt_arena_alloc(&m->arena, (size_t)m->output_count, sizeof *outputs);
    if (!outputs) {
        return dt_out_of_memory(error);
    }
    m->outputs = outputs;
    for (int first = 0, count = 0; first < m->output_count; first += count) {
        detent_status status = compile_alike(m, first, outputs, &count, error);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

/* ---- the row of the table ---- */

static detent_status add(detent_mechanism *m, const void *definition, const dt_origin *origin,
                         detent_error *error)
{
    dt_builder *b = m->builder;
    const dt_output_definition *def = definition;
    dt_output_record *record = dt_list_add(&b->arena, &DT_RECORDS(b, output), sizeof *record);
    if (!record || !dt_copy_text(&b->arena, def->expression, &record->expression) ||
        !dt_copy_text(&m->arena, def->label ? def->label : def->expression, &record->label)) {
        DT_RECORDS(b, output).count -= record != NULL;
        return dt_out_of_memory(error);
    }
    record->origin = dt_origin_or_none(origin);
    m->output_count = DT_RECORDS(b, output).count;
    return DETENT_OK;
}

static const char *name(const detent_mechanism *m, int index)
{
    return m->outputs[index].text;
}

static const char *unit(const detent_mechanism *m, int index)
{
    return m->outputs[index].unit ? m->outputs[index].unit : "";
}

static const dt_key fields[] = {
    {"label", DT_VALUE_TEXT, false, offsetof(dt_output_definition, label), NULL, NULL},
    DT_KEYS_END};

const dt_item_kind dt_output_item = {.what = "output",
                                     .plural = "outputs",
                                     .named = 1 + DETENT_OUTPUT,
                                     .is_section = true,
                                     .is_list = true,
                                     .fields = fields,
                                     .size = sizeof(dt_output_definition),
                                     .add = add,
                                     .record_size = sizeof(dt_output_record),
                                     .counter = offsetof(detent_mechanism, output_count),
                                     .name = name,
                                     .unit = unit};
