/*
 * The text of a law as it is written. In a chain the index of the copy takes the place of its name: `0.1*i` of copy 17 is 0.1*17, and link[i-1] is
 * link[16]. The index is known by its name, where an expression is expected: the names in position(i) are those of items.
 */
#include "format/written.h"

#include "base/text.h"
#include "expression/curve.h"
#include "expression/function.h"
#include "expression/lexer.h"
#include "expression/reading.h"
#include "model/builder.h"

#include <math.h>
#include <string.h>

static const double largest_index = 1e9;

typedef struct law_text {
    dt_written *w;
    const char *text;
    const dt_token *token;
    const dt_script_item *item;
    bool evaluates; /* brackets without the index, too */
    bool replaced;
    char *out;
    size_t length, capacity, from; /* from: what of `text` is written so far */
} law_text;

static void put(law_text *l, const char *text, size_t length)
{
    if (l->w->out_of_memory) {
        return;
    }
    if (l->length + length >= l->capacity) {
        const size_t capacity = 2 * (l->length + length) + 64;
        char *out = dt_arena_grow(&l->w->arena, l->out, l->length, capacity, 1);
        if (!out) {
            l->w->out_of_memory = true;
            return;
        }
        l->out = out;
        l->capacity = capacity;
    }
    memcpy(l->out + l->length, text, length);
    l->length += length;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* What stands before a token, each run of blanks as one. */
static void put_up_to(law_text *l, size_t end)
{
    for (; l->from < end; l->from++) {
        const bool blank = is_blank(l->text[l->from]);
        if (!blank ||
            (l->from + 1 < end ? !is_blank(l->text[l->from + 1]) : l->text[end] != '\0')) {
            put(l, blank ? " " : &l->text[l->from], blank && l->length == 0 ? 0 : 1);
        }
    }
}

static bool is_name(const law_text *l, const dt_token *token, const char *name)
{
    return token->kind == DT_TOKEN_NAME && strlen(name) == token->length &&
           memcmp(l->text + token->offset, name, token->length) == 0;
}

/* The index in the place of a value. */
static bool is_index(const law_text *l, const dt_token *token)
{
    const dt_token_kind next = token[1].kind;
    return l->item->index_name && is_name(l, token, l->item->index_name) && next != DT_TOKEN_OPEN &&
           next != DT_TOKEN_OPEN_INDEX && next != DT_TOKEN_DOT;
}

/* A number that begins the text could be read together with what stands behind it, as one with a unit: it gets parentheses. */
static void put_index(law_text *l, const dt_token *token)
{
    const dt_token *first = l->token;
    first += first->kind == DT_TOKEN_MINUS || first->kind == DT_TOKEN_PLUS;
    const bool leads = token == first && token[1].kind != DT_TOKEN_END;
    const char *number = dt_arena_printf(&l->w->arena, leads ? "(%d)" : "%d", l->item->index);
    l->w->out_of_memory = l->w->out_of_memory || !number;
    put(l, number, number ? strlen(number) : 0);
    l->from = token->offset + token->length;
    l->replaced = true;
}

/* Whether the arguments of a call are names. */
static bool takes_names(const law_text *l, const dt_token *token)
{
    char name[64] = "";
    if (token->length >= sizeof name) {
        return false;
    }
    memcpy(name, l->text + token->offset, token->length);
    bool values = false; /* of a table or a function of the program */
    for (int k = 0; k < l->w->m->table_count && !values; k++) {
        values = strcmp(l->w->m->tables[k]->name, name) == 0;
    }
    for (int k = 0; k < l->w->m->callback_count && !values; k++) {
        values = strcmp(l->w->m->callbacks[k]->name, name) == 0;
    }
    return !values && dt_function_find(name) == DT_OPCODES && !dt_reading_is_delay(name);
}

static const dt_token *write_values(law_text *l, const dt_token *token);

/* The parameters alone, as numbers, so that indices can be evaluated. */
static detent_status make_constants(dt_written *w)
{
    detent_error ignored;
    detent_status status =
        dt_mechanism_new("", NULL, &w->m->arena.allocator, &w->constants, &ignored);
    for (int k = 0; k < w->m->script.global_count && !status; k++) {
        const dt_script_global *global = &w->m->script.globals[k];
        char text[DT_NUMBER_SIZE];
        dt_format_number(text, global->value);
        if (global->kind == DT_GLOBAL_PARAMETER) {
            status =
                dt_builder_add_parameter(w->constants, global->name, text, NULL, NULL, &ignored);
        }
    }
    return status;
}

/* An integer; an error where the text is none, or names what is no constant. */
static detent_status evaluate(law_text *l, const char *text, double *value)
{
    const dt_origin origin = {NULL, l->item->index_name, l->item->index};
    dt_constant constant = {.value = NAN};
    detent_error ignored;
    detent_status status = l->w->constants ? DETENT_OK : make_constants(l->w);
    status = status ? status
                    : dt_builder_constant(l->w->constants, text, NULL, NULL, &origin, &constant,
                                          &ignored);
    *value = constant.value + 0.0;
    return status                                                     ? status
           : *value == floor(*value) && fabs(*value) <= largest_index ? DETENT_OK
                                                                      : DETENT_ERROR_MODEL;
}

static bool is_digits(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* link[i-1]: what is between brackets, or its value. Returns the token behind. */
static const dt_token *write_bracket(law_text *l, const dt_token *token)
{
    const size_t begin = token->offset + 1;
    put_up_to(l, begin);
    const size_t length = l->length;
    const bool replaced = l->replaced;
    l->replaced = false;
    const dt_token *close = write_values(l, token + 1);
    const char *inner = dt_arena_copy(&l->w->arena, l->text + begin, close->offset - begin);
    double value = 0;
    const detent_status status = !inner ? DETENT_ERROR_MEMORY
                                 : l->replaced || (l->evaluates && !is_digits(inner))
                                     ? evaluate(l, inner, &value)
                                     : DETENT_ERROR_MODEL;
    l->w->out_of_memory = l->w->out_of_memory || status == DETENT_ERROR_MEMORY;
    if (!status) {
        const char *number = dt_arena_printf(&l->w->arena, "%.0f", value);
        l->w->out_of_memory = l->w->out_of_memory || !number;
        l->length = length;
        l->from = close->offset;
        put(l, number, number ? strlen(number) : 0);
    }
    l->replaced = l->replaced || replaced;
    put_up_to(l, close->offset);
    return close->kind == DT_TOKEN_END ? close : close + 1;
}

/* position(link[i], x), previous(x, i): behind the parenthesis. */
static const dt_token *write_names(law_text *l, const dt_token *call, const dt_token *token)
{
    char name[64] = "";
    memcpy(name, l->text + call->offset, call->length);
    const bool counts = dt_reading_counts(name);
    while (token->kind != DT_TOKEN_CLOSE && token->kind != DT_TOKEN_END) {
        if (token->kind == DT_TOKEN_OPEN_INDEX) {
            token = write_bracket(l, token);
        } else if (token->kind == DT_TOKEN_COMMA && counts) {
            token = write_values(l, token + 1);
        } else {
            token++;
        }
    }
    return token->kind == DT_TOKEN_END ? token : token + 1;
}

/* Up to what closes a parenthesis or bracket that was open, or the end: that token. */
static const dt_token *write_values(law_text *l, const dt_token *token)
{
    for (int open = 0; token->kind != DT_TOKEN_END;) {
        const dt_token_kind kind = token->kind;
        if ((kind == DT_TOKEN_CLOSE && open-- == 0) || kind == DT_TOKEN_CLOSE_INDEX) {
            return token;
        }
        open += kind == DT_TOKEN_OPEN;
        put_up_to(l, token->offset);
        if (kind == DT_TOKEN_OPEN_INDEX) {
            token = write_bracket(l, token);
        } else if (kind == DT_TOKEN_NAME && token[1].kind == DT_TOKEN_OPEN &&
                   takes_names(l, token)) {
            token = write_names(l, token, token + 2);
        } else {
            if (is_index(l, token) && (token == l->token || token[-1].kind != DT_TOKEN_DOT)) {
                put_index(l, token);
            }
            token++;
        }
    }
    return token;
}

/* "5 N - 0.1*i" begins as a quantity does, and must not read as one. */
static bool begins_as_quantity(const dt_token *token)
{
    token += token->kind == DT_TOKEN_MINUS || token->kind == DT_TOKEN_PLUS;
    return token->kind == DT_TOKEN_NUMBER && token[1].kind == DT_TOKEN_UNIT;
}

static const char *write(dt_written *w, const char *text, const dt_script_item *item,
                         bool evaluates)
{
    law_text l = {.w = w, .text = text, .item = item, .evaluates = evaluates};
    const dt_source_text source = {.text = text, .length = strlen(text)};
    dt_token *tokens = NULL;
    detent_error ignored;
    if (!item->index_name && !evaluates) {
        put_up_to(&l, source.length);
    } else if (dt_lexer_scan(&source, &w->arena, &tokens, &ignored)) {
        w->out_of_memory = true; /* it has been parsed before */
    } else {
        l.token = tokens;
        write_values(&l, tokens);
        put_up_to(&l, source.length);
    }
    put(&l, "", 1);
    if (w->out_of_memory) {
        return NULL;
    }
    return l.replaced && begins_as_quantity(tokens) ? dt_arena_printf(&w->arena, "(%s)", l.out)
                                                    : l.out;
}

const char *dt_written_law(dt_written *w, const char *text, const dt_script_item *item)
{
    return write(w, text, item, false);
}

const char *dt_written_label(dt_written *w, const char *text, const dt_script_item *item)
{
    return write(w, text, item, true);
}
