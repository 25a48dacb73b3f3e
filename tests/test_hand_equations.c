/*
 * Elements against equations of motion that are written by hand, in other coordinates, and stepped by Runge and Kutta: a bushing between two arms, and one
 * about three axes at once; a bead in a slot that moves; a gear whose efficiency follows its load.
 */
#include "support_variants.h"

enum { MOST = 8 };

typedef void (*rates)(double t, const double *y, double *d);

static void runge_kutta(rates f, int n, double h, long steps, double t, double *y)
{
    double k[4][MOST], at[MOST];
    for (long m = 0; m < steps; m++) {
        const double now = t + (double)m * h;
        for (int s = 0; s < 4; s++) {
            const double reach = s == 0 ? 0 : s == 3 ? h : h / 2;
            for (int j = 0; j < n; j++) {
                at[j] = y[j] + (s > 0 ? reach * k[s - 1][j] : 0);
            }
            f(now + reach, at, k[s]);
        }
        for (int j = 0; j < n; j++) {
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
        }
    }
}

static const double tolerance = 1e-10;

/* ---- a bushing between two arms ---- */

static const char arms[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  a: {mass: 2, center_of_mass: [0.3, 0, 0], inertia: [1, 1, 0.1]}\n"
    "  b: {mass: 1.5, center_of_mass: [-0.2, 0.1, 0], inertia: [1, 1, 0.05]}\n"
    "joints:\n"
    "  x: {type: revolute, base: ground, follower: a, initial: {position: 0.2, velocity: 1}}\n"
    "  y: {type: revolute, base: ground, follower: b, at: {base: [1, 0.1, 0]}, initial: {position: "
    "-0.1, velocity: -0.5}}\n"
    "bushings:\n"
    "  m: {between: [{body: a, at: {point: [0.6, 0.05, 0], rotation: {rpy: [0, 0, 0.3]}}}, {body: "
    "b, at: {point: [-0.4, 0, 0], rotation: {rpy: [0, 0, -0.2]}}}],\n"
    "    stiffness: [900, 300, 50], damping: [4, 9, 1], rotational_stiffness: [7, 8, 30], "
    "rotational_damping: [1, 1, 0.7]}\n"
    "outputs: [position(x), velocity(x), position(y), velocity(y), \"bushing_force(m, x)\", "
    "\"bushing_force(m, y)\", \"bushing_torque(m, z)\"]\n"
    "simulation: {end: 2, rtol: 1e-12, atol: 1e-13}\n";

/* The force on b along a's turned axes, and the torque. */
static void arms_bushing(const double *y, double along[2], double *torque, double point[2],
                         double f[2])
{
    const double p = y[0], v = y[1], q = y[2], w = y[3], turn = p + 0.3;
    const double A[2] = {0.6 * cos(p) - 0.05 * sin(p), 0.6 * sin(p) + 0.05 * cos(p)};
    const double B[2] = {1 - 0.4 * cos(q), 0.1 - 0.4 * sin(q)};
    const double apart[2] = {B[0] - A[0], B[1] - A[1]};
    const double rate[2] = {0.4 * w * sin(q) + v * A[1], -0.4 * w * cos(q) - v * A[0]};
    /* d = R' (B - A), and its rate R' (B' - A' - v x (B - A)) */
    const double seen[2] = {rate[0] + v * apart[1], rate[1] - v * apart[0]};
    const double c = cos(turn), s = sin(turn);
    const double d[2] = {c * apart[0] + s * apart[1], -s * apart[0] + c * apart[1]};
    const double dd[2] = {c * seen[0] + s * seen[1], -s * seen[0] + c * seen[1]};
    along[0] = -900 * d[0] - 4 * dd[0];
    along[1] = -300 * d[1] - 9 * dd[1];
    *torque = -30 * (q - 0.2 - turn) - 0.7 * (w - v);
    f[0] = c * along[0] - s * along[1];
    f[1] = s * along[0] + c * along[1];
    point[0] = B[0], point[1] = B[1];
}

static void arms_rates(double t, const double *y, double *d)
{
    double along[2], torque, B[2], f[2];
    UNUSED(t);
    arms_bushing(y, along, &torque, B, f);
    const double g = 9.81, Ja = 0.1 + 2 * 0.09, Jb = 0.05 + 1.5 * 0.05;
    const double lever = -0.2 * cos(y[2]) - 0.1 * sin(y[2]); /* of b's weight */
    d[0] = y[1];
    d[1] = (-(B[0] * f[1] - B[1] * f[0]) - torque - 2 * g * 0.3 * cos(y[0])) / Ja;
    d[2] = y[3];
    d[3] = ((B[0] - 1) * f[1] - (B[1] - 0.1) * f[0] + torque - 1.5 * g * lever) / Jb;
}

static void a_bushing_between_two_arms(void **state)
{
    double y[4] = {0.2, 1, -0.1, -0.5};
    UNUSED(state);
    runge_kutta(arms_rates, 4, 2e-5, 100000, 0, y);
    double along[2], torque, B[2], f[2];
    arms_bushing(y, along, &torque, B, f);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(arms, NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[7];
        variant_outputs(sim, v, 2, is, 7);
        for (int j = 0; j < 4; j++) {
            variant_check(v, "arms", is[j], y[j], tolerance);
        }
        variant_check(v, "along x", is[4], along[0], tolerance * 900);
        variant_check(v, "along y", is[5], along[1], tolerance * 900);
        variant_check(v, "torque", is[6], torque, tolerance * 900);
        runs_end(sim, m);
    }
}

/* ---- a bushing about three axes ---- */

static const char ball[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [0.1, 0.2, 0.25]}}\n"
    "joints: {j: {type: spherical, base: ground, follower: a, initial: {velocity: [2, -1, 3]}}}\n"
    "bushings: {m: {between: [{body: ground}, {body: a}], rotational_stiffness: [2, 3, 5], "
    "rotational_damping: [0.02, 0.01, 0.05]}}\n"
    "outputs: [\"rotation(a, xx, ground)\", \"rotation(a, yy, ground)\", \"rotation(a, zz, "
    "ground)\", \"bushing_torque(m, x)\", \"bushing_torque(m, y)\", \"bushing_torque(m, z)\"]\n"
    "simulation: {end: 2, rtol: 1e-12, atol: 1e-13}\n";

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* R of a quaternion, row by row. */
static void matrix(const double *q, double R[9])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double is[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(R, is, sizeof is);
}

