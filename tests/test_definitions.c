/* Definitions in C that are no mechanism: each is refused with words that name what is wrong, and the same thing given
 * again, corrected, is taken. What a file cannot say is here; the rest is in the corpus of bad files. */
#include "test_api_fixture.h"

/* One of each, all of them good as they are; a spoiler changes one value. */
typedef struct parts {
    detent_body_def body;
    detent_joint_def joint;
    detent_primitive_def primitive[DETENT_MAX_PRIMITIVES]; /* of the joint */
    detent_stiction_def stiction;
    detent_load_def load;
    const char *parameter, *value, *signal, *expression, *output;
} parts;

static parts good_parts(void)
{
    parts p = {.body = DETENT_INIT(detent_body_def),
               .joint = DETENT_INIT(detent_joint_def),
               .stiction = DETENT_INIT(detent_stiction_def),
               .load = DETENT_INIT(detent_load_def),
               .parameter = "p",
               .value = "2",
               .signal = "s",
               .expression = "p*t",
               .output = "s + position(slide)"};
    p.body.name = "block";
    p.body.mass = 1;
    for (size_t k = 0; k < DETENT_MAX_PRIMITIVES; k++) {
        p.primitive[k].size = sizeof p.primitive[k];
    }
    p.joint.name = "slide";
    p.joint.type = "prismatic";
    p.joint.follower = "block";
    p.stiction.primitive = "slide";
    p.stiction.kinetic = "1";
    p.stiction.static_limit = "2";
    p.load.name = "pull";
    p.load.body = "block";
    return p;
}

static detent_status add_joint(const parts *p, detent_mechanism *m, detent_error *e)
{
    detent_joint_def joint = p->joint;
    for (size_t k = 0; k < DETENT_MAX_PRIMITIVES; k++) {
        joint.primitive[k] = &p->primitive[k];
    }
    return detent_add_joint(m, &joint, e);
}

static detent_status build(const parts *p, detent_mechanism *m, detent_error *e)
{
    const char *const gravity[3] = {"0", "0", "0"};
    detent_status status = detent_set_gravity_law(m, gravity, e);
    status = status ? status : detent_add_parameter(m, p->parameter, p->value, e);
    status = status ? status : detent_add_signal(m, p->signal, p->expression, e);
    status = status ? status : detent_add_body(m, &p->body, e);
    status = status ? status : add_joint(p, m, e);
    status = status ? status : detent_add_stiction(m, &p->stiction, e);
    status = status ? status : detent_add_load(m, &p->load, e);
    status = status ? status : detent_add_output(m, p->output, e);
    return status ? status : detent_mechanism_finish(m, e);
}

static detent_status try(const parts *p, detent_error *e)
{
    detent_mechanism *m;
    must(detent_mechanism_create("parts", NULL, &m, e), e);
    const detent_status status = build(p, m, e);
    detent_mechanism_destroy(m);
    return status;
}

static void must_refuse(const parts *p, const char *words)
{
    detent_error e = {0};
    const detent_status status = try(p, &e);
    if (status != DETENT_ERROR_MODEL || e.status != status || !strstr(e.message, words)) {
        fail_msg("instead of '%s': status %d, '%s'", words, status, e.message);
    }
}

static void test_good_parts(void **state)
{
    UNUSED(state);
    detent_error e;
    parts p = good_parts();
    must(try(&p, &e), &e);
}

/* ---- names ---- */

static void test_names(void **state)
{
    UNUSED(state);
    char long_name[102];
    memset(long_name, 'x', 101);
    long_name[101] = '\0';
    parts p = good_parts();
    p.body.name = "";
    must_refuse(&p, "a body needs a name");
    p.body.name = "ground";
    must_refuse(&p, "the ground is always there");
    p.body.name = long_name;
    must_refuse(&p, "at most 100 characters");
    p = good_parts();
    p.joint.name = "a b";
    must_refuse(&p, "joint 'a b': a name has letters, digits and underscores");
    p.joint.name = "slide[1";
    must_refuse(&p, "joint 'slide[1'");
    p.joint.name = "slide[-]";
    must_refuse(&p, "joint 'slide[-]'");
    p = good_parts();
    p.load.name = "";
    must_refuse(&p, "a load needs a name");
    p = good_parts();
    p.parameter = "pi";
    must_refuse(&p, "parameter 'pi': the name is reserved");
    p.parameter = "x[1]";
    must_refuse(&p, "the name is reserved");
    p = good_parts();
    p.signal = "p";
    must_refuse(&p, "signal 'p': the name is already that of a parameter");
}

