/*
 * Runs with locked joints welded against runs that keep each of them as a constraint: the same
 * events in the same order, at the same times, and the same trajectory. The two differ in rounding
 * and in the steps that the integrator takes, which both follow the tolerance.
 */
#include "support_runs.h"
#include "support_trees.h"

enum { PIECES = 8 };

/** What a run came to. */
typedef struct story {
    runs_log log;
    double *state[PIECES]; /**< at equal intervals */
    size_t count;
    detent_statistics statistics;
} story;

/** How to run. */
typedef struct conditions {
    detent_integrator integrator;
    double rtol, end, tolerance;
    /** Called before every piece; NULL: nothing happens between. */
    void (*between)(detent_simulation *simulation, int piece);
    bool restores; /**< every other piece is run by a simulation restored from the one before */
} conditions;

/** Goes on with what another simulation has saved. */
static detent_simulation *move_on(const detent_mechanism *mechanism,
                                  const detent_settings *settings, detent_simulation *old)
{
    detent_error error;
    detent_simulation *fresh = runs_start(mechanism, settings);
    const size_t size = detent_state_size(old);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    runs_must(detent_save_state(old, bytes, size, &error), &error);
    detent_simulation_destroy(old);
    runs_must(detent_restore_state(fresh, bytes, size, &error), &error);
    free(bytes);
    return fresh;
}

static void run(const detent_mechanism *mechanism, const conditions *how, detent_locked_joints kind,
                story *out)
{
    detent_settings settings = runs_settings(mechanism, how->rtol, 0.01 * how->rtol);
    settings.integrator = how->integrator;
    settings.locked_joints = kind;
    settings.end = how->end;
    detent_simulation *simulation = runs_start(mechanism, &settings);
    *out = (story){.count = 0};
    for (int k = 0; k < PIECES; k++) {
        if (how->between) {
            how->between(simulation, k);
        }
        if (how->restores && k % 2 == 1) {
            simulation = move_on(mechanism, &settings, simulation);
        }
        runs_record(simulation, how->end * (k + 1) / PIECES, &out->log);
        out->state[k] = runs_state(mechanism, simulation, &out->count);
    }
    out->statistics.size = sizeof out->statistics;
    detent_get_statistics(simulation, &out->statistics);
    detent_simulation_destroy(simulation);
}

static void forget(story *s)
{
    runs_log_free(&s->log);
    for (int k = 0; k < PIECES; k++) {
        free(s->state[k]);
    }
}

static bool same_change(const detent_mode_change *a, const detent_mode_change *b)
{
    return a->stiction == b->stiction && a->from == b->from && a->to == b->to &&
           a->from_direction == b->from_direction && a->to_direction == b->to_direction &&
           a->cause == b->cause;
}

static void compare_logs(const char *what, const runs_log *a, const runs_log *b, double tolerance,
                         double *worst)
{
    for (size_t k = 0; k < a->count && k < b->count; k++) {
        const detent_mode_change *x = &a->change[k], *y = &b->change[k];
        if (!same_change(x, y) || !(fabs(x->time - y->time) <= tolerance)) {
            fail_msg(
                "%s: change %zu of %zu and %zu: stiction %zu from %d (%d) to %d (%d) cause %d at "
                "%.12g, not %zu from %d (%d) to %d (%d) cause %d at %.12g",
                what, k, a->count, b->count, x->stiction, (int)x->from, x->from_direction,
                (int)x->to, x->to_direction, (int)x->cause, x->time, y->stiction, (int)y->from,
                y->from_direction, (int)y->to, y->to_direction, (int)y->cause, y->time);
        }
        *worst = fmax(*worst, fabs(x->time - y->time));
    }
    if (a->count != b->count) {
        fail_msg("%s: %zu changes, not %zu", what, a->count, b->count);
    }
}

