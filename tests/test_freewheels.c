/*
 * Freewheels, in all variants: couplings that drive one way and joints that move one way, against formulas, a plain program and hand calculations of
 * impacts.
 */
#include "support_plain.h"
#include "support_variants.h"

/* ---- rectifiers ---- */

/** The first t in (low, high) where f is zero, of one change of sign. */
static double root(double (*f)(double t, const double *user), const double *user, double low,
                   double high)
{
    const bool is_up = f(low, user) > 0;
    assert_true((f(high, user) > 0) != is_up);
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high);
        const bool same = (f(middle, user) > 0) == is_up;
        low = same ? middle : low;
        high = same ? high : middle;
    }
    return 0.5 * (low + high);
}

/** Which torque the freewheel needs where the input goes sin(w t): J A w cos + d A sin. */
static double needed(double t, const double *u)
{
    return u[0] * u[1] * cos(u[1] * t) + u[2] * sin(u[1] * t);
}

/** By how much the output overruns: v exp(-d (t - t0)/J) - A sin(w t). */
static double overrun(double t, const double *u)
{
    return u[3] * exp(-u[2] * (t - u[4]) / u[0]) - u[5] * sin(u[1] * t);
}

/**
 * The input turns with A sin(w t) to and fro; the output, J with a damper d, goes forward alone: with the input until that slows down faster than the
 * output would by itself, and then by itself, until the input has come up with it.
 */
static void an_input_is_rectified(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {in: {mass: 1, inertia: [1, 1, 1]}, out: {mass: 1, inertia: [1, 1, 2]}}\n"
        "joints:\n"
        "  in: {type: revolute, base: ground, follower: in, speed: \"5*sin(3*t)\"}\n"
        "  out: {type: revolute, base: ground, follower: out, damping: 0.8 N*m*s/rad}\n"
        "couplings: {free: {type: gear, joints: [in, out], ratio: %s, drives: %s}}\n"
        "outputs: [velocity(out), stop_force(free)]\n"
        "simulation: {end: 9, rtol: 1e-11}\n";
    const double A = 5, w = 3, J = 2, d = 0.8, pi = acos(-1);
    UNUSED(state);
    for (int way = 0; way < 2; way++) { /* backward: half a turn later, and the other way */
        char own[1024];
        snprintf(own, sizeof own, text, way ? "-1" : "1", way ? "backward" : "forward");
        const double late = way ? pi / w : 0;
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(own, NULL);
            detent_simulation *sim = variant_start(m, v);
            double u[6] = {J, w, d, 0, 0, A};
            runs_log log = {0};
            runs_record(sim, 9, &log);
            for (size_t n = 0; n < 3; n++) {
                const double round = 2 * pi / w * (double)n;
                const double parts = root(needed, u, round + 0.25 * pi / w, round + pi / w);
                u[3] = A * sin(w * parts);
                u[4] = parts;
                const double joins = root(overrun, u, round + 2 * pi / w, round + 2.5 * pi / w);
                variant_check(v, "parts", runs_time_of(&log, 0, DETENT_WAIT, n + (size_t)way),
                              parts + late, 1e-8);
                variant_check(v, "joins", runs_time_of(&log, 0, DETENT_LOCKED, n + 1), joins + late,
                              1e-8);
            }
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/** A joint that moves one way: a torque pushes it to and fro, friction and a damper are beside. */
static void plain_rate_of_joint(double t, const double *y, double *rate, const void *user)
{
    UNUSED(user);
    const double torque = 3 * sin(2 * t) + 0.5;
    const bool rest = y[1] == 0 && torque < 1.2;
    rate[0] = y[1];
    rate[1] = rest ? 0 : (torque - 1 - 0.4 * y[1]) / 2;
}

/** It sticks up to 1.2 N m, slides with 1, and goes back never. */
static void a_joint_moves_one_way(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1, inertia: [1, 1, 2]}}\n"
        "joints: {x: {type: revolute, base: ground, follower: b, moves: %s, damping: 0.4 "
        "N*m*s/rad}}\n"
        "stiction: {x: {static: 1.2, kinetic: 1, external: \"%s(3*sin(2*t) + 0.5)\"}}\n"
        "outputs: [position(x), velocity(x), friction(x), stop_force(x)]\n"
        "simulation: {end: 9, rtol: 1e-10}\n";
    enum { STEPS = 9000000 };
    double y[PLAIN_MOST] = {0}, plain[9][2];
    UNUSED(state);
    for (int n = 0; n < STEPS; n++) {
        plain_step(y, 2, n * 1e-6, 1e-6, plain_rate_of_joint, NULL);
        y[1] = fmax(y[1], 0);
        if ((n + 1) % (STEPS / 9) == 0) {
            memcpy(plain[n / (STEPS / 9)], y, sizeof plain[0]);
        }
    }
    for (int way = 0; way < 2; way++) {
        const double sign = way ? -1 : 1;
        char own[1024];
        snprintf(own, sizeof own, text, way ? "backward" : "forward", way ? "-" : "");
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(own, NULL);
            detent_simulation *sim = variant_start(m, v);
            double x[4];
            for (int n = 0; n < 9; n++) {
                variant_outputs(sim, v, n + 1, x, 4);
                variant_check(v, "place", sign * x[0], plain[n][0], 1e-6);
                variant_check(v, "speed", sign * x[1], plain[n][1], 1e-6);
                const double torque = 3 * sin(2 * (n + 1)) + 0.5;
                if (x[1] == 0) { /* what friction could hold the freewheel holds */
                    variant_check(v, "held", sign * x[3], torque < 0 ? -torque : 0, 1e-9);
                    variant_check(v, "rubbed", sign * x[2], torque > 0 ? -torque : 0, 1e-9);
                }
            }
            runs_end(sim, m);
        }
    }
}

