/*
 * delay(x, T) and delay(x, T, before): what the expression x was T seconds ago; up to T after the start, what it was before that.
 *
 * What stands for x is parsed in place, so that its errors are told where they are, and becomes a program of its own, for which the scope gives a
 * variable. To the expression around it that is a value that goes its own way: nothing that moves now changes it.
 */
#include "expression/parser.h"

#include <math.h>

enum { MOST = 3 };

static detent_status fail(const dt_parser *parser, size_t offset, const char *what)
{
    return dt_source_fail(parser->source, offset, parser->session->error, DETENT_ERROR_MODEL, "%s",
                          what);
}

/* Up to the ')'; `end`: where the first one ends in the source. */
static detent_status parse_arguments(dt_parser *parser, dt_operand *argument, int *count,
                                     size_t *end)
{
    const size_t name = dt_parser_token(parser)->offset, open = dt_parser_token(parser)[1].offset;
    parser->next += 2;
    *count = 0;
    bool has_more = dt_parser_token(parser)->kind != DT_TOKEN_CLOSE;
    parser->next += !has_more;
    while (has_more) {
        dt_operand operand;
        detent_status status = dt_parser_expression(parser, 1, &operand);
        if (!status && *count == 0) {
            *end = dt_parser_token(parser)->offset;
        }
        status = status ? status : dt_parser_separator(parser, open, &has_more);
        if (status) {
            return status;
        }
        argument[*count < MOST ? *count : MOST - 1] = operand;
        (*count)++;
    }
    return *count == 2 || *count == MOST
               ? DETENT_OK
               : dt_source_fail(parser->source, name, parser->session->error, DETENT_ERROR_SYNTAX,
                                "delay() takes a value, a time and, if it is not that of the "
                                "start, what it was before: 2 or 3 arguments, not %d",
                                *count);
}

/* The time: a constant. */
static detent_status take_time(const dt_parser *parser, const dt_operand *argument, double *time)
{
    if (!dt_graph_is_constant(&parser->session->graph, argument->node, time)) {
        return fail(parser, argument->offset,
                    "a dead time must be made of numbers and parameters that are not tunable");
    }
    if (!dt_dimension_fits(&dt_dimension_time, &argument->dimension)) {
        return fail(parser, argument->offset, "a dead time must be a time, as 250 ms");
    }
    return *time > 0 && isfinite(*time)
               ? DETENT_OK
               : dt_source_fail(parser->source, argument->offset, parser->session->error,
                                DETENT_ERROR_MODEL, "a dead time must be positive, not %g s",
                                *time);
}

/* What it was before the start: a constant of the same unit. */
static detent_status take_before(const dt_parser *parser, const dt_operand *argument,
                                 const dt_operand *value, double *before)
{
    if (!dt_graph_is_constant(&parser->session->graph, argument->node, before)) {
        return fail(parser, argument->offset,
                    "what a value was before the start must be made of numbers and parameters that "
                    "are not tunable");
    }
    return !value->dimension.known || !argument->dimension.known ||
                   dt_dimension_fits(&value->dimension, &argument->dimension)
               ? DETENT_OK
               : fail(parser, argument->offset,
                      "what a value was before the start must have its unit");
}

/* The text of the value, for messages. */
static const char *text_of(const dt_parser *parser, size_t from, size_t to)
{
    const char *text = parser->source->text;
    while (to > from && text[to - 1] == ' ') {
        to--;
    }
    return dt_arena_copy(parser->session->scratch, text + from, to - from);
}

detent_status dt_parser_delay(dt_parser *parser, dt_operand *result)
{
    dt_session *session = parser->session;
    const dt_scope *scope = session->scope;
    const size_t name = dt_parser_token(parser)->offset,
                 from = dt_parser_token(parser)[1].offset + 1;
    dt_operand argument[MOST] = {{0}};
    size_t to = from;
    int count;
    dt_delayed delayed = {0};
    detent_status status = parse_arguments(parser, argument, &count, &to);
    status = status ? status : take_time(parser, &argument[1], &delayed.time);
    if (!status && count == MOST) {
        delayed.has_before = true;
        status = take_before(parser, &argument[2], &argument[0], &delayed.before);
    }
    if (status) {
        return status;
    }
    dt_program *program = dt_arena_one(session->scratch, sizeof *program);
    const char *text = program ? text_of(parser, from, to) : NULL;
    if (!text) {
        return dt_session_out_of_memory(session);
    }
    *program = (dt_program){.text = text, .dimension = argument[0].dimension};
    status = dt_session_program(session, argument[0].node, session->scratch, program);
    if (status) {
        return status;
    }
    delayed.program = program;
    dt_symbol symbol = {.kind = DT_SYMBOL_UNKNOWN};
    if (scope && scope->delay) {
        symbol = scope->delay(scope->context, &delayed);
    }
    if (symbol.kind != DT_SYMBOL_VARIABLE) {
        return fail(parser, name, "delay() cannot be read here");
    }
    return dt_session_variable(session, parser->source, symbol.variable, &argument[0].dimension,
                               name, result);
}
