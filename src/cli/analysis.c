#include "analysis.h"

#include "describe.h"
#include "help.h"
#include "interrupt.h"
#include "load.h"
#include "nearest.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- begin and end ---- */

static detent_request ask(void *user)
{
    (void)user;
    return interrupt_signal() ? DETENT_STOP : DETENT_GO_ON;
}

analysis_work analysis_load(const cli_options *options)
{
    analysis_work work = {.options = options,
                          .info = DETENT_INIT(detent_mechanism_info),
                          .settings = DETENT_INIT(detent_settings)};
    work.status = load_mechanism(options, &work.mechanism, &work.error);
    if (!work.status) {
        detent_mechanism_get_info(work.mechanism, &work.info);
        detent_mechanism_get_settings(work.mechanism, &work.settings);
        if (!options->quiet) {
            print_warnings(options, work.mechanism);
        }
    }
    return work;
}

void analysis_simulate(analysis_work *work)
{
    const double start = work->settings.start, at = work->options->at;
    if (work->status) {
        return;
    }
    if (!isnan(at) && at < start) {
        analysis_refuse(work, "option --at: the run starts at %g s only", start);
        return;
    }
    detent_settings settings = work->settings;
    settings.end = at > settings.end ? at : settings.end;
    const detent_simulation_options options = {
        .size = sizeof options, .settings = &settings, .interrupt = ask};
    interrupt_install();
    work->status =
        detent_simulation_create(work->mechanism, &options, &work->simulation, &work->error);
    if (!work->status && !work->options->quiet) {
        print_start_warnings(work->options, work->mechanism, work->simulation);
    }
    if (!work->status && at > start) {
        work->status = detent_advance(work->simulation, at, false, &work->error);
    }
}

void analysis_refuse(analysis_work *work, const char *format, ...)
{
    va_list arguments;
    if (work->status) {
        return;
    }
    work->status = DETENT_ERROR_ARGUMENT;
    work->error = (detent_error){.status = work->status};
    va_start(arguments, format);
    vsnprintf(work->error.message, sizeof work->error.message, format, arguments);
    va_end(arguments);
}

void analysis_unknown(analysis_work *work, const char *flag, const char *what, detent_item item,
                      const char *name)
{
    const char *nearest = NULL, *other;
    for (size_t i = 0; (other = detent_name(work->mechanism, item, i)) != NULL; i++) {
        const bool nearer = !nearest || edit_distance(name, other) < edit_distance(name, nearest);
        nearest = is_near(name, other) && nearer ? other : nearest;
    }
    analysis_refuse(work, "option --%s: the mechanism has no %s '%s'%s%s%s", flag, what, name,
                    nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
}

void analysis_print_title(const analysis_work *work)
{
    write_plain(stdout, work->info.name[0] ? work->info.name : work->options->file);
}

int analysis_finish(analysis_work *work)
{
    const int code = exit_code_of(work->status);
    if (work->status && !work->is_told) {
        print_library_error(&work->error);
    }
    detent_simulation_destroy(work->simulation);
    detent_mechanism_destroy(work->mechanism);
    return finish_stdout(code);
}

/* ---- JSON ---- */

bool analysis_begin_json(const analysis_work *work, json_writer *json, double time)
{
    *json = json_begin(stdout, true);
    json_object(json, NULL);
    json_text(json, "file", work->options->file);
    json_count(json, "exit_code", (size_t)exit_code_of(work->status));
    if (work->status) {
        json_error(json, "error", &work->error);
        analysis_end_json(json);
        return false;
    }
    json_text(json, "name", work->info.name);
    json_number(json, "time", time);
    return true;
}

void analysis_end_json(json_writer *json)
{
    json_close(json);
    json_end(json);
}

void json_row(json_writer *json, const char *key, const double *values, size_t count)
{
    const bool pretty = json->pretty;
    json_array(json, key);
    json->pretty = false;
    for (size_t k = 0; k < count; k++) {
        json_number(json, NULL, values[k]);
    }
    json_close(json);
    json->pretty = pretty;
}

void json_matrix(json_writer *json, const char *key, const double *values, size_t rows,
                 size_t columns)
{
    json_array(json, key);
    for (size_t k = 0; k < rows; k++) {
        json_row(json, NULL, values + k * columns, columns);
    }
    json_close(json);
}

/* ---- names ---- */

int column_width(int width, const char *name)
{
    const int own = (int)strlen(name);
    return own > width ? own : width;
}

const char *freedom_name(const detent_mechanism *mechanism, const char *function, size_t primitive,
                         size_t component, char *name, size_t size)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(mechanism, primitive, &p);
    if (p.freedoms == 1) {
        snprintf(name, size, "%s(%s)", function, p.name);
    } else {
        snprintf(name, size, "%s(%s, %c)", function, p.name, "xyz"[component]);
    }
    return name;
}

const char *freedom_unit(const detent_mechanism *mechanism, size_t primitive, int power)
{
    static const char *const units[2][3] = {{"m", "m/s", "m/s^2"}, {"rad", "rad/s", "rad/s^2"}};
    const char *unit = detent_unit(mechanism, DETENT_PRIMITIVE, primitive);
    return units[unit && strcmp(unit, "rad") == 0][power];
}

const char *effort_unit(const detent_mechanism *mechanism, size_t primitive)
{
    return strcmp(freedom_unit(mechanism, primitive, 0), "rad") == 0 ? "N m" : "N";
}

char *next_item(char **list)
{
    char *item = *list;
    int depth = 0;
    if (!item) {
        return NULL;
    }
    while (isspace((unsigned char)*item)) {
        item++;
    }
    char *end = item;
    for (; *end && (*end != ',' || depth > 0); end++) {
        depth += (*end == '(' || *end == '[') - (*end == ')' || *end == ']');
    }
    *list = *end ? end + 1 : NULL;
    while (end > item && isspace((unsigned char)end[-1])) {
        end--;
    }
    *end = '\0';
    return item;
}
