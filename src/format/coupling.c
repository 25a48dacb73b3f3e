/* Couplings: what a file calls a gear, a rack, a screw or a differential is a linear condition on positions of joints. A type is a row
 * of the table. Couplings that are items of elements (dt_item_kind.coupling) are types too, read by the keys of their kind. */

#include "format/coupling.h"

#include "format/mesh.h"
#include "model/joint_type.h"
#include "model/mechanism.h"

#include <stddef.h>
#include <string.h>

typedef struct coupling_form {
    detent_coupling_def def;
    const dt_yaml_node *joints, *factors;
    int type;
    double number;
    const dt_yaml_node *friction, *stiffness, *damping, *backlash;
    double restitution;
    int drives;
    /* Of the condition, what it leaves open; not known where factors do not tell. */
    dt_dimension open;
} coupling_form;

typedef struct coupling_type {
    const char *word;
    dt_key key; /* that it has beside its joints */
    /* The condition on two joints that a number makes; NULL: on any number of them, the key is a list of factors. */
    void (*factors)(double number, double factor[2]);
    /* Two joints that turn, or two that slide; else the first turns, the second slides. */
    bool is_alike;
    const char *takes; /* the same in words */
} coupling_type;

/* as detent_way */
const char *const dt_coupling_ways[] = {"both", "forward", "backward", NULL};

static void gear(double ratio, double factor[2])
{
    factor[0] = 1;
    factor[1] = -ratio;
}

static void rack(double radius, double factor[2])
{
    factor[0] = -radius;
    factor[1] = 1;
}

static void screw(double pitch, double factor[2])
{
    static const double turn = 6.283185307179586477;
    factor[0] = -pitch / turn;
    factor[1] = 1;
}

#define NUMBER(name, dimension)                                                          \
    {                                                                                    \
        name, DT_VALUE_NUMBER, true, offsetof(coupling_form, number), &(dimension), NULL \
    }
static const char turns_slides[] =
    "the first joint must be one that turns, the second one that slides";
static const coupling_type types[] = {
    {"gear", NUMBER("ratio", dt_dimension_number), gear, true,
     "a gear takes two joints that turn, or two that slide"},
    {"rack", NUMBER("radius", dt_dimension_length), rack, false, turns_slides},
    {"screw", NUMBER("pitch", dt_dimension_span), screw, false, turns_slides},
    {"differential",
     {"factors", DT_VALUE_NODE, true, offsetof(coupling_form, factors), NULL, NULL},
     NULL,
     false,
     NULL}};
#undef NUMBER
enum { TYPES = sizeof types / sizeof *types };

