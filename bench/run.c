/* The benchmark: every workload in every size at every tolerance, held against references. A client
 * of the public header like any other. */

#include "control.h"
#include "options.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One more of an array; ends the program where there is no memory. */
static void *grow(void *array, size_t count, size_t size)
{
    void *longer = realloc(array, (count + 1) * size);
    if (!longer) {
        fprintf(stderr, "detent-bench: no memory\n");
        exit(1);
    }
    return longer;
}

/* Whether a size is run with that integrator at that rtol. */
static bool is_within(const bench_options *o, const bench_workload *workload, size_t n,
                      detent_integrator integrator, double rtol)
{
    const bench_limit *limit = o->rtols_given ? NULL : bench_find_limit(workload, n);
    const double smallest = !limit                                ? 0
                            : integrator == DETENT_INTEGRATOR_IDA ? limit->ida_rtol
                                                                  : limit->rtol;
    const bool some = !limit || smallest > 0;
    if (!o->rtols_given && workload->only_rtol > 0 && rtol != workload->only_rtol) {
        return false;
    }
    return o->integrators[integrator] && some && rtol >= smallest * (1 - 1e-9);
}

static void run_one(bench_results *results, const bench_options *o, const bench_workload *workload,
                    size_t n, detent_integrator integrator, double rtol,
                    const bench_reference *reference)
{
    results->runs = grow(results->runs, results->run_count, sizeof *results->runs);
    bench_run *run = &results->runs[results->run_count++];
    bench_measure(run, workload, n, rtol, integrator, o->budget, 15);
    bench_judge(run, reference);
    bench_print_run(stdout, run);
    fflush(stdout);
}

static void run_case(bench_results *results, const bench_options *o, const bench_workload *workload,
                     size_t n)
{
    bench_reference reference =
        bench_find_reference(workload, n, o->own, DETENT_SOURCE_DIR "/bench/reference/values.json");
    results->cases = grow(results->cases, results->case_count, sizeof *results->cases);
    bench_case *c = &results->cases[results->case_count++];
    *c = (bench_case){workload, n, reference.own_agreement, reference.independent_agreement, ""};
    memcpy(c->how, reference.how, sizeof c->how);
    for (size_t k = 0; k < BENCH_INTEGRATORS * o->rtol_count; k++) {
        const detent_integrator integrator = (detent_integrator)(k / o->rtol_count);
        const double rtol = o->rtols[k % o->rtol_count];
        if (is_within(o, workload, n, integrator, rtol)) {
            run_one(results, o, workload, n, integrator, rtol, &reference);
        }
    }
    for (size_t k = 0; k < 2 && o->fixed; k++) {
        static const double steps[] = {1e-3, 1e-4};
        run_one(results, o, workload, n, DETENT_INTEGRATOR_FIXED, steps[k], &reference);
    }
    bench_judge_peers(results->peers, results->peer_count, workload, n, &reference);
    bench_reference_free(&reference);
}

static void run_one_dynamics(bench_results *results, const char *name, size_t n)
{
    results->dynamics = grow(results->dynamics, results->dynamics_count, sizeof *results->dynamics);
    bench_dynamics *dynamics = &results->dynamics[results->dynamics_count++];
    bench_measure_dynamics(dynamics, name, n);
    bench_judge_dynamics(results, dynamics);
    bench_print_dynamics(stdout, results, dynamics);
    fflush(stdout);
}

static void run_dynamics(bench_results *results, const bench_options *o)
{
    static const size_t sizes[] = {7, 30, 100, 1000};
    static const char *const names[] = {"dynamics-chain", "dynamics-tree"};
    for (size_t k = 0; k < 8; k++) {
        if (bench_is_wanted(o, 1000, sizes[k % 4])) {
            run_one_dynamics(results, names[k / 4], sizes[k % 4]);
        }
    }
}

