/* Calls: functions of the table, readings of the scope. */

#include "expression/parser.h"
#include "expression/reading.h"

#include <math.h>
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

detent_status dt_parser_separator(dt_parser *parser, size_t start, bool *has_more)
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
            status = dt_parser_separator(parser, open, &has_more);
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

/* --- Tables ----------------------------------------------------------------------------------- */

/* Arguments up to the ')', the first `most` of them into `operands`. */
static detent_status parse_arguments(dt_parser *parser, dt_operand *operands, int most, int *count)
{
    const size_t open = dt_parser_token(parser)[1].offset;
    *count = 0;
    parser->next += 2;
    bool has_more = dt_parser_token(parser)->kind != DT_TOKEN_CLOSE;
    parser->next += !has_more;
    while (has_more) {
        dt_operand operand;
        detent_status status = dt_parser_expression(parser, 1, &operand);
        status = status ? status : dt_parser_separator(parser, open, &has_more);
        if (status) {
            return status;
        }
        if (*count < most) {
            operands[*count] = operand;
        }
        ++*count;
    }
    return DETENT_OK;
}

static detent_status parse_table(dt_parser *parser, const dt_curve *curve, dt_operand *result)
{
    const size_t name = dt_parser_token(parser)->offset;
    dt_operand operands[2] = {{0}};
    int count = 0;
    detent_status status = parse_arguments(parser, operands, 2, &count);
    if (status) {
        return status;
    }
    if (count != curve->axes) {
        return dt_source_fail(parser->source, name, parser->session->error, DETENT_ERROR_SYNTAX,
                              "the table '%s' takes %s, not %d", curve->name,
                              curve->axes > 1 ? "2 arguments" : "1 argument", count);
    }
    status = dt_session_table(parser->session, parser->source, curve, operands, name, result);
    result->offset = name;
    return status;
}

/* The name at the next token; "": it is longer than any. */
static void copy_name(const dt_parser *parser, char name[DT_EXPRESSION_NAME_MAX + 1])
{
    const dt_token *token = dt_parser_token(parser);
    const size_t length = token->length <= DT_EXPRESSION_NAME_MAX ? token->length : 0;
    memcpy(name, parser->source->text + token->offset, length);
    name[length] = '\0';
}

/* The table that the call at the next token is of, or NULL. */
static const dt_curve *find_table(const dt_parser *parser)
{
    const dt_scope *scope = parser->session->scope;
    char name[DT_EXPRESSION_NAME_MAX + 1];
    copy_name(parser, name);
    return scope && scope->table && *name ? scope->table(scope->context, name) : NULL;
}

/* --- Functions of the program ------------------------------------------------------------------- */

static detent_status parse_callback(dt_parser *parser, const dt_callback *callback,
                                    dt_operand *result)
{
    dt_session *session = parser->session;
    const size_t name = dt_parser_token(parser)->offset;
    dt_operand operands[DETENT_MAX_ARGUMENTS] = {{0}};
    int count = 0;
    double value;
    detent_status status = parse_arguments(parser, operands, DETENT_MAX_ARGUMENTS, &count);
    if (status) {
        return status;
    }
    if (count != callback->argument_count) {
        return dt_source_fail(parser->source, name, session->error, DETENT_ERROR_SYNTAX,
                              "the function '%s' takes %d argument%s, not %d", callback->name,
                              callback->argument_count, callback->argument_count > 1 ? "s" : "",
                              count);
    }
    status = dt_session_call(session, parser->source, callback, operands, name, result);
    if (!status && session->scope->is_bent && !session->graph.nodes[result->node].is_bad &&
        !dt_graph_is_constant(&session->graph, result->node, &value)) {
        return dt_source_fail(parser->source, name, session->error, DETENT_ERROR_MODEL,
                              "the function '%s' has no second derivative, which is needed here: "
                              "motions and curves call functions of constants only",
                              callback->name);
    }
    return status;
}

/* The function of the program that the call at the next token is of, or NULL. */
static const dt_callback *find_callback(const dt_parser *parser)
{
    const dt_scope *scope = parser->session->scope;
    char name[DT_EXPRESSION_NAME_MAX + 1];
    copy_name(parser, name);
    return scope && scope->callback && *name ? scope->callback(scope->context, name, NULL) : NULL;
}

