/* A random branching tree of n uniform rods in three dimensions, 1 kg in all. Each rod hangs at the
 * far end of one of the four rods before it, in a random direction, on a revolute joint with a random
 * axis; friction is 0.15 of the weight of what hangs on the joint times the length of a rod, so that
 * all joints are near their limits together. The generator is xorshift64* with n as its seed: the
 * same tree everywhere. */

#include "workload.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static double draw(uint64_t *state) /* uniform in (-1, 1) */
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return ldexp((double)((x * 0x2545F4914F6CDD1DULL) >> 11), -52) - 1;
}

static void draw_direction(uint64_t *state, double direction[3])
{
    double square;
    do {
        square = 0;
        for (int k = 0; k < 3; k++) {
            direction[k] = draw(state);
            square += direction[k] * direction[k];
        }
    } while (square > 1 || square < 0.01);
    for (int k = 0; k < 3; k++) {
        direction[k] /= sqrt(square);
    }
}

typedef struct rod {
    double direction[3]; /* in its own frame, which is parallel to the world's at the start */
    double axis[3];
    size_t parent; /* 0: the ground, else the number of a rod from 1 */
    size_t load;   /* rods that hang on its joint, itself included */
} rod;

static void draw_rods(rod *rods, size_t n)
{
    uint64_t state = 0x9E3779B97F4A7C15ULL ^ n;
    for (size_t i = 1; i <= n; i++) {
        const size_t back = 1 + (size_t)(2 * (1 + draw(&state)));
        draw_direction(&state, rods[i].direction);
        draw_direction(&state, rods[i].axis);
        rods[i].parent = i > back ? i - back : i > 1 ? 1 : 0;
    }
    for (size_t i = n; i >= 1; i--) {
        rods[i].load++;
        rods[rods[i].parent].load += rods[i].load;
    }
}

static void name_rod(char name[32], size_t i)
{
    snprintf(name, 32, i ? "rod%zu" : "ground", i);
}

static detent_status add_rod(detent_mechanism *mechanism, const rod *rods, size_t i, size_t n,
                             detent_error *error)
{
    const double mass = 1.0 / (double)n, length = 1 / sqrt((double)n);
    char name[32], parent[32], joint_name[32], limit[40];
    name_rod(name, i);
    name_rod(parent, rods[i].parent);
    snprintf(joint_name, sizeof joint_name, "joint%zu", i);
    snprintf(limit, sizeof limit, "%.17g", 0.15 * 9.81 * mass * length * (double)rods[i].load);

    detent_body_def body = detent_default_body();
    detent_joint_def joint = detent_default_joint();
    detent_stiction_def stiction = detent_default_stiction();
    const double *u = rods[i].direction, inertia = mass * length * length / 12;
    body.name = name;
    body.mass = mass;
    joint.name = joint_name;
    joint.type = "revolute";
    joint.base = parent;
    joint.follower = name;
    for (int k = 0; k < 3; k++) {
        body.center_of_mass[k] = 0.5 * length * u[k];
        body.inertia[k] = inertia * (1 - u[k] * u[k]);
        joint.primitive[0].axis[k] = rods[i].axis[k];
        joint.base_point[k] = rods[i].parent ? length * rods[rods[i].parent].direction[k] : 0;
    }
    body.inertia[3] = -inertia * u[0] * u[1];
    body.inertia[4] = -inertia * u[0] * u[2];
    body.inertia[5] = -inertia * u[1] * u[2];
    stiction.primitive = joint_name;
    stiction.velocity_threshold = 1e-6;
    stiction.kinetic = limit;
    stiction.static_limit = limit;

    detent_status status = detent_add_body(mechanism, &body, error);
    status = status ? status : detent_add_joint(mechanism, &joint, error);
    return status ? status : detent_add_stiction(mechanism, &stiction, error);
}

detent_status bench_build_tree(size_t n, detent_mechanism **mechanism, detent_error *error)
{
    const char *const gravity[3] = {"0", "-9.81", "0"};
    rod *rods = calloc(n + 1, sizeof *rods);
    if (!rods) {
        return DETENT_ERROR_MEMORY;
    }
    draw_rods(rods, n);
    detent_status status = detent_mechanism_create("tree", NULL, mechanism, error);
    if (!status) {
        status = detent_set_gravity(*mechanism, gravity, error);
        for (size_t i = 1; i <= n && !status; i++) {
            status = add_rod(*mechanism, rods, i, n, error);
        }
        status = status ? status : detent_mechanism_finish(*mechanism, error);
        if (status) {
            detent_mechanism_destroy(*mechanism);
            *mechanism = NULL;
        }
    }
    free(rods);
    return status;
}
