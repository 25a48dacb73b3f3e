/* Shapes of bodies: added in any order, listed body by body when the mechanism is finished. They say nothing of how it moves, and stand in no fingerprint;
 * what a body of a density weighs is summed up here, before anybody asks for it. */

#include "model/shape.h"

#include "base/color.h"
#include "model/record.h"

#include <stdio.h>
#include <string.h>

typedef struct shape_record {
    detent_shape_def def; /* all but the body in the memory of the mechanism */
    dt_origin origin;
    int body; /* once it is resolved */
} shape_record;

/* ---- what is added ---- */

/* A shape that is being looked at. */
typedef struct checked {
    const dt_builder *builder;
    const detent_shape_def *def;
    const dt_shape_type *type;
    const dt_origin *origin;
    detent_error *error;
} checked;

static dt_location locate(const checked *s, const char *key, int component)
{
    return dt_locate(s->builder, s->origin, NULL, key, component);
}

static detent_status refuse(const checked *s, const char *key, const char *why)
{
    const dt_location where = locate(s, key, -1);
    return dt_fail(s->error, DETENT_ERROR_MODEL, &where, "a %s of '%s': %s", s->type->word,
                   s->def->body, why);
}

static detent_status check_extents(const checked *s)
{
    detent_status status = DETENT_OK;
    for (int k = 0; k < s->type->extents && !status; k++) {
        const char *part = s->type->part[k];
        const double value = s->def->extent[k];
        char key[32];
        snprintf(key, sizeof key, "%s%s%s", s->type->word, part ? "." : "", part ? part : "");
        const dt_location where = locate(s, key, part ? -1 : k);
        status = dt_check_finite(&value, 1, s->def->body, "the size of a shape", &where, s->error);
        if (!status && !(value > 0)) {
            status = dt_fail(s->error, DETENT_ERROR_MODEL, &where,
                             "a %s of '%s': its %s must be positive, not %.9g", s->type->word,
                             s->def->body,
                             part                   ? part
                             : s->type->extents > 1 ? "sizes"
                                                    : "size",
                             value);
        }
    }
    return status;
}

static detent_status check_points(const checked *s)
{
    const detent_shape_def *def = s->def;
    const bool is_line = def->type == DETENT_SHAPE_LINE;
    if (!is_line) {
        return def->points || def->point_count > 0 ? refuse(s, NULL, "only a line has points")
                                                   : DETENT_OK;
    }
    if (!def->points || def->point_count < 2) {
        return refuse(s, "line", "it needs at least two points");
    }
    detent_status status = DETENT_OK;
    for (size_t k = 0; k < 3 * def->point_count && !status; k++) {
        if (!dt_is_finite(&def->points[k], 1)) { /* places take time to find */
            const dt_location where = locate(s, "line", (int)(k / 3));
            status = dt_check_finite(&def->points[k], 1, def->body, "a point of a line", &where,
                                     s->error);
        }
    }
    return status;
}

static detent_status check_mesh(const checked *s)
{
    const bool is_mesh = s->def->type == DETENT_SHAPE_MESH, has_file = s->def->mesh != NULL;
    return is_mesh && (!has_file || !*s->def->mesh)
               ? refuse(s, "mesh", "it needs the name of a file")
           : !is_mesh && has_file ? refuse(s, NULL, "only a mesh has a file")
                                  : DETENT_OK;
}

static detent_status check_place(const checked *s)
{
    const dt_location where = locate(s, "at", -1);
    detent_status status =
        dt_check_finite(s->def->point, 3, s->def->body, "the place of a shape", &where, s->error);
    return status ? status
                  : dt_check_finite(s->def->rotation, 4, s->def->body, "the rotation of a shape",
                                    &where, s->error);
}

static detent_status check_color(const checked *s, char color[DT_COLOR_SIZE])
{
    const char *text = s->def->color;
    if (!text || dt_color_read(text, color)) {
        return DETENT_OK;
    }
    const char *nearest = dt_color_nearest(text);
    const dt_location where = locate(s, "color", -1);
    return dt_fail(s->error, DETENT_ERROR_MODEL, &where,
                   "a %s of '%s': '%s' is no colour: '#rrggbb' or a word such as red%s%s%s",
                   s->type->word, s->def->body, text, nearest ? "; did you mean '" : "",
                   nearest ? nearest : "", nearest ? "'?" : "");
}

/* What a definition points to, into memory that lasts. */
static bool keep(detent_mechanism *m, detent_shape_def *def, const char *color)
{
    dt_builder *b = m->builder;
    bool ok = dt_copy_text(&b->arena, def->body, &def->body) &&
              dt_copy_text(&m->arena, def->mesh, &def->mesh) &&
              dt_copy_text(&m->arena, def->name, &def->name) &&
              dt_copy_text(&m->arena, def->color ? color : NULL, &def->color);
    if (ok && def->points) {
        double *points = dt_arena_alloc(&m->arena, 3 * def->point_count, sizeof *points);
        if (points) {
            memcpy(points, def->points, 3 * def->point_count * sizeof *points);
        }
        def->points = points;
        ok = points != NULL;
    }
    return ok;
}

