/* Forward dynamics and first searches in the reports. */

#include "report.h"
#include "report_text.h"

#include <math.h>
#include <string.h>

bool bench_is_dynamics(const char *workload)
{
    return !strncmp(workload, "dynamics-", strlen("dynamics-"));
}

/* ---- forward dynamics ---- */

static bool is_same(const bench_dynamics *dynamics, const bench_peer_run *peer)
{
    return !peer->reason[0] && dynamics->n == peer->n && !strcmp(dynamics->name, peer->workload);
}

void bench_judge_dynamics(bench_results *results, const bench_dynamics *dynamics)
{
    double largest = 0;
    for (size_t k = 0; k < dynamics->n && !dynamics->status; k++) {
        largest = fmax(largest, fabs(dynamics->accelerations[k]));
    }
    for (size_t k = 0; k < results->peer_count; k++) {
        bench_peer_run *peer = &results->peers[k];
        if (is_same(dynamics, peer) && largest > 0) {
            peer->error =
                bench_difference(peer->values, peer->count, dynamics->accelerations, dynamics->n) /
                largest;
        }
    }
}

void bench_print_dynamics(FILE *out, const bench_results *results, const bench_dynamics *dynamics)
{
    if (dynamics->status) {
        fprintf(out, "%-14s %6zu %s\n", dynamics->name, dynamics->n,
                detent_status_text(dynamics->status));
        return;
    }
    fprintf(out, "%-14s %6zu %9.2f us", dynamics->name, dynamics->n, 1e6 * dynamics->cpu);
    for (size_t k = 0; k < results->peer_count; k++) {
        if (is_same(dynamics, &results->peers[k])) {
            fprintf(out, "; %s x %.2f", results->peers[k].engine,
                    results->peers[k].cpu / dynamics->cpu);
        }
    }
    fprintf(out, "\n");
}

static void write_dynamics(FILE *out, const bench_results *results)
{
    if (!results->dynamics_count) {
        return;
    }
    fprintf(out, "\n## Forward dynamics\n\n"
                 "From angles and velocities to accelerations, once. Ratio: time over detent's. "
                 "Difference: of the accelerations from detent's, over the largest of them.\n\n"
                 "| mechanism | n | by | us | ratio | difference |\n|---|--:|---|--:|--:|--:|\n");
    for (size_t i = 0; i < results->dynamics_count; i++) {
        const bench_dynamics *d = &results->dynamics[i];
        const char *name = d->name + strlen("dynamics-");
        if (d->status) {
            fprintf(out, "| %s | %zu | detent | %s |\n", name, d->n, detent_status_text(d->status));
            continue;
        }
        fprintf(out, "| %s | %zu | detent, articulated body | %.2f | 1 | |\n", name, d->n,
                1e6 * d->cpu);
        for (size_t k = 0; k < results->peer_count; k++) {
            const bench_peer_run *peer = &results->peers[k];
            bench_cell error;
            if (is_same(d, peer)) {
                fprintf(out, "| %s | %zu | %s, %s | %.2f | %.2f | %s |\n", name, d->n, peer->engine,
                        peer->setting, 1e6 * peer->cpu, peer->cpu / d->cpu,
                        bench_error_text(error, peer->error));
            }
        }
    }
}

