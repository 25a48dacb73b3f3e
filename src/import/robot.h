/**
 * @file robot.h
 * A robot as both formats describe one: a tree of bodies, each with no joint to the one before (they are one), one joint, or a
 * row of joints. Frames of bodies, poses and axes are those of the *reference configuration*, at which the coordinate of
 * each joint is its `reference`. SI units.
 */
#ifndef DT_IMPORT_ROBOT_H
#define DT_IMPORT_ROBOT_H

#include "base/color.h"
#include "base/name_map.h"
#include "detent/definitions.h"
#include "import/xml.h"
#include "math/mass.h"

/** A frame in another one: turned by R (row-major), its origin at p, m. */
typedef struct dt_frame {
    double R[9], p[3];
} dt_frame;

extern const dt_frame dt_frame_none;

/** out = outer inner; out may be either. */
void dt_frame_compose(dt_frame *out, const dt_frame *outer, const dt_frame *inner);

/** Raises the mass and, where there is any, the principal moments to these. */
void dt_robot_weight_bound(dt_mass *weight, double least_mass, double least_moment);

typedef enum dt_robot_joint_kind {
    DT_ROBOT_HINGE,
    DT_ROBOT_SLIDE,
    DT_ROBOT_BALL,
    DT_ROBOT_FREE
} dt_robot_joint_kind;

typedef struct dt_robot_joint {
    const char *name; /**< in the source */
    const char *id;   /**< in the mechanism file */
    dt_location where;
    dt_robot_joint_kind kind;
    int body;               /**< that it carries */
    double point[3];        /**< on its axis, in the body's frame */
    double axis[3];         /**< of any length, in the body's frame */
    double reference;       /**< rad, m */
    bool is_limited;        /**< by these two */
    double lower, upper;    /**< rad, m */
    double damping;         /**< N m s/rad, N s/m */
    double friction;        /**< N m, N: at rest and in motion */
    double armature;        /**< kg m^2, kg */
    double stiffness, rest; /**< of a spring: N m/rad, N/m; rad, m */
    double initial;         /**< where it starts */
    int place;      /**< of its first number among those of all joints in the source; -1: none */
    bool is_placed; /**< its start is given: */
    double
        start[4]; /**< rad, m; a quaternion of a ball. A free joint starts with its body's frame */
    const char *before; /**< the massless body between it and the one before in its row, or NULL */
    const char *remark; /**< a comment, or NULL */
    int actuator;       /**< the first of those that drive it, or -1 */
    int follows;        /**< the joint that it mimics, or -1 */
    double multiplier, offset;
    dt_location follows_where; /**< who says so */
} dt_robot_joint;

typedef struct dt_robot_body {
    const char *name, *id;
    dt_location where;
    int parent;     /**< -1: the ground; else a body before it */
    dt_frame frame; /**< in that of the parent */
    dt_mass own;
    int first_joint, joint_count; /**< from parent to body */
    int carrier; /**< the body that it is one with, itself if it has joints; -1: the ground */
    dt_frame on_carrier;
    dt_mass carried; /**< of all that are one with it; where it is its own carrier */
    int first_shape; /**< likewise; -1: none */
} dt_robot_body;

/** What a body looks like. */
typedef struct dt_robot_shape {
    int body; /**< -1: the world */
    detent_shape_type type;
    double extent[3];
    const char *file;          /**< of a mesh */
    dt_frame frame;            /**< in that of the body; once robots are finished, of its carrier */
    char color[DT_COLOR_SIZE]; /**< "": none is given */
    const char *name;          /**< NULL: none */
    bool is_spare; /**< of collisions: it is shown where its body has none that is not */
    int next;      /**< of the same carrier, or -1 */
} dt_robot_shape;

/** A condition that closes a loop. */
typedef struct dt_robot_loop {
    const char *name, *id;
    dt_location where;
    int body[2];       /**< -1: the ground */
    dt_frame frame[2]; /**< one in each body, the two of which coincide */
    bool is_weld;      /**< else a point */
} dt_robot_loop;

typedef struct dt_robot_limits {
    bool is_there;
    double lower, upper;
} dt_robot_limits;

/**
 * What drives a joint by an input u: with the force gear (gain u + bias[0] + bias[1] gear q + bias[2] gear v), of which u and the part
 * behind the first gear may have limits. A servo of a place has bias[1] = -gain.
 */
