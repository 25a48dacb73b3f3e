/* The control loop in the reports: each row of ours and of other engines beside MuJoCo as it comes. */

#include "control.h"
#include "report.h"
#include "report_text.h"

#include <math.h>
#include <string.h>

/* A row, whoever made it. NAN where there is no figure. */
typedef struct line {
    char who[100], dial[32], reason[200];
    double moving, holding, error, held_error, creep;
} line;

bool bench_is_control(const char *workload)
{
    return !strncmp(workload, "control-", strlen("control-"));
}

/* ---- peers ---- */

void bench_judge_control(bench_results *results)
{
    for (size_t k = 0; k < results->peer_count; k++) {
        bench_peer_run *peer = &results->peers[k];
        const bool held = !strcmp(peer->workload, "control-holding");
        const double *reference = bench_control_reference(held);
        if (reference && (held || !strcmp(peer->workload, "control-moving"))) {
            peer->error = bench_difference(peer->values, peer->count, reference,
                                           held ? BENCH_CONTROL_JOINTS : BENCH_CONTROL_VALUES);
        }
    }
}

/* The line of that kind that belongs to another one; NULL if there is none. */
static const bench_peer_run *sibling(const bench_results *results, const bench_peer_run *peer,
                                     const char *workload)
{
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *other = &results->peers[k];
        if (!strcmp(other->workload, workload) && !strcmp(other->engine, peer->engine) &&
            !strcmp(other->setting, peer->setting) && other->dial == peer->dial) {
            return other;
        }
    }
    return NULL;
}

static line of_peer(const bench_results *results, const bench_peer_run *peer)
{
    const bench_peer_run *holding = sibling(results, peer, "control-holding"),
                         *creep = sibling(results, peer, "control-creep");
    line l = {.moving = peer->cpu,
              .holding = holding ? holding->cpu : NAN,
              .error = peer->error,
              .held_error = holding ? holding->error : NAN,
              .creep = creep && creep->count == 1 ? creep->values[0] : NAN};
    snprintf(l.who, sizeof l.who, "%s, %s", peer->engine, peer->setting);
    snprintf(l.dial, sizeof l.dial, "step %.2g s", peer->dial);
    snprintf(l.reason, sizeof l.reason, "%s", peer->reason);
    return l;
}

/* ---- rows ---- */

static line of_control(const bench_control *c)
{
    line l = {.moving = c->moving,
              .holding = c->holding,
              .error = c->error,
              .held_error = c->held_error,
              .creep = c->creep};
    snprintf(l.who, sizeof l.who, "detent, %s", bench_integrator_name(c->integrator));
    snprintf(l.dial, sizeof l.dial,
             c->integrator == DETENT_INTEGRATOR_FIXED ? "step %.2g s" : "rtol %.0e", c->dial);
    if (c->status) {
        snprintf(l.reason, sizeof l.reason, "%s", c->message);
    }
    return l;
}

/* MuJoCo as it comes, one step in a period: what others are measured by. NAN if it did not run. */
static line measure_of(const bench_results *results)
{
    for (size_t k = 0; k < results->peer_count; k++) {
        const bench_peer_run *peer = &results->peers[k];
        if (!peer->reason[0] && !strcmp(peer->workload, "control-moving") &&
            !strcmp(peer->engine, "MuJoCo") && !strcmp(peer->setting, "default") &&
            peer->dial == BENCH_CONTROL_PERIOD) {
            return of_peer(results, peer);
        }
    }
    return (line){.moving = NAN, .holding = NAN};
}

void bench_print_control(FILE *out, const bench_results *results, const bench_control *control)
{
    const line l = of_control(control), by = measure_of(results);
    bench_cell moving, holding, creep;
    if (control->status) {
        fprintf(out, "control %s, %s: %s\n", l.who, l.dial, l.reason);
        return;
    }
    fprintf(out,
            "control %s, %s: moving %7.2f us (x %s), holding %7.3f us (x %s); error %8.2g, held "
            "%8.2g, creep %s, speed %g; %zu steps, %zu events, %zu unsettled; its reference agrees "
            "to %.1g\n",
            l.who, l.dial, 1e6 * l.moving, bench_number(moving, "%.2f", l.moving / by.moving),
            1e6 * l.holding, bench_number(holding, "%.3f", l.holding / by.holding), l.error,
            l.held_error, bench_number(creep, "%g", l.creep), control->speed, control->steps,
            control->events, control->unsettled, control->agreement);
}

static void write_line(FILE *out, const line *l, const line *by)
{
    bench_cell moving, holding, error, held, creep, moving_ratio, holding_ratio;
    if (l->reason[0]) {
        fprintf(out, "| %s | %s | %s |\n", l->who, l->dial, l->reason);
        return;
    }
    fprintf(out, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", l->who, l->dial,
            bench_number(moving, "%.2f", 1e6 * l->moving),
            bench_number(moving_ratio, "%.2f", l->moving / by->moving),
            bench_number(holding, "%.3f", 1e6 * l->holding),
            bench_number(holding_ratio, "%.3f", l->holding / by->holding),
            bench_error_text(error, l->error), bench_error_text(held, l->held_error),
            bench_number(creep, "%.1e", l->creep));
}

void bench_write_control_markdown(FILE *out, const bench_results *results)
{
    if (!results->control_count) {
        return;
    }
    const line by = measure_of(results);
    fprintf(
        out,
        "\n## Control loop\n\n"
        "The arm under a controller of 1 kHz. Microseconds of a control step, and that over "
        "MuJoCo's as it comes; largest errors (rad) along the path and at the end of holding, "
        "from our own converged run (two of these agree to %.1e); creep (rad) in 1,000 s more.\n\n"
        "| by | | moving, us | ratio | holding, us | ratio | error | held | creep |\n"
        "|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
        results->controls[0].agreement);
    for (size_t k = 0; k < results->control_count; k++) {
        const line l = of_control(&results->controls[k]);
        write_line(out, &l, &by);
    }
    for (size_t k = 0; k < results->peer_count; k++) {
        if (!strcmp(results->peers[k].workload, "control-moving")) {
            const line l = of_peer(results, &results->peers[k]);
            write_line(out, &l, &by);
        }
    }
}

void bench_write_control_json(FILE *out, const bench_results *results)
{
    const line by = measure_of(results);
    fprintf(out, "\"control\": [");
    for (size_t k = 0; k < results->control_count; k++) {
        const bench_control *c = &results->controls[k];
        fprintf(out,
                "%s\n  {\"integrator\": \"%s\", \"steps\": %zu, \"events\": %zu, "
                "\"unsettled\": %zu",
                k ? "," : "", bench_integrator_name(c->integrator), c->steps, c->events,
                c->unsettled);
        bench_json_number(out, c->integrator == DETENT_INTEGRATOR_FIXED ? "step" : "rtol", c->dial);
        bench_json_number(out, "cpu_moving", c->moving);
        bench_json_number(out, "cpu_holding", c->holding);
        bench_json_number(out, "moving_over_mujoco", c->moving / by.moving);
        bench_json_number(out, "holding_over_mujoco", c->holding / by.holding);
        bench_json_number(out, "error", c->error);
        bench_json_number(out, "held_error", c->held_error);
        bench_json_number(out, "reference_agreement", c->agreement);
        bench_json_number(out, "creep", c->creep);
        bench_json_text(out, "status", detent_status_text(c->status));
        fprintf(out, "}");
    }
    fprintf(out, "\n]");
}
