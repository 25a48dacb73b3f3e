/**
 * @file sections.h
 * The sections of a mechanism file that hold items: bodies, joints, stiction, loads, outputs.
 */
#ifndef DT_FORMAT_SECTIONS_H
#define DT_FORMAT_SECTIONS_H

#include "format/form.h"

typedef struct dt_section {
    const char *name; /**< its key in the file */
    bool sequence; /**< a list of items without names, instead of a mapping from names to items */
    detent_item item; /**< what it adds */
    /** Reads one item; reader->origin says which, and in which copy of a chain. `name` is NULL in a list. */
    detent_status (*read)(dt_reader *, const dt_yaml_node *item, const char *name);
} dt_section;

/** In the order in which they are read; ended by one without name. */
extern const dt_section dt_sections[];

#endif
