/*
 * Energies, works and errors of constraints as outputs; and how outputs of bodies change with the state: linear models against
 * differences of runs that begin elsewhere. Kinematics without a run. Nothing is allocated while they are read.
 */
#include "detent/analysis.h"
#include "support_four_bar.h"
#include "support_linear.h"
#include "support_variants.h"

static double sum_of(const detent_mechanism *m, detent_simulation *s, const char *const *outputs)
{
    double sum = 0;
    for (; *outputs; outputs++) {
        sum += runs_output(m, s, *outputs);
    }
    return sum;
}

/* ---- energies ---- */

/* A double pendulum with a spring, a damper, an armature and a strut to the ground. */
static const char pendulum[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  upper: {mass: 2, center_of_mass: [0.4, 0.1, 0], inertia: [0.1, 0.2, 0.3]}\n"
    "  lower: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
    "  plate: {mass: 0.5, center_of_mass: [0, 0, 0.2], inertia: [0.01, 0.01, 0.02]}\n"
    "joints:\n"
    "  top: {type: revolute, base: ground, follower: upper, initial: {velocity: 1}, armature: "
    "0.2}\n"
    "  knee: {type: revolute, base: upper, follower: lower, axis: [0, 0.6, 0.8],\n"
    "         at: {base: [1, 0, 0]}, spring: {stiffness: 20, rest: 0.3}, damping: 0.4}\n"
    "  mount: {type: weld, base: lower, follower: plate, at: {base: [0.5, 0.2, 0]}}\n"
    "springs:\n"
    "  strut: {between: [{body: lower, at: [0.5, 0, 0]}, {body: ground, at: [0.3, -1, 0]}],\n"
    "          stiffness: 30, rest: 0.7, damping: 0.5}\n"
    "outputs:\n"
    "- kinetic_energy()\n- potential_energy()\n- damping_work()\n- friction_work()\n"
    "- kinetic_energy(upper)\n- kinetic_energy(lower)\n- kinetic_energy(plate)\n"
    "- potential_energy(upper)\n- potential_energy(lower)\n- potential_energy(plate)\n"
    "- {rotor: 0.1*velocity(top)^2}\n- {coil: 10*(position(knee) - 0.3)^2}\n"
    "- {strut: 15*(way - 0.7)^2}\n"
    "points:\n"
    "  end: {body: lower, at: [0.5, 0, 0]}\n"
    "  hook: {body: ground, at: [0.3, -1, 0]}\n"
    "signals: {way: \"hypot(hypot(position(end, x, hook), position(end, y, hook)), position(end, "
    "z, "
    "hook))\"}\n"
    "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";

static void energies_add_up(void **state)
{
    static const char *const kinetic[] = {"kinetic_energy(upper)", "kinetic_energy(lower)",
                                          "kinetic_energy(plate)", "rotor", NULL},
                             *const potential[] = {"potential_energy(upper)",
                                                   "potential_energy(lower)",
                                                   "potential_energy(plate)",
                                                   "coil",
                                                   "strut",
                                                   NULL};
    UNUSED(state);
    detent_mechanism *m = runs_parse(pendulum, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        const double start =
            runs_output(m, s, "kinetic_energy()") + runs_output(m, s, "potential_energy()");
        for (int i = 0; i <= 3; i++) {
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            variant_advance(s, v, i);
            detent_get_statistics(s, &statistics);
            const double T = runs_output(m, s, "kinetic_energy()"),
                         V = runs_output(m, s, "potential_energy()"),
                         lost = runs_output(m, s, "damping_work()");
            variant_check(v, "kinetic energy", T, sum_of(m, s, kinetic), 1e-11);
            variant_check(v, "potential energy", V, sum_of(m, s, potential), 1e-11);
            variant_check(v, "energy", T + V - lost, start, 1e-7);
            assert_true(i == 0 || lost < -1e-3);
            assert_true(T == statistics.kinetic_energy && V == statistics.potential_energy);
            assert_true(lost == statistics.damping_work);
            assert_true(runs_output(m, s, "friction_work()") == 0);
        }
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* Of a body that a loop is cut at all the mass is told, though copies of it share that. */
static void energies_add_up_in_a_loop(void **state)
{
    static const char outputs[] =
        "outputs:\n"
        "- kinetic_energy()\n- potential_energy()\n"
        "- kinetic_energy(crank)\n- kinetic_energy(rod)\n- kinetic_energy(rocker)\n"
        "- potential_energy(crank)\n- potential_energy(rod)\n- potential_energy(rocker)\n"
        "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";
    static const char *const kinetic[] = {"kinetic_energy(crank)", "kinetic_energy(rod)",
                                          "kinetic_energy(rocker)", NULL},
                             *const potential[] = {"potential_energy(crank)",
                                                   "potential_energy(rod)",
                                                   "potential_energy(rocker)", NULL};
    char text[8192];
    UNUSED(state);
    for (int cut = 0; cut < 3; cut++) {
        support_write_four_bar(text, sizeof text, cut, -9.81, 0.7, 3, outputs);
        detent_mechanism *m = runs_parse(text, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            const double start = sum_of(m, s, kinetic) + sum_of(m, s, potential);
            variant_advance(s, v, 1.3);
            variant_check(v, "kinetic energy", runs_output(m, s, "kinetic_energy()"),
                          sum_of(m, s, kinetic), 1e-11);
            variant_check(v, "potential energy", runs_output(m, s, "potential_energy()"),
                          sum_of(m, s, potential), 1e-11);
            variant_check(v, "energy", sum_of(m, s, kinetic) + sum_of(m, s, potential), start,
                          1e-7);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/* ---- works ---- */

/* A block of 2 kg slides at 3 m/s against 4 N, and is caught in a band of 0.1 m/s, which takes what is left. */
static void impacts_are_counted(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {block: {mass: 2}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0],\n"
        "                 initial: {velocity: 3}}}\n"
        "stiction: {slide: {kinetic: 4, static: 5, velocity_threshold: 0.1, locking: band}}\n"
        "outputs: [friction_work(), impact_loss(), kinetic_energy(), mode(slide)]\n"
        "simulation: {end: 3, rtol: 1e-9, atol: 1e-11}\n";
    UNUSED(state);
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        detent_error error;
        double before[4] = {0}, after[4] = {0};
        while (after[3] != DETENT_LOCKED || detent_time(s) == 0) {
            runs_must(detent_advance(s, 3, true, &error) < 0 ? error.status : DETENT_OK, &error);
            assert_true(detent_time(s) < 3);
            runs_must(detent_read_before(s, DETENT_OUTPUTS, before, 4, &error), &error);
            runs_must(detent_read(s, DETENT_OUTPUTS, after, 4, &error), &error);
        }
        const double caught = 0.5 * 2 * 0.1 * 0.1;
        variant_check(v, "loss before", before[1], 0, 0);
        variant_check(v, "loss", after[1], caught, 1e-7);
        variant_check(v, "energy before", before[2], caught, 1e-7);
        variant_check(v, "energy", after[2], 0, 0);
        variant_check(v, "work of friction", after[0], caught - 9, 1e-7);
        variant_check(v, "work of friction before", before[0], after[0], 1e-12);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* ---- constraints ---- */

/* How far a loop is open is the distance between the two places of its pin, and their angle. */
static void constraint_errors_are_told(void **state)
{
    static const char bodies[] = "  wheel: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
                                 "  bob: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n";
    static const char more[] =
        "  idler: {type: revolute, base: ground, follower: wheel}\n"
        "  swing: {type: universal, base: ground, follower: bob, at: {base: [3, 0, 0]}}\n"
        "couplings:\n"
        "  twin: {type: gear, joints: [a, idler], ratio: 2}\n"
        "  bar: {type: distance, between: [{body: wheel, at: [1, 0, 0]}, {body: bob, at: [0, 0, "
        "-1]}],\n"
        "        length: 2.3}\n"
        "outputs:\n"
        "- constraint_error()\n- constraint_error(c)\n- constraint_error(twin)\n"
        "- constraint_error(bar)\n"
        "- {across: \"hypot(position(left, x, right), position(left, y, right))\"}\n"
        "points:\n"
        "  left: {body: rod, at: [0.8, 0, 0]}\n"
        "  right: {body: rocker, at: [0.6, 0, 0]}\n"
        "simulation: {end: 2, rtol: 1e-6}\n";
    char bars[4000], all[8000];
    UNUSED(state);
    support_write_four_bar(bars, sizeof bars, 1, -9.81, 0.7, 3, more);
    const char *joints = strstr(bars, "joints:\n");
    assert_non_null(joints);
    snprintf(all, sizeof all, "%.*s%s%s", (int)(joints - bars), bars, bodies, joints);
    detent_mechanism *m = runs_parse(all, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        double most = 0;
        for (int i = 1; i <= 10; i++) {
            variant_advance(s, v, 0.13 * i);
            const double whole = runs_output(m, s, "constraint_error()");
            const double parts[] = {runs_output(m, s, "constraint_error(c)"),
                                    runs_output(m, s, "constraint_error(twin)"),
                                    runs_output(m, s, "constraint_error(bar)")};
            double worst = 0;
            for (int j = 0; j < 3; j++) {
                worst = fmax(worst, parts[j]);
            }
            assert_true(whole == worst);
            variant_check(v, "constraint error", whole, 0, 1e-12);
            variant_check(v, "points of the pin", runs_output(m, s, "across"), 0, 1e-12);
            most = fmax(most, whole);
        }
        assert_true(most > 0); /* rounding: it is no constant */
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* ---- linear models ---- */

typedef struct point {
    double outputs[64], states[32];
    size_t output_count, state_count;
} point;

/* Outputs and states at the start, `set` being one parameter. */
static void look(const char *text, const char *set, point *of)
{
    const char *const sets[] = {set, NULL};
    detent_mechanism *m = runs_parse(text, set ? sets : NULL);
    detent_simulation *s = runs_start(m, NULL);
    detent_error error;
    linear_model *l = NULL;
    runs_must(linear_model_make(s, NULL, &l, &error), &error);
    of->output_count = l->outputs;
    of->state_count = l->states;
    assert_true(l->outputs <= 64 && l->states <= 32);
    for (size_t i = 0; i < l->states; i++) {
        of->states[i] = l->state[i].value;
    }
    runs_must(detent_read(s, DETENT_OUTPUTS, of->outputs, l->outputs, &error), &error);
    linear_model_free(l);
    runs_end(s, m);
}

/* dy = C dx, whatever moves. */
static void check_model(const char *text, const char *parameter, double value)
{
    const double h = 1e-4;
    point at[5];
    for (int k = 0; k < 5; k++) {
        char set[80];
        snprintf(set, sizeof set, "%s=%.17g", parameter, value + (k - 2) * h);
        look(text, set, &at[k]);
    }
    char set[80];
    snprintf(set, sizeof set, "%s=%.17g", parameter, value);
    const char *const sets[] = {set, NULL};
    detent_mechanism *m = runs_parse(text, sets);
    detent_simulation *s = runs_start(m, NULL);
    detent_error error;
    linear_model *l = NULL;
    runs_must(linear_model_make(s, NULL, &l, &error), &error);
    for (size_t i = 0; i < l->outputs; i++) {
        double predicted = 0;
        for (size_t j = 0; j < l->states; j++) {
            const double dx =
                (8 * (at[3].states[j] - at[1].states[j]) - (at[4].states[j] - at[0].states[j])) /
                (12 * h);
            predicted += l->C[i * l->states + j] * dx;
        }
        const double dy =
            (8 * (at[3].outputs[i] - at[1].outputs[i]) - (at[4].outputs[i] - at[0].outputs[i])) /
            (12 * h);
        runs_near(detent_name(m, DETENT_OUTPUT, i), predicted, dy, 1e-8 * (1 + fabs(dy)));
    }
    linear_model_free(l);
    runs_end(s, m);
}

#define THREE(function, rest)                                                                     \
    "- " function "(of, x" rest ")\n- " function "(of, y" rest ")\n- " function "(of, z" rest ")" \
    "\n"

static const char looked_at[] = "outputs:\n" THREE("position", "") THREE("velocity", "")
    THREE("acceleration", "") THREE("position", ", from") THREE("velocity", ", from") THREE(
        "acceleration", ", from") THREE("velocity", ", from, along") THREE("acceleration",
                                                                           ", ground, along")
        THREE("angular_velocity", ", from") THREE("angular_acceleration", ", from") THREE(
            "angular_acceleration",
            ", ground, along") "- rotation(of, xx, from)\n- rotation(of, yz, from)\n- rotation(of, "
                               "zx, from)\n"
                               "- rpy(of, roll, from)\n- rpy(of, pitch, from)\n- rpy(of, yaw, "
                               "from)\n"
                               "- quaternion(of, w, from)\n- quaternion(of, x, from)\n- "
                               "quaternion(of, y, from)\n"
                               "- quaternion(of, z, from)\n"
                               "- kinetic_energy()\n- potential_energy()\n- constraint_error()\n";

static void linear_models_know_them(void **state)
{
    static const char *const parameters[] = {"p1", "p2", "v1", "v2"};
    static const double values[] = {0.3, -0.4, 1.2, 0.7};
    static const char tree[] =
        "detent: 1\n"
        "gravity: [1, -9.81, 2]\n"
        "parameters: {p1: 0.3, p2: -0.4, v1: 1.2, v2: 0.7}\n"
        "bodies:\n"
        "  upper: {mass: 2, center_of_mass: [0.4, 0.1, 0], inertia: [0.1, 0.2, 0.3]}\n"
        "  lower: {mass: 1, center_of_mass: [0.3, 0, 0.2], inertia: [0.02, 0.03, 0.04]}\n"
        "joints:\n"
        "  top: {type: revolute, base: ground, follower: upper, armature: 0.2,\n"
        "        initial: {position: p1, velocity: v1}}\n"
        "  knee: {type: revolute, base: upper, follower: lower, axis: [0, 0.6, 0.8],\n"
        "         at: {base: [1, 0, 0]}, spring: {stiffness: 20, rest: 0.3}, damping: 0.4,\n"
        "         initial: {position: p2, velocity: v2}}\n"
        "springs:\n"
        "  strut: {between: [{body: lower, at: [0.5, 0, 0]}, {body: ground, at: [0.3, -1, 0]}],\n"
        "          stiffness: 30, rest: 0.7, damping: 0.5}\n"
        "points:\n"
        "  of: {body: lower, at: {point: [0.1, 0.3, -0.2], rotation: {rpy: [0.2, 0.3, 0.4]}}}\n"
        "  from: {body: upper, at: {point: [-0.4, 0.1, 0.2], rotation: {rpy: [1, 0.2, -0.4]}}}\n"
        "  along: {body: lower, at: {rotation: {axis: [1, 0, 1], angle: 2}}}\n";
    char text[9000];
    UNUSED(state);
    snprintf(text, sizeof text, "%s%s- kinetic_energy(lower)\n- potential_energy(lower)\n", tree,
             looked_at);
    for (size_t k = 0; k < 4; k++) {
        check_model(text, parameters[k], values[k]);
    }
}

static void linear_models_know_them_in_loops(void **state)
{
    static const char points[] =
        "parameters: {angle: 0.7, speed: 3}\n"
        "points:\n"
        "  of: {body: rod, at: {point: [0.1, 0.3, -0.2], rotation: {rpy: [0.2, 0.3, 0.4]}}}\n"
        "  from: {body: rocker, at: {point: [-0.4, 0.1, 0.2], rotation: {rpy: [1, 0.2, -0.4]}}}\n"
        "  along: {body: crank, at: {rotation: {axis: [1, 0, 1], angle: 2}}}\n"
        "initial: {a: {position: angle, velocity: speed}}\n";
    char text[9000], more[5000];
    UNUSED(state);
    snprintf(more, sizeof more, "%s%s- kinetic_energy(rod)\n- potential_energy(rod)\n", points,
             looked_at);
    for (int cut = 0; cut < 3; cut++) {
        support_write_four_bar(text, sizeof text, cut, -9.81, 0.7, 3, more);
        check_model(text, "angle", 0.7);
        check_model(text, "speed", 3);
    }
}

/* ---- kinematics ---- */

static void kinematics_know_them(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {arm: {mass: 2, inertia: [0.1, 0.2, 0.3]}}\n"
        "joints: {hinge: {type: revolute, base: ground, follower: arm, motion: 0.3*t^2}}\n"
        "points: {tip: {body: arm, at: [2, 0, 0]}}\n"
        "outputs: ['acceleration(tip, x, ground, arm)', 'acceleration(tip, y, ground, arm)',\n"
        "          'velocity(tip, y, ground, arm)', kinetic_energy(), friction_work()]\n";
    UNUSED(state);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = NULL;
    detent_error error;
    runs_must(detent_analysis_create(m, NULL, &analysis, &error), &error);
    for (int i = 0; i < 4; i++) {
        const double t = 0.5 * i, w = 0.6 * t;
        const double expected[] = {-2 * w * w, 1.2, 2 * w, 0.15 * w * w};
        runs_must(detent_kinematics(analysis, t, NULL, NULL, NULL, NULL, &error), &error);
        for (size_t k = 0; k < 4; k++) {
            double value;
            runs_must(detent_kinematics_output(analysis, k, &value, &error), &error);
            runs_near(detent_name(m, DETENT_OUTPUT, k), value, expected[k], 1e-14);
        }
        double value;
        assert_int_equal(detent_kinematics_output(analysis, 4, &value, &error),
                         DETENT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "works, which motions do not tell"));
    }
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* ---- units, memory ---- */

static void units_are_told(void **state)
{
    static const struct {
        const char *output, *unit;
    } expected[] = {
        {"position(tip, x)", "m"},
        {"velocity(tip, x, arm)", "m/s"},
        {"acceleration(arm, z)", "m/s2"},
        {"angular_velocity(arm, x)", "rad/s"},
        {"angular_acceleration(tip, x)", "rad/s2"},
        {"rpy(arm, yaw)", "rad"},
        {"rotation(arm, xx)", ""},
        {"quaternion(arm, w)", ""},
        {"kinetic_energy()", "J"},
        {"potential_energy(arm)", "J"},
        {"impact_loss()", "J"},
        {"constraint_error()", "m"},
        {"velocity(hinge)", "rad/s"},
        {"velocity(tip, x) - velocity(arm, x)", "m/s"},
    };
    UNUSED(state);
    detent_mechanism *m = NULL;
    detent_error error;
    runs_must(detent_mechanism_create("arm", NULL, &m, &error), &error);
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.name = "arm";
    body.mass = 1;
    runs_must(detent_add_body(m, &body, &error), &error);
    runs_must(detent_set_gravity_law(m, (const char *const[]){"0", "0", "0"}, &error), &error);
    runs_must(detent_add_item(m, "joints", "hinge",
                              "{type: revolute, base: ground, follower: arm, at: {follower: [1, 0, "
                              "0]}}",
                              &error),
              &error);
    runs_must(detent_add_item(m, "points", "tip", "{body: arm, at: [1, 0, 0 mm]}", &error), &error);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        runs_must(detent_add_output(m, expected[k].output, &error), &error);
    }
    runs_must(detent_mechanism_finish(m, &error), &error);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        assert_string_equal(detent_unit(m, DETENT_OUTPUT, k), expected[k].unit);
    }
    assert_int_equal(detent_count(m, DETENT_POINT), 1);
    assert_string_equal(detent_name(m, DETENT_POINT, 0), "tip");
    assert_int_equal(detent_find(m, DETENT_POINT, "tip"), 0);
    detent_mechanism_destroy(m);
}

static size_t calls;

static void *take(size_t size, void *context)
{
    UNUSED(context);
    calls++;
    return malloc(size);
}

static void give(void *memory, void *context)
{
    UNUSED(context);
    free(memory);
}

static void nothing_is_allocated(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(pendulum, NULL);
    const detent_allocator allocator = {.allocate = take, .release = give};
    const detent_simulation_options options = {.size = sizeof options, .allocator = &allocator};
    detent_simulation *s = NULL;
    detent_error error;
    double values[64];
    runs_must(detent_simulation_create(m, &options, &s, &error), &error);
    const size_t before = calls, count = detent_count(m, DETENT_OUTPUT);
    assert_true(before > 0 && count <= 64);
    for (int i = 0; i < 20; i++) {
        runs_must(detent_advance(s, 0.1 * i, false, &error), &error);
        runs_must(detent_read(s, DETENT_OUTPUTS, values, count, &error), &error);
    }
    assert_true(calls == before);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_add_up),
        cmocka_unit_test(energies_add_up_in_a_loop),
        cmocka_unit_test(impacts_are_counted),
        cmocka_unit_test(constraint_errors_are_told),
        cmocka_unit_test(linear_models_know_them),
        cmocka_unit_test(linear_models_know_them_in_loops),
        cmocka_unit_test(kinematics_know_them),
        cmocka_unit_test(units_are_told),
        cmocka_unit_test(nothing_is_allocated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
