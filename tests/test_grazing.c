/*
 * Roots that come and go within one step: a load that passes its limit by a millionth, a velocity
 * that dips below zero by less than
 * the step could show. Exact times.
 */
#include "detent/detent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const text =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {amplitude: 1, start: 0}\n"
    "bodies:\n"
    "  block: {mass: 1, center_of_mass: [0, 0, 0], inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: block,\n"
    "          axis: [1, 0, 0], initial: {velocity: start}}\n"
    "stiction:\n"
    "  slide: {velocity_threshold: 1e-9,\n"
    "          external: amplitude*sin(t),            \n"
    "          kinetic: 0.5, static: 1}\n"
    "simulation: {end: 10, interval: 0.5, rtol: 1e-8, atol: 1e-12}\n";

/** Time of the first change after the start to `mode`, or INFINITY. */
static double first_change(const char *amplitude, detent_mode mode)
{
    detent_parameter set[1] = {{"amplitude", amplitude}};
    const detent_load_options options = {.parameters = set, .parameter_count = 1};
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    detent_error error;
    double found = INFINITY;
    assert_int_equal(
        detent_mechanism_parse(text, strlen(text), "text", &options, &mechanism, &error),
        DETENT_OK);
    assert_int_equal(detent_simulation_create(mechanism, NULL, &simulation, &error), DETENT_OK);
    while (isinf(found) && detent_advance(simulation, 10, true, &error) == DETENT_EVENT) {
        size_t count;
        const detent_mode_change *changes = detent_last_event(simulation, &count);
        for (size_t k = 0; k < count; k++)
            if (changes[k].to == mode && changes[k].time > 0)
                found = changes[k].time;
    }
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return found;
}

/** Steps are half a second; the load is above its limit for 3 ms and by a millionth. */
static void a_load_that_passes_its_limit_and_returns(void **state)
{
    (void)state;
    const double found = first_change("1.000001", DETENT_WAIT);
    /* a joint breaks 2e-12 N beyond its limit; the load rises by 1.4e-3 N/s there */
    assert_true(fabs(found - asin(1 / 1.000001)) < 2e-12 / 1.4e-3 + 1e-9);
    assert_true(isinf(first_change("0.999999", DETENT_WAIT)));
}

/**
 * With the force 0.5 - cos t against friction 0.5 the velocity is start - sin t: with start = 1 -
 * 1e-7 it is below
 * zero for less than a millisecond.
 */
static void a_velocity_that_dips_below_zero(void **state)
{
    (void)state;
    char source[1024], *place;
    snprintf(source, sizeof source, "%s", text);
    place = strstr(source, "amplitude*sin(t),      ");
    memcpy(place, "0.5 - amplitude*cos(t),", 23);
    for (int dips = 0; dips < 2; dips++) {
        const char *start = dips ? "1 - 1e-7" : "1 + 1e-7";
        detent_parameter set[1] = {{"start", start}};
        const detent_load_options options = {.parameters = set, .parameter_count = 1};
        detent_mechanism *mechanism = NULL;
        detent_simulation *simulation = NULL;
        detent_error error;
        assert_int_equal(
            detent_mechanism_parse(source, strlen(source), "text", &options, &mechanism, &error),
            DETENT_OK);
        assert_int_equal(detent_simulation_create(mechanism, NULL, &simulation, &error), DETENT_OK);
        detent_status status = detent_advance(simulation, 2, true, &error);
        if (dips) {
            assert_int_equal(status, DETENT_EVENT);
            /* the slope of v there is 4e-4: a velocity good to 1e-9 gives a time good to 2e-6 */
            assert_true(fabs(detent_time(simulation) - asin(1 - 1e-7)) < 2e-6);
        } else {
            assert_int_equal(status, DETENT_OK);
        }
        detent_simulation_destroy(simulation);
        detent_mechanism_destroy(mechanism);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_that_passes_its_limit_and_returns),
        cmocka_unit_test(a_velocity_that_dips_below_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