/* An index in a name is part of it, a negative one too. */
static void test_names_with_an_index(void **state)
{
    UNUSED(state);
    static const char *const names[] = {"slide[0]", "slide[17]", "slide[-3]"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        detent_error e;
        char output[64];
        parts p = good_parts();
        p.joint.name = p.stiction.primitive = names[k];
        snprintf(output, sizeof output, "position(%s)", names[k]);
        p.output = output;
        must(try(&p, &e), &e);
    }
}

static void test_a_name_twice(void **state)
{
    UNUSED(state);
    detent_error e;
    parts p = good_parts();
    detent_mechanism *m;
    must(detent_mechanism_create("parts", NULL, &m, &e), &e);
    must(detent_add_body(m, &p.body, &e), &e);
    must(add_joint(&p, m, &e), &e);
    assert_int_equal(detent_add_body(m, &p.body, &e), DETENT_ERROR_MODEL);
    assert_non_null(strstr(e.message, "'block' is used by two bodies"));
    assert_int_equal(add_joint(&p, m, &e), DETENT_ERROR_MODEL);
    assert_non_null(strstr(e.message, "'slide' is used by two joints"));
    detent_mechanism_destroy(m);
}

/* What was refused has left no trace. */
static void test_given_again(void **state)
{
    UNUSED(state);
    detent_error e;
    const parts p = good_parts();
    parts wrong = p;
    detent_mechanism *m;
    wrong.body.mass = -1;
    wrong.parameter = "t";
    wrong.primitive[0].damping = -1;
    must(detent_mechanism_create("parts", NULL, &m, &e), &e);
    assert_int_equal(detent_add_body(m, &wrong.body, &e), DETENT_ERROR_MODEL);
    assert_int_equal(detent_add_parameter(m, wrong.parameter, "1", &e), DETENT_ERROR_MODEL);
    must(build(&p, m, &e), &e);
    detent_mechanism_destroy(m);
}

/* ---- joints ---- */

static void test_types_and_rows(void **state)
{
    UNUSED(state);
    parts p = good_parts();
    p.joint.type = "prismatik";
    must_refuse(&p, "did you mean 'prismatic'?");
    p.joint.type = "hovercraft";
    must_refuse(&p, "unknown joint type 'hovercraft'; there are revolute, ");
    p = good_parts();
    p.joint.row = "p";
    must_refuse(&p, "only a custom joint lists its row");
    p.joint.type = "custom";
    p.joint.row = NULL;
    must_refuse(&p, "needs its row");
    p.joint.row = "";
    must_refuse(&p, "needs its row");
    p.joint.row = "pq";
    must_refuse(&p, "p (prismatic), r (revolute) and s (spherical)");
    p.joint.row = "prprprp";
    must_refuse(&p, "at most 6 primitives");
}

static void test_frames(void **state)
{
    UNUSED(state);
    parts p = good_parts();
    p.joint.base = "";
    must_refuse(&p, "joint 'slide' needs a base");
    p = good_parts();
    p.joint.follower = "";
    must_refuse(&p, "joint 'slide' needs a follower");
    p = good_parts();
    p.joint.base_rotation[1] = 1e-150;
    must_refuse(&p, "quaternion of at.base has no direction");
    p = good_parts();
    p.joint.follower_rotation[2] = NAN;
    must_refuse(&p, "at.follower");
    p = good_parts();
    p.joint.follower_point[1] = INFINITY;
    must_refuse(&p, "at.follower");
}

static void test_values_of_primitives(void **state)
{
    UNUSED(state);
    detent_primitive_def *q;
    parts p = good_parts();
    q = &p.primitive[0];
    q->nominal_position = -1;
    must_refuse(&p, "the nominal position is negative");
    q->nominal_position = 0;
    q->nominal_velocity = -1;
    must_refuse(&p, "the nominal velocity is negative");
    q->nominal_velocity = 0;
    q->stiffness = -1;
    must_refuse(&p, "the stiffness is negative");
    q->stiffness = 0;
    q->damping = NAN;
    must_refuse(&p, "'slide': damping is not a finite number");
    q->damping = 0;
    q->motion = "t";
    q->position[0] = 1;
    must_refuse(&p, "the motion gives the initial position");
    q->position[0] = 0;
    q->velocity[0] = 1;
    must_refuse(&p, "the motion gives the initial velocity");
}

