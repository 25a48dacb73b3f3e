/**
 * @file written.h
 * The parts of the writer of mechanism files (writer.h): a tree of what a section holds, made item by item.
 */
#ifndef DT_FORMAT_WRITTEN_H
#define DT_FORMAT_WRITTEN_H

#include "base/name_map.h"
#include "format/yaml.h"
#include "model/mechanism.h"

/** Items that stand in their joints, by the primitive that they are along. */
typedef struct dt_written_along {
    dt_script_item item;
    int next; /**< of the same primitive; -1: none */
} dt_written_along;

typedef struct dt_written {
    const detent_mechanism *m;
    dt_arena lasting, arena; /**< of the whole; of one item */
    dt_yaml_pen *pen;
    dt_script_reader reader;
    detent_mechanism *
        constants; /**< unfinished, with the parameters alone: by which indices are evaluated; NULL: not asked for yet */
    dt_name_map along_names; /**< the first of each primitive */
    dt_written_along *along;
    size_t along_count, along_told; /* those that are written so far */
    dt_name_map force_names; /**< which change has the force of a primitive (dt_script.changes) */
    bool out_of_memory, not_utf8; /* a text that no file can hold */
} dt_written;

/** A collection that grows. Where memory is out, calls do nothing but say so in `out_of_memory`. */
typedef struct dt_entries {
    dt_written *w;
    dt_yaml_node *node, *last;
} dt_entries;

/** A new mapping or sequence, and its end in another one: `key` is NULL in a sequence. One without children is left out where `keep` is false. */
dt_entries dt_entries_new(dt_written *, dt_yaml_kind kind);
void dt_entries_hang(dt_entries *into, const char *key, const dt_entries *inner, bool keep);

/** A scalar. `text` has to live as long as the tree; one that is not UTF-8 is noted. */
void dt_entries_plain(dt_entries *, const char *key, const char *text);
/** A text that must read as a text, whatever it looks like. */
void dt_entries_text(dt_entries *, const char *key, const char *text);
void dt_entries_number(dt_entries *, const char *key, double value);
void dt_entries_numbers(dt_entries *, const char *key, const double *values, int count);

/** "5 N*m": a number with the unit of a dimension, which may be unknown. NULL: memory is out. */
const char *dt_written_quantity(dt_written *, double value, const dt_dimension *dimension);
/** The text of a law, on one line, with the repetition index of the item as a number. */
const char *dt_written_law(dt_written *, const char *text, const dt_script_item *item);
/** The same with what stands between brackets evaluated: as outputs are called (format/label.h). */
const char *dt_written_label(dt_written *, const char *text, const dt_script_item *item);

/** Whether numbers are 0, and none is -0. */
bool dt_written_is_zero(const double *values, int count);

/** What the keys say of a definition, but for keys with a value of zero that need not be there. `kind`: whose dimension numbers may have; NULL: none's. */
void dt_write_keys(dt_entries *, const dt_key *keys, const void *definition,
                   const dt_script_item *item, const dt_item_kind *kind);
/** Items that stand in a primitive, "slide" or "wrist.r2". */
void dt_write_along(dt_entries *, const char *primitive);
/** Whether an item stands in the primitive that it is along, and which that is; else NULL. */
const char *dt_written_primitive(const dt_item_kind *kind, const void *definition);

/* The mapping of one item. */
void dt_write_body(dt_entries *, const dt_script_item *item);
void dt_write_joint(dt_entries *, const dt_script_item *item);
void dt_write_coupling(dt_entries *, const dt_script_item *item);
void dt_write_table(dt_entries *, const struct dt_curve *table);
/** What the ground has. Without shapes it has nothing. */
void dt_write_ground(dt_entries *);
/** What stands for an output in its list. */
void dt_write_output(dt_entries *list, const dt_script_item *item);
/** The section `simulation`. */
void dt_write_settings(dt_entries *, const detent_settings *settings);

#endif
