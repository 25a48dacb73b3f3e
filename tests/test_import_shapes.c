/* What robots look like: visuals of URDF, geoms of MJCF, with their places, colours and names, as shapes of the mechanism that is imported. */

#include "detent/import.h"
#include "test_api_fixture.h"

/* ---- what is read of the mechanism ---- */

typedef struct expected_shape {
    const char *body, *word;
    double extent[3], point[3], rotation[4];
    const char *color, *name, *mesh; /* NULL: none */
} expected_shape;

/* 1e-15: sizes and places of a few digits go through one rotation. */
static void check_row(const char *what, const double *values, const double *expected, int count)
{
    for (int k = 0; k < count; k++) {
        if (!(fabs(values[k] - expected[k]) <= 1e-15)) {
            fail_msg("%s: number %d is %.17g, not %.17g", what, k, values[k], expected[k]);
        }
    }
}

static void check_text(const char *what, const char *text, const char *expected)
{
    if (!text != !expected || (text && strcmp(text, expected) != 0)) {
        fail_msg("%s: '%s', not '%s'", what, text ? text : "", expected ? expected : "");
    }
}

static void check_shapes(const detent_mechanism *m, const expected_shape *expected, size_t count)
{
    size_t next = 0;
    for (ptrdiff_t body = -1; body < (ptrdiff_t)detent_count(m, DETENT_BODY); body++) {
        for (size_t k = 0; k < detent_shape_count(m, body); k++) {
            detent_shape_def shape = DETENT_INIT(detent_shape_def);
            assert_true(next < count);
            const expected_shape *e = &expected[next++];
            char what[64];
            snprintf(what, sizeof what, "shape %zu of %s", k, e->body);
            must(detent_get_shape(m, body, k, &shape), NULL);
            check_text(what, shape.body, e->body);
            check_text(what, detent_shape_word((size_t)shape.type), e->word);
            check_text(what, shape.color, e->color);
            check_text(what, shape.name, e->name);
            check_text(what, shape.mesh, e->mesh);
            check_row(what, shape.extent, e->extent, 3);
            check_row(what, shape.point, e->point, 3);
            check_row(what, shape.rotation, e->rotation, 4);
        }
    }
    assert_int_equal(next, count);
}

static void check_import(const char *text, const expected_shape *expected, size_t count,
                         const char *const *notes)
{
    detent_error e;
    detent_imported *imported = NULL;
    detent_mechanism *m = NULL;
    size_t length;
    must(detent_import_text(text, strlen(text), "robot", NULL, &imported, &e), &e);
    const char *file = detent_imported_text(imported, &length);
    must(detent_mechanism_parse(file, length, "robot.yaml", NULL, &m, &e), &e);
    check_shapes(m, expected, count);
    size_t told = 0;
    for (; notes[told]; told++) {
        const char *note = detent_imported_note(imported, told, NULL);
        check_text("a note", note, notes[told]);
    }
    assert_null(detent_imported_note(imported, told, NULL));
    detent_mechanism_destroy(m);
    detent_imported_destroy(imported);
}

#define UPRIGHT    \
    {              \
        1, 0, 0, 0 \
    }
#define HALF        0.7071067811865476
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- URDF ---- */

#define INERTIAL                                                                            \
    "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>" \
    "</inertial>"

