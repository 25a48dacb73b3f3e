/*
 * Borders: switches that stand exactly at theirs when a run or a motion starts, laws that leave
 * their domain, prescribed motions that jump, friction that turns negative; and the works of a run
 * whose motion is a polynomial.
 */
#include "support_runs.h"

#include "detent/detent.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/** A block of 1 kg on a slide: friction 1 N, `law` as external force. */
static const char *const sticky =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {b: {mass: 1}}\n"
    "joints: {s: {type: prismatic, base: ground, follower: b,\n"
    "             axis: [1, 0, 0]}}\n"
    "stiction: {s: {velocity_threshold: 1e-6, kinetic: 1, static: 1,\n"
    "               external: \"%s\"}}\n"
    "simulation: {end: 2, interval: 0.25}\n";

/** The same, without stiction. */
static const char *const loose = "detent: 1\n"
                                 "gravity: [0, 0, 0]\n"
                                 "bodies: {b: {mass: 1}}\n"
                                 "joints: {s: {type: prismatic, base: ground, follower: b,\n"
                                 "             axis: [1, 0, 0], force: \"%s\"}}\n"
                                 "simulation: {end: 2, interval: 2}\n";

/** A sticking block on a carrier with the motion `law`. */
static const char *const carried =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {c: {mass: 1}, b: {mass: 1}}\n"
    "joints:\n"
    "  c: {type: prismatic, base: ground, follower: c, axis: [1, 0, 0], motion: \"%s\"}\n"
    "  s: {type: prismatic, base: c, follower: b, axis: [1, 0, 0]}\n"
    "stiction: {s: {velocity_threshold: 1e-6, kinetic: 50, static: 50}}\n"
    "simulation: {end: 2, interval: 0.25}\n";

/** How a run to `end` came out. */
typedef struct outcome {
    detent_status status;
    double time, position, velocity;
    detent_statistics statistics;
    detent_error error;
} outcome;

static outcome run(const char *form, const char *law, detent_integrator integrator, double end)
{
    char text[2048];
    outcome out = {0};
    detent_mechanism *mechanism = NULL;
    detent_simulation *simulation = NULL;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    double values[64];
    snprintf(text, sizeof text, form, law);
    assert_int_equal(
        detent_mechanism_parse(text, strlen(text), "text", NULL, &mechanism, &out.error),
        DETENT_OK);
    detent_mechanism_get_info(mechanism, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.integrator = integrator;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    out.status = detent_simulation_create(mechanism, &options, &simulation, &out.error);
    if (out.status == DETENT_OK) {
        out.status = detent_advance(simulation, end, false, &out.error);
        out.time = detent_time(simulation);
        out.statistics.size = sizeof out.statistics;
        detent_get_statistics(simulation, &out.statistics);
    }
    if (out.status == DETENT_OK) {
        detent_read(simulation, DETENT_POSITIONS, values, info.coordinates, &out.error);
        out.position = values[0];
        detent_read(simulation, DETENT_VELOCITIES, values, info.freedoms, &out.error);
        out.velocity = values[0];
    }
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return out;
}

static double unexplained(const detent_statistics *s)
{
    return s->kinetic_energy + s->potential_energy + s->impact_loss - s->initial_energy -
           s->friction_work - s->damping_work - s->actuation_work;
}

/** With a constant net force from the start the block has moved a/2 and has the speed a at 1 s. */
static void switches_at_their_border(void **state)
{
    (void)state;
    static const struct {
        const char *law;
        double acceleration;
    } cases[] = {
        {"if(t > 0, 3, 0)", 2},
        {"3*sign(t)", 2},
        {"3*ceil(t)", 2},
        {"-3*sign(t)", -2},
        {"sign(velocity(s)) + 1.5", 1.5},
        {"if(velocity(s) > 0, 1, 0) + 1.5", 1.5},
        {"if(position(s) > 0, 1, 0) + 1.5", 1.5},
        {"if(t >= 0, 3, 0)", 2},
        {"3 + 5*if(t < 0, 1, 0)", 2},
    };
    for (int integrator = 0; integrator < 2; integrator++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            outcome o = run(sticky, cases[k].law, (detent_integrator)integrator, 0.999);
            assert_int_equal(o.status, DETENT_OK);
            assert_true(fabs(o.velocity - cases[k].acceleration * 0.999) < 1e-7);
            assert_true(fabs(o.position - cases[k].acceleration * 0.5 * 0.999 * 0.999) < 1e-7);
        }
    }
}

