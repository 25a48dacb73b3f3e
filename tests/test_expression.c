/* The language: values, names, signals, dimensions. */

#include "test_expression_support.h"

static void assert_near(double a, double b, const char *text)
{
    if (!(fabs(a - b) <= 1e-14 * (1 + fabs(b)))) {
        fail_msg("%s: %.17g is not %.17g", text, a, b);
    }
}

static const struct {
    const char *text;
    double value;
} constants[] = {
    {"1", 1},
    {" 1e-3\n", 1e-3},
    {".5", 0.5},
    {"1.", 1},
    {"1.e1", 10},
    {"1E+2", 100},
    {"-4", -4},
    {"+4", 4},
    {"- -4", 4},
    {"1 + 2*3", 7},
    {"(1 + 2)*3", 9},
    {"10 - 4 - 3", 3},
    {"100/10/5", 2},
    {"2*6/3*5", 20},
    {"-2^2", -4},
    {"(-2)^2", 4},
    {"2^3^2", 512},
    {"2^-1", 0.5},
    {"2^-2^2", 0.0625},
    {"-2^-2", -0.25},
    {"2*-3", -6},
    {"2 - -3", 5},
    {"2--3", 5},
    {"-3*-3", 9},
    {"-1 + 2", 1},
    {"4^0.5", 2},
    {"0^0", 1},
    {"1 < 2", 1},
    {"2 < 1", 0},
    {"1 <= 1", 1},
    {"1 < 1", 0},
    {"1 >= 1", 1},
    {"1 > 1", 0},
    {"1 == 1", 1},
    {"1 != 1", 0},
    {"1 + 1 == 2", 1},
    {"1 < 2 and 3 < 2", 0},
    {"1 < 2 or 3 < 2", 1},
    {"1 or 1 and 0", 1},
    {"(1 or 1) and 0", 0},
    {"not 1 == 2", 1},
    {"not 0 and 0", 0},
    {"not (0 and 0)", 1},
    {"not not 5", 1},
    {"1 and not 0", 1},
    {"5 and 2", 1},
    {"(1 < 2)*5", 5},
    {"if(1, 2, 3)", 2},
    {"if(0, 2, 3)", 3},
    {"if(1 > 2, 1, if(2 > 1, 20, 30))", 20},
    {"if(zero != 0, 1/zero, 7)", 7},
    {"if(zero == 0, 7, sqrt(-1))", 7},
    {"if(zero != 0 and 1/zero > 2, 1, 0)", 0},
    {"if(zero == 0 or 1/zero > 2, 1, 0)", 1},
    {"pi", 3.14159265358979323846},
    {"2*pi", 6.28318530717958647693},
    {"two^10", 1024},
    {"sin(pi/6)", 0.5},
    {"cos(0)", 1},
    {"tan(pi/4)", 1},
    {"asin(1)", 1.57079632679489661923},
    {"acos(1)", 0},
    {"atan(1)", 0.78539816339744830962},
    {"atan2(1, -1)", 2.35619449019234492885},
    {"atan2(0, 0)", 0},
    {"sinh(1)", 1.1752011936438014569},
    {"cosh(1)", 1.5430806348152437785},
    {"tanh(1)", 0.76159415595576488812},
    {"exp(1)", 2.71828182845904523536},
    {"log(exp(2))", 2},
    {"log10(1000)", 3},
    {"sqrt(16)", 4},
    {"cbrt(-27)", -3},
    {"hypot(3, 4)", 5},
    {"abs(-3)", 3},
    {"abs(3)", 3},
    {"sign(-3)", -1},
    {"sign(0)", 0},
    {"sign(3)", 1},
    {"min(3)", 3},
    {"min(3, 1, 2)", 1},
    {"max(3, 1, 2)", 3},
    {"min(1, 1)", 1},
    {"max(4, 3, 2, 1, 5)", 5},
    {"floor(2.5)", 2},
    {"floor(-2.5)", -3},
    {"ceil(2.5)", 3},
    {"ceil(-2.5)", -2},
    {"round(2.5)", 3},
    {"round(-2.5)", -2},
    {"round(2.4)", 2},
    {"mod(7, 3)", 1},
    {"mod(-7, 3)", 2},
    {"mod(7, -3)", -2},
    {"mod(15, 15)", 0},
    {"clamp(5, 0, 2)", 2},
    {"clamp(-5, 0, 2)", 0},
    {"clamp(1, 0, 2)", 1},
    {"0*x", 0},
    {"x^0", 1},
    {"x < x", 0},
    {"x <= x", 1},
    {"((((((((((1))))))))))", 1},
};

