/* The position of a joint over time with all laws. */

#include "compare_parts.h"

#include "output_file.h"
#include "svg.h"

#include <stdlib.h>
#include <string.h>

static void draw(const compare_work *work, size_t j, FILE *stream)
{
    const detent_mechanism *m = work->base.mechanism;
    const size_t primitive = work->joints[j];
    svg_box box = {1, 0, 0, 0};
    char label[64];
    for (size_t k = 0; k < work->run_count; k++) {
        const law_run *run = &work->runs[k];
        for (size_t i = 0; i < run->rows && !run->status; i++) {
            svg_include(&box, run->time[i], run->position[j * run->rows + i]);
        }
    }
    snprintf(label, sizeof label, "position (%s)", freedom_unit(m, primitive, 0));
    svg_plot plot =
        svg_begin(stream, detent_name(m, DETENT_PRIMITIVE, primitive), "time (s)", label, box);
    for (size_t k = 0; k < work->run_count; k++) {
        const law_run *run = &work->runs[k];
        if (!run->status) {
            svg_line(&plot, run->name, run->time, run->position + j * run->rows, run->rows);
        }
    }
    svg_end(&plot);
}

detent_status compare_plot(compare_work *work, size_t joint)
{
    output_file file = {0};
    detent_error *error = &work->base.error;
    const char *name = detent_name(work->base.mechanism, DETENT_PRIMITIVE, work->joints[joint]);
    const size_t size = 16 + strlen(name);
    char *suffix = malloc(size), *base = compare_base(work);
    if (!suffix || !base) {
        free(suffix);
        free(base);
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    snprintf(suffix, size, ".%s.svg", name);
    detent_status status = output_file_open(&file, base, suffix, error);
    if (!status) {
        draw(work, joint, file.stream);
        status = output_file_close(&file, error);
        if (status) {
            output_file_discard(&file);
        } else {
            status = output_file_publish(&file, error);
        }
    }
    output_file_release(&file);
    free(suffix);
    free(base);
    return status;
}
