/* Adding a joint: its type becomes a row of primitives, its numbers become records. */

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/record.h"

#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

static detent_status find_type(const dt_builder *b, const detent_joint_def *def,
                               dt_joint_record *joint, detent_error *error)
{
    const char *names[16];
    char list[256] = "";
    size_t count = 0, length = 0;
    dt_location where = dt_locate(b, &joint->origin, NULL, "type", -1);
    joint->type = dt_joint_type_find(def->type);
    if (joint->type) {
        return DETENT_OK;
    }
    for (const dt_joint_type *type = dt_joint_types; type->name; type++) {
        names[count++] = type->name;
        size_t room = sizeof list - length;
        int written = snprintf(list + length, room, "%s%s", length ? ", " : "", type->name);
        length += (size_t)written < room ? (size_t)written : room - 1;
    }
    const char *nearest = dt_nearest(def->type, names, count);
    return nearest ? dt_fail_unknown("joint type", def->type, nearest, &where, error)
                   : dt_fail(error, DETENT_ERROR_MODEL, &where,
                             "unknown joint type '%s'; there are %s", def->type, list);
}

/* Whether each letter is that of a primitive that moves. */
static bool is_row(const char *letters)
{
    bool is = true;
    for (const char *letter = letters; *letter && is; letter++) {
        const dt_primitive_type *type = dt_primitive_type_find(*letter);
        is = type && type->nv > 0;
    }
    return is;
}

/* The letters of the joint's primitives: those of its type, or of the definition where the type leaves them open. */
static detent_status find_row(const dt_builder *b, const detent_joint_def *def,
                              const dt_joint_record *joint, const char **row, detent_error *error)
{
    dt_location where = dt_locate(b, &joint->origin, NULL, "row", -1);
    bool custom = !*joint->type->row;
    *row = custom ? def->row : joint->type->row;
    if (!custom && def->row) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "joint '%s': only a custom joint lists its row", def->name);
    }
    if (!*row || !**row) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "joint '%s': a custom joint needs its row, such as [p, r, r]", def->name);
    }
    if (custom && !is_row(*row)) {
        return dt_fail(
            error, DETENT_ERROR_MODEL, &where,
            "joint '%s': a row consists of p (prismatic), r (revolute) and s (spherical)",
            def->name);
    }
    if (strlen(*row) > DETENT_MAX_PRIMITIVES) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "joint '%s': a row has at most %d primitives", def->name,
                       DETENT_MAX_PRIMITIVES);
    }
    return DETENT_OK;
}

static detent_status set_frame(const dt_builder *b, const dt_joint_record *joint, const char *side,
                               const double point[3], const double rotation[4], double R[9],
                               double p[3], detent_error *error)
{
    char key[32];
    snprintf(key, sizeof key, "at.%s", side);
    dt_location where = dt_locate(b, &joint->origin, NULL, key, -1);
    detent_status status = dt_check_finite(point, 3, joint->name, key, &where, error);
    if (!status) {
        status = dt_check_finite(rotation, 4, joint->name, key, &where, error);
    }
    if (status) {
        return status;
    }
    double length = 0.0;
    for (int k = 0; k < 4; k++) {
        length += rotation[k] * rotation[k];
    }
    if (!(length > 1e-200 && length < 1e200)) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "joint '%s': the quaternion of %s has no direction", joint->name, key);
    }
    dt_rotation_from_quaternion(R, rotation);
    memcpy(p, point, 3 * sizeof *p);
    return DETENT_OK;
}

static const detent_primitive_def *primitive_of(const detent_joint_def *def, int k)
{
    static const detent_primitive_def plain = DETENT_INIT(detent_primitive_def);
    return def->primitive[k] ? def->primitive[k] : &plain;
}

