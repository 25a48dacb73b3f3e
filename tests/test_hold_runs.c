/*
 * What static friction holds: the interval of an input is that which bisection with runs finds, and that of exact formulas.
 */
#include "support_hold.h"
#include "support_trees.h"

enum { MOST = 128 };

/* ---- bisection with runs ---- */

/* Whether a run that starts with this value leaves every joint where it is. */
static bool stays(const detent_mechanism *m, size_t input, double value)
{
    detent_error error;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    double v[MOST];
    detent_simulation *s = runs_start(m, NULL);
    detent_mechanism_get_info(m, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    assert_true(info.freedoms <= MOST);
    runs_must(detent_set_input(s, input, value, &error), &error);
    detent_status status = detent_advance(s, settings.start + 1e-4, false, &error);
    bool all = status == DETENT_OK;
    for (size_t k = 0; k < info.stictions; k++) {
        all = all && detent_get_mode(s, k, NULL) == DETENT_LOCKED;
    }
    runs_must(detent_read(s, DETENT_VELOCITIES, v, info.freedoms, &error), &error);
    for (size_t k = 0; k < info.freedoms; k++) {
        all = all && fabs(v[k]) < 1e-12;
    }
    detent_simulation_destroy(s);
    return all;
}

/* Between a value with which everything rests and one with which it does not. */
static double bisect(const detent_mechanism *m, size_t input, double inside, double outside)
{
    assert_true(stays(m, input, inside));
    assert_false(stays(m, input, outside));
    while (fabs(outside - inside) > 1e-10 * fmax(fabs(inside), fabs(outside))) {
        const double middle = inside + 0.5 * (outside - inside);
        *(stays(m, input, middle) ? &inside : &outside) = middle;
    }
    return inside + 0.5 * (outside - inside);
}

/* An end, to 1e-8 of `size`; where there is none, every run stays as far as it is looked at. */
static double compare_end(const char *what, const detent_mechanism *m, size_t input, double end,
                          double inside, double size, double far)
{
    if (isinf(end)) {
        for (int k = 0; k < 12; k++) {
            assert_true(stays(m, input, inside + copysign(ldexp(size, k), end)));
        }
        return 0;
    }
    for (int k = 0; k < 10 && stays(m, input, end + far); k++) {
        far /= 4; /* it holds again, farther off */
    }
    const double run = bisect(m, input, inside, end + far);
    runs_near(what, end, run, 1e-8 * size);
    return fabs(run - end) / size;
}

/* Both ends; what gives way is said. */
static detent_hold_interval compare(const char *what, const detent_mechanism *m, const char *input)
{
    const detent_hold_interval found = hold_interval(m, input);
    const size_t index = (size_t)detent_find(m, DETENT_INPUT, input);
    const bool below = isfinite(found.low), above = isfinite(found.high);
    const double size = fmax(fmax(below ? fabs(found.low) : 0, above ? fabs(found.high) : 0), 1e-3),
                 middle = below && above ? 0.5 * (found.low + found.high)
                          : below        ? found.low + size
                          : above        ? found.high - size
                                         : 0,
                 far = 0.1 * (below && above ? found.high - found.low : size);
    assert_true(far > 0);
    const double low = compare_end(what, m, index, found.low, middle, size, -far),
                 high = compare_end(what, m, index, found.high, middle, size, far);
    print_message("%s: %.12g to %.12g; runs differ by %.1e, %.1e of it\n", what, found.low,
                  found.high, low, high);
    assert_int_equal(found.low_primitive >= 0, below);
    assert_int_equal(found.high_primitive >= 0, above);
    return found;
}

/* ---- a block ---- */

/* On an incline, pulled at an angle to it, which changes the normal force that its friction follows. */
static void test_block(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "inputs: {pull: 0}\n"
        "parameters: {angle: 0.3}\n"
        "bodies: {block: {mass: 5, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {ramp: {type: prismatic, base: ground, follower: block, "
        "axis: [cos(angle), 0, sin(angle)]}}\n"
        "stiction: {ramp: {kinetic: 0.4*normal_force(ramp), static: 0.5*normal_force(ramp)}}\n"
        "loads: {rope: {body: block, force: [pull*cos(0.7), 0, pull*sin(0.7)]}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_mechanism *m = hold_parse(text, NULL);
    const detent_hold_interval found = compare("block", m, "pull");
    const double weight = 5 * 9.81, tilt = 0.7 - 0.3;
    const double high = weight * (sin(0.3) + 0.5 * cos(0.3)) / (cos(tilt) + 0.5 * sin(tilt));
    const double low = weight * (sin(0.3) - 0.5 * cos(0.3)) / (cos(tilt) - 0.5 * sin(tilt));
    runs_near("high", found.high, high, 1e-12 * weight);
    runs_near("low", found.low, low, 1e-12 * weight);
    assert_true(found.high_direction == 1 && found.low_direction == -1);
    detent_mechanism_destroy(m);
}

/* ---- laws that are not linear in the input ---- */

static void test_parameter_in_laws(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "parameters: {p: 1}\n"
        "bodies: {block: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
        "stiction: {slide: {external: p^3 - 2*p, kinetic: 0.5, static: 1 + exp(-p)}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_mechanism *m = hold_parse(text, "p");
    const detent_hold_interval found = compare("laws of a parameter", m, "p");
    runs_near("upper root", pow(found.high, 3) - 2 * found.high, 1 + exp(-found.high), 1e-12);
    /* below, -(p^3 - 2 p) reaches its limit: the first time on the way */
    assert_true(found.high > 1.5 && found.low < 1);
    const double push = pow(found.low, 3) - 2 * found.low;
    runs_near("lower root", fabs(push), 1 + exp(-found.low), 1e-12);
    detent_mechanism_destroy(m);
}

/* Static friction has a dip on the way, beyond which it would hold again. */
static void test_dip(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "inputs: {u: 0}\n"
        "bodies: {block: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
        "stiction: {slide: {external: u, kinetic: 0.05, static: 3 - 2.9*exp(-((u - 1)/0.2)^2)}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_mechanism *m = hold_parse(text, NULL);
    const detent_hold_interval found = compare("dip", m, "u");
    runs_near("low", found.low, -3, 1e-13);
    runs_near("high", found.high, 3 - 2.9 * exp(-pow((found.high - 1) / 0.2, 2)), 1e-13);
    assert_true(found.high < 1);
    detent_mechanism_destroy(m);
}

/* A test friction of its own decides who holds, whatever the friction is. */
static void test_test_friction(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "inputs: {u: 1}\n"
        "bodies: {block: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
        "stiction: {slide: {external: 3*u + 30, kinetic: 0.5, static: 4, test: 2*u - 1}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_mechanism *m = hold_parse(text, NULL);
    const detent_hold_interval found = compare("test friction", m, "u");
    runs_near("low", found.low, -1.5, 1e-14);
    runs_near("high", found.high, 2.5, 1e-14);
    detent_mechanism_destroy(m);
}

/* A pendulum whose friction follows the whole reaction, which the push changes. */
static void test_reaction_in_the_limit(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "inputs: {push: 0}\n"
        "bodies: {rod: {mass: 2, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {pin: {type: revolute, base: ground, follower: rod, axis: [0, 0, 1], initial: "
        "{position: 0.2}}}\n"
        "stiction: {pin: {kinetic: 0.1*reaction_force(pin), static: 0.25*reaction_force(pin)}}\n"
        "loads: {push: {body: rod, at: [0, -1, 0], force: [push, 0, 0]}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_mechanism *m = hold_parse(text, NULL);
    const detent_hold_interval found = compare("reaction", m, "push");
    for (int k = 0; k < 2; k++) {
        const double p = k ? found.high : found.low, weight = 2 * 9.81;
        const double torque = p * cos(0.2) - 0.5 * weight * sin(0.2);
        runs_near("torque", fabs(torque), 0.25 * hypot(weight, p), 1e-11);
    }
    detent_mechanism_destroy(m);
}

/* ---- chains ---- */

static void write_chain(char *text, size_t size, int links, const char *friction)
{
    snprintf(
        text, size,
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "inputs: {tip: 0}\n"
        "chain:\n"
        "  count: %d\n"
        "  bodies: {link: {mass: 0.1, center_of_mass: [0.05, 0, 0], inertia: [1e-4, 1e-4, "
        "1e-4]}}\n"
        "  joints: {hinge: {type: revolute, base: 'link[i-1]', follower: 'link[i]', at: {base: "
        "[0.1, 0, 0]}, initial: {position: -0.1}}}\n"
        "  stiction: {hinge: {%s}}\n"
        "  first: {joints: {hinge: {base: ground, at: null}}}\n"
        "loads: {tip: {body: 'link[%d]', at: [0.2, 0, 0], force: [0, tip, 0.2*tip]}}\n"
        "simulation: {end: 1}\n",
        links, friction, links);
}

static void test_chain(void **state)
{
    char text[4096];
    (void)state;
    write_chain(text, sizeof text, 12, "kinetic: 8, static: 9 + 0.5*i");
    detent_mechanism *m = hold_parse(text, NULL);
    compare("chain", m, "tip");
    detent_mechanism_destroy(m);
    write_chain(text, sizeof text, 6,
                "kinetic: '0.3*reaction_force(hinge[i])', static: "
                "'0.5*reaction_force(hinge[i])'");
    m = hold_parse(text, NULL);
    compare("chain, friction by reaction", m, "tip");
    detent_mechanism_destroy(m);
}

/* Links in three dimensions, turning and sliding, with friction of all kinds; a force on the last one in any direction. */
static void write_random(char *text, size_t size, support_random *random)
{
    static const char *const frictions[] = {
        "kinetic: 15, static: 20", "kinetic: 12, forward: -25, reverse: 18",
        "kinetic: '0.3*reaction_force(j%d)', static: '6 + 0.4*reaction_force(j%d)'",
        "kinetic: 10, static: '14 + 3*sin(0.2*push)'",
        "external: 0.4*push, kinetic: 16, static: 24"};
    char bodies[2048] = "", joints[4096] = "", stiction[2048] = "", one[512], law[256];
    const int count = 2 + support_below(random, 5);
    double u[3];
    for (int k = 0; k < count; k++) {
        support_unit(random, 3, u);
        snprintf(one, sizeof one,
                 "  b%d: {mass: %.17g, center_of_mass: [0.1, 0.05, 0], inertia: [0.01, 0.02, "
                 "0.02]}\n",
                 k, support_uniform(random, 0.1, 0.6));
        strcat(bodies, one);
        snprintf(one, sizeof one,
                 "  j%d: {type: %s, base: %s%.0d, follower: b%d, axis: [%.17g, %.17g, %.17g], at: "
                 "{base: [%.17g, 0, 0]}, initial: {position: %.17g}}\n",
                 k, support_chance(random, 0.3) ? "prismatic" : "revolute", k ? "b" : "ground",
                 k ? k - 1 : 0, k, u[0], u[1], u[2], k ? 0.2 : 0, support_uniform(random, -1, 1));
        if (k == 1) { /* %.0d of 0 is empty */
            char *zero = strstr(one, "base: b,");
            assert_non_null(zero);
            memmove(zero + 8, zero + 7, strlen(zero + 7) + 1);
            zero[7] = '0';
        }
        strcat(joints, one);
        snprintf(law, sizeof law, frictions[support_below(random, 5)], k, k);
        snprintf(one, sizeof one, "  j%d: {%s}\n", k, law);
        strcat(stiction, one);
    }
    support_unit(random, 3, u);
    snprintf(
        text, size,
        "detent: 1\ngravity: [0, -9.81, 0]\ninputs: {push: 0}\nbodies:\n%sjoints:\n%sstiction:\n%s"
        "loads: {push: {body: b%d, at: [0.2, 0.1, 0], force: ['%.17g*push', '%.17g*push', "
        "'%.17g*push']}}\nsimulation: {end: 1}\n",
        bodies, joints, stiction, count - 1, u[0], u[1], u[2]);
}

static void test_random(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 40; seed++) {
        char text[8192], what[32];
        support_random random = {.state = (uint64_t)seed};
        write_random(text, sizeof text, &random);
        snprintf(what, sizeof what, "random %d", seed);
        detent_mechanism *m = hold_parse(text, NULL);
        compare(what, m, "push");
        detent_mechanism_destroy(m);
    }
}

