/* Places where forces act on bodies: the user's loads, then the ends of items, then those of welds. */

#include "model/record.h"

#include <string.h>

/* The body called `name`; -1: the ground. */
detent_status dt_find_body(detent_mechanism *m, const char *name, const dt_location *where,
                           int *index, detent_error *error)
{
    dt_builder *b = m->builder;
    *index = dt_name_map_get(&m->body_names, name);
    if (*index >= 0 || strcmp(name, "ground") == 0) {
        return DETENT_OK;
    }
    return dt_fail_unknown(
        "body", name,
        dt_nearest_record(b, &DT_RECORDS(b, body), sizeof(dt_body_record), name, "ground"), where,
        error);
}

/* A point of a body, or of the ground, as a place where forces act. */
dt_load dt_place_on_body(const detent_mechanism *m, int index, const double point[3])
{
    dt_load place = {.body = index, .node = -1, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(place.point, point, sizeof place.point);
    if (index < 0) {
        return place;
    }
    const dt_body *body = &m->bodies[index];
    place.node = body->node;
    memcpy(place.R, body->pose->R, sizeof place.R);
    for (int r = 0; r < 3; r++) {
        place.point[r] = body->pose->p[r];
        for (int c = 0; c < 3; c++) {
            place.point[r] += body->pose->R[3 * r + c] * point[c];
        }
    }
    return place;
}

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

bool dt_keep_place(detent_mechanism *m, dt_location *where)
{
    if (where->file && !m->file &&
        !(m->file = dt_arena_copy(&m->arena, where->file, strlen(where->file)))) {
        return false;
    }
    where->file = where->file ? m->file : NULL;
    return true;
}
