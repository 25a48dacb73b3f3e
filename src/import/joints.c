/* What joints do together, and where they start. */

#include "import/robot.h"

#include <math.h>

static bool has_one_freedom(const dt_robot_joint *joint)
{
    return joint->kind == DT_ROBOT_HINGE || joint->kind == DT_ROBOT_SLIDE;
}

/* What joints of three or six freedoms may not have in a mechanism file. */
static bool simplify(dt_robot *robot, dt_robot_joint *joint)
{
    const bool is_ball = joint->kind == DT_ROBOT_BALL;
    const bool loses = joint->is_limited || joint->friction > 0 || joint->armature > 0 ||
                       joint->stiffness > 0 || (!is_ball && joint->damping > 0);
    joint->is_limited = false;
    joint->friction = joint->armature = joint->stiffness = joint->reference = 0;
    return !loses ||
           dt_robot_note_at(robot, &joint->where,
                            "joint '%s' has %s freedoms: of limits, friction, armature%s it keeps "
                            "none",
                            joint->name, is_ball ? "three" : "six",
                            is_ball ? " and stiffness" : ", stiffness and damping");
}

/* ---- joints that follow others ---- */

/*
 * Makes each follow one that follows none, by what all in between say together. Whoever is on the way is marked with the number of the
 * walk, so that each is walked over once.
 */
static detent_status resolve(dt_robot *robot, int *walk, detent_error *error)
{
    for (int k = 0; k < robot->joint_count; k++) {
        int top = k, next = -1;
        /* up to one whose leader is known, turning the way round */
        for (;;) {
            dt_robot_joint *at = &robot->joints[top];
            const int up = at->follows;
            if (walk[top] == k + 1 && next >= 0) {
                return dt_fail(error, DETENT_ERROR_MODEL, &at->follows_where,
                               "joint '%s' follows others in a circle", at->name);
            }
            if (walk[top] != 0 || up < 0) {
                walk[top] = walk[top] ? walk[top] : k + 1;
                break;
            }
            walk[top] = k + 1;
            at->follows = next;
            next = top;
            top = up;
        }
        /* and back down */
        while (next >= 0) {
            dt_robot_joint *at = &robot->joints[next];
            const dt_robot_joint *above = &robot->joints[top];
            const int down = at->follows;
            at->follows = top;
            if (above->follows >= 0) {
                at->offset += at->multiplier * above->offset;
                at->multiplier *= above->multiplier;
                at->follows = above->follows;
            }
            top = next;
            next = down;
        }
    }
    return DETENT_OK;
}

/* A joint that follows has its limits by those of its leader. */
static bool limit_leader(dt_robot *robot, dt_robot_joint *joint)
{
    dt_robot_joint *leader = &robot->joints[joint->follows];
    const double a = (joint->lower - joint->offset) / joint->multiplier,
                 b = (joint->upper - joint->offset) / joint->multiplier;
    const double lower = leader->is_limited ? fmax(leader->lower, fmin(a, b)) : fmin(a, b),
                 upper = leader->is_limited ? fmin(leader->upper, fmax(a, b)) : fmax(a, b);
    joint->is_limited = false;
    if (!(lower < upper)) {
        return dt_robot_note_at(robot, &joint->where,
                                "joint '%s': its limits contradict those of '%s', which it "
                                "follows, and are left out",
                                joint->name, leader->name);
    }
    const bool narrows = !leader->is_limited || lower > leader->lower || upper < leader->upper;
    leader->is_limited = true;
    leader->lower = lower;
    leader->upper = upper;
    return !narrows || dt_robot_note_at(robot, &joint->where,
                                        "joint '%s' follows '%s', whose limits are %.6g and %.6g "
                                        "for that",
                                        joint->name, leader->name, lower, upper);
}

/* ---- where they start ---- */

static bool start(dt_robot *robot, dt_robot_joint *joint)
{
    const double wanted = joint->is_placed ? joint->start[0] : joint->reference;
    joint->initial = wanted;
    if (joint->is_limited) {
        joint->initial = fmin(fmax(joint->initial, joint->lower), joint->upper);
    }
    return joint->initial == wanted ||
           dt_robot_note_at(robot, &joint->where,
                            "joint '%s' starts at its limit: %.6g is beyond it", joint->name,
                            wanted);
}

detent_status dt_robot_start_joints(dt_robot *robot, detent_error *error)
{
    bool good = true;
    int *walk = dt_arena_alloc(robot->arena, (size_t)robot->joint_count + 1, sizeof *walk);
    if (!walk) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    const detent_status status = resolve(robot, walk, error);
    if (status) {
        return status;
    }
    for (int k = 0; k < robot->joint_count && good; k++) {
        dt_robot_joint *joint = &robot->joints[k];
        good = has_one_freedom(joint) || simplify(robot, joint);
        if (good && joint->follows >= 0 && joint->is_limited) {
            good = limit_leader(robot, joint);
        }
    }
    for (int k = 0; k < robot->joint_count && good; k++) {
        good = !has_one_freedom(&robot->joints[k]) || start(robot, &robot->joints[k]);
    }
    for (int k = 0; k < robot->joint_count; k++) {
        dt_robot_joint *joint = &robot->joints[k];
        if (joint->follows >= 0) {
            joint->initial =
                joint->multiplier * robot->joints[joint->follows].initial + joint->offset;
        }
    }
    return good ? DETENT_OK : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}
