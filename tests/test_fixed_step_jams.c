/* What jams where steps have a fixed length: it stops at once, a step late at most, and goes on to first order as with steps that are chosen. */
#include "support_variants.h"

/* A self-locking worm is driven until its torque turns round. */
static const char worm[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {l: {mass: 1, inertia: [1, 1, 1]}, x: {mass: 0.1, inertia: [0.25, 0.25, 0.25]}}\n"
    "joints:\n"
    "  cl: {type: revolute, base: ground, follower: x}\n"
    "  jl: {type: revolute, base: ground, follower: l}\n"
    "couplings: {b: {type: gear, joints: [cl, jl], ratio: 1, friction: {coefficient: 0.1, "
    "lead_angle: 3 deg}}}\n"
    "stiction: {cl: {external: 20*sin(3*t), kinetic: 0, static: 0}}\n"
    "outputs: [position(jl), velocity(jl), impact_loss()]\nsimulation: {end: 2}\n";

/* The same, a light wheel between it and the motor. */
static const char light[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {m: {mass: 1, inertia: [1, 1, 1]}, l: {mass: 1, inertia: [1, 1, 1]}, x: {mass: 0.1, "
    "inertia: [1e-9, 1e-9, 1e-9]}}\n"
    "joints:\n"
    "  jm: {type: revolute, base: ground, follower: m, force: 10*sin(3*t)}\n"
    "  jl: {type: revolute, base: ground, follower: l}\n"
    "  cl: {type: revolute, base: ground, follower: x}\n"
    "couplings:\n"
    "  a: {type: gear, joints: [jm, cl], ratio: 0.5, friction: {efficiency: 0.7}}\n"
    "  b: {type: gear, joints: [cl, jl], ratio: 1, friction: {coefficient: 0.1, lead_angle: 3 "
    "deg}}\n"
    "outputs: [position(jl), velocity(jl), impact_loss()]\nsimulation: {end: 2}\n";

/* The torque is that of a law that changes in t where it turns round, in a step that ends there: nothing is left for the time after it. */
static const char at_an_instant[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {l: {mass: 1, inertia: [1, 1, 1]}, x: {mass: 0.1, inertia: [0.25, 0.25, 0.25]}}\n"
    "joints:\n"
    "  cl: {type: revolute, base: ground, follower: x, force: \"if(t < 1.04755, 20*sin(3*t), "
    "20*sin(3*t) - 1)\"}\n"
    "  jl: {type: revolute, base: ground, follower: l}\n"
    "couplings: {b: {type: gear, joints: [cl, jl], ratio: 1, friction: {coefficient: 0.1, "
    "lead_angle: 3 deg}}}\n"
    "outputs: [position(jl), velocity(jl), impact_loss()]\nsimulation: {end: 2}\n";

/* A drawer whose load is moved away from its guide (Painleve): from some distance on there is no motion. */
static const char drawer[] =
    "detent: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {drawer: {mass: 2, inertia: [1, 1, 1]}, load: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: drawer, axis: [1, 0, 0], initial: "
    "{velocity: 6}}\n"
    "  away: {type: prismatic, base: drawer, follower: load, axis: [0, 1, 0], motion: \"0.3 [m] + "
    "1.5 [m/s]*t\"}\n"
    "stiction: {slide: {bearing: {coefficient: 0.4, length: 0.2}}}\n"
    "outputs: [position(slide), velocity(slide), impact_loss()]\nsimulation: {end: 0.5}\n";

/* The worm between two parallelograms. */
static const char loops[] =
    "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  a1: {mass: 1, inertia: [1, 1, 2e-4]}\n  b1: {mass: 1, inertia: [1, 1, 2e-4]}\n"
    "  c1: {mass: 0.5, center_of_mass: [0.7, 0, 0], inertia: [1, 1, 0.2]}\n"
    "  a2: {mass: 1, inertia: [1, 1, 0.1]}\n  b2: {mass: 1, inertia: [1, 1, 0.1]}\n"
    "  c2: {mass: 2, center_of_mass: [0.7, 0, 0], inertia: [1, 1, 0.2]}\n"
    "joints:\n"
    "  a1: {type: revolute, base: ground, follower: a1, at: {base: [3, 0, 0]}, force: "
    "\"1 [N*m]*cos(5*t)\", initial: {position: 1.3, velocity: 0.75, priority: exact}}\n"
    "  b1: {type: revolute, base: ground, follower: b1, at: {base: [4, 0, 0]}, initial: {position: "
    "1.3}}\n"
    "  p1: {type: revolute, base: a1, follower: c1, at: {base: [0.2, 0, 0]}, initial: {position: "
    "-1.3}}\n"
    "  s1: {type: revolute, base: b1, follower: c1, at: {base: [0.2, 0, 0], follower: [1, 0, 0]}, "
    "initial: {position: -1.3}}\n"
    "  a2: {type: revolute, base: ground, follower: a2, at: {base: [6, 0, 0]}, initial: {position: "
    "0.5, velocity: 0.25, priority: exact}}\n"
    "  b2: {type: revolute, base: ground, follower: b2, at: {base: [7, 0, 0]}, initial: {position: "
    "0.5}}\n"
    "  p2: {type: revolute, base: a2, follower: c2, at: {base: [0.4, 0, 0]}, initial: {position: "
    "-0.5}, closes: true}\n"
    "  s2: {type: revolute, base: b2, follower: c2, at: {base: [0.4, 0, 0], follower: [1, 0, 0]}, "
    "initial: {position: -0.5}}\n"
    "couplings: {mesh: {type: gear, joints: [a1, a2], ratio: 3, friction: {coefficient: 0.15, "
    "lead_angle: 3 deg}}}\n"
    "outputs: [position(a1), velocity(a1), impact_loss()]\nsimulation: {end: 0.5}\n";

/* A drawer that is too short for its load has no motion at all: 1 J. */
static const char bound[] =
    "detent: 1\ngravity: [0, 0, -9.81]\n"
    "bodies: {drawer: {mass: 2, center_of_mass: [0, 0.5, 0], inertia: [1, 1, 1]}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: drawer, axis: [1, 0, 0], initial: "
    "{velocity: 1}}}\n"
    "stiction: {slide: {bearing: {coefficient: 0.25, length: 0.2}}}\n"
    "outputs: [position(slide), velocity(slide), impact_loss()]\nsimulation: {end: 0.1}\n";

enum { OUTPUTS = 3 };

/** What the run comes to; and when it jams. */
static double run(const char *text, detent_integrator integrator, double step, int rows,
                  double is[OUTPUTS])
{
    detent_mechanism *m = runs_parse(text, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    detent_error error;
    runs_log log = {0};
    double jam = NAN;
    settings.integrator = integrator;
    settings.step = step;
    settings.rtol = 1e-9;
    detent_simulation *sim = runs_start(m, &settings);
    for (int n = 1; n <= rows; n++) {
        runs_record(sim, settings.end * n / rows, &log);
        runs_must(detent_read(sim, DETENT_OUTPUTS, is, OUTPUTS, &error), &error);
    }
    for (size_t n = 0; n < log.count; n++) {
        if (log.change[n].cause == DETENT_CAUSE_JAM) {
            assert_true(isnan(jam) || jam == log.change[n].time); /* it does so once */
            jam = log.change[n].time;
        }
    }
    runs_near("energy", runs_energy_gap(sim), 0,
              integrator == DETENT_INTEGRATOR_EULER ? 0.5 : 1e-2);
    runs_log_free(&log);
    runs_end(sim, m);
    return jam;
}

/** `most`: how far from what is exact outputs are, in lengths of a step of 1 s. */
static void compare(const char *text, const double most[OUTPUTS])
{
    double exact[OUTPUTS], is[OUTPUTS], others[OUTPUTS];
    const double when = run(text, DETENT_INTEGRATOR_IDA, 0, 1, exact);
    assert_true(exact[2] > 0 && isfinite(when));
    for (int n = 0; n < 4; n++) {
        const detent_integrator integrator =
            n % 2 ? DETENT_INTEGRATOR_EULER : DETENT_INTEGRATOR_RK4;
        const double step = n < 2 ? 1e-3 : 1e-4, jam = run(text, integrator, step, 1, is);
        for (int k = 0; k < OUTPUTS; k++) {
            if (runs_verbose()) {
                printf("%d: %g of %g, %.3g steps off\n", n, is[k], exact[k],
                       (is[k] - exact[k]) / step);
            }
            runs_near("output", is[k], exact[k], most[k] * step);
        }
        runs_near("jam", jam, when, 1.5 * step);
        run(text, integrator, step, 3001,
            others); /* nothing depends on who looks, be it in that step */
        assert_memory_equal(is, others, sizeof is);
    }
}

/** The same with time stepping, which looks for no accelerations: friction that stops at once is the loss. */
static void compare_time_stepping(const char *text, const double most[OUTPUTS])
{
    double exact[OUTPUTS], is[OUTPUTS];
    const double when = run(text, DETENT_INTEGRATOR_IDA, 0, 1, exact);
    for (double step = 1e-3; step > 5e-5; step *= 0.1) {
        runs_near("jam", run(text, DETENT_INTEGRATOR_FIXED, step, 1, is), when, 2 * step);
        for (int k = 0; k < OUTPUTS; k++) {
            runs_near("output", is[k], exact[k], most[k] * step);
        }
    }
}

static void time_stepping_tells_what_jams_take(void **state)
{
    (void)state;
    compare_time_stepping(light, (double[]){8, 2, 0.1});
    compare_time_stepping(bound, (double[]){1, 0, 1e-9});
}

static void a_worm_jams_where_its_torque_turns_round(void **state)
{
    (void)state;
    compare(worm, (double[]){6, 2, 0.1});
}

static void so_does_one_behind_a_light_wheel(void **state)
{
    (void)state;
    compare(light, (double[]){6, 2, 0.1});
}

static void an_instant_at_the_end_of_that_step_is_met(void **state)
{
    (void)state;
    compare(at_an_instant, (double[]){6, 2, 0.1});
}

/**
 * The drawer of 2 kg with its load of 2 kg at y has 1/2 y to its centre of mass, so  v' = -mu g / sqrt(1 - (2 y)^2):  friction has a pole where it jams, y = 1/2. A step
 * before that misses as much of v as there is in it, which goes with the root of its length.
 */
static void a_drawer_jams_where_it_has_no_motion(void **state)
{
    (void)state;
    const double pull = 0.4 * 9.81 / 3, angle = asin(0.6), v = 6 - pull * (acos(-1) / 2 - angle),
                 x = (1.2 - pull * (0.5 * (acos(-1) / 2 - 0.6 * angle - 0.8) - 0.2 * angle)) / 1.5;
    for (int n = 0; n < 6; n++) {
        const double step = pow(10, -3 - n / 2);
        double is[OUTPUTS];
        const double jam =
            run(drawer, n % 2 ? DETENT_INTEGRATOR_EULER : DETENT_INTEGRATOR_RK4, step, 1, is);
        runs_near("jam", jam, 0.2 / 1.5, 1.5 * step);
        runs_near("way", is[0], x, 6 * step);
        assert_true(is[1] == 0);
        runs_near("loss", is[2], 2 * v * v, 10 * sqrt(step));
    }
}

static void a_worm_jams_between_loops(void **state)
{
    (void)state;
    compare(loops, (double[]){6, 2, 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worm_jams_where_its_torque_turns_round),
        cmocka_unit_test(so_does_one_behind_a_light_wheel),
        cmocka_unit_test(an_instant_at_the_end_of_that_step_is_met),
        cmocka_unit_test(a_drawer_jams_where_it_has_no_motion),
        cmocka_unit_test(a_worm_jams_between_loops),
        cmocka_unit_test(time_stepping_tells_what_jams_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
