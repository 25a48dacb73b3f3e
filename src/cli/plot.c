#include "plot.h"

#include "analysis.h"
#include "figure.h"
#include "help.h"
#include "message.h"
#include "output_file.h"
#include "plot_result.h"
#include "results.h"
#include "store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_width = 960, default_font = 13, largest = 32767; /* px, of cairo */
enum { MOST_PANELS = 24, MOST_LANES = 8 };

/* ---- what is drawn ---- */

typedef struct plot_work {
    const cli_options *options;
    char *list;           /* of names, in pieces */
    const char **outputs; /* wanted */
    size_t output_count;
    plot_result *results;
    size_t result_count;
    const char **names; /* of results */
    figure_panel *panels;
    figure_line *lines;
    figure_lane *lanes;
    char **lane_names;
    size_t panel_count, lane_count;
} plot_work;

static detent_status out_of_memory(detent_error *error)
{
    return report(error, DETENT_ERROR_MEMORY, "out of memory");
}

static detent_status split_names(plot_work *w, detent_error *error)
{
    const char *text = w->options->outputs ? w->options->outputs : "";
    w->list = plot_copy(text);
    w->outputs = malloc((strlen(text) + 1) * sizeof *w->outputs);
    if (!w->list || !w->outputs) {
        return out_of_memory(error);
    }
    char *rest = w->list;
    for (const char *item; *w->list && (item = next_item(&rest)) != NULL;) {
        w->outputs[w->output_count++] = item;
    }
    return DETENT_OK;
}

static detent_status read_results(plot_work *w, detent_error *error)
{
    const size_t count = w->options->file_count;
    w->results = calloc(count, sizeof *w->results);
    w->names = calloc(count, sizeof *w->names);
    detent_status status = w->results && w->names ? DETENT_OK : out_of_memory(error);
    for (size_t i = 0; i < count && !status; i++) {
        status = plot_result_read(&w->results[i], w->options->files[i], w->outputs, w->output_count,
                                  error);
        w->names[i] = w->results[i].name;
        w->result_count++;
    }
    return status;
}

/* Runs of one name are told apart by their paths. */
static void name_results(plot_work *w)
{
    for (size_t i = 0; i < w->result_count; i++) {
        for (size_t j = 0; j < w->result_count; j++) {
            if (i != j && strcmp(w->results[i].name, w->results[j].name) == 0) {
                w->names[i] = w->options->files[i];
            }
        }
    }
}

/* The series of a result that belongs into a panel; NULL: it has none. */
static const plot_series *series_of(const plot_result *r, const char *name)
{
    for (size_t k = 0; k < r->count; k++) {
        if (strcmp(r->series[k].name, name) == 0) {
            return &r->series[k];
        }
    }
    return NULL;
}

static const char *unit_of(const plot_work *w, const char *name)
{
    for (size_t i = 0; i < w->result_count; i++) {
        const plot_series *s = series_of(&w->results[i], name);
        if (s && s->unit && *s->unit) {
            return s->unit;
        }
    }
    return NULL;
}

/* Whether a series is that of a mode which has a band, too. */
static bool is_band(const plot_result *r, const char *series)
{
    bool any = false;
    for (size_t k = 0; k < r->lane_count && k < MOST_LANES && !any; k++) {
        const size_t length = strlen(r->lanes[k].name);
        any = strncmp(series, "mode(", 5) == 0 &&
              strncmp(series + 5, r->lanes[k].name, length) == 0 &&
              strcmp(series + 5 + length, ")") == 0;
    }
    return any;
}

/* What nobody has asked for by name is drawn once: modes are bands, where there are bands. */
static void choose_series(const plot_work *w)
{
    plot_result *first = &w->results[0];
    size_t count = 0;
    for (size_t k = 0; k < first->count && w->output_count == 0; k++) {
        const plot_series own = first->series[k];
        if (!is_band(first, own.name)) {
            first->series[k] = first->series[count];
            first->series[count++] = own;
        }
    }
    first->shown = count > 0 ? count : first->count;
}

