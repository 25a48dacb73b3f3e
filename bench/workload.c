#include "workload.h"

#include "workload_loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- mechanisms that are no files in mechanisms/ ---- */

#define RODS(laws)                                                                           \
    "detent: 1\n"                                                                            \
    "gravity: [0, -9.81, 0]\n"                                                               \
    "parameters: {n: 10, friction: 1 N*m, L: 1 m / n, m: 1 kg / n}\n"                        \
    "chain:\n"                                                                               \
    "  count: n\n"                                                                           \
    "  bodies:\n"                                                                            \
    "    link: {mass: m, center_of_mass: [L/2, 0, 0], inertia: [0, m*L^2/12, m*L^2/12]}\n"   \
    "  joints:\n"                                                                            \
    "    hinge: {type: revolute, base: 'link[i-1]', follower: 'link[i]', axis: [0, 0, 1],\n" \
    "            at: {base: [L, 0, 0]}}\n"                                                   \
    "  stiction:\n"                                                                          \
    "    hinge: {velocity_threshold: 1e-6 rad/s, " laws "}\n"                                \
    "  first:\n"                                                                             \
    "    joints: {hinge: {base: ground, at: null}}\n"

/* Two rods of 1 m and 1 kg each, unlike the chain, whose rods share 1 m and 1 kg. */
static const char two_rods[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "bodies:\n"
    "  upper: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0, 1/12, 1/12]}\n"
    "  lower: {mass: 1, center_of_mass: [0.5, 0, 0], inertia: [0, 1/12, 1/12]}\n"
    "joints:\n"
    "  shoulder: {type: revolute, base: ground, follower: upper}\n"
    "  elbow: {type: revolute, base: upper, follower: lower, at: {base: [1, 0, 0]}}\n"
    "stiction:\n"
    "  shoulder: {velocity_threshold: 1e-6 rad/s, kinetic: 1, static: 1}\n"
    "  elbow: {velocity_threshold: 1e-6 rad/s, kinetic: 0.5, static: 0.5}\n";

static const char static_above_kinetic[] = RODS("kinetic: friction, static: 1.5*friction");

/* A seal with constant friction, and a journal bearing of 0.1 rods with a coefficient of 1. */
static const char load_dependent[] =
    RODS("kinetic: '0.5*friction + 0.1*L*reaction_force(hinge[i])', "
         "static: '0.5*friction + 0.1*L*reaction_force(hinge[i])'");

/* A bearing alone, of 0.3 rods: far out on the chain friction is next to nothing. */
static const char load_alone[] = RODS("kinetic: '0.3*L*reaction_force(hinge[i])', "
                                      "static: '0.3*L*reaction_force(hinge[i])'");

/* A crank-rocker against gravity and a damper. Angles are guesses but for that of the crank. */
#define FOUR_BAR(torque)                                                                     \
    "detent: 1\n"                                                                            \
    "gravity: [0, -9.81, 0]\n"                                                               \
    "bodies:\n"                                                                              \
    "  crank: {mass: 0.6, center_of_mass: [0.15, 0, 0], inertia: [1e-4, 5e-3, 5e-3]}\n"      \
    "  coupler: {mass: 1.2, center_of_mass: [0.4, 0, 0], inertia: [2e-4, 0.06, 0.06]}\n"     \
    "  rocker: {mass: 1, center_of_mass: [0.3, 0, 0], inertia: [2e-4, 0.03, 0.03]}\n"        \
    "joints:\n"                                                                              \
    "  main: {type: revolute, base: ground, follower: crank, " torque "damping: 1,\n"        \
    "         initial: {position: 0.9, priority: exact}}\n"                                  \
    "  pin: {type: revolute, base: crank, follower: coupler, at: {base: [0.3, 0, 0]},\n"     \
    "        initial: {position: -0.4}}\n"                                                   \
    "  foot: {type: revolute, base: ground, follower: rocker, at: {base: [0.9, 0, 0]},\n"    \
    "         initial: {position: 1.3}}\n"                                                   \
    "  head: {type: revolute, base: rocker, follower: coupler, initial: {position: -0.9},\n" \
    "         at: {base: [0.6, 0, 0], follower: [0.8, 0, 0]}}\n"

/* No friction: what is measured is the loop. */
static const char four_bar[] = FOUR_BAR("force: 8, ");

static const char sticky_four_bar[] =
    FOUR_BAR("") "stiction:\n"
                 "  main: {velocity_threshold: 1e-6 rad/s, kinetic: 1.5, static: 1.5, external: "
                 "8*sin(2*t)}\n"
                 "  pin: {velocity_threshold: 1e-6 rad/s, kinetic: 0.8, static: 0.8}\n"
                 "  foot: {velocity_threshold: 1e-6 rad/s, kinetic: 1.2, static: 1.2}\n";

/* A train of n wheels, each a little out of balance and of a radius of its own; a torque on the first one
 * turns them all against a damper. */
static const char gear_train[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {n: 2}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies: {wheel: {mass: 1, center_of_mass: [0.02, 0, 0], inertia: [5e-3, 5e-3, 5e-3]}}\n"
    "  joints: {turn: {type: revolute, base: ground, follower: 'wheel[i]', at: {base: [i, 0, "
    "0]}}}\n"
    "  couplings:\n"
    "    mesh: {type: differential, joints: ['turn[i-1]', 'turn[i]'],\n"
    "           factors: [1 + 0.2*sin(i-1), 1 + 0.2*sin(i)]}\n"
    "  first:\n"
    "    joints: {turn: {force: 0.3*n, damping: 0.1*n}}\n"
    "    couplings: {mesh: null}\n";

/* A clutch that engages and slips again, before a shaft whose damper beside its load's inertia has a time constant of 8 us. */
static const char stiff_clutch[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "signals: {grip: '600*(ramp(t, 0.2, 0.7) - ramp(t, 2, 2.5))'}\n"
    "bodies:\n"
    "  engine: {mass: 10, inertia: [0.1, 0.1, 0.2]}\n"
    "  shaft: {mass: 1, inertia: [0.01, 0.01, 0.02]}\n"
    "  load: {mass: 30, inertia: [0.3, 0.3, 0.5]}\n"
    "joints:\n"
    "  engine: {type: revolute, base: ground, follower: engine, force: 40,\n"
    "           initial: {velocity: 100}}\n"
    "  clutch: {type: revolute, base: engine, follower: shaft, initial: {velocity: -100}}\n"
    "  twist: {type: revolute, base: shaft, follower: load, damping: 2500,\n"
    "          force: -5e4*position(twist)}\n"
    "stiction: {clutch: {velocity_threshold: 1e-6, kinetic: 0.2*grip, static: 0.25*grip}}\n";

/* Blocks in a row on a rail, with friction, that a force pushes to and fro between compliant stops, stiff and damped ones. */
static const char penalty_stops[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "parameters: {n: 1}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies: {block: {mass: 1}}\n"
    "  joints: {slide: {type: prismatic, base: 'block[i-1]', follower: 'block[i]', axis: [1, 0, "
    "0]}}\n"
    "  stiction: {slide: {velocity_threshold: 1e-6, kinetic: 1, static: 1.2, external: "
    "12*sin(7*t + i)}}\n"
    "  stops:\n"
    "    near: {joint: 'slide[i]', side: lower, at: -0.02, stiffness: 1e7, damping: 3e4}\n"
    "    far: {joint: 'slide[i]', side: upper, at: 0.02, stiffness: 1e7, damping: 3e4}\n"
    "  first:\n"
    "    joints: {slide: {base: ground}}\n";

/* ---- the table ---- */

/* How the chains that move are measured. */
#define TIP_AFTER_A_SECOND \
    .size_name = "n", .end = 1, .compared = BENCH_TIP, .reference_rtol = 1e-11

const bench_workload bench_workloads[] = {
    {
        .name = "pendulum",
        .title = "W2, double pendulum, friction 1 and 0.5 N m",
        .text = two_rods,
        .sizes = {2},
        .usual = 2,
        .end = 20,
        .compared = BENCH_COORDINATES,
        .reference_rtol = 1e-12,
    },
    {
        .name = "chain",
        .title = "W3, hanging chain, friction 1 N m",
        .file = "hanging_chain.yaml",
        .settings = {{"friction", "1"}},
        .sizes = {10, 30, 100, 300, 1000, 3000},
        .usual = 1000,
        TIP_AFTER_A_SECOND,
        .limits = {{100, 1e-8, 1e-7, 1e-10, 1e-9}, {300, 1e-5, 0, 1e-7, 1e-5}},
    },
    {
        .name = "loose-chain",
        .title = "W3, hanging chain, friction 0.1 N m",
        .file = "hanging_chain.yaml",
        .settings = {{"friction", "0.1"}},
        .sizes = {10, 30, 100, 300, 1000, 3000},
        .usual = 100,
        TIP_AFTER_A_SECOND,
        .limits = {{30, 1e-7, 1e-5, 1e-9, 1e-7}, {100, 1e-4, 0, 1e-6, 1e-4}},
    },
    {
        .name = "hold",
        .title = "W3h, chain whose load stays below the limit",
        .file = "hanging_chain.yaml",
        .size_name = "n",
        .settings = {{"friction", "5"}},
        .sizes = {10, 30, 100, 300, 1000, 3000},
        .usual = 3000,
        .end = 10,
        .compared = BENCH_MOVEMENT,
        .only_rtol = 1e-7,
    },
    {
        .name = "sticky-chain",
        .title = "chain, static friction 1.5 times the kinetic 0.2 N m",
        .text = static_above_kinetic,
        .settings = {{"friction", "0.2"}},
        .sizes = {10, 30, 100, 300, 1000},
        .usual = 1000,
        TIP_AFTER_A_SECOND,
    },
    {
        .name = "load-chain",
        .title = "chain, friction 0.5 N m and a part that follows the joint's load",
        .text = load_dependent,
        .sizes = {10, 30, 100, 300, 1000},
        .usual = 100,
        TIP_AFTER_A_SECOND,
        .limits = {{30, 1e-6, 1e-5, 1e-8, 1e-6}, {100, 1e-4, 0, 1e-6, 1e-4}},
    },
    {
        .name = "bearing-chain",
        .title = "chain, friction that is proportional to the joint's load",
        .text = load_alone,
        .sizes = {10, 30, 100, 300, 1000},
        .usual = 30,
        TIP_AFTER_A_SECOND,
        .limits = {{10, 1e-7, 1e-5, 1e-9, 1e-8}, {30, 1e-4, 0, 1e-6, 1e-5}},
    },
    {
        .name = "train",
        .title = "Burridge-Knopoff train of n blocks",
        .file = "burridge_knopoff.yaml",
        .size_name = "N",
        .sizes = {5, 10, 30, 100, 300, 1000},
        .usual = 300,
        .end = 20,
        .longer = 60,
        .compared = BENCH_COORDINATES,
        .reference_rtol = 1e-12,
        .limits = {{30, 1e-9, 1e-7, 1e-12, 1e-9}, {100, 1e-6, 0, 1e-9, 1e-6}},
    },
    {
        .name = "tree",
        .title = "random branching tree of n rods",
        .build = bench_build_tree,
        .size_name = "n",
        .sizes = {10, 30, 100, 300, 1000},
        .usual = 100,
        .end = 1,
        .compared = BENCH_COORDINATES,
        .reference_rtol = 1e-11,
        .limits = {{30, 1e-7, 1e-4, 1e-9, 1e-7}, {100, 1e-4, 0, 1e-6, 1e-4}},
    },
    {
        .name = "arm",
        .title = "Unitree Z1, six axes, motors off",
        .file = "z1_arm.yaml",
        .sizes = {6},
        .usual = 6,
        .end = 2,
        .compared = BENCH_COORDINATES,
        .reference_rtol = 1e-12,
    },
    {
        .name = "four-bar",
        .title = "four-bar that a constant torque turns, no friction",
        .text = four_bar,
        .sizes = {1},
        .usual = 1,
        .end = 10,
        .compared = BENCH_FIRST,
        .reference_rtol = 1e-12,
    },
    {
        .name = "sticky-four-bar",
        .title = "four-bar with friction in three pins, a torque that swings",
        .text = sticky_four_bar,
        .sizes = {1},
        .usual = 1,
        .end = 6,
        .compared = BENCH_FIRST,
        .reference_rtol = 1e-12,
    },
    {
        .name = "scissor",
        .title = "scissor lift of N stages, no friction",
        .file = "scissor_lift.yaml",
        .size_name = "N",
        .sizes = {1, 10, 30, 100},
        .usual = 100,
        .end = 3,
        .longer = 0.5, /* a single stage comes to its dead centre at 0.91 s */
        .compared = BENCH_FIRST,
        .reference_rtol = 1e-11,
    },
    {
        .name = "geared",
        .title = "train of n unbalanced gears, no friction",
        .text = gear_train,
        .size_name = "n",
        .sizes = {2, 10, 30, 100},
        .usual = 100,
        .end = 10,
        .compared = BENCH_FIRST,
        .reference_rtol = 1e-11,
        .limits = {{30, 1e-6, 1e-9, 1e-7, 1e-9}},
    },
    {
        .name = "legs",
        .title = "trunk on n four-bars, no friction",
        .text = bench_legs,
        .size_name = "n",
        .sizes = {10, 30, 100, 300, 1000},
        .usual = 300,
        .end = 1,
        .compared = BENCH_FIRST,
        .reference_rtol = 1e-10,
        .limits = {{30, 1e-6, 1e-8, 1e-6, 1e-8}, {100, 1e-6, 0, 1e-6, 0}},
    },
    {
        .name = "sticky-legs",
        .title = "n four-bars side by side, friction in all pins",
        .text = bench_sticky_legs,
        .size_name = "n",
        .sizes = {10, 30, 100, 300, 1000},
        .usual = 300,
        .end = 0.5,
        .compared = BENCH_FIRST,
        .reference_rtol = 1e-10,
        .limits = {{30, 1e-6, 1e-8, 1e-6, 1e-8}, {100, 1e-6, 0, 1e-6, 0}},
    },
    {
        .name = "sticky-scissor",
        .title = "scissor lift of N stages, friction in all pins",
        .text = bench_sticky_lift,
        .size_name = "N",
        .sizes = {10, 30, 100, 300, 1000},
        .usual = 300,
        .end = 1,
        .compared = BENCH_FIRST,
        .reference_rtol = 1e-10,
        .limits = {{30, 1e-6, 1e-8, 1e-6, 1e-8}, {100, 1e-6, 0, 1e-6, 0}},
    },
    {
        .name = "stiff-clutch",
        .title = "clutch before a shaft with a stiff damper",
        .text = stiff_clutch,
        .sizes = {3},
        .usual = 3,
        .end = 3,
        .compared = BENCH_COORDINATES,
        .reference_rtol = 1e-11,
    },
    {
        .name = "penalty-stops",
        .title = "blocks with friction between stiff, damped stops",
        .text = penalty_stops,
        .size_name = "n",
        .sizes = {1, 3, 10},
        .usual = 3,
        .end = 3,
        .compared = BENCH_COORDINATES,
        .reference_rtol = 1e-11,
    },
};
const size_t bench_workload_count = sizeof bench_workloads / sizeof *bench_workloads;

const bench_workload *bench_find_workload(const char *name)
{
    for (size_t k = 0; k < bench_workload_count; k++) {
        if (!strcmp(bench_workloads[k].name, name)) {
            return &bench_workloads[k];
        }
    }
    return NULL;
}

double bench_end(const bench_workload *workload, size_t n)
{
    return workload->longer > 0 && n <= 10 ? workload->longer : workload->end;
}

const bench_limit *bench_find_limit(const bench_workload *workload, size_t n)
{
    const bench_limit *limit = NULL;
    for (size_t k = 0; k < BENCH_MOST_LIMITS; k++) {
        if (workload->limits[k].above && n > workload->limits[k].above) {
            limit = &workload->limits[k];
        }
    }
    return limit;
}

const char *bench_integrator_name(detent_integrator integrator)
{
    static const char *const names[BENCH_INTEGRATORS] = {"ida", "erk", "auto"};
    return integrator == DETENT_INTEGRATOR_FIXED ? "fixed" : names[integrator];
}

/* ---- loading ---- */

detent_status bench_load(const bench_workload *workload, size_t n, detent_mechanism **mechanism,
                         detent_error *error)
{
    char size[32], path[1024];
    detent_parameter parameters[BENCH_MOST_SETTINGS + 1];
    detent_load_options options = {.size = sizeof options, .parameters = parameters};
    if (workload->build) {
        return workload->build(n, mechanism, error);
    }
    if (workload->size_name) {
        snprintf(size, sizeof size, "%zu", n);
        parameters[options.parameter_count++] = (detent_parameter){workload->size_name, size};
    }
    for (size_t k = 0; k < BENCH_MOST_SETTINGS && workload->settings[k].name; k++) {
        parameters[options.parameter_count++] =
            (detent_parameter){workload->settings[k].name, workload->settings[k].value};
    }
    if (workload->text) {
        return detent_mechanism_parse(workload->text, strlen(workload->text), workload->name,
                                      &options, mechanism, error);
    }
    snprintf(path, sizeof path, "%s/mechanisms/%s", DETENT_SOURCE_DIR, workload->file);
    return detent_mechanism_load(path, &options, mechanism, error);
}

/* ---- reading ---- */

size_t bench_value_count(const bench_workload *workload, const detent_mechanism *mechanism)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    return workload->compared == BENCH_TIP     ? 2
           : workload->compared == BENCH_FIRST ? 1
                                               : info.coordinates;
}

/* The end of a rod that lies along x of its body: origin + R (1 m / n, 0, 0). */
static detent_status read_tip(const detent_mechanism *mechanism, detent_simulation *simulation,
                              double tip[2], detent_error *error)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    double origin[3], q[4];
    detent_mechanism_get_info(mechanism, &info);
    const detent_status status = detent_get_pose(simulation, info.bodies - 1, origin, q, error);
    if (!status) {
        const double length = 1.0 / (double)info.bodies;
        tip[0] = origin[0] + length * (1 - 2 * (q[2] * q[2] + q[3] * q[3]));
        tip[1] = origin[1] + length * 2 * (q[1] * q[2] + q[0] * q[3]);
    }
    return status;
}

static detent_status read_first(const detent_mechanism *mechanism, detent_simulation *simulation,
                                double *value, detent_error *error)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    detent_mechanism_get_info(mechanism, &info);
    double *all = calloc(info.coordinates, sizeof *all);
    if (!all) {
        return DETENT_ERROR_MEMORY;
    }
    const detent_status status =
        detent_read(simulation, DETENT_POSITIONS, all, info.coordinates, error);
    *value = all[0];
    free(all);
    return status;
}

detent_status bench_read_values(const bench_workload *workload, const detent_mechanism *mechanism,
                                detent_simulation *simulation, double *values, detent_error *error)
{
    if (workload->compared == BENCH_TIP) {
        return read_tip(mechanism, simulation, values, error);
    }
    if (workload->compared == BENCH_FIRST) {
        return read_first(mechanism, simulation, values, error);
    }
    return detent_read(simulation, DETENT_POSITIONS, values, bench_value_count(workload, mechanism),
                       error);
}
