/*
 * Gears whose efficiency follows their load: friction without load beside a share of it. Breakaway in both directions, motion, and a program's
 * definition, against the power balance.
 */
#include "support_variants.h"

/* 10 to 1; 0.2 N m without load, 0.85 at 50 N m of the wheel. */
static const double ratio = 10, no_load = 0.2, nominal = 50, efficiency = 0.85, back = 0.7;

static detent_mechanism *make_gear(double load, const char *torque, double velocity)
{
    char text[1500];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 0.02]}, wheel: {mass: 1, inertia: [2, 2, 3]}}\n"
        "joints:\n"
        "  motor: {type: revolute, base: ground, follower: rotor, force: '%s', initial: {velocity: "
        "%g, priority: exact}}\n"
        "  shaft: {type: revolute, base: ground, follower: wheel, force: '-(%g)'}\n"
        "couplings:\n"
        "  gear: {type: gear, joints: [motor, shaft], ratio: 10,\n"
        "    friction: {efficiency: 0.85, reverse_efficiency: 0.7, no_load: 0.2 N*m, at_load: 50 "
        "N*m}}\n"
        "outputs: [velocity(motor), friction(motor), coupling_force(gear)]\n"
        "simulation: {end: 20, rtol: 1e-10}\n",
        torque, velocity, load);
    return runs_parse(text, NULL);
}

/** What the motor has to give to raise a load on the wheel, and what it must not fall short of to hold it. */
static double raises(double load)
{
    const double share = 1 / efficiency - 1 - no_load / (nominal / ratio);
    return no_load + (1 + share) * load / ratio;
}

static double holds(double load)
{
    const double share = 1 - back - no_load / (nominal / ratio);
    return (1 - share) * load / ratio - no_load;
}

static double breaks_away(variant v, double load, const char *torque)
{
    detent_mechanism *m = make_gear(load, torque, 0);
    detent_simulation *sim = variant_start(m, v);
    runs_log log = {0};
    runs_record(sim, 3, &log);
    const double t = runs_time_of(&log, 0, DETENT_WAIT, 0);
    runs_log_free(&log);
    runs_end(sim, m);
    return t;
}

static void it_takes_what_its_load_asks_for(void **state)
{
    static const double loads[] = {0, 10, 50, 100};
    (void)state;
    runs_near("efficiency at the nominal load", nominal / ratio / raises(nominal), efficiency,
              1e-15);
    runs_near("backward", holds(nominal) / (nominal / ratio), back, 1e-15);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (size_t n = 0; n < sizeof loads / sizeof *loads; n++) {
            char torque[64];
            snprintf(torque, sizeof torque, "%g + 1*t", loads[n] / ratio);
            variant_near(v, breaks_away(v, loads[n], torque), raises(loads[n]) - loads[n] / ratio,
                         1e-9);
            snprintf(torque, sizeof torque, "%g - 1*t", loads[n] / ratio);
            variant_near(v, breaks_away(v, loads[n], torque), loads[n] / ratio - holds(loads[n]),
                         1e-9);
        }
    }
}

/** Driven at the nominal load with the torque that its efficiency says it goes on as fast as it was; without any load it loses no_load. */
static void it_moves_as_it_should(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        char torque[64];
        double x[3];
        snprintf(torque, sizeof torque, "%.17g", nominal / ratio / efficiency);
        detent_mechanism *m = make_gear(nominal, torque, 7);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 5, x, 3);
        variant_near(v, x[0], 7, 1e-9);
        variant_near(v, x[1], nominal / ratio - nominal / ratio / efficiency, 1e-9);
        runs_end(sim, m);

        /* slowed down, the wheel drives: 3 a / 10 = -M_w, with L = 3 |a| / 100 of it on the rotor: 0.02 a = L - n - share L */
        const double share = 1 - back - no_load / (nominal / ratio),
                     a = -no_load / (0.02 + 0.03 * (1 - share));
        m = make_gear(0, "0", 7);
        sim = variant_start(m, v);
        variant_outputs(sim, v, 0.5, x, 3);
        variant_near(v, x[0], 7 + 0.5 * a, 1e-9);
        runs_end(sim, m);
    }
}