/* The unit axis of primitive `k`: given, or by default that of the type. */
static detent_status set_axis(const dt_builder *b, const detent_joint_def *def,
                              const dt_joint_record *joint, int k, double axis[3],
                              detent_error *error)
{
    const double *given = primitive_of(def, joint->type->one_axis ? 0 : k)->axis;
    bool single = joint->primitive_count == 1 || joint->type->one_axis;
    dt_location where =
        dt_locate(b, &joint->origin, NULL, single ? "axis" : "axes", single ? -1 : k);
    detent_status status = dt_check_finite(given, 3, joint->name, "axis", &where, error);
    if (status) {
        return status;
    }
    bool zero = given[0] == 0.0 && given[1] == 0.0 && given[2] == 0.0;
    const double *chosen = zero ? joint->type->axes[k] : given;
    double largest = fmax(fabs(chosen[0]), fmax(fabs(chosen[1]), fabs(chosen[2])));
    for (int i = 0; i < 3; i++) {
        /* First to the size of 1: the square of its length is then in range. */
        axis[i] = chosen[i] / largest;
    }
    double length = dt_norm3(axis);
    for (int i = 0; i < 3; i++) {
        axis[i] /= length;
    }
    return DETENT_OK;
}

static detent_status set_primitive(detent_mechanism *m, const detent_joint_def *def,
                                   const dt_joint_record *joint, int k, dt_primitive_record *record,
                                   detent_error *error)
{
    record->def = *primitive_of(def, k);
    detent_status status = set_axis(m->builder, def, joint, k, record->def.axis, error);
    for (const dt_primitive_key *key = dt_primitive_keys; key->name && !status; key++) {
        const char **text = (void *)((char *)&record->def + key->offset);
        if (dt_primitive_is_text(key) && !dt_copy_text(&m->builder->arena, *text, text)) {
            status = dt_out_of_memory(error);
        }
    }
    return status;
}

/* p1, p2, r1, ...: counted by letter along the row. */
static void number_primitives(dt_primitive_record *primitives, int count)
{
    for (int k = 0; k < count; k++) {
        int number = 1;
        for (int before = 0; before < k; before++) {
            number += primitives[before].type == primitives[k].type;
        }
        primitives[k].suffix[0] = primitives[k].type->letter;
        primitives[k].suffix[1] = (char)('0' + number);
        primitives[k].suffix[2] = '\0';
    }
}

static detent_status add_primitives(detent_mechanism *m, const detent_joint_def *def,
                                    const char *row, dt_joint_record *joint, detent_error *error)
{
    dt_builder *b = m->builder;
    joint->is_cut = def->closes != 0;
    joint->first_primitive = DT_RECORDS(b, primitive).count;
    joint->primitive_count = (int)strlen(row);
    for (int k = 0; k < joint->primitive_count; k++) {
        dt_primitive_record *record =
            dt_list_add(&b->arena, &DT_RECORDS(b, primitive), sizeof *record);
        if (!record) {
            return dt_out_of_memory(error);
        }
        record->type = dt_primitive_type_find(row[k]);
        detent_status status = set_primitive(m, def, joint, k, record, error);
        if (status) {
            return status;
        }
    }
    number_primitives(DT_AT(DT_RECORDS(b, primitive), dt_primitive_record, joint->first_primitive),
                      joint->primitive_count);
    return DETENT_OK;
}

static detent_status set_names(detent_mechanism *m, const detent_joint_def *def,
                               dt_joint_record *joint, detent_error *error)
{
    dt_location where = dt_locate(m->builder, &joint->origin, NULL, NULL, -1);
    detent_status status = dt_check_name("joint", def->name, &where, error);
    if (status) {
        return status;
    }
    const char *const ends[] = {def->base, def->follower};
    const char *const sides[] = {"base", "follower"};
    for (int k = 0; k < 2; k++) {
        if (!*ends[k]) {
            dt_location place = dt_locate(m->builder, &joint->origin, NULL, sides[k], -1);
            return dt_fail(error, DETENT_ERROR_MODEL, &place, "joint '%s' needs a %s", def->name,
                           sides[k]);
        }
    }
    if (!dt_copy_text(&m->arena, def->name, &joint->name) ||
        !dt_copy_text(&m->builder->arena, def->base, &joint->base_name) ||
        !dt_copy_text(&m->builder->arena, def->follower, &joint->follower_name)) {
        return dt_out_of_memory(error);
    }
    status = dt_name_map_put(&m->joint_names, joint->name, DT_RECORDS(m->builder, joint).count);
    if (status == DETENT_ERROR_MODEL) {
        return dt_fail(error, status, &where, "the name '%s' is used by two joints", def->name);
    }
    return status ? dt_out_of_memory(error) : DETENT_OK;
}

