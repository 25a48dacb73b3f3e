/*
 * Where branches of loops meet, or nearly do: kinematics goes straight on, whatever the steps of the caller are; gaps are not jumped over;
 * at a singular position nothing is told. By formulas.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 32 };
static const double pi = 3.14159265358979323846;

/* ---- mechanisms ---- */

/* Cranks of 0.5 m, 1 m apart; the coupler is longer by `gap`. `first`: what the first crank has. */
static detent_mechanism *parallelogram(const char *first, double gap)
{
    char text[4096];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies:\n"
             "  a: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
             "  b: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
             "  c: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
             "joints:\n"
             "  j1: {type: revolute, base: ground, follower: a, %s}\n"
             "  j2: {type: revolute, base: a, follower: b, at: {base: [0.5, 0, 0]}, initial: "
             "{position: -0.5}}\n"
             "  j3: {type: revolute, base: ground, follower: c, at: {base: [1, 0, 0]}, initial: "
             "{position: 0.5}}\n"
             "  j4: {type: revolute, base: b, follower: c, at: {base: [%.17g, 0, 0], follower: "
             "[0.5, 0, 0]}, initial: {position: 0.5}}\n",
             first, 1 + gap);
    return runs_parse(text, NULL);
}

/* Crank and rod of 0.5 m: at 90 degrees the slider is at the pivot. */
static const char equal[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {q0: 0.5, v0: 0}\n"
    "bodies:\n"
    "  crank: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
    "  rod: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
    "  s: {mass: 0.5, inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: q0, velocity: "
    "v0, "
    "priority: exact}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.5, 0, 0]}, initial: "
    "{position: -2*q0}}\n"
    "  slide: {type: prismatic, base: ground, follower: s, axis: [1, 0, 0], initial: {position: "
    "cos(q0)}}\n"
    "  wrist: {type: revolute, base: rod, follower: s, at: {base: [0.5, 0, 0]}, initial: "
    "{position: q0}}\n";

typedef struct bench {
    detent_mechanism *m;
    detent_analysis *analysis;
    double q[MOST], v[MOST], a[MOST];
} bench;

static bench begin(detent_mechanism *m)
{
    bench b = {.m = m};
    detent_error error;
    runs_must(detent_analysis_create(m, NULL, &b.analysis, &error), &error);
    return b;
}

static void end(bench *b)
{
    detent_analysis_destroy(b->analysis);
    detent_mechanism_destroy(b->m);
}

static detent_primitive_info joint(const bench *b, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_get_primitive(b->m, (size_t)detent_find(b->m, DETENT_PRIMITIVE, name), &p);
    return p;
}

static detent_status drive(bench *b, const char *name, double position, detent_error *error)
{
    const detent_drive d = {.size = sizeof d,
                            .primitive = (size_t)detent_find(b->m, DETENT_PRIMITIVE, name),
                            .position = position,
                            .velocity = 1};
    return detent_kinematics(b->analysis, 0, &d, b->q, b->v, b->a, error);
}

static double position(const bench *b, const char *name)
{
    return b->q[joint(b, name).first_coordinate];
}

static double velocity(const bench *b, const char *name)
{
    return b->v[joint(b, name).first_freedom];
}

/* ---- straight on ---- */

static void is_parallelogram(const bench *b, double angle)
{
    runs_near("other crank", position(b, "j3"), angle, 1e-9);
    runs_near("coupler", position(b, "j2"), -angle, 1e-9);
    runs_near("other crank's velocity", velocity(b, "j3"), 1, 1e-6);
}

/* Six times through flat positions, by steps of all lengths. */
static void test_parallelogram(void **state)
{
    (void)state;
    static const double steps[] = {0.001, 0.05, 0.13, 0.5, 2, 7, 19};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        detent_error error;
        bench timed = begin(parallelogram("motion: '0.5 + 1 [rad/s]*t'", 0)),
              driven = begin(parallelogram("initial: {position: 0.5}", 0));
        for (int n = 0; n * steps[k] < 19.1; n++) {
            const double t = n * steps[k];
            runs_must(detent_kinematics(timed.analysis, t, NULL, timed.q, timed.v, timed.a, &error),
                      &error);
            is_parallelogram(&timed, 0.5 + t);
            runs_must(drive(&driven, "j1", 0.5 + t, &error), &error);
            is_parallelogram(&driven, 0.5 + t);
        }
        end(&timed);
        end(&driven);
    }
}

