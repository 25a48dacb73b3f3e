#include "csv.h"

#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void csv_write_field(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') {
            fputc('"', stream);
        }
        fputc(*text, stream);
    }
    fputc('"', stream);
}

/* ---- columns ---- */

/* "FUNCTION(ITEM)" or "FUNCTION(ITEM, COMPONENT)". */
static char *reading_name(const char *function, const char *item, char component)
{
    size_t size = strlen(function) + strlen(item) + 8;
    char *name = malloc(size);
    if (name && component) {
        snprintf(name, size, "%s(%s, %c)", function, item, component);
    } else if (name) {
        snprintf(name, size, "%s(%s)", function, item);
    }
    return name;
}

static bool add_column(csv_table *table, char *name, const char *unit, detent_quantity quantity,
                       size_t index)
{
    if (!name) {
        return false;
    }
    table->columns[table->column_count++] = (csv_column){name, unit, quantity, index};
    return true;
}

/* The columns of a part of the position or velocity vector that belongs to one primitive. */
static bool add_part(csv_table *table, const char *function, const detent_primitive_info *primitive,
                     const char *unit, detent_quantity quantity, size_t first, size_t count)
{
    const char *components = count == 4 ? "wxyz" : "xyz";
    for (size_t k = 0; k < count; k++) {
        char *name = reading_name(function, primitive->name, count > 1 ? components[k] : '\0');
        if (!add_column(table, name, unit, quantity, first + k)) {
            return false;
        }
    }
    return true;
}

static bool add_primitive(csv_table *table, const detent_mechanism *mechanism, size_t index)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    if (detent_get_primitive(mechanism, index, &p)) {
        return false;
    }
    const char *unit = detent_unit(mechanism, DETENT_PRIMITIVE, index);
    return add_part(table, "position", &p, p.coordinates == 1 ? unit : "", DETENT_POSITIONS,
                    p.first_coordinate, p.coordinates) &&
           add_part(table, "velocity", &p, strcmp(unit, "m") == 0 ? "m/s" : "rad/s",
                    DETENT_VELOCITIES, p.first_freedom, p.freedoms);
}

static bool add_stiction(csv_table *table, const detent_mechanism *mechanism, size_t index)
{
    const char *name = detent_name(mechanism, DETENT_STICTION, index);
    return add_column(table, reading_name("friction", name, '\0'),
                      detent_unit(mechanism, DETENT_STICTION, index), DETENT_FRICTIONS, index) &&
           add_column(table, reading_name("mode", name, '\0'), "", DETENT_MODES, index);
}

static bool add_output(csv_table *table, const detent_mechanism *mechanism, size_t index)
{
    const char *text = detent_name(mechanism, DETENT_OUTPUT, index);
    char *name = malloc(strlen(text) + 1);
    if (name) {
        memcpy(name, text, strlen(text) + 1);
    }
    return add_column(table, name, detent_unit(mechanism, DETENT_OUTPUT, index), DETENT_OUTPUTS,
                      index);
}

static bool add_columns(csv_table *table, const detent_mechanism *mechanism,
                        const detent_mechanism_info *info)
{
    bool good = true;
    for (size_t i = 0; i < info->outputs && good; i++) {
        good = add_output(table, mechanism, i);
    }
    if (info->outputs > 0) {
        return good;
    }
    for (size_t i = 0; i < info->primitives && good; i++) {
        good = add_primitive(table, mechanism, i);
    }
    for (size_t i = 0; i < info->stictions && good; i++) {
        good = add_stiction(table, mechanism, i);
    }
    return good;
}

bool table_create(csv_table *table, const detent_mechanism *mechanism, FILE *stream)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    size_t count =
        info.outputs > 0 ? info.outputs : info.coordinates + info.freedoms + 2 * info.stictions;
    *table = (csv_table){.stream = stream,
                         .columns = malloc((count + 1) * sizeof *table->columns),
                         .lengths = {[DETENT_POSITIONS] = info.coordinates,
                                     [DETENT_VELOCITIES] = info.freedoms,
                                     [DETENT_FRICTIONS] = info.stictions,
                                     [DETENT_MODES] = info.stictions,
                                     [DETENT_OUTPUTS] = info.outputs}};
    bool good = table->columns && add_columns(table, mechanism, &info);
    for (size_t i = 0; i < table->column_count && good; i++) {
        detent_quantity quantity = table->columns[i].quantity;
        if (!table->values[quantity]) {
            table->values[quantity] = malloc(table->lengths[quantity] * sizeof(double));
            good = table->values[quantity] != NULL;
        }
    }
    if (!good) {
        table_destroy(table);
    }
    return good;
}

void table_destroy(csv_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        free(table->columns[i].name);
    }
    free(table->columns);
    for (int i = 0; i < QUANTITIES; i++) {
        free(table->values[i]);
    }
    *table = (csv_table){0};
}

/* ---- rows ---- */

void table_write_head(csv_table *table)
{
    fputs("time", table->stream);
    for (size_t i = 0; i < table->column_count; i++) {
        fputc(',', table->stream);
        csv_write_field(table->stream, table->columns[i].name);
    }
    fputs(",event\n", table->stream);
}

detent_status table_write_row(csv_table *table, detent_simulation *simulation, int side,
                              detent_error *error)
{
    detent_status status = DETENT_OK;
    for (int i = 0; i < QUANTITIES && !status; i++) {
        if (table->values[i]) {
            status = (side < 0 ? detent_read_before : detent_read)(
                simulation, (detent_quantity)i, table->values[i], table->lengths[i], error);
        }
    }
    if (status) {
        return status;
    }
    write_number(table->stream, detent_time(simulation));
    for (size_t i = 0; i < table->column_count; i++) {
        double value = table->values[table->columns[i].quantity][table->columns[i].index];
        fputc(',', table->stream);
        write_number(table->stream, value);
        if (!isfinite(value) && table->not_finite++ == 0) {
            table->first_column = i;
            table->first_time = detent_time(simulation);
        }
    }
    fprintf(table->stream, ",%d\n", side);
    table->rows++;
    return DETENT_OK;
}
