/*
 * Friction of meshes whose joints are all on the way round loops, in all variants: it follows the coupling's multiplier. A
 * parallelogram moves as one crank does that carries its coupler's mass as a point at its pin; so two parallelograms that
 * are geared have to do what two geared cranks do, whose mesh is told from the force along them. Formulas of what holds, meshes side by side,
 * and rods beside links of their length.
 */
#include "support_variants.h"

typedef struct pair {
    double start, velocity, ratio; /* of the first crank; of the gear */
    double first, second;          /* inertia of the cranks about their pins, kg m^2 */
    double load;                   /* the mass at the second pin, kg */
    double gravity;
    const char *friction; /* of the mesh */
    const char *force;    /* along the first crank */
    const char *stiction; /* more than that of the mesh; NULL: none */
    const char *more;     /* couplings */
    const char *outputs;  /* behind those of the first crank and the mesh */
    int cut; /* of the loops: 0 where they are cut anyway, 1 at the pin of the first crank */
} pair;

enum { OUTPUTS = 5 };
static const char outputs[] =
    "position(a1), velocity(a1), acceleration(a1), friction(a1), coupling_force(mesh)";

/** Parallelogram n, or the crank that moves as it does. */
static void say_parallelogram(runs_text *bodies, runs_text *joints, const pair *of, int n,
                              bool loop)
{
    const double r = n == 1 ? 0.2 : 0.4, I = n == 1 ? of->first : of->second,
                 mass = n == 1 ? 0.5 : of->load, turn = n == 1 ? of->start : 0.5,
                 rate = n == 1 ? of->velocity : of->velocity / of->ratio;
    char force[128] = "";
    if (n == 1 && of->force) {
        snprintf(force, sizeof force, "force: \"%s\", ", of->force);
    }
    if (!loop) {
        runs_say(bodies,
                 "  a%d: {mass: %.17g, center_of_mass: [%g, 0, 0], inertia: [1, 1, %.17g]}\n", n,
                 mass, r, 2 * I);
        runs_say(joints,
                 "  a%d: {type: revolute, base: ground, follower: a%d, %sinitial: "
                 "{position: %.17g, velocity: %.17g}}\n",
                 n, n, force, turn, rate);
        return;
    }
    for (const char *crank = "ab"; *crank; crank++) {
        runs_say(bodies, "  %c%d: {mass: 1, inertia: [1, 1, %.17g]}\n", *crank, n, I);
    }
    runs_say(bodies, "  c%d: {mass: %.17g, center_of_mass: [0.7, 0, 0], inertia: [1, 1, 0.2]}\n", n,
             mass);
    runs_say(joints,
             "  a%d: {type: revolute, base: ground, follower: a%d, at: {base: [%d, 0, 0]}, "
             "%sinitial: {position: %.17g, velocity: %.17g, priority: exact}}\n"
             "  b%d: {type: revolute, base: ground, follower: b%d, at: {base: [%d, 0, 0]}, "
             "initial: {position: %.17g}}\n"
             "  p%d: {type: revolute, base: a%d, follower: c%d, at: {base: [%g, 0, 0]}, initial: "
             "{position: %.17g}%s}\n"
             "  s%d: {type: revolute, base: b%d, follower: c%d, at: {base: [%g, 0, 0], follower: "
             "[1, 0, 0]}, initial: {position: %.17g}}\n",
             n, n, 3 * n, force, turn, rate, n, n, 3 * n + 1, turn, n, n, n, r, -turn,
             of->cut ? ", closes: true" : "", n, n, n, r, -turn);
}

static detent_mechanism *make(const pair *of, bool loop)
{
    runs_text bodies = {0}, joints = {0}, text = {0};
    say_parallelogram(&bodies, &joints, of, 1, loop);
    say_parallelogram(&bodies, &joints, of, 2, loop);
    runs_say(&text,
             "detent: 1\ngravity: [0, -%.17g, 0]\nbodies:\n%sjoints:\n%s%s"
             "couplings:\n  mesh: {type: gear, joints: [a1, a2], ratio: %.17g, friction: {%s}}\n%s"
             "outputs: [%s%s]\nsimulation: {end: 10, rtol: 1e-9, atol: 1e-11}\n",
             of->gravity, bodies.text, joints.text, of->stiction ? of->stiction : "", of->ratio,
             of->friction, of->more ? of->more : "", outputs, of->outputs ? of->outputs : "");
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(bodies.text);
    free(joints.text);
    free(text.text);
    return m;
}

/** The next change of friction from n on: thresholds of velocity are not the same in both. */
static size_t next_turn(const runs_log *log, size_t n)
{
    while (n < log->count && !runs_is_turn(&log->change[n])) {
        n++;
    }
    return n;
}

