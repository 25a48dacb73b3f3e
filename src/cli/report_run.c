#include "report_run.h"

#include "message.h"
#include "report_parts.h"
#include "report_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 4, MOST_ATTEMPTS = 8 };

/* ---- rows ---- */

/* Bytes that a row takes in the page if nothing can be made shorter. */
static double row_bytes(const report_run *run)
{
    double numbers = 2; /* time */
    for (int k = 0; k < RECORD_PARTS; k++) {
        numbers += (double)record_file_width(&run->file, &record_parts[k]);
    }
    return numbers * 4 * 4 / 3;
}

/* Rows of the record that are kept, of a part (NULL: the time). */
static bool read_part(report_run *run, const record_part *part, double **place)
{
    const size_t width = part ? record_file_width(&run->file, part) : 1,
                 block = record_file_block(&run->file, width), all = run->file.rows;
    if (width == 0) {
        return true;
    }
    double *values = malloc(block * width * sizeof *values),
           *kept = *place = malloc(run->kept * width * sizeof *kept);
    size_t k = 0;
    for (size_t first = 0; first < all && values && kept; first += block) {
        const size_t rows = all - first < block ? all - first : block;
        if (k >= run->kept || run->row[k] >= first + rows) {
            continue; /* none of this block */
        }
        record_file_rows(&run->file, part, first, rows, values);
        for (; k < run->kept && run->row[k] < first + rows; k++) {
            memcpy(kept + k * width, values + (run->row[k] - first) * width, width * sizeof *kept);
        }
    }
    const bool good = values && kept;
    free(values);
    return good;
}

static void forget_rows(report_run *run)
{
    for (int k = 0; k < RECORD_PARTS; k++) {
        free(run->values[k]);
        run->values[k] = NULL;
    }
    free(run->time);
    run->time = NULL;
}

static bool read_rows(report_run *run)
{
    forget_rows(run);
    bool good = read_part(run, NULL, &run->time);
    for (int k = 0; k < RECORD_PARTS && good; k++) {
        good = read_part(run, &record_parts[k], &run->values[k]);
    }
    return good;
}

/* ---- as text ---- */

static bool write_text(report_run *run, double most)
{
    free(run->text);
    run->text = NULL;
    FILE *stream = open_memstream(&run->text, &run->length);
    if (!stream) {
        return false;
    }
    json_writer json = json_begin(stream, false);
    json.inert = true;
    bool good = report_write_run(&json, run, most);
    good = !ferror(stream) && good;
    return fclose(stream) == 0 && good;
}

/* Fewer and fewer rows, until it fits. */
static bool fit(report_run *run, const report_rows *rows, double most)
{
    const double first = most / (row_bytes(run) * 0.4); /* deflated, it may be as short */
    size_t places = first < (double)run->file.rows ? (size_t)first : run->file.rows;
    for (int k = 0; k < MOST_ATTEMPTS; k++) {
        places = places < LEAST_ROWS ? LEAST_ROWS : places;
        run->kept = report_rows_choose(rows, places, run->row);
        if (!read_rows(run) || !write_text(run, most)) {
            return false;
        }
        if ((double)run->length <= most || run->kept <= LEAST_ROWS) {
            break;
        }
        places = (size_t)(0.95 * most / (double)run->length * (double)run->kept);
    }
    return true;
}

/* NAME of "folder/NAME.nc". */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strstr(name, ".nc");
    const size_t length = dot && dot != name && !dot[3] ? (size_t)(dot - name) : strlen(name);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, name, length);
        copy[length] = '\0';
    }
    return copy;
}

detent_status report_run_read(report_run *run, const char *path, const char *name, double most,
                              detent_error *error)
{
    *run = (report_run){0};
    detent_status status = record_file_open(&run->file, path, error);
    if (status) {
        return status;
    }
    report_rows rows = {0};
    run->name = name_of(name);
    run->row = malloc(run->file.rows * sizeof *run->row);
    if (!run->name || !run->row || !report_read_mechanism(run) ||
        !report_rows_measure(&rows, &run->file) || !fit(run, &rows, most) ||
        store_failed(run->file.store)) {
        status = report(error, DETENT_ERROR_MEMORY, "out of memory for the report on %s", path);
    }
    report_rows_release(&rows);
    return status;
}

void report_run_release(report_run *run)
{
    forget_rows(run);
    if (run->file.store) {
        record_file_close(&run->file);
    }
    detent_mechanism_destroy(run->mechanism);
    free(run->name);
    free(run->row);
    free(run->text);
    *run = (report_run){0};
}
