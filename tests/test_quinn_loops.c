/*
 * Quinn's law on several joints that conditions tie together. The motion is that of one freedom,
 *
 *   m(x) x'' + n(x, x') = tau - sum J_k F_k(v_k, a_k),   v_k = J_k x', a_k = J_k x'' + J_k' x'
 *
 * with the law solved for F: F = C sign(v) + (1 - u)/u I a, from C (w - (1 - u)) to C (w + (1 - u)), where u = |w| < 1 and w = v/e. F grows with a, so
 * there is one x''. That is found here by plain Newton steps between bounds, and goes on by Runge's and Kutta's.
 */
#include "support_four_bar.h"
#include "support_plain.h"
#include "support_variants.h"

enum { JOINTS = 4 };
static const char *const name[JOINTS] = {"a", "b", "c", "d"};

typedef struct quinn {
    double coulomb, band, inertia; /* 0: there is none */
} quinn;

/* A mechanism of one freedom. */
typedef struct plain {
    quinn law[JOINTS];
    double push, rate, gravity; /* push sin(rate t) along x */
    double step;                /* s, of the plain program */
    double rtol;                /* of runs */
    /* J, J' x', and what is to act along x at x'' = 0 and at x'' = 1 */
    void (*shape)(const struct plain *of, double x, double v, double J[JOINTS], double bend[JOINTS],
                  double act[2]);
    int cut;
} plain;

/* ---- the plain program ---- */

/* F, and how it grows with a. */
static double friction(const quinn *law, double v, double a, double *slope)
{
    const double C = law->coulomb, w = v / law->band, u = fmax(fabs(w), 1e-12);
    *slope = 0;
    if (u >= 1) {
        return C * copysign(1, v);
    }
    const double low = C * (w - (1 - u)), high = C * (w + (1 - u)),
                 F = C * w / u + (1 - u) / u * law->inertia * a;
    *slope = F > low && F < high ? (1 - u) / u * law->inertia : 0;
    return fmin(high, fmax(low, F));
}

static double acceleration(const plain *of, double t, const double y[2], double F[JOINTS])
{
    double J[JOINTS], bend[JOINTS], act[2], low = -1e9, high = 1e9, a = 0;
    of->shape(of, y[0], y[1], J, bend, act);
    const double inertia = act[1] - act[0];
    for (int turn = 0; turn < 200 && high - low > 1e-14 * (fabs(low) + fabs(high)); turn++) {
        double off = act[0] + inertia * a - of->push * sin(of->rate * t), grows = inertia;
        for (int k = 0; k < JOINTS; k++) {
            double slope = 0;
            F[k] = of->law[k].coulomb > 0
                       ? friction(&of->law[k], J[k] * y[1], J[k] * a + bend[k], &slope)
                       : 0;
            off += J[k] * F[k];
            grows += J[k] * J[k] * slope;
        }
        *(off > 0 ? &high : &low) = a;
        if (off == 0) {
            break;
        }
        const double next = a - off / grows;
        if (next == a) {
            break;
        }
        a = next > low && next < high ? next : 0.5 * (low + high);
    }
    return a;
}

static void rates(double t, const double *y, double *rate, const void *of)
{
    double F[JOINTS];
    rate[0] = y[1];
    rate[1] = acceleration(of, t, y, F);
}

/* Velocities or accelerations of rod and rocker, of whom A sin + ... = x and y. */
static void solve_angles(const double angle[3], double x, double y, double turn[2])
{
    const double a = -rod * sin(angle[1]), b = rocker * sin(angle[2]), c = rod * cos(angle[1]),
                 d = -rocker * cos(angle[2]), det = a * d - b * c;
    turn[0] = (d * x - b * y) / det;
    turn[1] = (a * y - c * x) / det;
}

