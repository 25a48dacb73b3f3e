/*
 * What happens between and within steps of fixed length, against plain programs: instants known in advance and samples are stepped to
 * exactly, states stop, balls bounce and come to rest, inputs change inside a step, runs are saved; what is not allowed is refused.
 */
#include "support_variants.h"

static detent_simulation *start_fixed(const detent_mechanism *m, detent_integrator integrator,
                                      double h)
{
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = integrator;
    settings.step = h;
    return runs_start(m, &settings);
}

/* ---- instants, samples, stops of states ---- */

/* D, the rate of z, is a law of time, or the acceleration of a block that is pushed so. */
static const char timed[] = "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}, b: {mass: 1}}\n"
                            "joints:\n"
                            "  x: {type: prismatic, base: ground, follower: a, "
                            "force: \"if(t < 0.30071, 2, -1) + hold - 3*z\"}\n"
                            "  y: {type: prismatic, base: ground, follower: b, force: 4*cos(3*t)}\n"
                            "sampled: {hold: {every: 10 ms, value: -0.5*velocity(x), initial: 0}}\n"
                            "states: {z: {derivative: %s, initial: 0, min: -0.5, max: 0.5}}\n"
                            "outputs: [position(x), velocity(x), z, hold]\nsimulation: {end: 4}\n";
static const char *const derivatives[] = {"4*cos(3*t)", "\"max(acceleration(y)*1 [s^2/m], -100)\""};

/* Where the step from t ends: on the grid, at the next sample, at the switch. */
static double end_of_step(double t, double h, double limit)
{
    const double grid = (floor(t / h + 1e-6) + 1) * h, sample = (floor(t / 0.01 + 1e-9) + 1) * 0.01;
    double end = grid;
    end = sample < end + 1e-9 ? sample : end;
    end = t < 0.30071 && 0.30071 < end ? 0.30071 : end;
    return end > limit ? limit : end;
}

/* y' of position, velocity and z. */
static void rate(double t, bool early, double hold, const double y[3], double f[3])
{
    const double D = 4 * cos(3 * t);
    f[0] = y[1];
    f[1] = ((early ? 2 : -1) + hold - 3 * y[2]) / 2;
    f[2] = (y[2] >= 0.5 && D > 0) || (y[2] <= -0.5 && D < 0) ? 0 : D;
}

