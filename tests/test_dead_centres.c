/*
 * Joints of a loop whose velocity is zero while the others move: the slider of a crank at its dead centre. Nothing can hold
 * them there, at the start or on the way, whatever their friction is. In all variants, the loop cut at any of its joints.
 */
#include "base/arena.h"
#include "dynamics/closure.h"
#include "dynamics/newton.h"
#include "support_trees.h"
#include "support_variants.h"

static const double radius = 0.2, length = 0.6, pi = 3.14159265358979323846;

/** A slider-crank without gravity at crank angle 0 or pi, `crank` after its initial position. */
static void write_slider_crank(char *text, size_t size, int cut, bool inner, const char *crank,
                               const char *more)
{
    static const char *const pins[] = {
        "  b: {type: revolute, base: arm, follower: rod, axis: [0, 0, 1], at: {base: [0.2, 0, "
        "0]}}\n",
        "  c: {type: revolute, base: slider, follower: rod, axis: [0, 0, 1],"
        " at: {follower: [0.6, 0, 0]}}\n",
        "  s: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0],"
        " initial: {position: %.17g}}\n"};
    char pin[3][256];
    for (int k = 0; k < 3; k++) {
        snprintf(pin[k], sizeof pin[k], pins[k], inner ? length - radius : length + radius);
    }
    snprintf(text, size,
             "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  arm: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
             "  rod: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.03, 0.03, 0.03]}\n"
             "  slider: {mass: 1}\njoints:\n"
             "  a: {type: revolute, base: ground, follower: arm, axis: [0, 0, 1], %s}\n%s%s%s%s",
             crank, pin[(cut + 1) % 3], pin[(cut + 2) % 3], pin[cut], more);
}

/** Where a slider that starts at a dead centre stands when it has gone so far, by strokes of twice the radius. */
static double fold(double way, bool inner)
{
    const double stroke = 2 * radius, last = remainder(way, 2 * stroke);
    return inner ? length - radius + fabs(last) : length + radius - fabs(last);
}

/** The friction of the slider alone takes all the energy: it stops where friction times way is that. */
static void slider_takes_the_energy(void **state)
{
    (void)state;
    for (size_t k = 0; k < 4 * VARIANTS; k++) {
        static const double frictions[] = {10, 4, 0.5, 1.3};
        const variant v = variant_at(k / 4);
        const double friction = frictions[k % 4];
        const bool inner = k % 3 == 1;
        const int sign = k % 5 < 2 ? 1 : -1;
        /* arm 1 J; rod 2 m/s at its pin, 1 m/s at its centre, 10/3 rad/s */
        const double energy = 1 + 0.5 + 0.5 * 0.03 * 100 / 9;
        char text[4096], crank[128], more[256];
        detent_error error;
        double x[2];
        snprintf(crank, sizeof crank, "initial: {position: %.17g, velocity: %d, priority: exact}",
                 inner ? pi : 0, 10 * sign);
        snprintf(more, sizeof more,
                 "stiction: {s: {kinetic: %g, static: %g}}\noutputs: [position(s), velocity(a)]\n"
                 "simulation: {end: 20, rtol: 1e-9}\n",
                 friction, 1.5 * friction);
        write_slider_crank(text, sizeof text, (int)(k % 3), inner, crank, more);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 20);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 2, &error), &error);
        const double where = fold(energy / friction, inner);
        if (!(fabs(x[0] - where) <= 1e-7) || x[1] != 0) {
            fail_msg("%s, friction %g: stops at %.12g with %g rad/s, not at %.12g", variant_name(v),
                     friction, x[0], x[1], where);
        }
        runs_end(sim, m);
    }
}

