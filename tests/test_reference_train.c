/* The spring-block train of Burridge and Knopoff, N = 5: thirty breakaways and stops of one computed run, in order.
 *
 * Reference: the event list F8_events.json, [time, direction of each block (0: sticks), place of each block], the first
 * entry being the state in which the run starts. A block that turns round at a stop is there one event, as here. */

#include "support_changes.h"
#include "support_runs.h"

enum { BLOCKS = 5, MOST_EVENTS = 64 };

typedef struct train_event {
    double time, direction[BLOCKS], place[BLOCKS];
} train_event;

/* The numbers of nested lists in their order; brackets and commas are passed over. */
static size_t read_events(const char *path, train_event event[MOST_EVENTS])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t numbers = 0;
    double value;
    for (;;) {
        const int got = fscanf(file, "%lf", &value);
        if (got == EOF) {
            break;
        }
        if (got == 0) {
            fgetc(file); /* a bracket or a comma */
            continue;
        }
        const size_t length = 1 + 2 * BLOCKS, which = numbers / length, part = numbers % length;
        assert_true(which < MOST_EVENTS);
        *(part == 0        ? &event[which].time
          : part <= BLOCKS ? &event[which].direction[part - 1]
                           : &event[which].place[part - 1 - BLOCKS]) = value;
        numbers++;
    }
    fclose(file);
    assert_int_equal(numbers % (1 + 2 * BLOCKS), 0);
    return numbers / (1 + 2 * BLOCKS);
}

static bool is_turn(const detent_simulation *s)
{
    size_t count;
    const detent_mode_change *change = last_event(s, &count);
    for (size_t k = 0; k < count; k++) {
        if (runs_is_turn(&change[k])) {
            return true;
        }
    }
    return false;
}

static void check_event(detent_simulation *s, const train_event *expected, size_t number)
{
    detent_error error;
    double place[BLOCKS];
    char what[64];
    snprintf(what, sizeof what, "time of event %zu", number);
    runs_near(what, detent_time(s), expected->time, 1e-6);
    runs_must(detent_read(s, DETENT_POSITIONS, place, BLOCKS, &error), &error);
    for (size_t block = 0; block < BLOCKS; block++) {
        int direction;
        const detent_mode mode = detent_get_mode(s, block, &direction);
        snprintf(what, sizeof what, "event %zu, direction of block %zu", number, block + 1);
        runs_near(what, mode == DETENT_LOCKED ? 0 : direction, expected->direction[block], 0);
        snprintf(what, sizeof what, "event %zu, place of block %zu", number, block + 1);
        runs_near(what, place[block], expected->place[block], 1e-7);
    }
}

static void test_train_of_five(void **state)
{
    UNUSED(state);
    train_event expected[MOST_EVENTS];
    const size_t count = read_events(runs_reference("burridge_knopoff/F8_events.json"), expected);
    assert_int_equal(count, 1 + 30);
    detent_mechanism *m = runs_load("burridge_knopoff.yaml", NULL);
    detent_simulation *s = runs_start(m, NULL);
    detent_error error;
    detent_status status;
    size_t number = 0;
    check_event(s, &expected[0], number++);
    while ((status = detent_advance(s, 60, true, &error)) == DETENT_EVENT) {
        if (is_turn(s)) {
            assert_true(number < count);
            check_event(s, &expected[number], number);
            number++;
        }
    }
    runs_must(status, &error);
    assert_int_equal(number, count);
    runs_end(s, m);
}

/* The whole run of 60 s, twenty rows a second. */
static void test_trajectory_of_five(void **state)
{
    UNUSED(state);
    runs_table table =
        runs_read_table(runs_reference("burridge_knopoff/F8_burridge_knopoff_N5_computed.csv"));
    detent_mechanism *m = runs_load("burridge_knopoff.yaml", NULL);
    detent_simulation *s = runs_start(m, NULL);
    double worst = 0;
    for (size_t row = 0; row < table.rows; row++) {
        detent_error error;
        double place[BLOCKS], velocity[BLOCKS];
        runs_advance(s, runs_at(&table, row, 0));
        runs_must(detent_read(s, DETENT_POSITIONS, place, BLOCKS, &error), &error);
        runs_must(detent_read(s, DETENT_VELOCITIES, velocity, BLOCKS, &error), &error);
        for (size_t block = 0; block < BLOCKS; block++) {
            worst = fmax(worst, fabs(place[block] - runs_at(&table, row, 1 + block)));
            worst = fmax(worst, fabs(velocity[block] - runs_at(&table, row, 1 + BLOCKS + block)));
        }
    }
    runs_near("worst error of 1,201 rows", worst, 0, 1e-6);
    runs_table_free(&table);
    runs_end(s, m);
}

/* A long train runs and balances its energy; every block that sticks does so within its limit. */
static void test_train_of_two_hundred(void **state)
{
    UNUSED(state);
    const char *const set[] = {"N=200", NULL};
    detent_mechanism *m = runs_load("burridge_knopoff.yaml", set);
    const detent_settings settings = runs_settings(m, 1e-6, 1e-8);
    detent_simulation *s = runs_start(m, &settings);
    runs_advance(s, 4);
    assert_true(runs_relative_energy_gap(s) < 1e-5);
    detent_error error;
    double margin[200];
    runs_must(detent_read(s, DETENT_MARGINS, margin, 200, &error), &error);
    for (size_t block = 0; block < 200; block++) {
        if (detent_get_mode(s, block, NULL) == DETENT_LOCKED) {
            assert_true(margin[block] >= -1e-9);
        }
    }
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_train_of_five),
        cmocka_unit_test(test_trajectory_of_five),
        cmocka_unit_test(test_train_of_two_hundred),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