static void test_equal_slider(void **state)
{
    (void)state;
    static const double steps[] = {0.01, 0.25, 0.7, 2};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        detent_error error;
        bench b = begin(runs_parse(equal, NULL));
        for (int n = 0; n * steps[k] < 2.01; n++) {
            const double angle = 0.5 + n * steps[k];
            runs_must(drive(&b, "pivot", angle, &error), &error);
            runs_near("slider", position(&b, "slide"), cos(angle), 1e-9);
            runs_near("its velocity", velocity(&b, "slide"), -sin(angle), 1e-6);
        }
        end(&b);
    }
}

/* What inverse dynamics of a table does: one joint is given, the others are where they were. */
static void test_given(void **state)
{
    (void)state;
    detent_error error;
    bench b = begin(parallelogram("initial: {position: 0.5}", 0));
    const detent_primitive_info first = joint(&b, "j1");
    bool given[MOST] = {false};
    given[first.first_freedom] = true;
    for (int n = 0; n <= 40; n++) {
        runs_must(detent_analysis_get_state(b.analysis, NULL, b.q, NULL, &error), &error);
        b.q[first.first_coordinate] = 0.5 + 0.1 * n;
        b.v[first.first_freedom] = 1;
        runs_must(detent_analysis_set_state(b.analysis, 0, b.q, b.v, given, &error), &error);
        runs_must(detent_analysis_get_state(b.analysis, NULL, b.q, b.v, &error), &error);
        is_parallelogram(&b, 0.5 + 0.1 * n);
    }
    end(&b);
}

/* A table that has columns of both cranks: one tells where it goes, the other one has to agree. */
static void test_more_than_free(void **state)
{
    (void)state;
    static const double off[] = {0, 3e-8, -1e-3};
    detent_error error;
    bench b = begin(parallelogram("initial: {position: 0.5}", 0));
    const detent_primitive_info one = joint(&b, "j1"), other = joint(&b, "j3");
    bool given[MOST] = {false};
    given[one.first_freedom] = given[other.first_freedom] = true;
    for (int n = 0; n <= 40; n++) {
        const double angle = 0.5 + 0.1 * n, wrong = off[n % 3];
        runs_must(detent_analysis_get_state(b.analysis, NULL, b.q, NULL, &error), &error);
        b.q[one.first_coordinate] = angle;
        b.q[other.first_coordinate] = angle + wrong;
        b.v[one.first_freedom] = b.v[other.first_freedom] = 1;
        const detent_status status =
            detent_analysis_set_state(b.analysis, 0, b.q, b.v, given, &error);
        if (n % 3 == 2) {
            assert_int_equal(status, DETENT_ERROR_ARGUMENT);
            assert_non_null(strstr(error.message, "does not agree: the position of 'j"));
            runs_must(detent_analysis_get_state(b.analysis, NULL, b.q, b.v, &error), &error);
            assert_true(fabs(b.q[one.first_coordinate] - (angle - 0.1)) < 1e-7);
            continue;
        }
        runs_must(status, &error);
        runs_must(detent_analysis_get_state(b.analysis, NULL, b.q, b.v, &error), &error);
        assert_true(fabs(b.q[one.first_coordinate] - angle) <= fabs(wrong) + 1e-12);
        is_parallelogram(&b, b.q[one.first_coordinate]);
    }
    /* nor may velocities contradict each other */
    b.v[one.first_freedom] = 1;
    b.v[other.first_freedom] = 1.001;
    assert_int_equal(detent_analysis_set_state(b.analysis, 0, b.q, b.v, given, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "does not agree: the velocity of 'j"));
    end(&b);
}

/* Two of them on one crank: both determinants change their sign at once, and their product does not. */
static void test_two_at_once(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "  b: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "  c: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "  d: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "  e: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "joints:\n"
        "  j1: {type: revolute, base: ground, follower: a, initial: {position: 0.5}}\n"
        "  j2: {type: revolute, base: a, follower: b, at: {base: [0.5, 0, 0]}, initial: "
        "{position: -0.5}}\n"
        "  j3: {type: revolute, base: ground, follower: c, at: {base: [1, 0, 0]}, initial: "
        "{position: 0.5}}\n"
        "  j4: {type: revolute, base: b, follower: c, at: {base: [%.17g, 0, 0], follower: "
        "[0.5, 0, 0]}, initial: {position: 0.5}}\n"
        "  j5: {type: revolute, base: a, follower: d, at: {base: [0.5, 0, 0]}, initial: "
        "{position: -0.5}}\n"
        "  j6: {type: revolute, base: ground, follower: e, at: {base: [2, 0, 0]}, initial: "
        "{position: 0.5}}\n"
        "  j7: {type: revolute, base: d, follower: e, at: {base: [2, 0, 0], follower: "
        "[0.5, 0, 0]}, initial: {position: 0.5}}\n";
    for (int k = 0; k < 2; k++) {
        char own[4096];
        detent_error error;
        snprintf(own, sizeof own, text, k == 0 ? 1 : 1.0001);
        bench b = begin(runs_parse(own, NULL));
        const detent_status status = drive(&b, "j1", -0.5, &error);
        if (k == 0) {
            runs_must(status, &error);
            is_parallelogram(&b, -0.5);
            runs_near("second one", position(&b, "j6"), -0.5, 1e-9);
        } else { /* one of them does not let it */
            assert_int_equal(status, DETENT_ERROR_ARGUMENT);
        }
        end(&b);
    }
}

