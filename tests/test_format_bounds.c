/* How much a file may ask for. */

#include "model/mechanism.h"
#include "test_format_support.h"

#include <math.h>
#include <time.h>

#define HEAD "detent: 1\ngravity: [0, -9.81, 0]\n"

static detent_mechanism *load(const char *text, const detent_load_options *options)
{
    detent_mechanism *m = NULL;
    detent_error error = {0};
    if (detent_mechanism_parse(text, strlen(text), "test.yaml", options, &m, &error)) {
        fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, error.detail);
    }
    return m;
}

/* --- Bounds ---------------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static char *filled(size_t length, const char *head, char c)
{
    char *text = malloc(length + 1);
    assert_non_null(text);
    memset(text, c, length);
    memcpy(text, head, strlen(head));
    text[length] = '\0';
    return text;
}

static void hostile_texts_are_refused_at_once(void **state)
{
    (void)state;
    detent_mechanism *m = NULL;
    detent_error error = {0};
    double start = seconds_now();
    size_t large = ((size_t)64 << 20) + 1;
    char *text = filled(large, "detent: 1", ' ');
    assert_int_equal(detent_mechanism_parse(text, large, "x", NULL, &m, &error),
                     DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "64 MiB"));
    free(text);

    static const char openings[] = "[{-?";
    for (size_t k = 0; k < sizeof openings - 1; k++) {
        text = filled(1000000, "detent: ", openings[k]);
        assert_true(detent_mechanism_parse(text, 1000000, "x", NULL, &m, &error) < 0);
        assert_true(error.line == 1 && error.column > 0);
        free(text);
    }
    /* each on a line of its own, so that no bound on keys helps */
    text = filled(1000000, "- ", ' ');
    for (size_t k = 0; k + 1 < 1000000; k += 2) {
        text[k] = '[';
        text[k + 1] = '\n';
    }
    assert_int_equal(detent_mechanism_parse(text, 1000000, "x", NULL, &m, &error),
                     DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "nested too deeply");
    free(text);
    assert_true(seconds_now() - start < 30); /* milliseconds; minutes if anything were quadratic */
}

/* Many keys in one mapping, many joints: linear, or this would not end. */
static void large_files_are_read_in_linear_time(void **state)
{
    (void)state;
    enum { BODIES = 30000, ROOM = 300 };
    char *text = malloc((size_t)BODIES * ROOM);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, HEAD "bodies:\n");
    for (int k = 0; k < BODIES; k++) {
        length +=
            (size_t)sprintf(text + length, "  b%d: {mass: 1 kg, center_of_mass: [1, 0, 0]}\n", k);
    }
    length += (size_t)sprintf(text + length, "joints:\n");
    for (int k = 0; k < BODIES; k++) { /* from the tip to the ground */
        int i = BODIES - 1 - k;
        char base[32] = "ground";
        if (i > 0) {
            snprintf(base, sizeof base, "b%d", i - 1);
        }
        length += (size_t)sprintf(text + length,
                                  "  j%d: {type: revolute, base: %s, follower: b%d}\n", i, base, i);
    }
    length += (size_t)sprintf(text + length, "stiction:\n");
    for (int k = 0; k < BODIES; k++) {
        length += (size_t)sprintf(
            text + length,
            "  j%d: {velocity_threshold: 1e-3, kinetic: 0.1*reaction_force(j%d), static: 2}\n", k,
            k);
    }
    double start = seconds_now();
    detent_mechanism *m = load(text, NULL);
    assert_true(seconds_now() - start < 60);
    assert_int_equal(m->stiction_count, BODIES);
    for (int k = 0; k < BODIES; k++) {
        assert_int_equal(m->tree.nodes[k].parent, k - 1);
    }
    detent_mechanism_destroy(m);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_texts_are_refused_at_once),
        cmocka_unit_test(large_files_are_read_in_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
