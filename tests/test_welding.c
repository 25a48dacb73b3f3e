/*
 * The welded system against the whole on random trees: what the one has solved satisfies every
 * equation of the other. An equation is right when its residual is rounding, and rounding is
 * measured against the sum of the magnitudes that it is formed from (wrenches of all bodies beyond
 * the joint, times the joint's screw): the sum itself may cancel, and the accelerations of a badly
 * conditioned tree may be far apart though both are right.
 */
#include "test_welding_bench.h"

/* ---- tests ---- */

static void sweep(double far)
{
    static const double locked[] = {0, 0.3, 0.6, 0.9, 1};
    double worst = 0, worst_near = 0;
    int solved = 0;
    for (int seed = 1; seed <= TREES; seed++) {
        bench b = {.random = {.state = (uint64_t)seed}, .far = far};
        const support_tree_def def = tree_def(1 + seed % 40);
        b.mechanism = support_random_tree(&def, &b.random);
        add_loads(&b);
        move_away(b.mechanism, far);
        open_bench(&b);
        for (int k = 0; k < 5; k++) {
            random_state(&b, locked[k]);
            solved += compare(&b);
        }
        worst = fmax(worst, b.worst);
        worst_near = fmax(worst_near, b.worst_near);
        if (!(b.worst <= rounding(&b) && b.worst_near <= 100 * rounding(&b))) {
            fail_msg("seed %d: residual %.3g, friction %.3g", seed, b.worst, b.worst_near);
        }
        close_bench(&b);
    }
    if (getenv("DETENT_TEST_VERBOSE")) {
        print_message("    %d states, %g m away: residual %.2g, friction %.2g\n", solved, far,
                      worst, worst_near);
    }
    assert_true(solved > 4 * TREES);
}

static void random_trees(void **state)
{
    (void)state;
    sweep(0);
}

static void random_trees_far_away(void **state)
{
    (void)state;
    sweep(1e4);
}

/** One tree after another through the same work space, joints locked and released at random. */
static void groups_change(void **state)
{
    (void)state;
    bench b = {.random = {.state = 77}};
    const support_tree_def def = tree_def(60);
    b.mechanism = support_random_tree(&def, &b.random);
    add_loads(&b);
    open_bench(&b);
    for (int round = 0; round < 300; round++) {
        random_state(&b, support_uniform(&b.random, 0, 1));
        compare(&b);
    }
    assert_rounding(&b, "groups change");
    close_bench(&b);
}

static void set_moving(bench *b, int k, double v)
{
    dt_system *s = &b->whole;
    s->mode[k] = v == 0 ? DETENT_LOCKED : DETENT_UNLOCKED;
    s->direction[k] = (signed char)((v > 0) - (v < 0));
    s->v[s->tree->nodes[s->mechanism->stictions[k].primitive].v] = v;
}

/** Locks or releases some joints; what moves has moved on. */
static void change_some(bench *b)
{
    dt_system *s = &b->whole;
    for (int k = 0; k < s->mechanism->stiction_count; k++) {
        const int i = s->mechanism->stictions[k].primitive;
        if (s->mode[k] != DETENT_LOCKED) {
            s->q[s->tree->nodes[i].q] += 0.01;
        }
        if (support_chance(&b->random, 0.08)) {
            const bool holds = s->mode[k] != DETENT_LOCKED;
            set_moving(b, k, holds ? 0 : support_uniform(&b->random, -2, 2));
        }
    }
    dt_system_set_state(s, 0.7, s->q, s->v);
}

static void assert_same_welding(const dt_welding *a, const dt_welding *b)
{
    const detent_mechanism *whole = a->whole->mechanism;
    const int count = a->mechanism.tree.node_count;
    assert_int_equal(count, b->mechanism.tree.node_count);
    assert_int_equal(a->joint_count, b->joint_count);
    for (int c = 0; c < count; c++) {
        dt_node node[2] = {a->nodes[c], b->nodes[c]};
        assert_memory_equal(node[0].body, node[1].body, sizeof(dt_mass));
        assert_memory_equal(node[0].frame, node[1].frame, sizeof(dt_joint_frame));
        node[0].body = node[1].body = NULL;
        node[0].frame = node[1].frame = NULL;
        assert_memory_equal(&node[0], &node[1], sizeof(dt_node));
    }
    for (int i = 0; i < whole->tree.node_count; i++) {
        assert_int_equal(a->carrier[i], b->carrier[i]);
        assert_memory_equal(dt_welding_rotation(a, i), dt_welding_rotation(b, i),
                            9 * sizeof(double));
        assert_memory_equal(dt_welding_origin(a, i), dt_welding_origin(b, i), 3 * sizeof(double));
    }
    for (int k = 0; k < whole->stiction_count; k++) {
        assert_true(a->welded[k] == b->welded[k] && a->kept[k] == b->kept[k]);
        if (a->welded[k]) {
            assert_memory_equal(dt_welding_joint(a, k), dt_welding_joint(b, k),
                                offsetof(dt_welded_joint, next) + sizeof(int));
            assert_true(dt_welding_friction(a, k) == dt_welding_friction(b, k));
        }
    }
}

/** Groups that are formed where joints change are those formed from scratch, to the last bit. */
static void changed_groups_alone(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 20; seed++) {
        bench b = {.random = {.state = 500 + (uint64_t)seed}};
        const support_tree_def def = tree_def(10 * seed);
        dt_welding scratch;
        b.mechanism = support_random_tree(&def, &b.random);
        add_loads(&b);
        open_bench(&b);
        assert_true(dt_welding_create(&b.arena, &b.whole, false, &scratch));
        random_state(&b, 0.7);
        for (int round = 0; round < 50; round++) {
            change_some(&b);
            dt_welding_forget(&scratch);
            dt_welding_form(&scratch);
            dt_welding_form(&b.welding);
            dt_welding_update(&scratch);
            dt_welding_update(&b.welding);
            assert_same_welding(&b.welding, &scratch);
            dt_welding_form(&b.welding);
            assert_int_equal(b.welding.touched_count, 0); /* no joint has changed */
        }
        close_bench(&b);
    }
}

