#include "kinematics.h"

#include "analysis.h"
#include "csv.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

typedef struct kinematics_work {
    analysis_work base;
    detent_analysis *analysis;
    detent_drive drive; /* of --driven */
    double from, to, step;
    size_t rows, columns;
    size_t *output; /* indices of those that are printed */
    size_t output_count;
    double *values; /* rows x columns: time, positions, velocities, accelerations, outputs */
} kinematics_work;

static void fail_memory(kinematics_work *work)
{
    if (!work->base.status) {
        work->base.status = DETENT_ERROR_MEMORY;
        work->base.error =
            (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
    }
}

/* ---- what is asked for ---- */

static void choose_drive(kinematics_work *work)
{
    analysis_work *base = &work->base;
    const char *name = base->options->driven;
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    if (base->status || !name) {
        return;
    }
    const ptrdiff_t index = detent_find(base->mechanism, DETENT_PRIMITIVE, name);
    if (index < 0) {
        analysis_unknown(base, "driven", "joint", DETENT_PRIMITIVE, name);
        return;
    }
    work->drive.size = sizeof work->drive;
    work->drive.primitive = (size_t)index;
    detent_get_primitive(base->mechanism, (size_t)index, &p);
    if (p.freedoms != 1 || p.prescribed) {
        analysis_refuse(base, "option --driven: '%s' %s", name,
                        p.prescribed ? "has a motion of its own"
                                     : "is neither revolute nor prismatic");
    } else if (isnan(base->options->to) || isnan(base->options->step)) {
        analysis_refuse(base, "option --driven: --to and --step say how far '%s' moves", name);
    }
}

static double start_of_driven(kinematics_work *work)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    double *q = calloc(work->base.info.coordinates + 1, sizeof *q), start = 0;
    if (q) {
        work->base.status =
            detent_analysis_get_state(work->analysis, NULL, q, NULL, &work->base.error);
        detent_get_primitive(work->base.mechanism, work->drive.primitive, &p);
        start = q[p.first_coordinate];
    } else {
        fail_memory(work);
    }
    free(q);
    return start;
}

static void choose_rows(kinematics_work *work)
{
    static const double rounding = 1e-9, most = 1e7;
    const cli_options *o = work->base.options;
    const detent_settings *settings = &work->base.settings;
    if (work->base.status) {
        return;
    }
    work->from = !isnan(o->from) ? o->from : o->driven ? start_of_driven(work) : settings->start;
    work->to = !isnan(o->to) ? o->to : settings->end;
    work->step = !isnan(o->step) ? o->step : settings->interval;
    /* the last row is at --to, be it a multiple of the step or not */
    const double steps = ceil(fabs(work->to - work->from) / work->step - rounding);
    if (!o->driven && work->to < work->from) {
        analysis_refuse(&work->base, "options --from and --to: time goes from %g s to %g s",
                        work->from, work->to);
    } else if (!(steps < most)) {
        analysis_refuse(&work->base, "option --step: that would be %g rows", steps);
    } else {
        work->rows = (size_t)steps + 1;
    }
}

/* ---- columns ---- */

/* Calls for every column after the first, in their order, with its name and unit. */
static void each_column(const kinematics_work *work,
                        void (*what)(void *user, const char *name, const char *unit), void *user)
{
    static const char *const functions[] = {"position", "velocity", "acceleration"};
    char name[NAME_SIZE];
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    const detent_mechanism *m = work->base.mechanism;
    for (int power = 0; power < 3; power++) {
        for (size_t i = 0; detent_get_primitive(m, i, &p) == DETENT_OK; i++) {
            const size_t parts = power == 0 ? p.coordinates : p.freedoms;
            for (size_t c = 0; c < parts; c++) {
                if (parts == 4) {
                    snprintf(name, sizeof name, "position(%s, %c)", p.name, "wxyz"[c]);
                } else {
                    freedom_name(m, functions[power], i, c, name, sizeof name);
                }
                what(user, name, parts == 4 ? "" : freedom_unit(m, i, power));
            }
        }
    }
    for (size_t k = 0; k < work->output_count; k++) {
        what(user, detent_name(m, DETENT_OUTPUT, work->output[k]),
             detent_unit(m, DETENT_OUTPUT, work->output[k]));
    }
}

/* ---- outputs ---- */

static void choose_named(kinematics_work *work, char *list)
{
    analysis_work *base = &work->base;
    double value;
    for (char *name; !base->status && (name = next_item(&list)) != NULL;) {
        const ptrdiff_t index = detent_find(base->mechanism, DETENT_OUTPUT, name);
        if (index < 0) {
            analysis_unknown(base, "outputs", "output", DETENT_OUTPUT, name);
        } else {
            work->output[work->output_count++] = (size_t)index;
            base->status =
                detent_kinematics_output(work->analysis, (size_t)index, &value, &base->error);
        }
    }
}

typedef struct name_search {
    const char *name;
    bool found;
} name_search;

static void compare_name(void *user, const char *name, const char *unit)
{
    name_search *search = user;
    (void)unit;
    search->found = search->found || strcmp(search->name, name) == 0;
}

