/* Records of the builder: growing lists, texts, and places of what was read. All of src/model stands on this. */

#include "model/record.h"
#include "expression/curve.h"

#include <string.h>

/* Of items: nq and nv stay within an int. */
enum { MOST_EXPECTED = 250 * 1000, LARGEST_COUNT = 100 * 1000 * 1000 };

detent_status dt_out_of_memory(detent_error *error)
{
    return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

void *dt_list_add(dt_arena *arena, dt_list *list, size_t size)
{
    if (list->count == list->capacity) {
        int capacity = list->capacity ? 2 * list->capacity : 8;
        void *items =
            list->count < LARGEST_COUNT
                ? dt_arena_grow(arena, list->items, (size_t)list->count, (size_t)capacity, size)
                : NULL;
        if (!items) {
            return NULL;
        }
        list->items = items;
        list->capacity = capacity;
    }
    return (char *)list->items + (size_t)list->count++ * size;
}

bool dt_list_reserve(dt_arena *arena, dt_list *list, size_t count, size_t size)
{
    const size_t used = (size_t)list->count,
                 wanted = used + (count < MOST_EXPECTED ? count : MOST_EXPECTED);
    if (wanted <= (size_t)list->capacity || wanted > LARGEST_COUNT) {
        return true;
    }
    void *items = dt_arena_grow(arena, list->items, used, wanted, size);
    if (items) {
        list->items = items;
        list->capacity = (int)wanted;
    }
    return items != NULL;
}

bool dt_copy_text(dt_arena *arena, const char *text, const char **copy)
{
    *copy = text ? dt_arena_copy(arena, text, strlen(text)) : NULL;
    return !text || *copy;
}

dt_origin dt_origin_or_none(const dt_origin *origin)
{
    return origin ? *origin : (dt_origin){NULL, NULL, 0};
}

dt_location dt_locate(const dt_builder *builder, const dt_origin *origin, const char *primitive,
                      const char *key, int component)
{
    if (!builder->locator.locate || !origin->item) {
        return (dt_location){NULL, 0, 0};
    }
    const dt_part part = {.primitive = primitive, .key = key, .component = component};
    return builder->locator.locate(builder->locator.context, origin->item, &part);
}

dt_location dt_locate_force(const detent_mechanism *m, int primitive)
{
    const dt_primitive *p = &m->primitives[primitive];
    const dt_builder *b = m->builder;
    if (p->stiction >= 0 && !dt_primitive_record_of(m, primitive)->def.force) {
        return dt_locate(b,
                         &DT_AT(DT_RECORDS(b, stiction), dt_stiction_record, p->stiction)->origin,
                         NULL, "external", -1);
    }
    const dt_joint_record *joint = DT_AT(DT_RECORDS(b, joint), dt_joint_record, p->joint);
    const int k = primitive - m->joints[p->joint].first_primitive;
    const char *suffix =
        DT_AT(DT_RECORDS(b, primitive), dt_primitive_record, joint->first_primitive + k)->suffix;
    return dt_locate(b, &joint->origin, joint->primitive_count > 1 ? suffix : NULL, "force", -1);
}

dt_primitive_record *dt_primitive_record_of(const detent_mechanism *m, int i)
{
    const int joint = m->primitives[i].joint;
    const dt_joint_record *record = DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, joint);
    return DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record,
                 record->first_primitive + i - m->joints[joint].first_primitive);
}

/* ---- what expressions call by name ---- */

const dt_curve *dt_find_table(const detent_mechanism *m, const char *name)
{
    const dt_records *records = &m->builder->items[DT_ITEM_table];
    const int index = dt_name_map_get(&records->names, name);
    return index < 0 ? NULL : *DT_AT(records->list, const dt_curve *, index);
}

const dt_callback *dt_find_callback(const detent_mechanism *m, const char *name)
{
    const dt_records *records = &m->builder->items[DT_ITEM_function];
    const int index = records->list.count == 0 ? -1 : dt_name_map_get(&records->names, name);
    return index < 0 ? NULL : *DT_AT(records->list, const dt_callback *, index);
}

const char *dt_law_part(dt_builder *b, const char *text)
{
    const char *part = dt_expression_part(&b->arena, text, b->units);
    return part ? dt_arena_printf(&b->arena, "(%s)", part) : NULL;
}
