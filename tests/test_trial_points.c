/* Trial points of an integrator may lie where a law cannot be evaluated, or where its branch, which holds to the end of
 * the step, is nonsense. Such steps are rejected, and made again shorter: they never end the run. Where the run cannot go
 * on, the message names law and joint, and no number of the integrators. */
#include "support_variants.h"

/* A block at v0, pushed back by 20 N against Stribeck friction: beyond v = 0 its exponential overflows. */
static const char stribeck[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {v0: 10, width: 0.1}\n"
    "bodies: {A: {mass: 1}}\n"
    "joints:\n"
    "  a: {type: prismatic, base: ground, follower: A, axis: [1, 0, 0], initial: {velocity: v0}}\n"
    "stiction:\n"
    "  a: {velocity_threshold: 1e-5, external: -20, kinetic: \"1 + "
    "0.5*exp(-abs(1*velocity(a))/width)\",\n"
    "      static: 30}\n"
    "simulation: {end: 10}\n";

/* The time at which that block stops: the integral of dv / (20 + friction) from 0 to v0, by Simpson's rule. */
static double stopping_time(double v0, double width)
{
    enum { PIECES = 200000 };
    double sum = 0;
    for (int k = 0; k <= PIECES; k++) {
        const double v = v0 * k / PIECES, weight = k == 0 || k == PIECES ? 1 : k % 2 ? 4 : 2;
        sum += weight / (21 + 0.5 * exp(-v / width));
    }
    return sum * v0 / PIECES / 3;
}

static void block_stops(const char *const set[], double v0, double width, double rtol)
{
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m = runs_parse(stribeck, set);
        detent_settings settings = variant_settings(m, variant_at(k));
        settings.rtol = rtol;
        detent_simulation *sim = runs_start(m, &settings);
        runs_log log = {0};
        runs_record(sim, 10, &log);
        runs_near(variant_name(variant_at(k)), runs_time_of(&log, 0, DETENT_LOCKED, 0),
                  stopping_time(v0, width), 1e-7 * v0);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

static void overflow_beyond_a_stop(void **test)
{
    UNUSED(test);
    block_stops(NULL, 10, 0.1, 1e-7);
    block_stops((const char *const[]){"v0=50", NULL}, 50, 0.1, 1e-7);
    block_stops(NULL, 10, 0.1, 1e-10);
    block_stops((const char *const[]){"width=0.02", NULL}, 10, 0.02, 1e-6);
}

/* The ends of a run that every variant has to finish, with about the same state. */
static void all_finish(const char *text, double end, double tolerance)
{
    detent_mechanism *m = runs_parse(text, NULL);
    double *first = NULL;
    size_t count;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *sim = variant_start(m, variant_at(k));
        variant_advance(sim, variant_at(k), end);
        double *state = runs_state(m, sim, &count);
        for (size_t j = 0; first && j < count; j++) {
            runs_near(variant_name(variant_at(k)), state[j], first[j], tolerance);
        }
        if (first) {
            free(state);
        } else {
            first = state;
        }
        detent_simulation_destroy(sim);
    }
    free(first);
    detent_mechanism_destroy(m);
}

static void limits_of_no_width(void **test)
{
    UNUSED(test);
    all_finish("detent: 1\n"
               "gravity: [0, 0, 0]\n"
               "bodies: {lower: {mass: 1}, upper: {mass: 1}}\n"
               "joints:\n"
               "  floor: {type: prismatic, base: ground, follower: lower, axis: [1, 0, 0]}\n"
               "  top: {type: prismatic, base: lower, follower: upper, axis: [1, 0, 0]}\n"
               "stiction:\n"
               "  floor: {velocity_threshold: 1e-3, kinetic: 0, static: 0}\n"
               "  top: {velocity_threshold: 1e-3, kinetic: 0, static: 0}\n"
               "loads: {push: {body: upper, force: [1*t, 0, 0]}}\n"
               "simulation: {end: 2}\n",
               2, 1e-6);
}

/* A reaction along the axis has no part normal to it but rounding, whose direction is no slope. */
static void normal_force_that_is_rounding(void **test)
{
    UNUSED(test);
    all_finish("detent: 1\n"
               "gravity: [0, 0, 0]\n"
               "bodies:\n"
               "  b0: {mass: 1}\n"
               "  b1: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
               "  b2: {mass: 1}\n"
               "joints:\n"
               "  j0: {type: revolute, base: ground, follower: b0, axis: [0, 1, 0]}\n"
               "  j1: {type: revolute, base: b0, follower: b1, spring: {stiffness: 1, rest: 1}}\n"
               "  j2: {type: prismatic, base: ground, follower: b2, axis: [0, 1, 1]}\n"
               "stiction:\n"
               "  j2: {velocity_threshold: 1, kinetic: \"0.053 + 0.18*normal_force(j2)\",\n"
               "       forward: \"-(0.053 + 0.18*normal_force(j2))\", reverse: 1,\n"
               "       external: \"0.44 + 0.25*velocity(j1)\"}\n"
               "simulation: {end: 1}\n",
               1, 1e-6);
}

/* All that moves is prescribed: nothing is left for the error test but the work. */
static void prescribed_alone(void **test)
{
    UNUSED(test);
    const char *text =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {table: {mass: 1}, block: {mass: 1}}\n"
        "joints:\n"
        "  shake: {type: prismatic, base: ground, follower: table, axis: [1, 0, 0],\n"
        "          motion: 0.02*sin(20*t)}\n"
        "  block: {type: prismatic, base: table, follower: block, axis: [1, 0, 0]}\n"
        "stiction: {block: {velocity_threshold: 1e-5, kinetic: 100, static: 100}}\n"
        "simulation: {end: 1}\n";
    for (double rtol = 1e-5; rtol > 1e-12; rtol /= 10) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            detent_mechanism *m = runs_parse(text, NULL);
            detent_settings settings = variant_settings(m, variant_at(k));
            settings.rtol = rtol;
            detent_simulation *sim = runs_start(m, &settings);
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            variant_advance(sim, variant_at(k), 1);
            /* the kinetic energy of both at the end is the work of the motion, less that at the start;
               works have ten times the tolerance, a step, and there are thousands of them */
            detent_get_statistics(sim, &statistics);
            runs_near(variant_name(variant_at(k)), statistics.actuation_work,
                      statistics.kinetic_energy - 0.16, fmax(100 * rtol, 1e-9));
            runs_end(sim, m);
        }
    }
}