/** A driven crank takes the slider along from the start, through many dead centres; the drive's work is that of friction. */
static void driven_crank_takes_the_slider_along(void **state)
{
    (void)state;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        char text[4096], crank[128];
        detent_error error;
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        const double work = -6 * 4 * (3 * radius + 0.2 * asin(radius / length));
        double x[2], before = length + radius;
        snprintf(crank, sizeof crank, "motion: \"2*t\"");
        write_slider_crank(text, sizeof text, (int)(k % 3), false, crank,
                           "stiction: {s: {kinetic: 3, static: 5},"
                           " c: {kinetic: 0.2, static: 0.2}}\n"
                           "outputs: [position(s), friction(s)]\n"
                           "simulation: {end: 20, rtol: 1e-9}\n");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int part = 1; part <= 24;
             part++) { /* quarters of a turn: of s, or of c, from one dead centre to the next */
            const double t = 0.25 * pi * part;
            variant_advance(sim, v, t - 1e-6);
            runs_must(detent_read(sim, DETENT_OUTPUTS, x, 2, &error), &error);
            if (!(fabs(fabs(x[1]) - 3) <= 1e-12) || x[1] * (x[0] - before) >= 0) {
                fail_msg("%s: friction %.17g, from %g to %g", variant_name(v), x[1], before, x[0]);
            }
            before = x[0];
            variant_advance(sim, v, t + (part < 24 ? 1e-6 : -1e-6));
        }
        runs_must(detent_advance(sim, 6 * pi, false, &error), &error);
        detent_get_statistics(sim, &statistics);
        if (!(fabs(statistics.friction_work - work) <= 1e-7 * -work)) {
            fail_msg("%s: %.12g J instead of %.12g J", variant_name(v), statistics.friction_work,
                     work);
        }
        runs_end(sim, m);
    }
}

/** A crank that stands at the dead centre and starts smoothly: at first order the slider does not move, at second order it has to. */
static void started_crank_takes_the_slider_along(void **state)
{
    static const struct {
        const char *motion;
        double turn; /* at 2 s: less than half a turn */
    } starts[] = {{"0.7*t^2", 2.8},
                  {"-0.1*t^4", -1.6},
                  {"if(t < 1.25, 0, 3*(t - 1.25)^3)", 3 * 0.75 * 0.75 * 0.75},
                  {"if(t < 1.25, 0, 1 - cos(2*(t - 1.25)))", 0.9292627983322971}};
    static const char *const frictions[] = {"3", "0.1*reaction_force(b)", "0.2*normal_force(s)"};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        for (size_t n = 0; n < sizeof starts / sizeof *starts; n++) {
            for (size_t f = 0; f < sizeof frictions / sizeof *frictions; f++) {
                const bool inner = (k + n) % 2 == 1;
                const double angle = starts[n].turn + (inner ? pi : 0), reach = radius * sin(angle);
                char text[4096], crank[256], more[512];
                snprintf(crank, sizeof crank, "motion: \"%.17g + %s\"", inner ? pi : 0,
                         starts[n].motion);
                snprintf(more, sizeof more,
                         "stiction: {s: {kinetic: \"%s\", static: \"1.5*%s\"}}\n"
                         "simulation: {end: 2, rtol: 1e-9}\n",
                         frictions[f], frictions[f]);
                write_slider_crank(text, sizeof text, (int)((k + f) % 3), inner, crank, more);
                detent_mechanism *m = runs_parse(text, NULL);
                detent_simulation *sim = variant_start(m, v);
                detent_statistics statistics = DETENT_INIT(detent_statistics);
                variant_advance(sim, v, 2);
                const double place = radius * cos(angle) + sqrt(length * length - reach * reach),
                             start = inner ? length - radius : length + radius;
                variant_check(v, starts[n].motion, runs_position(m, sim, "s"), place, 1e-9);
                detent_get_statistics(sim, &statistics);
                if (f == 0) {
                    variant_check(v, "work", statistics.friction_work, -3 * fabs(place - start),
                                  1e-7);
                }
                assert_true(statistics.friction_work < 0);
                runs_end(sim, m);
            }
        }
    }
}

/** Locked, the slider would let the loop come apart: rows that say nothing new do not hold; elsewhere, and at rest, they do. */
static void what_nothing_can_hold_does_not_agree(void **state)
{
    (void)state;
    char text[4096];
    write_slider_crank(text, sizeof text, 0, false, "initial: {position: 0}",
                       "stiction: {s: {kinetic: 1, static: 1}}\n");
    detent_mechanism *m = runs_parse(text, NULL);
    dt_arena arena;
    dt_arena_init(&arena, NULL);
    dt_system s;
    assert_int_equal(dt_system_create(&arena, m, &s, NULL), DETENT_OK);
    dt_newton *newton = dt_newton_create(&arena, &s, DETENT_LINEAR_SOLVER_TREE);
    assert_non_null(newton);
    const int slider = s.tree->nodes[m->stictions[0].primitive].v;
    for (int moves = 0; moves < 2; moves++) {
        for (int held = 0; held < 2; held++) {
            memcpy(s.q, m->position, (size_t)s.tree->nq * sizeof *s.q);
            memset(s.v, 0, (size_t)s.tree->nv * sizeof *s.v);
            for (int i = 0; i < s.tree->nv; i++) {
                s.v[i] = i == slider || !moves ? 0 : 1;
            }
            s.mode[0] = held ? DETENT_LOCKED : DETENT_WAIT;
            s.direction[0] = held ? 0 : -1;
            dt_system_set_state(&s, 0, s.q, s.v);
            memset(s.a, 0, (size_t)s.tree->nv * sizeof *s.a);
            assert_int_equal(dt_solve_accelerations(newton, &s, NULL, NULL), DETENT_OK);
            assert_int_equal(dt_closure_agrees(&s), !(moves && held));
        }
    }
    dt_arena_free(&arena);
    detent_mechanism_destroy(m);
}

