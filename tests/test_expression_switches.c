/* Switches: states, roots, flips. Identities on random points first, then the cases that have a
 * tale. */

#include "expression/function.h"
#include "test_expression_support.h"

typedef struct setup {
    const dt_program *program;
    double *registers;
    double slots[8], roots[64];
    dt_branch branches[32];
} setup;

static void setup_open(setup *s, world *w, const char *text)
{
    *s = (setup){.program = parse(w, text)};
    s->registers = new_registers(s->program);
    assert_true(s->program->variable_count <= 8 && s->program->switch_count <= 32);
}

static void setup_close(setup *s)
{
    free(s->registers);
}

static void update(setup *s)
{
    dt_program_update_switches(s->program, s->slots, s->branches, s->registers);
}

static double recorded(setup *s)
{
    return dt_program_value(s->program, s->slots, s->branches, s->registers);
}

static double live(setup *s)
{
    return dt_program_value(s->program, s->slots, NULL, s->registers);
}

static void find_roots(setup *s)
{
    dt_program_roots(s->program, s->slots, s->branches, s->registers, s->roots);
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static const char *const texts[] = {
    "if(x < y, z, x)",
    "if(x <= y, z, x)",
    "if(x > y, z, x)",
    "if(x >= y, z, x)",
    "if(x < y and y < z or not x > z, x, y*z)",
    "abs(x)",
    "sign(x)*y",
    "min(x, y, z)",
    "max(x, y, z)",
    "floor(x)",
    "ceil(x*y)",
    "round(x)*y",
    "mod(x, y)",
    "mod(x, 0.3) < 0.1",
    "clamp(x, -1, y)",
    "if(mod(x, 1) < 0.5, abs(y), min(x, floor(z)))",
    "if(x > 0, log(x), 0)",
    "if(x > 0, floor(log(x)), 0)",
    "sqrt(x) < y",
    "abs(sqrt(x))",
    "floor(x*1e300)*y",
    "sign(log(x))",
};

/* Small integers often, so that ties are among the points. */
static void randomise(setup *s, uint64_t *seed)
{
    for (int i = 0; i < 3; i++) {
        s->slots[i] = choose(seed, 2) ? choose(seed, 5) - 2 : uniform(seed, -2, 2);
    }
}

/* Just updated: recorded value = live value, no root is negative. */
static void current_branches_give_the_live_value(void **state)
{
    world *w = *state;
    uint64_t seed = 1;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s;
        setup_open(&s, w, texts[k]);
        assert_true(s.program->switch_count > 0);
        for (int trial = 0; trial < 500; trial++) {
            randomise(&s, &seed);
            update(&s);
            assert_true(is_same(recorded(&s), live(&s)));
            find_roots(&s);
            for (int i = 0; i < 2 * s.program->switch_count; i++) {
                assert_true(isfinite(s.roots[i]) && s.roots[i] >= 0);
            }
        }
        setup_close(&s);
    }
}

/* As long as all roots are positive the recorded branches may stay: every change of a branch is
 * announced. (Not where a root has no value: sqrt(x) < y goes on with what it was once x < 0.) */
static void a_changed_branch_has_a_negative_root(void **state)
{
    world *w = *state;
    uint64_t seed = 2;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        setup s;
        setup_open(&s, w, texts[k]);
        for (int trial = 0; trial < 500; trial++) {
            dt_branch before[32];
            randomise(&s, &seed);
            update(&s);
            memcpy(before, s.branches, sizeof before);
            randomise(&s, &seed);
            find_roots(&s);
            bool is_clear = true, may_tie = false;
            for (int i = 0; i < 2 * s.program->switch_count; i++) {
                is_clear = is_clear && s.roots[i] > 0;
                may_tie = may_tie || s.roots[i] == 0;
            }
            double kept = recorded(&s);
            if (strcmp(texts[k], "sqrt(x) < y") == 0 && s.slots[0] < 0) {
                continue;
            }
            if (is_clear && isfinite(live(&s))) {
                if (!is_same(kept, live(&s))) {
                    fail_msg("%s at (%g, %g, %g): %g is not %g", texts[k], s.slots[0], s.slots[1],
                             s.slots[2], kept, live(&s));
                }
            }
            update(&s);
            if (!is_clear && !may_tie) {
                assert_memory_not_equal(before, s.branches,
                                        (size_t)s.program->switch_count * sizeof before[0]);
            }
        }
        setup_close(&s);
    }
}

