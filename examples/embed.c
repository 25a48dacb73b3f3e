/* The embedder's tour of detent: two links that hang from the ground, with stiction in both joints. Builds them from
 * definitions, runs from event to event, reads, sets an input, saves and restores.
 *
 *     cc embed.c $(pkg-config --cflags --libs detent)
 */

#include <detent/detent.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every call that can fail returns a status and fills an error. Negative statuses are errors, positive
 * ones outcomes; here both end the program unless the caller expects them. */
static void check(detent_status status, const detent_error *error)
{
    if (status != DETENT_OK) {
        fprintf(stderr, "embed: %s: %s\n", detent_status_text(status), error->message);
        exit(EXIT_FAILURE);
    }
}

/* ---- building ---- */

typedef struct bearing {
    double friction_radius; /* coefficient of friction times radius of the pin, m */
    double grease;          /* N m s/rad */
} bearing;

/* Friction of a bearing, written in C: of a speed and a load, a magnitude and its derivatives. Expressions call it by the
 * name that it is given, with expressions. Not zero means that it has no value: positive, not at this point; negative, the run is to end. */
static int bearing_friction(void *user, const double *arguments, double *value, double *derivatives)
{
    const bearing *b = user;
    const double speed = arguments[0], load = arguments[1];
    *value = b->friction_radius * load + b->grease * speed;
    derivatives[0] = b->grease;
    derivatives[1] = b->friction_radius;
    return load < 1e6 ? 0 : -1; /* it is crushed */
}

/* A uniform rod of 1 m and 1 kg, from its upper end down along -y. */
static void add_rod(detent_mechanism *mechanism, const char *name, detent_error *error)
{
    detent_body_def rod = DETENT_INIT(detent_body_def);
    rod.name = name;
    rod.mass = 1;
    rod.center_of_mass[1] = -0.5;
    rod.inertia[0] = rod.inertia[2] = 1.0 / 12;
    rod.inertia[1] = 1e-4;
    check(detent_add_body(mechanism, &rod, error), error);
}

/* Definitions may live on the stack: everything is copied, but for `user` of a function. */
static detent_mechanism *build(bearing *elbow_bearing)
{
    detent_error error;
    detent_mechanism *mechanism;
    check(detent_mechanism_create("two links", NULL, &mechanism, &error), &error);
    const char *const gravity[3] = {"0", "-9.81", "0"};
    check(detent_set_gravity_law(mechanism, gravity, &error), &error);
    check(detent_add_parameter(mechanism, "pin", "0.1", &error), &error);
    check(detent_add_input(mechanism, "motor", 0, &error), &error);
    detent_function_def function = DETENT_INIT(detent_function_def);
    function.name = "grind";
    function.argument_count = 2;
    function.function = bearing_friction;
    function.user = elbow_bearing;
    const double at[] = {0.3, 10},
                 steps[] = {0.01, 0.1}; /* a speed and a load, and how far to either side */
    check(detent_check_function(&function, at, steps, &error), &error);
    check(detent_add_function(mechanism, &function, &error), &error);
    add_rod(mechanism, "upper", &error);
    add_rod(mechanism, "lower", &error);

    detent_primitive_def turned = DETENT_INIT(detent_primitive_def);
    turned.position[0] = 1.2;
    detent_joint_def joint = DETENT_INIT(detent_joint_def); /* revolute, about z */
    joint.name = "shoulder";
    joint.base = "ground";
    joint.follower = "upper";
    joint.primitive[0] = &turned;
    check(detent_add_joint(mechanism, &joint, &error), &error);
    joint = (detent_joint_def)DETENT_INIT(detent_joint_def);
    joint.name = "elbow";
    joint.base = "upper";
    joint.follower = "lower";
    joint.base_point[1] = -1;
    check(detent_add_joint(mechanism, &joint, &error), &error);

    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    stiction.primitive = "shoulder";
    stiction.external = "motor";
    stiction.kinetic = "pin * reaction_force(shoulder)";
    stiction.static_limit = "2 * pin * reaction_force(shoulder)";
    check(detent_add_stiction(mechanism, &stiction, &error), &error);
    stiction = (detent_stiction_def)DETENT_INIT(detent_stiction_def);
    stiction.primitive = "elbow";
    /* `dir` is the direction of the motion, fixed while a mode lasts: dir * velocity is the speed, and all is smooth */
    stiction.kinetic = "grind(dir * velocity(elbow), reaction_force(elbow))";
    stiction.static_limit = "0.8";
    check(detent_add_stiction(mechanism, &stiction, &error), &error);

    check(detent_mechanism_finish(mechanism, &error), &error);
    return mechanism;
}

