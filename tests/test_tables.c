/*
 * Tables: curves and their derivatives by themselves, against their defining properties; enclosures against samples; in mechanisms against
 * exact motions and the same laws as formulas; what is refused.
 */
#include "expression/curve.h"
#include "expression/operation.h"
#include "support_variants.h"

/* ---- curves ---- */

static uint64_t chance_state;

static double chance(double from, double to)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (to - from) * (double)(chance_state >> 11) * 0x1p-53;
}

enum { MOST = 12 };

typedef struct sample_curve {
    dt_arena arena;
    double at[2][MOST], value[MOST * MOST];
    dt_curve curve;
} sample_curve;

/** Random knots and values; `monotone` data where there is one variable. */
static void open_curve(sample_curve *s, int axes, bool cubic, dt_outside outside, bool grows)
{
    dt_arena_init(&s->arena, NULL);
    int size = 1;
    s->curve = (dt_curve){.axes = axes, .value = s->value, .outside = outside};
    for (int k = 0; k < axes; k++) {
        const int count = 2 + (int)chance(0, MOST - 2);
        s->curve.axis[k] = (dt_axis){.count = count, .at = s->at[k]};
        size *= count;
        for (int n = 0; n < count; n++) {
            s->at[k][n] = n == 0 ? chance(-3, 0) : s->at[k][n - 1] + chance(0.01, 1);
        }
    }
    for (int n = 0; n < size; n++) {
        s->value[n] = grows && n > 0 ? s->value[n - 1] + (chance(0, 1) < 0.2 ? 0 : chance(0, 2))
                                     : chance(-5, 5);
    }
    assert_true(dt_curve_complete(&s->arena, &s->curve, cubic));
}

static double value_at(const dt_curve *c, double x, double y, double first[2], double second[3])
{
    const int gx = dt_curve_group(&c->axis[0], x),
              gy = c->axes > 1 ? dt_curve_group(&c->axis[1], y) : 0;
    return dt_curve_value(c, x, y, dt_curve_groups(c, gx, gy), first, second);
}

static double inside(const dt_axis *axis)
{
    return chance(axis->at[0] - 0.5, axis->at[axis->count - 1] + 0.5);
}

static void curves_go_through_their_knots(void **state)
{
    UNUSED(state);
    for (int round = 0; round < 400; round++) {
        sample_curve s;
        open_curve(&s, 1 + round % 2, round % 4 > 1, (dt_outside)(round % 3), false);
        const int columns = s.curve.axes > 1 ? s.curve.axis[1].count : 1;
        for (int i = 0; i < s.curve.axis[0].count - 1; i++) {
            for (int j = 0; j < (columns > 1 ? columns - 1 : 1); j++) {
                const double y = columns > 1 ? s.at[1][j] : 0;
                const double is = value_at(&s.curve, s.at[0][i], y, NULL, NULL);
                assert_true(fabs(is - s.value[i * columns + j]) <= 1e-12);
            }
        }
        dt_arena_free(&s.arena);
    }
}