/** Others of its loop do not feel what is left of the velocity of a joint that stops there: by the watch of this test, at a tight tolerance. */
static void who_stops_there_pulls_nobody(void **state)
{
    (void)state;
    detent_mechanism *m = runs_load("../tests/found/stop_at_a_dead_centre.yaml", NULL);
    detent_settings settings =
        variant_settings(m, (variant){DETENT_INTEGRATOR_IDA, DETENT_LOCKED_JOINTS_CONSTRAIN,
                                      DETENT_LINEAR_SOLVER_TREE});
    settings.rtol = 1e-9;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_simulation *sim = NULL;
    detent_error error;
    runs_must(detent_simulation_create(m, &options, &sim, &error), &error);
    runs_must(detent_advance(sim, 0.92, false, &error), &error);
    runs_end(sim, m);
}

/**
 * Two rods of a metre and a half, and a slider across them: three joints, no freedom. Stretched, the slider can move at first order.
 * `angle` of the first rod at its pin; the loop cut at one of the three.
 */
static void write_structure(char *text, size_t size, int cut, double angle, double gravity,
                            const char *more)
{
    static const char *const pins[] = {
        "  a: {type: revolute, base: ground, follower: arm, axis: [0, 0, 1], initial: {position: "
        "%.17g}}\n",
        "  b: {type: revolute, base: arm, follower: rod, axis: [0, 0, 1], at: {base: [1, 0, 0]}, "
        "initial: {position: %.17g}}\n",
        "  s: {type: prismatic, base: ground, follower: rod, axis: [0, 1, 0], at: {base: [%.17g, "
        "%.17g, 0], "
        "follower: [0.5, 0, 0]}}\n"};
    char pin[3][256];
    snprintf(pin[0], sizeof pin[0], pins[0], angle);
    snprintf(pin[1], sizeof pin[1], pins[1], -angle);
    snprintf(pin[2], sizeof pin[2], pins[2], cos(angle) + 0.5, sin(angle));
    snprintf(text, size,
             "detent: 1\ngravity: [0, %g, 0]\nbodies:\n"
             "  arm: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
             "  rod: {mass: 1, center_of_mass: [0.25, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
             "outputs: [position(a), position(b), position(s)]\njoints:\n%s%s%s%s",
             gravity, pin[(cut + 1) % 3], pin[(cut + 2) % 3], pin[cut], more);
}

/** How a run of the structure ends: whether it stays where it is, to the last bit, or is said to be a structure. */
static void check_structure(const detent_mechanism *m, variant v, bool stands, const char *text)
{
    detent_error error = {.message = ""};
    detent_simulation *sim = NULL;
    double before[3] = {0}, after[3] = {0};
    const detent_settings settings = variant_settings(m, v);
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_status status = detent_simulation_create(m, &options, &sim, &error);
    if (status == DETENT_OK) {
        runs_must(detent_read(sim, DETENT_OUTPUTS, before, 3, &error), &error);
        status = detent_advance(sim, 0.1, false, &error);
    }
    if (status == DETENT_OK) {
        runs_must(detent_read(sim, DETENT_OUTPUTS, after, 3, &error), &error);
    }
    const bool stays = status == DETENT_OK && before[0] == after[0] && before[1] == after[1] &&
                       before[2] == after[2],
               refused = status == DETENT_NO_CONSISTENT_STATE && strstr(error.message, "structure");
    if (stands ? !stays : !refused) {
        fail_msg("%s: status %d: %s\n%s", variant_name(v), (int)status, error.message, text);
    }
    detent_simulation_destroy(sim);
}

