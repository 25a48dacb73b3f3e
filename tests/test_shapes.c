/* Shapes of bodies: what they weigh where there is a density, that they change nothing else, and that they are told as they were given. */
#include "model/mechanism.h"
#include "support_written.h"
#include "test_api_fixture.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

static detent_mechanism *parse(const char *text)
{
    detent_error e = {0};
    detent_mechanism *m = NULL;
    must(detent_mechanism_parse(text, strlen(text), "shapes.yaml", NULL, &m, &e), &e);
    return m;
}

/* ---- what they weigh ---- */

/* A mechanism of one body that is free, in whose frame its node stands. */
static detent_mechanism *one_body(const char *body)
{
    char text[2048];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, -9.81]\nbodies:\n  a: %s\n"
             "joints: {free: {type: free, base: ground, follower: a}}\n",
             body);
    return parse(text);
}

static void check_near(double value, double expected, double scale, const char *what)
{
    if (!(fabs(value - expected) <= 8 * DBL_EPSILON * scale)) {
        fail_msg("%s: %.17g, not %.17g", what, value, expected);
    }
}

/* `inertia`: xx yy zz xy xz yz about the centre. */
static void check_mass(const char *body, double mass, const double com[3], const double inertia[6])
{
    detent_mechanism *m = one_body(body);
    const dt_mass *own = m->tree.nodes[m->tree.node_count - 1].body;
    const double moment = fmax(inertia[0], fmax(inertia[1], inertia[2]));
    check_near(own->mass, mass, mass, body);
    for (int k = 0; k < 6; k++) {
        check_near(own->inertia[k], inertia[k], moment, body);
    }
    for (int k = 0; k < 3; k++) {
        check_near(own->com[k], com[k], sqrt(moment / mass), body);
    }
    detent_mechanism_destroy(m);
}

static const double here[3];

/* From a formula that nobody has to look up. */
static void boxes_and_balls(void **state)
{
    UNUSED(state);
    check_mass("{density: 10, shape: [{box: [2, 3, 4]}]}", 240, here,
               (double[6]){20 * (9 + 16), 20 * (4 + 16), 20 * (4 + 9)});
    const double ball = 500 * 4 * pi / 3 * 8, moment = 0.4 * ball * 4;
    check_mass("{density: 500, shape: [{sphere: 2}]}", ball, here,
               (double[6]){moment, moment, moment});
    check_mass("{density: 0.5 g/cm^3, shape: [{sphere: 200 cm}]}", ball, here,
               (double[6]){moment, moment, moment});
}

/* Adds slices at right angles to z, ellipses whose semi-axes are a(z), b(z): Gauss' rule of three points is exact for what is a polynomial of degree five. */
typedef struct slice {
    double a, b;
} slice;

static void add_slices(double sum[4], double from, double to,
                       slice (*at)(double z, const double *size), const double *size)
{
    static const double place[3] = {-0.7745966692414834, 0, 0.7745966692414834},
                        weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    for (int k = 0; k < 3; k++) {
        const double z = (from + to) / 2 + place[k] * (to - from) / 2;
        const slice s = at(z, size);
        const double dm = pi * s.a * s.b * weight[k] * (to - from) / 2;
        sum[0] += dm;
        sum[1] += dm * (s.b * s.b / 4 + z * z);
        sum[2] += dm * (s.a * s.a / 4 + z * z);
        sum[3] += dm * (s.a * s.a + s.b * s.b) / 4;
    }
}

static slice cylinder_at(double z, const double *size)
{
    UNUSED(z);
    return (slice){size[0], size[0]};
}

static slice cap_at(double z, const double *size)
{
    const double beyond = fabs(z) - size[1] / 2, r = sqrt(size[0] * size[0] - beyond * beyond);
    return (slice){r, r};
}

static slice ellipsoid_at(double z, const double *size)
{
    const double share = sqrt(1 - z * z / (size[2] * size[2]));
    return (slice){size[0] * share, size[1] * share};
}

