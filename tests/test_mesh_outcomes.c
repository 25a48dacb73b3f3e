/*
 * Friction of a mesh inside a loop against brute force: random geared five-bars, planar ones of joints in space, with any two of their joints
 * coupled, mesh friction from weak to far beyond what has one solution, moving or at rest. Without friction of the mesh both what
 * the coupling does and the acceleration of its first joint are linear in a torque f on that joint:
 *
 *   L = L0 + n f,   a = a0 + k f,      moving f = -s mean |L| - off L,   held between both of these
 *
 * so all states of a mechanism follow from two runs without friction, by one case a sign of L and one a mode.
 */
#include "support_trees.h"
#include "support_variants.h"

#include <complex.h>

typedef struct five_bar {
    char text[2600];
    int first, other; /* the joint that the mesh rubs at */
    double ratio, velocity, driving, driven;
} five_bar;

enum { JOINTS = 5, CASES = 300 };
static const char *const joints[JOINTS] = {"j1", "j2", "j3", "j4", "j5"};

/** A five-bar in a random pose, without its coupling. */
static void make(five_bar *of, support_random *random)
{
    const double x = support_uniform(random, 0.4, 0.8);
    const double complex A = 0, E = x, B = 0.3 * cexp(I * support_uniform(random, 1.2, 2.6)),
                         D = E + 0.35 * cexp(I * support_uniform(random, 0.5, 1.9)),
                         C = 0.5 * (B + D) + support_spread(random, 0.1, 0.3) +
                             I * support_uniform(random, 0.25, 0.6);
    const double turn[JOINTS] = {carg(B - A), carg((C - B) / (B - A)), 0, carg((C - D) / (D - E)),
                                 carg(D - E)};
    const double masses[] = {1, 0.1, 3, 10};
    const double closing = carg((C - D) / (C - B)); /* of the last body against the second one */
    runs_text text = {0};
    of->first = support_below(random, JOINTS);
    do {
        of->other = support_below(random, JOINTS);
    } while (of->other == of->first);
    of->ratio = support_spread(random, 0.3, 3);
    of->velocity = support_chance(random, 0.6) ? support_spread(random, 0.1, 1) : 0;
    of->driving = exp(support_uniform(random, -4, 1.5));
    of->driven = support_chance(random, 0.5) ? of->driving / (1 + of->driving)
                                             : exp(support_uniform(random, -4, 1));
    runs_say(&text, "detent: 1\ngravity: [0, -9.81, 0]\nparameters: {f: 0, w: 0}\nbodies:\n");
    const double lengths[] = {cabs(B - A), cabs(C - B), cabs(C - D), cabs(D - E)};
    for (int k = 0; k < 4; k++) {
        const double m = masses[support_below(random, 4)], l = lengths[k];
        runs_say(&text,
                 "  %c: {mass: %g, center_of_mass: [%.17g, 0, 0], inertia: [%.17g, %.17g, "
                 "%.17g]}\n",
                 "abcd"[k], m, 0.5 * l, 1e-3 * m, m * l * l / 12, m * l * l / 12);
    }
    runs_say(&text, "joints:\n");
    const struct {
        const char *base, *follower;
        double from, to; /* along them */
        double turn;
        double at; /* of the ground */
    } rows[JOINTS] = {{"ground", "a", 0, 0, turn[0], 0},
                      {"a", "b", lengths[0], 0, turn[1], 0},
                      {"b", "c", lengths[1], lengths[2], closing, 0},
                      {"d", "c", lengths[3], 0, turn[3], 0},
                      {"ground", "d", x, 0, turn[4], 0}};
    static const int order[] = {0, 1, 4, 3, 2};
    for (int n = 0; n < JOINTS; n++) {
        const int k = order[n];
        runs_say(&text,
                 "  %s: {type: revolute, base: %s, follower: %s, at: {base: [%.17g, 0, 0], "
                 "follower: [%.17g, 0, 0]}, initial: {position: %.17g",
                 joints[k], rows[k].base, rows[k].follower, rows[k].from, rows[k].to, rows[k].turn);
        if (k == of->first) {
            runs_say(&text, ", velocity: w, priority: exact}, force: \"1 [N*m]*f\"}\n");
        } else {
            runs_say(&text, "}}\n");
        }
    }
    snprintf(of->text, sizeof of->text, "%s", text.text);
    free(text.text);
}

