/* The workload `control` by detent: the arm of mechanisms/, with a torque in every joint that is an input. */

#include "clock.h"
#include "control.h"
#include "micro.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINTS = BENCH_CONTROL_JOINTS, REPEATS = 9, MOST_TEXT = 16384 };

typedef struct row {
    detent_integrator integrator;
    double dial;
    bool longer;
} row;

static const row rows[BENCH_CONTROLS] = {
    {DETENT_INTEGRATOR_FIXED, 1e-3, true},  {DETENT_INTEGRATOR_FIXED, 2.5e-4, false},
    {DETENT_INTEGRATOR_FIXED, 2e-4, false}, {DETENT_INTEGRATOR_FIXED, 1e-4, false},
    {DETENT_INTEGRATOR_IDA, 1e-3, false},   {DETENT_INTEGRATOR_IDA, 1e-4, true},
    {DETENT_INTEGRATOR_IDA, 1e-6, false},   {DETENT_INTEGRATOR_ERK, 1e-2, false},
    {DETENT_INTEGRATOR_ERK, 1e-3, false},   {DETENT_INTEGRATOR_ERK, 1e-4, true},
    {DETENT_INTEGRATOR_ERK, 1e-6, false},   {DETENT_INTEGRATOR_AUTO, 1e-3, false},
    {DETENT_INTEGRATOR_AUTO, 1e-4, true},   {DETENT_INTEGRATOR_AUTO, 1e-6, false},
};

typedef struct arm {
    detent_mechanism *mechanism;
    detent_simulation *simulation;
    size_t input[JOINTS], position[JOINTS], velocity[JOINTS]; /* of its joints, in the vectors */
    size_t period;                                            /* how many have passed */
    int steps; /* of fixed length in a period; 0: none */
    detent_status status;
    detent_error error;
} arm;

/* ---- the mechanism ---- */

/* The file, "external: tauK" in the stiction of joint K, and these inputs. */
static bool write_text(char *text)
{
    static char file[MOST_TEXT];
    FILE *in = fopen(DETENT_SOURCE_DIR "/mechanisms/z1_arm.yaml", "r");
    const size_t length = in ? fread(file, 1, sizeof file - 1, in) : 0;
    if (in) {
        fclose(in);
    }
    file[length] = 0;
    const char *from = strstr(file, "\nstiction:\n");
    size_t count = 0;
    if (!from || length == sizeof file - 1) {
        return false;
    }
    count = (size_t)snprintf(text, MOST_TEXT, "%.*s", (int)(from - file), file);
    for (int k = 1; k <= JOINTS; k++) {
        char key[32];
        snprintf(key, sizeof key, "\n  joint%d: {", k);
        const char *entry = strstr(from, key);
        const char *end = entry ? strchr(entry, '}') : NULL;
        if (!end) {
            return false;
        }
        count += (size_t)snprintf(text + count, MOST_TEXT - count, "%.*s, external: tau%d",
                                  (int)(end - from), from, k);
        from = end;
    }
    count += (size_t)snprintf(text + count, MOST_TEXT - count, "%s", from);
    count += (size_t)snprintf(text + count, MOST_TEXT - count,
                              "\ninputs: {tau1: 0, tau2: 0, tau3: 0, tau4: 0, tau5: 0, tau6: 0}\n");
    return count < MOST_TEXT;
}

static void load(arm *a)
{
    static char text[MOST_TEXT];
    if (!write_text(text)) {
        snprintf(a->error.message, sizeof a->error.message,
                 "mechanisms/z1_arm.yaml is another one");
        a->status = DETENT_ERROR_IO;
        return;
    }
    a->status =
        detent_mechanism_parse(text, strlen(text), "control", NULL, &a->mechanism, &a->error);
    for (int k = 0; k < JOINTS && !a->status; k++) {
        char name[32];
        detent_primitive_info info = DETENT_INIT(detent_primitive_info);
        snprintf(name, sizeof name, "tau%d", k + 1);
        a->input[k] = (size_t)detent_find(a->mechanism, DETENT_INPUT, name);
        snprintf(name, sizeof name, "joint%d", k + 1);
        a->status = detent_get_primitive(
            a->mechanism, (size_t)detent_find(a->mechanism, DETENT_PRIMITIVE, name), &info);
        a->position[k] = info.first_coordinate;
        a->velocity[k] = info.first_freedom;
    }
}

/* ---- the loop ---- */

static bool advance(void *self, const double *torques)
{
    arm *a = self;
    for (int k = 0; k < JOINTS && !a->status; k++) {
        a->status = detent_set_input(a->simulation, a->input[k], torques[k], &a->error);
    }
    a->period++;
    for (int k = 0; k < a->steps && !a->status; k++) {
        a->status = detent_step(a->simulation, &a->error);
    }
    if (!a->steps && !a->status) {
        a->status = detent_advance(a->simulation, (double)a->period * BENCH_CONTROL_PERIOD, false,
                                   &a->error);
    }
    return !a->status;
}

