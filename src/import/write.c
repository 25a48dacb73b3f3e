/* The mechanism file of a robot. */

#include "import/write.h"

#include <stdio.h>

static void put_bodies(dt_growing_text *out, const dt_robot *robot)
{
    dt_put(out, "\nbodies:                       # inertia: xx, yy, zz, xy, xz, yz\n");
    dt_put(out, robot->first_shape >= 0 ? "  ground:\n" : "");
    dt_put_shapes(out, robot, robot->first_shape);
    for (int k = 0; k < robot->body_count; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        for (int j = 1; j < body->joint_count; j++) {
            dt_put_all(out, "  ", robot->joints[body->first_joint + j].before, ": {mass: 0}\n",
                       NULL);
        }
        if (body->carrier != k) {
            continue;
        }
        const dt_mass *w = &body->carried;
        dt_put_all(out, "  ", body->id, ":", NULL);
        dt_put_other_name(out, body->name, body->id);
        dt_put(out, "    mass: ");
        dt_put_number(out, w->mass);
        if (w->mass > 0) {
            dt_put(out, "\n    center_of_mass: ");
            dt_put_row(out, w->com, 3);
            dt_put(out, "\n    inertia: ");
            dt_put_row(out, w->inertia, 6);
        }
        dt_put(out, "\n");
        dt_put_shapes(out, robot, body->first_shape);
    }
}

static void put_joints(dt_growing_text *out, const dt_robot *robot)
{
    dt_put(out, "\njoints:\n");
    for (int k = 0; k < robot->body_count; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        for (int j = 0; j < body->joint_count; j++) {
            dt_put_joint(out, robot, body, body->first_joint + j);
        }
    }
    for (int k = 0; k < robot->loop_count; k++) {
        const dt_robot_loop *loop = &robot->loops[k];
        const char *id[2];
        dt_frame end[2];
        for (int e = 0; e < 2; e++) {
            id[e] = dt_carrier_id(robot, loop->body[e]);
            end[e] = loop->frame[e];
            if (loop->body[e] >= 0) {
                dt_frame_compose(&end[e], &robot->bodies[loop->body[e]].on_carrier, &end[e]);
            }
        }
        /* the ground follows nothing */
        const int base = loop->body[1] < 0 || robot->bodies[loop->body[1]].carrier < 0;
        dt_put_all(out, "  ", loop->id, ":", NULL);
        dt_put_other_name(out, loop->name, loop->id);
        dt_put_all(out, "    type: ", loop->is_weld ? "weld" : "spherical",
                   "\n    base: ", id[base], "\n    follower: ", id[1 - base],
                   "\n    closes: true\n", NULL);
        dt_put_ends(out, &end[base], &end[1 - base]);
    }
}

static void put_stiction(dt_growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *joint = &robot->joints[k];
        if (joint->friction > 0) {
            dt_put(out, any ? ""
                            : "\nstiction:                     # the source knows one friction: at "
                              "rest and in motion\n");
            any = true;
            dt_put_all(out, "  ", joint->id, ": {kinetic: ", NULL);
            dt_put_number(out, joint->friction);
            dt_put(out, ", static: ");
            dt_put_number(out, joint->friction);
            if (joint->actuator >= 0) {
                dt_put(out, ", external: \"");
                dt_put_drive(out, robot, joint);
                dt_put(out, "\"");
            }
            dt_put(out, "}\n");
        }
    }
}

static void put_couplings(dt_growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *joint = &robot->joints[k];
        if (joint->follows < 0) {
            continue;
        }
        const dt_robot_joint *of = &robot->joints[joint->follows];
        dt_put(out, any ? "" : "\ncouplings:\n");
        any = true;
        if (of->kind == joint->kind) {
            dt_put_all(out, "  ", joint->id, "_follows: {type: gear, joints: [", joint->id, ", ",
                       of->id, "], ratio: ", NULL);
            dt_put_number(out, joint->multiplier);
            dt_put(out, "}\n");
        } else {
            dt_put_all(out, "  ", joint->id, "_follows: {type: differential, joints: [", joint->id,
                       ", ", of->id, "], factors: [1, ", NULL);
            dt_put_number(out, -joint->multiplier);
            dt_put(out, "]}\n");
        }
    }
}

