#include "inverse.h"

#include "analysis.h"
#include "csv.h"
#include "motion_table.h"
#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

typedef struct inverse_work {
    analysis_work base;
    detent_analysis *analysis;
    motion_table table; /* of --motion; one row that is made here without */
    bool *driven;       /* freedoms */
    bool is_chosen;     /* some joints are driven, and not all */
    double *q;          /* coordinates: of the row at hand */
    double *low, *high; /* rows x freedoms */
} inverse_work;

static void fail_memory(inverse_work *work)
{
    if (!work->base.status) {
        work->base.status = DETENT_ERROR_MEMORY;
        work->base.error =
            (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
    }
}

/* ---- the motion ---- */

/* The state of the run at --at as a table of one row; --hold: at rest there. */
static void take_state(inverse_work *work)
{
    analysis_work *base = &work->base;
    motion_table *table = &work->table;
    const size_t nq = base->info.coordinates, nv = base->info.freedoms;
    *table = (motion_table){.rows = 1, .coordinates = nq, .freedoms = nv, .given_count = nv};
    table->time = calloc(1, sizeof(double));
    table->q = calloc(nq + 1, sizeof(double));
    table->v = calloc(nv + 1, sizeof(double));
    table->a = calloc(nv + 1, sizeof(double));
    table->given = calloc(nv + 1, sizeof *table->given);
    if (!table->time || !table->q || !table->v || !table->a || !table->given) {
        fail_memory(work);
        return;
    }
    analysis_simulate(base);
    if (base->status) {
        return;
    }
    table->time[0] = detent_time(base->simulation);
    base->status = detent_read(base->simulation, DETENT_POSITIONS, table->q, nq, &base->error);
    if (!base->status && !base->options->hold) {
        base->status = detent_read(base->simulation, DETENT_VELOCITIES, table->v, nv, &base->error);
    }
    if (!base->status && !base->options->hold) {
        base->status =
            detent_read(base->simulation, DETENT_ACCELERATIONS, table->a, nv, &base->error);
    }
}

static void take_motion(inverse_work *work)
{
    analysis_work *base = &work->base;
    const cli_options *options = base->options;
    if (base->status) {
        return;
    }
    if (!options->motion) {
        take_state(work);
        return;
    }
    if (!isnan(options->at) || options->hold) {
        analysis_refuse(base, "option --%s: the table of --motion tells times and states",
                        options->hold ? "hold" : "at");
        return;
    }
    base->status = motion_table_read(&work->table, options->motion, base->mechanism, &base->error);
}

/* ---- who is driven ---- */

static void drive(inverse_work *work, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    const ptrdiff_t index = detent_find(work->base.mechanism, DETENT_PRIMITIVE, name);
    if (index < 0) {
        analysis_unknown(&work->base, "driven", "joint", DETENT_PRIMITIVE, name);
        return;
    }
    detent_get_primitive(work->base.mechanism, (size_t)index, &p);
    for (size_t j = 0; j < p.freedoms; j++) {
        work->driven[p.first_freedom + j] = true;
    }
}

static bool has_motion(const detent_mechanism *mechanism)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    bool any = false;
    for (size_t i = 0; detent_get_primitive(mechanism, i, &p) == DETENT_OK; i++) {
        any = any || p.prescribed;
    }
    return any;
}

/* Those of --driven; without it, those that the table has columns of; in a tree all. */
static void choose_driven(inverse_work *work)
{
    analysis_work *base = &work->base;
    const motion_table *table = &work->table;
    if (base->status) {
        return;
    }
    if (base->options->driven) {
        char *copy = malloc(strlen(base->options->driven) + 1), *list = copy;
        if (!copy) {
            fail_memory(work);
            return;
        }
        memcpy(copy, base->options->driven, strlen(base->options->driven) + 1);
        for (char *name; !base->status && (name = next_item(&list)) != NULL;) {
            drive(work, name);
        }
        free(copy);
        work->is_chosen = true;
    } else if (base->info.ties > 0) {
        if (table->given_count == base->info.freedoms && has_motion(base->mechanism)) {
            work->is_chosen = true; /* perhaps motions decide all: the library knows */
            return;
        }
        if (table->given_count == base->info.freedoms) {
            analysis_refuse(base, "option --driven NAMES is missing: the mechanism has loops or "
                                  "couplings, and which of its joints are driven has to be said");
        }
        memcpy(work->driven, table->given, base->info.freedoms * sizeof *work->driven);
        work->is_chosen = true;
    }
}

