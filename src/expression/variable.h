/**
 * @file variable.h
 * What an expression can read. A variable is a kind and an index; the layers above give it a value.
 */
#ifndef DT_EXPRESSION_VARIABLE_H
#define DT_EXPRESSION_VARIABLE_H

#include "expression/variable_table.h"

#include <stdbool.h>

/**
 * t has the index 0, an input that of the input; what is seen of a point, from POINT_X to QUATERNION_Z but for what lies
 * between, that of the view (model/view.h); BODY_KINETIC, BODY_POTENTIAL that of a weight (there, too); what the whole mechanism
 * has, 0; TIE_OPEN that of a row of conditions (dt_tie_rows()); STATE that of the state; SAMPLED and PREVIOUS are words alone: such values are INPUTs, behind those of the mechanism; TENSION, COUPLING_FORCE and CONTACT_FORCE that of a row of conditions (model/multiplier.h); what is read of an element's items (DT_OF_ITEMS), that of the item; DELAYED that of the dead time (model/dead_time.c); REST_TIME is one in outputs, in limits t less an INPUT (model/rest.c); all others that of a primitive. FORCE is what acts along a primitive without friction; norms and components
 * of a reaction are those in the follower's joint frame, torques about its origin; NORMAL_FORCE is the norm of the
 * reaction force normal to the axis, THRUST_FORCE of that along it, BEARING_FORCE what both ends of a bearing carry across it. DIRECTION and MODE (0 locked, 1 wait, 2 unlocked) change at events alone.
 */
typedef enum dt_variable_kind {
#define DT_KIND(kind, function, component, measure, subject, traits, family, part) \
    DT_VARIABLE_##kind,
    DT_VARIABLE_TABLE(DT_KIND)
#undef DT_KIND
        DT_VARIABLE_KINDS
} dt_variable_kind;

typedef struct dt_variable {
    dt_variable_kind kind;
    int index;
} dt_variable;

/** What a variable is. */
enum {
    DT_OF_JOINT = 1,  /**< goes smoothly with the state of a primitive, and what acts on it */
    DT_OF_FORCES = 2, /**< follows forces: acceleration, friction, what a joint transmits */
    /** Friction, or what a joint transmits: more than accelerations has to be known. */
    DT_OF_READINGS = 4,
    DT_OF_WRENCH = 8,  /**< what a joint transmits */
    DT_OF_MOMENT = 16, /**< a torque of it */
    DT_OF_PLACE = 32,  /**< position, velocity or acceleration */
    DT_OF_POSES = 64,
    DT_OF_EVENTS = 128,        /**< changes at events alone */
    DT_OF_OUTPUTS = 256,       /**< outputs alone may read it */
    DT_OF_STATES = 512,        /**< a state of an element or a controller */
    DT_OF_RUN = 1024,          /**< what a run has counted up to now */
    DT_OF_PUSHES = 2048,       /**< accelerations of bodies, beyond those of coordinates */
    DT_OF_WHOLE = 4096,        /**< of the mechanism as a whole: read without an item */
    DT_OF_TIME = 8192,         /**< t itself */
    DT_OF_INPUTS = 16384,      /**< set from outside */
    DT_OF_DIRECTION = 32768,   /**< the direction of motion for which a law is asked */
    DT_OF_POSITIONS = 65536,   /**< a coordinate */
    DT_OF_VELOCITIES = 131072, /**< its rate */
    DT_OF_FRICTION = 262144,   /**< the friction of a joint */
    DT_OF_EFFORT = 524288,     /**< what acts along a joint without friction */
    DT_OF_COUNTS = 1048576,    /**< a word that may have a number behind its item */
    DT_OF_COUPLINGS = 2097152, /**< what a coupling, cam or slot does, by its multiplier */
    /** what something was earlier in the run: goes with t alone, but nobody knows how in advance */
    DT_OF_PAST = 4194304,
    /** of an item of an element, which evaluates it (dt_element_kind.reading); the family is `item` */
    DT_OF_ITEMS = 8388608,
    DT_OF_ENDS = 16777216 /**< a force and a torque in one, as two places bear them */
};

/** The combinations in the table. */
enum {
    DT_VARIABLE_IS_TIME = DT_OF_TIME,
    DT_VARIABLE_IS_INPUT = DT_OF_INPUTS,
    DT_VARIABLE_IS_DELAYED = DT_OF_PAST,
    DT_VARIABLE_IS_PREVIOUS = DT_OF_INPUTS | DT_OF_COUNTS,
    DT_VARIABLE_IS_POSITION = DT_OF_JOINT | DT_OF_PLACE | DT_OF_POSITIONS,
    DT_VARIABLE_IS_VELOCITY = DT_OF_JOINT | DT_OF_PLACE | DT_OF_VELOCITIES,
    DT_VARIABLE_IS_ACCELERATION = DT_OF_JOINT | DT_OF_PLACE | DT_OF_FORCES,
    DT_VARIABLE_IS_FRICTION = DT_OF_JOINT | DT_OF_FORCES | DT_OF_READINGS | DT_OF_FRICTION,
    DT_VARIABLE_IS_REACTION = DT_OF_JOINT | DT_OF_FORCES | DT_OF_READINGS | DT_OF_WRENCH,
    DT_VARIABLE_IS_EFFORT = DT_VARIABLE_IS_REACTION | DT_OF_EFFORT,
    DT_VARIABLE_IS_TORQUE = DT_VARIABLE_IS_REACTION | DT_OF_MOMENT,
    DT_VARIABLE_IS_BEARING = DT_VARIABLE_IS_TORQUE | DT_OF_ENDS,
    DT_VARIABLE_IS_DIRECTION = DT_OF_EVENTS | DT_OF_DIRECTION,
    DT_VARIABLE_IS_MODE = DT_OF_EVENTS | DT_OF_OUTPUTS,
    DT_VARIABLE_IS_POSE = DT_OF_POSES | DT_OF_OUTPUTS,
    DT_VARIABLE_IS_PUSHED = DT_OF_POSES | DT_OF_PUSHES | DT_OF_FORCES | DT_OF_OUTPUTS,
    DT_VARIABLE_IS_ITEM = DT_VARIABLE_IS_POSE | DT_OF_ITEMS,
    DT_VARIABLE_IS_TOTAL = DT_OF_WHOLE | DT_VARIABLE_IS_POSE,
    DT_VARIABLE_IS_ACCOUNT = DT_OF_WHOLE | DT_OF_RUN | DT_OF_OUTPUTS,
    DT_VARIABLE_IS_REST = DT_OF_RUN | DT_OF_OUTPUTS,
    DT_VARIABLE_IS_STATE = DT_OF_STATES,
    DT_VARIABLE_IS_TENSION = DT_OF_FORCES | DT_OF_READINGS | DT_OF_OUTPUTS,
    DT_VARIABLE_IS_MULTIPLIER = DT_OF_FORCES | DT_OF_READINGS | DT_OF_COUPLINGS
};

/** variable.c: the traits of every kind. */
extern const int dt_variable_traits[DT_VARIABLE_KINDS];

/** Whether a variable has one of these traits. */
static inline bool dt_variable_is(dt_variable variable, int traits)
{
    return (dt_variable_traits[variable.kind] & traits) != 0;
}

#endif
