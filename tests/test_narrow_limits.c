/*
 * Loops that are held by some joints while others have no friction, next to none, or friction that fades: by the principle
 * of virtual work a loop of one freedom moves when the power of the load exceeds the sum of limit times speed. And joints
 * that their loop holds whatever is let go.
 */
#include "support_changes.h"
#include "support_four_bar.h"
#include "support_variants.h"

static const double limit[4] = {1, 0.7, 0.5, 1.2}, faded = 0.5;

/** How fast a, b, c, d turn where the crank does at 1 rad/s, the rod being above: from the triangle of velocities. */
static void rates_of(double angle, double rate[4])
{
    double w[3];
    support_four_bar(angle, w);
    const double turn = sin(w[2] - w[1]);
    const double rods = -crank * sin(w[2] - w[0]) / (rod * turn),
                 rockers = -crank * sin(w[1] - w[0]) / (rocker * turn);
    rate[0] = 1;
    rate[1] = rods - 1;
    rate[2] = rods - rockers;
    rate[3] = rockers;
}

/** Of a joint: n an ordinary limit, z none, t a billionth of a thousandth, m a hundred millionth, f one that fades. */
static double limit_of(char kind, double full)
{
    return kind == 'n' ? full : kind == 't' ? 1e-12 * full : kind == 'm' ? 1e-8 * full : 0;
}

static void write_limit(char *text, size_t size, char kind, double full)
{
    if (kind == 'f') {
        snprintf(text, size, "\"max(0 [N*m], %.17g [N*m]*(1 - t/%g [s]))\"", full, faded);
    } else {
        snprintf(text, size, "%.17g", limit_of(kind, full));
    }
}

static int write_stiction(char *text, size_t size, const char *kinds, double ratio)
{
    int at = snprintf(text, size, "stiction:\n");
    for (int j = 0; j < 4; j++) {
        char kinetic[96], fixed[96];
        write_limit(kinetic, sizeof kinetic, kinds[j], limit[j] / ratio);
        write_limit(fixed, sizeof fixed, kinds[j], limit[j]);
        at += snprintf(text + at, size - (size_t)at, "  %c: {kinetic: %s, static: %s}\n", "abcd"[j],
                       kinetic, fixed);
    }
    return at;
}

/** All are locked, at velocity zero, and those without friction carry none. */
static void rests(variant v, detent_simulation *sim, const char *kinds, double t)
{
    double x[8];
    detent_error error;
    runs_must(detent_read(sim, DETENT_OUTPUTS, x, 8, &error), &error);
    for (int j = 0; j < 4; j++) {
        const bool none = kinds[j] == 'z' || (kinds[j] == 'f' && t > faded);
        int direction;
        const detent_mode mode = detent_get_mode(sim, (size_t)j, &direction);
        if (mode != DETENT_LOCKED || x[4 + j] != 0 || (none && x[j] != 0)) {
            fail_msg("%s, %s: joint %c at %g s: mode %d, velocity %g, friction %g", variant_name(v),
                     kinds, "abcd"[j], t, (int)mode, x[4 + j], x[j]);
        }
    }
}

/** Advances to t, or to the first event that changes a mode; returns how many it changes. */
static size_t changes_until(detent_simulation *sim, double t)
{
    detent_error error;
    size_t changes = 0;
    detent_status status = DETENT_EVENT;
    while (status == DETENT_EVENT && changes == 0) { /* a limit that fades has a kink, no more */
        status = detent_advance(sim, t, true, &error);
        if (status == DETENT_EVENT) {
            last_event(sim, &changes);
        } else {
            runs_must(status, &error);
        }
    }
    return changes;
}

