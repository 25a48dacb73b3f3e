/*
 * Laws that are composed of expressions of the file: a quantity as a whole text, `5 N m`, which has no brackets around its unit, stands in them
 * as it does alone.
 */
#include "detent/detent.h"
#include "expression/program.h"
#include "support_runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* ---- the text ---- */

static void parts(void **state)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"5 N m", "5 [N m]"},
        {" -2.5e3 kg*m/s^2 ", " -2.5e3 [kg*m/s^2]"},
        {"3deg", "3[deg]"},
        {"5", "5"},
        {"2 t", "2 t"},           /* the time, or tonnes: refused alone */
        {"5 s-2", "5 s-2"},       /* likewise */
        {"-20 degC", "-20 degC"}, /* 253.15 K, and not -(20 degC) */
        {"20 degC", "20 [degC]"},
        {"2*5 N*m", "2*5 N*m"},
        {"5 [N*m]", "5 [N*m]"},
        {"3 + x", "3 + x"},
        {"", ""},
    };
    dt_arena arena;
    dt_unit_system *units = dt_unit_system_create(NULL);
    (void)state;
    assert_non_null(units);
    dt_arena_init(&arena, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *part = dt_expression_part(&arena, cases[k].text, units);
        assert_non_null(part);
        assert_string_equal(part, cases[k].part);
        assert_string_equal(dt_expression_part(&arena, part, units), part);
    }
    dt_arena_free(&arena);
    dt_unit_system_destroy(units);
}

/* ---- mechanisms ---- */

enum { OUTPUTS = 5 };

#define BODIES                                                                \
    "detent: 1\ngravity: [0, 0, -9.81]\n"                                     \
    "bodies: {a: {mass: 2, center_of_mass: [0.1, 0, 0], inertia: [1, 1, 1]}," \
    " b: {mass: 2, center_of_mass: [0.1, 0, 0], inertia: [1, 1, 1]}}\n"
#define JOINTS(x, y)                                                              \
    "joints:\n  x: {type: revolute, base: ground, follower: a, axis: [0, 1, 0]" x \
    "}\n  y: {type: revolute, base: ground, follower: b, axis: [0, 1, 0]" y "}\n"
#define REST                                                                    \
    "outputs: [position(x), position(y), velocity(x), velocity(y), force(x)]\n" \
    "simulation: {end: 0.5}\n"
#define STICTION "stiction: {x: {kinetic: %1$s, static: %1$s"

static void run(const char *format, const char *quantity, double *values)
{
    char text[2000];
    detent_error error = {.message = ""};
    detent_simulation *sim = NULL;
    snprintf(text, sizeof text, format, quantity);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_status status = detent_simulation_create(m, NULL, &sim, &error);
    status = status ? status : DETENT_EVENT;
    while (status == DETENT_EVENT) {
        status = detent_advance(sim, 0.5, true, &error);
    }
    if (status) {
        fail_msg("%s\n%s", error.message, text);
    }
    assert_int_equal(detent_read(sim, DETENT_OUTPUTS, values, OUTPUTS, &error), DETENT_OK);
    detent_simulation_destroy(sim);
    detent_mechanism_destroy(m);
}

/* To the last bit what the same law in brackets is. */
static void quantities_stand_in_laws(void **state)
{
    static const char *const mechanisms[] = {
        BODIES JOINTS("", "") STICTION
        ", bearing: {coefficient: 0.1, radius: 0.1, length: 0.1}}}\n" REST,
        BODIES JOINTS("", "") STICTION
        "}}\ncouplings: {k: {type: gear, joints: [x, y], ratio: 2,"
        " friction: {efficiency: 0.8, reverse_efficiency: 0.5}}}\n" REST,
        BODIES JOINTS("", ", force: %1$s") STICTION
        "}}\ncouplings: {k: {type: gear, joints: [x, y], ratio: 2, stiffness: 100}}\n" REST,
        BODIES JOINTS("", ", force: %1$s") "couplings:\n"
                                           "  k: {type: gear, joints: [x, y], ratio: 2, friction: "
                                           "{efficiency: 0.8}}\n" REST,
        BODIES JOINTS(", force: %1$s, friction: {law: quinn, coulomb: 1, velocity_band: 0.1}", "")
            REST,
        BODIES JOINTS(", friction: {law: coulomb, coulomb: 0.3, velocity_band: 0.01, radius: 0.1,"
                      " normal_force: %1$s}",
                      "") REST,
    };
    (void)state;
    for (size_t k = 0; k < sizeof mechanisms / sizeof *mechanisms; k++) {
        double bare[OUTPUTS], bracketed[OUTPUTS];
        const bool is_force = strstr(mechanisms[k], "normal_force: %1$s") != NULL;
        run(mechanisms[k], is_force ? "1.5 kg m/s^2" : "1.5 N m", bare);
        run(mechanisms[k], is_force ? "\"1.5 [kg m/s^2]\"" : "\"1.5 [N m]\"", bracketed);
        assert_memory_equal(bare, bracketed, sizeof bare);
        assert_true(bare[0] != 0 || bare[1] != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts),
                                       cmocka_unit_test(quantities_stand_in_laws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
