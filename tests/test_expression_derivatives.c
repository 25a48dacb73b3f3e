/* Gradients and time jets. Identities first: the forward mode gives what the reverse mode gives.
 * Then against differences, with the branches of every switch recorded, which makes each program a
 * smooth function. */

#include "expression/function.h"
#include "test_expression_support.h"

/* A program with its arrays. */
typedef struct setup {
    const dt_program *program;
    double *registers;
    double slots[8], gradient[8];
    dt_branch branches[64];
} setup;

static void setup_open(setup *s, const dt_program *program)
{
    *s = (setup){.program = program, .registers = new_registers(program)};
    assert_true(program->variable_count <= 8 && program->switch_count <= 64);
}

static double value_at(setup *s, int slot, double value)
{
    double kept = s->slots[slot];
    s->slots[slot] = value;
    double result = dt_program_value(s->program, s->slots, s->branches, s->registers);
    s->slots[slot] = kept;
    return result;
}

static double slope_at(setup *s, int slot, double value)
{
    double gradient[8];
    double kept = s->slots[slot];
    s->slots[slot] = value;
    dt_program_gradient(s->program, s->slots, s->branches, s->registers, gradient);
    s->slots[slot] = kept;
    return gradient[slot];
}

/* Richardson's extrapolation of central differences of f, and what it is good for. NAN where f has
 * no value. */
static double difference(double (*f)(setup *, int, double), setup *s, int slot, double *bound)
{
    double x = s->slots[slot];
    double d[3], size = 0;
    for (int k = 0; k < 3; k++) {
        double h = 0x1p-10 / (1 << k);
        double high = f(s, slot, x + h);
        double low = f(s, slot, x - h);
        size = fmax(size, fmax(fabs(high), fabs(low)));
        d[k] = (high - low) / (2 * h);
    }
    double rough = (4 * d[1] - d[0]) / 3;
    double fine = (4 * d[2] - d[1]) / 3;
    *bound = fabs(fine - rough) + 1e-12 * size * 0x1p12 + 1e-12;
    return isfinite(*bound) ? fine : NAN;
}

/* The gradient against differences in every slot; true if there was something to compare. */
static bool check_gradient(setup *s, const char *text)
{
    bool compared = false;
    dt_program_update_switches(s->program, s->slots, s->branches, s->registers);
    double value =
        dt_program_gradient(s->program, s->slots, s->branches, s->registers, s->gradient);
    assert_true(!isfinite(value) ||
                value == dt_program_value(s->program, s->slots, s->branches, s->registers));
    for (int slot = 0; slot < s->program->variable_count && isfinite(value); slot++) {
        double bound;
        double expected = difference(value_at, s, slot, &bound);
        if (isfinite(expected)) {
            compared = true;
            if (!(fabs(s->gradient[slot] - expected) <= bound)) {
                fail_msg("%s: slot %d of (%.17g, %.17g, %.17g): %.17g, differences %.17g +- %g",
                         text, slot, s->slots[0], s->slots[1], s->slots[2], s->gradient[slot],
                         expected, bound);
            }
        }
    }
    return compared;
}

/* "name(x, y, z)" with as many arguments as the function takes (three if it takes any number). */
static void write_call(const dt_function *function, const char *const arguments[3], char *text,
                       size_t size)
{
    int count = function->max_arguments < 3 ? function->max_arguments : 3;
    int length = snprintf(text, size, "%s(", function->name);
    for (int k = 0; k < count; k++) {
        length +=
            snprintf(text + length, size - (size_t)length, "%s%s", k ? ", " : "", arguments[k]);
    }
    snprintf(text + length, size - (size_t)length, ")");
}

static void every_function_has_its_gradient(void **state)
{
    static const char *const arguments[3] = {"x", "y", "z"};
    world *w = *state;
    uint64_t seed = 1;
    for (int code = 0; code < DT_OPCODES; code++) {
        char text[64];
        if (!dt_functions[code].is_callable) {
            continue;
        }
        write_call(&dt_functions[code], arguments, text, sizeof text);
        setup s;
        setup_open(&s, parse(w, text));
        int compared = 0;
        for (int trial = 0; trial < 300; trial++) {
            double range = trial % 2 ? 1 : 4;
            for (int i = 0; i < 3; i++) {
                s.slots[i] = uniform(&seed, -range, range);
            }
            compared += check_gradient(&s, text);
        }
        assert_true(compared > 50);
        free(s.registers);
    }
}

