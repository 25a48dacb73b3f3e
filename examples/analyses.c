/* What can be asked of a mechanism beside a run: a crank with a rod and a slider, whose numbers are known. Prints what it finds; exits with 1
 * where something is not as it should be. */

#include "detent/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char crank_text[] =
    "detent: 1\n"
    "name: crank and slider\n"
    "gravity: [0, -9.81, 0]\n"
    "inputs: {push: 0}\n"
    "states: {level: {derivative: -level, initial: 0.5}}\n"
    "bodies:\n"
    "  crank: {mass: 1, center_of_mass: [0.1, 0, 0], inertia: [1e-3, 4e-3, 4e-3]}\n"
    "  rod: {mass: 2, center_of_mass: [0.3, 0, 0], inertia: [1e-3, 6e-2, 6e-2]}\n"
    "  slider: {mass: 3}\n"
    "joints:\n"
    "  pivot: {type: revolute, base: ground, follower: crank, initial: {position: 1, priority: "
    "exact}}\n"
    "  pin: {type: revolute, base: crank, follower: rod, at: {base: [0.2, 0, 0]}, initial: "
    "{position: -1.3}}\n"
    "  way: {type: prismatic, base: ground, follower: slider, axis: [1, 0, 0], initial: {position: "
    "0.7}}\n"
    "  wrist: {type: revolute, base: rod, follower: slider, at: {base: [0.6, 0, 0]}, initial: "
    "{position: 0.3}}\n"
    "loads: {push: {body: slider, force: [push, 0, 0]}}\n"
    "stiction: {way: {kinetic: 4, static: 5}}\n"
    "outputs: [position(way), 2*velocity(pivot)]\n";

enum { FREEDOMS = 4 };

static void check(detent_status status, const detent_error *error)
{
    if (status) {
        fprintf(stderr, "%s: %s\n", detent_status_text(status), error ? error->message : "");
        exit(1);
    }
}

static void expect(double value, double known, double tolerance, const char *what)
{
    printf("  %-42s %12.6g\n", what, value);
    if (!(fabs(value - known) <= tolerance)) {
        fprintf(stderr, "%s: %.12g, not %.12g\n", what, value, known);
        exit(1);
    }
}

static size_t index_of(const detent_mechanism *m, detent_item item, const char *name)
{
    return (size_t)detent_find(m, item, name);
}

/* Where a joint stands in the vectors: joints of one freedom have the same place in all of them. */
static size_t place_of(const detent_mechanism *m, const char *joint)
{
    detent_primitive_info p = DETENT_INIT(detent_primitive_info);
    check(detent_get_primitive(m, index_of(m, DETENT_PRIMITIVE, joint), &p), NULL);
    return p.first_freedom;
}

/* The place of the slider by the crank's angle. */
static double slider(double angle)
{
    return 0.2 * cos(angle) + sqrt(0.36 - pow(0.2 * sin(angle), 2));
}

/* ---- positions ---- */

static void assembled(const detent_mechanism *m)
{
    detent_error error;
    double q[FREEDOMS], v[FREEDOMS];
    detent_assembly assembly = DETENT_INIT(detent_assembly);
    check(detent_assemble(m, NULL, q, v, &assembly, &error), &error);
    printf("assembled after %zu iterations\n", assembly.iterations);
    expect(q[place_of(m, "way")], slider(q[place_of(m, "pivot")]), 1e-12, "the slider, m");
    size_t begin, end;
    check(detent_find_initial_section(crank_text, strlen(crank_text), "crank", NULL, &begin, &end,
                                      &error),
          &error);
    printf("  initial values would go to byte %zu of the file\n", begin);
}

static void moved(const detent_mechanism *m, detent_analysis *n)
{
    detent_error error;
    double q[FREEDOMS], v[FREEDOMS], a[FREEDOMS], value, many[8 * FREEDOMS];
    bool kept[FREEDOMS] = {false};
    kept[place_of(m, "pivot")] = true;
    printf("kinematics\n");
    detent_drive drive = DETENT_INIT(detent_drive);
    drive.primitive = index_of(m, DETENT_PRIMITIVE, "pivot");
    drive.position = 0.5;
    drive.velocity = 1;
    check(detent_kinematics(n, 0, &drive, q, v, a, &error), &error);
    expect(q[place_of(m, "way")], slider(0.5), 1e-12, "the slider at a crank angle of 0.5, m");
    expect(v[place_of(m, "way")], (slider(0.5 + 1e-6) - slider(0.5 - 1e-6)) / 2e-6, 1e-9,
           "its velocity, m/s");
    check(detent_kinematics_output(n, 1, &value, &error), &error);
    expect(value, 2, 1e-15, "twice the crank's velocity, rad/s");

    detent_range range = DETENT_INIT(detent_range);
    detent_joint_range of_slider = DETENT_INIT(detent_joint_range);
    check(detent_find_range(n, drive.primitive, (double)NAN, (double)NAN, &range, &error), &error);
    check(detent_get_joint_range(n, index_of(m, DETENT_PRIMITIVE, "way"), &of_slider), NULL);
    expect(range.turns, true, 0, "the crank turns all the way round");
    expect(of_slider.high - of_slider.low, 0.4, 1e-9, "the slider's stroke, m");

    detent_branches branches = DETENT_INIT(detent_branches);
    check(detent_find_branches(n, kept, 8, many, &branches, &error), &error);
    expect((double)branches.count, 2, 0, "assemblies at that crank angle");
}

