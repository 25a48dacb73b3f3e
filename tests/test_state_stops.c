/*
 * States with stops: an integrated sine, a controller with a saturated integral, a drive whose force saturates, all in closed form and in all
 * variants; what a state at its stop costs; what is refused.
 */
#include "support_variants.h"

/* ---- an integrated sine ---- */

static const char sine[] =
    "detent: 1\ngravity: [0, 0, 0]\nparameters: {top: 1 m}\n"
    "bodies: {a: {mass: 1}, b: {mass: 2}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: a, force: sin(t)}\n"
    "  held: {type: prismatic, base: a, follower: b}\n"
    "stiction: {held: {kinetic: 9, static: 9, external: \"2*whole\"}}\n"
    "states:\n"
    "  whole: {derivative: \"1 [m/s]*sin(t)\", initial: 0.2 m, min: -0.5 m, max: top}\n"
    "  above: {derivative: \"sin(t)\", min: 0}\n"
    "  felt: {derivative: \"3*acceleration(slide)\", max: 0.75}\n"
    "outputs: [whole, above, felt]\n"
    "simulation: {end: 12, rtol: 1e-10}\n";

/** The integral of sin t from z between stops: on the way up and down by turns, each to its end or to a stop. */
static double stopped_sine(double t, double z, double low, double high)
{
    const double pi = acos(-1);
    double from = 0;
    while (t > from + pi) {
        z = fmin(fmax(z + cos(from) - cos(from + pi), low), high);
        from += pi;
    }
    return fmin(fmax(z + cos(from) - cos(t), low), high);
}

static void a_sine_is_integrated_between_stops(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(sine, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 23; n++) {
            const double t = 0.5 * n;
            double is[3];
            variant_outputs(sim, v, t, is, 3);
            variant_check(v, "both stops", is[0], stopped_sine(t, 0.2, -0.5, 1), 3e-8);
            variant_check(v, "the lower one", is[1], stopped_sine(t, 0, 0, INFINITY), 3e-8);
            variant_check(v, "the upper one", is[2], stopped_sine(t, 0, -INFINITY, 0.75), 3e-8);
        }
        assert_true(runs_output(m, sim, "whole") >= -0.5);
        runs_end(sim, m);
    }
}

static void a_state_is_at_its_stop_to_the_last_bit(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(sine, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (double t = 2; t < 3.1; t += 0.1) {
            double is[3];
            variant_outputs(sim, v, t, is, 3);
            assert_true(is[0] == 1 && is[2] == 0.75);
        }
        runs_end(sim, m);
    }
}

/* ---- a controller ---- */

/* y' = -y + e + i, i' = 2 e, e = r - y; r is 2, which is too much for i, then 0.5. */
static const char controller[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: a, force: i}}\n"
    "signals: {r: \"if(t < 4, 2, 0.5)\", e: r - y}\n"
    "states:\n"
    "  y: {derivative: -y + e + i}\n"
    "  i: {derivative: 2*e, max: 1, min: -1}\n"
    "outputs: [y, i]\n"
    "simulation: {end: 10, rtol: 1e-10}\n";

/** From (y, i), t later, with nothing at a stop. */
static void free_way(double r, double t, double x[2])
{
    const double u = x[0] - r, w = x[1] - r, c = exp(-t) * cos(t), s = exp(-t) * sin(t);
    x[0] = r + u * c + (w - u) * s;
    x[1] = r + w * c + (w - 2 * u) * s;
}

static void controlled(double t, double x[2])
{
    double low = 0, high = 1;
    for (int n = 0; n < 60; n++) { /* when i reaches 1 */
        double at[2] = {0, 0};
        const double middle = 0.5 * (low + high);
        free_way(2, middle, at);
        *(at[1] < 1 ? &low : &high) = middle;
    }
    x[0] = x[1] = 0;
    free_way(2, fmin(t, low), x);
    if (t > low) {
        x[0] = 1.5 + (x[0] - 1.5) * exp(-2 * (fmin(t, 4) - low));
        x[1] = 1;
    }
    if (t > 4) {
        free_way(0.5, t - 4, x);
    }
}

static void an_integral_saturates(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(controller, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 20; n++) {
            double is[2], should[2];
            variant_outputs(sim, v, 0.45 * n, is, 2);
            controlled(0.45 * n, should);
            variant_check(v, "y", is[0], should[0], 1e-8);
            variant_check(v, "i", is[1], should[1], 1e-8);
        }
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_true(now.events <= 5);
        runs_end(sim, m);
    }
}

/* ---- a drive ---- */

