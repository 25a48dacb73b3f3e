/* Calls: functions of the table, readings of the scope. */

#include "expression/parser.h"
#include "expression/reading.h"

#include <string.h>

/* --- Functions -------------------------------------------------------------------------------- */

static detent_status fail_count(dt_parser *parser, size_t offset, const dt_function *function,
                                int count)
{
    bool is_open = function->max_arguments == INT_MAX;
    int wanted = function->min_arguments;
    return dt_source_fail(parser->source, offset, parser->session->error, DETENT_ERROR_SYNTAX,
                          "%s() takes %s%d argument%s, not %d", function->name,
                          is_open ? "at least " : "", wanted, wanted == 1 ? "" : "s", count);
}

/* Behind an argument: true if another one follows. */
static detent_status parse_separator(dt_parser *parser, size_t start, bool *has_more)
{
    dt_token_kind kind = dt_parser_token(parser)->kind;
    if (kind == DT_TOKEN_END) {
        return dt_source_fail(parser->source, start, parser->session->error, DETENT_ERROR_SYNTAX,
                              "this '(' is never closed");
    }
    if (kind != DT_TOKEN_COMMA && kind != DT_TOKEN_CLOSE) {
        return dt_parser_unexpected(parser, "an operator, ',' or ')'");
    }
    parser->next++;
    *has_more = kind == DT_TOKEN_COMMA;
    return DETENT_OK;
}

/* Arguments up to the ')'. Those of a function of any number are combined as they come. */
static detent_status parse_function(dt_parser *parser, dt_opcode code, dt_operand *result)
{
    const dt_function *function = &dt_functions[code];
    bool combines = function->max_arguments == INT_MAX;
    size_t name = dt_parser_token(parser)->offset;
    size_t open = dt_parser_token(parser)[1].offset;
    dt_operand operands[3] = {{0}};
    int count = 0;

    parser->next += 2;
    bool has_more = dt_parser_token(parser)->kind != DT_TOKEN_CLOSE;
    parser->next += !has_more;
    while (has_more) {
        dt_operand operand;
        detent_status status = dt_parser_expression(parser, 1, &operand);
        if (!status) {
            status = parse_separator(parser, open, &has_more);
        }
        if (!status && combines && count > 0) {
            dt_operand pair[2] = {operands[0], operand};
            status = dt_session_apply(parser->session, parser->source, code, pair, 2, name,
                                      &operands[0]);
        } else if (count < 3) {
            operands[count] = operand;
        }
        if (status) {
            return status;
        }
        count++;
    }
    if (count < function->min_arguments || count > function->max_arguments) {
        return fail_count(parser, name, function, count);
    }
    detent_status status = DETENT_OK;
    if (combines) {
        *result = operands[0];
    } else {
        status =
            dt_session_apply(parser->session, parser->source, code, operands, count, name, result);
    }
    result->offset = name;
    return status;
}

/* --- Readings --------------------------------------------------------------------------------- */

typedef struct parsed_reading {
    char function[DT_EXPRESSION_NAME_MAX + 1];
    char item[DT_EXPRESSION_NAME_MAX + 1];
    char component[2];
    size_t function_offset, item_offset;
} parsed_reading;

static const char *suggest(const dt_parser *parser, const char *function, const char *name)
{
    const dt_scope *scope = parser->session->scope;
    return scope && scope->suggest ? scope->suggest(scope->context, function, name) : NULL;
}

static detent_status fail_function(dt_parser *parser, const parsed_reading *r)
{
    const char *nearest = dt_function_nearest(r->function);
    nearest = nearest ? nearest : dt_reading_nearest(r->function);
    detent_error *error = parser->session->error;
    if (nearest) {
        return dt_source_fail(parser->source, r->function_offset, error, DETENT_ERROR_MODEL,
                              "there is no function '%s'; did you mean '%s'?", r->function,
                              nearest);
    }
    return dt_source_fail(parser->source, r->function_offset, error, DETENT_ERROR_MODEL,
                          "there is no function '%s'", r->function);
}

