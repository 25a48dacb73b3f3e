/*
 * Branches that a jump makes wrong before anybody has looked: inputs that are set between steps, and the friction of
 * another joint that turns round. The laws are continuous or not; their values are those of formulas in all variants.
 */
#include "support_variants.h"

/* ---- inputs ---- */

typedef struct change {
    double time, input;
} change;

/** Runs in every variant with inputs set at instants; compares where joint `x` is at the end, and whether it rests. */
static void expect(const char *text, const change *changes, size_t count, double end,
                   double position, double velocity)
{
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        for (size_t c = 0; c < count; c++) {
            detent_error error;
            variant_advance(s, v, changes[c].time);
            runs_must(detent_set_input(s, 0, changes[c].input, &error), &error);
        }
        variant_advance(s, v, end);
        runs_near(variant_name(v), runs_position(m, s, "x"), position, 1e-7);
        runs_near(variant_name(v), runs_velocity(m, s, "x"), velocity, 1e-7);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

#define FILE_OF(bodies) "detent: 1\ngravity: [0, 0, 0]\ninputs: {u: 1}\nbodies: {" bodies "}\n"
#define BLOCK           FILE_OF("block: {mass: 1}")

/*
 * Pushed with 0.9: held by 1.2, from t = 1 with friction 0.25 (a = 0.65), from 2 on with that of `negative` (-1), from
 * 3 on with 2 (a = -1.1) until it rests.
 */
static void limits_follow_inputs(void **state)
{
    static const struct {
        const char *law;
        double negative;
    } given[] = {{"max(0, u)", 0},
                 {"abs(u)", 0.5},
                 {"max(0, u - max(0, t - 100))", 0},
                 {"max(0, u - max(0, position(x) - 100))", 0},
                 {"abs(u - max(0, velocity(x) - 100))", 0.5},
                 {"max(u, -u/2 - max(0, reaction_force(x) - 100))", 0.25}};
    static const change changes[] = {{1, 0.5}, {2, -1}, {2.5, -1}, {3, 4}};
    UNUSED(state);
    for (size_t n = 0; n < sizeof given / sizeof *given; n++) {
        char text[700];
        snprintf(text, sizeof text,
                 BLOCK
                 "joints: {x: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
                 "stiction: {x: {velocity_threshold: 1e-3, external: 0.9, kinetic: \"0.5*(%s)\", "
                 "static: \"1.2*(%s)\"}}\n"
                 "simulation: {end: 5, rtol: 1e-10, atol: 1e-12}\n",
                 given[n].law, given[n].law);
        const double a = 0.9 - given[n].negative, v = 0.65 + a;
        expect(text, changes, 4, 5, 0.325 + 0.65 + 0.5 * a + v * v / 2.2, 0);
    }
}

/* Forces with several borders that one change passes at once: 0.3 |u| + floor(u), from 1 over 3.5 to -2.5. */
static void forces_follow_inputs(void **state)
{
    static const change changes[] = {{1, 3.5}, {2, -2.5}};
    static const char text[] =
        BLOCK "joints: {x: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], "
              "force: \"0.3*abs(u) + floor(u)\"}}\n"
              "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";
    const double a[] = {1.3, 4.05, -2.25};
    double x = 0, v = 0;
    UNUSED(state);
    for (int k = 0; k < 3; k++) {
        x += v + 0.5 * a[k];
        v += a[k];
    }
    expect(text, changes, 2, 3, x, v);
}

/* A relay that slides where u is: from v = 1 at t = 1 with a = -2 to -1 at t = 2, and on. */
static void sliding_relay_follows_input(void **state)
{
    static const change changes[] = {{2, -1}};
    static const char text[] =
        BLOCK "joints: {x: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], "
              "initial: {velocity: 3}, force: \"-2*sign(velocity(x) - u)\"}}\n"
              "simulation: {end: 4, rtol: 1e-10, atol: 1e-12}\n";
    UNUSED(state);
    expect(text, changes, 1, 4, 2 + 1 + 0 - 1, -1);
}

/* ---- friction of another joint ---- */

/*
 * Joint `other` starts at 1 m/s, is slowed down by -3 and its friction 1, and turns round at t = 0.25: its friction jumps
 * from -1 to 1. Another joint x reads it.
 */
static void read_friction(const char *kinetic, const char *limit, double external, double start,
                          double end, double position, double velocity)
{
    char text[900];
    snprintf(
        text, sizeof text,
        FILE_OF("block: {mass: 1}, other: {mass: 1}") "joints:\n"
                                                      "  other: {type: prismatic, base: ground, "
                                                      "follower: other, axis: [1, 0, 0], initial: "
                                                      "{velocity: 1}}\n"
                                                      "  x: {type: prismatic, base: ground, "
                                                      "follower: block, axis: [0, 1, 0], initial: "
                                                      "{velocity: %g}}\n"
                                                      "stiction:\n"
                                                      "  other: {velocity_threshold: 1e-3, "
                                                      "external: -3, kinetic: 1, static: 1}\n"
                                                      "  x: {velocity_threshold: 1e-3, external: "
                                                      "%g, kinetic: \"%s\", static: \"%s\"}\n"
                                                      "simulation: {end: 3, rtol: 1e-10, atol: "
                                                      "1e-12}\n",
        start, external, kinetic, limit);
    expect(text, NULL, 0, end, position, velocity);
}

/* The same friction before and after, then one that triples. */
static void kinetic_friction_follows(void **state)
{
    const double v = 1 - 0.25 * 0.25, x = 0.25 - 0.5 * 0.25 * 0.25 * 0.25;
    UNUSED(state);
    read_friction("0.5*abs(friction(other))", "abs(friction(other))", 0.2, 1, 2, 2 - 0.5 * 0.3 * 4,
                  1 - 0.3 * 2);
    read_friction("0.25 + 0.5*max(0, friction(other))", "1 + abs(friction(other))", 0, 1, 2,
                  x + v * v / 1.5, 0);
    read_friction("0.25 + 0.5*max(0, -friction(other))", "1", 0, 1, 1,
                  1 - 0.5 * 0.75 * 0.0625 - 0.75 * 0.25 * 0.75 - 0.5 * 0.25 * 0.75 * 0.75,
                  1 - 0.75 * 0.25 - 0.25 * 0.75);
}

/* Held by |f| and by its two halves; by a limit that fades to 0.2 it is not: from t = 0.25 on a = 0.8 - 0.1. */
static void static_limits_follow(void **state)
{
    UNUSED(state);
    read_friction("0.5*abs(friction(other))", "0.9*abs(friction(other))", 0.8, 0, 2, 0, 0);
    read_friction("0.1", "max(0.9*friction(other), -0.9*friction(other))", -0.8, 0, 2, 0, 0);
    read_friction("0.1", "0.2 + 0.9*max(0, -friction(other))", 0.8, 0, 2, 0.5 * 0.7 * 1.75 * 1.75,
                  0.7 * 1.75);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_follow_inputs),        cmocka_unit_test(forces_follow_inputs),
        cmocka_unit_test(sliding_relay_follows_input), cmocka_unit_test(kinetic_friction_follows),
        cmocka_unit_test(static_limits_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
