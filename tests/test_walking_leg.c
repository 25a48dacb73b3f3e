/*
 * mechanisms/walking_leg.yaml in all variants, against the kinematics of circles that intersect, with exact first and second
 * derivatives by the angle of the crank; and its torque, against the power of all bodies, frictions and the ground.
 */
#include "detent/analysis.h"
#include "support_variants.h"

/* ---- what the file says ---- */

static const double a = 0.38, b = 0.415, c = 0.393, d = 0.401, e = 0.558, f = 0.394, g = 0.367,
                    h = 0.657, i = 0.49, j = 0.5, k = 0.619, l = 0.078, m = 0.15;
static const double a_metre = 1.5, hip_inertia = 0.1, shin_inertia = 0.12, gravity = 9.81;
static const double speed = 2, weight = 200, friction = 0.4, end = 4;

/* ---- numbers with derivatives by the angle of the crank ---- */

typedef struct jet {
    double x, d, dd;
} jet;
typedef struct point {
    jet x, y;
} point;

static jet plus(jet u, double by, jet v)
{
    return (jet){u.x + by * v.x, u.d + by * v.d, u.dd + by * v.dd};
}
static jet times(jet u, jet v)
{
    return (jet){u.x * v.x, u.d * v.x + u.x * v.d, u.dd * v.x + 2 * u.d * v.d + u.x * v.dd};
}
static jet scaled(double by, jet u)
{
    return plus((jet){0, 0, 0}, by, u);
}
static jet squared_less(double r, jet u) /* r^2 - u^2 */
{
    return plus((jet){r * r, 0, 0}, -1, times(u, u));
}
static jet root(jet u)
{
    const double r = sqrt(u.x), first = u.d / (2 * r);
    return (jet){r, first, (u.dd / 2 - first * first) / r};
}
static jet inverse(jet u)
{
    const double r = 1 / u.x, first = -u.d * r * r;
    return (jet){r, first, -u.dd * r * r - 2 * first * u.d * r};
}

static point moved(point from, double by, point along)
{
    return (point){plus(from.x, by, along.x), plus(from.y, by, along.y)};
}
static point turned(point u) /* by a right angle */
{
    return (point){scaled(-1, u.y), u.x};
}
static jet dot(point u, point v)
{
    return plus(times(u.x, v.x), 1, times(u.y, v.y));
}
static point direction(point from, point to)
{
    const point u = moved(to, -1, from);
    const jet r = inverse(root(dot(u, u)));
    return (point){times(u.x, r), times(u.y, r)};
}

/** Where circles about P and Q intersect, on the left of the way from P to Q, or (side -1) on its right. */
static point meet(point P, double p, point Q, double q, int side)
{
    const point u = moved(Q, -1, P), n = direction(P, Q);
    const jet distance = root(dot(u, u));
    const jet along = scaled(0.5, plus(distance, p * p - q * q, inverse(distance)));
    const jet across = scaled(side, root(squared_less(p, along)));
    const point s = turned(n);
    return (point){plus(plus(P.x, 1, times(along, n.x)), 1, times(across, s.x)),
                   plus(plus(P.y, 1, times(along, n.y)), 1, times(across, s.y))};
}

/** How fast a direction turns, and its rate. */
static void turning(point u, double rate[2])
{
    rate[0] = u.x.x * u.y.d - u.y.x * u.x.d;
    rate[1] = u.x.x * u.y.dd - u.y.x * u.x.dd;
}

/* ---- the leg ---- */

enum { CRANK, BAR_J, BAR_K, BAR_C, BAR_F, HIP, SHIN, GROUND, BODIES };

static const struct {
    const char *name;
    int base, follower;
} pins[9] = {{"B_hip", GROUND, HIP}, {"B_c", GROUND, BAR_C},  {"A_j", CRANK, BAR_J},
             {"A_k", CRANK, BAR_K},  {"D_shin", BAR_C, SHIN}, {"E", HIP, BAR_F},
             {"C", HIP, BAR_J},      {"D_k", BAR_C, BAR_K},   {"F", SHIN, BAR_F}};

typedef struct leg {
    point foot;
    double turn[BODIES][2]; /**< rate of each body and its rate, by the angle of the crank */
    double inertia[2];      /**< twice the kinetic energy at 1 rad/s, and its rate */
    double height;          /**< rate of the potential energy */
} leg;

static void add_body(leg *x, double mass, double inertia, point centre, const double turn[2])
{
    const point p = centre;
    x->inertia[0] += mass * (p.x.d * p.x.d + p.y.d * p.y.d) + inertia * turn[0] * turn[0];
    x->inertia[1] += 2 * mass * (p.x.d * p.x.dd + p.y.d * p.y.dd) + 2 * inertia * turn[0] * turn[1];
    x->height += mass * gravity * p.y.d;
}

static void add_bar(leg *x, int body, point from, point to, double length)
{
    const point middle = moved(moved(from, -0.5, from), 0.5, to);
    turning(direction(from, to), x->turn[body]);
    add_body(x, a_metre * length, a_metre * length * length * length / 12, middle, x->turn[body]);
}

static void add_triangle(leg *x, int body, point p, point q, point r, double bars, double inertia)
{
    const point nothing = moved(p, -1, p);
    const point middle = moved(moved(moved(nothing, 1.0 / 3, p), 1.0 / 3, q), 1.0 / 3, r);
    turning(direction(p, q), x->turn[body]);
    add_body(x, a_metre * bars, inertia, middle, x->turn[body]);
}

