/*
 * Inverse dynamics: after forward dynamics it is the identity, and at rest it tells what static friction holds.
 */
#include "analysis/inverse.h"
#include "api/analysis_handle.h"
#include "api/handle.h"
#include "detent/analysis.h"
#include "dynamics/newton.h"
#include "support_runs.h"
#include "support_trees.h"

enum { MOST = 64 };

/* ---- the identity ---- */

/* A random tree with actuation and struts. */
static detent_mechanism *random_tree(int seed, support_random *random)
{
    support_tree_def def = support_default_tree(2 + seed % 20);
    def.spherical = 0.2;
    def.weld = 0.1;
    def.load_dependent = 0.3;
    def.spring = 10;
    def.damper = 1;
    def.force = 5;
    def.armature = 0.3;
    def.prescribed = 0.2;
    def.stiction = 0.6;
    detent_mechanism *m = support_random_tree(&def, random);
    dt_load *places = dt_arena_alloc(&m->arena, 4, sizeof *places);
    support_add_struts(m, random, 2, places);
    m->loads = places;
    return m;
}

/* A random state in which some joints rest, and its accelerations. */
static void solve_somewhere(dt_arena *arena, dt_system *s, support_random *random)
{
    const detent_mechanism *m = s->mechanism;
    detent_error error;
    support_random_pose(s->tree, random, s->q);
    for (int j = 0; j < s->tree->nv; j++) {
        s->v[j] = support_uniform(random, -2, 2);
    }
    for (int k = 0; k < m->stiction_count; k++) {
        const int j = s->tree->nodes[m->stictions[k].primitive].v;
        const bool locked = support_chance(random, 0.4);
        s->v[j] = locked ? 0 : s->v[j];
        s->mode[k] = (signed char)(locked ? DETENT_LOCKED : DETENT_UNLOCKED);
        s->direction[k] = (signed char)(locked ? 0 : s->v[j] > 0 ? 1 : -1);
    }
    dt_system_set_state(s, 0.3, s->q, s->v);
    dt_newton *newton = dt_newton_create(arena, s, DETENT_LINEAR_SOLVER_TREE);
    runs_must(dt_solve_accelerations(newton, s, NULL, &error), &error);
}

/* Of what is summed: forces of the whole tree, and their moments. */
static double size_of_sums(const dt_system *s)
{
    double size = 1;
    for (int i = 0; i < s->tree->node_count; i++) {
        for (int c = 0; c < 6; c++) {
            size = fmax(size, fabs(s->F[i][c]));
        }
    }
    return size;
}

/* How far an interval is from what it should be along freedom j of node i. */
static double deviation(dt_system *s, int i, int j, double low, double high)
{
    const dt_primitive *p = &s->mechanism->primitives[i];
    const int k = p->stiction;
    if (dt_is_prescribed(s, i)) {
        const double passive =
            p->stiffness * (s->q[s->tree->nodes[i].q] - p->rest) + p->damping * s->v[j];
        return fabs(low - s->tau[j] - passive);
    }
    const double u = dt_law_value(s, dt_force_law(s, i), k < 0 ? 0 : s->direction[k]);
    if (k >= 0 && s->mode[k] == DETENT_LOCKED) { /* u + f = what is needed, at either limit */
        double limits[2];
        dt_system_static_limits(s, k, limits);
        return fmax(fabs(low - (u + s->f[k] - limits[1])), fabs(high - (u + s->f[k] - limits[0])));
    }
    assert_true(low == high);
    return fabs(low - u);
}

