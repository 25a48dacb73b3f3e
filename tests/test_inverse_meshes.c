/*
 * Meshes that rub, in inverse dynamics and where static friction holds them, by formulas of lead screws and trains: the torque of a motor
 * behind a mesh, what a mesh that locks itself holds, and forces that a run gives back.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 16 };

static const double mu = 0.15;

/* Shares that friction of a thread of that lead angle takes of a load: as it is driven up, and as it is driven back. */
static void shares_of(double angle, double *driving, double *driven)
{
    const double T = tan(angle);
    *driving = mu * (1 + T * T) / (T * (1 - mu * T));
    *driven = mu * (1 + T * T) / (T * (1 + mu * T));
}

static double radians(double degrees)
{
    return degrees * acos(-1) / 180;
}

static detent_analysis *analyse(const detent_mechanism *m)
{
    detent_error error;
    detent_analysis *analysis = NULL;
    runs_must(detent_analysis_create(m, NULL, &analysis, &error), &error);
    return analysis;
}

static size_t freedom(const detent_mechanism *m, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p);
    return p.first_freedom;
}

/* The drive along a joint for accelerations a (NULL: at rest), from where the analysis is. */
static detent_status drive(const detent_mechanism *m, detent_analysis *n, const char *joint,
                           const double *a, double *low, double *high, detent_error *error)
{
    double zero[MOST] = {0}, lows[MOST], highs[MOST];
    bool driven[MOST] = {false};
    const size_t d = freedom(m, joint);
    driven[d] = true;
    const detent_status status = detent_inverse(n, a ? a : zero, driven, lows, highs, error);
    *low = lows[d];
    *high = highs[d];
    return status;
}

static void check_drive(const detent_mechanism *m, const char *joint, double low, double high)
{
    detent_error error;
    double found[2];
    detent_analysis *n = analyse(m);
    runs_must(drive(m, n, joint, NULL, &found[0], &found[1], &error), &error);
    const double ends[] = {low, high};
    for (int k = 0; k < 2; k++) {
        if (isinf(ends[k])) {
            assert_true(found[k] == ends[k]);
        } else {
            runs_near(joint, found[k], ends[k], 1e-11 * fmax(1, fabs(ends[k])));
        }
    }
    detent_analysis_destroy(n);
}

static detent_hold_interval interval_of(const detent_mechanism *m, const char *input)
{
    detent_error error;
    detent_hold_interval interval = DETENT_INIT(detent_hold_interval);
    detent_analysis *n = analyse(m);
    runs_must(detent_find_hold_interval(n, (size_t)detent_find(m, DETENT_INPUT, input), &interval,
                                        &error),
              &error);
    detent_analysis_destroy(n);
    return interval;
}

/* A worm of that lead angle (in degrees) drives a drum of 30 times its angle, on which 6 N m act and, along it, D. */
static detent_mechanism *make_worm(double angle)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\ninputs: {D: 0 N*m, T: 0 N*m}\n"
             "bodies: {w: {mass: 1, inertia: [1, 1, 1e-4]}, d: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints:\n"
             "  worm: {type: revolute, base: ground, follower: w, force: T}\n"
             "  drum: {type: revolute, base: ground, follower: d, force: D}\n"
             "loads: {weight: {body: d, torque: [0, 0, 6 N*m]}}\n"
             "couplings: {drive: {type: gear, joints: [worm, drum], ratio: 30, friction: "
             "{coefficient: 0.15, lead_angle: %.17g deg}}}\n",
             angle);
    return runs_parse(text, NULL);
}

static void a_worm_is_driven(void **state)
{
    static const double angles[] = {4, 7, 12, 25};
    (void)state;
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        double driving, driven;
        shares_of(radians(angles[k]), &driving, &driven);
        detent_mechanism *m = make_worm(angles[k]);
        const double load = -6.0 / 30; /* of the worm, without friction */
        check_drive(m, "worm", load * (1 + driving), load * (1 - driven));
        if (driven >= 1) {
            check_drive(m, "drum", -INFINITY, INFINITY);
        } else {
            check_drive(m, "drum", -6, -6);
        }
        detent_mechanism_destroy(m);
    }
}