static detent_status add(detent_mechanism *m, const void *definition, const dt_origin *origin,
                         detent_error *error)
{
    dt_builder *b = m->builder;
    const detent_joint_def *def = definition;
    dt_joint_record joint = {.base = -1, .follower = -1};
    const char *row = NULL;
    if (origin) {
        joint.origin = *origin;
    }
    detent_status status = set_names(m, def, &joint, error);
    if (!status) {
        status = find_type(b, def, &joint, error);
    }
    if (!status) {
        status = find_row(b, def, &joint, &row, error);
    }
    if (!status) {
        status = set_frame(b, &joint, "base", def->base_point, def->base_rotation, joint.base_R,
                           joint.base_p, error);
    }
    if (!status) {
        status = set_frame(b, &joint, "follower", def->follower_point, def->follower_rotation,
                           joint.follower_R, joint.follower_p, error);
    }
    if (!status) {
        status = add_primitives(m, def, row, &joint, error);
    }
    if (!status) {
        status = dt_check_joint(b, &joint, error);
    }
    if (status) {
        return status;
    }
    dt_joint_record *place = dt_list_add(&b->arena, &DT_RECORDS(b, joint), sizeof joint);
    if (!place) {
        return dt_out_of_memory(error);
    }
    *place = joint;
    m->joint_count = DT_RECORDS(b, joint).count;
    m->primitive_count = DT_RECORDS(b, primitive).count;
    return DETENT_OK;
}

/* The record of the primitive called `name` of the joints added so far, or NULL. */
static dt_primitive_record *find_record(const detent_mechanism *m, const char *name)
{
    const char *dot = strchr(name, '.');
    char joint_name[128];
    int length = snprintf(joint_name, sizeof joint_name, "%.*s",
                          dot ? (int)(dot - name) : (int)strlen(name), name);
    int index = length < (int)sizeof joint_name ? dt_name_map_get(&m->joint_names, joint_name) : -1;
    if (!m->builder || index < 0) {
        return NULL;
    }
    const dt_joint_record *joint = DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, index);
    dt_primitive_record *row =
        DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, joint->first_primitive);
    if (!dot) {
        return joint->primitive_count == 1 ? row : NULL;
    }
    for (int k = 0; k < joint->primitive_count && joint->primitive_count > 1; k++) {
        if (strcmp(row[k].suffix, dot + 1) == 0) {
            return &row[k];
        }
    }
    return NULL;
}

void dt_builder_keep_force(detent_mechanism *m, const char *name)
{
    dt_primitive_record *record = find_record(m, name);
    if (record) {
        record->keeps_force = true;
    }
}

bool dt_builder_set_force(detent_mechanism *m, const char *name, const char *force)
{
    dt_primitive_record *record = find_record(m, name);
    const dt_script_change change = {.primitive = name, .force = force};
    return !record || (dt_copy_text(&m->builder->arena, force, &record->def.force) &&
                       dt_script_note_change(m, &change));
}

const dt_primitive_type *dt_builder_primitive_type(const detent_mechanism *m, const char *name)
{
    const dt_primitive_record *record = find_record(m, name);
    return record ? record->type : NULL;
}

