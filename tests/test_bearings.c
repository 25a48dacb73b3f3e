/*
 * Bearings with a length or a radius: drawers that bind, guides that their load leaves, hinges under load, by hand calculations; the same
 * friction written as a formula of components of reactions, in trees and loops.
 */
#include "support_trees.h"
#include "support_variants.h"

static const double g = 9.81;

/* ---- guides ---- */

/** A drawer of 2 kg in a guide of 0.2 m, pushed e beside it by P t, with a side load N. */
static const char drawer[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {e: 0.5, N: 0, mu: 0.1, mu_s: 0.1}\n"
    "bodies: {drawer: {mass: 2 kg, inertia: [1, 1, 1]}}\n"
    "joints: {slide: {type: prismatic, base: ground, follower: drawer, axis: [1, 0, 0]}}\n"
    "stiction: {slide: {bearing: {coefficient: mu, static_coefficient: mu_s, length: 0.2 m}}}\n"
    "loads: {push: {body: drawer, at: [0, e, 0], force: [10*t, 0, N]}}\n"
    "outputs: [position(slide), velocity(slide), friction(slide), mode(slide), "
    "bearing_force(slide)]\n"
    "simulation: {end: 1000, rtol: 1e-10}\n";

/** It jams, whatever the force, where mu > L / (2 e) = 0.2, and slides at the least force where it is less. */
static void a_drawer_binds(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const char *const binds[] = {"mu_s=0.2000001", NULL}, *const slides[] = {"mu_s=0.1999999",
                                                                                 NULL};
        double x[5];
        detent_mechanism *m = runs_parse(drawer, binds);
        detent_simulation *sim = variant_start(m, v);
        variant_outputs(sim, v, 1000, x, 5);
        assert_true(x[0] == 0 && x[1] == 0 && x[3] == 0);
        variant_near(v, x[2], -1e4, 1e-8);
        variant_near(v, x[4], 2 * 1e4 * 0.5 / 0.2, 1e-7);
        runs_end(sim, m);

        /* 2 a = P t (1 - 2 mu e / L) */
        m = runs_parse(drawer, slides);
        sim = variant_start(m, v);
        variant_outputs(sim, v, 2, x, 5);
        variant_near(v, x[0], 10 * 0.5 / 2 * 8 / 6, 1e-8);
        variant_near(v, x[2], -0.1 * 2 * 20 * 0.5 / 0.2, 1e-8);
        runs_end(sim, m);
    }
}

/** With N across it lets go at P = mu_s sqrt(N^2 + (2 P e / L)^2). */
static void a_drawer_lets_go_on_time(void **state)
{
    (void)state;
    const double share = 2 * 0.15 * 0.5 / 0.2, release = 0.15 * 30 / sqrt(1 - share * share) / 10;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        const char *const set[] = {"mu_s=0.15", "N=30", NULL};
        detent_mechanism *m = runs_parse(drawer, set);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        runs_record(sim, 1, &log);
        variant_near(v, runs_time_of(&log, 0, DETENT_WAIT, 0), release, 1e-9);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/**
 * A rod that slides through a bush of length L, with its weight x > L/2 beyond the middle of that: A and B are W (1/2 -+ x/L), and the
 * friction 2 mu W x / L, so that x'' = -w^2 x, w^2 = 2 mu g / L. It stops after w t = atan(v / (w x)), at sqrt(x^2 + (v/w)^2).
 */
static void a_rod_leaves_its_bush(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, -9.81]\n"
        "bodies: {rod: {mass: 3 kg, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints:\n"
        "  slide: {type: prismatic, base: ground, follower: rod, axis: [1, 0, 0], at: {base: "
        "[-0.3, 0, 0]}, initial: {position: 0.7, velocity: 2}}\n"
        "stiction: {slide: {bearing: {coefficient: 0.1, length: 200 mm, center: 0.4 m, fixed_to: "
        "base}}}\n"
        "outputs: [position(slide), velocity(slide), bearing_force(slide), mode(slide)]\n"
        "simulation: {end: 2, rtol: 1e-11}\n";
    (void)state;
    const double w = sqrt(2 * 0.1 * g / 0.2), stop = atan(2 / (w * 0.3)) / w,
                 way = hypot(0.3, 2 / w);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double x[4];
        runs_record(sim, 1, &log);
        variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0), stop, 1e-9);
        variant_outputs(sim, v, 1, x, 4);
        variant_near(v, x[0], 0.4 + way, 1e-9);
        variant_near(v, x[2], 2 * 3 * g * way / 0.2, 1e-6);
        assert_true(x[1] == 0 && x[3] == 0);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/**
 * A drawer that slides, its centre of mass h beside the guide: m a = mu sqrt((m g)^2 + (2 m a h / L)^2), a deceleration of
 * mu g / sqrt(1 - (2 mu h / L)^2). Where mu > L / (2 h) there is none: it jams at once.
 */
