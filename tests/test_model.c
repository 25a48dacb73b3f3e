/* The model: rotations, the table of primitives, and the tree that the builder makes of bodies and joints. */

#include "math/rotation.h"
#include "math/vec3.h"
#include "model/builder.h"
#include "model/mechanism.h"

#include <stdio.h>
#include <string.h>

#include "test_model_support.h"

/* --- Primitives ------------------------------------------------------------------------------ */

/* The pose moves as the subspace says when q moves as the rate says: central differences. */
static void check_velocity(const dt_primitive_type *type)
{
    const double h = 1e-6;
    double axis[3], q[4] = {0}, v[3], rate[4], ahead[4], behind[4];
    double R[9], p[3], R1[9], p1[3], R2[9], p2[3], S[3][6], twist[6] = {0};
    random_unit(axis, 3);
    random_unit(q, type->nq == 4 ? 4 : 1);
    for (int k = 0; k < 3; k++) {
        v[k] = chance();
    }
    q[0] *= type->nq == 1 ? chance() : 1.0;
    type->rate(q, v, rate);
    for (int k = 0; k < type->nq; k++) {
        ahead[k] = q[k] + h * rate[k];
        behind[k] = q[k] - h * rate[k];
    }
    type->pose(axis, q, R, p);
    type->pose(axis, ahead, R1, p1);
    type->pose(axis, behind, R2, p2);
    type->subspace(axis, S);
    for (int j = 0; j < type->nv; j++) {
        for (int k = 0; k < 6; k++) {
            twist[k] += S[j][k] * v[j];
        }
    }
    /* R' = R [w]x, p' = R u, with the twist (w, u) in follower components */
    const double cross[9] = {0,         -twist[2], twist[1], twist[2], 0,
                             -twist[0], -twist[1], twist[0], 0};
    double R_rate[9], p_rate[3];
    dt_mul33(R_rate, R, cross);
    dt_rotate(p_rate, R, twist + 3);
    for (int k = 0; k < 9; k++) {
        assert_near((R1[k] - R2[k]) / (2 * h), R_rate[k], 1e-8);
    }
    for (int k = 0; k < 3; k++) {
        assert_near((p1[k] - p2[k]) / (2 * h), p_rate[k], 1e-8);
    }
}

static void primitives_move_as_they_say(void **state)
{
    (void)state;
    const char letters[] = "rpsw";
    for (const char *letter = letters; *letter; letter++) {
        const dt_primitive_type *type = dt_primitive_type_find(*letter);
        assert_non_null(type);
        assert_int_equal(type->letter, *letter);
        for (int trial = 0; trial < 50; trial++) {
            check_velocity(type);
        }
    }
    assert_null(dt_primitive_type_find('x'));
}

static void a_spherical_pose_needs_no_unit_quaternion(void **state)
{
    (void)state;
    double q[4] = {2, 1, -1, 3}, R1[9], R2[9], p[3];
    dt_spherical.pose(NULL, q, R1, p);
    dt_spherical.normalize(q);
    dt_spherical.pose(NULL, q, R2, p);
    assert_near(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-15);
    assert_vector(R1, R2, 9, 1e-15);
}

static void joint_types_are_rows_of_primitives(void **state)
{
    (void)state;
    for (const dt_joint_type *type = dt_joint_types; type->name; type++) {
        assert_ptr_equal(dt_joint_type_find(type->name), type);
        assert_true(strlen(type->row) <= DETENT_MAX_PRIMITIVES);
        for (size_t k = 0; type->row[k]; k++) {
            assert_non_null(dt_primitive_type_find(type->row[k]));
            assert_near(dt_norm3(type->axes[k]), 1, 0);
        }
    }
    assert_null(dt_joint_type_find("Revolute"));
    assert_false(dt_joint_type_find("free")->takes_stiction);
    assert_true(dt_joint_type_find("six-dof")->takes_stiction);
}

/* --- The builder ----------------------------------------------------------------------------- */

static detent_mechanism *create(void)
{
    detent_mechanism *m = NULL;
    assert_int_equal(dt_mechanism_new("test", NULL, NULL, &m, NULL), DETENT_OK);
    return m;
}

static void add_body(detent_mechanism *m, const char *name)
{
    const detent_body_def body = {.size = sizeof body,
                                  .name = name,
                                  .mass = 1 + 0.5 * chance(),
                                  .center_of_mass = {chance(), chance(), chance()},
                                  .inertia = {1, 1.2, 1.3, 0.1, 0.05, -0.1}};
    assert_int_equal(dt_builder_add(m, DT_ITEM_body, &body, NULL, NULL), DETENT_OK);
}

