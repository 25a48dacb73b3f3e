/**
 * @file sections.h
 * The sections of a mechanism file that hold items, one a kind (model/item.h); a chain has the same.
 */
#ifndef DT_FORMAT_SECTIONS_H
#define DT_FORMAT_SECTIONS_H

#include "format/form.h"

typedef struct dt_section {
    const dt_item_kind *kind; /**< its plural is the key in the file */
    int number;               /**< of the kind */
    /** Reads one item; reader->origin says which, and in which copy of a chain. `name` is NULL in a list. */
    detent_status (*read)(dt_reader *, const struct dt_section *, const dt_yaml_node *item,
                          const char *name);
    const char *joint; /**< that the item stands in, or NULL: then its keys say whose it is */
    int part;          /**< there: which of kind->parts it is */
} dt_section;

/** Reads an item by the keys of its kind, and nothing else. */
detent_status dt_section_read_keys(dt_reader *, const dt_section *, const dt_yaml_node *item,
                                   const char *name);

/** The same without adding it: what stands in `item` goes into reader->definition, whose name it is called by. */
detent_status dt_section_fill(dt_reader *, const dt_section *, const dt_yaml_node *item,
                              const char *name);
/** Other keys of the item that is there, read over those. */
detent_status dt_section_fill_over(dt_reader *, const dt_section *, const dt_yaml_node *item,
                                   const dt_yaml_node *over, const char *name);

/** Sets the reader's sections, in the order in which they are read; reader->m must be there. */
detent_status dt_sections_list(dt_reader *);

/** A table that has `keys`, and one a section that holds whatever; in the reader's arena. False when memory is out. */
bool dt_sections_table(dt_reader *, const char *what, const dt_key *keys, dt_table *table);

/** That the items stand in a list, or in a mapping from names. */
detent_status dt_section_require(dt_reader *, const dt_section *, const dt_yaml_node *items);

#endif
