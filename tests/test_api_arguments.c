/* What analyses, linear models and definitions ask of their arguments: each that is missing or no number is refused, is named, and leaves
 * things as they were. */
#include "detent/analysis.h"
#include "support_changes.h"
#include "support_linear.h"
#include "test_api_fixture.h"

static const double nan_value = (double)NAN;

/* A ball joint, a rail with an input and a state; a weld. */
static const char ball_text[] =
    "detent: 1\n"
    "gravity: [0, -10, 0]\n"
    "inputs: {push: 0}\n"
    "bodies:\n"
    "  ball: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, 0.1]}\n"
    "  mark: {mass: 0.1, inertia: [0.1, 0.1, 0.1]}\n"
    "  plate: {mass: 1}\n"
    "joints:\n"
    "  socket: {type: spherical, base: ground, follower: ball}\n"
    "  glue: {type: weld, base: ball, follower: mark}\n"
    "  rail: {type: prismatic, base: ground, follower: plate, axis: [1, 0, 0], damping: 2, force: "
    "push}\n"
    "states: {way: {derivative: velocity(rail) - way, initial: 0, nominal: 1}}\n"
    "outputs: [position(rail), force(rail)]\n";

enum { COORDINATES = 5, FREEDOMS = 4, PRIMITIVES = 3, SOCKET = 0, GLUE = 1, RAIL = 2 };

typedef struct fixture {
    detent_mechanism *mechanism;
    detent_analysis *analysis;
} fixture;

static fixture begin(void)
{
    fixture of;
    detent_error e;
    must(detent_mechanism_parse(ball_text, strlen(ball_text), "ball.yaml", NULL, &of.mechanism, &e),
         &e);
    must(detent_analysis_create(of.mechanism, NULL, &of.analysis, &e), &e);
    return of;
}

static void end(fixture *of)
{
    detent_analysis_destroy(of->analysis);
    detent_mechanism_destroy(of->mechanism);
}

static void analyses_need_a_finished_mechanism(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    detent_analysis *n = (detent_analysis *)&e;
    detent_assembly assembly = {.size = sizeof assembly, .loop = 5};
    must(detent_mechanism_create("x", NULL, &m, &e), &e);
    expect_argument_error(detent_analysis_create(m, NULL, NULL, &e), &e, "place");
    expect_argument_error(detent_analysis_create(m, NULL, &n, &e), &e, "finish");
    assert_null(n);
    expect_argument_error(detent_analysis_create(NULL, NULL, &n, &e), &e, "mechanism");
    expect_argument_error(detent_assemble(m, NULL, NULL, NULL, &assembly, &e), &e, "finish");
    assert_int_equal(assembly.loop, -1);
    detent_mechanism_destroy(m);

    const detent_allocator half = {.context = NULL};
    fixture of = begin();
    expect_argument_error(detent_analysis_create(of.mechanism, &half, &n, &e), &e, "allocator");
    expect_argument_error(detent_assemble(of.mechanism, &half, NULL, NULL, NULL, &e), &e,
                          "allocator");
    end(&of);
    detent_analysis_destroy(NULL);
}

static void states_of_analyses_are_numbers(void **state)
{
    UNUSED(state);
    detent_error e;
    fixture of = begin();
    double q[COORDINATES], kept[COORDINATES], v[FREEDOMS] = {0}, z = 1, t;
    detent_analysis *n = of.analysis;
    expect_argument_error(detent_analysis_get_state(NULL, &t, q, v, &e), &e, "analysis");
    must(detent_analysis_get_state(n, &t, q, v, &e), &e);
    memcpy(kept, q, sizeof kept);
    expect_argument_error(detent_analysis_set_state(NULL, 0, q, v, NULL, &e), &e, "analysis");
    expect_argument_error(detent_analysis_set_state(n, nan_value, q, v, NULL, &e), &e, "time");
    expect_argument_error(detent_analysis_set_state(n, 0, NULL, v, NULL, &e), &e, "positions");
    q[4] = nan_value;
    expect_argument_error(detent_analysis_set_state(n, 0, q, v, NULL, &e), &e,
                          "the position of 'rail' is not finite");
    q[4] = 0;
    memset(q, 0, 4 * sizeof *q);
    expect_argument_error(detent_analysis_set_state(n, 0, q, v, NULL, &e), &e,
                          "the position of 'socket' is a quaternion of zeros");
    q[1] = nan_value;
    expect_argument_error(detent_analysis_set_state(n, 0, q, v, NULL, &e), &e,
                          "the position of 'socket' is not finite");
    v[3] = (double)INFINITY;
    expect_argument_error(detent_analysis_set_state(n, 0, kept, v, NULL, &e), &e,
                          "the velocity of 'rail' is not finite");
    must(detent_analysis_get_state(n, NULL, q, NULL, &e), &e);
    assert_memory_equal(q, kept, sizeof kept);
    must(detent_analysis_get_state(n, &t, NULL, NULL, &e), &e);
    assert_true(t == 0);

    expect_argument_error(detent_analysis_set_states(NULL, &z, &e), &e, "analysis");
    expect_argument_error(detent_analysis_set_states(n, NULL, &e), &e, "states");
    expect_argument_error(detent_analysis_get_states(NULL, &z, &e), &e, "analysis");
    expect_argument_error(detent_analysis_get_states(n, NULL, &e), &e, "states");
    expect_argument_error(detent_analysis_set_input(NULL, 0, 1, &e), &e, "analysis");
    expect_argument_error(detent_analysis_set_input(n, 1, 1, &e), &e, "input 1");
    expect_argument_error(detent_analysis_set_input(n, 0, nan_value, &e), &e,
                          "input 'push': the value is not finite");
    end(&of);
}

