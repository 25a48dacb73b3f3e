/*
 * A slider whose friction follows the torque that it causes itself. Its centre of mass is c beside the rail, a load
 * turns it by T(t) about one axis across the rail and by P about the other. While it moves forward, with m a = F - f,
 *
 *   f = mu sqrt((B - c f)^2 + P^2),   B(t) = c F + T(t),
 *
 * so with k = (mu c)^2 - 1 > 0 there are two frictions, f = (mu^2 c B -+ mu sqrt(B^2 - k P^2)) / k. The smaller one, which grows
 * out of no friction, is stable; both end where B falls to sqrt(k) P. B(t) is a parabola whose lowest value at t = 0.5 is just
 * above or just below that: for a moment both are close together, or none is there.
 */
#include "support_variants.h"

static const double mu = 2, arm = 1, force = 4, across = 1, speed = 20, bend = 10, lowest = 0.5,
                    end = 1;

static const char slider[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {spare: 0}\n"
    "bodies: {b: {mass: 1, center_of_mass: [0, 1, 0], inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], initial: "
    "{velocity: 20}}}\n"
    "stiction: {j: {kinetic: 2*reaction_torque(j), static: 2*reaction_torque(j), external: "
    "4}}\n"
    "loads: {l: {body: b, torque: [1, 0, \"sqrt(3) + spare + 10*(t - 0.5)^2 - 4\"]}}\n"
    "outputs: [friction(j)]\n"
    "simulation: {end: 1, rtol: 1e-8}\n";

/* A spring of no force: it answers to positions, in three coordinates, and has no part in the equations of accelerations. */
static const char spring[] = "springs: {s: {between: [{body: ground, at: [0, -3, 1]}, {body: b, "
                             "at: [0, 1, 0]}], stiffness: 0, "
                             "rest: 0}}\n";

/** The stable friction at t. */
static double friction_at(double t, double spare)
{
    const double k = mu * mu * arm * arm - 1, x = t - lowest,
                 B = sqrt(k) * across + spare + bend * x * x;
    return (mu * mu * arm * B - mu * sqrt(B * B - k * across * across)) / k;
}

/** The speed at the end: by the midpoint rule, fine enough for the bend. */
static double speed_at_end(double spare)
{
    const int pieces = 4000000;
    double sum = 0;
    for (int k = 0; k < pieces; k++) {
        sum += force - friction_at(end * (k + 0.5) / pieces, spare);
    }
    return speed + sum * end / pieces;
}

static detent_mechanism *parse(double spare, const char *more)
{
    char value[64], text[sizeof slider + sizeof spring];
    const char *set[] = {value, NULL};
    snprintf(value, sizeof value, "spare=%.17g", spare);
    snprintf(text, sizeof text, "%s%s", slider, more);
    return runs_parse(text, set);
}

/** That every variant stays on the stable solution to the end. */
static void stays(double spare, const char *more)
{
    detent_mechanism *m = parse(spare, more);
    const double expected = speed_at_end(spare), friction = friction_at(end, spare);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        variant_advance(s, v, end);
        runs_near(variant_name(v), fabs(runs_output(m, s, "friction(j)")), friction,
                  1e-9 * friction);
        runs_near(variant_name(v), runs_velocity(m, s, "j"), expected, 1e-7 * expected);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

static void a_step_does_not_leave_its_solution_where_two_are_near(void **state)
{
    UNUSED(state);
    static const double spares[] = {1e-3, 1e-5, 1e-7, 1e-9};
    for (size_t n = 0; n < sizeof spares / sizeof *spares; n++) {
        stays(spares[n], "");
    }
}

/* The implicit stepper factors other equations in between, in which more answers take part. */
static void a_solution_is_known_by_the_equations_of_accelerations_alone(void **state)
{
    UNUSED(state);
    stays(1, spring);
    stays(1e-5, spring);
}

static void no_step_goes_beyond_the_end_of_its_solution(void **state)
{
    UNUSED(state);
    static const double gaps[] = {1e-3, 1e-5, 1e-7};
    for (size_t n = 0; n < sizeof gaps / sizeof *gaps; n++) {
        detent_mechanism *m = parse(-gaps[n], "");
        const double last = lowest - sqrt(gaps[n] / bend);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            detent_error error;
            detent_status status;
            do {
                status = detent_advance(s, end, true, &error);
            } while (status == DETENT_EVENT);
            if (status != DETENT_NO_CONSISTENT_STATE || fabs(detent_time(s) - last) > 5e-6) {
                fail_msg("%s, gap %g: status %d at %.9g s, not %.9g s: %s", variant_name(v),
                         gaps[n], (int)status, detent_time(s), last, error.message);
            }
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/** A law that slides on something else does not keep a fold from being seen: the run ends there, in every variant. */
static void a_fold_is_met_while_another_body_slides(void **state)
{
    detent_mechanism *m = runs_load("../tests/ends/fold_while_another_slides.yaml", NULL);
    double first = NAN;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error = {.status = DETENT_OK};
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_simulation *sim = variant_start(m, v);
        const detent_status status = detent_advance(sim, 2, false, &error);
        detent_get_statistics(sim, &statistics);
        first = isnan(first) ? detent_time(sim) : first;
        if (status != DETENT_NO_CONSISTENT_STATE || statistics.steps > 6000 ||
            !(fabs(detent_time(sim) - first) <= 1e-7)) {
            fail_msg("%s: %s; %zu steps until %.12g s", variant_name(v), error.message,
                     statistics.steps, detent_time(sim));
        }
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/*
 * m a = -t + 2 min(a, 1) - f with m = 1, f = 0.01: either branch holds as long as 2 - t - f > 1; then the second one falls below its
 * border, and on the first one a would be above it. No event leads on, and no time passes between them.
 */
static void neither_side_of_a_border_holds(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: "
        "{velocity: 5}}}\n"
        "stiction: {x: {kinetic: 0.01, static: 0.01, external: \"-1 [N/s]*t + 2 "
        "[kg]*min(acceleration(x), 1 [m/s^2])\"}}\n"
        "simulation: {end: 2}\n";
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_error error = {.message = ""};
        const detent_status status = detent_advance(sim, 2, false, &error);
        if (status != DETENT_NO_CONSISTENT_STATE || !strstr(error.message, "border") ||
            !strstr(error.message, "min(acceleration(x)")) {
            fail_msg("%s: %s", variant_name(variant_at(k)), error.message);
        }
        runs_near("end", detent_time(sim), 0.99, 1e-5);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* Where modes end and others take over a moment later, an advance to within that moment goes as far as it is asked to. */
static void an_advance_ends_where_it_is_asked_to(void **state)
{
    (void)state;
    detent_mechanism *m = runs_load("../tests/found/solution_that_ends.yaml", NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_error error = {.message = ""};
        detent_simulation *s = variant_start(m, variant_at(k));
        double taken_over = 0;
        while (taken_over < 1.137 && detent_advance(s, 1.2, true, &error) == DETENT_EVENT) {
            taken_over = detent_time(s);
        }
        detent_simulation_destroy(s);
        assert_true(taken_over > 1.137 && taken_over < 1.138);
        s = variant_start(m, variant_at(k));
        const double asked = taken_over - 5e-11;
        while (detent_advance(s, asked, true, &error) == DETENT_EVENT) {
            assert_true(detent_time(s) <= asked);
        }
        runs_near("where it is asked to", detent_time(s), asked, 0);
        double v[16];
        runs_must(detent_read(s, DETENT_VELOCITIES, v, sizeof v / sizeof *v, &error), &error);
        runs_must(detent_read(s, DETENT_ACCELERATIONS, v, sizeof v / sizeof *v, &error), &error);
        runs_must(detent_advance(s, 1.15, false, &error), &error);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_does_not_leave_its_solution_where_two_are_near),
        cmocka_unit_test(a_solution_is_known_by_the_equations_of_accelerations_alone),
        cmocka_unit_test(no_step_goes_beyond_the_end_of_its_solution),
        cmocka_unit_test(a_fold_is_met_while_another_body_slides),
        cmocka_unit_test(neither_side_of_a_border_holds),
        cmocka_unit_test(an_advance_ends_where_it_is_asked_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