static void a_program_gives_it(void **state)
{
    detent_error error = {0};
    detent_mechanism *m = NULL;
    const char *const gravity[] = {"0", "0", "0"};
    (void)state;
    runs_must(detent_mechanism_create("gear", NULL, &m, &error), &error);
    runs_must(detent_set_gravity_law(m, gravity, &error), &error);
    runs_must(detent_add_item(m, "bodies", "rotor", "{mass: 1, inertia: [1, 1, 1]}", &error),
              &error);
    runs_must(detent_add_item(m, "bodies", "wheel", "{mass: 1, inertia: [1, 1, 1]}", &error),
              &error);
    runs_must(detent_add_item(m, "joints", "motor",
                              "{type: revolute, base: ground, follower: rotor, force: 1*t}",
                              &error),
              &error);
    runs_must(detent_add_item(m, "joints", "shaft",
                              "{type: revolute, base: ground, follower: wheel}", &error),
              &error);
    detent_coupling_def gear = {.size = sizeof gear,
                                .name = "gear",
                                .primitive = {"motor", "shaft"},
                                .factor = {1, -10},
                                .count = 2,
                                .no_load = -1};
    assert_int_equal(detent_add_coupling(m, &gear, &error), DETENT_ERROR_MODEL);
    gear.no_load = 0.3;
    runs_must(detent_add_coupling(m, &gear, &error), &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    detent_simulation *sim = runs_start(m, NULL);
    runs_log log = {0};
    runs_record(sim, 1, &log);
    runs_near("breakaway", runs_time_of(&log, 0, DETENT_WAIT, 0), 0.3, 1e-9);
    runs_log_free(&log);
    runs_end(sim, m);
}

static void what_is_wrong_is_told(void **state)
{
    static const char *const refused[][2] = {
        {"efficiency: 0.85, at_load: 50 N*m", "beside 'no_load'"},
        {"efficiency: 0.99, no_load: 2 N*m, at_load: 50 N*m", "more than the efficiency leaves"},
        {"efficiency: 0.85, no_load: 0.2 N", "N m"},
        {"coefficient: 0.1, lead_angle: 0.1, no_load: 1", "unknown key 'no_load'"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        char text[1024];
        detent_mechanism *m = NULL;
        detent_error error = {0};
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\n"
                 "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "joints: {A: {type: revolute, base: ground, follower: a}, B: {type: revolute, "
                 "base: ground, follower: b}}\n"
                 "couplings: {g: {type: gear, joints: [A, B], ratio: 3, friction: {%s}}}\n",
                 refused[n][0]);
        assert_int_equal(detent_mechanism_parse(text, strlen(text), "test.yaml", NULL, &m, &error),
                         DETENT_ERROR_MODEL);
        if (!strstr(error.message, refused[n][1]) || error.line != 5) {
            fail_msg("%s\n%d:%d: %s", refused[n][0], error.line, error.column, error.message);
        }
    }
}

/** A coefficient may be swept down to 0: then there is no stiction, and outputs read a friction of 0. A joint that no coupling begins with has none. */
static void without_friction(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -10]\nparameters: {mu: 0.1}\n"
        "bodies: {nut: {mass: 2}, spindle: {mass: 1, inertia: [1, 1, 0.01]}}\n"
        "joints:\n"
        "  turn: {type: revolute, base: ground, follower: spindle}\n"
        "  lift: {type: prismatic, base: ground, follower: nut}\n"
        "couplings:\n"
        "  lead: {type: screw, joints: [turn, lift], pitch: 0.1, friction: {coefficient: mu, "
        "radius: 0.02}}\n"
        "outputs: [friction(turn), acceleration(lift)%s]\nsimulation: {end: 1}\n";
    UNUSED(state);
    char page[1024];
    double x[2];
    detent_error error = {.message = ""};
    snprintf(page, sizeof page, text, "");
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int rubs = 0; rubs < 2; rubs++) {
            const double lead = 0.1 / (2 * acos(-1)), mass = 0.01 / lead / lead + 2;
            detent_mechanism *m =
                runs_parse(page, (const char *const[]){rubs ? "mu=0.1" : "mu=0", NULL});
            detent_simulation *sim = variant_start(m, variant_at(k));
            variant_outputs(sim, variant_at(k), 0.5, x, 2);
            assert_true((x[0] != 0) == rubs);
            if (!rubs) {
                variant_near(variant_at(k), x[1], -20 / mass, 1e-12);
            }
            runs_end(sim, m);
        }
    }
    detent_mechanism *m = NULL;
    snprintf(page, sizeof page, text, ", friction(lift)");
    assert_int_equal(detent_mechanism_parse(page, strlen(page), "inline", NULL, &m, &error),
                     DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "'lift' has no stiction"));
}

