/* After a failure, the readings are those of the last good time: finite, the same as those of a run that was to end there,
 * and they stay so when the call is repeated. Laws in C fail at will: in any evaluation, for once or for good. */
#include "support_variants.h"

/* A law that is not a number after `after`, or in its `call`-th evaluation alone. */
typedef struct trap {
    double after; /* s */
    size_t call, calls;
    double value; /* what it is instead */
    int returned; /* what it says of that */
} trap;

static int law(void *user, const double *arguments, double *value, double *derivatives)
{
    trap *t = user;
    const bool bad = arguments[0] > t->after || ++t->calls == t->call;
    *value = bad ? t->value : 2 * sin(3 * arguments[0]);
    derivatives[0] = 6 * cos(3 * arguments[0]);
    return bad ? t->returned : 0;
}

/* A block that a law pushes, and an arm behind a locked joint. */
static detent_mechanism *build(trap *t)
{
    detent_error error;
    detent_mechanism *m = NULL;
    const char *const gravity[3] = {"0", "-9.81", "0"};
    runs_must(detent_mechanism_create("trap", NULL, &m, &error), &error);
    runs_must(detent_set_gravity_law(m, gravity, &error), &error);
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.center_of_mass[0] = 0.3;
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    const char *const bodies[] = {"cart", "arm", "hand"};
    const char *const joints[] = {"slide", "hinge", "grip"};
    for (int k = 0; k < 3; k++) {
        body.name = bodies[k];
        runs_must(detent_add_body(m, &body, &error), &error);
        joint.name = joints[k];
        joint.type = k == 0 ? "prismatic" : "revolute";
        joint.base = k == 0 ? "ground" : bodies[k - 1];
        joint.follower = bodies[k];
        joint_pin.axis[0] = k == 0;
        joint_pin.axis[2] = k != 0;
        runs_must(detent_add_joint(m, &joint, &error), &error);
        detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
        stiction.primitive = joints[k];
        stiction.kinetic = k == 2 ? "100" : "0.5";
        stiction.static_limit = k == 2 ? "100" : "0.6";
        if (k == 0) {
            detent_function_def function = DETENT_INIT(detent_function_def);
            function.name = "law";
            function.argument_count = 1;
            function.function = law;
            function.user = t;
            runs_must(detent_add_function(m, &function, &error), &error);
        }
        stiction.external = k == 0 ? "law(t)" : NULL;
        runs_must(detent_add_stiction(m, &stiction, &error), &error);
    }
    runs_must(detent_add_output(m, "reaction_force(hinge)", &error), &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    return m;
}

enum { MOST_READ = 64 };

typedef struct reading {
    size_t count;
    double value[MOST_READ];
} reading;

/* All there is to read; every number is finite. */
static reading read_all(const detent_mechanism *m, detent_simulation *s, const char *what)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    reading r = {0};
    detent_mechanism_get_info(m, &info);
    const struct {
        detent_quantity quantity;
        size_t count;
    } all[] = {{DETENT_POSITIONS, info.coordinates},  {DETENT_VELOCITIES, info.freedoms},
               {DETENT_ACCELERATIONS, info.freedoms}, {DETENT_FORCES, info.freedoms},
               {DETENT_FRICTIONS, info.stictions},    {DETENT_MARGINS, info.stictions},
               {DETENT_MODES, info.stictions},        {DETENT_OUTPUTS, info.outputs}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (detent_read(s, all[i].quantity, r.value + r.count, all[i].count, &error)) {
            fail_msg("%s: quantity %zu at %.17g: %s", what, i, detent_time(s), error.message);
        }
        r.count += all[i].count;
    }
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(s, &statistics);
    r.value[r.count++] = statistics.kinetic_energy;
    r.value[r.count++] = statistics.friction_work;
    r.value[r.count++] = statistics.actuation_work;
    for (size_t k = 0; k < r.count; k++) {
        if (!isfinite(r.value[k])) {
            fail_msg("%s: number %zu read at t = %.17g is %g", what, k, detent_time(s), r.value[k]);
        }
    }
    return r;
}

/* Advances without the watch that every other test keeps: it would read when the law is bad. */
detent_status __real_detent_simulation_create(const detent_mechanism *m,
                                              const detent_simulation_options *options,
                                              detent_simulation **s, detent_error *error);
detent_status __real_detent_advance(detent_simulation *s, double t, bool stop_at_events,
                                    detent_error *error);
void __real_detent_simulation_destroy(detent_simulation *s);

