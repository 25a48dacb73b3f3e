/* Cost of time in which nothing moves, of a step, and set-up in the reports. */

#include "report.h"
#include "report_text.h"

#include <math.h>

/* ---- nothing moves ---- */

void bench_print_hold(FILE *out, const bench_hold *hold)
{
    if (hold->status) {
        fprintf(out, "hold %6zu %-4s %s\n", hold->n, bench_integrator_name(hold->integrator),
                hold->message);
        return;
    }
    fprintf(out,
            "hold, %5zu joints, %-4s 10 s: %7.1f us, %zu steps; 1,000 s: %7.1f us, %zu steps; "
            "ratio %.2f; largest movement %g\n",
            hold->n, bench_integrator_name(hold->integrator), 1e6 * hold->cpu[0], hold->steps[0],
            1e6 * hold->cpu[1], hold->steps[1], hold->cpu[1] / hold->cpu[0], hold->movement);
}

static void write_holds(FILE *out, const bench_results *results)
{
    if (!results->hold_count) {
        return;
    }
    fprintf(out, "\n## Simulated time in which nothing moves\n\n"
                 "| joints | by | 10 s: us | steps | 1,000 s: us | steps | ratio | largest "
                 "movement |\n|--:|---|--:|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->hold_count; k++) {
        const bench_hold *h = &results->holds[k];
        if (h->status) {
            fprintf(out, "| %zu | %s | %s |\n", h->n, bench_integrator_name(h->integrator),
                    h->message);
            continue;
        }
        fprintf(out, "| %zu | %s | %.1f | %zu | %.1f | %zu | %.2f | %g |\n", h->n,
                bench_integrator_name(h->integrator), 1e6 * h->cpu[0], h->steps[0], 1e6 * h->cpu[1],
                h->steps[1], h->cpu[1] / h->cpu[0], h->movement);
    }
}

static void json_holds(FILE *out, const bench_results *results)
{
    fprintf(out, "\"hold_time\": [");
    for (size_t k = 0; k < results->hold_count; k++) {
        const bench_hold *h = &results->holds[k];
        fprintf(out, "%s\n  {\"n\": %zu, \"integrator\": \"%s\", \"steps\": [%zu, %zu]",
                k ? "," : "", h->n, bench_integrator_name(h->integrator), h->steps[0], h->steps[1]);
        bench_json_number(out, "cpu_10_s", h->cpu[0]);
        bench_json_number(out, "cpu_1000_s", h->cpu[1]);
        bench_json_number(out, "ratio", h->cpu[1] / h->cpu[0]);
        bench_json_number(out, "movement", h->movement);
        bench_json_text(out, "status", detent_status_text(h->status));
        fprintf(out, "}");
    }
    fprintf(out, "\n]");
}

/* ---- cost of a step ---- */

double bench_step_ratio(const bench_results *results, const bench_step *step)
{
    for (size_t k = 0; k < results->step_count; k++) {
        const bench_step *small = &results->steps[k];
        if (small->n == 10 && small->integrator == step->integrator && !small->status) {
            return step->cpu / small->cpu;
        }
    }
    return NAN;
}

void bench_print_step(FILE *out, const bench_results *results, const bench_step *step)
{
    bench_cell ratio;
    if (step->status) {
        fprintf(out, "step %6zu %-4s %s\n", step->n, bench_integrator_name(step->integrator),
                step->message);
        return;
    }
    fprintf(out,
            "step, three of %6zu joints move, %-4s %8.2f us; over that of n = 10: %s; %zu "
            "steps, %zu events\n",
            step->n, bench_integrator_name(step->integrator), 1e6 * step->cpu,
            bench_number(ratio, "%.2f", bench_step_ratio(results, step)), step->steps,
            step->events);
}

static void write_steps(FILE *out, const bench_results *results)
{
    if (!results->step_count) {
        return;
    }
    fprintf(out, "\n## Cost of a step\n\n"
                 "Three joints move, always the same motion; all others hold. No events.\n\n"
                 "| joints | by | us a step | over that of 10 joints | steps | angle at the end, "
                 "rad |\n|--:|---|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->step_count; k++) {
        const bench_step *step = &results->steps[k];
        bench_cell ratio;
        if (step->status) {
            fprintf(out, "| %zu | %s | %s |\n", step->n, bench_integrator_name(step->integrator),
                    step->message);
            continue;
        }
        fprintf(out, "| %zu | %s | %.2f | %s | %zu | %.10f |\n", step->n,
                bench_integrator_name(step->integrator), 1e6 * step->cpu,
                bench_number(ratio, "%.2f", bench_step_ratio(results, step)), step->steps,
                step->angle);
    }
}

