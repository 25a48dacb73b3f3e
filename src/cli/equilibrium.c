#include "equilibrium.h"

#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

typedef struct rest_work {
    analysis_work base;
    detent_analysis *analysis;
    double time;
    double *q, *z; /* coordinates, states */
    detent_rest rest;
    bool holds;
    double *friction, *margin; /* stictions */
    const char **input;        /* names of --interval */
    size_t input_count;
    detent_hold_interval *interval; /* input_count */
} rest_work;

static const char *const stabilities[] = {[DETENT_STABLE] = "stable",
                                          [DETENT_INDIFFERENT] = "indifferent",
                                          [DETENT_UNSTABLE] = "unstable",
                                          [DETENT_STABILITY_UNKNOWN] = "not known"};

static void fail_memory(rest_work *work)
{
    if (!work->base.status) {
        work->base.status = DETENT_ERROR_MEMORY;
        work->base.error =
            (detent_error){.status = DETENT_ERROR_MEMORY, .message = "out of memory"};
    }
}

/* ---- the position ---- */

static void take_memory(rest_work *work)
{
    const detent_mechanism_info *info = &work->base.info;
    work->q = calloc(info->coordinates + 1, sizeof *work->q);
    work->z = calloc(info->states + 1, sizeof *work->z);
    work->friction = calloc(info->stictions + 1, sizeof *work->friction);
    work->margin = calloc(info->stictions + 1, sizeof *work->margin);
    work->interval = calloc(work->input_count + 1, sizeof *work->interval);
    if (!work->q || !work->z || !work->friction || !work->margin || !work->interval) {
        fail_memory(work);
    }
}

/* That of the run at --at; where that is not given, the initial one. */
static void start(rest_work *work)
{
    analysis_work *base = &work->base;
    detent_error *error = &base->error;
    if (base->status) {
        return;
    }
    base->status = detent_analysis_create(base->mechanism, NULL, &work->analysis, error);
    if (!base->status && !isnan(base->options->at)) {
        analysis_simulate(base);
        base->status = base->status ? base->status
                                    : detent_read(base->simulation, DETENT_POSITIONS, work->q,
                                                  base->info.coordinates, error);
        base->status = base->status ? base->status
                                    : detent_read(base->simulation, DETENT_STATES, work->z,
                                                  base->info.states, error);
        base->status = base->status ? base->status
                                    : detent_analysis_set_states(work->analysis, work->z, error);
        base->status =
            base->status ? base->status
                         : detent_analysis_set_state(work->analysis, detent_time(base->simulation),
                                                     work->q, NULL, NULL, error);
    }
}

static void find(rest_work *work)
{
    analysis_work *base = &work->base;
    detent_error *error = &base->error;
    const detent_equilibrium_options options = {.size = sizeof options,
                                                .stiction = base->options->stiction};
    if (!base->status && !base->options->hold) {
        work->rest.size = sizeof work->rest;
        base->status = detent_equilibrium(work->analysis, &options, &work->rest, error);
    }
    if (!base->status) {
        base->status =
            detent_hold(work->analysis, &work->holds, work->friction, work->margin, error);
    }
    if (!base->status) {
        base->status = detent_analysis_get_states(work->analysis, work->z, error);
    }
    if (!base->status) {
        base->status = detent_analysis_get_state(work->analysis, &work->time, work->q, NULL, error);
    }
    for (size_t k = 0; k < work->input_count && !base->status; k++) {
        const ptrdiff_t input = detent_find(base->mechanism, DETENT_INPUT, work->input[k]);
        work->interval[k].size = sizeof work->interval[k];
        base->status =
            detent_find_hold_interval(work->analysis, (size_t)input, &work->interval[k], error);
    }
}

/* ---- text ---- */

/* "position(ball, w)" of the parts of a quaternion. */
static const char *coordinate_name(const detent_primitive_info *p, size_t part,
                                   char name[NAME_SIZE])
{
    if (p->coordinates == 1) {
        snprintf(name, NAME_SIZE, "position(%s)", p->name);
    } else {
        snprintf(name, NAME_SIZE, "position(%s, %c)", p->name, "wxyz"[part]);
    }
    return name;
}

