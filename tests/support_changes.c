#include "support_changes.h"

#include <stdio.h>
#include <stdlib.h>

/* An array that grows to `count` items. */
static void *make_room(void *array, size_t *room, size_t count, size_t size)
{
    if (count + 1 > *room) {
        *room = 2 * count + 1;
        array = realloc(array, *room * size);
        if (!array) {
            fputs("out of memory for a test\n", stderr);
            abort();
        }
    }
    return array;
}

const detent_mode_change *last_event(const detent_simulation *simulation, size_t *count)
{
    static _Thread_local detent_mode_change *change;
    static _Thread_local size_t room;
    const size_t all = detent_mode_change_count(simulation);
    change = make_room(change, &room, all, sizeof *change);
    for (size_t k = 0; k < all; k++) {
        change[k].size = sizeof change[k];
        detent_get_mode_change(simulation, k, &change[k]);
    }
    if (count) {
        *count = all;
    }
    return change;
}

const detent_state_change *last_state_changes(const detent_simulation *simulation, size_t *count)
{
    static _Thread_local detent_state_change *change;
    static _Thread_local size_t room;
    const size_t all = detent_state_change_count(simulation);
    change = make_room(change, &room, all, sizeof *change);
    for (size_t k = 0; k < all; k++) {
        change[k].size = sizeof change[k];
        detent_get_state_change(simulation, k, &change[k]);
    }
    if (count) {
        *count = all;
    }
    return change;
}
