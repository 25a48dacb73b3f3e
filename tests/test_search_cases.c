/* Single cases of the mode search, small enough to be checked by hand: decrees, the user's own
 * test friction, states that do not exist, the order of joints, the story, and that a run takes
 * no memory. */

#include "support_ledger.h"
#include "support_trees.h"

#include "stiction/mode_search.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* ---- A mechanism that can be searched, and changed between searches ---- */

typedef struct bench {
    dt_arena arena;
    detent_mechanism *mechanism;
    dt_system system;
    dt_newton *newton;
    dt_search *search;
    dt_search_result result;
    detent_error error;
} bench;

static void open_bench(bench *b, detent_mechanism *mechanism)
{
    memset(b, 0, sizeof *b);
    b->mechanism = mechanism;
    dt_arena_init(&b->arena, NULL);
    assert_int_equal(dt_system_create(&b->arena, mechanism, &b->system, NULL), DETENT_OK);
    b->newton = dt_newton_create(&b->arena, &b->system, DETENT_LINEAR_SOLVER_TREE);
    b->search = dt_search_create(&b->arena, &b->system, false);
    assert_non_null(b->newton);
    assert_non_null(b->search);
}

static void close_bench(bench *b)
{
    dt_arena_free(&b->arena);
    support_free(b->mechanism);
}

static detent_status run(bench *b, const signed char *decree)
{
    const dt_search_request request = {.decree = decree};
    dt_system_set_state(&b->system, 0, b->system.q, b->system.v);
    return dt_search_run(b->search, &b->system, b->newton, &request, &b->result, &b->error);
}

/** A slider of 2 kg along x, pushed by `force`, in a field of 10 m/s^2 along -z. */
typedef struct slider_def {
    double force, kinetic, forward, reverse, test;
    double mu; /**< kinetic friction is mu times the reaction; 0: it is `kinetic` */
    bool has_test;
} slider_def;

static detent_mechanism *slider(const slider_def *def)
{
    support_chain_def chain = support_default_chain(1);
    chain.gravity[1] = 0;
    chain.gravity[2] = -10;
    detent_mechanism *m = support_chain(&chain, NULL);
    dt_node *node = (dt_node *)&m->tree.nodes[0];
    node->type = &dt_prismatic;
    ((dt_mass *)(size_t)node->body)->mass = 2;
    dt_joint_frame *frame = (dt_joint_frame *)(size_t)node->frame;
    frame->axis[0] = 1;
    frame->axis[2] = 0;
    dt_friction *friction = (dt_friction *)(size_t)m->stictions[0].friction;
    friction->magnitude = NULL;
    friction->forward = support_constant(m, def->forward);
    friction->reverse = support_constant(m, def->reverse);
    friction->kinetic =
        def->mu > 0 ? support_load_dependent(m, def->mu, 0) : support_constant(m, def->kinetic);
    friction->test = def->has_test ? support_constant(m, def->test) : NULL;
    ((dt_primitive *)&m->primitives[0])->force = support_constant(m, def->force);
    return m;
}

static void expect_slider(const slider_def *def, const signed char *decree, detent_mode mode,
                          int direction, double a, double f)
{
    bench b;
    open_bench(&b, slider(def));
    assert_int_equal(run(&b, decree), DETENT_OK);
    assert_int_equal(b.system.mode[0], mode);
    assert_int_equal(b.system.direction[0], direction);
    assert_true(fabs(b.system.a[0] - a) <= 1e-14 * (1 + fabs(a)));
    assert_true(fabs(b.system.f[0] - f) <= 1e-14 * (1 + fabs(f)));
    close_bench(&b);
}

/* ---- One joint ---- */

static void one_joint(void **state)
{
    (void)state;
    slider_def def = {.force = 2.5, .kinetic = 2, .forward = -3, .reverse = 5};
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, -2.5);
    def.force = 4;
    expect_slider(&def, NULL, DETENT_WAIT, 1, 1, -2);
    def.force = -4;
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, 4);
    def.force = -6;
    expect_slider(&def, NULL, DETENT_WAIT, -1, -2, 2);
    def.force = 3; /* exactly at its limit, and nothing says that it is on the way out */
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, -3);
    def.kinetic = 0;
    def.force = 4;
    expect_slider(&def, NULL, DETENT_WAIT, 1, 2, 0);
}