static void constants_have_their_values(void **state)
{
    world *w = *state;
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        const dt_program *program = parse(w, constants[i].text);
        assert_true(program->is_constant);
        assert_int_equal(program->variable_count, 0);
        assert_int_equal(program->operation_count, 1);
        assert_near(program->constant, constants[i].value, constants[i].text);
        assert_near(value_of(program, NULL), constants[i].value, constants[i].text);
        assert_string_equal(program->text, constants[i].text);
    }
}

static void quantities_have_si_values(void **state)
{
    static const struct {
        const char *text;
        double value;
        const dt_dimension *dimension;
    } table[] = {
        {"30 deg", 0.52359877559829887308, &dt_dimension_none},
        {"30deg", 0.52359877559829887308, &dt_dimension_none},
        {"5 lbf*ft", 6.7790897416570001, &dt_dimension_torque},
        {"-2 N", -2, &dt_dimension_force},
        {"+2N", 2, &dt_dimension_force},
        {"2 m^2/s", 2, NULL},
        {"3 kg m2 s-2", 3, &dt_dimension_torque},
        {"5 1/s", 5, &dt_dimension_angular_velocity},
        {"20 degC", 293.15, NULL},
        {"-20 degC", 253.15, NULL},
        {"60 rpm", 6.2831853071795862, &dt_dimension_angular_velocity},
        {"5 N*m", 5, &dt_dimension_torque},
        {"9.81 m/s\xc2\xb2", 9.81, &dt_dimension_acceleration},
        {" 2 mm ", 0.002, &dt_dimension_length},
        {"1 + 2 [N*m]/(1 [N*m])", 3, NULL},
        {"5 [N*m] + 1 N * 2 m", 7, &dt_dimension_torque},
        {"10 mm + 1 cm", 0.02, &dt_dimension_length},
        {"2 s + 3 s", 5, &dt_dimension_time},
        {"(2 m)^2", 4, NULL},
        {"2 [t]", 2000, &dt_dimension_mass},
        {"sqrt(4 [m^2])", 2, &dt_dimension_length},
        {"cbrt(8 [m^3])", 2, &dt_dimension_length},
        {"10 m / 2 s", 5, &dt_dimension_velocity},
        {"min(10 mm, 1 m)", 0.01, &dt_dimension_length},
        {"hypot(3 m, 4 m)", 5, &dt_dimension_length},
        {"mod(7 m, 3)", 1, &dt_dimension_length},
        {"if(1 m < 2 m, 1 N, 2)", 1, &dt_dimension_force},
        {"sin(30 deg)", 0.5, &dt_dimension_unknown},
        {"-(2 N)", -2, &dt_dimension_force},
        {"2 pi", 6.28318530717958647693, &dt_dimension_none},
        {"5 min", 300, &dt_dimension_time},
        {"1 m == 100 cm and 1 s > 0", 1, &dt_dimension_unknown},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const dt_program *program = parse(w, table[i].text);
        assert_near(program->constant, table[i].value, table[i].text);
        const dt_dimension *dimension = table[i].dimension;
        if (dimension) {
            assert_int_equal(program->dimension.known, dimension->known);
            assert_memory_equal(program->dimension.exponent, dimension->exponent, 7);
        }
    }
}

