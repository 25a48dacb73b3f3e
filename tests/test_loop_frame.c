/*
 * Friction that follows reactions where a loop ties the joints: a four-bar whose frictions follow what its frame stands on, in
 * all variants. Couplings: test_tied_reactions.c
 */
#include "support_changes.h"
#include "support_four_bar.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846;

/** `text` with every `old` replaced. */
static void replace(char *text, size_t size, const char *old, const char *new)
{
    char *at = text;
    while ((at = strstr(at, old)) != NULL) {
        const size_t tail = strlen(at + strlen(old)) + 1;
        assert_true((size_t)(at - text) + strlen(new) + tail <= size);
        memmove(at + strlen(new), at + strlen(old), tail);
        memcpy(at, new, strlen(new));
        at += strlen(new);
    }
}

static const double limit[4] = {1, 0.7, 0.5, 1.2};

/** The sum of limit times |speed| over the speed of the rocker: the torque that moves it. */
static double torque_of(double angle)
{
    const double h = 1e-4;
    double w[4][3], slope[3];
    for (int k = 0; k < 4; k++) {
        static const double at[4] = {-2, -1, 1, 2};
        support_four_bar(angle + at[k] * h, w[k]);
    }
    for (int j = 0; j < 3; j++) { /* to h^4 */
        slope[j] =
            (8 * remainder(w[2][j] - w[1][j], 2 * pi) - remainder(w[3][j] - w[0][j], 2 * pi)) /
            (12 * h);
    }
    const double rate[4] = {slope[0], slope[1] - slope[0], slope[1] - slope[2], slope[2]};
    double sum = 0;
    for (int j = 0; j < 4; j++) {
        sum += limit[j] * fabs(rate[j]);
    }
    return sum / fabs(rate[3]);
}

/*
 * The frame of a four-bar stands on a rail, which is no part of the loop; the frictions of the four pins are their limits
 * times what the rail carries by 10 N. That fades, and the loop gives way.
 */
static void frictions_follow_what_the_frame_stands_on(void **state)
{
    (void)state;
    for (size_t k = 0; k < 3 * VARIANTS; k++) {
        const variant v = variant_at(k / 3);
        const double angle = 0.5 + 0.45 * (double)(k % 5), torque = 1.25 * torque_of(angle);
        char text[8192], more[2048];
        double speeds[5];
        size_t changes;
        detent_error error;
        int n = snprintf(more, sizeof more, "stiction:\n");
        for (int j = 0; j < 4; j++) {
            n += snprintf(more + n, sizeof more - (size_t)n,
                          "  %c: {kinetic: \"%.17g [m]*normal_force(rail)\", static: \"%.17g "
                          "[m]*normal_force(rail)\"}\n",
                          "abcd"[j], 0.08 * limit[j], 0.1 * limit[j]);
        }
        snprintf(more + n, sizeof more - (size_t)n,
                 "loads:\n"
                 "  press: {body: frame, force: [0, \"-10 [N]*(2 - t/2 [s])\", 0]}\n"
                 "  turn: {body: rocker, torque: [0, 0, %.17g]}\n"
                 "simulation: {end: 1.6, rtol: 1e-9}\n",
                 torque);
        support_write_four_bar(text, sizeof text, (int)(k % 3), 0, angle, 0, more);
        replace(text, sizeof text, "base: ground", "base: frame");
        replace(text, sizeof text, "bodies:\n", "bodies:\n  frame: {mass: 3}\n");
        replace(text, sizeof text, "joints:\n",
                "joints:\n  rail: {type: prismatic, base: ground, follower: frame, motion: 0}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_must(detent_advance(sim, 1.5 * (1 - 1e-8), true, &error), &error);
        runs_must(detent_read(sim, DETENT_VELOCITIES, speeds, 5, &error), &error);
        for (int j = 0; j < 5; j++) {
            assert_true(speeds[j] == 0);
        }
        assert_int_equal(detent_advance(sim, 1.6, true, &error), DETENT_EVENT);
        variant_near(v, last_event(sim, &changes)->time, 1.5, 2e-9);
        assert_int_equal(changes, 4);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frictions_follow_what_the_frame_stands_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
