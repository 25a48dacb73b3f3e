/*
 * Chains of rods whose pins are bearings: friction is radius times coefficient times what the pin carries, up to a
 * multiple of a rod's length, so that friction changes the very reactions that it comes from by more than themselves.
 * Of every state found the planar equations of Newton and Euler, written by hand, say whether it is one. In all variants.
 */
#include "support_trees.h"
#include "support_variants.h"

static const double g = 9.81;

enum { MOST = 100, READINGS = 4 };

/* Rods of 1 m and 1 kg; friction `reach` times the reaction, `ratio` times that at rest. */
typedef struct chain {
    int links;
    double reach, ratio, start, each,
        push; /**< positions of the first pin and of the others; force at the end */
} chain;

/** `sides`: the limits of either direction are laws of their own. */
static detent_mechanism *make(const chain *c, bool sides, double end, double rtol)
{
    static const char one[] = "static: \"ratio*reach*reaction_force(pin[i])\"",
                      two[] = "forward: \"-ratio*reach*reaction_force(pin[i])\", reverse: "
                              "\"ratio*reach*reaction_force(pin[i])\"";
    char text[4096];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, -9.81, 0]\n"
             "parameters: {n: %d, reach: %.17g m, ratio: %.17g}\n"
             "chain:\n"
             "  count: n\n"
             "  bodies: {link: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0, 1/12, 1/12]}}\n"
             "  joints: {pin: {type: revolute, base: \"link[i-1]\", follower: \"link[i]\", at: "
             "{base: [1, 0, 0]}, initial: {position: %.17g}}}\n"
             "  stiction: {pin: {kinetic: \"reach*reaction_force(pin[i])\", %s}}\n"
             "  outputs: [\"position(pin[i])\", \"velocity(pin[i])\", \"acceleration(pin[i])\", "
             "\"friction(pin[i])\"]\n"
             "  first: {joints: {pin: {base: ground, at: null, initial: {position: %.17g}}}}\n"
             "loads: {push: {body: \"link[n]\", at: [1, 0, 0], force: [0, %.17g, 0]}}\n"
             "simulation: {end: %.17g, rtol: %.17g}\n",
             c->links, c->reach, c->ratio, c->each, sides ? two : one, c->start, c->push, end,
             rtol);
    return runs_parse(text, NULL);
}

/** What pins carry, R, and torques about them that the motion asks for. */
static void carry(const chain *c, double (*x)[READINGS], double R[MOST], double torque[MOST])
{
    double angle = 0, w = 0, alpha = 0, at[2] = {0, g}, e[MOST][2], own[MOST][2], turn[MOST];
    for (int i = 0; i < c->links; i++) {
        angle += x[i][0], w += x[i][1], alpha += x[i][2];
        e[i][0] = cos(angle), e[i][1] = sin(angle);
        turn[i] = alpha / 12;
        for (int k = 0; k < 2; k++) {
            const double n = k == 0 ? -e[i][1] : e[i][0], along = alpha * n - w * w * e[i][k];
            own[i][k] = at[k] + 0.5 * along;
            at[k] += along;
        }
    }
    double F[2] = {0, -c->push}, moment = 0;
    for (int i = c->links - 1; i >= 0; i--) {
        moment += turn[i] + 0.5 * (e[i][0] * own[i][1] - e[i][1] * own[i][0]) + e[i][0] * F[1] -
                  e[i][1] * F[0];
        F[0] += own[i][0], F[1] += own[i][1];
        R[i] = hypot(F[0], F[1]);
        torque[i] = moment;
    }
}

/** Holds the present state of a run to the equations and to the laws of friction. Returns how many pins move. */
static int judge(const chain *c, const detent_mechanism *m, detent_simulation *sim, variant v)
{
    double x[MOST][READINGS], R[MOST], torque[MOST];
    detent_error error;
    int moving = 0;
    const double rounding = 1e-9 * g * c->links * c->links; /* of the largest torque */
    runs_must(detent_read(sim, DETENT_OUTPUTS, &x[0][0], (size_t)c->links * READINGS, &error),
              &error);
    carry(c, x, R, torque);
    for (int i = 0; i < c->links; i++) {
        char name[32];
        snprintf(name, sizeof name, "pin[%d]", i + 1);
        const double f = x[i][3], kinetic = c->reach * R[i];
        const bool locked = runs_mode(m, sim, name) == DETENT_LOCKED;
        const double way = x[i][1] != 0 ? x[i][1] : x[i][2]; /* the direction of motion */
        bool right = fabs(torque[i] - f) <= rounding;
        if (locked) {
            right =
                right && x[i][1] == 0 && x[i][2] == 0 && fabs(f) <= c->ratio * kinetic + rounding;
        } else {
            moving++;
            right = right && fabs(fabs(f) - kinetic) <= rounding &&
                    (fabs(f) <= rounding || f * way < 0 || fabs(way) < rounding);
        }
        if (!right) {
            fail_msg("%s, %d links, reach %g, ratio %g: %s: torque %g, friction %g, kinetic %g, "
                     "velocity %g, acceleration %g",
                     variant_name(v), c->links, c->reach, c->ratio, name, torque[i], f, kinetic,
                     x[i][1], x[i][2]);
        }
    }
    return moving;
}

