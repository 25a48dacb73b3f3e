/**
 * @file mechanism.h
 * A mechanism, checked and compiled. Filled by the builder (builder.h), immutable after that.
 */
#ifndef DT_MODEL_MECHANISM_H
#define DT_MODEL_MECHANISM_H

#include "base/arena.h"
#include "base/error.h"
#include "base/name_map.h"
#include "detent/detent.h"
#include "expression/program.h"
#include "model/item.h"
#include "model/script.h"
#include "model/tree.h"

#include <stddef.h>
#include <stdint.h>

/** Where a body sits on its node. */
typedef struct dt_body_pose {
    double R[9], p[3]; /**< body frame in the node's frame */
} dt_body_pose;

typedef struct dt_body {
    const char *name;
    int node;                 /**< the node that carries it */
    const dt_body_pose *pose; /**< bodies like each other share theirs */
} dt_body;

/** A joint of the user: a row of primitives, which are consecutive nodes. */
typedef struct dt_joint {
    const char *name;
    int base, follower; /**< bodies; -1 is the ground */
    int first_primitive, primitive_count;
} dt_joint;

/** What acts along one primitive; node of the same index in the tree. */
typedef struct dt_primitive {
    const char *name; /**< "elbow", "wrist.r2" */
    int joint;
    int stiction; /**< index, or -1 */
    double stiffness, rest, damping;
    /** actuation: of the joint or the stiction's external; NULL for none */
    const dt_program *force;
    const dt_program *motion; /**< prescribed position, reads only t; NULL for none */
    bool by_speed;            /**< it is the velocity: the position is integrated */
    /** An item of a kind that `rubs` is along it: a force, none, or its stiction. */
    bool has_friction_law;
    bool rubs;    /**< and is a force */
    bool is_read; /**< and reads all that acts along it (active.c) */
} dt_primitive;

/** Rigid stops of a joint. */
typedef struct dt_rigid_stops {
    double at[2]; /**< below, above; infinite where there is none */
    double restitution[2];
    int transmission; /**< whose slack the joint takes up; -1: none's */
    int way;   /**< 1, -1: a freewheel lets it move forward alone, or backward; 0: both ways */
    bool bare; /**< its stiction is there for them, and has no friction; and it is no freewheel */
} dt_rigid_stops;

/** What a friction law that makes sense for steps of fixed length alone says of the ends of steps. */
typedef struct dt_fixed_law {
    const char *word;
    /** > 0: the joint stops as soon as it is no faster; 0: as it turns round, as with any stiction */
    double band;
    dt_location where; /**< of the law in its file */
} dt_fixed_law;

/** Friction along a primitive, at rest and in motion. */
typedef struct dt_friction {
    detent_locking locking;
    bool rubs;                 /**< friction of the mesh of a coupling is in its laws */
    bool reads_force;          /**< its own beside that of a mesh reads the force along a joint */
    double velocity_threshold; /**< 0: not given, and not that of a band */
    const dt_program *kinetic; /**< magnitude */
    const dt_program *forward, *reverse; /**< limits FSf < 0 < FSr; NULL where `magnitude` serves */
    const dt_program *magnitude;   /**< FSr = -FSf = magnitude; NULL where two limits are given */
    const dt_program *test;        /**< NULL: the computed friction */
    const detent_bearing *bearing; /**< NULL: none */
    const dt_fixed_law *fixed_law; /**< NULL: it is for all integrators */
} dt_friction;

typedef struct dt_stiction {
    int primitive;
    int rest; /**< where the instant since which it rests is among what is given to laws; -1: nobody reads that */
    const dt_friction *friction; /**< stictions like each other share theirs */
    const dt_rigid_stops *stops; /**< where its way ends, rigidly; NULL: nowhere */
} dt_stiction;

/** A place on a body where a force and a torque act: a load of the user's, or an end of an item. */
typedef struct dt_load {
    const char *name;
    int body, node;  /**< -1: the ground */
    int part;        /**< of the tree; on the ground: that of the other end */
    double point[3]; /**< in the node's frame */
    double R[9];     /**< body frame to node frame, for components in the body frame */
    const dt_program *force[3], *torque[3]; /**< NULL: zero */
    detent_frame frame;
} dt_load;

/** A point of a body, or of the ground (node -1), with axes of its own: for outputs, and nothing acts there. */
typedef struct dt_point {
    const char *name;
    int node;
    dt_body_pose pose; /**< its frame in that of the node */
} dt_point;

/** What an output sees: a frame, from another one, along the axes of a third one (view.h). */
typedef struct dt_view {
    int of, observer, axes;
} dt_view;

/** The mass of a body, all of it, whose energy an output reads. */
typedef struct dt_weight {
    int node;
    double mass, com[3]; /**< kg; m, in the node's frame */
    double inertia[6];   /**< about the centre of mass, in the node's axes, kg m^2 */
} dt_weight;

