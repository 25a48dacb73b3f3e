/*
 * Mechanisms that once were not treated as they should be, from a folder beside the project: each must finish in all
 * variants with the same events, and come to what is known of it. Skipped where the folder is absent; each class has a
 * mechanism of its own in the other tests.
 */
#include "support_changes.h"
#include "support_variants.h"

typedef struct defect {
    const char *file;
    const char *set[3]; /**< parameters */
    double interval, rtol, atol;
    double end;          /**< 0: the file's */
    const char *may_say; /**< it may end with an outcome whose message says this */
    void (*check)(const detent_mechanism *, detent_simulation *, const runs_log *, variant);
} defect;

static const char *folder(const char *file)
{
    static char path[512], name[128];
    snprintf(name, sizeof name, "../defects/%s.yaml", file);
    snprintf(path, sizeof path, "%s", runs_reference(name));
    return path;
}

static detent_mechanism *load(const defect *d, detent_status expected)
{
    detent_parameter parameters[3];
    char names[3][64];
    detent_load_options options = {
        .size = sizeof options, .parameters = parameters, .atol = d->atol};
    detent_mechanism *m = NULL;
    detent_error error;
    for (; options.parameter_count < 3 && d->set[options.parameter_count];
         options.parameter_count++) {
        const size_t k = options.parameter_count;
        const char *equals = strchr(d->set[k], '=');
        snprintf(names[k], sizeof names[k], "%.*s", (int)(equals - d->set[k]), d->set[k]);
        parameters[k] = (detent_parameter){names[k], equals + 1};
    }
    const detent_status status = detent_mechanism_load(folder(d->file), &options, &m, &error);
    if (status != expected) {
        fail_msg("%s: %s: %s", d->file, detent_status_text(status), error.message);
    }
    return m;
}

/* ---- what is known ---- */

static double last_velocity(const detent_mechanism *m, detent_simulation *s, const char *joint)
{
    return runs_velocity(m, s, joint);
}

static void both_rest(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                      variant v)
{
    (void)log;
    (void)v;
    assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
    assert_int_equal(runs_mode(m, s, "b"), DETENT_LOCKED);
}

static void breaks_at(const runs_log *log, variant v, double time, double tolerance)
{
    runs_near(variant_name(v), runs_time_of(log, 0, DETENT_WAIT, 0), time, tolerance);
}

static void sine_load(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                      variant v)
{
    breaks_at(log, v, acos(-1) / 6, 1e-8);
    runs_near("position at the end", runs_position(m, s, "a"), 1.0417, 1e-4);
}

static void falling_limit(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                          variant v)
{
    (void)m;
    (void)s;
    breaks_at(log, v, 7 * acos(-1) / 6, 1e-8);
}

static void dragged(const detent_mechanism *m, detent_simulation *s, const runs_log *log, variant v)
{
    (void)m;
    (void)s;
    breaks_at(log, v, 7.5, 1e-6);
}

static void starts_at_one(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                          variant v)
{
    (void)log;
    /* v' = t - 1 from 1 s on */
    runs_near(variant_name(v), last_velocity(m, s, "j"), 0.5, 1e-5);
}

static void fades(const detent_mechanism *m, detent_simulation *s, const runs_log *log, variant v)
{
    (void)log;
    runs_near(variant_name(v), last_velocity(m, s, "a"), 9.5, 1e-6);
}

static void holds_its_speed(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                            variant v)
{
    (void)log;
    runs_near(variant_name(v), last_velocity(m, s, "a"), 0.05, 1e-9);
}

static void glides(const detent_mechanism *m, detent_simulation *s, const runs_log *log, variant v)
{
    (void)log;
    runs_near(variant_name(v), last_velocity(m, s, "a"), 1 + (1 - cos(1)) / 0.196, 1e-5);
}

