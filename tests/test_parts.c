/*
 * What bodies have to do with each other that nothing joins: nothing. A mechanism moves as it does alone, however far from it and however
 * fast others are. Once all of them had one origin for moments, and one length and one speed for the closing of loops: a stone that fell
 * beside a linkage took its digits, let its joints stop early, and in the end the run hung.
 */
#include "support_variants.h"

#define LINKAGE(STONE_BODY)                                                                       \
    "detent: 1\ngravity: [0, -9.81, 0]\nparameters: {v0: 0}\nbodies:\n"                           \
    "  a: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"                  \
    "  b: {mass: 2, center_of_mass: [0.2, 0, 0], inertia: [0.015, 0.02, 0.03]}\n"                 \
    "  c: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n" STONE_BODY      \
    "joints:\n"                                                                                   \
    "  ja: {type: revolute, base: ground, follower: a, axis: [0, 0, 1],"                          \
    " initial: {position: 1.2, velocity: 3}}\n"                                                   \
    "  jb: {type: revolute, base: a, follower: b, axis: [0, 0, 1], at: {base: [0.2, 0, 0]},"      \
    " initial: {position: -0.9}}\n"                                                               \
    "  jc: {type: revolute, base: ground, follower: c, axis: [0, 0, 1], at: {base: [0.5, 0, 0]}," \
    " initial: {position: 1.5}}\n"                                                                \
    "  jd: {type: revolute, base: b, follower: c, axis: [0, 0, 1],"                               \
    " at: {base: [0.45, 0, 0], follower: [0.35, 0, 0]}}\n"
#define BODY "  stone: {mass: 3, center_of_mass: [0.1, 0, 0], inertia: [0.1, 0.2, 0.25]}\n"
#define JOINT                                                                   \
    "  js: {type: cylindrical, base: ground, follower: stone, axis: [1, 0, 0]," \
    " primitives: {p1: {initial: {velocity: v0}}, r1: {initial: {velocity: 2}}}}\n"
#define RUBS "{kinetic: 0.02, static: 0.03, velocity_threshold: 1e-3}"
#define END  "simulation: {end: 3, interval: 0.1, rtol: 1e-8, atol: 1e-10}\n"

static const char *const speeds[] = {"v0=1e3", "v0=1e6", "v0=1e9", "v0=1e12"};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

static const char *const joints[] = {"ja", "jb", "jc", "jd"};
enum { JOINTS = sizeof joints / sizeof *joints };

/** What a run of the linkage comes to: turns and stops of its joint with friction, and the places of all. */
typedef struct result {
    runs_log log;
    double position[JOINTS];
} result;

static result run(const detent_mechanism *m, detent_simulation *s)
{
    result r = {.log = {0}};
    runs_record(s, 3, &r.log);
    for (size_t j = 0; j < JOINTS; j++) {
        r.position[j] = runs_position(m, s, joints[j]);
    }
    return r;
}

static result run_alone(variant v)
{
    static const char alone[] = LINKAGE("") "stiction: {ja: " RUBS "}\n" END;
    detent_mechanism *m = runs_parse(alone, NULL);
    detent_simulation *s = variant_start(m, v);
    const result r = run(m, s);
    runs_end(s, m);
    return r;
}

/** The stone stops to turn where its friction has taken its 2 rad/s, and stays as it is then. */
static void check_stone(const detent_mechanism *m, detent_simulation *s, variant v)
{
    const double deceleration = 0.3 / 0.1;
    variant_check(v, "turn of the stone", runs_position(m, s, "js.r1"), 2 * 2 / (2 * deceleration),
                  1e-8);
    variant_check(v, "it rests", runs_velocity(m, s, "js.r1"), 0, 0);
}

static void a_stone_passes_by(void **state)
{
    static const char text[] =
        LINKAGE(BODY) JOINT "stiction: {ja: " RUBS ", js.r1: {kinetic: 0.3, static: 0.3}}\n" END;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        result alone = run_alone(v);
        assert_true(alone.log.count > 4);
        for (size_t n = 0; n < SPEEDS; n++) {
            const char *const set[] = {speeds[n], NULL};
            detent_mechanism *m = runs_parse(text, set);
            detent_simulation *s = variant_start(m, v);
            result r = run(m, s);
            assert_int_equal(r.log.count,
                             alone.log.count + 2); /* the stone slows down, and stops */
            variant_check(v, "time of the last turn", runs_time_of(&r.log, 0, DETENT_UNLOCKED, 1),
                          runs_time_of(&alone.log, 0, DETENT_UNLOCKED, 1), 1e-6);
            for (size_t j = 0; j < JOINTS; j++) {
                variant_check(v, joints[j], r.position[j], alone.position[j], 1e-6);
            }
            check_stone(m, s, v);
            runs_log_free(&r.log);
            runs_end(s, m);
        }
        runs_log_free(&alone.log);
    }
}

