/*
 * Pins that rub in slots which are joints: a straight one is a prismatic primitive before the pin's revolute one, an arc a revolute one about its
 * centre with a link that has no mass. Coulomb friction that follows the force of the contact, against equations of motion that are written by hand and stepped by Runge and Kutta.
 */
#include "support_variants.h"

/** One step of y' = (y[1], a(y)), in motion forward or, side -1, backward. */
static void step(double y[2], double h, double side, double (*a)(const double y[2], double side))
{
    double k[4][2];
    for (int s = 0; s < 4; s++) {
        const double reach = s == 0 ? 0 : s == 3 ? h : h / 2;
        const double at[2] = {y[0] + (s > 0 ? reach * k[s - 1][0] : 0),
                              y[1] + (s > 0 ? reach * k[s - 1][1] : 0)};
        k[s][0] = at[1];
        k[s][1] = a(at, side);
    }
    for (int j = 0; j < 2; j++) {
        y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

/* ---- a yoke ---- */

static const char yoke[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {r: 0.2, mu: 0.3, F: 5, T: 2.5}\n"
    "bodies: {crank: {mass: 0.5, inertia: [0.01, 0.01, 0.02]}, slide: {mass: 2, inertia: [1, 1, "
    "1]}}\n"
    "joints:\n"
    "  shaft: {type: revolute, base: ground, follower: crank, force: T,\n"
    "    initial: {position: 0.7, velocity: 1, priority: exact}}\n"
    "  rail: {type: prismatic, axis: [1, 0, 0], base: ground, follower: slide, force: -F}\n"
    "  pin: {type: custom, row: [p, r], axes: [[0, 1, 0], [0, 0, 1]], base: slide, follower: "
    "crank, "
    "at: {follower: [r, 0, 0]}}\n"
    "outputs: [position(shaft), velocity(shaft), normal_force(pin.p1), friction(pin.p1)]\n"
    "simulation: {end: 0.8, rtol: 1e-10}\n";

/*
 * Virtual work per turn of the crank: J a + m x'' dx = T - F dx - mu |N| |dy|, with the slide at x = r cos p, the pin at y = r sin p in it, and the
 * force N = F + m x'' of the pin on the slide.
 */
static double yoke_force(const double y[2], double a)
{
    return 5 + 2 * (-0.2 * sin(y[0]) * a - 0.2 * cos(y[0]) * y[1] * y[1]);
}

static double yoke_acceleration(const double y[2], double side)
{
    const double r = 0.2, mu = 0.3, T = 2.5, J = 0.02, m = 2, F = 5;
    const double dx = -r * sin(y[0]), dy = r * cos(y[0]);
    const double c = F - m * r * cos(y[0]) * y[1] * y[1]; /* N = c + m dx a */
    double a = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double rub = mu * side * sign * fabs(dy);
        a = (T - dx * c - rub * c) / (J + m * dx * dx + rub * m * dx);
        if (sign * yoke_force(y, a) >= 0) {
            break;
        }
    }
    return a;
}

static void rubs_in_a_straight_slot(const char *friction)
{
    char text[sizeof yoke + 100];
    snprintf(text, sizeof text, "%sstiction: {pin.p1: {%s}}\n", yoke, friction);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double y[2] = {0.7, 1};
        for (int n = 1; n <= 8; n++) {
            double is[4];
            for (int j = 0; j < 20000; j++) {
                step(y, 0.1 / 20000, 1, yoke_acceleration);
            }
            variant_outputs(sim, v, 0.1 * n, is, 4);
            const double N = fabs(yoke_force(y, yoke_acceleration(y, 1)));
            /* the side of the friction changes within a step of the plain program */
            variant_check(v, "angle", is[0], y[0], 1e-6);
            variant_check(v, "rate", is[1], y[1], 1e-4);
            variant_check(v, "force", is[2], N, 1e-4 * (1 + N));
            variant_check(v, "friction", fabs(is[3]), 0.3 * N, 1e-4 * (1 + N));
        }
        runs_end(sim, m);
    }
}

static void a_pin_rubs_in_a_straight_slot(void **state)
{
    UNUSED(state);
    rubs_in_a_straight_slot("kinetic: mu*normal_force(pin.p1), static: mu*normal_force(pin.p1)");
}

/* The same, without a formula: what the pin carries across the slot is that of its bearing. */
static void the_bearing_of_a_pin_rubs_in_a_straight_slot(void **state)
{
    UNUSED(state);
    rubs_in_a_straight_slot("bearing: {coefficient: 0.3, length: 10 mm}");
}

/* A slot that leans by less than the angle of friction holds its pin, whatever presses on it; one that leans by more does not. */
static void a_slot_holds_within_the_angle_of_friction(void **state)
{
    UNUSED(state);
    for (int k = 0; k < 4; k++) {
        const double lean = atan(0.3) + (k % 2 ? 1e-6 : -1e-6);
        const double weight = k < 2 ? 1 : 1e4;
        char set[3][64];
        snprintf(set[0], sizeof set[0], "lean=%.17g", lean);
        snprintf(set[1], sizeof set[1], "weight=%.17g", weight);
        const char *const with[] = {set[0], set[1], NULL};
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, -10, 0]\nparameters: {lean: 0, weight: 1}\n"
            "bodies: {pin: {mass: weight}}\n"
            "joints:\n"
            "  slot: {type: prismatic, axis: [cos(lean), sin(lean), 0], base: ground, follower: "
            "pin}\n"
            "stiction: {slot: {kinetic: 0.3*normal_force(slot), static: 0.3*normal_force(slot)}}\n"
            "simulation: {end: 1}\n",
            with);
        detent_simulation *sim = runs_start(m, NULL);
        runs_advance(sim, 1);
        assert_int_equal(detent_get_mode(sim, 0, NULL) == DETENT_LOCKED, k % 2 == 0);
        runs_end(sim, m);
    }
}

