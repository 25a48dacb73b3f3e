/*
 * Static friction that grows with the time at rest: a block that is pulled by a spring, against the map from one stop to the next; what
 * ends a rest and what does not; runs that are saved and restored at rest; who may read it.
 */
#include "support_variants.h"

/* ---- the exact solution ---- */

/** A mass of 1 on a spring k whose end moves at u; friction Fk in motion, Fk + grow (1 - exp(-r / T)) at rest. */
typedef struct pulled {
    double k, u, Fk, grow, T;
} pulled;

static double holds(const pulled *p, double r)
{
    return p->Fk + p->grow * (1 - exp(-r / p->T));
}

/** How long it rests where the spring pulls with F at first: F + k u r = holds(r). */
static double rest(const pulled *p, double F)
{
    double low = 0, high = 1;
    while (F + p->k * p->u * high < holds(p, high)) {
        high *= 2;
    }
    for (int n = 0; n < 200; n++) {
        const double r = 0.5 * (low + high);
        *(F + p->k * p->u * r < holds(p, r) ? &low : &high) = r;
    }
    return 0.5 * (low + high);
}

/**
 * How long it slips from a rest of r: with A = holds(r) - Fk the force z = k (u t - x) - Fk is A cos wt + k u / w sin wt; x' = 0 again where
 * z = -A, at w t = 2 pi - 2 atan(A w / (k u)).
 */
static double slip(const pulled *p, double A)
{
    const double w = sqrt(p->k);
    return (2 * acos(-1.0) - 2 * atan2(A * w, p->k * p->u)) / w;
}

static void say_pulled(runs_text *to, const char *name, const pulled *p)
{
    runs_say(to,
             "  %s: {external: %.17g*(%.17g*t - position(%s)), kinetic: %.17g, static: %.17g + "
             "%.17g*(1 - "
             "exp(-rest_time(%s)/%.17g))}\n",
             name, p->k, p->u, name, p->Fk, p->Fk, p->grow, name, p->T);
}

/** Two blocks, independent of each other. */
static char *say(const pulled *a, const pulled *b, double rtol)
{
    runs_text text = {0};
    runs_say(&text,
             "detent: 1\ngravity: [0, 0, 0]\nbodies: {p: {mass: 1}, q: {mass: 1}}\njoints:\n"
             "  a: {type: prismatic, base: ground, follower: p, axis: [1, 0, 0]}\n"
             "  b: {type: prismatic, base: ground, follower: q, axis: [0, 1, 0]}\nstiction:\n");
    say_pulled(&text, "a", a);
    say_pulled(&text, "b", b);
    runs_say(&text,
             "outputs: [rest_time(a), rest_time(b), mode(a), mode(b)]\nsimulation: {end: 20, rtol: "
             "%g}\n",
             rtol);
    return text.text;
}

/** Holds the breakaways and stops of a log against the map; up to `most` of them, the errors of which add up. */
static void compare(variant v, const runs_log *log, size_t joint, const pulled *p, size_t most,
                    double tolerance)
{
    double t = 0, F = 0;
    for (size_t n = 0; n < most; n++) {
        const double r = rest(p, F), A = holds(p, r) - p->Fk;
        t += r;
        variant_check(v, "breakaway", runs_time_of(log, joint, DETENT_WAIT, n), t, tolerance);
        t += slip(p, A);
        F = p->Fk - A;
        /* the first search is a change to locked, too */
        variant_check(v, "stop", runs_time_of(log, joint, DETENT_LOCKED, n + 1), t, tolerance);
    }
}

/** The first breakaway to rounding of the root, the others within the tolerance; events of one joint leave the rest of the other alone. */
static void breaks_away_on_time(void **state)
{
    static const pulled a = {100, 0.02, 1, 2, 2}, b = {64, 0.03, 0.5, 1, 0.7};
    char *text = say(&a, &b, 1e-11);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        runs_record(sim, 8, &log);
        compare(v, &log, 0, &a, 1, 1e-9);
        compare(v, &log, 0, &a, 8, 1e-9);
        compare(v, &log, 1, &b, 6, 1e-9);
        runs_log_free(&log);
        runs_end(sim, m);
    }
    free(text);
}

