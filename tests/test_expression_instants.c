/* Instants known in advance: every change of a branch of t alone, at the first double that has it,
 * once. The oracle walks through time in small steps and bisects. */

#include "expression/instant.h"
#include "test_expression_support.h"

typedef struct setup {
    const dt_program *program;
    double slots[4];
    dt_branch state[64];
    double *values;
    dt_series *series, inputs[4];
    double stride;
} setup;

static dt_symbol time_name(void *context, const char *name)
{
    if (strcmp(name, "t") == 0) {
        return variable_symbol(DT_VARIABLE_TIME, 0, dt_dimension_unknown);
    }
    return world_name(context, name);
}

static void setup_open(setup *s, world *w, const char *text, double start)
{
    w->scope.name = time_name;
    *s = (setup){.program = parse(w, text), .stride = 100};
    s->values = new_registers(s->program);
    s->series = calloc((size_t)s->program->operation_count, sizeof *s->series);
    assert_non_null(s->series);
    assert_true(s->program->variable_count <= 4 && s->program->switch_count <= 64);
    dt_program_settle_timed(s->program, s->slots, start, s->state, s->values);
}

static void setup_close(setup *s)
{
    free(s->values);
    free(s->series);
}

/* The next change; the branches are then those after it. */
static double next(setup *s, double *from)
{
    for (;;) {
        const dt_instant_question ask = {.program = s->program,
                                         .slots = s->slots,
                                         .state = s->state,
                                         .from = *from,
                                         .stride = s->stride,
                                         .span = 100,
                                         .values = s->values,
                                         .series = s->series,
                                         .inputs = s->inputs};
        const dt_instant found = dt_program_next_instant(&ask);
        s->stride = found.stride;
        if (found.time < INFINITY) {
            assert_true(found.time > *from && found.after >= found.time);
            *from = found.after;
            dt_program_settle_timed(s->program, s->slots, found.after, s->state, s->values);
            return found.time;
        }
        if (isinf(found.clear)) {
            return INFINITY;
        }
        assert_true(found.clear > *from); /* it gets on */
        *from = found.clear;
        if (*from > 1000) {
            return INFINITY;
        }
    }
}

/* Those that are known by heart, to the last bit. */
static void instants_are_exact(void **state)
{
    static const struct {
        const char *text;
        double start, instants[6];
    } table[] = {
        {"if(t < 0.75, 50, 0)", 0, {0.75}},
        {"if(t > 50.003 and t < 50.006, 200, 0)", 0, {0x1.900624dd2f1abp+5, 50.006}},
        {"mod(t, 15)", 0, {15, 30, 45, 60, 75}},
        {"if(mod(t, 15) < 0.75, 50, 0)", 0, {0.75, 15, 15.75, 30, 30.75}},
        {"if(mod(t - 2, 15) < 0.75, 50, 0)", -1, {2, 2.75, 17, 17.75, 32}},
        {"floor(2*t)", 0, {0.5, 1, 1.5, 2, 2.5, 3}},
        {"floor(-2*t)", 0.1, {0x1.0000000000001p-1, 0x1.0000000000001p+0}},
        {"abs(t - 3)", 0, {3}},
        {"max(t, 2)", 0, {0x1.0000000000001p+1}},
        {"min(t^2, 4) + abs(t - 7)", 0, {2, 7}},
        {"sin(t)*x", 0, {INFINITY}},
        {"if(x < 0 and t > 0, 1, 2) + abs(w)", 1, {INFINITY}},
        {"if(2*sin(t) < 3, 1, 2)", 0, {INFINITY}},
        {"if(t^2 + 1 > 0, 1, 2)", 0, {INFINITY}},
        {"if(1 - exp(-t) < 2, 1, 2)", 0, {INFINITY}},
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        setup s;
        double from = table[k].start;
        setup_open(&s, w, table[k].text, from);
        for (int n = 0; n < 6 && table[k].instants[n] != 0; n++) {
            const double t = next(&s, &from);
            if (t != table[k].instants[n]) {
                fail_msg("%s: instant %d is %.17g, not %.17g", table[k].text, n, t,
                         table[k].instants[n]);
            }
        }
        setup_close(&s);
    }
}

