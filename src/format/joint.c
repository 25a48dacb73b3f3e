/* A joint is read in two steps: first its type, bodies and frames, then, when the type has said which primitives there are, what
 * each of them has: straight in the joint where there is one, under `primitives` where there are several. */

#include "format/joint.h"

#include "base/nearest.h"
#include "format/along.h"
#include "model/joint_type.h"
#include "model/primitive_key.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct joint_form {
    detent_joint_def def;
    detent_primitive_def primitive[DETENT_MAX_PRIMITIVES]; /* that of `def` */
    const dt_yaml_node *axis, *axes, *row, *primitives;
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
    {"primitives", DT_VALUE_NODE, false, offsetof(joint_form, primitives), NULL, NULL},
    {"limits", DT_VALUE_UNSUPPORTED, false, 0, NULL,
     "ends of a joint's way are its 'stops', those of static friction stand in 'stiction'"},
    DT_KEYS_END,
};
/* --- Primitives: a table for each kind, since their dimensions differ ------------------------------------------ */

/* The tables of one kind of primitive, made of the rows of dt_primitive_keys. */
struct dt_primitive_tables {
    dt_table table;
    dt_key *key; /* those that stand in the primitive itself */
    dt_key
        inner[2 * DT_MOST_PRIMITIVE_KEYS + 1]; /* those of one group after the other, each ended */
    dt_table group[DT_MOST_PRIMITIVE_KEYS];
};

/* Whether it has one freedom, and an axis. */
static bool is_scalar(char letter)
{
    return dt_primitive_type_find(letter)->nv == 1;
}

/* The row as a key of a primitive of one type. */
static dt_key as_key(const dt_primitive_key *row, const dt_primitive_type *type)
{
    return (dt_key){.name = row->name,
                    .kind = type->nv == 1 ? row->scalar : row->spherical,
                    .required = row->required,
                    .offset = row->offset,
                    .dimension = dt_quantity_dimension(row->quantity, type->rotational),
                    .extra = row->extra};
}

static void fill_tables(const dt_reader *reader, struct dt_primitive_tables *of,
                        const dt_primitive_type *type)
{
    const dt_primitive_key *row = dt_primitive_keys;
    dt_key *key = of->key, *inner = of->inner;
    dt_table *group = of->group;
    while (row->name) {
        const char *name = row->group;
        dt_key *first = inner;
        for (; row->name && row->group == name; row++) {
            const dt_key own = as_key(row, type);
            if (own.kind == DT_VALUE_UNSUPPORTED) {
                continue;
            }
            *(name ? inner++ : key++) = own;
        }
        if (name && inner > first) {
            *group = (dt_table){dt_primitive_group_title(name, type->nv != 1), first};
            *key++ = (dt_key){.name = name, .kind = DT_VALUE_MAPPING, .extra = group++};
            inner++; /* one without name ends them */
        }
    }
    if (type->nv == 1) {
        dt_along_keys(reader, key);
    }
}

/* Made when the first primitive of its kind is read. NULL: memory is out. */
static const dt_table *primitive_table(dt_reader *reader, char letter)
{
    struct dt_primitive_tables **of = &reader->primitives[dt_primitive_type_place(letter)];
    if (!*of) {
        const size_t keys = DT_MOST_PRIMITIVE_KEYS + 1 + (size_t)dt_along_count(reader);
        struct dt_primitive_tables *tables = dt_arena_one(&reader->arena, sizeof *tables);
        dt_key *key = dt_arena_alloc(&reader->arena, keys, sizeof *key);
        const dt_primitive_type *type = dt_primitive_type_find(letter);
        const char *title = dt_arena_printf(&reader->arena, "%s primitive", type->name);
        if (!tables || !key || !title) {
            return NULL;
        }
        tables->key = key;
        tables->table = (dt_table){title, key};
        fill_tables(reader, tables, type);
        *of = tables;
    }
    return &(*of)->table;
}

/* What stands in a primitive itself: a row, or the first one of a group. */
static bool is_head(const dt_primitive_key *row)
{
    return !row->group || row == dt_primitive_keys || row->group != row[-1].group;
}

static const char *head_name(const dt_primitive_key *head)
{
    return head->group ? head->group : head->name;
}

