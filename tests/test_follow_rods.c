/*
 * Friction that follows what rods, slots and cams carry beside: of joints whose reactions belong to such a loop, and of a mesh between
 * two. A rod and a slot along an arc are a link without mass; a cam with a straight law is a gear. So all of them have to move,
 * hold and give way as what there is otherwise, which has other conditions and other joints.
 */
#include "support_variants.h"

enum coupler { LINK, ROD, SLOT, COUPLERS };
enum { OUTPUTS = 6 };

typedef struct pair {
    enum coupler coupler;
    bool cam;             /* in place of the gear */
    const char *friction; /* of the mesh; NULL: none */
    double velocity, torque;
} pair;

/** A four-bar, its coupler without mass. */
static void say_four_bar(const pair *of, int n, runs_text *bodies, runs_text *joints,
                         runs_text *couplings)
{
    const int x = 5 * n;
    runs_say(bodies,
             "  a%d: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
             "  b%d: {mass: 2, center_of_mass: [0.3, 0, 0], inertia: [0.05, 0.05, 0.05]}\n",
             n, n);
    runs_say(
        joints,
        "  a%d: {type: revolute, base: ground, follower: a%d, at: {base: [%d, 0, 0]}, initial: "
        "{position: 1, velocity: %.17g, priority: exact}%s}\n"
        "  b%d: {type: revolute, base: ground, follower: b%d, at: {base: [%.17g, 0, 0]}, "
        "initial: {position: 1.3}}\n",
        n, n, x, n == 1 ? of->velocity : of->velocity / 3, n == 1 ? ", force: \"T*t\"" : "", n, n,
        x + 0.9);
    if (of->coupler == LINK) {
        runs_say(bodies, "  c%d: {mass: 0}\n", n);
        runs_say(joints,
                 "  p%d: {type: revolute, base: a%d, follower: c%d, at: {base: [0.3, 0, 0]}, "
                 "initial: {position: -0.5}}\n"
                 "  s%d: {type: revolute, base: b%d, follower: c%d, at: {base: [0.6, 0, 0], "
                 "follower: [0.8, 0, 0]}, initial: {position: -0.8}}\n",
                 n, n, n, n, n, n);
    } else if (of->coupler == ROD) {
        runs_say(
            couplings,
            "  rod%d: {type: distance, between: [{body: a%d, at: [0.3, 0, 0]}, {body: b%d, at: "
            "[0.6, 0, 0]}], length: 0.8}\n",
            n, n, n);
    } else {
        runs_say(couplings,
                 "  arc%d: {type: slot, between: [{body: b%d, at: [0.6, 0, 0]}, {body: a%d, at: "
                 "[0.3, 0, 0]}], x: 0.8*cos(u), y: 0.8*sin(u), from: -3, to: 3}\n",
                 n, n, n);
    }
}

/** Both cranks are coupled; both rockers have friction by what their pins carry. */
static detent_mechanism *make(const pair *of)
{
    runs_text bodies = {0}, joints = {0}, couplings = {0}, text = {0};
    for (int n = 1; n <= 2; n++) {
        say_four_bar(of, n, &bodies, &joints, &couplings);
    }
    if (of->cam) {
        runs_say(&couplings,
                 "  mesh: {type: cam, cam: a2, follower: a1, law: 3*position(a2) - 2}\n");
    } else {
        runs_say(&couplings, "  mesh: {type: gear, joints: [a1, a2], ratio: 3%s%s%s}\n",
                 of->friction ? ", friction: {" : "", of->friction ? of->friction : "",
                 of->friction ? "}" : "");
    }
    runs_say(
        &text,
        "detent: 1\ngravity: [0, -9.81, 0]\nparameters: {T: %.17g N*m/s}\nbodies:\n%sjoints:\n%s"
        "stiction:\n"
        "  b1: {kinetic: \"0.02 [m]*reaction_force(b1)\", static: \"0.03 "
        "[m]*reaction_force(b1)\"}\n"
        "  b2: {kinetic: \"0.02 [m]*reaction_force(b2)\", static: \"0.03 "
        "[m]*reaction_force(b2)\"}\n"
        "couplings:\n%s"
        "outputs: [position(a1), velocity(a1), acceleration(a1), friction(b1), friction(b2), "
        "reaction_force(b2)]\n"
        "simulation: {end: 1, rtol: 1e-9, atol: 1e-11}\n",
        of->torque, bodies.text, joints.text, couplings.text);
    detent_mechanism *m = runs_parse(text.text, NULL);
    free(bodies.text);
    free(joints.text);
    free(couplings.text);
    free(text.text);
    return m;
}

