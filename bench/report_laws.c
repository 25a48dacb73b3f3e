/* Cost of friction laws in the reports. */

#include "report.h"
#include "report_text.h"

#include <math.h>

static const char *by(const bench_law *law)
{
    return law->fixed ? "euler" : bench_integrator_name(law->integrator);
}

/* CPU over that of stiction, where that is cheapest. */
static double ratio(const bench_results *results, const bench_law *law)
{
    double least = NAN;
    for (size_t k = 0; k < results->law_count; k++) {
        const bench_law *other = &results->laws[k];
        const bool counts = other->is_measure && !other->status && other->reached;
        least = counts && !(other->cpu >= least) ? other->cpu : least;
    }
    return law->cpu / least;
}

void bench_print_law(FILE *out, const bench_results *results, const bench_law *law)
{
    if (law->status) {
        fprintf(out, "law %-13s %-6s %s\n", law->law, by(law), law->message);
        return;
    }
    fprintf(out,
            "law %-13s %-6s %s %8.2g: error %8.2g%s, %9.3f ms a second, %10.1f times stiction; %zu "
            "steps, "
            "%zu events; its reference agrees to %.1g\n",
            law->law, by(law), law->fixed ? "step" : "rtol", law->accuracy, law->error,
            law->reached ? "" : " (no less)", 1e3 * law->cpu, ratio(results, law), law->steps,
            law->events, law->agreement);
}

void bench_write_laws_markdown(FILE *out, const bench_results *results)
{
    if (!results->law_count) {
        return;
    }
    fprintf(
        out,
        "\n## Friction laws\n\n"
        "A mass drawn to and fro, to 1e-4 of the amplitude of each law's own converged run.\n\n"
        "| law | by | rtol or step, s | error | ms a simulated second | over stiction | steps | "
        "events |\n|---|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->law_count; k++) {
        const bench_law *law = &results->laws[k];
        if (law->status) {
            fprintf(out, "| %s | %s | %s |\n", law->law, by(law), law->message);
            continue;
        }
        fprintf(out, "| %s | %s | %.1e | %.1e%s | %.3f | %.1f | %zu | %zu |\n", law->law, by(law),
                law->accuracy, law->error, law->reached ? "" : " (no less)", 1e3 * law->cpu,
                ratio(results, law), law->steps, law->events);
    }
}

void bench_write_laws_json(FILE *out, const bench_results *results)
{
    fprintf(out, "\"laws\": [");
    for (size_t k = 0; k < results->law_count; k++) {
        const bench_law *law = &results->laws[k];
        fprintf(out,
                "%s\n  {\"law\": \"%s\", \"integrator\": \"%s\", \"steps\": %zu, \"events\": %zu",
                k ? "," : "", law->law, by(law), law->steps, law->events);
        bench_json_number(out, law->fixed ? "step" : "rtol", law->accuracy);
        bench_json_number(out, "error", law->error);
        bench_json_number(out, "reference_agreement", law->agreement);
        bench_json_number(out, "cpu_a_second", law->cpu);
        bench_json_number(out, "over_stiction", ratio(results, law));
        bench_json_text(out, "status", detent_status_text(law->status));
        fprintf(out, "}");
    }
    fprintf(out, "\n]");
}
