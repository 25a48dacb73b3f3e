/* The mechanism file of a robot. */

#include "base/text.h"
#include "import/robot.h"
#include "math/rotation.h"
#include "math/vec3.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- a text that grows ---- */

typedef struct growing_text {
    dt_arena *arena;
    char *text;
    size_t length, room;
    bool failed;
} growing_text;

static void put_bytes(growing_text *out, const char *bytes, size_t length)
{
    if (out->failed) {
        return;
    }
    if (out->length + length + 1 > out->room) {
        const size_t wider = 2 * out->room + length + 4096;
        char *text = dt_arena_grow(out->arena, out->text, out->room, wider, 1);
        out->failed = text == NULL;
        if (!text) {
            return;
        }
        out->text = text;
        out->room = wider;
    }
    memcpy(out->text + out->length, bytes, length);
    out->length += length;
    out->text[out->length] = '\0';
}

static void put(growing_text *out, const char *text)
{
    put_bytes(out, text, strlen(text));
}

static void put_all(growing_text *out, const char *first, ...)
{
    va_list arguments;
    va_start(arguments, first);
    for (const char *text = first; text; text = va_arg(arguments, const char *)) {
        put(out, text);
    }
    va_end(arguments);
}

static void put_number(growing_text *out, double value)
{
    char text[DT_NUMBER_SIZE];
    put_bytes(out, text, dt_format_number(text, value));
}

static void put_row(growing_text *out, const double *values, int count)
{
    put(out, "[");
    for (int k = 0; k < count; k++) {
        put(out, k ? ", " : "");
        put_number(out, values[k] == 0 ? 0 : values[k]); /* no -0 */
    }
    put(out, "]");
}