static void step_plainly(detent_integrator integrator, double t, double h, double hold, double y[3])
{
    const bool early = t < 0.30071 - 1e-12;
    double k[4][3], z[3];
    rate(t, early, hold, y, k[0]);
    if (integrator == DETENT_INTEGRATOR_EULER) {
        for (int j = 0; j < 3; j++) {
            y[j] += h * k[0][j];
        }
    } else {
        const bool held = k[0][2] == 0; /* through a step */
        for (int i = 1; i < 4; i++) {
            for (int j = 0; j < 3; j++) {
                z[j] = y[j] + (i < 3 ? h / 2 : h) * k[i - 1][j];
            }
            rate(t + (i < 3 ? h / 2 : h), early, hold, z, k[i]);
            k[i][2] = held ? 0 : 4 * cos(3 * (t + (i < 3 ? h / 2 : h)));
        }
        for (int j = 0; j < 3; j++) {
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
    }
    y[2] = y[2] > 0.5 ? 0.5 : y[2] < -0.5 ? -0.5 : y[2];
}

static void instants_are_stepped_to(void **state)
{
    static const double steps[] = {1e-3, 7e-4, 3e-2};
    (void)state;
    for (int k = 0; k < 12; k++) {
        const detent_integrator integrator =
            k % 2 ? DETENT_INTEGRATOR_RK4 : DETENT_INTEGRATOR_EULER;
        const double h = steps[k / 2 % 3];
        char text[1200];
        snprintf(text, sizeof text, timed, derivatives[k / 6]);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = start_fixed(m, integrator, h);
        double y[3] = {0, 0, 0}, hold = 0, worst = 0, next = 0;
        size_t held = 0;
        for (double t = 0; t < 4 - 1e-9;) {
            if (t > next - 1e-9) {
                hold = -0.5 * y[1];
                next += 0.01;
            }
            const double end = end_of_step(t, h, 4);
            step_plainly(integrator, t, end - t, hold, y);
            t = end;
            held += fabs(y[2]) == 0.5;
            runs_advance(sim, t);
            worst = fmax(worst, fabs(runs_output(m, sim, "position(x)") - y[0]));
            worst = fmax(worst, fabs(runs_output(m, sim, "velocity(x)") - y[1]));
            worst = fmax(worst, fabs(runs_output(m, sim, "z") - y[2]));
        }
        runs_near("beside a plain program", worst, 0, 1e-11);
        assert_true(held > 50);
        runs_end(sim, m);
    }
}

/* ---- bounces ---- */

static const char ball[] =
    "detent: 1\ngravity: [0, 0, -9.81]\nbodies: {a: {mass: 1}}\n"
    "joints: {z: {type: prismatic, axis: [0, 0, 1], base: ground, follower: a, "
    "initial: {position: 1}, stops: {lower: {at: 0, restitution: 0.5}}}}\n"
    "outputs: [position(z), velocity(z)]\nsimulation: {end: 3}\n";

/* When the ball rests, in a plain program. */
static double bounce(double h, int count, double *q, double *v)
{
    double rests = INFINITY;
    *q = 1;
    *v = 0;
    for (int n = 0; n < count; n++) {
        const double step = (n + 1) * h - n * h, old = *v;
        if (isfinite(rests)) {
            break;
        }
        *v += step * -9.81;
        *q += step * old;
        if (*q < 0 && *v <= 0) {
            *q = 0;
            *v *= -0.5;
            if (*v <= 2 * 9.81 * h) { /* bounces of e / (1 - e) = 1 keep themselves up */
                *v = 0;
                rests = (n + 1) * h;
            }
        }
    }
    return rests;
}

static void a_ball_comes_to_rest(void **state)
{
    const double exact = 3 * sqrt(2 / 9.81); /* t1 + 2 t1 (e + e^2 + ...) */
    (void)state;
    for (double h = 4e-3; h > 2e-4; h /= 4) {
        detent_mechanism *m = runs_parse(ball, NULL);
        detent_simulation *sim = start_fixed(m, DETENT_INTEGRATOR_EULER, h);
        double q, v;
        const double rests = bounce(h, (int)(2 / h), &q, &v);
        for (double t = 0.1; t < 1; t += 0.1) {
            const int n = (int)(t / h);
            bounce(h, n, &q, &v);
            runs_advance(sim, n * h);
            runs_near("place", runs_position(m, sim, "z"), q, 1e-12);
            runs_near("velocity", runs_velocity(m, sim, "z"), v, 1e-11);
        }
        runs_advance(sim, rests - 1e-9);
        assert_true(runs_velocity(m, sim, "z") != 0);
        runs_advance(sim, rests);
        assert_true(runs_velocity(m, sim, "z") == 0 && runs_position(m, sim, "z") == 0);
        detent_statistics before = DETENT_INIT(detent_statistics),
                          after = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &before);
        runs_advance(sim, 3);
        detent_get_statistics(sim, &after);
        assert_true(before.events == after.events && runs_position(m, sim, "z") == 0);
        /* each of the bounces may be seen two steps late, and there are as many as halve the speed */
        assert_true(fabs(rests - exact) < 5 * h * log2(1 / h));
        runs_end(sim, m);
    }
}

/* Whatever the restitution below one, bounces end. */
static void every_ball_comes_to_rest(void **state)
{
    static const char *const set[][2] = {{"e=0", NULL}, {"e=0.3", NULL}, {"e=0.9", NULL}};
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -9.81]\nparameters: {e: 0}\nbodies: {a: {mass: 1}}\n"
        "joints: {z: {type: prismatic, axis: [0, 0, 1], base: ground, follower: a, "
        "initial: {position: 0.1}, stops: {lower: {at: 0, restitution: e}}}}\n"
        "simulation: {end: 9}\n";
    (void)state;
    for (size_t k = 0; k < 6; k++) {
        detent_mechanism *m = runs_parse(text, set[k % 3]);
        detent_simulation *sim =
            start_fixed(m, k < 3 ? DETENT_INTEGRATOR_EULER : DETENT_INTEGRATOR_RK4, 1e-3);
        runs_advance(sim, 8);
        assert_true(runs_velocity(m, sim, "z") == 0 && runs_position(m, sim, "z") == 0);
        runs_end(sim, m);
    }
}