typedef struct dt_robot_actuator {
    const char *name, *id; /**< id: of the input */
    dt_location where;
    int joint, next; /**< the next one of that joint, or -1 */
    double gear, gain, bias[3];
    dt_robot_limits control, force; /**< of u; of what is behind the first gear */
} dt_robot_actuator;

/** A line about what is not in the mechanism, or may surprise. */
typedef struct dt_robot_note {
    dt_location where; /**< line 0: none */
    const char *text;
} dt_robot_note;

/** What is left out where it is asked for, bits. */
enum {
    DT_ROBOT_LIMITS = 1,
    DT_ROBOT_FRICTION = 2,
    DT_ROBOT_DAMPING = 4,
    DT_ROBOT_ARMATURE = 8,
    DT_ROBOT_ACTUATORS = 16
};

typedef struct dt_robot {
    dt_arena *arena;
    const char *name;
    double gravity[3];
    dt_robot_body *bodies;
    dt_robot_joint *joints;
    dt_robot_loop *loops;
    dt_robot_actuator *actuators;
    dt_robot_note *notes;
    dt_robot_shape *shapes;
    int first_shape; /**< of the ground; -1: none */
    int body_count, joint_count, loop_count, actuator_count, note_count, shape_count;
    int body_room, joint_room, loop_room, actuator_room, note_room, shape_room;
    int shapeless;                       /**< shapes that nobody could draw, ... */
    dt_location shapeless_where;         /**< ... the first of them */
    dt_name_map body_names, joint_names; /**< of the source */
    bool balances;                       /**< inertias that no body has are made round */
} dt_robot;

void dt_robot_init(dt_robot *robot, dt_arena *arena);

/**
 * The next one, without a joint, standing where the parent stands: its index. -1, with `error` filled: memory is out, or a body of that
 * name is there already. Names are not copied. NULL: it has none that anybody could say; whoever adds it may give it one to show.
 */
int dt_robot_add_body(dt_robot *robot, const char *name, int parent, const dt_location *where,
                      detent_error *error);

/** The next joint of the body that was added last; as before. */
int dt_robot_add_joint(dt_robot *robot, const char *name, dt_robot_joint_kind kind,
                       const dt_location *where, detent_error *error);

/** NULL where memory is out. */
dt_robot_loop *dt_robot_add_loop(dt_robot *robot);
/** Of that joint, gear and gain 1. */
dt_robot_actuator *dt_robot_add_actuator(dt_robot *robot, const char *name, int joint,
                                         const dt_location *where);

/**
 * A shape of a body, -1: the world. One that has no size is counted instead: dt_robot_note_shapeless(). False: memory is out. shape.c
 */
bool dt_robot_add_shape(dt_robot *robot, const dt_robot_shape *shape, const dt_location *where);
/** The same where it is known to have one. robot.c */
bool dt_robot_keep_shape(dt_robot *robot, const dt_robot_shape *shape);
/** The colour of red, green and blue, 0 ... 1. */
void dt_robot_color(const double *rgb, char color[DT_COLOR_SIZE]);
/** Says how many there are that have no size. False: memory is out. */
bool dt_robot_note_shapeless(dt_robot *robot);
/** Hangs shapes at the bodies that these are one with. Says how many are spare and not needed. False: memory is out. */
bool dt_robot_hang_shapes(dt_robot *robot);

/** Remembers a line. False: memory is out. `where` may be NULL. */
bool dt_robot_note_at(dt_robot *robot, const dt_location *where, const char *format, ...)
    DT_PRINTF_LIKE(3, 4);

/** Gives all items names that a mechanism file may have, each once. False: memory is out. names.c */
bool dt_robot_name_all(dt_robot *robot);

/**
 * What joints do together, and where they start: at their references, or as near as limits let them. DETENT_ERROR_MODEL: they follow each
 * other in a circle; DETENT_ERROR_MEMORY. joints.c
 */
detent_status dt_robot_start_joints(dt_robot *robot, detent_error *error);

/**
 * What is left once all is there: names, starts, bodies that are one, what is noted of them. Errors: DETENT_ERROR_MODEL, inertias that no
 * body has, where `balances` does not say otherwise, or joints that follow each other in a circle; DETENT_ERROR_MEMORY.
 */
detent_status dt_robot_finish(dt_robot *robot, unsigned without, detent_error *error);

/**
 * The mechanism file: its text in the arena. `source` is named in it. NULL: memory is out.
 */
const char *dt_robot_write(const dt_robot *robot, const char *source, size_t *length);

#endif
