/*
 * Linear models against differences of the accelerations that the engine's own solution of the equations of motion gives,
 * which shares no code with the derivatives: runs of mechanisms, random trees, states of the mechanism.
 */
#include "analysis/linearize.h"
#include "analysis/states.h"
#include "api/handle.h"
#include "detent/analysis.h"
#include "dynamics/newton.h"
#include "support_bushings.h"
#include "support_runs.h"

static detent_linearization *linearize(detent_simulation *s)
{
    detent_error error;
    detent_linearization *l = NULL;
    runs_must(detent_linearize(s, NULL, &l, &error), &error);
    return l;
}

typedef struct probe {
    dt_system *system;
    dt_newton *newton;
    const detent_linearization *l;
    double *q, *v, *a, *f; /* where the model holds */
    dt_linear_state *state;
    double *slots, *registers;
} probe;

/* The vector part of 2 conj(a) b. */
static void between(const double a[4], const double b[4], double out[3])
{
    double cross[3];
    dt_cross3(cross, a + 1, b + 1);
    for (int k = 0; k < 3; k++) {
        out[k] = 2 * (a[0] * b[1 + k] - b[0] * a[1 + k] - cross[k]);
    }
}

/* How fast a spherical joint turns away from the undisturbed one: theta = 2 conj(q0) q, both on their way. */
static const double *turning(const probe *p, const dt_node *node)
{
    static double sum[3];
    const dt_system *s = p->system;
    double still[4], way[4], other[3];
    node->type->rate(p->q + node->q, p->v + node->v, still);
    node->type->rate(s->q + node->q, s->v + node->v, way);
    between(still, s->q + node->q, sum);
    between(p->q + node->q, way, other);
    for (int k = 0; k < 3; k++) {
        sum[k] += other[k];
    }
    return sum;
}

/* Rates and outputs at the state at which one state (column < states) or input differs by h. */
static void evaluate(probe *p, size_t column, double h, double *rate, double *output)
{
    dt_system *s = p->system;
    const size_t n = p->l->states;
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv;
    double *q = malloc((nq + 1) * sizeof *q), *v = malloc((nv + 1) * sizeof *v), turn[3] = {0};
    memcpy(q, p->q, nq * sizeof *q);
    memcpy(v, p->v, nv * sizeof *v);
    if (column < n && p->state[column].kind == DETENT_STATE_POSITION) {
        const dt_node *node = &s->tree->nodes[p->state[column].node];
        double way[4];
        turn[p->state[column].freedom - node->v] = h;
        node->type->rate(q + node->q, turn, way);
        for (int k = 0; k < node->type->nq; k++) {
            q[node->q + k] += way[k];
        }
        node->type->normalize(q + node->q);
    } else if (column < n && p->state[column].kind == DETENT_STATE_OWN) {
        s->z[p->state[column].node] += h;
    } else if (column < n) {
        v[p->state[column].freedom] += h;
    } else {
        s->inputs[column - n] += h;
    }
    detent_error error;
    memcpy(s->a, p->a, nv * sizeof *s->a);
    dt_system_set_state(s, s->time, q, v);
    runs_must(dt_solve_accelerations(p->newton, s, NULL, &error), &error);
    for (size_t i = 0; i < n; i++) {
        const dt_node *node =
            &s->tree->nodes[p->state[i].kind == DETENT_STATE_OWN ? 0 : p->state[i].node];
        rate[i] = p->state[i].kind == DETENT_STATE_POSITION && node->type->nv == 3
                      ? turning(p, node)[p->state[i].freedom - node->v]
                      : dt_state_rate(&p->state[i], s);
    }
    for (size_t k = 0; k < p->l->outputs; k++) {
        const dt_program *program = s->mechanism->outputs[p->l->output[k]].program;
        for (int j = 0; j < program->variable_count; j++) {
            p->slots[j] = dt_system_variable(s, program->variables[j], -1);
        }
        output[k] = dt_program_value(program, p->slots, NULL, p->registers);
    }
    if (column >= n) {
        s->inputs[column - n] -= h;
    } else if (p->state[column].kind == DETENT_STATE_OWN) {
        s->z[p->state[column].node] -= h;
    }
    free(q);
    free(v);
}

