/* What geoms weigh: where a body has no <inertial>, it is that of its geoms. */

#include "import/mjcf.h"

#include "math/rotation.h"
#include "math/solid.h"
#include "math/vec3.h"

const dt_mjcf_solid dt_mjcf_solids[] = {
    {"sphere", DETENT_SHAPE_SPHERE, 1, false, dt_solid_sphere},
    {"capsule", DETENT_SHAPE_CAPSULE, 2, true, dt_solid_capsule},
    {"cylinder", DETENT_SHAPE_CYLINDER, 2, true, dt_solid_cylinder},
    {"ellipsoid", DETENT_SHAPE_ELLIPSOID, 3, true, dt_solid_ellipsoid},
    {"box", DETENT_SHAPE_BOX, 3, true, dt_solid_box},
    {NULL, DETENT_SHAPE_MESH, 0, false, NULL}};

/* A shape that stands between two points: its frame, and its half length as the last size. */
static detent_status read_ends(const dt_mjcf *m, const dt_xml *geom, const char *childclass,
                               int sizes, double *size, dt_frame *frame, bool *found)
{
    double ends[6], along[3];
    const detent_status status = dt_mjcf_vector(m, geom, childclass, "fromto", 6, ends, found);
    if (status || !*found) {
        return status;
    }
    for (int k = 0; k < 3; k++) {
        along[k] = ends[3 + k] - ends[k];
        frame->p[k] = 0.5 * (ends[k] + ends[3 + k]);
    }
    const double length = dt_norm3(along);
    if (length == 0) {
        return dt_mjcf_fail(m, geom, "both points of 'fromto' are the same");
    }
    size[sizes - 1] = 0.5 * length;
    if (sizes == 3) {
        size[1] = size[0];
    }
    static const double up[3] = {0, 0, 1}, across[3] = {1, 0, 0};
    double axis[3], q[4];
    dt_cross3(axis, up, along);
    const double sine = dt_norm3(axis);
    dt_quaternion_from_axis(q, sine > 0 ? axis : across, atan2(sine, along[2]));
    dt_rotation_from_quaternion(frame->R, q);
    return DETENT_OK;
}

/* Sizes: as many as the shape needs; more may follow. */
static detent_status read_size(const dt_mjcf *m, const dt_xml *geom, const char *childclass,
                               int needed, double *size)
{
    const dt_xml *holder;
    int count = 0;
    detent_status status = dt_mjcf_holder(m, geom, childclass, "size", &holder);
    if (!status && holder) {
        status = dt_xml_numbers(holder, "size", 3, size, &count, m->error);
    }
    if (!status && count < needed) {
        return dt_mjcf_fail(m, geom, "its 'size' has too few numbers");
    }
    for (int k = 0; k < needed && !status; k++) {
        if (!(size[k] > 0)) {
            return dt_mjcf_fail(m, geom, "its 'size' is not positive");
        }
    }
    return status;
}

static detent_status weigh(const dt_mjcf *m, const dt_xml *geom, const char *childclass,
                           const dt_solid *shape, dt_mass *weight)
{
    double density = 1000, mass = 0;
    bool has_mass;
    detent_status status = dt_mjcf_vector(m, geom, childclass, "density", 1, &density, NULL);
    status = status ? status : dt_mjcf_vector(m, geom, childclass, "mass", 1, &mass, &has_mass);
    if (status) {
        return status;
    }
    if (density < 0 || mass < 0) {
        return dt_mjcf_fail(m, geom, "its mass is negative");
    }
    weight->mass = has_mass ? mass : density * shape->volume;
    for (int k = 0; k < 3; k++) {
        weight->inertia[k] = weight->mass * shape->moment[k];
    }
    return DETENT_OK;
}

detent_status dt_mjcf_solid_of(const dt_mjcf *m, const dt_xml *geom, const char *childclass,
                               const dt_mjcf_solid **solid, double size[3], dt_frame *frame)
{
    const char *type = NULL, *mesh = NULL;
    bool between = false;
    *solid = NULL;
    detent_status status = dt_mjcf_word(m, geom, childclass, "type", &type);
    status = status ? status : dt_mjcf_word(m, geom, childclass, "mesh", &mesh);
    type = mesh ? "mesh" : type ? type : "sphere"; /* a shape may be fitted to a mesh */
    for (const dt_mjcf_solid *s = dt_mjcf_solids; s->type && !status; s++) {
        *solid = strcmp(type, s->type) == 0 ? s : *solid;
    }
    if (status || !*solid) {
        return status;
    }
    status = dt_mjcf_frame(m, geom, childclass, frame);
    const int last = (*solid)->sizes - 1;
    size[0] = size[1] = size[2] = 0;
    if (!status && (*solid)->has_ends) {
        status = read_ends(m, geom, childclass, last + 1, size, frame, &between);
    }
    const double half = size[last];
    status = status ? status : read_size(m, geom, childclass, between ? 1 : last + 1, size);
    if (between) {
        size[last] = half;
        size[1] = last == 2 ? size[0] : size[1];
    }
    return status;
}

detent_status dt_mjcf_geom(dt_mjcf *m, const dt_xml *geom, const char *childclass,
                           const dt_frame *outer, dt_mass *weight)
{
    const dt_mjcf_solid *solid;
    const char *type;
    double group = 0, size[3];
    dt_frame frame;
    detent_status status = dt_mjcf_vector(m, geom, childclass, "group", 1, &group, NULL);
    if (status || group < m->groups[0] || group > m->groups[1]) {
        return status;
    }
    status = dt_mjcf_solid_of(m, geom, childclass, &solid, size, &frame);
    status = status ? status : dt_mjcf_word(m, geom, childclass, "type", &type);
    if (status) {
        return status;
    }
    if (!solid) {
        m->meshes += !type || strcmp(type, "plane") != 0;
        return DETENT_OK;
    }
    dt_mass own = {0};
    const dt_solid shape = solid->of(size);
    status = weigh(m, geom, childclass, &shape, &own);
    if (!status) {
        dt_frame_compose(&frame, outer, &frame);
        dt_mass_add(weight, &own, frame.R, frame.p);
    }
    return status;
}