/* A panel each output of the first result, with a line each result. */
static detent_status make_panels(plot_work *w, detent_error *error)
{
    const plot_result *first = &w->results[0];
    choose_series(w);
    w->panel_count = first->shown;
    if (w->panel_count == 0 || w->panel_count > MOST_PANELS) {
        return report(error, DETENT_ERROR_ARGUMENT,
                      "'detent plot': %zu outputs; say with --outputs which, up to %d",
                      w->panel_count, MOST_PANELS);
    }
    w->panels = calloc(w->panel_count, sizeof *w->panels);
    w->lines = calloc(w->panel_count * w->result_count, sizeof *w->lines);
    if (!w->panels || !w->lines) {
        return out_of_memory(error);
    }
    for (size_t k = 0; k < w->panel_count; k++) {
        const char *name = first->series[k].name;
        figure_line *lines = w->lines + k * w->result_count;
        for (size_t i = 0; i < w->result_count; i++) {
            const plot_result *r = &w->results[i];
            const plot_series *s = series_of(r, name);
            if (!s) {
                return report(error, DETENT_ERROR_ARGUMENT, "%s has no '%s'", w->options->files[i],
                              name);
            }
            lines[i] = (figure_line){r->time, s->values, r->rows};
        }
        w->panels[k] = (figure_panel){name, unit_of(w, name), lines, w->result_count};
    }
    return DETENT_OK;
}

/* Lanes of the joints that change their mode, first those of the first result; what is left out is said. */
static detent_status make_lanes(plot_work *w, detent_error *error)
{
    size_t all = 0, left_out = 0;
    for (size_t i = 0; i < w->result_count; i++) {
        all += w->results[i].lane_count;
    }
    w->lanes = calloc(all + 1, sizeof *w->lanes);
    w->lane_names = calloc(all + 1, sizeof *w->lane_names);
    if (!w->lanes || !w->lane_names) {
        return out_of_memory(error);
    }
    for (size_t i = 0; i < w->result_count; i++) {
        for (size_t k = 0; k < w->results[i].lane_count; k++) {
            const plot_lane *lane = &w->results[i].lanes[k];
            if (w->lane_count == MOST_LANES) {
                left_out++;
                continue;
            }
            const size_t size = strlen(lane->name) + strlen(w->names[i]) + 4;
            char *name = w->lane_names[w->lane_count] = malloc(size);
            if (!name) {
                return out_of_memory(error);
            }
            snprintf(name, size, w->result_count > 1 ? "%s (%s)" : "%s", lane->name, w->names[i]);
            w->lanes[w->lane_count++] = (figure_lane){name, lane->bands, lane->count};
        }
    }
    if (left_out > 0 && !w->options->quiet) {
        print_note("modes of %zu more joints are not in the plot", left_out);
    }
    return DETENT_OK;
}

static void release(plot_work *w)
{
    for (size_t i = 0; i < w->result_count; i++) {
        plot_result_release(&w->results[i]);
    }
    for (size_t k = 0; k < w->lane_count; k++) {
        free(w->lane_names[k]);
    }
    free(w->list);
    free(w->outputs);
    free(w->results);
    free(w->names);
    free(w->panels);
    free(w->lines);
    free(w->lanes);
    free(w->lane_names);
}

/* ---- the picture ---- */

