/* Reading a simulation: whole vectors, modes, reactions, poses. */

#include "api/handle.h"
#include "dynamics/failed_call.h"
#include "math/rotation.h"

#include <string.h>

detent_status dt_handle_system(detent_simulation *simulation, bool before, dt_level level,
                               dt_system **system, detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (!status && before && !simulation->after_event) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "there is a state before the last event only directly after "
                         "detent_advance() stopped at one");
    }
    return status ? status : dt_simulation_read(simulation->core, before, level, system, error);
}

/* ---- vectors ---- */

enum { ENERGIES = DETENT_ENERGY_IMPACT_LOSS + 1 };

size_t detent_quantity_length(const detent_mechanism *m, detent_quantity quantity)
{
    if (!m || !m->finished) {
        return 0;
    }
    switch (quantity) {
    case DETENT_POSITIONS:
        return (size_t)m->tree.nq;
    case DETENT_VELOCITIES:
    case DETENT_ACCELERATIONS:
    case DETENT_FORCES:
        return (size_t)m->tree.nv;
    case DETENT_FRICTIONS:
    case DETENT_MARGINS:
    case DETENT_MODES:
    case DETENT_DIRECTIONS:
        return (size_t)m->stiction_count;
    case DETENT_OUTPUTS:
        return (size_t)m->output_count;
    case DETENT_STATES:
        return (size_t)m->state_count;
    case DETENT_LIMITS:
        return 2 * (size_t)m->stiction_count;
    case DETENT_POSES:
        return 7 * (size_t)m->body_count;
    case DETENT_REACTIONS:
        return 6 * (size_t)m->primitive_count;
    case DETENT_PLACES:
    case DETENT_AXES:
        return 3 * (size_t)m->primitive_count;
    case DETENT_INPUTS:
        return (size_t)m->input_count;
    case DETENT_GRAVITY:
        return 3;
    case DETENT_ENERGIES:
        return ENERGIES;
    case DETENT_HELD:
        return (size_t)(dt_given_count(m) - m->input_count);
    }
    return 0;
}

/* Of the outputs that share their operations with that at `first`, the one that has all of them; `next` is behind the
 * last. */
static const dt_program *longest_output(const detent_mechanism *m, int first, int *next)
{
    const dt_program *longest = m->outputs[first].program;
    for (*next = first; *next < m->output_count; ++*next) {
        const dt_program *own = m->outputs[*next].program;
        if (own->operations != longest->operations) {
            break;
        }
        longest = own->operation_count > longest->operation_count ? own : longest;
    }
    return longest;
}

/* What the outputs need. */
static dt_level level_of_outputs(const detent_mechanism *m)
{
    dt_level level = DT_LEVEL_MOTION;
    for (int first = 0, next = 0; first < m->output_count; first = next) {
        const dt_program *program = longest_output(m, first, &next);
        for (int k = 0; k < program->variable_count; k++) {
            const dt_level own = dt_system_level_of(program->variables[k]);
            level = own > level ? own : level;
        }
    }
    return level;
}

bool detent_output_follows_forces(const detent_simulation *simulation, size_t output)
{
    return simulation && output < (size_t)simulation->mechanism->output_count &&
           dt_program_depends_on(simulation->mechanism->outputs[output].program,
                                 DT_OF_FORCES | DT_OF_READINGS | DT_OF_PUSHES,
                                 simulation->registers);
}

static dt_level level_of(const detent_mechanism *m, detent_quantity quantity)
{
    switch (quantity) {
    case DETENT_POSITIONS:
    case DETENT_VELOCITIES:
    case DETENT_MODES:
    case DETENT_DIRECTIONS:
    case DETENT_STATES:
    case DETENT_INPUTS:
    case DETENT_HELD:
        return DT_LEVEL_MOTION;
    case DETENT_ACCELERATIONS:
        return DT_LEVEL_STATE;
    case DETENT_POSES:
    case DETENT_PLACES:
    case DETENT_AXES:
    case DETENT_GRAVITY:
    case DETENT_ENERGIES:
        return DT_LEVEL_POSES;
    case DETENT_REACTIONS:
        return DT_LEVEL_REACTIONS;
    case DETENT_OUTPUTS:
        return level_of_outputs(m);
    default:
        return DT_LEVEL_FORCES;
    }
}

/* What acts along each freedom but friction: all that the joint transmits, less friction. */
static void read_forces(const dt_system *system, double *values)
{
    const detent_mechanism *m = system->mechanism;
    memcpy(values, system->tau, (size_t)m->tree.nv * sizeof *values);
    for (int k = 0; k < m->stiction_count; k++) {
        values[m->tree.nodes[m->stictions[k].primitive].v] -= system->f[k];
    }
}

