/*
 * Friction of meshes, as a file tells it: by efficiencies eta (first joint drives) and eta' (it is driven), or by a coefficient mu of a
 * thread with the lead angle lambda, T = tan lambda = pitch / (2 pi radius). A load L on the first joint is then lessened or
 * increased by a share of it (model/mesh.c):
 *
 *     driving   1/eta - 1   or   mu (1 + T^2) / (T (1 - mu T)),   from   tan(lambda + phi) / tan lambda - 1,
 *     driven    1 - eta'    or   mu (1 + T^2) / (T (1 + mu T)),   from   1 - tan(lambda - phi) / tan lambda,   tan phi = mu.
 *
 * With a friction n without load, eta is that at a load L of the first joint: 1/eta - 1 - n/L and 1 - eta' - n/L are left for the shares.
 *
 * These are the square thread's of textbooks on machine elements; a driven share of 1 or more locks itself. The shares themselves may be given, too.
 */
#include "format/mesh.h"

#include "model/joint_type.h"

#include <math.h>
#include <stddef.h>

typedef struct mesh_form {
    double efficiency, reverse; /* 0: not given; the latter may be anything */
    const dt_yaml_node *reverse_node, *efficiency_node, *coefficient_node, *at_rest_node;
    double coefficient, at_rest, angle, radius;
    double no_load, at_load; /* 0: not given */
} mesh_form;

static detent_status fail(dt_reader *reader, const dt_yaml_node *node,
                          const detent_coupling_def *def, const char *why)
{
    const dt_location where = dt_node_place(reader, node);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "friction of the coupling '%s': %s",
                   def->name, why);
}

/* Of an efficiency in each direction. */
static detent_status take_efficiencies(dt_reader *reader, const dt_yaml_node *node,
                                       const mesh_form *mesh, detent_coupling_def *def)
{
    if (mesh->efficiency > 1) {
        return fail(reader, node, def, "an efficiency is at most 1");
    }
    if (mesh->reverse_node && mesh->reverse > 1) {
        return fail(reader, mesh->reverse_node, def, "an efficiency is at most 1");
    }
    if (mesh->at_load > 0 && mesh->no_load == 0) {
        return fail(reader, node, def,
                    "'at_load' says at which load the efficiency holds, beside 'no_load': without "
                    "that it is the same at any");
    }
    const double load = mesh->at_load * fabs(def->factor[0] / def->factor[1]), /* first joint */
        share = load > 0 ? mesh->no_load / load : 0;
    def->no_load = mesh->no_load;
    def->loss_driving = 1 / mesh->efficiency - 1 - share;
    def->loss_driven = mesh->reverse_node ? 1 - mesh->reverse - share : def->loss_driving;
    return def->loss_driving >= 0 && def->loss_driven >= 0
               ? DETENT_OK
               : fail(reader, node, def,
                      "what it takes without load is more than the efficiency leaves at that load");
}

/* What is wrong with what is given of a thread; NULL: nothing. */
static const char *find_fault(const mesh_form *mesh)
{
    static const double quarter = 1.570796326794896619;
    if (mesh->angle > 0 && mesh->radius > 0) {
        return "the lead angle of the thread is given by 'lead_angle' or by 'radius', not by both";
    }
    if (mesh->angle == 0 && mesh->radius == 0) {
        return "a coefficient needs the 'lead_angle' of the thread, or the 'radius' of a screw's";
    }
    return mesh->angle >= quarter ? "a lead angle is less than a quarter of a turn" : NULL;
}

/* Of a thread with the tangent T of its lead angle; false where it could not be driven. */
static bool thread(double coefficient, double T, double *driving, double *driven)
{
    *driving = coefficient * (1 + T * T) / (T * (1 - coefficient * T));
    *driven = coefficient * (1 + T * T) / (T * (1 + coefficient * T));
    return coefficient * T < 1;
}

static detent_status take_thread(dt_reader *reader, const dt_yaml_node *node, const mesh_form *mesh,
                                 double number, detent_coupling_def *def)
{
    static const double turn = 6.283185307179586477;
    if (mesh->coefficient < 0) {
        return fail(reader, mesh->coefficient_node, def, "a coefficient is not negative");
    }
    const char *fault = find_fault(mesh);
    if (fault) {
        return fail(reader, node, def, fault);
    }
    if (mesh->at_rest_node && mesh->at_rest < mesh->coefficient) {
        return fail(reader, mesh->at_rest_node, def,
                    "a static coefficient is at least the 'coefficient'");
    }
    const double T = mesh->angle > 0 ? tan(mesh->angle) : fabs(number) / (turn * mesh->radius);
    if (!thread(mesh->coefficient, T, &def->loss_driving, &def->loss_driven) ||
        (mesh->at_rest > 0 &&
         !thread(mesh->at_rest, T, &def->static_loss_driving, &def->static_loss_driven))) {
        return fail(reader, node, def,
                    "the first joint cannot drive it: lead angle and friction angle are together a "
                    "quarter of a turn or more");
    }
    return DETENT_OK;
}

