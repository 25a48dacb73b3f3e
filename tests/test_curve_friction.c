/*
 * Contacts that rub on curves, as docs/mechanism-file.md builds them of cams: a bead on a wire y = f(x) and on one by a parameter, down to where it stays; a cam under a
 * flat follower. Against equations of motion that are written by hand and stepped by Runge and Kutta.
 */
#include "support_plain.h"
#include "support_variants.h"

/* ---- beads ---- */

static const double gravity = 9.81, mass = 0.3, mu = 0.2;

/* Of a curve at its parameter: its length and its curvature, upward, with it; its slope. */
typedef struct curve {
    double stretch, bend, slope;
} curve;

typedef curve (*curve_at)(double u);

/* y = 1.5 x^2 */
static curve parabola(double x)
{
    const double slope = 3 * x, stretch = sqrt(1 + slope * slope);
    return (curve){stretch, 3 / (stretch * stretch * stretch), slope};
}

/* x = R (u + sin u), y = R (1 - cos u): its slope is tan(u/2), its length 4 R sin(u/2) */
static curve cycloid(double u)
{
    const double R = 0.5;
    return (curve){2 * R * cos(u / 2), 1 / (4 * R * cos(u / 2)), tan(u / 2)};
}

typedef struct bead {
    curve_at curve;
    double side; /* of its motion */
} bead;

/* The wire presses on it by N, and rubs. */
static double pressing(const curve *c, double speed)
{
    return mass * (gravity / sqrt(1 + c->slope * c->slope) + c->bend * speed * speed);
}

/* y: parameter, speed along the wire */
static void bead_rate(double t, const double *y, double *rate, const void *user)
{
    const bead *b = user;
    const curve c = b->curve(y[0]);
    UNUSED(t);
    rate[0] = y[1] / c.stretch;
    rate[1] =
        -gravity * c.slope / sqrt(1 + c.slope * c.slope) - b->side * mu * pressing(&c, y[1]) / mass;
}

/* Outputs: its parameter and the rate of that, the force of the wire, its friction along the parameter. */
static void check_bead(variant v, detent_simulation *sim, double t, const double y[2],
                       const bead *b)
{
    const curve c = b->curve(y[0]);
    const double N = pressing(&c, y[1]);
    double is[4];
    variant_outputs(sim, v, t, is, 4);
    variant_check(v, "place", is[0], y[0], 1e-7);
    variant_check(v, "rate", is[1], y[1] / c.stretch, 1e-6);
    variant_check(v, "force", is[2], N * sqrt(1 + mu * mu), 1e-6);
    variant_check(v, "friction", is[3], -b->side * mu * N * c.stretch, 1e-6);
}

/* One step. True: it came to rest within, and goes on from there backward, if the slope is steeper than friction. */
static bool step_bead(double y[2], double t, double h, bead *b, bool *rests)
{
    const double before[2] = {y[0], y[1]};
    plain_step(y, 2, t, h, bead_rate, b);
    if (b->side * y[1] >= 0) {
        return false;
    }
    const double part = h * before[1] / (before[1] - y[1]);
    memcpy(y, before, sizeof before);
    plain_step(y, 2, t, part, bead_rate, b);
    y[1] = 0;
    b->side = -b->side;
    *rests = fabs(b->curve(y[0]).slope) <= mu;
    if (!*rests) {
        plain_step(y, 2, t + part, h - part, bead_rate, b);
    }
    return true;
}

static void follow_bead(variant v, const char *text, bead b, double start, double speed, double end)
{
    const double h = 1e-5;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = variant_start(m, v);
    double y[2] = {start, speed}, is[4];
    int turns = 0;
    bool rests = false;
    for (int n = 1; n * h < end && !rests; n++) {
        turns += step_bead(y, (n - 1) * h, h, &b, &rests);
        if (!rests && n % 10000 == 0) {
            check_bead(v, sim, n * h, y, &b);
        }
    }
    assert_true(rests && turns >= 2);
    variant_outputs(sim, v, end, is, 4);
    variant_check(v, "where it stays", is[0], y[0], 1e-7);
    variant_check(v, "at rest", is[1], 0, 0);
    variant_check(v, "weight", is[2], mass * gravity, 1e-9);
    runs_end(sim, m);
}

/* The wire as a cam from one way to the other, and friction by what the row transmits. */
static const char as_cam[] =
    "couplings: {wire: {type: cam, cam: at.p1, follower: at.p2, law: c*position(at.p1)^2}}\n"
    "signals:\n"
    "  slope: 2*c*position(at.p1)\n"
    "  rubbing: mu/sqrt(1 + mu^2)*reaction_force(at.p2)*sqrt(1 + slope^2)\n"
    "stiction: {at.p1: {kinetic: rubbing, static: rubbing}}\n"
    "outputs: [position(at.p1), velocity(at.p1), reaction_force(at.p2), friction(at.p1)]\n";

