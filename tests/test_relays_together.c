/*
 * Two relays that hold each other on their borders. Each of them alone would leave its border, or not hold itself there: who slides
 * follows from both. Exact solutions; the bodies come one after the other to a speed each, and keep it.
 */
#include "support_variants.h"

/*
 * x: -25 - 135 h(vx - 0.1) + 140 h(vy - 0.2), y: 0.5 + own h(vy - 0.2) - h(vx - 0.1), 1 kg each; h is 0 or 1. From vx = 0.2 at -20 m/s^2
 * to 0.1 in 5 ms, from there on with h = 115 / 135 on the border, until vy, which has started at 0.3, is 0.2. Then both
 * stay: h = (25 own + 70) / (140 - 135 own) and 0.5 + own h are between 0 and 1. `sense` turns an axis round.
 */
static void describe(char *text, size_t size, const double sense[2], double own, bool turned)
{
    char joint[2][512];
    snprintf(
        joint[0], sizeof joint[0],
        "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: {velocity: "
        "%g}, force: \"(%g)*(-25 - 135*if((%g)*velocity(x) < 0.1, 0, 1) + "
        "140*if((%g)*velocity(y) < 0.2, 0, 1))\"}\n",
        0.2 * sense[0], sense[0], sense[0], sense[1]);
    snprintf(
        joint[1], sizeof joint[1],
        "  y: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0], initial: {velocity: "
        "%g}, force: \"(%g)*(0.5 + %g*if((%g)*velocity(y) < 0.2, 0, 1) - "
        "if((%g)*velocity(x) < 0.1, 0, 1))\"}\n",
        0.3 * sense[1], sense[1], own, sense[1], sense[0]);
    snprintf(text, size,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\njoints:\n%s%s"
             "outputs: [force(x), force(y)]\nsimulation: {end: 3 s, interval: 0.1 s, rtol: 1e-8}\n",
             joint[turned], joint[!turned]);
}

static void check(const char *text, const double sense[2], double own)
{
    detent_mechanism *m = runs_parse(text, NULL);
    /* 5 ms at own - 0.5, then at own - 0.5 + 20 / 135 m/s^2 */
    const double before = 0.005, rate = own - 0.5 + 20.0 / 135,
                 second = before + (-0.1 - before * (own - 0.5)) / rate;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        variant_advance(s, v, 0.9 * second);
        variant_check(v, "y on its way", sense[1] * runs_velocity(m, s, "y"),
                      0.2 - rate * 0.1 * second, 1e-7);
        variant_check(v, "x, which stays", sense[0] * runs_velocity(m, s, "x"), 0.1, 1e-9);
        variant_advance(s, v, 3);
        variant_check(v, "x", sense[0] * runs_velocity(m, s, "x"), 0.1, 1e-9);
        variant_check(v, "y", sense[1] * runs_velocity(m, s, "y"), 0.2, 1e-9);
        variant_check(v, "force on x", runs_output(m, s, "force(x)"), 0, 1e-7);
        variant_check(v, "force on y", runs_output(m, s, "force(y)"), 0, 1e-7);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_get_statistics(s, &statistics);
        assert_true(statistics.events < 10);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

static void they_hold_each_other(void **state)
{
    static const double own[] = {-0.1, 0, 0.1, 0.2, 0.3};
    UNUSED(state);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) {
        for (int way = 0; way < 8; way++) {
            const double sense[2] = {way % 2 ? -1 : 1, way / 2 % 2 ? -1 : 1};
            char text[2048];
            describe(text, sizeof text, sense, own[k], way / 4 == 1);
            check(text, sense, own[k]);
        }
    }
}

