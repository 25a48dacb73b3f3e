/* Closed chains of many links with stiction in every joint: the same in all variants. */
#include "support_trees.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846;

/* A closed chain of links in a plane, with stiction in all its joints and torques that come and go. */
static void write_chain(char *text, size_t size, int links, support_random *random)
{
    enum { MOST = 16 };
    double x[MOST], y[MOST], before = 0, length = 0, angle = 0;
    int n = snprintf(text, size, "detent: 1\ngravity: [0, 0, 0]\nbodies:\n");
    for (int k = 0; k < links; k++) {
        x[k] = cos(2 * pi * k / links) + support_uniform(random, -0.2, 0.2);
        y[k] = sin(2 * pi * k / links) + support_uniform(random, -0.2, 0.2);
        n += k == 0 ? 0
                    : snprintf(text + n, size - (size_t)n,
                               "  b%d: {mass: %.3f, center_of_mass: [0.3, 0, 0], inertia: [0.01, "
                               "0.1, 0.1]}\n",
                               k - 1, support_uniform(random, 0.5, 2));
    }
    n += snprintf(text + n, size - (size_t)n, "joints:\n");
    for (int k = 0; k + 1 < links; k++) {
        const bool first = k == 0;
        angle = atan2(y[k + 1] - y[k], x[k + 1] - x[k]);
        n += snprintf(text + n, size - (size_t)n,
                      "  j%d: {type: revolute, base: %s%.0d%s, follower: b%d, at: {base: {point: "
                      "[%.17g, %.17g, 0]}}, initial: {position: %.17g}}\n",
                      k, first ? "ground" : "b", first ? 0 : k - 1, k == 1 ? "0" : "", k,
                      first ? x[0] : length, first ? y[0] : 0, angle - before);
        before = angle;
        length = hypot(x[k + 1] - x[k], y[k + 1] - y[k]);
    }
    n += snprintf(text + n, size - (size_t)n,
                  "  j%d: {type: revolute, base: ground, follower: b%d, closes: true, at: {base: "
                  "{point: [%.17g, %.17g, 0]}, follower: [%.17g, 0, 0]}, initial: {position: "
                  "%.17g}}\nstiction:\n",
                  links - 1, links - 2, x[links - 1], y[links - 1], length, angle);
    for (int k = 0; k < links; k++) {
        const double most = support_uniform(random, 0.05, 1.5);
        n += snprintf(text + n, size - (size_t)n, "  j%d: {kinetic: %.4f, static: %.4f}\n", k,
                      support_chance(random, 0.5) ? most : 0.7 * most, most);
    }
    n += snprintf(text + n, size - (size_t)n, "loads:\n");
    for (int k = 0; k + 1 < links; k++) {
        n += snprintf(text + n, size - (size_t)n,
                      "  l%d: {body: b%d, torque: [0, 0, \"%.4f + %.4f*sin(%.4f*t)\"]}\n", k, k,
                      support_uniform(random, -1.5, 1.5), support_uniform(random, 0, 2.5),
                      support_uniform(random, 1, 6));
    }
    snprintf(text + n, size - (size_t)n, "simulation: {end: 0.6, rtol: 1e-8, atol: 1e-10}\n");
}

/** Loops with many freedoms: the same events and the same end in all variants. */
static void many_freedoms(void **state)
{
    (void)state;
    support_random random = {.state = 21};
    static const int links[] = {5, 5, 6, 6, 7, 8, 10, 14};
    for (size_t n = 0; n < sizeof links / sizeof *links; n++) {
        char text[16384];
        double first[32] = {0}, x[32] = {0};
        size_t turns = 0;
        write_chain(text, sizeof text, links[n], &random);
        for (size_t k = 0; k < VARIANTS; k += 1 + n / 4) {
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            detent_error error;
            runs_log log = {0};
            runs_record(sim, 0.6, &log);
            runs_must(detent_read(sim, DETENT_POSITIONS, x, (size_t)links[n], &error), &error);
            runs_must(detent_read(sim, DETENT_VELOCITIES, x + links[n], (size_t)links[n], &error),
                      &error);
            if (k == 0) {
                memcpy(first, x, sizeof first);
                turns = runs_count_turns(&log);
            }
            variant_near(v, (double)runs_count_turns(&log), (double)turns, 0);
            for (int j = 0; j < 2 * links[n]; j++) {
                variant_near(v, x[j], first[j], 1e-6);
            }
            runs_log_free(&log);
            runs_end(sim, m);
        }
        assert_true(turns > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(many_freedoms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
