#include "expression/session.h"
#include "expression/dimension.h"

#include <string.h>

void dt_session_init(dt_session *session, dt_arena *scratch, const dt_scope *scope,
                     dt_unit_system *units, detent_error *error)
{
    *session = (dt_session){.scratch = scratch, .scope = scope, .units = units, .error = error};
    dt_graph_init(&session->graph, scratch, DT_EXPRESSION_OPERATIONS_MAX);
    dt_name_map_init(&session->map, scratch);
}

detent_status dt_session_out_of_memory(dt_session *session)
{
    return dt_fail(session->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

detent_status dt_session_add_source(dt_session *session, const char *text, const dt_location *where,
                                    const dt_source_text **source)
{
    dt_source_text *added = dt_arena_alloc(session->scratch, 1, sizeof *added);
    if (!added) {
        return dt_session_out_of_memory(session);
    }
    *added = (dt_source_text){.text = text,
                              .length = strlen(text),
                              .place = session->next_place,
                              .next = session->sources};
    if (where) {
        added->where = *where;
    }
    session->sources = added;
    session->next_place += added->length + 1;
    *source = added;
    if (added->length > DT_EXPRESSION_LENGTH_MAX) {
        return dt_source_fail(added, 0, session->error, DETENT_ERROR_MODEL,
                              "this expression is longer than the %d bytes allowed",
                              DT_EXPRESSION_LENGTH_MAX);
    }
    return DETENT_OK;
}

const dt_source_text *dt_session_find(const dt_session *session, size_t place, size_t *offset)
{
    const dt_source_text *source = session->sources;
    while (source->place > place) {
        source = source->next;
    }
    *offset = place - source->place;
    return source;
}

int dt_session_name(dt_session *session, const char *text)
{
    int index = dt_name_map_get(&session->map, text);
    if (index >= 0) {
        return index;
    }
    if (session->name_count == session->name_capacity) {
        size_t capacity = session->name_capacity ? 2 * session->name_capacity : 4;
        dt_name *names = dt_arena_grow(session->scratch, session->names, session->name_capacity,
                                       capacity, sizeof *names);
        if (!names) {
            return -1;
        }
        session->names = names;
        session->name_capacity = capacity;
    }
    const dt_scope *scope = session->scope;
    dt_name *name = &session->names[session->name_count];
    *name = (dt_name){.text = dt_arena_copy(session->scratch, text, strlen(text))};
    if (!name->text ||
        dt_name_map_put(&session->map, name->text, (int)session->name_count) != DETENT_OK) {
        return -1;
    }
    if (scope && scope->name) {
        name->symbol = scope->name(scope->context, text);
    }
    if (name->symbol.kind == DT_SYMBOL_EXPRESSION && !name->symbol.text) {
        name->symbol.kind = DT_SYMBOL_UNKNOWN;
    }
    name->state = name->symbol.kind == DT_SYMBOL_EXPRESSION ? DT_NAME_WAITING : DT_NAME_PLAIN;
    return (int)session->name_count++;
}

/* The result of a call of the graph, or the error that it stands for. */
static detent_status finish(dt_session *session, const dt_source_text *source, int node,
                            const dt_dimension *dimension, size_t offset, dt_operand *result)
{
    *result = (dt_operand){.node = node, .dimension = *dimension, .offset = offset};
    if (node >= 0) {
        return DETENT_OK;
    }
    if (session->graph.status == DETENT_ERROR_MEMORY) {
        return dt_session_out_of_memory(session);
    }
    return dt_source_fail(
        source, offset, session->error, DETENT_ERROR_MODEL,
        session->graph.limit == DT_EXPRESSION_OPERATIONS_MAX
            ? "this expression has more than the %d operations allowed"
            : "together with the others this has more than the %d operations allowed",
        session->graph.limit);
}

detent_status dt_session_constant(dt_session *session, const dt_source_text *source, double value,
                                  const dt_dimension *dimension, size_t offset, dt_operand *result)
{
    int node = dt_graph_constant(&session->graph, value, source->place + offset);
    return finish(session, source, node, dimension, offset, result);
}

detent_status dt_session_variable(dt_session *session, const dt_source_text *source,
                                  dt_variable variable, const dt_dimension *dimension,
                                  size_t offset, dt_operand *result)
{
    int node = dt_graph_variable(&session->graph, variable, source->place + offset);
    return finish(session, source, node, dimension, offset, result);
}

detent_status dt_session_table(dt_session *session, const dt_source_text *source,
                               const dt_curve *curve, const dt_operand *operands, size_t offset,
                               dt_operand *result)
{
    int arguments[2] = {0, 0};
    for (int k = 0; k < curve->axes; k++) {
        char wanted[64], found[64];
        arguments[k] = operands[k].node;
        if (!dt_dimension_fits(&curve->dimension[k], &operands[k].dimension)) {
            dt_dimension_print(&curve->dimension[k], wanted, sizeof wanted);
            dt_dimension_print(&operands[k].dimension, found, sizeof found);
            return dt_source_fail(
                source, operands[k].offset, session->error, DETENT_ERROR_MODEL,
                "the table '%s' is over %s, not over %s", curve->name,
                dt_dimension_is_none(&curve->dimension[k]) ? "numbers without unit" : wanted,
                dt_dimension_is_none(&operands[k].dimension) ? "numbers without unit" : found);
        }
    }
    const int node = dt_graph_table(&session->graph, curve, arguments, source->place + offset);
    return finish(session, source, node, &curve->result, offset, result);
}

detent_status dt_session_call(dt_session *session, const dt_source_text *source,
                              const dt_callback *callback, const dt_operand *operands,
                              size_t offset, dt_operand *result)
{
    int arguments[DETENT_MAX_ARGUMENTS];
    for (int k = 0; k < callback->argument_count; k++) {
        arguments[k] = operands[k].node;
    }
    const int node = dt_graph_call(&session->graph, callback, arguments, source->place + offset);
    return finish(session, source, node, &dt_dimension_unknown, offset, result);
}

/* --- Dimension rules -------------------------------------------------------------------------- */

/* What is being checked. */
typedef struct application {
    dt_session *session;
    const dt_source_text *source;
    const dt_function *function;
    const dt_operand *operands;
    int count;
    size_t offset;
} application;

/* A dimension in words. */
static const char *describe(const dt_dimension *dimension, char text[64])
{
    if (dt_dimension_is_none(dimension)) {
        return "a number without unit";
    }
    dt_dimension_print(dimension, text, 64);
    return text;
}

static detent_status fail_agreement(const application *a, int i, const dt_dimension *first,
                                    const dt_dimension *second)
{
    char one[64], other[64];
    const char *format =
        "'%s' needs two of the same dimension: %s is on its left and %s on its right";
    size_t offset = a->offset;
    if (a->function->dimension == DT_DIMENSION_RULE_SELECT) {
        format = "the two values of %s() must have the same dimension: the first is %s and the "
                 "second %s";
        offset = a->operands[i].offset;
    } else if (a->function->is_callable) {
        format = "the arguments of %s() must have the same dimension, not %s and %s";
        offset = a->operands[i].offset;
    }
    return dt_source_fail(a->source, offset, a->session->error, DETENT_ERROR_MODEL, format,
                          a->function->name, describe(first, one), describe(second, other));
}

/* All operands from `from` on agree; `merged` is what they agree on. */
static detent_status check_agreement(const application *a, int from, dt_dimension *merged)
{
    *merged = dt_dimension_unknown;
    for (int i = from; i < a->count; i++) {
        dt_dimension before = *merged;
        if (!dt_dimension_merge(&before, &a->operands[i].dimension, merged)) {
            return fail_agreement(a, i, &before, &a->operands[i].dimension);
        }
    }
    return DETENT_OK;
}

/* Operands up to `to` are plain numbers. A time passes as its number of seconds: sin(t), exp(-t)
 * are how it is written. */
static detent_status check_numbers(const application *a, int from, int to)
{
    for (int i = from; i < to; i++) {
        const dt_dimension *dimension = &a->operands[i].dimension;
        char text[64];
        if (!dimension->known || dt_dimension_is_none(dimension) ||
            dt_dimension_agrees(dimension, &dt_dimension_time)) {
            continue;
        }
        return dt_source_fail(
            a->source, a->operands[i].offset, a->session->error, DETENT_ERROR_MODEL,
            a->function->is_callable ? "%s() needs a number without unit here, not %s"
                                     : "'%s' needs a number without unit here, not %s",
            a->function->name, describe(dimension, text));
    }
    return DETENT_OK;
}

static detent_status check_power(const application *a, dt_dimension *result)
{
    double exponent;
    detent_status status = check_numbers(a, 1, 2);
    if (status) {
        return status;
    }
    if (dt_graph_is_constant(&a->session->graph, a->operands[1].node, &exponent)) {
        *result = dt_dimension_power(&a->operands[0].dimension, exponent);
        return DETENT_OK;
    }
    *result = dt_dimension_unknown;
    return check_numbers(a, 0, 1);
}

static detent_status check_dimensions(const application *a, dt_dimension *result)
{
    const dt_operand *operands = a->operands;
    detent_status status = DETENT_OK;
    *result = dt_dimension_unknown;
    switch (a->function->dimension) {
    case DT_DIMENSION_RULE_SAME:
        return check_agreement(a, 0, result);
    case DT_DIMENSION_RULE_COMPARE:
        status = check_agreement(a, 0, result);
        *result = dt_dimension_unknown;
        return status;
    case DT_DIMENSION_RULE_NUMBER:
        return check_numbers(a, 0, a->count);
    case DT_DIMENSION_RULE_PRODUCT:
        *result = dt_dimension_product(&operands[0].dimension, &operands[1].dimension, 1);
        return DETENT_OK;
    case DT_DIMENSION_RULE_QUOTIENT:
        *result = dt_dimension_product(&operands[0].dimension, &operands[1].dimension, -1);
        return DETENT_OK;
    case DT_DIMENSION_RULE_POWER:
        return check_power(a, result);
    case DT_DIMENSION_RULE_ROOT2:
        *result = dt_dimension_power(&operands[0].dimension, 0.5);
        return DETENT_OK;
    case DT_DIMENSION_RULE_ROOT3:
        *result = dt_dimension_power(&operands[0].dimension, 1.0 / 3);
        return DETENT_OK;
    case DT_DIMENSION_RULE_SHARE: {
        application two = *a;
        two.count = 2;
        status = check_agreement(&two, 0, result);
        *result = dt_dimension_unknown;
        return status ? status : check_numbers(a, 2, a->count);
    }
    case DT_DIMENSION_RULE_SELECT:
        status = check_numbers(a, 0, 1);
        return status ? status : check_agreement(a, 1, result);
    }
    return DETENT_OK;
}

detent_status dt_session_apply(dt_session *session, const dt_source_text *source, dt_opcode code,
                               const dt_operand *operands, int count, size_t offset,
                               dt_operand *result)
{
    application a = {session, source, &dt_functions[code], operands, count, offset};
    dt_dimension dimension;
    detent_status status = check_dimensions(&a, &dimension);
    if (status) {
        return status;
    }
    int arguments[3] = {0};
    for (int i = 0; i < count && i < 3; i++) {
        arguments[i] = operands[i].node;
    }
    int node = dt_graph_apply(&session->graph, code, arguments, source->place + offset);
    return finish(session, source, node, &dimension, operands[0].offset, result);
}