/* Friction of the worm's own is there without a load as well: a mesh that does not lock itself lessens it, or adds. */
static void a_worm_with_a_seal(void **state)
{
    double driving, driven;
    (void)state;
    shares_of(radians(12), &driving, &driven);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {w: {mass: 1, inertia: [1, 1, 1e-4]}, d: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  worm: {type: revolute, base: ground, follower: w}\n"
        "  drum: {type: revolute, base: ground, follower: d}\n"
        "loads: {weight: {body: d, torque: [0, 0, 6 N*m]}}\n"
        "stiction: {worm: {static: 0.01, kinetic: 0.01}}\n"
        "couplings: {drive: {type: gear, joints: [worm, drum], ratio: 30, friction: "
        "{coefficient: 0.15, lead_angle: 12 deg}}}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    /* f = -L of the worm alone, |f| <= 0.01 + driven |L| */
    const double room = 30 * 0.01 / (1 - driven);
    check_drive(m, "drum", -6 - room, -6 + room);
    check_drive(m, "worm", -0.2 * (1 + driving) - 0.01, -0.2 * (1 - driven) + 0.01);
    detent_mechanism_destroy(m);
}

/* A train of two stages that is driven at its head: what the second mesh loses or saves is load of the first. */
static void a_train_is_driven(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\ninputs: {T: 0 N*m}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]},\n"
        "         c: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, force: T}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "  c: {type: revolute, base: ground, follower: c}\n"
        "loads: {weight: {body: c, torque: [0, 0, %d N*m]}}\n"
        "couplings:\n"
        "  one: {type: gear, joints: [a, b], ratio: -3, friction: {efficiency: 0.8, "
        "reverse_efficiency: %g}}\n"
        "  two: {type: gear, joints: [b, c], ratio: 4, friction: {efficiency: 0.9, "
        "reverse_efficiency: 0.85}}\n";
    static const double backs[] = {0.7, -0.5};
    (void)state;
    for (int k = 0; k < 2; k++) {
        for (int way = -1; way <= 1; way += 2) {
            char file[2048];
            snprintf(file, sizeof file, text, way, backs[k]);
            detent_mechanism *m = runs_parse(file, NULL);
            const double back = backs[k], load = way / 12.0; /* of a, without friction */
            /* the second one saves as the load comes down, be it that the first one has to be driven for that */
            const double most = load / 0.9 / 0.8, least = load * back * 0.85;
            check_drive(m, "a", fmin(least, most), fmax(least, most));
            const detent_hold_interval held = interval_of(m, "T");
            runs_near("held from", held.low, fmin(least, most), 1e-9);
            runs_near("held to", held.high, fmax(least, most), 1e-9);
            detent_error error;
            double low, high;
            detent_analysis *n = analyse(m);
            /* let go, the motor's own mesh and the other one follow each other: that is said */
            assert_int_equal(drive(m, n, "c", NULL, &low, &high, &error), DETENT_ERROR_ARGUMENT);
            assert_non_null(strstr(error.message, "drive '"));
            detent_analysis_destroy(n);
            detent_mechanism_destroy(m);
        }
    }
}

/* A jack: T along its thread, F along what it lifts, 20 kg; it moves. */
static detent_mechanism *make_jack(double angle, double T, double F, double speed)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, -9.81]\ninputs: {T: %.17g N*m, F: %.17g N}\n"
             "bodies: {s: {mass: 1, inertia: [1, 1, 0.01]}, n: {mass: 20}}\n"
             "joints:\n"
             "  turn: {type: revolute, base: ground, follower: s, force: T, initial: {velocity: "
             "%.17g, priority: exact}}\n"
             "  lift: {type: prismatic, base: ground, follower: n, force: F}\n"
             "couplings: {lead: {type: screw, joints: [turn, lift], pitch: %.17g, friction: "
             "{coefficient: 0.15, radius: 10 mm}}}\n"
             "outputs: [acceleration(turn), coupling_force(lead)]\n",
             T, F, speed, 2 * acos(-1) * 0.01 * tan(radians(angle)));
    return runs_parse(text, NULL);
}

