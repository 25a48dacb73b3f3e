/* Mechanisms whose motion is known exactly: free oscillator, stick-slip on a belt, joints just below and above their limit.
 *
 * The exact numbers are solutions piece by piece (within one mode the equations are linear), worked out with 40 digits. */

#include "support_changes.h"
#include "support_runs.h"

/* Tolerances at which the error of a run must follow rtol in proportion; atol stays below it throughout. */
static const double rtols[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10};
enum { RTOLS = sizeof rtols / sizeof *rtols };

/* In proportion: slope 1 in the doubly logarithmic plot (0.2 is a factor of 16 over six decades), and no decade that makes
 * things worse. */
static void check_proportion(const char *what, const double error[RTOLS])
{
    /* an error has a sign, and may be nothing by accident: one digit beyond what follows tells no more */
    double counted[RTOLS];
    for (int k = 0; k < RTOLS; k++) {
        counted[k] = k == 0 ? error[k] : fmax(error[k], 0.01 * counted[k - 1]);
    }
    const double slope = runs_slope(rtols, counted, RTOLS);
    for (int k = 0; k < RTOLS && runs_verbose(); k++) {
        print_message("    %s: rtol %.0e, error %.3g\n", what, rtols[k], error[k]);
    }
    runs_near(what, slope, 1.0, 0.2);
    for (int k = 1; k < RTOLS; k++) {
        if (!(error[k] < 1.5 * error[k - 1])) {
            fail_msg("%s: the error grows from %.3g to %.3g where rtol falls from %g to %g", what,
                     error[k - 1], error[k], rtols[k - 1], rtols[k]);
        }
    }
}

/* ---- free oscillator: m = k = F = 1, x = 12, v = 6 ---- */

static const double turning_time[] = {0.43240777557053784, 3.57400042916033108, 6.71559308275012432,
                                      9.85718573633991756, 12.9987783899297108, 16.140371043519504,
                                      19.2819636971092973, 22.4235563506990905};
static const double turning_place[] = {
    13.3178210632763532, -11.3178210632763532, 9.31782106327635315, -7.31782106327635315,
    5.31782106327635315, -3.31782106327635315, 1.31782106327635315, 0.682178936723646846};
enum { TURNS = sizeof turning_time / sizeof *turning_time };

static detent_simulation *start_oscillator(detent_mechanism **mechanism, double rtol)
{
    *mechanism = runs_load("coulomb_oscillator.yaml", NULL);
    const detent_settings settings = runs_settings(*mechanism, rtol, rtol * 0.1);
    return runs_start(*mechanism, &settings);
}

static void test_oscillator_turns_and_stops_where_it_must(void **state)
{
    UNUSED(state);
    detent_mechanism *m;
    detent_simulation *s = start_oscillator(&m, 1e-9);
    detent_error error;
    size_t turns = 0;
    while (detent_advance(s, 30, true, &error) == DETENT_EVENT) {
        size_t count;
        const detent_mode_change *change = last_event(s, &count);
        assert_int_equal(count, 1);
        if (!runs_is_turn(change)) {
            continue;
        }
        assert_true(turns < TURNS);
        runs_near("turning time", change->time, turning_time[turns], 1e-7);
        /* x has amplitudes around 10 here: 1e-8 of the largest */
        runs_near("turning place", runs_position(m, s, "slide"), turning_place[turns], 1e-8 * 12);
        assert_int_equal(change->to, turns + 1 < TURNS ? DETENT_WAIT : DETENT_LOCKED);
        turns++;
    }
    assert_int_equal(turns, TURNS);
    runs_near("final place", runs_position(m, s, "slide"), 15 - sqrt(205), 1e-8);
    assert_true(runs_velocity(m, s, "slide") == 0.0);
    assert_int_equal(runs_mode(m, s, "slide"), DETENT_LOCKED);
    assert_true(runs_relative_energy_gap(s) < 1e-8);
    runs_end(s, m);
}

static void test_oscillator_error_follows_rtol(void **state)
{
    UNUSED(state);
    double place[RTOLS], time[RTOLS];
    for (int k = 0; k < RTOLS; k++) {
        detent_mechanism *m;
        detent_simulation *s = start_oscillator(&m, rtols[k]);
        runs_log log = {0};
        runs_record(s, 30, &log);
        place[k] = fabs(runs_position(m, s, "slide") - (15 - sqrt(205)));
        time[k] = fabs(runs_time_of(&log, 0, DETENT_LOCKED, 0) - turning_time[TURNS - 1]);
        runs_log_free(&log);
        runs_end(s, m);
    }
    check_proportion("final place", place);
    check_proportion("stop time", time);
}

/* ---- block on a belt, dragged block ---- */

typedef struct stick_slip {
    const char *file;
    const char *set[5];
    double first_break, slip, stick, place_of_break, place_of_stick;
} stick_slip;

static const stick_slip belt_a = {.file = "block_on_belt.yaml",
                                  .first_break = 7.5,
                                  .slip = 2.61125925410130959,
                                  .stick = 5.0,
                                  .place_of_break = 0.75,
                                  .place_of_stick = 0.25};