/** Of a differential the first joint rubs, by what it drives: a casing turns with the mean of two shafts. */
static void a_differential_rubs(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {T: 1}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [1, 1, 0.3]}, c: "
        "{mass: 1, inertia: [1, 1, 0.5]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, force: \"T*1 [N*m]\", initial: "
        "{velocity: 1, priority: exact}}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "  c: {type: revolute, base: ground, follower: c}\n"
        "couplings: {axle: {type: differential, joints: [a, b, c], factors: [2, -1, -1], friction: "
        "{efficiency: 0.8, reverse_efficiency: 0.5}}}\n"
        "outputs: [acceleration(a), coupling_force(axle), friction(a)]\nsimulation: {end: 1}\n";
    const double behind = 4 / (1 / 0.3 + 1 / 0.5);
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int drives = 0; drives < 2;
             drives++) { /* it turns forward, and is driven on or braked */
            const double T = drives ? 3 : -3, passed = drives ? 1 / 0.8 : 0.5,
                         a = T / (0.02 + passed * behind);
            double x[3];
            detent_mechanism *m =
                runs_parse(text, (const char *const[]){drives ? "T=3" : "T=-3", NULL});
            detent_simulation *sim = variant_start(m, variant_at(k));
            variant_outputs(sim, variant_at(k), 0.01, x, 3);
            variant_near(variant_at(k), x[0], a, 1e-9 * fabs(a));
            variant_near(variant_at(k), x[1], -behind * a, 1e-9 * fabs(a));
            variant_near(variant_at(k), x[2], -fabs(passed - 1) * behind * fabs(a), 1e-9 * fabs(a));
            runs_end(sim, m);
        }
    }
}

/** A motor with a gear whose driven joint, or both, have stops that are far off; it may be that a differential has a third shaft, which sticks. */
static const char idle[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [1, 1, 0.3]}, c: {mass: "
    "1, "
    "inertia: [1, 1, 0.5]}}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: a, force: '%s'%s}\n"
    "  b: {type: revolute, base: ground, follower: b, stops: {upper: {at: 9}}}\n"
    "  c: {type: revolute, base: ground, follower: c}\n%s"
    "couplings: {mesh: {%s, friction: {efficiency: 0.8}}}\n"
    "outputs: [position(a)]\nsimulation: {end: 1, rtol: 1e-10}\n";

/**
 * With a load that begins at nothing there is no friction in the mesh when it sets out, and nothing else has any: whoever is let go, none of them
 * holds another one. J = J_a + J_b / 0.8 is moved by the load from the first moment.
 */
static void it_sets_out_from_no_load_beside_a_stop(void **state)
{
    static const struct {
        const char *load;
        double moment; /* of a position: the second integral of the load at 1 s */
    } loads[] = {{"0.4*sin(3*t)", 0.4 / 3 * (1 - 0.14112000805986721 / 3)}, {"0.4*t^2", 0.4 / 12}};
    static const struct {
        const char *own_stop, *third, *coupling;
    } meshes[] = {
        {"", "", "type: gear, joints: [a, b], ratio: 1"},
        {", stops: {upper: {at: 9}, lower: {at: -9}}", "", "type: gear, joints: [a, b], ratio: 1"},
        {"", "stiction: {c: {kinetic: 5, static: 5}}\n",
         "type: differential, joints: [a, b, c], factors: [1, -1, 1]"}};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t n = 0; n < 6; n++) {
            char text[1500];
            double x;
            snprintf(text, sizeof text, idle, loads[n % 2].load, meshes[n / 2].own_stop,
                     meshes[n / 2].third, meshes[n / 2].coupling);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, variant_at(k));
            variant_outputs(sim, variant_at(k), 1, &x, 1);
            variant_near(variant_at(k), x, loads[n % 2].moment / (0.02 + 0.3 / 0.8), 1e-8);
            runs_end(sim, m);
        }
    }
}

