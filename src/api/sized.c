#include "api/sized.h"

#include "api/check.h"

#include <string.h>

/* Every such struct begins with its size. */
static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

detent_status dt_require_sized(const void *given, const char *what, detent_error *error)
{
    const detent_status status = dt_require(given, what, error);
    if (status || size_of(given) >= sizeof(size_t)) {
        return status;
    }
    return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                   "%s has no size: begin with DETENT_INIT, or set its member 'size'", what);
}

static bool is_zero(const unsigned char *bytes, size_t count)
{
    size_t k = 0;
    while (k < count && !bytes[k]) {
        k++;
    }
    return k == count;
}

detent_status dt_take_sized(void *whole, size_t size, const void *given, const char *what,
                            detent_error *error)
{
    const detent_status status = dt_require_sized(given, what, error);
    if (status) {
        return status;
    }
    const size_t theirs = size_of(given), common = theirs < size ? theirs : size;
    memset(whole, 0, size);
    memcpy(whole, given, common);
    memcpy(whole, &size, sizeof size);
    if (theirs > size && !is_zero((const unsigned char *)given + size, theirs - size)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "%s says what this version of the library (" DETENT_VERSION
                       ") does not know: the program was compiled against a later one",
                       what);
    }
    return DETENT_OK;
}

detent_status dt_give_sized(void *given, const void *whole, size_t size, const char *what,
                            detent_error *error)
{
    const detent_status status = dt_require_sized(given, what, error);
    if (status) {
        return status;
    }
    const size_t theirs = size_of(given), common = theirs < size ? theirs : size,
                 first = sizeof(size_t);
    memcpy((char *)given + first, (const char *)whole + first, common - first);
    if (theirs > size) {
        memset((char *)given + size, 0, theirs - size);
    }
    return DETENT_OK;
}