/* --- Readings --------------------------------------------------------------------------------- */

typedef struct parsed_reading {
    char function[DT_EXPRESSION_NAME_MAX + 1];
    char argument[DT_ARGUMENTS][DT_EXPRESSION_NAME_MAX + 1]; /* "": not there */
    size_t function_offset, offset[DT_ARGUMENTS];
    int number; /* dt_reading.number */
} parsed_reading;

static dt_reading as_written(const parsed_reading *r)
{
    return (dt_reading){r->function,
                        r->argument[DT_ARGUMENT_ITEM],
                        r->argument[DT_ARGUMENT_COMPONENT],
                        r->argument[DT_ARGUMENT_OBSERVER],
                        r->argument[DT_ARGUMENT_AXES],
                        r->number};
}

static const char *suggest(const dt_parser *parser, const char *function, const char *name)
{
    const dt_scope *scope = parser->session->scope;
    return scope && scope->suggest ? scope->suggest(scope->context, function, name) : NULL;
}

static detent_status fail_function(dt_parser *parser, const parsed_reading *r)
{
    const dt_scope *scope = parser->session->scope;
    const char *nearest = NULL;
    if (scope && scope->callback) {
        scope->callback(scope->context, r->function, &nearest);
    }
    nearest = nearest ? nearest : dt_function_nearest(r->function);
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

static detent_status fail_reading(dt_parser *parser, const parsed_reading *r, dt_argument argument)
{
    detent_error *error = parser->session->error;
    const char *item = r->argument[DT_ARGUMENT_ITEM],
               *component = r->argument[DT_ARGUMENT_COMPONENT];
    const bool of_item = argument == DT_ARGUMENT_ITEM && *item;
    const char *nearest = of_item ? suggest(parser, r->function, item) : NULL;
    if (of_item && !nearest && !dt_reading_is_known(r->function)) {
        return fail_function(parser, r);
    }
    if (!of_item || (nearest && strcmp(nearest, item) == 0)) {
        const bool of_text = argument != DT_ARGUMENT_ITEM && argument < DT_ARGUMENTS;
        return dt_source_fail(parser->source, of_text ? r->offset[argument] : r->function_offset,
                              error, DETENT_ERROR_MODEL, "%s(%s%s%s) cannot be read here",
                              r->function, item, *component ? ", " : "", component);
    }
    const size_t offset = r->offset[DT_ARGUMENT_ITEM];
    if (nearest) {
        return dt_source_fail(parser->source, offset, error, DETENT_ERROR_MODEL,
                              "%s(): there is no '%s'; did you mean '%s'?", r->function, item,
                              nearest);
    }
    return dt_source_fail(parser->source, offset, error, DETENT_ERROR_MODEL,
                          "%s(): there is no '%s'", r->function, item);
}

static detent_status parse_component(dt_parser *parser, char text[DT_EXPRESSION_NAME_MAX + 1])
{
    const dt_token *token = dt_parser_token(parser);
    if (token->kind != DT_TOKEN_NAME || token->length > DT_EXPRESSION_NAME_MAX) {
        return dt_parser_unexpected(parser, "a component, such as x, y or z,");
    }
    memcpy(text, parser->source->text + token->offset, token->length);
    text[token->length] = '\0';
    parser->next++;
    return DETENT_OK;
}

/* A constant that counts: whole, from 1 on. */
static detent_status parse_number(dt_parser *parser, int *number)
{
    dt_operand operand;
    double value = 0;
    const bool was_in_index = parser->in_index;
    parser->in_index = true;
    const detent_status status = dt_parser_expression(parser, 1, &operand);
    parser->in_index = was_in_index;
    if (status) {
        return status;
    }
    if (!dt_graph_is_constant(&parser->session->graph, operand.node, &value)) {
        return dt_source_fail(parser->source, operand.offset, parser->session->error,
                              DETENT_ERROR_MODEL,
                              "a number of instants must be made of numbers and parameters");
    }
    if (operand.dimension.known && !dt_dimension_is_none(&operand.dimension)) {
        return dt_source_fail(parser->source, operand.offset, parser->session->error,
                              DETENT_ERROR_MODEL, "a number of instants is without unit");
    }
    if (!(value >= 1 && value <= DT_NUMBER_MAX) || value != floor(value)) {
        return dt_source_fail(
            parser->source, operand.offset, parser->session->error, DETENT_ERROR_MODEL,
            "a number of instants must be an integer from 1 to %d, not %g", DT_NUMBER_MAX, value);
    }
    *number = (int)value;
    return DETENT_OK;
}

/* [ item [, component [, observer [, axes]]] ] ), of what counts [ item [, number] ] ) */
static detent_status parse_item(dt_parser *parser, parsed_reading *r)
{
    size_t open = dt_parser_token(parser)->offset;
    detent_status status = DETENT_OK;
    bool more =
        dt_parser_token(parser)[1].kind != DT_TOKEN_CLOSE || !dt_reading_is_of_whole(r->function);
    const bool counts = dt_reading_counts(r->function);
    parser->next += !more;
    for (int k = 0; k < (counts ? 2 : DT_ARGUMENTS) && more && !status; k++) {
        parser->next++;
        r->offset[k] = dt_parser_token(parser)->offset;
        status = k != DT_ARGUMENT_COMPONENT ? dt_parser_item(parser, r->argument[k])
                 : counts                   ? parse_number(parser, &r->number)
                                            : parse_component(parser, r->argument[k]);
        more = !status && dt_parser_token(parser)->kind == DT_TOKEN_COMMA;
    }
    if (status) {
        return status;
    }
    if (dt_parser_token(parser)->kind == DT_TOKEN_END) {
        return dt_source_fail(parser->source, open, parser->session->error, DETENT_ERROR_SYNTAX,
                              "this '(' is never closed");
    }
    if (dt_parser_token(parser)->kind != DT_TOKEN_CLOSE) {
        return dt_parser_unexpected(parser, counts ? "')' after the item and a number"
                                                   : "')' after the name of an item");
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

/* t less what is there */
static detent_status take_from_time(dt_parser *parser, size_t offset, dt_operand *result)
{
    dt_session *session = parser->session;
    dt_operand operands[2] = {[1] = *result};
    const detent_status status =
        dt_session_variable(session, parser->source, (dt_variable){DT_VARIABLE_TIME, 0},
                            &dt_dimension_time, offset, &operands[0]);
    return status ? status
                  : dt_session_apply(session, parser->source, DT_OP_SUBTRACT, operands, 2, offset,
                                     result);
}

static detent_status parse_reading(dt_parser *parser, dt_operand *result)
{
    const dt_token *token = dt_parser_token(parser);
    const dt_scope *scope = parser->session->scope;
    parsed_reading r = {.function_offset = token->offset, .number = 1};
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
        const dt_reading written = as_written(&r);
        symbol = scope->reading(scope->context, &written);
    }
    if (symbol.kind != DT_SYMBOL_CONSTANT && symbol.kind != DT_SYMBOL_VARIABLE) {
        return fail_reading(parser, &r, symbol.argument);
    }
    status = dt_parser_symbol(parser, &symbol, r.function_offset, result);
    return status || !symbol.is_since ? status : take_from_time(parser, r.function_offset, result);
}

detent_status dt_parser_call(dt_parser *parser, dt_operand *result)
{
    const dt_token *token = dt_parser_token(parser);
    char name[16] = "";
    if (token->length < sizeof name) {
        memcpy(name, parser->source->text + token->offset, token->length);
    }
    dt_opcode code = dt_function_find(name);
    const dt_curve *curve = code == DT_OPCODES ? find_table(parser) : NULL;
    const dt_callback *callback = code == DT_OPCODES ? find_callback(parser) : NULL;
    return dt_reading_is_delay(name) ? dt_parser_delay(parser, result)
           : callback                ? parse_callback(parser, callback, result)
           : curve                   ? parse_table(parser, curve, result)
           : code == DT_OPCODES      ? parse_reading(parser, result)
                                     : parse_function(parser, code, result);
}
