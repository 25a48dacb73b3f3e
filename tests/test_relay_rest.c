/*
 * A relay on the velocity of a joint with stiction, whose static friction is more than the kinetic one. At v = 0 the relay may take any
 * value between its two (Filippov), so the joint is held up to the sum of both: a relay of F beside a stiction of k and s is stiction of
 * F + k and F + s. Exact solutions of a block of 1 kg, and the same chains said with stiction alone.
 */
#include "support_variants.h"

static const double kinetic = 0.2, held = 0.3; /* N */
static const double band = 1e-3;               /* m/s */
static const char *const lockings[] = {"crossing", "band"};

/** A block with an external force, started at v0. */
static detent_mechanism *make(const char *law, double v0, const char *locking, double end)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "inputs: {u: 0, load: 0}\n"
        "bodies: {a: {mass: 1}}\n"
        "joints: {x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: "
        "{velocity: %.17g}}}\n"
        "stiction: {x: {velocity_threshold: %.17g, kinetic: %.17g, static: %.17g, locking: %s, "
        "external: \"%s\"}}\n"
        "outputs: [force(x), friction(x)]\n"
        "simulation: {end: %.17g, rtol: 1e-8}\n",
        v0, band, kinetic, held, locking, law, end);
    return runs_parse(text, NULL);
}

/** What an impulse at the band takes of a time at which a joint is stopped by `a`, and of the way. */
static double early(const char *locking, double a)
{
    return strcmp(locking, "band") == 0 ? band / a : 0;
}