static leg leg_at(double angle)
{
    leg x = {0};
    const double co = cos(angle), si = sin(angle);
    const point O = {{0, 0, 0}, {0, 0, 0}}, B = {{-a, 0, 0}, {-l, 0, 0}};
    const point A = {{m * co, -m * si, -m * co}, {m * si, m * co, -m * si}};
    const point C = meet(A, j, B, b, -1), D = meet(A, k, B, c, 1), E = meet(B, d, C, e, 1);
    const point F = meet(E, f, D, g, -1), G = meet(D, i, F, h, 1);
    add_bar(&x, CRANK, O, A, m);
    add_bar(&x, BAR_J, A, C, j);
    add_bar(&x, BAR_K, A, D, k);
    add_bar(&x, BAR_C, B, D, c);
    add_bar(&x, BAR_F, E, F, f);
    add_triangle(&x, HIP, B, C, E, b + d + e, hip_inertia);
    add_triangle(&x, SHIN, D, F, G, g + h + i, shin_inertia);
    x.foot = G;
    return x;
}

static double rate_of(const leg *x, int pin)
{
    return x->turn[pins[pin].follower][0] - x->turn[pins[pin].base][0];
}

/** What it takes to turn the crank steadily: power over speed. */
static double torque_at(double t)
{
    const leg x = leg_at(speed * t);
    double torque = x.inertia[1] / 2 * speed * speed + x.height;
    for (int p = 0; p < 9; p++) {
        torque += friction * fabs(rate_of(&x, p));
    }
    return torque - (cos(speed * t) > 0.5 ? weight * x.foot.y.d : 0);
}

/** How often pins turn round until the end. */
static int count_turns(void)
{
    enum { STEPS = 40000 };
    int count = 0;
    leg before = leg_at(0);
    for (int n = 1; n <= STEPS; n++) {
        const leg now = leg_at(speed * end * n / STEPS);
        for (int p = 0; p < 9; p++) {
            count += (rate_of(&before, p) > 0) != (rate_of(&now, p) > 0);
        }
        before = now;
    }
    return count;
}

/* ---- runs ---- */

static void walks(void **state)
{
    (void)state;
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const variant v = variant_at(n);
        detent_mechanism *file = runs_load("walking_leg.yaml", NULL);
        detent_simulation *sim = variant_start(file, v);
        for (int row = 0; row <= 400; row++) {
            const double t = 0.01 * row;
            variant_advance(sim, v, t);
            const leg x = leg_at(speed * t);
            variant_check(v, "x", runs_output(file, sim, "foot_x"), x.foot.x.x, 1e-12);
            variant_check(v, "y", runs_output(file, sim, "foot_y"), x.foot.y.x, 1e-12);
            variant_check(v, "torque", runs_output(file, sim, "torque"), torque_at(t), 1e-10);
            for (int p = 0; p < 9; p++) {
                variant_check(v, pins[p].name, runs_velocity(file, sim, pins[p].name),
                              speed * rate_of(&x, p), 1e-11);
            }
        }
        variant_check(v, "energy", runs_relative_energy_gap(sim), 0, 1e-8);
        runs_end(sim, file);
    }
}

/** Nothing locks: pins that come to rest go on the other way, each time that the formulas have them turn. */
static void pins_turn_round(void **state)
{
    const int turns = count_turns();
    (void)state;
    assert_in_range(turns, 10, 40);
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const variant v = variant_at(n);
        detent_mechanism *file = runs_load("walking_leg.yaml", NULL);
        detent_simulation *sim = variant_start(file, v);
        runs_log log = {0};
        int count = 0;
        runs_record(sim, end, &log);
        for (size_t q = 0; q < log.count; q++) {
            const detent_mode_change *x = &log.change[q];
            assert_int_not_equal(x->to, DETENT_LOCKED);
            count += x->cause != DETENT_CAUSE_INITIAL && x->from_direction != x->to_direction;
        }
        variant_check(v, "turns", count, turns, 0);
        runs_log_free(&log);
        runs_end(sim, file);
    }
}

/** Without a run: the path of the foot, and the torque by inverse dynamics. */
static void analyses(void **state)
{
    enum { MOST = 16 };
    detent_mechanism *file = runs_load("walking_leg.yaml", NULL);
    detent_analysis *analysis;
    detent_error error;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    (void)state;
    detent_mechanism_get_info(file, &info);
    assert_in_range(info.freedoms, 1, MOST);
    runs_must(detent_analysis_create(file, NULL, &analysis, &error), &error);
    const size_t foot_x = (size_t)detent_find(file, DETENT_OUTPUT, "foot_x");
    detent_primitive_info crank = DETENT_INIT(detent_primitive_info);
    runs_must(
        detent_get_primitive(file, (size_t)detent_find(file, DETENT_PRIMITIVE, "crank"), &crank),
        &error);
    for (int row = 0; row < 100; row++) {
        const double t = 0.0317 * row;
        const bool driven[MOST] = {false};
        double acceleration[MOST], low[MOST], high[MOST], x[2];
        runs_must(detent_kinematics(analysis, t, NULL, NULL, NULL, acceleration, &error), &error);
        for (size_t o = 0; o < 2; o++) {
            runs_must(detent_kinematics_output(analysis, foot_x + o, &x[o], &error), &error);
        }
        runs_must(detent_inverse(analysis, acceleration, driven, low, high, &error), &error);
        const leg exact = leg_at(speed * t);
        runs_near("x", x[0], exact.foot.x.x, 1e-12);
        runs_near("y", x[1], exact.foot.y.x, 1e-12);
        runs_near("torque", low[crank.first_freedom], torque_at(t), 1e-10);
    }
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks),
        cmocka_unit_test(pins_turn_round),
        cmocka_unit_test(analyses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
