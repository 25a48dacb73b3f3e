#include "outputs.h"

#include "csv.h"
#include "help.h"
#include "message.h"
#include "number.h"
#include "output_file.h"
#include "record_outputs.h"
#include "results.h"

#include <stdlib.h>
#include <string.h>

static void write_head(FILE *stream, const record_outputs *r)
{
    fputs("time", stream);
    for (size_t i = 0; i < r->count; i++) {
        fputc(',', stream);
        csv_write_field(stream, record_outputs_name(r, i));
    }
    fputs(",event\n", stream);
}

static detent_status write_rows(FILE *stream, record_outputs *r, detent_error *error)
{
    double *values = malloc((r->count + 1) * sizeof *values), time;
    int side;
    detent_status status = values ? DETENT_OK : report(error, DETENT_ERROR_MEMORY, "out of memory");
    for (size_t row = 0; row < r->file.rows && !status; row++) {
        status = record_outputs_next(r, &time, &side, values, error);
        if (status) {
            break;
        }
        write_number(stream, time);
        for (size_t i = 0; i < r->count; i++) {
            fputc(',', stream);
            write_number(stream, values[i]);
        }
        fprintf(stream, ",%d\n", side);
    }
    free(values);
    return status;
}

static detent_status write_table(FILE *stream, record_outputs *r, detent_error *error)
{
    write_head(stream, r);
    return write_rows(stream, r, error);
}

static detent_status into_file(const char *path, record_outputs *r, detent_error *error)
{
    output_file file = {0};
    detent_status status = output_file_is_device(path) ? output_file_open_device(&file, path, error)
                                                       : output_file_open(&file, path, "", error);
    if (status) {
        return status;
    }
    status = output_file_finish(&file, write_table(file.stream, r, error), error);
    output_file_release(&file);
    return status;
}

int outputs_command(const cli_options *options)
{
    detent_error error = {0};
    record_outputs r = {0};
    detent_status status = store_available(&error);
    status = status ? status
                    : record_outputs_open(&r, options->file, options->files + 1,
                                          options->file_count - 1, &error);
    if (!status && r.count == 0) {
        status = report(&error, DETENT_ERROR_ARGUMENT,
                        "'detent outputs': an output is missing, and the mechanism of %s has none",
                        options->file);
    }
    if (!status) {
        status = options->output && strcmp(options->output, "-") != 0
                     ? into_file(options->output, &r, &error)
                     : write_table(stdout, &r, &error);
    }
    record_outputs_close(&r);
    return finish_stdout(status ? exit_code_of(status) : EXIT_DONE);
}
