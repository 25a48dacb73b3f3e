/* Robots that say odd things: what is refused, and where; what is taken in another way than written, with the line that says so. */

#include "detent/import.h"
#include "test_api_fixture.h"

#define LINK(name)                                                                        \
    "<link name='" name "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>" \
    "</inertial></link>\n"
#define ENDS          "<parent link='a'/><child link='b'/>"
#define TWO(joints)   "<robot>\n" LINK("a") LINK("b") joints "</robot>"
#define THREE(joints) "<robot>\n" LINK("a") LINK("b") LINK("c") joints "</robot>"
#define MORE          "<parent link='b'/><child link='c'/>"
#define BODY(all, rest) \
    "<mujoco><worldbody><body name='b'>\n" all "</body></worldbody>\n" rest "</mujoco>"
#define BALL "<geom size='0.1' mass='1'/>"
/* two hinges one after the other, and a slide */
#define HINGES(all, rest)                                                                         \
    "<mujoco>" all "<worldbody><body name='b'>" BALL "<joint name='j'/><body name='c'>" BALL      \
    "<joint name='k'/><body name='d'>" BALL "<joint name='s' type='slide'/></body></body></body>" \
    "</worldbody>\n" rest "</mujoco>"

/* ---- refused ---- */

static const struct refused {
    const char *text;
    int line;
    const char *message;
} refused[] = {
    /* URDF */
    {TWO("<joint name='j' type='revolute'>" ENDS "<dynamics friction='-1'/></joint>"), 4,
     "damping and friction are not negative"},
    {TWO("<joint name='j' type='revolute'>" ENDS "<dynamics damping='x'/></joint>"), 4,
     "a finite number was expected"},
    {TWO("<joint name='j' type='revolute'>" ENDS "<mimic/></joint>"), 4,
     "joint 'j' mimics '', which is no joint that moves"},
    {THREE("<joint name='j' type='floating'>" ENDS
           "</joint>\n<joint name='k' type='continuous'>" MORE "<mimic joint='j'/></joint>"),
     6, "only joints that turn or slide mimic each other"},
    {THREE("<joint name='j' type='floating'>" ENDS "<mimic joint='k'/></joint>\n<joint name='k' "
           "type='continuous'>" MORE "</joint>"),
     5, "only joints that turn or slide mimic each other"},
    {TWO("<joint name='j' type='planar'>" ENDS "<axis xyz='0 0 0'/></joint>"), 4,
     "the axis is zero"},
    {TWO("<joint name='j' type='fixed'><parent/><child link='b'/></joint>"), 4,
     "a joint has a <parent link=\"...\"/>"},
    /* MJCF */
    {BODY("<joint stiffness='-1'/>", ""), 2,
     "damping, frictionloss, armature and stiffness are not negative"},
    {BODY("<joint armature='-1'/>", ""), 2,
     "damping, frictionloss, armature and stiffness are not negative"},
    {BODY("<joint range='0 x'/>", ""), 2, "a finite number was expected"},
    {BODY("<joint frictionloss='-1'/>", ""), 2,
     "damping, frictionloss, armature and stiffness are not negative"},
    {BODY("<geom size='1' density='-1'/>", ""), 2, "its mass is negative"},
    {BODY("<joint class='c'/>" BALL, ""), 2, "there is no default class 'c'"},
    {BODY("<body childclass='d'><joint/></body>", ""), 2, "there is no default class 'd'"},
    {BODY("<frame quat='0 0 0 0'><body/></frame>", ""), 2, "the orientation is zero"},
    {HINGES("", "<equality><weld body1='b' relpose='x'/></equality>"), 2,
     "a finite number was expected"},
    {HINGES("", "<equality><joint joint1='j' polycoef='x'/></equality>"), 2,
     "a finite number was expected"},
    {HINGES("", "<equality><joint joint1='x'/></equality>"), 2, "there is no joint 'x'"},
    {HINGES("", "<actuator><general joint='j' gainprm='x'/></actuator>"), 2,
     "a finite number was expected"},
    {HINGES("", "<actuator><motor joint='j' ctrlrange='x'/></actuator>"), 2,
     "a finite number was expected"},
    {HINGES("", "<actuator><motor joint='j' ctrllimited='true' ctrlrange='1 1'/></actuator>"), 2,
     "its ctrlrange is empty"},
};