/* v' = z, z' = 4 (1 - v), between -0.8 and 1: arcs of circles and straight lines. */
static void driven(double t, double x[2])
{
    const double pi = acos(-1), first = pi / 12, up = cos(pi / 6), down = acos(-0.8) / 2;
    if (t < first) {
        x[0] = 1 - cos(2 * t), x[1] = 2 * sin(2 * t);
    } else if ((t -= first) < up) {
        x[0] = 1 - up + t, x[1] = 1;
    } else if ((t -= up) < down) {
        x[0] = 1 + 0.5 * sin(2 * t), x[1] = cos(2 * t);
    } else if ((t -= down) < 0.375) {
        x[0] = 1.3 - 0.8 * t, x[1] = -0.8;
    } else {
        t -= 0.375;
        x[0] = 1 - 0.4 * sin(2 * t), x[1] = -0.8 * cos(2 * t);
    }
}

static void a_drive_saturates(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                       "bodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a, force: z}}\n"
                       "states: {z: {derivative: 4*(1 - velocity(slide)), min: -0.8, max: 1}}\n"
                       "outputs: [velocity(slide), z]\nsimulation: {end: 5, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 21; n++) {
            double is[2], should[2];
            variant_outputs(sim, v, 0.2 * n, is, 2);
            driven(0.2 * n, should);
            variant_check(v, "velocity", is[0], should[0], 1e-8);
            variant_check(v, "force", is[1], should[1], 1e-8);
        }
        runs_end(sim, m);
    }
}

/* ---- what it costs ---- */

static void a_state_at_its_stop_costs_nothing(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
            "states:\n"
            "  i: {derivative: 2 + 0.5*sin(t), initial: 0.5, max: 1}\n" /* which time alone moves */
            "  j: {derivative: i - 3, min: -1, initial: -1}\n"          /* and a state */
            "  k: {derivative: 2, max: 1, initial: 1}\n"
            "outputs: [i, j, k]\nsimulation: {end: 1001}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[3];
        detent_statistics before = DETENT_INIT(detent_statistics),
                          after = DETENT_INIT(detent_statistics);
        variant_outputs(sim, v, 1, is, 3);
        detent_get_statistics(sim, &before);
        variant_outputs(sim, v, 1001, is, 3);
        detent_get_statistics(sim, &after);
        assert_true(is[0] == 1 && is[1] == -1 && is[2] == 1);
        assert_int_equal(after.events, before.events);
        if (after.steps - before.steps > 60) {
            fail_msg("%s: %zu steps", variant_name(v), after.steps - before.steps);
        }
        runs_end(sim, m);
    }
}

/** Steps and residuals of a driven oscillator for so many seconds, with a state that stays at its stop, or without. */
static detent_statistics count_steps(variant v, bool with, double seconds)
{
    runs_text text = {0};
    runs_say(&text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 0.5}}\n"
             "joints:\n"
             "  x: {type: prismatic, base: ground, follower: a, force: 4*sin(2*t), damping: 0.5, "
             "spring: {stiffness: 9}}\n"
             "  y: {type: prismatic, base: a, follower: b, axis: [0, 1, 0]}\n"
             "stiction: {y: {kinetic: 1, static: 2, external: sin(t)}}\n"
             "%s%ssimulation: {end: %g, rtol: 1e-7}\n",
             with
                 ? "states:\n"
                   "  z: {derivative: \"2 + 0.5*sin(3*t) + 0.1*velocity(x)\", initial: 1, max: 1}\n"
                 : "",
             with ? "outputs: [z]\n" : "", seconds);
    detent_mechanism *m = runs_parse(text.text, NULL);
    detent_simulation *sim = variant_start(m, v);
    detent_statistics n = DETENT_INIT(detent_statistics);
    variant_advance(sim, v, seconds);
    detent_get_statistics(sim, &n);
    assert_true(!with || runs_output(m, sim, "z") == 1);
    runs_end(sim, m);
    free(text.text);
    return n;
}

/* For as long as DETENT_TEST_STATE_STOP says, s, steps are those of the mechanism without the state. */
static void a_state_at_its_stop_changes_no_step(void **state)
{
    UNUSED(state);
    const char *asked = getenv("DETENT_TEST_STATE_STOP");
    const double seconds = asked ? strtod(asked, NULL) : 40;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const detent_statistics with = count_steps(v, true, seconds),
                                without = count_steps(v, false, seconds);
        if (runs_verbose()) {
            printf("%s, %g s: %zu steps and %zu residuals, without the state %zu and %zu, ratios "
                   "%.4f and %.4f\n",
                   variant_name(v), seconds, with.steps, with.residuals, without.steps,
                   without.residuals, (double)with.steps / (double)without.steps,
                   (double)with.residuals / (double)without.residuals);
        }
        assert_int_equal(with.events, without.events);
        size_t steps = without.steps, residuals = without.residuals;
        if (v.integrator ==
            DETENT_INTEGRATOR_AUTO) { /* that takes dearer ones or more of them as it likes */
            variant alone = v;
            alone.integrator = DETENT_INTEGRATOR_IDA;
            steps = count_steps(alone, false, seconds).steps;
            alone.integrator = DETENT_INTEGRATOR_ERK;
            residuals = count_steps(alone, false, seconds).residuals;
        }
        assert_true((double)with.steps <= 1.05 * (double)steps);
        assert_true((double)with.residuals <= 1.05 * (double)residuals);
    }
}

