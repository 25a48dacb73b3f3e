/**
 * @file check.h
 * What every entry point asks of its arguments. Private to src/api.
 */
#ifndef DT_API_CHECK_H
#define DT_API_CHECK_H

#include "base/error.h"

#include <stddef.h>

/** DETENT_ERROR_ARGUMENT unless `pointer` is there. `what`: "the mechanism". */
detent_status dt_require(const void *pointer, const char *what, detent_error *error);

/** DETENT_ERROR_ARGUMENT unless `index` < `count`. `what`: "body". */
detent_status dt_require_index(size_t index, size_t count, const char *what, detent_error *error);

/** DETENT_ERROR_ARGUMENT unless `given` is `needed`. `what`: "values". */
detent_status dt_require_count(size_t given, size_t needed, const char *what, detent_error *error);

/** DETENT_ERROR_ARGUMENT unless the mechanism is there and finished. */
detent_status dt_require_finished(const detent_mechanism *mechanism, detent_error *error);

/** DETENT_ERROR_ARGUMENT unless the mechanism is there and not finished. */
detent_status dt_require_open(const detent_mechanism *mechanism, detent_error *error);

/** An allocator has both of its functions, or is NULL. */
detent_status dt_require_allocator(const detent_allocator *allocator, detent_error *error);

#endif