/* ---- forces ---- */

static void matrices(const detent_mechanism *m, detent_analysis *n)
{
    detent_error error;
    double M[FREEDOMS * FREEDOMS], h[FREEDOMS], g[FREEDOMS], tau[FREEDOMS], J[6 * FREEDOMS],
        rate[6], a[FREEDOMS] = {1, 2, 3, 4};
    static const double end[3] = {0.6, 0, 0};
    printf("matrices of the open tree\n");
    check(detent_mass_matrix(n, M, &error), &error);
    check(detent_bias_forces(n, h, &error), &error);
    check(detent_gravity_forces(n, g, &error), &error);
    check(detent_inverse_dynamics(n, a, tau, &error), &error);
    const size_t pivot = place_of(m, "pivot");
    double sum = h[pivot];
    for (size_t k = 0; k < FREEDOMS; k++) {
        sum += M[FREEDOMS * pivot + k] * a[k];
    }
    expect(tau[pivot], sum, 1e-12, "torque at the crank, N m");
    check(detent_body_jacobian(n, index_of(m, DETENT_BODY, "rod"), end, J, &error), &error);
    check(detent_body_jacobian_rate(n, index_of(m, DETENT_BODY, "rod"), end, rate, &error), &error);
    expect(J[FREEDOMS * 5 + pivot], 1, 1e-15, "how the rod turns with the crank");
    printf("  %-42s %12.6g\n", "gravity at the crank, N m", g[pivot]);
}

static void balanced(const detent_mechanism *m, detent_analysis *n)
{
    detent_error error;
    double low[FREEDOMS], high[FREEDOMS], friction, margin;
    const double still[FREEDOMS] = {0};
    bool driven[FREEDOMS] = {false};
    const size_t pivot = place_of(m, "pivot");
    driven[pivot] = true;
    printf("at rest\n");
    double t, q[FREEDOMS], z;
    check(detent_analysis_get_state(n, &t, q, NULL, &error), &error);
    check(detent_analysis_set_state(n, t, q, NULL, NULL, &error), &error);
    check(detent_inverse(n, still, driven, low, high, &error), &error);
    printf("  the crank holds it with %.6g to %.6g N m\n", low[pivot], high[pivot]);

    z = 0; /* a position of rest wants states at rest, too */
    check(detent_analysis_set_states(n, &z, &error), &error);
    check(detent_analysis_get_states(n, &z, &error), &error);
    detent_equilibrium_options options = DETENT_INIT(detent_equilibrium_options);
    detent_rest rest = DETENT_INIT(detent_rest);
    check(detent_equilibrium(n, &options, &rest, &error), &error);
    check(detent_analysis_get_state(n, NULL, q, NULL, &error), &error);
    printf("  without friction it rests with the crank at %.6g rad\n", q[pivot]);

    bool holds;
    check(detent_hold(n, &holds, &friction, &margin, &error), &error);
    expect(holds, true, 0, "the slider's friction holds it");
    detent_hold_interval interval = DETENT_INIT(detent_hold_interval);
    check(detent_analysis_set_input(n, 0, 0.5, &error), &error);
    check(detent_find_hold_interval(n, index_of(m, DETENT_INPUT, "push"), &interval, &error),
          &error);
    expect(interval.high, 5, 1e-9, "a push that it can take, N");
}

static void linear(const detent_mechanism *m)
{
    detent_error error;
    detent_simulation *s;
    detent_linearization *l;
    check(detent_simulation_create(m, NULL, &s, &error), &error);
    check(detent_advance(s, 0.05, false, &error), &error);
    check(detent_linearize(s, NULL, &l, &error), &error);
    detent_linear_info info = DETENT_INIT(detent_linear_info);
    check(detent_linearization_get_info(l, &info), NULL);
    printf("linear model at %g s: %zu states, %zu inputs, %zu outputs\n", info.time, info.states,
           info.inputs, info.outputs);
    for (size_t k = 0; k < info.states; k++) {
        detent_linear_state x = DETENT_INIT(detent_linear_state);
        detent_eigenvalue e = DETENT_INIT(detent_eigenvalue);
        check(detent_linearization_get_state(l, k, &x), NULL);
        check(detent_linearization_get_eigenvalue(l, k, &e), NULL);
        printf("  x%zu = %.6g, eigenvalue %.6g %+.6gi\n", k + 1, x.value, e.real, e.imaginary);
    }
    detent_analysis *n;
    check(detent_analysis_create(m, NULL, &n, &error), &error);
    check(detent_analysis_take_state(n, s, &error), &error);
    double t;
    check(detent_analysis_get_state(n, &t, NULL, NULL, &error), &error);
    expect(t, 0.05, 0, "the time of a run, taken over, s");
    detent_analysis_destroy(n);
    detent_linearization_destroy(l);
    detent_simulation_destroy(s);
}

int main(void)
{
    detent_error error;
    detent_mechanism *m;
    detent_analysis *n;
    check(detent_mechanism_parse(crank_text, strlen(crank_text), "crank.yaml", NULL, &m, &error),
          &error);
    assembled(m);
    check(detent_analysis_create(m, NULL, &n, &error), &error);
    moved(m, n);
    matrices(m, n);
    balanced(m, n);
    detent_analysis_destroy(n);
    linear(m);
    detent_mechanism_destroy(m);
    return 0;
}
