/*
 * One-sided couplings as people use them: a starter that its engine overruns (formulas), an idle gear that rattles (a plain program from impact to
 * impact), made by a program, and where nothing is simulated.
 */
#include "support_plain.h"
#include "support_range.h"
#include "support_variants.h"

#include "detent/analysis.h"

typedef double function(double t, const double *u);

/** Where f has its only root between two times. */
static double root(function *f, const double *u, double low, double high)
{
    const bool is_up = f(high, u) > 0;
    assert_true((f(low, u) > 0) != is_up);
    for (int k = 0; k < 100; k++) {
        const double middle = 0.5 * (low + high);
        const bool same = (f(middle, u) > 0) == is_up;
        high = same ? middle : high;
        low = same ? low : middle;
    }
    return 0.5 * (low + high);
}

/* ---- mechanisms/starter.yaml ---- */

/** By how much the crank, u[0] at 0.8 s, is faster than the starter, u[1] at 1 s, whose gear is 12. */
static double ahead(double t, const double *u)
{
    return u[0] - 50 * (t - 0.8) - u[1] * exp(-4 * (t - 1)) / 12;
}

static void an_engine_overruns_its_starter(void **state)
{
    UNUSED(state);
    const double all = 0.2 + 144 * 5e-3, loss = 144 * 0.02, most = (48 - 10) / loss,
                 fired = most * (1 - exp(-loss / all * 0.5)), fast = fired + 0.2 * 50 / 0.2,
                 off = 200 + (12 * fired - 200) * exp(-4 * 0.4), u[2] = {fast, off},
                 joins = root(ahead, u, 1, 0.8 + fast / 50), slow = fast - 50 * (joins - 0.8),
                 stands = joins + all / loss * log(1 + slow * loss / 10),
                 speed = most * (1 - exp(-loss / all * 0.25)),
                 push = 4 - 0.02 * 12 * speed - 5e-3 * 12 * (38 - loss * speed) / all;
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("starter.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        double x[4];
        runs_log log = {0};
        variant_outputs(sim, v, 0.35, x, 4);
        variant_check(v, "turned", x[1], speed, 1e-7);
        variant_check(v, "pushed", x[3], -push, 1e-7);
        variant_outputs(sim, v, 1, x, 4);
        variant_check(v, "starter", x[0], off, 1e-6);
        variant_check(v, "engine", x[1], fast - 10, 1e-6);
        variant_check(v, "overrun", x[2], off - 12 * (fast - 10), 1e-5);
        assert_true(x[3] == 0);
        runs_end(sim, m);
        m = runs_load("starter.yaml", NULL);
        sim = variant_start(m, v);
        runs_record(sim, 3, &log);
        variant_check(v, "parts", runs_time_of(&log, 1, DETENT_WAIT, 0), 0.6, 1e-9);
        variant_check(v, "joins", runs_time_of(&log, 1, DETENT_LOCKED, 1), joins, 1e-7);
        variant_check(v, "stands", runs_time_of(&log, 0, DETENT_LOCKED, 1), stands, 1e-7);
        runs_log_free(&log);
        runs_end(sim, m);
    }
}

/* ---- mechanisms/gear_rattle.yaml ---- */

static const double swing = 16, half = 0.01, oil = 20 /* 1/s: drag by inertia */;

static double pulse(void)
{
    return 40 * acos(-1);
}

static double driver(double t)
{
    return 50 * t + swing / pulse() * (1 - cos(pulse() * t));
}

static double driver_speed(double t)
{
    return 50 + swing * sin(pulse() * t);
}

/** What keeping up with the driver takes, by inertia. */
static double needed(double t)
{
    return swing * pulse() * cos(pulse() * t) + oil * driver_speed(t);
}

/** The idle gear: since when it flies, from where, how fast; side of the gap where it is in contact, 0 in flight. */
typedef struct idler {
    double since, x, v, loss;
    int side;
} idler;

static double place(const idler *g, double t)
{
    return g->side ? driver(t) - g->side * half
                   : g->x + g->v / oil * (1 - exp(-oil * (t - g->since)));
}

static double speed_of(const idler *g, double t)
{
    return g->side ? driver_speed(t) : g->v * exp(-oil * (t - g->since));
}

/** Whether it is inside of the gap, or gets back there. */
static bool is_inside(const idler *g, double t)
{
    const double e = driver(t) - place(g, t), rate = driver_speed(t) - speed_of(g, t);
    return fabs(e) <= half || e * rate <= 0;
}

static void depart(idler *g, double t)
{
    g->x = place(g, t);
    g->v = speed_of(g, t);
    g->since = t;
    g->side = 0;
}

