/* The first two columns of a CSV file beside a mechanism file. */
#include "format/csv.h"

#include <ctype.h>
#include <string.h>

/* The two numbers of a line; the number of the field that is none, or -1. */
static int read_line(const dt_csv *csv, dt_csv_field fields[2], double values[2])
{
    const char *text = csv->line;
    for (int k = 0; k < 2; k++) {
        fields[k] = dt_csv_field_at(csv, text);
        if (!dt_csv_number(&fields[k], &values[k])) {
            return k;
        }
        text = fields[k].next ? fields[k].next : csv->stop;
    }
    return -1;
}

static bool begins_a_number(const dt_csv_field *f)
{
    return f->length > 0 && (isdigit((unsigned char)*f->start) || strchr("+-.", *f->start));
}

/* `begun`: a head, or numbers, have been there. */
static detent_status take_line(const dt_csv *csv, bool begun, dt_column column[2])
{
    dt_csv_field fields[2] = {{0}};
    double values[2];
    const int bad = read_line(csv, fields, values);
    const bool head = bad >= 0 && !begun && !begins_a_number(&fields[bad]);
    if (bad >= 0 && !head) {
        return dt_csv_fail_number(csv, &fields[bad]);
    }
    for (int k = 0; k < 2 && !head; k++) {
        column[k].value[column[k].count] = values[k];
        column[k].place[column[k].count++] = dt_csv_place(csv, &fields[k]);
    }
    return DETENT_OK;
}

static detent_status make_room(dt_csv *csv, dt_column column[2])
{
    int lines = 0;
    while (dt_csv_next(csv)) {
        lines++;
    }
    dt_csv_rewind(csv);
    detent_status status = dt_column_make(csv->reader, lines, &column[0]);
    return status ? status : dt_column_make(csv->reader, lines, &column[1]);
}

detent_status dt_read_csv(dt_reader *reader, const dt_yaml_node *named, dt_column column[2])
{
    dt_csv csv = {0};
    detent_status status = dt_csv_open(reader, named, &csv);
    status = status ? status : make_room(&csv, column);
    for (bool begun = false; !status && dt_csv_next(&csv); begun = true) {
        status = take_line(&csv, begun, column);
    }
    return status;
}