/* What a run drives with is given back, and the force along the other joint that makes the same motion does so in a run. */
static void forces_of_a_run_are_given_back(void **state)
{
    static const double angles[] = {5, 9, 20}, torques[] = {-3, 0.2, 8}, speeds[] = {-2, 2};
    (void)state;
    for (int n = 0; n < 18; n++) {
        const double angle = angles[n % 3], T = torques[n / 3 % 3], speed = speeds[n / 9];
        double a[2], forces[2], again[2], low, high;
        detent_error error;
        detent_mechanism *m = make_jack(angle, T, 0, speed);
        detent_simulation *sim = runs_start(m, NULL);
        runs_must(detent_read(sim, DETENT_OUTPUTS, forces, 2, &error), &error);
        runs_must(detent_read(sim, DETENT_ACCELERATIONS, a, 2, &error), &error);
        detent_analysis *of = analyse(m);
        double q[2] = {0, 0}, v[2];
        runs_must(detent_read(sim, DETENT_VELOCITIES, v, 2, &error), &error);
        runs_must(detent_analysis_set_state(of, 0, q, v, NULL, &error), &error);
        runs_must(drive(m, of, "turn", a, &low, &high, &error), &error);
        runs_near("torque", low, T, 1e-10 * (1 + fabs(forces[1])));
        assert_true(low == high);
        const detent_status status = drive(m, of, "lift", a, &low, &high, &error);
        if (status == DETENT_OK) {
            detent_mechanism *other = make_jack(angle, 0, low, speed);
            detent_simulation *run = runs_start(other, NULL);
            runs_must(detent_read(run, DETENT_OUTPUTS, again, 2, &error), &error);
            runs_near("acceleration", again[0], forces[0], 1e-9 * (1 + fabs(forces[0])));
            runs_end(run, other);
        } else { /* a thread that locks itself is not driven back while it moves, but from rest */
            assert_int_equal(status, DETENT_ERROR_SOLVER);
            assert_true(angle < 8);
        }
        detent_analysis_destroy(of);
        runs_end(sim, m);
    }
}

