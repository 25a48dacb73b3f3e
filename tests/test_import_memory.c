/* While a robot is imported every piece of memory fails in its turn, and no other: that is an error, and nothing is left. */
#include "robots_of_tests.h"
#include "support_refusal.h"

#include "detent/import.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct wish {
    const char *text, *keyframe;
    detent_import_base base;
} wish;

static detent_status import(const void *source, const detent_allocator *allocator,
                            detent_error *error)
{
    const wish *w = source;
    detent_import_options options = DETENT_INIT(detent_import_options);
    detent_imported *imported = NULL;
    options.allocator = allocator;
    options.base = w->base;
    options.keyframe = w->keyframe;
    options.balance = true;
    const detent_status status =
        detent_import_text(w->text, strlen(w->text), "robot", &options, &imported, error);
    assert_true((status == DETENT_OK) == (imported != NULL));
    detent_imported_destroy(imported);
    return status;
}

static void every_piece_fails_in_its_turn(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        wish source;
    } robots[] = {
        {"URDF", {.text = urdf_robot}},
        {"URDF, floating", {.text = urdf_robot, .base = DETENT_IMPORT_BASE_FLOATING}},
        {"MJCF", {.text = mjcf_robot}},
        {"MJCF, floating", {.text = mjcf_robot, .base = DETENT_IMPORT_BASE_FLOATING}},
        {"MJCF, placed", {.text = mjcf_robot, .keyframe = "start"}},
    };
    for (size_t k = 0; k < sizeof robots / sizeof *robots; k++) {
        assert_true(refusal_sweep(robots[k].name, &robots[k].source, import) > 300);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_piece_fails_in_its_turn)};
    return cmocka_run_group_tests_name("import without memory", tests, NULL, NULL);
}
