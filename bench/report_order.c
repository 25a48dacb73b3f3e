/* Orders of steps of fixed length in the reports. */

#include "report.h"
#include "report_text.h"

void bench_print_order(FILE *out, const bench_order *o)
{
    if (o->status) {
        fprintf(out, "order %-15s %5zu: %s\n", o->workload->name, o->n, o->message);
        return;
    }
    fprintf(out, "order %-15s %5zu: %.2f; errors", o->workload->name, o->n, o->order);
    for (size_t k = 0; k < BENCH_ORDER_STEPS; k++) {
        fprintf(out, " %.1e", o->error[k]);
    }
    fprintf(out, " at steps of %.3g to %.3g ms; the event-driven runs agree to %.1e\n",
            1e3 * o->step[0], 1e3 * o->step[BENCH_ORDER_STEPS - 1], o->agreement);
}

static void write_row(FILE *out, const bench_order *o)
{
    if (o->status) {
        fprintf(out, "| `%s` | %zu | %s |\n", o->workload->name, o->n, o->message);
        return;
    }
    fprintf(out, "| `%s` | %zu | %.2f |", o->workload->name, o->n, o->order);
    for (size_t k = 0; k < BENCH_ORDER_STEPS; k++) {
        fprintf(out, " %.1e |", o->error[k]);
    }
    fprintf(out, " %.0e |\n", o->agreement);
}

void bench_write_orders_markdown(FILE *out, const bench_results *results)
{
    if (!results->order_count) {
        return;
    }
    fprintf(out, "\n## Orders of fixed steps\n\n"
                 "The mean over time of the largest error of the compared values, against the "
                 "event-driven run.\n\n| workload | n | order |");
    for (size_t k = 0; k < BENCH_ORDER_STEPS; k++) {
        fprintf(out, " %.3g ms |", 1e3 * results->orders[0].step[k]);
    }
    fprintf(out, " reference agrees to |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (size_t k = 0; k < results->order_count; k++) {
        write_row(out, &results->orders[k]);
    }
}

void bench_write_orders_json(FILE *out, const bench_results *results)
{
    fprintf(out, "\"orders\": [");
    for (size_t k = 0; k < results->order_count; k++) {
        const bench_order *o = &results->orders[k];
        fprintf(out, "%s\n  {\"workload\": \"%s\", \"n\": %zu, \"errors\": [", k ? "," : "",
                o->workload->name, o->n);
        for (size_t i = 0; i < BENCH_ORDER_STEPS; i++) {
            fprintf(out, "%s[%g, %g]", i ? ", " : "", o->step[i], o->error[i]);
        }
        fprintf(out, "]");
        bench_json_number(out, "order", o->order);
        bench_json_number(out, "reference_agreement", o->agreement);
        bench_json_text(out, "status", detent_status_text(o->status));
        fprintf(out, "}");
    }
    fprintf(out, "\n]");
}