static void inertia_binds_what_slides(void **state)
{
    static const double coefficients[] = {0.1, 0.19, 0.2000001, 0.25, 0.7};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (size_t n = 0; n < sizeof coefficients / sizeof *coefficients; n++) {
            const double mu = coefficients[n], share = 2 * mu * 0.5 / 0.2;
            char text[1024];
            snprintf(text, sizeof text,
                     "detent: 1\ngravity: [0, 0, -9.81]\n"
                     "bodies: {drawer: {mass: 2, center_of_mass: [0, 0.5, 0], inertia: [1, 1, 1]}, "
                     "cup: {mass: 1}}\n"
                     "joints:\n"
                     "  slide: {type: prismatic, base: ground, follower: drawer, axis: [1, 0, 0], "
                     "initial: {velocity: 1}}\n"
                     "  free: {type: prismatic, base: ground, follower: cup, axis: [1, 0, 0], "
                     "initial: {velocity: 1}}\n"
                     "stiction: {slide: {bearing: {coefficient: %.17g, length: 0.2}}}\n"
                     "outputs: [position(slide), velocity(slide), mode(slide), position(free), "
                     "impact_loss()]\n"
                     "simulation: {end: 3, rtol: 1e-10}\n",
                     mu);
            detent_mechanism *m = runs_parse(text, NULL);
            detent_simulation *sim = variant_start(m, v);
            runs_log log = {0};
            double x[5];
            runs_record(sim, 2, &log);
            variant_outputs(sim, v, 2, x, 5);
            assert_true(x[1] == 0 && x[2] == 0);
            variant_near(v, x[3], 2, 1e-9);
            if (share < 1) {
                const double a = mu * g / sqrt(1 - share * share);
                variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0), 1 / a, 1e-8);
                variant_near(v, x[0], 0.5 / a, 1e-8);
                assert_true(x[4] == 0);
            } else {
                assert_true(x[0] == 0);
                assert_int_equal(log.change[0].cause, DETENT_CAUSE_JAM);
                variant_near(v, x[4], 1, 1e-12);
            }
            runs_log_free(&log);
            runs_end(sim, m);
        }
    }
}

/* ---- hinges ---- */

/**
 * A wheel on a journal (radius 10 mm, length 40 mm) that stands beyond it, its centre 50 mm from the middle of the journal, the shaft
 * inclined: F' = m g cos, thrust m g sin; friction mu (r F' 2 h / L + c m g sin), h > L/2. It spins out at a constant rate, and starts again
 * where the torque on it comes to the static limit.
 */
