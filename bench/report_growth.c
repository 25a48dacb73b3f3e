/* Growth of CPU time with the size. */

#include "report.h"
#include "report_text.h"

#include <math.h>

static bool is_of(const bench_run *run, const bench_workload *workload,
                  detent_integrator integrator, double rtol)
{
    return run->workload == workload && run->integrator == integrator && run->rtol == rtol &&
           !run->status && run->n >= 10;
}

/* The rtol that was run in most sizes, of several the one that is nearest to 1e-7. */
static double common_rtol(const bench_results *results, const bench_workload *workload,
                          detent_integrator integrator)
{
    double best = NAN;
    size_t most = 0;
    for (size_t k = 0; k < results->run_count; k++) {
        const double rtol = results->runs[k].rtol;
        size_t sizes = 0;
        for (size_t i = 0; i < results->run_count; i++) {
            sizes += is_of(&results->runs[i], workload, integrator, rtol);
        }
        const bool nearer = fabs(log10(rtol) + 7) < fabs(log10(best) + 7) - 1e-9;
        if (sizes > most || (sizes && sizes == most && nearer)) {
            most = sizes;
            best = rtol;
        }
    }
    return best;
}

bench_growth bench_fit_growth(const bench_results *results, const bench_workload *workload,
                              detent_integrator integrator)
{
    double n[BENCH_MOST_SIZES], cpu[BENCH_MOST_SIZES], per_event[BENCH_MOST_SIZES],
        events[BENCH_MOST_SIZES];
    bench_growth growth = {.workload = workload,
                           .integrator = integrator,
                           .rtol = common_rtol(results, workload, integrator)};
    for (size_t k = 0; k < results->run_count && growth.sizes < BENCH_MOST_SIZES; k++) {
        const bench_run *run = &results->runs[k];
        if (is_of(run, workload, integrator, growth.rtol)) {
            const size_t i = growth.sizes++;
            growth.runs[i] = run;
            n[i] = (double)run->n;
            cpu[i] = run->cpu;
            events[i] = (double)run->statistics.events;
            per_event[i] = bench_cpu_per_event(run);
        }
    }
    growth.cpu = bench_exponent(n, cpu, growth.sizes);
    growth.cpu_per_event = bench_exponent(n, per_event, growth.sizes);
    growth.events = bench_exponent(n, events, growth.sizes);
    return growth;
}

double bench_cpu_per_event(const bench_run *run)
{
    return run->statistics.events && run->workload->compared != BENCH_MOVEMENT
               ? run->cpu / (double)run->statistics.events
               : NAN;
}

/* Growth number k of all workloads and integrators; false where there is none to tell. */
static bool find_growth(const bench_results *results, size_t k, bench_growth *growth)
{
    *growth = bench_fit_growth(results, &bench_workloads[k / BENCH_INTEGRATORS],
                               (detent_integrator)(k % BENCH_INTEGRATORS));
    return !isnan(growth->cpu);
}

/* "10: 7, 30: 23": events of each size. */
static const char *events_text(char *text, size_t size, const bench_growth *growth)
{
    size_t length = 0;
    text[0] = 0;
    for (size_t k = 0; k < growth->sizes && length < size; k++) {
        const bench_run *run = growth->runs[k];
        length += (size_t)snprintf(text + length, size - length, "%s%zu: %zu", k ? ", " : "",
                                   run->n, run->statistics.events);
    }
    return text;
}

void bench_print_growth(FILE *out, const bench_results *results)
{
    bench_growth g;
    for (size_t k = 0; k < BENCH_INTEGRATORS * bench_workload_count; k++) {
        bench_cell cpu, per_event, events;
        char list[160];
        if (find_growth(results, k, &g)) {
            fprintf(out, "%-15s %-4s rtol %.0e: CPU ~ %s, per event ~ %s, events ~ %s (%s)\n",
                    g.workload->name, bench_integrator_name(g.integrator), g.rtol,
                    bench_number(cpu, "n^%.2f", g.cpu),
                    bench_number(per_event, "n^%.2f", g.cpu_per_event),
                    bench_number(events, "n^%.2f", g.events), events_text(list, sizeof list, &g));
        }
    }
}

void bench_write_growth_markdown(FILE *out, const bench_results *results)
{
    bench_growth g;
    fprintf(out, "## Growth with n (n >= 10)\n\n"
                 "| workload | by | rtol | CPU | CPU per event | events | n: events |\n"
                 "|---|---|--:|--:|--:|--:|---|\n");
    for (size_t k = 0; k < BENCH_INTEGRATORS * bench_workload_count; k++) {
        bench_cell cpu, per_event, events;
        char list[160];
        if (find_growth(results, k, &g)) {
            fprintf(out, "| %s | %s | %.0e | %s | %s | %s | %s |\n", g.workload->name,
                    bench_integrator_name(g.integrator), g.rtol, bench_number(cpu, "n^%.2f", g.cpu),
                    bench_number(per_event, "n^%.2f", g.cpu_per_event),
                    bench_number(events, "n^%.2f", g.events), events_text(list, sizeof list, &g));
        }
    }
}

void bench_write_growth_json(FILE *out, const bench_results *results)
{
    const char *separator = "";
    bench_growth g;
    fprintf(out, "\"growth\": [");
    for (size_t k = 0; k < BENCH_INTEGRATORS * bench_workload_count; k++) {
        if (find_growth(results, k, &g)) {
            fprintf(out, "%s\n  {\"workload\": \"%s\", \"integrator\": \"%s\", \"rtol\": %g",
                    separator, g.workload->name, bench_integrator_name(g.integrator), g.rtol);
            bench_json_number(out, "cpu", g.cpu);
            bench_json_number(out, "cpu_per_event", g.cpu_per_event);
            bench_json_number(out, "events", g.events);
            fprintf(out, "}");
            separator = ",";
        }
    }
    fprintf(out, "\n]");
}
