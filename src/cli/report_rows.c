#include "report_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of what is left, the share that goes evenly over the rows. */
static const double even_share = 0.2;

/* ---- the way ---- */

typedef struct row_walk {
    const record_file *file;
    const record_part *part;
    size_t width, block;
    double *values;     /* of a block */
    double *low, *high; /* by column: the range so far */
    double *last;       /* the row before */
    double *way;
} row_walk;

static void widen(row_walk *w, size_t rows)
{
    for (size_t i = 0; i < rows * w->width; i++) {
        const size_t column = i % w->width;
        const double value = w->values[i];
        if (isfinite(value)) {
            w->low[column] = fmin(w->low[column], value);
            w->high[column] = fmax(w->high[column], value);
        }
    }
}

static void go(row_walk *w, size_t first, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        const double *now = w->values + i * w->width, *last = i > 0 ? now - w->width : w->last;
        for (size_t c = 0; c < w->width && first + i > 0; c++) {
            const double range = w->high[c] - w->low[c], change = fabs(now[c] - last[c]) / range;
            if (range > 0 && change > w->way[first + i]) {
                w->way[first + i] = change;
            }
        }
    }
    memcpy(w->last, w->values + (rows - 1) * w->width, w->width * sizeof *w->last);
}

static void walk_part(row_walk *w)
{
    const size_t all = w->file->rows;
    for (size_t c = 0; c < w->width; c++) {
        w->low[c] = INFINITY;
        w->high[c] = -INFINITY;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t first = 0; first < all; first += w->block) {
            const size_t rows = all - first < w->block ? all - first : w->block;
            record_file_rows(w->file, w->part, first, rows, w->values);
            if (pass == 0) {
                widen(w, rows);
            } else {
                go(w, first, rows);
            }
        }
    }
}

/* False when memory is out. */
static bool add_part(const record_file *file, const record_part *part, double *way)
{
    const size_t width = record_file_width(file, part), block = record_file_block(file, width);
    if (width == 0) {
        return true;
    }
    row_walk w = {.file = file,
                  .part = part,
                  .width = width,
                  .block = block,
                  .values = malloc(block * width * sizeof(double)),
                  .low = malloc(width * sizeof(double)),
                  .high = malloc(width * sizeof(double)),
                  .last = calloc(width, sizeof(double)),
                  .way = way};
    const bool good = w.values && w.low && w.high && w.last;
    if (good) {
        walk_part(&w);
    }
    free(w.values);
    free(w.low);
    free(w.high);
    free(w.last);
    return good;
}

/* ---- who is kept in any case ---- */

static bool mark_events(report_rows *rows, const record_file *file)
{
    const size_t block = record_file_block(file, 1);
    double *side = malloc(block * sizeof *side);
    for (size_t first = 0; first < rows->count && side; first += block) {
        const size_t count = rows->count - first < block ? rows->count - first : block;
        record_file_sides(file, first, count, side);
        for (size_t i = 0; i < count; i++) {
            rows->way[first + i] = side[i] != 0 ? -1 : rows->way[first + i];
        }
    }
    rows->way[0] = rows->way[rows->count - 1] = -1;
    for (size_t i = 0; i < rows->count; i++) {
        rows->must += rows->way[i] < 0;
    }
    free(side);
    return side != NULL;
}

bool report_rows_measure(report_rows *rows, const record_file *file)
{
    static const detent_quantity telling[] = {DETENT_POSITIONS, DETENT_VELOCITIES, DETENT_FRICTIONS,
                                              DETENT_STATES,    DETENT_INPUTS,     DETENT_OUTPUTS};
    *rows = (report_rows){.count = file->rows, .way = calloc(file->rows, sizeof *rows->way)};
    bool good = rows->way != NULL;
    for (int k = 0; k < RECORD_PARTS; k++) {
        for (size_t q = 0; q < sizeof telling / sizeof *telling && good; q++) {
            if (record_parts[k].quantity == telling[q]) {
                good = add_part(file, &record_parts[k], rows->way);
            }
        }
    }
    return good && mark_events(rows, file);
}

void report_rows_release(report_rows *rows)
{
    free(rows->way);
    *rows = (report_rows){0};
}

/* ---- the choice ---- */

/* Of those that are kept, `most`, spread evenly; rows beside one event stay together as far as that is even. */
static size_t choose_some(const report_rows *rows, size_t most, size_t *row)
{
    size_t count = 0, seen = 0;
    for (size_t i = 0; i < rows->count; i++) {
        if (rows->way[i] < 0) {
            const size_t pair = (seen + 1) / 2, pairs = rows->must / 2 + 1, places = most / 2;
            if (pair * places % pairs < places && count < most) {
                row[count++] = i;
            }
            seen++;
        }
    }
    return count;
}

size_t report_rows_choose(const report_rows *rows, size_t most, size_t *row)
{
    if (rows->must > most) {
        return choose_some(rows, most, row);
    }
    double whole = 0, so_far = 0;
    const size_t others = rows->count - rows->must, places = most - rows->must;
    for (size_t i = 0; i < rows->count; i++) {
        whole += fmax(rows->way[i], 0);
    }
    size_t count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        bool keep = rows->way[i] < 0 || others <= places;
        if (!keep) {
            const double before = floor(so_far * (double)places);
            const double own = whole > 0 ? (1 - even_share) * rows->way[i] / whole : 0;
            so_far += own + (whole > 0 ? even_share : 1) / (double)others;
            keep = floor(so_far * (double)places) > before;
        }
        if (keep && count < most) {
            row[count++] = i;
        }
    }
    return count;
}
