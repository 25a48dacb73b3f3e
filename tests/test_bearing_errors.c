/* What is no bearing, from a program and from a file. */
#include "support_runs.h"

static void say(detent_mechanism *m, const char *section, const char *name, const char *text)
{
    detent_error error = {0};
    runs_must(detent_add_item(m, section, name, text, &error), &error);
}

/** What is no bearing from a program. */
static void a_program_gives_none(void **state)
{
    detent_bearing wrong[] = {
        {.coefficient = -0.1, .length = 1},
        {.coefficient = (double)NAN, .length = 1},
        {.coefficient = 0.1, .length = (double)INFINITY},
        {.coefficient = 0.1, .length = 1, .fixed_to = 2},
        {.static_coefficient = 0.1, .length = 1},
        {.coefficient = 0.1, .length = 1, .center = (double)NAN},
    };
    (void)state;
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        detent_error error = {0};
        detent_mechanism *m = NULL;
        runs_must(detent_mechanism_create("drawer", NULL, &m, &error), &error);
        say(m, "bodies", "drawer", "{mass: 2, inertia: [1, 1, 1]}");
        say(m, "joints", "slide", "{type: prismatic, base: ground, follower: drawer}");
        detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
        stiction.primitive = "slide";
        stiction.kinetic = stiction.static_limit = "1";
        wrong[n].size = sizeof wrong[n];
        stiction.bearing = &wrong[n];
        detent_status status = detent_add_stiction(m, &stiction, &error);
        status = status ? status : detent_mechanism_finish(m, &error);
        assert_int_equal(status, DETENT_ERROR_MODEL);
        assert_non_null(strstr(error.message, "bearing of 'slide'"));
        detent_mechanism_destroy(m);
    }
}

typedef struct refusal {
    const char *stiction, *says, *at; /* where the complaint is */
} refusal;

static void what_is_wrong_is_told(void **state)
{
    static const refusal refusals[] = {
        {"slide: {bearing: {coefficient: 0.1}}", "needs the 'length'", "{coeff"},
        {"slide: {bearing: {coefficient: -0.1, length: 1}}", "'coefficient'", "{coeff"},
        {"slide: {bearing: {coefficient: 0.1, length: 1, radius: 1}}", "are of joints that turn",
         "{coeff"},
        {"slide: {bearing: {coefficient: 0.1, length: 1, width: 1}}", "unknown key 'width'",
         "width"},
        {"slide: {bearing: {coefficient: 0.1, static_coefficient: 0.05, length: 1}}", "at least",
         "{coeff"},
        {"slide: {bearing: {length: 1}}", "needs 'kinetic'", "slide"},
        {"slide: {kinetic: 1, bearing: {coefficient: 0.1, length: 1}}", "needs its limits",
         "slide"},
        {"slide: {bearing: {coefficient: 0.1, length: 1 kg}}", "kg", "1 kg"},
        {"slide: {bearing: [1]}", "a mapping", "[1]"},
        {"hinge: {bearing: {coefficient: 0.1}}", "needs the 'radius'", "{coeff"},
        {"hinge: {bearing: {coefficient: 0.1, radius: 1, center: 1}}", "a 'center' is", "{coeff"},
        {"hinge: {bearing: {coefficient: 0.1, radius: 1, fixed_to: base}}",
         "'fixed_to' is of joints that slide", "{coeff"},
        {"hinge: {kinetic: bearing_force(hinge), static: 1}", "has no 'bearing'", "bearing_force"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof refusals / sizeof *refusals; n++) {
        const refusal *r = &refusals[n];
        char text[1024];
        detent_mechanism *m = NULL;
        detent_error error = {0};
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\n"
                 "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "joints: {slide: {type: prismatic, base: ground, follower: a}, hinge: {type: "
                 "revolute, base: a, follower: b}}\n"
                 "stiction: {%s}\n",
                 r->stiction);
        const int column = (int)(strstr(r->stiction, r->at) - r->stiction) + 12;
        assert_true(detent_mechanism_parse(text, strlen(text), "test.yaml", NULL, &m, &error) < 0);
        if (!strstr(error.message, r->says) || error.line != 5 || error.column != column) {
            fail_msg("%s\n%d:%d: %s", r->stiction, error.line, error.column, error.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_gives_none),
        cmocka_unit_test(what_is_wrong_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
