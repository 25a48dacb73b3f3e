/*
 * Sampled values: a controller in steps between whose instants everything is known in closed form, instants to the last bit, values
 * of one instant in their order, friction that a controller hunts in, and runs that are saved.
 */
#include "support_changes.h"
#include "support_variants.h"

#include <float.h>
#include <time.h>

static const char rotor[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {kp: 40, ki: 30, kd: 4, ts: 1 ms}\n"
    "inputs: {target: 1}\n"
    "bodies: {arm: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {shoulder: {type: revolute, base: ground, follower: arm, force: torque}}\n"
    "sampled:\n" /* not in the order in which they read each other */
    "  torque: {every: ts, value: \"kp*error + ki*integral - kd*velocity(shoulder)\", initial: 7}\n"
    "  integral: {every: ts, value: integral + ts*error}\n"
    "  error: {every: ts, value: target - position(shoulder)}\n"
    "outputs: [position(shoulder), velocity(shoulder), torque, integral, error]\n"
    "simulation: {end: 1, rtol: 1e-10}\n";

/** A rotor of 1 kg m^2 that the controller pushes: q, v, torque, integral, error after `n` samples behind the first. */
static void rotor_after(int n, double target, double x[5])
{
    const double kp = 40, ki = 30, kd = 4, ts = 1e-3;
    double q = 0, v = 0, integral = 0, error = 0, u = 0;
    for (int k = 0; k <= n; k++) {
        error = target - q;
        integral += ts * error;
        u = kp * error + ki * integral - kd * v;
        if (k < n) {
            q += v * ts + 0.5 * u * ts * ts;
            v += u * ts;
        }
    }
    const double is[] = {q, v, u, integral, error};
    memcpy(x, is, sizeof is);
}

static void a_controller_is_exact(void **state)
{
    UNUSED(state);
    static const char *const names[] = {"angle", "rate", "torque", "integral", "error"};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(rotor, NULL);
        detent_simulation *sim = variant_start(m, v);
        const double tolerance = v.integrator == DETENT_INTEGRATOR_ERK ? 1e-12 : 1e-8;
        for (int n = 0; n <= 1000; n += 250) {
            double is[5], should[5];
            variant_outputs(sim, v, 1e-3 * n, is, 5);
            rotor_after(n, 1, should);
            for (int j = 0; j < 5; j++) {
                variant_check(v, names[j], is[j], should[j], tolerance * 100);
            }
        }
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_int_equal(now.samples, 3 * 1001);
        assert_int_equal(now.events, 1); /* the first search */
        runs_end(sim, m);
    }
}

static void instants_are_products(void **state)
{
    UNUSED(state);
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1}}\n"
                   "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
                   "sampled:\n"
                   "  tenths: {every: 0.1, value: t}\n"
                   "  thirds: {every: 0.3 s, offset: 50 ms, value: t, initial: -1 s}\n"
                   "  count: {every: 0.1, value: count + 1}\n"
                   "  both: {every: 0.3, value: 100*count + side}\n"
                   "  side: {every: 0.3, value: \"if(t < 29.95, 0, 1)\"}\n"
                   "outputs: [tenths, thirds, count, both]\nsimulation: {end: 100}\n",
                   NULL);
    detent_simulation *sim = runs_start(m, NULL);
    assert_true(runs_output(m, sim, "thirds") == -1);
    assert_true(runs_output(m, sim, "count") == 1);
    for (int k = 0; k < 1000; k++) {
        runs_advance(sim, (k + 0.7) * 0.1);
        assert_true(runs_output(m, sim, "tenths") == k * 0.1);
        assert_true(runs_output(m, sim, "count") == k + 1);
        assert_true(runs_output(m, sim, "both") ==
                    100 * (3 * (double)(k / 3) + 1) + (k >= 300 ? 1 : 0));
        if (k > 0) {
            assert_true(runs_output(m, sim, "thirds") == 0.05 + 0.3 * (double)((k * 2 + 1) / 6));
        }
    }
    runs_end(sim, m);
}