static void stops_early(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                        variant v)
{
    (void)m;
    (void)s;
    runs_near(variant_name(v), runs_time_of(log, 0, DETENT_LOCKED, 0), 0.476, 1e-3);
}

static void is_pulsed(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                      variant v)
{
    (void)m;
    (void)s;
    breaks_at(log, v, 50.003, 1e-6);
}

static void open_clutch(const detent_mechanism *m, detent_simulation *s, const runs_log *log,
                        variant v)
{
    (void)log;
    /* the third shaft rests in the world: its speed relative to the second is minus that of the second */
    runs_near(variant_name(v),
              last_velocity(m, s, "a") + last_velocity(m, s, "b") + last_velocity(m, s, "c"), 0,
              1e-4);
}

static const defect defects[] = {
    {.file = "stale_load"},
    {.file = "band_three", .check = both_rest},
    {.file = "d4_interval", .check = sine_load},
    {.file = "d4_interval", .interval = 10, .check = sine_load},
    {.file = "n12b", .check = falling_limit},
    {.file = "n12b", .interval = 10, .check = falling_limit},
    {.file = "scale", .check = dragged},
    {.file = "scale", .set = {"s=1e-9"}, .check = dragged},
    {.file = "scale", .set = {"s=1e-12"}, .check = dragged},
    {.file = "scale", .set = {"s=1e-14"}, .check = dragged},
    {.file = "scale", .set = {"s=1e12"}, .check = dragged},
    {.file = "test_relock", .check = starts_at_one},
    {.file = "d1_tiny_friction"},
    {.file = "d1_open_clutch", .check = open_clutch},
    {.file = "d2_max0", .check = fades},
    {.file = "d8_no_normal_force", .check = glides},
    {.file = "d9_unloaded_guide"},
    {.file = "d7_no_root_two_blocks"},
    {.file = "d5_erk_stribeck", .check = stops_early},
    {.file = "d5_erk_stribeck", .set = {"v0=50"}},
    {.file = "d5_erk_stribeck", .rtol = 1e-10, .check = stops_early},
    {.file = "d6_motion_tight", .rtol = 1e-11},
    {.file = "d10_static_rounded", .may_say = "is below the kinetic friction"},
    {.file = "d3_atol_override", .atol = 1e-12},
    {.file = "acc1", .set = {"J=0.5"}},
    {.file = "acc1", .set = {"J=8"}},
    {.file = "armature2", .set = {"J=0.1"}, .rtol = 1e-9, .end = 5},
    {.file = "armature2", .set = {"J=100"}, .rtol = 1e-9, .end = 5},
    {.file = "belt_band"},
    {.file = "band_on_moving_belt"},
    /* it moves on, and from 0.25 s on its own law holds it at 0.05 m/s */
    {.file = "branch", .check = holds_its_speed},
    {.file = "ida_stall"},
    {.file = "dense_alone_fails"},
    {.file = "j2", .set = {"k=1e6"}, .end = 2},
    {.file = "pulse", .check = is_pulsed},
};

/* ---- all of them ---- */

/** Finishes, or the test fails with its name. */
static void record_to_end(const defect *d, detent_simulation *s, variant v, double end,
                          runs_log *log)
{
    detent_error error;
    detent_status status;
    size_t count;
    do {
        const detent_mode_change *changes = last_event(s, &count);
        for (size_t k = 0; k < count; k++) {
            log->change = realloc(log->change, (log->count + 1) * sizeof *log->change);
            assert_non_null(log->change);
            log->change[log->count++] = changes[k];
        }
        status = detent_advance(s, end, true, &error);
    } while (status == DETENT_EVENT);
    const bool said = d->may_say && status > DETENT_OK && strstr(error.message, d->may_say);
    if (status != DETENT_OK && !said) {
        fail_msg("%s, %s: %s: %s", d->file, variant_name(v), detent_status_text(status),
                 error.message);
    }
}