/* ---- an arc in a slide ---- */

static const char bow[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {r: 0.2, R: 0.7, mu: 0.3, F: 5, T: 3}\n"
    "bodies: {crank: {mass: 0.5, inertia: [0.01, 0.01, 0.02]}, slide: {mass: 2, inertia: [1, 1, "
    "1]}, "
    "link: {mass: 0}}\n"
    "joints:\n"
    "  shaft: {type: revolute, base: ground, follower: crank, force: T,\n"
    "    initial: {position: 0.7, velocity: 1, priority: exact}}\n"
    "  rail: {type: prismatic, axis: [1, 0, 0], base: ground, follower: slide, force: -F,\n"
    "    initial: {position: 0.8}}\n"
    "  arc: {type: revolute, base: slide, follower: link, initial: {position: 2.9}}\n"
    "  pin: {type: revolute, base: link, follower: crank, at: {base: [R, 0, 0], "
    "follower: [r, 0, 0]}, initial: {position: -2.3}}\n"
    "stiction: {arc: {kinetic: R*mu/sqrt(1 + mu^2)*normal_force(arc), "
    "static: R*mu/sqrt(1 + mu^2)*normal_force(arc)}}\n"
    "outputs: [position(shaft), velocity(shaft), normal_force(arc), friction(arc)]\n"
    "simulation: {end: 0.5, rtol: 1e-10}\n";

/*
 * The slide is at x, the arc's centre with it; the pin at r (cos p, sin p) = (x, 0) + R (cos b, sin b), cos b < 0. It presses on the slide with N along
 * n = (cos b, sin b), of sign `sign`, and with mu |N| along its motion in the slot, side * (-sin b, cos b):
 *
 *   m x'' = |N| h_x - F,   J p'' = T - |N| h . dP/dp,     h = sign * n + mu * side * (-sin b, cos b)
 */
static double bow_acceleration_and_force(const double y[2], double *N)
{
    const double r = 0.2, R = 0.7, mu = 0.3, T = 3, F = 5, J = 0.02, m = 2;
    const double s = r * sin(y[0]) / R, c = -sqrt(1 - s * s), db = r * cos(y[0]) / (R * c),
                 ddb = (-r * sin(y[0]) + R * s * db * db) / (R * c),
                 dx = -r * sin(y[0]) + R * s * db,
                 ddx = -r * cos(y[0]) + R * c * db * db + R * s * ddb,
                 side = y[1] * db > 0 ? 1 : -1;
    double a = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double hx = sign * c - mu * side * s, hy = sign * s + mu * side * c,
                     turn = (hx * -r * sin(y[0]) + hy * r * cos(y[0])) / hx;
        a = (T - turn * (m * ddx * y[1] * y[1] + F)) / (J + turn * m * dx);
        *N = (m * (dx * a + ddx * y[1] * y[1]) + F) / hx;
        if (*N >= 0) {
            break;
        }
    }
    return a;
}

