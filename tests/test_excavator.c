/*
 * mechanisms/excavator.yaml in all variants. The lengths of its three cylinders decide where all bodies are, by the cosine law and
 * circles that intersect; what cylinders have to push follows from that by virtual work, at rest, and by d'Alembert's principle in motion.
 */
#include "support_changes.h"
#include "support_variants.h"

/* ---- what the file says ---- */

static const long double gravity = 9.81L, rocker = 0.6L, linkage = 0.55L;
static const double stuck[3] = {10e3, 6e3, 4e3}, sliding[3] = {7e3, 4e3, 3e3}, end = 6;
static const char *const cylinders[3] = {"boom_cylinder", "stick_cylinder", "bucket_cylinder"};

/** Force of the oil. */
static double oil(int cylinder, double t, double length)
{
    static const double rest[3] = {180e3, -25e3, 5e3}, stiffness[3] = {20e6, 10e6, 10e6},
                        start[3] = {2.6, 3.3, 2.1}, speed[3] = {0.15, 0.12, -0.1},
                        begin[3] = {1, 2, 2.5};
    const double moved = speed[cylinder] * fmin(fmax(t - begin[cylinder], 0), 2);
    return rest[cylinder] + stiffness[cylinder] * (start[cylinder] + moved - length);
}

static double damping(int cylinder)
{
    static const double c[3] = {1e6, 5e5, 3e5};
    return c[cylinder];
}

/* ---- where everything is ---- */

typedef struct point {
    long double x, y;
} point;

static point plus(point p, point q)
{
    return (point){p.x + q.x, p.y + q.y};
}
static point minus(point p, point q)
{
    return (point){p.x - q.x, p.y - q.y};
}
static point turned(long double angle, point p)
{
    return (point){cosl(angle) * p.x - sinl(angle) * p.y, sinl(angle) * p.x + cosl(angle) * p.y};
}
static long double angle_of(point p)
{
    return atan2l(p.y, p.x);
}
static long double length_of(point p)
{
    return hypotl(p.x, p.y);
}
/** Between sides p and q of a triangle whose third side is r. */
static long double corner(long double p, long double q, long double r)
{
    return acosl((p * p + q * q - r * r) / (2 * p * q));
}

enum { BODIES = 11 };

/** Mass and moment of inertia of each body: boom, stick, bucket, rocker, link, three barrels, three rods. */
static const double mass[BODIES] = {1500, 700, 900, 60, 50, 120, 120, 120, 70, 70, 70};
static const double inertia[BODIES] = {4000, 700, 250, 2, 1.5, 20, 20, 20, 10, 10, 10};

typedef struct arm {
    long double turn[3];       /**< of boom, stick and bucket, each against the one before */
    point centre[BODIES];      /**< in the world */
    long double angle[BODIES]; /**< likewise */
    point teeth;
} arm;

static void set(arm *x, int body, point origin, long double angle, point centre)
{
    x->angle[body] = angle;
    x->centre[body] = plus(origin, turned(angle, centre));
}

/** A barrel from its pin, a rod to its own. */
static void set_cylinder(arm *x, int cylinder, point from, point to)
{
    const long double angle = angle_of(minus(to, from));
    set(x, 5 + cylinder, from, angle, (point){0.7L, 0});
    set(x, 8 + cylinder, to, angle, (point){-0.6L, 0});
}

static arm arm_at(const long double length[3])
{
    static const point boom_foot = {0.6L, -0.5L}, boom_end = {2.5L, 0.4L}, elbow = {5.7L, 0},
                       stick_foot = {2.7L, 0.9L}, stick_end = {-0.8L, 0.25L}, wrist = {2.9L, 0},
                       bucket_foot = {0.5L, 0.55L}, pivot = {2.5L, 0}, ear = {-0.08L, 0.44L};
    const point ground = {0, 0};
    arm x;
    const point back = minus(stick_foot, elbow), up = minus(bucket_foot, pivot);
    /* the boom above its cylinder, stick and rocker below theirs */
    x.turn[0] = angle_of(boom_foot) - angle_of(boom_end) +
                corner(length_of(boom_foot), length_of(boom_end), length[0]);
    x.turn[1] = angle_of(back) - angle_of(stick_end) -
                corner(length_of(back), length_of(stick_end), length[1]);
    const long double swing = angle_of(up) - corner(length_of(up), rocker, length[2]);
    /* in the frame of the stick: the end of the rocker, and the ear of the bucket beyond */
    const point tip = plus(pivot, turned(swing, (point){rocker, 0})), rest = minus(wrist, tip);
    const long double aslant = angle_of(rest) + corner(length_of(rest), linkage, length_of(ear));
    const point pin = plus(tip, turned(aslant, (point){linkage, 0}));
    x.turn[2] = angle_of(minus(pin, wrist)) - angle_of(ear);

    const long double first = x.turn[0], second = first + x.turn[1], third = second + x.turn[2];
    const point shoulder = turned(first, elbow), hand = plus(shoulder, turned(second, wrist));
    const point hinge = plus(shoulder, turned(second, pivot));
    const point top = plus(shoulder, turned(second, tip));
    set(&x, 0, ground, first, (point){2.6L, 0.35L});
    set(&x, 1, shoulder, second, (point){1.1L, 0.12L});
    set(&x, 2, hand, third, (point){0.7L, -0.3L});
    set(&x, 3, hinge, second + swing, (point){rocker / 2, 0});
    set(&x, 4, top, second + aslant, (point){linkage / 2, 0});
    set_cylinder(&x, 0, boom_foot, turned(first, boom_end));
    set_cylinder(&x, 1, turned(first, stick_foot), plus(shoulder, turned(second, stick_end)));
    set_cylinder(&x, 2, plus(shoulder, turned(second, bucket_foot)), top);
    x.teeth = plus(hand, turned(third, (point){1.4L, 0}));
    return x;
}