/** Runs a block in every variant and hands each run over at its end, with the log. */
static void in_every_variant(const char *law, double v0, double end, size_t most_events,
                             void (*check)(const detent_mechanism *, detent_simulation *,
                                           const runs_log *, const char *locking, double v0))
{
    for (size_t l = 0; l < 2; l++) {
        detent_mechanism *m = make(law, v0, lockings[l], end);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            detent_statistics statistics = DETENT_INIT(detent_statistics);
            runs_log log = {0};
            detent_simulation *s = variant_start(m, variant_at(k));
            runs_record(s, end, &log);
            check(m, s, &log, lockings[l], v0);
            detent_get_statistics(s, &statistics);
            assert_true(statistics.events <= most_events);
            assert_true(statistics.steps <= 100 * most_events);
            runs_log_free(&log);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/* ---- it stops, and stays ---- */

/** By 0.9 N and the kinetic friction; then exactly at rest, in balance and within the static limit. */
static void check_stopped(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                          const char *locking, double v0)
{
    const double a = 0.9 + kinetic, stop = fabs(v0) / a, way = v0 * fabs(v0) / (2 * a);
    const double friction = runs_output(m, s, "friction(x)");
    runs_near("stops", runs_time_of(log, 0, DETENT_LOCKED, 0), stop, 1e-7 + early(locking, a));
    runs_near("where", runs_position(m, s, "x"), way, 1e-7 + band * early(locking, a));
    assert_true(runs_velocity(m, s, "x") == 0);
    assert_int_equal(runs_mode(m, s, "x"), DETENT_LOCKED);
    runs_near("balance", runs_output(m, s, "force(x)") + friction, 0, 1e-12);
    assert_true(fabs(friction) <= held);
}

static void a_relay_and_stiction_stop_a_block(void **state)
{
    UNUSED(state);
    static const char *const laws[] = {"-0.9*sign(velocity(x))", "-0.9*sign(velocity(x) - 0.1*u)",
                                       "if(velocity(x) > 0, -0.9, 0.9)",
                                       "if(velocity(x) >= 0, -0.9, 0.9)",
                                       "if(not (velocity(x) < 0), -0.9, 0.9)"};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        in_every_variant(laws[k], 1, 2, 5, check_stopped);
        in_every_variant(laws[k], -1, 2, 5, check_stopped);
    }
}

/** At v = 0 the sign is 0: a relay within the static limit does not act on what rests. */
static void check_value_at_rest(const detent_mechanism *m, detent_simulation *s,
                                const runs_log *log, const char *locking, double v0)
{
    UNUSED(log), UNUSED(locking), UNUSED(v0);
    assert_int_equal(runs_mode(m, s, "x"), DETENT_LOCKED);
    assert_true(runs_output(m, s, "force(x)") == 0);
}

static void check_condition_at_rest(const detent_mechanism *m, detent_simulation *s,
                                    const runs_log *log, const char *locking, double v0)
{
    UNUSED(log), UNUSED(locking), UNUSED(v0);
    assert_int_equal(runs_mode(m, s, "x"), DETENT_LOCKED);
    runs_near("velocity(x) > 0 does not hold", runs_output(m, s, "force(x)"), 0.25, 0);
}

static void laws_have_their_value_at_rest(void **state)
{
    UNUSED(state);
    for (double v0 = -1; v0 <= 1; v0++) {
        in_every_variant("-0.25*sign(velocity(x))", v0, 3, 5, check_value_at_rest);
        in_every_variant("-0.9*sign(velocity(x))", v0, 3, 5, check_value_at_rest);
        in_every_variant("if(velocity(x) > 0, -0.25, 0.25)", v0, 3, 5, check_condition_at_rest);
    }
}

/* ---- loads ---- */

/** Held as long as the load is below F + s: at rest from then on. */
static void check_load_is_held(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                               const char *locking, double v0)
{
    UNUSED(locking), UNUSED(v0);
    assert_true(runs_time_of(log, 0, DETENT_LOCKED, 0) > 0);
    assert_int_equal(runs_mode(m, s, "x"), DETENT_LOCKED);
    assert_true(runs_velocity(m, s, "x") == 0);
    assert_true(fabs(runs_output(m, s, "friction(x)")) <= held * (1 + 1e-9));
}

/** 1.3 N are more than both: stopped by 2.4 N, then on with what F + k leave. */
static void check_load_goes_on(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                               const char *locking, double v0)
{
    UNUSED(log), UNUSED(locking);
    runs_near("goes on", runs_velocity(m, s, "x"), 0.2 * (3 - fabs(v0) / 2.4), 1e-7);
}

static void loads_are_held_up_to_the_sum(void **state)
{
    UNUSED(state);
    in_every_variant("-0.9*sign(velocity(x)) + 0.2", -1, 3, 6, check_load_is_held);
    in_every_variant("-0.9*sign(velocity(x)) + 0.7", -1, 3, 6, check_load_is_held);
    in_every_variant("-0.9*sign(velocity(x)) + 1.19", -1, 3, 6, check_load_is_held);
    in_every_variant("if(velocity(x) > 0, -0.9, 0.9) + 1.19", -1, 3, 6, check_load_is_held);
    in_every_variant("-0.9*sign(velocity(x)) + 1.3", -1, 3, 8, check_load_goes_on);
    in_every_variant("if(velocity(x) > 0, -0.9, 0.9) + 1.3", -1, 3, 8, check_load_goes_on);
}

/** A load that grows by 0.5 N/s, along v0 or against: it gives way at F + s. */
static void check_gives_way(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                            double force, double sign)
{
    const double rate = 0.5, leaves = (force + held) / rate;
    double released = NAN;
    for (size_t n = 0; n < log->count; n++) {
        released = log->change[n].from == DETENT_LOCKED && log->change[n].to == DETENT_WAIT
                       ? log->change[n].time
                       : released;
    }
    const double t = 4 - leaves;
    runs_near("gives way", released, leaves, 1e-7);
    runs_near("goes", runs_velocity(m, s, "x"), sign * ((held - kinetic) * t + rate * t * t / 2),
              1e-7);
}

static void check_strong(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                         const char *locking, double v0)
{
    UNUSED(locking);
    check_gives_way(m, s, log, 0.9, v0 < 0 ? -1 : 1);
}

static void check_weak(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                       const char *locking, double v0)
{
    UNUSED(locking);
    check_gives_way(m, s, log, 0.25, v0 < 0 ? -1 : 1);
}

static void a_growing_load_breaks_both(void **state)
{
    UNUSED(state);
    const char *const ups[] = {"-0.9*sign(velocity(x)) + 0.5*t",
                               "if(velocity(x) > 0, -0.9, 0.9) + 0.5*t"},
                      *const weak[] = {"-0.25*sign(velocity(x)) + 0.5*t",
                                       "if(velocity(x) > 0, -0.25, 0.25) + 0.5*t"};
    for (size_t k = 0; k < 2; k++) {
        in_every_variant(ups[k], 0, 4, 12, check_strong);
        in_every_variant(ups[k], 0.1, 4, 12, check_strong);
        in_every_variant(weak[k], 0, 4, 12, check_weak);
    }
    in_every_variant("-0.9*sign(velocity(x)) - 0.5*t", -0.1, 4, 12, check_strong);
    in_every_variant("if(velocity(x) > 0, -0.25, 0.25) - 0.5*t", -0.1, 4, 12, check_weak);
}

/** Positive feedback is no friction: with the branch of its own motion it goes on, be it from rest. */
static void check_feedback(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                           const char *locking, double v0)
{
    UNUSED(log), UNUSED(locking), UNUSED(v0);
    runs_near("driven on", runs_velocity(m, s, "x"), (0.5 + 0.4 - kinetic) * 2, 1e-7);
}

static void a_relay_that_drives_is_left_alone(void **state)
{
    UNUSED(state);
    in_every_variant("0.5*sign(velocity(x)) + 0.4", 0, 2, 5, check_feedback);
    in_every_variant("if(velocity(x) > 0, 0.5, 0) + 0.4", 0, 2, 5, check_feedback);
}

/* ---- borders elsewhere ---- */

/** At 0.05 m/s it slides, moving, with kinetic friction. */
static void check_speed(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                        const char *locking, double v0)
{
    const double t = (v0 - 0.05) / (0.9 + kinetic);
    UNUSED(log), UNUSED(locking);
    runs_near("speed", runs_velocity(m, s, "x"), 0.05, 1e-9);
    runs_near("force", runs_output(m, s, "force(x)"), kinetic, 1e-8);
    runs_near("way", runs_position(m, s, "x"), 0.5 * (v0 + 0.05) * t + 0.05 * (2 - t), 1e-7);
}

static void a_border_at_a_speed_is_followed(void **state)
{
    UNUSED(state);
    in_every_variant("-0.9*sign(velocity(x) - 0.05)", 1, 2, 4, check_speed);
}

static void set_input(detent_simulation *s, size_t input, double value)
{
    detent_error error;
    runs_must(detent_set_input(s, input, value, &error), &error);
}

/** Inputs move the border away and back, and load what is held. */
static void inputs_move_border_and_load(void **state)
{
    UNUSED(state);
    const double up = 0.1 / (0.9 - kinetic), down = 0.1 / (0.9 + kinetic);
    for (size_t l = 0; l < 2; l++) {
        detent_mechanism *m = make("-0.9*sign(velocity(x) - 0.1*u) + load", 0, lockings[l], 12);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            const variant v = variant_at(k);
            detent_simulation *s = variant_start(m, v);
            for (int n = 0; n < 40; n++) { /* 1.19 N at most, back and forth */
                set_input(s, 1, 1.19 * sin(n));
                variant_advance(s, v, 0.1 * (n + 1));
                assert_true(runs_velocity(m, s, "x") == 0 && runs_position(m, s, "x") == 0);
            }
            set_input(s, 1, 0);
            set_input(s, 0, 1);
            variant_advance(s, v, 5);
            runs_near(variant_name(v), runs_velocity(m, s, "x"), 0.1, 1e-9);
            set_input(s, 0, 0);
            variant_advance(s, v, 6);
            assert_int_equal(runs_mode(m, s, "x"), DETENT_LOCKED);
            runs_near(variant_name(v), runs_position(m, s, "x"),
                      0.1 * up / 2 + 0.1 * (1 - up) + 0.1 * down / 2, 1e-6);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/* The velocity of another joint: y stops after 3.25 s, and from then on the relay of x is 0. */
static const char other[] =
    "detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1}, b: {mass: 1.3}}\njoints:\n"
    "  x: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: {velocity: 1}}\n"
    "  y: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0], initial: {velocity: 0.5}}\n"
    "stiction:\n"
    "  x: {velocity_threshold: 1e-3, kinetic: 0.2, static: 0.3, locking: %s, external: "
    "\"-0.9*sign(velocity(y))\"}\n"
    "  y: {velocity_threshold: 1e-3, kinetic: 0.2, static: 0.3, locking: %s}\n"
    "simulation: {end: 4.25, rtol: 1e-8}\n";

static void a_relay_on_another_joint_ends_with_its_motion(void **state)
{
    UNUSED(state);
    const double turns = 1 / 1.1, stops = 0.5 * 1.3 / kinetic,
                 speed = -(0.9 - kinetic) * (stops - turns) + kinetic * (4.25 - stops);
    for (size_t l = 0; l < 2; l++) {
        char text[1200];
        snprintf(text, sizeof text, other, lockings[l], lockings[l]);
        detent_mechanism *m = runs_parse(text, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            detent_simulation *s = variant_start(m, variant_at(k));
            variant_advance(s, variant_at(k), 4.25);
            /* y is stopped a bit earlier by its band, in an impulse that the friction of x has its part in */
            runs_near(variant_name(variant_at(k)), runs_velocity(m, s, "x"), speed,
                      1e-7 + (0.9 + kinetic) * early(lockings[l], kinetic / 1.3));
            assert_int_equal(runs_mode(m, s, "y"), DETENT_LOCKED);
            detent_simulation_destroy(s);
        }
        detent_mechanism_destroy(m);
    }
}

/* ---- against stiction ---- */

enum { LINKS = 3 };
static const double relay[LINKS] = {0.9, 0.5, 0.7};
static const double slow = 1e-6; /* m/s, their velocity threshold */

/** A chain along a line, with relays beside stictions, or stictions of the sum; a load on its last joint. */
static detent_mechanism *make_chain(bool relays, const char *locking, double load)
{
    static const double v0[LINKS] = {1, -0.5, 0.3};
    char text[4000];
    int n = snprintf(text, sizeof text, "detent: 1\ngravity: [0, 0, 0]\nbodies:\n");
    for (int i = 0; i < LINKS; i++) {
        n += snprintf(text + n, sizeof text - (size_t)n, "  b%d: {mass: %g}\n", i, 1 + 0.3 * i);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "joints:\n");
    for (int i = 0; i < LINKS; i++) {
        char base[16];
        snprintf(base, sizeof base, "b%d", i - 1);
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  j%d: {type: prismatic, base: %s, follower: b%d, axis: [1, 0, 0], initial: "
                      "{velocity: %g}}\n",
                      i, i == 0 ? "ground" : base, i, v0[i]);
    }
    n += snprintf(text + n, sizeof text - (size_t)n, "stiction:\n");
    for (int i = 0; i < LINKS; i++) {
        const double F = relays ? relay[i] : 0, more = relays ? 0 : relay[i];
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  j%d: {velocity_threshold: %g, kinetic: %.17g, static: %.17g, locking: "
                      "%s, external: \"-%g*sign(velocity(j%d)) + %g*sin(3*t)\"}\n",
                      i, slow, kinetic + more, held + more, locking, F, i,
                      i == LINKS - 1 ? load : 0);
    }
    snprintf(text + n, sizeof text - (size_t)n, "simulation: {end: 5, rtol: 1e-8}\n");
    return runs_parse(text, NULL);
}

static void chains_move_as_with_stiction_alone(void **state)
{
    UNUSED(state);
    static const double loads[] = {0, 0.9, 0.9 + 2e-7, 0.9 + 5e-7, 0.9 + 8e-7, 1.4, 2.5};
    for (size_t c = 0; c < 2 * sizeof loads / sizeof *loads; c++) {
        /* impulses of a band are those of friction alone: each changes velocities by that much for at most 5 s */
        const double near = c % 2 == 0 ? 1e-7 : 5 * 5 * slow;
        detent_mechanism *m[2];
        for (int k = 0; k < 2; k++) {
            m[k] = make_chain(k == 0, lockings[c % 2], loads[c / 2]);
        }
        for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
            detent_simulation *s[2] = {variant_start(m[0], variant_at(v)),
                                       variant_start(m[1], variant_at(v))};
            for (int t = 1; t <= 20; t++) {
                for (int k = 0; k < 2; k++) {
                    variant_advance(s[k], variant_at(v), 0.25 * t);
                }
                for (int i = 0; i < LINKS; i++) {
                    char name[8];
                    snprintf(name, sizeof name, "j%d", i);
                    runs_near(variant_name(variant_at(v)), runs_position(m[0], s[0], name),
                              runs_position(m[1], s[1], name), near);
                }
            }
            assert_true(runs_relative_energy_gap(s[0]) < 1e-6);
            detent_simulation_destroy(s[0]);
            detent_simulation_destroy(s[1]);
        }
        detent_mechanism_destroy(m[0]);
        detent_mechanism_destroy(m[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_relay_and_stiction_stop_a_block),
        cmocka_unit_test(laws_have_their_value_at_rest),
        cmocka_unit_test(loads_are_held_up_to_the_sum),
        cmocka_unit_test(a_growing_load_breaks_both),
        cmocka_unit_test(a_relay_that_drives_is_left_alone),
        cmocka_unit_test(a_border_at_a_speed_is_followed),
        cmocka_unit_test(inputs_move_border_and_load),
        cmocka_unit_test(a_relay_on_another_joint_ends_with_its_motion),
        cmocka_unit_test(chains_move_as_with_stiction_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
