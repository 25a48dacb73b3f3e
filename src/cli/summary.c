#include "summary.h"

#include "describe.h"
#include "event_log.h"
#include "message.h"
#include "number.h"

enum { MODES_LISTED = 20 };

static const char *const end_texts[] = {"finished", "interrupted", "failed"};

static double mean(size_t sum, size_t count)
{
    return count > 0 ? (double)sum / (double)count : 0;
}

/* What the energy balance leaves unexplained: the change of energy, less the work done, and the loss at impacts. */
static double energy_residual(const detent_statistics *s)
{
    return s->kinetic_energy + s->potential_energy - s->initial_energy - s->friction_work -
           s->damping_work - s->actuation_work + s->impact_loss;
}

/* Where a result will be once the run is over; NULL: there is no such file. */
static const char *result_path(const output_file *file, run_end end)
{
    return end == RUN_FINISHED ? file->path : file->partial;
}

static const char *stiction_mode(char text[MODE_TEXT_SIZE], const run_summary *summary,
                                 size_t index)
{
    int direction;
    detent_mode mode = detent_get_mode(summary->simulation, index, &direction);
    return mode_text(text, mode, direction);
}

/* ---- text ---- */

static void write_modes(FILE *stream, const run_summary *summary, size_t stictions)
{
    size_t counts[3] = {0};
    char text[MODE_TEXT_SIZE];
    for (size_t i = 0; i < stictions; i++) {
        counts[detent_get_mode(summary->simulation, i, NULL)]++;
    }
    fprintf(stream, "modes      %zu locked, %zu wait, %zu unlocked\n", counts[DETENT_LOCKED],
            counts[DETENT_WAIT], counts[DETENT_UNLOCKED]);
    for (size_t i = 0; i < stictions && stictions <= MODES_LISTED; i++) {
        fputs("           ", stream);
        write_plain(stream, detent_name(summary->mechanism, DETENT_STICTION, i));
        fprintf(stream, ": %s\n", stiction_mode(text, summary, i));
    }
}

/* What was in force. */
static void write_settings(FILE *stream, const detent_settings *s)
{
    fprintf(stream, "settings   %s, %s solver, locked joints: %s\n           ", integrator_name(s),
            linear_solver_name(s), locked_joints_name(s));
    if (has_fixed_step(s)) {
        fputs("steps of ", stream);
        write_number(stream, s->step);
        fputs(" s\n", stream);
        return;
    }
    fputs("rtol ", stream);
    write_number(stream, s->rtol);
    fputs(", atol ", stream);
    if (s->atol > 0) {
        write_number(stream, s->atol);
    } else {
        fputs("from the mechanism", stream);
    }
    fputs(", longest step ", stream);
    if (s->max_step > 0) {
        write_number(stream, s->max_step);
        fputs(" s\n", stream);
    } else {
        fputs("as the laws need\n", stream);
    }
}

static void write_energy(FILE *stream, const detent_statistics *s)
{
    fprintf(stream,
            "energy     %.6g J at the start; now %.6g J kinetic, %.6g J potential\n"
            "work       %.6g J friction, %.6g J damping, %.6g J actuation, %.6g J lost at impacts\n"
            "balance    %.3g J unexplained\n",
            s->initial_energy, s->kinetic_energy, s->potential_energy, s->friction_work,
            s->damping_work, s->actuation_work, s->impact_loss, energy_residual(s));
}

static void write_path(FILE *stream, const output_file *file, run_end end)
{
    const char *path = file->path ? result_path(file, end) : NULL;
    if (path) {
        fputs("           ", stream);
        write_plain(stream, path);
        fputc('\n', stream);
    }
}

static void write_bound(FILE *stream, int solves)
{
    if (solves > 0) {
        fprintf(stream, "%d\n", solves);
    } else {
        fputs("its default\n", stream);
    }
}