static double bisect(const idler *g, double low, double high)
{
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high);
        const bool is_before = g->side ? g->side * needed(middle) > 0 : is_inside(g, middle);
        low = is_before ? middle : low;
        high = is_before ? high : middle;
    }
    return 0.5 * (low + high);
}

/** Teeth meet at t: the driver has no end of mass. */
static void strike(idler *g, double t)
{
    const double e = 0.3, slip = speed_of(g, t) - driver_speed(t);
    const int side = driver(t) > place(g, t) ? 1 : -1;
    g->loss += 0.5 * 1e-3 * slip * slip * (1 - e * e);
    g->x = driver(t) - side * half;
    g->v = driver_speed(t) - e * slip;
    g->since = t;
    g->side = e * fabs(slip) < 1e-9 ? side : 0;
}

static void go_on(idler *g, double from, double to)
{
    for (double t = from; t < to;) {
        /* short beside a flight that begins slowly */
        const double slip = fabs(speed_of(g, g->since) - driver_speed(g->since)),
                     brief = 0.02 * (slip / (fabs(needed(g->since)) + 1) + t - g->since),
                     next = fmin(t + (g->side ? 1e-5 : fmin(1e-5, brief + 1e-12)), to);
        const bool ends = g->side ? g->side * needed(next) < 0 : !is_inside(g, next);
        if (!ends) {
            t = next;
        } else {
            t = bisect(g, t, next);
            if (g->side) {
                depart(g, t);
            } else {
                strike(g, t);
            }
        }
    }
}

static void an_idle_gear_rattles(void **state)
{
    enum { TIMES = 20 };
    UNUSED(state);
    idler g = {.v = 50};
    double plain[TIMES][3];
    for (int n = 0; n < TIMES; n++) {
        const double t = 0.025 * (n + 1);
        go_on(&g, 0.025 * n, t);
        plain[n][0] = driver(t) - place(&g, t);
        plain[n][1] = speed_of(&g, t);
        plain[n][2] = g.loss;
    }
    assert_true(g.loss > 0.1); /* it does rattle */
    for (size_t k = variant_first(); k < VARIANTS; k = variant_next(k)) {
        const variant v = variant_at(k);
        detent_mechanism *m = runs_load("gear_rattle.yaml", NULL);
        detent_simulation *sim = variant_start(m, v);
        for (int n = 0; n < TIMES; n++) {
            double x[5];
            variant_outputs(sim, v, 0.025 * (n + 1), x, 5);
            variant_check(v, "gap", x[2], plain[n][0], 1e-8);
            variant_check(v, "speed", x[1], plain[n][1], 1e-5);
            variant_check(v, "loss", x[4], plain[n][2], 1e-7);
        }
        runs_end(sim, m);
    }
}

/* ---- made by a program ---- */

static void add_wheel(detent_mechanism *m, const char *name, double inertia, double velocity,
                      int moves)
{
    detent_error error = {0};
    detent_body_def body = DETENT_INIT(detent_body_def);
    body.name = name;
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = inertia;
    runs_must(detent_add_body(m, &body, &error), &error);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    joint.name = joint.follower = name;
    joint_pin.velocity[0] = velocity;
    joint_pin.moves = moves;
    runs_must(detent_add_joint(m, &joint, &error), &error);
}

static detent_mechanism *begin(void)
{
    const char *const gravity[] = {"0", "0", "0"};
    detent_error error = {0};
    detent_mechanism *m = NULL;
    runs_must(detent_mechanism_create("wheels", NULL, &m, &error), &error);
    runs_must(detent_set_gravity_law(m, gravity, &error), &error);
    return m;
}

static void finish(detent_mechanism *m, const char *const *outputs)
{
    detent_error error = {0};
    for (; *outputs; outputs++) {
        runs_must(detent_add_output(m, *outputs, &error), &error);
    }
    runs_must(detent_mechanism_finish(m, &error), &error);
}

