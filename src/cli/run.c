#include "run.h"
#include "describe.h"

#include "csv.h"
#include "event_log.h"
#include "help.h"
#include "interrupt.h"
#include "load.h"
#include "message.h"
#include "progress.h"
#include "record.h"
#include "report.h"
#include "results.h"
#include "summary.h"

#include <limits.h>
#include <math.h>
#include <time.h>

typedef struct run_state {
    const cli_options *options;
    detent_mechanism *mechanism;
    detent_settings settings;
    detent_simulation *simulation;
    result_files results;
    csv_table table;
    record *record; /* NULL: there is none */
    progress_line progress;
    detent_error error;
    bool not_written; /* a result could not be written: no use to go on */
    bool finished;    /* the end was reached */
    double pause_at;  /* by the clock: the progress is due, s */
    double begun_wall;
    clock_t begun_cpu;
    int exit_code;
} run_state;

/* ---- set-up ---- */

static void choose_settings(run_state *run)
{
    const cli_options *options = run->options;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(run->mechanism, &info);
    detent_settings own = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(run->mechanism, &own);
    run->settings = own;
    const struct {
        double given, *place;
    } changes[] = {{options->end, &run->settings.end},
                   {options->interval, &run->settings.interval},
                   {options->rtol, &run->settings.rtol},
                   {options->atol, &run->settings.atol},
                   {options->max_step, &run->settings.max_step}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (!isnan(changes[i].given)) {
            *changes[i].place = changes[i].given;
        }
    }
    if (!info.interval_is_given && isnan(options->interval)) {
        run->settings.interval = (run->settings.end - run->settings.start) / 1000;
    }
    if (options->integrator >= 0) {
        run->settings.integrator = (detent_integrator)options->integrator;
        if (!has_fixed_step(&run->settings)) { /* that of the file was for another one */
            run->settings.step = 0;
        }
        if (run->settings.integrator != DETENT_INTEGRATOR_FIXED) {
            run->settings.max_solves = 0;
        }
    }
    if (!isnan(options->max_solves)) {
        run->settings.max_solves = (int)fmin(ceil(options->max_solves), INT_MAX);
    }
    if (!isnan(options->step)) {
        run->settings.step = options->step;
    }
    if (options->linear_solver >= 0) {
        run->settings.linear_solver = (detent_linear_solver)options->linear_solver;
    }
    if (options->locked_joints >= 0) {
        run->settings.locked_joints = (detent_locked_joints)options->locked_joints;
    }
}

static void write_trace(void *user, const char *line)
{
    const run_state *run = user;
    FILE *stream = run->results.search_stream;
    if (stream) {
        write_plain(stream, line);
        fputc('\n', stream);
    }
    if (run->record) {
        record_line(run->record, line);
    }
}

/* Asked in every step and search: a signal is answered at once, a search is finished before the progress is shown. */
static detent_request ask(void *user)
{
    const run_state *run = user;
    return interrupt_signal()              ? DETENT_STOP
           : wall_clock() >= run->pause_at ? DETENT_PAUSE
                                           : DETENT_GO_ON;
}

/* An error is reported. */
static detent_status open_record(run_state *run)
{
    const record_source source = {run->mechanism, &run->settings, run->options->file};
    return run->results.record.temporary
               ? record_create(run->results.record.temporary, &source, &run->record, &run->error)
               : DETENT_OK;
}

/* An error is reported. */
static detent_status open_run(run_state *run)
{
    if (!isnan(run->options->end) && run->options->end <= run->settings.start) {
        return report(&run->error, DETENT_ERROR_ARGUMENT,
                      "option --end: the run starts at %g s only", run->settings.start);
    }
    detent_status status = results_open(&run->results, run->options, &run->error);
    status = status ? status : open_record(run);
    if (status) {
        return status;
    }
    detent_simulation_options options = {
        .size = sizeof options,
        .settings = &run->settings,
        .trace = run->results.search_stream || run->record ? write_trace : NULL,
        .trace_user = run,
        .interrupt = ask,
        .interrupt_user = run,
    };
    run->pause_at = INFINITY; /* nothing to show yet */
    status = detent_simulation_create(run->mechanism, &options, &run->simulation, &run->error);
    if (status) {
        print_library_error(&run->error);
    } else if (!table_create(&run->table, run->mechanism, run->results.table_stream)) {
        status = report(&run->error, DETENT_ERROR_MEMORY, "out of memory");
    } else if (!run->options->quiet) {
        print_start_warnings(run->options, run->mechanism, run->simulation);
    }
    return status;
}