/* Differences of the value are the slopes, differences of the slopes the curvatures, within a smooth piece. */
static void derivatives_are_exact(void **state)
{
    UNUSED(state);
    const double h = 1e-5;
    for (int round = 0; round < 400; round++) {
        sample_curve s;
        open_curve(&s, 1 + round % 2, round % 4 > 1,
                   round % 3 ? DT_OUTSIDE_EXTEND : DT_OUTSIDE_HOLD, false);
        const dt_curve *c = &s.curve;
        for (int n = 0; n < 20; n++) {
            const double x = inside(&c->axis[0]), y = c->axes > 1 ? inside(&c->axis[1]) : 0;
            double first[2], second[3], more[2], less[2];
            bool near = false;
            for (int k = 0; k < c->axes; k++) {
                for (int i = 0; i < c->axis[k].count; i++) {
                    near = near || fabs((k ? y : x) - s.at[k][i]) < 2 * h;
                }
            }
            if (near) {
                continue;
            }
            value_at(c, x, y, first, second);
            const double by_x =
                (value_at(c, x + h, y, more, NULL) - value_at(c, x - h, y, less, NULL)) / (2 * h);
            const double scale = 1 + fabs(first[0]) + fabs(second[0]) + fabs(second[1]);
            assert_true(fabs(by_x - first[0]) <= 1e-4 * scale);
            assert_true(fabs((more[0] - less[0]) / (2 * h) - second[0]) <= 1e-3 * scale);
            assert_true(fabs((more[1] - less[1]) / (2 * h) - second[1]) <= 1e-3 * scale);
            const double by_y =
                (value_at(c, x, y + h, more, NULL) - value_at(c, x, y - h, less, NULL)) / (2 * h);
            assert_true(c->axes == 1 || fabs(by_y - first[1]) <= 1e-4 * (scale + fabs(second[2])));
        }
        dt_arena_free(&s.arena);
    }
}

static void monotone_curves_are_monotone_and_smooth(void **state)
{
    UNUSED(state);
    for (int round = 0; round < 300; round++) {
        sample_curve s;
        open_curve(&s, 1, true, DT_OUTSIDE_EXTEND, true);
        const dt_axis *axis = &s.curve.axis[0];
        const int last = axis->count - 1;
        double before = -INFINITY;
        for (int n = 0; n <= 2000; n++) {
            double first[2];
            const double x = axis->at[0] + (axis->at[last] - axis->at[0]) * n / 2000,
                         is = value_at(&s.curve, x, 0, first, NULL);
            assert_true(is >= before - 1e-12 && first[0] >= -1e-12);
            before = is;
        }
        for (int k = 0; k <= last; k++) { /* one slope from both sides, beyond the ends too */
            double left[2], right[2];
            value_at(&s.curve, axis->at[k] - 1e-9, 0, left, NULL);
            value_at(&s.curve, axis->at[k] + 1e-9, 0, right, NULL);
            assert_true(fabs(left[0] - right[0]) <= 1e-4 * (1 + fabs(left[0])));
        }
        assert_int_equal(axis->border_count, 0);
        dt_arena_free(&s.arena);
    }
}

/* Points of a straight line are one: no border inside, whatever the interpolation. */
static void a_line_has_no_borders(void **state)
{
    UNUSED(state);
    for (int cubic = 0; cubic < 2; cubic++) {
        static const double at[] = {0, 1, 3, 4}, value[] = {1, 3, 7, 9};
        dt_arena arena;
        dt_arena_init(&arena, NULL);
        dt_curve c = {.axes = 1,
                      .axis = {{.count = 4, .at = at}},
                      .value = value,
                      .outside = DT_OUTSIDE_EXTEND};
        assert_true(dt_curve_complete(&arena, &c, (dt_interpolation)cubic));
        assert_int_equal(c.axis[0].border_count, 0);
        for (double x = -2; x < 7; x += 0.3) {
            assert_true(fabs(value_at(&c, x, 0, NULL, NULL) - (1 + 2 * x)) <= 1e-13);
        }
        dt_arena_free(&arena);
    }
}