/* The drive has to hold against what the input would have pushed: nothing of a refused call is left. */
static void inverse_dynamics_needs_all_places(void **state)
{
    UNUSED(state);
    detent_error e;
    fixture of = begin();
    double a[FREEDOMS] = {0}, low[FREEDOMS], high[FREEDOMS];
    detent_analysis *n = of.analysis;
    expect_argument_error(detent_inverse(NULL, a, NULL, low, high, &e), &e, "analysis");
    expect_argument_error(detent_inverse(n, NULL, NULL, low, high, &e), &e, "accelerations");
    expect_argument_error(detent_inverse(n, a, NULL, NULL, high, &e), &e, "lower forces");
    expect_argument_error(detent_inverse(n, a, NULL, low, NULL, &e), &e, "upper forces");
    a[3] = nan_value;
    expect_argument_error(detent_inverse(n, a, NULL, low, high, &e), &e,
                          "the acceleration of 'rail' is not finite");
    a[3] = 3;
    must(detent_inverse(n, a, NULL, low, high, &e), &e);
    assert_true(fabs(low[3] - 3) < 1e-14 && low[3] == high[3]);
    end(&of);
}

static void rest_needs_its_places(void **state)
{
    UNUSED(state);
    detent_error e;
    fixture of = begin();
    detent_hold_interval interval = DETENT_INIT(detent_hold_interval);
    detent_rest rest = DETENT_INIT(detent_rest);
    bool holds;
    expect_argument_error(detent_equilibrium(NULL, NULL, &rest, &e), &e, "analysis");
    expect_argument_error(detent_hold(NULL, &holds, NULL, NULL, &e), &e, "analysis");
    expect_argument_error(detent_hold(of.analysis, NULL, NULL, NULL, &e), &e, "answer");
    expect_argument_error(detent_find_hold_interval(NULL, 0, &interval, &e), &e, "analysis");
    expect_argument_error(detent_find_hold_interval(of.analysis, 0, NULL, &e), &e, "interval");
    expect_argument_error(detent_find_hold_interval(of.analysis, 1, &interval, &e), &e, "input 1");
    end(&of);
}

static void drives_are_joints_with_one_coordinate(void **state)
{
    UNUSED(state);
    detent_error e;
    fixture of = begin();
    detent_analysis *n = of.analysis;
    double value;
    detent_range range = DETENT_INIT(detent_range);
    detent_joint_range joint = DETENT_INIT(detent_joint_range);
    detent_drive drive = {.size = sizeof drive, .primitive = RAIL};
    expect_argument_error(detent_kinematics(NULL, 0, NULL, NULL, NULL, NULL, &e), &e, "analysis");
    expect_argument_error(detent_kinematics(n, nan_value, NULL, NULL, NULL, NULL, &e), &e, "time");
    double *const numbers[] = {&drive.position, &drive.velocity, &drive.acceleration};
    for (size_t k = 0; k < 3; k++) {
        *numbers[k] = nan_value;
        expect_argument_error(detent_kinematics(n, 0, &drive, NULL, NULL, NULL, &e), &e,
                              "of 'rail' is not finite");
        *numbers[k] = 0;
    }
    static const size_t no_drives[] = {SOCKET, GLUE};
    for (size_t k = 0; k < 2; k++) {
        drive.primitive = no_drives[k];
        expect_argument_error(detent_kinematics(n, 0, &drive, NULL, NULL, NULL, &e), &e,
                              "neither revolute nor prismatic");
    }
    drive.primitive = PRIMITIVES;
    expect_argument_error(detent_kinematics(n, 0, &drive, NULL, NULL, NULL, &e), &e, "primitive 3");

    expect_argument_error(detent_kinematics_output(NULL, 0, &value, &e), &e, "analysis");
    expect_argument_error(detent_kinematics_output(n, 0, NULL, &e), &e, "value");
    expect_argument_error(detent_kinematics_output(n, 2, &value, &e), &e, "output 2");
    expect_argument_error(detent_kinematics_output(n, 1, &value, &e), &e, "'force(rail)'");

    expect_argument_error(detent_find_range(NULL, RAIL, 0, 1, &range, &e), &e, "analysis");
    expect_argument_error(detent_find_range(n, RAIL, 0, 1, NULL, &e), &e, "range");
    assert_int_equal(detent_get_joint_range(NULL, RAIL, &joint), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_joint_range(n, RAIL, &joint), DETENT_ERROR_ARGUMENT); /* none yet */
    expect_argument_error(detent_find_range(n, RAIL, 1, 1, &range, &e), &e, "empty");
    expect_argument_error(detent_find_range(n, RAIL, (double)-INFINITY, 1, &range, &e), &e,
                          "not finite");
    expect_argument_error(detent_find_range(n, RAIL, 0, (double)INFINITY, &range, &e), &e,
                          "not finite");
    end(&of);
}

