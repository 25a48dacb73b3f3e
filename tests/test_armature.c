/* Reflected inertia: a block with an armature is one with more mass (it moves level, since mass also weighs); what is
 * left of the inertia must be positive; composite joints, chains, prescribed motions, the law that says the same. */

#include "support_variants.h"

#include <float.h>

/* A pushed block that sticks and slips; forces grow with what they have to move. */
static const char block_text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {mass: 1 kg, armature: 0 kg, all: 1}\n"
    "bodies: {block: {mass: mass}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], armature: "
    "armature}}\n"
    "stiction: {slide: {velocity_threshold: 1e-4, kinetic: all, static: 1.5*all, external: "
    "4*all*sin(2*t)}}\n"
    "outputs: [force(slide), reaction_force(slide), acceleration(slide)]\n"
    "simulation: {end: 4, interval: 0.05, rtol: 1e-9, atol: 1e-11}\n";

typedef struct story {
    runs_log log;
    double x, v;
} story;

static story tell(const char *text, const char *const set[], size_t number)
{
    detent_mechanism *m = runs_parse(text, set);
    const detent_settings settings = variant_settings(m, variant_at(number));
    detent_simulation *s = runs_start(m, &settings);
    story told = {.log = {0}};
    runs_record(s, settings.end, &told.log);
    told.x = runs_position(m, s, "slide");
    told.v = runs_velocity(m, s, "slide");
    runs_near("energy balance", runs_relative_energy_gap(s), 0, 1e-7);
    runs_end(s, m);
    return told;
}

static void compare(story *a, story *b, double tolerance)
{
    assert_int_equal(a->log.count, b->log.count);
    assert_true(a->log.count > 5);
    for (size_t k = 0; k < a->log.count; k++) {
        assert_int_equal(a->log.change[k].to, b->log.change[k].to);
        assert_int_equal(a->log.change[k].to_direction, b->log.change[k].to_direction);
        runs_near("time of a change", a->log.change[k].time, b->log.change[k].time, tolerance);
    }
    runs_near("position", a->x, b->x, tolerance);
    runs_near("velocity", a->v, b->v, tolerance);
    runs_log_free(&a->log);
    runs_log_free(&b->log);
}

static void equals_mass(void **state)
{
    UNUSED(state);
    for (int exponent = -6; exponent <= 6; exponent += 2) {
        for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
            char armature[40], mass[40], all[40];
            const double J = pow(10, exponent);
            snprintf(armature, sizeof armature, "armature=%.17g", J);
            snprintf(mass, sizeof mass, "mass=%.17g", 1 + J);
            snprintf(all, sizeof all, "all=%.17g", 1 + J);
            story with_armature =
                tell(block_text, (const char *const[]){armature, all, NULL}, number);
            story with_mass = tell(block_text, (const char *const[]){mass, all, NULL}, number);
            compare(&with_armature, &with_mass, 1e-11);
        }
    }
}

/* As long as what is left is positive, an armature may be negative; beyond that the joint is named. */
static void may_be_negative(void **state)
{
    UNUSED(state);
    story less = tell(block_text, (const char *const[]){"armature=-0.75", "all=0.25", NULL}, 0);
    story light = tell(block_text, (const char *const[]){"mass=0.25", "all=0.25", NULL}, 0);
    compare(&less, &light, 1e-11);
}

static void refuse(const char *text, const char *armature, int line, const char *words)
{
    detent_error error;
    detent_mechanism *m = NULL;
    const detent_parameter parameter = {"armature", armature};
    const detent_load_options options = {
        .size = sizeof options, .parameters = &parameter, .parameter_count = 1};
    assert_int_equal(detent_mechanism_parse(text, strlen(text), "a.yaml", &options, &m, &error),
                     DETENT_ERROR_MODEL);
    assert_int_equal(error.line, line);
    if (!strstr(error.message, words)) {
        fail_msg("'%s' is not in: %s", words, error.message);
    }
}

