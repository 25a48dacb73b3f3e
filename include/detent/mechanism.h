/**
 * @file mechanism.h
 * Mechanisms: loaded, built, asked.
 */
#ifndef DETENT_MECHANISM_H
#define DETENT_MECHANISM_H

#include "detent/definitions.h"

#ifdef __cplusplus
extern "C" {
#endif

/** `--set`: replaces the value of a parameter of the file. Also a key and its value. It never changes. */
typedef struct detent_parameter {
    const char *name;
    const char *value; /**< constant expression, may carry a unit */
} detent_parameter;

/**
 * Another friction law for a joint, in place of the stiction or the law that the file gives it: what the file says of its friction is
 * taken over by the rules of docs/mechanism-file.md ("another law from outside"), external actuation becomes the force of the joint.
 */
typedef struct detent_law_choice {
    size_t size;           /**< DETENT_INIT */
    const char *primitive; /**< name of a primitive that has friction in the file */
    const char *law;       /**< as in a file: one of detent_friction_law() */
    /** m/s or rad/s, where the law has to have a velocity_band or a breakaway_velocity and the file gives none; 0: the velocity_threshold of the file */
    double velocity;
    /** m or rad, of bristles where the file gives no stiffness; 0: they have to be given */
    double stretch;
    /** Keys of the law as in a file, which win over the file's: "breakaway", "3 N". */
    const detent_parameter *keys;
    size_t key_count;
} detent_law_choice;

/** How to load. Zero-initialised: no overrides, malloc. */
typedef struct detent_load_options {
    size_t size; /**< DETENT_INIT */
    const detent_parameter *parameters;
    size_t parameter_count;
    /** NULL: malloc; used by the mechanism until it is destroyed */
    const detent_allocator *allocator;
    double atol; /**< `--atol`: replaces that of the file, which its thresholds are held against;
                         0: the file's */
    const char *const *tunable;
    /**< names of parameters of the file that belong to each simulation instead of the mechanism: they are inputs of
         it, whose initial values are those of the parameters, and are set by detent_set_input(). Only laws may read
         them, no number that mass, place or count of anything follows from: that is an error with the place */
    size_t tunable_count;
    const detent_law_choice *const *laws; /**< of joints; at most one for each */
    size_t law_count;
    /** Functions of the program that expressions of the file may call, as of detent_add_function() */
    const detent_function_def *const *functions;
    size_t function_count;
} detent_load_options;

/**
 * Loads a mechanism file. On success `*mechanism` is the caller's to destroy. `options`, `error`
 * may be NULL. DETENT_ERROR_SYNTAX, DETENT_ERROR_MODEL: the file is wrong, or needs a tunable parameter where a
 * constant is meant, or a law that was chosen is none for its joint there; DETENT_ERROR_ARGUMENT: a parameter of `options` is not one of the
 * file's, or its value is none for it; likewise a law, its joint and its keys.
 */
DETENT_API detent_status detent_mechanism_load(const char *path, const detent_load_options *options,
                                               detent_mechanism **mechanism, detent_error *error);

/** The same from memory; `name` stands for the file name in messages. */
DETENT_API detent_status detent_mechanism_parse(const char *text, size_t length, const char *name,
                                                const detent_load_options *options,
                                                detent_mechanism **mechanism, detent_error *error);

/** An empty mechanism, to be filled with detent_add_*() and closed by detent_mechanism_finish(). */
DETENT_API detent_status detent_mechanism_create(const char *name,
                                                 const detent_allocator *allocator,
                                                 detent_mechanism **mechanism, detent_error *error);

/** m/s^2, world axes; none by default. */
DETENT_API detent_status detent_set_gravity(detent_mechanism *, const double gravity[3],
                                            detent_error *);
/** The same by expressions, which may read t and inputs. */
DETENT_API detent_status detent_set_gravity_law(detent_mechanism *, const char *const gravity[3],
                                                detent_error *);
/** A constant for use in expressions: `value` is a constant expression. */
DETENT_API detent_status detent_add_parameter(detent_mechanism *, const char *name,
                                              const char *value, detent_error *);
/** A named external signal, set between steps by detent_set_input(). */
DETENT_API detent_status detent_add_input(detent_mechanism *, const char *name, double initial,
                                          detent_error *);
/** A named expression for use in other expressions. */
DETENT_API detent_status detent_add_signal(detent_mechanism *, const char *name,
                                           const char *expression, detent_error *);
/**
 * A function of the program's own, which any expression may call by its name, but for motions, cams and curves, which need second
 * derivatives. With arguments that are all constant it is called once, when the expression is understood, and is a constant. Before
 * parameters that call it; else in any order.
 */
DETENT_API detent_status detent_add_function(detent_mechanism *, const detent_function_def *,
                                             detent_error *);
/**
 * Whether the derivatives of a function are those of its values, before it is used: by differences over `steps` (argument_count, positive, in the units of the
 * arguments) to both sides of `arguments`, and over half of these; by how much these differ is what a derivative may differ from them, and the rounding of the values. Between them
 * the function has to be smooth. DETENT_ERROR_FUNCTION: a derivative is another one, which, and what it should be; or the function failed.
 */
DETENT_API detent_status detent_check_function(const detent_function_def *, const double *arguments,
                                               const double *steps, detent_error *);
/** A body: it is copied. */
DETENT_API detent_status detent_add_body(detent_mechanism *, const detent_body_def *,
                                         detent_error *);
/**
 * A shape of a body, which may be added later than it; all of it is copied. DETENT_ERROR_MODEL: a size that is not positive, a colour that is none, points or
 * a file of a type that has none, or too few; in detent_mechanism_finish(): there is no such body.
 */
DETENT_API detent_status detent_add_shape(detent_mechanism *, const detent_shape_def *,
                                          detent_error *);
/** A joint: it is copied. */
DETENT_API detent_status detent_add_joint(detent_mechanism *, const detent_joint_def *,
                                          detent_error *);
/** Stiction of a primitive: it is copied. */
DETENT_API detent_status detent_add_stiction(detent_mechanism *, const detent_stiction_def *,
                                             detent_error *);
/** A load: it is copied. */
DETENT_API detent_status detent_add_load(detent_mechanism *, const detent_load_def *,
                                         detent_error *);
/** A spring between points of two bodies: it is copied. */
DETENT_API detent_status detent_add_spring(detent_mechanism *, const detent_spring_def *,
                                           detent_error *);
/** A stop of a primitive: it is copied. */
DETENT_API detent_status detent_add_stop(detent_mechanism *, const detent_stop_def *,
                                         detent_error *);
/** A coupling of joints: it is copied. */
DETENT_API detent_status detent_add_coupling(detent_mechanism *, const detent_coupling_def *,
                                             detent_error *);
/** A state: it is copied. */
DETENT_API detent_status detent_add_state(detent_mechanism *, const detent_state_def *,
                                          detent_error *);
/** An output column: any expression. */
DETENT_API detent_status detent_add_output(detent_mechanism *, const char *expression,
                                           detent_error *);
/**
 * Any item that a file can hold, also of a kind that has no function of its own here: `definition` is what stands behind
 * the name in that section of a file, "{between: [{body: a}, {body: b}], stiffness: 30 N/m}". In a section that is a
 * list `name` is of no account. Errors have line and column in the definition. DETENT_ERROR_ARGUMENT: there is no such
 * section.
 */
DETENT_API detent_status detent_add_item(detent_mechanism *, const char *section, const char *name,
                                         const char *definition, detent_error *);
/** Checks the whole, compiles expressions and tree; the mechanism is immutable afterwards. */
DETENT_API detent_status detent_mechanism_finish(detent_mechanism *, detent_error *);
/**
 * Writes a finished mechanism as a mechanism file, which reads as the same mechanism: what was built by calls, or loaded with other values of
 * parameters, other friction laws, another `atol`. Laws stand there as they were given, numbers in SI units as the shortest decimals that read back to
 * the last bit; chains are told link by link, tables of CSV files number by number. The file takes the place of what stands at `path` when it
 * is complete; until then it is called `path`.PID.partial.
 *
 * Functions of the program are called by name in it: who reads it brings them along (detent_load_options.functions). DETENT_ERROR_MODEL: no file can hold the mechanism, or it would be longer than 64 MiB; DETENT_ERROR_IO: it
 * cannot be written; then, and after any other error, what stood at `path` is as it was. Memory is taken by the allocator of the mechanism and given
 * back; the YAML library has some buffers from malloc.
 */
DETENT_API detent_status detent_mechanism_save(const detent_mechanism *, const char *path,
                                               detent_error *);
/**
 * The same text into `text`, a buffer of `capacity` bytes of the caller's, with a NUL behind it. `*length` is what the text takes without that NUL: with
 * `text` NULL and `capacity` 0 nothing else is told. DETENT_ERROR_ARGUMENT: there is less room than *length + 1; what is in the buffer then is no text.
 */
DETENT_API detent_status detent_mechanism_text(const detent_mechanism *, char *text,
                                               size_t capacity, size_t *length, detent_error *);
/** NULL is allowed. No simulation of the mechanism may be alive. */
DETENT_API void detent_mechanism_destroy(detent_mechanism *);

/** What was understood. Strings belong to the mechanism. */
typedef struct detent_mechanism_info {
    size_t size; /**< DETENT_INIT */
    const char *name;
    size_t bodies, joints, primitives, stictions, loads, springs, couplings, loops, states, signals,
        inputs, outputs;
    size_t coordinates; /**< length of the position vector */
    size_t freedoms;    /**< length of the velocity vector */
    size_t warnings;
    size_t memory; /**< bytes held by the mechanism */
    bool
        interval_is_given; /**< in the file; else it is a thousandth of the whole, and is to follow another end */
    size_t ties; /**< conditions on the freedoms: six a loop, one a coupling that is not elastic */
    size_t meshes; /**< couplings whose meshes rub */
    /** Of all that decides how it moves: another one where a number, a law, a name or the order of items differs. */
    unsigned long long fingerprint;
    size_t shapes; /**< of all bodies and the ground */
} detent_mechanism_info;
/** Errors: DETENT_ERROR_ARGUMENT. */
DETENT_API detent_status detent_mechanism_get_info(const detent_mechanism *,
                                                   detent_mechanism_info *info);
/** The settings of the file, defaults filled in. */
DETENT_API detent_status detent_mechanism_get_settings(const detent_mechanism *,
                                                       detent_settings *settings);

/** Kinds of items, for detent_count(), detent_name(), detent_find(). */
typedef enum detent_item {
    DETENT_BODY,
    DETENT_JOINT,
    DETENT_PRIMITIVE,
    DETENT_STICTION,
    DETENT_LOAD,
    DETENT_SPRING,
    DETENT_COUPLING,
    DETENT_LOOP, /**< its name is that of the joint where it is cut */
    DETENT_INPUT,
    DETENT_OUTPUT,
    DETENT_WARNING,
    DETENT_STATE,
    DETENT_POINT,
    DETENT_SAMPLED,
    DETENT_TABLE,
    DETENT_FUNCTION /**< of the program; kinds that have no name here follow: detent_get_kind() */
} detent_item;

/** A kind of item. */
typedef struct detent_kind_info {
    size_t size;         /**< DETENT_INIT */
    detent_item item;    /**< for detent_count(), detent_name() and the like */
    const char *name;    /**< "springs"; the section of a file, where it is one */
    const char *title;   /**< what people call them: "stiction joints" */
    const char *listing; /**< what stands above their names: "loops, cut at" */
    bool is_section;
} detent_kind_info;
/** All kinds, in the order of their sections. DETENT_ERROR_ARGUMENT: `index` is beyond the last one. */
DETENT_API detent_status detent_get_kind(size_t index, detent_kind_info *info);
/** The words of friction laws, one after the other; NULL behind the last one. */
DETENT_API const char *detent_friction_law(size_t index);
/** How many items of a kind there are. */
DETENT_API size_t detent_count(const detent_mechanism *, detent_item item);
/**
 * The name of an item (an output's label or expression, a warning's text); NULL if out of range. A
 * stiction's name is its primitive's.
 */
DETENT_API const char *detent_name(const detent_mechanism *, detent_item item, size_t index);
/**
 * The unit of an output's or a state's value, a primitive's position, a stiction's friction ("rad", "m", "N",
 * ...; "" if none or unknown).
 */
DETENT_API const char *detent_unit(const detent_mechanism *, detent_item item, size_t index);
/** The index of a named item, or -1. */
DETENT_API ptrdiff_t detent_find(const detent_mechanism *, detent_item item, const char *name);

/** A primitive and its place in the vectors. Strings belong to the mechanism. */
typedef struct detent_primitive_info {
    size_t size; /**< DETENT_INIT */
    const char *name;
    const char *type;                     /**< "revolute", "prismatic", "spherical" or "weld" */
    size_t joint;                         /**< the joint that it is part of */
    ptrdiff_t base, follower;             /**< the bodies that the joint connects; -1: the ground */
    ptrdiff_t stiction;                   /**< index, or -1 */
    bool prescribed;                      /**< its motion is given */
    size_t first_coordinate, coordinates; /**< its part of the position vector */
    size_t first_freedom, freedoms;       /**< its part of the velocity vector */
    detent_locking locking;               /**< of its stiction */
    double velocity_threshold;            /**< of its stiction; 0: from the mechanism */
    double armature, nominal_position, nominal_velocity; /**< as in its definition */
    double position[4], velocity[3]; /**< initial, before the assembly; of a motion: at the start */
    detent_priority position_priority, velocity_priority; /**< as in its definition */
    /** Where its rigid stops are, the lower and the upper one; infinite where there is none. */
    double stop[2];
} detent_primitive_info;
/** DETENT_ERROR_ARGUMENT if out of range. */
DETENT_API detent_status detent_get_primitive(const detent_mechanism *, size_t primitive,
                                              detent_primitive_info *info);

/** A body. The name belongs to the mechanism. */
typedef struct detent_body_info {
    size_t size; /**< DETENT_INIT */
    const char *name;
    double mass;              /**< kg */
    double center_of_mass[3]; /**< m, in the body's frame */
} detent_body_info;
/** DETENT_ERROR_ARGUMENT if out of range. */
DETENT_API detent_status detent_get_body(const detent_mechanism *, size_t body,
                                         detent_body_info *info);
/** How many shapes a body has, by its index; -1: the ground. 0 where there is no such body. */
DETENT_API size_t detent_shape_count(const detent_mechanism *, ptrdiff_t body);
/**
 * One of them, in the order in which they were added. `extent`, `points`, `point` are as they were given, m; `rotation` is a quaternion of length one, `color`
 * "#rrggbb" or NULL, `body` the name, "ground" for the ground. Strings and points belong to the mechanism. DETENT_ERROR_ARGUMENT if out of range.
 */
DETENT_API detent_status detent_get_shape(const detent_mechanism *, ptrdiff_t body, size_t index,
                                          detent_shape_def *shape);
/** The word of a ::detent_shape_type in files, "box"; NULL behind the last one. */
DETENT_API const char *detent_shape_word(size_t type);

#ifdef __cplusplus
}
#endif
#endif