void summary_write_text(FILE *stream, const run_summary *summary)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_mechanism_get_info(summary->mechanism, &info);
    detent_get_statistics(summary->simulation, &s);
    write_plain(stream, info.name[0] ? info.name : summary->options->file);
    fprintf(stream, ": %s at t = ", end_texts[summary->end]);
    write_number(stream, detent_time(summary->simulation));
    fprintf(stream, " s\n");
    write_modes(stream, summary, info.stictions);
    fprintf(stream,
            "events     %zu, with %zu changes of mode\n"
            "searches   %zu; solves of one: %.3g on average, %zu at most; %zu interior points\n"
            "steps      %zu; residuals per step: %.3g; restarts: %zu\n",
            s.events, s.mode_changes, s.searches, mean(s.search_solves, s.searches),
            s.max_search_solves, s.search_interior_point, s.steps, mean(s.residuals, s.steps),
            s.restarts);
    if (s.unsettled > 0) {
        fprintf(stream, "unsettled  %zu steps, with less friction than there is: max_solves is ",
                s.unsettled);
        write_bound(stream, summary->settings.max_solves);
    }
    if (s.unresolved > 0) {
        fprintf(
            stream,
            "unresolved %zu steps, in which loops pass by where branches of their motion meet, and "
            "lose energy:\n"
            "           they need shorter ones\n",
            s.unresolved);
    }
    if (s.endless > 0) {
        fprintf(
            stream,
            "bounces    %zu times those of restitution 1 were ended, lower than rtol tells: they "
            "have no end of their own,\n"
            "           and friction that follows reactions differs between bounces and rest\n",
            s.endless);
    }
    if (s.samples > 0) {
        fprintf(stream, "samples    %zu\n", s.samples);
    }
    write_settings(stream, &summary->settings);
    write_energy(stream, &s);
    fprintf(stream, "time       %.3g s of CPU, %.3g s of the clock\n", summary->cpu_time,
            summary->wall_time);
    if (!summary->results->on_stdout) {
        fprintf(stream, "results    %zu rows\n", summary->table->rows);
        write_path(stream, &summary->results->table, summary->end);
        write_path(stream, &summary->results->events, summary->end);
        write_path(stream, &summary->results->summary, summary->end);
        write_path(stream, &summary->results->search, summary->end);
    }
    if (!summary->results->record_is_means) {
        write_path(stream, &summary->results->record, summary->end);
    }
    write_path(stream, &summary->results->page, summary->end);
}

/* ---- JSON ---- */

static void json_parameters(json_writer *json, const cli_options *options)
{
    json_object(json, "parameters");
    for (size_t i = 0; i < options->parameter_count; i++) {
        json_text(json, options->parameters[i].name, options->parameters[i].value);
    }
    json_close(json);
}

static void json_modes(json_writer *json, const run_summary *summary)
{
    char text[MODE_TEXT_SIZE];
    const char *name;
    json_object(json, "modes");
    for (size_t i = 0; (name = detent_name(summary->mechanism, DETENT_STICTION, i)) != NULL; i++) {
        json_text(json, name, stiction_mode(text, summary, i));
    }
    json_close(json);
}

static void json_counters(json_writer *json, const detent_statistics *s)
{
    json_object(json, "counters");
    json_count(json, "events", s->events);
    json_count(json, "mode_changes", s->mode_changes);
    json_count(json, "searches", s->searches);
    json_count(json, "search_solves", s->search_solves);
    json_number(json, "search_solves_mean", mean(s->search_solves, s->searches));
    json_count(json, "search_solves_max", s->max_search_solves);
    json_count(json, "search_interior_point", s->search_interior_point);
    json_count(json, "steps", s->steps);
    json_count(json, "residuals", s->residuals);
    json_number(json, "residuals_per_step", mean(s->residuals, s->steps));
    json_count(json, "factorizations", s->factorizations);
    json_count(json, "solves", s->solves);
    json_count(json, "root_evaluations", s->root_evaluations);
    json_count(json, "error_test_failures", s->error_test_failures);
    json_count(json, "convergence_failures", s->convergence_failures);
    json_count(json, "restarts", s->restarts);
    json_count(json, "leaps", s->leaps);
    json_count(json, "impacts", s->impacts);
    json_count(json, "helped", s->helped);
    json_count(json, "samples", s->samples);
    json_count(json, "unsettled", s->unsettled);
    json_count(json, "endless", s->endless);
    json_count(json, "unresolved", s->unresolved);
    json_count(json, "memory", s->memory);
    json_close(json);
}

