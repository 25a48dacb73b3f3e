/**
 * @file joint.h
 * One joint of a mechanism file.
 */
#ifndef DT_FORMAT_JOINT_H
#define DT_FORMAT_JOINT_H

#include "format/sections.h"

detent_status dt_read_joint(dt_reader *, const dt_section *, const dt_yaml_node *item,
                            const char *name);

#endif
