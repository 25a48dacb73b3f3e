/* Two columns of a CSV file beside a mechanism file. */
#include "format/table.h"

#include "base/text.h"
#include "model/mechanism.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* A field: where it starts, how long it is without the blanks around it, and where the next one is. */
typedef struct field {
    const char *start;
    size_t length;
    const char *next; /* NULL: none */
} field;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static field field_at(const char *text, const char *end)
{
    const char *stop = memchr(text, ',', (size_t)(end - text));
    const char *next = stop ? stop + 1 : NULL;
    stop = stop ? stop : end;
    while (text < stop && is_blank(*text)) {
        text++;
    }
    while (stop > text && is_blank(stop[-1])) {
        stop--;
    }
    return (field){text, (size_t)(stop - text), next};
}

/* The two numbers of a line; the number of the field that is none, or -1. */
static int read_line(const char *line, const char *end, field fields[2], double values[2])
{
    for (int k = 0; k < 2; k++) {
        fields[k] = field_at(line, end);
        if (!dt_parse_number(fields[k].start, fields[k].length, &values[k]) ||
            !isfinite(values[k])) {
            return k;
        }
        line = fields[k].next ? fields[k].next : end;
    }
    return -1;
}

static bool begins_a_number(const field *f)
{
    return f->length > 0 && (isdigit((unsigned char)*f->start) || strchr("+-.", *f->start));
}

/* What is being read. */
typedef struct source {
    dt_reader *reader;
    const char *path;
    int line;
    bool begun; /* a head, or numbers, have been there */
} source;

static detent_status take_line(source *s, const char *line, const char *end, dt_column column[2])
{
    field fields[2] = {{0}};
    double values[2];
    const char *comment = memchr(line, '#', (size_t)(end - line));
    end = comment ? comment : end;
    const field first = field_at(line, end);
    if (first.length == 0 && !first.next) {
        return DETENT_OK;
    }
    const int bad = read_line(line, end, fields, values);
    const bool head = bad >= 0 && !s->begun && !begins_a_number(&fields[bad]);
    s->begun = true;
    if (bad >= 0 && !head) {
        const dt_location where = {s->path, s->line, (int)(fields[bad].start - line) + 1};
        s->reader->elsewhere = true;
        return dt_fail(s->reader->error, DETENT_ERROR_SYNTAX, &where,
                       "a finite number is expected here, not '%.*s'",
                       (int)(fields[bad].length < 40 ? fields[bad].length : 40), fields[bad].start);
    }
    for (int k = 0; k < 2 && !head; k++) {
        column[k].value[column[k].count] = values[k];
        column[k].place[column[k].count++] =
            (dt_location){s->path, s->line, (int)(fields[k].start - line) + 1};
    }
    return DETENT_OK;
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

static detent_status make_room(dt_reader *reader, const char *text, size_t length,
                               dt_column column[2])
{
    size_t lines = 1;
    for (size_t k = 0; k < length; k++) {
        lines += text[k] == '\n';
    }
    for (int k = 0; k < 2; k++) {
        column[k] = (dt_column){.dimension = dt_dimension_unknown};
        column[k].value = dt_arena_alloc(&reader->arena, lines, sizeof *column[k].value);
        column[k].place = dt_arena_alloc(&reader->arena, lines, sizeof *column[k].place);
        if (!column[k].value || !column[k].place) {
            return dt_fail_memory(reader);
        }
    }
    return DETENT_OK;
}

detent_status dt_read_csv(dt_reader *reader, const dt_yaml_node *named, dt_column column[2])
{
    const dt_location where = dt_node_place(reader, named);
    char *text = NULL;
    size_t length = 0;
    if (!dt_yaml_is_text(named) || !*named->text) {
        return dt_fail_kind(reader, named, "the path of a file");
    }
    source s = {.reader = reader, .path = path_of(reader, named->text), .line = 1};
    if (!s.path) {
        return dt_fail_memory(reader);
    }
    detent_status status = dt_read_bytes(s.path, &reader->arena, &text, &length, reader->error);
    if (status == DETENT_ERROR_IO) {
        return dt_fail(reader->error, status, &where, "cannot read the table '%s'", s.path);
    }
    status = status ? status : make_room(reader, text, length, column);
    for (const char *line = text, *end = text + length; !status && line < end; s.line++) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        status = take_line(&s, line, stop, column);
        line = stop + 1;
    }
    return status;
}
