/* Memory: every allocation that fails is an error and nothing worse, everything is given back, and nothing is
 * allocated while a simulation runs. Allocations by the libraries below are not made to fail: in want of memory
 * SUNDIALS 6.4 (SUNLogger_Create) and udunits2 (its scanner) end the program themselves. */

#include "support_ledger.h"
#include "test_api_fixture.h"

/* The whole program allocates through the functions below where the C library lets us; the sanitizers have their own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS_MALLOC 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define COUNTS_MALLOC 0
#endif
#endif
#if !defined(COUNTS_MALLOC) && defined(__GLIBC__)
#define COUNTS_MALLOC 1
#elif !defined(COUNTS_MALLOC)
#define COUNTS_MALLOC 0
#endif

static size_t mallocs;

#if COUNTS_MALLOC
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

void *malloc(size_t size)
{
    mallocs++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    mallocs++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    mallocs++;
    return __libc_realloc(memory, size);
}
#endif

typedef detent_status (*scenario)(const detent_allocator *, detent_error *);

static detent_status load_and_run_with(const detent_settings *settings,
                                       const detent_allocator *allocator, detent_error *e)
{
    const detent_load_options load = {.size = sizeof load, .allocator = allocator};
    const detent_simulation_options options = {
        .size = sizeof options, .settings = settings, .allocator = allocator};
    detent_mechanism *m = NULL;
    detent_simulation *s = NULL;
    detent_status status =
        detent_mechanism_parse(two_links_text, strlen(two_links_text), "x", &load, &m, e);
    if (!status) {
        status = detent_simulation_create(m, &options, &s, e);
    }
    if (!status) {
        status = detent_advance(s, 1, false, e);
    }
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    return status;
}

static detent_status load_and_run(const detent_allocator *allocator, detent_error *e)
{
    return load_and_run_with(NULL, allocator, e);
}

static detent_status load_and_run_fixed(const detent_allocator *allocator, detent_error *e)
{
    detent_settings settings;
    detent_init_settings(&settings, sizeof settings);
    settings.integrator = DETENT_INTEGRATOR_RK4;
    settings.step = 0.01;
    return load_and_run_with(&settings, allocator, e);
}

static detent_status build_only(const detent_allocator *allocator, detent_error *e)
{
    detent_mechanism *m = NULL;
    detent_status status = build_two_links(allocator, NULL, &m, e);
    detent_mechanism_destroy(m);
    return status;
}

/* The same with every allocation failing in its turn. */
static void sweep(scenario run)
{
    detent_status status = DETENT_ERROR_MEMORY;
    size_t limit;
    for (limit = 0; status != DETENT_OK; limit++) {
        ledger c = {.allowed = limit};
        const detent_allocator allocator = ledger_allocator(&c);
        detent_error e;
        status = run(&allocator, &e);
        assert_int_equal(c.alive, 0);
        if (status != DETENT_OK) {
            assert_int_equal(status, DETENT_ERROR_MEMORY);
            assert_int_equal(e.status, DETENT_ERROR_MEMORY);
        }
        assert_true(limit < 10000);
    }
    assert_true(limit > 3);
}

static void test_allocations_fail_while_loading_and_creating(void **state)
{
    UNUSED(state);
    sweep(load_and_run);
    sweep(load_and_run_fixed);
}

static void test_allocations_fail_while_building(void **state)
{
    UNUSED(state);
    sweep(build_only);
}

/* A wrong mechanism gives its memory back, too. */
static void test_errors_do_not_leak(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {}\n";
    for (size_t length = 0; length <= strlen(text); length++) {
        ledger c = {.allowed = SIZE_MAX};
        const detent_allocator allocator = ledger_allocator(&c);
        const detent_load_options load = {.size = sizeof load, .allocator = &allocator};
        detent_mechanism *m;
        detent_error e;
        detent_status status = detent_mechanism_parse(text, length, "x", &load, &m, &e);
        assert_true(status != DETENT_OK || m);
        detent_mechanism_destroy(m);
        assert_int_equal(c.alive, 0);
    }
}

