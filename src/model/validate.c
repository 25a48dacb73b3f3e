/* What can be said of one joint alone. */

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/record.h"

#include <stdio.h>
#include <string.h>

/* Products of some of the numbers of a mechanism must stay finite: mass times distance squared, and the squares that
 * solving for accelerations takes of it. Nothing real comes near: the universe has some 1e53 kg. */
#define LARGEST 1e60
/* Sine of the angle below which two axes count as parallel; volume below which three lie in a plane. */
#define PARALLEL 1e-4

bool dt_is_finite(const double *values, int count)
{
    bool fine = true;
    for (int k = 0; k < count && fine; k++) {
        fine = fabs(values[k]) <= LARGEST;
    }
    return fine;
}

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

typedef struct checked_primitive {
    const dt_builder *builder;
    const dt_joint_record *joint;
    const dt_primitive_record *primitive;
    const char *suffix; /* NULL for the only primitive of a joint */
} checked_primitive;

static dt_location locate(const checked_primitive *s, const char *key)
{
    return dt_locate(s->builder, &s->joint->origin, s->suffix, key, -1);
}

static detent_status refuse(const checked_primitive *s, const char *key, const char *reason,
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

/* What only a primitive of one freedom can have, or one that moves at all. */
static detent_status check_kind(const checked_primitive *s, detent_error *error)
{
    const dt_primitive_record *p = s->primitive;
    const bool weld = p->type->nv == 0;
    for (const dt_primitive_key *key = dt_primitive_keys; key->name && p->type->nv != 1; key++) {
        const char *why = weld ? key->none_of_weld : key->none_of_ball;
        char words[64];
        if ((!weld && key->spherical != DT_VALUE_UNSUPPORTED) ||
            !dt_primitive_is_given(key, &p->def)) {
            continue;
        }
        snprintf(words, sizeof words, "a %s takes no %s", weld ? "weld" : "spherical primitive",
                 key->group ? key->group : key->name);
        return refuse(s, key->path, why ? why : words, error);
    }
    return DETENT_OK;
}

/* A priority is one of them, and of something that has an initial value. */
static detent_status check_priority(const checked_primitive *s, detent_error *error)
{
    const detent_priority of[] = {s->primitive->def.position_priority,
                                  s->primitive->def.velocity_priority};
    for (int k = 0; k < 2; k++) {
        if ((int)of[k] < DETENT_PRIORITY_FREE || (int)of[k] > DETENT_PRIORITY_EXACT) {
            return refuse(s, "initial.priority", "there is no such priority", error);
        }
        if (of[k] != DETENT_PRIORITY_FREE &&
            (dt_motion_text(&s->primitive->def) || s->primitive->type->nv == 0)) {
            return refuse(s, "initial.priority",
                          s->primitive->def.motion ? "the motion gives the initial state"
                          : s->primitive->def.speed
                              ? "a joint with a speed starts where it is said to"
                              : "a weld has no position and no velocity",
                          error);
        }
    }
    return DETENT_OK;
}

/* What is a size is not negative. */
static detent_status check_sign(const checked_primitive *s, const dt_primitive_key *key,
                                detent_error *error)
{
    char words[96];
    const bool is_scale = key->scalar == DT_VALUE_POSITIVE; /* 0: it is not given */
    if ((key->scalar != DT_VALUE_SIZE && !is_scale) ||
        *(const double *)dt_primitive_field(key, &s->primitive->def) >= 0.0) {
        return DETENT_OK;
    }
    snprintf(words, sizeof words, "the %s is negative%s", key->word,
             is_scale ? ": it is a size" : "");
    return refuse(s, key->path, words, error);
}

static detent_status check_way(const checked_primitive *s, detent_error *error)
{
    const int way = s->primitive->def.moves;
    return way < DETENT_BOTH_WAYS || way > DETENT_BACKWARD
               ? refuse(s, "moves", "it moves forward or backward, or both ways", error)
           : way != DETENT_BOTH_WAYS && s->primitive->type->nv != 1
               ? refuse(s, "moves", "only what turns or slides moves one way", error)
               : DETENT_OK;
}

static detent_status check_values(const checked_primitive *s, detent_error *error)
{
    const detent_primitive_def *p = &s->primitive->def;
    detent_status status = DETENT_OK;
    for (const dt_primitive_key *key = dt_primitive_keys; key->name && !status; key++) {
        if (dt_is_finite(dt_primitive_field(key, p), key->count)) {
            continue; /* places take time to find */
        }
        const dt_location where = locate(s, key->path);
        status = dt_check_finite(dt_primitive_field(key, p), key->count, s->joint->name, key->path,
                                 &where, error);
    }
    for (const dt_primitive_key *key = dt_primitive_keys; key->name && !status; key++) {
        status = check_sign(s, key, error);
    }
    if (status) {
        return status;
    }
    if (p->motion && p->force) {
        return refuse(s, "motion", "a primitive has either a force or a motion", error);
    }
    if (p->speed && (p->force || p->motion)) {
        return refuse(s, "speed", "a primitive has a force, a motion or a speed, no two of them",
                      error);
    }
    if (p->speed && any(p->velocity, 3)) {
        return refuse(s, "initial.velocity", "the speed gives the initial velocity", error);
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
static detent_status normalize_position(const checked_primitive *s, dt_primitive_record *p,
                                        detent_error *error)
{
    if (p->type->nq != 4) {
        return DETENT_OK;
    }
    if (!any(p->def.position, 4)) {
        p->def.position[0] = 1.0;
    }
    double largest = 0.0;
    for (int k = 0; k < 4; k++) {
        largest = fmax(largest, fabs(p->def.position[k]));
    }
    if (largest < 1e-100 || largest > 1e100) {
        return refuse(s, "initial.position", "the quaternion has no direction", error);
    }
    p->type->normalize(p->def.position);
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
        const bool alike = row[k].type->nv == 1 && row[k].type == row[k - 1].type;
        const bool third =
            alike && dt_primitive_slides(row[k].type) && k > 1 && row[k - 2].type == row[k].type;
        dt_location where = dt_locate(b, &joint->origin, NULL, "axes", k);
        if (alike && parallel(row[k].def.axis, row[k - 1].def.axis)) {
            return dt_fail(error, DETENT_ERROR_MODEL, &where,
                           "joint '%s': the axes of %s and %s are parallel", joint->name,
                           row[k - 1].suffix, row[k].suffix);
        }
        if (third && in_plane(row[k].def.axis, row[k - 1].def.axis, row[k - 2].def.axis)) {
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
        const checked_primitive s = {b, joint, &row[k],
                                     joint->primitive_count > 1 ? row[k].suffix : NULL};
        detent_status status = check_values(&s, error);
        status = status ? status : check_priority(&s, error);
        status = status ? status : check_way(&s, error);
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