/* The smooth continuation: over a switching point the recorded value does not jump. */
static void recorded_branches_are_followed(void **state)
{
    static const struct {
        const char *text;
        double before, after, value, roots[2], flipped;
        int which;
    } table[] = {
        {"if(x < 1, 2*x, 10)", 0.5, 1.5, 3, {-0.5, 1}, 10, 0},
        {"if(x <= 1, 2*x, 10)", 1, 1.5, 3, {-0.5, 1}, 10, 0},
        {"if(x > 1, 2*x, 10)", 1.5, 0.5, 1, {-0.5, 1}, 10, 0},
        {"if(x >= 1, 2*x, 10)", 1, 0.5, 1, {-0.5, 1}, 10, 0},
        {"if(x >= 1, 2*x, 10)", 0.5, 1.5, 10, {-0.5, 1}, 3, 0},
        {"abs(x)", 0.5, -0.5, -0.5, {-0.5, 1}, 0.5, 0},
        {"abs(x)", -0.5, 0.5, -0.5, {-0.5, 1}, 0.5, 0},
        {"sign(x)", 0.5, -0.5, 1, {-0.5, 1}, -1, 0},
        {"sign(x)", 0, -0.5, 0, {-0.5, 0.5}, -1, 0},
        {"sign(x)", 0, 0.5, 0, {0.5, -0.5}, 1, 1},
        {"min(x, 1)", 0.5, 1.5, 1.5, {-0.5, 1}, 1, 0},
        {"max(x, 1)", 0.5, 1.5, 1, {-0.5, 1}, 1.5, 0},
        {"floor(x)", 0.5, 1.25, 0, {1.25, -0.25}, 1, 1},
        {"floor(x)", 0.5, -0.25, 0, {-0.25, 1.25}, -1, 0},
        {"mod(x, 2)", 0.5, 2.5, 2.5, {1.25, -0.25}, 0.5, 1},
        {"mod(x, 2)", 0.5, -0.5, -0.5, {-0.25, 1.25}, 1.5, 0},
        {"ceil(x)", 0.5, 1.25, 1, {-0.25, 1.25}, 2, 0},
        {"round(x)", 0.25, 0.75, 0, {1.25, -0.25}, 1, 1},
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        setup s;
        setup_open(&s, w, table[k].text);
        assert_int_equal(s.program->switch_count, 1);
        s.slots[0] = table[k].before;
        update(&s);
        s.slots[0] = table[k].after;
        find_roots(&s);
        if (recorded(&s) != table[k].value || s.roots[0] != table[k].roots[0] ||
            s.roots[1] != table[k].roots[1]) {
            fail_msg("%s: %g, roots %g %g", table[k].text, recorded(&s), s.roots[0], s.roots[1]);
        }
        s.branches[0] = dt_program_flipped(s.program, 0, table[k].which, s.branches[0]);
        assert_true(recorded(&s) == table[k].flipped);
        assert_true(live(&s) == table[k].flipped);
        setup_close(&s);
    }
}

/* A pulse train. The root of mod fires an ulp before t = 15: after the decree the comparison must
 * follow. */
