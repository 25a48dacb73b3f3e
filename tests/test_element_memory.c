/* Meshes, bushings, cams, bearings, stops and the like without memory: while they are read, while a simulation of them is made, and while they are
 * analysed, every piece fails in its turn, and no other. test_out_of_memory.c does it with joints, loops and stiction. */
#include "support_refusal.h"
#include "support_runs.h"
#include "texts_of_elements.h"

#include "detent/analysis.h"
#include "format/yaml.h"

/* Meshes that are told from joints with all that may act there: springs, dampers, forces, elastic couplings, other meshes; one of several joints, and one
 * in a loop, which is not told from any. */
static const char meshes[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {T: 0}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: [1, 1, 1]}\n"
    "  b: {mass: 1, inertia: [1, 1, 1]}\n"
    "  c: {mass: 1, inertia: [1, 1, 1]}\n"
    "  d: {mass: 1, inertia: [1, 1, 1]}\n"
    "  e: {mass: 1, inertia: [1, 1, 1]}\n"
    "  f: {mass: 1, inertia: [1, 1, 1]}\n"
    "joints:\n"
    "  a: {type: revolute, base: ground, follower: a, force: T}\n"
    "  b: {type: revolute, base: ground, follower: b, spring: {stiffness: 2}, damping: "
    "0.1}\n"
    "  c: {type: revolute, base: ground, follower: c}\n"
    "  d: {type: revolute, base: ground, follower: d, damping: 0.1, force: 0.2*sin(t)}\n"
    "  e: {type: revolute, base: ground, follower: e}\n"
    "  f: {type: revolute, base: ground, follower: f}\n"
    "stiction:\n"
    "  b: {kinetic: 0.1, static: 0.2, external: 0.3*t}\n"
    "  c: {kinetic: 0.1, forward: -0.2, reverse: 0.3}\n"
    "couplings:\n"
    "  first: {type: gear, joints: [a, b], ratio: 3, friction: {efficiency: 0.9}}\n"
    "  second: {type: gear, joints: [b, c], ratio: 2, friction: {coefficient: 0.1, lead_angle: "
    "0.35}}\n"
    "  third: {type: differential, joints: [c, d, e], factors: [1, 2, -1], friction: "
    "{loss_driving: 0.1, loss_driven: 0.2, static_loss_driving: 0.3, no_load: 0.01}}\n"
    "  soft: {type: gear, joints: [d, f], ratio: 1, stiffness: 30, damping: 0.1, backlash: 0.02}\n"
    "  fourth: {type: gear, joints: [e, f], ratio: -1, friction: {efficiency: 0.8}}\n"
    "outputs: [friction(a), coupling_force(first), friction(b)]\n"
    "simulation: {end: 1}\n";

