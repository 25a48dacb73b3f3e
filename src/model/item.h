/**
 * @file item.h
 * Kinds of items: what a file or a program can put into a mechanism, and what it is made of besides.
 *
 * A definition is a plain struct that begins as dt_item_head. It is filled by keys, from a file or by a caller; the
 * builder keeps it, with its origin, as a record. What keys say is done for all kinds alike (item_add.c): values are
 * finite, sizes not negative, texts copied, names unique. The rest is `take`.
 *
 * Items of elements (dt_item_source) have their row where their forces are. Of these the finished mechanism has
 * the definitions, and beside them what follows from keys and laws (dt_item_list): their ends are places, their joints
 * primitives, their laws programs, their state one of the mechanism's. So such a kind needs nothing in this layer.
 */
#ifndef DT_MODEL_ITEM_H
#define DT_MODEL_ITEM_H

#include "base/arena.h"
#include "base/error.h"
#include "base/name_map.h"
#include "expression/program.h"
#include "model/item_table.h"
#include "model/key.h"

typedef struct dt_origin dt_origin;

/** How definitions begin, and with them records. */
typedef struct dt_item_head {
    size_t size; /**< of one that a caller hands in (DETENT_INIT); no matter here */
    const char *name;
} dt_item_head;

static inline const char *dt_definition_name(const void *definition)
{
    return ((const dt_item_head *)definition)->name;
}

/** What an expression is for: it decides what it may read. */
typedef enum dt_use {
    DT_USE_CONSTANT, /**< parameters */
    DT_USE_CURVE,    /**< and u, the parameter of a curve: DT_VARIABLE_TIME to its program */
    DT_USE_MOTION,   /**< parameters and t */
    DT_USE_GRAVITY,  /**< and inputs */
    DT_USE_FORCE,    /**< actuation, loads: and readings, states */
    DT_USE_RATE,     /**< the same */
    DT_USE_DRAG,     /**< friction of a law: and what couplings do */
    DT_USE_FRICTION, /**< and dir */
    DT_USE_OUTPUT,   /**< and modes, poses of bodies; but not dir */
    DT_USE_SAMPLE,   /**< the same: it is asked at an instant, and acts from then on */
    DT_USE_ANY       /**< a signal checked alone */
} dt_use;

/** A law of an item of an element: a program of the finished mechanism. */
typedef struct dt_item_law {
    const char *key; /**< whose text it is; where it is composed: whose place errors have */
    dt_use use;
    const dt_dimension *dimension; /**< NULL: of what acts along its joint; without one any */
} dt_item_law;

/** The states of an item: NAME.suffix, or where there are several NAME.suffix[1] ... */
typedef struct dt_item_states {
    const char *suffix;
    dt_quantity quantity;                 /**< of the joint that the item is along */
    int (*count)(const void *definition); /**< NULL: one */
    /** How large one ordinarily is; 0, or NULL: not known. */
    double (*nominal)(const void *definition, int k);
} dt_item_states;

/** Friction as a stiction has it, to be taken over by a law: magnitudes, in N or N m. */
typedef struct dt_dry_friction {
    double kinetic, limit; /**< with a load: coefficients of it; limit NAN: not known */
    const char *load;      /**< an expression, of a normal force; NULL: none */
    double radius;         /**< with a load in a joint that turns */
} dt_dry_friction;

/** What acts along the joint of a law but for its friction, as texts (active.c). */
typedef struct dt_active {
    const char *force; /**< h; NULL: not told, for others may hold what acts there, too */
    const char *inert; /**< I a, what h is beyond friction */
    bool is_tied;      /**< conditions may hold the joint: all of it, or in some poses */
} dt_active;