/* Bodies that are one with others are points of these: outputs may read where they are. */
static void put_points(dt_growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->body_count; k++) {
        const dt_robot_body *body = &robot->bodies[k];
        if (body->carrier == k) {
            continue;
        }
        dt_put(out,
               any ? ""
                   : "\npoints:                       # bodies that no joint moves against the "
                     "one named\n");
        any = true;
        dt_put_all(out, "  ", body->id, ": {body: ", dt_carrier_id(robot, k), ", at: ", NULL);
        dt_put_frame(out, &body->on_carrier);
        dt_put(out, "}");
        dt_put_other_name(out, body->name, body->id);
    }
}

static void put_inputs(dt_growing_text *out, const dt_robot *robot)
{
    dt_put(out, robot->actuator_count ? "\ninputs:\n" : "");
    for (int k = 0; k < robot->actuator_count; k++) {
        const dt_robot_actuator *a = &robot->actuators[k];
        const dt_robot_joint *joint = &robot->joints[a->joint];
        const bool is_place = a->bias[1] != 0, is_pace = !is_place && a->bias[2] != 0;
        dt_put_all(out, "  ", a->id, ": ", NULL);
        dt_put_number(out, is_place ? a->gear * joint->initial : 0);
        dt_put_all(out,
                   is_place  ? "    # where to, "
                   : is_pace ? "    # how fast, "
                             : "    # force or torque, ",
                   joint->id, "\n", NULL);
    }
}

static void put_outputs(dt_growing_text *out, const dt_robot *robot)
{
    bool any = false;
    for (int k = 0; k < robot->joint_count; k++) {
        const dt_robot_joint *joint = &robot->joints[k];
        if (joint->kind == DT_ROBOT_HINGE || joint->kind == DT_ROBOT_SLIDE) {
            dt_put(out, any ? "" : "\noutputs:\n");
            any = true;
            dt_put_all(out, "  - position(", joint->id, ")\n", NULL);
        }
    }
}

static void put_head(dt_growing_text *out, const dt_robot *robot, const char *source)
{
    const char *slash = strrchr(source, '/');
    dt_put(out, "# Made from ");
    dt_put_remark(out, slash ? slash + 1 : source);
    dt_put(out, " by detent import.\n");
    for (int k = 0; k < robot->note_count; k++) {
        const dt_robot_note *note = &robot->notes[k];
        char line[32] = "";
        if (note->where.line > 0) {
            snprintf(line, sizeof line, "line %d: ", note->where.line);
        }
        dt_put_all(out, k ? "" : "# What is not in here, or may surprise:\n", "#   ", line, NULL);
        dt_put_remark(out, note->text);
        dt_put(out, "\n");
    }
    dt_put(out, "detent: 1\nname: ");
    dt_put_quoted(out, robot->name);
    dt_put(out, "\ngravity: ");
    dt_put_row(out, robot->gravity, 3);
    dt_put(out, "\n");
}

const char *dt_robot_write(const dt_robot *robot, const char *source, size_t *length)
{
    dt_growing_text out = {.arena = robot->arena};
    put_head(&out, robot, source);
    put_inputs(&out, robot);
    if (robot->joint_count > 0 || robot->first_shape >= 0) {
        put_bodies(&out, robot);
    } else {
        dt_put(&out, "\nbodies: {}\n");
    }
    if (robot->joint_count > 0) {
        put_joints(&out, robot);
    }
    put_stiction(&out, robot);
    put_couplings(&out, robot);
    put_points(&out, robot);
    put_outputs(&out, robot);
    dt_put(&out, "\nsimulation: {end: 1 s}\n");
    *length = out.length;
    return out.failed ? NULL : out.text;
}
