/*
 * Points on curves, in all variants: a circle against a pendulum, as a formula and as a spline through points; a cycloid, on which all swings take
 * as long; a yoke and a slotted link that are driven, against their formulas; a ring of one body about a pin of another one, by its energy and in
 * every variant alike; ends of curves; stiction; linear models; what cannot be assembled, and what is refused.
 */
#include "support_linear.h"
#include "support_range.h"
#include "support_variants.h"

#define PI 3.14159265358979323846

static detent_mechanism *parse(const char *format, const char *curve)
{
    static char text[1 << 18];
    snprintf(text, sizeof text, format, curve);
    return runs_parse(text, NULL);
}

static void is_quick(detent_simulation *sim, variant v)
{
    detent_statistics now = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &now);
    assert_true((double)now.residuals <= 1.3 * (double)now.steps ||
                v.integrator != DETENT_INTEGRATOR_IDA);
}

/** The angle below the horizontal of a pendulum of 1 m that is let go there, and how fast: th'' = 9.81 cos th, by Runge and Kutta. */
static void pendulum(double end, double is[2])
{
    const int steps = 50000;
    const double h = end / steps;
    double th = 0, w = 0;
    for (int k = 0; k < steps; k++) {
        const double a1 = 9.81 * cos(th), w2 = w + h / 2 * a1, a2 = 9.81 * cos(th + h / 2 * w),
                     w3 = w + h / 2 * a2, a3 = 9.81 * cos(th + h / 2 * w2), w4 = w + h * a3,
                     a4 = 9.81 * cos(th + h * w3);
        th += h / 6 * (w + 2 * w2 + 2 * w3 + w4);
        w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    is[0] = th;
    is[1] = w;
}

static const char bead_text[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "%s\n"
    "bodies: {x: {mass: 0}, m: {mass: 1}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: x, axis: [1, 0, 0], "
    "initial: {position: -1}}\n"
    "  lift: {type: prismatic, base: x, follower: m, axis: [0, 1, 0]}\n"
    "outputs: [position(slide), position(lift), contact_force(s), constraint_error()]\n"
    "simulation: {end: 4, rtol: 1e-11, atol: 1e-13}\n";

static void a_circle_is_a_pendulum(void **state)
{
    UNUSED(state);
    static char points[2][1 << 16];
    enum { POINTS = 600 };
    size_t length[2] = {0};
    for (int k = 0; k <= POINTS; k++) {
        for (int c = 0; c < 2; c++) {
            const double angle = 2 * PI * (k % POINTS) / POINTS;
            length[c] += (size_t)snprintf(points[c] + length[c], sizeof points[c] - length[c],
                                          "%s%.17g", k ? ", " : "", c ? sin(angle) : cos(angle));
        }
    }
    static char table[1 << 18], knots[1 << 14];
    size_t at = 0;
    for (int k = 0; k <= POINTS; k++) {
        at += (size_t)snprintf(knots + at, sizeof knots - at, "%s%d", k ? ", " : "", k);
    }
    snprintf(table, sizeof table,
             "tables:\n"
             "  X: {of: [%s], is: [%s], interpolation: spline, outside: repeat}\n"
             "  Y: {of: [%s], is: [%s], interpolation: spline, outside: repeat}\n"
             "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: X(u), y: Y(u), "
             "from: 0, to: %d, closed: true}}",
             knots, points[0], knots, points[1], POINTS);
    const char *const curves[] = {
        "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: cos(u), y: sin(u), "
        "from: -1, to: 2*pi - 1, closed: true}}",
        "couplings: {s: {type: slot, between: [{body: m}, {body: ground, at: {point: [0.3, 0, 2], "
        "rotation: {axis: [0, 0, 1], angle: 40 deg}}}], x: \"sin(u) - 0.3*cos(40 deg)\", "
        "y: \"-cos(u) + 0.3*sin(40 deg)\", from: -3.5, to: 3.5 - 1}}",
        table};
    double is[2];
    pendulum(4, is);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int n = 0; n < 3; n++) {
            double x[4];
            detent_mechanism *m = parse(bead_text, curves[n]);
            detent_simulation *sim = variant_start(m, v);
            for (int row = 1; row <= 40; row++) {
                variant_outputs(sim, v, 0.1 * row, x, 4);
                variant_check(v, "radius", hypot(x[0], x[1]), 1, n == 2 ? 1e-9 : 1e-12);
                assert_true(x[3] < 1e-12);
            }
            variant_check(v, "x", x[0], -cos(is[0]), 1e-8);
            variant_check(v, "y", x[1], -sin(is[0]), 1e-8);
            const double force = is[1] * is[1] + 9.81 * sin(is[0]);
            variant_check(v, "force", x[2], force, n == 2 ? 1e-3 : 1e-6);
            if (n < 2) { /* the third derivative of a spline jumps */
                is_quick(sim, v);
            }
            runs_end(sim, m);
        }
    }
}

