/* Saved states know where they are from: any number, law or name that differs makes another mechanism, outputs and
 * settings do not; bytes of another version or build, and damaged ones, are refused, and leave all as it is. */

#include "base/hash.h"
#include "support_runs.h"

static const char text[] =
    "detent: 1\n"
    "name: arm\n"
    "gravity: [0, 0, -9.81]\n"
    "parameters: {pin: 0.02, drive: 3}\n"
    "inputs: {motor: 0.5}\n"
    "signals: {beat: drive*sin(2*t)}\n"
    "bodies:\n"
    "  upper: {mass: 4, center_of_mass: [0.2, 0, 0], inertia: [0.005, 0.055, 0.055]}\n"
    "  fore: {mass: 2.5, center_of_mass: [0.175, 0, 0], inertia: [0.003, 0.027, 0.027]}\n"
    "joints:\n"
    "  shoulder: {type: revolute, base: ground, follower: upper, axis: [0, -1, 0], armature: 0.1,\n"
    "             initial: {position: 0.3}, damping: 0.01}\n"
    "  elbow: {type: revolute, base: upper, follower: fore, axis: [0, -1, 0],\n"
    "          at: {base: [0.4, 0, 0]}, spring: {stiffness: 2, rest: 0.1}}\n"
    "stiction:\n"
    "  shoulder: {velocity_threshold: 1e-4, external: beat + motor, kinetic: 6, static: 9}\n"
    "  elbow: {velocity_threshold: 1e-4, kinetic: pin*reaction_force(elbow), static: 4.5}\n"
    "loads: {gust: {body: fore, at: [0.3, 0, 0], force: [sin(t), 0, 0], frame: world}}\n"
    "outputs: [position(elbow), friction(elbow)]\n"
    "simulation: {end: 3}\n";

/* The text with every `old` replaced. */
static char *replaced(const char *old, const char *new)
{
    char *out = calloc(2 * sizeof text, 1), *end = out;
    assert_non_null(out);
    assert_non_null(strstr(text, old));
    for (const char *next = text; *next;) {
        const bool here = strncmp(next, old, strlen(old)) == 0;
        end += sprintf(end, "%.*s", here ? (int)strlen(new) : 1, here ? new : next);
        next += here ? strlen(old) : 1;
    }
    return out;
}

static unsigned char *save(detent_simulation *s, size_t *size)
{
    detent_error error;
    *size = detent_state_size(s);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    runs_must(detent_save_state(s, bytes, *size, &error), &error);
    return bytes;
}

/* The bytes, restored into the mechanism of a text that differs in one place. */
static detent_status restore_into(const char *old, const char *new, const unsigned char *bytes,
                                  size_t size, detent_error *error)
{
    char *other = replaced(old, new);
    detent_mechanism *m = runs_parse(other, NULL);
    detent_simulation *s = runs_start(m, NULL);
    const detent_status status = detent_restore_state(s, bytes, size, error);
    assert_true(detent_time(s) == (status ? 0 : 1));
    runs_end(s, m);
    free(other);
    return status;
}

typedef struct change {
    const char *old, *new;
} change;

static void try_changes(const change *changes, size_t count, bool same)
{
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 1);
    size_t size;
    unsigned char *bytes = save(s, &size);
    for (size_t k = 0; k < count; k++) {
        detent_error error = {.status = DETENT_OK};
        const detent_status status =
            restore_into(changes[k].old, changes[k].new, bytes, size, &error);
        const bool right =
            same ? status == DETENT_OK
                 : status == DETENT_ERROR_ARGUMENT && strstr(error.message, "another mechanism");
        if (!right) {
            fail_msg("%s for %s: %d, %s", changes[k].new, changes[k].old, status, error.message);
        }
    }
    free(bytes);
    runs_end(s, m);
}

static void other_mechanisms_are_refused(void **state)
{
    UNUSED(state);
    static const change changes[] = {
        {"-9.81]", "-9.82]"},
        {"pin: 0.02", "pin: 0.03"},
        {"drive: 3", "drive: 2"},
        {"motor: 0.5", "motor: 0.6"},
        {"motor", "engine"},
        {"upper", "lower"},
        {"elbow", "knee"},
        {"gust", "gale"},
        {"sin(2*t)", "cos(2*t)"},
        {"mass: 4", "mass: 4.000000001"},
        {"[0.2, 0, 0]", "[0.2, 0, 1e-9]"},
        {"0.055, 0.055", "0.055, 0.056"},
        {"armature: 0.1", "armature: 0.2"},
        {"position: 0.3", "position: 0.4"},
        {"damping: 0.01", "damping: 0.02"},
        {"damping: 0.01", "damping: 0.01, nominal: {velocity: 1}"},
        {"base: [0.4, 0, 0]", "base: [0.4, 1e-3, 0]"},
        {"stiffness: 2", "stiffness: 3"},
        {"rest: 0.1", "rest: 0.2"},
        {"velocity_threshold: 1e-4, external", "velocity_threshold: 2e-4, external"},
        {"kinetic: 6", "kinetic: 7"},
        {"static: 4.5", "static: 4.4"},
        {"static: 4.5", "forward: -4.5, reverse: 4.5"},
        {"static: 4.5", "static: 4.5, test: friction(elbow)"},
        {"static: 4.5", "static: 4.5, locking: band"},
        {"pin*reaction_force", "pin*normal_force"},
        {"at: [0.3, 0, 0]", "at: [0.3, 0, 0.1]"},
        {"[sin(t), 0, 0]", "[0, sin(t), 0]"},
        {"frame: world", "frame: body"},
    };
    try_changes(changes, sizeof changes / sizeof *changes, false);
}

