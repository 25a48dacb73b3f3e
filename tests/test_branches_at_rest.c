/*
 * A parallelogram that is let go, or driven, from rest in its flat position, where it may go on as a parallelogram or as an
 * antiparallelogram: what leads along one of them goes there, and is closed from the first moment on; what leads between them is no consistent state and says so. All
 * variants.
 */
#include "support_variants.h"

/* Cranks of 0.3 m, 1 m apart, with a bar on them; %s: what drives the cranks. */
static const char flat[] =
    "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  c: {mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0.15, 0, 0]}\n"
    "  r: {mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0.5, 0, 0]}\n"
    "  k: {mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0.15, 0, 0]}\n"
    "joints:\n"
    "  a: {type: revolute, %sbase: ground, follower: c}\n"
    "  b: {type: revolute, base: c, follower: r, at: {base: [0.3, 0, 0]}}\n"
    "  d: {type: revolute, %sbase: ground, follower: k, at: {base: [1, 0, 0]}}\n"
    "  e: {type: revolute, base: k, follower: r, at: {base: [0.3, 0, 0], follower: [1, 0, 0]}}\n"
    "outputs: [position(a), position(d)]\nsimulation: {end: 1, rtol: 1e-8}\n";

static detent_mechanism *parse(const char *first, const char *second, const char *more)
{
    char text[2048];
    snprintf(text, sizeof text, flat, first, second);
    strncat(text, more, sizeof text - strlen(text) - 1);
    return runs_parse(text, NULL);
}

/* The moment of inertia of both cranks together, with the bar at their ends, is 2*(0.1 + 0.15^2) + 0.3^2. */
static void test_along_a_branch(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = parse("force: 0.4, ", "force: 0.4, ", "");
        detent_simulation *sim = variant_start(m, v);
        detent_mobility mobility = DETENT_INIT(detent_mobility);
        double q[2];
        assert_int_equal(detent_get_mobility(sim, &mobility, NULL), DETENT_OK);
        assert_int_equal(mobility.mobility, 2);
        assert_true(mobility.branches_meet);
        variant_outputs(sim, v, 0.5, q, 2);
        const double turned = 0.5 * 0.8 / (2 * (0.1 + 0.15 * 0.15) + 0.3 * 0.3) * 0.25;
        variant_near(v, q[0], turned, 1e-7);
        variant_near(v, q[1], turned, 1e-7);
        detent_simulation_destroy(sim);
        detent_mechanism_destroy(m);
    }
}

/*
 * On the way out, where what the flat position left out begins to say something, both cranks are as near each other as anywhere. Followed at first order they came
 * apart by a part in 1e5 of their velocity, and were put together at a stroke where the bar was off by 1e-9 of its length.
 */
static void test_closed_on_the_way_out(void **state)
{
    (void)state;
    static const double open = 1e-14, apart = 1e-6; /* ten tolerances */
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
            "  c: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
            "  r: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
            "  k: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
            "joints:\n"
            "  a: {type: revolute, base: ground, follower: c}\n"
            "  b: {type: revolute, base: c, follower: r, at: {base: [0.227, 0, 0]}}\n"
            "  e: {type: revolute, base: r, follower: k, at: {base: [0.8100000000000002, 0, 0]}}\n"
            "  d: {type: revolute, base: ground, follower: k, at: {base: [0.8100000000000001, 0, "
            "0], "
            "follower: [-0.2270000000000001, 0, 0]}}\n"
            "outputs: [velocity(a), velocity(d), constraint_error()]\n"
            "simulation: {end: 0.1, rtol: 1e-7}\n",
            NULL);
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 1; n <= 50; n++) {
            double out[3];
            variant_outputs(sim, v, 0.002 * n, out, 3);
            assert_true(fabs(out[2]) <= open);
            assert_true(fabs(out[0] - out[1]) <= apart * fabs(out[0]));
        }
        detent_simulation_destroy(sim);
        detent_mechanism_destroy(m);
    }
}

/* Also with a joint that friction holds: the others could move at first order, but no farther. */
static void test_between_branches(void **state)
{
    (void)state;
    static const char *const drives[][3] = {
        {"", "force: 5, ", ""},
        {"force: -20, ", "", ""},
        {"motion: 't^2/1 [s^2]', ", "", ""},
        {"", "force: 5, ", "stiction: {b: {kinetic: 100, static: 100}}\n"},
        {"force: 5, ", "", "stiction: {d: {kinetic: 1, static: 1}}\n"}};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t d = 0; d < sizeof drives / sizeof drives[0]; d++) {
            detent_mechanism *m = parse(drives[d][0], drives[d][1], drives[d][2]);
            const detent_settings settings = variant_settings(m, variant_at(k));
            const detent_simulation_options options = {.size = sizeof options,
                                                       .settings = &settings};
            detent_simulation *sim = NULL;
            detent_error error = {.message = ""};
            detent_status status = detent_simulation_create(m, &options, &sim, &error);
            status = status ? status : detent_advance(sim, 0.01, false, &error);
            assert_int_equal(status, DETENT_NO_CONSISTENT_STATE);
            assert_non_null(strstr(error.message, "branches of its motion meet"));
            detent_simulation_destroy(sim);
            detent_mechanism_destroy(m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_along_a_branch),
        cmocka_unit_test(test_closed_on_the_way_out),
        cmocka_unit_test(test_between_branches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
