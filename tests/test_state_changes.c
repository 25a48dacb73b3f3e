/*
 * States that come to their stops or leave them are told: when, to which stop, and why, in pairs, at times known in closed form, in all variants; after
 * a run has been restored, too.
 */
#include "support_changes.h"
#include "support_variants.h"

static const char sine[] =
    "detent: 1\ngravity: [0, 0, 0]\nparameters: {top: 1 m}\n"
    "bodies: {a: {mass: 1}, b: {mass: 2}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: a, force: sin(t)}\n"
    "  held: {type: prismatic, base: a, follower: b}\n"
    "stiction: {held: {kinetic: 9, static: 9, external: \"2*whole\"}}\n"
    "states:\n"
    "  whole: {derivative: \"1 [m/s]*sin(t)\", initial: 0.2 m, min: -0.5 m, max: top}\n"
    "  above: {derivative: \"sin(t)\", min: 0}\n"
    "  felt: {derivative: \"3*acceleration(slide)\", max: 0.75}\n"
    "outputs: [whole, above, felt]\n"
    "simulation: {end: 12, rtol: 1e-10}\n";

enum { MOST_TOLD = 64 };

/** All changes of a run up to `end`, in their order; each state goes on from where it was. */
static int all_changes(detent_simulation *sim, variant v, double end, detent_state_change *told)
{
    int count = 0, at[8] = {0};
    detent_error error;
    detent_status status = DETENT_EVENT;
    for (bool first = true; first || status == DETENT_EVENT; first = false) {
        size_t now = 0;
        if (!first) {
            status = detent_advance(sim, end, true, &error);
        }
        if (status < 0) {
            fail_msg("%s: %s", variant_name(v), error.message);
        }
        const detent_state_change *changes = last_state_changes(sim, &now);
        for (size_t k = 0; k < now && count < MOST_TOLD; k++) {
            assert_int_equal(changes[k].from, at[changes[k].state]);
            assert_true(changes[k].to != changes[k].from && changes[k].time == detent_time(sim));
            at[changes[k].state] = changes[k].to;
            told[count++] = changes[k];
        }
    }
    return count;
}

/* The integrated sine comes to 1 where cos t = 0.2, leaves at half a turn, comes to -0.5 a third of a turn later, and so on. */
static void who_comes_and_leaves_is_told(void **state)
{
    UNUSED(state);
    const double pi = acos(-1);
    const struct {
        double time;
        int to;
    } should[] = {{acos(0.2), 1},  {pi, 0},     {5 * pi / 3, -1}, {2 * pi, 0},
                  {8 * pi / 3, 1}, {3 * pi, 0}, {11 * pi / 3, -1}};
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_parse(sine, NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_state_change told[MOST_TOLD];
        const size_t whole = (size_t)detent_find(m, DETENT_STATE, "whole");
        const int count = all_changes(sim, v, 12, told);
        size_t seen = 0;
        for (int j = 0; j < count; j++) {
            if (told[j].state == whole) {
                assert_true(seen < sizeof should / sizeof *should);
                variant_check(v, "time", told[j].time, should[seen].time, 1e-6);
                assert_int_equal(told[j].to, should[seen].to);
                assert_int_equal(told[j].cause, DETENT_CAUSE_SWITCH);
                seen++;
            }
        }
        assert_int_equal(seen, sizeof should / sizeof *should);
        runs_end(sim, m);
    }
}

/** From a state saved just now on, what comes is told again, in the same way: the state leaves its stop on an input, comes back on another. */
static void again(detent_simulation *sim, const detent_state_change *left)
{
    detent_error error;
    const size_t state = left->state, size = detent_state_size(sim);
    void *saved = malloc(size);
    runs_must(detent_save_state(sim, saved, size, &error), &error);
    for (int round = 0; round < 2; round++) {
        size_t now = 0;
        runs_advance(sim, 5.25);
        runs_must(detent_set_input(sim, 0, -4, &error), &error);
        assert_int_equal(detent_advance(sim, 6, true, &error), DETENT_EVENT); /* the input */
        assert_int_equal(detent_advance(sim, 6, true, &error), DETENT_EVENT);
        const detent_state_change *change = last_state_changes(sim, &now);
        assert_true(now == 1 && change->state == state && change->from == 0 && change->to == -1);
        runs_must(detent_restore_state(sim, saved, size, &error), &error);
        last_state_changes(sim, &now);
        assert_int_equal(now, 0);
    }
    free(saved);
}

/*
 * A sampled rate that turns sends a state to its stop and back; an input does, too; one that begins at its stop says so. z' = 1 up to the sample at
 * 2 s, then -1: from 0 to 1.5 at 1.5 s, there until 2 s, at 0 at 3.5 s.
 */
static void samples_and_inputs_move_states(void **state)
{
    UNUSED(state);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_error error;
        detent_mechanism *m =
            runs_parse("detent: 1\ngravity: [0, 0, 0]\ninputs: {u: -1}\n"
                       "bodies: {a: {mass: 1}}\n"
                       "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
                       "sampled: {rate: {every: 0.5, value: \"if(t < 2, 1, -1)\"}}\n"
                       "states:\n"
                       "  z: {derivative: rate, min: 0, max: 1.5}\n"
                       "  w: {derivative: u, initial: 3, min: 3}\n"
                       "outputs: [z, w]\nsimulation: {end: 6}\n",
                       NULL);
        detent_simulation *sim = variant_start(m, v);
        detent_state_change told[MOST_TOLD];
        const int count = all_changes(sim, v, 5, told);
        const struct {
            double time;
            int state, to;
            detent_cause cause;
        } should[] = {{0, 1, -1, DETENT_CAUSE_INITIAL},
                      {1.5, 0, 1, DETENT_CAUSE_SWITCH},
                      {2, 0, 0, DETENT_CAUSE_SAMPLE},
                      {3.5, 0, -1, DETENT_CAUSE_SWITCH}};
        assert_int_equal(count, sizeof should / sizeof *should);
        for (int j = 0; j < count; j++) {
            variant_check(v, "time", told[j].time, should[j].time, 1e-9);
            assert_int_equal(told[j].state, should[j].state);
            assert_int_equal(told[j].to, should[j].to);
            assert_int_equal(told[j].cause, should[j].cause);
        }
        size_t now = 0;
        runs_must(detent_set_input(sim, 0, 2, &error), &error);
        assert_int_equal(detent_advance(sim, 6, true, &error), DETENT_EVENT);
        const detent_state_change *change = last_state_changes(sim, &now);
        assert_int_equal(now, 1);
        assert_true(change->state == 1 && change->from == -1 && change->to == 0);
        assert_int_equal(change->cause, DETENT_CAUSE_INPUT);
        again(sim, change);
        runs_end(sim, m);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_and_leaves_is_told),
        cmocka_unit_test(samples_and_inputs_move_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