/* ---- loops ---- */

/* A four-bar that friction of one joint holds, with an arm on its coupler that friction of its own holds. */
static const char four_bar[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {turn: 0}\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  coupler: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  rocker: {mass: 1.5, center_of_mass: [0.25, 0, 0], inertia: [0.05, 0.05, 0.05]}\n"
    "  arm: {mass: 0.5, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1}}\n"
    "  b: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, initial: "
    "{position: -0.8}}\n"
    "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, initial: "
    "{position: 1.6}}\n"
    "  c: {type: revolute, base: rocker, follower: coupler, closes: true,\n"
    "      at: {base: [0.5, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -1.4}}\n"
    "  e: {type: revolute, base: coupler, follower: arm, at: {base: [0.4, 0.1, 0]}}\n"
    "stiction:\n"
    "  d: {kinetic: 9, forward: -12, reverse: 11}\n"
    "  e: {kinetic: 0.6, static: 0.9}\n"
    "loads: {turn: {body: %s, torque: [0, 0, turn]}}\n"
    "simulation: {end: 1}\n";

/* Where the present value does not hold the same interval is found, however far it is. */
static void find_from_outside(const detent_mechanism *m, detent_hold_interval known)
{
    static const double widths[] = {-100, -3, -0.6, 0.6, 3, 100};
    detent_error error;
    detent_analysis *analysis = runs_analyse(m);
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        const double width = known.high - known.low;
        detent_hold_interval found = DETENT_INIT(detent_hold_interval);
        runs_must(detent_analysis_set_input(
                      analysis, 0, 0.5 * (known.low + known.high) + widths[k] * width, &error),
                  &error);
        runs_must(detent_find_hold_interval(analysis, 0, &found, &error), &error);
        runs_near("low", found.low, known.low, 1e-9 * width);
        runs_near("high", found.high, known.high, 1e-9 * width);
    }
    detent_analysis_destroy(analysis);
}