/* ---- who breaks away when ---- */

static double breakaway(const char *law, double h)
{
    char text[700];
    detent_error error;
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, force: \"1 [N/s]*t\", friction: "
        "{law: %s, "
        "breakaway: 1.5, coulomb: 1, velocity_band: 1e-4}}}\nsimulation: {end: 4}\n",
        law);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = start_fixed(m, DETENT_INTEGRATOR_EULER, h);
    double t = 0;
    for (int n = 1; runs_velocity(m, sim, "x") == 0; n++) {
        t = n * h;
        assert_true(t < 4 && detent_advance(sim, t, false, &error) == DETENT_OK);
    }
    runs_end(sim, m);
    return t;
}

/* The excess force must take the joint through the band within a step: t - 1.5 >= m e / h. */
static void karnopp_breaks_away_late(void **state)
{
    (void)state;
    runs_near("borello", breakaway("borello", 1e-3), 1.502,
              1e-9); /* 1.501 > 1.5: moved a step on */
    runs_near("karnopp", breakaway("karnopp", 1e-3), 1.5 + 2e-4 / 1e-3 + 2e-3, 1.01e-3);
    runs_near("karnopp", breakaway("karnopp", 5e-4), 1.5 + 2e-4 / 5e-4 + 1e-3, 5.1e-4);
}

/* ---- inside a step, and beyond the run ---- */

static void rows_inside_a_step_are_on_its_line(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, spring: {stiffness: 1}, "
        "initial: {position: 1, velocity: 0.5}}}\nsimulation: {end: 1, interval: 0.05}\n";
    (void)state;
    static const double steps[] = {0.4, 3};
    for (int k = 0; k < 2; k++) {
        const double h = steps[k];
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = start_fixed(m, DETENT_INTEGRATOR_EULER, h);
        double x = 1, v = 0.5;
        for (int n = 0; n * h < 1; n++) {
            for (int i = 1; i <= 8 && (n + i / 8.0) * h <= 1; i++) {
                runs_advance(sim, (n + i / 8.0) * h);
                runs_near("place", runs_position(m, sim, "x"), x + i / 8.0 * h * v, 1e-14);
                runs_near("velocity", runs_velocity(m, sim, "x"), v - i / 8.0 * h * x, 1e-14);
            }
            const double old = v;
            v -= h * x;
            x += h * old;
        }
        runs_end(sim, m);
    }
}

/* A rotation between the ends of a long step is one: its body keeps its size. */
static void rotations_inside_a_step_are_rotations(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [0.2, 0.2, 0.25]}}\n"
        "joints: {x: {type: spherical, base: ground, follower: a, "
        "initial: {velocity: [1, 2, 3]}}}\n"
        "points: {p: {body: a, at: [3, 0, 0]}, q: {body: a, at: [0, 4, 0]}}\n"
        "outputs: [\"position(p, x)\", \"position(p, y)\", \"position(p, z)\", \"position(q, "
        "x)\", \"position(q, y)\", \"position(q, z)\"]\nsimulation: {end: 1}\n";
    (void)state;
    for (int k = 0; k < 2; k++) {
        detent_error error = {.message = ""};
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim =
            start_fixed(m, k ? DETENT_INTEGRATOR_RK4 : DETENT_INTEGRATOR_EULER, 0.2);
        for (double t = 0.01; t < 1; t += 0.03) {
            double x[6], inside = 0, p = 0, q = 0;
            runs_advance(sim, t);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 6, &error), &error);
            for (int i = 0; i < 3; i++) {
                p += x[i] * x[i];
                q += x[3 + i] * x[3 + i];
                inside += x[i] * x[3 + i];
            }
            runs_near("length", sqrt(p), 3, 1e-13);
            runs_near("width", sqrt(q), 4, 1e-13);
            runs_near("angle", inside, 0, 1e-12);
        }
        runs_end(sim, m);
    }
}

