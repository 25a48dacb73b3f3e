/* What must not change: momentum of mechanisms that float freely, whatever acts inside them; energy where nothing rubs; energy
 * less work where something does. On random trees in three dimensions. And a pendulum that is known exactly. */

#include "api/handle.h"
#include "dynamics/arm.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "support_runs.h"
#include "support_trees.h"

enum { MOST_BODIES = 12 };

/* ---- random trees, through the public definitions ---- */

typedef struct tree_def {
    int bodies;
    bool floats;  /**< the first joint is a free one; else one of the others */
    bool springs; /**< inside the mechanism, and bushings from its first body to others */
    bool dampers;
    bool stiction; /**< in half of the revolute and prismatic joints */
    bool armature; /**< of every scalar primitive inside the mechanism */
    double gravity;
    double speed; /**< of the initial velocities */
} tree_def;

typedef struct tree {
    detent_mechanism *mechanism;
    detent_body_def body[MOST_BODIES];
    char name[MOST_BODIES][16], joint[MOST_BODIES][16];
    size_t count;
} tree;

/* A solid box, turned at random, so that the inertia is one that a body can have. */
static void random_body(support_random *r, detent_body_def *body)
{
    double side[3], q[4], R[9], principal[3];
    body->mass = support_uniform(r, 0.3, 3);
    for (int k = 0; k < 3; k++) {
        side[k] = support_uniform(r, 0.1, 0.6);
        body->center_of_mass[k] = support_uniform(r, -0.4, 0.4);
    }
    for (int k = 0; k < 3; k++) {
        const double b = side[(k + 1) % 3], c = side[(k + 2) % 3];
        principal[k] = body->mass * (b * b + c * c) / 12;
    }
    support_unit(r, 4, q);
    dt_rotation_from_quaternion(R, q);
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; e++) {
        body->inertia[e] = 0;
        for (int k = 0; k < 3; k++) {
            body->inertia[e] += R[3 * row[e] + k] * principal[k] * R[3 * column[e] + k];
        }
    }
}

static void random_joint(support_random *r, const tree_def *def, int i, detent_joint_def *joint,
                         detent_primitive_def primitive[DETENT_MAX_PRIMITIVES])
{
    static const char *const types[] = {"revolute",  "revolute",  "prismatic",
                                        "spherical", "universal", "cylindrical"};
    joint->type = i == 0 && def->floats ? "free" : types[support_below(r, 6)];
    for (int k = 0; k < 3; k++) {
        joint->base_point[k] = i == 0 ? 0 : support_uniform(r, -0.5, 0.5);
        joint->follower_point[k] = support_uniform(r, -0.3, 0.3);
    }
    support_unit(r, 4, joint->base_rotation);
    support_unit(r, 4, joint->follower_rotation);
    const bool springs = def->springs && !(i == 0 && def->floats),
               dampers = def->dampers && !(i == 0 && def->floats);
    for (int k = 0; k < DETENT_MAX_PRIMITIVES; k++) {
        detent_primitive_def *p = &primitive[k];
        *p = (detent_primitive_def)DETENT_INIT(detent_primitive_def);
        joint->primitive[k] = p;
        const bool six = strcmp(joint->type, "free") == 0;
        if (strcmp(joint->type, "spherical") == 0 || (six && k == 3)) {
            support_unit(r, 4, p->position);
        } else {
            p->position[0] = support_uniform(r, -0.3, 0.3);
            p->stiffness = springs ? support_uniform(r, 5, 50) : 0;
            p->armature = def->armature && !six ? support_spread(r, 0.01, 10) : 0;
        }
        p->damping = dampers ? support_uniform(r, 0.05, 0.5) : 0;
        for (int c = 0; c < 3; c++) {
            p->velocity[c] = support_uniform(r, -def->speed, def->speed);
        }
        if (strcmp(joint->type, "prismatic") == 0 || strcmp(joint->type, "cylindrical") == 0) {
            p->stiffness = fmax(p->stiffness, 30); /* so that nothing slides away */
        }
    }
}

