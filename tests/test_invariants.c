/* The checker of invariants finds each breach: rows of a real run pass, and do not where one number of them is changed. */
#include "support_changes.h"
#include "support_invariants.h"
#include "support_runs.h"

/** A drags B along: B sticks, slips when it is pushed, and sticks again; a rotation turns freely beside them. */
static const char text[] =
    "detent: 1\n"
    "parameters: {m: 1, l: 1}\n"
    "gravity: [0, 0, -9.81*l]\n"
    "bodies: {a: {mass: 2*m}, b: {mass: m}, c: {mass: m, inertia: [m*l^2, 2*m*l^2, 3*m*l^2]}}\n"
    "joints:\n"
    "  ja: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], initial: {velocity: l}}\n"
    "  jb: {type: prismatic, base: a, follower: b, axis: [1, 0, 0]}\n"
    "  jc: {type: spherical, base: ground, follower: c, initial: {velocity: [1, 2, 3]}}\n"
    "stiction:\n"
    "  ja: {velocity_threshold: 1e-4*l, kinetic: 3*m*l, static: 4*m*l}\n"
    "  jb: {velocity_threshold: 1e-4*l, kinetic: 1.5*m*l, static: 2*m*l,\n"
    "       external: \"if(t < 0.5, 0, 3*m*l)\"}\n"
    "simulation: {end: 2, interval: 0.01}\n";

enum { START, SAMPLE, EVENT }; /* what a story is made of */
enum { MOST = 64 };

typedef struct chapter {
    int kind;
    invariants *memory; /* whose two rows these are */
    invariants_row *row, *after;
    detent_mode_change change[2];
    size_t count;
} chapter;

/** A run as rows, to be told again and again. */
typedef struct story {
    detent_mechanism *mechanism;
    detent_settings settings;
    detent_simulation *simulation; /**< at the end of it */
    chapter chapter[MOST];
    int count;
} story;

static chapter *next_chapter(story *s, int kind)
{
    assert_true(s->count < MOST);
    chapter *c = &s->chapter[s->count++];
    c->kind = kind;
    c->memory = invariants_create(s->mechanism, &s->settings);
    assert_non_null(c->memory);
    c->row = invariants_rows(c->memory, 0);
    c->after = invariants_rows(c->memory, 1);
    return c;
}

static void read_row(const chapter *c, detent_simulation *simulation, bool before,
                     invariants_row *row)
{
    detent_error error;
    runs_must(invariants_read(c->memory, simulation, before, row, &error), &error);
}

/** The direction before an event is known only to who followed the run. */
static void follow_directions(const story *s, const chapter *c)
{
    const chapter *last = &s->chapter[s->count - 2];
    const invariants_row *row = last->kind == EVENT ? last->after : last->row;
    memcpy(c->row->direction, row->direction, 2 * sizeof *row->direction);
}

static void set_up_with(story *s, const char *const set[])
{
    detent_error error;
    *s = (story){.mechanism = runs_parse(text, set)};
    s->settings = runs_settings(s->mechanism, 0, 0);
    detent_simulation *simulation = s->simulation = runs_start(s->mechanism, &s->settings);
    chapter *c = next_chapter(s, START);
    read_row(c, simulation, false, c->row);
    for (double t = 0.1; t < 2.05;) {
        const detent_status status = detent_advance(simulation, t, true, &error);
        if (status == DETENT_EVENT) {
            c = next_chapter(s, EVENT);
            read_row(c, simulation, true, c->row);
            follow_directions(s, c);
            read_row(c, simulation, false, c->after);
            const detent_mode_change *changes = last_event(simulation, &c->count);
            assert_true(c->count <= 2);
            memcpy(c->change, changes, c->count * sizeof *changes);
        } else {
            runs_must(status, &error);
            c = next_chapter(s, SAMPLE);
            read_row(c, simulation, false, c->row);
            t += 0.1;
        }
    }
}

static void set_up(story *s)
{
    set_up_with(s, NULL);
}

static void tear_down(story *s)
{
    for (int k = 0; k < s->count; k++) {
        invariants_destroy(s->chapter[k].memory);
    }
    detent_simulation_destroy(s->simulation);
    detent_mechanism_destroy(s->mechanism);
}

/** Tells the story to a new checker; what it found is left in `kind` where it is false. */
static bool tell(const story *s, invariants_kind *kind)
{
    invariants *check = invariants_create(s->mechanism, &s->settings);
    assert_non_null(check);
    invariants_measure(check, s->simulation);
    bool well = true;
    for (int k = 0; k < s->count; k++) {
        const chapter *c = &s->chapter[k];
        well = c->kind == START    ? invariants_start(check, c->row)
               : c->kind == SAMPLE ? invariants_sample(check, c->row)
                                   : invariants_event(check, c->row, c->after, c->change, c->count);
    }
    assert_true(well == (invariants_breach(check) == NULL));
    if (!well) {
        *kind = invariants_breach_kind(check);
        if (runs_verbose()) {
            print_message("%s: %s\n", invariants_kind_name(*kind), invariants_breach(check));
        }
    }
    invariants_destroy(check);
    return well;
}

