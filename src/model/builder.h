/**
 * @file builder.h
 * From definitions to a finished mechanism: what stands behind detent_mechanism_create(), detent_add_*() and
 * detent_mechanism_finish(), and behind the reader of mechanism files.
 *
 * Adding an item checks what can be checked alone (names, numbers) and copies everything; finishing resolves names,
 * orders the bodies into a tree, compiles the expressions and checks the whole. Items may come in any order, but
 * for parameters, which may use only earlier ones.
 *
 * The mechanism must not be finished, and what a definition must have (a name, a type) must be there: the callers
 * look to that. Every function returns DETENT_OK or a negative status with `error` filled. After an error the mechanism
 * can only be destroyed.
 *
 * In a definition, a joint's all-zero `axis` stands for the default axis of its type, and the all-zero `position`
 * of a spherical primitive for no turn.
 */
#ifndef DT_MODEL_BUILDER_H
#define DT_MODEL_BUILDER_H

#include "base/error.h"
#include "detent/detent.h"
#include "expression/units.h"
#include "model/item.h"

typedef struct dt_state_definition {
    detent_state_def def;
    dt_dimension dimension; /**< of the state */
    bool is_of_item;        /**< another item has it: its name may have points */
    double stop[2];         /**< from the texts; infinite: none */
} dt_state_definition;

/** A function of one or two variables: knots, ascending, and values; whoever gives it has checked these. */
typedef struct dt_table_definition {
    size_t size; /**< dt_item_head */
    const char *name;
    int axes, count[2]; /**< variables, and knots of each */
    const double *at[2];
    /** A row of count[1] (of one variable: 1) for each knot of the first one. */
    const double *value;
    int interpolation, outside; /**< dt_interpolation, dt_outside */
    dt_dimension dimension[2], result;
} dt_table_definition;

/** A value that is evaluated at the instants offset + k * every, and held in between. */
typedef struct dt_sampled_definition {
    size_t size; /**< dt_item_head */
    const char *name;
    const char *value;    /**< may read what an output may, its own old value among it */
    double every, offset; /**< s */
    double initial;       /**< up to the first instant */
    dt_dimension dimension;
} dt_sampled_definition;

typedef struct dt_output_definition {
    size_t size; /**< dt_item_head */
    const char *expression;
    const char *label; /**< the name of the column; NULL: the expression itself */
} dt_output_definition;

/** Where an item comes from. NULL in place of one: a C caller. */
typedef struct dt_origin {
    const void *item; /**< for the locator; NULL: unknown */
    /** Name of the repetition index in the item's expressions; NULL: none. Not copied. */
    const char *index_name;
    int index; /**< and its value */
} dt_origin;

/** A part of an item. */
typedef struct dt_part {
    /** "r2" where the part belongs to one primitive of a composite joint; else NULL */
    const char *primitive;
    const char *key; /**< "mass", "initial.position"; NULL: the item itself, that is its name */
    int component;   /**< element of a vector; -1: the whole */
    bool is_written; /**< only where the key itself is there: else no place */
} dt_part;

/** Knows where the items of a file stand. Must live until the mechanism is finished. */
typedef struct dt_locator {
    const void *context;
    /** The nearest known place to `part` of `item`. */
    dt_location (*locate)(const void *context, const void *item, const dt_part *part);
} dt_locator;

/** `source`: the kinds of items beside those of the model; NULL: none. */
detent_status dt_mechanism_new(const char *name, const dt_item_source *source,
                               const detent_allocator *allocator, detent_mechanism **mechanism,
                               detent_error *error);
/** NULL is allowed. */
void dt_mechanism_delete(detent_mechanism *);

/** Without, places are unknown. */
void dt_builder_set_locator(detent_mechanism *, const dt_locator *locator);

detent_status dt_builder_set_name(detent_mechanism *, const char *name, detent_error *);
/** A text that nothing is made of. */
detent_status dt_builder_set_description(detent_mechanism *, const char *text, detent_error *);
detent_status dt_builder_set_gravity(detent_mechanism *, const char *const gravity[3],
                                     const dt_origin *, detent_error *);
