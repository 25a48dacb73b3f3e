/* The kinds of items: all of them in the order of the table, and what is asked about items of the finished mechanism. */

#include "model/item.h"

#include "model/mechanism.h"

#include <string.h>

#define ROW(name) &dt_##name##_item,
static const dt_item_kind *const own[DT_ITEM_KINDS] = {DT_ITEM_TABLE(ROW, )};
#undef ROW

const dt_item_list dt_no_items = {.count = 0};

static int brought(const dt_item_source *source)
{
    return source ? source->count : 0;
}

int dt_item_positions(const dt_item_source *source)
{
    return DT_ITEM_KINDS + brought(source);
}

int dt_item_number(const dt_item_source *source, int position)
{
    const int between = position - DT_ITEMS_BEFORE, count = brought(source);
    return between < 0 ? position : between < count ? DT_ITEM_KINDS + between : position - count;
}

const dt_item_kind *dt_item_kind_of(const dt_item_source *source, int number)
{
    return number < DT_ITEM_KINDS ? own[number] : source->kind(number - DT_ITEM_KINDS);
}

/* ---- items along a primitive ---- */

bool dt_item_index_create(dt_arena *arena, dt_item_list *list, int primitives)
{
    const size_t entries = (size_t)list->joints * (size_t)list->count;
    if (entries == 0) {
        return true;
    }
    list->at = dt_arena_alloc(arena, (size_t)primitives, sizeof *list->at);
    list->next = dt_arena_alloc(arena, entries, sizeof *list->next);
    return list->at && list->next;
}

void dt_item_index(dt_item_list *list, int primitives)
{
    const int entries = list->joints * list->count;
    for (int i = 0; i < primitives && entries > 0; i++) {
        list->at[i] = -1;
    }
    for (int j = entries - 1; j >= 0; j--) { /* ascending */
        const int i = list->joint[j];
        if (i >= 0) {
            list->next[j] = list->at[i];
            list->at[i] = j;
        }
    }
}

/* ---- the finished mechanism ---- */

int dt_item_count(const detent_mechanism *m, int number)
{
    return number < DT_ITEM_KINDS
               ? *(const int *)(const void *)((const char *)m + own[number]->counter)
               : m->added[number - DT_ITEM_KINDS].count;
}

const char *dt_item_name(const detent_mechanism *m, int number, int index)
{
    if (number < DT_ITEM_KINDS) {
        return own[number]->name(m, index);
    }
    return dt_definition_name(dt_item_definition(&m->added[number - DT_ITEM_KINDS], index));
}

const char *dt_item_unit(const detent_mechanism *m, int number, int index)
{
    const dt_item_kind *kind = dt_item_kind_of(m->source, number);
    return kind->unit ? kind->unit(m, index) : "";
}

int dt_item_find(const detent_mechanism *m, int number, const char *name)
{
    const dt_item_kind *kind = dt_item_kind_of(m->source, number);
    if (kind->find) {
        return kind->find(m, name);
    }
    const int count = dt_item_count(m, number);
    for (int i = 0; i < count; i++) {
        if (strcmp(dt_item_name(m, number, i), name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---- kinds that follow from others, and are in no section ---- */

static const char *primitive_name(const detent_mechanism *m, int index)
{
    return m->primitives[index].name;
}

static const char *primitive_unit(const detent_mechanism *m, int index)
{
    const dt_primitive_type *type = m->tree.nodes[index].type;
    return type->nv == 0 ? "" : type->rotational ? "rad" : "m";
}

const dt_item_kind dt_primitive_item = {.what = "primitive",
                                        .plural = "primitives",
                                        .named = 1 + DETENT_PRIMITIVE,
                                        .counter = offsetof(detent_mechanism, primitive_count),
                                        .name = primitive_name,
                                        .unit = primitive_unit,
                                        .find = dt_find_primitive};

static const char *loop_name(const detent_mechanism *m, int index)
{
    return m->joints[m->loops[index].joint].name;
}

const dt_item_kind dt_loop_item = {.what = "loop",
                                   .plural = "loops",
                                   .listing = "loops, cut at",
                                   .named = 1 + DETENT_LOOP,
                                   .counter = offsetof(detent_mechanism, loop_count),
                                   .name = loop_name};

static const char *input_name(const detent_mechanism *m, int index)
{
    return m->inputs[index].name;
}

static int find_input(const detent_mechanism *m, const char *name)
{
    return dt_name_map_get(&m->input_names, name);
}

const dt_item_kind dt_input_item = {.what = "input",
                                    .plural = "inputs",
                                    .named = 1 + DETENT_INPUT,
                                    .counter = offsetof(detent_mechanism, input_count),
                                    .name = input_name,
                                    .find = find_input};

static const char *warning_text(const detent_mechanism *m, int index)
{
    return m->warnings[index];
}

const dt_item_kind dt_warning_item = {.what = "warning",
                                      .plural = "warnings",
                                      .named = 1 + DETENT_WARNING,
                                      .counter = offsetof(detent_mechanism, warning_count),
                                      .name = warning_text};