static void compare(const char *what, const detent_mechanism *mechanism, const conditions *how)
{
    story welded, plain;
    double worst_time = 0, worst = 0;
    run(mechanism, how, DETENT_LOCKED_JOINTS_WELD, &welded);
    run(mechanism, how, DETENT_LOCKED_JOINTS_CONSTRAIN, &plain);
    compare_logs(what, &welded.log, &plain.log, how->tolerance, &worst_time);
    for (int k = 0; k < PIECES; k++) {
        for (size_t j = 0; j < welded.count; j++) {
            const double difference = fabs(welded.state[k][j] - plain.state[k][j]);
            worst = fmax(worst, difference / (1 + fabs(plain.state[k][j])));
        }
    }
    if (runs_verbose()) {
        print_message("    %s: %zu changes, %zu and %zu steps, times %.2g, states %.2g\n", what,
                      welded.log.count, welded.statistics.steps, plain.statistics.steps, worst_time,
                      worst);
    }
    if (!(worst <= how->tolerance)) {
        fail_msg("%s: states differ by %.3g", what, worst);
    }
    forget(&welded);
    forget(&plain);
}

static void compare_both(const char *what, detent_mechanism *mechanism, conditions how)
{
    how.integrator = DETENT_INTEGRATOR_IDA;
    compare(what, mechanism, &how);
    how.integrator = DETENT_INTEGRATOR_ERK;
    compare(what, mechanism, &how);
}

/* ---- mechanisms of the project ---- */

static void files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double end;
    } all[] = {{"block_on_belt.yaml", 20},
               {"burridge_knopoff.yaml", 10},
               {"coulomb_oscillator.yaml", 30},
               {"dragged_block.yaml", 10},
               {"hanging_chain.yaml", 1},
               {"modelica_brake.yaml", 2},
               {"modelica_friction.yaml", 1.1},
               {"prismatic_push.yaml", 2},
               {"sticky_box_stack.yaml", 5},
               {"sticky_double_pendulum.yaml", 4},
               {"z1_arm.yaml", 1}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        detent_mechanism *mechanism = runs_load(all[k].name, NULL);
        const conditions how = {.rtol = 1e-9, .end = all[k].end, .tolerance = 1e-7};
        compare_both(all[k].name, mechanism, how);
        detent_mechanism_destroy(mechanism);
    }
}

static void restored(void **state)
{
    (void)state;
    static const char *const all[] = {"hanging_chain.yaml", "sticky_double_pendulum.yaml",
                                      "z1_arm.yaml", "sticky_box_stack.yaml"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        detent_mechanism *mechanism = runs_load(all[k], NULL);
        const conditions how = {.rtol = 1e-9, .end = 1, .tolerance = 1e-7, .restores = true};
        compare_both(all[k], mechanism, how);
        detent_mechanism_destroy(mechanism);
    }
}

