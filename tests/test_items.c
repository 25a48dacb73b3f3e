/*
 * Kinds of items that elements bring along (model/item.h): two kinds that only this test knows go from a file to the
 * finished mechanism by their rows alone; items from texts; the list of kinds.
 */
#include "detent/detent.h"
#include "dynamics/element.h"
#include "format/reader.h"
#include "model/builder.h"
#include "model/mechanism.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- a kind between two bodies, one along a joint ---- */

typedef struct wire {
    size_t size; /* dt_item_head */
    const char *name;
    dt_ends ends;
    double area, pull[3];
    int strand;
} wire;

static const char *const strands[] = {"single", "twisted", NULL};
static const dt_key wire_keys[] = {
    {"between", DT_VALUE_ENDS, true, offsetof(wire, ends), NULL, "end of a wire"},
    {"area", DT_VALUE_SIZE, true, offsetof(wire, area), NULL, NULL},
    {"pull", DT_VALUE_VECTOR, false, offsetof(wire, pull), &dt_dimension_force, NULL},
    {"strand", DT_VALUE_CHOICE, false, offsetof(wire, strand), NULL, strands},
    DT_KEYS_END,
};
static const dt_item_kind wires = {
    .what = "wire", .plural = "wires", .is_section = true, .keys = wire_keys, .size = sizeof(wire)};

typedef struct brake {
    size_t size; /* dt_item_head */
    const char *name, *joint, *command, *limit;
    double delay, grip;
} brake;

enum { PRESS, CAP };

static const dt_key brake_keys[] = {
    {"joint", DT_VALUE_JOINT, true, offsetof(brake, joint), NULL, NULL},
    {"command", DT_VALUE_EXPRESSION, true, offsetof(brake, command), NULL, NULL},
    {"limit", DT_VALUE_EXPRESSION, false, offsetof(brake, limit), NULL, NULL},
    {"delay", DT_VALUE_POSITIVE, true, offsetof(brake, delay), &dt_dimension_time, NULL},
    {"grip", DT_VALUE_SIZE, false, offsetof(brake, grip), DT_OF_ITS_JOINT(EFFORT), NULL},
    DT_KEYS_END,
};
static const dt_item_law brake_laws[] = {[PRESS] = {"command", DT_USE_FORCE, NULL},
                                         [CAP] = {"limit", DT_USE_FORCE, &dt_dimension_force}};

static const char *brake_text(dt_arena *arena, const void *definition, int law,
                              const dt_active *active)
{
    const brake *of = definition;
    (void)active;
    return law == PRESS ? dt_arena_printf(arena, "-2 * (%s)", of->command)
                        : dt_arena_printf(arena, "%s", of->limit ? of->limit : "0");
}

static const char *brake_rate(dt_arena *arena, const void *definition, int k)
{
    const brake *of = definition;
    (void)k;
    return dt_arena_printf(arena, "((%s) - state(%s)) / %.17g", of->command, of->name, of->delay);
}

static const dt_item_kind brakes = {.what = "brake",
                                    .plural = "brakes",
                                    .is_section = true,
                                    .keys = brake_keys,
                                    .size = sizeof(brake),
                                    .laws = brake_laws,
                                    .law_count = 2,
                                    .text = brake_text,
                                    .derivative = brake_rate};

enum { NOTHING, WIRES, BRAKES, KINDS };

static const dt_item_kind *kind_of(int k)
{
    return k == WIRES ? &wires : k == BRAKES ? &brakes : NULL;
}

static const dt_item_source source = {KINDS, kind_of};

/* ---- files ---- */

#define BODIES                                                                            \
    "detent: 1\n"                                                                         \
    "gravity: [0, 0, -9.81]\n"                                                            \
    "parameters: {p: 3}\n"                                                                \
    "bodies: {arm: {mass: 1, inertia: [1, 1, 1]}, ball: {mass: 2, inertia: [1, 1, 1]}}\n" \
    "joints:\n"                                                                           \
    "  elbow: {type: revolute, base: ground, follower: arm, at: {follower: [1, 0, 0]}}\n" \
    "  socket: {type: spherical, base: arm, follower: ball}\n"
enum { FIRST_LINE = 8 }; /* that comes behind */

static detent_status load(const char *sections, const detent_load_options *options,
                          detent_mechanism **m, detent_error *error)
{
    char text[2000];
    snprintf(text, sizeof text, BODIES "%s", sections);
    return dt_read_mechanism(text, strlen(text), "test.yaml", &source, options, m, error);
}

