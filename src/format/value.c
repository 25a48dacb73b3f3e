/* Reading one value, by its kind. */

#include "base/nearest.h"
#include "format/form.h"
#include "math/rotation.h"
#include "math/vec3.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static detent_status read_number(dt_reader *reader, const dt_yaml_node *node,
                                 const dt_dimension *dimension, double *value)
{
    dt_constant constant;
    dt_location where = dt_node_place(reader, node);
    dt_dimension *own = dimension == DT_OF_ITS_ITEM ? reader->own : NULL;
    const dt_dimension *expected = !own ? dimension : own->known ? own : NULL;
    detent_status status = dt_require_scalar(reader, node, "a number");
    if (!status) {
        status = dt_builder_constant(reader->m, node->text, &where, expected, &reader->origin,
                                     &constant, reader->error);
    }
    if (!status) {
        *value = constant.value;
    }
    if (!status && own && !own->known) {
        *own = constant.dimension;
    }
    return status;
}

static detent_status read_positive(dt_reader *reader, const dt_yaml_node *node, const dt_key *key,
                                   double *value)
{
    detent_status status = read_number(reader, node, key->dimension, value);
    if (!status && !(*value > 0.0)) {
        dt_location where = dt_node_place(reader, node);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "'%s' must be positive, not %.9g",
                       key->name, *value);
    }
    return status;
}

/* Exactly `count` numbers, or `other` of them. */
static detent_status read_numbers(dt_reader *reader, const dt_yaml_node *node, const dt_key *key,
                                  int count, int other, const char *expected, double *values)
{
    if (node->kind != DT_YAML_SEQUENCE || (node->count != count && node->count != other)) {
        return dt_fail_kind(reader, node, expected);
    }
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        detent_status status = read_number(reader, child, key->dimension, values++);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

static detent_status read_sizes(dt_reader *reader, const dt_yaml_node *node, const dt_key *key,
                                double sizes[DT_MOST_SIZES])
{
    detent_status status = DETENT_OK;
    if (node->kind != DT_YAML_SEQUENCE || node->count < 1 || node->count > DT_MOST_SIZES) {
        return dt_fail_kind(reader, node, "a list of 1 to 16 positive numbers");
    }
    for (const dt_yaml_node *child = node->first; child && !status; child = child->next) {
        status = read_positive(reader, child, key, sizes++);
    }
    return status;
}

static detent_status read_text(dt_reader *reader, const dt_yaml_node *node, const char **text)
{
    if (!dt_yaml_is_text(node)) {
        bool bare = node->kind == DT_YAML_SCALAR && *node->text;
        return dt_fail_kind(reader, node,
                            bare ? "a text, in quotes where it looks like a number or a "
                                   "word of YAML's"
                                 : "a text");
    }
    *text = node->text;
    return DETENT_OK;
}

static detent_status read_expression(dt_reader *reader, const dt_yaml_node *node, const char **text)
{
    detent_status status = dt_require_scalar(reader, node, "an expression");
    if (!status) {
        *text = node->text;
    }
    return status;
}

static detent_status read_expressions(dt_reader *reader, const dt_yaml_node *node,
                                      const char **texts)
{
    if (node->kind != DT_YAML_SEQUENCE || node->count != 3) {
        return dt_fail_kind(reader, node, "a list of three expressions");
    }
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        detent_status status = dt_require_whole(reader, child);
        status = status ? status : read_expression(reader, child, texts++);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

/* "'a', 'b' or 'c'". */
static void list_words(const char *const *words, size_t count, char *list, size_t size)
{
    size_t length = 0;
    for (size_t k = 0; k < count && length < size; k++) {
        const char *between = k == 0 ? "" : k + 1 < count ? ", " : " or ";
        length += (size_t)snprintf(list + length, size - length, "%s'%s'", between, words[k]);
    }
}

static detent_status read_choice(dt_reader *reader, const dt_yaml_node *node, const dt_key *key,
                                 int *choice)
{
    const char *const *words = key->extra;
    size_t count = 0;
    const char *text = NULL;
    detent_status status = read_text(reader, node, &text);
    if (status) {
        return status;
    }
    for (; words[count]; count++) {
        if (strcmp(words[count], text) == 0) {
            *choice = (int)count;
            return DETENT_OK;
        }
    }
    char list[256];
    list_words(words, count, list, sizeof list);
    dt_location where = dt_node_place(reader, node);
    const char *nearest = dt_nearest(text, words, count);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "'%s' is %s, not '%s'%s%s%s",
                   key->name, list, text, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                   nearest ? "'?" : "");
}

static detent_status read_truth(dt_reader *reader, const dt_yaml_node *node, int *truth)
{
    const bool plain = node->kind == DT_YAML_SCALAR && node->style == DT_YAML_PLAIN;
    *truth = plain && strcmp(node->text, "true") == 0;
    return *truth || (plain && strcmp(node->text, "false") == 0)
               ? DETENT_OK
               : dt_fail_kind(reader, node, "true or false");
}

static detent_status read_count(dt_reader *reader, const dt_yaml_node *node, int *count)
{
    double value = 0.0;
    detent_status status = read_number(reader, node, &dt_dimension_none, &value);
    if (status) {
        return status;
    }
    if (!(value >= 0.0 && value <= 1e6) || value != floor(value)) {
        dt_location where = dt_node_place(reader, node);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "'%s' must be an integer from 0 to 1000000, not %.9g",
                       node->key ? node->key : "", value);
    }
    *count = (int)value;
    return DETENT_OK;
}