static void shape_four_bar(const plain *of, double x, double v, double J[JOINTS],
                           double bend[JOINTS], double act[2])
{
    static const struct {
        double mass, at[2], inertia;
    } body[3] = {{1, {0.15, 0}, 0.01}, {2, {0.4, 0.05}, 0.1}, {1.5, {0.3, 0}, 0.05}};
    double angle[3], w[3] = {1}, turn[2][3] = {{0}, {1}};
    support_four_bar(x, angle);
    solve_angles(angle, crank * sin(x), -crank * cos(x), w + 1);
    for (int n = 0; n < 2; n++) { /* x'' = n */
        const double s = v * v;
        solve_angles(angle,
                     crank * (sin(x) * n + cos(x) * s) + rod * cos(angle[1]) * w[1] * w[1] * s -
                         rocker * cos(angle[2]) * w[2] * w[2] * s,
                     -crank * (cos(x) * n - sin(x) * s) + rod * sin(angle[1]) * w[1] * w[1] * s -
                         rocker * sin(angle[2]) * w[2] * w[2] * s,
                     turn[n] + 1);
        act[n] = 0;
        for (int k = 0; k < 3; k++) {
            const double co = cos(angle[k]), si = sin(angle[k]),
                         r[2] = {co * body[k].at[0] - si * body[k].at[1],
                                 si * body[k].at[0] + co * body[k].at[1]},
                         on = k == 1 ? crank : 0, tip[2] = {on * cos(x), on * sin(x)};
            const double go[2] = {-tip[1] - r[1] * w[k], tip[0] + r[0] * w[k]};
            const double a[2] = {
                -tip[1] * n - tip[0] * s - r[1] * turn[n][k] - r[0] * w[k] * w[k] * s,
                tip[0] * n - tip[1] * s + r[0] * turn[n][k] - r[1] * w[k] * w[k] * s};
            act[n] += body[k].mass * (a[0] * go[0] + (a[1] - of->gravity) * go[1]) +
                      body[k].inertia * turn[n][k] * w[k];
        }
    }
    const double side = of->cut < 2 ? 1 : -1; /* who is base of the pin between rod and rocker */
    const double ratio[JOINTS] = {1, w[1] - 1, side * (w[1] - w[2]), w[2]},
                 beyond[JOINTS] = {0, turn[0][1], side * (turn[0][1] - turn[0][2]), turn[0][2]};
    memcpy(J, ratio, sizeof ratio);
    memcpy(bend, beyond, sizeof beyond);
}

/* A disk, and a block by a rack. */
static const double radius = 0.2;

static void shape_rack(const plain *of, double x, double v, double J[JOINTS], double bend[JOINTS],
                       double act[2])
{
    (void)of, (void)x, (void)v;
    memset(bend, 0, JOINTS * sizeof *bend);
    memset(J, 0, JOINTS * sizeof *J);
    J[0] = 1;
    J[1] = radius;
    act[0] = 0;
    act[1] = 0.05 + 2 * radius * radius;
}

/* ---- the library ---- */

/* Puts a law into the mapping of every joint that has one. */
static detent_mechanism *make(const plain *of, const char *text)
{
    char out[6000] = "";
    size_t n = 0;
    for (const char *c = text; *c; c++) {
        out[n++] = *c;
        for (int k = 0; k < JOINTS && c - text >= 6; k++) {
            const char mark[] = {'\n', ' ', ' ', name[k][0], ':', ' ', '{', '\0'};
            if (strncmp(c - 6, mark, 7) == 0 && of->law[k].coulomb > 0) {
                n += (size_t)snprintf(out + n, sizeof out - n,
                                      "friction: {law: quinn, coulomb: %.17g, velocity_band: "
                                      "%.17g, inertia: %.17g}, ",
                                      of->law[k].coulomb, of->law[k].band, of->law[k].inertia);
            }
            if (strncmp(c - 6, mark, 7) == 0 && k == 0 && of->push != 0) {
                n += (size_t)snprintf(out + n, sizeof out - n, "force: \"%.17g*sin(%.17g*t)\", ",
                                      of->push, of->rate);
            }
        }
        out[n] = '\0';
    }
    return runs_parse(out, NULL);
}

enum { SAMPLES = 20 };
static const double every = 0.05;

typedef struct sample {
    double x, v, F[JOINTS], share[JOINTS]; /* |v_k| / e */
} sample;

