/* Tables from files beside a mechanism file: two columns, or a grid; what is wrong in them has its place there. */
#include "support_runs.h"

#include <unistd.h>

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void a_file_beside_is_read(void **state)
{
    UNUSED(state);
    char folder[] = "/tmp/test_tables_XXXXXX", path[64], data[64];
    detent_error error;
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } bad[] = {{"0,1\n1,z\n", 2, 3, "not 'z'"},        {"a,b\nc,d\n", 2, 1, "not 'c'"},
               {"0,1\n1,2\n1,3\n", 3, 1, "must grow"}, {"0,1\n1\n", 2, 2, "number"},
               {"0,1\n1,inf\n", 2, 3, "number"},       {"x,y\n0,1\n", 0, 0, "two knots"}};
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.yaml", folder);
    snprintf(data, sizeof data, "%s/load.csv", folder);
    write_file(path, "detent: 1\ngravity: [0, 0, 0]\ntables: {load: {csv: load.csv}}\n"
                     "bodies: {a: {mass: 1}}\n"
                     "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
                     "outputs: [load(0.5), load(3)]\n");
    write_file(data, "# measured\nt, force\n0, 1\n\n1 , 3 # a comment\n2,4\r\n");
    detent_mechanism *m = NULL;
    runs_must(detent_mechanism_load(path, NULL, &m, &error), &error);
    detent_simulation *sim = runs_start(m, NULL);
    assert_true(runs_output(m, sim, "load(0.5)") == 2 && runs_output(m, sim, "load(3)") == 4);
    runs_end(sim, m);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_file(data, bad[k].text);
        assert_true(detent_mechanism_load(path, NULL, &m, &error) < 0);
        if ((bad[k].line && (error.line != bad[k].line || error.column != bad[k].column)) ||
            !strstr(error.message, bad[k].words)) {
            fail_msg("%s: %d:%d: %s", bad[k].text, error.line, error.column, error.message);
        }
    }
    remove(data);
    assert_int_equal(detent_mechanism_load(path, NULL, &m, &error), DETENT_ERROR_IO);
    assert_int_equal(error.line, 3);
    remove(path);
    rmdir(folder);
}

/* Two variables: the same as from lists, to the bit, and errors where they are in the file. */
static void a_grid_beside_is_read(void **state)
{
    UNUSED(state);
    char folder[] = "/tmp/test_tables_XXXXXX", path[64], data[64];
    detent_error error;
    static const struct {
        const char *text;
        int line, column;
        const char *words;
    } bad[] = {
        {",0,1\n0,1,2\n1,z,3\n", 3, 3, "not 'z'"},
        {",0,z\n0,1,2\n1,2,3\n", 1, 4, "not 'z'"},
        {",0,1\nz,1,2\n1,2,3\n", 2, 1, "not 'z'"},
        {",0,1\n0,1,2\n0,2,3\n", 3, 1, "must grow: 0 follows 0"},
        {",0,1,1\n0,1,2,3\n1,2,3,4\n", 1, 6, "must grow: 1 follows 1"},
        {"# c\n,0,1\n0,1,2\n\n1,2\n", 5, 1, "1 values behind this knot, for 2 knots"},
        {",0,1\n0,1,2\n1,2,3,4\n", 3, 1, "3 values behind this knot, for 2 knots"},
        {",0,1\n0,1,2\n1,,3\n", 3, 3, "not ''"},
        {",0,1\n0,1,inf\n1,2,3\n", 2, 5, "not 'inf'"},
        {"corner\n0,1,2\n1,2,3\n", 1, 1, "second variable"},
        {",0\n0,1\n1,2\n", 3, 19, "two knots, not 1"},
        {",0,1\n0,1,2\n", 3, 19, "two knots, not 1"},
        {",0,1\n", 3, 19, "two knots, not 0"},
        {"# nothing\n\n", 3, 19, "numbers in it"},
        {"", 3, 19, "numbers in it"},
    };
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/m.yaml", folder);
    snprintf(data, sizeof data, "%s/map.csv", folder);
    write_file(path,
               "detent: 1\ngravity: [0, 0, 0]\ntables:\n"
               "  map: {csv: map.csv, layout: grid, interpolation: monotone, outside: extend}\n"
               "  list: {of: [[0, 1, 4], [-1, 0.5]], is: [[1, 2], [3, 5], [4, 4.5]], "
               "interpolation: monotone, outside: extend}\n"
               "bodies: {a: {mass: 1}}\n"
               "joints: {slide: {type: prismatic, base: ground, follower: a}}\n"
               "outputs: [\"map(7*t, 3*t - 2)\", \"list(7*t, 3*t - 2)\", \"map(1, 0.5)\"]\n"
               "simulation: {end: 1}\n");
    write_file(data, "# torque over speed and throttle\nspeed, -1, 0.5 # knots\n\n0, 1 ,2\r\n"
                     "1,\t3,5\n4,4,4.5");
    detent_mechanism *m = NULL;
    runs_must(detent_mechanism_load(path, NULL, &m, &error), &error);
    detent_simulation *sim = runs_start(m, NULL);
    for (int k = 0; k <= 20; k++) {
        double is[3];
        runs_advance(sim, 0.05 * k);
        runs_must(detent_read(sim, DETENT_OUTPUTS, is, 3, &error), &error);
        assert_true(is[0] == is[1] && is[2] == 5);
    }
    runs_end(sim, m);
    write_file(path, "detent: 1\ngravity: [0, 0, 0]\ntables: {f: {csv: map.csv, layout: grid}}\n"
                     "bodies: {a: {mass: 1}}\n"
                     "joints: {slide: {type: prismatic, base: ground, follower: a}}\n");
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        write_file(data, bad[k].text);
        if (detent_mechanism_load(path, NULL, &m, &error) == DETENT_OK) {
            fail_msg("accepted: %s", bad[k].text);
        }
        const char *file = error.line == 3 && error.column == 19 ? "/m.yaml" : "/map.csv";
        if (error.line != bad[k].line || error.column != bad[k].column ||
            !strstr(error.message, bad[k].words) || !strstr(error.file, file)) {
            fail_msg("%s: %d:%d: %s", bad[k].text, error.line, error.column, error.message);
        }
    }
    remove(data);
    assert_int_equal(detent_mechanism_load(path, NULL, &m, &error), DETENT_ERROR_IO);
    remove(path);
    rmdir(folder);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_beside_is_read),
        cmocka_unit_test(a_grid_beside_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
