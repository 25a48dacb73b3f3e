/*
 * Friction of the meshes of couplings, in all variants, against the formulas of the textbook: screws that lock themselves or run
 * down, gears with two efficiencies, and the screw whose mesh has two motions at some loads and none at others.
 */
#include "support_changes.h"
#include "support_variants.h"

static const double pi = 3.14159265358979323846, g = 9.81;

/* ---- a table on a screw of radius 5 mm, whose thread has a lead angle and friction ---- */

static const double radius = 5e-3;

typedef struct screw {
    double lead, coefficient; /* rad */
    double mass, inertia;     /* of the table, of the screw */
    double velocity;          /* of the screw at the start */
    const char *torque, *more;
    const char *friction; /* more of it */
} screw;

static detent_mechanism *make_screw(const screw *of)
{
    char text[2048];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, -9.81]\n"
             "bodies: {screw: {mass: 1, inertia: [%.17g, %.17g, %.17g]}, table: {mass: %.17g}}\n"
             "joints:\n"
             "  turn: {type: revolute, base: ground, follower: screw, initial: {velocity: %.17g, "
             "priority: exact}%s}\n"
             "  lift: {type: prismatic, base: ground, follower: table}\n"
             "%s"
             "couplings: {lead: {type: screw, joints: [turn, lift], pitch: %.17g,\n"
             "  friction: {coefficient: %.17g, radius: 5 mm%s}}}\n"
             "outputs: [position(turn), velocity(turn), acceleration(turn), friction(turn), "
             "position(lift)]\n"
             "simulation: {end: 1000, rtol: 1e-9, atol: 1e-11}\n",
             of->inertia, of->inertia, of->inertia, of->mass, of->velocity,
             of->torque ? of->torque : "", of->more ? of->more : "",
             2 * pi * radius * tan(of->lead), of->coefficient, of->friction ? of->friction : "");
    return runs_parse(text, NULL);
}

/** The acceleration of the screw where the table goes up (+1) or down (-1) and weighs on it. */
static double textbook(const screw *of, int way, double torque)
{
    const double arm = radius * tan(of->lead + way * atan(of->coefficient)),
                 step = radius * tan(of->lead);
    return (torque - of->mass * g * arm) / (of->inertia + of->mass * step * arm);
}

static double degrees(double angle)
{
    return angle * pi / 180;
}

/** Below the friction angle, 8.53 degrees, it holds whatever is on it; exactly. */
static void a_flat_thread_holds_any_load(void **state)
{
    static const double masses[] = {1e-3, 1, 1e3, 1e6};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t n = 0; n < 4; n++) {
            const variant v = variant_at(k);
            const screw of = {
                .lead = degrees(8.5), .coefficient = 0.15, .mass = masses[n], .inertia = 1e-3};
            detent_mechanism *m = make_screw(&of);
            detent_simulation *sim = variant_start(m, v);
            double x[5];
            variant_outputs(sim, v, 1000, x, 5);
            assert_true(x[0] == 0 && x[1] == 0 && x[2] == 0 && x[4] == 0);
            variant_check(v, "friction", x[3], of.mass * g * radius * tan(of.lead),
                          1e-12 * of.mass);
            runs_end(sim, m);
        }
    }
}

/** Above it runs down, and a torque drives it up, as the textbook says. */
static void a_steep_thread_runs_down(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const screw down = {.lead = degrees(12), .coefficient = 0.15, .mass = 5, .inertia = 1e-3},
                    up = {.lead = degrees(12),
                          .coefficient = 0.15,
                          .mass = 5,
                          .inertia = 1e-3,
                          .torque = ", force: 0.2"};
        double x[5];
        detent_mechanism *m = make_screw(&down);
        detent_simulation *sim = variant_start(m, v);
        const double a = textbook(&down, -1, 0), b = textbook(&up, 1, 0.2);
        assert_true(a < 0 && b > 0);
        variant_outputs(sim, v, 1, x, 5);
        variant_check(v, "acceleration down", x[2], a, 1e-9 * fabs(a));
        variant_check(v, "way down", x[0], 0.5 * a, 1e-8 * fabs(a));
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-9);
        runs_end(sim, m);
        m = make_screw(&up);
        sim = variant_start(m, v);
        variant_outputs(sim, v, 1, x, 5);
        variant_check(v, "acceleration up", x[2], b, 1e-9 * b);
        variant_check(v, "way up", x[0], 0.5 * b, 1e-8 * b);
        runs_end(sim, m);
    }
}