/** A joint without any friction rests where nothing pushes it, and else moves. */
static void frictionless(void **state)
{
    (void)state;
    slider_def def = {0};
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, 0);
    def.force = 1e-3;
    expect_slider(&def, NULL, DETENT_WAIT, 1, 5e-4, 0);
    def.force = -2;
    expect_slider(&def, NULL, DETENT_WAIT, -1, -1, 0);
}

/**
 * A joint at its limit up to an ulp is released by decree, and stays released though it does not
 * accelerate.
 */
static void decree(void **state)
{
    (void)state;
    const double limits[] = {3, nextafter(3, 4), nextafter(3, 2), 1e-3, 12345.678};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        for (int ulp = -1; ulp <= 1; ulp++) {
            for (int s = -1; s <= 1; s += 2) {
                const signed char released = (signed char)s;
                const double limit = limits[k], push = ulp < 0   ? nextafter(limit, 0)
                                                       : ulp > 0 ? nextafter(limit, 1e9)
                                                                 : limit;
                slider_def def = {
                    .force = s * push, .kinetic = limit, .forward = -limit, .reverse = limit};
                bench b;
                open_bench(&b, slider(&def));
                assert_int_equal(run(&b, &released), DETENT_OK);
                assert_int_equal(b.system.mode[0], DETENT_WAIT);
                assert_int_equal(b.system.direction[0], s);
                assert_true(b.system.f[0] == -s * limit);
                assert_true(fabs(b.system.a[0]) <= 4e-16 * limit);
                close_bench(&b);
            }
        }
    }
}

/** Far inside its limits, a decree does nothing. */
static void decree_inside(void **state)
{
    (void)state;
    const signed char forward = 1;
    slider_def def = {.force = 2.99, .kinetic = 2, .forward = -3, .reverse = 3};
    expect_slider(&def, &forward, DETENT_LOCKED, 0, 0, -2.99);
    def.force = nextafter(3, 2);
    expect_slider(&def, &forward, DETENT_WAIT, 1, 0.5, -2);
}

/** The user's own test friction decides, not the force. */
static void own_test(void **state)
{
    (void)state;
    slider_def def = {
        .force = 10, .kinetic = 2, .forward = -3, .reverse = 3, .has_test = true, .test = 1};
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, -10); /* rigidly held */
    def.test = -3.5;
    expect_slider(&def, NULL, DETENT_WAIT, 1, 4, -2);
    def.test = 3.5;
    expect_slider(&def, NULL, DETENT_WAIT, 1, 4, -2); /* the push gives the direction */
    def.force = -10;
    expect_slider(&def, NULL, DETENT_WAIT, -1, -4, 2);
    def.force = 1.5; /* released, but not moved: locked again, by kinetic friction */
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, -1.5);
    def.test = nextafter(-3, 0);
    def.force = 10;
    const signed char forward = 1;
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, -10);
    expect_slider(&def, &forward, DETENT_WAIT, 1, 4, -2);
}

/* ---- No consistent state ---- */

/**
 * Kinetic friction 3 |R| with R = (Q + f, 0, N), N = 20 N: a moving slider needs f^2 = 9 ((Q -
 * |f|)^2 + N^2), which has no solution for Q^2 < 8 N^2. Held it needs Q, more than the 1 N of its
 * static limits.
 */
static void no_state_of_one_joint(void **state)
{
    (void)state;
    slider_def def = {.force = 40, .mu = 3, .forward = -1, .reverse = 1};
    bench b;
    open_bench(&b, slider(&def));
    assert_int_equal(run(&b, NULL), DETENT_NO_CONSISTENT_STATE);
    assert_int_equal(b.error.status, DETENT_NO_CONSISTENT_STATE);
    assert_non_null(strstr(b.error.message, "no consistent state at t = 0 s"));
    assert_non_null(strstr(b.error.message, "'joint0'"));
    assert_non_null(strstr(b.error.message, "margin -39"));
    assert_true(b.result.solves < 400); /* three sets of sides from three starts, 40 rounds each */
    close_bench(&b);

    def.force = 0.5; /* within the static limits all is well */
    expect_slider(&def, NULL, DETENT_LOCKED, 0, 0, -0.5);
}

