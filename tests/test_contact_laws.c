/*
 * Friction laws whose normal force is what a coupling, a cam or a slot does, or the force along another joint: against equations of motion that are
 * written by hand and stepped by Runge and Kutta, and against what the contact has to do for bodies to move as they do; for every law.
 */
#include "support_order.h"
#include "support_variants.h"

/* ---- laws ---- */

typedef struct law_case {
    const char *law, *z;                /**< z: an output that is its spring, or 0 */
    double (*dry)(double v, double z);  /**< D */
    double (*rate)(double v, double z); /**< z' */
} law_case;

static double no_rate(double v, double z)
{
    UNUSED(v);
    UNUSED(z);
    return 0;
}

static double coulomb(double v, double z)
{
    UNUSED(z);
    return 0.3 * tanh(v / 0.1);
}

static double stribeck(double v, double z)
{
    const double S = 0.05 * sqrt(2);
    UNUSED(z);
    return 0.3 * tanh(10 * v / 0.05) + sqrt(2 * exp(1)) * 0.1 * exp(-v * v / S / S) * v / S;
}

static double hyperviscous(double v, double z)
{
    UNUSED(z);
    return fmax(-0.3, fmin(0.3, 3 * v));
}

static double lugre_rate(double v, double z)
{
    const double S = 0.05 * sqrt(2);
    return v - 100 * fabs(v) * z / (0.3 + 0.1 * exp(-v * v / S / S));
}

static double lugre(double v, double z)
{
    return 100 * z + 0.5 * lugre_rate(v, z);
}

static double dahl_rate(double v, double z)
{
    return v - 100 * fabs(v) * z / 0.3;
}

static double dahl(double v, double z)
{
    UNUSED(v);
    return 100 * z;
}

static double slip_rate(double v, double z)
{
    return v > 0 ? (z < 3e-3 ? v : 0) : z > -3e-3 ? v : 0;
}

static const law_case laws[] = {
    {"law: coulomb, coulomb: 0.3, velocity_band: 0.1", "0", coulomb, no_rate},
    {"law: stribeck, coulomb: 0.3, breakaway: 0.4, breakaway_velocity: 0.05", "0", stribeck,
     no_rate},
    {"law: hyperviscous, coulomb: 0.3, velocity_band: 0.1", "0", hyperviscous, no_rate},
    {"law: lugre, coulomb: 0.3, breakaway: 0.4, breakaway_velocity: 0.05, stiffness: 100, "
     "damping: 0.5",
     "state(x.bristle)", lugre, lugre_rate},
    {"law: dahl, coulomb: 0.3, stiffness: 100", "state(x.bristle)", dahl, dahl_rate},
    {"law: maxwell-slip, stiffnesses: [100], limits: [0.3]", "state(x.bristle)", dahl, slip_rate},
};
enum { LAWS = sizeof laws / sizeof *laws };

/* ---- a gear ---- */

static detent_mechanism *geared(const law_case *of, const char *law, const char *normal)
{
    char text[1600];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}, b: {mass: 1}}\njoints:\n"
             "  x: {type: prismatic, axis: [1, 0, 0], base: ground, follower: a, force: "
             "\"40*sin(3*t)\", friction: {%s, normal_force: \"%s\"}}\n"
             "  y: {type: prismatic, axis: [0, 1, 0], base: ground, follower: b, damping: 20}\n"
             "couplings: {g: {type: gear, joints: [x, y], ratio: 2}}\n"
             "outputs: [position(x), velocity(x), friction(x), coupling_force(g), %s]\n"
             "simulation: {rtol: 1e-9}\n",
             law, normal, of ? of->z : "0");
    return runs_parse(text, NULL);
}

/*
 * x = 2 y. With R what the gear does along x, R = -(m_y a + c v)/4 of x: 2 a = F + R - |R| D. R is linear in a, so one of both signs agrees.
 */
static double geared_acceleration(const law_case *of, double t, const double y[3])
{
    const double F = 40 * sin(3 * t), m = 2, load = 1. / 4, c = 20. / 4, D = of->dry(y[1], y[2]);
    double a = 0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double share = 1 - sign * D;
        a = (F - share * c * y[1]) / (m + share * load);
        if (sign * -(load * a + c * y[1]) >= 0) {
            break;
        }
    }
    return a;
}

static void derivative(const law_case *of, double t, const double y[3], double d[3])
{
    d[0] = y[1];
    d[1] = geared_acceleration(of, t, y);
    d[2] = of->rate(y[1], y[2]);
}

