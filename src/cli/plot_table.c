/* What is plotted of a table and an event log (CSV, RFC 4180). */
#include "plot_result.h"

#include "message.h"
#include "nearest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 100000 };

/* One line after the other of a file, as fields. */
typedef struct table_reader {
    FILE *stream;
    const char *path;
    char *line;
    size_t capacity, number; /* of the line, from 1 */
    char **field;            /* in `line` */
    size_t count, room;
} table_reader;

static detent_status open_table(table_reader *t, const char *path, detent_error *error)
{
    *t = (table_reader){.stream = fopen(path, "r"), .path = path};
    return t->stream ? DETENT_OK
                     : report(error, DETENT_ERROR_IO, "cannot read %s: %s", path, strerror(errno));
}

static void close_table(table_reader *t)
{
    if (t->stream) {
        fclose(t->stream);
    }
    free(t->line);
    free(t->field);
}

/* Ends the field in place, quotes taken off, and returns what is behind its comma; NULL behind the last one. */
static char *cut_field(char *at)
{
    char *to = at, *from = at;
    bool quoted = false;
    for (; *from && (quoted || *from != ','); from++) {
        if (*from == '"' && quoted && from[1] == '"') {
            *to++ = *from++;
        } else if (*from == '"') {
            quoted = !quoted;
        } else {
            *to++ = *from;
        }
    }
    char *next = *from ? from + 1 : NULL;
    *to = '\0';
    return next;
}

/* The next line; false at the end, or (`*error` is set) where it cannot be read. */
static bool read_line(table_reader *t, detent_error *error)
{
    errno = 0;
    const ssize_t length = getline(&t->line, &t->capacity, t->stream);
    if (length < 0) {
        if (ferror(t->stream) || errno) {
            report(error, errno == ENOMEM ? DETENT_ERROR_MEMORY : DETENT_ERROR_IO,
                   "cannot read %s: %s", t->path, strerror(errno));
        }
        return false;
    }
    t->line[strcspn(t->line, "\r\n")] = '\0';
    t->number++;
    t->count = 0;
    for (char *at = t->line; at && t->count < MOST_FIELDS;) {
        if (t->count == t->room) {
            char **longer = realloc(t->field, (2 * t->room + 16) * sizeof *longer);
            if (!longer) {
                report(error, DETENT_ERROR_MEMORY, "out of memory");
                return false;
            }
            t->field = longer;
            t->room = 2 * t->room + 16;
        }
        char *next = cut_field(at);
        t->field[t->count++] = at;
        at = next;
    }
    return true;
}

/* ---- the table ---- */

static ptrdiff_t find_field(const table_reader *t, const char *name)
{
    for (size_t k = 0; k < t->count; k++) {
        if (strcmp(t->field[k], name) == 0) {
            return (ptrdiff_t)k;
        }
    }
    return -1;
}

static detent_status refuse_column(const table_reader *t, const char *name, detent_error *error)
{
    const char *nearest = NULL;
    for (size_t k = 0; k < t->count; k++) {
        if (is_near(name, t->field[k]) &&
            (!nearest || edit_distance(name, t->field[k]) < edit_distance(name, nearest))) {
            nearest = t->field[k];
        }
    }
    return nearest ? report(error, DETENT_ERROR_ARGUMENT,
                            "%s has no column '%s'; did you mean '%s'?", t->path, name, nearest)
                   : report(error, DETENT_ERROR_ARGUMENT,
                            "%s has no column '%s'; what a run did not write is in its record "
                            "(--record)",
                            t->path, name);
}

/* Which columns; `*column`: the caller's to free, also after an error. The first line has been read. */
static detent_status choose(plot_result *r, const table_reader *t, const char *const *outputs,
                            size_t count, size_t **column, detent_error *error)
{
    const size_t most = count > 0 ? count : t->count;
    r->series = calloc(most + 1, sizeof *r->series);
    *column = malloc((most + 1) * sizeof **column);
    if (!r->series || !*column) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < most; k++) {
        const ptrdiff_t found = count > 0 ? find_field(t, outputs[k]) : (ptrdiff_t)k;
        if (found < 0) {
            return refuse_column(t, outputs[k], error);
        }
        const char *name = t->field[found];
        if (count == 0 && (strcmp(name, "time") == 0 || strcmp(name, "event") == 0)) {
            continue;
        }
        (*column)[r->count] = (size_t)found;
        r->series[r->count].name = plot_copy(name);
        if (!r->series[r->count++].name) {
            return report(error, DETENT_ERROR_MEMORY, "out of memory");
        }
    }
    return DETENT_OK;
}

static detent_status number_at(const table_reader *t, size_t k, double *value, detent_error *error)
{
    char *end;
    *value = strtod(t->field[k], &end);
    return end != t->field[k] && !*end
               ? DETENT_OK
               : report(error, DETENT_ERROR_IO, "%s:%zu: '%s' is not a number", t->path, t->number,
                        t->field[k]);
}

