/* Enclosures of programs over intervals of t. What must hold of every one of them: the values and
 * derivatives at all points of the interval are inside, in doubles too; the series of a part is
 * inside that of the whole; every coefficient bounds the differences of the one before (mean value).
 * And where a function is monotone the enclosure is its range. The time runs in the slot of x. */

#include "expression/function.h"
#include "expression/series.h"
#include "test_expression_support.h"

/* A program with its arrays; x is the time. */
typedef struct setup {
    const dt_program *program;
    const char *text;
    double *values;
    dt_series *registers;
    double slots[8];
    dt_branch branches[64];
    int time; /* slot of x, -1: not read */
} setup;

static void setup_open(setup *s, world *w, const char *text)
{
    *s = (setup){.program = parse(w, text), .text = text};
    assert_true(s->program->variable_count <= 8 && s->program->switch_count <= 64);
    s->values = new_registers(s->program);
    s->registers = calloc((size_t)s->program->operation_count, sizeof *s->registers);
    assert_non_null(s->registers);
    s->time = slot_of(s->program, DT_VARIABLE_INPUT, 0);
}

static void setup_close(setup *s)
{
    free(s->values);
    free(s->registers);
}

static void record_branches(setup *s, double t)
{
    if (s->time >= 0) {
        s->slots[s->time] = t;
    }
    dt_program_update_switches(s->program, s->slots, s->branches, s->values);
}

static dt_series enclose(setup *s, double lo, double hi, int order)
{
    dt_series slots[8];
    for (int k = 0; k < s->program->variable_count; k++) {
        dt_series_constant(s->slots[k], DT_SERIES_ORDER, &slots[k]);
    }
    if (s->time >= 0) {
        slots[s->time].c[0] = (dt_interval){lo, hi};
        slots[s->time].c[1] = dt_interval_point(1);
    }
    dt_program_enclose(s->program, slots, s->branches, order, false, s->registers);
    return s->registers[s->program->operation_count - 1];
}

/* Value, first derivative and half the second one at t, by plain arithmetic. */
static void taylor(setup *s, double t, double c[3])
{
    double first[8];
    s->slots[s->time] = t;
    c[0] = dt_program_value(s->program, s->slots, s->branches, s->values);
    dt_program_gradient(s->program, s->slots, s->branches, s->values, first);
    c[1] = first[s->time];
    c[2] = NAN;
    if (s->program->variable_count == 1) {
        double jet[3];
        dt_program_time_jet(s->program, t, s->branches, s->values, jet);
        c[2] = 0.5 * jet[2];
    }
}

/* Plain derivatives round as they like: what they are good for is left to them. */
static bool holds(dt_interval a, double x, double rounding)
{
    const double room = rounding * fabs(x);
    return !isfinite(x) || (a.lo <= x + room && x - room <= a.hi);
}

static void check_samples(setup *s, double lo, double hi, const dt_series *whole)
{
    static const double rounding[3] = {0, 1e-12, 1e-9};
    for (int k = 0; k <= 16; k++) {
        double c[3];
        taylor(s, k < 16 ? lo + (hi - lo) * k / 16 : hi, c);
        for (int j = 0; j < 3; j++) {
            if (!holds(whole->c[j], c[j], rounding[j])) {
                fail_msg("%s over [%.17g, %.17g] at %.17g: c%d = %.17g not in [%.17g, %.17g]",
                         s->text, lo, hi, s->slots[s->time], j, c[j], whole->c[j].lo,
                         whole->c[j].hi);
            }
        }
    }
}

/* Points inside the whole, and differences inside the next coefficient. */
static void check_mean_value(setup *s, double lo, double hi, const dt_series *whole)
{
    const double a = lo + 0.3 * (hi - lo), b = lo + 0.8 * (hi - lo);
    const dt_series at_a = enclose(s, a, a, DT_SERIES_ORDER),
                    at_b = enclose(s, b, b, DT_SERIES_ORDER);
    for (int k = 0; k < DT_SERIES_ORDER; k++) {
        const dt_interval one = at_a.c[k], other = at_b.c[k], next = whole->c[k + 1];
        /* f_k(b) - f_k(a) = (k + 1) f_(k+1)(somewhere) (b - a); NaN and infinite ends tell nothing */
        const double low = (k + 1) * next.lo * (b - a), high = (k + 1) * next.hi * (b - a);
        if (other.hi - one.lo < low || other.lo - one.hi > high || one.lo > whole->c[k].hi ||
            one.hi < whole->c[k].lo) {
            fail_msg("%s over [%.17g, %.17g]: coefficient %d", s->text, lo, hi, k);
        }
    }
}