static detent_joint_def plain_joint(const char *name, const char *type, const char *base,
                                    const char *follower)
{
    return (detent_joint_def){.size = sizeof(detent_joint_def),
                              .name = name,
                              .type = type,
                              .base = base,
                              .follower = follower,
                              .base_rotation = {1, 0, 0, 0},
                              .follower_rotation = {1, 0, 0, 0}};
}

static void add_joint(detent_mechanism *m, const char *name, const char *type, const char *base,
                      const char *follower)
{
    const detent_joint_def joint = plain_joint(name, type, base, follower);
    assert_int_equal(dt_builder_add(m, DT_ITEM_joint, &joint, NULL, NULL), DETENT_OK);
}

static void finish(detent_mechanism *m)
{
    detent_error error = {0};
    if (dt_builder_finish(m, &error)) {
        fail_msg("%s", error.message);
    }
}

static int primitive_of(const detent_mechanism *m, const char *name)
{
    int index = dt_find_primitive(m, name);
    assert_true(index >= 0);
    return index;
}

static void nodes_are_numbered_depth_first(void **state)
{
    (void)state;
    detent_mechanism *m = create();
    const char *const names[] = {"tip", "c", "a", "b", "arm"};
    for (int k = 0; k < 5; k++) {
        add_body(m, names[k]);
    }
    add_joint(m, "bc", "revolute", "b", "c");
    add_joint(m, "a", "bushing", "ground", "a");
    add_joint(m, "arm", "prismatic", "a", "arm");
    add_joint(m, "tip", "spherical", "c", "tip");
    add_joint(m, "ab", "universal", "a", "b");
    finish(m);
    assert_int_equal(m->tree.node_count, 11);
    assert_int_equal(m->tree.nq, 6 + 1 + 2 + 1 + 4);
    assert_int_equal(m->tree.nv, 6 + 1 + 2 + 1 + 3);
    int q = 0, v = 0;
    for (int i = 0; i < m->tree.node_count; i++) {
        const dt_node *node = &m->tree.nodes[i];
        assert_true(node->parent < i);
        assert_int_equal(node->q, q);
        assert_int_equal(node->v, v);
        q += node->type->nq;
        v += node->type->nv;
    }
    /* the primitives of a joint, and the joints of a chain, are consecutive */
    const char *const order[] = {"a.p1", "a.p2",  "a.p3",  "a.r1", "a.r2", "a.r3",
                                 "arm",  "ab.r1", "ab.r2", "bc",   "tip"};
    for (int k = 0; k < 11; k++) {
        assert_string_equal(m->primitives[k].name, order[k]);
        assert_int_equal(primitive_of(m, order[k]), k);
    }
    const char *const no_primitive[] = {"ab", "ab.r3", "ab.", "arm.p1", "a.r", "nobody", "", ".r1"};
    for (size_t k = 0; k < sizeof no_primitive / sizeof *no_primitive; k++) {
        assert_int_equal(dt_find_primitive(m, no_primitive[k]), -1);
    }
    assert_int_equal(m->tree.nodes[7].parent, 5);
    assert_int_equal(m->tree.nodes[9].parent, 8);
    assert_int_equal(m->joints[dt_name_map_get(&m->joint_names, "ab")].first_primitive, 7);
    for (int k = 0; k < 5; k++) { /* massless between the primitives of a joint */
        assert_near(m->tree.nodes[k].body->mass, 0, 0);
    }
    assert_vector(m->position + m->tree.nodes[10].q, (double[]){1, 0, 0, 0}, 4, 0);
    dt_mechanism_delete(m);
}

/* World pose of a node, the slow way. */
static void node_pose(const detent_mechanism *m, int index, double R[9], double p[3])
{
    const dt_node *node = &m->tree.nodes[index];
    double parent_R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, parent_p[3] = {0}, joint_R[9], joint_p[3];
    double half[9], moved[3];
    if (node->parent >= 0) {
        node_pose(m, node->parent, parent_R, parent_p);
    }
    node->type->pose(node->frame->axis, m->position + node->q, joint_R, joint_p);
    dt_mul33(half, parent_R, node->frame->R);
    dt_mul33(R, half, joint_R);
    dt_rotate(p, parent_R, node->frame->p);
    dt_rotate(moved, half, joint_p);
    for (int k = 0; k < 3; k++) {
        p[k] += parent_p[k] + moved[k];
    }
}

static void body_pose(const detent_mechanism *m, const char *name, double R[9], double p[3])
{
    const dt_body *body = &m->bodies[dt_name_map_get(&m->body_names, name)];
    double node_R[9], node_p[3];
    node_pose(m, body->node, node_R, node_p);
    dt_mul33(R, node_R, body->pose->R);
    dt_rotate(p, node_R, body->pose->p);
    for (int k = 0; k < 3; k++) {
        p[k] += node_p[k];
    }
}