/** Where it is at `end`, and when the first joint has moved; NAN: at the start. */
static double run(const pair *of, variant v, double end, double x[OUTPUTS])
{
    detent_mechanism *m = make(of);
    detent_simulation *sim = variant_start(m, v);
    runs_log log = {0};
    double first = (double)NAN;
    runs_record(sim, end, &log);
    for (size_t n = 0; n < log.count; n++) {
        const detent_mode_change *change = &log.change[n];
        const bool moves = change->time > 0 && change->to != DETENT_LOCKED && runs_is_turn(change);
        first = moves ? fmin(first, change->time) : first; /* fmin passes NAN over */
    }
    runs_log_free(&log);
    variant_outputs(sim, v, end, x, OUTPUTS);
    variant_check(v, "energy", runs_energy_gap(sim), 0, 1e-7);
    runs_end(sim, m);
    return first;
}

/** As many variants as there are of one against the same with links and gears. */
static void compare(pair of, double end, bool breaks)
{
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        pair plain = of;
        double x[OUTPUTS], y[OUTPUTS];
        plain.coupler = LINK;
        plain.cam = false;
        const double one = run(&of, v, end, x), other = run(&plain, v, end, y);
        assert_true(!breaks || one > 0.01);
        assert_true(!isnan(one) == !isnan(other));
        if (!isnan(one)) {
            variant_check(v, "gives way, or turns", one, other, 1e-7);
        }
        for (int n = 0; n < OUTPUTS; n++) {
            variant_check(v, "as with links", x[n], y[n], 1e-6 * (1 + fabs(y[n])));
        }
    }
}

static const char gear[] = "efficiency: 0.8, reverse_efficiency: 0.5";

static void moving_beside_rods_and_slots(void **state)
{
    (void)state;
    for (enum coupler coupler = ROD; coupler < COUPLERS; coupler++) {
        compare((pair){.coupler = coupler, .velocity = 1, .torque = 10}, 0.2, false);
        compare((pair){.coupler = coupler, .friction = gear, .velocity = 1, .torque = 10}, 0.2,
                false);
    }
}

static void giving_way_beside_rods_and_slots(void **state)
{
    (void)state;
    for (enum coupler coupler = ROD; coupler < COUPLERS; coupler++) {
        compare((pair){.coupler = coupler, .torque = 40}, 0.3, true);
        compare((pair){.coupler = coupler, .friction = gear, .torque = 40}, 0.3, true);
    }
}

static void beside_cams(void **state)
{
    (void)state;
    compare((pair){.coupler = LINK, .cam = true, .velocity = 1, .torque = 10}, 0.2, false);
    compare((pair){.coupler = LINK, .cam = true, .torque = 40}, 0.3, true);
    compare((pair){.coupler = ROD, .cam = true, .velocity = 1, .torque = 10}, 0.2, false);
}

/**
 * A rod that says what a pin says already, so that redundant conditions carry what elastic ones would: the same in all variants, wherever the
 * loop is cut.
 */
static void a_rod_that_is_not_needed(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n"
        "  a: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "  c: {mass: 1, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "  b: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: a, initial: {position: 1, velocity: 1, "
        "priority: exact}}\n"
        "  p: {type: revolute, base: a, follower: c, at: {base: [0.3, 0, 0]}, initial: {position: "
        "-0.7}%s}\n"
        "  b: {type: revolute, base: ground, follower: b, at: {base: [0.9, 0, 0]}, initial: "
        "{position: 1.5}}\n"
        "  s: {type: revolute, base: b, follower: c, at: {base: [0.6, 0, 0], follower: [0.8, 0, "
        "0]}}\n"
        "couplings: {rod: {type: distance, between: [{body: ground, at: [0, 0, 0.1]}, {body: c}], "
        "length: sqrt(0.1)}}\n"
        "stiction: {a: {kinetic: \"0.01 [m]*reaction_force(a)\", static: \"0.01 "
        "[m]*reaction_force(a)\"}}\n"
        "outputs: [position(a), velocity(a), acceleration(a), friction(a), tension(rod)]\n"
        "simulation: {end: 1, rtol: 1e-9, atol: 1e-11}\n";
    double should[5] = {0};
    (void)state;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        for (int cut = 0; cut < 2; cut++) {
            const variant v = variant_at(k);
            char page[2048];
            double x[5];
            snprintf(page, sizeof page, text, cut ? ", closes: true" : "");
            detent_mechanism *m = runs_parse(page, NULL);
            detent_simulation *sim = variant_start(m, v);
            variant_outputs(sim, v, 0.1, x, 5);
            if (should[2] == 0) {
                memcpy(should, x, sizeof should);
            }
            for (int n = 0; n < 5; n++) {
                variant_check(v, "wherever it is cut", x[n], should[n],
                              1e-7 * (1 + fabs(should[n])));
            }
            assert_true(fabs(x[4]) > 1e-3);
            runs_end(sim, m);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_beside_rods_and_slots),
        cmocka_unit_test(giving_way_beside_rods_and_slots),
        cmocka_unit_test(beside_cams),
        cmocka_unit_test(a_rod_that_is_not_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