static const char chain_text[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "parameters: {n: 30, friction: 1 N*m, ratio: 1, L: 1 m / n, m: 1 kg / n}\n"
    "chain:\n"
    "  count: n\n"
    "  bodies:\n"
    "    link: {mass: m, center_of_mass: [L/2, 0, 0], inertia: [0, m*L^2/12, m*L^2/12]}\n"
    "  joints:\n"
    "    hinge: {type: revolute, base: 'link[i-1]', follower: 'link[i]', axis: [0, 0, 1],\n"
    "            at: {base: [L, 0, 0]}}\n"
    "  stiction:\n"
    "    hinge: {velocity_threshold: 1e-6 rad/s, kinetic: friction, static: ratio*friction}\n"
    "  first:\n"
    "    joints: {hinge: {base: ground, at: null}}\n"
    "simulation: {end: 1 s, interval: 0.01 s, rtol: 1e-9, atol: 1e-11}\n";

static void chain(const char *n, const char *friction, const char *ratio, double end)
{
    char set[3][32], what[128];
    snprintf(set[0], sizeof set[0], "n=%s", n);
    snprintf(set[1], sizeof set[1], "friction=%s N*m", friction);
    snprintf(set[2], sizeof set[2], "ratio=%s", ratio);
    snprintf(what, sizeof what, "chain %s, %s, %s", set[0], set[1], set[2]);
    const char *const sets[] = {set[0], set[1], set[2], NULL};
    detent_mechanism *mechanism = runs_parse(chain_text, sets);
    const conditions how = {.rtol = 1e-9, .end = end, .tolerance = 1e-6};
    compare_both(what, mechanism, how);
    detent_mechanism_destroy(mechanism);
}

static void chains(void **state)
{
    (void)state;
    chain("30", "1", "1", 2);
    chain("30", "1", "1.5", 2);
    chain("30", "0.1", "1", 1);
    chain("30", "0.1", "1.5", 0.5);
    chain("100", "1", "1", 1);
    chain("100", "1", "1.5", 0.5);
}

/* ---- random trees ---- */

static void put_vector(runs_text *p, support_random *random, double size)
{
    double v[3];
    for (int k = 0; k < 3; k++) {
        v[k] = support_uniform(random, -size, size);
    }
    runs_say(p, "[%.6g, %.6g, %.6g]", v[0], v[1], v[2]);
}

static void put_axis(runs_text *p, support_random *random)
{
    double v[3];
    support_unit(random, 3, v);
    runs_say(p, "[%.9g, %.9g, %.9g]", v[0], v[1], v[2]);
}

typedef struct row {
    const char *type, *primitives[4];
} row;

/** Of a base before it, at any place; some primitives have springs. */
static const row *put_joint(runs_text *p, support_random *random, int i)
{
    static const row rows[] = {
        {"revolute", {""}},
        {"revolute", {""}},
        {"revolute", {""}},
        {"prismatic", {""}},
        {"prismatic", {""}},
        {"universal", {".r1", ".r2"}},
        {"cylindrical", {".p1", ".r1"}},
        {"planar", {".p1", ".p2", ".r1"}},
        {"spherical", {NULL}},
        {"weld", {NULL}},
    };
    const row *r = &rows[support_below(random, (int)(sizeof rows / sizeof *rows))];
    const int base = support_below(random, i + 1) - 1;
    runs_say(p, "  j%d: {type: %s, follower: b%d, at: {base: {point: ", i, r->type, i);
    put_vector(p, random, 0.5);
    runs_say(p, ", rotation: {axis: ");
    put_axis(p, random);
    runs_say(p, ", angle: %.6g}}}, base: ", support_uniform(random, -3, 3));
    runs_say(p, base < 0 ? "ground" : "b%d", base);
    if (r->primitives[0] && !r->primitives[1]) {
        runs_say(p, ", axis: ");
        put_axis(p, random);
        runs_say(p, ", damping: %.3g, spring: {stiffness: %.3g}", support_uniform(random, 0, 0.1),
                 support_uniform(random, 0, 10));
    }
    if (!r->primitives[0] && strcmp(r->type, "spherical") == 0) {
        runs_say(p, ", damping: 0.2");
    }
    runs_say(p, "}\n");
    return r;
}

static void put_stiction(runs_text *p, support_random *random, int i, const char *primitive,
                         bool linear)
{
    const double kinetic = support_spread(random, 0.3, 6), ratio = support_uniform(random, 1, 1.5);
    if (support_chance(random, 0.1)) {
        return;
    }
    runs_say(p, "  j%d%s: {velocity_threshold: %s, ", i, primitive,
             support_chance(random, 0.2) ? "1e-2, locking: band" : "1e-5");
    switch (support_below(random, 8)) {
    case 0:
        runs_say(p, "kinetic: %.6g, forward: %.6g, reverse: %.6g", kinetic, -1.6 * kinetic,
                 1.1 * kinetic);
        break;
    case 1: /* grows with the load */
        runs_say(
            p,
            "kinetic: %.6g + 0.02*reaction_force(j%d%s), static: %.6g + 0.03*reaction_force(j%d%s)",
            kinetic, i, primitive, kinetic * ratio, i, primitive);
        break;
    case 2: /* limits that vary */
        runs_say(p, "kinetic: %.6g, static: %.6g + 0.2*sin(3*t)", kinetic, kinetic * ratio + 0.2);
        break;
    case 3: /* a switch, which is read while it moves */
        runs_say(p, "kinetic: 'if(velocity(j%d%s) > 0.2, %.6g, %.6g)', static: %.6g", i, primitive,
                 0.8 * kinetic, kinetic, kinetic * ratio);
        break;
    case 4: /* Stribeck, and another one forward */
        runs_say(
            p,
            "kinetic: '%.6g*(1 + 0.1*dir + 0.5*exp(-abs(velocity(j%d%s))/(1 %s)))', static: %.6g",
            0.6 * kinetic, i, primitive, linear ? "[m/s]" : "[rad/s]", kinetic * ratio);
        break;
    default:
        runs_say(p, "kinetic: %.6g, static: %.6g", kinetic, kinetic * ratio);
    }
    if (support_chance(random, 0.3)) {
        runs_say(p, ", external: %.6g", support_uniform(random, -1, 1));
    }
    runs_say(p, "}\n");
}

static void put_loads(runs_text *p, support_random *random, int bodies)
{
    runs_say(p, "loads:\n");
    for (int l = 0; l < 4; l++) {
        runs_say(p, "  l%d: {body: b%d, frame: %s, at: ", l, support_below(random, bodies),
                 l % 2 ? "body" : "world");
        put_vector(p, random, 0.3);
        runs_say(p, ", %s: [", l < 3 ? "force" : "torque");
        for (int k = 0; k < 3; k++) {
            runs_say(p, "%s\"%.6g*sin(%.6g*t)\"", k ? ", " : "", support_uniform(random, -8, 8),
                     support_uniform(random, 1, 12));
        }
        runs_say(p, "]}\n");
    }
}

static detent_mechanism *random_mechanism(int seed)
{
    support_random random = {.state = (uint64_t)seed};
    const int bodies = 3 + support_below(&random, 14);
    runs_text joints = {0}, stictions = {0}, all = {0};
    runs_say(&all, "detent: 1\ngravity: ");
    put_vector(&all, &random, 6);
    runs_say(&all, "\nbodies:\n");
    for (int i = 0; i < bodies; i++) {
        const row *r = put_joint(&joints, &random, i);
        for (int k = 0; k < 4 && r->primitives[k]; k++) {
            const char *name = r->primitives[k];
            put_stiction(&stictions, &random, i, name,
                         name[0] ? name[1] == 'p' : r->type[0] == 'p');
        }
        runs_say(&all, "  b%d: {mass: %.6g, center_of_mass: ", i, support_spread(&random, 0.1, 2));
        put_vector(&all, &random, 0.2);
        runs_say(&all, ", inertia: [0.03, 0.04, 0.05, 0.002, -0.003, 0.001]}\n");
    }
    runs_say(&all, "joints:\n%sstiction:\n%s", joints.text,
             stictions.length ? stictions.text : " {}\n");
    put_loads(&all, &random, bodies);
    runs_say(&all, "simulation: {end: 1, interval: 0.01, rtol: 1e-9, atol: 1e-11}\n");
    detent_mechanism *m = runs_parse(all.text, NULL);
    free(joints.text), free(stictions.text), free(all.text);
    return m;
}

static void random_trees(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 20; seed++) {
        char what[64];
        detent_mechanism *mechanism = random_mechanism(seed);
        conditions how = {.rtol = 1e-9, .end = 1, .tolerance = 1e-7};
        snprintf(what, sizeof what, "tree %d", seed);
        compare_both(what, mechanism, how);
        how.restores = true;
        compare_both(what, mechanism, how);
        detent_mechanism_destroy(mechanism);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),
        cmocka_unit_test(restored),
        cmocka_unit_test(chains),
        cmocka_unit_test(random_trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