/* Twenty load cases of 100,000 joints take minutes: on request only. */
static void run_searches(bench_results *results, const bench_options *o)
{
    static const size_t sizes[] = {1000, 10000, 100000};
    for (int k = 0; k < 3 * BENCH_SEARCHES; k++) {
        const int kind = k % BENCH_SEARCHES;
        const size_t n = sizes[k / BENCH_SEARCHES];
        if (bench_is_wanted(o, kind == BENCH_SEARCHES - 1 ? 10000 : 100000, n)) {
            results->searches =
                grow(results->searches, results->search_count, sizeof *results->searches);
            bench_search *search = &results->searches[results->search_count++];
            bench_measure_search(search, kind, n);
            bench_print_search(stdout, search);
            fflush(stdout);
        }
    }
}

static void run_steps(bench_results *results, const bench_options *o)
{
    static const size_t sizes[] = {10, 100, 1000, 10000};
    for (size_t k = 0; k < 4 * BENCH_INTEGRATORS; k++) {
        const detent_integrator integrator = (detent_integrator)(k / 4);
        if (o->integrators[integrator] && bench_is_wanted(o, 10000, sizes[k % 4])) {
            results->steps = grow(results->steps, results->step_count, sizeof *results->steps);
            bench_step *step = &results->steps[results->step_count++];
            bench_measure_step(step, sizes[k % 4], integrator);
            bench_print_step(stdout, results, step);
            fflush(stdout);
        }
    }
}

static void run_holds(bench_results *results, const bench_options *o)
{
    static const size_t sizes[] = {10, 30, 300, 3000};
    for (size_t k = 0; k < 4 * BENCH_INTEGRATORS; k++) {
        const detent_integrator integrator = (detent_integrator)(k / 4);
        if (o->integrators[integrator] && bench_is_wanted(o, 3000, sizes[k % 4])) {
            results->holds = grow(results->holds, results->hold_count, sizeof *results->holds);
            bench_hold *hold = &results->holds[results->hold_count++];
            bench_measure_hold(hold, sizes[k % 4], integrator);
            bench_print_hold(stdout, hold);
            fflush(stdout);
        }
    }
}

static void run_setups(bench_results *results, const bench_options *o)
{
    static const size_t sizes[] = {1000, 10000, 100000};
    for (int k = 0; k < 3 * BENCH_SETUPS; k++) {
        if (bench_is_wanted(o, 100000, sizes[k % 3])) {
            results->setups = grow(results->setups, results->setup_count, sizeof *results->setups);
            bench_setup *setup = &results->setups[results->setup_count++];
            bench_measure_setup(setup, k / 3, sizes[k % 3]);
            bench_print_setup(stdout, setup);
            fflush(stdout);
        }
    }
}

static void run_laws(bench_results *results, const bench_options *o)
{
    (void)o;
    for (int k = 0; k < BENCH_LAWS; k++) {
        results->laws = grow(results->laws, results->law_count, sizeof *results->laws);
        bench_law *law = &results->laws[results->law_count++];
        bench_measure_law(law, k);
        bench_print_law(stdout, results, law);
        fflush(stdout);
    }
}

/* Where nothing moves there is no error. */
static void run_orders(bench_results *results, const bench_options *o)
{
    for (size_t k = 0; k < bench_workload_count; k++) {
        const bench_workload *workload = &bench_workloads[k];
        if (workload->compared != BENCH_MOVEMENT &&
            bench_is_wanted(o, workload->usual, workload->sizes[0])) {
            results->orders = grow(results->orders, results->order_count, sizeof *results->orders);
            bench_order *order = &results->orders[results->order_count++];
            bench_measure_order(order, workload);
            bench_print_order(stdout, order);
            fflush(stdout);
        }
    }
}

static void run_controls(bench_results *results, const bench_options *o)
{
    (void)o;
    run_one_dynamics(results, "dynamics-arm", BENCH_CONTROL_JOINTS);
    for (int k = 0; k < BENCH_CONTROLS; k++) {
        results->controls =
            grow(results->controls, results->control_count, sizeof *results->controls);
        bench_control *control = &results->controls[results->control_count];
        results->control_count++;
        bench_measure_control(control, k);
        bench_judge_control(results);
        bench_print_control(stdout, results, control);
        fflush(stdout);
    }
}