/* What others were before the instant: differences, a delay, and two that exchange their values. */
static void values_of_before_are_read(void **state)
{
    UNUSED(state);
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1}}\n"
                   "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
                   "sampled:\n"
                   "  x: {every: 0.5, value: 1*t*t}\n"
                   "  rate: {every: 0.5, value: (x - previous(x))/0.5}\n"
                   "  one: {every: 0.5, value: previous(x)}\n"
                   "  two: {every: 0.5, value: previous(one)}\n"
                   "  ping: {every: 0.5, value: previous(pong), initial: 1}\n"
                   "  pong: {every: 0.5, value: previous(ping), initial: 2}\n"
                   "outputs: [rate, one, two, ping, pong]\nsimulation: {end: 10}\n",
                   NULL);
    detent_simulation *sim = runs_start(m, NULL);
    for (int k = 3; k < 20; k++) {
        const double t = 0.5 * k;
        runs_advance(sim, t + 0.1);
        assert_true(runs_output(m, sim, "rate") == (t * t - (t - 0.5) * (t - 0.5)) / 0.5);
        assert_true(runs_output(m, sim, "one") == (t - 0.5) * (t - 0.5));
        assert_true(runs_output(m, sim, "two") == (t - 1) * (t - 1));
        assert_true(runs_output(m, sim, "ping") == (k % 2 ? 1 : 2));
        assert_true(runs_output(m, sim, "pong") == (k % 2 ? 2 : 1));
    }
    runs_end(sim, m);
}

/* ---- a joint that sticks ---- */

static const char sticky[] =
    "detent: 1\ngravity: [0, 0, 0]\n"
    "parameters: {ts: 2 ms, fk: 1.2, fs: 2}\n"
    "bodies: {a: {mass: 2}, b: {mass: 1}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: a}\n"
    "  rider: {type: prismatic, base: a, follower: b}\n" /* rides along, locked */
    "stiction:\n"
    "  slide: {kinetic: fk, static: fs, external: push}\n"
    "  rider: {kinetic: 500, static: 500}\n"
    "sampled:\n"
    "  error: {every: ts, value: 0.1 - position(slide)}\n"
    "  sum: {every: ts, value: sum + ts*error}\n"
    "  push: {every: ts, value: 60*error + 200*sum - 15*velocity(slide)}\n"
    "  held: {every: ts, value: friction(slide)}\n"
    "outputs: [position(slide), velocity(slide), push, held, friction(slide)]\n"
    "simulation: {end: 16, rtol: 1e-10}\n";

typedef struct block {
    double x, v, sum, push, held, friction;
    int stops;
} block;

/** Through one period, during which the push is constant: parabolas. */
static void through_period(block *b, double left, double fk, double fs, double mass)
{
    while (left > 0) {
        const double side = b->v != 0 ? (b->v > 0 ? 1 : -1) : b->push > 0 ? 1 : -1;
        const double a = (b->push - fk * side) / mass;
        if (b->v == 0 && fabs(b->push) <= fs) {
            b->friction = -b->push;
            return;
        }
        b->friction = -fk * side;
        const double stop = b->v * a < 0 ? -b->v / a : INFINITY, h = fmin(stop, left);
        b->x += b->v * h + 0.5 * a * h * h;
        b->v = stop <= left ? 0 : b->v + a * h;
        b->stops += stop <= left;
        left -= h;
    }
}

static void sample_block(block *b, double ts)
{
    const double error = 0.1 - b->x;
    b->held = b->friction;
    b->sum += ts * error;
    b->push = 60 * error + 200 * b->sum - 15 * b->v;
}

static void a_controller_hunts_where_a_joint_sticks(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(sticky, NULL);
        detent_simulation *sim = variant_start(m, v);
        block b = {0};
        for (int n = 0; n < 4000; n++) {
            sample_block(&b, 2e-3);
            if (n % 500 == 250) { /* just behind the sample */
                double is[5];
                variant_outputs(sim, v, 2e-3 * n, is, 5);
                variant_check(v, "place", is[0], b.x, 1e-7);
                variant_check(v, "velocity", is[1], b.v, 1e-6);
                variant_check(v, "push", is[2], b.push, 1e-5);
                variant_check(v, "friction of before", is[3], b.held, 1e-5);
            }
            through_period(&b, 2e-3, 1.2, 2, 3);
        }
        assert_true(b.stops >= 3); /* it hunts */
        runs_end(sim, m);
    }
}

