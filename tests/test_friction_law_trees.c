/*
 * Friction laws on joints of trees and loops: one word changes the law, all variants agree, friction takes energy where the law
 * does, and what other parts of the program know of them.
 */
#include "support_four_bar.h"
#include "support_variants.h"

/* Whether a law is one of fixed steps alone. */
static bool is_of_steps(const char *word)
{
    return strcmp(word, "karnopp") == 0 || strcmp(word, "borello") == 0;
}

/* The next law of all integrators, behind the k-th one, -1; NULL: there is none. */
static const char *next_word(size_t *k)
{
    const char *word;
    while ((word = detent_friction_law(++*k)) != NULL && is_of_steps(word)) {
    }
    return word;
}

#define FRICTION                                                                                \
    "friction: {law: %s, coulomb: %g, breakaway: %g, breakaway_velocity: 0.05, velocity_band: " \
    "0.01, viscous: 0.02, stiffness: 300, damping: 0.4, stiffnesses: [100, 50, 20], limits: "   \
    "[0.2, 0.2, 0.1]}"

/* A pendulum of two on a cart whose rail sticks, by stiction of its own. */
static detent_mechanism *make_tree(const char *word)
{
    char text[3000];
    snprintf(
        text, sizeof text,
        "detent: 1\ngravity: [0, -9.81, 0]\n"
        "bodies: {cart: {mass: 3}, upper: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: "
        "[0.1, 0.1, 0.1]}, lower: {mass: 1, center_of_mass: [0, -0.5, 0], inertia: [0.1, 0.1, "
        "0.1]}, slide: {mass: 0.3}}\n"
        "joints:\n"
        "  rail: {type: prismatic, axis: [1, 0, 0], base: ground, follower: cart}\n"
        "  shoulder: {type: revolute, base: cart, follower: upper, initial: {position: "
        "1.2}, " FRICTION "}\n"
        "  elbow: {type: revolute, base: upper, follower: lower, at: {base: [0, -1, 0]}, " FRICTION
        "}\n"
        "  sleeve: {type: prismatic, axis: [0, 1, 0], base: lower, follower: slide, initial: "
        "{position: -0.5}, spring: {stiffness: 90, rest: -0.5}, " FRICTION "}\n"
        "stiction: {rail: {kinetic: 9, static: 11}}\n"
        "outputs: [position(rail), position(shoulder), position(elbow), position(sleeve), "
        "friction(shoulder), friction(sleeve), friction_work(), \"velocity(shoulder)*"
        "friction(shoulder)\"]\n"
        "simulation: {end: 2, rtol: 1e-9}\n",
        word, 0.5, 0.6, word, 0.3, 0.4, word, 0.4, 0.5);
    return runs_parse(text, NULL);
}

static detent_mechanism *make_loop(const char *word, int cut)
{
    char text[4000], more[2000], joints[3000];
    snprintf(
        more, sizeof more,
        "outputs: [position(a), position(b), position(c), position(d), friction(a), "
        "friction(c), friction_work(), \"velocity(a)*friction(a)\"]\n"
        /* IDA begins at order one, where most of the error is; `auto` has it begin more than once */
        "simulation: {end: 2, rtol: 5e-10}\n");
    support_write_four_bar(text, sizeof text, cut, -9.81, 0.9, 3, more);
    /* friction of every pin, before the end of its line */
    size_t n = 0;
    for (const char *c = text, *last = ""; *c && n + 600 < sizeof joints; c++) {
        const char *type = strstr(last, "type: revolute");
        if (strncmp(c, "}\n", 2) == 0 && type && type < c) {
            char line[400];
            snprintf(line, sizeof line, FRICTION, word, 0.2, 0.25);
            n += (size_t)snprintf(joints + n, sizeof joints - n, ", %s", line);
        }
        joints[n++] = *c;
        last = *c == '\n' ? c + 1 : last;
        joints[n] = '\0';
    }
    return runs_parse(joints, NULL);
}

