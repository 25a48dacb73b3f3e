/**
 * @file form.h
 * Mappings read by tables of keys (model/key.h). One walker reads every mapping and knows every message.
 */
#ifndef DT_FORMAT_FORM_H
#define DT_FORMAT_FORM_H

#include "format/yaml.h"
#include "model/builder.h"
#include "model/joint_type.h"
#include "model/key.h"

/** A file being read. */
typedef struct dt_reader {
    detent_mechanism *m;
    dt_arena arena; /**< of the tree and of texts made from it */
    const char *text, *file;
    size_t length;
    const detent_load_options *options;
    const dt_yaml_node *root;
    dt_origin origin;            /**< the item that is read, with its repetition index */
    struct dt_section *sections; /**< section_count: those that hold items (sections.h) */
    int section_count;
    void *definition;  /**< work space: that of one item */
    dt_dimension *own; /**< in that: what numbers of DT_OF_ITS_ITEM share, once one has told it */
    const char **coupling_words; /**< types of couplings, once there is one (coupling.c) */
    dt_key *joint_keys; /**< tables that joints are read by, once they are made (joint.c) */
    struct dt_primitive_tables *primitives[DT_PRIMITIVE_TYPES];
    /** options->law_count: which laws that were chosen have found their joints (law_choice.c) */
    bool *law_taken;
    bool elsewhere; /**< the error is in another file, of a table */
    detent_error *error;
} dt_reader;

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
