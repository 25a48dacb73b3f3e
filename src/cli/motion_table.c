#include "motion_table.h"

#include "analysis.h"
#include "nearest.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

/* What a column of the file is. */
typedef enum role { OTHER, TIME, POSITION, VELOCITY, ACCELERATION } role;

typedef struct column {
    role role;
    size_t index; /* of the vector */
} column;

typedef struct reader {
    motion_table *table;
    const detent_mechanism *mechanism;
    detent_error *error;
    const char *path;
    char *text, *at;
    int line;
    const char *line_start;
    column *columns;
    size_t count, capacity;
} reader;

static detent_status fail(const reader *r, detent_status status, const char *place,
                          const char *format, ...) PRINTF_LIKE(4, 5);

static detent_status fail(const reader *r, detent_status status, const char *place,
                          const char *format, ...)
{
    va_list arguments;
    *r->error = (detent_error){.status = status};
    snprintf(r->error->file, sizeof r->error->file, "%s",
             strcmp(r->path, "-") == 0 ? "<stdin>" : r->path);
    if (place) {
        r->error->line = r->line;
        r->error->column = (int)(place - r->line_start) + 1;
    }
    va_start(arguments, format);
    vsnprintf(r->error->message, sizeof r->error->message, format, arguments);
    va_end(arguments);
    return status;
}

/* ---- the file ---- */

