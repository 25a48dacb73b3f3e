/* A joint that has been released stays released at its very instant: what a law that slides has decided with one branch is not taken
 * back because the other one, to which it returns, would have held the joint as long as it was locked. */
#include "support_variants.h"

/*
 * b goes at t m/s. At 0.1 s the push on a rises from 1.5 N to 2.5 N, which is more than its 2 N; as soon as a moves the push falls back,
 * to more than the 1 N that a takes to slide: v = (t - 0.1) / 2 from then on. A second body with a law that reads its acceleration has
 * something to say at the same instant.
 */
static const char text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
    "  b: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0], force: 1}\n"
    "stiction:\n"
    "  a: {kinetic: 1, static: 2, external: \"if(velocity(b) - 3*velocity(a) < 0.1, 1.5, 2.5)\"}\n"
    "states:\n"
    "  z: {derivative: \"%s\"}\n"
    "outputs: [z]\n"
    "simulation: {end: 1 s, interval: 0.1 s, rtol: 1e-9}\n";

typedef struct reader {
    const char *derivative;
    double before, after; /* what it is */
} reader;

static const reader readers[] = {{"0", 0, 0},
                                 {"abs(acceleration(a) - 1)", 1, 0.5},
                                 {"max(acceleration(a), 1)", 1, 1},
                                 {"abs(acceleration(a) - 0.2)", 0.2, 0.3},
                                 {"sign(acceleration(a) - 1)", -1, -1},
                                 {"min(friction(a), -1.2)", -1.5, -1.2}};

static void stays_released(void **state)
{
    UNUSED(state);
    for (size_t r = 0; r < sizeof readers / sizeof *readers; r++) {
        char file[1024];
        snprintf(file, sizeof file, text, readers[r].derivative);
        detent_mechanism *m = runs_parse(file, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            runs_log log = {0};
            variant_advance(s, v, 0.05);
            runs_record(s, 1, &log);
            assert_int_equal(log.count, 2); /* released, and past its threshold */
            assert_int_equal(log.change[0].to, DETENT_WAIT);
            variant_check(v, "breakaway", log.change[0].time, 0.1, 1e-9);
            variant_check(v, "velocity", runs_velocity(m, s, "a"), 0.45, 1e-8);
            variant_check(v, readers[r].derivative, runs_output(m, s, "z"),
                          0.1 * readers[r].before + 0.9 * readers[r].after, 1e-7);
            runs_log_free(&log);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/* An input is a new story: at one instant 2.5 N let a go, and 1.5 N hold it, whatever slides somewhere else. */
static const char held_text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {u: 0}\n"
    "bodies: {a: {mass: 1}, c: {mass: 1}}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
    "  c: {type: prismatic, base: ground, follower: c, axis: [0, 1, 0], force: \"0.2 - "
    "sign(velocity(c))\"}\n"
    "stiction: {a: {kinetic: 1, static: 2, external: u}}\n"
    "simulation: {end: 3 s, interval: 1 s}\n";

static void inputs_ask_anew(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(held_text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        detent_error error;
        variant_advance(s, v, 1);
        runs_must(detent_set_input(s, 0, 2.5, &error), &error);
        variant_advance(s, v, 1);
        runs_must(detent_set_input(s, 0, 1.5, &error), &error);
        variant_advance(s, v, 2);
        variant_check(v, "velocity", runs_velocity(m, s, "a"), 0, 0);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* Two switches of one law stand on their borders: x sets out and with that pushes y, which sets out at the same instant. */
static const char both_text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
    "joints:\n"
    "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], force: 1.6}\n"
    "  y: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0]}\n"
    "stiction:\n"
    "  y: {kinetic: 1, static: 1.3, external: \"2*if(velocity(x) > 0, 1, 0) - 0.1*%s\"}\n"
    "simulation: {end: 1 s, interval: 0.1 s, rtol: 1e-9}\n";

static void branches_stay_decreed(void **state)
{
    static const char *const brakes[] = {"max(velocity(y), 0)", "sign(velocity(y))",
                                         "if(velocity(y) <= 0, 0, 1)"};
    const double velocities[] = {10 * (1 - exp(-0.1)), 0.9, 0.9};
    UNUSED(state);
    for (size_t b = 0; b < sizeof brakes / sizeof *brakes; b++) {
        char file[1024];
        snprintf(file, sizeof file, both_text, brakes[b]);
        detent_mechanism *m = runs_parse(file, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            variant_advance(s, v, 1);
            variant_check(v, brakes[b], runs_velocity(m, s, "y"), velocities[b], 1e-7);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stays_released),
                                       cmocka_unit_test(inputs_ask_anew),
                                       cmocka_unit_test(branches_stay_decreed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
