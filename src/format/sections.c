/* The tables of bodies, stiction, loads, springs and outputs, and what is done with what they read. Joints: joint.c */

#include "format/sections.h"

#include "format/joint.h"
#include "format/label.h"
#include "model/joint_type.h"

#include <stddef.h>
#include <string.h>

/* --- Bodies ------------------------------------------------------------------------------------------------- */

static const dt_key body_keys[] = {
    {"mass", DT_VALUE_NUMBER, true, offsetof(detent_body_def, mass), &dt_dimension_mass, NULL},
    {"center_of_mass", DT_VALUE_VECTOR, false, offsetof(detent_body_def, center_of_mass),
     &dt_dimension_length, NULL},
    {"inertia", DT_VALUE_INERTIA, false, offsetof(detent_body_def, inertia), &dt_dimension_inertia,
     NULL},
    DT_KEYS_END,
};
static const dt_table body_table = {"body", body_keys};

detent_status dt_read_body(dt_reader *reader, const dt_yaml_node *item, const char *name)
{
    detent_body_def body = {.name = name};
    detent_status status = dt_form_read(reader, item, &body_table, &body);
    return status ? status : dt_builder_add_body(reader->m, &body, &reader->origin, reader->error);
}

/* --- Stiction ----------------------------------------------------------------------------------------------- */

static const char *const locking_words[] = {"crossing", "band", NULL};

#define STICTION_KEYS(dimension)                                                                     \
    {"velocity_threshold",                                                                           \
     DT_VALUE_POSITIVE,                                                                              \
     false,                                                                                          \
     offsetof(detent_stiction_def, velocity_threshold),                                              \
     dimension,                                                                                      \
     NULL},                                                                                          \
        {"external", DT_VALUE_EXPRESSION, false, offsetof(detent_stiction_def, external), NULL,      \
         NULL},                                                                                      \
        {"kinetic", DT_VALUE_EXPRESSION, true, offsetof(detent_stiction_def, kinetic), NULL, NULL},  \
        {"static", DT_VALUE_EXPRESSION, false, offsetof(detent_stiction_def, static_limit), NULL,    \
         NULL},                                                                                      \
        {"forward", DT_VALUE_EXPRESSION, false, offsetof(detent_stiction_def, forward), NULL, NULL}, \
        {"reverse", DT_VALUE_EXPRESSION, false, offsetof(detent_stiction_def, reverse), NULL, NULL}, \
        {"test", DT_VALUE_EXPRESSION, false, offsetof(detent_stiction_def, test), NULL, NULL},       \
        {"locking", DT_VALUE_CHOICE, false, offsetof(detent_stiction_def, locking),                  \
         NULL,      locking_words},                                                                  \
        DT_KEYS_END

static const dt_key revolute_stiction_keys[] = {STICTION_KEYS(&dt_dimension_angular_velocity)};
static const dt_key prismatic_stiction_keys[] = {STICTION_KEYS(&dt_dimension_velocity)};
static const dt_key unknown_stiction_keys[] = {STICTION_KEYS(NULL)};
static const dt_table revolute_stiction = {"stiction", revolute_stiction_keys};
static const dt_table prismatic_stiction = {"stiction", prismatic_stiction_keys};
static const dt_table unknown_stiction = {"stiction", unknown_stiction_keys};

detent_status dt_read_stiction(dt_reader *reader, const dt_yaml_node *item, const char *name)
{
    detent_stiction_def stiction = {.primitive = name};
    const dt_primitive_type *type = dt_builder_primitive_type(reader->m, name);
    const dt_table *table = !type              ? &unknown_stiction
                            : type->rotational ? &revolute_stiction
                                               : &prismatic_stiction;
    detent_status status = dt_form_read(reader, item, table, &stiction);
    return status ? status
                  : dt_builder_add_stiction(reader->m, &stiction, &reader->origin, reader->error);
}

/* --- Loads -------------------------------------------------------------------------------------------------- */

static const char *const frame_words[] = {"world", "body", NULL};

static const dt_key load_keys[] = {
    {"body", DT_VALUE_REFERENCE, true, offsetof(detent_load_def, body), NULL, NULL},
    {"at", DT_VALUE_VECTOR, false, offsetof(detent_load_def, point), &dt_dimension_length, NULL},
    {"force", DT_VALUE_EXPRESSIONS, false, offsetof(detent_load_def, force), NULL, NULL},
    {"torque", DT_VALUE_EXPRESSIONS, false, offsetof(detent_load_def, torque), NULL, NULL},
    {"frame", DT_VALUE_CHOICE, false, offsetof(detent_load_def, frame), NULL, frame_words},
    DT_KEYS_END,
};
static const dt_table load_table = {"load", load_keys};

detent_status dt_read_load(dt_reader *reader, const dt_yaml_node *item, const char *name)
{
    detent_load_def load = {.name = name};
    detent_status status = dt_form_read(reader, item, &load_table, &load);
    return status ? status : dt_builder_add_load(reader->m, &load, &reader->origin, reader->error);
}

