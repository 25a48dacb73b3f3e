/* Lines and fields of a file of numbers. */
#include "format/csv.h"

#include "base/text.h"
#include "model/mechanism.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The path of a file that a mechanism file names: from its own folder. */
static const char *path_of(dt_reader *reader, const char *name)
{
    const char *slash = reader->file ? strrchr(reader->file, '/') : NULL;
    const size_t folder = slash && name[0] != '/' ? (size_t)(slash - reader->file) + 1 : 0,
                 length = strlen(name);
    char *path = dt_arena_alloc(&reader->m->arena, folder + length + 1, 1);
    if (path) {
        memcpy(path, folder ? reader->file : "", folder);
        memcpy(path + folder, name, length + 1);
    }
    return path;
}

detent_status dt_csv_open(dt_reader *reader, const dt_yaml_node *named, dt_csv *csv)
{
    const dt_location where = dt_node_place(reader, named);
    char *text = NULL;
    size_t length = 0;
    if (!dt_yaml_is_text(named) || !*named->text) {
        return dt_fail_kind(reader, named, "the path of a file");
    }
    *csv = (dt_csv){.reader = reader, .path = path_of(reader, named->text)};
    if (!csv->path) {
        return dt_fail_memory(reader);
    }
    const detent_status status =
        dt_read_bytes(csv->path, &reader->arena, &text, &length, reader->error);
    if (status == DETENT_ERROR_IO) {
        return dt_fail(reader->error, status, &where, "cannot read the table '%s'", csv->path);
    }
    csv->text = text;
    csv->end = text + length;
    dt_csv_rewind(csv);
    return status;
}

void dt_csv_rewind(dt_csv *csv)
{
    csv->next = csv->text;
    csv->number = 0;
}

bool dt_csv_next(dt_csv *csv)
{
    while (csv->next < csv->end) {
        const char *stop = memchr(csv->next, '\n', (size_t)(csv->end - csv->next));
        stop = stop ? stop : csv->end;
        const char *comment = memchr(csv->next, '#', (size_t)(stop - csv->next));
        csv->line = csv->next;
        csv->stop = comment ? comment : stop;
        csv->next = stop + 1;
        csv->number++;
        const dt_csv_field first = dt_csv_field_at(csv, csv->line);
        if (first.length > 0 || first.next) {
            return true;
        }
    }
    return false;
}

dt_csv_field dt_csv_field_at(const dt_csv *csv, const char *text)
{
    const char *stop = memchr(text, ',', (size_t)(csv->stop - text));
    const char *next = stop ? stop + 1 : NULL;
    stop = stop ? stop : csv->stop;
    while (text < stop && is_blank(*text)) {
        text++;
    }
    while (stop > text && is_blank(stop[-1])) {
        stop--;
    }
    return (dt_csv_field){text, (size_t)(stop - text), next};
}

bool dt_csv_number(const dt_csv_field *field, double *value)
{
    return dt_parse_number(field->start, field->length, value) && isfinite(*value);
}

dt_location dt_csv_place(const dt_csv *csv, const dt_csv_field *field)
{
    return (dt_location){csv->path, csv->number, (int)(field->start - csv->line) + 1};
}

detent_status dt_csv_fail_number(const dt_csv *csv, const dt_csv_field *field)
{
    const dt_location where = dt_csv_place(csv, field);
    csv->reader->elsewhere = true;
    return dt_fail(csv->reader->error, DETENT_ERROR_SYNTAX, &where,
                   "a finite number is expected here, not '%.*s'",
                   (int)(field->length < 40 ? field->length : 40), field->start);
}

detent_status dt_csv_fail(const dt_csv *csv, const dt_csv_field *field, const char *format, ...)
{
    char why[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    const dt_location where = dt_csv_place(csv, field);
    csv->reader->elsewhere = true;
    return dt_fail(csv->reader->error, DETENT_ERROR_MODEL, &where, "%s", why);
}