static double largest(const double *x, size_t count)
{
    double most = 0;
    for (size_t k = 0; k < count; k++) {
        most = fmax(most, fabs(x[k]));
    }
    return most;
}

/* One column by differences of fourth order against the model's, relative to the largest element of its row. */
static double compare_column(probe *p, size_t column, double h)
{
    const detent_linearization *l = p->l;
    const size_t n = l->states, r = l->outputs;
    double *value[4], worst = 0;
    for (int k = 0; k < 4; k++) {
        static const double at[4] = {-2, -1, 1, 2};
        value[k] = malloc((n + r + 1) * sizeof(double));
        evaluate(p, column, at[k] * h, value[k], value[k] + n);
    }
    for (size_t i = 0; i < n + r; i++) {
        const double difference =
            (value[0][i] - value[3][i] + 8 * (value[2][i] - value[1][i])) / (12 * h);
        const double *states = i < n ? l->A + i * n : l->C + (i - n) * n;
        const double *inputs = i < n ? l->B + i * l->inputs : l->D + (i - n) * l->inputs;
        const double exact = column < n ? states[column] : inputs[column - n];
        const double size = fmax(largest(states, n), largest(inputs, l->inputs));
        const double error = fabs(difference - exact) / (size > 0 ? size : 1);
        worst = fmax(worst, error);
    }
    for (int k = 0; k < 4; k++) {
        free(value[k]);
    }
    return worst;
}

static double compare(dt_system *s, const detent_linearization *l)
{
    dt_arena arena;
    dt_arena_init(&arena, NULL);
    const size_t nq = (size_t)s->tree->nq, nv = (size_t)s->tree->nv, n = l->states;
    size_t registers = 1;
    for (int k = 0; k < s->mechanism->output_count; k++) {
        const size_t own = DT_PROGRAM_REGISTERS(s->mechanism->outputs[k].program);
        registers = own > registers ? own : registers;
    }
    probe p = {.system = s,
               .l = l,
               .newton = dt_newton_create(&arena, s, DETENT_LINEAR_SOLVER_TREE),
               .q = dt_arena_alloc(&arena, nq, sizeof(double)),
               .v = dt_arena_alloc(&arena, nv, sizeof(double)),
               .a = dt_arena_alloc(&arena, nv, sizeof(double)),
               .state = dt_arena_alloc(&arena, n, sizeof(dt_linear_state)),
               .slots = dt_arena_alloc(&arena, registers, sizeof(double)),
               .registers = dt_arena_alloc(&arena, registers, sizeof(double))};
    memcpy(p.q, s->q, nq * sizeof *p.q);
    memcpy(p.v, s->v, nv * sizeof *p.v);
    memcpy(p.a, s->a, nv * sizeof *p.a);
    assert_int_equal(dt_states_list(s, p.state), n);
    double worst = 0;
    for (size_t column = 0; column < n + l->inputs; column++) {
        worst = fmax(worst, compare_column(&p, column, 2e-4));
    }
    dt_arena_free(&arena);
    return worst;
}

