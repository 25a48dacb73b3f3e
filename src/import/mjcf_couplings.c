/* What holds bodies and joints together beside the tree. */

#include "import/mjcf.h"

#include "math/rotation.h"
#include "math/vec3.h"

/* Where a body stands in the world, in the reference configuration. */
static void pose_of(const dt_robot *robot, int body, dt_frame *pose)
{
    *pose = dt_frame_none;
    for (; body >= 0; body = robot->bodies[body].parent) {
        dt_frame_compose(pose, &robot->bodies[body].frame, pose);
    }
}

static void invert(dt_frame *out, const dt_frame *f)
{
    for (int k = 0; k < 9; k++) {
        out->R[k] = f->R[3 * (k % 3) + k / 3];
    }
    dt_rotate(out->p, out->R, f->p);
    for (int k = 0; k < 3; k++) {
        out->p[k] = -out->p[k];
    }
}

/* The body that an attribute names; the world where it names none. */
static detent_status find_body(const dt_mjcf *m, const dt_xml *e, const char *attribute, int *body)
{
    const char *name = dt_xml_attribute(e, attribute);
    *body = name && strcmp(name, "world") != 0 ? dt_name_map_get(&m->robot->body_names, name) : -1;
    return *body < 0 && name && strcmp(name, "world") != 0
               ? dt_fail(m->error, DETENT_ERROR_MODEL, &e->where, "there is no body '%s'", name)
               : DETENT_OK;
}

static detent_status read_loop(const dt_mjcf *m, const dt_xml *e, bool *is_taken)
{
    int body[2];
    dt_frame pose[2], between;
    double place[7] = {0, 0, 0, 0, 0, 0, 0}, anchor[3] = {0};
    *is_taken = dt_xml_attribute(e, "body1") != NULL;
    if (!*is_taken) {
        return DETENT_OK;
    }
    detent_status status = find_body(m, e, "body1", &body[0]);
    status = status ? status : find_body(m, e, "body2", &body[1]);
    status = status ? status : dt_xml_vector(e, "relpose", 7, place, m->error);
    status = status ? status : dt_xml_vector(e, "anchor", 3, anchor, m->error);
    if (status) {
        return status;
    }
    dt_robot_loop *loop = dt_robot_add_loop(m->robot);
    if (!loop) {
        return dt_mjcf_no_memory(m);
    }
    const char *name = dt_xml_attribute(e, "name");
    loop->name = name ? name : e->name;
    loop->where = e->where;
    loop->is_weld = strcmp(e->name, "weld") == 0;
    for (int k = 0; k < 2; k++) {
        loop->body[k] = body[k];
        pose_of(m->robot, body[k], &pose[k]);
    }
    /* the place of the second body, as the first one sees it */
    invert(&between, &pose[0]);
    dt_frame_compose(&between, &between, &pose[1]);
    if (loop->is_weld) {
        loop->frame[0] = between;
        if (place[3] != 0 || place[4] != 0 || place[5] != 0 || place[6] != 0) {
            memcpy(loop->frame[0].p, place, sizeof loop->frame[0].p);
            dt_rotation_from_quaternion(loop->frame[0].R, place + 3);
        }
        return DETENT_OK;
    }
    dt_frame back;
    invert(&back, &between);
    memcpy(loop->frame[0].R, between.R, sizeof between.R); /* the two frames are one at the start */
    memcpy(loop->frame[0].p, anchor, sizeof anchor);
    dt_rotate(loop->frame[1].p, back.R, anchor);
    for (int k = 0; k < 3; k++) {
        loop->frame[1].p[k] += back.p[k];
    }
    return DETENT_OK;
}

/* A joint that follows another one in proportion. */
static detent_status read_follower(const dt_mjcf *m, const dt_xml *e, bool *is_taken)
{
    double c[5] = {0, 1, 0, 0, 0};
    const char *name[2] = {dt_xml_attribute(e, "joint1"), dt_xml_attribute(e, "joint2")};
    int joint[2] = {-1, -1}, count;
    detent_status status = dt_xml_numbers(e, "polycoef", 5, c, &count, m->error);
    for (int k = 0; k < 2 && !status; k++) {
        joint[k] = name[k] ? dt_name_map_get(&m->robot->joint_names, name[k]) : -1;
        if (name[k] && joint[k] < 0) {
            return dt_fail(m->error, DETENT_ERROR_MODEL, &e->where, "there is no joint '%s'",
                           name[k]);
        }
    }
    *is_taken =
        !status && joint[0] >= 0 && joint[1] >= 0 && joint[0] != joint[1] && c[1] != 0 &&
        c[2] == 0 && c[3] == 0 && c[4] == 0 && m->robot->joints[joint[0]].kind <= DT_ROBOT_SLIDE &&
        m->robot->joints[joint[1]].kind <= DT_ROBOT_SLIDE && m->robot->joints[joint[0]].follows < 0;
    for (int k = joint[1], steps = 0; *is_taken && k >= 0; k = m->robot->joints[k].follows) {
        *is_taken = k != joint[0] && ++steps <= m->robot->joint_count;
    }
    if (*is_taken) {
        dt_robot_joint *of = &m->robot->joints[joint[0]];
        of->follows = joint[1];
        of->follows_where = e->where;
        of->multiplier = c[1];
        of->offset = of->reference + c[0] - c[1] * m->robot->joints[joint[1]].reference;
    }
    return status;
}

/* A line for each: what it held, limited or drove is not there. */
static bool note_tendons(const dt_mjcf *m)
{
    bool ok = true;
    for (const dt_xml *all = dt_xml_child(m->root, "tendon"); all && ok; all = dt_xml_again(all)) {
        for (const dt_xml *e = all->first; e && ok; e = e->next) {
            const char *name = dt_xml_attribute(e, "name");
            ok = dt_robot_note_at(m->robot, &e->where,
                                  "<%.60s> of <tendon>, '%.100s', is left out: what it springs, "
                                  "limits or drives is to be added by hand, as a 'differential' "
                                  "between its joints or as forces along them",
                                  e->name, name ? name : "");
        }
    }
    return ok;
}

detent_status dt_mjcf_couplings(const dt_mjcf *m)
{
    detent_status status = note_tendons(m) ? DETENT_OK : dt_mjcf_no_memory(m);
    for (const dt_xml *all = dt_xml_child(m->root, "equality"); all && !status;
         all = dt_xml_again(all)) {
        for (const dt_xml *e = all->first; e && !status; e = e->next) {
            const char *active = dt_xml_attribute(e, "active");
            bool is_taken = active && strcmp(active, "false") == 0;
            if (is_taken) {
                continue;
            }
            if (strcmp(e->name, "connect") == 0 || strcmp(e->name, "weld") == 0) {
                status = read_loop(m, e, &is_taken);
            } else if (strcmp(e->name, "joint") == 0) {
                status = read_follower(m, e, &is_taken);
            }
            if (!status && !is_taken &&
                !dt_robot_note_at(
                    m->robot, &e->where,
                    "<%.60s> of <equality> is left out: points and welds of bodies are "
                    "taken, and joints that follow one other in proportion",
                    e->name)) {
                return dt_mjcf_no_memory(m);
            }
        }
    }
    return status;
}
