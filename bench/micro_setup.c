#include "clock.h"
#include "micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REPEATS = 3 }; /* one from 100,000 joints on */

/* Every rod with lines of its own, as a program would write them. */
static void write_out(FILE *file, size_t n)
{
    const double length = 1 / (double)n, mass = 1 / (double)n;
    fprintf(file, "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (size_t i = 1; i <= n; i++) {
        const double inertia = mass * length * length / 12;
        fprintf(file,
                "  link%zu: {mass: %.9g, center_of_mass: [%.9g, 0, 0], inertia: [0, %.9g, %.9g]}\n",
                i, mass, 0.5 * length, inertia, inertia);
    }
    fprintf(file, "joints:\n  hinge1: {type: revolute, base: ground, follower: link1}\n");
    for (size_t i = 2; i <= n; i++) {
        fprintf(file,
                "  hinge%zu: {type: revolute, base: link%zu, follower: link%zu, axis: [0, 0, 1], "
                "at: {base: [%.9g, 0, 0]}}\n",
                i, i - 1, i, length);
    }
    fprintf(file, "stiction:\n");
    for (size_t i = 1; i <= n; i++) {
        fprintf(file, "  hinge%zu: {velocity_threshold: 1e-6 rad/s, kinetic: 1, static: 1}\n", i);
    }
}

/* The path of the file, to be removed if `*temporary`. False if it cannot be written. */
static bool find_file(bench_setup *setup, int kind, char path[1024], bool *temporary)
{
    *temporary = kind == 1;
    if (!*temporary) {
        snprintf(path, 1024, "%s/mechanisms/hanging_chain.yaml", DETENT_SOURCE_DIR);
    } else {
        const char *folder = getenv("TMPDIR");
        snprintf(path, 1024, "%s/detent-bench-XXXXXX", folder ? folder : "/tmp");
        const int descriptor = mkstemp(path);
        FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
        if (!file) {
            return false;
        }
        write_out(file, setup->n);
        if (fclose(file)) {
            return false;
        }
    }
    FILE *file = fopen(path, "r");
    if (!file || fseek(file, 0, SEEK_END)) {
        return false;
    }
    setup->file = (size_t)ftell(file);
    return !fclose(file);
}

static detent_status read_file(bench_setup *setup, int kind, const char *path,
                               detent_mechanism **mechanism, detent_error *error)
{
    double cpu[REPEATS];
    char size[32];
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_status status = DETENT_OK;
    snprintf(size, sizeof size, "%zu", setup->n);
    const detent_parameter parameter = {"n", size};
    const detent_load_options options = {
        .size = sizeof options, .parameters = &parameter, .parameter_count = 1};
    const size_t repeats = setup->n < 100000 ? REPEATS : 1;
    for (size_t k = 0; k < repeats && !status; k++) {
        detent_mechanism_destroy(*mechanism);
        *mechanism = NULL;
        const double begin = bench_cpu_time();
        status = detent_mechanism_load(path, kind ? NULL : &options, mechanism, error);
        cpu[k] = bench_cpu_time() - begin;
    }
    if (!status) {
        detent_mechanism_get_info(*mechanism, &info);
        setup->reading = bench_median(cpu, repeats);
        setup->mechanism = info.memory;
    }
    return status;
}

static detent_status create(bench_setup *setup, const detent_mechanism *mechanism,
                            detent_locked_joints locked, detent_error *error)
{
    double cpu[REPEATS];
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_status status = DETENT_OK;
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.locked_joints = locked;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    const size_t repeats = setup->n < 100000 ? REPEATS : 1;
    for (size_t k = 0; k < repeats && !status; k++) {
        detent_simulation *simulation = NULL;
        const double begin = bench_cpu_time();
        status = detent_simulation_create(mechanism, &options, &simulation, error);
        cpu[k] = bench_cpu_time() - begin;
        if (!status) {
            detent_get_statistics(simulation, &statistics);
            setup->simulation[locked] = statistics.memory;
            detent_simulation_destroy(simulation);
        }
    }
    setup->creating[locked] = status ? 0 : bench_median(cpu, repeats);
    return status;
}

void bench_measure_setup(bench_setup *setup, int kind, size_t n)
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    char path[1024];
    bool temporary;
    *setup = (bench_setup){.name = kind ? "written out" : "chain", .n = n};
    if (find_file(setup, kind, path, &temporary)) {
        setup->status = read_file(setup, kind, path, &mechanism, &error);
    } else {
        setup->status = DETENT_ERROR_IO;
    }
    for (int k = 0; k < 2 && !setup->status; k++) {
        setup->status = create(setup, mechanism, (detent_locked_joints)k, &error);
    }
    if (setup->status) {
        snprintf(setup->message, sizeof setup->message, "%.199s", error.message);
    }
    detent_mechanism_destroy(mechanism);
    if (temporary) {
        unlink(path);
    }
}
