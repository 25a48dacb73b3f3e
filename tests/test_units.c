/* Units: what engineers write, with its factor and dimension; what is no unit; many threads. */

#include "base/error.h"
#include "expression/dimension.h"
#include "expression/units.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PI      3.14159265358979323846
#define POUND   0.45359237
#define FOOT    0.3048
#define GRAVITY 9.80665

typedef struct unit_row {
    const char *text;
    double factor, offset;
    signed char exponent[7]; /* m kg s A K mol cd */
} unit_row;

static const unit_row table[] = {
    {"m", 1, 0, {1}},
    {"mm", 1e-3, 0, {1}},
    {"cm", 1e-2, 0, {1}},
    {"km", 1e3, 0, {1}},
    {"meter", 1, 0, {1}},
    {"in", 0.0254, 0, {1}},
    {"inch", 0.0254, 0, {1}},
    {"ft", FOOT, 0, {1}},
    {"mile", 1609.344, 0, {1}},
    {"\xc2\xb5m", 1e-6, 0, {1}},
    {"um", 1e-6, 0, {1}},
    {"kg", 1, 0, {0, 1}},
    {"g", 1e-3, 0, {0, 1}},
    {"t", 1e3, 0, {0, 1}},
    {"lb", POUND, 0, {0, 1}},
    {"s", 1, 0, {0, 0, 1}},
    {"ms", 1e-3, 0, {0, 0, 1}},
    {"min", 60, 0, {0, 0, 1}},
    {"h", 3600, 0, {0, 0, 1}},
    {"day", 86400, 0, {0, 0, 1}},
    {"rad", 1, 0, {0}},
    {"mrad", 1e-3, 0, {0}},
    {"deg", PI / 180, 0, {0}},
    {"degree", PI / 180, 0, {0}},
    {"degrees", PI / 180, 0, {0}},
    {"\xc2\xb0", PI / 180, 0, {0}},
    {"rev", 2 * PI, 0, {0}},
    {"revolution", 2 * PI, 0, {0}},
    {"turn", 2 * PI, 0, {0}},
    {"%", 0.01, 0, {0}},
    {"1", 1, 0, {0}},
    {"rpm", 2 * PI / 60, 0, {0, 0, -1}},
    {"rev/min", 2 * PI / 60, 0, {0, 0, -1}},
    {"rps", 2 * PI, 0, {0, 0, -1}},
    {"rad/s", 1, 0, {0, 0, -1}},
    {"deg/s", PI / 180, 0, {0, 0, -1}},
    {"deg/s^2", PI / 180, 0, {0, 0, -2}},
    {"1/s", 1, 0, {0, 0, -1}},
    {"1/s^2", 1, 0, {0, 0, -2}},
    {"Hz", 1, 0, {0, 0, -1}},
    {"m/s", 1, 0, {1, 0, -1}},
    {"m s-1", 1, 0, {1, 0, -1}},
    {"m.s-1", 1, 0, {1, 0, -1}},
    {"km/h", 1 / 3.6, 0, {1, 0, -1}},
    {"mph", 0.44704, 0, {1, 0, -1}},
    {"m/s^2", 1, 0, {1, 0, -2}},
    {"m/s2", 1, 0, {1, 0, -2}},
    {"m/s\xc2\xb2", 1, 0, {1, 0, -2}},
    {"N", 1, 0, {1, 1, -2}},
    {"kN", 1e3, 0, {1, 1, -2}},
    {"newton", 1, 0, {1, 1, -2}},
    {"lbf", POUND *GRAVITY, 0, {1, 1, -2}},
    {"kgf", GRAVITY, 0, {1, 1, -2}},
    {"dyn", 1e-5, 0, {1, 1, -2}},
    {"N*m", 1, 0, {2, 1, -2}},
    {"N m", 1, 0, {2, 1, -2}},
    {"Nm", 1, 0, {2, 1, -2}},
    {"N.m", 1, 0, {2, 1, -2}},
    {"N\xc2\xb7m", 1, 0, {2, 1, -2}},
    {"N*mm", 1e-3, 0, {2, 1, -2}},
    {"lbf*ft", POUND *GRAVITY *FOOT, 0, {2, 1, -2}},
    {"lbf ft", POUND *GRAVITY *FOOT, 0, {2, 1, -2}},
    {"J", 1, 0, {2, 1, -2}},
    {"kg m2 s-2", 1, 0, {2, 1, -2}},
    {"kg*m^2*s^-2", 1, 0, {2, 1, -2}},
    {"kg*m^2", 1, 0, {2, 1}},
    {"g*cm^2", 1e-7, 0, {2, 1}},
    {"N/m", 1, 0, {0, 1, -2}},
    {"N/mm", 1e3, 0, {0, 1, -2}},
    {"N*m/rad", 1, 0, {2, 1, -2}},
    {"N*m/deg", 180 / PI, 0, {2, 1, -2}},
    {"N*s/m", 1, 0, {0, 1, -1}},
    {"N*m*s/rad", 1, 0, {2, 1, -1}},
    {"W", 1, 0, {2, 1, -3}},
    {"Pa", 1, 0, {-1, 1, -2}},
    {"psi", POUND *GRAVITY / (0.0254 * 0.0254), 0, {-1, 1, -2}},
    {"A", 1, 0, {0, 0, 0, 1}},
    {"V", 1, 0, {2, 1, -3, -1}},
    {"K", 1, 0, {0, 0, 0, 0, 1}},
    {"degC", 1, 273.15, {0, 0, 0, 0, 1}},
    {"degF", 5.0 / 9, 459.67 * 5 / 9, {0, 0, 0, 0, 1}},
    {"J/(kg K)", 1, 0, {2, 0, -2, 0, -1}},
    {"mol", 1, 0, {0, 0, 0, 0, 0, 1}},
    {"cd", 1, 0, {0, 0, 0, 0, 0, 0, 1}},
    {"  N*m\t", 1, 0, {2, 1, -2}},
};

