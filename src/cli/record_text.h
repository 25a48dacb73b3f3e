/**
 * @file record_text.h
 * The mechanism that is in a record, with other outputs.
 */
#ifndef CLI_RECORD_TEXT_H
#define CLI_RECORD_TEXT_H

#include "record_file.h"

/**
 * The mechanism of a record, with `expressions` as outputs behind its own. `*output`: which of its outputs each of them is, the caller's to
 * free, also after an error; `*found`: how many. Without expressions: all of its own. An error is reported.
 */
detent_status record_text_load(const record_file *, const char *const *expressions, size_t count,
                               detent_mechanism **mechanism, size_t **output, size_t *found,
                               detent_error *);
/** A number of the settings of the run; `missing` where there is none. */
double record_text_setting(const record_file *, const char *name, double missing);

#endif
