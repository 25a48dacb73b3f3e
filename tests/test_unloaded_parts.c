/*
 * Accelerations beside parts of the mechanism that carry nothing: what elimination leaves there is as large as its terms, which are rounding
 * themselves, and tells nothing of how exact the rest is.
 */
#include "support_runs.h"
#include "support_trees.h"

#include "dynamics/closure.h"
#include "dynamics/newton.h"
#include "dynamics/scale.h"

#include <math.h>

/** Two arms whose friction follows their reactions, a body that is pushed hard, and a slider-crank at rest that nothing acts on. */
static const char mechanism[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
    "  b: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
    "  s: {mass: 1e-3}\n"
    "  c: {mass: 0.216, center_of_mass: [0.0895, 0, 0], inertia: [3e-4, 6e-4, 6e-4]}\n"
    "  d: {mass: 1.21, center_of_mass: [0.201, 0, 0], inertia: [0.01, 0.016, 0.016]}\n"
    "  e: {mass: 0.39, inertia: [2e-4, 3e-4, 3e-4]}\n"
    "joints:\n"
    "  A: {type: revolute, base: ground, follower: a}\n"
    "  B: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}}\n"
    "  S: {type: prismatic, base: ground, follower: s, axis: [1, 0, 0], force: "
    "\"1e4*velocity(S)\"}\n"
    "  C: {type: revolute, base: ground, follower: c}\n"
    "  D: {type: revolute, base: c, follower: d, at: {base: [0.179, 0, 0]}}\n"
    "  E: {type: revolute, base: d, follower: e, at: {base: [0.402, 0, 0]}}\n"
    "  F: {type: prismatic, base: ground, follower: e, axis: [1, 0, 0], at: {base: [0.581, 0, "
    "0]}}\n"
    "stiction:\n"
    "  A: {kinetic: \"0.2*reaction_force(A)\", static: \"0.3*reaction_force(A)\", external: 4}\n"
    "  B: {kinetic: \"0.2*reaction_force(B)\", static: \"0.3*reaction_force(B)\", external: 2}\n"
    "  D: {kinetic: 0.173, static: 0.2, external: \"1e-32*cos(position(C) + 1)\"}\n"
    "  E: {kinetic: 0.837, static: 0.9}\n"
    "  F: {kinetic: 0.339, static: 0.4}\n"
    "simulation: {end: 1}\n";

/** The arms turn somehow, and all else rests but the body that is pushed. */
static void set_somewhere(dt_system *s, support_random *random)
{
    const detent_mechanism *m = s->mechanism;
    memcpy(s->q, m->position, (size_t)s->tree->nq * sizeof *s->q);
    memset(s->v, 0, (size_t)s->tree->nv * sizeof *s->v);
    memset(s->a, 0, (size_t)s->tree->nv * sizeof *s->a);
    s->v[s->tree->nodes[2].v] = 1;
    for (int k = 0; k < m->stiction_count; k++) {
        const dt_node *node = &s->tree->nodes[m->stictions[k].primitive];
        const bool moves = k < 2;
        s->q[node->q] = moves ? support_uniform(random, -3, 3) : s->q[node->q];
        s->v[node->v] = moves ? support_uniform(random, -5, 5) : 0;
        s->mode[k] = moves ? DETENT_UNLOCKED : DETENT_LOCKED;
        s->direction[k] = (signed char)((s->v[node->v] > 0) - (s->v[node->v] < 0));
        s->f[k] = 0;
    }
    dt_system_set_state(s, 0, s->q, s->v);
}

/** What is left of the equations of motion of both arms, in roundings of the larger of their forces. */
static double most_left(dt_newton *newton, const dt_system *s)
{
    double largest = 0, left = 0;
    for (int k = 0; k < 2; k++) {
        const int node = s->mechanism->stictions[k].primitive, v = s->tree->nodes[node].v;
        left = fmax(left, fabs(s->tau[v] - s->Q[v] - s->f[k]));
        largest = fmax(largest, dt_newton_noise(newton, s, node));
    }
    return left / largest;
}

static void equations_close_beside_what_carries_nothing(void **state)
{
    UNUSED(state);
    support_random random = {5};
    detent_mechanism *m = runs_parse(mechanism, NULL);
    detent_error error;
    dt_arena arena;
    dt_system s;
    dt_scale scale;
    double most = 0;
    dt_arena_init(&arena, NULL);
    runs_must(dt_system_create(&arena, m, &s, &error), &error);
    runs_must(dt_closure_assemble(&s, &error), &error);
    dt_system_set_state(&s, 0, s.q, s.v);
    assert_true(dt_scale_create(&arena, &s, &scale) && dt_scale_derive(&s, 1, &scale));
    s.scale = &scale;
    dt_newton *newton = dt_newton_create(&arena, &s, DETENT_LINEAR_SOLVER_DENSE);
    assert_non_null(newton);
    for (int n = 0; n < 1000; n++) {
        set_somewhere(&s, &random);
        runs_must(dt_solve_accelerations(newton, &s, NULL, &error), &error);
        most = fmax(most, most_left(newton, &s));
    }
    if (runs_verbose() || most > 1) {
        print_message("    %g roundings are left\n", most);
    }
    assert_true(most <= 1);
    dt_arena_free(&arena);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equations_close_beside_what_carries_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