static long double potential(const long double length[3])
{
    const arm x = arm_at(length);
    long double sum = 0;
    for (int b = 0; b < BODIES; b++) {
        sum += mass[b] * gravity * x.centre[b].y;
    }
    return sum;
}

/* ---- forces ---- */

static long double over(long double number, long double divisor)
{
    /* Of angles; places are within 3 m of a change. */
    return remainderl(number, 2 * acosl(-1)) / divisor;
}

/** By virtual work: the sum of m (a + g) times how the bodies move with one cylinder is what this one pushes. */
static void needed(const double at[3], const double speed[3], const double rate[3], double force[3])
{
    const long double h = 1e-3L;
    arm along[5]; /* at instants h apart, on a parabola */
    for (int k = 0; k < 5; k++) {
        long double length[3];
        const long double s = (k - 2) * h;
        for (int c = 0; c < 3; c++) {
            length[c] = at[c] + s * speed[c] + s * s / 2 * rate[c];
        }
        along[k] = arm_at(length);
    }
    for (int c = 0; c < 3; c++) {
        arm near[4];
        long double sum = 0;
        for (int k = 0; k < 4; k++) {
            static const int steps[4] = {-2, -1, 1, 2};
            long double length[3] = {at[0], at[1], at[2]};
            length[c] += steps[k] * h;
            near[k] = arm_at(length);
        }
#define FIRST(part) \
    ((8 * over(near[2].part - near[1].part, 1) - over(near[3].part - near[0].part, 1)) / (12 * h))
#define SECOND(part)                                                                           \
    ((16 * (over(along[3].part - along[2].part, 1) - over(along[2].part - along[1].part, 1)) - \
      (over(along[4].part - along[2].part, 1) - over(along[2].part - along[0].part, 1))) /     \
     (12 * h * h))
        for (int b = 0; b < BODIES; b++) {
            sum += mass[b] * (FIRST(centre[b].x) * SECOND(centre[b].x) +
                              FIRST(centre[b].y) * (SECOND(centre[b].y) + gravity)) +
                   inertia[b] * FIRST(angle[b]) * SECOND(angle[b]);
        }
#undef FIRST
#undef SECOND
        force[c] = (double)sum;
    }
}

/* ---- runs ---- */

static double accelerating(const detent_mechanism *m, detent_simulation *sim, const char *name)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    double a[64];
    detent_mechanism_get_info(m, &info);
    assert_in_range(info.freedoms, 1, 64);
    runs_must(detent_read(sim, DETENT_ACCELERATIONS, a, info.freedoms, &error), &error);
    runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, name), &p), &error);
    return a[p.first_freedom];
}

