/*
 * Bushings (`bushings` in files): exact solutions, springs of joints that do the same, beams, energy as the integral of the
 * wrenches at any turn, a loop, and stuck joints that a bushing pulls loose; runs in all variants.
 */
#include "dynamics/element.h"
#include "support_bushings.h"
#include "support_changes.h"
#include "support_runs.h"
#include "support_variants.h"

/* What the outputs are at the end of a run in variant v, which has to finish. */
static void run(const char *text, size_t v, double end, double *values, size_t count)
{
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *sim = variant_start(m, variant_at(v));
    variant_outputs(sim, variant_at(v), end, values, count);
    runs_end(sim, m);
}

/* ---- exact solutions ---- */

/**
 * A body that floats, with its centre of mass at B: it swings along each axis of A with sqrt(k / m) and a damper of its own, and A is turned
 * against the world.
 */
static void along_each_axis(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints: {f: {type: free, base: ground, follower: a, at: {base: {point: [1, 2, 3], "
        "rotation: {rpy: [20 deg, -35 deg, 50 deg]}}},\n"
        "  primitives: {p1: {initial: {position: 0.3}}, p2: {initial: {position: -0.2}}, p3: "
        "{initial: {velocity: 0.5}}}}}\n"
        "bushings:\n"
        "  b: {between: [{body: ground, at: {point: [1, 2, 3], rotation: {rpy: [20 deg, -35 deg, "
        "50 deg]}}}, {body: a}],\n"
        "      stiffness: [18, 50, 8], damping: [0, 2, 1]}\n"
        "outputs: [position(f.p1), position(f.p2), position(f.p3), \"rotation(a, xx, ground)\"]\n"
        "simulation: {end: 3, rtol: 1e-10, atol: 1e-12}\n";
    const double decay[2] = {2.0 / 4, 1.0 / 4}, w1 = sqrt(25 - 0.25), w2 = sqrt(4 - 0.0625);
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x[4];
        run(text, v, 3, x, 4);
        variant_near(variant_at(v), x[0], 0.3 * cos(9), 2e-9);
        variant_near(variant_at(v), x[1],
                     -0.2 * exp(-decay[0] * 3) * (cos(w1 * 3) + decay[0] / w1 * sin(w1 * 3)), 2e-9);
        variant_near(variant_at(v), x[2], 0.5 / w2 * exp(-decay[1] * 3) * sin(w2 * 3), 2e-9);
    }
}

/** About one axis the torque is g times the angle up to half a turn, so large swings have the period of small ones. */
static void about_an_axis(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2, inertia: [0.5, 0.5, 0.5], center_of_mass: [0, 0, 0.3]}}\n"
        "joints: {r: {type: revolute, base: ground, follower: a, initial: {position: 3}}}\n"
        "bushings: {b: {between: [{body: ground}, {body: a}], rotational_stiffness: [5, 6, 8], "
        "rotational_damping: [0, 0, 0.4]}}\n"
        "outputs: [position(r), \"bushing_torque(b, z)\", \"bushing_torque(b, x)\"]\n"
        "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";
    const double d = 0.4, w = sqrt(16 - d * d), c = cos(2 * w), s = sin(2 * w);
    const double angle = 3 * exp(-2 * d) * (c + d / w * s),
                 rate = -3 * exp(-2 * d) * (w + d * d / w) * s;
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x[3];
        run(text, v, 2, x, 3);
        variant_near(variant_at(v), x[0], angle, 2e-9);
        variant_near(variant_at(v), x[1], -8 * angle - 0.4 * rate, 2e-8);
        variant_near(variant_at(v), x[2], 0, 1e-13);
    }
}