/** J = 1 at 3 rad/s meets J = 2 over half of the gap, e = 1/2: together 1 rad/s, then 1 - 2 and 1 + 1 / 2 * ... by momentum. */
static void a_program_makes_teeth(void **state)
{
    static const char *const outputs[] = {"velocity(a)", "velocity(b)", "position(mesh)", NULL};
    detent_error error = {0};
    UNUSED(state);
    detent_mechanism *m = begin();
    add_wheel(m, "a", 1, 3, DETENT_BOTH_WAYS);
    add_wheel(m, "b", 2, 0, DETENT_BOTH_WAYS);
    detent_coupling_def mesh = {.size = sizeof mesh,
                                .name = "mesh",
                                .primitive = {"a", "b"},
                                .factor = {1, -1},
                                .count = 2,
                                .backlash = 0.6,
                                .restitution = -0.5};
    assert_int_equal(detent_add_coupling(m, &mesh, &error), DETENT_ERROR_MODEL);
    mesh.restitution = 0.5;
    mesh.drives = 3;
    assert_int_equal(detent_add_coupling(m, &mesh, &error), DETENT_ERROR_MODEL);
    mesh.drives = DETENT_FORWARD; /* beside a backlash */
    assert_int_equal(detent_add_coupling(m, &mesh, &error), DETENT_ERROR_MODEL);
    mesh.drives = DETENT_BOTH_WAYS;
    runs_must(detent_add_coupling(m, &mesh, &error), &error);
    finish(m, outputs);
    assert_int_equal(detent_count(m, DETENT_PRIMITIVE), 3);
    detent_simulation *sim = runs_start(m, NULL);
    double x[3];
    runs_must(detent_advance(sim, 0.3, false, &error), &error); /* they met at 0.1 s */
    runs_must(detent_read(sim, DETENT_OUTPUTS, x, 3, &error), &error);
    runs_near("a", x[0], 0, 1e-14);
    runs_near("b", x[1], 1.5, 1e-14);
    runs_near("gap", x[2], 0.3 - 0.2 * 1.5, 1e-9);
    runs_end(sim, m);
}

/** One that moves forward alone drives another one and cannot be taken back: 1 * 4 = (1 + 3) * 1. */
static void a_program_makes_freewheels(void **state)
{
    static const char *const outputs[] = {"velocity(a)", "velocity(b)", NULL};
    detent_error error = {0};
    UNUSED(state);
    for (int way = DETENT_FORWARD; way <= DETENT_BACKWARD; way++) {
        const double sign = way == DETENT_FORWARD ? 1 : -1;
        detent_mechanism *m = begin();
        add_wheel(m, "a", 1, 4 * sign, DETENT_BOTH_WAYS);
        add_wheel(m, "b", 3, 0, way);
        const detent_coupling_def hub = {.size = sizeof hub,
                                         .name = "hub",
                                         .primitive = {"a", "b"},
                                         .factor = {1, -1},
                                         .count = 2,
                                         .drives = way};
        runs_must(detent_add_coupling(m, &hub, &error), &error);
        finish(m, outputs);
        detent_simulation *sim = runs_start(m, NULL);
        double x[2];
        runs_must(detent_advance(sim, 1, false, &error), &error);
        runs_must(detent_read(sim, DETENT_OUTPUTS, x, 2, &error), &error);
        runs_near("a", x[0], sign, 1e-14);
        runs_near("b", x[1], sign, 1e-14);
        runs_end(sim, m);
    }
    detent_mechanism *m = begin();
    detent_body_def body = DETENT_INIT(detent_body_def);
    detent_joint_def joint = DETENT_INIT(detent_joint_def);
    detent_primitive_def joint_pin = DETENT_INIT(detent_primitive_def);
    joint.primitive[0] = &joint_pin;
    body.name = joint.name = joint.follower = "c";
    body.mass = 1;
    joint_pin.moves = 3;
    runs_must(detent_add_body(m, &body, &error), &error);
    detent_status status = detent_add_joint(m, &joint, &error);
    status = status ? status : detent_mechanism_finish(m, &error);
    assert_int_equal(status, DETENT_ERROR_MODEL);
    assert_non_null(strstr(error.message, "forward or backward"));
    detent_mechanism_destroy(m);
}

/* ---- where nothing is simulated ---- */

/** An arm of 2 kg, 0.3 m out, and a motor; e = motor - 2 arm. Gravity turns the arm forward. */
static detent_mechanism *arm_on(const char *motor, const char *coupling)
{
    char text[1024];
    snprintf(text, sizeof text,
             "detent: 1\ngravity: [0, 0, -10]\nbodies:\n"
             "  rotor: {mass: 1, inertia: [0.01, 0.01, 0.01]}\n"
             "  arm: {mass: 2, center_of_mass: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05]}\n"
             "joints:\n"
             "  motor: {type: revolute, base: ground, follower: rotor, axis: [0, 1, 0]%s}\n"
             "  arm: {type: revolute, base: ground, follower: arm, axis: [0, 1, 0]}\n"
             "couplings: {mesh: {type: gear, joints: [motor, arm], ratio: 2, %s}}\n"
             "simulation: {end: 1}\n",
             motor, coupling);
    return runs_parse(text, NULL);
}