static const stick_slip belt_b = {.file = "block_on_belt.yaml",
                                  .set = {"stiffness=1", "static=1", "kinetic=0.5", "speed=0.2"},
                                  .first_break = 5.0,
                                  .slip = 3.90260540781452301,
                                  .stick = 5.0,
                                  .place_of_break = 1.0,
                                  .place_of_stick = 0.0};
static const stick_slip dragged = {
    .file = "dragged_block.yaml", .first_break = 7.5, .slip = 2.61125925410130959, .stick = 5.0};

/* Breaks and sticks of `periods` periods; the largest error of a time, and of the lengths of slip, stick and period. */
typedef struct stick_slip_errors {
    double time, slip, stick, period;
} stick_slip_errors;

static double later(double a, double b)
{
    return fmax(a, fabs(b));
}

static stick_slip_errors run_stick_slip(const stick_slip *c, double rtol, size_t periods)
{
    detent_mechanism *m = runs_load(c->file, c->set[0] ? c->set : NULL);
    const detent_settings settings = runs_settings(m, rtol, rtol * 0.01);
    detent_simulation *s = runs_start(m, &settings);
    const double period = c->slip + c->stick;
    runs_log log = {0};
    stick_slip_errors e = {0};
    runs_record(s, c->first_break + (double)periods * period - 0.5 * c->stick, &log);
    double before = NAN;
    for (size_t n = 0; n < periods; n++) {
        const double from = runs_time_of(&log, 0, DETENT_WAIT, n),
                     to = runs_time_of(&log, 0, DETENT_LOCKED,
                                       n + 1), /* after the one at the start */
            exact = c->first_break + (double)n * period;
        assert_true(isfinite(from) && isfinite(to));
        e.time = later(e.time, from - exact);
        e.time = later(e.time, to - exact - c->slip);
        e.slip = later(e.slip, to - from - c->slip);
        if (n > 0) {
            e.period = later(e.period, from - before - period);
            e.stick = later(e.stick, from - (before + c->slip) - c->stick);
        }
        before = from;
    }
    assert_int_equal(runs_count_turns(&log), 2 * periods + 1);
    assert_true(runs_relative_energy_gap(s) < 10 * rtol + 1e-12);
    runs_log_free(&log);
    runs_end(s, m);
    return e;
}

static void check_stick_slip(const stick_slip *c, size_t periods)
{
    const stick_slip_errors e = run_stick_slip(c, 1e-9, periods);
    runs_near("times of breaks and sticks", e.time, 0, 1e-7);
    runs_near("slip time", e.slip, 0, 1e-7);
    runs_near("stick time", e.stick, 0, 1e-7);
    runs_near("period", e.period, 0, 1e-7);
}

static void test_belt_a(void **state)
{
    UNUSED(state);
    check_stick_slip(&belt_a, 20);
}

static void test_belt_b(void **state)
{
    UNUSED(state);
    check_stick_slip(&belt_b, 20);
}

static void test_dragged_block(void **state)
{
    UNUSED(state);
    check_stick_slip(&dragged, 20);
}

static void test_belt_breaks_and_sticks_at_the_right_places(void **state)
{
    UNUSED(state);
    const stick_slip *const cases[] = {&belt_a, &belt_b};
    for (int k = 0; k < 2; k++) {
        detent_mechanism *m = runs_load(cases[k]->file, cases[k]->set[0] ? cases[k]->set : NULL);
        detent_simulation *s = runs_start(m, NULL);
        detent_error error;
        while (detent_advance(s, 60, true, &error) == DETENT_EVENT) {
            const double x = runs_output(m, s, "x");
            size_t count;
            const detent_mode_change *change = last_event(s, &count);
            if (change->to == DETENT_WAIT) {
                runs_near("place of break", x, cases[k]->place_of_break, 1e-8);
            } else if (change->to == DETENT_LOCKED) {
                runs_near("place of stick", x, cases[k]->place_of_stick, 1e-8);
            }
        }
        runs_end(s, m);
    }
}

static void test_belt_error_follows_rtol(void **state)
{
    UNUSED(state);
    double time[RTOLS];
    for (int k = 0; k < RTOLS; k++) {
        time[k] = run_stick_slip(&belt_a, rtols[k], 3).time;
    }
    check_proportion("times of breaks and sticks", time);
}

/* ---- one joint, pushed ---- */

static void test_push_below_the_limit_moves_nothing(void **state)
{
    UNUSED(state);
    const char *const set[] = {"push=1", NULL};
    detent_mechanism *m = runs_load("prismatic_push.yaml", set);
    detent_simulation *s = runs_start(m, NULL);
    for (int k = 1; k <= 100; k++) {
        runs_advance(s, 0.1 * k);
        assert_true(runs_position(m, s, "rail") == 0.0);
        assert_true(runs_velocity(m, s, "rail") == 0.0);
    }
    runs_near("friction", runs_output(m, s, "friction(rail)"), -1.0, 1e-14);
    runs_end(s, m);
}