/* An electric cylinder lifts an arm: the torque of its motor in a loop, as the run has it, from each joint that may be driven instead. */
static void a_cylinder_gives_its_torque_back(void **state)
{
    static const double torques[] = {-6, 0.5, 8}, angles[] = {5, 15};
    (void)state;
    for (int n = 0; n < 6; n++) {
        static const char *const joints[] = {"turn", "slide", "hinge"};
        char text[2048];
        double q[MOST], v[MOST], a[MOST], low, high;
        detent_error error;
        snprintf(
            text, sizeof text,
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "inputs: {T: %g N*m}\n"
            "bodies:\n"
            "  arm: {mass: 50, inertia: [0.1, 1, 1], center_of_mass: [1, 0, 0]}\n"
            "  tube: {mass: 2, inertia: [0.05, 0.05, 0.001]}\n"
            "  rod: {mass: 1, inertia: [0.05, 0.05, 0.001]}\n"
            "  spindle: {mass: 0.5, inertia: [1e-4, 1e-4, 1e-4]}\n"
            "joints:\n"
            "  hinge: {type: revolute, base: ground, follower: arm, initial: {position: 20 deg, "
            "priority: exact}}\n"
            "  foot: {type: revolute, base: ground, follower: tube, axis: [1, 0, 0], at: {base: "
            "{point: [0, -0.5, 0], rotation: {axis: [0, 1, 0], angle: 90 deg}}}, initial: "
            "{position: -40 deg}}\n"
            "  slide: {type: prismatic, base: tube, follower: rod, initial: {position: 0.9}}\n"
            "  turn: {type: revolute, base: tube, follower: spindle, force: T}\n"
            "  eye: {type: revolute, base: rod, follower: arm, axis: [1, 0, 0], at: {follower: "
            "{point: [0.6, 0, 0], rotation: {axis: [0, 1, 0], angle: 90 deg}}}}\n"
            "couplings: {lead: {type: screw, joints: [turn, slide], pitch: %.17g, friction: "
            "{coefficient: 0.15, radius: 10 mm}}}\n"
            "simulation: {end: 1, rtol: 1e-9}\n",
            torques[n % 3], 2 * acos(-1) * 0.01 * tan(radians(angles[n / 3])));
        detent_mechanism *m = runs_parse(text, NULL);
        detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
        detent_mechanism_get_info(m, &info);
        detent_simulation *sim = runs_start(m, NULL);
        runs_advance(sim, 0.2);
        runs_must(detent_read(sim, DETENT_POSITIONS, q, info.coordinates, &error), &error);
        runs_must(detent_read(sim, DETENT_VELOCITIES, v, info.freedoms, &error), &error);
        runs_must(detent_read(sim, DETENT_ACCELERATIONS, a, info.freedoms, &error), &error);
        detent_analysis *of = analyse(m);
        runs_must(detent_analysis_set_state(of, 0.2, q, v, NULL, &error), &error);
        const bool moves = v[freedom(m, "turn")] != 0;
        runs_must(drive(m, of, "turn", a, &low, &high, &error), &error);
        if (moves) {
            runs_near("torque", low, torques[n % 3], 1e-9 * 100);
            assert_true(low == high);
        } else {
            assert_true(low < torques[n % 3] && torques[n % 3] < high);
        }
        for (int j = 1; j < 3; j++) { /* driven elsewhere the same mesh is driven back, or is not */
            const detent_status status = drive(m, of, joints[j], a, &low, &high, &error);
            assert_true(status == DETENT_OK || (status == DETENT_ERROR_SOLVER && n < 3));
        }
        detent_analysis_destroy(of);
        runs_end(sim, m);
    }
}

/* A law that reads the force from which the mesh is told could not be told from it. */
static void readers_of_the_same_force_are_refused(void **state)
{
    detent_error error;
    double low, high;
    (void)state;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {w: {mass: 1, inertia: [1, 1, 1]}, d: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  worm: {type: revolute, base: ground, follower: w}\n"
        "  drum: {type: revolute, base: ground, follower: d}\n"
        "stiction: {worm: {static: 0.1*abs(force(worm)), kinetic: 0.1*abs(force(worm))}}\n"
        "couplings: {drive: {type: gear, joints: [worm, drum], ratio: 30, friction: {efficiency: "
        "0.7}}}\n",
        NULL);
    detent_analysis *n = analyse(m);
    assert_int_equal(drive(m, n, "worm", NULL, &low, &high, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "force along"));
    detent_analysis_destroy(n);
    detent_mechanism_destroy(m);
}

/* ---- where they hold ---- */

/* A mesh that locks itself holds on both sides of where it transmits nothing; one that does not holds what is balanced. */
static void a_load_passes_zero(void **state)
{
    static const double angles[] = {4, 7, 12};
    (void)state;
    for (int k = 0; k < 3; k++) {
        double driving, driven;
        shares_of(radians(angles[k]), &driving, &driven);
        detent_mechanism *m = make_worm(angles[k]);
        const detent_hold_interval drum = interval_of(m, "D"), worm = interval_of(m, "T");
        if (driven >= 1) {
            assert_true(drum.low == -INFINITY && drum.high == INFINITY);
        } else {
            runs_near("balance", drum.low, -6, 1e-8);
            runs_near("balance", drum.high, -6, 1e-8);
        }
        /* the torque of the worm: as told by inverse dynamics */
        runs_near("lower", worm.low, -0.2 * (1 + driving), 1e-10);
        runs_near("upper", worm.high, -0.2 * (1 - driven), 1e-10);
        detent_mechanism_destroy(m);
    }
}

