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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stays_released),
                                       cmocka_unit_test(inputs_ask_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