/* base body * joint frame * motion = follower body * joint frame, and the mass goes with the body. */
static void frames_meet_at_the_joint(void **state)
{
    (void)state;
    detent_mechanism *m = create();
    const detent_body_def body = {.size = sizeof body,
                                  .name = "a",
                                  .mass = 2,
                                  .center_of_mass = {0.1, 0.2, 0.3},
                                  .inertia = {1, 1.2, 1.3, 0.1, 0.05, -0.1}};
    detent_joint_def joint = plain_joint("j", "revolute", "ground", "a");
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    memcpy(joint.base_point, (double[]){1, 2, 3}, sizeof joint.base_point);
    memcpy(joint.follower_point, (double[]){-0.5, 0.25, 0.75}, sizeof joint.follower_point);
    random_unit(joint.base_rotation, 4);
    random_unit(joint.follower_rotation, 4);
    memcpy(joint_pin.axis, (double[]){1, 2, 2}, sizeof joint_pin.axis);
    joint_pin.position[0] = 0.7;
    assert_int_equal(dt_builder_add(m, DT_ITEM_body, &body, NULL, NULL), DETENT_OK);
    assert_int_equal(dt_builder_add(m, DT_ITEM_joint, &joint, NULL, NULL), DETENT_OK);
    finish(m);

    double R[9], p[3], base_R[9], follower_R[9], turn[9], zero[3], left[9], right[9], corner[3];
    body_pose(m, "a", R, p);
    dt_rotation_from_quaternion(base_R, joint.base_rotation);
    dt_rotation_from_quaternion(follower_R, joint.follower_rotation);
    dt_revolute.pose((double[]){1.0 / 3, 2.0 / 3, 2.0 / 3}, (double[]){0.7}, turn, zero);
    dt_mul33(left, base_R, turn);
    dt_mul33(right, R, follower_R);
    assert_vector(left, right, 9, 1e-15);
    dt_rotate(corner, R, joint.follower_point);
    for (int k = 0; k < 3; k++) {
        assert_near(p[k] + corner[k], joint.base_point[k], 1e-15);
    }

    const dt_node *node = &m->tree.nodes[0];
    double node_R[9], node_p[3], com[3], expected[3], world[6], expected_world[6];
    node_pose(m, 0, node_R, node_p);
    dt_rotate(com, node_R, node->body->com);
    dt_rotate(expected, R, body.center_of_mass);
    for (int k = 0; k < 3; k++) {
        assert_near(com[k] + node_p[k], expected[k] + p[k], 1e-15);
    }
    dt_rotate_tensor(world, node_R, node->body->inertia);
    dt_rotate_tensor(expected_world, R, body.inertia);
    assert_vector(world, expected_world, 6, 1e-15);
    assert_near(node->body->mass, 2, 0);
    dt_mechanism_delete(m);
}

static void what_is_not_given_has_defaults(void **state)
{
    (void)state;
    detent_mechanism *m = create();
    add_body(m, "a");
    add_joint(m, "j", "prismatic", "ground", "a");
    finish(m);
    for (int k = 0; k < 3; k++) { /* no gravity was set */
        assert_true(m->gravity[k]->is_constant);
        assert_near(m->gravity[k]->constant, 0, 0);
    }
    assert_near(m->settings.end, 10, 0);
    assert_near(m->settings.interval, 0.01, 0);
    assert_near(m->settings.atol, 0, 0); /* from the mechanism */
    dt_mechanism_delete(m);
}

static void errors_without_a_file_have_no_place(void **state)
{
    (void)state;
    detent_mechanism *m = create();
    detent_error error = {0};
    const detent_joint_def joint = plain_joint("j", "revolut", "ground", "a");
    assert_int_equal(dt_builder_add(m, DT_ITEM_joint, &joint, NULL, &error), DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "unknown joint type 'revolut'; did you mean 'revolute'?");
    assert_int_equal(error.line, 0);
    assert_string_equal(error.file, "");
    dt_mechanism_delete(m);
}

static int smooth(void *user, const double *arguments, double *value, double *derivatives)
{
    *value = *(double *)user + arguments[0];
    derivatives[0] = 1;
    return 0;
}

