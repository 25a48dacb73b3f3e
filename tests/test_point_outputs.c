/*
 * What outputs see of points of bodies: formulas of a turning arm, of a bead seen from a turntable, of known turns; each rate
 * against differences of what it is the rate of, in trees and in loops.
 */
#include "support_four_bar.h"
#include "support_variants.h"

#define DEGREE 0.017453292519943295

/* ---- a turning arm ---- */

static const char arm[] =
    "detent: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {arm: {mass: 2, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3]}}\n"
    "joints:\n"
    "  hinge: {type: revolute, base: ground, follower: arm, force: 1.2, at: {base: [1, 2, 3]},\n"
    "          initial: {position: 0.3, velocity: -0.5}}\n"
    "points:\n"
    "  tip: {body: arm, at: [2, 0, 0.25]}\n"
    "  sensor: {body: arm, at: {point: [2, 0, 0.25], rotation: {axis: [0, 0, 1], angle: 90 deg}}}\n"
    "  corner: {body: ground, at: [1, 2, 0]}\n"
    "outputs:\n"
    "- position(arm, x)\n- position(arm, z)\n"
    "- position(tip, x)\n- position(tip, y)\n- position(tip, z, corner)\n"
    "- velocity(tip, x)\n- velocity(tip, y)\n- velocity(tip, z)\n"
    "- acceleration(tip, x)\n- acceleration(tip, y)\n- acceleration(tip, z)\n"
    "- acceleration(tip, x, ground, arm)\n- acceleration(tip, y, ground, arm)\n"
    "- acceleration(sensor, x, ground, sensor)\n- acceleration(sensor, y, ground, sensor)\n"
    "- velocity(sensor, x, arm)\n- acceleration(sensor, x, arm)\n- position(sensor, x, arm)\n"
    "- velocity(corner, x, arm)\n- velocity(corner, y, arm)\n"
    "- angular_velocity(tip, z)\n- angular_velocity(corner, z, arm)\n"
    "- angular_acceleration(arm, z)\n- angular_acceleration(arm, x)\n"
    "- rpy(arm, yaw)\n- rpy(sensor, yaw, arm)\n- rotation(sensor, xy)\n"
    "- kinetic_energy()\n- kinetic_energy(arm)\n- potential_energy(arm)\n- actuation_work()\n"
    "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";