detent_status dt_builder_set_initial(detent_mechanism *m, const char *name, const double *position,
                                     const double *velocity, const dt_origin *origin,
                                     detent_error *error)
{
    dt_builder *b = m->builder;
    dt_primitive_record *record = find_record(m, name);
    const dt_location key = dt_locate(b, origin, NULL, NULL, -1);
    if (!record) {
        const char *nearest = dt_nearest_record(b, &DT_RECORDS(b, joint), sizeof(dt_joint_record),
                                                offsetof(dt_item_head, name), name, NULL);
        return dt_fail_unknown("joint", name, nearest, &key, error);
    }
    if (record->type->nv == 0 || record->def.motion || (record->def.speed && velocity)) {
        return dt_fail(error, DETENT_ERROR_MODEL, &key, "'%s': %s", name,
                       record->def.motion  ? "the motion gives the initial state"
                       : record->def.speed ? "the speed gives the initial velocity"
                                           : "a weld has no position and no velocity");
    }
    const struct {
        const char *what;
        const double *values;
        double *place;
        int count;
    } parts[] = {{"position", position, record->def.position, record->type->nq},
                 {"velocity", velocity, record->def.velocity, record->type->nv}};
    for (int k = 0; k < 2; k++) {
        if (!parts[k].values) {
            continue;
        }
        const dt_location where = dt_locate(b, origin, NULL, parts[k].what, -1);
        detent_status status =
            dt_check_finite(parts[k].values, parts[k].count, name, parts[k].what, &where, error);
        if (status) {
            return status;
        }
        memcpy(parts[k].place, parts[k].values, (size_t)parts[k].count * sizeof(double));
    }
    dt_script_change change = {
        .primitive = name, .has_position = position != NULL, .has_velocity = velocity != NULL};
    memcpy(change.position, record->def.position, sizeof change.position);
    memcpy(change.velocity, record->def.velocity, sizeof change.velocity);
    if (position) {
        record->type->normalize(record->def.position);
        record->def.position_is_given = 1;
        record->initial = *origin;
    }
    return dt_script_note_change(m, &change) ? DETENT_OK : dt_out_of_memory(error);
}

/* ---- the row of the table ---- */

#define FIELD(kind, member)                                                             \
    {                                                                                   \
#member, DT_VALUE_##kind, false, offsetof(detent_joint_def, member), NULL, NULL \
    }
#define PRIMITIVE(k)                                                                        \
    {                                                                                       \
        "primitive", DT_VALUE_INNER, false, offsetof(detent_joint_def, primitive[k]), NULL, \
            &dt_primitive_inner                                                             \
    }
static const dt_key fields[] = {FIELD(TEXT, type),
                                FIELD(TEXT, base),
                                FIELD(TEXT, follower),
                                FIELD(TRUTH, closes),
                                FIELD(TEXT, row),
                                FIELD(VECTOR, base_point),
                                FIELD(ROTATION, base_rotation),
                                FIELD(VECTOR, follower_point),
                                FIELD(ROTATION, follower_rotation),
                                PRIMITIVE(0),
                                PRIMITIVE(1),
                                PRIMITIVE(2),
                                PRIMITIVE(3),
                                PRIMITIVE(4),
                                PRIMITIVE(5),
                                DT_KEYS_END};
#undef PRIMITIVE
#undef FIELD
_Static_assert(DETENT_MAX_PRIMITIVES == 6, "a field for each");

static const char *joint_name(const detent_mechanism *m, int index)
{
    return m->joints[index].name;
}

static int find_joint(const detent_mechanism *m, const char *text)
{
    return dt_name_map_get(&m->joint_names, text);
}

const dt_item_kind dt_joint_item = {.what = "joint",
                                    .plural = "joints",
                                    .named = 1 + DETENT_JOINT,
                                    .is_section = true,
                                    .fields = fields,
                                    .size = sizeof(detent_joint_def),
                                    .add = add,
                                    .record_size = sizeof(dt_joint_record),
                                    .counter = offsetof(detent_mechanism, joint_count),
                                    .name = joint_name,
                                    .find = find_joint};