/* All of them, also where one calls a function that failed: the status tells the first such one. */
static detent_status read_outputs(const detent_simulation *simulation, const dt_system *system,
                                  double *values, detent_error *error)
{
    const detent_mechanism *m = simulation->mechanism;
    detent_status status = DETENT_OK;
    for (int first = 0, next = 0; first < m->output_count; first = next) {
        dt_program all = *longest_output(m, first, &next);
        all.is_constant = false; /* others may not be */
        for (int k = 0; k < all.variable_count; k++) {
            simulation->slots[k] = dt_system_variable(system, all.variables[k], -1);
        }
        dt_program_value(&all, simulation->slots, NULL, simulation->registers);
        for (int i = first; i < next; i++) {
            dt_call_failure failed;
            values[i] = simulation->registers[m->outputs[i].program->operation_count - 1];
            if (!status &&
                dt_program_failed_call(&all, simulation->registers, values[i], &failed)) {
                status = dt_fail_output_call(system, (size_t)i, &failed, error);
            }
        }
    }
    return status;
}

static void read_pose(const dt_system *system, int index, double origin[3], double rotation[4])
{
    const dt_body *body = &system->mechanism->bodies[index];
    const dt_motion *motion = &system->motion[body->node];
    double R[9];
    dt_motion_point(motion, body->pose->p, origin);
    dt_mul33(R, motion->R, body->pose->R);
    dt_quaternion_from_rotation(rotation, R);
}

/* Turns about an axis leave it where it is: the frame of the follower will do. */
static void read_axes(const dt_system *system, double *values)
{
    for (int i = 0; i < system->tree->node_count; i++) {
        const dt_node *node = &system->tree->nodes[i];
        const double none[3] = {0}, *axis = node->type->nv == 1 ? node->frame->axis : none;
        dt_rotate(values + 3 * i, system->motion[i].R, axis);
    }
}

static void read_energies(const dt_system *system, double *values, size_t count)
{
    double all[ENERGIES];
    dt_system_energy(system, &all[DETENT_ENERGY_KINETIC], &all[DETENT_ENERGY_POTENTIAL]);
    all[DETENT_ENERGY_FRICTION_WORK] = system->account[DT_WORK_FRICTION];
    all[DETENT_ENERGY_DAMPING_WORK] = system->account[DT_WORK_DAMPING];
    all[DETENT_ENERGY_ACTUATION_WORK] = system->account[DT_WORK_ACTUATION];
    all[DETENT_ENERGY_IMPACT_LOSS] = system->account[DT_IMPACT_LOSS];
    memcpy(values, all, count * sizeof *values);
}

static detent_status read_quantity(const detent_simulation *simulation, dt_system *system,
                                   detent_quantity quantity, double *values, size_t count,
                                   detent_error *error)
{
    switch (quantity) {
    case DETENT_POSITIONS:
        memcpy(values, system->q, count * sizeof *values);
        break;
    case DETENT_VELOCITIES:
        memcpy(values, system->v, count * sizeof *values);
        break;
    case DETENT_ACCELERATIONS:
        memcpy(values, system->a, count * sizeof *values);
        break;
    case DETENT_FORCES:
        read_forces(system, values);
        break;
    case DETENT_FRICTIONS:
        memcpy(values, system->f, count * sizeof *values);
        break;
    case DETENT_MARGINS:
        for (size_t k = 0; k < count; k++) {
            values[k] = dt_stiction_margin(system, (int)k);
        }
        return dt_tell_any_failed_call(system, DETENT_OK, error);
    case DETENT_MODES:
        for (size_t k = 0; k < count; k++) {
            values[k] = system->mode[k];
        }
        break;
    case DETENT_OUTPUTS:
        return read_outputs(simulation, system, values, error);
    case DETENT_STATES:
        memcpy(values, system->z, count * sizeof *values);
        break;
    case DETENT_LIMITS:
        for (size_t k = 0; k < count; k += 2) {
            dt_system_static_limits(system, (int)(k / 2), values + k);
        }
        return dt_tell_any_failed_call(system, DETENT_OK, error);
    case DETENT_DIRECTIONS:
        for (size_t k = 0; k < count; k++) {
            values[k] = system->direction[k];
        }
        break;
    case DETENT_POSES:
        for (size_t i = 0; i < count; i += 7) {
            read_pose(system, (int)(i / 7), values + i, values + i + 3);
        }
        break;
    case DETENT_REACTIONS:
        for (size_t i = 0; i < count; i += 6) {
            dt_system_reaction(system, (int)(i / 6), values + i, values + i + 3);
        }
        break;
    case DETENT_PLACES:
        for (size_t i = 0; i < count; i += 3) {
            memcpy(values + i, system->motion[i / 3].p, 3 * sizeof *values);
        }
        break;
    case DETENT_AXES:
        read_axes(system, values);
        break;
    case DETENT_INPUTS:
        memcpy(values, system->inputs, count * sizeof *values);
        break;
    case DETENT_HELD:
        memcpy(values, system->inputs + system->mechanism->input_count, count * sizeof *values);
        break;
    case DETENT_GRAVITY:
        memcpy(values, system->gravity, count * sizeof *values);
        break;
    case DETENT_ENERGIES:
        read_energies(system, values, count);
        break;
    }
    return DETENT_OK;
}

