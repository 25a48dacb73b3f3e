/* Kinematics of an analysis. */

#include "analysis/kinematics.h"
#include "analysis/branches.h"
#include "analysis/range.h"
#include "api/analysis_handle.h"
#include "api/sized.h"
#include "dynamics/failed_call.h"

#include <math.h>

static detent_status check_driven(const detent_mechanism *m, size_t primitive, detent_error *error)
{
    detent_status status =
        dt_require_index(primitive, (size_t)m->tree.node_count, "primitive", error);
    if (status) {
        return status;
    }
    const char *name = m->primitives[primitive].name;
    if (m->tree.nodes[primitive].type->nv != 1) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                       "'%s' cannot be driven: it is neither revolute nor prismatic", name);
    }
    return m->primitives[primitive].motion
               ? dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "'%s' cannot be driven: it has a motion of its own", name)
               : DETENT_OK;
}

static detent_status check_drive(const detent_mechanism *m, const detent_drive *drive,
                                 detent_error *error)
{
    detent_status status = check_driven(m, drive->primitive, error);
    if (status) {
        return status;
    }
    return isfinite(drive->position) && isfinite(drive->velocity) && isfinite(drive->acceleration)
               ? DETENT_OK
               : dt_fail(error, DETENT_ERROR_ARGUMENT, NULL,
                         "position, velocity or acceleration of '%s' is not finite",
                         m->primitives[drive->primitive].name);
}

static void copy(double *to, const double *from, int count)
{
    if (to) {
        memcpy(to, from, (size_t)count * sizeof *to);
    }
}

detent_status detent_kinematics(detent_analysis *analysis, double t, const detent_drive *given,
                                double *positions, double *velocities, double *accelerations,
                                detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    if (!status && !isfinite(t)) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the time is not finite");
    }
    detent_drive drive;
    if (!status && given) {
        status = DT_TAKE(&drive, given, "the drive", error);
        status = status ? status : check_drive(analysis->mechanism, &drive, error);
    }
    status = status ? status : dt_kinematics(&analysis->core, t, given ? &drive : NULL, error);
    if (!status) {
        const dt_system *s = &analysis->core.system;
        copy(positions, s->q, s->tree->nq);
        copy(velocities, s->v, s->tree->nv);
        copy(accelerations, s->a, s->tree->nv);
    }
    return status;
}

detent_status detent_kinematics_output(detent_analysis *analysis, size_t output, double *value,
                                       detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    status = status ? status : dt_require(value, "the place for the value", error);
    status = status ? status
                    : dt_require_index(output, (size_t)analysis->mechanism->output_count, "output",
                                       error);
    if (status) {
        return status;
    }
    const dt_program *program = analysis->mechanism->outputs[output].program;
    dt_arena arena;
    dt_arena_init(&arena, &analysis->arena.allocator);
    double *registers = dt_arena_alloc(&arena, DT_PROGRAM_REGISTERS(program), sizeof *registers);
    double *slots = dt_arena_alloc(&arena, (size_t)program->variable_count, sizeof *slots);
    if (!registers || !slots) {
        status = dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for an output");
    } else if (!dt_is_kinematic(program, registers)) {
        status = dt_fail(
            error, DETENT_ERROR_ARGUMENT, NULL,
            "the output '%s' reads forces, modes, states or works, which motions do not tell",
            detent_name(analysis->mechanism, DETENT_OUTPUT, output));
    } else {
        dt_system *s = &analysis->core.system;
        if (dt_program_depends_on(program, DT_OF_PUSHES, registers)) {
            dt_system_set_acceleration(s, s->a, s->f);
        }
        for (int k = 0; k < program->variable_count; k++) {
            slots[k] = dt_system_variable(s, program->variables[k], -1);
        }
        dt_call_failure failed;
        *value = dt_program_value(program, slots, NULL, registers);
        if (dt_program_failed_call(program, registers, *value, &failed)) {
            status = dt_fail_output_call(s, output, &failed, error);
        }
    }
    dt_arena_free(&arena);
    return status;
}

/* Where the ranges of joints go, once for an analysis. */
static detent_status make_ranges(detent_analysis *analysis, detent_error *error)
{
    const size_t count = (size_t)analysis->mechanism->primitive_count;
    analysis->has_ranges = false;
    if (!analysis->ranges) {
        analysis->ranges = dt_arena_alloc(&analysis->arena, count, sizeof *analysis->ranges);
    }
    return analysis->ranges ? DETENT_OK
                            : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory for ranges");
}

detent_status detent_find_range(detent_analysis *analysis, size_t primitive, double from, double to,
                                detent_range *range, detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    status = status ? status : dt_require_sized(range, "the place for the range", error);
    status = status ? status : check_driven(analysis->mechanism, primitive, error);
    if (status) {
        return status;
    }
    if (isinf(from) || isinf(to) || from >= to) {
        return dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "the interval from %.9g to %.9g is %s",
                       from, to, from >= to ? "empty" : "not finite");
    }
    status = make_ranges(analysis, error);
    if (status) {
        return status;
    }
    detent_range all = {0};
    dt_arena arena;
    dt_arena_init(&arena, &analysis->arena.allocator);
    status =
        dt_range(&arena, &analysis->core, (int)primitive, from, to, &all, analysis->ranges, error);
    dt_arena_free(&arena);
    analysis->has_ranges = !status;
    return status ? status : DT_GIVE(range, &all, "the place for the range", error);
}

detent_status detent_get_joint_range(const detent_analysis *analysis, size_t primitive,
                                     detent_joint_range *range)
{
    const bool is_there = analysis && analysis->has_ranges &&
                          primitive < (size_t)analysis->mechanism->primitive_count;
    return is_there ? DT_GIVE(range, &analysis->ranges[primitive], "the place for the range", NULL)
                    : DETENT_ERROR_ARGUMENT;
}

detent_status detent_find_branches(detent_analysis *analysis, const bool *kept, size_t most,
                                   double *positions, detent_branches *result, detent_error *error)
{
    detent_status status = dt_require(analysis, "the analysis", error);
    status = status ? status : dt_require(positions, "the place for the positions", error);
    status = status ? status : dt_require_sized(result, "the place for the result", error);
    if (!status && most == 0) {
        status = dt_fail(error, DETENT_ERROR_ARGUMENT, NULL, "there is room for no assembly");
    }
    if (status) {
        return status;
    }
    detent_branches all = {0};
    dt_arena arena;
    dt_arena_init(&arena, &analysis->arena.allocator);
    status = dt_find_branches(&arena, &analysis->core, kept, most, positions, &all, error);
    dt_arena_free(&arena);
    return status ? status : DT_GIVE(result, &all, "the place for the result", error);
}