/* Value, first and half the second derivative along a line through the arguments are inside. */
static void enclosures_hold_what_they_enclose(void **state)
{
    UNUSED(state);
    for (int round = 0; round < 600; round++) {
        sample_curve s;
        open_curve(&s, 1 + round % 2, round % 4 > 1,
                   round % 3 ? DT_OUTSIDE_EXTEND : DT_OUTSIDE_HOLD, false);
        const dt_curve *c = &s.curve;
        const double x = inside(&c->axis[0]), y = c->axes > 1 ? inside(&c->axis[1]) : 0,
                     dx = chance(-2, 2), dy = chance(-2, 2), h = chance(0, 0.8);
        const double groups = dt_curve_groups(c, dt_curve_group(&c->axis[0], x),
                                              c->axes > 1 ? dt_curve_group(&c->axis[1], y) : 0);
        dt_series a, b, g, is;
        dt_series_constant(x, 4, &a);
        dt_series_constant(y, 4, &b);
        dt_series_constant(groups, 4, &g);
        a.c[0] = (dt_interval){fmin(x, x + dx * h), fmax(x, x + dx * h)};
        b.c[0] = (dt_interval){fmin(y, y + dy * h), fmax(y, y + dy * h)};
        a.c[1] = dt_interval_point(dx);
        b.c[1] = dt_interval_point(dy);
        dt_curve_enclose(c, &a, &b, &g, 4, &is);
        for (int n = 0; n <= 40; n++) {
            const double t = h * n / 40;
            double first[2], second[3];
            const double f = dt_curve_value(c, x + dx * t, y + dy * t, groups, first, second);
            assert_true(dt_interval_holds(is.c[0], f));
            assert_true(dt_interval_holds(is.c[1], first[0] * dx + first[1] * dy) ||
                        dt_interval_size(is.c[1]) > 1e6);
            const double bend = 0.5 * (second[0] * dx * dx + 2 * second[1] * dx * dy +
                                       second[2] * dy * dy),
                         room = 1e-9 * (1 + fabs(bend));
            assert_true(bend >= is.c[2].lo - room && bend <= is.c[2].hi + room);
        }
        dt_arena_free(&s.arena);
    }
}

/* ---- in mechanisms ---- */

/* A force as a table of t: knots are instants known in advance, stepped to exactly. */
static void a_load_profile_is_exact(void **state)
{
    UNUSED(state);
    detent_error error;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "tables: {load: {of: [0 s, 1 s, 2 s, 4 s], is: [0 N, 2 N, -1 N, 1 N]}}\n"
            "bodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, force: load(t)}}\n"
            "outputs: [velocity(slide)]\nsimulation: {end: 6, rtol: 1e-10}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        static const double knots[] = {1, 2, 4}, speed[] = {1, 1.5, 1.5};
        for (int n = 0; n < 3; n++) {
            double is;
            assert_int_equal(detent_advance(sim, 6, true, &error), DETENT_EVENT);
            assert_true(detent_time(sim) == knots[n]);
            variant_outputs(sim, v, knots[n], &is, 1);
            variant_check(v, "speed", is, speed[n], 1e-9);
        }
        double is;
        variant_outputs(sim, v, 6, &is, 1);
        variant_check(v, "speed", is, 3.5, 1e-9);
        runs_end(sim, m);
    }
}

/* A spring that is four times as stiff on one side: halves of two circles. */
static void a_spring_with_a_kink_is_exact(void **state)
{
    UNUSED(state);
    const double pi = acos(-1);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "tables: {spring: {of: [-1, 0, 1], is: [1, 0, -4], outside: extend}}\n"
            "bodies: {a: {mass: 1}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, force: "
            "spring(position(slide)), initial: {position: 2}}}\n"
            "outputs: [position(slide), velocity(slide)]\nsimulation: {end: 10, rtol: 1e-10}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        const double period = pi / 2 + pi;
        for (int n = 1; n <= 3; n++) {
            double is[2];
            variant_outputs(sim, v, (n - 0.5) * period, is,
                            2); /* on the soft side, all the way out */
            variant_check(v, "place", is[0], -4, 1e-7);
            variant_check(v, "velocity", is[1], 0, 1e-7);
            variant_outputs(sim, v, n * period, is, 2);
            variant_check(v, "place", is[0], 2, 1e-7);
        }
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_true(now.events <= 8);
        runs_end(sim, m);
    }
}

