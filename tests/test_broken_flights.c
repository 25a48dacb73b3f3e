/*
 * Bounces whose flights something else breaks off, in each of them: a ball that turns round switches a force on another body, and an arm that
 * swings fast keeps all steps short. The ball is where it would be alone, by a formula.
 */
#include "support_changes.h"
#include "support_variants.h"

/** The first impact is after sqrt(2 h / g), and all bounces together take 2 v e / (g (1 - e)). */
static void bounces_end_when_they_do(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -10]\n"
        "bodies: {ball: {mass: 1}, flag: {mass: 1},\n"
        "         arm: {mass: 1, center_of_mass: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}}\n"
        "joints:\n"
        "  z: {type: prismatic, base: ground, follower: ball, axis: [0, 0, 1],\n"
        "      initial: {position: 1.3}, stops: {lower: {at: 0.3, restitution: 0.7}}}\n"
        "  x: {type: prismatic, base: ground, follower: flag, axis: [1, 0, 0],\n"
        "      force: \"if(velocity(z) > 0, 1, -1)\"}\n"
        "  swing: {type: revolute, base: ground, follower: arm, axis: [0, 1, 0],\n"
        "          spring: {stiffness: 4000}, initial: {velocity: 9}}\n"
        "simulation: {end: 4, rtol: 1e-7, atol: 1e-9}\n";
    static const double e = 0.7, h = 1, g = 10;
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        runs_record(sim, 4, &log);
        variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0),
                     sqrt(2 * h / g) * (1 + e) / (1 - e), 1e-8);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bounces_end_when_they_do)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
