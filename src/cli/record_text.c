#include "record_text.h"

#include "message.h"

#include <stdlib.h>
#include <string.h>

static const char section[] = "outputs:\n";

/* Where a new output goes: behind the last one of the section; its end, where there is none. `*exists`: there is a section. */
static size_t find_place(const char *text, bool *exists)
{
    const char *at = text;
    while (at && strncmp(at, section, sizeof section - 1) != 0) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    *exists = at != NULL;
    if (!at) {
        return strlen(text);
    }
    do { /* lines of the section begin with a dash or a blank */
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    } while (at && (*at == '-' || *at == ' '));
    return at ? (size_t)(at - text) : strlen(text);
}

/* As a text in quotes. */
static void write_output(FILE *stream, const char *expression)
{
    fputs("- '", stream);
    for (const char *c = expression; *c; c++) {
        if (*c == '\'') {
            fputc('\'', stream);
        }
        fputc(*c == '\n' ? ' ' : *c, stream);
    }
    fputs("'\n", stream);
}

/* With the expressions for which `output` has no place yet. `*line`: of the first of them. The caller's to free; NULL: memory is out. */
static char *with_outputs(const char *text, const char *const *expressions, size_t count,
                          const size_t *output, int *line)
{
    char *longer = NULL;
    size_t length = 0;
    bool exists;
    const size_t place = find_place(text, &exists);
    FILE *stream = open_memstream(&longer, &length);
    if (!stream) {
        return NULL;
    }
    fwrite(text, 1, place, stream);
    if (place > 0 && text[place - 1] != '\n') {
        fputc('\n', stream);
    }
    fputs(exists ? "" : section, stream);
    fflush(stream);
    *line = 1;
    for (size_t i = 0; i < length; i++) {
        *line += longer[i] == '\n';
    }
    for (size_t k = 0; k < count; k++) {
        if (output[k] == (size_t)-1) {
            write_output(stream, expressions[k]);
        }
    }
    fputs(text + place, stream);
    const bool failed = ferror(stream) != 0;
    if (fclose(stream) != 0 || failed) {
        free(longer);
        return NULL;
    }
    return longer;
}

static detent_status refuse(const record_file *file, const detent_error *why, detent_error *error)
{
    return report(error, why->status, "the mechanism in %s cannot be read: %s%s", file->path,
                  why->message,
                  why->status == DETENT_ERROR_MODEL || why->status == DETENT_ERROR_SYNTAX
                      ? "; functions of a program are not in a record"
                      : "");
}

/* The expression at fault, by its line; what is said of the text says nothing to somebody who has not seen it. */
static detent_status blame(const detent_error *why, const char *const *expressions, size_t count,
                           const size_t *output, int line, detent_error *error)
{
    for (size_t k = 0; k < count; k++) {
        if (output[k] == (size_t)-1 && line++ == why->line) {
            return report(error, DETENT_ERROR_ARGUMENT, "output '%s': %s", expressions[k],
                          why->message);
        }
    }
    return report(error, DETENT_ERROR_ARGUMENT, "outputs: %s", why->message);
}

/* Loads what is in the record, and then, where that has not all that is wanted, the same with more outputs. */
static detent_status load(const record_file *file, const char *text, const char *const *expressions,
                          size_t count, detent_mechanism **mechanism, size_t *output,
                          detent_error *error)
{
    detent_error why = {0};
    const char *name = file->path;
    if (detent_mechanism_parse(text, strlen(text), name, NULL, mechanism, &why)) {
        return refuse(file, &why, error);
    }
    size_t next = detent_count(*mechanism, DETENT_OUTPUT), missing = 0;
    for (size_t k = 0; k < count; k++) {
        const ptrdiff_t own = detent_find(*mechanism, DETENT_OUTPUT, expressions[k]);
        output[k] = own < 0 ? (size_t)-1 : (size_t)own;
        missing += own < 0;
    }
    if (missing == 0) {
        return DETENT_OK;
    }
    int line;
    char *longer = with_outputs(text, expressions, count, output, &line);
    if (!longer) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    detent_mechanism_destroy(*mechanism);
    *mechanism = NULL;
    detent_status status =
        detent_mechanism_parse(longer, strlen(longer), name, NULL, mechanism, &why);
    free(longer);
    if (status) {
        return status == DETENT_ERROR_MEMORY ? report(error, status, "out of memory")
                                             : blame(&why, expressions, count, output, line, error);
    }
    for (size_t k = 0; k < count; k++) {
        output[k] = output[k] == (size_t)-1 ? next++ : output[k];
    }
    return DETENT_OK;
}

detent_status record_text_load(const record_file *file, const char *const *expressions,
                               size_t count, detent_mechanism **mechanism, size_t **output,
                               size_t *found, detent_error *error)
{
    char *text = record_file_text(file, "mechanism", 0);
    if (!text && store_failed(file->store)) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    if (!text) {
        return report(error, DETENT_ERROR_IO,
                      "%s has no mechanism: it is one that no file can hold", file->path);
    }
    *output = malloc((count + 1) * sizeof **output);
    detent_status status = *output ? load(file, text, expressions, count, mechanism, *output, error)
                                   : report(error, DETENT_ERROR_MEMORY, "out of memory");
    free(text);
    *found = count;
    if (status || count > 0) {
        return status;
    }
    *found = detent_count(*mechanism, DETENT_OUTPUT);
    size_t *all = realloc(*output, (*found + 1) * sizeof *all);
    if (!all) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    *output = all;
    for (size_t k = 0; k < *found; k++) {
        all[k] = k;
    }
    return DETENT_OK;
}

double record_text_setting(const record_file *file, const char *name, double missing)
{
    char *text = store_get_attribute(file->store, store_find(file->store, "settings"), name);
    const double value = text ? strtod(text, NULL) : missing;
    free(text);
    return value;
}
