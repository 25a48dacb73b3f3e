/* The position of a joint over time with all laws. */

#include "compare_parts.h"

#include "figure.h"
#include "output_file.h"

#include <stdlib.h>
#include <string.h>

static const double width = 960, height = 540, font = 13; /* px */

static detent_status draw(compare_work *work, size_t j, FILE *stream)
{
    const detent_mechanism *m = work->base.mechanism;
    const size_t primitive = work->joints[j];
    figure_line *lines = calloc(work->run_count, sizeof *lines);
    const char **names = calloc(work->run_count, sizeof *names);
    size_t count = 0;
    bool good = lines && names;
    for (size_t k = 0; k < work->run_count && good; k++) {
        const law_run *run = &work->runs[k];
        if (!run->status) {
            names[count] = run->name;
            lines[count++] = (figure_line){run->time, run->position + j * run->rows, run->rows};
        }
    }
    const figure_panel panel = {"position", freedom_unit(m, primitive, 0), lines, count};
    const figure f = {.title = detent_name(m, DETENT_PRIMITIVE, primitive),
                      .names = names,
                      .name_count = count,
                      .panels = &panel,
                      .panel_count = 1,
                      .font = font};
    if (good) {
        canvas c = canvas_svg(stream, width, height);
        good = figure_draw(&f, &c);
        canvas_end(&c, NULL);
    }
    free(lines);
    free(names);
    return good ? DETENT_OK : report(&work->base.error, DETENT_ERROR_MEMORY, "out of memory");
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
        status = output_file_finish(&file, draw(work, joint, file.stream), error);
    }
    output_file_release(&file);
    free(suffix);
    free(base);
    return status;
}
