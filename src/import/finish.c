/* What is left to do once a robot has been read, whatever it was written in. */

#include "import/robot.h"

#include "math/rotation.h"

#include <math.h>
#include <stdio.h>

/* ---- bodies that are one ---- */

/* Whether a body could have that inertia; else the mean of its principal moments in `*mean`. */
static bool is_real(const dt_mass *weight, double *mean)
{
    static const double least = 1e-6; /* as when a mechanism file is read */
    double moment[3], most = 0, scaled[6];
    for (int k = 0; k < 6; k++) {
        most = fmax(most, fabs(weight->inertia[k]));
    }
    for (int k = 0; k < 6; k++) {
        scaled[k] = most > 0 ? weight->inertia[k] / most : 0;
    }
    dt_tensor_eigenvalues(moment, scaled);
    *mean = fmax(0, (moment[0] + moment[1] + moment[2]) / 3 * most);
    return most == 0 ||
           (moment[0] >= -least && moment[2] - moment[0] - moment[1] <= least * moment[2]);
}

/* Adds a name to a list, as long as there is room for it and for what has to follow. */
static void list_name(char *list, size_t size, const char *name, int *more)
{
    const size_t length = strlen(list), longest = 60;
    if (length + longest + 16 > size) {
        ++*more;
    } else {
        snprintf(list + length, size - length, "%s'%.*s'", length ? ", " : "", (int)longest, name);
    }
}

/* Makes inertias that no body has round, or refuses them, all in one message. */
static detent_status balance(dt_robot *robot, detent_error *error)
{
    char list[240] = "";
    const dt_robot_body *first = NULL;
    int more = 0;
    for (int k = 0; k < robot->body_count; k++) {
        dt_robot_body *body = &robot->bodies[k];
        double mean;
        if (is_real(&body->own, &mean)) {
            continue;
        }
        if (!robot->balances) {
            first = first ? first : body;
            list_name(list, sizeof list, body->name, &more);
            continue;
        }
        for (int c = 0; c < 6; c++) {
            body->own.inertia[c] = c < 3 ? mean : 0;
        }
        if (!dt_robot_note_at(robot, &body->where,
                              "body '%s': no real body has its inertia; it is that of a ball now, "
                              "%.6g kg m^2",
                              body->name, mean)) {
            return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
        }
    }
    if (more > 0) {
        const size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, ", %d more", more);
    }
    return first ? dt_fail(error, DETENT_ERROR_MODEL, &first->where,
                           "no real body has the inertia of %s: the largest principal moment is "
                           "more than the other two together, or one is negative; --balance "
                           "(options.balance) makes it that of a ball",
                           list)
                 : DETENT_OK;
}

static detent_status join_bodies(dt_robot *robot, detent_error *error)
{
    double on_ground = 0;
    for (int k = 0; k < robot->body_count; k++) {
        dt_robot_body *body = &robot->bodies[k];
        const dt_robot_body *parent = body->parent >= 0 ? &robot->bodies[body->parent] : NULL;
        const dt_frame *outer = parent ? &parent->on_carrier : &dt_frame_none;
        body->carrier = k;
        body->on_carrier = dt_frame_none;
        if (body->joint_count == 0) {
            body->carrier = parent ? parent->carrier : -1;
            dt_frame_compose(&body->on_carrier, outer, &body->frame);
        }
        if (body->carrier >= 0) {
            dt_mass_add(&robot->bodies[body->carrier].carried, &body->own, body->on_carrier.R,
                        body->on_carrier.p);
        } else {
            on_ground += body->own.mass;
        }
    }
    if (on_ground > 0 && !dt_robot_note_at(robot, NULL, "%.6g kg stand on the ground", on_ground)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    return DETENT_OK;
}

/* Conditions between bodies that are one say nothing. */
static bool leave_out_loops(dt_robot *robot)
{
    bool good = true;
    int kept = 0;
    for (int k = 0; k < robot->loop_count && good; k++) {
        const dt_robot_loop *loop = &robot->loops[k];
        int carrier[2];
        for (int e = 0; e < 2; e++) {
            carrier[e] = loop->body[e] >= 0 ? robot->bodies[loop->body[e]].carrier : -1;
        }
        if (carrier[0] == carrier[1]) {
            good = dt_robot_note_at(robot, &loop->where,
                                    "'%s' joins bodies that are one: it is left out", loop->name);
        } else {
            robot->loops[kept++] = *loop;
        }
    }
    robot->loop_count = good ? kept : robot->loop_count;
    return good;
}

/* ---- the whole ---- */

static void leave_out(dt_robot_joint *joint, unsigned without)
{
    joint->is_limited = joint->is_limited && !(without & DT_ROBOT_LIMITS);
    joint->friction = without & DT_ROBOT_FRICTION ? 0 : joint->friction;
    joint->damping = without & DT_ROBOT_DAMPING ? 0 : joint->damping;
    joint->armature = without & DT_ROBOT_ARMATURE ? 0 : joint->armature;
    joint->actuator = without & DT_ROBOT_ACTUATORS ? -1 : joint->actuator;
}

static bool note_frictionless(dt_robot *robot)
{
    int without = 0, all = 0;
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *joint = &robot->joints[k];
        const bool takes = joint->kind == DT_ROBOT_HINGE || joint->kind == DT_ROBOT_SLIDE;
        all += takes;
        without += takes && joint->friction == 0;
    }
    return without == 0 ||
           dt_robot_note_at(
               robot, NULL,
               "%d of %d joints have no friction: they never stick; 'stiction' gives them some",
               without, all);
}

detent_status dt_robot_finish(dt_robot *robot, unsigned without, detent_error *error)
{
    for (int k = 0; k < robot->joint_count; k++) {
        leave_out(&robot->joints[k], without);
    }
    if (without & DT_ROBOT_ACTUATORS) {
        robot->actuator_count = 0;
    }
    detent_status status = dt_robot_start_joints(robot, error);
    status = status ? status : balance(robot, error);
    status = status ? status : join_bodies(robot, error);
    if (!status &&
        !(dt_robot_hang_shapes(robot) && dt_robot_note_shapeless(robot) && leave_out_loops(robot) &&
          dt_robot_name_all(robot) && note_frictionless(robot))) {
        status = dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    return status;
}