/* In a tree nothing tells where a joint is but its columns. */
static void check_columns(inverse_work *work)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    const analysis_work *base = &work->base;
    if (base->status || !base->options->motion || base->info.ties > 0) {
        return;
    }
    for (size_t i = 0; detent_get_primitive(base->mechanism, i, &p) == DETENT_OK; i++) {
        if (p.freedoms > 0 && !p.prescribed && !work->table.given[p.first_freedom]) {
            analysis_refuse(&work->base,
                            "option --motion: the table has no columns of joint '%s', and "
                            "nothing else says how it moves",
                            p.name);
            return;
        }
    }
}

/* ---- the rows ---- */

/* What has no column is where it was. */
static detent_status set_row(inverse_work *work, size_t row)
{
    detent_error *error = &work->base.error;
    const motion_table *table = &work->table;
    const bool all = table->given_count == table->freedoms;
    double *v = table->v + row * table->freedoms, *a = table->a + row * table->freedoms;
    detent_status status = detent_analysis_get_state(work->analysis, NULL, work->q, NULL, error);
    for (size_t k = 0; k < table->coordinates; k++) {
        const double given = table->q[row * table->coordinates + k];
        work->q[k] = isnan(given) ? work->q[k] : given;
    }
    for (size_t k = 0; k < table->freedoms; k++) {
        v[k] = isnan(v[k]) ? 0 : v[k];
        a[k] = isnan(a[k]) ? 0 : a[k];
    }
    return status ? status
                  : detent_analysis_set_state(work->analysis, table->time[row], work->q, v,
                                              all ? NULL : table->given, error);
}

static void solve(inverse_work *work)
{
    analysis_work *base = &work->base;
    const motion_table *table = &work->table;
    const size_t nv = base->info.freedoms;
    if (base->status) {
        return;
    }
    base->status = detent_analysis_create(base->mechanism, NULL, &work->analysis, &base->error);
    work->q = malloc((base->info.coordinates + 1) * sizeof *work->q);
    work->low = malloc((table->rows * nv + 1) * sizeof *work->low);
    work->high = malloc((table->rows * nv + 1) * sizeof *work->high);
    if (!work->q || !work->low || !work->high) {
        fail_memory(work);
    }
    for (size_t row = 0; row < table->rows && !base->status; row++) {
        base->status = set_row(work, row);
        if (!base->status) {
            base->status = detent_inverse(
                work->analysis, table->a + row * nv, work->is_chosen ? work->driven : NULL,
                work->low + row * nv, work->high + row * nv, &base->error);
        }
    }
}

/* ---- output ---- */

/* Whether a freedom has a drive. */
static bool is_driven(const inverse_work *work, const detent_primitive_info *p, size_t j)
{
    return !work->is_chosen || p->prescribed || work->driven[j];
}

/* Calls for every driven freedom. */
static void each_driven(const inverse_work *work,
                        void (*what)(const inverse_work *, size_t primitive, size_t component,
                                     size_t freedom, void *),
                        void *user)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    for (size_t i = 0; detent_get_primitive(work->base.mechanism, i, &p) == DETENT_OK; i++) {
        for (size_t c = 0; c < p.freedoms; c++) {
            if (is_driven(work, &p, p.first_freedom + c)) {
                what(work, i, c, p.first_freedom + c, user);
            }
        }
    }
}

static void print_head_of(const inverse_work *work, size_t primitive, size_t component,
                          size_t freedom, void *user)
{
    char name[NAME_SIZE];
    (void)user, (void)freedom;
    fputc(',', stdout);
    csv_write_field(stdout, freedom_name(work->base.mechanism, "force_low", primitive, component,
                                         name, sizeof name));
    fputc(',', stdout);
    csv_write_field(stdout, freedom_name(work->base.mechanism, "force_high", primitive, component,
                                         name, sizeof name));
}