static detent_status fail_reading(dt_parser *parser, const parsed_reading *r)
{
    detent_error *error = parser->session->error;
    const char *nearest = suggest(parser, r->function, r->item);
    if (!nearest && !dt_reading_is_known(r->function)) {
        return fail_function(parser, r);
    }
    if (nearest && strcmp(nearest, r->item) == 0) {
        const char *comma = r->component[0] ? ", " : "";
        return dt_source_fail(parser->source, r->function_offset, error, DETENT_ERROR_MODEL,
                              "%s(%s%s%s) cannot be read here", r->function, r->item, comma,
                              r->component);
    }
    if (nearest) {
        return dt_source_fail(parser->source, r->item_offset, error, DETENT_ERROR_MODEL,
                              "%s(): there is no '%s'; did you mean '%s'?", r->function, r->item,
                              nearest);
    }
    return dt_source_fail(parser->source, r->item_offset, error, DETENT_ERROR_MODEL,
                          "%s(): there is no '%s'", r->function, r->item);
}

/* , x */
static detent_status parse_component(dt_parser *parser, parsed_reading *r)
{
    parser->next++;
    const dt_token *token = dt_parser_token(parser);
    char letter = parser->source->text[token->offset];
    if (token->kind != DT_TOKEN_NAME || token->length != 1 || letter < 'x' || letter > 'z') {
        return dt_parser_unexpected(parser, "a component, x, y or z,");
    }
    r->component[0] = letter;
    parser->next++;
    return DETENT_OK;
}

/* item [, component] ) */
static detent_status parse_item(dt_parser *parser, parsed_reading *r)
{
    size_t open = dt_parser_token(parser)->offset;
    parser->next++;
    r->item_offset = dt_parser_token(parser)->offset;
    detent_status status = dt_parser_item(parser, r->item);
    if (!status && dt_parser_token(parser)->kind == DT_TOKEN_COMMA) {
        status = parse_component(parser, r);
    }
    if (status) {
        return status;
    }
    if (dt_parser_token(parser)->kind == DT_TOKEN_END) {
        return dt_source_fail(parser->source, open, parser->session->error, DETENT_ERROR_SYNTAX,
                              "this '(' is never closed");
    }
    if (dt_parser_token(parser)->kind != DT_TOKEN_CLOSE) {
        return dt_parser_unexpected(parser, "')' after the name of an item");
    }
    parser->next++;
    return DETENT_OK;
}

/* The argument of an unknown function is no reason to complain about its form. */
static detent_status parse_argument(dt_parser *parser, parsed_reading *r)
{
    if (dt_reading_is_known(r->function)) {
        return parse_item(parser, r);
    }
    detent_error *error = parser->session->error;
    parser->session->error = NULL;
    detent_status status = parse_item(parser, r);
    parser->session->error = error;
    if (status == DETENT_ERROR_MEMORY) {
        return dt_session_out_of_memory(parser->session);
    }
    return status ? fail_function(parser, r) : DETENT_OK;
}

static detent_status parse_reading(dt_parser *parser, dt_operand *result)
{
    const dt_token *token = dt_parser_token(parser);
    const dt_scope *scope = parser->session->scope;
    parsed_reading r = {.function_offset = token->offset};
    if (token->length > DT_EXPRESSION_NAME_MAX) {
        return dt_source_fail(parser->source, token->offset, parser->session->error,
                              DETENT_ERROR_MODEL, "this name is longer than the %d bytes allowed",
                              DT_EXPRESSION_NAME_MAX);
    }
    memcpy(r.function, parser->source->text + token->offset, token->length);
    parser->next++;

    detent_status status = parse_argument(parser, &r);
    if (status) {
        return status;
    }
    dt_symbol symbol = {.kind = DT_SYMBOL_UNKNOWN};
    if (scope && scope->reading) {
        symbol = scope->reading(scope->context, r.function, r.item, r.component);
    }
    if (symbol.kind != DT_SYMBOL_CONSTANT && symbol.kind != DT_SYMBOL_VARIABLE) {
        return fail_reading(parser, &r);
    }
    return dt_parser_symbol(parser, &symbol, r.function_offset, result);
}

detent_status dt_parser_call(dt_parser *parser, dt_operand *result)
{
    const dt_token *token = dt_parser_token(parser);
    char name[16] = "";
    if (token->length < sizeof name) {
        memcpy(name, parser->source->text + token->offset, token->length);
    }
    dt_opcode code = dt_function_find(name);
    return code == DT_OPCODES ? parse_reading(parser, result)
                              : parse_function(parser, code, result);
}