/* Whether there is a column of that name already. */
static bool is_column(const kinematics_work *work, const char *name)
{
    name_search search = {name, false};
    each_column(work, compare_name, &search);
    return search.found;
}

/* All that positions, velocities and accelerations tell, and that are not columns of joints. */
static void choose_all(kinematics_work *work)
{
    double value;
    size_t left_out = 0;
    for (size_t k = 0; k < work->base.info.outputs; k++) {
        if (detent_kinematics_output(work->analysis, k, &value, NULL) != DETENT_OK) {
            left_out++;
        } else if (!is_column(work, detent_name(work->base.mechanism, DETENT_OUTPUT, k))) {
            work->output[work->output_count++] = k;
        }
    }
    if (left_out > 0 && !work->base.options->quiet) {
        print_note("%zu of %zu outputs read forces, modes, states or works, and are left out",
                   left_out, work->base.info.outputs);
    }
}

static void choose_outputs(kinematics_work *work)
{
    const char *text = work->base.options->outputs;
    if (work->base.status) {
        return;
    }
    const size_t length = text ? strlen(text) + 1 : 1;
    char *list = malloc(length);
    work->output = malloc((work->base.info.outputs + length) * sizeof *work->output);
    if (!list || !work->output) {
        fail_memory(work);
    } else if (text) {
        memcpy(list, text, length);
        choose_named(work, list);
    } else {
        choose_all(work);
    }
    free(list);
}

/* ---- rows ---- */

static void solve_row(kinematics_work *work, size_t row)
{
    analysis_work *base = &work->base;
    const size_t nq = base->info.coordinates, nv = base->info.freedoms;
    const double sign = work->to < work->from ? -1 : 1;
    const double at =
        row > 0 && row + 1 == work->rows ? work->to : work->from + sign * (double)row * work->step;
    double *values = work->values + row * work->columns;
    const bool driven = base->options->driven != NULL;
    if (driven) {
        work->drive.position = at;
        work->drive.velocity = sign;
    }
    values[0] = driven ? fabs(at - work->from) : at;
    base->status = detent_kinematics(work->analysis, driven ? base->settings.start : at,
                                     driven ? &work->drive : NULL, values + 1, values + 1 + nq,
                                     values + 1 + nq + nv, &base->error);
    for (size_t k = 0; k < work->output_count && !base->status; k++) {
        base->status = detent_kinematics_output(work->analysis, work->output[k],
                                                values + 1 + nq + 2 * nv + k, &base->error);
    }
    if (base->status && driven) {
        char *message = base->error.message;
        const size_t length = strlen(message);
        snprintf(message + length, sizeof base->error.message - length, " (at position(%s) = %.9g)",
                 base->options->driven, at);
    }
}

static void solve(kinematics_work *work)
{
    analysis_work *base = &work->base;
    if (base->status) {
        return;
    }
    work->columns = 1 + base->info.coordinates + 2 * base->info.freedoms + work->output_count;
    work->values = calloc(work->rows * work->columns, sizeof *work->values);
    if (!work->values) {
        fail_memory(work);
    }
    for (size_t row = 0; row < work->rows && !base->status; row++) {
        solve_row(work, row);
    }
}

/* ---- output ---- */

static void print_head(void *user, const char *name, const char *unit)
{
    (void)user, (void)unit;
    fputc(',', stdout);
    csv_write_field(stdout, name);
}

static void print_csv(const kinematics_work *work)
{
    fputs("time", stdout);
    each_column(work, print_head, NULL);
    putchar('\n');
    for (size_t row = 0; row < work->rows; row++) {
        for (size_t c = 0; c < work->columns; c++) {
            if (c > 0) {
                fputc(',', stdout);
            }
            write_number(stdout, work->values[row * work->columns + c]);
        }
        putchar('\n');
    }
}

static void json_column(void *user, const char *name, const char *unit)
{
    json_object(user, NULL);
    json_text(user, "name", name);
    json_text(user, "unit", unit);
    json_close(user);
}

static void print_json(const kinematics_work *work)
{
    json_writer json;
    const double time = work->values ? work->values[0] : 0;
    if (!analysis_begin_json(&work->base, &json, time)) {
        return;
    }
    json_array(&json, "columns");
    json_column(&json, "time", "s");
    each_column(work, json_column, &json);
    json_close(&json);
    json_matrix(&json, "rows", work->values, work->rows, work->columns);
    analysis_end_json(&json);
}

/* ---- the command ---- */

int kinematics_command(const cli_options *options)
{
    kinematics_work work = {.base = analysis_load(options)};
    if (!work.base.status) {
        work.base.status =
            detent_analysis_create(work.base.mechanism, NULL, &work.analysis, &work.base.error);
    }
    choose_drive(&work);
    choose_rows(&work);
    choose_outputs(&work);
    solve(&work);
    if (options->json) {
        print_json(&work);
    } else if (!work.base.status) {
        print_csv(&work);
    }
    detent_analysis_destroy(work.analysis);
    free(work.output);
    free(work.values);
    return analysis_finish(&work.base);
}