static void print_positions(const rest_work *work)
{
    char name[NAME_SIZE];
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    int width = 0;
    const detent_mechanism *m = work->base.mechanism;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; detent_get_primitive(m, i, &p) == DETENT_OK; i++) {
            for (size_t c = 0; c < p.coordinates; c++) {
                if (pass == 0) {
                    width = column_width(width, coordinate_name(&p, c, name));
                } else {
                    printf("  %-*s %14.6g %s\n", width, coordinate_name(&p, c, name),
                           work->q[p.first_coordinate + c],
                           p.coordinates == 1 ? freedom_unit(m, i, 0) : "");
                }
            }
        }
    }
    for (size_t k = 0; k < work->base.info.states; k++) {
        printf("  %-*s %14.6g %s\n", width, detent_name(m, DETENT_STATE, k), work->z[k],
               detent_unit(m, DETENT_STATE, k));
    }
}

static void print_rest(const rest_work *work)
{
    const detent_rest *rest = &work->rest;
    const detent_mechanism *m = work->base.mechanism;
    if (work->base.options->hold) {
        return;
    }
    printf("%s", stabilities[rest->stability]);
    if (!isnan(rest->growth)) {
        printf(": growth %.6g 1/s", rest->growth);
    }
    if (!isnan(rest->frequency)) {
        printf(", lowest frequency %.6g rad/s", rest->frequency);
    }
    if (rest->rounding == 0) {
        puts(": nothing can move");
        return;
    }
    printf("\nleft over after %zu iterations: %.3g %s at '%s', of which rounding %.3g\n",
           rest->iterations, rest->residual, effort_unit(m, rest->residual_primitive),
           detent_name(m, DETENT_PRIMITIVE, rest->residual_primitive), rest->rounding);
}

static void print_friction(const rest_work *work)
{
    const detent_mechanism *m = work->base.mechanism;
    int width = 0;
    if (work->base.info.stictions > 0) {
        printf("friction with every joint stuck: %s\n",
               work->holds ? "it stays at rest" : "it does not stay at rest");
    }
    for (size_t k = 0; k < work->base.info.stictions; k++) {
        width = column_width(width, detent_name(m, DETENT_STICTION, k));
    }
    for (size_t k = 0; k < work->base.info.stictions; k++) {
        const char *unit = detent_unit(m, DETENT_STICTION, k);
        printf("  %-*s %14.6g %-3s  margin %14.6g %s\n", width, detent_name(m, DETENT_STICTION, k),
               work->friction[k], unit, work->margin[k], unit);
    }
}

/* What happens beyond an end. */
static void print_end(const rest_work *work, const char *beyond, ptrdiff_t primitive, int way)
{
    if (primitive >= 0) {
        printf("   %s '%s' starts%s", beyond,
               detent_name(work->base.mechanism, DETENT_PRIMITIVE, (size_t)primitive),
               way > 0   ? " forward"
               : way < 0 ? " in reverse"
                         : "");
    }
}

static void print_intervals(const rest_work *work)
{
    int width = 0;
    if (work->input_count > 0) {
        puts("intervals in which nothing moves:");
    }
    for (size_t k = 0; k < work->input_count; k++) {
        width = column_width(width, work->input[k]);
    }
    for (size_t k = 0; k < work->input_count; k++) {
        const detent_hold_interval *i = &work->interval[k];
        printf("  %-*s %14.6g to %14.6g", width, work->input[k], i->low, i->high);
        print_end(work, "below", i->low_primitive, i->low_direction);
        print_end(work, "above", i->high_primitive, i->high_direction);
        putchar('\n');
    }
}

static void print_text(const rest_work *work)
{
    const cli_options *options = work->base.options;
    analysis_print_title(&work->base);
    fputs(": ", stdout);
    if (options->hold) {
        printf("held at rest at t = %.9g s\n", work->time);
    } else if (options->stiction) {
        printf("position of rest at t = %.9g s, %zu of %zu joints held by static friction\n",
               work->time, work->rest.held, work->base.info.stictions);
    } else {
        printf("position of rest at t = %.9g s, without friction\n", work->time);
    }
    print_positions(work);
    print_rest(work);
    print_friction(work);
    print_intervals(work);
}

/* ---- JSON ---- */

static void json_values(json_writer *json, const rest_work *work)
{
    char name[NAME_SIZE];
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    const detent_mechanism *m = work->base.mechanism;
    json_array(json, "positions");
    for (size_t i = 0; detent_get_primitive(m, i, &p) == DETENT_OK; i++) {
        for (size_t c = 0; c < p.coordinates; c++) {
            json_object(json, NULL);
            json_text(json, "name", coordinate_name(&p, c, name));
            json_text(json, "unit", p.coordinates == 1 ? freedom_unit(m, i, 0) : "");
            json_number(json, "value", work->q[p.first_coordinate + c]);
            json_close(json);
        }
    }
    json_close(json);
    json_array(json, "states");
    for (size_t k = 0; k < work->base.info.states; k++) {
        json_object(json, NULL);
        json_text(json, "name", detent_name(m, DETENT_STATE, k));
        json_text(json, "unit", detent_unit(m, DETENT_STATE, k));
        json_number(json, "value", work->z[k]);
        json_close(json);
    }
    json_close(json);
}