/* ---- saved; from C ---- */

static void saved_runs_keep_their_stops(void **state)
{
    UNUSED(state);
    detent_error error;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(sine, NULL);
        detent_simulation *sim = variant_start(m, v);
        double first[3], second[3];
        variant_advance(sim, v, 2.5);
        const size_t size = detent_state_size(sim);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        runs_must(detent_save_state(sim, bytes, size, &error), &error);
        runs_must(detent_restore_state(sim, bytes, size, &error), &error);
        variant_outputs(sim, v, 7, first, 3);
        runs_must(detent_restore_state(sim, bytes, size, &error), &error);
        variant_outputs(sim, v, 7, second, 3);
        assert_memory_equal(first, second, sizeof first);
        variant_check(v, "after", first[0], stopped_sine(7, 0.2, -0.5, 1), 3e-8);
        free(bytes);
        runs_end(sim, m);
    }
}

static void a_program_gives_stops(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = NULL;
    detent_body_def body = DETENT_INIT(detent_body_def);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    const detent_state_def z = {
        .size = sizeof z, .name = "z", .derivative = "cos(t)", .max = "top/2", .min = "-1"};
    body.name = "a";
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    joint.name = "j";
    joint.follower = "a";
    runs_must(detent_mechanism_create("c", NULL, &m, &error), &error);
    const char *const gravity[3] = {"0", "0", "0"};
    runs_must(detent_set_gravity_law(m, gravity, &error), &error);
    runs_must(detent_add_parameter(m, "top", "1", &error), &error);
    runs_must(detent_add_body(m, &body, &error), &error);
    runs_must(detent_add_joint(m, &joint, &error), &error);
    runs_must(detent_add_state(m, &z, &error), &error);
    runs_must(detent_add_output(m, "z", &error), &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    detent_simulation *sim = runs_start(m, NULL);
    runs_advance(sim, 1);
    assert_true(runs_output(m, sim, "z") == 0.5);
    runs_end(sim, m);
}

/* ---- what is refused ---- */

static void bad_stops_are_refused(void **state)
{
    UNUSED(state);
    static const struct {
        const char *item;
        int column;
        const char *words;
    } cases[] = {
        {"derivative: 1, min: 1, max: 1", 42, "nothing between its stops"},
        {"derivative: 1, min: 2, max: 1, initial: 1", 42, "nothing between its stops"},
        {"derivative: 1, initial: 2, max: 1", 38, "beyond its upper stop"},
        {"derivative: 1, min: -1, initial: -2", 47, "beyond its lower stop"},
        {"derivative: 1, min: 1", 0, "beyond its lower stop"},
        {"derivative: 1, initial: 0 m, max: 1 s", 48, "in m"},
        {"derivative: 1, max: q", 34, "no 'q'"},
        {"derivative: 1, max: t", 34, "constant"},
        {"derivative: 1, maximum: 1", 29, "unknown key"},
        {"derivative: \"1 [N]\", max: 1 m", 27, "in m/s"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nbodies: {b: {mass: 1}}\n"
                 "joints: {j: {type: prismatic, base: ground, follower: b}}\n"
                 "states: {z: {%s}}\n",
                 cases[k].item);
        detent_error error;
        detent_mechanism *m = NULL;
        const detent_status status =
            detent_mechanism_parse(text, strlen(text), "x.yaml", NULL, &m, &error);
        if (status != DETENT_ERROR_MODEL) {
            fail_msg("accepted:\n%s", text);
        }
        if (error.line != 5 || (cases[k].column && error.column != cases[k].column) ||
            !strstr(error.message, cases[k].words)) {
            fail_msg("%d:%d: %s\n%s", (int)error.line, (int)error.column, error.message, text);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_is_integrated_between_stops),
        cmocka_unit_test(a_state_is_at_its_stop_to_the_last_bit),
        cmocka_unit_test(an_integral_saturates),
        cmocka_unit_test(a_drive_saturates),
        cmocka_unit_test(a_state_at_its_stop_costs_nothing),
        cmocka_unit_test(a_state_at_its_stop_changes_no_step),
        cmocka_unit_test(saved_runs_keep_their_stops),
        cmocka_unit_test(a_program_gives_stops),
        cmocka_unit_test(bad_stops_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