static const char dead_times[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {a: {mass: 1}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "states: {z: {derivative: \"velocity(turn)*(1 - delay(z, 1))\", initial: 1}}\n"
    "signals: {late: \"delay(z, 0.5)\"}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: a, force: late*2}\n"
    "  turn: {type: revolute, base: ground, follower: b}\n"
    "outputs: [z, \"delay(z, 1)\", \"delay(position(slide), 0.25)\"]\n"
    "simulation: {end: 5}\n";

/* Frictions of all kinds that another law is chosen for. */
static const char rubbing[] =
    "detent: 1\n"
    "gravity: [0, 0, -9.81]\n"
    "bodies: {a: {mass: 1}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}, d: "
    "{mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  slide: {type: prismatic, base: ground, follower: a, axis: [1, 0, 0]}\n"
    "  rail: {type: prismatic, base: ground, follower: b, axis: [1, 0, 0]}\n"
    "  turn: {type: revolute, base: b, follower: c, force: sin(t)}\n"
    "  hinge: {type: revolute, base: c, follower: d, friction: {law: sign, coulomb: 2}}\n"
    "stiction:\n"
    "  slide: {kinetic: 1, forward: -2, reverse: 2, external: 3*t}\n"
    "  rail: {kinetic: normal_force(rail)*0.1, static: normal_force(rail)*0.2}\n"
    "  turn: {kinetic: 1, static: 2, "
    "external: 2}\n"
    "simulation: {end: 1}\n";

typedef struct source {
    const char *name, *text;
    const detent_mechanism *mechanism;
} source;

static const source sources[] = {{.name = "meshes", .text = meshes},
                                 {.name = "dead times", .text = dead_times},
                                 {.name = "bushings", .text = bushing_text},
                                 {.name = "cams", .text = cam_text},
                                 {.name = "elastic couplings", .text = elastic_text},
                                 {.name = "laws of friction", .text = law_text},
                                 {.name = "slots", .text = slot_text},
                                 {.name = "stops", .text = stop_text},
                                 {.name = "losses", .text = written_text},
                                 {.name = "more meshes", .text = mesh_text}};

enum { SOURCES = sizeof sources / sizeof *sources };

/* ---- what is made ---- */

static detent_status read_text(const void *of, const detent_allocator *allocator,
                               detent_error *error)
{
    const source *from = of;
    const detent_load_options options = {.size = sizeof options, .allocator = allocator};
    detent_mechanism *m = NULL;
    const detent_status status =
        detent_mechanism_parse(from->text, strlen(from->text), from->name, &options, &m, error);
    assert_true((status == DETENT_OK) == (m != NULL));
    detent_mechanism_destroy(m);
    return status;
}

static detent_status create(const void *of, const detent_allocator *allocator, detent_error *error)
{
    const source *from = of;
    const detent_simulation_options options = {.size = sizeof options, .allocator = allocator};
    detent_simulation *s = NULL;
    const detent_status status = detent_simulation_create(from->mechanism, &options, &s, error);
    assert_true((status == DETENT_OK) == (s != NULL));
    detent_simulation_destroy(s);
    return status;
}

static detent_status analyse(const void *of, const detent_allocator *allocator, detent_error *error)
{
    const source *from = of;
    detent_analysis *a = NULL;
    const detent_status status = detent_analysis_create(from->mechanism, allocator, &a, error);
    assert_true((status == DETENT_OK) == (a != NULL));
    detent_analysis_destroy(a);
    return status;
}

/* With a law for each of its joints. */
static detent_status choose(const void *of, const detent_allocator *allocator, detent_error *error)
{
    static const detent_parameter viscous = {"viscous", "0.1"};
    static const detent_law_choice laws[] = {
        {.size = sizeof *laws,
         .primitive = "slide",
         .law = "dahl",
         .stretch = 1e-3,
         .keys = &viscous,
         .key_count = 1},
        {.size = sizeof *laws, .primitive = "rail", .law = "hyperviscous", .velocity = 1e-3},
        {.size = sizeof *laws, .primitive = "turn", .law = "quinn", .velocity = 1e-3},
        {.size = sizeof *laws,
         .primitive = "hinge",
         .law = "lugre",
         .velocity = 1e-3,
         .stretch = 1e-3}};
    enum { LAWS = sizeof laws / sizeof *laws };
    const detent_law_choice *list[LAWS];
    const source *from = of;
    for (size_t k = 0; k < LAWS; k++) {
        list[k] = &laws[k];
    }
    const detent_load_options options = {
        .size = sizeof options, .allocator = allocator, .laws = list, .law_count = LAWS};
    detent_mechanism *m = NULL;
    const detent_status status =
        detent_mechanism_parse(from->text, strlen(from->text), from->name, &options, &m, error);
    assert_true((status == DETENT_OK) == (m != NULL));
    detent_mechanism_destroy(m);
    return status;
}

/* ---- sweeps ---- */

static detent_mechanism *load(const source *from)
{
    detent_mechanism *m = NULL;
    detent_error error;
    runs_must(detent_mechanism_parse(from->text, strlen(from->text), from->name, NULL, &m, &error),
              &error);
    return m;
}

/* Pieces that a text takes as YAML, the first ones of reading it: test_out_of_memory.c refuses such. */
static size_t count_nodes(const source *from)
{
    dt_arena arena;
    const dt_yaml_node *root;
    detent_error error;
    dt_arena_init(&arena, NULL);
    refusal_begin(SIZE_MAX);
    runs_must(dt_yaml_parse(&arena, from->text, strlen(from->text), from->name, &root, &error),
              &error);
    const size_t count = refusal_end();
    dt_arena_free(&arena);
    return count;
}

static void files(void **state)
{
    UNUSED(state);
    for (size_t k = 0; k < SOURCES; k++) {
        const source from = sources[k];
        const size_t known = count_nodes(&from);
        assert_true(refusal_sweep_beyond(from.name, &from, read_text, known) > known + 100);
    }
}

static void choices(void **state)
{
    UNUSED(state);
    const source from = {.name = "choices", .text = rubbing};
    const size_t known = count_nodes(&from);
    assert_true(refusal_sweep_beyond(from.name, &from, choose, known) > known + 100);
}

static void simulations_and_analyses(void **state)
{
    UNUSED(state);
    for (size_t k = 0; k < SOURCES; k++) {
        source from = sources[k];
        detent_mechanism *m = load(&from);
        from.mechanism = m;
        assert_true(refusal_sweep(from.name, &from, create) > 100);
        assert_true(refusal_sweep(from.name, &from, analyse) > 50);
        detent_mechanism_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(files), cmocka_unit_test(choices),
                                       cmocka_unit_test(simulations_and_analyses)};
    return cmocka_run_group_tests_name("elements without memory", tests, NULL, NULL);
}
