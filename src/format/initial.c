#include "format/initial.h"

#include "model/joint_type.h"

#include <stddef.h>
#include <string.h>

/* ---- reading ---- */

typedef struct initial_form {
    double position[4], velocity[3];
} initial_form;

#define INITIAL_TABLE(kind, position_kind, position_d, velocity_kind, velocity_d)               \
    static const dt_key kind##_keys[] = {                                                       \
        {"position", position_kind, false, offsetof(initial_form, position), position_d, NULL}, \
        {"velocity", velocity_kind, false, offsetof(initial_form, velocity), velocity_d, NULL}, \
        DT_KEYS_END,                                                                            \
    };                                                                                          \
    static const dt_table kind##_table = {"initial state", kind##_keys}

INITIAL_TABLE(revolute, DT_VALUE_NUMBER, &dt_dimension_none, DT_VALUE_NUMBER,
              &dt_dimension_angular_velocity);
INITIAL_TABLE(prismatic, DT_VALUE_NUMBER, &dt_dimension_length, DT_VALUE_NUMBER,
              &dt_dimension_velocity);
INITIAL_TABLE(spherical, DT_VALUE_ROTATION, NULL, DT_VALUE_VECTOR, &dt_dimension_angular_velocity);

static detent_status read_item(dt_reader *reader, const dt_yaml_node *item)
{
    const char *name = NULL;
    initial_form form = {0};
    const dt_origin origin = {item, NULL, 0};
    detent_status status =
        dt_resolve_reference(reader, item->key, dt_key_place(reader, item), &name);
    if (status) {
        return status;
    }
    const dt_primitive_type *type = dt_builder_primitive_type(reader->m, name);
    const bool is_known = type && type->nv > 0;
    if (is_known) {
        status = dt_form_read(reader, item,
                              type->nq == 4      ? &spherical_table
                              : type->rotational ? &revolute_table
                                                 : &prismatic_table,
                              &form);
    }
    const bool position = is_known && !status && dt_yaml_find(item, "position"),
               velocity = is_known && !status && dt_yaml_find(item, "velocity");
    return status ? status
                  : dt_builder_set_initial(reader->m, name, position ? form.position : NULL,
                                           velocity ? form.velocity : NULL, &origin, reader->error);
}

detent_status dt_read_initial(dt_reader *reader, const dt_yaml_node *node)
{
    detent_status status =
        node ? dt_require_mapping(reader, node, "a mapping from joints to initial values")
             : DETENT_OK;
    for (const dt_yaml_node *item = node ? node->first : NULL; item && !status; item = item->next) {
        reader->origin = (dt_origin){item, NULL, 0};
        status = read_item(reader, item);
    }
    reader->origin = (dt_origin){NULL, NULL, 0};
    return status;
}

/* ---- its place in the text ---- */

/* The byte where a line begins. */
static size_t line_start(const char *text, size_t length, int line)
{
    size_t at = 0;
    for (; line > 1 && at < length; at++) {
        line -= text[at] == '\n';
    }
    return at;
}

/* Behind the last byte of what can have more keys: the end, or the line of the mark that ends a document. */
static size_t end_of_document(const char *text, size_t length, int from_line)
{
    for (size_t at = line_start(text, length, from_line); at < length;) {
        if (length - at >= 3 && memcmp(text + at, "...", 3) == 0) {
            return at;
        }
        const char *newline = memchr(text + at, '\n', length - at);
        at = newline ? (size_t)(newline - text) + 1 : length;
    }
    return length;
}

detent_status dt_locate_initial(const char *text, size_t length, const char *name,
                                const detent_allocator *allocator, size_t *begin, size_t *end,
                                detent_error *error)
{
    dt_arena arena;
    const dt_yaml_node *root = NULL;
    dt_arena_init(&arena, allocator);
    detent_status status = dt_yaml_parse(&arena, text, length, name, &root, error);
    const dt_yaml_node *before = NULL, *found = NULL;
    for (const dt_yaml_node *child = status ? NULL : root->first; child && !status;
         child = child->next) {
        const dt_location where = {name, child->key_line, child->key_column};
        if (!child->key || child->key_column != 1 ||
            (before && before->key_line == child->key_line)) {
            status = dt_fail(error, DETENT_ERROR_MODEL, &where,
                             "initial values can be written only into a file whose sections "
                             "begin in column 1");
        }
        found = child->key && strcmp(child->key, "initial") == 0 ? child : found;
        before = child;
    }
    if (!status) {
        const size_t last = end_of_document(text, length, before ? before->key_line : 1);
        *begin = found ? line_start(text, length, found->key_line) : last;
        *end = found && found->next ? line_start(text, length, found->next->key_line) : last;
    }
    dt_arena_free(&arena);
    return status;
}
