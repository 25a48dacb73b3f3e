/**
 * @file form.h
 * Mappings read by tables. A table lists the keys of a mapping: what each holds, of which dimension, and where it
 * goes in a plain C struct. One walker reads every mapping and knows every message.
 */
#ifndef DT_FORMAT_FORM_H
#define DT_FORMAT_FORM_H

#include "format/yaml.h"
#include "model/builder.h"

/** A file being read. */
typedef struct dt_reader {
    detent_mechanism *m;
    dt_arena arena; /**< of the tree and of texts made from it */
    const char *text, *file;
    size_t length;
    const detent_load_options *options;
    const dt_yaml_node *root;
    dt_origin origin; /**< the item that is read, with its repetition index */
    detent_error *error;
} dt_reader;

/** What a key holds, and the C type of its field. */
typedef enum dt_value_kind {
    DT_VALUE_NODE,        /**< whatever stands there: const dt_yaml_node * */
    DT_VALUE_TEXT,        /**< const char * */
    DT_VALUE_NUMBER,      /**< constant expression: double */
    DT_VALUE_POSITIVE,    /**< the same, > 0: zero in the struct says that it is not given */
    DT_VALUE_COUNT,       /**< constant expression, an integer >= 0: int */
    DT_VALUE_VECTOR,      /**< three constant expressions: double[3] */
    DT_VALUE_INERTIA,     /**< three or six: double[6] */
    DT_VALUE_ROTATION,    /**< axis and angle, quaternion or rpy: double[4] */
    DT_VALUE_EXPRESSION,  /**< const char * */
    DT_VALUE_EXPRESSIONS, /**< three: const char *[3] */
    DT_VALUE_REFERENCE,   /**< name of an item, may have an index: const char * */
    DT_VALUE_CHOICE,      /**< one of several words: int */
    DT_VALUE_TRUTH,       /**< true or false, a word of YAML's: int */
    DT_VALUE_MAPPING, /**< a mapping with a table of its own; the fields are in the same struct */
    DT_VALUE_FRAME,   /**< a vector, or a mapping with point and rotation: the point's double[3] */
    DT_VALUE_UNSUPPORTED /**< a key that this version does not know yet */
} dt_value_kind;

typedef struct dt_key {
    const char *name;
    dt_value_kind kind;
    bool required;
    size_t offset;                 /**< of the field */
    const dt_dimension *dimension; /**< NULL: any */
    const void *extra;             /**< CHOICE: words, ended by NULL; MAPPING, FRAME: a table */
} dt_key;

typedef struct dt_table {
    const char *what;   /**< "body", for messages */
    const dt_key *keys; /**< ended by one without name */
} dt_table;

#define DT_KEYS_END                               \
    {                                             \
        NULL, DT_VALUE_NODE, false, 0, NULL, NULL \
    }

/** Reads a mapping into the struct at `target`; a key that is not in the table is an error. */
detent_status dt_form_read(dt_reader *, const dt_yaml_node *node, const dt_table *table,
                           void *target);

/** Reads those keys of a mapping that the table has, and passes over the others. */
detent_status dt_form_read_some(dt_reader *, const dt_yaml_node *node, const dt_table *table,
                                void *target);

/** Reads one value. */
detent_status dt_value_read(dt_reader *, const dt_yaml_node *node, const dt_key *key, void *field);

/** The place of a node: of its text, or its first child. */
dt_location dt_node_place(const dt_reader *, const dt_yaml_node *node);
/** The place of its key where it has one. */
dt_location dt_key_place(const dt_reader *, const dt_yaml_node *node);

/** "'mass' must be a number, not a mapping" */
detent_status dt_fail_kind(dt_reader *, const dt_yaml_node *node, const char *expected);

/**
 * An error where an element of a list is the first part of a text that was torn at its commas: between brackets,
 * velocity(arm, x) is two elements.
 */
detent_status dt_require_whole(dt_reader *, const dt_yaml_node *element);

detent_status dt_fail_memory(dt_reader *);

/** A text that is not empty and not one of YAML's words for a number that is not finite. */
detent_status dt_require_scalar(dt_reader *, const dt_yaml_node *node, const char *expected);

detent_status dt_require_mapping(dt_reader *, const dt_yaml_node *node, const char *what);

/** The name that a reference stands for: `link[i-1]` in copy 17 is link[16]. */
detent_status dt_resolve_reference(dt_reader *, const char *text, dt_location where,
                                   const char **name);

#endif
