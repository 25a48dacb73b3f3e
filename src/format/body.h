/**
 * @file body.h
 * One body of a mechanism file, with its shapes; or the ground, which has nothing else.
 */
#ifndef DT_FORMAT_BODY_H
#define DT_FORMAT_BODY_H

#include "format/sections.h"

detent_status dt_read_body(dt_reader *, const dt_section *, const dt_yaml_node *item,
                           const char *name);

#endif