/**
 * The same at a breakaway in the middle of a run: at 5/3 s the velocity leaves zero, the term adds
 * 1 N.
 */
static void a_switch_at_a_breakaway(void **state)
{
    (void)state;
    outcome o = run(sticky, "0.6 [N/s]*t + if(velocity(s) > 0, 1, 0)", DETENT_INTEGRATOR_IDA, 2);
    const double tau = 2 - 1 / 0.6; /* moving since; a = 0.6 tau + 1 */
    assert_int_equal(o.status, DETENT_OK);
    assert_true(fabs(o.velocity - (0.3 * tau * tau + tau)) < 1e-7);
}

/** A law at the end of its domain ends the run there, and is named. */
static void laws_that_leave_their_domain(void **state)
{
    (void)state;
    static const char *const laws[] = {"log(1 - t)", "2*sqrt(1 - t)", "1.6/(1 - t)"};
    for (int integrator = 0; integrator < 2; integrator++) {
        for (size_t k = 0; k < 3; k++) {
            for (int form = 0; form < 2; form++) {
                outcome o = run(form ? loose : sticky, laws[k], (detent_integrator)integrator, 2);
                assert_true(o.status == DETENT_ERROR_NUMERIC || o.status == DETENT_ERROR_SOLVER);
                assert_true(o.time > 0.5 && o.time < 1.01);
                if (o.status == DETENT_ERROR_NUMERIC) {
                    assert_non_null(strstr(o.error.message, laws[k]));
                }
            }
        }
    }
}

/** v = 6 t^2 is integrated exactly by large steps; the work, 288 J at 2 s, must be as good. */
static void works_are_as_good_as_the_motion(void **state)
{
    (void)state;
    for (int integrator = 0; integrator < 2; integrator++) {
        outcome o = run(loose, "12 [N/s]*t", (detent_integrator)integrator, 2);
        assert_int_equal(o.status, DETENT_OK);
        assert_true(fabs(o.statistics.actuation_work - 288) < 1e-5);
        o = run(carried, "1 [m] - 1 [m]*exp(-t)", (detent_integrator)integrator, 2);
        assert_int_equal(o.status, DETENT_OK);
        assert_true(fabs(unexplained(&o.statistics)) < 1e-6);
    }
}

static void motions_must_not_jump(void **state)
{
    (void)state;
    outcome o = run(carried, "if(t < 1, 0 [m], 1 [m])", DETENT_INTEGRATOR_IDA, 2);
    assert_int_equal(o.status, DETENT_ERROR_NUMERIC);
    assert_non_null(strstr(o.error.message, "'c' jumps"));
    assert_true(fabs(o.time - 1) < 1e-9);
    o = run(carried, "if(t < 1, 0 [m], 5 [m/s]*(t - 1 [s]))", DETENT_INTEGRATOR_IDA, 2);
    assert_int_equal(o.status, DETENT_ERROR_NUMERIC);
    o = run(carried, "if(t < 1, 0 [m], 5 [m/s^2]*(t - 1 [s])^2)", DETENT_INTEGRATOR_IDA, 2);
    assert_int_equal(o.status, DETENT_OK);
    assert_true(fabs(o.position - 5) < 1e-9);
}