static void slices_add_up(void **state)
{
    UNUSED(state);
    const double round[2] = {0.3, 1.7}, semi[3] = {0.2, 0.5, 1.1}, half = round[1] / 2;
    double s[4] = {0};
    add_slices(s, -half, half, cylinder_at, round);
    check_mass("{density: 1, shape: [{cylinder: {radius: 0.3, length: 1.7}}]}", s[0], here,
               (double[6]){s[1], s[2], s[3]});
    add_slices(s, -half - round[0], -half, cap_at, round);
    add_slices(s, half, half + round[0], cap_at, round);
    check_mass("{density: 1, shape: [{capsule: {radius: 0.3, length: 1.7}}]}", s[0], here,
               (double[6]){s[1], s[2], s[3]});
    memset(s, 0, sizeof s);
    add_slices(s, -semi[2], semi[2], ellipsoid_at, semi);
    check_mass("{density: 1, shape: [{ellipsoid: [0.2, 0.5, 1.1]}]}", s[0], here,
               (double[6]){s[1], s[2], s[3]});
}

static void places_and_sums(void **state)
{
    UNUSED(state);
    const double J[3] = {500, 400, 260}, c = sqrt(3) / 2, s = 0.5;
    check_mass("{density: 10, shape: [{box: [2, 3, 4], at: {point: [1, 2, 3], rotation: "
               "{axis: [0, 0, 1], angle: 30 deg}}}]}",
               240, (double[3]){1, 2, 3},
               (double[6]){c * c * J[0] + s * s * J[1], s * s * J[0] + c * c * J[1], J[2],
                           c * s * (J[0] - J[1])});
    /* two balls on a rod that weighs nothing, one of twice the volume */
    const double small = 4 * pi / 3, large = 2 * small, r2 = pow(2, 2.0 / 3);
    const double own = 0.4 * (small + large * r2), apart = small * large / (small + large) * 9;
    check_mass("{density: 1, shape: [{sphere: 1, at: [0, 0, -2]}, {line: [[0, 0, -2], [0, 0, 1]]}, "
               "{mesh: rod.stl}, {sphere: 2^(1/3), at: [0, 0, 1]}]}",
               3 * small, (double[3]){0, 0, 0}, (double[6]){own + apart, own + apart, own});
    /* an overlap weighs twice */
    check_mass("{density: 5, shape: [{box: [2, 3, 4]}, {box: [2, 3, 4]}]}", 240, here,
               (double[6]){J[0], J[1], J[2]});
}

/* ---- what they do not do ---- */

#define ARM "mass: 2, center_of_mass: [0.5, 0, 0], inertia: [0.1, 0.2, 0.3]"
#define PENDULUM(ground, arm)                                                                \
    "detent: 1\ngravity: [0, -9.81, 0]\nbodies:\n" ground "  arm: {" arm "}\n"               \
    "joints: {pin: {type: revolute, base: ground, follower: arm, initial: {velocity: 2}}}\n" \
    "stiction: {pin: {kinetic: 0.3*reaction_force(pin), static: 0.5*reaction_force(pin)}}\n" \
    "outputs: [kinetic_energy()]\n"

static void run_alike(const char *plain, const char *shaped)
{
    detent_mechanism *m[2] = {parse(plain), parse(shaped)};
    detent_simulation *s[2];
    detent_error e = {0};
    assert_true(m[0]->fingerprint == m[1]->fingerprint);
    for (int k = 0; k < 2; k++) {
        must(detent_simulation_create(m[k], NULL, &s[k], &e), &e);
    }
    for (int i = 1; i <= 20; i++) {
        double value[2][4];
        for (int k = 0; k < 2; k++) {
            must(detent_advance(s[k], 0.1 * i, false, &e), &e);
            must(detent_read(s[k], DETENT_POSITIONS, &value[k][0], 1, &e), &e);
            must(detent_read(s[k], DETENT_VELOCITIES, &value[k][1], 1, &e), &e);
            must(detent_read(s[k], DETENT_FRICTIONS, &value[k][2], 1, &e), &e);
            must(detent_read(s[k], DETENT_OUTPUTS, &value[k][3], 1, &e), &e);
        }
        assert_memory_equal(value[0], value[1], sizeof value[0]);
    }
    char data[8192];
    const size_t size = detent_state_size(s[0]);
    assert_true(size <= sizeof data);
    must(detent_save_state(s[0], data, size, &e), &e);
    must(detent_restore_state(s[1], data, size, &e), &e);
    for (int k = 0; k < 2; k++) {
        detent_simulation_destroy(s[k]);
        detent_mechanism_destroy(m[k]);
    }
}

