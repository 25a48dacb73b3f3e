/*
 * The time-optimal relay of a block, u = -F sign(x + c v |v|): it brakes along the curve x = -c v |v|, which ends at rest.
 * With c = 1 / (2 a), a being what it brakes with, the curve is the motion itself, and nothing drives back to it but errors of
 * steps; with more it slides along the curve, with less it swings across, ever less. Friction adds to what brakes. Everywhere the run
 * has few events, comes to rest at the origin when formulas say, and stays.
 */
#include "support_variants.h"

typedef struct block {
    double mass, force, friction;
    double c;     /**< in units of m / (2 (F + friction)) */
    double start; /**< m */
} block;

static detent_mechanism *make(const block *b)
{
    const double c = b->c * 0.5 * b->mass / (b->force + b->friction);
    char text[1200], law[200], stiction[400] = "";
    snprintf(law, sizeof law, "\"%.17g*sign(position(x) + %.17g*velocity(x)*abs(velocity(x)))\"",
             -b->force, c);
    if (b->friction > 0) {
        snprintf(stiction, sizeof stiction,
                 "stiction: {x: {velocity_threshold: 1e-3, kinetic: %.17g, static: %.17g, "
                 "external: %s}}\n",
                 b->friction, b->friction, law);
    }
    snprintf(text, sizeof text,
             "detent: 1\n"
             "gravity: [0, 0, 0]\n"
             "bodies: {block: {mass: %.17g}}\n"
             "joints: {x: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], "
             "initial: {position: %.17g}%s%s}}\n"
             "%s"
             "simulation: {end: 1, rtol: 1e-8}\n",
             b->mass, b->start, b->friction > 0 ? "" : ", force: ", b->friction > 0 ? "" : law,
             stiction);
    return runs_parse(text, NULL);
}

/** Speed where the curve is met, and the time from there to rest; with less than 1 the first of ever smaller swings. */
static void meet(const block *b, double *speed, double *fall, double *brake)
{
    const double go = (b->force - b->friction) / b->mass, stop = (b->force + b->friction) / b->mass;
    const double c = b->c * 0.5 / stop;
    *speed = sqrt(b->start / (c + 0.5 / go)); /* x0 - v^2 / (2 go) = c v^2 */
    *fall = *speed / go;
    *brake = *speed * 2 * c;
}

static void comes_to_rest(const block *b)
{
    detent_mechanism *m = make(b);
    double speed, fall, brake;
    meet(b, &speed, &fall, &brake);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const double told = 1e-6, half = speed * 0.5, c = 0.5 * brake / speed;
        detent_settings settings = variant_settings(m, v);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        settings.end = 10 * (fall + brake);
        detent_simulation *s = runs_start(m, &settings);
        if (b->c >= 1) { /* half way along the curve, and just before its end */
            variant_advance(s, v, fall + 0.5 * brake);
            runs_near(variant_name(v), runs_velocity(m, s, "x"), -half, told * speed);
            runs_near(variant_name(v), runs_position(m, s, "x"), c * half * half, told * b->start);
            variant_advance(s, v, fall + 0.99 * brake);
            runs_near(variant_name(v), runs_velocity(m, s, "x"), -0.01 * speed, told * speed);
            variant_advance(s, v, fall + 1.01 * brake);
            runs_near(variant_name(v), runs_velocity(m, s, "x"), 0, told * speed);
        }
        variant_advance(s, v, settings.end);
        runs_near(variant_name(v), runs_position(m, s, "x"), 0, told * b->start);
        runs_near(variant_name(v), runs_velocity(m, s, "x"), 0, 1e-12 * speed);
        detent_get_statistics(s, &statistics);
        assert_true(statistics.events < 100);
        runs_near("energy", runs_energy_gap(s), 0, told * b->force * b->start);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

static void every_case(double friction)
{
    static const double c[] = {1, 1.2, 3, 0.8};
    for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
        const block whole = {.mass = 1, .force = 1, .friction = friction, .c = c[k], .start = 1},
                    small = {.mass = 2e-3,
                             .force = 50,
                             .friction = 50 * friction,
                             .c = c[k],
                             .start = 3e-3};
        comes_to_rest(&whole);
        comes_to_rest(&small);
    }
}

static void without_friction(void **state)
{
    UNUSED(state);
    every_case(0);
}

static void with_friction(void **state)
{
    UNUSED(state);
    every_case(0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_friction),
        cmocka_unit_test(with_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