/* A spherical primitive and a weld have neither a direction nor a length. */
static void test_what_only_a_scalar_has(void **state)
{
    UNUSED(state);
    static const struct {
        const char *type, *what, *words;
    } refused[] = {{"spherical", "spring", "a spherical primitive takes no spring"},
                   {"spherical", "rest", "a spherical primitive takes no spring"},
                   {"spherical", "armature", "a spherical primitive takes no armature"},
                   {"spherical", "force", "a spherical primitive takes no force"},
                   {"spherical", "motion", "a spherical primitive takes no motion"},
                   {"spherical", "place", "is a rotation: it has no size"},
                   {"weld", "spring", "a weld takes no spring"},
                   {"weld", "rest", "a weld takes no spring"},
                   {"weld", "armature", "a weld takes no armature"},
                   {"weld", "force", "a weld takes no force"},
                   {"weld", "motion", "a weld takes no motion"},
                   {"weld", "place", "a weld has no position"},
                   {"weld", "speed", "a weld has no velocity"},
                   {"weld", "damping", "a weld takes no damping"},
                   {"weld", "position", "a weld has no position and no velocity"},
                   {"weld", "velocity", "a weld has no position and no velocity"}};
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const char *what = refused[k].what;
        parts p = good_parts();
        detent_primitive_def *q = &p.primitive[0];
        p.body.inertia[0] = p.body.inertia[1] = p.body.inertia[2] = 1;
        p.joint.type = refused[k].type;
        q->stiffness = strcmp(what, "spring") == 0;
        q->rest = strcmp(what, "rest") == 0;
        q->armature = strcmp(what, "armature") == 0;
        q->force = strcmp(what, "force") == 0 ? "1" : NULL;
        q->motion = strcmp(what, "motion") == 0 ? "t" : NULL;
        q->nominal_position = strcmp(what, "place") == 0;
        q->nominal_velocity = strcmp(what, "speed") == 0;
        q->damping = strcmp(what, "damping") == 0;
        q->position[0] = strcmp(what, "position") == 0;
        q->velocity[2] = strcmp(what, "velocity") == 0;
        must_refuse(&p, refused[k].words);
    }
    parts p = good_parts();
    p.joint.type = "spherical";
    p.primitive[0].position[1] = 1e-200;
    must_refuse(&p, "the quaternion has no direction");
}

/* The primitive of a composite joint is called by its name. */
static void test_the_primitive_is_named(void **state)
{
    UNUSED(state);
    parts p = good_parts();
    p.joint.type = "bushing";
    p.primitive[4].damping = -1;
    must_refuse(&p, "joint 'slide.r2': the damping is negative");
}

/* ---- stiction ---- */

static void test_stiction(void **state)
{
    UNUSED(state);
    parts p = good_parts();
    p.stiction.velocity_threshold = -1;
    must_refuse(&p, "the velocity threshold must be positive");
    p.stiction.velocity_threshold = NAN;
    must_refuse(&p, "velocity_threshold");
    p = good_parts();
    p.stiction.kinetic = NULL;
    must_refuse(&p, "needs 'kinetic'");
    p = good_parts();
    p.stiction.forward = "-1";
    must_refuse(&p, "either by 'static' or by 'forward' and 'reverse'");
    p.stiction.forward = NULL;
    p.stiction.reverse = "1";
    must_refuse(&p, "either by 'static' or by 'forward' and 'reverse'");
    p.stiction.static_limit = NULL;
    must_refuse(&p, "needs both 'forward' and 'reverse'");
    p.stiction.reverse = NULL;
    p.stiction.forward = "-1";
    must_refuse(&p, "needs both 'forward' and 'reverse'");
    p.stiction.forward = NULL;
    must_refuse(&p, "needs its limits");
    p = good_parts();
    p.stiction.locking = (detent_locking)7;
    must_refuse(&p, "locking is 'crossing' or 'band'");
    p.stiction.locking = DETENT_LOCKING_BAND;
    must_refuse(&p, "needs a 'velocity_threshold'");
}

