/* Couplings: what a file calls a gear, a rack, a screw or a differential is a linear condition on positions of joints. A type is a row
 * of the table. Couplings that are items of elements (dt_item_kind.coupling) are types too, read by the keys of their kind. */

#include "format/coupling.h"

#include "model/joint_type.h"
#include "model/mechanism.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct coupling_form {
    detent_coupling_def def;
    const dt_yaml_node *joints, *factors;
    int type;
    double number;
    const dt_yaml_node *friction;
    double stiffness, damping, backlash;
} coupling_form;

typedef struct coupling_type {
    const char *word;
    dt_key key; /* that it has beside its joints */
    /* The condition on two joints that a number makes; NULL: on any number of them, the key is a list of factors. */
    void (*factors)(double number, double factor[2]);
    bool
        is_alike; /* two joints that turn, or two that slide; else the first turns, the second slides */
    const char *takes; /* the same in words */
} coupling_type;

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
    {"gear", NUMBER("ratio", dt_dimension_none), gear, true,
     "a gear takes two joints that turn, or two that slide"},
    {"rack", NUMBER("radius", dt_dimension_length), rack, false, turns_slides},
    {"screw", NUMBER("pitch", dt_dimension_length), screw, false, turns_slides},
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

/* ---- friction of the mesh ---- */

typedef struct mesh_form {
    double efficiency, reverse; /* 0: not given; the latter may be anything */
    const dt_yaml_node *reverse_node, *efficiency_node, *coefficient_node;
    double coefficient, at_rest, angle, radius;
} mesh_form;

static detent_status fail_mesh(dt_reader *reader, const dt_yaml_node *node,
                               const coupling_form *form, const char *why)
{
    const dt_location where = dt_node_place(reader, node);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "friction of the coupling '%s': %s",
                   form->def.name, why);
}

/* Of an efficiency in each direction. */
static detent_status take_efficiencies(dt_reader *reader, const dt_yaml_node *node,
                                       const mesh_form *mesh, coupling_form *form)
{
    if (mesh->efficiency > 1) {
        return fail_mesh(reader, node, form, "an efficiency is at most 1");
    }
    if (mesh->reverse_node && mesh->reverse > 1) {
        return fail_mesh(reader, mesh->reverse_node, form, "an efficiency is at most 1");
    }
    form->def.loss_driving = 1 / mesh->efficiency - 1;
    form->def.loss_driven = mesh->reverse_node ? 1 - mesh->reverse : form->def.loss_driving;
    return DETENT_OK;
}

/* Of a thread with the tangent T of its lead angle; false where it could not be driven. */
static bool thread(double coefficient, double T, double *driving, double *driven)
{
    *driving = coefficient * (1 + T * T) / (T * (1 - coefficient * T));
    *driven = coefficient * (1 + T * T) / (T * (1 + coefficient * T));
    return coefficient * T < 1;
}

static detent_status take_thread(dt_reader *reader, const dt_yaml_node *node, const mesh_form *mesh,
                                 coupling_form *form)
{
    static const double quarter = 1.570796326794896619, turn = 4 * quarter;
    if (mesh->coefficient < 0) {
        return fail_mesh(reader, mesh->coefficient_node, form, "a coefficient is not negative");
    }
    if (mesh->angle > 0 && mesh->radius > 0) {
        return fail_mesh(
            reader, node, form,
            "the lead angle of the thread is given by 'lead_angle' or by 'radius', not by both");
    }
    if (mesh->angle == 0 && mesh->radius == 0) {
        return fail_mesh(
            reader, node, form,
            "a coefficient needs the 'lead_angle' of the thread, or the 'radius' of a screw's");
    }
    if (mesh->angle >= quarter) {
        return fail_mesh(reader, node, form, "a lead angle is less than a quarter of a turn");
    }
    const double T =
        mesh->angle > 0 ? tan(mesh->angle) : fabs(form->number) / (turn * mesh->radius);
    detent_coupling_def *def = &form->def;
    if (!thread(mesh->coefficient, T, &def->loss_driving, &def->loss_driven) ||
        (mesh->at_rest > 0 &&
         !thread(mesh->at_rest, T, &def->static_loss_driving, &def->static_loss_driven))) {
        return fail_mesh(
            reader, node, form,
            "the first joint cannot drive it: lead angle and friction angle are together a "
            "quarter of a turn or more");
    }
    return DETENT_OK;
}

