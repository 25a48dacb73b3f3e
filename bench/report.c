#include "report.h"

#include <math.h>
#include <string.h>

/* ---- growth ---- */

enum { MOST_FITTED = 32 };

bench_growth bench_fit_growth(const bench_results *results, const bench_workload *workload,
                              detent_integrator integrator, double rtol)
{
    double n[MOST_FITTED], cpu[MOST_FITTED], per_event[MOST_FITTED], events[MOST_FITTED];
    size_t count = 0;
    for (size_t k = 0; k < results->run_count && count < MOST_FITTED; k++) {
        const bench_run *run = &results->runs[k];
        if (run->workload == workload && run->integrator == integrator && run->rtol == rtol &&
            !run->status && run->n >= 10) {
            n[count] = (double)run->n;
            cpu[count] = run->cpu;
            events[count] = (double)run->statistics.events;
            per_event[count] = run->statistics.events && workload->compared != BENCH_MOVEMENT
                                   ? run->cpu / events[count]
                                   : 0;
            count++;
        }
    }
    return (bench_growth){.sizes = count,
                          .cpu = bench_exponent(n, cpu, count),
                          .cpu_per_event = bench_exponent(n, per_event, count),
                          .events = bench_exponent(n, events, count)};
}

/* The rtol whose growth is told: the one nearest to 1e-7 that was run. */
static double usual_rtol(const bench_results *results)
{
    double best = NAN;
    for (size_t k = 0; k < results->run_count; k++) {
        const double rtol = results->runs[k].rtol;
        if (isnan(best) || fabs(log10(rtol) + 7) < fabs(log10(best) + 7)) {
            best = rtol;
        }
    }
    return best;
}

/* ---- text ---- */

/* "-" where there is no number. Several results live at once: the caller brings the memory. */
typedef char cell[24];

static const char *number(cell text, const char *format, double value)
{
    if (isnan(value)) {
        return "-";
    }
    snprintf(text, sizeof(cell), format, value);
    return text;
}

static const char *error_text(cell text, double error)
{
    return error == 0 ? "0" : number(text, "%.1e", error);
}

void bench_print_header(FILE *out)
{
    fprintf(out, "%-13s %5s %3s %6s %10s %9s %8s %8s %8s %7s %7s %7s %7s\n", "workload", "n", "by",
            "rtol", "CPU ms", "set-up ms", "error", "indep.", "steps", "events", "search", "solves",
            "kB/n");
}

void bench_print_run(FILE *out, const bench_run *run)
{
    cell own, independent;
    if (run->status) {
        fprintf(out, "%-13s %5zu %3s %6.0e %s: %s\n", run->workload->name, run->n,
                bench_integrator_name(run->integrator), run->rtol, detent_status_text(run->status),
                run->message);
        return;
    }
    fprintf(out, "%-13s %5zu %3s %6.0e %10.3f %9.3f %8s %8s %8zu %7zu %7zu %7zu %7.2f\n",
            run->workload->name, run->n, bench_integrator_name(run->integrator), run->rtol,
            1e3 * run->cpu, 1e3 * run->setup, error_text(own, run->own_error),
            error_text(independent, run->independent_error), run->statistics.steps,
            run->statistics.events, run->statistics.searches, run->statistics.search_solves,
            1e-3 * (double)run->memory / (double)run->n);
}

void bench_print_growth(FILE *out, const bench_results *results)
{
    const double rtol = usual_rtol(results);
    for (size_t k = 0; k < 2 * bench_workload_count; k++) {
        const bench_workload *workload = &bench_workloads[k / 2];
        const detent_integrator integrator = k % 2 ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA;
        const bench_growth growth = bench_fit_growth(results, workload, integrator, rtol);
        cell cpu, per_event, events;
        if (!isnan(growth.cpu)) {
            fprintf(out, "%-13s %s, rtol %.0e: CPU ~ n^%s, per event ~ n^%s, events ~ n^%s\n",
                    workload->name, bench_integrator_name(integrator), rtol,
                    number(cpu, "%.2f", growth.cpu),
                    number(per_event, "%.2f", growth.cpu_per_event),
                    number(events, "%.2f", growth.events));
        }
    }
}

/* ---- Markdown ---- */