static void friction_must_not_drive(void **state)
{
    (void)state;
    static const char *const text =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {b: {mass: 1}}\n"
        "joints: {s: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}}\n"
        "stiction: {s: {velocity_threshold: 1e-4, external: 2, kinetic: \"%s\", static: 1.5}}\n"
        "simulation: {end: 2, interval: 0.25}\n";
    outcome o = run(text, "1 - 1 [N/s]*t", DETENT_INTEGRATOR_IDA, 2);
    assert_int_equal(o.status, DETENT_ERROR_NUMERIC);
    assert_non_null(strstr(o.error.message, "'s' is negative"));
    assert_int_equal(run(text, "1 - 0.4 [N/s]*t", DETENT_INTEGRATOR_IDA, 2).status, DETENT_OK);
}

/** A joint that starts inside its band is stopped by an impact, which the balance knows. */
static void the_first_impact_is_counted(void **state)
{
    (void)state;
    static const char *const text =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {b: {mass: 1}}\n"
        "joints: {s: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
        "             initial: {velocity: %s}}}\n"
        "stiction: {s: {velocity_threshold: 1e-3, kinetic: 1, static: 1, locking: band}}\n"
        "simulation: {end: 2}\n";
    outcome o = run(text, "1e-3", DETENT_INTEGRATOR_IDA, 1);
    assert_int_equal(o.status, DETENT_OK);
    assert_true(o.position == 0 && o.velocity == 0);
    assert_true(fabs(o.statistics.impact_loss - 5e-7) < 1e-18);
    assert_true(fabs(unexplained(&o.statistics)) < 1e-18);
}

/** A body that was refused can be given again, corrected. */
static void a_refused_body_leaves_no_name(void **state)
{
    (void)state;
    detent_mechanism *mechanism = NULL;
    detent_error error;
    detent_body_def body = DETENT_INIT(detent_body_def);
    assert_int_equal(detent_mechanism_create("m", NULL, &mechanism, &error), DETENT_OK);
    body.name = "b";
    body.mass = NAN;
    assert_int_equal(detent_add_body(mechanism, &body, &error), DETENT_ERROR_MODEL);
    body.mass = 1;
    assert_int_equal(detent_add_body(mechanism, &body, &error), DETENT_OK);
    assert_int_equal(detent_add_body(mechanism, &body, &error), DETENT_ERROR_MODEL);
    detent_mechanism_destroy(mechanism);
}

/** Numbers that stand for words, from C. */
static void words_are_known(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        detent_mechanism *mechanism = NULL;
        detent_error error;
        detent_load_def load = DETENT_INIT(detent_load_def);
        assert_int_equal(detent_mechanism_create("m", NULL, &mechanism, &error), DETENT_OK);
        load.name = "wind";
        load.body = "b";
        load.frame = (detent_frame)(3 * k - 2); /* -2, 1, 4 */
        const detent_status status = detent_add_load(mechanism, &load, &error);
        assert_int_equal(status, k == 1 ? DETENT_OK : DETENT_ERROR_MODEL);
        assert_true(status == DETENT_OK || strstr(error.message, "there is no frame"));
        detent_mechanism_destroy(mechanism);
    }
}

/** A static limit that was rounded is none that is below the kinetic friction. */
static void rounded_limits_are_equal(void **state)
{
    static const char *const form = "detent: 1\n"
                                    "gravity: [0, 0, 0]\n"
                                    "bodies: {a: {mass: 1}}\n"
                                    "joints: {a: {type: prismatic, base: ground, follower: a}}\n"
                                    "stiction: {a: {kinetic: 2.2515*(1 + %s), static: 2.2515}}\n";
    (void)state;
    const char *const more[] = {"1e-12", "1e-7"};
    for (int k = 0; k < 2; k++) {
        char text[512];
        detent_mechanism *mechanism = NULL;
        detent_error error;
        detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
        snprintf(text, sizeof text, form, more[k]);
        assert_int_equal(detent_mechanism_parse(text, strlen(text), "x", NULL, &mechanism, &error),
                         DETENT_OK);
        detent_mechanism_get_info(mechanism, &info);
        assert_int_equal(info.warnings, k);
        assert_true(k == 0 || strstr(detent_name(mechanism, DETENT_WARNING, 0),
                                     "limit (2.2515) is below the kinetic friction (2.25150023)"));
        detent_mechanism_destroy(mechanism);
    }
}

