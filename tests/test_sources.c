/* The tables of blocks and of sources: where their parts are, at every restart of a run. */
#include "support_variants.h"

#include "api/handle.h"
#include "integrator/source.h"

/* Two sticky joints in a row, of which one is locked at first; switches of a position and of time; a relay. */
static const char arm[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  upper: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "  lower: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
    "joints:\n"
    "  shoulder: {type: revolute, base: ground, follower: upper}\n"
    "  elbow: {type: revolute, base: upper, follower: lower, initial: {velocity: 1}}\n"
    "stiction:\n"
    "  shoulder: {velocity_threshold: 1e-4, kinetic: 0.1, static: 0.2, external: \"0.3*sin(7*t) + "
    "if(position(elbow) > 0.05, 0.01, 0) + if(t > 0.35, 0.05, 0)\"}\n"
    "  elbow: {velocity_threshold: 1e-4, kinetic: 0.05, static: 0.06}\n"
    "simulation: {end: 2}\n";

static void check_blocks(const dt_simulation *sim)
{
    int end = 0;
    for (int b = 0; b < DT_BLOCKS; b++) {
        assert_int_equal(sim->blocks.offset[b], end);
        end += dt_block_rows[b]->length(sim->core);
    }
    assert_int_equal(dt_length(sim), end);
    assert_true(end <= dt_blocks_length(&sim->system));
}

/** Every root function is the one of its source, item and place, and has a mark that no other one has. */
static void check_sources(dt_simulation *sim)
{
    assert_true(dt_watched(sim) <= dt_sources_most(sim));
    ptrdiff_t last = -1;
    for (int k = 0; k < dt_watched(sim); k++) {
        const dt_root root = dt_source_root(sim, k);
        const int first = sim->roots.first[root.source];
        assert_true(k >= first && k < first + dt_source_length(sim, root.source));
        assert_int_equal(first + 2 * root.item + root.which, k);
        if (root.source != DT_SOURCE_REDUCED) {
            const int *fired = sim->source[root.source]->fired(sim, root.item);
            const ptrdiff_t mark = &fired[root.which] - &sim->roots.fired[0][0];
            assert_true(mark > last); /* in the order of the system */
            last = mark;
        }
    }
}

static void parts_stay_in_their_places(void **state)
{
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        detent_mechanism *m = runs_parse(arm, NULL);
        detent_simulation *sim = variant_start(m, variant_at(k));
        detent_error error;
        detent_status status = DETENT_EVENT;
        int events = 0;
        for (; status == DETENT_EVENT; events++) {
            check_blocks(sim->core);
            check_sources(sim->core);
            status = detent_advance(sim, 2, true, &error);
        }
        runs_must(status, &error);
        assert_true(events > 5);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_stay_in_their_places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