/*
 * As a slot. Its contact force N' acts beside a friction f along x alone; the real ones are N and mu N along the wire: f = mu N sqrt(1 + y'^2),
 * N' = N (1 - dir mu y'). Both together are the force of the wire.
 */
static const char as_slot[] =
    "couplings: {wire: {type: slot, between: [{body: bead}, {body: ground}], x: u, y: "
    "1.5*u^2, from: -2, to: 2}}\n"
    "signals:\n"
    "  slope: 2*c*position(at.p1)\n"
    "  rubbing: mu*contact_force(wire)*sqrt(1 + slope^2)\n"
    "  whole: \"contact_force(wire)^2 + friction(at.p1)^2 - "
    "2*contact_force(wire)*friction(at.p1)*slope/sqrt(1 + slope^2)\"\n"
    "stiction: {at.p1: {kinetic: rubbing/(1 - dir*mu*slope), forward: -rubbing/(1 - mu*slope), "
    "reverse: rubbing/(1 + mu*slope)}}\n"
    "outputs: [position(at.p1), velocity(at.p1), sqrt(whole), friction(at.p1)]\n";

static void slide_down(variant v, const char *wire, double place, double speed)
{
    runs_text text = {0};
    runs_say(&text,
             "detent: 1\ngravity: [0, -9.81, 0]\n"
             "parameters: {mu: 0.2, c: 1.5 1/m}\n"
             "bodies: {bead: {mass: 0.3}}\n"
             "joints:\n"
             "  at: {type: custom, row: [p, p], axes: [[1, 0, 0], [0, 1, 0]], base: ground, "
             "follower: bead, primitives: {p1: {initial: {position: %g, velocity: %g, priority: "
             "exact}}}}\n"
             "%s"
             "simulation: {end: 4, rtol: 1e-10}\n",
             place, speed, wire);
    follow_bead(v, text.text, (bead){parabola, speed > 0 ? 1 : -1}, place, speed, 4);
    free(text.text);
}

/* From a point of the wire, and from the origin, where everything is: nothing there has a size. */
static void a_bead_rubs_on_a_parabola(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        slide_down(variant_at(k), as_cam, 0.8, 0);
        slide_down(variant_at(k), as_cam, 0, 3);
    }
}

static void a_bead_rubs_in_a_slot(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        slide_down(variant_at(k), as_slot, 0.8, 0);
    }
}

static void a_bead_rubs_on_a_cycloid(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        follow_bead(
            variant_at(k),
            "detent: 1\ngravity: [0, -9.81, 0]\n"
            "parameters: {mu: 0.2, R: 0.5}\n"
            "bodies: {bead: {mass: 0.3}, way: {mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9]}}\n"
            "joints:\n"
            "  u: {type: revolute, base: ground, follower: way, initial: {position: 2, priority: "
            "exact}}\n"
            "  at: {type: custom, row: [p, p], axes: [[1, 0, 0], [0, 1, 0]], base: ground, "
            "follower: bead}\n"
            "couplings:\n"
            "  x: {type: cam, cam: u, follower: at.p1, law: R*(position(u) + sin(position(u)))}\n"
            "  y: {type: cam, cam: u, follower: at.p2, law: R*(1 - cos(position(u)))}\n"
            "signals: {rubbing: mu/sqrt(1 + mu^2)*reaction_force(at.p2)*2*R*cos(position(u)/2)}\n"
            "stiction: {u: {kinetic: rubbing, static: rubbing}}\n"
            "outputs: [position(u), velocity(u), reaction_force(at.p2), friction(u)]\n"
            "simulation: {end: 6, rtol: 1e-10}\n",
            (bead){cycloid, -1}, 2, 0, 6);
    }
}

/* ---- a cam under a flat follower ---- */

static const double round_part = 0.015, eccentric = 0.004, stiffness = 3e4, preload = 8e-3;