static void add_stiction(support_random *r, tree *t, const detent_joint_def *joint)
{
    char limit[32], kinetic[32];
    detent_error error;
    detent_stiction_def stiction = DETENT_INIT(detent_stiction_def);
    const double size = support_uniform(r, 0.2, 2);
    if ((strcmp(joint->type, "revolute") != 0 && strcmp(joint->type, "prismatic") != 0) ||
        !support_chance(r, 0.7)) {
        return;
    }
    snprintf(kinetic, sizeof kinetic, "%.17g", size);
    snprintf(limit, sizeof limit, "%.17g", size * support_uniform(r, 1, 1.5));
    stiction.primitive = joint->name;
    stiction.kinetic = kinetic;
    stiction.static_limit = limit;
    stiction.velocity_threshold = 1e-4;
    runs_must(detent_add_stiction(t->mechanism, &stiction, &error), &error);
}

/* Between frames on the first body and on body i. */
static void add_bushing(support_random *r, const tree_def *def, tree *t, int i)
{
    char text[512], name[16];
    double turn[6], damping = def->dampers ? support_uniform(r, 0.1, 1) : 0;
    detent_error error;
    for (int k = 0; k < 6; k++) {
        turn[k] = support_uniform(r, -1, 1);
    }
    snprintf(name, sizeof name, "h%d", i);
    snprintf(text, sizeof text,
             "{between: [{body: b0, at: {point: [0.1, 0.2, 0], rotation: {rpy: [%.17g, %.17g, "
             "%.17g]}}},"
             " {body: b%d, at: {point: [0, 0.3, 0.1], rotation: {rpy: [%.17g, %.17g, %.17g]}}}],"
             " stiffness: [5, 9, 20], damping: [%.17g, 0, %.17g],"
             " rotational_stiffness: [1, 3, 0.5], rotational_damping: [0, %.17g, 0]}",
             turn[0], turn[1], turn[2], i, turn[3], turn[4], turn[5], damping, damping, damping);
    runs_must(detent_add_item(t->mechanism, "bushings", name, text, &error), &error);
}

static tree random_tree(const tree_def *def, uint64_t seed)
{
    support_random r = {seed};
    tree t = {.count = (size_t)def->bodies};
    detent_error error;
    char down[32];
    snprintf(down, sizeof down, "%.17g", -def->gravity);
    const char *const gravity[3] = {"0", "0", down};
    assert_true(def->bodies <= MOST_BODIES);
    runs_must(detent_mechanism_create("tree", NULL, &t.mechanism, &error), &error);
    runs_must(detent_set_gravity_law(t.mechanism, gravity, &error), &error);
    for (int i = 0; i < def->bodies; i++) {
        const int parent = i == 0 ? -1 : support_below(&r, i);
        detent_joint_def joint = DETENT_INIT(detent_joint_def);
        detent_primitive_def primitive[DETENT_MAX_PRIMITIVES];
        snprintf(t.name[i], sizeof t.name[i], "b%d", i);
        snprintf(t.joint[i], sizeof t.joint[i], "j%d", i);
        t.body[i] = (detent_body_def)DETENT_INIT(detent_body_def);
        t.body[i].name = t.name[i];
        random_body(&r, &t.body[i]);
        runs_must(detent_add_body(t.mechanism, &t.body[i], &error), &error);
        joint.name = t.joint[i];
        joint.follower = t.name[i];
        joint.base = parent < 0 ? "ground" : t.name[parent];
        random_joint(&r, def, i, &joint, primitive);
        runs_must(detent_add_joint(t.mechanism, &joint, &error), &error);
        if (def->stiction) {
            add_stiction(&r, &t, &joint);
        }
    }
    for (int i = 2; i < def->bodies && def->springs; i += 3) {
        add_bushing(&r, def, &t, i);
    }
    runs_must(detent_mechanism_finish(t.mechanism, &error), &error);
    for (size_t i = 0; i < t.count; i++) {
        t.body[i].name = NULL; /* the copy of the tree has its names elsewhere */
    }
    return t;
}

/* ---- momentum ---- */

/* Linear momentum, angular momentum about the world's origin, from the bodies' own numbers; and the sums of their sizes. */
typedef struct momentum {
    double p[3], L[3], p_size, L_size;
} momentum;

