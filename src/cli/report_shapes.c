/* What bodies look like: the shapes of the mechanism that is in the record. */
#include "report_parts.h"

#include <stdlib.h>
#include <string.h>

bool report_read_mechanism(report_run *run)
{
    char *text = record_file_text(&run->file, "mechanism", 0);
    const detent_status status =
        text ? detent_mechanism_parse(text, strlen(text), "", NULL, &run->mechanism, NULL)
             : DETENT_OK;
    free(text);
    return status != DETENT_ERROR_MEMORY; /* one that cannot be read has no shapes */
}

static void numbers(json_writer *json, const char *key, const double *values, size_t count)
{
    json_array(json, key);
    for (size_t k = 0; k < count; k++) {
        json_number(json, NULL, values[k]);
    }
    json_close(json);
}

/* How large: points of a line, else as many numbers as the type has. */
static void write_size(json_writer *json, const detent_shape_def *shape)
{
    size_t count = 0;
    while (count < 3 && shape->extent[count] > 0) {
        count++;
    }
    if (shape->points) {
        numbers(json, "size", shape->points, 3 * shape->point_count);
    } else {
        numbers(json, "size", shape->extent, count);
    }
}

static void write_shape(json_writer *json, const detent_shape_def *shape)
{
    double pose[7];
    memcpy(pose, shape->point, 3 * sizeof *pose);
    memcpy(pose + 3, shape->rotation, 4 * sizeof *pose);
    json_object(json, NULL);
    json_text(json, "type", detent_shape_word((size_t)shape->type));
    write_size(json, shape);
    numbers(json, "pose", pose, 7);
    if (shape->color) {
        json_text(json, "color", shape->color);
    }
    if (shape->name) {
        json_text(json, "name", shape->name);
    }
    if (shape->mesh) {
        json_text(json, "file", shape->mesh);
    }
    json_close(json);
}

void report_write_shapes(json_writer *json, const report_run *run, ptrdiff_t body)
{
    const size_t count = run->mechanism ? detent_shape_count(run->mechanism, body) : 0;
    if (count == 0) {
        return;
    }
    json_array(json, "shapes");
    for (size_t i = 0; i < count; i++) {
        detent_shape_def shape = DETENT_INIT(detent_shape_def);
        if (detent_get_shape(run->mechanism, body, i, &shape) == DETENT_OK) {
            write_shape(json, &shape);
        }
    }
    json_close(json);
}
