/* Outputs and laws that read what is not there, or what they may not read; names, initial values and units that are none: the message, and its place. */

#include "test_api_fixture.h"

#define HEAD                               \
    "detent: 1\n"                          \
    "gravity: [0, -9.81, 0]\n"             \
    "bodies:\n"                            \
    "  a: {mass: 1, inertia: [1, 1, 1]}\n" \
    "  b: {mass: 1, inertia: [1, 1, 1]}\n" \
    "  c: {mass: 1, inertia: [1, 1, 1]}\n"
#define TREE                                                                    \
    HEAD "joints:\n"                                                            \
         "  j: {type: revolute, base: ground, follower: a}\n"                   \
         "  k: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}}\n" \
         "  w: {type: spherical, base: b, follower: c}\n"                       \
         "points: {tip: {body: b, at: [1, 0, 0]}}\n"
#define LOOP                                                                                   \
    HEAD "joints:\n"                                                                           \
         "  j: {type: revolute, base: ground, follower: a}\n"                                  \
         "  k: {type: revolute, base: a, follower: b, at: {base: [1, 0, 0]}}\n"                \
         "  l: {type: revolute, base: ground, follower: c, at: {base: [2, 0, 0]}}\n"           \
         "  m: {type: revolute, base: b, follower: c, at: {base: [2, 0, 0], follower: [2, 0, " \
         "0]}, closes: true}\n"
#define OUTPUT(base, text) base "outputs: [\"" text "\"]\n"
/* A joint from the ground in line 8, and what it has from column 50 on. */
#define WITH(keys)                                                               \
    HEAD "joints:\n  j: {type: revolute, base: ground, follower: a, " keys "}\n" \
         "  k: {type: prismatic, base: ground, follower: b}\n"                   \
         "  l: {type: prismatic, base: ground, follower: c}\n"