/* ---- the run ---- */

static void log_event(run_state *run)
{
    if (run->results.event_stream) {
        event_log_write(run->results.event_stream, run->options->events_format != 0, run->mechanism,
                        run->simulation);
    }
    if (run->record) {
        record_event(run->record, run->simulation);
    }
}

static void flush_results(run_state *run)
{
    results_flush(&run->results);
    if (run->record) {
        record_flush(run->record);
    }
}

static detent_status write_row(run_state *run, int side)
{
    detent_status status = table_write_row(&run->table, run->simulation, side, &run->error);
    if (run->record && !status) {
        status = record_row(run->record, run->simulation, side, &run->error);
        run->not_written = record_failed(run->record);
    }
    run->not_written = results_failed(&run->results) || run->not_written;
    if (progress_tick(&run->progress, run->mechanism, run->simulation)) {
        flush_results(run);
    }
    return status;
}

static bool must_stop(const run_state *run)
{
    return run->not_written || interrupt_signal() != 0;
}

/* Advances to time `t`, with two rows for every event on the way. */
static detent_status advance(run_state *run, double t)
{
    for (;;) {
        run->pause_at = progress_due(&run->progress);
        detent_status status = detent_advance(run->simulation, t, true, &run->error);
        if (status == DETENT_INTERRUPTED && !must_stop(run)) {
            if (progress_tick(&run->progress, run->mechanism, run->simulation)) {
                flush_results(run);
            }
            continue;
        }
        if (status != DETENT_EVENT) {
            return status == DETENT_INTERRUPTED ? DETENT_OK : status;
        }
        log_event(run);
        status = write_row(run, -1);
        if (!status) {
            status = write_row(run, 1);
        }
        if (status || must_stop(run)) {
            return status;
        }
    }
}

/* Where a run breaks off, the last good state is worth a row. */
static void write_last_row(run_state *run, double last_time)
{
    detent_error ignored;
    if (detent_time(run->simulation) > last_time) {
        table_write_row(&run->table, run->simulation, 0, &ignored);
        if (run->record) {
            record_row(run->record, run->simulation, 0, &ignored);
        }
    }
}

static detent_status simulate(run_state *run)
{
    const detent_settings *s = &run->settings;
    double rows = fmax(ceil((s->end - s->start) / s->interval * (1 - 1e-12)), 1);
    double time = s->start;
    table_write_head(&run->table);
    if (run->results.event_stream) {
        event_log_head(run->results.event_stream, run->options->events_format != 0);
    }
    log_event(run);
    detent_status status = write_row(run, 0);
    for (double i = 1; i <= rows && !status && !must_stop(run); i++) {
        status = advance(run, i < rows ? s->start + i * s->interval : s->end);
        if (!status && !must_stop(run)) {
            status = write_row(run, 0);
            time = detent_time(run->simulation);
        }
    }
    if (status) {
        write_last_row(run, time);
    }
    run->finished = time >= s->end;
    return status;
}

/* ---- the end ---- */

/* What is said in the end goes to standard output, or to standard error where the table is there: JSON in one line
 * then, the last one, so that it can be told from the rest. */
static FILE *report_stream(const cli_options *options)
{
    return results_on_stdout(options) ? stderr : stdout;
}

/* Writes the summary to `file` or, where that is NULL, to the report. */
static void write_summary(const run_state *run, run_end end, FILE *file)
{
    const run_summary summary = {
        .options = run->options,
        .mechanism = run->mechanism,
        .simulation = run->simulation,
        .table = &run->table,
        .results = &run->results,
        .settings = run->settings,
        .end = end,
        .exit_code = run->exit_code,
        .error = &run->error,
        .cpu_time = (double)(clock() - run->begun_cpu) / CLOCKS_PER_SEC,
        .wall_time = wall_clock() - run->begun_wall,
    };
    FILE *stream = report_stream(run->options);
    if (file) {
        summary_write_json(file, true, &summary);
    } else if (run->options->json) {
        summary_write_json(stream, stream == stdout, &summary);
    } else if (!run->options->quiet) {
        summary_write_text(stream, &summary);
    }
}

/* Says how the simulation ended, and sets the exit code. */
static run_end tell_end(run_state *run, detent_status status)
{
    int number = interrupt_signal();
    progress_end(&run->progress);
    if (status) {
        print_library_error(&run->error);
        run->exit_code = exit_code_of(status);
        return RUN_FAILED;
    }
    if (!run->finished && number) {
        print_error("interrupted at t = %.9g s", detent_time(run->simulation));
        run->exit_code = EXIT_SIGNAL + number;
        return RUN_INTERRUPTED;
    }
    return RUN_FINISHED;
}