/* Of constants they are constants; and those that nobody calls any more. */
static void functions_stand_in_expressions(void **state)
{
    (void)state;
    double friction = 3;
    detent_mechanism *m = create();
    const detent_function_def function = {.size = sizeof function,
                                          .name = "smooth",
                                          .argument_count = 1,
                                          .function = smooth,
                                          .user = &friction};
    const detent_stiction_def stiction = {.size = sizeof stiction,
                                          .primitive = "j",
                                          .velocity_threshold = 1e-3,
                                          .static_limit = "smooth(1)",
                                          .kinetic = "smooth(0*t)",
                                          .external = "smooth(2*t)"};
    add_body(m, "a");
    add_joint(m, "j", "prismatic", "ground", "a");
    assert_int_equal(dt_builder_add(m, DT_ITEM_function, &function, NULL, NULL), DETENT_OK);
    assert_int_equal(dt_builder_add(m, DT_ITEM_stiction, &stiction, NULL, NULL), DETENT_OK);
    finish(m);
    const dt_friction *f = m->stictions[0].friction;
    assert_true(f->magnitude->is_constant && f->magnitude->constant == 4);
    assert_true(f->kinetic->is_constant && f->kinetic->constant == 3 && !f->kinetic->has_calls);
    assert_true(m->primitives[0].force->has_calls && m->primitives[0].force->depends_on_time);
    assert_int_equal(m->callback_count, 1);
    assert_ptr_equal(m->callbacks[0]->user, &friction);
    assert_int_equal(m->primitives[0].stiction, 0);
    dt_mechanism_delete(m);
}

/* --- Freedoms without inertia ---------------------------------------------------------------- */

static detent_status finish_pair(const double first[3], const double second[3], double position)
{
    detent_mechanism *m = create();
    const detent_body_def cross = {.size = sizeof cross, .name = "cross"},
                          shaft = {.size = sizeof shaft,
                                   .name = "shaft",
                                   .mass = 1,
                                   .inertia = {1, 1, 1}};
    detent_joint_def i = plain_joint("i", "revolute", "ground", "cross"),
                     j = plain_joint("j", "revolute", "cross", "shaft");
    detent_primitive_def j_pin = DETENT_INIT(detent_primitive_def);
    j.primitive[0] = &j_pin;
    detent_primitive_def i_pin = DETENT_INIT(detent_primitive_def);
    i.primitive[0] = &i_pin;
    memcpy(i_pin.axis, first, sizeof i_pin.axis);
    memcpy(j_pin.axis, second, sizeof j_pin.axis);
    j_pin.position[0] = position;
    assert_int_equal(dt_builder_add(m, DT_ITEM_body, &cross, NULL, NULL), DETENT_OK);
    assert_int_equal(dt_builder_add(m, DT_ITEM_body, &shaft, NULL, NULL), DETENT_OK);
    assert_int_equal(dt_builder_add(m, DT_ITEM_joint, &i, NULL, NULL), DETENT_OK);
    assert_int_equal(dt_builder_add(m, DT_ITEM_joint, &j, NULL, NULL), DETENT_OK);
    detent_status status = dt_builder_finish(m, NULL);
    dt_mechanism_delete(m);
    return status;
}

static void hinges_in_line_are_refused(void **state)
{
    (void)state;
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, skew[3] = {1, 2, 3};
    assert_int_equal(finish_pair(x, y, 0.3), DETENT_OK);
    assert_int_equal(finish_pair(x, skew, 0.3), DETENT_OK);
    assert_int_equal(finish_pair(x, x, 0.3), DETENT_ERROR_MODEL);
    assert_int_equal(finish_pair(skew, skew, 0.3), DETENT_ERROR_MODEL);
}

/* Long chains are no reason for doubt, with massless nodes between their links neither. */
static void long_chains_have_inertia(void **state)
{
    (void)state;
    const char *const types[] = {"revolute", "universal", "spherical"};
    for (int t = 0; t < 3; t++) {
        detent_mechanism *m = create();
        enum { LINKS = 20000 };
        char name[32], before[32] = "ground";
        for (int k = 0; k < LINKS; k++) {
            snprintf(name, sizeof name, "link[%d]", k);
            const detent_body_def body = {.size = sizeof body,
                                          .name = name,
                                          .mass = 1e-4,
                                          .center_of_mass = {1e-4, 0, 0},
                                          .inertia = {1e-14, 1e-12, 1e-12}};
            detent_joint_def joint = plain_joint(name, types[t], before, name);
            joint.base_point[0] = 2e-4;
            assert_int_equal(dt_builder_add(m, DT_ITEM_body, &body, NULL, NULL), DETENT_OK);
            assert_int_equal(dt_builder_add(m, DT_ITEM_joint, &joint, NULL, NULL), DETENT_OK);
            memcpy(before, name, sizeof before);
        }
        finish(m);
        assert_int_equal(m->joint_count, LINKS);
        dt_mechanism_delete(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(primitives_move_as_they_say),
        cmocka_unit_test(a_spherical_pose_needs_no_unit_quaternion),
        cmocka_unit_test(joint_types_are_rows_of_primitives),
        cmocka_unit_test(nodes_are_numbered_depth_first),
        cmocka_unit_test(frames_meet_at_the_joint),
        cmocka_unit_test(what_is_not_given_has_defaults),
        cmocka_unit_test(errors_without_a_file_have_no_place),
        cmocka_unit_test(functions_stand_in_expressions),
        cmocka_unit_test(hinges_in_line_are_refused),
        cmocka_unit_test(long_chains_have_inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