static void a_hinge_follows_its_load(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81*cos(0.3), -9.81*sin(0.3)]\n"
        "parameters: {h: 40 mm}\n"
        "bodies: {wheel: {mass: 5 kg, center_of_mass: [0, 0, h], inertia: [0.02, 0.02, 0.04]}}\n"
        "joints:\n"
        "  hinge: {type: revolute, base: ground, follower: wheel, initial: {velocity: 3}}\n"
        "stiction:\n"
        "  hinge:\n"
        "    external: if(t < 5, 0, 0.1*(t - 5))\n"
        "    bearing: {coefficient: 0.1, static_coefficient: 0.15, radius: 10 mm, length: 40 mm, "
        "center: -10 mm, collar: 15 mm}\n"
        "outputs: [friction(hinge), bearing_force(hinge), thrust_force(hinge)]\n"
        "simulation: {end: 10, rtol: 1e-10}\n";
    (void)state;
    const double across = 5 * g * cos(0.3) * 2 * 0.05 / 0.04, thrust = 5 * g * sin(0.3),
                 load = 0.01 * across + 0.015 * thrust, stop = 3 * 0.04 / (0.1 * load),
                 start = 5 + 0.15 * load / 0.1;
    assert_true(stop < 5 && start < 10);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        double x[3];
        variant_outputs(sim, v, 0.1, x, 3);
        variant_near(v, x[0], -0.1 * load, 1e-9);
        variant_near(v, x[1], across, 1e-9);
        variant_near(v, x[2], thrust, 1e-9);
        runs_record(sim, 10, &log);
        variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0), stop, 1e-8);
        variant_near(v, runs_time_of(&log, 0, DETENT_WAIT, 0), start, 1e-8);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/* ---- the same as a formula ---- */

/** Two journals and a guide in space: a swinging arm, a rail on its tip, a pendulum on the slide. `%s`: their stictions. */
static const char crane[] =
    "detent: 1\ngravity: [0, 0.5, -9.81]\n"
    "bodies:\n"
    "  arm: {mass: 4, center_of_mass: [0.4, 0.02, 0], inertia: [0.05, 0.3, 0.3]}\n"
    "  car: {mass: 2, center_of_mass: [0, 0.01, -0.1], inertia: [0.02, 0.02, 0.02]}\n"
    "  hook: {mass: 1, center_of_mass: [0.03, 0, -0.5], inertia: [0.1, 0.1, 0.01]}\n"
    "joints:\n"
    "  A: {type: revolute, base: ground, follower: arm, axis: [0.1, 1, 0], initial: {position: "
    "-0.5}}\n"
    "  B: {type: prismatic, base: arm, follower: car, axis: [1, 0, 0.2], at: {base: [0.5, 0, 0]}, "
    "initial: {velocity: 0.3}}\n"
    "  C: {type: revolute, base: car, follower: hook, axis: [1, 1, 0], initial: {position: 1}}\n"
    "stiction:\n%s"
    "outputs: [bearing_force(A), bearing_force(B), thrust_force(A)]\n"
    "simulation: {end: 3, rtol: 1e-10}\n";

static const char crane_bearings[] =
    "  A: {bearing: {coefficient: 0.2, static_coefficient: 0.3, radius: 20 mm, length: 0.1 m}}\n"
    "  B: {kinetic: 0.1, static: 0.2, bearing: {coefficient: 0.1, static_coefficient: 0.15, "
    "length: 0.15 m, center: 0.02 m, fixed_to: base}}\n"
    "  C: {bearing: {coefficient: 0.3, radius: 5 mm}}\n";

/** Adds the sum of the norms of both ends, of joint `j` with the unit axis a: (1/2 -+ s/L) F' +- T x a / L. */
static void say_ends(runs_text *to, const char *j, const double a[3], double length, const char *s)
{
    static const char xyz[] = "xyz";
    for (int e = 0; e < 2; e++) {
        const char *sign = e == 0 ? "-" : "+", *other = e == 0 ? "+" : "-";
        runs_say(to, "%ssqrt(", e == 0 ? "" : " + ");
        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;
            runs_say(to,
                     "%s((0.5 %s (%s)/%.17g)*(reaction_force(%s, %c) - "
                     "%.17g*(%.17g*reaction_force(%s, x) + "
                     "%.17g*reaction_force(%s, y) + %.17g*reaction_force(%s, z))) %s "
                     "(reaction_torque(%s, %c)*%.17g - reaction_torque(%s, %c)*%.17g)/%.17g)^2",
                     k == 0 ? "" : " + ", sign, s, length, j, xyz[k], a[k], a[0], j, a[1], j, a[2],
                     j, other, j, xyz[p], a[q], j, xyz[q], a[p], length);
        }
        runs_say(to, ")");
    }
}

