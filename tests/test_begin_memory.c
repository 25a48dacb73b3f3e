/* A simulation that is to begin anew, or of which there is to be another one, without memory: every piece fails in its turn, and the simulation is where it was. */
#include "support_refusal.h"
#include "support_runs.h"

/* A loop, a sticking joint, a state, an input, a sampled value. */
static const char text[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {torque: 0.5}\n"
    "bodies: {crank: {mass: 1, inertia: [1, 1, 1]}, rod: {mass: 1, inertia: [1, 1, 1]}, slider: "
    "{mass: 1}}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.5}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
    "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
    "{position: 1}}\n"
    "  wrist: {type: revolute, base: slider, follower: rod, at: {follower: [0.8, 0, 0]}, closes: "
    "true}\n"
    "states: {wanted: {derivative: torque - wanted, initial: 0.5, nominal: 1}}\n"
    "sampled: {seen: {every: 10 ms, value: position(pivot)}}\n"
    "stiction: {pivot: {kinetic: 1, static: 2, external: torque + wanted + seen}}\n"
    "outputs: [position(slide)]\n"
    "simulation: {end: 1}\n";

enum { FREEDOMS = 4 };

typedef enum way { NOTHING, RESET, SET_STATE, CLONE } way;

typedef struct source {
    const detent_mechanism *mechanism;
    way way;
} source;

/* The crank turned on; what closes the loop follows. */
static detent_status set_state(detent_simulation *s, detent_error *error)
{
    static const bool given[FREEDOMS] = {true};
    static const double states[] = {0.25};
    double q[FREEDOMS], v[FREEDOMS] = {0};
    runs_must(detent_read(s, DETENT_POSITIONS, q, FREEDOMS, error), error);
    q[0] = 0.75;
    return detent_set_state(s, 0.125, q, v, given, states, error);
}

static detent_status clone(detent_simulation *s, detent_error *error)
{
    detent_simulation *other = NULL;
    double q[FREEDOMS], same[FREEDOMS];
    detent_error unwanted;
    const detent_status status = detent_clone(s, &other, error);
    assert_true((status == DETENT_OK) == (other != NULL));
    if (!status) {
        runs_must(detent_read(s, DETENT_POSITIONS, q, FREEDOMS, &unwanted), &unwanted);
        runs_must(detent_read(other, DETENT_POSITIONS, same, FREEDOMS, &unwanted), &unwanted);
        assert_memory_equal(q, same, sizeof q);
    }
    detent_simulation_destroy(other);
    return status;
}

/* Where the simulation is after a change that failed: where it was. */
static void check_place(detent_simulation *s, const double *before)
{
    double after[FREEDOMS];
    detent_error error;
    runs_must(detent_read(s, DETENT_POSITIONS, after, FREEDOMS, &error), &error);
    assert_memory_equal(before, after, sizeof after);
    assert_true(detent_time(s) == 0);
    runs_advance(s, 0.02);
}

static detent_status change(const void *of, const detent_allocator *allocator, detent_error *error)
{
    const source *from = of;
    const detent_simulation_options options = {.size = sizeof options, .allocator = allocator};
    detent_simulation *s = NULL;
    double before[FREEDOMS];
    detent_status status = detent_simulation_create(from->mechanism, &options, &s, error);
    if (status) {
        return status;
    }
    runs_must(detent_read(s, DETENT_POSITIONS, before, FREEDOMS, error), error);
    status = from->way == RESET       ? detent_reset(s, error)
             : from->way == SET_STATE ? set_state(s, error)
             : from->way == CLONE     ? clone(s, error)
                                      : DETENT_OK;
    if (status) {
        check_place(s, before);
    } else if (from->way == SET_STATE) {
        double q[FREEDOMS];
        runs_must(detent_read(s, DETENT_POSITIONS, q, FREEDOMS, error), error);
        runs_near("crank", q[0], 0.75, 1e-12);
        runs_near("time", detent_time(s), 0.125, 0);
    }
    detent_simulation_destroy(s);
    return status;
}

static void every_piece_fails_in_its_turn(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(text, NULL);
    source from = {.mechanism = m, .way = NOTHING};
    const size_t known = refusal_sweep("creation", &from, change);
    static const struct {
        const char *name;
        way way;
    } ways[] = {{"reset", RESET}, {"set state", SET_STATE}, {"clone", CLONE}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        from.way = ways[k].way;
        assert_true(refusal_sweep_beyond(ways[k].name, &from, change, known) > known + 100);
    }
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_piece_fails_in_its_turn)};
    return cmocka_run_group_tests_name("beginnings without memory", tests, NULL, NULL);
}
