/* Readers at random: whatever is read, whenever, before and after events, a run ends in the same bits as one that nobody
 * looks at; in every variant. */
#include "support_trees.h"
#include "support_variants.h"

/* The simulation itself: the watch of the other tests reads at every event. */
detent_status __real_detent_simulation_create(const detent_mechanism *m,
                                              const detent_simulation_options *options,
                                              detent_simulation **s, detent_error *error);
detent_status __real_detent_advance(detent_simulation *s, double t, bool stop_at_events,
                                    detent_error *error);
void __real_detent_simulation_destroy(detent_simulation *s);

/* Welded groups, a band, laws of reactions, a motion, loads on what rests and what moves, an input. */
static const char machine[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {motor: 1}\n"
    "bodies:\n"
    "  base: {mass: 1}\n"
    "  cart: {mass: 2}\n"
    "  rod: {mass: 0.5, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.01, 0.1]}\n"
    "  tip: {mass: 0.2, center_of_mass: [0, -0.2, 0], inertia: [0.01, 0.001, 0.01]}\n"
    "joints:\n"
    "  belt: {type: prismatic, base: ground, follower: base, axis: [1, 0, 0], motion: "
    "0.1*sin(3*t)}\n"
    "  slide: {type: prismatic, base: base, follower: cart, axis: [1, 0, 0], armature: 0.3}\n"
    "  hinge: {type: revolute, base: cart, follower: rod, initial: {position: 1}}\n"
    "  grip: {type: revolute, base: rod, follower: tip, at: {base: [0, -1, 0]}}\n"
    "stiction:\n"
    "  slide: {velocity_threshold: 1e-3, kinetic: 2*%s, static: 3*%s, external: motor*sin(2*t)}\n"
    "  hinge: {velocity_threshold: 1e-3, kinetic: 0.02, static: 0.03, locking: %s}\n"
    "  grip: {velocity_threshold: 1e-3, kinetic: 0.3, static: 0.4}\n"
    "loads:\n"
    "  push: {body: cart, at: [0, 0.5, 0], force: [3*sin(3*t), 0, 0], torque: [0, 0, 3]}\n"
    "  wind: {body: tip, at: [0, -0.4, 0], force: [0.3, 0, 0], frame: body}\n"
    "outputs: [reaction_force(hinge), \"position(tip, x)\", force(slide), mode(grip)]\n"
    "simulation: {end: 3}\n";

static void read_vector(detent_simulation *s, const detent_mechanism *m, support_random *r,
                        bool before)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(m, &info);
    const size_t counts[] = {info.coordinates, info.freedoms,  info.freedoms, info.freedoms,
                             info.stictions,   info.stictions, info.outputs,  info.stictions};
    const detent_quantity quantity = (detent_quantity)support_below(r, DETENT_MODES + 1);
    double values[64];
    detent_error error;
    runs_must(
        (before ? detent_read_before : detent_read)(s, quantity, values, counts[quantity], &error),
        &error);
}

static void read_something(detent_simulation *s, const detent_mechanism *m, support_random *r,
                           bool after_event)
{
    detent_error error;
    detent_statistics statistics = DETENT_INIT(detent_statistics);
    double wrench[6], origin[3], rotation[4];
    switch (support_below(r, 6)) {
    case 0:
        detent_get_statistics(s, &statistics);
        break;
    case 1:
        runs_must(detent_get_reaction(s, (size_t)support_below(r, 4), DETENT_REACTION_FOLLOWER,
                                      false, wrench, &error),
                  &error);
        break;
    case 2:
        runs_must(detent_get_pose(s, (size_t)support_below(r, 4), origin, rotation, &error),
                  &error);
        break;
    case 3: {
        const size_t size = detent_state_size(s);
        void *bytes = malloc(size);
        runs_must(detent_save_state(s, bytes, size, &error), &error);
        free(bytes);
        break;
    }
    default:
        read_vector(s, m, r, after_event && support_chance(r, 0.5));
    }
}

/* To t, with as many stops as `r` (NULL: none) says. */
static void go(detent_simulation *s, const detent_mechanism *m, double t, support_random *r)
{
    detent_error error;
    detent_status status;
    do {
        const double now = detent_time(s), next = r && support_chance(r, 0.8)
                                                      ? fmin(t, now + support_spread(r, 1e-6, 0.2))
                                                      : t;
        status = __real_detent_advance(s, next, r && support_chance(r, 0.7), &error);
        for (int k = r ? support_below(r, 4) : 0; k > 0; k--) {
            read_something(s, m, r, status == DETENT_EVENT);
        }
    } while (status == DETENT_EVENT || (status == DETENT_OK && detent_time(s) < t));
    runs_must(status, &error);
}

static double *run(const detent_mechanism *m, variant v, support_random *r, size_t *count)
{
    detent_error error;
    detent_simulation *s = NULL;
    const detent_settings settings = variant_settings(m, v);
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    runs_must(__real_detent_simulation_create(m, &options, &s, &error), &error);
    for (int k = 1; k <= 3; k++) {
        go(s, m, k, r);
        runs_must(detent_set_input(s, 0, 4.0 * k, &error), &error);
    }
    double *state = runs_state(m, s, count);
    __real_detent_simulation_destroy(s);
    return state;
}

/* Readers of a mechanism in every variant, or in those of the tree solver. */
static void look_at_random(detent_mechanism *m, const char *name, int readers, bool dense)
{
    support_random random = {77};
    for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
        const variant v = variant_at(n);
        size_t count;
        if (v.linear_solver == DETENT_LINEAR_SOLVER_DENSE && !dense) {
            continue;
        }
        double *unseen = run(m, v, NULL, &count);
        for (int reader = 0; reader < readers; reader++) {
            double *seen = run(m, v, &random, &count);
            if (memcmp(seen, unseen, count * sizeof *seen) != 0) {
                fail_msg("%s, %s, reader %d: read, the run ends elsewhere", variant_name(v), name,
                         reader);
            }
            free(seen);
        }
        free(unseen);
    }
    detent_mechanism_destroy(m);
}

static void readers_change_no_bit(void **state)
{
    UNUSED(state);
    const char *const friction[] = {"1", "normal_force(slide)/20"};
    const char *const locking[] = {"crossing", "band"};
    for (int form = 0; form < 4; form++) {
        char text[4096];
        snprintf(text, sizeof text, machine, friction[form / 2], friction[form / 2],
                 locking[form % 2]);
        look_at_random(runs_parse(text, NULL), locking[form % 2], 3, true);
    }
}

static void nor_of_a_loop(void **state)
{
    UNUSED(state);
    detent_mechanism *m = NULL;
    detent_error error;
    runs_must(detent_mechanism_load(DETENT_SOURCE_DIR "/tests/found/read_before_an_event.yaml",
                                    NULL, &m, &error),
              &error);
    look_at_random(m, "loop", 2, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_change_no_bit),
        cmocka_unit_test(nor_of_a_loop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