/** Bodies that a spring joins are one part: two pendulums, far from the world's origin, whose energy stays. */
static void a_spring_joins(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {a: {mass: 1, center_of_mass: [0, -0.4, 0]},"
        " b: {mass: 2, center_of_mass: [0, -0.3, 0]}}\njoints:\n"
        "  a: {type: revolute, base: ground, follower: a, axis: [0, 0, 1],"
        " at: {base: [1000, 0, 0]}, initial: {position: 1}}\n"
        "  b: {type: revolute, base: ground, follower: b, axis: [0, 1, 1],"
        " at: {base: [1001, 0, 0]}, initial: {velocity: 2}}\n"
        "springs: {s: {between: [{body: a, at: [0, -0.4, 0]}, {body: b, at: [0, -0.3, 0]}],"
        " stiffness: 40, rest: 0.5}}\n"
        "simulation: {end: 3, interval: 0.1, rtol: 1e-10}\n";
    UNUSED(state);
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        variant_advance(s, v, 3);
        variant_check(v, "energy", runs_relative_energy_gap(s), 0, 1e-8);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/** A train of meshes that rub at rest, with all its forces by a factor. */
static void write_train(char *bodies, char *hinges, char *stiction, char *couplings, size_t size,
                        char name, double factor, const char *push)
{
    const double J = 0.1 * factor;
    for (int w = 1; w <= 3; w++) {
        size_t at = strlen(bodies);
        snprintf(bodies + at, size - at, "  w%d%c: {mass: %g, inertia: [%g, %g, %g]}\n", w, name,
                 factor, J, J, J);
        at = strlen(hinges);
        snprintf(hinges + at, size - at,
                 "  j%d%c: {type: revolute, base: ground, follower: w%d%c, axis: [0, 0, 1],"
                 " at: {base: [%d, 0, 0]}}\n",
                 w, name, w, name, w);
    }
    size_t at = strlen(stiction);
    snprintf(stiction + at, size - at,
             "  j3%c: {kinetic: %g, static: %g, external: \"%s\", velocity_threshold: 1e-3}\n"
             "  j1%c: {kinetic: %g, static: %g, velocity_threshold: 1e-3}\n",
             name, 0.5 * factor, 0.6 * factor, push, name, 0.01 * factor, 0.012 * factor);
    at = strlen(couplings);
    snprintf(couplings + at, size - at,
             "  g1%c: {type: gear, joints: [j1%c, j2%c], ratio: 5,"
             " friction: {efficiency: 0.5, reverse_efficiency: 0.2}}\n"
             "  g2%c: {type: gear, joints: [j2%c, j3%c], ratio: 2,"
             " friction: {efficiency: 0.5, reverse_efficiency: 0.2}}\n",
             name, name, name, name, name, name);
}

/** A small train breaks away as it does alone, whatever a big one beside it carries. */
static void a_small_train_beside_a_big_one(void **state)
{
    static const double factors[] = {0, 1e7};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k += 5 /* they differ in all three */) {
        const variant v = variant_at(k);
        double alone = NAN;
        for (size_t n = 0; n < sizeof factors / sizeof *factors; n++) {
            char bodies[1024] = "", hinges[1024] = "", stiction[1024] = "", couplings[1024] = "",
                 text[8192], push[64];
            write_train(bodies, hinges, stiction, couplings, sizeof bodies, 'a', 1,
                        "4.1*t" /* at no row */);
            if (factors[n] > 0) {
                snprintf(push, sizeof push, "%g*sin(5*t)", 0.01 * factors[n]);
                write_train(bodies, hinges, stiction, couplings, sizeof bodies, 'b', factors[n],
                            push);
            }
            snprintf(
                text, sizeof text,
                "detent: 1\ngravity: [0, 0, 0]\nbodies:\n%sjoints:\n%sstiction:\n%scouplings:\n%s"
                "simulation: {end: 0.95, interval: 0.1, rtol: 1e-8}\n",
                bodies, hinges, stiction, couplings);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *s = variant_start(m, v);
            variant_advance(s, v, 0.95);
            const double turn = runs_position(m, s, "j1a");
            alone = n == 0 ? turn : alone;
            assert_true(turn > 1e-5);
            variant_check(v, "turn of the small train", turn, alone, 1e-7);
            runs_end(s, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stone_passes_by),
                                       cmocka_unit_test(a_small_train_beside_a_big_one),
                                       cmocka_unit_test(a_spring_joins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