static detent_status read(detent_simulation *simulation, bool before, detent_quantity quantity,
                          double *values, size_t count, detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (status) {
        return status;
    }
    if ((int)quantity < 0 || quantity > DETENT_HELD) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "there is no quantity %d", quantity);
    }
    const size_t length = detent_quantity_length(simulation->mechanism, quantity);
    const bool is_part = quantity == DETENT_ENERGIES && count < length;
    status = is_part ? DETENT_OK : dt_require_count(count, length, "values", error);
    if (!status && count > 0) {
        status = dt_require(values, "the place for the values", error);
    }
    dt_system *system;
    if (!status) {
        const dt_level level = level_of(simulation->mechanism, quantity);
        status = dt_handle_system(simulation, before, level, &system, error);
    }
    if (!status && count > 0) {
        status = read_quantity(simulation, system, quantity, values, count, error);
    }
    return status;
}

detent_status detent_read(detent_simulation *simulation, detent_quantity quantity, double *values,
                          size_t count, detent_error *error)
{
    return read(simulation, false, quantity, values, count, error);
}

detent_status detent_read_before(detent_simulation *simulation, detent_quantity quantity,
                                 double *values, size_t count, detent_error *error)
{
    return read(simulation, true, quantity, values, count, error);
}

detent_mode detent_get_mode(const detent_simulation *simulation, size_t stiction, int *direction)
{
    int ignored;
    int *place = direction ? direction : &ignored;
    *place = 0;
    if (!simulation || stiction >= (size_t)simulation->mechanism->stiction_count) {
        return DETENT_LOCKED;
    }
    return dt_simulation_mode(simulation->core, stiction, place);
}

/* ---- reactions and poses ---- */

/* The joint frame of a primitive's base in the world. */
static void base_frame(const dt_system *system, size_t primitive, double R[9])
{
    const dt_node *node = &system->tree->nodes[primitive];
    if (node->parent < 0) {
        memcpy(R, node->frame->R, sizeof node->frame->R);
    } else {
        dt_mul33(R, system->motion[node->parent].R, node->frame->R);
    }
}

detent_status detent_get_reaction(detent_simulation *simulation, size_t primitive,
                                  detent_reaction_frame frame, bool on_base, double wrench[6],
                                  detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (!status) {
        status = dt_require(wrench, "the place for the wrench", error);
    }
    if (!status) {
        status = dt_require_index(primitive, (size_t)simulation->mechanism->primitive_count,
                                  "primitive", error);
    }
    if (!status && ((int)frame < 0 || frame > DETENT_REACTION_FOLLOWER)) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "there is no frame %d", frame);
    }
    dt_system *system;
    if (!status) {
        status = dt_handle_system(simulation, false, DT_LEVEL_REACTIONS, &system, error);
    }
    if (status) {
        return status;
    }
    double world[6], R[9];
    dt_system_reaction(system, (int)primitive, world, world + 3);
    if (frame == DETENT_REACTION_WORLD) {
        memcpy(wrench, world, sizeof world);
    } else {
        if (frame == DETENT_REACTION_BASE) {
            base_frame(system, primitive, R);
        } else {
            memcpy(R, system->motion[primitive].R, sizeof R);
        }
        dt_rotate_back(wrench, R, world);
        dt_rotate_back(wrench + 3, R, world + 3);
    }
    for (int k = 0; k < 6 && on_base; k++) {
        wrench[k] = -wrench[k];
    }
    return DETENT_OK;
}

detent_status detent_get_pose(detent_simulation *simulation, size_t index, double origin[3],
                              double rotation[4], detent_error *error)
{
    detent_status status = dt_require(simulation, "the simulation", error);
    if (!status) {
        status = dt_require_index(index, (size_t)simulation->mechanism->body_count, "body", error);
    }
    if (!status && (!origin || !rotation)) {
        status = dt_require(NULL, "the place for the pose", error);
    }
    dt_system *system;
    if (!status) {
        status = dt_handle_system(simulation, false, DT_LEVEL_POSES, &system, error);
    }
    if (status) {
        return status;
    }
    read_pose(system, (int)index, origin, rotation);
    return DETENT_OK;
}