static const char urdf[] =
    "<robot name='r'>"
    "<material name='steel'><color rgba='0.5 0.6 0.7 1'/></material>"
    "<link name='base'><visual><geometry><box size='1 2 0.1'/></geometry>"
    "<material name='late'/></visual></link>"
    "<link name='arm'>" INERTIAL
    "<visual name='beam'><origin xyz='0 0 0.5' rpy='1.5707963267948966 0 "
    "0'/><geometry><cylinder radius='0.1' length='1.5'/></geometry><material "
    "name='steel'/></visual>"
    "<visual><geometry><mesh filename='package://r/arm.dae' scale='2 2 2'/></geometry>"
    "<material name='late'><color rgba='1 0 0 0.5'/><texture filename='t.png'/></material></visual>"
    "<collision><geometry><sphere radius='3'/></geometry></collision></link>"
    "<link name='tip'>" INERTIAL "<collision name='ball'><origin xyz='0.1 0 0'/><geometry><sphere "
    "radius='0.2'/></geometry></collision><collision><geometry><capsule radius='0.1' length='0.3'/>"
    "</geometry></collision></link>"
    "<link name='tool'>" INERTIAL "<visual><geometry><box size='1 -2 1'/></geometry></visual>"
    "<visual><geometry><box size='one'/></geometry></visual>"
    "<visual><geometry><sphere radius='1'/></geometry><origin xyz='0 0'/></visual></link>"
    "<joint name='j' type='continuous'><parent link='base'/><child link='arm'/></joint>"
    "<joint name='f' type='fixed'><origin xyz='0 0 1' rpy='0 0 1.5707963267948966'/><parent "
    "link='arm'/><child link='tip'/></joint>"
    "<joint name='k' type='continuous'><parent link='arm'/><child link='tool'/></joint>"
    "</robot>";

static void visuals_of_urdf(void **state)
{
    UNUSED(state);
    static const expected_shape expected[] = {
        {"ground", "box", {1, 2, 0.1}, {0}, UPRIGHT, "#ff0000", NULL, NULL},
        {"arm", "cylinder", {0.1, 1.5}, {0, 0, 0.5}, {HALF, HALF, 0, 0}, "#8099b3", "beam", NULL},
        {"arm", "mesh", {0}, {0}, UPRIGHT, "#ff0000", NULL, "package://r/arm.dae"},
        {"arm", "sphere", {0.2}, {0, 0.1, 1}, {HALF, 0, 0, HALF}, NULL, "ball", NULL},
        {"arm", "capsule", {0.1, 0.3}, {0, 0, 1}, {HALF, 0, 0, HALF}, NULL, NULL, NULL},
    };
    static const char *const notes[] = {
        "'scale' of <mesh> is left out",
        "<texture> of <material> is left out",
        "bodies do not touch: 1 shapes of collisions are left out, where there are others to look "
        "at",
        "a shape without a size is left out, here and 2 times more",
        "2 of 2 joints have no friction: they never stick; 'stiction' gives them some",
        NULL};
    check_import(urdf, expected, COUNT(expected), notes);
}

/* ---- MJCF ---- */

static const char mjcf[] =
    "<mujoco><compiler angle='radian' meshdir='meshes'/>"
    "<default><geom rgba='0 0 1 1'/><material rgba='0 1 0 1'/>"
    "<default class='collision'><geom group='3'/></default></default>"
    "<asset><material name='m'/><material name='n' rgba='1 1 0 1'/><texture name='t'/>"
    "<mesh name='hull' file='a/hull.stl'/><mesh file='b/part.obj'/><mesh name='bare' vertex='0 0 "
    "0'/>"
    "</asset>"
    "<worldbody><geom type='plane' size='1 1 1'/><frame pos='0 0 3'><geom name='lamp' size='0.1'/>"
    "</frame>"
    "<body name='b' pos='0 0 1'><joint name='j'/>"
    "<geom type='box' size='0.1 0.2 0.3' pos='1 0 0' quat='1 1 0 0' rgba='1 0 0 1'/>"
    "<geom type='capsule' size='0.1' fromto='0 0 0 0 0 1'/>"
    "<geom type='mesh' mesh='hull' quat='0 0 0 1'/>"
    "<geom type='sphere' size='1' rgba='1 1 1 0'/>"
    "<geom class='collision' type='cylinder' size='0.4 0.4'/>"
    "<body name='c' pos='0 0 2'>"
    "<geom class='collision' type='cylinder' size='0.3 0.4' name='drum'/>"
    "<geom class='collision' type='ellipsoid' size='1 2 3'/></body></body>"
    "<body name='d'><joint name='k'/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
    "<geom type='mesh' mesh='part'/><geom type='mesh' mesh='bare'/></body>"
    "</worldbody></mujoco>";

