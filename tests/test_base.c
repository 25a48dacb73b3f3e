/* The base layer: memory, errors, names, numbers as text. */

#include "support_ledger.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/name_map.h"
#include "base/nearest.h"
#include "base/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool all_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bytes[i]) {
            return false;
        }
    }
    return true;
}

/* --- Arena ------------------------------------------------------------------------------------ */

static void arena_gives_aligned_zeroed_disjoint_arrays(void **state)
{
    (void)state;
    dt_arena arena;
    dt_arena_init(&arena, NULL);
    unsigned char *previous = NULL;
    size_t previous_size = 0;
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *array = dt_arena_alloc(&arena, size, 1);
        assert_non_null(array);
        assert_int_equal((uintptr_t)array % DT_ARENA_ALIGNMENT, 0);
        assert_true(all_zero(array, size));
        memset(array, 0xA5, size);
        if (previous_size) {
            assert_int_equal(previous[0], 0xA5);
            assert_int_equal(previous[previous_size - 1], 0xA5);
            assert_true(previous + previous_size <= array || array + size <= previous);
        }
        previous = array;
        previous_size = size;
    }
    dt_arena_free(&arena);
    assert_int_equal(dt_arena_bytes(&arena), 0);
}

static void arena_refuses_sizes_that_overflow(void **state)
{
    (void)state;
    ledger book = {.allowed = 100};
    detent_allocator allocator = ledger_allocator(&book);
    dt_arena arena;
    dt_arena_init(&arena, &allocator);
    assert_null(dt_arena_alloc(&arena, SIZE_MAX / 2, 3));
    assert_null(dt_arena_alloc(&arena, SIZE_MAX, 1));
    assert_null(dt_arena_alloc(&arena, 1, SIZE_MAX - 63));
    assert_null(dt_arena_copy(&arena, "x", SIZE_MAX));
    double *old = dt_arena_alloc(&arena, 2, sizeof *old);
    assert_non_null(old);
    assert_null(dt_arena_grow(&arena, old, 2, SIZE_MAX / 4, sizeof *old));
    assert_null(dt_arena_grow(&arena, old, 2, 1, sizeof *old)); /* no growth */
    assert_null(dt_arena_grow(&arena, old, 2, SIZE_MAX / sizeof *old, sizeof *old));
    assert_int_equal(book.calls, 1);
    dt_arena_free(&arena);
    assert_int_equal(book.alive, 0);
}

static void arena_takes_few_chunks_and_returns_them(void **state)
{
    (void)state;
    ledger book = {.allowed = SIZE_MAX};
    detent_allocator allocator = ledger_allocator(&book);
    dt_arena arena;
    dt_arena_init(&arena, &allocator);
    assert_int_equal(book.calls, 0);
    assert_non_null(dt_arena_alloc(&arena, 10, 8));
    assert_int_equal(book.calls, 1);
    assert_true(dt_arena_bytes(&arena) <= 4096);

    for (int i = 0; i < 100000; i++) {
        assert_non_null(dt_arena_alloc(&arena, 8, 8)); /* 6.4 MB */
    }
    assert_true(book.calls < 20);

    /* An array beyond any chunk does not cost the room that is left in the current one. */
    size_t calls = book.calls;
    for (int i = 0; i < 10; i++) {
        assert_non_null(dt_arena_alloc(&arena, (size_t)2 << 20, 1));
        assert_non_null(dt_arena_alloc(&arena, 8, 8));
    }
    assert_true(book.calls <= calls + 11);
    dt_arena_free(&arena);
    assert_int_equal(book.alive, 0);
    assert_non_null(dt_arena_alloc(&arena, 1, 1));
    dt_arena_free(&arena);
    assert_int_equal(book.alive, 0);
}

static void arena_survives_a_failing_allocator(void **state)
{
    (void)state;
    for (size_t allowed = 0; allowed < 4; allowed++) {
        ledger book = {.allowed = allowed};
        detent_allocator allocator = ledger_allocator(&book);
        dt_arena arena;
        dt_arena_init(&arena, &allocator);
        unsigned char *last = NULL;
        for (int i = 0; i < 1000; i++) {
            unsigned char *next = dt_arena_alloc(&arena, 100, 1);
            if (!next) {
                break;
            }
            memset(next, i & 0xFF, 100);
            last = next;
        }
        assert_int_equal(last == NULL, allowed == 0);
        assert_null(dt_arena_alloc(&arena, 1 << 20, 1));
        assert_null(dt_arena_printf(&arena, "%10000d", 1));
        assert_null(dt_arena_grow(&arena, last, last ? 100 : 0, 1 << 20, 1));
        if (last) {
            assert_int_equal(last[0], last[99]);
        }
        dt_arena_free(&arena);
        assert_int_equal(book.alive, 0);
    }
}