/* --- Rotations and frames ----------------------------------------------------------------------------------- */

typedef struct rotation_form {
    const dt_yaml_node *axis, *angle, *quaternion, *rpy;
} rotation_form;

static const dt_key rotation_keys[] = {
    {"axis", DT_VALUE_NODE, false, offsetof(rotation_form, axis), NULL, NULL},
    {"angle", DT_VALUE_NODE, false, offsetof(rotation_form, angle), NULL, NULL},
    {"quaternion", DT_VALUE_NODE, false, offsetof(rotation_form, quaternion), NULL, NULL},
    {"rpy", DT_VALUE_NODE, false, offsetof(rotation_form, rpy), NULL, NULL},
    DT_KEYS_END,
};
static const dt_table rotation_table = {"rotation", rotation_keys};
static const dt_key plain = {"", DT_VALUE_NUMBER, false, 0, &dt_dimension_none, NULL};

static detent_status fail_zero(dt_reader *reader, const dt_yaml_node *node, const char *what)
{
    dt_location where = dt_node_place(reader, node);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "the %s is zero: it has no direction",
                   what);
}

static detent_status read_quaternion(dt_reader *reader, const dt_yaml_node *node, double q[4])
{
    detent_status status = read_numbers(reader, node, &plain, 4, 4, "a quaternion [w, x, y, z]", q);
    if (!status && q[0] == 0.0 && q[1] == 0.0 && q[2] == 0.0 && q[3] == 0.0) {
        return fail_zero(reader, node, "quaternion");
    }
    return status;
}

static detent_status read_axis_angle(dt_reader *reader, const rotation_form *form, double q[4])
{
    double axis[3], angle;
    detent_status status =
        read_numbers(reader, form->axis, &plain, 3, 3, "a list of three numbers", axis);
    if (!status && axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0) {
        return fail_zero(reader, form->axis, "axis");
    }
    if (!status) {
        status = read_number(reader, form->angle, &dt_dimension_none, &angle);
    }
    if (!status) {
        dt_quaternion_from_axis(q, axis, angle);
    }
    return status;
}