/** Beyond half a turn it is pulled on to the other side, with the energy that it has. */
static void beyond_half_a_turn(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {a: {mass: 2, inertia: [0.5, 0.5, 0.5]}}\n"
        "joints: {r: {type: revolute, base: ground, follower: a, initial: {velocity: 14}}}\n"
        "bushings: {b: {between: [{body: ground}, {body: a}], rotational_stiffness: [5, 6, 8]}}\n"
        "outputs: [position(r), kinetic_energy() + potential_energy()]\n"
        "simulation: {end: 2, rtol: 1e-9}\n";
    const double w = 4, most = 14 / w, pi = acos(-1), half = asin(pi / most) / w;
    const double turns = floor((2 + half) / (2 * half));
    const double angle = 2 * pi * turns + most * sin(w * (2 - 2 * half * turns));
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x[2];
        run(text, v, 2, x, 2);
        variant_near(variant_at(v), x[0], angle, 1e-6);
        variant_near(variant_at(v), x[1], 0.25 * 14 * 14, 1e-6);
    }
}

/** Between two bodies of a tree, about and along the axis of a joint, it does what the spring of the joint does. */
static const char by_joint[] =
    "detent: 1\ngravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  arm: {mass: 1, center_of_mass: [0, -1, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  fore: {mass: 1, center_of_mass: [0.1, -0.5, 0.2], inertia: [0.2, 0.1, 0.15]}\n"
    "  slide: {mass: 0.5}\n"
    "joints:\n"
    "  pin: {type: revolute, base: ground, follower: arm, initial: {position: 1}}\n"
    "  elbow: {type: revolute, base: arm, follower: fore, axis: [1, 2, 2], at: {base: [0, -1, 0]}, "
    "initial: {position: 0.5},%s}\n"
    "  rail: {type: prismatic, base: fore, follower: slide, axis: [0, -1, 0], initial: {position: "
    "0.7},%s}\n"
    "%s"
    "outputs: [position(pin), position(elbow), position(rail), \"reaction_force(pin, x)\", "
    "\"reaction_torque(pin, y)\", potential_energy()]\n"
    "simulation: {end: 2, rtol: 1e-10, atol: 1e-12}\n";

static void like_the_springs_of_joints(void **state)
{
    UNUSED(state);
    enum { OUTPUTS = 6 };
    char text[2][2048];
    snprintf(text[0], sizeof text[0], by_joint, " spring: {stiffness: 12, rest: 0.2}, damping: 0.3",
             " spring: {stiffness: 40, rest: 0.3}, damping: 0.5", "");
    /* turned about the axis of the elbow by its rest, z along that axis */
    snprintf(text[1], sizeof text[1], by_joint, "", "",
             "bushings:\n"
             "  turn: {between: [{body: arm, at: {point: [0, -1, 0], rotation: {axis: [1, 2, 2], "
             "angle: 0.2}}}, {body: fore}],\n"
             "         rotational_stiffness: [12, 12, 12], rotational_damping: [0.3, 0.3, 0.3]}\n"
             "  way: {between: [{body: slide}, {body: fore, at: [0, -0.3, 0]}], stiffness: [7, 40, "
             "9], damping: [3, 0.5, 2]}\n");
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x[2][OUTPUTS];
        run(text[0], v, 2, x[0], OUTPUTS);
        run(text[1], v, 2, x[1], OUTPUTS);
        for (int k = 0; k < OUTPUTS; k++) {
            variant_near(variant_at(v), x[1][k], x[0][k], k < 3 ? 1e-8 : 1e-6);
        }
    }
}

/* ---- at rest ---- */

/* Where a primitive is at the position of rest, which is stable. */
static double place_at_rest(const detent_mechanism *m, const detent_analysis *analysis,
                            const char *primitive)
{
    enum { MOST = 64 };
    double q[MOST];
    detent_error error = {.message = ""};
    detent_primitive_info info = DETENT_INIT(detent_primitive_info);
    runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
    runs_must(detent_get_primitive(m, (size_t)detent_find(m, DETENT_PRIMITIVE, primitive), &info),
              &error);
    return q[info.first_coordinate];
}

