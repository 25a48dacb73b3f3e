/* From text to program: parse into a graph, keep what the result needs (compact.c). */

#include "base/text.h"
#include "expression/dimension.h"
#include "expression/lexer.h"
#include "expression/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static detent_status check_expected(const dt_session *session, const dt_source_text *source,
                                    const dt_operand *result, const dt_dimension *expected)
{
    if (!expected || dt_dimension_fits(expected, &result->dimension)) {
        return DETENT_OK;
    }
    char wanted[64], found[64];
    dt_dimension_print(expected, wanted, sizeof wanted);
    dt_dimension_print(&result->dimension, found, sizeof found);
    size_t start = strspn(source->text, " \t\r\n");
    if (dt_dimension_agrees(expected, &result->dimension)) {
        const bool number = dt_dimension_is_none(expected);
        return dt_source_fail(
            source, start, session->error, DETENT_ERROR_MODEL, "%s%s is expected here, not %s",
            number ? "a number without unit" : "a value in ", number ? "" : wanted,
            number ? "an angle" : "one with an angle in its unit");
    }
    if (expected->no_angle && dt_dimension_is_none(expected)) {
        return dt_source_fail(source, start, session->error, DETENT_ERROR_MODEL,
                              "a number without unit is expected here, not a value in %s", found);
    }
    if (dt_dimension_is_none(expected)) {
        return dt_source_fail(source, start, session->error, DETENT_ERROR_MODEL,
                              "a number without unit or an angle is expected here, not %s", found);
    }
    if (dt_dimension_is_none(&result->dimension)) {
        return dt_source_fail(
            source, start, session->error, DETENT_ERROR_MODEL,
            "a value in %s is expected here, not an angle or a number without unit", wanted);
    }
    return dt_source_fail(source, start, session->error, DETENT_ERROR_MODEL,
                          "a value in %s is expected here, not in %s", wanted, found);
}

/* --- The call --------------------------------------------------------------------------------- */

/* A plain number, by far the most frequent text, needs no session. */
static bool is_plain_number(const char *text, double *value)
{
    size_t sign = text[0] == '-' || text[0] == '+';
    size_t length = dt_lexer_number_length(text + sign);
    return length > 0 && text[sign + length] == '\0' && dt_parse_number(text, sign + length, value);
}

/* Wraps a rate into its stops: stopped(rate, z - low), -stopped(-rate, high - z). */
static detent_status wrap(dt_session *session, const dt_stops *stops, dt_operand *result)
{
    dt_graph *graph = &session->graph;
    const int z = dt_graph_variable(graph, stops->variable, 0);
    int rate = result->node;
    if (isfinite(stops->low)) {
        const int border = dt_graph_constant(graph, stops->low, 0),
                  left = dt_graph_apply(graph, DT_OP_SUBTRACT, (int[]){z, border, 0}, 0);
        rate = dt_graph_apply(graph, DT_OP_STOPPED, (int[]){rate, left, 0}, 0);
    }
    if (isfinite(stops->high)) {
        const int border = dt_graph_constant(graph, stops->high, 0),
                  left = dt_graph_apply(graph, DT_OP_SUBTRACT, (int[]){border, z, 0}, 0),
                  back = dt_graph_apply(graph, DT_OP_NEGATE, (int[]){rate, 0, 0}, 0);
        rate = dt_graph_apply(graph, DT_OP_STOPPED, (int[]){back, left, 0}, 0);
        rate = dt_graph_apply(graph, DT_OP_NEGATE, (int[]){rate, 0, 0}, 0);
    }
    result->node = rate;
    return rate >= 0 ? DETENT_OK : dt_session_out_of_memory(session);
}

static detent_status build(dt_session *session, dt_arena *arena, const char *text,
                           const dt_location *where, const dt_dimension *expected,
                           const dt_stops *stops, dt_program **program)
{
    const dt_source_text *source;
    dt_operand result;
    detent_status status = dt_session_add_source(session, text, where, &source);
    if (!status) {
        status = dt_session_parse(session, source, &result);
    }
    if (!status) {
        status = check_expected(session, source, &result, expected);
    }
    if (!status && stops) {
        status = wrap(session, stops, &result);
    }
    if (status) {
        return status;
    }
    dt_program *built = dt_arena_one(arena, sizeof *built);
    const char *copy = dt_arena_copy(arena, text, source->length);
    if (!built || !copy) {
        return dt_session_out_of_memory(session);
    }
    built->text = copy;
    built->dimension = result.dimension;
    status = dt_session_program(session, result.node, arena, built);
    if (!status) {
        *program = built;
    }
    return status;
}