/** Half of the cases, with welded and constrained joints, with trees and dense matrices. */
static bool has_sides(size_t k)
{
    return (k + 1) % 4 >= 2;
}

/** The first search, of chains whose loads no sweep settles. */
static void chains_let_go(void **state)
{
    static const chain chains[] = {{25, 1.2, 2, 0, 0, 0},     {25, 2.4, 1, 0, 0, 0},
                                   {20, 2.4, 1.3, 0, 0, 0},   {30, 2.4, 2, 0, 0, 0},
                                   {40, 2.4, 1.3, 0, 0, 0},   {30, 1.2, 1.3, 0.1, -0.01, 0},
                                   {30, 2.4, 2, 0.2, 0.02, 7}};
    (void)state;
    for (size_t k = 0; k < sizeof chains / sizeof *chains * VARIANTS; k++) {
        const chain *c = &chains[k / VARIANTS];
        const variant v = variant_at(k % VARIANTS);
        detent_mechanism *m = make(c, has_sides(k), 1, 1e-7);
        detent_simulation *sim = variant_start(m, v);
        assert_true(judge(c, m, sim, v) > 0);
        runs_end(sim, m);
    }
}

/** Events, in which some pins move and others do not, with friction that has no solution where those are locked. */
static void chains_fall(void **state)
{
    static const chain chains[] = {
        {20, 1.2, 1, 0, 0, 0}, {20, 1.2, 2, 0, 0, 0}, {25, 2.4, 1, 0, 0, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof chains / sizeof *chains * VARIANTS; k++) {
        const chain *c = &chains[k / VARIANTS];
        const variant v = variant_at(k % VARIANTS);
        detent_mechanism *m = make(c, has_sides(k), 0.004, 1e-7);
        detent_simulation *sim = variant_start(m, v);
        for (int part = 1; part <= 4; part++) {
            variant_advance(sim, v, 0.001 * part);
            judge(c, m, sim, v);
        }
        runs_end(sim, m);
    }
}

/**
 * A long chain that falls freely far out: frictions there come from differences of forces that are far larger, down to their
 * rounding. Its first events follow each other at once; there is a state at each.
 */
static void long_chain_sets_out(void **state)
{
    static const double end = 1e-4;
    static const chain c = {100, 0.3, 1, 0, 0, 0};
    static const double rtol[] = {1e-4, 1e-5};
    (void)state;
    for (size_t k = 0; k < sizeof rtol / sizeof *rtol * VARIANTS; k++) {
        const variant v = variant_at(k % VARIANTS);
        if (v.linear_solver != DETENT_LINEAR_SOLVER_TREE ||
            v.locked_joints != DETENT_LOCKED_JOINTS_WELD) {
            continue; /* they would take minutes */
        }
        detent_mechanism *m = make(&c, false, end, rtol[k / VARIANTS]);
        detent_simulation *sim = variant_start(m, v);
        assert_true(judge(&c, m, sim, v) > 0);
        variant_advance(sim, v, end);
        assert_true(judge(&c, m, sim, v) > 0);
        runs_end(sim, m);
    }
}

/** Random short chains: there is a state, and it is found. */
static void random_chains_at_rest(void **state)
{
    support_random random = {11};
    (void)state;
    for (size_t k = 0; k < 240; k++) {
        const chain c = {.links = 2 + (int)(k % 24),
                         .reach = support_uniform(&random, 0.1, 2.4),
                         .ratio = support_uniform(&random, 1, 2),
                         .start = support_uniform(&random, -1, 1),
                         .each = support_uniform(&random, -0.1, 0.1),
                         .push = support_uniform(&random, -30, 30)};
        const variant v = variant_at(k % VARIANTS);
        detent_mechanism *m = make(&c, has_sides(k / VARIANTS), 1, 1e-7);
        detent_simulation *sim = variant_start(m, v);
        judge(&c, m, sim, v);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_let_go),
        cmocka_unit_test(chains_fall),
        cmocka_unit_test(long_chain_sets_out),
        cmocka_unit_test(random_chains_at_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