/** The torque that breaks it loose has the coefficient of rest; friction of the bearing is added to that of the thread. */
static void it_gives_way_at_its_torque(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const screw of = {.lead = degrees(5),
                          .coefficient = 0.1,
                          .mass = 5,
                          .inertia = 1e-3,
                          .friction = ", static_coefficient: 0.15",
                          .more = "stiction: {turn: {kinetic: 0.01, static: 0.02, external: "
                                  "\"1 [N*m]*t/1 [s]\"}}\n"};
        const double breaks = 0.02 + of.mass * g * radius * tan(of.lead + atan(0.15));
        detent_mechanism *m = make_screw(&of);
        detent_simulation *sim = variant_start(m, v);
        double x[5];
        runs_log log = {0};
        runs_record(sim, 0.6, &log);
        variant_check(v, "time", runs_time_of(&log, 0, DETENT_WAIT, 0), breaks, 1e-9);
        runs_log_free(&log);
        variant_outputs(sim, v, 0.6, x, 5);
        variant_check(v, "acceleration", x[2], textbook(&of, 1, 0.6 - 0.01), 1e-8);
        runs_end(sim, m);
    }
}

/** The file: up, at rest without a hand on it, and down, with formulas for each. */
static void a_jack_holds_its_load(void **state)
{
    const double arm = 0.01825, T = 0.007 / (2 * pi * arm), up = arm * tan(atan(T) + atan(0.12)),
                 down = arm * tan(atan(T) - atan(0.12)), weight = 1000 * g, step = arm * T;
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("screw_jack.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[7], height;
        runs_log log = {0};
        runs_record(sim, 1.9, &log);
        variant_check(v, "gives way", runs_time_of(&log, 0, DETENT_WAIT, 0),
                      weight * arm * tan(atan(T) + atan(0.15)) / 25, 1e-9);
        runs_log_free(&log);
        variant_outputs(sim, v, 1.9, x, 7);
        variant_check(v, "up", x[3], (25 * 1.9 - weight * up) / (0.02 + 1000 * step * up), 1e-7);
        variant_outputs(sim, v, 2.2, x, 7);
        height = x[0];
        assert_true(x[1] == 0 && x[2] == 0 && height > 0);
        variant_check(v, "thread", x[6], -weight * step, 1e-9);
        variant_outputs(sim, v, 3, x, 7);
        assert_true(x[0] == height && x[1] == 0);
        variant_outputs(sim, v, 4, x, 7);
        variant_check(v, "down", x[3], (-20 - weight * down) / (0.02 + 1000 * step * down), 1e-7);
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-5);
        runs_end(sim, m);
    }
}

/* ---- gears ---- */

static const char gears[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [2, 2, 3]},\n"
    "         c: {mass: 1, inertia: [1, 1, 0.5]}, d: {mass: 1, inertia: [1, 1, 0.25]}}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: a, initial: {velocity: %g}, force: %g}\n"
    "  b: {type: revolute, base: ground, follower: b, initial: {velocity: %g}, force: %g}\n"
    "  c: {type: revolute, base: ground, follower: c}\n"
    "  d: {type: revolute, base: ground, follower: d}\n"
    "couplings:\n"
    "  mesh: {type: gear, joints: [a, b], ratio: %g, friction: {efficiency: 0.8, "
    "reverse_efficiency: 0.6}}\n"
    "%s"
    "outputs: [velocity(a), acceleration(a), friction(a)]\n"
    "simulation: {end: 1, rtol: 1e-10, atol: 1e-12}\n";