static void settled_switches_follow_a_decree(void **state)
{
    world *w = *state;
    setup s;
    setup_open(&s, w, "if(mod(t, 15) < 0.75, 50, 0)");
    assert_int_equal(s.program->switch_count, 2);
    s.slots[0] = 7;
    update(&s);
    assert_true(recorded(&s) == 0);

    s.slots[0] = nextafter(15, 0);
    find_roots(&s);
    assert_true(s.roots[1] > 0 && s.roots[1] < 1e-15);
    s.branches[0] = dt_program_flipped(s.program, 0, 1, s.branches[0]);
    bool keep[2] = {true, false};
    dt_program_settle_switches(s.program, s.slots, keep, s.branches, s.registers);
    assert_int_equal(s.branches[0].side, 1);
    assert_true(recorded(&s) == 50);
    assert_true(live(&s) == 0);
    find_roots(&s);
    assert_true(s.roots[2] > 0.7);
    setup_close(&s);
}

static void a_branch_not_taken_does_not_poison(void **state)
{
    static const char *const poisoned[] = {
        "if(x > 0, log(x), y)",
        "if(x > 0, 1/(x - abs(x)) + log(x), y)",
        "if(x > 0, sqrt(x), y) + if(x > 0, floor(log(x)), 0)",
        "if(x > 0 and log(x) < 7, z, y)",
        "min(y, if(x > 0, log(x), y + 1))",
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof poisoned / sizeof poisoned[0]; k++) {
        setup s;
        double gradient[8];
        setup_open(&s, w, poisoned[k]);
        s.slots[slot_of(s.program, DT_VARIABLE_INPUT, 0)] = k % 2 ? 0 : -1;
        s.slots[slot_of(s.program, DT_VARIABLE_INPUT, 1)] = 0.5;
        update(&s);
        assert_true(live(&s) == 0.5 && recorded(&s) == 0.5);
        dt_program_gradient(s.program, s.slots, s.branches, s.registers, gradient);
        for (int i = 0; i < s.program->variable_count; i++) {
            bool is_y = s.program->variables[i].index == 1;
            assert_true(gradient[i] == (is_y ? 1 : 0));
        }
        find_roots(&s);
        for (int i = 0; i < 2 * s.program->switch_count; i++) {
            assert_true(isfinite(s.roots[i]) && s.roots[i] >= 0);
        }
        setup_close(&s);
    }
}

/* What changes at events only is decided live: no root, and right whatever is recorded. */
static void steady_operands_need_no_switch(void **state)
{
    static const struct {
        const char *text;
        int switches;
    } table[] = {
        {"if(dir > 0, x, y)", 0},
        {"if(mode(elbow) == 2, x, y)", 0},
        {"abs(dir)*x", 0},
        {"min(dir, mode(elbow))", 0},
        {"floor(dir/2)", 0},
        {"if(floor(x) == 3, 1, 2)", 1},
        {"if(floor(x) > 3, 1, 2)", 1},
        {"if(sign(x) > 0, 1, 2)", 1},
        {"if((x > 0) > (y > 0), 1, 2)", 2},
        {"abs(dir*x)", 1},
        {"if(if(dir > 0, 1, 2) < 2, x, y)", 0},
        {"if(if(dir > 0, x, 2) < 2, x, y)", 1},
        {"x == y", 0},
        {"if(x, 1, 2)", 0},
        {"if(1 < 2, x, y)", 0},
        {"x < y and x < y", 1},
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof table / sizeof table[0]; k++) {
        int count = parse(w, table[k].text)->switch_count;
        if (count != table[k].switches) {
            fail_msg("%s: %d switches", table[k].text, count);
        }
    }
    setup s;
    setup_open(&s, w, "if(dir > 0, 5, 7)");
    s.slots[0] = 1;
    assert_true(recorded(&s) == 5);
    s.slots[0] = -1;
    assert_true(recorded(&s) == 7);
    setup_close(&s);
}