static double bow_acceleration(const double y[2], double side)
{
    double N;
    (void)side; /* it turns where the crank passes its dead centres */
    return bow_acceleration_and_force(y, &N);
}

static void a_pin_rubs_in_an_arc(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(bow, NULL);
        detent_simulation *sim = variant_start(m, v);
        double y[2] = {0.7, 1};
        for (int n = 1; n <= 5; n++) {
            double is[4], N;
            for (int j = 0; j < 20000; j++) {
                step(y, 0.1 / 20000, 1, bow_acceleration);
            }
            variant_outputs(sim, v, 0.1 * n, is, 4);
            bow_acceleration_and_force(y, &N);
            /* the side of the friction changes within a step of the plain program */
            variant_check(v, "angle", is[0], y[0], 1e-6);
            variant_check(v, "rate", is[1], y[1], 1e-4);
            variant_check(v, "force", is[2], N * sqrt(1 + 0.09), 1e-4 * (1 + N));
            variant_check(v, "friction", fabs(is[3]), 0.7 * 0.3 * N, 1e-4 * (1 + N));
        }
        runs_end(sim, m);
    }
}

/* ---- an arc ---- */

static const char arc[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "parameters: {R: 0.5, mu: 0.2}\n"
    "bodies: {bead: {mass: 0.3}}\n"
    "joints: {arc: {type: revolute, base: ground, follower: bead, at: {follower: [0, R, 0]}, "
    "initial: {position: 1.4}}}\n"
    "stiction: {arc: {kinetic: R*mu/sqrt(1 + mu^2)*normal_force(arc), static: "
    "R*mu/sqrt(1 + mu^2)*normal_force(arc)}}\n"
    "outputs: [position(arc), velocity(arc), normal_force(arc), friction(arc)]\n"
    "simulation: {end: 4, rtol: 1e-10}\n";

/** Of a bead that moves, y from the lowest point; the track presses with N = m (g cos y + R y'^2) from without, or within. */
static double bead_acceleration(const double y[2], double side)
{
    const double R = 0.5, mu = 0.2, g = 9.81, N = fabs(g * cos(y[0]) + R * y[1] * y[1]);
    return (-g * sin(y[0]) - side * mu * N) / R;
}

/*
 * To the bead's first turning, where it goes back, and on to where it stays: at an angle below that of friction. The force that the joint transmits is
 * N and mu N at right angles, so that mu N = mu / sqrt(1 + mu^2) times the norm.
 */
static void a_bead_rubs_on_an_arc(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(arc, NULL);
        detent_simulation *sim = variant_start(m, v);
        double y[2] = {1.4, 0}, turned[16] = {0}, t = 0, side = -1;
        const double h = 1e-5;
        int turns = 0;
        bool rests = false;
        while (t < 4 && !rests && turns < 16) {
            step(y, h, side, bead_acceleration);
            t += h;
            if (side * y[1] < 0) { /* it goes back where the slope is steeper than friction */
                turned[turns++] = y[0];
                rests = fabs(tan(y[0])) <= 0.2;
                side = -side;
                y[1] = 0;
            } else if (turns == 0 && fmod(t, 0.1) < h) {
                double is[4];
                variant_outputs(sim, v, t, is, 4);
                const double N = 0.3 * fabs(9.81 * cos(y[0]) + 0.5 * y[1] * y[1]);
                variant_check(v, "angle", is[0], y[0], 1e-7);
                variant_check(v, "force", is[2], N * sqrt(1 + 0.04), 1e-6);
                variant_check(v, "friction", is[3], 0.5 * 0.2 * N, 1e-6);
            }
        }
        assert_true(rests && turns >= 2 && turned[0] < 0);
        double is[4];
        variant_outputs(sim, v, 4, is, 4);
        variant_check(v, "rest", is[0], turned[turns - 1], 1e-6);
        variant_check(v, "at rest", is[1], 0, 0);
        runs_end(sim, m);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pin_rubs_in_a_straight_slot),
        cmocka_unit_test(the_bearing_of_a_pin_rubs_in_a_straight_slot),
        cmocka_unit_test(a_slot_holds_within_the_angle_of_friction),
        cmocka_unit_test(a_pin_rubs_in_an_arc),
        cmocka_unit_test(a_bead_rubs_on_an_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
