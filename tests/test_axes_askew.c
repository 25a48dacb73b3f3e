/*
 * Loops that would be plane but for an axis: whose it is, by how much, wherever the loop is cut and whatever stands on its way.
 */
#include "detent/analysis.h"
#include "support_runs.h"

#include <stdio.h>
#include <string.h>

/* A four-bar on a base that is welded askew to the ground; %s: axes of its pins, where the last stands on the rod, further joints. */
static const char linkage[] =
    "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
    "  base: {mass: 1, inertia: [1, 1, 1]}\n  crank: {mass: 1, inertia: [1, 1, 1]}\n"
    "  rod: {mass: 1, inertia: [1, 1, 1]}\n  rocker: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  w: {type: weld, base: ground, follower: base, at: {base: {rotation: {axis: [0, 1, 0], "
    "angle: "
    "40 deg}}}}\n"
    "  a: {type: revolute, %sbase: base, follower: crank, initial: {position: 1, priority: "
    "exact}}\n"
    "  b: {type: revolute, %sbase: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
    "  d: {type: revolute, %sbase: base, follower: rocker, at: {base: [0.9, 0, 0]}, "
    "initial: {position: 1}}\n"
    "  c: {type: revolute, %sbase: rocker, follower: rod, at: {base: [0.6, 0, 0], follower: "
    "{point: [%s, 0, 0], rotation: {axis: [1, 0, 0], angle: %s}}}}\n";

static void says(const char *const axes[4], const char *reach, const char *angle, const char *words)
{
    char text[2048];
    detent_assembly assembly = DETENT_INIT(detent_assembly);
    detent_error error = {.message = ""};
    snprintf(text, sizeof text, linkage, axes[0], axes[1], axes[2], axes[3], reach, angle);
    detent_mechanism *m = runs_parse(text, NULL);
    assert_int_equal(detent_assemble(m, NULL, NULL, NULL, &assembly, &error), DETENT_ERROR_MODEL);
    const char *said = strstr(error.message, "would be plane");
    if (!words ? said != NULL : !said || !strstr(said, words)) {
        fail_msg("'%s' is expected: %s", words ? words : "nothing of axes", error.message);
    }
    detent_mechanism_destroy(m);
}

static void test_one_axis(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "b", "d", "c"};
    for (int k = 0; k < 4; k++) {
        const char *axes[] = {"", "", "", ""};
        char words[96];
        axes[k] = "axis: [0, 0.1, 1], ";
        snprintf(words, sizeof words, "but for the axis of '%s', which is 5.71 deg askew",
                 names[k]);
        says(axes, "0.8", "0 deg", words);
        axes[k] = "axis: [0, -1e-6, 1], ";
        snprintf(words, sizeof words, "but for the axis of '%s', which is 5.73e-05 deg askew",
                 names[k]);
        says(axes, "0.8", "0 deg", words);
    }
}

static void test_axes_on_a_body(void **state)
{
    (void)state;
    const char *const axes[] = {"", "", "", ""};
    says(axes, "0.8", "2 deg", "the axes of 'c' and 'b', which are 2 deg askew");
}

/* What is too short is not told to be askew; nor what is askew everywhere. */
static void test_other_reasons(void **state)
{
    (void)state;
    const char *const even[] = {"", "", "", ""};
    says(even, "8", "0 deg", NULL);
    const char *const uneven[] = {"axis: [0, 0.1, 1], ", "axis: [0, -0.1, 1], ",
                                  "axis: [0.2, 0.1, 1], ", "axis: [0.1, 0.3, 1], "};
    says(uneven, "8", "0 deg", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_axis),
        cmocka_unit_test(test_axes_on_a_body),
        cmocka_unit_test(test_other_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