/** Which side drives decides which efficiency holds, for either sign of ratio and motion. */
static void a_gear_has_two_efficiencies(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int n = 0; n < 8; n++) {
            const variant v = variant_at(k);
            const double ratio = n & 1 ? -5 : 5, way = n & 2 ? -1 : 1;
            const bool drives = n & 4;
            const double torque = drives ? 2 * way : 0,
                         load = drives ? 0 : 30 * way * (ratio > 0 ? 1 : -1);
            const double passed = drives ? 1 / 0.8 : 0.6; /* of L reaches the first joint */
            char text[2048];
            double x[3];
            snprintf(text, sizeof text, gears, 10 * way, torque, 10 * way / ratio, load, ratio, "");
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            const double a =
                (torque + passed * load / ratio) / (0.02 + passed * 3 / (ratio * ratio));
            variant_outputs(sim, v, 1, x, 3);
            variant_check(v, "acceleration", x[1], a, 1e-9 * fabs(a));
            variant_check(v, "velocity", x[0], 10 * way + a, 1e-8 * fabs(a));
            assert_true(x[2] * x[0] < 0);
            variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-8);
            runs_end(sim, m);
        }
    }
}

/** What the mesh in the middle of a train transmits is told from the ends; friction is that of its own force. */
static void a_mesh_inside_a_train(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        char text[2048];
        double x[3];
        /* c - a - b - d: c turns as a, d three times as fast as b */
        snprintf(text, sizeof text, gears, 10.0, 2.0, 2.0, 0.0, 5.0,
                 "  in: {type: gear, joints: [c, a], ratio: 1}\n"
                 "  out: {type: gear, joints: [d, b], ratio: 3}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        const double inertia = 3 + 9 * 0.25, a = 2 / (0.02 + 0.5 + inertia / 25 / 0.8);
        variant_outputs(sim, v, 1, x, 3);
        variant_check(v, "acceleration", x[1], a, 1e-9);
        variant_check(v, "friction", x[2], -(1 / 0.8 - 1) * inertia * a / 25, 1e-9);
        runs_end(sim, m);
    }
}

/**
 * Two meshes in a row, and a bearing behind them: they share what holds the train. Each loses its part of what is left, so that
 * it gives way at (F / 12) / (0.9 0.8); all limits but the last one follow the share of the others.
 */
static void a_train_that_shares(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1, inertia: [1, 1, 0.02]}, b: {mass: 1, inertia: [2, 2, 3]},\n"
        "         c: {mass: 1, inertia: [9, 9, 8]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, force: \"%d [N*m/s]*t\"}\n"
        "  b: {type: revolute, base: ground, follower: b}\n"
        "  c: {type: revolute, base: ground, follower: c}\n"
        "stiction: {c: {kinetic: 9, static: 12}}\n"
        "couplings:\n"
        "  one: {type: gear, joints: [a, b], ratio: 3, friction: {efficiency: 0.9}}\n"
        "  two: {type: gear, joints: [b, c], ratio: 4, friction: {efficiency: 0.8}}\n"
        "outputs: [acceleration(a), velocity(a), velocity(c)]\n"
        "simulation: {end: 3, rtol: 1e-9, atol: 1e-11}\n";
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int way = -1; way <= 1; way += 2) {
            const variant v = variant_at(k);
            char file[2048];
            double x[3];
            runs_log log = {0};
            snprintf(file, sizeof file, text, way);
            detent_mechanism *m = runs_parse(file, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 1.38, x, 3);
            assert_true(x[1] == 0 && x[2] == 0);
            runs_record(sim, 3, &log);
            variant_check(v, "breaks", log.count > 0 ? log.change[0].time : NAN, 12.0 / 12 / 0.72,
                          1e-9);
            runs_log_free(&log);
            variant_outputs(sim, v, 3, x, 3);
            const double a = (3 - 9.0 / 12 / 0.72) / (0.02 + 3 / 9.0 / 0.9 + 8 / 144.0 / 0.72);
            variant_check(v, "acceleration", x[0], way * a, 1e-8);
            variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-8);
            runs_end(sim, m);
        }
    }
}