static const struct refused {
    const char *text;
    int line, column;
    const char *message;
} refused[] = {
    /* of whom it is not read */
    {OUTPUT(TREE, "kinetic_energy(tip)"), 12, 12,
     "kinetic_energy(tip): 'tip' is no body, and has no mass"},
    {OUTPUT(TREE, "potential_energy(nobody)"), 12, 29, "there is no 'nobody'"},
    {OUTPUT(TREE, "tension(j)"), 12, 12, "tension(j): there is no distance 'j'"},
    {OUTPUT(TREE, "contact_force(nobody)"), 12, 12,
     "contact_force(nobody): there is no cam or slot 'nobody'"},
    {OUTPUT(LOOP, "constraint_error(nobody)"), 12, 12,
     "there is no loop that is cut at 'nobody' (one is cut at 'm'), and no such coupling"},
    {OUTPUT(TREE, "constraint_error(j)"), 12, 12,
     "there is no loop, and no coupling 'j' that is not elastic"},
    {OUTPUT(TREE, "coupling_force(j)"), 12, 12, "coupling_force(j): there is no coupling 'j'"},
    {OUTPUT(TREE, "rest_time(j)"), 12, 12, "rest_time(j): 'j' has no stiction"},
    {OUTPUT(TREE, "friction(tip)"), 12, 12,
     "friction(tip): 'tip' is a point, and this is read of joints"},
    {OUTPUT(TREE, "friction(b)"), 12, 12,
     "friction(b): 'b' is a body, and this is read of joints: friction(k)"},
    {OUTPUT(TREE, "acceleration(a)"), 12, 12,
     "this is read of joints: acceleration(j); of bodies and points there are acceleration(a, x), "
     "y and z, in outputs"},
    {OUTPUT(TREE, "position(j, x)"), 12, 12,
     "position(j, x): this is read of bodies and points, and 'j' is a joint"},
    {OUTPUT(TREE, "velocity(w)"), 12, 12,
     "velocity(w): a spherical primitive has no single velocity"},
    {OUTPUT(TREE, "q(a)"), 12, 12, "there is no function 'q'"},
    {OUTPUT(TREE, "x(a)"), 12, 14, "a coordinate of a body is read as position(a, x)"},
    /* components */
    {OUTPUT(TREE, "mode(j, x)"), 12, 20, "mode(j, x): it has no components"},
    {OUTPUT(TREE, "kinetic_energy(a, x)"), 12, 30, "kinetic_energy(a, x): it has no components"},
    {OUTPUT(TREE, "rotation(a)"), 12, 12,
     "rotation(a) needs a component behind a comma: xx, xy, xz, yx, yy, yz, zx, zy, zz"},
    {OUTPUT(TREE, "rotation(a, xw)"), 12, 24,
     "rotation(a, xw): there is no such component; did you mean 'xx'? (there are xx,"},
    {OUTPUT(TREE, "rotation(a, something)"), 12, 24,
     "rotation(a, something): there is no such component (there are xx,"},
    /* seen from whom, along whose axes */
    {OUTPUT(TREE, "reaction_force(j, x, a)"), 12, 33,
     "reaction_force(j, x, a): only what is read of a body or a point is seen from another one"},
    {OUTPUT(TREE, "reaction_force(j, x, a, b)"), 12, 33,
     "only what is read of a body or a point is seen from another one"},
    {OUTPUT(TREE, "rotation(tip, xx, a, b)"), 12, 33,
     "rotation(tip, xx, a, b): axes are seen from one body alone"},
    {OUTPUT(TREE, "position(tip, x, nobody_at_all)"), 12, 29,
     "there is no body or point 'nobody_at_all'"},
    {OUTPUT(TREE, "position(tip, x, tib)"), 12, 29,
     "there is no body or point 'tib'; did you mean 'tip'?"},
    {OUTPUT(TREE, "position(tip, x, a, tib)"), 12, 32,
     "there is no body or point 'tib'; did you mean 'tip'?"},
    {OUTPUT(TREE, "position(tip, x, a, nobody_at_all)"), 12, 32,
     "there is no body or point 'nobody_at_all'"},
    /* laws */
    {WITH("force: \"kinetic_energy(a)*1 [1/s]\""), 8, 58,
     "kinetic_energy(a) can be used only in outputs: a law reads the coordinates of joints"},
    {WITH("force: constraint_error(a)"), 8, 57,
     "constraint_error(a) can be used only in outputs: loops are closed for laws"},
    {WITH("force: \"rotation(b, xx)\""), 8, 58,
     "rotation(b, xx) can be used only in outputs: a law reads the coordinates of joints"},
    /* who moves one way */
    {WITH("moves: forward, motion: t"), 8, 57,
     "joint 'j': the joint has a motion, which no freewheel holds"},
    {"detent: 1\ngravity: [0, 0, 0]\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
     "  j: {type: free, base: ground, follower: a, primitives: {p1: {moves: forward}}}\n",
     5, 71, "joint 'j.p1': a free joint moves as it likes; a six-dof can move one way"},
    {HEAD
     "joints: {j: {type: spherical, base: ground, follower: a, initial: {position: {quaternion: "
     "[0, 0, 0, 0]}}}}\n",
     7, 91, "the quaternion is zero: it has no direction"},
    /* names */
    {TREE "initial: {jj: {position: 1}}\n", 12, 11, "unknown joint 'jj'; did you mean 'j'?"},
    {TREE "'': 1\n", 12, 1, "a key is empty"},
    {TREE "inputs: {'a.': 1}\n", 12, 10,
     "a name has letters, digits and underscores and starts with no digit"},
    /* rotations */
    {WITH("at: {base: {point: [0, 0, 0], rotation: {quaternion: [1e-120, 0, 0, 0]}}}"), 8, 61,
     "joint 'j': the quaternion of at.base has no direction"},
    /* units */
    {HEAD "parameters: {p: \"1 \xe2\x82\xac\"}\n", 7, 20,
     "there is no unit '\xe2\x82\xac' with an SI equivalent"},
    {HEAD "parameters: {p: \"1 \xf0\x9d\x84\x9e\"}\n", 7, 20, "with an SI equivalent"},
    {HEAD "parameters: {p: \"1 kg\xce\xbc\"}\n", 7, 20, "there is no unit 'kg\xce\xbc'"},
    {HEAD "parameters: {p: 1 dBm}\n", 7, 19, "there is no unit 'dBm' with an SI equivalent"},
};

static void test_refused(void **state)
{
    UNUSED(state);
    int failed = 0;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const struct refused *r = &refused[k];
        detent_error e = {0};
        detent_mechanism *m = NULL;
        const detent_status status =
            detent_mechanism_parse(r->text, strlen(r->text), "m.yaml", NULL, &m, &e);
        if (!status || m || status != e.status || e.line != r->line || e.column != r->column ||
            !strstr(e.message, r->message)) {
            print_error("%zu: %d:%d: %s, instead of %d:%d: %s\n", k, e.line, e.column, e.message,
                        r->line, r->column, r->message);
            failed++;
        }
        detent_mechanism_destroy(m);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
