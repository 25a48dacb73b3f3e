#include "compare_files.h"

#include "message.h"
#include "progress.h"

#include <stdlib.h>

/* What is said of files is said at once. */
static detent_status told(law_files *f, detent_status status)
{
    f->run->is_told = f->run->is_told || status;
    return status;
}

static detent_status open_record(law_files *f, const char *base, const char *name,
                                 const compare_work *work, const detent_mechanism *m)
{
    law_run *run = f->run;
    const record_source source = {m, &run->settings, work->options.file};
    char suffix[96];
    snprintf(suffix, sizeof suffix, ".%s.nc", name);
    const detent_status status = output_file_reserve(&f->record_file, base, suffix, &run->error);
    return status ? status
                  : record_create(f->record_file.temporary, &source, &f->record, &run->error);
}

static detent_status open_table(law_files *f, const char *base, const char *name,
                                const detent_mechanism *m)
{
    law_run *run = f->run;
    char suffix[96];
    snprintf(suffix, sizeof suffix, ".%s.csv", name);
    const detent_status status = output_file_open(&f->table_file, base, suffix, &run->error);
    if (status) {
        return status;
    }
    if (!table_create(&f->table, m, f->table_file.stream)) {
        return report(&run->error, DETENT_ERROR_MEMORY, "out of memory");
    }
    table_write_head(&f->table);
    return DETENT_OK;
}

detent_status law_files_open(law_files *f, const compare_work *work, law_run *run,
                             const detent_mechanism *m)
{
    *f = (law_files){.run = run, .begun = wall_clock()};
    if (!work->options.output) {
        return DETENT_OK;
    }
    char *base = compare_base(work);
    detent_status status = base ? open_table(f, base, run->name, m)
                                : report(&run->error, DETENT_ERROR_MEMORY, "out of memory");
    if (!status && work->options.records) {
        status = open_record(f, base, run->name, work, m);
    }
    free(base);
    return told(f, status);
}

void law_files_trace(void *user, const char *line)
{
    record_line(user, line);
}

void law_files_event(law_files *f, const detent_simulation *simulation)
{
    if (f->record) {
        record_event(f->record, simulation);
    }
}

detent_status law_files_row(law_files *f, detent_simulation *simulation, int side)
{
    detent_error *error = &f->run->error;
    detent_status status = DETENT_OK;
    if (f->table_file.stream) {
        status = table_write_row(&f->table, simulation, side, error);
    }
    if (f->record && !status) {
        status = record_row(f->record, simulation, side, error);
    }
    return status;
}

static void close_record(law_files *f, detent_status status, const detent_simulation *simulation)
{
    const law_run *run = f->run;
    char outcome[sizeof run->error.message + 16];
    snprintf(outcome, sizeof outcome, status ? "failed: %s" : "finished", run->error.message);
    const record_end end = {
        .outcome = outcome,
        .time = simulation ? detent_time(simulation) : run->settings.start,
        .cpu_time = run->cpu, /* of the run that nobody looked at: what the law costs */
        .wall_time = wall_clock() - f->begun,
        .statistics = &run->statistics,
    };
    output_file_note(&f->record_file, record_close(f->record, &end));
    f->record = NULL;
}

/* A file of a run that failed keeps a name that says so. */
static detent_status finish(law_files *f, output_file *file, detent_status status)
{
    if (!file->path) {
        return DETENT_OK;
    }
    detent_status closed = told(f, output_file_close(file, &f->run->error));
    if (status || closed) {
        output_file_keep(file);
    } else {
        closed = told(f, output_file_publish(file, &f->run->error));
    }
    output_file_release(file);
    return closed;
}

detent_status law_files_close(law_files *f, detent_status status,
                              const detent_simulation *simulation)
{
    if (f->record) {
        close_record(f, status, simulation);
    }
    detent_status closed = finish(f, &f->table_file, status);
    const detent_status last = finish(f, &f->record_file, status);
    table_destroy(&f->table);
    closed = closed ? closed : last;
    return status ? status : closed;
}
