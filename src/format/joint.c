/* A joint is read in two steps: first its type, bodies and frames, then, when the type has said which primitives there are, what
 * each of them has: straight in the joint where there is one, under `primitives` where there are several. */

#include "format/joint.h"

#include "base/nearest.h"
#include "model/joint_type.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct joint_form {
    detent_joint_def def;
    const dt_yaml_node *axis, *axes, *row, *primitives;
    const dt_yaml_node *initial, *spring, *damping, *armature, *nominal, *force, *motion;
} joint_form;

enum {
    ROTATION_FROM_POINT =
        offsetof(detent_joint_def, base_rotation) - offsetof(detent_joint_def, base_point)
};
_Static_assert(ROTATION_FROM_POINT == offsetof(detent_joint_def, follower_rotation) -
                                          offsetof(detent_joint_def, follower_point),
               "one table serves both frames");

static const dt_key frame_keys[] = {
    {"point", DT_VALUE_VECTOR, false, 0, &dt_dimension_length, NULL},
    {"rotation", DT_VALUE_ROTATION, false, ROTATION_FROM_POINT, NULL, NULL},
    DT_KEYS_END,
};
static const dt_table frame_table = {"joint frame", frame_keys};

static const dt_key at_keys[] = {
    {"base", DT_VALUE_FRAME, false, offsetof(detent_joint_def, base_point), &dt_dimension_length,
     &frame_table},
    {"follower", DT_VALUE_FRAME, false, offsetof(detent_joint_def, follower_point),
     &dt_dimension_length, &frame_table},
    DT_KEYS_END,
};
static const dt_table at_table = {"place of a joint", at_keys};

static const dt_key joint_keys[] = {
    {"type", DT_VALUE_TEXT, true, offsetof(joint_form, def.type), NULL, NULL},
    {"base", DT_VALUE_REFERENCE, true, offsetof(joint_form, def.base), NULL, NULL},
    {"follower", DT_VALUE_REFERENCE, true, offsetof(joint_form, def.follower), NULL, NULL},
    {"closes", DT_VALUE_TRUTH, false, offsetof(joint_form, def.closes), NULL, NULL},
    {"axis", DT_VALUE_NODE, false, offsetof(joint_form, axis), NULL, NULL},
    {"axes", DT_VALUE_NODE, false, offsetof(joint_form, axes), NULL, NULL},
    {"row", DT_VALUE_NODE, false, offsetof(joint_form, row), NULL, NULL},
    {"at", DT_VALUE_MAPPING, false, offsetof(joint_form, def), NULL, &at_table},
    {"initial", DT_VALUE_NODE, false, offsetof(joint_form, initial), NULL, NULL},
    {"spring", DT_VALUE_NODE, false, offsetof(joint_form, spring), NULL, NULL},
    {"damping", DT_VALUE_NODE, false, offsetof(joint_form, damping), NULL, NULL},
    {"armature", DT_VALUE_NODE, false, offsetof(joint_form, armature), NULL, NULL},
    {"nominal", DT_VALUE_NODE, false, offsetof(joint_form, nominal), NULL, NULL},
    {"force", DT_VALUE_NODE, false, offsetof(joint_form, force), NULL, NULL},
    {"motion", DT_VALUE_NODE, false, offsetof(joint_form, motion), NULL, NULL},
    {"primitives", DT_VALUE_NODE, false, offsetof(joint_form, primitives), NULL, NULL},
    {"stops", DT_VALUE_UNSUPPORTED, false, 0, NULL, NULL},
    {"limits", DT_VALUE_UNSUPPORTED, false, 0, NULL, NULL},
    DT_KEYS_END,
};
static const dt_table joint_table = {"joint", joint_keys};

/* --- Primitives: a table for each kind, since their dimensions differ ------------------------------------------ */

#define FIELD(name) offsetof(detent_primitive_def, name)

/* as detent_priority */
static const char *const priority_words[] = {"free", "preferred", "exact", NULL};

