/*
 * Motions that begin, in loops where friction holds: who has to follow is let go, and nobody else. At second order where a joint is at a
 * dead centre; each motion by itself where others begin faster; and of several who could follow, the first to reach its limit.
 */
#include "support_variants.h"

static const double radius = 0.2, length = 0.6;

#define BODIES(n)                                                                                 \
    "  arm" n ": {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"           \
    "  rod" n ": {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.03, 0.03, 0.03]}\n  slider" n \
    ": {mass: 1}\n"
#define CRANK(n, motion)                                                                 \
    "  a" n ": {type: revolute, base: ground, follower: arm" n                           \
    ", axis: [0, 0, 1], motion: \"" motion "\"}\n  b" n ": {type: revolute, base: arm" n \
    ", follower: rod" n ", axis: [0, 0, 1], at: {base: [0.2, 0, 0]}}\n  c" n             \
    ": {type: revolute, base: slider" n ", follower: rod" n                              \
    ", axis: [0, 0, 1], at: {follower: [0.6, 0, 0]}}\n"
#define SLIDER(n, base)                                                                   \
    "  s" n ": {type: prismatic, base: " base ", follower: slider" n ", axis: [1, 0, 0]," \
    " initial: {position: 0.7}}\n"

/** Where the pin of a slider is at an angle of its crank. */
static double pin_at(double angle)
{
    return radius * cos(angle) + sqrt(length * length - pow(radius * sin(angle), 2));
}

typedef struct pair {
    const char *first, *second; /* motions */
    double angle[2];            /* at 2 s */
} pair;