static detent_status read_rotation(dt_reader *reader, const dt_yaml_node *node, double q[4])
{
    static const char expected[] =
        "{axis: [x, y, z], angle: ...}, {quaternion: [w, x, y, z]} or {rpy: [r, p, y]}";
    rotation_form form = {0};
    if (node->kind != DT_YAML_MAPPING) {
        return dt_fail_kind(reader, node, expected);
    }
    detent_status status = dt_form_read(reader, node, &rotation_table, &form);
    if (status) {
        return status;
    }
    if (form.quaternion && node->count == 1) {
        return read_quaternion(reader, form.quaternion, q);
    }
    if (form.axis && form.angle && node->count == 2) {
        return read_axis_angle(reader, &form, q);
    }
    if (!form.rpy || node->count != 1) {
        dt_location where = dt_key_place(reader, node);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "a rotation is %s", expected);
    }
    double rpy[3];
    status = read_numbers(reader, form.rpy, &plain, 3, 3, "a list of three angles", rpy);
    if (!status) {
        dt_quaternion_from_rpy(q, rpy);
    }
    return status;
}

/* --- References --------------------------------------------------------------------------------------------- */

static detent_status fail_reference(dt_reader *reader, dt_location where, const char *text)
{
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                   "'%s' is not a name: an index is written link[3]", text);
}

detent_status dt_resolve_reference(dt_reader *reader, const char *text, dt_location where,
                                   const char **name)
{
    const char *open = strchr(text, '['), *close = strrchr(text, ']');
    dt_constant index = {0};
    *name = text;
    if (!open && !close) {
        return DETENT_OK;
    }
    if (!open || !close || close < open) {
        return fail_reference(reader, where, text);
    }
    char *inner = dt_arena_copy(&reader->arena, open + 1, (size_t)(close - open - 1));
    if (!inner) {
        return dt_fail_memory(reader);
    }
    dt_location inside = where;
    inside.column += inside.line > 0 ? (int)(open + 1 - text) : 0;
    detent_status status = dt_builder_constant(reader->m, inner, &inside, &dt_dimension_none,
                                               &reader->origin, &index, reader->error);
    if (status) {
        return status;
    }
    if (index.value != floor(index.value) || fabs(index.value) > 1e9) {
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &inside,
                       "an index must be an integer, not %.9g", index.value);
    }
    *name = dt_arena_printf(&reader->arena, "%.*s[%d]%s", (int)(open - text), text,
                            (int)index.value, close + 1);
    return *name ? DETENT_OK : dt_fail_memory(reader);
}

static detent_status read_reference(dt_reader *reader, const dt_yaml_node *node, const char **name)
{
    const char *text = NULL;
    detent_status status = read_text(reader, node, &text);
    return status ? status : dt_resolve_reference(reader, text, dt_node_place(reader, node), name);
}

/* --- Ends ------------------------------------------------------------------------------------------------------- */

typedef struct end_form {
    const char *body;
    double at[3], rotation[4];
} end_form;

static const dt_key end_keys[] = {
    {"body", DT_VALUE_REFERENCE, true, offsetof(end_form, body), NULL, NULL},
    {"at", DT_VALUE_VECTOR, false, offsetof(end_form, at), &dt_dimension_length, NULL},
    DT_KEYS_END,
};

static const dt_key end_place_keys[] = {
    {"point", DT_VALUE_VECTOR, false, 0, &dt_dimension_length, NULL},
    {"rotation", DT_VALUE_ROTATION, false, offsetof(end_form, rotation) - offsetof(end_form, at),
     NULL, NULL},
    DT_KEYS_END,
};
static const dt_table end_place = {"place of an end", end_place_keys};

static const dt_key end_frame_keys[] = {
    {"body", DT_VALUE_REFERENCE, true, offsetof(end_form, body), NULL, NULL},
    {"at", DT_VALUE_FRAME, false, offsetof(end_form, at), &dt_dimension_length, &end_place},
    DT_KEYS_END,
};

