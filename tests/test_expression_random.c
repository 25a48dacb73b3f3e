/* Random expressions against the same computed in C. */

#include "test_expression_support.h"

/* --- Random expressions against the same computed in C ---------------------------------------- */

typedef struct writer {
    char text[4000];
    size_t length;
    uint64_t seed;
    double slots[3];
    bool is_finite; /* every part is */
} writer;

static void put(writer *w, const char *text)
{
    size_t length = strlen(text);
    assert_true(w->length + length < sizeof w->text);
    memcpy(w->text + w->length, text, length + 1);
    w->length += length;
}

static double write_random(writer *w, int depth);

static double write_leaf(writer *w)
{
    static const char *const names[] = {"x", "y", "z"};
    int which = choose(&w->seed, 5);
    if (which < 3) {
        put(w, names[which]);
        return w->slots[which];
    }
    char number[32];
    double value = choose(&w->seed, 9) - 4;
    snprintf(number, sizeof number, value < 0 ? "(%g)" : "%g", value);
    put(w, number);
    return value;
}

static double write_call(writer *w, int which, int depth)
{
    static const char *const names[] = {"sin(",  "exp(",   "abs(", "sign(", "floor(",
                                        "sqrt(", "atan2(", "min(", "max(",  "mod("};
    put(w, names[which]);
    double a = write_random(w, depth - 1);
    double b = 0;
    if (which > 5) {
        put(w, ", ");
        b = write_random(w, depth - 1);
    }
    put(w, ")");
    double results[] = {sin(a),
                        exp(a),
                        fabs(a),
                        (a > 0) - (a < 0),
                        floor(a),
                        sqrt(a),
                        atan2(a + 0.0, b + 0.0),
                        a < b ? a : b,
                        a > b ? a : b,
                        a - b * floor(a / b)};
    return results[which];
}

static double write_operator(writer *w, int which, int depth)
{
    static const char *const names[] = {
        "+", "-", "*", "/", "<", "<=", ">", ">=", "==", " and ", " or "};
    put(w, "(");
    double a = write_random(w, depth - 1);
    put(w, names[which]);
    double b = write_random(w, depth - 1);
    put(w, ")");
    double results[] = {
        a + b,           a - b, a * b, a / b, a<b, a <= b, a> b, a >= b, a == b, a != 0 && b != 0,
        a != 0 || b != 0};
    return results[which];
}

static double write_any(writer *w, int depth)
{
    int which = depth > 0 ? choose(&w->seed, 25) : 24;
    if (which < 11) {
        return write_operator(w, which, depth);
    }
    if (which < 21) {
        return write_call(w, which - 11, depth);
    }
    if (which == 21) {
        put(w, "-");
        return -write_leaf(w);
    }
    if (which == 22) {
        put(w, "if(");
        double c = write_random(w, depth - 1);
        put(w, ", ");
        double a = write_random(w, depth - 1);
        put(w, ", ");
        double b = write_random(w, depth - 1);
        put(w, ")");
        return c != 0 ? a : b;
    }
    return write_leaf(w);
}

static double write_random(writer *w, int depth)
{
    double value = write_any(w, depth);
    w->is_finite = w->is_finite && isfinite(value);
    return value;
}

static void random_expressions_agree_with_c(void **state)
{
    world *w = *state;
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= 5000; seed++) {
        writer r = {.seed = seed, .is_finite = true};
        for (int i = 0; i < 3; i++) {
            r.slots[i] = uniform(&r.seed, -3, 3);
        }
        double expected = write_random(&r, 5);
        const dt_program *program = try_parse(w, r.text, NULL);
        if (!program) { /* a constant part without a value, such as 1/0 */
            assert_non_null(strstr(w->error.message, "finite"));
            assert_false(r.is_finite);
            continue;
        }
        double slots[3] = {0};
        for (int i = 0; i < program->variable_count; i++) {
            slots[i] = r.slots[program->variables[i].index];
        }
        double value = value_of(program, slots);
        if (r.is_finite && !(value == expected)) {
            fail_msg("%s: %.17g is not %.17g", r.text, value, expected);
        }
        compared += r.is_finite;
    }
    assert_true(compared > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_expressions_agree_with_c),
    };
    return cmocka_run_group_tests(tests, world_setup, world_teardown);
}
