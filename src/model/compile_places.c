/* The places where forces act on bodies: the user's loads, then the ends of items, then those of welds. */

#include "model/record.h"

#include <string.h>

/* The ends of welds are the last places. */
static void place_loops(detent_mechanism *m, dt_load *places)
{
    const int first = m->place_count - 2 * m->loop_count;
    for (int k = 0; k < m->loop_count; k++) {
        dt_loop *loop = &m->loops[k];
        loop->end = first + 2 * k;
        for (int e = 0; e < 2; e++) {
            dt_load *place = &places[loop->end + e];
            *place = (dt_load){.name = m->joints[loop->joint].name,
                               .body = loop->body,
                               .node = loop->node[e],
                               .frame = DETENT_FRAME_WORLD};
            memcpy(place->R, loop->pose[e]->R, sizeof place->R);
            memcpy(place->point, loop->pose[e]->p, sizeof place->point);
        }
    }
}

detent_status dt_compile_places(detent_mechanism *m, detent_error *error)
{
    m->place_count = m->load_count + dt_count_added_places(m) + 2 * m->loop_count;
    dt_load *places = dt_arena_alloc(&m->arena, (size_t)m->place_count, sizeof *places);
    if (!places) {
        return dt_out_of_memory(error);
    }
    m->loads = places;
    place_loops(m, places);
    detent_status status = dt_compile_loads(m, places, error);
    if (!status) {
        status = dt_compile_added(m, places, error);
    }
    return status ? status : dt_compile_parts(m, places, error);
}
