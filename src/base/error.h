/**
 * @file error.h
 * How a function says what went wrong: it fills the caller's detent_error and returns the status.
 *
 *     if (mass < 0) {
 *         return dt_fail(error, DETENT_ERROR_MODEL, &where, "mass %g kg is negative", mass);
 *     }
 */
#ifndef DT_BASE_ERROR_H
#define DT_BASE_ERROR_H

#include "base/attributes.h"
#include "detent/detent.h"

/** A place in a source text. */
typedef struct dt_location {
    const char *file; /**< NULL where no file is concerned; not owned */
    int line;         /**< from 1; 0 where unknown */
    int column;       /**< from 1; 0 where unknown */
} dt_location;

/**
 * Fills `error` (NULL: nobody wants to know) with the status, the place (NULL: none) and the
 * formatted message, and empties its detail. Returns `status`. A text too long is cut behind a
 * whole character. The arguments may point into `error` itself, so that a message can be wrapped in
 * another.
 */
detent_status dt_fail(detent_error *error, detent_status status, const dt_location *where,
                      const char *format, ...) DT_PRINTF_LIKE(4, 5);

/** Sets the detail of an error (NULL: nothing happens): the source line and a caret, the joints
 *  concerned. */
void dt_error_detail(detent_error *error, const char *format, ...) DT_PRINTF_LIKE(2, 3);

#endif
