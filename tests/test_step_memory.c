/*
 * Runs of fixed steps without memory, and what is found of loops: every piece fails in its turn, and no other. The solvers of shared forces, each
 * by itself, too.
 */
#include "math/bounded.h"
#include "math/few.h"
#include "math/minimax.h"
#include "math/narrow.h"
#include "math/sparse_rows.h"
#include "support_refusal.h"
#include "support_runs.h"
#include "support_variants.h"
#include "texts_of_elements.h"
#include "texts_of_memory.h"

#include "base/error.h"
#include "detent/analysis.h"

/* Springs and dampers between joints, friction by bristles, a controller with a state, and stiction: all velocities of a step come together. */
static const char coupled[] =
    "detent: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, "
    "inertia: [1, 1, 1]}, d: {mass: 1}}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: a, axis: [1, 0, 0], force: "
    "\"20*(velocity(b) - velocity(a)) + wanted\"}\n"
    "  b: {type: revolute, base: a, follower: b, axis: [0, 1, 0], force: "
    "\"20*(velocity(a) - velocity(b))\", friction: {law: lugre, breakaway: 1.2, coulomb: 1, "
    "breakaway_velocity: 0.01, stiffness: 1000, damping: 3}}\n"
    "  c: {type: revolute, base: ground, follower: c, damping: 2, spring: {stiffness: 3}}\n"
    "  d: {type: prismatic, base: ground, follower: d, axis: [1, 0, 0]}\n"
    "states: {wanted: {derivative: \"velocity(c) - 30*wanted\", initial: 0.5, nominal: 1}}\n"
    "stiction: {c: {kinetic: 1, static: 2, external: \"-40*velocity(b) + wanted\"}, d: {kinetic: "
    "1, "
    "static: 2, external: \"3*sin(t)\"}}\n"
    "simulation: {end: 1}\n";

static const char *const texts[] = {coupled,   plain,        bushing_text, cam_text, slot_text,
                                    stop_text, elastic_text, written_text, mesh_text};

enum { TEXTS = sizeof texts / sizeof *texts, MOST = 64 };

typedef struct source {
    const detent_mechanism *mechanism;
    const detent_settings *settings;
    int size;
} source;

/* ---- runs ---- */

static detent_status create(const void *of, const detent_allocator *allocator, detent_error *error)
{
    const source *from = of;
    const detent_simulation_options options = {
        .size = sizeof options, .allocator = allocator, .settings = from->settings};
    detent_simulation *s = NULL;
    const detent_status status = detent_simulation_create(from->mechanism, &options, &s, error);
    assert_true((status == DETENT_OK) == (s != NULL));
    detent_simulation_destroy(s);
    return status;
}

static void fixed_steps(void **state)
{
    UNUSED(state);
    static const detent_locked_joints locked[] = {DETENT_LOCKED_JOINTS_WELD,
                                                  DETENT_LOCKED_JOINTS_CONSTRAIN};
    for (size_t k = 0; k < TEXTS; k++) {
        detent_mechanism *m = runs_parse(texts[k], NULL);
        for (size_t n = 0; n < sizeof locked / sizeof *locked; n++) {
            detent_settings settings = runs_settings(m, 0, 0);
            settings.integrator = DETENT_INTEGRATOR_FIXED;
            settings.step = 1e-3;
            settings.locked_joints = locked[n];
            const source from = {.mechanism = m, .settings = &settings};
            assert_true(refusal_sweep(texts[k], &from, create) > 100);
        }
        detent_mechanism_destroy(m);
    }
}

/* ---- loops ---- */

/* A lift of scissors whose joints all rub: large enough that who shares what holds it is told by its motions. */
static void many_stictions(void **state)
{
    UNUSED(state);
    static const char friction[] = "stiction:\n"
                                   "  foot[1].r1: {kinetic: 10, static: 12}\n"
                                   "  top: {kinetic: 1, static: 2}\n";
    static const char *const stages[] = {"N=11", NULL};
    const char *path = DETENT_SOURCE_DIR "/mechanisms/scissor_lift.yaml";
    char line[512];
    runs_text page = {0};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        runs_say(&page, "%s", line);
    }
    fclose(file);
    runs_say(&page, "%s", friction);
    for (int k = 1; k <= 11; k++) {
        runs_say(&page,
                 "  left[%d]: {kinetic: 1, static: 2}\n  cross[%d]: {kinetic: 1, static: 2}\n", k,
                 k);
        if (k > 1) {
            runs_say(&page, "  right[%d]: {kinetic: 1, static: 2}\n", k);
        }
    }
    detent_mechanism *m = runs_parse(page.text, stages);
    const detent_settings settings = runs_settings(m, 0, 0);
    const source from = {.mechanism = m, .settings = &settings};
    for (int k = 0; k < (variants_are_few() ? 5 : 1); k++) { /* each time other pieces */
        assert_true(refusal_sweep("lift", &from, create) > 200);
    }
    detent_mechanism_destroy(m);
    free(page.text);
}