static void must_find(const story *s, invariants_kind expected)
{
    invariants_kind kind = INVARIANTS_KINDS;
    assert_false(tell(s, &kind));
    assert_string_equal(invariants_kind_name(kind), invariants_kind_name(expected));
}

/** A number that is changed for one telling. */
static void must_find_number(const story *s, double *place, double value, invariants_kind expected)
{
    const double was = *place;
    assert_true(memcmp(&was, &value, sizeof was) != 0);
    *place = value;
    must_find(s, expected);
    *place = was;
}

static void must_find_integer(const story *s, int *place, int value, invariants_kind expected)
{
    const int was = *place;
    assert_true(was != value);
    *place = value;
    must_find(s, expected);
    *place = was;
}

/** The n-th chapter of a kind in which stiction k has (or just before an event had) the mode. */
static chapter *find_chapter(story *s, int kind, int k, detent_mode mode, int n)
{
    for (int j = 0; j < s->count; j++) {
        if (s->chapter[j].kind == kind && s->chapter[j].row->mode[k] == (int)mode && n-- == 0) {
            return &s->chapter[j];
        }
    }
    fail_msg("there is no such chapter");
    return NULL;
}

static void test_a_run_passes(void **state)
{
    (void)state;
    story s;
    invariants_kind kind;
    set_up(&s);
    assert_true(tell(&s, &kind));
    find_chapter(&s, SAMPLE, 0, DETENT_UNLOCKED, 2);
    find_chapter(&s, SAMPLE, 1, DETENT_LOCKED, 2);
    find_chapter(&s, EVENT, 1, DETENT_LOCKED, 0);
    tear_down(&s);
}

static void test_time_and_numbers(void **state)
{
    (void)state;
    story s;
    set_up(&s);
    chapter *sample = find_chapter(&s, SAMPLE, 0, DETENT_UNLOCKED, 1);
    chapter *event = find_chapter(&s, EVENT, 1, DETENT_LOCKED, 0);
    must_find_number(&s, &sample->row->time, 0.05, INVARIANTS_TIME);
    must_find_number(&s, &event->row->time, event->row->time + 1e-12, INVARIANTS_TIME);
    must_find_number(&s, &sample->row->q[0], (double)NAN, INVARIANTS_FINITE);
    must_find_number(&s, &sample->row->v[2], (double)INFINITY, INVARIANTS_FINITE);
    must_find_number(&s, &event->after->a[3], (double)NAN, INVARIANTS_FINITE);
    must_find_number(&s, &sample->row->f[0], (double)NAN, INVARIANTS_FINITE);
    must_find_number(&s, &sample->row->margin[1], (double)NAN, INVARIANTS_FINITE);
    must_find_number(&s, &sample->row->statistics.damping_work, (double)NAN, INVARIANTS_FINITE);
    tear_down(&s);
}

static void test_chain_of_modes(void **state)
{
    (void)state;
    story s;
    set_up(&s);
    chapter *event = find_chapter(&s, EVENT, 1, DETENT_LOCKED, 0);
    chapter *sample = find_chapter(&s, SAMPLE, 0, DETENT_UNLOCKED, 1);
    detent_mode_change *change = &event->change[0];
    const detent_mode_change was = *change;
    must_find_integer(&s, &change->from_direction, 1, INVARIANTS_CHAIN);
    must_find_integer(&s, &change->to_direction, -change->to_direction, INVARIANTS_CHAIN);
    must_find_number(&s, &change->time, was.time + 1e-9, INVARIANTS_CHAIN);
    change->from = DETENT_WAIT;
    must_find(&s, INVARIANTS_CHAIN);
    *change = was;
    change->stiction = 7;
    must_find(&s, INVARIANTS_CHAIN);
    *change = was;
    event->count--; /* one that was not told */
    must_find(&s, INVARIANTS_CHAIN);
    event->count++;
    must_find_integer(&s, &sample->row->mode[0], DETENT_WAIT, INVARIANTS_CHAIN);
    must_find_integer(&s, &sample->row->direction[0], -1, INVARIANTS_CHAIN);
    must_find_integer(&s, &event->row->mode[1], DETENT_WAIT, INVARIANTS_CHAIN);
    tear_down(&s);
}

static void test_pairs_of_rows(void **state)
{
    (void)state;
    story s;
    set_up(&s);
    chapter *event = find_chapter(&s, EVENT, 0, DETENT_UNLOCKED, 0);
    must_find_number(&s, &event->after->q[0], nextafter(event->after->q[0], 9), INVARIANTS_PAIR);
    must_find_number(&s, &event->after->q[2], event->after->q[2] + 1e-4, INVARIANTS_PAIR);
    must_find_number(&s, &event->after->v[4], event->after->v[4] * 1.001, INVARIANTS_PAIR);
    must_find_number(&s, &event->after->v[0], event->after->v[0] + 1e-3, INVARIANTS_PAIR);
    tear_down(&s);
}