/** R = 0.5: the way along it swings as cos(w t), w^2 = g / (4 R), from wherever it is let go. */
static void a_cycloid_keeps_time(void **state)
{
    UNUSED(state);
    static const char curve[] =
        "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: 0.5*(u + sin(u)), "
        "y: 0.5*(1 - cos(u)), from: -3.1, to: 3.1}}";
    static const double start[] = {0.1, 1, 2.5};
    const double w = sqrt(9.81 / 2);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int n = 0; n < 3; n++) {
            char file[2048];
            snprintf(file, sizeof file,
                     "detent: 1\ngravity: [0, -9.81, 0]\n%s\n"
                     "bodies: {x: {mass: 0}, m: {mass: 1}}\n"
                     "joints:\n"
                     "  slide: {type: prismatic, base: ground, follower: x, axis: [1, 0, 0], "
                     "initial: {position: %.17g, priority: exact}}\n"
                     "  lift: {type: prismatic, base: x, follower: m, axis: [0, 1, 0], initial: "
                     "{position: %.17g}}\n"
                     "outputs: [position(slide), position(lift)]\n"
                     "simulation: {end: 9, rtol: 1e-11, atol: 1e-13}\n",
                     curve, 0.5 * (start[n] + sin(start[n])), 0.5 * (1 - cos(start[n])));
            detent_mechanism *m = runs_parse(file, NULL);
            detent_simulation *sim = variant_start(m, v);
            for (int row = 1; row <= 8; row++) {
                double x[2];
                const double t = row * PI / (4 * w), way = 2 * sin(start[n] / 2) * cos(w * t),
                             u = 2 * asin(way / 2);
                variant_outputs(sim, v, t, x, 2);
                variant_check(v, "x", x[0], 0.5 * (u + sin(u)), 1e-7);
                variant_check(v, "y", x[1], 0.5 * (1 - cos(u)), 1e-7);
            }
            is_quick(sim, v);
            runs_end(sim, m);
        }
    }
}

/** Driven by a crank of r = 0.2 at 6 rad/s: a yoke, x = r cos, and a slotted link about a pin that is d = 0.5 beside. */
static void slots_that_are_driven(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {crank: {mass: 1, inertia: [1, 1, 1]}, yoke: {mass: 3}, link: {mass: 2, inertia: "
        "[1, 1, 0.7]}}\n"
        "joints:\n"
        "  turn: {type: revolute, base: ground, follower: crank, motion: 0.4 + 6*t}\n"
        "  slide: {type: prismatic, base: ground, follower: yoke, axis: [1, 0, 0]}\n"
        "  rock: {type: revolute, base: ground, follower: link, at: {base: [-0.5, 0, 0]}}\n"
        "couplings:\n"
        "  a: {type: slot, between: [{body: crank, at: [0.2, 0, 0]}, {body: yoke}], x: 0*u, y: u, "
        "from: -0.3, to: 0.3}\n"
        "  b: {type: slot, between: [{body: crank, at: [0.2, 0, 0]}, {body: link}], x: u, y: 0*u, "
        "from: 0.1, to: 1}\n"
        "outputs: [position(slide), velocity(slide), contact_force(a), position(rock), "
        "velocity(rock), contact_force(b), constraint_error()]\n"
        "simulation: {end: 3}\n";
    const double r = 0.2, d = 0.5, w = 6;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int row = 1; row <= 10; row++) {
            double x[7];
            const double t = 0.3 * row, q = 0.4 + w * t, X = d + r * cos(q), Y = r * sin(q),
                         dX = -w * Y, dY = w * r * cos(q),
                         rate = (X * dY - Y * dX) / (X * X + Y * Y), ddX = -w * w * r * cos(q),
                         ddY = -w * w * Y,
                         spin =
                             ((X * ddY - Y * ddX) - rate * 2 * (X * dX + Y * dY)) / (X * X + Y * Y);
            variant_outputs(sim, v, t, x, 7);
            variant_check(v, "slide", x[0], r * cos(q), 1e-14);
            variant_check(v, "its speed", x[1], -w * r * sin(q), 1e-13);
            variant_check(v, "force", x[2], -3 * w * w * r * cos(q), 1e-10);
            variant_check(v, "rock", x[3], atan2(Y, X), 1e-14);
            variant_check(v, "its speed", x[4], rate, 1e-12);
            variant_check(v, "its force", x[5], -0.7 * spin / hypot(X, Y), 1e-9);
            assert_true(x[6] < 1e-12);
        }
        runs_end(sim, m);
    }
}

