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
#include "model/primitive_key.h"

#include <stddef.h>

/* A record is a definition and, right behind it, its origin. */
typedef struct dt_body_record {
    detent_body_def def;
    dt_origin origin;
} dt_body_record;

typedef struct dt_joint_record {
    size_t size; /* dt_item_head */
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
    char suffix[4];           /* "r2" */
    detent_primitive_def def; /* with a unit axis */
    bool keeps_force;         /* also beside stiction: that is what a law of its friction is */
    dt_origin initial;        /* what has given it another position since; no item: nothing has */
} dt_primitive_record;

typedef struct dt_stiction_record {
    detent_stiction_def def;
    dt_origin origin;
} dt_stiction_record;

typedef struct dt_load_record {
    detent_load_def def;
    dt_origin origin;
} dt_load_record;

/* A point of a body, with axes: for outputs. */
typedef struct dt_point_definition {
    size_t size; /* dt_item_head */
    const char *name, *body;
    double at[3];       /* m, in the body's frame */
    double rotation[4]; /* quaternion: its axes to the body's; zero: the body's */
} dt_point_definition;

typedef struct dt_point_record {
    dt_point_definition def;
    dt_origin origin;
} dt_point_record;

typedef struct dt_coupling_record {
    detent_coupling_def def;
    dt_origin origin;
} dt_coupling_record;

typedef struct dt_state_record {
    detent_state_def def;
    dt_dimension dimension;
    bool is_of_item; /* another item has it: its name may have a point */
    double stop[2];
    dt_origin origin;
} dt_state_record;

typedef struct dt_sampled_record {
    dt_sampled_definition def;
    dt_origin origin;
} dt_sampled_record;

_Static_assert(offsetof(dt_body_record, origin) == sizeof(detent_body_def) &&
                   offsetof(dt_stiction_record, origin) == sizeof(detent_stiction_def) &&
                   offsetof(dt_load_record, origin) == sizeof(detent_load_def) &&
                   offsetof(dt_point_record, origin) == sizeof(dt_point_definition) &&
                   offsetof(dt_coupling_record, origin) == sizeof(detent_coupling_def) &&
                   offsetof(dt_state_record, origin) == sizeof(dt_state_definition) &&
                   offsetof(dt_sampled_record, origin) == sizeof(dt_sampled_definition),
               "the origin is behind the definition");

typedef struct dt_output_record {
    const char *expression, *label;
    dt_origin origin;
} dt_output_record;

/* What a plain name in an expression can stand for. */
typedef struct dt_global {
    dt_global_kind kind;
    const char *name;
    double value; /* parameter; input: initial */
    dt_dimension dimension;
    int input;        /* index of the input */
    bool is_tunable;  /* an input that the file calls a parameter */
    const char *text; /* signal; parameter: as it is written */
    dt_origin origin;
} dt_global;

/* A growing array of records. */
typedef struct dt_list {
    void *items;
    int count, capacity;
} dt_list;

/* The items of a kind. */
typedef struct dt_records {
    dt_list list;
    dt_name_map names; /* unless the kind has them elsewhere */
} dt_records;

typedef struct dt_builder {
    dt_arena arena;
    dt_locator locator;
    dt_unit_system *units;
    dt_records *items; /* of all kinds, by their number */
    dt_list globals, warnings;
    dt_list shapes; /* shape.c */
    dt_name_map global_names;
    const char *gravity[3];
    const char *description;
    dt_origin gravity_origin, settings_origin;
    detent_settings settings;          /* as they were given */
    dt_bytes script;                   /* script.c: items, packed, ... */
    struct dt_script_row *script_rows; /* ... the last of each kind ... */
    dt_name_map script_texts;          /* ... their texts ... */
    dt_list script_letters;            /* ... by their numbers ... */
    dt_list script_changes;            /* ... and what came after them */
    const char *script_refusal;
    dt_name_map constant_texts; /* constant expressions seen so far ... */
    dt_list constants;          /* ... and their values */
    size_t folded;              /* operations that laws have from the signals that they use */
    struct dt_mesh_net *net;    /* which couplings act along primitives; NULL: no mesh rubs */
    struct dt_coupled *elastic; /* which elastic ones do; NULL: not asked for yet */
    dt_name_map law_texts;      /* laws that came out constant ... */
    dt_list shared_laws;        /* ... and their programs */
    dt_name_map view_keys;      /* what outputs see so far ... */
    dt_list views, weights;     /* ... by their numbers */
    dt_name_map delay_keys;     /* delays of sampled values so far ... */
    dt_list delays;             /* ... by their numbers */
    dt_name_map dead_time_keys; /* values of before so far ... */
    dt_list dead_times;         /* ... by their numbers */
    const double
        *carried; /* node_count: inertia along joints; NULL: not asked for yet (active.c) */
    const struct dt_tied *tied; /* NULL: not asked for yet */
    dt_node *nodes;             /* of the tree, once there is one */
    dt_primitive *primitives;   /* m->primitives, to be filled, once there are any */
} dt_builder;