/**
 * Accelerations that cancel: the block stays behind while its carrier is thrown about, and what its
 * joint sums up is far smaller than its terms.
 */
static void a_block_left_behind(void **state)
{
    static const char *const form =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1}, b: {mass: 0.7}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: a, force: \"%s\", axis: [1, 0, 0]}\n"
        "  b: {type: prismatic, base: a, follower: b, axis: [1, 0, 0]}\n"
        "stiction: {b: {velocity_threshold: 1e-5, kinetic: 0.3, static: 0.3}}\n"
        "simulation: {end: 10, interval: 1}\n";
    (void)state;
    for (int k = 0; k < 2; k++) {
        const outcome out =
            run(form, "10000*sin(2.87*t)", k ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA, 10);
        if (out.status != DETENT_OK) {
            fail_msg("%s", out.error.message);
        }
        assert_int_equal(out.statistics.events, 19);
    }
}

/** A joint without friction, held by nothing until it is pushed, gives way then. */
static void no_friction_at_all(void **state)
{
    static const char *const form =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {b: {mass: 1}}\n"
        "joints: {s: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}}\n"
        "stiction: {s: {velocity_threshold: 1e-6, kinetic: 0, static: 0, external: \"%s\"}}\n"
        "simulation: {end: 1, interval: 0.05}\n";
    (void)state;
    for (int k = 0; k < 2; k++) {
        const outcome out =
            run(form, "max(0, 4*(t - 0.3))", k ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA, 1);
        assert_int_equal(out.status, DETENT_OK);
        assert_true(fabs(out.velocity - 2 * 0.7 * 0.7) < 1e-6);
        assert_true(fabs(out.position - 2 * 0.7 * 0.7 * 0.7 / 3) < 1e-6);
    }
}

/**
 * The root finder may land on an instant at which a switch is exactly at its border; the next one it tries is an ulp
 * later, where a small root is nearly zero as well. The switch is found all the same.
 */
static void switches_met_exactly(void **state)
{
    static const char *const form =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {b: {mass: 1}}\n"
        "joints: {s: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
        "             initial: {velocity: 1}}}\n"
        "stiction: {s: {velocity_threshold: 1e-3, kinetic: \"%s\", static: 2}}\n"
        "simulation: {end: 0.5, interval: 0.025}\n";
    (void)state;
    for (int k = 0; k < 8; k++) {
        char law[64];
        const double slope = pow(10, -k);
        snprintf(law, sizeof law, "max(0, (t - 0.405)*%g)", slope);
        for (int integrator = 0; integrator < 2; integrator++) {
            const outcome out = run(form, law, (detent_integrator)integrator, 0.5);
            assert_int_equal(out.status, DETENT_OK);
            runs_near(law, (1 - out.velocity) / slope, 0.095 * 0.095 / 2, 1e-8 + 2e-9 / slope);
        }
    }
}

/**
 * The end of a falling chain hangs in its bearings by nothing: its friction and its loads are
 * rounding, and so is who moves; the run goes on.
 */
static void bearings_without_load(void **state)
{
    static const char *const chain =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "parameters: {n: 30, L: 1 m / n, m: 1 kg / n}\n"
        "chain:\n"
        "  count: n\n"
        "  bodies: {link: {mass: m, center_of_mass: [L/2, 0, 0],\n"
        "                  inertia: [0, m*L^2/12, m*L^2/12]}}\n"
        "  joints: {hinge: {type: revolute, base: 'link[i-1]', follower: 'link[i]',\n"
        "                   axis: [0, 0, 1], at: {base: [L, 0, 0]}}}\n"
        "  stiction: {hinge: {velocity_threshold: 1e-6, kinetic: '%s', static: '%s'}}\n"
        "  first: {joints: {hinge: {base: ground, at: null}}}\n"
        "simulation: {end: 1 s}\n";
    char text[2048];
    (void)state;
    snprintf(text, sizeof text, chain, "%s", "0.3*L*reaction_force(hinge[i])");
    for (int k = 0; k < 2; k++) {
        const outcome out = run(text, "0.3*L*reaction_force(hinge[i])",
                                k ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA, 0.02);
        if (out.status != DETENT_OK) {
            fail_msg("%s", out.error.message);
        }
        assert_true(fabs(unexplained(&out.statistics)) < 1e-9);
    }
}

