/*
 * Instants known in advance, and what nothing may depend on: how often somebody looks. Pulses start and end at the
 * first double that says so, once, in every variant; several at one instant are one event; runs are the same to the
 * last bit whatever the rows.
 */
#include "support_variants.h"

/* A block with friction, and what else the format says. */
static detent_mechanism *block(const char *external, const char *more, const char *end)
{
    char text[2048];
    snprintf(
        text, sizeof text,
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {A: {mass: 1}}\n"
        "joints: {a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0], spring: "
        "{stiffness: 1}}}\n"
        "stiction: {a: {velocity_threshold: 1e-4, external: \"%s\", kinetic: 1, static: 1.5}}\n"
        "outputs: [position(a), velocity(a), friction(a)]\n"
        "%s"
        "simulation: {end: %s, interval: %s, max_event_rate: 1e6}\n",
        external, more, end, end);
    return runs_parse(text, NULL);
}

static size_t events_of(const detent_mechanism *m, size_t number, double end)
{
    const detent_settings settings = variant_settings(m, variant_at(number));
    detent_simulation *s = runs_start(m, &settings);
    detent_statistics before = DETENT_INIT(detent_statistics),
                      after = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &before);
    runs_advance(s, end);
    detent_get_statistics(s, &after);
    detent_simulation_destroy(s);
    return after.events - before.events;
}

/* A block that nothing moves: two events a pulse, no more and no less, in periods that no double holds. */
static void every_pulse_is_an_event(void **state)
{
    static const struct {
        const char *external, *end;
        size_t events;
    } table[] = {
        {"if(mod(t, 15) < 0.75, 1, 0)", "151", 21},
        {"if(mod(t, 0.1) < 0.003, 1, 0)", "100.05", 2001},
        {"if(mod(t, 1/3) < 0.1, 1, 0)", "100.05", 600},
        {"if(t > 50.003 and t < 50.006, 1, 0)", "100", 2},
        {"if(t > 0, 1, 0)", "10", 0}, /* belongs to the start */
        {"if(t >= 1e-9, 1, 0)", "10", 1},
        {"floor(10*t)/1000", "10.05", 100},
        {"abs(sin(pi*t))", "100.5", 100},
        {"max(sin(2*pi*t), 0.5)", "10", 20},
        {"sign(cos(pi*t))*0.5", "10", 10},
    };
    UNUSED(state);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        detent_mechanism *m = block(table[k].external, "", table[k].end);
        for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
            const size_t events = events_of(m, number, atof(table[k].end));
            if (events != table[k].events) {
                fail_msg("%s, variant %zu: %zu events, not %zu", table[k].external, number, events,
                         table[k].events);
            }
        }
        detent_mechanism_destroy(m);
    }
}

/* A hundred thousand of them. */
static void many_pulses(void **state)
{
    detent_mechanism *m = block("if(mod(t, 0.1) < 0.003, 1, 0)", "", "10000.05");
    UNUSED(state);
    for (size_t number = 0; number < VARIANTS; number += 4) {
        assert_int_equal(events_of(m, number, 10000.05), 200001);
    }
    detent_mechanism_destroy(m);
}

/* Laws that switch at one instant, up to the rounding of how it is written, are one event. */
static void one_instant_is_one_event(void **state)
{
    static const char loads[] = "loads: {one: {body: A, frame: world, force: [\"if(t > 0.3, 0.1, "
                                "0)\", \"if(mod(t, 0.1) < 0.05, 1, 2)\",\n"
                                "        \"if(10*t - 3 < 0, 1, 2) + floor(t/0.15)\"]}}\n";
    UNUSED(state);
    /* at 0.05, 0.1, 0.15 (two), 0.2, 0.25, 0.3 (four), 0.35 */
    detent_mechanism *m = block("0.1*floor(t*20)", loads, "0.37");
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        assert_int_equal(events_of(m, number, 0.37), 7);
    }
    detent_mechanism_destroy(m);
}

