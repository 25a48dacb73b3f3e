/* Signals are parsed in place, each once, before the text that uses them: a search in depth with a
 * stack of its own, so that a chain of ten thousand signals needs no more of the C stack than one.
 * Invariant: below an open text on the stack stands the text that uses it. */

#include "expression/parser.h"
#include "expression/reading.h"

#include <stdio.h>
#include <string.h>

typedef struct text_frame {
    struct text_frame *user; /* the text that uses this one; NULL for the program's own */
    const dt_source_text *source;
    const dt_token *tokens;
    size_t scanned;   /* tokens before this one name no signal that is waiting */
    int name;         /* the signal, -1 for the program's own text */
    bool is_quantity; /* has no tokens, but a value already */
    dt_operand quantity;
} text_frame;

/* A new text on top of the stack. */
static detent_status open_frame(dt_session *session, const dt_source_text *source, text_frame **top,
                                int name)
{
    text_frame *opened = dt_arena_alloc(session->scratch, 1, sizeof *opened);
    if (!opened) {
        return dt_session_out_of_memory(session);
    }
    *opened = (text_frame){.user = *top, .source = source, .name = name};
    *top = opened;
    detent_status status =
        dt_parser_quantity(session, source, &opened->is_quantity, &opened->quantity);
    if (!status && !opened->is_quantity) {
        dt_token *tokens = NULL;
        status = dt_lexer_scan(source, session->scratch, &tokens, session->error);
        opened->tokens = tokens;
    }
    return status;
}

/* The token behind the ')' that closes the '(' at `token`. */
static size_t skip_call(const dt_token *tokens, size_t token)
{
    int open = 0;
    do {
        open += tokens[token].kind == DT_TOKEN_OPEN;
        open -= tokens[token].kind == DT_TOKEN_CLOSE;
    } while (tokens[token].kind != DT_TOKEN_END && (token++, open > 0));
    return token;
}

/* Whether what stands in the parentheses behind a name are expressions: of functions and tables, not of readings. */
static bool takes_expressions(const dt_scope *scope, const text_frame *f, size_t token)
{
    char name[DT_EXPRESSION_NAME_MAX + 1] = "";
    if (f->tokens[token].length < sizeof name) {
        memcpy(name, f->source->text + f->tokens[token].offset, f->tokens[token].length);
    }
    return dt_function_find(name) != DT_OPCODES || dt_reading_is_delay(name) ||
           (scope && scope->table && scope->table(scope->context, name)) ||
           (scope && scope->callback && scope->callback(scope->context, name, NULL));
}

/* The entry of the name at `*token`, which moves behind it; -1 if it is none. Errors are left to
 * the parser. */
static detent_status read_name(dt_session *session, const text_frame *f, size_t *token, int *index)
{
    char name[DT_EXPRESSION_NAME_MAX + 1];
    detent_error *error = session->error;
    dt_parser parser = {.session = session,
                        .source = f->source,
                        .tokens = f->tokens,
                        .next = *token,
                        .in_index = true};
    session->error = NULL;
    detent_status status = dt_parser_item(&parser, name);
    session->error = error;
    *index = -1;
    *token = parser.next > *token ? parser.next : *token + 1;
    if (status == DETENT_OK) {
        *index = dt_session_name(session, name);
        status = *index < 0 ? DETENT_ERROR_MEMORY : DETENT_OK;
    }
    return status == DETENT_ERROR_MEMORY ? dt_session_out_of_memory(session) : DETENT_OK;
}

/* The next signal in a text that has no value yet, -1 if there is none; `*use` is where it is
 * named. */
static detent_status next_signal(dt_session *session, text_frame *f, int *index, size_t *use)
{
    size_t token = f->scanned;
    *index = -1;
    if (f->is_quantity) {
        return DETENT_OK;
    }
    while (f->tokens[token].kind != DT_TOKEN_END) {
        if (f->tokens[token].kind != DT_TOKEN_NAME) {
            token++;
        } else if (f->tokens[token + 1].kind == DT_TOKEN_OPEN) {
            token = takes_expressions(session->scope, f, token) ? token + 2
                                                                : skip_call(f->tokens, token + 1);
        } else {
            f->scanned = token;
            *use = f->tokens[token].offset;
            detent_status status = read_name(session, f, &token, index);
            if (status || (*index >= 0 && (session->names[*index].state == DT_NAME_WAITING ||
                                           session->names[*index].state == DT_NAME_OPEN))) {
                return status;
            }
        }
    }
    f->scanned = token;
    *index = -1;
    return DETENT_OK;
}

/* a -> b -> a: from the frame of the signal up to the top, and back. */
static detent_status fail_loop(dt_session *session, const text_frame *top, int index, size_t use)
{
    const text_frame *chain[16];
    const text_frame *f = top;
    size_t length = 0;
    size_t skipped = 0;
    /* The newest frames come first; of a long loop the end is named and the beginning cut. */
    for (; f; f = f->user) {
        if (length < sizeof chain / sizeof chain[0]) {
            chain[length++] = f;
        } else {
            skipped++;
        }
        if (f->name == index) {
            break;
        }
    }
    char text[400];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", session->names[index].text);
    used += skipped && used < sizeof text
                ? (size_t)snprintf(text + used, sizeof text - used, " -> ...")
                : 0;
    for (size_t i = length - (skipped == 0); i-- > 0 && used < sizeof text;) {
        used += (size_t)snprintf(text + used, sizeof text - used, " -> %s",
                                 session->names[chain[i]->name].text);
    }
    if (used < sizeof text) {
        snprintf(text + used, sizeof text - used, " -> %s", session->names[index].text);
    }
    return dt_source_fail(top->source, use, session->error, DETENT_ERROR_MODEL,
                          "signals form a loop: %s", text);
}

/* Parses the text on top of the stack, whose signals are done, and gives its signal the value. */
static detent_status close_frame(dt_session *session, text_frame **top, dt_operand *result)
{
    text_frame *f = *top;
    detent_status status = DETENT_OK;
    if (f->is_quantity) {
        *result = f->quantity;
    } else {
        dt_parser parser = {.session = session, .source = f->source, .tokens = f->tokens};
        status = dt_parser_run(&parser, result);
    }
    if (!status && f->name >= 0) {
        session->names[f->name].state = DT_NAME_DONE;
        session->names[f->name].value = *result;
    }
    *top = f->user;
    return status;
}

detent_status dt_session_parse(dt_session *session, const dt_source_text *source,
                               dt_operand *result)
{
    text_frame *top = NULL;
    detent_status status = open_frame(session, source, &top, -1);
    while (!status && top) {
        int index;
        size_t use = 0;
        status = next_signal(session, top, &index, &use);
        if (!status && index < 0) {
            status = close_frame(session, &top, result);
        } else if (!status && session->names[index].state == DT_NAME_OPEN) {
            status = fail_loop(session, top, index, use);
        } else if (!status) {
            const dt_symbol *symbol = &session->names[index].symbol;
            session->names[index].state = DT_NAME_OPEN;
            status = dt_session_add_source(session, symbol->text, &symbol->where, &source);
            status = status ? status : open_frame(session, source, &top, index);
        }
    }
    return status;
}