static void one_joint(void **state)
{
    (void)state;
    for (int locked = 0; locked <= 1; locked++) {
        bench b = {.random = {.state = 5}};
        support_chain_def def = support_default_chain(1);
        b.mechanism = support_chain(&def, &b.random);
        add_loads(&b);
        open_bench(&b);
        random_state(&b, locked);
        assert_true(compare(&b));
        assert_int_equal(b.welding.joint_count, locked);
        assert_int_equal(b.welding.system.tree->node_count, 1 - locked);
        assert_rounding(&b, "one joint");
        close_bench(&b);
    }
}

static void chain_with_movers(int count, int movers, double length, const char *what)
{
    bench b = {.random = {.state = 9}};
    support_chain_def def = support_default_chain(count);
    def.three_dimensional = true;
    def.length = def.mass = length;
    def.force = 1;
    b.mechanism = support_chain(&def, &b.random);
    add_loads(&b);
    open_bench(&b);
    random_state(&b, 1);
    for (int n = 0; n < movers; n++) {
        set_moving(&b, support_below(&b.random, count), support_uniform(&b.random, -2, 2));
    }
    dt_system_set_state(&b.whole, 0, b.whole.q, b.whole.v);
    assert_true(compare(&b));
    assert_true(b.welding.system.tree->node_count <= movers);
    assert_rounding(&b, what);
    close_bench(&b);
}

/** 5,000 rods of which ten move; the sums along them have as many roundings. */
static void long_chain(void **state)
{
    (void)state;
    chain_with_movers(5000, 10, 50, "chain of 5000, 10 move");
    chain_with_movers(5000, 0, 50, "chain of 5000, none moves");
    chain_with_movers(300, 299, 1, "chain of 300, most move");
}

/**
 * What stands on the ground far from the world's origin loses no digits, though its forces have
 * long arms there: all places are those of the whole, to the last bit.
 */
static void ground_far_away(void **state)
{
    (void)state;
    bench b = {.random = {.state = 15}};
    support_chain_def def = support_default_chain(30);
    def.three_dimensional = true;
    def.length = 6;
    b.mechanism = support_chain(&def, &b.random);
    add_loads(&b);
    b.mechanism->added = NULL; /* their forces feel the rounding of places */
    b.mechanism->place_count = b.mechanism->load_count;
    move_away(b.mechanism, 1e7);
    open_bench(&b);
    random_state(&b, 1);
    assert_true(compare(&b));
    assert_rounding(&b, "a chain 10,000 km away");
    close_bench(&b);
}

/** Only the last two joints of a chain are locked, far from the ground. */
static void one_group_far_out(void **state)
{
    (void)state;
    enum { COUNT = 60 };
    bench b = {.random = {.state = 11}};
    support_chain_def def = support_default_chain(COUNT);
    def.three_dimensional = true;
    def.length = 6000;
    b.mechanism = support_chain(&def, &b.random);
    open_bench(&b);
    random_state(&b, 0);
    set_moving(&b, COUNT - 1, 0);
    set_moving(&b, COUNT - 2, 0);
    dt_system_set_state(&b.whole, 0, b.whole.q, b.whole.v);
    assert_true(compare(&b));
    assert_int_equal(b.welding.joint_count, 2);
    assert_rounding(&b, "a group 6 km out");
    close_bench(&b);
}

/** Branches that move, on a trunk of locked joints: where they meet, bundles flow together. */
static void star(void **state)
{
    (void)state;
    enum { TRUNK = 6, BRANCHES = 200, NODES = TRUNK + 2 * BRANCHES };
    for (int grounded = 0; grounded <= 1; grounded++) {
        bench b = {.random = {.state = 13}};
        support_tree_def def = tree_def(NODES);
        def.massless = def.prescribed = def.spherical = def.weld = def.floating = 0;
        def.load_dependent = 0;
        def.stiction = 1;
        b.mechanism = support_random_tree(&def, &b.random);
        dt_node *nodes = (dt_node *)b.mechanism->tree.nodes;
        for (int i = 0; i < NODES; i++) {
            const bool outer = (i - TRUNK) % 2 == 1;
            nodes[i].parent = i < TRUNK || outer ? i - 1 : support_below(&b.random, TRUNK);
        }
        add_loads(&b);
        open_bench(&b);
        random_state(&b, 1);
        for (int i = TRUNK; i < NODES; i++) {
            /* one of the two joints of a branch moves */
            if ((i - TRUNK) % 2 == (i - TRUNK) / 2 % 2) {
                set_moving(&b, b.mechanism->primitives[i].stiction,
                           support_uniform(&b.random, 0.1, 2));
            }
        }
        if (!grounded) {
            set_moving(&b, b.mechanism->primitives[0].stiction, 1.5);
        }
        dt_system_set_state(&b.whole, 0, b.whole.q, b.whole.v);
        assert_true(compare(&b));
        assert_int_equal(b.welding.system.tree->node_count, BRANCHES + !grounded);
        assert_rounding(&b, "star of 200 branches");
        close_bench(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees),         cmocka_unit_test(random_trees_far_away),
        cmocka_unit_test(groups_change),        cmocka_unit_test(one_joint),
        cmocka_unit_test(long_chain),           cmocka_unit_test(one_group_far_out),
        cmocka_unit_test(ground_far_away),      cmocka_unit_test(star),
        cmocka_unit_test(changed_groups_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