/* A friction that falls and rises again, as a table over the speed and as a formula. */
static void a_friction_table_is_its_formula(void **state)
{
    UNUSED(state);
    static const char *const law[] = {
        "curve(abs(velocity(slide)))",
        "if(abs(velocity(slide)) < 0.1, 1.2 - 2*abs(velocity(slide)), "
        "1 + 0.5*(min(abs(velocity(slide)), 1) - 0.1))"};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double is[2][2];
        for (int which = 0; which < 2; which++) {
            char text[1024];
            snprintf(text, sizeof text,
                     "detent: 1\ngravity: [0, 0, 0]\n"
                     "tables: {curve: {of: [0, 0.1, 1], is: [1.2, 1.0, 1.45]}}\n"
                     "bodies: {a: {mass: 1}}\n"
                     "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
                     "stiction: {slide: {external: 2*sin(3*t), static: 1.3, kinetic: \"%s\"}}\n"
                     "outputs: [position(slide), velocity(slide)]\n"
                     "simulation: {end: 5, rtol: 1e-10}\n",
                     law[which]);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 5, is[which], 2);
            runs_end(sim, m);
        }
        variant_check(v, "place", is[0][0], is[1][0], 1e-8);
        variant_check(v, "velocity", is[0][1], is[1][1], 1e-8);
    }
}

/* Over place and speed: x'' = -(4 x + 0.4 x') on a grid that has the plane. */
static void a_grid_has_its_plane(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                       "tables: {push: {of: [[-1, 0.25, 2], [-4, 1, 6]], outside: extend,\n"
                       "  is: [[5.6, 3.6, 1.6], [0.6, -1.4, -3.4], [-6.4, -8.4, -10.4]]}}\n"
                       "bodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a, force: "
                       "\"push(position(slide), velocity(slide))\", initial: {position: 1}}}\n"
                       "outputs: [position(slide)]\nsimulation: {end: 3, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        const double d = 0.2, w = sqrt(4 - d * d);
        double is;
        variant_outputs(sim, v, 2, &is, 1);
        variant_check(v, "place", is, exp(-2 * d) * (cos(2 * w) + d / w * sin(2 * w)), 1e-8);
        runs_end(sim, m);
    }
}

static void outside_is_an_error_where_it_is_said(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "tables: {load: {of: [0, 1], is: [1, 2], outside: error}}\n"
                   "bodies: {a: {mass: 1}}\n"
                   "joints: {slide: {type: prismatic, base: ground, follower: a, force: "
                   "load(position(slide))}}\nsimulation: {end: 6}\n",
                   NULL);
    detent_simulation *sim = runs_start(m, NULL);
    assert_true(detent_advance(sim, 6, false, &error) < 0);
    assert_non_null(strstr(error.message, "load(position(slide))"));
    runs_near("place", runs_position(m, sim, "slide"), 1, 1e-3);
    runs_end(sim, m);
}

/* ---- what is refused ---- */

/** Signals stand in the arguments of tables as anywhere, those of signals, too, and tables in those of tables. */
static void signals_are_arguments(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "tables:\n"
        "  rise: {of: [0, 1, 2], is: [0, 1, 4], interpolation: linear}\n"
        "  map: {of: [[0, 1], [0, 10]], is: [[0, 10], [1, 11]], interpolation: linear}\n"
        "signals: {twice: 2*half, half: t/2, both: \"map(rise(twice), 2 + later)\", later: "
        "rise(half)}\n"
        "bodies: {b: {mass: 1}}\n"
        "joints: {j: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], force: "
        "rise(twice)}}\n"
        "outputs: [both, rise(twice), later]\n";
    (void)state;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 0.5);
    double value[3], v;
    detent_error error;
    runs_must(detent_read(s, DETENT_OUTPUTS, value, 3, &error), &error);
    runs_near("both", value[0], 0.5 + 2.25, 1e-14);
    runs_near("rise", value[1], 0.5, 1e-14);
    runs_near("later", value[2], 0.25, 1e-14);
    runs_advance(s, 2);
    runs_must(detent_read(s, DETENT_VELOCITIES, &v, 1, &error), &error);
    runs_near("velocity", v, 0.5 + 2.5, 1e-9);
    runs_end(s, m);
}

