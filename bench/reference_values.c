#include "reference_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Our own: the tighter of two runs of IDA; in large sizes a run of ERK, and one of IDA says how far to
 * trust it. */
static void compute_own(bench_reference *reference, const bench_workload *workload, size_t n)
{
    const bench_limit *limit = bench_find_limit(workload, n);
    const double check_rtol = limit ? limit->check : 10 * workload->reference_rtol;
    const double rtol = limit ? limit->reference : workload->reference_rtol;
    bench_run check, own;
    bench_measure(&check, workload, n, check_rtol, DETENT_INTEGRATOR_IDA, 0, 1);
    bench_measure(&own, workload, n, rtol, limit ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA, 0,
                  1);
    if (!check.status && !own.status) {
        snprintf(reference->how, sizeof reference->how, "%s %.0e against ida %.0e",
                 bench_integrator_name(own.integrator), rtol, check_rtol);
        reference->own_agreement =
            bench_difference(check.values, check.count, own.values, own.count);
        reference->own = own.values;
        reference->own_count = own.count;
        own.values = NULL;
    } else {
        fprintf(stderr, "bench: no reference of our own for %s %zu: %s\n", workload->name, n,
                check.status ? check.message : own.message);
    }
    bench_run_free(&check);
    bench_run_free(&own);
}

/* In values.json every case is one line, as bench/reference writes it:
 * {"workload": "chain", "n": 10, ..., "agreement": 1e-12, "values": [-0.84, -0.54]} */
static const char *after(const char *line, const char *key)
{
    const char *place = strstr(line, key);
    return place ? place + strlen(key) : "";
}

static bool is_case(const char *line, const bench_workload *workload, size_t n)
{
    const char *name = after(line, "\"workload\": \"");
    const size_t length = strlen(workload->name);
    return !strncmp(name, workload->name, length) && name[length] == '"' &&
           strtoul(after(line, "\"n\": "), NULL, 10) == n &&
           fabs(strtod(after(line, "\"end\": "), NULL) - bench_end(workload, n)) < 1e-9;
}

static void read_case(bench_reference *reference, const char *line)
{
    const char *place = after(line, "\"values\": [");
    size_t capacity = 1;
    for (const char *c = place; *c; c++) {
        capacity += *c == ',';
    }
    reference->independent_agreement = strtod(after(line, "\"agreement\": "), NULL);
    reference->independent = calloc(capacity, sizeof *reference->independent);
    while (reference->independent && reference->independent_count < capacity) {
        char *rest;
        const double value = strtod(place, &rest);
        if (rest == place) {
            break;
        }
        reference->independent[reference->independent_count++] = value;
        place = rest + (*rest == ',');
    }
}

static void read_independent(bench_reference *reference, const bench_workload *workload, size_t n,
                             const char *path)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    while (file && getline(&line, &capacity, file) > 0) {
        if (is_case(line, workload, n)) {
            read_case(reference, line);
            break;
        }
    }
    free(line);
    if (file) {
        fclose(file);
    }
}

bench_reference bench_find_reference(const bench_workload *workload, size_t n, bool with_own,
                                     const char *path)
{
    bench_reference reference = {.own_agreement = NAN, .independent_agreement = NAN};
    if (with_own && workload->compared != BENCH_MOVEMENT) {
        compute_own(&reference, workload, n);
    }
    read_independent(&reference, workload, n, path);
    return reference;
}

void bench_reference_free(bench_reference *reference)
{
    free(reference->own);
    free(reference->independent);
    *reference = (bench_reference){0};
}

void bench_judge(bench_run *run, const bench_reference *reference)
{
    if (run->status) {
        return;
    }
    if (run->workload->compared == BENCH_MOVEMENT) { /* from all coordinates zero */
        run->own_error = 0;
        for (size_t k = 0; k < run->count; k++) {
            run->own_error = fmax(run->own_error, fabs(run->values[k]));
        }
        return;
    }
    run->own_error =
        bench_difference(run->values, run->count, reference->own, reference->own_count);
    run->independent_error = bench_difference(run->values, run->count, reference->independent,
                                              reference->independent_count);
}
