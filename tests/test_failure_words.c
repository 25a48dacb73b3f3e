/* What is said where a run cannot go on: until when it was good, whose motion gets away and by which law, what to change.
 * When it gets away is known: v' = c v^4 from v = 1 ends at t = 1 / (3 c). */
#include "api/handle.h"
#include "integrator/failure.h"
#include "support_variants.h"

/* Advances to `end`, and must fail before it. */
static detent_status fails(detent_simulation *s, double end, detent_error *error, const char *what)
{
    const detent_status status = detent_advance(s, end, false, error);
    if (status >= 0) {
        fail_msg("%s: status %d at %.17g: %s", what, status, detent_time(s), error->message);
    }
    assert_int_equal(status, error->status);
    return status;
}

static void must_say(const detent_error *error, const char *words, const char *what)
{
    if (!strstr(error->message, words)) {
        fail_msg("%s: '%s' does not say '%s'", what, error->message, words);
    }
}

static void must_not_say(const detent_error *error, const char *words, const char *what)
{
    if (strstr(error->message, words)) {
        fail_msg("%s: '%s' says '%s'", what, error->message, words);
    }
}

/* The block runs away at t = 1/30, beside an arm that turns in peace. */
static const char runaway[] =
    "detent: 1\n"
    "name: runaway\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  arm: {mass: 1, inertia: [1, 1, 1]}\n"
    "  block: {mass: 1}\n"
    "joints:\n"
    "  hinge: {type: revolute, base: ground, follower: arm, initial: "
    "{velocity: 1}}\n"
    "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0],\n"
    "          initial: {velocity: 1}%s}\n"
    "%s"
    "simulation: {end: 1}\n";