static void json_rest(json_writer *json, const rest_work *work)
{
    const detent_rest *rest = &work->rest;
    if (work->base.options->hold) {
        json_null(json, "rest");
        return;
    }
    json_object(json, "rest");
    json_count(json, "iterations", rest->iterations);
    json_count(json, "held", rest->held);
    json_text(json, "stability", stabilities[rest->stability]);
    json_number(json, "growth", rest->growth);
    json_number(json, "frequency", rest->frequency);
    json_number(json, "residual", rest->residual);
    json_number(json, "rounding", rest->rounding);
    json_text(json, "joint",
              detent_name(work->base.mechanism, DETENT_PRIMITIVE, rest->residual_primitive));
    json_close(json);
}

static void json_friction(json_writer *json, const rest_work *work)
{
    const detent_mechanism *m = work->base.mechanism;
    json_bool(json, "holds", work->holds);
    json_array(json, "friction");
    for (size_t k = 0; k < work->base.info.stictions; k++) {
        json_object(json, NULL);
        json_text(json, "name", detent_name(m, DETENT_STICTION, k));
        json_text(json, "unit", detent_unit(m, DETENT_STICTION, k));
        json_number(json, "value", work->friction[k]);
        json_number(json, "margin", work->margin[k]);
        json_close(json);
    }
    json_close(json);
}

static void json_end_of(json_writer *json, const rest_work *work, const char *key,
                        ptrdiff_t primitive, int way)
{
    json_object(json, key);
    if (primitive >= 0) {
        json_text(json, "joint",
                  detent_name(work->base.mechanism, DETENT_PRIMITIVE, (size_t)primitive));
    } else {
        json_null(json, "joint");
    }
    json_number(json, "direction", way);
    json_close(json);
}

static void json_intervals(json_writer *json, const rest_work *work)
{
    json_array(json, "intervals");
    for (size_t k = 0; k < work->input_count; k++) {
        const detent_hold_interval *i = &work->interval[k];
        json_object(json, NULL);
        json_text(json, "name", work->input[k]);
        json_number(json, "low", i->low);
        json_number(json, "high", i->high);
        json_end_of(json, work, "below", i->low_primitive, i->low_direction);
        json_end_of(json, work, "above", i->high_primitive, i->high_direction);
        json_close(json);
    }
    json_close(json);
}

static void print_json(const rest_work *work)
{
    json_writer json;
    if (!analysis_begin_json(&work->base, &json, work->time)) {
        return;
    }
    json_values(&json, work);
    json_rest(&json, work);
    json_friction(&json, work);
    json_intervals(&json, work);
    analysis_end_json(&json);
}

/* ---- the command ---- */

/* The names of --interval, in `list`. */
static size_t split(char *list, const char **name)
{
    size_t count = 0;
    for (char *item; (item = next_item(&list)) != NULL;) {
        name[count++] = item;
    }
    return count;
}

static void check_options(rest_work *work)
{
    const cli_options *options = work->base.options;
    if (options->hold && options->stiction) {
        analysis_refuse(&work->base,
                        "options --hold and --stiction: it is held where it is, or looks for rest");
    }
}

static void run(rest_work *work)
{
    check_options(work);
    take_memory(work);
    start(work);
    find(work);
    if (work->base.options->json) {
        print_json(work);
    } else if (!work->base.status) {
        print_text(work);
    }
    detent_analysis_destroy(work->analysis);
    free(work->q);
    free(work->z);
    free(work->friction);
    free(work->margin);
    free(work->interval);
}

int equilibrium_command(const cli_options *options)
{
    cli_options own = *options;
    const char *text = options->held_inputs ? options->held_inputs : "";
    const size_t length = strlen(text) + 1;
    char *list = malloc(length);
    const char **name = malloc(length * sizeof *name);
    if (!list || !name) {
        free(list);
        free(name);
        print_error("out of memory");
        return EXIT_MEMORY;
    }
    memcpy(list, text, length);
    own.tunable = name;
    own.tunable_count = *text ? split(list, name) : 0;
    rest_work work = {.base = analysis_load(&own)};
    work.input = name;
    work.input_count = own.tunable_count;
    run(&work);
    const int code = analysis_finish(&work.base);
    free(list);
    free(name);
    return code;
}
