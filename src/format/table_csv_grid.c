/*
 * A table of two variables as a CSV file: the first line has the knots of the second variable behind a corner that says nothing, every further one
 * a knot of the first variable and the values in its row.
 *
 *     speed, 0,  0.5, 1
 *     0,     0,  60,  90
 *     105,   0,  80, 140
 */
#include "format/csv.h"

#include "model/mechanism.h"

/* The corner: nothing, or a name for those who read the file. */
static detent_status read_corner(const dt_csv *csv, const char **next)
{
    const dt_csv_field corner = dt_csv_field_at(csv, csv->line);
    *next = corner.next;
    return corner.next ? DETENT_OK
                       : dt_csv_fail(csv, &corner,
                                     "the knots of the second variable are expected in this line, "
                                     "behind a first field");
}

static int count_fields(const dt_csv *csv, const char *text)
{
    int count = 0;
    while (text) {
        text = dt_csv_field_at(csv, text).next;
        count++;
    }
    return count;
}

/* Numbers from `text` to the end of the line. */
static detent_status read_numbers(const dt_csv *csv, const char *text, dt_column *column)
{
    while (text) {
        const dt_csv_field field = dt_csv_field_at(csv, text);
        double value;
        if (!dt_csv_number(&field, &value)) {
            return dt_csv_fail_number(csv, &field);
        }
        column->place[column->count] = dt_csv_place(csv, &field);
        column->value[column->count++] = value;
        text = field.next;
    }
    return DETENT_OK;
}

/* A knot, and as many values as there are knots of the second variable. */
static detent_status read_row(const dt_csv *csv, dt_column column[3])
{
    const dt_csv_field knot = dt_csv_field_at(csv, csv->line);
    const int values = count_fields(csv, knot.next);
    dt_column *rows = &column[0];
    if (!dt_csv_number(&knot, &rows->value[rows->count])) {
        return dt_csv_fail_number(csv, &knot);
    }
    rows->place[rows->count++] = dt_csv_place(csv, &knot);
    return values == column[1].count ? read_numbers(csv, knot.next, &column[2])
                                     : dt_csv_fail(csv, &knot,
                                                   "%d values behind this knot, for %d knots in "
                                                   "the first line",
                                                   values, column[1].count);
}

static detent_status make_room(dt_csv *csv, const dt_yaml_node *named, int columns,
                               dt_column column[3])
{
    int rows = 0;
    while (dt_csv_next(csv)) {
        rows++;
    }
    if ((double)rows * columns > DT_TABLE_MOST) {
        return dt_fail_kind(csv->reader, named, "a file of at most 10,000,000 values");
    }
    detent_status status = dt_column_make(csv->reader, rows, &column[0]);
    status = status ? status : dt_column_make(csv->reader, columns, &column[1]);
    return status ? status : dt_column_make(csv->reader, rows * columns, &column[2]);
}

detent_status dt_read_csv_grid(dt_reader *reader, const dt_yaml_node *named, dt_column column[3])
{
    const char *knots = NULL;
    dt_csv csv = {0};
    detent_status status = dt_csv_open(reader, named, &csv);
    if (status) {
        return status;
    }
    if (!dt_csv_next(&csv)) {
        return dt_fail_kind(reader, named, "a file with numbers in it");
    }
    const dt_csv head = csv;
    status = read_corner(&head, &knots);
    status = status ? status : make_room(&csv, named, count_fields(&head, knots), column);
    status = status ? status : read_numbers(&head, knots, &column[1]);
    csv = head;
    while (!status && dt_csv_next(&csv)) {
        status = read_row(&csv, column);
    }
    return status;
}
