/*
 * What friction laws make of the servo, as L. Borello and M. Dalla Vedova (2014) describe it of theirs: each behaviour on computed signals, beside
 * stiction, the constraint (which test_servo_steps.c holds against a program of its own). Case 1: a step of 1 mm. Case 2: a ramp of 0.25 mm/s.
 */
#include "support_servo.h"

static const double command = 1e-3;

static servo_signals step_with(const char *law, double step)
{
    return servo_run((servo_case){.law = law, .step = step, .end = 0.12, .grid = 2e-5});
}

static servo_signals ramp_with(const char *law, double step)
{
    return servo_run((servo_case){.law = law, .step = step, .ramp = true, .end = 3, .grid = 1e-4});
}

static size_t row_at(const servo_signals *s, double t)
{
    return (size_t)lround(t / (s->t[1] - s->t[0]));
}

/* Changes of the sign of the velocity between two rows. */
static size_t reversals(const servo_signals *s, size_t from, size_t to)
{
    size_t count = 0;
    for (size_t k = from + 1; k <= to; k++) {
        count += s->v[k] * s->v[k - 1] < 0;
    }
    return count;
}

static double largest_speed(const servo_signals *s, size_t from, size_t to)
{
    double most = 0;
    for (size_t k = from; k <= to; k++) {
        most = fmax(most, fabs(s->v[k]));
    }
    return most;
}

/* When stiction has stopped in case 1, and what is looked at behind that. */
static const double stopped = 0.035, late = 0.12;

/* ---- case 1 ---- */

/* It stops beyond the command, to the last bit, with the valve pushing back by less than the static friction. */
static void stiction_stops(void **state)
{
    UNUSED(state);
    servo_signals s = step_with("stiction", 0);
    const size_t rest = servo_rest(&s), last = s.rows - 1;
    assert_true(s.t[rest] < stopped);
    assert_true(s.x[last] > command + 5e-5);
    assert_true(s.active[last] < -1000 && s.active[last] > -servo_static);
    for (size_t k = rest; k < s.rows; k++) {
        assert_true(s.x[k] == s.x[rest]);
    }
    servo_free(&s);
}

static void without_friction_nothing_stops(void **state)
{
    UNUSED(state);
    servo_signals s = step_with("none", 0);
    const size_t last = s.rows - 1;
    for (size_t k = 1; k < s.rows; k++) {
        assert_true(s.v[k] != 0);
    }
    assert_true(fabs(s.x[last] - command) < 1e-6);
    servo_free(&s);
}

/* The mean velocity after the stop of case 1 with steps h; the velocity swings about it, as friction changes its sign every few steps. */
static double creep_of_sign(double h)
{
    servo_signals s = servo_run((servo_case){.law = "sign", .step = h, .end = late, .grid = 5 * h});
    const size_t from = row_at(&s, stopped), middle = row_at(&s, (stopped + late) / 2),
                 last = s.rows - 1;
    const double mean = (s.x[last] - s.x[from]) / (s.t[last] - s.t[from]),
                 swing = largest_speed(&s, from, last), one_step = h * servo_dynamic / servo_mass;
    for (size_t k = from; k < s.rows; k++) {
        assert_true(s.v[k] != 0);
    }
    assert_true(reversals(&s, from, last) > (last - from) / 10);
    assert_true(swing > one_step && swing < 3 * one_step && swing > 2 * fabs(mean));
    assert_true(s.x[from] > s.x[middle] && s.x[middle] > s.x[last] && s.x[last] > command);
    servo_free(&s);
    return mean;
}

/* What leads the piston back to the command is of the step's making: half as long ones, half as fast. */
static void sign_swings_and_creeps(void **state)
{
    UNUSED(state);
    const double mean = creep_of_sign(1e-6), half = creep_of_sign(0.5e-6);
    assert_true(mean < 0);
    runs_near("creep with half the step", half / mean, 0.5, 0.05);
}

/* As if in honey: what pushes it moves it, by FD v / e. */
static void hyperviscous_creeps(void **state)
{
    UNUSED(state);
    servo_signals s = step_with("hyperviscous", 0);
    const size_t from = row_at(&s, stopped + 0.01), last = s.rows - 1;
    assert_int_equal(reversals(&s, from, last), 0);
    for (size_t k = from; k < s.rows; k++) {
        assert_true(s.v[k] < 0);
        runs_near("friction of creep", servo_dynamic * s.v[k] / servo_band, s.active[k],
                  1e-3 * fabs(s.active[k]));
    }
    assert_true(s.x[last] > command && s.x[last] < s.x[from] - 5e-6);
    servo_free(&s);
}

