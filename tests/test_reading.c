/* What is read does not change what is computed: runs that are looked at between any two steps end in the same state, to
 * the last bit, as runs that nobody looks at; in every variant, whose results agree. Memory that two systems share in turn
 * must not show. */
#include "support_variants.h"

/* All loads act on bodies that are welded to the ground: the cart never moves. */
static const char loaded_cart[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  cart: {mass: 1}\n"
    "  rod: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.01, 0.1]}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0]}\n"
    "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1}}\n"
    "stiction:\n"
    "  slide: {velocity_threshold: 1e-3, kinetic: 100, static: 100}\n"
    "loads:\n"
    "  push: {body: cart, at: [0, 0.5, 0], force: [5, 0, 0], torque: [0, 0, 3]}\n"
    "simulation: {end: 5}\n";

/* Two loads, one on a body that is now welded to the ground and now moves, and one that always moves. */
static const char loaded_pair[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  cart: {mass: 1}\n"
    "  rod: {mass: 0.5, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.01, 0.1]}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: cart, axis: [1, 0, 0]}\n"
    "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1}}\n"
    "stiction:\n"
    "  slide: {velocity_threshold: 1e-3, kinetic: 2, static: 3}\n"
    "  hinge: {velocity_threshold: 1e-3, kinetic: 0.02, static: 0.03}\n"
    "loads:\n"
    "  push: {body: cart, at: [0, 0.5, 0], force: [3*sin(3*t), 0, 0], torque: [0, 0, 3]}\n"
    "  wind: {body: rod, at: [0, -1, 0], force: [0.3, 0, 0]}\n"
    "simulation: {end: 5}\n";

/* A reaction decides the friction: laws read what the accelerations determine. */
static const char pressed_block[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies: {wedge: {mass: 2}, block: {mass: 1}}\n"
    "joints:\n"
    "  wedge: {type: prismatic, base: ground, follower: wedge, axis: [1, 0, 0]}\n"
    "  block: {type: prismatic, base: wedge, follower: block, axis: [1, 0.3, 0]}\n"
    "stiction:\n"
    "  wedge: {velocity_threshold: 1e-3, kinetic: 2, static: 3, external: 4*sin(2*t)}\n"
    "  block: {velocity_threshold: 1e-3, kinetic: 0.2*normal_force(block),\n"
    "          static: 0.3*normal_force(block)}\n"
    "simulation: {end: 3}\n";

static const struct {
    const char *text;
    double end, tolerance; /* of positions, between variants: the sum of what rtol allows them */
} mechanism[] = {{loaded_cart, 5, 1e-5},
                 {loaded_pair, 5, 1e-5},
                 {pressed_block, 3, 1e-5},
                 {runs_rods_text, 2, 1e-5}};
enum { MECHANISMS = sizeof mechanism / sizeof *mechanism };

static void read_quantity(detent_simulation *sim, detent_quantity quantity, size_t count)
{
    detent_error error;
    double *values = calloc(count + 1, sizeof *values);
    assert_non_null(values);
    runs_must(detent_read(sim, quantity, values, count, &error), &error);
    free(values);
}

/* Everything there is to be read. */
static void look(const detent_mechanism *m, detent_simulation *sim)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_error error;
    detent_mechanism_get_info(m, &info);
    read_quantity(sim, DETENT_FRICTIONS, info.stictions);
    read_quantity(sim, DETENT_ACCELERATIONS, info.freedoms);
    read_quantity(sim, DETENT_FORCES, info.freedoms);
    read_quantity(sim, DETENT_MARGINS, info.stictions);
    detent_get_statistics(sim, &statistics);
    for (size_t k = 0; k < info.primitives; k++) {
        double wrench[6];
        runs_must(detent_get_reaction(sim, k, DETENT_REACTION_WORLD, false, wrench, &error),
                  &error);
    }
    const size_t size = detent_state_size(sim);
    void *bytes = malloc(size);
    runs_must(detent_save_state(sim, bytes, size, &error), &error);
    free(bytes);
}

/* The state at the end of a run that is looked at `looks` times. */
static double *run(const detent_mechanism *m, variant v, double end, int looks, size_t *count)
{
    detent_simulation *sim = variant_start(m, v);
    for (int k = 0; k < looks; k++) {
        look(m, sim);
        variant_advance(sim, v, end * k / looks);
    }
    variant_advance(sim, v, end);
    if (looks > 0) {
        look(m, sim);
    }
    double *state = runs_state(m, sim, count);
    detent_simulation_destroy(sim);
    return state;
}

static void reading_changes_no_bit(void **test)
{
    UNUSED(test);
    for (size_t i = 0; i < MECHANISMS; i++) {
        detent_mechanism *m = runs_parse(mechanism[i].text, NULL);
        for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
            size_t count;
            double *unseen = run(m, variant_at(k), mechanism[i].end, 0, &count),
                   *seen = run(m, variant_at(k), mechanism[i].end, 97, &count);
            for (size_t j = 0; j < count; j++) {
                if (memcmp(&seen[j], &unseen[j], sizeof *seen) != 0) {
                    fail_msg("mechanism %zu, %s: number %zu of the state is %.17g, and %.17g where "
                             "it is looked at",
                             i, variant_name(variant_at(k)), j, unseen[j], seen[j]);
                }
            }
            free(unseen);
            free(seen);
        }
        detent_mechanism_destroy(m);
    }
}

static void variants_agree(void **test)
{
    UNUSED(test);
    for (size_t i = 0; i < MECHANISMS; i++) {
        detent_mechanism *m = runs_parse(mechanism[i].text, NULL);
        size_t count;
        double *first = run(m, variant_at(0), mechanism[i].end, 0, &count);
        for (size_t k = 1; k < VARIANTS; k++) {
            double *other = run(m, variant_at(k), mechanism[i].end, 11, &count);
            for (size_t j = 0; j < count; j++) {
                runs_near(variant_name(variant_at(k)), other[j], first[j], mechanism[i].tolerance);
            }
            free(other);
        }
        free(first);
        detent_mechanism_destroy(m);
    }
}

/* The run stops at all events; `looks`: what it was like just before them is read. */
static double *run_by_events(const detent_mechanism *m, variant v, bool looks, size_t *count)
{
    detent_simulation *sim = variant_start(m, v);
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_settings settings;
    detent_error error;
    detent_status status;
    detent_mechanism_get_info(m, &info);
    runs_must(detent_init_settings(&settings, sizeof settings), &error);
    detent_mechanism_get_settings(m, &settings);
    double *frictions = calloc(info.stictions + 1, sizeof *frictions);
    assert_non_null(frictions);
    while ((status = detent_advance(sim, settings.end, true, &error)) == DETENT_EVENT) {
        if (looks) {
            runs_must(detent_read_before(sim, DETENT_FRICTIONS, frictions, info.stictions, &error),
                      &error);
        }
    }
    runs_must(status, &error);
    free(frictions);
    double *state = runs_state(m, sim, count);
    detent_simulation_destroy(sim);
    return state;
}

/* A loop has another choice of what follows from what just before an event: on the way back it has all of its own again. */
static void looking_back_changes_no_bit(void **test)
{
    UNUSED(test);
    const variant v = {DETENT_INTEGRATOR_AUTO, DETENT_LOCKED_JOINTS_CONSTRAIN,
                       DETENT_LINEAR_SOLVER_TREE};
    detent_mechanism *m = runs_load("../tests/reading/looked_back_at.yaml", NULL);
    size_t count;
    double *unseen = run_by_events(m, v, false, &count), *seen = run_by_events(m, v, true, &count);
    for (size_t j = 0; j < count; j++) {
        if (memcmp(&seen[j], &unseen[j], sizeof *seen) != 0) {
            fail_msg("number %zu of the state is %.17g, and %.17g where it is looked at", j,
                     unseen[j], seen[j]);
        }
    }
    free(unseen);
    free(seen);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reading_changes_no_bit),
        cmocka_unit_test(variants_agree),
        cmocka_unit_test(looking_back_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
