/* How fast steps of fixed length converge, in the smallest size of each workload in which something moves. */

#include "measure.h"
#include "micro.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 40, LENGTHS = 4 };

static const double longest = 4e-3, tight = 1e-11, loose = 1e-9;
/* When things happen within a step is left to chance: an error is the mean of those of several lengths. */
static const double lengths[LENGTHS] = {1, 0.87, 0.74, 0.61};

typedef struct table {
    size_t count; /* values in a row */
    double *value;
} table;

static detent_status fill_rows(const bench_order *order, const detent_mechanism *mechanism,
                               detent_simulation *simulation, double end, table *t,
                               detent_error *error)
{
    detent_status status = DETENT_OK;
    for (size_t k = 0; k < ROWS && !status; k++) {
        const double time = end * (double)(k + 1) / ROWS;
        status = detent_advance(simulation, time, false, error);
        status = status ? status
                        : bench_read_values(order->workload, mechanism, simulation,
                                            t->value + k * t->count, error);
    }
    return status;
}

/* The compared values in rows of equal distance. */
static detent_status fill(bench_order *order, const detent_mechanism *mechanism,
                          const detent_settings *settings, table *t)
{
    detent_simulation *simulation = NULL;
    detent_error error = {0};
    const detent_simulation_options options = {.size = sizeof options, .settings = settings};
    order->status = detent_simulation_create(mechanism, &options, &simulation, &error);
    if (!order->status) {
        order->status = fill_rows(order, mechanism, simulation, settings->end, t, &error);
        detent_simulation_destroy(simulation);
    }
    if (order->status) {
        snprintf(order->message, sizeof order->message, "%.199s", error.message);
    }
    return order->status;
}

/* The mean over rows of the largest difference in each. */
static double distance(const table *a, const table *b)
{
    double sum = 0;
    for (size_t k = 0; k < ROWS; k++) {
        double most = 0;
        for (size_t j = 0; j < a->count; j++) {
            most = fmax(most, fabs(a->value[k * a->count + j] - b->value[k * a->count + j]));
        }
        sum += most;
    }
    return sum / ROWS;
}

/* The event-driven run, and how far it is from one of a hundred times its tolerance. */
static detent_status refer(bench_order *order, const detent_mechanism *mechanism,
                           detent_settings settings, table *exact, table *now)
{
    settings.rtol = loose;
    settings.atol = 1e-2 * loose;
    if (!fill(order, mechanism, &settings, now)) {
        settings.rtol = tight;
        settings.atol = 1e-2 * tight;
        if (!fill(order, mechanism, &settings, exact)) {
            order->agreement = distance(exact, now);
        }
    }
    return order->status;
}

static void measure(bench_order *order, const detent_mechanism *mechanism, table *exact, table *now)
{
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.end = bench_end(order->workload, order->n);
    if (refer(order, mechanism, settings, exact, now)) {
        return;
    }
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    for (int k = 0; k < BENCH_ORDER_STEPS; k++) {
        order->step[k] = longest / (double)(1 << k);
        for (int n = 0; n < LENGTHS; n++) {
            settings.step = order->step[k] * lengths[n];
            if (fill(order, mechanism, &settings, now)) {
                return;
            }
            order->error[k] += distance(now, exact) / LENGTHS;
        }
    }
    order->order = bench_exponent(order->step, order->error, BENCH_ORDER_STEPS);
}

void bench_measure_order(bench_order *order, const bench_workload *workload)
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    *order = (bench_order){.workload = workload, .n = workload->sizes[0]};
    order->status = bench_load(workload, order->n, &mechanism, &error);
    if (order->status) {
        snprintf(order->message, sizeof order->message, "%.199s", error.message);
        return;
    }
    const size_t count = bench_value_count(workload, mechanism);
    table exact = {count, calloc(ROWS * count + 1, sizeof(double))},
          now = {count, calloc(ROWS * count + 1, sizeof(double))};
    if (exact.value && now.value) {
        measure(order, mechanism, &exact, &now);
    } else {
        order->status = DETENT_ERROR_MEMORY;
    }
    free(exact.value);
    free(now.value);
    detent_mechanism_destroy(mechanism);
}