detent_status dt_program_parse(dt_arena *arena, const char *text, const dt_location *where,
                               const dt_scope *scope, dt_unit_system *units,
                               const dt_dimension *expected, dt_program **program,
                               detent_error *error)
{
    return dt_program_parse_rate(arena, text, where, scope, units, expected, NULL, program, error);
}

detent_status dt_program_parse_rate(dt_arena *arena, const char *text, const dt_location *where,
                                    const dt_scope *scope, dt_unit_system *units,
                                    const dt_dimension *expected, const dt_stops *stops,
                                    dt_program **program, detent_error *error)
{
    double value;
    *program = NULL;
    if (!stops && is_plain_number(text, &value)) {
        *program = dt_program_constant(arena, value);
        const char *copy = *program ? dt_arena_copy(arena, text, strlen(text)) : NULL;
        if (!copy) {
            *program = NULL;
            return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
        }
        (*program)->text = copy;
        return DETENT_OK;
    }
    dt_arena scratch;
    dt_session session;
    dt_arena_init(&scratch, &arena->allocator);
    dt_session_init(&session, &scratch, scope, units, error);
    detent_status status = build(&session, arena, text, where, expected, stops, program);
    dt_arena_free(&scratch);
    return status;
}

/* --- Many at once ------------------------------------------------------------------------------ */

/* What the texts come to, in a session that knows all their signals by then. */
static detent_status parse_all(dt_session *session, const dt_text *texts, size_t count,
                               dt_operand *results)
{
    for (size_t i = 0; i < count; i++) {
        const dt_source_text *source;
        detent_status status =
            dt_session_add_source(session, texts[i].text, &texts[i].where, &source);
        status = status ? status : dt_session_parse(session, source, &results[i]);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

/* Each program is the part of the common one up to its own result. */
static bool divide(dt_session *session, dt_arena *arena, const dt_program *common,
                   const dt_text *texts, const dt_operand *results, const int *registers,
                   size_t count, dt_program *programs)
{
    int *slots =
        dt_arena_alloc(session->scratch, (size_t)common->operation_count + 1, sizeof *slots);
    for (int k = 0; slots && k < common->operation_count; k++) {
        slots[k + 1] = slots[k] + (common->operations[k].code == DT_OP_VARIABLE);
    }
    for (size_t i = 0; i < count && slots; i++) {
        dt_program *own = &programs[i];
        double value = 0;
        *own = *common;
        own->dimension = results[i].dimension;
        own->operation_count = registers[results[i].node] + 1;
        own->variable_count = slots[own->operation_count];
        own->is_constant = dt_graph_is_constant(&session->graph, results[i].node, &value);
        own->constant = value;
        own->text = dt_arena_copy(arena, texts[i].text, strlen(texts[i].text));
        if (!own->text) {
            return false;
        }
    }
    return slots != NULL;
}

static detent_status build_together(dt_session *session, dt_arena *arena, const dt_text *texts,
                                    size_t count, dt_program *programs)
{
    dt_operand *results = dt_arena_alloc(session->scratch, count, sizeof *results);
    if (!results) {
        return dt_session_out_of_memory(session);
    }
    detent_status status = parse_all(session, texts, count, results);
    if (status) {
        return status;
    }
    dt_program common = {0};
    int last = 0;
    int *registers =
        dt_arena_alloc(session->scratch, (size_t)session->graph.count, sizeof *registers);
    if (!registers) {
        return dt_session_out_of_memory(session);
    }
    for (size_t i = 0; i < count; i++) {
        registers[results[i].node] = 1;
        last = results[i].node > last ? results[i].node : last;
    }
    status = dt_session_write(session, last, registers, arena, &common);
    if (!status && !divide(session, arena, &common, texts, results, registers, count, programs)) {
        status = dt_session_out_of_memory(session);
    }
    return status;
}

detent_status dt_program_parse_together(dt_arena *arena, const dt_text *texts, size_t count,
                                        const dt_scope *scope, dt_unit_system *units,
                                        dt_program *programs, detent_error *error)
{
    dt_arena scratch;
    dt_session session;
    if (count == 0) {
        return DETENT_OK;
    }
    dt_arena_init(&scratch, &arena->allocator);
    dt_session_init(&session, &scratch, scope, units, error);
    session.graph.limit = DT_EXPRESSION_TOGETHER_MAX;
    const detent_status status = build_together(&session, arena, texts, count, programs);
    dt_arena_free(&scratch);
    return status;
}