static detent_analysis *rest_of(const detent_mechanism *m)
{
    detent_analysis *analysis = runs_analyse(m);
    detent_rest rest = DETENT_INIT(detent_rest);
    detent_error error = {.message = ""};
    runs_must(detent_equilibrium(analysis, NULL, &rest, &error), &error);
    assert_int_equal(rest.stability, DETENT_STABLE);
    return analysis;
}

/**
 * A beam of n parts, each with EI n / L against the one before it, bent by a moment M at its end to a part of a circle: every
 * part turns by M L / (EI n), the end by M L / EI, which is more than a right angle here.
 */
static void a_beam_bent_to_a_circle(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "parameters: {n: 10, L: 2 m, EI: 30 N*m^2, M: 25 N*m}\n"
        "chain:\n"
        "  count: n\n"
        "  bodies: {part: {mass: 1/n, center_of_mass: [0.5*L/n, 0, 0], inertia: [0.01, 0.01, "
        "0.01]}}\n"
        "  joints: {six: {type: bushing, base: \"part[i-1]\", follower: \"part[i]\", at: {base: "
        "[L/n, 0, 0]}}}\n"
        "  bushings: {six: {between: [{body: \"part[i-1]\", at: [L/n, 0, 0]}, {body: "
        "\"part[i]\"}],\n"
        "    stiffness: [1e4, 1e4, 1e4], rotational_stiffness: [EI*n/L, EI*n/L, EI*n/L]}}\n"
        "  first:\n"
        "    joints: {six: {base: ground, at: {base: [0, 0, 0]}}}\n"
        "    bushings: {six: {between: [{body: ground}, {body: \"part[i]\"}]}}\n"
        "loads: {bend: {body: \"part[n]\", torque: [0, 0, M]}}\n"
        "simulation: {end: 1}\n";
    detent_mechanism *m = runs_parse(text, NULL);
    detent_analysis *analysis = rest_of(m);
    for (int k = 1; k <= 10; k++) {
        static const char *const still[] = {"p1", "p2", "p3", "r1", "r2"};
        char name[32];
        snprintf(name, sizeof name, "six[%d].r3", k);
        runs_near(name, place_at_rest(m, analysis, name), 25.0 * 2 / 30 / 10, 1e-10);
        for (size_t n = 0; n < sizeof still / sizeof *still; n++) {
            snprintf(name, sizeof name, "six[%d].%s", k, still[n]);
            runs_near(name, place_at_rest(m, analysis, name), 0, 1e-10);
        }
    }
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/** An arm that a force at its end bends out: g turn = F L cos turn. There it is at rest, and stays, and that is what its foot does. */
static void a_force_at_the_end_of_an_arm(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {arm: {mass: 1, inertia: [0.1, 0.1, 0.1]}}\n"
        "joints:\n"
        "  f:\n"
        "    type: bushing\n"
        "    base: ground\n"
        "    follower: arm\n"
        "    primitives: {p1: {initial: {position: %.17g}}, p3: {initial: {position: %.17g}}, r2: "
        "{initial: {position: %.17g}}}\n"
        "bushings: {foot: {between: [{body: ground}, {body: arm, at: [-0.6, 0, 0]}],\n"
        "  stiffness: [400, 500, 600], rotational_stiffness: [9, 15, 20]}}\n"
        "loads: {pull: {body: arm, at: [0.6, 0, 0], force: [0, 0, 7]}}\n"
        "outputs: [\"bushing_force(foot, z)\", \"bushing_torque(foot, y)\", bushing_force(foot), "
        "bushing_torque(foot),\n"
        "  position(f.p1), position(f.p3), position(f.r2)]\n"
        "simulation: {end: 1, rtol: 1e-9}\n";
    enum { OUTPUTS = 7 };
    char near[2048], there[2048];
    double turn = 0.4;
    for (int k = 0; k < 50; k++) {
        turn -= (15 * turn - 8.4 * cos(turn)) / (15 + 8.4 * sin(turn));
    }
    const double x = 0.6 * cos(turn), z = 7.0 / 600 + 0.6 * sin(turn), torque = 8.4 * cos(turn),
                 expected[OUTPUTS] = {-7, torque, 7, torque, x, z, -turn};
    snprintf(near, sizeof near, text, 0.5, 0.1, -0.3);
    detent_mechanism *m = runs_parse(near, NULL);
    detent_analysis *analysis = rest_of(m);
    runs_near("x", place_at_rest(m, analysis, "f.p1"), x, 1e-10);
    runs_near("z", place_at_rest(m, analysis, "f.p3"), z, 1e-10);
    runs_near("turn", place_at_rest(m, analysis, "f.r2"), -turn, 1e-10);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    snprintf(there, sizeof there, text, x, z, -turn);
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double is[OUTPUTS];
        run(there, v, 1, is, OUTPUTS);
        for (int k = 0; k < OUTPUTS; k++) {
            variant_near(variant_at(v), is[k], expected[k], 1e-9);
        }
    }
}

