/* The types of shapes: their words and keys, and what they weigh. */

#include "model/shape.h"

#include "math/rotation.h"

#define FIELD(name) offsetof(detent_shape_def, name)

/* In the order of detent_shape_type. */
const dt_shape_type dt_shape_types[DT_SHAPE_TYPES] = {
    {"box", 3, {NULL}, {0.5, 0.5, 0.5}, dt_solid_box},
    {"sphere", 1, {NULL}, {1}, dt_solid_sphere},
    {"cylinder", 2, {"radius", "length"}, {1, 0.5}, dt_solid_cylinder},
    {"capsule", 2, {"radius", "length"}, {1, 0.5}, dt_solid_capsule},
    {"ellipsoid", 3, {NULL}, {1, 1, 1}, dt_solid_ellipsoid},
    {"line", 0, {NULL}, {0}, NULL},
    {"mesh", 0, {NULL}, {0}, NULL},
};

static const dt_key round_keys[] = {
    {"radius", DT_VALUE_NUMBER, true, 0, &dt_dimension_length, NULL},
    {"length", DT_VALUE_NUMBER, true, sizeof(double), &dt_dimension_length, NULL},
    DT_KEYS_END,
};
static const dt_table cylinder_table = {"cylinder", round_keys},
                      capsule_table = {"capsule", round_keys};

static const dt_key place_keys[] = {
    {"point", DT_VALUE_VECTOR, false, 0, &dt_dimension_length, NULL},
    {"rotation", DT_VALUE_ROTATION, false, FIELD(rotation) - FIELD(point), NULL, NULL},
    DT_KEYS_END,
};
static const dt_table place_table = {"place of a shape", place_keys};

const dt_key dt_shape_keys[] = {
    {"box", DT_VALUE_VECTOR, false, FIELD(extent), &dt_dimension_length, NULL},
    {"sphere", DT_VALUE_NUMBER, false, FIELD(extent), &dt_dimension_length, NULL},
    {"cylinder", DT_VALUE_MAPPING, false, FIELD(extent), NULL, &cylinder_table},
    {"capsule", DT_VALUE_MAPPING, false, FIELD(extent), NULL, &capsule_table},
    {"ellipsoid", DT_VALUE_VECTOR, false, FIELD(extent), &dt_dimension_length, NULL},
    {"line", DT_VALUE_ELSEWHERE, false, 0, NULL, NULL},
    {"mesh", DT_VALUE_TEXT, false, FIELD(mesh), NULL, NULL},
    {"at", DT_VALUE_FRAME, false, FIELD(point), &dt_dimension_length, &place_table},
    {"color", DT_VALUE_TEXT, false, FIELD(color), NULL, NULL},
    {"name", DT_VALUE_TEXT, false, FIELD(name), NULL, NULL},
    DT_KEYS_END,
};

bool dt_shape_mass(const detent_shape_def *shape, double density, dt_mass *mass)
{
    static const double upright[4] = {1, 0, 0, 0};
    const dt_shape_type *type = &dt_shape_types[shape->type];
    double size[3] = {0}, R[9];
    if (!type->solid) {
        return false;
    }
    for (int k = 0; k < type->extents; k++) {
        size[k] = type->share[k] * shape->extent[k];
    }
    const dt_solid solid = type->solid(size);
    dt_mass own = {.mass = density * solid.volume};
    for (int k = 0; k < 3; k++) {
        own.inertia[k] = own.mass * solid.moment[k];
    }
    const double *q = shape->rotation;
    dt_rotation_from_quaternion(R, q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0 ? upright : q);
    *mass = (dt_mass){0};
    dt_mass_add(mass, &own, R, shape->point);
    return true;
}
