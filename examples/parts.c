/* A mechanism of many parts, built by calls alone, and asked for what it is: a motor with a gear drives a drum that winds up a load against
 * a spring, down to a stop; a filter watches it. Prints what it finds; exits with 1 where something is not as it should be. */

#include "detent/detent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(detent_status status, const detent_error *error)
{
    if (status < 0) {
        fprintf(stderr, "%s: %s\n", detent_status_text(status), error->message);
        exit(1);
    }
}

static void expect(bool truth, const char *what)
{
    if (!truth) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

/* ---- building ---- */

static void add_body(detent_mechanism *m, const char *name, double mass, double inertia)
{
    detent_error error;
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.name = name;
    body.mass = mass;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
    check(detent_add_body(m, &body, &error), &error);
}

static void add_joint(detent_mechanism *m, const char *name, const char *type, const char *follower,
                      const detent_primitive_def *primitive)
{
    detent_error error;
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    joint.name = name;
    joint.type = type;
    joint.follower = follower; /* on the ground, about or along z unless the primitive says else */
    joint.primitive[0] = primitive;
    check(detent_add_joint(m, &joint, &error), &error);
}

static void add_joints(detent_mechanism *m)
{
    detent_primitive_def shaft = DETENT_INIT(detent_primitive_def);
    shaft.armature = 1e-3; /* what turns behind the motor's own gear */
    add_joint(m, "motor", "revolute", "rotor", &shaft);
    add_joint(m, "drum", "revolute", "wheel", NULL);
    detent_primitive_def lift = DETENT_INIT(detent_primitive_def);
    lift.damping = 2;
    add_joint(m, "lift", "prismatic", "load", &lift);
}

static void add_forces(detent_mechanism *m)
{
    detent_error error;
    const double gravity[3] = {0, 0, -9.81};
    check(detent_set_gravity(m, gravity, &error), &error);
    check(detent_add_parameter(m, "torque", "0.6 N*m", &error), &error);
    check(detent_add_input(m, "throttle", 1, &error), &error);
    check(detent_add_signal(m, "drive", "throttle*torque", &error), &error);

    detent_stiction_def bearing = DETENT_INIT(detent_stiction_def);
    bearing.primitive = "motor";
    bearing.external = "drive";
    bearing.constant_kinetic = 0.02;
    bearing.constant_static = 0.05;
    check(detent_add_stiction(m, &bearing, &error), &error);

    detent_load_def wind = DETENT_INIT(detent_load_def);
    wind.name = "wind";
    wind.body = "load";
    wind.force[2] = "0.1 [N]*sin(3*t)";
    check(detent_add_load(m, &wind, &error), &error);

    detent_spring_def spring = DETENT_INIT(detent_spring_def);
    spring.name = "spring";
    spring.body[1] = "load"; /* from the ground */
    spring.point[0][2] = -1;
    spring.stiffness = 30;
    spring.rest = 1;
    check(detent_add_spring(m, &spring, &error), &error);

    detent_stop_def ceiling = DETENT_INIT(detent_stop_def);
    ceiling.name = "ceiling";
    ceiling.joint = "lift";
    ceiling.side = DETENT_UPPER;
    ceiling.at = 0.2;
    ceiling.restitution = 0.3;
    check(detent_add_stop(m, &ceiling, &error), &error);
}

static void add_gears(detent_mechanism *m)
{
    detent_error error;
    detent_coupling_def gear = DETENT_INIT(detent_coupling_def);
    gear.name = "gear";
    gear.count = 2;
    gear.primitive[0] = "motor";
    gear.primitive[1] = "drum";
    gear.factor[0] = 1;
    gear.factor[1] = -4; /* the motor turns four times as far */
    gear.loss_driving = 0.1;
    gear.loss_driven = 0.1;
    check(detent_add_coupling(m, &gear, &error), &error);
    /* what has no struct of its own is added as a file has it */
    check(detent_add_item(m, "couplings", "rope", "{type: rack, joints: [drum, lift], radius: 0.1}",
                          &error),
          &error);
}

/* Shapes are there to be looked at; but the load has a density, and weighs what its box does. */
static void add_shapes(detent_mechanism *m)
{
    detent_error error;
    detent_body_def load = DETENT_INIT(detent_body_def);
    load.name = "load";
    load.density = 1000;
    check(detent_add_body(m, &load, &error), &error);

    detent_shape_def box = DETENT_INIT(detent_shape_def);
    box.body = "load";
    box.type = DETENT_SHAPE_BOX;
    box.extent[0] = box.extent[1] = box.extent[2] = 0.1;
    box.color = "orange";
    check(detent_add_shape(m, &box, &error), &error);

    detent_shape_def disc = DETENT_INIT(detent_shape_def);
    disc.body = "wheel";
    disc.type = DETENT_SHAPE_CYLINDER;
    disc.extent[0] = 0.1;
    disc.extent[1] = 0.02;
    check(detent_add_shape(m, &disc, &error), &error);
}

static detent_mechanism *build(void)
{
    detent_error error;
    detent_mechanism *m;
    check(detent_mechanism_create("hoist", NULL, &m, &error), &error);
    add_body(m, "rotor", 0.5, 1e-3);
    add_body(m, "wheel", 2, 1e-2);
    add_shapes(m);
    add_joints(m);
    add_forces(m);
    add_gears(m);
    detent_state_def filter = DETENT_INIT(detent_state_def);
    filter.name = "smooth";
    filter.derivative = "20*(velocity(lift) - smooth)";
    check(detent_add_state(m, &filter, &error), &error);
    check(detent_add_output(m, "1000*position(lift)", &error), &error);
    check(detent_add_output(m, "smooth", &error), &error);
    check(detent_mechanism_finish(m, &error), &error);
    return m;
}

/* ---- asking ---- */

static void describe(const detent_mechanism *m)
{
    detent_mechanism_info info = DETENT_INIT(detent_mechanism_info);
    check(detent_mechanism_get_info(m, &info), NULL);
    printf("%s: %zu bodies, %zu joints, %zu couplings; freedoms %zu\n", info.name, info.bodies,
           info.joints, info.couplings, info.freedoms);
    detent_kind_info kind = DETENT_INIT(detent_kind_info);
    for (size_t k = 0; detent_get_kind(k, &kind) == DETENT_OK; k++) {
        for (size_t i = 0; i < detent_count(m, kind.item) && kind.item != DETENT_WARNING; i++) {
            const char *unit = detent_unit(m, kind.item, i);
            printf("  %-12s %s%s%s\n", kind.name, detent_name(m, kind.item, i),
                   unit && *unit ? ", " : "", unit ? unit : "");
        }
    }
    printf("laws of friction:");
    for (size_t k = 0; detent_friction_law(k); k++) {
        printf(" %s", detent_friction_law(k));
    }
    printf("\nversion %s\n", detent_version());
    expect(detent_version_number() >= DETENT_VERSION_NUMBER(0, 1, 0), "the version is not older");
}

/* What a program would draw, body by body; -1 is the ground. */
static void draw(const detent_mechanism *m)
{
    for (ptrdiff_t body = -1; body < (ptrdiff_t)detent_count(m, DETENT_BODY); body++) {
        for (size_t k = 0; k < detent_shape_count(m, body); k++) {
            detent_shape_def shape = DETENT_INIT(detent_shape_def);
            check(detent_get_shape(m, body, k, &shape), NULL);
            printf("  %s: %s of %g m, %s\n", shape.body, detent_shape_word((size_t)shape.type),
                   shape.extent[0], shape.color ? shape.color : "in any colour");
            expect(shape.rotation[0] == 1, "it stands as the body does");
        }
    }
    expect(detent_shape_count(m, detent_find(m, DETENT_BODY, "load")) == 1, "the load has a box");
}

static void measure(const detent_mechanism *m, detent_simulation *s)
{
    detent_error error;
    detent_mobility mobility = DETENT_INIT(detent_mobility);
    detent_mesh mesh = DETENT_INIT(detent_mesh);
    detent_scale scale = DETENT_INIT(detent_scale);
    check(detent_get_mobility(s, &mobility, &error), &error);
    check(detent_get_mesh(s, 0, &mesh, &error), &error);
    check(detent_get_scale(s, (size_t)detent_find(m, DETENT_PRIMITIVE, "lift"), &scale, &error),
          &error);
    expect(mobility.mobility == 1 && mobility.redundant == 0, "gear and rope leave one freedom");
    expect(!detent_simulation_warning(s, 0), "no given position had to be moved far");
    expect(mesh.margin > 0, "the gear has one motion at any load");
    printf("the mesh of '%s' has a margin of %.3g\n", mesh.coupling, mesh.margin);
    expect(scale.time > 0, "a mechanism has a time of its own");
}

/* What was built by calls becomes a file, which reads as the same mechanism: its text is the same. */
static void save(const detent_mechanism *m)
{
    static const char path[] = "parts.partial.yaml";
    detent_error error;
    detent_mechanism *again;
    size_t length, other;
    check(detent_mechanism_text(m, NULL, 0, &length, &error), &error); /* what it takes */
    char *text = malloc(2 * (length + 1)), *second = text + length + 1;
    expect(text != NULL, "there is memory");
    check(detent_mechanism_text(m, text, length + 1, &length, &error), &error);
    printf("%s", text);
    check(detent_mechanism_save(m, path, &error), &error);
    check(detent_mechanism_load(path, NULL, &again, &error), &error);
    check(detent_mechanism_text(again, second, length + 1, &other, &error), &error);
    expect(strcmp(text, second) == 0, "it reads as what was written");
    detent_mechanism_destroy(again);
    free(text);
    remove(path);
}

/* Whole vectors: of energies, and where all bodies are. The centre of mass of everything follows. */
static void weigh(const detent_mechanism *m, detent_simulation *s)
{
    detent_error error;
    double energy[2], center[3] = {0}, whole = 0;
    const size_t length = detent_quantity_length(m, DETENT_POSES); /* 7 a body */
    double *pose = malloc(length * sizeof *pose);
    expect(pose != NULL, "there is memory");
    check(detent_read(s, DETENT_POSES, pose, length, &error), &error);
    check(detent_read(s, DETENT_ENERGIES, energy, 2, &error), &error);
    for (size_t b = 0; b < length / 7; b++) {
        detent_body_info body = DETENT_INIT(detent_body_info);
        check(detent_get_body(m, b, &body), NULL);
        whole += body.mass;
        for (int k = 0; k < 3; k++) { /* these bodies have their centres of mass in their origins */
            center[k] += body.mass * pose[7 * b + (size_t)k];
        }
    }
    printf("%.3f kg, their centre at %.4f m, %.4f J of motion\n", whole, center[2] / whole,
           energy[DETENT_ENERGY_KINETIC]);
    expect(whole > 0 && energy[DETENT_ENERGY_KINETIC] >= 0, "there are masses");
    free(pose);
}

int main(void)
{
    detent_error error;
    detent_mechanism *m = build();
    describe(m);
    draw(m);
    save(m);

    detent_settings settings;
    check(detent_init_settings(&settings, sizeof settings), NULL);
    settings.end = 2;
    settings.rtol = 1e-8;
    detent_simulation_options options = DETENT_INIT(detent_simulation_options);
    options.settings = &settings;
    detent_simulation *s;
    check(detent_simulation_create(m, &options, &s, &error), &error);
    measure(m, s);

    detent_status status;
    while ((status = detent_advance(s, settings.end, true, &error)) == DETENT_EVENT) {
        double before[3], after[3];
        check(detent_read_before(s, DETENT_VELOCITIES, before, 3, &error), &error);
        check(detent_read(s, DETENT_VELOCITIES, after, 3, &error), &error);
        if (before[2] > 1e-3 && after[2] < 0) {
            printf("%8.4f s: the load strikes the ceiling at %.4f m/s\n", detent_time(s),
                   before[2]);
            expect(fabs(after[2] + 0.3 * before[2]) < 1e-9, "it is thrown back by the restitution");
        }
    }
    check(status, &error);
    weigh(m, s);
    double origin[3], rotation[4];
    check(detent_get_pose(s, (size_t)detent_find(m, DETENT_BODY, "load"), origin, rotation, &error),
          &error);
    printf("the load hangs at %.4f m\n", origin[2]);
    expect(origin[2] <= 0.2 + 1e-9, "it is below the ceiling");
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    return 0;
}