static void nothing_hunts_without_friction(void **state)
{
    UNUSED(state);
    static const char *const none[] = {"fk=0", "fs=1e-9", NULL};
    detent_mechanism *m = runs_parse(sticky, none);
    detent_simulation *sim = runs_start(m, NULL);
    /* swings of 1.56 s, each half the one before: 0.08 * 2^(-8/1.56) m after 8 s */
    runs_advance(sim, 8);
    runs_near("place", runs_output(m, sim, "position(slide)"), 0.1, 3e-3);
    detent_statistics now = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &now);
    assert_true(now.mode_changes < 20);
    runs_advance(sim, 16);
    runs_near("place, later", runs_output(m, sim, "position(slide)"), 0.1, 1e-4);
    runs_end(sim, m);
}

/* What is there after a sample has changed a mode is an event, and says so; another one is none. */
static void a_sample_releases_a_joint(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m =
        runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1}}\n"
                   "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
                   "stiction: {slide: {kinetic: 1, static: 2.5, external: push}}\n"
                   "sampled: {push: {every: 1, value: \"1 [N/s]*t\"}, seen: {every: 0.5, value: "
                   "mode(slide)}}\n"
                   "outputs: [push, seen, position(slide)]\nsimulation: {end: 5}\n",
                   NULL);
    detent_simulation *sim = runs_start(m, NULL);
    size_t count = 0;
    assert_int_equal(detent_advance(sim, 5, true, &error), DETENT_EVENT);
    const detent_mode_change *change = last_event(sim, &count);
    assert_int_equal(count, 1);
    assert_true(detent_time(sim) == 3 && change->time == 3);
    assert_int_equal(change->cause, DETENT_CAUSE_SAMPLE);
    assert_int_equal(change->from, DETENT_LOCKED);
    assert_true(runs_output(m, sim, "push") == 3 && runs_output(m, sim, "seen") == 0);
    runs_advance(sim, 3.5);
    assert_true(runs_output(m, sim, "seen") == 2);
    runs_near("place", runs_output(m, sim, "position(slide)"), 0.5 * 2 * 0.25, 1e-8);
    runs_end(sim, m);
}

/*
 * A sample and a switch of t at one instant, beside a joint that is locked, and welded: what is read is what was before either.
 */
static void a_sample_and_a_switch_meet(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\n"
                       "bodies: {a: {mass: 2}, b: {mass: 1}}\n"
                       "joints:\n"
                       "  slide: {type: prismatic, base: ground, follower: a, "
                       "force: \"if(t < 1, 1, 2) + min(gain, 5)\"}\n"
                       "  rider: {type: prismatic, base: a, follower: b}\n"
                       "stiction: {rider: {kinetic: 5, static: 5 + 0.1*gain}}\n"
                       "sampled: {gain: {every: 0.25, value: 0.6*friction(rider)}}\n"
                       "outputs: [velocity(slide), gain]\nsimulation: {end: 3, rtol: 1e-10}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        double a = 1.0 / 3, speed = 0;
        for (int n = 0; n < 12; n++) {
            const double gain = 0.6 * a;
            double is[2];
            a = ((n < 4 ? 1 : 2) + gain) / 3;
            variant_outputs(sim, v, 0.25 * n + 0.125, is, 2);
            variant_check(v, "velocity", is[0], speed + 0.125 * a, 1e-8);
            variant_check(v, "gain", is[1], gain, 1e-8);
            speed += 0.25 * a;
        }
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_int_equal(now.events, 2); /* the first search, and the switch */
        runs_end(sim, m);
    }
}

