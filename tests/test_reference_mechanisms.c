/* Every file in mechanisms/ loads without a warning, runs to its end at its own tolerances, balances its energy and ends with
 * finite numbers; with either linear solver. */

#include "support_runs.h"

#include <dirent.h>

enum { MOST_FILES = 64, LONGEST_NAME = 256 };

static size_t list_files(char name[MOST_FILES][LONGEST_NAME])
{
    DIR *folder = opendir(DETENT_SOURCE_DIR "/mechanisms");
    assert_non_null(folder);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0) {
            assert_true(count < MOST_FILES);
            snprintf(name[count++], LONGEST_NAME, "%s", entry->d_name);
        }
    }
    closedir(folder);
    return count;
}

static void check_finite(const char *file, const detent_mechanism *m, detent_simulation *s)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    detent_mechanism_get_info(m, &info);
    const struct {
        detent_quantity quantity;
        size_t count;
    } all[] = {{DETENT_POSITIONS, info.coordinates},  {DETENT_VELOCITIES, info.freedoms},
               {DETENT_ACCELERATIONS, info.freedoms}, {DETENT_FORCES, info.freedoms},
               {DETENT_FRICTIONS, info.stictions},    {DETENT_MARGINS, info.stictions},
               {DETENT_OUTPUTS, info.outputs}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        double *values = calloc(all[k].count + 1, sizeof *values);
        assert_non_null(values);
        runs_must(detent_read(s, all[k].quantity, values, all[k].count, &error), &error);
        for (size_t i = 0; i < all[k].count; i++) {
            if (!isfinite(values[i])) {
                fail_msg("%s: a value of quantity %zu is not finite in the end", file, k);
            }
        }
        free(values);
    }
}

static void check_file(const char *file, detent_linear_solver solver)
{
    detent_mechanism *m = runs_load(file, NULL);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &settings);
    if (info.warnings > 0) {
        fail_msg("%s: %s", file, detent_name(m, DETENT_WARNING, 0));
    }
    settings.linear_solver = solver;
    detent_simulation *s = runs_start(m, &settings);
    runs_advance(s, settings.end);
    runs_near(file, runs_relative_energy_gap(s), 0, fmin(1e-5, 100 * settings.rtol));
    check_finite(file, m, s);
    runs_end(s, m);
}

static void check_all(detent_linear_solver solver)
{
    static char file[MOST_FILES][LONGEST_NAME];
    const size_t count = list_files(file);
    assert_true(count >= 10);
    for (size_t k = 0; k < count; k++) {
        check_file(file[k], solver);
    }
}

static void test_every_mechanism(void **state)
{
    UNUSED(state);
    check_all(DETENT_LINEAR_SOLVER_TREE);
}

static void test_every_mechanism_dense(void **state)
{
    UNUSED(state);
    check_all(DETENT_LINEAR_SOLVER_DENSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_mechanism),
        cmocka_unit_test(test_every_mechanism_dense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
