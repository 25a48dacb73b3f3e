/*
 * Followers that set out from the dead centre of their cam and turn round near it: the shaft, which a constant torque turns round, is a stone that is
 * thrown up. The follower, and its friction, are next to nothing. One cam, and as many as are solved in bands.
 */
#include "support_changes.h"
#include "support_runs.h"
#include "support_variants.h"

static const double inertia = 0.02, torque = 3.2, speed = -0.42, end = 0.004;

static detent_mechanism *shafts(int count)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    fprintf(file, "detent: 1\ngravity: [0, 0, 0]\nbodies:\n");
    for (int k = 0; k < count; k++) {
        fprintf(file,
                "  wheel%d: {mass: 1, inertia: [%g, %g, %g]}\n"
                "  valve%d: {mass: 1e-6}\n",
                k, inertia, inertia, inertia, k);
    }
    fprintf(file, "joints:\n");
    for (int k = 0; k < count; k++) {
        fprintf(file,
                "  shaft%d: {type: revolute, base: ground, follower: wheel%d, force: %g, initial: "
                "{velocity: %g}}\n"
                "  lift%d: {type: prismatic, base: ground, follower: valve%d, axis: [0, 1, 0]}\n",
                k, k, torque, speed, k, k);
    }
    fprintf(file, "stiction:\n");
    for (int k = 0; k < count; k++) {
        fprintf(file, "  lift%d: {velocity_threshold: 1e-3, kinetic: 1e-6, static: 1e-6}\n", k);
    }
    fprintf(file, "couplings:\n");
    for (int k = 0; k < count; k++) {
        fprintf(file,
                "  c%d: {type: cam, cam: shaft%d, follower: lift%d, law: \"0.06*(1 - "
                "cos(2*position(shaft%d)))\"}\n",
                k, k, k, k);
    }
    fprintf(file,
            "outputs: [position(shaft0), velocity(shaft0), position(shaft%d), velocity(shaft%d)]\n"
            "simulation: {end: %g, rtol: 1e-8}\n",
            count - 1, count - 1, end);
    fclose(file);
    detent_mechanism *m = runs_parse(text, NULL);
    free(text);
    return m;
}

static void shafts_turn_round(int count)
{
    const double a = torque / inertia, v = speed + a * end, q = (speed + a * end / 2) * end;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant one = variant_at(k);
        detent_mechanism *m = shafts(count);
        detent_simulation *sim = variant_start(m, one);
        double x[4];
        variant_outputs(sim, one, end, x, 4);
        for (int which = 0; which < 4; which += 2) {
            variant_near(one, x[which], q, 1e-8);
            variant_near(one, x[which + 1], v, 1e-6);
        }
        runs_end(sim, m);
    }
}

static void a_shaft_turns_round(void **state)
{
    (void)state;
    shafts_turn_round(1);
}

static void many_shafts_turn_round(void **state)
{
    (void)state;
    shafts_turn_round(40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shaft_turns_round),
        cmocka_unit_test(many_shafts_turn_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