/* Whether a law takes energy at every instant: springs give back, and Quinn's law lets what acts drive within its band. */
static bool is_dissipative(const detent_mechanism *m, const char *word)
{
    return detent_count(m, DETENT_STATE) == 0 && strcmp(word, "quinn") != 0;
}

/* Runs in every variant against the first one. */
static void agree(detent_mechanism *m, const char *word)
{
    double first[8] = {0};
    bool known = false;
    const bool takes = is_dissipative(m, word);
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_simulation *sim = variant_start(m, v);
        double x[8], work = 0;
        for (int n = 1; n <= 20; n++) {
            variant_outputs(sim, v, 0.1 * n, x, 8);
            assert_true(!takes || (x[7] <= 1e-12 && x[6] <= work + 1e-9));
            work = x[6];
        }
        variant_check(v, "energy", runs_relative_energy_gap(sim), 0, 1e-7);
        for (int n = 0; n < 7 && known; n++) {
            variant_check(v, word, x[n], first[n], 1e-5);
        }
        memcpy(first, known ? first : x, sizeof first);
        known = true;
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void a_word_changes_the_law_in_a_tree(void **state)
{
    (void)state;
    size_t k = (size_t)-1;
    for (const char *word; (word = next_word(&k)) != NULL;) {
        agree(make_tree(word), word);
    }
}

static void a_word_changes_the_law_in_a_loop(void **state)
{
    (void)state;
    size_t k = (size_t)-1;
    for (const char *word; (word = next_word(&k)) != NULL;) {
        agree(make_loop(word, (int)k % 3), word);
    }
}

/* ---- steps of fixed length ---- */

/* Every treatment of locked joints and of matrices makes the same steps, short enough for the bristles; what they come to. */
static void agree_in_steps(detent_mechanism *m, const char *word, detent_integrator integrator,
                           double first[8])
{
    for (size_t k = 0; k < 4; k += variants_are_few() ? 3 : 1) { /* few: each choice once */
        detent_settings settings = runs_settings(m, 0, 0);
        settings.integrator = integrator;
        settings.step = 5e-5;
        settings.locked_joints = k / 2 ? DETENT_LOCKED_JOINTS_CONSTRAIN : DETENT_LOCKED_JOINTS_WELD;
        settings.linear_solver = k % 2 ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE;
        detent_simulation *sim = runs_start(m, &settings);
        detent_error error = {.message = ""};
        double x[8];
        runs_advance(sim, 0.4);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 8, &error), &error);
        for (int n = 0; n < 7 && k > 0; n++) {
            runs_near(word, x[n], first[n], 1e-7 * (1 + fabs(first[n])));
        }
        memcpy(first, k ? first : x, sizeof x);
        detent_simulation_destroy(sim);
    }
    detent_mechanism_destroy(m);
}

static void every_law_makes_steps_in_a_tree(void **state)
{
    (void)state;
    const char *word;
    for (size_t k = 0; (word = detent_friction_law(k)) != NULL; k++) {
        double euler[8], rk4[8];
        agree_in_steps(make_tree(word), word, DETENT_INTEGRATOR_EULER, euler);
        agree_in_steps(make_tree(word), word, DETENT_INTEGRATOR_RK4, rk4);
        for (int n = 0; n < 4; n++) {
            runs_near(word, euler[n], rk4[n], 5e-3);
        }
    }
}

/* And wherever it is cut. */
static void every_law_makes_steps_in_a_loop(void **state)
{
    (void)state;
    const char *word;
    for (size_t k = 0; (word = detent_friction_law(k)) != NULL; k++) {
        double euler[8], rk4[8], cut[8];
        agree_in_steps(make_loop(word, 0), word, DETENT_INTEGRATOR_EULER, euler);
        agree_in_steps(make_loop(word, 1), word, DETENT_INTEGRATOR_EULER, cut);
        agree_in_steps(make_loop(word, 0), word, DETENT_INTEGRATOR_RK4, rk4);
        runs_near(word, euler[0], rk4[0], 5e-3);
        runs_near(word, euler[0], cut[0], 1e-3);
    }
}