static void linear_models_are_of_outputs_that_there_are(void **state)
{
    UNUSED(state);
    detent_error e;
    fixture of = begin();
    detent_simulation *s = simulate(of.mechanism);
    static const size_t second[] = {0}, fourth[] = {0, 3};
    const detent_allocator half = {.context = NULL};
    const detent_linearize_options none = {.size = sizeof none,
                                           .outputs = fourth,
                                           .output_count = 2},
                                   bad = {.size = sizeof bad, .allocator = &half},
                                   one = {.size = sizeof one, .outputs = second, .output_count = 1};
    linear_model *l = (linear_model *)&e;
    expect_argument_error(detent_linearize(s, NULL, NULL, &e), &e, "place");
    expect_argument_error(linear_model_make(NULL, NULL, &l, &e), &e, "simulation");
    assert_null(l);
    expect_argument_error(linear_model_make(s, &bad, &l, &e), &e, "allocator");
    expect_argument_error(linear_model_make(s, &none, &l, &e), &e, "output 3");
    assert_null(l);
    must(linear_model_make(s, &one, &l, &e), &e);
    assert_int_equal(l->outputs, 1);
    linear_model_free(l);
    linear_model_free(NULL);
    detent_simulation_destroy(s);
    end(&of);
}

static void sections_need_their_places(void **state)
{
    UNUSED(state);
    detent_error e;
    size_t from, to;
    const size_t length = strlen(ball_text);
    const detent_allocator half = {.context = NULL};
    expect_argument_error(detent_find_initial_section(NULL, 0, "x", NULL, &from, &to, &e), &e,
                          "text");
    expect_argument_error(detent_find_initial_section(ball_text, length, "x", NULL, NULL, &to, &e),
                          &e, "beginning");
    expect_argument_error(
        detent_find_initial_section(ball_text, length, "x", NULL, &from, NULL, &e), &e, "end");
    expect_argument_error(
        detent_find_initial_section(ball_text, length, "x", &half, &from, &to, &e), &e,
        "allocator");
    /* A mark of the order of bytes counts, and a text of two bytes has none. */
    char marked[sizeof ball_text + 3];
    snprintf(marked, sizeof marked, "\xEF\xBB\xBF%s", ball_text);
    must(detent_find_initial_section(ball_text, length, NULL, NULL, &from, &to, &e), &e);
    assert_true(from == length && to == length);
    must(detent_find_initial_section(marked, length + 3, NULL, NULL, &from, &to, &e), &e);
    assert_true(from == length + 3 && to == length + 3);
    assert_int_equal(detent_find_initial_section("[a]", 3, NULL, NULL, &from, &to, &e),
                     DETENT_ERROR_MODEL);
    assert_string_equal(e.file, "mechanism");
}