/* Text of the source in a comment: on its line. */
static void put_remark(growing_text *out, const char *text)
{
    for (; *text; text++) {
        const char c = (unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text;
        put_bytes(out, &c, 1);
    }
}

static void put_quoted(growing_text *out, const char *text)
{
    put(out, "\"");
    for (; *text; text++) {
        const char c = (unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text;
        if (c == '"' || c == '\\') {
            put(out, "\\");
        }
        put_bytes(out, &c, 1);
    }
    put(out, "\"");
}

/* What the source calls it, where that is not its name here. */
static void put_other_name(growing_text *out, const char *name, const char *id)
{
    if (strcmp(name, id) != 0) {
        put(out, "    # '");
        put_remark(out, name);
        put(out, "'");
    }
    put(out, "\n");
}

/* ---- frames ---- */

static bool is_turned(const dt_frame *f)
{
    return memcmp(f->R, dt_frame_none.R, sizeof f->R) != 0;
}

static bool is_somewhere(const dt_frame *f)
{
    return is_turned(f) || f->p[0] != 0 || f->p[1] != 0 || f->p[2] != 0;
}

static void put_frame(growing_text *out, const dt_frame *f)
{
    if (!is_turned(f)) {
        put_row(out, f->p, 3);
        return;
    }
    double q[4];
    dt_quaternion_from_rotation(q, f->R);
    put(out, "{point: ");
    put_row(out, f->p, 3);
    put(out, ", rotation: {quaternion: ");
    put_row(out, q, 4);
    put(out, "}}");
}

static void put_ends(growing_text *out, const dt_frame *base, const dt_frame *follower)
{
    if (is_somewhere(base) || is_somewhere(follower)) {
        put(out, "    at: {");
        if (is_somewhere(base)) {
            put(out, "base: ");
            put_frame(out, base);
        }
        if (is_somewhere(follower)) {
            put(out, is_somewhere(base) ? ", follower: " : "follower: ");
            put_frame(out, follower);
        }
        put(out, "}\n");
    }
}

/* ---- sections ---- */

static const char *carrier_id(const dt_robot *robot, int body)
{
    const int carrier = body >= 0 ? robot->bodies[body].carrier : -1;
    return carrier >= 0 ? robot->bodies[carrier].id : "ground";
}

static void put_bodies(growing_text *out, const dt_robot *robot)
{
    put(out, "\nbodies:                       # inertia: xx, yy, zz, xy, xz, yz\n");
    for (int k = 0; k < robot->body_count; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        for (int j = 1; j < body->joint_count; j++) {
            put_all(out, "  ", robot->joints[body->first_joint + j].before, ": {mass: 0}\n", NULL);
        }
        if (body->carrier != k) {
            continue;
        }
        const dt_weight *w = &body->carried;
        put_all(out, "  ", body->id, ":", NULL);
        put_other_name(out, body->name, body->id);
        put(out, "    mass: ");
        put_number(out, w->mass);
        if (w->mass > 0) {
            put(out, "\n    center_of_mass: ");
            put_row(out, w->center, 3);
            put(out, "\n    inertia: ");
            put_row(out, w->inertia, 6);
        }
        put(out, "\n");
    }
}

/* Of a joint at its reference, the follower's frame. */
static void turn_by_reference(const dt_robot_joint *joint, dt_frame *follower)
{
    if (joint->reference != 0 && joint->kind == DT_ROBOT_HINGE) {
        double q[4];
        dt_quaternion_from_axis(q, joint->axis, joint->reference);
        dt_rotation_from_quaternion(follower->R, q);
    } else if (joint->reference != 0 && joint->kind == DT_ROBOT_SLIDE) {
        const double length = dt_norm3(joint->axis);
        for (int k = 0; k < 3; k++) {
            follower->p[k] += joint->reference * joint->axis[k] / length;
        }
    }
}

static void put_key(growing_text *out, const char *key, double value)
{
    if (value != 0) {
        put_all(out, "    ", key, ": ", NULL);
        put_number(out, value);
        put(out, "\n");
    }
}

static void put_product(growing_text *out, double factor, const char *what)
{
    if (factor != 1) {
        put_number(out, factor);
        put(out, "*");
    }
    put(out, what);
}

/* The force of what drives a joint. */
static void put_drive(growing_text *out, const dt_robot *robot, const dt_robot_joint *joint)
{
    for (int k = joint->actuator; k >= 0; k = robot->actuators[k].next) {
        const dt_robot_actuator *a = &robot->actuators[k];
        put(out, k == joint->actuator ? "" : " + ");
        put_product(out, a->gear, a->is_limited ? "max(" : a->is_servo ? "(" : "");
        if (a->is_limited) {
            put_number(out, a->lower);
            put(out, ", min(");
            put_number(out, a->upper);
            put(out, ", ");
        }
        put_product(out, a->is_servo ? a->kp : 1, a->is_servo ? "(" : "");
        put(out, a->id);
        if (a->is_servo) {
            put(out, " - ");
            put_product(out, a->gear, "position(");
            put_all(out, joint->id, "))", NULL);
            if (a->kv != 0) {
                put(out, " - ");
                put_product(out, a->kv * a->gear, "velocity(");
                put_all(out, joint->id, ")", NULL);
            }
        }
        put(out, a->is_limited ? "))" : a->is_servo ? ")" : "");
    }
}

static void put_one_freedom(growing_text *out, const dt_robot *robot, const dt_robot_joint *joint)
{
    put(out, "    axis: ");
    put_row(out, joint->axis, 3);
    put(out, "\n");
    if (joint->initial != 0) {
        put(out, "    initial: {position: ");
        put_number(out, joint->initial);
        put(out, "}\n");
    }
    if (joint->is_limited && joint->follows < 0) {
        put(out, "    stops: {lower: {at: ");
        put_number(out, joint->lower);
        put(out, "}, upper: {at: ");
        put_number(out, joint->upper);
        put(out, "}}\n");
    }
    if (joint->stiffness != 0) {
        put(out, "    spring: {stiffness: ");
        put_number(out, joint->stiffness);
        put(out, ", rest: ");
        put_number(out, joint->rest);
        put(out, "}\n");
    }
    put_key(out, "armature", joint->armature);
    if (joint->actuator >= 0 && joint->friction == 0) {
        put(out, "    force: \"");
        put_drive(out, robot, joint);
        put(out, "\"\n");
    }
}

/* A free joint tells where the body is in the frame of its base, so that is where it starts. */
static void put_free_start(growing_text *out, const dt_frame *f)
{
    put(out, "    primitives:\n");
    for (int k = 0; k < 3; k++) {
        const char name[] = {'p', (char)('1' + k), '\0'};
        put_all(out, "      ", name, ": {initial: {position: ", NULL);
        put_number(out, f->p[k]);
        put(out, "}}\n");
    }
    if (is_turned(f)) {
        double q[4];
        dt_quaternion_from_rotation(q, f->R);
        put(out, "      s1: {initial: {position: {quaternion: ");
        put_row(out, q, 4);
        put(out, "}}}\n");
    }
}

static void put_joint(growing_text *out, const dt_robot *robot, const dt_robot_body *body, int at)
{
    static const char *const types[] = {[DT_ROBOT_HINGE] = "revolute",
                                        [DT_ROBOT_SLIDE] = "prismatic",
                                        [DT_ROBOT_BALL] = "spherical",
                                        [DT_ROBOT_FREE] = "free"};
    const dt_robot_joint *joint = &robot->joints[at];
    const bool is_first = at == body->first_joint,
               is_last = at == body->first_joint + body->joint_count - 1;
    const bool is_free = joint->kind == DT_ROBOT_FREE;
    dt_frame base = dt_frame_none, follower = dt_frame_none;
    memcpy(base.p, joint->point, sizeof base.p);
    memcpy(follower.p, joint->point, sizeof follower.p);
    turn_by_reference(joint, &follower);
    if (is_first) {
        dt_frame_compose(&base, is_free ? &dt_frame_none : &body->frame, &base);
        if (body->parent >= 0) {
            dt_frame_compose(&base, &robot->bodies[body->parent].on_carrier, &base);
        }
    }
    put_all(out, "  ", joint->id, ":", NULL);
    put_other_name(out, joint->name, joint->id);
    if (joint->remark) {
        put(out, "    # ");
        put_remark(out, joint->remark);
        put(out, "\n");
    }
    put_all(out, "    type: ", types[joint->kind], "\n    base: ", NULL);
    put_all(out, is_first ? carrier_id(robot, body->parent) : joint->before,
            "\n    follower: ", is_last ? body->id : robot->joints[at + 1].before, "\n", NULL);
    put_ends(out, &base, &follower);
    if (joint->kind == DT_ROBOT_HINGE || joint->kind == DT_ROBOT_SLIDE) {
        put_one_freedom(out, robot, joint);
    }
    if (!is_free) {
        put_key(out, "damping", joint->damping);
    } else if (is_somewhere(&body->frame)) {
        put_free_start(out, &body->frame);
    }
}

static void put_joints(growing_text *out, const dt_robot *robot)
{
    put(out, "\njoints:\n");
    for (int k = 0; k < robot->body_count; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        for (int j = 0; j < body->joint_count; j++) {
            put_joint(out, robot, body, body->first_joint + j);
        }
    }
    for (int k = 0; k < robot->loop_count; k++) {
        const dt_robot_loop *loop = &robot->loops[k];
        dt_frame end[2];
        for (int e = 0; e < 2; e++) {
            end[e] = loop->frame[e];
            if (loop->body[e] >= 0) {
                dt_frame_compose(&end[e], &robot->bodies[loop->body[e]].on_carrier, &end[e]);
            }
        }
        put_all(out, "  ", loop->id, ":", NULL);
        put_other_name(out, loop->name, loop->id);
        put_all(out, "    type: ", loop->is_weld ? "weld" : "spherical",
                "\n    base: ", carrier_id(robot, loop->body[0]),
                "\n    follower: ", carrier_id(robot, loop->body[1]), "\n    closes: true\n", NULL);
        put_ends(out, &end[0], &end[1]);
    }
}

static void put_stiction(growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *joint = &robot->joints[k];
        if (joint->friction > 0) {
            put(out, any ? ""
                         : "\nstiction:                     # the source knows one friction: at "
                           "rest and in motion\n");
            any = true;
            put_all(out, "  ", joint->id, ": {kinetic: ", NULL);
            put_number(out, joint->friction);
            put(out, ", static: ");
            put_number(out, joint->friction);
            if (joint->actuator >= 0) {
                put(out, ", external: \"");
                put_drive(out, robot, joint);
                put(out, "\"");
            }
            put(out, "}\n");
        }
    }
}

static void put_couplings(growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *joint = &robot->joints[k];
        if (joint->follows < 0) {
            continue;
        }
        const dt_robot_joint *of = &robot->joints[joint->follows];
        put(out, any ? "" : "\ncouplings:\n");
        any = true;
        if (of->kind == joint->kind) {
            put_all(out, "  ", joint->id, "_follows: {type: gear, joints: [", joint->id, ", ",
                    of->id, "], ratio: ", NULL);
            put_number(out, joint->multiplier);
            put(out, "}\n");
        } else {
            put_all(out, "  ", joint->id, "_follows: {type: differential, joints: [", joint->id,
                    ", ", of->id, "], factors: [1, ", NULL);
            put_number(out, -joint->multiplier);
            put(out, "]}\n");
        }
    }
}