/* The motion does not depend on where the loop is cut. */
static void a_loop_may_be_cut_anywhere(void **state)
{
    (void)state;
    size_t k = (size_t)-1;
    for (const char *word; (word = next_word(&k)) != NULL;) {
        double first[4] = {0};
        for (int cut = 0; cut < 3; cut++) {
            detent_mechanism *m = make_loop(word, cut);
            detent_simulation *sim = runs_start(m, NULL);
            runs_advance(sim, 1);
            const double x[] = {runs_position(m, sim, "a"), runs_position(m, sim, "d"),
                                runs_output(m, sim, "friction(a)"),
                                runs_output(m, sim, "friction_work()")};
            for (int n = 0; n < 4 && cut > 0; n++) {
                runs_near(word, x[n], first[n], 1e-5);
            }
            memcpy(first, cut ? first : x, sizeof first);
            runs_end(sim, m);
        }
    }
}

/* What drives a joint against a Stribeck friction, and gives the accelerations that were asked for. */
static void inverse_dynamics_has_friction_of_laws(void **state)
{
    static const char text[] =
        "detent: 1\ngravity: [0, -9.81, 0]\nbodies: {a: {mass: 2, inertia: [1, 1, 1]}}\n"
        "joints: {x: {type: revolute, base: ground, follower: a, force: 5, friction: {law: %s, "
        "breakaway: 25, coulomb: 20, breakaway_velocity: 0.1, velocity_band: 0.1}}}\n"
        "simulation: {end: 1}\n";
    static const double v = 0.1, a = 3, q = 0;
    char file[1000];
    detent_error error = {.message = ""};
    double low, high;
    (void)state;
    for (int k = 0; k < 2; k++) {
        snprintf(file, sizeof file, text, k ? "quinn" : "stribeck");
        detent_mechanism *m = runs_parse(file, NULL);
        detent_analysis *analysis = runs_analyse(m);
        runs_must(detent_analysis_set_state(analysis, 0, &q, &v, NULL, &error), &error);
        const detent_status status = detent_inverse(analysis, &a, NULL, &low, &high, &error);
        if (k == 0) {
            runs_must(status, &error);
            runs_near("drive", low, 3 + 5 + 20 * tanh(10), 1e-12);
            assert_true(low == high);
        } else {
            assert_int_equal(status, DETENT_ERROR_ARGUMENT);
            assert_non_null(strstr(error.message, "as that of 'x' does"));
        }
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

/* In C a law is an item of its own. */
static void a_law_is_an_item(void **state)
{
    detent_mechanism *m = NULL;
    detent_error error = {.message = ""};
    const detent_body_def body = {.size = sizeof body, .name = "a", .mass = 2};
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    joint.name = "x", joint.type = "prismatic", joint.base = "ground", joint.follower = "a";
    (void)state;
    runs_must(detent_mechanism_create("t", NULL, &m, &error), &error);
    runs_must(detent_add_body(m, &body, &error), &error);
    runs_must(detent_add_joint(m, &joint, &error), &error);
    assert_int_equal(detent_add_item(m, "friction", "x", "{law: sign, coulomb: -2}", &error),
                     DETENT_ERROR_MODEL);
    assert_string_equal(error.message, "friction law 'x': 'coulomb' is negative");
    runs_must(detent_add_item(m, "friction", "x", "{law: sign, coulomb: 2}", &error), &error);
    assert_int_equal(detent_add_item(m, "friction", "x", "{law: sign, coulomb: 2}", &error),
                     DETENT_ERROR_MODEL);
    runs_must(detent_add_output(m, "friction(x)", &error), &error);
    runs_must(detent_mechanism_finish(m, &error), &error);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_changes_the_law_in_a_tree),
        cmocka_unit_test(a_word_changes_the_law_in_a_loop),
        cmocka_unit_test(every_law_makes_steps_in_a_tree),
        cmocka_unit_test(every_law_makes_steps_in_a_loop),
        cmocka_unit_test(a_loop_may_be_cut_anywhere),
        cmocka_unit_test(inverse_dynamics_has_friction_of_laws),
        cmocka_unit_test(a_law_is_an_item),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
