/* Stores of a build without NetCDF: none can be opened, so nothing else here is ever called. */
#include "store.h"

#include "message.h"
#include "report_column.h"

#define UNUSED(name) ((void)(name))

detent_status store_available(detent_error *error)
{
    return report(error, DETENT_ERROR_ARGUMENT,
                  "this build of detent has no recording: it was made without NetCDF and zlib");
}

detent_status store_create(const char *path, store **place, detent_error *error)
{
    UNUSED(path);
    *place = NULL;
    return store_available(error);
}

detent_status store_open(const char *path, store **place, detent_error *error)
{
    return store_create(path, place, error);
}

int store_dimension(store *s, const char *name, size_t length)
{
    UNUSED(s), UNUSED(name), UNUSED(length);
    return -1;
}

int store_variable(store *s, const char *name, const store_shape *shape)
{
    UNUSED(s), UNUSED(name), UNUSED(shape);
    return -1;
}

void store_text(store *s, int variable, const char *name, const char *text)
{
    UNUSED(s), UNUSED(variable), UNUSED(name), UNUSED(text);
}

void store_number(store *s, int variable, const char *name, double value)
{
    UNUSED(s), UNUSED(variable), UNUSED(name), UNUSED(value);
}

void store_numbers(store *s, int variable, const char *name, const double *values, size_t count)
{
    UNUSED(s), UNUSED(variable), UNUSED(name), UNUSED(values), UNUSED(count);
}

void store_put(store *s, int variable, const size_t *start, const size_t *count,
               const double *values)
{
    UNUSED(s), UNUSED(variable), UNUSED(start), UNUSED(count), UNUSED(values);
}

void store_put_text(store *s, int variable, const size_t *start, const size_t *count,
                    const char *text)
{
    UNUSED(s), UNUSED(variable), UNUSED(start), UNUSED(count), UNUSED(text);
}

void store_put_strings(store *s, int variable, const size_t *start, const size_t *count,
                       const char **strings)
{
    UNUSED(s), UNUSED(variable), UNUSED(start), UNUSED(count), UNUSED(strings);
}

void store_sync(store *s)
{
    UNUSED(s);
}

int store_failed(const store *s)
{
    UNUSED(s);
    return 0;
}

bool store_is_broken(void)
{
    return false;
}

int store_close(store *s)
{
    UNUSED(s);
    return 0;
}

size_t store_length(store *s, const char *dimension)
{
    UNUSED(s), UNUSED(dimension);
    return 0;
}

int store_find(store *s, const char *variable)
{
    UNUSED(s), UNUSED(variable);
    return -1;
}

bool store_get(store *s, int variable, const size_t *start, const size_t *count, double *values)
{
    UNUSED(s), UNUSED(variable), UNUSED(start), UNUSED(count), UNUSED(values);
    return false;
}

bool store_get_text(store *s, int variable, const size_t *start, const size_t *count, char *text)
{
    UNUSED(s), UNUSED(variable), UNUSED(start), UNUSED(count), UNUSED(text);
    return false;
}

char *store_get_string(store *s, int variable, size_t index)
{
    UNUSED(s), UNUSED(variable), UNUSED(index);
    return NULL;
}

char *store_get_attribute(store *s, int variable, const char *name)
{
    UNUSED(s), UNUSED(variable), UNUSED(name);
    return NULL;
}

void store_lack_memory(store *s)
{
    UNUSED(s);
}

bool store_attribute_name(store *s, int variable, int place, char *name, size_t size)
{
    UNUSED(s), UNUSED(variable), UNUSED(place), UNUSED(name), UNUSED(size);
    return false;
}

/* ---- columns of pages, which zlib packs ---- */

bool report_column(json_writer *json, const char *key, report_number type,
                   const report_table *table)
{
    UNUSED(json), UNUSED(key), UNUSED(type), UNUSED(table);
    return false;
}

bool report_column_or_one(json_writer *json, const char *key, const report_table *table)
{
    return report_column(json, key, REPORT_FLOAT, table);
}
