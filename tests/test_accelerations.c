/* Newton's method for accelerations, from far out, where laws flatten or have kinks: its full steps would go to and fro for ever. */
#include "base/arena.h"
#include "dynamics/newton.h"
#include "support_runs.h"
#include "support_trees.h"

/* m a + 3 atan(a) = 1: beyond the steep part only the mass is left of the slope, and a full step leads from a to about 300 - a. */
static const char *const flat =
    "detent: 1\ngravity: [0, 0, 0]\nparameters: {unit: 1 m/s^2}\nbodies: {a: {mass: 0.01}}\n"
    "joints:\n  a: {type: prismatic, base: ground, follower: a, "
    "force: 1 - 3*atan(acceleration(a)/unit)}\n";

static void steps_that_go_to_and_fro_are_halved(void **state)
{
    static const double starts[] = {0, 2, -50, 1500, -1e6};
    const detent_linear_solver solvers[] = {DETENT_LINEAR_SOLVER_TREE, DETENT_LINEAR_SOLVER_DENSE};
    double expected = 0.3;
    (void)state;
    for (int n = 0; n < 50; n++) {
        expected = tan((1 - 0.01 * expected) / 3);
    }
    detent_mechanism *m = runs_parse(flat, NULL);
    for (size_t l = 0; l < 2; l++) {
        dt_arena arena;
        dt_system s;
        dt_arena_init(&arena, NULL);
        assert_int_equal(dt_system_create(&arena, m, &s, NULL), DETENT_OK);
        dt_newton *newton = dt_newton_create(&arena, &s, solvers[l]);
        assert_non_null(newton);
        dt_system_set_state(&s, 0, m->position, s.v);
        for (size_t n = 0; n < sizeof starts / sizeof *starts; n++) {
            s.a[0] = starts[n];
            assert_int_equal(dt_solve_accelerations(newton, &s, NULL, NULL), DETENT_OK);
            runs_near("acceleration", s.a[0], expected, 1e-14);
        }
        dt_arena_free(&arena);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_that_go_to_and_fro_are_halved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
