/* When a run is to end does not matter to what happens before: it is the same, event by event, whether it ends there, or goes on a hundred or a
 * million times as long, within the tolerance. */
#include "scales_loops.h"
#include "scales_trees.h"
#include "support_variants.h"

enum { MECHANISMS = TREES + LOOPS };

static const double rtol = 1e-7;

static const scaled *mechanism(size_t i)
{
    return i < TREES ? &trees[i] : &loops[i - TREES];
}

typedef struct story {
    runs_log log;
    size_t count;
    double *state;
    detent_scale scale;
} story;

/* What happens until `until`, in a run to `end`. */
static story tell(const char *text, variant v, double until, double end)
{
    story s = {0};
    detent_mechanism *m = runs_parse(text, NULL);
    detent_settings settings = variant_settings(m, v);
    settings.end = end;
    settings.interval = until / 100;
    settings.rtol = rtol;
    detent_simulation *sim = runs_start(m, &settings);
    s.scale.size = sizeof s.scale;
    detent_error error;
    runs_must(detent_get_scale(sim, 0, &s.scale, &error), &error);
    runs_record(sim, until, &s.log);
    s.state = runs_state(m, sim, &s.count);
    runs_end(sim, m);
    return s;
}

static void forget(story *s)
{
    runs_log_free(&s->log);
    free(s->state);
}

static bool is_same_change(const detent_mode_change *x, const detent_mode_change *y)
{
    return x->stiction == y->stiction && x->from == y->from && x->to == y->to &&
           x->to_direction == y->to_direction;
}

/* The next change from k on; of `turns` alone, who gives way, stops or turns round. */
static size_t next_change(const runs_log *log, size_t k, bool turns)
{
    while (turns && k < log->count && !runs_is_turn(&log->change[k])) {
        k++;
    }
    return k;
}

/*
 * Whether both have the same changes, `allowed` apart at most; says where they do not. How fast is fast may be told by the run where the mechanism does not tell, or
 * takes longer: then those by thresholds are others.
 */
static bool is_same(const char *what, const story *a, const story *b, double allowed)
{
    const bool turns = a->scale.velocity != b->scale.velocity;
    size_t i = next_change(&a->log, 0, turns), j = next_change(&b->log, 0, turns);
    while (i < a->log.count && j < b->log.count) {
        const detent_mode_change *x = &a->log.change[i], *y = &b->log.change[j];
        const bool same = is_same_change(x, y);
        if (!same || !(fabs(y->time - x->time) <= allowed)) {
            print_error("%s: change %zu is %sat %.17g, not %.17g: off by %g\n", what, i,
                        same ? "" : "another one, ", y->time, x->time, y->time - x->time);
            return false;
        }
        i = next_change(&a->log, i + 1, turns);
        j = next_change(&b->log, j + 1, turns);
    }
    if (i < a->log.count || j < b->log.count) {
        print_error("%s: there are %s changes\n", what, i < a->log.count ? "fewer" : "more");
        return false;
    }
    return true;
}

static void ends_far_away(void **test)
{
    UNUSED(test);
    bool all = true;
    for (size_t i = 0; i < MECHANISMS; i++) {
        const double end = mechanism(i)->end, allowed = 1e-6 * end;
        char text[8192], what[128];
        snprintf(text, sizeof text, HEAD "%ssimulation: {end: 100}\n", mechanism(i)->text);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k + 2)) {
            const variant v = variant_at(k);
            story at_once = tell(text, v, end, end), later = tell(text, v, end, 100 * end),
                  last = tell(text, v, end, 1e6 * end);
            snprintf(what, sizeof what, "%s, %s", mechanism(i)->name, variant_name(v));
            all = is_same(what, &at_once, &later, allowed) && all;
            all = is_same(what, &later, &last, allowed) && all;
            assert_true(at_once.log.count > 1);
            forget(&at_once);
            forget(&later);
            forget(&last);
        }
    }
    assert_true(all);
}

/* ---- runs that are over before their mechanism gets anywhere ---- */

static const double brief = 1e-4, factors[] = {1, 100, 1e6};
enum { FACTORS = sizeof factors / sizeof *factors };

/* The first turn of a run of a mechanism that takes seconds must be at `time`. */
static void turn_is_at(const char *text, double time)
{
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (size_t n = 0; n < FACTORS; n++) {
            story s = tell(text, variant_at(k), brief, factors[n] * brief);
            const size_t first = next_change(&s.log, 1, true);
            if (first == s.log.count) {
                fail_msg("%s, %g times as long: nothing happens", variant_name(variant_at(k)),
                         factors[n]);
            }
            variant_check(variant_at(k), "time", s.log.change[first].time, time, 1e-6 * time);
            forget(&s);
        }
    }
}

/* A hinge with next to no friction is held until a ramp comes to its limit. */
static void weak_hinge_gives_way(void **test)
{
    UNUSED(test);
    static const double limit = 1e-6, rate = 0.03, inertia = 0.5;
    char text[1024];
    snprintf(
        text, sizeof text,
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {wheel: {mass: 1, inertia: [%.17g, %.17g, %.17g]}}\n"
        "joints: {hinge: {type: revolute, base: ground, follower: wheel, spring: {stiffness: 2}}}\n"
        "stiction: {hinge: {kinetic: %.17g, static: %.17g, external: \"%.17g*t\"}}\n"
        "simulation: {end: 1}\n",
        inertia, inertia, inertia, limit, limit, rate);
    turn_is_at(text, limit / rate);
}

/* A sled that creeps along its rail stops by its friction. */
static void slow_sled_stops(void **test)
{
    UNUSED(test);
    static const double v = 3e-3, mass = 3, then = 5e-5;
    char text[1024];
    snprintf(
        text, sizeof text,
        "detent: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {sled: {mass: %.17g, inertia: [1, 1, 1]}}\n"
        "joints: {rail: {type: prismatic, base: ground, follower: sled, axis: [1, 0, 0], initial: "
        "{velocity: %.17g}}}\n"
        "stiction: {rail: {kinetic: %.17g, static: 1}}\n"
        "simulation: {end: 1}\n",
        mass, v, mass * v / then);
    turn_is_at(text, then);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weak_hinge_gives_way),
        cmocka_unit_test(slow_sled_stops),
        cmocka_unit_test(ends_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
