/* A mechanism as a file, or as a text. */

#include "api/check.h"
#include "format/writer.h"
#include "model/mechanism.h"

#include <string.h>

detent_status detent_mechanism_save(const detent_mechanism *m, const char *path,
                                    detent_error *error)
{
    detent_status status = dt_require_finished(m, error);
    status = status ? status : dt_require(path, "the path", error);
    return status ? status : dt_write_mechanism_file(m, path, error);
}

/* What has been told so far, of which `text` holds what fits. */
typedef struct text_buffer {
    char *text;
    size_t capacity, length;
} text_buffer;

static bool take(void *user, const char *bytes, size_t count)
{
    text_buffer *to = user;
    if (to->length + count < to->capacity) {
        memcpy(to->text + to->length, bytes, count);
    }
    to->length += count;
    return true;
}

detent_status detent_mechanism_text(const detent_mechanism *m, char *text, size_t capacity,
                                    size_t *length, detent_error *error)
{
    text_buffer to = {text, text ? capacity : 0, 0};
    const dt_text_sink sink = {take, &to};
    detent_status status = dt_require_finished(m, error);
    status = status ? status : dt_require(length, "the place for the length", error);
    if (!status && !text && capacity > 0) {
        status = dt_require(text, "the buffer", error);
    }
    status = status ? status : dt_write_mechanism(m, &sink, error);
    if (status) {
        return status;
    }
    *length = to.length;
    if (text && to.length < capacity) {
        text[to.length] = '\0';
    }
    return !text || to.length < capacity
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "the text takes %zu bytes and a NUL, and there is room for %zu", to.length,
                         capacity);
}
