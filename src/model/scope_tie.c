/* Conditions that expressions name: loops by the joint where they are cut, couplings, items of elements that tie. */
#include "model/record.h"
#include "model/scope_parts.h"

#include <string.h>

int dt_first_primitive(const detent_mechanism *m, const dt_item_kind *kind, const void *record)
{
    const char *name = dt_item_joint(kind, record);
    return name ? dt_find_primitive(m, name) : -1;
}

bool dt_added_turns(const detent_mechanism *m, const dt_item_list *list, int item)
{
    const dt_list *records = &m->builder->items[DT_ITEM_KINDS + (list - m->added)].list;
    const char *record = (const char *)records->items + (size_t)item * dt_record_size(list->kind);
    const int primitive = dt_first_primitive(m, list->kind, record);
    return primitive >= 0 && m->tree.nodes[primitive].type->rotational;
}

int dt_find_tying(detent_mechanism *m, int reading, const char *item, const dt_item_list **list)
{
    int index = -1;
    for (int k = 0; m->source && k < m->source->count && index < 0; k++) {
        const dt_item_kind *kind = m->source->kind(k);
        *list = &m->added[k];
        index =
            kind && kind->ties && (reading < 0 || dt_item_is_read(kind, (dt_variable_kind)reading))
                ? dt_name_map_get(dt_names_of(m, DT_ITEM_KINDS + k), item)
                : -1;
    }
    return index;
}

int dt_find_tie(detent_mechanism *m, const char *item)
{
    const dt_item_list *list = NULL;
    const int coupling = dt_name_map_get(dt_names_of(m, DT_ITEM_coupling), item),
              tying = dt_find_tying(m, -1, item, &list);
    for (int l = 0; l < m->loop_count; l++) {
        if (strcmp(m->joints[m->loops[l].joint].name, item) == 0) {
            return 6 * l;
        }
    }
    return coupling >= 0 && !dt_is_elastic(dt_coupling(m, coupling))
               ? dt_transmission_row(m, dt_transmission_of(m, coupling))
           : tying >= 0 ? dt_item_row(list, tying)
                        : -1;
}
