/* Bearing, brake and clutch against the trajectories that the Modelica Association publishes with its library, and the
 * translational brake against both these and its exact solution.
 *
 * The published tables come from runs at a tolerance of 1e-6; they are good to about 5e-4 of the range of each column. */

#include "support_runs.h"

static const double share_of_range = 5e-4;

/* Largest difference of an output to the table's column of the same name, over the column's range. */
typedef struct column_error {
    const char *name;
    size_t column, output;
    double lowest, highest, worst;
} column_error;

enum { MOST_COLUMNS = 16 };

static void compare_row(detent_simulation *s, const runs_table *table, size_t row, size_t outputs,
                        column_error *error, size_t count)
{
    detent_error e;
    double value[MOST_COLUMNS];
    runs_must(detent_read(s, DETENT_OUTPUTS, value, outputs, &e), &e);
    for (size_t k = 0; k < count; k++) {
        const double published = runs_at(table, row, error[k].column);
        error[k].lowest = fmin(error[k].lowest, published);
        error[k].highest = fmax(error[k].highest, published);
        error[k].worst = fmax(error[k].worst, fabs(value[error[k].output] - published));
    }
}

/* Compares every row of the table with the run, for all columns that are also an output. */
static void compare(const char *file, const char *reference, size_t columns)
{
    runs_table table = runs_read_table(runs_reference(reference));
    detent_mechanism *m = runs_load(file, NULL);
    detent_simulation *s = runs_start(m, NULL);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    column_error error[MOST_COLUMNS] = {0};
    size_t count = 0;
    detent_mechanism_get_info(m, &info);
    assert_true(info.outputs <= MOST_COLUMNS);
    for (size_t k = 0; k < info.outputs; k++) {
        const char *name = detent_name(m, DETENT_OUTPUT, k);
        if (!strchr(name, '(')) {
            error[count++] =
                (column_error){.name = name, .column = runs_column(&table, name), .output = k};
        }
    }
    assert_int_equal(count, columns);
    for (size_t row = 0; row < table.rows; row++) {
        const double t = runs_at(&table, row, 0);
        if (t > detent_time(s)) {
            runs_advance(s, t);
        }
        /* at an event the table has several rows of one time, and only one of them is after it */
        if (row + 1 == table.rows || runs_at(&table, row + 1, 0) > t) {
            compare_row(s, &table, row, info.outputs, error, count);
        }
    }
    for (size_t k = 0; k < count; k++) {
        runs_near(error[k].name, error[k].worst / (error[k].highest - error[k].lowest), 0,
                  share_of_range);
    }
    runs_table_free(&table);
    runs_end(s, m);
}

static void test_bearing_brake_and_clutch(void **state)
{
    UNUSED(state);
    compare("modelica_friction.yaml",
            "modelica/ModelicaTest_Rotational_TestFriction__TestFriction.csv", 12);
}

static void test_translational_brake(void **state)
{
    UNUSED(state);
    compare("modelica_brake.yaml", "modelica/Translational_Brake__Brake.csv", 2);
}

static void test_translational_brake_exactly(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_load("modelica_brake.yaml", NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_log log = {0};
    runs_record(s, 2, &log);
    runs_near("stop time", runs_time_of(&log, 0, DETENT_LOCKED, 0), 1.1, 1e-7);
    runs_near("place", runs_position(m, s, "slide"), 0.6, 1e-7);
    assert_true(runs_velocity(m, s, "slide") == 0.0);
    runs_log_free(&log);
    runs_end(s, m);
}

/* What must be so in the other model too: brake and clutch have stopped and stay so, the bearing turns. */
static void test_bearing_brake_and_clutch_modes(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_load("modelica_friction.yaml", NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 0.6);
    const double brake = runs_position(m, s, "brake"), clutch = runs_position(m, s, "clutch");
    runs_advance(s, 1.1);
    assert_int_equal(runs_mode(m, s, "brake"), DETENT_LOCKED);
    assert_int_equal(runs_mode(m, s, "clutch"), DETENT_LOCKED);
    assert_int_equal(runs_mode(m, s, "one_way"), DETENT_LOCKED);
    assert_int_equal(runs_mode(m, s, "bearing"), DETENT_UNLOCKED);
    assert_true(runs_position(m, s, "brake") == brake);
    assert_true(runs_position(m, s, "clutch") == clutch);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bearing_brake_and_clutch),
        cmocka_unit_test(test_bearing_brake_and_clutch_modes),
        cmocka_unit_test(test_translational_brake),
        cmocka_unit_test(test_translational_brake_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
