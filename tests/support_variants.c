#include "support_variants.h"

static const char *const integrators[] = {[DETENT_INTEGRATOR_IDA] = "ida",
                                          [DETENT_INTEGRATOR_ERK] = "erk",
                                          [DETENT_INTEGRATOR_AUTO] = "auto"};

variant variant_at(size_t index)
{
    static const detent_integrator integrator[] = {DETENT_INTEGRATOR_IDA, DETENT_INTEGRATOR_ERK,
                                                   DETENT_INTEGRATOR_AUTO};
    assert_true(index < VARIANTS);
    return (variant){
        .integrator = integrator[index / 4],
        .locked_joints = index / 2 % 2 ? DETENT_LOCKED_JOINTS_CONSTRAIN : DETENT_LOCKED_JOINTS_WELD,
        .linear_solver = index % 2 ? DETENT_LINEAR_SOLVER_DENSE : DETENT_LINEAR_SOLVER_TREE};
}

/* Of few: coprime to the number of integrators, treatments and solvers. */
enum { stride = 5 };

static bool are(const char *how)
{
    const char *told = getenv("DETENT_TEST_VARIANTS");
    return told && strcmp(told, how) == 0;
}

bool variants_are_few(void)
{
    return are("few");
}

bool variants_are_half(void)
{
    return are("half");
}

/* Of halves: each has every two of the three choices together. */
static size_t half_of(size_t index)
{
    return (index / 4 + index / 2 + index) % 2;
}

/* The loops so far: which few, which half. */
static size_t loops;

size_t variant_first(void)
{
    const size_t loop = loops++;
    return are("few") ? loop % stride : are("half") ? loop % 2 : 0;
}

size_t variant_next(size_t index)
{
    if (are("few")) {
        return index + stride;
    }
    const size_t half = half_of(index);
    for (index++; are("half") && index < VARIANTS && half_of(index) != half; index++) {
    }
    return index;
}

const char *variant_name(variant v)
{
    static char text[4][32];
    static size_t next;
    char *name = text[next++ % 4];
    snprintf(name, sizeof *text, "%s, %s, %s", integrators[v.integrator],
             v.locked_joints == DETENT_LOCKED_JOINTS_WELD ? "weld" : "constrain",
             v.linear_solver == DETENT_LINEAR_SOLVER_TREE ? "tree" : "dense");
    return name;
}

detent_settings variant_settings(const detent_mechanism *mechanism, variant v)
{
    detent_settings settings = DETENT_INIT(detent_settings);
    detent_mechanism_get_settings(mechanism, &settings);
    settings.integrator = v.integrator;
    settings.locked_joints = v.locked_joints;
    settings.linear_solver = v.linear_solver;
    return settings;
}

static void must(detent_status status, const detent_error *error, variant v)
{
    if (status != DETENT_OK) {
        fail_msg("%s: %s: %s\n%s", variant_name(v), detent_status_text(status), error->message,
                 error->detail);
    }
}

detent_simulation *variant_start(const detent_mechanism *mechanism, variant v)
{
    const detent_settings settings = variant_settings(mechanism, v);
    const detent_simulation_options options = {.size = sizeof options, .settings = &settings};
    detent_simulation *simulation = NULL;
    detent_error error;
    must(detent_simulation_create(mechanism, &options, &simulation, &error), &error, v);
    return simulation;
}

void variant_advance(detent_simulation *simulation, variant v, double t)
{
    detent_error error;
    must(detent_advance(simulation, t, false, &error), &error, v);
}

void variant_outputs(detent_simulation *simulation, variant v, double t, double *values,
                     size_t count)
{
    detent_error error;
    variant_advance(simulation, v, t);
    must(detent_read(simulation, DETENT_OUTPUTS, values, count, &error), &error, v);
}

void variant_near(variant v, double is, double should, double tolerance)
{
    runs_near(variant_name(v), is, should, tolerance);
}

void variant_check(variant v, const char *what, double is, double should, double tolerance)
{
    char text[128];
    snprintf(text, sizeof text, "%s: %s", variant_name(v), what);
    runs_near(text, is, should, tolerance);
}
