/*
 * A table: knots and values as lists, of two variables a list of each and a row of values for each knot of the first one; or a CSV file of two columns, or of rows.
 * Knots must grow, numbers be finite, lengths fit: each error has the place of the number.
 */
#include "format/table.h"

#include "expression/curve.h"
#include "model/mechanism.h"

#include <math.h>

typedef struct table_form {
    const dt_yaml_node *of, *is, *csv;
    int interpolation, outside, layout;
} table_form;

const char *const dt_interpolations[] = {"linear", "monotone", "spline", NULL};
const char *const dt_outsides[] = {"hold", "extend", "error", "repeat", NULL};

static const char *const layouts[] = {"columns", "grid", NULL};
enum { LAYOUT_GRID = 1 };

static const dt_key keys[] = {
    {"of", DT_VALUE_NODE, false, offsetof(table_form, of), NULL, NULL},
    {"is", DT_VALUE_NODE, false, offsetof(table_form, is), NULL, NULL},
    {"csv", DT_VALUE_NODE, false, offsetof(table_form, csv), NULL, NULL},
    {"interpolation", DT_VALUE_CHOICE, false, offsetof(table_form, interpolation), NULL,
     dt_interpolations},
    {"outside", DT_VALUE_CHOICE, false, offsetof(table_form, outside), NULL, dt_outsides},
    {"layout", DT_VALUE_CHOICE, false, offsetof(table_form, layout), NULL, layouts},
    DT_KEYS_END,
};
static const dt_table form_table = {"table", keys};

/* ---- lists ---- */

static detent_status read_number(dt_reader *reader, const dt_yaml_node *node, dt_column *column)
{
    dt_constant constant;
    const dt_location where = dt_node_place(reader, node);
    const dt_dimension *expected = column->dimension.known ? &column->dimension : NULL;
    detent_status status = dt_require_scalar(reader, node, "a number");
    status = status ? status
                    : dt_builder_constant(reader->m, node->text, &where, expected, &reader->origin,
                                          &constant, reader->error);
    if (!status && !isfinite(constant.value)) {
        return dt_fail_kind(reader, node, "a finite number");
    }
    if (!status) {
        column->dimension = expected ? column->dimension : constant.dimension;
        column->value[column->count] = constant.value;
        column->place[column->count++] = where;
    }
    return status;
}

/* Appends the numbers of a list. */
static detent_status read_list(dt_reader *reader, const dt_yaml_node *node, dt_column *column)
{
    detent_status status = node->kind == DT_YAML_SEQUENCE
                               ? DETENT_OK
                               : dt_fail_kind(reader, node, "a list of numbers");
    for (const dt_yaml_node *child = node->first; !status && child; child = child->next) {
        status = read_number(reader, child, column);
    }
    return status;
}

static detent_status read_knots(dt_reader *reader, const dt_yaml_node *node, dt_column *column)
{
    detent_status status = dt_column_make(reader, node->count, column);
    return status ? status : read_list(reader, node, column);
}

/* ---- checks ---- */

static detent_status check_knots(dt_reader *reader, const dt_yaml_node *node, const dt_column *of)
{
    const dt_location where = dt_node_place(reader, node);
    if (of->count < 2) {
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "a table needs at least two knots, not %d", of->count);
    }
    for (int k = 1; k < of->count; k++) {
        if (!(of->value[k] > of->value[k - 1])) {
            reader->elsewhere = of->place[k].file != where.file;
            return dt_fail(reader->error, DETENT_ERROR_MODEL, &of->place[k],
                           "knots must grow: %g follows %g", of->value[k], of->value[k - 1]);
        }
    }
    return DETENT_OK;
}

static detent_status fail_length(dt_reader *reader, const dt_yaml_node *node, int is, int wanted)
{
    const dt_location where = dt_node_place(reader, node);
    return dt_fail(reader->error, DETENT_ERROR_MODEL, &where, "%d values for %d knots", is, wanted);
}

/* ---- one or two variables ---- */

static bool is_grid(const dt_yaml_node *of)
{
    return of->kind == DT_YAML_SEQUENCE && of->first && of->first->kind == DT_YAML_SEQUENCE;
}

static detent_status read_curve(dt_reader *reader, const table_form *form, dt_column column[3])
{
    detent_status status = read_knots(reader, form->of, &column[0]);
    status = status ? status : check_knots(reader, form->of, &column[0]);
    status = status ? status : read_knots(reader, form->is, &column[2]);
    return status || column[2].count == column[0].count
               ? status
               : fail_length(reader, form->is, column[2].count, column[0].count);
}

