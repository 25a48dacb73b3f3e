/*
 * The impulse of friction is the minimum that impulse.h says: the conditions of the minimum, with a
 * dense matrix that the impulse knows nothing of, on random mechanisms; and what it means on small
 * ones.
 */
#include "support_oracle.h"
#include "support_runs.h"

#include "dynamics/crba.h"
#include "stiction/impulse.h"

typedef struct case_of_impulse {
    support_bench b;
    dt_impulse impulse;
    unsigned char stop[SUPPORT_MAX_JOINTS];
    int target; /* the joint in question */
    double M[SUPPORT_MAX_NV * SUPPORT_MAX_NV];
} impulse_case;

/** A mechanism with a joint that moves and is to be stopped; false where none does. */
static bool open_case(impulse_case *c, const support_tree_def *def, support_random *random)
{
    dt_inertia composite[64];
    memset(c, 0, sizeof *c);
    support_bench_open(&c->b, support_random_tree(def, random), random, 0.6);
    support_bench_set(&c->b, NULL);
    assert_true(dt_impulse_create(&c->b.arena, &c->b.system, &c->impulse));
    dt_crba(&c->b.mechanism->tree, c->b.system.motion, composite, c->M);
    c->target = -1;
    const int count = c->b.mechanism->stiction_count;
    const int first = count > 0 ? support_below(random, count) : 0;
    for (int n = 0; n < count && c->target < 0; n++) {
        const int k = (first + n) % count;
        c->target = c->b.mode[k] == DETENT_UNLOCKED ? k : -1;
    }
    if (c->target >= 0) {
        c->stop[c->target] = 1;
    }
    return c->target >= 0;
}

static int freedom_of(const impulse_case *c, int k)
{
    return c->b.mechanism->tree.nodes[c->b.mechanism->stictions[k].primitive].v;
}

/** M (v+ - v) = S L, and nothing where nothing acts; prescribed freedoms keep their velocity. */
static void check_momentum(const impulse_case *c)
{
    const detent_mechanism *m = c->b.mechanism;
    const int nv = m->tree.nv;
    for (int i = 0; i < m->primitive_count; i++) {
        const dt_node *node = &m->tree.nodes[i];
        for (int j = node->v; j < node->v + node->type->nv; j++) {
            double sum = 0, size = 0;
            if (m->primitives[i].motion) {
                assert_true(c->impulse.v[j] == c->b.system.v[j]);
                continue;
            }
            for (int r = 0; r < nv; r++) {
                const double term = c->M[j * nv + r] * (c->impulse.v[r] - c->b.system.v[r]);
                sum += term;
                size += fabs(term);
            }
            const int k = m->primitives[i].stiction;
            const double L = k < 0 ? 0 : c->impulse.L[k];
            for (int r = 0; r < nv * nv; r++) { /* what cancels, anywhere */
                size += fabs(c->M[r] * c->b.system.v[r % nv]);
            }
            assert_true(fabs(sum - L) <= 1e-9 * size);
        }
    }
}

/** L inside D times its box, at the end that opposes v+ where there is any. */
static void check_boxes(const impulse_case *c)
{
    const dt_impulse *p = &c->impulse;
    for (int k = 0; k < c->b.mechanism->stiction_count; k++) {
        const double *box = p->limits[k], v = p->v[freedom_of(c, k)], D = p->duration;
        const double hair = 1e-9 * D * (box[1] - box[0]);
        assert_true(p->L[k] >= D * box[0] - hair && p->L[k] <= D * box[1] + hair);
        assert_true(v <= 0 || fabs(p->L[k] - D * box[0]) <= hair);
        assert_true(v >= 0 || fabs(p->L[k] - D * box[1]) <= hair);
        assert_int_equal(p->moves[k], (v > 0) - (v < 0));
    }
}

static double kinetic_energy(const impulse_case *c, const double *v)
{
    const int nv = c->b.mechanism->tree.nv;
    double sum = 0;
    for (int r = 0; r < nv; r++) {
        for (int j = 0; j < nv; j++) {
            sum += 0.5 * v[r] * c->M[r * nv + j] * v[j];
        }
    }
    return sum;
}

