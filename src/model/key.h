/**
 * @file key.h
 * Keys: what a mapping in a file may hold, and the field of a plain struct that its value goes to. An item's keys are
 * read by them (format/form.h), and checked, copied and told apart by them (item_add.c).
 */
#ifndef DT_MODEL_KEY_H
#define DT_MODEL_KEY_H

#include "expression/dimension.h"

#include <stddef.h>

/** What a key holds, and the C type of its field. */
typedef enum dt_value_kind {
    DT_VALUE_NODE,        /**< whatever stands there: const dt_yaml_node * (format) */
    DT_VALUE_ELSEWHERE,   /**< the same, looked up by who reads it: no field */
    DT_VALUE_TEXT,        /**< const char * */
    DT_VALUE_NUMBER,      /**< constant expression: double */
    DT_VALUE_SIZE,        /**< the same, >= 0 */
    DT_VALUE_POSITIVE,    /**< the same, > 0: zero in the struct says that it is not given */
    DT_VALUE_COUNT,       /**< constant expression, an integer >= 0: int */
    DT_VALUE_VECTOR,      /**< three constant expressions: double[3] */
    DT_VALUE_SIZE_VECTOR, /**< the same, each >= 0 */
    DT_VALUE_SIZES, /**< a list of 1 .. DT_MOST_SIZES, > 0: double[DT_MOST_SIZES], 0 behind the last */
    DT_VALUE_INERTIA,     /**< three or six: double[6] */
    DT_VALUE_ROTATION,    /**< axis and angle, quaternion or rpy: double[4] */
    DT_VALUE_EXPRESSION,  /**< const char * */
    DT_VALUE_EXPRESSIONS, /**< three: const char *[3] */
    DT_VALUE_REFERENCE,   /**< name of an item, may have an index: const char * */
    DT_VALUE_JOINT,       /**< the same: a primitive of one freedom */
    DT_VALUE_ENDS,        /**< two points of bodies: dt_ends */
    DT_VALUE_END_FRAMES,  /**< the same, each with axes of its own: dt_end_frames */
    DT_VALUE_CHOICE,      /**< one of several words: int */
    DT_VALUE_TRUTH,       /**< true or false, a word of YAML's: int */
    DT_VALUE_MAPPING, /**< a mapping with a table of its own; the fields are in the same struct */
    DT_VALUE_INNER, /**< a mapping that is a struct of its own, or is not there: a pointer to it */
    DT_VALUE_FRAME, /**< a vector, or a mapping with point and rotation: the point's double[3] */
    DT_VALUE_UNSUPPORTED /**< no key, but a word that people try: refused, with what to write */
} dt_value_kind;

/** Whose unit a value along a joint has: it is another one where the joint turns. */
typedef enum dt_quantity {
    DT_QUANTITY_NONE,
    DT_QUANTITY_POSITION,
    DT_QUANTITY_VELOCITY,
    DT_QUANTITY_STIFFNESS,
    DT_QUANTITY_DAMPING,
    DT_QUANTITY_INERTIA,
    DT_QUANTITY_EFFORT,
    DT_QUANTITIES
} dt_quantity;

enum { DT_MOST_SIZES = 16 }; /**< numbers in a list of them */

const dt_dimension *dt_quantity_dimension(dt_quantity quantity, bool rotational);

/**
 * For the dimension of a key: that of a quantity of the joint which the item is along, by its first key that is a joint or by
 * its name. Where no such joint is known, any (model/primitive_key.c).
 */
extern const dt_dimension dt_joint_dimensions[DT_QUANTITIES];
#define DT_OF_ITS_JOINT(quantity) (&dt_joint_dimensions[DT_QUANTITY_##quantity])

/**
 * The same where the item has no load; where it has one (dt_item_kind.load), that quantity over a force or torque along the
 * joint: a coefficient in place of a force.
 */
extern const dt_dimension dt_loaded_dimensions[DT_QUANTITIES];
#define DT_PER_LOAD(quantity) (&dt_loaded_dimensions[DT_QUANTITY_##quantity])

/** The same: one dimension for all numbers of an item that have this one, told by the first that is given (dt_item_kind.dimension). */
extern const dt_dimension dt_item_dimension;
#define DT_OF_ITS_ITEM (&dt_item_dimension)

typedef struct dt_key {
    const char *name;
    dt_value_kind kind;
    bool required;
    size_t offset;                 /**< of the field */
    const dt_dimension *dimension; /**< NULL: any; DT_OF_ITS_JOINT(): see there */
    /** CHOICE: words, ended by NULL; MAPPING, FRAME: a table; INNER: dt_inner; ends: what each is,
        "end of a spring"; numbers: what messages call them, NULL: the name; UNSUPPORTED: what to write */
    const void *extra;
} dt_key;

/** The quantity that a key of an item is of its joint, or DT_QUANTITY_NONE; whether it is one per load. */
dt_quantity dt_key_quantity(const dt_key *key, bool *per_load);

typedef struct dt_table {
    const char *what;   /**< "body", for messages */
    const dt_key *keys; /**< ended by one without name */
} dt_table;

/** A struct that a key points to. */
typedef struct dt_inner {
    dt_table table; /**< its fields */
    size_t size;
} dt_inner;

#define DT_KEYS_END                               \
    {                                             \
        NULL, DT_VALUE_NODE, false, 0, NULL, NULL \
    }

/** Two points, of bodies or of the ground. */
typedef struct dt_ends {
    const char *body[2];
    double point[2][3]; /**< m, in the body's frame, of the ground in the world */
} dt_ends;

/** Two frames. */
typedef struct dt_end_frames {
    dt_ends ends;
    double rotation[2][4]; /**< from the frame to the body's: a quaternion of any length; 0: none */
} dt_end_frames;

/** Whether a key holds two ends; its field begins with dt_ends. */
static inline bool dt_key_is_ends(const dt_key *key)
{
    return key->kind == DT_VALUE_ENDS || key->kind == DT_VALUE_END_FRAMES;
}

#endif