/* What is known only after a search is sampled at the start, too: and pushes in another one. */
static void forces_are_sampled_at_the_start(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, -10]\n"
            "bodies: {a: {mass: 2}, b: {mass: 1}}\n"
            "joints:\n"
            "  slide: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], force: "
            "\"3 + answer\"}\n"
            "  lift: {type: prismatic, base: ground, follower: b, initial: {velocity: 1}}\n"
            "sampled:\n"
            "  answer: {every: 1, value: 2*acceleration(slide)}\n"
            "  weight: {every: 1, value: \"reaction_force(slide, z)\"}\n"
            "  height: {every: 1, value: \"position(b, z)\"}\n"
            "outputs: [acceleration(slide), answer, weight, height]\nsimulation: {end: 3}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        double is[4];
        variant_outputs(sim, v, 0, is, 4);
        variant_check(v, "acceleration", is[0], 3, 1e-9); /* (3 + 2 * 1.5) / 2 */
        variant_check(v, "answer", is[1], 3, 1e-9);
        variant_check(v, "weight", is[2], 20, 1e-9);
        variant_outputs(sim, v, 1, is, 4);
        variant_check(v, "later", is[0], 4.5, 1e-8);
        variant_check(v, "height", is[3], 1 - 5, 1e-7);
        runs_end(sim, m);
    }
}

/* Each link of a chain follows the one before it, as it was sampled at the same instant. */
static void chains_sample(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\n"
        "chain:\n  count: 5\n"
        "  bodies: {link: {mass: 1}}\n"
        "  joints: {slide: {type: prismatic, base: ground, follower: \"link[i]\", "
        "force: \"sampled(push[i])\"}}\n"
        "  sampled: {push: {every: 0.25, offset: 0.01*i, "
        "value: \"if(i > 1, sampled(push[i-1]) + 1, t)\"}}\n"
        "outputs: [\"sampled(push[5])\", \"position(slide[5])\"]\nsimulation: {end: 2}\n",
        NULL);
    detent_simulation *sim = runs_start(m, NULL);
    runs_advance(sim, 1.1);
    assert_true(runs_output(m, sim, "sampled(push[5])") == 0.01 + 1 * 0.25 * 4 + 4);
    assert_int_equal(detent_count(m, DETENT_SAMPLED), 5);
    assert_string_equal(detent_name(m, DETENT_SAMPLED, 4), "push[5]");
    runs_end(sim, m);
}

/* ---- saved, changed from outside ---- */

static void saved_runs_sample_on(void **state)
{
    UNUSED(state);
    detent_error error;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(rotor, NULL);
        detent_simulation *sim = variant_start(m, v);
        double first[5], second[5];
        variant_advance(sim, v, 0.1); /* an instant, but for rounding */
        const size_t size = detent_state_size(sim);
        void *bytes = malloc(size);
        assert_non_null(bytes);
        runs_must(detent_save_state(sim, bytes, size, &error), &error);
        for (int pass = 0; pass < 2; pass++) {
            runs_must(detent_restore_state(sim, bytes, size, &error), &error);
            runs_must(detent_set_input(sim, 0, 2, &error), &error);
            variant_outputs(sim, v, 0.5, pass ? second : first, 5);
        }
        assert_memory_equal(first, second, sizeof first);
        free(bytes);
        runs_end(sim, m);
    }
}

static void inputs_are_sampled(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = runs_parse(rotor, NULL);
    detent_simulation *sim = runs_start(m, NULL);
    runs_advance(sim, 0.0995);
    const double before = runs_output(m, sim, "torque");
    runs_must(detent_set_input(sim, 0, 2, &error), &error);
    runs_advance(sim, 0.0998);
    assert_true(runs_output(m, sim, "torque") == before); /* held */
    runs_advance(sim, 0.1002);
    runs_near("torque", runs_output(m, sim, "torque"), before + 40, 2); /* its error is 1 more */
    runs_end(sim, m);
}

/* ---- what it costs ---- */

/** The slide of the test below, 1 kg, at its n-th sample: constant pushes in between. */
static void slide_after(long n, double x[2])
{
    const double ts = 1e-4;
    x[0] = x[1] = 0;
    for (long k = 0; k < n; k++) {
        const double push = 40 * (sin(3 * ((double)k * ts)) - x[0]) - 12 * x[1];
        x[0] += x[1] * ts + 0.5 * push * ts * ts;
        x[1] += push * ts;
    }
}

