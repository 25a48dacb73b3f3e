#include "measure.h"

#include "clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_REPEATS = 25, FEW_REPEATS = 3 };

/* The absolute tolerance stays below the velocity thresholds, 1e-6, at which waiting ends. */
static detent_settings settings_of(const bench_run *run, const detent_mechanism *mechanism)
{
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.end = bench_end(run->workload, run->n);
    settings.integrator = run->integrator;
    if (run->integrator == DETENT_INTEGRATOR_FIXED) {
        settings.step = run->rtol;
    } else {
        settings.rtol = run->rtol;
        settings.atol = fmin(0.01 * run->rtol, 1e-7);
    }
    return settings;
}

static detent_status read_results(bench_run *run, const detent_mechanism *mechanism,
                                  detent_simulation *simulation, detent_error *error)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    run->statistics.size = sizeof run->statistics;
    detent_get_statistics(simulation, &run->statistics);
    run->memory = info.memory + run->statistics.memory;
    run->count = bench_value_count(run->workload, mechanism);
    if (!run->values) {
        run->values = calloc(run->count + 1, sizeof *run->values);
    }
    return run->values ? bench_read_values(run->workload, mechanism, simulation, run->values, error)
                       : DETENT_ERROR_MEMORY;
}

static detent_status run_once(bench_run *run, double *setup, double *cpu, detent_error *error)
{
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    const double begin = bench_cpu_time();
    detent_status status = bench_load(run->workload, run->n, &mechanism, error);
    if (!status) {
        const detent_settings settings = settings_of(run, mechanism);
        const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
        status = detent_simulation_create(mechanism, &options, &simulation, error);
    }
    const double ready = bench_cpu_time();
    status = status ? status
                    : detent_advance(simulation, bench_end(run->workload, run->n), false, error);
    *setup = ready - begin;
    *cpu = bench_cpu_time() - ready;
    status = status ? status : read_results(run, mechanism, simulation, error);
    if (simulation) {
        detent_simulation_destroy(simulation);
    }
    detent_mechanism_destroy(mechanism);
    return status;
}

void bench_measure(bench_run *run, const bench_workload *workload, size_t n, double rtol,
                   detent_integrator integrator, double budget, size_t most)
{
    double setup[MOST_REPEATS], cpu[MOST_REPEATS], spent = 0;
    detent_error error = {0};
    *run = (bench_run){.workload = workload,
                       .n = n,
                       .rtol = rtol,
                       .integrator = integrator,
                       .own_error = NAN,
                       .independent_error = NAN};
    most = most > MOST_REPEATS ? MOST_REPEATS : most;
    do {
        run->status = run_once(run, &setup[run->repeats], &cpu[run->repeats], &error);
        spent += setup[run->repeats] + cpu[run->repeats];
        run->repeats++;
    } while (!run->status && run->repeats < most &&
             spent < (run->repeats < FEW_REPEATS ? 5 : 1) * budget);
    run->setup = bench_median(setup, run->repeats);
    run->cpu = bench_median(cpu, run->repeats);
    if (run->status) {
        snprintf(run->message, sizeof run->message, "%s", error.message);
    }
}

void bench_run_free(bench_run *run)
{
    free(run->values);
    run->values = NULL;
    run->count = 0;
}

double bench_difference(const double *a, size_t a_count, const double *b, size_t b_count)
{
    double largest = 0;
    if (!a || !b || a_count != b_count) {
        return NAN;
    }
    for (size_t k = 0; k < a_count; k++) {
        largest = fmax(largest, fabs(a[k] - b[k]));
    }
    return largest;
}

double bench_exponent(const double *x, const double *y, size_t count)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t k = 0; k < count; k++) {
        if (x[k] > 0 && y[k] > 0) {
            const double u = log(x[k]), v = log(y[k]);
            n += 1;
            sx += u;
            sy += v;
            sxx += u * u;
            sxy += u * v;
        }
    }
    const double spread = n * sxx - sx * sx;
    return spread > 1e-12 ? (n * sxy - sx * sy) / spread : NAN;
}
