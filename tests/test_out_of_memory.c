/* Every piece of memory fails in its turn, and no other: whoever asked for it must have looked. The tests by the user's
 * allocator see chunks, of which a small mechanism takes one; here each array counts. What SUNDIALS and libyaml make for us
 * fails in the same way: the linker puts the functions below between the library and theirs (--wrap). */
#include "support_functions.h"
#include "support_refusal.h"
#include "test_format_support.h"
#include "texts_of_memory.h"

#include "detent/analysis.h"
#include "solver/sundials.h"

#include <arkode/arkode_erkstep.h>
#include <ida/ida.h>
#include <yaml.h>

/* ---- that of the libraries ---- */

#if SUNDIALS_VERSION_MAJOR >= 7
typedef SUNComm communicator;
#else
typedef void *communicator;
#endif

int __real_SUNContext_Create(communicator comm, SUNContext *context);
int __wrap_SUNContext_Create(communicator comm, SUNContext *context);
N_Vector __real_N_VNewEmpty(SUNContext context);
N_Vector __wrap_N_VNewEmpty(SUNContext context);
N_Vector __real_N_VNewEmpty_Serial(sunindextype length, SUNContext context);
N_Vector __wrap_N_VNewEmpty_Serial(sunindextype length, SUNContext context);
int __real_N_VCopyOps(N_Vector from, N_Vector to);
int __wrap_N_VCopyOps(N_Vector from, N_Vector to);
SUNNonlinearSolver __real_SUNNonlinSolNewEmpty(SUNContext context);
SUNNonlinearSolver __wrap_SUNNonlinSolNewEmpty(SUNContext context);
void *__real_IDACreate(SUNContext context);
void *__wrap_IDACreate(SUNContext context);
int __real_IDAInit(void *ida, IDAResFn residual, sunrealtype t, N_Vector y, N_Vector yp);
int __wrap_IDAInit(void *ida, IDAResFn residual, sunrealtype t, N_Vector y, N_Vector yp);
int __real_IDASetId(void *ida, N_Vector id);
int __wrap_IDASetId(void *ida, N_Vector id);
void *__real_ERKStepCreate(ARKRhsFn f, sunrealtype t, N_Vector y, SUNContext context);
void *__wrap_ERKStepCreate(ARKRhsFn f, sunrealtype t, N_Vector y, SUNContext context);
int __real_yaml_parser_initialize(yaml_parser_t *parser);
int __wrap_yaml_parser_initialize(yaml_parser_t *parser);

int __wrap_SUNContext_Create(communicator comm, SUNContext *context)
{
    return refusal_next() ? -1 : __real_SUNContext_Create(comm, context);
}

/* A vector of ours is being made, not a clone that SUNDIALS has asked for: where that fails, SUNDIALS 6.4 crashes. */
static bool own_vector;

N_Vector __wrap_N_VNewEmpty_Serial(sunindextype length, SUNContext context)
{
    own_vector = true;
    return refusal_next() ? NULL : __real_N_VNewEmpty_Serial(length, context);
}

N_Vector __wrap_N_VNewEmpty(SUNContext context)
{
    return own_vector && refusal_next() ? NULL : __real_N_VNewEmpty(context);
}

int __wrap_N_VCopyOps(N_Vector from, N_Vector to)
{
    const bool ours = own_vector;
    own_vector = false;
    return ours && refusal_next() ? -1 : __real_N_VCopyOps(from, to);
}

SUNNonlinearSolver __wrap_SUNNonlinSolNewEmpty(SUNContext context)
{
    return refusal_next() ? NULL : __real_SUNNonlinSolNewEmpty(context);
}

void *__wrap_IDACreate(SUNContext context)
{
    return refusal_next() ? NULL : __real_IDACreate(context);
}

/* Only the first time it takes memory. */
static bool id_is_new;