/* A switch that slides: the value between those of its two branches, and the slope of that. */
static void a_sliding_switch_mixes_its_branches(void **state)
{
    static const struct {
        const char *text;
        int index, below, above, border;
    } table[] = {
        {"if(x < y, z*x, y)", 0, -1, 1, 0},
        {"if(x < y and not z > 0, x*x, y) + 3*z", 0, -1, 1, 0},
        {"if(x < y or z > 7, x*x, y)*z", 0, -1, 1, 0},
        {"2*x - y*sign(x - z)", 0, -1, 1, 0},
        {"floor(x)*y + z", 0, 3, 4, 4},
        {"round(x - y)*z*z", 0, 3, 4, 4},
        {"mod(x, 2)*z", 0, 3, 4, 4},
    };
    world *w = *state;
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        setup s;
        double gradient[8];
        uint64_t seed = 5;
        setup_open(&s, w, table[k].text);
        for (int trial = 0; trial < 100; trial++) {
            randomise(&s, &seed);
            for (int i = 0; i < 3; i++) {
                s.slots[i] *= 0.1; /* mixed conditions are between 0 and 1 */
            }
            update(&s);
            dt_branch *branch = &s.branches[table[k].index];
            *branch = (dt_branch){.side = table[k].below};
            const double below = recorded(&s);
            *branch = (dt_branch){.side = table[k].above};
            const double above = recorded(&s);
            *branch =
                (dt_branch){.side = DT_BRANCH_SLIDING, .border = table[k].border, .base = 0.3};
            assert_true(fabs(recorded(&s) - (0.7 * below + 0.3 * above)) <= 1e-14);
            find_roots(&s);
            assert_true(s.roots[0] == 0.3 && s.roots[1] == 0.7);
            assert_int_equal(dt_program_flipped(s.program, 0, 0, *branch).side, table[k].below);
            assert_int_equal(dt_program_flipped(s.program, 0, 1, *branch).side, table[k].above);

            branch->slope = 0.2;
            dt_program_gradient(s.program, s.slots, s.branches, s.registers, gradient);
            for (int i = 0; i < s.program->variable_count; i++) {
                const double x = s.slots[i], h = 1e-5;
                s.slots[i] = x + h;
                const double right = recorded(&s);
                s.slots[i] = x - h;
                const double left = recorded(&s);
                s.slots[i] = x;
                assert_true(fabs(gradient[i] - (right - left) / (2 * h)) <= 1e-7);
            }
        }
        setup_close(&s);
    }
}

/* Beyond the range of the state, and where there is no number, an integer switch follows the actual
 * value. */
static void integers_out_of_range_are_live(void **state)
{
    world *w = *state;
    static const double values[] = {1e10, -1e10, 1e300, 1e308, -1e308, 2147483647.5};
    setup s;
    setup_open(&s, w, "mod(x, 3)");
    for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
        s.slots[0] = values[k];
        update(&s);
        assert_true(recorded(&s) == live(&s));
        find_roots(&s);
        assert_true(s.roots[0] >= 0 && s.roots[1] > 0);
    }
    s.slots[0] = NAN;
    update(&s);
    assert_true(isnan(recorded(&s)));
    assert_int_equal(s.branches[0].side, DT_BRANCH_LIVE);
    assert_int_equal(dt_program_flipped(s.program, 0, 0, s.branches[0]).side, DT_BRANCH_LIVE);
    find_roots(&s);
    assert_true(s.roots[0] == 1 && s.roots[1] == 1);
    s.slots[0] = 4;
    assert_true(recorded(&s) == 1);
    setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(current_branches_give_the_live_value),
        cmocka_unit_test(a_changed_branch_has_a_negative_root),
        cmocka_unit_test(recorded_branches_are_followed),
        cmocka_unit_test(a_sliding_switch_mixes_its_branches),
        cmocka_unit_test(settled_switches_follow_a_decree),
        cmocka_unit_test(a_branch_not_taken_does_not_poison),
        cmocka_unit_test(steady_operands_need_no_switch),
        cmocka_unit_test(integers_out_of_range_are_live),
    };
    return cmocka_run_group_tests(tests, world_setup, world_teardown);
}