/*
 * With phi the turn and dphi = B dtheta, B = 1 - [phi]/2 + c [phi]^2, c = (1 - (t/2) cot(t/2))/t^2, the torque of the energy sum g phi^2/2 is -B' g phi.
 */
static void ball_torque(const double *q, const double *omega, double *torque)
{
    static const double g[3] = {2, 3, 5}, h[3] = {0.02, 0.01, 0.05};
    const double n = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), angle = 2 * atan2(n, q[0]),
                 scale = n > 1e-9 ? angle / n : 2,
                 c = angle > 1e-3 ? (1 - 0.5 * angle / tan(0.5 * angle)) / (angle * angle)
                                  : 1. / 12 + angle * angle / 720;
    double phi[3], u[3], once[3], twice[3];
    for (int k = 0; k < 3; k++) {
        phi[k] = scale * q[k + 1];
        u[k] = g[k] * phi[k];
    }
    cross(phi, u, once);
    cross(phi, once, twice);
    for (int k = 0; k < 3; k++) {
        torque[k] = -(u[k] + 0.5 * once[k] + c * twice[k]) - h[k] * omega[k];
    }
}

/* y: the quaternion, and the angular velocity along the axes of the body. */
static void ball_rates(double t, const double *y, double *d)
{
    static const double I[3] = {0.1, 0.2, 0.25};
    double R[9], omega[3], torque[3], spin[3] = {I[0] * y[4], I[1] * y[5], I[2] * y[6]}, bias[3];
    UNUSED(t);
    matrix(y, R);
    for (int k = 0; k < 3; k++) {
        omega[k] = R[3 * k] * y[4] + R[3 * k + 1] * y[5] + R[3 * k + 2] * y[6];
    }
    ball_torque(y, omega, torque);
    cross(y + 4, spin, bias);
    for (int k = 0; k < 3; k++) {
        const double own = R[k] * torque[0] + R[3 + k] * torque[1] + R[6 + k] * torque[2];
        d[4 + k] = (own - bias[k]) / I[k];
    }
    cross(y + 1, y + 4, spin);
    d[0] = -0.5 * (y[1] * y[4] + y[2] * y[5] + y[3] * y[6]);
    for (int k = 0; k < 3; k++) {
        d[1 + k] = 0.5 * (y[0] * y[4 + k] + spin[k]);
    }
}

