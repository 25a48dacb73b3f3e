/* Bodies, places on them, and places in files. */

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
    return dt_fail_unknown("body", name,
                           dt_nearest_record(b, &DT_RECORDS(b, body), sizeof(dt_body_record),
                                             offsetof(dt_item_head, name), name, "ground"),
                           where, error);
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

bool dt_keep_place(detent_mechanism *m, dt_location *where)
{
    if (where->file && !m->file &&
        !(m->file = dt_arena_copy(&m->arena, where->file, strlen(where->file)))) {
        return false;
    }
    where->file = where->file ? m->file : NULL;
    return true;
}
