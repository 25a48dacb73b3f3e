/* What can be said of one joint alone. */

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/record.h"

#include <string.h>

/* Products of some of the numbers of a mechanism must stay finite: mass times distance squared, and the squares that
 * solving for accelerations takes of it. Nothing real comes near: the universe has some 1e53 kg. */
#define LARGEST 1e60
/* Sine of the angle below which two axes count as parallel; volume below which three lie in a plane. */
#define PARALLEL 1e-4

detent_status dt_check_finite(const double *values, int count, const char *owner, const char *what,
                              const dt_location *where, detent_error *error)
{
    for (int k = 0; k < count; k++) {
        if (!isfinite(values[k])) {
            return dt_fail(error, DETENT_ERROR_MODEL, where, "'%s': %s is not a finite number",
                           owner ? owner : "", what);
        }
        if (fabs(values[k]) > LARGEST) {
            return dt_fail(error, DETENT_ERROR_MODEL, where,
                           "'%s': %s is too large to compute with (%g; at most %g)",
                           owner ? owner : "", what, values[k], LARGEST);
        }
    }
    return DETENT_OK;
}

typedef struct subject {
    const dt_builder *builder;
    const dt_joint_record *joint;
    const dt_primitive_record *primitive;
    const char *suffix; /* NULL for the only primitive of a joint */
} subject;

static dt_location locate(const subject *s, const char *key)
{
    return dt_locate(s->builder, &s->joint->origin, s->suffix, key, -1);
}

static detent_status refuse(const subject *s, const char *key, const char *reason,
                            detent_error *error)
{
    dt_location where = locate(s, key);
    return dt_fail(error, DETENT_ERROR_MODEL, &where, "joint '%s%s%s': %s", s->joint->name,
                   s->suffix ? "." : "", s->suffix ? s->suffix : "", reason);
}

static bool any(const double *values, int count)
{
    for (int k = 0; k < count; k++) {
        if (values[k] != 0.0) {
            return true;
        }
    }
    return false;
}

/* What only a primitive of one freedom can have. */
static detent_status check_kind(const subject *s, detent_error *error)
{
    const dt_primitive_record *p = s->primitive;
    if (p->type->nv == 1) {
        return DETENT_OK;
    }
    bool weld = p->type->nv == 0;
    if (p->stiffness != 0.0 || p->rest != 0.0) {
        return refuse(s, "spring",
                      weld ? "a weld takes no spring" : "a spherical primitive takes no spring",
                      error);
    }
    if (p->armature != 0.0) {
        return refuse(s, "armature",
                      weld ? "a weld takes no armature" : "a spherical primitive takes no armature",
                      error);
    }
    if (p->force) {
        return refuse(s, "force",
                      weld ? "a weld takes no force" : "a spherical primitive takes no force",
                      error);
    }
    if (p->motion) {
        return refuse(s, "motion",
                      weld ? "a weld takes no motion" : "a spherical primitive takes no motion",
                      error);
    }
    if (p->nominal_position != 0.0) {
        return refuse(s, "nominal.position",
                      weld ? "a weld has no position"
                           : "the position of a spherical primitive is a rotation: it has no size",
                      error);
    }
    if (weld && p->nominal_velocity != 0.0) {
        return refuse(s, "nominal.velocity", "a weld has no velocity", error);
    }
    if (weld && p->damping != 0.0) {
        return refuse(s, "damping", "a weld takes no damping", error);
    }
    if (weld && (any(p->position, 4) || any(p->velocity, 3))) {
        return refuse(s, "initial", "a weld has no position and no velocity", error);
    }
    return DETENT_OK;
}

/* A priority is one of them, and of something that has an initial value. */
static detent_status check_priority(const subject *s, detent_error *error)
{
    const detent_priority of[] = {s->primitive->priority.position, s->primitive->priority.velocity};
    for (int k = 0; k < 2; k++) {
        if ((int)of[k] < DETENT_PRIORITY_FREE || (int)of[k] > DETENT_PRIORITY_EXACT) {
            return refuse(s, "initial.priority", "there is no such priority", error);
        }
        if (of[k] != DETENT_PRIORITY_FREE &&
            (s->primitive->motion || s->primitive->type->nv == 0)) {
            return refuse(s, "initial.priority",
                          s->primitive->motion ? "the motion gives the initial state"
                                               : "a weld has no position and no velocity",
                          error);
        }
    }
    return DETENT_OK;
}