/* WIDTHxHEIGHT; without it height follows. */
static detent_status choose_size(const cli_options *o, const figure *f, double *width,
                                 double *height, detent_error *error)
{
    char *end;
    *width = default_width;
    *height = figure_height(f);
    if (o->picture) {
        *width = strtod(o->picture, &end);
        *height = *end == 'x' ? strtod(end + 1, &end) : 0;
        if (*end || !(*width >= 1 && *width <= largest && *height >= 1 && *height <= largest)) {
            return report(error, DETENT_ERROR_ARGUMENT,
                          "option --size: '%s' is not WIDTHxHEIGHT, up to %g px", o->picture,
                          largest);
        }
    }
    if (*height > largest || !figure_fits(f, *width, *height)) {
        return report(error, DETENT_ERROR_ARGUMENT,
                      "option --size: %zu outputs have no room in %g x %g px; fewer --outputs, a "
                      "smaller --font or at least 60 px and 60 px an output are needed",
                      f->panel_count, *width, *height);
    }
    return DETENT_OK;
}

/* Into a file; the ending says which kind. */
static detent_status draw(const figure *f, const cli_options *o, bool png, output_file *file,
                          detent_error *error)
{
    double width, height;
    canvas c = {0};
    detent_status status = choose_size(o, f, &width, &height, error);
    if (!status && png) {
        status = canvas_png(file->stream, floor(width), floor(height), &c, error);
    } else if (!status) {
        c = canvas_svg(file->stream, width, height);
    }
    if (status) {
        return status;
    }
    const bool drawn = figure_draw(f, &c);
    status = canvas_end(&c, error);
    return drawn ? status : out_of_memory(error);
}

static detent_status make(plot_work *w, bool png, output_file *file, detent_error *error)
{
    const cli_options *o = w->options;
    detent_status status = split_names(w, error);
    status = status ? status : read_results(w, error);
    if (status) {
        return status;
    }
    name_results(w);
    status = make_panels(w, error);
    status = status ? status : make_lanes(w, error);
    const figure f = {.title = w->result_count > 1 ? NULL : w->names[0],
                      .names = w->names,
                      .name_count = w->result_count,
                      .panels = w->panels,
                      .panel_count = w->panel_count,
                      .lanes = w->lanes,
                      .lane_count = w->lane_count,
                      .events = w->results[0].events,
                      .event_count = w->result_count > 1 ? 0 : w->results[0].event_count,
                      .font = isnan(o->font) ? default_font : o->font};
    return status ? status : draw(&f, o, png, file, error);
}

static bool ends_in(const char *text, const char *ending)
{
    const size_t length = strlen(text), tail = strlen(ending);
    return length > tail && strcmp(text + length - tail, ending) == 0;
}

/* --output, or NAME.svg in the current directory; `*suffix` is taken off. The caller's to free. */
static char *base_of(const cli_options *o, const char **suffix)
{
    *suffix = o->output && ends_in(o->output, ".png") ? ".png" : ".svg";
    char *base = o->output ? plot_copy(o->output) : results_base_in("", o->file);
    if (o->output && base) {
        base[strlen(base) - strlen(*suffix)] = '\0';
    }
    return base;
}

int plot_command(const cli_options *options)
{
    detent_error error = {0};
    output_file file = {0};
    plot_work work = {.options = options};
    const char *suffix = ".svg";
    detent_status status = DETENT_OK;
    char *base = NULL;
    if (options->output && !ends_in(options->output, ".svg") && !ends_in(options->output, ".png")) {
        status = report(&error, DETENT_ERROR_ARGUMENT,
                        "option --output: '%s' ends in neither .svg nor .png", options->output);
    } else {
        base = base_of(options, &suffix);
        status = base ? DETENT_OK : out_of_memory(&error);
    }
    const bool png = strcmp(suffix, ".png") == 0;
    if (!status && png) {
        status = canvas_png_available(&error);
    }
    status = status ? status : output_file_open(&file, base, suffix, &error);
    if (!status) {
        status = output_file_finish(&file, make(&work, png, &file, &error), &error);
        if (!status && !options->quiet) {
            printf("%s\n", file.path);
        }
    }
    output_file_release(&file);
    release(&work);
    free(base);
    return finish_stdout(status ? exit_code_of(status) : EXIT_DONE);
}
