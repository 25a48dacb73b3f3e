#include "expression/lexer.h"
#include "base/text.h"

#include <stdbool.h>
#include <string.h>

typedef struct scanner {
    const dt_source_text *source;
    dt_arena *arena;
    detent_error *error;
    dt_token *tokens;
    size_t count, capacity;
} scanner;

/* The functions of <ctype.h> follow the locale. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_unit_letter(char c)
{
    return is_letter(c) || c == '%' || (unsigned char)c >= 0x80;
}

static size_t digits(const char *text)
{
    size_t n = 0;
    while (is_digit(text[n])) {
        n++;
    }
    return n;
}

size_t dt_lexer_number_length(const char *text)
{
    size_t whole = digits(text);
    size_t length = whole;
    if (text[length] == '.') {
        size_t fraction = digits(text + length + 1);
        length += whole + fraction > 0 ? 1 + fraction : 0;
    }
    if (length > 0 && (text[length] == 'e' || text[length] == 'E')) {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t exponent = digits(text + length + 1 + sign);
        length += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return length;
}

static detent_status add(scanner *s, dt_token token)
{
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? 2 * s->capacity : 16;
        dt_token *tokens =
            dt_arena_grow(s->arena, s->tokens, s->capacity, capacity, sizeof *tokens);
        if (!tokens) {
            return dt_fail(s->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
        }
        s->tokens = tokens;
        s->capacity = capacity;
    }
    s->tokens[s->count++] = token;
    return DETENT_OK;
}

static size_t name_length(const char *text)
{
    size_t n = 0;
    while (is_letter(text[n]) || is_digit(text[n])) {
        n++;
    }
    return n;
}

static dt_token_kind name_kind(const char *text, size_t length)
{
    if (length == 3 && memcmp(text, "and", 3) == 0) {
        return DT_TOKEN_AND;
    }
    if (length == 2 && memcmp(text, "or", 2) == 0) {
        return DT_TOKEN_OR;
    }
    if (length == 3 && memcmp(text, "not", 3) == 0) {
        return DT_TOKEN_NOT;
    }
    return DT_TOKEN_NAME;
}

static size_t skip_blanks(const char *text, size_t offset)
{
    return offset + strspn(text + offset, " \t\r\n");
}

/* A unit behind a number, if there is one: a name that is no keyword, or a text in brackets. */
static detent_status scan_unit(scanner *s, size_t *offset)
{
    const char *text = s->source->text;
    size_t start = skip_blanks(text, *offset);
    if (text[start] == '[') {
        size_t length = strcspn(text + start + 1, "[]");
        if (text[start + 1 + length] != ']') {
            return dt_source_fail(s->source, start, s->error, DETENT_ERROR_SYNTAX,
                                  "the ']' of this unit is missing");
        }
        *offset = start + length + 2;
        return add(s, (dt_token){.kind = DT_TOKEN_UNIT, .offset = start + 1, .length = length});
    }
    size_t length = 0;
    while (is_unit_letter(text[start + length]) || (length > 0 && is_digit(text[start + length]))) {
        length++;
    }
    if (length == 0 || name_kind(text + start, length) != DT_TOKEN_NAME) {
        return DETENT_OK;
    }
    *offset = start + length;
    return add(s, (dt_token){.kind = DT_TOKEN_UNIT, .offset = start, .length = length});
}

static detent_status scan_number(scanner *s, size_t *offset)
{
    const char *text = s->source->text + *offset;
    dt_token token = {
        .kind = DT_TOKEN_NUMBER, .offset = *offset, .length = dt_lexer_number_length(text)};
    if (!dt_parse_number(text, token.length, &token.value)) {
        return dt_source_fail(s->source, *offset, s->error, DETENT_ERROR_SYNTAX,
                              "this number is too large, or too long");
    }
    *offset += token.length;
    detent_status status = add(s, token);
    return status ? status : scan_unit(s, offset);
}