#define SCALAR_TABLES(kind, position_d, velocity_d, stiffness_d, damping_d, inertia_d)        \
    static const dt_key kind##_initial_keys[] = {                                             \
        {"position", DT_VALUE_NUMBER, false, FIELD(position), position_d, NULL},              \
        {"velocity", DT_VALUE_NUMBER, false, FIELD(velocity), velocity_d, NULL},              \
        {"priority", DT_VALUE_CHOICE, false, FIELD(position_priority), NULL, priority_words}, \
        DT_KEYS_END,                                                                          \
    };                                                                                        \
    static const dt_table kind##_initial = {"initial state", kind##_initial_keys};            \
    static const dt_key kind##_spring_keys[] = {                                              \
        {"stiffness", DT_VALUE_NUMBER, true, FIELD(stiffness), stiffness_d, NULL},            \
        {"rest", DT_VALUE_NUMBER, false, FIELD(rest), position_d, NULL},                      \
        DT_KEYS_END,                                                                          \
    };                                                                                        \
    static const dt_table kind##_spring = {"spring", kind##_spring_keys};                     \
    static const dt_key kind##_nominal_keys[] = {                                             \
        {"position", DT_VALUE_POSITIVE, false, FIELD(nominal_position), position_d, NULL},    \
        {"velocity", DT_VALUE_POSITIVE, false, FIELD(nominal_velocity), velocity_d, NULL},    \
        DT_KEYS_END,                                                                          \
    };                                                                                        \
    static const dt_table kind##_nominal = {"nominal scale", kind##_nominal_keys};            \
    static const dt_key kind##_keys[] = {                                                     \
        {"initial", DT_VALUE_MAPPING, false, 0, NULL, &kind##_initial},                       \
        {"spring", DT_VALUE_MAPPING, false, 0, NULL, &kind##_spring},                         \
        {"damping", DT_VALUE_NUMBER, false, FIELD(damping), damping_d, NULL},                 \
        {"armature", DT_VALUE_NUMBER, false, FIELD(armature), inertia_d, NULL},               \
        {"nominal", DT_VALUE_MAPPING, false, 0, NULL, &kind##_nominal},                       \
        {"force", DT_VALUE_EXPRESSION, false, FIELD(force), NULL, NULL},                      \
        {"motion", DT_VALUE_EXPRESSION, false, FIELD(motion), NULL, NULL},                    \
        DT_KEYS_END,                                                                          \
    };                                                                                        \
    static const dt_table kind##_table = {#kind " primitive", kind##_keys}

SCALAR_TABLES(revolute, &dt_dimension_none, &dt_dimension_angular_velocity,
              &dt_dimension_rotational_stiffness, &dt_dimension_rotational_damping,
              &dt_dimension_inertia);
SCALAR_TABLES(prismatic, &dt_dimension_length, &dt_dimension_velocity, &dt_dimension_stiffness,
              &dt_dimension_damping, &dt_dimension_mass);

static const dt_key spherical_initial_keys[] = {
    {"position", DT_VALUE_ROTATION, false, FIELD(position), NULL, NULL},
    {"velocity", DT_VALUE_VECTOR, false, FIELD(velocity), &dt_dimension_angular_velocity, NULL},
    {"priority", DT_VALUE_CHOICE, false, FIELD(position_priority), NULL, priority_words},
    DT_KEYS_END,
};
static const dt_table spherical_initial = {"initial state", spherical_initial_keys};
static const dt_key spherical_nominal_keys[] = {
    {"velocity", DT_VALUE_POSITIVE, false, FIELD(nominal_velocity), &dt_dimension_angular_velocity,
     NULL},
    DT_KEYS_END,
};
static const dt_table spherical_nominal = {"spherical primitive's nominal scale",
                                           spherical_nominal_keys};
static const dt_key spherical_keys[] = {
    {"initial", DT_VALUE_MAPPING, false, 0, NULL, &spherical_initial},
    {"damping", DT_VALUE_NUMBER, false, FIELD(damping), &dt_dimension_rotational_damping, NULL},
    {"nominal", DT_VALUE_MAPPING, false, 0, NULL, &spherical_nominal},
    DT_KEYS_END,
};
static const dt_table spherical_table = {"spherical primitive", spherical_keys};

static const dt_table *primitive_table(char letter)
{
    return letter == 'r' ? &revolute_table : letter == 'p' ? &prismatic_table : &spherical_table;
}

/* --- Axes and row ------------------------------------------------------------------------------------------- */

static detent_status refuse_key(dt_reader *reader, const dt_yaml_node *node, const char *type,
                                const char *reason)
{
    dt_location where = dt_key_place(reader, node);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "'%s' in a %s joint: %s", node->key,
                   type, reason);
}

static detent_status read_axis(dt_reader *reader, const dt_yaml_node *node, double axis[3])
{
    static const dt_key key = {"axis", DT_VALUE_VECTOR, false, 0, &dt_dimension_none, NULL};
    detent_status status = dt_value_read(reader, node, &key, axis);
    if (!status && axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0) {
        dt_location where = dt_node_place(reader, node);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "the axis is zero: it has no direction");
    }
    return status;
}

