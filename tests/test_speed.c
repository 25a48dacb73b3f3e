/*
 * Joints whose speed is prescribed: they move like joints whose motion has that rate, in trees, loops and couplings, with stiction
 * beside them, in all variants; and a belt that starts under a block is known by a formula.
 */
#include "detent/analysis.h"

#include "support_variants.h"

#include <stdlib.h>
#include <string.h>

/* ---- beside motions ---- */

/** A mechanism with a place for what drives it. */
static const char *const mechanisms[] = {
    /* an arm with a second one on it */
    "bodies:\n"
    "  arm: {mass: 2, center_of_mass: [0.3, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
    "  tip: {mass: 1, center_of_mass: [0.2, 0, 0], inertia: [0.01, 0.05, 0.05]}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: arm, axis: [0, 0, 1], %s}\n"
    "  b: {type: revolute, base: arm, follower: tip, axis: [0, 0, 1], at: {base: [0.6, 0, 0]}, "
    "damping: 0.01}\n"
    "stiction:\n"
    "  b: {kinetic: 0.4 + 0.01*reaction_force(a), static: 0.6 + 0.02*reaction_force(a)}\n",
    /* a slider-crank, whose loop friction follows */
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.001, 0.01, 0.01]}\n"
    "  rod: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.001, 0.03, 0.03]}\n"
    "  slider: {mass: 2}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: crank, axis: [0, 0, 1], %s}\n"
    "  p: {type: revolute, base: crank, follower: rod, axis: [0, 0, 1], at: {base: [0.2, 0, 0]}}\n"
    "  w: {type: revolute, base: rod, follower: slider, axis: [0, 0, 1], at: {base: [0.6, 0, 0]}}\n"
    "  b: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0]}\n"
    "stiction:\n"
    "  b: {kinetic: 3 + 0.1*normal_force(b), static: 4 + 0.1*normal_force(b)}\n"
    "  w: {kinetic: 0.2, static: 0.3}\n",
    /* a geared wheel, on which a slack spring and a block's friction hang */
    "bodies:\n"
    "  one: {mass: 1, inertia: [0.1, 0.1, 0.1]}\n"
    "  two: {mass: 1, inertia: [0.2, 0.2, 0.2]}\n"
    "  block: {mass: 3}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: one, axis: [1, 0, 0], %s}\n"
    "  w: {type: revolute, base: ground, follower: two, axis: [1, 0, 0]}\n"
    "  b: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}\n"
    "couplings:\n"
    "  g: {type: gear, joints: [a, w], ratio: 3}\n"
    "stiction:\n"
    "  b: {kinetic: 2, static: 4, external: \"20*max(0, 0.3*position(w) - position(b))\"}\n"};

static const struct {
    const char *motion, *speed;
} drives[] = {
    {"motion: \"0.4 + 1.5*(1 - cos(2*t)) + 0.25*t^2\"",
     "initial: {position: 0.4}, speed: \"3*sin(2*t) + 0.5*t\""},
    {"motion: \"-0.3 + 0.7*t\"", "initial: {position: -0.3}, speed: 0.7"},
    {"motion: \"0.5 + if(t < 0.75, 0, 1*(t - 0.75)^3)\"",
     "initial: {position: 0.5}, speed: \"if(t < 0.75, 0, 3*(t - 0.75)^2)\""},
};

static detent_mechanism *write(const char *mechanism, const char *drive)
{
    char body[2048], text[4096];
    snprintf(body, sizeof body, mechanism, drive);
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, -9.81, 0]\n%s"
             "outputs: [position(a), position(b), velocity(a), velocity(b), acceleration(a), "
             "force(a)]\n"
             "simulation: {end: 2, rtol: 1e-9}\n",
             body);
    return runs_parse(text, NULL);
}

static void compare(const char *what, variant v, detent_mechanism *moved, detent_mechanism *driven)
{
    runs_log one = {0}, other = {0};
    detent_simulation *m = variant_start(moved, v), *s = variant_start(driven, v);
    double x[6], y[6];
    runs_record(m, 2, &one);
    runs_record(s, 2, &other);
    variant_outputs(m, v, 2, x, 6);
    variant_outputs(s, v, 2, y, 6);
    for (int k = 0; k < 6; k++) {
        if (!(fabs(x[k] - y[k]) <= 1e-6 * (1 + fabs(x[k])))) {
            fail_msg("%s, %s: output %d is %.12g, not %.12g", what, variant_name(v), k, y[k], x[k]);
        }
    }
    bool same = one.count == other.count;
    for (size_t k = 0; k < one.count && same; k++) {
        same = one.change[k].stiction == other.change[k].stiction &&
               one.change[k].to == other.change[k].to &&
               fabs(one.change[k].time - other.change[k].time) <= 1e-6;
    }
    if (!same || one.count == 0) {
        fail_msg("%s, %s: %zu changes of mode, not %zu", what, variant_name(v), other.count,
                 one.count);
    }
    if (!(fabs(runs_relative_energy_gap(s)) <= 1e-6)) {
        fail_msg("%s, %s: energy is off by %g", what, variant_name(v), runs_relative_energy_gap(s));
    }
    runs_log_free(&one);
    runs_log_free(&other);
    detent_simulation_destroy(m);
    detent_simulation_destroy(s);
}