static detent_mechanism *must_load(const char *sections)
{
    detent_error error = {.message = ""};
    detent_mechanism *m = NULL;
    if (load(sections, NULL, &m, &error)) {
        fail_msg("%s (%d:%d)", error.message, error.line, error.column);
    }
    return m;
}

#define WIRE                                                                                       \
    "wires:\n  w: {between: [{body: ground, at: [1, 2, 3]}, {body: arm, at: [0, 0.5, 0]}], area: " \
    "2, "                                                                                          \
    "pull: [1, 2 kN, 3], strand: twisted}\n"
#define BRAKE \
    "brakes:\n  b: {joint: elbow, command: p * 2 + t, limit: 5 N, delay: 200 ms, grip: 4 N m}\n"
#define LOAD "loads:\n  l: {body: ball, force: [1, 0, 0]}\n"

static void what_is_given_arrives(void **state)
{
    (void)state;
    detent_mechanism *m = must_load(BRAKE WIRE LOAD);
    const dt_item_list *list = dt_added_items(m, WIRES);
    assert_int_equal(list->count, 1);
    const wire *w = dt_item_definition(list, 0);
    assert_string_equal(w->name, "w");
    assert_true(w->area == 2 && w->pull[1] == 2000 && w->strand == 1);
    assert_true(w->ends.body[0] == NULL); /* texts of the file are gone */
    assert_int_equal(dt_item_place(list, 0), 1);
    assert_int_equal(m->place_count, 3);
    const dt_load *place = &m->loads[1];
    assert_int_equal(place[0].body, -1);
    assert_int_equal(place[0].node, -1);
    assert_true(place[0].point[2] == 3);
    assert_int_equal(place[1].node, 0);
    assert_true(place[1].point[0] == -1 && place[1].point[1] == 0.5); /* in the joint's frame */

    list = dt_added_items(m, BRAKES);
    assert_int_equal(list->count, 1);
    assert_int_equal(list->joint[0], 0);
    double registers[16], t = 7;
    const dt_program *press = list->program[PRESS], *cap = list->program[CAP];
    assert_true(dt_program_value(press, &t, NULL, registers) == -2 * (3 * 2 + 7));
    assert_true(((const brake *)dt_item_definition(list, 0))->grip == 4);
    assert_int_equal(dt_item_next_at(list, 0, -1), 0); /* the elbow's only one */
    assert_int_equal(dt_item_next_at(list, 0, 0), -1);
    assert_int_equal(dt_item_next_at(list, 1, -1), -1);
    assert_true(cap->is_constant && cap->constant == 5);
    assert_int_equal(m->state_count, 1);
    assert_string_equal(m->states[list->state[0]].name, "b");
    assert_int_equal(dt_added_items(m, NOTHING)->count, 0);
    detent_mechanism_destroy(m);
}

static uint64_t fingerprint(const char *sections)
{
    detent_mechanism *m = must_load(sections);
    const uint64_t value = m->fingerprint;
    detent_mechanism_destroy(m);
    return value;
}

/* Whatever an item says tells mechanisms apart. */
static void fingerprints_differ(void **state)
{
    (void)state;
    static const char *const all[] = {
        "",
        "wires: {w: {between: [{body: ground}, {body: arm}], area: 2}}",
        "wires: {x: {between: [{body: ground}, {body: arm}], area: 2}}",
        "wires: {w: {between: [{body: ground}, {body: arm}], area: 2.5}}",
        "wires: {w: {between: [{body: ground}, {body: arm}], area: 2, strand: twisted}}",
        "wires: {w: {between: [{body: ground}, {body: arm}], area: 2, pull: [0, 0, 1]}}",
        "wires: {w: {between: [{body: ground}, {body: arm, at: [0, 1, 0]}], area: 2}}",
        "wires: {w: {between: [{body: ball}, {body: arm}], area: 2}}",
        "brakes: {b: {joint: elbow, command: 2, delay: 1}}",
        "brakes: {b: {joint: elbow, command: 3, delay: 1}}",
        "brakes: {b: {joint: elbow, command: 2, delay: 1, limit: 1}}",
        "brakes: {b: {joint: elbow, command: 2, delay: 3}}"};
    enum { COUNT = sizeof all / sizeof *all };
    uint64_t values[COUNT];
    for (int i = 0; i < COUNT; i++) {
        values[i] = fingerprint(all[i]);
        assert_true(values[i] == fingerprint(all[i]));
        for (int k = 0; k < i; k++) {
            assert_true(values[i] != values[k]);
        }
    }
}