static detent_status read_text(reader *r)
{
    const bool is_stdin = strcmp(r->path, "-") == 0;
    FILE *file = is_stdin ? stdin : fopen(r->path, "r");
    size_t length = 0, capacity = 1 << 16;
    if (!file) {
        return fail(r, DETENT_ERROR_IO, NULL, "cannot open the table: %s", strerror(errno));
    }
    r->text = malloc(capacity);
    while (r->text) {
        length += fread(r->text + length, 1, capacity - length - 1, file);
        if (length < capacity - 1) {
            break;
        }
        char *longer = realloc(r->text, capacity *= 2);
        if (!longer) {
            free(r->text);
        }
        r->text = longer;
    }
    const bool failed = ferror(file) != 0;
    if (!is_stdin) {
        fclose(file);
    }
    if (!r->text) {
        return fail(r, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    r->text[length] = '\0';
    if (failed) {
        return fail(r, DETENT_ERROR_IO, NULL, "cannot read the table: %s", strerror(errno));
    }
    return strlen(r->text) == length
               ? DETENT_OK
               : fail(r, DETENT_ERROR_SYNTAX, NULL, "a table was expected, and not a binary file");
}

/* The next field of the line, its quotes taken off in place; `*place` is where it began. NULL: the line is over. */
static char *next_field(reader *r, bool *is_last, const char **place)
{
    char *field = r->at, *out = r->at, *in = r->at;
    bool quoted = false;
    *place = r->at;
    for (; *in && (quoted || (*in != ',' && *in != '\n')); in++) {
        if (*in == '"' && quoted && in[1] == '"') {
            *out++ = *in++;
        } else if (*in == '"') {
            quoted = !quoted;
        } else if (*in != '\r' || quoted) {
            *out++ = *in;
        }
    }
    *is_last = *in != ',';
    r->at = *in ? in + 1 : in;
    *out = '\0';
    return field;
}

static void begin_line(reader *r)
{
    r->line++;
    r->line_start = r->at;
}

/* ---- the head ---- */

static bool is_column(const char *field, const char *function, const char *item, char component)
{
    char name[NAME_SIZE];
    if (component) {
        snprintf(name, sizeof name, "%s(%s, %c)", function, item, component);
    } else {
        snprintf(name, sizeof name, "%s(%s)", function, item);
    }
    return strcmp(field, name) == 0;
}

/* Whether the field is a part of that vector of the primitive: which one. */
static bool find_part(const char *field, const char *function, const char *item, size_t first,
                      size_t count, size_t *index)
{
    const char *components = count == 4 ? "wxyz" : "xyz";
    for (size_t k = 0; k < count; k++) {
        if (is_column(field, function, item, count > 1 ? components[k] : '\0')) {
            *index = first + k;
            return true;
        }
    }
    return false;
}

static column find_column(const reader *r, const char *field)
{
    column found = {OTHER, 0};
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    if (strcmp(field, "time") == 0 || strcmp(field, "t") == 0) {
        return (column){TIME, 0};
    }
    for (size_t i = 0; detent_get_primitive(r->mechanism, i, &p) == DETENT_OK; i++) {
        found.role =
            find_part(field, "position", p.name, p.first_coordinate, p.coordinates, &found.index)
                ? POSITION
            : find_part(field, "velocity", p.name, p.first_freedom, p.freedoms, &found.index)
                ? VELOCITY
            : find_part(field, "acceleration", p.name, p.first_freedom, p.freedoms, &found.index)
                ? ACCELERATION
                : OTHER;
        if (found.role != OTHER) {
            break;
        }
    }
    return found;
}

/* A column that looks like one of a joint, and is of none, nor of a body: a mistake. */
static detent_status check_other(const reader *r, const char *field, const char *place)
{
    static const char *const functions[] = {"position(", "velocity(", "acceleration("};
    char item[NAME_SIZE];
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
        const size_t length = strlen(functions[k]);
        if (strncmp(field, functions[k], length) != 0) {
            continue;
        }
        const size_t end = strcspn(field + length, ",)");
        snprintf(item, sizeof item, "%.*s", (int)end, field + length);
        const char *closing = strchr(field + length, ')');
        if (closing && closing[1] == '\0' && detent_find(r->mechanism, DETENT_BODY, item) < 0 &&
            detent_find(r->mechanism, DETENT_PRIMITIVE, item) < 0) {
            const char *nearest = NULL, *name;
            for (size_t i = 0; (name = detent_name(r->mechanism, DETENT_PRIMITIVE, i)); i++) {
                nearest = !nearest && is_near(item, name) ? name : nearest;
            }
            return fail(r, DETENT_ERROR_SYNTAX, place, "column '%s': there is no joint '%s'%s%s%s",
                        field, item, nearest ? "; did you mean '" : "", nearest ? nearest : "",
                        nearest ? "'?" : "");
        }
    }
    return DETENT_OK;
}

static detent_status read_head(reader *r)
{
    bool is_last = false, has_time = false;
    const char *place = r->at;
    begin_line(r);
    while (!is_last) {
        const char *field = next_field(r, &is_last, &place);
        if (r->count == r->capacity) {
            r->capacity = 2 * r->capacity + 16;
            column *longer = realloc(r->columns, r->capacity * sizeof *longer);
            if (!longer) {
                return fail(r, DETENT_ERROR_MEMORY, NULL, "out of memory");
            }
            r->columns = longer;
        }
        const column found = find_column(r, field);
        for (size_t k = 0; k < r->count && found.role != OTHER; k++) {
            if (r->columns[k].role == found.role && r->columns[k].index == found.index) {
                return fail(r, DETENT_ERROR_SYNTAX, place, "column '%s' is there twice", field);
            }
        }
        const detent_status status = found.role == OTHER ? check_other(r, field, place) : DETENT_OK;
        if (status) {
            return status;
        }
        has_time = has_time || found.role == TIME;
        r->columns[r->count++] = found;
    }
    return has_time ? DETENT_OK
                    : fail(r, DETENT_ERROR_SYNTAX, r->line_start,
                           "the head of a table was expected, with a column 'time'");
}

static bool has_column(const reader *r, role what, size_t index)
{
    for (size_t k = 0; k < r->count; k++) {
        if (r->columns[k].role == what && r->columns[k].index == index) {
            return true;
        }
    }
    return false;
}

/* All columns of a primitive, or none. */
static detent_status check_primitive(reader *r, const detent_primitive_info *p)
{
    const struct {
        role role;
        const char *function;
        size_t first, count;
    } parts[] = {{POSITION, "position", p->first_coordinate, p->coordinates},
                 {VELOCITY, "velocity", p->first_freedom, p->freedoms},
                 {ACCELERATION, "acceleration", p->first_freedom, p->freedoms}};
    size_t have = 0, all = 0;
    const char *missing = NULL;
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        for (size_t k = 0; k < parts[part].count; k++) {
            const bool there = has_column(r, parts[part].role, parts[part].first + k);
            have += there;
            all++;
            missing = there ? missing : parts[part].function;
        }
    }
    if (have > 0 && have < all) {
        return fail(r, DETENT_ERROR_SYNTAX, r->line_start,
                    "joint '%s' has columns, but not all of '%s': position, velocity and "
                    "acceleration go together",
                    p->name, missing);
    }
    for (size_t k = 0; k < p->freedoms && have > 0; k++) {
        r->table->given[p->first_freedom + k] = true;
        r->table->given_count++;
    }
    return DETENT_OK;
}