/* `rotation`: of ends that are frames, else NULL. */
static detent_status read_ends(dt_reader *reader, const dt_yaml_node *node, const dt_key *key,
                               dt_ends *ends, double (*rotation)[4])
{
    const dt_table table = {key->extra, rotation ? end_frame_keys : end_keys};
    if (node->kind != DT_YAML_SEQUENCE || node->count != 2) {
        return dt_fail_kind(reader, node, "a list of two ends, {body: ..., at: [...]} each");
    }
    const dt_yaml_node *child = node->first;
    for (int k = 0; k < 2; k++, child = child->next) {
        end_form end = {0};
        const detent_status status = dt_form_read(reader, child, &table, &end);
        if (status) {
            return status;
        }
        ends->body[k] = end.body;
        memcpy(ends->point[k], end.at, sizeof end.at);
        if (rotation) {
            memcpy(rotation[k], end.rotation, sizeof end.rotation);
        }
    }
    return DETENT_OK;
}

/* --- The table of kinds ------------------------------------------------------------------------------------- */

static detent_status read_frame(dt_reader *reader, const dt_yaml_node *node, const dt_key *key,
                                void *field)
{
    if (node->kind == DT_YAML_MAPPING) {
        return dt_form_read(reader, node, key->extra, field);
    }
    return read_numbers(reader, node, key, 3, 3,
                        "a point [x, y, z], or a mapping with point and rotation", field);
}

static detent_status read_inner(dt_reader *reader, const dt_yaml_node *node, const dt_inner *inner,
                                void *field)
{
    void *target = dt_arena_alloc(&reader->arena, 1, inner->size);
    *(void **)field = target;
    return target ? dt_form_read(reader, node, &inner->table, target) : dt_fail_memory(reader);
}

detent_status dt_value_read(dt_reader *reader, const dt_yaml_node *node, const dt_key *key,
                            void *field)
{
    dt_location where = dt_key_place(reader, node);
    switch (key->kind) {
    case DT_VALUE_NODE:
        *(const dt_yaml_node **)field = node;
        return DETENT_OK;
    case DT_VALUE_ELSEWHERE:
        return DETENT_OK;
    case DT_VALUE_TEXT:
        return read_text(reader, node, field);
    case DT_VALUE_NUMBER:
    case DT_VALUE_SIZE: /* what is negative is told with the words of its kind */
        return read_number(reader, node, key->dimension, field);
    case DT_VALUE_POSITIVE:
        return read_positive(reader, node, key, field);
    case DT_VALUE_COUNT:
        return read_count(reader, node, field);
    case DT_VALUE_VECTOR:
    case DT_VALUE_SIZE_VECTOR:
        return read_numbers(reader, node, key, 3, 3, "a list of three numbers", field);
    case DT_VALUE_SIZES:
        return read_sizes(reader, node, key, field);
    case DT_VALUE_INERTIA:
        return read_numbers(reader, node, key, 3, 6,
                            "a list of three numbers, or of six: xx, yy, zz, xy, xz, yz", field);
    case DT_VALUE_ROTATION:
        return read_rotation(reader, node, field);
    case DT_VALUE_EXPRESSION:
        return read_expression(reader, node, field);
    case DT_VALUE_EXPRESSIONS:
        return read_expressions(reader, node, field);
    case DT_VALUE_REFERENCE:
    case DT_VALUE_JOINT:
        return read_reference(reader, node, field);
    case DT_VALUE_ENDS:
        return read_ends(reader, node, key, field, NULL);
    case DT_VALUE_END_FRAMES:
        return read_ends(reader, node, key, field, ((dt_end_frames *)field)->rotation);
    case DT_VALUE_CHOICE:
        return read_choice(reader, node, key, field);
    case DT_VALUE_TRUTH:
        return read_truth(reader, node, field);
    case DT_VALUE_MAPPING:
        return dt_form_read(reader, node, key->extra, field);
    case DT_VALUE_INNER:
        return read_inner(reader, node, key->extra, field);
    case DT_VALUE_FRAME:
        return read_frame(reader, node, key, field);
    case DT_VALUE_UNSUPPORTED:
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "there is no '%s' here: %s",
                       key->name, (const char *)key->extra);
    }
    return DETENT_OK;
}
