/*
 * Events of welded joints, one kind at a time: exact breakaways, joints that stand at their limit,
 * loads that come and go within a step, inputs, switches, readings of the past, failures.
 */
#include "support_changes.h"
#include "support_runs.h"

/** Blocks on rails and a crank, all at rest; `%s` stands for the loads. */
static const char row_text[] =
    "detent: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "inputs: {u: 0}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 2, inertia: [1, 1, 1]}\n"
    "  c: {mass: 3, inertia: [1, 1, 1]}\n"
    "  d: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  ja: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
    "  jb: {type: prismatic, base: a, follower: b, axis: [1, 0, 0], at: {base: [0.3, 0, 1]}}\n"
    "  jc: {type: prismatic, base: b, follower: c, axis: [1, 0, 0], at: {base: [0, 0.2, 0.5]}}\n"
    "  jd: {type: prismatic, base: ground, follower: d, axis: [1, 0, 0]}\n"
    "stiction:\n"
    "  ja: {velocity_threshold: 1e-6, kinetic: 2, static: 3}\n"
    "  jb: {velocity_threshold: 1e-6, kinetic: 1, static: 2}\n"
    "  jc: {velocity_threshold: 1e-6, kinetic: 4, static: 5}\n"
    "  jd: {velocity_threshold: 1e-6, kinetic: 1.5, static: 1.5}\n"
    "loads:\n"
    "%s"
    "simulation: {end: 2, interval: 0.1, rtol: 1e-9, atol: 1e-11}\n";

static detent_mechanism *row_of_blocks(const char *loads)
{
    char text[4000];
    snprintf(text, sizeof text, row_text, loads);
    return runs_parse(text, NULL);
}

static detent_simulation *start(const detent_mechanism *mechanism, detent_locked_joints kind,
                                detent_integrator integrator)
{
    detent_settings settings = runs_settings(mechanism, 0, 0);
    settings.locked_joints = kind;
    settings.integrator = integrator;
    return runs_start(mechanism, &settings);
}

static void must_agree(const char *what, const runs_log *a, const runs_log *b, double tolerance)
{
    for (size_t k = 0; k < a->count && k < b->count; k++) {
        const detent_mode_change *x = &a->change[k], *y = &b->change[k];
        if (x->stiction != y->stiction || x->to != y->to || x->to_direction != y->to_direction ||
            x->cause != y->cause || !(fabs(x->time - y->time) <= tolerance)) {
            fail_msg("%s: change %zu: stiction %zu to %d at %.15g, not %zu to %d at %.15g", what, k,
                     x->stiction, (int)x->to, x->time, y->stiction, (int)y->to, y->time);
        }
    }
    if (a->count != b->count) {
        fail_msg("%s: %zu changes, not %zu", what, a->count, b->count);
    }
}

/** Runs both variants to the end, which must agree; the log of the welded one is left. */
static void run_both(const char *what, const detent_mechanism *mechanism,
                     detent_integrator integrator, double end, double tolerance, runs_log *log)
{
    runs_log logs[2] = {{0}};
    for (int kind = 0; kind < 2; kind++) {
        detent_simulation *simulation = start(mechanism, (detent_locked_joints)kind, integrator);
        runs_record(simulation, end, &logs[kind]);
        detent_simulation_destroy(simulation);
    }
    must_agree(what, &logs[0], &logs[1], tolerance);
    runs_log_free(&logs[1]);
    *log = logs[0];
}

/** The same with both integrators, which must agree as well. */
static void run_all(const char *what, const detent_mechanism *mechanism, double end,
                    double tolerance, runs_log *log)
{
    runs_log other;
    run_both(what, mechanism, DETENT_INTEGRATOR_IDA, end, tolerance, log);
    run_both(what, mechanism, DETENT_INTEGRATOR_ERK, end, tolerance, &other);
    must_agree(what, &other, log, tolerance);
    runs_log_free(&other);
}

