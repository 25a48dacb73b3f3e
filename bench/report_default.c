/* What it costs to name no integrator: CPU of the default over that of the better one of those named, at equal error. */

#include "report.h"
#include "report_text.h"

#include <math.h>

static bool runs_in(const bench_run *run, const bench_default *d, detent_integrator integrator)
{
    return run->workload == d->workload && run->n == d->n && run->integrator == integrator &&
           !run->status;
}

/* The line through two runs in logarithms of error and CPU, where `error` is between theirs. */
static double between(const bench_run *loose, const bench_run *tight, double error)
{
    if (!(loose->own_error > error && tight->own_error < error && tight->own_error > 0)) {
        return INFINITY;
    }
    const double part = log(loose->own_error / error) / log(loose->own_error / tight->own_error);
    return loose->cpu * pow(tight->cpu / loose->cpu, part);
}

/* The least CPU of an integrator at that error: of its runs with no larger one, and between neighbours in rtol. */
static double least_at(const bench_results *results, const bench_default *d,
                       detent_integrator integrator, double error)
{
    const bench_run *before = NULL;
    double least = INFINITY;
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        if (!runs_in(run, d, integrator)) {
            continue;
        }
        least = run->own_error <= error ? fmin(least, run->cpu) : least;
        least = before ? fmin(least, between(before, run, error)) : least;
        before = run;
    }
    return least;
}

/* Where nothing moves there is no error: the same rtol. */
static double least_with(const bench_results *results, const bench_default *d,
                         detent_integrator integrator, double rtol)
{
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        if (runs_in(run, d, integrator) && run->rtol == rtol) {
            return run->cpu;
        }
    }
    return INFINITY;
}

static double least(const bench_results *results, const bench_default *d,
                    detent_integrator integrator, const bench_run *run)
{
    return d->workload->compared == BENCH_MOVEMENT || isnan(run->own_error)
               ? least_with(results, d, integrator, run->rtol)
               : least_at(results, d, integrator, run->own_error);
}

bench_default bench_judge_default(const bench_results *results, const bench_workload *workload,
                                  size_t n)
{
    bench_default d = {.workload = workload, .n = n, .most = NAN};
    double logarithms = 0, same = 0;
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        if (!runs_in(run, &d, DETENT_INTEGRATOR_AUTO)) {
            continue;
        }
        const double ida = least(results, &d, DETENT_INTEGRATOR_IDA, run),
                     erk = least(results, &d, DETENT_INTEGRATOR_ERK, run),
                     ratio = run->cpu / fmin(ida, erk);
        if (!(ratio > 0)) {
            continue; /* no other run is as exact */
        }
        logarithms += log(ratio);
        same += log(run->cpu / fmin(least_with(results, &d, DETENT_INTEGRATOR_IDA, run->rtol),
                                    least_with(results, &d, DETENT_INTEGRATOR_ERK, run->rtol)));
        d.runs++;
        if (!(ratio <= d.most)) {
            d.most = ratio;
            d.rtol = run->rtol;
            d.best = erk < ida ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA;
        }
    }
    d.mean = exp(logarithms / (double)d.runs);
    d.same = exp(same / (double)d.runs);
    return d;
}

/* The next workload and size with runs of the default; `k` is where to look from. */
static bool find_default(const bench_results *results, size_t *k, bench_default *d)
{
    for (; *k < results->run_count; ++*k) {
        const bench_run *run = &results->runs[*k];
        const bool known = *k && run[-1].workload == run->workload && run[-1].n == run->n;
        if (!known) {
            *d = bench_judge_default(results, run->workload, run->n);
            if (d->runs) {
                ++*k;
                return true;
            }
        }
    }
    return false;
}

void bench_print_defaults(FILE *out, const bench_results *results)
{
    bench_default d;
    for (size_t k = 0; find_default(results, &k, &d);) {
        fprintf(out,
                "default %-15s %5zu: %.2f of the better integrator at equal error, at most %.2f "
                "(rtol %.0e, %s); %.2f at the same rtol\n",
                d.workload->name, d.n, d.mean, d.most, d.rtol, bench_integrator_name(d.best),
                d.same);
    }
}

void bench_write_defaults_markdown(FILE *out, const bench_results *results)
{
    bench_default d;
    size_t k = 0;
    if (!find_default(results, &k, &d)) {
        return;
    }
    fprintf(
        out,
        "\n## The default integrator\n\n"
        "CPU of `auto` over that of the better of `ida` and `erk` at the error that it has "
        "(log-log between their tolerances): mean and largest over its tolerances; and the mean "
        "over the better one at the same rtol, whatever its error.\n\n"
        "| workload | n | mean | largest | at rtol | where better | same rtol |\n"
        "|---|--:|--:|--:|--:|---|--:|\n");
    for (k = 0; find_default(results, &k, &d);) {
        fprintf(out, "| `%s` | %zu | %.2f | %.2f | %.0e | %s | %.2f |\n", d.workload->name, d.n,
                d.mean, d.most, d.rtol, bench_integrator_name(d.best), d.same);
    }
}

void bench_write_defaults_json(FILE *out, const bench_results *results)
{
    const char *separator = "";
    bench_default d;
    fprintf(out, "\"default\": [");
    for (size_t k = 0; find_default(results, &k, &d);) {
        fprintf(out, "%s\n  {\"workload\": \"%s\", \"n\": %zu, \"rtol\": %g", separator,
                d.workload->name, d.n, d.rtol);
        bench_json_number(out, "mean", d.mean);
        bench_json_number(out, "most", d.most);
        bench_json_number(out, "same_rtol", d.same);
        bench_json_text(out, "better", bench_integrator_name(d.best));
        fprintf(out, "}");
        separator = ",";
    }
    fprintf(out, "\n]");
}
