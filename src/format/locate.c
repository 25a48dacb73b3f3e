#include "format/locate.h"

#include <stdio.h>
#include <string.h>

/* Follows "initial.position" as far as it goes. */
static const dt_yaml_node *follow(const dt_yaml_node *node, const char *path)
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
    return node;
}

dt_location dt_reader_locate(const void *context, const void *item, const dt_part *part)
{
    const dt_reader *reader = context;
    const dt_yaml_node *node = item, *start = item;
    if (!part->key) {
        return dt_key_place(reader, node);
    }
    if (part->primitive) {
        const dt_yaml_node *primitives = follow(node, "primitives");
        const dt_yaml_node *own = primitives != node ? follow(primitives, part->primitive) : node;
        node = own != primitives ? own : node;
    }
    node = follow(node, part->key);
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

/* The caret stands below the column; tabs before it are kept, so that both lines shift alike. */
void dt_reader_explain(dt_reader *reader)
{
    detent_error *error = reader->error;
    const char *line = reader->text, *end = reader->text + reader->length;
    if (error->line < 1) {
        return;
    }
    for (int k = 1; k < error->line && line < end; k++) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        line = next ? next + 1 : end;
    }
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t length = (size_t)((stop ? stop : end) - line);
    length -= length > 0 && line[length - 1] == '\r';
    if (length > 200 || error->column > 200 || memchr(line, '\0', length)) {
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
        } while (c < line + length && ((unsigned char)*c & 0xC0) == 0x80);
    }
    dt_error_detail(error, "%.*s\n%.*s^", (int)length, line, count, blanks);
}