/** A joint that closes a loop moves a ghost of its follower, which is welded to the original. */
typedef struct dt_loop {
    int joint;
    int body;                    /**< the follower */
    int node[2];                 /**< of the original, and of the ghost: the joint's last one */
    const dt_body_pose *pose[2]; /**< of the body in these */
    int end;                     /**< loads[end] and loads[end + 1]: where the weld acts */
    dt_location where;           /**< of the joint; no file: unknown */
} dt_loop;

enum { DT_TRANSMITTED = 6 }; /**< joints that one transmission has at most */

/** A linear condition on coordinates of primitives with one freedom: `couplings` in files. */
typedef struct dt_transmission {
    const char *name;
    int count;
    int joint[DT_TRANSMITTED]; /**< primitives */
    double factor[DT_TRANSMITTED];
    double offset;
    int slack; /**< the primitive that takes up what it does not hold, the last one (one_sided.c); -1: it holds */
    dt_location where; /**< no file: unknown */
} dt_transmission;

/** Friction of the mesh of a transmission, along its first joint: shares of what it does there (mesh.c). */
typedef struct dt_mesh {
    int transmission, stiction;
    double driving, driven; /**< where the first joint drives, where it is driven */
} dt_mesh;

/** How firmly a primitive's initial values stand, and where the file says so. */
typedef struct dt_priority {
    detent_priority position, velocity;
    dt_location where; /**< no file: unknown */
} dt_priority;

/** Whether a primitive's initial position is said, or is a zero that nobody has said. */
typedef struct dt_given {
    bool is_said;
    dt_location where; /**< no file: unknown */
} dt_given;

/** A state of an element or a controller: z' = derivative, z = initial at the start. */
typedef struct dt_state {
    const char *name;
    const char *unit; /**< "" where it is not known */
    double initial;
    double nominal;     /**< how large it ordinarily is; 0: not given */
    double stop[2];     /**< lower, upper; infinite: none */
    int stop_switch[2]; /**< of the derivative: -1 while it is at the stop, else 1; -1: none */
    const dt_program *derivative;
    int group; /**< the first of those that read each other, directly or not */
    int next;  /**< the next one of them, or -1 */
} dt_state;

/** A value that is evaluated at the instants offset + k * every, and held in between. */
typedef struct dt_sampled {
    const char *name;
    const char *unit;     /**< "" where it is not known */
    double every, offset; /**< s */
    double initial;
    const dt_program *value;
    int depth; /**< how many values of before it has to remember */
} dt_sampled;

/** What the sampled value was `number` instants ago: previous(S, number), delay.c. */
typedef struct dt_delay {
    int sampled, number; /**< number > 1 */
    int place;           /**< among what is given to laws (dt_given_count()) */
} dt_delay;

/** What a value was `time` seconds ago: delay(x, time), dead_time.c. */
typedef struct dt_dead_time {
    const dt_program *
        value; /**< of the value now; reads t, inputs, positions, velocities, states, and of dead times those before this one */
    double time;     /**< s, > 0 */
    bool has_before; /**< else it was before the start what it is at the start */
    double before;
} dt_dead_time;

typedef struct dt_output {
    const char *text;
    const char *unit;
    const dt_program *program;
} dt_output;

typedef struct dt_input {
    const char *name;
    double initial;
} dt_input;

enum { DT_PRIMITIVE_COLUMNS = 32 }; /**< most keys that a primitive can have */

struct detent_mechanism {
    dt_arena arena;
    const char *name;
    /** That places of priorities, motions and loops are in; NULL: there are none. */
    const char *file;
    bool finished;
    struct dt_builder *builder;   /**< while it is being built */
    const dt_item_source *source; /**< kinds of items that elements bring along, or NULL */
    dt_item_list *added;          /**< source->count: their items; NULL: there are none */
    dt_tree tree;                 /**< node i is primitive i */
    double *position, *velocity;  /**< nq, nv: initial; of a motion: at the start */
    /** Read only t, parameters and inputs; never NULL once finished. */
    const dt_program *gravity[3];
    int body_count, joint_count, primitive_count, stiction_count, load_count, loop_count,
        coupling_count, transmission_count, mesh_count, state_count, input_count, output_count,
        sampled_count, rest_count, delay_count, dead_time_count, bearing_count, table_count,
        signal_count, warning_count, point_count, callback_count, shape_count;
    int place_count; /**< of loads, ends of items, welds; once finished */
    /** A law reads reactions of joints on the way round a loop; once finished. */
    bool follows_loops;
    bool rubs_in_loops; /**< loops or couplings go through a joint with stiction; once finished */
    int tying_rows;     /**< of items of elements, of kinds that tie; once finished */
    /** Loops or couplings tie joints with stiction to each other; once finished. */
    bool ties_stictions;
    const dt_body *bodies;
    const dt_joint *joints;
    const dt_primitive *primitives;
    const dt_stiction *stictions;
    /** DT_PRIMITIVE_COLUMNS arrays of primitive_count, NULL where all are 0 (primitive_key.h); NULL: all */
    double **column;
    dt_priority *priority;     /**< primitive_count; NULL: all initial values are free */
    dt_given *given;           /**< primitive_count: initial positions; NULL: nothing ties */
    dt_location *motion_place; /**< primitive_count; NULL: unknown, or there are no motions */
    const dt_load *loads;      /**< the user's, load_count; then ends: place_count */
    dt_loop *loops;
    const dt_transmission *transmissions; /**< the couplings that are conditions, in their order */
    const char *const *coupling_names;    /**< coupling_count: of the elastic ones, too */
    const dt_mesh *meshes;                /**< of transmissions whose meshes rub */
    const dt_state *states;
    const struct dt_curve *const *tables;
    const dt_callback *const *callbacks;
    const dt_sampled *sampled;
    const int *sampled_order;       /**< sampled_count: each behind those that it reads */
    const dt_delay *delays;         /**< delay_count */
    const dt_dead_time *dead_times; /**< dead_time_count */
    const dt_input *inputs;
    const dt_output *outputs;
    const dt_point *points;
    const dt_view *views;     /**< as many as outputs read */
    const dt_weight *weights; /**< the same */
    const char *const *warnings;
    const struct dt_shape *shapes; /**< shape_count: body by body, the ground first (shape.h) */
    dt_name_map body_names, joint_names, input_names, state_names, sampled_names;
    detent_settings settings;
    bool interval_is_given; /**< not a thousandth of the whole */
    uint64_t fingerprint;   /**< once finished: dt_mechanism_fingerprint() */
    dt_script script;       /**< once finished: what it was made of */
};

