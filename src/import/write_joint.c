/* One joint in the mechanism file, and what drives it. */

#include "import/write.h"

#include "math/rotation.h"
#include "math/vec3.h"

#include <math.h>

/* What the source calls it, where that is not its name here. */
void dt_put_other_name(dt_growing_text *out, const char *name, const char *id)
{
    if (strcmp(name, id) != 0) {
        dt_put(out, "    # '");
        dt_put_remark(out, name);
        dt_put(out, "'");
    }
    dt_put(out, "\n");
}

/* ---- frames ---- */

static bool is_turned(const dt_frame *f)
{
    return memcmp(f->R, dt_frame_none.R, sizeof f->R) != 0;
}

bool dt_is_somewhere(const dt_frame *f)
{
    return is_turned(f) || f->p[0] != 0 || f->p[1] != 0 || f->p[2] != 0;
}

void dt_put_frame(dt_growing_text *out, const dt_frame *f)
{
    if (!is_turned(f)) {
        dt_put_row(out, f->p, 3);
        return;
    }
    double q[4];
    dt_quaternion_from_rotation(q, f->R);
    dt_put(out, "{point: ");
    dt_put_row(out, f->p, 3);
    dt_put(out, ", rotation: {quaternion: ");
    dt_put_row(out, q, 4);
    dt_put(out, "}}");
}

void dt_put_ends(dt_growing_text *out, const dt_frame *base, const dt_frame *follower)
{
    if (dt_is_somewhere(base) || dt_is_somewhere(follower)) {
        dt_put(out, "    at: {");
        if (dt_is_somewhere(base)) {
            dt_put(out, "base: ");
            dt_put_frame(out, base);
        }
        if (dt_is_somewhere(follower)) {
            dt_put(out, dt_is_somewhere(base) ? ", follower: " : "follower: ");
            dt_put_frame(out, follower);
        }
        dt_put(out, "}\n");
    }
}