/** Under a torque on the crank that swings, every pattern of limits, in every variant. */
static void breaks_away_by_virtual_work(void **state)
{
    static const char *const patterns[] = {"znnn", "nznn", "nnzn", "nnnz", "zznn", "nzzn", "nnzz",
                                           "znnz", "zzzn", "nzzz", "tnnn", "nttn", "tttn", "nttt",
                                           "mnnn", "nmmm", "fnnn", "nffn", "fffn", "zfnn", "tzfn"};
    static const double angles[] = {0.6, 2.2, 4.0, 5.1}, fast = 0.7, more = 1.3;
    (void)state;
    for (size_t k = 0; k < sizeof patterns / sizeof *patterns * 4; k++) {
        const char *kinds = patterns[k / 4];
        const variant v = variant_at((5 * k + k / 4) % VARIANTS);
        const double angle = angles[k % 4], breaks = asin(1 / more) / fast;
        double rate[4], sum = 0;
        char text[8192], tail[4096];
        detent_error error = {.message = ""};
        rates_of(angle, rate);
        for (int j = 0; j < 4; j++) {
            sum += limit_of(kinds[j], limit[j]) * fabs(rate[j]);
        }
        int at = write_stiction(tail, sizeof tail, kinds, k % 2 ? 1.3 : 1);
        snprintf(tail + at, sizeof tail - (size_t)at,
                 "loads: {turn: {body: crank, torque: [0, 0, \"%.17g [N*m]*sin(%g [1/s]*t)\"]}}\n"
                 "outputs: [friction(a), friction(b), friction(c), friction(d), velocity(a), "
                 "velocity(b), velocity(c), velocity(d)]\n"
                 "simulation: {end: 4, rtol: 1e-8}\n",
                 more * sum, fast);
        support_write_four_bar(text, sizeof text, (int)(k % 3), 0, angle, 0, tail);
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        rests(v, sim, kinds, 0);
        for (int part = 1; part <= 4; part++) {
            const double t = part < 4 ? 0.25 * part * breaks : (1 - 2e-9) * breaks;
            assert_int_equal(changes_until(sim, t), 0);
            rests(v, sim, kinds, t);
        }
        size_t changes = changes_until(sim, 4);
        assert_true(changes > 0);
        const double time = last_event(sim, &changes)->time;
        if (!(fabs(time - breaks) <= 1e-9 * breaks) || changes != 4) {
            fail_msg("%s, %s at %g: %zu joints at %.17g s instead of %.17g", variant_name(v), kinds,
                     angle, changes, time, breaks);
        }
        detent_status status = DETENT_EVENT;
        while (status == DETENT_EVENT) {
            status = detent_advance(sim, 4, true, &error);
        }
        runs_must(status, &error);
        runs_end(sim, m);
    }
}

/**
 * A triangle of two pins and a slide has no freedom: its pin cannot be let go, however large a torque, and however little
 * friction has to do with that.
 */
static void a_triangle_holds_its_joints(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2 * VARIANTS; k++) {
        const variant v = variant_at(k / 2);
        const bool test = k % 2;
        char text[2048];
        detent_error error = {.message = ""};
        size_t changes = 0;
        int direction;
        snprintf(text, sizeof text,
                 "detent: 1\ngravity: [0, 0, 0]\n"
                 "bodies: {p: {mass: 1, inertia: [1, 1, 1]}, q: {mass: 1, inertia: [2, 2, 2]}}\n"
                 "joints:\n"
                 "  pin: {type: revolute, base: ground, follower: p}\n"
                 "  slide: {type: prismatic, base: p, follower: q, axis: [1, 0, 0], initial: "
                 "{position: 1}}\n"
                 "  foot: {closes: true, type: revolute, base: ground, follower: q, at: {base: "
                 "{point: [1, 0.5, 0]}, follower: [0, 0.5, 0]}}\n"
                 "stiction: {pin: {kinetic: 0.4, static: 0.9%s}}\n"
                 "loads: {turn: {body: p, torque: [0, 0, \"5 [N*m]*sin(9 [1/s]*t + 0.3)\"]}}\n"
                 "simulation: {end: 1, rtol: 1e-8}\n",
                 test ? ", external: \"7 [N*m]*sin(8 [1/s]*t + 0.3)\"" : "");
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_status status = DETENT_EVENT;
        while (status == DETENT_EVENT) {
            status = detent_advance(sim, 1, true, &error);
            const detent_mode_change *change = last_event(sim, &changes);
            for (size_t c = 0; c < changes; c++) {
                assert_int_equal(change[c].to, DETENT_LOCKED);
            }
        }
        runs_must(status, &error);
        assert_int_equal(detent_get_mode(sim, 0, &direction), DETENT_LOCKED);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaks_away_by_virtual_work),
        cmocka_unit_test(a_triangle_holds_its_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
