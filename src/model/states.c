/* States: which there are, before the laws that read them; then how they change. */

#include "model/record.h"

#include <math.h>
#include <string.h>

/* How large a state with stops ordinarily is; 0: they do not tell. */
static double widest_stop(const double stop[2])
{
    return fmax(isfinite(stop[0]) ? fabs(stop[0]) : 0, isfinite(stop[1]) ? fabs(stop[1]) : 0);
}

/* Without derivatives. Copies of a chain have one unit, and share its text. */
detent_status dt_list_states(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    const dt_dimension *last = NULL;
    dt_state *states = dt_arena_alloc(&m->arena, (size_t)m->state_count, sizeof *states);
    if (!states) {
        return dt_out_of_memory(error);
    }
    m->states = states;
    for (int i = 0; i < m->state_count; i++) {
        const dt_state_record *record = DT_AT(DT_RECORDS(b, state), dt_state_record, i);
        const double *stop = record->stop, widest = widest_stop(stop);
        const bool same = last && memcmp(last, &record->dimension, sizeof *last) == 0;
        states[i] =
            (dt_state){.name = record->def.name,
                       .unit = same ? states[i - 1].unit : dt_unit_text(m, &record->dimension),
                       .initial = record->def.initial,
                       .nominal = record->def.nominal > 0 ? record->def.nominal : widest,
                       .stop = {stop[0], stop[1]},
                       .stop_switch = {-1, -1}};
        last = &record->dimension;
        if (!states[i].unit) {
            return dt_out_of_memory(error);
        }
    }
    return DETENT_OK;
}

static detent_status compile(detent_mechanism *m, int index, dt_state *state, detent_error *error)
{
    const dt_state_record *record = DT_AT(DT_RECORDS(m->builder, state), dt_state_record, index);
    const bool low = isfinite(state->stop[0]), high = isfinite(state->stop[1]);
    const dt_stops stops = {{DT_VARIABLE_STATE, index}, state->stop[0], state->stop[1]};
    dt_program *program = NULL;
    const dt_dimension rate = dt_dimension_product(&record->dimension, &dt_dimension_time, -1);
    const dt_law_record law = {.text = record->def.derivative,
                               .use = DT_USE_RATE,
                               .primitive = -1,
                               .expected = rate.known ? &rate : NULL,
                               .where =
                                   dt_locate(m->builder, &record->origin, NULL, "derivative", -1),
                               .origin = &record->origin,
                               .stops = low || high ? &stops : NULL};
    const detent_status status = dt_parse_law(m, &m->arena, &law, &program, error);
    state->derivative = program;
    if (!status) {
        state->stop_switch[0] = low ? dt_program_stop(program, 0) : -1;
        state->stop_switch[1] = high ? dt_program_stop(program, low) : -1;
    }
    return status;
}

static int first_of(dt_state *states, int k)
{
    while (states[k].group != k) {
        states[k].group = states[states[k].group].group;
        k = states[k].group;
    }
    return k;
}

/* Which states read each other. */
static void group(dt_state *states, int count)
{
    for (int k = 0; k < count; k++) {
        states[k].group = k;
        states[k].next = -1;
    }
    for (int k = 0; k < count; k++) {
        const dt_program *p = states[k].derivative;
        for (int j = 0; j < p->variable_count; j++) {
            if (dt_variable_is(p->variables[j], DT_OF_STATES)) {
                const int a = first_of(states, k), b = first_of(states, p->variables[j].index);
                states[a < b ? b : a].group = a < b ? a : b;
            }
        }
    }
    for (int k = 0; k < count; k++) {
        states[k].group = first_of(states, k);
    }
    for (int k = count - 1; k >= 0; k--) { /* next to the first; then before the others */
        const int first = states[k].group;
        if (k != first) {
            states[k].next = states[first].next;
            states[first].next = k;
        }
    }
}

detent_status dt_compile_states(detent_mechanism *m, detent_error *error)
{
    dt_state *states = (dt_state *)m->states;
    for (int i = 0; i < m->state_count; i++) {
        const detent_status status = compile(m, i, &states[i], error);
        if (status) {
            return status;
        }
    }
    group(states, m->state_count);
    return DETENT_OK;
}

/* ---- the row of the table ---- */

