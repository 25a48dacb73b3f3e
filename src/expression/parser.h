/**
 * @file parser.h
 * The grammar, from the loosest to the tightest:
 *
 *     a or b        a and b        not a        a < b  (also <= > >= == !=, not in chains)
 *     a + b  a - b        a * b  a / b        -a  +a        a ^ b  (from the right)
 *     number   number unit   number [unit]   name   (a)
 *     function(a, ...)   reading()   reading(item)   reading(item, component)   reading(item, component, item, item)
 *
 *     item, name = identifier { . identifier | [ constant expression ] }
 */
#ifndef DT_EXPRESSION_PARSER_H
#define DT_EXPRESSION_PARSER_H

#include "expression/lexer.h"
#include "expression/session.h"

typedef struct dt_parser {
    dt_session *session;
    const dt_source_text *source;
    const dt_token *tokens;
    size_t next; /**< token to be read */
    int depth;
    bool in_index; /**< only constants are allowed */
} dt_parser;

/** Parses all tokens. Every signal that they name must be DONE. */
detent_status dt_parser_run(dt_parser *parser, dt_operand *result);

/** One expression whose operators all bind at least as tightly as `level` (see parser.c; 1: any).
 */
detent_status dt_parser_expression(dt_parser *parser, int level, dt_operand *result);

/** Reads an item's name with its indices evaluated. */
detent_status dt_parser_item(dt_parser *parser, char name[DT_EXPRESSION_NAME_MAX + 1]);

/** A call name(...) of a function or a reading, from its name on. See call.c. */
detent_status dt_parser_call(dt_parser *parser, dt_operand *result);

/** Behind an argument: true if another one follows. `open`: where the '(' is. */
detent_status dt_parser_separator(dt_parser *parser, size_t open, bool *has_more);

/** A call of delay(), from its name on. See delay.c. */
detent_status dt_parser_delay(dt_parser *parser, dt_operand *result);

/** A number with or without unit. See literal.c. */
detent_status dt_parser_number(dt_parser *parser, dt_operand *result);

/** A constant, variable or signal. See name.c. */
detent_status dt_parser_name(dt_parser *parser, dt_operand *result);

/** The value that a scope gave for what stands at `offset`. */
detent_status dt_parser_symbol(dt_parser *parser, const dt_symbol *symbol, size_t offset,
                               dt_operand *result);

/** DETENT_ERROR_SYNTAX at the next token: what was expected instead. */
detent_status dt_parser_unexpected(dt_parser *parser, const char *expected);

/**
 * A source of the form NUMBER UNIT, with an optional sign: `*is_quantity` and its value. The unit
 * may be compound without brackets here ("5 lbf*ft", "2 m^2").
 */
detent_status dt_parser_quantity(dt_session *session, const dt_source_text *source,
                                 bool *is_quantity, dt_operand *result);

static inline const dt_token *dt_parser_token(const dt_parser *parser)
{
    return &parser->tokens[parser->next];
}

#endif