/* ---- impacts ---- */

/** J1 = 1 and J2 = 2, the first one drives forward, 4 rad/s together; then the second hits its stop, and the first one has to turn back with it. */
static void an_engaged_one_takes_part(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 2]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, initial: {velocity: 4}}\n"
        "  b: {type: revolute, base: ground, follower: b, initial: {velocity: 4}, stops: {upper: "
        "{at: 1, restitution: 0.5}}}\n"
        "couplings: {free: {type: gear, joints: [a, b], ratio: 1, drives: %s}}\n"
        "outputs: [velocity(a), velocity(b), impact_loss()]\n"
        "simulation: {end: 1, rtol: 1e-10}\n";
    UNUSED(state);
    for (int way = 0; way < 2; way++) {
        char own[1024];
        snprintf(own, sizeof own, text, way ? "backward" : "forward");
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(own, NULL);
            detent_simulation *sim = variant_start(m, v);
            double x[3];
            variant_outputs(sim, v, 1, x, 3);
            /* the other way nothing keeps the first one from going on */
            variant_check(v, "a", x[0], way ? 4 : -2, 1e-13);
            variant_check(v, "b", x[1], -2, 1e-13);
            variant_check(v, "loss", x[2], way ? 12 : 18, 1e-12);
            runs_end(sim, m);
        }
    }
}

/** Who starts against it is taken along at once: 1 * 5 + 2 * 2 = 3 * 3, and what is lost is 1/2 (2/3) 3^2. */
static void started_against_it(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 2]}}\n"
            "joints:\n"
            "  a: {type: revolute, base: ground, follower: a, initial: {velocity: 5}}\n"
            "  b: {type: revolute, base: ground, follower: b, initial: {velocity: 2}}\n"
            "couplings: {free: {type: gear, joints: [a, b], ratio: 1, drives: forward}}\n"
            "outputs: [velocity(a), velocity(b), impact_loss()]\n"
            "simulation: {end: 1, rtol: 1e-10}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[3];
        variant_outputs(sim, v, 1, x, 3);
        variant_check(v, "a", x[0], 3, 1e-13);
        variant_check(v, "b", x[1], 3, 1e-13);
        variant_check(v, "loss", x[2], 3, 1e-13);
        runs_end(sim, m);
    }
}

/**
 * A row of ratchets, whose drive turns by (1 - cos(3 t))/2: J y'' = -0.2 - 0.3 y of all three, J = 0.45, once that slows down more than the drive does;
 * y + 2/3 is then a part of an oscillation, up to where b holds them. From t = 2 pi/3 on they are taken along again.
 */
static void a_drive_turns_round(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {d: {mass: 1, inertia: [0.1, 0.1, 0.1]}, a: {mass: 1, inertia: [0.1, 0.1, 0.1]},\n"
        "  b: {mass: 1, inertia: [0.15, 0.15, 0.15]}, c: {mass: 1, inertia: [0.2, 0.2, 0.2]}}\n"
        "joints:\n"
        "  d: {type: revolute, base: ground, follower: d, motion: \"0.5*(1 - cos(3*t))\"}\n"
        "  a: {type: revolute, base: ground, follower: a}\n"
        "  b: {type: revolute, base: ground, follower: b, moves: forward}\n"
        "  c: {type: revolute, base: ground, follower: c, spring: {stiffness: 0.3}}\n"
        "couplings:\n"
        "  f1: {type: gear, joints: [d, a], ratio: 1, drives: forward}\n"
        "  f2: {type: gear, joints: [a, b], ratio: 1, drives: forward}\n"
        "  f3: {type: gear, joints: [b, c], ratio: 1, drives: forward}\n"
        "stiction: {a: {kinetic: 0.05, static: 0.06}, b: {kinetic: 0.05, static: 0.08},\n"
        "  c: {kinetic: 0.1, static: 0.12}}\n"
        "outputs: [position(a), position(b), position(c)]\n"
        "simulation: {end: 3, rtol: %s}\n";
    const double J = 0.45, w = sqrt(0.3 / J), middle = 2.0 / 3, pi = acos(-1);
    double expected[2], start = 0;
    UNUSED(state);
    for (int n = 0; n < 2; n++) { /* they part where 4.5 J cos = -0.2 - 0.3 (start + (1 - cos)/2) */
        const double cosine = -(0.35 + 0.3 * start) / (4.5 * J - 0.15);
        const double y = start + 0.5 * (1 - cosine) + middle;
        const double v = 1.5 * sqrt(1 - cosine * cosine) / w;
        const double turn = w * (3 - (2 * pi + acos(cosine)) / 3);
        start = hypot(y, v) - middle; /* where they come to rest, after the first stroke */
        expected[n] = n ? y * cos(turn) + v * sin(turn) - middle : start;
    }
    for (int exact = 0; exact < 2; exact++) {
        char own[2048];
        snprintf(own, sizeof own, text, exact ? "1e-9" : "1e-6");
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(own, NULL);
            detent_simulation *sim = variant_start(m, v);
            double x[3];
            for (int n = 0; n < 2; n++) {
                variant_outputs(sim, v, 2 + n, x, 3);
                for (int i = 0; i < 3; i++) {
                    variant_check(v, "place", x[i], expected[n], exact ? 1e-8 : 1e-5);
                }
            }
            runs_end(sim, m);
        }
    }
}