/* Random trees: forces are those of the laws where joints move, and lie in the interval where they rest. */
static void test_identity_of_trees(void **state)
{
    UNUSED(state);
    double worst = 0;
    for (int seed = 1; seed <= 200; seed++) {
        support_random random = {.state = (uint64_t)seed};
        detent_mechanism *m = random_tree(seed, &random);
        dt_arena arena;
        dt_system s;
        dt_analysis analysis = {0};
        detent_error error;
        dt_arena_init(&arena, NULL);
        runs_must(dt_system_create(&arena, m, &s, &error), &error);
        runs_must(dt_analysis_create(&arena, m, &analysis, &error), &error);
        solve_somewhere(&arena, &s, &random);
        double *a = dt_arena_alloc(&arena, (size_t)s.tree->nv, sizeof *a),
               *low = dt_arena_alloc(&arena, (size_t)s.tree->nv, sizeof *low),
               *high = dt_arena_alloc(&arena, (size_t)s.tree->nv, sizeof *high);
        memcpy(a, s.a, (size_t)s.tree->nv * sizeof *a);
        runs_must(dt_analysis_set_state(&analysis, 0.3, s.q, s.v, NULL, &error), &error);
        runs_must(dt_inverse(&analysis, a, NULL, low, high, &error), &error);
        const double size = size_of_sums(&s);
        for (int i = 0; i < s.tree->node_count; i++) {
            const dt_node *node = &s.tree->nodes[i];
            for (int j = node->v; j < node->v + node->type->nv; j++) {
                worst = fmax(worst, deviation(&s, i, j, low[j], high[j]) / size);
            }
        }
        dt_arena_free(&arena);
        support_free(m);
    }
    print_message("random trees: %.1e\n", worst);
    assert_true(worst < 1e-9);
}

/* What a run computed gives back its actuation. `driven`: primitives, ended by NULL; NULL: all. */
static double error_of_run(const char *file, double t, const char *const driven[])
{
    detent_error error;
    double q[MOST], v[MOST], a[MOST], low[MOST], high[MOST], worst = 0;
    bool flags[MOST] = {0};
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism *m = runs_load(file, NULL);
    detent_simulation *s = runs_start(m, NULL);
    detent_analysis *analysis = runs_analyse(m);
    detent_mechanism_get_info(m, &info);
    assert_true(info.coordinates <= MOST);
    runs_advance(s, t);
    runs_must(detent_read(s, DETENT_POSITIONS, q, info.coordinates, &error), &error);
    runs_must(detent_read(s, DETENT_VELOCITIES, v, info.freedoms, &error), &error);
    runs_must(detent_read(s, DETENT_ACCELERATIONS, a, info.freedoms, &error), &error);
    for (int k = 0; driven && driven[k]; k++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, driven[k]), &p),
                  &error);
        for (size_t j = 0; j < p.freedoms; j++) {
            flags[p.first_freedom + j] = true;
        }
    }
    runs_must(detent_analysis_set_state(analysis, t, q, v, NULL, &error), &error);
    runs_must(detent_inverse(analysis, a, driven ? flags : NULL, low, high, &error), &error);
    dt_system *system;
    runs_must(dt_handle_system(s, false, DT_LEVEL_FORCES, &system, &error), &error);
    double size = 1e-3;
    for (int j = 0; j < system->tree->nv; j++) {
        size = fmax(size, fabs(system->tau[j]));
    }
    for (int i = 0; i < system->tree->node_count; i++) {
        const dt_node *node = &system->tree->nodes[i];
        const int k = m->primitives[i].stiction, j = node->v;
        if (node->type->nv != 1 || (driven && !flags[j])) {
            continue;
        }
        const double u =
            dt_is_prescribed(system, i)
                ? system->tau[j]
                : dt_law_value(system, dt_force_law(system, i), k < 0 ? 0 : system->direction[k]);
        if (low[j] == high[j]) {
            worst = fmax(worst, fabs(u - low[j]) / size);
        } else { /* at rest: inside */
            assert_true(v[j] == 0 && low[j] < u && u < high[j]);
        }
    }
    print_message("%s at %g s: %.1e\n", file, t, worst);
    detent_analysis_destroy(analysis);
    runs_end(s, m);
    return worst;
}