/*
 * A joint gives way a hair beyond its limit, 4.1e-12 N where it holds 2 N (roots.c); the load rises
 * by 4 N/s there. What is allowed is twice that.
 */

/** A load on the last of three bodies grows until the weakest joint gives way: 2 N at t = 0.5 s. */
static void the_weakest_breaks_in_time(void **state)
{
    (void)state;
    runs_log log;
    detent_mechanism *mechanism =
        row_of_blocks("  push: {body: c, at: [0.1, 0.4, -0.3], force: [\"4*t\", 0, 1]}\n");
    run_all("three in a row", mechanism, 0.7, 1e-9, &log);
    runs_near("breakaway", runs_time_of(&log, 1, DETENT_WAIT, 0), 0.5, 2e-12);
    runs_log_free(&log);
    detent_mechanism_destroy(mechanism);
}

/** The same load in the axes of a body; the joint holds less against the other direction. */
static void against_the_other_direction(void **state)
{
    (void)state;
    runs_log log;
    detent_mechanism *mechanism =
        row_of_blocks("  push: {body: c, frame: body, force: [\"-4*t^2\", 0, 1]}\n");
    run_all("backward", mechanism, 0.8, 1e-9, &log);
    runs_near("breakaway", runs_time_of(&log, 1, DETENT_WAIT, 0), sqrt(0.5), 2e-12);
    runs_log_free(&log);
    detent_mechanism_destroy(mechanism);
}

/** d is pushed just as hard as it can hold; that does not hide the others, nor do they free it. */
static void one_that_stands_at_its_limit(void **state)
{
    (void)state;
    runs_log log;
    detent_mechanism *mechanism = row_of_blocks("  push: {body: c, force: [\"4*t\", 0, 0]}\n"
                                                "  hold: {body: d, force: [1.5, 0, 0]}\n");
    run_all("at the limit", mechanism, 1, 1e-9, &log);
    runs_near("breakaway", runs_time_of(&log, 1, DETENT_WAIT, 0), 0.5, 2e-12);
    assert_true(isnan(runs_time_of(&log, 3, DETENT_WAIT, 0)));
    runs_log_free(&log);
    detent_mechanism_destroy(mechanism);
}

/** Two that reach their limits at the same instant give way in one event. */
static void two_at_once(void **state)
{
    (void)state;
    runs_log log;
    detent_mechanism *mechanism = row_of_blocks("  push: {body: c, force: [\"4*t\", 0, 0]}\n"
                                                "  also: {body: d, force: [\"3*t\", 0, 0]}\n");
    run_all("two at once", mechanism, 1, 1e-9, &log);
    const double first = runs_time_of(&log, 1, DETENT_WAIT, 0);
    runs_near("first", first, 0.5, 2e-12);
    assert_true(runs_time_of(&log, 3, DETENT_WAIT, 0) == first);
    runs_log_free(&log);
    detent_mechanism_destroy(mechanism);
}

/** Loads that pass the limit by a thousandth and return between two steps of 0.1 s. */
static void loads_that_come_and_go(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        runs_log log;
        const double phase = -1.5 + 0.05 * k;
        char loads[200], what[64];
        snprintf(loads, sizeof loads,
                 "  push: {body: c, force: [\"2.002*sin(3*t + %.3f)\", 0, 0]}\n", phase);
        snprintf(what, sizeof what, "phase %g", phase);
        detent_mechanism *mechanism = row_of_blocks(loads);
        run_all(what, mechanism, 2, 1e-8, &log);
        runs_near(what, runs_time_of(&log, 1, DETENT_WAIT, 0), (asin(1 / 1.001) - phase) / 3, 1e-8);
        runs_log_free(&log);
        detent_mechanism_destroy(mechanism);
    }
}

/**
 * The same right after the start, and after the event of another joint. With so few steps since
 * then one may be missed, but by both variants.
 */