static void looks_change_nothing(void **state)
{
    UNUSED(state);
    run_alike(PENDULUM("", ARM),
              PENDULUM("  ground: {shape: [{box: [9, 9, 9], color: red}]}\n",
                       ARM ", shape: [{sphere: 3, at: [7, 0, 0]}, {mesh: none.stl, name: x}]"));
    /* a density is that mass */
    run_alike(PENDULUM("", "mass: 24, center_of_mass: [1, 0, 0], inertia: [50, 40, 26]"),
              PENDULUM("", "density: 1, shape: [{box: [2, 3, 4], at: [1, 0, 0]}]"));
}

/* ---- what is told ---- */

static detent_shape_def get(const detent_mechanism *m, ptrdiff_t body, size_t index)
{
    detent_shape_def shape = DETENT_INIT(detent_shape_def);
    assert_int_equal(detent_get_shape(m, body, index, &shape), DETENT_OK);
    return shape;
}

static void check_row(const double *values, const double *expected, int count)
{
    for (int k = 0; k < count; k++) {
        assert_true(fabs(values[k] - expected[k]) <= 1e-15);
    }
}

static void shapes_are_told(void **state)
{
    UNUSED(state);
    detent_error e = {0};
    detent_mechanism *m;
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    must(detent_mechanism_load(DETENT_SOURCE_DIR "/tests/corpus/good/shapes.yaml", NULL, &m, &e),
         &e);
    const ptrdiff_t arm = detent_find(m, DETENT_BODY, "arm"),
                    hand = detent_find(m, DETENT_BODY, "hand"),
                    bare = detent_find(m, DETENT_BODY, "bare"),
                    second = detent_find(m, DETENT_BODY, "link[2]"),
                    last = detent_find(m, DETENT_BODY, "link[3]");
    detent_mechanism_get_info(m, &info);
    assert_int_equal(info.shapes, 13);
    assert_int_equal(detent_shape_count(m, -1), 2);
    assert_int_equal(detent_shape_count(m, arm), 3);
    assert_int_equal(detent_shape_count(m, hand), 3);
    assert_int_equal(detent_shape_count(m, bare), 0);
    assert_int_equal(detent_shape_count(m, second), 2);
    assert_int_equal(detent_shape_count(m, last), 1);
    const detent_shape_def floor = get(m, -1, 0), path = get(m, -1, 1), beam = get(m, arm, 0),
                           drum = get(m, arm, 1), mesh = get(m, arm, 2), block = get(m, second, 0);
    assert_int_equal(floor.type, DETENT_SHAPE_BOX);
    assert_string_equal(detent_shape_word((size_t)floor.type), "box");
    assert_string_equal(floor.body, "ground");
    assert_string_equal(floor.color, "#808080");
    assert_null(floor.name);
    check_row(floor.extent, (double[3]){2, 2, 0.1}, 3);
    check_row(floor.point, (double[3]){0, 0, -0.05}, 3);
    check_row(floor.rotation, (double[4]){1, 0, 0, 0}, 4);
    assert_int_equal(path.type, DETENT_SHAPE_LINE);
    assert_int_equal(path.point_count, 3);
    assert_string_equal(path.color, "#00ff7f");
    assert_string_equal(path.name, "path");
    check_row(path.points, (double[9]){-1, 0, 0, 1, 0, 0, 1, 1, 0}, 9);
    assert_string_equal(beam.body, "arm");
    assert_string_equal(beam.name, "beam");
    assert_string_equal(beam.color, "#ffa500");
    assert_int_equal(drum.type, DETENT_SHAPE_CYLINDER);
    check_row(drum.extent, (double[3]){0.05, 0.2, 0}, 3);
    check_row(drum.rotation, (double[4]){sqrt(0.5), sqrt(0.5), 0, 0}, 4);
    assert_null(drum.color);
    assert_int_equal(mesh.type, DETENT_SHAPE_MESH);
    assert_string_equal(mesh.mesh, "arm, with a comma.stl");
    assert_int_equal(get(m, hand, 1).type, DETENT_SHAPE_CAPSULE);
    assert_int_equal(get(m, hand, 2).type, DETENT_SHAPE_ELLIPSOID);
    check_row(block.extent, (double[3]){0.1, 0.1, 0.2}, 3);
    check_row(get(m, second, 1).extent, (double[1]){0.07}, 1);
    assert_int_equal(get(m, last, 0).type, DETENT_SHAPE_LINE);

    detent_shape_def none = DETENT_INIT(detent_shape_def);
    assert_int_equal(detent_get_shape(m, arm, 3, &none), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_shape(m, -2, 0, &none), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_shape(m, (ptrdiff_t)info.bodies, 0, &none), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_shape(m, arm, 0, NULL), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_get_shape(NULL, arm, 0, &none), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_shape_count(m, PTRDIFF_MAX), 0);
    assert_int_equal(detent_shape_count(NULL, -1), 0);
    assert_string_equal(detent_shape_word(6), "mesh");
    assert_null(detent_shape_word(7));
    detent_mechanism_destroy(m);
}

