/**
 * @file along.h
 * Items that stand in a primitive of a joint, under a key of their kind (dt_item_kind.joint_key), and go by its name.
 */
#ifndef DT_FORMAT_ALONG_H
#define DT_FORMAT_ALONG_H

#include "format/sections.h"

/** How many such keys there are. */
int dt_along_count(const dt_reader *);

/** Writes them into a table, as what is looked up by who reads it; returns the one behind the last. */
dt_key *dt_along_keys(const dt_reader *, dt_key *keys);

/** The first of them that stands in a mapping, or NULL. */
const dt_yaml_node *dt_along_find(const dt_reader *, const dt_yaml_node *node);

/** Adds those that stand in the mapping of a primitive, which the mechanism has. */
detent_status dt_along_read(dt_reader *, const dt_yaml_node *node, const char *primitive);

/** The section that is called like such a key: items can be given one by one, too. False: there is none. */
bool dt_along_section(const dt_reader *, const char *name, dt_section *section);

#endif
