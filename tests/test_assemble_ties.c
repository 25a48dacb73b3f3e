/*
 * The assembly of loops wherever they are cut, and of rods that cannot reach.
 */
#include "detent/analysis.h"
#include "support_runs.h"

enum { MOST = 32 };

/* In space, turns and slides together, with a ball: wherever the loop is cut, and however the file orders its joints. */
static void test_wherever_it_is_cut(void **state)
{
    (void)state;
    static const char head[] =
        "detent: 1\ngravity: [0, -9.81, 1]\n"
        "bodies:\n"
        "  A: {mass: 1, inertia: [0.02, 0.03, 0.04], center_of_mass: [0.2, 0.1, 0]}\n"
        "  B: {mass: 2, inertia: [0.05, 0.03, 0.04], center_of_mass: [0.1, 0, 0.1]}\n"
        "  C: {mass: 1, inertia: [0.05, 0.03, 0.04], center_of_mass: [0.1, 0.1, 0.1]}\n"
        "joints:\n"
        "  g: {type: universal, base: ground, follower: A, primitives: {r1: {initial: {velocity: "
        "0.3}}}}\n";
    static const char hinge[] = "  h: {type: revolute, base: ground, follower: C, axis: [0, 1, 0], "
                                "at: {base: [0.5, 0, 0]}%s}\n";
    static const char slides[] = "  u: {type: bushing, base: A, follower: B, at: {base: [0.4, 0.1, "
                                 "0]}%s}\n";
    static const char ball[] = "  x: {type: spherical, base: C, follower: B, at: {base: [0.1, 0.2, "
                               "0.3], follower: [-0.2, 0, 0]}%s}\n";
    static const char *const orders[][3] = {
        {hinge, slides, ball}, {hinge, slides, ball}, {slides, ball, hinge}, {ball, hinge, slides}};
    static const int cut[] = {1, 2, 0, 0}; /* of that order */
    static const char *const names[] = {"g.r1", "g.r2", "h",    "u.p1", "u.p2",
                                        "u.p3", "u.r1", "u.r2", "u.r3"};
    double first[9], rate[9];
    for (int n = 0; n < 4; n++) {
        char text[4096], line[512];
        double q[MOST], v[MOST];
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_error error;
        snprintf(text, sizeof text, "%s", head);
        for (int k = 0; k < 3; k++) {
            snprintf(line, sizeof line, orders[n][k], k == cut[n] ? ", closes: true" : "");
            strcat(text, line);
        }
        detent_mechanism *m = runs_parse(text, NULL);
        runs_must(detent_assemble(m, NULL, q, v, NULL, &error), &error);
        for (int k = 0; k < 9; k++) {
            detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, names[k]), &p);
            if (n == 0) {
                first[k] = q[p.first_coordinate];
                rate[k] = v[p.first_freedom];
            }
            runs_near(names[k], q[p.first_coordinate], first[k], 1e-9);
            runs_near(names[k], v[p.first_freedom], rate[k], 1e-9);
        }
        assert_true(fabs(first[3]) > 0.3);
        detent_mechanism_destroy(m);
    }
}

