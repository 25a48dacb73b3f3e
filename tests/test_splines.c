/*
 * Tables as cubic splines, by what defines them: through their knots, with two continuous derivatives, natural at the ends or the same at
 * both of a period; against a sine, to the fourth order; enclosures against samples; in a mechanism; what is refused.
 */
#include "expression/curve.h"
#include "support_variants.h"

#define PI 3.14159265358979323846

enum { MOST = 40 };

static uint64_t chance_state = 5;

static double chance(double from, double to)
{
    chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return from + (to - from) * (double)(chance_state >> 11) * 0x1p-53;
}

typedef struct sample_curve {
    dt_arena arena;
    double at[MOST], value[MOST];
    dt_curve curve;
} sample_curve;

static void open_curve(sample_curve *s, int count, dt_outside outside)
{
    dt_arena_init(&s->arena, NULL);
    for (int k = 0; k < count; k++) {
        s->at[k] = k ? s->at[k - 1] + chance(0.3, 1) : chance(-3, 3);
        s->value[k] = chance(-5, 5);
    }
    if (outside == DT_OUTSIDE_REPEAT) {
        s->value[count - 1] = s->value[0];
    }
    s->curve = (dt_curve){
        .axes = 1, .axis = {{.count = count, .at = s->at}}, .value = s->value, .outside = outside};
    assert_true(dt_curve_complete(&s->arena, &s->curve, DT_INTERPOLATION_SPLINE));
}

/** Value, first and second derivative. */
static void look(const dt_curve *c, double x, double of[3])
{
    double first[2], second[3];
    of[0] = dt_curve_value(c, x, 0, dt_curve_group(&c->axis[0], x), first, second);
    of[1] = first[0];
    of[2] = second[0];
}

static void near(double is, double wanted, double tolerance)
{
    if (!(fabs(is - wanted) <= tolerance)) {
        fail_msg("%.17g is not %.17g", is, wanted);
    }
}

/** Cubics between the knots, so that one sided derivatives at the knots tell all. */
static void splines_are_smooth(void **state)
{
    UNUSED(state);
    for (int round = 0; round < 300; round++) {
        const bool repeats = round % 2;
        sample_curve s;
        open_curve(&s, (repeats ? 4 : 2) + (int)chance(0, MOST - 4),
                   repeats ? DT_OUTSIDE_REPEAT : DT_OUTSIDE_EXTEND);
        const int last = s.curve.axis[0].count - 1;
        const double period = s.at[last] - s.at[0], turns = repeats ? floor(chance(-9, 9)) : 0;
        assert_int_equal(s.curve.axis[0].border_count, 0);
        for (int k = 0; k <= last; k++) {
            const double x = s.at[k] + turns * period, h = 1e-7;
            double left[3], right[3], is[3];
            look(&s.curve, x, is);
            look(&s.curve, x - h, left);
            look(&s.curve, x + h, right);
            near(is[0], s.value[k], 1e-9);
            near(left[1], right[1], 1e-4 * (1 + fabs(is[1])));
            near(left[2], right[2], 1e-3 * (1 + fabs(is[2])));
            if (!repeats && (k == 0 || k == last)) {
                near(is[2], 0, 1e-9);
            }
        }
        dt_arena_free(&s.arena);
    }
}

/** Derivatives against differences, anywhere. */
static void derivatives_are_exact(void **state)
{
    UNUSED(state);
    const double h = 1e-5;
    for (int round = 0; round < 200; round++) {
        sample_curve s;
        open_curve(&s, 12, round % 2 ? DT_OUTSIDE_REPEAT : DT_OUTSIDE_EXTEND);
        const double x = chance(-20, 20);
        double is[3], less[3], more[3];
        look(&s.curve, x, is);
        look(&s.curve, x - h, less);
        look(&s.curve, x + h, more);
        const double size = 1 + fabs(is[0]) + fabs(is[1]) + fabs(is[2]);
        near((more[0] - less[0]) / (2 * h), is[1], 1e-4 * size);
        near((more[1] - less[1]) / (2 * h), is[2], 2e-2 * size); /* may hold a knot */
        dt_arena_free(&s.arena);
    }
}

/** A sine through more and more points: halved intervals leave a sixteenth of the error. */
static void a_sine_is_met_to_fourth_order(void **state)
{
    UNUSED(state);
    static double at[257], value[257];
    double before = 0;
    for (int n = 16; n <= 256; n *= 2) {
        dt_arena arena;
        double worst = 0;
        dt_arena_init(&arena, NULL);
        for (int k = 0; k <= n; k++) {
            at[k] = 2 * PI * k / n;
            value[k] = k == n ? 0 : sin(at[k]);
        }
        dt_curve c = {.axes = 1,
                      .axis = {{.count = n + 1, .at = at}},
                      .value = value,
                      .outside = DT_OUTSIDE_REPEAT};
        assert_true(dt_curve_complete(&arena, &c, DT_INTERPOLATION_SPLINE));
        for (int k = -500; k < 1500; k++) {
            double is[3];
            look(&c, 0.0123 * k, is);
            worst = fmax(worst, fabs(is[0] - sin(0.0123 * k)));
        }
        assert_true(n == 16 || (before / worst > 14 && before / worst < 18));
        before = worst;
        dt_arena_free(&arena);
    }
    assert_true(before < 1e-8);
}