static void every_operator_has_its_gradient(void **state)
{
    static const char *const texts[] = {
        "-x",
        "x + y",
        "x - y",
        "x*y",
        "x/y",
        "x^y",
        "x^3",
        "x^(-2)",
        "x^2.5",
        "2^x",
        "x^2",
        "x < y",
        "(x < y)*z",
        "(x >= y)*x",
        "if(x == y, x, y)",
        "x*x*x",
        "(x > 0 and y > 0)*z",
        "not x*y",
        "x or y",
        "if(x*y > z, x^2*z, sin(y))",
        "if(x > 0, log(x), 0)",
        "if(x > 0, sqrt(x), -sqrt(-x)*y)",
        "max(x, min(y, z), 0.1)*z^2",
        "sqrt(x^2 + y^2 + z^2)",
        "exp(-x^2)*cos(3*y)/(1 + z^2)",
        "tanh(100*x)*abs(y)",
    };
    world *w = *state;
    uint64_t seed = 2;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s;
        setup_open(&s, parse(w, texts[k]));
        int compared = 0;
        for (int trial = 0; trial < 200; trial++) {
            for (int i = 0; i < 3; i++) {
                s.slots[i] = uniform(&seed, -2, 2);
            }
            compared += check_gradient(&s, texts[k]);
        }
        assert_true(compared > 50);
        free(s.registers);
    }
}

/* Where a derivative is infinite or has no limit it counts as zero; what is finite beside it stays.
 */
static void gradients_stay_finite_at_corners(void **state)
{
    static const struct {
        const char *text;
        double x, y, dx, dy;
    } table[] = {
        {"sqrt(x)*1 + 3*y", 0, 1, 0, 3},
        {"sqrt(x^2 + y^2)", 0, 0, 0, 0},
        {"hypot(x, y)", 0, 0, 0, 0},
        {"hypot(x, y)", 0, 2, 0, 1},
        {"x*hypot(x, y)", 0, 0, 0, 0},
        {"cbrt(x) + y", 0, 0, 0, 1},
        {"x^y", 0, 2, 0, 0},
        {"x^0.5 + y", 0, 0, 0, 1},
        {"x^1.5 + y", 0, 0, 0, 1},
        {"x^y", 1, 3, 3, 0},
        {"x^y", 0, 0, 0, 0},
        {"asin(x) + y", 1, 0, 0, 1},
        {"acos(x) + y", -1, 0, 0, 1},
        {"atan2(x, y)", 0, 0, 0, 0},
        {"atan2(x, y)", 0, 2, 0.5, 0},
        {"abs(x) + y", 0, 0, 1, 1},
        {"sign(x)*y", 0, 5, 0, 0},
        {"if(x > 0, log(x), y)", 0, 5, 0, 1},
        {"if(x > 0, log(x), y)", -1, 5, 0, 1},
        {"if(x != 0, sin(x)/x, 1) + y", 0, 0, 0, 1},
        {"if(x != 0, 1/x, 0)*y", 0, 3, 0, 0},
        {"min(1/x, y)", 0, 3, 0, 1},
        {"(x > 0 and 1/x > 2)*y", 0, 1, 0, 0},
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        setup s;
        setup_open(&s, parse(w, table[k].text));
        int x = slot_of(s.program, DT_VARIABLE_INPUT, 0);
        int y = slot_of(s.program, DT_VARIABLE_INPUT, 1);
        s.slots[x] = table[k].x;
        s.slots[y] = table[k].y;
        for (int recorded = 0; recorded < 2; recorded++) {
            dt_program_update_switches(s.program, s.slots, s.branches, s.registers);
            double value = dt_program_gradient(s.program, s.slots, recorded ? s.branches : NULL,
                                               s.registers, s.gradient);
            assert_true(isfinite(value));
            if (s.gradient[x] != table[k].dx || s.gradient[y] != table[k].dy) {
                fail_msg("%s: %g %g", table[k].text, s.gradient[x], s.gradient[y]);
            }
        }
        free(s.registers);
    }
}

