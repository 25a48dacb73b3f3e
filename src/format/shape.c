/* Shapes of a body: a list of mappings, each with the key of one type, which says how large it is, and keys of all types. */

#include "format/shape.h"

#include "model/shape.h"

#include <stdio.h>
#include <string.h>

static const dt_table shape_table = {"shape", dt_shape_keys};

/* 'box', 'sphere', ... or 'mesh' */
static void list_types(char *text, size_t size)
{
    size_t length = 0;
    for (int k = 0; k < DT_SHAPE_TYPES && length < size; k++) {
        length += (size_t)snprintf(text + length, size - length, "%s'%s'",
                                   k == 0                   ? ""
                                   : k + 1 < DT_SHAPE_TYPES ? ", "
                                                            : " or ",
                                   dt_shape_types[k].word);
    }
}

/* The one type that it is of. */
static detent_status find_type(dt_reader *reader, const dt_yaml_node *node, int *type)
{
    char types[128];
    const dt_yaml_node *own = NULL;
    for (int k = 0; k < DT_SHAPE_TYPES; k++) {
        const dt_yaml_node *found = dt_yaml_find(node, dt_shape_types[k].word);
        if (found && own) {
            const dt_location where = dt_key_place(reader, found);
            return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                           "a shape is of one type, and this one is a '%s' and a '%s'", own->key,
                           found->key);
        }
        own = found ? found : own;
        *type = found ? k : *type;
    }
    if (!own) {
        const dt_location where = dt_node_place(reader, node);
        list_types(types, sizeof types);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "a shape needs one of the keys %s", types);
    }
    return DETENT_OK;
}

/* The points of a line. */
static detent_status read_points(dt_reader *reader, const dt_yaml_node *node, detent_shape_def *def)
{
    static const dt_key point = {"line", DT_VALUE_VECTOR, true, 0, &dt_dimension_length, NULL};
    if (node->kind != DT_YAML_SEQUENCE || node->count < 2) {
        return dt_fail_kind(reader, node, "a list of at least two points [x, y, z]");
    }
    double *points = dt_arena_alloc(&reader->arena, 3 * (size_t)node->count, sizeof *points);
    def->points = points;
    def->point_count = (size_t)node->count;
    detent_status status = points ? DETENT_OK : dt_fail_memory(reader);
    for (const dt_yaml_node *child = node->first; child && !status; child = child->next) {
        status = dt_value_read(reader, child, &point, points);
        points += 3;
    }
    return status;
}

/* A colour that YAML took for a comment, #ff0000 without quotes, is none. */
static detent_status check_color(dt_reader *reader, const dt_yaml_node *node)
{
    const dt_yaml_node *color = dt_yaml_find(node, "color");
    const bool is_bare =
        color && color->kind == DT_YAML_SCALAR && color->style == DT_YAML_PLAIN && !*color->text;
    return is_bare ? dt_fail_kind(reader, color, "a word such as red, or '#rrggbb' in quotes")
                   : DETENT_OK;
}

static detent_status read_shape(dt_reader *reader, const dt_yaml_node *node, const char *body)
{
    detent_shape_def def = {.body = body};
    detent_status status = dt_require_mapping(reader, node, "a shape, {box: [x, y, z]}");
    status = status ? status : check_color(reader, node);
    status = status ? status : dt_form_read(reader, node, &shape_table, &def);
    status = status ? status : find_type(reader, node, &def.type);
    const dt_yaml_node *line = status ? NULL : dt_yaml_find(node, "line");
    status = line ? read_points(reader, line, &def) : status;
    dt_origin origin = reader->origin;
    origin.item = node;
    return status ? status : dt_builder_add_shape(reader->m, &def, &origin, reader->error);
}

detent_status dt_read_shapes(dt_reader *reader, const dt_yaml_node *list, const char *body)
{
    if (!list) {
        return DETENT_OK;
    }
    if (list->kind != DT_YAML_SEQUENCE) {
        return dt_fail_kind(reader, list, "a list of shapes, [{box: [x, y, z]}]");
    }
    detent_status status = DETENT_OK;
    for (const dt_yaml_node *node = list->first; node && !status; node = node->next) {
        status = read_shape(reader, node, body);
    }
    return status;
}
