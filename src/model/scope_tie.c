/* Conditions that expressions name: loops by the joint where they are cut, couplings, items of elements that tie. */
#include "model/record.h"
#include "model/scope_parts.h"

#include <string.h>

/* Whether items of a kind tie, and are read by a function where that is not NULL. */
static bool ties(const dt_item_kind *kind, const char *function)
{
    bool reads = !function;
    for (int n = 0; kind && function && kind->readings && kind->readings[n]; n++) {
        reads = reads || strcmp(kind->readings[n], function) == 0;
    }
    return kind && kind->ties && reads;
}

int dt_find_tying(detent_mechanism *m, const char *function, const char *item,
                  const dt_item_list **list)
{
    int index = -1;
    for (int k = 0; m->source && k < m->source->count && index < 0; k++) {
        *list = &m->added[k];
        index = ties(m->source->kind(k), function)
                    ? dt_name_map_get(dt_names_of(m, DT_ITEM_KINDS + k), item)
                    : -1;
    }
    return index;
}

int dt_find_tie(detent_mechanism *m, const char *item)
{
    const dt_item_list *list = NULL;
    const int coupling = dt_name_map_get(dt_names_of(m, DT_ITEM_coupling), item),
              tying = dt_find_tying(m, NULL, item, &list);
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
