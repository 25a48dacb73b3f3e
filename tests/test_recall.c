/* Moments of a run that are put back: all that is read is what it was, on both sides of events. */
#include "test_api_fixture.h"

enum { PARTS = 11, MOST = 16 };

static const detent_quantity parts[PARTS] = {
    DETENT_POSITIONS, DETENT_VELOCITIES, DETENT_STATES,        DETENT_INPUTS,
    DETENT_HELD,      DETENT_MODES,      DETENT_DIRECTIONS,    DETENT_ENERGIES,
    DETENT_OUTPUTS,   DETENT_REACTIONS,  DETENT_ACCELERATIONS,
};

/* What a run was at a moment. */
typedef struct moment_read {
    double time, of[PARTS][MOST];
} moment_read;

static moment_read read_moment(const detent_mechanism *m, detent_simulation *s, bool before)
{
    detent_error e;
    moment_read now = {.time = detent_time(s)};
    for (int k = 0; k < PARTS; k++) {
        const size_t length = detent_quantity_length(m, parts[k]);
        assert_true(length <= MOST);
        must((before ? detent_read_before : detent_read)(s, parts[k], now.of[k], length, &e), &e);
    }
    return now;
}

static detent_moment moment_of(const moment_read *r)
{
    return (detent_moment){.size = sizeof(detent_moment),
                           .time = r->time,
                           .positions = r->of[0],
                           .velocities = r->of[1],
                           .states = r->of[2],
                           .inputs = r->of[3],
                           .held = r->of[4],
                           .modes = r->of[5],
                           .directions = r->of[6],
                           .energies = r->of[7]};
}

/* Accelerations are solved for to rounding, which the matrices magnify little here. */
static void expect_same(const detent_mechanism *m, const moment_read *a, const moment_read *b)
{
    assert_true(a->time == b->time);
    for (int k = 0; k < PARTS; k++) {
        const size_t length = detent_quantity_length(m, parts[k]);
        for (size_t i = 0; i < length; i++) {
            const double x = a->of[k][i], y = b->of[k][i];
            const bool good = k < 7 ? x == y : fabs(x - y) <= 1e-12 * (1 + fabs(x));
            if (!good) {
                fail_msg("quantity %d, number %zu at t = %.17g s: %.17g, not %.17g", parts[k], i,
                         a->time, y, x);
            }
        }
    }
}

static void recall_and_compare(const detent_mechanism *m, detent_simulation *other,
                               const moment_read *wanted)
{
    detent_error e;
    const detent_moment moment = moment_of(wanted);
    must(detent_recall(other, &moment, &e), &e);
    const moment_read got = read_moment(m, other, false);
    expect_same(m, wanted, &got);
}

static void test_every_moment(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s, *other;
    must(detent_simulation_create(m, NULL, &s, &e), &e);
    must(detent_simulation_create(m, NULL, &other, &e), &e);
    size_t events = 0, inputs = 0;
    for (double t = 0.05; t < 3;) {
        const detent_status status = detent_advance(s, t, true, &e);
        assert_true(status >= 0);
        moment_read now = read_moment(m, s, false);
        if (status == DETENT_EVENT) {
            const moment_read before = read_moment(m, s, true);
            recall_and_compare(m, other, &before);
            events++;
        } else {
            t += 0.05;
        }
        recall_and_compare(m, other, &now);
        if (t > 1 && inputs++ == 0) { /* it is put back, too */
            must(detent_set_input(s, 0, 2, &e), &e);
        }
    }
    assert_true(events > 5);
    detent_simulation_destroy(other);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

/* From there it goes on as the run did: another integrator's restart makes other steps, within the tolerance. */
static void test_going_on(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s, *other;
    must(detent_simulation_create(m, NULL, &s, &e), &e);
    must(detent_simulation_create(m, NULL, &other, &e), &e);
    must(detent_advance(s, 0.3, false, &e), &e);
    const moment_read then = read_moment(m, s, false);
    const detent_moment moment = moment_of(&then);
    must(detent_advance(other, 1.7, false, &e), &e);
    must(detent_recall(other, &moment, &e), &e);
    assert_true(detent_time(other) == 0.3);
    must(detent_advance(s, 0.6, false, &e), &e);
    must(detent_advance(other, 0.6, false, &e), &e);
    const moment_read one = read_moment(m, s, false), two = read_moment(m, other, false);
    detent_settings settings = DETENT_INIT(detent_settings);
    must(detent_mechanism_get_settings(m, &settings), &e);
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < detent_quantity_length(m, parts[k]); i++) {
            assert_true(fabs(one.of[k][i] - two.of[k][i]) <= 10 * settings.rtol);
        }
    }
    detent_simulation_destroy(other);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void expect_refused(detent_simulation *s, const detent_moment *moment, const char *words)
{
    detent_error e;
    const double before = detent_time(s);
    assert_int_equal(detent_recall(s, moment, &e), DETENT_ERROR_ARGUMENT);
    if (!strstr(e.message, words)) {
        fail_msg("'%s' is not in '%s'", words, e.message);
    }
    assert_true(detent_time(s) == before);
}

static void test_what_is_none(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s;
    must(detent_simulation_create(m, NULL, &s, &e), &e);
    must(detent_advance(s, 0.1, false, &e), &e);
    moment_read then = read_moment(m, s, false);
    const detent_moment good = moment_of(&then);
    expect_refused(s, NULL, "the moment");
    detent_moment bad = good;
    bad.size = 0;
    expect_refused(s, &bad, "size");
    bad = good;
    bad.positions = NULL;
    expect_refused(s, &bad, "the positions");
    bad = good;
    bad.time = NAN;
    expect_refused(s, &bad, "time is not finite");
    then.of[1][1] = INFINITY;
    expect_refused(s, &good, "the velocities");
    then.of[1][1] = 0;
    then.of[5][0] = 3;
    expect_refused(s, &good, "3 is no mode");
    then.of[5][0] = 2;
    then.of[6][1] = 0.5;
    expect_refused(s, &good, "0.5 is no direction");
    detent_simulation_destroy(s);
    detent_settings settings = DETENT_INIT(detent_settings);
    must(detent_mechanism_get_settings(m, &settings), &e);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = 1e-3;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    must(detent_simulation_create(m, &options, &s, &e), &e);
    then.of[6][1] = 0;
    expect_refused(s, &good, "fixed steps");
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

static void test_what_outputs_read(void **state)
{
    UNUSED(state);
    static const bool wanted[] = {false, true, false, false, false}; /* the last one is none */
    detent_error e;
    detent_mechanism *m = load_two_links();
    detent_simulation *s;
    must(detent_simulation_create(m, NULL, &s, &e), &e);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        assert_int_equal(detent_output_follows_forces(s, k), wanted[k]);
    }
    assert_false(detent_output_follows_forces(NULL, 0));
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_moment), cmocka_unit_test(test_going_on),
        cmocka_unit_test(test_what_is_none), cmocka_unit_test(test_what_outputs_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
