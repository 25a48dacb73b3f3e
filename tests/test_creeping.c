/*
 * A block in a damper that is stiff as can be: its velocity follows the push at once, v = F/d, and explicit steps would have to be as short as m/d, a
 * billionth of the run. They do not fail, but get nowhere: the implicit stepper helps out, for the explicit one was asked for.
 */
#include "support_runs.h"
#include "support_variants.h"

static void a_stiff_damper(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {block: {mass: 2}}\n"
        "joints: {rail: {type: prismatic, base: ground, follower: block, "
        "axis: [1, 0, 0], damping: 1e10, force: 4e9*sin(t), nominal: {position: 1, velocity: 1}}}\n"
        "outputs: [position(rail), velocity(rail)]\n"
        "simulation: {end: 2, integrator: erk, rtol: 1e-6}\n";
    detent_error error = {.message = ""};
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = NULL;
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    double x[2];
    runs_must(detent_simulation_create(m, NULL, &sim, &error), &error);
    runs_must(detent_advance(sim, 2, false, &error), &error);
    runs_must(detent_read(sim, DETENT_OUTPUTS, x, 2, &error), &error);
    runs_must(detent_get_statistics(sim, &statistics), &error);
    assert_true(fabs(x[0] - 0.4 * (1 - cos(2))) < 1e-6);
    assert_true(fabs(x[1] - 0.4 * sin(2)) < 1e-6);
    assert_true(statistics.helped > 0);
    assert_true(statistics.steps < 20000);
    runs_end(sim, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_stiff_damper)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
