#include "api/check.h"

#include "model/mechanism.h"

detent_status dt_require(const void *pointer, const char *what, detent_error *error)
{
    return pointer ? DETENT_OK : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "%s is NULL", what);
}

detent_status dt_require_index(size_t index, size_t count, const char *what, detent_error *error)
{
    if (index < count) {
        return DETENT_OK;
    }
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "%s %zu is out of range: there are %zu",
                   what, index, count);
}

detent_status dt_require_count(size_t given, size_t needed, const char *what, detent_error *error)
{
    if (given == needed) {
        return DETENT_OK;
    }
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "room for %zu %s was given, %zu are needed",
                   given, what, needed);
}

detent_status dt_require_finished(const detent_mechanism *mechanism, detent_error *error)
{
    detent_status status = dt_require(mechanism, "the mechanism", error);
    if (!status && !mechanism->finished) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "the mechanism is not finished: call detent_mechanism_finish() first");
    }
    return status;
}

detent_status dt_require_open(const detent_mechanism *mechanism, detent_error *error)
{
    detent_status status = dt_require(mechanism, "the mechanism", error);
    if (!status && mechanism->finished) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "the mechanism is finished and cannot be changed");
    }
    return status;
}

detent_status dt_require_allocator(const detent_allocator *allocator, detent_error *error)
{
    if (!allocator || (allocator->allocate && allocator->release)) {
        return DETENT_OK;
    }
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "an allocator needs both functions, allocate and release");
}
