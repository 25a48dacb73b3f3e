/**
 * @file locate.h
 * Where things stand in the file.
 */
#ifndef DT_FORMAT_LOCATE_H
#define DT_FORMAT_LOCATE_H

#include "format/form.h"

/** A dt_locator's function: `context` is the reader, `item` the node of the item. */
dt_location dt_reader_locate(const void *context, const void *item, const dt_part *part);

/** Finds the place of the reader's error in the file, where YAML has reshaped a text, and puts its line
 *  with a caret into the detail. */
void dt_reader_explain(dt_reader *reader);

#endif
