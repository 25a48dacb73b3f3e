/**
 * @file joint_type.h
 * The one table that describes primitives (`dt_primitive_type`), and the one that spells composite joints as rows of
 * them (`dt_joint_type`). No other file asks what type a joint is.
 *
 * All vectors of a primitive are in its joint frame: the base's joint frame, moved by the joint.
 */
#ifndef DT_MODEL_JOINT_TYPE_H
#define DT_MODEL_JOINT_TYPE_H

#include <stdbool.h>

typedef struct dt_primitive_type {
    const char *name; /**< "revolute", "prismatic", "spherical", "weld" */
    char letter;      /**< r p s w */
    int nq, nv;
    bool rotational;         /**< unit of the coordinate is rad, else m */
    const char *no_stiction; /**< why it can have no stiction; NULL: it can */
    /** Pose of the follower's joint frame in the base's: rotation R (row-major 3x3, follower to base) and translation p. */
    void (*pose)(const double axis[3], const double *q, double R[9], double p[3]);
    /** Motion subspace at the follower's joint frame, in its components: nv columns of (angular, linear). Constant. */
    void (*subspace)(const double axis[3], double S[][6]);
    /** q' = N(q) v; for a spherical primitive q' = 1/2 q o (0, v). */
    void (*rate)(const double *q, const double *v, double *q_rate);
    /** Restores the invariants of q (unit quaternion). */
    void (*normalize)(double *q);
} dt_primitive_type;

extern const dt_primitive_type dt_revolute, dt_prismatic, dt_spherical, dt_weld;

/** A user-visible joint type. */
typedef struct dt_joint_type {
    const char *name;    /**< "universal" */
    const char *row;     /**< letters from base to follower, "" for custom, "w" for weld */
    double axes[6][3];   /**< default axes of the row */
    bool one_axis;       /**< every primitive shares the joint's `axis` (cylindrical) */
    bool takes_stiction; /**< its scalar primitives may have stiction (not those of a free joint) */
} dt_joint_type;

const dt_joint_type *dt_joint_type_find(const char *name);
/** All types, ended by one without name. */
extern const dt_joint_type dt_joint_types[];

enum { DT_PRIMITIVE_TYPES = 4 };
extern const dt_primitive_type *const dt_primitive_types[DT_PRIMITIVE_TYPES];
/** The type of a letter, NULL: there is none; its place among them, or DT_PRIMITIVE_TYPES. */
const dt_primitive_type *dt_primitive_type_find(char letter);
int dt_primitive_type_place(char letter);

/** Whether it slides along its axis, which leaves the axes of others as they are. */
static inline bool dt_primitive_slides(const dt_primitive_type *type)
{
    return type->nv == 1 && !type->rotational;
}

#endif