static void a_bushing_about_three_axes(void **state)
{
    double y[7] = {1, 0, 0, 0, 2, -1, 3}, R[9], omega[3], torque[3];
    UNUSED(state);
    runge_kutta(ball_rates, 7, 2e-5, 100000, 0, y);
    matrix(y, R);
    for (int k = 0; k < 3; k++) {
        omega[k] = R[3 * k] * y[4] + R[3 * k + 1] * y[5] + R[3 * k + 2] * y[6];
    }
    ball_torque(y, omega, torque);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(ball, NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[6];
        variant_outputs(sim, v, 2, is, 6);
        for (int j = 0; j < 3; j++) {
            variant_check(v, "turn", is[j], R[4 * j], tolerance);
            variant_check(v, "torque", is[3 + j], torque[j], tolerance * 10);
        }
        runs_end(sim, m);
    }
}

/* ---- a bead in a slot that moves ---- */

static const char bead[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies: {frame: {mass: 3}, bead: {mass: 0.7}}\n"
    "joints:\n"
    "  rail: {type: prismatic, axis: [1, 0, 0], base: ground, follower: frame, spring: {stiffness: "
    "80}, damping: 0.5, initial: {position: 0.1, priority: exact}}\n"
    "  at: {type: custom, row: [p, p], axes: [[1, 0, 0], [0, 1, 0]], base: ground, follower: "
    "bead,\n"
    "    primitives: {p1: {initial: {position: 0.6, priority: exact}}, p2: {initial: {position: "
    "0.15}}}}\n"
    "couplings: {s: {type: slot, between: [{body: bead}, {body: frame}], x: u + 0.2*u^2, y: "
    "0.6*u^2 - 0.1*u^3, from: -1, to: 1}}\n"
    "outputs: [position(rail), velocity(rail), position(at.p1), position(at.p2), velocity(at.p1), "
    "velocity(at.p2), contact_force(s)]\n"
    "simulation: {end: 2, rtol: 1e-12, atol: 1e-13}\n";

/* Lagrange's equations of X and u: the bead is at (X + x(u), y(u)). */
static void bead_rates(double t, const double *s, double *d)
{
    const double M = 3, m = 0.7, g = 9.81, X = s[0], V = s[1], u = s[2], w = s[3];
    const double x1 = 1 + 0.4 * u, x2 = 0.4, y1 = 1.2 * u - 0.3 * u * u, y2 = 1.2 - 0.6 * u;
    const double a = M + m, b = m * x1, c = m * (x1 * x1 + y1 * y1),
                 r = -80 * X - 0.5 * V - m * x2 * w * w,
                 e = -m * g * y1 - m * (x1 * x2 + y1 * y2) * w * w, det = a * c - b * b;
    UNUSED(t);
    d[0] = V;
    d[1] = (c * r - b * e) / det;
    d[2] = w;
    d[3] = (a * e - b * r) / det;
}

static void a_bead_in_a_slot_that_moves(void **state)
{
    const double start = (-1 + sqrt(1 + 4 * 0.2 * 0.5)) / (2 * 0.2); /* u + 0.2 u^2 = 0.5 */
    double y[4] = {0.1, 0, start, 0}, d[4];
    UNUSED(state);
    runge_kutta(bead_rates, 4, 2e-5, 100000, 0, y);
    bead_rates(0, y, d);
    const double u = y[2], w = y[3], x1 = 1 + 0.4 * u, y1 = 1.2 * u - 0.3 * u * u;
    const double along[2] = {d[1] + x1 * d[3] + 0.4 * w * w,
                             y1 * d[3] + (1.2 - 0.6 * u) * w * w + 9.81};
    const double N = 0.7 * (-y1 * along[0] + x1 * along[1]) / sqrt(x1 * x1 + y1 * y1);
    const double should[7] = {
        y[0],   y[1], y[0] + u + 0.2 * u * u, 0.6 * u * u - 0.1 * u * u * u, y[1] + x1 * w,
        y1 * w, N};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(bead, NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[7];
        variant_outputs(sim, v, 2, is, 7);
        for (int j = 0; j < 7; j++) {
            variant_check(v, "bead", is[j], should[j], tolerance * (j == 6 ? 10 : 1));
        }
        runs_end(sim, m);
    }
}

/* ---- a gear whose efficiency follows its load ---- */

static const char gear[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies: {rotor: {mass: 1, inertia: [1, 1, 0.02]}, wheel: {mass: 2, center_of_mass: [0, -0.5, "
    "0], inertia: [2, 2, 1]}}\n"
    "joints:\n"
    "  motor: {type: revolute, base: ground, follower: rotor, force: 0.5, initial: {velocity: 60, "
    "priority: exact}}\n"
    "  shaft: {type: revolute, base: ground, follower: wheel, damping: 0.3}\n"
    "couplings:\n"
    "  g: {type: gear, joints: [motor, shaft], ratio: 10, friction: {efficiency: 0.85, "
    "reverse_efficiency: 0.7, no_load: 0.2 N*m, at_load: 50 N*m}}\n"
    "outputs: [position(motor), velocity(motor), friction(motor), coupling_force(g)]\n"
    "simulation: {end: 3, rtol: 1e-12, atol: 1e-13}\n";

/*
 * With P the motor's angle, P' > 0, and R what the gear does to the motor: R = -(J P''/10 + m g l sin(P/10) + c P'/10)/10 of the wheel, and
 * I P'' = T + R - n - share |R|, with the share of driving where R is against the motion, else that of being driven. At 50 N m of the wheel, 5 of the
 * motor, the motor gives 5/0.85, and 5 of the wheel's leave 5 * 0.7.
 */
static double gear_force(const double *y, double a)
{
    return -((1 + 2 * 0.25) * a / 10 + 2 * 9.81 * 0.5 * sin(y[0] / 10) + 0.3 * y[1] / 10) / 10;
}

static double gear_friction(double R)
{
    const double driving = (5 / 0.85 - 0.2) / 5 - 1, driven = 1 - (5 * 0.7 + 0.2) / 5;
    return 0.2 + (R < 0 ? -driving * R : driven * R);
}

static void gear_rates(double t, const double *y, double *d)
{
    /* each branch is linear in a: two points of it */
    static const double signs[2] = {-1, 1};
    double a = 0;
    UNUSED(t);
    for (int k = 0; k < 2; k++) {
        const double R0 = gear_force(y, 0), slope = gear_force(y, 1) - R0,
                     share = (gear_friction(signs[k]) - 0.2) * signs[k];
        a = (0.5 + R0 - 0.2 - share * R0) / (0.02 - slope + share * slope);
        if (signs[k] * gear_force(y, a) >= 0) {
            break;
        }
    }
    d[0] = y[1];
    d[1] = a;
}

static void a_gear_whose_efficiency_follows_its_load(void **state)
{
    enum { TIMES = 6 };
    double y[2] = {0, 60}, should[TIMES][4];
    bool drives = false, is_driven = false;
    UNUSED(state);
    for (int n = 0; n < TIMES; n++) {
        double d[2];
        runge_kutta(gear_rates, 2, 1e-6, 500000, 0, y);
        gear_rates(0, y, d);
        const double R = gear_force(y, d[1]);
        const double is[4] = {y[0], y[1], -gear_friction(R), R};
        memcpy(should[n], is, sizeof is);
        assert_true(y[1] > 0);
        drives = drives || R < 0;
        is_driven = is_driven || R > 0;
    }
    assert_true(drives && is_driven);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(gear, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 0; n < TIMES; n++) {
            double is[4];
            variant_outputs(sim, v, 0.5 * (n + 1), is, 4);
            for (int j = 0; j < 4; j++) {
                variant_check(v, "gear", is[j], should[n][j], tolerance * 20);
            }
        }
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bushing_between_two_arms),
        cmocka_unit_test(a_bushing_about_three_axes),
        cmocka_unit_test(a_bead_in_a_slot_that_moves),
        cmocka_unit_test(a_gear_whose_efficiency_follows_its_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