/* --- Jets ------------------------------------------------------------------------------------- */

static void check_jet(setup *s, double time, const char *text)
{
    double jet[3], bound;
    s->slots[0] = time;
    dt_program_update_switches(s->program, s->slots, s->branches, s->registers);
    double value =
        dt_program_gradient(s->program, s->slots, s->branches, s->registers, s->gradient);
    double slope = s->gradient[0];
    dt_program_time_jet(s->program, time, s->branches, s->registers, jet);
    if (!isfinite(value)) {
        return;
    }
    double expected = difference(slope_at, s, 0, &bound);
    assert_true(jet[0] == value);
    if (!(fabs(jet[1] - slope) <= 1e-13 * (1 + fabs(slope)))) {
        fail_msg("%s at t = %.17g: %.17g forward, %.17g backward", text, time, jet[1], slope);
    }
    if (isfinite(expected) && !(fabs(jet[2] - expected) <= bound)) {
        fail_msg("%s at t = %.17g: %.17g, differences %.17g +- %g", text, time, jet[2], expected,
                 bound);
    }
}

static void every_function_has_its_jet(void **state)
{
    static const char *const arguments[3] = {"(0.3*t + 0.1*t^2)", "(1.1 + sin(t))",
                                             "(0.5 + 0.2*t^3)"};
    world *w = *state;
    uint64_t seed = 3;
    for (int code = 0; code < DT_OPCODES; code++) {
        char text[128];
        if (!dt_functions[code].is_callable) {
            continue;
        }
        write_call(&dt_functions[code], arguments, text, sizeof text);
        setup s;
        setup_open(&s, parse(w, text));
        for (int trial = 0; trial < 100; trial++) {
            check_jet(&s, uniform(&seed, -2, 2), text);
        }
        free(s.registers);
    }
}

static void expressions_of_time_have_their_jets(void **state)
{
    static const char *const texts[] = {
        "t",
        "t^2",
        "t^3 - 1*t",
        "0.1*sin(t)",
        "t/(1 + t^2)",
        "(1 + t^2)^(-1.5)",
        "(2 + t)^t",
        "2^t",
        "exp(-t)*sin(20*t)",
        "if(t < 1, t^2, 2*t - 1)",
        "abs(t - 0.5)^3",
        "clamp(t, -1, 1)*t",
        "mod(t, 0.7)*t",
        "if(t > 0, sqrt(t), -t)",
        "min(t^2, 1, 1*t)",
        "atan2(sin(t), cos(t))",
        "hypot(t, 1)",
        "-(t > 0)*t",
        "10 - t",
    };
    world *w = *state;
    uint64_t seed = 4;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s;
        setup_open(&s, parse(w, texts[k]));
        for (int trial = 0; trial < 100; trial++) {
            check_jet(&s, uniform(&seed, -2, 2), texts[k]);
        }
        free(s.registers);
    }
}

static void jets_of_constants_and_corners(void **state)
{
    world *w = *state;
    double jet[3];
    setup s;
    setup_open(&s, parse(w, "3 + 4"));
    dt_program_time_jet(s.program, 5, NULL, s.registers, jet);
    assert_true(jet[0] == 7 && jet[1] == 0 && jet[2] == 0);
    free(s.registers);

    setup_open(&s, parse(w, "if(t > 0, log(t), t^2) + 1*min(t, 1/(1*t))"));
    dt_program_time_jet(s.program, 0, NULL, s.registers, jet);
    assert_true(jet[0] == 0 && jet[1] == 1 && jet[2] == 2);
    free(s.registers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_has_its_gradient),
        cmocka_unit_test(every_operator_has_its_gradient),
        cmocka_unit_test(gradients_stay_finite_at_corners),
        cmocka_unit_test(every_function_has_its_jet),
        cmocka_unit_test(expressions_of_time_have_their_jets),
        cmocka_unit_test(jets_of_constants_and_corners),
    };
    return cmocka_run_group_tests(tests, world_setup, world_teardown);
}