typedef struct dt_item_kind {
    const char *what;     /**< one of them: "spring" */
    const char *plural;   /**< in files: "springs" */
    const char *title;    /**< where they are counted; NULL: the plural */
    const char *listing;  /**< above their names; NULL: the title */
    int named;            /**< 1 + its detent_item; 0: it has no name there */
    bool is_section;      /**< files have them, under their plural; or: */
    const char *coupling; /**< the `type` of a coupling that they are; NULL: none */
    int ties; /**< each is so many conditions that tie the bodies of its ends, or its joints; 0: it ties nothing */
    /** Variables that are read of them: the first and the last one, side by side in the table; none where both are 0. */
    dt_variable_kind readings[2];
    bool bounds;  /**< each is a stop, a detent_stop_def: model/stop.c */
    bool is_list; /**< a list of items without names, instead of a mapping from names to items */
    /** What a primitive of a joint has of them stands in that, under this key; NULL: nothing. */
    const char *joint_key;
    /**
     * The words of mappings below that key, each an item: that is of the joint by its first key that is one, and of the word by its first choice. It is called
     * JOINT.WORD. NULL: what stands there is an item itself.
     */
    const char *const *parts;
    /** The key beside which DT_PER_LOAD() are coefficients; NULL: there is none. */
    const char *load;
    bool rubs; /**< each is friction along its joint, which friction() reads */

    /* definitions */
    /**
     * NULL: read, checked and copied in its own way. Of an element's items: what dt_key_is_plain() allows, so that checks
     * and fingerprint miss nothing.
     */
    const dt_key *keys;
    const dt_key *
        fields; /**< what a definition is made of, where keys do not say it: script.c; NULL: keys do */
    size_t size;      /**< of the definition; the record has the origin behind it */
    size_t dimension; /**< in that, of the dimension of DT_OF_ITS_ITEM; 0: no key has it */
    /** Its name is that of a primitive; of an element's items, that is one of its joints, and the first. */
    bool names_joint;
    bool checks_itself; /**< keys say only which texts are copied */
    /**
     * What is wrong with a definition along a joint that turns, or slides, and at which key; NULL: nothing. NULL function: the same. It is asked once the first
     * joint of the item is there, and may be asked again.
     */
    const char *(*fault)(const void *definition, bool rotational, const char **key);
    /**
     * Whether it is a stiction of its joint instead, then filled in with texts of `arena` (NULL: memory is out). Of kinds that name a
     * joint. NULL: it is not.
     */
    bool (*stiction)(dt_arena *arena, const void *definition, detent_stiction_def *def);
    /** Of kinds that rub: takes a definition over from a stiction. */
    void (*take_over)(void *definition, const dt_dry_friction *);
    /**
     * Of kinds that rub: gives what its law has to have and nobody has given, at a velocity and a stretch (0: not known). What it has to have and
     * cannot be had that way, in words; NULL: nothing.
     */
    const char *(*complete)(void *definition, double velocity, double stretch);
    /**
     * Of one that is a stiction: the name of its law, if that makes sense for steps of fixed length alone, and the band of velocity in which it
     * rests then, 0: it rests where it turns; else NULL. NULL function: it does with all.
     */
    const char *(*fixed_steps)(const void *definition, double *band);
    /** What keys do not say: checks a record, and copies what it points to. NULL: nothing. */
    detent_status (*take)(detent_mechanism *, void *record, detent_error *);
    /** Instead of all of that. */
    detent_status (*add)(detent_mechanism *, const void *definition, const dt_origin *,
                         detent_error *);
    /** Where names are entered; NULL: in a map that is the builder's alone. */
    dt_name_map *(*names)(detent_mechanism *);
    size_t record_size; /**< of records that are no definition with an origin; 0: they are */

    /* what follows from the definition of an element's item */
    const dt_item_law *laws;
    int law_count;
    /** What is wrong with a compiled law of an item along these joints; NULL: nothing. NULL function: the same. */
    const char *(*law_fault)(const dt_program *law, const int *joints);
    /**
     * What an item has beside, made of its definition and programs in the memory of the mechanism (dt_item_list.made). NULL: `*fault` says what is
     * wrong, in `arena`'s memory or for good, and `*key` where; or memory is out.
     */
    const void *(*make)(dt_arena *arena, const void *definition, const dt_program *const *program,
                        const char **key, const char **fault);
    /**
     * The text of a law, composed of the definition, in `arena`; NULL when memory is out. The expressions of the definition
     * are parsed alone before, as what a force may read, so that what is wrong in one is told with its place. "": it has no such
     * law. A NULL function: the texts of the keys.
     */
    const char *(*text)(dt_arena *arena, const void *definition, int law, const dt_active *active);
    /** Whether a text needs `active`, and which inertia that is told with. NULL: no. */
    bool (*reads_active)(const void *definition, double *inertia);
    /** The derivative of state k of the item. NULL: it has none. */
    const char *(*derivative)(dt_arena *arena, const void *definition, int k);
    const dt_item_states *states; /**< NULL: it has one, called like it, of any dimension */

    /* in the finished mechanism; NULL: an element's, found in its list */
    size_t counter; /**< the member of detent_mechanism that is how many there are: int */
    const char *(*name)(const detent_mechanism *, int index);
    const char *(*unit)(const detent_mechanism *, int index); /**< NULL: "" */
    int (*find)(const detent_mechanism *, const char *name);  /**< NULL: one after the other */
} dt_item_kind;