/* Within its band m v' = -(FD - |h|) v / e: the velocity falls by a factor in each instant, and is never 0. */
static void quinn_stops_in_infinite_time(void **state)
{
    UNUSED(state);
    servo_signals s = step_with("quinn", 0);
    size_t compared = 0;
    for (size_t k = servo_first_moved(&s, 1e-5); k + 1 < s.rows; k++) {
        const double dt = s.t[k + 1] - s.t[k];
        assert_true(s.v[k] != 0);
        if (s.t[k] > 0.03 && s.v[k] < 0.1 * servo_band && s.v[k + 1] > 1e-9) {
            const double push = 0.5 * (s.active[k] + s.active[k + 1]),
                         rate = (servo_dynamic - fabs(push)) / (servo_mass * servo_band);
            runs_near("rate of Quinn's stop", log(s.v[k] / s.v[k + 1]) / dt, rate, 2e-3 * rate);
            compared++;
        }
    }
    assert_true(compared > 3);
    servo_free(&s);
}

/* The largest of what acts while the piston stands at the start. */
static double held_at_most(const servo_signals *s, double slow)
{
    double most = 0;
    for (size_t k = 0; fabs(s->v[k]) <= slow; k++) {
        most = fmax(most, s->active[k]);
    }
    return most;
}

/* FS is none of its numbers: it lets go at FD. */
static void quinn_knows_no_static_friction(void **state)
{
    UNUSED(state);
    servo_signals s = step_with("quinn", 0), exact = step_with("stiction", 0);
    const double growth = 40; /* of what acts in a row */
    runs_near("held by Quinn", held_at_most(&s, 1e-9), servo_dynamic, growth);
    runs_near("held by stiction", held_at_most(&exact, 0), servo_static, growth);
    assert_true(held_at_most(&s, 1e-9) <= servo_dynamic * (1 + 1e-6));
    assert_true(held_at_most(&exact, 0) <= servo_static * (1 + 1e-9));
    servo_free(&s);
    servo_free(&exact);
}

static size_t first_row_of_motion(const servo_signals *s)
{
    size_t k = 0;
    while (s->v[k] == 0) {
        k++;
    }
    return k;
}

/* The band has to be left within a step: it holds up to FS + m e / h, and lets go that much later; and it stops as soon as it is in the band. */
static void karnopp_is_late_and_early(void **state)
{
    UNUSED(state);
    const double h = 1e-5;
    servo_case c = {.law = "stiction", .end = late, .grid = h};
    servo_signals exact = servo_run(c);
    c.step = h;
    c.law = "karnopp";
    servo_signals s = servo_run(c);
    const size_t moves = first_row_of_motion(&s), rest = servo_rest(&s), truth = servo_rest(&exact);
    const double held = servo_static + servo_mass * servo_band / h, growth = 20;
    assert_true(s.active[moves - 1] >= held && s.active[moves - 2] < held + growth);
    assert_true(s.t[moves] > exact.t[first_row_of_motion(&exact)] + 4 * h);
    assert_true(s.t[rest] < exact.t[truth] - 4 * h);
    assert_true(s.v[rest - 1] > servo_band && s.v[rest - 1] < 2 * servo_band);
    assert_true(s.x[s.rows - 1] == s.x[rest]);
    servo_free(&s);
    servo_free(&exact);
}

/* No band: it goes and stops within a step or two of the constraint. */
static void borello_goes_and_stops_cleanly(void **state)
{
    UNUSED(state);
    const double h = 1e-5;
    servo_case c = {.law = "stiction", .end = late, .grid = h};
    servo_signals exact = servo_run(c);
    c.step = h;
    c.law = "borello";
    servo_signals s = servo_run(c);
    const size_t rest = servo_rest(&s);
    runs_near("breakaway", s.t[first_row_of_motion(&s)], exact.t[first_row_of_motion(&exact)],
              2.5 * h);
    runs_near("stop", s.t[rest], exact.t[servo_rest(&exact)], 2.5 * h);
    assert_true(s.v[rest - 1] < 0.1 * servo_band);
    assert_true(s.x[s.rows - 1] == s.x[rest]);
    runs_near("where it stops", s.x[rest], exact.x[exact.rows - 1], 1e-6);
    servo_free(&s);
    servo_free(&exact);
}

/* ---- case 2 ---- */

enum { STAIRS = 32 };
static const double slip = 1e-3; /* m/s: four times the ramp; on a stair the piston is faster */

typedef struct stairs {
    size_t count;
    double start[STAIRS]; /* s: when it slips */
    double foot[STAIRS];  /* m: where it stood before */
} stairs;

/* Where it slips: faster than `slip` after having been slower. */
static stairs find_stairs(const servo_signals *s)
{
    stairs found = {0};
    for (size_t k = 1; k < s->rows; k++) {
        if (s->v[k] > slip && s->v[k - 1] <= slip) {
            assert_true(found.count < STAIRS);
            found.start[found.count] = s->t[k];
            found.foot[found.count++] = s->x[k - 1];
        }
    }
    return found;
}