static void loads_that_return_at_once(void **state)
{
    (void)state;
    for (int k = 0; k < 80; k++) {
        runs_log log;
        char loads[400], what[64];
        snprintf(loads, sizeof loads,
                 "  push: {body: c, force: [\"2.02*sin(9*(t - %.4f))\", 0, 0]}\n"
                 "  other: {body: d, force: [\"if(t > 0.4, 2, 0)\", 0, 0]}\n",
                 0.3 - 0.01 * k);
        snprintf(what, sizeof what, "return %d", k);
        detent_mechanism *mechanism = row_of_blocks(loads);
        for (int integrator = 0; integrator < 2; integrator++) {
            run_both(what, mechanism, (detent_integrator)integrator, 2, 1e-7, &log);
            runs_log_free(&log);
        }
        detent_mechanism_destroy(mechanism);
    }
}

/* ---- inputs ---- */

/** Inputs that load welded joints, between steps; what holds under one gives way under the next. */
static void inputs_between_steps(void **state)
{
    (void)state;
    detent_mechanism *mechanism =
        row_of_blocks("  push: {body: c, force: [\"4*u*sin(5*t)\", 0, 0]}\n"
                      "  also: {body: d, force: [\"u\", 0, \"if(u > 0, 1, 2)\"]}\n");
    static const double values[] = {0.1, 1.4, -0.3, 1.6, 0, 1.5, -1.7, 2, 0, 0.5};
    runs_log logs[4] = {{0}};
    double *states[4];
    size_t count = 0;
    for (int variant = 0; variant < 4; variant++) {
        detent_error error;
        detent_simulation *simulation = start(
            mechanism, variant % 2 ? DETENT_LOCKED_JOINTS_CONSTRAIN : DETENT_LOCKED_JOINTS_WELD,
            variant / 2 ? DETENT_INTEGRATOR_ERK : DETENT_INTEGRATOR_IDA);
        for (int k = 0; k < 10; k++) {
            runs_must(detent_set_input(simulation, 0, values[k], &error), &error);
            runs_record(simulation, 0.2 * (k + 1), &logs[variant]);
        }
        states[variant] = runs_state(mechanism, simulation, &count);
        must_agree("inputs", &logs[variant], &logs[0], 1e-9);
        for (size_t j = 0; j < count; j++) {
            runs_near("state", states[variant][j], states[0][j], 1e-8);
        }
        detent_simulation_destroy(simulation);
    }
    assert_true(logs[0].count > 8);
    for (int variant = 0; variant < 4; variant++) {
        runs_log_free(&logs[variant]);
        free(states[variant]);
    }
    detent_mechanism_destroy(mechanism);
}

/* ---- switches ---- */

/**
 * While the input is zero, the switch stands at its border all the time. a breaks away at 1 s; b
 * comes to rest a moment later, within the first step after that.
 */
static const char border_text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "inputs: {u: 0}\n"
    "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
    "joints:\n"
    "  ja: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
    "  jb: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
    "       initial: {velocity: 1 + 1e-7}}\n"
    "stiction:\n"
    "  ja: {velocity_threshold: 1e-4, kinetic: 1, static: 2}\n"
    "  jb: {velocity_threshold: 1e-4, kinetic: 1, static: 1}\n"
    "loads:\n"
    "  push: {body: a, force: [\"2*t\", 0, \"if(u > 0, 1, 2)\"]}\n"
    "simulation: {end: 2, interval: 0.1, rtol: 1e-7, atol: 1e-6}\n";

static void a_switch_that_stands_at_its_border(void **state)
{
    (void)state;
    runs_log log;
    detent_mechanism *mechanism = runs_parse(border_text, NULL);
    for (int integrator = 0; integrator < 2; integrator++) {
        run_both("border", mechanism, (detent_integrator)integrator, 1.5, 1e-8, &log);
        runs_near("a breaks away", runs_time_of(&log, 0, DETENT_WAIT, 0), 1, 1e-9);
        runs_near("b stops", runs_time_of(&log, 1, DETENT_LOCKED, 0), 1 + 1e-7, 1e-8);
        runs_log_free(&log);
    }
    detent_mechanism_destroy(mechanism);
}