/* A mechanism can be loaded as well, from a file or from memory. What is wrong is said with its place. */
static void show_error(void)
{
    static const char text[] = "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {rod: {mas: 1}}\n";
    detent_mechanism *mechanism;
    detent_error error;
    if (detent_mechanism_parse(text, strlen(text), "typo.yaml", NULL, &mechanism, &error)) {
        printf("%s:%d:%d: %s\n%s\n", error.file, error.line, error.column, error.message,
               error.detail);
    }
}

/* ---- running ---- */

/* Advances to time `t` and tells every change of mode on the way. */
static void run(const detent_mechanism *mechanism, detent_simulation *simulation, double t)
{
    static const char *const modes[] = {"locked", "wait", "unlocked"};
    static const char signs[] = {'-', ' ', '+'};
    detent_error error;
    detent_status status;
    while ((status = detent_advance(simulation, t, true, &error)) == DETENT_EVENT) {
        detent_mode_change change = DETENT_INIT(detent_mode_change);
        for (size_t i = 0; detent_get_mode_change(simulation, i, &change) == DETENT_OK; i++) {
            printf("%8.4f s  %-8s  %s%c -> %s%c\n", change.time,
                   detent_name(mechanism, DETENT_STICTION, change.stiction), modes[change.from],
                   signs[change.from_direction + 1], modes[change.to],
                   signs[change.to_direction + 1]);
        }
    }
    check(status, &error);
}

/* Whole vectors are read at once; the mechanism knows their lengths and who is where. */
static void report(const detent_mechanism *mechanism, detent_simulation *simulation)
{
    detent_error error;
    double position[2], margin[2], wrench[6];
    check(detent_read(simulation, DETENT_POSITIONS, position, 2, &error), &error);
    check(detent_read(simulation, DETENT_MARGINS, margin, 2, &error), &error);
    for (size_t i = 0; i < 2; i++) {
        detent_primitive_info p = DETENT_INIT(detent_primitive_info);
        detent_get_primitive(mechanism, i, &p);
        check(detent_get_reaction(simulation, i, DETENT_REACTION_WORLD, false, wrench, &error),
              &error);
        bool locked = detent_get_mode(simulation, (size_t)p.stiction, NULL) == DETENT_LOCKED;
        printf("%-8s  %8.5f rad, reaction (%.3f, %.3f) N, %s, margin %.4f %s\n", p.name,
               position[p.first_coordinate], wrench[0], wrench[1], locked ? "locked" : "free",
               margin[p.stiction], locked ? "N m" : "rad/s2");
    }
}

/* From a saved state the same trajectory follows as often as one likes, to the last bit. */
static void run_twice(const detent_mechanism *mechanism, detent_simulation *simulation, double t)
{
    detent_error error;
    double position[2][2];
    size_t size = detent_state_size(simulation);
    void *bytes = malloc(size);
    if (!bytes) {
        exit(EXIT_FAILURE);
    }
    check(detent_save_state(simulation, bytes, size, &error), &error);
    for (int i = 0; i < 2; i++) {
        check(detent_restore_state(simulation, bytes, size, &error), &error);
        printf("from %g s\n", detent_time(simulation));
        run(mechanism, simulation, t);
        check(detent_read(simulation, DETENT_POSITIONS, position[i], 2, &error), &error);
    }
    bool same = memcmp(position[0], position[1], sizeof position[0]) == 0;
    puts(same ? "the same again" : "NOT the same");
    free(bytes);
}

int main(void)
{
    bearing elbow_bearing = {.friction_radius = 0.02, .grease = 0.1};
    detent_error error;
    show_error();

    detent_mechanism *mechanism = build(&elbow_bearing);
    detent_simulation *simulation;
    check(detent_simulation_create(mechanism, NULL, &simulation, &error), &error);
    run(mechanism, simulation, 10);
    report(mechanism, simulation);

    puts("the motor pushes");
    size_t motor = (size_t)detent_find(mechanism, DETENT_INPUT, "motor");
    check(detent_set_input(simulation, motor, 6, &error), &error);
    run_twice(mechanism, simulation, 11);
    report(mechanism, simulation);

    detent_statistics statistics = DETENT_INIT(detent_statistics);
    detent_get_statistics(simulation, &statistics);
    printf("%zu events, %zu steps, %.2f residuals per step\n", statistics.events, statistics.steps,
           (double)statistics.residuals / (double)statistics.steps);
    detent_simulation_destroy(simulation);
    detent_mechanism_destroy(mechanism);
    return EXIT_SUCCESS;
}
