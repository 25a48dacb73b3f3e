/**
 * @file lexer.h
 * From text to tokens.
 */
#ifndef DT_EXPRESSION_LEXER_H
#define DT_EXPRESSION_LEXER_H

#include "base/arena.h"
#include "expression/source.h"

typedef enum dt_token_kind {
    DT_TOKEN_END,
    DT_TOKEN_NUMBER,
    DT_TOKEN_UNIT, /**< directly after a number; N*m of `5 [N*m]` too */
    DT_TOKEN_NAME,
    DT_TOKEN_AND,
    DT_TOKEN_OR,
    DT_TOKEN_NOT,
    DT_TOKEN_PLUS,
    DT_TOKEN_MINUS,
    DT_TOKEN_STAR,
    DT_TOKEN_SLASH,
    DT_TOKEN_CARET,
    DT_TOKEN_LESS,
    DT_TOKEN_LESS_EQUAL,
    DT_TOKEN_GREATER,
    DT_TOKEN_GREATER_EQUAL,
    DT_TOKEN_EQUAL,
    DT_TOKEN_NOT_EQUAL,
    DT_TOKEN_OPEN,
    DT_TOKEN_CLOSE,
    DT_TOKEN_OPEN_INDEX,
    DT_TOKEN_CLOSE_INDEX,
    DT_TOKEN_COMMA,
    DT_TOKEN_DOT
} dt_token_kind;

typedef struct dt_token {
    dt_token_kind kind;
    size_t offset, length; /**< in the text of the source */
    double value;          /**< NUMBER */
} dt_token;

/** Length of the number at the front of `text` (no sign), 0 if there is none. */
size_t dt_lexer_number_length(const char *text);

/** The tokens of a source, the last one of kind END. DETENT_ERROR_SYNTAX, DETENT_ERROR_MEMORY. */
detent_status dt_lexer_scan(const dt_source_text *source, dt_arena *arena, dt_token **tokens,
                            detent_error *error);

#endif
