/* Every file of tests/corpus/good and of mechanisms loads. Every file of tests/corpus/bad is refused at the
 * place and with the words that its first line announces:
 *
 *     # LINE:COLUMN | FRAGMENT OF THE MESSAGE | schema: reject or accept
 */

#include "test_format_support.h"

static void good_files_load(void **state)
{
    (void)state;
    listing files = {.count = 0};
    list_folder("tests/corpus/good", &files);
    assert_true(files.count >= 30);
    list_folder("mechanisms", &files);
    for (size_t i = 0; i < files.count; i++) {
        detent_mechanism *mechanism = NULL;
        detent_error error = {0};
        if (detent_mechanism_load(files.paths[i], NULL, &mechanism, &error) != DETENT_OK) {
            fail_msg("%s:%d:%d: %s", files.paths[i], error.line, error.column, error.message);
        }
        detent_mechanism_destroy(mechanism);
    }
    free_listing(&files);
}

typedef struct announcement {
    int line, column;
    char fragment[256];
} announcement;

static void read_announcement(const char *path, announcement *expected)
{
    char first[512] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(first, sizeof first, file));
    fclose(file);
    int end = 0;
    if (sscanf(first, "# %d:%d | %n", &expected->line, &expected->column, &end) != 2 || end == 0) {
        fail_msg("%s: no announcement", path);
    }
    const char *bar = strstr(first + end, " | schema: ");
    assert_non_null(bar);
    snprintf(expected->fragment, sizeof expected->fragment, "%.*s", (int)(bar - first - end),
             first + end);
    assert_true(expected->fragment[0] != '\0');
}

static void check_bad_file(const char *path)
{
    announcement expected;
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    read_announcement(path, &expected);
    detent_status status = detent_mechanism_load(path, NULL, &mechanism, &error);
    if (status == DETENT_OK) {
        fail_msg("%s: is not refused", path);
    }
    if (status != DETENT_ERROR_MODEL && status != DETENT_ERROR_SYNTAX) {
        fail_msg("%s: status %d: %s", path, status, error.message);
    }
    if (error.line != expected.line || error.column != expected.column) {
        fail_msg("%s: refused at %d:%d: %s", path, error.line, error.column, error.message);
    }
    if (!strstr(error.message, expected.fragment)) {
        fail_msg("%s: the message is: %s", path, error.message);
    }
    assert_string_equal(error.file, path);
    assert_null(mechanism);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    listing files = {.count = 0};
    list_folder("tests/corpus/bad", &files);
    assert_true(files.count >= 100);
    for (size_t i = 0; i < files.count; i++) {
        check_bad_file(files.paths[i]);
    }
    free_listing(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_load),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