static void arena_grows_arrays(void **state)
{
    (void)state;
    dt_arena arena;
    dt_arena_init(&arena, NULL);
    int *array = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 5000; i++) {
        if ((size_t)i == capacity) {
            size_t wanted = capacity ? 2 * capacity : 4;
            int *grown = dt_arena_grow(&arena, array, capacity, wanted, sizeof *array);
            assert_non_null(grown);
            if (i % 3 == 0) { /* now and then something stands behind the array */
                memset(dt_arena_alloc(&arena, 1, 1), 0xFF, 1);
            }
            array = grown;
            assert_int_equal((uintptr_t)array % DT_ARENA_ALIGNMENT, 0);
            assert_true(
                all_zero((unsigned char *)(array + capacity), (wanted - capacity) * sizeof *array));
            capacity = wanted;
        }
        array[i] = i;
    }
    for (int i = 0; i < 5000; i++) {
        assert_int_equal(array[i], i);
    }
    dt_arena_free(&arena);

    /* The newest array grows in place, an older one moves. */
    char *a = dt_arena_alloc(&arena, 8, 1);
    assert_ptr_equal(dt_arena_grow(&arena, a, 8, 100, 1), a);
    char *b = dt_arena_alloc(&arena, 8, 1);
    assert_true(b >= a + 100);
    assert_ptr_not_equal(dt_arena_grow(&arena, a, 100, 200, 1), a);
    dt_arena_free(&arena);
}

static void arena_copies_and_formats_text(void **state)
{
    (void)state;
    dt_arena arena;
    dt_arena_init(&arena, NULL);
    assert_string_equal(dt_arena_copy(&arena, "elbow joint", 5), "elbow");
    assert_string_equal(dt_arena_copy(&arena, NULL, 0), "");
    assert_string_equal(dt_arena_printf(&arena, "%s.r%d", "wrist", 2), "wrist.r2");
    const char *padded = dt_arena_printf(&arena, "%9000s", "x");
    assert_int_equal(strlen(padded), 9000);
    dt_arena_free(&arena);
}

/* --- Errors ----------------------------------------------------------------------------------- */

static void error_is_filled(void **state)
{
    (void)state;
    detent_error error;
    memset(&error, 0x7F, sizeof error);
    dt_location where = {"arm.yaml", 12, 5};
    assert_int_equal(dt_fail(&error, DETENT_ERROR_MODEL, &where, "unknown key '%s'", "mas"),
                     DETENT_ERROR_MODEL);
    assert_int_equal(error.status, DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "unknown key 'mas'");
    assert_string_equal(error.detail, "");
    assert_string_equal(error.file, "arm.yaml");
    assert_int_equal(error.line, 12);
    assert_int_equal(error.column, 5);

    dt_error_detail(&error, "  mas: 1 kg\n%*s^", 2, "");
    assert_string_equal(error.detail, "  mas: 1 kg\n  ^");
    dt_fail(&error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    assert_string_equal(error.file, "");
    assert_string_equal(error.detail, "");
    assert_int_equal(error.line, 0);

    assert_int_equal(dt_fail(NULL, DETENT_ERROR_IO, &where, "%s", "nobody reads this"),
                     DETENT_ERROR_IO);
    dt_error_detail(NULL, "%d", 1);
}

static void error_texts_are_cut_behind_a_whole_character(void **state)
{
    (void)state;
    char text[2001];
    static const char *const characters[] = {"a", "\u00e9", "\u20ac", "\U0001F527"};
    for (size_t k = 0; k < 4; k++) {
        size_t size = strlen(characters[k]);
        for (size_t shift = 0; shift < size; shift++) {
            memset(text, 'x', sizeof text);
            for (size_t at = shift; at + size < sizeof text; at += size) {
                memcpy(text + at, characters[k], size);
            }
            text[sizeof text - 1] = '\0';
            detent_error error;
            dt_location where = {text, 1, 1};
            dt_fail(&error, DETENT_ERROR_MODEL, &where, "%s", text);
            dt_error_detail(&error, "%s", text);
            size_t kept = shift + (sizeof error.message - 1 - shift) / size * size;
            assert_int_equal(strlen(error.message), kept);
            assert_int_equal(strlen(error.detail), kept);
            assert_int_equal(strlen(error.file),
                             shift + (sizeof error.file - 1 - shift) / size * size);
            assert_memory_equal(error.message, text, kept);
        }
    }
}

static void error_can_wrap_itself(void **state)
{
    (void)state;
    detent_error error;
    dt_location where = {"a.yaml", 3, 4};
    dt_fail(&error, DETENT_ERROR_SYNTAX, &where, "unexpected ')'");
    dt_location again = {error.file, error.line, error.column};
    dt_fail(&error, error.status, &again, "in signal 'x': %s", error.message);
    assert_string_equal(error.message, "in signal 'x': unexpected ')'");
    assert_string_equal(error.file, "a.yaml");
}

/* --- Name map --------------------------------------------------------------------------------- */

static void name_map_holds_a_hundred_thousand_names(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    dt_arena arena;
    dt_arena_init(&arena, NULL);
    dt_name_map map;
    dt_name_map_init(&map, &arena);
    assert_int_equal(dt_name_map_get(&map, "link0"), -1);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(dt_name_map_put(&map, dt_arena_printf(&arena, "link%d", i), i), DETENT_OK);
    }
    char name[32];
    for (int i = 0; i < COUNT; i++) {
        snprintf(name, sizeof name, "link%d", i);
        assert_int_equal(dt_name_map_get(&map, name), i);
        assert_int_equal(dt_name_map_put(&map, name, 7), DETENT_ERROR_MODEL);
        snprintf(name, sizeof name, "joint%d", i);
        assert_int_equal(dt_name_map_get(&map, name), -1);
    }
    assert_int_equal(map.count, COUNT);
    assert_int_equal(dt_name_map_find(&map, "link123.r2", strlen("link123")), 123);
    assert_int_equal(dt_name_map_find(&map, "link123", strlen("link12")), 12);
    assert_int_equal(dt_name_map_find(&map, "link123", strlen("lin")), -1);
    assert_int_equal(dt_name_map_put(&map, "", COUNT), DETENT_OK);
    assert_int_equal(dt_name_map_get(&map, ""), COUNT);
    dt_arena_free(&arena);
}

