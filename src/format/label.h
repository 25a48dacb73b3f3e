/**
 * @file label.h
 * Names of output columns.
 */
#ifndef DT_FORMAT_LABEL_H
#define DT_FORMAT_LABEL_H

#include "format/form.h"

/**
 * The text with each index evaluated, and outside of indices the repetition index replaced by its
 * value: in copy 17 of a chain with index i, "i*position(hinge[i-1])" is labelled
 * "17*position(hinge[16])". Blanks and line ends become single blanks.
 */
detent_status dt_label_copy(dt_reader *, const char *text, const char **label);

/** The name of an item in a copy of a chain: link in copy 17 is link[17], wrist.r2 is wrist[17].r2.
 *  Outside of a chain the name itself. */
detent_status dt_label_number(dt_reader *, const char *name, const char **label);

#endif
