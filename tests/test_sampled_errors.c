/* Sampled values that are none, and files that are refused: with place and words. */
#include "support_runs.h"

/* A value that is none ends the run, at its instant and with its name. */
static void a_value_must_be_finite(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
                   "joints: {slide: {type: prismatic, base: ground, follower: a, force: u}}\n"
                   "sampled: {u: {every: 0.25, value: 1/(1*t - 0.5)}}\n"
                   "outputs: [u]\nsimulation: {end: 1}\n",
                   NULL);
    detent_simulation *sim = runs_start(m, NULL);
    assert_int_equal(detent_advance(sim, 1, false, &error), DETENT_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "'u'"));
    runs_near("time", detent_time(sim), 0.5, 1e-12);
    assert_true(runs_output(m, sim, "u") == -4); /* what was held before */
    assert_int_equal(detent_advance(sim, 1, false, &error), DETENT_ERROR_NUMERIC);
    runs_end(sim, m);
}

/* ---- what is refused ---- */

static void bad_ones_are_refused(void **state)
{
    UNUSED(state);
    static const struct {
        const char *items;
        int line, column;
        const char *words;
    } cases[] = {
        {"  a: {every: 0, value: 1}\n", 6, 14, "'every' must be positive, not 0"},
        {"  a: {every: -1 ms, value: 1}\n", 6, 14, "must be positive"},
        {"  a: {value: 1}\n", 6, 3, "every"},
        {"  a: {every: 1}\n", 6, 3, "value"},
        {"  a: {every: 1e-300, value: 1}\n", 6, 14, "too many instants"},
        {"  a: {every: 1, value: 1, offset: -1}\n", 6, 35, "negative"},
        {"  a: {every: 1 m, value: 1}\n", 6, 14, "in s"},
        {"  a: {every: 1, value: t, initial: 1 N}\n", 6, 24, ""},
        {"  a: {every: 1, value: b}\n  b: {every: 1, value: 2*a}\n", 7, 24, "circle"},
        {"  a: {every: 1, value: b}\n  b: {every: 2, value: c}\n  c: {every: 1, value: a}\n", 8, 24,
         "circle"},
        {"  pi: {every: 1, value: 1}\n", 6, 3, "reserved"},
        {"  u: {every: 1, value: 1}\n", 6, 3, "already that of a input"},
        {"  a: {every: 1, value: 1}\n  a: {every: 1, value: 1}\n", 7, 3, "a"},
        {"  a: {every: 1, value: dir}\n", 6, 24, "dir"},
        {"  a: {every: 1, value: previous(c)}\n", 6, 33, "'c'"},
        {"  a: {every: 1, value: \"previous(a, 1.5)\"}\n", 6, 37, "integer from 1 to 1000000"},
        {"  a: {every: 1, value: \"previous(a, 0)\"}\n", 6, 37, "integer from 1"},
        {"  a: {every: 1, value: \"previous(a, -2)\"}\n", 6, 37, "not -2"},
        {"  a: {every: 1, value: \"previous(a, 1e7)\"}\n", 6, 37, "integer from 1 to 1000000"},
        {"  a: {every: 1, value: \"previous(a, 2 s)\"}\n", 6, 37, "without unit"},
        {"  a: {every: 1, value: \"previous(a, t)\"}\n", 6, 37, "numbers and parameters"},
        {"  a: {every: 1, value: \"previous(a, u)\"}\n", 6, 37, "numbers and parameters"},
        {"  a: {every: 1, value: \"previous(a, x)\"}\n", 6, 37, "'x'"},
        {"  a: {every: 1, value: \"previous(a, 2, a)\"}\n", 6, 38, "')'"},
        {"  a: {every: 1, value: \"previous(u, 2)\"}\n", 6, 34, "'u'"},
        {"  a: {every: 1, value: \"previous(j, 2)\"}\n", 6, 34, "'j'"},
        {"  a: {every: 1, value: 1}\noutputs: [\"previous(a, 2)\"]\n", 7, 12, "only in sampled"},
        {"  a: {every: 1, value: \"previous(a, 2) + b\", initial: 1 N}\n  b: {every: 1, value: "
         "1*t, "
         "initial: 0 s}\n",
         6, 40, ""},
        {"  a: {every: 1, value: 1}\nchain: {count: 17, sampled: {b: {every: 1, value: "
         "\"previous(b[i], 1000000)\"}}}\n",
         7, 30, "more than 16777216"},
        {"  a: {every: 1, value: 1}\noutputs: [previous(a)]\n", 7, 11, "only in sampled"},
        {"  a: {every: 1, value: position(arm)}\n", 6, 33, "arm"},
        {"  a: {every: 1, value: sampled(b)}\n", 6, 32, "b"},
        {"  a: {every: 1, value: 1}\nparameters: {p: a}\n", 7, 17, "no 'a'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\ninputs: {u: 0}\nbodies: {b: {mass: 1}}\nsampled:\n"
                 "%sjoints: {j: {type: prismatic, base: ground, follower: b}}\n",
                 cases[k].items);
        detent_error error;
        detent_mechanism *m = NULL;
        const detent_status status =
            detent_mechanism_parse(text, strlen(text), "x.yaml", NULL, &m, &error);
        if (status != DETENT_ERROR_MODEL && status != DETENT_ERROR_SYNTAX) {
            fail_msg("accepted:\n%s", text);
        }
        if (error.line != cases[k].line || error.column != cases[k].column ||
            !strstr(error.message, cases[k].words)) {
            fail_msg("%d:%d: %s\n%s", (int)error.line, (int)error.column, error.message, text);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_must_be_finite),
        cmocka_unit_test(bad_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
