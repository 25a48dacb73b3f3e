/* From joints in tree order to nodes. The frame of a node is its follower's joint frame:
 *
 *   node of the first primitive     tree transform = (base body in its node) (joint frame in the base body)
 *   the others                      tree transform = 1, and no mass
 *   body in the last node           the inverse of (joint frame in the follower body)
 *   mass of the last node           that of the body, moved into the node's frame */

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/record.h"

#include <string.h>

const dt_mass dt_massless;

typedef struct dt_parts {
    dt_node *nodes;
    dt_body *bodies;
    dt_joint *joints;
    dt_primitive *primitives;
    double *position, *velocity;
    const dt_body_pose *last_pose; /* of the body before, or NULL */
    const dt_mass *last_mass;      /* the same */
    const dt_joint_frame *last_frame;
    int *ghosts; /* of each body */
    int count;   /* of nodes so far */
    int q, v;
} dt_parts;

static void set_identity(double R[9], double p[3])
{
    for (int k = 0; k < 9; k++) {
        R[k] = k % 4 == 0 ? 1.0 : 0.0;
    }
    p[0] = p[1] = p[2] = 0.0;
}

/* (R, p) = (A, a) (B, b) */
static void compose(double R[9], double p[3], const double A[9], const double a[3],
                    const double B[9], const double b[3])
{
    dt_mul33(R, A, B);
    dt_rotate(p, A, b);
    for (int k = 0; k < 3; k++) {
        p[k] += a[k];
    }
}

/* The follower's pose in the last node of its joint. */
static dt_body_pose follower_pose(const dt_joint_record *joint)
{
    dt_body_pose pose;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            pose.R[3 * r + c] = joint->follower_R[3 * c + r];
        }
    }
    dt_rotate(pose.p, pose.R, joint->follower_p);
    for (int k = 0; k < 3; k++) {
        pose.p[k] = -pose.p[k];
    }
    return pose;
}

/* The pose in memory that lasts: that of the body before where it is the same. NULL when memory is out. */
static const dt_body_pose *keep_pose(detent_mechanism *m, dt_parts *parts, dt_body_pose pose)
{
    if (!parts->last_pose || memcmp(parts->last_pose, &pose, sizeof pose) != 0) {
        dt_body_pose *kept = dt_arena_one(&m->arena, sizeof *kept);
        if (kept) {
            *kept = pose;
        }
        parts->last_pose = kept;
    }
    return parts->last_pose;
}

/* The same of the frame of a joint. */
static const dt_joint_frame *keep_frame(detent_mechanism *m, dt_parts *parts, dt_joint_frame frame)
{
    if (!parts->last_frame || memcmp(parts->last_frame, &frame, sizeof frame) != 0) {
        dt_joint_frame *kept = dt_arena_one(&m->arena, sizeof *kept);
        if (kept) {
            *kept = frame;
        }
        parts->last_frame = kept;
    }
    return parts->last_frame;
}

/* A mass in memory that lasts: that of the body before where it is the same. NULL when memory is out. */
static const dt_mass *keep_mass(detent_mechanism *m, dt_parts *parts, const dt_mass *mass)
{
    if (!parts->last_mass || memcmp(parts->last_mass, mass, sizeof *mass) != 0) {
        dt_mass *kept = dt_arena_one(&m->arena, sizeof *kept);
        if (kept) {
            *kept = *mass;
        }
        parts->last_mass = kept;
    }
    return parts->last_mass;
}

/* A part of the follower's mass, or all, in the last node of its joint. False when memory is out. */
static bool place_mass(detent_mechanism *m, dt_parts *parts, const dt_body_pose *pose,
                       const dt_body_record *record, double part)
{
    dt_mass mass = {.mass = part * record->def.mass};
    dt_rotate(mass.com, pose->R, record->def.center_of_mass);
    for (int k = 0; k < 3; k++) {
        mass.com[k] += pose->p[k];
    }
    dt_rotate_tensor(mass.inertia, pose->R, record->def.inertia);
    for (int k = 0; k < 6 && part != 1; k++) {
        mass.inertia[k] *= part;
    }
    parts->nodes[parts->count - 1].body = keep_mass(m, parts, &mass);
    return parts->last_mass != NULL;
}

static bool name_primitive(detent_mechanism *m, const dt_joint_record *joint,
                           const dt_primitive_record *record, dt_primitive *primitive)
{
    primitive->name = joint->primitive_count == 1
                          ? joint->name
                          : dt_arena_printf(&m->arena, "%s.%s", joint->name, record->suffix);
    return primitive->name != NULL;
}