int __wrap_IDAInit(void *ida, IDAResFn residual, sunrealtype t, N_Vector y, N_Vector yp)
{
    id_is_new = true;
    return refusal_next() ? IDA_MEM_FAIL : __real_IDAInit(ida, residual, t, y, yp);
}

int __wrap_IDASetId(void *ida, N_Vector id)
{
    const bool takes = id_is_new;
    id_is_new = false;
    return takes && refusal_next() ? IDA_MEM_FAIL : __real_IDASetId(ida, id);
}

void *__wrap_ERKStepCreate(ARKRhsFn f, sunrealtype t, N_Vector y, SUNContext context)
{
    return refusal_next() ? NULL : __real_ERKStepCreate(f, t, y, context);
}

int __wrap_yaml_parser_initialize(yaml_parser_t *parser)
{
    return refusal_next() ? 0 : __real_yaml_parser_initialize(parser);
}

/* ---- sweeps ---- */

typedef struct source {
    const char *name, *text; /* a file; no text: built by calls */
    size_t length;
    const detent_settings *settings; /* NULL: the mechanism is all that is made */
    const detent_mechanism *mechanism;
} source;

static detent_status read_file(const void *of, const detent_allocator *allocator,
                               detent_error *error)
{
    const source *from = of;
    const detent_load_options options = {.size = sizeof options, .allocator = allocator};
    detent_mechanism *mechanism = NULL;
    const detent_status status =
        detent_mechanism_parse(from->text, from->length, from->name, &options, &mechanism, error);
    assert_true((status == DETENT_OK) == (mechanism != NULL));
    detent_mechanism_destroy(mechanism);
    return status;
}

static detent_status create_simulation(const void *of, const detent_allocator *allocator,
                                       detent_error *error)
{
    const source *from = of;
    const detent_simulation_options options = {
        .size = sizeof options, .settings = from->settings, .allocator = allocator};
    detent_simulation *simulation = NULL;
    const detent_status status =
        detent_simulation_create(from->mechanism, &options, &simulation, error);
    assert_true((status == DETENT_OK) == (simulation != NULL));
    detent_simulation_destroy(simulation);
    return status;
}

/* The assembled state, an analysis, a range, and the place of initial values in the text. */
static detent_status analyse(const void *of, const detent_allocator *allocator, detent_error *error)
{
    const source *from = of;
    double q[8], v[8];
    size_t begin, end;
    detent_assembly assembly = DETENT_INIT(detent_assembly);
    detent_range range = DETENT_INIT(detent_range);
    detent_analysis *analysis = NULL;
    detent_status status = detent_assemble(from->mechanism, allocator, q, v, &assembly, error);
    if (!status) {
        status = detent_analysis_create(from->mechanism, allocator, &analysis, error);
    }
    status = status ? status : detent_find_range(analysis, 0, 0, 1, &range, error);
    detent_analysis_destroy(analysis);
    return status ? status
                  : detent_find_initial_section(from->text, from->length, from->name, allocator,
                                                &begin, &end, error);
}

/* The linear model of a run, where it starts. */
static detent_status linearize(const void *of, const detent_allocator *allocator,
                               detent_error *error)
{
    const source *from = of;
    const detent_simulation_options options = {
        .size = sizeof options, .settings = from->settings, .allocator = allocator};
    const detent_linearize_options all = {.size = sizeof all, .allocator = allocator};
    detent_simulation *simulation = NULL;
    detent_linearization *model = NULL;
    detent_status status = detent_simulation_create(from->mechanism, &options, &simulation, error);
    if (!status) {
        status = detent_linearize(simulation, &all, &model, error);
        assert_true((status == DETENT_OK) == (model != NULL));
    }
    detent_linearization_destroy(model);
    detent_simulation_destroy(simulation);
    return status;
}