/* Bodies that are one with others are points of these: outputs may read where they are. */
static void put_points(growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->body_count; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        if (body->carrier == k) {
            continue;
        }
        put(out, any ? ""
                     : "\npoints:                       # bodies that no joint moves against the "
                       "one named\n");
        any = true;
        put_all(out, "  ", body->id, ": {body: ", carrier_id(robot, k), ", at: ", NULL);
        put_frame(out, &body->on_carrier);
        put(out, "}");
        put_other_name(out, body->name, body->id);
    }
}

static void put_inputs(growing_text *out, const dt_robot *robot)
{
    put(out, robot->actuator_count ? "\ninputs:\n" : "");
    for (int k = 0; k < robot->actuator_count; k++) {
        const dt_robot_actuator *a = &robot->actuators[k];
        const dt_robot_joint *joint = &robot->joints[a->joint];
        put_all(out, "  ", a->id, ": ", NULL);
        put_number(out, a->is_servo ? a->gear * joint->initial : 0);
        put_all(out, a->is_servo ? "    # where to, " : "    # force or torque, ", joint->id, "\n",
                NULL);
    }
}

static void put_outputs(growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *joint = &robot->joints[k];
        if (joint->kind == DT_ROBOT_HINGE || joint->kind == DT_ROBOT_SLIDE) {
            put(out, any ? "" : "\noutputs:\n");
            any = true;
            put_all(out, "  - position(", joint->id, ")\n", NULL);
        }
    }
}