static void say_thrust(runs_text *to, const char *j, const double a[3])
{
    runs_say(to,
             "abs(%.17g*reaction_force(%s, x) + %.17g*reaction_force(%s, y) + "
             "%.17g*reaction_force(%s, z))",
             a[0], j, a[1], j, a[2], j);
}

static void unit(double x, double y, double z, double a[3])
{
    const double n = sqrt(x * x + y * y + z * z);
    a[0] = x / n, a[1] = y / n, a[2] = z / n;
}

/** The stictions of the crane as formulas. */
static char *crane_formulas(void)
{
    double a[3], b[3];
    runs_text A = {0}, B = {0}, all = {0};
    unit(0.1, 1, 0, a);
    runs_say(&A, "0.02*(");
    say_ends(&A, "A", a, 0.1, "0");
    runs_say(&A, " + ");
    say_thrust(&A, "A", a);
    runs_say(&A, ")");
    unit(1, 0, 0.2, b);
    say_ends(&B, "B", b, 0.15, "0.02 - position(B)");
    runs_say(&all, "  A: {kinetic: '0.2*%s', static: '0.3*%s'}\n", A.text, A.text);
    runs_say(&all,
             "  B: {kinetic: '0.1 + 0.1*(%s)', static: '0.2 + 0.15*(%s)', bearing: {length: 0.15 "
             "m, center: 0.02 m, fixed_to: base}}\n",
             B.text, B.text);
    unit(1, 1, 0, a);
    runs_say(&all, "  C: {kinetic: '0.0015*(normal_force(C) + thrust_force(C))', static: "
                   "'0.0015*(normal_force(C) + thrust_force(C))'}\n");
    free(A.text);
    free(B.text);
    return all.text;
}

static void formulas_say_the_same(void **state)
{
    (void)state;
    char *formulas = crane_formulas();
    const size_t room = sizeof crane + strlen(formulas) + 1;
    char *text = malloc(room), *own = malloc(room);
    /* what is read of A is the bearing's: not there in the formulas */
    snprintf(text, room, crane, formulas);
    char *outputs = strstr(text, "[bearing_force(A), bearing_force(B), thrust_force(A)]");
    memcpy(outputs, "[position(A), bearing_force(B), thrust_force(A)]     ", 53);
    snprintf(own, room, crane, crane_bearings);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m[2] = {runs_parse(own, NULL), runs_parse(text, NULL)};
        detent_simulation *sim[2] = {variant_start(m[0], v), variant_start(m[1], v)};
        for (double t = 0.25; t < 1.6; t += 0.25) {
            static const char *const joints[] = {"A", "B", "C"};
            variant_advance(sim[0], v, t);
            variant_advance(sim[1], v, t);
            for (int j = 0; j < 3; j++) {
                variant_check(v, joints[j], runs_position(m[0], sim[0], joints[j]),
                              runs_position(m[1], sim[1], joints[j]), 1e-8);
            }
        }
        assert_true(runs_residuals_per_step(sim[0]) < 1.3 || v.integrator != DETENT_INTEGRATOR_IDA);
        runs_end(sim[0], m[0]);
        runs_end(sim[1], m[1]);
    }
    free(text);
    free(own);
    free(formulas);
}

/* ---- loops ---- */