/** The items that an element brings along, by its number in the source; those of `dt_no_items` where there are none. */
static inline const dt_item_list *dt_added_items(const detent_mechanism *mechanism, int element)
{
    return mechanism->added ? &mechanism->added[element] : &dt_no_items;
}

/** Conditions that tie joints: six a loop, then one a transmission, then those of items of elements. */
static inline int dt_tie_rows(const detent_mechanism *mechanism)
{
    return 6 * mechanism->loop_count + mechanism->transmission_count + mechanism->tying_rows;
}

/**
 * What is given to laws, and changes at events alone: inputs, behind them sampled values, and behind these what they were before the last
 * instant, for each other; last, since when joints rest (rest.c), and what sampled values were longer ago (delay.c) (DT_VARIABLE_INPUT).
 */
static inline int dt_given_count(const detent_mechanism *mechanism)
{
    return mechanism->input_count + 2 * mechanism->sampled_count + mechanism->rest_count +
           mechanism->delay_count;
}

/** The row of a transmission among them. */
static inline int dt_transmission_row(const detent_mechanism *mechanism, int item)
{
    return 6 * mechanism->loop_count + item;
}

/** The first row of an item that ties. */
static inline int dt_item_row(const dt_item_list *list, int item)
{
    return list->first_row + list->kind->ties * item;
}

static inline const char *dt_item_own_name(const dt_item_list *list, int item)
{
    return dt_definition_name(dt_item_definition(list, item));
}

/** The coupling whose slack a primitive takes up; NULL: none. */
static inline const dt_transmission *dt_slack_of(const detent_mechanism *mechanism, int primitive)
{
    const int k = mechanism->primitives[primitive].stiction;
    const dt_rigid_stops *stops = k < 0 ? NULL : mechanism->stictions[k].stops;
    return stops && stops->transmission >= 0 ? &mechanism->transmissions[stops->transmission]
                                             : NULL;
}

/** The priorities of a primitive's initial values; NULL: they are free. */
static inline const dt_priority *dt_priority_of(const detent_mechanism *mechanism, int primitive)
{
    return mechanism->priority ? &mechanism->priority[primitive] : NULL;
}

/**
 * primitive_key.c: what a key of a primitive says, by the offset of its field in detent_primitive_def; of those that have a
 * column of their own.
 */
double dt_primitive_number(const detent_mechanism *, size_t field, int primitive);

/** The scale of a primitive's position that the user gave, or 0. */
static inline double dt_nominal_position(const detent_mechanism *mechanism, int primitive)
{
    return dt_primitive_number(mechanism, offsetof(detent_primitive_def, nominal_position),
                               primitive);
}

/** The same of its velocity. */
static inline double dt_nominal_velocity(const detent_mechanism *mechanism, int primitive)
{
    return dt_primitive_number(mechanism, offsetof(detent_primitive_def, nominal_velocity),
                               primitive);
}

/** names.c: the primitive called `name`, or -1: "elbow", "wrist.r2". Once the tree is compiled. */
int dt_find_primitive(const detent_mechanism *, const char *name);

/** dead_time.c: a hash of what it does. */
uint64_t dt_dead_time_fingerprint(const dt_dead_time *);

/** fingerprint.c: a hash of all that decides how the mechanism moves. */
uint64_t dt_mechanism_fingerprint(const detent_mechanism *);

#endif