static void write_agreement(FILE *out, const bench_case *c)
{
    cell own, independent;
    fprintf(out, "n = %zu: own %s, independent %s. ", c->n, error_text(own, c->own_agreement),
            error_text(independent, c->independent_agreement));
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
        cell own, independent;
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
            1e3 * run->setup, error_text(own, run->own_error),
            error_text(independent, run->independent_error), s->steps, s->events, s->searches,
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

static void write_peers(FILE *out, const bench_results *results)
{
    if (!results->peer_count) {
        return;
    }
    fprintf(out,
            "\n## Other engines\n\n"
            "CPU of the engine over that of detent's cheapest run that is at least as accurate.\n\n"
            "| workload | n | engine | setting | step or accuracy | error | CPU ms | ratio | "
            "detent's |\n|---|--:|---|---|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *peer = &results->peers[k];
        const bench_run *run = rival(results, peer);
        cell error, ratio, rtol;
        const char *by = run ? bench_integrator_name(run->integrator) : "";
        if (peer->reason[0]) {
            fprintf(out, "| %s | %zu | %s | %s | | cannot: %s |\n", peer->workload, peer->n,
                    peer->engine, peer->setting, peer->reason);
            continue;
        }
        fprintf(out, "| %s | %zu | %s | %s | %.0e | %s | %.3f | %s | %s %s |\n", peer->workload,
                peer->n, peer->engine, peer->setting, peer->dial, error_text(error, peer->error),
                1e3 * peer->cpu, number(ratio, "%.2f", run ? peer->cpu / run->cpu : NAN), by,
                number(rtol, "%.0e", run ? run->rtol : NAN));
    }
}

void bench_write_markdown(FILE *out, const bench_results *results)
{
    const double rtol = usual_rtol(results);
    fprintf(out,
            "# Benchmark\n\n"
            "detent %s. CPU: of the process, one thread, median of the repeats; the run without "
            "set-up. Error: largest distance of the compared values (rad or m) from our own "
            "converged run, and from an independent program's. See docs/benchmark.md.\n\n"
            "## Growth with n (rtol %.0e, n >= 10)\n\n"
            "| workload | by | sizes | CPU | CPU per event | events |\n|---|---|--:|--:|--:|--:|\n",
            detent_version(), rtol);
    for (size_t k = 0; k < 2 * bench_workload_count; k++) {
        const bench_workload *workload = &bench_workloads[k / 2];
        const detent_integrator integrator = k % 2 ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA;
        const bench_growth growth = bench_fit_growth(results, workload, integrator, rtol);
        cell cpu, per_event, events;
        if (!isnan(growth.cpu)) {
            fprintf(out, "| %s | %s | %zu | n^%s | n^%s | n^%s |\n", workload->name,
                    bench_integrator_name(integrator), growth.sizes,
                    number(cpu, "%.2f", growth.cpu),
                    number(per_event, "%.2f", growth.cpu_per_event),
                    number(events, "%.2f", growth.events));
        }
    }
    write_peers(out, results);
    for (size_t k = 0; k < bench_workload_count; k++) {
        if (was_run(results, &bench_workloads[k])) {
            write_workload(out, results, &bench_workloads[k]);
        }
    }
}

/* ---- JSON ---- */

static void json_number(FILE *out, const char *key, double value)
{
    if (isfinite(value)) {
        fprintf(out, ", \"%s\": %.6g", key, value);
    } else {
        fprintf(out, ", \"%s\": null", key);
    }
}

static void json_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": \"", key);
    for (; *text; text++) {
        if ((unsigned char)*text < ' ') {
            fputc(' ', out);
        } else {
            fprintf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
        }
    }
    fputc('"', out);
}

static void json_run(FILE *out, const bench_run *run)
{
    const detent_statistics *s = &run->statistics;
    fprintf(out, "  {\"workload\": \"%s\", \"n\": %zu, \"integrator\": \"%s\", \"rtol\": %g",
            run->workload->name, run->n, bench_integrator_name(run->integrator), run->rtol);
    json_text(out, "status", detent_status_text(run->status));
    if (run->status) {
        json_text(out, "message", run->message);
    } else {
        json_number(out, "cpu", run->cpu);
        json_number(out, "setup", run->setup);
        json_number(out, "error", run->own_error);
        json_number(out, "independent_error", run->independent_error);
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

static void json_peer(FILE *out, const bench_peer_run *peer)
{
    fprintf(out, "  {\"workload\": \"%s\", \"n\": %zu", peer->workload, peer->n);
    json_text(out, "engine", peer->engine);
    json_text(out, "setting", peer->setting);
    if (peer->reason[0]) {
        json_text(out, "reason", peer->reason);
    } else {
        json_number(out, "dial", peer->dial);
        json_number(out, "cpu", peer->cpu);
        json_number(out, "setup", peer->setup);
        json_number(out, "error", peer->error);
    }
    fprintf(out, "}");
}

static void json_growth(FILE *out, const bench_results *results)
{
    const double rtol = usual_rtol(results);
    const char *separator = "";
    fprintf(out, "\"growth\": [");
    for (size_t k = 0; k < 2 * bench_workload_count; k++) {
        const bench_workload *workload = &bench_workloads[k / 2];
        const detent_integrator integrator = k % 2 ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA;
        const bench_growth growth = bench_fit_growth(results, workload, integrator, rtol);
        if (!isnan(growth.cpu)) {
            fprintf(out, "%s\n  {\"workload\": \"%s\", \"integrator\": \"%s\", \"rtol\": %g",
                    separator, workload->name, bench_integrator_name(integrator), rtol);
            json_number(out, "cpu", growth.cpu);
            json_number(out, "cpu_per_event", growth.cpu_per_event);
            json_number(out, "events", growth.events);
            fprintf(out, "}");
            separator = ",";
        }
    }
    fprintf(out, "\n]");
}

void bench_write_json(FILE *out, const bench_results *results)
{
    fprintf(out, "{\"version\": \"%s\",\n\"references\": [", detent_version());
    for (size_t k = 0; k < results->case_count; k++) {
        const bench_case *c = &results->cases[k];
        fprintf(out, "%s\n  {\"workload\": \"%s\", \"n\": %zu", k ? "," : "", c->workload->name,
                c->n);
        json_number(out, "own_agreement", c->own_agreement);
        json_number(out, "independent_agreement", c->independent_agreement);
        fprintf(out, "}");
    }
    fprintf(out, "\n],\n\"runs\": [\n");
    for (size_t k = 0; k < results->run_count; k++) {
        json_run(out, &results->runs[k]);
        fprintf(out, k + 1 < results->run_count ? ",\n" : "\n");
    }
    fprintf(out, "],\n\"peers\": [\n");
    for (size_t k = 0; k < results->peer_count; k++) {
        json_peer(out, &results->peers[k]);
        fprintf(out, k + 1 < results->peer_count ? ",\n" : "\n");
    }
    fprintf(out, "],\n");
    json_growth(out, results);
    fprintf(out, "}\n");
}
