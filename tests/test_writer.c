/* Mechanisms that are written as files: each reads as what it was, and runs as it did. */

#include "support_written.h"
#include "test_format_support.h"

#include <math.h>

/* ---- all files that there are ---- */

static void check_folder(const char *folder, size_t least)
{
    listing files = {.count = 0};
    size_t tried = 0;
    list_folder(folder, &files);
    for (size_t k = 0; k < files.count; k++) {
        detent_mechanism *m = NULL;
        detent_error error = {0};
        assert_int_equal(detent_mechanism_load(files.paths[k], NULL, &m, &error), DETENT_OK);
        const char *difference = written_differs(m, NULL);
        if (difference) {
            fail_msg("%s: %s", files.paths[k], difference);
        }
        detent_mechanism_destroy(m);
        tried++;
    }
    assert_true(tried >= least);
    free_listing(&files);
}

static void mechanisms_are_the_same(void **state)
{
    (void)state;
    check_folder("mechanisms", 30);
}

static void corpus_is_the_same(void **state)
{
    (void)state;
    check_folder("tests/corpus/good", 60);
}

static void found_ones_are_the_same(void **state)
{
    (void)state;
    check_folder("tests/found", 60);
}

/* ---- runs ---- */

static void must(detent_status status, const detent_error *error)
{
    if (status < 0) {
        fail_msg("%s", error->message);
    }
}

static void read_all(detent_simulation *s, detent_quantity what, double *values, size_t count)
{
    detent_error e = {0};
    must(detent_read(s, what, values, count, &e), &e);
}

/* Where both are, to the last bit. */
static void compare_states(detent_simulation *const both[2], const detent_mechanism_info *info,
                           const char *path)
{
    const struct {
        detent_quantity what;
        size_t count;
    } vectors[] = {{DETENT_POSITIONS, info->coordinates}, {DETENT_VELOCITIES, info->freedoms},
                   {DETENT_FRICTIONS, info->stictions},   {DETENT_MODES, info->stictions},
                   {DETENT_OUTPUTS, info->outputs},       {DETENT_STATES, info->states}};
    double value[2][4096];
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
        assert_true(vectors[k].count <= 4096);
        for (int n = 0; n < 2; n++) {
            read_all(both[n], vectors[k].what, value[n], vectors[k].count);
        }
        if (memcmp(value[0], value[1], vectors[k].count * sizeof(double)) != 0) {
            fail_msg("%s: vector %d differs", path, (int)vectors[k].what);
        }
    }
    detent_statistics statistics[2];
    for (int n = 0; n < 2; n++) {
        statistics[n] = (detent_statistics)DETENT_INIT(detent_statistics);
        detent_get_statistics(both[n], &statistics[n]);
    }
    assert_int_equal(statistics[0].steps, statistics[1].steps);
    assert_int_equal(statistics[0].events, statistics[1].events);
}

static void run_both(const char *name, double end)
{
    enum { STOPS = 8 };
    char path[1024];
    detent_mechanism *m[2] = {NULL, NULL};
    detent_simulation *s[2] = {NULL, NULL};
    detent_error e = {0};
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    snprintf(path, sizeof path, "%s/%s.yaml", DETENT_SOURCE_DIR, name);
    must(detent_mechanism_load(path, NULL, &m[0], &e), &e);
    assert_null(written_differs(m[0], &m[1]));
    detent_mechanism_get_info(m[0], &info);
    for (int n = 0; n < 2; n++) {
        must(detent_simulation_create(m[n], NULL, &s[n], &e), &e);
    }
    const double start = detent_time(s[0]);
    for (int k = 1; k <= STOPS; k++) {
        for (int n = 0; n < 2; n++) {
            must(detent_advance(s[n], start + end * k / STOPS, false, &e), &e);
        }
        compare_states(s, &info, path);
    }
    for (int n = 0; n < 2; n++) {
        detent_simulation_destroy(s[n]);
        detent_mechanism_destroy(m[n]);
    }
}

static void runs_are_the_same(void **state)
{
    (void)state;
    run_both("mechanisms/sticky_double_pendulum", 2);
    run_both("mechanisms/z1_arm", 0.2);
    run_both("mechanisms/four_bar", 1);
    run_both("mechanisms/gear_rattle", 0.5);
    run_both("mechanisms/servo", 0.5);
    run_both("mechanisms/robot_drive", 0.5);
    run_both("mechanisms/burridge_knopoff", 0.5);
    run_both("tests/corpus/good/chain_of_blocks", 1);
    run_both("tests/corpus/good/joint_frames", 1);
    run_both("tests/corpus/good/friction_laws", 0.5);
    run_both("tests/corpus/good/fixed_step", 0.2);
    run_both("tests/corpus/good/previous", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mechanisms_are_the_same),
        cmocka_unit_test(corpus_is_the_same),
        cmocka_unit_test(found_ones_are_the_same),
        cmocka_unit_test(runs_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
