#include "model/multiplier.h"

/* An item of an element that ties: along its first joint, or at the body of its first end that is not the ground. */
static dt_multiplier of_item(const detent_mechanism *m, const dt_item_list *list, int row)
{
    const int item = (row - list->first_row) / list->kind->ties;
    const dt_load *end = list->places > 0 ? &m->loads[dt_item_place(list, item)] : NULL;
    int node = -1;
    for (int e = 0; e < list->places && node < 0; e++) {
        node = end[e].node;
    }
    return (dt_multiplier){.row = row,
                           .node = list->joints > 0 ? list->joint[list->joints * item] : node,
                           .along = list->joints > 0,
                           .factor = 1,
                           .name = dt_item_own_name(list, item)};
}

dt_multiplier dt_multiplier_of(const detent_mechanism *m, dt_variable variable)
{
    const int row = variable.index, k = row - dt_transmission_row(m, 0);
    for (int l = 0; k >= m->transmission_count && m->source && l < m->source->count; l++) {
        const dt_item_list *list = &m->added[l];
        if (list->kind && list->kind->ties && row >= list->first_row &&
            row < list->first_row + list->kind->ties * list->count) {
            return of_item(m, list, row);
        }
    }
    const dt_transmission *transmission = &m->transmissions[k];
    return (dt_multiplier){.row = row,
                           .node = transmission->joint[0],
                           .along = true,
                           .factor = transmission->factor[0],
                           .name = transmission->name};
}