/* The number of axes that `axes` of a row lists: a spherical primitive has none. */
static int count_axes(const char *row)
{
    int count = 0;
    for (const char *letter = row; *letter; letter++) {
        count += *letter != 's';
    }
    return count;
}

static detent_status read_axes(dt_reader *reader, joint_form *form, const char *row)
{
    char expected[64];
    int count = count_axes(row);
    snprintf(expected, sizeof expected, "a list of %d axes", count);
    if (form->axes->kind != DT_YAML_SEQUENCE || form->axes->count != count) {
        return dt_fail_kind(reader, form->axes, expected);
    }
    const dt_yaml_node *node = form->axes->first;
    for (int k = 0; row[k]; k++) {
        if (row[k] == 's') {
            continue;
        }
        detent_status status = read_axis(reader, node, form->def.primitive[k].axis);
        if (status) {
            return status;
        }
        node = node->next;
    }
    return DETENT_OK;
}

static detent_status read_all_axes(dt_reader *reader, joint_form *form, const dt_joint_type *type,
                                   const char *row)
{
    bool none = count_axes(row) == 0 || *row == 'w';
    bool one = !none && (type->one_axis || !row[1]);
    if (form->axis && !one) {
        return refuse_key(reader, form->axis, type->name,
                          none ? "it has no axis" : "it has several axes: give them as 'axes'");
    }
    if (form->axes && (one || none)) {
        return refuse_key(reader, form->axes, type->name,
                          none ? "it has no axis" : "it has one axis: give it as 'axis'");
    }
    if (form->axis) {
        return read_axis(reader, form->axis, form->def.primitive[0].axis);
    }
    return form->axes ? read_axes(reader, form, row) : DETENT_OK;
}

/* [p, r, r] as "prr"; the builder says which letters there are. */
static detent_status read_row(dt_reader *reader, joint_form *form, const dt_joint_type *type,
                              char row[16])
{
    const dt_yaml_node *node = form->row;
    int length = 0;
    if (*type->row) {
        snprintf(row, 16, "%s", type->row);
        return form->row
                   ? refuse_key(reader, form->row, type->name, "only a custom joint lists its row")
                   : DETENT_OK;
    }
    if (!node) {
        dt_location where = dt_key_place(reader, (const dt_yaml_node *)reader->origin.item);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "joint '%s': a custom joint needs its row, such as [p, r, r]",
                       form->def.name);
    }
    if (node->kind != DT_YAML_SEQUENCE || node->count < 1 || node->count > DETENT_MAX_PRIMITIVES) {
        return dt_fail_kind(reader, node, "a list of one to six of p, r and s");
    }
    for (const dt_yaml_node *child = node->first; child; child = child->next) {
        if (child->kind != DT_YAML_SCALAR || strlen(child->text) != 1 ||
            !strchr("prs", child->text[0])) {
            return dt_fail_kind(reader, child, "p (prismatic), r (revolute) or s (spherical)");
        }
        row[length++] = child->text[0];
    }
    row[length] = '\0';
    form->def.row = row;
    return DETENT_OK;
}

/* --- What the primitives have ------------------------------------------------------------------------------- */

/* r2 in "prr" is the third: index 2. -1: there is none. */
static int find_primitive(const char *row, const char *suffix)
{
    int number = 0;
    for (int k = 0; row[k]; k++) {
        number += row[k] == suffix[0];
        if (row[k] == suffix[0] && suffix[1] == '0' + number && !suffix[2]) {
            return k;
        }
    }
    return -1;
}

static detent_status fail_primitive(dt_reader *reader, const dt_yaml_node *node, const char *row)
{
    char text[DETENT_MAX_PRIMITIVES][3] = {""};
    const char *names[DETENT_MAX_PRIMITIVES];
    int length = 0;
    for (; row[length]; length++) {
        char number = '1';
        for (int k = 0; k < length; k++) {
            number = (char)(number + (row[k] == row[length]));
        }
        text[length][0] = row[length];
        text[length][1] = number;
        names[length] = text[length];
    }
    const char *nearest = dt_nearest(node->key, names, (size_t)length);
    dt_location where = dt_key_place(reader, node);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                   nearest ? "the joint has no primitive '%s'; did you mean '%s'?"
                           : "the joint has no primitive '%s'; they are called %s and so on",
                   node->key, nearest ? nearest : names[0]);
}

