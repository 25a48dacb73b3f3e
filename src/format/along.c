#include "format/along.h"

#include "base/nearest.h"
#include "format/law_choice.h"
#include "model/mechanism.h"

#include <string.h>

/* The next kind behind `number` that has a key in primitives; NULL: there is none. */
static const dt_item_kind *next(const dt_reader *reader, int *number)
{
    const dt_item_source *source = reader->m->source;
    const int end = DT_ITEM_KINDS + (source ? source->count : 0);
    const dt_item_kind *kind = NULL;
    while (!kind && ++*number < end) {
        kind = dt_item_kind_of(source, *number);
        kind = kind && kind->joint_key ? kind : NULL;
    }
    return kind;
}

int dt_along_count(const dt_reader *reader)
{
    int count = 0;
    for (int number = -1; next(reader, &number);) {
        count++;
    }
    return count;
}

dt_key *dt_along_keys(const dt_reader *reader, dt_key *keys)
{
    const dt_item_kind *kind;
    for (int number = -1; (kind = next(reader, &number)) != NULL;) {
        *keys++ = (dt_key){.name = kind->joint_key, .kind = DT_VALUE_ELSEWHERE};
    }
    return keys;
}

const dt_yaml_node *dt_along_find(const dt_reader *reader, const dt_yaml_node *node)
{
    const dt_item_kind *kind;
    const dt_yaml_node *found = NULL;
    for (int number = -1; !found && (kind = next(reader, &number)) != NULL;) {
        found = dt_yaml_find(node, kind->joint_key);
    }
    return found;
}

static int part_of(const dt_item_kind *kind, const char *word)
{
    int part = 0;
    while (kind->parts[part] && strcmp(kind->parts[part], word) != 0) {
        part++;
    }
    return kind->parts[part] ? part : -1;
}

/* Says which words there are. */
static detent_status fail_part(dt_reader *reader, const dt_item_kind *kind,
                               const dt_yaml_node *node)
{
    const dt_location where = dt_key_place(reader, node);
    int count = 0;
    while (kind->parts[count]) {
        count++;
    }
    const char *nearest = dt_nearest(node->key, kind->parts, (size_t)count);
    return dt_fail(reader->error, DETENT_ERROR_SYNTAX, &where,
                   "unknown key '%s' in the %s of a joint: there are '%s' and '%s'%s%s%s",
                   node->key, kind->plural, kind->parts[0], kind->parts[count - 1],
                   nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

static detent_status read_parts(dt_reader *reader, dt_section section, const dt_yaml_node *own,
                                const char *primitive)
{
    detent_status status =
        own->kind == DT_YAML_MAPPING
            ? DETENT_OK
            : dt_fail_kind(reader, own, "a mapping with 'lower', 'upper' or both");
    section.joint = primitive;
    for (const dt_yaml_node *node = own->first; node && !status; node = node->next) {
        const char *name = dt_arena_printf(&reader->arena, "%s.%s", primitive, node->key);
        section.part = part_of(section.kind, node->key);
        reader->origin.item = node;
        status = section.part < 0 ? fail_part(reader, section.kind, node)
                 : !name          ? dt_fail_memory(reader)
                                  : dt_section_read_keys(reader, &section, node, name);
    }
    return status;
}

detent_status dt_along_read(dt_reader *reader, const dt_yaml_node *node, const char *primitive)
{
    const dt_origin joint = reader->origin;
    const dt_item_kind *kind;
    detent_status status = DETENT_OK;
    for (int number = -1; !status && (kind = next(reader, &number)) != NULL;) {
        const dt_section section = {.kind = kind, .number = number, .read = dt_section_read_keys};
        const dt_yaml_node *own = dt_yaml_find(node, kind->joint_key);
        if (own && kind->parts) {
            status = read_parts(reader, section, own, primitive);
        } else if (own) {
            reader->origin.item = own;
            status = (section.kind->rubs ? dt_law_choice_read
                                         : dt_section_read_keys)(reader, &section, own, primitive);
        }
    }
    reader->origin = joint;
    return status;
}

bool dt_along_section(const dt_reader *reader, const char *name, dt_section *section)
{
    const dt_item_kind *kind;
    for (int number = -1; (kind = next(reader, &number)) != NULL;) {
        if (strcmp(kind->joint_key, name) == 0) {
            *section = (dt_section){.kind = kind, .number = number, .read = dt_section_read_keys};
            return true;
        }
    }
    return false;
}
