#include "linearize.h"

#include "analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

/* A linear model and its lists. */
typedef struct listed_model {
    detent_linearization *own;
    detent_linear_info is;
    detent_linear_state *state;    /* states */
    detent_eigenvalue *eigenvalue; /* states */
} listed_model;

/* The name of a component of the state. */
static const char *state_name(const analysis_work *work, const detent_linear_state *state,
                              char name[NAME_SIZE])
{
    static const char *const functions[] = {
        [DETENT_STATE_POSITION] = "position", [DETENT_STATE_VELOCITY] = "velocity"};
    if (state->kind == DETENT_STATE_OWN) {
        return detent_name(work->mechanism, DETENT_STATE, state->primitive);
    }
    return freedom_name(work->mechanism, functions[state->kind], state->primitive, state->component,
                        name, NAME_SIZE);
}

/* `rate`: 1 for that of its rate. */
static const char *state_unit(const analysis_work *work, const detent_linear_state *state, int rate,
                              char text[NAME_SIZE])
{
    if (state->kind == DETENT_STATE_OWN) {
        const char *unit = detent_unit(work->mechanism, DETENT_STATE, state->primitive);
        snprintf(text, NAME_SIZE, !rate ? "%s" : *unit ? "(%s)/s" : "1/s%s", unit);
        return text;
    }
    return freedom_unit(work->mechanism, state->primitive,
                        (state->kind == DETENT_STATE_VELOCITY) + rate);
}

/* ---- text ---- */

/* A vector of the model: x1, x2, ... with names, values and what `more` says. */
static void print_states(const analysis_work *work, const listed_model *l)
{
    char name[NAME_SIZE], unit[2][NAME_SIZE];
    int width = 0;
    for (size_t i = 0; i < l->is.states; i++) {
        width = column_width(width, state_name(work, &l->state[i], name));
    }
    printf("states x: %zu%s\n", l->is.states,
           l->is.states ? "" : " (nothing moves in these modes)");
    for (size_t i = 0; i < l->is.states; i++) {
        const detent_linear_state *state = &l->state[i];
        printf("  x%-3zu %-*s %14.6g %-7s rate %14.6g %s\n", i + 1, width,
               state_name(work, state, name), state->value, state_unit(work, state, 0, unit[0]),
               state->rate, state_unit(work, state, 1, unit[1]));
    }
}

static void print_inputs_and_outputs(const analysis_work *work, const listed_model *l)
{
    printf("inputs u: %zu\n", l->is.inputs);
    for (size_t i = 0; i < l->is.inputs; i++) {
        printf("  u%-3zu %s\n", i + 1, detent_name(work->mechanism, DETENT_INPUT, i));
    }
    printf("outputs y: %zu\n", l->is.outputs);
    int width = 0;
    for (size_t i = 0; i < l->is.outputs; i++) {
        width = column_width(width, detent_name(work->mechanism, DETENT_OUTPUT, l->is.output[i]));
    }
    for (size_t i = 0; i < l->is.outputs; i++) {
        printf("  y%-3zu %-*s %14.6g %s\n", i + 1, width,
               detent_name(work->mechanism, DETENT_OUTPUT, l->is.output[i]), l->is.output_value[i],
               detent_unit(work->mechanism, DETENT_OUTPUT, l->is.output[i]));
    }
}

static void print_matrix(const char *name, const double *values, size_t rows, size_t columns)
{
    if (rows == 0 || columns == 0) {
        return;
    }
    printf("%s\n", name);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            printf(" %13.6g", values[r * columns + c]);
        }
        putchar('\n');
    }
}