static detent_status read_friction(dt_reader *reader, const coupling_type *type,
                                   coupling_form *form)
{
#define FIELD(member) offsetof(mesh_form, member)
    static const dt_key by_efficiency[] = {
        {"efficiency", DT_VALUE_POSITIVE, true, FIELD(efficiency), &dt_dimension_none, NULL},
        {"reverse_efficiency", DT_VALUE_NODE, false, FIELD(reverse_node), NULL, NULL},
        DT_KEYS_END};
    static const dt_key by_thread[] = {
        {"coefficient", DT_VALUE_SIZE, true, FIELD(coefficient), &dt_dimension_none, NULL},
        {"static_coefficient", DT_VALUE_POSITIVE, false, FIELD(at_rest), &dt_dimension_none, NULL},
        {"lead_angle", DT_VALUE_POSITIVE, false, FIELD(angle), &dt_dimension_none, NULL},
        {"radius", DT_VALUE_POSITIVE, false, FIELD(radius), &dt_dimension_length, NULL},
        DT_KEYS_END};
    static const dt_key either[] = {
        {"efficiency", DT_VALUE_NODE, false, FIELD(efficiency_node), NULL, NULL},
        {"coefficient", DT_VALUE_NODE, false, FIELD(coefficient_node), NULL, NULL},
        DT_KEYS_END};
    static const dt_key reverse[] = {
        {"reverse_efficiency", DT_VALUE_NUMBER, true, 0, &dt_dimension_none, NULL}, DT_KEYS_END};
#undef FIELD
    const dt_yaml_node *node = form->friction;
    const dt_table choice = {"friction of a mesh", either};
    mesh_form mesh = {0};
    detent_status status = dt_form_read_some(reader, node, &choice, &mesh);
    if (status) {
        return status;
    }
    if (!mesh.efficiency_node == !mesh.coefficient_node) {
        return fail_mesh(reader, mesh.coefficient_node ? mesh.coefficient_node : node, form,
                         mesh.coefficient_node
                             ? "is given by an 'efficiency' or a 'coefficient', not by both"
                             : "needs an 'efficiency' or a 'coefficient'");
    }
    const dt_table table = {"friction of a mesh", mesh.efficiency_node ? by_efficiency : by_thread};
    const bool is_efficiency = mesh.efficiency_node != NULL;
    status = dt_form_read(reader, node, &table, &mesh);
    if (!status && mesh.reverse_node) {
        status = dt_value_read(reader, mesh.reverse_node, reverse, &mesh.reverse);
    }
    if (!status && mesh.radius > 0 && type->factors != screw) {
        status = fail_mesh(reader, node, form, "only a screw has the radius of a thread");
    }
    if (status) {
        return status;
    }
    return is_efficiency ? take_efficiencies(reader, node, &mesh, form)
                         : take_thread(reader, node, &mesh, form);
}

static detent_status read_type(dt_reader *reader, const dt_section *section,
                               const coupling_type *type, const dt_key *word,
                               const dt_yaml_node *item, coupling_form *form)
{
    const dt_key keys[] = {
        *word,
        {"joints", DT_VALUE_NODE, true, offsetof(coupling_form, joints), NULL, NULL},
        type->key,
        {"stiffness", DT_VALUE_POSITIVE, false, offsetof(coupling_form, stiffness), NULL, NULL},
        {"damping", DT_VALUE_SIZE, false, offsetof(coupling_form, damping), NULL, NULL},
        {"backlash", DT_VALUE_SIZE, false, offsetof(coupling_form, backlash), NULL, NULL},
        {type->factors ? "friction" : NULL, DT_VALUE_NODE, false, offsetof(coupling_form, friction),
         NULL, NULL},
        DT_KEYS_END,
    };
    const dt_table table = {type->word, keys};
    detent_status status = dt_form_read(reader, item, &table, form);
    status = status ? status : read_joints(reader, type, form);
    if (!status && type->factors) {
        status = check_joints(reader, type, form);
        type->factors(form->number, form->def.factor);
        status =
            status || !form->friction || form->number == 0 /* refused anyway */ ? status
                                                                                : read_friction(
                                                                                      reader, type,
                                                                                      form);
    } else if (!status) {
        status = read_factors(reader, form);
    }
    form->def.stiffness = form->stiffness;
    form->def.damping = form->damping;
    form->def.backlash = form->backlash;
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
    const dt_section own = {reader->m->source->kind(number), DT_ITEM_KINDS + number,
                            dt_section_read_keys};
    return dt_section_read_keys(reader, &own, item, name);
}
