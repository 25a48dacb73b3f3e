/* The benchmark: every workload in every size at every tolerance, held against references. A client
 * of the public header like any other. */

#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: detent-bench [OPTION]...\n"
    "  --workload NAME   only this one (may be given several times); --list names them; also\n"
    "                    dynamics (one evaluation) and first-search\n"
    "  --n N             only this size (several times); sizes above the usual ones need it\n"
    "  --most N          no size above this\n"
    "  --rtol R          only this relative tolerance (several times); default 1e-4 ... 1e-9\n"
    "  --integrator I    only ida or erk\n"
    "  --budget S        CPU seconds for repeats of one run, default 0.1\n"
    "  --no-own          no reference of our own at tight tolerances\n"
    "  --peers FILE      lines of bench/peers, see peer.h\n"
    "  --json FILE, --markdown FILE, --plots FOLDER\n";

enum { MOST_GIVEN = 16 };

typedef struct options {
    const bench_workload *workloads[MOST_GIVEN];
    size_t workload_count;
    size_t sizes[MOST_GIVEN], size_count, most;
    double rtols[MOST_GIVEN];
    size_t rtol_count;
    bool without[2]; /* by detent_integrator */
    double budget;
    bool own;
    bool dynamics, first_search;
    const char *peers, *json, *markdown, *plots;
} options;

static int fail(const char *what, const char *which)
{
    fprintf(stderr, "detent-bench: %s%s\n%s", what, which, usage);
    return 2;
}

static void list_workloads(void)
{
    for (size_t k = 0; k < bench_workload_count; k++) {
        const bench_workload *w = &bench_workloads[k];
        printf("%-14s %s; n =", w->name, w->title);
        for (size_t i = 0; w->sizes[i]; i++) {
            printf(w->sizes[i] > w->usual ? " (%zu)" : " %zu", w->sizes[i]);
        }
        printf("\n");
    }
}

/* Takes one option and its value; 0, or what main returns. */
static int take_option(options *o, const char *name, const char *value)
{
    if (!strcmp(name, "--workload") && !strcmp(value, "dynamics")) {
        o->dynamics = true;
    } else if (!strcmp(name, "--workload") && !strcmp(value, "first-search")) {
        o->first_search = true;
    } else if (!strcmp(name, "--workload") && o->workload_count < MOST_GIVEN) {
        o->workloads[o->workload_count] = bench_find_workload(value);
        return o->workloads[o->workload_count++] ? 0 : fail("no workload ", value);
    } else if (!strcmp(name, "--n") && o->size_count < MOST_GIVEN) {
        o->sizes[o->size_count++] = strtoul(value, NULL, 10);
    } else if (!strcmp(name, "--rtol") && o->rtol_count < MOST_GIVEN) {
        o->rtols[o->rtol_count++] = strtod(value, NULL);
    } else if (!strcmp(name, "--most")) {
        o->most = strtoul(value, NULL, 10);
    } else if (!strcmp(name, "--integrator") && (!strcmp(value, "ida") || !strcmp(value, "erk"))) {
        o->without[strcmp(value, "ida") ? DETENT_INTEGRATOR_IDA : DETENT_INTEGRATOR_ERK] = true;
    } else if (!strcmp(name, "--budget")) {
        o->budget = strtod(value, NULL);
    } else if (!strcmp(name, "--peers")) {
        o->peers = value;
    } else if (!strcmp(name, "--json")) {
        o->json = value;
    } else if (!strcmp(name, "--markdown")) {
        o->markdown = value;
    } else if (!strcmp(name, "--plots")) {
        o->plots = value;
    } else {
        return fail("what is ", name);
    }
    return 0;
}