/* 10 kHz for as long as DETENT_TEST_SAMPLED says, s: no storm, a bounded number of evaluations a sample, and the motion that each of them makes. */
static void a_fast_controller_is_no_storm(void **state)
{
    UNUSED(state);
    const char *asked = getenv("DETENT_TEST_SAMPLED");
    char end[64];
    snprintf(end, sizeof end, "last=%s", asked ? asked : "2");
    const char *const set[] = {end, NULL};
    detent_mechanism *m = runs_parse(
        "detent: 1\ngravity: [0, 0, 0]\nparameters: {last: 2}\n"
        "bodies: {a: {mass: 1}}\n"
        "joints: {slide: {type: prismatic, base: ground, follower: a, force: push}}\n"
        "sampled:\n"
        "  push: {every: 0.1 ms, value: \"40*(sin(3*t) - position(slide)) - 12*velocity(slide)\"}\n"
        "  idle: {every: 0.1 ms, value: idle + 1}\n"
        "outputs: [idle]\nsimulation: {end: last, integrator: erk}\n",
        set);
    detent_simulation *sim = runs_start(m, NULL);
    const double last = asked ? strtod(asked, NULL) : 2;
    const clock_t begun = clock();
    runs_advance(sim, last);
    detent_statistics now = DETENT_INIT(detent_statistics);
    detent_get_statistics(sim, &now);
    const double cpu = (double)(clock() - begun) / CLOCKS_PER_SEC;
    double should[2];
    slide_after(lround(last * 1e4), should);
    const double off[] = {runs_position(m, sim, "slide") - should[0],
                          runs_velocity(m, sim, "slide") - should[1]};
    if (runs_verbose()) {
        printf("%g s: %zu samples, %zu events, %zu residuals, %.3g us of CPU an instant; off by "
               "%.2g m, %.2g m/s\n",
               last, now.samples, now.events, now.residuals, 1e6 * cpu / (double)(now.samples / 2),
               off[0], off[1]);
    }
    assert_true(runs_output(m, sim, "idle") == last * 1e4 + 1);
    assert_int_equal(now.events, 1);
    assert_true((double)now.residuals < 10 * (double)now.samples);
    /* the loop is stable: what is left is an instant, which is known to 400 roundings, of pushes of at most 50 N */
    const double allowed = 1e-11 + 50 * 400 * DBL_EPSILON * last;
    assert_true(fabs(off[0]) <= allowed && fabs(off[1]) <= allowed);
    runs_end(sim, m);
}

/* What no law reads makes no search and no restart. */
static void what_nobody_reads_costs_nothing(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(
            "detent: 1\ngravity: [0, 0, -10]\n"
            "bodies: {a: {mass: 1}}\n"
            "joints: {hinge: {type: revolute, axis: [1, 0, 0], base: ground, follower: a, "
            "at: {follower: [0, 0, 1]}, initial: {position: 1}}}\n"
            "sampled: {sum: {every: 1 ms, value: sum + 1e-3*cos(position(hinge))}}\n"
            "outputs: [sum, position(hinge)]\nsimulation: {end: 1, rtol: 1e-9}\n",
            NULL);
        detent_simulation *sim = variant_start(m, v);
        variant_advance(sim, v, 1);
        detent_statistics now = DETENT_INIT(detent_statistics);
        detent_get_statistics(sim, &now);
        assert_int_equal(now.searches, 1);
        assert_true(now.restarts < 10);
        runs_end(sim, m);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_controller_is_exact),
        cmocka_unit_test(instants_are_products),
        cmocka_unit_test(values_of_before_are_read),
        cmocka_unit_test(a_controller_hunts_where_a_joint_sticks),
        cmocka_unit_test(nothing_hunts_without_friction),
        cmocka_unit_test(a_sample_releases_a_joint),
        cmocka_unit_test(a_sample_and_a_switch_meet),
        cmocka_unit_test(forces_are_sampled_at_the_start),
        cmocka_unit_test(chains_sample),
        cmocka_unit_test(saved_runs_sample_on),
        cmocka_unit_test(inputs_are_sampled),
        cmocka_unit_test(a_fast_controller_is_no_storm),
        cmocka_unit_test(what_nobody_reads_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