/* A worm before a four-bar with friction in its pins: what these share with the mesh is told alike from both sides. */
static void a_worm_holds_a_four_bar(void **state)
{
    static const double angles[] = {4, 8, 14};
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "detent: 1\ngravity: [0, -9.81, 0]\ninputs: {T: 0 N*m}\n"
            "bodies:\n"
            "  w: {mass: 0.1, inertia: [1e-4, 1e-4, 1e-4]}\n"
            "  a: {mass: 1, inertia: [0.01, 0.01, 0.01], center_of_mass: [0.15, 0, 0]}\n"
            "  b: {mass: 1.5, inertia: [0.01, 0.06, 0.06], center_of_mass: [0.4, 0.05, 0]}\n"
            "  c: {mass: 1, inertia: [0.01, 0.03, 0.03], center_of_mass: [0.3, 0, 0]}\n"
            "joints:\n"
            "  worm: {type: revolute, base: ground, follower: w, axis: [1, 0, 0], force: T}\n"
            "  j1: {type: revolute, base: ground, follower: a, initial: {position: 50 deg, "
            "priority: exact}}\n"
            "  j2: {type: revolute, base: a, follower: b, at: {base: [0.3, 0, 0]}, initial: "
            "{position: -30 deg}}\n"
            "  j3: {type: revolute, base: ground, follower: c, at: {base: [0.9, 0, 0]}, initial: "
            "{position: 80 deg}}\n"
            "  j4: {type: revolute, base: c, follower: b, at: {base: [0.6, 0, 0], follower: [0.8, "
            "0, 0]}, initial: {position: -60 deg}}\n"
            "stiction: {j2: {kinetic: 0.3, static: 0.3}, j3: {kinetic: 0.2, static: 0.3}}\n"
            "couplings: {drive: {type: gear, joints: [worm, j1], ratio: 30, friction: "
            "{coefficient: 0.15, lead_angle: %g deg}}}\n",
            angles[k]);
        double low, high;
        detent_error error;
        detent_mechanism *m = runs_parse(text, NULL);
        detent_analysis *n = analyse(m);
        runs_must(drive(m, n, "worm", NULL, &low, &high, &error), &error);
        const detent_hold_interval held = interval_of(m, "T");
        assert_true(low < high);
        runs_near("low", held.low, low, 1e-9);
        runs_near("high", held.high, high, 1e-9);
        detent_analysis_destroy(n);
        detent_mechanism_destroy(m);
    }
}

/* A train behind which nothing holds starts, however little drives it. */
static void a_train_without_load_does_not_hold(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\ninputs: {T: 1 N*m}\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]},\n"
        "         c: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, force: T}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "  c: {type: revolute, base: ground, follower: c}\n"
        "couplings:\n"
        "  ab: {type: gear, joints: [a, b], ratio: -2, friction: {efficiency: 0.9}}\n"
        "  bc: {type: gear, joints: [b, c], ratio: -1.5, friction: {efficiency: 0.9}}\n";
    detent_error error;
    bool holds = true;
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *n = analyse(m);
    runs_must(detent_hold(n, &holds, NULL, NULL, &error), &error);
    assert_false(holds);
    detent_analysis_destroy(n);
    const detent_hold_interval none = interval_of(m, "T");
    assert_true(none.low == 0 && none.high == 0);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worm_is_driven),
        cmocka_unit_test(a_worm_with_a_seal),
        cmocka_unit_test(a_train_is_driven),
        cmocka_unit_test(forces_of_a_run_are_given_back),
        cmocka_unit_test(a_cylinder_gives_its_torque_back),
        cmocka_unit_test(readers_of_the_same_force_are_refused),
        cmocka_unit_test(a_load_passes_zero),
        cmocka_unit_test(a_worm_holds_a_four_bar),
        cmocka_unit_test(a_train_without_load_does_not_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
