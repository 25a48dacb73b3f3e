/* Bodies: what they are given by, and whether that is one. */

#include "math/rotation.h"
#include "model/record.h"

#include <string.h>

/* Inertias are written with few digits: a flat plate given as 0.083, 0.083, 0.167 is one all the same. */
#define TRIANGLE_TOLERANCE 1e-2
#define NEGATIVE_TOLERANCE 1e-6

#define FIELD(name) offsetof(detent_body_def, name)
static const dt_key keys[] = {
    {"mass", DT_VALUE_NUMBER, true, FIELD(mass), &dt_dimension_mass, NULL},
    {"center_of_mass", DT_VALUE_VECTOR, false, FIELD(center_of_mass), &dt_dimension_length, NULL},
    {"inertia", DT_VALUE_INERTIA, false, FIELD(inertia), &dt_dimension_inertia, NULL},
    {"density", DT_VALUE_POSITIVE, false, FIELD(density), &dt_dimension_density, NULL},
    DT_KEYS_END,
};
#undef FIELD

/* The principal moments of a body are sums of two of three integrals that are not negative. */
static detent_status check_inertia(const dt_builder *b, const dt_body_record *body,
                                   detent_error *error)
{
    const dt_location where = dt_locate(b, &body->origin, NULL, "inertia", -1);
    double moment[3], scaled[6], largest = 0.0;
    for (int k = 0; k < 6; k++) {
        largest = fmax(largest, fabs(body->def.inertia[k]));
    }
    if (largest == 0.0) {
        return DETENT_OK;
    }
    for (int k = 0; k < 6; k++) {
        scaled[k] = body->def.inertia[k] / largest;
    }
    dt_tensor_eigenvalues(moment, scaled);
    if (moment[0] < -NEGATIVE_TOLERANCE) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "body '%s': no real body has this inertia: a principal moment is negative "
                       "(%.6g kg m^2)",
                       body->def.name, moment[0] * largest);
    }
    if (moment[2] - moment[0] - moment[1] > TRIANGLE_TOLERANCE * moment[2]) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "body '%s': no real body has this inertia: the largest principal moment "
                       "(%.6g kg m^2) exceeds "
                       "the sum of the others (%.6g kg m^2)",
                       body->def.name, moment[2] * largest, (moment[0] + moment[1]) * largest);
    }
    if (body->def.mass == 0.0) {
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "body '%s': no real body has this inertia: it has no mass", body->def.name);
    }
    return DETENT_OK;
}

/* Whether something is given that follows from a density. */
static bool is_weighed(const detent_body_def *def)
{
    bool any = def->mass != 0.0;
    for (int k = 0; k < 6; k++) {
        any = any || def->inertia[k] != 0.0 || (k < 3 && def->center_of_mass[k] != 0.0);
    }
    return any;
}

static detent_status take(detent_mechanism *m, void *record, detent_error *error)
{
    const dt_body_record *body = record;
    if (strcmp(body->def.name, "ground") == 0) {
        const dt_location where = dt_locate(m->builder, &body->origin, NULL, NULL, -1);
        return dt_fail(
            error, DETENT_ERROR_MODEL, &where,
            "a body cannot be called 'ground': the ground is always there, and has shapes "
            "alone");
    }
    if (body->def.density < 0.0) {
        const dt_location where = dt_locate(m->builder, &body->origin, NULL, "density", -1);
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "body '%s': the density (%.6g kg/m^3) is negative", body->def.name,
                       body->def.density);
    }
    if (body->def.density > 0.0 && is_weighed(&body->def)) {
        const dt_location where = dt_locate(m->builder, &body->origin, NULL, "density", -1);
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "body '%s': mass, center_of_mass and inertia follow from its density, and "
                       "cannot be given as well",
                       body->def.name);
    }
    if (body->def.mass < 0.0) {
        const dt_location where = dt_locate(m->builder, &body->origin, NULL, "mass", -1);
        return dt_fail(error, DETENT_ERROR_MODEL, &where,
                       "body '%s': the mass (%.6g kg) is negative", body->def.name, body->def.mass);
    }
    return check_inertia(m->builder, body, error);
}

static dt_name_map *names(detent_mechanism *m)
{
    return &m->body_names;
}

static const char *name(const detent_mechanism *m, int index)
{
    return m->bodies[index].name;
}

static int find(const detent_mechanism *m, const char *text)
{
    return dt_name_map_get(&m->body_names, text);
}

const dt_item_kind dt_body_item = {.what = "body",
                                   .plural = "bodies",
                                   .named = 1 + DETENT_BODY,
                                   .is_section = true,
                                   .keys = keys,
                                   .size = sizeof(detent_body_def),
                                   .take = take,
                                   .names = names,
                                   .counter = offsetof(detent_mechanism, body_count),
                                   .name = name,
                                   .find = find};