#define DT_AT(list, type, index) (&((type *)(list).items)[index])

/* The records of a kind of the model: DT_RECORDS(b, body). */
#define DT_RECORDS(builder, kind) ((builder)->items[DT_ITEM_##kind].list)

/* ---- record.c ---- */

/** A new zeroed record at the end; NULL when memory is out. */
void *dt_list_add(dt_arena *arena, dt_list *list, size_t size);
/** Room for `count` more records, but not more than is reasonable before any of them was looked at. False when memory is out. */
bool dt_list_reserve(dt_arena *arena, dt_list *list, size_t count, size_t size);

/**
 * Copies a text, which may be NULL, into an arena: of the mechanism what it keeps, of the builder what is read
 * only until it is finished. False when memory is out.
 */
bool dt_copy_text(dt_arena *arena, const char *text, const char **copy);

detent_status dt_out_of_memory(detent_error *error);

/** `origin`, or that of a C caller where it is NULL. */
dt_origin dt_origin_or_none(const dt_origin *origin);

/** Where the force of a primitive stands in the file. */
dt_location dt_locate_force(const detent_mechanism *, int primitive);

/** places.c: a place that is told after the file has been read keeps the name of the file. False when memory is out. */
bool dt_keep_place(detent_mechanism *, dt_location *where);
/** The place of a part of an item. */
dt_location dt_locate(const dt_builder *, const dt_origin *origin, const char *primitive,
                      const char *key, int component);

/** item_add.c: dt_builder_add() of what follows from other items: the script does not tell it. */
detent_status dt_add_item(detent_mechanism *, int number, const void *definition, const dt_origin *,
                          detent_error *);

/** item_add.c: what a record is made of. */
static inline size_t dt_record_size(const dt_item_kind *kind)
{
    return kind->record_size ? kind->record_size : kind->size + sizeof(dt_origin);
}

static inline const dt_origin *dt_record_origin(const dt_item_kind *kind, const void *record)
{
    return (const dt_origin *)(const void *)((const char *)record + kind->size);
}

static inline const char *dt_record_name(const void *record)
{
    return dt_definition_name(record); /* it begins with its definition */
}

/** The joint that a record has at a key; NULL: the key has none, or none is given. */
static inline const char *dt_record_joint(const dt_key *key, const void *record)
{
    const void *field = (const char *)record + key->offset;
    return key->kind == DT_VALUE_JOINT ? *(const char *const *)field : NULL;
}

/** Where the names of a kind are entered. */
static inline dt_name_map *dt_names_of(detent_mechanism *mechanism, int number)
{
    const dt_item_kind *kind = dt_item_kind_of(mechanism->source, number);
    return kind->names ? kind->names(mechanism) : &mechanism->builder->items[number].names;
}

/** "spring 's': why", at the place of a key. */
detent_status dt_refuse_item(const dt_builder *, const dt_item_kind *kind, const void *record,
                             const char *key, const char *why, detent_error *error);
/** Texts that lived in the builder's arena, all but the name, become NULL, and expressions that were given "". */
void dt_forget_texts(const dt_item_kind *kind, void *definition);

/** item_compile.c: counts items of elements, and numbers the rows of those that tie (dt_tie_rows()), which laws may read. */
detent_status dt_number_ties(detent_mechanism *, detent_error *error);
/** item_add.c: the name of the primitive that an item is along first; NULL: it is along none. */
const char *dt_item_joint(const dt_item_kind *kind, const void *record);
/** scope_tie.c: that primitive; -1: there is none. */
int dt_first_primitive(const detent_mechanism *, const dt_item_kind *kind, const void *record);
/** Whether that turns. */
bool dt_added_turns(const detent_mechanism *, const dt_item_list *list, int item);
/** item_compile.c: says where places of items begin; returns how many these are. */
int dt_count_added_places(detent_mechanism *);
/** What is wrong with an item beyond its keys (dt_item_kind.fault), as soon as the joint that it is along is there. */
detent_status dt_check_whole(const detent_mechanism *, const dt_item_kind *kind, const void *record,
                             detent_error *error);
