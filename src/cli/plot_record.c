/* What is plotted of a record. */
#include "plot_result.h"

#include "message.h"
#include "record_outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(plot_result *r, const record_outputs *source)
{
    r->rows = source->file.rows;
    r->count = source->count;
    r->time = malloc(r->rows * sizeof *r->time);
    r->series = calloc(r->count + 1, sizeof *r->series);
    bool good = r->time && r->series;
    for (size_t k = 0; k < r->count && good; k++) {
        plot_series *s = &r->series[k];
        s->name = plot_copy(record_outputs_name(source, k));
        s->unit = plot_copy(record_outputs_unit(source, k));
        s->values = malloc(r->rows * sizeof *s->values);
        good = s->name && s->unit && s->values;
    }
    return good;
}

static detent_status read_rows(plot_result *r, record_outputs *source, detent_error *error)
{
    double *values = malloc((r->count + 1) * sizeof *values);
    detent_status status = values ? DETENT_OK : report(error, DETENT_ERROR_MEMORY, "out of memory");
    for (size_t row = 0; row < r->rows && !status; row++) {
        int side;
        status = record_outputs_next(source, &r->time[row], &side, values, error);
        for (size_t k = 0; k < r->count && !status; k++) {
            r->series[k].values[row] = values[k];
        }
        if (!status && side > 0 && !plot_result_add_event(r, r->time[row])) {
            status = report(error, DETENT_ERROR_MEMORY, "out of memory");
        }
    }
    free(values);
    return status;
}

/* Modes over time, a lane each joint with stiction. */
static bool read_lanes(plot_result *r, const record_file *file)
{
    const record_part *part = record_parts;
    while (strcmp(part->name, "mode") != 0) {
        part++;
    }
    const size_t width = record_file_width(file, part), block = record_file_block(file, width);
    double *modes = malloc((block * width + 1) * sizeof *modes);
    r->lanes = calloc(width + 1, sizeof *r->lanes);
    bool good = modes && r->lanes;
    for (size_t k = 0; k < width && good; k++) {
        char *name = record_file_text(file, "stiction", k);
        r->lanes[k].name = name || store_failed(file->store) ? name : plot_copy("");
        good = r->lanes[k].name != NULL;
        r->lane_count++;
    }
    for (size_t first = 0; first < r->rows && width > 0 && good; first += block) {
        const size_t rows = r->rows - first < block ? r->rows - first : block;
        record_file_rows(file, part, first, rows, modes);
        for (size_t i = 0; i < rows * width && good; i++) {
            const double mode = modes[i];
            good =
                !(mode >= DETENT_LOCKED && mode <= DETENT_UNLOCKED) ||
                plot_lane_add(&r->lanes[i % width], r->time[first + i / width], (detent_mode)mode);
        }
    }
    free(modes);
    return good;
}

detent_status plot_record_read(plot_result *r, const char *path, const char *const *outputs,
                               size_t count, detent_error *error)
{
    record_outputs source = {0};
    detent_status status = record_outputs_open(&source, path, outputs, count, error);
    if (!status && !make_room(r, &source)) {
        status = report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    status = status ? status : read_rows(r, &source, error);
    if (!status && !read_lanes(r, &source.file)) {
        status = report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    record_outputs_close(&source);
    return status;
}
