/**
 * @file test_api_fixture.h
 * Two links that hang from the ground, with stiction in both joints: as a text, and from definitions.
 */
#ifndef TEST_API_FIXTURE_H
#define TEST_API_FIXTURE_H

#include "detent/detent.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UNUSED(variable) (void)(variable)

static const char two_links_text[] =
    "detent: 1\n"
    "name: two links\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {pin: 0.02}\n"
    "inputs: {motor: 0}\n"
    "bodies:\n"
    "  upper: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.083, 0.001, 0.083]}\n"
    "  lower: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.083, 0.001, 0.083]}\n"
    "joints:\n"
    "  shoulder:\n"
    "    {type: revolute, base: ground, follower: upper, axis: [0, 0, 1],\n"
    "     initial: {position: 1.25}}\n"
    "  elbow:\n"
    "    {type: revolute, base: upper, follower: lower, axis: [0, 0, 1],\n"
    "     at: {base: [0, -1, 0]}, damping: 0.001}\n"
    "stiction:\n"
    "  shoulder:\n"
    "    {velocity_threshold: 1e-3, external: motor,\n"
    "     kinetic: pin*reaction_force(shoulder), static: 1.5*pin*reaction_force(shoulder)}\n"
    "  elbow: {velocity_threshold: 1e-3, kinetic: 0.01*reaction_force(elbow) + 0.05, static: 0.8}\n"
    "outputs: [position(elbow), friction(elbow), mode(shoulder), 2*velocity(shoulder)]\n";

/* A status that must be DETENT_OK, with the message where it is not. */
static inline void must(detent_status status, const detent_error *error)
{
    if (status != DETENT_OK) {
        fail_msg("%s: %s\n%s", detent_status_text(status), error->message, error->detail);
    }
}

static inline detent_mechanism *load_two_links(void)
{
    detent_error error;
    detent_mechanism *mechanism;
    must(detent_mechanism_parse(two_links_text, strlen(two_links_text), "two_links.yaml", NULL,
                                &mechanism, &error),
         &error);
    return mechanism;
}

static inline detent_status add_link(detent_mechanism *mechanism, const char *name,
                                     detent_error *error)
{
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.name = name;
    body.mass = 1;
    body.center_of_mass[1] = -0.5;
    body.inertia[0] = body.inertia[2] = 0.083;
    body.inertia[1] = 0.001;
    return detent_add_body(mechanism, &body, error);
}

static inline detent_status add_links(detent_mechanism *mechanism, detent_error *error)
{
    const char *const gravity[3] = {"0", "-9.81", "0"};
    detent_joint_def shoulder = DETENT_INIT(detent_joint_def),
                     elbow = DETENT_INIT(detent_joint_def);
    detent_primitive_def shoulder_pin = DETENT_INIT(detent_primitive_def);
    shoulder.primitive[0] = &shoulder_pin;
    detent_primitive_def elbow_pin = DETENT_INIT(detent_primitive_def);
    elbow.primitive[0] = &elbow_pin;
    shoulder.name = "shoulder";
    shoulder.follower = "upper";
    shoulder_pin.axis[2] = 1;
    shoulder_pin.position[0] = 1.25;
    elbow.name = "elbow";
    elbow.base = "upper";
    elbow.follower = "lower";
    elbow.base_point[1] = -1;
    elbow_pin.axis[2] = 1;
    elbow_pin.damping = 0.001;
    detent_status status = detent_set_gravity_law(mechanism, gravity, error);
    status = status ? status : detent_add_parameter(mechanism, "pin", "0.02", error);
    status = status ? status : detent_add_input(mechanism, "motor", 0, error);
    status = status ? status : add_link(mechanism, "upper", error);
    status = status ? status : add_link(mechanism, "lower", error);
    status = status ? status : detent_add_joint(mechanism, &shoulder, error);
    return status ? status : detent_add_joint(mechanism, &elbow, error);
}

/* The same mechanism; `kinetic`, a function of a force, may take the place of the elbow's friction. */
static inline detent_status build_two_links(const detent_allocator *allocator,
                                            detent_function kinetic, detent_mechanism **mechanism,
                                            detent_error *error)
{
    const detent_function_def function = {
        .size = sizeof function, .name = "rubs", .argument_count = 1, .function = kinetic};
    static const char *const outputs[] = {"position(elbow)", "friction(elbow)", "mode(shoulder)",
                                          "2*velocity(shoulder)"};
    detent_status status = detent_mechanism_create("two links", allocator, mechanism, error);
    if (status) {
        return status;
    }
    detent_stiction_def shoulder = DETENT_INIT(detent_stiction_def),
                        elbow = DETENT_INIT(detent_stiction_def);
    shoulder.primitive = "shoulder";
    shoulder.external = "motor";
    shoulder.kinetic = "pin*reaction_force(shoulder)";
    shoulder.static_limit = "1.5*pin*reaction_force(shoulder)";
    elbow.primitive = "elbow";
    elbow.kinetic = kinetic ? "rubs(reaction_force(elbow))" : "0.01*reaction_force(elbow) + 0.05";
    elbow.static_limit = "0.8";
    status = add_links(*mechanism, error);
    if (!status && kinetic) {
        status = detent_add_function(*mechanism, &function, error);
    }
    status = status ? status : detent_add_stiction(*mechanism, &shoulder, error);
    status = status ? status : detent_add_stiction(*mechanism, &elbow, error);
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && !status; i++) {
        status = detent_add_output(*mechanism, outputs[i], error);
    }
    return status ? status : detent_mechanism_finish(*mechanism, error);
}

static inline detent_simulation *simulate(const detent_mechanism *mechanism)
{
    detent_error error;
    detent_simulation *simulation;
    must(detent_simulation_create(mechanism, NULL, &simulation, &error), &error);
    return simulation;
}

static inline void advance(detent_simulation *simulation, double t)
{
    detent_error error;
    must(detent_advance(simulation, t, false, &error), &error);
}

/* Advances from event to event; returns how many there were. */
static inline size_t advance_by_events(detent_simulation *simulation, double t)
{
    detent_error error;
    detent_status status;
    size_t events = 0;
    while ((status = detent_advance(simulation, t, true, &error)) == DETENT_EVENT) {
        events++;
    }
    must(status, &error);
    return events;
}

static inline void read_all(detent_simulation *simulation, detent_quantity quantity, double *values,
                            size_t count)
{
    detent_error error;
    must(detent_read(simulation, quantity, values, count, &error), &error);
}

/* The whole state of two links as numbers. */
typedef struct links_state {
    double time, q[2], v[2], a[2], f[2], modes[2];
} links_state;

static inline links_state read_links(detent_simulation *simulation)
{
    links_state state = {.time = detent_time(simulation)};
    read_all(simulation, DETENT_POSITIONS, state.q, 2);
    read_all(simulation, DETENT_VELOCITIES, state.v, 2);
    read_all(simulation, DETENT_ACCELERATIONS, state.a, 2);
    read_all(simulation, DETENT_FRICTIONS, state.f, 2);
    read_all(simulation, DETENT_MODES, state.modes, 2);
    return state;
}

static inline void expect_argument_error(detent_status status, const detent_error *error,
                                         const char *part)
{
    assert_int_equal(status, DETENT_ERROR_ARGUMENT);
    assert_int_equal(error->status, DETENT_ERROR_ARGUMENT);
    if (!strstr(error->message, part)) {
        fail_msg("'%s' does not speak of '%s'", error->message, part);
    }
}

#endif