static void follow(const plain *of, double x, double v, sample samples[SAMPLES])
{
    double y[2] = {x, v};
    const int steps = (int)lround(every / of->step);
    for (int n = 0; n < SAMPLES; n++) {
        double J[JOINTS], bend[JOINTS], act[2];
        for (int k = 0; k < steps; k++) {
            plain_step(y, 2, (n * steps + k) * of->step, of->step, rates, of);
        }
        samples[n] = (sample){.x = y[0], .v = y[1]};
        acceleration(of, (n + 1) * every, y, samples[n].F);
        of->shape(of, y[0], y[1], J, bend, act);
        for (int k = 0; k < JOINTS; k++) {
            samples[n].share[k] = fabs(J[k] * y[1]) / fmax(of->law[k].band, 1e-9);
        }
    }
}

/* Friction keeps to what the law is given, and is against the motion but for what the law itself lets act along it. */
static void judge_friction(const quinn *law, variant v, double F, double speed)
{
    const double u = fmin(1, fabs(speed) / law->band), C = law->coulomb;
    variant_check(v, "limit", fmax(0, fabs(F) - C), 0, 1e-9 * C);
    variant_check(v, "drive", fmax(0, F * speed - C * (1 - 2 * u) * fabs(speed)), 0,
                  1e-9 * C * (law->band + fabs(speed)));
}

static void judge(const plain *of, const detent_mechanism *m, detent_simulation *sim, variant v,
                  const sample *at)
{
    const double allowed = fmax(1e-7, 0.2 * of->rtol); /* 1e-7: the plain program */
    variant_check(v, "place", runs_position(m, sim, "a"), at->x, allowed);
    variant_check(v, "speed", runs_velocity(m, sim, "a"), at->v, 10 * allowed);
    for (int k = 0; k < JOINTS; k++) {
        char output[32];
        snprintf(output, sizeof output, "friction(%s)", name[k]);
        if (of->law[k].coulomb > 0) {
            const double F = runs_output(m, sim, output);
            judge_friction(&of->law[k], v, F, runs_velocity(m, sim, name[k]));
            if (at->share[k] >
                0.05) { /* in slower motion shares follow from digits of it that tolerances leave open */
                variant_check(v, output, F, -at->F[k],
                              fmax(2e-6, 10 * of->rtol) * of->law[k].coulomb);
            }
        }
    }
}