/** A run that cannot go on stays where it is, however often it is asked to. */
static void a_failed_step_is_not_repeated(void **state)
{
    (void)state;
    static const char *const text =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [.1, .1, .1]}}\n"
        "joints: {j: {type: revolute, base: ground, follower: a,\n"
        "  force: 'sqrt((0.3 [rad] - abs(position(j)))/(1 [rad]))*(1 [N*m])'}}\n"
        "simulation: {end: 2}\n";
    for (int k = 0; k < 3; k++) {
        detent_mechanism *m = runs_parse(text, NULL);
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = (detent_integrator)k;
        detent_simulation *s = runs_start(m, &settings);
        double position[2], velocity[2];
        detent_status status[2];
        detent_error error[2], ignored;
        for (int attempt = 0; attempt < 2; attempt++) {
            status[attempt] = detent_advance(s, 1.5, false, &error[attempt]);
            runs_must(detent_read(s, DETENT_POSITIONS, &position[attempt], 1, &ignored), &ignored);
            runs_must(detent_read(s, DETENT_VELOCITIES, &velocity[attempt], 1, &ignored), &ignored);
        }
        assert_true(status[0] < 0 && status[1] == status[0]);
        assert_string_equal(error[1].message, error[0].message);
        assert_true(position[1] == position[0] && velocity[1] == velocity[0]);
        assert_true(fabs(position[0] + 0.3) < 1e-3);
        runs_end(s, m);
    }
}

/** An input that changes does not let a refused event pass. */
static void an_input_does_not_undo_a_refusal(void **state)
{
    (void)state;
    static const char *const text =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "inputs: {u: 0}\n"
        "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n"
        "  j: {type: prismatic, base: ground, follower: a,\n"
        "      motion: 'if(t < 0.5 [s], 0 [m], 1 [m/s]*(t - 0.5 [s]))'}\n"
        "  k: {type: prismatic, base: a, follower: b, force: 'u*(1 [N])'}\n"
        "simulation: {end: 2}\n";
    for (int k = 0; k < 3; k++) {
        detent_mechanism *m = runs_parse(text, NULL);
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = (detent_integrator)k;
        detent_simulation *s = runs_start(m, &settings);
        detent_error error;
        assert_int_equal(detent_advance(s, 1.5, false, &error), DETENT_ERROR_NUMERIC);
        runs_must(detent_set_input(s, 0, 0.5, &error), &error);
        assert_int_equal(detent_advance(s, 1.5, false, &error), DETENT_ERROR_NUMERIC);
        assert_non_null(strstr(error.message, "'j' jumps"));
        runs_end(s, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_step_is_not_repeated),
        cmocka_unit_test(an_input_does_not_undo_a_refusal),
        cmocka_unit_test(switches_at_their_border),
        cmocka_unit_test(a_switch_at_a_breakaway),
        cmocka_unit_test(laws_that_leave_their_domain),
        cmocka_unit_test(works_are_as_good_as_the_motion),
        cmocka_unit_test(motions_must_not_jump),
        cmocka_unit_test(friction_must_not_drive),
        cmocka_unit_test(the_first_impact_is_counted),
        cmocka_unit_test(a_refused_body_leaves_no_name),
        cmocka_unit_test(words_are_known),
        cmocka_unit_test(rounded_limits_are_equal),
        cmocka_unit_test(bearings_without_load),
        cmocka_unit_test(a_block_left_behind),
        cmocka_unit_test(no_friction_at_all),
        cmocka_unit_test(switches_met_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