/* A gear that two joints hold together. */
static void test_two_gears(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\ninputs: {T: 100}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  j1: {type: revolute, base: ground, follower: a}\n"
        "  j2: {type: revolute, base: ground, follower: b}\n"
        "couplings: {g: {type: gear, joints: [j1, j2], ratio: 2}}\n"
        "stiction: {j1: {static: 1, kinetic: 1, external: T}, j2: {static: 1, kinetic: 1}}\n"
        "simulation: {end: 1}\n";
    (void)state;
    detent_mechanism *m = hold_parse(text, NULL);
    const detent_hold_interval found = compare("two gears", m, "T");
    runs_near("low", found.low, -1.5, 1e-12);
    runs_near("high", found.high, 1.5, 1e-12);
    find_from_outside(m, found);
    detent_mechanism_destroy(m);
}

static void test_four_bar(void **state)
{
    static const char *const bodies[] = {"rocker", "crank", "coupler"};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[4096];
        snprintf(text, sizeof text, four_bar, bodies[k]);
        detent_mechanism *m = hold_parse(text, NULL);
        const detent_hold_interval found = compare(bodies[k], m, "turn");
        assert_string_equal(detent_name(m, DETENT_PRIMITIVE, (size_t)found.low_primitive), "d");
        /* far beyond, too, nobody is locked who needs more than his limit: the first search knows the loop */
        assert_false(stays(m, 0, 3 * found.high - 2 * found.low));
        assert_false(stays(m, 0, 3 * found.low - 2 * found.high));
        find_from_outside(m, found);
        if (k == 0) { /* on the body of the joint that holds: its limits, one after the other */
            runs_near("width", found.high - found.low, 23, 1e-11);
        }
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block),
        cmocka_unit_test(test_parameter_in_laws),
        cmocka_unit_test(test_test_friction),
        cmocka_unit_test(test_dip),
        cmocka_unit_test(test_reaction_in_the_limit),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_two_gears),
        cmocka_unit_test(test_two_gears),
        cmocka_unit_test(test_four_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
