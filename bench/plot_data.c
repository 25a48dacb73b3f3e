/* Data for gnuplot: blocks separated by two empty lines. The first line of a block holds the name of the
 * curve in quotes, then the place of its size among those of the workload and its mark and dash (one for
 * each program; colours are given by bench/plot.gp). bench/plot.gp draws them. */

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
    static const char *const marks[BENCH_INTEGRATORS] = {"7 1", "9 1", "4 4"};
    bool begun = false;
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        if (run->workload == c->workload && run->n == c->n && run->integrator == integrator &&
            !run->status && error_of(run) > 0) {
            if (!begun) {
                fprintf(out, "\"detent, %s, n = %zu\" %zu %s\n", bench_integrator_name(integrator),
                        c->n, colour_of(c->workload, c->n), marks[integrator]);
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
            for (int k = 0; k < BENCH_INTEGRATORS; k++) {
                write_own_block(out, results, &results->cases[c], (detent_integrator)k);
            }
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

/* A curve: name, then its colour (one for each workload) and its dash (one for each integrator). */
static void write_growth_block(FILE *out, const bench_growth *growth, bool per_event)
{
    static const int dashes[BENCH_INTEGRATORS] = {2, 1, 3};
    fprintf(out, "\"%s, %s: n^{%.2f}\" %d %d\n", growth->workload->name,
            bench_integrator_name(growth->integrator),
            per_event ? growth->cpu_per_event : growth->cpu,
            (int)(growth->workload - bench_workloads) % 8 + 1, dashes[growth->integrator]);
    for (size_t k = 0; k < growth->sizes; k++) {
        const bench_run *run = growth->runs[k];
        fprintf(out, "%zu %.6g\n", run->n, per_event ? bench_cpu_per_event(run) : run->cpu);
    }
    fprintf(out, "\n\n");
}

static bool write_growth(const char *folder, const bench_results *results, bool per_event)
{
    FILE *out = open_in(folder, per_event ? "growth-event" : "growth", "", "w");
    if (!out) {
        return false;
    }
    for (size_t k = 0; k < BENCH_INTEGRATORS * bench_workload_count; k++) {
        const bench_growth growth =
            bench_fit_growth(results, &bench_workloads[k / BENCH_INTEGRATORS],
                             (detent_integrator)(k % BENCH_INTEGRATORS));
        if (!isnan(per_event ? growth.cpu_per_event : growth.cpu)) {
            write_growth_block(out, &growth, per_event);
        }
    }
    return !fclose(out);
}

bool bench_write_plots(const char *folder, const bench_results *results)
{
    bool good = write_growth(folder, results, false);
    good = write_growth(folder, results, true) && good;
    for (size_t k = 0; k < bench_workload_count; k++) {
        const bench_workload *workload = &bench_workloads[k];
        for (size_t c = 0; c < results->case_count; c++) {
            if (results->cases[c].workload == workload && workload->compared != BENCH_MOVEMENT) {
                good = write_precision(folder, results, workload) && good;
                break;
            }
        }
    }
    if (results->dynamics_count) {
        FILE *out = open_in(folder, "dynamics", "", "w");
        good = out && bench_write_dynamics_plot(out, results) && good;
        good = out && !fclose(out) && good;
    }
    return good;
}
