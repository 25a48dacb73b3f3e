/* What detent compare prints: for each joint a table with a row a law, then one of what the runs cost, then why laws failed. */

#include "compare_parts.h"

#include "describe.h"

#include <math.h>
#include <string.h>

static int name_width(const compare_work *work)
{
    int width = 3;
    for (size_t k = 0; k < work->run_count; k++) {
        width = column_width(width, work->runs[k].name);
    }
    return width;
}

/* ---- text ---- */

static void print_cell(double value, int digits)
{
    if (isnan(value)) {
        printf(" %13s", "-");
    } else {
        printf(" %13.*g", digits, value);
    }
}

static void print_joint(const compare_work *work, size_t j)
{
    const detent_mechanism *m = work->base.mechanism;
    const size_t primitive = work->joints[j];
    const char *unit = freedom_unit(m, primitive, 0), *rate = freedom_unit(m, primitive, 1);
    const int width = name_width(work);
    printf("\n%s\n  %-*s %13s %13s %13s %13s %13s %13s %13s %10s %13s\n",
           detent_name(m, DETENT_PRIMITIVE, primitive), width, "law", "end", "rest since", "creep",
           "swing", "first moved", "delay", "command", "reversals", "apart");
    printf("  %-*s %13s %13s %13s %13s %13s %13s %13s %10s %13s\n", width, "", unit, "s", rate,
           rate, "s", "s", "", "", unit);
    for (size_t k = 0; k < work->run_count; k++) {
        const law_run *run = &work->runs[k];
        if (run->status) {
            continue;
        }
        const joint_measures *of = &run->of[j];
        printf("  %-*s", width, run->name);
        print_cell(of->end, 8);
        print_cell(of->rest_since, 6);
        print_cell(of->creep, 4);
        print_cell(of->swing, 4);
        print_cell(of->first, 6);
        print_cell(of->delay, 4);
        print_cell(of->command, 6);
        printf(" %10zu", of->reversals);
        print_cell(of->apart, 4);
        putchar('\n');
    }
}

static void print_costs(const compare_work *work)
{
    const law_run *reference = &work->runs[work->reference];
    const int width = name_width(work);
    printf("\n  %-*s %10s %10s %10s %13s %13s %10s\n", width, "", "integrator", "steps", "events",
           "energy error", "CPU s", "ratio");
    for (size_t k = 0; k < work->run_count; k++) {
        const law_run *run = &work->runs[k];
        if (run->status) {
            continue;
        }
        printf("  %-*s %10s %10zu %10zu", width, run->name, integrator_name(&run->settings),
               run->statistics.steps, run->statistics.events);
        print_cell(run->balance, 3);
        print_cell(run->cpu, 3);
        printf(" %10.3g\n", reference->status ? NAN : run->cpu / reference->cpu);
    }
}

static void print_failures(const compare_work *work)
{
    for (size_t k = 0; k < work->run_count; k++) {
        if (work->runs[k].status) {
            printf("\n  %s: ", work->runs[k].name);
            write_plain(stdout, work->runs[k].error.message);
            putchar('\n');
        }
    }
}

void compare_print_text(const compare_work *work)
{
    const detent_settings *s = &work->runs[work->reference].settings;
    analysis_print_title(&work->base);
    printf(": friction laws, from %.9g s to %.9g s\n", s->start, s->end);
    for (size_t j = 0; j < work->joint_count; j++) {
        print_joint(work, j);
    }
    print_costs(work);
    print_failures(work);
}

/* ---- JSON ---- */

static void json_joint(const compare_work *work, json_writer *json, const law_run *run, size_t j)
{
    const detent_mechanism *m = work->base.mechanism;
    const joint_measures *of = &run->of[j];
    json_object(json, NULL);
    json_text(json, "joint", detent_name(m, DETENT_PRIMITIVE, work->joints[j]));
    json_text(json, "unit", freedom_unit(m, work->joints[j], 0));
    json_number(json, "end", of->end);
    json_number(json, "rest_since", of->rest_since);
    json_number(json, "creep", of->creep);
    json_number(json, "swing", of->swing);
    json_number(json, "first_moved", of->first);
    json_number(json, "delay", of->delay);
    json_number(json, "command", of->command);
    json_count(json, "reversals", of->reversals);
    json_number(json, "apart", of->apart);
    json_close(json);
}

static void json_run(const compare_work *work, json_writer *json, const law_run *run)
{
    const law_run *reference = &work->runs[work->reference];
    json_object(json, NULL);
    json_text(json, "name", run->name);
    json_text(json, "law", run->law);
    if (run->status) {
        json_error(json, "error", &run->error);
        json_close(json);
        return;
    }
    json_settings(json, "settings", &run->settings);
    json_count(json, "steps", run->statistics.steps);
    json_count(json, "events", run->statistics.events);
    json_number(json, "energy_error", run->balance);
    json_number(json, "cpu", run->cpu);
    json_number(json, "cpu_ratio", reference->status ? NAN : run->cpu / reference->cpu);
    json_array(json, "joints");
    for (size_t j = 0; j < work->joint_count; j++) {
        json_joint(work, json, run, j);
    }
    json_close(json);
    json_close(json);
}

void compare_print_json(const compare_work *work)
{
    json_writer json;
    if (!analysis_begin_json(&work->base, &json, work->base.settings.start)) {
        return;
    }
    json_text(&json, "reference", work->runs[work->reference].name);
    json_array(&json, "runs");
    for (size_t k = 0; k < work->run_count; k++) {
        json_run(work, &json, &work->runs[k]);
    }
    json_close(&json);
    analysis_end_json(&json);
}
