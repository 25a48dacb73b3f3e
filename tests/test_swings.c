/* Laws that switch with a position: the state swings across the border, less and less, and in the end rests on it. Exact
 * solutions, from border to border. */
#include "support_variants.h"

#define HEAD                                                                                     \
    "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1 kg}}\njoints:\n  a: {type: prismatic, " \
    "base: ground, "                                                                             \
    "follower: a, axis: [1, 0, 0], initial: {position: 0.1 m}"

static const double far = 0.1; /* m, where it starts */

/** What is told of a position (sliding_swings.c): rtol, 1e-6, of the nominal one. */
static double told(const detent_simulation *s)
{
    detent_scale scale = DETENT_INIT(detent_scale);
    detent_error error;
    runs_must(detent_get_scale(s, 0, &scale, &error), &error);
    return 1e-6 * scale.position;
}

static void in_every_variant(const char *text, double end, size_t most_events,
                             void (*check)(const detent_mechanism *, detent_simulation *))
{
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_simulation *s = variant_start(m, variant_at(k));
        variant_advance(s, variant_at(k), end);
        check(m, s);
        detent_get_statistics(s, &statistics);
        assert_true(statistics.events <= most_events);
        assert_true(statistics.steps <= 40 * most_events);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* ---- damping: less and less, without end ---- */

#define DAMPED HEAD ", damping: 0.5 N*s/m, force: -sign(position(a))}\n"
static const char damped[] = DAMPED "simulation: {end: 80, rtol: 1e-6}\n";
static const char exactly[] = DAMPED "simulation: {end: 6, rtol: 1e-9}\n";

/** x'' = -s - x'/2 from border to border until t; v = (v0 + 2 s) exp(-t/2) - 2 s. */
static void swing(double t, double *x, double *v)
{
    double now = 0, side = 1;
    *x = far;
    *v = 0;
    for (;;) {
        double low = 0, high = t - now;
        const double x0 = *x, c = *v + 2 * side;
        /* the border is behind the turning point, beyond which the way is monotone */
        low = side * *v > 0 ? 2 * log(c / (2 * side)) : 0;
        const double end = x0 + 2 * c * (1 - exp(-high / 2)) - 2 * side * high;
        if (high <= low || side * end > 0) {
            *x = end;
            *v = c * exp(-high / 2) - 2 * side;
            return;
        }
        for (int round = 0; round < 100; round++) {
            const double middle = 0.5 * (low + high);
            *(side * (x0 + 2 * c * (1 - exp(-middle / 2)) - 2 * side * middle) > 0 ? &low : &high) =
                middle;
        }
        now += high;
        *v = c * exp(-high / 2) - 2 * side;
        *x = 0;
        side = -side;
    }
}

static void check_swings(const detent_mechanism *m, detent_simulation *s)
{
    double x, v;
    swing(6, &x, &v);
    assert_true(fabs(v) > 1e-3);
    runs_near("position", runs_position(m, s, "a"), x, 1e-8 * far);
    runs_near("velocity", runs_velocity(m, s, "a"), v, 1e-7 * far);
}

static void check_rest(const detent_mechanism *m, detent_simulation *s)
{
    runs_near("position", runs_position(m, s, "a"), 0, told(s));
    runs_near("velocity", runs_velocity(m, s, "a"), 0, 1e-9);
    runs_near("energy", runs_energy_gap(s), 0, 1e-5 * far); /* of 1 N times 0.1 m */
}

static void swings_with_damping_come_to_rest(void **state)
{
    UNUSED(state);
    in_every_variant(exactly, 6, 8000, check_swings);
    in_every_variant(damped, 80, 8000, check_rest);
}

/* ---- stiction: in a finite time ---- */

static const char sticky[] = HEAD "}\nstiction:\n  a: {kinetic: 0.2 N, static: 0.24 N, external: "
                                  "\"-sign(position(a)) + 0.1*max(0, t - 10)\"}\n"
                                  "simulation: {end: 24, rtol: 1e-6}\n";

/** Of the speed of a swing to that of the one before: back with 0.8 N, having been stopped by 1.2 N. */
static const double ratio = 0.81649658092772603;

/** The sum of the times of all swings. */
static double rest_begins(void)
{
    return sqrt(2 * far / 0.8) + sqrt(2 * far * 0.8) * (1 / 1.2 + ratio / 0.8) / (1 - ratio);
}

static void swings_against_stiction_lock(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(sticky, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        runs_log log = {0};
        runs_record(s, 24, &log);
        double locked = NAN, released = NAN;
        for (size_t n = 0; n < log.count; n++) {
            locked = log.change[n].to == DETENT_LOCKED ? log.change[n].time : locked;
            released = log.change[n].from == DETENT_LOCKED ? log.change[n].time : released;
        }
        /* what the swings take that are not told any more, the first of them of that size */
        runs_near(variant_name(v), locked, rest_begins(),
                  sqrt(2 * 1.2 * told(s)) * (1 / 1.2 + ratio / 0.8) / (1 - ratio));
        /* both hold until the load is more than the two: 1 N and 0.24 N */
        runs_near(variant_name(v), released, 22.4, 1e-7);
        const double t = 24 - 22.4;
        runs_near(variant_name(v), runs_position(m, s, "a"), 0.04 * t * t / 2 + 0.1 * t * t * t / 6,
                  2 * told(s));
        runs_log_free(&log);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/* ---- a border that moves, and one between two joints ---- */

static const char moving[] =
    HEAD ", damping: 1 N*s/m, force: \"if(position(a) < 0.1*sin(t/4), 2, -2)\"}\n"
         "outputs: [force(a)]\n"
         "simulation: {end: 40, rtol: 1e-6}\n";

static void check_moving(const detent_mechanism *m, detent_simulation *s)
{
    const double x = 0.1 * sin(10), v = 0.025 * cos(10), a = -0.00625 * sin(10);
    runs_near("position", runs_position(m, s, "a"), x, told(s));
    runs_near("velocity", runs_velocity(m, s, "a"), v, 1e-6 * far);
    runs_near("force", runs_output(m, s, "force(a)"), a, 1e-4);
}

static void a_moving_border_is_followed(void **state)
{
    UNUSED(state);
    in_every_variant(moving, 40, 20000, check_moving);
}

static const char two_joints[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1], center_of_mass: [0.5, 0, 0]}\n"
    "  b: {mass: 1, inertia: [0.1, 0.1, 0.1], center_of_mass: [0.3, 0, 0]}\n"
    "joints:\n"
    "  j: {type: revolute, base: ground, follower: a, initial: {position: 0.1}, damping: 2,\n"
    "      spring: {stiffness: 3, rest: 0.2}}\n"
    "  k: {type: revolute, base: a, follower: b, initial: {position: -0.3}, at: {base: [1, 0, 0]}, "
    "damping: 3,\n"
    "      force: \"-3*sign(position(j) + position(k))\"}\n"
    "simulation: {end: 60, rtol: 1e-6}\n";

/** The second link keeps its direction; the spring alone is left. */
static void check_two(const detent_mechanism *m, detent_simulation *s)
{
    const double j = runs_position(m, s, "j");
    runs_near("direction of the second link", j + runs_position(m, s, "k"), 0, 1e-6);
    assert_true(j > 0.1 && j < 0.3);
}

static void a_border_between_two_joints_holds(void **state)
{
    UNUSED(state);
    in_every_variant(two_joints, 60, 20000, check_two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swings_with_damping_come_to_rest),
        cmocka_unit_test(swings_against_stiction_lock),
        cmocka_unit_test(a_moving_border_is_followed),
        cmocka_unit_test(a_border_between_two_joints_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