/** A screw that locks itself, whose table sticks in its guide as well: it gives way at the sum of what both take. */
static void a_screw_with_a_guide_that_sticks(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const screw of = {.lead = degrees(5),
                          .coefficient = 0.15,
                          .mass = 5,
                          .inertia = 1e-3,
                          .torque = ", force: \"1 [N*m/s]*t\"",
                          .more = "stiction: {lift: {kinetic: 20, static: 30}}\n"};
        const double arm = radius * tan(of.lead + atan(of.coefficient)),
                     breaks = (of.mass * g + 30) * arm;
        detent_mechanism *m = make_screw(&of);
        detent_simulation *sim = variant_start(m, v);
        double x[5];
        runs_log log = {0};
        variant_outputs(sim, v, 0.999 * breaks, x, 5);
        assert_true(x[1] == 0 && x[4] == 0);
        runs_record(sim, 0.2, &log);
        variant_check(v, "breaks", log.count > 0 ? log.change[0].time : NAN, breaks, 1e-9);
        runs_log_free(&log);
        variant_outputs(sim, v, 0.2, x, 5);
        variant_check(v, "acceleration", x[2], textbook(&of, 1, 0.2 - 20 * arm), 1e-8);
        runs_end(sim, m);
    }
}

/** A screw drives the slider of a crank: what it transmits is told from its own turn, for the slide is in the loop. */
static void a_screw_before_a_loop(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.02]}\n"
        "  rod: {mass: 2, center_of_mass: [0.25, 0, 0], inertia: [0.02, 0.05, 0.05]}\n"
        "  slider: {mass: 3}\n"
        "  screw: {mass: 0.5, inertia: [0.001, 0.001, 0.002]}\n"
        "joints:\n"
        "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.8}}\n"
        "  pin: {type: revolute, base: crank, follower: rod, at: {base: {point: [0.2, 0, 0]}},\n"
        "        initial: {position: -1.0911}}\n"
        "  wrist: {type: revolute, base: slider, follower: rod, at: {follower: [0.5, 0, 0]}}\n"
        "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0],\n"
        "          initial: {position: 0.61832}}\n"
        "  turn: {type: revolute, base: ground, follower: screw, axis: [1, 0, 0], force: "
        "0.3*sin(3*t)}\n"
        "couplings: {lead: {type: screw, joints: [turn, slide], pitch: 20 mm,\n"
        "                   friction: {coefficient: 0.12, radius: 10 mm}}}\n"
        "outputs: [position(slide), velocity(turn), friction(turn), force(turn), "
        "coupling_force(lead)]\n"
        "simulation: {end: 2, rtol: 1e-8, atol: 1e-10}\n";
    const double T = 0.02 / (2 * pi * 0.01), part = 0.12 * (1 + T * T) / T;
    double first = NAN;
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int row = 1; row <= 4; row++) {
            double x[5];
            variant_outputs(sim, v, 0.5 * row, x, 5);
            const double L = x[3] - 0.3 * sin(1.5 * row);
            const double loss = L * x[1] < 0 ? part / (1 - 0.12 * T) : part / (1 + 0.12 * T);
            variant_check(v, "force of the coupling", x[4], L, 1e-9);
            variant_check(v, "friction", x[2], (x[1] > 0 ? -1 : 1) * loss * fabs(L), 1e-9);
            if (row == 4) {
                first = isnan(first) ? x[0] : first;
                variant_check(v, "slide", x[0], first, 1e-7);
            }
        }
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-6);
        runs_end(sim, m);
    }
}

/* ---- two motions, or none ---- */

static const screw wedge = {
    .lead = 5 * 3.14159265358979323846 / 180, .coefficient = 0.15, .mass = 100, .inertia = 2.3e-6};

static double margin_of(const screw *of)
{
    const double T = tan(of->lead), k = of->mass * radius * radius * T / of->inertia,
                 n = -k * T / (1 + k * T), part = of->coefficient * (1 + T * T) / T,
                 a = part / (1 - of->coefficient * T), b = part / (1 + of->coefficient * T);
    return 1 + n * (b - a) / 2 - fabs(n * (b + a) / 2);
}