/* A result could not be written: the run has failed, whatever else it came to. */
static void fail_writing(run_state *run, run_end *end, detent_status status)
{
    *end = RUN_FAILED;
    run->exit_code = run->exit_code ? run->exit_code : exit_code_of(status);
}

/* The record knows how the run ended. */
static void close_record(run_state *run, run_end end)
{
    static const char *const outcomes[] = {"finished", "interrupted", "failed"};
    char text[sizeof run->error.message + 16];
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(run->simulation, &statistics);
    snprintf(text, sizeof text, end == RUN_FAILED ? "%s: %s" : "%s", outcomes[end],
             run->error.message);
    const record_end told = {
        .outcome = text,
        .time = detent_time(run->simulation),
        .cpu_time = (double)(clock() - run->begun_cpu) / CLOCKS_PER_SEC,
        .wall_time = wall_clock() - run->begun_wall,
        .statistics = &statistics,
    };
    output_file_note(&run->results.record, record_close(run->record, &told));
    run->record = NULL;
}

/* Made of the record. An error is reported. */
static detent_status write_page(run_state *run)
{
    result_files *results = &run->results;
    const report_source source = {results->record.temporary, results->record.path};
    return results->page.stream && results->record.error_number == 0
               ? report_write(&results->page, &source, 1, run->options, &run->error)
               : DETENT_OK;
}

/* Closes the files and gives them their names. */
static detent_status conclude_files(run_state *run, run_end *end)
{
    result_files *results = &run->results;
    if (run->record) {
        close_record(run, *end);
    }
    detent_status status = write_page(run);
    const detent_status closed = results_close(results, &run->error);
    status = status ? status : closed;
    if (status) {
        fail_writing(run, end, status);
    }
    if (results->summary.stream) {
        write_summary(run, *end, results->summary.stream);
        const detent_status last = results_close_summary(results, &run->error);
        status = status ? status : last;
    }
    if (!status && *end == RUN_FINISHED) {
        status = results_publish(results, &run->error);
    } else {
        results_keep(results);
    }
    if (status) {
        fail_writing(run, end, status);
    }
    if (results->table.partial && *end != RUN_FINISHED) {
        print_note("what was computed until t = %.9g s is kept in %s", detent_time(run->simulation),
                   results->table.partial);
    }
    return status;
}

/* An output may well be infinite or undefined at times, but nobody should learn it from a plot. */
static void warn_of_values(const run_state *run)
{
    const csv_table *table = &run->table;
    if (table->not_finite > 0 && !run->options->quiet) {
        print_note("warning: %zu values of the table are not finite, the first in %s at t = %.9g s",
                   table->not_finite, table->columns[table->first_column].name, table->first_time);
    }
}

static int conclude(run_state *run, detent_status status)
{
    run_end end = tell_end(run, status);
    warn_of_values(run);
    if (!conclude_files(run, &end) || run->options->json) {
        write_summary(run, end, NULL);
    }
    return run->results.on_stdout ? run->exit_code : finish_stdout(run->exit_code);
}

/* Ends a run that did not begin; its error is reported. */
static int conclude_nothing(const run_state *run, detent_status status)
{
    const cli_options *options = run->options;
    FILE *stream = report_stream(options);
    if (options->json) {
        summary_write_json_error(stream, stream == stdout, options, &run->error,
                                 exit_code_of(status));
    }
    return finish_stdout(exit_code_of(status));
}

static int run_mechanism(run_state *run)
{
    int code;
    choose_settings(run);
    detent_status status = open_run(run);
    if (status) {
        record_close(run->record, NULL);
        results_discard(&run->results);
        code = conclude_nothing(run, status);
    } else {
        progress_begin(&run->progress, run->settings.start, run->settings.end, run->options->quiet);
        code = conclude(run, simulate(run));
    }
    table_destroy(&run->table);
    detent_simulation_destroy(run->simulation);
    results_release(&run->results);
    return code;
}

int run_command(const cli_options *options)
{
    run_state run = {.options = options, .begun_wall = wall_clock(), .begun_cpu = clock()};
    detent_status status = load_mechanism(options, &run.mechanism, &run.error);
    if (status) {
        print_library_error(&run.error);
        return conclude_nothing(&run, status);
    }
    if (!options->quiet) {
        print_warnings(options, run.mechanism);
    }
    int code = run_mechanism(&run);
    detent_mechanism_destroy(run.mechanism);
    return code;
}