static void an_input_changes_inside_a_step(void **state)
{
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
                               "inputs: {push: 1}\n"
                               "joints: {x: {type: prismatic, base: ground, follower: a, "
                               "force: push}}\nsimulation: {end: 1}\n";
    (void)state;
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = start_fixed(m, DETENT_INTEGRATOR_EULER, 0.1);
    runs_advance(sim, 0.125);
    runs_must(detent_set_input(sim, 0, -3, &error), &error);
    runs_advance(sim, 0.3);
    /* steps of 0.1, 0.025 with push 1, then 0.075 and 0.1 with -3 */
    const double v[] = {0, 0.1, 0.125, 0.125 - 3 * 0.075, 0.125 - 3 * 0.175};
    runs_near("velocity", runs_velocity(m, sim, "x"), v[4], 1e-15);
    runs_near("place", runs_position(m, sim, "x"), 0.025 * v[1] + 0.075 * v[2] + 0.1 * v[3], 1e-15);
    runs_end(sim, m);
}

/* A run that is saved on the grid goes on as if nothing had been. */
static void a_saved_run_goes_on(void **state)
{
    detent_error error = {.message = ""};
    (void)state;
    detent_mechanism *m = runs_load("sticky_double_pendulum.yaml", NULL);
    detent_simulation *sim = start_fixed(m, DETENT_INTEGRATOR_RK4, 0x1p-11);
    const size_t size = detent_state_size(sim);
    void *bytes = malloc(size);
    size_t count;
    runs_advance(sim, 0.625);
    runs_must(detent_save_state(sim, bytes, size, &error), &error);
    runs_advance(sim, 2);
    double *first = runs_state(m, sim, &count);
    runs_must(detent_restore_state(sim, bytes, size, &error), &error);
    runs_advance(sim, 2);
    double *second = runs_state(m, sim, &count);
    assert_memory_equal(first, second, count * sizeof *first);
    free(first);
    free(second);
    free(bytes);
    runs_end(sim, m);
}

/* ---- what is refused ---- */

static detent_status try(const char *text, const detent_settings *settings, detent_error *error)
{
    detent_mechanism *m = runs_parse(text, NULL);
    const detent_simulation_options options = {.size = sizeof options, .settings = settings};
    detent_simulation *sim = NULL;
    const detent_status status = detent_simulation_create(m, &options, &sim, error);
    detent_simulation_destroy(sim);
    detent_mechanism_destroy(m);
    return status;
}

static void laws_of_steps_are_refused_by_others(void **state)
{
    static const detent_integrator others[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                               DETENT_INTEGRATOR_AUTO};
    static const char *const laws[] = {"karnopp", "borello"};
    (void)state;
    for (int k = 0; k < 6; k++) {
        detent_settings settings;
        detent_init_settings(&settings, sizeof settings);
        detent_error error;
        char text[500];
        settings.integrator = others[k % 3];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
                 "joints: {x: {type: prismatic, base: ground, follower: a, friction: {\n"
                 "    coulomb: 1, law: %s, velocity_band: 0.1}}}\n",
                 laws[k / 3]);
        assert_int_equal(try(text, &settings, &error), DETENT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, laws[k / 3]));
        assert_non_null(strstr(error.message, "'x'"));
        assert_non_null(strstr(error.message, "euler or rk4"));
        assert_int_equal(error.line, 5);
        assert_int_equal(error.column, 22);
        assert_true(error.file[0] != 0);
    }
}

