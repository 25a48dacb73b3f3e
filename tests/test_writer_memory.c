/* While a mechanism is written every piece of memory fails in its turn, and no other: that is an error, nothing is left, and no half of a text is told
 * for a whole one. */

#include "support_refusal.h"
#include "test_format_support.h"

#include <stdint.h>
#include <yaml.h>

int __real_yaml_emitter_initialize(yaml_emitter_t *emitter);
int __wrap_yaml_emitter_initialize(yaml_emitter_t *emitter);

int __wrap_yaml_emitter_initialize(yaml_emitter_t *emitter)
{
    return refusal_next() ? 0 : __real_yaml_emitter_initialize(emitter);
}

enum { ROOM = 1 << 16 };

/* Writes without piece `k`. `*count`: how many were asked for. */
static detent_status write_without(const detent_mechanism *m, size_t k, char *text, size_t *count,
                                   detent_error *error)
{
    size_t length = 0;
    refusal_begin(k);
    const detent_status status = detent_mechanism_text(m, text, ROOM, &length, error);
    *count = refusal_end();
    return status;
}

static size_t sweep(const char *name)
{
    static char whole[ROOM], text[ROOM];
    char path[1024];
    ledger book = {.allowed = SIZE_MAX};
    const detent_allocator allocator = ledger_allocator(&book);
    const detent_load_options options = {.size = sizeof options, .allocator = &allocator};
    detent_mechanism *m = NULL;
    detent_error error = {0};
    snprintf(path, sizeof path, "%s/tests/corpus/good/%s.yaml", DETENT_SOURCE_DIR, name);
    assert_int_equal(detent_mechanism_load(path, &options, &m, &error), DETENT_OK);
    size_t count, asked;
    assert_int_equal(write_without(m, SIZE_MAX, whole, &count, &error), DETENT_OK);
    const size_t alive = book.alive;
    for (size_t k = 0; k < count; k++) {
        error = (detent_error){0};
        const detent_status status = write_without(m, k, text, &asked, &error);
        if (status != DETENT_ERROR_MEMORY || error.status != DETENT_ERROR_MEMORY ||
            book.alive != alive) {
            fail_msg("%s: without piece %zu of %zu: status %d: %s; %zu pieces, not %zu", path, k,
                     count, status, error.message, book.alive, alive);
        }
    }
    assert_int_equal(write_without(m, count, text, &asked, &error), DETENT_OK);
    assert_string_equal(text, whole);
    detent_mechanism_destroy(m);
    assert_int_equal(book.alive, 0);
    return count;
}

static void every_piece_fails_in_its_turn(void **state)
{
    (void)state;
    static const char *const names[] = {
        "bushings", "cam",   "chain_ladder", "couplings",        "friction_laws",
        "shapes",   "loads", "points",       "joint_primitives", "initial_section",
        "states",   "stops", "blocks"};
    size_t pieces = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        pieces += sweep(names[k]);
    }
    assert_true(pieces > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_piece_fails_in_its_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
