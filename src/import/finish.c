/* What is left to do once a robot has been read, whatever it was written in. */

#include "import/robot.h"

#include "math/rotation.h"

#include <math.h>
#include <stdio.h>

/* ---- names ---- */

/* Names of one kind of item: each is there once. */
typedef struct name_pool {
    dt_arena *arena;
    dt_name_map taken;
    int *again; /* how often each has been asked for, by its value in `taken` */
    int count, room;
} name_pool;

enum { LONGEST = 80 }; /* of 100: what follows behind it needs some */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The name as a mechanism file may have it. */
static const char *plain(dt_arena *arena, const char *name, const char *prefix)
{
    char text[LONGEST + 1];
    size_t length = 0;
    if (*name && !is_letter(*name) && *name >= '0' && *name <= '9') {
        text[length++] = '_';
    }
    for (; *name && length < LONGEST; name++) {
        const bool good = is_letter(*name) || (*name >= '0' && *name <= '9');
        if ((*name & 0xC0) != 0x80) { /* one for a character of UTF-8 */
            text[length++] = good ? *name : '_';
        }
    }
    return length > 0 ? dt_arena_copy(arena, text, length)
                      : dt_arena_copy(arena, prefix, strlen(prefix));
}

static bool take(name_pool *pool, const char *name)
{
    if (pool->count == pool->room) {
        const int wider = pool->room ? 2 * pool->room : 64;
        int *again = dt_arena_grow(pool->arena, pool->again, (size_t)pool->room, (size_t)wider,
                                   sizeof *again);
        if (!again) {
            return false;
        }
        pool->again = again;
        pool->room = wider;
    }
    pool->again[pool->count] = 1;
    return dt_name_map_put(&pool->taken, name, pool->count++) == DETENT_OK;
}

/* A name that no other one of the pool has. NULL: memory is out. */
static const char *unique(name_pool *pool, const char *source, const char *prefix)
{
    const char *name = plain(pool->arena, source, prefix), *wanted = name;
    int twin;
    while (name && (twin = dt_name_map_get(&pool->taken, name)) >= 0) {
        const int first = dt_name_map_get(&pool->taken, wanted);
        name = dt_arena_printf(pool->arena, "%s_%d", wanted, ++pool->again[first]);
    }
    return name && take(pool, name) ? name : NULL;
}

static bool name_all(dt_robot *robot)
{
    static const char *const taken[] = {"t", "dir", "pi", "if", "and", "or", "not", NULL};
    name_pool bodies = {.arena = robot->arena}, joints = bodies, inputs = bodies;
    dt_name_map_init(&bodies.taken, robot->arena);
    dt_name_map_init(&joints.taken, robot->arena);
    dt_name_map_init(&inputs.taken, robot->arena);
    bool good = take(&bodies, "ground");
    for (const char *const *name = taken; *name; name++) {
        good = good && take(&inputs, *name);
    }
    for (int k = 0; k < robot->body_count && good; k++) {
        good = (robot->bodies[k].id = unique(&bodies, robot->bodies[k].name, "body")) != NULL;
    }
    for (int k = 0; k < robot->joint_count && good; k++) {
        good = (robot->joints[k].id = unique(&joints, robot->joints[k].name, "joint")) != NULL;
    }
    for (int k = 0; k < robot->loop_count && good; k++) { /* which become joints */
        good = (robot->loops[k].id = unique(&joints, robot->loops[k].name, "loop")) != NULL;
    }
    for (int k = 0; k < robot->body_count && good; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        for (int j = 1; j < body->joint_count && good; j++) {
            good = (robot->joints[body->first_joint + j].before =
                        unique(&bodies, body->id, "body")) != NULL;
        }
    }
    for (int k = 0; k < robot->actuator_count && good; k++) {
        good =
            (robot->actuators[k].id = unique(&inputs, robot->actuators[k].name, "input")) != NULL;
    }
    return good;
}

/* ---- bodies that are one ---- */