/* A position of rest, what holds there and within which values of an input, and the drive that it takes to move on. */
static detent_status come_to_rest(const void *of, const detent_allocator *allocator,
                                  detent_error *error)
{
    const source *from = of;
    static const double still[8];
    static const bool first[8] = {true};
    const detent_equilibrium_options options = {.size = sizeof options, .stiction = true};
    double q[8], low[8], high[8];
    bool holds;
    detent_hold_interval interval = DETENT_INIT(detent_hold_interval);
    detent_rest rest = DETENT_INIT(detent_rest);
    detent_analysis *analysis = NULL;
    detent_status status = detent_analysis_create(from->mechanism, allocator, &analysis, error);
    if (!status) {
        status = detent_equilibrium(analysis, &options, &rest, error);
    }
    if (!status) {
        status = detent_hold(analysis, &holds, NULL, NULL, error);
        assert_true(status || holds);
    }
    if (!status) {
        status = detent_find_hold_interval(analysis, 0, &interval, error);
        assert_true(status || interval.low < interval.high);
    }
    if (!status) {
        status = detent_inverse(analysis, still, first, low, high, error);
        assert_true(status || low[0] < high[0]);
    }
    if (!status) {
        const detent_drive turn = {.size = sizeof turn, .velocity = 1};
        status = detent_kinematics(analysis, 0, &turn, q, NULL, NULL, error);
        assert_true(status || fabs(q[0]) < 1e-12);
    }
    detent_analysis_destroy(analysis);
    return status;
}

/* A mechanism whose laws call functions of the program, by files and by calls, and its simulation. */
static detent_status load_functions(const void *of, const detent_allocator *allocator,
                                    detent_error *error)
{
    const source *from = of;
    detent_mechanism *m = NULL;
    detent_simulation *s = NULL;
    const detent_simulation_options options = {.size = sizeof options, .allocator = allocator};
    detent_status status = functions_try_in(from->text, allocator, &m, error);
    status = status ? status : detent_simulation_create(m, &options, &s, error);
    detent_simulation_destroy(s);
    detent_mechanism_destroy(m);
    return status;
}

static size_t sweep(const source *from, refusal_maker make)
{
    return refusal_sweep(from->name, from, make);
}

/* Between them they have every key of the format. */
static const char *const corpus[] = {
    "chains",          "couplings",    "distance",        "expressions",
    "fixed_step",      "joint_motion", "joint_nominal",   "joint_primitives",
    "joint_types",     "json",         "numbers",         "signals_and_inputs",
    "springs",         "states",       "stiction_limits", "stiction_six_dof",
    "texts_in_quotes", "units",        "warnings"};

static void files(void **state)
{
    UNUSED(state);
    size_t pieces = 0;
    for (size_t i = 0; i < sizeof corpus / sizeof *corpus; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/tests/corpus/good/%s.yaml", DETENT_SOURCE_DIR, corpus[i]);
        source from = {.name = path};
        char *text = read_text_file(path, &from.length);
        from.text = text;
        pieces += sweep(&from, read_file);
        free(text);
    }
    assert_true(pieces > 1000);
}

static void functions(void **state)
{
    UNUSED(state);
    const source from = {.name = "functions", .text = functions_text(true, true)};
    function_trip = (trip){.after = INFINITY};
    assert_true(sweep(&from, load_functions) > 300);
}

static void simulations(void **state)
{
    UNUSED(state);
    static const char *const texts[] = {everything, plain, rubbing};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        detent_mechanism *mechanism = runs_parse(texts[k], NULL);
        for (size_t n = variant_first(); n < VARIANTS; n = variant_next(n)) {
            const detent_settings settings = variant_settings(mechanism, variant_at(n));
            const source from = {
                .name = variant_name(variant_at(n)), .mechanism = mechanism, .settings = &settings};
            assert_true(sweep(&from, create_simulation) > 100);
        }
        detent_settings fixed = variant_settings(mechanism, variant_at(0));
        fixed.integrator = DETENT_INTEGRATOR_RK4, fixed.step = 1e-3;
        const source rk4 = {.name = "rk4", .mechanism = mechanism, .settings = &fixed};
        assert_true(sweep(&rk4, create_simulation) > 100);
        detent_mechanism_destroy(mechanism);
    }
}