static size_t next_turn(const runs_log *log, size_t stiction, size_t at, double tolerance)
{
    for (; at < log->count; at++) {
        const detent_mode_change *c = &log->change[at];
        bool brief = false; /* the joint leaves again within an instant */
        for (size_t k = at + 1; k < log->count && !brief; k++) {
            brief = log->change[k].stiction == stiction &&
                    log->change[k].time - c->time <= tolerance && runs_is_turn(&log->change[k]);
        }
        if (c->stiction == stiction && runs_is_turn(c) && !brief) {
            return at;
        }
    }
    return at;
}

static void must_agree(const defect *d, variant v, const runs_log *a, const runs_log *b,
                       size_t stictions, double tolerance)
{
    for (size_t k = 0; k < stictions; k++) {
        size_t x = next_turn(a, k, 0, tolerance), y = next_turn(b, k, 0, tolerance);
        for (; x < a->count && y < b->count;
             x = next_turn(a, k, x + 1, tolerance), y = next_turn(b, k, y + 1, tolerance)) {
            if (a->change[x].to_direction != b->change[y].to_direction ||
                fabs(a->change[x].time - b->change[y].time) > tolerance) {
                fail_msg("%s, %s: stiction %zu goes to %+d at %.12g, not to %+d at %.12g", d->file,
                         variant_name(v), k, a->change[x].to_direction, a->change[x].time,
                         b->change[y].to_direction, b->change[y].time);
            }
        }
        if (x < a->count || y < b->count) {
            fail_msg("%s, %s: stiction %zu has %s changes than in the first variant", d->file,
                     variant_name(v), k, x < a->count ? "more" : "fewer");
        }
    }
}

static void run_defect(const defect *d)
{
    detent_mechanism *m = load(d, DETENT_OK);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    runs_log first = {0};
    detent_mechanism_get_info(m, &info);
    detent_settings own = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(m, &own);
    const double end = d->end > 0 ? d->end : own.end;
    for (size_t k = 0; k < VARIANTS; k++) {
        const variant v = variant_at(k);
        detent_settings settings = variant_settings(m, v);
        detent_error error;
        detent_simulation *s = NULL;
        runs_log log = {0};
        settings.interval = d->interval > 0 ? d->interval : settings.interval;
        settings.rtol = d->rtol > 0 ? d->rtol : settings.rtol;
        const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
        const detent_status status = detent_simulation_create(m, &options, &s, &error);
        if (status != DETENT_OK) {
            fail_msg("%s, %s: %s: %s", d->file, variant_name(v), detent_status_text(status),
                     error.message);
        }
        record_to_end(d, s, v, end, &log);
        if (d->check) {
            d->check(m, s, &log, v);
        }
        if (k == 0) {
            first = log;
        } else {
            must_agree(d, v, &log, &first, info.stictions, 1e-5);
            runs_log_free(&log);
        }
        detent_simulation_destroy(s);
    }
    runs_log_free(&first);
    detent_mechanism_destroy(m);
}

static void one_defect(void **state)
{
    run_defect(*state);
}

/** A billion bodies in a kilobyte are refused before memory is out. */
static void chains_have_a_bound(void **state)
{
    (void)state;
    const defect d = {.file = "many_chains"};
    assert_null(load(&d, DETENT_ERROR_MODEL));
}

int main(void)
{
    enum { COUNT = sizeof defects / sizeof *defects };
    static struct CMUnitTest tests[COUNT + 1];
    static char names[COUNT][96];
    for (size_t k = 0; k < COUNT; k++) {
        const defect *d = &defects[k];
        snprintf(names[k], sizeof names[k], "%s%s%s%s", d->file, d->set[0] ? " " : "",
                 d->set[0] ? d->set[0] : "", d->interval > 0 ? " interval 10" : "");
        tests[k] = (struct CMUnitTest){
            .name = names[k], .test_func = one_defect, .initial_state = (void *)(uintptr_t)d};
    }
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(chains_have_a_bound);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