/** An elliptic ring that turns about a pivot beside its middle, round a pin at the end of an arm: all variants go alike, and energy stays. */
static void a_ring_about_a_pin(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {r: {mass: 2, inertia: [1, 1, 1], center_of_mass: [0.1, 0, 0]}, a: {mass: 1, "
        "inertia: [0.1, 0.1, 0.1], center_of_mass: [0.3, 0, 0]}}\n"
        "joints:\n"
        "  p: {type: revolute, base: ground, follower: r, initial: {velocity: 1}}\n"
        "  q: {type: revolute, base: ground, follower: a, at: {base: [-0.2, 0.1, 0]}, initial: "
        "{position: 0.3}}\n"
        "couplings:\n"
        "  s: {type: slot, between: [{body: a, at: [1.1, 0, 0]}, {body: r, at: {point: [0.2, 0, "
        "0], rotation: {axis: [0, 0, 1], angle: 20 deg}}}], x: 0.7*cos(u), y: 0.5*sin(u), from: "
        "0, to: 2*pi, closed: true}\n"
        "outputs: [position(p), position(q), contact_force(s), constraint_error(s), {E: "
        "kinetic_energy() + potential_energy()}]\n"
        "simulation: {end: 3, rtol: 1e-10}\n";
    double first[5] = {0};
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        double x[5], at_start[5];
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 0, at_start, 5);
        for (int row = 1; row <= 15; row++) {
            variant_outputs(sim, v, 0.2 * row, x, 5);
            variant_check(v, "energy", x[4], at_start[4], 1e-7);
            /* by hand: the pin as the ring sees it is on the ellipse */
            const double X = -0.2 + 1.1 * cos(x[1]), Y = 0.1 + 1.1 * sin(x[1]), c = cos(x[0]),
                         s = sin(x[0]), rx = c * X + s * Y - 0.2, ry = -s * X + c * Y,
                         C = cos(PI / 9), S = sin(PI / 9), ex = (C * rx + S * ry) / 0.7,
                         ey = (-S * rx + C * ry) / 0.5;
            variant_check(v, "ellipse", ex * ex + ey * ey, 1, 1e-13);
        }
        if (k == 0) {
            memcpy(first, x, sizeof first);
        }
        variant_check(v, "p", x[0], first[0], 1e-7);
        variant_check(v, "q", x[1], first[1], 1e-7);
        variant_check(v, "force", x[2], first[2], 1e-5);
        is_quick(sim, v);
        runs_end(sim, m);
    }
}

/** A bead on a sticky slope y = x^2 holds as long as tan is below its limit; the slide carries what holds it. */
static void stiction_holds_a_bead(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -10, 0]\n"
        "bodies: {x: {mass: 0}, m: {mass: 1}}\n"
        "joints:\n"
        "  slide: {type: prismatic, base: ground, follower: x, axis: [1, 0, 0], "
        "initial: {position: %s, priority: exact}}\n"
        "  lift: {type: prismatic, base: x, follower: m, axis: [0, 1, 0]}\n"
        "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: u, y: \"1 "
        "[1/m]*u^2\", "
        "from: -2, to: 2}}\n"
        "stiction: {slide: {static: 10, kinetic: 5}}\n"
        "outputs: [position(slide), friction(slide)]\n"
        "simulation: {end: 1}\n";
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (int n = 0; n < 2; n++) {
            double x[2];
            detent_mechanism *m = parse(text, n ? "0.51" : "0.49");
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 0.5, x, 2);
            if (n) {
                assert_true(x[0] < 0.5);
            } else { /* along x: m g y' */
                variant_check(v, "rest", x[0], 0.49, 0);
                variant_check(v, "friction", x[1], 9.8, 1e-9);
            }
            runs_end(sim, m);
        }
    }
}