/* What a rod cannot reach: by how much, and who went there. */
static void test_rods(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  p: {type: %s, base: ground, follower: a, initial: {position: %s}}\n"
        "  s: {type: prismatic, base: ground, follower: b, at: {base: [0, 9, 0]}, axis: [0, 0, 1], "
        "initial: {position: 1}}\n"
        "couplings:\n"
        "  near: {type: distance, between: [{body: b}, {body: ground, at: [0, 9, 4]}], length: 3}\n"
        "  rod: {type: distance, between: [{body: a, at: [1, 0, 0]}, {body: ground, at: [5, 0, "
        "0]}], length: 1}\n"
        "  far: {type: distance, between: [{body: b}, {body: ground, at: [0, 9, 2]}], length: 1}\n";
    static const struct {
        const char *type, *start, *unit;
    } cases[] = {
        {"revolute", "0.5", "rad"},
        {"spherical", "{axis: [0, 0, 1], angle: 0.5}", "rad"},
        {"prismatic", "2", "m"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char own[2048], unit[8] = "";
        double off = 0, way = 0;
        detent_error error;
        snprintf(own, sizeof own, text, cases[k].type, cases[k].start);
        detent_mechanism *m = runs_parse(own, NULL);
        assert_int_equal(detent_assemble(m, NULL, NULL, NULL, NULL, &error), DETENT_ERROR_MODEL);
        const char *stays = strstr(error.message, "its ends stay "),
                   *moved = strstr(error.message, "'p' moved");
        assert_non_null(strstr(error.message, "the distance 'rod' cannot be assembled"));
        assert_true(stays && sscanf(stays, "its ends stay %lg m off", &off) == 1);
        assert_true(moved && sscanf(moved, "'p' moved most, by %lg %7s", &way, unit) == 2);
        assert_string_equal(unit, cases[k].unit);
        /* 3 m are missing at the best, from 1 m off the axis or on the slide to 1 m around (5, 0); 3.2 m before */
        assert_true(off > 3 - 1e-6 && off < 3.2);
        assert_true(way > 0.2);
        assert_true(error.line == 9 && error.column == 3);
        detent_mechanism_destroy(m);
    }
}

/* All bars along one line: rods would have to bend to one side or to the other. */
static void test_in_line(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies:\n"
        "  a: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "  b: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "  c: {mass: 1, inertia: [0.01, 0.02, 0.02]}\n"
        "joints:\n"
        "  j1: {type: revolute, base: ground, follower: a%s}\n"
        "  j2: {type: revolute, base: a, follower: b, at: {base: [0.3, 0, 0]}}\n"
        "  j3: {type: revolute, base: ground, follower: c, at: {base: [0.9, 0, 0]}}\n"
        "  j4: {type: revolute, base: b, follower: c, at: {base: [%g, 0, 0], follower: [0.6, 0, "
        "0]}}\n";
    static const struct {
        const char *start;
        double rod;
        bool closes, can;
    } cases[] = {{"", 0.8, false, true},
                 {", initial: {position: 0.1}", 0.8, true, true},
                 {"", 0.7, false, true},
                 {"", 2.5, false, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char own[2048];
        detent_error error = {0};
        snprintf(own, sizeof own, text, cases[k].start, cases[k].rod);
        detent_mechanism *m = runs_parse(own, NULL);
        const detent_status status = detent_assemble(m, NULL, NULL, NULL, NULL, &error);
        assert_int_equal(status, cases[k].closes ? DETENT_OK : DETENT_ERROR_MODEL);
        if (!cases[k].closes) {
            assert_int_equal(strstr(error.message, "which are singular") != NULL, cases[k].can);
        }
        detent_mechanism_destroy(m);
    }
}

/* Axes that cannot be brought into line: slides run away from each other, at last to what is no number. */
static void test_runs_away(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  A: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02]}\n"
        "  B: {mass: 1, center_of_mass: [0.2, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
        "  C: {mass: 1, center_of_mass: [0.2, 0, 0], inertia: [0.01, 0.03, 0.03]}\n"
        "  D: {mass: 0.1, inertia: [0.001, 0.001, 0.001]}\n"
        "joints:\n"
        "  r: {type: revolute, base: ground, follower: A, initial: {position: 0.3, priority: "
        "exact}}\n"
        "  c1: {type: cylindrical, base: A, follower: B, at: {base: {point: [0.2, 0, 0], rotation: "
        "{axis: [1, 0, 0], angle: 30 deg}}}, primitives: {r1: {initial: {position: 1}}}}\n"
        "  c2: {type: cylindrical, base: B, follower: C, at: {base: {point: [0.4, 0, 0], rotation: "
        "{axis: [1, 0, 0], angle: 55 deg}}}, primitives: {r1: {initial: {position: 1}}}}\n"
        "  c3: {type: cylindrical, base: C, follower: D, at: {base: {point: [0.4, 0, 0], rotation: "
        "{axis: [1, 0, 0], angle: 45 deg}}}, primitives: {r1: {initial: {position: 1}}}}\n"
        "  w: {type: weld, base: ground, follower: D, at: {follower: {point: [0.5, 0, 0], "
        "rotation: {axis: [1, 0, 0], angle: 70 deg}}}}\n";
    double off = 0;
    detent_error error = {0};
    detent_mechanism *m = runs_parse(text, NULL);
    assert_int_equal(detent_assemble(m, NULL, NULL, NULL, NULL, &error), DETENT_ERROR_MODEL);
    const char *stays = strstr(error.message, "the loop that joint 'w' closes stays ");
    assert_true(stays && sscanf(stays + 36, " %lg m", &off) == 1);
    assert_true(off > 0.1 && off < 1); /* the best there is near where it began */
    assert_int_equal(error.line, 9);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wherever_it_is_cut),
        cmocka_unit_test(test_rods),
        cmocka_unit_test(test_in_line),
        cmocka_unit_test(test_runs_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