static void expected_dimension_is_checked(void **state)
{
    static const struct {
        const char *text;
        const dt_dimension *expected;
        bool fits;
    } table[] = {
        {"5", &dt_dimension_force, true},
        {"5 N", &dt_dimension_force, true},
        {"5 N", &dt_dimension_torque, false},
        {"5 N", &dt_dimension_unknown, true},
        {"30 deg", &dt_dimension_none, true},
        {"30 deg", &dt_dimension_length, false},
        {"30 m", &dt_dimension_none, false},
        {"5 N*m/rad", &dt_dimension_rotational_stiffness, true},
        {"1 rad/s", &dt_dimension_angular_velocity, true},
        {"1 m/s", &dt_dimension_angular_velocity, false},
        {"sin(t)", &dt_dimension_force, true},
        {"sin(2*t)", &dt_dimension_force, true},
        {"2*t", &dt_dimension_force, true},
        {"t", &dt_dimension_force, false},
        {"F", &dt_dimension_force, true},
        {"F + 1", &dt_dimension_force, true},
        {"F + 1", &dt_dimension_length, false},
        {"F*s", &dt_dimension_torque, true},
        {"F*s", &dt_dimension_force, false},
        {"2*F*s", &dt_dimension_force, true},
        {"s/t", &dt_dimension_velocity, true},
        {"s^2/len", &dt_dimension_length, true},
        {"if(x > 0, s, len)", &dt_dimension_length, true},
        {"if(x > 0, s, len)", &dt_dimension_force, false},
        {"abs(s)", &dt_dimension_force, false},
        {"sign(u)*(3 N)", &dt_dimension_force, true},
        {"atan2(s, len)", &dt_dimension_none, true},
        {"s^x", &dt_dimension_none, false},
        {"(s/len)^x", &dt_dimension_none, true},
        {"sqrt(s)", &dt_dimension_force, true},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        bool fits = try_parse(w, table[i].text, table[i].expected) != NULL;
        if (fits != table[i].fits) {
            fail_msg("%s: %s", table[i].text, fits ? "fits" : w->error.message);
        }
        if (!fits) {
            assert_int_equal(w->error.status, DETENT_ERROR_MODEL);
        }
    }
}

static void names_and_readings_become_variables(void **state)
{
    static const struct {
        const char *text;
        dt_variable variable;
    } table[] = {
        {"x", {DT_VARIABLE_INPUT, 0}},
        {"t", {DT_VARIABLE_TIME, 0}},
        {"dir", {DT_VARIABLE_DIRECTION, 0}},
        {"position(elbow)", {DT_VARIABLE_POSITION, 2}},
        {"position ( wrist.r2 )", {DT_VARIABLE_POSITION, 3}},
        {"position(link[i-1])", {DT_VARIABLE_POSITION, 16}},
        {"position(link[16])", {DT_VARIABLE_POSITION, 16}},
        {"position(link[2^4])", {DT_VARIABLE_POSITION, 16}},
        {"position(grid[i][two].r1)", {DT_VARIABLE_POSITION, 17}},
        {"reaction_force(elbow)", {DT_VARIABLE_REACTION_FORCE, 2}},
        {"reaction_force(elbow, x)", {DT_VARIABLE_REACTION_FORCE_X, 2}},
        {"spin(elbow)", {DT_VARIABLE_VELOCITY, 2}},
    };
    world *w = *state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const dt_program *program = parse(w, table[i].text);
        double slot = 0.25;
        assert_int_equal(program->variable_count, 1);
        assert_int_equal(program->variables[0].kind, table[i].variable.kind);
        assert_int_equal(program->variables[0].index, table[i].variable.index);
        assert_false(program->is_constant);
        assert_int_equal(program->depends_on_time, i == 1);
        assert_true(value_of(program, &slot) == slot);
    }
}

static void equal_parts_are_computed_once(void **state)
{
    world *w = *state;
    assert_int_equal(parse(w, "sin(x*y) + sin(y*x)")->operation_count, 5);
    assert_int_equal(parse(w, "if(x > 0, y, z) - if(0 < x, y, z)")->switch_count, 1);
    assert_int_equal(parse(w, "min(x, x)")->operation_count, 1);
    assert_int_equal(parse(w, "x + 0*sin(y)")->operation_count, 1);
    assert_int_equal(parse(w, "x + 0*sin(y)")->variable_count, 1);
    assert_int_equal(parse(w, "if(x > 0, y, y)")->variable_count, 1);
    assert_int_equal(parse(w, "1*x/1 + 0 - 0")->operation_count, 1);
}

/* s0 = x, s(k) = s(k-1) + s(k-1): 2^n x with n + 1 operations. */
static void signals_that_double_stay_small(void **state)
{
    enum { COUNT = 3000 };
    static char texts[COUNT][2][32];
    static signal_text signals[COUNT + 1];
    (void)state;
    for (int k = 0; k < COUNT; k++) {
        snprintf(texts[k][0], sizeof texts[k][0], "s%d", k);
        snprintf(texts[k][1], sizeof texts[k][1], k ? "s%d + s%d" : "x", k - 1, k - 1);
        signals[k] = (signal_text){texts[k][0], texts[k][1]};
    }
    world w;
    world_open(&w, signals);
    const dt_program *program = parse(&w, "s1000");
    assert_int_equal(program->operation_count, 1001);
    assert_true(value_of(program, (double[]){1}) == 0x1p1000);
    assert_true(w.lookups < 1010);
    assert_int_equal(parse(&w, "s2999")->operation_count, 3000);
    world_close(&w);
}

