/* Robots imported in several threads at once: the text is that of a single one. Under ThreadSanitizer this also proves that they share nothing
 * that changes. */

#include "detent/import.h"
#include "test_api_fixture.h"

#include <pthread.h>

enum { THREADS = 4, TIMES = 20 };

static const char *const sources[] = {"/tests/import/features.urdf", "/tests/import/features.xml",
                                      "/tests/import/together.urdf", "/tests/import/platform.xml"};

static char *result_of(const char *source)
{
    char path[1000];
    detent_imported *imported = NULL;
    snprintf(path, sizeof path, "%s%s", DETENT_SOURCE_DIR, source);
    if (detent_import_file(path, NULL, &imported, NULL)) {
        return NULL;
    }
    char *text = strdup(detent_imported_text(imported, NULL));
    detent_imported_destroy(imported);
    return text;
}

/* No assertions: cmocka's belong to the main thread. The argument is NULL afterwards where all was well. */
static void *work(void *argument)
{
    const char **expected = argument;
    bool good = true;
    for (int k = 0; k < TIMES && good; k++) {
        const size_t which = (size_t)k % (sizeof sources / sizeof *sources);
        char *text = result_of(sources[which]);
        good = text && strcmp(text, expected[which]) == 0;
        free(text);
    }
    return good ? NULL : argument;
}

static void test_threads(void **state)
{
    UNUSED(state);
    pthread_t threads[THREADS];
    const char *expected[sizeof sources / sizeof *sources];
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        expected[k] = result_of(sources[k]);
        assert_non_null(expected[k]);
    }
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_create(&threads[k], NULL, work, expected), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        void *result;
        assert_int_equal(pthread_join(threads[k], &result), 0);
        assert_null(result);
    }
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        free((char *)expected[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