static void check_energy(const impulse_case *c, bool driven)
{
    const double *v = c->b.system.v;
    const double before = kinetic_energy(c, v), after = kinetic_energy(c, c->impulse.v);
    const double friction = dt_impulse_friction_work(&c->b.system, v, &c->impulse);
    assert_true(driven || after <= before * (1 + 1e-12));
    assert_true(fabs(after - before - friction - c->impulse.drive_work) <= 1e-9 * (before + after));
}

/** D is the least one: the joint has just come to rest. */
static void check_least(const impulse_case *c)
{
    const int k = c->target;
    const double *box = c->impulse.limits[k];
    const double limit = c->impulse.duration * box[c->b.direction[k] < 0];
    assert_true(c->impulse.v[freedom_of(c, k)] == 0);
    assert_true(fabs(c->impulse.L[k] - limit) <= 1e-9 * fabs(limit));
}

/** Friction of others becomes tiny beside that of the target. */
static void make_faint(impulse_case *c, support_random *random)
{
    for (int k = 0; k < c->b.mechanism->stiction_count; k++) {
        const double share = pow(10, -support_uniform(random, 5, 15));
        if (k != c->target && support_uniform(random, 0, 1) < 0.5) {
            c->impulse.limits[k][0] *= share;
            c->impulse.limits[k][1] *= share;
            c->impulse.far[k] *= share;
        }
    }
}

static void random_mechanisms(double prescribed, bool faint)
{
    support_random random = {.state = 0x1e57 + (uint64_t)(100 * prescribed)};
    size_t tried = 0, others = 0;
    for (int n = 0; n < 3000; n++) {
        support_tree_def def = support_default_tree(1 + support_below(&random, 7));
        impulse_case c;
        def.asymmetric = 0.3;
        def.prescribed = prescribed;
        def.stiction = 0.8;
        if (open_case(&c, &def, &random)) {
            dt_impulse_begin(&c.b.system, &c.impulse);
            if (faint) {
                make_faint(&c, &random);
            }
            assert_true(dt_impulse_can_stop(&c.impulse, c.target));
            assert_int_equal(
                dt_impulse_run(c.b.search, &c.b.system, c.b.newton, c.stop, &c.impulse), DETENT_OK);
            check_momentum(&c);
            check_boxes(&c);
            check_energy(&c, prescribed > 0);
            check_least(&c);
            tried++;
            for (int k = 0; k < c.b.mechanism->stiction_count; k++) {
                others += k != c.target && c.impulse.moves[k] != c.b.direction[k];
            }
        }
        support_bench_close(&c.b);
    }
    print_message("%zu impulses, %zu other joints stopped or set in motion\n", tried, others);
    assert_true(tried > 1000 && others > 500);
}

static void is_the_minimum(void **state)
{
    UNUSED(state);
    random_mechanisms(0, false);
}

static void is_the_minimum_beside_faint_friction(void **state)
{
    UNUSED(state);
    random_mechanisms(0, true);
}

static void is_the_minimum_on_driven_bases(void **state)
{
    UNUSED(state);
    random_mechanisms(0.3, false);
}

/* ---- runs ---- */

static const detent_integrator integrators[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                DETENT_INTEGRATOR_AUTO};