static bool read(void *self, double *q, double *v)
{
    arm *a = self;
    double positions[JOINTS], velocities[JOINTS];
    a->status = a->status
                    ? a->status
                    : detent_read(a->simulation, DETENT_POSITIONS, positions, JOINTS, &a->error);
    a->status = a->status
                    ? a->status
                    : detent_read(a->simulation, DETENT_VELOCITIES, velocities, JOINTS, &a->error);
    for (int k = 0; k < JOINTS && !a->status; k++) {
        q[k] = positions[a->position[k]];
        v[k] = velocities[a->velocity[k]];
    }
    return !a->status;
}

static void run_once(arm *a, const row *r, bool longer, bench_control_figures *figures)
{
    const bool fixed = r->integrator == DETENT_INTEGRATOR_FIXED;
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(a->mechanism, &settings);
    settings.integrator = r->integrator;
    settings.end = 1e-3 * (BENCH_CONTROL_END + BENCH_CONTROL_CREEP);
    settings.rtol = fixed ? settings.rtol : r->dial;
    settings.atol = fixed ? settings.atol : fmin(1e-2 * r->dial, 1e-6);
    settings.step = fixed ? r->dial : 0;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    const bench_controlled controlled = {a, advance, read};
    a->simulation = NULL;
    a->period = 0;
    a->steps = fixed ? (int)lround(BENCH_CONTROL_PERIOD / r->dial) : 0;
    a->status = detent_simulation_create(a->mechanism, &options, &a->simulation, &a->error);
    if (!a->status) {
        bench_control_run(&controlled, longer, figures);
    }
}

/* ---- reference ---- */

static bench_control_figures reference;
static double agreement = NAN;
static bool has_reference;

/* The largest difference of two lists. */
static double distance(const double *a, const double *b, size_t count)
{
    double largest = 0;
    for (size_t k = 0; k < count; k++) {
        largest = fmax(largest, fabs(a[k] - b[k]));
    }
    return largest;
}

static void find_reference(arm *a)
{
    static const row best = {DETENT_INTEGRATOR_ERK, 1e-11, false},
                     check = {DETENT_INTEGRATOR_IDA, 1e-10, false};
    static bench_control_figures other;
    if (has_reference) {
        return;
    }
    run_once(a, &best, false, &reference);
    detent_simulation_destroy(a->simulation);
    a->simulation = NULL;
    if (!a->status) {
        run_once(a, &check, false, &other);
        detent_simulation_destroy(a->simulation);
        a->simulation = NULL;
    }
    has_reference = !a->status;
    agreement = fmax(distance(reference.path, other.path, BENCH_CONTROL_VALUES),
                     distance(reference.held, other.held, JOINTS));
}

const double *bench_control_reference(bool held)
{
    return !has_reference ? NULL : held ? reference.held : reference.path;
}

/* ---- one row ---- */

static void measure(bench_control *control, arm *a, const row *r)
{
    static bench_control_figures figures;
    double moving[REPEATS], holding[REPEATS];
    for (int k = 0; k < REPEATS && !a->status; k++) {
        const bool longer = r->longer && !k;
        run_once(a, r, longer, &figures);
        moving[k] = figures.moving;
        holding[k] = figures.holding;
        control->creep = longer ? figures.creep : control->creep;
        if (a->simulation && !longer) {
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            detent_get_statistics(a->simulation, &statistics);
            control->steps = statistics.steps;
            control->events = statistics.events;
            control->unsettled = statistics.unsettled;
        }
        detent_simulation_destroy(a->simulation);
        a->simulation = NULL;
    }
    if (!a->status) {
        control->moving = bench_median(moving, REPEATS);
        control->holding = bench_median(holding, REPEATS);
        control->speed = figures.speed;
        control->agreement = agreement;
        control->error = distance(figures.path, reference.path, BENCH_CONTROL_VALUES);
        control->held_error = distance(figures.held, reference.held, JOINTS);
    }
}

void bench_measure_control(bench_control *control, int which)
{
    const row *r = &rows[which];
    arm a = {0};
    *control = (bench_control){
        .integrator = r->integrator, .dial = r->dial, .longer = r->longer, .creep = NAN};
    load(&a);
    if (!a.status) {
        find_reference(&a);
    }
    if (!a.status) {
        measure(control, &a, r);
    }
    control->status = a.status;
    if (a.status) {
        snprintf(control->message, sizeof control->message, "%.199s", a.error.message);
    }
    detent_mechanism_destroy(a.mechanism);
}
