/* Data for gnuplot: blocks separated by two empty lines. The first line of a block holds the name of the
 * curve in quotes, then its colour (one for each size of the workload) and its mark and dash (one for
 * each program). bench/plot.gp draws them. */

#include "report.h"

#include <math.h>
#include <string.h>

static double error_of(const bench_run *run)
{
    const double error = isnan(run->independent_error) ? run->own_error : run->independent_error;
    return error > 0 ? fmax(error, 1e-14) : NAN;
}

static FILE *open_in(const char *folder, const char *prefix, const char *name, const char *mode)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s.dat", folder, prefix, name);
    FILE *file = fopen(path, mode);
    if (!file) {
        fprintf(stderr, "detent-bench: %s cannot be written\n", path);
    }
    return file;
}

/* The colour of a size: its place in the workload's list, from 1. */
static size_t colour_of(const bench_workload *workload, size_t n)
{
    size_t place = 0;
    while (place + 1 < BENCH_MOST_SIZES && workload->sizes[place] && workload->sizes[place] < n) {
        place++;
    }
    return place + 1;
}

static void write_peer_block(FILE *out, const bench_results *results, const bench_peer_run *first)
{
    fprintf(out, "\"%s%s%s, n = %zu\" %zu %s\n", first->engine, first->setting[0] ? ", " : "",
            first->setting, first->n, colour_of(bench_find_workload(first->workload), first->n),
            strcmp(first->engine, "plain") ? "8 3" : "6 2");
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *peer = &results->peers[k];
        if (peer->n == first->n && !strcmp(peer->workload, first->workload) &&
            !strcmp(peer->engine, first->engine) && !strcmp(peer->setting, first->setting) &&
            peer->error > 0) {
            fprintf(out, "%.6g %.6g\n", peer->cpu, peer->error);
        }
    }
    fprintf(out, "\n\n");
}

/* The first run of a series: engine, setting, workload and size not seen before it. */
static bool is_first(const bench_results *results, size_t index)
{
    const bench_peer_run *peer = &results->peers[index];
    for (size_t k = 0; k < index; k++) {
        const bench_peer_run *other = &results->peers[k];
        if (other->n == peer->n && !strcmp(other->workload, peer->workload) &&
            !strcmp(other->engine, peer->engine) && !strcmp(other->setting, peer->setting)) {
            return false;
        }
    }
    return true;
}

static void write_own_block(FILE *out, const bench_results *results, const bench_case *c,
                            detent_integrator integrator)
{
    bool begun = false;
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        if (run->workload == c->workload && run->n == c->n && run->integrator == integrator &&
            !run->status && error_of(run) > 0) {
            if (!begun) {
                fprintf(out, "\"detent, %s, n = %zu\" %zu %s\n", bench_integrator_name(integrator),
                        c->n, colour_of(c->workload, c->n),
                        integrator == DETENT_INTEGRATOR_ERK ? "9 1" : "7 1");
                begun = true;
            }
            fprintf(out, "%.6g %.6g %g\n", run->cpu, error_of(run), run->rtol);
        }
    }
    if (begun) {
        fprintf(out, "\n\n");
    }
}

static bool write_precision(const char *folder, const bench_results *results,
                            const bench_workload *workload)
{
    FILE *out = open_in(folder, "precision-", workload->name, "w");
    if (!out) {
        return false;
    }
    for (size_t c = 0; c < results->case_count; c++) {
        if (results->cases[c].workload == workload) {
            write_own_block(out, results, &results->cases[c], DETENT_INTEGRATOR_IDA);
            write_own_block(out, results, &results->cases[c], DETENT_INTEGRATOR_ERK);
        }
    }
    for (size_t k = 0; k < results->peer_count; k++) {
        if (!strcmp(results->peers[k].workload, workload->name) && !results->peers[k].reason[0] &&
            is_first(results, k)) {
            write_peer_block(out, results, &results->peers[k]);
        }
    }
    return !fclose(out);
}

static void write_growth_block(FILE *out, const bench_results *results,
                               const bench_workload *workload, detent_integrator integrator,
                               double rtol)
{
    const bench_growth growth = bench_fit_growth(results, workload, integrator, rtol);
    const char *by = bench_integrator_name(integrator);
    if (isnan(growth.cpu)) {
        return;
    }
    fprintf(out, "\"%s, %s: n^{%.2f}\" \"%s, %s: ", workload->name, by, growth.cpu, workload->name,
            by);
    fprintf(out, isnan(growth.cpu_per_event) ? "no events\"\n" : "n^{%.2f}\"\n",
            growth.cpu_per_event);
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        if (run->workload == workload && run->integrator == integrator && run->rtol == rtol &&
            !run->status && run->n >= 10) {
            fprintf(out, "%zu %.6g ", run->n, run->cpu);
            fprintf(out,
                    run->statistics.events && workload->compared != BENCH_MOVEMENT ? "%.6g\n"
                                                                                   : "NaN\n",
                    run->cpu / (double)run->statistics.events);
        }
    }
    fprintf(out, "\n\n");
}

bool bench_write_plots(const char *folder, const bench_results *results)
{
    bool good = true;
    double rtol = NAN;
    for (size_t k = 0; k < results->run_count; k++) {
        const double other = results->runs[k].rtol;
        if (isnan(rtol) || fabs(log10(other) + 7) < fabs(log10(rtol) + 7)) {
            rtol = other;
        }
    }
    FILE *out = open_in(folder, "growth", "", "w");
    if (!out) {
        return false;
    }
    for (size_t k = 0; k < bench_workload_count; k++) {
        const bench_workload *workload = &bench_workloads[k];
        write_growth_block(out, results, workload, DETENT_INTEGRATOR_IDA, rtol);
        write_growth_block(out, results, workload, DETENT_INTEGRATOR_ERK, rtol);
        for (size_t c = 0; c < results->case_count; c++) {
            if (results->cases[c].workload == workload && workload->compared != BENCH_MOVEMENT) {
                good = write_precision(folder, results, workload) && good;
                break;
            }
        }
    }
    good = !fclose(out) && good;
    if (results->dynamics_count) {
        out = open_in(folder, "dynamics", "", "w");
        good = out && bench_write_dynamics_plot(out, results) && good;
        good = out && !fclose(out) && good;
    }
    return good;
}