static void run_workloads(bench_results *results, const bench_options *o)
{
    if (o->workload_count) {
        bench_print_header(stdout);
    }
    for (size_t k = 0; k < o->workload_count; k++) {
        const bench_workload *workload = o->workloads[k];
        for (size_t i = 0; i < BENCH_MOST_SIZES && workload->sizes[i]; i++) {
            if (bench_is_wanted(o, workload->usual, workload->sizes[i])) {
                run_case(results, o, workload, workload->sizes[i]);
            }
        }
    }
    bench_print_growth(stdout, results);
    bench_print_defaults(stdout, results);
}

static void run_micros(bench_results *results, const bench_options *o)
{
    static void (*const runs[BENCH_MICRO_COUNT])(bench_results *, const bench_options *) = {
        run_dynamics, run_searches, run_holds,    run_steps,
        run_setups,   run_laws,     run_controls, run_orders};
    for (size_t k = 0; k < BENCH_MICRO_COUNT; k++) {
        if (o->micro[k]) {
            runs[k](results, o);
        }
    }
}

static bool write_file(const char *path, const bench_results *results,
                       void (*write)(FILE *, const bench_results *))
{
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        write(file, results);
    }
    if (path && (!file || fclose(file))) {
        fprintf(stderr, "detent-bench: %s cannot be written\n", path);
        return false;
    }
    return true;
}

/* Frees them; whether all of them reached their end. */
static bool close_results(bench_results *results)
{
    bool good = true;
    for (size_t k = 0; k < results->run_count; k++) {
        good = good && !results->runs[k].status;
        bench_run_free(&results->runs[k]);
    }
    for (size_t k = 0; k < results->dynamics_count; k++) {
        good = good && !results->dynamics[k].status;
        free(results->dynamics[k].accelerations);
    }
    for (size_t k = 0; k < results->search_count; k++) {
        good = good && !results->searches[k].failed;
    }
    for (size_t k = 0; k < results->hold_count; k++) {
        good = good && !results->holds[k].status && results->holds[k].movement == 0;
    }
    for (size_t k = 0; k < results->step_count; k++) {
        good = good && !results->steps[k].status && !results->steps[k].events;
    }
    for (size_t k = 0; k < results->setup_count; k++) {
        good = good && !results->setups[k].status;
    }
    for (size_t k = 0; k < results->law_count; k++) {
        good = good && !results->laws[k].status;
    }
    for (size_t k = 0; k < results->control_count; k++) {
        const bench_control *c = &results->controls[k];
        good = good && !c->status && c->speed == 0 && !(c->creep > 0);
    }
    for (size_t k = 0; k < results->order_count; k++) {
        good = good && !results->orders[k].status;
    }
    free(results->orders);
    free(results->controls);
    free(results->laws);
    free(results->setups);
    free(results->steps);
    free(results->holds);
    free(results->dynamics);
    free(results->searches);
    free(results->runs);
    free(results->cases);
    bench_peers_free(results->peers, results->peer_count);
    return good;
}

int main(int count, char **arguments)
{
    bench_options o;
    bench_results results = {0};
    const int outcome = bench_read_options(&o, count, arguments);
    if (outcome >= 0) {
        return outcome;
    }
    if (o.peers) {
        results.peer_count = bench_read_peers(o.peers, &results.peers);
    }
    run_workloads(&results, &o);
    run_micros(&results, &o);
    bool good = write_file(o.json, &results, bench_write_json);
    good = write_file(o.markdown, &results, bench_write_markdown) && good;
    good = (!o.plots || bench_write_plots(o.plots, &results)) && good;
    good = close_results(&results) && good;
    return good ? 0 : 1;
}