/* Against a walk in steps of a ten-thousandth: every change is found, once, and no other. */
static void no_change_is_missed(void **state)
{
    static const char *const texts[] = {
        "if(sin(3*t) > 0.5, 1, 0)",
        "sign(sin(t)*cos(2.3*t))",
        "floor(5*sin(t))",
        "max(sin(t), cos(3*t)) + min(t, 5)",
        "if(mod(t, 0.1) < 0.03, 1, 0)",
        "if(mod(t, 0.7) < 0.3 and mod(t, 1.1) > 0.2, 1, 0)",
        "abs(exp(-t)*sin(10*t))",
        "if(exp(-((t - 5)/0.01)^2) > 0.1, 1, 0)",
        "clamp(t^3 - 6*t^2 + 11*t - 6, -0.2, 0.1)",
        "round(t^2/3)",
        "mod(sin(t) + 2*t, 1)",
        "if(t*sin(t) > 2 or t > 7.123456, 1, 0)",
        "floor(10*tanh(t - 3))*x",
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s, oracle;
        double from = 0.01, after = 0;
        int count = 0;
        setup_open(&s, w, texts[k], from);
        setup_open(&oracle, w, texts[k], from);
        double t = next(&s, &from);
        for (int n = 100; n < 100000; n++) {
            const double end = (n + 1) * 1e-4;
            while (t <= end) { /* all changes inside are changes, and the first doubles */
                const bool now = dt_program_settle_timed(oracle.program, oracle.slots, t,
                                                         oracle.state, oracle.values);
                assert_true(now);
                dt_program_settle_timed(oracle.program, oracle.slots, from, oracle.state,
                                        oracle.values);
                count++;
                after = from;
                t = next(&s, &from);
            }
            if (end > after && dt_program_settle_timed(oracle.program, oracle.slots, end,
                                                       oracle.state, oracle.values)) {
                fail_msg("%s: a change before %.17g is missed; the next one is %.17g", texts[k],
                         end, t);
            }
        }
        assert_true(count >= 2);
        setup_close(&s);
        setup_close(&oracle);
    }
}

/* What touches its border, or lies on it, ends the search neither early nor never. */
static void borders_are_passed(void **state)
{
    static const char *const texts[] = {"if(sin(t) > 1, 1, 0)",
                                        "max(0, (t - 3)^2)",
                                        "if(x*t > 0, 1, 0) + if(t > 20, 1, 0)",
                                        "max(sin(t) - sin(t + 0*t) + x, 0) + if(t > 20, 1, 0)",
                                        "if(sin(1e7*t) > 0.5, 1, 0)",
                                        "if(sin(1e300*t) > 0.5, 1, 0)",
                                        "if(tan(t) > 1, 1, 0)",
                                        "if(1/(t - 2) > 1, 1, 0)",
                                        "floor(exp(t))",
                                        "if(sqrt(t - 5) > 1, 1, 0)"};
    world *w = *state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s;
        double from = 0.5, t = 0;
        setup_open(&s, w, texts[k], from);
        for (int n = 0; n < 200 && t < 30; n++) {
            t = next(&s, &from);
        }
        setup_close(&s);
    }
}

/** Nothing changes any more, whether that is known or not: however often it is asked, a search begins within the run, and gets on. */
static void searches_stay_within_the_run(void **state)
{
    static const char *const texts[] = {"max(exp(t), t)", "abs(t^3 - t + 1)", "max(t, 0)",
                                        "floor(0.3 + 0.2*sin(t))"};
    world *w = *state;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s;
        setup_open(&s, w, texts[k], 2);
        for (int n = 0; n < 300; n++) {
            double from = 2 + 0.1 * n;
            assert_true(next(&s, &from) == INFINITY);
            assert_true(s.stride > 0 && s.stride <= 100);
        }
        setup_close(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(instants_are_exact, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(no_change_is_missed, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(borders_are_passed, world_setup, world_teardown),
        cmocka_unit_test_setup_teardown(searches_stay_within_the_run, world_setup, world_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