static bool balance(dt_robot *robot, const dt_robot_body *body, dt_weight *weight)
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
    if (most == 0 ||
        (moment[0] >= -least && moment[2] - moment[0] - moment[1] <= least * moment[2])) {
        return true;
    }
    if (!robot->balances) {
        return false;
    }
    const double mean = fmax(0, (moment[0] + moment[1] + moment[2]) / 3 * most);
    for (int k = 0; k < 6; k++) {
        weight->inertia[k] = k < 3 ? mean : 0;
    }
    return dt_robot_note_at(
        robot, &body->where,
        "body '%s': no real body has its inertia; it is that of a ball now, %.6g kg m^2",
        body->name, mean);
}

static detent_status join_bodies(dt_robot *robot, detent_error *error)
{
    double on_ground = 0;
    for (int k = 0; k < robot->body_count; k++) {
        dt_robot_body *body = &robot->bodies[k];
        const dt_robot_body *parent = body->parent >= 0 ? &robot->bodies[body->parent] : NULL;
        const dt_frame *outer = parent ? &parent->on_carrier : &dt_frame_none;
        if (!balance(robot, body, &body->own)) {
            return dt_fail(
                error, robot->balances ? DETENT_ERROR_MEMORY : DETENT_ERROR_MODEL, &body->where,
                "body '%s': no real body has this inertia: its largest principal moment is more "
                "than the "
                "other two together, or one is negative; --balance makes it that of a ball",
                body->name);
        }
        body->carrier = k;
        body->on_carrier = dt_frame_none;
        if (body->joint_count == 0) {
            body->carrier = parent ? parent->carrier : -1;
            dt_frame_compose(&body->on_carrier, outer, &body->frame);
        }
        if (body->carrier >= 0) {
            dt_weight_add(&robot->bodies[body->carrier].carried, &body->own, &body->on_carrier);
        } else {
            on_ground += body->own.mass;
        }
    }
    if (on_ground > 0 && !dt_robot_note_at(robot, NULL, "%.6g kg stand on the ground", on_ground)) {
        return dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    }
    return DETENT_OK;
}

/* ---- joints ---- */

static void leave_out(dt_robot_joint *joint, unsigned without)
{
    joint->is_limited = joint->is_limited && !(without & DT_ROBOT_LIMITS);
    joint->friction = without & DT_ROBOT_FRICTION ? 0 : joint->friction;
    joint->damping = without & DT_ROBOT_DAMPING ? 0 : joint->damping;
    joint->armature = without & DT_ROBOT_ARMATURE ? 0 : joint->armature;
    joint->actuator = without & DT_ROBOT_ACTUATORS ? -1 : joint->actuator;
}

/* Where joints start: where they are in the reference configuration, or as near as limits and those that they follow let them. */
static bool start(dt_robot *robot, dt_robot_joint *joint)
{
    joint->initial = joint->reference;
    if (joint->is_limited && joint->follows < 0) {
        const double at = fmin(fmax(joint->initial, joint->lower), joint->upper);
        if (at != joint->initial) {
            joint->initial = at;
            return dt_robot_note_at(robot, &joint->where,
                                    "joint '%s' starts at its limit: %.6g is beyond it",
                                    joint->name, joint->reference);
        }
    }
    return true;
}

/* Those that follow another one, which may follow a third. */
static void follow(dt_robot *robot)
{
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *at = &robot->joints[k];
        double factor = 1, offset = 0;
        int steps = 0;
        for (; at->follows >= 0 && steps <= robot->joint_count; steps++) {
            offset += factor * at->offset;
            factor *= at->multiplier;
            at = &robot->joints[at->follows];
        }
        if (steps > 0) {
            robot->joints[k].initial = factor * at->initial + offset;
        }
    }
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
    bool good = true;
    for (int k = 0; k < robot->joint_count && good; k++) {
        leave_out(&robot->joints[k], without);
        good = start(robot, &robot->joints[k]);
    }
    follow(robot);
    if (without & DT_ROBOT_ACTUATORS) {
        robot->actuator_count = 0;
    }
    good = good && name_all(robot) && note_frictionless(robot);
    return good ? join_bodies(robot, error)
                : dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
}
