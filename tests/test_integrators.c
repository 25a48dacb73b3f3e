/*
 * The explicit integrator against exact solutions, and against the implicit one: the same events,
 * the same trajectory.
 */
#include "detent/detent.h"
#include "support_changes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

enum { MOST_CHANGES = 400, MOST_COORDINATES = 32 };

/** What a run came to. */
typedef struct outcome {
    size_t changes, coordinates;
    detent_mode_change change[MOST_CHANGES];
    double q[MOST_COORDINATES];
    detent_statistics statistics;
} outcome;

static void note_changes(const detent_simulation *simulation, outcome *out)
{
    size_t count;
    const detent_mode_change *changes = last_event(simulation, &count);
    for (size_t k = 0; k < count && out->changes < MOST_CHANGES; k++) {
        out->change[out->changes++] = changes[k];
    }
}

static void run(const char *file, detent_integrator integrator, double rtol, double end,
                outcome *out)
{
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    char path[512];
    snprintf(path, sizeof path, "%s/mechanisms/%s", DETENT_SOURCE_DIR, file);
    assert_int_equal(detent_mechanism_load(path, NULL, &mechanism, &error), DETENT_OK);
    detent_mechanism_get_info(mechanism, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.integrator = integrator;
    settings.rtol = rtol;
    settings.atol = 0.1 * rtol;
    settings.end = end;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    assert_int_equal(detent_simulation_create(mechanism, &options, &simulation, &error), DETENT_OK);
    *out = (outcome){.coordinates = info.coordinates};
    note_changes(simulation, out);
    detent_status status;
    while ((status = detent_advance(simulation, end, true, &error)) == DETENT_EVENT) {
        note_changes(simulation, out);
    }
    assert_int_equal(status, DETENT_OK);
    assert_true(info.coordinates <= MOST_COORDINATES);
    assert_int_equal(detent_read(simulation, DETENT_POSITIONS, out->q, info.coordinates, &error),
                     DETENT_OK);
    out->statistics.size = sizeof out->statistics;
    detent_get_statistics(simulation, &out->statistics);
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
}

static void the_oscillator_stops_where_it_must(void **state)
{
    (void)state;
    outcome erk;
    run("coulomb_oscillator.yaml", DETENT_INTEGRATOR_ERK, 1e-9, 30, &erk);
    const detent_mode_change *last = &erk.change[erk.changes - 1];
    assert_true(fabs(erk.q[0] - (15 - sqrt(205))) < 1e-8);
    assert_true(fabs(last->time - 22.4235563506990905) < 1e-7);
    assert_int_equal(last->to, DETENT_LOCKED);
}

static void compare(const char *file, double rtol, double end, double tolerance)
{
    outcome ida, erk;
    run(file, DETENT_INTEGRATOR_IDA, rtol, end, &ida);
    run(file, DETENT_INTEGRATOR_ERK, rtol, end, &erk);
    assert_int_equal(ida.changes, erk.changes);
    for (size_t k = 0; k < ida.changes; k++) {
        assert_int_equal(ida.change[k].stiction, erk.change[k].stiction);
        assert_int_equal(ida.change[k].to, erk.change[k].to);
        assert_int_equal(ida.change[k].to_direction, erk.change[k].to_direction);
        assert_true(fabs(ida.change[k].time - erk.change[k].time) < tolerance);
    }
    for (size_t k = 0; k < ida.coordinates; k++) {
        assert_true(fabs(ida.q[k] - erk.q[k]) < tolerance);
    }
}

/**
 * Constant friction in a chain; friction in proportion to reactions; a law that switches; stick-
 * slip by the hundred.
 */
static void both_integrators_tell_the_same(void **state)
{
    (void)state;
    compare("hanging_chain.yaml", 1e-9, 1, 1e-7);
    compare("sticky_double_pendulum.yaml", 1e-9, 3, 1e-7);
    compare("burridge_knopoff.yaml", 1e-9, 10, 1e-7);
    compare("z1_arm.yaml", 1e-9, 1, 1e-7);
}

/** A joint that never moves does not move at all. */
static void locked_joints_stay(void **state)
{
    (void)state;
    outcome erk;
    size_t never = 0;
    run("hanging_chain.yaml", DETENT_INTEGRATOR_ERK, 1e-6, 1, &erk);
    for (size_t joint = 0; joint < erk.coordinates; joint++) {
        bool moved = false;
        for (size_t k = 0; k < erk.changes; k++) {
            moved = moved || (erk.change[k].stiction == joint && erk.change[k].to != DETENT_LOCKED);
        }
        if (!moved) {
            never++;
            assert_true(erk.q[joint] == 0);
        }
    }
    assert_true(never > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oscillator_stops_where_it_must),
        cmocka_unit_test(both_integrators_tell_the_same),
        cmocka_unit_test(locked_joints_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