static detent_status check_values(const subject *s, detent_error *error)
{
    const dt_primitive_record *p = s->primitive;
    const struct {
        const char *key;
        const double *values;
        int count;
    } fields[] = {{"initial.position", p->position, 4},
                  {"initial.velocity", p->velocity, 3},
                  {"spring.stiffness", &p->stiffness, 1},
                  {"spring.rest", &p->rest, 1},
                  {"damping", &p->damping, 1},
                  {"armature", &p->armature, 1},
                  {"nominal.position", &p->nominal_position, 1},
                  {"nominal.velocity", &p->nominal_velocity, 1}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        dt_location where = locate(s, fields[i].key);
        detent_status status = dt_check_finite(fields[i].values, fields[i].count, s->joint->name,
                                               fields[i].key, &where, error);
        if (status) {
            return status;
        }
    }
    if (p->stiffness < 0.0) {
        return refuse(s, "spring.stiffness", "the stiffness is negative", error);
    }
    if (p->damping < 0.0) {
        return refuse(s, "damping", "the damping is negative", error);
    }
    if (p->nominal_position < 0.0) {
        return refuse(s, "nominal.position", "the nominal position is negative: it is a size",
                      error);
    }
    if (p->nominal_velocity < 0.0) {
        return refuse(s, "nominal.velocity", "the nominal velocity is negative: it is a size",
                      error);
    }
    if (p->motion && p->force) {
        return refuse(s, "motion", "a primitive has either a force or a motion", error);
    }
    if (p->motion && any(p->position, 4)) {
        return refuse(s, "initial.position", "the motion gives the initial position", error);
    }
    if (p->motion && any(p->velocity, 3)) {
        return refuse(s, "initial.velocity", "the motion gives the initial velocity", error);
    }
    return DETENT_OK;
}

/* A spherical primitive's position: zero stands for no turn, a direction becomes a unit quaternion. */
static detent_status normalize_position(const subject *s, dt_primitive_record *p,
                                        detent_error *error)
{
    if (p->type->nq != 4) {
        return DETENT_OK;
    }
    if (!any(p->position, 4)) {
        p->position[0] = 1.0;
    }
    double largest = 0.0;
    for (int k = 0; k < 4; k++) {
        largest = fmax(largest, fabs(p->position[k]));
    }
    if (largest < 1e-100 || largest > 1e100) {
        return refuse(s, "initial.position", "the quaternion has no direction", error);
    }
    p->type->normalize(p->position);
    return DETENT_OK;
}

static bool parallel(const double a[3], const double b[3])
{
    double c[3];
    dt_cross3(c, a, b);
    return dt_norm3(c) < PARALLEL;
}

static bool in_plane(const double a[3], const double b[3], const double c[3])
{
    double n[3];
    dt_cross3(n, a, b);
    return fabs(dt_dot3(n, c)) < PARALLEL;
}

/* Neighbours in the row with nothing turning between them must not do the same. */
static detent_status check_axes(const dt_builder *b, const dt_joint_record *joint,
                                const dt_primitive_record *row, detent_error *error)
{
    for (int k = 1; k < joint->primitive_count; k++) {
        bool revolute = row[k].type == &dt_revolute && row[k - 1].type == &dt_revolute;
        bool prismatic = row[k].type == &dt_prismatic && row[k - 1].type == &dt_prismatic;
        bool third = prismatic && k > 1 && row[k - 2].type == &dt_prismatic;
        dt_location where = dt_locate(b, &joint->origin, NULL, "axes", k);
        if ((revolute || prismatic) && parallel(row[k].axis, row[k - 1].axis)) {
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "joint '%s': the axes of %s and %s are parallel", joint->name,
                           row[k - 1].suffix, row[k].suffix);
        }
        if (third && in_plane(row[k].axis, row[k - 1].axis, row[k - 2].axis)) {
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "joint '%s': the axes of %s, %s and %s lie in a plane", joint->name,
                           row[k - 2].suffix, row[k - 1].suffix, row[k].suffix);
        }
    }
    return DETENT_OK;
}

detent_status dt_check_joint(const dt_builder *b, const dt_joint_record *joint, detent_error *error)
{
    dt_primitive_record *row =
        DT_AT(DT_RECORDS(b, primitive), dt_primitive_record, joint->first_primitive);
    for (int k = 0; k < joint->primitive_count; k++) {
        const subject s = {b, joint, &row[k], joint->primitive_count > 1 ? row[k].suffix : NULL};
        detent_status status = check_values(&s, error);
        status = status ? status : check_priority(&s, error);
        if (!status) {
            status = check_kind(&s, error);
        }
        if (!status) {
            status = normalize_position(&s, &row[k], error);
        }
        if (status) {
            return status;
        }
    }
    return check_axes(b, joint, row, error);
}
