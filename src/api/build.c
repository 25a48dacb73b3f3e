/* Building a mechanism from definitions: each call checks that its pointers are there and hands on to the
 * builder. A number of entry points that differ in one name is still better than a macro that hides them. */

#include "api/check.h"
#include "api/sized.h"
#include "base/text.h"
#include "dynamics/element.h"
#include "model/builder.h"

#include <math.h>
#include <string.h>

detent_status detent_mechanism_create(const char *name, const detent_allocator *allocator,
                                      detent_mechanism **mechanism, detent_error *error)
{
    detent_status status = dt_require(mechanism, "the place for the mechanism", error);
    if (status) {
        return status;
    }
    *mechanism = NULL;
    status = dt_require_allocator(allocator, error);
    return status ? status : dt_mechanism_new(name, &dt_element_items, allocator, mechanism, error);
}

/* A mechanism that can still be changed, and what is to be added to it. */
static detent_status require_both(const detent_mechanism *mechanism, const void *item,
                                  const char *what, detent_error *error)
{
    detent_status status = dt_require_open(mechanism, error);
    return status ? status : dt_require(item, what, error);
}

/* A number as an expression. */
typedef struct number_text {
    char text[DT_NUMBER_SIZE];
} number_text;

/* `expression`, or the number that stands in its place: one of them. */
static detent_status choose(const char **expression, double number, number_text *text,
                            const char *what, const char *name, detent_error *error)
{
    if (number == 0) {
        return DETENT_OK;
    }
    if (*expression) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "%s of '%s' is given twice: as an expression and as a number", what, name);
    }
    if (!isfinite(number)) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "%s of '%s' is not a finite number",
                       what, name);
    }
    dt_format_number(text->text, number);
    *expression = text->text;
    return DETENT_OK;
}

detent_status detent_set_gravity_law(detent_mechanism *mechanism, const char *const gravity[3],
                                     detent_error *error)
{
    detent_status status = require_both(mechanism, gravity, "the gravity", error);
    for (int k = 0; k < 3 && !status; k++) {
        status = dt_require(gravity[k], "a component of the gravity", error);
    }
    return status ? status : dt_builder_set_gravity(mechanism, gravity, NULL, error);
}

detent_status detent_set_gravity(detent_mechanism *mechanism, const double gravity[3],
                                 detent_error *error)
{
    number_text text[3];
    const char *law[3] = {"0", "0", "0"};
    detent_status status = require_both(mechanism, gravity, "the gravity", error);
    for (int k = 0; k < 3 && !status; k++) {
        if (!isfinite(gravity[k])) {
            return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                           "a component of the gravity is not a finite number");
        }
        dt_format_number(text[k].text, gravity[k]);
        law[k] = text[k].text;
    }
    return status ? status : dt_builder_set_gravity(mechanism, law, NULL, error);
}

detent_status detent_add_parameter(detent_mechanism *mechanism, const char *name, const char *value,
                                   detent_error *error)
{
    detent_status status = require_both(mechanism, name, "the parameter's name", error);
    if (!status) {
        status = dt_require(value, "the parameter's value", error);
    }
    return status ? status : dt_builder_add_parameter(mechanism, name, value, NULL, NULL, error);
}

detent_status detent_add_input(detent_mechanism *mechanism, const char *name, double initial,
                               detent_error *error)
{
    detent_status status = require_both(mechanism, name, "the input's name", error);
    return status ? status : dt_builder_add_input(mechanism, name, initial, NULL, NULL, error);
}

detent_status detent_add_signal(detent_mechanism *mechanism, const char *name,
                                const char *expression, detent_error *error)
{
    detent_status status = require_both(mechanism, name, "the signal's name", error);
    if (!status) {
        status = dt_require(expression, "the signal's expression", error);
    }
    return status ? status : dt_builder_add_signal(mechanism, name, expression, NULL, error);
}

detent_status detent_add_body(detent_mechanism *mechanism, const detent_body_def *given,
                              detent_error *error)
{
    detent_body_def body;
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&body, given, "the body's definition", error);
    status = status ? status : dt_require(body.name, "the body's name", error);
    return status ? status : dt_builder_add(mechanism, DT_ITEM_body, &body, NULL, error);
}

static void default_rotation(double quaternion[4])
{
    static const double none[4];
    if (memcmp(quaternion, none, sizeof none) == 0) {
        quaternion[0] = 1;
    }
}

detent_status detent_add_joint(detent_mechanism *mechanism, const detent_joint_def *given,
                               detent_error *error)
{
    detent_joint_def joint;
    detent_primitive_def primitive[DETENT_MAX_PRIMITIVES];
    number_text force[DETENT_MAX_PRIMITIVES];
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&joint, given, "the joint's definition", error);
    status = status ? status : dt_require(joint.name, "the joint's name", error);
    status = status ? status : dt_require(joint.follower, "the joint's follower", error);
    for (int k = 0; k < DETENT_MAX_PRIMITIVES && !status; k++) {
        if (joint.primitive[k]) {
            status = DT_TAKE(&primitive[k], joint.primitive[k], "a primitive's definition", error);
            joint.primitive[k] = &primitive[k];
            status = status ? status
                            : choose(&primitive[k].force, primitive[k].constant_force, &force[k],
                                     "the force", joint.name, error);
        }
    }
    joint.type = joint.type ? joint.type : "revolute";
    default_rotation(joint.base_rotation);
    default_rotation(joint.follower_rotation);
    joint.base = joint.base ? joint.base : "ground";
    return status ? status : dt_builder_add(mechanism, DT_ITEM_joint, &joint, NULL, error);
}