static void signals_are_parsed_in_place(void **state)
{
    static const signal_text signals[] = {
        {"a", "2 m"},       {"b", "a + c"}, {"c", "s*x"},       {"elbow", "elbow"},
        {"N", "N"},         {"e1", "1 +"},  {"e2", "1 + nope"}, {"e3", "a + 1 N"},
        {"e4", "1 + e2"},   {"l1", "l2"},   {"l2", "1 + l3*x"}, {"l3", "x - l1"},
        {"own", "own + 1"}, {"g[2]", "x"},  {"bad", "1/0"},     {NULL, NULL},
    };
    static const struct {
        const char *text, *message;
        int line, column;
    } errors[] = {
        {"e1 + 1", "expected", 6, 8},
        {"x*e2", "'nope'", 7, 9},
        {"x*e4", "'nope'", 7, 9},
        {"e3", "dimension", 8, 7},
        {"l1", "l1 -> l2 -> l3 -> l1", 12, 9},
        {"x + l2", "l2 -> l3 -> l1 -> l2", 10, 5},
        {"own", "own -> own", 13, 5},
        {"bad", "division by zero", 15, 6},
        {"position(link[a])", "numbers and parameters", 3, 24},
    };
    (void)state;
    world w;
    world_open(&w, signals);
    const dt_program *program = parse(&w, "b + b");
    double slots[] = {3, 5};
    assert_true(value_of(program, slots) == 34);
    assert_true(program->dimension.known);
    /* The item elbow, the unit N are no signals here. */
    parse(&w, "position(elbow) + 5 N + 0*x");
    assert_int_equal(parse(&w, "g[two]")->variable_count, 1);
    parse(&w, "if(zero, bad, 1)");

    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        assert_null(try_parse(&w, errors[i].text, NULL));
        if (!strstr(w.error.message, errors[i].message) || w.error.line != errors[i].line ||
            w.error.column != errors[i].column) {
            fail_msg("%s: %d:%d %s", errors[i].text, w.error.line, w.error.column, w.error.message);
        }
        assert_string_equal(w.error.file, errors[i].line == 3 ? "arm.yaml" : "signals.yaml");
    }
    world_close(&w);
}

static void constants_are_programs(void **state)
{
    world *w = *state;
    const dt_program *constant = dt_program_constant(&w->arena, 2.5);
    assert_true(constant->is_constant && value_of(constant, NULL) == 2.5);
    assert_int_equal(constant->operation_count, 1);
}

/* ---- functions of the program ---- */

static size_t asked;

/* x^2 y, none where x is negative. */
static int square(void *user, const double *x, double *value, double *slope)
{
    (void)user;
    asked++;
    *value = x[0] * x[0] * x[1];
    slope[0] = 2 * x[0] * x[1];
    slope[1] = x[0] * x[0];
    return x[0] < 0 ? 5 : 0;
}

static const dt_callback square_of = {"square", 2, square, NULL};

static const dt_callback *find_square(void *context, const char *name, const char **nearest)
{
    (void)context;
    if (nearest) {
        *nearest = NULL;
    }
    return strcmp(name, "square") == 0 ? &square_of : NULL;
}

/* Signals are arguments, equal calls are one, and a gradient asks once. */
static void calls_of_functions(void **state)
{
    (void)state;
    const signal_text signals[] = {{"sum", "x + square(y, 1)"}, {NULL, NULL}};
    world w;
    world_open(&w, signals);
    w.scope.callback = find_square;
    const dt_program *p = parse(&w, "square(sum, x)*square(sum, x) + square(x, x)");
    double registers[64], gradient[2], slots[2];
    assert_true(DT_PROGRAM_REGISTERS(p) <= 64 && p->variable_count == 2 && p->has_calls);
    const bool x_first = p->variables[0].index == 0;
    const double x = 1.5, y = -2, s = x + y * y, f = s * s * x;
    slots[!x_first] = x;
    slots[x_first] = fabs(y);
    asked = 0;
    assert_near(dt_program_gradient(p, slots, NULL, registers, gradient), f * f + x * x * x,
                "value");
    assert_int_equal(asked, 3);
    assert_near(gradient[!x_first], 2 * f * (2 * s * x + s * s) + 3 * x * x, "by x");
    assert_near(gradient[x_first], 2 * f * 2 * s * x * 2 * fabs(y), "by y");
    world_close(&w);
}