static detent_status read_grid(dt_reader *reader, const table_form *form, dt_column column[3])
{
    detent_status status = form->of->count == 2
                               ? DETENT_OK
                               : dt_fail_kind(reader, form->of, "a list of knots, or two of them");
    const dt_yaml_node *axis = form->of->first;
    for (int k = 0; k < 2 && !status; k++, axis = axis->next) {
        status = read_knots(reader, axis, &column[k]);
        status = status ? status : check_knots(reader, axis, &column[k]);
    }
    if (status) {
        return status;
    }
    if (form->is->kind != DT_YAML_SEQUENCE) {
        return dt_fail_kind(reader, form->is, "a list of rows");
    }
    if (form->is->count != column[0].count) {
        return fail_length(reader, form->is, form->is->count, column[0].count);
    }
    if ((double)column[0].count * column[1].count > DT_TABLE_MOST) {
        return dt_fail_kind(reader, form->is, "of at most 10,000,000 values");
    }
    status = dt_column_make(reader, column[0].count * column[1].count, &column[2]);
    for (const dt_yaml_node *row = form->is->first; row && !status; row = row->next) {
        status = row->kind == DT_YAML_SEQUENCE && row->count != column[1].count
                     ? fail_length(reader, row, row->count, column[1].count)
                     : read_list(reader, row, &column[2]);
    }
    return status;
}

static detent_status read_file(dt_reader *reader, const table_form *form, dt_column column[3])
{
    if (form->layout == LAYOUT_GRID) {
        detent_status status = dt_read_csv_grid(reader, form->csv, column);
        for (int k = 0; k < 2 && !status; k++) {
            status = check_knots(reader, form->csv, &column[k]);
        }
        return status;
    }
    dt_column both[2] = {{0}};
    const detent_status status = dt_read_csv(reader, form->csv, both);
    column[0] = both[0];
    column[2] = both[1];
    return status ? status : check_knots(reader, form->csv, &column[0]);
}

static detent_status fail_at(dt_reader *reader, const dt_location *where, const char *why)
{
    return dt_fail(reader->error, DETENT_ERROR_MODEL, where, "%s", why);
}

/* A spline is of one variable; what repeats is one, and ends as it begins. */
static detent_status check_spline(dt_reader *reader, const dt_yaml_node *item,
                                  const table_form *form, bool grid, const dt_column column[3])
{
    const dt_location where = dt_key_place(reader, item);
    const bool spline = form->interpolation == DT_INTERPOLATION_SPLINE;
    const int last = column[0].count - 1;
    if (spline && grid) {
        return fail_at(reader, &where, "a spline is of one variable");
    }
    if (form->outside != DT_OUTSIDE_REPEAT) {
        return DETENT_OK;
    }
    if (!spline) {
        return fail_at(reader, &where,
                       "'outside: repeat' needs 'interpolation: spline'; others are read at mod(x, "
                       "period)");
    }
    if (column[0].count < DT_LEAST_PERIODIC) {
        return fail_at(reader, &where, "a spline that repeats needs at least four knots");
    }
    const double first = column[2].value[0], end = column[2].value[last];
    if (first != end) {
        reader->elsewhere = column[2].place[last].file != where.file;
        return dt_fail(
            reader->error, DETENT_ERROR_MODEL, &column[2].place[last],
            "a table that repeats must end with the value that it begins with, %g, not %g", first,
            end);
    }
    return DETENT_OK;
}

/* What stands there is complete, and not twice. */
static detent_status check_form(dt_reader *reader, const dt_yaml_node *item, const table_form *form)
{
    const dt_location where = dt_key_place(reader, item);
    if (form->csv ? form->of || form->is : !form->of || !form->is) {
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "a table has the keys 'of' and 'is', or 'csv'");
    }
    if (form->layout == LAYOUT_GRID && !form->csv) {
        return dt_fail(reader->error, DETENT_ERROR_MODEL, &where,
                       "'layout: grid' says what a 'csv' file looks like; here 'of' has two lists");
    }
    return DETENT_OK;
}

detent_status dt_read_table(dt_reader *reader, const dt_section *section, const dt_yaml_node *item,
                            const char *name)
{
    table_form form = {0};
    dt_column column[3] = {{0}};
    detent_status status = dt_form_read(reader, item, &form_table, &form);
    status = status ? status : check_form(reader, item, &form);
    const bool grid = !status && (form.of ? is_grid(form.of) : form.layout == LAYOUT_GRID);
    status = status     ? status
             : form.csv ? read_file(reader, &form, column)
             : grid     ? read_grid(reader, &form, column)
                        : read_curve(reader, &form, column);
    status = status ? status : check_spline(reader, item, &form, grid, column);
    if (status) {
        return status;
    }
    const dt_table_definition definition = {
        .name = name,
        .axes = grid ? 2 : 1,
        .count = {column[0].count, column[1].count},
        .at = {column[0].value, column[1].value},
        .value = column[2].value,
        .interpolation = form.interpolation,
        .outside = form.outside,
        .dimension = {column[0].dimension, column[1].dimension},
        .result = column[2].dimension,
    };
    return dt_builder_add(reader->m, section->number, &definition, &reader->origin, reader->error);
}