static void a_linear_model(void **state)
{
    UNUSED(state);
    detent_error error;
    linear_model *l = NULL;
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {x: {mass: 0}, m: {mass: 1}}\n"
        "joints:\n"
        "  slide: {type: prismatic, base: ground, follower: x, axis: [1, 0, 0]}\n"
        "  lift: {type: prismatic, base: x, follower: m, axis: [0, 1, 0]}\n"
        "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: 0.5*(u + sin(u)), "
        "y: 0.5*(1 - cos(u)), from: -3, to: 3}}\n",
        NULL);
    detent_simulation *sim = runs_start(m, NULL);
    runs_must(linear_model_make(sim, NULL, &l, &error), &error);
    assert_int_equal(l->states, 2);
    runs_near("frequency", l->eigenvalue[0].frequency, sqrt(9.81 / 2), 1e-12);
    linear_model_free(l);
    runs_end(sim, m);
}

/** Over the end of a curve there is nothing: the run ends there. */
static void a_curve_ends(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error = {.message = ""};
        detent_mechanism *m = parse(
            bead_text, "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: u, "
                       "y: -0.2*u, from: -2, to: 1}}");
        detent_simulation *sim = variant_start(m, v);
        detent_status status = DETENT_OK;
        while (detent_time(sim) < 4 && status >= 0) {
            status = detent_advance(sim, 4, true, &error);
        }
        if (status != DETENT_ERROR_NUMERIC || !strstr(error.message, "after t = 1.442") ||
            !strstr(error.message, "'s' leaves its curve, which ends at u = 1") ||
            error.line != 3 || error.column != 13) {
            fail_msg("%s: %d, %d:%d: %s", variant_name(v), status, error.line, error.column,
                     error.message);
        }
        /* from the foot of (-1, 0) on */
        variant_check(v, "end", detent_time(sim), sqrt(2 * (1 + 1 / 1.04) / (9.81 * 0.2 / 1.04)),
                      1e-6);
        runs_end(sim, m);
    }
}

/** With fixed steps in the step that leads over it; and at once where a point at the very end begins to slide off. */
static void steps_of_fixed_length_end_there(void **state)
{
    UNUSED(state);
    static const char *const curves[] = {"from: -2, to: 1", "from: -2, to: -0.9615384615384616"};
    for (int k = 0; k < 4; k++) {
        char text[300];
        detent_error error = {.message = ""};
        snprintf(
            text, sizeof text,
            "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: u, y: -0.2*u, "
            "%s}}",
            curves[k / 2]);
        detent_mechanism *m = parse(bead_text, text);
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = k % 2 ? DETENT_INTEGRATOR_RK4 : DETENT_INTEGRATOR_IDA;
        settings.step = k % 2 ? 1e-3 : 0;
        detent_simulation *sim = runs_start(m, &settings);
        assert_int_equal(detent_advance(sim, 4, false, &error), DETENT_ERROR_NUMERIC);
        if (!strstr(error.message, "'s' leaves its curve, which ends at u = ") || error.line != 3) {
            fail_msg("%d: %d: %s", k, error.line, error.message);
        }
        /* over the end by 1e-9 of the curve's size counts as on it: from rest that takes so long */
        const double end = k / 2 ? sqrt(2e-9 * 2 * sqrt(1.04) / (9.81 * 0.2 / sqrt(1.04)))
                                 : sqrt(2 * (1 + 1 / 1.04) / (9.81 * 0.2 / 1.04));
        runs_near("end", detent_time(sim), end, k % 2 ? 1e-3 : 1e-6);
        runs_end(sim, m);
    }
}

static void bad_slots_are_refused(void **state)
{
    UNUSED(state);
    static const struct {
        const char *curve;
        int column;
        const char *words;
    } cases[] = {
        {"x: cos(u), y: sin(u), from: 0, to: 0", 88, "'to' is above 'from'"},
        {"x: cos(u), y: sin(u), from: 0, to: 3, closed: true", 57, "is not closed"},
        {"x: u, y: abs(u), from: -1, to: 1", 63, "must be smooth"},
        {"x: u, y: T(u), from: -1, to: 1", 63, "must be smooth"},
        {"x: 1, y: 2, from: -1, to: 1", 57, "no direction"},
        {"x: u^2, y: u^3, from: -1, to: 1", 57, "no direction"},
        {"x: sqrt(u), y: u, from: -1, to: 1", 57, "no value"},
        {"x: sin(u), y: sin(2*u), from: 0, to: 2*pi, closed: true", 57, "crosses itself"},
        {"x: u, y: 1*t, from: 0, to: 1", 63, "t cannot be used in a curve"},
        {"x: u, y: position(j), from: 0, to: 1", 63, "cannot be used in a curve"},
        {"x: u, y: 1 N, from: 0, to: 1", 63, "value in m"},
        {"x: u, from: 0, to: 1", 3, "needs the key 'y'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024];
        detent_error error;
        detent_mechanism *m = NULL;
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\n"
                 "tables: {T: {of: [-1, 0, 1], is: [1, 0, 1]}}\n"
                 "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                 "joints: {j: {type: planar, base: ground, follower: a}}\n"
                 "couplings:\n"
                 "  s: {type: slot, between: [{body: a}, {body: ground}], %s}\n",
                 cases[k].curve);
        if (detent_mechanism_parse(text, strlen(text), "x.yaml", NULL, &m, &error) == DETENT_OK) {
            fail_msg("accepted: %s", cases[k].curve);
        }
        if (error.line != 7 || error.column < cases[k].column ||
            !strstr(error.message, cases[k].words)) {
            fail_msg("%s: %d:%d: %s", cases[k].curve, error.line, error.column, error.message);
        }
    }
}