/** The mass is in two halves, geared to each other, and hangs on a hinge that is locked. */
static void geared_joints_rest_together(void **state)
{
    static const pulled a = {100, 0.02, 1, 2, 2};
    runs_text text = {0};
    (void)state;
    runs_say(
        &text,
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {arm: {mass: 1, inertia: [1, 1, 1]}, p: {mass: 0.5}, q: {mass: 0.5}}\njoints:\n"
        "  h: {type: revolute, base: ground, follower: arm}\n"
        "  a: {type: prismatic, base: arm, follower: p, axis: [0, 0, 1]}\n"
        "  b: {type: prismatic, base: arm, follower: q, axis: [0, 0, -1]}\n"
        "couplings: {both: {type: gear, joints: [b, a], ratio: 1}}\nstiction:\n"
        "  h: {kinetic: 1, static: 1}\n");
    say_pulled(&text, "a", &a);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text.text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        runs_record(sim, 6, &log);
        compare(v, &log, 1, &a, 6, 1e-6);
        runs_log_free(&log);
        runs_end(sim, m);
    }
    free(text.text);
}

/**
 * The faster it is pulled the shorter it rests, and the smaller is what the spring gains at rest and loses in a slip: at the end of a
 * run, after as many cycles of the map.
 */
static void amplitude_falls_with_speed(void **state)
{
    static const double speeds[] = {0.01, 0.02, 0.03, 0.045, 0.07};
    double before = INFINITY;
    (void)state;
    for (size_t n = 0; n < sizeof speeds / sizeof *speeds; n++) {
        const pulled p = {100, speeds[n], 1, 2, 0.5};
        char *text = say(&p, &p, 1e-10);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = runs_start(m, NULL);
        runs_log log = {0};
        runs_record(sim, 20, &log);
        double F = 0, A = 0, stop = 0, gain = 0;
        size_t cycles = 0;
        for (size_t c = 0; c < log.count; c++) {
            const detent_mode_change *change = &log.change[c];
            if (change->stiction == 0 && change->to == DETENT_LOCKED) {
                stop = change->time;
            } else if (change->stiction == 0 && change->to == DETENT_WAIT) {
                cycles++;
                gain = p.k * p.u * (change->time - stop);
            }
        }
        for (size_t c = 0; c + 1 < cycles; c++) {
            A = holds(&p, rest(&p, F)) - p.Fk;
            F = p.Fk - A;
        }
        assert_true(cycles > 3);
        runs_near("gain", gain, p.k * p.u * rest(&p, F), 1e-5 * gain);
        assert_true(gain < before);
        before = gain;
        runs_log_free(&log);
        runs_end(sim, m);
        free(text);
    }
}

/* ---- what ends a rest, and what does not ---- */

static const char block[] =
    "detent: 1\ngravity: [0, 0, 0]\ninputs: {push: 0}\n"
    "bodies: {p: {mass: 1}}\n"
    "joints: {a: {type: prismatic, base: ground, follower: p, axis: [1, 0, 0], initial: {velocity: "
    "%s}}}\n"
    "stiction: {a: {external: push, kinetic: 1, static: %s}}\n"
    "outputs: [rest_time(a), mode(a)]\nsimulation: {end: 20, rtol: 1e-10}\n";

/** It comes to rest at 2 s; an input that changes ends no rest, one that moves the block does. */
static void inputs_end_no_rest(void **state)
{
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, block, "2", "'1 + rest_time(a)*1 [N/s]'");
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error = {0};
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[2];
        variant_outputs(sim, v, 1, x, 2);
        assert_true(x[0] == 0 && x[1] == 2);
        variant_outputs(sim, v, 3, x, 2);
        variant_near(v, x[0], 1, 1e-9);
        runs_must(detent_set_input(sim, 0, 1.5, &error), &error);
        variant_outputs(sim, v, 3.5, x, 2);
        variant_near(v, x[0], 1.5, 1e-9);
        assert_true(x[1] == 0);
        runs_must(detent_set_input(sim, 0, 2.4, &error), &error); /* 2.5 hold it */
        variant_outputs(sim, v, 3.75, x, 2);
        variant_near(v, x[0], 1.75, 1e-9);
        runs_must(detent_set_input(sim, 0, 2.8, &error), &error); /* 2.75 do not */
        variant_outputs(sim, v, 4, x, 2);
        assert_true(x[0] == 0 && x[1] > 0);
        /* 0.25 s at 1.8 m/s^2; then at 1 m/s^2 to rest in 0.45 s */
        runs_must(detent_set_input(sim, 0, 0, &error), &error);
        variant_outputs(sim, v, 6, x, 2);
        variant_near(v, x[0], 6 - 4.45, 1e-9);
        runs_end(sim, m);
    }
}

