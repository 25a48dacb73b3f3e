/* Names: what may be one, what to say about a wrong one; and warnings. */

#include "base/nearest.h"
#include "model/record.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 100 };

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The end of `[17]` at `c`, or `c` itself where there is none. */
static const char *skip_index(const char *c)
{
    if (*c != '[' || !(is_digit(c[1]) || (c[1] == '-' && is_digit(c[2])))) {
        return c;
    }
    const char *end = c + 2;
    while (is_digit(*end)) {
        end++;
    }
    return *end == ']' ? end + 1 : c;
}

static const char *skip_identifier(const char *c)
{
    if (!is_letter(*c)) {
        return c;
    }
    while (is_letter(*c) || is_digit(*c)) {
        c++;
    }
    return skip_index(c);
}

detent_status dt_check_path(const char *what, const char *name, int points,
                            const dt_location *where, detent_error *error)
{
    if (!*name) {
        return dt_fail(error, DETENT_ERROR_MODEL, where, "a %s needs a name", what);
    }
    const char *end = skip_identifier(name);
    for (; end != name && *end == '.' && points > 0 && skip_identifier(end + 1) != end + 1;
         points--) {
        end = skip_identifier(end + 1);
    }
    if (end == name || *end) {
        return dt_fail(
            error, DETENT_ERROR_MODEL, where,
            "%s '%s': a name has letters, digits and underscores and starts with no digit", what,
            name);
    }
    if (end - name > LONGEST_NAME) {
        return dt_fail(error, DETENT_ERROR_MODEL, where,
                       "%s '%.20s...': a name has at most %d characters", what, name, LONGEST_NAME);
    }
    return DETENT_OK;
}

detent_status dt_check_name(const char *what, const char *name, const dt_location *where,
                            detent_error *error)
{
    return dt_check_path(what, name, 0, where, error);
}

/* Copies a new item's name into `arena` and enters it in a map under `value`. */
detent_status dt_enter_name(detent_mechanism *m, dt_arena *arena, const char *what,
                            const char *name, dt_name_map *map, int value, const dt_origin *origin,
                            const char **copy, detent_error *error)
{
    dt_location where = dt_locate(m->builder, origin, NULL, NULL, -1);
    if (!dt_copy_text(arena, name, copy)) {
        return dt_out_of_memory(error);
    }
    const detent_status status = dt_name_map_put(map, *copy, value);
    if (status == DETENT_ERROR_MODEL) {
        return dt_fail(error, status, &where, "the name '%s' is used by two %s", name,
                       strcmp(what, "body") == 0 ? "bodies" : what);
    }
    return status ? dt_out_of_memory(error) : DETENT_OK;
}

detent_status dt_fail_unknown(const char *what, const char *name, const char *nearest,
                              const dt_location *where, detent_error *error)
{
    if (nearest) {
        return dt_fail(error, DETENT_ERROR_MODEL, where, "unknown %s '%s'; did you mean '%s'?",
                       what, name, nearest);
    }
    return dt_fail(error, DETENT_ERROR_MODEL, where, "unknown %s '%s'", what, name);
}

/* The first candidate that is `name` with an index behind it; NULL if there is none. */
static const char *indexed(const char *name, const char *const *candidates, size_t count)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++) {
        if (candidates[i] && strncmp(candidates[i], name, length) == 0 &&
            candidates[i][length] == '[') {
            return candidates[i];
        }
    }
    return NULL;
}

const char *dt_nearest_item(const char *name, const char *const *candidates, size_t count)
{
    const char *copy = indexed(name, candidates, count);
    return copy ? copy : dt_nearest(name, candidates, count);
}

