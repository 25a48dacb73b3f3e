/* The walker of tables. Keys that are not in the table are reported first, in the order of the file; then the values are read
 * in the order of the table. */

#include "format/form.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

enum { MOST_KEYS = 64 }; /* that are thought of where one is unknown */

dt_location dt_node_place(const dt_reader *reader, const dt_yaml_node *node)
{
    return (dt_location){reader->file, node->line, node->column};
}

dt_location dt_key_place(const dt_reader *reader, const dt_yaml_node *node)
{
    return node->key ? (dt_location){reader->file, node->key_line, node->key_column}
                     : dt_node_place(reader, node);
}

/* What stands there: the text itself where it is short. */
static void describe(const dt_yaml_node *node, char text[64])
{
    if (node->kind == DT_YAML_MAPPING) {
        snprintf(text, 64, "a mapping");
    } else if (node->kind == DT_YAML_SEQUENCE) {
        snprintf(text, 64, node->count == 1 ? "a list of %d element" : "a list of %d elements",
                 node->count);
    } else if (!*node->text) {
        snprintf(text, 64, "nothing");
    } else {
        snprintf(text, 64, strlen(node->text) < 48 ? "'%.48s'" : "a text", node->text);
    }
}

/* Parentheses that a text opens, less those that it closes. */
static int open_parentheses(const char *text)
{
    int open = 0;
    for (; text && *text; text++) {
        open += (*text == '(') - (*text == ')');
    }
    return open;
}

/* Whether a text that was meant as one was torn at its commas: [0, if(t < 1, 2, 3)], {label: max(a, b)} */
static bool is_torn(const dt_yaml_node *node)
{
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        if (open_parentheses(child->key) != 0 ||
            (child->kind == DT_YAML_SCALAR && open_parentheses(child->text) != 0)) {
            return true;
        }
    }
    return false;
}

static bool is_plain(const dt_yaml_node *node)
{
    return node && node->kind == DT_YAML_SCALAR && node->style == DT_YAML_PLAIN;
}

detent_status dt_require_whole(dt_reader *reader, const dt_yaml_node *element)
{
    char whole[64] = "";
    size_t length = 0;
    int open = 0;
    for (const dt_yaml_node *part = element; is_plain(part) && (part == element || open > 0);
         part = part->next) {
        const size_t room = sizeof whole - length;
        const int written =
            snprintf(whole + length, room, "%s%s", part == element ? "" : ", ", part->text);
        length += (size_t)written < room ? (size_t)written : room - 1;
        open += open_parentheses(part->text);
    }
    if (!is_plain(element) || open_parentheses(element->text) <= 0 || open != 0) {
        return DETENT_OK; /* the parser has better words for what may be wrong */
    }
    dt_location where = dt_node_place(reader, element);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                   "'%s' ends at its comma: between brackets, a text with commas needs quotes, "
                   "\"%s%s\"",
                   element->text, whole, length + 1 == sizeof whole ? "..." : "");
}

detent_status dt_fail_kind(dt_reader *reader, const dt_yaml_node *node, const char *expected)
{
    dt_location where = dt_node_place(reader, node);
    char found[64];
    const char *key = node->key ? node->key : "an element";
    const char *quote = node->key ? "'" : "";
    describe(node, found);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "%s%s%s must be %s, not %s%s", quote,
                   key, quote, expected, found,
                   is_torn(node) ? "; between brackets or braces, a text with commas needs quotes"
                                 : "");
}

detent_status dt_fail_memory(dt_reader *reader)
{
    return dt_fail(reader->error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

detent_status dt_require_scalar(dt_reader *reader, const dt_yaml_node *node, const char *expected)
{
    if (node->kind != DT_YAML_SCALAR || !*node->text) {
        return dt_fail_kind(reader, node, expected);
    }
    return dt_yaml_is_not_finite(node->text) ? dt_fail_kind(reader, node, "a finite number")
                                             : DETENT_OK;
}

detent_status dt_require_mapping(dt_reader *reader, const dt_yaml_node *node, const char *what)
{
    return node->kind == DT_YAML_MAPPING ? DETENT_OK : dt_fail_kind(reader, node, what);
}

static const dt_key *find_key(const dt_table *table, const char *name)
{
    for (const dt_key *key = table->keys; key->name; key++) {
        if (key->name[0] == name[0] && strcmp(key->name, name) == 0) {
            return key;
        }
    }
    return NULL;
}

static detent_status fail_unknown_key(dt_reader *reader, const dt_yaml_node *child,
                                      const dt_table *table)
{
    const char *names[MOST_KEYS];
    size_t count = 0;
    dt_location where = dt_key_place(reader, child);
    for (const dt_key *key = table->keys; key->name && count < MOST_KEYS; key++) {
        names[count++] = key->name;
    }
    const char *nearest = dt_nearest(child->key, names, count);
    bool torn = child->kind == DT_YAML_SCALAR &&
                !*child->text; /* {force: if(a, b, c)} has the keys "b" and "c)" */
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "unknown key '%s' in a %s%s%s%s%s",
                   child->key, table->what, nearest ? "; did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "",
                   torn && !nearest ? "; between braces, a text with commas needs quotes" : "");
}

static detent_status check_keys(dt_reader *reader, const dt_yaml_node *node, const dt_table *table)
{
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        if (!find_key(table, child->key)) {
            return fail_unknown_key(reader, child, table);
        }
    }
    return DETENT_OK;
}

static detent_status read_keys(dt_reader *reader, const dt_yaml_node *node, const dt_table *table,
                               void *target)
{
    for (const dt_key *key = table->keys; key->name; key++) {
        const dt_yaml_node *child = dt_yaml_find(node, key->name);
        if (!child && key->required) {
            dt_location where = dt_key_place(reader, node);
            return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                           "%s%s%sa %s needs the key '%s'", node->key ? "'" : "",
                           node->key ? node->key : "", node->key ? "': " : "", table->what,
                           key->name);
        }
        detent_status status = child && key->kind != DT_VALUE_ELSEWHERE
                                   ? dt_value_read(reader, child, key, (char *)target + key->offset)
                                   : DETENT_OK;
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

detent_status dt_form_read(dt_reader *reader, const dt_yaml_node *node, const dt_table *table,
                           void *target)
{
    detent_status status = dt_require_mapping(reader, node, "a mapping");
    if (!status) {
        status = check_keys(reader, node, table);
    }
    return status ? status : read_keys(reader, node, table, target);
}

detent_status dt_form_read_some(dt_reader *reader, const dt_yaml_node *node, const dt_table *table,
                                void *target)
{
    detent_status status = dt_require_mapping(reader, node, "a mapping");
    return status ? status : read_keys(reader, node, table, target);
}