typedef struct named {
    const char *name;
    int other;
} named;

static void packed_name_map(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    dt_arena arena, scratch;
    dt_arena_init(&arena, NULL);
    dt_arena_init(&scratch, NULL);
    dt_name_map map, none;
    dt_name_map_init(&map, &scratch);
    dt_name_map_init(&none, &scratch);
    named *owners = dt_arena_alloc(&arena, COUNT, sizeof *owners);
    for (int i = 0; i < COUNT; i++) {
        owners[i].name = i == 7 ? "" : dt_arena_printf(&arena, "link%d", i);
        assert_int_equal(dt_name_map_put(&map, owners[i].name, i), DETENT_OK);
    }
    assert_true(dt_name_map_pack(&map, &arena, owners, sizeof *owners));
    assert_true(dt_name_map_pack(&none, &arena, owners, sizeof *owners));
    dt_arena_free(&scratch);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(dt_name_map_get(&map, owners[i].name), i);
    }
    assert_int_equal(dt_name_map_find(&map, "link123.r2", strlen("link123")), 123);
    assert_int_equal(dt_name_map_find(&map, "link123", strlen("lin")), -1);
    assert_int_equal(dt_name_map_get(&map, "link5000"), -1);
    assert_int_equal(dt_name_map_get(&none, "link1"), -1);
    dt_arena_free(&arena);
}

static void name_map_reports_lack_of_memory(void **state)
{
    (void)state;
    ledger book = {.allowed = 1};
    detent_allocator allocator = ledger_allocator(&book);
    dt_arena arena;
    dt_arena_init(&arena, &allocator);
    dt_name_map map;
    dt_name_map_init(&map, &arena);
    char names[1000][8];
    int count = 0;
    detent_status status = DETENT_OK;
    while (count < 1000 && status == DETENT_OK) {
        snprintf(names[count], sizeof names[count], "n%d", count);
        status = dt_name_map_put(&map, names[count], count);
        count += status == DETENT_OK;
    }
    assert_int_equal(status, DETENT_ERROR_MEMORY);
    for (int i = 0; i < count; i++) {
        assert_int_equal(dt_name_map_get(&map, names[i]), i);
    }
    dt_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_gives_aligned_zeroed_disjoint_arrays),
        cmocka_unit_test(arena_refuses_sizes_that_overflow),
        cmocka_unit_test(arena_takes_few_chunks_and_returns_them),
        cmocka_unit_test(arena_survives_a_failing_allocator),
        cmocka_unit_test(arena_grows_arrays),
        cmocka_unit_test(arena_copies_and_formats_text),
        cmocka_unit_test(error_is_filled),
        cmocka_unit_test(error_texts_are_cut_behind_a_whole_character),
        cmocka_unit_test(error_can_wrap_itself),
        cmocka_unit_test(name_map_holds_a_hundred_thousand_names),
        cmocka_unit_test(packed_name_map),
        cmocka_unit_test(name_map_reports_lack_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