bool bench_write_dynamics_plot(FILE *out, const bench_results *results)
{
    static const char *const names[] = {"dynamics-chain", "dynamics-tree"};
    const char *engine = "detent";
    for (size_t colour = 1; engine; colour++) {
        const char *next = NULL;
        for (int dash = 0; dash < 2; dash++) {
            fprintf(out, "\"%s, %s\" %zu %d\n", engine, names[dash] + strlen("dynamics-"), colour,
                    dash + 1);
            for (size_t k = 0; k < results->dynamics_count && colour == 1; k++) {
                const bench_dynamics *d = &results->dynamics[k];
                if (!strcmp(d->name, names[dash]) && !d->status) {
                    fprintf(out, "%zu %.6g\n", d->n, d->cpu);
                }
            }
            for (size_t k = 0; k < results->peer_count; k++) {
                const bench_peer_run *peer = &results->peers[k];
                if (!strcmp(peer->engine, engine) && !strcmp(peer->workload, names[dash]) &&
                    !peer->reason[0]) {
                    fprintf(out, "%zu %.6g\n", peer->n, peer->cpu);
                }
            }
            fprintf(out, "\n\n");
        }
        /* The next engine that has any: lines of one engine stand together. */
        bool passed = colour == 1;
        for (size_t k = 0; k < results->peer_count && !next; k++) {
            const bench_peer_run *peer = &results->peers[k];
            if (!bench_is_dynamics(peer->workload) || peer->reason[0]) {
                continue;
            }
            if (!strcmp(peer->engine, engine)) {
                passed = true;
            } else if (passed) {
                next = peer->engine;
            }
        }
        engine = next;
    }
    return !ferror(out);
}

/* ---- first search ---- */

void bench_print_search(FILE *out, const bench_search *s)
{
    fprintf(out,
            "first search, %-15s n %6zu: %zu of %zu fail; %9.3f ms, at most %9.3f; solves %zu, at "
            "most %zu\n",
            s->name, s->n, s->failed, s->cases, 1e3 * s->cpu, 1e3 * s->most_cpu, s->solves,
            s->most_solves);
    if (s->failed) {
        fprintf(out, "  the first that fails: %s\n", s->message);
    }
}

static void write_searches(FILE *out, const bench_results *results)
{
    if (!results->search_count) {
        return;
    }
    fprintf(out, "\n## First search from rest\n\n"
                 "Everything locked, the search alone. Several load cases: median, most.\n\n"
                 "| mechanism | n | cases | failed | ms | most ms | solves | most solves | most "
                 "rounds | interior point | building it, ms |\n"
                 "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->search_count; k++) {
        const bench_search *s = &results->searches[k];
        fprintf(out, "| %s | %zu | %zu | %zu | %.3f | %.3f | %zu | %zu | %zu | %zu | %.1f |\n",
                s->name, s->n, s->cases, s->failed, 1e3 * s->cpu, 1e3 * s->most_cpu, s->solves,
                s->most_solves, s->most_rounds, s->interior_points, 1e3 * s->setup);
    }
}

/* ---- both ---- */

void bench_write_extras_markdown(FILE *out, const bench_results *results)
{
    write_dynamics(out, results);
    write_searches(out, results);
}

void bench_write_extras_json(FILE *out, const bench_results *results)
{
    fprintf(out, "\"dynamics\": [");
    for (size_t k = 0; k < results->dynamics_count; k++) {
        const bench_dynamics *d = &results->dynamics[k];
        fprintf(out, "%s\n  {\"mechanism\": \"%s\", \"n\": %zu", k ? "," : "", d->name, d->n);
        bench_json_text(out, "status", detent_status_text(d->status));
        bench_json_number(out, "cpu", d->cpu);
        fprintf(out, "}");
    }
    fprintf(out, "\n],\n\"first_search\": [");
    for (size_t k = 0; k < results->search_count; k++) {
        const bench_search *s = &results->searches[k];
        fprintf(out,
                "%s\n  {\"mechanism\": \"%s\", \"n\": %zu, \"cases\": %zu, \"failed\": %zu, "
                "\"solves\": %zu, \"most_solves\": %zu, \"most_rounds\": %zu, "
                "\"interior_points\": %zu",
                k ? "," : "", s->name, s->n, s->cases, s->failed, s->solves, s->most_solves,
                s->most_rounds, s->interior_points);
        bench_json_number(out, "cpu", s->cpu);
        bench_json_number(out, "most_cpu", s->most_cpu);
        bench_json_number(out, "setup", s->setup);
        bench_json_text(out, "message", s->message);
        fprintf(out, "}");
    }
    fprintf(out, "\n]");
}
