#include "results.h"

#include "help.h"
#include "message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FILE_COUNT = 4 };

/* In the order in which they get their names: the summary last, since it speaks of the others. */
static void list_files(result_files *results, output_file *list[FILE_COUNT])
{
    list[0] = &results->table;
    list[1] = &results->events;
    list[2] = &results->search;
    list[3] = &results->summary;
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

/* DIRECTORY/NAME, with NAME that of the mechanism file. `directory` is empty, or the separator is added. */
static char *base_in(const char *directory, const char *file)
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

/* Makes the directory `path`; an existing one is as good. */
static bool make_directory(const char *path)
{
    if (mkdir(path, 0777) != 0 && !is_directory(path)) {
        print_error("cannot make the directory %s: %s", path, strerror(errno));
        return false;
    }
    return true;
}

/* What the names of all results begin with. NULL after saying why. */
static char *base_path(const cli_options *options)
{
    const char *output = options->output ? options->output : "";
    size_t length = strlen(output);
    bool names_directory = length > 0 && output[length - 1] == '/';
    if (names_directory && !make_directory(output)) {
        return NULL;
    }
    char *base;
    if (length == 0 || names_directory || is_directory(output)) {
        base = base_in(output, options->file);
    } else {
        length = length_without(output, ".csv");
        base = malloc(length + 1);
        if (base) {
            memcpy(base, output, length);
            base[length] = '\0';
        }
    }
    if (!base) {
        print_error("out of memory");
    }
    return base;
}

/* A result must not replace the mechanism file. */
static bool overwrites(const char *path, const char *file)
{
    struct stat result, source;
    return strcmp(file, "-") != 0 && stat(path, &result) == 0 && stat(file, &source) == 0 &&
           result.st_dev == source.st_dev && result.st_ino == source.st_ino;
}

/* ---- opening ---- */

static int open_one(output_file *file, const char *base, const char *suffix, const char *source)
{
    if (!output_file_open(file, base, suffix)) {
        return EXIT_IO;
    }
    if (overwrites(file->path, source)) {
        print_error("the results would replace the mechanism file %s; use --output", source);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static int open_files(result_files *results, const cli_options *options, const char *base)
{
    const char *events = options->events_format == 0 ? ".events.csv" : ".events.jsonl";
    int code = open_one(&results->table, base, ".csv", options->file);
    if (!code) {
        code = open_one(&results->events, base, events, options->file);
    }
    if (!code) {
        code = open_one(&results->summary, base, ".summary.json", options->file);
    }
    if (!code && options->trace_search) {
        code = open_one(&results->search, base, ".search.txt", options->file);
    }
    results->table_stream = results->table.stream;
    results->event_stream = results->events.stream;
    results->search_stream = results->search.stream;
    return code;
}

int results_open(result_files *results, const cli_options *options)
{
    *results = (result_files){0};
    if (options->output && strcmp(options->output, "-") == 0) {
        results->on_stdout = true;
        results->table_stream = stdout;
        results->search_stream = options->trace_search ? stderr : NULL;
        return EXIT_DONE;
    }
    char *base = base_path(options);
    if (!base) {
        return EXIT_IO;
    }
    int code = open_files(results, options, base);
    free(base);
    if (code) {
        results_discard(results);
        results_release(results);
    }
    return code;
}

/* ---- while running ---- */

bool results_failed(result_files *results)
{
    if (results->on_stdout) {
        return ferror(stdout) != 0;
    }
    output_file *files[FILE_COUNT];
    list_files(results, files);
    bool failed = false;
    for (int i = 0; i < FILE_COUNT; i++) {
        failed = output_file_failed(files[i]) || failed;
    }
    return failed;
}

void results_flush(result_files *results)
{
    if (results->on_stdout) {
        fflush(stdout);
        return;
    }
    output_file *files[FILE_COUNT];
    list_files(results, files);
    for (int i = 0; i < FILE_COUNT; i++) {
        output_file_flush(files[i]);
    }
}

/* ---- the end ---- */

bool results_close(result_files *results)
{
    if (results->on_stdout) {
        return finish_stdout(EXIT_DONE) == EXIT_DONE;
    }
    output_file *files[FILE_COUNT];
    list_files(results, files);
    bool good = true;
    for (int i = 0; i < FILE_COUNT; i++) {
        good = (files[i] == &results->summary || output_file_close(files[i])) && good;
    }
    return good;
}

bool results_close_summary(result_files *results)
{
    return output_file_close(&results->summary);
}

bool results_publish(result_files *results)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    bool good = true;
    for (int i = 0; i < FILE_COUNT; i++) {
        if (!files[i]->path) {
            continue;
        }
        good = good && output_file_publish(files[i]);
        if (!good) {
            output_file_keep(files[i]);
        }
    }
    return good;
}

void results_keep(result_files *results)
{
    output_file *files[FILE_COUNT];
    list_files(results, files);
    for (int i = 0; i < FILE_COUNT; i++) {
        if (files[i]->path) {
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
