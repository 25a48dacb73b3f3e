/* Where joints start: a keyframe has the numbers of all of them, in the order of the file. */

#include "import/mjcf.h"

#include "math/rotation.h"

/* The keyframe of that name. NULL: there is none. */
static const dt_xml *find(const dt_mjcf *m)
{
    for (const dt_xml *all = dt_xml_child(m->root, "keyframe"); all; all = dt_xml_again(all)) {
        for (const dt_xml *key = dt_xml_child(all, "key"); key; key = dt_xml_again(key)) {
            const char *name = dt_xml_attribute(key, "name");
            if (name && strcmp(name, m->keyframe) == 0) {
                return key;
            }
        }
    }
    return NULL;
}

static detent_status place(const dt_mjcf *m, const dt_xml *key, const double *q,
                           dt_robot_joint *joint)
{
    const bool is_free = joint->kind == DT_ROBOT_FREE;
    const double *turn = is_free ? q + 3 : q;
    if (joint->kind >= DT_ROBOT_BALL && turn[0] == 0 && turn[1] == 0 && turn[2] == 0 &&
        turn[3] == 0) {
        return dt_mjcf_fail(m, key, "a quaternion in its qpos is zero");
    }
    joint->is_placed = true;
    if (is_free) {
        dt_frame *frame = &m->robot->bodies[joint->body].frame;
        memcpy(frame->p, q, sizeof frame->p);
        dt_rotation_from_quaternion(frame->R, turn);
    } else {
        memcpy(joint->start, q, (joint->kind == DT_ROBOT_BALL ? 4 : 1) * sizeof *q);
    }
    return DETENT_OK;
}

detent_status dt_mjcf_keyframe(const dt_mjcf *m)
{
    if (!m->keyframe) {
        return DETENT_OK;
    }
    const dt_xml *key = find(m);
    double *q = dt_arena_alloc(m->robot->arena, (size_t)m->places + 1, sizeof *q);
    int count;
    if (!key) {
        return dt_fail(m->error, DETENT_ERROR_MODEL, &m->root->where, "there is no keyframe '%s'",
                       m->keyframe);
    }
    if (!q) {
        return dt_mjcf_no_memory(m);
    }
    detent_status status = dt_xml_numbers(key, "qpos", m->places, q, &count, m->error);
    if (!status && count != m->places) {
        return dt_fail(m->error, DETENT_ERROR_MODEL, &key->where,
                       "qpos of <key> has %d numbers, and the joints have %d", count, m->places);
    }
    for (int k = 0; k < m->robot->joint_count && !status; k++) {
        dt_robot_joint *joint = &m->robot->joints[k];
        status = joint->place < 0 ? DETENT_OK : place(m, key, q + joint->place, joint);
    }
    return status;
}
