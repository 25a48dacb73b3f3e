/*
 * Open clutches: shafts in a row, each on the one before, with friction that is zero until the clutch is pressed, by
 * max(0, ...) or by if(). Three by themselves, and with 40 more in a row; every variant finishes, with the same events.
 */
#include "support_variants.h"

/** The last clutches are pressed so hard that they lock in the end. */
static const char text[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {n: 3, apart: 0.3}\n"
    "bodies: {motor: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {motor: {type: revolute, base: ground, follower: motor, force: 10, damping: 1}}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies: {shaft: {mass: 1, inertia: [1, 1, 0.5/i]}}\n"
    "  joints: {clutch: {type: revolute, base: 'shaft[i-1]', follower: 'shaft[i]', damping: "
    "1e-3}}\n"
    "  stiction:\n"
    "    clutch: {velocity_threshold: 1e-4,\n"
    "             kinetic: 'if(mod(i, 2) == 1, max(0, 20*(t - apart*i)), if(t < apart*i, 0, "
    "15))',\n"
    "             static: '1.2*if(mod(i, 2) == 1, max(0, 20*(t - apart*i)), if(t < apart*i, 0, "
    "15))'}\n"
    "  first: {joints: {clutch: {base: motor}}}\n"
    "simulation: {end: 6, interval: 0.1, rtol: 1e-8, atol: 1e-10}\n";

/**
 * The changes of friction of one joint in turn, but for where it stays shorter than `tolerance`. A clutch that is open
 * and far from the motor turns by rounding: its story begins when it is pressed.
 */
static size_t story_of(const runs_log *log, size_t stiction, double pressed, double tolerance,
                       const detent_mode_change **story, size_t room)
{
    size_t count = 0;
    for (size_t k = 0; k < log->count; k++) {
        const detent_mode_change *c = &log->change[k];
        if (c->stiction != stiction || !runs_is_turn(c)) {
            continue;
        }
        if (count > 0 && story[count - 1]->time < pressed) {
            count--;
        }
        if (count > 0 && c->time - story[count - 1]->time <= tolerance) {
            count--;
        }
        assert_true(count < room);
        story[count++] = c;
    }
    return count;
}

static void must_agree(variant v, const runs_log *a, const runs_log *b, size_t stictions,
                       double apart, double tolerance)
{
    enum { MOST = 64 };
    const detent_mode_change *x[MOST], *y[MOST];
    for (size_t k = 0; k < stictions; k++) {
        const double pressed = apart * (double)(k + 1) + tolerance;
        const size_t n = story_of(a, k, pressed, tolerance, x, MOST),
                     m = story_of(b, k, pressed, tolerance, y, MOST);
        for (size_t j = 0; j < n && j < m; j++) {
            if (x[j]->time < pressed && y[j]->time < pressed) {
                continue;
            }
            if (x[j]->to_direction != y[j]->to_direction ||
                (x[j]->to == DETENT_LOCKED) != (y[j]->to == DETENT_LOCKED) ||
                fabs(x[j]->time - y[j]->time) > tolerance) {
                fail_msg("%s: clutch %zu changes to %d(%+d) at %.12g, not to %d(%+d) at %.12g",
                         variant_name(v), k + 1, (int)x[j]->to, x[j]->to_direction, x[j]->time,
                         (int)y[j]->to, y[j]->to_direction, y[j]->time);
            }
        }
        if (n != m) {
            fail_msg("%s: clutch %zu has %zu changes, not %zu", variant_name(v), k + 1, n, m);
        }
    }
}

static void run_all(const char *const set[], size_t clutches, double apart, double end)
{
    detent_mechanism *m = runs_parse(text, set);
    runs_log first = {0};
    double *state = NULL;
    size_t count = 0;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        runs_log log = {0};
        detent_simulation *s = variant_start(m, v);
        runs_record(s, end, &log);
        double *own = runs_state(m, s, &count);
        if (k == 0) {
            first = log;
            state = own;
        } else {
            must_agree(v, &log, &first, clutches, apart, 1e-6);
            for (size_t j = 0; j < count; j++) {
                runs_near(variant_name(v), own[j], state[j], 1e-5 * (1 + fabs(state[j])));
            }
            free(own);
            runs_log_free(&log);
        }
        detent_simulation_destroy(s);
    }
    size_t locked = 0;
    for (size_t k = 0; k < first.count; k++) {
        locked += first.change[k].to == DETENT_LOCKED && first.change[k].time > 0;
    }
    assert_true(locked >= 3);
    runs_log_free(&first);
    free(state);
    detent_mechanism_destroy(m);
}

static void three_clutches(void **unused)
{
    UNUSED(unused);
    run_all(NULL, 3, 0.3, 6);
}

static void forty_more(void **unused)
{
    UNUSED(unused);
    static const char *const set[] = {"n=43", "apart=0.1", NULL};
    run_all(set, 43, 0.1, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_clutches),
        cmocka_unit_test(forty_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