static const char *const no_units[] = {
    "",
    "  ",
    "foo",
    "degg",
    "N*",
    "*N",
    "N//m",
    "N+m",
    "m^",
    "m^x",
    "m^0.5",
    "m^2.5",
    "2 m",
    "m 2",
    "(m",
    "m)",
    "()",
    "dB",
    "lg(re mW)",
    "s since 2000-01-01",
    "K @ 273.15",
    "m^300",
    "m^99999999999999999",
    "m-",
    "m--2",

    "\xff\xff",
    "\xc2",
    "m\nm/",
    "N^-",
    "m**2",
    "'",
    "\"",
    "m.5",
    "5",
    "11",
    "1",
    "-",
    "/s",
};

static detent_status look_up(dt_unit_system *units, const char *text, double *factor,
                             double *offset, dt_dimension *dimension, detent_error *error)
{
    return dt_unit_parse(units, text, strlen(text), NULL, factor, offset, dimension, error);
}

static void check_row(dt_unit_system *units, const unit_row *row)
{
    double factor, offset;
    dt_dimension dimension;
    detent_error error;
    if (look_up(units, row->text, &factor, &offset, &dimension, &error)) {
        fail_msg("%s: %s", row->text, error.message);
    }
    if (!(fabs(factor - row->factor) <= 1e-9 * row->factor) ||
        !(fabs(offset - row->offset) <= 1e-9 * row->offset) || !dimension.known ||
        memcmp(dimension.exponent, row->exponent, sizeof row->exponent) != 0) {
        char text[64];
        dt_dimension_print(&dimension, text, sizeof text);
        fail_msg("%s = %.17g %s, offset %.17g", row->text, factor, text, offset);
    }
}

static void units_have_their_factors(void **state)
{
    (void)state;
    dt_unit_system *units = dt_unit_system_create(NULL);
    /* The second time from memory. */
    for (size_t i = 0; i < 2 * sizeof table / sizeof table[0]; i++) {
        const unit_row *row = &table[i % (sizeof table / sizeof table[0])];
        if (strcmp(row->text, "1") != 0) {
            check_row(units, row);
        }
    }
    dt_unit_system_destroy(units);
}

static void what_is_no_unit_is_refused(void **state)
{
    (void)state;
    dt_unit_system *units = dt_unit_system_create(NULL);
    dt_location where = {"arm.yaml", 7, 8};
    for (size_t i = 0; i < 2 * sizeof no_units / sizeof no_units[0]; i++) {
        const char *text = no_units[i % (sizeof no_units / sizeof no_units[0])];
        double factor, offset;
        dt_dimension dimension;
        detent_error error = {0};
        detent_status status =
            dt_unit_parse(units, text, strlen(text), &where, &factor, &offset, &dimension, &error);
        if (status != DETENT_ERROR_MODEL) {
            fail_msg("'%s' is taken: %g", text, factor);
        }
        assert_int_equal(error.line, 7);
        assert_int_equal(error.column, 8);
        assert_true(error.message[0]);
    }
    char text[1000];
    memset(text, 'm', sizeof text);
    assert_int_equal(dt_unit_parse(units, text, sizeof text, NULL, NULL, NULL, NULL, NULL),
                     DETENT_ERROR_MODEL);
    assert_int_equal(dt_unit_parse(units, "m\0s", 3, NULL, NULL, NULL, NULL, NULL),
                     DETENT_ERROR_MODEL);
    dt_unit_system_destroy(units);
    dt_unit_system_destroy(NULL);
}

/* udunits2 would tell the world on stderr. */
static void nothing_is_printed(void **state)
{
    (void)state;
    FILE *captured = tmpfile();
    assert_non_null(captured);
    fflush(stderr);
    int old = dup(STDERR_FILENO);
    dup2(fileno(captured), STDERR_FILENO);
    what_is_no_unit_is_refused(NULL);
    units_have_their_factors(NULL);
    fflush(stderr);
    dup2(old, STDERR_FILENO);
    close(old);
    fseek(captured, 0, SEEK_END);
    assert_int_equal(ftell(captured), 0);
    fclose(captured);
}

