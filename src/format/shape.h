/**
 * @file shape.h
 * The shapes of a body of a mechanism file.
 */
#ifndef DT_FORMAT_SHAPE_H
#define DT_FORMAT_SHAPE_H

#include "format/form.h"

/** Adds those of a list, which stands in the body that is read (NULL: there is none). */
detent_status dt_read_shapes(dt_reader *, const dt_yaml_node *list, const char *body);

#endif