/* A priority is that of what is written beside it; the other value, if it is not, is a guess. `node`: has the key `initial`. */
static detent_status settle_priority(dt_reader *reader, const dt_yaml_node *node,
                                     detent_primitive_def *def)
{
    const dt_yaml_node *initial = dt_yaml_find(node, "initial");
    const dt_yaml_node *priority = initial ? dt_yaml_find(initial, "priority") : NULL;
    if (!priority) {
        return DETENT_OK;
    }
    const bool position = dt_yaml_find(initial, "position") != NULL,
               velocity = dt_yaml_find(initial, "velocity") != NULL;
    if (!position && !velocity) {
        dt_location where = dt_key_place(reader, priority);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "a priority is that of the position and velocity beside it, and there is "
                       "neither");
    }
    def->velocity_priority = velocity ? def->position_priority : DETENT_PRIORITY_FREE;
    def->position_priority = position ? def->position_priority : DETENT_PRIORITY_FREE;
    return DETENT_OK;
}

static detent_status read_primitives(dt_reader *reader, joint_form *form, const dt_joint_type *type,
                                     const char *row)
{
    const dt_yaml_node *const own[] = {form->initial, form->spring, form->damping, form->armature,
                                       form->nominal, form->force,  form->motion};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        if (own[i]) {
            return refuse_key(
                reader, own[i], type->name,
                *row == 'w' ? "a weld has no freedom"
                            : "it has several primitives: give each its own under 'primitives'");
        }
    }
    if (!form->primitives) {
        return DETENT_OK;
    }
    detent_status status =
        dt_require_mapping(reader, form->primitives, "a mapping from primitives such as r1");
    if (*row == 'w') {
        return refuse_key(reader, form->primitives, type->name, "a weld has no freedom");
    }
    for (const dt_yaml_node *node = status ? NULL : form->primitives->first; node && !status;
         node = node->next) {
        int k = find_primitive(row, node->key);
        status = k < 0
                     ? fail_primitive(reader, node, row)
                     : dt_form_read(reader, node, primitive_table(row[k]), &form->def.primitive[k]);
        status = status ? status : settle_priority(reader, node, &form->def.primitive[k]);
    }
    return status;
}

/* The keys of the one primitive of a joint. */
static detent_status read_only_primitive(dt_reader *reader, const dt_yaml_node *item,
                                         joint_form *form, const dt_joint_type *type, char letter)
{
    if (form->primitives) {
        return refuse_key(reader, form->primitives, type->name,
                          "it has one primitive: its keys stand in the joint");
    }
    const dt_yaml_node *const scalar_only[] = {form->spring, form->armature, form->force,
                                               form->motion};
    for (size_t i = 0; i < sizeof scalar_only / sizeof *scalar_only && letter == 's'; i++) {
        if (scalar_only[i]) {
            return refuse_key(reader, scalar_only[i], type->name,
                              "a spherical primitive has initial, damping and nominal only");
        }
    }
    detent_status status =
        dt_form_read_some(reader, item, primitive_table(letter), &form->def.primitive[0]);
    return status ? status : settle_priority(reader, item, &form->def.primitive[0]);
}

detent_status dt_read_joint(dt_reader *reader, const dt_section *section, const dt_yaml_node *item,
                            const char *name)
{
    joint_form form = {
        .def = {.name = name, .base_rotation = {1, 0, 0, 0}, .follower_rotation = {1, 0, 0, 0}}};
    char row[16] = "";
    detent_status status = dt_form_read(reader, item, &joint_table, &form);
    if (status) {
        return status;
    }
    const dt_joint_type *type = dt_joint_type_find(form.def.type);
    if (!type) { /* the builder has the words for that */
        return dt_builder_add(reader->m, section->number, &form.def, &reader->origin,
                              reader->error);
    }
    status = read_row(reader, &form, type, row);
    if (!status) {
        status = read_all_axes(reader, &form, type, row);
    }
    if (!status) {
        status = row[1] || *row == 'w' ? read_primitives(reader, &form, type, row)
                                       : read_only_primitive(reader, item, &form, type, *row);
    }
    return status ? status
                  : dt_builder_add(reader->m, section->number, &form.def, &reader->origin,
                                   reader->error);
}
