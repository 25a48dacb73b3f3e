#include "store.h"

#include "message.h"
#include "number.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum {
    DEFLATE_LEVEL = 1,
    SPARE = 1 << 20,      /* bytes: for what the library below has of its own */
    READ_CACHE = 2 << 20, /* bytes of a variable that is read */
    READ_CHUNKS = 1009    /* slots in it */
};

struct store {
    int id;
    bool written;
    char *path;
    int failure; /* of errno */
    size_t kept; /* bytes of chunks that may be in memory */
};

detent_status store_available(detent_error *error)
{
    (void)error;
    return DETENT_OK;
}

/* ---- what went wrong ---- */

static bool is_of_writing(int number)
{
    static const int numbers[] = {ENOSPC, EDQUOT, EFBIG, EIO, EROFS};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (number == numbers[i]) {
            return true;
        }
    }
    return false;
}

/* The library below says that writing failed, and not why: errno may still know, a full file system speaks for itself. */
static int reason(const store *s, int code, int last)
{
    if (code > 0) { /* the system's own */
        return code;
    }
    if (code == NC_ENOMEM) {
        return ENOMEM;
    }
    if (is_of_writing(last)) {
        return last;
    }
    struct statvfs room;
    return statvfs(s->path, &room) == 0 && room.f_blocks > 0 && room.f_bavail == 0 ? ENOSPC : EIO;
}

static bool broken; /* what the library below holds of a file that it could not write */

bool store_is_broken(void)
{
    return broken;
}

static bool note(store *s, int code)
{
    const int last = errno;
    if (code != NC_NOERR && !s->failure) {
        s->failure = reason(s, code, last);
        broken = true;
    }
    return code == NC_NOERR;
}

/* Whether what is still in memory has room on the disk: where it has not, writing it would leave a file that nobody can read. The room
 * is taken and given back. */
static bool has_room(store *s)
{
    struct stat now;
    const int fd = open(s->path, O_WRONLY | O_CLOEXEC);
    int code = fd < 0 || fstat(fd, &now) != 0 ? errno : 0;
    if (!code) {
        code = posix_fallocate(fd, now.st_size, (off_t)(s->kept + SPARE));
        if (ftruncate(fd, now.st_size) != 0 && !code) {
            code = errno;
        }
    }
    if (fd >= 0) {
        close(fd);
    }
    return note(s, is_of_writing(code) ? code : 0); /* a file system may not know how to reserve */
}

static bool ready(const store *s)
{
    errno = 0;
    return s->failure == 0;
}

int store_failed(const store *s)
{
    return s->failure;
}

/* ---- opening and closing ---- */

static store *create(const char *path, bool written)
{
    store *s = calloc(1, sizeof *s);
    char *copy = malloc(strlen(path) + 1);
    if (!s || !copy) {
        free(s);
        free(copy);
        return NULL;
    }
    memcpy(copy, path, strlen(path) + 1);
    *s = (store){.path = copy, .written = written};
    return s;
}

static void release(store *s)
{
    free(s->path);
    free(s);
}

detent_status store_create(const char *path, store **place, detent_error *error)
{
    store *s = *place = create(path, true);
    if (!s) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    errno = 0;
    if (!note(s, nc_create(path, NC_NETCDF4 | NC_CLOBBER, &s->id))) {
        const int failure = s->failure;
        release(s);
        *place = NULL;
        return report(error, failure == ENOMEM ? DETENT_ERROR_MEMORY : DETENT_ERROR_IO,
                      "cannot write %s: %s", path, strerror(failure));
    }
    int before;
    note(s, nc_set_fill(s->id, NC_FILL, &before));
    return DETENT_OK;
}

int store_close(store *s)
{
    if (!s) {
        return 0;
    }
    if (!s->written || (ready(s) && has_room(s))) {
        const int code = nc_close(s->id);
        if (s->written) {
            note(s, code);
        }
    } /* else it stays as it was when it was made safe last, which closing it would only spoil */
    const int failure = s->failure;
    release(s);
    return failure;
}

void store_sync(store *s)
{
    if (ready(s) && has_room(s)) {
        note(s, nc_sync(s->id));
    }
}

/* ---- definitions ---- */

int store_dimension(store *s, const char *name, size_t length)
{
    int id = -1;
    if (ready(s)) {
        note(s, nc_def_dim(s->id, name, length > 0 ? length : NC_UNLIMITED, &id));
    }
    return id;
}

static nc_type type_of(store_type type)
{
    static const nc_type types[] = {NC_BYTE, NC_INT, NC_INT64, NC_DOUBLE, NC_CHAR, NC_STRING};
    return types[type];
}

static size_t chunk_bytes(const store_shape *shape)
{
    static const size_t sizes[] = {1, 4, 8, 8, 1, sizeof(char *)};
    size_t bytes = sizes[shape->type];
    for (int k = 0; k < shape->rank; k++) {
        bytes *= shape->chunk[k];
    }
    return bytes;
}

/* No more of a variable in memory than the chunk at hand. */
static void lay_out(store *s, int id, const store_shape *shape)
{
    if (shape->rank == 0 || shape->chunk[0] == 0) {
        return;
    }
    note(s, nc_def_var_chunking(s->id, id, NC_CHUNKED, shape->chunk));
    note(s, nc_set_var_chunk_cache(s->id, id, chunk_bytes(shape), 1, 1));
    s->kept += chunk_bytes(shape);
    if (shape->packed) {
        note(s, nc_def_var_deflate(s->id, id, shape->type != STORE_CHAR, 1, DEFLATE_LEVEL));
    }
}