static void json_steps(FILE *out, const bench_results *results)
{
    fprintf(out, "\"step\": [");
    for (size_t k = 0; k < results->step_count; k++) {
        const bench_step *step = &results->steps[k];
        fprintf(out, "%s\n  {\"n\": %zu, \"integrator\": \"%s\", \"steps\": %zu, \"events\": %zu",
                k ? "," : "", step->n, bench_integrator_name(step->integrator), step->steps,
                step->events);
        bench_json_number(out, "cpu", step->cpu);
        bench_json_number(out, "ratio", bench_step_ratio(results, step));
        bench_json_text(out, "status", detent_status_text(step->status));
        fprintf(out, "}");
    }
    fprintf(out, "\n]");
}

/* ---- set-up ---- */

static double per_joint(const bench_setup *setup, detent_locked_joints locked)
{
    return (double)(setup->mechanism + setup->simulation[locked]) / (double)setup->n;
}

void bench_print_setup(FILE *out, const bench_setup *setup)
{
    if (setup->status) {
        fprintf(out, "set-up, %-11s %6zu: %s: %s\n", setup->name, setup->n,
                detent_status_text(setup->status), setup->message);
        return;
    }
    fprintf(out,
            "set-up, %-11s %6zu: reading %8.4f s, creating %8.4f s (weld) %8.4f s (constrain); "
            "bytes a joint: %.0f mechanism, %.0f in all (weld), %.0f (constrain)\n",
            setup->name, setup->n, setup->reading, setup->creating[DETENT_LOCKED_JOINTS_WELD],
            setup->creating[DETENT_LOCKED_JOINTS_CONSTRAIN],
            (double)setup->mechanism / (double)setup->n,
            per_joint(setup, DETENT_LOCKED_JOINTS_WELD),
            per_joint(setup, DETENT_LOCKED_JOINTS_CONSTRAIN));
}

static void write_setups(FILE *out, const bench_results *results)
{
    if (!results->setup_count) {
        return;
    }
    fprintf(out, "\n## Set-up\n\n"
                 "The hanging chain, as a chain and written out. Reading: with checking. Creating: "
                 "the simulation (IDA), with the first search.\n\n"
                 "| file | joints | file, bytes a joint | reading, s | creating, s: weld | "
                 "constrain | bytes a joint: mechanism | with simulation: weld | constrain |\n"
                 "|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->setup_count; k++) {
        const bench_setup *s = &results->setups[k];
        if (s->status) {
            fprintf(out, "| %s | %zu | %s: %s |\n", s->name, s->n, detent_status_text(s->status),
                    s->message);
            continue;
        }
        fprintf(out, "| %s | %zu | %.2g | %.4f | %.4f | %.4f | %.0f | %.0f | %.0f |\n", s->name,
                s->n, (double)s->file / (double)s->n, s->reading, s->creating[0], s->creating[1],
                (double)s->mechanism / (double)s->n, per_joint(s, DETENT_LOCKED_JOINTS_WELD),
                per_joint(s, DETENT_LOCKED_JOINTS_CONSTRAIN));
    }
}

static void json_setups(FILE *out, const bench_results *results)
{
    fprintf(out, "\"setup\": [");
    for (size_t k = 0; k < results->setup_count; k++) {
        const bench_setup *s = &results->setups[k];
        fprintf(out, "%s\n  {\"file\": \"%s\", \"n\": %zu, \"file_bytes\": %zu", k ? "," : "",
                s->name, s->n, s->file);
        bench_json_text(out, "status", detent_status_text(s->status));
        bench_json_number(out, "reading", s->reading);
        bench_json_number(out, "creating_weld", s->creating[0]);
        bench_json_number(out, "creating_constrain", s->creating[1]);
        fprintf(out,
                ", \"mechanism_bytes\": %zu, \"simulation_bytes_weld\": %zu, "
                "\"simulation_bytes_constrain\": %zu}",
                s->mechanism, s->simulation[0], s->simulation[1]);
    }
    fprintf(out, "\n]");
}

/* ---- all ---- */

void bench_write_micro_markdown(FILE *out, const bench_results *results)
{
    write_holds(out, results);
    write_steps(out, results);
    write_setups(out, results);
}

void bench_write_micro_json(FILE *out, const bench_results *results)
{
    json_holds(out, results);
    fprintf(out, ",\n");
    json_steps(out, results);
    fprintf(out, ",\n");
    json_setups(out, results);
}
