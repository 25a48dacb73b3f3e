/* A joint as it is written: what joint.c reads. */

#include "format/written.h"

#include "model/joint_type.h"
#include "model/primitive_key.h"

#include <stdio.h>
#include <string.h>

/* ---- what primitives have ---- */

static const char *priority_word(int priority)
{
    const dt_primitive_key *row = dt_primitive_keys;
    while (row->offset != offsetof(detent_primitive_def, position_priority)) {
        row++;
    }
    return ((const char *const *)row->extra)[priority];
}

static void write_state(dt_entries *into, const detent_primitive_def *def, char letter,
                        bool position, bool velocity)
{
    static const double upright[4] = {1, 0, 0, 0};
    dt_entries turn = dt_entries_new(into->w, DT_YAML_MAPPING);
    if (position && letter == 's') {
        dt_entries_numbers(&turn, "quaternion",
                           dt_written_is_zero(def->position, 4) ? upright : def->position, 4);
        dt_entries_hang(into, "position", &turn, true);
    } else if (position) {
        dt_entries_number(into, "position", def->position[0]);
    }
    if (velocity && letter == 's') {
        dt_entries_numbers(into, "velocity", def->velocity, 3);
    } else if (velocity) {
        dt_entries_number(into, "velocity", def->velocity[0]);
    }
}

/* One priority is that of whatever stands beside it. */
static void write_initial(dt_entries *into, const detent_primitive_def *def, char letter)
{
    const int first = (int)def->position_priority, second = (int)def->velocity_priority;
    const bool ball = letter == 's', firm = first || second,
               position =
                   def->position_is_given || !dt_written_is_zero(def->position, ball ? 4 : 1),
               velocity = !dt_written_is_zero(def->velocity, ball ? 3 : 1),
               alone = firm && (!first || !second) && !(first ? velocity : position),
               both = firm && !alone;
    dt_entries initial = dt_entries_new(into->w, DT_YAML_MAPPING);
    write_state(&initial, def, letter, position || both || (alone && first),
                velocity || both || (alone && second));
    if (firm) {
        dt_entries_text(&initial, "priority", priority_word(alone && second ? second : first));
    }
    if (both && first != second) {
        dt_entries_text(&initial, "velocity_priority", priority_word(second));
    }
    dt_entries_hang(into, "initial", &initial, false);
}

static dt_key as_key(const dt_primitive_key *row, char letter)
{
    return (dt_key){.name = row->name,
                    .kind = letter == 's' ? row->spherical : row->scalar,
                    .required = row->required,
                    .offset = row->offset,
                    .extra = row->extra};
}

/* Whether a key says something. */
static bool is_there(const dt_primitive_key *row, const detent_primitive_def *def)
{
    const void *field = dt_primitive_field(row, def);
    return dt_primitive_is_text(row) ? *(const char *const *)field != NULL
                                     : row->count > 0 && !dt_written_is_zero(field, row->count);
}

/* The keys behind the initial values. Of a group all that must be there is there, if any is. */
static void write_primitive_keys(dt_entries *into, const detent_primitive_def *def, char letter,
                                 const dt_script_item *item)
{
    for (const dt_primitive_key *row = dt_primitive_keys; row->name;) {
        const char *group = row->group;
        dt_entries inner = dt_entries_new(into->w, DT_YAML_MAPPING);
        dt_entries *place = group ? &inner : into;
        bool any = !group;
        for (const dt_primitive_key *of = row; group && of->name && of->group == group; of++) {
            any = any || is_there(of, def);
        }
        const bool is_initial = group && strcmp(group, "initial") == 0;
        do {
            const dt_key keys[] = {as_key(row, letter), DT_KEYS_END};
            if (any && !is_initial && keys[0].kind != DT_VALUE_UNSUPPORTED) {
                dt_write_keys(place, keys, def, item, NULL);
            }
            row++;
        } while (group && row->name && row->group == group);
        if (group) {
            dt_entries_hang(into, group, &inner, false);
        }
    }
}

/* The force that was given later, if one was. */
static const char *later_force(const dt_written *w, const char *primitive)
{
    const int change = dt_name_map_get(&w->force_names, primitive);
    return change < 0 ? NULL : w->m->script.changes[change].force;
}