/** A four-bar whose rocker goes forward alone, and whose crank goes where `force` takes it from an angle, deg, that the pin's belongs to. */
static const char rocker[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies:\n"
    "  crank: {mass: 0.6, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 5e-3, 5e-3]}\n"
    "  coupler: {mass: 1.2, center_of_mass: [0.4, 0, 0], inertia: [2e-4, 0.06, 0.06]}\n"
    "  rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [2e-4, 0.03, 0.03]}\n"
    "joints:\n"
    "  main: {type: revolute, base: ground, follower: crank, initial: {position: 50 deg, priority: "
    "exact}, damping: 0.5, force: '%s'%s}\n"
    "  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, initial: "
    "{position: -25 deg}}\n"
    "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, initial: "
    "{position: 75 deg}, moves: %s}\n"
    "  head: {type: revolute, base: rocker, follower: coupler, at: {base: [0.6, 0, 0], follower: "
    "[0.8, 0, 0]}, initial: {position: -50 deg}}\n"
    "outputs: [position(main), position(pin), velocity(foot)]\n"
    "simulation: {end: 3, rtol: 1e-9}\n";

static detent_simulation *start_rocker(detent_mechanism **m, variant v, const char *force,
                                       const char *stops, const char *moves)
{
    char text[3000];
    snprintf(text, sizeof text, rocker, force, stops, moves);
    *m = runs_parse(text, NULL);
    return variant_start(*m, v);
}

/**
 * At the dead centre of its crank a rocker turns back whichever way that goes on. If a freewheel forbids it the crank stands there, held by a force
 * with no lever: there is none, and the run ends with words that say so. It must not go back.
 */
static void a_rocker_does_not_go_back_at_its_dead_centre(void **state)
{
    static const char *const forces[] = {"8*sin(3*t)", "-8*sin(3*t)"}, *const ways[] = {"forward",
                                                                                        "backward"};
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int n = 0; n < 4; n++) {
            detent_mechanism *m;
            detent_error error = {0};
            detent_status status = DETENT_OK;
            double x[3];
            detent_simulation *sim =
                start_rocker(&m, variant_at(k), forces[n % 2], "", ways[n / 2]);
            for (int row = 1; row <= 300 && status == DETENT_OK; row++) {
                status = detent_advance(sim, 0.01 * row, false, &error);
                if (status == DETENT_OK) {
                    runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
                    assert_true((n / 2 == 0 ? x[2] : -x[2]) >= -1e-9);
                }
            }
            assert_int_equal(status, DETENT_NO_CONSISTENT_STATE);
            assert_non_null(strstr(error.message, "'foot' is at a dead centre of its loop"));
            assert_non_null(strstr(error.message, "freewheel"));
            runs_end(sim, m);
        }
    }
}

/** It may be at rest before, behind a stop of the crank. */
static void a_stop_before_the_dead_centre_will_do(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m;
        double x[3];
        detent_simulation *sim =
            start_rocker(&m, variant_at(k), "8*sin(3*t)", ", stops: {upper: {at: 1.2}}", "forward");
        variant_outputs(sim, variant_at(k), 3, x, 3);
        variant_near(variant_at(k), x[0], 1.2, 1e-12);
        variant_near(variant_at(k), x[2], 0, 0);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_input_is_rectified),
        cmocka_unit_test(a_joint_moves_one_way),
        cmocka_unit_test(an_engaged_one_takes_part),
        cmocka_unit_test(started_against_it),
        cmocka_unit_test(a_drive_turns_round),
        cmocka_unit_test(a_rocker_does_not_go_back_at_its_dead_centre),
        cmocka_unit_test(a_stop_before_the_dead_centre_will_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