/* After a delay steps of equal height, each a slip and a rest, as fast as the ramp on the whole. */
static void stiction_climbs_stairs(void **state)
{
    UNUSED(state);
    servo_signals s = ramp_with("stiction", 0);
    const stairs all = find_stairs(&s);
    assert_int_equal(all.count, servo_stops(&s, 0));
    assert_true(all.count >= 8);
    for (size_t n = 2; n < all.count; n++) {
        const double height = all.foot[n] - all.foot[n - 1],
                     period = all.start[n] - all.start[n - 1];
        runs_near("height of a stair", height, all.foot[2] - all.foot[1], 1e-8);
        runs_near("speed of the stairs", height / period, servo_rate, 1e-3 * servo_rate);
    }
    servo_free(&s);
}

static void borello_climbs_the_same_stairs(void **state)
{
    UNUSED(state);
    const double h = 1e-5;
    servo_signals s = ramp_with("borello", h), exact = ramp_with("stiction", 0);
    const stairs all = find_stairs(&s), truth = find_stairs(&exact);
    assert_int_equal(all.count, truth.count);
    assert_int_equal(servo_stops(&s, 0), truth.count);
    for (size_t n = 0; n < all.count; n++) {
        /* each stair is off by some steps, and by those of the stairs before */
        runs_near("slip", all.start[n], truth.start[n], 1e-4 * (double)(n + 1));
    }
    servo_free(&s);
    servo_free(&exact);
}

/* Every slip begins late by what the band takes to be overcome, and ends early: higher stairs, and fewer of them. */
static void karnopp_climbs_late(void **state)
{
    UNUSED(state);
    const double h = 1e-5, stiffness = 4.8e10 * 1e-3 * (5e-4 * 100 / 0.15);
    servo_signals s = ramp_with("karnopp", h), exact = ramp_with("stiction", 0);
    const stairs all = find_stairs(&s), truth = find_stairs(&exact);
    const double late_by = servo_mass * servo_band / h / (stiffness * servo_rate);
    assert_true(all.count >= 8 && all.count < truth.count);
    runs_near("first slip", all.start[0], truth.start[0] + late_by, 2e-3);
    for (size_t n = 1; n < all.count; n++) {
        assert_true(all.foot[n] - all.foot[n - 1] > 1.02 * (truth.foot[2] - truth.foot[1]));
    }
    servo_free(&s);
    servo_free(&exact);
}

/* Laws without a static friction follow the ramp behind a constant error, without a stair; those that creep set out at once. */
static void others_climb_none(void **state)
{
    UNUSED(state);
    static const struct {
        const char *law;
        double step, before; /* s: by then it has moved */
    } cases[] = {{"sign", 0, 0.35},  {"sign", 1e-6, 0.2}, {"hyperviscous", 0, 0.1},
                 {"quinn", 0, 0.35}, {"dahl", 0, 0.35},   {"none", 0, 0.02}};
    for (size_t l = 0; l < sizeof cases / sizeof *cases; l++) {
        servo_signals s = servo_run((servo_case){
            .law = cases[l].law, .step = cases[l].step, .ramp = true, .end = 1.5, .grid = 1.03e-4});
        const size_t from = row_at(&s, 0.8), last = s.rows - 1;
        const double behind = servo_rate * s.t[last] - s.x[last];
        assert_int_equal(find_stairs(&s).count, 0);
        assert_int_equal(servo_stops(&s, from), 0);
        assert_true(s.t[servo_first_moved(&s, 1e-6)] < cases[l].before);
        for (size_t k = from; k < s.rows; k++) {
            runs_near("behind the ramp", servo_rate * s.t[k] - s.x[k], behind, 5e-7);
        }
        servo_free(&s);
    }
}

/* Smooth laws with a static friction climb stairs too, but do not stand on them. */
static void smooth_laws_creep_on_their_stairs(void **state)
{
    UNUSED(state);
    static const char *const laws[] = {"stribeck", "lugre"};
    for (size_t l = 0; l < 2; l++) {
        servo_signals s = servo_run(
            (servo_case){.law = laws[l], .ramp = true, .end = 1.5, .grid = 1e-3, .rtol = 1e-6});
        assert_true(find_stairs(&s).count >= 3);
        for (size_t k = 2; k < s.rows; k++) {
            assert_true(s.v[k] != 0);
        }
        servo_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiction_stops),
        cmocka_unit_test(without_friction_nothing_stops),
        cmocka_unit_test(sign_swings_and_creeps),
        cmocka_unit_test(hyperviscous_creeps),
        cmocka_unit_test(quinn_stops_in_infinite_time),
        cmocka_unit_test(quinn_knows_no_static_friction),
        cmocka_unit_test(karnopp_is_late_and_early),
        cmocka_unit_test(borello_goes_and_stops_cleanly),
        cmocka_unit_test(stiction_climbs_stairs),
        cmocka_unit_test(borello_climbs_the_same_stairs),
        cmocka_unit_test(karnopp_climbs_late),
        cmocka_unit_test(others_climb_none),
        cmocka_unit_test(smooth_laws_creep_on_their_stairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