/* ---- from C ---- */

static detent_mechanism *begin(const char *body, double density)
{
    detent_error e = {0};
    detent_mechanism *m;
    must(detent_mechanism_create("built", NULL, &m, &e), &e);
    const detent_body_def block = {.size = sizeof block, .name = body, .density = density};
    const detent_joint_def free_joint = {
        .size = sizeof free_joint, .name = "j", .type = "free", .follower = body};
    must(detent_add_body(m, &block, &e), &e);
    must(detent_add_joint(m, &free_joint, &e), &e);
    return m;
}

static void built_by_calls(void **state)
{
    UNUSED(state);
    detent_error e = {0};
    detent_mechanism *m = begin("block", 10);
    double points[6] = {0, 0, 0, 1, 2, 3};
    char name[] = "first";
    detent_shape_def box = {.size = sizeof box,
                            .body = "block",
                            .type = DETENT_SHAPE_BOX,
                            .extent = {2, 3, 4},
                            .rotation = {0, 3e50, 0, 4e50},
                            .color = "#A0b0C0",
                            .name = name},
                     line = {.size = sizeof line,
                             .type = DETENT_SHAPE_LINE,
                             .points = points,
                             .point_count = 2};
    must(detent_add_shape(m, &line, &e), &e); /* of the ground */
    must(detent_add_shape(m, &box, &e), &e);
    line.body = "block";
    must(detent_add_shape(m, &line, &e), &e);
    must(detent_add_item(m, "bodies", "ground", "{shape: [{sphere: 2, color: navy}]}", &e), &e);
    points[3] = name[0] = 'x';                      /* all of it has been copied */
    assert_int_equal(detent_shape_count(m, -1), 0); /* not finished */
    must(detent_mechanism_finish(m, &e), &e);
    assert_int_equal(detent_shape_count(m, -1), 2);
    assert_int_equal(detent_shape_count(m, 0), 2);
    check_row(get(m, -1, 0).points, (double[6]){0, 0, 0, 1, 2, 3}, 6);
    assert_int_equal(get(m, -1, 1).type, DETENT_SHAPE_SPHERE);
    assert_string_equal(get(m, 0, 0).color, "#a0b0c0");
    assert_string_equal(get(m, 0, 0).name, "first");
    check_row(get(m, 0, 0).rotation, (double[4]){0, 0.6, 0, 0.8}, 4);
    assert_int_equal(get(m, 0, 1).type, DETENT_SHAPE_LINE);
    check_near(m->tree.nodes[m->tree.node_count - 1].body->mass, 240, 240, "its mass");
    assert_null(written_differs(m, NULL));
    detent_mechanism_destroy(m);
}

static void must_refuse(detent_shape_def shape, const char *words)
{
    detent_error e = {0};
    detent_mechanism *m = begin("block", 1);
    const detent_shape_def good = {
        .size = sizeof good, .body = "block", .type = DETENT_SHAPE_SPHERE, .extent = {1}};
    shape.size = sizeof shape;
    shape.body = shape.body ? shape.body : "block";
    detent_status status = detent_add_shape(m, &shape, &e);
    must(status ? detent_add_shape(m, &good, &e) : DETENT_OK, &e); /* goes on after an error */
    status = status ? status : detent_mechanism_finish(m, &e);
    if (status != DETENT_ERROR_MODEL || !strstr(e.message, words)) {
        fail_msg("instead of '%s': status %d, '%s'", words, status, e.message);
    }
    detent_mechanism_destroy(m);
}

