#include "clock.h"
#include "micro.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 15 };

static detent_status run_once(bench_hold *hold, const detent_mechanism *mechanism, int longer,
                              double *cpu, detent_error *error)
{
    detent_simulation *simulation = NULL;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_mechanism_get_info(mechanism, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.end = longer ? 1000 : 10;
    settings.integrator = hold->integrator;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    double *q = calloc(info.coordinates, sizeof *q);
    detent_status status = q ? DETENT_OK : DETENT_ERROR_MEMORY;
    status = status ? status : detent_simulation_create(mechanism, &options, &simulation, error);
    if (!status) {
        const double begin = bench_cpu_time();
        status = detent_advance(simulation, settings.end, false, error);
        *cpu = bench_cpu_time() - begin;
    }
    status =
        status ? status : detent_read(simulation, DETENT_POSITIONS, q, info.coordinates, error);
    for (size_t k = 0; !status && k < info.coordinates; k++) {
        hold->movement = fmax(hold->movement, fabs(q[k]));
    }
    if (simulation) {
        detent_get_statistics(simulation, &statistics);
        hold->steps[longer] = statistics.steps;
        detent_simulation_destroy(simulation);
    }
    free(q);
    return status;
}

void bench_measure_hold(bench_hold *hold, size_t n, detent_integrator integrator)
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    double cpu[2][REPEATS], unused;
    *hold = (bench_hold){.n = n, .integrator = integrator};
    hold->status = bench_load(bench_find_workload("hold"), n, &mechanism, &error);
    for (int k = -2; k < 2 * REPEATS && !hold->status; k++) { /* one of each to warm up */
        hold->status =
            run_once(hold, mechanism, k & 1, k < 0 ? &unused : &cpu[k & 1][k / 2], &error);
    }
    for (int k = 0; k < 2 && !hold->status; k++) {
        hold->cpu[k] = bench_median(cpu[k], REPEATS);
    }
    if (hold->status) {
        snprintf(hold->message, sizeof hold->message, "%.199s", error.message);
    }
    detent_mechanism_destroy(mechanism);
}
