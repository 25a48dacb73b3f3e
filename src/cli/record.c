#include "record.h"

#include "message.h"
#include "progress.h"
#include "record_describe.h"
#include "record_log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_BLOCK = 16, /* rows */
    LARGEST_BLOCK = 1024,
    BLOCKS = 64, /* so many of a long run, that little is lost of one that is killed */
    BLOCK_BYTES = 8 << 20,
    CHUNK_BYTES = 1 << 20,
    QUANTITY_COUNT = DETENT_HELD + 1
};

static const double sync_period = 1; /* s, by the clock */

struct record {
    store *file;
    const detent_mechanism *mechanism;
    record_log log;
    size_t block;                                 /* rows of one */
    size_t rows, held;                            /* in the file; not yet */
    int time, side, part[RECORD_PARTS];           /* variables; -1: there is no such part */
    double *times, *sides, *values[RECORD_PARTS]; /* of the rows that are held */
    double *read[QUANTITY_COUNT];                 /* of one row; NULL: nothing reads it */
    double synced;                                /* when, by the clock, s */
};

/* Numbers of a part in one row. */
static size_t width_of(const record *r, const record_part *part)
{
    return record_count(r->mechanism, part->items) * record_count(r->mechanism, part->components);
}

/* ---- set-up ---- */

static size_t choose_block(const record *r, const detent_settings *settings)
{
    size_t numbers = 2;
    for (int k = 0; k < RECORD_PARTS; k++) {
        numbers += width_of(r, &record_parts[k]);
    }
    const double rows = (settings->end - settings->start) / settings->interval,
                 wanted = fmin(fmax(rows / BLOCKS, LEAST_BLOCK), LARGEST_BLOCK),
                 fitting = fmax(BLOCK_BYTES / (double)(numbers * sizeof(double)), 1);
    return (size_t)fmin(wanted, fitting);
}

/* The unit that all of a part have in common, or NULL. */
static const char *common_unit(const record *r, const record_part *part)
{
    if (part->unit) {
        return part->unit;
    }
    const size_t count = record_count(r->mechanism, part->items);
    const char *unit = record_unit(r->mechanism, part->items, 0, part->rate);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(unit, record_unit(r->mechanism, part->items, i, part->rate)) != 0) {
            return NULL;
        }
    }
    return unit;
}

static int add_variable(record *r, const record_part *part, const int *dimension)
{
    store_shape shape = {part->type, 1, {dimension[RECORD_TIME]}, {r->block}, true};
    if (part->items != RECORD_NONE) {
        const size_t items = record_count(r->mechanism, part->items),
                     row = r->block * sizeof(double) * record_count(r->mechanism, part->components),
                     most = row < CHUNK_BYTES ? CHUNK_BYTES / row : 1;
        shape.dimension[shape.rank] = dimension[part->items];
        shape.chunk[shape.rank++] = items < most ? items : most;
    }
    if (part->components != RECORD_NONE) {
        shape.dimension[shape.rank] = dimension[part->components];
        shape.chunk[shape.rank++] = record_count(r->mechanism, part->components);
    }
    const int id = store_variable(r->file, part->name, &shape);
    const char *unit = common_unit(r, part);
    store_text(r->file, id, "long_name", part->title);
    if (unit && *unit) {
        store_text(r->file, id, "units", unit);
    }
    if (part->quantity == DETENT_MODES) {
        record_flags(r->file, id, record_modes);
    }
    return id;
}

static int add_time(record *r, const int *dimension, store_type type, const char *name,
                    const char *title)
{
    const store_shape shape = {type, 1, {dimension[RECORD_TIME]}, {r->block}, true};
    const int id = store_variable(r->file, name, &shape);
    store_text(r->file, id, "long_name", title);
    return id;
}

static void add_variables(record *r, const int *dimension)
{
    r->time = add_time(r, dimension, STORE_DOUBLE, "time", "time");
    store_text(r->file, r->time, "units", "s");
    store_text(r->file, r->time, "axis", "T");
    r->side = add_time(r, dimension, STORE_BYTE, "side",
                       "-1 just before an event, 1 just after it, 0 elsewhere");
    for (int k = 0; k < RECORD_PARTS; k++) {
        const record_part *part = &record_parts[k];
        r->part[k] = width_of(r, part) > 0 ? add_variable(r, part, dimension) : -1;
    }
}

/* False when memory is out. */
static bool take_memory(record *r)
{
    bool good = (r->times = malloc(r->block * sizeof(double))) != NULL;
    good = (r->sides = malloc(r->block * sizeof(double))) != NULL && good;
    for (int k = 0; k < RECORD_PARTS; k++) {
        const record_part *part = &record_parts[k];
        const size_t width = width_of(r, part),
                     length = detent_quantity_length(r->mechanism, part->quantity);
        if (width > 0) {
            good = (r->values[k] = malloc(r->block * width * sizeof(double))) != NULL && good;
        }
        if (width > 0 && !r->read[part->quantity]) {
            good = (r->read[part->quantity] = malloc(length * sizeof(double))) != NULL && good;
        }
    }
    return good;
}

static void release(record *r)
{
    record_log_release(&r->log);
    for (int k = 0; k < RECORD_PARTS; k++) {
        free(r->values[k]);
    }
    for (int k = 0; k < QUANTITY_COUNT; k++) {
        free(r->read[k]);
    }
    free(r->times);
    free(r->sides);
    free(r);
}