/** Runs a text in every variant and hands the outputs at 1 s over. */
static void read_all(const char *text, void (*compare)(variant v, const double *is))
{
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *s = variant_start(m, variant_at(k));
        double out[4];
        variant_outputs(s, variant_at(k), 1, out, 4);
        compare(variant_at(k), out);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

#define HEAD "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1}}\njoints:\n"
#define X    "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], force: "
#define Y    "  y: {type: prismatic, base: ground, follower: b, axis: [0, 1, 0]"
#define TAIL                                                    \
    "outputs: [velocity(x), velocity(y), force(x), force(y)]\n" \
    "simulation: {end: 1 s, interval: 0.1 s, rtol: 1e-8}\n"

/* x comes to its border at 1/14 s and slides with h = 1.4 / 1.8; y comes to its own with -1.2 + 3.5 h, slides, and x leaves. */
static void compare_passed(variant v, const double *is)
{
    const double first = 0.1 / 1.4, rate = -1.2 + 3.5 * 1.4 / 1.8,
                 second = first + (0.2 + 1.2 * first) / rate, h = 2.3 / 4;
    variant_check(v, "x", is[0], 0.1 + (-0.4 + 2.1 * h) * (1 - second), 1e-7);
    variant_check(v, "y", is[1], 0.2, 1e-9);
    variant_check(v, "force on x", is[2], -0.4 + 2.1 * h, 1e-7);
}

static void one_takes_over_from_the_other(void **state)
{
    UNUSED(state);
    read_all(HEAD X
             "\"1.4 - 1.8*if(velocity(x) < 0.1, 0, 1) + 2.1*if(velocity(y) < 0.2, 0, 1)\"}\n" Y
             ", force: \"-1.2 + 3.5*if(velocity(x) < 0.1, 0, 1) - 4*if(velocity(y) < 0.2, 0, "
             "1)\"}\n" TAIL,
             compare_passed);
}

/* The steps of floor() from -1 to 0, and 0 and 1: both slide, x at 0.1 m/s, y at rest. */
static void compare_steps(variant v, const double *is)
{
    variant_check(v, "x", is[0], 0.1, 1e-9);
    variant_check(v, "y", is[1], 0, 1e-9);
    variant_check(v, "force on x", is[2], 0, 1e-7);
    variant_check(v, "force on y", is[3], 0, 1e-7);
}

static void an_integer_may_be_zero(void **state)
{
    UNUSED(state);
    read_all(
        HEAD X
        "\"2.7 - 2.9*if(velocity(y) < 0, 0, 1)\"}\n" Y
        ", force: \"3.2 + 2*floor((velocity(x) - 0.1)/0.1) - 2*if(velocity(y) < 0, 0, 1)\"}\n" TAIL,
        compare_steps);
}

/* y slides against its friction, with floor() = -1.81, and that is what pushes x. */
static void compare_twins(variant v, const double *is)
{
    variant_check(v, "y", is[1], -0.1, 1e-9);
    variant_check(v, "force on x", is[2], -1.81, 1e-6);
    variant_check(v, "x", is[0], -1.2876666664, 1e-6);
}

static void an_integer_in_two_laws_is_one(void **state)
{
    UNUSED(state);
    read_all(HEAD X "\"floor(velocity(y)/0.1)\"}\n" Y "}\n"
                    "stiction:\n"
                    "  y: {kinetic: 0.5, static: 0.5, external: \"-2.31 - floor(velocity(y)/0.1) + "
                    "if(mod(t, 0.7) < 0.7/3, 1, 0)\"}\n" TAIL,
             compare_twins);
}

/* Round and round the common border, by 0.7 / 1.3 and 0.8 / 1.2 of the way a turn each, and so to rest in it. */
static void compare_spiral(variant v, const double *is)
{
    variant_check(v, "x", is[0], 0, 1e-9);
    variant_check(v, "y", is[1], 0, 1e-9);
    variant_check(v, "force on x", is[2], 0, 1e-6);
    variant_check(v, "force on y", is[3], 0, 1e-6);
}

static void they_spiral_into_their_border(void **state)
{
    UNUSED(state);
    read_all(HEAD "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: "
                  "{velocity: 0.01}, force: \"-0.3*sign(velocity(x)) + sign(velocity(y))\"}\n" Y
                  ", initial: {velocity: 0.004}, force: \"-0.2*sign(velocity(y)) - "
                  "sign(velocity(x))\"}\n" TAIL,
             compare_spiral);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_hold_each_other), cmocka_unit_test(one_takes_over_from_the_other),
        cmocka_unit_test(an_integer_may_be_zero), cmocka_unit_test(an_integer_in_two_laws_is_one),
        cmocka_unit_test(they_spiral_into_their_border)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