/* ---- readings and failures ---- */

/** Who looks, also back at the instant before, changes nothing. */
static void readers_change_nothing(void **state)
{
    (void)state;
    static const char *const set[] = {"n=12", "friction=0.1 N*m", NULL};
    detent_mechanism *mechanism = runs_load("hanging_chain.yaml", set);
    for (int integrator = 0; integrator < 2; integrator++) {
        runs_log quiet = {0};
        detent_simulation *a =
            start(mechanism, DETENT_LOCKED_JOINTS_WELD, (detent_integrator)integrator);
        detent_simulation *b =
            start(mechanism, DETENT_LOCKED_JOINTS_WELD, (detent_integrator)integrator);
        detent_error error;
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        double before[12], now[12];
        size_t n = 0, count;
        runs_record(a, 0.5, &quiet);
        last_event(b, &n);
        while (detent_advance(b, 0.5, true, &error) == DETENT_EVENT) {
            const detent_mode_change *changes = last_event(b, &count);
            runs_must(detent_read(b, DETENT_FRICTIONS, now, 12, &error), &error);
            runs_must(detent_read_before(b, DETENT_FRICTIONS, before, 12, &error), &error);
            detent_get_statistics(b, &statistics);
            runs_must(detent_read_before(b, DETENT_POSITIONS, before, 12, &error), &error);
            for (size_t k = 0; k < count; k++, n++) {
                assert_true(n < quiet.count && changes[k].time == quiet.change[n].time);
            }
        }
        assert_int_equal(n, quiet.count);
        assert_true(n > 20);
        runs_log_free(&quiet);
        detent_simulation_destroy(a);
        detent_simulation_destroy(b);
    }
    detent_mechanism_destroy(mechanism);
}

/** A storm ends the run in the modes just before; the readings are those of the plain variant. */
static void a_failure_leaves_the_instant_before(void **state)
{
    (void)state;
    static const char *const set[] = {"n=20", "friction=0.1 N*m", NULL};
    detent_mechanism *mechanism = runs_load("hanging_chain.yaml", set);
    double f[2][20], a[2][20], modes[2][20];
    for (int kind = 0; kind < 2; kind++) {
        detent_error error;
        detent_settings settings = runs_settings(mechanism, 1e-9, 1e-11);
        settings.locked_joints = (detent_locked_joints)kind;
        settings.max_event_rate = 1e-3;
        detent_simulation *simulation = runs_start(mechanism, &settings);
        assert_int_equal(detent_advance(simulation, 5, false, &error), DETENT_EVENT_STORM);
        runs_must(detent_read(simulation, DETENT_FRICTIONS, f[kind], 20, &error), &error);
        runs_must(detent_read(simulation, DETENT_ACCELERATIONS, a[kind], 20, &error), &error);
        runs_must(detent_read(simulation, DETENT_MODES, modes[kind], 20, &error), &error);
        assert_int_equal(detent_advance(simulation, 5, false, &error), DETENT_EVENT_STORM);
        detent_simulation_destroy(simulation);
    }
    for (int k = 0; k < 20; k++) {
        runs_near("friction", f[0][k], f[1][k], 1e-8);
        runs_near("acceleration", a[0][k], a[1][k], 1e-5);
        assert_true(modes[0][k] == modes[1][k]);
    }
    detent_mechanism_destroy(mechanism);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_weakest_breaks_in_time),
        cmocka_unit_test(against_the_other_direction),
        cmocka_unit_test(one_that_stands_at_its_limit),
        cmocka_unit_test(two_at_once),
        cmocka_unit_test(loads_that_come_and_go),
        cmocka_unit_test(loads_that_return_at_once),
        cmocka_unit_test(inputs_between_steps),
        cmocka_unit_test(a_switch_that_stands_at_its_border),
        cmocka_unit_test(readers_change_nothing),
        cmocka_unit_test(a_failure_leaves_the_instant_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