static void step(const law_case *of, double t, double h, double y[3])
{
    double k[4][3], at[3];
    for (int s = 0; s < 4; s++) {
        const double reach = s == 0 ? 0 : s == 3 ? h : h / 2;
        for (int j = 0; j < 3; j++) {
            at[j] = y[j] + (s > 0 ? reach * k[s - 1][j] : 0);
        }
        derivative(of, t + reach, at, k[s]);
    }
    for (int j = 0; j < 3; j++) {
        y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    y[2] = of->rate == slip_rate ? fmax(-3e-3, fmin(3e-3, y[2])) : y[2];
}

static void friction_follows_a_gear(void **state)
{
    enum { STEPS = 200000 };
    UNUSED(state);
    for (int l = 0; l < LAWS; l++) {
        double y[STEPS / 40000][3], at[3] = {0};
        for (int n = 0; n < STEPS; n++) {
            step(&laws[l], n * (2. / STEPS), 2. / STEPS, at);
            if ((n + 1) % 40000 == 0) {
                memcpy(y[n / 40000], at, sizeof at);
            }
        }
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = geared(&laws[l], laws[l].law, "abs(coupling_force(g))");
            detent_simulation *sim = variant_start(m, v);
            for (int n = 0; n < STEPS / 40000; n++) {
                double is[5];
                variant_outputs(sim, v, 0.4 * (n + 1), is, 5);
                variant_check(v, laws[l].law, is[0], y[n][0], 1e-6);
                variant_check(v, laws[l].law, is[1], y[n][1], 1e-5);
                variant_check(v, "friction", is[2], -fabs(is[3]) * laws[l].dry(is[1], is[4]),
                              1e-9 * 40);
            }
            runs_end(sim, m);
        }
    }
}

/* The law of Quinn, and signs, as limits of the others: they run, and hold. */
static void other_laws_follow_a_gear(void **state)
{
    static const char *const others[] = {"law: sign, coulomb: 0.3",
                                         "law: quinn, coulomb: 0.3, velocity_band: 1e-3"};
    double is[2][5];
    UNUSED(state);
    for (size_t l = 0; l < 2; l++) {
        detent_mechanism *m = geared(NULL, others[l], "abs(coupling_force(g))");
        detent_simulation *sim = runs_start(m, NULL);
        runs_advance(sim, 0.7);
        detent_error error = {.message = ""};
        runs_must(detent_read(sim, DETENT_OUTPUTS, is[l], 5, &error), &error);
        runs_near(others[l], fabs(is[l][2]), 0.3 * fabs(is[l][3]), 1e-7 * 40);
        runs_end(sim, m);
    }
    runs_near("quinn as sign", is[1][1], is[0][1], 1e-3);
}

/* The other joint sticks until the gear pushes with its limit: along y that is twice what is along x, where nothing rubs at rest. */
static void a_joint_sticks_beside_the_law(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}, b: {mass: 1}}\njoints:\n"
            "  x: {type: prismatic, axis: [1, 0, 0], base: ground, follower: a, force: 40*t, "
            "friction: {law: coulomb, coulomb: 0.3, velocity_band: 0.1, normal_force: "
            "abs(coupling_force(g))}}\n"
            "  y: {type: prismatic, axis: [0, 1, 0], base: ground, follower: b}\n"
            "couplings: {g: {type: gear, joints: [x, y], ratio: 2}}\n"
            "stiction: {y: {static: 4, kinetic: 3}}\n"
            "outputs: [velocity(x), friction(x), acceleration(x)]\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        runs_record(sim, 0.3, &log);
        variant_check(v, "breaks away", runs_time_of(&log, 0, DETENT_WAIT, 0), 0.05, 1e-8);
        double is[3];
        variant_outputs(sim, v, 0.3, is, 3);
        const double R = -(is[2] / 2 + 3) / 2; /* y = x/2 has the mass 1 and rubs with 3 */
        variant_check(v, "friction", is[1], R * coulomb(is[0], 0), 1e-9 * 12);
        variant_check(v, "motion", 2 * is[2], 12 + is[1] + R, 1e-9 * 12);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/* ---- a cam, and a slot ---- */

static void friction_follows_a_cam(void **state)
{
    UNUSED(state);
    for (int l = 0; l < LAWS; l++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            char text[1600];
            snprintf(text, sizeof text,
                     "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {a: {mass: 2}, b: {mass: 0.5}}\n"
                     "joints:\n"
                     "  x: {type: prismatic, axis: [1, 0, 0], base: ground, follower: a, force: "
                     "\"40*sin(3*t)\", friction: {%s, normal_force: \"abs(contact_force(k))\"}}\n"
                     "  y: {type: prismatic, axis: [0, 1, 0], base: ground, follower: b, damping: "
                     "3}\n"
                     "couplings: {k: {type: cam, cam: x, follower: y, law: "
                     "0.1*position(x)^2}}\n"
                     "outputs: [position(x), velocity(x), acceleration(x), velocity(y), "
                     "acceleration(y), friction(x), contact_force(k), %s]\n"
                     "simulation: {rtol: 1e-8}\n",
                     laws[l].law, laws[l].z);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            for (double t = 0.05; t < 1.5; t += 0.2) {
                double is[8];
                variant_outputs(sim, v, t, is, 8);
                const double N = 0.5 * (is[4] + 9.81) + 3 * is[3];
                variant_check(v, "contact", is[6], N, 1e-8 * 40);
                variant_check(v, laws[l].law, is[5], -fabs(N) * laws[l].dry(is[1], is[7]),
                              1e-8 * 40);
                variant_check(v, "motion", 2 * is[2], 40 * sin(3 * t) + is[5] - 0.2 * is[0] * N,
                              1e-8 * 40);
            }
            runs_end(sim, m);
        }
    }
}