static void outputs_and_settings_may_differ(void **state)
{
    UNUSED(state);
    static const change changes[] = {
        {"arm\n", "another title\n"},
        {"outputs: [position(elbow), ", "outputs: [2*t, "},
        {"end: 3", "end: 4, rtol: 1e-9, integrator: erk, locked_joints: constrain"},
        {"kinetic: 6", "kinetic: 12/2"},
        {"beat", "pulse"}, /* a signal is folded in where it is used */
    };
    try_changes(changes, sizeof changes / sizeof *changes, true);
}

/* The head as src/api/state.c has it. */
enum { AT_SUM = 24, AT_VERSION = 32, AT_BUILD = 48, HEAD = 64 };

/* Makes the sum right for bytes that were changed. */
static void sign(unsigned char *bytes, size_t size)
{
    dt_hash hash = dt_hash_begin();
    memset(bytes + AT_SUM, 0, 8);
    dt_hash_bytes(&hash, bytes, HEAD);
    dt_hash_bytes(&hash, bytes + HEAD, size - HEAD);
    const uint64_t sum = dt_hash_end(&hash);
    memcpy(bytes + AT_SUM, &sum, sizeof sum);
}

static void expect(detent_simulation *s, const unsigned char *bytes, size_t size, const char *words)
{
    detent_error error;
    assert_int_equal(detent_restore_state(s, bytes, size, &error), DETENT_ERROR_ARGUMENT);
    if (!strstr(error.message, words)) {
        fail_msg("'%s' is not in: %s", words, error.message);
    }
}

static void origins_are_told_apart(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 1);
    size_t size, count;
    unsigned char *bytes = save(s, &size), *changed = malloc(size + 1);
    runs_advance(s, 2);
    double *before = runs_state(m, s, &count);

    memcpy(changed, bytes, size);
    sign(changed, size);
    assert_memory_equal(changed, bytes, size);
    changed[AT_VERSION] = '9';
    sign(changed, size);
    expect(s, changed, size, "saved by version 9");
    memcpy(changed, bytes, size);
    changed[AT_BUILD] ^= 1;
    sign(changed, size);
    expect(s, changed, size, "another build of version " DETENT_VERSION);
    memcpy(changed, bytes, size);
    changed[8] ^= 0xff;
    expect(s, changed, size, "another order of bytes");
    memcpy(changed, bytes, size);
    changed[size - 1] ^= 1;
    expect(s, changed, size, "its bytes are damaged");
    expect(s, bytes, size - 1, "were saved");
    expect(s, changed, size + 1, "were saved");
    expect(s, (const unsigned char *)text, sizeof text, "no state that was saved");

    /* nothing has happened */
    double *after = runs_state(m, s, &count);
    assert_memory_equal(before, after, count * sizeof *before);
    assert_true(detent_time(s) == 2);
    detent_error error;
    runs_must(detent_restore_state(s, bytes, size, &error), &error);
    assert_true(detent_time(s) == 1);
    free(before);
    free(after);
    free(changed);
    free(bytes);
    runs_end(s, m);
}

/* ---- whoever goes on ---- */

/*
 * Of two simulations, one that has run and one that has not, both go on from the same bytes in the same way, to the last bit: with loops
 * and couplings, whose dependent coordinates were chosen on the way; beyond the end of the run; with steps of any kind.
 */
static void goes_on_alike(const char *file, detent_integrator integrator, double t)
{
    detent_error error;
    size_t size, count;
    detent_mechanism *m = runs_load(file, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = integrator;
    settings.step = integrator == DETENT_INTEGRATOR_FIXED ? 1e-3 : 0;
    detent_simulation *s = runs_start(m, &settings), *fresh = runs_start(m, &settings);
    for (int k = 1; k <= 7; k++) {
        runs_advance(s, k * t / 7);
    }
    unsigned char *bytes = save(s, &size);
    runs_must(detent_restore_state(s, bytes, size, &error), &error);
    runs_must(detent_restore_state(fresh, bytes, size, &error), &error);
    for (int k = 0; k < 4; k++) {
        runs_advance(s, (1 + 0.1 * k) * t);
        runs_advance(fresh, (1 + 0.1 * k) * t);
        double *one = runs_state(m, s, &count), *other = runs_state(m, fresh, &count);
        unsigned char *all = save(s, &size), *others = save(fresh, &size);
        if (memcmp(one, other, count * sizeof *one) != 0 || memcmp(all, others, size) != 0) {
            fail_msg("%s: others go on from the same bytes at %g s", file, detent_time(s));
        }
        free(one);
        free(other);
        free(all);
        free(others);
    }
    free(bytes);
    detent_simulation_destroy(fresh);
    runs_end(s, m);
}

static void who_is_restored_goes_on_alike(void **state)
{
    UNUSED(state);
    goes_on_alike("planetary_gear.yaml", DETENT_INTEGRATOR_IDA, 0.5);
    goes_on_alike("slider_crank.yaml", DETENT_INTEGRATOR_IDA, 0.5);
    goes_on_alike("slider_crank.yaml", DETENT_INTEGRATOR_AUTO, 0.5);
    goes_on_alike("servo.yaml", DETENT_INTEGRATOR_IDA, 0.5);
    goes_on_alike("toggle_clamp.yaml", DETENT_INTEGRATOR_FIXED, 0.5);
    goes_on_alike("four_bar.yaml", DETENT_INTEGRATOR_FIXED, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_mechanisms_are_refused),
        cmocka_unit_test(outputs_and_settings_may_differ),
        cmocka_unit_test(origins_are_told_apart),
        cmocka_unit_test(who_is_restored_goes_on_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