/* One line a mode, the second of a pair left out. */
static void print_eigenvalues(const listed_model *l)
{
    if (l->is.states == 0) {
        return;
    }
    printf("eigenvalues (1/s)\n  %14s %14s %16s %14s\n", "real", "imaginary", "frequency rad/s",
           "damping ratio");
    for (size_t k = 0; k < l->is.states; k++) {
        const detent_eigenvalue *e = &l->eigenvalue[k];
        if (e->imaginary >= 0) {
            printf("  %14.6g %s%13.6g %16.6g %14.6g\n", e->real,
                   e->imaginary > 0 ? "\302\261" : " ", e->imaginary, e->frequency, e->damping);
        }
    }
}

static void print_shapes(const analysis_work *work, const listed_model *l)
{
    char name[NAME_SIZE];
    for (size_t k = 0; k < l->is.states; k++) {
        const detent_eigenvalue *e = &l->eigenvalue[k];
        if (e->imaginary < 0) {
            continue;
        }
        printf("mode shape at %.6g %s%.6gi\n", e->real, e->imaginary > 0 ? "\302\261 " : "+ ",
               e->imaginary);
        int width = 0;
        for (size_t i = 0; i < l->is.states && l->state[i].kind == DETENT_STATE_POSITION; i++) {
            width = column_width(width, state_name(work, &l->state[i], name));
        }
        for (size_t i = 0; i < l->is.states && l->state[i].kind == DETENT_STATE_POSITION; i++) {
            const double *x = &l->is.shape[2 * (k * l->is.states + i)];
            printf("  %-*s %14.6g %+14.6gi\n", width, state_name(work, &l->state[i], name), x[0],
                   x[1]);
        }
    }
}

static void print_text(const analysis_work *work, const listed_model *l)
{
    analysis_print_title(work);
    printf(": linear model at t = %.9g s, every joint in its mode\n", l->is.time);
    print_states(work, l);
    print_inputs_and_outputs(work, l);
    print_matrix("A: x' = A x + B u", l->is.A, l->is.states, l->is.states);
    print_matrix("B", l->is.B, l->is.states, l->is.inputs);
    print_matrix("C: y = C x + D u", l->is.C, l->is.outputs, l->is.states);
    print_matrix("D", l->is.D, l->is.outputs, l->is.inputs);
    print_eigenvalues(l);
    print_shapes(work, l);
}

/* ---- JSON ---- */

static void json_states(json_writer *json, const analysis_work *work, const listed_model *l)
{
    char name[NAME_SIZE], unit[NAME_SIZE];
    json_array(json, "states");
    for (size_t i = 0; i < l->is.states; i++) {
        json_object(json, NULL);
        json_text(json, "name", state_name(work, &l->state[i], name));
        json_text(json, "unit", state_unit(work, &l->state[i], 0, unit));
        json_number(json, "value", l->state[i].value);
        json_number(json, "rate", l->state[i].rate);
        json_close(json);
    }
    json_close(json);
}

static void json_eigenvalues(json_writer *json, const listed_model *l)
{
    double *part = malloc((2 * l->is.states + 1) * sizeof *part);
    json_array(json, "eigenvalues");
    for (size_t k = 0; k < l->is.states && part; k++) {
        const detent_eigenvalue *e = &l->eigenvalue[k];
        for (size_t i = 0; i < l->is.states; i++) {
            part[i] = l->is.shape[2 * (k * l->is.states + i)];
            part[l->is.states + i] = l->is.shape[2 * (k * l->is.states + i) + 1];
        }
        json_object(json, NULL);
        json_number(json, "real", e->real);
        json_number(json, "imaginary", e->imaginary);
        json_number(json, "frequency", e->frequency);
        json_number(json, "damping", e->damping);
        json_row(json, "shape_real", part, l->is.states);
        json_row(json, "shape_imaginary", part + l->is.states, l->is.states);
        json_close(json);
    }
    json_close(json);
    free(part);
}

