/* Damaged files: whatever happens to a text, the reader neither crashes nor hangs; it loads it, or refuses
 * it with a message and a place. The damage is deterministic. */

#include "test_format_support.h"

#include <stdint.h>

enum { VARIANTS_PER_FILE = 60, LONGEST = 64 * 1024 };

typedef struct dice {
    uint64_t state;
} dice;

/* xorshift64*: S. Vigna, ACM Transactions on Mathematical Software 42 (2016). */
static uint64_t roll(dice *d)
{
    d->state ^= d->state >> 12;
    d->state ^= d->state << 25;
    d->state ^= d->state >> 27;
    return d->state * UINT64_C(2685821657736338717);
}

static size_t below(dice *d, size_t bound)
{
    return bound ? (size_t)(roll(d) % bound) : 0;
}

/* The text under damage; there is always room for another piece of it. */
typedef struct specimen {
    char text[2 * LONGEST];
    size_t length;
} specimen;

static void insert(specimen *s, size_t at, const char *piece, size_t length)
{
    if (s->length + length <= LONGEST) {
        memmove(s->text + at + length, s->text + at, s->length - at);
        memcpy(s->text + at, piece, length);
        s->length += length;
    }
}

static void cut(specimen *s, size_t at, size_t length)
{
    length = length < s->length - at ? length : s->length - at;
    memmove(s->text + at, s->text + at + length, s->length - at - length);
    s->length -= length;
}

static void flip(specimen *s, dice *d)
{
    if (s->length) {
        s->text[below(d, s->length)] ^= (char)(1 << below(d, 8));
    }
}

static void drop(specimen *s, dice *d)
{
    cut(s, below(d, s->length + 1), 1 + below(d, 12));
}

static void repeat(specimen *s, dice *d)
{
    char piece[64];
    size_t at = below(d, s->length + 1), length = below(d, sizeof piece);
    length = length < s->length - at ? length : s->length - at;
    memcpy(piece, s->text + at, length);
    insert(s, at, piece, length);
}

static void truncate(specimen *s, dice *d)
{
    s->length = below(d, s->length + 1);
}

static void add_character(specimen *s, dice *d)
{
    static const char characters[] = "{}[]:,-#&*!|>'\"%@`?~ \t\n\r\\.()^=<i0";
    insert(s, below(d, s->length + 1), &characters[below(d, sizeof characters)], 1);
}

/* The first line end from `at` on, or the end of the text. */
static size_t line_end(const specimen *s, size_t at)
{
    while (at < s->length && s->text[at] != '\n') {
        at++;
    }
    return at;
}

/* Swaps a line with the next one. */
static void swap_lines(specimen *s, dice *d)
{
    char line[256];
    size_t start = line_end(s, below(d, s->length + 1)) + 1;
    if (start >= s->length) {
        return;
    }
    size_t end = line_end(s, start) + 1;
    if (end < s->length && end - start < sizeof line) {
        size_t length = end - start;
        memcpy(line, s->text + start, length);
        cut(s, start, length);
        size_t next = line_end(s, start);
        insert(s, next < s->length ? next + 1 : next, line, length);
    }
}

static void replace_number(specimen *s, dice *d)
{
    static const char *const numbers[] = {"0",      "-1",     "1e308",   "1e309", "-0.0",  "1e-320",
                                          ".nan",   ".inf",   "null",    "true",  "99999", "2.5",
                                          "1/0",    "[0, 0]", "0x1F",    "-",     "1 m",   "i",
                                          "{a: 1}", "''",     "1e999999"};
    size_t at = below(d, s->length + 1);
    while (at < s->length && (s->text[at] < '0' || s->text[at] > '9')) {
        at++;
    }
    size_t end = at;
    while (end < s->length &&
           ((s->text[end] >= '0' && s->text[end] <= '9') || s->text[end] == '.')) {
        end++;
    }
    const char *number = numbers[below(d, sizeof numbers / sizeof *numbers)];
    cut(s, at, end - at);
    insert(s, at, number, strlen(number));
}

static void damage(specimen *s, dice *d)
{
    static void (*const kinds[])(specimen *, dice *) = {
        flip, drop, repeat, truncate, add_character, swap_lines, replace_number};
    size_t times = 1 + below(d, 3);
    for (size_t k = 0; k < times; k++) {
        kinds[below(d, sizeof kinds / sizeof *kinds)](s, d);
    }
}

static void check(const specimen *s, const char *path, int variant)
{
    detent_mechanism *mechanism = NULL;
    detent_error error = {0};
    detent_status status =
        detent_mechanism_parse(s->text, s->length, "damaged", NULL, &mechanism, &error);
    if (status == DETENT_OK) {
        assert_non_null(mechanism);
        detent_mechanism_destroy(mechanism);
        return;
    }
    bool said = status == DETENT_ERROR_MODEL || status == DETENT_ERROR_SYNTAX;
    if (!said || error.line < 1 || error.column < 1 || !error.message[0] || mechanism) {
        fail_msg("%s, variant %d: status %d at %d:%d: %s", path, variant, status, error.line,
                 error.column, error.message);
    }
}

static void damaged_files_are_handled(void **state)
{
    (void)state;
    static specimen whole, s;
    listing files = {.count = 0};
    list_folder("tests/corpus/good", &files);
    list_folder("mechanisms", &files);
    int variants = 0;
    for (size_t i = 0; i < files.count; i++) {
        char *text = read_text_file(files.paths[i], &whole.length);
        assert_true(whole.length <= LONGEST);
        memcpy(whole.text, text, whole.length);
        free(text);
        dice d = {UINT64_C(0x9E3779B97F4A7C15) + i};
        for (int k = 0; k < VARIANTS_PER_FILE; k++, variants++) {
            memcpy(s.text, whole.text, whole.length);
            s.length = whole.length;
            damage(&s, &d);
            check(&s, files.paths[i], k);
        }
    }
    free_listing(&files);
    assert_true(variants >= 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files_are_handled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
