/* Other engines in the reports: an overview, every run, and what was not done, and why. */

#include "report.h"
#include "report_text.h"

#include <math.h>
#include <string.h>

static bool is_run(const bench_peer_run *peer)
{
    return !peer->reason[0] && !bench_is_dynamics(peer->workload) &&
           !bench_is_control(peer->workload);
}

static bool is_same_series(const bench_peer_run *a, const bench_peer_run *b)
{
    return a->n == b->n && !strcmp(a->workload, b->workload) && !strcmp(a->engine, b->engine) &&
           !strcmp(a->setting, b->setting);
}

static bool was_seen(const bench_results *results, size_t index)
{
    for (size_t k = 0; k < index; k++) {
        if (is_run(&results->peers[k]) &&
            is_same_series(&results->peers[k], &results->peers[index])) {
            return true;
        }
    }
    return false;
}

/* The cheapest of our runs that is at least as accurate; NULL if there is none. */
static const bench_run *rival(const bench_results *results, const bench_peer_run *peer)
{
    const bench_run *best = NULL;
    for (size_t k = 0; k < results->run_count; k++) {
        const bench_run *run = &results->runs[k];
        const double error =
            isnan(run->independent_error) ? run->own_error : run->independent_error;
        if (!run->status && run->n == peer->n && !strcmp(run->workload->name, peer->workload) &&
            error <= peer->error && (!best || run->cpu < best->cpu)) {
            best = run;
        }
    }
    return best;
}

static double ratio_of(const bench_results *results, const bench_peer_run *peer)
{
    const bench_run *run = rival(results, peer);
    return run ? peer->cpu / run->cpu : NAN;
}

/* One line a series: its errors and ratios from the cheapest run to the dearest. */
static void write_overview(FILE *out, const bench_results *results)
{
    fprintf(out,
            "\n| workload | n | engine | setting | error | ratio |\n|---|--:|---|---|--:|--:|\n");
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *first = &results->peers[k], *last = first;
        bench_cell error, last_error, ratio, last_ratio;
        if (!is_run(first) || was_seen(results, k)) {
            continue;
        }
        for (size_t i = k + 1; i < results->peer_count; i++) {
            if (is_run(&results->peers[i]) && is_same_series(first, &results->peers[i])) {
                last = &results->peers[i];
            }
        }
        fprintf(out, "| %s | %zu | %s | %s | %s", first->workload, first->n, first->engine,
                first->setting, bench_error_text(error, first->error));
        if (last != first) {
            fprintf(out, " … %s", bench_error_text(last_error, last->error));
        }
        fprintf(out, " | %s", bench_number(ratio, "%.3g", ratio_of(results, first)));
        if (last != first) {
            fprintf(out, " … %s", bench_number(last_ratio, "%.3g", ratio_of(results, last)));
        }
        fprintf(out, " |\n");
    }
}

static void write_runs(FILE *out, const bench_results *results)
{
    fprintf(out, "\n### Every run\n\n"
                 "| workload | n | engine | setting | step or accuracy | error | CPU ms | ratio | "
                 "detent's |\n|---|--:|---|---|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *peer = &results->peers[k];
        const bench_run *run = rival(results, peer);
        bench_cell error, ratio, rtol;
        if (is_run(peer)) {
            fprintf(out, "| %s | %zu | %s | %s | %.0e | %s | %.3f | %s | %s %s |\n", peer->workload,
                    peer->n, peer->engine, peer->setting, peer->dial,
                    bench_error_text(error, peer->error), 1e3 * peer->cpu,
                    bench_number(ratio, "%.3g", ratio_of(results, peer)),
                    run ? bench_integrator_name(run->integrator) : "",
                    bench_number(rtol, "%.0e", run ? run->rtol : NAN));
        }
    }
}

void bench_write_peers_markdown(FILE *out, const bench_results *results)
{
    if (!results->peer_count) {
        return;
    }
    fprintf(out, "\n## Other engines\n\n"
                 "Ratio: CPU of the engine over that of detent's cheapest run that is at least as "
                 "accurate. Cheapest … most accurate run of each series.\n");
    write_overview(out, results);
    write_runs(out, results);
    fprintf(out, "\n### Not done\n\n| workload | n | engine | setting | why |\n"
                 "|---|--:|---|---|---|\n");
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *peer = &results->peers[k];
        if (peer->reason[0] && peer->n) {
            fprintf(out, "| %s | %zu | %s | %s | %s |\n", peer->workload, peer->n, peer->engine,
                    peer->setting, peer->reason);
        } else if (peer->reason[0]) {
            fprintf(out, "| %s | all | %s | %s | %s |\n", peer->workload, peer->engine,
                    peer->setting, peer->reason);
        }
    }
}

void bench_write_peers_json(FILE *out, const bench_results *results)
{
    fprintf(out, "\"peers\": [\n");
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *peer = &results->peers[k];
        fprintf(out, "  {\"workload\": \"%s\", \"n\": %zu", peer->workload, peer->n);
        bench_json_text(out, "engine", peer->engine);
        bench_json_text(out, "setting", peer->setting);
        if (peer->reason[0]) {
            bench_json_text(out, "reason", peer->reason);
        } else {
            bench_json_number(out, "dial", peer->dial);
            bench_json_number(out, "cpu", peer->cpu);
            bench_json_number(out, "setup", peer->setup);
            bench_json_number(out, "error", peer->error);
            if (is_run(peer)) {
                bench_json_number(out, "ratio", ratio_of(results, peer));
            }
        }
        fprintf(out, k + 1 < results->peer_count ? "},\n" : "}\n");
    }
    fprintf(out, "]");
}