static momentum read_momentum(const tree *t, detent_simulation *s)
{
    momentum sum = {0};
    dt_system *system;
    detent_error error;
    runs_must(dt_handle_system(s, false, DT_LEVEL_FORCES, &system, &error), &error);
    for (size_t i = 0; i < t->count; i++) {
        const detent_body_def *b = &t->body[i];
        const double *J = b->inertia;
        const double full[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
        double origin[3], q[4], R[9], c[3], arm[3], v[3], w_local[3], h_local[3], h[3], moment[3],
            p[3];
        runs_must(detent_get_pose(s, i, origin, q, &error), &error);
        dt_rotation_from_quaternion(R, q);
        const int node = t->mechanism->bodies[i].node;
        const double *V = system->motion[node].V; /* about this: */
        const double *about = dt_origin_of(system, node);
        dt_rotate(c, R, b->center_of_mass);
        for (int k = 0; k < 3; k++) {
            c[k] += origin[k];
            arm[k] = c[k] - about[k];
        }
        dt_cross3(v, V, arm);
        dt_rotate_back(w_local, R, V);
        dt_rotate(h_local, full, w_local);
        dt_rotate(h, R, h_local);
        for (int k = 0; k < 3; k++) {
            p[k] = b->mass * (V[3 + k] + v[k]);
        }
        dt_cross3(moment, c, p);
        for (int k = 0; k < 3; k++) {
            sum.p[k] += p[k];
            sum.L[k] += moment[k] + h[k];
        }
        sum.p_size += dt_norm3(p);
        sum.L_size += dt_norm3(moment) + dt_norm3(h);
    }
    return sum;
}

static void check_momentum(const tree_def *def, uint64_t seed, double end)
{
    tree t = random_tree(def, seed);
    detent_settings settings;
    detent_init_settings(&settings, sizeof settings);
    settings.rtol = 1e-9;
    settings.atol = 1e-11;
    detent_simulation *s = runs_start(t.mechanism, &settings);
    const momentum before = read_momentum(&t, s);
    double worst_p = 0, worst_L = 0;
    for (int n = 1; n <= 10; n++) {
        runs_advance(s, 0.1 * n * end);
        const momentum now = read_momentum(&t, s);
        for (int k = 0; k < 3; k++) {
            worst_p = fmax(worst_p, fabs(now.p[k] - before.p[k]) / before.p_size);
            worst_L = fmax(worst_L, fabs(now.L[k] - before.L[k]) / before.L_size);
        }
    }
    runs_near("linear momentum", worst_p, 0, 1e-8);
    runs_near("angular momentum", worst_L, 0, 1e-8);
    runs_near("energy balance", runs_relative_energy_gap(s), 0, 1e-8);
    if (def->stiction && runs_verbose()) {
        detent_statistics statistics = DETENT_INIT(detent_statistics);
        detent_get_statistics(s, &statistics);
        print_message("    %zu events, friction work %.3g J\n", statistics.events,
                      statistics.friction_work);
    }
    runs_end(s, t.mechanism);
}

static void test_momentum_of_floating_trees(void **state)
{
    UNUSED(state);
    const tree_def def = {.bodies = 6, .floats = true, .speed = 1};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        check_momentum(&def, seed, 2);
    }
}

/* Springs, dampers and stiction inside push and pull on both sides alike. */
static void test_momentum_with_forces_inside(void **state)
{
    UNUSED(state);
    const tree_def def = {.bodies = 8,
                          .floats = true,
                          .springs = true,
                          .dampers = true,
                          .stiction = true,
                          .speed = 1};
    for (uint64_t seed = 11; seed <= 16; seed++) {
        check_momentum(&def, seed, 2);
    }
}

/* A rotor takes part of the force along its joint; what reaches the follower still pushes back on the base. */
static void test_momentum_with_armatures_inside(void **state)
{
    UNUSED(state);
    const tree_def def = {.bodies = 8,
                          .floats = true,
                          .springs = true,
                          .stiction = true,
                          .armature = true,
                          .speed = 1};
    for (uint64_t seed = 41; seed <= 44; seed++) {
        check_momentum(&def, seed, 2);
    }
}

/* ---- energy ---- */