static void put_head(growing_text *out, const dt_robot *robot, const char *source)
{
    const char *slash = strrchr(source, '/');
    put(out, "# Made from ");
    put_remark(out, slash ? slash + 1 : source);
    put(out, " by detent import.\n");
    for (int k = 0; k < robot->note_count; k++) {
        const dt_robot_note *note = &robot->notes[k];
        char line[32] = "";
        if (note->where.line > 0) {
            snprintf(line, sizeof line, "line %d: ", note->where.line);
        }
        put_all(out, k ? "" : "# What is not in here, or may surprise:\n", "#   ", line, NULL);
        put_remark(out, note->text);
        put(out, "\n");
    }
    put(out, "detent: 1\nname: ");
    put_quoted(out, robot->name);
    put(out, "\ngravity: ");
    put_row(out, robot->gravity, 3);
    put(out, "\n");
}

const char *dt_robot_write(const dt_robot *robot, const char *source, size_t *length)
{
    growing_text out = {.arena = robot->arena};
    put_head(&out, robot, source);
    put_inputs(&out, robot);
    put_bodies(&out, robot);
    put_joints(&out, robot);
    put_stiction(&out, robot);
    put_couplings(&out, robot);
    put_points(&out, robot);
    put_outputs(&out, robot);
    put(&out, "\nsimulation: {end: 1 s}\n");
    *length = out.length;
    return out.failed ? NULL : out.text;
}
