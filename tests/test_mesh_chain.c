/*
 * A row of parallelograms, each geared to the next by a mesh that rubs: so many conditions that they are eliminated along the tree, where a
 * law reads a multiplier out of that. It moves as a row of geared cranks does, whose meshes are told from the forces along them.
 */
#include "support_variants.h"

enum { LOOPS = 8, OUTPUTS = 6 };

static detent_mechanism *make(bool loop, double velocity, const char *friction)
{
    runs_text text = {0}, joints = {0}, couplings = {0};
    runs_say(&text, "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n");
    for (int n = 1; n <= LOOPS; n++) {
        const double turn = n == 1 ? 1.3 : 0.5 + 0.1 * n, rate = n % 2 ? velocity : -velocity;
        const char *force = n == 1 ? ", force: 1" : "";
        if (n > 1) {
            runs_say(&couplings,
                     "  m%d: {type: gear, joints: [a%d, a%d], ratio: -1, friction: {%s}}\n", n - 1,
                     n - 1, n, friction);
        }
        if (!loop) {
            runs_say(&text,
                     "  a%d: {mass: 0.5, center_of_mass: [0.2, 0, 0], inertia: [1, 1, 0.04]}\n", n);
            runs_say(&joints,
                     "  a%d: {type: revolute, base: ground, follower: a%d, initial: {position: "
                     "%.17g, velocity: %.17g}%s}\n",
                     n, n, turn, rate, force);
            continue;
        }
        runs_say(&text,
                 "  a%d: {mass: 1, inertia: [1, 1, 0.02]}\n  b%d: {mass: 1, inertia: [1, 1, "
                 "0.02]}\n  c%d: {mass: 0.5, center_of_mass: [0.5, 0, 0], inertia: [1, 1, 0.2]}\n",
                 n, n, n);
        runs_say(&joints,
                 "  a%d: {type: revolute, base: ground, follower: a%d, at: {base: [%d, 0, 0]}, "
                 "initial: {position: %.17g, velocity: %.17g, priority: exact}%s}\n"
                 "  b%d: {type: revolute, base: ground, follower: b%d, at: {base: [%d, 0, 0]}, "
                 "initial: {position: %.17g}}\n"
                 "  p%d: {type: revolute, base: a%d, follower: c%d, at: {base: [0.2, 0, 0]}, "
                 "initial: {position: %.17g}}\n"
                 "  s%d: {type: revolute, base: b%d, follower: c%d, at: {base: [0.2, 0, 0], "
                 "follower: [1, 0, 0]}, initial: {position: %.17g}}\n",
                 n, n, 2 * n, turn, rate, force, n, n, 2 * n + 1, turn, n, n, n, -turn, n, n, n,
                 -turn);
    }
    runs_say(&text,
             "joints:\n%scouplings:\n%soutputs: [position(a1), velocity(a1), acceleration(a1), "
             "coupling_force(m1), coupling_force(m4), friction(a7)]\n"
             "simulation: {end: 1, rtol: 1e-8, atol: 1e-10}\n",
             joints.text, couplings.text);
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    free(joints.text);
    free(couplings.text);
    return m;
}

static void a_row_of_parallelograms_moves_as_cranks(void **state)
{
    static const char *const frictions[] = {"efficiency: 0.9, reverse_efficiency: 0.7",
                                            "efficiency: 0.98"};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int n = 0; n < 3; n++) {
            double x[2][OUTPUTS];
            for (int loop = 0; loop < 2; loop++) {
                detent_mechanism *m = make(loop, n == 1 ? 0 : 0.5, frictions[n / 2]);
                detent_simulation *sim = variant_start(m, v);
                variant_outputs(sim, v, 0.2, x[loop], OUTPUTS);
                variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-7);
                runs_end(sim, m);
            }
            for (int i = 0; i < OUTPUTS; i++) {
                variant_check(v, "as cranks", x[1][i], x[0][i], 1e-6 * (1 + fabs(x[0][i])));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_row_of_parallelograms_moves_as_cranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