static void check_energy(const tree_def *def, uint64_t seed, double end)
{
    tree t = random_tree(def, seed);
    detent_settings settings;
    detent_init_settings(&settings, sizeof settings);
    settings.rtol = 1e-9;
    settings.atol = 1e-11;
    detent_simulation *s = runs_start(t.mechanism, &settings);
    detent_statistics now = DETENT_INIT(detent_statistics);
    double lowest = INFINITY, highest = 0, worst = 0;
    for (int n = 1; n <= 20; n++) {
        runs_advance(s, 0.05 * n * end);
        detent_get_statistics(s, &now);
        lowest = fmin(lowest, now.kinetic_energy);
        highest = fmax(highest, now.kinetic_energy);
        worst = fmax(worst, fabs(runs_energy_gap(s)));
        if (!def->stiction) {
            assert_true(now.friction_work == 0.0 && now.damping_work == 0.0 &&
                        now.actuation_work == 0.0 && now.impact_loss == 0.0);
        }
    }
    assert_true(highest > 1.2 * lowest); /* something goes on */
    runs_near("energy", worst / highest, 0, 1e-8);
    if (def->stiction) {
        assert_true(now.friction_work < 0);
    }
    runs_end(s, t.mechanism);
}

static void test_energy_without_friction(void **state)
{
    UNUSED(state);
    const tree_def def = {.bodies = 6, .springs = true, .gravity = 9.81, .speed = 1};
    for (uint64_t seed = 21; seed <= 26; seed++) {
        check_energy(&def, seed, 2);
    }
}

static void test_energy_less_the_work_of_friction(void **state)
{
    UNUSED(state);
    const tree_def def = {.bodies = 8,
                          .springs = true,
                          .dampers = false,
                          .stiction = true,
                          .gravity = 9.81,
                          .speed = 1};
    for (uint64_t seed = 31; seed <= 36; seed++) {
        check_energy(&def, seed, 2);
    }
}

static void test_energy_of_armatures(void **state)
{
    UNUSED(state);
    tree_def def = {.bodies = 8, .springs = true, .armature = true, .gravity = 9.81, .speed = 1};
    for (uint64_t seed = 51; seed <= 56; seed++) {
        def.stiction = seed % 2 == 0;
        check_energy(&def, seed, 2);
    }
}

/* ---- an exact motion ---- */

/* The simple pendulum IFToMM A01: 1 kg at the end of 1 m, let go from the horizontal. Exact by elliptic functions. */
static void test_simple_pendulum(void **state)
{
    UNUSED(state);
    static const char text[] = "detent: 1\n"
                               "gravity: [0, -9.81, 0]\n"
                               "bodies: {mass: {mass: 1 kg, center_of_mass: [-1, 0, 0]}}\n"
                               "joints: {pivot: {type: revolute, base: ground, follower: mass}}\n"
                               "outputs: [\"-cos(position(pivot))\", \"-sin(position(pivot))\"]\n"
                               "simulation: {end: 10, rtol: 1e-10, atol: 1e-12}\n";
    runs_table table = runs_read_table(runs_reference("iftomm/A01_exact_0_10s.csv"));
    detent_mechanism *m = runs_parse(text, NULL);
    detent_simulation *s = runs_start(m, NULL);
    double worst = 0;
    for (size_t row = 0; row < table.rows; row++) {
        detent_error error;
        double place[2];
        runs_advance(s, runs_at(&table, row, 0));
        runs_must(detent_read(s, DETENT_OUTPUTS, place, 2, &error), &error);
        worst = fmax(worst,
                     hypot(place[0] - runs_at(&table, row, 1), place[1] - runs_at(&table, row, 2)));
    }
    runs_near("place of the mass over 10 s", worst, 0, 1e-8);
    runs_table_free(&table);
    runs_end(s, m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_of_floating_trees),
        cmocka_unit_test(test_momentum_with_forces_inside),
        cmocka_unit_test(test_momentum_with_armatures_inside),
        cmocka_unit_test(test_energy_without_friction),
        cmocka_unit_test(test_energy_less_the_work_of_friction),
        cmocka_unit_test(test_energy_of_armatures),
        cmocka_unit_test(test_simple_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