static void wrong_calls(void **state)
{
    UNUSED(state);
    const double points[6] = {0};
    const double bad[6] = {0, 0, 0, 0, NAN, 0};
    must_refuse((detent_shape_def){.type = 7}, "there is no type 7");
    must_refuse((detent_shape_def){.type = -1}, "there is no type -1");
    must_refuse((detent_shape_def){.extent = {1, 1}}, "its sizes must be positive, not 0");
    must_refuse((detent_shape_def){.extent = {1, NAN, 1}}, "not a finite number");
    must_refuse((detent_shape_def){.type = DETENT_SHAPE_CAPSULE, .extent = {1}},
                "a capsule of 'block': its length must be positive");
    must_refuse((detent_shape_def){.type = DETENT_SHAPE_LINE}, "at least two points");
    must_refuse((detent_shape_def){.type = DETENT_SHAPE_LINE, .points = points, .point_count = 1},
                "at least two points");
    must_refuse((detent_shape_def){.type = DETENT_SHAPE_LINE, .points = bad, .point_count = 2},
                "a point of a line is not a finite number");
    must_refuse((detent_shape_def){.extent = {1, 1, 1}, .points = points, .point_count = 2},
                "only a line has points");
    must_refuse((detent_shape_def){.type = DETENT_SHAPE_MESH}, "the name of a file");
    must_refuse((detent_shape_def){.extent = {1, 1, 1}, .mesh = "a.stl"}, "only a mesh has a file");
    must_refuse((detent_shape_def){.extent = {1, 1, 1}, .point = {INFINITY}},
                "the place of a shape is not a finite number");
    must_refuse((detent_shape_def){.extent = {1, 1, 1}, .rotation = {1, 0, NAN, 0}},
                "the rotation of a shape is not a finite number");
    must_refuse((detent_shape_def){.extent = {1, 1, 1}, .color = "rde"}, "did you mean 'red'?");
    must_refuse((detent_shape_def){.extent = {1, 1, 1}, .color = "#12345g"}, "no colour");
    must_refuse((detent_shape_def){.extent = {1, 1, 1}, .body = "blok"},
                "unknown body 'blok'; did you mean 'block'?");
    must_refuse((detent_shape_def){.type = DETENT_SHAPE_MESH, .mesh = "a.stl"},
                "a density needs a shape with a volume");

    detent_error e = {0};
    detent_mechanism *m;
    must(detent_mechanism_create("built", NULL, &m, &e), &e);
    detent_body_def both = {.size = sizeof both, .name = "a", .density = 1, .mass = 1};
    assert_int_equal(detent_add_body(m, &both, &e), DETENT_ERROR_MODEL);
    assert_non_null(strstr(e.message, "follow from its density"));
    both.mass = 0;
    both.density = -1;
    assert_int_equal(detent_add_body(m, &both, &e), DETENT_ERROR_MODEL);
    assert_non_null(strstr(e.message, "the density (-1 kg/m^3) is negative"));
    detent_mechanism_destroy(m);
}

/* Sizes are numbers of the mechanism: a parameter that is to change later cannot be in them. */
static void tunable_parameters(void **state)
{
    UNUSED(state);
    static const char text[] = "detent: 1\ngravity: [0, 0, 0]\nparameters: {L: 1 m}\n"
                               "bodies: {a: {mass: 1, shape: [{sphere: 2*L}]}}\n"
                               "joints: {x: {type: prismatic, base: ground, follower: a}}\n";
    const char *const tunable[] = {"L"};
    const detent_load_options options = {
        .size = sizeof options, .tunable = tunable, .tunable_count = 1};
    detent_error e = {0};
    detent_mechanism *m = NULL;
    assert_int_equal(detent_mechanism_parse(text, strlen(text), "t", &options, &m, &e),
                     DETENT_ERROR_MODEL);
    assert_int_equal(e.line, 4);
    assert_int_equal(e.column, 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_and_balls), cmocka_unit_test(slices_add_up),
        cmocka_unit_test(places_and_sums), cmocka_unit_test(looks_change_nothing),
        cmocka_unit_test(shapes_are_told), cmocka_unit_test(built_by_calls),
        cmocka_unit_test(wrong_calls),     cmocka_unit_test(tunable_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