static void check(setup *s, double lo, double hi)
{
    record_branches(s, 0.5 * (lo + hi));
    const dt_series whole = enclose(s, lo, hi, DT_SERIES_ORDER);
    for (int k = 0; k <= DT_SERIES_ORDER; k++) {
        assert_true(whole.c[k].lo <= whole.c[k].hi);
    }
    if (s->time >= 0) {
        check_samples(s, lo, hi, &whole);
        check_mean_value(s, lo, hi, &whole);
    }
}

static double random_width(uint64_t *seed)
{
    return pow(10, uniform(seed, -9, 1));
}

static void every_function_is_enclosed(void **state)
{
    static const char *const unary[] = {"x", "3*x - 1", "x^2", "x*y", "2 - x", "sin(x)"};
    static const char *const other[] = {"y", "x", "x + z", "cos(x)"};
    world *w = *state;
    uint64_t seed = 5;
    for (int code = 0; code < DT_OPCODES; code++) {
        const dt_function *f = &dt_functions[code];
        for (int trial = 0; f->is_callable && trial < 24; trial++) {
            char text[128];
            int length = snprintf(text, sizeof text, "%s(%s", f->name, unary[trial % 6]);
            const int count = f->max_arguments < 3 ? f->max_arguments : 3;
            for (int k = 1; k < count; k++) {
                length += snprintf(text + length, sizeof text - (size_t)length, ", %s",
                                   other[(trial / 6 + k - 1) % 4]);
            }
            snprintf(text + length, sizeof text - (size_t)length, ")");
            setup s;
            setup_open(&s, w, text);
            for (int n = 0; n < 200; n++) {
                for (int k = 0; k < 8; k++) {
                    s.slots[k] = uniform(&seed, -3, 3);
                }
                const double lo = uniform(&seed, -3, 3);
                check(&s, lo, lo + random_width(&seed));
            }
            setup_close(&s);
        }
    }
}

/* A random expression, at most `depth` deep, appended to `text`. */
static void write_random(uint64_t *seed, int depth, char *text, size_t size)
{
    static const char *const leaves[] = {"x", "x", "x", "y", "0.7", "2", "z", "1e-3"};
    static const char *const forms[] = {"(%s + %s)",
                                        "(%s - %s)",
                                        "(%s*%s)",
                                        "%s/(2 + cos(%s))",
                                        "max(%s, %s)",
                                        "min(%s, %s)",
                                        "sin(%s)",
                                        "cos(%s)",
                                        "exp(-(%s)^2)",
                                        "tanh(%s)",
                                        "atan(%s)",
                                        "sqrt(1 + (%s)^2)",
                                        "abs(%s)",
                                        "mod(%s, 3)",
                                        "(%s)^3",
                                        "if(%s < %s, 1, sin(x))",
                                        "hypot(%s, %s)",
                                        "log(1 + (%s)^2)",
                                        "cbrt(%s)",
                                        "floor(%s)",
                                        "atan2(%s, 1 + abs(%s))",
                                        "(1 + (%s)^2)^1.5"};
    char one[2048], two[2048];
    if (depth == 0) {
        snprintf(text, size, "%s", leaves[(int)uniform(seed, 0, 8)]);
        return;
    }
    write_random(seed, depth - 1, one, sizeof one / 2);
    write_random(seed, depth - 1, two, sizeof two / 2);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
    snprintf(text, size, forms[(int)uniform(seed, 0, 22)], one, two);
#pragma GCC diagnostic pop
}

static void random_programs_are_enclosed(void **state)
{
    world *w = *state;
    uint64_t seed = 11;
    int tried = 0;
    for (int n = 0; n < 1500; n++) {
        char text[4096];
        setup s;
        write_random(&seed, 1 + n % 4, text, sizeof text);
        if (!try_parse(w, text, NULL)) {
            continue; /* a division of constants by zero, or the like */
        }
        setup_open(&s, w, text);
        for (int k = 0; k < 10; k++) {
            for (int j = 0; j < 8; j++) {
                s.slots[j] = uniform(&seed, -2, 2);
            }
            const double lo = uniform(&seed, -20, 20);
            check(&s, lo, lo + random_width(&seed));
            tried++;
        }
        setup_close(&s);
    }
    assert_true(tried > 10000);
}