/** That, and expressions of which laws are composed, each alone. Once states are listed. */
detent_status dt_check_added(detent_mechanism *, detent_error *error);
/** What follows from them: their ends, among the places of the mechanism, joints, programs. After that. */
detent_status dt_compile_added(detent_mechanism *, dt_load *places, detent_error *error);

/**
 * names.c: an identifier, or one with an index: link[17]; behind it, each after a point, up to `points` more. `what` for the
 * message: "body".
 */
detent_status dt_check_path(const char *what, const char *name, int points,
                            const dt_location *where, detent_error *error);
/** The same without points. */
detent_status dt_check_name(const char *what, const char *name, const dt_location *where,
                            detent_error *error);
/** Copies a new item's name, which has been checked, into `arena` and enters it in a map under `value`. */
detent_status dt_enter_name(detent_mechanism *, dt_arena *arena, const char *what, const char *name,
                            dt_name_map *map, int value, const dt_origin *origin, const char **copy,
                            detent_error *error);
/** A name that an expression could not tell from a word of its own. */
bool dt_name_is_reserved(const char *name);
const char *dt_global_kind_text(dt_global_kind kind);
/** The nearest name: one that only lacks its index comes first. */
const char *dt_nearest_item(const char *name, const char *const *candidates, size_t count);
/** The nearest name in a list of records, which stands in each at an offset; NULL if none is near or memory is out. */
const char *dt_nearest_record(dt_builder *, const dt_list *list, size_t size, size_t offset,
                              const char *name, const char *extra);
/* Names near one that is none: of bodies, points and the ground; of joints, bodies and points. NULL: none is near, or memory is out. */
const char *dt_nearest_frame(const detent_mechanism *, const char *name);
const char *dt_nearest_readable(const detent_mechanism *, const char *item);
/** "unknown WHAT 'NAME'; did you mean 'NEAREST'?" */
detent_status dt_fail_unknown(const char *what, const char *name, const char *nearest,
                              const dt_location *where, detent_error *error);

/** Records a warning, with its place. False when memory is out. */
detent_status dt_warn(detent_mechanism *, const dt_location *where, detent_error *error,
                      const char *format, ...) DT_PRINTF_LIKE(4, 5);

/** validate.c: finite, and small enough for products of several to be finite too. */
bool dt_is_finite(const double *values, int count);
/** An error where they are not. */
detent_status dt_check_finite(const double *values, int count, const char *owner, const char *what,
                              const dt_location *where, detent_error *error);
detent_status dt_check_joint(const dt_builder *, const dt_joint_record *joint, detent_error *error);

/** order.c: resolves the bodies of joints; `order` (joint_count) lists the joints depth first from the ground. */
detent_status dt_order_joints(detent_mechanism *, int *order, int *tree_joints,
                              detent_error *error);

/** transmission.c */
detent_status dt_compile_couplings(detent_mechanism *, detent_error *error);
/** loops.c: what joints in loops may have. */
detent_status dt_check_loops(detent_mechanism *, detent_error *error);
/** compile.c: tree, bodies, joints, primitives in the given order of joints. */
detent_status dt_compile_tree(detent_mechanism *, const int *order, int tree_joints,
                              detent_error *error);

/** places.c: the body called `name`; -1: the ground. */
detent_status dt_find_body(detent_mechanism *, const char *name, const dt_location *where,
                           int *index, detent_error *error);
/** A point of a body, or of the ground, as a place where forces act. */
dt_load dt_place_on_body(const detent_mechanism *, int body, const double point[3]);
/** compile_places.c: loads, ends of items, welds: all places. */
detent_status dt_compile_places(detent_mechanism *, detent_error *error);

/** given.c: which positions are given, where conditions may move them. After all that ties. */
detent_status dt_keep_given(detent_mechanism *, detent_error *error);
/** parts.c: which nodes and places belong together. */
detent_status dt_compile_parts(detent_mechanism *, dt_load *places, detent_error *error);
/** load.c */
detent_status dt_compile_loads(detent_mechanism *, dt_load *places, detent_error *error);

