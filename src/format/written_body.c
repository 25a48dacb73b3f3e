/* A body as it is written: what body.c and shape.c read. Shapes are in the mechanism whole. */

#include "format/written.h"

#include "model/shape.h"

static const dt_script_item no_item = {0};

static void write_points(dt_entries *into, const char *key, const detent_shape_def *def)
{
    dt_entries list = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    for (size_t k = 0; k < def->point_count; k++) {
        dt_entries_numbers(&list, NULL, def->points + 3 * k, 3);
    }
    dt_entries_hang(into, key, &list, true);
}

static void write_shape(dt_entries *list, const detent_shape_def *def)
{
    dt_entries own = dt_entries_new(list->w, DT_YAML_MAPPING);
    const dt_key size[] = {dt_shape_keys[def->type], DT_KEYS_END};
    if (def->point_count > 0) {
        write_points(&own, size[0].name, def);
    }
    dt_write_keys(&own, size, def, &no_item, NULL);
    dt_write_keys(&own, &dt_shape_keys[DT_SHAPE_TYPES], def, &no_item, NULL);
    dt_entries_hang(list, NULL, &own, true);
}

static void write_shapes(dt_entries *into, int body)
{
    const detent_mechanism *m = into->w->m;
    dt_entries list = dt_entries_new(into->w, DT_YAML_SEQUENCE);
    for (int k = dt_shape_first(m, body); k < m->shape_count && m->shapes[k].body == body; k++) {
        write_shape(&list, &m->shapes[k].def);
    }
    dt_entries_hang(into, "shape", &list, false);
}

void dt_write_ground(dt_entries *into)
{
    write_shapes(into, -1);
}

void dt_write_body(dt_entries *into, const dt_script_item *item)
{
    const detent_body_def *def = item->definition;
    for (const dt_key *key = dt_body_item.keys; key->name; key++) {
        dt_key own[] = {*key, DT_KEYS_END};
        own[0].required = key->required && def->density == 0; /* the mass, which follows from it */
        dt_write_keys(into, own, def, item, NULL);
    }
    write_shapes(into, dt_name_map_get(&into->w->m->body_names, def->name));
}