static void run_without_allocating(detent_linear_solver solver, double step)
{
    detent_error e;
    detent_mechanism *m = load_two_links();
    ledger c = {.allowed = SIZE_MAX};
    const detent_allocator allocator = ledger_allocator(&c);
    detent_settings settings;
    detent_init_settings(&settings, sizeof settings);
    settings.linear_solver = solver;
    settings.step = step;
    settings.integrator = step > 0 ? DETENT_INTEGRATOR_EULER : settings.integrator;
    const detent_simulation_options options = {
        .size = sizeof options, .settings = &settings, .allocator = &allocator};
    detent_simulation *s;
    must(detent_simulation_create(m, &options, &s, &e), &e);
    size_t taken = c.calls, size = detent_state_size(s);
    void *bytes = malloc(size);
    size_t counted = mallocs;
    double outputs[4], wrench[6];
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    while (detent_advance(s, 4, true, &e) == DETENT_EVENT) {
        read_all(s, DETENT_OUTPUTS, outputs, 4);
        must(detent_read_before(s, DETENT_OUTPUTS, outputs, 4, &e), &e);
    }
    must(detent_save_state(s, bytes, size, &e), &e);
    must(detent_restore_state(s, bytes, size, &e), &e);
    must(detent_set_input(s, 0, 8, &e), &e);
    must(detent_get_reaction(s, 1, DETENT_REACTION_BASE, false, wrench, &e), &e);
    advance(s, 5);
    detent_get_statistics(s, &statistics);
    assert_int_equal(c.calls, taken);
    assert_int_equal(mallocs, counted);
    assert_true(counted > 0 || !COUNTS_MALLOC);
    assert_true(statistics.events > 3);
    free(bytes);
    detent_simulation_destroy(s);
    assert_int_equal(c.alive, 0);
    detent_mechanism_destroy(m);
}

static void test_nothing_is_allocated_while_running(void **state)
{
    UNUSED(state);
    run_without_allocating(DETENT_LINEAR_SOLVER_TREE, 0);
    run_without_allocating(DETENT_LINEAR_SOLVER_TREE, 1e-3);
}

static void test_nothing_is_allocated_while_running_dense(void **state)
{
    UNUSED(state);
    run_without_allocating(DETENT_LINEAR_SOLVER_DENSE, 0);
    run_without_allocating(DETENT_LINEAR_SOLVER_DENSE, 1e-3);
}

/* Bytes of a simulation. */
static size_t memory_of(const detent_mechanism *m, detent_locked_joints locked)
{
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_simulation_options options = DETENT_INIT(detent_simulation_options);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_simulation *s = NULL;
    detent_error e = {0};
    assert_int_equal(detent_mechanism_get_settings(m, &settings), DETENT_OK);
    settings.locked_joints = locked;
    options.settings = &settings;
    assert_int_equal(detent_simulation_create(m, &options, &s, &e), DETENT_OK);
    detent_get_statistics(s, &statistics);
    detent_simulation_destroy(s);
    return statistics.memory;
}

/* A long chain with stiction in every joint: bytes a joint of mechanism and simulation. */
static void test_a_joint_takes_4_kB(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "parameters: {n: 20000}\n"
        "chain:\n"
        "  count: n\n"
        "  bodies: {link: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0, 0.1, 0.1]}}\n"
        "  joints:\n"
        "    hinge: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", axis: [0, 0, 1],\n"
        "            at: {base: [1, 0, 0]}}\n"
        "  stiction: {hinge: {velocity_threshold: 1e-6, kinetic: 1, static: 1}}\n"
        "  first: {joints: {hinge: {base: ground, at: null}}}\n";
    (void)state;
    detent_error e = {0};
    detent_mechanism *m = NULL;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    assert_int_equal(detent_mechanism_parse(text, strlen(text), "x", NULL, &m, &e), DETENT_OK);
    detent_mechanism_get_info(m, &info);
    const size_t weld = memory_of(m, DETENT_LOCKED_JOINTS_WELD),
                 constrain = memory_of(m, DETENT_LOCKED_JOINTS_CONSTRAIN);
    assert_true(info.memory + weld <= 3600 * info.stictions);
    assert_true(info.memory + constrain <= 2690 * info.stictions);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations_fail_while_loading_and_creating),
        cmocka_unit_test(test_allocations_fail_while_building),
        cmocka_unit_test(test_errors_do_not_leak),
        cmocka_unit_test(test_nothing_is_allocated_while_running),
        cmocka_unit_test(test_nothing_is_allocated_while_running_dense),
        cmocka_unit_test(test_a_joint_takes_4_kB),
    };
    return cmocka_run_group_tests_name("api memory", tests, NULL, NULL);
}
