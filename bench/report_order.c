/* Orders of steps of fixed length in the reports. */

#include "report.h"
#include "report_text.h"

void bench_print_order(FILE *out, const bench_order *o)
{
    if (o->status) {
        fprintf(out, "order %-15s %5zu: %s\n", o->workload->name, o->n, o->message);
        return;
    }
    fprintf(out,
            "order %-15s %5zu: %.2f; error %.1e at steps of %.3g ms, %.1e at %.3g ms; the "
            "event-driven runs agree to %.1e\n",
            o->workload->name, o->n, o->order, o->most, 1e3 * o->longest, o->least,
            1e3 * o->shortest, o->agreement);
}

void bench_write_orders_markdown(FILE *out, const bench_results *results)
{
    if (!results->order_count) {
        return;
    }
    fprintf(out, "\n## Orders of fixed steps\n\n"
                 "The mean over time of the largest error of the compared values, against the "
                 "event-driven run.\n\n"
                 "| workload | n | order | steps, ms | errors | reference agrees to |\n"
                 "|---|--:|--:|---|---|--:|\n");
    for (size_t k = 0; k < results->order_count; k++) {
        const bench_order *o = &results->orders[k];
        if (o->status) {
            fprintf(out, "| %s | %zu | %s |\n", o->workload->name, o->n, o->message);
            continue;
        }
        fprintf(out, "| %s | %zu | %.2f | %.3g to %.3g | %.1e to %.1e | %.1e |\n",
                o->workload->name, o->n, o->order, 1e3 * o->longest, 1e3 * o->shortest, o->most,
                o->least, o->agreement);
    }
}

void bench_write_orders_json(FILE *out, const bench_results *results)
{
    fprintf(out, "\"orders\": [");
    for (size_t k = 0; k < results->order_count; k++) {
        const bench_order *o = &results->orders[k];
        fprintf(out, "%s\n  {\"workload\": \"%s\", \"n\": %zu", k ? "," : "", o->workload->name,
                o->n);
        bench_json_number(out, "order", o->order);
        bench_json_number(out, "longest", o->longest);
        bench_json_number(out, "shortest", o->shortest);
        bench_json_number(out, "most", o->most);
        bench_json_number(out, "least", o->least);
        bench_json_number(out, "reference_agreement", o->agreement);
        bench_json_text(out, "status", detent_status_text(o->status));
        fprintf(out, "}");
    }
    fprintf(out, "\n]");
}