const char *dt_carrier_id(const dt_robot *robot, int body)
{
    const int carrier = body >= 0 ? robot->bodies[body].carrier : -1;
    return carrier >= 0 ? robot->bodies[carrier].id : "ground";
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

static void put_key(dt_growing_text *out, const char *key, double value)
{
    if (value != 0) {
        dt_put_all(out, "    ", key, ": ", NULL);
        dt_put_number(out, value);
        dt_put(out, "\n");
    }
}

static void put_product(dt_growing_text *out, double factor, const char *what)
{
    if (factor != 1) {
        dt_put_number(out, factor);
        dt_put(out, "*");
    }
    dt_put(out, what);
}

/* " + factor*what", where it is not zero. */
static void put_term(dt_growing_text *out, double factor, const char *before, double gear,
                     const char *read, const char *id)
{
    if (factor == 0) {
        return;
    }
    dt_put(out, before ? before : factor < 0 ? " - " : " + ");
    if (!read) {
        dt_put_number(out, fabs(factor));
        return;
    }
    if (before) {
        put_product(out, gear, read);
    } else { /* a factor takes the unit away, also where it is one */
        dt_put_number(out, fabs(factor) * gear);
        dt_put_all(out, "*", read, NULL);
    }
    dt_put_all(out, id, ")", NULL);
}

/* "max(-1, min(2, ": what follows is between limits; end_limits() ends it. */
static void begin_limits(dt_growing_text *out, const dt_robot_limits *limits)
{
    dt_put(out, "max(");
    dt_put_number(out, limits->lower);
    dt_put(out, ", min(");
    dt_put_number(out, limits->upper);
    dt_put(out, ", ");
}

static void put_control(dt_growing_text *out, const dt_robot_actuator *a)
{
    if (a->control.is_there) {
        begin_limits(out, &a->control);
    }
    dt_put_all(out, a->id, a->control.is_there ? "))" : "", NULL);
}

/* What is behind the first gear: gain u + bias, with what the gain multiplies in one pair of parentheses. */
static void put_actuator(dt_growing_text *out, const dt_robot_actuator *a, const char *joint)
{
    const bool is_place = a->gain != 0 && a->bias[1] == -a->gain,
               is_pace = !is_place && a->gain != 0 && a->bias[2] == -a->gain;
    if (is_place || is_pace) {
        dt_put_number(out, a->gain);
        dt_put(out, "*(");
        put_control(out, a);
        put_term(out, 1, " - ", a->gear, is_place ? "position(" : "velocity(", joint);
        dt_put(out, ")");
    } else {
        put_product(out, a->gain, "");
        put_control(out, a);
    }
    put_term(out, a->bias[0], NULL, 1, NULL, NULL);
    put_term(out, is_place ? 0 : a->bias[1], NULL, a->gear, "position(", joint);
    put_term(out, is_pace ? 0 : a->bias[2], NULL, a->gear, "velocity(", joint);
}

void dt_put_drive(dt_growing_text *out, const dt_robot *robot, const dt_robot_joint *joint)
{
    for (int k = joint->actuator; k >= 0; k = robot->actuators[k].next) {
        const dt_robot_actuator *a = &robot->actuators[k];
        const bool has_sum =
            a->gear != 1 && (a->bias[0] != 0 || a->bias[1] != 0 || a->bias[2] != 0);
        dt_put(out, k == joint->actuator ? "" : " + ");
        if (a->force.is_there) {
            put_product(out, a->gear, "");
            begin_limits(out, &a->force);
        } else {
            put_product(out, a->gear, has_sum ? "(" : "");
        }
        put_actuator(out, a, joint->id);
        dt_put(out, a->force.is_there ? "))" : has_sum ? ")" : "");
    }
}

static void put_one_freedom(dt_growing_text *out, const dt_robot *robot,
                            const dt_robot_joint *joint)
{
    dt_put(out, "    axis: ");
    dt_put_row(out, joint->axis, 3);
    dt_put(out, "\n");
    if (joint->initial != 0) {
        dt_put(out, "    initial: {position: ");
        dt_put_number(out, joint->initial);
        dt_put(out, "}\n");
    }
    if (joint->is_limited && joint->follows < 0) {
        dt_put(out, "    stops: {lower: {at: ");
        dt_put_number(out, joint->lower);
        dt_put(out, "}, upper: {at: ");
        dt_put_number(out, joint->upper);
        dt_put(out, "}}\n");
    }
    if (joint->stiffness != 0) {
        dt_put(out, "    spring: {stiffness: ");
        dt_put_number(out, joint->stiffness);
        dt_put(out, ", rest: ");
        dt_put_number(out, joint->rest);
        dt_put(out, "}\n");
    }
    put_key(out, "armature", joint->armature);
    if (joint->actuator >= 0 && joint->friction == 0) {
        dt_put(out, "    force: \"");
        dt_put_drive(out, robot, joint);
        dt_put(out, "\"\n");
    }
}

/* A free joint tells where the body is in the frame of its base, so that is where it starts. */
static void put_free_start(dt_growing_text *out, const dt_frame *f)
{
    dt_put(out, "    primitives:\n");
    for (int k = 0; k < 3; k++) {
        const char name[] = {'p', (char)('1' + k), '\0'};
        dt_put_all(out, "      ", name, ": {initial: {position: ", NULL);
        dt_put_number(out, f->p[k]);
        dt_put(out, "}}\n");
    }
    if (is_turned(f)) {
        double q[4];
        dt_quaternion_from_rotation(q, f->R);
        dt_put(out, "      s1: {initial: {position: {quaternion: ");
        dt_put_row(out, q, 4);
        dt_put(out, "}}}\n");
    }
}

void dt_put_joint(dt_growing_text *out, const dt_robot *robot, const dt_robot_body *body, int at)
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
    dt_put_all(out, "  ", joint->id, ":", NULL);
    dt_put_other_name(out, joint->name, joint->id);
    if (joint->remark) {
        dt_put(out, "    # ");
        dt_put_remark(out, joint->remark);
        dt_put(out, "\n");
    }
    dt_put_all(out, "    type: ", types[joint->kind], "\n    base: ", NULL);
    dt_put_all(out, is_first ? dt_carrier_id(robot, body->parent) : joint->before,
               "\n    follower: ", is_last ? body->id : robot->joints[at + 1].before, "\n", NULL);
    dt_put_ends(out, &base, &follower);
    if (joint->kind == DT_ROBOT_HINGE || joint->kind == DT_ROBOT_SLIDE) {
        put_one_freedom(out, robot, joint);
    }
    if (joint->kind == DT_ROBOT_BALL && joint->is_placed) {
        dt_put(out, "    initial: {position: {quaternion: ");
        dt_put_row(out, joint->start, 4);
        dt_put(out, "}}\n");
    }
    if (!is_free) {
        put_key(out, "damping", joint->damping);
    } else if (dt_is_somewhere(&body->frame)) {
        put_free_start(out, &body->frame);
    }
}