/* A motor with a current, and a filter of what its bearing bears: known, and by differences where nothing is linear. */
static void test_own_states(void **state)
{
    static const char text[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "inputs: {voltage: 3}\n"
        "bodies: {rotor: {mass: 1, inertia: [1, 1, 0.02]}, arm: {mass: 1, center_of_mass: [0, "
        "-0.2, 0], inertia: "
        "[0.01, 0.01, 0.02]}}\n"
        "joints:\n"
        "  motor: {type: revolute, base: ground, follower: rotor, force: 0.8*current}\n"
        "  elbow: {type: revolute, base: ground, follower: arm, force: -2*sin(felt), initial: "
        "{position: 0.4}}\n"
        "states:\n"
        "  current: {derivative: \"(voltage - 2*current - 0.8*velocity(motor))/0.05\", initial: 0 "
        "A}\n"
        "  felt: {derivative: \"0.1*reaction_force(elbow) - felt^2 + current*position(elbow)\", "
        "initial: 0.3}\n"
        "outputs: [current, \"felt*velocity(motor)\", force(motor)]\n";
    UNUSED(state);
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    runs_advance(s, 0.3);
    detent_linearization *l = linearize(s);
    assert_int_equal(l->states, 6);
    assert_int_equal(l->state[4].kind, DETENT_STATE_OWN);
    assert_int_equal(l->state[4].primitive, 0);
    const double *current = l->A + 4 * 6, *speed = l->A + 2 * 6;
    assert_true(fabs(current[2] + 16) < 1e-11 && fabs(current[4] + 40) < 1e-11);
    assert_true(fabs(speed[4] - 40) < 1e-10 && fabs(l->B[4] - 20) < 1e-11);
    assert_true(fabs(l->C[4] - 1) < 1e-14 && fabs(l->C[2 * 6 + 4] - 0.8) < 1e-14);
    dt_system *system;
    detent_error error;
    runs_must(dt_handle_system(s, false, DT_LEVEL_FORCES, &system, &error), &error);
    const double worst = compare(system, l);
    if (!(worst < 1e-8)) {
        fail_msg("difference %.3g", worst);
    }
    detent_linearization_destroy(l);
    runs_end(s, m);
}

/* What elements store and carry, as outputs read it: a bushing on a pendulum that leans on a soft stop, a rigid distance, bristles. */
static void test_what_elements_do(void **state)
{
    static const char bushing[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {arm: {mass: 1, center_of_mass: [0.2, -0.3, 0], inertia: [0.1, 0.2, 0.3]}, block: "
        "{mass: 2, inertia: [0.3, 0.2, 0.1]}}\n"
        "joints:\n"
        "  pin: {type: revolute, base: ground, follower: arm, initial: {position: 0.4}, stops: "
        "{upper: "
        "{at: 0.1, stiffness: 300, damping: 2}}}\n"
        "  float: {type: free, base: ground, follower: block, primitives: {p1: {initial: "
        "{position: "
        "0.3}}, p2: {initial: {position: -0.5}}}}\n"
        "bushings:\n"
        "  rubber: {between: [{body: arm, at: [0.3, -0.5, 0.1]}, {body: block, at: [0, 0.1, 0]}], "
        "stiffness: [200, 300, "
        "400], damping: [2, 3, 4], rotational_stiffness: [20, 30, 40], rotational_damping: [0.2, "
        "0.3, "
        "0.4]}\n"
        "outputs: [potential_energy(), bushing_force(rubber), \"bushing_force(rubber, x)\", "
        "\"bushing_force(rubber, z)\", bushing_torque(rubber), \"bushing_torque(rubber, y)\", "
        "kinetic_energy()]\n";
    static const char rod[] =
        "detent: 1\n"
        "gravity: [0, -9.81, 0]\n"
        "bodies: {arm: {mass: 1, center_of_mass: [0.2, -0.3, 0], inertia: [0.1, 0.2, 0.3]}, block: "
        "{mass: 2, inertia: [0.3, 0.2, 0.1]}}\n"
        "joints:\n"
        "  pin: {type: revolute, base: ground, follower: arm, initial: {position: 0.4, priority: "
        "exact}}\n"
        "  slide: {type: prismatic, base: ground, follower: block, axis: [1, 0, 0], initial: "
        "{position: "
        "1}, friction: {law: dahl, coulomb: 1, stiffness: 100}}\n"
        "couplings:\n"
        "  link: {type: distance, between: [{body: arm, at: [0.3, 0, 0]}, {body: block}], length: "
        "0.9}\n"
        "outputs: [tension(link), potential_energy(), friction(slide), kinetic_energy()]\n";
    static const char *const texts[] = {bushing, rod};
    UNUSED(state);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        detent_mechanism *m = runs_parse(texts[k], NULL);
        detent_simulation *s = runs_start(m, NULL);
        runs_advance(s, 0.05);
        detent_linearization *l = linearize(s);
        assert_int_equal(l->outputs, detent_count(m, DETENT_OUTPUT));
        dt_system *system;
        detent_error error;
        runs_must(dt_handle_system(s, false, DT_LEVEL_FORCES, &system, &error), &error);
        const double worst = compare(system, l);
        print_message("elements %zu: %zu states, difference %.1e\n", k, l->states, worst);
        assert_true(worst < 1e-6);
        detent_linearization_destroy(l);
        runs_end(s, m);
    }
}

/* Mechanisms in the midst of a run. */
static void test_differences_of_runs(void **state)
{
    static const struct {
        const char *file;
        double time;
    } runs[] = {
        {"slider_crank.yaml", 2.3},         {"stewart_platform.yaml", 0.2},
        {"flyball_governor.yaml", 1.7},     {"sticky_double_pendulum.yaml", 0.5},
        {"sticky_double_pendulum.yaml", 3}, {"z1_arm.yaml", 0.3},
        {"hanging_chain.yaml", 0.4},        {"lead_screw.yaml", 0.6},
        {"coulomb_oscillator.yaml", 0.7},   {"modelica_brake.yaml", 0.5},
        {"screw_jack.yaml", 1.8},           {"screw_jack.yaml", 3.6},
    };
    UNUSED(state);
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        detent_mechanism *m = runs_load(runs[k].file, NULL);
        detent_simulation *s = runs_start(m, NULL);
        runs_advance(s, runs[k].time);
        detent_linearization *l = linearize(s);
        dt_system *system;
        detent_error error;
        runs_must(dt_handle_system(s, false, DT_LEVEL_FORCES, &system, &error), &error);
        const double worst = compare(system, l);
        print_message("%s at %g s: %zu states, difference %.1e\n", runs[k].file, runs[k].time,
                      l->states, worst);
        assert_true(worst < 1e-6);
        detent_linearization_destroy(l);
        runs_end(s, m);
    }
}

/* Random trees: every joint type, springs and bushings between bodies, laws that read reactions of other joints. */
static void test_differences_of_trees(void **state)
{
    UNUSED(state);
    double most = 0;
    for (int seed = 1; seed <= 60; seed++) {
        support_random random = {.state = (uint64_t)seed};
        support_tree_def def = support_default_tree(2 + seed % 9);
        def.spherical = 0.25;
        def.weld = 0.1;
        def.load_dependent = 0.4;
        def.spring = 10;
        def.damper = 1;
        def.force = 5;
        def.armature = 0.3;
        def.prescribed = 0.2;
        def.stiction = 0.6;
        detent_mechanism *m = support_random_tree(&def, &random);
        dt_load *places = dt_arena_alloc(&m->arena, 8, sizeof *places);
        support_add_struts(m, &random, 2, places);
        support_add_bushings(m, &random, true, 2, places + 4);
        m->loads = places;
        dt_arena arena;
        dt_system s;
        detent_error error;
        detent_linearization l;
        dt_arena_init(&arena, NULL);
        runs_must(dt_system_create(&arena, m, &s, &error), &error);
        support_random_pose(s.tree, &random, s.q);
        for (int j = 0; j < s.tree->nv; j++) {
            s.v[j] = support_uniform(&random, -2, 2);
        }
        for (int k = 0; k < m->stiction_count; k++) {
            const int j = s.tree->nodes[m->stictions[k].primitive].v;
            const bool locked = support_chance(&random, 0.4);
            s.v[j] = locked ? 0 : s.v[j];
            s.mode[k] = (signed char)(locked ? DETENT_LOCKED : DETENT_UNLOCKED);
            s.direction[k] = (signed char)(locked ? 0 : s.v[j] > 0 ? 1 : -1);
        }
        dt_system_set_state(&s, 0.3, s.q, s.v);
        dt_newton *newton = dt_newton_create(&arena, &s, DETENT_LINEAR_SOLVER_TREE);
        runs_must(dt_solve_accelerations(newton, &s, NULL, &error), &error);
        runs_must(dt_linearize(&arena, &s, NULL, 0, &l, &error), &error);
        most = fmax(most, compare(&s, &l));
        dt_arena_free(&arena);
        support_free(m);
    }
    print_message("random trees: difference %.1e\n", most);
    assert_true(most < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_states), cmocka_unit_test(test_what_elements_do),
        cmocka_unit_test(test_differences_of_runs), cmocka_unit_test(test_differences_of_trees)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
