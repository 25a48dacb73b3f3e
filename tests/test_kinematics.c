/*
 * Kinematics: a slider-crank by its formulas, runs with the same motion, differences along a joint that is driven.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 32 };

static detent_primitive_info primitive(const detent_mechanism *m, const char *name)
{
    detent_error error;
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p), &error);
    return p;
}

/* ---- the slider-crank ---- */

/* A crank of 0.3 m, a rod of 0.8 m, a slider on the x axis; the loop is closed at the slider. */
static const char crank[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  rod: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  slider: {mass: 1.5}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, %s}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
    "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
    "{position: "
    "1.1}}\n"
    "  wrist: {type: revolute, base: slider, follower: rod, closes: true, at: {follower: [0.8, 0, "
    "0]}}\n"
    "outputs: [position(slide), velocity(slide), acceleration(slide), 'position(rod, y)', "
    "force(pivot), {square: position(slide)^2 + 1*t}]\n"
    "simulation: {end: 3, interval: 0.1, rtol: 1e-10}\n";

typedef struct jet {
    double value, rate, second;
} jet;

/* x = r cos p + sqrt(l^2 - r^2 sin^2 p), with p(t). */
static jet slider_at(jet p)
{
    const double r = 0.3, l = 0.8, s = sin(p.value), c = cos(p.value);
    const double root = sqrt(l * l - r * r * s * s);
    const double slope = -r * s - r * r * s * c / root; /* dx/dp */
    const double bend = -r * c - r * r * (c * c - s * s) / root -
                        r * r * r * r * s * s * c * c / (root * root * root);
    return (jet){r * c + root, slope * p.rate, slope * p.second + bend * p.rate * p.rate};
}

/* The angle of the rod: sin = -r sin p / l. */
static jet rod_at(jet p)
{
    const double k = 0.3 / 0.8, s = sin(p.value), c = cos(p.value), root = sqrt(1 - k * k * s * s);
    const double slope = -k * c / root, bend = k * s / root - k * k * k * s * c * c / pow(root, 3);
    return (jet){asin(-k * s), slope * p.rate, slope * p.second + bend * p.rate * p.rate};
}

static void compare(const char *what, const double *q, const double *v, const double *a,
                    detent_primitive_info p, jet exact)
{
    runs_near(what, q[p.first_coordinate], exact.value, 1e-13);
    runs_near(what, v[p.first_freedom], exact.rate, 1e-12);
    runs_near(what, a[p.first_freedom], exact.second, 3e-11);
}