/** Kinetic friction above static friction leaves a gap in which there is no state. */
static void kinetic_above_static(void **state)
{
    (void)state;
    slider_def def = {.force = 4, .kinetic = 5, .forward = -3, .reverse = 3};
    bench b;
    open_bench(&b, slider(&def));
    assert_int_equal(run(&b, NULL), DETENT_NO_CONSISTENT_STATE);
    assert_non_null(strstr(b.error.message,
                           "'joint0' held needs -4 where its limits are -3 and 3 (margin -1)"));
    close_bench(&b);
    def.force = 6;
    expect_slider(&def, NULL, DETENT_WAIT, 1, 0.5, -5);
}

static void nonsense(void **state)
{
    (void)state;
    const slider_def bad[] = {
        {.force = 4, .kinetic = -1, .forward = -3, .reverse = 3},
        {.force = 4, .kinetic = 1, .forward = 3, .reverse = 3},
        {.force = 4, .kinetic = 1, .forward = -3, .reverse = NAN},
        {.force = 4, .kinetic = 1, .forward = -INFINITY, .reverse = 3},
        {.force = NAN, .kinetic = 1, .forward = -3, .reverse = 3},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        bench b;
        open_bench(&b, slider(&bad[k]));
        assert_int_equal(run(&b, NULL), DETENT_ERROR_NUMERIC);
        close_bench(&b);
    }
    slider_def def = {.force = 4, .kinetic = 1, .forward = -3, .reverse = 3};
    bench b;
    open_bench(&b, slider(&def));
    b.system.v[0] = 1; /* moves, but its mode says locked */
    assert_int_equal(run(&b, NULL), DETENT_ERROR_ARGUMENT);
    close_bench(&b);
}

/* ---- The order of joints ---- */

static void shuffle(int *order, int count, support_random *random)
{
    for (int k = 0; k < count; k++) {
        const int j = support_below(random, k + 1);
        order[k] = order[j];
        order[j] = k;
    }
}

static void same_state(const bench *one, const bench *other, const int *order)
{
    for (int k = 0; k < one->mechanism->stiction_count; k++) {
        assert_int_equal(other->system.mode[k], one->system.mode[order[k]]);
        assert_int_equal(other->system.direction[k], one->system.direction[order[k]]);
        assert_true(fabs(other->system.f[k] - one->system.f[order[k]]) <=
                    1e-9 * (1 + fabs(one->system.f[order[k]])));
    }
}

/**
 * The result does not depend on the order in which stictions are listed, nor on the modes to start
 * from.
 */
static void order_does_not_matter(void **state)
{
    (void)state;
    support_random random = {51};
    for (int trial = 0; trial < 300; trial++) {
        support_tree_def def = support_default_tree(2 + support_below(&random, 30));
        def.ratio[1] = 2;
        def.asymmetric = 0.3;
        def.load_dependent = trial % 3 == 0 ? 0.3 : 0;
        def.mu[1] = 0.05;
        bench one, other;
        int order[32];
        open_bench(&one, support_random_tree(&def, &random));
        const int count = one.mechanism->stiction_count;
        shuffle(order, count, &random);
        open_bench(&other, support_reordered(one.mechanism, order));
        support_random_pose(&one.mechanism->tree, &random, one.system.q);
        memcpy(other.system.q, one.system.q, (size_t)one.mechanism->tree.nq * sizeof *one.system.q);
        for (int k = 0; k < count; k++) {
            other.system.direction[k] = (signed char)(support_below(&random, 3) - 1);
            other.system.mode[k] = other.system.direction[k] ? DETENT_WAIT : DETENT_LOCKED;
        }
        const detent_status status = run(&one, NULL);
        assert_int_equal(run(&other, NULL), status);
        if (status == DETENT_OK) {
            same_state(&one, &other, order);
        }
        close_bench(&other);
        close_bench(&one);
    }
}

/* ---- Simultaneous breakaways ---- */

/**
 * Three equal arms, all exactly at their limits: decreed together they all go, decreed alone only
 * one does.
 */