static int read_options(options *o, int count, char **arguments)
{
    static const double usual[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    *o = (options){.most = (size_t)-1, .budget = 0.1, .own = true};
    for (int k = 1; k < count; k++) {
        if (!strcmp(arguments[k], "--no-own")) {
            o->own = false;
        } else if (k + 1 == count) {
            return fail("a value is missing after ", arguments[k]);
        } else {
            const int failed = take_option(o, arguments[k], arguments[k + 1]);
            if (failed) {
                return failed;
            }
            k++;
        }
    }
    if (!o->rtol_count) {
        memcpy(o->rtols, usual, sizeof usual);
        o->rtol_count = sizeof usual / sizeof *usual;
    }
    if (!o->workload_count && !o->dynamics && !o->first_search) {
        o->dynamics = o->first_search = true;
        for (size_t k = 0; k < bench_workload_count && k < MOST_GIVEN; k++) {
            o->workloads[o->workload_count++] = &bench_workloads[k];
        }
    }
    return 0;
}

static bool is_wanted(const options *o, size_t usual, size_t n)
{
    for (size_t k = 0; k < o->size_count; k++) {
        if (o->sizes[k] == n) {
            return true;
        }
    }
    return !o->size_count && n <= usual && n <= o->most;
}

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

static void run_case(bench_results *results, const options *o, const bench_workload *workload,
                     size_t n)
{
    bench_reference reference =
        bench_find_reference(workload, n, o->own, DETENT_SOURCE_DIR "/bench/reference/values.json");
    results->cases = grow(results->cases, results->case_count, sizeof *results->cases);
    results->cases[results->case_count++] =
        (bench_case){workload, n, reference.own_agreement, reference.independent_agreement};
    for (size_t k = 0; k < 2 * o->rtol_count; k++) {
        const detent_integrator integrator =
            k < o->rtol_count ? DETENT_INTEGRATOR_IDA : DETENT_INTEGRATOR_ERK;
        if (o->without[integrator]) {
            continue;
        }
        results->runs = grow(results->runs, results->run_count, sizeof *results->runs);
        bench_run *run = &results->runs[results->run_count++];
        bench_measure(run, workload, n, o->rtols[k % o->rtol_count], integrator, o->budget, 15);
        bench_judge(run, &reference);
        bench_print_run(stdout, run);
        fflush(stdout);
    }
    bench_judge_peers(results->peers, results->peer_count, workload, n, &reference);
    bench_reference_free(&reference);
}

static void run_dynamics(bench_results *results, const options *o)
{
    static const size_t sizes[] = {7, 30, 100, 1000};
    static const char *const names[] = {"dynamics-chain", "dynamics-tree"};
    for (size_t k = 0; k < 8; k++) {
        if (is_wanted(o, 1000, sizes[k % 4])) {
            results->dynamics =
                grow(results->dynamics, results->dynamics_count, sizeof *results->dynamics);
            bench_dynamics *dynamics = &results->dynamics[results->dynamics_count++];
            bench_measure_dynamics(dynamics, names[k / 4], sizes[k % 4]);
            bench_judge_dynamics(results, dynamics);
            bench_print_dynamics(stdout, results, dynamics);
            fflush(stdout);
        }
    }
}

/* Twenty load cases of 100,000 joints take minutes: on request only. */
static void run_searches(bench_results *results, const options *o)
{
    static const size_t sizes[] = {1000, 10000, 100000};
    for (int k = 0; k < 3 * BENCH_SEARCHES; k++) {
        const int kind = k % BENCH_SEARCHES;
        const size_t n = sizes[k / BENCH_SEARCHES];
        if (is_wanted(o, kind == BENCH_SEARCHES - 1 ? 10000 : 100000, n)) {
            results->searches =
                grow(results->searches, results->search_count, sizeof *results->searches);
            bench_search *search = &results->searches[results->search_count++];
            bench_measure_search(search, kind, n);
            bench_print_search(stdout, search);
            fflush(stdout);
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

int main(int count, char **arguments)
{
    options o;
    bench_results results = {0};
    if (count == 2 && !strcmp(arguments[1], "--list")) {
        list_workloads();
        return 0;
    }
    if (count == 2 && !strcmp(arguments[1], "--help")) {
        fputs(usage, stdout);
        return 0;
    }
    const int failed = read_options(&o, count, arguments);
    if (failed) {
        return failed;
    }
    if (o.peers) {
        results.peer_count = bench_read_peers(o.peers, &results.peers);
    }
    bench_print_header(stdout);
    for (size_t k = 0; k < o.workload_count; k++) {
        for (size_t i = 0; i < BENCH_MOST_SIZES && o.workloads[k]->sizes[i]; i++) {
            if (is_wanted(&o, o.workloads[k]->usual, o.workloads[k]->sizes[i])) {
                run_case(&results, &o, o.workloads[k], o.workloads[k]->sizes[i]);
            }
        }
    }
    bench_print_growth(stdout, &results);
    if (o.dynamics) {
        run_dynamics(&results, &o);
    }
    if (o.first_search) {
        run_searches(&results, &o);
    }
    bool good = write_file(o.json, &results, bench_write_json);
    good = write_file(o.markdown, &results, bench_write_markdown) && good;
    good = (!o.plots || bench_write_plots(o.plots, &results)) && good;
    for (size_t k = 0; k < results.run_count; k++) {
        good = good && !results.runs[k].status;
        bench_run_free(&results.runs[k]);
    }
    for (size_t k = 0; k < results.dynamics_count; k++) {
        good = good && !results.dynamics[k].status;
        free(results.dynamics[k].accelerations);
    }
    for (size_t k = 0; k < results.search_count; k++) {
        good = good && !results.searches[k].failed;
    }
    free(results.dynamics);
    free(results.searches);
    free(results.runs);
    free(results.cases);
    bench_peers_free(results.peers, results.peer_count);
    return good ? 0 : 1;
}