/** What the first joint does at the start: its acceleration, its friction, what the coupling does; with the mesh's friction or with a torque f. */
static detent_simulation *start(const five_bar *of, bool rubs, double f, variant v, double x[3],
                                detent_mechanism **m)
{
    const double at_work = 1 / (1 + of->driving), back = 1 - of->driven;
    char text[4000], friction[200] = "", set[2][64];
    if (rubs) {
        snprintf(friction, sizeof friction,
                 ", friction: {efficiency: %.17g, reverse_efficiency: %.17g}", at_work, back);
    }
    snprintf(text, sizeof text,
             "%scouplings: {mesh: {type: gear, joints: [%s, %s], ratio: %.17g%s}}\n"
             "outputs: [acceleration(%s), coupling_force(mesh), velocity(%s)]\n"
             "simulation: {end: 1, rtol: 1e-9, atol: 1e-11}\n",
             of->text, joints[of->first], joints[of->other], of->ratio, friction, joints[of->first],
             joints[of->first]);
    snprintf(set[0], sizeof set[0], "f=%.17g", f);
    snprintf(set[1], sizeof set[1], "w=%.17g", of->velocity);
    const char *const sets[] = {set[0], set[1], NULL};
    *m = runs_parse(text, sets);
    detent_simulation *sim = variant_start(*m, v);
    variant_outputs(sim, v, 0, x, 3);
    return sim;
}

/** The same without friction of the mesh. */
static void probe(const five_bar *of, double f, variant v, double x[3])
{
    detent_mechanism *m;
    detent_simulation *sim = start(of, false, f, v, x, &m);
    runs_end(sim, m);
}

/** What there is without friction of the mesh. */
typedef struct linear {
    double L0, n, a0, k;
} linear;

static linear measure(const five_bar *of, variant v)
{
    double x[3], y[3];
    probe(of, 0, v, x);
    probe(of, 1, v, y);
    return (linear){.L0 = x[1], .n = y[1] - x[1], .a0 = x[0], .k = y[0] - x[0]};
}

/** What has to come out. */
typedef struct outcome {
    double a, L;
    bool locked;
    int states; /* of motion, the unstable ones among them */
} outcome;

/** The stable state of motion in the direction s; false: there is none. */
static bool move(const five_bar *of, const linear *l, int s, outcome *out)
{
    const double mean = 0.5 * (of->driving + of->driven), off = 0.5 * (of->driven - of->driving),
                 A = 1 + l->n * off, B = l->n * mean;
    bool found = false;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double slope = A + s * sign * B, L = l->L0 / slope;
        out->states += L * sign > 0;
        if (slope > 0 && L * sign > 0) {
            out->L = L;
            out->a = l->a0 - l->k * (s * mean * fabs(L) + off * L);
            found = true;
        }
    }
    return found;
}

/** At rest: locked where the limits hold it, else in the direction in which they do not. */
static void rest(const five_bar *of, const linear *l, outcome *out)
{
    const double mean = 0.5 * (of->driving + of->driven), off = 0.5 * (of->driven - of->driving),
                 f = -l->a0 / l->k, L = l->L0 + l->n * f, up = mean * fabs(L) - off * L,
                 down = -mean * fabs(L) - off * L;
    out->locked = f <= up && f >= down;
    out->a = 0;
    out->L = L;
    if (!out->locked) {
        const int s = f > up ? -1 : 1;
        assert_true(move(of, l, s, out) && s * out->a > 0);
    }
}

/** How often what has come out. */
typedef struct tally {
    int moves, chosen, starts, holds, jams;
} tally;

static void check(five_bar *of, variant v, tally *count)
{
    double x[3];
    detent_mechanism *m;
    outcome should = {0};
    detent_simulation *sim = start(of, true, 0, v, x, &m);
    const bool moving = of->velocity != 0;
    linear l = measure(of, v);
    const bool goes_on = moving && move(of, &l, of->velocity > 0 ? 1 : -1, &should);
    if (!goes_on) { /* it is at rest, or comes to rest at once */
        count->jams += moving;
        of->velocity = 0;
        l = measure(of, v);
        rest(of, &l, &should);
    }
    count->moves += goes_on && should.states == 1;
    count->chosen += goes_on && should.states == 2;
    count->holds += !goes_on && should.locked;
    count->starts += !goes_on && !should.locked;
    const double size = fabs(l.a0) + fabs(should.a), load = fabs(l.L0) + fabs(should.L);
    variant_check(v, "acceleration", x[0], should.a, 1e-8 * size);
    variant_check(v, "what the coupling does", x[1], should.L, 1e-8 * load);
    variant_check(v, "velocity", x[2], of->velocity, 1e-14 * fabs(of->velocity));
    assert_true(!should.locked || x[0] == 0);
    runs_end(sim, m);
}

static void mesh_friction_is_that_of_brute_force(void **state)
{
    support_random random = {20261127};
    tally count = {0};
    (void)state;
    for (int n = 0; n < CASES; n++) {
        five_bar of;
        make(&of, &random);
        check(&of, variant_at((size_t)n % VARIANTS), &count);
    }
    print_message("one motion %d, one of two %d, starts %d, holds %d, jams %d\n", count.moves,
                  count.chosen, count.starts, count.holds, count.jams);
    assert_true(count.moves > 0 && count.chosen > 0 && count.starts > 0 && count.holds > 0 &&
                count.jams > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_friction_is_that_of_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