static void singular_ones_are_named(void **state)
{
    UNUSED(state);
    static const char beyond[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "parameters: {armature: 0}\n"
        "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n"
        "  near: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
        "  far: {type: prismatic, base: a, follower: b, axis: [1, 0, 0], armature: armature}\n";
    static const char second[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "parameters: {armature: 0}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  j: {type: cylindrical, base: ground, follower: a,\n"
        "      primitives: {p1: {armature: 2}, r1: {armature: armature}}}\n";
    refuse(block_text, "-1", 5, "'slide' is singular: its armature (-1 kg)");
    refuse(block_text, "-2", 5, "'slide' is singular: its armature (-2 kg)");
    refuse(beyond, "-1", 7, "'far' is singular: its armature (-1 kg)");
    /* det M = (2 m)(m + J) - m^2 */
    refuse(beyond, "-0.6", 6, "'near' is singular: a negative armature beyond it");
    runs_end(NULL, runs_parse(beyond, (const char *const[]){"armature=-0.4", NULL}));
    refuse(second, "-1.5", 7, "'j.r1' is singular: its armature (-1.5 kg m^2)");
    refuse(second, "1 kg", 7, "kg");
}

/* A rotor alone: what is driven has no mass. Each primitive of a composite joint has its own. */
static void without_mass(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {tip: {mass: 0}}\n"
        "joints:\n"
        "  j:\n"
        "    type: planar\n"
        "    base: ground\n"
        "    follower: tip\n"
        "    primitives:\n"
        "      p1: {armature: 2 kg, force: 3}\n"
        "      p2: {armature: 4 kg, force: 1}\n"
        "      r1: {armature: 0.5 kg*m^2, force: 2}\n"
        "outputs: [acceleration(j.p1), acceleration(j.p2), acceleration(j.r1)]\n";
    static const double expected[] = {1.5, 0.25, 4};
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        detent_error error;
        double a[3];
        runs_advance(s, 1);
        runs_must(detent_read(s, DETENT_OUTPUTS, a, 3, &error), &error);
        for (int k = 0; k < 3; k++) {
            runs_near("acceleration", a[k], expected[k], 4 * DBL_EPSILON * expected[k]);
        }
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* A driven rotor takes its part of the force; the follower gets the rest. */
static void forces_and_reactions(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2}, b: {mass: 3}}\n"
        "joints:\n"
        "  driven: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], armature: 5,\n"
        "           motion: sin(t)}\n"
        "  pushed: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], armature: 7, "
        "force: 4*t}\n"
        "outputs: [force(driven), \"reaction_force(driven, x)\", force(pushed), "
        "\"reaction_force(pushed, x)\",\n"
        "          acceleration(pushed)]\n"
        "simulation: {rtol: 1e-9}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        const double t = 0.7;
        runs_advance(s, t);
        runs_near("force of the motion", runs_output(m, s, "force(driven)"), -7 * sin(t), 1e-14);
        runs_near("its reaction", runs_output(m, s, "reaction_force(driven, x)"), -2 * sin(t),
                  1e-14);
        runs_near("force given", runs_output(m, s, "force(pushed)"), 4 * t, 1e-14);
        runs_near("its reaction", runs_output(m, s, "reaction_force(pushed, x)"), 1.2 * t, 1e-14);
        runs_near("acceleration", runs_output(m, s, "acceleration(pushed)"), 0.4 * t, 1e-14);
        runs_near("energy balance", runs_relative_energy_gap(s), 0, 1e-8);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* Said by laws that read the accelerations, it is the same inertia: of an arm, and of a block up to a hundred times its
 * mass. */
static void equals_the_law(void **state)
{
    UNUSED(state);
    static const char arm[] =
        "detent: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "parameters: {armature: 0, law: 0}\n"
        "bodies:\n"
        "  upper: {mass: 4, center_of_mass: [0.2, 0, 0], inertia: [0.005, 0.055, 0.055]}\n"
        "  fore: {mass: 2.5, center_of_mass: [0.175, 0, 0], inertia: [0.003, 0.027, 0.027]}\n"
        "joints:\n"
        "  slide: {type: revolute, base: ground, follower: upper, axis: [0, -1, 0], armature: "
        "armature}\n"
        "  elbow: {type: revolute, base: upper, follower: fore, axis: [0, -1, 0],\n"
        "          at: {base: [0.4, 0, 0]}, armature: armature/2}\n"
        "stiction:\n"
        "  slide: {velocity_threshold: 1e-4, kinetic: 6, static: 9,\n"
        "          external: 20*sin(3*t) - law*acceleration(slide)}\n"
        "  elbow: {velocity_threshold: 1e-4, kinetic: 3, static: 4.5,\n"
        "          external: 10*sin(2*t) - law/2*acceleration(elbow)}\n"
        "simulation: {end: 3, interval: 0.05, rtol: 1e-10, atol: 1e-12}\n";
    static const char block[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "parameters: {armature: 0, law: 0}\n"
        "bodies: {block: {mass: 1}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: block, armature: armature}}\n"
        "stiction:\n"
        "  slide: {velocity_threshold: 1e-4, kinetic: 1, static: 1.5,\n"
        "          external: 4*sin(2*t) - law*acceleration(slide)}\n"
        "simulation: {end: 8, interval: 0.05, rtol: 1e-10, atol: 1e-12}\n";
    static const struct {
        const char *text, *own, *law;
    } cases[] = {{arm, "armature=0.03", "law=0.03"}, {arm, "armature=0.7", "law=0.7"},
                 {arm, "armature=20", "law=20"},     {block, "armature=0.5", "law=0.5"},
                 {block, "armature=8", "law=8"},     {block, "armature=100", "law=100"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
            story own = tell(cases[k].text, (const char *const[]){cases[k].own, NULL}, number);
            story law = tell(cases[k].text, (const char *const[]){cases[k].law, NULL}, number);
            compare(&own, &law, 1e-8);
        }
    }
}

/* A chain whose links lock in groups: welded they have no part in it, constrained nor either. */
static void chains_agree(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {}\n"
        "joints: {}\n"
        "chain:\n"
        "  count: 8\n"
        "  bodies: {link: {mass: 0.1, center_of_mass: [0.05, 0, 0], inertia: [0, 1e-4, 1e-4]}}\n"
        "  joints:\n"
        "    hinge: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", at: {base: [0.1, "
        "0, 0]},\n"
        "            armature: 1e-3*i}\n"
        "  stiction: {hinge: {velocity_threshold: 1e-6, kinetic: 0.03*(9-i), static: "
        "0.035*(9-i)}}\n"
        "  first: {joints: {hinge: {base: ground, at: null}}}\n"
        "simulation: {end: 1, interval: 0.01, rtol: 1e-10, atol: 1e-12}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    double *first = NULL;
    size_t count;
    for (size_t number = variant_first(); number < VARIANTS; number = variant_next(number)) {
        const detent_settings settings = variant_settings(m, variant_at(number));
        detent_simulation *s = runs_start(m, &settings);
        runs_advance(s, settings.end);
        double *now = runs_state(m, s, &count);
        for (size_t k = 0; k < count && first; k++) {
            runs_near("state of a chain", now[k], first[k], 1e-7);
        }
        runs_near("energy balance", runs_relative_energy_gap(s), 0, 1e-8);
        detent_simulation_destroy(s);
        free(first);
        first = now;
    }
    assert_true(count == 16 && fabs(first[0]) > 0.1);
    free(first);
    detent_mechanism_destroy(m);
}

/* From C. */
static void from_definitions(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m;
    runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.name = "a";
    body.mass = 1;
    runs_must(detent_add_body(m, &body, &error), &error);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    joint.name = "j";
    joint.type = "prismatic";
    joint.follower = "a";
    joint_pin.armature = 3;
    joint_pin.force = "2";
    runs_must(detent_add_joint(m, &joint, &error), &error);
    runs_must(detent_add_output(m, "acceleration(j)", &error), &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    detent_simulation *s = runs_start(m, NULL);
    runs_near("acceleration", runs_output(m, s, "acceleration(j)"), 0.5, 1e-15);
    runs_end(s, m);

    const char *const types[] = {"spherical", "weld"};
    for (int k = 0; k < 2; k++) {
        runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
        joint.type = types[k];
        joint_pin.force = NULL;
        assert_int_equal(detent_add_joint(m, &joint, &error), DETENT_ERROR_MODEL);
        assert_non_null(strstr(error.message, "takes no armature"));
        detent_mechanism_destroy(m);
    }
    runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
    joint.type = "revolute";
    joint_pin.armature = NAN;
    assert_int_equal(detent_add_joint(m, &joint, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "armature is not a finite number"));
    detent_mechanism_destroy(m);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_mass),
        cmocka_unit_test(may_be_negative),
        cmocka_unit_test(singular_ones_are_named),
        cmocka_unit_test(without_mass),
        cmocka_unit_test(forces_and_reactions),
        cmocka_unit_test(equals_the_law),
        cmocka_unit_test(chains_agree),
        cmocka_unit_test(from_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
