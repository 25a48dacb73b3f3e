#include "results.h"

#include "interrupt.h"
#include "message.h"
#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_COUNT = 6 };

/* In the order in which they get their names: the summary last, since it speaks of the others. */
static void list_files(result_files *results, output_file *list[FILE_COUNT])
{
    list[0] = &results->table;
    list[1] = &results->events;
    list[2] = &results->search;
    list[3] = &results->record;
    list[4] = &results->page;
    list[5] = &results->summary;
}

/* ---- names ---- */

static size_t length_without(const char *name, const char *extension)
{
    size_t length = strlen(name), tail = strlen(extension);
    bool has = length > tail && strcmp(name + length - tail, extension) == 0;
    return has ? length - tail : length;
}

/* Length of a name without its extension; a leading dot starts none. */
static size_t stem_length(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && dot != name ? (size_t)(dot - name) : strlen(name);
}

static bool is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

char *results_base_in(const char *directory, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = strcmp(file, "-") == 0 ? "stdin" : slash ? slash + 1 : file;
    size_t length = strlen(directory);
    bool separate = length > 0 && directory[length - 1] != '/';
    size_t size = length + 1 + strlen(name) + 1;
    char *base = malloc(size);
    if (base) {
        snprintf(base, size, "%s%s%.*s", directory, separate ? "/" : "", (int)stem_length(name),
                 name);
    }
    return base;
}

detent_status results_make_directory(const char *path, detent_error *error)
{
    if (mkdir(path, 0777) == 0 || is_directory(path)) {
        return DETENT_OK;
    }
    return report(error, DETENT_ERROR_IO, "cannot make the directory %s: %s", path,
                  strerror(errno));
}

static bool ends_in_slash(const char *path)
{
    size_t length = strlen(path);
    return length > 0 && path[length - 1] == '/';
}

/* What the names of all results begin with; the caller's to free. */
static detent_status base_path(const cli_options *options, char **base, detent_error *error)
{
    const char *output = options->output ? options->output : "";
    detent_status status =
        ends_in_slash(output) ? results_make_directory(output, error) : DETENT_OK;
    if (status) {
        return status;
    }
    if (!*output || is_directory(output)) {
        *base = results_base_in(output, options->file);
    } else {
        size_t length = length_without(output, ".csv");
        *base = malloc(length + 1);
        if (*base) {
            memcpy(*base, output, length);
            (*base)[length] = '\0';
        }
    }
    return *base ? DETENT_OK : report(error, DETENT_ERROR_MEMORY, "out of memory");
}

/* A result must not replace the mechanism file. */
static bool overwrites(const char *path, const char *file)
{
    return strcmp(file, "-") != 0 && output_file_is_same(path, file);
}

/* Whether files of this base would stand in /dev itself. `base` is as before afterwards. */
static bool is_among_devices(char *base)
{
    char *slash = strrchr(base, '/');
    if (!slash) {
        return output_file_is_same(".", "/dev");
    }
    char first = slash[1];
    slash[1] = '\0'; /* the folder, with its slash: it may be the root */
    bool among = output_file_is_same(base, "/dev");
    slash[1] = first;
    return among;
}

/* ---- opening ---- */

static detent_status open_one(output_file *file, const char *base, const char *suffix,
                              const char *source, detent_error *error)
{
    detent_status status = output_file_open(file, base, suffix, error);
    if (!status && overwrites(file->path, source)) {
        status = report(error, DETENT_ERROR_ARGUMENT,
                        "the results would replace the mechanism file %s; use --output", source);
    }
    return status;
}