static void test_refused(void **state)
{
    UNUSED(state);
    int failed = 0;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const struct refused *r = &refused[k];
        detent_error e = {0};
        detent_imported *imported = NULL;
        const detent_status status =
            detent_import_text(r->text, strlen(r->text), "robot", NULL, &imported, &e);
        if (!status || imported || status != e.status || e.line != r->line ||
            !strstr(e.message, r->message)) {
            print_error("%zu: status %d, line %d: %s, instead of line %d: %s\n", k, status, e.line,
                        e.message, r->line, r->message);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

/* ---- taken ---- */

static const struct taken {
    const char *text;
    const char *note;    /* NULL: no line says anything of it */
    const char *written; /* what the mechanism file has; NULL: no matter */
    const char *without; /* and what it has not */
} taken[] = {
    /* URDF: limits that say nothing, or contradict those of who leads */
    {TWO("<joint name='j' type='revolute'>" ENDS "<limit lower='1' upper='1'/></joint>"),
     "joint 'j' has no limits, or both are the same: it has no stops", "type: revolute", "stops"},
    {THREE("<joint name='j' type='revolute'>" ENDS "<limit lower='-1' upper='1'/></joint>\n"
           "<joint name='k' type='revolute'>" MORE
           "<limit lower='2' upper='3'/><mimic joint='j'/></joint>"),
     "joint 'k': its limits contradict those of 'j', which it follows, and are left out",
     "stops: {lower: {at: -1}, upper: {at: 1}}", "at: 2"},
    {THREE("<joint name='j' type='continuous'>" ENDS
           "</joint>\n<joint name='k' type='revolute'>" MORE
           "<limit lower='2' upper='4'/><mimic joint='j' multiplier='-2'/></joint>"),
     "joint 'k' follows 'j', whose limits are -2 and -1 for that",
     "stops: {lower: {at: -2}, upper: {at: -1}}", NULL},
    {THREE("<joint name='j' type='revolute'>" ENDS "<limit lower='-1' upper='1'/></joint>\n"
           "<joint name='k' type='revolute'>" MORE
           "<limit lower='-3' upper='3'/><mimic joint='j'/></joint>"),
     NULL, "stops: {lower: {at: -1}, upper: {at: 1}}", "at: 3"},
    /* planar joints: two slides across the axis, which is any */
    {TWO("<joint name='p' type='planar'>" ENDS "<axis xyz='0 0 1'/><limit/></joint>"),
     "joint 'p' is planar: <limit>, <dynamics> and <mimic> of it are left out",
     "    axis: [0, 0, 1]", NULL},
    {TWO("<joint name='p' type='planar'>" ENDS "<axis xyz='1 0 0'/><dynamics/></joint>"),
     "joint 'p' is planar: <limit>, <dynamics> and <mimic> of it are left out",
     "    axis: [1, 0, 0]", NULL},
    {TWO("<joint name='p' type='planar'>" ENDS "<axis xyz='0 1 0'/><mimic/></joint>"),
     "joint 'p' is planar: <limit>, <dynamics> and <mimic> of it are left out",
     "    axis: [0, 1, 0]", NULL},
    {TWO("<joint name='p' type='planar'>" ENDS "<axis xyz='0.6 0.8 0'/></joint>"), NULL,
     "    axis: [0.6, 0.8, 0]", NULL},
    {TWO("<joint name='p' type='planar'>" ENDS "<axis xyz='0.8 0 0.6'/></joint>"), NULL,
     "    axis: [0.8, 0, 0.6]", NULL},
    /* links without mass: any inertia is none */
    {"<robot>" LINK("a") "<link name='b'><inertial><mass value='0'/><inertia ixy='0.1'/></inertial>"
                         "</link>" LINK("c") "<joint name='j' type='fixed'>" ENDS
                                             "</joint><joint name='k' type='continuous'>" MORE
                                             "</joint></robot>",
     "link 'b' has an inertia and no mass: it gets none", "type: revolute", NULL},
    {"<robot>" LINK("a") "<link name='b'><inertial><mass value='0'/><inertia izz='1'/></inertial>"
                         "</link>" LINK("c") "<joint name='j' type='fixed'>" ENDS
                                             "</joint><joint name='k' type='continuous'>" MORE
                                             "</joint></robot>",
     "link 'b' has an inertia and no mass: it gets none", "type: revolute", NULL},
    {"<robot>" LINK("a") "<link name='b'><inertial><mass value='0'/></inertial>"
                         "</link>" LINK("c") "<joint name='j' type='fixed'>" ENDS
                                             "</joint><joint name='k' type='continuous'>" MORE
                                             "</joint></robot>",
     NULL, "type: revolute", NULL},
    /* transmissions of joints that do not turn or slide, and of one twice */
    {TWO("<joint name='j' type='floating'>" ENDS
         "</joint><transmission><joint name='j'/></transmission>"),
     NULL, "type: free", "inputs:"},
    {TWO("<joint name='j' type='continuous'>" ENDS
         "</joint><transmission><joint name='j'/><joint name='j'/></transmission>"),
     NULL, "    force: \"j_effort\"", "j_effort + j_effort"},
    {TWO("<joint name='j' type='continuous'>" ENDS "</joint><transmission><joint/></transmission>"),
     "a transmission names '', which is no joint that moves", NULL, "inputs:"},
    /* MJCF: limits by their ranges */
    {BODY("<joint name='j' range='10 -10'/>" BALL, ""),
     "the range of joint 'j' is empty: it has no stops", "type: revolute", "stops"},
    {BODY("<joint name='j' type='slide' limited='auto' range='-1 1'/>" BALL, ""), NULL,
     "stops: {lower: {at: -1}, upper: {at: 1}}", NULL},
    {BODY("<joint name='j' type='slide' limited='false' range='-1 1'/>" BALL, ""), NULL,
     "type: prismatic", "stops"},
    {"<mujoco><compiler autolimits='false'/><worldbody><body><joint name='j' type='slide' "
     "range='-1 "
     "1'/>" BALL "</body></worldbody></mujoco>",
     NULL, "type: prismatic", "stops"},
    /* drives: ranges likewise, and laws of all kinds */
    {HINGES("",
            "<actuator><motor name='m' joint='j' ctrllimited='auto' ctrlrange='-2 2'/></actuator>"),
     NULL, "force: \"max(-2, min(2, m))\"", NULL},
    {HINGES(
         "",
         "<actuator><motor name='m' joint='j' ctrllimited='false' ctrlrange='-2 2'/></actuator>"),
     NULL, "force: \"m\"", NULL},
    {HINGES("<compiler autolimits='false'/>",
            "<actuator><motor name='m' joint='j' ctrlrange='-2 2'/></actuator>"),
     NULL, "force: \"m\"", NULL},
    {HINGES("",
            "<actuator><general name='m' joint='j' gainprm='3' biastype='affine' biasprm='0 0 -3'/>"
            "</actuator>"),
     NULL, "force: \"3*(m - velocity(j))\"", NULL},
    {HINGES("", "<actuator><general name='m' joint='j' gear='2' gainprm='3' biastype='affine' "
                "biasprm='1 0 -2'/></actuator>"),
     NULL, "force: \"2*(3*m + 1 - 4*velocity(j))\"", NULL},
    {HINGES("", "<actuator><general name='m' joint='j' gear='2' gainprm='3' biastype='affine' "
                "biasprm='0 -1 0'/></actuator>"),
     NULL, "force: \"2*(3*m - 2*position(j))\"", NULL},
    {HINGES("", "<actuator><general name='m' joint='j' gaintype='muscle'/></actuator>"),
     "<general> of <actuator>", NULL, "inputs:"},
    {HINGES("<default><general gear='2' forcerange='-5 5' forcelimited='true' ctrlrange='-1 1' "
            "ctrllimited='true'/></default>",
            "<actuator><motor name='m' joint='j'/></actuator>"),
     NULL, "force: \"2*max(-5, min(5, max(-1, min(1, m))))\"", NULL},
    /* joints that follow others: in proportion, once, and not in a circle */
    {HINGES("",
            "<equality><joint name='e' joint1='k' joint2='j' polycoef='0 2 0 0 0'/></equality>"),
     NULL, "k_follows: {type: gear, joints: [k, j], ratio: 2}", NULL},
    {HINGES("", "<equality><joint joint1='k' joint2='j' polycoef='0 0 0 0 0'/></equality>"),
     "<joint> of <equality> is left out", NULL, "follows:"},
    {HINGES("", "<equality><joint joint1='k' joint2='j' polycoef='0 1 1 0 0'/></equality>"),
     "<joint> of <equality> is left out", NULL, "follows:"},
    {HINGES("", "<equality><joint joint1='k' joint2='j' polycoef='0 1 0 1 0'/></equality>"),
     "<joint> of <equality> is left out", NULL, "follows:"},
    {HINGES("", "<equality><joint joint1='k' joint2='j' polycoef='0 1 0 0 1'/></equality>"),
     "<joint> of <equality> is left out", NULL, "follows:"},
    {HINGES("", "<equality><joint joint1='k' joint2='k'/></equality>"),
     "<joint> of <equality> is left out", NULL, "follows:"},
    {HINGES("", "<equality><joint joint1='k'/></equality>"), "<joint> of <equality> is left out",
     NULL, "follows:"},
    {HINGES("", "<equality><joint joint2='k'/></equality>"), "<joint> of <equality> is left out",
     NULL, "follows:"},
    {HINGES("",
            "<equality><joint joint1='k' joint2='j'/><joint joint1='k' joint2='s'/></equality>"),
     "<joint> of <equality> is left out", "k_follows: {type: gear, joints: [k, j], ratio: 1}",
     "[k, s]"},
    {HINGES("",
            "<equality><joint joint1='k' joint2='j'/><joint joint1='j' joint2='k'/></equality>"),
     "<joint> of <equality> is left out", "k_follows: {type: gear, joints: [k, j], ratio: 1}",
     "j_follows"},
    {HINGES("", "<equality><joint active='true' joint1='k' joint2='j'/><joint active='false' "
                "joint1='s' joint2='j'/></equality>"),
     NULL, "k_follows", "s_follows"},
    {HINGES("", "<equality><flex/></equality>"), "<flex> of <equality> is left out", NULL, NULL},
    {"<mujoco><worldbody><body name='b'>" BALL "<joint name='j' type='ball'/><body>" BALL
     "<joint name='k'/></body></body></worldbody><equality><joint joint1='k' joint2='j'/><joint "
     "joint1='j' joint2='k'/></equality></mujoco>",
     "<joint> of <equality> is left out", "type: spherical", "follows:"},
    /* welds: by where they are, or as they are told */
    {HINGES("", "<equality><weld name='w' body1='d' relpose='0 0 0 0 1 0 0'/></equality>"), NULL,
     "rotation: {quaternion: [0, 1, 0, 0]}", NULL},
    {HINGES("", "<equality><weld name='w' body1='d' relpose='0 0 0 0 0 1 0'/></equality>"), NULL,
     "rotation: {quaternion: [0, 0, 1, 0]}", NULL},
    {HINGES("", "<equality><weld name='w' body1='d' relpose='0 0 0 0 0 0 1'/></equality>"), NULL,
     "rotation: {quaternion: [0, 0, 0, 1]}", NULL},
    /* balls: what they may not have */
    {BODY("<joint name='j' type='ball' stiffness='1'/>" BALL, ""),
     "joint 'j' has three freedoms: of limits, friction, armature and stiffness it keeps none",
     "type: spherical", "stiffness: 1"},
    {BODY("<joint name='j' type='ball' damping='1'/>" BALL, ""), NULL, "damping: 1", NULL},
    /* weight: where gravity is switched on in words, and off */
    {"<mujoco><option><flag gravity='disable'/><flag "
     "gravity='enable'/></option><worldbody><body>" BALL "<joint/></body></worldbody></mujoco>",
     NULL, "gravity: [0, 0, 0]", NULL},
    {"<mujoco><option gravity='0 -1 0'><flag gravity='enable'/></option><worldbody><body>" BALL
     "<joint/></body></worldbody></mujoco>",
     NULL, "gravity: [0, -1, 0]", NULL},
    /* a frame's joints make its body move */
    {"<mujoco><worldbody><body name='b'>" BALL "<frame><joint name='j'/></frame></body></worldbody>"
     "</mujoco>",
     NULL, "type: revolute", NULL},
    /* meshes: below the folder of all assets, that of meshes, or none */
    {"<mujoco><compiler assetdir='all/'/><asset><mesh name='m' "
     "file='a.stl'/></asset><worldbody><body>" BALL
     "<joint/><geom type='mesh' mesh='m' contype='0'/></body></worldbody></mujoco>",
     NULL, "mesh: \"all/a.stl\"", NULL},
    {"<mujoco><compiler assetdir='all' meshdir='own'/><asset><mesh name='m' file='a.stl'/></asset>"
     "<worldbody><body>" BALL "<joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
     NULL, "mesh: \"own/a.stl\"", NULL},
    {"<mujoco><compiler meshdir=''/><asset><mesh name='m' file='a.stl'/></asset>"
     "<worldbody><body>" BALL "<joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
     NULL, "mesh: \"a.stl\"", NULL},
    {"<mujoco><compiler meshdir='own'/><asset><mesh name='m' file='/a.stl'/></asset>"
     "<worldbody><body>" BALL "<joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
     NULL, "mesh: \"/a.stl\"", NULL},
    {"<mujoco><compiler meshdir='own'/><asset><mesh name='m'/></asset>"
     "<worldbody><body>" BALL "<joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
     NULL, "mesh: \"m\"", NULL},
};

static bool has_note(const detent_imported *imported, const char *note)
{
    bool any = false;
    for (size_t k = 0; k < detent_imported_note_count(imported); k++) {
        any = any || strstr(detent_imported_note(imported, k, NULL), note);
    }
    return any;
}

/* Whether lines that are no comments have it. */
static bool has(const char *text, const char *part)
{
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) {
        const char *line = at;
        while (line > text && line[-1] != '\n') {
            line--;
        }
        if (*line != '#') {
            return true;
        }
    }
    return false;
}

static void test_taken(void **state)
{
    UNUSED(state);
    int failed = 0;
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        const struct taken *t = &taken[k];
        detent_error e = {0};
        detent_imported *imported = NULL;
        must(detent_import_text(t->text, strlen(t->text), "robot", NULL, &imported, &e), &e);
        const char *text = detent_imported_text(imported, NULL);
        if ((t->note && !has_note(imported, t->note)) || (t->written && !has(text, t->written)) ||
            (t->without && has(text, t->without))) {
            print_error("%zu: '%s', '%s' and not '%s' were expected of\n", k,
                        t->note ? t->note : "", t->written ? t->written : "",
                        t->without ? t->without : "");
            print_error("%s\n", t->text);
            failed++;
        }
        detent_imported_destroy(imported);
    }
    assert_int_equal(failed, 0);
}

/* Kinds of elements beyond those that there are lines for are told by where the first one is. */
static void test_many_kinds(void **state)
{
    UNUSED(state);
    char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, "<robot>\n" LINK("a"));
    for (int k = 0; k < 80; k++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "<kind_%d/>\n", k);
    }
    snprintf(text + length, sizeof text - length, "</robot>");
    detent_error e = {0};
    detent_imported *imported = NULL;
    must(detent_import_text(text, strlen(text), "robot", NULL, &imported, &e), &e);
    int line = 0;
    bool any = false;
    for (size_t k = 0; k < detent_imported_note_count(imported) && !any; k++) {
        any = strstr(detent_imported_note(imported, k, &line),
                     "more kinds of elements and attributes are left out, the first of them here");
    }
    assert_true(any);
    assert_int_equal(line, 3 + 64);
    assert_true(has_note(imported, "<kind_63> of <robot> is left out"));
    assert_false(has_note(imported, "kind_64"));
    detent_imported_destroy(imported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused), cmocka_unit_test(test_taken),
                                       cmocka_unit_test(test_many_kinds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
