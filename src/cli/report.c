#include "report.h"

#include "help.h"
#include "interrupt.h"
#include "message.h"
#include "report_page.h"
#include "report_run.h"
#include "results.h"
#include "store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_most = 20e6; /* bytes of data */

/* ---- the page ---- */

static const char opening[] = "<script id=\"detent-data\" type=\"application/json\">",
                  empty[] = "{}";

/* Where the data go, in place of "{}"; 0: nowhere, which no build has. */
static size_t find_place(void)
{
    const size_t length = sizeof opening - 1;
    for (size_t i = 0; i + length + 2 < report_page_size; i++) {
        if (memcmp(report_page + i, opening, length) == 0 &&
            memcmp(report_page + i + length, empty, 2) == 0) {
            return i + length;
        }
    }
    return 0;
}

static double most_of(const cli_options *options)
{
    return isnan(options->max_data) ? default_most : options->max_data * 1e6;
}

static void write_data(FILE *stream, const report_run *runs, size_t count)
{
    fprintf(stream, "{\"format\": 1, \"program\": \"detent %s\", \"runs\": [", detent_version());
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ",\n" : "\n", stream);
        fwrite(runs[i].text, 1, runs[i].length, stream);
    }
    fputs("\n]}", stream);
}

detent_status report_write(output_file *file, const report_source *records, size_t count,
                           const cli_options *options, detent_error *error)
{
    const double most = most_of(options) / (double)count;
    const size_t place = find_place();
    report_run *runs = calloc(count, sizeof *runs);
    detent_status status =
        runs ? DETENT_OK : report(error, DETENT_ERROR_MEMORY, "out of memory for the report");
    for (size_t i = 0; i < count && !status; i++) {
        status = report_run_read(&runs[i], records[i].path, records[i].name, most, error);
    }
    if (!status) {
        fwrite(report_page, 1, place, file->stream);
        write_data(file->stream, runs, count);
        fwrite(report_page + place + 2, 1, report_page_size - place - 2, file->stream);
    }
    for (size_t i = 0; i < count && runs; i++) {
        report_run_release(&runs[i]);
    }
    free(runs);
    return status;
}

/* ---- the command ---- */

/* What the page is called: --output, or as the first record. The caller's to free. */
static char *base_of(const cli_options *options)
{
    const char *path = options->output;
    if (!path) {
        return results_base_in("", options->file);
    }
    const size_t length = strlen(path), tail = strlen(".html");
    const size_t kept =
        length > tail && strcmp(path + length - tail, ".html") == 0 ? length - tail : length;
    char *base = malloc(kept + 1);
    if (base) {
        memcpy(base, path, kept);
        base[kept] = '\0';
    }
    return base;
}

static detent_status make(const cli_options *options, output_file *file, detent_error *error)
{
    const size_t count = options->file_count;
    report_source *records = malloc(count * sizeof *records);
    if (!records) {
        output_file_discard(file);
        return report(error, DETENT_ERROR_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        records[i] = (report_source){options->files[i], options->files[i]};
    }
    detent_status status = report_write(file, records, count, options, error);
    free(records);
    return output_file_finish(file, status, error);
}

int report_command(const cli_options *options)
{
    detent_error error = {0};
    output_file file = {0};
    detent_status status = store_available(&error);
    char *base = status ? NULL : base_of(options);
    if (!status && !base) {
        status = report(&error, DETENT_ERROR_MEMORY, "out of memory");
    }
    status = status ? status : output_file_open(&file, base, ".html", &error);
    if (!status) {
        status = make(options, &file, &error);
        if (!status && !options->quiet) {
            printf("%s\n", file.path);
        }
    }
    output_file_release(&file);
    free(base);
    return finish_stdout(status ? exit_code_of(status) : EXIT_DONE);
}
