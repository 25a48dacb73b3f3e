/* Items of which keys say all that there is to read. */

#include "format/sections.h"

#include "model/joint_type.h"
#include "model/mechanism.h"

#include <string.h>

enum { MOST_KEYS = 32 };

/* The kind of the joint that an item is along, by its name or its first key that is a joint; NULL: none is known. */
static detent_status find_joint(dt_reader *reader, const dt_section *section,
                                const dt_yaml_node *item, const char *name,
                                const dt_primitive_type **type)
{
    const dt_key *key = section->kind->keys;
    const char *joint = section->kind->names_joint ? name : section->joint;
    detent_status status = DETENT_OK;
    while (!joint && key->name && key->kind != DT_VALUE_JOINT) {
        key++;
    }
    if (!joint && key->name) {
        dt_key alone[] = {*key, DT_KEYS_END};
        const dt_table table = {section->kind->what, alone};
        alone[0].offset = 0;
        status = dt_form_read_some(reader, item, &table, &joint);
    }
    *type = joint ? dt_builder_primitive_type(reader->m, joint) : NULL;
    return status;
}

/* A quantity along a joint of a type; of what is per load where there is one: over a force or torque. */
static dt_dimension of_joint(dt_quantity quantity, const dt_primitive_type *type, bool over_effort)
{
    const dt_dimension *all = dt_quantity_dimension(quantity, type->rotational),
                       *effort = dt_quantity_dimension(DT_QUANTITY_EFFORT, type->rotational);
    return !over_effort                     ? *all
           : quantity == DT_QUANTITY_EFFORT ? dt_dimension_number
                                            : dt_dimension_product(all, effort, -1);
}

/* The keys of a kind, those of quantities of the joint with its units, which are in `dimensions`. */
static detent_status keys_of(dt_reader *reader, const dt_section *section, const dt_yaml_node *item,
                             const char *name, dt_key keys[MOST_KEYS],
                             dt_dimension dimensions[MOST_KEYS])
{
    const dt_key *all = section->kind->keys;
    const dt_primitive_type *type = NULL;
    const bool loaded = section->kind->load && item->kind == DT_YAML_MAPPING &&
                        dt_yaml_find(item, section->kind->load);
    detent_status status = DETENT_OK;
    bool sought = false, per_load;
    int k = 0;
    for (; all[k].name && k < MOST_KEYS - 1 && !status; k++) {
        const dt_quantity quantity = dt_key_quantity(&all[k], &per_load);
        keys[k] = all[k];
        if (quantity == DT_QUANTITY_NONE) {
            continue;
        }
        status = sought ? status : find_joint(reader, section, item, name, &type);
        sought = true;
        keys[k].dimension = type ? &dimensions[k] : NULL;
        if (type) {
            dimensions[k] = of_joint(quantity, type, per_load && loaded);
        }
    }
    keys[k].name = NULL;
    return status;
}

/* What stands in a joint is of that joint, and of the word that it stands under: keys that would say so are none there. */
static void fill_place(const dt_section *section, void *definition, dt_key keys[MOST_KEYS])
{
    bool joint = section->joint != NULL, part = joint;
    int kept = 0;
    for (int k = 0; keys[k].name; k++) {
        char *field = (char *)definition + keys[k].offset;
        if (joint && keys[k].kind == DT_VALUE_JOINT) {
            *(const char **)(void *)field = section->joint;
            joint = false;
        } else if (part && keys[k].kind == DT_VALUE_CHOICE) {
            *(int *)(void *)field = section->part;
            part = false;
        } else {
            keys[kept++] = keys[k];
        }
    }
    keys[kept] = (dt_key)DT_KEYS_END;
}

detent_status dt_section_fill_over(dt_reader *reader, const dt_section *section,
                                   const dt_yaml_node *item, const dt_yaml_node *over,
                                   const char *name)
{
    dt_key keys[MOST_KEYS] = {DT_KEYS_END};
    dt_dimension dimensions[MOST_KEYS];
    const dt_table table = {section->kind->what, keys};
    detent_status status = keys_of(reader, section, item, name, keys, dimensions);
    if (!status) {
        fill_place(section, reader->definition, keys);
        status = dt_form_read(reader, over, &table, reader->definition);
    }
    return status;
}

detent_status dt_section_fill(dt_reader *reader, const dt_section *section,
                              const dt_yaml_node *item, const char *name)
{
    memset(reader->definition, 0, section->kind->size);
    if (section->kind->dimension > 0) {
        reader->own = (void *)((char *)reader->definition + section->kind->dimension);
        *reader->own = dt_dimension_unknown;
    }
    ((dt_item_head *)reader->definition)->name = name;
    return dt_section_fill_over(reader, section, item, item, name);
}

detent_status dt_section_read_keys(dt_reader *reader, const dt_section *section,
                                   const dt_yaml_node *item, const char *name)
{
    const detent_status status = dt_section_fill(reader, section, item, name);
    return status ? status
                  : dt_builder_add(reader->m, section->number, reader->definition, &reader->origin,
                                   reader->error);
}