static void calls_that_fail(void **state)
{
    (void)state;
    world w;
    world_open(&w, NULL);
    w.scope.callback = find_square;
    static const struct {
        const char *text;
        bool fails;
    } cases[] = {{"if(y > 0, x, square(x, 1))", false},
                 {"if(y < 0, x, square(x, 1))", true},
                 {"if(square(x, 1) > 0, 1, 2)", true},
                 {"max(square(x, y), 100)", true},
                 {"square(square(x, y), 1)", true},
                 {"abs(x) + square(y, x)", false},
                 {"mod(square(x, 1), 2) + 1", true},
                 {"1 or square(x, 1)", false},
                 {"not square(x, 1)", true}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const dt_program *p = parse(&w, cases[k].text);
        double registers[64], slots[2] = {0};
        dt_branch branches[8];
        dt_call_failure failure;
        for (int i = 0; i < p->variable_count; i++) {
            slots[i] = p->variables[i].index == 0 ? -1 : 2; /* x, y */
        }
        const double live = dt_program_value(p, slots, NULL, registers);
        assert_int_equal(dt_program_failed_call(p, registers, live, &failure), cases[k].fails);
        assert_true(!cases[k].fails || (failure.callback == &square_of && failure.code == 5));
        dt_program_settle_switches(p, slots, NULL, branches, registers);
        const double held = dt_program_value(p, slots, branches, registers);
        assert_int_equal(dt_program_failed_call(p, registers, held, &failure), cases[k].fails);
        assert_true(cases[k].fails ? isnan(held) : isfinite(held));
    }
    world_close(&w);
}

/* What goes with t goes as nobody knows: not in advance. Where nothing goes a call is a number. */
static void calls_and_time(void **state)
{
    (void)state;
    world w;
    world_open(&w, NULL);
    w.scope.callback = find_square;
    const dt_program *p = parse(&w, "if(t > 1, square(t, x), 0) + if(square(t, 1) > x, 1, 2)");
    assert_int_equal(p->switch_count, 2);
    assert_true(dt_program_is_timed(p, 0) && !dt_program_is_timed(p, 1));
    const dt_program *call = parse(&w, "square(t, x)");
    const int time = dt_variable_is(call->variables[0], DT_OF_TIME) ? 0 : 1;
    dt_series slots[2], registers[8];
    dt_pace variables[2] = {DT_PACE_CONSTANT, DT_PACE_CONSTANT}, operations[8];
    assert_true(call->operation_count <= 8);
    assert_int_equal(dt_program_pace(call, variables, operations), DT_PACE_CONSTANT);
    assert_false(dt_program_calls_go(call, operations));
    variables[time] = DT_PACE_STEADY;
    assert_int_equal(dt_program_pace(call, variables, operations), DT_PACE_ANY);
    assert_true(dt_program_calls_go(call, operations));
    dt_series_constant(3, 2, &slots[time]);
    dt_series_constant(2, 2, &slots[!time]);
    dt_program_enclose(call, slots, NULL, 2, false, registers);
    const dt_series *last = &registers[call->operation_count - 1];
    assert_true(dt_series_is_constant(last, 2) && last->c[0].lo == 18);
    slots[time].c[0] = (dt_interval){3, 4};
    dt_program_enclose(call, slots, NULL, 2, false, registers);
    assert_true(isinf(last->c[0].lo) && isinf(last->c[0].hi));
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_have_their_values),
        cmocka_unit_test(quantities_have_si_values),
        cmocka_unit_test(expected_dimension_is_checked),
        cmocka_unit_test(names_and_readings_become_variables),
        cmocka_unit_test(equal_parts_are_computed_once),
        cmocka_unit_test(signals_that_double_stay_small),
        cmocka_unit_test(signals_are_parsed_in_place),
        cmocka_unit_test(constants_are_programs),
        cmocka_unit_test(calls_of_functions),
        cmocka_unit_test(calls_that_fail),
        cmocka_unit_test(calls_and_time),
    };
    return cmocka_run_group_tests(tests, world_setup, world_teardown);
}