/* ---- the rows ---- */

static detent_status store(reader *r, size_t row, const column *of, const char *field,
                           const char *place)
{
    motion_table *table = r->table;
    char *end;
    const double value = strtod(field, &end);
    if (of->role == OTHER) {
        return DETENT_OK;
    }
    if (end == field || *end || !isfinite(value)) {
        return fail(r, DETENT_ERROR_SYNTAX, place, "a finite number was expected, not '%.40s'",
                    field);
    }
    double *const places[] = {[TIME] = table->time + row,
                              [POSITION] = table->q + row * table->coordinates,
                              [VELOCITY] = table->v + row * table->freedoms,
                              [ACCELERATION] = table->a + row * table->freedoms};
    places[of->role][of->index] = value;
    return DETENT_OK;
}

static detent_status read_rows(reader *r)
{
    detent_status status = DETENT_OK;
    while (*r->at && !status) {
        const char *place = r->at;
        bool is_last = false;
        size_t k = 0;
        begin_line(r);
        if (*r->at == '\n' || *r->at == '\r') {
            next_field(r, &is_last, &place);
            continue;
        }
        while (!is_last && !status) {
            const char *field = next_field(r, &is_last, &place);
            status = k < r->count ? store(r, r->table->rows, &r->columns[k], field, place)
                                  : fail(r, DETENT_ERROR_SYNTAX, place,
                                         "more fields than the %zu columns of the head", r->count);
            k++;
        }
        if (!status && k < r->count) {
            status = fail(r, DETENT_ERROR_SYNTAX, r->line_start,
                          "%zu fields, and the head has %zu columns", k, r->count);
        }
        r->table->rows++;
    }
    if (!status && r->table->rows == 0) {
        status = fail(r, DETENT_ERROR_SYNTAX, r->line_start, "the table has no rows");
    }
    return status;
}

static double *unknown(size_t rows, size_t columns)
{
    double *values = malloc((rows * columns + 1) * sizeof *values);
    for (size_t k = 0; values && k < rows * columns; k++) {
        values[k] = NAN;
    }
    return values;
}

/* Room for as many rows as there are lines. */
static bool make_room(reader *r)
{
    motion_table *table = r->table;
    size_t lines = 1;
    for (const char *c = r->at; *c; c++) {
        lines += *c == '\n';
    }
    table->time = unknown(lines, 1);
    table->q = unknown(lines, table->coordinates);
    table->v = unknown(lines, table->freedoms);
    table->a = unknown(lines, table->freedoms);
    return table->time && table->q && table->v && table->a;
}

static detent_status read_table(reader *r)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_status status = read_text(r);
    if (status) {
        return status;
    }
    r->at = r->text;
    status = read_head(r);
    for (size_t i = 0; !status && detent_get_primitive(r->mechanism, i, &p) == DETENT_OK; i++) {
        status = check_primitive(r, &p);
    }
    if (!status && !make_room(r)) {
        status = fail(r, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    return status ? status : read_rows(r);
}

detent_status motion_table_read(motion_table *table, const char *path,
                                const detent_mechanism *mechanism, detent_error *error)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    *table = (motion_table){.coordinates = info.coordinates, .freedoms = info.freedoms};
    table->given = calloc(info.freedoms + 1, sizeof *table->given);
    reader r = {.table = table, .mechanism = mechanism, .error = error, .path = path};
    const detent_status status =
        table->given ? read_table(&r) : fail(&r, DETENT_ERROR_MEMORY, NULL, "out of memory");
    free(r.text);
    free(r.columns);
    return status;
}

void motion_table_free(motion_table *table)
{
    free(table->time);
    free(table->q);
    free(table->v);
    free(table->a);
    free(table->given);
    *table = (motion_table){0};
}