detent_status dt_builder_add_shape(detent_mechanism *m, const detent_shape_def *given,
                                   const dt_origin *origin, detent_error *error)
{
    dt_builder *b = m->builder;
    detent_shape_def def = *given;
    const dt_origin from = dt_origin_or_none(origin);
    char color[DT_COLOR_SIZE] = "";
    def.body = def.body ? def.body : "ground";
    if (def.type < 0 || def.type >= DT_SHAPE_TYPES) {
        return dt_fail(error, DETENT_ERROR_MODEL, NULL, "a shape of '%s': there is no type %d",
                       def.body, def.type);
    }
    const checked s = {b, &def, &dt_shape_types[def.type], &from, error};
    detent_status status = check_extents(&s);
    status = status ? status : check_points(&s);
    status = status ? status : check_mesh(&s);
    status = status ? status : check_place(&s);
    status = status ? status : check_color(&s, color);
    if (status) {
        return status;
    }
    shape_record *record =
        keep(m, &def, color) ? dt_list_add(&b->arena, &b->shapes, sizeof *record) : NULL;
    if (!record) {
        return dt_out_of_memory(error);
    }
    *record = (shape_record){.def = def, .origin = from};
    m->shape_count = b->shapes.count;
    return DETENT_OK;
}

/* ---- when it is finished ---- */

static detent_status find_bodies(detent_mechanism *m, detent_error *error)
{
    dt_builder *b = m->builder;
    detent_status status = DETENT_OK;
    for (int k = 0; k < b->shapes.count && !status; k++) {
        shape_record *record = DT_AT(b->shapes, shape_record, k);
        const dt_location where = dt_locate(b, &record->origin, NULL, NULL, -1);
        status = dt_find_body(m, record->def.body, &where, &record->body, error);
    }
    return status;
}

/* Body by body, the ground first, those of each in their order. */
static bool list(detent_mechanism *m)
{
    const dt_list *all = &m->builder->shapes;
    dt_shape *shapes = dt_arena_alloc(&m->arena, (size_t)all->count, sizeof *shapes);
    int *next = dt_arena_alloc(&m->builder->arena, (size_t)m->body_count + 2, sizeof *next);
    if (!shapes || !next) {
        return false;
    }
    for (int k = 0; k < all->count; k++) { /* how many there are of those before each */
        next[DT_AT(*all, shape_record, k)->body + 2]++;
    }
    for (int body = 1; body <= m->body_count; body++) {
        next[body] += next[body - 1];
    }
    for (int k = 0; k < all->count; k++) {
        const shape_record *record = DT_AT(*all, shape_record, k);
        dt_shape *shape = &shapes[next[record->body + 1]++];
        *shape = (dt_shape){record->def, record->body};
        shape->def.body = NULL;
    }
    m->shapes = shapes;
    return true;
}

/* A body of a density. */
static detent_status weigh(detent_mechanism *m, int body, detent_error *error)
{
    const dt_builder *b = m->builder;
    dt_body_record *record = DT_AT(DT_RECORDS(b, body), dt_body_record, body);
    const dt_location where = dt_locate(b, &record->origin, NULL, "density", -1);
    dt_mass sum = {0}, own;
    static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3];
    bool any = false;
    for (int k = dt_shape_first(m, body); k < m->shape_count && m->shapes[k].body == body; k++) {
        if (dt_shape_mass(&m->shapes[k].def, record->def.density, &own)) {
            dt_mass_add(&sum, &own, upright, origin);
            any = true;
        }
    }
    if (!any) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "body '%s': a density needs a shape with a volume: a box, sphere, cylinder, "
                       "capsule or ellipsoid",
                       record->def.name);
    }
    record->def.mass = sum.mass;
    memcpy(record->def.center_of_mass, sum.com, sizeof sum.com);
    memcpy(record->def.inertia, sum.inertia, sizeof sum.inertia);
    detent_status status =
        dt_check_finite(&sum.mass, 1, record->def.name, "its mass", &where, error);
    return status ? status
                  : dt_check_finite(sum.inertia, 6, record->def.name, "its inertia", &where, error);
}

detent_status dt_compile_shapes(detent_mechanism *m, detent_error *error)
{
    detent_status status = find_bodies(m, error);
    if (!status && !list(m)) {
        return dt_out_of_memory(error);
    }
    for (int body = 0; body < DT_RECORDS(m->builder, body).count && !status; body++) {
        if (DT_AT(DT_RECORDS(m->builder, body), dt_body_record, body)->def.density > 0) {
            status = weigh(m, body, error);
        }
    }
    return status;
}

/* ---- the finished mechanism ---- */

int dt_shape_first(const detent_mechanism *m, int body)
{
    int first = 0, end = m->shape_count;
    while (first < end) {
        const int middle = first + (end - first) / 2;
        if (m->shapes[middle].body < body) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}