static void print_json(const analysis_work *work, const listed_model *l)
{
    json_writer json;
    if (!analysis_begin_json(work, &json, l->is.time)) {
        return;
    }
    json_states(&json, work, l);
    json_array(&json, "inputs");
    for (size_t i = 0; i < l->is.inputs; i++) {
        json_text(&json, NULL, detent_name(work->mechanism, DETENT_INPUT, i));
    }
    json_close(&json);
    json_array(&json, "outputs");
    for (size_t i = 0; i < l->is.outputs; i++) {
        json_object(&json, NULL);
        json_text(&json, "name", detent_name(work->mechanism, DETENT_OUTPUT, l->is.output[i]));
        json_text(&json, "unit", detent_unit(work->mechanism, DETENT_OUTPUT, l->is.output[i]));
        json_number(&json, "value", l->is.output_value[i]);
        json_close(&json);
    }
    json_close(&json);
    json_matrix(&json, "A", l->is.A, l->is.states, l->is.states);
    json_matrix(&json, "B", l->is.B, l->is.states, l->is.inputs);
    json_matrix(&json, "C", l->is.C, l->is.outputs, l->is.states);
    json_matrix(&json, "D", l->is.D, l->is.outputs, l->is.inputs);
    json_eigenvalues(&json, l);
    analysis_end_json(&json);
}

/* ---- the command ---- */

/* The outputs that are named, `output` having room for as many as there are commas and one more. */
static size_t choose_outputs(analysis_work *work, char *list, size_t *output)
{
    size_t count = 0;
    for (char *name; !work->status && (name = next_item(&list)) != NULL;) {
        const ptrdiff_t index = detent_find(work->mechanism, DETENT_OUTPUT, name);
        if (index < 0) {
            analysis_unknown(work, "outputs", "output", DETENT_OUTPUT, name);
        } else {
            output[count++] = (size_t)index;
        }
    }
    return count;
}

static void out_of_memory(analysis_work *work)
{
    work->status = DETENT_ERROR_MEMORY;
    work->error = (detent_error){.status = work->status, .message = "out of memory"};
}

/* The lists of a model, too. */
static void read_model(analysis_work *work, listed_model *l)
{
    detent_linearization_get_info(l->own, &l->is);
    l->state = malloc((l->is.states + 1) * sizeof *l->state);
    l->eigenvalue = malloc((l->is.states + 1) * sizeof *l->eigenvalue);
    if (!l->state || !l->eigenvalue) {
        out_of_memory(work);
        return;
    }
    for (size_t i = 0; i < l->is.states; i++) {
        l->state[i] = (detent_linear_state)DETENT_INIT(detent_linear_state);
        l->eigenvalue[i] = (detent_eigenvalue)DETENT_INIT(detent_eigenvalue);
        detent_linearization_get_state(l->own, i, &l->state[i]);
        detent_linearization_get_eigenvalue(l->own, i, &l->eigenvalue[i]);
    }
}

static void linearize(analysis_work *work, listed_model *l)
{
    const char *text = work->options->outputs;
    detent_linearize_options options = DETENT_INIT(detent_linearize_options);
    char *list = NULL;
    size_t *output = NULL;
    if (text && !work->status) {
        const size_t length = strlen(text) + 1;
        list = malloc(length);
        output = malloc(length * sizeof *output);
        if (list && output) {
            memcpy(list, text, length);
            options.output_count = choose_outputs(work, list, output);
            options.outputs = output;
        } else {
            out_of_memory(work);
        }
    }
    analysis_simulate(work);
    if (!work->status) {
        work->status = detent_linearize(work->simulation, &options, &l->own, &work->error);
    }
    if (!work->status) {
        read_model(work, l);
    }
    free(output);
    free(list);
}

int linearize_command(const cli_options *options)
{
    analysis_work work = analysis_load(options);
    listed_model l = {.is = DETENT_INIT(detent_linear_info)};
    linearize(&work, &l);
    if (options->json) {
        print_json(&work, &l);
    } else if (!work.status) {
        print_text(&work, &l);
    }
    free(l.state);
    free(l.eigenvalue);
    detent_linearization_destroy(l.own);
    return analysis_finish(&work);
}