/* Runs in every `stride`-th variant against the plain program. */
static void agree(const plain *of, const char *text, size_t first, size_t stride)
{
    sample samples[SAMPLES];
    detent_mechanism *m = make(of, text);
    detent_simulation *start = runs_start(m, NULL);
    follow(of, runs_position(m, start, "a"), runs_velocity(m, start, "a"), samples);
    detent_simulation_destroy(start);
    for (size_t k = first % stride; k < VARIANTS; k += stride) {
        const variant way = variant_at(k);
        detent_simulation *sim = variant_start(m, way);
        for (int n = 0; n < SAMPLES; n++) {
            variant_advance(sim, way, (n + 1) * every);
            judge(of, m, sim, way, &samples[n]);
        }
        variant_check(way, "energy", runs_relative_energy_gap(sim), 0, fmax(2e-9, 0.1 * of->rtol));
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/* ---- tests ---- */

static const quinn pins[JOINTS] = {
    {0.5, 0.05, 0.2}, {0.3, 0.08, 0.1}, {0.4, 0.05, 0.15}, {0.6, 0.04, 0.3}};

/* What is read: the friction of all joints that have a law, and the energy. */
static void write_outputs(const plain *of, char *text, size_t size)
{
    size_t n = (size_t)snprintf(text, size, "outputs: [kinetic_energy() + potential_energy()");
    for (int k = 0; k < JOINTS; k++) {
        n += of->law[k].coulomb > 0
                 ? (size_t)snprintf(text + n, size - n, ", friction(%s)", name[k])
                 : 0;
    }
    snprintf(text + n, size - n, "]\nsimulation: {end: 1, rtol: %g}\n", of->rtol);
}

static void four_bars_move_as_their_one_freedom(void **state)
{
    (void)state;
    for (int mask = 1; mask < 1 << JOINTS; mask++) {
        for (int moves = 0; moves < 2; moves++) {
            char text[4000], more[400];
            plain of = {.push = moves ? 0 : 3,
                        .rate = 4,
                        .gravity = -9.81,
                        .step = 2e-5,
                        .rtol = 1e-9,
                        .shape = shape_four_bar,
                        .cut = mask % 3};
            for (int k = 0; k < JOINTS; k++) {
                of.law[k] = mask >> k & 1 ? pins[k] : (quinn){0, 1, 1};
            }
            write_outputs(&of, more, sizeof more);
            support_write_four_bar(text, sizeof text, of.cut, of.gravity, 0.9, 3 * moves, more);
            agree(&of, text, (size_t)mask,
                  (mask & (mask - 1)) == 0 ? VARIANTS
                  : mask == 15             ? 2
                                           : 5);
        }
    }
}

/*
 * Narrow bands, a load that comes and goes, and tolerances far above what tells shares at rest: the joints stop and rest, where velocities are noise to
 * explicit steps, and have to be let go as soon as their frictions are overcome. Two joints carry nearly all, and one has hardly any.
 */
static void joints_that_rest_at_loose_tolerances_are_let_go(void **state)
{
    (void)state;
    for (int way = 0; way < 4; way++) {
        char text[4000], more[400];
        const plain of = {
            .law = {{2.6, 2e-3, 0.05}, {2.7, 3e-3, 0.13}, {0, 1, 1}, {0.06, 1e-3, 0.02}},
            .push = way % 2 ? 7.4 : 9,
            .rate = way % 2 ? 6 : 12,
            .step = 1e-5,
            .rtol = way < 2 ? 1e-6 : 1e-4,
            .shape = shape_four_bar};
        write_outputs(&of, more, sizeof more);
        support_write_four_bar(text, sizeof text, of.cut, of.gravity, 0.9, 0, more);
        agree(&of, text, 0, 1);
    }
}

static void racks_move_as_their_one_freedom(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {disk: {mass: 1, inertia: [0.05, 0.05, 0.05]}, block: {mass: 2}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: disk, initial: {velocity: %g}}\n"
        "  b: {type: prismatic, axis: [1, 0, 0], base: ground, follower: block, initial: "
        "{velocity: %g}}\n"
        "couplings: {rack: {type: rack, joints: [a, b], radius: 0.2}}\n%s";
    for (int mask = 1; mask < 4; mask++) {
        for (int moves = 0; moves < 2; moves++) {
            char all[2000], more[400];
            plain of = {.push = 1.2, .rate = 5, .step = 2e-5, .rtol = 1e-9, .shape = shape_rack};
            for (int k = 0; k < JOINTS; k++) {
                of.law[k] = mask >> k & 1 ? (quinn[]){{0.3, 0.05, 0.05}, {2, 0.02, 2}}[k]
                                          : (quinn){0, 1, 1};
            }
            write_outputs(&of, more, sizeof more);
            snprintf(all, sizeof all, text, 2.0 * moves, 2 * radius * moves, more);
            agree(&of, all, (size_t)mask, 5);
        }
    }
}

/* Where nothing but friction acts, energy falls until nothing moves. */
static void friction_takes_all_energy(void **state)
{
    (void)state;
    char text[4000], more[400];
    plain of = {.rtol = 1e-9, .shape = shape_four_bar};
    memcpy(of.law, pins, sizeof pins);
    write_outputs(&of, more, sizeof more);
    support_write_four_bar(text, sizeof text, 0, 0, 0.9, 3, more);
    detent_mechanism *m = make(&of, text);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        double last = INFINITY, energy[1 + JOINTS];
        for (int n = 1; n <= 150; n++) {
            variant_outputs(sim, v, 0.01 * n, energy, 1 + JOINTS);
            variant_check(v, "growth", fmax(0, energy[0] - last), 0, 1e-12);
            last = energy[0];
        }
        variant_check(v, "rest", last, 0, 1e-15);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

/*
 * How fast the slider-crank below creeps where its crank stands at an angle, with a torque on it: with v = J x', F = C z / sqrt(1 + z^2), z = v / (s e).
 * Left are parts of 2^-24 of F, and I a.
 */
static double creep(const quinn law[JOINTS], double angle, double torque)
{
    const double s = 0x1p-24, rod_angle = asin(-0.2 * sin(angle) / 0.6),
                 turn = -0.2 * cos(angle) / (0.6 * cos(rod_angle)),
                 J[JOINTS] = {1, turn - 1, -turn, -0.2 * sin(angle) - 0.6 * sin(rod_angle) * turn},
                 load = torque - 9.81 * (0.3 * cos(angle) + 0.3 * cos(rod_angle) * turn);
    double low = -1e-6, high = 1e-6;
    while (high - low > 1e-18) {
        const double middle = 0.5 * (low + high);
        double held = 0;
        for (int k = 0; k < JOINTS; k++) {
            const double z = J[k] * middle / (s * law[k].band);
            held += J[k] * law[k].coulomb * z / sqrt(1 + z * z);
        }
        *(held > load ? &high : &low) = middle;
    }
    return low;
}

/*
 * A slider-crank that is loaded below what all frictions can hold creeps, as slowly as that; which joint closes the loop changes nothing
 * where inertias are given.
 */
static void a_slider_crank_holds(void **state)
{
    (void)state;
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0, 0.01, 0.01]}\n"
        "  rod: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0, 0.03, 0.03]}\n"
        "  slider: {mass: 2}\n"
        "joints:\n"
        "  a: {%stype: revolute, base: ground, follower: crank, initial: {position: 0.7, velocity: "
        "%g, priority: exact}, force: \"if(t < 1, 1.9, 6)\", friction: {law: quinn, coulomb: 0.8, "
        "velocity_band: 0.05, inertia: 0.1}}\n"
        "  b: {%stype: revolute, base: crank, follower: rod, at: {base: [0.2, 0, 0]}, initial: "
        "{position: -1}, friction: {law: quinn, coulomb: 0.5, velocity_band: 0.05, inertia: 0.1}}\n"
        "  c: {%stype: revolute, base: rod, follower: slider, at: {base: [0.6, 0, 0]}, friction: "
        "{law: quinn, coulomb: 0.5, velocity_band: 0.05, inertia: 0.1}}\n"
        "  d: {%stype: prismatic, axis: [1, 0, 0], base: ground, follower: slider, friction: {law: "
        "quinn, coulomb: 5, velocity_band: 0.02, inertia: 2}}\n"
        "outputs: [position(a), position(d)]\nsimulation: {end: 2, rtol: 1e-9}\n";
    static const quinn law[JOINTS] = {
        {0.8, 0.05, 0.1}, {0.5, 0.05, 0.1}, {0.5, 0.05, 0.1}, {5, 0.02, 2}};
    for (int moves = 0; moves < 2; moves++) {
        double first[2] = {0};
        for (size_t k = 0; k < VARIANTS; k += 5) { /* three that have little in common */
            const variant v = variant_at(k);
            const char *mark[4] = {"", "", "", ""};
            char all[3000];
            double x[2], held;
            mark[2] = k % 2 ? "closes: true, " : "";
            snprintf(all, sizeof all, text, mark[0], 3.0 * moves, mark[1], mark[2], mark[3]);
            detent_mechanism *m = runs_parse(all, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 0.9, x, 2);
            held = x[0];
            variant_outputs(sim, v, 1, x, 2);
            const double slow = creep(law, x[0], 1.9);
            variant_check(v, "creep", (x[0] - held) / 0.1, slow, 1e-5 * fabs(slow));
            variant_outputs(sim, v, 2, x, 2);
            assert_true(fabs(x[0] - held) > 0.1);
            for (int n = 0; n < 2; n++) {
                variant_check(v, "end", x[n], k ? first[n] : x[n], 1e-6);
                first[n] = k ? first[n] : x[n];
            }
            runs_end(sim, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_bars_move_as_their_one_freedom),
        cmocka_unit_test(joints_that_rest_at_loose_tolerances_are_let_go),
        cmocka_unit_test(racks_move_as_their_one_freedom),
        cmocka_unit_test(friction_takes_all_energy),
        cmocka_unit_test(a_slider_crank_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