static void print_values_of(const inverse_work *work, size_t primitive, size_t component,
                            size_t freedom, void *user)
{
    const size_t at = *(const size_t *)user * work->table.freedoms + freedom;
    (void)primitive, (void)component;
    fputc(',', stdout);
    write_number(stdout, work->low[at]);
    fputc(',', stdout);
    write_number(stdout, work->high[at]);
}

static void print_csv(const inverse_work *work)
{
    fputs("time", stdout);
    each_driven(work, print_head_of, NULL);
    putchar('\n');
    for (size_t row = 0; row < work->table.rows; row++) {
        write_number(stdout, work->table.time[row]);
        each_driven(work, print_values_of, &row);
        putchar('\n');
    }
}

static void widen(const inverse_work *work, size_t primitive, size_t component, size_t freedom,
                  void *user)
{
    char name[NAME_SIZE];
    int *width = user;
    (void)freedom;
    *width = column_width(*width, freedom_name(work->base.mechanism, "force", primitive, component,
                                               name, sizeof name));
}

static void print_line(const inverse_work *work, size_t primitive, size_t component, size_t freedom,
                       void *user)
{
    char name[NAME_SIZE];
    printf("  %-*s %14.6g", *(const int *)user,
           freedom_name(work->base.mechanism, "force", primitive, component, name, sizeof name),
           work->low[freedom]);
    if (work->low[freedom] != work->high[freedom]) {
        printf(" to %14.6g", work->high[freedom]);
    } else {
        printf("    %14s", "");
    }
    printf(" %-3s%s\n", effort_unit(work->base.mechanism, primitive),
           work->low[freedom] != work->high[freedom] ? "  at rest, held by static friction" : "");
}

static void print_text(const inverse_work *work)
{
    int width = 0;
    each_driven(work, widen, &width);
    analysis_print_title(&work->base);
    printf(": forces of the drives at t = %.9g s%s\n", work->table.time[0],
           work->base.options->hold ? ", held at rest" : "");
    each_driven(work, print_line, &width);
}

typedef struct json_place {
    json_writer *json;
    size_t row;
} json_place;

static void json_freedom(const inverse_work *work, size_t primitive, size_t component,
                         size_t freedom, void *user)
{
    char name[NAME_SIZE];
    json_writer *json = user;
    (void)freedom;
    json_object(json, NULL);
    json_text(json, "name",
              freedom_name(work->base.mechanism, "force", primitive, component, name, sizeof name));
    json_text(json, "unit", effort_unit(work->base.mechanism, primitive));
    json_close(json);
}

static void json_value(const inverse_work *work, size_t primitive, size_t component, size_t freedom,
                       void *user)
{
    const json_place *place = user;
    const size_t at = place->row * work->table.freedoms + freedom;
    const double ends[2] = {work->low[at], work->high[at]};
    (void)primitive, (void)component;
    json_row(place->json, NULL, ends, 2);
}

static void print_json(const inverse_work *work)
{
    json_writer json;
    if (!analysis_begin_json(&work->base, &json, work->table.rows ? work->table.time[0] : 0)) {
        return;
    }
    json_array(&json, "drives");
    each_driven(work, json_freedom, &json);
    json_close(&json);
    json_array(&json, "rows");
    for (size_t row = 0; row < work->table.rows; row++) {
        json_place place = {&json, row};
        json_object(&json, NULL);
        json_number(&json, "time", work->table.time[row]);
        json_array(&json, "forces");
        each_driven(work, json_value, &place);
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
    analysis_end_json(&json);
}

/* ---- the command ---- */

int inverse_command(const cli_options *options)
{
    inverse_work work = {.base = analysis_load(options)};
    if (!work.base.status) {
        work.driven = calloc(work.base.info.freedoms + 1, sizeof *work.driven);
        if (!work.driven) {
            fail_memory(&work);
        }
    }
    take_motion(&work);
    choose_driven(&work);
    check_columns(&work);
    solve(&work);
    if (options->json) {
        print_json(&work);
    } else if (!work.base.status && options->motion) {
        print_csv(&work);
    } else if (!work.base.status) {
        print_text(&work);
    }
    detent_analysis_destroy(work.analysis);
    motion_table_free(&work.table);
    free(work.driven);
    free(work.q);
    free(work.low);
    free(work.high);
    return analysis_finish(&work.base);
}