/* Of a mechanism that no file tells, the joint is what there is to say. */
static void laws_of_steps_from_programs_are_refused(void **state)
{
    detent_error error;
    detent_mechanism *m = NULL;
    detent_simulation *sim = NULL;
    const char *none[] = {"0", "0", "0"};
    (void)state;
    runs_must(detent_mechanism_create("m", NULL, &m, &error), &error);
    runs_must(detent_set_gravity_law(m, none, &error), &error);
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.name = "a";
    body.mass = 1;
    runs_must(detent_add_body(m, &body, &error), &error);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    joint.name = "rail";
    joint.type = "prismatic";
    joint.base = "ground";
    joint.follower = "a";
    runs_must(detent_add_joint(m, &joint, &error), &error);
    runs_must(detent_add_item(m, "friction", "rail",
                              "{law: karnopp, coulomb: 1, velocity_band: 0.1}", &error),
              &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    assert_int_equal(detent_simulation_create(m, NULL, &sim, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'karnopp' of 'rail'"));
    assert_int_equal(error.line, 0);
    detent_mechanism_destroy(m);
}

static void settings_must_fit(void **state)
{
    static const struct {
        detent_integrator integrator;
        double step;
        const char *why;
    } bad[] = {{DETENT_INTEGRATOR_EULER, 0, "need the length of their steps"},
               {DETENT_INTEGRATOR_RK4, 0, "need the length of their steps"},
               {DETENT_INTEGRATOR_RK4, -1e-3, "must be positive"},
               {DETENT_INTEGRATOR_EULER, NAN, "not a finite number"},
               {DETENT_INTEGRATOR_EULER, INFINITY, "not a finite number"},
               {DETENT_INTEGRATOR_EULER, 1e-17, "too short"},
               {DETENT_INTEGRATOR_IDA, 1e-3, "a step is for euler, rk4 and fixed"},
               {DETENT_INTEGRATOR_AUTO, 1e-3, "a step is for euler, rk4 and fixed"},
               {(detent_integrator)6, 1e-3, "must be ida, erk, auto, euler, rk4 or fixed"}};
    (void)state;
    detent_settings longer;
    detent_init_settings(&longer, sizeof longer);
    detent_error why;
    longer.integrator = DETENT_INTEGRATOR_EULER;
    longer.step = 0.01;
    longer.max_step = 0.005;
    assert_true(try(ball, &longer, &why) < 0);
    assert_non_null(strstr(why.message, "max_step: shorter than the steps"));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        detent_settings settings;
        detent_init_settings(&settings, sizeof settings);
        detent_error error;
        settings.integrator = bad[k].integrator;
        settings.step = bad[k].step;
        assert_true(try(ball, &settings, &error) < 0);
        if (!strstr(error.message, bad[k].why)) {
            fail_msg("'%s' does not say '%s'", error.message, bad[k].why);
        }
    }
}

/* What is stiff for the step grows until it is no number, and says so. */
static void a_step_that_is_too_long_is_told(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, force: -1e6*position(x)^3, "
        "initial: {position: 1}}}\nsimulation: {end: 100}\n";
    detent_error error = {.message = ""};
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = start_fixed(m, DETENT_INTEGRATOR_RK4, 0.1);
    assert_int_equal(detent_advance(sim, 100, false, &error), DETENT_ERROR_NUMERIC);
    if (!strstr(error.message, "take steps shorter than 0.1 s, or 'integrator: ida'")) {
        fail_msg("%s", error.message);
    }
    double q;
    detent_status status = detent_read(sim, DETENT_POSITIONS, &q, 1, &error);
    assert_true(status == DETENT_OK && isfinite(q));
    runs_end(sim, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_are_stepped_to),
        cmocka_unit_test(a_ball_comes_to_rest),
        cmocka_unit_test(every_ball_comes_to_rest),
        cmocka_unit_test(karnopp_breaks_away_late),
        cmocka_unit_test(rows_inside_a_step_are_on_its_line),
        cmocka_unit_test(rotations_inside_a_step_are_rotations),
        cmocka_unit_test(an_input_changes_inside_a_step),
        cmocka_unit_test(a_saved_run_goes_on),
        cmocka_unit_test(laws_of_steps_are_refused_by_others),
        cmocka_unit_test(laws_of_steps_from_programs_are_refused),
        cmocka_unit_test(settings_must_fit),
        cmocka_unit_test(a_step_that_is_too_long_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