/** Two linkages that have nothing to do with each other; one of them rubs. */
static void each_begins_by_itself(void **state)
{
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\nbodies:\n" BODIES("1")
        BODIES("2") "joints:\n" CRANK("1", "%s") SLIDER("1", "ground") CRANK("2", "%s") SLIDER(
            "2",
            "ground") "stiction: {s1: {kinetic: 2, static: 3}, s2: {kinetic: 3, static: 4.5}}\n"
                      "simulation: {end: 2, interval: 0.1, rtol: 1e-9}\n";
    const pair pairs[] = {{"0.3*(1 - cos(4*t))", "0.7 + 0.3*t^3", {0.3 * (1 - cos(8)), 3.1}},
                          {"1*t^2", "0.1*t^3", {4, 0.8}},
                          {"0.5*t^2", "0.7 + 0.03*t^6", {2, 0.7 + 0.03 * 64}},
                          {"0.3*t^3", "0.2*t^4", {2.4, 3.2}},
                          {"0.4*t", "if(t <= 0, 0, exp(-0.1/(t/1[s])))", {0.8, exp(-0.05)}},
                          {"1 + 0*t", "if(t < 1, 0, 0.4*(1 - cos(2*pi*t)))", {1, 0}}};
    UNUSED(state);
    for (size_t n = 0; n < sizeof pairs / sizeof *pairs; n++) {
        char file[4096];
        snprintf(file, sizeof file, text, pairs[n].first, pairs[n].second);
        detent_mechanism *m = runs_parse(file, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            variant_advance(s, v, 2);
            variant_check(v, pairs[n].first, runs_position(m, s, "s1"), pin_at(pairs[n].angle[0]),
                          1e-9);
            variant_check(v, pairs[n].second, runs_position(m, s, "s2"), pin_at(pairs[n].angle[1]),
                          1e-9);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

typedef struct carriage {
    double slider, car; /* kinetic friction; static is 1.2 times that */
    double push;        /* on the carriage, which friction holds until then */
    bool slides;        /* the slider, not the carriage */
} carriage;

/** The slider runs on a carriage along the same axis: whoever holds less follows, in whatever order they are written. */
static void who_gives_way_first_follows(void **state)
{
    static const carriage cases[] = {{300, 310, 0, true},    {310, 300, 0, false},
                                     {1000, 100, 0, false},  {100, 1000, 0, true},
                                     {200, 240, -80, false}, {200, 240, 20, true}};
    UNUSED(state);
    for (size_t n = 0; n < 2 * sizeof cases / sizeof *cases; n++) {
        const carriage *c = &cases[n / 2];
        const char *const cut =
            n % 2 ? "  c: {type: revolute, base: slider, follower: rod, axis: [0, 0, 1],"
                    " at: {follower: [0.6, 0, 0]}}\n"
                  : "";
        const char *const uncut =
            n % 2 ? ""
                  : "  c: {type: revolute, base: rod, follower: slider, axis: [0, 0, 1],"
                    " at: {base: [0.6, 0, 0]}}\n";
        char file[4096];
        snprintf(file, sizeof file,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies:\n" BODIES(
                     "") "  car: {mass: 1}\njoints:\n"
                         "  a: {type: revolute, base: ground, follower: arm, axis: [0, 0, 1],"
                         " motion: \"0.5*t^2\"}\n"
                         "  b: {type: revolute, base: arm, follower: rod, axis: [0, 0, 1],"
                         " at: {base: [0.2, 0, 0]}}\n%s"
                         "  p: {type: prismatic, base: ground, follower: car, axis: [1, 0, 0]}\n"
                         "  s: {type: prismatic, base: car, follower: slider, axis: [1, 0, 0],"
                         " initial: {position: 0.8}}\n%s"
                         "stiction: {s: {kinetic: %g, static: %g}, p: {kinetic: %g, static: %g, "
                         "external: %g}}\n"
                         "simulation: {end: 2, interval: 0.1, rtol: 1e-9}\n",
                 uncut, cut, c->slider, 1.2 * c->slider, c->car, 1.2 * c->car, c->push);
        detent_mechanism *m = runs_parse(file, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            const double way = pin_at(2) - pin_at(0);
            variant_advance(s, v, 2);
            detent_get_statistics(s, &statistics);
            variant_check(v, "slider", runs_position(m, s, "s"), 0.8 + (c->slides ? way : 0), 1e-9);
            variant_check(v, "carriage", runs_position(m, s, "p"), c->slides ? 0 : way, 1e-9);
            variant_check(v, "work", statistics.friction_work,
                          -fabs(way) * (c->slides ? c->slider : c->car), 1e-6);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/** A table that is constant from knot to knot, and then is not: 3 t^2 - 2 t^3 from 1 s to 2 s. */
static void a_table_ends_its_dwell(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "tables: {s: {of: [0, 1, 2, 3, 4, 5], is: [0, 0, 1, 1, 0, 0], interpolation: monotone}}\n"
        "bodies: {m: {mass: 1}, n: {mass: 1}}\n"
        "joints:\n"
        "  m: {type: prismatic, base: ground, follower: m, axis: [1, 0, 0], motion: s(t)}\n"
        "  n: {type: prismatic, base: ground, follower: n, axis: [1, 0, 0]}\n"
        "couplings: {g: {type: gear, joints: [n, m], ratio: 1}}\n"
        "stiction: {n: {kinetic: 3, static: 4}}\n"
        "simulation: {end: 4, interval: 0.1, rtol: 1e-9}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        variant_advance(s, v, 1.25);
        variant_check(v, "setting out", runs_position(m, s, "n"), 3.0 / 16 - 2.0 / 64, 1e-9);
        variant_advance(s, v, 2.5);
        variant_check(v, "arrived", runs_position(m, s, "n"), 1, 1e-9);
        variant_advance(s, v, 4);
        variant_check(v, "back", runs_position(m, s, "n"), 0, 1e-9);
        detent_get_statistics(s, &statistics);
        variant_check(v, "work", statistics.friction_work, -6, 1e-6);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_begins_by_itself),
                                       cmocka_unit_test(a_table_ends_its_dwell),
                                       cmocka_unit_test(who_gives_way_first_follows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