static void friction_follows_a_slot(void **state)
{
    UNUSED(state);
    for (int l = 0; l < LAWS; l++) {
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            char text[1600], name[64];
            snprintf(name, sizeof name, "%s", laws[l].z[0] == 's' ? "state(at.p1.bristle)" : "0");
            snprintf(text, sizeof text,
                     "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {bead: {mass: 0.8}}\n"
                     "joints:\n"
                     "  at: {type: custom, row: [p, p], axes: [[1, 0, 0], [0, 1, 0]], base: "
                     "ground, follower: bead, primitives: {p1: {initial: {position: 0.5, priority: "
                     "exact}, friction: {%s, normal_force: \"abs(contact_force(wire))\"}}}}\n"
                     "couplings: {wire: {type: slot, between: [{body: bead}, {body: ground}], x: "
                     "u, y: 0.7*u^2, from: -2, to: 2}}\n"
                     "outputs: [position(at.p1), velocity(at.p1), acceleration(at.p1), "
                     "acceleration(at.p2), friction(at.p1), contact_force(wire), %s]\n"
                     "simulation: {rtol: 1e-8}\n",
                     laws[l].law, name);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            for (double t = 0.05; t < 1.5; t += 0.2) {
                double is[7];
                variant_outputs(sim, v, t, is, 7);
                const double slope = 1.4 * is[0], n = sqrt(1 + slope * slope),
                             N = 0.8 * (is[3] + 9.81) * n;
                variant_check(v, "contact", is[5], N, 1e-8 * 8);
                variant_check(v, laws[l].law, is[4], -fabs(N) * laws[l].dry(is[1], is[6]),
                              1e-8 * 8);
                variant_check(v, "motion", 0.8 * is[2], is[4] - N * slope / n, 1e-8 * 8);
            }
            runs_end(sim, m);
        }
    }
}

/* ---- another joint's force ---- */

/* A brake: what its cylinder pushes with presses on the rail. */
static void friction_follows_the_force_along_another_joint(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 2}, b: {mass: 1}}\njoints:\n"
            "  x: {type: prismatic, axis: [1, 0, 0], base: ground, follower: a, force: "
            "\"40*sin(3*t)\", friction: {law: coulomb, coulomb: 0.3, velocity_band: 0.1, "
            "normal_force: abs(force(y))}}\n"
            "  y: {type: prismatic, axis: [0, 1, 0], base: a, follower: b, force: 20 + "
            "10*cos(t), spring: {stiffness: 300}}\n"
            "outputs: [velocity(x), friction(x), acceleration(y), acceleration(x), position(y)]\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        for (double t = 0.1; t < 1.5; t += 0.3) {
            double is[5];
            variant_outputs(sim, v, t, is, 5);
            const double F = 20 + 10 * cos(t) - 300 * is[4];
            variant_check(v, "along y", is[2], F, 1e-9 * 400);
            variant_check(v, "friction", is[1], -fabs(F) * coulomb(is[0], 0), 1e-8 * 400);
            variant_check(v, "along x", 3 * is[3], 40 * sin(3 * t) + is[1], 1e-8 * 400);
        }
        runs_end(sim, m);
    }
}

/* ---- time stepping ---- */

/* Bristles have the load of the step before, and so has what is not tied: first order. */
static void time_stepping_follows_contacts(void **state)
{
    static order_table exact;
    UNUSED(state);
    for (int l = 3; l < LAWS; l++) {
        double last;
        detent_mechanism *m = geared(&laws[l], laws[l].law, "abs(coupling_force(g))");
        const detent_settings fine = runs_settings(m, 1e-10, 0);
        order_fill(m, &fine, 50, 1, &exact);
        assert_true(order_of(m, DETENT_INTEGRATOR_FIXED, DETENT_LOCKED_JOINTS_CONSTRAIN, 4e-3, 5,
                             &exact, 1, &last) > 0.85);
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_follows_a_gear),
        cmocka_unit_test(other_laws_follow_a_gear),
        cmocka_unit_test(a_joint_sticks_beside_the_law),
        cmocka_unit_test(friction_follows_a_cam),
        cmocka_unit_test(friction_follows_a_slot),
        cmocka_unit_test(friction_follows_the_force_along_another_joint),
        cmocka_unit_test(time_stepping_follows_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
