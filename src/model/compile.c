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

typedef struct dt_parts {
    dt_node *nodes;
    dt_body *bodies;
    dt_joint *joints;
    dt_primitive *primitives;
    int count; /* of nodes so far */
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

/* The follower's pose in the last node of its joint, and its mass there. */
static void place_follower(const dt_joint_record *joint, const dt_body_record *record,
                           dt_body *body, dt_node *node)
{
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            body->R[3 * r + c] = joint->follower_R[3 * c + r];
        }
    }
    dt_rotate(body->p, body->R, joint->follower_p);
    for (int k = 0; k < 3; k++) {
        body->p[k] = -body->p[k];
    }
    node->mass = record->mass;
    dt_rotate(node->com, body->R, record->com);
    for (int k = 0; k < 3; k++) {
        node->com[k] += body->p[k];
    }
    dt_rotate_tensor(node->inertia, body->R, record->inertia);
}

static bool name_primitive(detent_mechanism *m, const dt_joint_record *joint,
                           const dt_primitive_record *record, dt_primitive *primitive)
{
    primitive->name = joint->primitive_count == 1
                          ? joint->name
                          : dt_arena_printf(&m->arena, "%s.%s", joint->name, record->suffix);
    return primitive->name != NULL;
}

static bool add_node(detent_mechanism *m, dt_parts *parts, const dt_joint_record *joint, int k,
                     int joint_index)
{
    const dt_primitive_record *record =
        DT_AT(m->builder->primitives, dt_primitive_record, joint->first_primitive + k);
    int index = parts->count++;
    dt_node *node = &parts->nodes[index];
    dt_primitive *primitive = &parts->primitives[index];
    node->type = record->type;
    node->q = parts->q;
    node->v = parts->v;
    parts->q += record->type->nq;
    parts->v += record->type->nv;
    memcpy(node->axis, record->axis, sizeof node->axis);
    if (k > 0) {
        node->parent = index - 1;
        set_identity(node->R_tree, node->p_tree);
    } else if (joint->base < 0) {
        node->parent = -1;
        memcpy(node->R_tree, joint->base_R, sizeof node->R_tree);
        memcpy(node->p_tree, joint->base_p, sizeof node->p_tree);
    } else {
        const dt_body *base = &parts->bodies[joint->base];
        node->parent = base->node;
        compose(node->R_tree, node->p_tree, base->R, base->p, joint->base_R, joint->base_p);
    }
    primitive->joint = joint_index;
    primitive->stiction = -1;
    memcpy(primitive->position, record->position, sizeof primitive->position);
    memcpy(primitive->velocity, record->velocity, sizeof primitive->velocity);
    primitive->stiffness = record->stiffness;
    primitive->rest = record->rest;
    primitive->damping = record->damping;
    return name_primitive(m, joint, record, primitive);
}

static bool add_joint(detent_mechanism *m, dt_parts *parts, int index)
{
    const dt_joint_record *joint = DT_AT(m->builder->joints, dt_joint_record, index);
    parts->joints[index] =
        (dt_joint){joint->name, joint->base, joint->follower, parts->count, joint->primitive_count};
    for (int k = 0; k < joint->primitive_count; k++) {
        if (!add_node(m, parts, joint, k, index)) {
            return false;
        }
    }
    const dt_body_record *record = DT_AT(m->builder->bodies, dt_body_record, joint->follower);
    dt_body *body = &parts->bodies[joint->follower];
    body->name = record->name;
    body->node = parts->count - 1;
    place_follower(joint, record, body, &parts->nodes[parts->count - 1]);
    return true;
}

detent_status dt_compile_tree(detent_mechanism *m, const int *order, dt_primitive **primitives,
                              detent_error *error)
{
    dt_parts parts = {
        .nodes = dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof *parts.nodes),
        .bodies = dt_arena_alloc(&m->arena, (size_t)m->body_count, sizeof *parts.bodies),
        .joints = dt_arena_alloc(&m->arena, (size_t)m->joint_count, sizeof *parts.joints),
        .primitives =
            dt_arena_alloc(&m->arena, (size_t)m->primitive_count, sizeof *parts.primitives),
    };
    if (!parts.nodes || !parts.bodies || !parts.joints || !parts.primitives) {
        return dt_out_of_memory(error);
    }
    for (int k = 0; k < m->joint_count; k++) {
        if (!add_joint(m, &parts, order[k])) {
            return dt_out_of_memory(error);
        }
    }
    m->tree = (dt_tree){parts.count, parts.q, parts.v, parts.nodes};
    m->bodies = parts.bodies;
    m->joints = parts.joints;
    m->primitives = *primitives = parts.primitives;
    return DETENT_OK;
}