static bool make_room(plot_result *r)
{
    if ((r->rows & (r->rows - 1)) != 0) {
        return true;
    }
    const size_t room = r->rows > 0 ? 2 * r->rows : 1;
    double *time = realloc(r->time, room * sizeof *time);
    r->time = time ? time : r->time;
    bool good = time != NULL;
    for (size_t k = 0; k < r->count && good; k++) {
        double *values = realloc(r->series[k].values, room * sizeof *values);
        r->series[k].values = values ? values : r->series[k].values;
        good = values != NULL;
    }
    return good;
}

static detent_status read_row(plot_result *r, const table_reader *t, size_t fields, size_t time,
                              ptrdiff_t event, const size_t *column, detent_error *error)
{
    double side = 0;
    if (t->count != fields) {
        return report(error, DETENT_ERROR_IO, "%s:%zu: %zu fields, and the first line has %zu",
                      t->path, t->number, t->count, fields);
    }
    if (!make_room(r)) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    detent_status status = number_at(t, time, &r->time[r->rows], error);
    for (size_t k = 0; k < r->count && !status; k++) {
        status = number_at(t, column[k], &r->series[k].values[r->rows], error);
    }
    if (!status && event >= 0) {
        status = number_at(t, (size_t)event, &side, error);
    }
    if (!status && side > 0 && !plot_result_add_event(r, r->time[r->rows])) {
        status = report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    r->rows++;
    return status;
}

static detent_status read_table(plot_result *r, table_reader *t, const char *const *outputs,
                                size_t count, detent_error *error)
{
    size_t *column = NULL;
    detent_status status = DETENT_OK;
    if (!read_line(t, error)) {
        return error->status ? error->status
                             : report(error, DETENT_ERROR_IO, "%s is empty", t->path);
    }
    const size_t fields = t->count;
    const ptrdiff_t time = find_field(t, "time"), event = find_field(t, "event");
    if (time < 0) {
        return report(error, DETENT_ERROR_IO, "%s has no column 'time': it is no table of a run",
                      t->path);
    }
    status = choose(r, t, outputs, count, &column, error);
    while (!status && read_line(t, error)) {
        status = read_row(r, t, fields, (size_t)time, event, column, error);
    }
    free(column);
    return status ? status : error->status;
}

/* ---- the event log ---- */

static bool is_mode(const char *text, detent_mode *mode)
{
    static const char *const words[] = {"locked", "wait", "unlocked"};
    for (int k = 0; k < 3; k++) {
        const size_t length = strlen(words[k]);
        if (strncmp(text, words[k], length) == 0 &&
            strspn(text + length, "+-") == strlen(text + length)) {
            *mode = (detent_mode)k;
            return true;
        }
    }
    return false;
}

static plot_lane *lane_of(plot_result *r, const char *name)
{
    for (size_t k = 0; k < r->lane_count; k++) {
        if (strcmp(r->lanes[k].name, name) == 0) {
            return &r->lanes[k];
        }
    }
    plot_lane *longer = realloc(r->lanes, (r->lane_count + 1) * sizeof *longer);
    r->lanes = longer ? longer : r->lanes;
    char *copy = longer ? plot_copy(name) : NULL;
    if (!copy) {
        return NULL;
    }
    r->lanes[r->lane_count] = (plot_lane){.name = copy};
    return &r->lanes[r->lane_count++];
}

static detent_status read_events(plot_result *r, table_reader *t, detent_error *error)
{
    while (read_line(t, error)) {
        double time;
        detent_mode mode;
        if (t->count < 4 || !is_mode(t->field[3], &mode)) {
            continue; /* the first line, states */
        }
        const detent_status status = number_at(t, 0, &time, error);
        plot_lane *lane = status ? NULL : lane_of(r, t->field[1]);
        if (status || !lane || !plot_lane_add(lane, time, mode)) {
            return status ? status : report(error, DETENT_ERROR_MEMORY, "out of memory");
        }
    }
    for (size_t k = 0; k < r->lane_count && r->rows > 0; k++) {
        plot_lane *lane = &r->lanes[k];
        lane->bands[lane->count - 1].to = r->time[r->rows - 1];
    }
    return error->status;
}

detent_status plot_table_read(plot_result *r, const char *path, const char *const *outputs,
                              size_t count, detent_error *error)
{
    table_reader t;
    detent_status status = open_table(&t, path, error);
    status = status ? status : read_table(r, &t, outputs, count, error);
    close_table(&t);
    const size_t stem = strlen(path) - strlen(".csv"), size = stem + sizeof ".events.csv";
    char *log = malloc(size);
    if (!log) {
        return status ? status : report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    snprintf(log, size, "%.*s.events.csv", (int)stem, path);
    FILE *there = status ? NULL : fopen(log, "r");
    if (there) {
        t = (table_reader){.stream = there, .path = log};
        status = read_events(r, &t, error);
        close_table(&t);
    }
    free(log);
    return status;
}
