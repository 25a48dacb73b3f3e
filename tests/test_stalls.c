/* Runs that get on: stiff contacts that open and close within an integrator's first step, laws that jump all the time. */
#include "support_variants.h"

#include "api/handle.h"
#include "integrator/core.h"

#include <float.h>

/* A motor and a sticky load, 2 degrees of play between them: k N m/rad, and a damper, beyond it. */
static const char backlash[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {k: 5000, c: 2, half: 1 deg}\n"
    "signals:\n"
    "  gap: position(motor) - position(load)\n"
    "  twist: gap - clamp(gap, -half, half)\n"
    "  tq: k*twist + if(abs(gap) > half, c*(velocity(motor) - velocity(load)), 0)\n"
    "bodies:\n"
    "  rotor: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  wheel: {mass: 5, inertia: [0.05, 0.05, 0.05]}\n"
    "joints:\n"
    "  motor: {type: revolute, base: ground, follower: rotor}\n"
    "  load: {type: revolute, base: ground, follower: wheel}\n"
    "stiction:\n"
    "  motor: {velocity_threshold: 1e-4, kinetic: 0.05, static: 0.08, external: \"sin(2*t) - "
    "tq\"}\n"
    "  load: {velocity_threshold: 1e-4, kinetic: 0.4, static: 0.6, external: tq}\n"
    "simulation: {end: 1}\n";

/* Where it is at the end, for every stiffness and in every variant: micro bounces are no storm. */
static void stiff_contact_is_no_storm(void **test)
{
    UNUSED(test);
    static const char *const stiffness[] = {"k=1e6", "k=5e6", "k=1e8"};
    for (size_t s = 0; s < sizeof stiffness / sizeof *stiffness; s++) {
        detent_mechanism *m = runs_parse(backlash, (const char *const[]){stiffness[s], NULL});
        double first = NAN;
        for (size_t k = 0; k < VARIANTS; k++) {
            detent_simulation *sim = variant_start(m, variant_at(k));
            variant_advance(sim, variant_at(k), 1);
            const double load = runs_position(m, sim, "load");
            first = k == 0 ? load : first;
            runs_near(variant_name(variant_at(k)), load, first, 1e-4);
            detent_simulation_destroy(sim);
        }
        detent_mechanism_destroy(m);
    }
}

/* A coordinate that grows without end does not loosen its tolerance: what the error test allows at a million turns is what
 * it allows at one, but for the rounding of the coordinate itself. */
static void turning_for_ever_stays_exact(void **test)
{
    UNUSED(test);
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 1]}, slug: {mass: 1}}\n"
        "joints:\n"
        "  axle: {type: revolute, base: ground, follower: rotor, initial: {velocity: 4}}\n"
        "  rail: {type: prismatic, base: rotor, follower: slug, nominal: {position: 1 mm, "
        "velocity: 2 m/s}}\n"
        "simulation: {end: 10}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    const dt_simulation *core = sim->core;
    detent_scale scale;
    detent_error error;
    for (size_t i = 0; i < 2; i++) {
        const int node = (int)i;
        runs_must(detent_get_scale(sim, i, &scale, &error), &error);
        const double once = dt_position_tolerance(core, node, scale.position);
        runs_near("far out", dt_position_tolerance(core, node, 1e3 * scale.position), once,
                  1e-12 * once);
        assert_true(dt_position_tolerance(core, node, 1e9) >= 1e9 * DBL_EPSILON);
        /* of nothing at all, a hundredth of that */
        runs_near("near zero", dt_position_tolerance(core, node, 0), once / 101, 1e-12 * once);
    }
    runs_near("position", scale.position, 1e-3, 1e-18); /* of the rail, as given */
    runs_near("velocity", scale.velocity, 2, 0);
    runs_near("force", scale.force, 1 * 2 * 2 / 1e-3, 1e-12);
    runs_must(detent_get_scale(sim, 0, &scale, &error), &error);
    runs_near("position", scale.position, 1, 0);
    runs_near("velocity", scale.velocity, 1 / scale.time, 0);
    assert_int_equal(detent_get_scale(sim, 2, &scale, &error), DETENT_ERROR_ARGUMENT);
    runs_end(sim, m);
}

/* Too large for the dense solver is told as such, not as memory. */
static void dense_solver_has_its_bounds(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_load("hanging_chain.yaml", (const char *const[]){"n=7000", NULL});
    detent_settings settings = runs_settings(m, 0, 0);
    settings.linear_solver = DETENT_LINEAR_SOLVER_DENSE;
    const detent_simulation_options options = {.settings = &settings};
    detent_simulation *sim = NULL;
    detent_error error;
    assert_int_equal(detent_simulation_create(m, &options, &sim, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "21000"));
    assert_non_null(strstr(error.message, "tree"));
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiff_contact_is_no_storm),
        cmocka_unit_test(turning_for_ever_stays_exact),
        cmocka_unit_test(dense_solver_has_its_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
