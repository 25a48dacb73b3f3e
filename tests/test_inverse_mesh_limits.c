/*
 * Where meshes that rub end what inverse dynamics can tell: worms with a torque of their own, which rest with drives on either side of a gap, or of one
 * stretch, by the formulas of lead screws; and what is refused.
 */
#include "support_runs.h"

#include "detent/analysis.h"

static const double mu = 0.15, ratio = 30, weight = 6;

/* Shares that friction of a thread of that lead angle takes of a load: as it is driven up, and as it is driven back. */
static void shares_of(double degrees, double *driving, double *driven)
{
    const double T = tan(degrees * acos(-1) / 180);
    *driving = mu * (1 + T * T) / (T * (1 - mu * T));
    *driven = mu * (1 + T * T) / (T * (1 + mu * T));
}

/* The drive along a joint at rest, of the worm or the drum; all but these two are driven as well. */
static detent_status drive(const detent_mechanism *m, const char *joint, double *low, double *high,
                           detent_error *error)
{
    enum { MOST = 80 };
    static const double still[MOST];
    double lows[MOST], highs[MOST];
    bool driven[MOST] = {false};
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_analysis *n = runs_analyse(m);
    for (size_t i = 0; detent_get_primitive(m, i, &p) == DETENT_OK; i++) {
        driven[p.first_freedom] = strcmp(p.name, "worm") != 0 && strcmp(p.name, "drum") != 0;
    }
    detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, joint), &p);
    driven[p.first_freedom] = true;
    const detent_status status = detent_inverse(n, still, driven, lows, highs, error);
    *low = lows[p.first_freedom];
    *high = highs[p.first_freedom];
    detent_analysis_destroy(n);
    return status;
}

/*
 * A worm on which a torque acts, before a drum with a weight. At rest the worm has T + f + L = 0, and the drum D + 6 + 30 (T + f) = 0, with what friction of
 * the mesh may be on either side of L = 0:
 *
 *   L < 0:  -a |L| <= f <= b |L|       L > 0:  -b |L| <= f <= a |L|          a: driving, b: driven
 */
static detent_mechanism *make_worm(double angle, double torque)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies: {w: {mass: 1, inertia: [1, 1, 1e-4]}, d: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints:\n"
             "  worm: {type: revolute, base: ground, follower: w}\n"
             "  drum: {type: revolute, base: ground, follower: d}\n"
             "loads: {own: {body: w, torque: [0, 0, %g]}, weight: {body: d, torque: [0, 0, %g]}}\n"
             "couplings: {drive: {type: gear, joints: [worm, drum], ratio: %g, friction: "
             "{coefficient: %g, lead_angle: %g deg}}}\n",
             torque, weight, ratio, mu, angle);
    return runs_parse(text, NULL);
}

static void a_worm_that_can_be_driven_back(void **state)
{
    UNUSED(state);
    for (int side = -1; side <= 1; side += 2) {
        double a, b, low, high;
        detent_error error;
        shares_of(12, &a, &b);
        assert_true(b < 1);
        detent_mechanism *m = make_worm(12, side);
        runs_must(drive(m, "drum", &low, &high, &error), &error);
        /* with T = 1: T + f from 1 / (1 + a) to 1 / (1 - b) */
        const double one = -weight - side * ratio / (1 + a),
                     other = -weight - side * ratio / (1 - b);
        runs_near("low", low, fmin(one, other), 1e-9);
        runs_near("high", high, fmax(one, other), 1e-9);
        detent_mechanism_destroy(m);
    }
}

static void a_worm_that_locks_itself_has_a_gap(void **state)
{
    UNUSED(state);
    for (int side = -1; side <= 1; side += 2) {
        double a, b, low, high, from = NAN, to = NAN;
        detent_error error;
        shares_of(4, &a, &b);
        assert_true(b > 1);
        detent_mechanism *m = make_worm(4, side);
        assert_int_equal(drive(m, "drum", &low, &high, &error), DETENT_ERROR_SOLVER);
        assert_int_equal(sscanf(error.message,
                                "'worm' rests with a force of the drive up to %lf, or from %lf on",
                                &from, &to),
                         2);
        assert_non_null(strstr(error.message, "where the mesh of 'drive' transmits too little"));
        /* with T = 1: T + f from 1 / (1 + a) on, or up to -1 / (b - 1) */
        const double one = -weight - side * ratio / (1 + a),
                     other = -weight + side * ratio / (b - 1);
        runs_near("up to", from, fmin(one, other), 1e-6);
        runs_near("from", to, fmax(one, other), 1e-6);
        detent_mechanism_destroy(m);
    }
}

/* A law that reads the force from which the mesh is told, be it a load or an output's. */
static void readers_of_the_same_force(void **state)
{
    UNUSED(state);
    double low, high;
    detent_error error;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {w: {mass: 1, inertia: [1, 1, 1]}, d: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  worm: {type: revolute, base: ground, follower: w}\n"
        "  drum: {type: revolute, base: ground, follower: d}\n"
        "loads: {brake: {body: w, torque: [0, 0, 0.1*force(drum)]}}\n"
        "couplings: {drive: {type: gear, joints: [worm, drum], ratio: 30, friction: {efficiency: "
        "0.7}}}\n",
        NULL);
    assert_int_equal(drive(m, "worm", &low, &high, &error), DETENT_ERROR_ARGUMENT);
    assert_string_equal(error.message, "laws read the force along 'drum', from which what a mesh "
                                       "transmits is told: inverse dynamics does not tell these "
                                       "apart yet");
    detent_mechanism_destroy(m);
}

/* Blocks that stick, beside a mesh: so many joints with friction in all, that of the mesh among them. */
static detent_mechanism *make_many(int joints)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\n"
             "bodies: {w: {mass: 1, inertia: [1, 1, 1]}, d: {mass: 1, inertia: [1, 1, 1]}}\n"
             "joints:\n"
             "  worm: {type: revolute, base: ground, follower: w}\n"
             "  drum: {type: revolute, base: ground, follower: d}\n"
             "loads: {weight: {body: d, torque: [0, 0, 3]}}\n"
             "couplings: {drive: {type: gear, joints: [worm, drum], ratio: 3, friction: "
             "{efficiency: 0.8}}}\n"
             "chain:\n"
             "  count: %d\n"
             "  bodies: {block: {mass: 1}}\n"
             "  joints: {slide: {type: prismatic, base: ground, follower: \"block[i]\"}}\n"
             "  stiction: {slide: {kinetic: 1, static: 1}}\n",
             joints - 1);
    return runs_parse(text, NULL);
}

static void at_most_64_joints_that_stick(void **state)
{
    UNUSED(state);
    double low, high;
    detent_error error;
    detent_mechanism *m = make_many(64);
    runs_must(drive(m, "worm", &low, &high, &error), &error);
    /* 3 N m come back as 1 of the worm: 1 / 0.8 to drive, 2 - 1 / 0.8 to hold */
    runs_near("low", low, -1 / 0.8, 1e-9);
    runs_near("high", high, -(2 - 1 / 0.8), 1e-9);
    detent_mechanism_destroy(m);
    m = make_many(65);
    assert_int_equal(drive(m, "worm", &low, &high, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "more than 64 joints with stiction and meshes"));
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worm_that_can_be_driven_back),
        cmocka_unit_test(a_worm_that_locks_itself_has_a_gap),
        cmocka_unit_test(readers_of_the_same_force),
        cmocka_unit_test(at_most_64_joints_that_stick),
    };
    return cmocka_run_group_tests_name("limits of inverse meshes", tests, NULL, NULL);
}
