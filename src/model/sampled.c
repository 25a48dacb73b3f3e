/*
 * Sampled values: blocks of a controller that works in steps. At the instants offset + k * every a value is evaluated; it is held up to
 * the next one. To all laws a held value is what an input is: a number that changes at events alone (DT_VARIABLE_INPUT, behind the
 * inputs of the mechanism). Its expression is asked at an instant only, so that it may read whatever an output may.
 *
 * Values of one instant are evaluated in an order in which each comes behind those that it reads; its own old value, and by previous()
 * that of others, it may read in any case. A circle has no such order, and is refused.
 */

#include "model/record.h"

#include <string.h>

static const dt_sampled_record *record_of(const detent_mechanism *m, int k)
{
    return DT_AT(DT_RECORDS(m->builder, sampled), dt_sampled_record, k);
}

detent_status dt_list_sampled(detent_mechanism *m, detent_error *error)
{
    dt_sampled *all = dt_arena_alloc(&m->arena, (size_t)m->sampled_count, sizeof *all);
    int *order = dt_arena_alloc(&m->arena, (size_t)m->sampled_count, sizeof *order);
    if (!all || !order) {
        return dt_out_of_memory(error);
    }
    m->sampled = all;
    m->sampled_order = order;
    for (int k = 0; k < m->sampled_count; k++) {
        const dt_sampled_record *record = record_of(m, k);
        all[k] = (dt_sampled){.name = record->def.name,
                              .unit = dt_unit_text(m, &record->def.dimension),
                              .every = record->def.every,
                              .offset = record->def.offset,
                              .initial = record->def.initial};
        if (!all[k].unit) {
            return dt_out_of_memory(error);
        }
    }
    return DETENT_OK;
}

static dt_location place_of(const detent_mechanism *m, int k)
{
    return dt_locate(m->builder, &record_of(m, k)->origin, NULL, "value", -1);
}

/* More instants than doubles have numbers for. */
static const double most_instants = 0x1p50;

static detent_status check_period(const detent_mechanism *m, int k, detent_error *error)
{
    const dt_sampled *of = &m->sampled[k];
    const dt_location where = dt_locate(m->builder, &record_of(m, k)->origin, NULL, "every", -1);
    return (m->settings.end - of->offset) / of->every <= most_instants
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MODEL, &where,
                         "sampled value '%s': with a period of %g s there are too many instants up "
                         "to the end of the run, at %g s",
                         of->name, of->every, m->settings.end);
}

static detent_status compile(detent_mechanism *m, int k, dt_sampled *sampled, detent_error *error)
{
    const dt_sampled_record *record = record_of(m, k);
    dt_program *program = NULL;
    const dt_law_record law = {.text = record->def.value,
                               .use = DT_USE_SAMPLE,
                               .primitive = -1,
                               .expected =
                                   record->def.dimension.known ? &record->def.dimension : NULL,
                               .where = place_of(m, k),
                               .origin = &record->origin};
    const detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
    sampled->value = program;
    return status;
}

/* --- The order of evaluation ---------------------------------------------------------------------------------- */

enum { UNSEEN, OPEN, DONE };

/* The first one, not done yet, that the value of `k` reads beside its own; -1: none is left. */
static int next_read(const detent_mechanism *m, int k, const unsigned char *state, int *cursor)
{
    const dt_program *program = m->sampled[k].value;
    for (; cursor[k] < program->variable_count; cursor[k]++) {
        const dt_variable variable = program->variables[cursor[k]];
        const int read =
            dt_variable_traits[variable.kind] & DT_OF_INPUTS ? variable.index - m->input_count : -1;
        if (read >= 0 && read < m->sampled_count && read != k && state[read] != DONE) {
            return read;
        }
    }
    return -1;
}

static detent_status fail_circle(const detent_mechanism *m, int k, int read, detent_error *error)
{
    const dt_location where = place_of(m, k);
    return dt_fail(error, DETENT_ERROR_MODEL, &where,
                   "the sampled value '%s' reads '%s', which reads it in turn at the same instant: "
                   "a circle of sampled values",
                   m->sampled[k].name, m->sampled[read].name);
}

/* Depth first along "k reads": a value is done behind all that it reads; one met while still open closes a circle. */
static detent_status put_in_order(detent_mechanism *m, int *order, detent_error *error)
{
    dt_arena *arena = &m->builder->arena;
    const size_t count = (size_t)m->sampled_count;
    unsigned char *state = dt_arena_alloc(arena, count, 1);
    int *cursor = dt_arena_alloc(arena, count, sizeof *cursor),
        *stack = dt_arena_alloc(arena, count, sizeof *stack), done = 0;
    if (!state || !cursor || !stack) {
        return dt_out_of_memory(error);
    }
    for (int first = 0; first < m->sampled_count; first++) {
        int depth = 0;
        if (state[first] == UNSEEN) {
            state[first] = OPEN;
            stack[depth++] = first;
        }
        while (depth > 0) {
            const int top = stack[depth - 1], next = next_read(m, top, state, cursor);
            if (next < 0) {
                state[top] = DONE;
                order[done++] = top;
                depth--;
            } else if (state[next] == OPEN) {
                return fail_circle(m, top, next, error);
            } else {
                state[next] = OPEN;
                stack[depth++] = next;
            }
        }
    }
    return DETENT_OK;
}

detent_status dt_compile_sampled(detent_mechanism *m, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int k = 0; k < m->sampled_count && !status; k++) {
        status = check_period(m, k, error);
        status = status ? status : compile(m, k, (dt_sampled *)&m->sampled[k], error);
    }
    status = status ? status : dt_keep_delays(m, error);
    return status ? status : put_in_order(m, (int *)m->sampled_order, error);
}

/* --- The row of the table ------------------------------------------------------------------------------------- */

static detent_status take(detent_mechanism *m, void *item, detent_error *error)
{
    const dt_sampled_record *record = item;
    return dt_check_alone(m, "sampled value", record->def.name, &record->origin, error);
}

#define FIELD(name) offsetof(dt_sampled_definition, name)
static const dt_key keys[] = {
    {"every", DT_VALUE_POSITIVE, true, FIELD(every), &dt_dimension_time, NULL},
    {"value", DT_VALUE_EXPRESSION, true, FIELD(value), NULL, NULL},
    {"initial", DT_VALUE_NUMBER, false, FIELD(initial), DT_OF_ITS_ITEM, "initial value"},
    {"offset", DT_VALUE_SIZE, false, FIELD(offset), &dt_dimension_time, NULL},
    DT_KEYS_END,
};
#undef FIELD

static dt_name_map *names(detent_mechanism *m)
{
    return &m->sampled_names;
}

static const char *name(const detent_mechanism *m, int index)
{
    return m->sampled[index].name;
}

static const char *unit(const detent_mechanism *m, int index)
{
    return m->sampled[index].unit;
}

static int find(const detent_mechanism *m, const char *text)
{
    return dt_name_map_get(&m->sampled_names, text);
}

const dt_item_kind dt_sampled_item = {.what = "sampled value",
                                      .plural = "sampled",
                                      .title = "sampled values",
                                      .named = 1 + DETENT_SAMPLED,
                                      .is_section = true,
                                      .keys = keys,
                                      .size = sizeof(dt_sampled_definition),
                                      .dimension = offsetof(dt_sampled_definition, dimension),
                                      .take = take,
                                      .names = names,
                                      .counter = offsetof(detent_mechanism, sampled_count),
                                      .name = name,
                                      .unit = unit,
                                      .find = find};
