#include "format/label.h"

#include <string.h>

/* A text in the making. What is beyond its bound is left out. */
typedef struct dt_pen {
    char text[1024];
    size_t length;
} dt_pen;

static void put(dt_pen *pen, const char *text, size_t length)
{
    size_t room = sizeof pen->text - 1 - pen->length;
    length = length < room ? length : room;
    memcpy(pen->text + pen->length, text, length);
    pen->length += length;
}

static bool is_full(const dt_pen *pen)
{
    return pen->length == sizeof pen->text - 1;
}

static size_t identifier_length(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t first = strspn(text, letters);
    size_t rest = first;
    while (rest && text[rest] &&
           (strchr(letters, text[rest]) || strchr("0123456789", text[rest]))) {
        rest++;
    }
    return rest;
}

/* Copies an identifier with its index, if it has one, evaluated. Returns the bytes taken from `text`. */
static detent_status put_name(dt_reader *reader, dt_pen *pen, const char *text, size_t *taken)
{
    const char *index_name = reader->origin.index_name, *resolved = NULL;
    size_t length = identifier_length(text);
    const char *close = text[length] == '[' ? strchr(text + length, ']') : NULL;
    *taken = length;
    if (close) {
        *taken = (size_t)(close + 1 - text);
        char *name = dt_arena_copy(&reader->arena, text, *taken);
        dt_location where = dt_node_place(reader, reader->origin.item);
        if (!name) {
            return dt_fail_memory(reader);
        }
        detent_status status = dt_resolve_reference(reader, name, where, &resolved);
        if (!status) {
            put(pen, resolved, strlen(resolved));
        }
        return status;
    }
    if (index_name && strlen(index_name) == length && strncmp(text, index_name, length) == 0) {
        const char *number = dt_arena_printf(&reader->arena, "%d", reader->origin.index);
        if (!number) {
            return dt_fail_memory(reader);
        }
        put(pen, number, strlen(number));
        return DETENT_OK;
    }
    put(pen, text, length);
    return DETENT_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies one character, or a run of blanks as one. Returns the bytes taken. */
static size_t put_character(dt_pen *pen, const char *c)
{
    size_t taken = 1;
    if (!is_blank(*c)) {
        put(pen, c, 1);
        return taken;
    }
    while (is_blank(c[taken])) {
        taken++;
    }
    put(pen, " ", c[taken] && pen->length > 0 ? 1 : 0);
    return taken;
}

detent_status dt_label_copy(dt_reader *reader, const char *text, const char **label)
{
    dt_pen pen = {.length = 0};
    for (const char *c = text; *c && !is_full(&pen);) {
        size_t taken = 0;
        if (identifier_length(c) == 0) {
            taken = put_character(&pen, c);
        } else {
            detent_status status = put_name(reader, &pen, c, &taken);
            if (status) {
                return status;
            }
        }
        c += taken;
    }
    *label = dt_arena_copy(&reader->arena, pen.text, pen.length);
    return *label ? DETENT_OK : dt_fail_memory(reader);
}

detent_status dt_label_number(dt_reader *reader, const char *name, const char **label)
{
    size_t length = strcspn(name, ".");
    *label = name;
    if (!reader->origin.index_name) {
        return DETENT_OK;
    }
    *label = dt_arena_printf(&reader->arena, "%.*s[%d]%s", (int)length, name, reader->origin.index,
                             name + length);
    return *label ? DETENT_OK : dt_fail_memory(reader);
}
