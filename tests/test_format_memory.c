/* Each allocation fails in turn: the reader says that memory is out, and gives back what it had.
 * libyaml's and udunits' own memory comes from malloc and is not part of this. */

#include "test_format_support.h"

static void sweep(const char *path)
{
    size_t length = 0;
    char *text = read_text_file(path, &length);
    size_t allowed = 0;
    for (;; allowed++) {
        ledger book = {.allowed = allowed};
        const detent_allocator allocator = ledger_allocator(&book);
        const detent_load_options options = {.size = sizeof options, .allocator = &allocator};
        detent_mechanism *mechanism = NULL;
        detent_error error = {0};
        detent_status status =
            detent_mechanism_parse(text, length, path, &options, &mechanism, &error);
        if (status == DETENT_OK) {
            detent_mechanism_destroy(mechanism);
            assert_int_equal(book.alive, 0);
            break;
        }
        if (status != DETENT_ERROR_MEMORY || error.status != DETENT_ERROR_MEMORY ||
            book.alive > 0) {
            fail_msg("%s: with %zu allocations: status %d, %zu left: %s", path, allowed, status,
                     book.alive, error.message);
        }
        assert_true(error.message[0] != '\0');
        assert_null(mechanism);
    }
    assert_true(allowed > 2);
    free(text);
}

static void every_failure_is_reported(void **state)
{
    (void)state;
    listing files = {.count = 0};
    list_folder("tests/corpus/good", &files);
    for (size_t i = 0; i < files.count; i++) {
        sweep(files.paths[i]);
    }
    free_listing(&files);
}

/* A refused file gives everything back too. */
static void refusals_leave_nothing(void **state)
{
    (void)state;
    listing files = {.count = 0};
    list_folder("tests/corpus/bad", &files);
    for (size_t i = 0; i < files.count; i++) {
        ledger book = {.allowed = (size_t)-1};
        const detent_allocator allocator = ledger_allocator(&book);
        const detent_load_options options = {.size = sizeof options, .allocator = &allocator};
        detent_mechanism *mechanism = NULL;
        assert_true(detent_mechanism_load(files.paths[i], &options, &mechanism, NULL) < 0);
        assert_int_equal(book.alive, 0);
    }
    free_listing(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_is_reported),
        cmocka_unit_test(refusals_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
