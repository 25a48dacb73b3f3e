#include "output_file.h"

#include "message.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024, NAME_EXTRA = 64 };

/* NULL, with errno, when memory is out. */
static char *compose(const char *base, const char *middle, const char *suffix)
{
    size_t size = strlen(base) + strlen(middle) + strlen(suffix) + 1;
    char *name = malloc(size);
    if (!name) {
        errno = ENOMEM;
        return NULL;
    }
    snprintf(name, size, "%s%s%s", base, middle, suffix);
    return name;
}

bool output_file_is_same(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

bool output_file_is_device(const char *path)
{
    static const char numbers[] = "/dev/fd/";
    struct stat status;
    return strncmp(path, numbers, sizeof numbers - 1) == 0 ||
           (stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode));
}

static void note(output_file *file, int reason)
{
    if (file->error_number == 0) {
        file->error_number = reason ? reason : EIO;
    }
}

void output_file_note(output_file *file, int reason)
{
    if (reason) {
        note(file, reason);
    }
}

/* Whether errno can be what a write left there; arithmetic sets it too. */
static bool is_of_writing(int number)
{
    static const int numbers[] = {ENOSPC, EDQUOT, EFBIG, EPIPE, EIO};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (number == numbers[i]) {
            return true;
        }
    }
    return false;
}

/* Why the last write failed: a stream does not remember. What it still holds is written again, and may fail for the same
 * reason; where nothing is left of it, errno may be that of the write, and a file system without room speaks for itself. */
static int find_reason(FILE *stream, int last)
{
    struct statvfs room;
    clearerr(stream);
    errno = 0;
    if (fflush(stream) != 0 && errno) {
        return errno;
    }
    if (is_of_writing(last)) {
        return last;
    }
    return fstatvfs(fileno(stream), &room) == 0 && room.f_blocks > 0 && room.f_bavail == 0 ? ENOSPC
                                                                                           : EIO;
}

static bool open_temporary(output_file *file, const char *base, const char *suffix)
{
    char middle[NAME_EXTRA];
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(middle, sizeof middle, attempt ? ".%ld-%d.partial" : ".%ld.partial",
                 (long)getpid(), attempt);
        free(file->temporary);
        file->temporary = compose(base, middle, suffix);
        if (!file->temporary) {
            return false;
        }
        int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            file->stream = fdopen(fd, "w");
            if (!file->stream) {
                close(fd);
                unlink(file->temporary);
            }
            return file->stream != NULL;
        }
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

/* False, with errno, where something stands at the path that a file cannot replace. */
static bool replaceable(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) {
        return true;
    }
    errno = S_ISDIR(there.st_mode) ? EISDIR : EEXIST;
    return false;
}

/* Opens nothing: says why not, and gives the names back. */
static detent_status fail_open(output_file *file, const char *name, detent_error *error)
{
    detent_status status = errno == ENOMEM ? DETENT_ERROR_MEMORY : DETENT_ERROR_IO;
    report(error, status, "cannot write %s: %s", file->path ? file->path : name, strerror(errno));
    output_file_release(file);
    return status;
}

detent_status output_file_open(output_file *file, const char *base, const char *suffix,
                               detent_error *error)
{
    *file = (output_file){.path = compose(base, "", suffix),
                          .partial = compose(base, ".partial", suffix)};
    if (!file->path || !file->partial || !replaceable(file->path) ||
        !open_temporary(file, base, suffix)) {
        return fail_open(file, base, error);
    }
    setvbuf(file->stream, NULL, _IOFBF, BUFFER_SIZE);
    return DETENT_OK;
}

detent_status output_file_reserve(output_file *file, const char *base, const char *suffix,
                                  detent_error *error)
{
    const detent_status status = output_file_open(file, base, suffix, error);
    if (!status) {
        fclose(file->stream);
        file->stream = NULL;
    }
    return status;
}

detent_status output_file_open_device(output_file *file, const char *path, detent_error *error)
{
    *file = (output_file){.path = compose(path, "", "")};
    int fd = file->path ? open(path, O_WRONLY | O_CLOEXEC) : -1;
    file->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file->stream) {
        int reason = errno;
        if (fd >= 0) {
            close(fd);
        }
        errno = reason;
        return fail_open(file, path, error);
    }
    return DETENT_OK;
}

bool output_file_failed(output_file *file)
{
    if (file->error_number == 0 && file->stream && ferror(file->stream)) {
        note(file, find_reason(file->stream, errno));
    }
    return file->error_number != 0;
}

void output_file_flush(output_file *file)
{
    if (file->stream && fflush(file->stream) != 0) {
        note(file, errno);
    }
}

detent_status output_file_close(output_file *file, detent_error *error)
{
    if (file->stream) {
        output_file_failed(file);
        output_file_flush(file);
        if (fclose(file->stream) != 0) { /* some file systems tell only here that they are full */
            note(file, errno);
        }
        file->stream = NULL;
    }
    if (file->error_number != 0) {
        return report(error, file->error_number == ENOMEM ? DETENT_ERROR_MEMORY : DETENT_ERROR_IO,
                      "cannot write %s: %s", file->path, strerror(file->error_number));
    }
    return DETENT_OK;
}

detent_status output_file_publish(output_file *file, detent_error *error)
{
    if (file->temporary && rename(file->temporary, file->path) != 0) {
        return report(error, DETENT_ERROR_IO, "cannot replace %s: %s", file->path, strerror(errno));
    }
    return DETENT_OK;
}

void output_file_keep(output_file *file)
{
    if (file->temporary && rename(file->temporary, file->partial) != 0) {
        free(file->partial);
        file->partial = file->temporary;
        file->temporary = NULL;
    }
}

void output_file_discard(output_file *file)
{
    if (file->stream) {
        fclose(file->stream);
        file->stream = NULL;
    }
    if (file->temporary) {
        unlink(file->temporary);
    }
}

detent_status output_file_finish(output_file *file, detent_status status, detent_error *error)
{
    const detent_status closed = output_file_close(file, error);
    status = status ? status : closed;
    status = status ? status : output_file_publish(file, error);
    if (status) {
        output_file_discard(file);
    }
    return status;
}

void output_file_release(output_file *file)
{
    free(file->path);
    free(file->partial);
    free(file->temporary);
    *file = (output_file){0};
}