static void a_speed_is_the_rate_of_a_motion(void **state)
{
    UNUSED(state);
    for (size_t n = 0; n < sizeof mechanisms / sizeof *mechanisms; n++) {
        for (size_t d = 0; d < sizeof drives / sizeof *drives; d++) {
            detent_mechanism *moved = write(mechanisms[n], drives[d].motion),
                             *driven = write(mechanisms[n], drives[d].speed);
            for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
                compare(drives[d].speed, variant_at(k), moved, driven);
            }
            detent_mechanism_destroy(moved);
            detent_mechanism_destroy(driven);
        }
    }
}

/* ---- a formula ---- */

/**
 * A belt from rest with 3 m/s^2 up to 1.5 m/s takes a block along: by kinetic friction, 2 N on 1 kg, until the block is as fast, at
 * 0.75 s, and is locked on it.
 */
static void a_belt_takes_a_block_along(void **state)
{
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, -9.81]\n"
                   "bodies: {belt: {mass: 5}, block: {mass: 1}}\n"
                   "joints:\n"
                   "  belt: {type: prismatic, base: ground, follower: belt, axis: [1, 0, 0], "
                   "speed: \"min(3*t, 1.5)\"}\n"
                   "  on: {type: prismatic, base: belt, follower: block, axis: [1, 0, 0]}\n"
                   "stiction:\n"
                   "  on: {kinetic: 2, static: 2.5}\n"
                   "outputs: [position(belt), position(on), force(belt), mode(on)]\n"
                   "simulation: {end: 2, rtol: 1e-9}\n",
                   NULL);
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        double x[4];
        variant_outputs(sim, v, 0.25, x, 4);
        variant_check(v, "belt", x[0], 1.5 * 0.25 * 0.25, 1e-9);
        variant_check(v, "block", x[1], (1 - 1.5) * 0.25 * 0.25, 1e-9);
        variant_check(v, "force", x[2], 5 * 3 + 2, 1e-9);
        variant_outputs(sim, v, 2, x, 4);
        variant_check(v, "belt", x[0], 0.375 + 1.5 * 1.5, 1e-8);
        variant_check(v, "block", x[1], 0.75 * 0.75 - 0.375 - 1.5 * 0.25, 1e-8);
        variant_check(v, "force", x[2], 0, 1e-9);
        variant_check(v, "mode", x[3], DETENT_LOCKED, 0);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* ---- states ---- */

/** What has been saved goes on from the position that was reached, to the bit. */
static void a_saved_position_goes_on(void **state)
{
    detent_mechanism *m = write(mechanisms[0], drives[0].speed);
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v), *other = variant_start(m, v);
        detent_error error;
        double x[6], y[6];
        variant_advance(sim, v, 1);
        const size_t size = detent_state_size(sim);
        void *bytes = malloc(size);
        runs_must(detent_save_state(sim, bytes, size, &error), &error);
        runs_must(detent_restore_state(sim, bytes, size, &error), &error);
        runs_must(detent_restore_state(other, bytes, size, &error), &error);
        variant_outputs(sim, v, 2, x, 6);
        variant_outputs(other, v, 2, y, 6);
        if (memcmp(x, y, sizeof x) != 0) {
            fail_msg("%s: %.17g is %.17g", variant_name(v), x[0], y[0]);
        }
        variant_check(v, "position", x[0], 0.4 + 1.5 * (1 - cos(4)) + 1, 1e-7);
        free(bytes);
        detent_simulation_destroy(sim);
        detent_simulation_destroy(other);
    }
    detent_mechanism_destroy(m);
}

/** No force makes a speed that jumps; and where the joint is at a time nobody but a run can tell. */
static void what_cannot_be_is_refused(void **state)
{
    detent_mechanism *jumps = write(mechanisms[0], "speed: \"if(t < 1, 0.5, 0.7)\""),
                     *goes = write(mechanisms[1], drives[0].speed);
    detent_error error;
    detent_analysis *analysis;
    double positions[4];
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_simulation *sim = variant_start(jumps, variant_at(k));
        detent_status status = detent_advance(sim, 2, false, &error);
        if (status != DETENT_ERROR_NUMERIC || !strstr(error.message, "'a' jumps") ||
            fabs(detent_time(sim) - 1) > 1e-9) {
            fail_msg("%s: %d: %s", variant_name(variant_at(k)), (int)status, error.message);
        }
        detent_simulation_destroy(sim);
    }
    runs_must(detent_analysis_create(goes, NULL, &analysis, &error), &error);
    assert_int_equal(detent_kinematics(analysis, 0.5, NULL, positions, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'a' has a speed"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(jumps);
    detent_mechanism_destroy(goes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_speed_is_the_rate_of_a_motion),
        cmocka_unit_test(a_belt_takes_a_block_along),
        cmocka_unit_test(a_saved_position_goes_on),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