/** A stops inside its band; the impulse brings its neighbour into its own band. */
static void a_neighbour_joins(void **state)
{
    UNUSED(state);
    detent_mechanism *m =
        runs_parse("detent: 1\n"
                   "gravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
                   "joints:\n"
                   "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0],\n"
                   "      initial: {velocity: 0.25}}\n"
                   "  b: {type: prismatic, base: a, follower: b, axis: [1, 0, 0],\n"
                   "      initial: {velocity: -0.35}}\n"
                   "stiction:\n"
                   "  a: {velocity_threshold: 0.1, kinetic: 1, static: 1.5, locking: band}\n"
                   "  b: {velocity_threshold: 0.1, kinetic: 0.5, static: 0.7, locking: band}\n"
                   "simulation: {end: 3}\n",
                   NULL);
    for (int k = 0; k < 3; k++) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = integrators[k];
        detent_simulation *s = runs_start(m, &settings);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        runs_advance(s, 3);
        assert_int_equal(runs_mode(m, s, "a"), DETENT_LOCKED);
        assert_int_equal(runs_mode(m, s, "b"), DETENT_LOCKED);
        detent_get_statistics(s, &statistics);
        assert_true(statistics.kinetic_energy == 0);
        assert_true(statistics.impact_loss > 0 && statistics.friction_work < 0);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/** A block that a belt takes with it: the belt works in the impulse, and the balance closes. */
static void a_belt_works(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {belt: {mass: 1}, block: {mass: 2}}\n"
        "joints:\n"
        "  belt: {type: prismatic, base: ground, follower: belt, axis: [1, 0, 0], motion: 3*t}\n"
        "  block: {type: prismatic, base: belt, follower: block, axis: [1, 0, 0],\n"
        "          initial: {velocity: -0.5}}\n"
        "stiction: {block: {velocity_threshold: 0.1, kinetic: 1, static: 1, locking: band}}\n"
        "simulation: {end: 2}\n",
        NULL);
    for (int k = 0; k < 3; k++) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = integrators[k];
        detent_simulation *s = runs_start(m, &settings);
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        runs_advance(s, 2);
        detent_get_statistics(s, &statistics);
        assert_int_equal(runs_mode(m, s, "block"), DETENT_LOCKED);
        /* from 2.5 m/s to 3 m/s; the last 0.1 m/s at once */
        runs_near("loss", statistics.impact_loss, 0.5 * 2 * 0.01, 1e-8);
        runs_near("drive", statistics.actuation_work, 2 * 0.5 * 3, 1e-8);
        runs_near("balance", runs_energy_gap(s), 0, 1e-8);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/** A trial that is given up leaves nothing behind: at rest the law pushes, at the band it does not. */
static void a_trial_is_taken_back(void **state)
{
    UNUSED(state);
    detent_mechanism *m =
        runs_parse("detent: 1\n"
                   "gravity: [0, 0, 0]\n"
                   "bodies: {a: {mass: 1}}\n"
                   "joints:\n"
                   "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0],\n"
                   "      initial: {velocity: 0.3}}\n"
                   "stiction:\n"
                   "  a: {velocity_threshold: 0.1, kinetic: 1, static: 1.5, locking: band,\n"
                   "      external: \"if(velocity(a) < 0.05, 3, 0)\"}\n"
                   "simulation: {end: 0.24}\n",
                   NULL);
    for (int k = 0; k < 3; k++) {
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = integrators[k];
        detent_simulation *s = runs_start(m, &settings);
        runs_advance(s, 0.24);
        assert_int_equal(runs_mode(m, s, "a"), DETENT_WAIT);
        runs_near("velocity", runs_velocity(m, s, "a"), 0.06, 1e-9);
        detent_simulation_destroy(s);
    }
    detent_mechanism_destroy(m);
}

/** An open clutch that a damper slows down is not stopped by what is left of its friction. */
static void faint_friction_stops_nobody_else(void **state)
{
    UNUSED(state);
    detent_mechanism *m = runs_parse(
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n"
        "  a: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0], damping: 1,\n"
        "      initial: {velocity: 1}}\n"
        "  b: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0],\n"
        "      initial: {velocity: 100}}\n"
        "stiction:\n"
        "  a: {velocity_threshold: 1e-3, kinetic: 1e-9, static: 1e-9, locking: band}\n"
        "  b: {velocity_threshold: 1e-3, kinetic: 1, static: 1}\n"
        "simulation: {end: 10}\n",
        NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 10);
    runs_near("b", runs_velocity(m, s, "b"), 90, 1e-6);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_the_minimum),
        cmocka_unit_test(is_the_minimum_on_driven_bases),
        cmocka_unit_test(is_the_minimum_beside_faint_friction),
        cmocka_unit_test(a_neighbour_joins),
        cmocka_unit_test(a_belt_works),
        cmocka_unit_test(a_trial_is_taken_back),
        cmocka_unit_test(faint_friction_stops_nobody_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
