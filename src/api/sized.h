/**
 * @file sized.h
 * Structs that may grow (DETENT_INIT), on their way between a caller and the library, whose compilations may know different
 * lengths of them. Private to src/api.
 */
#ifndef DT_API_SIZED_H
#define DT_API_SIZED_H

#include "base/error.h"

#include <stddef.h>

/**
 * What a caller has filled in, `given`, into `whole`, of which `size` bytes are known here; what the caller's compilation does not know is
 * zero. DETENT_ERROR_ARGUMENT: `given` is NULL, its size is not set, or it says what is not known here. `what`: "the body's definition".
 */
detent_status dt_take_sized(void *whole, size_t size, const void *given, const char *what,
                            detent_error *error);
#define DT_TAKE(whole, given, what, error) \
    dt_take_sized((whole), sizeof *(1 ? (whole) : (given)), (given), (what), (error))

/** `whole` into `given`, as far as the caller has room; what is not known here is zero there. Errors as of dt_take_sized(). */
detent_status dt_give_sized(void *given, const void *whole, size_t size, const char *what,
                            detent_error *error);
#define DT_GIVE(given, whole, what, error) \
    dt_give_sized((given), (whole), sizeof *(1 ? (whole) : (given)), (what), (error))

/** DETENT_ERROR_ARGUMENT: `given` is NULL, or its size is not set: before work that would be lost. */
detent_status dt_require_sized(const void *given, const char *what, detent_error *error);

#endif