/** A structure that stands in a dead centre is refused where something would move it; held, or off that, it stands. */
static void structure_in_a_dead_centre_is_no_mechanism(void **state)
{
    static const struct {
        double angle, gravity;
        const char *more;
        bool stands;
    } cases[] = {
        {0, -9.81, "", false},   {0, -9.81, "stiction:\n  s: {kinetic: 1, static: 2}\n", false},
        {0, 0, "", true},        {0, -9.81, "stiction:\n  s: {kinetic: 100, static: 120}\n", true},
        {1e-3, -9.81, "", true}, {0.3, -9.81, "stiction:\n  s: {kinetic: 1, static: 2}\n", true}};
    (void)state;
    for (size_t n = 0; n < 3 * sizeof cases / sizeof *cases; n++) {
        char text[2048];
        write_structure(text, sizeof text, (int)(n % 3), cases[n / 3].angle, cases[n / 3].gravity,
                        cases[n / 3].more);
        detent_mechanism *m = runs_parse(text, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            check_structure(m, variant_at(k), cases[n / 3].stands, text);
        }
        detent_mechanism_destroy(m);
    }
}

/*
 * A toggle press whose toggle is straight where its crank is at its dead centre: the guide goes on as the fourth power of what is left, and there
 * is no acceleration to tell which way. Where the motor stands a little nearer both are passed one after the other, as
 * dead centres are: the run goes to where these go in the limit, to second order in how much nearer. The same where it starts there.
 */
static double press_at(variant v, double nearer, bool starts_there)
{
    const double begun = starts_there ? 0 : 1; /* of the way */
    char text[2048];
    double x[1];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
             "  crank: {mass: 2, center_of_mass: [0.05, 0, 0], inertia: [0.001, 0.004, 0.004]}\n"
             "  rod: {mass: 3, center_of_mass: [0.2, 0, 0], inertia: [0.001, 0.05, 0.05]}\n"
             "  upper: {mass: 4, center_of_mass: [0, -0.15, 0], inertia: [0.04, 0.001, 0.04]}\n"
             "  lower: {mass: 4, center_of_mass: [0, -0.15, 0], inertia: [0.04, 0.001, 0.04]}\n"
             "  ram: {mass: 10}\njoints:\n"
             "  motor: {type: revolute, base: ground, follower: crank, at: {base: [%.17g, -0.3, "
             "0]}, initial: {position: %.17g deg}}\n"
             "  wrist: {type: revolute, base: crank, follower: rod, at: {base: [0.1, 0, 0]}, "
             "initial: {position: %.17g deg}}\n"
             "  top: {type: revolute, base: ground, follower: upper, initial: {position: %.17g "
             "deg}}\n"
             "  knee: {type: revolute, base: upper, follower: lower, at: {base: [0, -0.3, 0]}, "
             "initial: {position: %.17g deg}}\n"
             "  guide: {type: prismatic, base: ground, follower: ram, axis: [0, -1, 0], initial: "
             "{position: %.17g}}\n"
             "  foot: {type: revolute, base: lower, follower: ram, at: {base: [0, -0.3, 0]}}\n"
             "  elbow: {type: revolute, base: rod, follower: upper, at: {base: [0.4, 0, 0], "
             "follower: [0, -0.3, 0]}}\n"
             "stiction:\n"
             "  motor: {kinetic: 1, static: 1.5, external: '60*(1 - velocity(motor)/2)'}\n"
             "  knee: {kinetic: 0.5, static: 0.8}\n  top: {kinetic: 0.3, static: 0.45}\n"
             "  guide: {kinetic: 20, static: 30}\n"
             "outputs: [position(motor)]\nsimulation: {end: 4, rtol: 1e-8}\n",
             -0.5 + nearer, 90 * begun, -102 * begun, -20 * begun, 40 * begun, 0.6 - 0.04 * begun);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = variant_start(m, v);
    variant_outputs(sim, v, 4, x, 1);
    detent_simulation_destroy(sim);
    detent_mechanism_destroy(m);
    return x[0];
}

static void toggle_that_a_crank_straightens_at_its_own(void **state)
{
    (void)state;
    static const double nearer = 1e-6;
    for (int there = 0; there < 2; there++) {
        const variant first = variant_at(0);
        const double limit =
            2 * press_at(first, nearer, there) - press_at(first, 2 * nearer, there);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            variant_near(variant_at(k), press_at(variant_at(k), 0, there), limit, 1e-7);
        }
    }
}