/** laws.c: programs of forces, motions, stiction, loads, gravity, outputs. */
detent_status dt_compile_laws(detent_mechanism *, detent_error *error);

/** Whether a coupling is no condition, but forces along its joints: elastic.c. */
static inline bool dt_is_elastic(const detent_coupling_def *def)
{
    return def->stiffness != 0;
}

/* ---- one_sided.c: couplings with a rigid backlash, and those that drive one way ---- */

static inline bool dt_is_one_sided(const detent_coupling_def *def)
{
    return def->drives != DETENT_BOTH_WAYS || (def->backlash > 0 && !dt_is_elastic(def));
}
detent_status dt_one_sided_check(const dt_builder *, const dt_coupling_record *, detent_error *);
/** The joints that take up what such couplings do not hold, behind all others. */
detent_status dt_add_slack(detent_mechanism *, detent_error *error);
/** DETENT_ERROR_MODEL where something else of the mechanism acts on one of them. After items have been compiled. */
detent_status dt_check_slack(const detent_mechanism *, detent_error *error);
/** What they may do; the other words of dt_rigid_stops are not touched. */
void dt_bound_slack(const detent_coupling_def *, dt_rigid_stops *stops);

/* ---- bearing.c ---- */

/** Of the stiction of a primitive; NULL: it has none. */
const detent_bearing *dt_bearing_of(const detent_mechanism *, int primitive);
/** A new record of stiction: its bearing is copied, and laws that it has from that alone begin as 0. */
detent_status dt_bearing_take(detent_mechanism *, void *record, detent_error *error);
detent_status dt_bearing_check(const detent_mechanism *, const dt_stiction_record *record,
                               bool rotational, detent_error *error);
/** Adds its friction to the texts of a definition; whether there is any. */
detent_status dt_bearing_add(detent_mechanism *, int primitive, detent_stiction_def *def, bool *any,
                             detent_error *error);
/** Its keys in a file. */
extern const dt_inner dt_bearing_inner;

/** Whether its mesh rubs: mesh.c. */
static inline bool dt_mesh_rubs(const detent_coupling_def *def)
{
    return def->loss_driving > 0 || def->loss_driven > 0 || def->static_loss_driving > 0 ||
           def->static_loss_driven > 0 || def->no_load > 0;
}

/** coupled.c: which couplings act along a primitive, as entries DT_TRANSMITTED * coupling + place. */
typedef struct dt_coupled {
    int *first; /* primitive_count; -1: none */
    int *next;  /* of each entry; -1: it is the last */
} dt_coupled;
/** Those that are elastic, or the others. False when memory is out. */
bool dt_coupled_list(detent_mechanism *, bool elastic, dt_coupled *);
const detent_coupling_def *dt_coupling(const detent_mechanism *, int coupling);
/** The primitive of joint k of a coupling, which must be there and have one freedom. */
detent_status dt_find_coupled(detent_mechanism *, const dt_coupling_record *, int k, int *primitive,
                              detent_error *error);
dt_primitive_record *dt_primitive_record_of(const detent_mechanism *, int primitive);
/** The actuation of a primitive as a text, or NULL, and whose it is. */
const char *dt_actuation_text(const detent_mechanism *, int primitive, const dt_origin **origin);

/** tied.c: joints that conditions tie together, by nodes. */
typedef struct dt_tied {
    int *joined;  /**< clusters (joined.h) */
    bool *inside; /**< a condition ties it to others */
    bool *looped; /**< it is on the way round a loop, whose welds it transmits */
} dt_tied;
/** NULL when memory is out. */
const dt_tied *dt_tied_joints(detent_mechanism *);

/**
 * active.c: what acts along a primitive but for friction of its own, with an inertia that is given or, at 0, what the joint carries.
 * `why` not NULL: it cannot be told.
 */
detent_status dt_active_force(detent_mechanism *, int primitive, double inertia, dt_active *active,
                              const char **why, detent_error *error);
/** Which primitives friction of laws acts along. */
detent_status dt_mark_rubbing(detent_mechanism *, detent_error *error);

