/* Precedence climbing. Every nested operand is one level of recursion, which is bounded. */

#include "expression/parser.h"

#include <stdio.h>
#include <string.h>

enum { LEVEL_NOT = 3, LEVEL_COMPARISON = 4, LEVEL_SIGN = 7, LEVEL_POWER = 8 };

static const struct {
    dt_token_kind token;
    dt_opcode code;
    int level;
} operators[] = {
    {DT_TOKEN_OR, DT_OP_OR, 1},
    {DT_TOKEN_AND, DT_OP_AND, 2},
    {DT_TOKEN_LESS, DT_OP_LESS, LEVEL_COMPARISON},
    {DT_TOKEN_LESS_EQUAL, DT_OP_LESS_EQUAL, LEVEL_COMPARISON},
    {DT_TOKEN_GREATER, DT_OP_GREATER, LEVEL_COMPARISON},
    {DT_TOKEN_GREATER_EQUAL, DT_OP_GREATER_EQUAL, LEVEL_COMPARISON},
    {DT_TOKEN_EQUAL, DT_OP_EQUAL, LEVEL_COMPARISON},
    {DT_TOKEN_NOT_EQUAL, DT_OP_NOT_EQUAL, LEVEL_COMPARISON},
    {DT_TOKEN_PLUS, DT_OP_ADD, 5},
    {DT_TOKEN_MINUS, DT_OP_SUBTRACT, 5},
    {DT_TOKEN_STAR, DT_OP_MULTIPLY, 6},
    {DT_TOKEN_SLASH, DT_OP_DIVIDE, 6},
    {DT_TOKEN_CARET, DT_OP_POWER, LEVEL_POWER},
};

detent_status dt_parser_unexpected(dt_parser *parser, const char *expected)
{
    const dt_token *token = dt_parser_token(parser);
    detent_error *error = parser->session->error;
    if (token->kind == DT_TOKEN_END) {
        return dt_source_fail(parser->source, token->offset, error, DETENT_ERROR_SYNTAX,
                              "%s is expected, but the expression ends here", expected);
    }
    int length = token->length < 40 ? (int)token->length : 40;
    return dt_source_fail(parser->source, token->offset, error, DETENT_ERROR_SYNTAX,
                          "%s is expected before '%.*s'", expected, length,
                          parser->source->text + token->offset);
}

static detent_status parse_parentheses(dt_parser *parser, dt_operand *result)
{
    size_t start = dt_parser_token(parser)->offset;
    parser->next++;
    detent_status status = dt_parser_expression(parser, 1, result);
    if (status) {
        return status;
    }
    if (dt_parser_token(parser)->kind == DT_TOKEN_END) {
        return dt_source_fail(parser->source, start, parser->session->error, DETENT_ERROR_SYNTAX,
                              "this '(' is never closed");
    }
    if (dt_parser_token(parser)->kind != DT_TOKEN_CLOSE) {
        return dt_parser_unexpected(parser, "an operator or ')'");
    }
    parser->next++;
    result->offset = start;
    return DETENT_OK;
}

static detent_status parse_primary(dt_parser *parser, dt_operand *result)
{
    switch (dt_parser_token(parser)->kind) {
    case DT_TOKEN_NUMBER:
        return dt_parser_number(parser, result);
    case DT_TOKEN_OPEN:
        return parse_parentheses(parser, result);
    case DT_TOKEN_NAME:
        return dt_parser_token(parser)[1].kind == DT_TOKEN_OPEN ? dt_parser_call(parser, result)
                                                                : dt_parser_name(parser, result);
    default:
        return dt_parser_unexpected(parser, "a value");
    }
}

static detent_status parse_prefixed(dt_parser *parser, int level, dt_operand *result)
{
    dt_token token = *dt_parser_token(parser);
    bool is_not = token.kind == DT_TOKEN_NOT;
    if (!is_not && token.kind != DT_TOKEN_MINUS && token.kind != DT_TOKEN_PLUS) {
        return parse_primary(parser, result);
    }
    if (is_not && level > LEVEL_NOT) {
        return dt_source_fail(parser->source, token.offset, parser->session->error,
                              DETENT_ERROR_SYNTAX, "'not' needs parentheses here: (not ...)");
    }
    parser->next++;
    dt_operand operand;
    detent_status status = dt_parser_expression(parser, is_not ? LEVEL_NOT : LEVEL_SIGN, &operand);
    if (status) {
        return status;
    }
    if (token.kind == DT_TOKEN_PLUS) {
        *result = operand;
    } else {
        status =
            dt_session_apply(parser->session, parser->source, is_not ? DT_OP_NOT : DT_OP_NEGATE,
                             &operand, 1, token.offset, result);
    }
    result->offset = token.offset;
    return status;
}

/* The row of the operator that is next, or -1. */
static int next_operator(const dt_parser *parser)
{
    dt_token_kind kind = dt_parser_token(parser)->kind;
    for (int i = 0; i < (int)(sizeof operators / sizeof operators[0]); i++) {
        if (operators[i].token == kind) {
            return i;
        }
    }
    return -1;
}

static detent_status fail_chain(dt_parser *parser)
{
    return dt_source_fail(parser->source, dt_parser_token(parser)->offset, parser->session->error,
                          DETENT_ERROR_SYNTAX,
                          "comparisons cannot be chained: write 'a < b and b < c'");
}

static detent_status parse_operators(dt_parser *parser, int level, dt_operand *left)
{
    for (int row = next_operator(parser); row >= 0 && operators[row].level >= level;
         row = next_operator(parser)) {
        int own = operators[row].level;
        size_t offset = dt_parser_token(parser)->offset;
        dt_operand operands[2] = {*left};
        parser->next++;
        detent_status status =
            dt_parser_expression(parser, own == LEVEL_POWER ? LEVEL_POWER : own + 1, &operands[1]);
        if (!status) {
            status = dt_session_apply(parser->session, parser->source, operators[row].code,
                                      operands, 2, offset, left);
        }
        if (status) {
            return status;
        }
        int follower = next_operator(parser);
        if (own == LEVEL_COMPARISON && follower >= 0 &&
            operators[follower].level == LEVEL_COMPARISON) {
            return fail_chain(parser);
        }
    }
    return DETENT_OK;
}

detent_status dt_parser_expression(dt_parser *parser, int level, dt_operand *result)
{
    if (parser->depth >= DT_EXPRESSION_DEPTH_MAX) {
        return dt_source_fail(parser->source, dt_parser_token(parser)->offset,
                              parser->session->error, DETENT_ERROR_MODEL,
                              "this expression is nested more than %d deep",
                              DT_EXPRESSION_DEPTH_MAX);
    }
    parser->depth++;
    detent_status status = parse_prefixed(parser, level, result);
    if (!status) {
        status = parse_operators(parser, level, result);
    }
    parser->depth--;
    return status;
}

detent_status dt_parser_run(dt_parser *parser, dt_operand *result)
{
    if (dt_parser_token(parser)->kind == DT_TOKEN_END) {
        return dt_source_fail(parser->source, 0, parser->session->error, DETENT_ERROR_SYNTAX,
                              "an expression is missing here");
    }
    detent_status status = dt_parser_expression(parser, 1, result);
    if (!status && dt_parser_token(parser)->kind == DT_TOKEN_CLOSE) {
        return dt_source_fail(parser->source, dt_parser_token(parser)->offset,
                              parser->session->error, DETENT_ERROR_SYNTAX,
                              "this ')' closes nothing");
    }
    if (!status && dt_parser_token(parser)->kind != DT_TOKEN_END) {
        return dt_parser_unexpected(parser, "an operator");
    }
    return status;
}