static void test_locked_joints(void **state)
{
    (void)state;
    story s;
    set_up(&s);
    chapter *c = find_chapter(&s, SAMPLE, 1, DETENT_LOCKED, 1);
    must_find_number(&s, &c->row->q[1], nextafter(c->row->q[1], 1), INVARIANTS_LOCKED);
    must_find_number(&s, &c->row->v[1], 1e-300, INVARIANTS_LOCKED);
    must_find_number(&s, &c->row->a[1], -1e-300, INVARIANTS_LOCKED);
    must_find_number(&s, &c->row->margin[1], -1e-9, INVARIANTS_LIMITS);
    tear_down(&s);
}

static void test_friction_that_drives(void **state)
{
    (void)state;
    story s;
    set_up(&s);
    chapter *c = find_chapter(&s, SAMPLE, 0, DETENT_UNLOCKED, 2);
    must_find_number(&s, &c->row->f[0], 1e-9, INVARIANTS_POWER);
    must_find_number(&s, &c->row->v[0], -1e-5, INVARIANTS_POWER);
    must_find_number(&s, &c->row->statistics.friction_work, c->row->statistics.friction_work + 1,
                     INVARIANTS_WORK);
    tear_down(&s);
}

static void test_energy(void **state)
{
    (void)state;
    story s;
    set_up(&s);
    chapter *c = find_chapter(&s, SAMPLE, 0, DETENT_UNLOCKED, 2);
    detent_statistics *work = &c->row->statistics;
    must_find_number(&s, &work->kinetic_energy, work->kinetic_energy * 1.0001, INVARIANTS_ENERGY);
    must_find_number(&s, &work->friction_work, work->friction_work * 1.001, INVARIANTS_ENERGY);
    must_find_number(&s, &work->actuation_work, work->actuation_work - 1e-3, INVARIANTS_ENERGY);
    must_find_number(&s, &work->impact_loss, 1e-3, INVARIANTS_ENERGY);
    tear_down(&s);
}

/** A micrometre's way of a nanogram is a run like others: what is wrong there is as small, and found. */
static void test_a_tiny_mechanism(void **state)
{
    (void)state;
    static const double l = 1e-6, m = 1e-12;
    static const char *const set[] = {"l=1e-6", "m=1e-12", NULL};
    story s;
    invariants_kind kind;
    set_up_with(&s, set);
    assert_true(tell(&s, &kind));
    chapter *c = find_chapter(&s, SAMPLE, 1, DETENT_LOCKED, 1);
    must_find_number(&s, &c->row->margin[1], -1e-9 * m * l, INVARIANTS_LIMITS);
    c = find_chapter(&s, EVENT, 0, DETENT_UNLOCKED, 0);
    must_find_number(&s, &c->after->v[0], c->after->v[0] + 1e-3 * l, INVARIANTS_PAIR);
    must_find_number(&s, &c->after->v[4], c->after->v[4] * 1.001, INVARIANTS_PAIR);
    must_find_number(&s, &c->after->q[2], c->after->q[2] + 1e-4, INVARIANTS_PAIR);
    c = find_chapter(&s, SAMPLE, 0, DETENT_UNLOCKED, 2);
    must_find_number(&s, &c->row->f[0], 1e-9 * m * l, INVARIANTS_POWER);
    must_find_number(&s, &c->row->v[0], -1e-5 * l, INVARIANTS_POWER);
    detent_statistics *work = &c->row->statistics;
    must_find_number(&s, &work->friction_work, work->friction_work + 10 * m * l * l,
                     INVARIANTS_WORK);
    must_find_number(&s, &work->kinetic_energy, work->kinetic_energy * 1.0001, INVARIANTS_ENERGY);
    must_find_number(&s, &work->impact_loss, 1e-3 * m * l * l, INVARIANTS_ENERGY);
    tear_down(&s);
}

/** What a run was before it was restored is forgotten: time may go back, and modes differ. */
static void test_a_new_start(void **state)
{
    (void)state;
    story s;
    set_up(&s);
    invariants *check = invariants_create(s.mechanism, &s.settings);
    assert_non_null(check);
    invariants_measure(check, s.simulation);
    const chapter *early = find_chapter(&s, SAMPLE, 0, DETENT_UNLOCKED, 0);
    const chapter *late = &s.chapter[s.count - 1];
    assert_true(invariants_start(check, late->row));
    assert_true(invariants_start(check, early->row));
    assert_false(invariants_sample(check, late->row)); /* here modes have changed untold */
    assert_int_equal(invariants_breach_kind(check), INVARIANTS_CHAIN);
    invariants_destroy(check);
    tear_down(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_passes),     cmocka_unit_test(test_time_and_numbers),
        cmocka_unit_test(test_chain_of_modes),   cmocka_unit_test(test_pairs_of_rows),
        cmocka_unit_test(test_locked_joints),    cmocka_unit_test(test_friction_that_drives),
        cmocka_unit_test(test_energy),           cmocka_unit_test(test_a_new_start),
        cmocka_unit_test(test_a_tiny_mechanism),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
