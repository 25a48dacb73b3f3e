/**
 * @file sections.h
 * The sections of a mechanism file that hold items, a row of one table each; a chain has the same.
 */
#ifndef DT_FORMAT_SECTIONS_H
#define DT_FORMAT_SECTIONS_H

#include "format/form.h"

/* clang-format off */
/** In the order in which they are read: ROW(key in the file, whether it is a list, what it adds, how an item is read). */
#define DT_SECTION_TABLE(ROW) \
    ROW(bodies,    false, BODY,     dt_read_body) \
    ROW(joints,    false, JOINT,    dt_read_joint) \
    ROW(stiction,  false, STICTION, dt_read_stiction) \
    ROW(loads,     false, LOAD,     dt_read_load) \
    ROW(springs,   false, SPRING,   dt_read_spring) \
    ROW(couplings, false, COUPLING, dt_read_coupling) \
    ROW(states,    false, STATE,    dt_read_state) \
    ROW(outputs,   true,  OUTPUT,   dt_read_output)
/* clang-format on */

#define DT_SECTION_NUMBER(name, sequence, item, read) DT_SECTION_##name,
enum { DT_SECTION_TABLE(DT_SECTION_NUMBER) DT_SECTIONS };
#undef DT_SECTION_NUMBER

typedef struct dt_section {
    const char *name; /**< its key in the file */
    bool sequence; /**< a list of items without names, instead of a mapping from names to items */
    detent_item item; /**< what it adds */
    /** Reads one item; reader->origin says which, and in which copy of a chain. `name` is NULL in a list. */
    detent_status (*read)(dt_reader *, const dt_yaml_node *item, const char *name);
} dt_section;

extern const dt_section dt_sections[DT_SECTIONS];

#define DT_SECTION_READER(name, sequence, item, read) \
    detent_status read(dt_reader *, const dt_yaml_node *, const char *);
DT_SECTION_TABLE(DT_SECTION_READER)
#undef DT_SECTION_READER

#endif