static void test_identity_of_runs(void **state)
{
    UNUSED(state);
    for (int k = 0; k < 8; k++) {
        assert_true(error_of_run("sticky_double_pendulum.yaml", 0.2 + 0.37 * k, NULL) < 1e-9);
    }
    assert_true(error_of_run("z1_arm.yaml", 0.3, NULL) < 1e-9);
    assert_true(error_of_run("hanging_chain.yaml", 0.4, NULL) < 1e-9);
    assert_true(error_of_run("slider_crank.yaml", 2.3, (const char *const[]){"pivot", NULL}) <
                1e-9);
    assert_true(error_of_run("slider_crank.yaml", 4.1, (const char *const[]){"slide.p1", NULL}) <
                1e-9);
    assert_true(error_of_run("stewart_platform.yaml", 0.2,
                             (const char *const[]){"leg[1]", "leg[2]", "leg[3]", "leg[4]", "leg[5]",
                                                   "leg[6]", NULL}) < 1e-9);
    assert_true(error_of_run("lead_screw.yaml", 1.7, (const char *const[]){"turn", NULL}) < 1e-9);
    assert_true(error_of_run("screw_jack.yaml", 1.8, (const char *const[]){"crank", NULL}) < 1e-9);
    assert_true(error_of_run("screw_jack.yaml", 3.6, (const char *const[]){"crank", NULL}) < 1e-9);
}

/* ---- at rest ---- */

static const char incline[] = "detent: 1\n"
                              "gravity: [0, 0, -9.81]\n"
                              "inputs: {pull: 0}\n"
                              "parameters: {angle: 0.3}\n"
                              "bodies: {block: {mass: 5, inertia: [0.1, 0.1, 0.1]}}\n"
                              "joints: {ramp: {type: prismatic, base: ground, follower: block, "
                              "axis: [cos(angle), 0, sin(angle)]}}\n"
                              "stiction: {ramp: {external: pull, kinetic: 0.4*normal_force(ramp), "
                              "static: 0.5*normal_force(ramp)}}\n";