static void runs_away(const char *joint, const char *rest, const char *law)
{
    char text[2048], quoted[256];
    snprintf(text, sizeof text, runaway, joint, rest);
    snprintf(quoted, sizeof quoted, "the motion of 'slide', by its law '%s'", law);
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const char *what = variant_name(variant_at(k));
        detent_error error;
        detent_simulation *s = variant_start(m, variant_at(k));
        if (fails(s, 1, &error, what) == DETENT_ERROR_SOLVER) {
            must_say(&error, "the steps shrink to nothing", what);
            must_say(&error, quoted, what);
            must_say(&error, "make the law less abrupt", what);
        } else { /* it got as far as to overflow */
            must_say(&error, law, what);
            must_say(&error, "a law of 'slide', is not a finite number", what);
        }
        must_say(&error, "t = 0.03333", what);
        runs_near(what, detent_time(s), 1.0 / 30, 1e-6);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

static void the_law_that_runs_away_is_named(void **state)
{
    UNUSED(state);
    runs_away(", force: 10*velocity(slide)^4", "", "10*velocity(slide)^4");
    runs_away("", "loads: {push: {body: block, force: [\"10*velocity(slide)^4\", 0, 0]}}\n",
              "10*velocity(slide)^4");
    /* of several the one that reads most */
    runs_away("",
              "stiction: {slide: {kinetic: 1 + 0*t, static: 2,\n"
              "  external: 10*velocity(slide)^4 + 1 + 0.001*position(slide)}}\n",
              "10*velocity(slide)^4 + 1 + 0.001*position(slide)");
}

/* A rider without a law of his own is thrown about by the cart: he is named, and no law. */
static void who_moves_by_no_law_is_named_alone(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {cart: {mass: 1}, rider: {mass: 1e-9}}\n"
        "joints:\n"
        "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0],\n"
        "          initial: {velocity: 1}, force: 10*velocity(slide)^4}\n"
        "  rider: {type: prismatic, base: cart, follower: rider, axis: [1, 0, 0]}\n"
        "simulation: {end: 1}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const char *what = variant_name(variant_at(k));
        detent_error error;
        detent_simulation *s = variant_start(m, variant_at(k));
        fails(s, 1, &error, what);
        must_say(&error, "the motion of 'rider'; ", what);
        must_not_say(&error, "by its law", what);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* A law that is no number from 0.5 s on; `owner` has it. */
static void has_no_number(const char *joint, const char *rest, const char *law, const char *owner)
{
    char text[2048], quoted[256];
    snprintf(text, sizeof text, runaway, joint, rest);
    snprintf(quoted, sizeof quoted, "'%s', a law of '%s', is not a finite number", law, owner);
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const char *what = variant_name(variant_at(k));
        detent_error error;
        detent_simulation *s = variant_start(m, variant_at(k));
        assert_int_equal(fails(s, 1, &error, rest), DETENT_ERROR_NUMERIC);
        must_say(&error, quoted, what);
        must_say(&error, "with max, clamp or if", what);
        runs_near(what, detent_time(s), 0.5, 1e-6);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

static void the_owner_of_a_law_without_a_number_is_named(void **state)
{
    UNUSED(state);
    static const char law[] = "sqrt(0.5 - t)";
    has_no_number(", force: sqrt(0.5 - t)", "", law, "slide");
    has_no_number("", "loads: {l: {body: block, force: [0, 0, sqrt(0.5 - t)]}}\n", law, "slide");
    has_no_number("", "loads: {l: {body: arm, torque: [0, 0, sqrt(0.5 - t)]}}\n", law, "hinge");
    has_no_number("", "stiction: {hinge: {kinetic: sqrt(0.5 - t), static: 9}}\n", law, "hinge");
    has_no_number("", "stiction: {hinge: {kinetic: 0.1, static: 9, external: sqrt(0.5 - t)}}\n",
                  law, "hinge");
}

/* Gravity is nobody's but the mechanism's. */
static void gravity_without_a_number(void **state)
{
    UNUSED(state);
    static const char text[] = "detent: 1\n"
                               "name: pendulum of Foucault\n"
                               "gravity: [0, -9.81*sqrt(0.5 - t), 0]\n"
                               "bodies: {bob: {mass: 1, center_of_mass: [1, 0, 0]}}\n"
                               "joints: {pivot: {type: revolute, base: ground, follower: bob}}\n"
                               "simulation: {end: 1}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const char *what = variant_name(variant_at(k));
        detent_error error;
        detent_simulation *s = variant_start(m, variant_at(k));
        assert_int_equal(fails(s, 1, &error, what), DETENT_ERROR_NUMERIC);
        must_say(&error, "'-9.81*sqrt(0.5 - t)', a law of 'pendulum of Foucault'", what);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* ---- laws in C that are not what they say ---- */

typedef struct liar {
    double after; /* s: until then he is honest */
    double slope; /* what he says it is; 0: the truth */
    double noise; /* times what is added, another number from one double to the next */
} liar;

static int lie(void *user, const double *arguments, double *value, double *derivatives)
{
    liar *l = user;
    const bool lies = arguments[0] > l->after;
    derivatives[0] = 0;
    derivatives[1] = lies && l->slope != 0 ? l->slope : -1;
    *value = 2 - arguments[1] + (lies ? l->noise * cos(1e20 * arguments[0]) : 0);
    return 0;
}

static detent_mechanism *build(liar *l)
{
    detent_error error;
    detent_mechanism *m = NULL;
    detent_body_def body = DETENT_INIT(detent_body_def);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    body.name = "block";
    body.mass = 1;
    joint.name = stiction.primitive = "slide";
    joint.type = "prismatic";
    joint.follower = "block";
    stiction.kinetic = stiction.static_limit = "0.1";
    stiction.external = "lie(t, velocity(slide))";
    detent_function_def function = DETENT_INIT(detent_function_def);
    function.name = "lie";
    function.argument_count = 2;
    function.function = lie;
    function.user = l;
    runs_must(detent_mechanism_create("liar", NULL, &m, &error), &error);
    runs_must(detent_add_function(m, &function, &error), &error);
    runs_must(detent_add_body(m, &body, &error), &error);
    runs_must(detent_add_joint(m, &joint, &error), &error);
    runs_must(detent_add_stiction(m, &stiction, &error), &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    return m;
}

static detent_simulation *start(const detent_mechanism *m, detent_integrator integrator)
{
    const variant v = {.integrator = integrator};
    return variant_start(m, v);
}

/* With the true slope v = 1.9 (1 - exp(-t)). Without a number for it the function has no value, by whatever integrator. */
static void a_gradient_without_a_number(void **state)
{
    UNUSED(state);
    detent_error error;
    for (int k = 0; k < 3; k++) {
        liar l = {.after = k == 0 ? INFINITY : 0.5, .slope = (double)NAN};
        detent_mechanism *m = build(&l);
        detent_simulation *s = start(m, k == 2 ? DETENT_INTEGRATOR_IDA : DETENT_INTEGRATOR_ERK);
        if (k < 1) {
            double v;
            runs_must(detent_advance(s, 1, false, &error), &error);
            runs_must(detent_read(s, DETENT_VELOCITIES, &v, 1, &error), &error);
            runs_near("velocity", v, 1.9 * (1 - exp(-1)), 1e-6);
        } else {
            assert_int_equal(fails(s, 1, &error, "no gradient"), DETENT_ERROR_FUNCTION);
            must_say(&error,
                     "the derivative of the function 'lie' with respect to argument 2 is not a "
                     "finite number, in 'lie(t, velocity(slide))', a law of 'slide'",
                     "no gradient");
            runs_near("good until", detent_time(s), 0.5, 1e-6);
        }
        detent_simulation_destroy(s);
        detent_mechanism_destroy(m);
    }
}

/* A law that is another one at each instant: no step is short enough. */
static void a_law_of_noise(void **state)
{
    UNUSED(state);
    static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK};
    for (int k = 0; k < 2; k++) {
        detent_error error;
        liar l = {.after = 0.3, .noise = 1e12};
        detent_mechanism *m = build(&l);
        detent_simulation *s = start(m, integrators[k]);
        assert_int_equal(fails(s, 1, &error, "noise"), DETENT_ERROR_SOLVER);
        must_say(&error, "after t = 0.3 s the steps shrink to nothing", "noise");
        must_say(&error, "the motion of 'slide', by its law", "noise");
        runs_near("good until", detent_time(s), 0.3, 1e-6);
        detent_simulation_destroy(s);
        detent_mechanism_destroy(m);
    }
}

/* What each reason of an integrator becomes, told of a run in good health; who moves fastest, and by which of its laws, is known in any case. */
static void reasons_in_words(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {block: {mass: 1}, other: {mass: 1}}\n"
        "joints:\n"
        "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
        "  rest: {type: prismatic, base: ground, follower: other, axis: [1, 0, 0]}\n"
        "stiction:\n"
        "  slide: {kinetic: \"0.1 + 0.01*t/1 [s]\", static: 0.2, external: \"5 + 3*sin(t/1 "
        "[s])*exp(-position(slide)/1 "
        "[m])\"}\n"
        "  rest: {kinetic: 1, static: 2}\n"
        "loads: {push: {body: block, force: [\"sin(t/1 [s])\", 0, 0]}}\n"
        "simulation: {end: 1}\n";
    static const struct {
        dt_failure why;
        detent_status status;
        const char *reason, *advice;
    } cases[] = {
        {DT_FAILURE_MEMORY, DETENT_ERROR_MEMORY, "out of memory for the integrator", ""},
        {DT_FAILURE_ACCURACY, DETENT_ERROR_SOLVER, "below what the arithmetic can give",
         "choose larger ones than rtol = 1e-07"},
        {DT_FAILURE_FORCE, DETENT_ERROR_SOLVER, "a force cannot be evaluated",
         "keep laws inside their domain"},
        {DT_FAILURE_ROOT, DETENT_ERROR_SOLVER, "a limit, test or switch cannot be evaluated",
         "keep laws inside their domain"},
        {DT_FAILURE_ERROR_TEST, DETENT_ERROR_SOLVER, "its error stays above the tolerance",
         "or choose larger tolerances"},
        {DT_FAILURE_NEWTON, DETENT_ERROR_SOLVER, "Newton's iteration does not converge",
         "or try 'integrator: erk'"},
        {DT_FAILURE_STALL, DETENT_ERROR_SOLVER, "it hardly gets on", "or choose larger tolerances"},
    };
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        detent_error error = {.message = ""};
        detent_simulation *s = variant_start(m, variant_at(0));
        variant_advance(s, variant_at(0), 0.5);
        assert_int_equal(dt_report_failure(s->core, cases[k].why, &error), cases[k].status);
        must_say(&error, cases[k].reason, cases[k].reason);
        must_say(&error, cases[k].advice, cases[k].reason);
        if (k > 1) {
            must_say(&error, "fastest of all changes the motion of 'slide', by its law '5 + 3*sin",
                     cases[k].reason);
        }
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_law_that_runs_away_is_named),
        cmocka_unit_test(who_moves_by_no_law_is_named_alone),
        cmocka_unit_test(the_owner_of_a_law_without_a_number_is_named),
        cmocka_unit_test(gravity_without_a_number),
        cmocka_unit_test(a_gradient_without_a_number),
        cmocka_unit_test(a_law_of_noise),
        cmocka_unit_test(reasons_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