/* `push`: what the cam does along the follower, and where it comes from. */
static const char tappet[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {mu: 0.2, R: 15 mm, e: 4 mm, k: 30 N/mm, preload: 8 mm, T: 0.8 N*m}\n"
    "bodies: {shaft: {mass: 1, inertia: [1e-3, 1e-3, 1e-3]}, valve: {mass: 0.12}}\n"
    "joints:\n"
    "  cam: {type: revolute, base: ground, follower: shaft, initial: {velocity: 50}}\n"
    "  guide: {type: prismatic, base: ground, follower: valve, axis: [0, 1, 0], spring: "
    "{stiffness: k, rest: -preload}}\n"
    "couplings: {lobe: {type: cam, cam: cam, follower: guide, law: e*(1 - "
    "cos(position(cam)))}}\n"
    "signals:\n"
    "  push: %s\n"
    "  rubbing: mu*push*(R + position(guide))\n"
    "stiction: {cam: {external: T, kinetic: rubbing, static: rubbing}}\n"
    "outputs: [position(cam), velocity(cam), contact_force(lobe), friction(cam)]\n"
    "simulation: {end: 0.4, rtol: 1e-11}\n";

/*
 * The contact is where the tangent is flat, R + L below the shaft and L' beside it, so that the cam slides by (R + L) p' under the follower. Power:
 * J p'' = T - N L' - mu N (R + L), N = m (L' p'' + L'' p'^2) + k (L + preload).
 */
static double tappet_force(const double *y, double *acceleration)
{
    const double J = 1e-3, m = 0.12, T = 0.8, lift = eccentric * (1 - cos(y[0])),
                 slope = eccentric * sin(y[0]), bend = eccentric * cos(y[0]),
                 arm = slope + mu * (round_part + lift),
                 still = m * bend * y[1] * y[1] + stiffness * (lift + preload);
    *acceleration = (T - arm * still) / (J + arm * m * slope);
    return m * slope * *acceleration + still;
}

static void tappet_rate(double t, const double *y, double *rate, const void *user)
{
    UNUSED(t);
    UNUSED(user);
    rate[0] = y[1];
    tappet_force(y, &rate[1]);
}

/* Its torque does not take it over the nose by friction and spring: it turns until its flywheel has nothing left, and is held. */
static void turn_cam(variant v, const char *push)
{
    runs_text text = {0};
    runs_say(&text, tappet, push);
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(text.text);
    detent_simulation *sim = variant_start(m, v);
    const double h = 1e-5;
    double y[2] = {0, 50}, is[4], a;
    int n = 0;
    for (; y[1] > 0 && n * h < 0.4; n++) {
        if (n % 1000 == 0) {
            const double N = tappet_force(y, &a);
            variant_outputs(sim, v, n * h, is, 4);
            variant_check(v, "angle", is[0], y[0], 1e-8);
            variant_check(v, "speed", is[1], y[1], 1e-6);
            variant_check(v, "force", is[2], N, 1e-5);
            variant_check(v, "friction", is[3],
                          -mu * N * (round_part + eccentric * (1 - cos(y[0]))), 1e-7);
        }
        plain_step(y, 2, n * h, h, tappet_rate, NULL);
    }
    assert_true(n > 2000 && n * h < 0.4);
    variant_outputs(sim, v, 0.4, is, 4);
    variant_check(v, "where it stays", is[0], y[0], 1e-5);
    variant_check(v, "held", is[1], 0, 0);
    runs_end(sim, m);
}

static void a_cam_rubs_under_its_follower(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        turn_cam(variant_at(k), "force(guide) + k*(position(guide) + preload)");
        turn_cam(variant_at(k), "contact_force(lobe)");
    }
}

/* Friction alone is solved together with a contact. */
static void other_laws_are_refused(void **state)
{
    static const char *const pushes[][2] = {
        {"static: 1, external: 0.1*contact_force(lobe)", "only in outputs and in friction"},
        {"static: 2*contact_force(nobody)", "no cam or slot"}};
    UNUSED(state);
    for (size_t k = 0; k < sizeof pushes / sizeof *pushes; k++) {
        runs_text text = {0};
        detent_mechanism *m = NULL;
        detent_error error = {0};
        runs_say(
            &text,
            "detent: 1\ngravity: [0, 0, 0]\n"
            "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1}}\n"
            "joints: {cam: {type: revolute, base: ground, follower: a}, lift: {type: prismatic, "
            "base: ground, follower: b}}\n"
            "couplings: {lobe: {type: cam, cam: cam, follower: lift, law: 0.1*position(cam)}}\n"
            "stiction: {cam: {kinetic: 1, %s}}\n",
            pushes[k][0]);
        assert_true(detent_mechanism_parse(text.text, strlen(text.text), "f", NULL, &m, &error) !=
                    DETENT_OK);
        if (!strstr(error.message, pushes[k][1])) {
            fail_msg("%s: %s", pushes[k][0], error.message);
        }
        free(text.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bead_rubs_on_a_parabola),
        cmocka_unit_test(a_bead_rubs_in_a_slot),
        cmocka_unit_test(a_bead_rubs_on_a_cycloid),
        cmocka_unit_test(a_cam_rubs_under_its_follower),
        cmocka_unit_test(other_laws_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
