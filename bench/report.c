#include "report.h"

#include "report_text.h"

#include <math.h>
#include <string.h>

/* ---- text ---- */

void bench_print_header(FILE *out)
{
    fprintf(out, "%-15s %5s %4s %6s %10s %9s %8s %8s %8s %7s %7s %7s %7s\n", "workload", "n", "by",
            "rtol", "CPU ms", "set-up ms", "error", "indep.", "steps", "events", "search", "solves",
            "kB/n");
}

void bench_print_run(FILE *out, const bench_run *run)
{
    bench_cell own, independent;
    if (run->status) {
        fprintf(out, "%-15s %5zu %4s %6.0e %s: %s\n", run->workload->name, run->n,
                bench_integrator_name(run->integrator), run->rtol, detent_status_text(run->status),
                run->message);
        return;
    }
    fprintf(out, "%-15s %5zu %4s %6.0e %10.3f %9.3f %8s %8s %8zu %7zu %7zu %7zu %7.2f\n",
            run->workload->name, run->n, bench_integrator_name(run->integrator), run->rtol,
            1e3 * run->cpu, 1e3 * run->setup, bench_error_text(own, run->own_error),
            bench_error_text(independent, run->independent_error), run->statistics.steps,
            run->statistics.events, run->statistics.searches, run->statistics.search_solves,
            1e-3 * (double)run->memory / (double)run->n);
}

/* ---- Markdown ---- */

static void write_agreement(FILE *out, const bench_case *c)
{
    bench_cell own, independent;
    fprintf(out, "n = %zu: own %s (%s), independent %s. ", c->n,
            bench_error_text(own, c->own_agreement), c->how[0] ? c->how : "none",
            bench_error_text(independent, c->independent_agreement));
}

static void write_workload(FILE *out, const bench_results *results, const bench_workload *workload)
{
    fprintf(
        out,
        "\n## %s (`%s`)\n\n"
        "| n | by | rtol | CPU ms | set-up ms | error | independent | steps | events | searches | "
        "solves | residuals | kB/n |\n"
        "|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
        workload->title, workload->name);
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        const detent_statistics *s = &run->statistics;
        bench_cell own, independent;
        if (run->workload != workload) {
            continue;
        }
        if (run->status) {
            fprintf(out, "| %zu | %s | %.0e | %s: %s |\n", run->n,
                    bench_integrator_name(run->integrator), run->rtol,
                    detent_status_text(run->status), run->message);
            continue;
        }
        fprintf(
            out,
            "| %zu | %s | %.0e | %.3f | %.3f | %s | %s | %zu | %zu | %zu | %zu | %zu | %.2f |\n",
            run->n, bench_integrator_name(run->integrator), run->rtol, 1e3 * run->cpu,
            1e3 * run->setup, bench_error_text(own, run->own_error),
            bench_error_text(independent, run->independent_error), s->steps, s->events, s->searches,
            s->search_solves, s->residuals, 1e-3 * (double)run->memory / (double)run->n);
    }
    if (workload->compared == BENCH_MOVEMENT) {
        fprintf(out, "\nThe error is the largest movement; it must be 0.\n");
        return;
    }
    fprintf(out, "\nReferences at two tolerances agree to: ");
    for (size_t k = 0; k < results->case_count; k++) {
        if (results->cases[k].workload == workload) {
            write_agreement(out, &results->cases[k]);
        }
    }
    fprintf(out, "\n");
}

static bool was_run(const bench_results *results, const bench_workload *workload)
{
    for (size_t k = 0; k < results->run_count; k++) {
        if (results->runs[k].workload == workload) {
            return true;
        }
    }
    return false;
}

void bench_write_markdown(FILE *out, const bench_results *results)
{
    fprintf(out,
            "# Benchmark\n\n"
            "detent %s. CPU: of the process, one thread, median of the repeats; the run without "
            "set-up. Error: largest distance of the compared values (rad or m) from our own "
            "converged run, and from an independent program's. See docs/benchmark.md.\n\n",
            detent_version());
    bench_write_growth_markdown(out, results);
    bench_write_defaults_markdown(out, results);
    bench_write_peers_markdown(out, results);
    bench_write_micro_markdown(out, results);
    bench_write_laws_markdown(out, results);
    bench_write_control_markdown(out, results);
    bench_write_orders_markdown(out, results);
    bench_write_extras_markdown(out, results);
    for (size_t k = 0; k < bench_workload_count; k++) {
        if (was_run(results, &bench_workloads[k])) {
            write_workload(out, results, &bench_workloads[k]);
        }
    }
}

/* ---- JSON ---- */

static void json_run(FILE *out, const bench_run *run)
{
    const detent_statistics *s = &run->statistics;
    fprintf(out, "  {\"workload\": \"%s\", \"n\": %zu, \"integrator\": \"%s\", \"rtol\": %g",
            run->workload->name, run->n, bench_integrator_name(run->integrator), run->rtol);
    bench_json_text(out, "status", detent_status_text(run->status));
    if (run->status) {
        bench_json_text(out, "message", run->message);
    } else {
        bench_json_number(out, "cpu", run->cpu);
        bench_json_number(out, "setup", run->setup);
        bench_json_number(out, "error", run->own_error);
        bench_json_number(out, "independent_error", run->independent_error);
        fprintf(out,
                ", \"repeats\": %zu, \"steps\": %zu, \"events\": %zu, \"searches\": %zu, "
                "\"search_solves\": %zu, \"interior_point\": %zu, \"residuals\": %zu, "
                "\"restarts\": %zu, \"memory_per_joint\": %.0f",
                run->repeats, s->steps, s->events, s->searches, s->search_solves,
                s->search_interior_point, s->residuals, s->restarts,
                (double)run->memory / (double)run->n);
    }
    fprintf(out, "}");
}

void bench_write_json(FILE *out, const bench_results *results)
{
    fprintf(out, "{\"version\": \"%s\",\n\"references\": [", detent_version());
    for (size_t k = 0; k < results->case_count; k++) {
        const bench_case *c = &results->cases[k];
        fprintf(out, "%s\n  {\"workload\": \"%s\", \"n\": %zu", k ? "," : "", c->workload->name,
                c->n);
        bench_json_text(out, "own", c->how);
        bench_json_number(out, "own_agreement", c->own_agreement);
        bench_json_number(out, "independent_agreement", c->independent_agreement);
        fprintf(out, "}");
    }
    fprintf(out, "\n],\n\"runs\": [\n");
    for (size_t k = 0; k < results->run_count; k++) {
        json_run(out, &results->runs[k]);
        fprintf(out, k + 1 < results->run_count ? ",\n" : "\n");
    }
    fprintf(out, "],\n");
    bench_write_peers_json(out, results);
    fprintf(out, ",\n");
    bench_write_extras_json(out, results);
    fprintf(out, ",\n");
    bench_write_micro_json(out, results);
    fprintf(out, ",\n");
    bench_write_laws_json(out, results);
    fprintf(out, ",\n");
    bench_write_control_json(out, results);
    fprintf(out, ",\n");
    bench_write_orders_json(out, results);
    fprintf(out, ",\n");
    bench_write_growth_json(out, results);
    fprintf(out, ",\n");
    bench_write_defaults_json(out, results);
    fprintf(out, "}\n");
}