/* Where f is monotone, and reads t once, its enclosure is [f(lo), f(hi)] up to rounding. */
static void monotone_pieces_are_tight(void **state)
{
    static const struct {
        const char *text;
        double lo, hi;
    } table[] = {
        {"sin(x)", -1.5, 1.5},
        {"cos(x)", 0.01, 3.1},
        {"tan(x)", -1.5, 1.5},
        {"exp(x)", -5, 5},
        {"exp(-x)", 0, 30},
        {"log(x)", 0.1, 100},
        {"x^3", -2, 3},
        {"x^2", 1, 5},
        {"x^0.5", 1, 9},
        {"x^(-2)", 1, 9},
        {"sqrt(x)", 0, 9},
        {"cbrt(x)", -1, 9},
        {"tanh(x)", -3, 3},
        {"atan(x)", -30, 30},
        {"asin(x)", -1, 1},
        {"acos(x)", -1, 1},
        {"sinh(x)", -3, 3},
        {"cosh(x)", 0, 3},
        {"log10(x)", 1, 1000},
        {"mod(x, 15)", 31, 44},
        {"abs(x)", 1, 2},
        {"max(x, 3)", 4, 5},
        {"1/x", 1, 100},
        {"2^x", -3, 3},
        {"exp(-((x - 5)/1e-4)^2)", 5.0001, 5.0004},
        {"atan2(x, 1)", -3, 4},
        {"hypot(x, 1)", 1, 4},
        {"3 - 2*x", -1, 4},
        {"if(x > 2, x, -x)", 3, 4},
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        setup s;
        setup_open(&s, w, table[k].text);
        record_branches(&s, 0.5 * (table[k].lo + table[k].hi));
        const dt_series y = enclose(&s, table[k].lo, table[k].hi, 1);
        s.slots[s.time] = table[k].lo;
        const double a = dt_program_value(s.program, s.slots, s.branches, s.values);
        s.slots[s.time] = table[k].hi;
        const double b = dt_program_value(s.program, s.slots, s.branches, s.values);
        const double width = y.c[0].hi - y.c[0].lo, room = 64 * DBL_EPSILON * (fabs(a) + fabs(b));
        if (!(width <= fabs(b - a) + room + 1e-300)) {
            fail_msg("%s: width %.17g, range %.17g", s.text, width, fabs(b - a));
        }
        setup_close(&s);
    }
}

/* Extrema inside are found, exactly. */
static void extrema_are_exact(void **state)
{
    world *w = *state;
    setup s;
    setup_open(&s, w, "sin(x)");
    const dt_series crest = enclose(&s, 1, 2, 2), all = enclose(&s, 0, INFINITY, 2);
    assert_true(crest.c[0].hi == 1 && crest.c[0].lo > 0.84);
    assert_true(crest.c[1].lo < 0 && crest.c[1].hi > 0);
    assert_true(all.c[0].lo == -1 && all.c[0].hi == 1 && all.c[1].lo == -1 && all.c[1].hi == 1);
    setup_close(&s);
    /* far from a narrow pulse everything is as good as zero */
    setup_open(&s, w, "exp(-((x - 5)/1e-4)^2)");
    const dt_series before = enclose(&s, 0, 4.99, DT_SERIES_ORDER);
    for (int k = 0; k <= DT_SERIES_ORDER; k++) {
        assert_true(dt_interval_size(before.c[k]) < 1e-240);
    }
    setup_close(&s);
    /* the third derivative of a parabola is zero, exactly */
    setup_open(&s, w, "3*x^2 + 2*x - 1");
    const dt_series parabola = enclose(&s, -1, 4, 3);
    assert_true(parabola.c[3].lo == 0 && parabola.c[3].hi == 0);
    assert_true(parabola.c[2].lo <= 3 && parabola.c[2].hi >= 3);
    setup_close(&s);
}

/* The pole, the domain's end, the jump: nothing is known there, and nobody is told otherwise. */
static void what_is_not_known_is_whole(void **state)
{
    static const char *const texts[] = {"1/x",           "log(x)",      "sqrt(x)",     "x^0.5",
                                        "tan(x + pi/2)", "asin(x + 1)", "atan2(x, -1)"};
    world *w = *state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s;
        setup_open(&s, w, texts[k]);
        const dt_series y = enclose(&s, -1, 1, 2);
        assert_true(y.c[1].lo == -INFINITY && y.c[1].hi == INFINITY);
        setup_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_function_is_enclosed, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(random_programs_are_enclosed, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(monotone_pieces_are_tight, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(extrema_are_exact, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(what_is_not_known_is_whole, world_setup, world_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