/** A slider-crank in a plane whose slider is guided, and whose pins are journals; `%s`: the stictions. */
static const char engine[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "  rod: {mass: 1, center_of_mass: [0.25, 0, 0], inertia: [0.02, 0.02, 0.02]}\n"
    "  slider: {mass: 2, center_of_mass: [0.01, 0.02, 0], inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  main: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: 12, "
    "priority: exact}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.2, 0, 0]}, initial: "
    "{position: -1.4}}\n"
    "  guide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
    "{position: 0.55}}\n"
    "  wrist: {type: revolute, base: rod, follower: slider, at: {base: [0.5, 0, 0], follower: [0, "
    "0.01, 0]}, initial: {position: 0.4}}\n"
    "stiction:\n%s"
    "outputs: [position(main), velocity(main), position(guide)]\n"
    "simulation: {end: 5, rtol: 1e-9}\n";

static const char engine_bearings[] =
    "  main: {bearing: {coefficient: 0.2, static_coefficient: 0.24, radius: 30 mm}}\n"
    "  guide: {bearing: {coefficient: 0.1, static_coefficient: 0.12, length: 0.1 m, center: 0.01 "
    "m}}\n";

/** In a plane: A, B = (1/2 -+ s/L) F_y +- T_z / L (T x a along y). */
static const char engine_formulas[] =
    "  main: {kinetic: '0.006*reaction_force(main)', static: '0.0072*reaction_force(main)'}\n"
    "  guide:\n"
    "    kinetic: '0.1*(abs(0.4*reaction_force(guide, y) + 10*reaction_torque(guide, z)) + "
    "abs(0.6*reaction_force(guide, y) - 10*reaction_torque(guide, z)))'\n"
    "    static: '0.12*(abs(0.4*reaction_force(guide, y) + 10*reaction_torque(guide, z)) + "
    "abs(0.6*reaction_force(guide, y) - 10*reaction_torque(guide, z)))'\n";

static void a_loop_rubs_in_its_guide(void **state)
{
    (void)state;
    char own[4096], text[4096];
    snprintf(own, sizeof own, engine, engine_bearings);
    snprintf(text, sizeof text, engine, engine_formulas);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m[2] = {runs_parse(own, NULL), runs_parse(text, NULL)};
        detent_simulation *sim[2] = {variant_start(m[0], v), variant_start(m[1], v)};
        for (double t = 0.25; t < 5; t += 0.25) {
            variant_advance(sim[0], v, t);
            variant_advance(sim[1], v, t);
            variant_near(v, runs_position(m[0], sim[0], "main"),
                         runs_position(m[1], sim[1], "main"), 1e-6);
        }
        assert_int_equal(runs_mode(m[0], sim[0], "main"), DETENT_LOCKED);
        runs_end(sim[0], m[0]);
        runs_end(sim[1], m[1]);
    }
}

/* ---- programs ---- */

static void say(detent_mechanism *m, const char *section, const char *name, const char *text)
{
    detent_error error = {0};
    runs_must(detent_add_item(m, section, name, text, &error), &error);
}

/** What a program gives, which need not outlive the call, slides as the file's. */
static void a_program_gives_one(void **state)
{
    detent_error error = {0};
    detent_mechanism *m = NULL, *same = runs_parse(drawer, NULL);
    const char *const gravity[] = {"0", "0", "0"};
    (void)state;
    runs_must(detent_mechanism_create("drawer", NULL, &m, &error), &error);
    runs_must(detent_set_gravity_law(m, gravity, &error), &error);
    say(m, "bodies", "drawer", "{mass: 2, inertia: [1, 1, 1]}");
    say(m, "joints", "slide", "{type: prismatic, base: ground, follower: drawer, axis: [1, 0, 0]}");
    say(m, "loads", "push", "{body: drawer, at: [0, 0.5, 0], force: [10*t, 0, 0]}");
    detent_bearing bearing = {.size = sizeof bearing, .coefficient = 0.1, .length = 0.2};
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    stiction.primitive = "slide";
    stiction.bearing = &bearing;
    runs_must(detent_add_stiction(m, &stiction, &error), &error);
    memset(&bearing, 0, sizeof bearing);
    runs_must(detent_mechanism_finish(m, &error), &error);
    detent_settings settings = runs_settings(same, 0, 0);
    detent_simulation *sim[2] = {runs_start(m, &settings), runs_start(same, &settings)};
    for (int n = 0; n < 2; n++) {
        runs_advance(sim[n], 2);
    }
    assert_true(runs_position(m, sim[0], "slide") == runs_position(same, sim[1], "slide"));
    runs_end(sim[0], m);
    runs_end(sim[1], same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drawer_binds),
        cmocka_unit_test(a_drawer_lets_go_on_time),
        cmocka_unit_test(a_rod_leaves_its_bush),
        cmocka_unit_test(a_hinge_follows_its_load),
        cmocka_unit_test(inertia_binds_what_slides),
        cmocka_unit_test(formulas_say_the_same),
        cmocka_unit_test(a_loop_rubs_in_its_guide),
        cmocka_unit_test(a_program_gives_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