/* m g (sin - mu cos) to m g (sin + mu cos); just inside a run stays, just outside it moves. */
static void test_block_on_incline(void **state)
{
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = runs_parse(incline, NULL);
    detent_analysis *analysis = runs_analyse(m);
    double a = 0, low, high;
    const double weight = 5 * 9.81, along = weight * sin(0.3), normal = weight * cos(0.3);
    runs_must(detent_inverse(analysis, &a, NULL, &low, &high, &error), &error);
    assert_true(fabs(low - (along - 0.5 * normal)) < 1e-13 * weight);
    assert_true(fabs(high - (along + 0.5 * normal)) < 1e-13 * weight);
    for (int k = 0; k < 4; k++) {
        detent_simulation *s = runs_start(m, NULL);
        const double hair = 1e-7 * (k % 2 ? 1 : -1), pull = k < 2 ? low - hair : high + hair;
        runs_must(detent_set_input(s, 0, pull, &error), &error);
        runs_advance(s, 0.1);
        assert_int_equal(runs_mode(m, s, "ramp") == DETENT_LOCKED, k % 2 == 0);
        detent_simulation_destroy(s);
    }
    /* starting, and moving: kinetic friction */
    a = 2;
    runs_must(detent_inverse(analysis, &a, NULL, &low, &high, &error), &error);
    assert_true(low == high && fabs(low - (along + 0.4 * normal + 10)) < 1e-13 * weight);
    const double q = 0, v = -1;
    a = 0;
    runs_must(detent_analysis_set_state(analysis, 0, &q, &v, NULL, &error), &error);
    runs_must(detent_inverse(analysis, &a, NULL, &low, &high, &error), &error);
    assert_true(low == high && fabs(low - (along - 0.4 * normal)) < 1e-13 * weight);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* A four-bar with friction in one joint: by virtual work its limits count in the one that is driven. */
static void test_four_bar_at_rest(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "  coupler: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "  rocker: {mass: 1.5, center_of_mass: [0.25, 0, 0], inertia: [0.05, 0.05, 0.05]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1}}\n"
        "  b: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, initial: "
        "{position: -0.8}}\n"
        "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, initial: "
        "{position: 1.6}}\n"
        "  c: {type: revolute, base: rocker, follower: coupler, closes: true,\n"
        "      at: {base: [0.5, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -1.4}}\n"
        "stiction:\n"
        "  d: {kinetic: 0.3, forward: -0.4, reverse: 0.45}\n";
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    double q[4], v[4] = {0}, a[4] = {0}, low[4], high[4], plus[4], minus[4];
    bool driven[4] = {true, false, false, false};
    runs_must(detent_analysis_get_state(analysis, NULL, q, v, &error), &error);
    runs_must(detent_analysis_set_state(analysis, 0, q, NULL, NULL, &error), &error);
    runs_must(detent_inverse(analysis, a, driven, low, high, &error), &error);
    /* the same joints, and how fast they turn with the crank, by differences of closed positions */
    const double h = 1e-5, start = q[0];
    q[0] = start + h;
    runs_must(detent_analysis_set_state(analysis, 0, q, NULL, driven, &error), &error);
    runs_must(detent_analysis_get_state(analysis, NULL, plus, v, &error), &error);
    q[0] = start - h;
    runs_must(detent_analysis_set_state(analysis, 0, q, NULL, driven, &error), &error);
    runs_must(detent_analysis_get_state(analysis, NULL, minus, v, &error), &error);
    double T[4], potential = 0;
    for (int k = 0; k < 4; k++) {
        T[k] = (plus[k] - minus[k]) / (2 * h);
    }
    assert_true(fabs(T[0] - 1) < 1e-10);
    /* m g y of the three centres */
    for (int k = 0; k < 2; k++) {
        const double *p = k ? minus : plus;
        const double y = 0.15 * sin(p[0]) * 1 + 2 * (0.3 * sin(p[0]) + 0.4 * sin(p[0] + p[1])) +
                         1.5 * 0.25 * sin(p[2]);
        potential += (k ? -1 : 1) * 9.81 * y / (2 * h);
    }
    const double up = (T[2] > 0 ? 0.4 : 0.45) * fabs(T[2]),
                 down = (T[2] > 0 ? 0.45 : 0.4) * fabs(T[2]);
    assert_true(fabs(T[2]) > 0.1);
    assert_true(fabs(high[0] - (potential + up)) < 1e-8);
    assert_true(fabs(low[0] - (potential - down)) < 1e-8);
    assert_true(low[1] == 0 && high[2] == 0 && low[3] == 0);
    /* driven somewhere else, the same virtual work */
    bool other[4] = {false, false, true, false};
    double there[4], above[4];
    q[0] = start;
    runs_must(detent_analysis_set_state(analysis, 0, q, NULL, driven, &error), &error);
    runs_must(detent_inverse(analysis, a, other, there, above, &error), &error);
    const double turned[2] = {there[2] * T[2], above[2] * T[2]};
    assert_true(fabs(fmax(turned[0], turned[1]) - high[0]) < 1e-8);
    assert_true(fabs(fmin(turned[0], turned[1]) - low[0]) < 1e-8);
    /* two drives are one too many, none is one too few */
    other[0] = true;
    assert_int_equal(detent_inverse(analysis, a, other, low, high, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "1 freedoms have to be driven"));
    assert_int_equal(detent_inverse(analysis, a, NULL, low, high, &error), DETENT_ERROR_ARGUMENT);
    /* out of reach: said, and the state stays */
    q[2] += 3;
    other[0] = false;
    assert_int_equal(detent_analysis_set_state(analysis, 0, q, NULL, other, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'d'"));
    runs_must(detent_analysis_get_state(analysis, NULL, plus, NULL, &error), &error);
    assert_true(fabs(plus[0] - start) < 1e-12);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/* A wheel that is geared to another one rests by both: of the other's limits, which differ, the one that helps by the sign of the ratio. */
static void test_gear_at_rest(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, 0]\n"
        "bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: one}\n"
        "  b: {type: revolute, base: ground, follower: two}\n"
        "couplings: {mesh: {type: gear, joints: [a, b], ratio: %d}}\n"
        "stiction: {a: {kinetic: 2, static: 3}, b: {kinetic: 0.5, forward: -1, reverse: 2}}\n";
    static const bool driven[2] = {true, false};
    static const struct {
        int ratio;
        double low, high;
    } cases[] = {{2, -3 - 0.5 * 2, 3 + 0.5 * 1}, {-2, -3 - 0.5 * 1, 3 + 0.5 * 2}};
    UNUSED(state);
    for (size_t k = 0; k < 2; k++) {
        char page[1024];
        detent_error error;
        double a[2] = {0}, low[2], high[2];
        snprintf(page, sizeof page, text, cases[k].ratio);
        detent_mechanism *m = runs_parse(page, NULL);
        detent_analysis *analysis = runs_analyse(m);
        runs_must(detent_inverse(analysis, a, driven, low, high, &error), &error);
        assert_true(fabs(low[0] - cases[k].low) < 1e-12 && fabs(high[0] - cases[k].high) < 1e-12);
        assert_true(low[1] == 0 && high[1] == 0);
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/* A slider-crank from which no answer comes: at a dead centre, with friction that locks itself, with limits that have changed places. */
static void test_no_answers(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -10, 0]\n"
        "parameters: {start: 0.5, grip: 0.1}\n"
        "bodies:\n"
        "  crank: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
        "  rod: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "  slider: {mass: 1.5}\n"
        "joints:\n"
        "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: start, "
        "priority: exact}}\n"
        "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}, initial: "
        "{position: -start}}\n"
        "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
        "{position: 1.1}}\n"
        "  wrist: {type: revolute, base: slider, follower: rod, closes: true, at: {follower: [0.8, "
        "0, 0]}}\n"
        "stiction:\n"
        "  slide: {kinetic: grip*normal_force(slide), static: \"grip*normal_force(slide)*(2 - "
        "t/1 [s])\"}\n";
    static const bool crank[4] = {true}, slide[4] = {false, false, true};
    static const struct {
        const char *set[3];
        double time, acceleration;
        const bool *driven;
        detent_status status;
        const char *words;
    } cases[] = {
        {{"start=0.5"}, 0, 1, crank, DETENT_OK, ""},
        {{"start=0"}, 0, 0, crank, DETENT_OK, ""},
        {{"start=0"}, 0, 0, slide, DETENT_ERROR_NUMERIC, "do not decide how the loops move"},
        {{"start=1.2", "grip=3"}, 0, 1, crank, DETENT_ERROR_SOLVER, "no common solution"},
        {{"start=1.2", "grip=40"}, 0, 1, crank, DETENT_ERROR_NUMERIC, "is not a finite number"},
        {{"start=0.5"}, 3, 0, crank, DETENT_ERROR_NUMERIC, "'slide' has static limits of "},
    };
    UNUSED(state);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        detent_error error = {.message = ""};
        double q[4], a[4] = {cases[k].acceleration}, low[4], high[4];
        detent_mechanism *m = runs_parse(text, cases[k].set);
        detent_analysis *analysis = runs_analyse(m);
        runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
        runs_must(detent_analysis_set_state(analysis, cases[k].time, q, NULL, NULL, &error),
                  &error);
        const detent_status status =
            detent_inverse(analysis, a, cases[k].driven, low, high, &error);
        if (status != cases[k].status || !strstr(error.message, cases[k].words)) {
            fail_msg("%zu: status %d: %s", k, status, error.message);
        }
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

static void test_refusals(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {block: {mass: 5, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {ramp: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0]}}\n"
        "stiction: {ramp: {kinetic: 1, static: 2, test: \"3*t\"}}\n";
    UNUSED(state);
    detent_error error;
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = runs_analyse(m);
    double a = 0, low, high, q = NAN;
    assert_int_equal(detent_inverse(analysis, &a, NULL, &low, &high, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'ramp' is at rest and has a test friction"));
    const bool nobody = false;
    assert_int_equal(detent_inverse(analysis, &a, &nobody, &low, &high, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "1 freedoms have to be driven, as many as the tree has, "
                                          "and 0 are (not 'ramp')"));
    a = NAN;
    assert_int_equal(detent_inverse(analysis, &a, NULL, &low, &high, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "acceleration of 'ramp'"));
    assert_int_equal(detent_analysis_set_state(analysis, 0, &q, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_analysis_set_state(analysis, NAN, &a, NULL, NULL, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_analysis_set_input(analysis, 0, 1, &error), DETENT_ERROR_ARGUMENT);
    detent_analysis_destroy(analysis);
    assert_int_equal(detent_analysis_create(NULL, NULL, &analysis, &error), DETENT_ERROR_ARGUMENT);
    assert_null(analysis);
    detent_analysis_destroy(NULL);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity_of_trees), cmocka_unit_test(test_identity_of_runs),
        cmocka_unit_test(test_block_on_incline),  cmocka_unit_test(test_four_bar_at_rest),
        cmocka_unit_test(test_gear_at_rest),      cmocka_unit_test(test_no_answers),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