static void test_slider_crank(void **state)
{
    (void)state;
    detent_error error;
    char text[4096];
    double q[MOST], v[MOST], a[MOST], value;
    snprintf(text, sizeof text, crank, "motion: 5*t + 0.5*sin(3*t)");
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    /* in no order: several turns at once */
    const double times[] = {0, 0.01, 0.5, 2.9, 1.3, 0.77, 17.2, 3.1};
    for (size_t k = 0; k < sizeof times / sizeof *times; k++) {
        const double t = times[k];
        const jet p = {5 * t + 0.5 * sin(3 * t), 5 + 1.5 * cos(3 * t), -4.5 * sin(3 * t)};
        runs_must(detent_kinematics(analysis, t, NULL, q, v, a, &error), &error);
        compare("pivot", q, v, a, primitive(m, "pivot"), p);
        compare("slide", q, v, a, primitive(m, "slide"), slider_at(p));
        const jet rod = rod_at(p);
        const detent_primitive_info wrist = primitive(m, "wrist");
        runs_near("wrist", remainder(q[wrist.first_coordinate] - rod.value, 2 * acos(-1)), 0,
                  1e-12);
        runs_near("wrist", v[wrist.first_freedom], rod.rate, 1e-12);
        runs_near("wrist", a[wrist.first_freedom], rod.second, 3e-11);
        /* outputs */
        runs_must(detent_kinematics_output(analysis, 2, &value, &error), &error);
        runs_near("output", value, slider_at(p).second, 3e-11);
        runs_must(detent_kinematics_output(analysis, 3, &value, &error), &error);
        runs_near("pin's height", value, 0.3 * sin(p.value), 1e-13);
        runs_must(detent_kinematics_output(analysis, 5, &value, &error), &error);
        runs_near("square", value, pow(slider_at(p).value, 2) + t, 1e-12);
    }
    assert_int_equal(detent_kinematics_output(analysis, 4, &value, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'force(pivot)' reads forces"));
    assert_int_equal(detent_kinematics_output(analysis, 6, &value, &error), DETENT_ERROR_ARGUMENT);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* A run with the same motion comes by the same positions, velocities, accelerations; and the drive's force by inverse dynamics. */
static void test_run(void **state)
{
    (void)state;
    detent_error error;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    char text[4096];
    snprintf(text, sizeof text, crank, "motion: 2*t + 1*t^2");
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    detent_simulation *s = runs_start(m, NULL);
    detent_mechanism_get_info(m, &info);
    for (int k = 1; k < 8; k++) {
        double q[MOST], v[MOST], a[MOST], run[3][MOST], low[MOST], high[MOST];
        const double t = 0.4 * k;
        const bool driven[MOST] = {false};
        runs_advance(s, t);
        runs_must(detent_read(s, DETENT_POSITIONS, run[0], info.coordinates, &error), &error);
        runs_must(detent_read(s, DETENT_VELOCITIES, run[1], info.freedoms, &error), &error);
        runs_must(detent_read(s, DETENT_ACCELERATIONS, run[2], info.freedoms, &error), &error);
        runs_must(detent_kinematics(analysis, t, NULL, q, v, a, &error), &error);
        for (size_t j = 0; j < info.freedoms; j++) {
            runs_near("position", q[j], run[0][j], 1e-12);
            runs_near("velocity", v[j], run[1][j], 1e-11);
            runs_near("acceleration", a[j], run[2][j], 1e-9);
        }
        runs_must(detent_inverse(analysis, a, driven, low, high, &error), &error);
        const size_t pivot = primitive(m, "pivot").first_freedom;
        runs_near("drive", low[pivot], runs_output(m, s, "force(pivot)"),
                  1e-9 * (1 + fabs(low[pivot])));
    }
    runs_end(s, m);
    detent_analysis_destroy(analysis);
}

/* ---- a joint that is driven ---- */

/* Its positions with velocity 1: velocities and accelerations of the others are their first and second differences. */
static void test_driven(void **state)
{
    (void)state;
    static const char *const files[] = {"slider_crank.yaml", "lead_screw.yaml"};
    static const char *const joints[] = {"pivot", "lift"};
    static const double ways[] = {6, 0.05}, steps[] = {1e-3, 1e-4};
    for (int f = 0; f < 2; f++) {
        detent_error error;
        detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
        detent_mechanism *m = runs_load(files[f], NULL);
        detent_analysis *analysis = runs_analyse(m);
        detent_mechanism_get_info(m, &info);
        const detent_primitive_info p = primitive(m, joints[f]);
        detent_drive drive = {.size = sizeof drive,
                              .primitive = (size_t)detent_find(m, DETENT_PRIMITIVE, joints[f]),
                              .velocity = 1};
        double start[MOST];
        runs_must(detent_analysis_get_state(analysis, NULL, start, NULL, &error), &error);
        for (int k = 0; k <= 10; k++) {
            double q[3][MOST], v[MOST], a[MOST];
            const double h = steps[f], at = start[p.first_coordinate] + ways[f] * k / 10;
            for (int side = 0; side < 3; side++) {
                drive.position = at + h * (side == 2 ? 0 : 2 * side - 1);
                runs_must(detent_kinematics(analysis, 0, &drive, q[side], v, a, &error), &error);
            }
            for (size_t j = 0; j < info.freedoms; j++) {
                const double slope = (q[1][j] - q[0][j]) / (2 * h),
                             bend = (q[1][j] - 2 * q[2][j] + q[0][j]) / (h * h);
                runs_near("velocity", v[j], slope, 4e-6 * (1 + fabs(slope)));
                runs_near("acceleration", a[j], bend, 4e-6 * (1 + fabs(slope)));
            }
            assert_true(q[2][p.first_coordinate] == at && v[p.first_freedom] == 1);
        }
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/* ---- a tree ---- */

static void test_tree(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {upper: {mass: 1, inertia: [1, 1, 1]}, lower: {mass: 1, inertia: [1, 1, 1]}, "
        "hand: "
        "{mass: 1}}\n"
        "joints:\n"
        "  shoulder: {type: revolute, base: ground, follower: upper, motion: 1*t^2}\n"
        "  elbow: {type: revolute, base: upper, follower: lower, at: {base: [2, 0, 0]}, motion: "
        "'if(t < 1, 3*t, 3)'}\n"
        "  grip: {type: weld, base: lower, follower: hand, at: {base: [1, 0, 0]}}\n"
        "outputs: ['position(hand, x)']\n"
        "simulation: {end: 3}\n";
    (void)state;
    detent_error error;
    double q[2], v[2], a[2], x;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    for (int k = 0; k < 8; k++) {
        const double t = 0.3 * k, elbow = t < 1 ? 3 * t : 3;
        runs_must(detent_kinematics(analysis, t, NULL, q, v, a, &error), &error);
        runs_must(detent_kinematics_output(analysis, 0, &x, &error), &error);
        runs_near("elbow", q[1], elbow, 1e-15);
        runs_near("elbow's velocity", v[1], t < 1 ? 3 : 0, 0);
        runs_near("x", x, 2 * cos(t * t) + cos(t * t + elbow), 1e-14);
        assert_true(a[0] == 2 && a[1] == 0);
    }
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* ---- what it cannot tell ---- */

static void test_refusals(void **state)
{
    (void)state;
    detent_error error;
    char text[4096];
    double q[MOST], before[MOST];
    snprintf(text, sizeof text, crank, "initial: {position: 0.1}");
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    assert_int_equal(detent_kinematics(analysis, 0, NULL, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "motions do not decide how"));
    assert_non_null(strstr(error.message, "1 of the joints are left free"));
    detent_drive drive = {.size = sizeof drive,
                          .primitive = (size_t)detent_find(m, DETENT_PRIMITIVE, "slide"),
                          .position = 1.2};
    runs_must(detent_analysis_get_state(analysis, NULL, before, NULL, &error), &error);
    assert_int_equal(detent_kinematics(analysis, 0, &drive, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "the loops cannot be closed"));
    runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
    runs_near("as it was", q[0], before[0], 1e-12);
    drive.position = NAN;
    assert_int_equal(detent_kinematics(analysis, 0, &drive, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    drive.primitive = 99;
    assert_int_equal(detent_kinematics(analysis, 0, &drive, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_kinematics(analysis, NAN, NULL, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_kinematics(NULL, 0, NULL, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);

    snprintf(text, sizeof text, crank, "motion: 1*t");
    m = runs_parse(text, NULL);
    analysis = runs_analyse(m);
    drive = (detent_drive){.size = sizeof(detent_drive),
                           .primitive = (size_t)detent_find(m, DETENT_PRIMITIVE, "pivot")};
    assert_int_equal(detent_kinematics(analysis, 0, &drive, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'pivot' cannot be driven: it has a motion of its own"));
    /* one more than the loop leaves free */
    drive = (detent_drive){.size = sizeof(detent_drive),
                           .primitive = (size_t)detent_find(m, DETENT_PRIMITIVE, "slide"),
                           .position = 1};
    assert_int_equal(detent_kinematics(analysis, 0, &drive, q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slider_crank), cmocka_unit_test(test_run),
        cmocka_unit_test(test_driven),       cmocka_unit_test(test_tree),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