/** What changes there are, why, and when. */
static void compare_logs(variant v, const runs_log *log, const runs_log *other)
{
    size_t n = next_turn(log, 0), k = next_turn(other, 0);
    while (n < log->count && k < other->count) {
        const detent_mode_change *one = &log->change[n], *two = &other->change[k];
        assert_int_equal(one->to == DETENT_LOCKED, two->to == DETENT_LOCKED);
        assert_int_equal(one->cause, two->cause);
        variant_check(v, "time of an event", one->time, two->time, 1e-8);
        n = next_turn(log, n + 1);
        k = next_turn(other, k + 1);
    }
    assert_true(n == log->count && k == other->count);
}

/** Runs both until `end`; what the outputs of the first crank are. */
static void compare(const pair *of, double end)
{
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m[2] = {make(of, false), make(of, true)};
        detent_simulation *sim[2];
        runs_log log[2] = {{0}, {0}};
        double x[2][OUTPUTS];
        for (int loop = 0; loop < 2; loop++) {
            sim[loop] = variant_start(m[loop], v);
            runs_record(sim[loop], end, &log[loop]);
            variant_outputs(sim[loop], v, end, x[loop], OUTPUTS);
        }
        compare_logs(v, &log[1], &log[0]);
        for (int n = 0; n < OUTPUTS; n++) {
            variant_check(v, "as cranks", x[1][n], x[0][n], 2e-7 * (1 + fabs(x[0][n])));
        }
        variant_check(v, "energy", runs_energy_gap(sim[1]), 0, 1e-7);
        for (int loop = 0; loop < 2; loop++) {
            runs_log_free(&log[loop]);
            runs_end(sim[loop], m[loop]);
        }
    }
}

static const char gear[] = "efficiency: 0.8, reverse_efficiency: 0.6",
                  worm[] = "coefficient: 0.15, lead_angle: 5 deg",
                  steep[] = "coefficient: 0.1, lead_angle: 20 deg, static_coefficient: 0.12";

/** Which side drives changes on the way. */
static void parallelograms_move_as_cranks(void **state)
{
    static const char *const frictions[] = {gear, worm, steep};
    (void)state;
    for (int n = 0; n < 6; n++) {
        const pair of = {.start = 1.3,
                         .velocity = n % 2 ? -3 : 3,
                         .ratio = n % 2 ? 3 : -3,
                         .first = 0.02,
                         .second = 0.1,
                         .load = 2,
                         .gravity = 9.81,
                         .friction = frictions[n / 2],
                         .force = "3 [N*m]*sin(9 [rad/s]*t)",
                         .cut = n == 3};
        compare(&of, 0.35);
    }
}

/** A worm that locks itself holds what is behind it, and gives way to a torque; the other way sooner. */
static void they_hold_and_give_way_as_cranks(void **state)
{
    (void)state;
    for (int way = -1; way <= 1; way += 2) {
        const pair of = {.start = 1.3,
                         .ratio = 3,
                         .first = 0.02,
                         .second = 0.1,
                         .load = 2,
                         .gravity = 9.81,
                         .friction = worm,
                         .force = way > 0 ? "40 [N*m/s]*t" : "-40 [N*m/s]*t",
                         .cut = way > 0};
        compare(&of, way > 0 ? 0.3 : 0.12);
    }
}

/**
 * A - |B| is -0.7 here: two motions at some torques, of which the stable one is taken, none at others: there it jams, and goes on from
 * rest where the torque moves it.
 */
static void they_jam_as_cranks(void **state)
{
    static const char *const torques[] = {"-20", "-2", "0", "2", "20", "-0.1 + 5 [1/s]*t"};
    (void)state;
    for (int n = 0; n < 12; n++) {
        char force[64];
        snprintf(force, sizeof force, "1 [N*m]*(%s)", torques[n / 2]);
        const pair of = {.start = 1.3,
                         .velocity = n % 2 ? -1 : 1,
                         .ratio = 3,
                         .first = 2e-4,
                         .second = 0.1,
                         .load = 2,
                         .gravity = 9.81,
                         .friction = worm,
                         .force = force,
                         .cut = n % 3 == 0};
        compare(&of, 0.05);
    }
}

static const char sticky[] = "stiction:\n"
                             "  a1: {kinetic: 0.4, static: 0.4, external: \"%g [N*m/s]*t\"}\n"
                             "  b1: {kinetic: 0.3, static: 0.3}\n"
                             "  p1: {kinetic: 0.2, static: 0.2}\n"
                             "  s1: {kinetic: 0.1, static: 0.1}\n"
                             "  b2: {kinetic: 1.2, static: 1.2, external: \"%g [N*m/s]*t\"}\n"
                             "  p2: {kinetic: 0.6, static: 0.6}\n";

