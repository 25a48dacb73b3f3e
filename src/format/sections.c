/* The sections of a file. Most kinds of items are read by their keys and nothing else; the others have a reader here. Joints:
 * joint.c */

#include "format/sections.h"

#include "format/joint.h"
#include "format/label.h"
#include "model/joint_type.h"
#include "model/mechanism.h"
#include "model/primitive_key.h"

#include <stddef.h>
#include <string.h>

/* --- What keys say all of ---------------------------------------------------------------------------------------- */

enum { MOST_KEYS = 32 };

/* The kind of the joint that an item is along, by its name or its first key that is a joint; NULL: none is known. */
static detent_status find_joint(dt_reader *reader, const dt_section *section,
                                const dt_yaml_node *item, const char *name,
                                const dt_primitive_type **type)
{
    const dt_key *key = section->kind->keys;
    const char *joint = section->kind->names_joint ? name : NULL;
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

/* The keys of a kind, those of quantities of the joint with its units. */
static detent_status keys_of(dt_reader *reader, const dt_section *section, const dt_yaml_node *item,
                             const char *name, dt_key keys[MOST_KEYS])
{
    const dt_key *all = section->kind->keys;
    const dt_primitive_type *type = NULL;
    detent_status status = DETENT_OK;
    bool sought = false;
    int k = 0;
    for (; all[k].name && k < MOST_KEYS - 1 && !status; k++) {
        const dt_quantity quantity = dt_key_quantity(&all[k]);
        keys[k] = all[k];
        if (quantity == DT_QUANTITY_NONE) {
            continue;
        }
        status = sought ? status : find_joint(reader, section, item, name, &type);
        sought = true;
        keys[k].dimension = type ? dt_quantity_dimension(quantity, type->rotational) : NULL;
    }
    keys[k].name = NULL;
    return status;
}

static detent_status read_by_keys(dt_reader *reader, const dt_section *section,
                                  const dt_yaml_node *item, const char *name)
{
    dt_key keys[MOST_KEYS] = {DT_KEYS_END};
    const dt_table table = {section->kind->what, keys};
    memset(reader->definition, 0, section->kind->size);
    *(const char **)reader->definition = name;
    detent_status status = keys_of(reader, section, item, name, keys);
    status = status ? status : dt_form_read(reader, item, &table, reader->definition);
    return status ? status
                  : dt_builder_add(reader->m, section->number, reader->definition, &reader->origin,
                                   reader->error);
}

/* --- Couplings ---------------------------------------------------------------------------------------------- */

typedef struct coupling_form {
    detent_coupling_def def;
    const dt_yaml_node *joints, *factors;
    int type;
    double ratio, radius, pitch;
} coupling_form;

/* The last one is an element's, by keys of its own. */
enum { GEAR, RACK, SCREW, DIFFERENTIAL, DISTANCE };
static const char *const coupling_words[] = {"gear",         "rack",     "screw",
                                             "differential", "distance", NULL};

#define COUPLING_TYPE                                                                      \
    {                                                                                      \
        "type", DT_VALUE_CHOICE, true, offsetof(coupling_form, type), NULL, coupling_words \
    }
#define COUPLING_KEYS                                                              \
    COUPLING_TYPE,                                                                 \
    {                                                                              \
        "joints", DT_VALUE_NODE, true, offsetof(coupling_form, joints), NULL, NULL \
    }
static const dt_key any_coupling_keys[] = {COUPLING_TYPE, DT_KEYS_END};
static const dt_key gear_keys[] = {
    COUPLING_KEYS,
    {"ratio", DT_VALUE_NUMBER, true, offsetof(coupling_form, ratio), &dt_dimension_none, NULL},
    DT_KEYS_END,
};
static const dt_key rack_keys[] = {
    COUPLING_KEYS,
    {"radius", DT_VALUE_NUMBER, true, offsetof(coupling_form, radius), &dt_dimension_length, NULL},
    DT_KEYS_END,
};
static const dt_key screw_keys[] = {
    COUPLING_KEYS,
    {"pitch", DT_VALUE_NUMBER, true, offsetof(coupling_form, pitch), &dt_dimension_length, NULL},
    DT_KEYS_END,
};
static const dt_key differential_keys[] = {
    COUPLING_KEYS,
    {"factors", DT_VALUE_NODE, true, offsetof(coupling_form, factors), NULL, NULL},
    DT_KEYS_END,
};
static const dt_table any_coupling = {"coupling", any_coupling_keys};
static const dt_table coupling_tables[] = {[GEAR] = {"gear", gear_keys},
                                           [RACK] = {"rack", rack_keys},
                                           [SCREW] = {"screw", screw_keys},
                                           [DIFFERENTIAL] = {"differential", differential_keys}};

static detent_status read_coupled(dt_reader *reader, coupling_form *form)
{
    static const dt_key reference = {"joints", DT_VALUE_REFERENCE, true, 0, NULL, NULL};
    const dt_yaml_node *list = form->joints;
    const bool pair = form->type != DIFFERENTIAL;
    if (list->kind != DT_YAML_SEQUENCE || list->count < 2 || list->count > DETENT_MAX_COUPLED ||
        (pair && list->count != 2)) {
        return dt_fail_kind(reader, list,
                            pair ? "a list of two joints" : "a list of two to six joints");
    }
    for (const dt_yaml_node *node = list->first; node; node = node->next) {
        detent_status status =
            dt_value_read(reader, node, &reference, &form->def.primitive[form->def.count++]);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

/* Which kinds of joints a coupling takes; those that there are not are told of later. */
static detent_status check_kinds(dt_reader *reader, const coupling_form *form)
{
    const dt_primitive_type *first = dt_builder_primitive_type(reader->m, form->def.primitive[0]),
                            *second = dt_builder_primitive_type(reader->m, form->def.primitive[1]);
    if (form->type == DIFFERENTIAL || !first || !second) {
        return DETENT_OK;
    }
    const bool fits = form->type == GEAR ? first->rotational == second->rotational
                                         : first->rotational && !second->rotational;
    const dt_location where = dt_node_place(reader, form->joints);
    return fits
               ? DETENT_OK
               : dt_fail(
                     reader->error, DETENT_ERROR_MODEL, &where, "coupling '%s': %s", form->def.name,
                     form->type == GEAR
                         ? "a gear takes two joints that turn, or two that slide"
                         : "the first joint must be one that turns, the second one that slides");
}

static detent_status read_factors(dt_reader *reader, coupling_form *form)
{
    static const dt_key number = {"factors", DT_VALUE_NUMBER, true, 0, NULL, NULL};
    const dt_yaml_node *list = form->factors;
    if (list->kind != DT_YAML_SEQUENCE || (size_t)list->count != form->def.count) {
        return dt_fail_kind(reader, list, "a list of as many numbers as there are joints");
    }
    size_t k = 0;
    for (const dt_yaml_node *node = list->first; node; node = node->next) {
        detent_status status = dt_value_read(reader, node, &number, &form->def.factor[k++]);
        if (status) {
            return status;
        }
    }
    return DETENT_OK;
}

/* A coupling that is an item of an element. */
static detent_status read_element_coupling(dt_reader *reader, const dt_yaml_node *item,
                                           const char *name, const char *type)
{
    const dt_item_source *source = reader->m->source;
    for (int k = 0; source && k < source->count; k++) {
        const dt_item_kind *kind = source->kind(k);
        if (kind && kind->coupling && strcmp(kind->coupling, type) == 0) {
            const dt_section section = {kind, DT_ITEM_KINDS + k, read_by_keys};
            return read_by_keys(reader, &section, item, name);
        }
    }
    const dt_location where = dt_node_place(reader, item);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                   "coupling '%s': there are no couplings of type %s here", name, type);
}

static detent_status read_coupling(dt_reader *reader, const dt_section *section,
                                   const dt_yaml_node *item, const char *name)
{
    static const double turn = 6.283185307179586477;
    coupling_form form = {.def.name = name};
    detent_status status = dt_form_read_some(reader, item, &any_coupling, &form);
    if (!status && form.type == DISTANCE) {
        return read_element_coupling(reader, item, name, coupling_words[DISTANCE]);
    }
    status = status ? status : dt_form_read(reader, item, &coupling_tables[form.type], &form);
    status = status ? status : read_coupled(reader, &form);
    status = status ? status : check_kinds(reader, &form);
    if (!status && form.type == DIFFERENTIAL) {
        status = read_factors(reader, &form);
    } else {
        const double factors[][2] = {[GEAR] = {1, -form.ratio},
                                     [RACK] = {-form.radius, 1},
                                     [SCREW] = {-form.pitch / turn, 1},
                                     [DIFFERENTIAL] = {0, 0}};
        memcpy(form.def.factor, factors[form.type], sizeof factors[0]);
    }
    return status ? status
                  : dt_builder_add(reader->m, section->number, &form.def, &reader->origin,
                                   reader->error);
}

/* --- States ------------------------------------------------------------------------------------------------- */

typedef struct state_form {
    dt_state_definition def;
    const dt_yaml_node *initial, *nominal;
} state_form;

static const dt_key state_keys[] = {
    {"derivative", DT_VALUE_EXPRESSION, true, offsetof(state_form, def.def.derivative), NULL, NULL},
    {"initial", DT_VALUE_NODE, false, offsetof(state_form, initial), NULL, NULL},
    {"nominal", DT_VALUE_NODE, false, offsetof(state_form, nominal), NULL, NULL},
    DT_KEYS_END,
};
static const dt_table state_table = {"state", state_keys};

/* A number of a state, and its dimension: that of the first one must be that of the others. */
static detent_status read_value(dt_reader *reader, const dt_yaml_node *node, double *value,
                                dt_dimension *dimension)
{
    dt_constant constant;
    const dt_location where = node ? dt_node_place(reader, node) : (dt_location){NULL, 0, 0};
    detent_status status = node ? dt_require_scalar(reader, node, "a number") : DETENT_OK;
    if (status || !node) {
        return status;
    }
    status = dt_builder_constant(reader->m, node->text, &where, dimension->known ? dimension : NULL,
                                 &reader->origin, &constant, reader->error);
    if (!status) {
        *value = constant.value;
        *dimension = dimension->known ? *dimension : constant.dimension;
    }
    return status;
}

static detent_status read_state(dt_reader *reader, const dt_section *section,
                                const dt_yaml_node *item, const char *name)
{
    state_form form = {.def = {{.name = name}, dt_dimension_unknown}};
    detent_status status = dt_form_read(reader, item, &state_table, &form);
    status = status ? status
                    : read_value(reader, form.initial, &form.def.def.initial, &form.def.dimension);
    status = status ? status
                    : read_value(reader, form.nominal, &form.def.def.nominal, &form.def.dimension);
    return status ? status
                  : dt_builder_add(reader->m, section->number, &form.def, &reader->origin,
                                   reader->error);
}

/* --- Outputs ------------------------------------------------------------------------------------------------ */

/* An expression, or {label: expression}; in copy 17 of a chain it is label[17]. */
static detent_status read_output(dt_reader *reader, const dt_section *section,
                                 const dt_yaml_node *item, const char *name)
{
    (void)name;
    const dt_yaml_node *expression = item;
    const char *label = NULL;
    if (item->kind == DT_YAML_MAPPING && item->count == 1) {
        expression = item->first;
        label = expression->key;
    }
    if (expression->kind != DT_YAML_SCALAR || !*expression->text) {
        return dt_fail_kind(reader, expression,
                            "an expression, or a mapping from one label to an expression");
    }
    reader->origin.item = expression;
    detent_status torn = dt_require_whole(reader, expression);
    if (torn) {
        return torn;
    }
    detent_status status = label ? dt_label_number(reader, label, &label)
                                 : dt_label_copy(reader, expression->text, &label);
    if (status) {
        return status;
    }
    const dt_output_definition output = {expression->text, label};
    return dt_builder_add(reader->m, section->number, &output, &reader->origin, reader->error);
}

/* --- All of them ------------------------------------------------------------------------------------------------ */

typedef detent_status (*section_reader)(dt_reader *, const dt_section *, const dt_yaml_node *,
                                        const char *);

/* What is not read by its keys alone. */
static const section_reader readers[DT_ITEM_KINDS] = {[DT_ITEM_joint] = dt_read_joint,
                                                      [DT_ITEM_coupling] = read_coupling,
                                                      [DT_ITEM_state] = read_state,
                                                      [DT_ITEM_output] = read_output};

detent_status dt_sections_list(dt_reader *reader)
{
    const dt_item_source *source = reader->m->source;
    const int positions = dt_item_positions(source);
    size_t largest = 0;
    reader->sections = dt_arena_alloc(&reader->arena, (size_t)positions, sizeof *reader->sections);
    for (int k = 0; k < positions && reader->sections; k++) {
        const int number = dt_item_number(source, k);
        const dt_item_kind *kind = dt_item_kind_of(source, number);
        largest = kind && kind->size > largest ? kind->size : largest;
        if (!kind || !kind->is_section) {
            continue;
        }
        const section_reader own = number < DT_ITEM_KINDS ? readers[number] : NULL;
        reader->sections[reader->section_count++] =
            (dt_section){kind, number, own ? own : read_by_keys};
    }
    reader->definition = reader->sections ? dt_arena_one(&reader->arena, largest) : NULL;
    return reader->definition ? DETENT_OK : dt_fail_memory(reader);
}

bool dt_sections_table(dt_reader *reader, const char *what, const dt_key *keys, dt_table *table)
{
    size_t count = 0;
    while (keys[count].name) {
        count++;
    }
    dt_key *all =
        dt_arena_alloc(&reader->arena, count + (size_t)reader->section_count + 1, sizeof *all);
    for (size_t k = 0; k < count && all; k++) {
        all[k] = keys[k];
    }
    for (int k = 0; k < reader->section_count && all; k++) {
        all[count++] =
            (dt_key){.name = reader->sections[k].kind->plural, .kind = DT_VALUE_ELSEWHERE};
    }
    *table = (dt_table){what, all};
    return all != NULL;
}

detent_status dt_section_require(dt_reader *reader, const dt_section *section,
                                 const dt_yaml_node *items)
{
    return items->kind == (section->kind->is_list ? DT_YAML_SEQUENCE : DT_YAML_MAPPING)
               ? DETENT_OK
               : dt_fail_kind(reader, items,
                              section->kind->is_list ? "a list" : "a mapping from names");
}