/** Whether a variable is read of items of a kind. */
static inline bool dt_item_is_read(const dt_item_kind *kind, dt_variable_kind variable)
{
    return kind->readings[1] && variable >= kind->readings[0] && variable <= kind->readings[1];
}

#define DT_ITEM_ROW(name) extern const dt_item_kind dt_##name##_item;
DT_ITEM_TABLE(DT_ITEM_ROW, )
#undef DT_ITEM_ROW

/**
 * Kinds of items that others than the model bring along. Who makes a mechanism says which there are; it must live as long as
 * that.
 */
typedef struct dt_item_source {
    int count;
    const dt_item_kind *(*kind)(int k); /**< 0 <= k < count; NULL: it has no items */
} dt_item_source;

/** Items of an element in the finished mechanism. */
typedef struct dt_item_list {
    const dt_item_kind *kind;
    int count;
    /** Count of kind->size; of texts only the name is left, and "" of expressions that were given. */
    char *definitions;
    int first_place; /**< those of an item lie side by side */
    int places;      /**< that an item has */
    int first_row;   /**< of those that tie: theirs lie side by side (dt_tie_rows()) */
    int joints;      /**< that an item has */
    int *joint;      /**< joints * count: primitives */
    int *at,
        *next; /**< those along a primitive: the first entry of `joint` (primitive_count), the one behind (joints * count); -1 */
    const dt_program **program; /**< kind->law_count * count; NULL: not given */
    /** count: the first of its states, or -1; others follow it. NULL: they have none */
    int *state;
    const void **made;  /**< count, of kinds that `make` something; NULL: they do not */
    dt_location *where; /**< count; no file: unknown */
} dt_item_list;

extern const dt_item_list dt_no_items;

/** Whether the field of a key is an int. */
static inline bool dt_key_is_word(const dt_key *key)
{
    return key->kind == DT_VALUE_CHOICE || key->kind == DT_VALUE_COUNT ||
           key->kind == DT_VALUE_TRUTH;
}

/** Whether a key holds numbers, a word, a law, a joint or ends: then it is all told by the row. */
bool dt_key_is_plain(const dt_key *key);

/** How many states an item has. */
int dt_item_states_of(const dt_item_kind *kind, const void *definition);
/** The name of state k of an item called `name`; NULL: memory is out. */
const char *dt_item_state_name(dt_arena *arena, const dt_item_kind *kind, const void *definition,
                               const char *name, int k);

/** key.c: how many numbers the field of a key is in a definition, and where they are. */
int dt_key_numbers(const dt_key *key, const void *definition, const double **numbers);
/** How many texts it begins with. */
int dt_key_texts(const dt_key *key);

/** The definition of an item. */
static inline const void *dt_item_definition(const dt_item_list *list, int item)
{
    return list->definitions + (size_t)item * list->kind->size;
}

/** The first place of an item. */
static inline int dt_item_place(const dt_item_list *list, int item)
{
    return list->first_place + list->places * item;
}

/** The entry of `joint` along a primitive that stands behind another one; -1: there is none, or the first is asked for. */
static inline int dt_item_next_at(const dt_item_list *list, int primitive, int entry)
{
    return list->joints * list->count == 0 ? -1
           : entry < 0                     ? list->at[primitive]
                                           : list->next[entry];
}

/** Memory for that list, and the list by `joint`, where -1 is no primitive. */
bool dt_item_index_create(dt_arena *arena, dt_item_list *list, int primitives);
void dt_item_index(dt_item_list *list, int primitives);

/**
 * All kinds have a number: DT_ITEM_x, or DT_ITEM_KINDS + k of the source. Going through positions 0 ..
 * dt_item_positions() - 1 meets each in the order of the table.
 */
int dt_item_positions(const dt_item_source *source);
int dt_item_number(const dt_item_source *source, int position);
/** The kind of a number; NULL: there is none. */
const dt_item_kind *dt_item_kind_of(const dt_item_source *source, int number);

/** How many items of a kind the finished mechanism has. */
int dt_item_count(const detent_mechanism *mechanism, int number);
/** The name of an item that there is, its unit ("": none), and the item of a name, or -1. */
const char *dt_item_name(const detent_mechanism *mechanism, int number, int index);
const char *dt_item_unit(const detent_mechanism *mechanism, int number, int index);
int dt_item_find(const detent_mechanism *mechanism, int number, const char *name);

#endif