#define FIELD(member) offsetof(mesh_form, member)

/* A share as the builder takes it. */
#define LOSS(member, required, dimension)                                                        \
    {                                                                                            \
#member, DT_VALUE_SIZE, required, offsetof(detent_coupling_def, member), dimension, NULL \
    }

/* By which of the two, and where. */
static detent_status read_choice(dt_reader *reader, const dt_yaml_node *node,
                                 const detent_coupling_def *def, mesh_form *mesh)
{
    static const dt_key either[] = {
        {"efficiency", DT_VALUE_NODE, false, FIELD(efficiency_node), NULL, NULL},
        {"coefficient", DT_VALUE_NODE, false, FIELD(coefficient_node), NULL, NULL},
        {"static_coefficient", DT_VALUE_NODE, false, FIELD(at_rest_node), NULL, NULL},
        DT_KEYS_END};
    static const dt_table choice = {"friction of a mesh", either};
    const detent_status status = dt_form_read_some(reader, node, &choice, mesh);
    if (status || !mesh->efficiency_node != !mesh->coefficient_node) {
        return status;
    }
    return mesh->efficiency_node
               ? fail(reader, mesh->coefficient_node, def,
                      "is given by an 'efficiency' or a 'coefficient', not by both")
               : fail(reader, node, def, "needs an 'efficiency' or a 'coefficient'");
}

detent_status dt_read_mesh_friction(dt_reader *reader, const dt_yaml_node *node, double number,
                                    bool is_screw, detent_coupling_def *def)
{
    const dt_primitive_type *joint[2] = {dt_builder_primitive_type(reader->m, def->primitive[0]),
                                         dt_builder_primitive_type(reader->m, def->primitive[1])};
    const dt_dimension *effort[2];
    for (int k = 0; k < 2; k++) {
        effort[k] = joint[k] ? dt_quantity_dimension(DT_QUANTITY_EFFORT, joint[k]->rotational)
                             : &dt_dimension_unknown;
    }
    const dt_key by_efficiency[] = {
        {"efficiency", DT_VALUE_POSITIVE, true, FIELD(efficiency), &dt_dimension_number, NULL},
        {"no_load", DT_VALUE_POSITIVE, false, FIELD(no_load), effort[0], NULL},
        {"at_load", DT_VALUE_POSITIVE, false, FIELD(at_load), effort[1], NULL},
        {"reverse_efficiency", DT_VALUE_NODE, false, FIELD(reverse_node), NULL, NULL},
        DT_KEYS_END};
    static const dt_key by_thread[] = {
        {"coefficient", DT_VALUE_SIZE, true, FIELD(coefficient), &dt_dimension_number, NULL},
        {"static_coefficient", DT_VALUE_POSITIVE, false, FIELD(at_rest), &dt_dimension_number,
         NULL},
        {"lead_angle", DT_VALUE_POSITIVE, false, FIELD(angle), &dt_dimension_none, NULL},
        {"radius", DT_VALUE_POSITIVE, false, FIELD(radius), &dt_dimension_span, NULL},
        DT_KEYS_END};
    static const dt_key reverse[] = {
        {"reverse_efficiency", DT_VALUE_NUMBER, true, 0, &dt_dimension_number, NULL}, DT_KEYS_END};
    const dt_key by_losses[] = {LOSS(loss_driving, true, &dt_dimension_number),
                                LOSS(loss_driven, false, &dt_dimension_number),
                                LOSS(static_loss_driving, false, &dt_dimension_number),
                                LOSS(static_loss_driven, false, &dt_dimension_number),
                                LOSS(no_load, false, effort[0]),
                                DT_KEYS_END};
    mesh_form mesh = {0};
    if (node->kind == DT_YAML_MAPPING && dt_yaml_find(node, by_losses[0].name)) {
        const dt_table shares = {"friction of a mesh", by_losses};
        return dt_form_read(reader, node, &shares, def);
    }
    detent_status status = read_choice(reader, node, def, &mesh);
    if (status) {
        return status;
    }
    const dt_table table = {"friction of a mesh", mesh.efficiency_node ? by_efficiency : by_thread};
    status = dt_form_read(reader, node, &table, &mesh);
    if (!status && mesh.reverse_node) {
        status = dt_value_read(reader, mesh.reverse_node, reverse, &mesh.reverse);
    }
    if (!status && mesh.radius > 0 && !is_screw) {
        status = fail(reader, node, def, "only a screw has the radius of a thread");
    }
    if (status) {
        return status;
    }
    return mesh.efficiency_node ? take_efficiencies(reader, node, &mesh, def)
                                : take_thread(reader, node, &mesh, number, def);
}