/* One that may have a path of its own, else is named like the others; `by_name`: somebody else writes it. */
static detent_status open_other(output_file *file, bool by_name, const char *path, const char *base,
                                const char *suffix, const char *source, detent_error *error)
{
    const size_t length = length_without(path, suffix);
    char *own = malloc(length + 1);
    if (!own) {
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    memcpy(own, path, length);
    own[length] = '\0';
    if (*path && is_among_devices(own)) {
        free(own);
        return report(error, DETENT_ERROR_ARGUMENT, "%s%s would be among the devices", path,
                      length == strlen(path) ? suffix : "");
    }
    detent_status status =
        (by_name ? output_file_reserve : output_file_open)(file, *path ? own : base, suffix, error);
    if (!status && overwrites(file->path, source)) {
        status =
            report(error, DETENT_ERROR_ARGUMENT, "%s would replace the mechanism file", file->path);
    }
    free(own);
    return status;
}

/* The record, also where only the page is asked for: it is made of a record. */
static detent_status open_record(result_files *results, const cli_options *options,
                                 const char *base, detent_error *error)
{
    const char *source = options->file;
    detent_status status = DETENT_OK;
    results->record_is_means = !options->record && options->report;
    if (options->record || options->report) {
        status = store_available(error);
    }
    if (!status && options->report) {
        status = open_other(&results->page, false, options->report, base, ".html", source, error);
    }
    if (!status && (options->record || options->report)) {
        status =
            open_other(&results->record, true, options->record ? options->record : options->report,
                       base, ".nc", source, error);
    }
    return status;
}

static detent_status open_files(result_files *results, const cli_options *options, const char *base,
                                detent_error *error)
{
    const char *events = options->events_format == 0 ? ".events.csv" : ".events.jsonl";
    const char *source = options->file;
    interrupt_install(); /* before there are files to leave behind */
    detent_status status = open_one(&results->table, base, ".csv", source, error);
    if (!status) {
        status = open_one(&results->events, base, events, source, error);
    }
    if (!status) {
        status = open_one(&results->summary, base, ".summary.json", source, error);
    }
    if (!status && options->trace_search) {
        status = open_one(&results->search, base, ".search.txt", source, error);
    }
    if (!status) {
        status = open_record(results, options, base, error);
    }
    results->table_stream = results->table.stream;
    results->event_stream = results->events.stream;
    results->search_stream = results->search.stream;
    return status;
}

/* Those that have names of their own. */
static detent_status open_beside_device(result_files *results, const cli_options *options,
                                        detent_error *error)
{
    char *base = results_base_in("", options->file);
    detent_status status = base ? open_record(results, options, base, error)
                                : report(error, DETENT_ERROR_MEMORY, "out of memory");
    free(base);
    if (status) {
        results_discard(results);
        results_release(results);
    }
    return status;
}

/* The table, and only what else is asked for. A pipe may wait for its reader: until then a signal just ends the program. */
static detent_status open_device(result_files *results, const cli_options *options,
                                 detent_error *error)
{
    results->search_stream = options->trace_search ? stderr : NULL;
    detent_status status = DETENT_OK;
    if (results_on_stdout(options)) {
        results->on_stdout = true;
        results->table_stream = stdout;
    } else {
        status = output_file_open_device(&results->table, options->output, error);
        results->table_stream = results->table.stream;
    }
    interrupt_install();
    return status ? status : open_beside_device(results, options, error);
}

bool results_on_stdout(const cli_options *options)
{
    const char *output = options->output;
    return output && (strcmp(output, "-") == 0 || strcmp(output, "/dev/stdout") == 0);
}

detent_status results_open(result_files *results, const cli_options *options, detent_error *error)
{
    *results = (result_files){0};
    if (results_on_stdout(options) || (options->output && output_file_is_device(options->output))) {
        return open_device(results, options, error);
    }
    char *base = NULL;
    detent_status status = base_path(options, &base, error);
    if (!status && is_among_devices(base)) {
        status = report(error, DETENT_ERROR_ARGUMENT,
                        "results do not belong among the devices: %s.csv is in /dev; use --output",
                        base);
    }
    if (!status) {
        status = open_files(results, options, base, error);
    }
    free(base);
    if (status) {
        results_discard(results);
        results_release(results);
    }
    return status;
}

/* ---- while running ---- */

bool results_failed(result_files *results)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    bool failed = results->on_stdout && ferror(stdout) != 0;
    for (int i = 0; i < FILE_COUNT; i++) {
        failed = output_file_failed(files[i]) || failed;
    }
    return failed;
}

void results_flush(result_files *results)
{
    if (results->on_stdout) {
        fflush(stdout);
    }
    output_file *files[FILE_COUNT];
    list_files(results, files);
    for (int i = 0; i < FILE_COUNT; i++) {
        output_file_flush(files[i]);
    }
}

/* ---- the end ---- */

detent_status results_close(result_files *results, detent_error *error)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    detent_status status = results->on_stdout ? flush_stdout(error) : DETENT_OK;
    for (int i = 0; i < FILE_COUNT; i++) {
        if (files[i] != &results->summary) {
            const detent_status closed = output_file_close(files[i], error);
            status = status ? status : closed;
        }
    }
    return status;
}

detent_status results_close_summary(result_files *results, detent_error *error)
{
    return output_file_close(&results->summary, error);
}

/* The record that only the page was made of: it goes. */
static bool is_means(const result_files *results, output_file *file)
{
    if (file == &results->record && results->record_is_means) {
        output_file_discard(file);
        return true;
    }
    return false;
}

detent_status results_publish(result_files *results, detent_error *error)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    detent_status status = DETENT_OK;
    for (int i = 0; i < FILE_COUNT; i++) {
        if (!files[i]->path || is_means(results, files[i])) {
            continue;
        }
        if (!status) {
            status = output_file_publish(files[i], error);
        }
        if (status) {
            output_file_keep(files[i]);
        }
    }
    return status;
}

void results_keep(result_files *results)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    for (int i = 0; i < FILE_COUNT; i++) {
        if (files[i]->path && !is_means(results, files[i])) {
            output_file_keep(files[i]);
        }
    }
}

void results_discard(result_files *results)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    for (int i = 0; i < FILE_COUNT; i++) {
        output_file_discard(files[i]);
    }
}

void results_release(result_files *results)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    for (int i = 0; i < FILE_COUNT; i++) {
        output_file_release(files[i]);
    }
}