/* Longer ones first. */
static const struct {
    const char *text;
    dt_token_kind kind;
} symbols[] = {
    {"<=", DT_TOKEN_LESS_EQUAL}, {">=", DT_TOKEN_GREATER_EQUAL},
    {"==", DT_TOKEN_EQUAL},      {"!=", DT_TOKEN_NOT_EQUAL},
    {"<", DT_TOKEN_LESS},        {">", DT_TOKEN_GREATER},
    {"+", DT_TOKEN_PLUS},        {"-", DT_TOKEN_MINUS},
    {"*", DT_TOKEN_STAR},        {"/", DT_TOKEN_SLASH},
    {"^", DT_TOKEN_CARET},       {"(", DT_TOKEN_OPEN},
    {")", DT_TOKEN_CLOSE},       {"[", DT_TOKEN_OPEN_INDEX},
    {"]", DT_TOKEN_CLOSE_INDEX}, {",", DT_TOKEN_COMMA},
    {".", DT_TOKEN_DOT},
};

/* How other languages write what we write differently. */
static const struct {
    const char *theirs, *ours;
} foreign[] = {
    {"**", "'^'"},
    {"&&", "'and'"},
    {"||", "'or'"},
    {"&", "'and'"},
    {"|", "'or'"},
    {"<>", "'!='"},
    {"=<", "'<='"},
    {"=>", "'>='"},
    {"=", "'=='"},
    {"!", "'not'"},
    {"%", "mod(a, b)"},
    {"?", "if(condition, a, b)"},
    {":", "if(condition, a, b)"},
    {"~", "'not'"},
};

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static detent_status fail_character(const scanner *s, size_t offset)
{
    const char *text = s->source->text + offset;
    size_t length = 1;
    while (((unsigned char)text[0] & 0xC0) == 0xC0 &&
           ((unsigned char)text[length] & 0xC0) == 0x80 && length < 4) {
        length++;
    }
    bool is_printable = (text[0] >= ' ' && text[0] < 127) || length > 1;
    if (is_printable) {
        return dt_source_fail(s->source, offset, s->error, DETENT_ERROR_SYNTAX,
                              "unexpected character '%.*s'", (int)length, text);
    }
    return dt_source_fail(s->source, offset, s->error, DETENT_ERROR_SYNTAX,
                          "unexpected byte 0x%02x", (unsigned)(unsigned char)text[0]);
}

static detent_status scan_symbol(scanner *s, size_t *offset)
{
    const char *text = s->source->text + *offset;
    bool is_comparison = starts_with(text, "==") || starts_with(text, "!=");
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0] && !is_comparison; i++) {
        if (starts_with(text, foreign[i].theirs)) {
            return dt_source_fail(s->source, *offset, s->error, DETENT_ERROR_SYNTAX,
                                  "'%s' is not known here; write %s", foreign[i].theirs,
                                  foreign[i].ours);
        }
    }
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (starts_with(text, symbols[i].text)) {
            dt_token token = {
                .kind = symbols[i].kind, .offset = *offset, .length = strlen(symbols[i].text)};
            *offset += token.length;
            return add(s, token);
        }
    }
    return fail_character(s, *offset);
}

detent_status dt_lexer_scan(const dt_source_text *source, dt_arena *arena, dt_token **tokens,
                            detent_error *error)
{
    scanner s = {.source = source, .arena = arena, .error = error};
    const char *text = source->text;
    size_t offset = skip_blanks(text, 0);
    while (offset < source->length) {
        detent_status status;
        if (is_letter(text[offset])) {
            size_t length = name_length(text + offset);
            status = add(&s, (dt_token){.kind = name_kind(text + offset, length),
                                        .offset = offset,
                                        .length = length});
            offset += length;
        } else if (dt_lexer_number_length(text + offset) > 0) {
            status = scan_number(&s, &offset);
        } else {
            status = scan_symbol(&s, &offset);
        }
        if (status) {
            return status;
        }
        offset = skip_blanks(text, offset);
    }
    detent_status status = add(&s, (dt_token){.kind = DT_TOKEN_END, .offset = source->length});
    *tokens = s.tokens;
    return status;
}
