#include "load.h"

#include "message.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char stdin_name[] = "<stdin>";

static detent_status fail(detent_error *error, detent_status status, const char *message)
{
    *error = (detent_error){.status = status};
    snprintf(error->file, sizeof error->file, "%s", stdin_name);
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* All of standard input; `*text` is the caller's to free, also after an error. */
static detent_status read_stdin(char **text, size_t *length, detent_error *error)
{
    size_t capacity = (size_t)64 * 1024;
    *length = 0;
    *text = malloc(capacity);
    while (*text) {
        *length += fread(*text + *length, 1, capacity - *length, stdin);
        if (*length < capacity) {
            break;
        }
        char *longer = capacity <= (size_t)-1 / 2 ? realloc(*text, 2 * capacity) : NULL;
        if (!longer) {
            return fail(error, DETENT_ERROR_MEMORY, "out of memory");
        }
        *text = longer;
        capacity *= 2;
    }
    if (!*text) {
        return fail(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    return ferror(stdin) ? fail(error, DETENT_ERROR_IO, strerror(errno)) : DETENT_OK;
}

/* `text`: of standard input; NULL: options->file is read. */
static detent_status load(const cli_options *options, bool with_overrides, const char *text,
                          size_t length, detent_mechanism **mechanism, detent_error *error)
{
    const detent_load_options chosen = {
        .size = sizeof chosen,
        .tunable = options->tunable,
        .tunable_count = options->tunable_count,
        .parameters = options->parameters,
        .parameter_count = with_overrides ? options->parameter_count : 0,
        .atol = with_overrides && options->atol > 0 ? options->atol : 0,
        .laws = options->choices,
        .law_count = with_overrides ? options->choice_count : 0};
    return text ? detent_mechanism_parse(text, length, stdin_name, &chosen, mechanism, error)
                : detent_mechanism_load(options->file, &chosen, mechanism, error);
}

/* A mechanism that only --set or --atol has made bad: the command line is wrong, not the file. */
static detent_status blame(const cli_options *options, const char *text, size_t length,
                           detent_status status, detent_error *error)
{
    detent_mechanism *mechanism = NULL;
    bool is_bad = status == DETENT_ERROR_SYNTAX || status == DETENT_ERROR_MODEL;
    if (!is_bad || options->choice_count > 0 ||
        (options->parameter_count == 0 && isnan(options->atol)) ||
        load(options, false, text, length, &mechanism, NULL)) {
        return status;
    }
    detent_mechanism_destroy(mechanism);
    size_t end = strlen(error->message);
    snprintf(error->message + end, sizeof error->message - end,
             " (with the values of %s; the file alone is valid)",
             options->parameter_count == 0 ? "--atol"
             : isnan(options->atol)        ? "--set"
                                           : "--set and --atol");
    error->status = DETENT_ERROR_ARGUMENT;
    return error->status;
}

/* Once more where parameters are to be inputs: those names of options->tunable that are none yet. */
static detent_status load_tunable(const cli_options *options, const char *text, size_t length,
                                  detent_mechanism **mechanism, detent_error *error)
{
    cli_options plain = *options, tunable = *options;
    plain.tunable_count = tunable.tunable_count = 0;
    detent_status status = load(&plain, true, text, length, mechanism, error);
    const char **names = malloc((options->tunable_count + 1) * sizeof *names);
    if (!names) {
        detent_mechanism_destroy(*mechanism);
        *mechanism = NULL;
        return fail(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    for (size_t k = 0; k < options->tunable_count && !status; k++) {
        if (detent_find(*mechanism, DETENT_INPUT, options->tunable[k]) < 0) {
            names[tunable.tunable_count++] = options->tunable[k];
        }
    }
    tunable.tunable = names;
    if (!status && tunable.tunable_count > 0) {
        detent_mechanism_destroy(*mechanism);
        *mechanism = NULL;
        status = load(&tunable, true, text, length, mechanism, error);
    }
    free(names);
    return status;
}

detent_status load_text(cli_options *options, char **text, detent_error *error)
{
    *text = NULL;
    const detent_status status = strcmp(options->file, "-") == 0
                                     ? read_stdin(text, &options->text_length, error)
                                     : DETENT_OK;
    options->text = status ? NULL : *text;
    return status;
}

detent_status load_mechanism(const cli_options *options, detent_mechanism **mechanism,
                             detent_error *error)
{
    char *text = NULL;
    size_t length = options->text_length;
    detent_status status = strcmp(options->file, "-") == 0 && !options->text
                               ? read_stdin(&text, &length, error)
                               : DETENT_OK;
    const char *source = options->text ? options->text : text;
    if (!status) {
        status = load_tunable(options, source, length, mechanism, error);
        status = blame(options, source, length, status, error);
    }
    free(text);
    return status;
}

/* Length of the place "FILE:LINE:COLUMN: " that a warning may begin with. */
static size_t place_length(const char *text, const char *file)
{
    size_t length = strlen(file);
    if (strncmp(text, file, length) != 0 || text[length] != ':') {
        return 0;
    }
    length += 1 + strspn(text + length + 1, "0123456789:");
    return text[length] == ' ' ? length + 1 : 0;
}

/* As the library words it: with its place, or without one. */
static void print_placed(const char *file, const char *text)
{
    const size_t place = place_length(text, file);
    print_warning(place > 0 ? text : file, place > 0 ? place - 2 : strlen(file), text + place);
}

const char *name_of_file(const cli_options *options)
{
    return strcmp(options->file, "-") == 0 ? stdin_name : options->file;
}

void print_warnings(const cli_options *options, const detent_mechanism *mechanism)
{
    const char *text;
    for (size_t i = 0; (text = detent_name(mechanism, DETENT_WARNING, i)) != NULL; i++) {
        print_placed(name_of_file(options), text);
    }
}

void print_assembly_warnings(const char *file, const detent_simulation *simulation)
{
    enum { MOST = 5 };
    const char *text;
    size_t count = 0;
    while ((text = detent_simulation_warning(simulation, count)) != NULL) {
        if (count++ < MOST) {
            print_placed(file, text);
        }
    }
    if (count > MOST) {
        char more[96];
        snprintf(more, sizeof more, "%zu more are far from where they are given", count - MOST);
        print_warning(file, strlen(file), more);
    }
}

/* Whether the motion of some joint is given. */
static bool any_is_driven(const detent_mechanism *mechanism)
{
    detent_primitive_info info = DETENT_INIT(detent_primitive_info);
    bool any = false;
    for (size_t i = 0; !any && detent_get_primitive(mechanism, i, &info) == DETENT_OK; i++) {
        any = info.prescribed;
    }
    return any;
}

void print_start_warnings(const cli_options *options, const detent_mechanism *mechanism,
                          const detent_simulation *simulation)
{
    const char *file = name_of_file(options);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mobility mobility = DETENT_INIT(detent_mobility);
    detent_mechanism_get_info(mechanism, &info);
    if (info.ties == 0 || detent_get_mobility(simulation, &mobility, NULL) != DETENT_OK) {
        return;
    }
    print_assembly_warnings(file, simulation);
    if (mobility.branches_meet) {
        print_warning(file, strlen(file),
                      "branches of the motion meet at the initial positions: it can move in fewer "
                      "ways than their mobility says");
    } else if (mobility.mobility == 0 && info.freedoms > 0 && !any_is_driven(mechanism)) {
        print_warning(file, strlen(file),
                      "nothing can move: loops and couplings leave no freedom at the initial "
                      "positions (mobility 0); are axes exactly parallel that are meant to be?");
    }
}