static void simulations_need_their_places(void **state)
{
    UNUSED(state);
    detent_error e;
    fixture of = begin();
    detent_simulation *s = simulate(of.mechanism);
    detent_mobility mobility = DETENT_INIT(detent_mobility);
    detent_scale scale = DETENT_INIT(detent_scale);
    double wrench[6], origin[3], rotation[4];
    expect_argument_error(detent_get_mobility(NULL, &mobility, &e), &e, "simulation");
    expect_argument_error(detent_get_mobility(s, NULL, &e), &e, "mobility");
    expect_argument_error(detent_get_scale(NULL, 0, &scale, &e), &e, "simulation");
    expect_argument_error(detent_get_scale(s, 0, NULL, &e), &e, "scale");
    expect_argument_error(detent_get_scale(s, PRIMITIVES, &scale, &e), &e, "primitive 3");
    expect_argument_error(detent_set_input(NULL, 0, 0, &e), &e, "simulation");
    expect_argument_error(detent_get_reaction(NULL, 0, DETENT_REACTION_WORLD, false, wrench, &e),
                          &e, "simulation");
    expect_argument_error(detent_get_pose(NULL, 0, origin, rotation, &e), &e, "simulation");
    expect_argument_error(detent_get_pose(s, 0, NULL, rotation, &e), &e, "pose");
    expect_argument_error(detent_read(s, (detent_quantity)-1, wrench, 2, &e), &e, "quantity");
    expect_argument_error(detent_save_state(NULL, wrench, 6, &e), &e, "simulation");
    expect_argument_error(detent_save_state(s, NULL, 6, &e), &e, "bytes");
    expect_argument_error(detent_save_state(s, wrench, 6, &e), &e, "6 bytes");
    expect_argument_error(detent_restore_state(NULL, wrench, 6, &e), &e, "simulation");
    expect_argument_error(detent_restore_state(s, NULL, 6, &e), &e, "bytes");
    assert_int_equal(detent_mode_change_count(NULL), 0);
    detent_simulation_destroy(s);
    end(&of);
}

static void items_need_names(void **state)
{
    UNUSED(state);
    detent_error e;
    detent_mechanism *m;
    must(detent_mechanism_create(NULL, NULL, &m, &e), &e);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    joint.name = "j";
    expect_argument_error(detent_add_joint(m, &joint, &e), &e, "follower");
    joint.follower = "a";
    joint.name = NULL;
    expect_argument_error(detent_add_joint(m, &joint, &e), &e, "name");
    detent_spring_def spring = DETENT_INIT(detent_spring_def);
    expect_argument_error(detent_add_spring(m, NULL, &e), &e, "definition");
    spring.name = NULL;
    expect_argument_error(detent_add_spring(m, &spring, &e), &e, "name");
    detent_coupling_def coupling = {.size = sizeof coupling, .count = 2, .primitive = {"j"}};
    expect_argument_error(detent_add_coupling(NULL, &coupling, &e), &e, "mechanism");
    expect_argument_error(detent_add_coupling(m, &coupling, &e), &e, "name");
    coupling.name = "c";
    expect_argument_error(detent_add_coupling(m, &coupling, &e), &e, "primitive");
    detent_state_def own = {.size = sizeof own, .derivative = "1"};
    expect_argument_error(detent_add_state(NULL, &own, &e), &e, "mechanism");
    expect_argument_error(detent_add_state(m, &own, &e), &e, "name");
    own = (detent_state_def){.size = sizeof(detent_state_def), .name = "z"};
    expect_argument_error(detent_add_state(m, &own, &e), &e, "derivative");
    detent_mechanism_destroy(m);
}

/* What only definitions can say: a file has no list of one or of seven joints. */
static void couplings_are_of_two_to_six(void **state)
{
    UNUSED(state);
    static const size_t counts[] = {1, DETENT_MAX_COUPLED + 1};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        detent_error e;
        detent_mechanism *m;
        detent_coupling_def coupling = {
            .size = sizeof coupling, .name = "mesh", .count = counts[k]};
        must(detent_mechanism_create(NULL, NULL, &m, &e), &e);
        must(add_links(m, &e), &e);
        for (size_t i = 0; i < DETENT_MAX_COUPLED; i++) {
            coupling.primitive[i] = i % 2 ? "elbow" : "shoulder";
            coupling.factor[i] = 1;
        }
        assert_int_equal(detent_add_coupling(m, &coupling, &e), DETENT_ERROR_MODEL);
        assert_non_null(strstr(e.message, "coupling 'mesh': it needs two to six joints"));
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analyses_need_a_finished_mechanism),
        cmocka_unit_test(states_of_analyses_are_numbers),
        cmocka_unit_test(inverse_dynamics_needs_all_places),
        cmocka_unit_test(rest_needs_its_places),
        cmocka_unit_test(drives_are_joints_with_one_coordinate),
        cmocka_unit_test(linear_models_are_of_outputs_that_there_are),
        cmocka_unit_test(sections_need_their_places),
        cmocka_unit_test(simulations_need_their_places),
        cmocka_unit_test(items_need_names),
        cmocka_unit_test(couplings_are_of_two_to_six),
    };
    return cmocka_run_group_tests_name("api arguments", tests, NULL, NULL);
}
