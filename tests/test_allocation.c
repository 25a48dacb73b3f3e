/* Nothing is allocated while a simulation runs: by the library, by SUNDIALS, by LAPACK, in no variant, over events, inputs,
 * readings, saved and restored states, and changes of the stepper. The allocating functions of the C library are
 * replaced by ones that count, where the sanitizers have not done so already. */
#include "support_variants.h"

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

/* The functions themselves: those that the tests otherwise go through watch the run, with memory of their own. */
detent_status __real_detent_simulation_create(const detent_mechanism *mechanism,
                                              const detent_simulation_options *options,
                                              detent_simulation **place, detent_error *error);
detent_status __real_detent_advance(detent_simulation *simulation, double t, bool stop_at_events,
                                    detent_error *error);
detent_status __real_detent_restore_state(detent_simulation *simulation, const void *bytes,
                                          size_t size, detent_error *error);
void __real_detent_simulation_destroy(detent_simulation *simulation);

/* A chain under an input: joints lock and slip one by one, so what is integrated changes its size. */
static const char chain[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {n: 4}\n"
    "inputs: {u: 0}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies: {link: {mass: 0.3, center_of_mass: [0.1, 0, 0], inertia: [0, 0.001, 0.001]}}\n"
    "  joints:\n"
    "    hinge: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", at: {base: [0.2, 0, "
    "0]}}\n"
    "  stiction: {hinge: {kinetic: 0.3, static: 0.4}}\n"
    "  first: {joints: {hinge: {base: ground, at: null}}}\n"
    "loads: {push: {body: \"link[2]\", force: [u, \"3*sin(5*t)\", 0]}}\n"
    "simulation: {end: 4}\n";

/* Laws that read what the accelerations determine, and switch. */
static const char pressed[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {u: 0}\n"
    "bodies: {wedge: {mass: 2}, block: {mass: 1}}\n"
    "joints:\n"
    "  wedge: {type: prismatic, base: ground, follower: wedge, axis: [1, 0, 0]}\n"
    "  block: {type: prismatic, base: wedge, follower: block, axis: [1, 0.3, 0]}\n"
    "stiction:\n"
    "  wedge: {kinetic: 2, static: 3, external: \"4*sin(2*t) + max(0, u)\"}\n"
    "  block: {kinetic: 0.2*normal_force(block), static: 0.3*normal_force(block)}\n"
    "simulation: {end: 4}\n";

typedef struct room {
    double values[400];
    char state[60000];
} room;

static void read(detent_simulation *sim, detent_quantity quantity, size_t count, room *r)
{
    detent_error error;
    assert_true(count <= sizeof r->values / sizeof *r->values);
    runs_must(detent_read(sim, quantity, r->values, count, &error), &error);
}

static void live(const detent_mechanism *m, detent_simulation *sim, room *r)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_error error;
    detent_status status;
    detent_mechanism_get_info(m, &info);
    const size_t size = detent_state_size(sim);
    assert_true(size <= sizeof r->state);
    for (int k = 1; k <= 40; k++) {
        runs_must(detent_set_input(sim, 0, k % 3 - 1, &error), &error);
        while ((status = __real_detent_advance(sim, 0.1 * k, true, &error)) == DETENT_EVENT) {
            read(sim, DETENT_FRICTIONS, info.stictions, r);
        }
        runs_must(status, &error);
        read(sim, DETENT_ACCELERATIONS, info.freedoms, r);
        if (k == 10 || k == 15) {
            runs_must(detent_save_state(sim, r->state, size, &error), &error);
        }
        if (k == 20) {
            runs_must(__real_detent_restore_state(sim, r->state, size, &error), &error);
        }
    }
}

static void one_allocates_nothing(const detent_mechanism *m, const detent_settings *settings,
                                  const char *name)
{
    static room r;
    const detent_simulation_options options = {.size = sizeof options, .settings = settings};
    detent_simulation *sim = NULL;
    detent_error error;
    runs_must(__real_detent_simulation_create(m, &options, &sim, &error), &error);
    const size_t before = mallocs;
    live(m, sim, &r);
    if (mallocs != before) {
        fail_msg("%s: %zu allocations", name, mallocs - before);
    }
    __real_detent_simulation_destroy(sim);
}

static void nothing_is_allocated(const char *text, const char *set, size_t every)
{
    detent_mechanism *m = runs_parse(text, (const char *const[]){set, NULL});
    for (size_t k = 0; k < VARIANTS; k += variants_are_few() ? 5 : every) {
        const detent_settings settings = variant_settings(m, variant_at(k));
        one_allocates_nothing(m, &settings, variant_name(variant_at(k)));
    }
    assert_true(mallocs > 0 || !COUNTS_MALLOC);
    detent_mechanism_destroy(m);
}

static void chain_takes_nothing(void **test)
{
    UNUSED(test);
    nothing_is_allocated(chain, NULL, 1);
}

/* Roots by the dozen, whose number changes; the dense solver would take minutes. */
static void long_chain_takes_nothing(void **test)
{
    UNUSED(test);
    nothing_is_allocated(chain, "n=40", 2);
}

static void coupled_laws_take_nothing(void **test)
{
    UNUSED(test);
    nothing_is_allocated(pressed, NULL, 1);
}

static void time_stepping_takes_nothing(void **test)
{
    UNUSED(test);
    detent_mechanism *m = runs_parse(chain, NULL);
    detent_settings settings = runs_settings(m, 0, 0);
    settings.integrator = DETENT_INTEGRATOR_FIXED;
    settings.step = 1e-3;
    one_allocates_nothing(m, &settings, "fixed");
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_takes_nothing),
        cmocka_unit_test(long_chain_takes_nothing),
        cmocka_unit_test(coupled_laws_take_nothing),
        cmocka_unit_test(time_stepping_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