const char *dt_nearest_record(dt_builder *builder, const dt_list *list, size_t size, size_t offset,
                              const char *name, const char *extra)
{
    const char **names = dt_arena_alloc(&builder->arena, (size_t)list->count + 1, sizeof *names);
    if (!names) {
        return NULL;
    }
    for (int i = 0; i < list->count; i++) {
        memcpy(&names[i], (const char *)list->items + (size_t)i * size + offset, sizeof *names);
    }
    names[list->count] = extra;
    return dt_nearest_item(name, names, (size_t)list->count + 1);
}

detent_status dt_warn(detent_mechanism *m, const dt_location *where, detent_error *error,
                      const char *format, ...)
{
    char text[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    const char **warning = dt_list_add(&m->arena, &m->builder->warnings, sizeof *warning);
    if (!warning) {
        return dt_out_of_memory(error);
    }
    *warning = where && where->line > 0
                   ? dt_arena_printf(&m->arena, "%s:%d:%d: %s", where->file ? where->file : "",
                                     where->line, where->column, text)
                   : dt_arena_printf(&m->arena, "%s", text);
    return *warning ? DETENT_OK : dt_out_of_memory(error);
}

bool dt_name_is_reserved(const char *name)
{
    static const char *const words[] = {"t", "dir", "pi", "if", "and", "or", "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(words[i], name) == 0) {
            return true;
        }
    }
    return false;
}

detent_status dt_builder_check_index(const detent_mechanism *m, const char *name,
                                     const dt_location *where, detent_error *error)
{
    const dt_builder *b = m->builder;
    detent_status status = dt_check_name("repetition index", name, where, error);
    int before = status ? -1 : dt_name_map_get(&b->global_names, name);
    if (!status && (dt_name_is_reserved(name) || strchr(name, '['))) {
        return dt_fail(error, DETENT_ERROR_MODEL, where, "index '%s': the name is reserved", name);
    }
    if (before >= 0) {
        return dt_fail(error, DETENT_ERROR_MODEL, where,
                       "index '%s': the name is already that of a %s", name,
                       dt_global_kind_text(DT_AT(b->globals, dt_global, before)->kind));
    }
    return status;
}

const char *dt_global_kind_text(dt_global_kind kind)
{
    static const char *const texts[] = {"parameter", "input", "signal"};
    return texts[kind];
}

int dt_find_primitive(const detent_mechanism *m, const char *name)
{
    const size_t length = strcspn(name, ".");
    const int index = dt_name_map_find(&m->joint_names, name, length);
    if (index < 0) {
        return -1;
    }
    const dt_joint *joint = &m->joints[index];
    if (joint->primitive_count == 1) {
        return name[length] ? -1 : joint->first_primitive;
    }
    for (int i = joint->first_primitive; i < joint->first_primitive + joint->primitive_count; i++) {
        if (strcmp(m->primitives[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *dt_nearest_frame(const detent_mechanism *m, const char *name)
{
    const size_t bodies = (size_t)m->body_count, count = bodies + (size_t)m->point_count + 1;
    const char **names = dt_arena_alloc(&m->builder->arena, count, sizeof *names);
    for (size_t i = 0; i + 1 < count && names; i++) {
        names[i] = i < bodies ? m->bodies[i].name : m->points[i - bodies].name;
    }
    if (names) {
        names[count - 1] = "ground";
    }
    return names ? dt_nearest_item(name, names, count) : NULL;
}

const char *dt_nearest_readable(const detent_mechanism *m, const char *item)
{
    const size_t primitives = (size_t)m->primitive_count,
                 bodies = primitives + (size_t)m->body_count,
                 count = bodies + (size_t)DT_RECORDS(m->builder, point).count;
    const char **names = dt_arena_alloc(&m->builder->arena, count, sizeof *names);
    if (!names) {
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        names[i] = i < primitives ? m->primitives[i].name
                   : i < bodies
                       ? m->bodies[i - primitives].name
                       : DT_AT(DT_RECORDS(m->builder, point), dt_point_record, (int)(i - bodies))
                             ->def.name;
    }
    return dt_nearest_item(item, names, count);
}