/* ---- gaps ---- */

/*
 * A coupler that is longer by a gap: the crank does not reach 0, and beyond pi the other crank turns back. The angle of the other crank by
 * the cosine law; the branches are mirror images.
 */
static double rocker(double gap, double angle)
{
    const double x = 1 - 0.5 * cos(angle), y = -0.5 * sin(angle), d = hypot(x, y), l = 1 + gap;
    return atan2(-y, -x) - acos((d * d + 0.25 - l * l) / d);
}

static void test_gaps(void **state)
{
    (void)state;
    static const double gaps[] = {1e-2, 1e-5, 1e-8, 1e-10};
    for (size_t k = 0; k < sizeof gaps / sizeof *gaps; k++) {
        detent_error error;
        bench b = begin(parallelogram("initial: {position: 0.5}", gaps[k]));
        /* not through 0 */
        assert_int_equal(drive(&b, "j1", -0.5, &error), DETENT_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, gaps[k] > 1e-9 ? "dead centre" : "nearly so"));
        /* beyond pi: with one step, as with many */
        runs_must(drive(&b, "j1", 5, &error), &error);
        runs_near("turned", remainder(position(&b, "j3") - rocker(gaps[k], 5), 2 * pi), 0, 1e-8);
        end(&b);
    }
}

/* ---- singular positions ---- */

static void test_singular(void **state)
{
    (void)state;
    detent_error error;
    bench b = begin(runs_parse(equal, NULL));
    assert_int_equal(drive(&b, "pivot", pi / 2, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "branches of the motion meet"));
    runs_must(drive(&b, "pivot", 2, &error), &error);
    runs_near("slider", position(&b, "slide"), cos(2), 1e-9);
    /* the slider's dead centre, where it moves the crank */
    runs_must(drive(&b, "pivot", 0.5, &error), &error);
    assert_true(drive(&b, "slide", 1, &error) != DETENT_OK);
    assert_non_null(strstr(error.message, "dead centre"));
    end(&b);
}

/* A slider cannot hold its crank where it stands at its dead centre. */
static void test_inverse(void **state)
{
    (void)state;
    static const char *const at[] = {"q0=0", NULL};
    detent_error error;
    bench b = begin(runs_parse(equal, at));
    double low[MOST], high[MOST];
    bool driven[MOST] = {false};
    driven[joint(&b, "slide").first_freedom] = true;
    assert_int_equal(detent_inverse(b.analysis, b.a, driven, low, high, &error),
                     DETENT_ERROR_NUMERIC);
    assert_non_null(strstr(error.message, "singular position"));
    end(&b);
}

/* Where branches meet two velocities close the loop to first order, of which each branch has one. */
static void test_assembly(void **state)
{
    (void)state;
    static const char *const at[] = {"q0=1.5707963267948966", "v0=2", NULL},
                             *const at_rest[] = {"q0=1.5707963267948966", NULL},
                             *const beside[] = {"v0=2", NULL};
    const struct {
        const char *const *set;
        detent_status status;
    } cases[] = {{at, DETENT_ERROR_NUMERIC}, {at_rest, DETENT_OK}, {beside, DETENT_OK}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        detent_error error;
        double q[MOST], v[MOST];
        detent_mechanism *m = runs_parse(equal, cases[k].set);
        assert_int_equal(detent_assemble(m, NULL, q, v, NULL, &error), cases[k].status);
        if (cases[k].status) {
            assert_non_null(strstr(error.message, "branches of the motion meet"));
        }
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parallelogram), cmocka_unit_test(test_equal_slider),
        cmocka_unit_test(test_given),         cmocka_unit_test(test_more_than_free),
        cmocka_unit_test(test_two_at_once),   cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_singular),      cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_assembly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
