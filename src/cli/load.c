#include "load.h"

#include "message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static detent_status fail(detent_error *error, detent_status status, const char *message)
{
    *error = (detent_error){.status = status, .file = "<stdin>"};
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* All of standard input; `*text` is the caller's to free, also after an error. */
static detent_status read_stdin(char **text, size_t *length, detent_error *error)
{
    size_t capacity = 64 * 1024;
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

detent_status load_mechanism(const cli_options *options, detent_mechanism **mechanism,
                             detent_error *error)
{
    const detent_load_options load = {.parameters = options->parameters,
                                      .parameter_count = options->parameter_count};
    if (strcmp(options->file, "-") != 0) {
        return detent_mechanism_load(options->file, &load, mechanism, error);
    }
    char *text = NULL;
    size_t length;
    detent_status status = read_stdin(&text, &length, error);
    if (!status) {
        status = detent_mechanism_parse(text, length, "<stdin>", &load, mechanism, error);
    }
    free(text);
    return status;
}

void print_warnings(const cli_options *options, const detent_mechanism *mechanism)
{
    const char *text;
    for (size_t i = 0; (text = detent_name(mechanism, DETENT_WARNING, i)) != NULL; i++) {
        print_warning(options->file, text);
    }
}
