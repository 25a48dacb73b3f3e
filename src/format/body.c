/* A body is read by the keys of its kind, of which `mass` may be missing where a density tells what it weighs; then its shapes. */

#include "format/body.h"

#include "format/shape.h"
#include "model/mechanism.h"

#include <string.h>

enum { MOST_KEYS = 16 };

/* The keys of a body in a file. */
static void list_keys(dt_key keys[MOST_KEYS])
{
    int count = 0;
    for (const dt_key *key = dt_body_item.keys; key->name; key++) {
        keys[count] = *key;
        keys[count++].required = false;
    }
    keys[count++] = (dt_key){.name = "shape", .kind = DT_VALUE_ELSEWHERE};
    keys[count] = (dt_key)DT_KEYS_END;
}

/* That it says what it weighs, and once. */
static detent_status check_weight(dt_reader *reader, const dt_yaml_node *item, const char *name)
{
    static const char *const weights[] = {"mass", "center_of_mass", "inertia"};
    const dt_yaml_node *density = dt_yaml_find(item, "density");
    if (!density && !dt_yaml_find(item, "mass")) {
        const dt_location where = dt_key_place(reader, item);
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "'%s': a body needs the key 'mass', or 'density' and 'shape'", name);
    }
    for (size_t k = 0; density && k < sizeof weights / sizeof *weights; k++) {
        const dt_yaml_node *twice = dt_yaml_find(item, weights[k]);
        if (twice) {
            const dt_location where = dt_key_place(reader, twice);
            return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                           "'%s': '%s' follows from the density and the shapes, and cannot be "
                           "given as well",
                           name, twice->key);
        }
    }
    return DETENT_OK;
}

/* Whether a mapping has shapes and nothing else. */
static bool is_shape_alone(const dt_yaml_node *item)
{
    return item->kind == DT_YAML_MAPPING && item->count == 1 && dt_yaml_find(item, "shape");
}

detent_status dt_read_body(dt_reader *reader, const dt_section *section, const dt_yaml_node *item,
                           const char *name)
{
    detent_body_def def = {.name = name};
    dt_key keys[MOST_KEYS];
    const dt_table table = {section->kind->what, keys};
    list_keys(keys);
    const bool is_ground = name && strcmp(name, "ground") == 0;
    if (is_ground && is_shape_alone(item)) {
        return dt_read_shapes(reader, item->first, name);
    }
    detent_status status = dt_form_read(reader, item, &table, &def);
    status = status || is_ground ? status : check_weight(reader, item, name);
    status = status ? status
                    : dt_builder_add(reader->m, section->number, &def, &reader->origin,
                                     reader->error); /* which refuses a ground that weighs */
    return status ? status : dt_read_shapes(reader, dt_yaml_find(item, "shape"), name);
}