detent_status dt_check_alone(const detent_mechanism *m, const char *what, const char *name,
                             const dt_origin *origin, detent_error *error)
{
    const dt_builder *b = m->builder;
    const dt_location where = dt_locate(b, origin, NULL, NULL, -1);
    const int before = dt_name_map_get(&b->global_names, name);
    if (dt_name_is_reserved(name)) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where, "%s '%s': the name is reserved", what,
                       name);
    }
    const char *other = before >= 0
                            ? dt_global_kind_text(DT_AT(b->globals, dt_global, before)->kind)
                        : dt_name_map_get(&m->state_names, name) >= 0   ? dt_state_item.what
                        : dt_name_map_get(&m->sampled_names, name) >= 0 ? "sampled value"
                                                                        : NULL;
    return !other || strcmp(other, what) == 0 /* twice: told where names are entered */
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_MODEL, &where,
                         "%s '%s': the name is already that of a %s", what, name, other);
}

/* A stop from its text; `side`: the lower one (0) or the upper one. */
static detent_status take_stop(detent_mechanism *m, dt_state_record *record, int side,
                               detent_error *error)
{
    const char *key = side ? "max" : "min", *text = side ? record->def.max : record->def.min;
    const dt_location where = dt_locate(m->builder, &record->origin, NULL, key, -1);
    const dt_dimension *expected = record->dimension.known ? &record->dimension : NULL;
    dt_constant constant;
    record->stop[side] = side ? INFINITY : -INFINITY;
    if (!text) {
        return DETENT_OK;
    }
    detent_status status =
        dt_builder_constant(m, text, &where, expected, &record->origin, &constant, error);
    if (!status) {
        record->stop[side] = constant.value;
        record->dimension = expected ? record->dimension : constant.dimension;
        status = dt_check_finite(&constant.value, 1, record->def.name, key, &where, error);
    }
    return status;
}

static detent_status take_stops(detent_mechanism *m, dt_state_record *record, detent_error *error)
{
    const double *stop = record->stop, initial = record->def.initial;
    const dt_location upper = dt_locate(m->builder, &record->origin, NULL, "max", -1),
                      start = dt_locate(m->builder, &record->origin, NULL, "initial", -1);
    detent_status status = take_stop(m, record, 0, error);
    status = status ? status : take_stop(m, record, 1, error);
    if (!status && !(stop[0] < stop[1])) {
        return dt_fail(error, DETENT_ERROR_MODEL, &upper,
                       "state '%s': there is nothing between its stops, %g and %g",
                       record->def.name, stop[0], stop[1]);
    }
    if (!status && !(initial >= stop[0] && initial <= stop[1])) {
        return dt_fail(error, DETENT_ERROR_MODEL, &start,
                       "state '%s': it starts at %g, beyond its %s stop, %g", record->def.name,
                       initial, initial < stop[0] ? "lower" : "upper",
                       stop[initial < stop[0] ? 0 : 1]);
    }
    return status;
}

static detent_status take(detent_mechanism *m, void *item, detent_error *error)
{
    dt_state_record *record = item;
    const detent_state_def *def = &record->def;
    const dt_location nominal = dt_locate(m->builder, &record->origin, NULL, "nominal", -1);
    const detent_status status = dt_check_alone(m, "state", def->name, &record->origin, error);
    return status || def->nominal >= 0.0
               ? (status ? status : take_stops(m, record, error))
               : dt_fail(error, DETENT_ERROR_MODEL, &nominal,
                         "state '%s': the nominal value must not be negative", def->name);
}

#define FIELD(name) offsetof(dt_state_definition, def.name)
static const dt_key keys[] = {
    {"derivative", DT_VALUE_EXPRESSION, true, FIELD(derivative), NULL, NULL},
    {"initial", DT_VALUE_NUMBER, false, FIELD(initial), DT_OF_ITS_ITEM, "initial value"},
    {"nominal", DT_VALUE_NUMBER, false, FIELD(nominal), DT_OF_ITS_ITEM, "nominal value"},
    {"min", DT_VALUE_EXPRESSION, false, FIELD(min), NULL, NULL},
    {"max", DT_VALUE_EXPRESSION, false, FIELD(max), NULL, NULL},
    DT_KEYS_END,
};
#undef FIELD

static dt_name_map *names(detent_mechanism *m)
{
    return &m->state_names;
}

static const char *name(const detent_mechanism *m, int index)
{
    return m->states[index].name;
}

static const char *unit(const detent_mechanism *m, int index)
{
    return m->states[index].unit;
}

static int find(const detent_mechanism *m, const char *text)
{
    return dt_name_map_get(&m->state_names, text);
}

const dt_item_kind dt_state_item = {.what = "state",
                                    .plural = "states",
                                    .named = 1 + DETENT_STATE,
                                    .is_section = true,
                                    .keys = keys,
                                    .size = sizeof(dt_state_definition),
                                    .dimension = offsetof(dt_state_definition, dimension),
                                    .take = take,
                                    .names = names,
                                    .counter = offsetof(detent_mechanism, state_count),
                                    .name = name,
                                    .unit = unit,
                                    .find = find};