/** A Cardan shaft whose fork is where it turns about its cross by nothing: on a base that goes steadily it is what it is on the ground. */
static void a_shaft_is_carried_along(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {W: {mass: 0}, a: {mass: 1, inertia: [0.01, 0.01, 0.02]},"
        " b: {mass: 1, inertia: [0.01, 0.01, 0.02]}}\n"
        "joints:\n"
        "  W: {type: prismatic, base: ground, follower: W, axis: %s, speed: %g}\n"
        "  a: {type: revolute, base: W, follower: a}\n"
        "  u: {type: universal, base: a, follower: b, primitives: {r1: {initial: {position: "
        "0.5}}}}\n"
        "  b: {type: revolute, base: W, follower: b,"
        " at: {base: {rotation: {axis: [1, 0, 0], angle: 0.5}}}}\n"
        "stiction:\n"
        "  a: {kinetic: 0.2, static: 0.3, external: 2*t}\n"
        "  u.r1: {kinetic: 0.1, static: 0.15}\n"
        "simulation: {end: 0.4, rtol: 1e-9}\n";
    static const char *const axes[] = {"[0, 0, 1]", "[0, 1, 0]", "[1, 1, 1]"};
    static const double speeds[] = {0, 1e-9, 1.7, 300};
    double on_ground = NAN;
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t n = 0; n < 12; n++) {
            char file[2048];
            snprintf(file, sizeof file, text, axes[n / 4], speeds[n % 4]);
            const variant v = variant_at(k);
            detent_mechanism *m = runs_parse(file, NULL);
            detent_simulation *s = variant_start(m, v);
            variant_advance(s, v, 0.4);
            const double angle = runs_position(m, s, "a");
            on_ground = isnan(on_ground) ? angle : on_ground;
            variant_check(v, axes[n / 4], angle, on_ground, 1e-8);
            detent_simulation_destroy(s);
            detent_mechanism_destroy(m);
        }
    }
    assert_true(fabs(on_ground - 0.233764936) <
                1e-8); /* which steps of rk4 converge to, on the ground */
}

/*
 * A crank at rest at its dead centre, on which no force acts yet: the slide, which rubs, goes along as soon as one does. Against steps of Runge and Kutta
 * (h = 5e-5 s) for the angle of the crank alone, with the inertia that it has there.
 */
static void leaves_without_a_force(const char *force, double end, double angle, double since)
{
    char text[2048];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies:\n"
             "  c: {mass: 1, inertia: [0.01, 0.01, 0.02]}\n"
             "  r: {mass: 0.5, center_of_mass: [0.15, 0, 0], inertia: [0.0001, 0.004, 0.004]}\n"
             "  s: {mass: 1}\n  other: {mass: 1}\njoints:\n"
             "  c: {type: revolute, base: ground, follower: c, force: \"%s\"}\n"
             "  p: {type: revolute, base: c, follower: r, at: {base: [0.1, 0, 0]}}\n"
             "  s: {type: prismatic, base: ground, follower: s, axis: [1, 0, 0], initial: "
             "{position: 0.4}}\n"
             "  w: {type: revolute, base: s, follower: r, at: {follower: [0.3, 0, 0]}}\n"
             "  other: {type: prismatic, base: ground, follower: other, initial: {velocity: 1}}\n"
             "stiction: {s: {kinetic: 1, static: 2}}\nsimulation: {rtol: 1e-9}\n",
             force);
    detent_mechanism *m = runs_parse(text, NULL);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *s = variant_start(m, v);
        variant_advance(s, v, since);
        assert_true(runs_position(m, s, "c") == 0);
        variant_advance(s, v, end);
        variant_check(v, force, runs_position(m, s, "c"), angle, 1e-8);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

static void a_crank_leaves_without_a_force(void **state)
{
    UNUSED(state);
    leaves_without_a_force("2*t", 0.4, 0.837653176620, 0);
    leaves_without_a_force("-2*t", 0.4, -0.837653176620, 0);
    leaves_without_a_force("2*position(other)", 0.4, 0.837653176620, 0);
    leaves_without_a_force("20*t^3", 0.4, 0.442923537680, 0);
    leaves_without_a_force("20*max(0, t - 0.1)", 0.2, 0.152405926682, 0.1);
    leaves_without_a_force("0", 0.4, 0, 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shaft_is_carried_along),
        cmocka_unit_test(a_crank_leaves_without_a_force),
        cmocka_unit_test(slider_takes_the_energy),
        cmocka_unit_test(driven_crank_takes_the_slider_along),
        cmocka_unit_test(started_crank_takes_the_slider_along),
        cmocka_unit_test(what_nothing_can_hold_does_not_agree),
        cmocka_unit_test(who_stops_there_pulls_nobody),
        cmocka_unit_test(structure_in_a_dead_centre_is_no_mechanism),
        cmocka_unit_test(toggle_that_a_crank_straightens_at_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