static void margins_are_told(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int n = 0; n < 2; n++) {
            const variant v = variant_at(k);
            screw of = wedge;
            of.inertia = n ? 1e-3 : of.inertia;
            detent_mechanism *m = make_screw(&of);
            detent_simulation *sim = variant_start(m, v);
            detent_mesh mesh = DETENT_INIT(detent_mesh);
            detent_error error;
            runs_must(detent_get_mesh(sim, 0, &mesh, &error), &error);
            assert_string_equal(mesh.coupling, "lead");
            variant_check(v, "margin", mesh.margin, margin_of(&of), 1e-9);
            assert_true(n ? mesh.margin > 0 : mesh.margin < 0);
            assert_int_equal(detent_get_mesh(sim, 1, &mesh, &error), DETENT_ERROR_ARGUMENT);
            runs_end(sim, m);
        }
    }
}

/** Lowering has no motion without a torque: it jams at once, from any speed, and holds. */
static void lowering_jams(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        screw of = wedge;
        of.velocity = -10;
        detent_mechanism *m = make_screw(&of);
        detent_simulation *sim = variant_start(m, v);
        detent_statistics now = DETENT_INIT(detent_statistics);
        size_t count;
        const detent_mode_change *change = last_event(sim, &count);
        double x[5];
        const double step = radius * tan(of.lead);
        assert_int_equal(count, 1);
        assert_int_equal(change->cause, DETENT_CAUSE_JAM);
        variant_outputs(sim, v, 10, x, 5);
        assert_true(x[0] == 0 && x[1] == 0 && x[4] == 0);
        detent_get_statistics(sim, &now);
        variant_check(v, "loss", now.impact_loss, 0.5 * (of.inertia + of.mass * step * step) * 100,
                      1e-12);
        variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-12);
        runs_end(sim, m);
    }
}

/** The acceleration where the table hangs back on the way down: teeth touch on their other side. */
static double pulled_down(const screw *of, double torque)
{
    const double arm = radius * tan(of->lead + atan(of->coefficient)),
                 step = radius * tan(of->lead);
    return (torque - of->mass * g * arm) / (of->inertia + of->mass * step * arm);
}

/**
 * Driven down it goes on the stable of two motions, with teeth that touch on their other side; where the torque no longer
 * presses on that the motion ends, and it jams; a larger torque raises it as the textbook says.
 */
static void driven_down_it_jams_where_its_teeth_come_free(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        screw of = wedge;
        of.velocity = -1;
        of.torque = ", force: \"-0.1 [N*m] + 20 [N*m/s]*t\"";
        detent_mechanism *m = make_screw(&of);
        detent_simulation *sim = variant_start(m, v);
        double x[5];
        const double step = radius * tan(of.lead), frees = (0.1 - of.inertia * g / step) / 20,
                     raises =
                         (0.1 + of.mass * g * radius * tan(of.lead + atan(of.coefficient))) / 20;
        runs_log log = {0};
        variant_outputs(sim, v, 0.001, x, 5);
        variant_check(v, "acceleration", x[2], pulled_down(&of, -0.08), 1e-8 * fabs(x[2]));
        runs_record(sim, 0.08, &log);
        variant_check(v, "jam", runs_time_of(&log, 0, DETENT_LOCKED, 0), frees, 1e-8);
        variant_check(v, "raised", runs_time_of(&log, 0, DETENT_WAIT, 0), raises, 1e-8);
        bool jams = false;
        for (size_t n = 0; n < log.count; n++) {
            jams = jams || log.change[n].cause == DETENT_CAUSE_JAM;
        }
        assert_true(jams);
        runs_log_free(&log);
        variant_outputs(sim, v, 0.08, x, 5);
        variant_check(v, "acceleration up", x[2], textbook(&of, 1, 1.5), 1e-7 * fabs(x[2]));
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flat_thread_holds_any_load),
        cmocka_unit_test(a_steep_thread_runs_down),
        cmocka_unit_test(it_gives_way_at_its_torque),
        cmocka_unit_test(a_jack_holds_its_load),
        cmocka_unit_test(a_gear_has_two_efficiencies),
        cmocka_unit_test(a_mesh_inside_a_train),
        cmocka_unit_test(a_train_that_shares),
        cmocka_unit_test(a_screw_with_a_guide_that_sticks),
        cmocka_unit_test(a_screw_before_a_loop),
        cmocka_unit_test(margins_are_told),
        cmocka_unit_test(lowering_jams),
        cmocka_unit_test(driven_down_it_jams_where_its_teeth_come_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