static const char four_bar[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, "
    "inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  crank: {type: revolute, base: ground, follower: a, initial: {position: 0.5}}\n"
    "  pin: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}}\n"
    "  rocker: {type: revolute, base: ground, follower: c, at: {base: [4, 0, 0]}, initial: "
    "{position: 1.5}}\n"
    "  top: {type: revolute, base: b, follower: c, at: {base: [3, 0, 0], follower: [3, 0, 0]}, "
    "closes: true}\n";

/* Both ways in which it can be assembled with the crank where it is, and how it passes on what turns it. */
static detent_status find(const void *of, const detent_allocator *allocator, detent_error *error)
{
    const source *from = of;
    static const bool kept[MOST] = {true};
    double positions[4 * MOST];
    detent_branches branches = DETENT_INIT(detent_branches);
    detent_range range = DETENT_INIT(detent_range);
    detent_analysis *a = NULL;
    detent_status status = detent_analysis_create(from->mechanism, allocator, &a, error);
    status = status ? status : detent_find_branches(a, kept, 4, positions, &branches, error);
    assert_true(status || branches.count == 2);
    status = status ? status : detent_find_range(a, 0, 0, 1, &range, error);
    detent_analysis_destroy(a);
    return status;
}

static void loops(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(four_bar, NULL);
    const source from = {.mechanism = m};
    for (int k = 0; k < (variants_are_few() ? 5 : 1); k++) { /* each time other pieces */
        assert_true(refusal_sweep("four-bar", &from, find) > 100);
    }
    detent_mechanism_destroy(m);
}

/* ---- solvers ---- */

static detent_status ends(dt_arena *arena, bool good, detent_error *error)
{
    dt_arena_free(arena);
    return good ? DETENT_OK : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}

static detent_status make_few(const void *of, const detent_allocator *allocator,
                              detent_error *error)
{
    const source *from = of;
    dt_arena arena;
    dt_few few;
    dt_arena_init(&arena, allocator);
    return ends(&arena, dt_few_create(&arena, from->size, 2 * from->size, &few), error);
}

static detent_status make_rows(const void *of, const detent_allocator *allocator,
                               detent_error *error)
{
    const source *from = of;
    const size_t entries = (size_t)(3 * from->size);
    dt_arena arena;
    dt_sparse_rows rows;
    dt_arena_init(&arena, allocator);
    return ends(
        &arena,
        dt_sparse_rows_create(&arena, from->size, from->size + 1, entries, 2 * entries, &rows),
        error);
}

static detent_status make_shares(const void *of, const detent_allocator *allocator,
                                 detent_error *error)
{
    const source *from = of;
    const int forces = 2 * from->size, columns = from->size;
    dt_arena arena;
    dt_minimax minimax;
    dt_bounded bounded;
    dt_narrow narrow;
    dt_arena_init(&arena, allocator);
    return ends(&arena,
                dt_minimax_create(&arena, forces, columns, &minimax) &&
                    dt_bounded_create(&arena, forces, columns, &bounded) &&
                    dt_narrow_create(&arena, forces, columns, &narrow),
                error);
}

static void solvers(void **state)
{
    UNUSED(state);
    for (int k = 1; k <= 5; k++) {
        const source from = {.size = k};
        assert_true(refusal_sweep("few", &from, make_few) == 12);
    }
    for (int k = 1; k <= 5; k++) {
        const source from = {.size = k};
        assert_true(refusal_sweep("sparse rows", &from, make_rows) == 17);
    }
    for (int k = 1; k <= 5; k++) {
        const source from = {.size = k};
        assert_true(refusal_sweep("shares", &from, make_shares) > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fixed_steps),
                                       cmocka_unit_test(many_stictions), cmocka_unit_test(loops),
                                       cmocka_unit_test(solvers)};
    return cmocka_run_group_tests_name("steps without memory", tests, NULL, NULL);
}
