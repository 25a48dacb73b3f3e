#include "support_bushings.h"

#include "dynamics/element.h"
#include "math/rotation.h"

#include <string.h>

/* All its numbers by its keys: what a bushing is made of is known to its element alone. */
static void random_definition(const dt_item_kind *kind, support_random *random, bool damped,
                              char *definition)
{
    *(const char **)(void *)definition = "bushing";
    for (const dt_key *key = kind->keys; key->name; key++) {
        double *numbers = (double *)(void *)(definition + key->offset);
        const double most = strstr(key->name, "damping") ? (damped ? 2 : 0) : 20;
        for (int k = 0; key->kind == DT_VALUE_SIZES && k < 3; k++) {
            numbers[k] = support_uniform(random, 0, most);
        }
    }
}

void support_add_bushings(detent_mechanism *m, const support_random *random, bool damped, int count,
                          dt_load *ends)
{
    support_random own = {.state = ~random->state};
    m->source = &dt_element_items;
    m->added = m->added ? m->added : dt_arena_alloc(&m->arena, DT_ELEMENT_KINDS, sizeof *m->added);
    dt_item_list *list = &m->added[DT_ELEMENT_bushing];
    const int places = m->place_count > m->load_count ? m->place_count : m->load_count;
    *list = (dt_item_list){
        .kind = dt_bushing_element.item, .count = count, .first_place = places, .places = 2};
    list->definitions = dt_arena_alloc(&m->arena, (size_t)count, list->kind->size);
    for (int k = 0; k < count; k++) {
        random_definition(list->kind, &own, damped,
                          list->definitions + (size_t)k * list->kind->size);
        for (int e = 0; e < 2; e++) {
            const int ground = e == k % 2; /* one of the ends may be on it */
            dt_load *end = &ends[2 * k + e];
            double q[4];
            *end = (dt_load){.node = support_below(&own, m->tree.node_count + ground) - ground,
                             .frame = DETENT_FRAME_WORLD};
            support_unit(&own, 4, q);
            dt_rotation_from_quaternion(end->R, q);
            for (int x = 0; x < 3; x++) {
                end->point[x] = support_uniform(&own, -1, 1);
            }
        }
    }
    m->place_count = places + 2 * count;
}