/** The arm leans on a tooth, a motor that is held; a freewheel holds as static friction does. */
static void rests_on_teeth(void **state)
{
    static const char *const way[] = {"drives: backward", "drives: forward"};
    detent_error error;
    bool holds;
    double q[8], f, margin;
    UNUSED(state);
    detent_mechanism *m = arm_on(", motion: \"0\"", "backlash: 0.1");
    detent_analysis *analysis = runs_analyse(m);
    detent_rest rest = DETENT_INIT(detent_rest);
    runs_must(detent_equilibrium(analysis, NULL, &rest, &error), &error);
    runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
    runs_near("arm", q[1], 0.025, 1e-15);
    runs_must(detent_hold(analysis, &holds, &f, &margin, &error), &error);
    assert_true(holds);
    runs_near("tooth", f, 6 * cos(0.025) / 2, 1e-12);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    for (int k = 0; k < 2; k++) { /* the other way it hangs down */
        m = arm_on(", motion: \"0\"", way[k]);
        analysis = runs_analyse(m);
        runs_must(
            detent_equilibrium(analysis,
                               &(detent_equilibrium_options){
                                   .size = sizeof(detent_equilibrium_options), .stiction = true},
                               &rest, &error),
            &error);
        runs_must(detent_analysis_get_state(analysis, NULL, q, NULL, &error), &error);
        runs_near("arm", q[1], k ? 0.5 * acos(-1) : 0, 1e-9);
        detent_analysis_destroy(analysis);
        detent_mechanism_destroy(m);
    }
}

static void ranges_end_at_teeth(void **state)
{
    detent_error error;
    detent_range range = DETENT_INIT(detent_range);
    detent_joint_range joints[8];
    UNUSED(state);
    detent_mechanism *m = arm_on(", motion: \"0\"", "backlash: 0.1");
    detent_analysis *analysis = runs_analyse(m);
    runs_must(range_find(analysis, 1, NAN, NAN, &range, joints, &error), &error);
    assert_true(range.low_end == DETENT_RANGE_STOP && range.high_end == DETENT_RANGE_STOP);
    runs_near("low", range.low, -0.025, 1e-14);
    runs_near("high", range.high, 0.025, 1e-14);
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
    m = arm_on("", "backlash: 0.1"); /* within the gap the motor does not say where the arm is */
    analysis = runs_analyse(m);
    assert_int_equal(range_find(analysis, 0, NAN, NAN, &range, joints, &error),
                     DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "does not decide how 'mesh' moves"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

/** Drives hold the arm between the teeth; at a tooth they may press as much as they like, and nobody knows how much they do. */
static void drives_between_teeth(void **state)
{
    detent_error error;
    double low[3], high[3];
    UNUSED(state);
    detent_mechanism *m = arm_on("", "backlash: 0.1");
    detent_analysis *analysis = runs_analyse(m);
    const double a[3] = {0}, leaning[3] = {0, 0.025, -0.05}, beyond[3] = {0, 0.05, -0.1};
    const bool both[3] = {true, true, false}, one[3] = {true, false, false},
               mesh[3] = {true, false, true};
    runs_must(detent_inverse(analysis, a, both, low, high, &error), &error);
    runs_near("motor", low[0], 0, 1e-14);
    runs_near("arm", low[1], -6, 1e-14);
    assert_int_equal(detent_inverse(analysis, a, one, low, high, &error), DETENT_ERROR_ARGUMENT);
    assert_int_equal(detent_inverse(analysis, a, mesh, low, high, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'mesh' cannot be driven"));
    runs_must(detent_analysis_set_state(analysis, 0, leaning, NULL, NULL, &error), &error);
    assert_int_equal(detent_inverse(analysis, a, both, low, high, &error), DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'mesh' transmits as much as its drives press it"));
    detent_status status = detent_analysis_set_state(analysis, 0, beyond, NULL, NULL, &error);
    status = status ? status : detent_inverse(analysis, a, both, low, high, &error);
    assert_int_equal(status, DETENT_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'mesh' is at -0.1, beyond its stop"));
    detent_analysis_destroy(analysis);
    detent_mechanism_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_engine_overruns_its_starter),
        cmocka_unit_test(an_idle_gear_rattles),
        cmocka_unit_test(a_program_makes_teeth),
        cmocka_unit_test(a_program_makes_freewheels),
        cmocka_unit_test(rests_on_teeth),
        cmocka_unit_test(ranges_end_at_teeth),
        cmocka_unit_test(drives_between_teeth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