/* A number to its place; most mechanisms have nothing in columns. */
static bool keep_number(detent_mechanism *m, const dt_primitive_key *key, double value, int index,
                        dt_node *node, dt_primitive *primitive)
{
    if (key->place == DT_IN_NODE || key->place == DT_IN_PRIMITIVE) {
        char *owner = key->place == DT_IN_NODE ? (char *)node : (char *)primitive;
        *(double *)(void *)(owner + key->member) = value;
        return true;
    }
    if (value == 0.0) {
        return true;
    }
    if (!m->column) {
        m->column = dt_arena_alloc(&m->arena, DT_PRIMITIVE_COLUMNS, sizeof *m->column);
    }
    double **column = m->column ? &m->column[key - dt_primitive_keys] : NULL;
    if (column && !*column) {
        *column = dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof **column);
    }
    if (column && *column) {
        (*column)[index] = value;
    }
    return column && *column;
}

/* What the keys of a primitive say in numbers. */
static bool keep_numbers(detent_mechanism *m, const dt_primitive_record *record, int index,
                         dt_node *node, dt_primitive *primitive)
{
    bool ok = true;
    for (const dt_primitive_key *key = dt_primitive_keys; key->name && ok; key++) {
        const double *value = dt_primitive_field(key, &record->def);
        ok = key->count != 1 || keep_number(m, key, *value, index, node, primitive);
    }
    return ok;
}

static bool keep_motion(detent_mechanism *m, const dt_joint_record *joint, int k, int index)
{
    const dt_primitive_record *record =
        DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, joint->first_primitive + k);
    if (!dt_motion_text(&record->def)) {
        return true;
    }
    dt_location where =
        dt_locate(m->builder, &joint->origin, joint->primitive_count > 1 ? record->suffix : NULL,
                  record->def.speed ? "speed" : "motion", -1);
    if (!m->motion_place) {
        m->motion_place =
            dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof *m->motion_place);
    }
    if (!m->motion_place || !dt_keep_place(m, &where)) {
        return false;
    }
    m->motion_place[index] = where;
    return true;
}

/* Most mechanisms have none. */
static bool keep_priority(detent_mechanism *m, const dt_joint_record *joint, int k, int index)
{
    const dt_primitive_record *record =
        DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, joint->first_primitive + k);
    dt_priority own = {.position = record->def.position_priority,
                       .velocity = record->def.velocity_priority};
    if (own.position == DETENT_PRIORITY_FREE && own.velocity == DETENT_PRIORITY_FREE) {
        return true;
    }
    own.where =
        dt_locate(m->builder, &joint->origin, joint->primitive_count > 1 ? record->suffix : NULL,
                  "initial.priority", -1);
    if (!dt_keep_place(m, &own.where)) {
        return false;
    }
    if (!m->priority) {
        m->priority = dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof *m->priority);
    }
    if (m->priority) {
        m->priority[index] = own;
    }
    return m->priority != NULL;
}

/* Where primitive k of a joint is. */
static dt_joint_frame joint_frame(const dt_parts *parts, const dt_joint_record *joint,
                                  const dt_primitive_record *record, int k)
{
    dt_joint_frame frame;
    memcpy(frame.axis, record->def.axis, sizeof frame.axis);
    if (k > 0) {
        set_identity(frame.R, frame.p);
    } else if (joint->base < 0) {
        memcpy(frame.R, joint->base_R, sizeof frame.R);
        memcpy(frame.p, joint->base_p, sizeof frame.p);
    } else {
        const dt_body_pose *base = parts->bodies[joint->base].pose;
        compose(frame.R, frame.p, base->R, base->p, joint->base_R, joint->base_p);
    }
    return frame;
}

static bool is_identity(const double R[9])
{
    bool same = true;
    for (int k = 0; k < 9; k++) {
        same = same && R[k] == (k % 4 == 0 ? 1.0 : 0.0);
    }
    return same;
}

static bool add_node(detent_mechanism *m, dt_parts *parts, const dt_joint_record *joint, int k,
                     int joint_index)
{
    const dt_primitive_record *record =
        DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, joint->first_primitive + k);
    int index = parts->count++;
    dt_node *node = &parts->nodes[index];
    dt_primitive *primitive = &parts->primitives[index];
    node->type = record->type;
    node->body = &dt_massless;
    node->q = parts->q;
    node->v = parts->v;
    parts->q += record->type->nq;
    parts->v += record->type->nv;
    node->parent = k > 0 ? index - 1 : joint->base < 0 ? -1 : parts->bodies[joint->base].node;
    node->frame = keep_frame(m, parts, joint_frame(parts, joint, record, k));
    node->parallel = node->frame && is_identity(node->frame->R);
    primitive->joint = joint_index;
    primitive->stiction = -1;
    memcpy(parts->position + node->q, record->def.position,
           (size_t)record->type->nq * sizeof *parts->position);
    memcpy(parts->velocity + node->v, record->def.velocity,
           (size_t)record->type->nv * sizeof *parts->velocity);
    return node->frame && keep_numbers(m, record, index, node, primitive) &&
           keep_priority(m, joint, k, index) && keep_motion(m, joint, k, index) &&
           name_primitive(m, joint, record, primitive);
}