detent_status record_create(const char *path, const record_source *source, record **place,
                            detent_error *error)
{
    int dimension[RECORD_DIMENSIONS];
    record *r = *place = calloc(1, sizeof *r);
    if (!r) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    r->mechanism = source->mechanism;
    r->block = choose_block(r, source->settings);
    detent_status status = store_create(path, &r->file, error);
    if (!status && !(record_describe(r->file, source, dimension) && take_memory(r) &&
                     record_log_create(&r->log, r->file, dimension))) {
        status = report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    if (!status) {
        add_variables(r, dimension);
        store_sync(r->file);
        r->synced = wall_clock();
    } else {
        store_close(r->file);
        release(r);
        *place = NULL;
    }
    return status;
}

/* ---- while running ---- */

static void write_block(record *r)
{
    const size_t start[STORE_RANK] = {r->rows};
    store_put(r->file, r->time, start, &r->held, r->times);
    store_put(r->file, r->side, start, &r->held, r->sides);
    for (int k = 0; k < RECORD_PARTS; k++) {
        const record_part *part = &record_parts[k];
        size_t count[STORE_RANK] = {r->held};
        int rank = 1;
        if (part->items != RECORD_NONE) {
            count[rank++] = record_count(r->mechanism, part->items);
        }
        if (part->components != RECORD_NONE) {
            count[rank++] = record_count(r->mechanism, part->components);
        }
        if (r->part[k] >= 0) {
            store_put(r->file, r->part[k], start, count, r->values[k]);
        }
    }
    r->rows += r->held;
    r->held = 0;
}

static void take_part(record *r, int k)
{
    const record_part *part = &record_parts[k];
    const size_t items = record_count(r->mechanism, part->items),
                 components = record_count(r->mechanism, part->components);
    const double *from = r->read[part->quantity] + part->first;
    double *to = r->values[k] + r->held * items * components;
    for (size_t i = 0; i < items; i++) {
        memcpy(to + i * components, from + i * part->stride, components * sizeof *to);
    }
}

detent_status record_row(record *r, detent_simulation *simulation, int side, detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int q = 0; q < QUANTITY_COUNT && !status; q++) {
        const size_t length = detent_quantity_length(r->mechanism, (detent_quantity)q);
        if (r->read[q]) {
            status = (side < 0 ? detent_read_before : detent_read)(simulation, (detent_quantity)q,
                                                                   r->read[q], length, error);
        }
    }
    if (status) {
        return status;
    }
    r->times[r->held] = detent_time(simulation);
    r->sides[r->held] = side;
    for (int k = 0; k < RECORD_PARTS; k++) {
        if (r->part[k] >= 0) {
            take_part(r, k);
        }
    }
    if (++r->held == r->block) {
        write_block(r);
    }
    return DETENT_OK;
}

void record_line(record *r, const char *line)
{
    record_log_line(&r->log, line);
}

void record_event(record *r, const detent_simulation *simulation)
{
    const size_t rows = r->rows + r->held;
    record_log_event(&r->log, simulation, rows > 0 ? rows + 1 : 0);
}

void record_flush(record *r)
{
    if (wall_clock() - r->synced >= sync_period) {
        store_sync(r->file);
        r->synced = wall_clock();
    }
}

bool record_failed(const record *r)
{
    return store_failed(r->file) != 0;
}

/* ---- the end ---- */

static void write_end(record *r, const record_end *end)
{
    const detent_statistics *s = end->statistics;
    const store_shape shape = {STORE_BYTE, 0, {0}, {0}, false};
    const int id = store_variable(r->file, "counters", &shape);
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"events", (double)s->events},
        {"mode_changes", (double)s->mode_changes},
        {"searches", (double)s->searches},
        {"search_solves", (double)s->search_solves},
        {"search_solves_max", (double)s->max_search_solves},
        {"search_interior_point", (double)s->search_interior_point},
        {"steps", (double)s->steps},
        {"residuals", (double)s->residuals},
        {"factorizations", (double)s->factorizations},
        {"solves", (double)s->solves},
        {"root_evaluations", (double)s->root_evaluations},
        {"error_test_failures", (double)s->error_test_failures},
        {"convergence_failures", (double)s->convergence_failures},
        {"restarts", (double)s->restarts},
        {"leaps", (double)s->leaps},
        {"impacts", (double)s->impacts},
        {"helped", (double)s->helped},
        {"samples", (double)s->samples},
        {"unsettled", (double)s->unsettled},
        {"endless", (double)s->endless},
        {"unresolved", (double)s->unresolved},
        {"memory", (double)s->memory},
        {"initial_energy", s->initial_energy},
        {"cpu_time", end->cpu_time},
        {"wall_time", end->wall_time},
    };
    store_text(r->file, id, "long_name", "counters of the run: its attributes; times in s");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        store_number(r->file, id, numbers[k].name, numbers[k].value);
    }
    store_number(r->file, -1, "end_time", end->time);
    store_text(r->file, -1, "outcome", end->outcome);
}

int record_close(record *r, const record_end *end)
{
    if (!r) {
        return 0;
    }
    if (r->held > 0) {
        write_block(r);
    }
    record_log_finish(&r->log, end ? end->time : (double)NAN, r->rows > 0 ? r->rows - 1 : 0);
    if (end) {
        write_end(r, end);
    }
    const int failure = store_close(r->file);
    release(r);
    return failure;
}
