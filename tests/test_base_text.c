/* The base layer: names that are near, numbers as text. */

#include "support_ledger.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/name_map.h"
#include "base/nearest.h"
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* --- Nearest name ----------------------------------------------------------------------------- */

static const char *nearest_key(const char *name)
{
    static const char *const keys[] = {"mass", "center_of_mass", "inertia", NULL,
                                       "axis", "base",           "x"};
    return dt_nearest(name, keys, sizeof keys / sizeof keys[0]);
}

static void nearest_finds_slips_of_the_pen(void **state)
{
    (void)state;
    assert_string_equal(nearest_key("mas"), "mass");        /* one dropped */
    assert_string_equal(nearest_key("masss"), "mass");      /* one added */
    assert_string_equal(nearest_key("mess"), "mass");       /* one replaced */
    assert_string_equal(nearest_key("amss"), "mass");       /* two swapped */
    assert_string_equal(nearest_key("inetria"), "inertia"); /* swapped */
    assert_string_equal(nearest_key("centre_of_mass"), "center_of_mass");
    assert_string_equal(nearest_key("xy"), "x");
    assert_string_equal(nearest_key("axis"), "axis");
}

static void nearest_stays_silent_where_nothing_is_near(void **state)
{
    (void)state;
    char long_name[400];
    memset(long_name, 'a', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = '\0';
    assert_null(nearest_key("stiffness"));
    assert_null(nearest_key(""));
    assert_null(nearest_key("y")); /* one slip, but nothing of it is right */
    assert_null(nearest_key(long_name));
    const char *candidates[] = {long_name};
    assert_null(dt_nearest("aaaa", candidates, 1));
    assert_null(dt_nearest("mass", NULL, 0));
    long_name[DT_NEAREST_LENGTH_MAX] = '\0';
    assert_ptr_equal(dt_nearest(long_name, candidates, 1), long_name);
}

/* --- Numbers ---------------------------------------------------------------------------------- */

static double parsed(const char *text)
{
    double value = NAN;
    assert_true(dt_parse_number(text, strlen(text), &value));
    return value;
}

static const char *formatted(double value)
{
    static char text[DT_NUMBER_SIZE];
    size_t length = dt_format_number(text, value);
    assert_int_equal(length, strlen(text));
    return text;
}

static void assert_round_trip(double value)
{
    double again = parsed(formatted(value));
    assert_memory_equal(&again, &value, sizeof value); /* to the last bit, the sign of zero too */
}

static void check_numbers(void)
{
    assert_string_equal(formatted(0.1), "0.1");
    assert_string_equal(formatted(1), "1");
    assert_string_equal(formatted(-9.81), "-9.81");
    assert_string_equal(formatted(1.0 / 3), "0.3333333333333333");
    assert_string_equal(formatted(0.1 + 0.2), "0.30000000000000004");
    assert_string_equal(formatted(NAN), "nan");
    assert_string_equal(formatted(-HUGE_VAL), "-inf");
    const double special[] = {0.0,          -0.0,        DBL_MIN, DBL_MAX, -DBL_MAX,
                              DBL_TRUE_MIN, DBL_EPSILON, 1e22,    1e23,    5e-324};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++) {
        assert_round_trip(special[i]);
    }
    uint64_t bits = 88172645463325252u; /* xorshift64: doubles of every exponent */
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            assert_round_trip(value);
        }
    }
}

static void numbers_round_trip(void **state)
{
    (void)state;
    check_numbers();
}

static void numbers_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "nl_NL.UTF-8",
                                             "ps_AF.UTF-8"};
    size_t tried = 0;
    for (size_t i = 0; i < sizeof with_comma / sizeof with_comma[0]; i++) {
        if (setlocale(LC_NUMERIC, with_comma[i])) {
            tried++;
            check_numbers();
            assert_false(dt_parse_number("1,5", 3, &(double){0}));
        }
    }
    setlocale(LC_NUMERIC, "C");
    if (!tried) {
        print_message("no locale with a decimal comma is installed\n");
        skip();
    }
}

static void numbers_are_read_strictly(void **state)
{
    (void)state;
    assert_true(parsed("1e-3") == 1e-3);
    assert_true(parsed("+.5") == 0.5);
    assert_true(parsed("2.") == 2);
    assert_true(parsed("-12.50E+02") == -1250);
    assert_true(parsed("1e-999") == 0);
    assert_true(parsed("179769313486231570000e288") == DBL_MAX);

    static const char *const refused[] = {
        "",      "+",   ".",    "-.",       "e5",  ".e5",  "1e",   "1e+",    "1.2.3",    "0x10",
        "0x1p3", "inf", "-inf", "Infinity", "nan", ".nan", ".inf", "NaN(1)", "1e999",    "-1e999",
        " 1",    "1 ",  "1\n",  "1_000",    "1,5", "--1",  "1f",   "1d3",    "\xd9\xa1", "1e5.5"};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        double value = 42;
        assert_false(dt_parse_number(refused[i], strlen(refused[i]), &value));
        assert_true(value == 42);
    }

    double value = 0;
    assert_true(dt_parse_number("123456", 3, &value)); /* no further than told */
    assert_true(value == 123);
    assert_false(dt_parse_number("1\0", 2, &value));

    char digits[DT_NUMBER_LENGTH_MAX + 1];
    memset(digits, '0', sizeof digits);
    digits[1] = '.';
    digits[900] = '1';
    assert_true(dt_parse_number(digits, DT_NUMBER_LENGTH_MAX, &value));
    assert_true(value == 0);
    assert_false(dt_parse_number(digits, DT_NUMBER_LENGTH_MAX + 1, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_finds_slips_of_the_pen),
        cmocka_unit_test(nearest_stays_silent_where_nothing_is_near),
        cmocka_unit_test(numbers_round_trip),
        cmocka_unit_test(numbers_do_not_depend_on_the_locale),
        cmocka_unit_test(numbers_are_read_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