/**
 * Seven joints and a mesh hold two loops. From the first crank it takes what is stuck there, 1 N m, and what the others hold over the
 * ratio and the efficiency; from the second one what is stuck there, and what is reached through the mesh.
 */
static void joints_of_loops_share_with_a_mesh(void **state)
{
    static const double instants[] = {1 + 1.8 / 3 / 0.8, 1.8 + 3 * 1 / 0.6};
    (void)state;
    for (int n = 0; n < 8; n++) {
        const int way = n % 2 ? 1 : -1, side = n / 2 % 2;
        char stiction[1024];
        snprintf(stiction, sizeof stiction, sticky, side ? 0.0 : way, side ? way : 0.0);
        const pair of = {.start = 1.3,
                         .ratio = 3,
                         .first = 0.02,
                         .second = 0.1,
                         .load = 2,
                         .friction = gear,
                         .stiction = stiction,
                         .cut = n / 4};
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_mechanism *m = make(&of, true);
            detent_simulation *sim = variant_start(m, v);
            double x[OUTPUTS];
            runs_log log = {0};
            variant_outputs(sim, v, instants[side] - 1e-6, x, OUTPUTS);
            assert_true(x[0] == 1.3 && x[1] == 0 && x[2] == 0);
            runs_record(sim, instants[side] + 0.01, &log);
            double first = INFINITY;
            for (size_t e = 0; e < log.count; e++) {
                first = log.change[e].time > 0 ? fmin(first, log.change[e].time) : first;
            }
            variant_check(v, "it gives way", first, instants[side], 1e-9);
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/** Two meshes side by side have as much of the load each, and rub as one does; and where one does not rub, as half of one. */
static void meshes_side_by_side(void **state)
{
    static const char second[] = "  twin: {type: gear, joints: [a1, a2], ratio: 3%s}\n";
    static const char *const twins[] = {", friction: {efficiency: 0.8, reverse_efficiency: 0.6}",
                                        ""};
    static const char *const ones[] = {gear,
                                       "efficiency: 0.888888888888888888, reverse_efficiency: 0.8"};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int n = 0; n < 4; n++) {
            const variant v = variant_at(k);
            char more[128];
            double x[2][OUTPUTS + 1];
            pair of = {.start = 1.3,
                       .velocity = 1,
                       .ratio = 3,
                       .first = 0.02,
                       .second = 0.1,
                       .load = 2,
                       .gravity = 9.81,
                       .force = "0.3 [N*m]"};
            for (int two = 0; two < 2; two++) {
                snprintf(more, sizeof more, second, twins[n / 2]);
                of.friction = two ? gear : ones[n / 2];
                of.more = two ? more : NULL;
                of.outputs = two ? ", coupling_force(twin)" : ", 0";
                detent_mechanism *m = make(&of, n % 2);
                detent_simulation *sim = variant_start(m, v);
                variant_outputs(sim, v, 0.2, x[two], OUTPUTS + 1);
                runs_end(sim, m);
            }
            for (int i = 0; i < 4; i++) {
                variant_check(v, "as one", x[1][i], x[0][i], 1e-7 * (1 + fabs(x[0][i])));
            }
            variant_check(v, "half of it", x[1][4], 0.5 * x[0][4], 1e-7);
            variant_check(v, "the other half", x[1][5], x[1][4], 1e-9);
        }
    }
}

/** A gear that says what a parallelogram says already: what it carries follows from how elastic joints are, and not from where the loop is cut. */
static void a_gear_that_is_not_needed(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        double x[2][OUTPUTS + 1];
        for (int cut = 0; cut < 2; cut++) {
            const pair of = {.start = 1.3,
                             .velocity = 1,
                             .ratio = 3,
                             .first = 0.02,
                             .second = 0.1,
                             .load = 2,
                             .gravity = 9.81,
                             .friction = gear,
                             .force = "0.3 [N*m]",
                             .more = "  own: {type: gear, joints: [b1, a1], ratio: 1, friction: "
                                     "{efficiency: 0.7}}\n",
                             .outputs = ", coupling_force(own)",
                             .cut = cut};
            detent_mechanism *m = make(&of, true);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 0.2, x[cut], OUTPUTS + 1);
            variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-8);
            assert_true(fabs(x[cut][5]) > 1e-3);
            runs_end(sim, m);
        }
        for (int i = 0; i < OUTPUTS + 1; i++) {
            variant_check(v, "wherever it is cut", x[1][i], x[0][i], 1e-7 * (1 + fabs(x[0][i])));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallelograms_move_as_cranks),
        cmocka_unit_test(they_hold_and_give_way_as_cranks),
        cmocka_unit_test(they_jam_as_cranks),
        cmocka_unit_test(joints_of_loops_share_with_a_mesh),
        cmocka_unit_test(meshes_side_by_side),
        cmocka_unit_test(a_gear_that_is_not_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