/** Cylinders and joints: where they are by formulas; forces of oil and seals as they have to be. */
static void check(variant v, const detent_mechanism *m, detent_simulation *sim)
{
    static const char *const forces[3] = {"boom_force", "stick_force", "bucket_force"};
    static const char *const joints[3] = {"boom", "stick", "bucket"};
    double at[3], speed[3], rate[3], force[3], friction[3];
    long double length[3];
    detent_error error;
    runs_must(detent_read(sim, DETENT_FRICTIONS, friction, 3, &error), &error);
    for (int c = 0; c < 3; c++) {
        length[c] = at[c] = runs_position(m, sim, cylinders[c]);
        speed[c] = runs_velocity(m, sim, cylinders[c]);
        rate[c] = accelerating(m, sim, cylinders[c]);
    }
    const arm x = arm_at(length);
    needed(at, speed, rate, force);
    for (int c = 0; c < 3; c++) {
        const double push = oil(c, detent_time(sim), at[c]) - damping(c) * speed[c];
        const ptrdiff_t stiction = detent_find(m, DETENT_STICTION, cylinders[c]);
        int direction;
        assert_true(stiction >= 0);
        variant_check(v, joints[c], runs_position(m, sim, joints[c]), (double)x.turn[c], 1e-12);
        variant_check(v, forces[c], runs_output(m, sim, forces[c]), force[c], 1e-3);
        if (detent_get_mode(sim, (size_t)stiction, &direction) == DETENT_LOCKED) {
            assert_true(speed[c] == 0 && rate[c] == 0);
            assert_true(fabs(force[c] - push) <= stuck[c] * (1 + 1e-9));
            variant_check(v, "held", friction[stiction], force[c] - push, 1e-3);
        } else {
            variant_check(v, "slides", friction[stiction], -direction * sliding[c], 0);
            variant_check(v, "pushes", push - direction * sliding[c], force[c], 1e-3);
        }
    }
    variant_check(v, "teeth", runs_output(m, sim, "teeth_x"), (double)x.teeth.x, 1e-11);
    variant_check(v, "teeth", runs_output(m, sim, "teeth_y"), (double)x.teeth.y, 1e-11);
}

/** Until 1 s, and at the end. */
static void check_rest(variant v, const detent_mechanism *m, detent_simulation *sim,
                       const double first[], size_t freedoms)
{
    double now[64];
    detent_error error;
    runs_must(detent_read(sim, DETENT_VELOCITIES, now, freedoms, &error), &error);
    for (size_t k = 0; k < freedoms; k++) {
        variant_check(v, "velocity", now[k], 0, 0);
    }
    runs_must(detent_read(sim, DETENT_POSITIONS, now, freedoms, &error), &error);
    assert_memory_equal(now, first, freedoms * sizeof *now);
    for (int c = 0; c < 3; c++) {
        assert_int_equal(runs_mode(m, sim, cylinders[c]), DETENT_LOCKED);
    }
    check(v, m, sim);
}

static void rests_moves_and_rests(void **state)
{
    const double start[3] = {2.6, 3.3, 2.1}, nothing[3] = {0};
    const long double begin[3] = {2.6, 3.3, 2.1};
    double force[3];
    needed(start, nothing, nothing, force);
    const double breaks = 1 + (force[0] + stuck[0] - oil(0, 0, start[0])) / (20e6 * 0.15);
    (void)state;
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const variant v = variant_at(n);
        detent_mechanism *m = runs_load("excavator.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
        detent_statistics s = DETENT_INIT(detent_statistics);
        detent_error error;
        double first[64];
        detent_mechanism_get_info(m, &info);
        assert_int_equal(info.freedoms, info.coordinates);
        assert_in_range(info.freedoms, 1, 64);
        runs_must(detent_read(sim, DETENT_POSITIONS, first, info.coordinates, &error), &error);
        for (int c = 0; c < 3; c++) {
            variant_check(v, cylinders[c], runs_position(m, sim, cylinders[c]), start[c], 0);
        }
        for (int part = 0; part <= 10; part++) {
            variant_advance(sim, v, part == 10 ? breaks - 1e-7 : 0.1 * part);
            check_rest(v, m, sim, first, info.freedoms);
        }
        size_t changes;
        detent_status status;
        while ((status = detent_advance(sim, end, true, &error)) == DETENT_EVENT &&
               (last_event(sim, &changes), changes == 0)) {
        }
        assert_int_equal(status, DETENT_EVENT);
        variant_check(v, "breaks", last_event(sim, NULL)->time, breaks, 1e-9);
        assert_int_equal(runs_mode(m, sim, cylinders[0]), DETENT_WAIT);
        for (int row = 21; row <= 100; row++) {
            variant_advance(sim, v, 0.05 * row);
            check(v, m, sim);
        }
        runs_must(detent_read(sim, DETENT_POSITIONS, first, info.coordinates, &error), &error);
        variant_advance(sim, v, end);
        check_rest(v, m, sim, first, info.freedoms);
        long double length[3];
        for (int c = 0; c < 3; c++) {
            length[c] = runs_position(m, sim, cylinders[c]);
        }
        detent_get_statistics(sim, &s);
        variant_check(v, "lifted", s.potential_energy - s.initial_energy,
                      (double)(potential(length) - potential(begin)), 1e-7);
        variant_check(v, "energy", runs_relative_energy_gap(sim), 0, 1e-8);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rests_moves_and_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