static void *use_units(void *failure)
{
    for (int round = 0; round < 3; round++) {
        dt_unit_system *units = dt_unit_system_create(NULL);
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
            double factor, offset;
            dt_dimension dimension;
            bool is_one = strcmp(table[i].text, "1") == 0;
            if (!is_one && (look_up(units, table[i].text, &factor, &offset, &dimension, NULL) ||
                            fabs(factor / table[i].factor - 1) > 1e-9)) {
                *(bool *)failure = true;
            }
            look_up(units, no_units[i % 8], &factor, &offset, &dimension, NULL);
        }
        dt_unit_system_destroy(units);
    }
    return NULL;
}

static void threads_do_not_disturb_each_other(void **state)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    bool failures[THREADS] = {false};
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, use_units, &failures[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_false(failures[i]);
    }
}

/* --- Dimensions -------------------------------------------------------------------------------- */

static void dimensions_are_printed(void **state)
{
    static const struct {
        const dt_dimension *dimension;
        const char *text;
    } named[] = {
        {&dt_dimension_unknown, ""},
        {&dt_dimension_none, "1"},
        {&dt_dimension_length, "m"},
        {&dt_dimension_mass, "kg"},
        {&dt_dimension_time, "s"},
        {&dt_dimension_velocity, "m/s"},
        {&dt_dimension_acceleration, "m/s^2"},
        {&dt_dimension_angular_velocity, "1/s"},
        {&dt_dimension_angular_acceleration, "1/s^2"},
        {&dt_dimension_force, "N"},
        {&dt_dimension_torque, "N m"},
        {&dt_dimension_inertia, "kg m2"},
        {&dt_dimension_stiffness, "N/m"},
        {&dt_dimension_rotational_stiffness, "N m"},
        {&dt_dimension_damping, "N s/m"},
        {&dt_dimension_rotational_damping, "N m s"},
    };
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
        dt_dimension_print(named[i].dimension, text, sizeof text);
        assert_string_equal(text, named[i].text);
    }
    /* What is printed is a unit of that dimension. */
    dt_unit_system *units = dt_unit_system_create(NULL);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double factor, offset;
        dt_dimension dimension = {.known = true}, read;
        memcpy(dimension.exponent, table[i].exponent, sizeof table[i].exponent);
        dt_dimension_print(&dimension, text, sizeof text);
        if (!dt_dimension_is_none(&dimension)) {
            assert_int_equal(look_up(units, text, &factor, &offset, &read, NULL), DETENT_OK);
            assert_true(dt_dimension_agrees(&dimension, &read) && factor == 1);
        }
    }
    dt_unit_system_destroy(units);

    dt_dimension odd = {.known = true, .exponent = {-127, 127, -127, 127, -127, 127, -127}};
    for (size_t size = 0; size < sizeof text; size++) {
        memset(text, '#', sizeof text);
        dt_dimension_print(&odd, text, size);
        assert_int_equal(text[size], '#');
        assert_true(size == 0 || strlen(text) < size);
    }
}

static void dimensions_calculate(void **state)
{
    (void)state;
    const dt_dimension *m = &dt_dimension_length, *none = &dt_dimension_none;
    const dt_dimension *unknown = &dt_dimension_unknown;
    dt_dimension result;

    assert_true(dt_dimension_agrees(m, m) && dt_dimension_agrees(m, unknown));
    assert_true(dt_dimension_agrees(unknown, none) && !dt_dimension_agrees(m, none));
    assert_true(dt_dimension_merge(unknown, m, &result) && result.exponent[0] == 1);
    assert_true(dt_dimension_merge(m, unknown, &result) && result.exponent[0] == 1);
    assert_false(dt_dimension_merge(m, &dt_dimension_time, &result));

    result = dt_dimension_product(&dt_dimension_force, m, 1);
    assert_true(result.known && dt_dimension_agrees(&result, &dt_dimension_torque));
    result = dt_dimension_product(&dt_dimension_force, m, -1);
    assert_true(result.known && dt_dimension_agrees(&result, &dt_dimension_stiffness));
    assert_false(dt_dimension_product(m, unknown, 1).known);

    result = dt_dimension_power(&dt_dimension_velocity, 2);
    assert_true(result.known && result.exponent[0] == 2 && result.exponent[2] == -2);
    result = dt_dimension_power(&result, 0.5);
    assert_true(result.known && dt_dimension_agrees(&result, &dt_dimension_velocity));
    assert_false(dt_dimension_power(m, 0.5).known);
    assert_false(dt_dimension_power(m, 1000).known);
    assert_false(dt_dimension_power(m, NAN).known);
    assert_false(dt_dimension_power(unknown, 2).known);
    assert_true(dt_dimension_is_none(none) && !dt_dimension_is_none(unknown));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_have_their_factors),
        cmocka_unit_test(what_is_no_unit_is_refused),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(threads_do_not_disturb_each_other),
        cmocka_unit_test(dimensions_are_printed),
        cmocka_unit_test(dimensions_calculate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