/* ---- energy ---- */

/** Two bodies that tumble, tied to each other and to the ground at different axes: energy less the work of dampers stays. */
static void energy_of_bodies_that_tumble(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  a: {mass: 2, inertia: [0.1, 0.2, 0.25], center_of_mass: [0.1, 0.2, 0]}\n"
        "  b: {mass: 3, inertia: [0.3, 0.2, 0.25]}\n"
        "joints:\n"
        "  fa: {type: free, base: ground, follower: a, primitives: {p1: {initial: {velocity: 1}}, "
        "s1: {initial: {velocity: [1, 2, 0.3]}}}}\n"
        "  fb: {type: free, base: ground, follower: b, primitives: {p1: {initial: {position: "
        "0.5}}, s1: {initial: {velocity: [-1, 1, 0.5]}}}}\n"
        "bushings:\n"
        "  c: {between: [{body: a, at: {point: [0.2, 0, 0], rotation: {axis: [1, 1, 0], angle: 20 "
        "deg}}}, {body: b, at: [0, 0.1, 0.3]}],\n"
        "      stiffness: [100, 200, 300], rotational_stiffness: [10, 20, 30], damping: [%g, 0, "
        "%g], rotational_damping: [%g, %g, 0]}\n"
        "  g: {between: [{body: b, at: {rotation: {rpy: [1, 2, 3]}}}, {body: ground, at: {point: "
        "[0.2, 0, 0], rotation: {rpy: [1.3, 1.5, 3]}}}],\n"
        "      stiffness: [10, 60, 30], rotational_stiffness: [1, 2, 3]}\n"
        "outputs: [kinetic_energy() + potential_energy() - damping_work(), damping_work(), "
        "\"position(a, x)\", \"position(b, y)\", \"rotation(a, xz)\"]\n"
        "simulation: {end: 3, rtol: 1e-9}\n";
    enum { OUTPUTS = 5 };
    const double rtol = 1e-9; /* the energy is out by some hundred of these, as of all mechanisms */
    for (int damped = 0; damped < 2; damped++) {
        char own[2048];
        double first[OUTPUTS], start[OUTPUTS];
        size_t reference = variant_first();
        snprintf(own, sizeof own, text, damped * 2.0, damped * 3.0, damped * 0.1, damped * 0.3);
        run(own, reference, 3, first, OUTPUTS);
        run(own, reference, 0, start, OUTPUTS);
        assert_true(damped ? first[1] < -0.1 : first[1] == 0);
        for (size_t v = reference; v < VARIANTS; v = variant_next(v)) {
            double x[OUTPUTS];
            run(own, v, 3, x, OUTPUTS);
            variant_near(variant_at(v), x[0], start[0], 100 * rtol * start[0]);
            for (int k = 1; k < OUTPUTS; k++) {
                variant_near(variant_at(v), x[k], first[k], 1e-6);
            }
        }
    }
}