static void it_is_assembled(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {x: {mass: 0}, m: {mass: 1}}\n"
        "joints:\n"
        "  slide: {type: prismatic, base: ground, follower: x, axis: [1, 0, 0], initial: "
        "{position: "
        "1.5, priority: exact}}\n"
        "  lift: {type: prismatic, base: x, follower: m, axis: [0, 1, 0], initial: {position: "
        "%s}}\n"
        "couplings: {s: {type: slot, between: [{body: m}, {body: ground}], x: 2*cos(u), y: sin(u), "
        "from: 0, to: 2*pi, closed: true}}\n";
    double q[2], v[2];
    detent_error error;
    detent_mechanism *m = parse(text, "0.5");
    runs_must(detent_assemble(m, NULL, q, v, NULL, &error), &error);
    runs_near("lift", q[1], sqrt(1 - 0.5625), 1e-14);
    detent_mechanism_destroy(m);
    m = parse(text, "0.5, priority: exact");
    assert_true(detent_assemble(m, NULL, q, v, NULL, &error) < 0);
    assert_int_equal(error.line, 5);
    assert_non_null(strstr(error.message, "exact initial positions cannot all be had"));
    detent_mechanism_destroy(m);
}

/** A rocker of d = 0.25 that a crank of r = 0.1 drives by its slot: as far as asin(r/d), and as fast as r/(d - r) and r/(d + r). */
static void the_range_of_a_rocker(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_range range = DETENT_INIT(detent_range);
    detent_joint_range joint[2] = {DETENT_INIT(detent_joint_range),
                                   DETENT_INIT(detent_joint_range)};
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {c: {mass: 1, inertia: [1, 1, 1]}, k: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  crank: {type: revolute, base: ground, follower: c}\n"
        "  rocker: {type: revolute, base: ground, follower: k, at: {base: [0, -0.25, 0]}}\n"
        "couplings: {pin: {type: slot, between: [{body: c, at: [0.1, 0, 0]}, {body: k}], x: 0*u, "
        "y: u, from: 0.1, to: 0.4}}\n",
        NULL);
    detent_analysis *analysis = runs_analyse(m);
    const size_t crank = (size_t)detent_find(m, DETENT_PRIMITIVE, "crank"),
                 rocker = (size_t)detent_find(m, DETENT_PRIMITIVE, "rocker");
    runs_must(range_find(analysis, crank, NAN, NAN, &range, joint, &error), &error);
    assert_true(range.turns);
    runs_near("low", joint[rocker].low, -asin(0.4), 1e-12);
    runs_near("high", joint[rocker].high, asin(0.4), 1e-12);
    runs_near("back", joint[rocker].ratio_low, -0.1 / 0.15, 1e-9);
    runs_near("forward", joint[rocker].ratio_high, 0.1 / 0.35, 1e-9);
    runs_near("angle", joint[rocker].transmission_low, PI / 2, 1e-6); /* a slot pushes across */
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_circle_is_a_pendulum), cmocka_unit_test(a_cycloid_keeps_time),
        cmocka_unit_test(slots_that_are_driven),  cmocka_unit_test(a_ring_about_a_pin),
        cmocka_unit_test(stiction_holds_a_bead),  cmocka_unit_test(a_linear_model),
        cmocka_unit_test(a_curve_ends),           cmocka_unit_test(steps_of_fixed_length_end_there),
        cmocka_unit_test(bad_slots_are_refused),  cmocka_unit_test(it_is_assembled),
        cmocka_unit_test(the_range_of_a_rocker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
