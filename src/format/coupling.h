/**
 * @file coupling.h
 * The section of couplings.
 */
#ifndef DT_FORMAT_COUPLING_H
#define DT_FORMAT_COUPLING_H

#include "format/sections.h"

/** What drives what: words, as detent_way. */
extern const char *const dt_coupling_ways[];

detent_status dt_read_coupling(dt_reader *, const dt_section *, const dt_yaml_node *item,
                               const char *name);

#endif