/* A pulse that moves the block: at the first double that is in it. */
static void pulses_begin_at_their_first_double(void **state)
{
    detent_mechanism *m = block("if(t > 50.003 and t < 50.006, 200, 0)", "", "100");
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        runs_log log = {0};
        runs_record(s, 100, &log);
        assert_true(runs_time_of(&log, 0, DETENT_WAIT, 0) == nextafter(50.003, 51));
        assert_int_equal(log.change[1].cause, DETENT_CAUSE_SWITCH);
        runs_log_free(&log);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* The law is asked on either side of its border with the branch that belongs there: sqrt() never sees a negative. */
static void both_sides_of_a_border(void **state)
{
    static const char *const external[] = {"0.9*sqrt(abs(sin(t)))", "0.5*log(max(1, 2 + 3*sin(t)))",
                                           "sqrt(if(t < 3, 3 - t, t - 3))",
                                           "0.9*sqrt(mod(t, 0.1)*10)"};
    UNUSED(state);
    for (int k = 0; k < 3; k++) {
        detent_mechanism *m = block(external[k], "", "7");
        for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
            events_of(m, number, 7);
        }
        detent_mechanism_destroy(m);
    }
}

/* ---- inputs, saved states ---- */

/* A switch that compares t with an input: it changes when the input says so, and then at its instant. */
static void inputs_move_instants(void **state)
{
    detent_mechanism *m = block("if(t > when, 2, 0)", "inputs: {when: 100}\n", "10");
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        detent_error error;
        runs_advance(s, 1);
        runs_must(detent_set_input(s, 0, 3, &error), &error);
        runs_advance(s, 2);
        assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
        runs_must(detent_set_input(s, 0, 2.5, &error), &error);
        runs_log log = {0};
        runs_record(s, 4, &log);
        assert_true(runs_time_of(&log, 0, DETENT_WAIT, 0) == nextafter(2.5, 3));
        runs_must(detent_set_input(s, 0, 8, &error), &error); /* off again at once, until then */
        runs_advance(s, 8);
        runs_near("friction", fabs(runs_output(m, s, "friction(a)")),
                  fabs(runs_position(m, s, "a")), 1e-9);
        runs_log_free(&log);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* A state saved between two pulses, or at one, goes on in the same way. */
static void saved_states_know_their_instants(void **state)
{
    static const double when[] = {0.95, 1, 1.003, 1.02};
    detent_mechanism *m = block("if(mod(t, 0.1) < 0.03, 2, 0)", "", "3");
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        const detent_settings settings = variant_settings(m, variant_at(number));
        for (int k = 0; k < 4; k++) {
            detent_simulation *s = runs_start(m, &settings);
            detent_error error;
            double first[2];
            const size_t size = detent_state_size(s);
            void *bytes = malloc(size);
            runs_advance(s, when[k]);
            runs_must(detent_save_state(s, bytes, size, &error), &error);
            for (int again = 0; again < 2; again++) {
                runs_must(detent_restore_state(s, bytes, size, &error), &error);
                detent_statistics before = DETENT_INIT(detent_statistics),
                                  after = DETENT_INIT(detent_statistics);
                detent_get_statistics(s, &before);
                runs_advance(s, 2.0999);
                detent_get_statistics(s, &after);
                const double now[2] = {runs_position(m, s, "a"),
                                       (double)(after.events - before.events)};
                assert_true(again == 0 || memcmp(first, now, sizeof now) == 0);
                memcpy(first, now, sizeof now);
            }
            free(bytes);
            detent_simulation_destroy(s);
        }
    }
    detent_mechanism_destroy(m);
}

/* ---- rows ---- */

/* The state at the end, and all changes of mode, read at every `interval` on the way. */
static void run_with_rows(const detent_mechanism *m, size_t number, double end, double interval,
                          double state[2], runs_log *log)
{
    const detent_settings settings = variant_settings(m, variant_at(number));
    detent_simulation *s = runs_start(m, &settings);
    for (int row = 1; row * interval < end; row++) {
        runs_record(s, row * interval, log);
        runs_output(m, s, "friction(a)");
    }
    runs_record(s, end, log);
    state[0] = runs_position(m, s, "a");
    state[1] = runs_velocity(m, s, "a");
    detent_simulation_destroy(s);
}

