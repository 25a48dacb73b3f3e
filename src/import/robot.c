#include "import/robot.h"

#include "import/text.h"
#include "math/vec3.h"

#include <stdarg.h>
#include <stdio.h>

const dt_frame dt_frame_none = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

void dt_frame_compose(dt_frame *out, const dt_frame *outer, const dt_frame *inner)
{
    dt_frame both;
    dt_mul33(both.R, outer->R, inner->R);
    dt_rotate(both.p, outer->R, inner->p);
    for (int k = 0; k < 3; k++) {
        both.p[k] += outer->p[k];
    }
    *out = both;
}

void dt_robot_init(dt_robot *robot, dt_arena *arena)
{
    *robot = (dt_robot){.arena = arena, .name = "robot", .gravity = {0, 0, -9.81}};
    dt_name_map_init(&robot->body_names, arena);
    dt_name_map_init(&robot->joint_names, arena);
}

/* One more element of an array. */
static void *more(dt_arena *arena, void *array, int *count, int *room, size_t size)
{
    if (*count == *room) {
        const int wider = *room ? 2 * *room : 16;
        array = dt_arena_grow(arena, array, (size_t)*room, (size_t)wider, size);
        *room = array ? wider : *room;
    }
    *count += array != NULL;
    return array;
}

#define MORE(robot, array, what)                                                        \
    more((robot)->arena, (robot)->array, &(robot)->what##_count, &(robot)->what##_room, \
         sizeof *(robot)->array)

/* Says that two have one name; -1. */
static int refuse_twice(const char *what, const char *name, const dt_location *where,
                        const dt_location *first, detent_error *error)
{
    dt_fail(error, DETENT_ERROR_MODEL, where, "%s '%s' is there already, in line %d", what, name,
            first->line);
    return -1;
}

static int out_of_memory(detent_error *error)
{
    dt_fail(error, DETENT_ERROR_MEMORY, NULL, "out of memory");
    return -1;
}

int dt_robot_add_body(dt_robot *robot, const char *name, int parent, const dt_location *where,
                      detent_error *error)
{
    const int twin = name ? dt_name_map_get(&robot->body_names, name) : -1;
    if (twin >= 0) {
        return refuse_twice("body", name, where, &robot->bodies[twin].where, error);
    }
    dt_robot_body *bodies = MORE(robot, bodies, body);
    if (!bodies || (name && dt_name_map_put(&robot->body_names, name, robot->body_count - 1))) {
        return out_of_memory(error);
    }
    robot->bodies = bodies;
    bodies[robot->body_count - 1] = (dt_robot_body){.name = name ? name : "body",
                                                    .where = *where,
                                                    .parent = parent,
                                                    .frame = dt_frame_none,
                                                    .first_joint = robot->joint_count};
    return robot->body_count - 1;
}

int dt_robot_add_joint(dt_robot *robot, const char *name, dt_robot_joint_kind kind,
                       const dt_location *where, detent_error *error)
{
    const int twin = name ? dt_name_map_get(&robot->joint_names, name) : -1;
    if (twin >= 0) {
        return refuse_twice("joint", name, where, &robot->joints[twin].where, error);
    }
    dt_robot_joint *joints = MORE(robot, joints, joint);
    if (!joints || (name && dt_name_map_put(&robot->joint_names, name, robot->joint_count - 1))) {
        return out_of_memory(error);
    }
    robot->joints = joints;
    joints[robot->joint_count - 1] = (dt_robot_joint){.name = name ? name : "joint",
                                                      .where = *where,
                                                      .kind = kind,
                                                      .body = robot->body_count - 1,
                                                      .axis = {0, 0, 1},
                                                      .place = -1,
                                                      .actuator = -1,
                                                      .follows = -1};
    robot->bodies[robot->body_count - 1].joint_count++;
    return robot->joint_count - 1;
}

bool dt_robot_keep_shape(dt_robot *robot, const dt_robot_shape *shape)
{
    dt_robot_shape *shapes = MORE(robot, shapes, shape);
    if (shapes) {
        robot->shapes = shapes;
        shapes[robot->shape_count - 1] = *shape;
    }
    return shapes != NULL;
}

dt_robot_loop *dt_robot_add_loop(dt_robot *robot)
{
    dt_robot_loop *loops = MORE(robot, loops, loop);
    if (!loops) {
        return NULL;
    }
    robot->loops = loops;
    loops[robot->loop_count - 1] = (dt_robot_loop){.frame = {dt_frame_none, dt_frame_none}};
    return &loops[robot->loop_count - 1];
}

dt_robot_actuator *dt_robot_add_actuator(dt_robot *robot, const char *name, int joint,
                                         const dt_location *where)
{
    dt_robot_actuator *actuators = MORE(robot, actuators, actuator);
    if (!actuators) {
        return NULL;
    }
    const int index = robot->actuator_count - 1;
    robot->actuators = actuators;
    actuators[index] = (dt_robot_actuator){.name = name,
                                           .where = *where,
                                           .joint = joint,
                                           .next = robot->joints[joint].actuator,
                                           .gear = 1,
                                           .gain = 1};
    robot->joints[joint].actuator = index;
    return &actuators[index];
}

bool dt_robot_note_at(dt_robot *robot, const dt_location *where, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *at = text; *at;) { /* a name may have been cut */
        const size_t length = dt_plain_character(at);
        *at = length ? *at : ' ';
        at += length ? length : 1;
    }
    const char *copy = dt_arena_copy(robot->arena, text, strlen(text));
    dt_robot_note *notes = copy ? MORE(robot, notes, note) : NULL;
    if (!notes) {
        return false;
    }
    robot->notes = notes;
    notes[robot->note_count - 1] =
        (dt_robot_note){.where = where ? *where : (dt_location){0}, .text = copy};
    return true;
}