/* Whether a spherical primitive has it, or some of the group. */
static bool is_of_ball(const dt_primitive_key *head)
{
    bool any = false;
    for (const dt_primitive_key *row = head; row == head || (row->name && !is_head(row)); row++) {
        any = any || row->spherical != DT_VALUE_UNSUPPORTED;
    }
    return any;
}

/* The keys of a joint, and of its primitive where it has only one. */
static bool joint_table(dt_reader *reader, dt_table *table)
{
    dt_key *all = reader->joint_keys;
    if (!all) {
        const size_t own = sizeof joint_keys / sizeof *joint_keys - 1;
        all = dt_arena_alloc(&reader->arena,
                             own + DT_MOST_PRIMITIVE_KEYS + 1 + (size_t)dt_along_count(reader),
                             sizeof *all);
        reader->joint_keys = all;
        size_t count = 0;
        for (; count < own && all; count++) {
            all[count] = joint_keys[count];
        }
        for (const dt_primitive_key *row = dt_primitive_keys; row->name && all; row++) {
            if (is_head(row)) {
                all[count++] = (dt_key){.name = head_name(row), .kind = DT_VALUE_ELSEWHERE};
            }
        }
        if (all) {
            dt_along_keys(reader, all + count);
        }
    }
    *table = (dt_table){"joint", all};
    return all != NULL;
}

/* The first key of a primitive in a joint; `ball`: that a spherical one does not have. NULL: there is none. */
static const dt_yaml_node *find_own(const dt_reader *reader, const dt_yaml_node *item, bool ball)
{
    const dt_yaml_node *node = NULL;
    for (const dt_primitive_key *row = dt_primitive_keys; row->name && !node; row++) {
        node =
            is_head(row) && !(ball && is_of_ball(row)) ? dt_yaml_find(item, head_name(row)) : NULL;
    }
    return node ? node : dt_along_find(reader, item);
}

/* "a spherical primitive has initial, damping and nominal only" */
static void list_of_ball(char *text, size_t size)
{
    const char *names[DT_MOST_PRIMITIVE_KEYS];
    size_t count = 0, length = 0;
    for (const dt_primitive_key *row = dt_primitive_keys; row->name; row++) {
        if (is_head(row) && is_of_ball(row)) {
            names[count++] = head_name(row);
        }
    }
    for (size_t k = 0; k < count && length < size; k++) {
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   k == 0          ? "a spherical primitive has "
                                   : k + 1 < count ? ", "
                                                   : " and ",
                                   names[k]);
    }
    snprintf(text + (length < size ? length : size), length < size ? size - length : 0, " only");
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

