/*
 * Runs with welded joints in several threads, of one mechanism, with both integrators: each gives
 * what it gives alone. Under ThreadSanitizer this also proves that they share nothing that changes.
 */
#include "support_runs.h"

#include <pthread.h>

enum { THREADS = 4, JOINTS = 12 };

typedef struct job {
    const detent_mechanism *mechanism;
    detent_integrator integrator;
    double state[2 * JOINTS];
    size_t events;
    bool good;
} job;

/* No assertions: cmocka's belong to the main thread. */
static void *work(void *argument)
{
    job *j = argument;
    detent_simulation *s = NULL;
    detent_error e;
    detent_settings settings;
    detent_init_settings(&settings, sizeof settings);
    settings.integrator = j->integrator;
    settings.end = 0.3;
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_status status = detent_simulation_create(j->mechanism, &options, &s, &e);
    for (j->events = 0; !status; j->events++) {
        if ((status = detent_advance(s, 0.3, true, &e)) == DETENT_EVENT) {
            status = DETENT_OK;
            continue;
        }
        break;
    }
    j->good = !status && !detent_read(s, DETENT_POSITIONS, j->state, JOINTS, &e) &&
              !detent_read(s, DETENT_VELOCITIES, j->state + JOINTS, JOINTS, &e);
    detent_simulation_destroy(s);
    return NULL;
}

static void welded_chains(void **state)
{
    UNUSED(state);
    static const char *const set[] = {"n=12", "friction=0.1 N*m", NULL};
    detent_mechanism *mechanism = runs_load("hanging_chain.yaml", set);
    job alone[2], jobs[THREADS];
    pthread_t threads[THREADS];
    for (int k = 0; k < 2; k++) {
        alone[k] = (job){.mechanism = mechanism, .integrator = (detent_integrator)k};
        work(&alone[k]);
        assert_true(alone[k].good && alone[k].events > 2);
    }
    for (int k = 0; k < THREADS; k++) {
        jobs[k] = (job){.mechanism = mechanism, .integrator = (detent_integrator)(k % 2)};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        assert_int_equal(pthread_join(threads[k], NULL), 0);
        assert_true(jobs[k].good);
        assert_memory_equal(jobs[k].state, alone[k % 2].state, sizeof jobs[k].state);
    }
    detent_mechanism_destroy(mechanism);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(welded_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
