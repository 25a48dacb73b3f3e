/* Points of bodies, and what outputs see of frames: views and weights, each once, however many outputs read it. */

#include "math/rotation.h"
#include "model/record.h"
#include "model/view.h"

#include <stdio.h>
#include <string.h>

typedef dt_point_definition definition;

#define FIELD(name) offsetof(definition, name)
static const dt_key frame_keys[] = {
    {"point", DT_VALUE_VECTOR, false, 0, &dt_dimension_length, NULL},
    {"rotation", DT_VALUE_ROTATION, false, FIELD(rotation) - FIELD(at), NULL, NULL},
    DT_KEYS_END,
};
static const dt_table frame_table = {"place of a point", frame_keys};

static const dt_key keys[] = {
    {"body", DT_VALUE_REFERENCE, true, FIELD(body), NULL, NULL},
    {"at", DT_VALUE_FRAME, false, FIELD(at), &dt_dimension_length, &frame_table},
    DT_KEYS_END,
};
#undef FIELD

/* What keys do not check of a frame. */
static detent_status take(detent_mechanism *m, void *record, detent_error *error)
{
    const dt_point_record *point = record;
    const dt_location where = dt_locate(m->builder, &point->origin, NULL, "at", -1);
    detent_status status = dt_check_finite(point->def.at, 3, point->def.name, "at", &where, error);
    return status ? status
                  : dt_check_finite(point->def.rotation, 4, point->def.name, "the rotation", &where,
                                    error);
}

static detent_status compile(detent_mechanism *m, const dt_point_record *record, dt_point *point,
                             detent_error *error)
{
    const definition *def = &record->def;
    const dt_location where = dt_locate(m->builder, &record->origin, NULL, "body", -1);
    const dt_location named = dt_locate(m->builder, &record->origin, NULL, NULL, -1);
    static const double upright[4] = {1, 0, 0, 0};
    const double *q = def->rotation;
    int body = -1;
    if (dt_name_map_get(&m->body_names, def->name) >= 0 || strcmp(def->name, "ground") == 0) {
        return dt_fail(error, DETENT_ERROR_MODEL, &named,
                       "point '%s': the name is that of a body, and outputs could not tell them "
                       "apart",
                       def->name);
    }
    const detent_status status = dt_find_body(m, def->body, &where, &body, error);
    if (status) {
        return status;
    }
    double R[9];
    const dt_load place = dt_place_on_body(m, body, def->at);
    dt_rotation_from_quaternion(R, q[0] == 0 && dt_norm3(q + 1) == 0 ? upright : q);
    *point = (dt_point){.name = def->name, .node = place.node};
    memcpy(point->pose.p, place.point, sizeof place.point);
    dt_mul33(point->pose.R, place.R, R);
    return DETENT_OK;
}

detent_status dt_compile_points(detent_mechanism *m, detent_error *error)
{
    dt_point *points = dt_arena_alloc(&m->arena, (size_t)m->point_count, sizeof *points);
    detent_status status = points ? DETENT_OK : dt_out_of_memory(error);
    for (int i = 0; i < m->point_count && !status; i++) {
        const dt_point_record *record = DT_AT(DT_RECORDS(m->builder, point), dt_point_record, i);
        status = compile(m, record, &points[i], error);
    }
    m->points = points;
    return status;
}

/* ---- frames ---- */

int dt_frame_find(const detent_mechanism *m, const char *name)
{
    const int body = dt_name_map_get(&m->body_names, name),
              point = dt_name_map_get(&m->builder->items[DT_ITEM_point].names, name);
    return body >= 0                     ? body
           : point >= 0                  ? m->body_count + point
           : strcmp(name, "ground") == 0 ? -1
                                         : DT_NO_FRAME;
}

int dt_frame_node(const detent_mechanism *m, int frame, const double **R, const double **p)
{
    static const dt_body_pose upright = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const dt_body_pose *pose = frame < 0               ? &upright
                               : frame < m->body_count ? m->bodies[frame].pose
                                                       : &m->points[frame - m->body_count].pose;
    *R = pose->R;
    *p = pose->p;
    return frame < 0               ? -1
           : frame < m->body_count ? m->bodies[frame].node
                                   : m->points[frame - m->body_count].node;
}

/* ---- what is seen of them ---- */

/* The number of what `key` tells apart; `*is_new`: there was none. -1 when memory is out. */
static int number(detent_mechanism *m, const char *key, dt_list *list, size_t size, bool *is_new)
{
    dt_builder *b = m->builder;
    const int known = dt_name_map_get(&b->view_keys, key);
    *is_new = known < 0;
    if (known >= 0) {
        return known;
    }
    const char *copy = dt_arena_copy(&b->arena, key, strlen(key));
    const bool ok = copy && dt_list_add(&b->arena, list, size) &&
                    dt_name_map_put(&b->view_keys, copy, list->count - 1) == DETENT_OK;
    return ok ? list->count - 1 : -1;
}

int dt_view_number(detent_mechanism *m, const dt_view *view)
{
    char key[64];
    bool is_new;
    snprintf(key, sizeof key, "%d %d %d", view->of, view->observer, view->axes);
    const int index = number(m, key, &m->builder->views, sizeof *view, &is_new);
    if (index >= 0 && is_new) {
        *DT_AT(m->builder->views, dt_view, index) = *view;
    }
    return index;
}

int dt_weight_number(detent_mechanism *m, int body)
{
    char key[64];
    bool is_new;
    snprintf(key, sizeof key, "%d", body);
    const int index = number(m, key, &m->builder->weights, sizeof(dt_weight), &is_new);
    if (index >= 0 && is_new) {
        const detent_body_def *def =
            &DT_AT(DT_RECORDS(m->builder, body), dt_body_record, body)->def;
        const dt_load center = dt_place_on_body(m, body, def->center_of_mass);
        dt_weight *weight = DT_AT(m->builder->weights, dt_weight, index);
        *weight = (dt_weight){.node = center.node, .mass = def->mass};
        memcpy(weight->com, center.point, sizeof weight->com);
        dt_rotate_tensor(weight->inertia, center.R, def->inertia);
    }
    return index;
}

/* A list as the finished mechanism has it. */
static void *keep(detent_mechanism *m, const dt_list *list, size_t size)
{
    void *kept = dt_arena_alloc(&m->arena, (size_t)list->count, size);
    if (kept && list->count > 0) {
        memcpy(kept, list->items, (size_t)list->count * size);
    }
    return kept;
}

detent_status dt_keep_views(detent_mechanism *m, detent_error *error)
{
    m->views = keep(m, &m->builder->views, sizeof *m->views);
    m->weights = keep(m, &m->builder->weights, sizeof *m->weights);
    return m->views && m->weights ? DETENT_OK : dt_out_of_memory(error);
}

/* ---- the row of the table ---- */

static const char *name(const detent_mechanism *m, int index)
{
    return m->points[index].name;
}

const dt_item_kind dt_point_item = {.what = "point",
                                    .plural = "points",
                                    .named = 1 + DETENT_POINT,
                                    .is_section = true,
                                    .keys = keys,
                                    .size = sizeof(definition),
                                    .take = take,
                                    .counter = offsetof(detent_mechanism, point_count),
                                    .name = name};