static void write_primitive(dt_entries *into, const detent_primitive_def *given, char letter,
                            const char *name, const dt_script_item *item)
{
    static const detent_primitive_def plain = DETENT_INIT(detent_primitive_def);
    detent_primitive_def def = given ? *given : plain;
    const char *force = later_force(into->w, name);
    def.force = force ? force : def.force;
    write_initial(into, &def, letter);
    write_primitive_keys(into, &def, letter, item);
    dt_write_along(into, name);
}

static void write_primitives(dt_entries *into, const detent_joint_def *def, const char *row,
                             const dt_script_item *item)
{
    dt_entries all = dt_entries_new(into->w, DT_YAML_MAPPING);
    for (int k = 0; row[k]; k++) {
        int number = 1;
        for (int before = 0; before < k; before++) {
            number += row[before] == row[k];
        }
        const char *suffix = dt_arena_printf(&into->w->arena, "%c%d", row[k], number),
                   *name = dt_arena_printf(&into->w->arena, "%s.%c%d", def->name, row[k], number);
        dt_entries own = dt_entries_new(into->w, DT_YAML_MAPPING);
        if (suffix && name) {
            write_primitive(&own, def->primitive[k], row[k], name, item);
            dt_entries_hang(&all, suffix, &own, false);
        } else {
            into->w->out_of_memory = true;
        }
    }
    dt_entries_hang(into, "primitives", &all, false);
}

/* ---- the joint ---- */

static const double *axis_of(const detent_joint_def *def, int k)
{
    static const double none[3];
    return def->primitive[k] ? def->primitive[k]->axis : none;
}

static bool is_given(const double axis[3])
{
    return axis[0] != 0 || axis[1] != 0 || axis[2] != 0;
}

/* Of several axes all are told, if one is. */
static void write_axes(dt_entries *into, const detent_joint_def *def, const dt_joint_type *type,
                       const char *row)
{
    if (type->one_axis || !row[1]) {
        if (row[0] != 's' && row[0] != 'w' && is_given(axis_of(def, 0))) {
            dt_entries_numbers(into, "axis", axis_of(def, 0), 3);
        }
        return;
    }
    bool any = false;
    dt_entries list = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    for (int k = 0; row[k]; k++) {
        const bool own = is_given(axis_of(def, k));
        if (row[k] != 's') {
            dt_entries_numbers(&list, NULL, own ? axis_of(def, k) : type->axes[k], 3);
            any = any || own;
        }
    }
    if (any) {
        dt_entries_hang(into, "axes", &list, true);
    }
}

static void write_frame(dt_entries *into, const char *side, const double point[3],
                        const double q[4])
{
    static const double upright[4] = {1, 0, 0, 0};
    const bool here = dt_written_is_zero(point, 3);
    if (memcmp(q, upright, sizeof upright) == 0) {
        if (!here) {
            dt_entries_numbers(into, side, point, 3);
        }
        return;
    }
    dt_entries frame = dt_entries_new(into->w, DT_YAML_MAPPING),
               rotation = dt_entries_new(into->w, DT_YAML_MAPPING);
    if (!here) {
        dt_entries_numbers(&frame, "point", point, 3);
    }
    dt_entries_numbers(&rotation, "quaternion", q, 4);
    dt_entries_hang(&frame, "rotation", &rotation, true);
    dt_entries_hang(into, side, &frame, true);
}

static void write_row(dt_entries *into, const char *row)
{
    dt_entries list = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    for (; *row; row++) {
        dt_entries_text(&list, NULL, dt_arena_copy(&into->w->arena, row, 1));
    }
    dt_entries_hang(into, "row", &list, true);
}

void dt_write_joint(dt_entries *into, const dt_script_item *item)
{
    const detent_joint_def *def = item->definition;
    const dt_joint_type *type = dt_joint_type_find(def->type);
    const char *row = *type->row ? type->row : def->row;
    dt_entries at = dt_entries_new(into->w, DT_YAML_MAPPING);
    dt_entries_text(into, "type", def->type);
    dt_entries_text(into, "base", def->base);
    dt_entries_text(into, "follower", def->follower);
    if (def->closes) {
        dt_entries_plain(into, "closes", "true");
    }
    if (!*type->row) {
        write_row(into, row);
    }
    write_axes(into, def, type, row);
    write_frame(&at, "base", def->base_point, def->base_rotation);
    write_frame(&at, "follower", def->follower_point, def->follower_rotation);
    dt_entries_hang(into, "at", &at, false);
    if (row[1]) {
        write_primitives(into, def, row, item);
    } else if (*row != 'w') {
        write_primitive(into, def->primitive[0], *row, def->name, item);
    }
}
