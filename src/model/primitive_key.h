/**
 * @file primitive_key.h
 * What a primitive can have: a row each, by which files are read, definitions checked and copied, the mechanism filled
 * and told apart. A key of a primitive is a row here and a field of detent_primitive_def.
 */
#ifndef DT_MODEL_PRIMITIVE_KEY_H
#define DT_MODEL_PRIMITIVE_KEY_H

#include "model/joint_type.h"
#include "model/mechanism.h"

/** Where the finished mechanism has a value. */
typedef enum dt_primitive_place {
    DT_IN_STATE,     /**< among the initial positions or velocities, or beside them */
    DT_IN_NODE,      /**< a double of dt_node */
    DT_IN_PRIMITIVE, /**< a double of dt_primitive; of an expression a program */
    DT_IN_COLUMN /**< an array of doubles of its own, which is there where a primitive has one (dt_primitive_number()) */
} dt_primitive_place;

typedef struct dt_primitive_key {
    const char *group; /**< the mapping that holds it, or NULL: "spring" of spring.stiffness */
    const char *name;
    const char *path;        /**< both */
    dt_value_kind scalar;    /**< what it is of a primitive of one freedom */
    dt_value_kind spherical; /**< of a spherical one; DT_VALUE_UNSUPPORTED: that has none */
    bool required;           /**< within its group */
    int count;               /**< of numbers in the definition */
    size_t offset;           /**< in detent_primitive_def */
    dt_quantity quantity;
    const void *extra; /**< as of dt_key */
    dt_primitive_place place;
    size_t member;    /**< of dt_node or dt_primitive */
    dt_use use;       /**< of an expression */
    const char *word; /**< in messages: "the stiffness is negative" */
    /** Why a spherical primitive has none; NULL: it takes no such thing. */
    const char *none_of_ball;
    const char *none_of_weld; /**< why a weld has none; NULL: it takes no such thing */
} dt_primitive_key;

/** Ended by one without name; those of a group lie side by side. */
extern const dt_primitive_key dt_primitive_keys[];
enum { DT_MOST_PRIMITIVE_KEYS = DT_PRIMITIVE_COLUMNS };

/** All that a primitive's definition is made of (script.c). */
extern const dt_inner dt_primitive_inner;

/** What messages call a mapping of several keys: "spring", of a spherical primitive. */
const char *dt_primitive_group_title(const char *group, bool spherical);

/** The text by which it is driven, that of a position or of a velocity; NULL: it is not. */
static inline const char *dt_motion_text(const detent_primitive_def *def)
{
    return def->motion ? def->motion : def->speed;
}

/** The field of a key. */
static inline const void *dt_primitive_field(const dt_primitive_key *key,
                                             const detent_primitive_def *def)
{
    return (const char *)def + key->offset;
}

/** Whether it is a text. */
static inline bool dt_primitive_is_text(const dt_primitive_key *key)
{
    return key->scalar == DT_VALUE_EXPRESSION;
}

/** Whether a definition has it. */
bool dt_primitive_is_given(const dt_primitive_key *key, const detent_primitive_def *def);

#endif
