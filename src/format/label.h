/**
 * @file label.h
 * Names of output columns.
 */
#ifndef DT_FORMAT_LABEL_H
#define DT_FORMAT_LABEL_H

#include "format/form.h"

/**
 * The text with each index evaluated, and outside of indices the repetition index replaced by its value:
 * in copy 17 of a chain with index i, "i*position(hinge[i-1])" is labelled "17*position(hinge[16])".
 */
detent_status dt_label_copy(dt_reader *, const char *text, const char **label);

#endif
