#include "record_file.h"

#include "message.h"

#include <math.h>
#include <stdlib.h>

enum { READ_BYTES = 4 << 20 };

/* Rows whose time is there: a program that was killed may have left more of the others. */
static size_t count_rows(const record_file *file)
{
    size_t rows = file->count[RECORD_TIME];
    double time = NAN;
    while (rows > 0) {
        record_file_rows(file, NULL, rows - 1, 1, &time);
        if (!isnan(time)) {
            return rows;
        }
        rows--;
    }
    return 0;
}

static detent_status check_format(const record_file *file, detent_error *error)
{
    char *text = store_get_attribute(file->store, -1, "detent_record");
    const double format = text ? strtod(text, NULL) : 0;
    free(text);
    if (store_failed(file->store)) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory for %s", file->path);
    }
    if (format < 1) {
        return report(error, DETENT_ERROR_IO, "%s is no record of detent", file->path);
    }
    return format <= RECORD_FORMAT
               ? DETENT_OK
               : report(error, DETENT_ERROR_IO, "%s was recorded by a later detent", file->path);
}

detent_status record_file_open(record_file *file, const char *path, detent_error *error)
{
    *file = (record_file){.path = path};
    detent_status status = store_open(path, &file->store, error);
    status = status ? status : check_format(file, error);
    if (status) {
        record_file_close(file);
        return status;
    }
    for (int d = 0; d < RECORD_DIMENSIONS; d++) {
        file->count[d] = store_length(file->store, record_dimension_names[d]);
    }
    file->count[RECORD_NONE] = 1;
    file->rows = count_rows(file);
    file->events = file->count[RECORD_EVENT];
    file->instants = file->count[RECORD_INSTANT];
    file->story = file->count[RECORD_STORY];
    if (file->rows == 0) {
        record_file_close(file);
        return report(error, DETENT_ERROR_IO, "%s has no rows", path);
    }
    return DETENT_OK;
}

void record_file_close(record_file *file)
{
    store_close(file->store);
    file->store = NULL;
}

size_t record_file_width(const record_file *file, const record_part *part)
{
    return store_find(file->store, part->name) < 0
               ? 0
               : file->count[part->items] * file->count[part->components];
}

static void read_rows(const record_file *file, const char *name, const size_t *start,
                      const size_t *count, size_t length, double *values)
{
    const int variable = store_find(file->store, name);
    if (variable < 0 || !store_get(file->store, variable, start, count, values)) {
        for (size_t i = 0; i < length; i++) {
            values[i] = NAN;
        }
    }
}

void record_file_rows(const record_file *file, const record_part *part, size_t first, size_t rows,
                      double *values)
{
    const size_t start[STORE_RANK] = {first};
    size_t count[STORE_RANK] = {rows}, length = rows;
    int rank = 1;
    if (part && part->items != RECORD_NONE) {
        count[rank++] = file->count[part->items];
        length *= file->count[part->items];
    }
    if (part && part->components != RECORD_NONE) {
        count[rank++] = file->count[part->components];
        length *= file->count[part->components];
    }
    read_rows(file, part ? part->name : "time", start, count, length, values);
}

void record_file_sides(const record_file *file, size_t first, size_t count, double *values)
{
    read_rows(file, "side", &first, &count, count, values);
}

double record_file_number(const record_file *file, const char *list, size_t index, double missing)
{
    const int variable = store_find(file->store, list);
    const size_t one = 1;
    double value;
    return variable >= 0 && store_get(file->store, variable, &index, &one, &value) ? value
                                                                                   : missing;
}

void record_file_list(const record_file *file, const char *list, size_t count, double *values)
{
    const size_t start = 0;
    if (count > 0) {
        read_rows(file, list, &start, &count, count, values);
    }
}

char *record_file_text(const record_file *file, const char *list, size_t index)
{
    return store_get_string(file->store, store_find(file->store, list), index);
}

size_t record_file_block(const record_file *file, size_t width)
{
    const size_t rows = READ_BYTES / sizeof(double) / (width > 0 ? width : 1);
    return rows < 1 ? 1 : rows < file->rows ? rows : file->rows;
}
