/*
 * What each friction law costs at equal accuracy. A mass on a rail is drawn to and fro by a spring whose other end swings, and sticks at
 * every reversal; the same file for all laws but for one word. Each law is run with ever smaller tolerances, or steps, until its positions are
 * near enough to those of its own converged run.
 */
#include "clock.h"
#include "micro.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 500, REPEATS = 9 };

static const double end = 5 /* s */, enough = 1e-4;

/* Law and breakaway velocity, or nothing. Bristles slip at a ten-thousandth of the way to and fro, and are damped as 1 kg on them is critically. */
static const char text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {block: {mass: 1 kg}}\n"
    "joints:\n"
    "  rail:\n"
    "    type: prismatic\n"
    "    base: ground\n"
    "    follower: block\n"
    "    force: \"100 [N/m]*(0.1 [m]*sin(2*pi*t/1 [s]) - position(rail)) - 4 "
    "[N*s/m]*velocity(rail)\"\n"
    "    friction: {law: %s, coulomb: 1 N, breakaway: 1.5 N, %s viscous: 0.5, velocity_band: "
    "%.17g,\n"
    "               stiffness: 1e5, damping: 600, stiffnesses: [4e4, 2e4, 1e4, 5e3],\n"
    "               limits: [0.25, 0.25, 0.25, 0.25]}\n"
    "simulation: {end: 5 s, rtol: 1e-6}\n";

typedef struct row {
    const char *law;
    detent_integrator integrator;
    const char *limit; /* the law that it comes to with ever shorter steps */
    bool stribeck;     /* whether that has a breakaway velocity */
} row;

static const row rows[BENCH_LAWS] = {
    {"stiction", DETENT_INTEGRATOR_IDA, "stiction", true},
    {"stiction", DETENT_INTEGRATOR_ERK, "stiction", true},
    {"none", DETENT_INTEGRATOR_IDA, "none", true},
    {"none", DETENT_INTEGRATOR_ERK, "none", true},
    {"coulomb", DETENT_INTEGRATOR_IDA, "coulomb", true},
    {"coulomb", DETENT_INTEGRATOR_ERK, "coulomb", true},
    {"stribeck", DETENT_INTEGRATOR_IDA, "stribeck", true},
    {"stribeck", DETENT_INTEGRATOR_ERK, "stribeck", true},
    {"sign", DETENT_INTEGRATOR_IDA, "sign", true},
    {"sign", DETENT_INTEGRATOR_ERK, "sign", true},
    {"hyperviscous", DETENT_INTEGRATOR_IDA, "hyperviscous", true},
    {"hyperviscous", DETENT_INTEGRATOR_ERK, "hyperviscous", true},
    {"quinn", DETENT_INTEGRATOR_IDA, "quinn", true},
    {"quinn", DETENT_INTEGRATOR_ERK, "quinn", true},
    {"lugre", DETENT_INTEGRATOR_IDA, "lugre", true},
    {"lugre", DETENT_INTEGRATOR_ERK, "lugre", true},
    {"lugre", DETENT_INTEGRATOR_AUTO, "lugre", true},
    {"dahl", DETENT_INTEGRATOR_IDA, "dahl", true},
    {"dahl", DETENT_INTEGRATOR_ERK, "dahl", true},
    {"dahl", DETENT_INTEGRATOR_AUTO, "dahl", true},
    {"maxwell-slip", DETENT_INTEGRATOR_IDA, "maxwell-slip", true},
    {"maxwell-slip", DETENT_INTEGRATOR_ERK, "maxwell-slip", true},
    {"sign", DETENT_INTEGRATOR_EULER, "sign", true},
    {"borello", DETENT_INTEGRATOR_EULER, "stiction", false},
    {"karnopp", DETENT_INTEGRATOR_EULER, "stiction", false},
};

static bool is_fixed(detent_integrator integrator)
{
    return integrator == DETENT_INTEGRATOR_EULER;
}