/* The number of axes that `axes` of a row lists. */
static int count_axes(const char *row)
{
    int count = 0;
    for (const char *letter = row; *letter; letter++) {
        count += is_scalar(*letter);
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
        if (!is_scalar(row[k])) {
            continue;
        }
        detent_status status = read_axis(reader, node, form->primitive[k].axis);
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
    bool none = count_axes(row) == 0;
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
        return read_axis(reader, form->axis, form->primitive[0].axis);
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
        const dt_primitive_type *own = child->kind == DT_YAML_SCALAR && strlen(child->text) == 1
                                           ? dt_primitive_type_find(child->text[0])
                                           : NULL;
        if (!own || own->nv == 0) {
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

/* What is written is given, be it zero. A priority is that of what is written beside it; the other value, if it is not, is a guess. The velocity
 * may have its own. `node`: has the key `initial`. */
static detent_status settle_initial(dt_reader *reader, const dt_yaml_node *node,
                                    detent_primitive_def *def)
{
    const dt_yaml_node *initial = dt_yaml_find(node, "initial");
    const dt_yaml_node *priority = initial ? dt_yaml_find(initial, "priority") : NULL;
    const dt_yaml_node *own = initial ? dt_yaml_find(initial, "velocity_priority") : NULL;
    const bool position = initial && dt_yaml_find(initial, "position"),
               velocity = initial && dt_yaml_find(initial, "velocity");
    def->position_is_given = position;
    if (!priority && !own) {
        return DETENT_OK;
    }
    if (!velocity && (own || !position)) {
        dt_location where = dt_key_place(reader, own ? own : priority);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       own ? "a velocity_priority is that of the velocity beside it, and there is "
                             "none"
                           : "a priority is that of the position and velocity beside it, and there "
                             "is neither");
    }
    if (!own) {
        def->velocity_priority = velocity ? def->position_priority : DETENT_PRIORITY_FREE;
    }
    def->position_priority = priority && position ? def->position_priority : DETENT_PRIORITY_FREE;
    return DETENT_OK;
}

static bool moves(const char *row)
{
    return dt_primitive_type_find(*row)->nv > 0;
}

static detent_status read_primitives(dt_reader *reader, const dt_yaml_node *item, joint_form *form,
                                     const dt_joint_type *type, const char *row)
{
    const dt_yaml_node *own = find_own(reader, item, false);
    if (own) {
        return refuse_key(reader, own, type->name,
                          !moves(row)
                              ? "a weld has no freedom"
                              : "it has several primitives: give each its own under 'primitives'");
    }
    if (!form->primitives) {
        return DETENT_OK;
    }
    detent_status status =
        dt_require_mapping(reader, form->primitives, "a mapping from primitives such as r1");
    if (!moves(row)) {
        return refuse_key(reader, form->primitives, type->name, "a weld has no freedom");
    }
    for (const dt_yaml_node *node = status ? NULL : form->primitives->first; node && !status;
         node = node->next) {
        int k = find_primitive(row, node->key);
        const dt_table *table = k < 0 ? NULL : primitive_table(reader, row[k]);
        status = k < 0    ? fail_primitive(reader, node, row)
                 : !table ? dt_fail_memory(reader)
                          : dt_form_read(reader, node, table, &form->primitive[k]);
        status = status ? status : settle_initial(reader, node, &form->primitive[k]);
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
    const dt_yaml_node *own = is_scalar(letter) ? NULL : find_own(reader, item, true);
    if (own) {
        char words[128];
        list_of_ball(words, sizeof words);
        return refuse_key(reader, own, type->name, words);
    }
    const dt_table *table = primitive_table(reader, letter);
    detent_status status = table ? dt_form_read_some(reader, item, table, &form->primitive[0])
                                 : dt_fail_memory(reader);
    return status ? status : settle_initial(reader, item, &form->primitive[0]);
}

/* What stands in primitives and is an item of its own. */
static detent_status read_along(dt_reader *reader, const dt_yaml_node *item, const joint_form *form,
                                bool single)
{
    const dt_yaml_node *first = form->primitives ? form->primitives->first : NULL;
    detent_status status = single ? dt_along_read(reader, item, form->def.name) : DETENT_OK;
    for (const dt_yaml_node *node = single ? NULL : first; node && !status; node = node->next) {
        if (dt_along_find(reader, node)) {
            const char *name = dt_arena_printf(&reader->arena, "%s.%s", form->def.name, node->key);
            status = name ? dt_along_read(reader, node, name) : dt_fail_memory(reader);
        }
    }
    return status;
}

detent_status dt_read_joint(dt_reader *reader, const dt_section *section, const dt_yaml_node *item,
                            const char *name)
{
    joint_form form = {
        .def = {.name = name, .base_rotation = {1, 0, 0, 0}, .follower_rotation = {1, 0, 0, 0}}};
    for (int k = 0; k < DETENT_MAX_PRIMITIVES; k++) {
        form.def.primitive[k] = &form.primitive[k];
    }
    char row[16] = "";
    dt_table table;
    detent_status status = joint_table(reader, &table) ? dt_form_read(reader, item, &table, &form)
                                                       : dt_fail_memory(reader);
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
        status = row[1] || !moves(row) ? read_primitives(reader, item, &form, type, row)
                                       : read_only_primitive(reader, item, &form, type, *row);
    }
    for (size_t k = strlen(row); k < DETENT_MAX_PRIMITIVES; k++) {
        form.def.primitive[k] = NULL;
    }
    status = status ? status
                    : dt_builder_add(reader->m, section->number, &form.def, &reader->origin,
                                     reader->error);
    return status || !moves(row) ? status : read_along(reader, item, &form, !row[1]);
}
