/*
 * A trunk on many legs, each a four-bar: a step costs what its legs cost each, however many there are. What is counted are the
 * operations that the sizes of all factors ask for, not time: of loops that are eliminated along the tree, and of those that are closed;
 * and how many steps and evaluations a run takes.
 */
#include "dynamics/closure.h"
#include "dynamics/closure_local.h"
#include "dynamics/newton.h"
#include "dynamics/tie_front.h"
#include "support_runs.h"

static const char legs[] =
    "detent: 1\ngravity: [0, -9.81, 0]\nparameters: {n: 10}\n"
    "bodies: {trunk: {mass: 10*n, inertia: [1, 1, 1]}}\n"
    "joints: {rail: {type: prismatic, base: ground, follower: trunk, axis: [1, 0, 0], damping: "
    "n}}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies:\n"
    "    crank: {mass: 0.6, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 5e-3, 5e-3]}\n"
    "    coupler: {mass: 1.2, center_of_mass: [0.4, 0, 0], inertia: [2e-4, 0.06, 0.06]}\n"
    "    rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [2e-4, 0.03, 0.03]}\n"
    "  joints:\n"
    "    main: {type: revolute, base: trunk, follower: 'crank[i]', at: {base: [2*i, 0, 0]}, "
    "damping: 1, force: 8, initial: {position: 0.9 + 0.1*sin(i), priority: exact}}\n"
    "    pin: {type: revolute, base: 'crank[i]', follower: 'coupler[i]', at: {base: [0.3, 0, 0]}, "
    "initial: {position: -0.4}}\n"
    "    foot: {type: revolute, base: trunk, follower: 'rocker[i]', at: {base: [2*i + 0.9, 0, 0]}, "
    "initial: {position: 1.3}}\n"
    "    head: {type: revolute, base: 'rocker[i]', follower: 'coupler[i]', initial: {position: "
    "-0.9}, at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}}\n"
    "outputs: [position(rail)]\n"
    "simulation: {end: 0.2, rtol: 1e-6}\n";

static detent_mechanism *make(int n)
{
    char set[16];
    snprintf(set, sizeof set, "n=%d", n);
    const char *const sets[] = {set, NULL};
    return runs_parse(legs, sets);
}

/** Of the elimination along the tree: the square of the rows that are open at a node, the cube of those that close together. */
static double front_work(const dt_tie_front *f)
{
    double sum = 36.0 * f->tie_count * (2 * f->width + 1);
    for (int i = 0; i <= f->node_count; i++) {
        double rows = 0;
        for (int k = f->first[i]; k < f->stay[i]; k++) {
            rows += f->tie[f->open[k].tie].rows;
        }
        sum += rows * rows;
    }
    for (int g = 0; g < f->closing_count; g++) {
        double rows = 0, open = 0;
        for (int k = f->closing[g].first; k < f->closing[g].end; k++) {
            rows += f->tie[f->open[k].tie].rows;
        }
        for (int k = f->closing[g].rest; k < f->closing[g].beyond; k++) {
            open += f->tie[f->open[k].tie].rows;
        }
        sum += rows * rows * (rows + open + 18);
    }
    return sum;
}

/** Of closing: bands, and the choice of rows in a cluster. */
static double closing_work(const dt_closure_local *local)
{
    double sum = 0;
    for (int c = 0; c < local->cluster_count; c++) {
        const dt_cluster *of = &local->cluster[c];
        sum += (double)of->row_count * of->width * (of->width + of->columns);
    }
    return sum;
}

/** Both, and the slots that a factorisation works in, bytes. */
static void count(int n, double work[3])
{
    detent_mechanism *m = make(n);
    dt_arena arena;
    dt_system s;
    dt_tie_front *front = NULL;
    dt_arena_init(&arena, NULL);
    assert_int_equal(dt_system_create(&arena, m, &s, NULL), DETENT_OK);
    assert_non_null(s.closure->local);
    assert_true(dt_tie_front_create(&arena, &s, &front));
    work[0] = front_work(front);
    work[1] = closing_work(s.closure->local);
    work[2] = 864.0 * front->slot_count;
    dt_arena_free(&arena);
    detent_mechanism_destroy(m);
}

static void work_is_linear(void **state)
{
    double few[3], many[3];
    (void)state;
    count(50, few);
    count(1000, many);
    for (int k = 0; k < 3; k++) {
        print_message("a leg takes %g, of a thousand %g\n", few[k] / 50, many[k] / 1000);
        assert_true(few[k] > 0 && many[k] <= 20 * few[k]);
    }
    assert_true(many[2] <= 1000 * 2 * 864.0); /* two of the five places of a loop at a time */
}

static void steps_are_the_same(void **state)
{
    double steps[2], residuals[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        detent_mechanism *m = make(k ? 160 : 10);
        detent_simulation *sim = runs_start(m, NULL);
        detent_statistics now = DETENT_INIT(detent_statistics);
        runs_advance(sim, 0.2);
        detent_get_statistics(sim, &now);
        steps[k] = (double)now.steps;
        residuals[k] = (double)now.residuals / (double)now.steps;
        runs_end(sim, m);
    }
    print_message("steps %g and %g, evaluations a step %.3f and %.3f\n", steps[0], steps[1],
                  residuals[0], residuals[1]);
    assert_true(steps[1] <= 1.1 * steps[0] && residuals[1] <= 1.05 * residuals[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_linear),
        cmocka_unit_test(steps_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