/* What is wrong is told with its place. */
static void errors_have_places(void **state)
{
    (void)state;
#define ENDS "between: [{body: ground}, {body: arm}], area: 1"
    static const struct {
        const char *sections, *at, *message;
    } cases[] = {
        {"wires: {w: {area: 1}}", "w:", "'w': a wire needs the key 'between'"},
        {"wires: {w: {" ENDS ", aera: 2}}", "aera",
         "unknown key 'aera' in a wire; did you mean 'area'?"},
        {"wires: {w: {" ENDS ", strand: twistd}}", "twistd",
         "'strand' is 'single' or 'twisted', not 'twistd'; did you mean 'twisted'?"},
        {"wires: {w: {" ENDS ", pull: [1 m, 0, 0]}}", "1 m", "N"},
        {"wires: {w: {between: [{body: arn}, {body: arm}], area: 1}}", "[{body: arn",
         "unknown body 'arn'; did you mean 'arm'?"},
        {"wires: {w: {between: [{body: arm}, {body: arm}], area: 1}}", "[{body: arm}, {",
         "wire 'w': both ends are on the body 'arm', so that it moves nothing"},
        {"wires: {w: {between: [{bdy: arm}, {body: arm}], area: 1}}", "bdy",
         "unknown key 'bdy' in a end of a wire; did you mean 'body'?"},
        {"wires: {w: {between: [{body: arm}], area: 1}}", "[{body",
         "'between' must be a list of two ends, {body: ..., at: [...]} each, not a list of 1 "
         "element"},
        {"wires: {w: {between: [{body: ground}, {body: arm}], area: -1}}", "-1",
         "wire 'w': 'area' is negative"},
        {"wires: [1]", "[1", "'wires' must be a mapping from names, not a list of 1 element"},
        {"wirez: {}", "wirez", "unknown key 'wirez' in a mechanism file; did you mean 'wires'?"},
        {"brakes: {b: {joint: elbo, command: 1, delay: 1}}", "elbo",
         "unknown joint 'elbo'; did you mean 'elbow'?"},
        {"brakes: {b: {joint: socket, command: 1, delay: 1}}", "socket",
         "brake 'b': only a revolute or a prismatic joint can have it"},
        {"brakes: {b: {joint: elbow, command: 1, delay: 0}}", "0}",
         "'delay' must be positive, not 0"},
        {"brakes: {b: {joint: elbow, command: 1 + nonsense, delay: 1}}", "nonsense", "nonsense"},
        {"brakes: {b: {joint: elbow, command: force(elbow), delay: 1}}", "force",
         "brake 'b': the law reads force(), which it is a part of"},
        {"brakes: {b: {joint: elbow, command: 1, delay: 1, limit: 1 m}}", "1 m", "N"},
        {"brakes: {b: {joint: elbow, command: 1, delay: 1, grip: 1 N}}", "1 N", "N m"},
        {"brakes: {b: {joint: elbo, command: 1, delay: 1, grip: 1 N}}", "elbo",
         "unknown joint 'elbo'; did you mean 'elbow'?"},
        {"brakes: {b: {joint: elbow, command: 1, delay: 1}}\nstates: {b: {derivative: 1}}",
         "b: {derivative", "the name 'b' is used by two state"},
        {"brakes: {p: {joint: elbow, command: 1, delay: 1}}",
         "p:", "state 'p': the name is already that of a parameter"},
    };
#undef ENDS
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(cases[i].sections, cases[i].at), *start_of_line = at;
        int line = FIRST_LINE;
        while (start_of_line > cases[i].sections && start_of_line[-1] != '\n') {
            start_of_line--;
        }
        line += start_of_line > cases[i].sections;
        detent_mechanism *m = NULL;
        detent_error error = {.message = ""};
        assert_int_equal(load(cases[i].sections, NULL, &m, &error), DETENT_ERROR_MODEL);
        assert_null(m);
        if (!strstr(error.message, cases[i].message) || error.line != line ||
            error.column != at - start_of_line + 1) {
            fail_msg("%s\n  says '%s' at %d:%d", cases[i].sections, error.message, error.line,
                     error.column);
        }
    }
}

/* A tunable parameter may be read by laws, but is no number that anything is made of. */
static void tunable_parameters(void **state)
{
    (void)state;
    static const char *const tunable[] = {"p"};
    const detent_load_options options = {
        .size = sizeof options, .tunable = tunable, .tunable_count = 1};
    detent_mechanism *m = NULL;
    detent_error error = {.message = ""};
    assert_int_equal(load(BRAKE, &options, &m, &error), DETENT_OK);
    assert_false(dt_added_items(m, BRAKES)->program[PRESS]->is_constant);
    detent_mechanism_destroy(m);
    const char *structural = "wires: {w: {between: [{body: ground}, {body: arm}], area: 2 * p}}";
    assert_int_equal(load(structural, &options, &m, &error), DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "the parameter 'p' cannot be tunable"));
    assert_int_equal(error.line, FIRST_LINE);
}