/* Runs until the law fails, and reads; `count` 0 where it never did. */
static reading run_into(trap t, variant v, double *time, const char *what)
{
    detent_error error;
    reading first = {0};
    detent_mechanism *m = build(&t);
    const detent_settings settings = variant_settings(m, v);
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_simulation *s = NULL;
    detent_status status = __real_detent_simulation_create(m, &options, &s, &error);
    if (status != DETENT_OK) {
        assert_null(s);
        detent_mechanism_destroy(m);
        return first;
    }
    status = __real_detent_advance(s, 2, false, &error);
    const size_t call = t.call;
    if (call > 0 && t.returned < 0 && t.calls >= call) {
        assert_int_equal(status, DETENT_ERROR_FUNCTION);
        assert_int_equal(t.calls, call); /* and never again */
    }
    t.call = 0; /* readers find it well */
    *time = detent_time(s);
    if (status != DETENT_OK) {
        assert_true(status < 0 && error.message[0]);
        if (status != DETENT_ERROR_FUNCTION || !strstr(error.message, "function 'law'") ||
            !strstr(error.message, "'law(t)', a law of 'slide'")) {
            fail_msg("%s: %s", what, error.message);
        }
        first = read_all(m, s, what);
        const detent_status again = __real_detent_advance(s, 2, false, &error);
        const reading second = read_all(m, s, what);
        if (again != DETENT_OK && detent_time(s) == *time) { /* nothing that is good is lost */
            assert_memory_equal(&first, &second, sizeof first);
        }
    } else if (call > 0) {
        read_all(m, s, what);
    }
    __real_detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    return first;
}

/* What was read is what a run ends with that is to end there, and hardly before the law does: `least` of the time. */
static void compare(variant v, const reading *r, double time, double end, double least,
                    const char *what)
{
    trap never = {.after = INFINITY};
    detent_mechanism *m = build(&never);
    const detent_settings settings = variant_settings(m, v);
    detent_simulation *s = runs_start(m, &settings);
    runs_advance(s, time);
    const reading whole = read_all(m, s, what);
    assert_int_equal(r->count, whole.count);
    for (size_t k = 0; k < r->count; k++) {
        if (!(fabs(r->value[k] - whole.value[k]) <= 1e-4 * (1 + fabs(whole.value[k])))) {
            fail_msg("%s: number %zu read at t = %.17g is %.9g, not %.9g", what, k, time,
                     r->value[k], whole.value[k]);
        }
    }
    runs_end(s, m);
    if (!(time <= end * (1 + 1e-9) && time >= least * end)) {
        fail_msg("%s: good until %.17g", what, time);
    }
}

static void laws_that_end(void **state)
{
    UNUSED(state);
    static const struct {
        double value;
        int returned;
    } ways[] = {{NAN, 0}, {INFINITY, 0}, {-INFINITY, 0}, {1, 7}, {1, -7}};
    static const double ends[] = {0, 1e-9, 0.31, 1.2345};
    size_t failures = 0, variants = 0;
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        variants++;
        for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
            for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
                char what[128];
                const variant v = variant_at(n);
                const trap t = {
                    .after = ends[e], .value = ways[k].value, .returned = ways[k].returned};
                double time = NAN;
                snprintf(what, sizeof what, "%s, %g and %d after %g s", variant_name(v), t.value,
                         t.returned, ends[e]);
                const reading r = run_into(t, v, &time, what);
                failures += r.count > 0;
                if (r.count > 0) {
                    compare(v, &r, time, ends[e], t.returned < 0 ? 0 : 0.99, what);
                }
            }
        }
    }
    assert_true(failures > 14 * variants);
}

static void laws_that_fail_once(void **state)
{
    UNUSED(state);
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        for (size_t call = 1; call < 400; call += call < 60 ? 1 : 17) {
            char what[128];
            const variant v = variant_at(n);
            double time = NAN;
            for (int returned = call % 3 == 0 ? -1 : (int)(call % 2); returned < 2; returned += 2) {
                const trap t = {
                    .after = INFINITY, .call = call, .value = NAN, .returned = returned};
                snprintf(what, sizeof what, "%s, evaluation %zu returns %d", variant_name(v), call,
                         returned);
                run_into(t, v, &time, what);
            }
        }
    }
}