/* The run cannot go on: its message names law and joint. */
static void message_names(const char *law, const char *joint, const char *text, double end)
{
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_error error;
        const detent_status status = detent_advance(sim, end, false, &error);
        if (status >= 0) {
            fail_msg("%s: '%s' did not end the run", variant_name(variant_at(k)), law);
        }
        if (!strstr(error.message, law) || !strstr(error.message, joint) ||
            strstr(error.message, "IDA") || strstr(error.message, "ERKStep")) {
            fail_msg("%s: %s", variant_name(variant_at(k)), error.message);
        }
        /* readings are those of the last good time */
        const double t = detent_time(sim);
        assert_true(t > 0 && t < end);
        assert_true(isfinite(runs_position(m, sim, joint)));
        runs_end(sim, m);
    }
}

static void end_of_a_domain(void **test)
{
    UNUSED(test);
    message_names("sqrt(1 - position(slide))", "slide",
                  "detent: 1\n"
                  "gravity: [0, 0, 0]\n"
                  "bodies: {b: {mass: 1}}\n"
                  "joints:\n"
                  "  slide: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
                  "          initial: {velocity: 1}, force: \"sqrt(1 - position(slide))\"}\n"
                  "simulation: {end: 5}\n",
                  5);
}

/* A force that pulls ever harder: the speed is infinite after a finite time. */
static void motion_without_bound(void **test)
{
    UNUSED(test);
    message_names("velocity(slide)^3", "slide",
                  "detent: 1\n"
                  "gravity: [0, 0, 0]\n"
                  "bodies: {b: {mass: 1}}\n"
                  "joints:\n"
                  "  slide: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
                  "          initial: {velocity: 1}, force: \"1*velocity(slide)^3\"}\n"
                  "simulation: {end: 5}\n",
                  5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overflow_beyond_a_stop),
        cmocka_unit_test(limits_of_no_width),
        cmocka_unit_test(normal_force_that_is_rounding),
        cmocka_unit_test(prescribed_alone),
        cmocka_unit_test(end_of_a_domain),
        cmocka_unit_test(motion_without_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
