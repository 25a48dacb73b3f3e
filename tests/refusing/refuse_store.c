/*
 * Stands between the program and the library that writes its records (--wrap): the call whose number, from 0, is in DETENT_TEST_STORE_FAILS fails with the
 * code in DETENT_TEST_STORE_CODE, and no other. How many there were is written into the file that DETENT_TEST_STORE_CALLS names.
 */
#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned long calls;

/* What the next call is told; NC_NOERR: it is made. */
static int failure(void)
{
    const char *call = getenv("DETENT_TEST_STORE_FAILS"), *code = getenv("DETENT_TEST_STORE_CODE");
    const int is_it = call && strtoul(call, NULL, 10) == calls;
    calls++;
    errno = is_it ? 0 : errno;
    return is_it && code ? (int)strtol(code, NULL, 10) : NC_NOERR;
}

/* A function of the library, its parameters and their names. */
#define REFUSABLE(name, parameters, arguments)                    \
    int __real_##name parameters;                                 \
    int __wrap_##name parameters;                                 \
    int __wrap_##name parameters                                  \
    {                                                             \
        const int code = failure();                               \
        return code != NC_NOERR ? code : __real_##name arguments; \
    }

REFUSABLE(nc_create, (const char *path, int mode, int *id), (path, mode, id))
REFUSABLE(nc_set_fill, (int id, int mode, int *before), (id, mode, before))
REFUSABLE(nc_sync, (int id), (id))
REFUSABLE(nc_close, (int id), (id))
REFUSABLE(nc_def_dim, (int id, const char *name, size_t length, int *dimension),
          (id, name, length, dimension))
REFUSABLE(nc_def_var,
          (int id, const char *name, nc_type type, int rank, const int *dimensions, int *variable),
          (id, name, type, rank, dimensions, variable))
REFUSABLE(nc_def_var_chunking, (int id, int variable, int storage, const size_t *sizes),
          (id, variable, storage, sizes))
REFUSABLE(nc_set_var_chunk_cache,
          (int id, int variable, size_t size, size_t count, float preemption),
          (id, variable, size, count, preemption))
REFUSABLE(nc_def_var_deflate, (int id, int variable, int shuffle, int deflate, int level),
          (id, variable, shuffle, deflate, level))
REFUSABLE(nc_def_var_fill, (int id, int variable, int none, const void *value),
          (id, variable, none, value))
REFUSABLE(nc_inq_vartype, (int id, int variable, nc_type *type), (id, variable, type))
REFUSABLE(nc_put_att_text,
          (int id, int variable, const char *name, size_t length, const char *text),
          (id, variable, name, length, text))
REFUSABLE(nc_put_att_double,
          (int id, int variable, const char *name, nc_type type, size_t length,
           const double *values),
          (id, variable, name, type, length, values))
REFUSABLE(nc_put_vara_double,
          (int id, int variable, const size_t *start, const size_t *count, const double *values),
          (id, variable, start, count, values))
REFUSABLE(nc_put_vara_text,
          (int id, int variable, const size_t *start, const size_t *count, const char *text),
          (id, variable, start, count, text))
REFUSABLE(nc_put_vara_string,
          (int id, int variable, const size_t *start, const size_t *count, const char **texts),
          (id, variable, start, count, texts))

static void __attribute__((destructor)) tell(void)
{
    const char *path = getenv("DETENT_TEST_STORE_CALLS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%lu\n", calls);
        fclose(file);
    }
}
