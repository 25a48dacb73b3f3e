#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const micros[BENCH_MICRO_COUNT] = {
    "dynamics", "first-search", "hold-time", "step", "setup", "laws", "control", "orders"};

static int fail(const char *what, const char *which)
{
    fprintf(stderr, "detent-bench: %s%s; --help says more\n", what, which);
    return 2;
}

static int print_usage(void)
{
    char line[256];
    FILE *file = fopen(DETENT_SOURCE_DIR "/bench/usage.txt", "r");
    printf("usage: detent-bench [OPTION]...\n");
    while (file && fgets(line, sizeof line, file)) {
        fputs(line, stdout);
    }
    return file ? fclose(file) : 1;
}

static int print_list(void)
{
    for (size_t k = 0; k < bench_workload_count; k++) {
        const bench_workload *w = &bench_workloads[k];
        printf("%-16s %s; n =", w->name, w->title);
        for (size_t i = 0; i < BENCH_MOST_SIZES && w->sizes[i]; i++) {
            printf(w->sizes[i] > w->usual ? " (%zu)" : " %zu", w->sizes[i]);
        }
        printf("\n");
    }
    for (size_t k = 0; k < BENCH_MICRO_COUNT; k++) {
        printf("%s\n", micros[k]);
    }
    return 0;
}

/* A positive number and nothing behind it. */
static bool take_number(const char *text, double *value)
{
    char *rest;
    *value = strtod(text, &rest);
    return rest != text && !*rest && *value > 0;
}

static int take_workload(bench_options *o, const char *name)
{
    for (size_t k = 0; k < BENCH_MICRO_COUNT; k++) {
        if (!strcmp(name, micros[k])) {
            o->micro[k] = true;
            return -1;
        }
    }
    const bench_workload *workload = bench_find_workload(name);
    if (!workload || o->workload_count == BENCH_MOST_GIVEN) {
        return fail(workload ? "too many workloads at " : "no workload ", name);
    }
    o->workloads[o->workload_count++] = workload;
    return -1;
}

static int take_integrator(bench_options *o, const char *name)
{
    if (!strcmp(name, bench_integrator_name(DETENT_INTEGRATOR_FIXED))) {
        o->fixed = true;
        return -1;
    }
    for (int k = 0; k < BENCH_INTEGRATORS; k++) {
        if (!strcmp(name, bench_integrator_name((detent_integrator)k))) {
            o->integrators[k] = true;
            return -1;
        }
    }
    return fail("no integrator ", name);
}

static int take_amount(bench_options *o, const char *name, const char *value)
{
    double number;
    if (!take_number(value, &number)) {
        return fail("no positive number: ", value);
    }
    if (!strcmp(name, "--most")) {
        o->most = (size_t)number;
    } else if (!strcmp(name, "--budget")) {
        o->budget = number;
    } else if (!strcmp(name, "--n") && o->size_count < BENCH_MOST_GIVEN) {
        o->sizes[o->size_count++] = (size_t)number;
    } else if (!strcmp(name, "--rtol") && o->rtol_count < BENCH_MOST_GIVEN) {
        o->rtols[o->rtol_count++] = number;
    } else {
        return fail("too many of ", name);
    }
    return -1;
}

/* Takes one option and its value; -1, or what main returns. */
static int take_option(bench_options *o, const char *name, const char *value)
{
    static const char *const amounts[] = {"--n", "--rtol", "--most", "--budget"};
    const struct {
        const char *name;
        const char **path;
    } paths[] = {{"--peers", &o->peers},
                 {"--json", &o->json},
                 {"--markdown", &o->markdown},
                 {"--plots", &o->plots}};
    if (!strcmp(name, "--workload")) {
        return take_workload(o, value);
    }
    if (!strcmp(name, "--integrator")) {
        return take_integrator(o, value);
    }
    for (size_t k = 0; k < 4; k++) {
        if (!strcmp(name, amounts[k])) {
            return take_amount(o, name, value);
        }
        if (!strcmp(name, paths[k].name)) {
            *paths[k].path = value;
            return -1;
        }
    }
    return fail("unknown option ", name);
}

static bool any(const bool *flags, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        if (flags[k]) {
            return true;
        }
    }
    return false;
}

/* What was not said. */
static void fill_in(bench_options *o)
{
    static const double usual[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    o->rtols_given = o->rtol_count > 0;
    if (!o->rtols_given) {
        memcpy(o->rtols, usual, sizeof usual);
        o->rtol_count = sizeof usual / sizeof *usual;
    }
    if (!o->fixed && !any(o->integrators, BENCH_INTEGRATORS)) {
        memset(o->integrators, true, sizeof o->integrators);
    }
    if (!o->workload_count && !any(o->micro, BENCH_MICRO_COUNT)) {
        memset(o->micro, true, sizeof o->micro);
        for (size_t k = 0; k < bench_workload_count && k < BENCH_MOST_GIVEN; k++) {
            o->workloads[o->workload_count++] = &bench_workloads[k];
        }
    }
}

int bench_read_options(bench_options *o, int count, char **arguments)
{
    bool check = false;
    *o = (bench_options){.most = (size_t)-1, .budget = 0.1, .own = true};
    for (int k = 1; k < count; k++) {
        if (!strcmp(arguments[k], "--help")) {
            return print_usage();
        }
        if (!strcmp(arguments[k], "--list")) {
            return print_list();
        }
        if (!strcmp(arguments[k], "--no-own")) {
            o->own = false;
        } else if (!strcmp(arguments[k], "--check")) {
            check = true;
        } else if (k + 1 == count) {
            return fail("unknown, or without its value: ", arguments[k]);
        } else {
            const int outcome = take_option(o, arguments[k], arguments[k + 1]);
            if (outcome >= 0) {
                return outcome;
            }
            k++;
        }
    }
    fill_in(o);
    return check ? 0 : -1;
}

bool bench_is_wanted(const bench_options *o, size_t usual, size_t n)
{
    for (size_t k = 0; k < o->size_count; k++) {
        if (o->sizes[k] == n) {
            return true;
        }
    }
    return !o->size_count && n <= usual && n <= o->most;
}