/* Copies of a chain. */
static void items_in_chains(void **state)
{
    (void)state;
    detent_mechanism *m =
        must_load("chain:\n"
                  "  count: 3\n"
                  "  bodies: {link: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "  joints: {j: {type: revolute, base: ground, follower: \"link[i]\"}}\n"
                  "  wires: {w: {between: [{body: \"link[i]\"}, {body: arm}], area: 10 * i}}\n"
                  "  brakes: {b: {joint: \"j[i]\", command: \"i + position(j[i])\", delay: 1}}\n");
    const dt_item_list *list = dt_added_items(m, WIRES), *along = dt_added_items(m, BRAKES);
    assert_int_equal(list->count, 3);
    assert_int_equal(along->count, 3);
    for (int i = 0; i < 3; i++) {
        char name[16];
        const wire *w = dt_item_definition(list, i);
        snprintf(name, sizeof name, "w[%d]", i + 1);
        assert_string_equal(w->name, name);
        assert_true(w->area == 10 * (i + 1));
        snprintf(name, sizeof name, "j[%d]", i + 1);
        assert_int_equal(along->joint[i], dt_find_primitive(m, name));
        const dt_program *press = along->program[2 * i + PRESS];
        assert_int_equal(press->variable_count, 1);
        assert_int_equal(press->variables[0].index, along->joint[i]);
    }
    detent_mechanism_destroy(m);
}

/* A caller from C is told what is missing, and what is no number. */
static void definitions_from_c(void **state)
{
    (void)state;
    detent_mechanism *m = NULL;
    detent_error error = {.message = ""};
    assert_int_equal(dt_mechanism_new("test", &source, NULL, &m, &error), DETENT_OK);
    const wire none = {.name = "w", .area = 1},
               empty = {.name = "w", {{"a", "b"}, {{0}}}, .area = NAN},
               odd = {.name = "w", {{"a", "b"}, {{0}}}, .area = 1, .strand = 7};
    const int number = DT_ITEM_KINDS + WIRES;
    assert_int_equal(dt_builder_add(m, number, &none, NULL, &error), DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "wire 'w' needs the key 'between'");
    assert_int_equal(dt_builder_add(m, number, &empty, NULL, &error), DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "'w': area is not a finite number");
    assert_int_equal(dt_builder_add(m, number, &odd, NULL, &error), DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "wire 'w': there is no strand 7");
    dt_mechanism_delete(m);
}

/* What the program's own elements bring along is told by their keys and nothing else. */
static void keys_are_plain(void **state)
{
    (void)state;
    int kinds = 0;
    for (int k = 0; k < dt_element_items.count; k++) {
        const dt_item_kind *kind = dt_element_items.kind(k);
        for (const dt_key *key = kind ? kind->keys : NULL; key && key->name; key++) {
            assert_true(dt_key_is_plain(key));
        }
        kinds += kind != NULL;
    }
    assert_true(kinds > 0);
}

/* ---- what clients see ---- */

static detent_mechanism *start(void)
{
    detent_mechanism *m = NULL;
    assert_int_equal(detent_mechanism_create("test", NULL, &m, NULL), DETENT_OK);
    const detent_body_def body = {.size = sizeof body, "arm", 1, {0}, {1, 1, 1}};
    assert_int_equal(detent_add_body(m, &body, NULL), DETENT_OK);
    return m;
}

/* The text of a file and the function of a kind say the same. */
static void items_from_texts(void **state)
{
    (void)state;
    detent_mechanism *one = start(), *two = start();
    detent_error error = {.message = ""};
    const detent_spring_def spring = {
        .size = sizeof spring, "s", {"ground", "arm"}, {{0, 0, 1}, {0, 0.5, 0}}, 30, 0.25, 2};
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    joint.name = "elbow";
    joint.follower = "arm";
    joint_pin.damping = 3;
    assert_int_equal(detent_add_joint(one, &joint, NULL), DETENT_OK);
    assert_int_equal(detent_add_spring(one, &spring, NULL), DETENT_OK);
    assert_int_equal(detent_add_item(two, "joints", "elbow",
                                     "{type: revolute, base: ground, follower: arm, damping: 3}",
                                     &error),
                     DETENT_OK);
    assert_int_equal(detent_add_item(two, "springs", "s",
                                     "between: [{body: ground, at: [0, 0, 1]}, {body: arm, at: [0, "
                                     "0.5, 0]}]\nstiffness: 30 N/m\nrest: 25 cm\ndamping: 2\n",
                                     &error),
                     DETENT_OK);
    assert_int_equal(detent_add_item(two, "outputs", NULL, "position(elbow)", &error), DETENT_OK);
    assert_int_equal(detent_mechanism_finish(one, &error), DETENT_OK);
    assert_int_equal(detent_mechanism_finish(two, &error), DETENT_OK);
    assert_true(one->fingerprint == two->fingerprint);
    assert_string_equal(detent_name(two, DETENT_OUTPUT, 0), "position(elbow)");
    detent_mechanism_destroy(one);
    detent_mechanism_destroy(two);
}

static void wrong_texts(void **state)
{
    (void)state;
    detent_mechanism *m = start();
    detent_error error = {.message = ""};
    assert_int_equal(detent_add_item(m, "spring", "s", "{}", &error), DETENT_ERROR_ARGUMENT);
    assert_string_equal(error.message, "there is no section 'spring'; did you mean 'springs'?");
    assert_int_equal(detent_add_item(m, "springs", NULL, "{}", &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_add_item(m, "springs", "s", NULL, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_add_item(m, NULL, "s", "{}", &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_add_item(NULL, "springs", "s", "{}", &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_add_item(m, "springs", "s", "{stiffness: [", &error),
                     DETENT_ERROR_SYNTAX);
    assert_int_equal(detent_add_item(m, "springs", "s",
                                     "between: [{body: ground}, {body: arm}]\nstifness: 3\n",
                                     &error),
                     DETENT_ERROR_MODEL);
    assert_string_equal(error.message,
                        "unknown key 'stifness' in a spring; did you mean 'stiffness'?");
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 1);
    assert_string_equal(error.file, "s");
    detent_mechanism_destroy(m);
}

/* Every kind is listed once; counts are those of the summary. */
static void kinds_are_listed(void **state)
{
    (void)state;
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}}\n"
                               "joints: {x: {type: prismatic, base: ground, follower: a}}\n"
                               "stiction: {x: {kinetic: 1, static: 2}}\n"
                               "springs: {s: {between: [{body: ground}, {body: a}]}}\n"
                               "states: {z: {derivative: -z}}\noutputs: [z]\n";
    detent_mechanism *m = NULL;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_kind_info kind = DETENT_INIT(detent_kind_info);
    assert_int_equal(detent_mechanism_parse(text, strlen(text), "t", NULL, &m, NULL), DETENT_OK);
    detent_mechanism_get_info(m, &info);
    size_t kinds = 0, sections = 0;
    unsigned seen = 0;
    for (; detent_get_kind(kinds, &kind) == DETENT_OK; kinds++) {
        assert_false(seen >> kind.item & 1);
        seen |= 1u << kind.item;
        sections += kind.is_section;
        const size_t count = detent_count(m, kind.item);
        assert_true(count == 0 || detent_name(m, kind.item, count - 1) != NULL);
        assert_null(detent_name(m, kind.item, count));
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(detent_find(m, kind.item, detent_name(m, kind.item, i)), i);
        }
    }
    assert_int_equal(seen, (1u << kinds) - 1);
    assert_true(kinds > DETENT_STATE && sections >= 8);
    assert_int_equal(detent_count(m, DETENT_SPRING), 1);
    assert_int_equal(detent_count(m, DETENT_SPRING), info.springs);
    assert_int_equal(detent_count(m, DETENT_STICTION), info.stictions);
    assert_int_equal(detent_count(m, DETENT_BODY), 1);
    assert_int_equal(detent_count(m, (detent_item)kinds), 0);
    assert_int_equal(detent_count(NULL, DETENT_BODY), 0);
    assert_string_equal(detent_unit(m, DETENT_STICTION, 0), "N");
    assert_int_equal(detent_get_kind(kinds, &kind), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_kind(0, NULL), DETENT_ERROR_ARGUMENT);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_given_arrives), cmocka_unit_test(fingerprints_differ),
        cmocka_unit_test(errors_have_places),    cmocka_unit_test(tunable_parameters),
        cmocka_unit_test(items_in_chains),       cmocka_unit_test(definitions_from_c),
        cmocka_unit_test(items_from_texts),      cmocka_unit_test(wrong_texts),
        cmocka_unit_test(keys_are_plain),        cmocka_unit_test(kinds_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
