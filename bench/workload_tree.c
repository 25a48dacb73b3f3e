/* The random branching tree of rods.h as a mechanism, built through the public interface. */

#include "rods.h"
#include "workload.h"

#include <stdio.h>
#include <stdlib.h>

static void name_rod(char name[32], size_t i)
{
    snprintf(name, 32, i ? "rod%zu" : "ground", i);
}

static detent_status add_rod(detent_mechanism *mechanism, const bench_rod *rods, size_t i,
                             detent_error *error)
{
    const bench_rod *rod = &rods[i];
    char name[32], parent[32], joint_name[32], kinetic[40], sticking[40], push[40];
    name_rod(name, i);
    name_rod(parent, rod->parent);
    snprintf(joint_name, sizeof joint_name, "joint%zu", i);
    snprintf(kinetic, sizeof kinetic, "%.17g", rod->friction);
    snprintf(sticking, sizeof sticking, "%.17g", rod->sticking * rod->friction);
    snprintf(push, sizeof push, "%.17g", rod->push);

    detent_body_def body = DETENT_INIT(detent_body_def);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    body.name = name;
    body.mass = rod->mass;
    joint.name = joint_name;
    joint.type = "revolute";
    joint.base = parent;
    joint.follower = name;
    for (int k = 0; k < 3; k++) {
        body.center_of_mass[k] = 0.5 * rod->end[k];
        joint_pin.axis[k] = rod->axis[k];
        joint.base_point[k] = rod->at[k];
    }
    for (int k = 0; k < 6; k++) {
        body.inertia[k] = rod->inertia[k];
    }
    stiction.primitive = joint_name;
    stiction.velocity_threshold = 1e-6;
    stiction.kinetic = kinetic;
    stiction.static_limit = sticking;
    stiction.external = rod->push != 0 ? push : NULL;

    detent_status status = detent_add_body(mechanism, &body, error);
    status = status ? status : detent_add_joint(mechanism, &joint, error);
    return status ? status : detent_add_stiction(mechanism, &stiction, error);
}

detent_status bench_build_rods(const bench_rod *rods, size_t n, detent_mechanism **mechanism,
                               detent_error *error)
{
    const char *const gravity[3] = {"0", "-9.81", "0"};
    detent_status status = detent_mechanism_create("rods", NULL, mechanism, error);
    if (!status) {
        status = detent_set_gravity_law(*mechanism, gravity, error);
        for (size_t i = 1; i <= n && !status; i++) {
            status = add_rod(*mechanism, rods, i, error);
        }
        status = status ? status : detent_mechanism_finish(*mechanism, error);
        if (status) {
            detent_mechanism_destroy(*mechanism);
            *mechanism = NULL;
        }
    }
    return status;
}

detent_status bench_build_tree(size_t n, detent_mechanism **mechanism, detent_error *error)
{
    bench_rod *rods = calloc(n + 1, sizeof *rods);
    if (!rods) {
        return DETENT_ERROR_MEMORY;
    }
    bench_tree_rods(rods, n);
    const detent_status status = bench_build_rods(rods, n, mechanism, error);
    free(rods);
    return status;
}