static void geoms_of_mjcf(void **state)
{
    UNUSED(state);
    static const expected_shape expected[] = {
        {"ground", "sphere", {0.1}, {0, 0, 3}, UPRIGHT, "#0000ff", "lamp", NULL},
        {"b", "box", {0.2, 0.4, 0.6}, {1, 0, 0}, {HALF, HALF, 0, 0}, "#ff0000", NULL, NULL},
        {"b", "capsule", {0.1, 1}, {0, 0, 0.5}, UPRIGHT, "#0000ff", NULL, NULL},
        {"b", "mesh", {0}, {0}, {0, 0, 0, 1}, "#0000ff", NULL, "meshes/a/hull.stl"},
        {"b", "cylinder", {0.3, 0.8}, {0, 0, 2}, UPRIGHT, "#0000ff", "drum", NULL},
        {"b", "ellipsoid", {1, 2, 3}, {0, 0, 2}, UPRIGHT, "#0000ff", NULL, NULL},
        {"d", "mesh", {0}, {0}, UPRIGHT, "#0000ff", NULL, "meshes/b/part.obj"},
        {"d", "mesh", {0}, {0}, UPRIGHT, "#0000ff", NULL, "bare"},
    };
    static const char *const notes[] = {
        "<texture> of <asset> is left out",
        "'vertex' of <mesh> is left out",
        "bodies do not touch: 11 geoms are there to be looked at, if at all",
        "2 of the geoms are left out: planes, height fields and what is transparent",
        "3 of the geoms are meshes or the like, which are not read: they weigh nothing where a "
        "body "
        "has no <inertial>",
        "bodies do not touch: 1 shapes of collisions are left out, where there are others to look "
        "at",
        "2 of 2 joints have no friction: they never stick; 'stiction' gives them some",
        NULL};
    check_import(mjcf, expected, COUNT(expected), notes);
}

static const char materials[] =
    "<mujoco><default><material rgba='0 1 0 1'/></default>"
    "<asset><material name='m'/><material name='n' rgba='1 1 0 1'/></asset>"
    "<worldbody><body name='b'><joint name='j'/>"
    "<geom size='1' material='m'/><geom size='1' material='n'/>"
    "<geom size='1' material='n' rgba='2 0 -1 1'/><geom size='1' material='none'/>"
    "<geom size='0'/><geom size='1'/></body></worldbody></mujoco>";

/* A geom that has no size is still refused where it weighs something. */
static void colours_of_materials(void **state)
{
    UNUSED(state);
    static const char *const colors[] = {"#00ff00", "#ffff00", "#ff0000", NULL, NULL};
    detent_error e;
    detent_imported *imported = NULL;
    detent_mechanism *m = NULL;
    assert_int_equal(detent_import_text(materials, strlen(materials), "robot", NULL, &imported, &e),
                     DETENT_ERROR_MODEL);
    assert_non_null(strstr(e.message, "its 'size' is not positive"));
    char text[1024];
    snprintf(text, sizeof text, "%s", materials);
    memcpy(strstr(text, "<geom size='0'/>"), "                ", 16);
    must(detent_import_text(text, strlen(text), "robot", NULL, &imported, &e), &e);
    const char *file = detent_imported_text(imported, NULL);
    must(detent_mechanism_parse(file, strlen(file), "robot.yaml", NULL, &m, &e), &e);
    assert_int_equal(detent_shape_count(m, 0), COUNT(colors));
    for (size_t k = 0; k < COUNT(colors); k++) {
        detent_shape_def shape = DETENT_INIT(detent_shape_def);
        must(detent_get_shape(m, 0, k, &shape), NULL);
        check_text("a material", shape.color, colors[k]);
    }
    detent_mechanism_destroy(m);
    detent_imported_destroy(imported);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(visuals_of_urdf),
        cmocka_unit_test(geoms_of_mjcf),
        cmocka_unit_test(colours_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