/* The joint moves a ghost of its follower. */
static bool add_ghost(detent_mechanism *m, dt_parts *parts, const dt_joint_record *joint, int index)
{
    const dt_body *body = &parts->bodies[joint->follower];
    dt_loop *loop = &m->loops[m->loop_count++];
    *loop = (dt_loop){.joint = index,
                      .body = joint->follower,
                      .node = {body->node, parts->count - 1},
                      .pose = {body->pose, keep_pose(m, parts, follower_pose(joint))},
                      .where = dt_locate(m->builder, &joint->origin, NULL, NULL, -1)};
    return loop->pose[1] != NULL && dt_keep_place(m, &loop->where);
}

static bool add_joint(detent_mechanism *m, dt_parts *parts, int index, bool closes)
{
    const dt_joint_record *joint = DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, index);
    parts->joints[index] =
        (dt_joint){joint->name, joint->base, joint->follower, parts->count, joint->primitive_count};
    for (int k = 0; k < joint->primitive_count; k++) {
        if (!add_node(m, parts, joint, k, index)) {
            return false;
        }
    }
    const dt_body_record *record =
        DT_AT(DT_RECORDS(m->builder, body), dt_body_record, joint->follower);
    const double part = 1.0 / (1 + parts->ghosts[joint->follower]);
    dt_body *body = &parts->bodies[joint->follower];
    if (closes) {
        return add_ghost(m, parts, joint, index) &&
               place_mass(m, parts, m->loops[m->loop_count - 1].pose[1], record, part);
    }
    body->name = record->def.name;
    body->node = parts->count - 1;
    body->pose = keep_pose(m, parts, follower_pose(joint));
    return body->pose && place_mass(m, parts, body->pose, record, part);
}

static void count_freedoms(const detent_mechanism *m, size_t *nq, size_t *nv)
{
    for (int k = 0; k < m->primitive_count; k++) {
        const dt_primitive_type *type =
            DT_AT(DT_RECORDS(m->builder, primitive), dt_primitive_record, k)->type;
        *nq += (size_t)type->nq;
        *nv += (size_t)type->nv;
    }
}

detent_status dt_compile_tree(detent_mechanism *m, const int *order, int tree_joints,
                              detent_error *error)
{
    size_t nq = 0, nv = 0;
    dt_parts parts = {
        .nodes = dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof *parts.nodes),
        .bodies = dt_arena_alloc(&m->arena, (size_t)m->body_count, sizeof *parts.bodies),
        .joints = dt_arena_alloc(&m->arena, (size_t)m->joint_count, sizeof *parts.joints),
        .primitives =
            dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof *parts.primitives),
    };
    parts.ghosts = dt_arena_alloc(&m->builder->arena, (size_t)m->body_count, sizeof *parts.ghosts);
    m->loops = dt_arena_alloc(&m->arena, (size_t)(m->joint_count - tree_joints), sizeof *m->loops);
    if (!parts.ghosts || !m->loops) {
        return dt_out_of_memory(error);
    }
    for (int k = tree_joints; k < m->joint_count; k++) {
        parts.ghosts[DT_AT(DT_RECORDS(m->builder, joint), dt_joint_record, order[k])->follower]++;
    }
    count_freedoms(m, &nq, &nv);
    m->position = parts.position = dt_arena_alloc(&m->arena, nq, sizeof *parts.position);
    m->velocity = parts.velocity = dt_arena_alloc(&m->arena, nv, sizeof *parts.velocity);
    if (!parts.nodes || !parts.bodies || !parts.joints || !parts.primitives || !parts.position ||
        !parts.velocity) {
        return dt_out_of_memory(error);
    }
    for (int k = 0; k < m->joint_count; k++) {
        if (!add_joint(m, &parts, order[k], k >= tree_joints)) {
            return dt_out_of_memory(error);
        }
    }
    m->builder->nodes = parts.nodes;
    m->tree =
        (dt_tree){.node_count = parts.count, .nq = parts.q, .nv = parts.v, .nodes = parts.nodes};
    m->bodies = parts.bodies;
    m->joints = parts.joints;
    m->primitives = m->builder->primitives = parts.primitives;
    return DETENT_OK;
}
