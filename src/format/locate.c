#include "format/locate.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Follows "initial.position" as far as it goes; `whole`: to its end. */
static const dt_yaml_node *follow(const dt_yaml_node *node, const char *path, bool *whole)
{
    char key[64];
    while (*path && node->kind == DT_YAML_MAPPING) {
        size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        const dt_yaml_node *child = dt_yaml_find(node, key);
        if (!child) {
            break;
        }
        node = child;
        path += length + (path[length] == '.');
    }
    *whole = !*path;
    return node;
}

dt_location dt_reader_locate(const void *context, const void *item, const dt_part *part)
{
    const dt_reader *reader = context;
    const dt_yaml_node *node = item, *start = item;
    bool whole;
    if (!part->key) {
        return dt_key_place(reader, node);
    }
    if (part->primitive) {
        const dt_yaml_node *primitives = follow(node, "primitives", &whole);
        const dt_yaml_node *own =
            primitives != node ? follow(primitives, part->primitive, &whole) : node;
        node = own != primitives ? own : node;
    }
    node = follow(node, part->key, &whole);
    if (part->is_written && !whole) {
        return (dt_location){NULL, 0, 0};
    }
    if (node == start && *part->key) {
        return dt_key_place(reader, node);
    }
    if (part->component >= 0 && node->kind == DT_YAML_SEQUENCE && part->component < node->count) {
        node = node->first;
        for (int k = 0; k < part->component; k++) {
            node = node->next;
        }
    }
    return dt_node_place(reader, node);
}

/* --- Back from the text of a scalar to the file ------------------------------------------------
 *
 * The expression layer counts lines and columns in the text that it is given, from its first
 * character on. Where YAML has folded lines, removed indentation or resolved escapes on the way to
 * that text, the place must be found again. */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* The byte of the text that is counted to (line, column) from the node's place; -1: none is. */
static ptrdiff_t find_offset(const dt_yaml_node *node, int line, int column)
{
    int l = node->line, k = node->column;
    for (const char *c = node->text;; c++) {
        bool here = l == line && k == column && starts_character(*c);
        if (here || !*c) {
            return here ? c - node->text : -1;
        }
        if (*c == '\n') {
            l++;
            k = 1;
        } else {
            k += starts_character(c[1]);
        }
    }
}

/* The scalar that an error at (line, column) was counted in: the last bent one that can be it. */
static const dt_yaml_node *find_scalar(const dt_yaml_node *node, int line, int column)
{
    const dt_yaml_node *found = NULL;
    if (node->kind == DT_YAML_SCALAR) {
        return node->bent && find_offset(node, line, column) >= 0 ? node : NULL;
    }
    for (const dt_yaml_node *child = node->first; child && child->line <= line;
         child = child->next) {
        const dt_yaml_node *scalar = find_scalar(child, line, column);
        found = scalar ? scalar : found;
    }
    return found;
}

static const char *find_byte(const dt_reader *reader, int line, int column)
{
    const char *c = reader->text, *end = reader->text + reader->length;
    while (line > 1 && c < end) {
        line -= *c++ == '\n';
    }
    while (column > 1 && c < end && *c != '\n') {
        for (c++; c < end && !starts_character(*c); c++) {
        }
        column--;
    }
    return c;
}

/* Bytes of the file that stand for one character of the text; `quote` is that of the scalar. */
static size_t raw_length(const char *c, const char *end, char quote)
{
    size_t room = (size_t)(end - c), length = 1;
    if (quote == '\'' && room > 1 && c[0] == '\'' && c[1] == '\'') {
        length = 2;
    } else if (quote == '"' && room > 1 && *c == '\\') {
        length = c[1] == 'x' ? 4 : c[1] == 'u' ? 6 : c[1] == 'U' ? 10 : 2;
    } else {
        while (length < room && !starts_character(c[length])) {
            length++;
        }
    }
    return length < room ? length : room;
}

/* Walks through text and file side by side: a run of blanks in one is a run of blanks in the other. */
static const char *walk(const dt_reader *reader, const dt_yaml_node *node, ptrdiff_t offset)
{
    const char *raw = find_byte(reader, node->line, node->column);
    const char *end = reader->text + reader->length, *c = node->text, *stop = c + offset;
    char quote = node->style == DT_YAML_QUOTED && raw > reader->text ? raw[-1] : 0;
    while (c < stop && raw < end) {
        if (is_blank(*c)) {
            for (; c < stop && is_blank(*c); c++) {
            }
            while (raw < end && is_blank(*raw)) {
                raw++;
            }
            if (quote == '"' && end - raw > 1 && *raw == '\\' && strchr("tnr \r\n", raw[1])) {
                raw += 2; /* an escaped blank, or a line joined to the next */
            }
        } else {
            raw += raw_length(raw, end, quote);
            for (c++; !starts_character(*c); c++) {
            }
        }
    }
    while (raw < end && offset > 0 && is_blank(*raw) && *stop && !is_blank(*stop)) {
        raw++;
    }
    return raw;
}

static void unbend(dt_reader *reader)
{
    detent_error *error = reader->error;
    const dt_yaml_node *node =
        reader->root ? find_scalar(reader->root, error->line, error->column) : NULL;
    if (!node) {
        return;
    }
    const char *raw = walk(reader, node, find_offset(node, error->line, error->column));
    int line = 1, column = 1;
    for (const char *c = reader->text; c < raw; c++) {
        line += *c == '\n';
        column = *c == '\n' ? 1 : column + starts_character(c[1]);
    }
    error->line = line;
    error->column = column;
}

/* Whether a line tells something: it is not too long, not blank, and of a text at all. */
static bool is_worth_showing(const char *line, size_t length)
{
    bool blank = true;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)line[i];
        if ((c < 0x20 && c != '\t') || c == 0x7F) {
            return false;
        }
        blank = blank && is_blank(line[i]);
    }
    return !blank && length <= 200;
}

/* The caret stands below the column; tabs before it are kept, so that both lines shift alike. */
static void show_line(dt_reader *reader)
{
    detent_error *error = reader->error;
    const char *line = find_byte(reader, error->line, 1), *end = reader->text + reader->length;
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t length = (size_t)((stop ? stop : end) - line);
    length -= length > 0 && line[length - 1] == '\r';
    if (error->column > 200 || !is_worth_showing(line, length)) {
        dt_error_detail(error, "%s", "");
        return;
    }
    char blanks[256];
    int count = 0;
    const char *c = line;
    for (int column = 1; column < error->column && c < line + length; column++) {
        blanks[count++] = *c == '\t' ? '\t' : ' ';
        do {
            c++;
        } while (c < line + length && !starts_character(*c));
    }
    dt_error_detail(error, "%.*s\n%.*s^", (int)length, line, count, blanks);
}

void dt_reader_explain(dt_reader *reader)
{
    if (reader->error->line > 0 && !reader->elsewhere) {
        unbend(reader);
        show_line(reader);
    }
}