/** `settings` as the user gave them: zero where a default stands in. Checked here. */
detent_status dt_builder_set_settings(detent_mechanism *, const detent_settings *settings,
                                      const dt_origin *, detent_error *);
/** `expected`: the dimension that the value must have; NULL: any. */
detent_status dt_builder_add_parameter(detent_mechanism *, const char *name, const char *value,
                                       const dt_dimension *expected, const dt_origin *,
                                       detent_error *);
/** A parameter whose value belongs to each simulation: an input of that name. */
detent_status dt_builder_add_tunable(detent_mechanism *, const char *name, const char *value,
                                     const dt_dimension *expected, const dt_origin *,
                                     detent_error *);
detent_status dt_builder_add_input(detent_mechanism *, const char *name, double initial,
                                   const dt_dimension *dimension, const dt_origin *,
                                   detent_error *);
detent_status dt_builder_add_signal(detent_mechanism *, const char *name, const char *expression,
                                    const dt_origin *, detent_error *);
/**
 * Adds an item of a kind, by its number (item.h). `definition`: of detent_function_def, detent_body_def, detent_joint_def, detent_stiction_def,
 * detent_load_def, detent_coupling_def, dt_state_definition, dt_sampled_definition, dt_table_definition, dt_output_definition; of an element's kind what its row says.
 */
detent_status dt_builder_add(detent_mechanism *, int number, const void *definition,
                             const dt_origin *, detent_error *);
/** Whether a name may be that of a repetition index: it must hide none of the names added so far. */
detent_status dt_builder_check_index(const detent_mechanism *, const char *name,
                                     const dt_location *where, detent_error *);
/**
 * That `count` more items of a kind are about to be added, so that their records are not moved as
 * they become more.
 */
detent_status dt_builder_expect(detent_mechanism *, int number, size_t count, detent_error *);
detent_status dt_builder_finish(detent_mechanism *, detent_error *);

/**
 * Other initial values of a primitive of the joints added so far; NULL: that stays. DETENT_ERROR_MODEL: there is none of
 * that name, it has a motion, a value is not finite.
 */
detent_status dt_builder_set_initial(detent_mechanism *, const char *name, const double *position,
                                     const double *velocity, const dt_origin *, detent_error *);

/** The primitive called `name` of the joints added so far has a force beside its stiction, too. */
void dt_builder_keep_force(detent_mechanism *, const char *name);

/** Gives the primitive called `name` of the joints added so far a force, as an expression. False when memory is out. */
bool dt_builder_set_force(detent_mechanism *, const char *name, const char *force);

/** The type of the primitive called `name` of the joints added so far, or NULL. */
const struct dt_primitive_type *dt_builder_primitive_type(const detent_mechanism *,
                                                          const char *name);

/** A constant expression of parameters and, if `origin` says so, of the repetition index. */
typedef struct dt_constant {
    double value;
    dt_dimension dimension;
} dt_constant;

/**
 * Evaluates `text`, which stands at `where`. `expected`: the dimension that it must have, NULL: any. The parameters are
 * those added so far. A value that is not finite is an error.
 */
detent_status dt_builder_constant(detent_mechanism *, const char *text, const dt_location *where,
                                  const dt_dimension *expected, const dt_origin *origin,
                                  dt_constant *constant, detent_error *);

/** Whether the integrator makes steps of a length that is given. */
bool dt_settings_are_fixed(const detent_settings *settings);

/**
 * Replaces zeros by defaults and checks the values; an absolute tolerance of 0 stays, it follows from the mechanism.
 * `locator` and `origin` may be NULL. The absolute tolerance is
 * held against the velocity thresholds only when a mechanism is finished: see dt_settings_check_thresholds().
 */
detent_status dt_settings_complete(detent_settings *settings, const dt_locator *locator,
                                   const dt_origin *origin, detent_error *error);

/** Every velocity threshold must exceed the absolute tolerance: for settings that replace those of the mechanism. */
detent_status dt_settings_check_thresholds(const detent_settings *settings,
                                           const detent_mechanism *, detent_error *error);

#endif