/* A limit below the kinetic friction is no error, but worth a word; without a file there is no place. */
static void test_a_warning(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    parts p = good_parts();
    p.stiction.static_limit = "0.5";
    must(detent_mechanism_create(NULL, NULL, &m, &e), &e);
    must(build(&p, m, &e), &e);
    detent_mechanism_get_info(m, &info);
    const char *warning = detent_name(m, DETENT_WARNING, 0);
    assert_non_null(warning);
    assert_ptr_equal(strstr(warning, "stiction 'slide'"), warning);
    assert_null(detent_name(m, DETENT_WARNING, 1));
    detent_mechanism_destroy(m);
}

/* ---- loads, expressions ---- */

static void test_loads(void **state)
{
    UNUSED(state);
    detent_error e;
    parts p = good_parts();
    p.load.body = "blok";
    must_refuse(&p, "did you mean 'block'?");
    p.load.body = "ground";
    must_refuse(&p, "ground");
    p = good_parts();
    p.load.point[0] = NAN;
    must_refuse(&p, "point");
    p = good_parts();
    p.load.frame = (detent_frame)5;
    must_refuse(&p, "load 'pull': there is no frame 5");
    p = good_parts();
    p.load.body = NULL;
    assert_int_equal(try(&p, &e), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(e.message, "body"));
}

static void test_expressions(void **state)
{
    UNUSED(state);
    detent_error e;
    parts p = good_parts();
    p.value = "s";
    must_refuse(&p, "there is no 's'");
    p = good_parts();
    p.expression = "q*t";
    must_refuse(&p, "'q'");
    p = good_parts();
    p.output = "position(block, w)";
    assert_true(try(&p, &e) < 0);
    p.output = "velocity(block)";
    must_refuse(&p, "'block' is a body, and this is read of joints: velocity(slide)");
    p.output = "position(blok, x)";
    must_refuse(&p, "did you mean 'block'?");
    p.output = "position(slide, x)";
    must_refuse(&p, "this is read of bodies and points, and 'slide' is a joint");
    p = good_parts();
    p.primitive[0].motion = "s";
    p.stiction.primitive = "slide";
    assert_int_equal(try(&p, &e), DETENT_ERROR_MODEL);
}

static void test_nothing_at_all(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    must(detent_mechanism_create(NULL, NULL, &m, &e), &e);
    assert_int_equal(detent_mechanism_finish(m, &e), DETENT_ERROR_MODEL);
    assert_non_null(strstr(e.message, "the mechanism has no body"));
    detent_mechanism_destroy(m);
}

static void must_be_closed(detent_status status, const detent_error *e)
{
    assert_int_equal(status, DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(e->message, "the mechanism is finished and cannot be changed"));
}

static void test_a_finished_mechanism_is_closed(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    const parts p = good_parts();
    const char *const gravity[3] = {"0", "0", "0"};
    must(detent_mechanism_create(NULL, NULL, &m, &e), &e);
    must(build(&p, m, &e), &e);
    must_be_closed(detent_set_gravity_law(m, gravity, &e), &e);
    must_be_closed(detent_add_parameter(m, "a", "1", &e), &e);
    must_be_closed(detent_add_input(m, "b", 1, &e), &e);
    must_be_closed(detent_add_signal(m, "c", "t", &e), &e);
    must_be_closed(detent_add_body(m, &p.body, &e), &e);
    must_be_closed(add_joint(&p, m, &e), &e);
    must_be_closed(detent_add_stiction(m, &p.stiction, &e), &e);
    must_be_closed(detent_add_load(m, &p.load, &e), &e);
    must_be_closed(detent_add_output(m, "t", &e), &e);
    must_be_closed(detent_mechanism_finish(m, &e), &e);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_parts),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_with_an_index),
        cmocka_unit_test(test_a_name_twice),
        cmocka_unit_test(test_given_again),
        cmocka_unit_test(test_types_and_rows),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_values_of_primitives),
        cmocka_unit_test(test_what_only_a_scalar_has),
        cmocka_unit_test(test_the_primitive_is_named),
        cmocka_unit_test(test_stiction),
        cmocka_unit_test(test_a_warning),
        cmocka_unit_test(test_loads),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_nothing_at_all),
        cmocka_unit_test(test_a_finished_mechanism_is_closed),
    };
    return cmocka_run_group_tests_name("definitions", tests, NULL, NULL);
}