static void an_arm_turns(void **state)
{
    UNUSED(state);
    const double J = 0.3 + 2 * 0.25, alpha = 1.2 / J, r = 2;
    detent_mechanism *m = runs_parse(arm, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        for (int i = 0; i <= 4; i++) {
            const double t = 0.4 * i, q = 0.3 - 0.5 * t + 0.5 * alpha * t * t, w = alpha * t - 0.5;
            const double c = cos(q), n = sin(q);
            const struct {
                const char *output;
                double value;
            } expected[] = {
                {"position(arm, x)", 1},
                {"position(arm, z)", 3},
                {"position(tip, x)", 1 + r * c},
                {"position(tip, y)", 2 + r * n},
                {"position(tip, z, corner)", 3.25},
                {"velocity(tip, x)", -r * w * n},
                {"velocity(tip, y)", r * w * c},
                {"velocity(tip, z)", 0},
                {"acceleration(tip, x)", -r * w * w * c - r * alpha * n},
                {"acceleration(tip, y)", -r * w * w * n + r * alpha * c},
                {"acceleration(tip, z)", 0},
                {"acceleration(tip, x, ground, arm)", -r * w * w},
                {"acceleration(tip, y, ground, arm)", r * alpha},
                {"acceleration(sensor, x, ground, sensor)", r * alpha},
                {"acceleration(sensor, y, ground, sensor)", r * w * w},
                {"velocity(sensor, x, arm)", 0},
                {"acceleration(sensor, x, arm)", 0},
                {"position(sensor, x, arm)", r},
                {"velocity(corner, x, arm)", 0}, /* on the axis */
                {"velocity(corner, y, arm)", 0},
                {"angular_velocity(tip, z)", w},
                {"angular_velocity(corner, z, arm)", -w},
                {"angular_acceleration(arm, z)", alpha},
                {"angular_acceleration(arm, x)", 0},
                {"rpy(arm, yaw)", q},
                {"rpy(sensor, yaw, arm)", 90 * DEGREE},
                {"rotation(sensor, xy)", -c},
                {"kinetic_energy()", 0.5 * J * w * w},
                {"kinetic_energy(arm)", 0.5 * J * w * w},
                {"potential_energy(arm)", 2 * 9.81 * 3},
                {"actuation_work()", 1.2 * (q - 0.3)},
            };
            variant_advance(s, v, t);
            for (size_t j = 0; j < sizeof expected / sizeof *expected; j++) {
                variant_check(v, expected[j].output, runs_output(m, s, expected[j].output),
                              expected[j].value, 1e-8);
            }
        }
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* ---- a bead that flies straight, seen from a table that turns ever faster ---- */

static const char turntable[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  table: {mass: 1, inertia: [1, 1, 1]}\n"
    "  bead: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  axle: {type: revolute, base: ground, follower: table, motion: 0.7*t + 0.3*t^2}\n"
    "  way: {type: prismatic, base: ground, follower: bead, axis: [1, 0, 0],\n"
    "        initial: {position: 0.4, velocity: 1.5}}\n"
    "points: {mark: {body: table, at: [0.2, -0.1, 0]}}\n"
    "outputs:\n"
    "- position(bead, x, table)\n- position(bead, y, table)\n"
    "- velocity(bead, x, table)\n- velocity(bead, y, table)\n"
    "- acceleration(bead, x, table)\n- acceleration(bead, y, table)\n"
    "- velocity(bead, x, mark)\n- acceleration(bead, y, mark)\n- position(bead, y, mark)\n"
    "- velocity(bead, x, table, ground)\n- acceleration(bead, x, ground, table)\n"
    "- angular_velocity(bead, z, table)\n- angular_acceleration(bead, z, mark)\n"
    "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";

static void coriolis_is_seen(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(turntable, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        for (int i = 0; i <= 4; i++) {
            const double t = 0.45 * i, u = 1.5, x = 0.4 + u * t, p = 0.7 * t + 0.3 * t * t,
                         w = 0.7 + 0.6 * t, b = 0.6, c = cos(p), n = sin(p);
            /* (x cos p, -x sin p), differentiated twice */
            const double vx = u * c - x * n * w, vy = -u * n - x * c * w;
            const double ax = -2 * u * n * w - x * c * w * w - x * n * b,
                         ay = -2 * u * c * w + x * n * w * w - x * c * b;
            const struct {
                const char *output;
                double value;
            } expected[] = {
                {"position(bead, x, table)", x * c},
                {"position(bead, y, table)", -x * n},
                {"velocity(bead, x, table)", vx},
                {"velocity(bead, y, table)", vy},
                {"acceleration(bead, x, table)", ax},
                {"acceleration(bead, y, table)", ay},
                /* from another place on it */
                {"velocity(bead, x, mark)", vx},
                {"acceleration(bead, y, mark)", ay},
                {"position(bead, y, mark)", -x * n + 0.1},
                {"velocity(bead, x, table, ground)", vx * c - vy * n},
                {"acceleration(bead, x, ground, table)", 0},
                {"angular_velocity(bead, z, table)", -w},
                {"angular_acceleration(bead, z, mark)", -b},
            };
            variant_advance(s, v, t);
            for (size_t j = 0; j < sizeof expected / sizeof *expected; j++) {
                variant_check(v, expected[j].output, runs_output(m, s, expected[j].output),
                              expected[j].value, 1e-8);
            }
        }
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* ---- known turns ---- */

/* Yaw, then pitch about the new y, then roll about the new x are roll, pitch and yaw about fixed axes. */
static const char turns[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {roll: 0, pitch: 0, yaw: 0}\n"
    "bodies:\n"
    "  frame: {mass: 1, inertia: [1, 1, 1]}\n"
    "  ring: {mass: 1, inertia: [1, 1, 1]}\n"
    "  body: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  turn: {type: revolute, base: ground, follower: frame, initial: {position: yaw}}\n"
    "  nod: {type: revolute, base: frame, follower: ring, axis: [0, 1, 0], initial: {position: "
    "pitch}}\n"
    "  bank: {type: revolute, base: ring, follower: body, axis: [1, 0, 0], initial: {position: "
    "roll}}\n"
    "outputs:\n"
    "- rpy(body, roll)\n- rpy(body, pitch)\n- rpy(body, yaw)\n- rpy(body, roll, frame)\n"
    "- rpy(body, yaw, frame)\n- rpy(frame, yaw, ground)\n"
    "- quaternion(body, w)\n- quaternion(body, x)\n- quaternion(body, y)\n- quaternion(body, z)\n"
    "- quaternion(ground_mark, z, frame)\n"
    "- rotation(body, xx)\n- rotation(body, xy)\n- rotation(body, xz)\n"
    "- rotation(body, yx)\n- rotation(body, yy)\n- rotation(body, yz)\n"
    "- rotation(body, zx)\n- rotation(body, zy)\n- rotation(body, zz)\n"
    "points: {ground_mark: {body: ground}}\n";

typedef struct turn {
    double roll, pitch, yaw, seen_roll, seen_yaw; /* degrees */
} turn;

static void check_turn(const turn *of)
{
    char roll[40], pitch[40], yaw[40];
    snprintf(roll, sizeof roll, "roll=%.17g deg", of->roll);
    snprintf(pitch, sizeof pitch, "pitch=%.17g deg", of->pitch);
    snprintf(yaw, sizeof yaw, "yaw=%.17g deg", of->yaw);
    const char *const set[] = {roll, pitch, yaw, NULL};
    detent_mechanism *m = runs_parse(turns, set);
    detent_simulation *s = runs_start(m, NULL);
    const double r = of->roll * DEGREE, p = of->pitch * DEGREE, y = of->yaw * DEGREE;
    const double cr = cos(r), sr = sin(r), cp = cos(p), sp = sin(p), cy = cos(y), sy = sin(y);
    const double q[4] = {
        cos(r / 2) * cos(p / 2) * cos(y / 2) + sin(r / 2) * sin(p / 2) * sin(y / 2),
        sin(r / 2) * cos(p / 2) * cos(y / 2) - cos(r / 2) * sin(p / 2) * sin(y / 2),
        cos(r / 2) * sin(p / 2) * cos(y / 2) + sin(r / 2) * cos(p / 2) * sin(y / 2),
        cos(r / 2) * cos(p / 2) * sin(y / 2) - sin(r / 2) * sin(p / 2) * cos(y / 2)};
    const double sign = q[0] < 0 ? -1 : 1, back = cos(y / 2) < 0 ? -1 : 1;
    const struct {
        const char *output;
        double value;
    } expected[] = {
        {"rpy(body, roll)", of->seen_roll * DEGREE},
        {"rpy(body, pitch)", p},
        {"rpy(body, yaw)", of->seen_yaw * DEGREE},
        {"rpy(frame, yaw, ground)", y},
        {"quaternion(body, w)", sign * q[0]},
        {"quaternion(body, x)", sign * q[1]},
        {"quaternion(body, y)", sign * q[2]},
        {"quaternion(body, z)", sign * q[3]},
        {"quaternion(ground_mark, z, frame)", -back * sin(y / 2)},
        {"rotation(body, xx)", cy * cp},
        {"rotation(body, xy)", cy * sp * sr - sy * cr},
        {"rotation(body, xz)", cy * sp * cr + sy * sr},
        {"rotation(body, yx)", sy * cp},
        {"rotation(body, yy)", sy * sp * sr + cy * cr},
        {"rotation(body, yz)", sy * sp * cr - cy * sr},
        {"rotation(body, zx)", -sp},
        {"rotation(body, zy)", cp * sr},
        {"rotation(body, zz)", cp * cr},
    };
    for (size_t j = 0; j < sizeof expected / sizeof *expected; j++) {
        runs_near(expected[j].output, runs_output(m, s, expected[j].output), expected[j].value,
                  1e-14);
    }
    runs_end(s, m);
}

static void turns_are_told(void **state)
{
    static const turn all[] = {
        {0, 0, 0, 0, 0},          {30, 0, 0, 30, 0},         {0, 0, 120, 0, 120},
        {-50, 35, 170, -50, 170}, {100, -80, -20, 100, -20}, {170, 5, 160, 170, 160},
        {20, 90, 50, 0, 50 - 20}, {20, -90, 50, 0, 50 + 20}, {-179, 60, 179, -179, 179},
    };
    UNUSED(state);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        check_turn(&all[k]);
    }
}

/* ---- rates against differences ---- */

/* A spatial tree, with stiction that holds the hand for a while. */
static const char tree[] =
    "detent: 1\n"
    "gravity: [0.3, -9.81, 0.2]\n"
    "bodies:\n"
    "  base: {mass: 3, center_of_mass: [0.1, 0.2, 0], inertia: [0.4, 0.5, 0.6, 0.05, 0, 0.02]}\n"
    "  arm: {mass: 1, center_of_mass: [0.3, 0, 0.1], inertia: [0.04, 0.05, 0.06, 0, 0.01, 0]}\n"
    "  hand: {mass: 0.5, center_of_mass: [0, 0.1, 0.1], inertia: [0.02, 0.03, 0.02]}\n"
    "joints:\n"
    "  float: {type: six-dof, base: ground, follower: base, primitives: {\n"
    "    p1: {initial: {velocity: 1}}, s1: {initial: {velocity: [1, -0.7, 1.3]}}}}\n"
    "  shoulder: {type: universal, base: base, follower: arm, at: {base: [0.5, 0, 0.1]},\n"
    "    primitives: {r1: {initial: {position: 0.4, velocity: -2}, damping: 0.05},\n"
    "                 r2: {initial: {velocity: 1.4}}}}\n"
    "  wrist: {type: cylindrical, base: arm, follower: hand, axis: [1, 2, 0], at: {base: [0.6, 0, "
    "0]}}\n"
    "stiction: {wrist.r1: {kinetic: 0.05, static: 2}}\n"
    "points:\n"
    "  of: {body: hand, at: {point: [0.1, 0.3, -0.2], rotation: {rpy: [20 deg, 30 deg, 40 deg]}}}\n"
    "  from: {body: base, at: {point: [-0.4, 0.1, 0.2], rotation: {axis: [1, 1, 2], angle: 1}}}\n"
    "  along: {body: arm, at: {rotation: {axis: [1, 0, 1], angle: 2}}}\n";

static const char seen[] =
    "outputs:\n"
    "- position(of, x)\n- position(of, y)\n- position(of, z)\n"
    "- velocity(of, x)\n- velocity(of, y)\n- velocity(of, z)\n"
    "- acceleration(of, x)\n- acceleration(of, y)\n- acceleration(of, z)\n"
    "- position(of, x, from)\n- position(of, y, from)\n- position(of, z, from)\n"
    "- velocity(of, x, from)\n- velocity(of, y, from)\n- velocity(of, z, from)\n"
    "- acceleration(of, x, from)\n- acceleration(of, y, from)\n- acceleration(of, z, from)\n"
    "- angular_velocity(of, x)\n- angular_velocity(of, y)\n- angular_velocity(of, z)\n"
    "- angular_acceleration(of, x)\n- angular_acceleration(of, y)\n- angular_acceleration(of, z)\n"
    "- angular_velocity(of, x, from)\n- angular_velocity(of, y, from)\n"
    "- angular_velocity(of, z, from)\n"
    "- angular_acceleration(of, x, from)\n- angular_acceleration(of, y, from)\n"
    "- angular_acceleration(of, z, from)\n"
    "- velocity(of, x, from, along)\n- velocity(of, y, from, along)\n"
    "- velocity(of, z, from, along)\n"
    "- rotation(along, xx, from)\n- rotation(along, yx, from)\n- rotation(along, zx, from)\n"
    "- rotation(along, xy, from)\n- rotation(along, yy, from)\n- rotation(along, zy, from)\n"
    "- rotation(along, xz, from)\n- rotation(along, yz, from)\n- rotation(along, zz, from)\n"
    "- angular_velocity(along, x, from)\n- angular_velocity(along, y, from)\n"
    "- angular_velocity(along, z, from)\n"
    "- quaternion(of, w, from)\n- quaternion(of, x, from)\n- quaternion(of, y, from)\n"
    "- quaternion(of, z, from)\n"
    "- rpy(of, roll, from)\n- rpy(of, pitch, from)\n- rpy(of, yaw, from)\n"
    "simulation: {end: 3, rtol: 1e-11, atol: 1e-13}\n";

/* Of `seen`. */
enum {
    POSITION = 0,
    VELOCITY = 3,
    ACCELERATION = 6,
    FROM = 9, /* the same, seen from there */
    SPIN = 18,
    SPINNING = 21,
    SPIN_FROM = 24,
    SPINNING_FROM = 27,
    ALONG = 30,
    AXES = 33, /* of `along`, one after the other */
    AXES_SPIN = 42,
    QUATERNION = 45,
    RPY = 49,
    ALL = 52
};

static void read_at(detent_simulation *s, variant v, double t, double *values)
{
    variant_outputs(s, v, t, values, ALL);
}

static void cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Differences of sixth order: h^6/140 of the seventh derivative, and what the run leaves at its tolerances, over h. */
static void check_rates(const detent_mechanism *m, variant v, double t, double h, double tolerance)
{
    double y[7][ALL], rate[ALL], turned[3];
    detent_simulation *s = variant_start(m, v);
    for (int k = 0; k < 7; k++) {
        read_at(s, v, t + (k - 3) * h, y[k]);
    }
    for (int i = 0; i < ALL; i++) {
        rate[i] =
            (45 * (y[4][i] - y[2][i]) - 9 * (y[5][i] - y[1][i]) + y[6][i] - y[0][i]) / (60 * h);
    }
    const double *now = y[3];
    for (int k = 0; k < 3; k++) {
        variant_check(v, "velocity", now[VELOCITY + k], rate[POSITION + k], tolerance);
        variant_check(v, "acceleration", now[ACCELERATION + k], rate[VELOCITY + k], tolerance);
        variant_check(v, "velocity seen", now[FROM + VELOCITY + k], rate[FROM + POSITION + k],
                      tolerance);
        variant_check(v, "acceleration seen", now[FROM + ACCELERATION + k],
                      rate[FROM + VELOCITY + k], tolerance);
        variant_check(v, "angular acceleration", now[SPINNING + k], rate[SPIN + k], tolerance);
        variant_check(v, "angular acceleration seen", now[SPINNING_FROM + k], rate[SPIN_FROM + k],
                      tolerance);
        /* the velocity in other axes is the same vector */
        double sum = 0;
        for (int j = 0; j < 3; j++) {
            sum += now[AXES + 3 * k + j] * now[FROM + VELOCITY + j];
        }
        variant_check(v, "velocity along other axes", now[ALONG + k], sum, 1e-12);
        /* axes turn with the angular velocity */
        cross(turned, now + AXES_SPIN, now + AXES + 3 * k);
        for (int j = 0; j < 3; j++) {
            variant_check(v, "an axis turns", rate[AXES + 3 * k + j], turned[j], tolerance);
        }
    }
    /* q' = (0, w) q / 2, and the angles by it */
    const double *q = now + QUATERNION, *w = now + SPIN_FROM;
    cross(turned, w, q + 1);
    variant_check(v, "quaternion", rate[QUATERNION],
                  -0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]), tolerance);
    for (int k = 0; k < 3; k++) {
        variant_check(v, "quaternion", rate[QUATERNION + 1 + k], 0.5 * (q[0] * w[k] + turned[k]),
                      tolerance);
    }
    const double p = now[RPY + 1], yaw = now[RPY + 2], *d = rate + RPY;
    variant_check(v, "rpy", d[0] * cos(p) * cos(yaw) - d[1] * sin(yaw), w[0], 10 * tolerance);
    variant_check(v, "rpy", d[0] * cos(p) * sin(yaw) + d[1] * cos(yaw), w[1], 10 * tolerance);
    variant_check(v, "rpy", d[2] - d[0] * sin(p), w[2], 10 * tolerance);
    detent_simulation_destroy(s);
}

static void rates_are_those_of_a_tree(void **state)
{
    char text[8192];
    UNUSED(state);
    snprintf(text, sizeof text, "%s%s", tree, seen);
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        check_rates(m, variant_at(k), 0.3, 4e-3, 1e-7);
        check_rates(m, variant_at(k), 1.1, 4e-3, 1e-7);
    }
    detent_mechanism_destroy(m);
}

static const char on_bars[] =
    "points:\n"
    "  of: {body: rod, at: {point: [0.3, 0.2, -0.2], rotation: {rpy: [20 deg, 30 deg, 40 deg]}}}\n"
    "  from: {body: rocker, at: {point: [-0.4, 0.1, 0.2], rotation: {axis: [1, 1, 2], angle: 1}}}\n"
    "  along: {body: crank, at: {rotation: {axis: [1, 0, 1], angle: 2}}}\n";

static void rates_are_those_of_a_loop(void **state)
{
    char text[8192], more[6000];
    UNUSED(state);
    snprintf(more, sizeof more, "%s%s", on_bars, seen);
    for (int cut = 0; cut < 3; cut++) {
        support_write_four_bar(text, sizeof text, cut, -9.81, 0.7, 3, more);
        detent_mechanism *m = runs_parse(text, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            check_rates(m, variant_at(k), 0.4, 2e-3, 1e-7);
        }
        detent_mechanism_destroy(m);
    }
}

/* A file of ours with points on three of its bodies and these outputs instead of its own. */
static detent_mechanism *look_at(const char *file, const char *of, const char *from,
                                 const char *along, const char *const set[])
{
    char path[512];
    snprintf(path, sizeof path, "%s/mechanisms/%s", DETENT_SOURCE_DIR, file);
    char *text = calloc(1, 20000);
    FILE *in = fopen(path, "r");
    assert_true(text && in);
    assert_true(fread(text, 1, 12000, in) > 0);
    fclose(in);
    char *end = strstr(text, "\noutputs:");
    assert_non_null(end);
    snprintf(
        end, 8000,
        "\npoints:\n"
        "  of: {body: \"%s\", at: {point: [0.3, 0.2, -0.2], rotation: {rpy: [0.2, 0.3, 1]}}}\n"
        "  from: {body: \"%s\", at: {point: [-0.4, 0, 0.2], rotation: {axis: [1, 1, 2], angle: "
        "1}}}\n"
        "  along: {body: \"%s\", at: {rotation: {axis: [1, 0, 1], angle: 2}}}\n%s",
        of, from, along, seen);
    detent_mechanism *m = runs_parse(text, set);
    free(text);
    return m;
}

/* A platform in space; a lift whose loops are solved one by one (tree) or together (dense). */
static void rates_are_those_of_many_loops(void **state)
{
    static const char *const stages[] = {"N=8", NULL};
    static const struct {
        const char *file, *of, *from, *along;
        const char *const *set;
        double time, h;
    } all[] = {
        {"stewart_platform.yaml", "plate", "up[2]", "low[3]", NULL, 0.2, 2e-3},
        {"scissor_lift.yaml", "up[7]", "down[3]", "down[4]", stages, 0.2, 4e-3},
    };
    UNUSED(state);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        detent_mechanism *m =
            look_at(all[i].file, all[i].of, all[i].from, all[i].along, all[i].set);
        for (int k = 0; k < 2; k++) {
            const variant v = {.linear_solver =
                                   k ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE};
            check_rates(m, v, all[i].time, all[i].h, 1e-6);
        }
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_turns),
        cmocka_unit_test(coriolis_is_seen),
        cmocka_unit_test(turns_are_told),
        cmocka_unit_test(rates_are_those_of_a_tree),
        cmocka_unit_test(rates_are_those_of_a_loop),
        cmocka_unit_test(rates_are_those_of_many_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
