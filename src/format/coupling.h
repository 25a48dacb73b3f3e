/**
 * @file coupling.h
 * The section of couplings.
 */
#ifndef DT_FORMAT_COUPLING_H
#define DT_FORMAT_COUPLING_H

#include "format/sections.h"

detent_status dt_read_coupling(dt_reader *, const dt_section *, const dt_yaml_node *item,
                               const char *name);

#endif