/** A limit that t switches at a time after the stop, which is known at the stop alone; the force on it is 2. */
static void a_step_of_the_limit_is_met(void **state)
{
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, block, "-2", "'if(rest_time(a) < 0.7, 3, 1.5)'");
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error = {0};
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log log = {0};
        runs_must(detent_set_input(sim, 0, 2, &error), &error);
        runs_record(sim, 5, &log);
        /* 2 m/s are gone after 2/3 s at 2 + 1 m/s^2 */
        variant_near(v, runs_time_of(&log, 0, DETENT_LOCKED, 0), 2.0 / 3, 1e-9);
        variant_near(v, runs_time_of(&log, 0, DETENT_WAIT, 0), 2.0 / 3 + 0.7, 1e-9);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/** What is saved at rest breaks away in another simulation at the same instant. */
static void a_rest_is_saved(void **state)
{
    static const pulled a = {100, 0.02, 1, 2, 2}, b = {64, 0.03, 0.5, 1, 0.7};
    char *text = say(&a, &b, 1e-11);
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error = {0};
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v), *other = variant_start(m, v);
        const size_t size = detent_state_size(sim);
        void *bytes = malloc(size);
        runs_log log = {0}, again = {0};
        double x[4], y[4];
        variant_outputs(sim, v, 1.5, x, 4);
        assert_true(x[2] == 0 && x[0] > 0);
        runs_must(detent_save_state(sim, bytes, size, &error), &error);
        runs_must(detent_restore_state(other, bytes, size, &error), &error);
        variant_outputs(other, v, 1.5, y, 4);
        assert_true(x[0] == y[0] && x[1] == y[1]);
        runs_record(sim, 2, &log);
        runs_record(other, 2, &again);
        variant_near(v, runs_time_of(&again, 0, DETENT_WAIT, 0),
                     runs_time_of(&log, 0, DETENT_WAIT, 0), 1e-12);
        runs_log_free(&log);
        runs_log_free(&again);
        free(bytes);
        detent_simulation_destroy(other);
        runs_end(sim, m);
    }
    free(text);
}

/* ---- who may read it ---- */

static void others_cannot_read_it(void **state)
{
    static const char *const refused[] = {
        "a: {kinetic: 1 + rest_time(a), static: 2}",
        "a: {kinetic: 1, static: 2, external: rest_time(a)}",
        "a: {kinetic: 1, static: 2, test: rest_time(a)}",
        "a: {kinetic: 1, static: 1 + rest_time(b)}, b: {kinetic: 1, static: 1}",
        "a: {kinetic: shared, static: 1}",
        "a: {kinetic: 1, static: 1 + rest_time(b)}",
    };
    (void)state;
    for (size_t n = 0; n < sizeof refused / sizeof *refused; n++) {
        char text[1024];
        detent_mechanism *m = NULL;
        detent_error error = {0};
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\nsignals: {shared: 1 + rest_time(a)}\n"
                 "bodies: {p: {mass: 1}, q: {mass: 1}}\n"
                 "joints:\n  a: {type: prismatic, base: ground, follower: p}\n"
                 "  b: {type: prismatic, base: ground, follower: q}\n"
                 "stiction: {%s}\n",
                 refused[n]);
        const bool bare = n + 1 == sizeof refused / sizeof *refused;
        assert_int_equal(detent_mechanism_parse(text, strlen(text), "test.yaml", NULL, &m, &error),
                         DETENT_ERROR_MODEL);
        if (!strstr(error.message, bare ? "has no stiction" : "only in the static limits of")) {
            fail_msg("%s: %s", refused[n], error.message);
        }
    }
}

/** A signal of it is one of a limit. */
static void signals_carry_it(void **state)
{
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\nsignals: {aged: 1 + log(1 + "
                               "rest_time(a))}\nbodies: {p: {mass: 1}}\n"
                               "joints: {a: {type: prismatic, base: ground, follower: p}}\n"
                               "stiction: {a: {kinetic: 1, external: 2*t, static: aged}}\noutputs: "
                               "[aged]\nsimulation: {end: 3}\n";
    (void)state;
    /* 2 t = 1 + log(1 + t) */
    double t = 1;
    for (int n = 0; n < 50; n++) {
        t = 0.5 * (1 + log(1 + t));
    }
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        runs_log story = {0};
        double x;
        variant_outputs(sim, v, 0.5, &x, 1);
        variant_near(v, x, 1 + log(1.5), 1e-14);
        runs_record(sim, 3, &story);
        variant_near(v, runs_time_of(&story, 0, DETENT_WAIT, 0), t, 1e-9);
        runs_log_free(&story);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaks_away_on_time),         cmocka_unit_test(amplitude_falls_with_speed),
        cmocka_unit_test(geared_joints_rest_together), cmocka_unit_test(inputs_end_no_rest),
        cmocka_unit_test(a_step_of_the_limit_is_met),  cmocka_unit_test(a_rest_is_saved),
        cmocka_unit_test(others_cannot_read_it),       cmocka_unit_test(signals_carry_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
