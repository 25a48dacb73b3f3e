/* Names: constants, variables, signals, and the items of readings with their indices. */

#include "expression/parser.h"
#include "expression/reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Largest index; far more than there can be items. */
static const double index_max = 1e9;

/* Appends to a name; false if it becomes too long. */
static bool append(char name[DT_EXPRESSION_NAME_MAX + 1], const char *text, size_t length)
{
    size_t used = strlen(name);
    if (length > DT_EXPRESSION_NAME_MAX - used) {
        return false;
    }
    memcpy(name + used, text, length);
    name[used + length] = '\0';
    return true;
}

static detent_status fail_length(dt_parser *parser, size_t offset)
{
    return dt_source_fail(parser->source, offset, parser->session->error, DETENT_ERROR_MODEL,
                          "this name is longer than the %d bytes allowed", DT_EXPRESSION_NAME_MAX);
}

/* [expression], appended with its value. */
static detent_status parse_index(dt_parser *parser, char name[DT_EXPRESSION_NAME_MAX + 1])
{
    size_t start = dt_parser_token(parser)->offset;
    dt_operand operand;
    double value;
    char text[32];

    parser->next++;
    bool was_in_index = parser->in_index;
    parser->in_index = true;
    detent_status status = dt_parser_expression(parser, 1, &operand);
    parser->in_index = was_in_index;
    if (status) {
        return status;
    }
    if (dt_parser_token(parser)->kind != DT_TOKEN_CLOSE_INDEX) {
        return dt_parser_unexpected(parser, "']'");
    }
    parser->next++;
    if (!dt_graph_is_constant(&parser->session->graph, operand.node, &value)) {
        return dt_source_fail(parser->source, operand.offset, parser->session->error,
                              DETENT_ERROR_MODEL,
                              "an index must be made of numbers and parameters");
    }
    if (value != floor(value) || fabs(value) > index_max) {
        return dt_source_fail(parser->source, operand.offset, parser->session->error,
                              DETENT_ERROR_MODEL, "an index must be an integer, not %g", value);
    }
    snprintf(text, sizeof text, "[%.0f]", value + 0.0);
    return append(name, text, strlen(text)) ? DETENT_OK : fail_length(parser, start);
}

detent_status dt_parser_item(dt_parser *parser, char name[DT_EXPRESSION_NAME_MAX + 1])
{
    const char *text = parser->source->text;
    const dt_token *token = dt_parser_token(parser);
    size_t start = token->offset;
    name[0] = '\0';
    if (token->kind != DT_TOKEN_NAME) {
        return dt_parser_unexpected(parser, "a name");
    }
    parser->next++;
    if (!append(name, text + token->offset, token->length)) {
        return fail_length(parser, start);
    }
    for (;;) {
        token = dt_parser_token(parser);
        if (token->kind == DT_TOKEN_OPEN_INDEX) {
            detent_status status = parse_index(parser, name);
            if (status) {
                return status;
            }
        } else if (token->kind == DT_TOKEN_DOT) {
            parser->next++;
            token = dt_parser_token(parser);
            if (token->kind != DT_TOKEN_NAME) {
                return dt_parser_unexpected(parser, "a name");
            }
            parser->next++;
            if (!append(name, ".", 1) || !append(name, text + token->offset, token->length)) {
                return fail_length(parser, start);
            }
        } else {
            return DETENT_OK;
        }
    }
}

detent_status dt_parser_symbol(dt_parser *parser, const dt_symbol *symbol, size_t offset,
                               dt_operand *result)
{
    dt_session *session = parser->session;
    if (symbol->kind == DT_SYMBOL_VARIABLE) {
        return dt_session_variable(session, parser->source, symbol->variable, &symbol->dimension,
                                   offset, result);
    }
    if (!isfinite(symbol->value)) {
        return dt_source_fail(parser->source, offset, session->error, DETENT_ERROR_MODEL,
                              "this constant has no finite value");
    }
    return dt_session_constant(session, parser->source, symbol->value, &symbol->dimension, offset,
                               result);
}

/* Whether the name stands behind `5 N*`: then it may be meant as a part of the unit. */
static bool follows_unit(const dt_parser *parser, size_t token)
{
    return token >= 2 && parser->tokens[token - 2].kind == DT_TOKEN_UNIT &&
           (parser->tokens[token - 1].kind == DT_TOKEN_STAR ||
            parser->tokens[token - 1].kind == DT_TOKEN_SLASH);
}

static detent_status fail_unknown(dt_parser *parser, size_t token, const char *name)
{
    const dt_scope *scope = parser->session->scope;
    detent_error *error = parser->session->error;
    size_t offset = parser->tokens[token].offset;
    if (dt_function_find(name) != DT_OPCODES || dt_reading_is_known(name) ||
        (scope && scope->callback && scope->callback(scope->context, name, NULL))) {
        return dt_source_fail(parser->source, offset, error, DETENT_ERROR_SYNTAX,
                              "'%s' is a function: its arguments in parentheses are expected",
                              name);
    }
    if (follows_unit(parser, token)) {
        return dt_source_fail(
            parser->source, offset, error, DETENT_ERROR_MODEL,
            "there is no '%s'; a compound unit inside an expression stands in brackets: 5 [N*m]",
            name);
    }
    const char *nearest = scope && scope->suggest ? scope->suggest(scope->context, "", name) : NULL;
    if (nearest) {
        return dt_source_fail(parser->source, offset, error, DETENT_ERROR_MODEL,
                              "there is no '%s'; did you mean '%s'?", name, nearest);
    }
    return dt_source_fail(parser->source, offset, error, DETENT_ERROR_MODEL, "there is no '%s'",
                          name);
}

detent_status dt_parser_name(dt_parser *parser, dt_operand *result)
{
    dt_session *session = parser->session;
    size_t token = parser->next;
    size_t offset = parser->tokens[token].offset;
    char text[DT_EXPRESSION_NAME_MAX + 1];
    detent_status status = dt_parser_item(parser, text);
    if (status) {
        return status;
    }
    if (strcmp(text, "pi") == 0) {
        return dt_session_constant(session, parser->source, pi, &dt_dimension_unknown, offset,
                                   result);
    }
    int index = dt_session_name(session, text);
    if (index < 0) {
        return dt_session_out_of_memory(session);
    }
    const dt_name *name = &session->names[index];
    if (name->state == DT_NAME_DONE && !parser->in_index) {
        *result = name->value;
        result->offset = offset;
        return DETENT_OK;
    }
    if (name->state != DT_NAME_PLAIN) {
        return dt_source_fail(
            parser->source, offset, session->error, DETENT_ERROR_MODEL,
            "a signal cannot be used here: an index must be made of numbers and parameters");
    }
    if (name->symbol.kind != DT_SYMBOL_UNKNOWN) {
        return dt_parser_symbol(parser, &name->symbol, offset, result);
    }
    const bool refused = name->symbol.argument == DT_ARGUMENT_FUNCTION;
    if (!refused && strcmp(text, "t") == 0) {
        return dt_session_variable(session, parser->source, (dt_variable){DT_VARIABLE_TIME, 0},
                                   &dt_dimension_time, offset, result);
    }
    return fail_unknown(parser, token, text);
}