int store_variable(store *s, const char *name, const store_shape *shape)
{
    int id = -1;
    if (!ready(s) || !note(s, nc_def_var(s->id, name, type_of(shape->type), shape->rank,
                                         shape->dimension, &id))) {
        return -1;
    }
    lay_out(s, id, shape);
    if (shape->type == STORE_DOUBLE && shape->rank > 0) { /* what was never written is no number */
        const double none = NAN;
        note(s, nc_def_var_fill(s->id, id, 0, &none));
    }
    return id;
}

static int place_of(int variable)
{
    return variable < 0 ? NC_GLOBAL : variable;
}

void store_text(store *s, int variable, const char *name, const char *text)
{
    if (ready(s)) {
        note(s, nc_put_att_text(s->id, place_of(variable), name, strlen(text), text));
    }
}

void store_number(store *s, int variable, const char *name, double value)
{
    if (ready(s)) {
        note(s, nc_put_att_double(s->id, place_of(variable), name, NC_DOUBLE, 1, &value));
    }
}

void store_numbers(store *s, int variable, const char *name, const double *values, size_t count)
{
    nc_type type;
    if (ready(s) && note(s, nc_inq_vartype(s->id, variable, &type))) {
        note(s, nc_put_att_double(s->id, variable, name, type, count, values));
    }
}

/* ---- values ---- */

void store_put(store *s, int variable, const size_t *start, const size_t *count,
               const double *values)
{
    if (ready(s)) {
        note(s, nc_put_vara_double(s->id, variable, start, count, values));
    }
}

void store_put_text(store *s, int variable, const size_t *start, const size_t *count,
                    const char *text)
{
    if (ready(s)) {
        note(s, nc_put_vara_text(s->id, variable, start, count, text));
    }
}

void store_put_strings(store *s, int variable, const size_t *start, const size_t *count,
                       const char **strings)
{
    if (ready(s)) {
        note(s, nc_put_vara_string(s->id, variable, start, count, strings));
    }
}

/* ---- reading ---- */

detent_status store_open(const char *path, store **place, detent_error *error)
{
    store *s = *place = create(path, false);
    if (!s) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    nc_set_chunk_cache(READ_CACHE, READ_CHUNKS, 1);
    const int code = nc_open(path, NC_NOWRITE, &s->id);
    if (code != NC_NOERR) {
        release(s);
        *place = NULL;
        return report(error, DETENT_ERROR_IO, "cannot read %s: %s", path,
                      code > 0 ? strerror(code) : "it is no record, or a damaged one");
    }
    return DETENT_OK;
}

size_t store_length(store *s, const char *dimension)
{
    int id;
    size_t length = 0;
    return nc_inq_dimid(s->id, dimension, &id) == NC_NOERR &&
                   nc_inq_dimlen(s->id, id, &length) == NC_NOERR
               ? length
               : 0;
}

int store_find(store *s, const char *variable)
{
    int id;
    return nc_inq_varid(s->id, variable, &id) == NC_NOERR ? id : -1;
}

bool store_get(store *s, int variable, const size_t *start, const size_t *count, double *values)
{
    return nc_get_vara_double(s->id, variable, start, count, values) == NC_NOERR;
}

bool store_get_text(store *s, int variable, const size_t *start, const size_t *count, char *text)
{
    return nc_get_vara_text(s->id, variable, start, count, text) == NC_NOERR;
}

void store_lack_memory(store *s)
{
    s->failure = ENOMEM;
}

static char *copy_of(store *s, const char *text, size_t length)
{
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    } else {
        store_lack_memory(s);
    }
    return copy;
}

char *store_get_string(store *s, int variable, size_t index)
{
    char *text = NULL, *copy = NULL;
    nc_type type;
    if (variable >= 0 && nc_inq_vartype(s->id, variable, &type) == NC_NOERR && type == NC_STRING &&
        nc_get_var1_string(s->id, variable, &index, &text) == NC_NOERR && text) {
        copy = copy_of(s, text, strlen(text));
        nc_free_string(1, &text);
    }
    return copy;
}

char *store_get_attribute(store *s, int variable, const char *name)
{
    nc_type type;
    size_t length;
    const int place = place_of(variable);
    if (nc_inq_att(s->id, place, name, &type, &length) != NC_NOERR) {
        return NULL;
    }
    if (type == NC_CHAR) {
        char *text = malloc(length + 1);
        if (!text) {
            store_lack_memory(s);
        }
        if (text && nc_get_att_text(s->id, place, name, text) == NC_NOERR) {
            text[length] = '\0';
            return text;
        }
        free(text);
        return NULL;
    }
    double value;
    char text[NUMBER_SIZE];
    if (length != 1 || type == NC_STRING ||
        nc_get_att_double(s->id, place, name, &value) != NC_NOERR) {
        return NULL;
    }
    return copy_of(s, text, number_text(text, value));
}

bool store_attribute_name(store *s, int variable, int place, char *name, size_t size)
{
    char own[NC_MAX_NAME + 1];
    if (nc_inq_attname(s->id, place_of(variable), place, own) != NC_NOERR) {
        return false;
    }
    snprintf(name, size, "%s", own);
    return true;
}
