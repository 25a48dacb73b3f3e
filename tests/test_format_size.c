/* What a file asks for grows as the file: signals in a row and in a fan, long labels. What a short file could ask for
 * without end has a bound with a place. */

#include "support_runs.h"
#include "test_format_support.h"

#include <math.h>
#include <time.h>

typedef struct bill {
    size_t bytes; /* asked for in all */
    double time;  /* of the CPU, s */
} bill;

static void *allocate(size_t size, void *context)
{
    *(size_t *)context += size;
    return malloc(size);
}

static void release(void *memory, void *context)
{
    (void)context;
    free(memory);
}

static runs_text begin(void)
{
    runs_text p = {0};
    runs_say(&p, "detent: 1\ngravity: [0, 0, 0]\nbodies: {block: {mass: 1}}\n"
                 "joints: {slide: {type: prismatic, base: ground, follower: block}}\n");
    return p;
}

/* The least time of three readings of the text. */
static bill read_page(runs_text *p)
{
    bill b = {.time = INFINITY};
    for (int k = 0; k < 3; k++) {
        b.bytes = 0;
        const detent_allocator allocator = {allocate, release, &b.bytes};
        const detent_load_options options = {.size = sizeof options, .allocator = &allocator};
        detent_mechanism *m = NULL;
        detent_error error;
        const clock_t begun = clock();
        if (detent_mechanism_parse(p->text, p->length, "page", &options, &m, &error)) {
            fail_msg("%d:%d: %s", error.line, error.column, error.message);
        }
        b.time = fmin(b.time, (double)(clock() - begun) / CLOCKS_PER_SEC);
        detent_mechanism_destroy(m);
    }
    free(p->text);
    return b;
}

typedef runs_text (*author)(int count);

static runs_text row(int count)
{
    runs_text p = begin();
    runs_say(&p, "signals:\n  s0: sin(t)\n");
    for (int k = 1; k < count; k++) {
        runs_say(&p, "  s%d: s%d*1.0001 + %d*position(slide)\n", k, k - 1, k);
    }
    runs_say(&p, "outputs: [s%d]\n", count - 1);
    return p;
}

static runs_text fan(int count)
{
    runs_text p = begin();
    runs_say(&p, "signals:\n  s0: sin(t)\n");
    for (int k = 1; k < count; k++) {
        runs_say(&p, "  s%d: s%d + s%d*t\n", k, k - 1, k / 2);
    }
    runs_say(&p, "outputs: [s%d]\n", count - 1);
    return p;
}

/* Every signal of a row is an output, too. */
static runs_text row_of_outputs(int count)
{
    runs_text p = row(count);
    p.length -= strlen(strstr(p.text, "outputs:"));
    runs_say(&p, "outputs:\n");
    for (int k = 0; k < count; k++) {
        runs_say(&p, "  - s%d\n", k);
    }
    return p;
}

static runs_text label(int count)
{
    runs_text p = begin();
    runs_say(&p, "outputs:\n  - \"t");
    for (int k = 1; k < count; k++) {
        runs_say(&p, "%s+ t", k % 7 == 0 ? "\\n" : "   ");
    }
    runs_say(&p, "\"\n");
    return p;
}

/* Four times as much takes four times as much, not sixteen times. */
static void compare(author write, int count)
{
    runs_text small = write(count), large = write(4 * count);
    const bill one = read_page(&small), four = read_page(&large);
    assert_true(four.bytes < 8 * one.bytes);
    assert_true(four.time < 8 * one.time + 0.05);
}

static void texts_take_what_they_are_long(void **state)
{
    (void)state;
    compare(row, 4000);
    compare(fan, 4000);
    compare(label, 10000);
    compare(row_of_outputs, 4000);
}

/* Outputs share what they are made of: constants among them, the same one twice, one that is part of another. */
static void outputs_have_their_own_values(void **state)
{
    (void)state;
    runs_text p = begin();
    runs_say(&p, "signals: {a: 2*t + 1, b: a*a}\n"
                 "outputs: [b, 5, a, t, b, position(slide), a + b, 5 + 1, velocity(slide), 2*b]\n"
                 "chain: {count: 3, outputs: [i, i*t, a + i]}\n"
                 "simulation: {start: 3}\n");
    static const double expected[] = {49, 5, 7, 3, 49, 0, 56, 6, 0, 98, 1, 3, 8, 2, 6, 9, 3, 9, 10};
    enum { COUNT = sizeof expected / sizeof *expected };
    double values[COUNT];
    detent_mechanism *m = NULL;
    detent_simulation *s = NULL;
    detent_error error;
    if (detent_mechanism_parse(p.text, p.length, "page", NULL, &m, &error)) {
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    }
    assert_int_equal(detent_simulation_create(m, NULL, &s, &error), DETENT_OK);
    assert_int_equal(detent_read(s, DETENT_OUTPUTS, values, COUNT, &error), DETENT_OK);
    for (size_t k = 0; k < COUNT; k++) {
        assert_true(values[k] == expected[k]);
    }
    static const char *const units[] = {"", "", "", "s", "", "m", "", "", "m/s"};
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
        assert_string_equal(detent_unit(m, DETENT_OUTPUT, k), units[k]);
    }
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    free(p.text);
}

static void refuse(runs_text *p, int line, int column, const char *words)
{
    detent_mechanism *m = NULL;
    detent_error error;
    assert_int_equal(detent_mechanism_parse(p->text, p->length, "page", NULL, &m, &error),
                     DETENT_ERROR_MODEL);
    if (error.line != line || error.column != column || !strstr(error.message, words)) {
        fail_msg("%d:%d: %s", error.line, error.column, error.message);
    }
    free(p->text);
}

static void short_files_have_bounds(void **state)
{
    (void)state;
    runs_text p = begin();
    runs_say(&p, "chain:\n");
    for (int k = 1; k <= 10; k++) {
        runs_say(&p,
                 "  - {count: 1e6, bodies: {c%d: {mass: 1}}, joints: {k%d: {type: prismatic, base: "
                 "ground, follower: \"c%d[i]\"}}}\n",
                 k, k, k);
    }
    refuse(&p, 8, 13, "all chains up to here 6000000; at most 5000000");

    p = begin();
    runs_say(&p, "chain:\n");
    for (int k = 1; k <= 10; k++) {
        runs_say(&p, "  - {count: 1e6}\n");
    }
    refuse(&p, 11, 13, "all chains up to here 6000000");

    p = begin();
    runs_say(&p, "chain:\n  count: 1e6\n  outputs: [t");
    for (int k = 0; k < 1000; k++) {
        runs_say(&p, "+t");
    }
    runs_say(&p, "]\n");
    refuse(&p, 6, 10, "MB of text");

    p = begin();
    runs_say(&p, "signals:\n  s0: sin(t)\n"); /* of which every law has a copy */
    for (int k = 1; k < 4000; k++) {
        runs_say(&p, "  s%d: s%d*1.0001 + %d*position(slide)\n", k, k - 1, k);
    }
    runs_say(&p, "loads:\n");
    for (int k = 0; k < 1000; k++) {
        runs_say(&p, "  l%d: {body: block, force: [s3999 + %d, 0, 0]}\n", k, k);
    }
    refuse(&p, 4632, 31, "too much from signals");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_take_what_they_are_long),
        cmocka_unit_test(outputs_have_their_own_values),
        cmocka_unit_test(short_files_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
