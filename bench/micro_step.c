#include "clock.h"
#include "micro.h"

#include <stdio.h>
#include <string.h>

enum { MOST_REPEATS = 15, FEW_REPEATS = 3 };

/* In between none of the three comes to rest. */
static const double begin_time = 0.005, end_time = 0.09;

#define IS_LOOSE "if(i == 1 or i == 1 + 3*n/10 or i == 1 + 6*n/10, 0.01, 100)"

static const char three_joints[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {n: 10, L: 1 m / n, m: 1 kg / n}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies:\n"
    "    link: {mass: m, center_of_mass: [L/2, 0, 0], inertia: [0, m*L^2/12, m*L^2/12]}\n"
    "  joints:\n"
    "    hinge: {type: revolute, base: 'link[i-1]', follower: 'link[i]', axis: [0, 0, 1],\n"
    "            at: {base: [L, 0, 0]}}\n"
    "  stiction:\n"
    "    hinge: {velocity_threshold: 1e-6 rad/s, kinetic: '" IS_LOOSE "', static: '" IS_LOOSE "'}\n"
    "  first:\n"
    "    joints: {hinge: {base: ground, at: null}}\n"
    "outputs: ['position(hinge[1])']\n";

static detent_status run_once(bench_step *step, const detent_mechanism *mechanism, double *cpu,
                              detent_error *error)
{
    detent_simulation *simulation = NULL;
    detent_statistics before = DETENT_INIT(detent_statistics),
                      behind = DETENT_INIT(detent_statistics);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.end = end_time;
    settings.rtol = 1e-9;
    settings.atol = 1e-11;
    settings.integrator = step->integrator;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_status status = detent_simulation_create(mechanism, &options, &simulation, error);
    status = status ? status : detent_advance(simulation, begin_time, false, error);
    if (!status) {
        detent_get_statistics(simulation, &before);
        const double begin = bench_cpu_time();
        status = detent_advance(simulation, end_time, false, error);
        *cpu = bench_cpu_time() - begin;
    }
    if (!status) {
        detent_get_statistics(simulation, &behind);
        step->steps = behind.steps - before.steps;
        step->events = behind.events - before.events;
        *cpu /= (double)step->steps;
        status = detent_read(simulation, DETENT_OUTPUTS, &step->angle, 1, error);
    }
    if (simulation) {
        detent_simulation_destroy(simulation);
    }
    return status;
}

void bench_measure_step(bench_step *step, size_t n, detent_integrator integrator)
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    double cpu[MOST_REPEATS];
    char size[32];
    size_t repeats = 0;
    snprintf(size, sizeof size, "%zu", n);
    const detent_parameter parameter = {"n", size};
    const detent_load_options options = {
        .size = sizeof options, .parameters = &parameter, .parameter_count = 1};
    *step = (bench_step){.n = n, .integrator = integrator};
    step->status = detent_mechanism_parse(three_joints, strlen(three_joints), "step", &options,
                                          &mechanism, &error);
    const double begin = bench_cpu_time();
    while (!step->status && repeats < MOST_REPEATS &&
           (repeats < FEW_REPEATS || bench_cpu_time() - begin < 0.3)) {
        step->status = run_once(step, mechanism, &cpu[repeats], &error);
        repeats += !step->status;
    }
    if (step->status) {
        snprintf(step->message, sizeof step->message, "%.199s", error.message);
    } else {
        step->cpu = bench_median(cpu, repeats);
    }
    detent_mechanism_destroy(mechanism);
}