/** At a pose q with velocities v: the potential, and the power of all wrenches. */
static double power_at(dt_system *s, const double *q, const double *v, double *potential)
{
    double power = 0;
    dt_system_set_state(s, 0, q, v);
    dt_system_wrenches(s);
    for (int p = 0; p < s->mechanism->place_count; p++) {
        const int node = s->mechanism->loads[p].node;
        power += node < 0 ? 0 : dt_dot6(s->load_wrench[p], s->motion[node].V);
    }
    *potential = 0;
    dt_bushing_element.add_potential(s, potential);
    return power;
}

/** On random trees, with frames turned by any angle: what the wrenches do is what leaves the potential, and the loss. */
static void wrenches_are_the_gradient_of_the_energy(void **state)
{
    UNUSED(state);
    enum { TREES = 200, MOST = 64, BUSHINGS = 3 };
    const double h = 1e-5;
    for (int seed = 1; seed <= TREES; seed++) {
        support_random random = {.state = (uint64_t)seed};
        support_tree_def def = support_default_tree(2 + seed % 9);
        const bool damped = seed % 2 == 0;
        double q[MOST], v[MOST], still[2], here, loss[DT_WORKS] = {0};
        dt_arena arena;
        dt_system s;
        def.spherical = 0;
        detent_mechanism *m = support_random_tree(&def, &random);
        dt_load *ends = dt_arena_alloc(&m->arena, 2 * BUSHINGS, sizeof *ends);
        support_add_bushings(m, &random, damped, BUSHINGS, ends);
        m->loads = ends;
        dt_arena_init(&arena, NULL);
        assert_int_equal(dt_system_create(&arena, m, &s, NULL), DETENT_OK);
        assert_true(m->tree.nq <= MOST);
        support_random_pose(&m->tree, &random, q);
        for (int j = 0; j < m->tree.nv; j++) {
            v[j] = support_uniform(&random, -1, 1);
        }
        for (int side = 0; side < 2; side++) {
            double moved[MOST];
            for (int j = 0; j < m->tree.nv; j++) {
                moved[j] = q[j] + (side ? h : -h) * v[j];
            }
            power_at(&s, moved, v, &still[side]);
        }
        const double power = power_at(&s, q, v, &here);
        dt_bushing_element.add_powers(&s, loss);
        runs_near("power", power, loss[DT_WORK_DAMPING] - (still[1] - still[0]) / (2 * h),
                  1e-7 * (1 + here));
        assert_true(damped ? loss[DT_WORK_DAMPING] <= 0 : loss[DT_WORK_DAMPING] == 0);
        dt_arena_free(&arena);
        support_free(m);
    }
}

/* ---- loops and friction ---- */

/** In a closed four-bar a bushing in the pin of the rocker, and one across the coupler, against springs of these joints. */
static void in_a_loop(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies:\n"
        "  crank: {mass: 1, center_of_mass: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}\n"
        "  coupler: {mass: 2, center_of_mass: [0.4, 0, 0], inertia: [0.1, 0.1, 0.1]}\n"
        "  rocker: {mass: 1.5, center_of_mass: [0.25, 0, 0], inertia: [0.05, 0.05, 0.05]}\n"
        "joints:\n"
        "  a: {type: revolute, base: ground, follower: crank, initial: {position: 1, velocity: 2, "
        "priority: exact}}\n"
        "  b: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]}, initial: "
        "{position: -0.8},%s}\n"
        "  d: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]}, initial: "
        "{position: 1.6},%s}\n"
        "  c: {type: revolute, base: rocker, follower: coupler, closes: true,\n"
        "      at: {base: [0.5, 0, 0], follower: [0.8, 0, 0]}, initial: {position: -1.4}}\n"
        "%s"
        "outputs: [position(a), position(b), position(d), \"reaction_force(a, x)\", "
        "kinetic_energy() + potential_energy() - damping_work()]\n"
        "simulation: {end: 1.5, rtol: 1e-10}\n";
    enum { OUTPUTS = 5 };
    char own[2][2048];
    snprintf(own[0], sizeof own[0], text, " spring: {stiffness: 15, rest: -0.5}, damping: 0.2",
             " spring: {stiffness: 9, rest: 1.2}", "");
    snprintf(own[1], sizeof own[1], text, "", "",
             "bushings:\n"
             "  b: {between: [{body: crank, at: {point: [0.3, 0, 0], rotation: {rpy: [0, 0, "
             "-0.5]}}}, {body: coupler}],\n"
             "      rotational_stiffness: [3, 4, 15], rotational_damping: [3, 0, 0.2]}\n"
             "  d: {between: [{body: rocker}, {body: ground, at: {point: [0.9, 0, 0], rotation: "
             "{rpy: [0, 0, 1.2]}}}],\n"
             "      stiffness: [1e3, 2e3, 3e3], rotational_stiffness: [0, 0, 9]}\n");
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        double x[2][OUTPUTS];
        run(own[0], v, 1.5, x[0], OUTPUTS);
        run(own[1], v, 1.5, x[1], OUTPUTS);
        for (int k = 0; k < OUTPUTS; k++) {
            variant_near(variant_at(v), x[1][k], x[0][k], k < 3 ? 1e-8 : 1e-6);
        }
    }
}