/* Loops in plenty, which are closed cluster by cluster; with friction that they share. */
static void many_loops(void **state)
{
    UNUSED(state);
    static const char friction[] = "stiction:\n"
                                   "  left[1]: {kinetic: 10, static: 12}\n"
                                   "  top: {kinetic: 0.1, static: 0.2}\n"
                                   "  cross[2]: {kinetic: 0.1, static: 0.2}\n";
    static const char *const stages[] = {"N=8", NULL};
    size_t length;
    runs_text page = {0};
    char *text = read_text_file(DETENT_SOURCE_DIR "/mechanisms/scissor_lift.yaml", &length);
    runs_say(&page, "%s%s", text, friction);
    detent_mechanism *mechanism = runs_parse(page.text, stages);
    for (size_t n = 0; n < 2; n++) {
        const detent_settings settings = variant_settings(mechanism, variant_at(n));
        const source from = {
            .name = variant_name(variant_at(n)), .mechanism = mechanism, .settings = &settings};
        assert_true(sweep(&from, create_simulation) > 200);
    }
    detent_mechanism_destroy(mechanism);
    free(page.text);
    free(text);
}

/* A slider-crank whose crank stays where it is. */
static const char crank[] =
    "detent: 1\n"
    "gravity: [0, 0, 0]\n"
    "bodies: {crank: {mass: 1, inertia: [1, 1, 1]}, rod: {mass: 1, inertia: [1, 1, 1]}, slider: "
    "{mass: 1}}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.5, velocity: "
    "1, "
    "priority: exact}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
    "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
    "{position: 1, priority: preferred}}\n"
    "  wrist: {type: revolute, base: slider, follower: rod, at: {follower: [0.8, 0, 0]}}\n"
    "initial: {wrist: {position: 0.1}}\n";

/* Another one that friction holds beside a spring, with a controller's state. */
static const char held[] =
    "detent: 1\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {torque: 0}\n"
    "bodies: {crank: {mass: 1, inertia: [1, 1, 1]}, rod: {mass: 1, inertia: [1, 1, 1]}, slider: "
    "{mass: 1}}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 0.5}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.3, 0, 0]}}\n"
    "  slide: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: "
    "{position: 1}, spring: {stiffness: 100, rest: 1}}\n"
    "  wrist: {type: revolute, base: slider, follower: rod, at: {follower: [0.8, 0, 0]}, closes: "
    "true}\n"
    "states: {wanted: {derivative: torque - wanted, initial: 0.5, nominal: 1}}\n"
    "stiction: {pivot: {kinetic: 6, static: 8, external: torque + wanted}}\n"
    "outputs: [position(slide), force(slide), wanted]\n";

static void analyses(void **state)
{
    UNUSED(state);
    detent_mechanism *mechanism = runs_parse(crank, NULL);
    const source from = {
        .name = "crank", .text = crank, .length = sizeof crank - 1, .mechanism = mechanism};
    assert_true(sweep(&from, analyse) > 100);
    assert_true(sweep(&from, read_file) > 20);
    detent_mechanism_destroy(mechanism);
    mechanism = runs_parse(held, NULL);
    const source at_rest = {.name = "held", .mechanism = mechanism};
    assert_true(sweep(&at_rest, come_to_rest) > 100);
    assert_true(sweep(&at_rest, linearize) > 100);
    detent_mechanism_destroy(mechanism);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files),      cmocka_unit_test(simulations), cmocka_unit_test(functions),
        cmocka_unit_test(many_loops), cmocka_unit_test(analyses),
    };
    return cmocka_run_group_tests_name("out of memory", tests, NULL, NULL);
}