static void json_energy(json_writer *json, const detent_statistics *s)
{
    json_object(json, "energy");
    json_number(json, "initial", s->initial_energy);
    json_number(json, "kinetic", s->kinetic_energy);
    json_number(json, "potential", s->potential_energy);
    json_number(json, "friction_work", s->friction_work);
    json_number(json, "damping_work", s->damping_work);
    json_number(json, "actuation_work", s->actuation_work);
    json_number(json, "impact_loss", s->impact_loss);
    json_number(json, "residual", energy_residual(s));
    json_close(json);
}

static void json_path(json_writer *json, const char *key, const output_file *file, run_end end)
{
    if (result_path(file, end)) {
        json_text(json, key, result_path(file, end));
    } else {
        json_null(json, key);
    }
}

static void json_results(json_writer *json, const run_summary *summary)
{
    const result_files *results = summary->results;
    json_object(json, "results");
    json_count(json, "rows", summary->table->rows);
    json_count(json, "not_finite", summary->table->not_finite);
    json_path(json, "table", &results->table, summary->end);
    json_path(json, "events", &results->events, summary->end);
    json_path(json, "summary", &results->summary, summary->end);
    json_path(json, "search", &results->search, summary->end);
    if (results->record.path && !results->record_is_means) {
        json_path(json, "record", &results->record, summary->end);
    }
    if (results->page.path) {
        json_path(json, "report", &results->page, summary->end);
    }
    json_close(json);
    json_array(json, "columns");
    for (size_t i = 0; i < summary->table->column_count; i++) {
        json_object(json, NULL);
        json_text(json, "name", summary->table->columns[i].name);
        json_text(json, "unit", summary->table->columns[i].unit);
        json_close(json);
    }
    json_close(json);
}

void summary_write_json_error(FILE *stream, bool pretty, const cli_options *options,
                              const detent_error *error, int exit_code)
{
    json_writer json = json_begin(stream, pretty);
    json_object(&json, NULL);
    json_text(&json, "detent", detent_version());
    json_text(&json, "file", options->file);
    json_text(&json, "status", end_texts[RUN_FAILED]);
    json_count(&json, "exit_code", (size_t)exit_code);
    json_error(&json, "error", error);
    json_close(&json);
    json_end(&json);
}

void summary_write_json(FILE *stream, bool pretty, const run_summary *summary)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_statistics s = DETENT_INIT(detent_statistics);
    detent_mechanism_get_info(summary->mechanism, &info);
    detent_get_statistics(summary->simulation, &s);
    json_writer json = json_begin(stream, pretty);
    json_object(&json, NULL);
    json_text(&json, "detent", detent_version());
    json_text(&json, "file", summary->options->file);
    json_text(&json, "name", info.name);
    json_text(&json, "status", end_texts[summary->end]);
    json_count(&json, "exit_code", (size_t)summary->exit_code);
    if (summary->end == RUN_FAILED) {
        json_error(&json, "error", summary->error);
    }
    json_number(&json, "time", detent_time(summary->simulation));
    json_settings(&json, "settings", &summary->settings);
    json_parameters(&json, summary->options);
    json_modes(&json, summary);
    json_counters(&json, &s);
    json_energy(&json, &s);
    json_number(&json, "cpu_time", summary->cpu_time);
    json_number(&json, "wall_time", summary->wall_time);
    json_results(&json, summary);
    json_close(&json);
    json_end(&json);
}
