/* A caller may end a call at any time: the readings are those of the last good time, the next call goes on from there,
 * and where a run was interrupted makes no difference to where it goes. */

#include "support_changes.h"
#include "support_runs.h"

typedef struct caller {
    size_t asked;
    size_t until;        /* goes on until it has been asked as often, then says ... */
    detent_request wish; /* this */
} caller;

static detent_request ask(void *user)
{
    caller *c = user;
    return ++c->asked > c->until ? c->wish : DETENT_GO_ON;
}

static detent_simulation *start(const detent_mechanism *m, const detent_settings *settings,
                                caller *c)
{
    detent_error error;
    detent_simulation *s = NULL;
    const detent_simulation_options options = {
        .size = sizeof options, .settings = settings, .interrupt = ask, .interrupt_user = c};
    runs_must(detent_simulation_create(m, &options, &s, &error), &error);
    return s;
}

static const char *const files[] = {"sticky_double_pendulum.yaml", "burridge_knopoff.yaml",
                                    "coulomb_oscillator.yaml"};

/* To `end`, interrupted after every `count` questions; returns how often. */
static size_t advance_in_bits(detent_simulation *s, caller *c, double end, size_t count)
{
    detent_error error;
    detent_status status;
    size_t interruptions = 0;
    double before = detent_time(s);
    do {
        c->asked = 0;
        c->until = count;
        status = detent_advance(s, end, false, &error);
        assert_true(detent_time(s) >= before && detent_time(s) <= end);
        before = detent_time(s);
        interruptions += status == DETENT_INTERRUPTED;
        if (status == DETENT_INTERRUPTED) {
            assert_non_null(strstr(error.message, "interrupted"));
        }
    } while (status == DETENT_INTERRUPTED);
    runs_must(status, &error);
    assert_true(detent_time(s) == end);
    return interruptions;
}

static void pauses_change_nothing(void **state)
{
    UNUSED(state);
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        detent_mechanism *m = runs_load(files[f], NULL);
        for (int integrator = 0; integrator < 2; integrator++) {
            detent_settings settings = runs_settings(m, 0, 0);
            settings.integrator = (detent_integrator)integrator;
            const double end = 0.2 * settings.end;
            caller c = {.wish = DETENT_PAUSE};
            size_t count;
            detent_simulation *whole = runs_start(m, &settings), *parts = start(m, &settings, &c);
            runs_advance(whole, end);
            assert_true(advance_in_bits(parts, &c, end, 7) > 3);
            double *one = runs_state(m, whole, &count), *other = runs_state(m, parts, &count);
            assert_memory_equal(one, other, count * sizeof *one);
            free(one);
            free(other);
            detent_simulation_destroy(whole);
            detent_simulation_destroy(parts);
        }
        detent_mechanism_destroy(m);
    }
}

/* A search that was given up leaves the state just before the event, and is made again. */
static void searches_are_given_up(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_load("sticky_double_pendulum.yaml", NULL);
    const detent_settings settings = runs_settings(m, 0, 0);
    caller never = {.until = (size_t)-1}, c = {.until = (size_t)-1, .wish = DETENT_STOP};
    detent_simulation *whole = start(m, &settings, &never), *s = start(m, &settings, &c);
    detent_error error;
    size_t given_up = 0, count;
    for (int event = 0; event < 6; event++) {
        never.asked = 0;
        assert_int_equal(detent_advance(whole, settings.end, true, &error), DETENT_EVENT);
        /* every question on the way to this event gets a no in turn, from the last one back */
        const size_t questions = never.asked;
        c.asked = 0;
        c.until = questions - 1;
        assert_int_equal(detent_advance(s, settings.end, true, &error), DETENT_INTERRUPTED);
        given_up += strstr(error.message, "search") != NULL;
        assert_int_equal(error.status, DETENT_INTERRUPTED);
        last_event(s, &count);
        assert_int_equal(count, 0);
        double *state_before = runs_state(m, s, &count);
        for (size_t k = 0; k < count; k++) {
            assert_true(isfinite(state_before[k]));
        }
        free(state_before);
        c.until = (size_t)-1;
        assert_int_equal(detent_advance(s, settings.end, true, &error), DETENT_EVENT);
        assert_true(detent_time(s) == detent_time(whole));
        double *one = runs_state(m, whole, &count), *other = runs_state(m, s, &count);
        assert_memory_equal(one, other, count * sizeof *one);
        free(one);
        free(other);
    }
    assert_true(given_up >= 3);
    detent_simulation_destroy(whole);
    detent_simulation_destroy(s);

    /* also the first one, at a start in motion or at rest */
    const caller at_once = {.until = 0, .wish = DETENT_STOP};
    caller user = at_once;
    const detent_simulation_options options = {
        .size = sizeof options, .settings = &settings, .interrupt = ask, .interrupt_user = &user};
    s = (detent_simulation *)m;
    assert_int_equal(detent_simulation_create(m, &options, &s, &error), DETENT_INTERRUPTED);
    assert_null(s);
    /* a pause is no reason to give it up */
    user = (caller){.until = 0, .wish = DETENT_PAUSE};
    runs_must(detent_simulation_create(m, &options, &s, &error), &error);
    assert_int_equal(detent_advance(s, 1, false, &error), DETENT_INTERRUPTED);
    assert_true(detent_time(s) == 0);
    runs_end(s, m);
}

/* A search in which friction and the forces that it follows are found together takes thousands of questions: a no to any of them ends it. */
static void long_searches_are_given_up(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "parameters: {n: 20, reach: 2.4 m}\n"
        "chain:\n"
        "  count: n\n"
        "  bodies: {link: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0, 1/12, 1/12]}}\n"
        "  joints: {pin: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", at: {base: "
        "[1, 0, 0]}}}\n"
        "  stiction: {pin: {kinetic: \"reach*reaction_force(pin[i])\", static: "
        "\"1.3*reach*reaction_force(pin[i])\"}}\n"
        "  first: {joints: {pin: {base: ground, at: null}}}\n"
        "simulation: {end: 1}\n";
    UNUSED(state);
    enum { SAMPLES = 60 };
    caller user = {.until = (size_t)-1, .wish = DETENT_STOP};
    const detent_simulation_options options = {
        .size = sizeof options, .interrupt = ask, .interrupt_user = &user};
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = NULL;
    detent_error error;
    runs_must(detent_simulation_create(m, &options, &s, &error), &error);
    const size_t questions = user.asked;
    assert_true(questions > SAMPLES);
    detent_simulation_destroy(s);
    for (size_t k = 0; k <= SAMPLES; k++) {
        user.asked = 0;
        user.until = k * questions / SAMPLES;
        const detent_status status = detent_simulation_create(m, &options, &s, &error);
        if (k < SAMPLES) {
            assert_int_equal(status, DETENT_INTERRUPTED);
            assert_int_equal(user.asked, user.until + 1); /* who has said no is not asked again */
            assert_null(s);
            assert_non_null(strstr(error.message, "interrupted in the search at t = 0 s"));
        } else {
            runs_must(status, &error);
        }
    }
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pauses_change_nothing),
        cmocka_unit_test(searches_are_given_up),
        cmocka_unit_test(long_searches_are_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
