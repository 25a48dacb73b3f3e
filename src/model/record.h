/**
 * @file record.h
 * What the builder keeps between the first detent_add_*() and the end of detent_mechanism_finish(). Private to
 * src/model.
 *
 * Records and texts, which are needed only until then, live in the builder's arena; names and programs, which the
 * finished mechanism points to, in the mechanism's. The maps of names grow in the builder's and end, packed, in the
 * mechanism's.
 */
#ifndef DT_MODEL_RECORD_H
#define DT_MODEL_RECORD_H

#include "base/name_map.h"
#include "expression/dimension.h"
#include "model/builder.h"
#include "model/mechanism.h"

typedef struct dt_body_record {
    const char *name;
    double mass, com[3], inertia[6];
    dt_origin origin;
} dt_body_record;

typedef struct dt_joint_record {
    const char *name;
    const dt_joint_type *type;
    const char *base_name, *follower_name;
    int base, follower;                   /* bodies, once resolved; -1 is the ground */
    int first_primitive, primitive_count; /* records */
    bool is_cut;                          /* it closes a loop: the user says so */
    double base_R[9], base_p[3], follower_R[9], follower_p[3]; /* joint frame in the body */
    dt_origin origin;
} dt_joint_record;

typedef struct dt_primitive_record {
    const dt_primitive_type *type;
    char suffix[4]; /* "r2" */
    double axis[3]; /* unit */
    double position[4], velocity[3];
    double stiffness, rest, damping, armature;
    double nominal_position, nominal_velocity; /* 0: not given */
    dt_priority priority;                      /* its file is that of the reader */
    const char *force, *motion;
} dt_primitive_record;

typedef struct dt_stiction_record {
    detent_stiction_def def; /* its texts are in the mechanism's arena */
    dt_origin origin;
} dt_stiction_record;

typedef struct dt_load_record {
    detent_load_def def;
    dt_origin origin;
} dt_load_record;

typedef struct dt_spring_record {
    detent_spring_def def;
    dt_origin origin;
} dt_spring_record;

typedef struct dt_coupling_record {
    detent_coupling_def def;
    dt_origin origin;
} dt_coupling_record;

typedef struct dt_state_record {
    detent_state_def def;
    dt_dimension dimension;
    dt_origin origin;
} dt_state_record;

typedef struct dt_output_record {
    const char *expression, *label;
    dt_origin origin;
} dt_output_record;

typedef enum dt_global_kind {
    DT_GLOBAL_PARAMETER,
    DT_GLOBAL_INPUT,
    DT_GLOBAL_SIGNAL
} dt_global_kind;

/* What a plain name in an expression can stand for. */
typedef struct dt_global {
    dt_global_kind kind;
    const char *name;
    double value; /* parameter; input: initial */
    dt_dimension dimension;
    int input;        /* index of the input */
    bool is_tunable;  /* an input that the file calls a parameter */
    const char *text; /* signal */
    dt_origin origin;
} dt_global;

/* A growing array of records. */
typedef struct dt_list {
    void *items;
    int count, capacity;
} dt_list;

typedef struct dt_builder {
    dt_arena arena;
    dt_locator locator;
    dt_unit_system *units;
    dt_list bodies, joints, primitives, stictions, loads, springs, couplings, states, outputs,
        globals, warnings;
    dt_name_map global_names, stiction_names, load_names, spring_names, coupling_names;
    const char *gravity[3];
    dt_origin gravity_origin, settings_origin;
    dt_name_map constant_texts; /* constant expressions seen so far ... */
    dt_list constants;          /* ... and their values */
    size_t folded;              /* operations that laws have from the signals that they use */
    dt_name_map law_texts;      /* laws that came out constant ... */
    dt_list shared_laws;        /* ... and their programs */
} dt_builder;

#define DT_AT(list, type, index) (&((type *)(list).items)[index])

/** A new zeroed record at the end; NULL when memory is out. */
void *dt_list_add(dt_arena *arena, dt_list *list, size_t size);

/**
 * Copies a text, which may be NULL, into an arena: of the mechanism what it keeps, of the builder what is read
 * only until it is finished. False when memory is out.
 */
bool dt_copy_text(dt_arena *arena, const char *text, const char **copy);

detent_status dt_out_of_memory(detent_error *error);

/** `origin`, or that of a C caller where it is NULL. */
dt_origin dt_origin_or_none(const dt_origin *origin);

/** Checks a new item's name, copies it into `arena` and enters it in a map under `value`. */
detent_status dt_enter_name(detent_mechanism *, dt_arena *arena, const char *what, const char *name,
                            dt_name_map *map, int value, const dt_origin *origin, const char **copy,
                            detent_error *error);

/** The place of a part of an item. */
/** laws.c: where the force of a primitive stands in the file. */
dt_location dt_locate_force(const detent_mechanism *, int primitive);
dt_location dt_locate(const dt_builder *, const dt_origin *origin, const char *primitive,
                      const char *key, int component);