/** elastic.c: couplings that are no conditions, but forces along joints. */
detent_status dt_elastic_check(const dt_builder *, const dt_coupling_record *, detent_error *error);
/** What they do along a primitive, as a text with a sign before it, "" where there are none; NULL when memory is out. */
const char *dt_elastic_push(detent_mechanism *, int primitive);
/** Adds it to the actuation of all primitives, which has been compiled. */
detent_status dt_add_elastic(detent_mechanism *, detent_error *error);

/**
 * mesh.c: joints along which meshes of couplings rub have a stiction from now on; later, the friction of these is added to the
 * texts of a definition, read where `reader` is.
 */
detent_status dt_mark_meshes(detent_mechanism *, detent_error *error);
detent_status dt_mesh_add(detent_mechanism *, int primitive, const dt_origin *reader,
                          detent_stiction_def *, bool *any, detent_error *error);
/** coupled.c: the transmission that a coupling is, of those that are no elastic ones. */
int dt_transmission_of(const detent_mechanism *, int coupling);

/** stiction.c: which primitives have one (the readings of expressions must know); later, their programs. */
detent_status dt_mark_stictions(detent_mechanism *, detent_error *error);
detent_status dt_compile_stictions(detent_mechanism *, detent_error *error);
/* stop.c: rigid stops get a stiction; and become its bounds, when stictions are compiled. */
detent_status dt_mark_stops(detent_mechanism *, detent_error *error);
detent_status dt_compile_stops(detent_mechanism *, detent_error *error);

/** outputs.c: their programs and units. */
detent_status dt_compile_outputs(detent_mechanism *, detent_error *error);
/** What a dimension spells; "" where it is not known, NULL when memory is out. */
const char *dt_unit_text(detent_mechanism *, const dt_dimension *dimension);

/** shape.c: shapes as the finished mechanism lists them, and what bodies of a density weigh: before anybody asks. */
detent_status dt_compile_shapes(detent_mechanism *, detent_error *error);

/** point.c: points, once bodies are known; what outputs have come to read, when all of them are compiled. */
detent_status dt_compile_points(detent_mechanism *, detent_error *error);
detent_status dt_keep_views(detent_mechanism *, detent_error *error);

/** states.c: before laws are, what they are; later, their derivatives. */
detent_status dt_list_states(detent_mechanism *, detent_error *error);
detent_status dt_compile_states(detent_mechanism *, detent_error *error);
/** What expressions call by its name alone has one name among all of these; `what`: "state". */
detent_status dt_check_alone(const detent_mechanism *, const char *what, const char *name,
                             const dt_origin *origin, detent_error *error);

/** table.c: tables as the finished mechanism lists them. */
detent_status dt_list_tables(detent_mechanism *, detent_error *error);
/** callback.c: functions of the program, likewise. */
detent_status dt_list_callbacks(detent_mechanism *, detent_error *error);
/** record.c: the table, or the function of the program, of that name; NULL: there is none. */
const struct dt_curve *dt_find_table(const detent_mechanism *, const char *name);
const dt_callback *dt_find_callback(const detent_mechanism *, const char *name);

/** sampled.c: the same of sampled values; their expressions, once bodies and points are known. */
detent_status dt_list_sampled(detent_mechanism *, detent_error *error);
detent_status dt_compile_sampled(detent_mechanism *, detent_error *error);
/** delay.c: how much sampled values have to remember, once all expressions are known. */
detent_status dt_keep_delays(detent_mechanism *, detent_error *error);

/** dead_time.c: those that expressions have asked for, once all are compiled. */
detent_status dt_keep_dead_times(detent_mechanism *, detent_error *error);

/** singular.c: every freedom must have inertia at the initial configuration. */
detent_status dt_check_inertia(detent_mechanism *, detent_error *error);

typedef struct dt_law_record {
    const char *text;
    dt_use use;
    int primitive;                /* that it belongs to; -1: none */
    const dt_dimension *expected; /* NULL: any */
    dt_location where;
    const dt_origin *origin;
    bool is_limit;         /* static, of its primitive */
    const dt_stops *stops; /* of the state whose rate it is; NULL: none */
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

/** record.c: an expression of a file as a part of one that is composed, in parentheses (dt_expression_part()). NULL: memory is out. */
const char *dt_law_part(dt_builder *, const char *text);
/** law_text.c: parses a law in its scope; the program lives in `arena`. */
detent_status dt_parse_law(detent_mechanism *, dt_arena *arena, const dt_law_record *law,
                           dt_program **program, detent_error *error);

#endif
