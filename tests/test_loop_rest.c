/*
 * What stands still because a locked joint holds its loop, in all variants: other joints of the loop have velocities and
 * accelerations that are exactly zero, and coordinates that stay as they are to the last bit, whatever moves beside it and whatever
 * it carries, as long as the joint is locked.
 */
#include "support_variants.h"

enum { MOST = 128 };

/** What is at rest, by name; ended by NULL. */
typedef const char *const *names;

static double read_of(const detent_mechanism *m, detent_simulation *sim, detent_quantity quantity,
                      const char *name)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_error error;
    double all[MOST];
    detent_mechanism_get_info(m, &info);
    assert_in_range(info.freedoms, 1, MOST);
    assert_int_equal(info.freedoms, info.coordinates);
    runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p), &error);
    runs_must(detent_read(sim, quantity, all, info.freedoms, &error), &error);
    return all[p.first_freedom];
}

static void must_be(variant v, double t, const char *what, const char *name, double is,
                    double should)
{
    if (is != should) {
        fail_msg("%s, %g s: %s of %s is %.17g instead of %.17g", variant_name(v), t, what, name, is,
                 should);
    }
}

/** From `start` to the end of `text` all of `resting` rests; `moving` does not. */
static void rests(const char *text, double start, names resting, const char *moving)
{
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        enum { ROWS = 200 };
        const variant v = variant_at(n);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double first[MOST], way = 0;
        detent_settings settings = DETENT_INIT(detent_settings);
        detent_mechanism_get_settings(m, &settings);
        for (int row = 0; row <= ROWS; row++) {
            const double t = start + row * (settings.end - start) / ROWS;
            variant_advance(sim, v, t);
            for (int k = 0; resting[k]; k++) {
                const double q = read_of(m, sim, DETENT_POSITIONS, resting[k]);
                first[k] = row == 0 ? q : first[k];
                must_be(v, t, "position", resting[k], q, first[k]);
                must_be(v, t, "velocity", resting[k],
                        read_of(m, sim, DETENT_VELOCITIES, resting[k]), 0);
                must_be(v, t, "acceleration", resting[k],
                        read_of(m, sim, DETENT_ACCELERATIONS, resting[k]), 0);
            }
            way += moving ? fabs(runs_velocity(m, sim, moving)) : 1;
        }
        assert_true(way > 1);
        runs_end(sim, m);
    }
}

/* Two four-bars on a swinging plate. */
#define FOUR_BAR(name, x, speed)                                                                \
    "  crank_" name ": {type: revolute, base: plate, follower: a_" name ", at: {base: [" x      \
    ", 0, 0]}, initial: {position: 1, velocity: " speed "}}\n"                                  \
    "  pin_" name ": {type: revolute, base: a_" name ", follower: b_" name                      \
    ", at: {base: [0.3, 0, 0]}, initial: {position: -0.5}}\n"                                   \
    "  foot_" name ": {type: revolute, base: plate, follower: c_" name ", at: {base: [0.9 + " x \
    ", 0, 0]}, initial: {position: 1.5}}\n"                                                     \
    "  head_" name ": {type: revolute, base: c_" name ", follower: b_" name                     \
    ", at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -1}, closes: true}\n"
#define BARS(name)                                                                          \
    "  a_" name ": {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.001, 0.01, 0.01]}\n" \
    "  b_" name ": {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.001, 0.1, 0.1]}\n"    \
    "  c_" name ": {mass: 1.5, center_of_mass: [0.3, 0, 0], inertia: [0.001, 0.05, 0.05]}\n"

static const char plate[] =
    "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
    "  plate: {mass: 30, center_of_mass: [0.2, -0.7, 0], inertia: [3, 3, 5]}\n" BARS("1")
        BARS("2") "joints:\n"
                  "  swing: {type: revolute, base: ground, follower: plate, initial: {velocity: "
                  "2}}\n" FOUR_BAR("1", "-0.4", "0")
                      FOUR_BAR("2", "0.3", "9") "stiction:\n"
                                                "  crank_1: {kinetic: 150, static: 200}\n"
                                                "  foot_2: {kinetic: 0.2, static: 0.25}\n"
                                                "simulation: {end: 3, rtol: 1e-7}\n";

/** One of them is held, the other one moves, and so does the plate. */
static void beside_what_moves(void **state)
{
    static const char *const resting[] = {"crank_1", "pin_1", "head_1", "foot_1", NULL};
    (void)state;
    rests(plate, 0, resting, "pin_2");
}

/** It comes to rest by itself, and a force grows to near its limit. */
static void under_a_growing_force(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  plate: {mass: 30}\n" BARS(
            "1") "joints:\n"
                 "  swing: {type: prismatic, base: ground, follower: plate, spring: {stiffness: "
                 "1e4}, "
                 "initial: {velocity: 1}}\n" FOUR_BAR(
                     "1", "-0.4", "3") "stiction: {foot_1: {kinetic: 15e3, static: 20e3}}\n"
                                       "loads: {push: {body: a_1, torque: [0, 0, 700*t]}}\n"
                                       "simulation: {end: 4, rtol: 1e-7}\n";
    static const char *const resting[] = {"crank_1", "pin_1", "head_1", "foot_1", NULL};
    (void)state;
    rests(text, 0.5, resting, "swing");
}

/** A scissor lift of eight stages: more loops than are closed by dense matrices. Its foot is locked. */
static void a_tower_of_loops(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -9.81]\n"
        "parameters: {N: 8, L: 1, angle: 0.5}\n"
        "chain:\n"
        "  count: N\n"
        "  index: k\n"
        "  bodies:\n"
        "    up: {mass: 2, inertia: [0.01, L^2/6, L^2/6]}\n"
        "    down: {mass: 2, inertia: [0.01, L^2/6, L^2/6]}\n"
        "  joints:\n"
        "    left: {type: revolute, base: \"down[k-1]\", follower: \"up[k]\", axis: [0, -1, 0],\n"
        "      at: {base: [L/2, 0, 0], follower: [-L/2, 0, 0]}, initial: {position: 2*angle - "
        "pi}}\n"
        "    cross: {type: revolute, base: \"up[k]\", follower: \"down[k]\", axis: [0, -1, 0], "
        "initial: {position: pi - 2*angle}}\n"
        "    right: {type: revolute, base: \"up[k-1]\", follower: \"down[k]\", axis: [0, -1, 0],\n"
        "      at: {base: [L/2, 0, 0], follower: [-L/2, 0, 0]}, initial: {position: pi - 2*angle}, "
        "closes: true}\n"
        "  first:\n"
        "    joints:\n"
        "      left: {base: ground, at: {base: null}, initial: {position: angle}}\n"
        "      right: null\n"
        "      foot: {type: custom, row: [p, r], base: ground, follower: \"down[1]\", axes: [[1, "
        "0, "
        "0], [0, -1, 0]], at: {follower: [-L/2, 0, 0]},\n"
        "        closes: true, primitives: {p1: {initial: {position: L*cos(angle)}}, r1: {initial: "
        "{position: pi - angle}}}}\n"
        "stiction: {\"foot[1].p1\": {kinetic: 1e5, static: 1.2e5, external: \"-1000*t\"}}\n"
        "simulation: {end: 3, rtol: 1e-7}\n";
    static const char *const resting[] = {"foot[1].p1", "left[1]",  "cross[1]", "cross[4]",
                                          "right[5]",   "cross[8]", "right[8]", NULL};
    (void)state;
    rests(text, 0, resting, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_what_moves),
        cmocka_unit_test(under_a_growing_force),
        cmocka_unit_test(a_tower_of_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