static void test_push_above_the_limit_moves(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_load("prismatic_push.yaml", NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 1);
    runs_near("moved", runs_position(m, s, "rail"), 0.25, 1e-9);
    runs_near("velocity", runs_velocity(m, s, "rail"), 0.5, 1e-9);
    runs_end(s, m);
}

/* ---- a locked joint under nearly its limit, while others move ----
 *
 * A sled with a pendulum hanging from it and a rider on a spring. The push makes up for what both do to the sled (the spring's
 * force, the pendulum's horizontal reaction), so that the load on the lock is `share` of the limit at all times, to
 * the rounding of forces that never rest. */
static const char hold_text[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {share: 0.999, limit: 100 N}\n"
    "bodies:\n"
    "  sled: {mass: 1 kg}\n"
    "  rider: {mass: 0.5 kg}\n"
    "  bob: {mass: 2 kg, center_of_mass: [0, -1, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "joints:\n"
    "  floor: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0]}\n"
    "  seat: {type: prismatic, base: sled, follower: rider, axis: [1, 0, 0],\n"
    "         spring: {stiffness: 5 N/m}, initial: {position: 0.3 m}}\n"
    "  swing: {type: revolute, base: sled, follower: bob, initial: {position: 60 deg}}\n"
    "signals:\n"
    "  pull: cos(position(swing))*reaction_force(swing, x) - "
    "sin(position(swing))*reaction_force(swing, y)\n"
    "stiction:\n"
    "  floor: {velocity_threshold: 1e-4, static: limit, kinetic: 0.8*limit,\n"
    "          external: \"share*limit - 5 [N/m]*position(seat) + pull\"}\n"
    "outputs: [pull]\n"
    "simulation: {end: 1000 s, rtol: 1e-6, atol: 1e-8}\n";

static void test_lock_below_its_limit_never_creeps(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(hold_text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    double pull = 0, seat = 0;
    for (int k = 1; k <= 1000; k++) {
        detent_error error;
        double margin;
        runs_advance(s, k);
        assert_int_equal(runs_mode(m, s, "floor"), DETENT_LOCKED);
        assert_true(runs_position(m, s, "floor") == 0.0);
        assert_true(runs_velocity(m, s, "floor") == 0.0);
        runs_must(detent_read(s, DETENT_MARGINS, &margin, 1, &error), &error);
        if (!(fabs(margin - 0.1) < 1e-9)) {
            fail_msg("margin %.15g at %d s", margin, k);
        }
        pull = fmax(pull, fabs(runs_output(m, s, "pull")));
        seat = fmax(seat, fabs(runs_velocity(m, s, "seat")));
    }
    assert_true(pull > 10 && seat > 0.5); /* the others have not come to rest */
    runs_end(s, m);
}

static void test_lock_above_its_limit_breaks_in_the_first_step(void **state)
{
    UNUSED(state);
    const char *const set[] = {"share=1.001", NULL};
    detent_mechanism *m = runs_parse(hold_text, set);
    detent_simulation *s = runs_start(m, NULL);
    int direction = 0;
    assert_int_equal(detent_get_mode(s, 0, &direction), DETENT_WAIT);
    assert_int_equal(direction, 1);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    assert_int_equal(statistics.steps, 0);
    runs_advance(s, 1e-3);
    assert_true(runs_velocity(m, s, "floor") > 0.0);
    runs_end(s, m);
}

/* The load grows slowly through the limit: the lock holds until it does, and breaks when it does. */
static void test_lock_breaks_when_the_load_passes_its_limit(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {sled: {mass: 1 kg}}\n"
        "joints: {floor: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0]}}\n"
        "stiction: {floor: {velocity_threshold: 1e-4, static: 100 N, kinetic: 100 N,\n"
        "                   external: \"0.1 [N/s]*t\"}}\n"
        "simulation: {end: 1010 s, max_step: 50 s}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_log log = {0};
    runs_record(s, 1001, &log);
    runs_near("time of the break", runs_time_of(&log, 0, DETENT_WAIT, 0), 1000, 1e-6);
    /* from there x = 0.1 (t - 1000)^3 / 6 */
    runs_near("place", runs_position(m, s, "floor"), 0.1 / 6, 1e-6);
    runs_log_free(&log);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oscillator_turns_and_stops_where_it_must),
        cmocka_unit_test(test_oscillator_error_follows_rtol),
        cmocka_unit_test(test_belt_a),
        cmocka_unit_test(test_belt_b),
        cmocka_unit_test(test_dragged_block),
        cmocka_unit_test(test_belt_breaks_and_sticks_at_the_right_places),
        cmocka_unit_test(test_belt_error_follows_rtol),
        cmocka_unit_test(test_push_below_the_limit_moves_nothing),
        cmocka_unit_test(test_push_above_the_limit_moves),
        cmocka_unit_test(test_lock_below_its_limit_never_creeps),
        cmocka_unit_test(test_lock_above_its_limit_breaks_in_the_first_step),
        cmocka_unit_test(test_lock_breaks_when_the_load_passes_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
