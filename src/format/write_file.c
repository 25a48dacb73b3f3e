/* A file that appears under its name only when it is complete: it is written as PATH.PID.partial beside it, and renamed. */

#include "base/arena.h"
#include "base/error.h"
#include "format/writer.h"
#include "model/mechanism.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_ATTEMPTS = 100 };

typedef struct new_file {
    dt_arena arena;
    const char *path;
    const char *temporary; /* NULL: there is none */
    FILE *stream;
    int reason;     /* errno of the first failure; 0: none */
    bool is_device; /* the path is that of something that is no file */
} new_file;

static void note(new_file *file)
{
    if (file->reason == 0) {
        file->reason = errno ? errno : EIO;
    }
}

static bool take(void *user, const char *bytes, size_t count)
{
    new_file *file = user;
    errno = 0;
    const bool arrived = fwrite(bytes, 1, count, file->stream) == count;
    if (!arrived) {
        note(file);
    }
    return arrived;
}

/* Whether there is nothing at the path that a file must not replace: a directory, a device. */
static bool is_replaceable(new_file *file)
{
    struct stat there;
    if (stat(file->path, &there) != 0 || S_ISREG(there.st_mode)) {
        return true;
    }
    file->is_device = !S_ISDIR(there.st_mode);
    file->reason = S_ISDIR(there.st_mode) ? EISDIR : EEXIST;
    return false;
}

static bool open_temporary(new_file *file)
{
    for (int attempt = 0; attempt < MOST_ATTEMPTS && !file->stream; attempt++) {
        const char *name =
            attempt ? dt_arena_printf(&file->arena, "%s.%ld-%d.partial", file->path, (long)getpid(),
                                      attempt)
                    : dt_arena_printf(&file->arena, "%s.%ld.partial", file->path, (long)getpid());
        errno = ENOMEM;
        file->stream = name ? fopen(name, "wbx") : NULL;
        if (!file->stream && errno != EEXIST) {
            break;
        }
        file->temporary = file->stream ? name : NULL;
    }
    if (!file->stream) {
        note(file);
    }
    return file->stream != NULL;
}

/* Some file systems tell only when a file is closed that they are full. */
static void finish(new_file *file, bool complete)
{
    errno = 0;
    if (fclose(file->stream) != 0) {
        note(file);
    }
    errno = 0;
    if (complete && file->reason == 0 && rename(file->temporary, file->path) != 0) {
        note(file);
    }
    if (!complete || file->reason != 0) {
        remove(file->temporary);
    }
}

detent_status dt_write_mechanism_file(const detent_mechanism *m, const char *path,
                                      detent_error *error)
{
    new_file file = {.path = path};
    const dt_text_sink sink = {take, &file};
    detent_status status = DETENT_ERROR_IO;
    dt_arena_init(&file.arena, &m->arena.allocator);
    if (is_replaceable(&file) && open_temporary(&file)) {
        status = dt_write_mechanism(m, &sink, error);
        finish(&file, status == DETENT_OK);
    }
    if (file.reason == ENOMEM) {
        status = dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    } else if (file.reason != 0) {
        const dt_location where = {path, 0, 0};
        status = dt_fail(error, DETENT_ERROR_IO, &where, "cannot write '%s': %s", path,
                         file.is_device ? "it is no file" : strerror(file.reason));
    }
    dt_arena_free(&file.arena);
    return status;
}