static detent_status read_joints(dt_reader *reader, const coupling_type *type, coupling_form *form)
{
    static const dt_key reference = {"joints", DT_VALUE_REFERENCE, true, 0, NULL, NULL};
    const dt_yaml_node *list = form->joints;
    if (list->kind != DT_YAML_SEQUENCE || list->count < 2 || list->count > DETENT_MAX_COUPLED ||
        (type->factors && list->count != 2)) {
        return dt_fail_kind(reader, list,
                            type->factors ? "a list of two joints" : "a list of two to six joints");
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
static detent_status check_joints(dt_reader *reader, const coupling_type *type,
                                  const coupling_form *form)
{
    const dt_primitive_type *first = dt_builder_primitive_type(reader->m, form->def.primitive[0]),
                            *second = dt_builder_primitive_type(reader->m, form->def.primitive[1]);
    if (!first || !second) {
        return DETENT_OK;
    }
    const bool fits = type->is_alike ? first->rotational == second->rotational
                                     : first->rotational && !second->rotational;
    const dt_location where = dt_node_place(reader, form->joints);
    return fits ? DETENT_OK
                : dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "coupling '%s': %s",
                          form->def.name, type->takes);
}

static const dt_dimension *position_of(const dt_primitive_type *type)
{
    return type ? dt_quantity_dimension(DT_QUANTITY_POSITION, type->rotational)
                : &dt_dimension_unknown;
}

/* Whether all joints turn, or all slide; plain factors are then numbers. */
static bool are_alike(const dt_reader *reader, const coupling_form *form)
{
    bool alike = true;
    for (size_t k = 0; k < form->def.count && alike; k++) {
        const dt_primitive_type *first =
                                    dt_builder_primitive_type(reader->m, form->def.primitive[0]),
                                *own = dt_builder_primitive_type(reader->m, form->def.primitive[k]);
        alike = first && own && first->rotational == own->rotational;
    }
    return alike;
}

/* A factor, whose unit goes with what others have told of the condition. */
static detent_status read_factor(dt_reader *reader, const dt_yaml_node *node, coupling_form *form,
                                 size_t k)
{
    const dt_dimension *position =
        position_of(dt_builder_primitive_type(reader->m, form->def.primitive[k]));
    const dt_dimension expected = dt_dimension_product(&form->open, position, -1);
    dt_dimension found = dt_dimension_unknown;
    const dt_key any = {"factors", DT_VALUE_NUMBER, true, 0, DT_OF_ITS_ITEM, NULL};
    const dt_key number = {"factors", DT_VALUE_NUMBER, true, 0, &expected, NULL};
    reader->own = &found;
    const detent_status status =
        dt_value_read(reader, node, form->open.known ? &number : &any, &form->def.factor[k]);
    reader->own = NULL;
    if (!status && !form->open.known) {
        form->open = dt_dimension_product(&found, position, 1);
    }
    return status;
}

static detent_status read_factors(dt_reader *reader, coupling_form *form)
{
    const dt_yaml_node *list = form->factors;
    if (list->kind != DT_YAML_SEQUENCE || (size_t)list->count != form->def.count) {
        return dt_fail_kind(reader, list, "a list of as many numbers as there are joints");
    }
    size_t k = 0;
    for (const dt_yaml_node *node = list->first; node; node = node->next) {
        detent_status status = read_factor(reader, node, form, k++);
        if (status) {
            return status;
        }
    }
    if (!form->open.known && are_alike(reader, form)) {
        form->open = *position_of(dt_builder_primitive_type(reader->m, form->def.primitive[0]));
    }
    return DETENT_OK;
}

/* Those of an elastic one: k e and d e' are efforts that do work along e. */
static detent_status read_elastic(dt_reader *reader, coupling_form *form)
{
    const dt_dimension per = dt_dimension_product(&dt_dimension_torque, &form->open, -1),
                       stiffness = dt_dimension_product(&per, &form->open, -1),
                       damping = dt_dimension_product(&stiffness, &dt_dimension_time, 1);
    const struct {
        const dt_yaml_node *node;
        dt_key key;
        double *value;
    } keys[] = {
        {form->stiffness,
         {"stiffness", DT_VALUE_POSITIVE, false, 0, &stiffness, NULL},
         &form->def.stiffness},
        {form->damping, {"damping", DT_VALUE_SIZE, false, 0, &damping, NULL}, &form->def.damping},
        {form->backlash,
         {"backlash", DT_VALUE_SIZE, false, 0, &form->open, NULL},
         &form->def.backlash}};
    detent_status status = DETENT_OK;
    for (size_t k = 0; k < sizeof keys / sizeof *keys && !status; k++) {
        status = keys[k].node ? dt_value_read(reader, keys[k].node, &keys[k].key, keys[k].value)
                              : status;
    }
    return status;
}

/* What is open of a one-sided coupling is the position of a joint of its own: an angle where all joints turn, else a way. */
static detent_status check_slack(dt_reader *reader, const coupling_form *form)
{
    const bool one_sided = form->def.drives || (form->def.backlash > 0 && form->def.stiffness == 0);
    bool turns = true;
    for (size_t k = 0; k < form->def.count; k++) {
        const dt_primitive_type *type =
            dt_builder_primitive_type(reader->m, form->def.primitive[k]);
        turns = turns && (!type || type->rotational);
    }
    const dt_dimension *expected = dt_quantity_dimension(DT_QUANTITY_POSITION, turns);
    dt_dimension merged;
    if (!one_sided || dt_dimension_merge(&form->open, expected, &merged)) {
        return DETENT_OK;
    }
    const dt_location where = dt_node_place(reader, form->factors ? form->factors : form->joints);
    return dt_fail(
        reader->error, DETENT_ERROR_MODEL, &where,
        "coupling '%s': with a rigid backlash, or driving one way, factor times position "
        "is %s",
        form->def.name, turns ? "an angle, since all joints turn" : "a length");
}

/* The element's kind that is the n-th type behind those of the table, from 0; -1: there are no more. */
static int find_kind(const dt_item_source *source, int n)
{
    for (int k = 0; source && k < source->count; k++) {
        const dt_item_kind *kind = source->kind(k);
        if (kind && kind->coupling && n-- == 0) {
            return k;
        }
    }
    return -1;
}

/* All types there are, as the words of a key. */
static bool list_words(dt_reader *reader)
{
    const dt_item_source *source = reader->m->source;
    int more = 0;
    while (find_kind(source, more) >= 0) {
        more++;
    }
    reader->coupling_words =
        dt_arena_alloc(&reader->arena, (size_t)(TYPES + more) + 1, sizeof *reader->coupling_words);
    for (int k = 0; k < TYPES + more && reader->coupling_words; k++) {
        reader->coupling_words[k] =
            k < TYPES ? types[k].word : source->kind(find_kind(source, k - TYPES))->coupling;
    }
    return reader->coupling_words != NULL;
}

static detent_status read_type(dt_reader *reader, const dt_section *section,
                               const coupling_type *type, const dt_key *word,
                               const dt_yaml_node *item, coupling_form *form)
{
    const dt_key keys[] = {
        *word,
        {"joints", DT_VALUE_NODE, true, offsetof(coupling_form, joints), NULL, NULL},
        type->key,
        {"stiffness", DT_VALUE_NODE, false, offsetof(coupling_form, stiffness), NULL, NULL},
        {"damping", DT_VALUE_NODE, false, offsetof(coupling_form, damping), NULL, NULL},
        {"backlash", DT_VALUE_NODE, false, offsetof(coupling_form, backlash), NULL, NULL},
        {"restitution", DT_VALUE_SIZE, false, offsetof(coupling_form, restitution),
         &dt_dimension_none, NULL},
        {"drives", DT_VALUE_CHOICE, false, offsetof(coupling_form, drives), NULL, dt_coupling_ways},
        {"friction", DT_VALUE_NODE, false, offsetof(coupling_form, friction), NULL, NULL},
        DT_KEYS_END,
    };
    const dt_table table = {type->word, keys};
    detent_status status = dt_form_read(reader, item, &table, form);
    status = status ? status : read_joints(reader, type, form);
    if (!status && type->factors) {
        status = check_joints(reader, type, form);
        type->factors(form->number, form->def.factor);
        form->open = *position_of(
            dt_builder_primitive_type(reader->m, form->def.primitive[type->is_alike ? 0 : 1]));
        if (!status && form->friction && form->number != 0) { /* no number: refused later */
            status = dt_read_mesh_friction(reader, form->friction, form->number,
                                           type->factors == screw, &form->def);
        }
    } else if (!status) {
        status = read_factors(reader, form);
        if (!status && form->friction) {
            status = dt_read_mesh_friction(reader, form->friction, 1, false, &form->def);
        }
    }
    form->def.restitution = form->restitution;
    form->def.drives = form->drives;
    status = status ? status : read_elastic(reader, form);
    status = status ? status : check_slack(reader, form);
    return status ? status
                  : dt_builder_add(reader->m, section->number, &form->def, &reader->origin,
                                   reader->error);
}

detent_status dt_read_coupling(dt_reader *reader, const dt_section *section,
                               const dt_yaml_node *item, const char *name)
{
    coupling_form form = {.def.name = name};
    if (!reader->coupling_words && !list_words(reader)) {
        return dt_fail_memory(reader);
    }
    const dt_key word[] = {{"type", DT_VALUE_CHOICE, true, offsetof(coupling_form, type), NULL,
                            reader->coupling_words},
                           DT_KEYS_END};
    const dt_table any = {"coupling", word};
    const detent_status status = dt_form_read_some(reader, item, &any, &form);
    if (status || form.type < TYPES) {
        return status ? status : read_type(reader, section, &types[form.type], word, item, &form);
    }
    const int number = find_kind(reader->m->source, form.type - TYPES);
    const dt_section own = {.kind = reader->m->source->kind(number),
                            .number = DT_ITEM_KINDS + number,
                            .read = dt_section_read_keys};
    return dt_section_read_keys(reader, &own, item, name);
}