static void compare_rows(const detent_mechanism *m, size_t number, double end)
{
    static const double intervals[] = {10, 1, 0.1, 0.01};
    double first[2], other[2];
    runs_log log[2] = {{0}, {0}};
    run_with_rows(m, number, end, intervals[0], first, &log[0]);
    for (int k = 1; k < 4; k++) {
        run_with_rows(m, number, end, intervals[k], other, &log[1]);
        assert_memory_equal(first, other, sizeof first);
        assert_int_equal(log[0].count, log[1].count);
        for (size_t j = 0; j < log[0].count; j++) {
            assert_true(log[0].change[j].time == log[1].change[j].time);
            assert_true(log[0].change[j].to == log[1].change[j].to);
        }
        runs_log_free(&log[1]);
        log[1] = (runs_log){0};
    }
    runs_log_free(&log[0]);
}

static void nothing_depends_on_the_rows(void **state)
{
    static const struct {
        const char *external, *more;
    } table[] = {
        {"2*sin(t)", ""},
        {"3*sin(t) + sin(7.3*t)", ""},
        {"if(mod(t, 1.5) < 0.3, 4, 0)", ""},
        {"4*exp(-((t - 5)/0.01)^2)", ""},
        {"1.2*sin(3*t)", "loads: {push: {body: A, frame: world, force: [sin(t), cos(5*t), 0]}}\n"},
        {"if(position(a) > sin(t), 2, -2)", ""},
    };
    UNUSED(state);
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        detent_mechanism *m = block(table[k].external, table[k].more, "20");
        for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
            compare_rows(m, number, 20);
        }
        detent_mechanism_destroy(m);
    }
}

/* ---- laws written in C ---- */

static int pulse(void *user, const double *arguments, double *value, double *derivatives)
{
    const double late = (arguments[0] - 5) / 0.05;
    UNUSED(user);
    *value = 2 * exp(-late * late);
    derivatives[0] = -2 * late / 0.05 * *value;
    return 0;
}

/* Nothing is known of these but what they return: steps are a thousandth of the run at most. */
static void laws_in_c_are_sampled(void **state)
{
    UNUSED(state);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        detent_error error;
        detent_mechanism *m = NULL;
        detent_body_def body = DETENT_INIT(detent_body_def);
        detent_joint_def joint = DETENT_INIT(detent_joint_def);
        detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
        runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
        body.name = "A";
        body.mass = 1;
        joint.name = "a";
        joint.type = "prismatic";
        joint.follower = "A";
        stiction.primitive = "a";
        stiction.kinetic = "1";
        stiction.static_limit = "1.5";
        stiction.external = "bump(t)";
        detent_function_def function = DETENT_INIT(detent_function_def);
        function.name = "bump";
        function.argument_count = 1;
        function.function = pulse;
        runs_must(detent_add_function(m, &function, &error), &error);
        runs_must(detent_add_body(m, &body, &error), &error);
        runs_must(detent_add_joint(m, &joint, &error), &error);
        runs_must(detent_add_stiction(m, &stiction, &error), &error);
        runs_must(detent_mechanism_finish(m, &error), &error);
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        runs_log log = {0};
        runs_record(s, 10, &log);
        runs_near("time", runs_time_of(&log, 0, DETENT_WAIT, 0), 5 - 0.05 * sqrt(log1p(1.0 / 3)),
                  1e-9);
        detent_get_statistics(s, &statistics);
        assert_true(statistics.steps >= 1000);
        runs_log_free(&log);
        runs_end(s, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pulse_is_an_event),
        cmocka_unit_test(many_pulses),
        cmocka_unit_test(one_instant_is_one_event),
        cmocka_unit_test(pulses_begin_at_their_first_double),
        cmocka_unit_test(both_sides_of_a_border),
        cmocka_unit_test(inputs_move_instants),
        cmocka_unit_test(saved_states_know_their_instants),
        cmocka_unit_test(nothing_depends_on_the_rows),
        cmocka_unit_test(laws_in_c_are_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