/** Along x + dx t, at any t in the interval, value and derivatives are inside; over ends of periods, too. */
static void enclosures_hold(void **state)
{
    UNUSED(state);
    int told = 0;
    for (int round = 0; round < 400; round++) {
        sample_curve s;
        open_curve(&s, 8, round % 4 ? DT_OUTSIDE_REPEAT : DT_OUTSIDE_EXTEND);
        const double x = chance(-30, 30), dx = chance(-3, 3), h = chance(0, 2);
        dt_series a, g, is;
        dt_series_constant(x, 3, &a);
        dt_series_constant(dt_curve_group(&s.curve.axis[0], x), 3, &g);
        a.c[0] = dt_interval_add(a.c[0],
                                 dt_interval_multiply(dt_interval_point(dx), (dt_interval){0, h}));
        a.c[1] = dt_interval_point(dx);
        dt_curve_enclose(&s.curve, &a, NULL, &g, 3, &is);
        for (int k = 0; k <= 50; k++) {
            double at[3];
            look(&s.curve, x + dx * h * k / 50, at);
            const double slack = 1e-11;
            assert_true(is.c[0].lo <= at[0] + slack && at[0] - slack <= is.c[0].hi);
            assert_true(is.c[1].lo <= at[1] * dx + slack && at[1] * dx - slack <= is.c[1].hi);
            assert_true(is.c[2].lo <= at[2] * dx * dx / 2 + slack &&
                        at[2] * dx * dx / 2 - slack <= is.c[2].hi);
        }
        told += isfinite(is.c[0].lo);
        dt_arena_free(&s.arena);
    }
    assert_true(told == 400);
}

/** A slide that is led along a spline of t for many periods: where the table says, and as fast. */
static void a_motion_repeats(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\n"
            "tables: {lift: {of: [0, 0.25 s, 0.5, 0.75, 1], is: [0, 1 mm, 0, -1 mm, 0], "
            "interpolation: spline, outside: repeat}}\n"
            "bodies: {a: {mass: 2}}\n"
            "joints: {slide: {type: prismatic, base: ground, follower: a, motion: lift(t)}}\n"
            "outputs: [position(slide), velocity(slide), force(slide)]\nsimulation: {end: 9.5}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[3];
        /* by its symmetries: 0 and -48 h at the knots, so slopes 6 h and 0 there, h over a quarter of a period */
        variant_outputs(sim, v, 7.25, is, 3);
        variant_check(v, "place", is[0], 0.001, 1e-15);
        variant_check(v, "velocity", is[1], 0, 1e-14);
        variant_check(v, "force", is[2], -2 * 0.048, 1e-12);
        variant_outputs(sim, v, 9, is, 3);
        variant_check(v, "velocity", is[1], 0.006, 1e-13);
        runs_end(sim, m);
    }
}

static void bad_splines_are_refused(void **state)
{
    UNUSED(state);
    static const struct {
        const char *table;
        int column;
        const char *words;
    } cases[] = {
        {"of: [0, 1, 2, 3], is: [0, 1, 2, 3], interpolation: spline, outside: repeat", 39,
         "begins with, 0, not 3"},
        {"of: [0, 1, 2], is: [0, 1, 0], interpolation: spline, outside: repeat", 10, "four knots"},
        {"of: [0, 1, 2, 3], is: [0, 1, 2, 0], outside: repeat", 10, "interpolation: spline"},
        {"of: [[0, 1], [0, 1]], is: [[0, 1], [1, 0]], interpolation: spline", 10, "one variable"},
        {"of: [0, 2, 1], is: [0, 1, 2], interpolation: spline", 18, "must grow"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512];
        detent_error error;
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\ntables:\n  f: {%s}\nbodies: {a: {mass: 1}}\n"
                 "joints: {j: {type: prismatic, base: ground, follower: a}}\n",
                 cases[k].table);
        detent_mechanism *m = NULL;
        assert_true(detent_mechanism_parse(text, strlen(text), "f.yaml", NULL, &m, &error) < 0);
        (void)m;
        if (error.line != 4 || !strstr(error.message, cases[k].words) ||
            (cases[k].column != 10 && error.column != cases[k].column)) {
            fail_msg("%s: %d:%d: %s", cases[k].table, error.line, error.column, error.message);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splines_are_smooth),
        cmocka_unit_test(derivatives_are_exact),
        cmocka_unit_test(a_sine_is_met_to_fourth_order),
        cmocka_unit_test(enclosures_hold),
        cmocka_unit_test(a_motion_repeats),
        cmocka_unit_test(bad_splines_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