/* The positions at so many instants; `accuracy`: rtol, or the step. */
static detent_status run_once(bench_law *law, const char *word, detent_integrator integrator,
                              bool stribeck, double accuracy, double *position, double *cpu)
{
    char file[sizeof text + 128];
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    detent_error error = {0};
    snprintf(file, sizeof file, text, word, stribeck ? "breakaway_velocity: 0.01," : "", 1e-3);
    detent_status status =
        detent_mechanism_parse(file, strlen(file), word, NULL, &mechanism, &error);
    if (!status) {
        detent_settings settings = DETENT_INIT(detent_settings);
        detent_mechanism_get_settings(mechanism, &settings);
        settings.integrator = integrator;
        *(is_fixed(integrator) ? &settings.step : &settings.rtol) = accuracy;
        const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
        status = detent_simulation_create(mechanism, &options, &simulation, &error);
    }
    const double begin = bench_cpu_time();
    for (int k = 0; k < SAMPLES && !status; k++) {
        status = detent_advance(simulation, end * (k + 1) / SAMPLES, false, &error);
        status =
            status ? status : detent_read(simulation, DETENT_POSITIONS, &position[k], 1, &error);
    }
    *cpu = (bench_cpu_time() - begin) / end;
    if (simulation) {
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_get_statistics(simulation, &statistics);
        law->steps = statistics.steps;
        law->events = statistics.events;
        detent_simulation_destroy(simulation);
    }
    detent_mechanism_destroy(mechanism);
    if (status) {
        snprintf(law->message, sizeof law->message, "%.199s", error.message);
    }
    return status;
}

/* The largest difference, over half of the way from end to end. */
static double distance(const double *position, const double *reference)
{
    double largest = 0, least = (double)INFINITY, most = -(double)INFINITY;
    for (int k = 0; k < SAMPLES; k++) {
        largest = fmax(largest, fabs(position[k] - reference[k]));
        least = fmin(least, reference[k]);
        most = fmax(most, reference[k]);
    }
    return 2 * largest / (most - least);
}

static void time_it(bench_law *law, const row *r)
{
    double position[SAMPLES], cpu[REPEATS];
    int count = 0;
    for (double spent = 0; count < REPEATS && (count < 3 || spent < 1) && !law->status; count++) {
        law->status =
            run_once(law, r->law, r->integrator, true, law->accuracy, position, &cpu[count]);
        spent += cpu[count] * end;
    }
    law->cpu = bench_median(cpu, (size_t)count);
}

void bench_measure_law(bench_law *law, int which)
{
    static double reference[SAMPLES], check[SAMPLES], position[SAMPLES];
    const row *r = &rows[which];
    double cpu;
    *law = (bench_law){.law = r->law,
                       .integrator = r->integrator,
                       .fixed = is_fixed(r->integrator),
                       .is_measure = strcmp(r->law, "stiction") == 0};
    law->status =
        run_once(law, r->limit, DETENT_INTEGRATOR_IDA, r->stribeck, 1e-11, reference, &cpu);
    if (!law->status) {
        law->status =
            run_once(law, r->limit, DETENT_INTEGRATOR_IDA, r->stribeck, 1e-9, check, &cpu);
        law->agreement = distance(check, reference);
    }
    const double factor = law->fixed ? 2 : sqrt(10), least = law->fixed ? 2e-6 : 1e-9;
    law->error = (double)INFINITY;
    for (double x = law->fixed ? 4e-3 : 1e-2; x > least && !law->status && law->error > enough;
         x /= factor) {
        law->status = run_once(law, r->law, r->integrator, true, x, position, &cpu);
        const double error = distance(position, reference);
        if (!law->status && error < law->error) {
            law->error = error;
            law->accuracy = x;
        }
    }
    law->reached = law->error <= enough;
    if (!law->status) {
        time_it(law, r);
    }
}