/** What turns rests on its stop, which takes all of a load that grows: nothing is left for the meshes behind, whose friction follows their load, and no step is short for that. */
static void nothing_is_left_behind_a_stop(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [1, 1, 0.03]}, c: "
        "{mass: 1, "
        "inertia: [1, 1, 0.05]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, force: 0.4*sin(3*t), stops: {upper: {at: "
        "1}}}\n"
        "  b: {type: revolute, base: ground, follower: b, stops: {upper: {at: 1}}}\n"
        "  c: {type: revolute, base: ground, follower: c}\n"
        "couplings:\n"
        "  r: {type: gear, joints: [a, b], ratio: 2, friction: {efficiency: 0.85, no_load: 0.01}}\n"
        "  s: {type: gear, joints: [b, c], ratio: -1.5, friction: {efficiency: 0.85, no_load: "
        "0.01}}\n"
        "outputs: [position(a), force(a)]\nsimulation: {end: 1, rtol: 1e-9}\n";
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        double x[2];
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(k));
        variant_outputs(sim, variant_at(k), 1, x, 2);
        variant_near(variant_at(k), x[0], 1, 1e-12);
        detent_statistics counted = {.size = sizeof counted};
        runs_must(detent_get_statistics(sim, &counted), NULL);
        variant_check(variant_at(k), "steps", (double)counted.steps, 1000, 1000);
        runs_end(sim, m);
    }
}

/**
 * Two gears behind one another, each of which locks itself, hold whatever turns the last shaft, in either direction, from the first moment: the first of them would do by
 * itself, and how much the second one has does not settle soon. Others hold nothing.
 */
static void a_train_locks_itself(void **state)
{
    static const char form[] = "detent: 1\ngravity: [0, 0, 0]\n"
                               "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, "
                               "inertia: [1, 1, 0.03]}, c: {mass: 1, "
                               "inertia: [1, 1, 0.05]}}\n"
                               "joints:\n"
                               "  a: {type: revolute, base: ground, follower: a}\n"
                               "  b: {type: revolute, base: ground, follower: b}\n"
                               "  c: {type: revolute, base: ground, follower: c, force: '%s'}\n"
                               "couplings:\n"
                               "  r: {type: gear, joints: [a, b], ratio: 1, friction: {efficiency: "
                               "0.8, reverse_efficiency: %s}}\n"
                               "  s: {type: gear, joints: [b, c], ratio: 1, friction: {efficiency: "
                               "0.8, reverse_efficiency: %s}}\n"
                               "outputs: [position(c)]\nsimulation: {end: 1, rtol: 1e-10}\n";
    static const char *const loads[] = {"0.1 + 0.4*t", "-0.1 - 0.4*t", "0.4*sin(3*t)", "-0.4*t^2"};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t n = 0; n < sizeof loads / sizeof *loads; n++) {
            char text[1500];
            double x;
            snprintf(text, sizeof text, form, loads[n], "-0.2", "-0.2");
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, variant_at(k));
            variant_outputs(sim, variant_at(k), 1, &x, 1);
            variant_near(variant_at(k), x, 0, 0);
            runs_end(sim, m);
        }
        /* what c does along b is halved on the way, and again to a: J = J_c + 2 (J_b + 2 J_a) */
        char text[1500];
        double x;
        snprintf(text, sizeof text, form, "0.4*t^2", "0.5", "0.5");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(k));
        variant_outputs(sim, variant_at(k), 1, &x, 1);
        variant_near(variant_at(k), x, 0.4 / 12 / (0.05 + 2 * (0.03 + 2 * 0.02)), 1e-8);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_what_its_load_asks_for),
        cmocka_unit_test(it_moves_as_it_should),
        cmocka_unit_test(a_program_gives_it),
        cmocka_unit_test(what_is_wrong_is_told),
        cmocka_unit_test(without_friction),
        cmocka_unit_test(a_differential_rubs),
        cmocka_unit_test(it_sets_out_from_no_load_beside_a_stop),
        cmocka_unit_test(nothing_is_left_behind_a_stop),
        cmocka_unit_test(a_train_locks_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