/**
 * A shaft that is turned at 0.1 rad/s drags a disc by a bushing: its torque g w t passes the static limit at an exact time. The
 * disc stands on a table that rests on friction, too, and is pulled by a bushing to the ground.
 */
static void a_bushing_pulls_a_disc_loose(void **state)
{
    UNUSED(state);
    static const char text[] =
        "detent: 1\ngravity: [0, 0, 0]\n"
        "bodies: {shaft: {mass: 1, inertia: [1, 1, 1]}, table: {mass: 1, inertia: [1, 1, 1]}, "
        "disc: {mass: 1, inertia: [1, 1, 1]}}\n"
        "joints:\n"
        "  u: {type: revolute, base: ground, follower: shaft, motion: 0.1*t}\n"
        "  x: {type: prismatic, base: ground, follower: table, axis: [1, 0, 0]}\n"
        "  y: {type: revolute, base: table, follower: disc}\n"
        "stiction:\n"
        "  x: {kinetic: 5, static: 8}\n"
        "  y: {kinetic: 2, static: 3}\n"
        "bushings:\n"
        "  drag: {between: [{body: shaft}, {body: disc}], rotational_stiffness: [20, 20, 20]}\n"
        "  hold: {between: [{body: ground, at: [0.25, 0, 0]}, {body: table}], stiffness: [16, 5, "
        "5]}\n"
        "outputs: [friction(x), friction(y), \"bushing_force(hold, x)\"]\n"
        "simulation: {end: 3, rtol: 1e-9}\n";
    for (size_t v = variant_first(); v < VARIANTS; v = variant_next(v)) {
        detent_mechanism *m = runs_parse(text, NULL);
        detent_simulation *sim = variant_start(m, variant_at(v));
        detent_error error = {.message = ""};
        size_t changes = 0;
        double f[3];
        variant_outputs(sim, variant_at(v), 1, f, 3);
        variant_near(variant_at(v), f[0], -4, 1e-12);
        variant_near(variant_at(v), f[1], -2, 1e-9);
        variant_near(variant_at(v), f[2], 4, 1e-12);
        assert_int_equal(detent_advance(sim, 3, true, &error), DETENT_EVENT);
        const detent_mode_change *change = last_event(sim, &changes);
        assert_true(changes > 0);
        variant_near(variant_at(v), change->time, 1.5, 1e-8);
        runs_end(sim, m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(along_each_axis),
        cmocka_unit_test(about_an_axis),
        cmocka_unit_test(beyond_half_a_turn),
        cmocka_unit_test(like_the_springs_of_joints),
        cmocka_unit_test(a_beam_bent_to_a_circle),
        cmocka_unit_test(a_force_at_the_end_of_an_arm),
        cmocka_unit_test(energy_of_bodies_that_tumble),
        cmocka_unit_test(wrenches_are_the_gradient_of_the_energy),
        cmocka_unit_test(in_a_loop),
        cmocka_unit_test(a_bushing_pulls_a_disc_loose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