static void simultaneous_decrees(void **state)
{
    (void)state;
    support_chain_def def = support_default_chain(3);
    detent_mechanism *m = support_chain(&def, NULL);
    const double moment = 9.81 / 3 / 6; /* of one arm of 1/3 kg and 1/3 m */
    for (int i = 0; i < 3; i++) {
        dt_node *node = (dt_node *)&m->tree.nodes[i];
        dt_friction *friction = (dt_friction *)(size_t)m->stictions[i].friction;
        node->parent = -1;
        ((dt_joint_frame *)(size_t)node->frame)->p[0] = 0;
        friction->kinetic = support_constant(m, moment);
        friction->magnitude = support_constant(m, moment);
    }
    bench b;
    open_bench(&b, m);
    const signed char all[3] = {-1, -1, -1}, second[3] = {0, -1, 0};
    assert_int_equal(run(&b, all), DETENT_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(b.system.mode[k], DETENT_WAIT);
        assert_int_equal(b.system.direction[k], -1);
    }
    assert_int_equal(run(&b, second), DETENT_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(b.system.mode[k], k == 1 ? DETENT_WAIT : DETENT_LOCKED);
    }
    close_bench(&b);
}

/* ---- The story ---- */

typedef struct story {
    char text[4096];
    int lines;
    size_t longest;
} story;

static void listen(void *user, const char *line)
{
    story *s = user;
    const size_t length = strlen(line), used = strlen(s->text);
    s->lines++;
    s->longest = length > s->longest ? length : s->longest;
    snprintf(s->text + used, sizeof s->text - used, "%s\n", line);
}

static void tells_its_story(void **state)
{
    (void)state;
    for (int count = 2; count <= 2000; count *= 10) {
        support_chain_def def = support_default_chain(count);
        def.ratio = 1.5;
        bench b;
        story told = {.lines = 0};
        open_bench(&b, support_chain(&def, NULL));
        const dt_search_request request = {.trace = listen, .trace_user = &told};
        dt_system_set_state(&b.system, 0, b.system.q, b.system.v);
        assert_int_equal(
            dt_search_run(b.search, &b.system, b.newton, &request, &b.result, &b.error), DETENT_OK);
        assert_non_null(strstr(told.text, "at rest: joint0, joint1"));
        assert_non_null(strstr(told.text, "joint0 gives way in reverse at 1.5"));
        assert_non_null(strstr(told.text, "moving: joint0"));
        assert_non_null(strstr(told.text, "verified after 2 rounds"));
        assert_true(told.longest < 512);
        if (count > 6) {
            assert_non_null(strstr(told.text, "others"));
        }
        close_bench(&b);
    }
}

/* ---- Margins ---- */

static void margins(void **state)
{
    (void)state;
    slider_def def = {.force = 2.5, .kinetic = 2, .forward = -3, .reverse = 5};
    bench b;
    open_bench(&b, slider(&def));
    assert_int_equal(run(&b, NULL), DETENT_OK);
    assert_true(fabs(dt_stiction_margin(&b.system, 0) - 0.5) < 1e-15);
    close_bench(&b);
    def.force = -6;
    open_bench(&b, slider(&def));
    assert_int_equal(run(&b, NULL), DETENT_OK);
    assert_true(fabs(dt_stiction_margin(&b.system, 0) - 2) < 1e-15);
    close_bench(&b);
}

/* ---- Memory ---- */

/**
 * Everything comes from the arena, at set-up: a search takes nothing, and one without memory is
 * refused.
 */
static void memory(void **state)
{
    (void)state;
    ledger book = {.allowed = SIZE_MAX};
    const detent_allocator allocator = ledger_allocator(&book);
    support_chain_def def = support_default_chain(200);
    def.ratio = 1.5;
    def.kinetic = 0.1;
    bench b = {.mechanism = support_chain(&def, NULL)};
    dt_arena_init(&b.arena, &allocator);
    assert_int_equal(dt_system_create(&b.arena, b.mechanism, &b.system, NULL), DETENT_OK);
    b.newton = dt_newton_create(&b.arena, &b.system, DETENT_LINEAR_SOLVER_TREE);
    b.search = dt_search_create(&b.arena, &b.system, false);
    const size_t before = book.calls, bytes = dt_arena_bytes(&b.arena);
    assert_int_equal(run(&b, NULL), DETENT_OK);
    assert_true(b.result.interior_points > 0);
    assert_int_equal(book.calls, before);
    assert_int_equal(dt_arena_bytes(&b.arena), bytes);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_joint),
        cmocka_unit_test(frictionless),
        cmocka_unit_test(decree),
        cmocka_unit_test(decree_inside),
        cmocka_unit_test(own_test),
        cmocka_unit_test(no_state_of_one_joint),
        cmocka_unit_test(kinetic_above_static),
        cmocka_unit_test(nonsense),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(simultaneous_decrees),
        cmocka_unit_test(tells_its_story),
        cmocka_unit_test(margins),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
