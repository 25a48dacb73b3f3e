/* Simulations in several threads: of one mechanism and of two, with the results of a single thread. Under
 * ThreadSanitizer this also proves that they share nothing that changes. */

#include "test_api_fixture.h"

#include <pthread.h>

enum { THREADS = 4 };

typedef struct job {
    const detent_mechanism *mechanism; /* NULL: loads its own */
    detent_linear_solver solver;
    links_state result;
    bool good;
} job;

/* No assertions: cmocka's belong to the main thread. */
static void *work(void *argument)
{
    job *j = argument;
    detent_mechanism *own = NULL;
    detent_simulation *s = NULL;
    detent_error e;
    detent_settings settings;
    detent_init_settings(&settings, sizeof settings);
    settings.linear_solver = j->solver;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_status status = DETENT_OK;
    if (!j->mechanism) {
        status =
            detent_mechanism_parse(two_links_text, strlen(two_links_text), "x", NULL, &own, &e);
    }
    if (!status) {
        status = detent_simulation_create(j->mechanism ? j->mechanism : own, &options, &s, &e);
    }
    if (!status) {
        while ((status = detent_advance(s, 3, true, &e)) == DETENT_EVENT) {
        }
    }
    j->good = status == DETENT_OK && !detent_read(s, DETENT_POSITIONS, j->result.q, 2, &e) &&
              !detent_read(s, DETENT_VELOCITIES, j->result.v, 2, &e) &&
              !detent_read(s, DETENT_ACCELERATIONS, j->result.a, 2, &e) &&
              !detent_read(s, DETENT_FRICTIONS, j->result.f, 2, &e) &&
              !detent_read(s, DETENT_MODES, j->result.modes, 2, &e);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(own);
    return NULL;
}

static void compare_with_serial(const detent_mechanism *shared, detent_linear_solver solver)
{
    pthread_t threads[THREADS];
    job serial = {.mechanism = shared, .solver = solver}, jobs[THREADS];
    work(&serial);
    assert_true(serial.good);
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.mechanism = shared, .solver = solver};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_true(jobs[i].good);
        assert_memory_equal(&jobs[i].result, &serial.result, sizeof serial.result);
    }
}

static void test_one_mechanism(void **state)
{
    UNUSED(state);
    detent_mechanism *m = load_two_links();
    compare_with_serial(m, DETENT_LINEAR_SOLVER_TREE);
    detent_mechanism_destroy(m);
}

static void test_a_mechanism_each(void **state)
{
    UNUSED(state);
    compare_with_serial(NULL, DETENT_LINEAR_SOLVER_TREE);
}

static void test_dense_solver(void **state)
{
    UNUSED(state);
    compare_with_serial(NULL, DETENT_LINEAR_SOLVER_DENSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_mechanism),
        cmocka_unit_test(test_a_mechanism_each),
        cmocka_unit_test(test_dense_solver),
    };
    return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
