/*
 * What the joint that an item is along decides of it (model/item.h): what is wrong with it, the units of its expressions, of its laws
 * and of its states; by a kind that only this test knows, whose joint is a key, in files and in calls of any order.
 */
#include "detent/detent.h"
#include "format/reader.h"
#include "model/builder.h"
#include "model/mechanism.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- a kind ---- */

typedef struct clutch {
    size_t size; /* dt_item_head */
    const char *name, *joint, *demand, *stiffness;
    double radius;
} clutch;

static const dt_key keys[] = {
    {"joint", DT_VALUE_JOINT, true, offsetof(clutch, joint), NULL, NULL},
    {"demand", DT_VALUE_EXPRESSION, true, offsetof(clutch, demand), DT_OF_ITS_JOINT(EFFORT), NULL},
    {"stiffness", DT_VALUE_EXPRESSION, false, offsetof(clutch, stiffness),
     DT_OF_ITS_JOINT(STIFFNESS), NULL},
    {"radius", DT_VALUE_POSITIVE, false, offsetof(clutch, radius), &dt_dimension_length, NULL},
    DT_KEYS_END,
};

static const char *fault(const void *definition, bool rotational, const char **key)
{
    const bool has = ((const clutch *)definition)->radius > 0;
    *key = has ? "radius" : "joint";
    return rotational == has ? NULL : has ? "it has a radius" : "it has no radius";
}

static const dt_item_law laws[] = {{"demand", DT_USE_FORCE, NULL}};

static const char *text(dt_arena *arena, const void *definition, int law, const dt_active *active)
{
    (void)law, (void)active;
    return dt_arena_printf(arena, "%s.press", ((const clutch *)definition)->name);
}

static const char *rate(dt_arena *arena, const void *definition, int k)
{
    const clutch *of = definition;
    (void)k;
    return dt_arena_printf(arena, "((%s) - %s.press)/2 [s]", of->demand, of->name);
}

static const dt_item_states states = {.suffix = "press", .quantity = DT_QUANTITY_EFFORT};

static const dt_item_kind clutches = {.what = "clutch",
                                      .plural = "clutches",
                                      .is_section = true,
                                      .keys = keys,
                                      .size = sizeof(clutch),
                                      .fault = fault,
                                      .laws = laws,
                                      .law_count = 1,
                                      .text = text,
                                      .derivative = rate,
                                      .states = &states};

static const dt_item_kind *kind_of(int k)
{
    (void)k;
    return &clutches;
}

static const dt_item_source source = {1, kind_of};

/* ---- files ---- */

#define FILE_WITH                                                                    \
    "detent: 1\ngravity: [0, 0, 0]\n"                                                \
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n" \
    "joints:\n"                                                                      \
    "  turns: {type: revolute, base: ground, follower: a}\n"                         \
    "  slides: {type: prismatic, base: ground, follower: b}\n"                       \
    "clutches: {%s}\n"
enum { LINE = 7 };

static detent_status load(const char *items, detent_mechanism **m, detent_error *error)
{
    char file[1000];
    snprintf(file, sizeof file, FILE_WITH, items);
    return dt_read_mechanism(file, strlen(file), "test.yaml", &source, NULL, m, error);
}

/* Also where another joint has the name of the item. */
static void the_joint_decides(void **state)
{
    (void)state;
    static const char items[] =
        "slides: {joint: turns, demand: 3 N m, stiffness: 4 N m, radius: 1}, "
        "turns: {joint: slides, demand: 3 N, stiffness: 4 N/m}";
    detent_mechanism *m = NULL;
    detent_error error = {.message = ""};
    if (load(items, &m, &error)) {
        fail_msg("%s (%d:%d)", error.message, error.line, error.column);
    }
    assert_int_equal(m->state_count, 2);
    for (int k = 0; k < 2; k++) {
        const dt_state *press = &m->states[dt_added_items(m, 0)->state[k]];
        assert_string_equal(press->name, k == 0 ? "slides.press" : "turns.press");
        assert_string_equal(press->unit, k == 0 ? "N m" : "N");
        assert_true(press->nominal == 0);
    }
    detent_mechanism_destroy(m);
}

static void what_is_wrong_has_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *items, *at, *message;
    } cases[] = {
        {"c: {joint: turns, demand: 1}", "turns", "clutch 'c': it has no radius"},
        {"c: {joint: slides, demand: 1, radius: 1}", "1}", "clutch 'c': it has a radius"},
        {"turns: {joint: slides, demand: 1, radius: 1}", "1}", "clutch 'turns': it has a radius"},
        {"c: {joint: slides, demand: 1 N m}", "1 N m", "in N is expected here, not in N m"},
        {"c: {joint: turns, demand: 't*1 [N]', radius: 1}", "t*1",
         "in N m is expected here, not in m kg s-1"},
        {"c: {joint: slides, demand: 1, stiffness: 1 N}", "1 N",
         "in N/m is expected here, not in N"},
        {"c: {joint: slids, demand: 1, radius: 1}", "slids", "unknown joint 'slids'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        detent_mechanism *m = NULL;
        detent_error error = {.message = ""};
        const char *items = cases[i].items;
        const int column =
            (int)(strstr(items, cases[i].at) - items) + (int)strlen("clutches: {") + 1;
        assert_int_equal(load(items, &m, &error), DETENT_ERROR_MODEL);
        assert_null(m);
        if (!strstr(error.message, cases[i].message) || error.line != LINE ||
            error.column != column) {
            fail_msg("%s\n  says '%s' at %d:%d instead of column %d", items, error.message,
                     error.line, error.column, column);
        }
    }
}

/* ---- calls ---- */

/* The joint comes behind the item: what is wrong is found when all is there, and nothing else is. */
static detent_status build(double radius, detent_error *error)
{
    detent_mechanism *m = NULL;
    const clutch given = {.name = "c", .joint = "pin", .demand = "1 [N*m]", .radius = radius};
    const detent_body_def body = {.size = sizeof body, "arm", 1, {0}, {1, 1, 1}};
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &pin;
    joint.name = "pin";
    joint.follower = "arm";
    assert_int_equal(dt_mechanism_new("test", &source, NULL, &m, error), DETENT_OK);
    assert_int_equal(dt_builder_add(m, DT_ITEM_KINDS, &given, NULL, error), DETENT_OK);
    assert_int_equal(detent_add_body(m, &body, error), DETENT_OK);
    assert_int_equal(detent_add_joint(m, &joint, error), DETENT_OK);
    const detent_status status = detent_mechanism_finish(m, error);
    detent_mechanism_destroy(m);
    return status;
}

static void calls_of_any_order(void **state)
{
    (void)state;
    detent_error error = {.message = ""};
    assert_int_equal(build(1, &error), DETENT_OK);
    assert_int_equal(build(0, &error), DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "clutch 'c': it has no radius");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_joint_decides),
        cmocka_unit_test(what_is_wrong_has_its_place),
        cmocka_unit_test(calls_of_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
