#include "animate_poses.h"

#include "report_rows.h"

#include <math.h>

/* As many as there is room for in a file of a size that programs open gladly, as a page's is; pictures of a run are not more. */
static size_t room_for(size_t bodies)
{
    enum { BYTES = 20000000, EACH = 28, TIME = 4, LEAST = 1000, MOST = 100000 };
    const size_t rows = BYTES / (TIME + EACH * bodies);
    return rows < LEAST ? LEAST : rows > MOST ? MOST : rows;
}

/* Times that grow in single precision, on one side of each event, for poses do not jump there. */
static size_t drop_equal_times(const record_file *file, size_t chosen, size_t *row, double *time)
{
    size_t count = 0;
    double now, first = 0;
    for (size_t k = 0; k < chosen; k++) {
        record_file_rows(file, NULL, row[k], 1, &now);
        first = k == 0 ? now : first;
        const double since = (double)(float)(now - first);
        if (isfinite(since) && (count == 0 || since > time[count - 1])) {
            row[count] = row[k];
            time[count++] = since;
        }
    }
    return count;
}

bool animate_choose_rows(const record_file *file, size_t bodies, size_t *row, double *time,
                         size_t *count)
{
    report_rows rows;
    const size_t room = room_for(bodies);
    size_t chosen = file->rows;
    for (size_t i = 0; i < file->rows; i++) {
        row[i] = i;
    }
    if (file->rows > room) {
        const bool good = report_rows_measure(&rows, file);
        chosen = good ? report_rows_choose(&rows, room, row) : 0;
        report_rows_release(&rows);
        if (!good) {
            return false;
        }
    }
    *count = drop_equal_times(file, chosen, row, time);
    return true;
}

/* x y z w, the shorter way from each to the next. */
void animate_turn(double *values, size_t count)
{
    double last[4] = {0, 0, 0, 1};
    for (size_t k = 0; k < count; k++) {
        double *q = values + 4 * k;
        const double x[4] = {q[1], q[2], q[3], q[0]};
        double dot = 0, length = 0;
        for (int c = 0; c < 4; c++) {
            dot += x[c] * last[c];
            length = hypot(length, x[c]);
        }
        for (int c = 0; c < 4; c++) {
            q[c] = last[c] = (dot < 0 ? -x[c] : x[c]) / length;
        }
    }
}

/* v = R(q)^T w */
void animate_turn_back(const double q[4], const double w[3], double v[3])
{
    const double u[3] = {-q[1], -q[2], -q[3]};
    const double t[3] = {2 * (u[1] * w[2] - u[2] * w[1]), 2 * (u[2] * w[0] - u[0] * w[2]),
                         2 * (u[0] * w[1] - u[1] * w[0])};
    for (int c = 0; c < 3; c++) {
        const int n = (c + 1) % 3, l = (c + 2) % 3;
        v[c] = w[c] + q[0] * t[c] + u[n] * t[l] - u[l] * t[n];
    }
}