/** names.c: an identifier, or one with an index: link[17]. `what` for the message: "body". */
detent_status dt_check_name(const char *what, const char *name, const dt_location *where,
                            detent_error *error);
/** A name that an expression could not tell from a word of its own. */
bool dt_name_is_reserved(const char *name);
const char *dt_global_kind_text(dt_global_kind kind);
/** The nearest name: one that only lacks its index comes first. */
const char *dt_nearest_item(const char *name, const char *const *candidates, size_t count);
/** The nearest name in a list of records whose first member is the name; NULL if none is near or memory is out. */
const char *dt_nearest_record(dt_builder *, const dt_list *list, size_t size, const char *name,
                              const char *extra);
/** "unknown WHAT 'NAME'; did you mean 'NEAREST'?" */
detent_status dt_fail_unknown(const char *what, const char *name, const char *nearest,
                              const dt_location *where, detent_error *error);

/** Records a warning, with its place. False when memory is out. */
detent_status dt_warn(detent_mechanism *, const dt_location *where, detent_error *error,
                      const char *format, ...) DT_PRINTF_LIKE(4, 5);

/** validate.c: finite, and small enough for products of several to be finite too. */
detent_status dt_check_finite(const double *values, int count, const char *owner, const char *what,
                              const dt_location *where, detent_error *error);
detent_status dt_check_spring(const dt_builder *, const dt_spring_record *spring,
                              detent_error *error);
detent_status dt_check_body(const dt_builder *, const dt_body_record *body, detent_error *error);
detent_status dt_check_joint(const dt_builder *, const dt_joint_record *joint, detent_error *error);

/** order.c: resolves the bodies of joints; `order` (joint_count) lists the joints depth first from the ground. */
detent_status dt_order_joints(detent_mechanism *, int *order, int *tree_joints,
                              detent_error *error);

/** compile.c: tree, bodies, joints, primitives in the given order of joints. `primitives` is m->primitives, to be filled. */
/** transmission.c */
detent_status dt_check_coupling(const dt_builder *, const dt_coupling_record *coupling,
                                detent_error *error);
detent_status dt_compile_couplings(detent_mechanism *, detent_error *error);
/** loops.c: what joints in loops may have. */
detent_status dt_check_loops(detent_mechanism *, detent_error *error);
detent_status dt_compile_tree(detent_mechanism *, const int *order, int tree_joints,
                              dt_primitive **primitives, detent_error *error);

/** laws.c: programs of forces, motions, stiction, loads, gravity, outputs. */
detent_status dt_compile_laws(detent_mechanism *, dt_primitive *primitives, detent_error *error);

/** stiction.c: which primitives have one (the readings of expressions must know); later, their programs. */
detent_status dt_mark_stictions(detent_mechanism *, dt_primitive *primitives, detent_error *error);
detent_status dt_compile_stictions(detent_mechanism *, dt_primitive *primitives,
                                   detent_error *error);

/** outputs.c: their programs and units. */
detent_status dt_compile_outputs(detent_mechanism *, detent_error *error);
/** What a dimension spells; "" where it is not known, NULL when memory is out. */
const char *dt_unit_text(detent_mechanism *, const dt_dimension *dimension);

/** states.c: before laws are, what they are; later, their derivatives. */
detent_status dt_list_states(detent_mechanism *, detent_error *error);
detent_status dt_compile_states(detent_mechanism *, detent_error *error);

/** singular.c: every freedom must have inertia at the initial configuration. */
detent_status dt_check_inertia(detent_mechanism *, detent_error *error);

/** What an expression is for: it decides what it may read. */
typedef enum dt_use {
    DT_USE_CONSTANT, /* parameters */
    DT_USE_MOTION,   /* and t */
    DT_USE_GRAVITY,  /* and inputs */
    DT_USE_FORCE,    /* actuation, loads: and readings, states */
    DT_USE_RATE,     /* the same */
    DT_USE_FRICTION, /* and dir */
    DT_USE_OUTPUT,   /* and modes, poses of bodies; but not dir */
    DT_USE_ANY       /* a signal checked alone */
} dt_use;

typedef struct dt_law_record {
    const char *text;
    dt_use use;
    int primitive;                /* that it belongs to; -1: none */
    const dt_dimension *expected; /* NULL: any */
    dt_location where;
    const dt_origin *origin;
} dt_law_record;

/** Most operations that all laws together may have from signals. */
#define DT_MOST_FOLDED 10000000

/**
 * scope.c: parses texts in the scope of one law, whose own text counts for nothing, into `programs` that share their
 * operations (dt_program_parse_together()).
 */
detent_status dt_parse_laws(detent_mechanism *, dt_arena *arena, const dt_law_record *law,
                            const dt_text *texts, size_t count, dt_program *programs,
                            detent_error *error);

/** law_text.c: parses a law in its scope; the program lives in `arena`. */
detent_status dt_parse_law(detent_mechanism *, dt_arena *arena, const dt_law_record *law,
                           dt_program **program, detent_error *error);

#endif
