#include "format/along.h"

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

detent_status dt_along_read(dt_reader *reader, const dt_yaml_node *node, const char *primitive)
{
    const dt_origin joint = reader->origin;
    const dt_item_kind *kind;
    detent_status status = DETENT_OK;
    for (int number = -1; !status && (kind = next(reader, &number)) != NULL;) {
        const dt_section section = {kind, number, dt_section_read_keys};
        const dt_yaml_node *own = dt_yaml_find(node, kind->joint_key);
        if (own) {
            reader->origin.item = own;
            status = dt_section_read_keys(reader, &section, own, primitive);
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
            *section = (dt_section){kind, number, dt_section_read_keys};
            return true;
        }
    }
    return false;
}