detent_status detent_add_stiction(detent_mechanism *mechanism, const detent_stiction_def *given,
                                  detent_error *error)
{
    detent_stiction_def stiction;
    detent_bearing bearing;
    number_text external, kinetic, limit;
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&stiction, given, "the stiction's definition", error);
    status = status ? status : dt_require(stiction.primitive, "the stiction's primitive", error);
    if (!status && stiction.bearing) {
        status = DT_TAKE(&bearing, stiction.bearing, "the bearing", error);
        stiction.bearing = &bearing;
    }
    status = status ? status
                    : choose(&stiction.external, stiction.constant_external, &external,
                             "the external actuation", stiction.primitive, error);
    status = status ? status
                    : choose(&stiction.kinetic, stiction.constant_kinetic, &kinetic,
                             "the kinetic friction", stiction.primitive, error);
    status = status ? status
                    : choose(&stiction.static_limit, stiction.constant_static, &limit,
                             "the static limit", stiction.primitive, error);
    return status ? status : dt_builder_add(mechanism, DT_ITEM_stiction, &stiction, NULL, error);
}

detent_status detent_add_spring(detent_mechanism *mechanism, const detent_spring_def *given,
                                detent_error *error)
{
    detent_spring_def spring;
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&spring, given, "the spring's definition", error);
    status = status ? status : dt_require(spring.name, "the spring's name", error);
    for (int end = 0; end < 2 && !status; end++) {
        spring.body[end] = spring.body[end] ? spring.body[end] : "ground";
    }
    return status
               ? status
               : dt_builder_add(mechanism, DT_ITEM_KINDS + DT_ELEMENT_strut, &spring, NULL, error);
}

detent_status detent_add_stop(detent_mechanism *mechanism, const detent_stop_def *given,
                              detent_error *error)
{
    detent_stop_def stop;
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&stop, given, "the stop's definition", error);
    status = status ? status : dt_require(stop.name, "the stop's name", error);
    status = status ? status : dt_require(stop.joint, "the stop's joint", error);
    return status ? status
                  : dt_builder_add(mechanism, DT_ITEM_KINDS + DT_ELEMENT_stop, &stop, NULL, error);
}

detent_status detent_add_coupling(detent_mechanism *mechanism, const detent_coupling_def *given,
                                  detent_error *error)
{
    detent_coupling_def coupling;
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&coupling, given, "the coupling's definition", error);
    status = status ? status : dt_require(coupling.name, "the coupling's name", error);
    for (size_t k = 0; !status && k < coupling.count && k < DETENT_MAX_COUPLED; k++) {
        status = dt_require(coupling.primitive[k], "the coupling's primitive", error);
    }
    for (size_t k = coupling.count; !status && k < DETENT_MAX_COUPLED; k++) { /* of no account */
        coupling.primitive[k] = NULL;
        coupling.factor[k] = 0;
    }
    return status ? status : dt_builder_add(mechanism, DT_ITEM_coupling, &coupling, NULL, error);
}

detent_status detent_add_state(detent_mechanism *mechanism, const detent_state_def *given,
                               detent_error *error)
{
    dt_state_definition definition = {.dimension = dt_dimension_unknown};
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&definition.def, given, "the state's definition", error);
    status = status ? status : dt_require(definition.def.name, "the state's name", error);
    status =
        status ? status : dt_require(definition.def.derivative, "the state's derivative", error);
    return status ? status : dt_builder_add(mechanism, DT_ITEM_state, &definition, NULL, error);
}

detent_status detent_add_load(detent_mechanism *mechanism, const detent_load_def *given,
                              detent_error *error)
{
    detent_load_def load;
    number_text force[3], torque[3];
    detent_status status = dt_require_open(mechanism, error);
    status = status ? status : DT_TAKE(&load, given, "the load's definition", error);
    status = status ? status : dt_require(load.name, "the load's name", error);
    status = status ? status : dt_require(load.body, "the load's body", error);
    for (int k = 0; k < 3 && !status; k++) {
        status = choose(&load.force[k], load.constant_force[k], &force[k], "the force", load.name,
                        error);
        status = status ? status
                        : choose(&load.torque[k], load.constant_torque[k], &torque[k], "the torque",
                                 load.name, error);
    }
    return status ? status : dt_builder_add(mechanism, DT_ITEM_load, &load, NULL, error);
}

detent_status detent_add_output(detent_mechanism *mechanism, const char *expression,
                                detent_error *error)
{
    detent_status status = require_both(mechanism, expression, "the output's expression", error);
    const dt_output_definition definition = {.expression = expression};
    return status ? status : dt_builder_add(mechanism, DT_ITEM_output, &definition, NULL, error);
}

detent_status detent_mechanism_finish(detent_mechanism *mechanism, detent_error *error)
{
    detent_status status = dt_require_open(mechanism, error);
    return status ? status : dt_builder_finish(mechanism, error);
}