/* Friction that follows the torque it causes: the two solutions that it has meet at t = 1.03506, and then there is none. */
static const char coming_to_an_end[] =
    "detent: 1\n"
    "gravity: [-3.38, 0, -0.734]\n"
    "bodies:\n"
    "  b0: {mass: 1.11, center_of_mass: [0.267, -0.0529, -0.0805], inertia: [0.0122, 0.00901, "
    "0.00622]}\n"
    "joints:\n"
    "  j0: {type: six-dof, base: ground, follower: b0, at: {base: {point: [0.173, 0.221, -0.425], "
    "rotation: {rpy: [0, 0.636, 0]}}, follower: [-0.243, 0, 0]}, primitives: {p1: {initial: "
    "{position: -0.0521, velocity: -1.4}}, p2: {initial: {position: 0, velocity: -0.669}, spring: "
    "{stiffness: 4.03, rest: -0.255}}, p3: {initial: {position: 0, velocity: -2.99}, damping: "
    "0.0119}, s1: {initial: {velocity: [1.77, 1.67, -1.24]}}}}\n"
    "stiction:\n"
    "  j0.p1: {velocity_threshold: 0.000161, kinetic: \"3.23\", static: \"1.41*(3.23)\", external: "
    "\"-2.19*sin(2.18*t)\"}\n"
    "  j0.p2: {velocity_threshold: 0.644, kinetic: \"0.223*reaction_torque(j0.p2)\", static: "
    "\"3.43*(0.223*reaction_torque(j0.p2))\", external: \"6.53\"}\n"
    "  j0.p3: {velocity_threshold: 3.14e-05, kinetic: \"0\", static: \"1.67*(0)\", external: "
    "\"0.682*cos(2*position(j0.p3))\"}\n"
    "loads:\n"
    "  l0: {body: b0, at: [0, 0, 0.159], force: [0, \"5.7*exp(-10.5*t)\", \"1.87*sin(1.52*t + "
    "0.594)\"]}\n"
    "simulation: {end: 1.63, rtol: 1e-07}\n";

static void no_accelerations_is_an_outcome(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(coming_to_an_end, NULL);
    for (int integrator = 0; integrator < 3; integrator++) {
        detent_settings settings = runs_settings(m, 0, 0);
        detent_error error;
        detent_status status;
        size_t count;
        settings.integrator = (detent_integrator)integrator;
        detent_simulation *s = runs_start(m, &settings);
        while ((status = detent_advance(s, settings.end, true, &error)) == DETENT_EVENT) {
        }
        assert_int_equal(status, DETENT_NO_CONSISTENT_STATE);
        assert_non_null(strstr(error.message, "no consistent state"));
        assert_non_null(strstr(error.message, "'j0.p2'"));
        assert_non_null(strstr(error.message, "0.223*reaction_torque(j0.p2)"));
        runs_near("end", detent_time(s), 1.03506, 2e-5);
        free(runs_state(m, s, &count)); /* can be read */
        assert_int_equal(detent_advance(s, settings.end, true, &error), DETENT_NO_CONSISTENT_STATE);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/*
 * Friction 1/m |torque| of a guide whose load of 1 kg stands 0.1 m off and rises with 1 m/s: F = 1/(1 - t). It grows
 * without bound towards t = 1, and the speed v = 400 + ln(1 - t) falls so slowly that no rest comes before.
 */
static const char growing_without_bound[] =
    "detent: 1\n"
    "gravity: [0, 0, -10]\n"
    "bodies:\n"
    "  sled: {mass: 0}\n"
    "  mass: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  sled: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], initial: {velocity: "
    "400}}\n"
    "  lift: {type: prismatic, base: sled, follower: mass, axis: [0, 0, 1], motion: \"1*t\"}\n"
    "stiction:\n"
    "  sled: {kinetic: \"1*reaction_torque(sled)\", static: \"2*reaction_torque(sled)\"}\n"
    "simulation: {end: 2}\n";

static void friction_without_bound_is_an_outcome(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(growing_without_bound, NULL);
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        detent_error error;
        detent_status status;
        const variant v = variant_at(n);
        const detent_settings settings = variant_settings(m, v);
        detent_simulation *s = runs_start(m, &settings);
        runs_advance(s, 0.9);
        runs_near("speed", runs_velocity(m, s, "sled"), 400 + log(0.1), 1e-5);
        while ((status = detent_advance(s, settings.end, true, &error)) == DETENT_EVENT) {
        }
        assert_int_equal(status, DETENT_NO_CONSISTENT_STATE);
        assert_non_null(strstr(error.message, "friction grows without bound"));
        assert_non_null(strstr(error.message, "'1*reaction_torque(sled)'"));
        runs_near("end", detent_time(s), 1, 1e-5);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_accelerations_is_an_outcome),
        cmocka_unit_test(friction_without_bound_is_an_outcome),
        cmocka_unit_test(laws_that_end),
        cmocka_unit_test(laws_that_fail_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