/* --- Springs between points of two bodies ------------------------------------------------------------------- */

typedef struct spring_form {
    detent_spring_def def;
    const dt_yaml_node *between;
} spring_form;

#define SPRING(key) offsetof(spring_form, def.key)
static const dt_key spring_keys[] = {
    {"between", DT_VALUE_NODE, true, offsetof(spring_form, between), NULL, NULL},
    {"stiffness", DT_VALUE_NUMBER, false, SPRING(stiffness), &dt_dimension_stiffness, NULL},
    {"rest", DT_VALUE_NUMBER, false, SPRING(rest), &dt_dimension_length, NULL},
    {"damping", DT_VALUE_NUMBER, false, SPRING(damping), &dt_dimension_damping, NULL},
    DT_KEYS_END,
};
#undef SPRING
static const dt_table spring_table = {"spring", spring_keys};

typedef struct point_form {
    const char *body;
    double at[3];
} point_form;

static const dt_key point_keys[] = {
    {"body", DT_VALUE_REFERENCE, true, offsetof(point_form, body), NULL, NULL},
    {"at", DT_VALUE_VECTOR, false, offsetof(point_form, at), &dt_dimension_length, NULL},
    DT_KEYS_END,
};
static const dt_table point_table = {"end of a spring", point_keys};

static detent_status read_ends(dt_reader *reader, const dt_yaml_node *between,
                               detent_spring_def *def)
{
    if (between->kind != DT_YAML_SEQUENCE || between->count != 2) {
        return dt_fail_kind(reader, between, "a list of two ends, {body: ..., at: [...]} each");
    }
    const dt_yaml_node *node = between->first;
    for (int end = 0; end < 2; end++, node = node->next) {
        point_form point = {0};
        detent_status status = dt_form_read(reader, node, &point_table, &point);
        if (status) {
            return status;
        }
        def->body[end] = point.body;
        memcpy(def->point[end], point.at, sizeof point.at);
    }
    return DETENT_OK;
}

detent_status dt_read_spring(dt_reader *reader, const dt_yaml_node *item, const char *name)
{
    spring_form form = {.def.name = name};
    detent_status status = dt_form_read(reader, item, &spring_table, &form);
    status = status ? status : read_ends(reader, form.between, &form.def);
    return status ? status
                  : dt_builder_add_spring(reader->m, &form.def, &reader->origin, reader->error);
}

/* --- Couplings ---------------------------------------------------------------------------------------------- */

typedef struct coupling_form {
    detent_coupling_def def;
    const dt_yaml_node *joints, *factors;
    int type;
    double ratio, radius, pitch;
} coupling_form;

enum { GEAR, RACK, SCREW, DIFFERENTIAL };
static const char *const coupling_words[] = {"gear", "rack", "screw", "differential", NULL};

#define COUPLING_KEYS                                                                     \
    {"type", DT_VALUE_CHOICE, true, offsetof(coupling_form, type), NULL, coupling_words}, \
    {                                                                                     \
        "joints", DT_VALUE_NODE, true, offsetof(coupling_form, joints), NULL, NULL        \
    }
static const dt_key any_coupling_keys[] = {COUPLING_KEYS, DT_KEYS_END};
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

detent_status dt_read_coupling(dt_reader *reader, const dt_yaml_node *item, const char *name)
{
    static const double turn = 6.283185307179586477;
    coupling_form form = {.def.name = name};
    detent_status status = dt_form_read_some(reader, item, &any_coupling, &form);
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
                  : dt_builder_add_coupling(reader->m, &form.def, &reader->origin, reader->error);
}

/* --- States ------------------------------------------------------------------------------------------------- */

typedef struct state_form {
    detent_state_def def;
    const dt_yaml_node *initial, *nominal;
} state_form;

static const dt_key state_keys[] = {
    {"derivative", DT_VALUE_EXPRESSION, true, offsetof(state_form, def.derivative), NULL, NULL},
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

detent_status dt_read_state(dt_reader *reader, const dt_yaml_node *item, const char *name)
{
    state_form form = {.def.name = name};
    dt_dimension dimension = dt_dimension_unknown;
    detent_status status = dt_form_read(reader, item, &state_table, &form);
    status = status ? status : read_value(reader, form.initial, &form.def.initial, &dimension);
    status = status ? status : read_value(reader, form.nominal, &form.def.nominal, &dimension);
    return status ? status
                  : dt_builder_add_state(reader->m, &form.def, &dimension, &reader->origin,
                                         reader->error);
}

/* --- Outputs ------------------------------------------------------------------------------------------------ */

/* An expression, or {label: expression}; in copy 17 of a chain it is label[17]. */
detent_status dt_read_output(dt_reader *reader, const dt_yaml_node *item, const char *name)
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
    return dt_builder_add_output(reader->m, expression->text, label, &reader->origin,
                                 reader->error);
}

#define SECTION(name, sequence, item, read) {#name, sequence, DETENT_##item, read},
const dt_section dt_sections[DT_SECTIONS] = {DT_SECTION_TABLE(SECTION)};