static void bad_tables_are_refused(void **state)
{
    UNUSED(state);
    static const struct {
        const char *table, *output;
        int column; /* of the table; 0: of the output */
        const char *words;
    } cases[] = {
        {"of: [0, 1, 1], is: [0, 1, 2]", "0", 25, "must grow: 1 follows 1"},
        {"of: [0, 2, 1], is: [0, 1, 2]", "0", 25, "must grow: 1 follows 2"},
        {"of: [0, 1], is: [0, 1, 2]", "0", 30, "3 values for 2 knots"},
        {"of: [0], is: [0]", "0", 18, "two knots"},
        {"of: [0, .inf], is: [0, 1]", "0", 22, "finite"},
        {"of: [0, 1], is: [0, .nan]", "0", 34, "finite"},
        {"of: [0, 1 m], is: [0, 1]", "f(t)", 0, "over m, not over s"},
        {"of: [0 s, 1 m], is: [0, 1]", "0", 24, "in s"},
        {"of: [0, 1]", "0", 10, "'of' and 'is', or 'csv'"},
        {"of: [0, 1], is: [0, 1], csv: x", "0", 10, "'of' and 'is', or 'csv'"},
        {"of: [0, 1], is: [0, 1], outside: no", "0", 47, "'hold', 'extend', 'error' or 'repeat'"},
        {"of: [[0, 1], [0, 1]], is: [[0, 1], [1]]", "0", 49, "1 values for 2 knots"},
        {"of: [[0, 1], [0, 1]], is: [[0, 1]]", "0", 40, "1 values for 2 knots"},
        {"of: [[0, 1], [1, 0]], is: [[0, 1], [0, 1]]", "0", 31, "must grow"},
        {"of: [[0, 1]], is: [[0, 1], [0, 1]]", "0", 18, "two of them"},
        {"of: [0, 1], is: [0, 1], layout: grid", "0", 10, "what a 'csv' file looks like"},
        {"csv: x, layout: rows", "0", 30, "'columns' or 'grid'"},
        {"of: [0, 1], is: [0, 1]", "f(1, 2)", 0, "takes 1 argument, not 2"},
        {"of: [0, 1], is: [0, 1]", "f()", 0, "takes 1 argument, not 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\ntables: {f: {%s}}\nbodies: {b: {mass: 1}}\n"
                 "joints: {j: {type: prismatic, base: ground, follower: b}}\noutputs: [\"%s\"]\n",
                 cases[k].table, cases[k].output);
        detent_error error;
        detent_mechanism *m = NULL;
        if (detent_mechanism_parse(text, strlen(text), "x.yaml", NULL, &m, &error) == DETENT_OK) {
            fail_msg("accepted:\n%s", text);
        }
        if (error.line != (cases[k].column ? 3 : 6) ||
            (cases[k].column && error.column != cases[k].column) ||
            !strstr(error.message, cases[k].words)) {
            fail_msg("%d:%d: %s\n%s", error.line, error.column, error.message, text);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_go_through_their_knots),
        cmocka_unit_test(derivatives_are_exact),
        cmocka_unit_test(monotone_curves_are_monotone_and_smooth),
        cmocka_unit_test(a_line_has_no_borders),
        cmocka_unit_test(enclosures_hold_what_they_enclose),
        cmocka_unit_test(a_load_profile_is_exact),
        cmocka_unit_test(a_spring_with_a_kink_is_exact),
        cmocka_unit_test(a_friction_table_is_its_formula),
        cmocka_unit_test(a_grid_has_its_plane),
        cmocka_unit_test(outside_is_an_error_where_it_is_said),
        cmocka_unit_test(signals_are_arguments),
        cmocka_unit_test(bad_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
